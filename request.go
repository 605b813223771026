package serviceapi

import (
	"context"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// answerKind says what a call does with the body of a good response.
type answerKind uint8

const (
	answerJSON    answerKind = iota // read and decoded
	answerNothing                   // passed over
	answerStream                    // handed to the caller as it comes
)

// call is one call of the API with all its attempts. It belongs to one
// goroutine.
type call struct {
	client   *Client
	ctx      context.Context
	method   string
	endpoint Endpoint
	options  callOptions
	answer   answerKind
	// sensitive marks a response that holds a secret, which no error may quote.
	sensitive bool
	query     string
	body      body
	// onHeader is told the header of a good response before its body is read.
	onHeader func(http.Header)

	attempt attempt
}

type callKey struct{}

// Operation returns the path of the call that a request's context belongs to,
// with the names of its arguments: "/projects/:id/jobs/:job_id". It is made
// for the names of spans and metrics, in a [Middleware], and is "" for a
// context that is not of such a request.
func Operation(ctx context.Context) string {
	if cl, ok := ctx.Value(callKey{}).(*call); ok {
		return cl.endpoint.template
	}
	return ""
}

// newCall prepares a call and checks all that can be checked before sending.
func newCall(ctx context.Context, c *Client, method string, e Endpoint, in input, opts []RequestOption) (*call, error) {
	if c == nil || c.retrier == nil {
		return nil, &ArgumentError{Argument: "client", Problem: "was not made by NewClient"}
	}
	if ctx == nil {
		return nil, &ArgumentError{Argument: "context", Problem: "is nil"}
	}
	if e.err != nil {
		return nil, e.err
	}
	cl := &call{client: c, method: method, endpoint: e}
	cl.options.credential = c.config.credential
	cl.options.retry = DefaultRetryPolicy()
	cl.options.maxSize = DefaultMaxResponseSize
	if err := cl.options.apply(c.config.defaults); err != nil {
		return nil, err
	}
	for _, opt := range opts {
		if opt == nil {
			return nil, &ArgumentError{Argument: "request option", Problem: "is nil"}
		}
		if err := opt.applyRequest(&cl.options); err != nil {
			return nil, err
		}
	}
	if in != nil {
		if err := in.encode(cl); err != nil {
			return nil, err
		}
	}
	if err := cl.addQuery(); err != nil {
		return nil, err
	}
	cl.ctx = context.WithValue(ctx, callKey{}, cl)
	return cl, nil
}

// addQuery merges the caller's own parameters into the endpoint's.
func (cl *call) addQuery() error {
	if len(cl.options.query) == 0 {
		return nil
	}
	values, err := url.ParseQuery(cl.query)
	if err != nil {
		return err
	}
	maps.Copy(values, cl.options.query)
	cl.query = values.Encode()
	return nil
}

// send makes the call: it is the one place that touches HTTP. It returns a good
// answer (2xx), whose body is open if the call asks for a stream and otherwise
// in cl.attempt; or one of the error types.
func (cl *call) send() (*http.Response, error) {
	if cl.body != nil {
		defer cl.body.finish()
	}
	resp, err := cl.sendAuthorized()
	if err == nil && resp.StatusCode == http.StatusUnauthorized {
		if again, refreshErr := cl.refreshCredential(); refreshErr != nil {
			err = refreshErr
		} else if again {
			resp, err = cl.sendAuthorized()
		}
	}
	if err != nil {
		return nil, cl.transportError(err)
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return nil, cl.statusError()
	}
	return resp, nil
}

func (cl *call) sendAuthorized() (*http.Response, error) {
	req, err := cl.newRequest()
	if err != nil {
		return nil, err
	}
	cl.attempt.started = time.Now()
	resp, err := cl.client.retrier.Do(req)
	if err != nil {
		closeBody(resp)
		return nil, err
	}
	return resp, nil
}

// refreshCredential reports whether a refused credential was replaced and the
// call can be sent again.
func (cl *call) refreshCredential() (bool, error) {
	source, ok := cl.options.credential.(refresher)
	if !ok || (cl.body != nil && !cl.body.rewindable()) {
		return false, nil
	}
	return source.refresh(cl.ctx, cl.attempt.secret)
}

// newRequest builds the request that all attempts send.
func (cl *call) newRequest() (*retryablehttp.Request, error) {
	header, err := cl.newHeader()
	if err != nil {
		return nil, err
	}
	u := cl.url()
	req := (&http.Request{
		Method: cl.method, URL: u, Host: u.Host, Header: header,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}).WithContext(cl.ctx)
	retryable, err := retryablehttp.FromRequest(req)
	if err != nil || cl.body == nil {
		return retryable, err
	}
	if err := retryable.SetBody(retryablehttp.ReaderFunc(cl.body.open)); err != nil {
		return nil, err
	}
	retryable.ContentLength = cl.body.length()
	return retryable, nil
}

func (cl *call) url() *url.URL {
	base := &cl.client.config.base
	path := base.path
	if cl.endpoint.root == apiRoot {
		path += apiPrefix
	}
	path += cl.endpoint.path
	u := &url.URL{Scheme: base.scheme, Host: base.host, Path: path, RawQuery: cl.query}
	if strings.IndexByte(path, '%') >= 0 {
		// Escaped as route wrote it: %2F must not become a slash.
		if plain, err := url.PathUnescape(path); err == nil {
			u.Path, u.RawPath = plain, path
		}
	}
	return u
}

var (
	acceptJSON = []string{"application/json"}
	acceptAny  = []string{"*/*"}
	// A stream is asked for as it is stored: its length, its ranges and its
	// checksum are those of the stored bytes.
	encodingIdentity = []string{"identity"}
	expectContinue   = []string{"100-continue"}
)

// expectContinueFrom is the size from which an upload waits for the service to
// agree before it sends its body.
const expectContinueFrom = 1 << 20

func (cl *call) newHeader() (http.Header, error) {
	h := make(http.Header, 8)
	h["Accept"] = acceptJSON
	if cl.answer == answerStream {
		h["Accept"] = acceptAny
		h["Accept-Encoding"] = encodingIdentity
	}
	h["User-Agent"] = cl.client.config.userAgent
	for name, values := range cl.options.header {
		h[name] = slices.Clone(values)
	}
	if cl.body != nil {
		h["Content-Type"] = []string{cl.body.contentType()}
		if n := cl.body.length(); n < 0 || n >= expectContinueFrom {
			h["Expect"] = expectContinue
		}
	}
	if !cl.options.sudo.IsZero() {
		h["Sudo"] = []string{cl.options.sudo.String()}
	}
	secret, err := cl.options.credential.authorize(cl.ctx, h)
	cl.attempt.secret = secret
	return h, err
}

// gate is the outermost transport: every attempt and every redirect passes it.
type gate struct {
	next    http.RoundTripper
	limiter Limiter
}

func (c *Client) newGate() *gate {
	next := c.config.transport
	for _, m := range slices.Backward(c.config.middleware) {
		next = m(next)
	}
	return &gate{next: next, limiter: c.config.limiter}
}

// RoundTrip paces the request and refuses responses that net/http would choke
// on in a message that quotes a URL's query.
func (g *gate) RoundTrip(req *http.Request) (*http.Response, error) {
	if g.limiter != nil {
		if err := g.limiter.Wait(req.Context()); err != nil {
			if req.Body != nil {
				req.Body.Close()
			}
			return nil, &limiterError{err}
		}
	}
	resp, err := g.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	if resp == nil || resp.Body == nil {
		return nil, fmt.Errorf("the transport returned no response")
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

// limiterError is what a [Limiter] said instead of letting an attempt go.
type limiterError struct{ err error }

func (e *limiterError) Error() string { return "limiter: " + e.err.Error() }
func (e *limiterError) Unwrap() error { return e.err }

func closeBody(resp *http.Response) {
	if resp != nil && resp.Body != nil {
		resp.Body.Close()
	}
}

// newTransport returns the transport that a client has by default.
func newTransport() *http.Transport {
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 15 * time.Second}).DialContext,
		ForceAttemptHTTP2:     true,
		MaxConnsPerHost:       64,
		MaxIdleConns:          128,
		MaxIdleConnsPerHost:   64,
		IdleConnTimeout:       90 * time.Second,
		TLSHandshakeTimeout:   10 * time.Second,
		ResponseHeaderTimeout: 60 * time.Second,
		ExpectContinueTimeout: time.Second,
		ReadBufferSize:        32 << 10,
		WriteBufferSize:       32 << 10,
		HTTP2: &http.HTTP2Config{
			// A connection that fell silent is found and dropped.
			SendPingTimeout: 15 * time.Second,
			PingTimeout:     15 * time.Second,
		},
	}
}
