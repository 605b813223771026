package wiretests

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// failedJob is jobs/job.json.
func failedJob(t *testing.T) *serviceapi.Job {
	return &serviceapi.Job{
		ID: 8, Name: "rubocop", Stage: "test", Status: serviceapi.JobStatusFailed,
		FailureReason: serviceapi.JobFailureReasonScript,
		Ref:           "main",
		Coverage:      new(87.25), AllowFailure: true,
		CreatedAt:         at(t, "2026-03-01T10:00:00.880Z"),
		StartedAt:         at(t, "2026-03-01T10:00:05.123Z"),
		FinishedAt:        at(t, "2026-03-01T10:02:07.500Z"),
		Duration:          new(122.377),
		QueuedDuration:    new(4.243),
		ArtifactsExpireAt: at(t, "2026-04-01T10:02:07.500Z"),
		ArtifactsFile:     &serviceapi.ArtifactsFile{Filename: "artifacts.zip", Size: 1000},
		Artifacts: []*serviceapi.JobArtifact{
			{
				FileType:   serviceapi.ArtifactFileTypeArchive,
				Size:       1000,
				Filename:   "artifacts.zip",
				FileFormat: serviceapi.ArtifactFileFormatZip,
			},
			{
				FileType:   serviceapi.ArtifactFileTypeMetadata,
				Size:       186,
				Filename:   "metadata.gz",
				FileFormat: serviceapi.ArtifactFileFormatGzip,
			},
			{
				FileType:   serviceapi.ArtifactFileTypeTrace,
				Size:       1500,
				Filename:   "job.log",
				FileFormat: serviceapi.ArtifactFileFormatRaw,
			},
			{FileType: serviceapi.ArtifactFileTypeJUnit, Size: 750, Filename: "junit.xml.gz", FileFormat: ""},
		},
		TagList: []string{"docker", "ubuntu18"},
		Runner: &serviceapi.Runner{
			ID: 32, Description: "shared runner", IPAddress: "10.0.0.7", Active: true, IsShared: true,
			RunnerType: serviceapi.RunnerTypeInstance, Online: new(true), Status: serviceapi.RunnerStatusOnline,
			JobExecutionStatus: "idle", CreatedAt: at(t, "2026-01-02T08:00:00Z"),
		},
		RunnerManager: &serviceapi.RunnerManager{
			ID: 1, SystemID: "s_89e5e9956577", Version: "16.11.1", Revision: "535ced5f", Platform: "linux",
			Architecture: "amd64",
			IPAddress:    "10.0.0.7", Status: serviceapi.RunnerStatusOnline, CreatedAt: *at(t, "2026-01-02T09:00:00Z"),
			JobExecutionStatus: "active",
			ContactedAt:        at(t, "2026-03-01T10:02:09Z"),
		},
		Source: "push",
		ErasedAt: at(
			t,
			"2026-03-02T10:00:00Z",
		), Archived: true, Project: &serviceapi.JobProject{CIJobTokenScopeEnabled: true},
		Pipeline: &serviceapi.PipelineSummary{ID: 6, IID: 2, ProjectID: 1, Source: "push", Ref: "main",
			SHA: "0ff3ae198f8601a285adcf5c0fff204ee6fba5fd", Status: "failed"},
		Commit: &serviceapi.CommitSummary{
			ID: "0ff3ae198f8601a285adcf5c0fff204ee6fba5fd", ShortID: "0ff3ae19", Title: "Test the CI integration.",
			Message: "Test the CI integration.\n", AuthorName: "Ada", AuthorEmail: "ada@example.com",
			CreatedAt: *at(t, "2026-03-01T09:59:00.000Z"), WebURL: "https://service.test/acme/app/-/commit/0ff3ae19",
			ExtendedTrailers: map[string][]string{"Signed-off-by": {"Ada", "Bob"}},
		},
		User: &serviceapi.User{
			UserSummary: serviceapi.UserSummary{
				ID: 1, Name: "Ada Lovelace", Username: "ada", State: "active", PublicEmail: "ada@example.com",
				WebURL: "https://service.test/ada",
			},
			CreatedAt: at(t, "2025-12-21T13:14:24.077Z"), Location: "London",
			Skype: "ada.s", LinkedIn: "ada-l", Twitter: "ada_t", WebsiteURL: "https://ada.example.com",
			Organization: "Analytical",
			Discord:      "4", Bot: new(false), JobTitle: "Analyst", Pronouns: "she/her",
			WorkInformation: "Analyst at Analytical",
			Followers:       new(3), Following: new(2), LocalTime: "3:38 PM", IsFollowed: new(true),
		},
		WebURL: "https://service.test/acme/app/-/jobs/8",
	}
}

