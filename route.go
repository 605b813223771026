package serviceapi

import (
	"context"
	"net/http"
	"reflect"
	"strings"

	"example.com/serviceapi/internal/address"
	"example.com/serviceapi/internal/attempt"
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
	// forbidsBy401 marks an endpoint whose 401 means that the caller lacks permission, even
	// if the token is valid.
	forbidsBy401 bool
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
func Route(template string, args ...any) Endpoint {
	return route(address.APIPrefix, template, args)
}

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
		return referenceSegment(name, name, a.self())
	case nil:
		return "", badArgument(name, "is missing")
	}
	return "", badArgument(name, "cannot be part of a path: its type is "+reflect.TypeOf(arg).String()+
		"; pass an int, an int64, a string or a reference such as ProjectID(7)")
}

// kindOfOwner returns the name that the tag "only" uses for the kind of an owner, or "" if
// it is not an owner.
func kindOfOwner(owner any) string {
	switch owner.(type) {
	case ProjectRef:
		return "project"
	case GroupRef:
		return "group"
	case UserRef:
		return "user"
	case InstanceOwner:
		return "instance"
	case CallerOwner:
		return "own"
	case IssueRef:
		return "issue"
	case MergeRequestRef:
		return "merge_request"
	case SnippetRef:
		return "snippet"
	case EpicRef:
		return "epic"
	case NoteRef:
		return "note"
	case CommitRef:
		return "commit"
	}
	return ""
}

// below returns the endpoint with this suffix below the path of an owner.
func below(owner any, suffix string, args ...any) Endpoint {
	switch o := owner.(type) {
	case ProjectRef:
		return Route("/projects/:id"+suffix, append([]any{o}, args...)...)
	case GroupRef:
		return Route("/groups/:id"+suffix, append([]any{o}, args...)...)
	case InstanceOwner:
		return Route(suffix, args...)
	case IssueRef:
		return inside(o.IsZero(), "issue", "/projects/:id/issues/:issue_iid"+suffix, o.project, o.iid, args)
	case MergeRequestRef:
		template := "/projects/:id/merge_requests/:merge_request_iid" + suffix
		return inside(o.IsZero(), "merge request", template, o.project, o.iid, args)
	case SnippetRef:
		return inside(o.IsZero(), "snippet", "/projects/:id/snippets/:snippet_id"+suffix, o.project, o.id, args)
	case EpicRef:
		return o.byID(suffix, args)
	case NoteRef:
		return below(o.owner, "/notes/:note_id"+suffix, append([]any{o.id}, args...)...)
	case CommitRef:
		template := "/projects/:id/repository/commits/:sha" + suffix
		return inside(o.IsZero(), "commit", template, o.project, o.sha, args)
	}
	return noOwner(suffix)
}

// inside returns an endpoint below an object of a project or a group.
func inside(missing bool, kind, template string, owner, object any, args []any) Endpoint {
	if missing {
		return refusedEndpoint(template, kind, "is missing: the reference is empty")
	}
	return Route(template, append([]any{owner, object}, args...)...)
}

// noOwner is the endpoint of a call whose owner is nil, a zero reference, or a
// pointer.
func noOwner(template string) Endpoint { return refusedEndpoint(template, "owner", "is missing") }

// refusedEndpoint is the endpoint of a call that is refused because of this argument.
func refusedEndpoint(template, argument, problem string) Endpoint {
	return Endpoint{template: template, err: badArgument(argument, problem)}
}

// requestInfo is the context of the requests of a call, and what it says about the call.
type requestInfo struct {
	context.Context
	// sending is the call itself, nil for a request that belongs to none.
	sending *sending
	// limit is the time limit of an attempt, nil if there is none.
	limit *attempt.Limit
	// dials is the number of connections that were opened for the attempt. It is
	// used atomically, because net/http opens them on other goroutines.
	dials int32
	// dump sends a request and writes what was sent and received; nil for most
	// calls.
	dump func(*http.Request, http.RoundTripper) (*http.Response, error)
}

type infoKey struct{}

// Value returns the requestInfo itself for its own key.
func (i *requestInfo) Value(key any) any {
	if key == (infoKey{}) {
		return i
	}
	return i.Context.Value(key)
}

// infoOf returns the requestInfo of a context, or an empty one if the context is not that
// of a request.
func infoOf(ctx context.Context) *requestInfo {
	if info, ok := ctx.Value(infoKey{}).(*requestInfo); ok && info != nil {
		return info
	}
	return new(requestInfo)
}

// Operation returns the path of the call that a request's context belongs to,
// with the names of its arguments: "/projects/:id/jobs/:job_id". A [Middleware]
// can use it to name spans and metrics. It is "" for any other context.
func Operation(ctx context.Context) string {
	if s := infoOf(ctx).sending; s != nil {
		return s.endpoint.template
	}
	return ""
}
