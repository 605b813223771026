package bench

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// BenchmarkEmbeddedService compares the cost of a page of 100 jobs for the
// embedded service with its cost for the client. The former should be small in
// a test suite.
func BenchmarkEmbeddedService(b *testing.B) {
	service := servicetest.New(b)
	project := service.Project("acme/shop")
	for n := range 20 {
		pipeline := project.Pipeline("main")
		for j := range 50 {
			pipeline.Job(fmt.Sprintf("job-%d-%d", n, j), servicetest.Stage("test"), servicetest.Trace("done"))
		}
	}
	request := func() *http.Request {
		r := httptest.NewRequest("GET", "/api/v4/projects/1/jobs?per_page=100&page=3", nil)
		r.Header.Set("PRIVATE-TOKEN", service.AdminToken())
		return r
	}
	rec := httptest.NewRecorder()
	service.ServeHTTP(rec, request())
	if rec.Code != 200 {
		b.Fatal(rec.Body)
	}
	b.Run("service", func(b *testing.B) {
		w := discard{header: http.Header{}}
		loop(b, func(ctx context.Context) error {
			clear(w.header)
			service.ServeHTTP(w, request())
			return nil
		})
	})
	b.Run("client", func(b *testing.B) {
		c := newMemory(200, rec.Body.String()).clients().ours
		loop(b, func(ctx context.Context) error {
			_, _, err := c.Jobs.List(ctx, serviceapi.ProjectID(1),
				&serviceapi.ListJobsOptions{ListOptions: serviceapi.ListOptions{PerPage: 100}})
			return err
		})
	})
}

// discard is a response that is not read.
type discard struct{ header http.Header }

func (d discard) Header() http.Header         { return d.header }
func (d discard) Write(p []byte) (int, error) { return len(p), nil }
func (d discard) WriteHeader(int)             {}
