package wiretests

import (
	"encoding/json"
	"testing"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// noteParents are all parents of notes, with the path of their notes.
var noteParents = []struct {
	parent serviceapi.NoteOwner
	path   string
}{
	{serviceapi.ProjectPath("acme/app").Issue(12), "/projects/acme%2Fapp/issues/12/notes"},
	{serviceapi.ProjectID(7).Snippet(3), "/projects/7/snippets/3/notes"},
	{serviceapi.ProjectID(7).MergeRequest(4), "/projects/7/merge_requests/4/notes"},
	{serviceapi.GroupPath("acme/platform").EpicByID(5), "/groups/acme%2Fplatform/epics/5/notes"},
	{serviceapi.ProjectPath("acme/app").WikiPage(6), "/projects/acme%2Fapp/wiki_pages/6/notes"},
	{serviceapi.GroupPath("acme/platform").WikiPage(7), "/groups/acme%2Fplatform/wiki_pages/7/notes"},
}

// issueNote is testdata/notes/issue_note.json.
func issueNote(t *testing.T) *serviceapi.Note {
	return &serviceapi.Note{
		ID: 302, Body: "Closed on purpose.", Attachment: "/uploads/66dbcd21ec5d24ed6ea225176098d52b/screenshot.png",
		Author: &serviceapi.NoteAuthor{
			UserSummary: serviceapi.UserSummary{
				ID: 1, Username: "ada", Name: "Ada Lovelace", State: "active", Locked: true,
				PublicEmail: "ada@example.com",
				WebURL:      "https://service.test/ada",
			},
			Email: "ada@example.com", CreatedAt: at(t, "2025-12-21T13:14:24.077Z"),
		},
		CreatedAt: *at(t, "2026-03-01T10:00:00.880Z"), UpdatedAt: *at(t, "2026-03-01T10:20:00.120Z"),
		Type: serviceapi.NoteTypeDiff, System: true, NoteableID: new(int64(121)), NoteableIID: new(int64(12)),
		NoteableType: serviceapi.NoteableTypeIssue,
		ProjectID:    new(int64(7)), CommitID: "6104942438c14ec7bd21c6cd5bd995272b3faff6",
		Position: &serviceapi.DiffPosition{
			BaseSHA: "ae1d9fb46aa2b07ee9836d49862ec4e2c46fbbba", StartSHA: "ae1d9fb46aa2b07ee9836d49862ec4e2c46fbbba",
			HeadSHA: "6104942438c14ec7bd21c6cd5bd995272b3faff6", OldPath: "a.txt", NewPath: "a.txt",
			PositionType: "text", NewLine: new(3),
		},
		Resolvable: true, Resolved: true,
		ResolvedBy: &serviceapi.UserSummary{ID: 2, Username: "bob", Name: "Bob", State: "active",
			WebURL: "https://service.test/bob"},
		ResolvedAt: at(t, "2026-03-01T10:21:00Z"), Confidential: true, Internal: true, Imported: true,
		ImportedFrom:    "github",
		CommandsChanges: map[string]json.RawMessage{"state_event": json.RawMessage(`"close"`)},
	}
}

func TestNotesGet(t *testing.T) {
	for _, p := range noteParents {
		client := onWire(t, exchange{Method: "GET", Path: p.path + "/302", Fixture: "notes/issue_note.json"})
		note, _, err := client.Notes.Get(t.Context(), p.parent, 302)
		require.NoError(t, err)
		assert.Equal(t, issueNote(t), note)
	}
}

func TestNotesGetShorterForm(t *testing.T) {
	client := onWire(t, exchange{Method: "GET", Path: "/groups/7/epics/5/notes/302", Fixture: "notes/epic_note.json"})
	note, _, err := client.Notes.Get(t.Context(), serviceapi.GroupID(7).EpicByID(5), 302)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.Note{
		ID: 302, Title: "Epic note", FileName: "notes.md", ExpiresAt: new(serviceapi.NewDate(2026, time.December, 31)),
		Confidential: true,
		Author: &serviceapi.NoteAuthor{
			UserSummary: serviceapi.UserSummary{ID: 1, Username: "ada", Name: "Ada Lovelace", State: "active"},
			Email:       "ada@example.com", CreatedAt: at(t, "2025-12-21T13:14:24.077Z"),
		},
		CreatedAt: *at(t, "2026-03-01T10:00:00.880Z"), UpdatedAt: *at(t, "2026-03-01T10:20:00.120Z"),
	}, note)
}

