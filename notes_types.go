package serviceapi

import (
	"encoding/json"
	"time"
)

// NoteableType is the kind of object that a note is on.
type NoteableType string

// Kinds of objects that notes are on. The service may send others.
const (
	NoteableIssue        NoteableType = "Issue"
	NoteableMergeRequest NoteableType = "MergeRequest"
)

// Note is a comment, or a record of a change that the service wrote. Notes on
// snippets and epics may come in a shorter form, without the fields from Body
// to Resolvable.
type Note struct {
	ID int64 `json:"id"`
	// Body is Markdown.
	Body string `json:"body"`
	// Attachment is the address of a file, nil if there is none.
	Attachment *string `json:"attachment"`
	// System marks a note that the service wrote about a change.
	System       bool         `json:"system"`
	NoteableType NoteableType `json:"noteable_type"`
	// NoteableID is the ID of what the note is on, NoteableIID its number in its
	// project or group; 0 if it has none.
	NoteableID  int64 `json:"noteable_id"`
	NoteableIID int64 `json:"noteable_iid"`
	// Resolvable reports whether the note belongs to a discussion that can be
	// resolved.
	Resolvable bool `json:"resolvable"`

	// Confidential notes are visible to fewer people; the service decides to whom.
	Confidential bool `json:"confidential"`
	// Author is nil if the account no longer exists.
	Author    *NoteAuthor `json:"author"`
	CreatedAt *time.Time  `json:"created_at"`
	UpdatedAt *time.Time  `json:"updated_at"`

	// Title, FileName and ExpiresAt are filled only in the shorter form. ExpiresAt
	// is nil if the note does not expire.
	Title     string `json:"title"`
	FileName  string `json:"file_name"`
	ExpiresAt *Date  `json:"expires_at"`
}

// NoteAuthor is the author of a note. AvatarURL and WebURL are missing in some
// responses, Email and CreatedAt in others.
type NoteAuthor struct {
	UserSummary
	Email     string     `json:"email"`
	CreatedAt *time.Time `json:"created_at"`
}

// CreatedNote is what the service made of a new note. Nearly always that is a
// note. But a body of nothing but an award emoji (":thumbsup:") creates a
// reaction, and one of nothing but quick actions ("/close") may create neither.
// Nothing of the response is lost:
//
//	created, _, err := client.Notes.CreateForIssue(ctx, issue, options)
//	switch {
//	case err != nil:
//	case created.Note != nil:  // a note
//	case created.Award != nil: // a reaction to the issue
//	default:                   // created.Extra says what happened
//	}
type CreatedNote struct {
	// Note is nil if no note was created.
	Note *Note
	// Award is nil unless the body was an award emoji.
	Award *AwardEmoji
	// Extra holds the members of the response that Award has no field for. It is
	// nil if Note is not.
	Extra map[string]json.RawMessage
}

// AwardEmoji is a reaction to an issue, a merge request, a snippet or an epic.
// The service does not document its fields: those that it leaves out are zero.
type AwardEmoji struct {
	ID int64 `json:"id"`
	// Name of the emoji, without colons: "thumbsup".
	Name string `json:"name"`
	// User is who reacted.
	User      *UserSummary `json:"user"`
	CreatedAt *time.Time   `json:"created_at"`
	UpdatedAt *time.Time   `json:"updated_at"`
	// AwardableID is the ID of what was reacted to, AwardableType its type, such
	// as "Issue".
	AwardableID   int64  `json:"awardable_id"`
	AwardableType string `json:"awardable_type"`
}

