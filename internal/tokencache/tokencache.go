// Package tokencache keeps an access token until it expires or is refused.
package tokencache

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/oauth2"

	"example.com/serviceapi/internal/header"
)

// requestTimeout limits a request for a token, which may outlive the call that
// made it.
const requestTimeout = 30 * time.Second

// Source is where a cache gets its tokens.
type Source struct {
	// Request requests a token in place of a stale one, which is "" if there is none
	// or if it has expired. It is never called concurrently, and its context does
	// not end with that of the call.
	Request func(ctx context.Context, stale string) (*oauth2.Token, error)
	// IsRefusal reports whether an error of Request means that there will be no
	// token, rather than that the request failed.
	IsRefusal func(error) bool
}

// Cache keeps a token until it expires or is refused. It then requests another
// one: once, however many calls need it. The old token stays in use until the new
// one is there.
//
// A service may also refuse a valid token, to say that the caller may not do
// something. So a token that replaced a refused one is not itself replaced for
// a minute, unless the service has accepted it in the meantime. If the service
// says that the token is not valid, the cache believes it once.
type Cache struct {
	source Source

	mu      sync.Mutex
	token   *oauth2.Token
	pending *request
	// previous is the previous token.
	previous string

	// replaced is when a refused token was last replaced. Since then, accepted says
	// that the service has accepted a token, and useless that the call was refused
	// nevertheless. insisted is set if the token that was replaced had never been
	// accepted, although it was a replacement itself.
	replaced time.Time
	accepted atomic.Bool
	useless  bool
	insisted bool
	// failures counts the requests for a token that failed in a row. The next one
	// is not made before retryAt, and failure is the error of the last one.
	failures int
	retryAt  time.Time
	failure  error
}

// New returns a cache that begins with a token, which may be nil.
func New(source Source, token *oauth2.Token) *Cache { return &Cache{source: source, token: token} }

// request is a request for a token that is in progress. All calls that
// need a token in the meantime share its result, even if it fails: they would
// only send the same request again.
type request struct {
	done  chan struct{}
	token *oauth2.Token
	err   error
}

func (r *request) wait(ctx context.Context) (*oauth2.Token, error) {
	select {
	case <-r.done:
		return r.token, r.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Get returns a token that has not expired.
func (c *Cache) Get(ctx context.Context) (*oauth2.Token, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	c.mu.Lock()
	old := c.token
	if old.Valid() {
		c.mu.Unlock()
		return old, nil
	}
	err := c.recentFailure()
	var r *request
	if err == nil {
		r = c.start(ctx, "")
	}
	c.mu.Unlock()
	if r != nil {
		var token *oauth2.Token
		if token, err = r.wait(ctx); err == nil {
			return token, nil
		}
	}
	// Valid is false some seconds too early.
	if ctx.Err() == nil && old != nil && old.AccessToken != "" && time.Now().Before(old.Expiry) {
		return old, nil
	}
	return nil, err
}

// Replace returns a replacement for a token that the service refused. It
// returns the same token, possibly with an error, if another one would not help
// or is not available. explicit says whether the service said that the token is
// not valid.
func (c *Cache) Replace(ctx context.Context, stale string, explicit bool) (string, error) {
	if ctx.Err() != nil {
		return stale, context.Cause(ctx)
	}
	c.mu.Lock()
	if c.token.Valid() && c.token.AccessToken != stale {
		defer c.mu.Unlock()
		return c.token.AccessToken, nil
	}
	if c.pending == nil && c.isRecent(explicit) {
		defer c.mu.Unlock()
		return stale, c.recentFailure()
	}
	r := c.start(ctx, stale)
	c.mu.Unlock()
	token, err := r.wait(ctx)
	if err != nil {
		return stale, err
	}
	return token.AccessToken, nil
}

// replaceInterval is the minimum time between two replacements of refused
// tokens, unless the first replacement was accepted.
const replaceInterval = time.Minute

// isRecent reports whether the current token is too new to be replaced after a
// refusal.
func (c *Cache) isRecent(explicit bool) bool {
	now := time.Now()
	switch {
	case now.Before(c.retryAt):
		return true // the source has just failed, or returned the same one again
	case !c.token.Valid() || now.Sub(c.replaced) >= replaceInterval:
		return false
	}
	if c.accepted.Load() {
		return c.useless && !explicit
	}
	return c.insisted || !explicit
}

// recentFailure returns the last failure if it is too early to ask again.
func (c *Cache) recentFailure() error {
	if time.Now().Before(c.retryAt) {
		return c.failure
	}
	return nil
}

// start requests a token, unless a request is already in progress.
func (c *Cache) start(ctx context.Context, stale string) *request {
	if c.pending == nil {
		c.pending = &request{done: make(chan struct{})}
		// The request outlives a caller who gives up: the response may have a refresh
		// token that replaces the only one known.
		go c.run(context.WithoutCancel(ctx), c.pending, stale)
	}
	return c.pending
}

var errUnusable = errors.New("the source returned a token that cannot be sent")

func (c *Cache) run(ctx context.Context, r *request, stale string) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	token, err := c.source.Request(ctx, stale)
	if err == nil && (token == nil || token.AccessToken == "" || !header.IsValue(token.AccessToken)) {
		err = errUnusable
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil || token.AccessToken == stale {
		c.postpone(err)
	} else {
		c.failures, c.retryAt, c.failure = 0, time.Time{}, nil
		if c.token != nil {
			c.previous = c.token.AccessToken
		}
		if stale != "" {
			c.insisted = !c.replaced.IsZero() && !c.accepted.Load()
			c.replaced, c.useless = time.Now(), false
			c.accepted.Store(false)
		}
	}
	if err == nil {
		c.token, r.token = token, token
	}
	r.err = err
	c.pending = nil
	close(r.done)
}

// postpone sets when to ask again after a request that did not return a new
// token.
func (c *Cache) postpone(err error) {
	c.failure = err
	c.failures++
	wait := time.Duration(0)
	switch {
	case err != nil && c.source.IsRefusal(err):
		wait = replaceInterval
	case c.failures > 1:
		wait = min(time.Second<<min(c.failures-2, 10), 10*time.Second)
	}
	c.retryAt = time.Now().Add(wait)
}

// Settle receives the status of a response to a token.
func (c *Cache) Settle(token string, status int) {
	refused := status == http.StatusUnauthorized
	if !refused && (c.accepted.Load() || !showsAccepted(status)) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.token == nil || c.token.AccessToken != token {
		return
	}
	if refused {
		c.useless = true
	} else {
		c.accepted.Store(true)
	}
}

// showsAccepted reports whether a response with this status shows that the
// token was accepted.
func showsAccepted(status int) bool {
	switch status {
	case http.StatusUnauthorized, http.StatusProxyAuthRequired,
		http.StatusRequestTimeout, http.StatusTooManyRequests:
		return false
	}
	return status < 500
}

// Secrets returns the tokens that a response may quote.
func (c *Cache) Secrets() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.token == nil {
		return []string{c.previous}
	}
	return []string{c.token.AccessToken, c.previous}
}
