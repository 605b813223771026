package wiretests

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestResourceEvents(t *testing.T) {
	const path = "/projects/acme%2Fapp/issues/12"
	user := &serviceapi.UserSummary{
		ID: 1, Name: "Ada Lovelace", Username: "ada", State: "active",
		AvatarURL: "https://service.test/a.png", WebURL: "https://service.test/ada",
	}
	labels := []*serviceapi.ResourceLabelEvent{{
		ID: 142, User: user, CreatedAt: *at(t, "2026-03-01T10:00:00.880Z"), ResourceType: "Issue", ResourceID: 253,
		Label: &serviceapi.LabelSummary{
			ID: new(int64(73)), Name: "bug", Color: "#34495E", TextColor: "#FFFFFF",
			Description: "Broken", DescriptionHTML: "Broken", Archived: true,
		},
		Action: serviceapi.ResourceLabelActionAdd,
	}, {ID: 144}}
	states := []*serviceapi.ResourceStateEvent{{
		ID: 143, User: user, CreatedAt: *at(t, "2026-03-01T10:00:00.880Z"), ResourceType: "Issue", ResourceID: 253,
		State: serviceapi.ResourceStateClosed, SourceCommit: "6104942438c14ec7bd21c6cd5bd995272b3faff6",
		SourceMergeRequestID: new(int64(11)),
	}, {ID: 144}}
	labelBody := "[" + fixture(t, "resource_events/label_event.json") + `,{"id":144,"user":null,"label":null}]`
	stateBody := "[" + fixture(t, "resource_events/state_event.json") + `,{"id":144,"source_merge_request_id":null}]`
	client := onWire(t,
		exchange{Method: "GET", Path: path + "/resource_label_events", Query: "page=2", Body: labelBody},
		exchange{Method: "GET", Path: path + "/resource_label_events", Query: "per_page=100", Body: labelBody},
		exchange{Method: "GET", Path: path + "/resource_state_events", Query: "page=2", Body: stateBody},
		exchange{Method: "GET", Path: path + "/resource_state_events", Query: "per_page=100", Body: stateBody})
	s, ctx, issue := client.ResourceEvents, t.Context(), serviceapi.ProjectPath("acme/app").Issue(12)
	gotLabels, _, err := s.ListLabelEvents(ctx, issue, &serviceapi.ListOptions{Page: 2})
	require.NoError(t, err)
	assert.Equal(t, labels, gotLabels)
	assertFilled(t, gotLabels[0])
	gotLabels, err = serviceapi.Collect(s.AllLabelEvents(ctx, issue, nil))
	require.NoError(t, err)
	assert.Equal(t, labels, gotLabels)
	gotStates, _, err := s.ListStateEvents(ctx, issue, &serviceapi.ListOptions{Page: 2})
	require.NoError(t, err)
	assert.Equal(t, states, gotStates)
	assertFilled(t, gotStates[0])
	gotStates, err = serviceapi.Collect(s.AllStateEvents(ctx, issue, nil))
	require.NoError(t, err)
	assert.Equal(t, states, gotStates)
	_, _, err = s.ListLabelEvents(ctx, serviceapi.IssueRef{}, nil)
	assertRefused(t, "issue", err)
}
