package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"strconv"
)

// JobsService lists, runs and waits for the CI jobs of projects, and reads their logs:
// [JobsService.Trace] returns the log of a job, and [JobsService.Follow] its lines while the job
// runs.
//
// Its options are [CancelJobOptions], [ListBridgesOptions], [ListJobsOptions],
// [ListPipelineJobsOptions], [PlayJobOptions] and [RetryJobOptions]. See the example of
// [JobsService.Wait].
type JobsService service

// oneJob is the path of a job.
const oneJob = "/projects/:id/jobs/:job_id"

// List returns one page of a project's jobs, the newest first. Newer releases
// do not count the jobs: the [Response] then has no totals.
//
//	GET /projects/:id/jobs
func (s *JobsService) List(
	ctx context.Context, project ProjectRef, options *ListJobsOptions, opts ...RequestOption,
) ([]*Job, *Response, error) {
	return list[*Job](ctx, using(s), Route("/projects/:id/jobs", project), queryOf(options), opts)
}

// All returns every job of a project, the newest first.
//
//	GET /projects/:id/jobs
func (s *JobsService) All(
	ctx context.Context, project ProjectRef, options *ListJobsOptions, opts ...RequestOption,
) iter.Seq2[*Job, error] {
	return all[*Job](ctx, using(s), Route("/projects/:id/jobs", project), queryOf(options), opts)
}

// ListForPipeline returns one page of a pipeline's jobs, the newest first. The pipeline may be
// a child pipeline. Do not rely on the list for the jobs of its own child pipelines: a release
// may include them, but others have only the jobs of the pipeline itself. For all jobs, take
// the child pipelines from [JobsService.AllBridges], list the jobs of each, and drop those
// whose ID was there before. [Job.Pipeline] is the pipeline of a job.
//
//	GET /projects/:id/pipelines/:pipeline_id/jobs
func (s *JobsService) ListForPipeline(
	ctx context.Context, project ProjectRef, pipelineID int64, options *ListPipelineJobsOptions, opts ...RequestOption,
) ([]*Job, *Response, error) {
	return list[*Job](ctx, using(s),
		Route("/projects/:id/pipelines/:pipeline_id/jobs", project, pipelineID), queryOf(options), opts)
}

// AllForPipeline returns every job of a pipeline, the newest first. Whether the jobs of child
// pipelines are among them differs: see [JobsService.ListForPipeline].
//
//	GET /projects/:id/pipelines/:pipeline_id/jobs
func (s *JobsService) AllForPipeline(
	ctx context.Context, project ProjectRef, pipelineID int64, options *ListPipelineJobsOptions, opts ...RequestOption,
) iter.Seq2[*Job, error] {
	return all[*Job](ctx, using(s),
		Route("/projects/:id/pipelines/:pipeline_id/jobs", project, pipelineID), queryOf(options), opts)
}

// ListBridges returns one page of a pipeline's bridge jobs, which start child pipelines and
// pipelines of other projects: see [Bridge.DownstreamPipeline].
//
//	GET /projects/:id/pipelines/:pipeline_id/bridges
func (s *JobsService) ListBridges(
	ctx context.Context, project ProjectRef, pipelineID int64, options *ListBridgesOptions, opts ...RequestOption,
) ([]*Bridge, *Response, error) {
	return list[*Bridge](ctx, using(s),
		Route("/projects/:id/pipelines/:pipeline_id/bridges", project, pipelineID), queryOf(options), opts)
}

// AllBridges returns every bridge job of a pipeline. See [JobsService.ListBridges].
//
//	GET /projects/:id/pipelines/:pipeline_id/bridges
func (s *JobsService) AllBridges(
	ctx context.Context, project ProjectRef, pipelineID int64, options *ListBridgesOptions, opts ...RequestOption,
) iter.Seq2[*Bridge, error] {
	return all[*Bridge](ctx, using(s),
		Route("/projects/:id/pipelines/:pipeline_id/bridges", project, pipelineID), queryOf(options), opts)
}

// Current returns the job whose token the call is made with. The credential must be
// a [JobToken].
//
//	GET /job
func (s *JobsService) Current(ctx context.Context, opts ...RequestOption) (*Job, *Response, error) {
	return do[Job](ctx, using(s), http.MethodGet, Route("/job"), nil, opts)
}

