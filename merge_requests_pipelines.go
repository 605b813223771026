package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// CreateMergeRequestPipelineOptions says how a pipeline is created.
type CreateMergeRequestPipelineOptions struct {
	// Async lets the service create the pipeline after the response. Nil means
	// false. Since about 17.0; older releases create the pipeline at once.
	Async *bool `json:"async,omitzero"`
}

// ListPipelines returns one page of the pipelines of a merge request, the newest
// first.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/pipelines
func (s *MergeRequestsService) ListPipelines(
	ctx context.Context, project ProjectRef, iid int64, options *ListOptions, opts ...RequestOption,
) ([]*Pipeline, *Response, error) {
	return list[*Pipeline](ctx, s.client,
		Route("/projects/:id/merge_requests/:merge_request_iid/pipelines", project, iid), queryOf(options), opts)
}

// AllPipelines returns every pipeline of a merge request, the newest first.
//
//	GET /projects/:id/merge_requests/:merge_request_iid/pipelines
func (s *MergeRequestsService) AllPipelines(
	ctx context.Context, project ProjectRef, iid int64, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*Pipeline, error] {
	return all[*Pipeline](ctx, s.client,
		Route("/projects/:id/merge_requests/:merge_request_iid/pipelines", project, iid), queryOf(options), opts)
}

// CreatePipeline starts a pipeline for a merge request. It requires the
// Developer role. The call returns [ErrMethodNotAllowed] if no pipeline could
// be created, and [ErrBadRequest] with the reason if the configuration is
// invalid or no job would run.
//
// With Async, the pipeline does not exist yet and the call returns nil for it,
// without an error. [MergeRequestsService.ListPipelines] shows it later.
//
//	POST /projects/:id/merge_requests/:merge_request_iid/pipelines
func (s *MergeRequestsService) CreatePipeline(
	ctx context.Context, project ProjectRef, iid int64,
	options CreateMergeRequestPipelineOptions, opts ...RequestOption,
) (*PipelineDetails, *Response, error) {
	endpoint := Route("/projects/:id/merge_requests/:merge_request_iid/pipelines", project, iid)
	if *orZero(options.Async) {
		resp, err := exec(ctx, s.client, http.MethodPost, endpoint, jsonOf(options), opts)
		return nil, resp, err
	}
	return do[PipelineDetails](ctx, s.client, http.MethodPost, endpoint, jsonOf(options), opts)
}