// createdJob is jobs/job_created.json, in which everything that can be null or
// absent is.
func createdJob(t *testing.T) *serviceapi.Job {
	return &serviceapi.Job{
		ID: 9, Name: "deploy", Stage: "deploy", Status: serviceapi.JobStatusCreated, Ref: "v1.0", Tag: true,
		CreatedAt: at(t, "2026-03-01T10:00:00.880Z"), Artifacts: []*serviceapi.JobArtifact{}, TagList: []string{},
		Pipeline: &serviceapi.PipelineSummary{ID: 6, ProjectID: 1, Ref: "v1.0", SHA: "0ff3ae19", Status: "created"},
		WebURL:   "https://service.test/acme/app/-/jobs/9",
		Project:  &serviceapi.JobProject{},
	}
}

func TestJobsGet(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: "/projects/acme%2Fapp/jobs/8", Fixture: "jobs/job.json"},
		exchange{Method: "GET", Path: "/projects/1/jobs/9", Fixture: "jobs/job_created.json"},
		exchange{Method: "GET", Path: "/projects/1/jobs/10", Status: 404, Body: `{"message":"404 Not Found"}`},
	)
	job, resp, err := client.Jobs.Get(t.Context(), serviceapi.ProjectPath("acme/app"), 8)
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode)
	assert.Equal(t, failedJob(t), job)
	job, _, err = client.Jobs.Get(t.Context(), serviceapi.ProjectID(1), 9)
	require.NoError(t, err)
	assert.Equal(t, createdJob(t), job)
	_, _, err = client.Jobs.Get(t.Context(), serviceapi.ProjectID(1), 10)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestJobsList(t *testing.T) {
	client := onWire(t, exchange{
		Method: "GET", Path: "/projects/7/jobs", Query: "page=2&per_page=50&scope%5B%5D=failed&scope%5B%5D=manual",
		Body: `[{"id":2},{"id":1}]`,
		ResponseHeader: map[string]string{
			"Link":   `<https://service.test/api/v4/projects/7/jobs?page=3&per_page=50&scope%5B%5D=failed>; rel="next"`,
			"X-Page": "2", "X-Per-Page": "50", "X-Next-Page": "3", "X-Prev-Page": "1", "X-Total": "102",
			"X-Total-Pages": "3",
		},
	})
	jobs, resp, err := client.Jobs.List(t.Context(), serviceapi.ProjectID(7), &serviceapi.ListJobsOptions{
		ListOptions: serviceapi.ListOptions{Page: 2, PerPage: 50},
		Scope:       []serviceapi.JobStatus{serviceapi.JobStatusFailed, serviceapi.JobStatusManual},
	})
	require.NoError(t, err)
	require.Len(t, jobs, 2)
	assert.Equal(t, int64(2), jobs[0].ID)
	assert.True(t, resp.HasTotal())
	assert.Equal(t, []int{2, 50, 3, 1, 102, 3},
		[]int{resp.Page, resp.PerPage, resp.NextPage, resp.PrevPage, resp.Total, resp.TotalPages})
	assert.Equal(t, "page=3&per_page=50&scope%5B%5D=failed", queryOfToken(t, resp.NextPageToken))
}

