package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// AwardEmojiService manages reactions, which the service calls award emoji. The owner is
// an [IssueRef], a [MergeRequestRef], a [SnippetRef] or an [EpicRef], or a [NoteRef] for a
// comment on one of these. An epic is identified by its number in the group (IID), also for
// its comments, and needs Premium.
//
// Since 15.2, reactions to public objects can be read without a credential. Reacting
// requires the Guest role. A reaction to an issue or a merge request marks the caller's
// pending to-do items on it as done.
//
// Its options are [CreateAwardEmojiOptions] and [ListOptions]. See the example
// AwardEmojiCreate in collaboration_test.go of [example.com/serviceapi/examples/recipes].
type AwardEmojiService service

// AwardEmojiOwner is an owner of reactions: an [IssueRef], a [MergeRequestRef], a
// [SnippetRef], an [EpicRef] or a [NoteRef] in one of these.
type AwardEmojiOwner interface{ hasAwardEmoji() }

func (IssueRef) hasAwardEmoji()        {}
func (MergeRequestRef) hasAwardEmoji() {}
func (SnippetRef) hasAwardEmoji()      {}
func (EpicRef) hasAwardEmoji()         {}
func (NoteRef) hasAwardEmoji()         {}

func awardEmojiOn(owner AwardEmojiOwner, suffix string, args ...any) Endpoint {
	return belowIID(owner, "/award_emoji"+suffix, args...)
}

const oneAwardEmoji = "/:award_id"

// List returns one page of reactions, oldest first.
//
//	GET /projects/:id/issues/:issue_iid/award_emoji
//	GET /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji
//	GET /projects/:id/merge_requests/:merge_request_iid/award_emoji
//	GET /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji
//	GET /projects/:id/snippets/:snippet_id/award_emoji
//	GET /projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji
//	GET /groups/:id/epics/:epic_iid/award_emoji
//	GET /groups/:id/epics/:epic_iid/notes/:note_id/award_emoji
func (s *AwardEmojiService) List(
	ctx context.Context, owner AwardEmojiOwner, options *ListOptions, opts ...RequestOption,
) ([]*AwardEmoji, *Response, error) {
	return list[*AwardEmoji](ctx, using(s), awardEmojiOn(owner, ""), queryOf(options), opts)
}

// All returns every reaction, oldest first.
//
//	GET /projects/:id/issues/:issue_iid/award_emoji
//	GET /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji
//	GET /projects/:id/merge_requests/:merge_request_iid/award_emoji
//	GET /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji
//	GET /projects/:id/snippets/:snippet_id/award_emoji
//	GET /projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji
//	GET /groups/:id/epics/:epic_iid/award_emoji
//	GET /groups/:id/epics/:epic_iid/notes/:note_id/award_emoji
func (s *AwardEmojiService) All(
	ctx context.Context, owner AwardEmojiOwner, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*AwardEmoji, error] {
	return all[*AwardEmoji](ctx, using(s), awardEmojiOn(owner, ""), queryOf(options), opts)
}

// Get returns a reaction.
//
//	GET /projects/:id/issues/:issue_iid/award_emoji/:award_id
//	GET /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji/:award_id
//	GET /projects/:id/merge_requests/:merge_request_iid/award_emoji/:award_id
//	GET /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji/:award_id
//	GET /projects/:id/snippets/:snippet_id/award_emoji/:award_id
//	GET /projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji/:award_id
//	GET /groups/:id/epics/:epic_iid/award_emoji/:award_id
//	GET /groups/:id/epics/:epic_iid/notes/:note_id/award_emoji/:award_id
func (s *AwardEmojiService) Get(
	ctx context.Context, owner AwardEmojiOwner, awardID int64, opts ...RequestOption,
) (*AwardEmoji, *Response, error) {
	return do[AwardEmoji](ctx, using(s), http.MethodGet, awardEmojiOn(owner, oneAwardEmoji, awardID), nil, opts)
}

// Create adds a reaction of the caller. Every refusal is [ErrNotFound], even for an unknown
// name and for an emoji that the caller has already used here; the error message says
// which. The result has the main name of the emoji: "thumbsup" for "+1".
//
//	POST /projects/:id/issues/:issue_iid/award_emoji
//	POST /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji
//	POST /projects/:id/merge_requests/:merge_request_iid/award_emoji
//	POST /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji
//	POST /projects/:id/snippets/:snippet_id/award_emoji
//	POST /projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji
//	POST /groups/:id/epics/:epic_iid/award_emoji
//	POST /groups/:id/epics/:epic_iid/notes/:note_id/award_emoji
func (s *AwardEmojiService) Create(
	ctx context.Context, owner AwardEmojiOwner, options CreateAwardEmojiOptions, opts ...RequestOption,
) (*AwardEmoji, *Response, error) {
	return do[AwardEmoji](ctx, using(s), http.MethodPost, awardEmojiOn(owner, ""), jsonOf(options), opts)
}

// Delete removes a reaction of the caller. Only an administrator can remove the reactions
// of others: for everybody else, the call returns [ErrUnauthorized].
//
//	DELETE /projects/:id/issues/:issue_iid/award_emoji/:award_id
//	DELETE /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji/:award_id
//	DELETE /projects/:id/merge_requests/:merge_request_iid/award_emoji/:award_id
//	DELETE /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji/:award_id
//	DELETE /projects/:id/snippets/:snippet_id/award_emoji/:award_id
//	DELETE /projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji/:award_id
//	DELETE /groups/:id/epics/:epic_iid/award_emoji/:award_id
//	DELETE /groups/:id/epics/:epic_iid/notes/:note_id/award_emoji/:award_id
func (s *AwardEmojiService) Delete(
	ctx context.Context, owner AwardEmojiOwner, awardID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, awardEmojiOn(owner, oneAwardEmoji, awardID), nil, opts)
}

// CreateAwardEmojiOptions describes a new reaction. Name is required.
type CreateAwardEmojiOptions struct {
	// Name is the name of an emoji, without colons: "thumbsup".
	Name string `json:"name" required:"true"`
}

// AwardEmoji is a reaction to an issue, a merge request, a snippet, an epic or a comment.
type AwardEmoji struct {
	ID int64 `json:"id"`
	// Name is the name of the emoji, without colons: "thumbsup".
	Name string `json:"name"`
	// User is the user who reacted, nil if the user was deleted.
	User      *UserSummary `json:"user"`
	CreatedAt time.Time    `json:"created_at"`
	UpdatedAt time.Time    `json:"updated_at"`
	// AwardableID is the global ID of the object that has the reaction, and AwardableType
	// its type, such as "Issue" or "Note".
	AwardableID   int64  `json:"awardable_id"`
	AwardableType string `json:"awardable_type"`
	// URL is the address of the image of a custom emoji. It is empty for other emoji, and
	// in older releases.
	URL string `json:"url"`
}
