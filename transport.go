package serviceapi

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"
)

// DefaultTransport returns a new transport like the one that a client uses by default.
// Change it and pass it to [WithHTTPClient], for example to set the CA certificates of an
// instance, client certificates, or a proxy other than that of the environment.
func DefaultTransport() *http.Transport {
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 15 * time.Second}
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		OnProxyConnectResponse: checkProxy,
		DialContext:            limitDials(dialer.DialContext),
		ForceAttemptHTTP2:      true,
		MaxConnsPerHost:        64,
		MaxIdleConns:           128,
		MaxIdleConnsPerHost:    64,
		IdleConnTimeout:        90 * time.Second,
		TLSHandshakeTimeout:    10 * time.Second,
		ResponseHeaderTimeout:  60 * time.Second,
		ExpectContinueTimeout:  time.Second,
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

var errNoResponse = errors.New("the transport returned no response")

// RoundTrip paces the request, and refuses responses for which net/http would
// return an error that quotes the query of a URL.
func (g *gate) RoundTrip(req *http.Request) (*http.Response, error) {
	if s := infoOf(req.Context()).sending; s != nil && req.Response == nil {
		// A redirect has its header from redirects.check, which decides what it may carry.
		req.Header, req.Host = s.header(s.auth), req.URL.Host
	}
	resp, err := g.pass(req)
	if err != nil && req.Response != nil {
		return nil, &hopError{err}
	}
	return resp, err
}

func (g *gate) pass(req *http.Request) (*http.Response, error) {
	if g.limiter != nil {
		if err := g.limiter.Wait(req.Context()); err != nil {
			if req.Body != nil {
				req.Body.Close()
			}
			return nil, &limiterError{err}
		}
	}
	resp, err := g.send(req, infoOf(req.Context()))
	switch {
	case err != nil:
		return nil, err
	case resp == nil || resp.Body == nil:
		return nil, errNoResponse
	case resp.StatusCode == http.StatusSwitchingProtocols:
		resp.Body.Close()
		return nil, errSwitched
	}
	if resp.Request == nil {
		resp.Request = req
	}
	if resp.Header["Location"] != nil && isRedirect(resp.StatusCode) {
		if err := checkLocation(req, resp); err != nil {
			resp.Body.Close()
			return nil, err
		}
	}
	return resp, nil
}

// send sends a request within the time of its attempt, if there is a limit, and dumps
// it if the call asks for that.
func (g *gate) send(req *http.Request, info *requestInfo) (*http.Response, error) {
	atomic.StoreInt32(&info.dials, 0)
	next := g.next
	if info.dump != nil {
		next = RoundTripFunc(func(req *http.Request) (*http.Response, error) { return info.dump(req, g.next) })
	}
	if info.limit != nil {
		return info.limit.Send(req, info.sending.use == streamBody, next.RoundTrip)
	}
	return next.RoundTrip(req)
}

// maxDials is the maximum number of connections that one attempt opens. More than one is
// rare: a connection may end before the request is sent.
const maxDials = 16

var errManyDials = errors.New("the service ended every connection before it took the request")

type dialFunc = func(ctx context.Context, network, address string) (net.Conn, error)

// limitDials ends an attempt that opens one connection after the other. net/http
// repeats a request for as long as each new HTTP/2 connection refuses it with
// GOAWAY, without a wait and without an end (golang.org/issue/52459).
func limitDials(dial dialFunc) dialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		if atomic.AddInt32(&infoOf(ctx).dials, 1) > maxDials {
			return nil, &net.OpError{Op: "dial", Net: network, Err: errManyDials}
		}
		return dial(ctx, network, address)
	}
}

// checkProxy ends the attempts if a proxy requires authentication.
func checkProxy(_ context.Context, _ *url.URL, _ *http.Request, resp *http.Response) error {
	if resp.StatusCode == http.StatusProxyAuthRequired {
		return &proxyError{resp.Status}
	}
	return nil
}

func closeBody(resp *http.Response) {
	if resp != nil && resp.Body != nil {
		resp.Body.Close()
	}
}
