package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// RunnerControllersService manages runner controllers: programs that admit or reject the jobs of
// runners by their own policy. All calls require an administrator and Ultimate, and return
// [ErrForbidden] to everybody else, and [ErrNotFound] without the license. Runner controllers are
// an experiment of the service, since 18.9.
//
// A controller without a scope does nothing, whatever its state. It has either the scope of the
// whole instance or those of single runners.
//
// Its options are [CreateRunnerControllerOptions], [CreateRunnerControllerTokenOptions],
// [ListOptions] and [UpdateRunnerControllerOptions]. See the example of
// [RunnerControllersService.RotateToken].
type RunnerControllersService service

// List returns one page of the runner controllers of the instance, without
// [RunnerController.Connected].
//
//	GET /runner_controllers
func (s *RunnerControllersService) List(
	ctx context.Context, options *ListOptions, opts ...RequestOption,
) ([]*RunnerController, *Response, error) {
	return list[*RunnerController](ctx, using(s), Route("/runner_controllers"), queryOf(options), opts)
}

// All returns every runner controller of the instance, without [RunnerController.Connected].
//
//	GET /runner_controllers
func (s *RunnerControllersService) All(
	ctx context.Context, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*RunnerController, error] {
	return all[*RunnerController](ctx, using(s), Route("/runner_controllers"), queryOf(options), opts)
}

// Get returns one runner controller.
//
//	GET /runner_controllers/:id
func (s *RunnerControllersService) Get(
	ctx context.Context, controllerID int64, opts ...RequestOption,
) (*RunnerController, *Response, error) {
	return do[RunnerController](ctx, using(s), http.MethodGet,
		Route("/runner_controllers/:id", controllerID), nil, opts)
}

// Create creates a runner controller, without scopes and tokens.
//
//	POST /runner_controllers
func (s *RunnerControllersService) Create(
	ctx context.Context, options CreateRunnerControllerOptions, opts ...RequestOption,
) (*RunnerController, *Response, error) {
	return do[RunnerController](ctx, using(s), http.MethodPost, Route("/runner_controllers"), jsonOf(options), opts)
}

// Update changes a runner controller and returns it.
//
//	PUT /runner_controllers/:id
func (s *RunnerControllersService) Update(
	ctx context.Context, controllerID int64, options UpdateRunnerControllerOptions, opts ...RequestOption,
) (*RunnerController, *Response, error) {
	return do[RunnerController](ctx, using(s), http.MethodPut,
		Route("/runner_controllers/:id", controllerID), jsonOf(options), opts)
}

// Delete deletes a runner controller with its scopes and tokens.
//
//	DELETE /runner_controllers/:id
func (s *RunnerControllersService) Delete(
	ctx context.Context, controllerID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, Route("/runner_controllers/:id", controllerID), nil, opts)
}

// GetScopes returns the scopes of a runner controller: which runners it decides for.
//
//	GET /runner_controllers/:id/scopes
func (s *RunnerControllersService) GetScopes(
	ctx context.Context, controllerID int64, opts ...RequestOption,
) (*RunnerControllerScopes, *Response, error) {
	return do[RunnerControllerScopes](ctx, using(s), http.MethodGet,
		Route("/runner_controllers/:id/scopes", controllerID), nil, opts)
}

// AddInstanceScope lets a runner controller decide for all runners of the instance. The call returns
// [ErrConflict] if it has this scope or one of a runner.
//
//	POST /runner_controllers/:id/scopes/instance
func (s *RunnerControllersService) AddInstanceScope(
	ctx context.Context, controllerID int64, opts ...RequestOption,
) (*RunnerControllerScope, *Response, error) {
	return do[RunnerControllerScope](ctx, using(s), http.MethodPost,
		Route("/runner_controllers/:id/scopes/instance", controllerID), nil, opts)
}

// RemoveInstanceScope removes the scope of the instance. It succeeds without one, too.
//
//	DELETE /runner_controllers/:id/scopes/instance
func (s *RunnerControllersService) RemoveInstanceScope(
	ctx context.Context, controllerID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route("/runner_controllers/:id/scopes/instance", controllerID), nil, opts)
}

// AddRunnerScope lets a runner controller decide for a runner of the instance. The call returns
// [ErrConflict] if it has this scope or that of the instance, and [ErrUnprocessable] for a runner of
// a group or project. Since 18.10.
//
//	POST /runner_controllers/:id/scopes/runners/:runner_id
func (s *RunnerControllersService) AddRunnerScope(
	ctx context.Context, controllerID, runnerID int64, opts ...RequestOption,
) (*RunnerControllerScope, *Response, error) {
	return do[RunnerControllerScope](ctx, using(s), http.MethodPost,
		Route("/runner_controllers/:id/scopes/runners/:runner_id", controllerID, runnerID), nil, opts)
}

// RemoveRunnerScope removes the scope of a runner. It succeeds without one, too. The call returns
// [ErrNotFound] for a runner that does not exist. Since 18.10.
//
//	DELETE /runner_controllers/:id/scopes/runners/:runner_id
func (s *RunnerControllersService) RemoveRunnerScope(
	ctx context.Context, controllerID, runnerID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route("/runner_controllers/:id/scopes/runners/:runner_id", controllerID, runnerID), nil, opts)
}

func runnerControllerTokens(controllerID int64) Endpoint {
	return Route("/runner_controllers/:id/tokens", controllerID)
}

// ListTokens returns one page of the active tokens of a runner controller, without the tokens
// themselves.
//
//	GET /runner_controllers/:id/tokens
func (s *RunnerControllersService) ListTokens(
	ctx context.Context, controllerID int64, options *ListOptions, opts ...RequestOption,
) ([]*RunnerControllerToken, *Response, error) {
	return list[*RunnerControllerToken](ctx, using(s), runnerControllerTokens(controllerID), queryOf(options), opts)
}

