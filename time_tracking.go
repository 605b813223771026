package serviceapi

import (
	"context"
	"net/http"
	"strconv"
	"time"
)

// TimeTrackingService manages the time that is estimated for an issue or a merge request,
// and the time spent on it. The owner is an [IssueRef] or a [MergeRequestRef]:
//
//	issue := serviceapi.ProjectPath("acme/app").Issue(12)
//	spent := serviceapi.AddSpentTimeOptions{Duration: "1h 30m"}
//	stats, _, err := client.TimeTracking.AddSpentTime(ctx, issue, spent)
//
// A change requires the Reporter role on an issue and the Developer role on a merge
// request, and adds a system note. [Issue.TimeStats] and [MergeRequest.TimeStats] have the
// same numbers.
//
// A duration is text such as "3h30m", "1w 2d" or "1mo". An hour has 60 minutes, a day 8
// hours, a week 5 days, and a month 4 weeks. A number without a unit is hours. [WorkTime]
// converts a [time.Duration].
//
// Its options are [AddSpentTimeOptions] and [SetTimeEstimateOptions]. See the example
// TimeTrackingAddSpentTime in tracking_test.go of
// [example.com/serviceapi/examples/recipes].
type TimeTrackingService service

// TimeTrackingOwner is an object that time is spent on: an [IssueRef] or a
// [MergeRequestRef].
type TimeTrackingOwner interface{ hasTimeTracking() }

func (IssueRef) hasTimeTracking()        {}
func (MergeRequestRef) hasTimeTracking() {}

// Get returns the time estimated and the time spent.
//
//	GET /projects/:id/issues/:issue_iid/time_stats
//	GET /projects/:id/merge_requests/:merge_request_iid/time_stats
func (s *TimeTrackingService) Get(
	ctx context.Context, owner TimeTrackingOwner, opts ...RequestOption,
) (*TimeStats, *Response, error) {
	return do[TimeStats](ctx, using(s), http.MethodGet, below(owner, "/time_stats"), nil, opts)
}

// SetEstimate replaces the estimated time. The call returns [ErrBadRequest] for a
// duration that the service cannot read, and for one below zero.
//
//	POST /projects/:id/issues/:issue_iid/time_estimate
//	POST /projects/:id/merge_requests/:merge_request_iid/time_estimate
func (s *TimeTrackingService) SetEstimate(
	ctx context.Context, owner TimeTrackingOwner, options SetTimeEstimateOptions, opts ...RequestOption,
) (*TimeStats, *Response, error) {
	return do[TimeStats](ctx, using(s), http.MethodPost, below(owner, "/time_estimate"), jsonOf(options), opts)
}

// ResetEstimate sets the estimated time to zero.
//
//	POST /projects/:id/issues/:issue_iid/reset_time_estimate
//	POST /projects/:id/merge_requests/:merge_request_iid/reset_time_estimate
func (s *TimeTrackingService) ResetEstimate(
	ctx context.Context, owner TimeTrackingOwner, opts ...RequestOption,
) (*TimeStats, *Response, error) {
	return do[TimeStats](ctx, using(s), http.MethodPost, below(owner, "/reset_time_estimate"), nil, opts)
}

// AddSpentTime adds to the time spent, or subtracts from it. The call returns
// [ErrBadRequest] if less than zero would be left. A duration that the service cannot read
// may change nothing without an error: compare the result.
//
//	POST /projects/:id/issues/:issue_iid/add_spent_time
//	POST /projects/:id/merge_requests/:merge_request_iid/add_spent_time
func (s *TimeTrackingService) AddSpentTime(
	ctx context.Context, owner TimeTrackingOwner, options AddSpentTimeOptions, opts ...RequestOption,
) (*TimeStats, *Response, error) {
	return do[TimeStats](ctx, using(s), http.MethodPost, below(owner, "/add_spent_time"), jsonOf(options), opts)
}

// ResetSpentTime sets the time spent to zero.
//
//	POST /projects/:id/issues/:issue_iid/reset_spent_time
//	POST /projects/:id/merge_requests/:merge_request_iid/reset_spent_time
func (s *TimeTrackingService) ResetSpentTime(
	ctx context.Context, owner TimeTrackingOwner, opts ...RequestOption,
) (*TimeStats, *Response, error) {
	return do[TimeStats](ctx, using(s), http.MethodPost, below(owner, "/reset_spent_time"), nil, opts)
}

// SetTimeEstimateOptions describes an estimate. Duration is required.
type SetTimeEstimateOptions struct {
	// Duration is text such as "1w 2d", or what [WorkTime] returns.
	Duration string `json:"duration" required:"true"`
}

// AddSpentTimeOptions describes time that was spent. Duration is required.
type AddSpentTimeOptions struct {
	// Duration is text such as "3h 30m", or what [WorkTime] returns. A duration that begins
	// with a minus sign is subtracted.
	Duration string `json:"duration" required:"true"`
	// Summary says what the time was spent on.
	Summary *string `json:"summary,omitzero"`
}

// WorkTime returns a duration as the service reads it, in hours and minutes: "26h 30m", and
// "-45m" to subtract. Seconds are rounded to the nearest minute. It uses no days, because a
// day of the service has 8 hours: 24 hours would be three days.
func WorkTime(d time.Duration) string {
	sign, minutes := "", int64(d.Round(time.Minute)/time.Minute)
	if minutes < 0 {
		sign, minutes = "-", -minutes
	}
	hours, rest := strconv.FormatInt(minutes/60, 10)+"h", strconv.FormatInt(minutes%60, 10)+"m"
	switch {
	case minutes < 60:
		return sign + rest
	case minutes%60 == 0:
		return sign + hours
	}
	return sign + hours + " " + rest
}
