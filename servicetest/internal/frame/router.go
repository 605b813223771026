package frame

import (
	"iter"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// A Routes is a tree of path segments. It finds the route of a request: the service's
// own value, stored under a template such as "GET /projects/:id/jobs".
type Routes[R any] struct{ root node[R] }

type node[R any] struct {
	literal map[string]*node[R]
	prefix  map[string]*node[R] // a literal that a parameter may follow: "archive."
	param   *node[R]
	rest    *node[R]
	methods map[string]*placed[R]
}

// A placed is a route in the tree.
type placed[R any] struct {
	template string
	names    []string // of the path's parameters, in order
	route    R
}

// All yields the routes of the tree, in no fixed order.
func (r *Routes[R]) All() iter.Seq[R] { return func(yield func(R) bool) { r.root.all(yield) } }

func (n *node[R]) all(yield func(R) bool) bool {
	if n == nil {
		return true
	}
	for _, placed := range n.methods {
		if !yield(placed.route) {
			return false
		}
	}
	for _, children := range []map[string]*node[R]{n.literal, n.prefix} {
		for _, child := range children {
			if !child.all(yield) {
				return false
			}
		}
	}
	return n.param.all(yield) && n.rest.all(yield)
}

// Add puts a route into the tree. If an earlier template differs only in the names of
// its parameters, Add replaces its route and returns the old one.
func (r *Routes[R]) Add(template string, made R) (taken R, twice bool) {
	method, path, _ := strings.Cut(template, " ")
	entry := &placed[R]{template: template, route: made}
	at := &r.root
	for segment := range strings.SplitSeq(strings.TrimPrefix(rooted(path), "/"), "/") {
		at = at.child(segment)
		if _, name := splitSegment(segment); name != "" {
			entry.names = append(entry.names, name)
		}
	}
	if at.methods == nil {
		at.methods = make(map[string]*placed[R])
	}
	before := at.methods[method]
	at.methods[method] = entry
	if before == nil {
		return taken, false
	}
	return before.route, true
}

// Lookup returns the template of the route that matches another template, whatever the
// names of its parameters.
func (r *Routes[R]) Lookup(template string) (known string, ok bool) {
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
			return "", false
		}
	}
	entry := at.methods[method]
	if entry == nil {
		return "", false
	}
	return entry.template, true
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

func (n *node[R]) child(segment string) *node[R] {
	literal, name := splitSegment(segment)
	switch {
	case strings.HasPrefix(segment, ":"):
		if n.param == nil {
			n.param = new(node[R])
		}
		return n.param
	case strings.HasPrefix(segment, "*"):
		if n.rest == nil {
			n.rest = new(node[R])
		}
		return n.rest
	case name != "":
		return childAt(&n.prefix, literal)
	}
	return childAt(&n.literal, literal)
}

// childAt returns the node below a literal. It makes the node if it does not
// exist.
func childAt[R any](nodes *map[string]*node[R], literal string) *node[R] {
	if *nodes == nil {
		*nodes = make(map[string]*node[R])
	}
	if (*nodes)[literal] == nil {
		(*nodes)[literal] = new(node[R])
	}
	return (*nodes)[literal]
}

// A Match is the result of the router for a request.
type Match[R any] struct {
	Route    R
	Found    bool
	Template string
	names    []string // of the path's parameters
	values   []string // values of the path's parameters, escaped
	allowed  []string // methods of the path, if no route matches
}

// Find returns the route of a method and an escaped path. Literal segments win over
// parameters, and parameters over wildcards for the rest of a path.
func (r *Routes[R]) Find(method, escaped string) Match[R] {
	segments := strings.Split(strings.TrimPrefix(escaped, "/"), "/")
	search := search[R]{method: method, others: make(map[string]bool)}
	if search.walk(&r.root, segments, nil) {
		return search.match
	}
	return Match[R]{allowed: slices.Sorted(maps.Keys(search.others))}
}

type search[R any] struct {
	match  Match[R]
	method string
	others map[string]bool
}

func (s *search[R]) walk(n *node[R], segments, values []string) bool {
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
			value, found = "", true // only the name, without a suffix
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

// arrive ends a walk at a node that has the method. HEAD falls back to GET.
func (s *search[R]) arrive(n *node[R], values []string) bool {
	found := n.methods[s.method]
	if found == nil && s.method == http.MethodHead {
		found = n.methods[http.MethodGet]
	}
	if found == nil {
		for method := range n.methods {
			s.others[method] = true
		}
		return false
	}
	s.match = Match[R]{
		Route: found.route, Found: true, Template: found.template, names: found.names, values: slices.Clone(values),
	}
	return true
}

// Params returns the unescaped path parameters. Paths from URL.EscapedPath have no
// invalid escapes.
func (m Match[R]) Params() map[string]any {
	params := make(map[string]any, len(m.values)+4)
	for i, value := range m.values {
		params[m.names[i]], _ = url.PathUnescape(value)
	}
	return params
}

// SetPathValues makes the parameters of the path available to a test's handlers.
func (m Match[R]) SetPathValues(r *http.Request) {
	for name, value := range m.Params() {
		text, _ := value.(string)
		r.SetPathValue(name, text)
	}
}

// NoRoute returns 404 for an unknown path, and 405 for a known one.
func (m Match[R]) NoRoute() *Reply {
	if len(m.allowed) == 0 {
		return JSONReply(http.StatusNotFound, Object{"error": "404 Not Found"})
	}
	r := JSONReply(http.StatusMethodNotAllowed, Object{"error": "405 Not Allowed"})
	return r.Set("Allow", strings.Join(m.allowed, ", "))
}

// Advice says how to write a route that lookup does not find.
func (r *Routes[R]) Advice(route string) string {
	method, path, _ := strings.Cut(route, " ")
	if strings.HasPrefix(route, "/") {
		method, path = "", route
	}
	switch found := r.Find(method, rooted(path)); {
	case found.Found:
		return `write "` + found.Template + `"`
	case len(found.allowed) > 0:
		return "the path has the methods " + strings.Join(found.allowed, ", ")
	}
	return `write a method and a template, such as "GET /projects/:id/jobs", or add the route with Handle`
}

// WrongPattern says what is wrong with a pattern, or returns "".
func WrongPattern(pattern string) string {
	method, path, _ := strings.Cut(pattern, " ")
	path = strings.TrimPrefix(path, "{base_url}")
	isMethod := method != "" && strings.ToUpper(method) == method && !strings.Contains(method, "/")
	if !isMethod || !strings.HasPrefix(path, "/") {
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
