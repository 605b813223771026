package serviceapi

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"iter"
	"net/http"
	"strconv"
	"time"
)

// DiscussionsService manages the discussions (threads of notes) on merge
// requests, issues and commits. The owner of the discussions is a value:
//
//	app := serviceapi.ProjectPath("acme/app")
//	mergeRequest := serviceapi.MergeRequestIn(app, 7)
//	for thread, err := range client.Discussions.All(ctx, mergeRequest, nil) { … }
//
// Only discussions on merge requests can be resolved. Discussions on a commit are
// only listed here; [CommitsService.CreateComment] starts one.
type DiscussionsService service

// DiscussionOwner is an owner of discussions: a [MergeRequestRef], an [IssueRef] or
// a [CommitRef].
type DiscussionOwner interface{ hasDiscussions() }

func (MergeRequestRef) hasDiscussions() {}

func (IssueRef) hasDiscussions() {}

func (CommitRef) hasDiscussions() {}

// ReplyOwner is an owner of discussions that take replies: a [MergeRequestRef] or
// an [IssueRef].
type ReplyOwner interface{ takesReplies() }

func (MergeRequestRef) takesReplies() {}

func (IssueRef) takesReplies() {}

func discussionsOn(owner any, suffix string, args ...any) Endpoint {
	return below(owner, "/discussions"+suffix, args...)
}

const (
	oneDiscussion   = "/:discussion_id"
	discussionNotes = oneDiscussion + "/notes"
	discussionNote  = discussionNotes + "/:note_id"
)

// List returns one page of the discussions on a merge request, an issue or
// a commit, the oldest first. A note without replies is a discussion with one note.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/discussions
//	GET /projects/:id/issues/:issue_iid/discussions
//	GET /projects/:id/repository/commits/:sha/discussions
func (s *DiscussionsService) List(
	ctx context.Context, owner DiscussionOwner, options *ListOptions, opts ...RequestOption,
) ([]*Discussion, *Response, error) {
	return list[*Discussion](ctx, s.client, discussionsOn(owner, ""), queryOf(options), opts)
}

// All returns every discussion on a merge request, an issue or a commit. See
// [DiscussionsService.List].
//
//	GET /projects/:id/merge_requests/:merge_request_iid/discussions
//	GET /projects/:id/issues/:issue_iid/discussions
//	GET /projects/:id/repository/commits/:sha/discussions
func (s *DiscussionsService) All(
	ctx context.Context, owner DiscussionOwner, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*Discussion, error] {
	return all[*Discussion](ctx, s.client, discussionsOn(owner, ""), queryOf(options), opts)
}

// CreateForMergeRequest starts a discussion on a merge request, or on a line of
// its diff. The call returns [ErrBadRequest] if the diff does not have the
// hashes or the line of [CreateMergeRequestDiscussionOptions.Position].
//
//	POST /projects/:id/merge_requests/:merge_request_iid/discussions
func (s *DiscussionsService) CreateForMergeRequest(
	ctx context.Context, mergeRequest MergeRequestRef,
	options CreateMergeRequestDiscussionOptions, opts ...RequestOption,
) (*Discussion, *Response, error) {
	return do[Discussion](ctx, s.client, http.MethodPost, discussionsOn(mergeRequest, ""), jsonOf(options), opts)
}

// CreateForIssue starts a discussion on an issue.
//
//	POST /projects/:id/issues/:issue_iid/discussions
func (s *DiscussionsService) CreateForIssue(
	ctx context.Context, issue IssueRef, options CreateIssueDiscussionOptions, opts ...RequestOption,
) (*Discussion, *Response, error) {
	return do[Discussion](ctx, s.client, http.MethodPost, discussionsOn(issue, ""), jsonOf(options), opts)
}

