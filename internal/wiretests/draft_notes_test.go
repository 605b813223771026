package wiretests

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// draftOfReview is testdata/draft_notes/draft_note.json.
func draftOfReview() *serviceapi.DraftNote {
	return &serviceapi.DraftNote{
		ID: 5, AuthorID: 23, MergeRequestID: 11, ResolveDiscussion: true,
		DiscussionID: "6a9c1750b37d513a43987b574953fceb50b03ce7", Note: "Example title",
		CommitID: "6104942438c14ec7bd21c6cd5bd995272b3faff6", LineCode: "1e8d8c2e7f2d1f9e2dbe0d1f1f9bd6d7bd54b8a1_0_3",
		Position: &serviceapi.DiffPosition{
			BaseSHA: "ae1d9fb46aa2b07ee9836d49862ec4e2c46fbbba", StartSHA: "ae1d9fb46aa2b07ee9836d49862ec4e2c46fbbba",
			HeadSHA: "6104942438c14ec7bd21c6cd5bd995272b3faff6", PositionType: serviceapi.PositionTypeText,
			OldPath: "a.txt", NewPath: "a.txt", NewLine: new(3),
		},
	}
}

func TestDraftNotes(t *testing.T) {
	const path, whole = "/projects/acme%2Fapp/merge_requests/4/draft_notes", "draft_notes/draft_note.json"
	const nowhere = `{"base_sha":null,"head_sha":null,"old_line":null,"position_type":"text"}`
	const place = `{"base_sha":"a","start_sha":"b","head_sha":"c","position_type":"text","old_path":"a.txt",` +
		`"new_path":"a.txt","old_line":null,"new_line":3,"line_range":null}`
	body := "[" + fixture(t, whole) + `,{"id":6,"discussion_id":null,"line_code":null,"position":` + nowhere + `}]`
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2", Body: body},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: body},
		exchange{Method: "GET", Path: path + "/5", Fixture: whole},
		exchange{Method: "POST", Path: path,
			JSON: `{"note":"Hi","commit_id":"6104","in_reply_to_discussion_id":"6a9c",` +
				`"resolve_discussion":true,"position":` + place + `}`, Status: 201, Fixture: whole},
		exchange{Method: "PUT", Path: path + "/5", JSON: `{"note":"Ho","position":` + place + `}`, Fixture: whole},
		exchange{Method: "DELETE", Path: path + "/5", Status: 204},
		exchange{Method: "PUT", Path: path + "/5/publish", Status: 204},
		exchange{Method: "POST", Path: path + "/bulk_publish",
			JSON: `{"note":"Done","internal":true,"reviewer_state":"requested_changes"}`, Status: 204},
		exchange{Method: "POST", Path: path + "/bulk_publish", JSON: `{}`, Status: 204})
	s, ctx, on := client.DraftNotes, t.Context(), serviceapi.ProjectPath("acme/app").MergeRequest(4)
	want := []*serviceapi.DraftNote{
		draftOfReview(),
		{ID: 6, Position: &serviceapi.DiffPosition{PositionType: serviceapi.PositionTypeText}},
	}
	drafts, _, err := s.List(ctx, on, &serviceapi.ListOptions{Page: 2})
	require.NoError(t, err)
	assert.Equal(t, want, drafts)
	assertFilled(t, drafts[0])
	drafts, err = serviceapi.Collect(s.All(ctx, on, nil))
	require.NoError(t, err)
	assert.Equal(t, want, drafts)
	draft, _, err := s.Get(ctx, on, 5)
	require.NoError(t, err)
	assert.Equal(t, want[0], draft)
	line := &serviceapi.DiffPosition{
		BaseSHA: "a", StartSHA: "b", HeadSHA: "c", PositionType: serviceapi.PositionTypeText, OldPath: "a.txt",
		NewPath: "a.txt",
		NewLine: new(3),
	}
	draft, _, err = s.Create(ctx, on, serviceapi.CreateDraftNoteOptions{
		Note: "Hi", CommitID: new("6104"), InReplyToDiscussionID: new("6a9c"), ResolveDiscussion: new(true),
		Position: line,
	})
	require.NoError(t, err)
	assert.Equal(t, want[0], draft)
	draft, _, err = s.Update(ctx, on, 5, serviceapi.UpdateDraftNoteOptions{Note: "Ho", Position: line})
	require.NoError(t, err)
	assert.Equal(t, want[0], draft)
	_, err = s.Delete(ctx, on, 5)
	require.NoError(t, err)
	_, err = s.Publish(ctx, on, 5)
	require.NoError(t, err)
	_, err = s.PublishAll(ctx, on, serviceapi.PublishDraftNotesOptions{
		Note: new("Done"), Internal: new(true), ReviewerState: new(serviceapi.ReviewerStateRequestedChanges),
	})
	require.NoError(t, err)
	_, err = s.PublishAll(ctx, on, serviceapi.PublishDraftNotesOptions{})
	require.NoError(t, err)
}

func TestDraftNotesArguments(t *testing.T) {
	s, ctx := onWire(t).DraftNotes, t.Context()
	on := serviceapi.ProjectID(7).MergeRequest(4)
	_, _, err := s.Create(ctx, on, serviceapi.CreateDraftNoteOptions{})
	assertRefused(t, "Note", err)
	_, _, err = s.Update(ctx, on, 5, serviceapi.UpdateDraftNoteOptions{})
	assertRefused(t, "Note", err)
	_, _, err = s.Get(ctx, serviceapi.MergeRequestRef{}, 5)
	assertRefused(t, "merge request", err)
}
