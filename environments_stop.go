package serviceapi

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
)

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
	Before Date `json:"before"`
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
	return do[Environment](ctx, s.client, http.MethodPost,
		Route("/projects/:id/environments/:environment_id/stop", project, environmentID), jsonOf(options), opts)
}

// StopStale stops all environments of a project that were last changed, or
// deployed to, before a day, except protected ones. It requires the Developer
// role. [ErrBadRequest] means that the day is not at least one week and at most
// ten years ago. Since about 15.3.
//
//	POST /projects/:id/environments/stop_stale
func (s *EnvironmentsService) StopStale(
	ctx context.Context, project ProjectRef, options StopStaleEnvironmentsOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, s.client, http.MethodPost,
		Route("/projects/:id/environments/stop_stale", project),
		required("Before", options.Before.IsZero(), jsonOf(options)), opts)
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
	last, err := s.WaitForStop(ctx, project, environmentID, opts...)
	if last == nil {
		last = environment
	}
	return last, err
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
	environment, err := wait(ctx, s.client, target,
		Route("/projects/:id/environments/:environment_id", project, environmentID), nil, opts,
		func(e *Environment) (string, bool) { return string(e.State), e.State != EnvironmentStateStopping })
	if err == nil && environment.State != EnvironmentStateStopped {
		err = &EnvironmentStopError{Environment: environment}
	}
	return environment, err
}

// EnvironmentStopError means that an environment did not stop, or that no one
// stopped it.
type EnvironmentStopError struct {
	// Environment is the environment as last seen.
	Environment *Environment
}

// Error describes the environment and its state.
func (e *EnvironmentStopError) Error() string {
	environment := orZero(e.Environment)
	return fmt.Sprintf("serviceapi: environment %d (%s) is not stopping: its state is %s",
		environment.ID, printable(environment.Name, maxErrorText), printable(string(environment.State), maxErrorText))
}
