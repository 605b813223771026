package servicetests

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// TestServiceIssueStatistics counts what the caller sees of each owner.
func TestServiceIssueStatistics(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	acme := svc.Group("acme", servicetest.Member(ada, servicetest.Guest))
	app, lib := svc.Project("acme/app"), svc.Project("acme/team/lib")
	app.Issue("Slow", servicetest.Labels("bug")).Close()
	app.Issue("Ugly", servicetest.By(ada))
	app.Issue("Secret", servicetest.Confidential())
	lib.Issue("Broken", servicetest.Labels("bug"))
	client, ctx := as(t, svc, ada), t.Context()
	type options = serviceapi.GetIssueStatisticsOptions
	count := func(owner serviceapi.IssueOwner, options *options) serviceapi.IssueStatistics {
		t.Helper()
		got, _, err := client.Issues.GetStatistics(ctx, owner, options)
		require.NoError(t, err)
		return *got
	}
	group, all := serviceapi.GroupID(acme.ID()), &serviceapi.GetIssueStatisticsOptions{Scope: serviceapi.IssueScopeAll}
	assert.Equal(t, serviceapi.IssueStatistics{All: 3, Closed: 1, Opened: 2}, count(group, nil))
	assert.Equal(t, serviceapi.IssueStatistics{All: 2, Closed: 1, Opened: 1},
		count(serviceapi.ProjectID(app.ID()), nil))
	assert.Equal(t, serviceapi.IssueStatistics{All: 1, Opened: 1}, count(serviceapi.Instance, nil))
	assert.Equal(t, serviceapi.IssueStatistics{All: 3, Closed: 1, Opened: 2}, count(serviceapi.Instance, all))
	assert.Equal(t, serviceapi.IssueStatistics{All: 2, Closed: 1, Opened: 1},
		count(group, &serviceapi.GetIssueStatisticsOptions{Labels: serviceapi.LabelsAre("bug")}))
	assert.Equal(t, serviceapi.IssueStatistics{All: 1, Opened: 1}, count(group,
		&serviceapi.GetIssueStatisticsOptions{Not: serviceapi.IssueExclusions{Labels: serviceapi.LabelNames{"bug"}}}))
}

// TestServiceUserAgents checks that an administrator sees which program made an object.
func TestServiceUserAgents(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	root, ctx, project := asRoot(t, svc), t.Context(), serviceapi.ProjectID(app.ID())
	issue, _, err := root.Issues.Create(ctx, project, serviceapi.CreateIssueOptions{Title: "Slow"})
	require.NoError(t, err)
	detail, _, err := root.Issues.GetUserAgentDetail(ctx, issue.Ref())
	require.NoError(t, err)
	assert.Contains(t, detail.UserAgent, "serviceapi")
	assert.Equal(t, "127.0.0.1", detail.IPAddress)
	files := []serviceapi.SnippetFileOptions{{FilePath: "a", Content: "a"}}
	for _, owner := range []serviceapi.SnippetOwner{serviceapi.Own, project} {
		snippet, _, err := root.Snippets.Create(ctx, owner, serviceapi.CreateSnippetOptions{Title: "A", Files: files})
		require.NoError(t, err)
		again, _, err := root.Snippets.GetUserAgentDetail(ctx, owner, snippet.ID)
		require.NoError(t, err)
		assert.Equal(t, detail, again)
	}
	_, _, err = root.Issues.GetUserAgentDetail(ctx, project.Issue(app.Issue("Seeded").IID()))
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, _, err = as(t, svc, svc.User("ada")).Issues.GetUserAgentDetail(ctx, issue.Ref())
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}

// TestServiceBurndown draws the chart of a milestone, up to the last day or to now.
func TestServiceBurndown(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	milestone := app.Milestone("1.0", servicetest.Between(servicetest.Epoch.AddDate(0, 0, -9),
		servicetest.Epoch.AddDate(0, 0, 1)))
	issue := app.Issue("Slow", servicetest.InMilestone(milestone), servicetest.Weight(3))
	app.Issue("Tomorrow", servicetest.InMilestone(milestone), servicetest.CreatedAt(servicetest.Epoch.AddDate(0, 0, 1)))
	app.Issue("Another")
	s, ctx, owner := asRoot(t, svc).Milestones, t.Context(), serviceapi.ProjectID(app.ID())
	svc.Advance(time.Hour)
	issue.Close()
	events, err := serviceapi.Collect(s.AllBurndownEvents(ctx, owner, milestone.ID(), nil))
	require.NoError(t, err)
	require.Len(t, events, 2)
	assert.Equal(t, serviceapi.BurndownActionCreated, events[0].Action)
	assert.Equal(t, &serviceapi.BurndownEvent{
		CreatedAt: servicetest.Epoch.Add(time.Hour), Weight: new(3), Action: serviceapi.BurndownActionClosed,
	}, events[1])
	svc.Advance(7 * 24 * time.Hour)
	_, _, err = asRoot(t, svc).Issues.Update(ctx, owner.Issue(issue.IID()), serviceapi.UpdateIssueOptions{
		StateEvent: new(serviceapi.StateEventReopen),
	})
	require.NoError(t, err)
	events, _, err = s.ListBurndownEvents(ctx, owner, milestone.ID(), nil)
	require.NoError(t, err)
	assert.Len(t, events, 3, "reopening comes too late, but the other issue is there now")

	free := servicetest.New(t, servicetest.WithTier(servicetest.Free))
	lone := free.Project("acme/app").Milestone("1.0")
	_, resp, err := asRoot(t, free).Milestones.ListBurndownEvents(ctx, serviceapi.ProjectID(1), lone.ID(), nil)
	require.ErrorContains(t, err, "Milestone does not support burndown chart")
	assert.Equal(t, 405, resp.StatusCode)
}
