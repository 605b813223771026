package servicetest

import (
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
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
	return shows(s.visibility, user) || user != nil && (user == s.author || s.project.svc.projectLevel(user, s.project) >= Guest)
}

// snippetJSON is the JSON of a snippet.
type snippetJSON struct {
	ID                int64             `json:"id"`
	Title             string            `json:"title"`
	Description       jsonText          `json:"description"`
	Visibility        string            `json:"visibility"`
	Author            *userSummary      `json:"author"`
	CreatedAt         jsonTime          `json:"created_at"`
	UpdatedAt         jsonTime          `json:"updated_at"`
	ProjectID         int64             `json:"project_id"`
	WebURL            string            `json:"web_url"`
	RawURL            string            `json:"raw_url"`
	SSHURLToRepo      string            `json:"ssh_url_to_repo"`
	HTTPURLToRepo     string            `json:"http_url_to_repo"`
	FileName          string            `json:"file_name"`
	Files             []snippetFileJSON `json:"files"`
	RepositoryStorage string            `json:"repository_storage,omitempty"` // for administrators
	Imported          bool              `json:"imported"`
	ImportedFrom      string            `json:"imported_from"`
}

type snippetFileJSON struct {
	Path   string `json:"path"`
	RawURL string `json:"raw_url"`
}

// snippetJSON returns the JSON of a snippet as the caller sees it.
func (c *call) snippetJSON(s *Snippet) snippetJSON {
	web := s.project.webURL("-/snippets", frame.Itoa(s.id))
	git := s.project.fullPath() + "/snippets/" + frame.Itoa(s.id) + ".git"
	form := snippetJSON{
		ID: s.id, Title: s.title, Description: jsonText(s.description), Visibility: s.visibility, Author: s.author.summary(),
		CreatedAt: jsonTime(s.createdAt), UpdatedAt: jsonTime(s.updatedAt), ProjectID: s.project.id, WebURL: web, RawURL: web + "/raw",
		SSHURLToRepo: c.svc.sshURL(git), HTTPURLToRepo: c.svc.webURL(git), FileName: s.files[0].path, ImportedFrom: "none",
	}
	for _, file := range s.files {
		form.Files = append(form.Files, snippetFileJSON{file.path, web + "/raw/main/" + file.path})
	}
	if c.admin() {
		form.RepositoryStorage = s.project.storage
	}
	return form
}
