package serviceapi

import (
	"cmp"
	"context"
	"fmt"
	"strconv"

	"example.com/serviceapi/internal/text"
)

// NotMergeableError means that a merge request will not become mergeable by
// itself.
type NotMergeableError struct {
	// MergeRequest is the merge request as last seen.
	MergeRequest *MergeRequestDetails
	// Status says what blocks the merge: a [DetailedMergeStatus], or a
	// [MergeStatus] or [MergeRequestState] in releases before 15.6.
	Status string
}

// Error describes the merge request and what blocks the merge.
func (e *NotMergeableError) Error() string {
	return fmt.Sprintf("serviceapi: merge request !%d cannot be merged: %s",
		orZero(e.MergeRequest).IID, text.Printable(e.Status, 100))
}

// WaitUntilPrepared polls a merge request, at growing intervals, until the
// service has computed its diff, and returns it. On error, it also returns the
// merge request as last seen, or nil.
//
//	GET /projects/:id/merge_requests/:merge_request_iid
func (s *MergeRequestsService) WaitUntilPrepared(
	ctx context.Context, project ProjectRef, iid int64, opts ...RequestOption,
) (*MergeRequestDetails, error) {
	target := "the diff of merge request !" + strconv.FormatInt(iid, 10)
	return wait(ctx, s.client, target,
		Route("/projects/:id/merge_requests/:merge_request_iid", project, iid), nil, opts, preparedState)
}

// preparedState looks at the time, or at the diff in releases that do not send
// the time.
func preparedState(mr *MergeRequestDetails) (string, bool) {
	hasDiff := mr.DiffRefs != nil && mr.DiffRefs.BaseSHA != "" && mr.DiffRefs.HeadSHA != ""
	if mr.PreparedAt != nil || hasDiff && mr.DetailedMergeStatus != DetailedMergeStatusPreparing {
		return "prepared", true
	}
	return "preparing", false
}

// WaitUntilMergeable polls a merge request, at growing intervals, until it can
// be merged, and returns it. It waits for the diff, the check for conflicts, a
// running pipeline, external status checks and [MergeRequestDetails.MergeAfter]. It
// returns a [*NotMergeableError] as soon as something that does not pass by
// itself blocks the merge, such as a conflict or a missing approval. On error,
// it also returns the merge request as last seen, or nil.
//
// [MergeRequestsService.Merge] can still be refused afterwards, because the
// merge request may have changed.
//
//	GET /projects/:id/merge_requests/:merge_request_iid
func (s *MergeRequestsService) WaitUntilMergeable(
	ctx context.Context, project ProjectRef, iid int64, opts ...RequestOption,
) (*MergeRequestDetails, error) {
	target := "merge request !" + strconv.FormatInt(iid, 10)
	mr, err := wait(ctx, s.client, target,
		Route("/projects/:id/merge_requests/:merge_request_iid", project, iid), nil, opts, mergeableState)
	if err != nil {
		return mr, err
	}
	status, _ := mergeableState(mr)
	if status != string(DetailedMergeStatusMergeable) && status != string(MergeStatusCanBeMerged) {
		return mr, &NotMergeableError{MergeRequest: mr, Status: status}
	}
	return mr, nil
}

// mergeableState returns what a merge request waits for, and reports whether
// the wait is over, successfully or not.
func mergeableState(mr *MergeRequestDetails) (string, bool) {
	if mr.State != MergeRequestStateOpened && mr.State != MergeRequestStateLocked {
		return cmp.Or(string(mr.State), "without a state"), true
	}
	if mr.DetailedMergeStatus == "" {
		return roughState(mr)
	}
	switch mr.DetailedMergeStatus {
	case DetailedMergeStatusPreparing, DetailedMergeStatusUnchecked, DetailedMergeStatusChecking,
		DetailedMergeStatusApprovalsSyncing,
		DetailedMergeStatusCIStillRunning, DetailedMergeStatusMergeTime, DetailedMergeStatusStatusChecksMustPass:
		return string(mr.DetailedMergeStatus), false
	}
	return string(mr.DetailedMergeStatus), mr.State == MergeRequestStateOpened
}

// roughState is mergeableState for releases that send no detailed status.
func roughState(mr *MergeRequestDetails) (string, bool) {
	switch {
	case mr.State == MergeRequestStateLocked:
		return string(mr.State), false
	case mr.Draft:
		return string(DetailedMergeStatusDraft), true
	}
	switch mr.MergeStatus {
	case "", MergeStatusUnchecked, MergeStatusChecking, MergeStatusCannotBeMergedRecheck:
		return cmp.Or(string(mr.MergeStatus), string(MergeStatusUnchecked)), false
	}
	return string(mr.MergeStatus), true
}
