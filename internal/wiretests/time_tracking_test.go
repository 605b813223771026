package wiretests

import (
	"math"
	"testing"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// trackedTime is testdata/time_tracking/time_stats.json.
func trackedTime() *serviceapi.TimeStats {
	return &serviceapi.TimeStats{
		TimeEstimate: 12600, TotalTimeSpent: 3600, HumanTimeEstimate: "3h 30m", HumanTotalTimeSpent: "1h",
	}
}

func TestTimeTracking(t *testing.T) {
	const whole = "time_tracking/time_stats.json"
	for _, o := range []struct {
		owner serviceapi.TimeTrackingOwner
		path  string
	}{
		{serviceapi.ProjectPath("acme/app").Issue(6), issuePath},
		{serviceapi.ProjectPath("acme/app").MergeRequest(14), mergeRequestPath},
	} {
		client := onWire(t,
			exchange{Method: "GET", Path: o.path + "/time_stats", Fixture: whole},
			exchange{Method: "POST", Path: o.path + "/time_estimate", JSON: `{"duration":"3h 30m"}`, Fixture: whole},
			exchange{Method: "POST", Path: o.path + "/reset_time_estimate",
				Body: `{"time_estimate":0,"total_time_spent":0,"human_time_estimate":null,` +
					`"human_total_time_spent":null}`},
			exchange{Method: "POST", Path: o.path + "/add_spent_time", JSON: `{"duration":"-1h"}`, Status: 201,
				Fixture: whole},
			exchange{Method: "POST", Path: o.path + "/add_spent_time", JSON: `{"duration":"1h","summary":"Read"}`,
				Status: 201, Fixture: whole},
			exchange{Method: "POST", Path: o.path + "/reset_spent_time", Fixture: whole})
		s, ctx := client.TimeTracking, t.Context()
		want := func(stats *serviceapi.TimeStats, _ *serviceapi.Response, err error) {
			t.Helper()
			require.NoError(t, err)
			assert.Equal(t, trackedTime(), stats)
			assertFilled(t, stats)
		}
		want(s.Get(ctx, o.owner))
		want(
			s.SetEstimate(
				ctx,
				o.owner,
				serviceapi.SetTimeEstimateOptions{Duration: serviceapi.WorkTime(210 * time.Minute)},
			),
		)
		none, _, err := s.ResetEstimate(ctx, o.owner)
		require.NoError(t, err)
		assert.Equal(t, &serviceapi.TimeStats{}, none)
		want(s.AddSpentTime(ctx, o.owner, serviceapi.AddSpentTimeOptions{Duration: "-1h"}))
		want(s.AddSpentTime(ctx, o.owner, serviceapi.AddSpentTimeOptions{Duration: "1h", Summary: new("Read")}))
		want(s.ResetSpentTime(ctx, o.owner))
	}
}

func TestTimeTrackingArguments(t *testing.T) {
	s, ctx, owner := onWire(t).TimeTracking, t.Context(), serviceapi.ProjectID(4).Issue(6)
	failed := func(_ any, _ *serviceapi.Response, err error) error { return err }
	assertRefused(t, "owner", failed(s.Get(ctx, nil)))
	assertRefused(t, "merge request", failed(s.Get(ctx, serviceapi.MergeRequestRef{})))
	assertRefused(t, "issue_iid", failed(s.ResetEstimate(ctx, serviceapi.ProjectID(4).Issue(0))))
	assertRefused(t, "merge_request_iid", failed(s.ResetSpentTime(ctx, serviceapi.ProjectID(4).MergeRequest(0))))
	assertRefused(t, "Duration", failed(s.SetEstimate(ctx, owner, serviceapi.SetTimeEstimateOptions{})))
	assertRefused(
		t,
		"Duration",
		failed(s.AddSpentTime(ctx, owner, serviceapi.AddSpentTimeOptions{Summary: new("Read")})),
	)
}

func TestWorkTime(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"0m": 0, "45m": 45 * time.Minute, "1h": time.Hour, "26h 30m": 26*time.Hour + 30*time.Minute,
		"-45m": -45 * time.Minute, "-2h": -2 * time.Hour, "1m": 30 * time.Second, "2m": 149 * time.Second,
		"-1m": -89 * time.Second, "2562047h 47m": math.MaxInt64, "-2562047h 47m": math.MinInt64,
	} {
		assert.Equal(t, want, serviceapi.WorkTime(d), "%v", d)
	}
}
