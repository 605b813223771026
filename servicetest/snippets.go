package servicetest

import (
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// A Snippet is one or more files that a project shows outside its repository.
// Make one with Project.Snippet.
type Snippet struct {
	discussion

	project     *Project
	id          int64
	title       string
	description string
	visibility  string // private, internal or public
	files       []snippetFile
	author      *User
	createdAt   time.Time
	updatedAt   time.Time
}

// A snippetFile is a file of a snippet.
type snippetFile struct{ path, content string }

var snippets = collection.Table[*call, *Project, Snippet]{
	Name:    "Snippet",
	Param:   "snippet_id",
	ID:      func(s *Snippet) int64 { return s.id },
	Home:    (*call).project,
	Records: (*call).snippetsOf,
	Fields: []collection.Field[Snippet]{
		collection.Shown("id", func(s *Snippet) int64 { return s.id }),
		collection.Text("title", func(s *Snippet) *string { return &s.title }).Required(),
		collection.Note("description", func(s *Snippet) *string { return &s.description }),
		collection.Choice("visibility", func(s *Snippet) *string { return &s.visibility },
			"private", "internal", "public"),
		collection.Shown("author", func(s *Snippet) *userSummary { return s.author.summary() }),
		collection.Moment("created_at", func(s *Snippet) *time.Time { return &s.createdAt }).ReadOnly(),
		collection.Moment("updated_at", func(s *Snippet) *time.Time { return &s.updatedAt }).ReadOnly(),
		collection.Shown("project_id", func(s *Snippet) int64 { return s.project.id }),
		collection.Shown("web_url", func(s *Snippet) string { return s.webURL() }),
		collection.Shown("raw_url", func(s *Snippet) string { return s.webURL() + "/raw" }),
		collection.Shown("ssh_url_to_repo", func(s *Snippet) string { return s.project.svc.sshURL(s.repository()) }),
		collection.Shown("http_url_to_repo", func(s *Snippet) string { return s.project.svc.webURL(s.repository()) }),
		collection.Shown("file_name", func(s *Snippet) string { return s.files[0].path }),
		collection.Shown("files", (*Snippet).fileForms),
		collection.Shown("imported", func(*Snippet) bool { return false }),
		collection.Shown("imported_from", func(*Snippet) string { return "none" }),
	},
	New: func(c *call, p *Project) *Snippet {
		return &Snippet{project: p, author: c.user, visibility: "private", createdAt: c.now(), updatedAt: c.now()}
	},
	Read:  func(c *call, _ *Project, s *Snippet, _ bool) { s.files = c.snippetFiles() },
	Check: func(_ *call, _ *Project, s, _ *Snippet) *reply { return s.wrongPath() },
	Add:   func(c *call, _ *Project, s *Snippet) { s.id, _ = state[snippetState](c.svc).snippets.add(0, s) },
	Extra: func(c *call, _ *Project, s *Snippet, form *collection.Form) {
		if c.admin() && s.project.storage != "" {
			form.Add("repository_storage", s.project.storage)
		}
	},
}

// snippetsOf returns the snippets of a project that the caller can see, the newest
// first.
func (c *call) snippetsOf(project *Project) []*Snippet {
	found := state[snippetState](c.svc).snippets.all(func(s *Snippet) bool {
		return s.project == project && s.visibleTo(c.user)
	})
	slices.Reverse(found)
	return found
}

// snippetFiles reads the files of a new snippet, of which there must be one.
func (c *call) snippetFiles() []snippetFile {
	var files []snippetFile
	for _, f := range c.Subs("files") {
		f.Require("file_path", "content")
		files = append(files, snippetFile{f.Str("file_path"), f.Str("content")})
	}
	if name := c.Str("file_name"); name != "" && len(files) == 0 {
		files = []snippetFile{{name, c.Required("content")}}
	}
	if len(files) == 0 {
		c.Problem("files, content are missing, exactly one parameter must be provided")
	}
	return files
}

// wrongPath refuses a path that is not valid, or that two files have.
func (s *Snippet) wrongPath() *reply {
	for i, file := range s.files {
		taken := slices.ContainsFunc(s.files[:i], func(other snippetFile) bool { return other.path == file.path })
		if taken || !gitrepo.ValidPath(file.path) {
			return frame.Unprocessable("Snippet files have an invalid path: " + file.path)
		}
	}
	return nil
}

// A SnippetOption sets a property of a snippet. By, CreatedAt, Description, ID,
// Internal, Private and Public are SnippetOptions, too.
type SnippetOption interface{ applySnippet(s *Snippet) }

type snippetOption func(*Snippet)

func (f snippetOption) applySnippet(s *Snippet) { f(s) }

func (o IDOption) applySnippet(s *Snippet)          { s.id = int64(o) }
func (o ByOption) applySnippet(s *Snippet)          { s.author = o.user }
func (o CreatedAtOption) applySnippet(s *Snippet)   { s.createdAt = time.Time(o).UTC() }
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
	s := &Snippet{project: p, title: title, visibility: "private", author: p.svc.admin, createdAt: p.svc.now()}
	for _, opt := range opts {
		opt.applySnippet(s)
	}
	if len(s.files) == 0 {
		SnippetFile("snippet.txt").applySnippet(s)
	}
	s.updatedAt = s.createdAt
	seed(p.svc, &state[snippetState](p.svc).snippets, &s.id, s, "a snippet")
	return s
}

// Snippets returns the project's snippets, oldest first.
func (p *Project) Snippets() []*Snippet {
	defer p.svc.lock()()
	return state[snippetState](p.svc).snippets.all(func(s *Snippet) bool { return s.project == p })
}

// ID returns the snippet's ID.
func (s *Snippet) ID() int64 { return s.id }

// Title returns the snippet's title.
func (s *Snippet) Title() string {
	defer s.project.svc.lock()()
	return s.title
}

// Files returns the content of the snippet's files by their names.
func (s *Snippet) Files() map[string]string {
	defer s.project.svc.lock()()
	files := make(map[string]string, len(s.files))
	for _, file := range s.files {
		files[file.path] = file.content
	}
	return files
}

// Reactions returns the names of the emojis that a user reacted with.
func (s *Snippet) Reactions(user *User) []string {
	defer s.project.svc.lock()()
	return s.reactionsOf(user)
}

// visibleTo reports whether a user who can see the project can see the snippet.
func (s *Snippet) visibleTo(user *User) bool {
	isMember := user != nil && s.project.svc.projectLevel(user, s.project) >= Guest
	return shows(s.visibility, user) || user != nil && user == s.author || isMember
}

type snippetFileJSON struct {
	Path   string `json:"path"`
	RawURL string `json:"raw_url"`
}

func (s *Snippet) fileForms() []snippetFileJSON {
	var forms []snippetFileJSON
	for _, file := range s.files {
		forms = append(forms, snippetFileJSON{file.path, s.webURL() + "/raw/main/" + file.path})
	}
	return forms
}

func (s *Snippet) webURL() string { return s.project.webURL("-/snippets", frame.Itoa(s.id)) }

// repository returns the path of the snippet's repository.
func (s *Snippet) repository() string {
	return s.project.fullPath() + "/snippets/" + frame.Itoa(s.id) + ".git"
}
