package demo_test

import (
	"context"
	"errors"
	"io"
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/examples/internal/demo"
	"example.com/serviceapi/examples/internal/demo/demotest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func failing(err error) demo.Program {
	return func(context.Context, []string, io.Writer, io.Writer) error { return err }
}

func TestStatuses(t *testing.T) {
	assert.Equal(t, demotest.Result{}, demotest.Run(t, failing(nil)))
	assert.Equal(t, demotest.Result{Status: 1, Notes: "program: broken\n"},
		demotest.Run(t, failing(errors.New("broken"))))
	assert.Equal(t, demotest.Result{Status: 2, Notes: "program: name one of 3\n"},
		demotest.Run(t, failing(demo.Usage("name one of %d", 3))))
	for _, status := range []int{401, 403, 404} {
		got := demotest.Run(t,
			failing(&serviceapi.Error{CallInfo: serviceapi.CallInfo{Method: "GET", Operation: "/job"},
				StatusCode: status, Message: "no"}))
		assert.Equal(t, 1, got.Status)
		assert.Regexp(t, `^program: GET /job: 40\d no\n[A-Z].*[.?]\n$`, got.Notes)
	}
}

func TestFlags(t *testing.T) {
	program := func(_ context.Context, args []string, out, notes io.Writer) error {
		flags := demo.Flags("program [-n count]", notes)
		flags.Int("n", 3, "how many")
		return demo.Parse(flags, args)
	}
	assert.Equal(t, demotest.Result{}, demotest.Run(t, program, "-n", "4"))
	help := demotest.Run(t, program, "-h")
	assert.Equal(t, 0, help.Status)
	assert.Contains(t, help.Notes, "usage: program [-n count]\n")
	assert.Contains(t, help.Notes, "how many (default 3)")
	wrong := demotest.Run(t, program, "-x")
	assert.Equal(t, 2, wrong.Status)
	assert.Contains(t, wrong.Notes, "flag provided but not defined: -x\nusage: program [-n count]\n")
}

func TestConnect(t *testing.T) {
	demotest.Clear(t)
	project, err := demo.Project(nil)
	require.NoError(t, err)
	client, stop, err := demo.Connect(io.Discard)
	require.NoError(t, err)
	_, _, err = client.Projects.Get(t.Context(), project, nil)
	require.NoError(t, err)
	stop()

	shop := demotest.Shop(t)
	client, stop, err = demo.Connect(io.Discard)
	require.NoError(t, err)
	defer stop()
	assert.Equal(t, shop.Service.URL(), client.BaseURL())
	_, err = demo.Project(nil)
	assert.ErrorContains(t, err, "name one project")
	t.Setenv("SERVICE_TOKEN", "")
	_, _, err = demo.Connect(io.Discard)
	assert.ErrorContains(t, err, "SERVICE_TOKEN")
}

// TestShopPipelines checks that pipelines succeed although nobody starts a
// manual job, and that the three failures are different.
func TestShopPipelines(t *testing.T) {
	shop := demotest.Shop(t)
	client, err := serviceapi.NewClient(shop.Service.URL(), serviceapi.PrivateToken(shop.Token))
	require.NoError(t, err)
	ctx, project := t.Context(), serviceapi.ProjectPath("acme/shop")
	counts := map[serviceapi.PipelineStatus]int{}
	for pipeline, err := range client.Pipelines.All(ctx, project, nil) {
		require.NoError(t, err)
		counts[pipeline.Status]++
	}
	assert.Equal(t, map[serviceapi.PipelineStatus]int{serviceapi.PipelineStatusSuccess: 57,
		serviceapi.PipelineStatusFailed: 3}, counts)
	latest, _, err := client.JobArtifacts.DownloadLatest(ctx, project,
		&serviceapi.DownloadLatestArtifactsOptions{Ref: "main", Job: "compile"})
	require.NoError(t, err)
	require.NoError(t, latest.Close())

	logs, times := map[string]bool{}, map[float64]bool{}
	for job, err := range client.Jobs.All(ctx, project,
		&serviceapi.ListJobsOptions{Scope: []serviceapi.JobStatus{serviceapi.JobStatusFailed}}) {
		require.NoError(t, err)
		log, _, err := client.Jobs.Trace(ctx, project, job.ID)
		require.NoError(t, err)
		text, err := io.ReadAll(log)
		require.NoError(t, err)
		logs[string(text)], times[*job.Duration] = true, true
		assert.Equal(t, "integration", job.Name)
		assert.Contains(t, string(text), "ERROR: Job failed")
	}
	assert.Len(t, logs, 3)
	assert.Len(t, times, 3)
}
