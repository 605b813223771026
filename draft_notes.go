package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// DraftNotesService manages draft notes: the comments of a review of a merge request,
// which only their author sees until they are published. Publishing them together sends
// one email instead of one for each.
//
// Draft notes were added in 15.9, updating them in 15.10, and publishing all of them in
// 15.11.
//
// Its options are [CreateDraftNoteOptions], [ListOptions], [PublishDraftNotesOptions] and
// [UpdateDraftNoteOptions]. See recipe 16 of docs/cookbook.md, the example ReviewOnce of
// [example.com/serviceapi/examples/recipes].
type DraftNotesService service

func draftNotesOn(mergeRequest MergeRequestRef, suffix string, args ...any) Endpoint {
	return below(mergeRequest, "/draft_notes"+suffix, args...)
}

const oneDraftNote = "/:draft_note_id"

// List returns the draft notes of the caller. The service sends all of them
// and ignores the options.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/draft_notes
func (s *DraftNotesService) List(
	ctx context.Context, mergeRequest MergeRequestRef, options *ListOptions, opts ...RequestOption,
) ([]*DraftNote, *Response, error) {
	return list[*DraftNote](ctx, using(s), draftNotesOn(mergeRequest, ""), queryOf(options), opts)
}

// All returns the draft notes of the caller.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/draft_notes
func (s *DraftNotesService) All(
	ctx context.Context, mergeRequest MergeRequestRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*DraftNote, error] {
	return all[*DraftNote](ctx, using(s), draftNotesOn(mergeRequest, ""), queryOf(options), opts)
}

// Get returns a draft note. The call returns [ErrNotFound] for a draft note of another
// user.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id
func (s *DraftNotesService) Get(
	ctx context.Context, mergeRequest MergeRequestRef, draftNoteID int64, opts ...RequestOption,
) (*DraftNote, *Response, error) {
	return do[DraftNote](ctx, using(s), http.MethodGet,
		draftNotesOn(mergeRequest, oneDraftNote, draftNoteID), nil, opts)
}

// Create adds a draft note. The call returns [ErrBadRequest] if the discussion does not
// exist, if the caller may not resolve it, or if the position is not in the diff.
//
//	POST /projects/:id/merge_requests/:merge_request_iid/draft_notes
func (s *DraftNotesService) Create(
	ctx context.Context, mergeRequest MergeRequestRef, options CreateDraftNoteOptions, opts ...RequestOption,
) (*DraftNote, *Response, error) {
	return do[DraftNote](ctx, using(s), http.MethodPost, draftNotesOn(mergeRequest, ""), jsonOf(options), opts)
}

// Update changes the text and the position of a draft note.
//
//	PUT /projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id
func (s *DraftNotesService) Update(
	ctx context.Context, mergeRequest MergeRequestRef, draftNoteID int64,
	options UpdateDraftNoteOptions, opts ...RequestOption,
) (*DraftNote, *Response, error) {
	return do[DraftNote](ctx, using(s), http.MethodPut,
		draftNotesOn(mergeRequest, oneDraftNote, draftNoteID), jsonOf(options), opts)
}

// Delete removes a draft note.
//
//	DELETE /projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id
func (s *DraftNotesService) Delete(
	ctx context.Context, mergeRequest MergeRequestRef, draftNoteID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		draftNotesOn(mergeRequest, oneDraftNote, draftNoteID), nil, opts)
}

// Publish turns a draft note into a note, which has another ID. A reply resolves
// its discussion if the draft says so, and reopens it otherwise.
//
//	PUT /projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id/publish
func (s *DraftNotesService) Publish(
	ctx context.Context, mergeRequest MergeRequestRef, draftNoteID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPut,
		draftNotesOn(mergeRequest, oneDraftNote+"/publish", draftNoteID), nil, opts)
}

// PublishAll publishes all draft notes of the caller as one review. It also succeeds if
// there are none.
//
//	POST /projects/:id/merge_requests/:merge_request_iid/draft_notes/bulk_publish
func (s *DraftNotesService) PublishAll(
	ctx context.Context, mergeRequest MergeRequestRef, options PublishDraftNotesOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost, draftNotesOn(mergeRequest, "/bulk_publish"), jsonOf(options), opts)
}

// CreateDraftNoteOptions describes a new draft note. Note is required.
type CreateDraftNoteOptions struct {
	// Note is Markdown, of at most 1,000,000 characters.
	Note string `json:"note" required:"true"`
	// CommitID is the hash of the commit of the merge request that the note is about. Nil
	// means the whole merge request.
	CommitID *string `json:"commit_id,omitzero"`
	// InReplyToDiscussionID is the discussion that the note replies to. Nil starts a new
	// discussion.
	InReplyToDiscussionID *string `json:"in_reply_to_discussion_id,omitzero"`
	// ResolveDiscussion resolves that discussion when the note is published. The
	// default is false, which reopens it.
	ResolveDiscussion *bool `json:"resolve_discussion,omitzero"`
	// Position is the line of the diff, or the point of an image, that the note is on.
	// Nil means none. Since 16.3.
	Position *DiffPosition `json:"position,omitzero"`
}

// UpdateDraftNoteOptions changes a draft note. Note is required.
type UpdateDraftNoteOptions struct {
	// Note is Markdown, of at most 1,000,000 characters.
	Note string `json:"note" required:"true"`
	// Position is the place of the note in the diff. Nil removes the note from the diff.
	Position *DiffPosition `json:"position,omitzero"`
}

// PublishDraftNotesOptions adds a summary and an outcome to a review. Releases before
// 19.2 ignore them.
type PublishDraftNotesOptions struct {
	// Note is the summary of the review, in Markdown.
	Note *string `json:"note,omitzero"`
	// Internal hides the summary from everybody below the Reporter role.
	Internal *bool `json:"internal,omitzero"`
	// ReviewerState is the outcome of the review.
	ReviewerState *ReviewerState `json:"reviewer_state,omitzero"`
}

// ReviewerState is the outcome of a reviewer's review of a merge request.
type ReviewerState string

// Outcomes of a review. The service may know others.
const (
	ReviewerStateReviewed         ReviewerState = "reviewed"
	ReviewerStateRequestedChanges ReviewerState = "requested_changes"
	ReviewerStateApproved         ReviewerState = "approved"
)

// DraftNote is a comment of a review that has not been published yet.
type DraftNote struct {
	ID             int64 `json:"id"`
	AuthorID       int64 `json:"author_id"`
	MergeRequestID int64 `json:"merge_request_id"`
	// ResolveDiscussion reports whether publishing the note resolves its discussion.
	ResolveDiscussion bool `json:"resolve_discussion"`
	// DiscussionID is the discussion that the note replies to, "" if it starts one.
	DiscussionID string `json:"discussion_id"`
	// Note is the text, in Markdown.
	Note string `json:"note"`
	// CommitID is the hash of the commit that the note is about, empty if there is none.
	CommitID string `json:"commit_id"`
	// LineCode identifies the line, as returned by the function [LineCode]. It is empty
	// for a note that is not on a line.
	LineCode string `json:"line_code"`
	// Position is the place of the note in the diff. It has no hashes if the note is not
	// on the diff, and is nil if the service does not send it.
	Position *DiffPosition `json:"position"`
}
