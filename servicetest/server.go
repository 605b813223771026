package servicetest

import (
	"fmt"
	"maps"
	"net/http"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
)

// ServeHTTP serves a request like the server at URL. Tests can mount the service in
// their own server with it.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.tick()
	path, mounted := strings.CutPrefix(r.URL.EscapedPath(), s.settings.basePath)
	var found frame.Match[*route]
	if mounted {
		found = s.find(r.Method, path)
	}
	id := s.requestID()
	entry := s.recorder.Begin(r, id, found.Template, s.Now())
	defer s.recorder.End(entry)
	counted := s.recorder.Watch(w, entry)
	counted.Header().Set("X-Request-Id", id)
	s.settings.meta(counted.Header(), id)
	if found.Found && (found.Route.own != nil || s.faults.Any()) {
		found.SetPathValues(r)
	}
	s.faults.Serve(found.Template, counted, r, func() *reply { return s.handle(found, r, entry) })
}

// find returns the route of a method and a path, ignoring a trailing slash.
func (s *Service) find(method, path string) frame.Match[*route] {
	found := s.findExactly(method, path)
	if bare := strings.TrimSuffix(path, "/"); !found.Found && bare != path {
		return s.findExactly(method, bare)
	}
	return found
}

func (s *Service) findExactly(method, path string) frame.Match[*route] {
	canonical, ok := s.settings.canonical(path)
	if !ok {
		return frame.Match[*route]{}
	}
	return s.router.Load().Find(method, canonical)
}

// requestID returns the next request's ID. IDs are predictable.
func (s *Service) requestID() string {
	return fmt.Sprintf("req-%08d", s.requests.Add(1))
}

// handle executes a request and returns the response.
func (s *Service) handle(found frame.Match[*route], r *http.Request, entry *frame.Record) *reply {
	if !found.Found {
		s.unknown.Add(r.Method, r.URL.EscapedPath())
		return found.NoRoute()
	}
	if found.Route.own != nil {
		return &reply{Stream: found.Route.own, Acts: true}
	}
	c, refusal := s.newCall(found, r)
	if refusal != nil {
		return refusal
	}
	if refusal := s.admit(c, entry); refusal != nil {
		return refusal
	}
	read := c.DecodeBody
	if found.Route.file {
		read = c.KeepBody
	}
	if refusal := read(found.Route.keep); refusal != nil {
		return refusal
	}
	maps.Copy(c.Values, c.Path)
	defer s.lock()()
	s.actor, s.chain = c.user, r.Header.Get(s.settings.header("Event-UUID"))
	return c.served()
}

func (s *Service) newCall(found frame.Match[*route], r *http.Request) (*call, *reply) {
	framed, refusal := frame.NewCall(r, found.Params())
	if refusal != nil {
		return nil, refusal
	}
	framed.Uncounted = s.settings.uncountedJobs && found.Template == "GET /projects/:id/jobs"
	framed.Touch = s.suspect
	return &call{Call: framed, svc: s, route: found.Route}, nil
}

// admit checks the credentials, the tier, the rights of administrators, and whether the
// project can be changed. It runs before the body is read.
func (s *Service) admit(c *call, entry *frame.Record) *reply {
	defer s.lock()()
	if refusal := c.authenticate(); refusal != nil {
		return refusal
	}
	if c.user != nil {
		s.recorder.NoteUser(entry, c.user.username)
	}
	if refusal := c.requireTier(c.route.tier); refusal != nil {
		return refusal
	}
	if c.route.admins && !c.admin() {
		return frame.Forbidden("")
	}
	if refusal := c.projectNotMoved(); refusal != nil {
		return refusal
	}
	if refusal := c.projectNotArchived(); refusal != nil {
		return refusal
	}
	if refusal := c.partTurnedOn(); refusal != nil {
		return refusal
	}
	return c.repositoryAtRest()
}