// TestJobsLists checks the three lists of jobs with all filters, without
// options, and as walks.
func TestJobsLists(t *testing.T) {
	reply := "[" + fixture(t, "jobs/job.json") + "," + fixture(t, "jobs/job_created.json") + "]"
	const every = "page=2&per_page=5&scope%5B%5D=created&scope%5B%5D=success"
	const keyset = "order_by=id&" + "pagination=keyset&per_page=5&scope%5B%5D=waiting_for_resource" +
		"&scope%5B%5D=preparing" +
		"&scope%5B%5D=scheduled&scope%5B%5D=canceling&sort=desc"
	client := onWire(t,
		exchange{Method: "GET", Path: "/projects/1/jobs", Body: reply},
		exchange{Method: "GET", Path: "/projects/1/jobs", Query: every, Body: reply},
		exchange{Method: "GET", Path: "/projects/1/jobs", Query: keyset, Body: reply},
		exchange{Method: "GET", Path: "/projects/1/pipelines/6/jobs", Body: reply},
		exchange{Method: "GET", Path: "/projects/1/pipelines/6/jobs", Query: "include_retried=true&" + every,
			Body: reply},
		exchange{Method: "GET", Path: "/projects/1/pipelines/6/jobs", Query: "include_retried=true&" + every,
			Body: reply},
	)
	want := []*serviceapi.Job{failedJob(t), createdJob(t)}
	check := func(jobs []*serviceapi.Job, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, want, jobs)
	}
	page, scope := serviceapi.ListOptions{
		Page:    2,
		PerPage: 5,
	}, []serviceapi.JobStatus{
		serviceapi.JobStatusCreated,
		serviceapi.JobStatusSuccess,
	}
	ofPipeline := &serviceapi.ListPipelineJobsOptions{ListOptions: page, Scope: scope, IncludeRetried: true}
	jobs, _, err := client.Jobs.List(t.Context(), serviceapi.ProjectID(1), nil)
	check(jobs, err)
	check(
		serviceapi.Collect(
			client.Jobs.All(
				t.Context(),
				serviceapi.ProjectID(1),
				&serviceapi.ListJobsOptions{ListOptions: page, Scope: scope},
			),
		),
	)
	check(serviceapi.Collect(client.Jobs.All(t.Context(), serviceapi.ProjectID(1), &serviceapi.ListJobsOptions{
		ListOptions: serviceapi.ListOptions{PerPage: 5},
		Scope: []serviceapi.JobStatus{
			serviceapi.JobStatusWaitingForResource,
			serviceapi.JobStatusPreparing,
			serviceapi.JobStatusScheduled,
			serviceapi.JobStatusCanceling,
		},
		Pagination: serviceapi.PaginationKeyset, OrderBy: serviceapi.JobOrderByID, Sort: serviceapi.SortDescending,
	})))
	jobs, _, err = client.Jobs.ListForPipeline(t.Context(), serviceapi.ProjectID(1), 6, nil)
	check(jobs, err)
	jobs, _, err = client.Jobs.ListForPipeline(t.Context(), serviceapi.ProjectID(1), 6, ofPipeline)
	check(jobs, err)
	check(serviceapi.Collect(client.Jobs.AllForPipeline(t.Context(), serviceapi.ProjectID(1), 6, ofPipeline)))
}

func TestJobsBridges(t *testing.T) {
	reply := "[" + fixture(t, "jobs/bridge.json") + "," + fixture(t, "jobs/bridge_created.json") + "]"
	const path = "/projects/acme%2Fapp/pipelines/6/bridges"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Query: "page=2&scope%5B%5D=failed&scope%5B%5D=manual", Body: reply},
		exchange{Method: "GET", Path: path, Body: "[]"},
		exchange{Method: "GET", Path: path, Query: "per_page=100", Body: reply},
	)
	sha := "0ff3ae198f8601a285adcf5c0fff204ee6fba5fd"
	want := []*serviceapi.Bridge{
		{
			ID: 7, Name: "deploy all", Stage: "deploy", Status: serviceapi.JobStatusFailed,
			FailureReason: serviceapi.JobFailureReasonStuckOrTimeout, Ref: "v1.0", Tag: true,
			Coverage: new(12.5), AllowFailure: true, CreatedAt: at(t, "2026-03-01T10:00:00.880Z"),
			StartedAt: at(t, "2026-03-01T10:00:05.123Z"), FinishedAt: at(t, "2026-03-01T10:02:07.500Z"),
			Duration: new(122.377), QueuedDuration: new(4.243),
			Pipeline: &serviceapi.PipelineSummary{
				ID: 6, ProjectID: 1, Ref: "v1.0", SHA: sha, Status: "failed", CreatedAt: at(t, "2026-03-01T09:59:30Z"),
				UpdatedAt: at(t, "2026-03-01T10:02:08Z"), WebURL: "https://service.test/acme/app/-/pipelines/6",
			},
			Commit: &serviceapi.CommitSummary{
				ID: sha, ShortID: "0ff3ae19", Title: "Test the CI integration.", Message: "Test the CI integration.\n",
				AuthorName: "Ada", AuthorEmail: "ada@example.com", CreatedAt: *at(t, "2026-03-01T09:59:00Z"),
			},
			User: &serviceapi.User{
				UserSummary: serviceapi.UserSummary{
					ID: 1, Name: "Ada Lovelace", Username: "ada", State: "active", PublicEmail: "ada@example.com",
					AvatarURL: "https://service.test/ada.png", WebURL: "https://service.test/ada",
				},
				CreatedAt: at(t, "2025-12-21T13:14:24.077Z"), Bio: "Counts",
				Skype: "ada.s", LinkedIn: "ada-l", Twitter: "ada_t", WebsiteURL: "https://ada.example.com",
				Discord: "4", Bot: new(false), JobTitle: "Analyst", Pronouns: "she/her",
				WorkInformation: "Analyst at Analytical",
				Followers:       new(3), Following: new(2), LocalTime: "3:38 PM", IsFollowed: new(true),
			},
			WebURL: "https://service.test/acme/app/-/jobs/7",
			DownstreamPipeline: &serviceapi.PipelineSummary{
				ID: 5, Ref: "main", SHA: "f62a4b2fb89754372a346f24659212eb8da13601", Status: "pending",
				CreatedAt: at(t, "2026-03-01T10:00:06Z"),
				UpdatedAt: at(t, "2026-03-01T10:00:07Z"), WebURL: "https://service.test/acme/downstream/-/pipelines/5",
			},
			ErasedAt: at(
				t,
				"2026-03-02T10:00:00Z",
			), Archived: true, Project: &serviceapi.JobProject{CIJobTokenScopeEnabled: true},
		},
		{
			ID: 8, Name: "later", Stage: "deploy", Status: serviceapi.JobStatusCreated, Ref: "main",
			CreatedAt: at(t, "2026-03-01T10:00:00.880Z"),
			Pipeline: &serviceapi.PipelineSummary{
				ID:        6,
				ProjectID: 1,
				Ref:       "main",
				SHA:       "0ff3ae19",
				Status:    "created",
			},
			WebURL: "https://service.test/acme/app/-/jobs/8",
		},
	}
	bridges, _, err := client.Jobs.ListBridges(
		t.Context(),
		serviceapi.ProjectPath("acme/app"),
		6,
		&serviceapi.ListBridgesOptions{
			ListOptions: serviceapi.ListOptions{
				Page: 2,
			}, Scope: []serviceapi.JobStatus{serviceapi.JobStatusFailed, serviceapi.JobStatusManual},
		},
	)
	require.NoError(t, err)
	assert.Equal(t, want, bridges)
	bridges, _, err = client.Jobs.ListBridges(t.Context(), serviceapi.ProjectPath("acme/app"), 6, nil)
	require.NoError(t, err)
	assert.Empty(t, bridges)
	bridges, err = serviceapi.Collect(client.Jobs.AllBridges(t.Context(), serviceapi.ProjectPath("acme/app"), 6, nil))
	require.NoError(t, err)
	assert.Equal(t, want, bridges)
}

