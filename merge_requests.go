package serviceapi

import (
	"cmp"
	"context"
	"iter"
	"net/http"
	"strconv"
	"time"

	"example.com/serviceapi/internal/jsonx"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// MergeRequestsService manages merge requests. All calls require a credential.
// For comments, see [NotesService] and [DiscussionsService].
//
// A merge request belongs to a project. The lists of a group and of the whole instance span
// several projects:
//
//	client.MergeRequests.All(ctx, serviceapi.ProjectPath("acme/shop"), nil)
//	client.MergeRequests.All(ctx, serviceapi.GroupID(7), nil)
//	client.MergeRequests.All(ctx, serviceapi.Instance, nil)
//
// Its options are [CreateContextCommitsOptions], [CreateMergeRequestDependencyOptions],
// [CreateMergeRequestOptions], [CreateMergeRequestPipelineOptions],
// [DeleteContextCommitsOptions], [GetDiffVersionOptions], [GetMergeRequestChangesOptions],
// [GetMergeRequestOptions], [ListMergeRequestDiffsOptions], [ListMergeRequestsOptions],
// [ListOptions], [MergeOptions], [RebaseOptions] and [UpdateMergeRequestOptions]. See the
// example of [MergeRequestsService.Create].
type MergeRequestsService service

// MergeRequestOwner is an owner of merge requests: [Instance], a
// [GroupRef] or a [ProjectRef].
type MergeRequestOwner interface{ hasMergeRequests() }

func (InstanceOwner) hasMergeRequests() {}

func (GroupRef) hasMergeRequests() {}

func (ProjectRef) hasMergeRequests() {}

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
	return list[*MergeRequest](ctx, using(s), below(owner, "/merge_requests"), queryFor(owner, options.query()), opts)
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
	return all[*MergeRequest](ctx, using(s), below(owner, "/merge_requests"), queryFor(owner, options.query()), opts)
}

// Get returns one merge request of a project, identified by its IID.
//
//	GET /projects/:id/merge_requests/:merge_request_iid
func (s *MergeRequestsService) Get(
	ctx context.Context, mergeRequest MergeRequestRef, options *GetMergeRequestOptions, opts ...RequestOption,
) (*MergeRequestDetails, *Response, error) {
	return do[MergeRequestDetails](ctx, using(s), http.MethodGet,
		below(mergeRequest, ""), queryOf(options), opts)
}

// Merge merges a merge request or, with
// [MergeOptions.MergeWhenPipelineSucceeds], schedules the merge. The call
// returns a [*MergeError] if the service refuses, and also if it accepts the call
// but leaves the merge request open because the merge failed. It is not repeated
// after an error if the merge may have happened: get the merge request to find out.
//
// Without an error, the merge request is merged, or scheduled if that was asked for.
// Its state can still be [MergeRequestStateLocked] if the service has not finished.
//
//	PUT /projects/:id/merge_requests/:merge_request_iid/merge
func (s *MergeRequestsService) Merge(
	ctx context.Context, mergeRequest MergeRequestRef, options MergeOptions, opts ...RequestOption,
) (*MergeRequestDetails, *Response, error) {
	mr, resp, err := checked(ctx, using(s), http.MethodPut,
		below(mergeRequest, "/merge").notRepeatable().forbiddenBy401(),
		jsonOf(options), options.failure, opts)
	return mr, resp, refusal(err, mergeRefusals)
}

// failure returns the error of a merge that failed although the status says otherwise: the
// merge request is still open, and not because it is merged later.
func (o MergeOptions) failure(sent *outcome, mr *MergeRequestDetails) error {
	later := *orZero(o.MergeWhenPipelineSucceeds) || *orZero(o.AutoMerge)
	scheduled := later && (mr.MergeWhenPipelineSucceeds || mr.MergeError == "")
	if mr.State != MergeRequestStateOpened || scheduled {
		return nil
	}
	message, err := json.Marshal(mr.MergeError)
	if err != nil {
		return err
	}
	return &MergeError{Err: sent.bodyError(message), Reason: MergeRefusalFailed, MergeRequest: hidden(sent, mr)}
}

