package serviceapi

import (
	"context"
	"net/http"
)

// JobArtifactsService manages the artifacts of CI jobs.
//
// Downloads also accept the token of the CI job that makes the call as a
// credential: WithCredential(JobToken(token)). Premium. The token is sent in a
// header, because the query parameter job_token would end up in logs. It gives
// access to what its user may see, or only to its own project if the feature
// flag ci_job_token_scope is enabled, which is disabled by default.
type JobArtifactsService service

// DownloadLatestArtifactsOptions says which job's artifacts to download. Ref and
// Job are required.
type DownloadLatestArtifactsOptions struct {
	// Ref is a branch or a tag. HEAD and commit hashes are not supported.
	Ref string `url:"-"`
	// Job is the name of the job.
	Job string `url:"job"`
	// SearchRecentSuccessfulPipelines searches earlier successful pipelines if the
	// latest one does not have the artifacts. Since about 17.x.
	SearchRecentSuccessfulPipelines bool `url:"search_recent_successful_pipelines,omitempty"`
}

// check requires the name of a job: without one, the service would take any.
func (o *DownloadLatestArtifactsOptions) check() error {
	return missing("Job", o == nil || o.Job == "")
}

// Download returns the archive of a job's artifacts, a zip file, as a stream.
// The call returns [ErrNotFound] if there is no such job, or if it has no
// artifacts.
//
//	GET /projects/:id/jobs/:job_id/artifacts
func (s *JobArtifactsService) Download(
	ctx context.Context, project ProjectRef, jobID int64, opts ...RequestOption,
) (*Download, *Response, error) {
	return stream(ctx, s.client, http.MethodGet,
		Route("/projects/:id/jobs/:job_id/artifacts", project, jobID), nil, opts)
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
	return stream(ctx, s.client, http.MethodGet,
		Route("/projects/:id/jobs/artifacts/:ref_name/download", project, which.Ref), queryOf(which), opts)
}

// DownloadFile returns one file from the archive of a job's artifacts. The path
// is that of the file in the archive: "coverage/index.html". The call returns
// [ErrBadRequest] if the path is not valid, and [ErrNotFound] if there is no
// such file.
//
//	GET /projects/:id/jobs/:job_id/artifacts/*artifact_path
func (s *JobArtifactsService) DownloadFile(
	ctx context.Context, project ProjectRef, jobID int64, artifactPath string, opts ...RequestOption,
) (*Download, *Response, error) {
	return stream(ctx, s.client, http.MethodGet,
		Route("/projects/:id/jobs/:job_id/artifacts/*artifact_path", project, jobID, artifactPath), nil, opts)
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
	return stream(ctx, s.client, http.MethodGet,
		Route("/projects/:id/jobs/artifacts/:ref_name/raw/*artifact_path", project, which.Ref, artifactPath),
		queryOf(which), opts)
}

// Keep removes the expiry of a job's artifacts and returns the job.
//
//	POST /projects/:id/jobs/:job_id/artifacts/keep
func (s *JobArtifactsService) Keep(
	ctx context.Context, project ProjectRef, jobID int64, opts ...RequestOption,
) (*Job, *Response, error) {
	return do[Job](ctx, s.client, http.MethodPost,
		Route("/projects/:id/jobs/:job_id/artifacts/keep", project, jobID), nil, opts)
}

// Delete removes the artifacts of a job. It requires the Maintainer role.
//
//	DELETE /projects/:id/jobs/:job_id/artifacts
func (s *JobArtifactsService) Delete(
	ctx context.Context, project ProjectRef, jobID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, s.client, http.MethodDelete,
		Route("/projects/:id/jobs/:job_id/artifacts", project, jobID), nil, opts)
}

// DeleteAll makes all artifacts of a project that may be deleted expire now.
// The service deletes them later (202). The artifacts of the latest successful
// pipeline of each branch and tag are kept. It requires the Maintainer role.
//
//	DELETE /projects/:id/artifacts
func (s *JobArtifactsService) DeleteAll(
	ctx context.Context, project ProjectRef, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, s.client, http.MethodDelete, Route("/projects/:id/artifacts", project), nil, opts)
}
