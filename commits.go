package serviceapi

import (
	"context"
	"encoding/base64"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"slices"
	"time"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"
)

// CommitsService reads and creates commits in the repositories of projects.
//
// Its options are [CherryPickOptions], [CreateCommitCommentOptions],
// [CreateCommitOptions], [GetCommitOptions], [GetCommitSequenceOptions],
// [ListCommitDiffsOptions], [ListCommitMergeRequestsOptions], [ListCommitRefsOptions],
// [ListCommitStatusesOptions], [ListCommitsOptions], [ListOptions], [RevertOptions] and
// [SetCommitStatusOptions]. See the example CommitsSetStatus in pipelines_test.go of
// [example.com/serviceapi/examples/recipes].
type CommitsService service

// List returns one page of a repository's commits, the newest first by default.
//
//	GET /projects/:id/repository/commits
func (s *CommitsService) List(
	ctx context.Context, project ProjectRef, options *ListCommitsOptions, opts ...RequestOption,
) ([]*Commit, *Response, error) {
	return list[*Commit](ctx, using(s), Route("/projects/:id/repository/commits", project), queryOf(options), opts)
}

// All returns every commit that the options select, the newest first by default.
//
//	GET /projects/:id/repository/commits
func (s *CommitsService) All(
	ctx context.Context, project ProjectRef, options *ListCommitsOptions, opts ...RequestOption,
) iter.Seq2[*Commit, error] {
	return all[*Commit](ctx, using(s), Route("/projects/:id/repository/commits", project), queryOf(options), opts)
}

// Create makes one commit of any number of changes to files, and returns it. In
// current releases, it requires the Developer role. [ErrBadRequest] means that
// nothing was committed: an action does not apply to the branch, the branch has
// changed in the meantime, a push rule refuses the commit, or the branch is
// protected from being overwritten. [ErrForbidden] means that the caller may not
// push to the branch.
//
//	POST /projects/:id/repository/commits
func (s *CommitsService) Create(
	ctx context.Context, project ProjectRef, options CreateCommitOptions, opts ...RequestOption,
) (*CommitDetails, *Response, error) {
	return do[CommitDetails](ctx, using(s), http.MethodPost,
		Route("/projects/:id/repository/commits", project), jsonOf(options), opts)
}

// Get returns one commit. The sha is a hash, a branch or a tag.
//
//	GET /projects/:id/repository/commits/:sha
func (s *CommitsService) Get(
	ctx context.Context, project ProjectRef, sha string, options *GetCommitOptions, opts ...RequestOption,
) (*CommitDetails, *Response, error) {
	return do[CommitDetails](ctx, using(s), http.MethodGet,
		Route("/projects/:id/repository/commits/:sha", project, sha), queryOf(options), opts)
}

// ListRefs returns one page of the branches and tags that contain a commit.
//
//	GET /projects/:id/repository/commits/:sha/refs
func (s *CommitsService) ListRefs(
	ctx context.Context, project ProjectRef, sha string, options *ListCommitRefsOptions, opts ...RequestOption,
) ([]*GitRef, *Response, error) {
	return list[*GitRef](ctx, using(s),
		Route("/projects/:id/repository/commits/:sha/refs", project, sha), queryOf(options), opts)
}

// AllRefs returns every branch and tag that contains a commit.
//
//	GET /projects/:id/repository/commits/:sha/refs
func (s *CommitsService) AllRefs(
	ctx context.Context, project ProjectRef, sha string, options *ListCommitRefsOptions, opts ...RequestOption,
) iter.Seq2[*GitRef, error] {
	return all[*GitRef](ctx, using(s),
		Route("/projects/:id/repository/commits/:sha/refs", project, sha), queryOf(options), opts)
}

// CherryPick applies a commit to a branch and returns the new commit. The call
// returns a [*ChangesetError] if the branch already has the change, or
// conflicts with it.
//
//	POST /projects/:id/repository/commits/:sha/cherry_pick
func (s *CommitsService) CherryPick(
	ctx context.Context, project ProjectRef, sha string, options CherryPickOptions, opts ...RequestOption,
) (*Commit, *Response, error) {
	return changeset(do[Commit](ctx, using(s), http.MethodPost,
		Route("/projects/:id/repository/commits/:sha/cherry_pick", project, sha), jsonOf(options), opts))
}

