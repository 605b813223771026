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
