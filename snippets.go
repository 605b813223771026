package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// SnippetsService reads and creates the snippets of a project: small files that
// are kept outside its repository. For comments, see [NotesService].
type SnippetsService service

// Snippet is one or more small files with a title.
type Snippet struct {
	ID    int64  `json:"id"`
	Title string `json:"title"`
	// Description is Markdown, empty if there is none.
	Description string     `json:"description"`
	Visibility  Visibility `json:"visibility"`
	// Author is nil if the account no longer exists. Older releases set its Email
	// and CreatedAt instead of its URLs.
	Author    *NoteAuthor `json:"author"`
	CreatedAt time.Time   `json:"created_at"`
	UpdatedAt time.Time   `json:"updated_at"`
	// ProjectID is nil for the personal snippet of a user.
	ProjectID *int64 `json:"project_id"`
	WebURL    string `json:"web_url"`
	// RawURL is the address of the first file's content.
	RawURL        string `json:"raw_url"`
	SSHURLToRepo  string `json:"ssh_url_to_repo"`
	HTTPURLToRepo string `json:"http_url_to_repo"`
	// FileName is the name of the first file.
	FileName string         `json:"file_name"`
	Files    []*SnippetFile `json:"files"`
	// RepositoryStorage is the name of the storage that holds the snippet. It is
	// set only for administrators.
	RepositoryStorage string `json:"repository_storage"`
	// Imported reports whether the snippet was imported from another service,
	// which ImportedFrom names. Since about 17.0.
	Imported     bool   `json:"imported"`
	ImportedFrom string `json:"imported_from"`
}

// SnippetFile is a file of a [Snippet].
type SnippetFile struct {
	Path string `json:"path"`
	// RawURL is the address of the content.
	RawURL string `json:"raw_url"`
}

// SnippetFileOptions describes a file of a new snippet. Both fields are
// required.
type SnippetFileOptions struct {
	// FilePath is the name of the file, which may include directories.
	FilePath string `json:"file_path"`
	// Content is the content of the file.
	Content string `json:"content"`
}

// CreateSnippetOptions describes a new snippet. Title and Files are required.
type CreateSnippetOptions struct {
	Title string               `json:"title"`
	Files []SnippetFileOptions `json:"files"`
	// Description is Markdown.
	Description *string `json:"description,omitzero"`
	// Visibility is the default of the instance if it is nil.
	Visibility *Visibility `json:"visibility,omitzero"`
}

// List returns one page of the snippets of a project.
//
//	GET /projects/:id/snippets
func (s *SnippetsService) List(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) ([]*Snippet, *Response, error) {
	return list[*Snippet](ctx, s.client, Route("/projects/:id/snippets", project), queryOf(options), opts)
}

// All returns every snippet of a project.
//
//	GET /projects/:id/snippets
func (s *SnippetsService) All(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*Snippet, error] {
	return all[*Snippet](ctx, s.client, Route("/projects/:id/snippets", project), queryOf(options), opts)
}

// Get returns one snippet of a project.
//
//	GET /projects/:id/snippets/:snippet_id
func (s *SnippetsService) Get(
	ctx context.Context, project ProjectRef, snippetID int64, opts ...RequestOption,
) (*Snippet, *Response, error) {
	return do[Snippet](ctx, s.client, http.MethodGet,
		Route("/projects/:id/snippets/:snippet_id", project, snippetID), nil, opts)
}

// Create adds a snippet to a project. It requires the Reporter role. The call
// returns [ErrUnprocessable] if the service refuses the content.
//
//	POST /projects/:id/snippets
func (s *SnippetsService) Create(
	ctx context.Context, project ProjectRef, options CreateSnippetOptions, opts ...RequestOption,
) (*Snippet, *Response, error) {
	return do[Snippet](ctx, s.client, http.MethodPost, Route("/projects/:id/snippets", project), jsonOf(options), opts)
}
