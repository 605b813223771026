package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// newPipelineBody is the body of a call that starts a pipeline.
type newPipelineBody struct {
	Async bool `json:"async,omitzero"`
}

// ListPipelines returns one page of the pipelines of a merge request, the newest
// first.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/pipelines
func (s *MergeRequestsService) ListPipelines(ctx context.Context, project ProjectRef, iid int64, options *ListOptions, opts ...RequestOption) ([]*Pipeline, *Response, error) {
	return list[*Pipeline](ctx, s.client, Route("/projects/:id/merge_requests/:merge_request_iid/pipelines", project, iid), queryOf(options), opts)
}

// AllPipelines returns every pipeline of a merge request, the newest first.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/pipelines
func (s *MergeRequestsService) AllPipelines(ctx context.Context, project ProjectRef, iid int64, options *ListOptions, opts ...RequestOption) iter.Seq2[*Pipeline, error] {
	return all[*Pipeline](ctx, s.client, Route("/projects/:id/merge_requests/:merge_request_iid/pipelines", project, iid), queryOf(options), opts)
}

// CreatePipeline starts a pipeline for a merge request. It requires the
// Developer role. The call returns [ErrMethodNotAllowed] if no pipeline could
// be created, and [ErrBadRequest] with the reason if the configuration is
// invalid or no job would run.
//
//	POST /projects/:id/merge_requests/:merge_request_iid/pipelines
func (s *MergeRequestsService) CreatePipeline(ctx context.Context, project ProjectRef, iid int64, opts ...RequestOption) (*PipelineDetails, *Response, error) {
	return do[PipelineDetails](ctx, s.client, http.MethodPost, Route("/projects/:id/merge_requests/:merge_request_iid/pipelines", project, iid), jsonOf(newPipelineBody{}), opts)
}

// CreatePipelineAsync is like [MergeRequestsService.CreatePipeline] but does
// not wait for the pipeline: the service creates it after the response (202).
// [MergeRequestsService.ListPipelines] shows whether it did. Since about 17.0;
// older releases create the pipeline at once.
//
//	POST /projects/:id/merge_requests/:merge_request_iid/pipelines
func (s *MergeRequestsService) CreatePipelineAsync(ctx context.Context, project ProjectRef, iid int64, opts ...RequestOption) (*Response, error) {
	return exec(ctx, s.client, http.MethodPost, Route("/projects/:id/merge_requests/:merge_request_iid/pipelines", project, iid), jsonOf(newPipelineBody{Async: true}), opts)
}
