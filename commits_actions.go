package serviceapi

import (
	"bytes"
	"encoding/base64"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
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
	// [CreateFileAction] return them.
	Actions []CommitAction `json:"actions"`
	// AuthorEmail and AuthorName default to those of the caller.
	AuthorEmail *string `json:"author_email,omitzero"`
	AuthorName  *string `json:"author_name,omitzero"`
	// Stats sets [CommitDetails.Stats] of the response. Nil means true.
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

// CommitAction is one change to a file. [CreateFileAction], [UpdateFileAction],
// [DeleteFileAction], [MoveFileAction] and [ChmodFileAction] return actions with
// the fields that they need.
type CommitAction struct {
	Action   FileAction `json:"action"`
	FilePath string     `json:"file_path"`
	// PreviousPath is where a moved file was before.
	PreviousPath *string `json:"previous_path,omitzero"`
	// Content is the content itself, of any bytes. It is required to create or
	// update a file. For a move, nil keeps the content of the file; an empty slice
	// makes the file empty.
	Content []byte `json:"content,omitzero"`
	// LastCommitID is the last commit known to the caller that changed the file.
	// The service refuses the commit if the file has changed since. It applies to
	// updates, moves and deletions.
	LastCommitID *string `json:"last_commit_id,omitzero"`
	// ExecuteFilemode makes a file executable or not. It applies to
	// FileActionChmod.
	ExecuteFilemode *bool `json:"execute_filemode,omitzero"`
}

// CreateFileAction returns the action that creates a file. With nil, the file is
// empty.
func CreateFileAction(path string, content []byte) CommitAction {
	return CommitAction{Action: FileActionCreate, FilePath: path}.WithContent(content)
}

// UpdateFileAction returns the action that replaces the content of a file. With
// nil, the file becomes empty.
func UpdateFileAction(path string, content []byte) CommitAction {
	return CommitAction{Action: FileActionUpdate, FilePath: path}.WithContent(content)
}

// DeleteFileAction returns the action that deletes a file.
func DeleteFileAction(path string) CommitAction {
	return CommitAction{Action: FileActionDelete, FilePath: path}
}

// FileMove says which file to move. Both fields are required.
type FileMove struct {
	// From and To are full paths in the repository.
	From, To string
}

// MoveFileAction returns the action that moves a file and keeps its content. To
// replace the content, too, use [CommitAction.WithContent].
func MoveFileAction(move FileMove) CommitAction {
	return CommitAction{Action: FileActionMove, FilePath: move.To, PreviousPath: &move.From}
}

// ChmodFileAction returns the action that makes a file executable or not.
func ChmodFileAction(path string, executable bool) CommitAction {
	return CommitAction{Action: FileActionChmod, FilePath: path, ExecuteFilemode: &executable}
}

// IfUnchangedSince returns the action with the condition that the last commit
// that changed the file has this hash, such as a [FileMetadata.LastCommitID].
// Otherwise the service refuses the whole commit with [ErrBadRequest].
func (a CommitAction) IfUnchangedSince(commitID string) CommitAction {
	a.LastCommitID = &commitID
	return a
}

// WithContent returns the action with this content of the file. With nil, the
// file is empty.
func (a CommitAction) WithContent(content []byte) CommitAction {
	if content == nil {
		content = []byte{}
	}
	a.Content = content
	return a
}

// MarshalJSON encodes the content as text if it is valid UTF-8 text, and as
// Base64 otherwise.
func (a CommitAction) MarshalJSON() ([]byte, error) {
	type fields CommitAction
	text, encoding := encodeContent(a.Content)
	sent := struct {
		fields
		Content  *string         `json:"content,omitzero"`
		Encoding ContentEncoding `json:"encoding,omitzero"`
	}{fields: fields(a), Encoding: encoding}
	if a.Content != nil {
		sent.Content = &text
	}
	return json.Marshal(sent)
}

// encodeContent returns what is sent for the content of a file: the content
// itself if it is valid UTF-8 text, and Base64 otherwise.
func encodeContent(content []byte) (text string, encoding ContentEncoding) {
	if needsBase64(content) {
		return base64.StdEncoding.EncodeToString(content), ContentEncodingBase64
	}
	return string(content), ""
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
