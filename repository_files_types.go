package serviceapi

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/serviceapi/internal/text"
)

// FileMetadata describes a file of a repository, without its content.
type FileMetadata struct {
	// FileName is the last element of FilePath.
	FileName string `json:"file_name"`
	FilePath string `json:"file_path"`
	// Size is in bytes, of the content itself.
	Size int64 `json:"size"`
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

// ContentEncoding is how the content of a file is encoded on its way. The
// library encodes and decodes it.
type ContentEncoding string

// Encodings of content.
const (
	ContentEncodingText   ContentEncoding = "text"
	ContentEncodingBase64 ContentEncoding = "base64"
)

// RepositoryFile is a file of a repository with its content. Its other fields
// are those of [FileMetadata].
type RepositoryFile struct {
	FileName string `json:"file_name"`
	FilePath string `json:"file_path"`
	// Size is the length of Content in bytes.
	Size int64 `json:"size"`
	// Encoding is how the service sent the content. Content is already decoded.
	Encoding ContentEncoding `json:"encoding"`
	// Content is the content itself. It is nil if it could not be decoded.
	Content []byte `json:"content"`
	// ContentSHA256 is the hexadecimal checksum of Content. Get verifies it.
	ContentSHA256   string `json:"content_sha256"`
	Ref             string `json:"ref"`
	BlobID          string `json:"blob_id"`
	CommitID        string `json:"commit_id"`
	LastCommitID    string `json:"last_commit_id"`
	ExecuteFilemode bool   `json:"execute_filemode"`
}

// intact removes a content that is not what the service says about it, and
// reports it as an error at this member.
func intact(file *RepositoryFile, resp *Response, err error) (*RepositoryFile, *Response, error) {
	if err != nil {
		return file, resp, err
	}
	wrong := file.verify()
	if wrong == nil {
		return file, resp, nil
	}
	file.Content = nil
	return file, resp, &DecodeError{
		Method: http.MethodGet, Operation: fileOperation, StatusCode: resp.StatusCode,
		ContentType: resp.Header.Get("Content-Type"), Partial: true, Pointer: "/content", Err: wrong,
	}
}

const fileOperation = "/projects/:id/repository/files/:file_path"

// verify compares the content with what the service says about it.
func (f *RepositoryFile) verify() error {
	if f.Encoding != ContentEncodingBase64 {
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

// FileBlameRange is a range of lines that the same commit changed last.
type FileBlameRange struct {
	// Commit is the commit that changed the lines last, nil only if the service
	// does not send it.
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

// headFile makes a call whose response describes a file in its headers.
func headFile(
	ctx context.Context, c *Client, e Endpoint, in input, opts []RequestOption,
) (*FileMetadata, *Response, error) {
	resp, err := exec(ctx, c, http.MethodHead, e, in, opts)
	if err != nil {
		return nil, resp, err
	}
	m, err := readFileMetadata(resp.Header)
	if err != nil {
		return nil, resp, &DecodeError{
			Method: http.MethodHead, Operation: e.template, StatusCode: resp.StatusCode,
			ContentType: resp.Header.Get("Content-Type"), Err: err,
		}
	}
	return m, resp, nil
}

func readFileMetadata(h http.Header) (*FileMetadata, error) {
	vendor := vendorPrefix(h)
	if vendor == "" {
		return nil, errors.New("no headers describe a file")
	}
	get := func(name string) string { return h.Get(vendor + name) }
	size, err := strconv.ParseInt(get("Size"), 10, 64)
	if err != nil {
		return nil, fmt.Errorf("header %sSize: %w", vendor, err)
	}
	executable, err := parseOptionalBool(get("Execute-Filemode"))
	if err != nil {
		return nil, fmt.Errorf("header %sExecute-Filemode: %w", vendor, err)
	}
	return &FileMetadata{
		FileName:        get("File-Name"),
		FilePath:        get("File-Path"),
		Size:            size,
		ContentSHA256:   get("Content-Sha256"),
		Ref:             get("Ref"),
		BlobID:          get("Blob-Id"),
		CommitID:        get("Commit-Id"),
		LastCommitID:    get("Last-Commit-Id"),
		ExecuteFilemode: executable,
	}, nil
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

// vendorPrefix returns the prefix of the headers that describe a file: that of
// the service, or that of another product name. It is "" if there are no such
// headers.
func vendorPrefix(h http.Header) string {
	var found []string
	for name := range h {
		if vendor, ok := strings.CutSuffix(name, "Blob-Id"); ok && strings.HasPrefix(vendor, "X-") {
			found = append(found, vendor)
		}
	}
	switch {
	case len(found) == 0:
		return ""
	case slices.Contains(found, usualVendor):
		return usualVendor
	}
	return slices.Min(found)
}
