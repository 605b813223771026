package servicetest

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
)

// ServeHTTP serves a request as the server at URL does, for tests that mount
// the service in their own server.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.tick()
	path, mounted := strings.CutPrefix(r.URL.EscapedPath(), s.settings.basePath)
	var found match
	if mounted {
		found = s.find(r.Method, path)
	}
	template := ""
	if found.route != nil {
		template = found.route.template
	}
	entry := s.recorder.begin(r, template, s.Now())
	counted := &statusWriter{ResponseWriter: w, note: func(status int) {
		s.recorder.note(func() { entry.status = status })
	}, excerpt: func(p []byte) {
		s.recorder.note(func() { entry.addAnswer(p) })
	}}
	id := s.requestID()
	counted.Header().Set("X-Request-Id", id)
	s.settings.meta(counted.Header(), id)
	if found.route != nil && (found.route.own != nil || s.faults.any()) {
		found.setPathValues(r)
	}
	s.withFaults(template, counted, r, func() *reply { return s.handle(found, r, entry) })
}

// find returns the route of a method and a path. A trailing slash is ignored.
func (s *Service) find(method, path string) match {
	found := s.findExactly(method, path)
	if bare := strings.TrimSuffix(path, "/"); found.route == nil && bare != path {
		return s.findExactly(method, bare)
	}
	return found
}

func (s *Service) findExactly(method, path string) match {
	canonical, ok := s.settings.canonical(path)
	if !ok {
		return match{}
	}
	return s.router.Load().find(method, canonical)
}

// requestID returns the next request's ID; IDs are predictable.
func (s *Service) requestID() string {
	return fmt.Sprintf("req-%08d", s.requests.Add(1))
}

// handle executes a request and returns the response.
func (s *Service) handle(found match, r *http.Request, entry *record) *reply {
	if found.route == nil {
		s.unknown.add(r.Method, r.URL.EscapedPath())
		return noRoute(found)
	}
	if found.route.own != nil {
		return &reply{stream: found.route.own, acts: true}
	}
	c, refusal := s.newCall(found, r)
	if refusal != nil {
		return refusal
	}
	if refusal := s.admit(c, entry); refusal != nil {
		return refusal
	}
	if refusal := decodeBody(c); refusal != nil {
		return refusal
	}
	maps.Copy(c.values, c.path)
	defer s.lock()()
	return found.route.handle(c)
}

// noRoute returns 404 for an unknown path, and 405 for a known one.
func noRoute(found match) *reply {
	if len(found.allowed) == 0 {
		return jsonReply(http.StatusNotFound, object{"error": "404 Not Found"})
	}
	r := jsonReply(http.StatusMethodNotAllowed, object{"error": "405 Not Allowed"})
	return r.set("Allow", strings.Join(found.allowed, ", "))
}

func (s *Service) newCall(found match, r *http.Request) (*call, *reply) {
	path, ok := found.params()
	if !ok {
		return nil, badRequest("the path is not valid")
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, badRequest("the query is not valid")
	}
	values := make(map[string]any)
	if err := nest(values, r.URL.RawQuery); err != nil {
		return nil, badRequest("the query is not valid")
	}
	return &call{
		fields: fields{values, new([]string)},
		svc:    s, r: r, route: found.route, path: path, query: query,
	}, nil
}

// admit checks credentials, tier, administrators and whether the project can be
// changed, before the body is read.
func (s *Service) admit(c *call, entry *record) *reply {
	defer s.lock()()
	if refusal := c.authenticate(); refusal != nil {
		return refusal
	}
	if c.user != nil {
		name := c.user.username
		s.recorder.note(func() { entry.user = name })
	}
	if refusal := c.requireTier(c.route.tier); refusal != nil {
		return refusal
	}
	if c.route.admins && !c.admin() {
		return forbidden("")
	}
	if refusal := c.projectNotArchived(); refusal != nil {
		return refusal
	}
	return c.repositoryAtRest()
}

// A statusWriter reports the status of a response, and the body of one with an
// error status.
type statusWriter struct {
	http.ResponseWriter

	note    func(status int)
	excerpt func(p []byte)
	sent    bool
	failed  bool
}

func (w *statusWriter) WriteHeader(status int) {
	if !w.sent && status >= 200 {
		w.sent, w.failed = true, status >= 400
		w.note(status)
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *statusWriter) Write(p []byte) (int, error) {
	if !w.sent {
		w.WriteHeader(http.StatusOK)
	}
	if w.failed {
		w.excerpt(p)
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
