package serviceapi

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"time"
)

// NotesService manages the notes (comments) on issues, snippets, merge requests, epics and pages
// of wikis.
// The owner of the notes is passed as a value:
//
//	issue := serviceapi.ProjectPath("acme/app").Issue(12)
//	for note, err := range client.Notes.All(ctx, issue, nil) { … }
//
// Reading and deleting work the same everywhere. Creating and updating have a method for
// each kind of owner, because the options differ: a note on an issue can be confidential,
// and a note on a merge request can name the commit that it refers to.
//
// Changes to labels, states, milestones, weights and iterations are not system notes: the
// service records them as events, which are not listed here.
//
// Its options are [CreateEpicNoteOptions], [CreateIssueNoteOptions],
// [CreateMergeRequestNoteOptions], [CreateSnippetNoteOptions],
// [CreateWikiPageNoteOptions], [ListNotesOptions], [UpdateEpicNoteOptions],
// [UpdateIssueNoteOptions], [UpdateMergeRequestNoteOptions], [UpdateSnippetNoteOptions]
// and [UpdateWikiPageNoteOptions]. See the example NotesCreateForMergeRequest in
// repository_test.go of [example.com/serviceapi/examples/recipes].
type NotesService service

// NoteOwner is an owner of notes: an [IssueRef], a [SnippetRef], a
// [MergeRequestRef], an [EpicRef] or a [WikiPageRef].
type NoteOwner interface{ hasNotes() }

func (IssueRef) hasNotes() {}

func (SnippetRef) hasNotes() {}

func (MergeRequestRef) hasNotes() {}

func (EpicRef) hasNotes() {}

func (WikiPageRef) hasNotes() {}

func notesOn(owner NoteOwner, suffix string, args ...any) Endpoint {
	return below(owner, "/notes"+suffix, args...)
}

const oneNote = "/:note_id"

// List returns one page of notes, the newest first unless the options set another order.
// Any page may have fewer notes than PerPage, because the service leaves out notes that the
// caller may not read.
//
//	GET /projects/:id/issues/:issue_iid/notes
//	GET /projects/:id/snippets/:snippet_id/notes
//	GET /projects/:id/merge_requests/:merge_request_iid/notes
//	GET /groups/:id/epics/:epic_id/notes
//	GET /projects/:id/wiki_pages/:wiki_page_meta_id/notes
//	GET /groups/:id/wiki_pages/:wiki_page_meta_id/notes
func (s *NotesService) List(
	ctx context.Context, owner NoteOwner, options *ListNotesOptions, opts ...RequestOption,
) ([]*Note, *Response, error) {
	return list[*Note](ctx, using(s), notesOn(owner, ""), queryOf(options), opts)
}

// All returns every note, the newest first unless the options set another order.
//
//	GET /projects/:id/issues/:issue_iid/notes
//	GET /projects/:id/snippets/:snippet_id/notes
//	GET /projects/:id/merge_requests/:merge_request_iid/notes
//	GET /groups/:id/epics/:epic_id/notes
//	GET /projects/:id/wiki_pages/:wiki_page_meta_id/notes
//	GET /groups/:id/wiki_pages/:wiki_page_meta_id/notes
func (s *NotesService) All(
	ctx context.Context, owner NoteOwner, options *ListNotesOptions, opts ...RequestOption,
) iter.Seq2[*Note, error] {
	return all[*Note](ctx, using(s), notesOn(owner, ""), queryOf(options), opts)
}

// Get returns one note.
//
//	GET /projects/:id/issues/:issue_iid/notes/:note_id
//	GET /projects/:id/snippets/:snippet_id/notes/:note_id
//	GET /projects/:id/merge_requests/:merge_request_iid/notes/:note_id
//	GET /groups/:id/epics/:epic_id/notes/:note_id
//	GET /projects/:id/wiki_pages/:wiki_page_meta_id/notes/:note_id
//	GET /groups/:id/wiki_pages/:wiki_page_meta_id/notes/:note_id
func (s *NotesService) Get(
	ctx context.Context, owner NoteOwner, noteID int64, opts ...RequestOption,
) (*Note, *Response, error) {
	return do[Note](ctx, using(s), http.MethodGet, notesOn(owner, oneNote, noteID), nil, opts)
}