// AllowedAgents returns the job whose token the call is made with, and the agents
// that it may use. The credential must be a [JobToken]. Premium.
//
//	GET /job/allowed_agents
func (s *JobsService) AllowedAgents(
	ctx context.Context, opts ...RequestOption,
) (*JobTokenAllowedAgents, *Response, error) {
	return do[JobTokenAllowedAgents](ctx, using(s), http.MethodGet, Route("/job/allowed_agents"), nil, opts)
}

// Get returns one job of a project.
//
//	GET /projects/:id/jobs/:job_id
func (s *JobsService) Get(
	ctx context.Context, project ProjectRef, jobID int64, opts ...RequestOption,
) (*Job, *Response, error) {
	return do[Job](ctx, using(s), http.MethodGet, Route(oneJob, project, jobID), nil, opts)
}

// Trace returns the log of a job as a stream. The log of a running job ends
// with what has been written so far. The call returns [ErrNotFound] if there is
// no such job, or if it has no log. If the job has not written anything yet,
// the stream may be empty instead.
//
//	GET /projects/:id/jobs/:job_id/trace
func (s *JobsService) Trace(
	ctx context.Context, project ProjectRef, jobID int64, opts ...RequestOption,
) (*Download, *Response, error) {
	return stream(ctx, using(s), http.MethodGet,
		Route(oneJob+"/trace", project, jobID).withoutHTML(), nil, opts)
}

// Wait polls a job, at growing intervals, until it has succeeded, failed, been
// canceled or been skipped, and returns it. Wait also ends if the job is manual,
// because it then waits for a user to start it. Check the job's status: a failed
// job is not an error of this call. A retry is a separate job: wait for the one
// that [JobsService.Retry] returns. On error, Wait also returns the job as last
// seen, or nil.
//
//	GET /projects/:id/jobs/:job_id
func (s *JobsService) Wait(ctx context.Context, project ProjectRef, jobID int64, opts ...RequestOption) (*Job, error) {
	return wait(ctx, using(s), jobTarget(jobID),
		Route(oneJob, project, jobID), nil, opts, jobState)
}

func jobTarget(jobID int64) string { return "job " + strconv.FormatInt(jobID, 10) }

// jobState returns the state of a job, and whether the job will not continue by
// itself.
func jobState(job *Job) (string, bool) {
	return string(job.Status), job.Status.Finished() || job.Status == JobStatusManual
}

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

func (PlayJobOptions) holdsValues() {}

// Cancel stops a job and returns it with the status canceled. Later releases
// first return it with the status "canceling".
//
//	POST /projects/:id/jobs/:job_id/cancel
func (s *JobsService) Cancel(
	ctx context.Context, project ProjectRef, jobID int64, options CancelJobOptions, opts ...RequestOption,
) (*Job, *Response, error) {
	return do[Job](ctx, using(s), http.MethodPost,
		Route(oneJob+"/cancel", project, jobID), jsonOf(options), opts)
}

// RetryJobOptions says how to run a job again. The zero value runs it as before.
type RetryJobOptions struct {
	// Inputs are new values of the job's inputs by name: strings, numbers, booleans or slices.
	// Only in later releases, behind a feature flag that is off by default: without it, the
	// call returns [ErrForbidden]. Values that do not fit are refused with [ErrBadRequest].
	Inputs map[string]any `json:"inputs,omitzero"`
}

func (RetryJobOptions) holdsValues() {}

// Retry runs a finished job again and returns the new job, which has its own
// ID. [ErrForbidden] can also mean that the job cannot be retried. Bridge jobs
// can be retried since 17.0.
//
//	POST /projects/:id/jobs/:job_id/retry
func (s *JobsService) Retry(
	ctx context.Context, project ProjectRef, jobID int64, options RetryJobOptions, opts ...RequestOption,
) (*Job, *Response, error) {
	return do[Job](ctx, using(s), http.MethodPost, Route(oneJob+"/retry", project, jobID), jsonOf(options), opts)
}

// Play starts a job that is manual or delayed, and returns it. It requires the
// Developer role. For a bridge job, only the fields that a [Job] has are
// returned. [ErrBadRequest] means that the job cannot be played.
//
//	POST /projects/:id/jobs/:job_id/play
func (s *JobsService) Play(
	ctx context.Context, project ProjectRef, jobID int64, options PlayJobOptions, opts ...RequestOption,
) (*Job, *Response, error) {
	return do[Job](ctx, using(s), http.MethodPost,
		Route(oneJob+"/play", project, jobID), jsonOf(options), opts)
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
	return do[Job](ctx, using(s), http.MethodPost, Route(oneJob+"/erase", project, jobID), nil, opts)
}

