package servicetest

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
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
		onSource := func(n *Snippet) bool { return n.storage() == source }
		for _, n := range state[snippetState](c.svc).snippets.all(onSource) {
			c.svc.scheduleMove(&StorageMove{Snippet: n, Source: source, Destination: destination})
		}
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
	for name, value := range map[string]string{"source_storage_name": source, "destination_storage_name": destination} {
		if value != "" && !c.svc.hasStorage(value) {
			c.Problem(name + " does not have a valid value")
		}
	}
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

// A StorageMove is the move of one repository to another storage. One of Project, Group, for its
// wiki, and Snippet is set.
type StorageMove struct {
	ID                  int64
	Project             *Project
	Group               *Group
	Snippet             *Snippet
	Source, Destination string
	State               string // scheduled, finished or failed

	at time.Time
}

// subject returns what is moved, and the name of its kind.
func (m *StorageMove) subject() (any, string) {
	switch {
	case m.Project != nil:
		return m.Project, "project"
	case m.Group != nil:
		return m.Group, "group"
	}
	return m.Snippet, "snippet"
}

func (m *StorageMove) form() object {
	form := object{"id": m.ID, "created_at": jsonTime(m.at), "state": m.State, "source_storage_name": m.Source,
		"destination_storage_name": m.Destination, "error_message": nil}
	if m.State == "failed" {
		form["error_message"] = "The repository could not be moved"
	}
	switch {
	case m.Project != nil:
		form["project"] = m.Project.summary()
	case m.Group != nil:
		form["group"] = object{"id": m.Group.id, "name": m.Group.name, "web_url": m.Group.webURL()}
	default:
		form["snippet"] = collection.Show(snippetFields[:12], m.Snippet)
	}
	return form
}

// A SnippetMove is a call that moves all snippets of a storage.
type SnippetMove struct{ Source, Destination string }

// WithStorages names the storages of the instance. Calls that name others are refused. Without it,
// every name is accepted.
func WithStorages(names ...string) Option {
	return func(s *settings) { s.storages = names }
}

func (s *Service) hasStorage(name string) bool {
	return s.settings.storages == nil || slices.Contains(s.settings.storages, name)
}

// pathMoves returns the repository that the path names, as a move without an ID, and a function that
// says which moves the path is about: those of the repository, or of a kind of repositories.
func (c *call) pathMoves() (m *StorageMove, of func(*StorageMove) bool, refusal *reply) {
	m = new(StorageMove)
	_, path, _ := strings.Cut(c.route.template, " ")
	switch {
	case strings.HasPrefix(path, "/projects/"):
		if m.Project, refusal = c.project(); refusal == nil {
			m.Source = m.Project.storage
		}
	case strings.HasPrefix(path, "/groups/"):
		if m.Group, refusal = c.group(); refusal == nil {
			m.Source = c.svc.wikiStorage(m.Group)
		}
	case strings.HasPrefix(path, "/snippets/"):
		found, ok := state[snippetState](c.svc).snippets.get(c.PathInt64("id"))
		if !ok {
			return nil, nil, frame.NotFound("Snippet")
		}
		m.Snippet, m.Source = found, found.storage()
	default:
		kind, _, _ := strings.Cut(path[1:], "_")
		return nil, func(m *StorageMove) bool { _, is := m.subject(); return is == kind }, nil
	}
	wanted, _ := m.subject()
	return m, func(m *StorageMove) bool { is, _ := m.subject(); return is == wanted }, refusal
}

func listStorageMoves(c *call) *reply {
	_, of, refusal := c.pathMoves()
	if refusal != nil {
		return refusal
	}
	found := state[storageMoves](c.svc).moves.all(of)
	slices.Reverse(found)
	return frame.ListOf(c, found, (*StorageMove).form)
}

func getStorageMove(c *call) *reply {
	_, of, refusal := c.pathMoves()
	if refusal != nil {
		return refusal
	}
	m, ok := state[storageMoves](c.svc).moves.get(c.PathInt64("repository_storage_id"))
	if !ok || !of(m) {
		return frame.NotFound("")
	}
	return c.OK(m.form())
}

func moveRepository(c *call) *reply {
	m, _, refusal := c.pathMoves()
	destination := c.String("destination_storage_name")
	if refusal = cmp.Or(refusal, c.Refusal()); refusal != nil {
		return refusal
	}
	m.Destination = either(destination, c.svc.otherStorage(m.Source))
	if m.Destination == "" || !c.svc.hasStorage(m.Destination) {
		return frame.FieldErrors("destination_storage_name", "is not included in the list")
	}
	if !c.svc.scheduleMove(m) {
		_, kind := m.subject()
		return frame.FieldErrors(kind, "is read-only")
	}
	return c.Created(m.form())
}

// storageMoves keeps all moves of a service.
type storageMoves struct {
	moves    table[*StorageMove]
	snippets []SnippetMove
	fails    map[*Project]bool
	others   map[any]string // storages of wikis and snippets that were moved
}

func (s *Service) wikiStorage(g *Group) string {
	return either(state[storageMoves](s).others[g], "default")
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

// scheduleMove starts a move and reports true, unless the repository is already being moved.
func (s *Service) scheduleMove(m *StorageMove) bool {
	all := &state[storageMoves](s).moves
	subject, _ := m.subject()
	for _, other := range all.all(nil) {
		if what, _ := other.subject(); other.State == "scheduled" && what == subject {
			return false
		}
	}
	m.State, m.at = "scheduled", s.now()
	m.ID, _ = all.add(0, m)
	s.after(StorageMoveDuration, func() { s.finishMove(m) })
	return true
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
		if all.others == nil {
			all.others = make(map[any]string)
		}
		moved, _ := m.subject()
		all.others[moved] = m.Destination
	}
	m.State = "finished"
}

// moving reports whether a project's repository is being moved. Meanwhile it is
// read-only.
func (s *Service) moving(p *Project) bool {
	return slices.ContainsFunc(state[storageMoves](s).moves.all(nil), func(m *StorageMove) bool {
		return m.Project == p && m.State == "scheduled"
	})
}

// StorageMoves returns the moves of repositories of projects, wikis and snippets, in the
// order in which they were scheduled.
func (s *Service) StorageMoves() []StorageMove {
	defer s.lock()()
	var moves []StorageMove
	for _, m := range state[storageMoves](s).moves.all(nil) {
		moves = append(moves, *m)
	}
	return moves
}

// SnippetMoves returns the calls that moved all snippets of a storage.
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
