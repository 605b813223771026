package serviceapi

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestJobsCancelAndRetry(t *testing.T) {
	client := onWire(t,
		exchange{Method: "POST", Path: "/projects/acme%2Fapp/jobs/8/cancel", JSON: `{}`, Status: 201, Fixture: "jobs/job.json"},
		exchange{Method: "POST", Path: "/projects/acme%2Fapp/jobs/8/cancel", JSON: `{"force":true}`, Status: 201, Fixture: "jobs/job.json"},
		exchange{Method: "POST", Path: "/projects/acme%2Fapp/jobs/8/retry", Status: 201, Fixture: "jobs/job_created.json"},
		exchange{Method: "POST", Path: "/projects/acme%2Fapp/jobs/8/retry", Status: 403, Body: `{"message":"403 Forbidden - Job is not retryable"}`},
	)
	for _, options := range []CancelJobOptions{{}, {Force: new(true)}} {
		job, resp, err := client.Jobs.Cancel(t.Context(), ProjectPath("acme/app"), 8, options)
		require.NoError(t, err)
		assert.Equal(t, 201, resp.StatusCode)
		assert.Equal(t, failedJob(t), job)
	}
	job, _, err := client.Jobs.Retry(t.Context(), ProjectPath("acme/app"), 8)
	require.NoError(t, err)
	assert.Equal(t, createdJob(t), job)
	_, _, err = client.Jobs.Retry(t.Context(), ProjectPath("acme/app"), 8)
	require.ErrorIs(t, err, ErrForbidden)
	assert.ErrorContains(t, err, "not retryable")
}

func TestJobsPlay(t *testing.T) {
	const path = "/projects/acme%2Fapp/jobs/9/play"
	client := onWire(t,
		exchange{Method: "POST", Path: path, JSON: `{}`, Fixture: "jobs/job_created.json"},
		exchange{
			Method: "POST", Path: path, Fixture: "jobs/job_created.json",
			JSON: `{"job_variables_attributes":[{"key":"A","value":""},{"key":"B","value":"x","variable_type":"file"}],"job_inputs":{"n":3}}`,
		},
		exchange{Method: "POST", Path: path, JSON: `{}`, Status: 400, Body: `{"message":"400 Bad request - Unplayable Job"}`},
	)
	s, ctx, app := client.Jobs, t.Context(), ProjectPath("acme/app")
	for _, options := range []PlayJobOptions{{}, {
		Variables: []PipelineVariable{{Key: "A"}, {Key: "B", Value: NewSecret("x"), VariableType: VariableTypeFile}},
		Inputs:    map[string]any{"n": 3},
	}} {
		job, resp, err := s.Play(ctx, app, 9, options)
		require.NoError(t, err)
		assert.Equal(t, 200, resp.StatusCode)
		assert.Equal(t, createdJob(t), job)
	}
	_, _, err := s.Play(ctx, app, 9, PlayJobOptions{})
	require.ErrorIs(t, err, ErrBadRequest)
	assert.ErrorContains(t, err, "Unplayable")
}

func TestJobsErase(t *testing.T) {
	const path = "/projects/acme%2Fapp/jobs/9/erase"
	client := onWire(t,
		exchange{Method: "POST", Path: path, Status: 201, Fixture: "jobs/job_created.json"},
		exchange{Method: "POST", Path: path, Status: 403, Body: `{"message":"403 Forbidden - Job is not erasable!"}`},
	)
	job, resp, err := client.Jobs.Erase(t.Context(), ProjectPath("acme/app"), 9)
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, createdJob(t), job)
	_, _, err = client.Jobs.Erase(t.Context(), ProjectPath("acme/app"), 9)
	assert.ErrorIs(t, err, ErrForbidden)
}

func TestJobsActionsRefuseBadPaths(t *testing.T) {
	s, ctx := onWire(t).Jobs, t.Context()
	failed := func(_ any, _ *Response, err error) error { return err }
	for name, err := range map[string]error{
		"cancel": failed(s.Cancel(ctx, ProjectID(1), -8, CancelJobOptions{})),
		"retry":  failed(s.Retry(ctx, ProjectID(0), 8)),
		"play":   failed(s.Play(ctx, ProjectRef{}, 8, PlayJobOptions{})),
		"erase":  failed(s.Erase(ctx, ProjectID(1), 0)),
	} {
		var argument *ArgumentError
		assert.ErrorAs(t, err, &argument, name)
	}
	_, _, err := s.Play(ctx, ProjectID(1), 8, PlayJobOptions{Inputs: map[string]any{"c": make(chan int)}})
	assertRefused(t, "options", err)
}
