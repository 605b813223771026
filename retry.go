package serviceapi

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// RetryPolicy says how often and for how long a call is tried. Fields that are
// 0 have the value of [DefaultRetryPolicy].
//
// Reads (GET, HEAD) are repeated on 429, 500, 502, 503, 504, on 409 with the
// reason "Resource lock", and when the connection failed. Writes are repeated
// only when it is certain that the service did not execute the first attempt:
// on 429, on a resource lock, and when no connection could be made.
type RetryPolicy struct {
	// MaxAttempts is how often a call is sent at most, including the first time. 1
	// means no retries. Default 5.
	MaxAttempts int
	// MinWait is the mean of the first wait. Waits are random, and their mean
	// doubles with every attempt. Default 200 ms.
	MinWait time.Duration
	// MaxWait is the longest wait. If the service asks for a longer one, the call
	// returns its error response at once. Default 60 s.
	MaxWait time.Duration
	// RetryIdempotent repeats PUT and DELETE in the same cases as reads, although
	// the first attempt may have been executed: a repeated DELETE can return 404
	// although the first one succeeded. Merging and rebasing are excepted.
	RetryIdempotent bool
	// RetryUnsafe repeats every call in the same cases as reads. What a POST
	// creates may then be created twice.
	RetryUnsafe bool
}

// DefaultRetryPolicy returns the policy of a client without [WithRetry].
func DefaultRetryPolicy() RetryPolicy {
	return RetryPolicy{MaxAttempts: 5, MinWait: 200 * time.Millisecond, MaxWait: time.Minute}
}

