package serviceapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"example.com/serviceapi/internal/buffers"
	"example.com/serviceapi/internal/errbody"
	"example.com/serviceapi/internal/header"
	"example.com/serviceapi/internal/redact"
	"example.com/serviceapi/internal/roles"
	"github.com/go-json-experiment/json/jsontext"
)

// outcome is what the attempts to send a call came to: the last response, and what an error
// says about all of them. [sending] fills it in.
type outcome struct {
	*call
	// resp is the last response, nil if none was received completely, and text its body,
	// unless it is a stream.
	resp     *http.Response
	text     buffers.Body
	attempts int
	// retryAfter is the wait that the service asked for, 0 if it did not or if the call is
	// not repeated anyway.
	retryAfter time.Duration
	// stopped says why a call that could be repeated was not.
	stopped stopReason
	// uncertain is set if an attempt may have been executed.
	uncertain bool
	// auth is the credential of the last attempts. The redactor hides its secret and
	// everything else of the call that must not be printed. It is made when it is
	// first used, and again after the secret has changed.
	auth     authorization
	redacts  bool
	redactor redact.Redactor
	// refreshFailure is why the last attempt was sent with a token that had been
	// refused.
	refreshFailure error
}

// refusal returns the error for a response with a status other than 2xx.
func (o *outcome) refusal() error {
	e := o.statusError()
	switch status := e.StatusCode; {
	case status >= 300 && status < 400 && status != http.StatusNotModified:
		e := newRedirectError(o.resp.Request, o.resp, "it has no usable Location")
		e.Method, e.Operation = o.method, o.endpoint.template
		o.redactRedirect(e)
		return e
	case status == http.StatusTooManyRequests:
		return &RateLimitError{Err: e, RetryAfter: o.retryAfter}
	case status == http.StatusForbidden && e.Reason == ErrorReasonInsufficientScope:
		return &InsufficientScopeError{Err: e, Scope: e.Scope}
	case status == http.StatusForbidden && e.Reason == ErrorReasonInsufficientGranularScope:
		return &InsufficientGranularScopeError{Err: e, Permissions: lackingPermissions(e.Description)}
	}
	return e
}

// statusError describes the response by its status and its body.
func (o *outcome) statusError() *Error {
	body := o.text.Head()
	if o.text.IsCut() {
		body = o.redaction().Uncut(body)
	}
	said := errbody.Parse(body, header.First(o.resp.Header, "Content-Type"))
	return o.responseError(body, said, http.StatusText(o.resp.StatusCode))
}

// responseError describes the response by what its body says, without the secrets
// that the service may have repeated anywhere in it. Its message is otherwise if the body
// has none.
func (o *outcome) responseError(body []byte, said errbody.Body, otherwise string) *Error {
	r, h := o.redaction(), o.resp.Header
	r.HideHeader(h)
	said.Map(r.Hide)
	e := &Error{
		CallInfo:   o.about(o.resp.Request.URL),
		StatusCode: o.resp.StatusCode,
		Message:    cmp.Or(said.Message, otherwise), Fields: said.Fields, Code: ErrorCode(said.Code),
		Reason: ErrorReason(said.Reason), Description: said.Description, Scope: said.Scope,
		WebPage:   said.Page,
		Body:      r.HideBytes(append([]byte(nil), body...)),
		RequestID: header.First(h, header.RequestID), header: h,
		Attempts: o.attempts, stopped: o.stopped, uncertain: o.uncertain, refresh: o.refreshFailure,
	}
	switch e.StatusCode {
	case http.StatusUnauthorized:
		e.credential = credentialKind(o.options.credential)
	case http.StatusForbidden:
		if e.isPlain("403 Forbidden") {
			e.RequiredRole = requiredRole(o.method, o.endpoint.template)
		}
	case http.StatusNotFound:
		if e.isPlain("404 Not Found") {
			e.hidden = notVisible(o.options.credential)
		}
	}
	return e
}

// isPlain reports whether the response says nothing more than its status, which is written with
// its number or without.
func (e *Error) isPlain(status string) bool {
	return (e.Message == status || e.Message == status[len("403 "):]) && !e.WebPage && len(e.Fields) == 0 &&
		e.Code == "" && e.Description == "" && e.Reason == ""
}

// requiredRole returns the role that a call needs, AccessLevelNone if it is not known.
func requiredRole(method, template string) AccessLevel {
	level, err := ParseAccessLevel(roles.Of(method, template))
	if err != nil {
		return AccessLevelNone
	}
	return level
}