// TestJobsOfATokenOnWire checks a credential that is for one call.
func TestJobsOfATokenOnWire(t *testing.T) {
	header := map[string]string{"Job-Token": "job-secret"}
	client := onWire(t,
		exchange{Method: "GET", Path: "/job", Header: header, Fixture: "jobs/job.json"},
		exchange{Method: "GET", Path: "/job/allowed_agents", Header: header, Fixture: "jobs/allowed_agents.json"},
		exchange{Method: "GET", Path: "/job/allowed_agents", Header: header, Fixture: "jobs/allowed_agents_short.json"},
		exchange{Method: "GET", Path: "/job", Status: 401, Body: `{"message":"401 Unauthorized"}`},
	)
	asJob := serviceapi.WithCredential(serviceapi.JobToken("job-secret"))
	job, _, err := client.Jobs.Current(t.Context(), asJob)
	require.NoError(t, err)
	assert.Equal(t, failedJob(t), job)

	agents, _, err := client.Jobs.AllowedAgents(t.Context(), asJob)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.JobTokenAllowedAgents{
		AllowedAgents: []*serviceapi.AllowedAgent{{ID: 11, ConfigProject: &serviceapi.ProjectSummary{
			ID: 3, Description: "Where agents are configured", Name: "Agents", NameWithNamespace: "Acme / Agents",
			Path: "agents", PathWithNamespace: "acme/agents", CreatedAt: at(t, "2026-01-04T08:30:00.120Z"),
		}, Configuration: json.RawMessage(`{"default_namespace": "production"}`)}},
		Job: &serviceapi.JobTokenJob{ID: 8, Name: "deploy", Stage: "ship", ProjectID: 1, ProjectName: "App"},
		Pipeline: &serviceapi.PipelineSummary{
			ID: 6, ProjectID: 1, Ref: "main", SHA: "0ff3ae198f8601a285adcf5c0fff204ee6fba5fd", Status: "running",
			CreatedAt: at(t, "2026-03-01T09:59:30Z"), UpdatedAt: at(t, "2026-03-01T10:02:08Z"),
			WebURL: "https://service.test/acme/app/-/pipelines/6",
		},
		Project: &serviceapi.JobTokenProject{
			ProjectSummary: serviceapi.ProjectSummary{
				ID: 1, Description: "An app", Name: "App", NameWithNamespace: "Acme / App", Path: "app",
				PathWithNamespace: "acme/app", CreatedAt: at(t, "2026-01-05T08:30:00.120Z"),
			},
		},
		User: &serviceapi.JobTokenUser{
			UserSummary: serviceapi.UserSummary{
				ID: 1, Name: "Ada Lovelace", Username: "ada", State: "active",
				AvatarURL: "https://service.test/ada.png",
				WebURL:    "https://service.test/ada",
			},
		},
	}, agents)

	agents, _, err = client.Jobs.AllowedAgents(t.Context(), asJob)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.JobTokenAllowedAgents{
		AllowedAgents: []*serviceapi.AllowedAgent{{ID: 11, ConfigProject: &serviceapi.ProjectSummary{ID: 3}}},
		Job:           &serviceapi.JobTokenJob{ID: 8},
		Pipeline:      &serviceapi.PipelineSummary{ID: 6},
		Project: &serviceapi.JobTokenProject{
			ProjectSummary: serviceapi.ProjectSummary{ID: 1},
			Groups: []*serviceapi.GroupSummary{{ID: 7},
				{ID: 9}},
		},
		User: &serviceapi.JobTokenUser{UserSummary: serviceapi.UserSummary{ID: 1, Username: "ada"},
			RolesInProject: []string{"guest", "reporter", "developer"}},
		Environment: &serviceapi.JobTokenEnvironment{Tier: serviceapi.EnvironmentTierProduction, Slug: "prod"},
	}, agents, "the shape of newer releases")

	_, _, err = client.Jobs.Current(t.Context())
	assert.ErrorIs(t, err, serviceapi.ErrUnauthorized)
}

