package servicetest_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"example.com/serviceapi/servicetest"
)

// A strictTB is a test that has the method Errorf.
type strictTB struct {
	fakeTB
	problem string
}

func (s *strictTB) Errorf(format string, args ...any) { s.problem += fmt.Sprintf(format, args...) }

// TestFailOnUnknownRoute checks that requests for endpoints that do not exist
// fail a test that wants this, and no others.
func TestFailOnUnknownRoute(t *testing.T) {
	for name, tc := range map[string]struct {
		opts []servicetest.Option
		want string
	}{
		"strict":  {[]servicetest.Option{servicetest.FailOnUnknownRoute()}, "servicetest: the API has no such route:\nGET /api/v4/projects/1/relases\nPUT /api/v4/projects/1/jobs"},
		"lenient": {nil, ""},
	} {
		tb := new(strictTB)
		svc := servicetest.New(tb, tc.opts...)
		svc.Project("acme/app")
		svc.Fault("*", servicetest.Status(http.StatusOK, "[]"), servicetest.If(func(r *http.Request) bool {
			return r.URL.Path == "/api/v4/projects/1/releases"
		}))
		call(t, svc, "GET", "/projects/1/jobs", "")
		call(t, svc, "GET", "/projects/2/jobs", "") // an unknown project is not an unknown route
		call(t, svc, "GET", "/projects/1/releases", "")
		call(t, svc, "GET", "/projects/1/relases", "")
		call(t, svc, "PUT", "/projects/1/jobs", "")
		for _, cleanup := range tb.cleanups {
			cleanup()
		}
		if tb.problem != tc.want {
			t.Errorf("%s: %q, want %q", name, tb.problem, tc.want)
		}
	}
	mute := new(fakeTB) // without the method Errorf
	svc := servicetest.New(mute, servicetest.FailOnUnknownRoute())
	call(t, svc, "GET", "/nonsense", "")
	for _, cleanup := range mute.cleanups {
		cleanup()
	}
}

// TestHandle checks a route that a test adds: its path values, its place beside the
// routes of the API, its faults, and what is recorded of it.
func TestHandle(t *testing.T) {
	tb := new(strictTB)
	svc := servicetest.New(tb, servicetest.FailOnUnknownRoute())
	svc.Project("acme/app")
	const pattern = "POST /projects/:id/wikis/*slug"
	made := 0
	echo := func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		made++
		svc.Project(fmt.Sprintf("acme/made-%d", made)) // the state is not locked
		w.WriteHeader(http.StatusCreated)
		fmt.Fprintf(w, "%s %s %s", r.PathValue("id"), r.PathValue("slug"), body)
	}
	svc.Handle(pattern, func(http.ResponseWriter, *http.Request) { t.Error("replaced") })
	svc.Handle("POST /projects/:project_id/wikis/*page", echo) // the same, by other names
	svc.Handle(pattern, echo)
	svc.Handle("GET /projects/acme", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("literal")) })
	svc.Handle("POST {base_url}/oauth/revoke", func(http.ResponseWriter, *http.Request) {})

	refused(t, call(t, svc, "POST", "/projects/acme%2Fapp/wikis/a/b%20c", `{"x":1}`), 201, `acme/app a/b c {"x":1}`)
	refused(t, call(t, svc, "GET", "/projects/acme", ""), 200, "literal")
	refused(t, request(t, "POST", svc.URL()+"/oauth/revoke", ""), 200, "")
	if a := call(t, svc, "GET", "/projects/acme%2Fapp", ""); a.StatusCode != 200 {
		t.Errorf("a route of the API: %d %s", a.StatusCode, a.body)
	}
	if a := call(t, svc, "GET", "/projects/1/wikis/a", ""); a.StatusCode != 405 || a.Header.Get("Allow") != "POST" {
		t.Errorf("another method: %d %s", a.StatusCode, a.body)
	}

	svc.Fault(pattern, servicetest.Times(1), servicetest.If(func(r *http.Request) bool { return r.PathValue("id") == "1" }),
		servicetest.Handler(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "no "+r.PathValue("slug")) }))
	refused(t, call(t, svc, "POST", "/projects/2/wikis/a", ""), 201, "2 a ")
	refused(t, call(t, svc, "POST", "/projects/1/wikis/a", ""), 200, "no a")
	svc.Fault(pattern, servicetest.Times(1), servicetest.DuplicateEffect())
	refused(t, call(t, svc, "POST", "/projects/1/wikis/a", "b"), 201, "1 a b")
	svc.Fault(pattern, servicetest.Times(1), servicetest.DropResponse())
	if status, _, err := try(t, svc, "POST", "/projects/1/wikis/a"); err == nil {
		t.Errorf("a dropped response: %d", status)
	}
	if made != 5 {
		t.Errorf("%d effects, want 5", made)
	}

	seen := svc.Requests(pattern)
	if len(seen) != 5 || seen[0].Route != pattern || seen[0].Status != 201 || string(seen[0].Body) != `{"x":1}` {
		t.Errorf("recorded %+v", seen)
	}
	for _, cleanup := range tb.cleanups {
		cleanup()
	}
	if want := "servicetest: the API has no such route:\nGET /api/v4/projects/1/wikis/a"; tb.problem != want {
		t.Errorf("%q, want %q", tb.problem, want)
	}
}

// TestHandleRefuses checks the patterns that Handle does not take.
func TestHandleRefuses(t *testing.T) {
	for pattern, want := range map[string]string{
		"GET /projects/:project/jobs": "the API has this route; use Fault with Handler",
		"/projects/:id/wikis":         "write a method and a path",
		"get /projects/:id/wikis":     "write a method and a path",
		"GET projects":                "write a method and a path",
		"GET /projects/:/wikis":       "a parameter has no name",
		"GET /projects/*rest/wikis":   "*rest is not at the end",
		"GET /projects//wikis":        "the path has an empty segment",
		"GET /wikis?with_content=1":   "the path has an empty segment, a space, a query or a fragment",
	} {
		tb := new(fakeTB)
		done := make(chan struct{})
		go func() {
			defer close(done)
			servicetest.New(tb).Handle(pattern, http.NotFound)
		}()
		<-done
		tb.cleanups[0]()
		if !strings.Contains(tb.failure, want) {
			t.Errorf("%s: %q, want %q", pattern, tb.failure, want)
		}
	}
}
