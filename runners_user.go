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
	switch o := owner.(type) {
	case InstanceOwner:
		b.RunnerType = RunnerTypeInstance
		return jsonOf(b)
	case GroupRef:
		b.RunnerType, b.GroupID = RunnerTypeGroup, o.id
		return withID(o.reference, jsonOf(b))
	case ProjectRef:
		b.RunnerType, b.ProjectID = RunnerTypeProject, o.id
		return withID(o.reference, jsonOf(b))
	}
	return refusedInput{&ArgumentError{Argument: "owner", Problem: "is missing"}}
}

// withID is an input that is refused unless the owner is identified by its ID.
func withID(owner reference, in input) input {
	switch owner.kind {
	case noReference:
		return refusedInput{&ArgumentError{Argument: "owner", Problem: "is missing"}}
	case byName:
		return refusedInput{&ArgumentError{Argument: "owner", Problem: "must be an ID: the API takes no path here"}}
	}
	return forID("owner", owner.id, in)
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
	return doSecret[RegisteredRunner](ctx, s.client, http.MethodPost, Route("/user/runners"),
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
	return doSecret[RunnerToken](ctx, s.client, http.MethodPost,
		Route("/runners/:id/reset_authentication_token", runnerID), nil, opts)
}