// MergeRef makes a trial merge into the hidden ref
// refs/merge-requests/:iid/merge of the target project instead of the target
// branch. The call returns [ErrBadRequest] if the merge request has conflicts
// or no changes, or is already merged.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/merge_ref
func (s *MergeRequestsService) MergeRef(
	ctx context.Context, mergeRequest MergeRequestRef, opts ...RequestOption,
) (*MergeRef, *Response, error) {
	return do[MergeRef](ctx, using(s), http.MethodGet,
		below(mergeRequest, "/merge_ref"), nil, opts)
}

// CancelMergeWhenPipelineSucceeds cancels a merge that was scheduled with
// [MergeOptions.MergeWhenPipelineSucceeds]. The call returns a [*MergeError] if
// the service refuses, also where that has the status 201. Newer releases, such as 18.9,
// respond without the merge request: then the result is empty.
//
//	POST /projects/:id/merge_requests/:merge_request_iid/cancel_merge_when_pipeline_succeeds
func (s *MergeRequestsService) CancelMergeWhenPipelineSucceeds(
	ctx context.Context, mergeRequest MergeRequestRef, opts ...RequestOption,
) (*MergeRequestDetails, *Response, error) {
	canceled, resp, err := checked(ctx, using(s), http.MethodPost,
		below(mergeRequest, "/cancel_merge_when_pipeline_succeeds").forbiddenBy401(), nil, failedCancel, opts)
	if canceled == nil {
		return nil, resp, refusal(err, cancelRefusals)
	}
	return &canceled.MergeRequestDetails, resp, refusal(err, cancelRefusals)
}

// A mergeCancel is a merge request, or what newer releases send instead of it.
type mergeCancel struct {
	MergeRequestDetails
	Status     string         `json:"status"`
	HTTPStatus int            `json:"http_status"`
	Message    jsontext.Value `json:"message"`
}

// failedCancel returns the error of a cancel that was refused although the status says
// otherwise.
func failedCancel(sent *outcome, canceled *mergeCancel) error {
	if canceled.Status != "error" {
		return nil
	}
	reason := cmp.Or(cancelRefusals[canceled.HTTPStatus], MergeRefusalNotScheduled)
	return &MergeError{Err: sent.bodyError(canceled.Message), Reason: reason}
}

// Rebase schedules a rebase of the source branch onto the target branch.
// [MergeRequestsService.RebaseAndWait] waits until it is done. The call returns
// [ErrForbidden] if the caller may not push to the source branch. It is not
// repeated after an error if the service may have accepted it.
//
//	PUT /projects/:id/merge_requests/:merge_request_iid/rebase
func (s *MergeRequestsService) Rebase(
	ctx context.Context, mergeRequest MergeRequestRef, options RebaseOptions, opts ...RequestOption,
) (*RebaseStatus, *Response, error) {
	return do[RebaseStatus](ctx, using(s), http.MethodPut,
		below(mergeRequest, "/rebase").notRepeatable(),
		jsonOf(options), opts)
}

// RebaseAndWait calls [MergeRequestsService.Rebase] and then
// [MergeRequestsService.WaitForRebase].
//
//	PUT /projects/:id/merge_requests/:merge_request_iid/rebase
//	GET /projects/:id/merge_requests/:merge_request_iid
func (s *MergeRequestsService) RebaseAndWait(
	ctx context.Context, mergeRequest MergeRequestRef, options RebaseOptions, opts ...RequestOption,
) (*MergeRequestDetails, error) {
	if _, _, err := s.Rebase(ctx, mergeRequest, options, opts...); err != nil {
		return nil, err
	}
	mr, err := s.WaitForRebase(ctx, mergeRequest, forPolls(options, opts)...)
	return mr, executed("the rebase", err)
}

// WaitForRebase polls a merge request, at growing intervals, until no rebase is
// in progress, and returns it. It returns a [*RebaseError] if the rebase
// failed. On error, it also returns the merge request as last seen, or nil.
//
//	GET /projects/:id/merge_requests/:merge_request_iid
func (s *MergeRequestsService) WaitForRebase(
	ctx context.Context, mergeRequest MergeRequestRef, opts ...RequestOption,
) (*MergeRequestDetails, error) {
	target := "the rebase of merge request " + mergeRequest.String()
	return waitFor(ctx, using(s), target, below(mergeRequest, ""),
		queryOf(&GetMergeRequestOptions{IncludeRebaseInProgress: true}), opts, rebaseState, failedRebase)
}

