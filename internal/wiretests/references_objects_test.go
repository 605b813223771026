package wiretests

import (
	"net/http"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestEpicsHaveTwoNumbers checks that each call sends the number that it needs, and refuses a
// reference that has only the other one.
func TestEpicsHaveTwoNumbers(t *testing.T) {
	client, ctx := onWire(t,
		exchange{Method: "GET", Path: "/groups/7/epics/5", Body: `{"id":105,"iid":5,"group_id":7}`},
		exchange{Method: "GET", Path: "/groups/7/epics/105/notes/1", Body: `{"id":1}`},
		exchange{Method: "GET", Path: "/groups/7/epics/105/notes/1", Body: `{"id":1}`},
	), t.Context()
	epic, _, err := client.Epics.Get(ctx, serviceapi.GroupID(7).Epic(5))
	require.NoError(t, err)
	assert.Equal(t, int64(5), epic.Ref().IID())
	_, _, err = client.Notes.Get(ctx, epic.Ref(), 1)
	require.NoError(t, err)
	_, _, err = client.Notes.Get(ctx, serviceapi.GroupID(7).EpicByID(105), 1)
	require.NoError(t, err)

	_, _, err = client.Notes.Get(ctx, serviceapi.GroupID(7).Epic(5), 1)
	assertRefused(t, "epic", err)
	assert.ErrorContains(t, err, "Epics.Get")
	_, _, err = client.Epics.Get(ctx, serviceapi.GroupID(7).EpicByID(105))
	assertRefused(t, "epic", err)
	assert.ErrorContains(t, err, "IID")
	_, err = client.Epics.Delete(ctx, serviceapi.EpicRef{})
	assertRefused(t, "epic", err)
}

// TestMoreReferencesOfResults checks the references of results that are not the object itself,
// or that may lack its number.
func TestMoreReferencesOfResults(t *testing.T) {
	mergeRequest, issue := serviceapi.ProjectID(4).MergeRequest(7), serviceapi.ProjectID(4).Issue(7)
	assert.Equal(t, mergeRequest, decoded[serviceapi.Approvals](t, `{"id":9,"iid":7,"project_id":4}`).Ref())
	assert.True(t, decoded[serviceapi.Approvals](t, `{"approved":true}`).Ref().IsZero())
	assert.Equal(t, issue, decoded[serviceapi.RelatedIssue](t, `{"id":9,"iid":7,"project_id":4}`).Ref())
	assert.True(t, decoded[serviceapi.RelatedIssue](t, `{"id":"JIRA-1"}`).Ref().IsZero())
	assert.Equal(
		t,
		serviceapi.ProjectID(4).Commit("1f3a"),
		decoded[serviceapi.CommitDetails](t, `{"id":"1f3a","project_id":4}`).Ref(),
	)

	event := `{"project_id":4,"target_iid":7,"target_type":`
	assert.Equal(t, mergeRequest, decoded[serviceapi.Event](t, event+`"MergeRequest"}`).MergeRequestRef())
	assert.Equal(t, issue, decoded[serviceapi.Event](t, event+`"Issue"}`).IssueRef())
	comment := `{"project_id":4,"target_iid":31,"target_type":"DiffNote","note":{"noteable_iid":7,"noteable_type":`
	assert.Equal(t, mergeRequest, decoded[serviceapi.Event](t, comment+`"MergeRequest"}}`).MergeRequestRef())
	assert.Equal(t, issue, decoded[serviceapi.Event](t, comment+`"Issue"}}`).IssueRef())
	for _, other := range []*serviceapi.Event{
		nil, decoded[serviceapi.Event](t, event+`"Milestone"}`),
		decoded[serviceapi.Event](t, `{"target_type":"Issue","target_iid":7}`),
		decoded[serviceapi.Event](t, `{"project_id":4,"target_type":"MergeRequest"}`),
		decoded[serviceapi.Event](t, comment+`"Snippet"}}`),
	} {
		assert.True(t, other.MergeRequestRef().IsZero())
		assert.True(t, other.IssueRef().IsZero())
	}
}

// TestReferencesOfNotes checks that a note identifies itself if it says what it is on.
func TestReferencesOfNotes(t *testing.T) {
	project := serviceapi.ProjectID(4)
	for body, want := range map[string]serviceapi.NoteRef{
		`{"id":1,"project_id":4,"noteable_type":"Issue","noteable_iid":7}`:        project.Issue(7).Note(1),
		`{"id":1,"project_id":4,"noteable_type":"MergeRequest","noteable_iid":7}`: project.MergeRequest(7).Note(1),
		`{"id":1,"project_id":4,"noteable_type":"Snippet","noteable_id":3}`:       project.Snippet(3).Note(1),
		`{"id":1,"project_id":4,"noteable_type":"Commit","noteable_iid":7}`:       {},
		`{"id":1,"project_id":null,"noteable_type":"Epic","noteable_id":5}`:       {},
		`{"id":1,"project_id":4,"noteable_type":"Issue"}`:                         {},
	} {
		assert.Equal(t, want, decoded[serviceapi.Note](t, body).Ref(), body)
	}
	assert.True(t, (*serviceapi.Note)(nil).Ref().IsZero())
}

// TestPartsOfReferences checks that a program can take a reference apart, and ask whether it
// is one.
func TestPartsOfReferences(t *testing.T) {
	shop, acme := serviceapi.ProjectPath("acme/shop"), serviceapi.GroupPath("acme")
	assert.Equal(t, shop, shop.MergeRequest(7).Project())
	assert.Equal(t, int64(7), shop.MergeRequest(7).IID())
	assert.Equal(t, shop, shop.Issue(3).Project())
	assert.Equal(t, int64(3), shop.Issue(3).IID())
	assert.Equal(t, acme, acme.Epic(5).Group())
	assert.Equal(t, int64(5), acme.Epic(5).IID())
	assert.Zero(t, acme.EpicByID(105).IID())
	type zeroer interface{ IsZero() bool }
	for _, ref := range []zeroer{
		shop.MergeRequest(7), shop.Issue(3), shop.Snippet(3), shop.Commit("1f3a"), acme.Epic(5), shop.Issue(3).Note(1),
	} {
		assert.False(t, ref.IsZero(), "%v", ref)
	}
	for _, ref := range []zeroer{serviceapi.MergeRequestRef{}, serviceapi.IssueRef{}, serviceapi.SnippetRef{},
		serviceapi.CommitRef{}, serviceapi.EpicRef{}, serviceapi.NoteRef{}} {
		assert.True(t, ref.IsZero(), "%T", ref)
	}
}

// TestMergeRequestOfARefusal checks that the merge request that exists is the one of the target
// project, which a fork is not.
func TestMergeRequestOfARefusal(t *testing.T) {
	client := onWire(t, exchange{
		Method: "POST", Path: "/projects/5/merge_requests", Status: http.StatusConflict,
		JSON: `{"source_branch":"a","target_branch":"b","title":"T","target_project_id":4}`,
		Body: `{"message":["Another open merge request already exists for this source branch: !7"]}`,
	})
	_, _, err := client.MergeRequests.Create(t.Context(), serviceapi.ProjectID(5), serviceapi.CreateMergeRequestOptions{
		SourceBranch: "a", TargetBranch: "b", Title: "T", TargetProjectID: new(int64(4)),
	})
	var exists *serviceapi.MergeRequestExistsError
	require.ErrorAs(t, err, &exists)
	assert.Equal(t, serviceapi.ProjectID(4).MergeRequest(7), exists.MergeRequest)
}
