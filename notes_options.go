package serviceapi

import (
	"time"
)

// NoteOrderBy is an order of a list of notes.
type NoteOrderBy string

// Orders of a list of notes.
const (
	NoteOrderByCreatedAt NoteOrderBy = "created_at"
	NoteOrderByUpdatedAt NoteOrderBy = "updated_at"
)

// NoteActivity selects comments or system notes.
type NoteActivity string

// Filters for comments and system notes. NoteActivityAll is the default.
const (
	NoteActivityAll      NoteActivity = "all_notes"
	NoteActivityComments NoteActivity = "only_comments"
	NoteActivitySystem   NoteActivity = "only_activity"
)

// ListNotesOptions selects notes and their order.
type ListNotesOptions struct {
	ListOptions
	// ActivityFilter leaves out system notes, or all other notes. Only newer
	// releases support it; older ones ignore it and list all notes.
	ActivityFilter NoteActivity `url:"activity_filter,omitempty"`
	// OrderBy is [NoteOrderByCreatedAt] by default.
	OrderBy NoteOrderBy `url:"order_by,omitempty"`
	// Sort is [SortDescending] by default.
	Sort Sort `url:"sort,omitempty"`
}

// CreateIssueNoteOptions describes a new note on an issue. Body is required.
type CreateIssueNoteOptions struct {
	// Body is Markdown, of at most 1,000,000 characters.
	Body string `json:"body"`
	// Internal restricts who can see the note, and takes precedence over
	// Confidential. Nil means false. Since about 15.5; older releases support only
	// Confidential.
	Internal *bool `json:"internal,omitzero"`
	// Confidential restricts who can see the note. Nil means false. Deprecated by
	// the service since 15.5: use Internal if the service supports it.
	Confidential *bool `json:"confidential,omitzero"`
	// CreatedAt backdates the note, to any time after 1970-01-01. It requires an
	// administrator or an owner of the project. Nil means now.
	CreatedAt *time.Time `json:"created_at,omitzero"`
}

// UpdateIssueNoteOptions changes a note on an issue. Nil fields are left
// unchanged.
type UpdateIssueNoteOptions struct {
	// Body is Markdown, of at most 1,000,000 characters.
	Body *string `json:"body,omitzero"`
	// Confidential restricts who can see the note if it is true, and lifts the
	// restriction if it is false.
	//
	// Deprecated: set it when the note is created. Releases since 14.10 may ignore
	// the change, and there is no replacement.
	Confidential *bool `json:"confidential,omitzero"`
}

// CreateSnippetNoteOptions describes a new note on a snippet. Body is required.
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

// CreateMergeRequestNoteOptions describes a new note on a merge request. Body
// is required.
type CreateMergeRequestNoteOptions struct {
	// Body is Markdown, of at most 1,000,000 characters.
	Body string `json:"body"`
	// Internal restricts who can see the note. Nil means false. Since about 15.5.
	Internal *bool `json:"internal,omitzero"`
	// CreatedAt is as in [CreateIssueNoteOptions].
	CreatedAt *time.Time `json:"created_at,omitzero"`
	// MergeRequestDiffSHA is the head commit of the merge request. It is required
	// if Body has the quick action /merge, so that only what the caller has seen
	// is merged. It is sent under both names that the service uses for it,
	// merge_request_diff_sha and merge_request_diff_head_sha.
	MergeRequestDiffSHA *string `json:"merge_request_diff_sha,omitzero"`
}

// mergeRequestNoteBody also has the head commit under its second name.
type mergeRequestNoteBody struct {
	CreateMergeRequestNoteOptions
	MergeRequestDiffHeadSHA *string `json:"merge_request_diff_head_sha,omitzero"`
}

func (o CreateMergeRequestNoteOptions) body() mergeRequestNoteBody {
	return mergeRequestNoteBody{o, o.MergeRequestDiffSHA}
}

// UpdateMergeRequestNoteOptions changes a note on a merge request. Body is
// required.
type UpdateMergeRequestNoteOptions struct {
	// Body is Markdown, of at most 1,000,000 characters.
	Body string `json:"body"`
	// Confidential restricts who can see the note if it is true, and lifts the
	// restriction if it is false.
	//
	// Deprecated: set it when the note is created. Releases since 14.10 may ignore
	// the change, and there is no replacement.
	Confidential *bool `json:"confidential,omitzero"`
}

// CreateEpicNoteOptions describes a new note on an epic. Body is required.
type CreateEpicNoteOptions struct {
	// Body is Markdown, of at most 1,000,000 characters.
	Body string `json:"body"`
	// Internal and Confidential are as in [CreateIssueNoteOptions].
	Internal     *bool `json:"internal,omitzero"`
	Confidential *bool `json:"confidential,omitzero"`
	// CreatedAt backdates the note, to any time after 1970-01-01. It requires an
	// administrator or an owner of the group. Nil means now.
	CreatedAt *time.Time `json:"created_at,omitzero"`
}

// UpdateEpicNoteOptions changes a note on an epic. Body is required.
type UpdateEpicNoteOptions struct {
	// Body is Markdown, of at most 1,000,000 characters.
	Body string `json:"body"`
	// Confidential restricts who can see the note if it is true, and lifts the
	// restriction if it is false.
	//
	// Deprecated: set it when the note is created. Releases since 14.10 may ignore
	// the change, and there is no replacement.
	Confidential *bool `json:"confidential,omitzero"`
}
