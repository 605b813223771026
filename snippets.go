package serviceapi

import (
	"cmp"
	"context"
	"iter"
	"net/http"
	"time"
)

// SnippetsService manages snippets: small files that are kept outside a repository. A
// snippet belongs to a project, or is the personal snippet of a user. For comments on the
// snippets of projects, see [NotesService].
//
//	client.Snippets.All(ctx, serviceapi.Own, nil)
//	client.Snippets.All(ctx, serviceapi.ProjectPath("acme/shop"), nil)
//
// Its options are [CreateSnippetOptions], [DownloadSnippetFileOptions],
// [ListPublicSnippetsOptions], [ListSnippetsOptions], [ListVisibleSnippetsOptions] and
// [UpdateSnippetOptions]. See the example SnippetsCreate in collaboration_test.go of
// [example.com/serviceapi/examples/recipes].
type SnippetsService service

// SnippetOwner is an owner of snippets: [Own] or a [ProjectRef].
type SnippetOwner interface{ hasSnippets() }

func (CallerOwner) hasSnippets() {}

func (ProjectRef) hasSnippets() {}

func snippetsOf(owner SnippetOwner) Endpoint {
	if owner == Own {
		return Route("/snippets")
	}
	return below(owner, "/snippets")
}

// oneSnippet is the endpoint of a snippet, or of something below it.
func oneSnippet(owner SnippetOwner, snippetID int64, suffix string, args ...any) Endpoint {
	args = append([]any{snippetID}, args...)
	if owner == Own {
		return Route("/snippets/:id"+suffix, args...)
	}
	return below(owner, "/snippets/:snippet_id"+suffix, args...)
}

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
	RawURL string `json:"raw_url"`
	// SSHURLToRepo and HTTPURLToRepo are empty if the snippet has no repository yet.
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

// Ref identifies a snippet of a project, as the owner of its comments and reactions. For
// a personal snippet, which has none of these, it is that of [SnippetID], which such calls
// refuse.
func (s *Snippet) Ref() SnippetRef {
	if orZero(s).ProjectID == nil {
		return SnippetID(orZero(s).ID)
	}
	return ProjectID(*s.ProjectID).Snippet(s.ID)
}

// SnippetFile is a file of a [Snippet].
type SnippetFile struct {
	Path string `json:"path"`
	// RawURL is the address of the content.
	RawURL string `json:"raw_url"`
}

// ListSnippetsOptions selects snippets. The times are only for [Own].
type ListSnippetsOptions struct {
	ListOptions
	// CreatedAfter and CreatedBefore limit the time of creation; both are inclusive. Only
	// for [Own]. Since 15.2.
	CreatedAfter  time.Time `url:"created_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00" only:"own"`
	CreatedBefore time.Time `url:"created_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00" only:"own"`
}

// ListPublicSnippetsOptions selects public snippets.
type ListPublicSnippetsOptions struct {
	ListOptions
	// CreatedAfter and CreatedBefore limit the time of creation; both are inclusive. Since
	// 15.2.
	CreatedAfter  time.Time `url:"created_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	CreatedBefore time.Time `url:"created_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
}

// ListVisibleSnippetsOptions selects snippets that the caller can read.
type ListVisibleSnippetsOptions struct {
	ListOptions
	// CreatedAfter and CreatedBefore limit the time of creation; both are inclusive.
	CreatedAfter  time.Time `url:"created_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	CreatedBefore time.Time `url:"created_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	// RepositoryStorage selects snippets on this storage. It requires an
	// administrator.
	RepositoryStorage string `url:"repository_storage,omitempty"`
}

// SnippetFileOptions describes a file of a new snippet. FilePath is required.
type SnippetFileOptions struct {
	// FilePath is the name of the file, which may include directories.
	FilePath string `json:"file_path" required:"true"`
	// Content is the content of the file.
	Content string `json:"content"`
}

// CreateSnippetOptions describes a new snippet. Title and Files are required.
type CreateSnippetOptions struct {
	Title string               `json:"title" required:"true"`
	Files []SnippetFileOptions `json:"files,omitzero"`
	// Description is Markdown.
	Description *string `json:"description,omitzero"`
	// Visibility says who can see the snippet. Nil means the default of the instance or of
	// the project.
	Visibility *Visibility `json:"visibility,omitzero"`
	// FileName and Content describe the only file, instead of Files.
	//
	// Deprecated: use Files.
	FileName *string `json:"file_name,omitzero"`
	// Deprecated: use Files.
	Content *string `json:"content,omitzero"`
}

