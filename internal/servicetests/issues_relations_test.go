package servicetests

import (
	"io"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServiceSubscriptions(t *testing.T) {
	r := newReviewTeam(t)
	guest := r.svc.User("guest")
	r.app.AddMember(guest, servicetest.Guest)
	issue, request := r.app.Issue("Slow"), r.app.MergeRequest("feature", servicetest.SubscribedBy(r.bob))
	c, ctx := as(t, r.svc, guest), t.Context()
	subscribed, resp, err := c.Issues.Subscribe(ctx, mergeApp.Issue(issue.IID()))
	require.NoError(t, err, "who can read an issue")
	assert.Equal(t, []any{201, true}, []any{resp.StatusCode, *subscribed.Issue.Subscribed})
	assert.True(t, issue.Subscribed(guest))
	subscribed, _, err = c.Issues.Subscribe(ctx, mergeApp.Issue(issue.IID()))
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.IssueSubscription{Unchanged: true}, subscribed)
	ended, _, err := c.Issues.Unsubscribe(ctx, mergeApp.Issue(issue.IID()))
	require.NoError(t, err)
	assert.False(t, *ended.Issue.Subscribed)
	assert.False(t, issue.Subscribed(guest))
	ended, _, err = c.Issues.Unsubscribe(ctx, mergeApp.Issue(issue.IID()))
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.IssueSubscription{Unchanged: true}, ended)

	_, _, err = c.MergeRequests.Subscribe(ctx, mergeApp.MergeRequest(request.IID()))
	require.ErrorIs(t, err, serviceapi.ErrForbidden, "a merge request needs the right to change it")
	of := as(t, r.svc, r.bob).MergeRequests
	left, _, err := of.Unsubscribe(ctx, mergeApp.MergeRequest(request.IID()))
	require.NoError(t, err)
	assert.False(t, left.MergeRequest.Subscribed)
	assert.False(t, request.Subscribed(r.bob))
	left, _, err = of.Unsubscribe(ctx, mergeApp.MergeRequest(request.IID()))
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.MergeRequestSubscription{Unchanged: true}, left)
}

