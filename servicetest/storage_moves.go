package servicetest

import (
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// storageMoveTable has the moves of a repository, or of a kind of repositories.
var storageMoveTable = collection.Table[*call, any, StorageMove]{
	Param: "repository_storage_id", ID: func(m *StorageMove) int64 { return m.ID },
	Home: (*call).moveHome,
	Records: func(c *call, home any) []*StorageMove {
		return reversed(state[storageMoves](c.svc).moves.all(func(m *StorageMove) bool {
			return m.of == home || kindOfRepository(m.of) == home
		}))
	},
	Fields: []collection.Field[StorageMove]{
		collection.Moment("created_at", func(m *StorageMove) *time.Time { return &m.at }),
		collection.Text("destination_storage_name", func(m *StorageMove) *string { return &m.Destination }),
		collection.Note("error_message", func(m *StorageMove) *string { return &m.problem }),
		collection.Shown("id", func(m *StorageMove) int64 { return m.ID }),
		collection.Text("source_storage_name", func(m *StorageMove) *string { return &m.Source }),
		collection.Text("state", func(m *StorageMove) *string { return &m.State }),
	},
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
	kind, _, ofKind := strings.Cut(path, "_repository_storage_moves")
	snippet, exists := state[snippetState](c.svc).snippets.get(c.PathInt64("id"))
	switch {
	case ofKind:
		return kind, nil
	case !strings.HasPrefix(path, "snippets/"):
		return c.tokenHome()
	case !exists:
		return nil, frame.NotFound("Snippet")
	}
	return snippet, nil
}

// moveAll moves the repositories of a kind from a storage.
func moveAll(c *call, kind any) *reply {
	source, destination := c.RequiredString("source_storage_name"), c.String("destination_storage_name")
	for name, value := range map[string]string{"source_storage_name": source, "destination_storage_name": destination} {
		if value != "" && !c.svc.hasStorage(value) {
			c.Problem(name + " does not have a valid value")
		}
	}
	destination = either(destination, c.svc.otherStorage(source))
	switch {
	case c.Refusal() != nil:
		return c.Refusal()
	case source == destination:
		return frame.BadRequest("The destination is the source")
	}
	if all := state[storageMoves](c.svc); kind == "snippet" && destination != "" {
		all.snippets = append(all.snippets, SnippetMove{source, destination})
	}
	for _, repository := range c.svc.repositories(kind) {
		if destination != "" && c.svc.storageOf(repository) == source {
			c.svc.scheduleMove(repository, destination)
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

	of      any // the project, the group or the snippet that is moved
	problem string
	at      time.Time
}

func kindOfRepository(repository any) string {
	switch repository.(type) {
	case *Project:
		return "project"
	case *Group:
		return "group"
	}
	return "snippet"
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

func (s *Service) hasStorage(name string) bool {
	return s.settings.storages == nil || slices.Contains(s.settings.storages, name)
}

func moveRepository(c *call, repository any) *reply {
	other := c.svc.otherStorage(c.svc.storageOf(repository))
	destination := either(c.String("destination_storage_name"), other)
	switch {
	case c.Refusal() != nil:
		return c.Refusal()
	case destination == "" || !c.svc.hasStorage(destination):
		return frame.FieldErrors("destination_storage_name", "is not included in the list")
	}
	m := c.svc.scheduleMove(repository, destination)
	if m == nil {
		return frame.FieldErrors(kindOfRepository(repository), "is read-only")
	}
	return c.Created(storageMoveTable.Form(c, nil, m))
}

// storageMoves keeps all moves of a service.
type storageMoves struct {
	moves    table[*StorageMove]
	snippets []SnippetMove
	fails    map[*Project]bool
	others   map[any]string // storages of wikis and snippets that were moved
}

// storageOf returns the name of the storage that holds a repository.
func (s *Service) storageOf(repository any) string {
	switch of := repository.(type) {
	case *Project:
		return of.storage
	case *Snippet:
		return of.storage()
	}
	return either(state[storageMoves](s).others[repository], "default")
}

// otherStorage chooses the destination of a move: the first storage in use, by name,
// that is not the source. It returns "" if there is none.
func (s *Service) otherStorage(source string) (other string) {
	for _, repository := range s.homes() {
		if name := s.storageOf(repository); name != source && (other == "" || name < other) {
			other = name
		}
	}
	return other
}

// scheduleMove starts a move, unless the repository is already being moved. Then it returns nil.
func (s *Service) scheduleMove(repository any, destination string) *StorageMove {
	if s.moving(repository) {
		return nil
	}
	m := &StorageMove{of: repository, at: s.now(), Source: s.storageOf(repository), Destination: destination}
	m.State = "scheduled"
	m.Project, _ = repository.(*Project)
	m.Group, _ = repository.(*Group)
	m.Snippet, _ = repository.(*Snippet)
	m.ID, _ = state[storageMoves](s).moves.add(0, m)
	s.after(StorageMoveDuration, func() { s.finishMove(m) })
	return m
}

// finishMove moves a repository. The move of an archived project fails.
func (s *Service) finishMove(m *StorageMove) {
	defer s.lock()()
	all := state[storageMoves](s)
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
	return slices.ContainsFunc(state[storageMoves](s).moves.all(nil), func(m *StorageMove) bool {
		return m.of == repository && m.State == "scheduled"
	})
}

// StorageMoves returns the moves of repositories of projects, wikis and snippets, in the
// order in which they were scheduled.
func (s *Service) StorageMoves() []StorageMove {
	defer s.lock()()
	return mapped(state[storageMoves](s).moves.all(nil), func(m *StorageMove) StorageMove { return *m })
}

// SnippetMoves returns the calls that moved all snippets of a storage.
func (s *Service) SnippetMoves() []SnippetMove {
	return locked(s, func() []SnippetMove { return slices.Clone(state[storageMoves](s).snippets) })
}

// FailNextMove makes the next move of the project's repository fail. Later ones
// succeed.
func (p *Project) FailNextMove() {
	defer p.svc.lock()()
	put(&state[storageMoves](p.svc).fails, p, true)
}

// Storage returns the name of the storage that holds the project's repository.
func (p *Project) Storage() string { return read(p.svc, &p.storage) }

// WikiStorage returns the name of the storage that holds the group's wiki:
// "default" until it is moved.
func (g *Group) WikiStorage() string {
	return locked(g.svc, func() string { return g.svc.storageOf(g) })
}
