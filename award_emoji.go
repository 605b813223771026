package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// AwardEmojiService manages reactions, which the service calls award emoji. The owner is
// an [IssueRef], a [MergeRequestRef] or a [SnippetRef], or a [NoteRef] for a comment on
// one of these.
//
// What is public can be read without a credential, since 15.2. Reacting requires the Guest
// role. A reaction to an issue or a merge request marks the caller's pending to-do items
// on it as done.
type AwardEmojiService service

// AwardEmojiOwner is what can have reactions: an [IssueRef], a [MergeRequestRef], a
// [SnippetRef] or a [NoteRef] in one of these.
type AwardEmojiOwner interface{ hasAwardEmoji() }

func (IssueRef) hasAwardEmoji()        {}
func (MergeRequestRef) hasAwardEmoji() {}
func (SnippetRef) hasAwardEmoji()      {}
func (NoteRef) hasAwardEmoji()         {}

func awardEmojiOn(owner AwardEmojiOwner, suffix string, args ...any) Endpoint {
	if note, ok := owner.(NoteRef); ok && kindOfOwner(note.owner) == "epic" {
		return Endpoint{template: suffix, err: badArgument("owner", "is a note on an epic")}
	}
	return below(owner, "/award_emoji"+suffix, args...)
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
func (s *AwardEmojiService) List(
	ctx context.Context, owner AwardEmojiOwner, options *ListOptions, opts ...RequestOption,
) ([]*AwardEmoji, *Response, error) {
	return list[*AwardEmoji](ctx, s.client, awardEmojiOn(owner, ""), queryOf(options), opts)
}

// All returns every reaction, oldest first.
//
//	GET /projects/:id/issues/:issue_iid/award_emoji
//	GET /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji
//	GET /projects/:id/merge_requests/:merge_request_iid/award_emoji
//	GET /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji
//	GET /projects/:id/snippets/:snippet_id/award_emoji
//	GET /projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji
func (s *AwardEmojiService) All(
	ctx context.Context, owner AwardEmojiOwner, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*AwardEmoji, error] {
	return all[*AwardEmoji](ctx, s.client, awardEmojiOn(owner, ""), queryOf(options), opts)
}

// Get returns a reaction.
//
//	GET /projects/:id/issues/:issue_iid/award_emoji/:award_id
//	GET /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji/:award_id
//	GET /projects/:id/merge_requests/:merge_request_iid/award_emoji/:award_id
//	GET /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji/:award_id
//	GET /projects/:id/snippets/:snippet_id/award_emoji/:award_id
//	GET /projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji/:award_id
func (s *AwardEmojiService) Get(
	ctx context.Context, owner AwardEmojiOwner, awardID int64, opts ...RequestOption,
) (*AwardEmoji, *Response, error) {
	return do[AwardEmoji](ctx, s.client, http.MethodGet, awardEmojiOn(owner, oneAwardEmoji, awardID), nil, opts)
}

// Create reacts. All refusals are [ErrNotFound], even for an emoji that the caller has
// given already and for an unknown name; the text of the error says which. The name of
// the result is the main one: "thumbsup" for "+1".
//
//	POST /projects/:id/issues/:issue_iid/award_emoji
//	POST /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji
//	POST /projects/:id/merge_requests/:merge_request_iid/award_emoji
//	POST /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji
//	POST /projects/:id/snippets/:snippet_id/award_emoji
//	POST /projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji
func (s *AwardEmojiService) Create(
	ctx context.Context, owner AwardEmojiOwner, options CreateAwardEmojiOptions, opts ...RequestOption,
) (*AwardEmoji, *Response, error) {
	return do[AwardEmoji](ctx, s.client, http.MethodPost, awardEmojiOn(owner, ""), jsonOf(options), opts)
}

// Delete removes a reaction of the caller. Those of others can be removed only by an
// administrator: the call returns [ErrUnauthorized].
//
//	DELETE /projects/:id/issues/:issue_iid/award_emoji/:award_id
//	DELETE /projects/:id/issues/:issue_iid/notes/:note_id/award_emoji/:award_id
//	DELETE /projects/:id/merge_requests/:merge_request_iid/award_emoji/:award_id
//	DELETE /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji/:award_id
//	DELETE /projects/:id/snippets/:snippet_id/award_emoji/:award_id
//	DELETE /projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji/:award_id
func (s *AwardEmojiService) Delete(
	ctx context.Context, owner AwardEmojiOwner, awardID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, s.client, http.MethodDelete, awardEmojiOn(owner, oneAwardEmoji, awardID), nil, opts)
}

// CreateAwardEmojiOptions describes a new reaction. Name is required.
type CreateAwardEmojiOptions struct {
	// Name is the name of an emoji, without colons: "thumbsup".
	Name string `json:"name"`
}

func (o CreateAwardEmojiOptions) check() error { return missing("Name", o.Name == "") }

// AwardEmoji is a reaction to an issue, a merge request, a snippet, an epic or a comment.
type AwardEmoji struct {
	ID int64 `json:"id"`
	// Name is the name of the emoji, without colons: "thumbsup".
	Name string `json:"name"`
	// User is the user who reacted, nil if the user was deleted.
	User      *UserSummary `json:"user"`
	CreatedAt time.Time    `json:"created_at"`
	UpdatedAt time.Time    `json:"updated_at"`
	// AwardableID is the ID of the object of the reaction. AwardableType is its
	// type, such as "Issue" or "Note".
	AwardableID   int64  `json:"awardable_id"`
	AwardableType string `json:"awardable_type"`
	// URL is the address of the picture of a custom emoji in later releases, and "" for
	// others.
	URL string `json:"url"`
}
