package serviceapi

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"strconv"
)

// MergeRequestsService manages merge requests. All calls require a credential.
// For comments, see [NotesService] and [DiscussionsService].
//
// A merge request belongs to a project. Groups and the instance list the merge
// requests of several projects:
//
//	client.MergeRequests.All(ctx, serviceapi.ProjectPath("acme/shop"), nil)
//	client.MergeRequests.All(ctx, serviceapi.GroupID(7), nil)
//	client.MergeRequests.All(ctx, serviceapi.Instance, nil)
type MergeRequestsService service

// MergeRequestOwner is an owner of merge requests: [Instance], a
// [GroupRef] or a [ProjectRef].
type MergeRequestOwner interface{ hasMergeRequests() }

func (InstanceOwner) hasMergeRequests() {}
func (GroupRef) hasMergeRequests()      {}
func (ProjectRef) hasMergeRequests()    {}

// MergeRef is the result of a trial merge.
type MergeRef struct {
	// CommitID is the merge commit in the hidden ref.
	CommitID string `json:"commit_id"`
}

// RebaseStatus says whether a rebase is in progress.
type RebaseStatus struct {
	RebaseInProgress bool `json:"rebase_in_progress"`
}

// MergeRequestSubscription is the result of [MergeRequestsService.Subscribe].
type MergeRequestSubscription struct {
	// MergeRequest is nil if AlreadySubscribed is true: the service returns it
	// only to new subscribers.
	MergeRequest *MergeRequestDetails
	// AlreadySubscribed reports whether the caller was already subscribed.
	AlreadySubscribed bool
}

// List returns one page of the merge requests of a project, of a group's
// projects or, for [Instance], of all projects that the caller may see. Unless
// the options say otherwise, Instance lists only those that the caller created.
// The call returns an [*ArgumentError] for an option that this owner does not
// support.
//
//	GET /merge_requests
//	GET /groups/:id/merge_requests
//	GET /projects/:id/merge_requests
func (s *MergeRequestsService) List(
	ctx context.Context, owner MergeRequestOwner, options *ListMergeRequestsOptions, opts ...RequestOption,
) ([]*MergeRequest, *Response, error) {
	return list[*MergeRequest](ctx, s.client, below(owner, "/merge_requests"), queryFor(owner, options.query()), opts)
}

// All returns every merge request of a project, of a group's projects or, for
// [Instance], of all projects that the caller may see. Unless the options say
// otherwise, Instance lists only those that the caller created. The sequence
// yields an [*ArgumentError] for an option that this owner does not support.
//
//	GET /merge_requests
//	GET /groups/:id/merge_requests
//	GET /projects/:id/merge_requests
func (s *MergeRequestsService) All(
	ctx context.Context, owner MergeRequestOwner, options *ListMergeRequestsOptions, opts ...RequestOption,
) iter.Seq2[*MergeRequest, error] {
	return all[*MergeRequest](ctx, s.client, below(owner, "/merge_requests"), queryFor(owner, options.query()), opts)
}

// Get returns one merge request of a project, identified by its IID.
//
//	GET /projects/:id/merge_requests/:merge_request_iid
func (s *MergeRequestsService) Get(
	ctx context.Context, project ProjectRef, iid int64, options *GetMergeRequestOptions, opts ...RequestOption,
) (*MergeRequestDetails, *Response, error) {
	return do[MergeRequestDetails](ctx, s.client, http.MethodGet,
		Route("/projects/:id/merge_requests/:merge_request_iid", project, iid), queryOf(options), opts)
}

// Merge merges a merge request or, with
// [MergeOptions.MergeWhenPipelineSucceeds], schedules the merge. The call
// returns a [*MergeError] if the service refuses. It is not repeated after an
// error if the merge may have happened: get the merge request to find out.
//
//	PUT /projects/:id/merge_requests/:merge_request_iid/merge
func (s *MergeRequestsService) Merge(
	ctx context.Context, project ProjectRef, iid int64, options MergeOptions, opts ...RequestOption,
) (*MergeRequestDetails, *Response, error) {
	mr, resp, err := do[MergeRequestDetails](ctx, s.client, http.MethodPut,
		Route("/projects/:id/merge_requests/:merge_request_iid/merge", project, iid).notRepeatable().forbiddenBy401(),
		jsonOf(options), opts)
	return mr, resp, refusal(err, mergeRefusals)
}

// MergeRef makes a trial merge into the hidden ref
// refs/merge-requests/:iid/merge of the target project instead of the target
// branch. The call returns [ErrBadRequest] if the merge request has conflicts
// or no changes, or is already merged.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/merge_ref
func (s *MergeRequestsService) MergeRef(
	ctx context.Context, project ProjectRef, iid int64, opts ...RequestOption,
) (*MergeRef, *Response, error) {
	return do[MergeRef](ctx, s.client, http.MethodGet,
		Route("/projects/:id/merge_requests/:merge_request_iid/merge_ref", project, iid), nil, opts)
}

