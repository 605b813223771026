package serviceapi

import (
	"context"
	"iter"
	"time"
)

// ListParticipants returns one page of the users who take part in a merge request: its
// author, assignees and reviewers, and who commented or is mentioned.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/participants
func (s *MergeRequestsService) ListParticipants(
	ctx context.Context, project ProjectRef, iid int64, options *ListOptions, opts ...RequestOption,
) ([]*UserSummary, *Response, error) {
	return list[*UserSummary](ctx, s.client,
		Route(oneMergeRequest+"/participants", project, iid), queryOf(options), opts)
}

// AllParticipants returns every user who takes part in a merge request: its author,
// assignees and reviewers, and who commented or is mentioned.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/participants
func (s *MergeRequestsService) AllParticipants(
	ctx context.Context, project ProjectRef, iid int64, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*UserSummary, error] {
	return all[*UserSummary](ctx, s.client,
		Route(oneMergeRequest+"/participants", project, iid), queryOf(options), opts)
}

// ListReviewers returns one page of the reviewers of a merge request, and what they
// think of it. Since about 15.3; [MergeRequestDetails.Reviewers] also works with older
// releases.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/reviewers
func (s *MergeRequestsService) ListReviewers(
	ctx context.Context, project ProjectRef, iid int64, options *ListOptions, opts ...RequestOption,
) ([]*MergeRequestReviewer, *Response, error) {
	return list[*MergeRequestReviewer](ctx, s.client,
		Route(oneMergeRequest+"/reviewers", project, iid), queryOf(options), opts)
}

// AllReviewers returns every reviewer of a merge request, and what they think of it.
// See [MergeRequestsService.ListReviewers].
//
//	GET /projects/:id/merge_requests/:merge_request_iid/reviewers
func (s *MergeRequestsService) AllReviewers(
	ctx context.Context, project ProjectRef, iid int64, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*MergeRequestReviewer, error] {
	return all[*MergeRequestReviewer](ctx, s.client,
		Route(oneMergeRequest+"/reviewers", project, iid), queryOf(options), opts)
}

// MergeRequestReviewer is a user who was asked to review a merge request.
type MergeRequestReviewer struct {
	// User is nil if the account no longer exists.
	User  *UserSummary  `json:"user"`
	State ReviewerState `json:"state"`
	// CreatedAt is when the user was asked.
	CreatedAt time.Time `json:"created_at"`
}

// States of a [MergeRequestReviewer] that no review ends with. The service may send
// others.
const (
	ReviewerStateUnreviewed    ReviewerState = "unreviewed"
	ReviewerStateReviewStarted ReviewerState = "review_started"
	ReviewerStateUnapproved    ReviewerState = "unapproved"
)
