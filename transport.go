package serviceapi

import (
	"context"
	"errors"
	"math"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"sync/atomic"
	"time"

	"example.com/serviceapi/internal/attempt"
	"example.com/serviceapi/internal/redact"
	"github.com/hashicorp/go-retryablehttp"
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

// requestInfo is the context of the requests of a call, and what it says about the call.
type requestInfo struct {
	context.Context
	// sender is the call itself, nil for a request that belongs to none.
	sender sender
	// operation is the path of the call with the names of its arguments.
	operation string
	// limit is the time limit of an attempt, nil if there is none.
	limit *attempt.Limit
	// dials is the number of connections that were opened for the attempt. It is
	// used atomically, because net/http opens them on other goroutines.
	dials int32
	// left is how far the request of the attempt is on its way, used like dials.
	left int32
	// stream is set if the body of a successful response is handed to the caller.
	stream bool
	// dump sends a request and writes what was sent and received; nil for most
	// calls.
	dump func(*http.Request, http.RoundTripper) (*http.Response, error)
}

// sender is a call that is being sent, as its requests and the loop of its attempts see it.
type sender interface {
	// requestHeader returns a header for a request to the origin of the base URL, with the
	// credential.
	requestHeader() http.Header
	// begin is called before every attempt, and ended after it, which reports whether there
	// is another one. pause waits for that.
	begin()
	ended(resp *http.Response, err error) (again bool, _ error)
	pause() error
}

// How far a request is on its way. Of a transport that does not tell, and of a read, nothing is
// known.
const (
	leftUnknown int32 = iota
	leftNot           // it was not handed on, or waits for a connection
	leftMaybe         // it had a connection
)

// trace makes the transport tell when the request waits for a connection, and when it has one.
func (i *requestInfo) trace() {
	i.Context = httptrace.WithClientTrace(i.Context, &httptrace.ClientTrace{
		GetConn: func(string) { atomic.CompareAndSwapInt32(&i.left, leftUnknown, leftNot) },
		GotConn: func(httptrace.GotConnInfo) { atomic.StoreInt32(&i.left, leftMaybe) },
	})
}

// neverLeft reports whether no part of the request of the last attempt was sent.
func (i *requestInfo) neverLeft() bool { return atomic.LoadInt32(&i.left) == leftNot }

type infoKey struct{}

// Value returns the requestInfo itself for its own key.
func (i *requestInfo) Value(key any) any {
	if key == (infoKey{}) {
		return i
	}
	return i.Context.Value(key)
}

// infoOf returns the requestInfo of a context, or an empty one if the context is not that
// of a request.
func infoOf(ctx context.Context) *requestInfo {
	if info, ok := ctx.Value(infoKey{}).(*requestInfo); ok && info != nil {
		return info
	}
	return new(requestInfo)
}

// Operation returns the path of the call that a request's context belongs to,
// with the names of its arguments: "/projects/:id/jobs/:job_id". A [Middleware]
// can use it to name spans and metrics. It is "" for any other context.
func Operation(ctx context.Context) string { return infoOf(ctx).operation }

// newLoop returns the loop that makes the attempts of calls. All calls of a client share it:
// its hooks find the call in the context of the request. The hook for the length of a wait
// gets no request, so the call waits in the one that prepares the next attempt.
func newLoop(hc *http.Client) *retryablehttp.Client {
	return &retryablehttp.Client{
		HTTPClient: hc,
		RetryMax:   math.MaxInt, // the call decides
		RequestLogHook: func(_ retryablehttp.Logger, req *http.Request, _ int) {
			infoOf(req.Context()).sender.begin()
		},
		CheckRetry: func(ctx context.Context, resp *http.Response, err error) (again bool, _ error) {
			return infoOf(ctx).sender.ended(resp, err)
		},
		Backoff:      func(_, _ time.Duration, _ int, _ *http.Response) time.Duration { return 0 },
		PrepareRetry: func(req *http.Request) error { return infoOf(req.Context()).sender.pause() },
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
}

// gate is the outermost transport: every attempt and every redirect passes
// through it.
type gate struct {
	next    http.RoundTripper
	limiter Limiter
	// transport is the one below all middleware.
	transport http.RoundTripper
}

var errNoResponse = errors.New("the transport returned no response")

// RoundTrip paces the request, and refuses responses for which net/http would
// return an error that quotes the query of a URL.
func (g *gate) RoundTrip(req *http.Request) (*http.Response, error) {
	if s := infoOf(req.Context()).sender; s != nil && req.Response == nil {
		// A redirect has its header from redirects.check, which decides what it may carry.
		req.Header, req.Host = s.requestHeader(), req.URL.Host
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
			refused := req.Context().Err() == nil
			closeRequest(req)
			return nil, &limiterError{err, refused}
		}
	}
	resp, err := g.send(req, infoOf(req.Context()))
	switch {
	case err != nil:
		return nil, g.tellProxy(req, err)
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
	if err := req.Context().Err(); err != nil {
		atomic.StoreInt32(&info.left, leftNot)
		closeRequest(req)
		return nil, err
	}
	atomic.StoreInt32(&info.left, leftUnknown)
	next := g.next
	if info.dump != nil {
		next = RoundTripFunc(func(req *http.Request) (*http.Response, error) { return info.dump(req, g.next) })
	}
	if info.limit != nil {
		return info.limit.Send(req, info.stream, next.RoundTrip)
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

// checkProxy tells a proxy that makes no connection from a service that refuses a call.
func checkProxy(_ context.Context, _ *url.URL, _ *http.Request, resp *http.Response) error {
	if resp.StatusCode != http.StatusOK {
		return &proxyError{resp.Status, resp.StatusCode >= http.StatusInternalServerError}
	}
	return nil
}

// tellProxy is checkProxy for a transport of the caller, which is not changed: net/http returns the
// text of the proxy's status, and nothing else, as the error.
func (g *gate) tellProxy(req *http.Request, err error) error {
	transport, ok := g.transport.(*http.Transport)
	if !ok || req.URL.Scheme != "https" || transport.Proxy == nil || transport.OnProxyConnectResponse != nil {
		return err
	}
	proxy, problem := transport.Proxy(req)
	if problem != nil || proxy == nil {
		return err
	}
	cause := err
	for inner := cause; inner != nil; inner = errors.Unwrap(inner) { // what a middleware has wrapped
		cause = inner
	}
	said := cause.Error()
	for status := http.StatusMultipleChoices; status < 600; status++ {
		if said != "" && said == http.StatusText(status) {
			return &proxyError{strconv.Itoa(status) + " " + said, status >= http.StatusInternalServerError}
		}
	}
	return err
}

// closeRequest closes the body of a request that is not handed on.
func closeRequest(req *http.Request) {
	if req.Body != nil {
		req.Body.Close()
	}
}

func closeBody(resp *http.Response) {
	if resp != nil && resp.Body != nil {
		resp.Body.Close()
	}
}

// newRedirectError describes a redirect that is not followed.
func newRedirectError(req *http.Request, resp *http.Response, reason string) *RedirectError {
	e := &RedirectError{CallInfo: CallInfo{Method: req.Method, Operation: Operation(req.Context())}, Reason: reason}
	if resp != nil {
		e.StatusCode = resp.StatusCode
		if resp.Request != nil {
			e.URL = redact.WithoutQuery(resp.Request.URL)
		}
	}
	return e
}

// checkLocation refuses a Location that cannot be followed. Otherwise net/http
// would quote it, including the query, in an error.
func checkLocation(req *http.Request, resp *http.Response) error {
	u, err := url.Parse(resp.Header.Get("Location")) // without one, the same URL
	if err == nil {
		u = req.URL.ResolveReference(u)
	}
	var reason string
	switch {
	case err != nil:
		reason = "its Location cannot be parsed"
	case u.User != nil:
		reason = "its Location contains a user name or password"
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		reason = "its Location is not an http or https URL"
	default:
		return nil
	}
	e := newRedirectError(req, resp, reason)
	e.URL = redact.WithoutQuery(req.URL)
	if u != nil {
		e.Location = redact.WithoutQuery(u)
	}
	return e
}

func isGood(resp *http.Response) bool { return resp.StatusCode >= 200 && resp.StatusCode <= 299 }

func isRedirect(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}
