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

// DiscussionsService manages the discussions (threads of notes) on merge requests,
// issues, commits, snippets and epics. The owner of the discussions is an argument:
//
//	app := serviceapi.ProjectPath("acme/app")
//	mergeRequest := app.MergeRequest(7)
//	for thread, err := range client.Discussions.All(ctx, mergeRequest, nil) { … }
//
// Only discussions on merge requests can be resolved. The notes of the discussions
// on a commit are the comments that [CommitsService.AllComments] returns. Epics are
// Premium.
//
// Its options are [CreateDiscussionOptions], [ListOptions], [ReplyOptions] and
// [UpdateDiscussionNoteOptions]. See the example DiscussionsCreate in
// collaboration_test.go of [example.com/serviceapi/examples/recipes].
type DiscussionsService service

// DiscussionOwner is an owner of discussions: a [MergeRequestRef], an [IssueRef],
// a [CommitRef], a [SnippetRef] or an [EpicRef].
type DiscussionOwner interface{ hasDiscussions() }

func (MergeRequestRef) hasDiscussions() {}

func (IssueRef) hasDiscussions() {}

func (CommitRef) hasDiscussions() {}

func (SnippetRef) hasDiscussions() {}

func (EpicRef) hasDiscussions() {}

func discussionsOn(owner any, suffix string, args ...any) Endpoint {
	return below(owner, "/discussions"+suffix, args...)
}

const (
	oneDiscussion   = "/:discussion_id"
	discussionNotes = oneDiscussion + "/notes"
	discussionNote  = discussionNotes + "/:note_id"
)

// List returns one page of discussions, the oldest first. A note without replies is
// a discussion with one note.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/discussions
//	GET /projects/:id/issues/:issue_iid/discussions
//	GET /projects/:id/repository/commits/:sha/discussions
//	GET /projects/:id/snippets/:snippet_id/discussions
//	GET /groups/:id/epics/:epic_id/discussions
func (s *DiscussionsService) List(
	ctx context.Context, owner DiscussionOwner, options *ListOptions, opts ...RequestOption,
) ([]*Discussion, *Response, error) {
	return list[*Discussion](ctx, using(s), discussionsOn(owner, ""), queryOf(options), opts)
}

// All returns every discussion, the oldest first. See [DiscussionsService.List].
//
//	GET /projects/:id/merge_requests/:merge_request_iid/discussions
//	GET /projects/:id/issues/:issue_iid/discussions
//	GET /projects/:id/repository/commits/:sha/discussions
//	GET /projects/:id/snippets/:snippet_id/discussions
//	GET /groups/:id/epics/:epic_id/discussions
func (s *DiscussionsService) All(
	ctx context.Context, owner DiscussionOwner, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*Discussion, error] {
	return all[*Discussion](ctx, using(s), discussionsOn(owner, ""), queryOf(options), opts)
}

// Get returns a discussion. The ID of a discussion is a string, unlike other IDs.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id
//	GET /projects/:id/issues/:issue_iid/discussions/:discussion_id
//	GET /projects/:id/repository/commits/:sha/discussions/:discussion_id
//	GET /projects/:id/snippets/:snippet_id/discussions/:discussion_id
//	GET /groups/:id/epics/:epic_id/discussions/:discussion_id
func (s *DiscussionsService) Get(
	ctx context.Context, owner DiscussionOwner, discussionID string, opts ...RequestOption,
) (*Discussion, *Response, error) {
	return do[Discussion](ctx, using(s), http.MethodGet, discussionsOn(owner, oneDiscussion, discussionID), nil, opts)
}

// Create starts a discussion. On a merge request or a commit, it can be about a line of
// the diff. The call returns [ErrBadRequest] if the diff does not have the hashes or the
// line of [CreateDiscussionOptions.Position].
//
//	POST /projects/:id/merge_requests/:merge_request_iid/discussions
//	POST /projects/:id/issues/:issue_iid/discussions
//	POST /projects/:id/repository/commits/:sha/discussions
//	POST /projects/:id/snippets/:snippet_id/discussions
//	POST /groups/:id/epics/:epic_id/discussions
func (s *DiscussionsService) Create(
	ctx context.Context, owner DiscussionOwner, options CreateDiscussionOptions, opts ...RequestOption,
) (*Discussion, *Response, error) {
	return do[Discussion](ctx, using(s), http.MethodPost, discussionsOn(owner, ""), jsonFor(owner, options), opts)
}

// Reply adds a note to a discussion. This turns a single note into a thread. The call
// returns [ErrBadRequest] if the discussion cannot be replied to, such as that of a
// system note.
//
// Some bodies create something else: see [CreatedNote].
//
//	POST /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes
//	POST /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes
//	POST /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes
//	POST /projects/:id/snippets/:snippet_id/discussions/:discussion_id/notes
//	POST /groups/:id/epics/:epic_id/discussions/:discussion_id/notes
func (s *DiscussionsService) Reply(
	ctx context.Context, owner DiscussionOwner, discussionID string, options ReplyOptions, opts ...RequestOption,
) (*CreatedNote, *Response, error) {
	created, resp, err := do[createdNoteResponse](ctx, using(s), http.MethodPost,
		discussionsOn(owner, discussionNotes, discussionID), jsonOf(options), opts)
	return created.note(), resp, err
}