func TestNotesNulls(t *testing.T) {
	client := onWire(t, exchange{Method: "GET", Path: "/projects/7/snippets/3/notes/1",
		Body: `{"id":1,"attachment":null,"author":null,"created_at":null,"updated_at":null,"noteable_iid":null,
			"expires_at":null,
			"type":null,"project_id":null,"commit_id":null,"position":null,"resolved_by":null,"resolved_at":null,
			"internal":null,"imported_from":null,"commands_changes":null}`})
	note, _, err := client.Notes.Get(t.Context(), serviceapi.ProjectID(7).Snippet(3), 1)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.Note{ID: 1}, note)
}

func TestNotesList(t *testing.T) {
	for _, p := range noteParents {
		client := onWire(t,
			exchange{Method: "GET", Path: p.path, Body: `[{"id":2},{"id":1}]`},
			exchange{Method: "GET", Path: p.path,
				Query: "activity_filter=only_comments&order_by=updated_at&page=2&per_page=5&sort=asc", Body: `[]`},
			exchange{Method: "GET", Path: p.path, Query: "order_by=created_at&per_page=100", Body: `[{"id":2}]`})
		notes, _, err := client.Notes.List(t.Context(), p.parent, nil)
		require.NoError(t, err)
		assert.Equal(t, []*serviceapi.Note{{ID: 2}, {ID: 1}}, notes)
		_, _, err = client.Notes.List(t.Context(), p.parent, &serviceapi.ListNotesOptions{
			ListOptions: serviceapi.ListOptions{Page: 2, PerPage: 5}, ActivityFilter: serviceapi.NoteActivityComments,
			OrderBy: serviceapi.NoteOrderByUpdatedAt, Sort: serviceapi.SortAscending,
		})
		require.NoError(t, err)
		walked, err := serviceapi.Collect(client.Notes.All(t.Context(), p.parent,
			&serviceapi.ListNotesOptions{OrderBy: serviceapi.NoteOrderByCreatedAt}))
		require.NoError(t, err)
		assert.Equal(t, []*serviceapi.Note{{ID: 2}}, walked)
	}
}

func TestNotesDelete(t *testing.T) {
	for _, p := range noteParents {
		client := onWire(t, exchange{Method: "DELETE", Path: p.path + "/302", Status: 204})
		resp, err := client.Notes.Delete(t.Context(), p.parent, 302)
		require.NoError(t, err)
		assert.Equal(t, 204, resp.StatusCode)
	}
}

func TestNotesCreate(t *testing.T) {
	past := time.Date(2020, 2, 3, 4, 5, 6, 700_000_000, time.UTC)
	posts := func(path, body string) *serviceapi.Client {
		return onWire(t, exchange{Method: "POST", Path: path, JSON: body, Status: 201,
			Fixture: "notes/issue_note.json"})
	}
	check := func(created *serviceapi.CreatedNote, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, &serviceapi.CreatedNote{Note: issueNote(t)}, created)
	}
	ctx := t.Context()
	issue, snippet := serviceapi.ProjectID(7).Issue(12), serviceapi.ProjectID(7).Snippet(3)
	mergeRequest, epic := serviceapi.ProjectID(7).MergeRequest(4), serviceapi.GroupID(9).EpicByID(5)

	check(posts("/projects/7/issues/12/notes", `{"body":"Hi"}`).Notes.
		CreateForIssue(ctx, issue, serviceapi.CreateIssueNoteOptions{Body: "Hi"}))
	check(posts("/projects/7/issues/12/notes", `{"body":"Hi","internal":false}`).Notes.
		CreateForIssue(ctx, issue, serviceapi.CreateIssueNoteOptions{Body: "Hi", Internal: new(false)}))
	check(posts("/projects/7/issues/12/notes",
		`{"body":"Hi","confidential":false,"created_at":"2020-02-03T04:05:06.7Z"}`).Notes.
		CreateForIssue(
			ctx,
			issue,
			serviceapi.CreateIssueNoteOptions{Body: "Hi", Confidential: new(false), CreatedAt: &past},
		))
	check(posts("/projects/7/snippets/3/notes", `{"body":"Hi","created_at":"2020-02-03T04:05:06.7Z"}`).Notes.
		CreateForSnippet(ctx, snippet, serviceapi.CreateSnippetNoteOptions{Body: "Hi", CreatedAt: &past}))
	check(posts("/projects/7/merge_requests/4/notes", `{"body":"/merge","internal":true,`+
		`"created_at":"2020-02-03T04:05:06.7Z","merge_request_diff_sha":"0ff3ae19",`+
		`"merge_request_diff_head_sha":"0ff3ae19"}`).Notes.
		CreateForMergeRequest(ctx, mergeRequest, serviceapi.CreateMergeRequestNoteOptions{
			Body: "/merge", Internal: new(true), CreatedAt: &past, MergeRequestDiffSHA: new("0ff3ae19"),
		}))
	check(posts("/groups/9/epics/5/notes",
		`{"body":"Hi","internal":true,"confidential":true,"created_at":"2020-02-03T04:05:06.7Z"}`).Notes.
		CreateForEpic(
			ctx,
			epic,
			serviceapi.CreateEpicNoteOptions{Body: "Hi", Internal: new(true), Confidential: new(true),
				CreatedAt: &past},
		))
	check(posts("/projects/7/wiki_pages/6/notes", `{"body":"Hi"}`).Notes.CreateForWikiPage(ctx,
		serviceapi.ProjectID(7).WikiPage(6), serviceapi.CreateWikiPageNoteOptions{Body: "Hi"}))
	check(posts("/groups/9/wiki_pages/6/notes",
		`{"body":"Hi","internal":true,"confidential":false,"created_at":"2020-02-03T04:05:06.7Z"}`).Notes.
		CreateForWikiPage(ctx, serviceapi.GroupID(9).WikiPage(6), serviceapi.CreateWikiPageNoteOptions{Body: "Hi",
			Internal: new(true), Confidential: new(false), CreatedAt: &past}))
}

