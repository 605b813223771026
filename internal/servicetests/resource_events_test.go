package servicetests

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// TestServiceResourceEvents checks that events arise from what happens to an issue.
func TestServiceResourceEvents(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	app := svc.Project("acme/app", servicetest.Public(), servicetest.Member(ada, servicetest.Developer))
	project, client, ctx := serviceapi.ProjectID(app.ID()), as(t, svc, ada), t.Context()
	issue, _, err := client.Issues.Create(ctx, project, serviceapi.CreateIssueOptions{
		Title: "Broken", Labels: serviceapi.LabelNames{"bug", "new"},
	})
	require.NoError(t, err)
	update := func(client *serviceapi.Client, options serviceapi.UpdateIssueOptions) {
		t.Helper()
		_, _, err := client.Issues.Update(ctx, project.Issue(issue.IID), options)
		require.NoError(t, err)
	}
	update(client, serviceapi.UpdateIssueOptions{Title: new("Slow")})
	update(asRoot(t, svc), serviceapi.UpdateIssueOptions{AddLabels: serviceapi.LabelNames{"slow"},
		RemoveLabels: serviceapi.LabelNames{"new"}})
	update(client, serviceapi.UpdateIssueOptions{StateEvent: new(serviceapi.StateEventClose)})
	update(client, serviceapi.UpdateIssueOptions{StateEvent: new(serviceapi.StateEventReopen)})
	app.Issue("Another", servicetest.Labels("bug"))

	var said []string
	reader := asAnybody(t, svc).ResourceEvents
	for event, err := range reader.AllLabelEvents(ctx, issue.Ref(), nil) {
		require.NoError(t, err)
		assert.Equal(t, issue.ID, event.ResourceID)
		said = append(said, fmt.Sprint(event.User.Username, " ", event.Action, " ", event.Label.Name))
	}
	for event, err := range reader.AllStateEvents(ctx, issue.Ref(), nil) {
		require.NoError(t, err)
		said = append(said, fmt.Sprint(event.User.Username, " ", event.State))
	}
	assert.Equal(t, []string{
		"ada add bug", "ada add new", "root add slow", "root remove new", "ada closed", "ada reopened",
	}, said)
}

