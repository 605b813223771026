// Package attempt bounds the time of one attempt to send a request, and says what a
// failed one means.
package attempt

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync"
	"time"
)

// ErrTimeout is the error of an attempt that took too long.
var ErrTimeout = errors.New("the attempt took longer than AttemptTimeout allows")

// Limit bounds the time of an attempt, with all its redirects. The time for which a
// request waits for a connection does not count: it has not left yet.
type Limit struct {
	total time.Duration

	mu sync.Mutex
	// left is what remains of the attempt, counted from since, which is zero while
	// the time does not count.
	left  time.Duration
	since time.Time
	timer *time.Timer
}

// NewLimit returns the limit of the attempts of a call.
func NewLimit(total time.Duration) *Limit { return &Limit{total: total} }

// Restart begins another attempt.
func (l *Limit) Restart() { l.left = l.total }

// Send sends a request of the attempt. The limit of a stream ends with the first byte of
// its body, which Send waits for. If the response is an error or a redirect, it ends with the
// header: a status counts, even if its body breaks off.
func (l *Limit) Send(
	req *http.Request, stream bool, send func(*http.Request) (*http.Response, error),
) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(req.Context())
	l.mu.Lock()
	l.timer, l.since = time.AfterFunc(l.left, func() { cancel(ErrTimeout) }), time.Now()
	l.mu.Unlock()
	stop := func() {
		l.pause()
		cancel(nil)
	}
	traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { l.pause() },
		GotConn: func(httptrace.GotConnInfo) { l.run() },
	})
	resp, err := send(req.WithContext(traced))
	if stream && err == nil && resp != nil && resp.Body != nil && resp.StatusCode/100 == 2 {
		err = awaitFirstByte(resp)
	}
	if err != nil || resp == nil || resp.Body == nil {
		if context.Cause(ctx) == ErrTimeout {
			err = ErrTimeout
		}
		stop()
		return nil, err
	}
	if stream {
		l.pause()
	}
	resp.Body = &timedBody{ReadCloser: resp.Body, ctx: ctx, stop: stop}
	return resp, nil
}

// awaitFirstByte reads the first byte of a body, and puts it back.
func awaitFirstByte(resp *http.Response) error {
	body, first := resp.Body, make([]byte, 1)
	n, err := io.ReadFull(body, first)
	if err != nil && err != io.EOF {
		body.Close()
		return err
	}
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(first[:n]), body), body}
	return nil
}

// pause stops counting.
func (l *Limit) pause() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.since.IsZero() {
		l.timer.Stop()
		l.left -= time.Since(l.since)
		l.since = time.Time{}
	}
}

// run counts again.
func (l *Limit) run() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.since.IsZero() {
		l.timer.Reset(l.left)
		l.since = time.Now()
	}
}

// timedBody is the body of an attempt with a time limit.
type timedBody struct {
	io.ReadCloser
	ctx  context.Context
	stop func()
}

func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF && context.Cause(b.ctx) == ErrTimeout {
		err = ErrTimeout
	}
	return n, err
}

func (b *timedBody) Close() error {
	defer b.stop()
	return b.ReadCloser.Close()
}
