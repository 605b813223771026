package serviceapi

import (
	"net/url"
	"reflect"
	"strconv"
	"strings"
)

// root is what the path of an endpoint is relative to.
type root uint8

const (
	apiRoot      root = iota // {base_url}/api/v4
	instanceRoot             // {base_url}
)

// Endpoint is a path of the service with its arguments filled in. Make it with
// [Route] or [EscapedPath].
type Endpoint struct {
	// template is the path with the names of its arguments. It names the operation
	// in errors, logs, spans and metrics, and never contains an ID.
	template string
	// path is escaped and starts with a slash.
	path string
	root root
	// repeatUnsafe marks a PUT or DELETE that is no safer to repeat than a
	// POST.
	repeatUnsafe bool
	// forbidsBy401 marks an endpoint whose 401 says that the caller may not do
	// it, however good the token.
	forbidsBy401 bool
	err          error
}

// Route returns the endpoint of a path below /api/v4, made from a template such
// as "/projects/:id/packages/:package_id". Each segment that begins with a
// colon is replaced with the next argument: an int, an int64, a string, a
// [ProjectRef], a [GroupRef], a [UserRef] or a [NamespaceRef]. The argument is
// escaped as a whole, so that its slashes do not separate segments. A last
// segment that begins with a star, such as "*artifact_path", is replaced with a
// path whose slashes are kept. In a segment such as "archive.:format", the
// argument replaces what follows the dot. The template itself does not begin with
// /api/v4.
//
// The template names the operation in errors, logs and spans, so it must not
// contain IDs. If the number of arguments is wrong, or an argument cannot be
// part of a path, the call that uses the endpoint returns an [*ArgumentError].
func Route(template string, args ...any) Endpoint {
	e := Endpoint{template: template}
	e.path, e.err = fillTemplate(template, args)
	return e
}

// EscapedPath returns the endpoint of a path below /api/v4 that is already
// escaped and has no query, such as "/projects/group%2Fapp/packages". Errors,
// logs and spans call its operation "(custom)", because the path may contain
// IDs.
func EscapedPath(path string) Endpoint {
	e := Endpoint{template: customOperation, path: path}
	problem := "must start with a slash"
	switch {
	case hasAPIPrefix(path):
		problem = twicePrefixed
	case len(path) >= 2 && path[0] == '/':
		problem = escapedPathProblem(path[1:])
	}
	if problem != "" {
		e.err = &ArgumentError{Argument: "path", Problem: problem}
	}
	return e
}

// customOperation names calls of paths that the library does not know, which
// may contain IDs.
const customOperation = "(custom)"

// instanceRoute is route for a path below the base URL instead of the API.
func instanceRoute(template string, args ...any) Endpoint {
	e := Route(template, args...)
	e.root = instanceRoot
	return e
}

func (e Endpoint) notRepeatable() Endpoint {
	e.repeatUnsafe = true
	return e
}

func (e Endpoint) forbiddenBy401() Endpoint {
	e.forbidsBy401 = true
	return e
}

// fillTemplate writes the path of a template.
func fillTemplate(template string, args []any) (string, error) {
	if len(template) < 2 || template[0] != '/' || !isTemplate(template) {
		return "", &ArgumentError{Argument: "route", Problem: "is not a template such as /projects/:id/packages: " + printable(template, 100)}
	}
	if hasAPIPrefix(template) {
		return "", &ArgumentError{Argument: "route", Problem: twicePrefixed}
	}
	var b strings.Builder
	b.Grow(len(template) + 24)
	for rest := template[1:]; rest != ""; {
		var segment string
		segment, rest, _ = strings.Cut(rest, "/")
		b.WriteByte('/')
		literal, segment := splitSegment(segment)
		b.WriteString(literal)
		if segment == "" {
			continue
		}
		if len(args) == 0 {
			return "", &ArgumentError{Argument: segment[1:], Problem: "is missing: the route has no argument for it"}
		}
		escaped, err := pathSegment(segment[1:], args[0], segment[0] == '*')
		if err != nil {
			return "", err
		}
		b.WriteString(escaped)
		args = args[1:]
	}
	if len(args) > 0 {
		return "", &ArgumentError{Argument: "route", Problem: "has more arguments than " + printable(template, 100) + " takes"}
	}
	return b.String(), nil
}

const twicePrefixed = "must not begin with " + apiPrefix + ", which the library adds"

func hasAPIPrefix(path string) bool {
	return path == apiPrefix || strings.HasPrefix(path, apiPrefix+"/")
}

// isTemplate reports whether a string has neither an empty segment nor a query.
func isTemplate(s string) bool {
	before := byte(0)
	for i := range len(s) {
		c := s[i]
		if c == '?' || c == '#' || c == '/' && before == '/' {
			return false
		}
		before = c
	}
	return true
}

