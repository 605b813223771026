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

// page serves one page without a network.
func page(tb testing.TB, svc *servicetest.Service) []byte {
	tb.Helper()
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodGet, "/api/v4/projects/1/jobs?per_page=100&page=2", nil)
	r.Header.Set("PRIVATE-TOKEN", svc.AdminToken())
	svc.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		tb.Fatalf("status %d: %s", w.Code, w.Body)
	}
	return w.Body.Bytes()
}

// BenchmarkJobPage measures what the service spends on a page of 100 jobs.
func BenchmarkJobPage(b *testing.B) {
	svc := seedJobs(b, 1000)
	b.SetBytes(int64(len(page(b, svc))))
	for b.Loop() {
		page(b, svc)
	}
}

// BenchmarkDecodeJobPage measures what a client spends on decoding the same
// page, for comparison.
func BenchmarkDecodeJobPage(b *testing.B) {
	body := page(b, seedJobs(b, 1000))
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		var jobs []map[string]any
		if err := json.Unmarshal(body, &jobs); err != nil {
			b.Fatal(err)
		}
	}
}
