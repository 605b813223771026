package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// TriggersService manages the triggers of projects, and runs them. A trigger is a token
// that can do nothing but start pipelines of one project, on behalf of its owner.
//
// All calls but [TriggersService.Run] require the Maintainer role.
//
// Its options are [CreateTriggerOptions], [ListOptions], [RunTriggerOptions] and
// [UpdateTriggerOptions]. See the example TriggersRun in starting_test.go of
// [example.com/serviceapi/examples/recipes].
type TriggersService service

// List returns one page of a project's triggers.
//
//	GET /projects/:id/triggers
func (s *TriggersService) List(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) ([]*Trigger, *Response, error) {
	return list[*Trigger](ctx, using(s), Route("/projects/:id/triggers", project), queryOf(options), opts)
}

// All returns every trigger of a project.
//
//	GET /projects/:id/triggers
func (s *TriggersService) All(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*Trigger, error] {
	return all[*Trigger](ctx, using(s), Route("/projects/:id/triggers", project), queryOf(options), opts)
}

// Get returns a trigger.
//
//	GET /projects/:id/triggers/:trigger_id
func (s *TriggersService) Get(
	ctx context.Context, project ProjectRef, triggerID int64, opts ...RequestOption,
) (*Trigger, *Response, error) {
	return do[Trigger](ctx, using(s), http.MethodGet,
		Route("/projects/:id/triggers/:trigger_id", project, triggerID), nil, opts)
}

// Create creates a trigger, whose owner is the caller.
//
//	POST /projects/:id/triggers
func (s *TriggersService) Create(
	ctx context.Context, project ProjectRef, options CreateTriggerOptions, opts ...RequestOption,
) (*Trigger, *Response, error) {
	return do[Trigger](ctx, using(s), http.MethodPost,
		Route("/projects/:id/triggers", project), jsonOf(options), opts)
}

// Update changes the description of a trigger. The call returns [ErrForbidden] if the
// caller is not its owner.
//
//	PUT /projects/:id/triggers/:trigger_id
func (s *TriggersService) Update(
	ctx context.Context, project ProjectRef, triggerID int64, options UpdateTriggerOptions, opts ...RequestOption,
) (*Trigger, *Response, error) {
	return do[Trigger](ctx, using(s), http.MethodPut,
		Route("/projects/:id/triggers/:trigger_id", project, triggerID), jsonOf(options), opts)
}

// Delete deletes a trigger. Its token stops working at once.
//
//	DELETE /projects/:id/triggers/:trigger_id
func (s *TriggersService) Delete(
	ctx context.Context, project ProjectRef, triggerID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route("/projects/:id/triggers/:trigger_id", project, triggerID), nil, opts)
}

// Run starts a pipeline with the token of a trigger, and returns the pipeline. The token is
// sufficient: a client with the credential [Anonymous] can make the call. The token goes in
// the body, and never in a URL.
//
// The pipeline belongs to the owner of the trigger, and its source is
// [PipelineSourceTrigger]. With the token of a CI job in place of a trigger's, it belongs
// to the user of the job, and its source is [PipelineSourcePipeline]. In addition to
// the variables of the call, the pipeline gets TRIGGER_PAYLOAD, a file with the request
// as JSON, but without the token.
//
// The call returns [ErrNotFound] for an unknown or expired token and for one of another
// project, [ErrUnauthorized] for the token of a job that has ended, and [ErrBadRequest]
// if no pipeline can be started: the entry "base" of [Error.Fields] says why. It is
// not repeated unless the first attempt was certainly not executed.
//
//	POST /projects/:id/trigger/pipeline
func (s *TriggersService) Run(
	ctx context.Context, project ProjectRef, options RunTriggerOptions, opts ...RequestOption,
) (*PipelineDetails, *Response, error) {
	return do[PipelineDetails](ctx, using(s), http.MethodPost,
		Route("/projects/:id/trigger/pipeline", project), formOf(options), opts)
}

// Trigger is a token that starts pipelines of one project.
type Trigger struct {
	ID int64 `json:"id"`
	// Token is complete only for the owner of the trigger. Other callers get the first four
	// characters.
	Token       Secret    `json:"token"`
	Description string    `json:"description"`
	CreatedAt   time.Time `json:"created_at"`
	UpdatedAt   time.Time `json:"updated_at"`
	// LastUsed is when the token last started a pipeline, nil if it never did.
	LastUsed *time.Time `json:"last_used"`
	// ExpiresAt is nil if the token does not expire, and before about 17.0.
	ExpiresAt *time.Time `json:"expires_at"`
	// DeletedAt is always nil. Only older releases send it.
	DeletedAt *time.Time `json:"deleted_at"`
	// Owner is nil if the account no longer exists.
	Owner *UserSummary `json:"owner"`
}

// CreateTriggerOptions describes a new trigger. Description is required.
type CreateTriggerOptions struct {
	Description string `json:"description" required:"true"`
	// ExpiresAt is when the token stops working. By default, it does not. Since about
	// 17.0. Earlier releases ignore it.
	ExpiresAt *time.Time `json:"expires_at,omitzero"`
}

// UpdateTriggerOptions changes a trigger.
type UpdateTriggerOptions struct {
	Description *string `json:"description,omitzero"`
}

// RunTriggerOptions describes the pipeline that [TriggersService.Run] starts. Token and Ref
// are required.
type RunTriggerOptions struct {
	// Token is the token of a trigger of the project, or of a running CI job.
	Token Secret `json:"token" required:"true"`
	// Ref is a branch or a tag.
	Ref string `json:"ref" required:"true"`
	// Variables are passed to the jobs, by name. They are Secrets, because variables
	// often contain credentials.
	Variables map[string]Secret `json:"variables,omitzero"`
	// Inputs are the values of the configuration's inputs by name: strings, numbers,
	// booleans or slices. They are sent as text, which the service converts. Since 18.1.
	Inputs map[string]any `json:"inputs,omitzero"`
}

func (RunTriggerOptions) holdsValues() {}
