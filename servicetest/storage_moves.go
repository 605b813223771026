package servicetest

import (
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

func moveProjects(c *call) *reply {
	return c.scheduleMoves(func(source, destination string) {
		for _, p := range c.svc.projects.all(func(p *Project) bool { return p.storage == source }) {
			c.svc.scheduleMove(&StorageMove{Project: p, Source: source, Destination: destination})
		}
	})
}

func moveSnippets(c *call) *reply {
	return c.scheduleMoves(func(source, destination string) {
		all := state[storageMoves](c.svc)
		all.snippets = append(all.snippets, SnippetMove{source, destination})
	})
}

func moveGroups(c *call) *reply {
	return c.scheduleMoves(func(source, destination string) {
		for _, g := range c.svc.groups.all(func(g *Group) bool { return c.svc.wikiStorage(g) == source }) {
			c.svc.scheduleMove(&StorageMove{Group: g, Source: source, Destination: destination})
		}
	})
}

// scheduleMoves implements the common part of three calls.
func (c *call) scheduleMoves(schedule func(source, destination string)) *reply {
	source, destination := c.RequiredString("source_storage_name"), c.String("destination_storage_name")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if destination == "" {
		if destination = c.svc.otherStorage(source); destination == "" {
			return c.Accepted(object{"message": "202 Accepted"}) // without effect
		}
	}
	if source == destination {
		return frame.BadRequest("The destination is the source")
	}
	schedule(source, destination)
	return c.Accepted(object{"message": "202 Accepted"})
}

// writesRepository lists the routes that change the repository of their project. Merges
// and rebases check this themselves, because a note can start them, they may happen
// later, and they may change the repository of a fork.
var writesRepository = map[string]bool{
	"POST /projects/:id/repository/commits":                  true,
	"POST /projects/:id/repository/commits/:sha/cherry_pick": true,
	"POST /projects/:id/repository/commits/:sha/revert":      true,
	"POST /projects/:id/repository/files/:file_path":         true,
	"PUT /projects/:id/repository/files/:file_path":          true,
	"DELETE /projects/:id/repository/files/:file_path":       true,
	"POST /projects/:id/repository/branches":                 true,
	"DELETE /projects/:id/repository/branches/:branch":       true,
	"POST /projects/:id/repository/tags":                     true,
	"DELETE /projects/:id/repository/tags/:tag_name":         true,
}

// readOnly is the message for a change of a repository that is being moved.
const readOnly = "the repository is read-only until its move to another storage completes"

// repositoryAtRest refuses to change a repository that is being moved.
func (c *call) repositoryAtRest() *reply {
	if !writesRepository[c.route.template] {
		return nil
	}
	project := c.svc.findProject(c.PathString("id"))
	if project == nil || !c.svc.canSeeProject(c.user, project) || !c.svc.moving(project) {
		return nil
	}
	return frame.Forbidden(readOnly)
}

// StorageMoveDuration is how long the move of a repository takes, by the
// service's clock.
const StorageMoveDuration = 5 * time.Second

// A StorageMove is the move of one repository to another storage.
type StorageMove struct {
	Project             *Project // nil for the wiki of a group
	Group               *Group   // nil for a project
	Source, Destination string
	State               string // scheduled, finished or failed
}

// A SnippetMove is a scheduled move of the snippets on a storage. The embedded
// service has no snippet repositories to move.
type SnippetMove struct{ Source, Destination string }

// storageMoves keeps all moves of a service.
type storageMoves struct {
	moves    []*StorageMove
	snippets []SnippetMove
	fails    map[*Project]bool
	wikis    map[*Group]string // storages of wikis that were moved or seeded
}

func (s *Service) wikiStorage(g *Group) string {
	return either(state[storageMoves](s).wikis[g], "default")
}

// otherStorage chooses the destination of a move: the first storage in use, by name,
// that is not the source. It returns "" if there is none.
func (s *Service) otherStorage(source string) string {
	var names []string
	for _, p := range s.projects.all(func(p *Project) bool { return p.storage != source }) {
		names = append(names, p.storage)
	}
	for _, g := range s.groups.all(func(g *Group) bool { return s.wikiStorage(g) != source }) {
		names = append(names, s.wikiStorage(g))
	}
	if len(names) == 0 {
		return ""
	}
	return slices.Min(names)
}

// scheduleMove starts a move, unless the repository is already being moved.
func (s *Service) scheduleMove(m *StorageMove) {
	all := state[storageMoves](s)
	for _, other := range all.moves {
		if other.State == "scheduled" && other.Project == m.Project && other.Group == m.Group {
			return
		}
	}
	m.State = "scheduled"
	all.moves = append(all.moves, m)
	s.after(StorageMoveDuration, func() { s.finishMove(m) })
}

// finishMove moves a repository. The move of an archived project fails.
func (s *Service) finishMove(m *StorageMove) {
	defer s.lock()()
	all := state[storageMoves](s)
	if p := m.Project; p != nil {
		if p.archived || all.fails[p] {
			delete(all.fails, p)
			m.State = "failed"
			return
		}
		p.storage = m.Destination
		s.touch(p)
	} else {
		if all.wikis == nil {
			all.wikis = make(map[*Group]string)
		}
		all.wikis[m.Group] = m.Destination
	}
	m.State = "finished"
}

// moving reports whether a project's repository is being moved. Meanwhile it is
// read-only.
func (s *Service) moving(p *Project) bool {
	return slices.ContainsFunc(state[storageMoves](s).moves, func(m *StorageMove) bool {
		return m.Project == p && m.State == "scheduled"
	})
}

// StorageMoves returns the moves of repositories of projects and wikis, in the
// order in which they were scheduled.
func (s *Service) StorageMoves() []StorageMove {
	defer s.lock()()
	var moves []StorageMove
	for _, m := range state[storageMoves](s).moves {
		moves = append(moves, *m)
	}
	return moves
}

// SnippetMoves returns the scheduled moves of snippets.
func (s *Service) SnippetMoves() []SnippetMove {
	defer s.lock()()
	return slices.Clone(state[storageMoves](s).snippets)
}

// FailNextMove makes the next move of the project's repository fail. Later ones
// succeed.
func (p *Project) FailNextMove() {
	defer p.svc.lock()()
	all := state[storageMoves](p.svc)
	if all.fails == nil {
		all.fails = make(map[*Project]bool)
	}
	all.fails[p] = true
}

// Storage returns the name of the storage that holds the project's repository.
func (p *Project) Storage() string {
	defer p.svc.lock()()
	return p.storage
}

// WikiStorage returns the name of the storage that holds the group's wiki:
// "default" until it is moved.
func (g *Group) WikiStorage() string {
	defer g.svc.lock()()
	return g.svc.wikiStorage(g)
}
