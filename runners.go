package serviceapi

import (
	"cmp"
	"context"
	"iter"
	"net/http"
	"time"
)

// RunnersService manages the runners of the instance, groups and projects.
//
// There are two kinds of tokens: a registration token is required to register a
// runner, and registration returns the authentication token with which the
// runner fetches its jobs.
//
// The owner selects whose runners are listed:
//
//	client.Runners.All(ctx, serviceapi.Own, nil)
//	client.Runners.All(ctx, serviceapi.Instance, nil)
//	client.Runners.All(ctx, serviceapi.GroupPath("acme"), nil)
type RunnersService service

// RunnerOwner is an owner of runners: [Own], [Instance], a [ProjectRef]
// or a [GroupRef].
type RunnerOwner interface{ hasRunners() }

func (CallerOwner) hasRunners()   {}
func (InstanceOwner) hasRunners() {}
func (ProjectRef) hasRunners()    {}
func (GroupRef) hasRunners()      {}

func runnersOf(owner RunnerOwner) Endpoint {
	switch owner {
	case Own:
		return Route("/runners")
	case Instance:
		return Route("/runners/all")
	}
	return below(owner, "/runners")
}

func (o *ListRunnersOptions) check() error { return noCommas("TagList", orZero(o).TagList) }

// List returns one page of the runners of an owner:
//
//   - for [Own], those that the caller owns,
//   - for [Instance], all runners of every type, which requires an
//     administrator,
//   - for a project or group, those available to it: its own, those of its
//     parent groups, and those of the instance if the project or group allows
//     them.
//
// The call returns an [*ArgumentError] for an option that this owner does not
// support.
//
//	GET /runners
//	GET /runners/all
//	GET /projects/:id/runners
//	GET /groups/:id/runners
func (s *RunnersService) List(
	ctx context.Context, owner RunnerOwner, options *ListRunnersOptions, opts ...RequestOption,
) ([]*Runner, *Response, error) {
	return list[*Runner](ctx, s.client,
		runnersOf(owner), queryFor(owner, options), opts)
}

// All returns every runner of an owner. See [RunnersService.List] for what is
// listed for each owner. The sequence yields an [*ArgumentError] for an option
// that this owner does not support.
//
//	GET /runners
//	GET /runners/all
//	GET /projects/:id/runners
//	GET /groups/:id/runners
func (s *RunnersService) All(
	ctx context.Context, owner RunnerOwner, options *ListRunnersOptions, opts ...RequestOption,
) iter.Seq2[*Runner, error] {
	return all[*Runner](ctx, s.client,
		runnersOf(owner), queryFor(owner, options), opts)
}

// Get returns one runner. A runner of a project or a group requires the
// Maintainer role there. Runners of the instance are visible to every signed-in
// user.
//
//	GET /runners/:id
func (s *RunnersService) Get(
	ctx context.Context, runnerID int64, opts ...RequestOption,
) (*RunnerDetails, *Response, error) {
	return do[RunnerDetails](ctx, s.client, http.MethodGet, Route("/runners/:id", runnerID), nil, opts)
}

// Update changes a runner and returns it.
//
//	PUT /runners/:id
func (s *RunnersService) Update(
	ctx context.Context, runnerID int64, options UpdateRunnerOptions, opts ...RequestOption,
) (*RunnerDetails, *Response, error) {
	return do[RunnerDetails](ctx, s.client, http.MethodPut, Route("/runners/:id", runnerID), jsonOf(options), opts)
}

// pausedForm is the form that pauses or resumes a runner.
type pausedForm struct {
	Paused bool `url:"paused"`
}

// Pause stops a runner from taking new jobs. Running jobs continue.
//
//	PUT /runners/:runner_id
func (s *RunnersService) Pause(
	ctx context.Context, runnerID int64, opts ...RequestOption,
) (*RunnerDetails, *Response, error) {
	return do[RunnerDetails](ctx, s.client, http.MethodPut,
		Route("/runners/:runner_id", runnerID), formOf(pausedForm{true}), opts)
}

