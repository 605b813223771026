package servicetests

import (
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"example.com/serviceapi/webhook"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestServiceMilestonesLife goes through the life of a milestone: what belongs to it is
// listed, and free when it is deleted.
func TestServiceMilestonesLife(t *testing.T) {
	c := newCompany(t)
	s, ctx := c.asBob.Milestones, t.Context()
	inbox := new(inbox)
	c.app.Hook(serve(t, inbox, webhook.AcceptUnverified()), servicetest.HookEvents("milestone_events"))
	day := serviceapi.NewDate(2026, 1, 20)
	v1, resp, err := s.Create(ctx, teamApp, serviceapi.CreateMilestoneOptions{
		Title: "v1", Description: new("First"), StartDate: &day, DueDate: &day,
	})
	require.NoError(t, err)
	assert.Equal(t, []any{201, int64(1), serviceapi.MilestoneStateActive, day},
		[]any{resp.StatusCode, v1.IID, v1.State, *v1.DueDate})
	got, _, err := s.Get(ctx, teamApp, v1.ID)
	require.NoError(t, err)
	assert.Equal(t, v1, got)

	c.app.Label("urgent", "#ff0000", "", servicetest.LabelPriority(0))
	var issues []*serviceapi.Issue
	for _, options := range []serviceapi.CreateIssueOptions{
		{Title: "Crash", MilestoneID: &v1.ID}, {Title: "Leak", MilestoneID: &v1.ID, Labels: []string{"urgent"}},
		{Title: "Other"},
	} {
		issue, _, err := c.asBob.Issues.Create(ctx, teamApp, options)
		require.NoError(t, err)
		issues = append(issues, issue)
	}
	request := c.app.MergeRequest("feature")
	_, _, err = c.asBob.MergeRequests.Update(ctx, teamApp.MergeRequest(request.IID()),
		serviceapi.UpdateMergeRequestOptions{MilestoneID: &v1.ID})
	require.NoError(t, err)
	listed, err := serviceapi.Collect(s.AllIssues(ctx, teamApp, v1.ID, nil))
	require.NoError(t, err)
	require.Len(t, listed, 2)
	assert.Equal(t, []string{"Leak", "Crash"}, []string{listed[0].Title, listed[1].Title}, "by priority")
	assert.Nil(t, listed[0].References)
	requests, _, err := s.ListMergeRequests(ctx, teamApp, v1.ID, nil)
	require.NoError(t, err)
	require.Len(t, requests, 1)
	assert.Equal(t, request.ID(), requests[0].ID)

	changed, _, err := s.Update(ctx, teamApp, v1.ID, serviceapi.UpdateMilestoneOptions{
		Title: new("v1.0"), DueDate: serviceapi.Null[serviceapi.Date](),
		StateEvent: new(serviceapi.MilestoneStateEventClose),
	})
	require.NoError(t, err)
	assert.Equal(t, []any{"v1.0", serviceapi.MilestoneStateClosed}, []any{changed.Title, changed.State})
	assert.Nil(t, changed.DueDate)
	_, _, err = s.Update(ctx, teamApp, v1.ID, serviceapi.UpdateMilestoneOptions{
		StateEvent: new(serviceapi.MilestoneStateEventActivate),
	})
	require.NoError(t, err)
	_, err = s.Delete(ctx, teamApp, v1.ID)
	require.NoError(t, err)
	_, _, err = s.Get(ctx, teamApp, v1.ID)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	freed, _, err := c.asBob.Issues.Get(ctx, teamApp.Issue(issues[0].IID))
	require.NoError(t, err)
	assert.Nil(t, freed.Milestone)
	notes := request.Notes()
	assert.Equal(t, "removed milestone", notes[len(notes)-1].Body())
	c.svc.Flush()
	assert.Equal(t, []string{"create", "close", "reopen", "delete"}, inbox.milestones())
}

// milestones are the actions of the events about milestones.
func (b *inbox) milestones() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var actions []string
	for _, event := range b.events {
		if e, ok := event.(*webhook.MilestoneEvent); ok {
			actions = append(actions, string(e.Action))
		}
	}
	return actions
}

// TestServiceMilestonesPromote puts one milestone of a group in the place of those of its
// projects.
func TestServiceMilestonesPromote(t *testing.T) {
	c := newCompany(t)
	s, ctx := c.asAda.Milestones, t.Context()
	day := servicetest.Epoch
	v1 := c.app.Milestone("v1", servicetest.Description("First"), servicetest.Between(day, day.AddDate(0, 0, 9)))
	other := c.svc.Project("acme/platform/other")
	c.app.Issue("Crash", servicetest.InMilestone(v1))
	c.app.MergeRequest("feature", servicetest.InMilestone(v1))
	other.Issue("Leak", servicetest.InMilestone(other.Milestone("v1")))
	inbox := new(inbox)
	c.app.Hook(serve(t, inbox, webhook.AcceptUnverified()))
	_, err := c.asBob.Milestones.Promote(ctx, teamApp, v1.ID())
	require.ErrorIs(t, err, serviceapi.ErrForbidden, "Bob has no role in the group")
	_, err = s.Promote(ctx, teamApp, v1.ID())
	require.NoError(t, err)

	all, err := serviceapi.Collect(s.All(ctx, platform, &serviceapi.ListMilestonesOptions{
		State: serviceapi.MilestoneStateAny, IncludeDescendants: true,
	}))
	require.NoError(t, err)
	require.Len(t, all, 1, "those of the projects are gone")
	made := all[0]
	assert.Equal(t, []any{"v1", "First", int64(1), c.platform.ID(), "2026-01-24"},
		[]any{made.Title, made.Description, made.IID, *made.GroupID, made.DueDate.String()})
	assert.NotEqual(t, v1.ID(), made.ID)
	issues, _, err := s.ListIssues(ctx, platform, made.ID, nil)
	require.NoError(t, err)
	require.Len(t, issues, 2)
	assert.Equal(t, made.ID, issues[1].Milestone.ID)
	requests, err := serviceapi.Collect(s.AllMergeRequests(ctx, platform, made.ID, nil))
	require.NoError(t, err)
	assert.Len(t, requests, 1)
	c.svc.Flush()
	assert.Empty(t, inbox.said())
	assert.Empty(t, c.app.Issues()[0].Notes())

	_, _, err = s.Create(ctx, teamApp, serviceapi.CreateMilestoneOptions{Title: "v1"})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest, "the group above has the title")
	_, _, err = s.Create(ctx, acme, serviceapi.CreateMilestoneOptions{Title: "v1"})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest, "a group below has the title")
	own := c.svc.Project("ada/notes").Milestone("mine")
	_, err = asRoot(t, c.svc).Milestones.Promote(ctx, serviceapi.ProjectPath("ada/notes"), own.ID())
	assert.ErrorContains(t, err, "Project does not belong to a group")
}
