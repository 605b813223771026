package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// NotesService manages the notes (comments) on issues, snippets, merge requests
// and epics. The owner of the notes is a value:
//
//	issue := serviceapi.IssueIn(serviceapi.ProjectPath("acme/app"), 12)
//	for note, err := range client.Notes.All(ctx, issue, nil) { … }
//
// Reading and deleting work the same everywhere. Creating and updating have a
// method for each kind of owner, because the options differ: a note on an issue
// can be confidential, and a note on a merge request can name the commit that
// it is about.
//
// Changes of labels, states, milestones, weights and iterations are not system
// notes: the service records them as events, which are not listed here.
type NotesService service

// NoteOwner is an owner of notes: an [IssueRef], a [SnippetRef], a
// [MergeRequestRef] or an [EpicRef].
type NoteOwner interface{ hasNotes() }

func (IssueRef) hasNotes()        {}
func (SnippetRef) hasNotes()      {}
func (MergeRequestRef) hasNotes() {}
func (EpicRef) hasNotes()         {}

func notesOn(owner NoteOwner, suffix string, args ...any) Endpoint {
	return below(owner, "/notes"+suffix, args...)
}

const oneNote = "/:note_id"

// List returns one page of notes, the newest first unless the options set
// another order. Any page may have fewer notes than PerPage, because the
// service removes notes that the caller may not read from each page.
//
//	GET /projects/:id/issues/:issue_iid/notes
//	GET /projects/:id/snippets/:snippet_id/notes
//	GET /projects/:id/merge_requests/:merge_request_iid/notes
//	GET /groups/:id/epics/:epic_id/notes
func (s *NotesService) List(
	ctx context.Context, owner NoteOwner, options *ListNotesOptions, opts ...RequestOption,
) ([]*Note, *Response, error) {
	return list[*Note](ctx, s.client, notesOn(owner, ""), queryOf(options), opts)
}

// All returns every note, the newest first unless the options set another order.
//
//	GET /projects/:id/issues/:issue_iid/notes
//	GET /projects/:id/snippets/:snippet_id/notes
//	GET /projects/:id/merge_requests/:merge_request_iid/notes
//	GET /groups/:id/epics/:epic_id/notes
func (s *NotesService) All(
	ctx context.Context, owner NoteOwner, options *ListNotesOptions, opts ...RequestOption,
) iter.Seq2[*Note, error] {
	return all[*Note](ctx, s.client, notesOn(owner, ""), queryOf(options), opts)
}

// Get returns one note.
//
//	GET /projects/:id/issues/:issue_iid/notes/:note_id
//	GET /projects/:id/snippets/:snippet_id/notes/:note_id
//	GET /projects/:id/merge_requests/:merge_request_iid/notes/:note_id
//	GET /groups/:id/epics/:epic_id/notes/:note_id
func (s *NotesService) Get(
	ctx context.Context, owner NoteOwner, noteID int64, opts ...RequestOption,
) (*Note, *Response, error) {
	return do[Note](ctx, s.client, http.MethodGet, notesOn(owner, oneNote, noteID), nil, opts)
}

// Delete removes a note.
//
//	DELETE /projects/:id/issues/:issue_iid/notes/:note_id
//	DELETE /projects/:id/snippets/:snippet_id/notes/:note_id
//	DELETE /projects/:id/merge_requests/:merge_request_iid/notes/:note_id
//	DELETE /groups/:id/epics/:epic_id/notes/:note_id
func (s *NotesService) Delete(
	ctx context.Context, owner NoteOwner, noteID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, s.client, http.MethodDelete, notesOn(owner, oneNote, noteID), nil, opts)
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

func (s *NotesService) create(
	ctx context.Context, owner NoteOwner, options any, opts []RequestOption,
) (*CreatedNote, *Response, error) {
	answer, resp, err := do[createdAnswer](ctx, s.client, http.MethodPost, notesOn(owner, ""), jsonOf(options), opts)
	return answer.created(), resp, err
}

// UpdateForIssue changes a note on an issue.
//
//	PUT /projects/:id/issues/:issue_iid/notes/:note_id
func (s *NotesService) UpdateForIssue(
	ctx context.Context, issue IssueRef, noteID int64, options UpdateIssueNoteOptions, opts ...RequestOption,
) (*Note, *Response, error) {
	return do[Note](ctx, s.client, http.MethodPut, notesOn(issue, oneNote, noteID), jsonOf(options), opts)
}

// UpdateForSnippet changes a note on a snippet.
//
//	PUT /projects/:id/snippets/:snippet_id/notes/:note_id
func (s *NotesService) UpdateForSnippet(
	ctx context.Context, snippet SnippetRef, noteID int64, options UpdateSnippetNoteOptions, opts ...RequestOption,
) (*Note, *Response, error) {
	return do[Note](ctx, s.client, http.MethodPut, notesOn(snippet, oneNote, noteID), jsonOf(options), opts)
}

// UpdateForMergeRequest changes a note on a merge request.
//
//	PUT /projects/:id/merge_requests/:merge_request_iid/notes/:note_id
func (s *NotesService) UpdateForMergeRequest(
	ctx context.Context, mergeRequest MergeRequestRef, noteID int64,
	options UpdateMergeRequestNoteOptions, opts ...RequestOption,
) (*Note, *Response, error) {
	return do[Note](ctx, s.client, http.MethodPut, notesOn(mergeRequest, oneNote, noteID), jsonOf(options), opts)
}

// UpdateForEpic changes a note on an epic. Premium.
//
//	PUT /groups/:id/epics/:epic_id/notes/:note_id
func (s *NotesService) UpdateForEpic(
	ctx context.Context, epic EpicRef, noteID int64, options UpdateEpicNoteOptions, opts ...RequestOption,
) (*Note, *Response, error) {
	return do[Note](ctx, s.client, http.MethodPut, notesOn(epic, oneNote, noteID), jsonOf(options), opts)
}
