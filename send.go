package serviceapi

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"reflect"
	"strings"
	"time"

	"example.com/serviceapi/internal/attempt"
	"example.com/serviceapi/internal/errbody"
	"example.com/serviceapi/internal/header"
	"example.com/serviceapi/internal/pace"
	"example.com/serviceapi/internal/redact"
	"github.com/hashicorp/go-retryablehttp"
)

// do makes a call whose response is an object.
func do[T any](
	ctx context.Context, c *Client, method string, e Endpoint, in input, opts []RequestOption,
) (*T, *Response, error) {
	return checked[T](ctx, c, method, e, in, nil, opts)
}

// orNone returns nil and no error for null, which here means that there is no object.
func orNone[T any](object *T, resp *Response, err error) (*T, *Response, error) {
	if errors.Is(err, errNull) {
		return nil, resp, nil
	}
	return object, resp, err
}

// orNoMembers is orNone for an object without members.
func orNoMembers[T any](object *T, resp *Response, err error) (*T, *Response, error) {
	if errors.Is(err, errEmptyObject) {
		return nil, resp, nil
	}
	return object, resp, err
}

// doArray is do for a response that is an array without pages.
func doArray[T any](
	ctx context.Context, c *Client, method string, e Endpoint, in input, opts []RequestOption,
) ([]T, *Response, error) {
	v, resp, err := do[[]T](ctx, c, method, e, in, opts)
	if v == nil {
		return nil, resp, err
	}
	return *v, resp, err
}

// checked is do for a response that may report an error despite a good status.
func checked[T any](
	ctx context.Context, c *Client, method string, e Endpoint, in input, check func(*outcome, *T) error,
	opts []RequestOption,
) (*T, *Response, error) {
	cl, err := newCall(ctx, c, method, e, in, opts)
	if err != nil {
		return nil, nil, err
	}
	return fetch(cl, check)
}

// change makes a call without a body that the service answers with 304 if there is nothing to
// do. The result is made of the object, which is nil then.
func change[T, R any](
	ctx context.Context, c *Client, e Endpoint, result func(*T) *R, opts []RequestOption,
) (*R, *Response, error) {
	return changeBy(ctx, c, e, nil, result, opts)
}

// changeBy is change for a call that may have a body.
func changeBy[T, R any](
	ctx context.Context, c *Client, e Endpoint, in input, result func(*T) *R, opts []RequestOption,
) (*R, *Response, error) {
	object, resp, err := do[T](ctx, c, http.MethodPost, e, in, opts)
	switch {
	case errors.Is(err, ErrNotModified):
		return result(nil), resp, nil
	case object == nil:
		return nil, resp, err
	}
	return result(object), resp, err
}

// fetch sends a call whose response is an object. The check, if any, finds
// errors that the response reports despite a good status.
func fetch[T any](cl *call, check func(*outcome, *T) error) (*T, *Response, error) {
	cl.result = reflect.TypeFor[T]()
	o, err := cl.send()
	defer o.text.Release()
	if err != nil {
		return nil, o.response(), err
	}
	v := new(T)
	if err = o.decodeObject(v); err == nil && check != nil {
		err = check(o, v)
	} else if err != nil && !isPartial(err) {
		v = nil
	}
	return v, o.response(), err
}

// exec makes a call whose response is only a status.
func exec(
	ctx context.Context, c *Client, method string, e Endpoint, in input, opts []RequestOption,
) (*Response, error) {
	cl, err := newCall(ctx, c, method, e, in, opts)
	if err != nil {
		return nil, err
	}
	cl.use = discardBody
	o, err := cl.send()
	defer o.text.Release()
	return o.response(), err
}

// sending is the sequence of attempts to send a call. It belongs to one
// goroutine.
type sending struct {
	outcome
	info requestInfo
	// request is that of the current run. It is here because it would have to be allocated
	// otherwise.
	request retryablehttp.Request
	// wait is the time until the next attempt.
	wait time.Duration
	// started is when the attempt began, if the log or the pauses need it.
	started time.Time
}

// send makes the call. The outcome is never nil, and its text has to be released. The
// response is successful (2xx) unless there is an error.
func (cl *call) send() (o *outcome, err error) {
	s := &sending{outcome: outcome{call: cl}}
	s.fillInfo()
	if cl.files != nil {
		defer func() { cl.files.finish(err != nil) }()
	}
	cl.config.budget.Begin()
	defer cl.config.budget.End()
	resp, err := s.run()
	if source, ok := s.options.credential.(refresher); ok && err == nil {
		resp, err = s.refreshed(source, resp)
	}
	switch {
	case err != nil:
		return &s.outcome, s.failure(err)
	case !isGood(resp):
		return &s.outcome, s.refusal()
	case cl.files != nil && cl.files.broken() != nil: // a service that takes a part for the whole
		return &s.outcome, s.failure(cl.files.broken())
	}
	if raw := cl.options.rawJSON; raw != nil && cl.use == decodeBody {
		*raw = bytes.Clone(s.text.Bytes())
	}
	return &s.outcome, nil
}

