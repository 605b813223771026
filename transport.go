package serviceapi

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"
)

// DefaultTransport returns a new transport like the one that a client has by
// default. Change it and pass it to [WithHTTPClient], for example to set the CA
// certificates of an instance, client certificates, or a proxy other than that
// of the environment.
func DefaultTransport() *http.Transport {
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		OnProxyConnectResponse: checkProxy,
		DialContext:            (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 15 * time.Second}).DialContext,
		ForceAttemptHTTP2:      true,
		MaxConnsPerHost:        64,
		MaxIdleConns:           128,
		MaxIdleConnsPerHost:    64,
		IdleConnTimeout:        90 * time.Second,
		TLSHandshakeTimeout:    10 * time.Second,
		ResponseHeaderTimeout:  60 * time.Second,
		ExpectContinueTimeout:  time.Second,
		ReadBufferSize:         32 << 10,
		WriteBufferSize:        32 << 10,
		HTTP2: &http.HTTP2Config{
			// A connection that has become silent is detected and closed.
			SendPingTimeout: 15 * time.Second,
			PingTimeout:     15 * time.Second,
		},
	}
}

// gate is the outermost transport: every attempt and every redirect passes
// through it.
type gate struct {
	next    http.RoundTripper
	limiter Limiter
}

var (
	errNoResponse = errors.New("the transport returned no response")
	// net/http detaches the connection of such a response from the context of
	// its request.
	errSwitched = errors.New("the service switched protocols without being asked")
)

// RoundTrip paces the request, and refuses responses for which net/http would
// return an error that quotes the query of a URL.
func (g *gate) RoundTrip(req *http.Request) (*http.Response, error) {
	if g.limiter != nil {
		if err := g.limiter.Wait(req.Context()); err != nil {
			if req.Body != nil {
				req.Body.Close()
			}
			return nil, &limiterError{err}
		}
	}
	resp, err := g.timed(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode == http.StatusSwitchingProtocols {
		resp.Body.Close()
		return nil, errSwitched
	}
	if resp.Request == nil {
		resp.Request = req
	}
	if err := checkLocation(req, resp); err != nil {
		resp.Body.Close()
		return nil, err
	}
	return resp, nil
}

// timed sends a request within the time of its attempt, if there is a limit.
func (g *gate) timed(req *http.Request) (*http.Response, error) {
	trip := tripOf(req.Context())
	if trip.timeout == 0 {
		return checkedResponse(g.send(req))
	}
	ctx, cancel := context.WithCancelCause(req.Context())
	timer := time.AfterFunc(trip.timeout, func() { cancel(errAttemptTimeout) })
	stop := func() {
		timer.Stop()
		cancel(nil)
	}
	resp, err := checkedResponse(g.send(req.WithContext(ctx)))
	if err != nil {
		if context.Cause(ctx) == errAttemptTimeout {
			err = errAttemptTimeout
		}
		stop()
		return nil, err
	}
	if trip.stream {
		timer.Stop()
	}
	resp.Body = &timedBody{ReadCloser: resp.Body, ctx: ctx, stop: stop}
	return resp, nil
}

// send sends the request to the next transport, and dumps it if the call asks
// for that.
func (g *gate) send(req *http.Request) (*http.Response, error) {
	if dump := tripOf(req.Context()).dump; dump != nil {
		return dump(req, g.next)
	}
	return g.next.RoundTrip(req)
}

func checkedResponse(resp *http.Response, err error) (*http.Response, error) {
	if err == nil && (resp == nil || resp.Body == nil) {
		return nil, errNoResponse
	}
	return resp, err
}

var errAttemptTimeout = errors.New("the attempt took longer than AttemptTimeout allows")

// timedBody is the body of an attempt with a time limit.
type timedBody struct {
	io.ReadCloser
	ctx  context.Context
	stop func()
}

func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF && context.Cause(b.ctx) == errAttemptTimeout {
		err = errAttemptTimeout
	}
	return n, err
}

func (b *timedBody) Close() error {
	defer b.stop()
	return b.ReadCloser.Close()
}

// proxyError means that a proxy refused to connect to the service.
type proxyError struct{ status string }

func (e *proxyError) Error() string { return "the proxy refused the connection: " + e.status }

// checkProxy ends the attempts if a proxy requires authentication.
func checkProxy(_ context.Context, _ *url.URL, _ *http.Request, resp *http.Response) error {
	if resp.StatusCode == http.StatusProxyAuthRequired {
		return &proxyError{resp.Status}
	}
	return nil
}

// limiterError is the error that a [Limiter] returned.
type limiterError struct{ err error }

func (e *limiterError) Error() string { return "limiter: " + e.err.Error() }
func (e *limiterError) Unwrap() error { return e.err }

func closeBody(resp *http.Response) {
	if resp != nil && resp.Body != nil {
		resp.Body.Close()
	}
}

// Limiter paces the attempts of a client. golang.org/x/time/rate.Limiter is
// one.
type Limiter interface {
	// Wait blocks until the next attempt may be sent, and returns an error if ctx
	// ends first.
	Wait(ctx context.Context) error
}
