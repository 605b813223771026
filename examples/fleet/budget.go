package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/go-redis/redis_rate/v10"
	"github.com/redis/go-redis/v9"

	"example.com/serviceapi"
)

// A budget is the rate limit of one credential, shared by all processes through
// Redis. It is a [serviceapi.Limiter], and its method observe is a
// [serviceapi.Middleware].
type budget struct {
	redis redis.UniversalClient
	rate  *redis_rate.Limiter
	limit redis_rate.Limit
	// account names the budget in Redis: a hash of the credential.
	account string
	// permitLife is how long after it was asked for a permit may be used. A late one
	// would add to the requests of a later second.
	permitLife time.Duration
	// patience is how long a call waits for a Redis that does not respond.
	patience time.Duration
	// turn is held by the goroutine that asks Redis: one for each process.
	turn chan struct{}
	// untold is the end of a pause that could not be written to Redis.
	untold atomic.Pointer[time.Time]
}

// newBudget returns the budget of an account. It allows perSecond requests in any
// second, provided that none is on its way to the service for longer than slack.
func newBudget(client redis.UniversalClient, account string, perSecond int, slack time.Duration) *budget {
	return &budget{
		redis: client, rate: redis_rate.NewLimiter(client), limit: paced(perSecond, slack),
		account: account, permitLife: slack / 2, patience: 10 * time.Second,
		turn: make(chan struct{}, 1),
	}
}

// paced returns a limit that sends at most perSecond requests in any second.
//
// In a span of time, redis_rate permits a burst, and one more for each interval. What
// arrives within a second was permitted within a second and the slack. So the burst is
// part of the limit, and the rest is spread over a second and the slack.
func paced(perSecond int, slack time.Duration) redis_rate.Limit {
	burst := max(1, perSecond/20)
	return redis_rate.Limit{Burst: burst, Rate: max(1, perSecond-burst), Period: time.Second + slack}
}

// errNoLimiter means that Redis did not say whether a request may be sent, so it was
// not sent.
var errNoLimiter = errors.New("the shared limiter cannot be reached")

// askTimeout bounds one question to Redis.
const askTimeout = 2 * time.Second

// Wait waits until the budget permits a request, for as long as ctx allows. Without
// Redis, no request is permitted: after some time, Wait returns errNoLimiter.
func (b *budget) Wait(ctx context.Context) error {
	select {
	case b.turn <- struct{}{}:
		defer func() { <-b.turn }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	heard := time.Now()
	for {
		wait, err := b.ask(ctx)
		switch {
		case err == nil && wait == 0:
			return nil
		case err == nil:
			heard = time.Now()
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case time.Since(heard) > b.patience:
			return fmt.Errorf("%w: %w", errNoLimiter, err)
		default:
			wait = 100 * time.Millisecond
		}
		if err := sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// ask asks for a permit. It returns 0 if there is one, and otherwise how long to wait.
func (b *budget) ask(ctx context.Context) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	asked := time.Now()
	if ends := b.untold.Load(); ends != nil {
		if err := b.tell(ctx, *ends); err != nil {
			return 0, err
		}
		b.untold.CompareAndSwap(ends, nil)
	}
	permit, err := b.rate.Allow(ctx, b.account, b.limit)
	if err != nil {
		return 0, err
	}
	if permit.Allowed == 0 {
		return max(permit.RetryAfter, time.Millisecond), nil
	}
	// After the permit, so that a pause that began meanwhile is seen.
	left, err := pauseLeft.Run(ctx, b.redis, []string{b.pauseKey()}).Int64()
	switch {
	case err != nil:
		return 0, err
	case left > 0:
		return time.Duration(left) * time.Millisecond, nil
	case time.Since(asked) > b.permitLife:
		return time.Millisecond, nil
	}
	return 0, nil
}

func (b *budget) pauseKey() string { return "fleet:pause:" + b.account }

// The end of a pause is a time of the clock of Redis, the only one that all processes
// share. The key outlives it by a minute: an embedded Redis forgets keys up to a second
// too early.
var (
	pauseLeft = redis.NewScript(`
		local now = redis.call("TIME")
		local ends = tonumber(redis.call("GET", KEYS[1]) or "0")
		return math.max(0, math.ceil(ends - now[1] * 1000 - now[2] / 1000))`)
	extendPause = redis.NewScript(`
		local now = redis.call("TIME")
		local ends = math.ceil(now[1] * 1000 + now[2] / 1000) + ARGV[1]
		if ends > tonumber(redis.call("GET", KEYS[1]) or "0") then
			redis.call("SET", KEYS[1], string.format("%d", ends), "PX", ARGV[1] + 60000)
		end
		return 1`)
)

// maxPause is the longest pause that a response can cause.
const maxPause = time.Hour

// observe is a middleware that makes all processes pause when the service responds
// with 429.
func (b *budget) observe(next http.RoundTripper) http.RoundTripper {
	return serviceapi.RoundTripFunc(func(r *http.Request) (*http.Response, error) {
		resp, err := next.RoundTrip(r)
		if err == nil && resp.StatusCode == http.StatusTooManyRequests {
			b.pause(r.Context(), retryAfter(resp.Header, time.Now()))
		}
		return resp, err
	})
}

// pause makes all processes wait. If Redis cannot be reached, it is told before this
// process asks it for the next permit.
func (b *budget) pause(ctx context.Context, wait time.Duration) {
	ends := time.Now().Add(min(wait, maxPause))
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), askTimeout)
	defer cancel()
	if err := b.tell(ctx, ends); err != nil {
		b.untold.Store(&ends)
	}
}

// tell writes a pause to Redis, unless it is over or there is a longer one.
func (b *budget) tell(ctx context.Context, ends time.Time) error {
	left := time.Until(ends).Milliseconds()
	if left <= 0 {
		return nil
	}
	return extendPause.Run(ctx, b.redis, []string{b.pauseKey()}, left).Err()
}

// retryAfter returns the wait that a 429 asks for, or a second if it does not say.
func retryAfter(h http.Header, now time.Time) time.Duration {
	text := h.Get("Retry-After")
	if seconds, err := strconv.ParseInt(text, 10, 32); err == nil && seconds >= 0 {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return at.Sub(now)
	}
	if at, err := strconv.ParseInt(h.Get("RateLimit-Reset"), 10, 64); err == nil {
		return time.Unix(at, 0).Sub(now)
	}
	return time.Second
}

// accountOf returns a name for what the service counts requests by: a hash of the
// instance and of the credential, as the client sends it. The credential itself goes
// neither to Redis nor into a log.
func accountOf(ctx context.Context, client *serviceapi.Client) (string, error) {
	hash := sha256.New()
	fmt.Fprintln(hash, client.BaseURL())
	look := serviceapi.RoundTripFunc(func(r *http.Request) (*http.Response, error) {
		for _, name := range []string{"Private-Token", "Authorization", "Job-Token", "Cookie"} {
			fmt.Fprintf(hash, "%s: %q\n", name, r.Header.Values(name))
		}
		return &http.Response{StatusCode: http.StatusNoContent, Header: http.Header{}, Body: http.NoBody}, nil
	})
	sees, err := client.With(serviceapi.WithHTTPClient(&http.Client{Transport: look}))
	if err != nil {
		return "", err
	}
	if _, err := sees.Do(ctx, http.MethodHead, serviceapi.Route("/version"), nil, nil); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)[:16]), nil
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
