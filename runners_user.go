package serviceapi

import (
	"context"
	"net/http"
	"time"
)

// RunnerToken is the authentication token of a runner.
type RunnerToken struct {
	// Token is for the runner's own configuration. The service does not show it
	// again.
	Token Secret `json:"token"`
	// TokenExpiresAt is nil if the token does not expire.
	TokenExpiresAt *time.Time `json:"token_expires_at"`
}

// CreateRunnerOptions describes a runner to create. RunnerType is required, and
// so is GroupID or ProjectID for the type that needs it.
type CreateRunnerOptions struct {
	RunnerType RunnerType `json:"runner_type"`
	// GroupID is the ID of the group that a runner of the type RunnerTypeGroup belongs
	// to.
	GroupID *int64 `json:"group_id,omitzero"`
	// ProjectID is the ID of the first project that a runner of the type
	// RunnerTypeProject serves.
	ProjectID   *int64  `json:"project_id,omitzero"`
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

// Create creates a runner that belongs to the caller, and returns its
// authentication token. If registration tokens are disabled, this is the only
// way to add a runner. It requires an administrator for a runner of the
// instance, and the Owner role in the group or project otherwise. The scope
// create_runner is sufficient. Since about 16.0.
//
//	POST /user/runners
func (s *RunnersService) Create(ctx context.Context, options CreateRunnerOptions, opts ...RequestOption) (*RegisteredRunner, *Response, error) {
	return doSecret[RegisteredRunner](ctx, s.client, http.MethodPost, Route("/user/runners"), jsonOf(options), opts)
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
func (s *RunnersService) ResetAuthenticationToken(ctx context.Context, runnerID int64, opts ...RequestOption) (*RunnerToken, *Response, error) {
	return doSecret[RunnerToken](ctx, s.client, http.MethodPost, Route("/runners/:id/reset_authentication_token", runnerID), nil, opts)
}