// CherryPickDryRun tests whether [CommitsService.CherryPick] would succeed, and
// changes nothing. It returns the same errors.
//
//	POST /projects/:id/repository/commits/:sha/cherry_pick
func (s *CommitsService) CherryPickDryRun(
	ctx context.Context, project ProjectRef, sha string, options CherryPickOptions, opts ...RequestOption,
) (*Response, error) {
	resp, err := exec(ctx, using(s), http.MethodPost,
		Route("/projects/:id/repository/commits/:sha/cherry_pick", project, sha),
		jsonOf(cherryPickTrial{options, true}), opts)
	return resp, changesetError(err)
}

// Revert undoes a commit on a branch, and returns the new commit. The call
// returns a [*ChangesetError] if the branch no longer has the change, or
// conflicts with undoing it.
//
//	POST /projects/:id/repository/commits/:sha/revert
func (s *CommitsService) Revert(
	ctx context.Context, project ProjectRef, sha string, options RevertOptions, opts ...RequestOption,
) (*Commit, *Response, error) {
	return changeset(do[Commit](ctx, using(s), http.MethodPost,
		Route("/projects/:id/repository/commits/:sha/revert", project, sha), jsonOf(options), opts))
}

// RevertDryRun tests whether [CommitsService.Revert] would succeed, and changes
// nothing. It returns the same errors.
//
//	POST /projects/:id/repository/commits/:sha/revert
func (s *CommitsService) RevertDryRun(
	ctx context.Context, project ProjectRef, sha string, options RevertOptions, opts ...RequestOption,
) (*Response, error) {
	resp, err := exec(ctx, using(s), http.MethodPost,
		Route("/projects/:id/repository/commits/:sha/revert", project, sha), jsonOf(revertTrial{options, true}), opts)
	return resp, changesetError(err)
}

// ListDiffs returns one page of a commit's changes against its first parent,
// file by file.
//
//	GET /projects/:id/repository/commits/:sha/diff
func (s *CommitsService) ListDiffs(
	ctx context.Context, project ProjectRef, sha string, options *ListCommitDiffsOptions, opts ...RequestOption,
) ([]*CommitDiff, *Response, error) {
	return list[*CommitDiff](ctx, using(s),
		Route("/projects/:id/repository/commits/:sha/diff", project, sha), queryOf(options), opts)
}

// AllDiffs returns all changes of a commit against its first parent, file by
// file.
//
//	GET /projects/:id/repository/commits/:sha/diff
func (s *CommitsService) AllDiffs(
	ctx context.Context, project ProjectRef, sha string, options *ListCommitDiffsOptions, opts ...RequestOption,
) iter.Seq2[*CommitDiff, error] {
	return all[*CommitDiff](ctx, using(s),
		Route("/projects/:id/repository/commits/:sha/diff", project, sha), queryOf(options), opts)
}

// ListComments returns one page of the comments on a commit.
//
//	GET /projects/:id/repository/commits/:sha/comments
func (s *CommitsService) ListComments(
	ctx context.Context, project ProjectRef, sha string, options *ListOptions, opts ...RequestOption,
) ([]*CommitComment, *Response, error) {
	return list[*CommitComment](ctx, using(s),
		Route("/projects/:id/repository/commits/:sha/comments", project, sha), queryOf(options), opts)
}

// AllComments returns every comment on a commit.
//
//	GET /projects/:id/repository/commits/:sha/comments
func (s *CommitsService) AllComments(
	ctx context.Context, project ProjectRef, sha string, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*CommitComment, error] {
	return all[*CommitComment](ctx, using(s),
		Route("/projects/:id/repository/commits/:sha/comments", project, sha), queryOf(options), opts)
}

