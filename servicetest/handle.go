package servicetest

import (
	"net/http"
	"strings"
)

// Handle makes the service respond to a route that the API does not have, such as
// an endpoint of a newer release:
//
//	wiki := func(w http.ResponseWriter, r *http.Request) {
//		w.WriteHeader(http.StatusCreated)
//		fmt.Fprintf(w, `{"slug":"home","project":%q}`, r.PathValue("id"))
//	}
//	svc.Handle("POST /projects/:id/wikis", wiki)
//
// The pattern is a method and a path below /api/v4, in which :name is one segment
// and *name, at the end, is the rest. A literal segment takes precedence over a
// parameter. Request.PathValue returns what stood in the path, unescaped.
//
// The handler responds to every request, whoever sends it: the service checks
// neither credentials nor roles. It may use the service and its handles, and may
// be called by several requests at once. Faults, the recorder, the transcript and
// FailOnUnknownRoute treat the route like any other.
//
// Handling a pattern again replaces its handler. A route that the API has, and a
// pattern that cannot be read, fail the test; to replace a response of the API, use
// Fault with the option Handler.
func (s *Service) Handle(pattern string, handler http.HandlerFunc) {
	if s.tb != nil {
		s.tb.Helper()
	}
	defer s.lock()()
	if problem := wrongPattern(pattern); problem != "" {
		s.fail("cannot handle %q: %s", pattern, problem)
		return
	}
	if taken := allRoutes().lookup(pattern); taken != nil {
		s.fail("cannot handle %q: the API has this route; use Fault with Handler", pattern)
		return
	}
	added := on(pattern, nil)
	added.own = handler
	s.handled = append(s.handled, added)
	s.router.Store(routesWith(s.handled))
}

// routesWith returns the tree of the endpoints and of routes that a test added.
func routesWith(added []*route) *routes {
	r := new(routes)
	for _, made := range endpoints() {
		r.add(made)
	}
	for _, made := range added {
		r.add(made)
	}
	return r
}

// wrongPattern says what is wrong with a pattern, or returns "".
func wrongPattern(pattern string) string {
	method, path, _ := strings.Cut(pattern, " ")
	path = strings.TrimPrefix(path, "{base_url}")
	if method == "" || strings.ToUpper(method) != method || strings.Contains(method, "/") || !strings.HasPrefix(path, "/") {
		return `write a method and a path, such as "GET /projects/:id/wikis"`
	}
	segments := strings.Split(path[1:], "/")
	for i, segment := range segments {
		switch {
		case segment == ":" || segment == "*":
			return "a parameter has no name"
		case segment == "" || strings.ContainsAny(segment, " ?#"):
			return "the path has an empty segment, a space, a query or a fragment"
		case segment[0] == '*' && i < len(segments)-1:
			return segment + " is not at the end"
		}
	}
	return ""
}

// setPathValues makes the parameters of the path available to a test's handlers.
func (m match) setPathValues(r *http.Request) {
	if m.route == nil {
		return
	}
	params, _ := m.params()
	for name, value := range params {
		text, _ := value.(string)
		r.SetPathValue(name, text)
	}
}
