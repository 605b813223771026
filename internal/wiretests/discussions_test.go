package wiretests

import (
	"encoding/json"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const threadID = "6a9c1750b37d513a43987b574953fceb50b03ce7"

// discussionOwners are all owners of discussions, with the path of these.
var discussionOwners = []struct {
	owner serviceapi.DiscussionOwner
	path  string
}{
	{serviceapi.ProjectPath("acme/app").MergeRequest(14), mergeRequestPath + "/discussions"},
	{serviceapi.ProjectPath("acme/app").Issue(6), issuePath + "/discussions"},
	{serviceapi.ProjectPath("acme/app").Commit("feature/x"),
		"/projects/acme%2Fapp/repository/commits/feature%2Fx/discussions"},
	{serviceapi.ProjectPath("acme/app").Snippet(3), "/projects/acme%2Fapp/snippets/3/discussions"},
	{serviceapi.GroupPath("acme/team").EpicByID(5), "/groups/acme%2Fteam/epics/5/discussions"},
}

var (
	linePosition = serviceapi.DiffPosition{
		BaseSHA: "1111111111111111111111111111111111111111", StartSHA: "2222222222222222222222222222222222222222",
		HeadSHA: "8888888888888888888888888888888888888888", PositionType: serviceapi.PositionTypeText,
		OldPath: "a.txt",
		NewPath: "b.txt",
		OldLine: new(3), NewLine: new(4),
		LineRange: &serviceapi.DiffLineRange{
			Start: &serviceapi.DiffLineRangeEnd{
				LineCode: serviceapi.LineCode("b.txt", 2, 3),
				Type:     serviceapi.LineTypeOld,
				OldLine:  new(2),
				NewLine:  new(3),
			},
			End: &serviceapi.DiffLineRangeEnd{
				LineCode: serviceapi.LineCode("b.txt", 3, 4),
				Type:     serviceapi.LineTypeNew,
				OldLine:  new(3),
				NewLine:  new(4),
			},
		},
	}
	imagePosition = serviceapi.DiffPosition{
		BaseSHA: "1111111111111111111111111111111111111111", StartSHA: "2222222222222222222222222222222222222222",
		HeadSHA: "8888888888888888888888888888888888888888", PositionType: serviceapi.PositionTypeImage,
		OldPath: "a.png",
		NewPath: "a.png",
		Width:   new(640), Height: new(480), X: new(12.5), Y: new(7.0),
	}
)

// wholeDiscussion is testdata/discussions/discussion.json.
func wholeDiscussion() *serviceapi.Discussion {
	return &serviceapi.Discussion{ID: threadID, IndividualNote: true, Notes: []*serviceapi.Note{
		{
			ID: 302, Type: serviceapi.NoteTypeDiff, Body: "Why?\n```suggestion:-0+0\nb\n```",
			NoteableID:   new(int64(84)),
			NoteableIID:  new(int64(14)),
			NoteableType: serviceapi.NoteableTypeMergeRequest,
			Position:     &linePosition,
			Suggestions: []*serviceapi.NoteSuggestion{{ID: 4, FromLine: 4, ToLine: 5, Appliable: true, Applied: true,
				FromContent: "a\n", ToContent: "b\n"}},
		},
		{ID: 303, Body: "There.", Position: &imagePosition},
	}}
}

func TestDiscussionsLists(t *testing.T) {
	for _, o := range discussionOwners {
		whole := "[" + fixture(t, "discussions/discussion.json") + "]"
		client := onWire(t,
			exchange{Method: "GET", Path: o.path, Body: whole},
			exchange{Method: "GET", Path: o.path, Query: "page=2", Body: `[]`},
			exchange{Method: "GET", Path: o.path, Query: "per_page=100", Body: whole})
		checkLists(t, []*serviceapi.Discussion{wholeDiscussion()},
			func(options *serviceapi.ListOptions) ([]*serviceapi.Discussion, *serviceapi.Response, error) {
				return client.Discussions.List(t.Context(), o.owner, options)
			},
			client.Discussions.All(t.Context(), o.owner, nil))
	}
}

func TestDiscussionsOnCommits(t *testing.T) {
	commit := serviceapi.ProjectID(7).Commit(commitSHA)
	client := onWire(t,
		exchange{Method: "GET", Path: commitPath + "/discussions", Fixture: "commits/discussions.json"},
		exchange{Method: "GET", Path: commitPath + "/discussions", Query: "page=2", Body: "[]"},
		exchange{Method: "GET", Path: commitPath + "/discussions", Query: "per_page=100",
			Fixture: "commits/discussions.json"},
	)
	want := []*serviceapi.Discussion{
		{ID: "6a9c1750b37d513a43987b574953fceb50b03ce7", Notes: []*serviceapi.Note{{
			ID: 1126, Type: serviceapi.NoteTypeDiff, Body: "Why?",
			Author: &serviceapi.NoteAuthor{
				UserSummary: serviceapi.UserSummary{ID: 11, Name: "Ada Lovelace", Username: "ada", State: "active",
					WebURL: "https://service.test/ada"},
			},
			CreatedAt: *at(t, "2026-02-22T10:00:00.100Z"), UpdatedAt: *at(t, "2026-02-22T11:00:00.100Z"),
			System: true, NoteableType: serviceapi.NoteableTypeCommit, CommitID: commitSHA, Resolvable: true,
			Position: &serviceapi.DiffPosition{
				BaseSHA:  "ae1d9fb46aa2b07ee9836d49862ec4e2c46fbbba",
				StartSHA: "ae1d9fb46aa2b07ee9836d49862ec4e2c46fbbba",
				HeadSHA:  commitSHA, OldPath: "doc/upgrade.md", NewPath: "doc/update.md", PositionType: "text",
				OldLine: new(71), NewLine: new(72),
			},
		}}},
		{ID: "87805b7c09016a7058e91bdbe7b29d1f284a39e6", IndividualNote: true, Notes: []*serviceapi.Note{{
			ID: 1128, Body: "A single comment", NoteableType: serviceapi.NoteableTypeCommit, CommitID: commitSHA,
		}}},
	}
	checkLists(t, want,
		func(o *serviceapi.ListOptions) ([]*serviceapi.Discussion, *serviceapi.Response, error) {
			return client.Discussions.List(t.Context(), commit, o)
		},
		client.Discussions.All(t.Context(), commit, nil))
}

func TestDiscussionsCreate(t *testing.T) {
	mergeRequest, commit := discussionOwners[0].path, discussionOwners[2].path
	const line = `{"base_sha":"1111111111111111111111111111111111111111",
		"start_sha":"2222222222222222222222222222222222222222",
		"head_sha":"8888888888888888888888888888888888888888","position_type":"text","old_path":"a.txt",
		"new_path":"b.txt","old_line":3,"new_line":4,
		"line_range":{"start":{"line_code":"aceba96ffdf13ce4cd4171c0248420cc03108ef0_2_3","type":"old","old_line":2,
		"new_line":3},
			"end":{"line_code":"aceba96ffdf13ce4cd4171c0248420cc03108ef0_3_4","type":"new","old_line":3,"new_line":4}}}`
	const image = `{"base_sha":"1111111111111111111111111111111111111111",
		"start_sha":"2222222222222222222222222222222222222222",
		"head_sha":"8888888888888888888888888888888888888888","position_type":"image","old_path":"a.png",
		"new_path":"a.png","old_line":null,"new_line":null,"line_range":null,
		"width":640,"height":480,"x":12.5,"y":7}`
	client := onWire(t,
		exchange{Method: "POST", Path: mergeRequest, JSON: `{"body":"Why?"}`, Status: 201,
			Fixture: "discussions/discussion.json"},
		exchange{
			Method: "POST", Path: mergeRequest, Status: 201, Fixture: "discussions/discussion.json",
			JSON: `{"body":"Why?","created_at":"2026-01-01T00:00:00Z","commit_id":"abc","position":` + line + `}`,
		},
		exchange{Method: "POST", Path: mergeRequest, JSON: `{"body":"Here","position":` + image + `}`, Status: 400,
			Body: `{"message":"400 Bad request"}`},
		exchange{Method: "POST", Path: commit, JSON: `{"body":"Here","position":` + image + `}`, Status: 201,
			Fixture: "discussions/discussion.json"})
	s, ctx := client.Discussions, t.Context()
	wantWhole := func(discussion *serviceapi.Discussion, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, wholeDiscussion(), discussion)
	}
	onMergeRequest := discussionOwners[0].owner
	wantWhole(s.Create(ctx, onMergeRequest, serviceapi.CreateDiscussionOptions{Body: "Why?"}))
	wantWhole(s.Create(ctx, onMergeRequest, serviceapi.CreateDiscussionOptions{
		Body: "Why?", CreatedAt: new(january(1)), CommitID: new("abc"), Position: &linePosition,
	}))
	_, _, err := s.Create(ctx, onMergeRequest,
		serviceapi.CreateDiscussionOptions{Body: "Here", Position: &imagePosition})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	wantWhole(
		s.Create(
			ctx,
			discussionOwners[2].owner,
			serviceapi.CreateDiscussionOptions{Body: "Here", Position: &imagePosition},
		),
	)
}

