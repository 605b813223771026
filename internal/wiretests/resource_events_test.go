package wiretests

import (
	"context"
	"iter"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// eventCalls are the three calls of a kind of resource events.
type eventCalls[O, T any] struct {
	list func(*serviceapi.ResourceEventsService, context.Context, O, *serviceapi.ListOptions,
		...serviceapi.RequestOption) ([]*T, *serviceapi.Response, error)
	all func(*serviceapi.ResourceEventsService, context.Context, O, *serviceapi.ListOptions,
		...serviceapi.RequestOption) iter.Seq2[*T, error]
	get func(*serviceapi.ResourceEventsService, context.Context, O, int64,
		...serviceapi.RequestOption) (*T, *serviceapi.Response, error)
}

// eventOwners are owners by their paths.
var eventOwners = map[string]any{
	"/projects/acme%2Fapp/issues/12":        serviceapi.ProjectPath("acme/app").Issue(12),
	"/projects/acme%2Fapp/merge_requests/7": serviceapi.ProjectPath("acme/app").MergeRequest(7),
	"/groups/acme/epics/105":                serviceapi.GroupPath("acme").EpicByID(105),
}

// assertEvents checks the calls of a kind for all of its owners. The second event of a
// list has null and nothing else.
func assertEvents[O, T any](t *testing.T, kind string, calls eventCalls[O, T], whole, empty *T, nulls string) {
	t.Helper()
	fixtureName := "resource_events/" + kind + "_event.json"
	page := "[" + fixture(t, fixtureName) + `,{"id":144,"user":null,` + nulls + `}]`
	for path, owner := range eventOwners {
		of, has := owner.(O)
		if !has {
			continue
		}
		path += "/resource_" + kind + "_events"
		client := onWire(t,
			exchange{Method: "GET", Path: path, Query: "page=2&per_page=5", Body: page},
			exchange{Method: "GET", Path: path, Query: "per_page=100", Body: page},
			exchange{Method: "GET", Path: path + "/142", Fixture: fixtureName})
		s, ctx := client.ResourceEvents, t.Context()
		got, _, err := calls.list(s, ctx, of, &serviceapi.ListOptions{Page: 2, PerPage: 5})
		require.NoError(t, err, path)
		assert.Equal(t, []*T{whole, empty}, got, path)
		got, err = serviceapi.Collect(calls.all(s, ctx, of, nil))
		require.NoError(t, err, path)
		assert.Equal(t, []*T{whole, empty}, got, path)
		one, _, err := calls.get(s, ctx, of, 142)
		require.NoError(t, err, path)
		assert.Equal(t, whole, one, path)
		assertFilled(t, one)
		assertRefused(t, "event_id", errorOf(calls.get(s, ctx, of, 0)))
		var none O
		assert.ErrorAs(t, errorOf(calls.list(s, ctx, none, nil)), new(*serviceapi.ArgumentError))
	}
}

func TestResourceEvents(t *testing.T) {
	type s = serviceapi.ResourceEventsService
	created := *at(t, "2026-03-01T10:00:00.880Z")
	user := &serviceapi.UserSummary{
		ID: 1, Name: "Ada Lovelace", Username: "ada", State: "active",
		AvatarURL: "https://service.test/a.png", WebURL: "https://service.test/ada",
	}
	assertEvents(t, "label", eventCalls[serviceapi.ResourceEventOwner, serviceapi.ResourceLabelEvent]{
		(*s).ListLabelEvents, (*s).AllLabelEvents, (*s).GetLabelEvent,
	}, &serviceapi.ResourceLabelEvent{
		ID: 142, User: user, CreatedAt: created, ResourceType: "Issue", ResourceID: 253,
		Label: &serviceapi.LabelSummary{
			ID: new(int64(73)), Name: "bug", Color: "#34495E", TextColor: "#FFFFFF",
			Description: "Broken", DescriptionHTML: "Broken", Archived: true,
		},
		Action: serviceapi.ResourceEventActionAdd,
	}, &serviceapi.ResourceLabelEvent{ID: 144}, `"label":null`)
	assertEvents(t, "state", eventCalls[serviceapi.ResourceEventOwner, serviceapi.ResourceStateEvent]{
		(*s).ListStateEvents, (*s).AllStateEvents, (*s).GetStateEvent,
	}, &serviceapi.ResourceStateEvent{
		ID: 143, User: user, CreatedAt: created, ResourceType: "Issue", ResourceID: 253,
		State: serviceapi.ResourceStateClosed, SourceCommit: "6104942438c14ec7bd21c6cd5bd995272b3faff6",
		SourceMergeRequestID: new(int64(11)),
	}, &serviceapi.ResourceStateEvent{ID: 144}, `"source_commit":null,"source_merge_request_id":null`)
	assertEvents(t, "milestone", eventCalls[serviceapi.MilestoneEventOwner, serviceapi.ResourceMilestoneEvent]{
		(*s).ListMilestoneEvents, (*s).AllMilestoneEvents, (*s).GetMilestoneEvent,
	}, &serviceapi.ResourceMilestoneEvent{
		ID: 145, User: user, CreatedAt: created, ResourceType: "Issue", ResourceID: 253, Milestone: secondEngine(t),
		Action: serviceapi.ResourceEventActionAdd, State: serviceapi.ResourceStateOpened,
	}, &serviceapi.ResourceMilestoneEvent{ID: 144}, `"milestone":null`)
	assertEvents(t, "weight", eventCalls[serviceapi.IssueRef, serviceapi.ResourceWeightEvent]{
		(*s).ListWeightEvents, (*s).AllWeightEvents, (*s).GetWeightEvent,
	}, &serviceapi.ResourceWeightEvent{
		ID: 146, User: user, CreatedAt: created, IssueID: 253, Weight: new(3),
	}, &serviceapi.ResourceWeightEvent{ID: 144}, `"weight":null`)
	assertEvents(t, "iteration", eventCalls[serviceapi.IssueRef, serviceapi.ResourceIterationEvent]{
		(*s).ListIterationEvents, (*s).AllIterationEvents, (*s).GetIterationEvent,
	}, &serviceapi.ResourceIterationEvent{
		ID: 147, User: user, CreatedAt: created, ResourceType: "Issue", ResourceID: 253, Iteration: shortSprint(t),
		Action: serviceapi.ResourceEventActionRemove,
	}, &serviceapi.ResourceIterationEvent{ID: 144}, `"iteration":null`)
}

// TestResourceEventsOfEpics checks that an epic is named by its ID, not by its number.
func TestResourceEventsOfEpics(t *testing.T) {
	s, ctx, epic := onWire(t).ResourceEvents, t.Context(), serviceapi.GroupPath("acme").Epic(5)
	assertRefused(t, "epic", errorOf(s.ListLabelEvents(ctx, epic, nil)))
	assertRefused(t, "epic", errorOf(s.GetStateEvent(ctx, epic, 142)))
}