// Delete removes a note.
//
//	DELETE /projects/:id/issues/:issue_iid/notes/:note_id
//	DELETE /projects/:id/snippets/:snippet_id/notes/:note_id
//	DELETE /projects/:id/merge_requests/:merge_request_iid/notes/:note_id
//	DELETE /groups/:id/epics/:epic_id/notes/:note_id
//	DELETE /projects/:id/wiki_pages/:wiki_page_meta_id/notes/:note_id
//	DELETE /groups/:id/wiki_pages/:wiki_page_meta_id/notes/:note_id
func (s *NotesService) Delete(
	ctx context.Context, owner NoteOwner, noteID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, notesOn(owner, oneNote, noteID), nil, opts)
}

// CreateForIssue creates a note on an issue. Some bodies create something else:
// see [CreatedNote].
//
//	POST /projects/:id/issues/:issue_iid/notes
func (s *NotesService) CreateForIssue(
	ctx context.Context, issue IssueRef, options CreateIssueNoteOptions, opts ...RequestOption,
) (*CreatedNote, *Response, error) {
	return s.create(ctx, issue, options, opts)
}

// CreateForSnippet creates a note on a snippet. Some bodies create something
// else: see [CreatedNote].
//
//	POST /projects/:id/snippets/:snippet_id/notes
func (s *NotesService) CreateForSnippet(
	ctx context.Context, snippet SnippetRef, options CreateSnippetNoteOptions, opts ...RequestOption,
) (*CreatedNote, *Response, error) {
	return s.create(ctx, snippet, options, opts)
}

// CreateForMergeRequest creates a note on a merge request. Some bodies create
// something else: see [CreatedNote].
//
//	POST /projects/:id/merge_requests/:merge_request_iid/notes
func (s *NotesService) CreateForMergeRequest(
	ctx context.Context, mergeRequest MergeRequestRef, options CreateMergeRequestNoteOptions, opts ...RequestOption,
) (*CreatedNote, *Response, error) {
	return s.create(ctx, mergeRequest, options.body(), opts)
}

// CreateForEpic creates a note on an epic. Some bodies create something else:
// see [CreatedNote]. Premium.
//
//	POST /groups/:id/epics/:epic_id/notes
func (s *NotesService) CreateForEpic(
	ctx context.Context, epic EpicRef, options CreateEpicNoteOptions, opts ...RequestOption,
) (*CreatedNote, *Response, error) {
	return s.create(ctx, epic, options, opts)
}

// CreateForWikiPage creates a note on a page of a wiki. Some bodies create something else: see
// [CreatedNote]. Since 18.x.
//
//	POST /projects/:id/wiki_pages/:wiki_page_meta_id/notes
//	POST /groups/:id/wiki_pages/:wiki_page_meta_id/notes
func (s *NotesService) CreateForWikiPage(
	ctx context.Context, page WikiPageRef, options CreateWikiPageNoteOptions, opts ...RequestOption,
) (*CreatedNote, *Response, error) {
	return s.create(ctx, page, options, opts)
}

func (s *NotesService) create(
	ctx context.Context, owner NoteOwner, options any, opts []RequestOption,
) (*CreatedNote, *Response, error) {
	created, resp, err := do[createdNoteResponse](ctx, using(s), http.MethodPost,
		notesOn(owner, ""), jsonOf(options), opts)
	return created.note(), resp, err
}

// UpdateForIssue changes a note on an issue.
//
//	PUT /projects/:id/issues/:issue_iid/notes/:note_id
func (s *NotesService) UpdateForIssue(
	ctx context.Context, issue IssueRef, noteID int64, options UpdateIssueNoteOptions, opts ...RequestOption,
) (*Note, *Response, error) {
	return do[Note](ctx, using(s), http.MethodPut, notesOn(issue, oneNote, noteID), jsonOf(options), opts)
}