// failedRebase returns the error of a rebase that could not be finished.
func failedRebase(seen *outcome, mr *MergeRequestDetails) error {
	if mr.MergeError == "" {
		return nil
	}
	return &RebaseError{MergeRequest: hidden(seen, mr), Message: seen.redaction().Hide(mr.MergeError)}
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
	ctx context.Context, mergeRequest MergeRequestRef, options *ListOptions, opts ...RequestOption,
) ([]*RelatedIssue, *Response, error) {
	return list[*RelatedIssue](ctx, using(s),
		below(mergeRequest, "/closes_issues"), queryOf(options), opts)
}

// AllClosedIssues returns every issue that merging would close.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/closes_issues
func (s *MergeRequestsService) AllClosedIssues(
	ctx context.Context, mergeRequest MergeRequestRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*RelatedIssue, error] {
	return all[*RelatedIssue](ctx, using(s),
		below(mergeRequest, "/closes_issues"), queryOf(options), opts)
}

// Subscribe subscribes the caller to notifications about a merge request. It
// also succeeds if the caller is already subscribed; the result says so. The call
// returns [ErrForbidden] if the caller may not change the merge request.
//
//	POST /projects/:id/merge_requests/:merge_request_iid/subscribe
func (s *MergeRequestsService) Subscribe(
	ctx context.Context, mergeRequest MergeRequestRef, opts ...RequestOption,
) (*MergeRequestSubscription, *Response, error) {
	return change(ctx, using(s), below(mergeRequest, "/subscribe"), newMergeRequestSubscription, opts)
}

// Unsubscribe ends the caller's notifications about a merge request. It also succeeds if
// the caller is not subscribed; the result says so. The call returns [ErrForbidden] if
// the caller may not change the merge request.
//
//	POST /projects/:id/merge_requests/:merge_request_iid/unsubscribe
func (s *MergeRequestsService) Unsubscribe(
	ctx context.Context, mergeRequest MergeRequestRef, opts ...RequestOption,
) (*MergeRequestSubscription, *Response, error) {
	return change(ctx, using(s), below(mergeRequest, "/unsubscribe"), newMergeRequestSubscription, opts)
}

// ListCommits returns one page of the commits of a merge request, the newest
// first.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/commits
func (s *MergeRequestsService) ListCommits(
	ctx context.Context, mergeRequest MergeRequestRef, options *ListOptions, opts ...RequestOption,
) ([]*Commit, *Response, error) {
	return list[*Commit](ctx, using(s),
		below(mergeRequest, "/commits"), queryOf(options), opts)
}

// AllCommits returns every commit of a merge request, the newest first.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/commits
func (s *MergeRequestsService) AllCommits(
	ctx context.Context, mergeRequest MergeRequestRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*Commit, error] {
	return all[*Commit](ctx, using(s),
		below(mergeRequest, "/commits"), queryOf(options), opts)
}

// ListDiffs returns one page of the changes of a merge request, file by file.
// Since 15.7; [MergeRequestsService.Changes] also works with older releases.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/diffs
func (s *MergeRequestsService) ListDiffs(
	ctx context.Context, mergeRequest MergeRequestRef, options *ListMergeRequestDiffsOptions, opts ...RequestOption,
) ([]*CommitDiff, *Response, error) {
	return list[*CommitDiff](ctx, using(s),
		below(mergeRequest, "/diffs"), queryOf(options), opts)
}

// AllDiffs returns every change of a merge request, file by file. See
// [MergeRequestsService.ListDiffs].
//
//	GET /projects/:id/merge_requests/:merge_request_iid/diffs
func (s *MergeRequestsService) AllDiffs(
	ctx context.Context, mergeRequest MergeRequestRef, options *ListMergeRequestDiffsOptions, opts ...RequestOption,
) iter.Seq2[*CommitDiff, error] {
	return all[*CommitDiff](ctx, using(s),
		below(mergeRequest, "/diffs"), queryOf(options), opts)
}

