package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"strconv"
)

// PipelinesService starts, reads and waits for CI/CD pipelines.
// [JobsService.AllForPipeline] lists their jobs.
type PipelinesService service

// List returns one page of a project's pipelines, the newest first unless
// another order is asked for.
//
//	GET /projects/:id/pipelines
func (s *PipelinesService) List(
	ctx context.Context, project ProjectRef, options *ListPipelinesOptions, opts ...RequestOption,
) ([]*Pipeline, *Response, error) {
	return list[*Pipeline](ctx, s.client, Route("/projects/:id/pipelines", project), queryOf(options), opts)
}

// All returns every pipeline of a project that the options choose, the newest
// first unless another order is asked for.
//
//	GET /projects/:id/pipelines
func (s *PipelinesService) All(
	ctx context.Context, project ProjectRef, options *ListPipelinesOptions, opts ...RequestOption,
) iter.Seq2[*Pipeline, error] {
	return all[*Pipeline](ctx, s.client, Route("/projects/:id/pipelines", project), queryOf(options), opts)
}

// Latest returns the latest pipeline for the newest commit of a branch or tag.
// [ErrForbidden] can also mean that this commit has no pipeline.
//
//	GET /projects/:id/pipelines/latest
func (s *PipelinesService) Latest(
	ctx context.Context, project ProjectRef, options *LatestPipelineOptions, opts ...RequestOption,
) (*PipelineDetails, *Response, error) {
	return do[PipelineDetails](ctx, s.client, http.MethodGet,
		Route("/projects/:id/pipelines/latest", project), queryOf(options), opts)
}

// Get returns one pipeline.
//
//	GET /projects/:id/pipelines/:pipeline_id
func (s *PipelinesService) Get(
	ctx context.Context, project ProjectRef, pipelineID int64, opts ...RequestOption,
) (*PipelineDetails, *Response, error) {
	return do[PipelineDetails](ctx, s.client, http.MethodGet,
		Route("/projects/:id/pipelines/:pipeline_id", project, pipelineID), nil, opts)
}

// Create starts a pipeline for a branch or tag and returns it. It requires the
// Developer role. [ErrBadRequest] means that there is no such ref, that the
// configuration is missing or invalid, or that it has no job for this ref: the
// entry "base" of [Error.Fields] says which. [ErrForbidden] can also mean that
// the ref is protected.
//
//	POST /projects/:id/pipeline
func (s *PipelinesService) Create(
	ctx context.Context, project ProjectRef, options CreatePipelineOptions, opts ...RequestOption,
) (*PipelineDetails, *Response, error) {
	return do[PipelineDetails](ctx, s.client, http.MethodPost,
		Route("/projects/:id/pipeline", project), jsonOf(options), opts)
}

// Retry runs the failed and canceled jobs of a pipeline again, as new jobs, and
// returns the pipeline. If there are no such jobs, nothing happens. It requires
// the Developer role.
//
//	POST /projects/:id/pipelines/:pipeline_id/retry
func (s *PipelinesService) Retry(
	ctx context.Context, project ProjectRef, pipelineID int64, opts ...RequestOption,
) (*PipelineDetails, *Response, error) {
	return do[PipelineDetails](ctx, s.client, http.MethodPost,
		Route("/projects/:id/pipelines/:pipeline_id/retry", project, pipelineID), nil, opts)
}

// Cancel cancels the jobs of a pipeline that have not finished, and returns the
// pipeline, whatever its state was. It requires the Developer role.
//
//	POST /projects/:id/pipelines/:pipeline_id/cancel
func (s *PipelinesService) Cancel(
	ctx context.Context, project ProjectRef, pipelineID int64, opts ...RequestOption,
) (*PipelineDetails, *Response, error) {
	return do[PipelineDetails](ctx, s.client, http.MethodPost,
		Route("/projects/:id/pipelines/:pipeline_id/cancel", project, pipelineID), nil, opts)
}

// Delete deletes a pipeline with its jobs, their logs and artifacts, but not
// its child pipelines. It requires the Owner role. [ErrConflict] means that the
// service is recalculating the size of artifacts: try again later.
//
//	DELETE /projects/:id/pipelines/:pipeline_id
func (s *PipelinesService) Delete(
	ctx context.Context, project ProjectRef, pipelineID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, s.client, http.MethodDelete,
		Route("/projects/:id/pipelines/:pipeline_id", project, pipelineID), nil, opts)
}

// ListVariables returns the variables that a pipeline was started with. The
// service does not divide them into pages, and ignores the options.
//
//	GET /projects/:id/pipelines/:pipeline_id/variables
func (s *PipelinesService) ListVariables(
	ctx context.Context, project ProjectRef, pipelineID int64, options *ListOptions, opts ...RequestOption,
) ([]*PipelineVariable, *Response, error) {
	return list[*PipelineVariable](ctx, s.client,
		Route("/projects/:id/pipelines/:pipeline_id/variables", project, pipelineID),
		queryOf(options), opts)
}

// AllVariables returns the variables that a pipeline was started with.
//
//	GET /projects/:id/pipelines/:pipeline_id/variables
func (s *PipelinesService) AllVariables(
	ctx context.Context, project ProjectRef, pipelineID int64, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*PipelineVariable, error] {
	return all[*PipelineVariable](ctx, s.client,
		Route("/projects/:id/pipelines/:pipeline_id/variables", project, pipelineID),
		queryOf(options), opts)
}

// TestReport returns what the tests of a pipeline's jobs reported. It is empty
// if no job has a report.
//
//	GET /projects/:id/pipelines/:pipeline_id/test_report
func (s *PipelinesService) TestReport(
	ctx context.Context, project ProjectRef, pipelineID int64, opts ...RequestOption,
) (*TestReport, *Response, error) {
	return do[TestReport](ctx, s.client, http.MethodGet,
		Route("/projects/:id/pipelines/:pipeline_id/test_report", project, pipelineID), nil, opts)
}

// Wait polls a pipeline, at growing intervals, until it will not continue by
// itself, and returns it. This is the case if it has succeeded, failed, been
// canceled or skipped, and also if it is manual, because then it waits for a
// user to start a job. Check the pipeline's status: a failed pipeline is not an
// error of this call. On error, Wait also returns the pipeline as last seen, or
// nil.
//
//	GET /projects/:id/pipelines/:pipeline_id
func (s *PipelinesService) Wait(
	ctx context.Context, project ProjectRef, pipelineID int64, opts ...RequestOption,
) (*PipelineDetails, error) {
	return wait(ctx, s.client, "pipeline "+strconv.FormatInt(pipelineID, 10),
		Route("/projects/:id/pipelines/:pipeline_id", project, pipelineID), nil, opts,
		func(p *PipelineDetails) (string, bool) {
			return string(p.Status), p.Status.Finished() || p.Status == PipelineStatusManual
		})
}