// CancelMergeWhenPipelineSucceeds cancels a merge that was scheduled with
// [MergeOptions.MergeWhenPipelineSucceeds]. The call returns a [*MergeError] if
// the service refuses.
//
//	POST /projects/:id/merge_requests/:merge_request_iid/cancel_merge_when_pipeline_succeeds
func (s *MergeRequestsService) CancelMergeWhenPipelineSucceeds(
	ctx context.Context, project ProjectRef, iid int64, opts ...RequestOption,
) (*MergeRequestDetails, *Response, error) {
	mr, resp, err := do[MergeRequestDetails](ctx, s.client, http.MethodPost,
		Route("/projects/:id/merge_requests/:merge_request_iid/cancel_merge_when_pipeline_succeeds", project, iid).
			forbiddenBy401(), nil, opts)
	return mr, resp, refusal(err, cancelRefusals)
}

// Rebase schedules a rebase of the source branch onto the target branch.
// [MergeRequestsService.RebaseAndWait] waits until it is done. The call returns
// [ErrForbidden] if the caller may not push to the source branch. It is not
// repeated after an error if the service may have accepted it.
//
//	PUT /projects/:id/merge_requests/:merge_request_iid/rebase
func (s *MergeRequestsService) Rebase(
	ctx context.Context, project ProjectRef, iid int64, options RebaseOptions, opts ...RequestOption,
) (*RebaseStatus, *Response, error) {
	return do[RebaseStatus](ctx, s.client, http.MethodPut,
		Route("/projects/:id/merge_requests/:merge_request_iid/rebase", project, iid).notRepeatable(),
		jsonOf(options), opts)
}

// RebaseAndWait calls [MergeRequestsService.Rebase] and then
// [MergeRequestsService.WaitForRebase].
//
//	PUT /projects/:id/merge_requests/:merge_request_iid/rebase
//	GET /projects/:id/merge_requests/:merge_request_iid
func (s *MergeRequestsService) RebaseAndWait(
	ctx context.Context, project ProjectRef, iid int64, options RebaseOptions, opts ...RequestOption,
) (*MergeRequestDetails, error) {
	if _, _, err := s.Rebase(ctx, project, iid, options, opts...); err != nil {
		return nil, err
	}
	return s.WaitForRebase(ctx, project, iid, opts...)
}

// WaitForRebase polls a merge request, at growing intervals, until no rebase is
// in progress, and returns it. It returns a [*RebaseError] if the rebase
// failed. On error, it also returns the merge request as last seen, or nil.
//
//	GET /projects/:id/merge_requests/:merge_request_iid
func (s *MergeRequestsService) WaitForRebase(
	ctx context.Context, project ProjectRef, iid int64, opts ...RequestOption,
) (*MergeRequestDetails, error) {
	target := "the rebase of merge request !" + strconv.FormatInt(iid, 10)
	mr, err := wait(ctx, s.client, target, Route("/projects/:id/merge_requests/:merge_request_iid", project, iid),
		queryOf(&GetMergeRequestOptions{IncludeRebaseInProgress: true}), opts, rebaseState)
	if err == nil && mr.MergeError != "" {
		err = &RebaseError{MergeRequest: mr, Message: mr.MergeError}
	}
	return mr, err
}

func rebaseState(mr *MergeRequestDetails) (string, bool) {
	if mr.RebaseInProgress != nil && *mr.RebaseInProgress {
		return "rebasing", false
	}
	return "not rebasing", true
}

// ListClosedIssues returns one page of the issues that merging would close.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/closes_issues
func (s *MergeRequestsService) ListClosedIssues(
	ctx context.Context, project ProjectRef, iid int64, options *ListOptions, opts ...RequestOption,
) ([]*ClosedIssue, *Response, error) {
	return list[*ClosedIssue](ctx, s.client,
		Route("/projects/:id/merge_requests/:merge_request_iid/closes_issues", project, iid), queryOf(options), opts)
}

// AllClosedIssues returns every issue that merging would close.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/closes_issues
func (s *MergeRequestsService) AllClosedIssues(
	ctx context.Context, project ProjectRef, iid int64, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*ClosedIssue, error] {
	return all[*ClosedIssue](ctx, s.client,
		Route("/projects/:id/merge_requests/:merge_request_iid/closes_issues", project, iid), queryOf(options), opts)
}

// Subscribe subscribes the caller to notifications about a merge request. It
// also succeeds if the caller is already subscribed; the result says so.
//
//	POST /projects/:id/merge_requests/:merge_request_iid/subscribe
func (s *MergeRequestsService) Subscribe(
	ctx context.Context, project ProjectRef, iid int64, opts ...RequestOption,
) (*MergeRequestSubscription, *Response, error) {
	mr, resp, err := do[MergeRequestDetails](ctx, s.client, http.MethodPost,
		Route("/projects/:id/merge_requests/:merge_request_iid/subscribe", project, iid), nil, opts)
	if errors.Is(err, ErrNotModified) {
		return &MergeRequestSubscription{AlreadySubscribed: true}, resp, nil
	}
	if mr == nil {
		return nil, resp, err
	}
	return &MergeRequestSubscription{MergeRequest: mr}, resp, err
}
