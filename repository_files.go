package serviceapi

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strconv"
	"strings"
	"time"

	"example.com/serviceapi/internal/text"
	jsonv2 "github.com/go-json-experiment/json"
)

// RepositoryFilesService reads and writes single files in the repositories of
// projects. To change several files at once, use [CommitsService.Create].
//
// A file is identified by its full path in the repository, such as
// "docs/index.md", and by a ref: a branch, a tag or a commit hash. Contents are
// bytes; the library encodes and decodes them for the transfer. Reading
// requires a token with the scope read_repository or api, or no credential if
// the repository is public. Writing requires the scope api and, in current
// releases, the Developer role.
//
// Its options are [CreateRepositoryFileOptions], [DeleteRepositoryFileOptions],
// [GetFileMetadataOptions], [GetRepositoryFileOptions], [ListBlameOptions],
// [RawRepositoryFileOptions] and [UpdateRepositoryFileOptions]. See the example of
// [RepositoryFilesService.Update].
type RepositoryFilesService service

// oneFile is the path of a file.
const oneFile = "/projects/:id/repository/files/:file_path"

// Get returns a file with its content. The call returns a [*DecodeError] that
// is partial, and the file without its content, if the content does not have
// the length or the checksum that the service states; it unwraps to a
// [*ChecksumError] for the latter. What the service does not state is not compared. For large
// files, use [RepositoryFilesService.Raw], which streams.
//
//	GET /projects/:id/repository/files/:file_path
func (s *RepositoryFilesService) Get(
	ctx context.Context, project ProjectRef, filePath string, options *GetRepositoryFileOptions, opts ...RequestOption,
) (*RepositoryFile, *Response, error) {
	file, resp, err := checked(ctx, using(s), http.MethodGet,
		Route(oneFile, project, filePath), queryOf(options), intact, opts)
	if file == nil {
		return nil, resp, err
	}
	if file.Size != nil {
		file.RepositoryFile.Size = *file.Size
	}
	return &file.RepositoryFile, resp, err
}

// Metadata returns everything about a file except its content. If a header cannot be read,
// its field is zero and the error is a [*DecodeError] that is partial.
//
//	HEAD /projects/:id/repository/files/:file_path
func (s *RepositoryFilesService) Metadata(
	ctx context.Context, project ProjectRef, filePath string, options *GetFileMetadataOptions, opts ...RequestOption,
) (*FileMetadata, *Response, error) {
	return headFile(ctx, using(s), Route(oneFile, project, filePath),
		withRef(options), opts)
}

// ListBlame returns one page of the ranges of lines of a file, each with the
// commit that last changed it.
//
//	GET /projects/:id/repository/files/:file_path/blame
func (s *RepositoryFilesService) ListBlame(
	ctx context.Context, project ProjectRef, filePath string, options *ListBlameOptions, opts ...RequestOption,
) ([]*FileBlameRange, *Response, error) {
	return list[*FileBlameRange](ctx, using(s),
		Route(oneFile+"/blame", project, filePath),
		queryOf(options), opts)
}

// AllBlame returns every range of lines of a file, each with the commit that
// last changed it.
//
//	GET /projects/:id/repository/files/:file_path/blame
func (s *RepositoryFilesService) AllBlame(
	ctx context.Context, project ProjectRef, filePath string, options *ListBlameOptions, opts ...RequestOption,
) iter.Seq2[*FileBlameRange, error] {
	return all[*FileBlameRange](ctx, using(s),
		Route(oneFile+"/blame", project, filePath),
		queryOf(options), opts)
}

// BlameMetadata returns the same as [RepositoryFilesService.Metadata].
//
//	HEAD /projects/:id/repository/files/:file_path/blame
func (s *RepositoryFilesService) BlameMetadata(
	ctx context.Context, project ProjectRef, filePath string, options *GetFileMetadataOptions, opts ...RequestOption,
) (*FileMetadata, *Response, error) {
	return headFile(ctx, using(s), Route(oneFile+"/blame", project, filePath),
		withRef(options), opts)
}

// Raw returns the content of a file as a stream.
//
//	GET /projects/:id/repository/files/:file_path/raw
func (s *RepositoryFilesService) Raw(
	ctx context.Context, project ProjectRef, filePath string, options *RawRepositoryFileOptions, opts ...RequestOption,
) (*Download, *Response, error) {
	return stream(ctx, using(s), http.MethodGet,
		Route(oneFile+"/raw", project, filePath), queryOf(options), opts)
}

