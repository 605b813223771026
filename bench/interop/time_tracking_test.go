package interop

import (
	"testing"

	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestTimeTracking(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	issue, request := project.Issue("Slow").IID(), project.MergeRequest("topic").IID()

	i := e.admin.Issues
	stats := got(i.SetTimeEstimate(app, issue, &clientgo.SetTimeEstimateOptions{Duration: new("1d 2h")})).ok(e, 200)
	assert.Equal(t, []any{int64(36000), "1d 2h"}, []any{stats.TimeEstimate, stats.HumanTimeEstimate})
	options := &clientgo.AddSpentTimeOptions{Duration: new("90m"), Summary: new("Read")}
	stats = got(i.AddSpentTime(app, issue, options)).ok(e, 201)
	assert.Equal(t, []any{int64(5400), "1h 30m"}, []any{stats.TotalTimeSpent, stats.HumanTotalTimeSpent})
	assert.Equal(t, stats, got(i.GetTimeSpent(app, issue)).ok(e, 200))
	assert.Zero(t, got(i.ResetTimeEstimate(app, issue)).ok(e, 200).TimeEstimate)
	assert.Zero(t, got(i.ResetSpentTime(app, issue)).ok(e, 200).TotalTimeSpent)

	m := e.admin.MergeRequests
	stats = got(m.SetTimeEstimate(app, request, &clientgo.SetTimeEstimateOptions{Duration: new("1w")})).ok(e, 200)
	assert.Equal(t, "1w", stats.HumanTimeEstimate)
	stats = got(m.AddSpentTime(app, request, &clientgo.AddSpentTimeOptions{Duration: new("1h")})).ok(e, 201)
	assert.Equal(t, stats, got(m.GetTimeSpent(app, request)).ok(e, 200))
	assert.Zero(t, got(m.ResetTimeEstimate(app, request)).ok(e, 200).TimeEstimate)
	assert.Zero(t, got(m.ResetSpentTime(app, request)).ok(e, 200).TotalTimeSpent)
}
