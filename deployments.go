package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"strconv"
	"time"
)

// DeploymentsService manages the deployments of projects.
//
// Its options are [ApproveOrRejectDeploymentOptions], [CreateDeploymentOptions],
// [ListDeploymentsOptions], [ListMergeRequestsOptions] and [UpdateDeploymentOptions]. See
// recipe 9 of docs/cookbook.md, the example WaitForDeployment of
// [example.com/serviceapi/examples/recipes].
type DeploymentsService service

// List returns one page of a project's deployments.
//
//	GET /projects/:id/deployments
func (s *DeploymentsService) List(
	ctx context.Context, project ProjectRef, options *ListDeploymentsOptions, opts ...RequestOption,
) ([]*Deployment, *Response, error) {
	return list[*Deployment](ctx, using(s), Route("/projects/:id/deployments", project), queryOf(options), opts)
}

// All returns every deployment of a project.
//
//	GET /projects/:id/deployments
func (s *DeploymentsService) All(
	ctx context.Context, project ProjectRef, options *ListDeploymentsOptions, opts ...RequestOption,
) iter.Seq2[*Deployment, error] {
	return all[*Deployment](ctx, using(s), Route("/projects/:id/deployments", project), queryOf(options), opts)
}

// Get returns one deployment.
//
//	GET /projects/:id/deployments/:deployment_id
func (s *DeploymentsService) Get(
	ctx context.Context, project ProjectRef, deploymentID int64, opts ...RequestOption,
) (*Deployment, *Response, error) {
	return do[Deployment](ctx, using(s), http.MethodGet,
		Route("/projects/:id/deployments/:deployment_id", project, deploymentID), nil, opts)
}

// Create records a deployment that was not made by a CI job. Its Deployable is nil.
// In a protected environment, the call returns [ErrForbidden] if the caller may not
// deploy, and the deployment is blocked if it needs approvals.
//
//	POST /projects/:id/deployments
func (s *DeploymentsService) Create(
	ctx context.Context, project ProjectRef, options CreateDeploymentOptions, opts ...RequestOption,
) (*Deployment, *Response, error) {
	return do[Deployment](ctx, using(s), http.MethodPost,
		Route("/projects/:id/deployments", project), jsonOf(options), opts)
}