// UpdateForSnippet changes a note on a snippet.
//
//	PUT /projects/:id/snippets/:snippet_id/notes/:note_id
func (s *NotesService) UpdateForSnippet(
	ctx context.Context, snippet SnippetRef, noteID int64, options UpdateSnippetNoteOptions, opts ...RequestOption,
) (*Note, *Response, error) {
	return do[Note](ctx, using(s), http.MethodPut, notesOn(snippet, oneNote, noteID), jsonOf(options), opts)
}

// UpdateForMergeRequest changes a note on a merge request.
//
//	PUT /projects/:id/merge_requests/:merge_request_iid/notes/:note_id
func (s *NotesService) UpdateForMergeRequest(
	ctx context.Context, mergeRequest MergeRequestRef, noteID int64,
	options UpdateMergeRequestNoteOptions, opts ...RequestOption,
) (*Note, *Response, error) {
	return do[Note](ctx, using(s), http.MethodPut, notesOn(mergeRequest, oneNote, noteID), jsonOf(options), opts)
}

// UpdateForEpic changes a note on an epic. Premium.
//
//	PUT /groups/:id/epics/:epic_id/notes/:note_id
func (s *NotesService) UpdateForEpic(
	ctx context.Context, epic EpicRef, noteID int64, options UpdateEpicNoteOptions, opts ...RequestOption,
) (*Note, *Response, error) {
	return do[Note](ctx, using(s), http.MethodPut, notesOn(epic, oneNote, noteID), jsonOf(options), opts)
}

// UpdateForWikiPage changes a note on a page of a wiki. Since 18.x.
//
//	PUT /projects/:id/wiki_pages/:wiki_page_meta_id/notes/:note_id
//	PUT /groups/:id/wiki_pages/:wiki_page_meta_id/notes/:note_id
func (s *NotesService) UpdateForWikiPage(
	ctx context.Context, page WikiPageRef, noteID int64, options UpdateWikiPageNoteOptions, opts ...RequestOption,
) (*Note, *Response, error) {
	return do[Note](ctx, using(s), http.MethodPut, notesOn(page, oneNote, noteID), jsonOf(options), opts)
}

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
	Body string `json:"body" required:"true"`
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
	Body string `json:"body" required:"true"`
	// CreatedAt is as in [CreateIssueNoteOptions].
	CreatedAt *time.Time `json:"created_at,omitzero"`
}

// UpdateSnippetNoteOptions changes a note on a snippet. Body is required.
type UpdateSnippetNoteOptions struct {
	// Body is Markdown, of at most 1,000,000 characters.
	Body string `json:"body" required:"true"`
}

// CreateMergeRequestNoteOptions describes a new note on a merge request. Body
// is required.
type CreateMergeRequestNoteOptions struct {
	// Body is Markdown, of at most 1,000,000 characters.
	Body string `json:"body" required:"true"`
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
	Body string `json:"body" required:"true"`
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
	Body string `json:"body" required:"true"`
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
	Body string `json:"body" required:"true"`
	// Confidential restricts who can see the note if it is true, and lifts the
	// restriction if it is false.
	//
	// Deprecated: set it when the note is created. Releases since 14.10 may ignore
	// the change, and there is no replacement.
	Confidential *bool `json:"confidential,omitzero"`
}

// CreateWikiPageNoteOptions describes a new note on a page of a wiki. Body is required. Its fields
// are those of [CreateEpicNoteOptions]: an owner is one of the project or the group.
type CreateWikiPageNoteOptions struct {
	Body         string     `json:"body" required:"true"`
	Internal     *bool      `json:"internal,omitzero"`
	Confidential *bool      `json:"confidential,omitzero"`
	CreatedAt    *time.Time `json:"created_at,omitzero"`
}

// UpdateWikiPageNoteOptions changes a note on a page of a wiki. Body is required. Its fields are
// those of [UpdateEpicNoteOptions].
type UpdateWikiPageNoteOptions struct {
	Body string `json:"body" required:"true"`
	// Deprecated: set it when the note is created.
	Confidential *bool `json:"confidential,omitzero"`
}

// NoteableType is the kind of object that a note is on.
type NoteableType string

