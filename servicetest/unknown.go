package servicetest

import (
	"strings"
	"sync"
)

// FailOnUnknownRoute makes the test fail at its end if the service received a
// request for an endpoint that the API does not have. Without it, code that
// takes a 404 for "there is none" passes its tests with a misspelled path. The
// responses stay the same: 404, or 405 if only the method is wrong. A request
// that a fault responds to does not count. FailOnUnknownRoute works with a TB
// that has the method Errorf, such as *testing.T, and does nothing otherwise.
func FailOnUnknownRoute() Option {
	return func(s *settings) { s.strict = true }
}

const maxUnknown = 20 // requests that are listed

// An unknownRoutes is a list of the first requests that no route matched.
type unknownRoutes struct {
	mu    sync.Mutex
	lines []string
}

func (u *unknownRoutes) add(method, path string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.lines) < maxUnknown {
		u.lines = append(u.lines, method+" "+path)
	}
}

// failOnUnknown implements FailOnUnknownRoute at the end of a test.
func (s *Service) failOnUnknown() {
	tb, ok := s.tb.(interface {
		Errorf(format string, args ...any)
	})
	s.unknown.mu.Lock()
	defer s.unknown.mu.Unlock()
	if !ok || len(s.unknown.lines) == 0 {
		return
	}
	tb.Errorf("servicetest: the API has no such route:\n%s", strings.Join(s.unknown.lines, "\n"))
}

// advice says how to write a route that lookup does not find.
func (r *routes) advice(route string) string {
	method, path, _ := strings.Cut(route, " ")
	if strings.HasPrefix(route, "/") {
		method, path = "", route
	}
	switch found := r.find(method, rooted(path)); {
	case found.route != nil:
		return `write "` + found.route.template + `"`
	case len(found.allowed) > 0:
		return "the path has the methods " + strings.Join(found.allowed, ", ")
	}
	return `write a method and a template, such as "GET /projects/:id/jobs"`
}
