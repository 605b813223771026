package serviceapi

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/url"

	"example.com/serviceapi/internal/header"
)

// Option configures a client. Every [RequestOption] is also an Option: passed
// to a client, it applies to all of its calls.
type Option interface {
	applyClient(*config) error
}

// RequestOption configures one call.
type RequestOption interface {
	Option
	applyRequest(*callOptions) error
}

type clientOption func(*config) error

func (o clientOption) applyClient(c *config) error { return o(c) }

type requestOption func(*callOptions) error

func (o requestOption) applyClient(c *config) error {
	c.defaults = append(c.defaults, o)
	return nil
}

func (o requestOption) applyRequest(co *callOptions) error { return o(co) }

// callOptions is what the options of one call set.
type callOptions struct {
	credential Credential
	sudo       UserRef
	header     http.Header
	query      url.Values
	retry      RetryPolicy
	maxSize    int64
	progress   func(Progress)
	pages      int
	onPage     func(*Response)
	pageToken  string
	bodyFields []bodyField
	rawJSON    *json.RawMessage
	dump       func(*call, *http.Request, http.RoundTripper) (*http.Response, error)
	resume     resumePoint
	poll       pollOptions
}

// apply applies the defaults of the client, and then the options of the call.
func (o *callOptions) apply(c *config, opts []RequestOption) error {
	o.credential = c.credential
	o.retry = DefaultRetryPolicy()
	o.maxSize = DefaultMaxResponseSize
	for _, opt := range c.defaults {
		if err := opt(o); err != nil {
			return err
		}
	}
	for _, opt := range opts {
		if opt == nil {
			return &ArgumentError{Argument: "request option", Problem: "is nil"}
		}
		if err := opt.applyRequest(o); err != nil {
			return err
		}
	}
	return nil
}

// Middleware wraps the transport. It sees every attempt of every call,
// including redirects, with the credential in the header. [Operation] returns
// which call it is.
type Middleware func(http.RoundTripper) http.RoundTripper

// RoundTripFunc is a function as an http.RoundTripper, for a [Middleware]:
//
//	func trace(next http.RoundTripper) http.RoundTripper {
//		attempt := func(r *http.Request) (*http.Response, error) {
//			log.Print(serviceapi.Operation(r.Context()))
//			return next.RoundTrip(r)
//		}
//		return serviceapi.RoundTripFunc(attempt)
//	}
type RoundTripFunc func(*http.Request) (*http.Response, error)

// RoundTrip calls the function.
func (f RoundTripFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// Limiter paces the attempts of a client. golang.org/x/time/rate.Limiter is
// one.
type Limiter interface {
	// Wait blocks until the next attempt may be sent, and returns an error if ctx
	// ends first.
	Wait(ctx context.Context) error
}

// WithHTTPClient makes the client use the Transport and the Timeout of hc,
// which is not changed. Its Jar and CheckRedirect are ignored, because they
// could bypass the library's rules for cookies and credentials. A Timeout also
// ends long downloads. A nil Transport means http.DefaultTransport. By default,
// the client has two transports like [DefaultTransport]: one for downloads and
// one for everything else, so that open downloads do not use up the connections
// of other calls. A transport that is passed here is used for both.
func WithHTTPClient(hc *http.Client) Option {
	return clientOption(func(c *config) error {
		if hc == nil {
			return &ArgumentError{Argument: "HTTP client", Problem: "is nil"}
		}
		c.httpClient, c.transport = hc, hc.Transport
		if c.transport == nil {
			c.transport = http.DefaultTransport
		}
		c.streams = c.transport
		return nil
	})
}

// WithMiddleware wraps the transport. The first middleware is the outermost.
func WithMiddleware(middleware ...Middleware) Option {
	return clientOption(func(c *config) error {
		for _, m := range middleware {
			if m == nil {
				return &ArgumentError{Argument: "middleware", Problem: "is nil"}
			}
		}
		c.middleware = append(c.middleware, middleware...)
		return nil
	})
}

// WithLimiter makes every attempt wait for the limiter first. By default there
// is none, and only the service's own rate limit slows the client down.
func WithLimiter(limiter Limiter) Option {
	return clientOption(func(c *config) error {
		c.limiter = limiter
		return nil
	})
}

// WithLogger logs every attempt at debug level, and every wait before another
// attempt at info level. Headers, bodies and queries are never logged. By
// default nothing is logged.
func WithLogger(logger *slog.Logger) Option {
	return clientOption(func(c *config) error {
		c.log = nil
		if logger != nil {
			// As a function, it lets the linker drop slog's handlers from programs that
			// do not log.
			c.log = func(s *sending, o outcome) { s.log(logger, o) }
		}
		return nil
	})
}

// WithUserAgent puts the name of the calling program, such as "deployer/1.2",
// before the library's own in User-Agent.
func WithUserAgent(product string) Option {
	return clientOption(func(c *config) error {
		if product == "" || !header.IsValue(product) {
			return &ArgumentError{Argument: "user agent", Problem: "is empty or contains a control character"}
		}
		c.userAgent = product + " " + defaultUserAgent
		return nil
	})
}

// WithRetryBudget sets the number of retries that the calls of a client may
// owe, in addition to one for each call in progress. A call that succeeds after
// a retry pays it back, and every fifth call that succeeds at once pays back
// one more. When the budget is spent, calls are not repeated, to spare a
// service that is down. Retries after 429, and after a wait that the service
// asked for, do not count. The default is 100. Derived clients share the budget
// unless they have this option.
func WithRetryBudget(size int) Option {
	return clientOption(func(c *config) error {
		if size < 0 {
			return negative("retry budget")
		}
		c.budget = newRetryBudget(size)
		return nil
	})
}