// fillInfo fills in the context of the requests.
func (s *sending) fillInfo() {
	s.info = requestInfo{Context: s.ctx, sender: s, operation: s.endpoint.template, stream: s.use == streamBody}
	if s.method != http.MethodGet && s.method != http.MethodHead {
		s.info.trace()
	}
	if limit := s.options.retry.AttemptTimeout; limit > 0 && s.files == nil {
		s.info.limit = attempt.NewLimit(limit)
	}
	if dump := s.options.dump; dump != nil {
		s.info.dump = func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
			described := dumpedCall{
				s.config.base, s.info.stream, s.sensitive(), s.data, s.files != nil, s.bodyLength(), s.addSecrets,
			}
			return dump(described, req, next)
		}
	}
}

// run sends the call with the current credential until the policy ends it.
func (s *sending) run() (*http.Response, error) {
	req, err := s.newRequest()
	if err != nil {
		return nil, err
	}
	if left := s.pauseLeft(); left > 0 {
		if err := pace.Pause(s.ctx, left); err != nil {
			return nil, err
		}
	}
	resp, err := s.config.loops[s.use].Do(req)
	if err != nil {
		closeBody(resp)
		return nil, err
	}
	return resp, nil
}

// newRequest builds the request that all attempts of a run send. Its header is empty, because
// net/http would copy it: the gate fills it in.
func (s *sending) newRequest() (_ *retryablehttp.Request, err error) {
	if s.auth, err = s.options.credential.authorize(s.ctx); err != nil {
		return nil, err
	}
	if header := s.auth.header; s.endpoint.bearer && (header == "Private-Token" || header == "Job-Token") {
		s.auth.header, s.auth.value = "Authorization", "Bearer "+s.auth.secret
	}
	s.redacts = false
	s.request = retryablehttp.Request{Request: (&http.Request{
		Method: s.method, URL: s.url(), Header: make(http.Header),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}).WithContext(&s.info)}
	switch {
	case s.files != nil:
		open := func() (io.Reader, error) { return s.files.open(s.ctx) }
		err = s.request.SetBody(retryablehttp.ReaderFunc(open))
		s.request.ContentLength = s.files.length()
	case s.mediaType != "":
		err = s.request.SetBody(s.data)
	}
	return &s.request, err
}

// ended handles the end of an attempt, and reports whether there is another one.
func (s *sending) ended(resp *http.Response, err error) (again bool, _ error) {
	s.attempts++
	if err == nil {
		err = s.receive(resp)
	}
	if err == nil && isGood(resp) {
		s.uncertain = true
		s.config.budget.Settle(s.attempts)
		if !s.config.pauses.None() {
			s.config.pauses.Succeeded(s.paced(), s.started)
		}
	} else {
		again = s.failed(resp, err)
	}
	if s.config.log != nil {
		s.log(resp, err, again)
	}
	return again, err
}

// failed handles an attempt without a good response, and reports whether there is
// another one.
func (s *sending) failed(resp *http.Response, err error) (again bool) {
	executed, repeatable := s.judge(resp, err)
	s.uncertain, s.retryAfter = s.uncertain || executed, 0
	if err != nil {
		return repeatable && s.again(err, false)
	}
	limited := resp.StatusCode == http.StatusTooManyRequests
	if repeatable {
		s.retryAfter = header.Wait(resp.StatusCode, resp.Header)
		if limited && s.retryAfter > 0 {
			s.config.pauses.Add(s.paced(), header.First(resp.Header, "Ratelimit-Name"), s.retryAfter)
		}
		again = s.again(nil, limited || s.retryAfter > 0)
	}
	if resp.StatusCode < 500 && !limited {
		s.config.budget.Settle(s.attempts)
	}
	return again
}

// judge reports whether the service may have executed the call in an attempt that
// failed, and whether the call may be sent again.
func (s *sending) judge(resp *http.Response, err error) (executed, repeatable bool) {
	if err != nil {
		unsent := notSent(err) || s.info.neverLeft() && !hasType[*hopError](err)
		refusedHere := hasType[*limiterError](err) || hasType[*proxyError](err)
		executed = !unsent && (!refusedHere || hasType[*hopError](err))
		return executed, !isPermanent(err) && (!executed || s.mayRepeat())
	}
	switch resp.StatusCode {
	case http.StatusTooManyRequests:
		return false, true
	case http.StatusConflict:
		locked := errbody.IsLock(s.text.Head())
		return !locked, locked
	case http.StatusInternalServerError, http.StatusBadGateway,
		http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true, s.mayRepeat()
	}
	return true, false
}

func (s *sending) requestHeader() http.Header { return s.header(s.auth) }

// begin is called before every attempt.
func (s *sending) begin() {
	if s.started = (time.Time{}); s.config.log != nil || !s.config.pauses.None() {
		s.started = time.Now()
	}
	if s.info.limit != nil {
		s.info.limit.Restart()
	}
}

