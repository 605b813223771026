package servicetests

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// TestServiceDependencies merges one merge request after another.
func TestServiceDependencies(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithTier(servicetest.Premium))
	ada := svc.User("ada")
	lib := svc.Project("acme/lib", servicetest.Member(ada, servicetest.Maintainer))
	app := svc.Project("acme/app", servicetest.Member(ada, servicetest.Maintainer))
	secret := svc.Project("secret/lib").MergeRequest("hidden")
	first, second := lib.MergeRequest("first"), app.MergeRequest("second")
	mr := serviceapi.ProjectID(app.ID()).MergeRequest(second.IID())
	client, ctx := as(t, svc, ada), t.Context()
	s := client.MergeRequests
	made, _, err := s.CreateDependency(ctx, mr, serviceapi.CreateMergeRequestDependencyOptions{
		Blocking: serviceapi.ProjectPath("acme/lib").MergeRequest(first.IID()),
	})
	require.NoError(t, err)
	assert.Equal(t, first.ID(), made.BlockingMergeRequest.ID)
	assert.Equal(t, second.ID(), made.BlockedMergeRequest.ID)
	assert.Equal(t, lib.ID(), made.ProjectID)
	_, _, err = s.CreateDependency(ctx, mr, serviceapi.CreateMergeRequestDependencyOptions{
		BlockingID: new(secret.ID()),
	})
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	got, _, err := s.GetDependency(ctx, mr, made.ID)
	require.NoError(t, err)
	assert.Equal(t, made, got)
	waiting, err := serviceapi.Collect(s.AllDependents(ctx, made.BlockingMergeRequest.Ref(), nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.MergeRequestDependency{made}, waiting)

	_, _, err = s.Merge(ctx, mr, serviceapi.MergeOptions{})
	require.Error(t, err)
	details, _, err := s.Get(ctx, mr, nil)
	require.NoError(t, err)
	assert.Equal(t, serviceapi.DetailedMergeStatusBlocked, details.DetailedMergeStatus)
	_, err = s.DeleteDependency(ctx, mr, made.ID)
	require.NoError(t, err)
	left, _, err := s.ListDependencies(ctx, mr, nil)
	require.NoError(t, err)
	assert.Empty(t, left)

	job := app.Pipeline("second").Job("test", servicetest.Running())
	_, _, err = s.Merge(ctx, mr, serviceapi.MergeOptions{MergeWhenPipelineSucceeds: new(true)})
	require.NoError(t, err)
	_, _, err = s.CreateDependency(ctx, mr, serviceapi.CreateMergeRequestDependencyOptions{BlockingID: new(first.ID())})
	require.NoError(t, err)
	job.Succeed()
	assert.Equal(t, "opened", second.State())
	first.Merge()
	assert.Equal(t, "merged", second.State())
}

// TestServiceManyDependencies checks that one merge request depends on at most 10 others, and
// that at most 10 depend on it.
func TestServiceManyDependencies(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	client, ctx, project := asRoot(t, svc), t.Context(), serviceapi.ProjectID(app.ID())
	var all []*servicetest.MergeRequest
	for i := range 12 {
		all = append(all, app.MergeRequest("topic"+string(rune('a'+i))))
	}
	wait := func(blocked, blocking int) error {
		_, _, err := client.MergeRequests.CreateDependency(ctx, project.MergeRequest(all[blocked].IID()),
			serviceapi.CreateMergeRequestDependencyOptions{BlockingID: new(all[blocking].ID())})
		return err
	}
	for i := range 10 {
		require.NoError(t, wait(0, i+1))
	}
	assert.ErrorContains(t, wait(0, 11), "is blocked by the maximum number")
	for i := range 9 {
		require.NoError(t, wait(i+2, 1))
	}
	assert.ErrorContains(t, wait(11, 1), "blocks the maximum number")
}

// TestServiceContextCommits shows reviewers more commits, and takes them away.
func TestServiceContextCommits(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	older := app.Commit("main", "Older", servicetest.Write("a", "a"),
		servicetest.CommittedAt(servicetest.Epoch.AddDate(0, 0, -2)))
	newer := app.Commit("main", "Newer", servicetest.Write("b", "b"),
		servicetest.CommittedAt(servicetest.Epoch.AddDate(0, 0, -1)))
	mr := serviceapi.ProjectID(app.ID()).MergeRequest(app.MergeRequest("work").IID())
	s, ctx := asRoot(t, svc).MergeRequests, t.Context()
	made, _, err := s.CreateContextCommits(ctx, mr, serviceapi.CreateContextCommitsOptions{
		Commits: []string{older, newer},
	})
	require.NoError(t, err)
	require.Len(t, made, 2)
	assert.Equal(t, "Older", made[0].Title)
	all, err := serviceapi.Collect(s.AllContextCommits(ctx, mr, nil))
	require.NoError(t, err)
	require.Len(t, all, 2)
	assert.Equal(t, "Newer", all[0].Title)
	_, err = s.DeleteContextCommits(ctx, mr, &serviceapi.DeleteContextCommitsOptions{Commits: []string{newer}})
	require.NoError(t, err)
	left, _, err := s.ListContextCommits(ctx, mr, nil)
	require.NoError(t, err)
	require.Len(t, left, 1)
	assert.Equal(t, older, left[0].ID)
}

// TestServiceRelatedIssues reads issues of the built-in tracker and of another one.
func TestServiceRelatedIssues(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	app.Issue("Slow")
	app.Issue("Ugly")
	mr := serviceapi.ProjectID(app.ID()).MergeRequest(
		app.MergeRequest("work", servicetest.Description("For #2, PROJ-1 and PROJ-12")).IID())
	s, ctx := asRoot(t, svc).MergeRequests, t.Context()
	issues, _, err := s.ListRelatedIssues(ctx, mr, nil)
	require.NoError(t, err)
	require.Len(t, issues, 1)
	assert.Equal(t, "Ugly", issues[0].Title)
	assert.Equal(t, serviceapi.ProjectID(app.ID()).Issue(2), issues[0].Ref())
	app.ExternalIssue("PROJ-12", "Hard")
	app.ExternalIssue("PROJ-2", "Unrelated")
	app.ExternalIssue("PR.J-1", "A key is no pattern")
	issues, err = serviceapi.Collect(s.AllRelatedIssues(ctx, mr, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.RelatedIssue{{ID: serviceapi.IssueID{Key: "PROJ-12"}, Title: "Hard"}}, issues)
}