// Resume lets a runner take jobs again.
//
//	PUT /runners/:runner_id
func (s *RunnersService) Resume(
	ctx context.Context, runnerID int64, opts ...RequestOption,
) (*RunnerDetails, *Response, error) {
	return do[RunnerDetails](ctx, s.client, http.MethodPut,
		Route("/runners/:runner_id", runnerID), formOf(pausedForm{false}), opts)
}

// ListJobs returns one page of the jobs that a runner has taken, the newest
// first, each with [Job.IPAddress] and [Job.Project]. Only jobs of projects in
// which the caller has the Reporter role are listed.
//
//	GET /runners/:id/jobs
func (s *RunnersService) ListJobs(
	ctx context.Context, runnerID int64, options *ListRunnerJobsOptions, opts ...RequestOption,
) ([]*Job, *Response, error) {
	return list[*Job](ctx, s.client, Route("/runners/:id/jobs", runnerID), queryOf(options), opts)
}

// AllJobs returns every job that a runner has taken, the newest first, each
// with [Job.IPAddress] and [Job.Project]. Only jobs of projects in which the
// caller has the Reporter role are listed.
//
//	GET /runners/:id/jobs
func (s *RunnersService) AllJobs(
	ctx context.Context, runnerID int64, options *ListRunnerJobsOptions, opts ...RequestOption,
) iter.Seq2[*Job, error] {
	return all[*Job](ctx, s.client, Route("/runners/:id/jobs", runnerID), queryOf(options), opts)
}

// EnableRunnerOptions says which runner to make available to a project.
type EnableRunnerOptions struct {
	// RunnerID is the ID of a project runner. It is required.
	RunnerID int64 `json:"runner_id"`
}

func (o EnableRunnerOptions) check() error { return positive("RunnerID", o.RunnerID) }

// Enable makes a project runner available to another project, and returns the
// runner.
//
//	POST /projects/:id/runners
func (s *RunnersService) Enable(
	ctx context.Context, project ProjectRef, options EnableRunnerOptions, opts ...RequestOption,
) (*Runner, *Response, error) {
	return do[Runner](ctx, s.client, http.MethodPost, Route("/projects/:id/runners", project),
		jsonOf(options), opts)
}

// Disable makes a project runner unavailable to a project. The service refuses
// this for the runner's only project.
//
//	DELETE /projects/:id/runners/:runner_id
func (s *RunnersService) Disable(
	ctx context.Context, project ProjectRef, runnerID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, s.client, http.MethodDelete,
		Route("/projects/:id/runners/:runner_id", project, runnerID), nil, opts)
}

// Register registers a runner and returns its authentication token. The
// registration token in the options decides whether the runner belongs to the
// instance, a group or a project. Since about 16.x, an instance can disable
// registration tokens, and the call then returns an [*Error] with the status
// 410. In new installations of 17.0 and later, they are disabled by default.
//
//	POST /runners
func (s *RunnersService) Register(
	ctx context.Context, options RegisterRunnerOptions, opts ...RequestOption,
) (*RegisteredRunner, *Response, error) {
	return do[RegisteredRunner](ctx, s.client, http.MethodPost, Route("/runners"), jsonOf(options), opts)
}

// RunnerToken is the authentication token of a runner.
type RunnerToken struct {
	// Token is for the runner's own configuration. The service does not show it
	// again.
	Token Secret `json:"token"`
	// TokenExpiresAt is nil if the token does not expire.
	TokenExpiresAt *time.Time `json:"token_expires_at"`
}

// NewRunnerOwner is an owner that a runner is created for: [Instance], a
// [GroupRef] or a [ProjectRef], which is the first project that it serves.
type NewRunnerOwner interface{ hasNewRunners() }

func (InstanceOwner) hasNewRunners() {}
func (GroupRef) hasNewRunners()      {}
func (ProjectRef) hasNewRunners()    {}