// All kinds of owners have the same calls.
func TestDiscussionsOfEveryOwner(t *testing.T) {
	const whole, then = "discussions/discussion.json", `"created_at":"2026-01-01T00:00:00Z"`
	for _, o := range discussionOwners {
		one := o.path + "/" + threadID
		client := onWire(t,
			exchange{Method: "GET", Path: one, Fixture: whole},
			exchange{Method: "POST", Path: o.path, JSON: `{"body":"Why?",` + then + `}`, Status: 201, Fixture: whole},
			exchange{Method: "PUT", Path: one + "/notes/302", JSON: `{"body":""}`, Fixture: "notes/issue_note.json"},
			exchange{Method: "DELETE", Path: one + "/notes/302", Status: 204})
		s, ctx := client.Discussions, t.Context()
		discussion, _, err := s.Get(ctx, o.owner, threadID)
		require.NoError(t, err)
		assert.Equal(t, wholeDiscussion(), discussion)
		options := serviceapi.CreateDiscussionOptions{Body: "Why?", CreatedAt: new(january(1))}
		discussion, _, err = s.Create(ctx, o.owner, options)
		require.NoError(t, err)
		assert.Equal(t, wholeDiscussion(), discussion)
		note, _, err := s.UpdateNote(ctx, o.owner, threadID, 302, serviceapi.UpdateDiscussionNoteOptions{Body: new("")})
		require.NoError(t, err)
		assert.Equal(t, issueNote(t), note)
		_, err = s.DeleteNote(ctx, o.owner, threadID, 302)
		require.NoError(t, err)
	}
}

