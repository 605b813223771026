package servicetests

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// eventsOf returns events, oldest first, as "action title".
func eventsOf(
	t *testing.T, client *serviceapi.Client, owner serviceapi.EventOwner, options serviceapi.ListEventsOptions,
) []string {
	t.Helper()
	options.Sort = serviceapi.SortAscending
	events, err := serviceapi.Collect(client.Events.All(t.Context(), owner, &options))
	require.NoError(t, err)
	texts := []string{}
	for _, event := range events {
		text := string(event.ActionName) + " " + event.TargetTitle
		if event.PushData != nil {
			text += event.PushData.Ref
		}
		texts = append(texts, text)
	}
	return texts
}

// TestServiceEvents checks that events come from what users do.
func TestServiceEvents(t *testing.T) {
	r := newReviewTeam(t)
	bob, eve, ctx := as(t, r.svc, r.bob), as(t, r.svc, r.eve), t.Context()
	r.app.AddMember(r.bob, servicetest.Maintainer)
	issue, _, err := bob.Issues.Create(ctx, mergeApp, serviceapi.CreateIssueOptions{Title: "Crash"})
	require.NoError(t, err)
	_, _, err = bob.Notes.CreateForIssue(ctx, issue.Ref(), serviceapi.CreateIssueNoteOptions{Body: "Hm."})
	require.NoError(t, err)
	_, _, err = bob.RepositoryFiles.Create(ctx, mergeApp, "b.txt", serviceapi.CreateRepositoryFileOptions{
		Branch: "main", CommitMessage: "Add b", Content: []byte("b\n"),
	})
	require.NoError(t, err)
	_, _, err = bob.Branches.Create(ctx, mergeApp, serviceapi.CreateBranchOptions{Branch: "b", Ref: "main"})
	require.NoError(t, err)
	_, err = bob.Branches.Delete(ctx, mergeApp, "b")
	require.NoError(t, err)
	request := r.app.MergeRequest("feature", servicetest.By(r.eve))
	_, _, err = bob.Approvals.Approve(ctx, mergeApp.MergeRequest(request.IID()), serviceapi.ApproveOptions{})
	require.NoError(t, err)
	_, _, err = bob.MergeRequests.Merge(ctx, mergeApp.MergeRequest(request.IID()), serviceapi.MergeOptions{})
	require.NoError(t, err)
	for _, change := range []serviceapi.StateEvent{serviceapi.StateEventClose, serviceapi.StateEventReopen} {
		_, _, err = bob.Issues.Update(ctx, mergeApp.Issue(issue.IID), serviceapi.UpdateIssueOptions{
			StateEvent: &change, Title: new("Crash!"),
		})
		require.NoError(t, err)
	}
	want := []string{
		"opened Crash!", "commented on Crash!", "pushed to main", "pushed new b", "deleted b", "approved " +
			request.Title(),
		"pushed to main", "accepted " + request.Title(), "closed Crash!", "opened Crash!",
	}
	all := eventsOf(t, bob, serviceapi.Own, serviceapi.ListEventsOptions{})
	assert.Equal(t, want, all[len(all)-len(want):])
	assert.Equal(t, all, eventsOf(t, eve, serviceapi.UserID(r.bob.ID()), serviceapi.ListEventsOptions{}))
	merged := serviceapi.ListEventsOptions{
		Action: serviceapi.EventActionMerged, TargetType: serviceapi.EventTargetTypeMergeRequest,
	}
	assert.Equal(t, []string{"accepted " + request.Title()}, eventsOf(t, eve, mergeApp, merged))
	everything := eventsOf(t, bob, serviceapi.Own, serviceapi.ListEventsOptions{Scope: serviceapi.EventScopeAll})
	assert.Contains(t, everything, "opened "+request.Title(), "others did that")
	assert.NotContains(t, all, "opened "+request.Title())

	events, _, err := bob.Events.List(ctx, serviceapi.Own, &serviceapi.ListEventsOptions{
		Action: serviceapi.EventActionPushed, Sort: serviceapi.SortAscending,
	})
	require.NoError(t, err)
	i := slices.IndexFunc(events, func(e *serviceapi.Event) bool { return e.PushData.CommitTitle == "Add b" })
	require.GreaterOrEqual(t, i, 0)
	push := events[i].PushData
	assert.Equal(t, []any{1, serviceapi.EventPushActionPushed, serviceapi.GitRefTypeBranch, "Add b"},
		[]any{push.CommitCount, push.Action, push.RefType, push.CommitTitle})

	today := serviceapi.DateOf(r.svc.Now())
	tomorrow := serviceapi.DateOf(r.svc.Now().Add(24 * time.Hour))
	assert.Empty(t, eventsOf(t, bob, serviceapi.Own, serviceapi.ListEventsOptions{Before: today}),
		"the day is excluded")
	assert.Empty(t, eventsOf(t, bob, serviceapi.Own, serviceapi.ListEventsOptions{After: today}))
	assert.Equal(t, all, eventsOf(t, bob, serviceapi.Own, serviceapi.ListEventsOptions{Before: tomorrow}))
	_, _, err = eve.Events.List(ctx, serviceapi.UserID(99), nil)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
}
