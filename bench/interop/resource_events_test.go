package interop

import (
	"fmt"
	"net/http"
	"testing"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestResourceEvents(t *testing.T) {
	e := start(t)
	issue := e.svc.Project(app).Issue("Broken")
	for _, event := range []string{"close", "reopen", "close"} {
		options := &clientgo.UpdateIssueOptions{StateEvent: &event, AddLabels: &clientgo.LabelOptions{event, event +
			"d"}}
		got(e.admin.Issues.UpdateIssue(app, issue.IID(), options)).raw(e)
	}
	labels := walk2(e, e.admin.ResourceLabelEvents.ListIssueLabelEvents, any(app), issue.IID(), nil)
	assert.Equal(t, []string{"close", "closed", "reopen", "reopend"},
		each(labels, func(l *clientgo.LabelEvent) string { return l.Label.Name }))
	states := walk2(e, e.admin.ResourceStateEvents.ListIssueStateEvents, any(app), issue.IID(), nil)
	assert.Equal(t, []clientgo.EventTypeValue{"closed", "reopened", "closed"},
		each(states, func(s *clientgo.StateEvent) clientgo.EventTypeValue { return s.State }))
}

// TestResourceEventsOfPlans checks the events of every kind, of every object, and single ones.
func TestResourceEventsOfPlans(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	milestone := project.Milestone("1.0")
	issue, merge := project.Issue("Broken"), project.MergeRequest("topic")
	epic := project.Group().Epic("Engine")
	close, more := new("close"), &clientgo.LabelOptions{"more"}
	got(e.admin.Issues.UpdateIssue(app, issue.IID(), &clientgo.UpdateIssueOptions{
		MilestoneID: new(milestone.ID()), Weight: new(int64(5)), AddLabels: more, StateEvent: close,
	})).raw(e)
	got(e.admin.MergeRequests.UpdateMergeRequest(app, merge.IID(), &clientgo.UpdateMergeRequestOptions{
		MilestoneID: new(milestone.ID()), AddLabels: more, StateEvent: close,
	})).raw(e)
	got(e.admin.Epics.UpdateEpic(acme, epic.IID(), &clientgo.UpdateEpicOptions{
		AddLabels: more, StateEvent: close,
	})).raw(e)
	issue.SetIteration(servicetest.Iteration{Title: "Sprint"})

	labels, states, milestones := e.admin.ResourceLabelEvents, e.admin.ResourceStateEvents,
		e.admin.ResourceMilestoneEvents
	one := got(labels.GetIssueLabelEvent(app, issue.IID(), 1)).ok(e, 200)
	assert.Equal(t, "more", one.Label.Name)
	assert.Len(t, got(labels.ListMergeRequestsLabelEvents(app, merge.IID(), nil)).ok(e, 200), 1)
	assert.Equal(t, "MergeRequest", got(labels.GetMergeRequestLabelEvent(app, merge.IID(), 2)).ok(e, 200).ResourceType)
	assert.Len(t, got(labels.ListGroupEpicLabelEvents(acme, epic.ID(), nil)).ok(e, 200), 1)
	assert.Equal(t, "Epic", got(labels.GetGroupEpicLabelEvent(acme, epic.ID(), 3)).ok(e, 200).ResourceType)

	assert.Equal(t, issue.ID(), got(states.GetIssueStateEvent(app, issue.IID(), 1)).ok(e, 200).ResourceID)
	assert.Len(t, got(states.ListMergeStateEvents(app, merge.IID(), nil)).ok(e, 200), 1)
	assert.Equal(t, clientgo.EventTypeValue("closed"),
		got(states.GetMergeRequestStateEvent(app, merge.IID(), 2)).ok(e, 200).State)
	path := fmt.Sprintf("groups/1/epics/%d/resource_state_events", epic.ID())
	ofEpic := request[[]*clientgo.StateEvent](e.admin, http.MethodGet, path, nil).ok(e, 200)
	assert.Equal(t, epic.ID(), ofEpic[0].ResourceID)
	state := request[*clientgo.StateEvent](e.admin, http.MethodGet, path+"/3", nil).ok(e, 200)
	assert.Equal(t, clientgo.EventTypeValue("closed"), state.State)

	assert.Len(t, got(milestones.ListIssueMilestoneEvents(app, issue.IID(), nil)).ok(e, 200), 1)
	assert.Equal(t, "1.0", got(milestones.GetIssueMilestoneEvent(app, issue.IID(), 1)).ok(e, 200).Milestone.Title)
	assert.Len(t, got(milestones.ListMergeMilestoneEvents(app, merge.IID(), nil)).ok(e, 200), 1)
	assert.Equal(t, "add", got(milestones.GetMergeRequestMilestoneEvent(app, merge.IID(), 2)).ok(e, 200).Action)

	weights := got(e.admin.ResourceWeightEvents.ListIssueWeightEvents(app, issue.IID(), nil)).ok(e, 200)
	assert.Equal(t, int64(5), weights[0].Weight)
	path = fmt.Sprintf("projects/1/issues/%d/resource_weight_events/1", issue.IID())
	assert.Equal(t, weights[0], request[*clientgo.WeightEvent](e.admin, http.MethodGet, path, nil).ok(e, 200))
	iterations := got(e.admin.ResourceIterationEvents.ListIssueIterationEvents(app, issue.IID(), nil)).ok(e, 200)
	iteration := got(e.admin.ResourceIterationEvents.GetIssueIterationEvent(app, issue.IID(), 1)).ok(e, 200)
	assert.Equal(t, "Sprint", iteration.Iteration.Title)
	assert.Equal(t, iterations[0], iteration)
}

// TestWalksOfResourceEvents walks the lists of an issue, a merge request and an epic that have
// changed several times.
func TestWalksOfResourceEvents(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	milestone := project.Milestone("1.0")
	issue, merge := project.Issue("Broken"), project.MergeRequest("topic")
	epic := project.Group().Epic("Engine")
	for i, event := range []string{"close", "reopen", "close"} {
		to, labels := new(milestone.ID()*int64(1-i%2)), &clientgo.LabelOptions{event, event + "d"}
		got(e.admin.Issues.UpdateIssue(app, issue.IID(), &clientgo.UpdateIssueOptions{
			MilestoneID: to, Weight: new(int64(i + 1)),
		})).raw(e)
		got(e.admin.MergeRequests.UpdateMergeRequest(app, merge.IID(), &clientgo.UpdateMergeRequestOptions{
			MilestoneID: to, AddLabels: labels, StateEvent: &event,
		})).raw(e)
		got(e.admin.Epics.UpdateEpic(acme, epic.IID(), &clientgo.UpdateEpicOptions{
			AddLabels: labels, StateEvent: &event,
		})).raw(e)
		issue.SetIteration(servicetest.Iteration{Title: event})
	}
	of := e.admin
	assert.Len(t, walk2(e, of.ResourceMilestoneEvents.ListIssueMilestoneEvents, any(app), issue.IID(), nil), 3)
	assert.Len(t, walk2(e, of.ResourceMilestoneEvents.ListMergeMilestoneEvents, any(app), merge.IID(), nil), 3)
	assert.Len(t, walk2(e, of.ResourceWeightEvents.ListIssueWeightEvents, any(app), issue.IID(), nil), 3)
	assert.Len(t, walk2(e, of.ResourceIterationEvents.ListIssueIterationEvents, any(app), issue.IID(), nil), 5)
	assert.Len(t, walk2(e, of.ResourceLabelEvents.ListMergeRequestsLabelEvents, any(app), merge.IID(), nil), 4)
	assert.Len(t, walk2(e, of.ResourceStateEvents.ListMergeStateEvents, any(app), merge.IID(), nil), 3)
	assert.Len(t, walk2(e, of.ResourceLabelEvents.ListGroupEpicLabelEvents, any(acme), epic.ID(), nil), 4)
	path := fmt.Sprintf("groups/1/epics/%d/resource_state_events", epic.ID())
	assert.Len(t, walkPath[*clientgo.StateEvent](e, path), 3)
}
