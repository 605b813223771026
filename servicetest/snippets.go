package servicetest

import (
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// A Snippet is one or more files that a project or a user keeps outside a repository. Make
// one with Project.Snippet or User.Snippet.
type Snippet struct {
	discussion

	svc         *Service
	project     *Project // nil for a personal one
	id          int64
	title       string
	description string
	visibility  string // private, internal or public
	files       []snippetFile
	author      *User
	createdAt   time.Time
	updatedAt   time.Time
	agent       userAgent
}

// A snippetFile is a file of a snippet.
type snippetFile struct{ path, content string }

// snippets are the snippets of projects.
var snippets = collection.Table[*call, *Project, Snippet]{
	Name:    "Snippet",
	Param:   "snippet_id",
	ID:      func(s *Snippet) int64 { return s.id },
	Home:    (*call).project,
	Records: (*call).snippetsOf,
	Fields:  snippetFields,
	New: func(c *call, p *Project) *Snippet {
		return &Snippet{svc: c.svc, project: p, author: c.user, visibility: c.svc.newSnippets("private"),
			createdAt: c.now(),
			updatedAt: c.now(), agent: c.userAgent()}
	},
	Read:   readNewSnippet,
	Check:  (*call).checkSnippet,
	Add:    func(c *call, _ *Project, s *Snippet) { s.file() },
	Saved:  func(c *call, _ *Project, s *Snippet) { s.updatedAt = c.now() },
	Remove: func(c *call, _ *Project, s *Snippet) { state[snippetState](c.svc).snippets.remove(s.id) },
	Extra:  showSnippetStorage,
}

// ownSnippets are the snippets in calls without a project. For reads, these are all
// that the caller can see. For changes, they are the caller's own.
var ownSnippets = collection.Table[*call, *Project, Snippet]{
	Name: "Snippet",
	ID:   func(s *Snippet) int64 { return s.id },
	Home: func(*call) (*Project, *reply) { return nil, nil },
	Find: (*call).readableSnippet,
	Records: func(c *call, _ *Project) []*Snippet {
		return c.readableSnippets(func(s *Snippet) bool { return s.author == c.user })
	},
	Fields: snippetFields,
	Filters: []collection.Filter[Snippet]{
		collection.Span("created_after", "created_before", func(s *Snippet) time.Time { return s.createdAt }),
	},
	New: func(c *call, _ *Project) *Snippet {
		return &Snippet{svc: c.svc, author: c.user, visibility: c.svc.newSnippets("internal"),
			createdAt: c.now(), updatedAt: c.now(), agent: c.userAgent()}
	},
	Read:   readNewSnippet,
	Check:  (*call).checkSnippet,
	Add:    snippets.Add,
	Saved:  snippets.Saved,
	Remove: snippets.Remove,
	Extra:  showSnippetStorage,
}

// newSnippets returns the visibility of snippets whose author does not say it: what the
// instance says, if it does.
func (s *Service) newSnippets(otherwise string) string {
	if said := s.instance(); said.values["default_snippet_visibility"] != nil {
		return said.text("default_snippet_visibility")
	}
	return otherwise
}

var snippetFields = []collection.Field[Snippet]{
	collection.Shown("id", func(s *Snippet) int64 { return s.id }),
	collection.Text("title", func(s *Snippet) *string { return &s.title }).Required(),
	collection.Note("description", func(s *Snippet) *string { return &s.description }),
	collection.Choice("visibility", func(s *Snippet) *string { return &s.visibility },
		"private", "internal", "public"),
	collection.Shown("author", func(s *Snippet) *userSummary { return s.author.summary() }),
	collection.Moment("created_at", func(s *Snippet) *time.Time { return &s.createdAt }).ReadOnly(),
	collection.Moment("updated_at", func(s *Snippet) *time.Time { return &s.updatedAt }).ReadOnly(),
	collection.Shown("project_id", func(s *Snippet) *int64 {
		if s.project == nil {
			return nil
		}
		return &s.project.id
	}),
	collection.Shown("web_url", func(s *Snippet) string { return s.webURL() }),
	collection.Shown("raw_url", func(s *Snippet) string { return s.webURL() + "/raw" }),
	collection.Shown("ssh_url_to_repo", func(s *Snippet) string { return s.svc.sshURL(s.repository()) }),
	collection.Shown("http_url_to_repo", func(s *Snippet) string { return s.svc.webURL(s.repository()) }),
	collection.Shown("file_name", func(s *Snippet) string { return s.files[0].path }),
	collection.Shown("files", (*Snippet).fileForms),
	collection.Shown("imported", func(*Snippet) bool { return false }),
	collection.Shown("imported_from", func(*Snippet) string { return "none" }),
}

// snippetsOf returns the snippets of a project that the caller can see, newest first.
func (c *call) snippetsOf(project *Project) []*Snippet {
	found := state[snippetState](c.svc).snippets.all(func(s *Snippet) bool {
		return s.project == project && s.visibleTo(c.user)
	})
	slices.Reverse(found)
	return found
}

// readableSnippets returns the snippets that a function accepts and the caller can see,
// including those of projects, newest first.
func (c *call) readableSnippets(of func(*Snippet) bool) []*Snippet {
	found := state[snippetState](c.svc).snippets.all(func(s *Snippet) bool { return of(s) && c.canRead(s) })
	slices.Reverse(found)
	return found
}

// canRead reports whether the caller can see a snippet and its project.
func (c *call) canRead(s *Snippet) bool {
	if s.project != nil && !(c.seesProject(s.project) && s.project.serves(c.user, "snippets")) {
		return false
	}
	return s.visibleTo(c.user)
}

// readableSnippet returns the snippet of a path without a project. Only its author can
// change it.
func (c *call) readableSnippet(*Project) (*Snippet, *reply) {
	s, ok := state[snippetState](c.svc).snippets.get(c.PathInt64("id"))
	if !ok || !c.canRead(s) || c.route.writes() && s.author != c.user {
		return nil, frame.NotFound("Snippet")
	}
	return s, nil
}

func listPublicSnippets(c *call) *reply {
	return ownSnippets.Page(c, nil, c.readableSnippets(func(s *Snippet) bool {
		return s.project == nil && s.visibility == "public"
	}))
}

// listAllSnippets lists the snippets that the caller can read. Only administrators can
// filter by storage.
func listAllSnippets(c *call) *reply {
	storage := c.String("repository_storage")
	return ownSnippets.Page(c, nil, c.readableSnippets(func(s *Snippet) bool {
		return storage == "" || !c.admin() || c.svc.storageOf(s) == storage
	}))
}

// onOwnedSnippet makes a handler that lets authors and maintainers change a snippet of
// a project.
func onOwnedSnippet(handle handler) handler {
	return withRecord(&snippets, func(c *call, project *Project, s *Snippet) *reply {
		if s.author != c.user && c.svc.projectLevel(c.user, project) < Maintainer {
			return frame.Forbidden("")
		}
		return handle(c)
	})
}

// readNewSnippet reads the files of a new snippet.
func readNewSnippet(c *call, _ *Project, s *Snippet, making bool) {
	if making {
		s.files = c.snippetFiles()
	}
}

// snippetFiles reads the files of a new snippet. There must be at least one.
func (c *call) snippetFiles() []snippetFile {
	var files []snippetFile
	for _, f := range c.Subs("files") {
		f.Require("file_path", "content")
		files = append(files, snippetFile{f.String("file_path"), f.String("content")})
	}
	name, content := c.String("file_name"), c.String("content")
	switch {
	case c.Has("files") && c.Has("content"):
		c.Exclusive("files", "content")
	case c.Has("content"):
		c.Require("file_name")
		files = []snippetFile{{name, content}}
	case len(files) == 0:
		c.Problem("files, content are missing, exactly one parameter must be provided")
	}
	return files
}

// checkSnippet refuses paths that are not valid. It first changes the files of an
// existing snippet.
func (c *call) checkSnippet(_ *Project, s, before *Snippet) *reply {
	if before != nil {
		if refusal := c.changesNothing("title", "description", "visibility", "files", "file_name",
			"content"); refusal != nil {
			return refusal
		}
		s.files = slices.Clone(before.files)
		if refusal := c.changeSnippetFiles(s); refusal != nil {
			return refusal
		}
	}
	return s.wrongPath()
}

// changeSnippetFiles makes the changes of a call to the files of a snippet.
func (c *call) changeSnippetFiles(s *Snippet) *reply {
	actions := c.Subs("files")
	name, content := c.String("file_name"), c.String("content")
	c.Exclusive("files", "content")
	c.Exclusive("files", "file_name")
	var changes []snippetChange
	for _, f := range actions {
		f.Require("action")
		changes = append(changes, snippetChange{
			f.StringIn("action", "create", "update", "delete", "move"),
			f.String("file_path"), f.String("previous_path"), f.String("content"), f.Has("content"),
		})
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if (c.Has("file_name") || c.Has("content")) && len(s.files) > 1 {
		return snippetProblem(http.StatusBadRequest,
			"To update Snippets with multiple files, you must use the `files` parameter")
	}
	if c.Has("file_name") {
		s.files[0].path = name
	}
	if c.Has("content") {
		s.files[0].content = content
	}
	for _, change := range changes {
		if problem := change.apply(s); problem != "" {
			return snippetProblem(http.StatusUnprocessableEntity, problem)
		}
	}
	if len(s.files) == 0 {
		return snippetProblem(http.StatusUnprocessableEntity, "Snippet must have at least one file")
	}
	return nil
}

func snippetProblem(status int, problem string) *reply {
	return frame.JSONReply(status, object{"message": object{"error": problem}})
}

// A snippetChange is a change of a file of a snippet.
type snippetChange struct {
	action, path, previous, content string
	hasContent                      bool
}

// apply changes the files, or says why that is impossible.
func (change snippetChange) apply(s *Snippet) string {
	at := func(path string) int {
		return slices.IndexFunc(s.files, func(f snippetFile) bool { return f.path == path })
	}
	target := change.path
	if change.action == "move" {
		target = change.previous
	}
	found := at(target)
	if (found >= 0) == (change.action == "create") || change.path == "" {
		return "Snippet files have an invalid action: " + change.action + " " + target
	}
	switch change.action {
	case "create":
		s.files = append(s.files, snippetFile{change.path, change.content})
	case "delete":
		s.files = slices.Delete(s.files, found, found+1)
	case "update":
		s.files[found].content = change.content
	case "move":
		if s.files[found].path = change.path; change.hasContent {
			s.files[found].content = change.content
		}
	}
	return ""
}

// wrongPath refuses an invalid path, or one that two files have.
func (s *Snippet) wrongPath() *reply {
	for i, file := range s.files {
		taken := slices.ContainsFunc(s.files[:i], func(other snippetFile) bool { return other.path == file.path })
		if taken || !gitrepo.ValidPath(file.path) {
			return frame.Unprocessable("Snippet files have an invalid path: " + file.path)
		}
	}
	return nil
}

// downloadSnippet sends the first file of a snippet.
func downloadSnippet(table *collection.Table[*call, *Project, Snippet]) handler {
	return withRecord(table, func(c *call, _ *Project, s *Snippet) *reply { return c.snippetContent(s, s.files[0]) })
}

// snippetBranch is the only branch of the repository of a snippet.
const snippetBranch = "main"

// downloadSnippetFile sends a file of a snippet.
func downloadSnippetFile(table *collection.Table[*call, *Project, Snippet]) handler {
	return withRecord(table, func(c *call, _ *Project, s *Snippet) *reply {
		if c.PathString("ref") != snippetBranch {
			return frame.NotFound("Reference")
		}
		at := slices.IndexFunc(s.files, func(f snippetFile) bool { return f.path == c.PathString("file_path") })
		if at < 0 {
			return frame.NotFound("File")
		}
		return c.snippetContent(s, s.files[at])
	})
}

func (c *call) snippetContent(s *Snippet, file snippetFile) *reply {
	return c.File(path.Base(file.path), "text/plain; charset=utf-8", "", s.updatedAt,
		strings.NewReader(file.content), int64(len(file.content)))
}

// showSnippetStorage adds the storage of the snippet, for administrators.
func showSnippetStorage(c *call, _ *Project, s *Snippet, form *collection.Form) {
	if storage := c.svc.storageOf(s); c.admin() && storage != "" {
		form.Add("repository_storage", storage)
	}
}

// A SnippetOption sets a property of a snippet. By, CreatedAt, Description, ID,
// Internal, Private and Public are SnippetOptions, too.
type SnippetOption interface{ applySnippet(s *Snippet) }

type snippetOption func(*Snippet)

func (f snippetOption) applySnippet(s *Snippet) { f(s) }

func (o IDOption) applySnippet(s *Snippet)          { s.id = int64(o) }
func (o ByOption) applySnippet(s *Snippet)          { s.author = o.user }
func (o CreatedAtOption) applySnippet(s *Snippet)   { s.createdAt = time.Time(o) }
func (o DescriptionOption) applySnippet(s *Snippet) { s.description = string(o) }
func (o VisibilityOption) applySnippet(s *Snippet)  { s.visibility = string(o) }

// SnippetFile names a file of a snippet. The default is snippet.txt.
func SnippetFile(name string) SnippetOption { return SnippetContent(name, name+"\n") }

// SnippetContent adds a file to a snippet.
func SnippetContent(name, content string) SnippetOption {
	return snippetOption(func(s *Snippet) { s.files = append(s.files, snippetFile{name, content}) })
}

type snippetState struct{ snippets table[*Snippet] }

// Snippet makes a snippet of the project, written by Root unless By says
// otherwise.
func (p *Project) Snippet(title string, opts ...SnippetOption) *Snippet {
	defer p.svc.lock()()
	return p.svc.newSnippet(&Snippet{project: p, title: title, author: p.svc.admin}, opts)
}

// Snippet makes a personal snippet of the user.
func (u *User) Snippet(title string, opts ...SnippetOption) *Snippet {
	defer u.svc.lock()()
	return u.svc.newSnippet(&Snippet{title: title, author: u}, opts)
}

// newSnippet completes a private snippet and stores it.
func (s *Service) newSnippet(n *Snippet, opts []SnippetOption) *Snippet {
	n.svc, n.visibility, n.createdAt = s, "private", s.now()
	apply(n, opts, SnippetOption.applySnippet)
	if len(n.files) == 0 {
		SnippetFile("snippet.txt").applySnippet(n)
	}
	n.updatedAt = n.createdAt
	n.file()
	return n
}

// file stores the snippet.
func (s *Snippet) file() {
	seed(s.svc, &state[snippetState](s.svc).snippets, &s.id, s, "a snippet")
	s.belongTo(s.svc, s)
}

// Snippets returns the project's snippets, oldest first.
func (p *Project) Snippets() []*Snippet {
	defer p.svc.lock()()
	return state[snippetState](p.svc).snippets.all(func(s *Snippet) bool { return s.project == p })
}

// Snippets returns the user's personal snippets, oldest first.
func (u *User) Snippets() []*Snippet {
	defer u.svc.lock()()
	return state[snippetState](u.svc).snippets.all(func(s *Snippet) bool { return s.project == nil && s.author == u })
}

// ID returns the snippet's ID.
func (s *Snippet) ID() int64 { return s.id }

// Title returns the snippet's title.
func (s *Snippet) Title() string { return read(s.svc, &s.title) }

// Files returns the content of the snippet's files by their names.
func (s *Snippet) Files() map[string]string {
	defer s.svc.lock()()
	files := make(map[string]string, len(s.files))
	for _, file := range s.files {
		files[file.path] = file.content
	}
	return files
}

// Reactions returns the names of the emojis that a user reacted with.
func (s *Snippet) Reactions(user *User) []string { return s.givenBy(s.svc, user) }

// visibleTo reports whether a user can see the snippet. The user must be able to see
// its project, if it has one.
func (s *Snippet) visibleTo(user *User) bool {
	if shows(s.visibility, user) || user != nil && (user == s.author || user.admin) {
		return true
	}
	return s.project != nil && user != nil && s.svc.projectLevel(user, s.project) >= Guest
}

func (s *Snippet) fileForms() []object {
	return mapped(s.files, func(file snippetFile) object {
		return object{"path": file.path, "raw_url": s.webURL() + "/raw/" + snippetBranch + "/" + file.path}
	})
}

func (s *Snippet) webURL() string {
	if s.project == nil {
		return s.svc.webURL("-/snippets", frame.Itoa(s.id))
	}
	return s.project.webURL("-/snippets", frame.Itoa(s.id))
}

// repository returns the path of the snippet's repository.
func (s *Snippet) repository() string {
	repository := "snippets/" + frame.Itoa(s.id) + ".git"
	if s.project == nil {
		return repository
	}
	return s.project.fullPath() + "/" + repository
}
