package servicetests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The times are those of the issue and the merge request, and each change is a note.
func TestServiceTracksTime(t *testing.T) {
	r := newReviewTeam(t)
	issue, request := r.app.Issue("Slow"), r.app.MergeRequest("feature")
	bob, ctx := as(t, r.svc, r.bob), t.Context()
	for owner, notes := range map[serviceapi.TimeTrackingOwner]func() []*servicetest.Note{
		mergeApp.Issue(issue.IID()):          issue.Notes,
		mergeApp.MergeRequest(request.IID()): request.Notes,
	} {
		s := bob.TimeTracking
		set, _, err := s.SetEstimate(ctx, owner, serviceapi.SetTimeEstimateOptions{Duration: "1w 2d 3h"})
		require.NoError(t, err)
		assert.Equal(t, &serviceapi.TimeStats{TimeEstimate: 59 * 3600, HumanTimeEstimate: "1w 2d 3h"}, set)
		spend := func(d time.Duration) (*serviceapi.TimeStats, error) {
			options := serviceapi.AddSpentTimeOptions{Duration: serviceapi.WorkTime(d), Summary: new("Thinking")}
			stats, _, err := s.AddSpentTime(ctx, owner, options)
			return stats, err
		}
		stats, err := spend(26*time.Hour + 30*time.Minute)
		require.NoError(t, err)
		assert.Equal(t, "3d 2h 30m", stats.HumanTotalTimeSpent)
		stats, err = spend(-90 * time.Minute)
		require.NoError(t, err)
		assert.EqualValues(t, 25*3600, stats.TotalTimeSpent)
		_, err = spend(-26 * time.Hour)
		require.ErrorIs(t, err, serviceapi.ErrBadRequest, "less than zero would be left")
		assert.Equal(t, stats, statsOf(t, bob, owner))
		read, _, err := s.Get(ctx, owner)
		require.NoError(t, err)
		assert.Equal(t, stats, read)

		_, _, err = s.ResetEstimate(ctx, owner)
		require.NoError(t, err)
		none, _, err := s.ResetSpentTime(ctx, owner)
		require.NoError(t, err)
		assert.Equal(t, &serviceapi.TimeStats{}, none)
		var said []string
		for _, note := range notes() {
			said = append(said, note.Body())
			assert.True(t, note.System())
		}
		assert.Equal(t, []string{
			"changed time estimate to 1w 2d 3h", "added 3d 2h 30m of time spent", "subtracted 1h 30m of time spent",
			"removed time estimate", "removed time spent",
		}, said)
	}
}

// statsOf returns the times that an issue or a merge request shows.
func statsOf(t *testing.T, client *serviceapi.Client, owner serviceapi.TimeTrackingOwner) *serviceapi.TimeStats {
	t.Helper()
	if _, ok := owner.(serviceapi.IssueRef); ok {
		issue, _, err := client.Issues.Get(t.Context(), mergeApp.Issue(1))
		require.NoError(t, err)
		return issue.TimeStats
	}
	request, _, err := client.MergeRequests.Get(t.Context(), mergeApp.MergeRequest(1), nil)
	require.NoError(t, err)
	return request.TimeStats
}

func TestServiceTimeTrackingNeedsARole(t *testing.T) {
	r := newReviewTeam(t)
	issue := mergeApp.Issue(r.app.Issue("Slow").IID())
	request := mergeApp.MergeRequest(r.app.MergeRequest("feature").IID())
	reporter, ctx := as(t, r.svc, r.eve).TimeTracking, t.Context()
	_, _, err := reporter.SetEstimate(ctx, issue, serviceapi.SetTimeEstimateOptions{Duration: "1h"})
	require.NoError(t, err)
	_, _, err = reporter.SetEstimate(ctx, request, serviceapi.SetTimeEstimateOptions{Duration: "1h"})
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, _, err = reporter.Get(ctx, request)
	require.NoError(t, err)
	_, _, err = reporter.SetEstimate(ctx, issue, serviceapi.SetTimeEstimateOptions{Duration: "soon"})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	unread, _, err := reporter.AddSpentTime(ctx, issue, serviceapi.AddSpentTimeOptions{Duration: "soon"})
	require.NoError(t, err)
	assert.Zero(t, unread.TotalTimeSpent)
}
