package serviceapi

import (
	"context"
	"iter"
	"net/http"
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

func (o *ListRunnersOptions) tags() []string {
	if o == nil {
		return nil
	}
	return o.TagList
}

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
		runnersOf(owner), withoutCommas("TagList", options.tags(), queryFor(owner, options)), opts)
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
		runnersOf(owner), withoutCommas("TagList", options.tags(), queryFor(owner, options)), opts)
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

// Enable makes a project runner available to another project, and returns the
// runner.
//
//	POST /projects/:id/runners
func (s *RunnersService) Enable(
	ctx context.Context, project ProjectRef, options EnableRunnerOptions, opts ...RequestOption,
) (*Runner, *Response, error) {
	return do[Runner](ctx, s.client, http.MethodPost, Route("/projects/:id/runners", project),
		forID("RunnerID", options.RunnerID, jsonOf(options)), opts)
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
	return doSecret[RegisteredRunner](ctx, s.client, http.MethodPost, Route("/runners"), jsonOf(options), opts)
}