func TestDiscussionsReply(t *testing.T) {
	for _, o := range discussionOwners {
		path := o.path + "/" + threadID + "/notes"
		client := onWire(t,
			exchange{Method: "POST", Path: path, JSON: `{"body":"So"}`, Status: 201, Fixture: "notes/issue_note.json"},
			exchange{Method: "POST", Path: path, JSON: `{"body":"So","created_at":"2026-01-01T00:00:00Z"}`, Status: 201,
				Fixture: "notes/issue_note.json"},
			exchange{Method: "POST", Path: path, JSON: `{"body":"/close"}`, Status: 202,
				Body: `{"commands_changes":{"state_event":"close"},"summary":["Closed."]}`})
		note, _, err := client.Discussions.Reply(t.Context(), o.owner, threadID, serviceapi.ReplyOptions{Body: "So"})
		require.NoError(t, err)
		assert.Equal(t, &serviceapi.CreatedNote{Note: issueNote(t)}, note)
		_, _, err = client.Discussions.Reply(t.Context(), o.owner, threadID,
			serviceapi.ReplyOptions{Body: "So", CreatedAt: new(january(1))})
		require.NoError(t, err)
		note, _, err = client.Discussions.Reply(t.Context(), o.owner, threadID, serviceapi.ReplyOptions{Body: "/close"})
		require.NoError(t, err)
		assert.Equal(t, &serviceapi.CreatedNote{
			CommandsChanges: map[string]json.RawMessage{"state_event": []byte(`"close"`)}, Summary: []string{"Closed."},
		}, note)
	}
}

