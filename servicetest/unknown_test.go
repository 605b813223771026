package servicetest_test

import (
	"fmt"
	"net/http"
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