// JobOrderBy is the order of a list of jobs. The service has only one order today,
// but accepts a Sort only together with an order.
type JobOrderBy string

// JobOrderByID orders jobs by their ID. Keyset pagination requires this order.
const JobOrderByID JobOrderBy = "id"

// ListJobsOptions selects jobs of a project.
type ListJobsOptions struct {
	ListOptions
	// Scope selects jobs in these states. Empty means all states. The service
	// refuses states that it does not know with [ErrBadRequest].
	Scope []JobStatus `url:"scope[],omitempty"`
	// Ref selects the jobs of one branch or tag. Only in later releases, whose documentation
	// does not have it.
	Ref string `url:"ref,omitempty"`
	// Pagination is [PaginationOffset] by default. [PaginationKeyset] is faster
	// for long lists, and newer releases require it beyond 50,000 jobs. It
	// requires OrderBy [JobOrderByID] and works with any Sort. Since 15.9.
	Pagination Pagination `url:"pagination,omitempty"`
	// OrderBy and Sort are for keyset pagination. Since 15.9.
	OrderBy JobOrderBy `url:"order_by,omitempty" keyset:"id"`
	Sort    Sort       `url:"sort,omitempty" keyset:"desc,asc"`
}

// ListBridgesOptions selects bridges of a pipeline.
type ListBridgesOptions struct {
	ListOptions
	// Scope selects bridges in these states. Empty means all states. The service
	// refuses states that it does not know with [ErrBadRequest].
	Scope []JobStatus `url:"scope[],omitempty"`
}

// ListPipelineJobsOptions selects jobs of a pipeline.
type ListPipelineJobsOptions struct {
	ListOptions
	// Scope selects jobs in these states. Empty means all states. The service
	// refuses states that it does not know with [ErrBadRequest].
	Scope []JobStatus `url:"scope[],omitempty"`
	// IncludeRetried adds jobs that were retried. By default only the latest run
	// of each job is listed.
	IncludeRetried bool `url:"include_retried,omitempty"`
}

// JobArtifactsService manages the artifacts of CI jobs.
//
// Downloads also accept the token of the CI job that makes the call as a
// credential: WithCredential(JobToken(token)). Premium. The token is sent in a
// header, because the query parameter job_token would end up in logs. It gives
// access to what its user may see, or only to its own project if the feature
// flag ci_job_token_scope is enabled, which is disabled by default.
//
// Its options are [DownloadLatestArtifactsOptions] and [ListArtifactTreeOptions]. See
// recipe 26 of docs/cookbook.md, the example RunPipeline of
// [example.com/serviceapi/examples/recipes].
type JobArtifactsService service

// DownloadLatestArtifactsOptions says which job's artifacts to download. Ref and
// Job are required.
type DownloadLatestArtifactsOptions struct {
	// Ref is a branch or a tag. HEAD and commit hashes are not supported.
	Ref string `url:"-" required:"true"`
	// Job is the name of the job. Without one, the service would choose any job.
	Job string `url:"job" required:"true"`
	// SearchRecentSuccessfulPipelines searches earlier successful pipelines if the
	// latest one does not have the artifacts. Since about 17.x.
	SearchRecentSuccessfulPipelines bool `url:"search_recent_successful_pipelines,omitempty"`
}

// Download returns the archive of a job's artifacts, a zip file, as a stream.
// The call returns [ErrNotFound] if there is no such job, or if it has no
// artifacts.
//
//	GET /projects/:id/jobs/:job_id/artifacts
func (s *JobArtifactsService) Download(
	ctx context.Context, project ProjectRef, jobID int64, opts ...RequestOption,
) (*Download, *Response, error) {
	return stream(ctx, using(s), http.MethodGet,
		Route(oneJob+"/artifacts", project, jobID).withoutHTML(), nil, opts)
}

// DownloadLatest returns the archive of a job's artifacts, a zip file, for the
// job with this name in the latest successful pipeline of a branch or tag. If a
// parent and a child pipeline both have a job with this name, the parent's is
// used. The call returns [ErrNotFound] if there is no such job, or if it has no
// artifacts, and an [*ArgumentError] if Ref or Job is empty.
//
//	GET /projects/:id/jobs/artifacts/:ref_name/download
func (s *JobArtifactsService) DownloadLatest(
	ctx context.Context, project ProjectRef, options *DownloadLatestArtifactsOptions, opts ...RequestOption,
) (*Download, *Response, error) {
	which := orZero(options)
	return stream(ctx, using(s), http.MethodGet,
		Route("/projects/:id/jobs/artifacts/:ref_name/download", project, fieldSegment{"Ref", which.Ref}).withoutHTML(),
		queryOf(which), opts)
}

