package serviceapi

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"strconv"
	"time"

	"example.com/serviceapi/internal/text"
)

// EnvironmentsService manages the environments of projects: the places that a
// project is deployed to.
//
// Its options are [CleanUpReviewAppsOptions], [CreateEnvironmentOptions],
// [ListEnvironmentsOptions], [StopEnvironmentOptions], [StopStaleEnvironmentsOptions] and
// [UpdateEnvironmentOptions]. See the example EnvironmentsStopAndWait in ci_test.go of
// [example.com/serviceapi/examples/recipes].
type EnvironmentsService service

// EnvironmentState is the state of an environment.
type EnvironmentState string

// States of an environment. In current releases, a stopping one waits for its
// on_stop actions to finish.
const (
	EnvironmentStateAvailable EnvironmentState = "available"
	EnvironmentStateStopping  EnvironmentState = "stopping"
	EnvironmentStateStopped   EnvironmentState = "stopped"
)

// EnvironmentTier is the purpose of an environment.
type EnvironmentTier string

// Tiers of environments.
const (
	EnvironmentTierProduction  EnvironmentTier = "production"
	EnvironmentTierStaging     EnvironmentTier = "staging"
	EnvironmentTierTesting     EnvironmentTier = "testing"
	EnvironmentTierDevelopment EnvironmentTier = "development"
	EnvironmentTierOther       EnvironmentTier = "other"
)

// EnvironmentAutoStop says when an environment is stopped automatically.
type EnvironmentAutoStop string

// Settings for automatic stops: always, or only by an action that stops the
// environment.
const (
	EnvironmentAutoStopAlways     EnvironmentAutoStop = "always"
	EnvironmentAutoStopWithAction EnvironmentAutoStop = "with_action"
)

// Environment is a place that a project is deployed to. It has an [EnvironmentSummary] in it.
// Create, Update and Stop do not set EnableAdvancedLogsQuerying, LogsAPIPath and
// LastDeployment.
type Environment struct {
	EnvironmentSummary

	State EnvironmentState `json:"state"`
	Tier  EnvironmentTier  `json:"tier"`
	// EnableAdvancedLogsQuerying reports whether the environment's logs can be
	// searched. Releases since about 16.x leave it false.
	EnableAdvancedLogsQuerying bool `json:"enable_advanced_logs_querying"`
	// LogsAPIPath is the path of the logs, relative to the base URL. Releases since
	// about 16.x leave it empty.
	LogsAPIPath string `json:"logs_api_path"`
	// Description is empty if there is none. Since about 16.x.
	Description string `json:"description"`
	// AutoStopAt is when the service stops the environment automatically, nil if
	// it does not. Since about 16.x.
	AutoStopAt *time.Time `json:"auto_stop_at"`
	// AutoStopSetting says when the environment is stopped automatically. Since
	// 17.8.
	AutoStopSetting EnvironmentAutoStop `json:"auto_stop_setting"`
	// ClusterAgent is the agent that connects the environment's cluster, nil if
	// there is none. Since about 16.x.
	ClusterAgent *ClusterAgent `json:"cluster_agent"`
	// KubernetesNamespace and FluxResourcePath say where in the cluster the
	// environment is. They are empty if they are not set. Since about 16.2 and
	// 16.3.
	KubernetesNamespace string `json:"kubernetes_namespace"`
	FluxResourcePath    string `json:"flux_resource_path"`
	// Project is the project of the environment, as it is in a list with
	// [ListProjectsOptions.Simple]. It is nil only if the service does not send it.
	Project *Project `json:"project"`
	// LastDeployment is nil if nothing has been deployed yet.
	LastDeployment *Deployment `json:"last_deployment"`
}

