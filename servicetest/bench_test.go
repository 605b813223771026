package servicetest_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"example.com/serviceapi/servicetest"
)

// seedJobs makes a service with many jobs.
func seedJobs(tb testing.TB, n int) *servicetest.Service {
	tb.Helper()
	svc := servicetest.New(tb)
	pipe := svc.Project("acme/app").Pipeline("main")
	for range n {
		pipe.Job("test", servicetest.Trace("log"), servicetest.Failed("script_failure"))
	}
	return svc
}

// A counter is a response of which only the size is kept.
type counter struct {
	header http.Header
	size   int64
	status int
}

func (c *counter) Header() http.Header    { return c.header }
func (c *counter) WriteHeader(status int) { c.status = status }
func (c *counter) Write(p []byte) (int, error) {
	c.size += int64(len(p))
	return len(p), nil
}

func pageRequest(svc *servicetest.Service) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "/api/v4/projects/1/jobs?per_page=100&page=2", nil)
	r.Header.Set("PRIVATE-TOKEN", svc.AdminToken())
	return r
}

// BenchmarkJobPage measures the cost of a page of 100 jobs for the service,
// without the network.
func BenchmarkJobPage(b *testing.B) {
	svc := seedJobs(b, 1000)
	r := pageRequest(svc)
	for b.Loop() {
		w := &counter{header: make(http.Header)}
		svc.ServeHTTP(w, r)
		if w.status != http.StatusOK {
			b.Fatalf("status %d", w.status)
		}
		b.SetBytes(w.size)
	}
}

// BenchmarkDecodeJobPage measures the cost of decoding the same page for a
// client, for comparison.
func BenchmarkDecodeJobPage(b *testing.B) {
	svc := seedJobs(b, 1000)
	w := httptest.NewRecorder()
	svc.ServeHTTP(w, pageRequest(svc))
	body := w.Body.Bytes()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		var jobs []map[string]any
		if err := json.Unmarshal(body, &jobs); err != nil {
			b.Fatal(err)
		}
	}
}