func (o CreateSnippetOptions) check() error {
	return missing("Files", len(o.Files) == 0 && o.Content == nil)
}

// SnippetFileAction is what happens to a file of a snippet.
type SnippetFileAction string

// Actions on files of snippets.
const (
	SnippetFileActionCreate SnippetFileAction = "create"
	SnippetFileActionUpdate SnippetFileAction = "update"
	SnippetFileActionDelete SnippetFileAction = "delete"
	SnippetFileActionMove   SnippetFileAction = "move"
)

// UpdateSnippetFileOptions changes a file of a snippet. Action and FilePath are
// required.
type UpdateSnippetFileOptions struct {
	Action SnippetFileAction `json:"action" required:"true"`
	// FilePath is the name of the file. For a move, it is the new name.
	FilePath string `json:"file_path" required:"true"`
	// PreviousPath is the former name of a file that is moved.
	PreviousPath *string `json:"previous_path,omitzero"`
	// Content is the new content. A move without it keeps the old one.
	Content *string `json:"content,omitzero"`
}

// UpdateSnippetOptions changes a snippet. Nil fields are left unchanged. At least one
// field is required.
type UpdateSnippetOptions struct {
	Title *string `json:"title,omitzero"`
	// Description is Markdown.
	Description *string     `json:"description,omitzero"`
	Visibility  *Visibility `json:"visibility,omitzero"`
	// Files are the changes to files. Files that are not listed stay as they are.
	Files []UpdateSnippetFileOptions `json:"files,omitzero"`
	// FileName and Content change the only file, instead of Files. They are refused for
	// a snippet with several files.
	//
	// Deprecated: use Files.
	FileName *string `json:"file_name,omitzero"`
	// Deprecated: use Files.
	Content *string `json:"content,omitzero"`
}

// DownloadSnippetFileOptions says which version of a file to download.
type DownloadSnippetFileOptions struct {
	// Ref is a branch, a tag or a commit. Empty means main, the branch that the
	// service creates.
	Ref string `url:"-"`
}

// List returns one page of the snippets of a project or, for [Own], of those that the
// caller has written: personal snippets and those of projects. The call returns an
// [*ArgumentError] for an option that this owner does not support.
//
//	GET /snippets
//	GET /projects/:id/snippets
func (s *SnippetsService) List(
	ctx context.Context, owner SnippetOwner, options *ListSnippetsOptions, opts ...RequestOption,
) ([]*Snippet, *Response, error) {
	return list[*Snippet](ctx, using(s), snippetsOf(owner), queryFor(owner, options), opts)
}

// All returns every snippet of a project or, for [Own], every snippet that the caller has
// written: personal snippets and those of projects. The sequence yields an [*ArgumentError]
// for an option that this owner does not support.
//
//	GET /snippets
//	GET /projects/:id/snippets
func (s *SnippetsService) All(
	ctx context.Context, owner SnippetOwner, options *ListSnippetsOptions, opts ...RequestOption,
) iter.Seq2[*Snippet, error] {
	return all[*Snippet](ctx, using(s), snippetsOf(owner), queryFor(owner, options), opts)
}

// ListPublic returns one page of the public personal snippets of all users.
//
//	GET /snippets/public
func (s *SnippetsService) ListPublic(
	ctx context.Context, options *ListPublicSnippetsOptions, opts ...RequestOption,
) ([]*Snippet, *Response, error) {
	return list[*Snippet](ctx, using(s), Route("/snippets/public"), queryOf(options), opts)
}

// AllPublic returns every public personal snippet of all users.
//
//	GET /snippets/public
func (s *SnippetsService) AllPublic(
	ctx context.Context, options *ListPublicSnippetsOptions, opts ...RequestOption,
) iter.Seq2[*Snippet, error] {
	return all[*Snippet](ctx, using(s), Route("/snippets/public"), queryOf(options), opts)
}

// ListVisible returns one page of the snippets that the caller can read: personal snippets
// and those of projects. Since 16.3.
//
//	GET /snippets/all
func (s *SnippetsService) ListVisible(
	ctx context.Context, options *ListVisibleSnippetsOptions, opts ...RequestOption,
) ([]*Snippet, *Response, error) {
	return list[*Snippet](ctx, using(s), Route("/snippets/all"), queryOf(options), opts)
}

