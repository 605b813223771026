package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// StatusChecksService manages the external status checks of projects: other services that
// say whether a merge request may be merged. Ultimate. Below that, and for callers without
// the role that a call requires, calls return [ErrUnauthorized].
//
// Its options are [CreateStatusCheckOptions], [ListOptions], [SetStatusCheckStatusOptions]
// and [UpdateStatusCheckOptions]. See the example ApprovalsCreateRule in
// collaboration_test.go of [example.com/serviceapi/examples/recipes].
type StatusChecksService service

// StatusCheck is a service that is asked whether a merge request may be merged. No response
// contains its secret.
type StatusCheck struct {
	ID int64 `json:"id"`
	// Name and ExternalURL are unique in the project.
	Name        string `json:"name"`
	ProjectID   int64  `json:"project_id"`
	ExternalURL string `json:"external_url"`
	// HMAC reports whether requests to ExternalURL are signed with a secret. Only in later
	// releases.
	HMAC bool `json:"hmac"`
	// ProtectedBranches are the target branches of the merge requests that the check
	// applies to. If there are none, it applies to all merge requests. Older releases send
	// no levels.
	ProtectedBranches []*ProtectedBranch `json:"protected_branches"`
}

// List returns one page of the status checks of a project. It requires the Maintainer role.
// Ultimate.
//
//	GET /projects/:id/external_status_checks
func (s *StatusChecksService) List(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) ([]*StatusCheck, *Response, error) {
	return list[*StatusCheck](ctx, using(s), statusChecksOf(project), queryOf(options), opts)
}

// All returns every status check of a project. It requires the Maintainer role. Ultimate.
//
//	GET /projects/:id/external_status_checks
func (s *StatusChecksService) All(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*StatusCheck, error] {
	return all[*StatusCheck](ctx, using(s), statusChecksOf(project), queryOf(options), opts)
}

// CreateStatusCheckOptions describes a status check. Name and ExternalURL are required.
type CreateStatusCheckOptions struct {
	// Name and ExternalURL are unique in the project.
	Name string `json:"name" required:"true"`
	// ExternalURL gets the events of merge requests.
	ExternalURL string `json:"external_url" required:"true"`
	// SharedSecret signs the requests to ExternalURL, with at most 255 characters. Only in
	// later releases.
	SharedSecret Secret `json:"shared_secret,omitzero"`
	// ProtectedBranchIDs are the IDs of the target branches that the check applies to. None
	// means all merge requests.
	ProtectedBranchIDs []int64 `json:"protected_branch_ids,omitzero"`
}

// Create adds a status check to a project. It requires the Maintainer role. The call returns
// [ErrUnprocessable] if the name or the URL is taken, and for a protected branch of another
// project. Ultimate.
//
//	POST /projects/:id/external_status_checks
func (s *StatusChecksService) Create(
	ctx context.Context, project ProjectRef, options CreateStatusCheckOptions, opts ...RequestOption,
) (*StatusCheck, *Response, error) {
	return do[StatusCheck](ctx, using(s), http.MethodPost, statusChecksOf(project), jsonOf(options), opts)
}

// UpdateStatusCheckOptions changes a status check. Nil fields are left unchanged.
type UpdateStatusCheckOptions struct {
	// Name and ExternalURL are unique in the project.
	Name        *string `json:"name,omitzero"`
	ExternalURL *string `json:"external_url,omitzero"`
	// SharedSecret signs the requests to ExternalURL, with at most 255 characters. Only in
	// later releases.
	SharedSecret *Secret `json:"shared_secret,omitzero"`
	// ProtectedBranchIDs replaces the target branches. If it is empty but not nil, the check
	// applies to all merge requests.
	ProtectedBranchIDs []int64 `json:"protected_branch_ids,omitzero"`
}

// Update changes a status check. It requires the Maintainer role. The call returns
// [ErrUnprocessable] as Create does. Ultimate.
//
//	PUT /projects/:id/external_status_checks/:check_id
func (s *StatusChecksService) Update(
	ctx context.Context, project ProjectRef, checkID int64, options UpdateStatusCheckOptions, opts ...RequestOption,
) (*StatusCheck, *Response, error) {
	return do[StatusCheck](ctx, using(s), http.MethodPut, oneStatusCheck(project, checkID), jsonOf(options), opts)
}

