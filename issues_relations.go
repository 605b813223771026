package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// oneIssue is the path of an issue.
const oneIssue = "/projects/:id/issues/:issue_iid"

// Subscribe subscribes the caller to notifications about an issue. It also succeeds if
// the caller is already subscribed; the result says so.
//
//	POST /projects/:id/issues/:issue_iid/subscribe
func (s *IssuesService) Subscribe(
	ctx context.Context, project ProjectRef, iid int64, opts ...RequestOption,
) (*IssueSubscription, *Response, error) {
	return unlessUnchanged(newIssueSubscription)(do[Issue](ctx, s.client, http.MethodPost,
		Route(oneIssue+"/subscribe", project, iid), nil, opts))
}

// Unsubscribe ends the caller's notifications about an issue. It also succeeds if the
// caller is not subscribed; the result says so.
//
//	POST /projects/:id/issues/:issue_iid/unsubscribe
func (s *IssuesService) Unsubscribe(
	ctx context.Context, project ProjectRef, iid int64, opts ...RequestOption,
) (*IssueSubscription, *Response, error) {
	return unlessUnchanged(newIssueSubscription)(do[Issue](ctx, s.client, http.MethodPost,
		Route(oneIssue+"/unsubscribe", project, iid), nil, opts))
}

// IssueSubscription is the result of [IssuesService.Subscribe] and
// [IssuesService.Unsubscribe].
type IssueSubscription struct {
	// Issue is nil if Unchanged is true: the service returns it only if it changed
	// something.
	Issue *Issue
	// Unchanged reports whether there was nothing to do.
	Unchanged bool
}

func newIssueSubscription(issue *Issue) *IssueSubscription {
	return &IssueSubscription{Issue: issue, Unchanged: issue == nil}
}

// ListRelatedMergeRequests returns one page of the merge requests that mention an issue
// or that it mentions, also those of other projects.
//
//	GET /projects/:id/issues/:issue_iid/related_merge_requests
func (s *IssuesService) ListRelatedMergeRequests(
	ctx context.Context, project ProjectRef, iid int64, options *ListOptions, opts ...RequestOption,
) ([]*MergeRequest, *Response, error) {
	return list[*MergeRequest](ctx, s.client,
		Route(oneIssue+"/related_merge_requests", project, iid), queryOf(options), opts)
}

// AllRelatedMergeRequests returns every merge request that mentions an issue or that it
// mentions, also those of other projects.
//
//	GET /projects/:id/issues/:issue_iid/related_merge_requests
func (s *IssuesService) AllRelatedMergeRequests(
	ctx context.Context, project ProjectRef, iid int64, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*MergeRequest, error] {
	return all[*MergeRequest](ctx, s.client,
		Route(oneIssue+"/related_merge_requests", project, iid), queryOf(options), opts)
}

// ListClosingMergeRequests returns one page of the merge requests of the project that
// close an issue when they are merged. [MergeRequestsService.ListClosedIssues] is the
// other direction.
//
//	GET /projects/:id/issues/:issue_iid/closed_by
func (s *IssuesService) ListClosingMergeRequests(
	ctx context.Context, project ProjectRef, iid int64, options *ListOptions, opts ...RequestOption,
) ([]*MergeRequest, *Response, error) {
	return list[*MergeRequest](ctx, s.client,
		Route(oneIssue+"/closed_by", project, iid), queryOf(options), opts)
}

// AllClosingMergeRequests returns every merge request of the project that closes an
// issue when it is merged.
//
//	GET /projects/:id/issues/:issue_iid/closed_by
func (s *IssuesService) AllClosingMergeRequests(
	ctx context.Context, project ProjectRef, iid int64, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*MergeRequest, error] {
	return all[*MergeRequest](ctx, s.client,
		Route(oneIssue+"/closed_by", project, iid), queryOf(options), opts)
}

// ListParticipants returns one page of the users who take part in an issue: its author
// and assignees, and who commented or is mentioned.
//
//	GET /projects/:id/issues/:issue_iid/participants
func (s *IssuesService) ListParticipants(
	ctx context.Context, project ProjectRef, iid int64, options *ListOptions, opts ...RequestOption,
) ([]*UserSummary, *Response, error) {
	return list[*UserSummary](ctx, s.client,
		Route(oneIssue+"/participants", project, iid), queryOf(options), opts)
}

// AllParticipants returns every user who takes part in an issue: its author and
// assignees, and who commented or is mentioned.
//
//	GET /projects/:id/issues/:issue_iid/participants
func (s *IssuesService) AllParticipants(
	ctx context.Context, project ProjectRef, iid int64, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*UserSummary, error] {
	return all[*UserSummary](ctx, s.client,
		Route(oneIssue+"/participants", project, iid), queryOf(options), opts)
}
