package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// RepositoryFilesService reads and writes single files in the repositories of
// projects. To change several files at once, use [CommitsService.Create].
//
// A file is identified by its full path in the repository, such as
// "docs/index.md", and by a ref: a branch, a tag or a commit hash. Reading
// requires a token with the scope read_repository or api, or no credential if
// the repository is public. Writing requires the scope api and, in current
// releases, the Developer role.
type RepositoryFilesService service

// fileQuery says which ref a file is read from.
type fileQuery struct {
	Ref string `url:"ref,omitempty"`
}

// blameQuery is fileQuery with a range of lines.
type blameQuery struct {
	Ref string `url:"ref,omitempty"`
	ListBlameOptions
}

// RawRepositoryFileOptions says which content to return.
type RawRepositoryFileOptions struct {
	// LFS returns the content of a file in Git LFS instead of the pointer in the
	// repository. Since 15.7.
	LFS bool `url:"lfs,omitempty"`
}

// rawQuery is fileQuery with a choice of content.
type rawQuery struct {
	Ref string `url:"ref,omitempty"`
	RawRepositoryFileOptions
}

func (o *RawRepositoryFileOptions) orNone() RawRepositoryFileOptions {
	if o == nil {
		return RawRepositoryFileOptions{}
	}
	return *o
}

// LineRange is a range of lines, counted from 1. It includes both ends, which
// are required.
type LineRange struct {
	Start int64 `url:"start"`
	End   int64 `url:"end"`
}

// CreateRepositoryFileOptions describes a new file. Branch, CommitMessage and
// the content are required.
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
	// FileContent is made by [NewFileContent].
	FileContent
	// ExecuteFilemode makes the file executable. Nil means false.
	ExecuteFilemode *bool `json:"execute_filemode,omitzero"`
}

// UpdateRepositoryFileOptions describes the commit that replaces the content of
// a file. Branch, CommitMessage and the content are required.
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
	// FileContent is made by [NewFileContent].
	FileContent
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

func checkRef(ref string) error {
	if ref == "" {
		return &ArgumentError{Argument: "ref", Problem: "is empty"}
	}
	return nil
}

// Get returns a file with its content. The ref is a branch, a tag or a commit
// hash. [RepositoryFile.Bytes] decodes the content. For large files, use
// [RepositoryFilesService.Raw], which streams.
//
//	GET /projects/:id/repository/files/:file_path
func (s *RepositoryFilesService) Get(ctx context.Context, project ProjectRef, filePath, ref string, opts ...RequestOption) (*RepositoryFile, *Response, error) {
	if err := checkRef(ref); err != nil {
		return nil, nil, err
	}
	return do[RepositoryFile](ctx, s.client, http.MethodGet, Route("/projects/:id/repository/files/:file_path", project, filePath), queryOf(fileQuery{ref}), opts)
}

// Metadata returns everything about a file except its content. The ref is a
// branch, a tag or a commit hash.
//
//	HEAD /projects/:id/repository/files/:file_path
func (s *RepositoryFilesService) Metadata(ctx context.Context, project ProjectRef, filePath, ref string, opts ...RequestOption) (*FileMetadata, *Response, error) {
	if err := checkRef(ref); err != nil {
		return nil, nil, err
	}
	return headFile(ctx, s.client, Route("/projects/:id/repository/files/:file_path", project, filePath), queryOf(fileQuery{ref}), opts)
}

// ListBlame returns one page of the ranges of lines of a file, each with the
// commit that last changed it. The ref is a branch, a tag or a commit hash.
//
//	GET /projects/:id/repository/files/:file_path/blame
func (s *RepositoryFilesService) ListBlame(ctx context.Context, project ProjectRef, filePath, ref string, options *ListBlameOptions, opts ...RequestOption) ([]*FileBlameRange, *Response, error) {
	return list[*FileBlameRange](ctx, s.client, blameRoute(project, filePath, ref), queryOf(blameQuery{ref, options.orNone()}), opts)
}