// CreateComment posts a comment on a commit, or on one of its lines. If the
// service cannot place the comment on the line, it adds the comment to the
// commit as a whole, and Line of the response is nil: see
// [CreateCommitCommentOptions].
//
//	POST /projects/:id/repository/commits/:sha/comments
func (s *CommitsService) CreateComment(
	ctx context.Context, project ProjectRef, sha string, options CreateCommitCommentOptions, opts ...RequestOption,
) (*CommitComment, *Response, error) {
	return do[CommitComment](ctx, using(s), http.MethodPost,
		Route("/projects/:id/repository/commits/:sha/comments", project, sha), jsonOf(options), opts)
}

// GetSignature returns the signature of a commit, which can be given by its hash, a
// branch or a tag. The call returns [ErrNotFound] if the commit is not signed.
//
//	GET /projects/:id/repository/commits/:sha/signature
func (s *CommitsService) GetSignature(
	ctx context.Context, project ProjectRef, sha string, opts ...RequestOption,
) (*CommitSignature, *Response, error) {
	return do[CommitSignature](ctx, using(s), http.MethodGet,
		Route("/projects/:id/repository/commits/:sha/signature", project, sha), nil, opts)
}

// GetSequence returns the number of a commit in its history: how many commits it can
// reach, with itself, so that the first commit has the number 1. The sha is a hash, a
// branch or a tag. The call returns [ErrNotFound] if there is no such commit. Since 16.9.
//
//	GET /projects/:id/repository/commits/:sha/sequence
func (s *CommitsService) GetSequence(
	ctx context.Context, project ProjectRef, sha string, options *GetCommitSequenceOptions, opts ...RequestOption,
) (*CommitSequence, *Response, error) {
	return do[CommitSequence](ctx, using(s), http.MethodGet,
		Route("/projects/:id/repository/commits/:sha/sequence", project, sha), queryOf(options), opts)
}

// CommitOrder is an order of commits.
type CommitOrder string

// Orders of commits.
const (
	// CommitOrderDate is the default: the newest commit first.
	CommitOrderDate CommitOrder = "default"
	// CommitOrderTopology lists a commit only after all of its children, and does
	// not interleave lines of history.
	CommitOrderTopology CommitOrder = "topo"
)

// ListCommitsOptions selects commits.
type ListCommitsOptions struct {
	ListOptions
	// RefName is a branch, a tag or a range such as "v1.0..main". Empty means the
	// default branch.
	RefName string `url:"ref_name,omitempty"`
	// Since and Until limit the commit date; both are inclusive.
	Since time.Time `url:"since,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	Until time.Time `url:"until,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	// Author selects the commits of the author with this name or email address.
	// Since 15.10.
	Author string `url:"author,omitempty"`
	// Path selects commits that changed this file or directory.
	Path string `url:"path,omitempty"`
	// All selects the commits of every branch and tag.
	All bool `url:"all,omitempty"`
	// WithStats sets [Commit.Stats].
	WithStats bool `url:"with_stats,omitempty"`
	// FirstParent follows only the first parent of merge commits.
	FirstParent bool `url:"first_parent,omitempty"`
	// Order is CommitOrderDate if it is empty.
	Order CommitOrder `url:"order,omitempty"`
	// Trailers sets [Commit.Trailers].
	Trailers bool `url:"trailers,omitempty"`
}

// GetCommitOptions says how much of a commit to return.
type GetCommitOptions struct {
	// Stats sets [Commit.Stats]. Nil means true.
	Stats *bool `url:"stats,omitempty"`
}

// ListCommitDiffsOptions selects the format of a commit's diffs.
type ListCommitDiffsOptions struct {
	ListOptions
	// Unidiff writes each diff in the unified format, with the lines that name the
	// file. Since 16.5.
	Unidiff bool `url:"unidiff,omitempty"`
}

// ListCommitRefsOptions selects refs that contain a commit.
type ListCommitRefsOptions struct {
	ListOptions
	// Type is GitRefTypeAll if it is empty.
	Type GitRefType `url:"type,omitempty"`
}

// CherryPickOptions says which branch to apply a commit to. Branch is required.
type CherryPickOptions struct {
	// Branch is the branch to commit to.
	Branch string `json:"branch" required:"true"`
	// Message is the message of the new commit. Nil means that of the picked
	// commit.
	Message *string `json:"message,omitzero"`
}

