package serviceapi

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"example.com/serviceapi/internal/header"
)

// sending is the sequence of attempts to send a call. It belongs to one
// goroutine.
type sending struct {
	*call
	loop   retryablehttp.Client
	answer answer
	// wait is the time until the next attempt.
	wait time.Duration
	// started is when the attempt began, for the log.
	started time.Time
}

// send makes the call. It is the only place that uses HTTP. The answer is never
// nil and has to be released. Its response is successful (2xx) unless there is
// an error.
func (cl *call) send() (*answer, error) {
	s := &sending{call: cl}
	s.answer.call = cl
	s.loop = retryablehttp.Client{
		HTTPClient:   cl.httpClient(),
		RetryMax:     cl.options.retry.MaxAttempts - 1,
		CheckRetry:   s.checkRetry,
		Backoff:      s.backoff,
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
	failed := true
	if cl.body != nil {
		defer func() { cl.body.finish(failed) }()
	}
	budget := cl.client.config.budget
	budget.underWay.Add(1)
	defer budget.underWay.Add(-1)
	resp, err := s.authorized()
	switch {
	case err != nil:
		return &s.answer, s.answer.failure(err)
	case !isGood(resp):
		return &s.answer, s.answer.refusal()
	}
	failed = false
	if raw := cl.options.rawJSON; raw != nil && cl.use == decodeBody {
		*raw = bytes.Clone(s.answer.whole())
	}
	return &s.answer, nil
}

func isGood(resp *http.Response) bool { return resp.StatusCode >= 200 && resp.StatusCode <= 299 }

// httpClient returns the client that sends the attempts. Streams have their
// own, so that unread ones do not use up the connections of other calls.
func (cl *call) httpClient() *http.Client {
	if cl.use == streamBody {
		return cl.client.streams
	}
	return cl.client.http
}

// run sends the call with the current credential until the policy ends it.
func (s *sending) run() (*http.Response, error) {
	req, err := s.newRequest()
	if err != nil {
		return nil, err
	}
	if left := s.pauseLeft(); left > 0 {
		if err := pause(s.ctx, left); err != nil {
			return nil, err
		}
	}
	s.noteStart(0)
	resp, err := s.loop.Do(req)
	if err != nil {
		closeBody(resp)
		return nil, err
	}
	return resp, nil
}

// newRequest builds the request that all attempts of a run send.
func (s *sending) newRequest() (*retryablehttp.Request, error) {
	header := s.header()
	secret, err := s.options.credential.authorize(s.ctx, header)
	if err != nil {
		return nil, err
	}
	s.answer.secret, s.answer.hides = secret, false
	u := s.url()
	req := (&http.Request{
		Method: s.method, URL: u, Host: u.Host, Header: header,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}).WithContext(s.ctx)
	retryable, err := retryablehttp.FromRequest(req)
	if err != nil || s.body == nil {
		return retryable, err
	}
	open := func() (io.Reader, error) { return s.body.open(s.ctx) }
	if err := retryable.SetBody(retryablehttp.ReaderFunc(open)); err != nil {
		return nil, err
	}
	retryable.ContentLength = s.body.length()
	return retryable, nil
}

// checkRetry is called by the loop after every attempt.
func (s *sending) checkRetry(_ context.Context, resp *http.Response, err error) (bool, error) {
	s.answer.attempts++
	if err == nil {
		err = s.answer.receive(resp)
	}
	s.answer.uncertain = s.answer.uncertain || !wasNotExecuted(&s.answer, err)
	s.notePause(resp, err)
	again := s.again(resp, err)
	if logger := s.client.config.log; logger != nil {
		logger(s, outcome{resp, err, again})
	}
	s.settleBudget(resp, err)
	return again, err
}

// backoff is called by the loop before every attempt except the first.
func (s *sending) backoff(_, _ time.Duration, _ int, _ *http.Response) time.Duration {
	s.noteStart(s.wait)
	return s.wait
}

// noteStart notes when an attempt begins, if there is a log to say so.
func (s *sending) noteStart(in time.Duration) {
	if s.client.config.log != nil {
		s.started = time.Now().Add(in)
	}
}

// outcome is how an attempt ended.
type outcome struct {
	resp *http.Response
	err  error
	// again is set if another attempt follows.
	again bool
}

// log describes the attempt that just ended.
func (s *sending) log(logger *slog.Logger, o outcome) {
	level, text := slog.LevelDebug, "request"
	if o.again {
		level, text = slog.LevelInfo, "request will be repeated"
	}
	if !logger.Enabled(s.ctx, level) {
		return
	}
	a := &s.answer
	attrs := []slog.Attr{
		slog.String("method", s.method),
		slog.String("operation", s.endpoint.template),
		slog.String("url", withoutQuery(s.url())),
		slog.Int("attempt", a.attempts),
		slog.Duration("duration", time.Since(s.started)),
	}
	if o.resp != nil {
		attrs = append(attrs, slog.Int("status", o.resp.StatusCode),
			slog.String("request_id", a.secrets().Quote(o.resp.Header.Get(header.RequestID), 100)))
	}
	if o.err != nil {
		attrs = append(attrs, slog.String("error", a.secrets().Quote(causeText(o.err), maxErrorText)))
	}
	if o.again {
		attrs = append(attrs, slog.Duration("wait", s.wait))
	}
	logger.LogAttrs(s.ctx, level, text, attrs...)
}
