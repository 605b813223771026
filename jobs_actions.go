package serviceapi

import (
	"context"
	"net/http"
)

// CancelJobOptions says how to cancel a job.
type CancelJobOptions struct {
	// Force ends a job that does not leave the state "canceling". It requires the
	// Maintainer role. Nil means false. Since about 17.0.
	Force *bool `json:"force,omitzero"`
}

// PlayJobOptions says how to start a manual job.
type PlayJobOptions struct {
	// Variables are passed to the job, in addition to those of its pipeline and
	// project. Not every release accepts a VariableType.
	Variables []PipelineVariable `json:"job_variables_attributes,omitzero"`
	// Inputs are the values of the job's inputs by name: strings, numbers,
	// booleans or slices. Only releases after 18.4 accept them.
	Inputs map[string]any `json:"job_inputs,omitzero"`
}

// Cancel stops a job and returns it with the status canceled. Later releases
// first return it with the status "canceling".
//
//	POST /projects/:id/jobs/:job_id/cancel
func (s *JobsService) Cancel(
	ctx context.Context, project ProjectRef, jobID int64, options CancelJobOptions, opts ...RequestOption,
) (*Job, *Response, error) {
	return do[Job](ctx, s.client, http.MethodPost,
		Route("/projects/:id/jobs/:job_id/cancel", project, jobID), jsonOf(options), opts)
}

// Retry runs a finished job again and returns the new job, which has its own
// ID. [ErrForbidden] can also mean that the job cannot be retried. Bridge jobs
// can be retried since 17.0.
//
//	POST /projects/:id/jobs/:job_id/retry
func (s *JobsService) Retry(
	ctx context.Context, project ProjectRef, jobID int64, opts ...RequestOption,
) (*Job, *Response, error) {
	return do[Job](ctx, s.client, http.MethodPost, Route("/projects/:id/jobs/:job_id/retry", project, jobID), nil, opts)
}

// Play starts a job that is manual or delayed, and returns it. It requires the
// Developer role. For a bridge job, only the fields that a [Job] has are
// returned. [ErrBadRequest] means that the job cannot be played.
//
//	POST /projects/:id/jobs/:job_id/play
func (s *JobsService) Play(
	ctx context.Context, project ProjectRef, jobID int64, options PlayJobOptions, opts ...RequestOption,
) (*Job, *Response, error) {
	return do[Job](ctx, s.client, http.MethodPost,
		Route("/projects/:id/jobs/:job_id/play", project, jobID), jsonOf(options), opts)
}

// Erase deletes the artifacts and the log of a job, and returns the job. It
// requires the Maintainer role, or Developer if the caller started the job.
// [ErrForbidden] can also mean that the job is running, archived or already
// erased. [ErrConflict] means that the service is recalculating the size of
// artifacts.
//
//	POST /projects/:id/jobs/:job_id/erase
func (s *JobsService) Erase(
	ctx context.Context, project ProjectRef, jobID int64, opts ...RequestOption,
) (*Job, *Response, error) {
	return do[Job](ctx, s.client, http.MethodPost, Route("/projects/:id/jobs/:job_id/erase", project, jobID), nil, opts)
}