// Delete removes a status check. It requires the Maintainer role. Ultimate.
//
//	DELETE /projects/:id/external_status_checks/:check_id
func (s *StatusChecksService) Delete(
	ctx context.Context, project ProjectRef, checkID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, oneStatusCheck(project, checkID), nil, opts)
}

// StatusCheckStatus is what a status check says about a merge request.
type StatusCheckStatus string

// Statuses of status checks.
const (
	// StatusCheckStatusPending is the status until the check has responded for the newest
	// commit of the merge request.
	StatusCheckStatusPending StatusCheckStatus = "pending"
	StatusCheckStatusPassed  StatusCheckStatus = "passed"
	StatusCheckStatusFailed  StatusCheckStatus = "failed"
)

// MergeRequestStatusCheck is the status of a check in a merge request.
type MergeRequestStatusCheck struct {
	// ID is that of the [StatusCheck].
	ID   int64  `json:"id"`
	Name string `json:"name"`
	// ExternalURL has no query. It is empty for callers below the Developer role.
	ExternalURL string            `json:"external_url"`
	Status      StatusCheckStatus `json:"status"`
}

// ListForMergeRequest returns one page of the status checks that apply to a merge request,
// with their statuses. Ultimate.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/status_checks
func (s *StatusChecksService) ListForMergeRequest(
	ctx context.Context, mergeRequest MergeRequestRef, options *ListOptions, opts ...RequestOption,
) ([]*MergeRequestStatusCheck, *Response, error) {
	return list[*MergeRequestStatusCheck](ctx, using(s),
		below(mergeRequest, "/status_checks").forbiddenBy401(), queryOf(options), opts)
}

// AllForMergeRequest returns every status check that applies to a merge request, with its
// status. Ultimate.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/status_checks
func (s *StatusChecksService) AllForMergeRequest(
	ctx context.Context, mergeRequest MergeRequestRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*MergeRequestStatusCheck, error] {
	return all[*MergeRequestStatusCheck](ctx, using(s),
		below(mergeRequest, "/status_checks").forbiddenBy401(), queryOf(options), opts)
}

// SetStatusCheckStatusOptions is what a status check says. Every field is required.
type SetStatusCheckStatusOptions struct {
	// SHA is the head of the source branch.
	SHA                   string            `json:"sha" required:"true"`
	ExternalStatusCheckID int64             `json:"external_status_check_id" required:"true"`
	Status                StatusCheckStatus `json:"status" required:"true"`
}

// StatusCheckResponse is a response of a status check. It has an ID of its own.
type StatusCheckResponse struct {
	ID                  int64         `json:"id"`
	MergeRequest        *MergeRequest `json:"merge_request"`
	ExternalStatusCheck *StatusCheck  `json:"external_status_check"`
}

// SetStatus says what a status check has found in a commit. It requires the Developer role
// and the right to approve the merge request. The call returns [ErrConflict] if the commit is
// not the head of the source branch any more. Ultimate.
//
//	POST /projects/:id/merge_requests/:merge_request_iid/status_check_responses
func (s *StatusChecksService) SetStatus(
	ctx context.Context, mergeRequest MergeRequestRef, options SetStatusCheckStatusOptions, opts ...RequestOption,
) (*StatusCheckResponse, *Response, error) {
	return do[StatusCheckResponse](ctx, using(s), http.MethodPost,
		below(mergeRequest, "/status_check_responses").forbiddenBy401(), jsonOf(options), opts)
}

// Retry asks a status check that failed again. Its status becomes pending. It requires the
// Developer role and the right to approve the merge request. The call returns
// [ErrUnprocessable] for a check that did not fail. Ultimate. Since 15.7.
//
//	POST /projects/:id/merge_requests/:merge_request_iid/status_checks/:external_status_check_id/retry
func (s *StatusChecksService) Retry(
	ctx context.Context, mergeRequest MergeRequestRef, checkID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost,
		below(mergeRequest, "/status_checks/:external_status_check_id/retry", checkID).forbiddenBy401(), nil, opts)
}

func statusChecksOf(project ProjectRef) Endpoint {
	return Route("/projects/:id/external_status_checks", project).forbiddenBy401()
}

func oneStatusCheck(project ProjectRef, checkID int64) Endpoint {
	return Route("/projects/:id/external_status_checks/:check_id", project, checkID).forbiddenBy401()
}
