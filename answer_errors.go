package serviceapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"example.com/serviceapi/internal/errbody"
	"example.com/serviceapi/internal/header"
)

// refusal makes the error of a response with a status other than 2xx.
func (a *answer) refusal() error {
	resp := a.resp
	if resp.StatusCode >= 300 && resp.StatusCode < 400 && resp.StatusCode != http.StatusNotModified {
		e := newRedirectError(resp.Request, resp, "it has no usable Location")
		e.Method, e.Operation = a.call.method, a.call.endpoint.template
		a.sealRedirect(e)
		return e
	}
	return classify(a.statusError(), a.asked)
}

// statusError describes the response by its status and its body.
func (a *answer) statusError() *Error {
	e := a.describe()
	e.Body = append([]byte(nil), a.head()...)
	e.read(errbody.Parse(e.Body, header.First(a.resp.Header, "Content-Type")))
	a.sealError(e)
	return e
}

// describe is statusError without the body, for responses whose status does not
// say what is wrong.
func (a *answer) describe() *Error {
	h := a.resp.Header
	a.secrets().HideHeader(h)
	return &Error{
		StatusCode: a.resp.StatusCode,
		Method:     a.call.method,
		Operation:  a.call.endpoint.template,
		URL:        a.secrets().Hide(a.address()),
		RequestID:  header.First(h, header.RequestID),
		Attempts:   a.attempts,
		header:     h,

		credential: a.refusedCredential(),
		held:       a.held,
		uncertain:  a.uncertain,
		refresh:    a.refreshError(),
	}
}

// refusedCredential names the kind of the credential if that may be what was
// wrong.
func (a *answer) refusedCredential() string {
	if a.resp.StatusCode != http.StatusUnauthorized {
		return ""
	}
	return credentialKind(a.call.options.credential)
}

// bodyError is the error of a response with a good status whose body, in this
// member, says that the call failed.
func (a *answer) bodyError(message []byte) *Error {
	e := a.describe()
	e.Body = append([]byte(nil), message...)
	said := errbody.Messages(e.Body)
	e.Message, e.Fields = cmp.Or(said.Message, "the service refused without a reason"), said.Fields
	a.sealError(e)
	return e
}

// address is the URL that responded, or that the call was sent to.
func (a *answer) address() string {
	if a.resp != nil && a.resp.Request != nil {
		return withoutQuery(a.resp.Request.URL)
	}
	return withoutQuery(a.call.url())
}

// failure makes the error of a call that ended without a good response.
func (a *answer) failure(err error) error {
	err = a.cause(err)
	var (
		redirect *RedirectError
		decode   *DecodeError
		argument *ArgumentError
	)
	switch {
	case hasType[*RefreshError](err): // whatever is behind it is not about this call
	case errors.As(err, &redirect):
		a.sealRedirect(redirect)
		return redirect
	case errors.As(err, &decode):
		return decode
	case errors.As(err, &argument):
		return argument
	}
	e := &TransportError{
		Method:    a.call.method,
		Operation: a.call.endpoint.template,
		URL:       a.secrets().Hide(withoutQuery(a.call.url())),
		Attempts:  a.attempts,
		Err:       a.secrets().HideErr(err),

		held:      a.held,
		uncertain: a.uncertain,
	}
	if a.resp != nil && !isGood(a.resp) {
		e.Last = a.statusError()
	}
	return e
}

// cause removes net/http's own error, which quotes the URL with its query, and
// adds the cause that the context ended with.
func (a *answer) cause(err error) error {
	for {
		var wrapped *url.Error
		if !errors.As(err, &wrapped) {
			break
		}
		err = wrapped.Err
	}
	ctx := a.call.ctx
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

// causeText describes a failure without net/http's quotation of the URL.
func causeText(err error) string {
	var wrapped *url.Error
	for errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	return err.Error()
}

const maxExcerpt = 512

// decodeError makes the error of a response that cannot be decoded.
func (a *answer) decodeError(err error) *DecodeError {
	e := &DecodeError{
		Method: a.call.method, Operation: a.call.endpoint.template, URL: a.secrets().Hide(a.address()), Err: a.secrets().HideErr(err),
	}
	if a.resp != nil {
		e.StatusCode = a.resp.StatusCode
		e.ContentType = a.secrets().Hide(a.resp.Header.Get("Content-Type"))
	}
	if !a.call.sensitive() {
		e.Excerpt = a.secrets().Excerpt(a.head(), maxExcerpt)
	}
	return e
}

// paginationError makes the error of a list that cannot be continued.
func (cl *call) paginationError(problem string) *PaginationError {
	return &PaginationError{Method: cl.method, Operation: cl.endpoint.template, Problem: problem}
}

// maxErrorBody is the maximum number of bytes that are read of an error
// response.
const maxErrorBody = 1 << 20

// read takes over what the body of a response says.
func (e *Error) read(b errbody.Body) {
	e.Message = cmp.Or(b.Message, http.StatusText(e.StatusCode))
	e.Fields, e.Code, e.Reason, e.Description, e.Scope = b.Fields, b.Code, b.Reason, b.Description, b.Scope
}

// classify gives a response a more specific error type if there is one.
func classify(e *Error, retryAfter time.Duration) error {
	switch {
	case e.StatusCode == http.StatusTooManyRequests:
		return &RateLimitError{Err: e, RetryAfter: retryAfter}
	case e.StatusCode == http.StatusForbidden && e.Reason == "insufficient_scope":
		return &InsufficientScopeError{Err: e, Scope: e.Scope}
	}
	return e
}
