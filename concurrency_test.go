package serviceapi

import (
	"fmt"
	"io"
	"net"
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

// TestManyGoroutines shares one client between 200 goroutines, each with its
// own options, against a server that fails in every way.
func TestManyGoroutines(t *testing.T) {
	const goroutines, calls = 200, 20
	var created sync.Map // number of times each POST was executed
	var open atomic.Int32
	var turn atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch n := turn.Add(1); {
		case n%7 == 0:
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		case n%11 == 0 && r.Method == http.MethodGet:
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		case n%13 == 0 && r.Method == http.MethodGet:
			panic(http.ErrAbortHandler)
		case n%17 == 0 && r.Method == http.MethodGet:
			w.Header().Set("Content-Length", "500")
			io.WriteString(w, `{"id":`)
			return
		}
		if r.Method == http.MethodPost {
			count, _ := created.LoadOrStore(string(body), new(atomic.Int32))
			count.(*atomic.Int32).Add(1)
		}
		fmt.Fprintf(w, `{"id":1,"name":%q,"ref":%q,"stage":%q}`,
			r.Header.Get("Sudo"), r.Header.Get("X-Call"), r.URL.Query().Get("q")+string(body))
	}))
	countConnections(server, &open)
	server.Start()
	client := clientOf(t, server.URL,
		WithRetry(RetryPolicy{MaxAttempts: 12, MinWait: time.Millisecond, MaxWait: time.Second}))

	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() {
			for i := range calls {
				user, tag := fmt.Sprintf("user-%d", g), fmt.Sprintf("%d-%d", g, i)
				opts := []RequestOption{WithSudo(Username(user)), WithHeader("X-Call", tag)}
				if i%2 == 0 {
					job, err := getJob(t.Context(), client, append(opts, WithQuery("q", tag))...)
					if assert.NoError(t, err) {
						assert.Equal(t, []string{user, tag, tag}, []string{job.Name, job.Ref, job.Stage})
					}
					continue
				}
				var job Job
				_, err := client.Do(t.Context(), http.MethodPost, EscapedPath("/things"), tag, &job, opts...)
				if assert.NoError(t, err) {
					assert.Equal(t, []string{user, tag, `"` + tag + `"`}, []string{job.Name, job.Ref, job.Stage})
				}
			}
		})
	}
	wg.Wait()
	n := 0
	created.Range(func(key, count any) bool {
		n++
		assert.EqualValues(t, 1, count.(*atomic.Int32).Load(), "%s was executed more than once", key)
		return true
	})
	assert.Equal(t, goroutines*calls/2, n)
	assert.LessOrEqual(t, open.Load(), int32(64), "connections are bounded")
	client.CloseIdleConnections()
	server.Close()
	assertNoGoroutines(t)
	assert.Zero(t, open.Load())
}

// TestConcurrentWalks shares one sequence between goroutines.
func TestConcurrentWalks(t *testing.T) {
	client, _ := serve(t, pagesOf(1000, 0))
	seq := client.Jobs.All(t.Context(), ProjectID(1), &ListJobsOptions{ListOptions: ListOptions{PerPage: 50}},
		WithConcurrentPages(3))
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			jobs, err := Collect(seq)
			assert.NoError(t, err)
			if assert.Len(t, jobs, 1000) {
				assert.EqualValues(t, 1000, jobs[999].ID)
			}
		})
	}
	wg.Wait()
}

// TestErrorsLeaveConnectionsUsable checks that the next call does not need a
// new connection, whatever the response was.
func TestErrorsLeaveConnectionsUsable(t *testing.T) {
	var opened atomic.Int32
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Query().Get("q") {
		case "404":
			w.WriteHeader(404)
			io.WriteString(w, strings.Repeat("x", 30_000))
		case "html":
			io.WriteString(w, "<html>"+strings.Repeat("x", 30_000))
		case "304":
			w.WriteHeader(304)
		default:
			io.WriteString(w, `{"id":8}`)
		}
	}))
	server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			opened.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	client := clientOf(t, server.URL)
	for i := range 40 {
		q := []string{"", "404", "html", "304"}[i%4]
		_, err := getJob(t.Context(), client, WithQuery("q", q))
		require.Equal(t, q != "", err != nil)
		_, err = client.JobArtifacts.Delete(t.Context(), ProjectID(1), 8)
		require.NoError(t, err)
	}
	assert.EqualValues(t, 1, opened.Load())
}
