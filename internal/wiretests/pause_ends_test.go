package wiretests

import (
	"context"
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPausesEndWithASuccess checks that calls do not wait for a pause during which one was accepted.
func TestPausesEndWithASuccess(t *testing.T) {
	var requests atomic.Int32
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		if requests.Add(1) == 1 {
			w.Header().Set("Retry-After", "5")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		_, _ = io.WriteString(w, `{"id":8}`)
	}, serviceapi.WithRetry(serviceapi.RetryPolicy{MaxAttempts: 1}))
	get := func(limit time.Duration) error {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		return third(client.Jobs.Get(ctx, somewhere, 8))
	}
	require.ErrorIs(t, get(time.Minute), serviceapi.ErrRateLimited)
	require.NoError(t, get(time.Second), "which cannot wait")
	started := time.Now()
	require.NoError(t, get(time.Minute))
	assert.Less(t, time.Since(started), 2*time.Second)
}