func TestServiceIssuesAndMergeRequests(t *testing.T) {
	r := newReviewTeam(t)
	tool := r.svc.Project("acme/tool", servicetest.Member(r.bob, servicetest.Developer))
	secret := r.svc.Project("acme/secret")
	issue := r.app.Issue("Slow", servicetest.Description("Since !4 it is."))
	other := r.app.Issue("Slower")
	closing := r.app.MergeRequest("closing", servicetest.Description("Closes #1."))
	r.app.MergeRequest("distant", servicetest.Description("About #11 and not of this."))
	remark := r.app.MergeRequest("remark")
	remark.Note("Is that #1?", servicetest.By(r.ada))
	named := r.app.MergeRequest("named")
	distant := tool.MergeRequest("fast", servicetest.Description("For acme/app#1."))
	tool.MergeRequest("own", servicetest.Description("Closes #1."))
	secret.MergeRequest("hidden", servicetest.Description("For acme/app#1."))
	s, ctx := as(t, r.svc, r.bob).Issues, t.Context()
	details := func(requests []*serviceapi.MergeRequestDetails, err error) ([]*serviceapi.MergeRequest, error) {
		var found []*serviceapi.MergeRequest
		for _, m := range requests {
			one, _, err := as(t, r.svc, r.bob).MergeRequests.Get(ctx, m.Ref(), nil)
			require.NoError(t, err)
			require.NotNil(t, m.DiffRefs)
			one.Subscribed, one.FirstContribution = false, false
			assert.Equal(t, one, m, "all that a single merge request has")
			found = append(found, &m.MergeRequest)
		}
		return found, err
	}
	ids := func(requests []*serviceapi.MergeRequest, err error) []int64 {
		t.Helper()
		require.NoError(t, err)
		found := []int64{}
		for _, m := range requests {
			found = append(found, m.ID)
		}
		return found
	}
	all := func(iid int64) []int64 {
		return ids(details(serviceapi.Collect(s.AllRelatedMergeRequests(ctx, mergeApp.Issue(iid), nil))))
	}
	closed := func(iid int64) []int64 {
		return ids(serviceapi.Collect(s.AllClosingMergeRequests(ctx, mergeApp.Issue(iid), nil)))
	}
	assert.ElementsMatch(t, []int64{closing.ID(), remark.ID(), named.ID(), distant.ID()}, all(issue.IID()))
	assert.Empty(t, all(other.IID()))
	assert.Equal(t, []int64{closing.ID()}, closed(issue.IID()))
	assert.Empty(t, closed(other.IID()))
	closing.Merge()
	assert.Equal(t, "closed", issue.State())
	assert.Empty(t, closed(issue.IID()), "nothing is left to close")
	_, _, err := s.ListClosingMergeRequests(ctx, mergeApp.Issue(9), nil)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, _, err = s.ListRelatedMergeRequests(ctx, mergeApp.Issue(9), nil)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestServiceParticipants(t *testing.T) {
	r := newReviewTeam(t)
	guest, stranger := r.svc.User("guest"), r.svc.User("stranger")
	r.app.AddMember(guest, servicetest.Guest)
	issue := r.app.Issue("Slow", servicetest.By(r.eve), servicetest.AssignedTo(r.bob),
		servicetest.Description("Ask @stranger, mail root@example.com."))
	issue.Note("And @ada.", servicetest.By(r.eve))
	issue.Note("Secretly", servicetest.By(r.svc.Root()), servicetest.ConfidentialNote())
	issue.Note("closed", servicetest.By(stranger), servicetest.SystemNote())
	request := r.app.MergeRequest("feature", servicetest.By(r.bob), servicetest.ReviewedBy(r.ada))
	request.Note("Hm.", servicetest.By(r.eve))
	ctx := t.Context()
	users, err := serviceapi.Collect(as(t, r.svc, guest).Issues.AllParticipants(ctx, mergeApp.Issue(issue.IID()), nil))
	require.NoError(t, err)
	assert.Equal(t, []string{"eve", "bob", "ada"}, namesOfUsers(users),
		"strangers cannot read it, guests not all of it")
	users, err = serviceapi.Collect(as(t, r.svc, r.ada).Issues.AllParticipants(ctx, mergeApp.Issue(issue.IID()), nil))
	require.NoError(t, err)
	assert.Equal(t, []string{"eve", "bob", "ada", "root"}, namesOfUsers(users))
	users, err = serviceapi.Collect(as(t, r.svc, guest).MergeRequests.AllParticipants(ctx,
		mergeApp.MergeRequest(request.IID()),
		nil))
	require.NoError(t, err)
	assert.Equal(t, []string{"bob", "ada", "eve"}, namesOfUsers(users))
}

func TestServiceClonesIssues(t *testing.T) {
	r := newReviewTeam(t)
	target := r.svc.Project("acme/target", servicetest.Member(r.bob, servicetest.Reporter))
	target.Label("bug", "#ff0000", "")
	there := target.Milestone("v1")
	seeded := r.app.Issue("Twin", servicetest.By(r.eve), servicetest.Labels("bug", "here"),
		servicetest.InMilestone(r.app.Milestone("v1")),
		servicetest.AssignedTo(r.bob, r.eve), servicetest.Reaction(r.ada, "star"),
		servicetest.SubscribedBy(r.bob, r.svc.Root()))
	seeded.Note("With me?", servicetest.By(r.ada))
	s, ctx := as(t, r.svc, r.bob).Issues, t.Context()
	bare, resp, err := s.Clone(ctx, mergeApp.Issue(seeded.IID()),
		serviceapi.CloneIssueOptions{ToProjectID: target.ID()})
	require.NoError(t, err)
	assert.Equal(t, []any{201, target.ID(), int64(1), "bob", there.ID(), 0}, []any{
		resp.StatusCode, bare.ProjectID, bare.IID, bare.Author.Username, bare.Milestone.ID, bare.UserNotesCount,
	})
	assert.Equal(t, []*serviceapi.LabelSummary{{Name: "bug"}}, bare.Labels, "the other label is not there")
	assert.Equal(t, []string{"bob"}, namesOfUsers(bare.Assignees), "eve cannot see it")
	assert.True(t, *bare.Subscribed, "bob is its author")
	assert.False(t, target.Issues()[0].Subscribed(r.svc.Root()), "subscriptions are not copied")
	assert.Equal(t, []string{"bug"}, target.LabelNames())
	whole, _, err := s.Clone(ctx, mergeApp.Issue(seeded.IID()), serviceapi.CloneIssueOptions{ToProjectID: r.app.ID(),
		WithNotes: new(true)})
	require.NoError(t, err, "into the same project")
	assert.Equal(t, []any{int64(2), 1, serviceapi.IssueStateOpened},
		[]any{whole.IID, whole.UserNotesCount, whole.State})
	assert.Equal(t, "opened", seeded.State())
	assert.Equal(t, []string{"star"}, r.app.Issues()[1].Reactions(r.ada))

	_, _, err = s.Clone(ctx, mergeApp.Issue(seeded.IID()), serviceapi.CloneIssueOptions{ToProjectID: 99})
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	target.AddMember(r.bob, servicetest.Guest)
	_, _, err = s.Clone(ctx, mergeApp.Issue(seeded.IID()), serviceapi.CloneIssueOptions{ToProjectID: target.ID()})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	assert.ErrorContains(t, err, "Cannot clone issue due to insufficient permissions!")
}

func TestServiceReordersIssues(t *testing.T) {
	r := newReviewTeam(t)
	one, two, three := r.app.Issue("One"), r.app.Issue("Two"), r.app.Issue("Three")
	s, ctx := as(t, r.svc, r.eve).Issues, t.Context()
	order := func() []string {
		t.Helper()
		issues, err := serviceapi.Collect(s.All(ctx, mergeApp, &serviceapi.ListIssuesOptions{
			OrderBy: serviceapi.IssueOrderByRelativePosition, Sort: serviceapi.SortAscending,
		}))
		require.NoError(t, err)
		titles := []string{}
		for _, issue := range issues {
			titles = append(titles, issue.Title)
		}
		return titles
	}
	assert.Equal(t, []string{"One", "Two", "Three"}, order())
	for _, step := range []struct {
		issue   *servicetest.Issue
		options serviceapi.ReorderIssueOptions
		want    []string
	}{
		{three, serviceapi.ReorderIssueOptions{MoveAfterID: new(one.ID())}, []string{"Three", "One", "Two"}},
		{three, serviceapi.ReorderIssueOptions{MoveBeforeID: new(two.ID())}, []string{"One", "Two", "Three"}},
		{three, serviceapi.ReorderIssueOptions{MoveBeforeID: new(one.ID()), MoveAfterID: new(two.ID())},
			[]string{"One", "Three", "Two"}},
		{two, serviceapi.ReorderIssueOptions{MoveBeforeID: new(one.ID())}, []string{"One", "Two", "Three"}},
	} {
		moved, _, err := s.Reorder(ctx, mergeApp.Issue(step.issue.IID()), step.options)
		require.NoError(t, err)
		assert.Equal(t, step.issue.ID(), moved.ID)
		assert.Equal(t, step.want, order())
	}
	elsewhere := r.svc.Project("acme/tool").Issue("Elsewhere")
	for _, options := range []serviceapi.ReorderIssueOptions{
		{MoveAfterID: new(elsewhere.ID())}, {MoveAfterID: new(one.ID()), MoveBeforeID: new(three.ID())},
		{MoveBeforeID: new(two.ID())},
	} {
		_, _, err := s.Reorder(ctx, mergeApp.Issue(two.IID()), options)
		require.ErrorIs(t, err, serviceapi.ErrUnprocessable)
	}
	byID, _, err := asRoot(t, r.svc).Issues.GetByID(ctx, elsewhere.ID())
	require.NoError(t, err)
	assert.Equal(t, "Elsewhere", byID.Title)
	_, _, err = s.GetByID(ctx, elsewhere.ID())
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
}

func TestServiceVersionsAndRawDiffs(t *testing.T) {
	r := newReviewTeam(t)
	r.app.Commit("main", "Begin", servicetest.Write("a.txt", "a\n"), servicetest.Write("gone.txt", "gone\nfor good\n"))
	r.app.Commit("work", "Work", servicetest.Write("a.txt", "b\n"), servicetest.Write("new.txt", "new\n"),
		servicetest.Remove("gone.txt"))
	request := r.app.MergeRequest("work", servicetest.By(r.bob))
	s, ctx := as(t, r.svc, r.bob).MergeRequests, t.Context()
	versions, err := serviceapi.Collect(s.AllVersions(ctx, mergeApp.MergeRequest(request.IID()), nil))
	require.NoError(t, err)
	require.Len(t, versions, 1)
	version, _, err := s.GetVersion(ctx, mergeApp.MergeRequest(request.IID()), versions[0].ID, nil)
	require.NoError(t, err)
	assert.Equal(t, []any{"3", request.SHA(), 1, "Work"}, []any{
		string(version.RealSize), version.HeadCommitSHA, len(version.Commits), version.Commits[0].Title,
	})
	require.Len(t, version.Diffs, 3)
	assert.Equal(t, "@@ -1 +1 @@\n-a\n+b\n", version.Diffs[0].Diff)
	version.Commits, version.Diffs = nil, nil
	assert.Equal(t, versions[0], version)
	version, _, err = s.GetVersion(ctx, mergeApp.MergeRequest(request.IID()), versions[0].ID,
		&serviceapi.GetDiffVersionOptions{Unidiff: true})
	require.NoError(t, err)
	assert.Equal(t, "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+b\n", version.Diffs[0].Diff)
	_, _, err = s.GetVersion(ctx, mergeApp.MergeRequest(request.IID()), 99, nil)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)

	download, _, err := s.DownloadRawDiffs(ctx, mergeApp.MergeRequest(request.IID()))
	require.NoError(t, err)
	data, err := io.ReadAll(download)
	require.NoError(t, err)
	require.NoError(t, download.Close())
	assert.Equal(t, `diff --git a/a.txt b/a.txt
--- a/a.txt
+++ b/a.txt
@@ -1 +1 @@
-a
+b
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
--- a/gone.txt
+++ /dev/null
@@ -1,2 +0,0 @@
-gone
-for good
diff --git a/new.txt b/new.txt
new file mode 100644
--- /dev/null
+++ b/new.txt
@@ -0,0 +1 @@
+new
`, string(data))
}

