package serviceapi

import (
	"context"
	"iter"
	"net/http"

	"github.com/go-json-experiment/json"
)

// RepositoryFilesService reads and writes single files in the repositories of
// projects. To change several files at once, use [CommitsService.Create].
//
// A file is identified by its full path in the repository, such as
// "docs/index.md", and by a ref: a branch, a tag or a commit hash. Contents are
// bytes; the library encodes and decodes them for the way. Reading
// requires a token with the scope read_repository or api, or no credential if
// the repository is public. Writing requires the scope api and, in current
// releases, the Developer role.
type RepositoryFilesService service

// GetRepositoryFileOptions says which version of a file to return. Ref is
// required.
type GetRepositoryFileOptions struct {
	// Ref is a branch, a tag or a commit hash.
	Ref string `url:"ref,omitempty"`
}

// GetFileMetadataOptions says which version of a file to describe.
type GetFileMetadataOptions struct {
	// Ref is a branch, a tag or a commit hash. It is required, except for
	// [RepositoryFilesService.RawMetadata], where an empty ref is the head of the
	// default branch.
	Ref string `url:"ref,omitempty"`
}

// RawRepositoryFileOptions says which content to return.
type RawRepositoryFileOptions struct {
	// Ref is a branch, a tag or a commit hash. An empty ref is the head of the
	// default branch.
	Ref string `url:"ref,omitempty"`
	// LFS returns the content of a file in Git LFS instead of the pointer in the
	// repository. Since 15.7.
	LFS bool `url:"lfs,omitempty"`
}

// ListBlameOptions selects ranges of lines of a file. Ref is required.
type ListBlameOptions struct {
	ListOptions
	// Ref is a branch, a tag or a commit hash.
	Ref string `url:"ref,omitempty"`
	// Range selects these lines. Nil means all lines.
	Range *LineRange `url:"range,omitempty"`
}

// LineRange is a range of lines, counted from 1. It includes both ends, which
// are required.
type LineRange struct {
	Start int `url:"start"`
	End   int `url:"end"`
}

// CreateRepositoryFileOptions describes a new file. Branch and CommitMessage
// are required.
type CreateRepositoryFileOptions struct {
	// Branch is the branch to commit to. To create a branch, set a name that does
	// not exist, and StartBranch.
	Branch string `json:"branch"`
	// StartBranch is the branch that a new branch starts from.
	StartBranch *string `json:"start_branch,omitzero"`
	// AuthorEmail and AuthorName default to those of the caller.
	AuthorEmail   *string `json:"author_email,omitzero"`
	AuthorName    *string `json:"author_name,omitzero"`
	CommitMessage string  `json:"commit_message"`
	// Content is the content itself, of any bytes. Nil creates an empty file.
	Content []byte `json:"content"`
	// ExecuteFilemode makes the file executable. Nil means false.
	ExecuteFilemode *bool `json:"execute_filemode,omitzero"`
}

// UpdateRepositoryFileOptions describes the commit that replaces the content of
// a file. Branch, CommitMessage and Content are required.
type UpdateRepositoryFileOptions struct {
	// Branch is the branch to commit to. To create a branch, set a name that does
	// not exist, and StartBranch.
	Branch string `json:"branch"`
	// StartBranch is the branch that a new branch starts from.
	StartBranch *string `json:"start_branch,omitzero"`
	// AuthorEmail and AuthorName default to those of the caller.
	AuthorEmail   *string `json:"author_email,omitzero"`
	AuthorName    *string `json:"author_name,omitzero"`
	CommitMessage string  `json:"commit_message"`
	// Content is the content itself, of any bytes. Nil is refused; an empty slice
	// makes the file empty.
	Content []byte `json:"content"`
	// LastCommitID is the last commit known to the caller that changed the file
	// ([FileMetadata.LastCommitID]). The service refuses the update if the file
	// has changed since.
	LastCommitID *string `json:"last_commit_id,omitzero"`
	// ExecuteFilemode makes the file executable or not. Nil leaves it unchanged.
	ExecuteFilemode *bool `json:"execute_filemode,omitzero"`
}