// AllVisible returns every snippet that the caller can read: personal snippets and those of
// projects. Since 16.3.
//
//	GET /snippets/all
func (s *SnippetsService) AllVisible(
	ctx context.Context, options *ListVisibleSnippetsOptions, opts ...RequestOption,
) iter.Seq2[*Snippet, error] {
	return all[*Snippet](ctx, using(s), Route("/snippets/all"), queryOf(options), opts)
}

// Get returns one snippet of a project or, for [Own], any snippet that the caller can read,
// even one of another user or of a project. With [Own], public snippets need no credential.
//
//	GET /snippets/:id
//	GET /projects/:id/snippets/:snippet_id
func (s *SnippetsService) Get(
	ctx context.Context, owner SnippetOwner, snippetID int64, opts ...RequestOption,
) (*Snippet, *Response, error) {
	return do[Snippet](ctx, using(s), http.MethodGet, oneSnippet(owner, snippetID, ""), nil, opts)
}

// Create adds a snippet to a project, which requires the Reporter role, or, for [Own], to
// the caller's personal snippets. The call returns [ErrUnprocessable] if the service
// refuses the content.
//
//	POST /snippets
//	POST /projects/:id/snippets
func (s *SnippetsService) Create(
	ctx context.Context, owner SnippetOwner, options CreateSnippetOptions, opts ...RequestOption,
) (*Snippet, *Response, error) {
	return do[Snippet](ctx, using(s), http.MethodPost, snippetsOf(owner), jsonOf(options), opts)
}

// Update changes a snippet of a project or, for [Own], one that the caller has written. In
// a project, the caller must be its author or have the Maintainer role. With [Own],
// snippets of other users are not found, even by administrators. The call returns
// [ErrUnprocessable] for an action that does not fit the files.
//
//	PUT /snippets/:id
//	PUT /projects/:id/snippets/:snippet_id
func (s *SnippetsService) Update(
	ctx context.Context, owner SnippetOwner, snippetID int64, options UpdateSnippetOptions, opts ...RequestOption,
) (*Snippet, *Response, error) {
	return do[Snippet](ctx, using(s), http.MethodPut, oneSnippet(owner, snippetID, ""), jsonOf(options), opts)
}

// Delete deletes a snippet with its comments. See [SnippetsService.Update] for who may
// do it.
//
//	DELETE /snippets/:id
//	DELETE /projects/:id/snippets/:snippet_id
func (s *SnippetsService) Delete(
	ctx context.Context, owner SnippetOwner, snippetID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, oneSnippet(owner, snippetID, ""), nil, opts)
}

// Download returns the content of the first file of a snippet as a stream. See
// [SnippetsService.Get] for the owner.
//
//	GET /snippets/:id/raw
//	GET /projects/:id/snippets/:snippet_id/raw
func (s *SnippetsService) Download(
	ctx context.Context, owner SnippetOwner, snippetID int64, opts ...RequestOption,
) (*Download, *Response, error) {
	return stream(ctx, using(s), http.MethodGet, oneSnippet(owner, snippetID, "/raw"), nil, opts)
}

// DownloadFile returns the content of one file of a snippet as a stream. See
// [SnippetsService.Get] for the owner.
//
//	GET /snippets/:id/files/:ref/:file_path/raw
//	GET /projects/:id/snippets/:snippet_id/files/:ref/:file_path/raw
func (s *SnippetsService) DownloadFile(
	ctx context.Context, owner SnippetOwner, snippetID int64, filePath string,
	options *DownloadSnippetFileOptions, opts ...RequestOption,
) (*Download, *Response, error) {
	ref := cmp.Or(orZero(options).Ref, "main")
	return stream(ctx, using(s), http.MethodGet,
		oneSnippet(owner, snippetID, "/files/:ref/:file_path/raw", ref, filePath), nil, opts)
}

// GetUserAgentDetail returns from where a snippet was created, whoever's it is. [Own] stands for all
// personal snippets. The call returns [ErrNotFound] if that was not kept. It requires an
// administrator.
//
//	GET /snippets/:id/user_agent_detail
//	GET /projects/:id/snippets/:snippet_id/user_agent_detail
func (s *SnippetsService) GetUserAgentDetail(
	ctx context.Context, owner SnippetOwner, snippetID int64, opts ...RequestOption,
) (*UserAgentDetail, *Response, error) {
	return do[UserAgentDetail](ctx, using(s), http.MethodGet,
		oneSnippet(owner, snippetID, "/user_agent_detail"), nil, opts)
}
