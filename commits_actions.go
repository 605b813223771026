package serviceapi

import (
	"bytes"
	"encoding/base64"
	"unicode"
	"unicode/utf8"
)

// CreateCommitOptions describes a commit. Branch, CommitMessage and Actions are
// required.
type CreateCommitOptions struct {
	// Branch is the branch to commit to. To create a branch, set a name that does
	// not exist, and StartBranch or StartSHA.
	Branch        string `json:"branch"`
	CommitMessage string `json:"commit_message"`
	// StartBranch or StartSHA, the hash of a commit, is where a new branch starts.
	StartBranch *string `json:"start_branch,omitzero"`
	StartSHA    *string `json:"start_sha,omitzero"`
	// StartProject is the project that contains StartBranch or StartSHA. Nil means
	// the project itself.
	StartProject ProjectRef `json:"start_project,omitzero"`
	// Actions are applied in order, all of them or none. Functions such as
	// [CreateFile] return them.
	Actions []CommitAction `json:"actions"`
	// AuthorEmail and AuthorName default to those of the caller.
	AuthorEmail *string `json:"author_email,omitzero"`
	AuthorName  *string `json:"author_name,omitzero"`
	// Stats sets [Commit.Stats] of the response. Nil means true.
	Stats *bool `json:"stats,omitzero"`
	// Force overwrites Branch with a commit on top of StartBranch or StartSHA. Nil
	// means false.
	Force *bool `json:"force,omitzero"`
}

// FileAction is a kind of change to a file.
type FileAction string

// Kinds of changes to a file.
const (
	FileActionCreate FileAction = "create"
	FileActionDelete FileAction = "delete"
	FileActionMove   FileAction = "move"
	FileActionUpdate FileAction = "update"
	FileActionChmod  FileAction = "chmod"
)

// ContentEncoding is how the content of a file is encoded as text.
type ContentEncoding string

// Encodings of content.
const (
	// ContentEncodingText is the default: the content itself.
	ContentEncodingText   ContentEncoding = "text"
	ContentEncodingBase64 ContentEncoding = "base64"
)

// CommitAction is one change to a file. [CreateFile], [UpdateFile],
// [DeleteFile], [MoveFile], [MoveAndUpdateFile] and [ChmodFile] return actions
// with the fields that they need.
type CommitAction struct {
	Action   FileAction `json:"action"`
	FilePath string     `json:"file_path"`
	// PreviousPath is where a moved file was before.
	PreviousPath *string `json:"previous_path,omitzero"`
	// Content is encoded as Encoding says. For a move, nil keeps the content of
	// the file; an empty string makes the file empty.
	Content  *string         `json:"content,omitzero"`
	Encoding ContentEncoding `json:"encoding,omitzero"`
	// LastCommitID is the last commit known to the caller that changed the file.
	// The service refuses the commit if the file has changed since. It applies to
	// updates, moves and deletions.
	LastCommitID *string `json:"last_commit_id,omitzero"`
	// ExecuteFilemode makes a file executable or not. It applies to
	// FileActionChmod.
	ExecuteFilemode *bool `json:"execute_filemode,omitzero"`
}

// CreateFile returns the action that creates a file.
func CreateFile(path string, content []byte) CommitAction {
	return CommitAction{Action: FileActionCreate, FilePath: path}.holding(content)
}

// UpdateFile returns the action that replaces the content of a file.
func UpdateFile(path string, content []byte) CommitAction {
	return CommitAction{Action: FileActionUpdate, FilePath: path}.holding(content)
}

// DeleteFile returns the action that deletes a file.
func DeleteFile(path string) CommitAction {
	return CommitAction{Action: FileActionDelete, FilePath: path}
}

// MoveFile returns the action that moves a file and keeps its content.
func MoveFile(from, to string) CommitAction {
	return CommitAction{Action: FileActionMove, FilePath: to, PreviousPath: &from}
}

// MoveAndUpdateFile returns the action that moves a file and replaces its
// content.
func MoveAndUpdateFile(from, to string, content []byte) CommitAction {
	return MoveFile(from, to).holding(content)
}

// ChmodFile returns the action that makes a file executable or not.
func ChmodFile(path string, executable bool) CommitAction {
	return CommitAction{Action: FileActionChmod, FilePath: path, ExecuteFilemode: &executable}
}

// IfUnchangedSince returns the action with the condition that the last commit
// that changed the file has this hash, such as a [FileMetadata.LastCommitID].
// Otherwise the service refuses the whole commit with [ErrBadRequest].
func (a CommitAction) IfUnchangedSince(commitID string) CommitAction {
	a.LastCommitID = &commitID
	return a
}

func (a CommitAction) holding(content []byte) CommitAction {
	encoded := NewFileContent(content)
	a.Content, a.Encoding = &encoded.Content, encoded.Encoding
	return a
}

// FileContent is the content of a file to send. [NewFileContent] makes one from
// bytes; for a string, FileContent{Content: "…"} is enough.
type FileContent struct {
	// Content is encoded as Encoding says.
	Content string `json:"content"`
	// Encoding is ContentEncodingText if it is empty.
	Encoding ContentEncoding `json:"encoding,omitzero"`
}

// NewFileContent encodes bytes as text if they are valid UTF-8 text, and as
// Base64 otherwise.
func NewFileContent(content []byte) FileContent {
	if needsBase64(content) {
		return FileContent{base64.StdEncoding.EncodeToString(content), ContentEncodingBase64}
	}
	return FileContent{Content: string(content)}
}

// needsBase64 reports whether content is not plain text: bytes that are not
// UTF-8 do not survive JSON, and control characters do not survive every reader
// of it.
func needsBase64(content []byte) bool {
	if !utf8.Valid(content) {
		return true
	}
	return bytes.ContainsFunc(content, func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r'
	})
}