// Changes returns a merge request with all of its changes, in
// [MergeRequestDetails.Changes]. The service deprecated it in 15.7 in favor of
// [MergeRequestsService.ListDiffs].
//
//	GET /projects/:id/merge_requests/:merge_request_iid/changes
func (s *MergeRequestsService) Changes(
	ctx context.Context, mergeRequest MergeRequestRef, options *GetMergeRequestChangesOptions, opts ...RequestOption,
) (*MergeRequestDetails, *Response, error) {
	return do[MergeRequestDetails](ctx, using(s), http.MethodGet,
		below(mergeRequest, "/changes"), queryOf(options), opts)
}

// ListVersions returns one page of the versions of the diff of a merge request,
// one for each push, the newest first.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/versions
func (s *MergeRequestsService) ListVersions(
	ctx context.Context, mergeRequest MergeRequestRef, options *ListOptions, opts ...RequestOption,
) ([]*DiffVersion, *Response, error) {
	return list[*DiffVersion](ctx, using(s),
		below(mergeRequest, "/versions"), queryOf(options), opts)
}

// AllVersions returns every version of the diff of a merge request, one for each
// push, the newest first.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/versions
func (s *MergeRequestsService) AllVersions(
	ctx context.Context, mergeRequest MergeRequestRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*DiffVersion, error] {
	return all[*DiffVersion](ctx, using(s),
		below(mergeRequest, "/versions"), queryOf(options), opts)
}

// GetVersion returns one version of the diff of a merge request, with its commits and
// changes. No size limit applies: every file is included.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/versions/:version_id
func (s *MergeRequestsService) GetVersion(
	ctx context.Context, mergeRequest MergeRequestRef, versionID int64,
	options *GetDiffVersionOptions, opts ...RequestOption,
) (*DiffVersion, *Response, error) {
	return do[DiffVersion](ctx, using(s), http.MethodGet,
		below(mergeRequest, "/versions/:version_id", versionID), queryOf(options), opts)
}

// DownloadRawDiffs returns the changes of a merge request as a stream, in the format of
// "git diff". Since 17.9.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/raw_diffs
func (s *MergeRequestsService) DownloadRawDiffs(
	ctx context.Context, mergeRequest MergeRequestRef, opts ...RequestOption,
) (*Download, *Response, error) {
	return stream(ctx, using(s), http.MethodGet,
		below(mergeRequest, "/raw_diffs").withoutHTML(), nil, opts)
}

// ListPipelines returns one page of the pipelines of a merge request, the newest
// first.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/pipelines
func (s *MergeRequestsService) ListPipelines(
	ctx context.Context, mergeRequest MergeRequestRef, options *ListOptions, opts ...RequestOption,
) ([]*Pipeline, *Response, error) {
	return list[*Pipeline](ctx, using(s),
		below(mergeRequest, "/pipelines"), queryOf(options), opts)
}

// AllPipelines returns every pipeline of a merge request, the newest first.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/pipelines
func (s *MergeRequestsService) AllPipelines(
	ctx context.Context, mergeRequest MergeRequestRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*Pipeline, error] {
	return all[*Pipeline](ctx, using(s),
		below(mergeRequest, "/pipelines"), queryOf(options), opts)
}

// CreatePipeline starts a pipeline for a merge request. It requires the
// Developer role. The call returns [ErrMethodNotAllowed] if no pipeline could
// be created, and [ErrBadRequest] with the reason if the configuration is
// invalid or no job would run.
//
// With Async, the pipeline does not exist yet when the call returns, so both the pipeline
// and the error are nil. [MergeRequestsService.ListPipelines] shows it later.
//
//	POST /projects/:id/merge_requests/:merge_request_iid/pipelines
func (s *MergeRequestsService) CreatePipeline(
	ctx context.Context, mergeRequest MergeRequestRef,
	options CreateMergeRequestPipelineOptions, opts ...RequestOption,
) (*PipelineDetails, *Response, error) {
	endpoint := below(mergeRequest, "/pipelines")
	if *orZero(options.Async) {
		resp, err := exec(ctx, using(s), http.MethodPost, endpoint, jsonOf(options), opts)
		return nil, resp, err
	}
	return do[PipelineDetails](ctx, using(s), http.MethodPost, endpoint, jsonOf(options), opts)
}

