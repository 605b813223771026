package servicetests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// upcomingJobs returns the IDs of the jobs that will get a group, the next one first.
func upcomingJobs(t *testing.T, c *serviceapi.Client, key string) []int64 {
	t.Helper()
	ids := []int64{}
	for job, err := range c.ResourceGroups.AllUpcomingJobs(t.Context(), app, key, nil) {
		require.NoError(t, err)
		ids = append(ids, job.ID)
	}
	return ids
}

// currentJob returns the ID of the job that has a group, or 0.
func currentJob(t *testing.T, c *serviceapi.Client, key string) int64 {
	t.Helper()
	job, _, err := c.ResourceGroups.CurrentJob(t.Context(), app, key)
	require.NoError(t, err)
	if job == nil {
		return 0
	}
	return job.ID
}

// TestServiceResourceGroups starts three pipelines whose second jobs are in a group. Who gets it
// after the first one depends on the order.
func TestServiceResourceGroups(t *testing.T) {
	for mode, want := range map[serviceapi.ResourceGroupProcessMode]struct {
		next  int64
		order []int64
	}{
		serviceapi.ResourceGroupProcessModeUnordered:        {4, []int64{4, 6}},
		serviceapi.ResourceGroupProcessModeOldestFirst:      {4, []int64{4, 6, 8}},
		serviceapi.ResourceGroupProcessModeNewestFirst:      {0, []int64{8, 6, 4}},
		serviceapi.ResourceGroupProcessModeNewestReadyFirst: {6, []int64{6, 4}},
	} {
		t.Run(string(mode), func(t *testing.T) {
			svc := servicetest.New(t)
			project := svc.Project("acme/app")
			project.CI(servicetest.PlanJob("build", servicetest.Stage("build")),
				servicetest.PlanJob("deploy", servicetest.Stage("deploy"), servicetest.InResourceGroup("eu"),
					servicetest.Running()))
			c, ctx := asRoot(t, svc), t.Context()
			start := func() {
				_, _, err := c.Pipelines.Create(ctx, app, serviceapi.CreatePipelineOptions{Ref: "main"})
				require.NoError(t, err)
			}
			start()
			start()
			start()
			svc.Advance(2 * time.Minute)
			assert.Equal(t, int64(2), currentJob(t, c, "eu"), "the job that was ready first")
			start()
			changed, _, err := c.ResourceGroups.Update(ctx, app, "eu",
				serviceapi.UpdateResourceGroupOptions{ProcessMode: &mode})
			require.NoError(t, err)
			got, _, err := c.ResourceGroups.Get(ctx, app, "eu")
			require.NoError(t, err)
			assert.Equal(t, changed, got)
			assert.Equal(t, mode, got.ProcessMode)
			assert.Equal(t, want.order, upcomingJobs(t, c, "eu"))
			_, _, err = c.Jobs.Cancel(ctx, app, 2, serviceapi.CancelJobOptions{})
			require.NoError(t, err)
			assert.Equal(t, want.next, currentJob(t, c, "eu"))
		})
	}
}

// TestServiceResourceGroupsOfSeededJobs: a job that a test made has its group at once, and one
// that is played waits.
func TestServiceResourceGroupsOfSeededJobs(t *testing.T) {
	svc := servicetest.New(t)
	pipeline := svc.Project("acme/app").Pipeline("main")
	group := servicetest.InResourceGroup("eu")
	first := pipeline.Job("first", servicetest.Running(), group)
	second := pipeline.Job("second", servicetest.Manual(), group)
	c, ctx := asRoot(t, svc), t.Context()
	groups, err := serviceapi.Collect(c.ResourceGroups.All(ctx, app, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.ResourceGroup{{
		ID: 1, Key: "eu", ProcessMode: serviceapi.ResourceGroupProcessModeUnordered,
		CreatedAt: svc.Now(), UpdatedAt: svc.Now(),
	}}, groups)
	played, _, err := c.Jobs.Play(ctx, app, second.ID(), serviceapi.PlayJobOptions{})
	require.NoError(t, err)
	assert.Equal(t, serviceapi.JobStatusWaitingForResource, played.Status)
	svc.Advance(time.Hour)
	assert.Equal(t, []int64{second.ID()}, upcomingJobs(t, c, "eu"))
	assert.Equal(t, first.ID(), currentJob(t, c, "eu"))
	first.Succeed()
	assert.Equal(t, second.ID(), currentJob(t, c, "eu"))
	svc.Advance(2 * time.Minute)
	assert.Equal(t, "success", second.Status())
	assert.Zero(t, currentJob(t, c, "eu"))
}
