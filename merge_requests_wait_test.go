package serviceapi

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	rebaseQueued  = status(202, `{"rebase_in_progress":true}`)
	rebaseRunning = status(200, `{"id":84,"iid":14,"rebase_in_progress":true,"merge_error":"of the time before"}`)
	rebaseDone    = status(200, `{"id":84,"iid":14,"rebase_in_progress":false,"merge_error":null}`)
	rebaseFailed  = status(200, `{"id":84,"iid":14,"rebase_in_progress":false,"merge_error":"Rebase failed:\nconflict"}`)
)

func TestRebaseAndWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, s := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, rebaseQueued, rebaseRunning, rebaseRunning, rebaseRunning, rebaseDone)
		mr, err := client.MergeRequests.RebaseAndWait(t.Context(), ProjectID(4), 14, RebaseOptions{})
		require.NoError(t, err)
		assert.Equal(t, &MergeRequestDetails{RebaseInProgress: new(false), ID: 84, IID: 14}, mr)
		assert.Equal(t, []string{"PUT", "GET", "GET", "GET", "GET"}, s.methods)
		assert.Equal(t, s.times[0], s.times[1], "asked at once")
		assert.Greater(t, s.times[2].Sub(s.times[1]), 200*time.Millisecond, "then waited")
	})
}

func TestRebaseAndWaitFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, rebaseQueued, rebaseRunning, rebaseFailed)
		mr, err := client.MergeRequests.RebaseAndWait(t.Context(), ProjectID(4), 14, RebaseOptions{})
		var failed *RebaseError
		require.ErrorAs(t, err, &failed)
		assert.Equal(t, "Rebase failed:\nconflict", failed.Message)
		assert.Same(t, mr, failed.MergeRequest)
		assert.Equal(t, `serviceapi: rebase of merge request !14 failed: Rebase failed:\nconflict`, err.Error())
	})
}

func TestWaitForRebaseEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, s := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, rebaseRunning)
		tired := errors.New("tired")
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, tired)
		defer cancel()
		start := time.Now()
		mr, err := client.MergeRequests.WaitForRebase(ctx, ProjectID(4), 14)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorIs(t, err, tired)
		assert.Equal(t, time.Minute, time.Since(start))
		require.NotNil(t, mr, "the last state comes beside the error")
		assert.True(t, *mr.RebaseInProgress)
		assert.Less(t, len(s.times), 30, "asked more and more slowly")
	})
}

func TestWaitForRebaseReturnsErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, rebaseRunning, status(404, `{"message":"404 Not found"}`))
		mr, err := client.MergeRequests.WaitForRebase(t.Context(), ProjectID(4), 14)
		require.ErrorIs(t, err, ErrNotFound)
		require.NotNil(t, mr)
		assert.Equal(t, int64(84), mr.ID)
	})
}