// AllBlame returns every range of lines of a file, each with the commit that
// last changed it. The ref is a branch, a tag or a commit hash.
//
//	GET /projects/:id/repository/files/:file_path/blame
func (s *RepositoryFilesService) AllBlame(ctx context.Context, project ProjectRef, filePath, ref string, options *ListBlameOptions, opts ...RequestOption) iter.Seq2[*FileBlameRange, error] {
	return all[*FileBlameRange](ctx, s.client, blameRoute(project, filePath, ref), queryOf(blameQuery{ref, options.orNone()}), opts)
}

func blameRoute(project ProjectRef, filePath, ref string) Endpoint {
	e := Route("/projects/:id/repository/files/:file_path/blame", project, filePath)
	if e.err == nil {
		e.err = checkRef(ref)
	}
	return e
}

// BlameMetadata returns the same as [RepositoryFilesService.Metadata].
//
//	HEAD /projects/:id/repository/files/:file_path/blame
func (s *RepositoryFilesService) BlameMetadata(ctx context.Context, project ProjectRef, filePath, ref string, opts ...RequestOption) (*FileMetadata, *Response, error) {
	if err := checkRef(ref); err != nil {
		return nil, nil, err
	}
	return headFile(ctx, s.client, Route("/projects/:id/repository/files/:file_path/blame", project, filePath), queryOf(fileQuery{ref}), opts)
}

// Raw returns the content of a file as a stream. The ref is a branch, a tag or
// a commit hash; empty is the head of the default branch.
//
//	GET /projects/:id/repository/files/:file_path/raw
func (s *RepositoryFilesService) Raw(ctx context.Context, project ProjectRef, filePath, ref string, options *RawRepositoryFileOptions, opts ...RequestOption) (*Download, *Response, error) {
	return stream(ctx, s.client, http.MethodGet, Route("/projects/:id/repository/files/:file_path/raw", project, filePath), queryOf(rawQuery{ref, options.orNone()}), opts)
}

// RawMetadata returns the same as [RepositoryFilesService.Metadata]. An empty
// ref means the head of the default branch.
//
//	HEAD /projects/:id/repository/files/:file_path/raw
func (s *RepositoryFilesService) RawMetadata(ctx context.Context, project ProjectRef, filePath, ref string, opts ...RequestOption) (*FileMetadata, *Response, error) {
	return headFile(ctx, s.client, Route("/projects/:id/repository/files/:file_path/raw", project, filePath), queryOf(fileQuery{ref}), opts)
}

// Create commits a new file. [ErrBadRequest] means that nothing was committed,
// because the file exists or the branch has changed in the meantime; the
// service does not say which.
//
//	POST /projects/:id/repository/files/:file_path
func (s *RepositoryFilesService) Create(ctx context.Context, project ProjectRef, filePath string, options CreateRepositoryFileOptions, opts ...RequestOption) (*FileChange, *Response, error) {
	return do[FileChange](ctx, s.client, http.MethodPost, Route("/projects/:id/repository/files/:file_path", project, filePath), jsonOf(options), opts)
}

// Update commits new content for a file. [ErrBadRequest] means that nothing was
// committed, because the file already has this content, does not exist, or has
// changed in the meantime, or because the branch has; the service does not say
// which. The call is not repeated after an error, because it could undo what
// others have committed since.
//
//	PUT /projects/:id/repository/files/:file_path
func (s *RepositoryFilesService) Update(ctx context.Context, project ProjectRef, filePath string, options UpdateRepositoryFileOptions, opts ...RequestOption) (*FileChange, *Response, error) {
	return do[FileChange](ctx, s.client, http.MethodPut, Route("/projects/:id/repository/files/:file_path", project, filePath).notRepeatable(), jsonOf(options), opts)
}

// Delete commits the deletion of a file. The call is not repeated after an
// error, because it could delete what others have committed since.
//
//	DELETE /projects/:id/repository/files/:file_path
func (s *RepositoryFilesService) Delete(ctx context.Context, project ProjectRef, filePath string, options DeleteRepositoryFileOptions, opts ...RequestOption) (*Response, error) {
	return exec(ctx, s.client, http.MethodDelete, Route("/projects/:id/repository/files/:file_path", project, filePath).notRepeatable(), jsonOf(options), opts)
}
