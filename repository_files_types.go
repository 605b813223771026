package serviceapi

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// FileMetadata describes a file of a repository, without its content.
type FileMetadata struct {
	// FileName is the last element of FilePath.
	FileName string `json:"file_name"`
	FilePath string `json:"file_path"`
	// Size is in bytes, of the content itself.
	Size int64 `json:"size"`
	// Encoding is the encoding of [RepositoryFile.Content].
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

// RepositoryFile is a file of a repository.
type RepositoryFile struct {
	FileMetadata
	// Content is encoded as Encoding says. Bytes decodes it.
	Content string `json:"content"`
}

// Bytes returns the decoded content of the file. It returns a [*ChecksumError]
// if the content does not match ContentSHA256, and another error if it cannot
// be decoded as Encoding says or does not have the length Size.
func (f *RepositoryFile) Bytes() ([]byte, error) {
	content, err := f.decode()
	if err != nil {
		return nil, err
	}
	if int64(len(content)) != f.Size {
		return nil, fmt.Errorf("serviceapi: the content of %s has %d bytes instead of %d", printable(f.FilePath, 200), len(content), f.Size)
	}
	if f.ContentSHA256 == "" {
		return content, nil
	}
	sum, err := newChecksum(ChecksumAlgorithmSHA256, f.ContentSHA256)
	if err != nil {
		return nil, err
	}
	sum.hash.Write(content)
	if err := sum.check(); err != nil {
		return nil, err
	}
	return content, nil
}

func (f *RepositoryFile) decode() ([]byte, error) {
	switch f.Encoding {
	case ContentEncodingText:
		return []byte(f.Content), nil
	case ContentEncodingBase64:
		content, err := base64.StdEncoding.DecodeString(f.Content)
		if err != nil {
			return nil, fmt.Errorf("serviceapi: the content of %s is not Base64: %w", printable(f.FilePath, 200), err)
		}
		return content, nil
	}
	return nil, fmt.Errorf("serviceapi: the content of %s has the unknown encoding %q", printable(f.FilePath, 200), printable(string(f.Encoding), 40))
}

// ListBlameOptions selects ranges of lines of a file.
type ListBlameOptions struct {
	ListOptions
	// Range selects these lines. Nil means all lines.
	Range *LineRange `url:"range,omitempty"`
}

func (o *ListBlameOptions) orNone() ListBlameOptions {
	if o == nil {
		return ListBlameOptions{}
	}
	return *o
}

// FileBlameRange is a range of lines that the same commit changed last.
type FileBlameRange struct {
	Commit BlameCommit `json:"commit"`
	// Lines are the lines, without line breaks.
	Lines []string `json:"lines"`
}

// BlameCommit is the short form of a commit in a blame.
type BlameCommit struct {
	// ID is the full hash.
	ID             string     `json:"id"`
	Message        string     `json:"message"`
	ParentIDs      []string   `json:"parent_ids"`
	AuthoredDate   *time.Time `json:"authored_date"`
	AuthorName     string     `json:"author_name"`
	AuthorEmail    string     `json:"author_email"`
	CommittedDate  *time.Time `json:"committed_date"`
	CommitterName  string     `json:"committer_name"`
	CommitterEmail string     `json:"committer_email"`
}

// FileChange is a committed change to a file.
type FileChange struct {
	FilePath string `json:"file_path"`
	// Branch is the branch that was committed to.
	Branch string `json:"branch"`
}

// headFile makes a call whose response describes a file in its headers.
func headFile(ctx context.Context, c *Client, e Endpoint, in input, opts []RequestOption) (*FileMetadata, *Response, error) {
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
		Encoding:        ContentEncoding(get("Encoding")),
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
