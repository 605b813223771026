package servicetest

import "time"

// A Snippet is a file that a project shows beside its repository. Make one with
// Project.Snippet.
type Snippet struct {
	discussion

	project   *Project
	id        int64
	title     string
	fileName  string
	author    *User
	createdAt time.Time
}

// A SnippetOption sets a property of a snippet. By, CreatedAt and ID are
// SnippetOptions, too.
type SnippetOption interface{ applySnippet(s *Snippet) }

type snippetOption func(*Snippet)

func (f snippetOption) applySnippet(s *Snippet) { f(s) }

func (o IDOption) applySnippet(s *Snippet)        { s.id = int64(o) }
func (o ByOption) applySnippet(s *Snippet)        { s.author = o.user }
func (o CreatedAtOption) applySnippet(s *Snippet) { s.createdAt = time.Time(o).UTC() }

// SnippetFile names the file of a snippet. The default is snippet.txt.
func SnippetFile(name string) SnippetOption {
	return snippetOption(func(s *Snippet) { s.fileName = name })
}

type snippetState struct{ snippets table[*Snippet] }

// Snippet makes a snippet of the project, written by Root unless By says
// otherwise.
func (p *Project) Snippet(title string, opts ...SnippetOption) *Snippet {
	defer p.svc.lock()()
	s := &Snippet{project: p, title: title, fileName: "snippet.txt", author: p.svc.admin, createdAt: p.svc.now()}
	for _, opt := range opts {
		opt.applySnippet(s)
	}
	seed(p.svc, &state[snippetState](p.svc).snippets, &s.id, s, "a snippet")
	return s
}

// ID returns the snippet's id.
func (s *Snippet) ID() int64 { return s.id }

// Reactions returns the names of the emoji that a user reacted with.
func (s *Snippet) Reactions(user *User) []string {
	defer s.project.svc.lock()()
	return s.reactionsOf(user)
}
