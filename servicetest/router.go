package servicetest

import (
	"net/http"
	"slices"
	"strings"
	"sync"

	"example.com/serviceapi/servicetest/internal/frame"
)

// A handler serves one request. It runs while the state is locked.
type handler func(c *call) *reply

// A route is one endpoint.
type route struct {
	template string // as in the endpoint table: "GET /projects/:id/jobs"
	method   string
	handle   handler
	own      http.HandlerFunc // a test's handler, instead of handle

	public    bool        // serves callers without credentials
	password  bool        // accepts a token as the password of basic authentication
	jobToken  bool        // accepts job tokens
	openLogin bool        // checks its own kind of credentials
	scopes    []string    // token scopes that suffice, in addition to api and read_api
	role      AccessLevel // the lowest role in the project or group of the path
	admins    bool        // serves only administrators
	tier      Tier        // the lowest tier with this route
	absent    bool        // lower tiers do not have this route
	keep      int64       // bytes of an uploaded file kept in memory
	file      bool        // the body is a file, whatever its type
	commits   bool        // changes the repository of its project
}

// A routeOption sets a property of a route.
type routeOption func(*route)

// public marks a route that serves callers without credentials. The handler
// gets a nil user.
func public(r *route) { r.public = true }

// acceptsJobToken marks a route that a job token may call.
func acceptsJobToken(r *route) { r.jobToken = true }

// tokenAsPassword marks a route that also accepts a token as the password of basic
// authentication, with any user name.
func tokenAsPassword(r *route) { r.password = true }

// ownLogin marks a route that checks credentials itself.
func ownLogin(r *route) { r.openLogin = true }

// role sets the lowest role that the caller must have in the project or group
// of the path. c.project and c.group check it.
func role(least AccessLevel) routeOption {
	return func(r *route) { r.role = least }
}

// administrators marks a route that only administrators may call.
func administrators(r *route) { r.admins = true }

// premium marks a route that needs at least the premium tier.
func premium(r *route) { r.tier = Premium }

// ultimate marks a route that needs the ultimate tier.
func ultimate(r *route) { r.tier = Ultimate }

// ultimateOnly marks a route that lower tiers than ultimate do not have: their response is 404.
func ultimateOnly(r *route) { r.tier, r.absent = Ultimate, true }

// premiumOnly marks a route that the free tier does not have: its response is 404.
func premiumOnly(r *route) { r.tier, r.absent = Premium, true }

// scoped sets token scopes that suffice for a route, in addition to api (and read_api
// for reads).
func scoped(scopes ...string) routeOption {
	return func(r *route) { r.scopes = scopes }
}

// keepsUpTo sets the maximum size of uploaded files whose content is kept. Larger files
// have only a name, a size and a checksum. The default is 64 KiB.
func keepsUpTo(bytes int64) routeOption {
	return func(r *route) { r.keep = bytes }
}

// wholeBody marks a route whose body is a file, which RequiredFile("") returns.
func wholeBody(r *route) { r.file = true }

// writesRepository marks a route that changes the repository of its project, and is refused while
// that moves to another storage. Merges and rebases check this themselves, because a note can start
// them, they may happen later, and they may change the repository of a fork.
func writesRepository(r *route) { r.commits = true }

const defaultKeep = 64 << 10

// allRoutes returns the tree of the endpoints, which every service shares.
var allRoutes = sync.OnceValue(func() *frame.Routes[*route] {
	return routesWith(nil)
})

// on makes the route of one endpoint.
func on(template string, handle handler, opts ...routeOption) *route {
	method, _, _ := strings.Cut(template, " ")
	made := &route{template: template, method: method, handle: handle, keep: defaultKeep}
	for _, opt := range opts {
		opt(made)
	}
	return made
}

// Handle makes the service respond to a route that the API does not have, such as
// an endpoint of a newer release:
//
//	report := func(w http.ResponseWriter, r *http.Request) {
//		w.WriteHeader(http.StatusCreated)
//		fmt.Fprintf(w, `{"name":"weekly","group":%q}`, r.PathValue("id"))
//	}
//	svc.Handle("POST /groups/:id/reports", report)
//
// The pattern is a method and a path below /api/v4. In the path, :name matches one
// segment, and *name at the end matches the rest. A literal segment takes precedence
// over a parameter. Request.PathValue returns the unescaped values.
//
// The handler responds to every request: the service checks neither credentials nor
// roles. It may use the service and its handles, and several requests may call it at
// once. Faults, the recorder, the transcript and FailOnUnknownRoute treat the route
// like any other.
//
// Handling a pattern again replaces its handler. A route of the API, or an invalid
// pattern, fails the test. To replace a response of the API, use Fault with the option
// Handler.
func (s *Service) Handle(pattern string, handler http.HandlerFunc) {
	if s.tb != nil {
		s.tb.Helper()
	}
	defer s.lock()()
	if problem := frame.WrongPattern(pattern); problem != "" {
		s.fail("cannot handle %q: %s", pattern, problem)
		return
	}
	if _, taken := allRoutes().Lookup(pattern); taken {
		s.fail("cannot handle %q: the API has this route; use Fault with Handler", pattern)
		return
	}
	added := on(pattern, nil)
	added.own = handler
	s.handled = append(s.handled, added)
	s.router.Store(routesWith(s.handled))
}

// Routes returns the templates of all routes, such as "GET /projects/:id/jobs": first
// those of the API, then those that Handle added.
func (s *Service) Routes() []string {
	defer s.lock()()
	var templates []string
	for _, served := range endpoints() {
		templates = append(templates, served.template)
	}
	for _, added := range s.handled {
		if !slices.Contains(templates, added.template) {
			templates = append(templates, added.template)
		}
	}
	return templates
}

// routesWith returns the tree of the endpoints and the routes that a test added.
func routesWith(added []*route) *frame.Routes[*route] {
	r := new(frame.Routes[*route])
	for _, made := range endpoints() {
		if taken, twice := r.Add(made.template, made); twice {
			panic("servicetest: " + made.template + " and " + taken.template + " are one route")
		}
		if before, after, ok := strings.Cut(made.template, " /projects/:id/integrations"); ok {
			r.Add(before+" /projects/:id/services"+after, made) // the name before 14.4, which is served for good
		}
	}
	for _, made := range added {
		r.Add(made.template, made) // a later route replaces an earlier one
	}
	return r
}