// Resolve resolves a discussion on a merge request with all of its notes. The
// caller must be the author of the merge request or have the Developer role.
//
//	PUT /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id
func (s *DiscussionsService) Resolve(
	ctx context.Context, mergeRequest MergeRequestRef, discussionID string, opts ...RequestOption,
) (*Discussion, *Response, error) {
	return do[Discussion](ctx, using(s), http.MethodPut,
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
	return do[Discussion](ctx, using(s), http.MethodPut,
		discussionsOn(mergeRequest, oneDiscussion, discussionID), jsonOf(resolvedBody{Resolved: false}), opts)
}

// UpdateNote changes the body of a note in a discussion. On a merge request, it can
// instead resolve or reopen the note. Only its author and members with the Maintainer
// role may change the body.
//
//	PUT /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes/:note_id
//	PUT /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes/:note_id
//	PUT /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes/:note_id
//	PUT /projects/:id/snippets/:snippet_id/discussions/:discussion_id/notes/:note_id
//	PUT /groups/:id/epics/:epic_id/discussions/:discussion_id/notes/:note_id
func (s *DiscussionsService) UpdateNote(
	ctx context.Context, owner DiscussionOwner, discussionID string, noteID int64,
	options UpdateDiscussionNoteOptions, opts ...RequestOption,
) (*Note, *Response, error) {
	return do[Note](ctx, using(s), http.MethodPut,
		discussionsOn(owner, discussionNote, discussionID, noteID), jsonFor(owner, options), opts)
}

// DeleteNote removes a note from a discussion. Only its author and members with the
// Maintainer role may do so. Deleting the last note deletes the discussion.
//
//	DELETE /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes/:note_id
//	DELETE /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes/:note_id
//	DELETE /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes/:note_id
//	DELETE /projects/:id/snippets/:snippet_id/discussions/:discussion_id/notes/:note_id
//	DELETE /groups/:id/epics/:epic_id/discussions/:discussion_id/notes/:note_id
func (s *DiscussionsService) DeleteNote(
	ctx context.Context, owner DiscussionOwner, discussionID string, noteID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		discussionsOn(owner, discussionNote, discussionID, noteID), nil, opts)
}

// CreateDiscussionOptions describes a new discussion. Body is required.
type CreateDiscussionOptions struct {
	// Body is Markdown, of at most 1,000,000 characters.
	Body string `json:"body" required:"true"`
	// CreatedAt backdates the note. It requires an administrator or an owner. Nil
	// means now.
	CreatedAt *time.Time `json:"created_at,omitzero"`
	// CommitID is the hash of the commit of the merge request that the discussion is
	// about. Nil means the whole merge request. Only for a [MergeRequestRef].
	CommitID *string `json:"commit_id,omitzero" only:"merge_request"`
	// Position is the line of the diff, or the point of an image, that the
	// discussion is on. Nil means none. Only for a [MergeRequestRef] and a [CommitRef].
	Position *DiffPosition `json:"position,omitzero" only:"merge_request,commit"`
}

// ReplyOptions describes a reply in a discussion. Body is required.
type ReplyOptions struct {
	// Body is Markdown, of at most 1,000,000 characters.
	Body string `json:"body" required:"true"`
	// CreatedAt backdates the note. It requires an administrator or an owner. Nil
	// means now.
	CreatedAt *time.Time `json:"created_at,omitzero"`
}

// UpdateDiscussionNoteOptions changes a note in a discussion. Set exactly one
// of the fields; otherwise the call returns an [*ArgumentError].
type UpdateDiscussionNoteOptions struct {
	// Body is Markdown, of at most 1,000,000 characters.
	Body *string `json:"body,omitzero"`
	// Resolved resolves the note if it is true, and reopens it if it is false. Only
	// for a [MergeRequestRef].
	Resolved *bool `json:"resolved,omitzero" only:"merge_request"`
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
// are those of the newest [DiffVersion], or of [MergeRequestDetails.DiffRefs]. For a
// commit, HeadSHA is its own hash, and the other two are that of its first parent.
// For a line, NewPath or OldPath is also required, both if the file was renamed, and
// NewLine for a line that was added, OldLine for one that was removed, and both for one
// that was not changed.
type DiffPosition struct {
	BaseSHA      string       `json:"base_sha" required:"true"`
	StartSHA     string       `json:"start_sha" required:"true"`
	HeadSHA      string       `json:"head_sha" required:"true"`
	PositionType PositionType `json:"position_type" required:"true"`
	// OldPath and NewPath differ only if the file was renamed. One of them may be empty in a
	// request, and then stands for the same path.
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

// DiffLineRange is a range of lines of a diff. It includes both ends. Both fields are
// required.
type DiffLineRange struct {
	// Start and End are the first and the last line, nil if the service does not
	// send them.
	Start *DiffLineRangeEnd `json:"start" required:"true"`
	End   *DiffLineRangeEnd `json:"end" required:"true"`
}

// DiffLineRangeEnd is one end of a [DiffLineRange]. LineCode and Type are required.
type DiffLineRangeEnd struct {
	// LineCode identifies the line. The function [LineCode] returns it.
	LineCode string `json:"line_code" required:"true"`
	// Type says on which side of the diff the line is.
	Type LineType `json:"type" required:"true"`
	// OldLine is nil for a line that was added.
	OldLine *int `json:"old_line"`
	// NewLine is nil for a line that was removed.
	NewLine *int `json:"new_line"`
}

// LineCode returns the code that identifies a line of a diff: the SHA-1 of the path
// of the file, and the numbers of the line before and after the change.
func LineCode(path string, oldLine, newLine int) string {
	sum := sha1.Sum([]byte(path))
	return hex.EncodeToString(sum[:]) + "_" + strconv.Itoa(oldLine) + "_" + strconv.Itoa(newLine)
}
