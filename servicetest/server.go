package servicetest

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
)

// ServeHTTP serves a request as the server at URL does, for tests that mount
// the service in their own server.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.tick()
	path, mounted := strings.CutPrefix(r.URL.EscapedPath(), s.settings.basePath)
	var found match[*route]
	if mounted {
		found = s.find(r.Method, path)
	}
	entry := s.recorder.begin(r, found.template, s.Now())
	counted := s.recorder.watch(w, entry)
	id := s.requestID()
	counted.Header().Set("X-Request-Id", id)
	s.settings.meta(counted.Header(), id)
	if found.found && (found.route.own != nil || s.faults.any()) {
		found.setPathValues(r)
	}
	s.faults.serve(found.template, counted, r, func() *reply { return s.handle(found, r, entry) })
}

// find returns the route of a method and a path. A trailing slash is ignored.
func (s *Service) find(method, path string) match[*route] {
	found := s.findExactly(method, path)
	if bare := strings.TrimSuffix(path, "/"); !found.found && bare != path {
		return s.findExactly(method, bare)
	}
	return found
}

func (s *Service) findExactly(method, path string) match[*route] {
	canonical, ok := s.settings.canonical(path)
	if !ok {
		return match[*route]{}
	}
	return s.router.Load().find(method, canonical)
}

// requestID returns the next request's ID; IDs are predictable.
func (s *Service) requestID() string {
	return fmt.Sprintf("req-%08d", s.requests.Add(1))
}

// handle executes a request and returns the response.
func (s *Service) handle(found match[*route], r *http.Request, entry *record) *reply {
	if !found.found {
		s.unknown.add(r.Method, r.URL.EscapedPath())
		return found.noRoute()
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
	if refusal := decodeBody(&c.frameCall, found.route.keep); refusal != nil {
		return refusal
	}
	maps.Copy(c.values, c.path)
	defer s.lock()()
	return found.route.handle(c)
}

func (s *Service) newCall(found match[*route], r *http.Request) (*call, *reply) {
	path, ok := found.params()
	if !ok {
		return nil, badRequest("the path is not valid")
	}
	framed, refusal := newFrameCall(r, found.template, path)
	if refusal != nil {
		return nil, refusal
	}
	framed.uncounted = s.settings.uncountedJobs && found.template == "GET /projects/:id/jobs"
	return &call{frameCall: framed, svc: s, route: found.route}, nil
}

// admit checks credentials, tier, administrators and whether the project can be
// changed, before the body is read.
func (s *Service) admit(c *call, entry *record) *reply {
	defer s.lock()()
	if refusal := c.authenticate(); refusal != nil {
		return refusal
	}
	if c.user != nil {
		s.recorder.noteUser(entry, c.user.username)
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