// AllTokens returns every active token of a runner controller, without the tokens themselves.
//
//	GET /runner_controllers/:id/tokens
func (s *RunnerControllersService) AllTokens(
	ctx context.Context, controllerID int64, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*RunnerControllerToken, error] {
	return all[*RunnerControllerToken](ctx, using(s), runnerControllerTokens(controllerID), queryOf(options), opts)
}

// GetToken returns one token of a runner controller, without the token itself. The call returns
// [ErrNotFound] for a token that was revoked.
//
//	GET /runner_controllers/:id/tokens/:token_id
func (s *RunnerControllersService) GetToken(
	ctx context.Context, controllerID, tokenID int64, opts ...RequestOption,
) (*RunnerControllerToken, *Response, error) {
	return do[RunnerControllerToken](ctx, using(s), http.MethodGet,
		Route("/runner_controllers/:id/tokens/:token_id", controllerID, tokenID), nil, opts)
}

// CreateToken creates a token for a runner controller. Only this response contains the token itself.
//
//	POST /runner_controllers/:id/tokens
func (s *RunnerControllersService) CreateToken(
	ctx context.Context, controllerID int64, options CreateRunnerControllerTokenOptions, opts ...RequestOption,
) (*RunnerControllerToken, *Response, error) {
	return do[RunnerControllerToken](ctx, using(s), http.MethodPost,
		runnerControllerTokens(controllerID), jsonOf(options), opts)
}

// RotateToken revokes a token of a runner controller at once, and returns a new one with another ID
// and the same description. Only this response contains the new token itself.
//
//	POST /runner_controllers/:id/tokens/:token_id/rotate
func (s *RunnerControllersService) RotateToken(
	ctx context.Context, controllerID, tokenID int64, opts ...RequestOption,
) (*RunnerControllerToken, *Response, error) {
	return do[RunnerControllerToken](ctx, using(s), http.MethodPost,
		Route("/runner_controllers/:id/tokens/:token_id/rotate", controllerID, tokenID), nil, opts)
}

// RevokeToken revokes a token of a runner controller at once. The call returns [ErrNotFound] if it was
// revoked before.
//
//	DELETE /runner_controllers/:id/tokens/:token_id
func (s *RunnerControllersService) RevokeToken(
	ctx context.Context, controllerID, tokenID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route("/runner_controllers/:id/tokens/:token_id", controllerID, tokenID), nil, opts)
}

// RunnerController is a program that admits or rejects the jobs of runners.
type RunnerController struct {
	ID          int64                 `json:"id"`
	Description string                `json:"description"`
	State       RunnerControllerState `json:"state"`
	CreatedAt   time.Time             `json:"created_at"`
	UpdatedAt   time.Time             `json:"updated_at"`
	// Connected reports whether one of the tokens was used within the last hour. Only
	// [RunnerControllersService.Get] sets it; it is nil otherwise, and in 18.9.
	Connected *bool `json:"connected"`
}

// RunnerControllerState says what happens to the decisions of a runner controller.
type RunnerControllerState string

// States of runner controllers. The decisions of one with RunnerControllerStateDryRun are only logged.
const (
	RunnerControllerStateDisabled RunnerControllerState = "disabled"
	RunnerControllerStateEnabled  RunnerControllerState = "enabled"
	RunnerControllerStateDryRun   RunnerControllerState = "dry_run"
)

// CreateRunnerControllerOptions describes a new runner controller.
type CreateRunnerControllerOptions struct {
	// Description has at most 1024 characters.
	Description *string `json:"description,omitzero"`
	// State is RunnerControllerStateDisabled by default.
	State *RunnerControllerState `json:"state,omitzero"`
}

// UpdateRunnerControllerOptions changes a runner controller. Nil fields are left unchanged.
type UpdateRunnerControllerOptions struct {
	// Description has at most 1024 characters.
	Description *string                `json:"description,omitzero"`
	State       *RunnerControllerState `json:"state,omitzero"`
}

// RunnerControllerScopes says which runners a controller decides for. At most one of the two lists has
// items.
type RunnerControllerScopes struct {
	// InstanceLevelScopings has one scope if the controller decides for all runners of the instance.
	InstanceLevelScopings []*RunnerControllerScope `json:"instance_level_scopings"`
	// RunnerLevelScopings has a scope for each runner. Since 18.10.
	RunnerLevelScopings []*RunnerControllerScope `json:"runner_level_scopings"`
}

// RunnerControllerScope is a scope of a runner controller.
type RunnerControllerScope struct {
	// RunnerID is nil in the scope of the instance.
	RunnerID  *int64    `json:"runner_id"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// RunnerControllerToken is a token that a runner controller signs in with.
type RunnerControllerToken struct {
	ID                 int64  `json:"id"`
	RunnerControllerID int64  `json:"runner_controller_id"`
	Description        string `json:"description"`
	// LastUsedAt is nil for a token that was not used yet, and in 18.9.
	LastUsedAt *time.Time `json:"last_used_at"`
	CreatedAt  time.Time  `json:"created_at"`
	UpdatedAt  time.Time  `json:"updated_at"`
	// Token is set only by [RunnerControllersService.CreateToken] and
	// [RunnerControllersService.RotateToken]: store it, because the service does not show it again.
	Token Secret `json:"token,omitzero"`
}

// CreateRunnerControllerTokenOptions describes a new token of a runner controller.
type CreateRunnerControllerTokenOptions struct {
	// Description has at most 1024 characters.
	Description *string `json:"description,omitzero"`
}
