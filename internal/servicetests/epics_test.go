package servicetests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestServiceEpicsLife goes through the life of an epic with a parent, a child and an
// issue.
func TestServiceEpicsLife(t *testing.T) {
	c := newCompany(t)
	reporter := c.svc.User("reporter")
	c.acme.AddMember(reporter, servicetest.Reporter)
	s, ctx := as(t, c.svc, reporter).Epics, t.Context()
	day := func(n int) *serviceapi.Date { return new(serviceapi.DateOf(servicetest.Epoch.AddDate(0, 0, n))) }
	goal, resp, err := s.Create(ctx, acme, serviceapi.CreateEpicOptions{
		Title: "Goal", Description: new("All"), Labels: serviceapi.LabelNames{"big", "new"}, Color: new("red"),
		Confidential: new(true), StartDateIsFixed: new(true), StartDateFixed: day(0), DueDateFixed: day(9),
	})
	require.NoError(t, err)
	assert.Equal(t, []any{201, "Goal", "All", "#ff0000", true, "reporter", int64(1)}, []any{
		resp.StatusCode, goal.Title, goal.Description, goal.Color, goal.Confidential, goal.Author.Username, goal.IID,
	})
	assert.Equal(t, day(0), goal.StartDate)
	assert.Nil(t, goal.DueDate, "the fixed date does not count")
	assert.Equal(t, day(9), goal.DueDateFixed)
	child, _, err := s.Create(ctx, platform, serviceapi.CreateEpicOptions{
		Title: "Part", ParentID: &goal.ID, DueDateIsFixed: new(true), DueDateFixed: day(20),
	})
	require.NoError(t, err)
	assert.Equal(t, []any{goal.ID, goal.IID}, []any{*child.ParentID, *child.ParentIID})
	milestone := c.app.Milestone("v1", servicetest.Between(time.Time{}, servicetest.Epoch.AddDate(0, 0, 30)))
	issue, _, err := c.asAda.Issues.Create(ctx, teamApp,
		serviceapi.CreateIssueOptions{Title: "Begin", EpicID: &goal.ID, MilestoneID: new(milestone.ID())})
	require.NoError(t, err)
	read, _, err := s.Get(ctx, acme.Epic(goal.IID))
	require.NoError(t, err)
	assert.Equal(t, "2026-02-14", read.DueDate.String(), "the last of the child's and the milestone's")

	changed, _, err := s.Update(ctx, acme.Epic(goal.IID), serviceapi.UpdateEpicOptions{
		Title: new("Aim"), AddLabels: serviceapi.LabelNames{"late"}, RemoveLabels: serviceapi.LabelNames{"new"},
		StateEvent: new(serviceapi.StateEventClose), DueDateIsFixed: new(true), Confidential: new(false),
	})
	require.NoError(t, err)
	assert.Equal(t, []any{"Aim", serviceapi.EpicStateClosed, false, "2026-01-24"},
		[]any{changed.Title, changed.State, changed.Confidential, changed.DueDate.String()})
	assert.Equal(t, []*serviceapi.LabelSummary{{Name: "big"}, {Name: "late"}}, changed.Labels)
	assert.NotNil(t, changed.ClosedAt)
	notes, err := serviceapi.Collect(as(t, c.svc, reporter).Notes.All(ctx, changed.Ref(), nil))
	require.NoError(t, err)
	assert.Equal(t, "closed", notes[0].Body)
	_, _, err = s.Update(ctx, acme.Epic(goal.IID),
		serviceapi.UpdateEpicOptions{ParentID: serviceapi.Value(child.ID)})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest, "it would be its own ancestor")
	_, _, err = s.Update(ctx, acme.Epic(goal.IID), serviceapi.UpdateEpicOptions{UpdatedAt: new(servicetest.Epoch)})
	require.ErrorIs(t, err, serviceapi.ErrForbidden, "only owners may")
	reopened, _, err := c.asAda.Epics.Update(ctx, acme.Epic(goal.IID), serviceapi.UpdateEpicOptions{
		StateEvent: new(serviceapi.StateEventReopen), UpdatedAt: new(servicetest.Epoch.AddDate(0, 0, 1)),
	})
	require.NoError(t, err)
	assert.Equal(t, []any{serviceapi.EpicStateOpened, servicetest.Epoch.AddDate(0, 0, 1)},
		[]any{reopened.State, reopened.UpdatedAt})

	_, err = s.Delete(ctx, acme.Epic(goal.IID))
	require.ErrorIs(t, err, serviceapi.ErrForbidden, "only owners may")
	_, err = c.asAda.Epics.Delete(ctx, acme.Epic(goal.IID))
	require.NoError(t, err)
	left, _, err := s.Get(ctx, platform.Epic(child.IID))
	require.NoError(t, err)
	assert.Nil(t, left.ParentID)
	kept, _, err := c.asAda.Issues.Get(ctx, teamApp.Issue(issue.IID))
	require.NoError(t, err)
	assert.Nil(t, kept.Epic)
}

