package serviceapi

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// narrowClient has two connections and a limit for an attempt.
func narrowClient(t *testing.T, handler http.HandlerFunc, limit time.Duration) *Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	transport := DefaultTransport()
	transport.MaxConnsPerHost = 2
	t.Cleanup(transport.CloseIdleConnections)
	client, err := NewClient(server.URL, Anonymous(), WithHTTPClient(&http.Client{Transport: transport}),
		WithRetry(RetryPolicy{AttemptTimeout: limit, MaxAttempts: 1}))
	require.NoError(t, err)
	return client
}

// TestAttemptTimeoutBeginsWithTheConnection checks that a write that waits for one
// of the client's own connections is not taken for one that may have been executed.
func TestAttemptTimeoutBeginsWithTheConnection(t *testing.T) {
	var hits atomic.Int32
	client := narrowClient(t, func(w http.ResponseWriter, _ *http.Request) {
		hits.Add(1)
		time.Sleep(50 * time.Millisecond)
		fmt.Fprint(w, `{"id":8}`)
	}, 500*time.Millisecond)
	var failed atomic.Int32
	var wg sync.WaitGroup
	for range 60 { // 1.5 seconds for two connections
		wg.Go(func() {
			if _, err := client.Do(t.Context(), http.MethodPost, Route("/things"), map[string]int{"a": 1},
				nil); err != nil {
				failed.Add(1)
			}
		})
	}
	wg.Wait()
	assert.Zero(t, failed.Load())
	assert.EqualValues(t, 60, hits.Load())
}

// TestAttemptTimeoutOfRedirects checks that all redirects of an attempt share one
// limit, and that the next attempt has its own.
func TestAttemptTimeoutOfRedirects(t *testing.T) {
	var hops atomic.Int32
	client := narrowClient(t, func(w http.ResponseWriter, r *http.Request) {
		hops.Add(1)
		select {
		case <-time.After(100 * time.Millisecond):
		case <-r.Context().Done():
		}
		http.Redirect(w, r, fmt.Sprintf("/api/v4/hops/%d", hops.Load()), http.StatusFound)
	}, 350*time.Millisecond)
	_, err := client.Do(t.Context(), http.MethodGet, Route("/hops"), nil, nil)
	require.ErrorIs(t, err, errAttemptTimeout)
	assert.Less(t, hops.Load(), int32(5))
	hops.Store(0)
	_, err = client.Do(t.Context(), http.MethodGet, Route("/hops"), nil, nil,
		WithRetry(RetryPolicy{AttemptTimeout: 150 * time.Millisecond, MaxAttempts: 2, MinWait: 1}))
	require.ErrorIs(t, err, errAttemptTimeout)
	assert.Greater(t, hops.Load(), int32(2), "the second attempt goes on to a redirect, too")
}

// TestAttemptTimeoutOfOtherTransports checks that the limit applies to a transport
// that does not say when it has a connection.
func TestAttemptTimeoutOfOtherTransports(t *testing.T) {
	hang := roundTrip(func(r *http.Request) (*http.Response, error) {
		<-r.Context().Done()
		return nil, r.Context().Err()
	})
	client, err := NewClient("https://service.test", Anonymous(), WithHTTPClient(&http.Client{Transport: hang}),
		WithRetry(RetryPolicy{AttemptTimeout: 20 * time.Millisecond, MaxAttempts: 1}))
	require.NoError(t, err)
	_, err = client.Do(t.Context(), http.MethodGet, Route("/things"), nil, nil)
	require.ErrorIs(t, err, errAttemptTimeout)
}
