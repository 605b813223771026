package interop

import (
	"testing"

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
