package serviceapi

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// limitedService refuses the calls that it is asked to, and counts all of them.
type limitedService struct {
	*httptest.Server
	hits atomic.Int32
}

func newLimitedService(t *testing.T, refuses func(*http.Request) bool, header ...string) (*limitedService, *Client) {
	t.Helper()
	s := new(limitedService)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.hits.Add(1)
		if !refuses(r) {
			fmt.Fprint(w, `{"id":8}`)
			return
		}
		w.Header().Set("Retry-After", "30")
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	t.Cleanup(s.Close)
	// A call that would have to wait for a pause returns at once, with the refusal
	// of the service or without one.
	client, err := NewClient(s.URL, PrivateToken("token-0123456789"),
		WithRetry(RetryPolicy{MaxAttempts: 1, MaxWait: time.Minute}))
	require.NoError(t, err)
	return s, client
}

// isPaused reports whether a job of a project has to wait for a refusal of others.
func isPaused(t *testing.T, client *Client, project int64) bool {
	t.Helper()
	cl, err := newCall(t.Context(), client, http.MethodGet, Route("/projects/:id/jobs/:job_id", ProjectID(project), 8),
		nil, nil)
	require.NoError(t, err)
	s := &sending{call: cl, secret: "token-0123456789"}
	return s.pauseLeft() > 0
}

// TestRefusalOfOneProject checks that a limit of one project does not stop the calls
// for others, however often it is met.
func TestRefusalOfOneProject(t *testing.T) {
	service, client := newLimitedService(t, func(r *http.Request) bool {
		return strings.Contains(r.URL.Path, "/projects/1/") || strings.Contains(r.URL.Path, "/projects/2/")
	})
	for _, project := range []int64{1, 3, 2, 4, 5, 6} {
		_, _, err := client.Jobs.Get(t.Context(), ProjectID(project), 8)
		if project <= 2 {
			require.ErrorIs(t, err, ErrRateLimited)
		} else {
			require.NoError(t, err)
		}
	}
	assert.EqualValues(t, 6, service.hits.Load())
	assert.True(t, isPaused(t, client, 1))
	assert.True(t, isPaused(t, client, 2))
	assert.False(t, isPaused(t, client, 3))
}

// TestRefusalsOfAnEndpoint checks that the third project that is refused in a row
// stops the calls for all, and the second if the service names the limit.
func TestRefusalsOfAnEndpoint(t *testing.T) {
	for name, tc := range map[string]struct {
		header []string
		needed int64
	}{
		"without a name": {nil, 3},
		"with a name":    {[]string{"RateLimit-Name", "throttle_authenticated_api"}, 2},
	} {
		_, client := newLimitedService(t, func(*http.Request) bool { return true }, tc.header...)
		for project := range tc.needed {
			assert.False(t, isPaused(t, client, 9), name)
			_, _, err := client.Jobs.Get(t.Context(), ProjectID(project+1), 8)
			require.ErrorIs(t, err, ErrRateLimited)
		}
		assert.True(t, isPaused(t, client, 9), name)
	}
}

// TestBurstIsRefusedOnce checks what docs/reliability.md says of calls that begin at
// the same time: nothing can stop the first requests, but each is refused only once.
func TestBurstIsRefusedOnce(t *testing.T) {
	const calls = 40
	var first atomic.Int32
	var over atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if first.Add(1); over.Load() {
			fmt.Fprint(w, `{"id":8}`)
			return
		}
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	defer server.Close()
	time.AfterFunc(900*time.Millisecond, func() { over.Store(true) })
	client, err := NewClient(server.URL, PrivateToken("token-0123456789"))
	require.NoError(t, err)
	var wg sync.WaitGroup
	for range calls {
		wg.Go(func() {
			_, err := getJob(t.Context(), client)
			assert.NoError(t, err)
		})
	}
	wg.Wait()
	assert.LessOrEqual(t, first.Load(), int32(2*calls))
	assert.Greater(t, first.Load(), int32(calls))
}