func TestNotesCreateWithoutNote(t *testing.T) {
	create := func(x exchange) (*serviceapi.CreatedNote, error) {
		x.Method, x.Path, x.JSON = "POST", "/projects/7/issues/12/notes", `{"body":":thumbsup:"}`
		created, _, err := onWire(t, x).Notes.CreateForIssue(t.Context(), serviceapi.ProjectID(7).Issue(12),
			serviceapi.CreateIssueNoteOptions{Body: ":thumbsup:"})
		return created, err
	}

	created, err := create(exchange{Status: 201, Body: `{"id":345,"name":"thumbsup","weight":2}`})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.CreatedNote{
		Award: &serviceapi.AwardEmoji{ID: 345, Name: "thumbsup"},
		Extra: map[string]json.RawMessage{"weight": json.RawMessage("2")},
	}, created)

	created, err = create(exchange{Status: 201, Fixture: "notes/award_emoji.json"})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.CreatedNote{
		Award: &serviceapi.AwardEmoji{
			ID: 345, Name: "thumbsup",
			User: &serviceapi.UserSummary{ID: 1, Name: "Ada Lovelace", Username: "ada", State: "active",
				WebURL: "https://service.test/ada"},
			CreatedAt: *at(t, "2026-03-01T10:00:00.880Z"), UpdatedAt: *at(t, "2026-03-01T10:00:00.880Z"),
			AwardableID: 121, AwardableType: "Issue",
		},
	}, created)

	created, err = create(exchange{Status: 202,
		Body: `{"commands_changes":{"state_event":"close"},"summary":["Closed this issue."],"errors":null}`})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.CreatedNote{
		CommandsChanges: map[string]json.RawMessage{"state_event": json.RawMessage(`"close"`)},
		Summary:         []string{"Closed this issue."},
		Extra:           map[string]json.RawMessage{"errors": json.RawMessage("null")},
	}, created)

	created, err = create(exchange{Status: 202, Body: `{"commands_changes":{},"summary":[]}`})
	require.NoError(t, err)
	assert.Equal(
		t,
		&serviceapi.CreatedNote{CommandsChanges: map[string]json.RawMessage{}, Summary: []string{}},
		created,
	)

	created, err = create(exchange{Status: 201, Body: `{"id":9,"title":"A","author":{"id":1},"unknown":1}`})
	require.NoError(t, err)
	assert.Equal(
		t,
		&serviceapi.CreatedNote{
			Note: &serviceapi.Note{
				ID:     9,
				Title:  "A",
				Author: &serviceapi.NoteAuthor{UserSummary: serviceapi.UserSummary{ID: 1}},
			},
		},
		created,
		"the shorter form is a note, too",
	)

	created, err = create(exchange{Status: 201, Body: `{"id":9,"body":"A","resolvable":"no"}`})
	var decode *serviceapi.DecodeError
	require.ErrorAs(t, err, &decode)
	assert.Equal(t, "/resolvable", decode.Pointer)
	assert.Equal(
		t,
		&serviceapi.CreatedNote{Note: &serviceapi.Note{ID: 9, Body: "A"}},
		created,
		"one odd value costs that field alone",
	)

	created, err = create(exchange{Status: 400, Body: `{"error":"body is missing"}`})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	assert.Nil(t, created)
}