func TestDiscussionsResolve(t *testing.T) {
	path := discussionOwners[0].path + "/" + threadID
	client := onWire(t,
		exchange{Method: "PUT", Path: path, JSON: `{"resolved":true}`, Fixture: "discussions/discussion.json"},
		exchange{Method: "PUT", Path: path, JSON: `{"resolved":false}`, Fixture: "discussions/discussion.json"},
		exchange{Method: "PUT", Path: path + "/notes/302", JSON: `{"resolved":false}`,
			Fixture: "notes/issue_note.json"})
	s, ctx, owner := client.Discussions, t.Context(), serviceapi.ProjectPath("acme/app").MergeRequest(14)
	discussion, _, err := s.Resolve(ctx, owner, threadID)
	require.NoError(t, err)
	assert.Equal(t, wholeDiscussion(), discussion)
	discussion, _, err = s.Reopen(ctx, owner, threadID)
	require.NoError(t, err)
	assert.Equal(t, wholeDiscussion(), discussion)
	note, _, err := s.UpdateNote(
		ctx,
		owner,
		threadID,
		302,
		serviceapi.UpdateDiscussionNoteOptions{Resolved: new(false)},
	)
	require.NoError(t, err)
	assert.Equal(t, issueNote(t), note)
}

func TestDiscussionsArguments(t *testing.T) {
	s, ctx, owner := onWire(t).Discussions, t.Context(), serviceapi.ProjectID(4).MergeRequest(14)
	failed := func(_ any, _ *serviceapi.Response, err error) error { return err }
	assertRefused(t, "owner", failed(s.List(ctx, nil, nil)))
	_, err := serviceapi.Collect(s.All(ctx, &owner, nil))
	assertRefused(t, "owner", err)
	assertRefused(t, "merge_request_iid", failed(s.List(ctx, serviceapi.ProjectID(4).MergeRequest(0), nil)))
	assertRefused(t, "snippet", failed(s.Get(ctx, serviceapi.SnippetRef{}, threadID)))
	assertRefused(t, "discussion_id", failed(s.Get(ctx, owner, "")))
	assertRefused(t, "merge request",
		failed(s.Create(ctx, serviceapi.MergeRequestRef{}, serviceapi.CreateDiscussionOptions{Body: "b"})))
	assertRefused(t, "issue_iid",
		failed(s.Create(ctx, serviceapi.ProjectID(4).Issue(-1), serviceapi.CreateDiscussionOptions{Body: "b"})))
	assertRefused(t, "Body", failed(s.Create(ctx, owner, serviceapi.CreateDiscussionOptions{})))
	assertRefused(t, "Body", failed(s.Reply(ctx, owner, threadID, serviceapi.ReplyOptions{})))
	for _, o := range discussionOwners[1:] {
		onCommit := serviceapi.CreateDiscussionOptions{Body: "b", CommitID: new("abc")}
		assertRefused(t, "CommitID", failed(s.Create(ctx, o.owner, onCommit)))
		assertRefused(
			t,
			"Resolved",
			failed(
				s.UpdateNote(ctx, o.owner, threadID, 302, serviceapi.UpdateDiscussionNoteOptions{Resolved: new(true)}),
			),
		)
	}
	assertRefused(t, "Position", failed(s.Create(ctx, serviceapi.ProjectID(4).Issue(1),
		serviceapi.CreateDiscussionOptions{Body: "b", Position: &linePosition})))
	assertRefused(t, "sha", failed(s.List(ctx, serviceapi.ProjectID(4).Commit(""), nil)))
	assertRefused(t, "discussion_id", failed(s.Reply(ctx, owner, "", serviceapi.ReplyOptions{Body: "b"})))
	assertRefused(t, "discussion_id", failed(s.Resolve(ctx, owner, "..")))
	assertRefused(t, "discussion_id", failed(s.Reopen(ctx, owner, "")))
	assertRefused(t, "note_id",
		failed(s.UpdateNote(ctx, owner, threadID, 0, serviceapi.UpdateDiscussionNoteOptions{Body: new("b")})))
	assertRefused(
		t,
		"options",
		failed(s.UpdateNote(ctx, owner, threadID, 302, serviceapi.UpdateDiscussionNoteOptions{})),
	)
	assertRefused(t, "options",
		failed(s.UpdateNote(ctx, owner, threadID, 302,
			serviceapi.UpdateDiscussionNoteOptions{Body: new("b"), Resolved: new(true)})))
	_, err = s.DeleteNote(ctx, owner, threadID, 0)
	assertRefused(t, "note_id", err)
}

// The code is the SHA-1 of the path and the two numbers of the line.
func TestLineCode(t *testing.T) {
	assert.Equal(t, "8ec9a00bfd09b3190ac6b22251dbb1aa95a0579d_10_12", serviceapi.LineCode("README.md", 10, 12))
}
