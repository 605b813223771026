package serviceapi

import (
	"errors"
	"math"
	"math/rand/v2"
	"net"
	"time"

	"example.com/serviceapi/internal/attempt"
	"example.com/serviceapi/internal/source"
)

// RetryPolicy says how many times a call is tried, and how long it waits. A field that is 0
// means the value of [DefaultRetryPolicy].
//
// Reads (GET, HEAD) are repeated on 429, 500, 502, 503, 504, on 409 with the
// reason "Resource lock", and if the connection failed. Writes are repeated
// only if the service certainly did not execute the first attempt: on 429, on a
// resource lock, and if no connection could be made.
type RetryPolicy struct {
	// MaxAttempts is the maximum number of times a call is sent, including the first. 1
	// means no retries. The default is 5. A [Download] that breaks off is requested again as
	// often, without a byte in between: each byte that arrives starts the count anew.
	MaxAttempts int
	// MinWait is the mean of the first wait. Waits are random, and their mean doubles with
	// every attempt. The default is 200 ms.
	MinWait time.Duration
	// MaxWait is the longest wait. If the service asks for a longer one, the call returns
	// the error response at once. The default is 60 s.
	MaxWait time.Duration
	// AttemptTimeout bounds one attempt with its redirects, from when it has a connection
	// to the end of a JSON response. An attempt that takes longer is treated like a broken
	// connection. The timeout does not apply to uploads, and to downloads only until their
	// first byte. There is no limit by default, but the default transport waits at most 60
	// s for the header of a response.
	AttemptTimeout time.Duration
	// RetryIdempotent repeats PUT and DELETE in the same cases as reads, although
	// the first attempt may have been executed: a repeated DELETE can return 404
	// although the first one succeeded. Merging and rebasing are still not
	// repeated.
	RetryIdempotent bool
	// RetryUnsafe repeats every call in the same cases as reads. What a POST
	// creates may then be created twice.
	RetryUnsafe bool
	// NoSharedPause sends a call at once even if the service has just refused another one
	// with 429 and a time to wait. By default, calls to the same URL with the same
	// credential wait until then, but at most MaxWait. So do calls to the same endpoint if
	// several of its URLs were refused in a row.
	NoSharedPause bool
}

// DefaultRetryPolicy returns the policy of a client without [WithRetry].
func DefaultRetryPolicy() RetryPolicy {
	return RetryPolicy{MaxAttempts: 5, MinWait: 200 * time.Millisecond, MaxWait: time.Minute}
}

func (p *RetryPolicy) check() error {
	switch {
	case p.MaxAttempts < 0:
		return negative("MaxAttempts")
	case p.MinWait < 0:
		return negative("MinWait")
	case p.MaxWait < 0:
		return negative("MaxWait")
	case p.AttemptTimeout < 0:
		return negative("AttemptTimeout")
	}
	d := DefaultRetryPolicy()
	if p.MaxAttempts == 0 {
		p.MaxAttempts = d.MaxAttempts
	}
	if p.MaxWait == 0 {
		p.MaxWait = d.MaxWait
	}
	if p.MinWait == 0 {
		p.MinWait = min(d.MinWait, p.MaxWait)
	}
	return nil
}

// draw returns a random wait before the attempt after the nth: exponential,
// with full jitter.
func (p *RetryPolicy) draw(n int) time.Duration {
	ceiling := min(math.Ldexp(float64(p.MinWait), n), float64(p.MaxWait))
	return time.Duration(rand.Float64() * ceiling)
}

// The transport marks its failures with these errors, so that they can be judged.

// errSwitched is about a response whose connection net/http detaches from the context of its
// request.
var errSwitched = errors.New("the service switched protocols without being asked")

// hopError is the failure of a request that follows a redirect.
type hopError struct{ err error }

func (e *hopError) Error() string { return "after a redirect: " + e.err.Error() }
func (e *hopError) Unwrap() error { return e.err }

// ErrProxyRefused is wrapped by the [*TransportError] of a call for which a proxy refused to
// connect to the service, such as with 403 or 407. The service knows nothing of the call. A
// transport of your own shows only the text of the proxy's status: without the
// OnProxyConnectResponse of [DefaultTransport], only the usual texts are recognized.
var ErrProxyRefused = errors.New("the proxy refused the connection")

// proxyError means that a proxy refused to connect to the service. It may connect later if it
// failed itself.
type proxyError struct {
	status string
	failed bool
}

func (e *proxyError) Error() string { return ErrProxyRefused.Error() + ": " + e.status }
func (e *proxyError) Unwrap() error { return ErrProxyRefused }

// ErrLimiterRefused is wrapped by the [*TransportError] of a call that the [Limiter] did not let
// through although the context of the call had not ended: the wait would outlast its deadline,
// or the limiter failed. What it refused was not sent, but an earlier attempt may have been: see
// [MayHaveExecuted]. The error of the limiter is wrapped as well. If the context ends during the
// wait, the call returns the error of the context instead.
var ErrLimiterRefused = errors.New("the limiter refused the attempt")

// limiterError is the error that a [Limiter] returned.
type limiterError struct {
	err error
	// refused is set if the limiter did not wait until the context ended.
	refused bool
}

func (e *limiterError) Error() string        { return "limiter: " + e.err.Error() }
func (e *limiterError) Unwrap() error        { return e.err }
func (e *limiterError) Is(target error) bool { return e.refused && target == ErrLimiterRefused }

// isPermanent reports whether another attempt would fail in the same way.
func isPermanent(err error) bool {
	var dns *net.DNSError
	if proxy, ok := errors.AsType[*proxyError](err); ok {
		return !proxy.failed
	}
	switch {
	case hasType[*RedirectError](err), hasType[*DecodeError](err), hasType[*ArgumentError](err),
		hasType[*source.Error](err), hasType[*limiterError](err),
		errors.Is(err, errSwitched), attempt.IsTLSFailure(err):
		return true
	case errors.As(err, &dns):
		return dns.IsNotFound
	}
	return false
}

// notSent reports whether no part of the request can have reached the service. A connection
// that was reset does not count: it may have been in use. Nor does one that a redirect led
// to: the service had already received the request.
func notSent(err error) bool { return attempt.NotConnected(err) && !hasType[*hopError](err) }