// ReviewAppsCleanup is the outcome of [EnvironmentsService.CleanUpReviewApps].
type ReviewAppsCleanup struct {
	// ScheduledEntries are the environments that will be deleted or, in a dry run,
	// would be.
	ScheduledEntries []*EnvironmentSummary `json:"scheduled_entries"`
	// UnprocessableEntries are the environments that cannot be deleted.
	UnprocessableEntries []*EnvironmentSummary `json:"unprocessable_entries"`
}

// EnvironmentSummary is the short form of an environment in a deployment or a
// cleanup.
type EnvironmentSummary struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	// Slug is the name in a form that can be used in host names and URLs. Deployments leave
	// it out.
	Slug string `json:"slug"`
	// ExternalURL is where the environment can be reached, empty if it has none.
	ExternalURL string    `json:"external_url"`
	CreatedAt   time.Time `json:"created_at"`
	UpdatedAt   time.Time `json:"updated_at"`
}

// ListEnvironmentsOptions selects environments. Empty fields do not filter.
type ListEnvironmentsOptions struct {
	ListOptions
	// Name selects the environment with this name. It cannot be combined with
	// Search.
	Name string `url:"name,omitempty"`
	// Search selects the environments whose name contains this string, which must
	// have at least three characters.
	Search string `url:"search,omitempty"`
	// State selects the environments in this state. Empty means all states.
	State EnvironmentState `url:"states,omitempty"`
}

// CreateEnvironmentOptions describes a new environment.
type CreateEnvironmentOptions struct {
	// Name is unique in the project. It is required.
	Name string `json:"name" required:"true"`
	// ExternalURL is where the environment can be reached.
	ExternalURL *string `json:"external_url,omitzero"`
	// Tier may be nil. In current releases, the service then derives it from the
	// name.
	Tier *EnvironmentTier `json:"tier,omitzero"`
	// Description is free text. Since about 16.x.
	Description *string `json:"description,omitzero"`
	// ClusterAgentID is the ID of the agent that connects the environment's
	// cluster. Since about 16.x.
	ClusterAgentID *int64 `json:"cluster_agent_id,omitzero"`
	// KubernetesNamespace and FluxResourcePath say where in the cluster the
	// environment is. Since about 16.2 and 16.3.
	KubernetesNamespace *string `json:"kubernetes_namespace,omitzero"`
	FluxResourcePath    *string `json:"flux_resource_path,omitzero"`
	// AutoStopSetting says when the environment is stopped automatically. Since
	// 17.8.
	AutoStopSetting *EnvironmentAutoStop `json:"auto_stop_setting,omitzero"`
}

// UpdateEnvironmentOptions changes an environment. Nil fields are left
// unchanged.
type UpdateEnvironmentOptions struct {
	// Name renames the environment.
	//
	// Deprecated: use [EnvironmentsService.Create] to create an environment with
	// another name. Releases since 16.0 ignore the parameter.
	Name *string `json:"name,omitzero"`
	// ExternalURL is where the environment can be reached.
	ExternalURL *string          `json:"external_url,omitzero"`
	Tier        *EnvironmentTier `json:"tier,omitzero"`
	// Description is free text. Since about 16.x.
	Description *string `json:"description,omitzero"`
	// ClusterAgentID is the ID of the agent that connects the environment's
	// cluster; null removes it. Since about 16.x.
	ClusterAgentID Nullable[int64] `json:"cluster_agent_id,omitzero"`
	// KubernetesNamespace and FluxResourcePath say where in the cluster the
	// environment is; null removes them. Since about 16.2 and 16.3.
	KubernetesNamespace Nullable[string] `json:"kubernetes_namespace,omitzero"`
	FluxResourcePath    Nullable[string] `json:"flux_resource_path,omitzero"`
	// AutoStopSetting says when the environment is stopped automatically. Since
	// 17.8.
	AutoStopSetting *EnvironmentAutoStop `json:"auto_stop_setting,omitzero"`
}