// Update sets the status of a deployment. The call returns [ErrForbidden] for a
// deployment that a CI job made.
//
//	PUT /projects/:id/deployments/:deployment_id
func (s *DeploymentsService) Update(
	ctx context.Context, project ProjectRef, deploymentID int64, options UpdateDeploymentOptions, opts ...RequestOption,
) (*Deployment, *Response, error) {
	return do[Deployment](ctx, using(s), http.MethodPut,
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
	return exec(ctx, using(s), http.MethodDelete,
		Route("/projects/:id/deployments/:deployment_id", project, deploymentID), nil, opts)
}

// Wait polls a deployment, at growing intervals, until it has succeeded, failed or
// been canceled, and returns it. Wait also ends if the deployment is blocked,
// because it then waits for approvals. Check the deployment's status: a failed
// deployment is not an error of this call. On error, Wait also returns the
// deployment as last seen, or nil.
//
//	GET /projects/:id/deployments/:deployment_id
func (s *DeploymentsService) Wait(
	ctx context.Context, project ProjectRef, deploymentID int64, opts ...RequestOption,
) (*Deployment, error) {
	return wait(ctx, using(s), "deployment "+strconv.FormatInt(deploymentID, 10),
		Route("/projects/:id/deployments/:deployment_id", project, deploymentID), nil, opts,
		func(d *Deployment) (string, bool) {
			return string(d.Status), d.Status.Finished() || d.Status == DeploymentStatusBlocked
		})
}

// ListMergeRequests returns one page of the merge requests that a deployment
// delivered. Not every deployment can be associated with merge requests. The call
// accepts only the options of a project's list, and returns an [*ArgumentError] for
// any other.
//
//	GET /projects/:id/deployments/:deployment_id/merge_requests
func (s *DeploymentsService) ListMergeRequests(
	ctx context.Context, project ProjectRef, deploymentID int64, options *ListMergeRequestsOptions,
	opts ...RequestOption,
) ([]*MergeRequest, *Response, error) {
	return list[*MergeRequest](ctx, using(s),
		Route("/projects/:id/deployments/:deployment_id/merge_requests", project, deploymentID),
		queryFor(project, options.query()), opts)
}

// AllMergeRequests returns every merge request that a deployment delivered. Not
// every deployment can be associated with merge requests. The call accepts only the
// options of a project's list, and the sequence yields an [*ArgumentError] for any
// other.
//
//	GET /projects/:id/deployments/:deployment_id/merge_requests
func (s *DeploymentsService) AllMergeRequests(
	ctx context.Context, project ProjectRef, deploymentID int64, options *ListMergeRequestsOptions,
	opts ...RequestOption,
) iter.Seq2[*MergeRequest, error] {
	return all[*MergeRequest](ctx, using(s),
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
	return do[DeploymentApproval](ctx, using(s), http.MethodPost,
		Route("/projects/:id/deployments/:deployment_id/approval", project, deploymentID), jsonOf(options), opts)
}

// DeploymentOrderBy is the order of a list of deployments.
type DeploymentOrderBy string

// Orders of deployments.
const (
	DeploymentOrderByID        DeploymentOrderBy = "id"
	DeploymentOrderByIID       DeploymentOrderBy = "iid"
	DeploymentOrderByCreatedAt DeploymentOrderBy = "created_at"
	DeploymentOrderByUpdatedAt DeploymentOrderBy = "updated_at"
	DeploymentOrderByRef       DeploymentOrderBy = "ref"
	// DeploymentOrderByFinishedAt works since about 15.x.
	DeploymentOrderByFinishedAt DeploymentOrderBy = "finished_at"
)

// ListDeploymentsOptions selects deployments. Empty fields do not filter.
type ListDeploymentsOptions struct {
	ListOptions
	// OrderBy is DeploymentOrderByID if it is empty.
	OrderBy DeploymentOrderBy `url:"order_by,omitempty"`
	// Sort is SortDescending or SortAscending, which is the default.
	Sort Sort `url:"sort,omitempty"`
	// UpdatedAfter and UpdatedBefore limit the time of the last change.
	UpdatedAfter  time.Time `url:"updated_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	UpdatedBefore time.Time `url:"updated_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	// FinishedAfter and FinishedBefore limit the time at which the deployment
	// finished. They require OrderBy [DeploymentOrderByFinishedAt] and Status
	// [DeploymentStatusSuccess]. Since about 15.x.
	FinishedAfter  time.Time `url:"finished_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	FinishedBefore time.Time `url:"finished_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	// Environment selects the deployments to the environment with this name.
	Environment string           `url:"environment,omitempty"`
	Status      DeploymentStatus `url:"status,omitempty"`
}

// CreateDeploymentOptions describes a deployment that was not made by a CI job. All
// fields are required, except Tag.
type CreateDeploymentOptions struct {
	// Environment is the name of the environment.
	Environment string `json:"environment" required:"true"`
	// SHA is the hash of the commit.
	SHA string `json:"sha" required:"true"`
	// Ref is the name of a tag if Tag is set, and otherwise of a branch.
	Ref string `json:"ref" required:"true"`
	Tag bool   `json:"tag"`
	// Status is DeploymentStatusRunning, DeploymentStatusSuccess,
	// DeploymentStatusFailed or DeploymentStatusCanceled.
	Status DeploymentStatus `json:"status" required:"true"`
}

// UpdateDeploymentOptions changes a deployment.
type UpdateDeploymentOptions struct {
	// Status is DeploymentStatusRunning, DeploymentStatusSuccess,
	// DeploymentStatusFailed or DeploymentStatusCanceled. It is required.
	Status DeploymentStatus `json:"status" required:"true"`
}

// ApproveOrRejectDeploymentOptions is a decision about a blocked deployment.
type ApproveOrRejectDeploymentOptions struct {
	// Status is DeploymentApprovalStatusApproved or
	// DeploymentApprovalStatusRejected. It is required.
	Status DeploymentApprovalStatus `json:"status" required:"true"`
	// Comment explains the decision. Nil means no comment.
	Comment *string `json:"comment,omitzero"`
	// RepresentedAs is the name of the user, group or role on whose behalf the
	// caller decides, if several approval rules apply to the caller.
	RepresentedAs *string `json:"represented_as,omitzero"`
}

// DeploymentStatus is the state of a deployment.
type DeploymentStatus string

// States of a deployment. A blocked one waits for approvals.
const (
	DeploymentStatusCreated  DeploymentStatus = "created"
	DeploymentStatusRunning  DeploymentStatus = "running"
	DeploymentStatusSuccess  DeploymentStatus = "success"
	DeploymentStatusFailed   DeploymentStatus = "failed"
	DeploymentStatusCanceled DeploymentStatus = "canceled"
	DeploymentStatusBlocked  DeploymentStatus = "blocked"
)

// Finished reports whether this is a final state.
func (s DeploymentStatus) Finished() bool {
	switch s {
	case DeploymentStatusSuccess, DeploymentStatusFailed, DeploymentStatusCanceled:
		return true
	}
	return false
}

// DeploymentApprovalStatus is a user's decision about a blocked deployment.
type DeploymentApprovalStatus string

// Decisions about a blocked deployment.
const (
	DeploymentApprovalStatusApproved DeploymentApprovalStatus = "approved"
	DeploymentApprovalStatusRejected DeploymentApprovalStatus = "rejected"
)

// Deployment is one delivery of a commit to an environment.
type Deployment struct {
	ID int64 `json:"id"`
	// IID is the number of the deployment in its project.
	IID int64 `json:"iid"`
	// Ref is the branch or tag that was deployed.
	Ref string `json:"ref"`
	// SHA is the full hash of the commit that was deployed.
	SHA       string           `json:"sha"`
	CreatedAt time.Time        `json:"created_at"`
	UpdatedAt time.Time        `json:"updated_at"`
	Status    DeploymentStatus `json:"status"`
	// User is the user who deployed, nil if the account no longer exists.
	User *UserSummary `json:"user"`
	// Environment is the environment that was deployed to, nil only if the service
	// does not send it.
	Environment *EnvironmentSummary `json:"environment"`
	// Deployable is the job that deploys, nil if the deployment was created
	// through the API. AllowFailure, FailureReason, TagList, ArtifactsFile,
	// RunnerManager, Source, ErasedAt, Archived and IPAddress are not set:
	// [JobsService.Get] returns them.
	Deployable *Job `json:"deployable"`
	// PendingApprovalCount is the number of approvals that are missing, nil if the
	// service has no approvals. Premium.
	PendingApprovalCount *int `json:"pending_approval_count"`
	// Approvals are the approvals and rejections so far, if the environment
	// requires a number of approvals without rules. Premium.
	Approvals []*DeploymentApproval `json:"approvals"`
	// ApprovalSummary holds the approvals and rejections so far by rule, if the
	// environment has several approval rules; otherwise it is nil. Premium.
	ApprovalSummary *DeploymentApprovalSummary `json:"approval_summary"`
}

// DeploymentApproval is a user's approval or rejection of a deployment.
type DeploymentApproval struct {
	// User is the user who decided, nil if the account no longer exists.
	User      *UserSummary             `json:"user"`
	Status    DeploymentApprovalStatus `json:"status"`
	CreatedAt time.Time                `json:"created_at"`
	// Comment is empty if none was given.
	Comment string `json:"comment"`
}

// DeploymentApprovalSummary says which approvals a deployment's rules require,
// and which it has so far.
type DeploymentApprovalSummary struct {
	Rules []*DeploymentApprovalRule `json:"rules"`
}

// DeploymentApprovalRule says whose approvals a deployment requires: those of
// one user, of members of a group, or of users with a role. One of UserID,
// GroupID and AccessLevel is set; the other two are nil.
type DeploymentApprovalRule struct {
	ID int64 `json:"id"`
	// UserID is nil unless the rule is for one user.
	UserID *int64 `json:"user_id"`
	// GroupID is nil unless the rule is for the members of a group.
	GroupID *int64 `json:"group_id"`
	// GroupInheritanceType says whether the members of the group alone count, or also those
	// that it inherits. It means nothing unless the rule is for a group.
	GroupInheritanceType GroupInheritanceType `json:"group_inheritance_type"`
	// AccessLevel is nil unless the rule is for users with a role.
	AccessLevel *AccessLevel `json:"access_level"`
	// AccessLevelDescription is the name of the user, the group or the role.
	AccessLevelDescription string `json:"access_level_description"`
	RequiredApprovals      int    `json:"required_approvals"`
	// DeploymentApprovals are the approvals and rejections so far that count for
	// this rule.
	DeploymentApprovals []*DeploymentApproval `json:"deployment_approvals"`
}

// DORAMetricsService reads the DORA metrics, which measure how software is delivered. They
// require the Reporter role: other callers get [ErrUnauthorized]. Ultimate.
//
// Its options are [ListDORAMetricsOptions]. See the example of [DORAMetricsService.All].
type DORAMetricsService service

// DORAMetricOwner is an owner of DORA metrics: a [ProjectRef], or a [GroupRef] for all projects
// in it and below, including those that the caller cannot see.
type DORAMetricOwner interface{ hasDORAMetrics() }

func (ProjectRef) hasDORAMetrics() {}
func (GroupRef) hasDORAMetrics()   {}

// List returns the values of a metric by date, all on one page. The call returns
// [ErrBadRequest] for a range of more than 180 days. Ultimate.
//
//	GET /projects/:id/dora/metrics
//	GET /groups/:id/dora/metrics
func (s *DORAMetricsService) List(
	ctx context.Context, owner DORAMetricOwner, options *ListDORAMetricsOptions, opts ...RequestOption,
) ([]*DORAMetric, *Response, error) {
	return list[*DORAMetric](ctx, using(s), below(owner, "/dora/metrics").forbiddenBy401(), queryOf(options), opts)
}

// All returns the values of a metric by date. See [DORAMetricsService.List]. Ultimate.
//
//	GET /projects/:id/dora/metrics
//	GET /groups/:id/dora/metrics
func (s *DORAMetricsService) All(
	ctx context.Context, owner DORAMetricOwner, options *ListDORAMetricsOptions, opts ...RequestOption,
) iter.Seq2[*DORAMetric, error] {
	return all[*DORAMetric](ctx, using(s), below(owner, "/dora/metrics").forbiddenBy401(), queryOf(options), opts)
}

// ListDORAMetricsOptions says what to measure. Metric is required.
type ListDORAMetricsOptions struct {
	ListOptions
	Metric DORAMetricType `url:"metric" required:"true"`
	// StartDate must be before EndDate. The defaults are three months ago and today.
	StartDate Date `url:"start_date,omitempty"`
	EndDate   Date `url:"end_date,omitempty"`
	// Interval is DORAIntervalDaily if it is empty.
	Interval DORAInterval `url:"interval,omitempty"`
	// EnvironmentTiers are the tiers whose deployments count, by default only production.
	EnvironmentTiers []EnvironmentTier `url:"environment_tiers[],omitempty"`
}

// DORAMetricType is what a DORA metric measures.
type DORAMetricType string

// DORA metrics.
const (
	// DORAMetricTypeDeploymentFrequency is the number of deployments a day.
	DORAMetricTypeDeploymentFrequency DORAMetricType = "deployment_frequency"
	// DORAMetricTypeLeadTimeForChanges and the next one are medians in seconds.
	DORAMetricTypeLeadTimeForChanges   DORAMetricType = "lead_time_for_changes"
	DORAMetricTypeTimeToRestoreService DORAMetricType = "time_to_restore_service"
	// DORAMetricTypeChangeFailureRate is the number of incidents for each deployment.
	DORAMetricTypeChangeFailureRate DORAMetricType = "change_failure_rate"
)

// DORAInterval is what each value of a DORA metric is about.
type DORAInterval string

// Intervals of values: a day, a month, and the whole range.
const (
	DORAIntervalDaily   DORAInterval = "daily"
	DORAIntervalMonthly DORAInterval = "monthly"
	DORAIntervalAll     DORAInterval = "all"
)

// DORAMetric is a value of a DORA metric.
type DORAMetric struct {
	// Date is the day, or the first one of the month. It is nil for DORAIntervalAll.
	Date *Date `json:"date"`
	// Value is nil if there is nothing to measure.
	Value *float64 `json:"value"`
}
