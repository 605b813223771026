package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"strconv"
)

// DeploymentsService manages the deployments of projects.
type DeploymentsService service

// List returns one page of a project's deployments.
//
//	GET /projects/:id/deployments
func (s *DeploymentsService) List(
	ctx context.Context, project ProjectRef, options *ListDeploymentsOptions, opts ...RequestOption,
) ([]*Deployment, *Response, error) {
	return list[*Deployment](ctx, s.client, Route("/projects/:id/deployments", project), queryOf(options), opts)
}

// All returns every deployment of a project.
//
//	GET /projects/:id/deployments
func (s *DeploymentsService) All(
	ctx context.Context, project ProjectRef, options *ListDeploymentsOptions, opts ...RequestOption,
) iter.Seq2[*Deployment, error] {
	return all[*Deployment](ctx, s.client, Route("/projects/:id/deployments", project), queryOf(options), opts)
}

// Get returns one deployment.
//
//	GET /projects/:id/deployments/:deployment_id
func (s *DeploymentsService) Get(
	ctx context.Context, project ProjectRef, deploymentID int64, opts ...RequestOption,
) (*Deployment, *Response, error) {
	return do[Deployment](ctx, s.client, http.MethodGet,
		Route("/projects/:id/deployments/:deployment_id", project, deploymentID), nil, opts)
}

// Create records a deployment that was not made by a job of the service. Its
// Deployable is nil.
//
//	POST /projects/:id/deployments
func (s *DeploymentsService) Create(
	ctx context.Context, project ProjectRef, options CreateDeploymentOptions, opts ...RequestOption,
) (*Deployment, *Response, error) {
	return do[Deployment](ctx, s.client, http.MethodPost,
		Route("/projects/:id/deployments", project), jsonOf(options), opts)
}

// Update sets the status of a deployment. The call returns [ErrForbidden] for a
// deployment that a job of the service made.
//
//	PUT /projects/:id/deployments/:deployment_id
func (s *DeploymentsService) Update(
	ctx context.Context, project ProjectRef, deploymentID int64, options UpdateDeploymentOptions, opts ...RequestOption,
) (*Deployment, *Response, error) {
	return do[Deployment](ctx, s.client, http.MethodPut,
		Route("/projects/:id/deployments/:deployment_id", project, deploymentID), jsonOf(options), opts)
}

// Delete deletes a deployment. It requires the Maintainer role. [ErrBadRequest]
// means that the deployment is running, or is the last one of its environment.
// Since 15.3.
//
//	DELETE /projects/:id/deployments/:deployment_id
func (s *DeploymentsService) Delete(
	ctx context.Context, project ProjectRef, deploymentID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, s.client, http.MethodDelete,
		Route("/projects/:id/deployments/:deployment_id", project, deploymentID), nil, opts)
}

// Wait polls a deployment, at growing intervals, until it will not continue by
// itself, and returns it. This is the case if it has succeeded, failed or been
// canceled, and also if it is blocked, because then it waits for approvals.
// Check the deployment's status: a failed deployment is not an error of this
// call. On error, Wait also returns the deployment as last seen, or nil.
//
//	GET /projects/:id/deployments/:deployment_id
func (s *DeploymentsService) Wait(
	ctx context.Context, project ProjectRef, deploymentID int64, opts ...RequestOption,
) (*Deployment, error) {
	return wait(ctx, s.client, "deployment "+strconv.FormatInt(deploymentID, 10),
		Route("/projects/:id/deployments/:deployment_id", project, deploymentID), nil, opts,
		func(d *Deployment) (string, bool) {
			return string(d.Status), d.Status.Finished() || d.Status == DeploymentStatusBlocked
		})
}

// ListMergeRequests returns one page of the merge requests that a deployment
// delivered. Not every deployment can be associated with merge requests. The
// options are those of a project's list: the call returns an [*ArgumentError]
// for the others.
//
//	GET /projects/:id/deployments/:deployment_id/merge_requests
func (s *DeploymentsService) ListMergeRequests(
	ctx context.Context, project ProjectRef, deploymentID int64, options *ListMergeRequestsOptions,
	opts ...RequestOption,
) ([]*MergeRequest, *Response, error) {
	return list[*MergeRequest](ctx, s.client,
		Route("/projects/:id/deployments/:deployment_id/merge_requests", project, deploymentID),
		queryFor(project, options.query()), opts)
}

// AllMergeRequests returns every merge request that a deployment delivered. Not
// every deployment can be associated with merge requests. The options are those
// of a project's list: the sequence yields an [*ArgumentError] for the others.
//
//	GET /projects/:id/deployments/:deployment_id/merge_requests
func (s *DeploymentsService) AllMergeRequests(
	ctx context.Context, project ProjectRef, deploymentID int64, options *ListMergeRequestsOptions,
	opts ...RequestOption,
) iter.Seq2[*MergeRequest, error] {
	return all[*MergeRequest](ctx, s.client,
		Route("/projects/:id/deployments/:deployment_id/merge_requests", project, deploymentID),
		queryFor(project, options.query()), opts)
}

// ApproveOrReject approves or rejects a blocked deployment, and returns the
// decision as recorded. [DeploymentsService.Get] returns the deployment with
// its new status. Premium.
//
//	POST /projects/:id/deployments/:deployment_id/approval
func (s *DeploymentsService) ApproveOrReject(
	ctx context.Context, project ProjectRef, deploymentID int64, options ApproveOrRejectDeploymentOptions,
	opts ...RequestOption,
) (*DeploymentApproval, *Response, error) {
	return do[DeploymentApproval](ctx, s.client, http.MethodPost,
		Route("/projects/:id/deployments/:deployment_id/approval", project, deploymentID), jsonOf(options), opts)
}
