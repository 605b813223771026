package serviceapi

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// root is the part of the service that a path starts from.
type root uint8

const (
	apiRoot      root = iota // {base_url}/api/v4
	instanceRoot             // {base_url}
)

// Endpoint is a path of the service with its arguments filled in. Make it with
// [Route] or [EscapedPath].
type Endpoint struct {
	// template is the path with the names of its arguments. It names the
	// operation in errors, logs, spans and metrics, and never holds an id.
	template string
	// path is escaped and starts with a slash.
	path string
	root root
	// repeatUnsafe marks a PUT or DELETE that is no safer to repeat than a
	// POST.
	repeatUnsafe bool
	err          error
}

// Route fills arguments into the template of a path below /api/v4, such as
// "/projects/:id/packages/:package_id". Each segment that begins with a colon
// takes the next argument: an int, an int64, a string, a [ProjectRef], a
// [GroupRef] or a [UserRef]. The argument is escaped as a whole, so that its
// slashes do not separate segments. A last segment that begins with a star,
// such as "*artifact_path", takes a path whose slashes are kept.
//
// The template names the operation in errors, logs and spans, and so holds no
// ID. A wrong number of arguments, or one that cannot stand in a path, is
// reported as an [*ArgumentError] by the call that the endpoint is used for.
func Route(template string, args ...any) Endpoint {
	e := Endpoint{template: template}
	e.path, e.err = fillTemplate(template, args)
	return e
}

// EscapedPath is the endpoint of a path below /api/v4 that is escaped already
// and has no query, such as "/projects/group%2Fapp/packages". Errors, logs and
// spans call its operation "(custom)", since the path may hold IDs.
func EscapedPath(path string) Endpoint {
	e := Endpoint{template: customOperation, path: path}
	switch problem := ""; {
	case len(path) < 2 || path[0] != '/':
		e.err = &ArgumentError{Argument: "path", Problem: "must start with a slash"}
	default:
		if problem = escapedPathProblem(path[1:]); problem != "" {
			e.err = &ArgumentError{Argument: "path", Problem: problem}
		}
	}
	return e
}

// customOperation names calls of paths that the library does not know, which
// may hold IDs.
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

func fillTemplate(template string, args []any) (string, error) {
	var b strings.Builder
	b.Grow(len(template) + 24)
	for rest := template[1:]; rest != ""; {
		var segment string
		segment, rest, _ = strings.Cut(rest, "/")
		b.WriteByte('/')
		if segment[0] != ':' && segment[0] != '*' {
			b.WriteString(segment)
			continue
		}
		if len(args) == 0 {
			return "", fmt.Errorf("serviceapi: no argument for %s in %s", segment, template)
		}
		escaped, err := pathSegment(segment[1:], args[0], segment[0] == '*')
		if err != nil {
			return "", err
		}
		b.WriteString(escaped)
		args = args[1:]
	}
	return b.String(), nil
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
		return referenceSegment(name, a.reference)
	case GroupRef:
		return referenceSegment(name, a.reference)
	case UserRef:
		return referenceSegment(name, a.reference)
	default:
		return "", &ArgumentError{Argument: name, Problem: "is missing"}
	}
	return textSegment(name, text, keepSlashes)
}

func referenceSegment(name string, r reference) (string, error) {
	switch r.kind {
	case byID:
		if strings.HasSuffix(name, "_path") {
			return "", &ArgumentError{Argument: name, Problem: "must be a path, is an ID: this endpoint does not take IDs"}
		}
		return numberSegment(name, r.id)
	case byName:
		return textSegment(name, r.name, false)
	}
	return "", &ArgumentError{Argument: name, Problem: "is missing"}
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
		return "", &ArgumentError{Argument: name, Problem: "must be a positive number, is " + strconv.FormatInt(n, 10)}
	}
	return strconv.FormatInt(n, 10), nil
}

// pathProblem says why a text may not stand in a path, or "". Dot segments are
// refused even inside an escaped argument, since proxies decode and normalise
// paths: a DELETE of the tag ".." would reach the repository above it.
func pathProblem(text string) string {
	switch {
	case text == "":
		return "is empty"
	case hasControl(text):
		return "holds a control character"
	}
	for segment := range strings.FieldsFuncSeq(text, isSlash) {
		if isDots(segment) {
			return "holds a segment of dots alone, which the path would be shortened by"
		}
	}
	if isSlash(rune(text[0])) || isSlash(rune(text[len(text)-1])) || strings.Contains(text, "//") {
		return "holds an empty segment"
	}
	return ""
}

func isSlash(r rune) bool { return r == '/' || r == '\\' }

// isDots also sees through percent-encoding, as often as it was applied.
func isDots(segment string) bool {
	for segment != "." && segment != ".." {
		decoded, err := url.PathUnescape(segment)
		if err != nil || decoded == segment {
			return false
		}
		segment = decoded
	}
	return true
}

// escapedPathProblem says why a text is not a path that is already escaped.
func escapedPathProblem(path string) string {
	if _, err := url.PathUnescape(path); err != nil {
		return "is not escaped correctly"
	}
	if i := strings.IndexFunc(path, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`?#"<>\^{|}`, r) }); i >= 0 {
		return "holds a character that must be escaped, at byte " + strconv.Itoa(i)
	}
	return pathProblem(path)
}