// Reply adds a note to a discussion. This turns a single note into a thread.
// The ID of a discussion is a string, unlike other IDs.
//
//	POST /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes
//	POST /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes
func (s *DiscussionsService) Reply(
	ctx context.Context, owner ReplyOwner, discussionID string, options ReplyOptions, opts ...RequestOption,
) (*Note, *Response, error) {
	return do[Note](ctx, s.client, http.MethodPost,
		discussionsOn(owner, discussionNotes, discussionID), jsonOf(options), opts)
}

// Resolve resolves a discussion on a merge request with all of its notes. The
// caller must be the author of the merge request or have the Developer role.
//
//	PUT /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id
func (s *DiscussionsService) Resolve(
	ctx context.Context, mergeRequest MergeRequestRef, discussionID string, opts ...RequestOption,
) (*Discussion, *Response, error) {
	return do[Discussion](ctx, s.client, http.MethodPut,
		discussionsOn(mergeRequest, oneDiscussion, discussionID), jsonOf(resolvedBody{Resolved: true}), opts)
}

// Reopen reopens a resolved discussion on a merge request with all of its
// notes. The caller must be the author of the merge request or have the
// Developer role.
//
//	PUT /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id
func (s *DiscussionsService) Reopen(
	ctx context.Context, mergeRequest MergeRequestRef, discussionID string, opts ...RequestOption,
) (*Discussion, *Response, error) {
	return do[Discussion](ctx, s.client, http.MethodPut,
		discussionsOn(mergeRequest, oneDiscussion, discussionID), jsonOf(resolvedBody{Resolved: false}), opts)
}

// UpdateNote changes the body of a note in a discussion on a merge request, or
// resolves or reopens it.
//
//	PUT /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes/:note_id
func (s *DiscussionsService) UpdateNote(
	ctx context.Context, mergeRequest MergeRequestRef, discussionID string, noteID int64,
	options UpdateDiscussionNoteOptions, opts ...RequestOption,
) (*Note, *Response, error) {
	return do[Note](ctx, s.client, http.MethodPut,
		discussionsOn(mergeRequest, discussionNote, discussionID, noteID),
		jsonOf(options), opts)
}

// DeleteNote removes a note from a discussion on a merge request.
//
//	DELETE /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes/:note_id
func (s *DiscussionsService) DeleteNote(
	ctx context.Context, mergeRequest MergeRequestRef, discussionID string, noteID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, s.client, http.MethodDelete,
		discussionsOn(mergeRequest, discussionNote, discussionID, noteID), nil, opts)
}

// CreateMergeRequestDiscussionOptions describes a new discussion on a merge
// request. Body is required.
type CreateMergeRequestDiscussionOptions struct {
	// Body is Markdown, of at most 1,000,000 characters.
	Body string `json:"body"`
	// CreatedAt backdates the note. It requires an administrator or an owner. Nil
	// means now.
	CreatedAt *time.Time `json:"created_at,omitzero"`
	// CommitID is the hash of a commit of the merge request that the discussion is
	// about. Nil means the whole merge request.
	CommitID *string `json:"commit_id,omitzero"`
	// Position is the line of the diff, or the point of an image, that the
	// discussion is on. Nil means none.
	Position *DiffPosition `json:"position,omitzero"`
}

// CreateIssueDiscussionOptions describes a new discussion on an issue. Body is
// required.
type CreateIssueDiscussionOptions struct {
	// Body is Markdown, of at most 1,000,000 characters.
	Body string `json:"body"`
	// CreatedAt backdates the note. It requires an administrator or an owner. Nil
	// means now.
	CreatedAt *time.Time `json:"created_at,omitzero"`
}

// ReplyOptions describes a reply in a discussion. Body is required.
type ReplyOptions struct {
	// Body is Markdown, of at most 1,000,000 characters.
	Body string `json:"body"`
	// CreatedAt backdates the note. It requires an administrator or an owner. Nil
	// means now.
	CreatedAt *time.Time `json:"created_at,omitzero"`
}