// TestServicePlanEvents checks the events of milestones, weights and iterations, also one by
// one, and those of a merge request and of an epic.
func TestServicePlanEvents(t *testing.T) {
	svc := servicetest.New(t)
	team := svc.Group("acme")
	app := svc.Project("acme/app")
	first, second := app.Milestone("1.0"), app.Milestone("2.0")
	request, epic := app.MergeRequest("new", servicetest.InMilestone(first)), team.Epic("Engine")
	seeded := app.Issue("Broken", servicetest.InMilestone(first), servicetest.Weight(1))
	issue := serviceapi.ProjectID(app.ID()).Issue(seeded.IID())
	client, ctx := asRoot(t, svc), t.Context()
	_, _, err := client.Issues.Update(ctx, issue, serviceapi.UpdateIssueOptions{
		MilestoneID: new(second.ID()), Weight: serviceapi.Value(5),
	})
	require.NoError(t, err)
	_, _, err = client.Issues.Update(ctx, issue, serviceapi.UpdateIssueOptions{Weight: serviceapi.Null[int]()})
	require.NoError(t, err)
	seeded.SetIteration(servicetest.Iteration{Title: "Sprint 1"})
	seeded.SetIteration(servicetest.Iteration{Title: "Sprint 2"})
	seeded.SetIteration(servicetest.Iteration{})
	events := client.ResourceEvents

	var said []string
	for event, err := range events.AllMilestoneEvents(ctx, issue, nil) {
		require.NoError(t, err)
		said = append(said, fmt.Sprint(event.Action, " ", event.Milestone.Title, " ", event.State))
	}
	for event, err := range events.AllWeightEvents(ctx, issue, nil) {
		require.NoError(t, err)
		one, _, err := events.GetWeightEvent(ctx, issue, event.ID)
		require.NoError(t, err)
		assert.Equal(t, event, one)
		assert.Equal(t, seeded.ID(), event.IssueID)
		said = append(said, fmt.Sprint("weight ", event.Weight != nil && *event.Weight == 5))
	}
	for event, err := range events.AllIterationEvents(ctx, issue, nil) {
		require.NoError(t, err)
		one, _, err := events.GetIterationEvent(ctx, issue, event.ID)
		require.NoError(t, err)
		assert.Equal(t, event, one)
		assert.Equal(t, seeded.ID(), event.ResourceID)
		said = append(said, fmt.Sprint(event.Action, " ", event.Iteration.Title))
	}
	assert.Equal(t, []string{
		"add 2.0 opened", "weight true", "weight false",
		"add Sprint 1", "remove Sprint 1", "add Sprint 2", "remove Sprint 2",
	}, said)

	merge := serviceapi.ProjectID(app.ID()).MergeRequest(request.IID())
	_, _, err = client.MergeRequests.Update(ctx, merge, serviceapi.UpdateMergeRequestOptions{
		MilestoneID: new(int64(0)), AddLabels: serviceapi.LabelNames{"engine"},
	})
	require.NoError(t, err)
	request.Merge()
	milestone, _, err := events.GetMilestoneEvent(ctx, merge, 2)
	require.NoError(t, err)
	assert.Equal(t, "1.0", milestone.Milestone.Title)
	assert.Equal(t, serviceapi.ResourceEventActionRemove, milestone.Action)
	assert.Equal(t, "MergeRequest", milestone.ResourceType)
	state, _, err := events.GetStateEvent(ctx, merge, 1)
	require.NoError(t, err)
	assert.Equal(t, serviceapi.ResourceStateMerged, state.State)
	label, _, err := events.GetLabelEvent(ctx, merge, 1)
	require.NoError(t, err)
	assert.Equal(t, "engine", label.Label.Name)

	epic.Close()
	states, _, err := events.ListStateEvents(ctx, serviceapi.GroupPath("acme").EpicByID(epic.ID()), nil)
	require.NoError(t, err)
	require.Len(t, states, 1)
	assert.Equal(t, serviceapi.ResourceStateClosed, states[0].State)
	assert.Equal(t, "Epic", states[0].ResourceType)
}

// TestServiceHiddenEvents checks that the labels and milestones of a private group are left
// out of the events that others see, after paging.
func TestServiceHiddenEvents(t *testing.T) {
	svc := servicetest.New(t)
	team := svc.Group("acme")
	team.Label("secret", "#ff0000", "")
	plan := team.Milestone("Plan")
	app := svc.Project("acme/app", servicetest.Public())
	issue := serviceapi.ProjectID(app.ID()).Issue(app.Issue("Broken").IID())
	_, _, err := asRoot(t, svc).Issues.Update(t.Context(), issue, serviceapi.UpdateIssueOptions{
		AddLabels: serviceapi.LabelNames{"secret", "open"}, MilestoneID: new(plan.ID()),
	})
	require.NoError(t, err)
	events, ctx := asAnybody(t, svc).ResourceEvents, t.Context()
	labels, resp, err := events.ListLabelEvents(ctx, issue, &serviceapi.ListOptions{PerPage: 1})
	require.NoError(t, err)
	assert.Empty(t, labels)
	assert.Equal(t, 2, resp.Total)
	labels, err = serviceapi.Collect(events.AllLabelEvents(ctx, issue, &serviceapi.ListOptions{PerPage: 1}))
	require.NoError(t, err)
	require.Len(t, labels, 1)
	assert.Equal(t, "open", labels[0].Label.Name)
	_, _, err = events.GetLabelEvent(ctx, issue, 1)
	assert.ErrorContains(t, err, "404 ResourceLabelEvent Not Found")
	_, _, err = events.GetMilestoneEvent(ctx, issue, 1)
	assert.ErrorContains(t, err, "404 ResourceMilestoneEvent Not Found")
	milestones, _, err := events.ListMilestoneEvents(ctx, issue, nil)
	require.NoError(t, err)
	assert.Empty(t, milestones)
}