// RevertOptions says which branch to revert a commit on. Branch is required.
type RevertOptions struct {
	// Branch is the branch to commit to.
	Branch string `json:"branch" required:"true"`
}

// cherryPickTrial is CherryPickOptions for a dry run.
type cherryPickTrial struct {
	CherryPickOptions
	DryRun bool `json:"dry_run"`
}

// revertTrial is RevertOptions for a dry run.
type revertTrial struct {
	RevertOptions
	DryRun bool `json:"dry_run"`
}

// CreateCommitOptions describes a commit. Branch and CommitMessage are required, and Actions
// unless AllowEmpty is true.
type CreateCommitOptions struct {
	// Branch is the branch to commit to. To create a branch, set a name that does
	// not exist, and StartBranch or StartSHA.
	Branch        string `json:"branch" required:"true"`
	CommitMessage string `json:"commit_message" required:"true"`
	// StartBranch or StartSHA, the hash of a commit, is where a new branch starts.
	StartBranch *string `json:"start_branch,omitzero"`
	StartSHA    *string `json:"start_sha,omitzero"`
	// StartProject is the project that contains StartBranch or StartSHA. Nil means
	// the project itself.
	StartProject ProjectRef `json:"start_project,omitzero"`
	// Actions are applied in order, all of them or none. Functions such as
	// [CreateFileAction] return them. One is required unless AllowEmpty is true.
	Actions []CommitAction `json:"actions,omitzero"`
	// AllowEmpty makes a commit that changes nothing if there are no Actions. Nil means false.
	// Since 18.8.
	AllowEmpty *bool `json:"allow_empty,omitzero"`
	// AuthorEmail and AuthorName default to those of the caller.
	AuthorEmail *string `json:"author_email,omitzero"`
	AuthorName  *string `json:"author_name,omitzero"`
	// Stats sets [Commit.Stats] of the response. Nil means true.
	Stats *bool `json:"stats,omitzero"`
	// Force overwrites Branch with a commit on top of StartBranch or StartSHA. Nil
	// means false.
	Force *bool `json:"force,omitzero"`
}

