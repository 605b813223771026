package servicetest

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// A handler serves one request. It runs while the state is locked.
type handler func(c *call) *reply

// A route is one endpoint.
type route struct {
	template string // as in the endpoint table: "GET /projects/:id/jobs"
	method   string
	names    []string // of the path's parameters, in order
	handle   handler
	own      http.HandlerFunc // a test's handler, which serves it instead of handle

	public    bool        // serves callers without credentials
	jobToken  bool        // accepts job tokens
	openLogin bool        // checks its own kind of credentials, if any
	scopes    []string    // token scopes that suffice, in addition to api and read_api
	role      AccessLevel // the lowest role in the project or group of the path
	admins    bool        // serves only administrators
	tier      Tier        // the lowest tier that has it
	keep      int64       // bytes of an uploaded file that are kept in memory
}

// A routeOption says what is special about a route.
type routeOption func(*route)

// public marks a route that serves callers without credentials. The handler
// gets a nil user.
func public(r *route) { r.public = true }

// acceptsJobToken marks a route that a job token may call.
func acceptsJobToken(r *route) { r.jobToken = true }

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

// scoped names token scopes that suffice for a route, in addition to api (and
// read_api for reads).
func scoped(scopes ...string) routeOption {
	return func(r *route) { r.scopes = scopes }
}

// keepsUpTo sets the maximum size of uploaded files that are kept. Of larger
// files, only name, size and checksum are known. The default is 64 KiB.
func keepsUpTo(bytes int64) routeOption {
	return func(r *route) { r.keep = bytes }
}

const defaultKeep = 64 << 10

// routes is a tree of path segments, which finds the route of a request.
type routes struct {
	root node
}

type node struct {
	literal map[string]*node
	prefix  map[string]*node // a literal that a parameter may follow: "archive."
	param   *node
	rest    *node
	methods map[string]*route
}

// allRoutes is the tree of the endpoints, the same for every service.
var allRoutes = sync.OnceValue(func() *routes {
	r := new(routes)
	for _, made := range endpoints() {
		r.add(made)
	}
	return r
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

// add puts a route into the tree. Two templates that differ only in the names
// of their parameters are one route: the later one of a test replaces the earlier
// one, and others panic here.
func (r *routes) add(made *route) {
	_, path, _ := strings.Cut(made.template, " ")
	at := &r.root
	for segment := range strings.SplitSeq(strings.TrimPrefix(rooted(path), "/"), "/") {
		at = at.child(segment)
		if _, name := splitSegment(segment); name != "" {
			made.names = append(made.names, name)
		}
	}
	if at.methods == nil {
		at.methods = make(map[string]*route)
	}
	if taken := at.methods[made.method]; taken != nil && taken.own == nil {
		panic("servicetest: " + made.template + " and " + taken.template + " are one route")
	}
	at.methods[made.method] = made
}

// lookup returns the route of a template, whatever the names of its parameters,
// or nil if there is none.
func (r *routes) lookup(template string) *route {
	method, path, _ := strings.Cut(template, " ")
	at := &r.root
	for segment := range strings.SplitSeq(strings.TrimPrefix(rooted(path), "/"), "/") {
		literal, name := splitSegment(segment)
		switch {
		case strings.HasPrefix(segment, ":"):
			at = at.param
		case strings.HasPrefix(segment, "*"):
			at = at.rest
		case name != "":
			at = at.prefix[literal]
		default:
			at = at.literal[literal]
		}
		if at == nil {
			return nil
		}
	}
	return at.methods[method]
}

// rooted returns the absolute path of a template. It is below /api/v4 unless it
// names another root.
func rooted(path string) string {
	if tail, ok := strings.CutPrefix(path, "{base_url}"); ok {
		return tail
	}
	if tail, ok := strings.CutPrefix(path, "{registry_url}"); ok {
		return tail
	}
	if strings.HasPrefix(path, "/api/") {
		return path
	}
	return "/api/v4" + path
}

// splitSegment splits a segment of a template into its literal part and the
// name of its parameter. Either can be empty.
func splitSegment(segment string) (literal, name string) {
	if strings.HasPrefix(segment, ":") || strings.HasPrefix(segment, "*") {
		return "", segment[1:]
	}
	if before, after, found := strings.Cut(segment, ".:"); found {
		return before + ".", after
	}
	return segment, ""
}

func (n *node) child(segment string) *node {
	literal, name := splitSegment(segment)
	switch {
	case strings.HasPrefix(segment, ":"):
		if n.param == nil {
			n.param = new(node)
		}
		return n.param
	case strings.HasPrefix(segment, "*"):
		if n.rest == nil {
			n.rest = new(node)
		}
		return n.rest
	case name != "":
		return childAt(&n.prefix, literal)
	}
	return childAt(&n.literal, literal)
}

// childAt returns the node below a literal. It makes the node if it does not
// exist.
func childAt(nodes *map[string]*node, literal string) *node {
	if *nodes == nil {
		*nodes = make(map[string]*node)
	}
	if (*nodes)[literal] == nil {
		(*nodes)[literal] = new(node)
	}
	return (*nodes)[literal]
}

// A match is the result of the router for a request.
type match struct {
	route   *route
	values  []string // escaped, as route.names
	allowed []string // methods of the path, if route is nil
}

// find returns the route of a method and an escaped path. Literal segments take
// precedence over parameters, and parameters over wildcards for the rest of a
// path.
func (r *routes) find(method, escaped string) match {
	segments := strings.Split(strings.TrimPrefix(escaped, "/"), "/")
	search := search{method: method, allowed: make(map[string]bool)}
	if search.walk(&r.root, segments, nil) {
		return search.match
	}
	return match{allowed: slices.Sorted(maps.Keys(search.allowed))}
}

type search struct {
	match
	method  string
	allowed map[string]bool
}

func (s *search) walk(n *node, segments, values []string) bool {
	if len(segments) == 0 {
		return s.arrive(n, values)
	}
	segment, rest := segments[0], segments[1:]
	if next := n.literal[segment]; next != nil && s.walk(next, rest, values) {
		return true
	}
	for prefix, next := range n.prefix {
		value, found := strings.CutPrefix(segment, prefix)
		if segment+"." == prefix {
			value, found = "", true // the bare name, without a suffix
		} else if value == "" {
			found = false
		}
		if found && s.walk(next, rest, append(values, value)) {
			return true
		}
	}
	if n.param != nil && segment != "" && s.walk(n.param, rest, append(values, segment)) {
		return true
	}
	return n.rest != nil && s.arrive(n.rest, append(values, strings.Join(segments, "/")))
}

// arrive ends a walk at a node that has the method. HEAD uses the route of GET
// if it has none.
func (s *search) arrive(n *node, values []string) bool {
	found := n.methods[s.method]
	if found == nil && s.method == http.MethodHead {
		found = n.methods[http.MethodGet]
	}
	if found == nil {
		for method := range n.methods {
			s.allowed[method] = true
		}
		return false
	}
	s.match = match{route: found, values: slices.Clone(values)}
	return true
}

// params returns the unescaped path parameters, or false if one is not valid.
func (m match) params() (map[string]any, bool) {
	params := make(map[string]any, len(m.values)+4)
	for i, value := range m.values {
		plain, err := url.PathUnescape(value)
		if err != nil {
			return nil, false
		}
		params[m.route.names[i]] = plain
	}
	return params, true
}