func (p *RetryPolicy) check() error {
	if p.MaxAttempts < 0 || p.MinWait < 0 || p.MaxWait < 0 {
		return &ArgumentError{Argument: "retry policy", Problem: "holds a negative number"}
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

// attempt is what the last attempt of a call came to.
type attempt struct {
	count int
	// secret is what the credential put into the header.
	secret string
	// wait is the time until the next attempt.
	wait time.Duration
	// asked is the wait that the service asked for.
	asked waitTime
	// last is the last response, nil if none came.
	last *http.Response
	// data is the body of the last response, in a buffer of the client's pool.
	data *buffer
	// limited reads the body into data.
	limited io.LimitedReader
	started time.Time
}

// waitTime is a duration that may be unknown.
type waitTime struct {
	duration time.Duration
	known    bool
}

// checkRetry is called by retryablehttp after every attempt.
func checkRetry(ctx context.Context, resp *http.Response, err error) (bool, error) {
	cl, ok := ctx.Value(callKey{}).(*call)
	if !ok {
		return false, err
	}
	cl.attempt.count++
	if err == nil {
		err = cl.receive(resp)
	}
	again := cl.again(resp, err)
	if log := cl.client.config.log; log != nil {
		log(cl, outcome{resp, err, again})
	}
	cl.settleBudget(resp, err)
	return again, err
}

// noBackoff leaves the waiting to awaitRetry: retryablehttp does not say here
// which call it is about.
func noBackoff(_, _ time.Duration, _ int, _ *http.Response) time.Duration { return 0 }

// awaitRetry is called by retryablehttp before every attempt but the first.
func awaitRetry(req *http.Request) error {
	cl, ok := req.Context().Value(callKey{}).(*call)
	if !ok {
		return nil
	}
	timer := time.NewTimer(cl.attempt.wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		cl.attempt.started = time.Now()
		return nil
	case <-cl.ctx.Done():
		return cl.ctx.Err()
	}
}

// again decides whether to try once more, and when.
func (cl *call) again(resp *http.Response, err error) bool {
	a, policy := &cl.attempt, &cl.options.retry
	switch {
	case cl.ctx.Err() != nil:
		return false
	case err != nil && !cl.repeatsFailure(err):
		return false
	case err == nil && !cl.repeatsStatus(resp.StatusCode):
		return false
	case a.count >= policy.MaxAttempts:
		return false
	case cl.body != nil && !cl.body.rewindable():
		return false
	}
	a.wait = policy.draw(a.count)
	if err == nil && a.asked.known {
		a.wait = a.asked.duration
	}
	if a.wait > policy.MaxWait || cl.endsWithin(a.wait) {
		return false
	}
	return (err == nil && a.asked.known) || cl.client.config.budget.take()
}

// repeatsStatus reports whether a response of this status is asked for again.
func (cl *call) repeatsStatus(status int) bool {
	switch status {
	case http.StatusTooManyRequests:
		return true
	case http.StatusConflict:
		return cl.isResourceLock()
	case http.StatusInternalServerError, http.StatusBadGateway,
		http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return cl.mayRepeat()
	}
	return false
}

// mayRepeat reports whether the call may be sent again although the first may
// have been executed.
func (cl *call) mayRepeat() bool {
	if cl.options.retry.RetryUnsafe {
		return true
	}
	switch cl.method {
	case http.MethodGet, http.MethodHead:
		return true
	case http.MethodPut, http.MethodDelete:
		return cl.options.retry.RetryIdempotent && !cl.endpoint.repeatUnsafe
	}
	return false
}

// isResourceLock reports whether a 409 says that somebody else held a lock, so
// that nothing was done.
func (cl *call) isResourceLock() bool {
	return cl.attempt.data != nil && strings.Contains(strings.ToLower(cl.attempt.data.String()), "resource lock")
}

func (cl *call) repeatsFailure(err error) bool {
	if isPermanent(err) {
		return false
	}
	return cl.mayRepeat() || notSent(err)
}

// isPermanent reports whether another attempt would fail in the same way.
func isPermanent(err error) bool {
	var (
		redirect *RedirectError
		decode   *DecodeError
		argument *ArgumentError
		source   *sourceError
		cert     *tls.CertificateVerificationError
		unknown  x509.UnknownAuthorityError
		record   tls.RecordHeaderError
		limiter  *limiterError
		dns      *net.DNSError
	)
	switch {
	case errors.As(err, &redirect), errors.As(err, &decode), errors.As(err, &argument), errors.As(err, &source),
		errors.As(err, &cert), errors.As(err, &unknown), errors.As(err, &record), errors.As(err, &limiter):
		return true
	case errors.As(err, &dns):
		return dns.IsNotFound
	}
	return false
}

// notSent reports whether no connection came about, so that nothing of the
// request can have reached the service. A handshake that the other side broke
// off does not count: it may have been a connection that was in use.
func notSent(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && (op.Op == "dial" || op.Op == "proxyconnect")
}

// draw returns a random wait before the attempt after the nth: exponential,
// with full jitter.
func (p *RetryPolicy) draw(n int) time.Duration {
	ceiling := 2 * p.MinWait << min(n-1, 20)
	if ceiling <= 0 || ceiling > p.MaxWait {
		ceiling = p.MaxWait
	}
	return rand.N(ceiling + 1)
}

func (cl *call) endsWithin(wait time.Duration) bool {
	deadline, ok := cl.ctx.Deadline()
	return ok && time.Until(deadline) <= wait
}

// askedWait reads how long the service wants not to be asked: Retry-After as
// seconds or a date, or RateLimit-Reset as seconds or a point in Unix time.
func askedWait(resp *http.Response) waitTime {
	if w := parseRetryAfter(resp.Header.Get("Retry-After")); w.known {
		return w
	}
	if resp.StatusCode != http.StatusTooManyRequests {
		return waitTime{}
	}
	n, err := strconv.ParseInt(strings.TrimSpace(resp.Header.Get("RateLimit-Reset")), 10, 64)
	switch {
	case err != nil || n < 0:
		return waitTime{}
	case n < oldestUnixTime:
		return seconds(n)
	}
	return until(time.Unix(n, 0))
}

// oldestUnixTime tells a point in time from a number of seconds to wait.
const oldestUnixTime = 1_000_000_000

func parseRetryAfter(value string) waitTime {
	if value = strings.TrimSpace(value); value == "" {
		return waitTime{}
	}
	if n, err := strconv.ParseInt(value, 10, 64); err == nil {
		if n < 0 {
			return waitTime{}
		}
		return seconds(n)
	}
	if t, err := http.ParseTime(value); err == nil {
		return until(t)
	}
	return waitTime{}
}

func seconds(n int64) waitTime {
	const most = int64(1<<63-1) / int64(time.Second)
	return waitTime{time.Duration(min(n, most)) * time.Second, true}
}

func until(t time.Time) waitTime { return waitTime{max(0, time.Until(t)), true} }

// retryBudget keeps the calls of a client from hitting a service that is down
// many times as hard: repetitions are paid from a purse that only good
// responses fill.
type retryBudget struct {
	tokens atomic.Int64
}

const (
	budgetSize    = 500
	retryCost     = 5
	successRefund = 1
)

func newRetryBudget() *retryBudget {
	b := &retryBudget{}
	b.tokens.Store(budgetSize)
	return b
}

func (b *retryBudget) take() bool {
	for {
		n := b.tokens.Load()
		if n < retryCost {
			return false
		}
		if b.tokens.CompareAndSwap(n, n-retryCost) {
			return true
		}
	}
}

func (b *retryBudget) give(amount int64) {
	for {
		n := b.tokens.Load()
		if n >= budgetSize || b.tokens.CompareAndSwap(n, min(n+amount, budgetSize)) {
			return
		}
	}
}

// settleBudget pays back when the service answers: what the repetition cost,
// or a little.
func (cl *call) settleBudget(resp *http.Response, err error) {
	if err != nil || resp.StatusCode >= 500 || resp.StatusCode == http.StatusTooManyRequests {
		return
	}
	refund := int64(successRefund)
	if cl.attempt.count > 1 {
		refund = retryCost
	}
	cl.client.config.budget.give(refund)
}