// WaitUntilPrepared polls a merge request, at growing intervals, until the
// service has computed its diff, and returns it. On error, it also returns the
// merge request as last seen, or nil.
//
//	GET /projects/:id/merge_requests/:merge_request_iid
func (s *MergeRequestsService) WaitUntilPrepared(
	ctx context.Context, mergeRequest MergeRequestRef, opts ...RequestOption,
) (*MergeRequestDetails, error) {
	target := "the diff of merge request " + mergeRequest.String()
	return wait(ctx, using(s), target,
		below(mergeRequest, ""), nil, opts, preparedState)
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

// WaitUntilMergeable polls a merge request, at growing intervals, until it can be merged,
// and returns it. It waits for the diff, the check for conflicts, a running pipeline,
// external status checks and [MergeRequest.MergeAfter]. It returns a
// [*NotMergeableError] as soon as something blocks the merge that waiting does not resolve,
// such as a conflict or a missing approval. On error, it also returns the merge request as
// last seen, or nil.
//
// [MergeRequestsService.Merge] can still be refused afterwards, because the
// merge request may have changed.
//
//	GET /projects/:id/merge_requests/:merge_request_iid
func (s *MergeRequestsService) WaitUntilMergeable(
	ctx context.Context, mergeRequest MergeRequestRef, opts ...RequestOption,
) (*MergeRequestDetails, error) {
	target := "merge request " + mergeRequest.String()
	return waitFor(ctx, using(s), target,
		below(mergeRequest, ""), nil, opts, mergeableState, notMergeable)
}

// notMergeable returns the error of a merge request that no longer waits, and cannot be merged.
func notMergeable(seen *outcome, mr *MergeRequestDetails) error {
	status, _ := mergeableState(mr)
	if status == string(DetailedMergeStatusMergeable) || status == string(MergeStatusCanBeMerged) {
		return nil
	}
	return &NotMergeableError{MergeRequest: hidden(seen, mr), Status: seen.redaction().Hide(status)}
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

// Create opens a merge request. It requires the Developer role in the project of the source
// branch, and permission to open merge requests in the target project.
//
// The service computes the diff after it has responded: until then, the merge request has
// no ChangesCount and no commits. [MergeRequestsService.WaitUntilPrepared] waits for it.
//
// The call returns a [*MergeRequestExistsError] if an open merge request has
// the same branches, and [ErrUnprocessable] if source and target are the same
// or do not match, or if the caller cannot access the target.
//
//	POST /projects/:id/merge_requests
func (s *MergeRequestsService) Create(
	ctx context.Context, project ProjectRef, options CreateMergeRequestOptions, opts ...RequestOption,
) (*MergeRequestDetails, *Response, error) {
	mr, resp, err := do[MergeRequestDetails](ctx, using(s), http.MethodPost,
		Route("/projects/:id/merge_requests", project), jsonOf(options), opts)
	if options.TargetProjectID != nil {
		project = ProjectID(*options.TargetProjectID)
	}
	return mr, resp, asMergeRequestExists(err, project)
}

// Update changes a merge request. At least one field is required. The caller
// must be the author or an assignee, or have the Developer role. The call
// returns a [*MergeRequestExistsError] if another open merge request already
// has the new branches.
//
//	PUT /projects/:id/merge_requests/:merge_request_iid
func (s *MergeRequestsService) Update(
	ctx context.Context, mergeRequest MergeRequestRef, options UpdateMergeRequestOptions, opts ...RequestOption,
) (*MergeRequestDetails, *Response, error) {
	mr, resp, err := do[MergeRequestDetails](ctx, using(s), http.MethodPut,
		below(mergeRequest, ""), jsonOf(options), opts)
	return mr, resp, asMergeRequestExists(err, mergeRequest.project)
}

// Delete deletes a merge request with its comments. It requires the Owner role
// or an administrator. To end a merge request without merging it, close it with
// [MergeRequestsService.Update].
//
//	DELETE /projects/:id/merge_requests/:merge_request_iid
func (s *MergeRequestsService) Delete(
	ctx context.Context, mergeRequest MergeRequestRef, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		below(mergeRequest, ""), nil, opts)
}

// ListParticipants returns one page of the users who take part in a merge request: its
// author, assignees and reviewers, and everyone who commented or was mentioned.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/participants
func (s *MergeRequestsService) ListParticipants(
	ctx context.Context, mergeRequest MergeRequestRef, options *ListOptions, opts ...RequestOption,
) ([]*UserSummary, *Response, error) {
	return list[*UserSummary](ctx, using(s),
		below(mergeRequest, "/participants"), queryOf(options), opts)
}

// AllParticipants returns every user who takes part in a merge request: its author,
// assignees and reviewers, and everyone who commented or was mentioned.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/participants
func (s *MergeRequestsService) AllParticipants(
	ctx context.Context, mergeRequest MergeRequestRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*UserSummary, error] {
	return all[*UserSummary](ctx, using(s),
		below(mergeRequest, "/participants"), queryOf(options), opts)
}

// ListReviewers returns one page of the reviewers of a merge request, with the state of
// each review. Since about 15.3; [MergeRequest.Reviewers] also works with older
// releases.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/reviewers
func (s *MergeRequestsService) ListReviewers(
	ctx context.Context, mergeRequest MergeRequestRef, options *ListOptions, opts ...RequestOption,
) ([]*MergeRequestReviewer, *Response, error) {
	return list[*MergeRequestReviewer](ctx, using(s),
		below(mergeRequest, "/reviewers"), queryOf(options), opts)
}

// AllReviewers returns every reviewer of a merge request, with the state of each review.
// See [MergeRequestsService.ListReviewers].
//
//	GET /projects/:id/merge_requests/:merge_request_iid/reviewers
func (s *MergeRequestsService) AllReviewers(
	ctx context.Context, mergeRequest MergeRequestRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*MergeRequestReviewer, error] {
	return all[*MergeRequestReviewer](ctx, using(s),
		below(mergeRequest, "/reviewers"), queryOf(options), opts)
}

// MergeRef is the result of a trial merge.
type MergeRef struct {
	// CommitID is the merge commit in the hidden ref.
	CommitID string `json:"commit_id"`
}

// RebaseStatus says whether a rebase is in progress.
type RebaseStatus struct {
	RebaseInProgress bool `json:"rebase_in_progress"`
}

// MergeRequestSubscription is the result of [MergeRequestsService.Subscribe] and
// [MergeRequestsService.Unsubscribe].
type MergeRequestSubscription struct {
	// MergeRequest is nil if Unchanged is true: the service returns it only if it
	// changed something.
	MergeRequest *MergeRequestDetails
	// Unchanged reports whether there was nothing to do.
	Unchanged bool
}

func newMergeRequestSubscription(mr *MergeRequestDetails) *MergeRequestSubscription {
	return &MergeRequestSubscription{MergeRequest: mr, Unchanged: mr == nil}
}

// RelatedIssue is an issue that a merge would close, or that a merge request mentions. For an
// issue in an external tracker, only ID and Title are set: the other fields are empty or nil.
type RelatedIssue struct {
	ID IssueID `json:"id"`
	// IID is the number of the issue in its project, and ProjectID the ID of the
	// project. Both are nil for an issue in an external tracker.
	IID       *int64 `json:"iid"`
	ProjectID *int64 `json:"project_id"`
	Title     string `json:"title"`
	// Description is empty if the issue has none.
	Description string     `json:"description"`
	State       IssueState `json:"state"`
	// Author is nil if the account no longer exists.
	Author *UserSummary `json:"author"`
	// Assignee and Milestone are nil if there is none.
	//
	// Deprecated: use Assignees instead of Assignee.
	Assignee  *UserSummary    `json:"assignee"`
	Assignees []*UserSummary  `json:"assignees"`
	Milestone *Milestone      `json:"milestone"`
	Labels    []*LabelSummary `json:"labels"`
	// IssueType is the kind of the issue. Type is the same in capital letters.
	IssueType IssueType `json:"issue_type"`
	Type      string    `json:"type"`
	WebURL    string    `json:"web_url"`
	// ClosedAt and ClosedBy are nil unless the issue is closed.
	ClosedAt *time.Time   `json:"closed_at"`
	ClosedBy *UserSummary `json:"closed_by"`
	// StartDate and DueDate are nil if there is none. StartDate exists since about 18.x.
	StartDate *Date `json:"start_date"`
	DueDate   *Date `json:"due_date"`
	// DiscussionLocked reports whether only members may comment, nil if that was never set.
	DiscussionLocked *bool `json:"discussion_locked"`
	// Weight is nil if there is none. Premium.
	Weight       *int         `json:"weight"`
	ChangesCount ChangesCount `json:"changes_count"`

	// The following fields are as in [Issue], and nil for an issue in an external tracker.
	CreatedAt            *time.Time            `json:"created_at"`
	UpdatedAt            *time.Time            `json:"updated_at"`
	UserNotesCount       *int                  `json:"user_notes_count"`
	Confidential         *bool                 `json:"confidential"`
	Upvotes              *int                  `json:"upvotes"`
	Downvotes            *int                  `json:"downvotes"`
	MergeRequestsCount   *int                  `json:"merge_requests_count"`
	BlockingIssuesCount  *int                  `json:"blocking_issues_count"`
	TimeStats            *TimeStats            `json:"time_stats"`
	TaskCompletionStatus *TaskCompletionStatus `json:"task_completion_status"`
}

// Ref identifies the issue by the ID of its project and its number there. It is the zero
// reference for an issue in an external tracker.
func (i *RelatedIssue) Ref() IssueRef {
	if i == nil || i.ProjectID == nil || i.IID == nil {
		return IssueRef{}
	}
	return ProjectID(*i.ProjectID).Issue(*i.IID)
}

// IssueID identifies an issue: by Number in the built-in tracker, or by Key in
// an external one. The other field is empty.
type IssueID struct {
	Number int64
	Key    string
}

// External reports whether the issue is in an external tracker.
func (id IssueID) External() bool { return id.Key != "" }

// String returns the number or the key.
func (id IssueID) String() string {
	if id.External() {
		return id.Key
	}
	return strconv.FormatInt(id.Number, 10)
}

// MarshalJSON encodes the number or the key.
func (id IssueID) MarshalJSON() ([]byte, error) {
	if id.External() {
		return json.Marshal(id.Key)
	}
	return json.Marshal(id.Number)
}

// UnmarshalJSON decodes a number or a key.
func (id *IssueID) UnmarshalJSON(data []byte) error {
	*id = IssueID{}
	if jsonx.IsString(data) {
		return decodeString(data, &id.Key)
	}
	if n, err := strconv.ParseInt(string(data), 10, 64); err == nil {
		id.Number = n
		return nil
	}
	return json.Unmarshal(data, &id.Number) // null, or an error
}

// DiffVersionState is the state of a [DiffVersion].
type DiffVersionState string

// States of a diff version. The service may send others.
const (
	DiffVersionStateCollected    DiffVersionState = "collected"
	DiffVersionStateEmpty        DiffVersionState = "empty"
	DiffVersionStateWithoutFiles DiffVersionState = "without_files"
	DiffVersionStateTimeout      DiffVersionState = "timeout"
	DiffVersionStateOverflow     DiffVersionState = "overflow"

	// These states name the limit that was exceeded.
	DiffVersionStateOverflowCommitsSafeSize DiffVersionState = "overflow_commits_safe_size"
	DiffVersionStateOverflowDiffFilesLimit  DiffVersionState = "overflow_diff_files_limit"
	DiffVersionStateOverflowDiffLinesLimit  DiffVersionState = "overflow_diff_lines_limit"
)

// DiffVersion is the diff of a merge request after one push. A [DiffPosition]
// requires its three hashes.
type DiffVersion struct {
	ID             int64            `json:"id"`
	HeadCommitSHA  string           `json:"head_commit_sha"`
	BaseCommitSHA  string           `json:"base_commit_sha"`
	StartCommitSHA string           `json:"start_commit_sha"`
	CreatedAt      time.Time        `json:"created_at"`
	MergeRequestID int64            `json:"merge_request_id"`
	State          DiffVersionState `json:"state"`
	// RealSize is the number of changed files, such as "17" or "1000+".
	RealSize ChangesCount `json:"real_size"`
	// PatchIDSHA identifies the change regardless of its base. Since 16.4; empty in
	// older releases.
	PatchIDSHA string `json:"patch_id_sha"`
	// Commits and Diffs are set only by [MergeRequestsService.GetVersion].
	Commits []*Commit     `json:"commits"`
	Diffs   []*CommitDiff `json:"diffs"`
}