// DeleteRepositoryFileOptions describes the commit that deletes a file. Branch
// and CommitMessage are required.
type DeleteRepositoryFileOptions struct {
	// Branch is the branch to commit to. To create a branch, set a name that does
	// not exist, and StartBranch.
	Branch string `json:"branch"`
	// StartBranch is the branch that a new branch starts from.
	StartBranch *string `json:"start_branch,omitzero"`
	// AuthorEmail and AuthorName default to those of the caller.
	AuthorEmail   *string `json:"author_email,omitzero"`
	AuthorName    *string `json:"author_name,omitzero"`
	CommitMessage string  `json:"commit_message"`
	// LastCommitID is the last commit known to the caller that changed the file.
	// The service refuses to delete the file if it has changed since.
	LastCommitID *string `json:"last_commit_id,omitzero"`
}

// MarshalJSON encodes the content as text if it is valid UTF-8 text, and as
// Base64 otherwise.
func (o CreateRepositoryFileOptions) MarshalJSON() ([]byte, error) {
	type fields CreateRepositoryFileOptions
	text, encoding := encodeContent(o.Content)
	return json.Marshal(struct {
		fields
		Content  string          `json:"content"`
		Encoding ContentEncoding `json:"encoding,omitzero"`
	}{fields(o), text, encoding})
}

// MarshalJSON encodes the content as text if it is valid UTF-8 text, and as
// Base64 otherwise.
func (o UpdateRepositoryFileOptions) MarshalJSON() ([]byte, error) {
	type fields UpdateRepositoryFileOptions
	text, encoding := encodeContent(o.Content)
	return json.Marshal(struct {
		fields
		Content  string          `json:"content"`
		Encoding ContentEncoding `json:"encoding,omitzero"`
	}{fields(o), text, encoding})
}

func (o *GetRepositoryFileOptions) check() error { return missing("Ref", orZero(o).Ref == "") }
func (o *ListBlameOptions) check() error         { return missing("Ref", orZero(o).Ref == "") }

func (o UpdateRepositoryFileOptions) check() error { return missing("Content", o.Content == nil) }

// withRef is the query of a call that needs a ref.
func withRef(o *GetFileMetadataOptions) input {
	return unless(missing("Ref", orZero(o).Ref == ""), queryOf(o))
}

// Get returns a file with its content. The call returns a [*DecodeError] that
// is partial, and the file without its content, if the content does not have
// the length or the checksum that the service states; it unwraps to a
// [*ChecksumError] for the latter. For large files, use
// [RepositoryFilesService.Raw], which streams.
//
//	GET /projects/:id/repository/files/:file_path
func (s *RepositoryFilesService) Get(
	ctx context.Context, project ProjectRef, filePath string, options *GetRepositoryFileOptions, opts ...RequestOption,
) (*RepositoryFile, *Response, error) {
	return intact(do[RepositoryFile](ctx, s.client, http.MethodGet,
		Route("/projects/:id/repository/files/:file_path", project, filePath), queryOf(options), opts))
}

// Metadata returns everything about a file except its content.
//
//	HEAD /projects/:id/repository/files/:file_path
func (s *RepositoryFilesService) Metadata(
	ctx context.Context, project ProjectRef, filePath string, options *GetFileMetadataOptions, opts ...RequestOption,
) (*FileMetadata, *Response, error) {
	return headFile(ctx, s.client, Route("/projects/:id/repository/files/:file_path", project, filePath),
		withRef(options), opts)
}

// ListBlame returns one page of the ranges of lines of a file, each with the
// commit that last changed it.
//
//	GET /projects/:id/repository/files/:file_path/blame
func (s *RepositoryFilesService) ListBlame(
	ctx context.Context, project ProjectRef, filePath string, options *ListBlameOptions, opts ...RequestOption,
) ([]*FileBlameRange, *Response, error) {
	return list[*FileBlameRange](ctx, s.client,
		Route("/projects/:id/repository/files/:file_path/blame", project, filePath),
		queryOf(options), opts)
}

