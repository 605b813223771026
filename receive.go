package serviceapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
)

const requestIDHeader = "X-Request-Id"

// maxDrain bounds what is read of a body that nobody wants, so that its
// connection can be used again.
const maxDrain = 64 << 10

// receive takes in the response of one attempt. The body of a good JSON
// response and of every other status is read here, inside the attempt, so that
// one that breaks off is repeated like a request that failed.
func (cl *call) receive(resp *http.Response) error {
	a := &cl.attempt
	a.last, a.asked = resp, waitTime{}
	cl.dropData()
	good := resp.StatusCode >= 200 && resp.StatusCode <= 299
	if !good {
		a.asked = askedWait(resp)
	}
	if good && cl.answer == answerStream {
		err := checkEncoding(resp)
		if err != nil {
			resp.Body.Close()
			err = cl.decodeError(err)
		}
		return err
	}
	defer resp.Body.Close()
	if good && cl.answer == answerNothing {
		// Whatever is wrong with a body that nobody asked for, the call
		// succeeded.
		_, _ = io.CopyN(io.Discard, resp.Body, maxDrain)
		return nil
	}
	if !good {
		// A message that breaks off is better than none.
		a.data, _, _ = cl.readBody(resp, maxErrorBody)
		return nil
	}
	if err := checkEncoding(resp); err != nil {
		return cl.decodeError(err)
	}
	if cl.onHeader != nil {
		cl.onHeader(resp.Header)
	}
	data, truncated, err := cl.readBody(resp, cl.options.maxSize)
	a.data = data
	if err != nil {
		return err
	}
	if truncated {
		return cl.decodeError(fmt.Errorf("longer than %d bytes", cl.options.maxSize))
	}
	return nil
}

// checkEncoding refuses a body in an encoding that was not asked for and that
// net/http did not take off.
func checkEncoding(resp *http.Response) error {
	encoding := resp.Header.Get("Content-Encoding")
	if encoding == "" || strings.EqualFold(encoding, "identity") {
		return nil
	}
	return fmt.Errorf("content encoding %q was not asked for", excerpt(encoding, 40))
}

// readBody reads up to limit bytes, and reports whether there was more.
func (cl *call) readBody(resp *http.Response, limit int64) (*buffer, bool, error) {
	b := cl.client.config.buffers.get()
	if n := resp.ContentLength; n > 0 {
		b.Grow(int(min(n, limit, 1<<20)) + bytes.MinRead)
	}
	cl.attempt.limited = io.LimitedReader{R: resp.Body, N: limit + 1}
	n, err := b.ReadFrom(&cl.attempt.limited)
	cl.attempt.limited.R = nil
	if n > limit {
		b.Truncate(int(limit))
		return b, true, nil
	}
	return b, false, err
}

// dropData gives the buffer of the last response back.
func (cl *call) dropData() {
	if cl.attempt.data != nil {
		cl.client.config.buffers.put(cl.attempt.data)
		cl.attempt.data = nil
	}
}

// statusError makes the error of a response that says no.
func (cl *call) statusError() error {
	resp := cl.attempt.last
	if resp.StatusCode >= 300 && resp.StatusCode < 400 && resp.StatusCode != http.StatusNotModified {
		e := newRedirectError(resp.Request, resp, "it has no Location that can be followed")
		e.Method, e.Operation = cl.method, cl.endpoint.template
		return e
	}
	return classify(cl.lastError(), cl.attempt.asked)
}

// lastError describes the last response.
func (cl *call) lastError() *Error {
	resp := cl.attempt.last
	e := &Error{
		StatusCode: resp.StatusCode,
		Method:     cl.method,
		Operation:  cl.endpoint.template,
		URL:        cl.finalURL(),
		RequestID:  resp.Header.Get(requestIDHeader),
		Attempts:   cl.attempt.count,
		header:     publicHeader(resp.Header),
	}
	if data := cl.attempt.data; data != nil {
		e.Body = cl.redactBytes(data.Bytes())
		cl.dropData()
	}
	parseError(e, resp.Header.Get("Content-Type"))
	return e
}

func (cl *call) finalURL() string {
	if resp := cl.attempt.last; resp != nil && resp.Request != nil {
		return withoutQuery(resp.Request.URL)
	}
	return withoutQuery(cl.url())
}

// redact blots out the call's own credential, which a service may echo.
func (cl *call) redact(text string) string {
	if secret := cl.attempt.secret; secret != "" {
		text = strings.ReplaceAll(text, secret, redacted)
	}
	return text
}

// redactBytes returns a copy of data without the call's own credential.
func (cl *call) redactBytes(data []byte) []byte {
	if secret := cl.attempt.secret; secret != "" && bytes.Contains(data, []byte(secret)) {
		return bytes.ReplaceAll(data, []byte(secret), []byte(redacted))
	}
	return bytes.Clone(data)
}

// transportError makes the error of a call that ended without a good response.
func (cl *call) transportError(err error) error {
	err = cl.cause(err)
	var (
		redirect *RedirectError
		decode   *DecodeError
		argument *ArgumentError
	)
	switch {
	case errors.As(err, &redirect):
		return redirect
	case errors.As(err, &decode):
		cl.dropData()
		return decode
	case errors.As(err, &argument):
		return argument
	}
	e := &TransportError{
		Method:    cl.method,
		Operation: cl.endpoint.template,
		URL:       withoutQuery(cl.url()),
		Attempts:  cl.attempt.count,
		Err:       err,
	}
	if cl.attempt.last != nil && cl.attempt.last.StatusCode > 299 {
		e.Last = cl.lastError()
	}
	cl.dropData()
	return e
}

// cause takes off net/http's own error, which quotes the URL with its query,
// and adds the cause that the context ended with.
func (cl *call) cause(err error) error {
	for {
		var wrapped *url.Error
		if !errors.As(err, &wrapped) {
			break
		}
		err = wrapped.Err
	}
	ended := cl.ctx.Err()
	if ended == nil {
		return err
	}
	if !errors.Is(err, ended) {
		err = fmt.Errorf("%w: %w", ended, err)
	}
	if cause := context.Cause(cl.ctx); !errors.Is(err, cause) {
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

// publicHeader leaves out the cookies that a response sets.
func publicHeader(h http.Header) http.Header {
	delete(h, "Set-Cookie")
	return h
}

type buffer = bytes.Buffer

// bufferPool lends the buffers that answers are read into.
type bufferPool struct {
	pool sync.Pool
}

// maxPooledBuffer keeps one huge response from being held for ever.
const maxPooledBuffer = 1 << 20

func newBufferPool() *bufferPool {
	return &bufferPool{sync.Pool{New: func() any { return new(buffer) }}}
}

func (p *bufferPool) get() *buffer { return p.pool.Get().(*buffer) }

func (p *bufferPool) put(b *buffer) {
	if b.Cap() <= maxPooledBuffer {
		b.Reset()
		p.pool.Put(b)
	}
}
