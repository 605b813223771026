package serviceapi

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func at(t testing.TB, text string) *time.Time {
	t.Helper()
	v, err := time.Parse(time.RFC3339, text)
	require.NoError(t, err)
	return &v
}

func TestJobsGet(t *testing.T) {
	client := onWire(t, exchange{Method: "GET", Path: "/projects/acme%2Fapp/jobs/8", Fixture: "jobs/job.json"})
	job, resp, err := client.Jobs.Get(t.Context(), Path("acme/app"), 8)
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode)
	assert.Equal(t, &Job{
		ID: 8, Name: "rubocop", Stage: "test", Status: JobFailed, FailureReason: JobFailureScript, Ref: "main",
		Coverage: new(87.25), AllowFailure: true,
		CreatedAt:         at(t, "2026-03-01T10:00:00.880Z"),
		StartedAt:         at(t, "2026-03-01T10:00:05.123Z"),
		FinishedAt:        at(t, "2026-03-01T10:02:07.500Z"),
		Duration:          new(122.377),
		QueuedDuration:    new(4.243),
		ArtifactsExpireAt: at(t, "2026-04-01T10:02:07.500Z"),
		ArtifactsFile:     &ArtifactsFile{Filename: "artifacts.zip", Size: 1000},
		Artifacts: []JobArtifact{
			{ArtifactArchive, 1000, "artifacts.zip", new(ArtifactFormatZip)},
			{ArtifactMetadata, 186, "metadata.gz", new(ArtifactFormatGzip)},
			{ArtifactTrace, 1500, "job.log", new(ArtifactFormatRaw)},
			{ArtifactJUnit, 750, "junit.xml.gz", nil},
		},
		TagList: []string{"docker", "ubuntu18"},
		Runner: &Runner{
			ID: 32, Description: "shared runner", IPAddress: "10.0.0.7", Active: true, IsShared: true,
			RunnerType: RunnerInstance, Online: new(true), Status: RunnerOnline,
		},
		Pipeline: PipelineSummary{ID: 6, ProjectID: 1, Ref: "main", SHA: "0ff3ae198f8601a285adcf5c0fff204ee6fba5fd", Status: "failed"},
		Commit: &CommitSummary{
			ID: "0ff3ae198f8601a285adcf5c0fff204ee6fba5fd", ShortID: "0ff3ae19", Title: "Test the CI integration.",
			Message: "Test the CI integration.\n", AuthorName: "Ada", AuthorEmail: "ada@example.com",
			CreatedAt: at(t, "2026-03-01T09:59:00.000Z"),
		},
		User: &UserProfile{
			UserSummary: UserSummary{ID: 1, Name: "Ada Lovelace", Username: "ada", State: "active", WebURL: "https://service.test/ada"},
			CreatedAt:   at(t, "2025-12-21T13:14:24.077Z"), Location: new("London"), PublicEmail: "ada@example.com",
			Skype: "ada.s", LinkedIn: "ada-l", Twitter: "ada_t", WebsiteURL: "https://ada.example.com", Organization: new("Analytical"),
		},
		WebURL: "https://service.test/acme/app/-/jobs/8",
	}, job)
}

func TestJobsList(t *testing.T) {
	client := onWire(t, exchange{
		Method: "GET", Path: "/projects/7/jobs", Query: "page=2&per_page=50&scope%5B%5D=failed&scope%5B%5D=manual",
		Body: `[{"id":2},{"id":1}]`,
		AnswerHeader: map[string]string{
			"Link":   `<https://service.test/api/v4/projects/7/jobs?page=3&per_page=50&scope%5B%5D=failed>; rel="next"`,
			"X-Page": "2", "X-Per-Page": "50", "X-Next-Page": "3", "X-Prev-Page": "1", "X-Total": "102", "X-Total-Pages": "3",
		},
	})
	jobs, resp, err := client.Jobs.List(t.Context(), ID(7), &ListJobsOptions{
		ListOptions: ListOptions{Page: 2, PerPage: 50},
		Scope:       []JobStatus{JobFailed, JobManual},
	})
	require.NoError(t, err)
	require.Len(t, jobs, 2)
	assert.Equal(t, int64(2), jobs[0].ID)
	assert.True(t, resp.HasTotal())
	assert.Equal(t, []int{2, 50, 3, 1, 102, 3}, []int{resp.Page, resp.PerPage, resp.NextPage, resp.PrevPage, resp.Total, resp.TotalPages})
	assert.Equal(t, "page=3&per_page=50&scope%5B%5D=failed", resp.NextPageToken)
}