// Kinds of objects that can have notes. The service may send others.
const (
	NoteableTypeIssue        NoteableType = "Issue"
	NoteableTypeMergeRequest NoteableType = "MergeRequest"
	NoteableTypeCommit       NoteableType = "Commit"
	NoteableTypeSnippet      NoteableType = "Snippet"
	NoteableTypeEpic         NoteableType = "Epic"
	NoteableTypeWikiPage     NoteableType = "WikiPage::Meta"
)

// NoteType is the type of a note in a discussion.
type NoteType string

// Types of notes in discussions. The service may send others.
const (
	NoteTypeDiscussion NoteType = "DiscussionNote"
	NoteTypeDiff       NoteType = "DiffNote"
	NoteTypeLegacyDiff NoteType = "LegacyDiffNote"
)

// Note is a comment, or a record of a change that the service wrote. Notes on
// snippets and epics may have a shorter form, without the fields from Body to
// Resolvable.
type Note struct {
	ID int64 `json:"id"`
	// Type is empty for a note that is in no discussion.
	Type NoteType `json:"type"`
	// Body is Markdown.
	Body string `json:"body"`
	// Attachment is the address of a file, empty if there is none.
	Attachment string `json:"attachment"`
	// System reports whether the service wrote the note, to record a change.
	System       bool         `json:"system"`
	NoteableType NoteableType `json:"noteable_type"`
	// NoteableID is the ID of the object that the note is on. It can be nil for a note on a
	// commit, which CommitID identifies.
	NoteableID *int64 `json:"noteable_id"`
	// NoteableIID is the number of that object in its project. It is nil for a note on a
	// commit, a snippet, an epic or a page of a wiki.
	NoteableIID *int64 `json:"noteable_iid"`
	// ProjectID is the ID of the project, nil for a note on an epic or a page of a group's
	// wiki. Since about 15.11.
	ProjectID *int64 `json:"project_id"`
	// CommitID is the hash of the commit that the note is on, empty if it is not on
	// a commit.
	CommitID string `json:"commit_id"`
	// Position is the line of the diff that the note is on, nil if it is not on a
	// line.
	Position *DiffPosition `json:"position"`
	// Resolvable reports whether the note belongs to a discussion that can be
	// resolved.
	Resolvable bool `json:"resolvable"`
	// Resolved is set only if Resolvable is true.
	Resolved bool `json:"resolved"`
	// ResolvedBy is nil if the note is not resolved, and if the account no longer
	// exists.
	ResolvedBy *UserSummary `json:"resolved_by"`
	// ResolvedAt is nil if the note is not resolved.
	ResolvedAt *time.Time `json:"resolved_at"`

	// Confidential reports whether the note is visible to fewer users, which the service
	// chooses.
	Confidential bool `json:"confidential"`
	// Internal has the same meaning as Confidential, and replaces it. Since about
	// 15.5; older releases do not send it, so check both.
	Internal bool `json:"internal"`
	// Imported reports whether the note was imported. ImportedFrom says from
	// where. Since about 17.0.
	Imported     bool   `json:"imported"`
	ImportedFrom string `json:"imported_from"`
	// Author is nil if the account no longer exists.
	Author    *NoteAuthor `json:"author"`
	CreatedAt time.Time   `json:"created_at"`
	UpdatedAt time.Time   `json:"updated_at"`
	// Suggestions are the changes to the diff that the body suggests. Older releases do not
	// send them.
	Suggestions []*NoteSuggestion `json:"suggestions"`
	// CommandsChanges has what the quick actions in the body changed, keyed by the name of
	// the attribute.
	CommandsChanges map[string]json.RawMessage `json:"commands_changes"`

	// Title and FileName are set only in the shorter form.
	Title    string `json:"title"`
	FileName string `json:"file_name"`
	// ExpiresAt is nil if the note does not expire. It is set only in the shorter
	// form.
	ExpiresAt *Date `json:"expires_at"`
}

