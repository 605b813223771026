package servicetest

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
)

// ServeHTTP serves a request as the server at URL does, for tests that mount
// the service in a server of their own.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.tick()
	path, mounted := strings.CutPrefix(r.URL.EscapedPath(), s.settings.basePath)
	var found match
	if mounted {
		found = s.router.find(r.Method, path)
	}
	template := ""
	if found.route != nil {
		template = found.route.template
	}
	entry := s.recorder.begin(r, template, s.Now())
	counted := &statusWriter{ResponseWriter: w, note: func(status int) {
		s.recorder.note(func() { entry.status = status })
	}}
	counted.Header().Set("X-Request-Id", s.requestID())
	s.withFaults(template, counted, r, func() *reply { return s.handle(found, r, entry) })
}

// requestID returns the next request's id; ids are predictable.
func (s *Service) requestID() string {
	return fmt.Sprintf("req-%08d", s.requests.Add(1))
}

// handle carries out a request and returns the response.
func (s *Service) handle(found match, r *http.Request, entry *record) *reply {
	if found.route == nil {
		return noRoute(found)
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

// noRoute answers 404 for an unknown path, 405 for a known one.
func noRoute(found match) *reply {
	if len(found.allowed) == 0 {
		return notFound("")
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
// changed before the body is read.
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

// A statusWriter reports the status of a response.
type statusWriter struct {
	http.ResponseWriter

	note func(status int)
	sent bool
}

func (w *statusWriter) WriteHeader(status int) {
	if !w.sent && status >= 200 {
		w.sent = true
		w.note(status)
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *statusWriter) Write(p []byte) (int, error) {
	if !w.sent {
		w.WriteHeader(http.StatusOK)
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