func TestJobsTrace(t *testing.T) {
	client := onWire(t,
		exchange{
			Method: "GET", Path: "/projects/acme%2Fapp/jobs/8/trace", Body: "one\ntwo\n",
			ResponseHeader: map[string]string{"Content-Type": "text/plain", "Content-Length": "8"},
		},
		exchange{Method: "GET", Path: "/projects/acme%2Fapp/jobs/9/trace", Status: 404,
			Body: `{"message":"404 Not Found"}`},
	)
	log, resp, err := client.Jobs.Trace(t.Context(), serviceapi.ProjectPath("acme/app"), 8)
	require.NoError(t, err)
	defer log.Close()
	assert.Equal(t, 200, resp.StatusCode)
	assert.Equal(t, "text/plain", log.ContentType)
	text := make([]byte, 8)
	_, err = io.ReadFull(log, text)
	require.NoError(t, err)
	assert.Equal(t, "one\ntwo\n", string(text))
	_, _, err = client.Jobs.Trace(t.Context(), serviceapi.ProjectPath("acme/app"), 9)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

func TestJobsRefuseBadPaths(t *testing.T) {
	s, ctx := onWire(t).Jobs, t.Context()
	failed := func(_ any, _ *serviceapi.Response, err error) error { return err }
	_, all := serviceapi.Collect(s.All(ctx, serviceapi.ProjectPath("a/../b"), nil))
	_, bridges := serviceapi.Collect(s.AllBridges(ctx, serviceapi.ProjectID(1), -6, nil))
	for name, err := range map[string]error{
		"list":     failed(s.List(ctx, serviceapi.ProjectRef{}, nil)),
		"all":      all,
		"pipeline": failed(s.ListForPipeline(ctx, serviceapi.ProjectID(1), 0, nil)),
		"bridges":  bridges,
		"get":      failed(s.Get(ctx, serviceapi.ProjectID(1), 0)),
		"trace":    failed(s.Trace(ctx, serviceapi.ProjectPath(""), 8)),
	} {
		var argument *serviceapi.ArgumentError
		assert.ErrorAs(t, err, &argument, name)
	}
}

func TestJobsCancelAndRetry(t *testing.T) {
	client := onWire(t,
		exchange{Method: "POST", Path: "/projects/acme%2Fapp/jobs/8/cancel", JSON: `{}`, Status: 201,
			Fixture: "jobs/job.json"},
		exchange{Method: "POST", Path: "/projects/acme%2Fapp/jobs/8/cancel", JSON: `{"force":true}`, Status: 201,
			Fixture: "jobs/job.json"},
		exchange{Method: "POST", Path: "/projects/acme%2Fapp/jobs/8/retry", Status: 201,
			Fixture: "jobs/job_created.json"},
		exchange{Method: "POST", Path: "/projects/acme%2Fapp/jobs/8/retry", Status: 403,
			Body: `{"message":"403 Forbidden - Job is not retryable"}`},
	)
	for _, options := range []serviceapi.CancelJobOptions{{}, {Force: new(true)}} {
		job, resp, err := client.Jobs.Cancel(t.Context(), serviceapi.ProjectPath("acme/app"), 8, options)
		require.NoError(t, err)
		assert.Equal(t, 201, resp.StatusCode)
		assert.Equal(t, failedJob(t), job)
	}
	job, _, err := client.Jobs.Retry(t.Context(), serviceapi.ProjectPath("acme/app"), 8)
	require.NoError(t, err)
	assert.Equal(t, createdJob(t), job)
	_, _, err = client.Jobs.Retry(t.Context(), serviceapi.ProjectPath("acme/app"), 8)
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
	assert.ErrorContains(t, err, "not retryable")
}

func TestJobsPlay(t *testing.T) {
	const path = "/projects/acme%2Fapp/jobs/9/play"
	client := onWire(t,
		exchange{Method: "POST", Path: path, JSON: `{}`, Fixture: "jobs/job_created.json"},
		exchange{
			Method: "POST", Path: path, Fixture: "jobs/job_created.json",
			JSON: `{"job_variables_attributes":[{"key":"A","value":""},{"key":"B","value":"x",` +
				`"variable_type":"file"}],"job_inputs":{"n":3}}`,
		},
		exchange{Method: "POST", Path: path, JSON: `{}`, Status: 400,
			Body: `{"message":"400 Bad request - Unplayable Job"}`},
	)
	s, ctx, app := client.Jobs, t.Context(), serviceapi.ProjectPath("acme/app")
	for _, options := range []serviceapi.PlayJobOptions{{}, {
		Variables: []serviceapi.PipelineVariable{{Key: "A"},
			{Key: "B", Value: serviceapi.NewSecret("x"), VariableType: serviceapi.VariableTypeFile}},
		Inputs: map[string]any{"n": 3},
	}} {
		job, resp, err := s.Play(ctx, app, 9, options)
		require.NoError(t, err)
		assert.Equal(t, 200, resp.StatusCode)
		assert.Equal(t, createdJob(t), job)
	}
	_, _, err := s.Play(ctx, app, 9, serviceapi.PlayJobOptions{})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	assert.ErrorContains(t, err, "Unplayable")
}

func TestJobsErase(t *testing.T) {
	const path = "/projects/acme%2Fapp/jobs/9/erase"
	client := onWire(t,
		exchange{Method: "POST", Path: path, Status: 201, Fixture: "jobs/job_created.json"},
		exchange{Method: "POST", Path: path, Status: 403, Body: `{"message":"403 Forbidden - Job is not erasable!"}`},
	)
	job, resp, err := client.Jobs.Erase(t.Context(), serviceapi.ProjectPath("acme/app"), 9)
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, createdJob(t), job)
	_, _, err = client.Jobs.Erase(t.Context(), serviceapi.ProjectPath("acme/app"), 9)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}