func (o CreateCommitOptions) check() error {
	return missing("Actions", len(o.Actions) == 0 && !*orZero(o.AllowEmpty))
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
// the fields that they need. Action and FilePath are required.
type CommitAction struct {
	Action   FileAction `json:"action" required:"true"`
	FilePath string     `json:"file_path" required:"true"`
	// PreviousPath is the path that a file is moved from. It applies to
	// FileActionMove.
	PreviousPath *string `json:"previous_path,omitzero"`
	// Content is the new content of the file, which may be binary. It is required
	// to create or update a file. For a move, nil keeps the content of the file; an
	// empty slice makes the file empty.
	Content []byte `json:"content,omitzero"`
	// LastCommitID is the last commit known to the caller that changed the file.
	// The service refuses the commit if the file has changed since. It applies to
	// updates, moves and deletions.
	LastCommitID *string `json:"last_commit_id,omitzero"`
	// ExecuteFilemode makes the file executable if it is true, and a plain file if
	// it is false. It applies to FileActionChmod.
	ExecuteFilemode *bool `json:"execute_filemode,omitzero"`
}

// CreateFileAction returns the action that creates a file. If content is nil, the
// file is empty.
func CreateFileAction(path string, content []byte) CommitAction {
	return CommitAction{Action: FileActionCreate, FilePath: path}.WithContent(content)
}

// UpdateFileAction returns the action that replaces the content of a file. If
// content is nil, the file becomes empty.
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

// ChmodFileAction returns the action that makes a file executable, or a plain
// file if executable is false.
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

// WithContent returns the action with this content of the file. If content is nil,
// the file is empty.
func (a CommitAction) WithContent(content []byte) CommitAction {
	if content == nil {
		content = []byte{}
	}
	a.Content = content
	return a
}

// MarshalJSON encodes the content as text if it is valid UTF-8 text, and as
// Base64 otherwise.
func (a CommitAction) MarshalJSON() ([]byte, error) { return jsonv2.Marshal(a.body()) }

// commitActionFields are the fields of an action that are sent as they are.
type commitActionFields CommitAction

// commitActionBody is how an action is sent. It has no method that encodes it, because the
// result of one is read once more.
type commitActionBody struct {
	commitActionFields
	Content  *string         `json:"content,omitzero"`
	Encoding ContentEncoding `json:"encoding,omitzero"`
}

func (a CommitAction) body() commitActionBody {
	if a.Content == nil {
		return commitActionBody{commitActionFields: commitActionFields(a)}
	}
	text, encoding := encodeContent(a.Content)
	return commitActionBody{commitActionFields(a), &text, encoding}
}

// body returns how the options are sent.
func (o CreateCommitOptions) body() any {
	type fields CreateCommitOptions
	sent := struct {
		fields
		Actions []commitActionBody `json:"actions,omitzero"`
	}{fields: fields(o)}
	sent.Actions = slices.Grow(sent.Actions, len(o.Actions))
	for _, action := range o.Actions {
		sent.Actions = append(sent.Actions, action.body())
	}
	return sent
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
	for i, c := range content {
		switch {
		case ' ' <= c && c < 0x7F: // almost all bytes
		case c < ' ' && c != '\n' && c != '\t' && c != '\r', c == 0x7F:
			return true
		case c == 0xC2 && content[i+1] < 0xA0: // U+0080 to U+009F
			return true
		}
	}
	return false
}

// CreateCommitCommentOptions describes a comment on a commit. Note is required.
//
// A comment on a line requires the full hash of the commit, Path, Line and
// LineType. With a branch or a tag instead of the hash, or with a path or line
// that the commit does not have, the comment applies to the commit as a whole.
type CreateCommitCommentOptions struct {
	// Note is the comment, in Markdown.
	Note string  `json:"note" required:"true"`
	Path *string `json:"path,omitzero"`
	// Line counts from 1.
	Line     *int      `json:"line,omitzero"`
	LineType *LineType `json:"line_type,omitzero"`
}

// GetCommitSequenceOptions says which commits to count.
type GetCommitSequenceOptions struct {
	// FirstParent follows only the first parent of merge commits. The default is to follow
	// all of them.
	FirstParent bool `url:"first_parent,omitempty"`
}

// CommitComment is a comment on a commit.
type CommitComment struct {
	Note string `json:"note"`
	// Path and LineType are empty if the comment is not on a line.
	Path string `json:"path"`
	// Line counts from 1. It is nil if the comment is not on a line.
	Line     *int     `json:"line"`
	LineType LineType `json:"line_type"`
	// CreatedAt is nil in the lists of releases that do not send it.
	CreatedAt *time.Time `json:"created_at"`
	// Author is nil if the account no longer exists. In lists, it has an email
	// address and a creation date. In the response to CreateComment, it has an
	// avatar and a web URL instead.
	Author *NoteAuthor `json:"author"`
}

// ChangesetError is the service's refusal of a cherry-pick or a revert. The
// branch has not changed. It unwraps to *[Error].
type ChangesetError struct {
	// Err is the response, never nil in an error that the library returns.
	Err *Error
	// Code is [ErrorCodeEmpty] or [ErrorCodeConflict].
	Code ErrorCode
}

// Error describes the response and names the code.
func (e *ChangesetError) Error() string { return fmt.Sprintf("%v (%s)", e.Err, e.Code) }

// Unwrap returns the *[Error].
func (e *ChangesetError) Unwrap() error { return e.Err }

// LogValue returns what [Error.LogValue] does.
func (e *ChangesetError) LogValue() slog.Value { return orZero(e).Err.LogValue() }

// changeset is changesetError for a call with a result.
func changeset[T any](v *T, resp *Response, err error) (*T, *Response, error) {
	return v, resp, changesetError(err)
}

// changesetError turns a response with one of these codes into a ChangesetError,
// and returns every other error unchanged.
func changesetError(err error) error {
	if e := errorResponse(err); e != nil {
		switch e.Code {
		case ErrorCodeEmpty, ErrorCodeConflict:
			return &ChangesetError{Err: e, Code: e.Code}
		}
	}
	return err
}
