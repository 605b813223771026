package serviceapi

import (
	"reflect"
	"strings"

	"example.com/serviceapi/internal/address"
	"example.com/serviceapi/internal/segment"
	"example.com/serviceapi/internal/text"
)

// Endpoint is a path of the service with its arguments filled in. Make it with
// [Route] or [EscapedPath].
type Endpoint struct {
	// template is the path with the names of its arguments. It names the operation
	// in errors, logs, spans and metrics, and never contains an ID.
	template string
	// path is escaped and relative to the base URL. It starts with a slash.
	path string
	// repeatUnsafe marks a PUT or DELETE that is no safer to repeat than a
	// POST.
	repeatUnsafe bool
	// reads marks a POST that only reads.
	reads bool
	// forbidsBy401 marks an endpoint whose 401 means that the caller lacks permission, even
	// if the token is valid.
	forbidsBy401 bool
	// bearer marks an endpoint that takes tokens only as "Authorization: Bearer".
	bearer bool
	// neverHTML marks an endpoint whose content is never a web page.
	neverHTML bool
	err       error
}

// Route returns the endpoint of a path below /api/v4, made from a template such
// as "/projects/:id/packages/:package_id". Each segment that begins with a
// colon is replaced with the next argument: an int, an int64, a string, a
// [ProjectRef], a [GroupRef], a [UserRef], a [NamespaceRef] or a [LabelRef]. The
// argument is escaped as a whole, so that its slashes do not separate segments. A last
// segment that begins with a star, such as "*artifact_path", is replaced with a
// path whose slashes are kept. In a segment such as "archive.:format", the
// argument replaces what follows the dot. The template itself does not begin with
// /api/v4.
//
// The template names the operation in errors, logs and spans, so it must not
// contain IDs. If the number of arguments is wrong, or an argument cannot be
// part of a path, the call that uses the endpoint returns an [*ArgumentError].
func Route(template string, args ...any) Endpoint { return route(address.APIPrefix, template, args) }

// instanceRoute is Route for a path below the base URL instead of the API.
func instanceRoute(template string, args ...any) Endpoint { return route("", template, args) }

func route(prefix, template string, args []any) Endpoint {
	path, err := fillTemplate(prefix, template, args)
	return Endpoint{template: template, path: path, err: err}
}

// EscapedPath returns the endpoint of a path below /api/v4 that is already
// escaped and has no query, such as "/projects/group%2Fapp/packages". Errors,
// logs and spans call its operation "(custom)", because the path may contain
// IDs.
func EscapedPath(path string) Endpoint {
	e := Endpoint{template: customOperation, path: address.APIPrefix + path}
	problem := "must start with a slash"
	switch {
	case hasAPIPrefix(path):
		problem = twicePrefixed
	case len(path) >= 2 && path[0] == '/':
		problem = segment.EscapedProblem(path[1:])
	}
	if problem != "" {
		e.err = badArgument("path", problem)
	}
	return e
}

// customOperation names calls of paths that the library does not know, which
// may contain IDs.
const customOperation = "(custom)"

func (e Endpoint) notRepeatable() Endpoint {
	e.repeatUnsafe = true
	return e
}

// reading marks a POST that only reads, if it does.
func (e Endpoint) reading(only bool) Endpoint {
	e.reads = only
	return e
}

func (e Endpoint) forbiddenBy401() Endpoint {
	e.forbidsBy401 = true
	return e
}

func (e Endpoint) withoutHTML() Endpoint {
	e.neverHTML = true
	return e
}

// fillTemplate writes the path of a template after a prefix.
func fillTemplate(prefix, template string, args []any) (string, error) {
	switch {
	case hasAPIPrefix(template):
		return "", badArgument("route", twicePrefixed)
	case !strings.HasPrefix(template, "/"), strings.HasSuffix(template, "/"),
		strings.Contains(template, "//"), strings.ContainsAny(template, "?#"):
		return "", errNoTemplate(template)
	}
	var b strings.Builder
	b.Grow(len(prefix) + len(template) + 24)
	b.WriteString(prefix)
	for segment := range strings.SplitSeq(template[1:], "/") {
		literal, parameter := splitSegment(segment)
		b.WriteByte('/')
		b.WriteString(literal)
		if parameter == "" {
			continue
		}
		if len(args) == 0 {
			return "", badArgument(parameter[1:], "is missing: the route has no argument for it")
		}
		escaped, err := pathSegment(parameter[1:], args[0], parameter[0] == '*')
		if err != nil {
			return "", err
		}
		b.WriteString(escaped)
		args = args[1:]
	}
	if len(args) > 0 {
		return "", badArgument("route", "has more arguments than "+text.Printable(template, 100)+" takes")
	}
	return b.String(), nil
}

const twicePrefixed = "must not begin with " + address.APIPrefix + ", which the library adds"

func hasAPIPrefix(path string) bool {
	return path == address.APIPrefix || strings.HasPrefix(path, address.APIPrefix+"/")
}

func errNoTemplate(s string) error {
	return &ArgumentError{
		Argument: "route", Problem: "is not a template such as /projects/:id/packages: " + text.Printable(s, 100),
	}
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

// fieldSegment is an argument of [Route] that is a field of the options. Errors about it name
// the field.
type fieldSegment struct{ field, text string }

func pathSegment(name string, arg any, keepSlashes bool) (string, error) {
	switch a := arg.(type) {
	case int64:
		return numberSegment(name, a)
	case int:
		return numberSegment(name, int64(a))
	case string:
		return textSegment(name, a, keepSlashes)
	case fieldSegment:
		return textSegment(a.field, a.text, keepSlashes)
	case ProjectRef:
		return referenceSegment(name, "project path", a.reference)
	case GroupRef:
		return referenceSegment(name, "group path", a.reference)
	case NamespaceRef:
		return referenceSegment(name, "namespace path", a.reference)
	case UserRef:
		if err := a.checkUsername("user name"); err != nil {
			return "", err
		}
		return referenceSegment(name, "user name", a.reference)
	case LabelRef:
		return referenceSegment(name, "label name", a.reference)
	case idOnly:
		if err := a.check(); err != nil {
			return "", err
		}
		return pathSegment(name, a.anyReference, keepSlashes)
	case nil:
		return "", badArgument(name, "is missing")
	}
	return "", badArgument(name, "cannot be part of a path: its type is "+reflect.TypeOf(arg).String()+
		"; pass an int, an int64, a string or a reference such as ProjectID(7)")
}

// parseBaseURL reads the address of an instance.
func parseBaseURL(raw string) (address.Base, error) {
	base, problem := address.Parse(raw)
	if problem != "" {
		return base, badArgument("base URL", problem)
	}
	return base, nil
}
