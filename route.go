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

// endpoint is a path of the service with its arguments filled in.
type endpoint struct {
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

// pathArg is what may stand in a path beside numbers and strings.
type pathArg interface {
	pathText() string
}

// route fills the arguments into a template such as
// "/projects/:id/jobs/:job_id". An argument is an int64, a string, a
// ProjectRef, a GroupRef or a UserRef. Every one is escaped whole, so that its
// slashes do not separate segments, but for one written with a star
// ("*artifact_path"), which is a path of its own.
func route(template string, args ...any) endpoint {
	e := endpoint{template: template}
	e.path, e.err = fillTemplate(template, args)
	return e
}

// instanceRoute is route for a path below the base URL instead of the API.
func instanceRoute(template string, args ...any) endpoint {
	e := route(template, args...)
	e.root = instanceRoot
	return e
}

func (e endpoint) notRepeatable() endpoint {
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
	case ID:
		return numberSegment(name, int64(a))
	case string:
		text = a
	case pathArg:
		text = a.pathText()
	default:
		return "", &ArgumentError{Argument: name, Problem: "is missing"}
	}
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