// RawMetadata returns the same as [RepositoryFilesService.Metadata]. Nil options
// mean the head of the default branch.
//
//	HEAD /projects/:id/repository/files/:file_path/raw
func (s *RepositoryFilesService) RawMetadata(
	ctx context.Context, project ProjectRef, filePath string, options *GetFileMetadataOptions, opts ...RequestOption,
) (*FileMetadata, *Response, error) {
	return headFile(ctx, using(s),
		Route(oneFile+"/raw", project, filePath), queryOf(options), opts)
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
	return do[FileChange](ctx, using(s), http.MethodPost,
		Route(oneFile, project, filePath), jsonOf(options), opts)
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
	return do[FileChange](ctx, using(s), http.MethodPut,
		Route(oneFile, project, filePath).notRepeatable(),
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
	return exec(ctx, using(s), http.MethodDelete,
		Route(oneFile, project, filePath).notRepeatable(), jsonOf(options), opts)
}

// headFile makes a call whose response describes a file in its headers.
func headFile(
	ctx context.Context, c *Client, e Endpoint, in input, opts []RequestOption,
) (*FileMetadata, *Response, error) {
	cl, err := newCall(ctx, c, http.MethodHead, e, in, opts)
	if err != nil {
		return nil, nil, err
	}
	cl.use = discardBody
	o, err := cl.send()
	defer o.text.Release()
	if err != nil {
		return nil, o.response(), err
	}
	m, err := readFileMetadata(o.resp.Header)
	if err != nil {
		wrong := o.decodeError(err)
		wrong.Partial = m != nil
		return m, o.response(), wrong
	}
	return m, o.response(), nil
}

// readFileMetadata reads the headers that describe a file. If a value cannot be parsed, its
// field is zero and the error says so.
func readFileMetadata(h http.Header) (*FileMetadata, error) {
	vendor := vendorPrefix(h)
	if vendor == "" {
		return nil, errors.New("no headers describe a file")
	}
	get := func(name string) string { return h.Get(vendor + name) }
	size, sizeErr := strconv.ParseUint(get("Size"), 10, 63)
	if sizeErr != nil {
		size, sizeErr = 0, fmt.Errorf("header %sSize: %w", vendor, sizeErr)
	}
	executable, modeErr := parseOptionalBool(get("Execute-Filemode"))
	if modeErr != nil {
		modeErr = fmt.Errorf("header %sExecute-Filemode: %w", vendor, modeErr)
	}
	return &FileMetadata{
		FileName:        get("File-Name"),
		FilePath:        get("File-Path"),
		Size:            int64(size),
		Encoding:        ContentEncoding(get("Encoding")),
		ContentSHA256:   get("Content-Sha256"),
		Ref:             get("Ref"),
		BlobID:          get("Blob-Id"),
		CommitID:        get("Commit-Id"),
		LastCommitID:    get("Last-Commit-Id"),
		ExecuteFilemode: executable,
	}, errors.Join(sizeErr, modeErr)
}

// parseOptionalBool treats a missing header as false: older releases do not
// send all headers.
func parseOptionalBool(text string) (bool, error) {
	if text == "" {
		return false, nil
	}
	return strconv.ParseBool(text)
}

const usualVendor = "X-Service-"

// vendorPrefix returns the prefix of the headers that describe a file: that of the service,
// or that of another product name. A proxy may send a Blob-Id, too, so the prefix with the
// most such headers wins. It is "" if there are no such headers.
func vendorPrefix(h http.Header) string {
	best, most := "", 0
	for header := range h {
		vendor, ok := strings.CutSuffix(header, "Blob-Id")
		if !ok || !strings.HasPrefix(vendor, "X-") {
			continue
		}
		count := 0
		for _, name := range []string{"Blob-Id", "Size", "File-Path", "File-Name", "Ref", "Commit-Id"} {
			if h.Get(vendor+name) != "" {
				count++
			}
		}
		if vendor == usualVendor {
			return usualVendor
		}
		if count > most || count == most && vendor < best {
			best, most = vendor, count
		}
	}
	return best
}

// GetRepositoryFileOptions says which version of a file to return. Ref is
// required.
type GetRepositoryFileOptions struct {
	// Ref is a branch, a tag or a commit hash.
	Ref string `url:"ref,omitempty" required:"true"`
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
	Ref string `url:"ref,omitempty" required:"true"`
	// Range selects these lines. Nil means all lines.
	Range *LineRange `url:"range,omitempty"`
}

// LineRange is a range of lines, counted from 1. It includes both ends. Both fields are
// required.
type LineRange struct {
	Start int `url:"start" required:"true"`
	End   int `url:"end" required:"true"`
}

// CreateRepositoryFileOptions describes a new file. Branch and CommitMessage
// are required.
type CreateRepositoryFileOptions struct {
	// Branch is the branch to commit to. To create a branch, set a name that does
	// not exist, and StartBranch.
	Branch string `json:"branch" required:"true"`
	// StartBranch is the branch that a new branch starts from.
	StartBranch *string `json:"start_branch,omitzero"`
	// AuthorEmail and AuthorName default to those of the caller.
	AuthorEmail   *string `json:"author_email,omitzero"`
	AuthorName    *string `json:"author_name,omitzero"`
	CommitMessage string  `json:"commit_message" required:"true"`
	// Content is the content itself, which may be any bytes. Nil creates an empty file.
	Content []byte `json:"content"`
	// ExecuteFilemode makes the file executable. Nil means false.
	ExecuteFilemode *bool `json:"execute_filemode,omitzero"`
}

// UpdateRepositoryFileOptions describes the commit that replaces the content of
// a file. Branch, CommitMessage and Content are required.
type UpdateRepositoryFileOptions struct {
	// Branch is the branch to commit to. To create a branch, set a name that does
	// not exist, and StartBranch.
	Branch string `json:"branch" required:"true"`
	// StartBranch is the branch that a new branch starts from.
	StartBranch *string `json:"start_branch,omitzero"`
	// AuthorEmail and AuthorName default to those of the caller.
	AuthorEmail   *string `json:"author_email,omitzero"`
	AuthorName    *string `json:"author_name,omitzero"`
	CommitMessage string  `json:"commit_message" required:"true"`
	// Content is the content itself, which may be any bytes. Nil is refused; an empty slice
	// makes the file empty.
	Content []byte `json:"content" required:"true"`
	// LastCommitID is the last commit known to the caller that changed the file
	// ([FileMetadata.LastCommitID]). The service refuses the update if the file
	// has changed since.
	LastCommitID *string `json:"last_commit_id,omitzero"`
	// ExecuteFilemode makes the file executable if it is true, and a plain file if
	// it is false. Nil leaves it unchanged.
	ExecuteFilemode *bool `json:"execute_filemode,omitzero"`
}

// DeleteRepositoryFileOptions describes the commit that deletes a file. Branch
// and CommitMessage are required.
type DeleteRepositoryFileOptions struct {
	// Branch is the branch to commit to. To create a branch, set a name that does
	// not exist, and StartBranch.
	Branch string `json:"branch" required:"true"`
	// StartBranch is the branch that a new branch starts from.
	StartBranch *string `json:"start_branch,omitzero"`
	// AuthorEmail and AuthorName default to those of the caller.
	AuthorEmail   *string `json:"author_email,omitzero"`
	AuthorName    *string `json:"author_name,omitzero"`
	CommitMessage string  `json:"commit_message" required:"true"`
	// LastCommitID is the last commit known to the caller that changed the file.
	// The service refuses to delete the file if it has changed since.
	LastCommitID *string `json:"last_commit_id,omitzero"`
}

// MarshalJSON encodes the content as text if it is valid UTF-8 text, and as
// Base64 otherwise.
func (o CreateRepositoryFileOptions) MarshalJSON() ([]byte, error) { return jsonv2.Marshal(o.body()) }

// body returns how the options are sent.
func (o CreateRepositoryFileOptions) body() any {
	type fields CreateRepositoryFileOptions
	text, encoding := encodeContent(o.Content)
	return struct {
		fields
		Content  string          `json:"content"`
		Encoding ContentEncoding `json:"encoding,omitzero"`
	}{fields(o), text, encoding}
}

// MarshalJSON encodes the content as text if it is valid UTF-8 text, and as
// Base64 otherwise.
func (o UpdateRepositoryFileOptions) MarshalJSON() ([]byte, error) { return jsonv2.Marshal(o.body()) }

// body returns how the options are sent.
func (o UpdateRepositoryFileOptions) body() any {
	type fields UpdateRepositoryFileOptions
	text, encoding := encodeContent(o.Content)
	return struct {
		fields
		Content  string          `json:"content"`
		Encoding ContentEncoding `json:"encoding,omitzero"`
	}{fields(o), text, encoding}
}

// withRef is the query of a call that needs a ref.
func withRef(o *GetFileMetadataOptions) input {
	return unless(missing("Ref", orZero(o).Ref == ""), queryOf(o))
}

// FileMetadata describes a file of a repository, without its content.
type FileMetadata struct {
	// FileName is the last element of FilePath.
	FileName string `json:"file_name"`
	FilePath string `json:"file_path"`
	// Size is the length of the content itself in bytes.
	Size int64 `json:"size"`
	// Encoding is how the service sends the content, empty if it does not say. The library
	// decodes it.
	Encoding ContentEncoding `json:"encoding"`
	// ContentSHA256 is the hexadecimal checksum of the content.
	ContentSHA256 string `json:"content_sha256"`
	// Ref is the branch, tag or commit that the file was read from.
	Ref string `json:"ref"`
	// BlobID is the hash of the content as a Git object.
	BlobID string `json:"blob_id"`
	// CommitID is the commit that Ref points to.
	CommitID string `json:"commit_id"`
	// LastCommitID is the last commit that changed the file.
	LastCommitID string `json:"last_commit_id"`
	// ExecuteFilemode reports whether the file is executable.
	ExecuteFilemode bool `json:"execute_filemode"`
}

// ContentEncoding is how the content of a file is encoded for the transfer. The
// library encodes and decodes it.
type ContentEncoding string

// Encodings of content.
const (
	ContentEncodingText   ContentEncoding = "text"
	ContentEncodingBase64 ContentEncoding = "base64"
)

// RepositoryFile is a file of a repository with its content. It has the [FileMetadata] in it;
// Get compares Content with ContentSHA256.
type RepositoryFile struct {
	FileMetadata

	// Content is the content itself, already decoded. It is nil if it could not be decoded.
	Content []byte `json:"content"`
}

// A sentFile is a file as it is sent, with a size only if the service states it.
type sentFile struct {
	RepositoryFile
	Size *int64 `json:"size"`
}

// intact removes content that does not match what the service says about it, and reports it
// as an error at this member.
func intact(o *outcome, file *sentFile) error {
	if file.Size == nil {
		file.Size = new(int64(len(file.Content)))
	}
	file.RepositoryFile.Size = *file.Size
	wrong := file.verify()
	if wrong == nil {
		return nil
	}
	file.Content = nil
	e := o.decodeError(wrong)
	e.Partial, e.Pointer, e.Excerpt = true, "/content", ""
	return e
}

// verify compares the content with what the service says about it.
func (f *RepositoryFile) verify() error {
	if f.Encoding != "" && f.Encoding != ContentEncodingBase64 {
		return fmt.Errorf("the content has the unknown encoding %q", text.Printable(string(f.Encoding), 40))
	}
	if int64(len(f.Content)) != f.Size {
		return fmt.Errorf("the content has %d bytes instead of %d", len(f.Content), f.Size)
	}
	sum := sha256.Sum256(f.Content)
	if actual := hex.EncodeToString(sum[:]); f.ContentSHA256 != "" && !strings.EqualFold(actual, f.ContentSHA256) {
		return &ChecksumError{Algorithm: ChecksumAlgorithmSHA256, Expected: f.ContentSHA256, Actual: actual}
	}
	return nil
}

// FileBlameRange is a range of lines that the same commit last changed.
type FileBlameRange struct {
	// Commit is the commit that last changed the lines, nil only if the service does not
	// send it.
	Commit *BlameCommit `json:"commit"`
	// Lines are the lines, without line breaks.
	Lines []string `json:"lines"`
}

// BlameCommit is the short form of a commit in a blame.
type BlameCommit struct {
	// ID is the full hash.
	ID             string    `json:"id"`
	Message        string    `json:"message"`
	ParentIDs      []string  `json:"parent_ids"`
	AuthoredDate   time.Time `json:"authored_date"`
	AuthorName     string    `json:"author_name"`
	AuthorEmail    string    `json:"author_email"`
	CommittedDate  time.Time `json:"committed_date"`
	CommitterName  string    `json:"committer_name"`
	CommitterEmail string    `json:"committer_email"`
}

// FileChange is a committed change to a file.
type FileChange struct {
	FilePath string `json:"file_path"`
	// Branch is the branch that was committed to.
	Branch string `json:"branch"`
}
