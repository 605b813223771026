package serviceapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func jobRunning() func(*http.Request) (*http.Response, error) { return jobIs(JobRunning) }

func TestWaitSlowsDown(t *testing.T) {
	for _, tc := range []struct {
		opts        []RequestOption
		first, most time.Duration
	}{
		{nil, 500 * time.Millisecond, 10 * time.Second},
		{[]RequestOption{WithPollInterval(time.Second, 3*time.Second)}, time.Second, 3 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			script := make([]func(*http.Request) (*http.Response, error), 14)
			for i := range script {
				script[i] = jobRunning()
			}
			script[13] = jobIs(JobSuccess)
			client, s := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, script...)
			_, err := client.Jobs.Wait(t.Context(), ProjectID(4), 8, tc.opts...)
			require.NoError(t, err)
			require.Len(t, s.times, 14)
			expected := tc.first
			for i := 1; i < len(s.times); i++ {
				wait := s.times[i].Sub(s.times[i-1])
				assert.InDelta(t, expected.Seconds(), wait.Seconds(), expected.Seconds()/2+0.001, "wait %d", i)
				expected = min(expected+expected/2, tc.most)
			}
			assert.Equal(t, tc.most, expected)
		})
	}
}

func TestWaitEndsWithItsContext(t *testing.T) {
	tired := errors.New("tired")
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, jobRunning(), jobRunning(), jobRunning())
		start := time.Now()
		ctx, cancel := context.WithTimeoutCause(t.Context(), 700*time.Millisecond, tired)
		defer cancel()
		job, err := client.Jobs.Wait(ctx, ProjectID(4), 8)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.ErrorIs(t, err, tired)
		assert.ErrorContains(t, err, `gave up waiting for job 8 in state "running"`)
		assert.Equal(t, JobRunning, job.Status)
		assert.Equal(t, 700*time.Millisecond, time.Since(start))
	})
}

func TestWaitReportsWhatItSees(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, jobIs(JobPending), jobRunning(), jobIs(JobFailed))
		start := time.Now()
		var seen []string
		_, err := client.Jobs.Wait(t.Context(), ProjectID(4), 8, WithPollObserver(func(p Poll) {
			assert.Equal(t, time.Since(start), p.Elapsed)
			seen = append(seen, fmt.Sprint(p.Target, p.State, p.Done, p.Count))
		}))
		require.NoError(t, err)
		assert.Equal(t, []string{"job 8pendingfalse 1", "job 8runningfalse 2", "job 8failedtrue 3"}, seen)
	})
}

func TestWaitDoesNotAskForWhatItHas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tagged := func(req *http.Request) (*http.Response, error) {
			resp, err := jobRunning()(req)
			resp.Header.Set("Etag", `W/"1"`)
			return resp, err
		}
		var asked []string
		same := func(req *http.Request) (*http.Response, error) {
			asked = append(asked, req.Header.Get("If-None-Match"))
			return status(304, "")(req)
		}
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, tagged, same, same, jobIs(JobSuccess))
		job, err := client.Jobs.Wait(t.Context(), ProjectID(4), 8)
		require.NoError(t, err)
		assert.Equal(t, JobSuccess, job.Status)
		assert.Equal(t, []string{`W/"1"`, `W/"1"`}, asked)
	})
}

func TestPollIntervalArguments(t *testing.T) {
	client := onWire(t)
	for _, bad := range [][2]time.Duration{{0, time.Second}, {-1, 1}, {2, 1}} {
		_, err := client.Jobs.Wait(t.Context(), ProjectID(4), 8, WithPollInterval(bad[0], bad[1]))
		assertRefused(t, "poll interval", err)
	}
}