// CreateRunnerOptions describes a runner to create. Nil fields have their default
// value.
type CreateRunnerOptions struct {
	Description *string `json:"description,omitzero"`
	// Paused prevents the runner from taking jobs.
	Paused *bool `json:"paused,omitzero"`
	// Locked prevents the runner from being enabled in other projects.
	Locked *bool `json:"locked,omitzero"`
	// RunUntagged lets the runner take jobs without tags.
	RunUntagged *bool `json:"run_untagged,omitzero"`
	// TagList has the tags of the jobs that the runner takes.
	TagList     []string           `json:"tag_list,omitzero"`
	AccessLevel *RunnerAccessLevel `json:"access_level,omitzero"`
	// MaximumTimeout limits the running time of a job, in seconds.
	MaximumTimeout *int64 `json:"maximum_timeout,omitzero"`
	// MaintenanceNote is a note for the maintainers of the runner, at most 1024
	// characters long.
	MaintenanceNote *string `json:"maintenance_note,omitzero"`
}

// newRunnerBody is the body of a call that creates a runner. The owner gives
// its first three fields.
type newRunnerBody struct {
	RunnerType RunnerType `json:"runner_type"`
	GroupID    int64      `json:"group_id,omitzero"`
	ProjectID  int64      `json:"project_id,omitzero"`
	CreateRunnerOptions
}

// of is the input of a call that creates the runner for an owner. The API
// identifies groups and projects only by their ID here.
func (b newRunnerBody) of(owner NewRunnerOwner) input {
	var ref reference
	switch o := owner.(type) {
	case InstanceOwner:
		b.RunnerType = RunnerTypeInstance
		return jsonOf(b)
	case GroupRef:
		b.RunnerType, b.GroupID, ref = RunnerTypeGroup, o.id, o.reference
	case ProjectRef:
		b.RunnerType, b.ProjectID, ref = RunnerTypeProject, o.id, o.reference
	}
	if ref.kind == byName {
		return refusedInput{&ArgumentError{Argument: "owner", Problem: "must be an ID: the API takes no path here"}}
	}
	return unless(cmp.Or(missing("owner", ref.IsZero()), positive("owner", ref.id)), jsonOf(b))
}

// Create creates a runner for an owner and returns its authentication token.
// The runner is recorded as created by the caller. If registration tokens are
// disabled, this is the only way to add a runner. It requires an administrator
// for [Instance], and the Owner role in the group or project otherwise. The
// scope create_runner is sufficient. Since about 16.0.
//
// A group or project must be identified by its ID, with [GroupID] or
// [ProjectID]. For a path, the call returns an [*ArgumentError], because the
// API takes none here.
//
//	POST /user/runners
func (s *RunnersService) Create(
	ctx context.Context, owner NewRunnerOwner, options CreateRunnerOptions, opts ...RequestOption,
) (*RegisteredRunner, *Response, error) {
	return do[RegisteredRunner](ctx, s.client, http.MethodPost, Route("/user/runners"),
		newRunnerBody{CreateRunnerOptions: options}.of(owner), opts)
}

// Delete deletes a runner. It requires an administrator for a runner of the
// instance, the Owner role for one of a group, and the Maintainer role for one
// of a project.
//
//	DELETE /runners/:id
func (s *RunnersService) Delete(ctx context.Context, runnerID int64, opts ...RequestOption) (*Response, error) {
	return exec(ctx, s.client, http.MethodDelete, Route("/runners/:id", runnerID), nil, opts)
}

// ResetAuthenticationToken replaces the authentication token of a runner, and
// returns the new one. The old one no longer works. It requires the same role
// as [RunnersService.Delete].
//
//	POST /runners/:id/reset_authentication_token
func (s *RunnersService) ResetAuthenticationToken(
	ctx context.Context, runnerID int64, opts ...RequestOption,
) (*RunnerToken, *Response, error) {
	return do[RunnerToken](ctx, s.client, http.MethodPost,
		Route("/runners/:id/reset_authentication_token", runnerID), nil, opts)
}
