package serviceapi

import (
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestJobArtifactsDownloads checks all four downloads, with the client's
// credential and with a job token, which is sent in a header and never in the
// query.
func TestJobArtifactsDownloads(t *testing.T) {
	app := ProjectPath("acme/app")
	type download func(s *JobArtifactsService, opts ...RequestOption) (*Download, *Response, error)
	for name, tc := range map[string]struct {
		path, query string
		call        download
	}{
		"archive": {"/projects/acme%2Fapp/jobs/8/artifacts", "", func(s *JobArtifactsService, opts ...RequestOption) (*Download, *Response, error) {
			return s.Download(t.Context(), app, 8, opts...)
		}},
		"latest archive": {"/projects/acme%2Fapp/jobs/artifacts/feature%2Fx/download", "job=build+all&search_recent_successful_pipelines=true", func(s *JobArtifactsService, opts ...RequestOption) (*Download, *Response, error) {
			return s.DownloadLatest(t.Context(), app, &DownloadLatestArtifactsOptions{Ref: "feature/x", Job: "build all", SearchRecentSuccessfulPipelines: true}, opts...)
		}},
		"file": {"/projects/acme%2Fapp/jobs/8/artifacts/out/a%20b%25.html", "", func(s *JobArtifactsService, opts ...RequestOption) (*Download, *Response, error) {
			return s.DownloadFile(t.Context(), app, 8, "out/a b%.html", opts...)
		}},
		"latest file": {"/projects/acme%2Fapp/jobs/artifacts/v1.0/raw/out/index.html", "job=build", func(s *JobArtifactsService, opts ...RequestOption) (*Download, *Response, error) {
			return s.DownloadLatestFile(t.Context(), app, "out/index.html", &DownloadLatestArtifactsOptions{Ref: "v1.0", Job: "build"}, opts...)
		}},
		"latest archive of one pipeline": {"/projects/acme%2Fapp/jobs/artifacts/main/download", "job=build", func(s *JobArtifactsService, opts ...RequestOption) (*Download, *Response, error) {
			return s.DownloadLatest(t.Context(), app, &DownloadLatestArtifactsOptions{Ref: "main", Job: "build"}, opts...)
		}},
		"latest file of several pipelines": {"/projects/acme%2Fapp/jobs/artifacts/main/raw/a", "job=build&search_recent_successful_pipelines=true", func(s *JobArtifactsService, opts ...RequestOption) (*Download, *Response, error) {
			return s.DownloadLatestFile(t.Context(), app, "a", &DownloadLatestArtifactsOptions{Ref: "main", Job: "build", SearchRecentSuccessfulPipelines: true}, opts...)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			answer := exchange{
				Method: "GET", Path: tc.path, Query: tc.query, Body: "content",
				AnswerHeader: map[string]string{"Content-Length": "7", "Content-Type": "application/zip", "Content-Disposition": `attachment; filename="artifacts.zip"`},
			}
			asJob, invalid, missing := answer, answer, answer
			asJob.Header = map[string]string{"Job-Token": "job-secret"}
			invalid.Status, invalid.Body, invalid.AnswerHeader = 400, `{"message":"400 Bad request"}`, nil
			missing.Status, missing.Body, missing.AnswerHeader = 404, `{"message":"404 Not Found"}`, nil
			s := onWire(t, answer, asJob, invalid, missing).JobArtifacts
			for _, opts := range [][]RequestOption{nil, {WithCredential(JobToken("job-secret"))}} {
				d, resp, err := tc.call(s, opts...)
				require.NoError(t, err)
				assert.Equal(t, 200, resp.StatusCode)
				assert.Equal(t, []any{"artifacts.zip", "application/zip"}, []any{d.Name, d.ContentType})
				text := make([]byte, 7)
				_, err = io.ReadFull(d, text)
				require.NoError(t, err)
				assert.Equal(t, "content", string(text))
				assert.NoError(t, d.Close())
			}
			_, _, err := tc.call(s)
			assert.ErrorIs(t, err, ErrBadRequest)
			_, _, err = tc.call(s)
			assert.ErrorIs(t, err, ErrNotFound)
		})
	}
}

func TestJobArtifactsKeepAndDelete(t *testing.T) {
	client := onWire(t,
		exchange{Method: "POST", Path: "/projects/acme%2Fapp/jobs/10/artifacts/keep", Fixture: "jobs/job_kept.json"},
		exchange{Method: "DELETE", Path: "/projects/acme%2Fapp/jobs/10/artifacts", Status: 204},
		exchange{Method: "DELETE", Path: "/projects/acme%2Fapp/artifacts", Status: 202},
		exchange{Method: "DELETE", Path: "/projects/acme%2Fapp/artifacts", Status: 403, Body: `{"message":"403 Forbidden"}`},
	)
	s, app := client.JobArtifacts, ProjectPath("acme/app")
	job, _, err := s.Keep(t.Context(), app, 10)
	require.NoError(t, err)
	assert.Equal(t, &Job{
		ID: 10, Name: "build", Stage: "build", Status: JobStatusSuccess, Ref: "main", CreatedAt: at(t, "2026-03-01T10:00:00.880Z"),
		StartedAt: at(t, "2026-03-01T10:00:05.123Z"), FinishedAt: at(t, "2026-03-01T10:02:07.500Z"),
		Duration: new(122.377), QueuedDuration: new(4.243), ArtifactsFile: &ArtifactsFile{Filename: "artifacts.zip", Size: 1000},
		Artifacts: []*JobArtifact{{ArtifactFileTypeArchive, 1000, "artifacts.zip", ArtifactFileFormatZip}}, TagList: []string{},
		Pipeline:    &PipelineSummary{ID: 6, ProjectID: 1, Ref: "main", SHA: "0ff3ae19", Status: "success"},
		WebURL:      "https://service.test/acme/app/-/jobs/10",
		DownloadURL: "https://service.test/acme/app/-/jobs/10/artifacts/download",
	}, job)
	resp, err := s.Delete(t.Context(), app, 10)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
	resp, err = s.DeleteAll(t.Context(), app)
	require.NoError(t, err)
	assert.Equal(t, 202, resp.StatusCode)
	_, err = s.DeleteAll(t.Context(), app)
	assert.ErrorIs(t, err, ErrForbidden)
}

// TestJobArtifactsRefuseBeforeSending checks arguments that would mean
// something else: an empty path the whole archive, dots another endpoint, and
// an empty job name any job.
func TestJobArtifactsRefuseBeforeSending(t *testing.T) {
	s, ctx := onWire(t).JobArtifacts, t.Context()
	failed := func(_ any, _ *Response, err error) error { return err }
	_, remove := s.Delete(ctx, ProjectID(1), 0)
	_, removeAll := s.DeleteAll(ctx, ProjectPath(""))
	for name, err := range map[string]error{
		"no job":        failed(s.Download(ctx, ProjectID(1), 0)),
		"no project":    failed(s.Download(ctx, ProjectRef{}, 8)),
		"no ref":        failed(s.DownloadLatest(ctx, ProjectID(1), &DownloadLatestArtifactsOptions{Job: "build"})),
		"dots as ref":   failed(s.DownloadLatest(ctx, ProjectID(1), &DownloadLatestArtifactsOptions{Ref: "..", Job: "build"})),
		"no job name":   failed(s.DownloadLatest(ctx, ProjectID(1), &DownloadLatestArtifactsOptions{Ref: "main"})),
		"no path":       failed(s.DownloadFile(ctx, ProjectID(1), 8, "")),
		"path upwards":  failed(s.DownloadFile(ctx, ProjectID(1), 8, "a/../../b")),
		"path at root":  failed(s.DownloadFile(ctx, ProjectID(1), 8, "/a")),
		"no file":       failed(s.DownloadLatestFile(ctx, ProjectID(1), "", &DownloadLatestArtifactsOptions{Ref: "main", Job: "build"})),
		"no name":       failed(s.DownloadLatestFile(ctx, ProjectID(1), "a", &DownloadLatestArtifactsOptions{Ref: "main"})),
		"keep":          failed(s.Keep(ctx, ProjectID(1), -8)),
		"delete":        remove,
		"delete of all": removeAll,
	} {
		var argument *ArgumentError
		assert.ErrorAs(t, err, &argument, name)
	}
}