func TestNotesUpdate(t *testing.T) {
	puts := func(path, body string) *serviceapi.Client {
		return onWire(t, exchange{Method: "PUT", Path: path, JSON: body, Fixture: "notes/issue_note.json"})
	}
	check := func(note *serviceapi.Note, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, issueNote(t), note)
	}
	ctx := t.Context()
	issue, snippet := serviceapi.ProjectID(7).Issue(12), serviceapi.ProjectID(7).Snippet(3)
	mergeRequest, epic := serviceapi.ProjectID(7).MergeRequest(4), serviceapi.GroupID(9).EpicByID(5)

	check(puts("/projects/7/issues/12/notes/302", `{}`).Notes.
		UpdateForIssue(ctx, issue, 302, serviceapi.UpdateIssueNoteOptions{}))
	check(puts("/projects/7/issues/12/notes/302", `{"body":"","confidential":true}`).Notes.
		UpdateForIssue(ctx, issue, 302, serviceapi.UpdateIssueNoteOptions{Body: new(""), Confidential: new(true)}))
	check(puts("/projects/7/snippets/3/notes/302", `{"body":"Hi"}`).Notes.
		UpdateForSnippet(ctx, snippet, 302, serviceapi.UpdateSnippetNoteOptions{Body: "Hi"}))
	check(puts("/projects/7/merge_requests/4/notes/302", `{"body":"Hi","confidential":false}`).Notes.
		UpdateForMergeRequest(ctx, mergeRequest, 302, serviceapi.UpdateMergeRequestNoteOptions{Body: "Hi",
			Confidential: new(false)}))
	check(puts("/groups/9/epics/5/notes/302", `{"body":"Hi","confidential":true}`).Notes.
		UpdateForEpic(ctx, epic, 302, serviceapi.UpdateEpicNoteOptions{Body: "Hi", Confidential: new(true)}))
	check(puts("/projects/7/wiki_pages/6/notes/302", `{"body":"Hi"}`).Notes.UpdateForWikiPage(ctx,
		serviceapi.ProjectID(7).WikiPage(6), 302, serviceapi.UpdateWikiPageNoteOptions{Body: "Hi"}))
	check(puts("/groups/9/wiki_pages/6/notes/302", `{"body":"Hi","confidential":true}`).Notes.UpdateForWikiPage(ctx,
		serviceapi.GroupID(9).WikiPage(6), 302,
		serviceapi.UpdateWikiPageNoteOptions{Body: "Hi", Confidential: new(true)}))
}

func TestNotesArguments(t *testing.T) {
	client := onWire(t)
	ctx := t.Context()
	_, _, err := client.Notes.Get(ctx, nil, 1)
	assertRefused(t, "owner", err)
	_, _, err = client.Notes.List(ctx, nil, nil)
	assertRefused(t, "owner", err)
	_, err = serviceapi.Collect(client.Notes.All(ctx, nil, nil))
	assertRefused(t, "owner", err)
	_, err = client.Notes.Delete(ctx, nil, 1)
	assertRefused(t, "owner", err)
	_, _, err = client.Notes.Get(ctx, serviceapi.ProjectRef{}.Issue(12), 1)
	assertRefused(t, "id", err)
	_, _, err = client.Notes.Get(ctx, serviceapi.ProjectID(7).Issue(0), 1)
	assertRefused(t, "issue_iid", err)
	_, err = client.Notes.Delete(ctx, serviceapi.GroupID(7).EpicByID(1), 0)
	assertRefused(t, "note_id", err)
	_, _, err = client.Notes.CreateForSnippet(ctx, serviceapi.ProjectPath("a/..").Snippet(1),
		serviceapi.CreateSnippetNoteOptions{Body: "Hi"})
	assertRefused(t, "project path", err)
	_, _, err = client.Notes.UpdateForMergeRequest(
		ctx,
		serviceapi.MergeRequestRef{},
		1,
		serviceapi.UpdateMergeRequestNoteOptions{Body: "Hi"},
	)
	assertRefused(t, "merge request", err)
	assertRefused(t, "owner", errorOf(client.Notes.Get(ctx, serviceapi.WikiPageRef{}, 1)))
	assertRefused(t, "wiki_page_meta_id", errorOf(client.Notes.Get(ctx, somewhere.WikiPage(0), 1)))
	assertRefused(t, "Body", errorOf(client.Notes.CreateForWikiPage(ctx, somewhere.WikiPage(6),
		serviceapi.CreateWikiPageNoteOptions{})))
	assertRefused(t, "Body", errorOf(client.Notes.UpdateForWikiPage(ctx, somewhere.WikiPage(6), 1,
		serviceapi.UpdateWikiPageNoteOptions{})))
}

func TestWikiPageRef(t *testing.T) {
	assert.Equal(t, "acme/app, wiki page 6", serviceapi.ProjectPath("acme/app").WikiPage(6).String())
	assert.Equal(t, "7, wiki page 6", someTeam.WikiPage(6).String())
	assert.Empty(t, serviceapi.WikiPageRef{}.String())
	assert.True(t, serviceapi.WikiPageRef{}.IsZero())
	assert.False(t, someTeam.WikiPage(6).IsZero())
}