// CleanUpReviewAppsOptions selects review apps to delete.
type CleanUpReviewAppsOptions struct {
	// Before selects the environments that are older than this time; zero means 30
	// days ago.
	Before time.Time `url:"before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	// Limit is the maximum number of environments to delete; 0 means 100.
	Limit int `url:"limit,omitempty"`
	// DryRun makes the call report what would be deleted, without deleting it. Nil
	// means true: to delete, set it to new(false).
	DryRun *bool `url:"dry_run,omitempty"`
}

// List returns one page of a project's environments.
//
//	GET /projects/:id/environments
func (s *EnvironmentsService) List(
	ctx context.Context, project ProjectRef, options *ListEnvironmentsOptions, opts ...RequestOption,
) ([]*Environment, *Response, error) {
	return list[*Environment](ctx, using(s), Route("/projects/:id/environments", project), queryOf(options), opts)
}

// All returns every environment of a project.
//
//	GET /projects/:id/environments
func (s *EnvironmentsService) All(
	ctx context.Context, project ProjectRef, options *ListEnvironmentsOptions, opts ...RequestOption,
) iter.Seq2[*Environment, error] {
	return all[*Environment](ctx, using(s), Route("/projects/:id/environments", project), queryOf(options), opts)
}

// Get returns one environment with its last deployment. The call returns
// [ErrNotFound] if there is none.
//
//	GET /projects/:id/environments/:environment_id
func (s *EnvironmentsService) Get(
	ctx context.Context, project ProjectRef, environmentID int64, opts ...RequestOption,
) (*Environment, *Response, error) {
	return do[Environment](ctx, using(s), http.MethodGet,
		Route("/projects/:id/environments/:environment_id", project, environmentID), nil, opts)
}

// Create creates an environment. The call returns [ErrBadRequest] if the
// service refuses a parameter, such as a name that is taken.
//
//	POST /projects/:id/environments
func (s *EnvironmentsService) Create(
	ctx context.Context, project ProjectRef, options CreateEnvironmentOptions, opts ...RequestOption,
) (*Environment, *Response, error) {
	return do[Environment](ctx, using(s), http.MethodPost,
		Route("/projects/:id/environments", project), jsonOf(options), opts)
}

// Update changes an environment. The call returns [ErrBadRequest] if the
// service refuses a parameter.
//
//	PUT /projects/:id/environments/:environment_id
func (s *EnvironmentsService) Update(
	ctx context.Context, project ProjectRef, environmentID int64, options UpdateEnvironmentOptions,
	opts ...RequestOption,
) (*Environment, *Response, error) {
	return do[Environment](ctx, using(s), http.MethodPut,
		Route("/projects/:id/environments/:environment_id", project, environmentID), jsonOf(options), opts)
}

// Delete removes an environment. What was deployed to it keeps running: see
// [EnvironmentsService.Stop]. The call returns [ErrNotFound] if there is no such
// environment, and may return [ErrForbidden] if it has not been stopped.
//
//	DELETE /projects/:id/environments/:environment_id
func (s *EnvironmentsService) Delete(
	ctx context.Context, project ProjectRef, environmentID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route("/projects/:id/environments/:environment_id", project, environmentID), nil, opts)
}

// CleanUpReviewApps schedules the deletion of stopped environments in the
// review-app folder that are old enough. They are deleted one week after the
// call. Unless DryRun is new(false), the call is a dry run that changes
// nothing.
//
//	DELETE /projects/:id/environments/review_apps
func (s *EnvironmentsService) CleanUpReviewApps(
	ctx context.Context, project ProjectRef, options *CleanUpReviewAppsOptions, opts ...RequestOption,
) (*ReviewAppsCleanup, *Response, error) {
	return do[ReviewAppsCleanup](ctx, using(s), http.MethodDelete,
		Route("/projects/:id/environments/review_apps", project), queryOf(options), opts)
}

// StopEnvironmentOptions says how to stop an environment.
type StopEnvironmentOptions struct {
	// Force stops the environment without executing its on_stop actions. Nil means
	// false.
	Force *bool `json:"force,omitzero"`
}

// StopStaleEnvironmentsOptions selects environments to stop.
type StopStaleEnvironmentsOptions struct {
	// Before selects the environments that were not changed or deployed to since
	// this day. It is required.
	Before Date `json:"before" required:"true"`
}

// Stop stops an environment and, unless forced, executes its on_stop actions.
// In current releases, the environment is still stopping while they run:
// [EnvironmentsService.StopAndWait] waits until it has stopped. The call
// returns [ErrNotFound] if the environment does not exist.
//
//	POST /projects/:id/environments/:environment_id/stop
func (s *EnvironmentsService) Stop(
	ctx context.Context, project ProjectRef, environmentID int64, options StopEnvironmentOptions, opts ...RequestOption,
) (*Environment, *Response, error) {
	return do[Environment](ctx, using(s), http.MethodPost,
		Route("/projects/:id/environments/:environment_id/stop", project, environmentID), jsonOf(options), opts)
}

// StopStale stops all environments of a project that were last changed, or deployed
// to, before a day, except protected ones. It requires the Developer role.
// [ErrBadRequest] means that the day is less than one week or more than ten years
// ago. Since about 15.3.
//
//	POST /projects/:id/environments/stop_stale
func (s *EnvironmentsService) StopStale(
	ctx context.Context, project ProjectRef, options StopStaleEnvironmentsOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost,
		Route("/projects/:id/environments/stop_stale", project),
		jsonOf(options), opts)
}

// StopAndWait calls [EnvironmentsService.Stop] and, unless the environment has
// stopped by then, [EnvironmentsService.WaitForStop].
//
//	POST /projects/:id/environments/:environment_id/stop
//	GET /projects/:id/environments/:environment_id
func (s *EnvironmentsService) StopAndWait(
	ctx context.Context, project ProjectRef, environmentID int64, options StopEnvironmentOptions, opts ...RequestOption,
) (*Environment, error) {
	environment, _, err := s.Stop(ctx, project, environmentID, options, opts...)
	if err != nil || environment.State == EnvironmentStateStopped {
		return environment, err
	}
	last, err := s.WaitForStop(ctx, project, environmentID, forPolls(options, opts)...)
	if last == nil {
		last = environment
	}
	return last, executed("the stop", err)
}

// WaitForStop polls an environment, at growing intervals, while it is stopping,
// and returns it when it has stopped. It returns an [*EnvironmentStopError] if
// the environment is in any other state, such as available again. On error, it
// also returns the environment as last seen, or nil.
//
//	GET /projects/:id/environments/:environment_id
func (s *EnvironmentsService) WaitForStop(
	ctx context.Context, project ProjectRef, environmentID int64, opts ...RequestOption,
) (*Environment, error) {
	target := "environment " + strconv.FormatInt(environmentID, 10)
	return waitFor(ctx, using(s), target,
		Route("/projects/:id/environments/:environment_id", project, environmentID), nil, opts,
		func(e *Environment) (string, bool) { return string(e.State), e.State != EnvironmentStateStopping },
		notStopped)
}

// notStopped returns the error of an environment that is not stopping and has not stopped.
func notStopped(seen *outcome, environment *Environment) error {
	if environment.State == EnvironmentStateStopped {
		return nil
	}
	return &EnvironmentStopError{Environment: hidden(seen, environment)}
}

// EnvironmentStopError means that an environment did not stop, or that no one
// stopped it.
type EnvironmentStopError struct {
	// Environment is the environment as last seen, with the secrets of the call redacted,
	// never nil in an error that the library returns.
	Environment *Environment
}

// Error describes the environment and its state.
func (e *EnvironmentStopError) Error() string {
	environment := orZero(e.Environment)
	return fmt.Sprintf("serviceapi: environment %d (%s) is not stopping: its state is %s",
		environment.ID, text.Printable(environment.Name, maxErrorText),
		text.Printable(string(environment.State), maxErrorText))
}