// Ref identifies the note. It is the zero reference for a note on a commit or a page of a wiki,
// which nothing belongs to, and for one on an epic, whose group the service does not send.
func (n *Note) Ref() NoteRef {
	if n == nil || n.ProjectID == nil {
		return NoteRef{}
	}
	project := ProjectID(*n.ProjectID)
	switch {
	case n.NoteableType == NoteableTypeIssue && n.NoteableIID != nil:
		return project.Issue(*n.NoteableIID).Note(n.ID)
	case n.NoteableType == NoteableTypeMergeRequest && n.NoteableIID != nil:
		return project.MergeRequest(*n.NoteableIID).Note(n.ID)
	case n.NoteableType == NoteableTypeSnippet && n.NoteableID != nil:
		return project.Snippet(*n.NoteableID).Note(n.ID)
	}
	return NoteRef{}
}

// NoteAuthor is the author of a note. It has a [UserSummary] in it. AvatarURL and WebURL are
// missing in some responses, Email and CreatedAt in others.
type NoteAuthor struct {
	UserSummary

	Email string `json:"email"`
	// CreatedAt is when the user was created, nil if the response leaves it out.
	CreatedAt *time.Time `json:"created_at"`
}

// Ref identifies the user by ID, which stays the same if the user is renamed.
func (a *NoteAuthor) Ref() UserRef { return UserID(orZero(a).ID) }

// NoteSuggestion is a change to some lines that a note on a diff suggests.
type NoteSuggestion struct {
	ID int64 `json:"id"`
	// FromLine and ToLine are the first and the last line that the suggestion
	// replaces.
	FromLine int `json:"from_line"`
	ToLine   int `json:"to_line"`
	// Appliable reports whether the suggestion can still be applied.
	Appliable bool `json:"appliable"`
	// Applied reports whether the suggestion was applied.
	Applied bool `json:"applied"`
	// FromContent are the lines that the suggestion replaces, and ToContent are
	// the new lines.
	FromContent string `json:"from_content"`
	ToContent   string `json:"to_content"`
}

// CreatedNote is what the service created for a new note. This is almost always
// a note. But a body that is just an award emoji (":thumbsup:") creates a
// reaction, and a body of only quick actions ("/close") creates neither: the
// service executes them and responds with 202. Nothing in the response is lost:
//
//	created, _, err := client.Notes.CreateForIssue(ctx, issue, note)
//	switch {
//	case err != nil:
//	case created.Note != nil:  // a note
//	case created.Award != nil: // a reaction to the issue
//	default:                   // created.Summary says what the actions did
//	}
type CreatedNote struct {
	// Note is nil if no note was created.
	Note *Note
	// Award is nil unless the body was an award emoji.
	Award *AwardEmoji
	// CommandsChanges has what the quick actions in the body changed, keyed by the name of
	// the attribute, and Summary describes the changes, one sentence each. They are set
	// only if Note and Award are nil; a note has its own CommandsChanges.
	CommandsChanges map[string]json.RawMessage
	Summary         []string
	// Extra has the members of the response that have no field here. It is nil if
	// Note is not nil.
	Extra map[string]json.RawMessage
}

// createdNoteResponse is any object that the service may send for a new note.
type createdNoteResponse struct {
	Note
	Name          string                     `json:"name"`
	User          *UserSummary               `json:"user"`
	AwardableID   int64                      `json:"awardable_id"`
	AwardableType string                     `json:"awardable_type"`
	URL           string                     `json:"url"`
	Summary       []string                   `json:"summary"`
	Extra         map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON decodes the members that have a field, and keeps the others.
func (r *createdNoteResponse) UnmarshalJSON(data []byte) error {
	type plain createdNoteResponse
	return decodeWithExtra(data, (*plain)(r), &r.Extra)
}

// note distinguishes the objects: every note has an author or a body, and
// every reaction has the name of its emoji.
func (r *createdNoteResponse) note() *CreatedNote {
	switch {
	case r == nil:
		return nil
	case r.Author != nil || r.Body != "":
		return &CreatedNote{Note: &r.Note}
	case r.Name == "":
		return &CreatedNote{CommandsChanges: r.CommandsChanges, Summary: r.Summary, Extra: r.Extra}
	}
	return &CreatedNote{Extra: r.Extra, Award: &AwardEmoji{
		ID: r.ID, Name: r.Name, User: r.User, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
		AwardableID: r.AwardableID, AwardableType: r.AwardableType, URL: r.URL,
	}}
}