// UpdateDiscussionNoteOptions changes a note in a discussion. Set exactly one
// of the fields; otherwise the call returns an [*ArgumentError].
type UpdateDiscussionNoteOptions struct {
	// Body is Markdown, of at most 1,000,000 characters.
	Body *string `json:"body,omitzero"`
	// Resolved resolves the note if it is true, and reopens it if it is false.
	Resolved *bool `json:"resolved,omitzero"`
}

func (o UpdateDiscussionNoteOptions) check() error {
	if (o.Body == nil) == (o.Resolved == nil) {
		return &ArgumentError{Argument: "options", Problem: "must have exactly one of Body and Resolved"}
	}
	return nil
}

// resolvedBody is the body of a call that resolves or reopens.
type resolvedBody struct {
	Resolved bool `json:"resolved"`
}

// PositionType is a kind of [DiffPosition].
type PositionType string

// Kinds of positions in a diff.
const (
	PositionTypeText  PositionType = "text"
	PositionTypeImage PositionType = "image"
	// PositionTypeFile is a changed file as a whole. Since 16.4.
	PositionTypeFile PositionType = "file"
)

// Discussion is a thread of notes.
type Discussion struct {
	// ID is a string, unlike other IDs.
	ID string `json:"id"`
	// IndividualNote reports whether this is a single note without replies.
	IndividualNote bool `json:"individual_note"`
	// Notes are in the order in which they were written.
	Notes []*Note `json:"notes"`
}

// DiffPosition is a place in a diff: a line, a range of lines or a point of an
// image. BaseSHA, StartSHA, HeadSHA and PositionType are required; the hashes
// are those of the newest [DiffVersion], or of [MergeRequestDetails.DiffRefs].
// For a line, NewPath and OldPath are also required, and NewLine for a line
// that was added, OldLine for one that was removed, and both for one that was
// not changed.
type DiffPosition struct {
	BaseSHA      string       `json:"base_sha"`
	StartSHA     string       `json:"start_sha"`
	HeadSHA      string       `json:"head_sha"`
	PositionType PositionType `json:"position_type"`
	// OldPath and NewPath differ only if the file was renamed.
	OldPath string `json:"old_path,omitzero"`
	NewPath string `json:"new_path,omitzero"`
	// OldLine is nil for a line that was added. Lines are counted from 1.
	OldLine *int `json:"old_line"`
	// NewLine is nil for a line that was removed.
	NewLine *int `json:"new_line"`
	// LineRange is nil if the position is a single line.
	LineRange *DiffLineRange `json:"line_range"`
	// Width is the width of an image in pixels, nil for a line.
	Width *int `json:"width,omitzero"`
	// Height is the height of an image in pixels, nil for a line.
	Height *int `json:"height,omitzero"`
	// X is a point in an image, in pixels from the left, nil for a line.
	X *float64 `json:"x,omitzero"`
	// Y is a point in an image, in pixels from the top, nil for a line.
	Y *float64 `json:"y,omitzero"`
}

// DiffLineRange is a range of lines of a diff. It includes both ends, which are
// required.
type DiffLineRange struct {
	// Start and End are the first and the last line, nil if the service does not
	// send them.
	Start *DiffLineRangeEnd `json:"start"`
	End   *DiffLineRangeEnd `json:"end"`
}

// DiffLineRangeEnd is one end of a [DiffLineRange]. LineCode and Type are required.
type DiffLineRangeEnd struct {
	// LineCode is what [LineCode] returns for the line.
	LineCode string `json:"line_code"`
	// Type says on which side of the diff the line is.
	Type LineType `json:"type"`
	// OldLine is nil for a line that was added.
	OldLine *int `json:"old_line"`
	// NewLine is nil for a line that was removed.
	NewLine *int `json:"new_line"`
}

// LineCode returns the name of a line of a diff, made from the path of the file
// and the numbers of the line before and after the change.
func LineCode(path string, oldLine, newLine int) string {
	sum := sha1.Sum([]byte(path))
	return hex.EncodeToString(sum[:]) + "_" + strconv.Itoa(oldLine) + "_" + strconv.Itoa(newLine)
}