func TestServiceIterations(t *testing.T) {
	c := newCompany(t)
	c.platform.AddMember(c.bob, servicetest.Guest)
	day := func(n int) time.Time { return servicetest.Epoch.Truncate(24*time.Hour).AddDate(0, 0, n) }
	past := c.acme.Iteration(servicetest.Iteration{Title: "Past", Start: day(-20), Due: day(-10)})
	now := c.platform.Iteration(servicetest.Iteration{ID: 90, Start: day(-3), Due: day(3)})
	c.platform.Iteration(servicetest.Iteration{Title: "Next", Start: day(4), Due: day(10)})
	c.app.Issue("Crash", servicetest.InIteration(now))
	s, ctx := c.asBob.Iterations, t.Context()
	type options = serviceapi.ListIterationsOptions
	ids := func(owner serviceapi.IterationOwner, options *options) []int64 {
		t.Helper()
		found := []int64{}
		for it, err := range s.All(ctx, owner, options) {
			require.NoError(t, err)
			found = append(found, it.ID)
		}
		return found
	}
	assert.Equal(t, []int64{past.ID, 90, 91}, ids(teamApp, nil))
	assert.Equal(t, []int64{90, 91}, ids(platform, &options{IncludeAncestors: new(false)}))
	assert.Equal(t, []int64{90, 91}, ids(platform, &options{State: serviceapi.IterationStateFilterOpened}))
	assert.Equal(t, []int64{91}, ids(platform, &options{State: serviceapi.IterationStateFilterUpcoming}))
	assert.Equal(t, []int64{90}, ids(platform, &options{State: serviceapi.IterationStateFilterCurrent}))
	assert.Equal(t, []int64{past.ID}, ids(teamApp, &options{State: serviceapi.IterationStateFilterClosed}))
	assert.Equal(t, []int64{past.ID, 90, 91}, ids(teamApp, &options{State: serviceapi.IterationStateFilterAny}))
	assert.Equal(t, []int64{91}, ids(teamApp, &options{Search: "nex"}))
	assert.Empty(t, ids(teamApp, &options{
		Search: "nex", In: []serviceapi.IterationSearchField{serviceapi.IterationSearchFieldCadenceTitle},
	}))
	assert.Empty(t, ids(teamApp, &options{UpdatedAfter: day(30)}))
	ofAcme, err := serviceapi.Collect(c.asAda.Iterations.All(ctx, acme, &options{IncludeDescendants: true}))
	require.NoError(t, err)
	assert.Len(t, ofAcme, 3)

	issue, _, err := c.asBob.Issues.Get(ctx, teamApp.Issue(1))
	require.NoError(t, err)
	listed, _, err := s.List(ctx, platform, &options{State: serviceapi.IterationStateFilterCurrent})
	require.NoError(t, err)
	assert.Equal(t, listed[0], issue.Iteration)
	assert.Equal(t, []any{c.platform.ID(), "", serviceapi.IterationStateCurrent, "2026-01-12"},
		[]any{listed[0].GroupID, listed[0].Title, listed[0].State, listed[0].StartDate.String()})
	free := newCompany(t, servicetest.WithTier(servicetest.Free))
	_, _, err = free.asAda.Iterations.List(ctx, acme, nil)
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
}
