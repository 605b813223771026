package wiretests

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// thumbsUp is testdata/award_emoji/award_emoji.json.
func thumbsUp(t *testing.T) *serviceapi.AwardEmoji {
	return &serviceapi.AwardEmoji{
		ID: 345, Name: "thumbsup", User: &serviceapi.UserSummary{
			ID: 1, Name: "Ada Lovelace", Username: "ada", State: "active",
			AvatarURL: "https://service.test/a.png", WebURL: "https://service.test/ada",
		},
		CreatedAt: *at(t, "2026-03-01T10:00:00.880Z"), UpdatedAt: *at(t, "2026-03-01T10:00:00.880Z"),
		AwardableID: 121, AwardableType: "Note", URL: "https://service.test/emoji/acme.png",
	}
}

// awardEmojiOwners are the owners of reactions, and the paths of their reactions.
var awardEmojiOwners = map[string]serviceapi.AwardEmojiOwner{
	"/projects/acme%2Fapp/issues/12":           serviceapi.ProjectPath("acme/app").Issue(12),
	"/projects/7/merge_requests/4":             serviceapi.ProjectID(7).MergeRequest(4),
	"/projects/7/snippets/3":                   serviceapi.ProjectID(7).Snippet(3),
	"/projects/acme%2Fapp/issues/12/notes/302": serviceapi.ProjectPath("acme/app").Issue(12).Note(302),
	"/projects/7/merge_requests/4/notes/302":   serviceapi.ProjectID(7).MergeRequest(4).Note(302),
	"/projects/7/snippets/3/notes/302":         serviceapi.ProjectID(7).Snippet(3).Note(302),
	"/groups/acme%2Fengines/epics/5":           serviceapi.GroupPath("acme/engines").Epic(5),
	"/groups/7/epics/5/notes/302":              serviceapi.GroupID(7).Epic(5).Note(302),
}

func TestAwardEmoji(t *testing.T) {
	const whole = "award_emoji/award_emoji.json"
	for path, owner := range awardEmojiOwners {
		path += "/award_emoji"
		body := "[" + fixture(t, whole) + `,{"id":346,"url":null}]`
		client := onWire(t,
			exchange{Method: "GET", Path: path, Query: "page=2", Body: body},
			exchange{Method: "GET", Path: path, Query: "per_page=100", Body: body},
			exchange{Method: "GET", Path: path + "/345", Fixture: whole},
			exchange{Method: "POST", Path: path, JSON: `{"name":"thumbsup"}`, Status: 201, Fixture: whole},
			exchange{Method: "DELETE", Path: path + "/345", Status: 204})
		s, ctx, want := client.AwardEmoji, t.Context(), []*serviceapi.AwardEmoji{thumbsUp(t), {ID: 346}}
		reactions, _, err := s.List(ctx, owner, &serviceapi.ListOptions{Page: 2})
		require.NoError(t, err)
		assert.Equal(t, want, reactions)
		assertFilled(t, reactions[0])
		reactions, err = serviceapi.Collect(s.All(ctx, owner, nil))
		require.NoError(t, err)
		assert.Equal(t, want, reactions)
		reaction, _, err := s.Get(ctx, owner, 345)
		require.NoError(t, err)
		assert.Equal(t, want[0], reaction)
		reaction, _, err = s.Create(ctx, owner, serviceapi.CreateAwardEmojiOptions{Name: "thumbsup"})
		require.NoError(t, err)
		assert.Equal(t, want[0], reaction)
		_, err = s.Delete(ctx, owner, 345)
		require.NoError(t, err)
	}
}

func TestAwardEmojiArguments(t *testing.T) {
	s, ctx := onWire(t).AwardEmoji, t.Context()
	for _, owner := range []serviceapi.AwardEmojiOwner{nil, serviceapi.NoteRef{}} {
		_, _, err := s.List(ctx, owner, nil)
		assertRefused(t, "owner", err)
	}
	byID := serviceapi.GroupID(7).EpicByID(31)
	for _, owner := range []serviceapi.AwardEmojiOwner{byID, byID.Note(7), serviceapi.EpicRef{}} {
		_, _, err := s.List(ctx, owner, nil)
		assertRefused(t, "epic", err)
	}
	for _, owner := range []serviceapi.AwardEmojiOwner{serviceapi.IssueRef{}.Note(7), serviceapi.IssueRef{}} {
		_, _, err := s.List(ctx, owner, nil)
		assertRefused(t, "issue", err)
	}
	issue := serviceapi.ProjectID(7).Issue(12)
	_, _, err := s.Create(ctx, issue, serviceapi.CreateAwardEmojiOptions{})
	assertRefused(t, "Name", err)
	_, _, err = s.Get(ctx, issue.Note(0), 1)
	assertRefused(t, "note_id", err)
	assert.Equal(t, "7#12, note 302", issue.Note(302).String())
	assert.Empty(t, serviceapi.NoteRef{}.String())
}