func TestServiceReviewers(t *testing.T) {
	r := newReviewTeam(t)
	request := r.app.MergeRequest("work", servicetest.By(r.bob), servicetest.ReviewedBy(r.ada))
	ctx := t.Context()
	r.svc.Advance(time.Hour)
	_, _, err := as(t, r.svc, r.bob).MergeRequests.Update(ctx, mergeApp.MergeRequest(request.IID()),
		serviceapi.UpdateMergeRequestOptions{ReviewerIDs: []int64{r.ada.ID(), r.eve.ID()}})
	require.NoError(t, err)
	_, _, err = as(t, r.svc, r.ada).Approvals.Approve(ctx, mergeApp.MergeRequest(request.IID()),
		serviceapi.ApproveOptions{})
	require.NoError(t, err)
	reviewers, err := serviceapi.Collect(as(t, r.svc, r.bob).MergeRequests.AllReviewers(ctx,
		mergeApp.MergeRequest(request.IID()),
		nil))
	require.NoError(t, err)
	require.Len(t, reviewers, 2)
	assert.Equal(t, []any{"ada", serviceapi.ReviewerStateApproved, servicetest.Epoch},
		[]any{reviewers[0].User.Username, reviewers[0].State, reviewers[0].CreatedAt})
	assert.Equal(t, []any{"eve", serviceapi.ReviewerStateUnreviewed, servicetest.Epoch.Add(time.Hour)},
		[]any{reviewers[1].User.Username, reviewers[1].State, reviewers[1].CreatedAt})
}