func TestJobsActionsRefuseBadPaths(t *testing.T) {
	s, ctx := onWire(t).Jobs, t.Context()
	failed := func(_ any, _ *serviceapi.Response, err error) error { return err }
	for name, err := range map[string]error{
		"cancel": failed(s.Cancel(ctx, serviceapi.ProjectID(1), -8, serviceapi.CancelJobOptions{})),
		"retry":  failed(s.Retry(ctx, serviceapi.ProjectID(0), 8)),
		"play":   failed(s.Play(ctx, serviceapi.ProjectRef{}, 8, serviceapi.PlayJobOptions{})),
		"erase":  failed(s.Erase(ctx, serviceapi.ProjectID(1), 0)),
	} {
		var argument *serviceapi.ArgumentError
		assert.ErrorAs(t, err, &argument, name)
	}
	_, _, err := s.Play(
		ctx,
		serviceapi.ProjectID(1),
		8,
		serviceapi.PlayJobOptions{Inputs: map[string]any{"c": make(chan int)}},
	)
	assertRefused(t, "options", err)
}

func jobIs(s serviceapi.JobStatus) func(*http.Request) (*http.Response, error) {
	return status(200, `{"id":8,"status":"`+string(s)+`"}`)
}

func TestJobsWait(t *testing.T) {
	for _, end := range []serviceapi.JobStatus{serviceapi.JobStatusSuccess, serviceapi.JobStatusFailed,
		serviceapi.JobStatusCanceled, serviceapi.JobStatusSkipped,
		serviceapi.JobStatusManual} {
		synctest.Test(t, func(t *testing.T) {
			client, s := scriptedClient(t, serviceapi.RetryPolicy{MaxAttempts: 1},
				jobIs(serviceapi.JobStatusCreated), jobIs(serviceapi.JobStatusPending), jobIs("waiting_for_resource"),
				jobIs(serviceapi.JobStatusRunning), jobIs(end))
			job, err := client.Jobs.Wait(t.Context(), serviceapi.ProjectID(4), 8)
			require.NoError(t, err)
			assert.Equal(t, &serviceapi.Job{ID: 8, Status: end}, job)
			assert.Len(t, s.Times, 5)
			assert.Greater(t, s.Times[4].Sub(s.Times[0]), time.Second, "it waits between its questions")
		})
	}
}

func TestJobsWaitEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, serviceapi.RetryPolicy{MaxAttempts: 1}, jobIs(serviceapi.JobStatusRunning))
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		job, err := client.Jobs.Wait(ctx, serviceapi.ProjectID(4), 8)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NotNil(t, job)
		assert.Equal(t, serviceapi.JobStatusRunning, job.Status)
	})
}

func TestJobsWaitReturnsErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, serviceapi.RetryPolicy{MaxAttempts: 1}, jobIs(serviceapi.JobStatusRunning),
			status(404, `{"message":"404 Not found"}`))
		job, err := client.Jobs.Wait(t.Context(), serviceapi.ProjectID(4), 8)
		require.ErrorIs(t, err, serviceapi.ErrNotFound)
		require.NotNil(t, job)
		assert.Equal(t, serviceapi.JobStatusRunning, job.Status)
	})
	client := onWire(t)
	_, err := client.Jobs.Wait(t.Context(), serviceapi.ProjectID(4), 0)
	var argument *serviceapi.ArgumentError
	assert.ErrorAs(t, err, &argument)
}

// TestJobArtifactsDownloads checks all four downloads, with the client's
// credential and with a job token, which is sent in a header and never in the
// query.
func TestJobArtifactsDownloads(t *testing.T) {
	app := serviceapi.ProjectPath("acme/app")
	type download func(s *serviceapi.JobArtifactsService, opts ...serviceapi.RequestOption) (*serviceapi.Download,
		*serviceapi.Response, error)
	for name, tc := range map[string]struct {
		path, query string
		call        download
	}{
		"archive": {"/projects/acme%2Fapp/jobs/8/artifacts", "",
			func(s *serviceapi.JobArtifactsService, opts ...serviceapi.RequestOption) (*serviceapi.Download,
				*serviceapi.Response, error) {
				return s.Download(t.Context(), app, 8, opts...)
			}},
		"latest archive": {"/projects/acme%2Fapp/jobs/artifacts/feature%2Fx/download",
			"job=build+all&search_recent_successful_pipelines=true",
			func(s *serviceapi.JobArtifactsService, opts ...serviceapi.RequestOption) (*serviceapi.Download,
				*serviceapi.Response, error) {
				return s.DownloadLatest(t.Context(), app,
					&serviceapi.DownloadLatestArtifactsOptions{Ref: "feature/x", Job: "build all",
						SearchRecentSuccessfulPipelines: true}, opts...)
			}},
		"file": {"/projects/acme%2Fapp/jobs/8/artifacts/out/a%20b%25.html", "",
			func(s *serviceapi.JobArtifactsService, opts ...serviceapi.RequestOption) (*serviceapi.Download,
				*serviceapi.Response, error) {
				return s.DownloadFile(t.Context(), app, 8, "out/a b%.html", opts...)
			}},
		"latest file": {"/projects/acme%2Fapp/jobs/artifacts/v1.0/raw/out/index.html", "job=build",
			func(s *serviceapi.JobArtifactsService, opts ...serviceapi.RequestOption) (*serviceapi.Download,
				*serviceapi.Response, error) {
				return s.DownloadLatestFile(t.Context(), app, "out/index.html",
					&serviceapi.DownloadLatestArtifactsOptions{Ref: "v1.0", Job: "build"}, opts...)
			}},
		"latest archive of one pipeline": {"/projects/acme%2Fapp/jobs/artifacts/main/download", "job=build",
			func(s *serviceapi.JobArtifactsService, opts ...serviceapi.RequestOption) (*serviceapi.Download,
				*serviceapi.Response, error) {
				return s.DownloadLatest(t.Context(), app,
					&serviceapi.DownloadLatestArtifactsOptions{Ref: "main", Job: "build"},
					opts...)
			}},
		"latest file of several pipelines": {"/projects/acme%2Fapp/jobs/artifacts/main/raw/a",
			"job=build&search_recent_successful_pipelines=true",
			func(s *serviceapi.JobArtifactsService, opts ...serviceapi.RequestOption) (*serviceapi.Download,
				*serviceapi.Response, error) {
				return s.DownloadLatestFile(t.Context(), app, "a",
					&serviceapi.DownloadLatestArtifactsOptions{Ref: "main", Job: "build",
						SearchRecentSuccessfulPipelines: true},
					opts...)
			}},
	} {
		t.Run(name, func(t *testing.T) {
			reply := exchange{
				Method: "GET", Path: tc.path, Query: tc.query, Body: "content",
				ResponseHeader: map[string]string{"Content-Length": "7", "Content-Type": "application/zip",
					"Content-Disposition": `attachment; filename="artifacts.zip"`},
			}
			asJob, invalid, missing := reply, reply, reply
			asJob.Header = map[string]string{"Job-Token": "job-secret"}
			invalid.Status, invalid.Body, invalid.ResponseHeader = 400, `{"message":"400 Bad request"}`, nil
			missing.Status, missing.Body, missing.ResponseHeader = 404, `{"message":"404 Not Found"}`, nil
			s := onWire(t, reply, asJob, invalid, missing).JobArtifacts
			for _, opts := range [][]serviceapi.RequestOption{nil,
				{serviceapi.WithCredential(serviceapi.JobToken("job-secret"))}} {
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
			assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
			_, _, err = tc.call(s)
			assert.ErrorIs(t, err, serviceapi.ErrNotFound)
		})
	}
}

func TestJobArtifactsKeepAndDelete(t *testing.T) {
	client := onWire(t,
		exchange{Method: "POST", Path: "/projects/acme%2Fapp/jobs/10/artifacts/keep", Fixture: "jobs/job_kept.json"},
		exchange{Method: "DELETE", Path: "/projects/acme%2Fapp/jobs/10/artifacts", Status: 204},
		exchange{Method: "DELETE", Path: "/projects/acme%2Fapp/artifacts", Status: 202},
		exchange{Method: "DELETE", Path: "/projects/acme%2Fapp/artifacts", Status: 403,
			Body: `{"message":"403 Forbidden"}`},
	)
	s, app := client.JobArtifacts, serviceapi.ProjectPath("acme/app")
	job, _, err := s.Keep(t.Context(), app, 10)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.Job{
		ID: 10, Name: "build", Stage: "build", Status: serviceapi.JobStatusSuccess, Ref: "main",
		CreatedAt: at(t, "2026-03-01T10:00:00.880Z"),
		StartedAt: at(t, "2026-03-01T10:00:05.123Z"), FinishedAt: at(t, "2026-03-01T10:02:07.500Z"),
		Duration: new(122.377), QueuedDuration: new(4.243),
		ArtifactsFile: &serviceapi.ArtifactsFile{Filename: "artifacts.zip", Size: 1000},
		Artifacts: []*serviceapi.JobArtifact{
			{
				FileType:   serviceapi.ArtifactFileTypeArchive,
				Size:       1000,
				Filename:   "artifacts.zip",
				FileFormat: serviceapi.ArtifactFileFormatZip,
			},
		},
		TagList: []string{},
		Pipeline: &serviceapi.PipelineSummary{
			ID:        6,
			ProjectID: 1,
			Ref:       "main",
			SHA:       "0ff3ae19",
			Status:    "success",
		},
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
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}

// TestJobArtifactsRefuseBeforeSending checks arguments that would mean
// something else: an empty path the whole archive, dots another endpoint, and
// an empty job name any job.
func TestJobArtifactsRefuseBeforeSending(t *testing.T) {
	s, ctx := onWire(t).JobArtifacts, t.Context()
	failed := func(_ any, _ *serviceapi.Response, err error) error { return err }
	_, remove := s.Delete(ctx, serviceapi.ProjectID(1), 0)
	_, removeAll := s.DeleteAll(ctx, serviceapi.ProjectPath(""))
	for name, err := range map[string]error{
		"no job":     failed(s.Download(ctx, serviceapi.ProjectID(1), 0)),
		"no project": failed(s.Download(ctx, serviceapi.ProjectRef{}, 8)),
		"no ref": failed(s.DownloadLatest(ctx, serviceapi.ProjectID(1),
			&serviceapi.DownloadLatestArtifactsOptions{Job: "build"})),
		"dots as ref": failed(s.DownloadLatest(ctx, serviceapi.ProjectID(1),
			&serviceapi.DownloadLatestArtifactsOptions{Ref: "..", Job: "build"})),
		"no options": failed(s.DownloadLatestFile(ctx, serviceapi.ProjectID(1), "a", nil)),
		"no job name": failed(s.DownloadLatest(ctx, serviceapi.ProjectID(1),
			&serviceapi.DownloadLatestArtifactsOptions{Ref: "main"})),
		"no path":      failed(s.DownloadFile(ctx, serviceapi.ProjectID(1), 8, "")),
		"path upwards": failed(s.DownloadFile(ctx, serviceapi.ProjectID(1), 8, "a/../../b")),
		"path at root": failed(s.DownloadFile(ctx, serviceapi.ProjectID(1), 8, "/a")),
		"no file": failed(s.DownloadLatestFile(ctx, serviceapi.ProjectID(1), "",
			&serviceapi.DownloadLatestArtifactsOptions{Ref: "main", Job: "build"})),
		"no name": failed(s.DownloadLatestFile(ctx, serviceapi.ProjectID(1), "a",
			&serviceapi.DownloadLatestArtifactsOptions{Ref: "main"})),
		"keep":          failed(s.Keep(ctx, serviceapi.ProjectID(1), -8)),
		"delete":        remove,
		"delete of all": removeAll,
	} {
		var argument *serviceapi.ArgumentError
		if assert.ErrorAs(t, err, &argument, name) {
			assert.NotEmpty(t, argument.Problem, name)
		}
	}
}