// AllBlame returns every range of lines of a file, each with the commit that
// last changed it.
//
//	GET /projects/:id/repository/files/:file_path/blame
func (s *RepositoryFilesService) AllBlame(
	ctx context.Context, project ProjectRef, filePath string, options *ListBlameOptions, opts ...RequestOption,
) iter.Seq2[*FileBlameRange, error] {
	return all[*FileBlameRange](ctx, s.client,
		Route("/projects/:id/repository/files/:file_path/blame", project, filePath),
		queryOf(options), opts)
}

// BlameMetadata returns the same as [RepositoryFilesService.Metadata].
//
//	HEAD /projects/:id/repository/files/:file_path/blame
func (s *RepositoryFilesService) BlameMetadata(
	ctx context.Context, project ProjectRef, filePath string, options *GetFileMetadataOptions, opts ...RequestOption,
) (*FileMetadata, *Response, error) {
	return headFile(ctx, s.client, Route("/projects/:id/repository/files/:file_path/blame", project, filePath),
		withRef(options), opts)
}

// Raw returns the content of a file as a stream.
//
//	GET /projects/:id/repository/files/:file_path/raw
func (s *RepositoryFilesService) Raw(
	ctx context.Context, project ProjectRef, filePath string, options *RawRepositoryFileOptions, opts ...RequestOption,
) (*Download, *Response, error) {
	return stream(ctx, s.client, http.MethodGet,
		Route("/projects/:id/repository/files/:file_path/raw", project, filePath), queryOf(options), opts)
}

// RawMetadata returns the same as [RepositoryFilesService.Metadata]. Nil options
// mean the head of the default branch.
//
//	HEAD /projects/:id/repository/files/:file_path/raw
func (s *RepositoryFilesService) RawMetadata(
	ctx context.Context, project ProjectRef, filePath string, options *GetFileMetadataOptions, opts ...RequestOption,
) (*FileMetadata, *Response, error) {
	return headFile(ctx, s.client,
		Route("/projects/:id/repository/files/:file_path/raw", project, filePath), queryOf(options), opts)
}

// Create commits a new file. [ErrBadRequest] means that nothing was committed,
// because the file exists or the branch has changed in the meantime; the
// service does not say which.
//
//	POST /projects/:id/repository/files/:file_path
func (s *RepositoryFilesService) Create(
	ctx context.Context, project ProjectRef, filePath string,
	options CreateRepositoryFileOptions, opts ...RequestOption,
) (*FileChange, *Response, error) {
	return do[FileChange](ctx, s.client, http.MethodPost,
		Route("/projects/:id/repository/files/:file_path", project, filePath), jsonOf(options), opts)
}

// Update commits new content for a file. [ErrBadRequest] means that nothing was
// committed, because the file already has this content, does not exist, or has
// changed in the meantime, or because the branch has; the service does not say
// which. The call is not repeated after an error, because it could undo what
// others have committed since.
//
//	PUT /projects/:id/repository/files/:file_path
func (s *RepositoryFilesService) Update(
	ctx context.Context, project ProjectRef, filePath string,
	options UpdateRepositoryFileOptions, opts ...RequestOption,
) (*FileChange, *Response, error) {
	return do[FileChange](ctx, s.client, http.MethodPut,
		Route("/projects/:id/repository/files/:file_path", project, filePath).notRepeatable(),
		jsonOf(options), opts)
}

// Delete commits the deletion of a file. The call is not repeated after an
// error, because it could delete what others have committed since.
//
//	DELETE /projects/:id/repository/files/:file_path
func (s *RepositoryFilesService) Delete(
	ctx context.Context, project ProjectRef, filePath string,
	options DeleteRepositoryFileOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, s.client, http.MethodDelete,
		Route("/projects/:id/repository/files/:file_path", project, filePath).notRepeatable(), jsonOf(options), opts)
}
