package serviceapi

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func jobIs(s JobStatus) func(*http.Request) (*http.Response, error) {
	return status(200, `{"id":8,"status":"`+string(s)+`"}`)
}

func TestJobsWait(t *testing.T) {
	for _, end := range []JobStatus{JobStatusSuccess, JobStatusFailed, JobStatusCanceled, JobStatusSkipped, JobStatusManual} {
		synctest.Test(t, func(t *testing.T) {
			client, s := scriptedClient(t, RetryPolicy{MaxAttempts: 1},
				jobIs(JobStatusCreated), jobIs(JobStatusPending), jobIs("waiting_for_resource"), jobIs(JobStatusRunning), jobIs(end))
			job, err := client.Jobs.Wait(t.Context(), ProjectID(4), 8)
			require.NoError(t, err)
			assert.Equal(t, &Job{ID: 8, Status: end}, job)
			assert.Len(t, s.times, 5)
			assert.Greater(t, s.times[4].Sub(s.times[0]), time.Second, "it waits between its questions")
		})
	}
}

func TestJobsWaitEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, jobIs(JobStatusRunning))
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		job, err := client.Jobs.Wait(ctx, ProjectID(4), 8)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NotNil(t, job)
		assert.Equal(t, JobStatusRunning, job.Status)
	})
}

func TestJobsWaitReturnsErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, jobIs(JobStatusRunning), status(404, `{"message":"404 Not found"}`))
		job, err := client.Jobs.Wait(t.Context(), ProjectID(4), 8)
		require.ErrorIs(t, err, ErrNotFound)
		require.NotNil(t, job)
		assert.Equal(t, JobStatusRunning, job.Status)
	})
	client := onWire(t)
	_, err := client.Jobs.Wait(t.Context(), ProjectID(4), 0)
	var argument *ArgumentError
	assert.ErrorAs(t, err, &argument)
}