// createdAnswer takes in every object that may answer a new note.
type createdAnswer struct {
	Note
	Name          string                     `json:"name"`
	User          *UserSummary               `json:"user"`
	AwardableID   int64                      `json:"awardable_id"`
	AwardableType string                     `json:"awardable_type"`
	Extra         map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON decodes the members that have a field, and keeps the others.
func (a *createdAnswer) UnmarshalJSON(data []byte) error {
	type plain createdAnswer
	var p plain
	extra, err := decodeWithExtra(data, &p)
	*a = createdAnswer(p)
	a.Extra = extra
	return err
}

// created tells the objects apart: every note has an author or a body, and
// every reaction the name of its emoji.
func (a *createdAnswer) created() *CreatedNote {
	switch {
	case a == nil:
		return nil
	case a.Author != nil || a.Body != "":
		return &CreatedNote{Note: &a.Note}
	case a.Name == "":
		return &CreatedNote{Extra: a.Extra}
	}
	return &CreatedNote{Extra: a.Extra, Award: &AwardEmoji{
		ID: a.ID, Name: a.Name, User: a.User, CreatedAt: a.CreatedAt, UpdatedAt: a.UpdatedAt,
		AwardableID: a.AwardableID, AwardableType: a.AwardableType,
	}}
}

// NoteOrder is an order of a list of notes.
type NoteOrder string

// Orders of a list of notes.
const (
	NotesByCreatedAt NoteOrder = "created_at"
	NotesByUpdatedAt NoteOrder = "updated_at"
)

// ListNotesOptions selects a page of notes and their order.
type ListNotesOptions struct {
	ListOptions
	// OrderBy is [NotesByCreatedAt] by default.
	OrderBy NoteOrder `url:"order_by,omitempty"`
	// Sort is [SortDescending] by default.
	Sort SortDirection `url:"sort,omitempty"`
}

// CreateIssueNoteOptions is a new note on an issue. Body is required.
type CreateIssueNoteOptions struct {
	// Body is Markdown, of at most 1,000,000 characters.
	Body string `json:"body"`
	// Confidential restricts who can see the note. Nil means false.
	Confidential *bool `json:"confidential,omitzero"`
	// CreatedAt backdates the note, to any time after 1970-01-01. This requires an
	// administrator or an owner of the project. Nil means now.
	CreatedAt *time.Time `json:"created_at,omitzero"`
}

// UpdateIssueNoteOptions changes a note on an issue. Nil fields are left
// unchanged.
type UpdateIssueNoteOptions struct {
	// Body is Markdown, of at most 1,000,000 characters.
	Body *string `json:"body,omitzero"`
	// Confidential restricts who can see the note, or lifts the restriction.
	//
	// Deprecated: say so when the note is created. The service plans to take the
	// change away in release 16.0, without a replacement.
	Confidential *bool `json:"confidential,omitzero"`
}

// CreateSnippetNoteOptions is a new note on a snippet. Body is required.
type CreateSnippetNoteOptions struct {
	// Body is Markdown, of at most 1,000,000 characters.
	Body string `json:"body"`
	// CreatedAt is as in [CreateIssueNoteOptions].
	CreatedAt *time.Time `json:"created_at,omitzero"`
}

// UpdateSnippetNoteOptions changes a note on a snippet. Body is required.
type UpdateSnippetNoteOptions struct {
	// Body is Markdown, of at most 1,000,000 characters.
	Body string `json:"body"`
}

// CreateMergeRequestNoteOptions is a new note on a merge request. Body is
// required.
type CreateMergeRequestNoteOptions struct {
	// Body is Markdown, of at most 1,000,000 characters.
	Body string `json:"body"`
	// CreatedAt is as in [CreateIssueNoteOptions].
	CreatedAt *time.Time `json:"created_at,omitzero"`
	// MergeRequestDiffSHA is the head commit of the merge request. It is required
	// if Body has the quick action /merge, so that nothing is merged that the
	// caller has not seen.
	MergeRequestDiffSHA *string `json:"merge_request_diff_sha,omitzero"`
}

// UpdateMergeRequestNoteOptions changes a note on a merge request. Body is
// required.
type UpdateMergeRequestNoteOptions struct {
	// Body is Markdown, of at most 1,000,000 characters.
	Body string `json:"body"`
	// Confidential restricts who can see the note, or lifts the restriction.
	//
	// Deprecated: say so when the note is created. The service plans to take the
	// change away in release 16.0, without a replacement.
	Confidential *bool `json:"confidential,omitzero"`
}

// CreateEpicNoteOptions is a new note on an epic. Body is required.
type CreateEpicNoteOptions struct {
	// Body is Markdown, of at most 1,000,000 characters.
	Body string `json:"body"`
	// Confidential restricts who can see the note. Nil means false.
	Confidential *bool `json:"confidential,omitzero"`
	// CreatedAt backdates the note, to any time after 1970-01-01. This requires an
	// administrator or an owner of the group. Nil means now.
	CreatedAt *time.Time `json:"created_at,omitzero"`
}

// UpdateEpicNoteOptions changes a note on an epic. Body is required.
type UpdateEpicNoteOptions struct {
	// Body is Markdown, of at most 1,000,000 characters.
	Body string `json:"body"`
	// Confidential restricts who can see the note, or lifts the restriction.
	//
	// Deprecated: say so when the note is created. The service plans to take the
	// change away in release 16.0, without a replacement.
	Confidential *bool `json:"confidential,omitzero"`
}