// pause waits for the next attempt.
func (s *sending) pause() error { return pace.Pause(s.ctx, s.wait) }

// again reports whether there is time for another attempt and, unless the attempt is free,
// a budget for it. It also sets the wait before the attempt.
func (s *sending) again(err error, free bool) bool {
	policy, limit := &s.options.retry, s.options.retry.MaxAttempts
	s.wait = policy.draw(s.attempts)
	if err != nil && attempt.IsRefused(err) {
		// The address is probably wrong. More attempts would only delay the error.
		limit, s.wait = min(limit, maxRefusedConnections), min(s.wait, maxRefusedWait)
	}
	s.wait = max(s.wait, s.retryAfter, s.pauseLeft())
	switch {
	case s.attempts >= limit, s.ctx.Err() != nil, !s.canResend():
	case s.wait > policy.MaxWait:
		s.stopped = waitTooLong
	case s.endsWithin(s.wait):
		s.stopped = deadlineNear
	case !free && !s.config.budget.Take():
		s.stopped = budgetSpent
	default:
		return true
	}
	return false
}

// The attempts at an address that refuses connections, and the wait between
// them, so that the error is returned within a second.
const (
	maxRefusedConnections = 3
	maxRefusedWait        = 300 * time.Millisecond
)

func (cl *call) endsWithin(wait time.Duration) bool {
	deadline, ok := cl.ctx.Deadline()
	return ok && time.Until(deadline) <= wait
}

// paced describes the call to the pauses.
func (s *sending) paced() pace.Call {
	return pace.Call{
		Credential: s.auth.secret, Sudo: s.options.sudo.String(),
		Method: s.method, Operation: s.endpoint.template, Path: s.endpoint.path,
	}
}

// pauseLeft returns how long calls like this one must wait, or 0 if this call cannot wait
// that long: it is then sent at once, and the service may refuse it.
func (s *sending) pauseLeft() time.Duration {
	if s.options.retry.NoSharedPause || s.config.pauses.None() {
		return 0
	}
	left := s.config.pauses.Left(s.paced())
	if left > s.options.retry.MaxWait || s.endsWithin(left) {
		return 0
	}
	return left
}

// log describes the attempt that just ended.
func (s *sending) log(resp *http.Response, err error, again bool) {
	level, text := slog.LevelDebug, "request"
	if again {
		level, text = slog.LevelInfo, "request will be repeated"
	}
	if !s.config.log.Enabled(&s.info, level) {
		return
	}
	attrs := []slog.Attr{
		slog.String("method", s.method),
		slog.String("operation", s.endpoint.template),
		slog.String("url", redact.WithoutQuery(s.url())),
		slog.Int("attempt", s.attempts),
		slog.Duration("duration", time.Since(s.started)),
	}
	if resp != nil {
		id := s.redaction().Quote(resp.Header.Get(header.RequestID), 100)
		attrs = append(attrs, slog.Int("status", resp.StatusCode), slog.String("request_id", id))
	}
	if err != nil {
		if redirect, ok := errors.AsType[*RedirectError](err); ok {
			s.redactRedirect(redirect) // a secret at the end of its Location is not whole
		}
		attrs = append(attrs, slog.String("error", s.redaction().Quote(redact.WithoutURL(err).Error(), maxErrorText)))
	}
	if again {
		attrs = append(attrs, slog.Duration("wait", s.wait))
	}
	s.config.log.LogAttrs(&s.info, level, text, attrs...)
}

// refreshed runs the call once more if its credential was refused and could be
// replaced.
func (s *sending) refreshed(source refresher, resp *http.Response) (*http.Response, error) {
	if resp.StatusCode != http.StatusUnauthorized {
		source.settle(s.auth.secret, resp.StatusCode)
		return resp, nil
	}
	explicit := s.deniesToken()
	if !explicit && s.endpoint.forbidsBy401 || !s.canResend() {
		return resp, nil
	}
	again, err := source.refresh(s.ctx, s.auth.secret, explicit)
	if s.ctx.Err() != nil {
		return nil, context.Cause(s.ctx)
	}
	if err != nil {
		s.refreshFailure = asRefreshError(s.redaction().HideErr(err))
	}
	if !again {
		return resp, nil
	}
	if resp, err = s.run(); err == nil {
		source.settle(s.auth.secret, resp.StatusCode)
	}
	return resp, err
}

// deniesToken reports whether a 401 says that the token is not valid, rather
// than that the caller may not do something (RFC 6750, 3.1).
func (s *sending) deniesToken() bool {
	const reason = string(ErrorReasonInvalidToken)
	for _, challenge := range s.resp.Header.Values("WWW-Authenticate") {
		if strings.Contains(challenge, `error="`+reason+`"`) || strings.Contains(challenge, "error="+reason) {
			return true
		}
	}
	return s.statusError().Reason == ErrorReasonInvalidToken
}
