package serviceapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"example.com/serviceapi/internal/errbody"
	"example.com/serviceapi/internal/header"
	"example.com/serviceapi/internal/redact"
)

// refusal returns the error for a response with a status other than 2xx.
func (s *sending) refusal() error {
	e := s.statusError()
	switch status := e.StatusCode; {
	case status >= 300 && status < 400 && status != http.StatusNotModified:
		e := newRedirectError(s.resp.Request, s.resp, "it has no usable Location")
		e.Method, e.Operation = s.method, s.endpoint.template
		s.redactRedirect(e)
		return e
	case status == http.StatusTooManyRequests:
		return &RateLimitError{Err: e, RetryAfter: s.retryAfter}
	case status == http.StatusForbidden && e.Reason == ErrorReasonInsufficientScope:
		return &InsufficientScopeError{Err: e, Scope: e.Scope}
	}
	return e
}

// statusError describes the response by its status and its body.
func (s *sending) statusError() *Error {
	body := s.text.Head()
	said := errbody.Parse(body, header.First(s.resp.Header, "Content-Type"))
	return s.responseError(body, said, http.StatusText(s.resp.StatusCode))
}

// responseError describes the response by what its body says, without the secrets
// that the service may have repeated anywhere in it. Its message is otherwise if the body
// has none.
func (s *sending) responseError(body []byte, said errbody.Body, otherwise string) *Error {
	r, h := s.redaction(), s.resp.Header
	r.HideHeader(h)
	said.Map(r.Hide)
	e := &Error{
		CallInfo:   s.about(s.resp.Request.URL),
		StatusCode: s.resp.StatusCode,
		Message:    cmp.Or(said.Message, otherwise), Fields: said.Fields, Code: ErrorCode(said.Code),
		Reason: ErrorReason(said.Reason), Description: said.Description, Scope: said.Scope,
		WebPage:   said.Page,
		Body:      r.HideBytes(append([]byte(nil), body...)),
		RequestID: header.First(h, header.RequestID), header: h,
		Attempts: s.attempts, stopped: s.stopped, uncertain: s.uncertain, refresh: s.refreshFailure,
	}
	if e.StatusCode == http.StatusUnauthorized {
		e.credential = credentialKind(s.options.credential)
	}
	return e
}

// bodyError returns the error for a response with a good status whose body says, in this
// member, that the call failed.
func (s *sending) bodyError(message []byte) *Error {
	return s.responseError(message, errbody.Messages(message), "the service refused without a reason")
}

// about identifies the call by the URL that responded, or that it was sent to.
func (s *sending) about(u *url.URL) CallInfo {
	return CallInfo{s.method, s.endpoint.template, s.redaction().Hide(redact.WithoutQuery(u))}
}

// failure returns the error for a call that ended without a good response.
func (s *sending) failure(err error) error {
	err = s.cause(err)
	var (
		redirect *RedirectError
		decode   *DecodeError
		argument *ArgumentError
	)
	switch {
	case hasType[*RefreshError](err): // its cause is not about this call
	case errors.As(err, &redirect):
		s.redactRedirect(redirect)
		return redirect
	case errors.As(err, &decode):
		return decode
	case errors.As(err, &argument):
		return argument
	}
	e := &TransportError{
		CallInfo: s.about(s.url()),
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
	err = redact.WithoutURL(err)
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

const maxExcerpt = 512

// decodeError returns the error for a response that cannot be decoded.
func (s *sending) decodeError(err error) *DecodeError {
	e := &DecodeError{
		CallInfo:    s.about(s.resp.Request.URL),
		StatusCode:  s.resp.StatusCode,
		ContentType: s.redaction().Hide(s.resp.Header.Get("Content-Type")),
		Err:         s.redaction().HideErr(err),
	}
	if !s.sensitive() {
		e.Excerpt = s.redaction().Excerpt(s.text.Head(), maxExcerpt)
	}
	return e
}

// paginationError returns the error for a list that cannot be continued.
func (cl *call) paginationError(problem string) *PaginationError {
	return &PaginationError{CallInfo{cl.method, cl.endpoint.template, redact.WithoutQuery(cl.url())}, problem}
}

// maxErrorBody is the maximum number of bytes that are read from an error response.
const maxErrorBody = 1 << 20

// redaction returns the redactor that hides the secrets that the call has sent.
func (s *sending) redaction() *redact.Redactor {
	if !s.redacts {
		s.redactor, s.redacts = redact.Redactor{}, true
		s.redactor.Add(s.auth.secret)
		s.addSecrets(&s.redactor)
	}
	return &s.redactor
}

// addSecrets adds the secrets of a call, except that of its header.
func (cl *call) addSecrets(r *redact.Redactor) {
	r.Add(cl.secrets...)
	if source, ok := cl.options.credential.(interface{ secrets() []string }); ok {
		r.Add(source.secrets()...)
	}
}

func (s *sending) redactRedirect(e *RedirectError) {
	e.URL, e.Location = s.redaction().Hide(e.URL), s.redaction().Hide(e.Location)
}
