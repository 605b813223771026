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
func (s *sending) refusal() error {
	resp := s.resp
	if resp.StatusCode >= 300 && resp.StatusCode < 400 && resp.StatusCode != http.StatusNotModified {
		e := newRedirectError(resp.Request, resp, "it has no usable Location")
		e.Method, e.Operation = s.method, s.endpoint.template
		s.sealRedirect(e)
		return e
	}
	return classify(s.statusError(), s.retryAfter)
}

// statusError describes the response by its status and its body.
func (s *sending) statusError() *Error {
	e := s.describe()
	e.Body = append([]byte(nil), s.text.Head()...)
	e.read(errbody.Parse(e.Body, header.First(s.resp.Header, "Content-Type")))
	s.sealError(e)
	return e
}

// describe is statusError without the body, for responses whose status does not
// say what is wrong.
func (s *sending) describe() *Error {
	h := s.resp.Header
	s.redaction().HideHeader(h)
	return &Error{
		CallInfo:   s.info(),
		StatusCode: s.resp.StatusCode,
		RequestID:  header.First(h, header.RequestID),
		Attempts:   s.attempts,
		header:     h,

		credential: s.refusedCredential(),
		stopped:    s.stopped,
		uncertain:  s.uncertain,
		refresh:    s.refreshError(),
	}
}

// refusedCredential names the kind of the credential if that may be what was
// wrong.
func (s *sending) refusedCredential() string {
	if s.resp.StatusCode != http.StatusUnauthorized {
		return ""
	}
	return credentialKind(s.options.credential)
}

// bodyError is the error of a response with a good status whose body, in this
// member, says that the call failed.
func (s *sending) bodyError(message []byte) *Error {
	e := s.describe()
	e.Body = append([]byte(nil), message...)
	said := errbody.Messages(e.Body)
	e.Message, e.Fields = cmp.Or(said.Message, "the service refused without a reason"), said.Fields
	s.sealError(e)
	return e
}

// info identifies the call by the URL that responded, or that it was sent to.
func (s *sending) info() CallInfo {
	if s.resp == nil || s.resp.Request == nil {
		return s.requested()
	}
	return CallInfo{s.method, s.endpoint.template, s.redaction().Hide(withoutQuery(s.resp.Request.URL))}
}

// requested identifies the call by the URL that it was sent to.
func (s *sending) requested() CallInfo {
	return CallInfo{s.method, s.endpoint.template, s.redaction().Hide(withoutQuery(s.url()))}
}

// failure makes the error of a call that ended without a good response.
func (s *sending) failure(err error) error {
	err = s.cause(err)
	var (
		redirect *RedirectError
		decode   *DecodeError
		argument *ArgumentError
	)
	switch {
	case hasType[*RefreshError](err): // whatever is behind it is not about this call
	case errors.As(err, &redirect):
		s.sealRedirect(redirect)
		return redirect
	case errors.As(err, &decode):
		return decode
	case errors.As(err, &argument):
		return argument
	}
	e := &TransportError{
		CallInfo: s.requested(),
		Attempts: s.attempts,
		Err:      s.redaction().HideErr(err),

		stopped:   s.stopped,
		uncertain: s.uncertain,
	}
	if s.resp != nil && !isGood(s.resp) {
		e.Last = s.statusError()
	}
	return e
}

// cause removes net/http's own error, which quotes the URL with its query, and
// adds the cause that the context ended with.
func (s *sending) cause(err error) error {
	for {
		var wrapped *url.Error
		if !errors.As(err, &wrapped) {
			break
		}
		err = wrapped.Err
	}
	ctx := s.ctx
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
func (s *sending) decodeError(err error) *DecodeError {
	e := &DecodeError{
		CallInfo: s.info(), Err: s.redaction().HideErr(err),
	}
	if s.resp != nil {
		e.StatusCode = s.resp.StatusCode
		e.ContentType = s.redaction().Hide(s.resp.Header.Get("Content-Type"))
	}
	if !s.sensitive() {
		e.Excerpt = s.redaction().Excerpt(s.text.Head(), maxExcerpt)
	}
	return e
}

// paginationError makes the error of a list that cannot be continued.
func (cl *call) paginationError(problem string) *PaginationError {
	return &PaginationError{CallInfo{cl.method, cl.endpoint.template, withoutQuery(cl.url())}, problem}
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