// DownloadFile returns one file from the archive of a job's artifacts. The path
// is that of the file in the archive: "coverage/index.html". The call returns
// an [*ArgumentError] if the path is empty, begins or ends with a slash, or has a
// segment that is "." or "..", [ErrBadRequest] if the service refuses it, and
// [ErrNotFound] if there is no such file.
//
//	GET /projects/:id/jobs/:job_id/artifacts/*artifact_path
func (s *JobArtifactsService) DownloadFile(
	ctx context.Context, project ProjectRef, jobID int64, artifactPath string, opts ...RequestOption,
) (*Download, *Response, error) {
	return stream(ctx, using(s), http.MethodGet,
		Route(oneJob+"/artifacts/*artifact_path", project, jobID, artifactPath), nil, opts)
}

// DownloadLatestFile returns one file from the archive of the artifacts of the
// job with this name in the latest successful pipeline of a branch or tag. See
// [JobArtifactsService.DownloadFile] for the path, and
// [JobArtifactsService.DownloadLatest] for the job.
//
//	GET /projects/:id/jobs/artifacts/:ref_name/raw/*artifact_path
func (s *JobArtifactsService) DownloadLatestFile(
	ctx context.Context, project ProjectRef, artifactPath string, options *DownloadLatestArtifactsOptions,
	opts ...RequestOption,
) (*Download, *Response, error) {
	which := orZero(options)
	return stream(ctx, using(s), http.MethodGet,
		Route("/projects/:id/jobs/artifacts/:ref_name/raw/*artifact_path",
			project, fieldSegment{"Ref", which.Ref}, artifactPath),
		queryOf(which), opts)
}

// ListTree returns one page of the entries of a directory in the archive of a job's
// artifacts, directories first. The call returns [ErrNotFound] if there is no such job or
// directory, or if the job has no artifacts. Since 18.8.
//
//	GET /projects/:id/jobs/:job_id/artifacts/tree
func (s *JobArtifactsService) ListTree(
	ctx context.Context, project ProjectRef, jobID int64, options *ListArtifactTreeOptions, opts ...RequestOption,
) ([]*ArtifactEntry, *Response, error) {
	return list[*ArtifactEntry](ctx, using(s), Route(oneJob+"/artifacts/tree", project, jobID), queryOf(options), opts)
}

// AllTree returns every entry of a directory. See [JobArtifactsService.ListTree].
//
//	GET /projects/:id/jobs/:job_id/artifacts/tree
func (s *JobArtifactsService) AllTree(
	ctx context.Context, project ProjectRef, jobID int64, options *ListArtifactTreeOptions, opts ...RequestOption,
) iter.Seq2[*ArtifactEntry, error] {
	return all[*ArtifactEntry](ctx, using(s), Route(oneJob+"/artifacts/tree", project, jobID), queryOf(options), opts)
}

// ListArtifactTreeOptions selects entries of an archive.
type ListArtifactTreeOptions struct {
	ListOptions
	// Path is the directory. Empty means the root.
	Path string `url:"path,omitempty"`
	// Recursive includes everything below.
	Recursive bool `url:"recursive,omitempty"`
}

// Keep removes the expiry of a job's artifacts and returns the job.
//
//	POST /projects/:id/jobs/:job_id/artifacts/keep
func (s *JobArtifactsService) Keep(
	ctx context.Context, project ProjectRef, jobID int64, opts ...RequestOption,
) (*Job, *Response, error) {
	return do[Job](ctx, using(s), http.MethodPost,
		Route(oneJob+"/artifacts/keep", project, jobID), nil, opts)
}

// Delete removes the artifacts of a job. It requires the Maintainer role.
//
//	DELETE /projects/:id/jobs/:job_id/artifacts
func (s *JobArtifactsService) Delete(
	ctx context.Context, project ProjectRef, jobID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route(oneJob+"/artifacts", project, jobID), nil, opts)
}

// DeleteAll makes all artifacts of a project that may be deleted expire now. The
// service deletes them in the background (202). The artifacts of the latest
// successful pipeline of each branch and tag are kept. It requires the Maintainer
// role.
//
//	DELETE /projects/:id/artifacts
func (s *JobArtifactsService) DeleteAll(
	ctx context.Context, project ProjectRef, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, Route("/projects/:id/artifacts", project), nil, opts)
}