// splitSegment divides a segment of a template into its literal part and the
// parameter after it, with its colon or star. Either can be "".
func splitSegment(segment string) (literal, parameter string) {
	if segment[0] == ':' || segment[0] == '*' {
		return "", segment
	}
	if i := strings.Index(segment, ".:"); i > 0 {
		return segment[:i+1], segment[i+1:]
	}
	return segment, ""
}

func pathSegment(name string, arg any, keepSlashes bool) (string, error) {
	var text string
	switch a := arg.(type) {
	case int64:
		return numberSegment(name, a)
	case int:
		return numberSegment(name, int64(a))
	case string:
		text = a
	case ProjectRef:
		return referenceSegment(name, "project path", a.reference)
	case GroupRef:
		return referenceSegment(name, "group path", a.reference)
	case NamespaceRef:
		return referenceSegment(name, "namespace path", a.reference)
	case UserRef:
		return referenceSegment(name, "user name", a.reference)
	case idOnly:
		if err := a.check(); err != nil {
			return "", err
		}
		return referenceSegment(name, name, a.self())
	case nil:
		return "", &ArgumentError{Argument: name, Problem: "is missing"}
	default:
		return "", &ArgumentError{Argument: name, Problem: "cannot be part of a path: its type is " + reflect.TypeOf(arg).String() +
			"; pass an int, an int64, a string, a ProjectRef, a GroupRef, a UserRef or a NamespaceRef"}
	}
	return textSegment(name, text, keepSlashes)
}

func referenceSegment(name, whenNamed string, r reference) (string, error) {
	switch r.kind {
	case byID:
		if strings.HasSuffix(name, "_path") {
			return "", &ArgumentError{Argument: name, Problem: "must be a path, but is an ID: this endpoint does not accept IDs"}
		}
		return numberSegment(name, r.id)
	case byName:
		if problem := nameProblem(r.name); problem != "" {
			return "", &ArgumentError{Argument: whenNamed, Problem: problem}
		}
		return textSegment(whenNamed, r.name, false)
	}
	return "", &ArgumentError{Argument: name, Problem: "is missing"}
}

// nameProblem recognizes common mistakes in paths, and says what to write
// instead.
func nameProblem(name string) string {
	switch {
	case strings.Contains(name, "://"):
		return `is an address; write the path alone, such as "group/app"`
	case strings.Contains(strings.ToLower(name), "%2f"):
		return "is escaped; write " + strconv.Quote(strings.ReplaceAll(strings.ReplaceAll(name, "%2f", "/"), "%2F", "/"))
	}
	if trimmed := strings.Trim(name, "/"); trimmed != name && trimmed != "" {
		return "begins or ends with a slash; write " + strconv.Quote(trimmed)
	}
	return ""
}

func textSegment(name, text string, keepSlashes bool) (string, error) {
	if problem := pathProblem(text); problem != "" {
		return "", &ArgumentError{Argument: name, Problem: problem}
	}
	escaped := url.PathEscape(text)
	if keepSlashes {
		escaped = strings.ReplaceAll(escaped, "%2F", "/")
	}
	return escaped, nil
}

func numberSegment(name string, n int64) (string, error) {
	if n <= 0 {
		return "", &ArgumentError{Argument: name, Problem: "must be a positive number, but is " + strconv.FormatInt(n, 10)}
	}
	return strconv.FormatInt(n, 10), nil
}

// pathProblem says why a string cannot be part of a path, or "". Dot segments
// are refused even inside an escaped argument, because proxies decode and
// normalize paths: a DELETE of the tag ".." would reach the repository above
// it.
func pathProblem(text string) string {
	switch {
	case text == "":
		return "is empty"
	case hasControl(text):
		return "contains a control character"
	case hasDots(text):
		return "contains a segment that is only dots, which would shorten the path"
	case isSlash(rune(text[0])), isSlash(rune(text[len(text)-1])), strings.Contains(text, "//"):
		return "contains an empty segment"
	}
	return ""
}

func isSlash(r rune) bool { return r == '/' || r == '\\' }

// hasDots reports whether a segment is "." or "..". It also sees through
// percent-encoding, however many times it was applied.
func hasDots(text string) bool {
	for {
		for segment := range strings.FieldsFuncSeq(text, isSlash) {
			if segment == "." || segment == ".." {
				return true
			}
		}
		decoded := unescape(text)
		if decoded == text {
			return false
		}
		text = decoded
	}
}

// unescape decodes what is percent-encoded in a string and leaves the rest
// unchanged.
func unescape(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if c, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(c))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// escapedPathProblem says why a string is not a path that is already escaped.
func escapedPathProblem(path string) string {
	if _, err := url.PathUnescape(path); err != nil {
		return "is not escaped correctly"
	}
	if i := strings.IndexFunc(path, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`?#"<>\^{|}`, r) }); i >= 0 {
		return "contains a character that must be escaped, at byte " + strconv.Itoa(i)
	}
	return pathProblem(path)
}