// notVisible says what a 404 may also mean: the service does not tell callers what exists if
// they may not see it.
func notVisible(cred Credential) string {
	if _, none := cred.(anonymous); none {
		return "or not visible without a credential"
	}
	return "or not visible to this token"
}

// bodyError returns the error for a response with a good status whose body says, in this
// member, that the call failed.
func (o *outcome) bodyError(message []byte) *Error {
	return o.responseError(message, errbody.Messages(message), "the service refused without a reason")
}

// hidden hides the secrets of the call in an object that an error has, and returns it.
func hidden[T any](o *outcome, object *T) *T {
	o.redaction().HideIn(object)
	return object
}

// about identifies the call by the URL that responded, or that it was sent to.
func (o *outcome) about(u *url.URL) CallInfo {
	return CallInfo{o.method, o.endpoint.template, o.redaction().Hide(redact.WithoutQuery(u))}
}

// failure returns the error for a call that ended without a good response.
func (o *outcome) failure(err error) error {
	err = o.cause(err)
	var (
		redirect *RedirectError
		decode   *DecodeError
		argument *ArgumentError
	)
	switch {
	case hasType[*RefreshError](err): // its cause is not about this call
	case errors.As(err, &redirect):
		o.redactRedirect(redirect)
		return redirect
	case errors.As(err, &decode):
		return decode
	case errors.As(err, &argument):
		return argument
	}
	e := &TransportError{
		CallInfo: o.about(o.url()),
		Attempts: o.attempts,
		Err:      o.redaction().HideErr(err),

		stopped:   o.stopped,
		uncertain: o.uncertain,
	}
	if o.resp != nil && !isGood(o.resp) {
		e.Last = o.statusError()
	}
	return e
}

// cause removes net/http's own error, which quotes the URL with its query, and
// adds the cause that the context ended with.
func (o *outcome) cause(err error) error {
	err = redact.WithoutURL(err)
	ctx := o.ctx
	ended := ctx.Err()
	if ended == nil {
		return err
	}
	if !errors.Is(err, ended) {
		err = fmt.Errorf("%w: %w", ended, err)
	}
	if cause := context.Cause(ctx); !errors.Is(err, cause) {
		err = fmt.Errorf("%w: %w", err, cause)
	}
	return err
}

const maxExcerpt = 512

// decodeError returns the error for a response that cannot be decoded.
func (o *outcome) decodeError(err error) *DecodeError {
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		// Its text cuts a long pointer in the middle.
		syntax.JSONPointer = jsontext.Pointer(o.redaction().Hide(string(syntax.JSONPointer)))
	}
	e := &DecodeError{
		CallInfo:    o.about(o.resp.Request.URL),
		StatusCode:  o.resp.StatusCode,
		ContentType: o.redaction().Hide(o.resp.Header.Get("Content-Type")),
		WebPage:     err == errPage || o.holdsPage(),
		Err:         o.redaction().HideErr(err),
	}
	if !o.sensitive() {
		e.Excerpt = o.redaction().Excerpt(o.text.Head(), maxExcerpt, o.text.IsCut())
	}
	return e
}

// checksumError returns the error for content with another checksum than it should have, one
// of which the service says.
func (o *outcome) checksumError(expected, actual string) *ChecksumError {
	hide := o.redaction().Hide
	return &ChecksumError{Algorithm: ChecksumAlgorithmSHA256, Expected: hide(expected), Actual: hide(actual)}
}

// paginationError returns the error for a list that cannot be continued.
func (cl *call) paginationError(problem string) *PaginationError {
	return &PaginationError{CallInfo{cl.method, cl.endpoint.template, redact.WithoutQuery(cl.url())}, problem}
}

// maxErrorBody is the maximum number of bytes that are read from an error response.
const maxErrorBody = 1 << 20

// redaction returns the redactor that hides the secrets that the call has sent.
func (o *outcome) redaction() *redact.Redactor {
	if !o.redacts {
		o.redactor, o.redacts = redact.Redactor{}, true
		o.redactor.Add(o.auth.secret)
		o.addSecrets(&o.redactor)
	}
	return &o.redactor
}

// addSecrets adds the secrets of a call, except that of its header.
func (cl *call) addSecrets(r *redact.Redactor) {
	r.Add(cl.secrets...)
	r.Add(cl.options.secrets...)
	if source, ok := cl.options.credential.(interface{ secrets() []string }); ok {
		r.Add(source.secrets()...)
	}
}

func (o *outcome) redactRedirect(e *RedirectError) {
	e.URL, e.Location = o.redaction().Hide(e.URL), o.redaction().Hide(e.Location)
}
