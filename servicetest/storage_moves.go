package servicetest

import (
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// storageMoves are the moves of a repository, or of a kind of repositories.
var storageMoves = collection.Table[*call, any, StorageMove]{
	Param: "repository_storage_id", ID: func(m *StorageMove) int64 { return m.ID },
	Home: (*call).moveHome,
	Records: func(c *call, home any) []*StorageMove {
		return reversed(state[moveState](c.svc).moves.all(func(m *StorageMove) bool {
			return m.of == home || m.kind == home
		}))
	},
	Fields: []collection.Field[StorageMove]{
		collection.Moment("created_at", func(m *StorageMove) *time.Time { return &m.at }).ReadOnly(),
		collection.Text("destination_storage_name", func(m *StorageMove) *string { return &m.Destination }),
		collection.Note("error_message", func(m *StorageMove) *string { return &m.problem }).ReadOnly(),
		collection.Shown("id", func(m *StorageMove) int64 { return m.ID }),
		collection.Text("source_storage_name", func(m *StorageMove) *string { return &m.Source }).ReadOnly(),
		collection.Text("state", func(m *StorageMove) *string { return &m.State }).ReadOnly(),
	},
	New: func(c *call, repository any) *StorageMove { return c.svc.newMove(repository, "") },
	Check: func(c *call, repository any, m, _ *StorageMove) *reply {
		m.Destination = either(m.Destination, c.svc.otherStorage(m.Source))
		switch names := c.svc.settings.storages; {
		case m.Destination == "" || names != nil && !slices.Contains(names, m.Destination):
			return frame.FieldErrors("destination_storage_name", "is not included in the list")
		case c.svc.moving(repository):
			return frame.FieldErrors(m.kind, "is read-only")
		}
		return nil
	},
	Add: func(c *call, _ any, m *StorageMove) { c.svc.startMove(m) },
	Extra: func(_ *call, _ any, m *StorageMove, form *collection.Form) {
		switch of := m.of.(type) {
		case *Project:
			form.Add("project", of.summary())
		case *Group:
			form.Add("group", object{"id": of.id, "name": of.name, "web_url": of.webURL()})
		case *Snippet:
			form.Add("snippet", collection.Show(snippetFields[:12], of))
		}
	},
}

// moveHome returns what the path is about: a project, a group for its wiki, a snippet, or the name of
// a kind of these.
func (c *call) moveHome() (any, *reply) {
	_, path, _ := strings.Cut(c.route.template, " /")
	if kind, _, ofKind := strings.Cut(path, "_repository_storage_moves"); ofKind {
		return kind, nil
	}
	if !strings.HasPrefix(path, "snippets/") {
		return c.tokenHome()
	}
	if snippet, exists := state[snippetState](c.svc).snippets.get(c.PathInt64("id")); exists {
		return snippet, nil
	}
	return nil, frame.NotFound("Snippet")
}

// moveAll moves the repositories of a kind from a storage.
func moveAll(c *call, kind any) *reply {
	source, destination := c.RequiredString("source_storage_name"), c.String("destination_storage_name")
	if names := c.svc.settings.storages; names != nil {
		frame.AcceptIn(c.StringIn, "source_storage_name", names...)
		frame.AcceptIn(c.StringIn, "destination_storage_name", names...)
	}
	destination = either(destination, c.svc.otherStorage(source))
	switch {
	case c.Refusal() != nil:
		return c.Refusal()
	case source == destination:
		return frame.BadRequest("The destination is the source")
	}
	if all := state[moveState](c.svc); kind == "snippet" && destination != "" {
		all.snippets = append(all.snippets, SnippetMove{source, destination})
	}
	for _, repository := range c.svc.repositories(kind) {
		if destination != "" && c.svc.storageOf(repository) == source && !c.svc.moving(repository) {
			c.svc.startMove(c.svc.newMove(repository, destination))
		}
	}
	return c.Accepted(object{"message": "202 Accepted"})
}

// readOnly is the message for a change of a repository that is being moved.
const readOnly = "the repository is read-only until its move to another storage completes"

// repositoryAtRest refuses to change a repository that is being moved.
func (c *call) repositoryAtRest() *reply {
	if !c.route.commits {
		return nil
	}
	if p := c.pathProject(); p != nil && c.svc.canSeeProject(c.user, p) && c.svc.moving(p) {
		return frame.Forbidden(readOnly)
	}
	return nil
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

	of            any // the project, the group or the snippet that is moved
	kind, problem string
	at            time.Time
}

// repositories returns everything of a kind.
func (s *Service) repositories(kind any) []any {
	switch kind {
	case "project":
		return mapped(s.projects.all(nil), func(p *Project) any { return p })
	case "group":
		return mapped(s.groups.all(nil), func(g *Group) any { return g })
	}
	return mapped(state[snippetState](s).snippets.all(nil), func(n *Snippet) any { return n })
}

// A SnippetMove is a call that moves all snippets of a storage.
type SnippetMove struct{ Source, Destination string }

// homes returns all groups and projects.
func (s *Service) homes() []any { return append(s.repositories("group"), s.repositories("project")...) }

// WithStorages names the storages of the instance. Calls that name others are refused. Without it,
// every name is accepted.
func WithStorages(names ...string) Option {
	return func(s *settings) { s.storages = names }
}

// moveState keeps all moves of a service.
type moveState struct {
	moves    table[*StorageMove]
	snippets []SnippetMove
	fails    map[*Project]bool
	others   map[any]string // storages of wikis and snippets that were moved
}

// storageOf returns the name of the storage that holds a repository. A snippet that was not moved is
// where its project is.
func (s *Service) storageOf(repository any) string {
	switch of := repository.(type) {
	case *Project:
		return of.storage
	case *Snippet:
		if moved := state[moveState](s).others[of]; moved == "" && of.project != nil {
			return of.project.storage
		}
	}
	return either(state[moveState](s).others[repository], "default")
}

// otherStorage chooses the destination of a move: the first storage in use, by name,
// that is not the source. It returns "" if there is none.
func (s *Service) otherStorage(source string) string {
	others := only(mapped(s.homes(), s.storageOf), func(name string) bool { return name != source })
	if len(others) == 0 {
		return ""
	}
	return slices.Min(others)
}

// newMove returns a move that has not started.
func (s *Service) newMove(repository any, destination string) *StorageMove {
	m := &StorageMove{of: repository, at: s.now(), Source: s.storageOf(repository), Destination: destination}
	switch of := repository.(type) {
	case *Project:
		m.Project, m.kind = of, "project"
	case *Group:
		m.Group, m.kind = of, "group"
	case *Snippet:
		m.Snippet, m.kind = of, "snippet"
	}
	return m
}

func (s *Service) startMove(m *StorageMove) {
	m.State = "scheduled"
	m.ID, _ = state[moveState](s).moves.add(0, m)
	s.later(StorageMoveDuration, func() { s.finishMove(m) })
}

// finishMove moves a repository. The move of an archived project fails.
func (s *Service) finishMove(m *StorageMove) {
	all := state[moveState](s)
	switch p := m.Project; {
	case p != nil && (p.archived || all.fails[p]):
		delete(all.fails, p)
		m.State, m.problem = "failed", "The repository could not be moved"
		return
	case p != nil:
		p.storage = m.Destination
		s.touch(p)
	default:
		put(&all.others, m.of, m.Destination)
	}
	m.State = "finished"
}

// moving reports whether a repository is being moved. Meanwhile it is read-only.
func (s *Service) moving(repository any) bool {
	return slices.ContainsFunc(state[moveState](s).moves.all(nil), func(m *StorageMove) bool {
		return m.of == repository && m.State == "scheduled"
	})
}

// StorageMoves returns the moves of repositories of projects, wikis and snippets, in the
// order in which they were scheduled.
func (s *Service) StorageMoves() []StorageMove {
	defer s.lock()()
	return mapped(state[moveState](s).moves.all(nil), func(m *StorageMove) StorageMove { return *m })
}

// SnippetMoves returns the calls that moved all snippets of a storage.
func (s *Service) SnippetMoves() []SnippetMove {
	return locked(s, func() []SnippetMove { return slices.Clone(state[moveState](s).snippets) })
}

// FailNextMove makes the next move of the project's repository fail. Later ones
// succeed.
func (p *Project) FailNextMove() {
	defer p.svc.lock()()
	put(&state[moveState](p.svc).fails, p, true)
}

// Storage returns the name of the storage that holds the project's repository.
func (p *Project) Storage() string { return read(p.svc, &p.storage) }

// WikiStorage returns the name of the storage that holds the group's wiki:
// "default" until it is moved.
func (g *Group) WikiStorage() string {
	return locked(g.svc, func() string { return g.svc.storageOf(g) })
}
