package serviceapi

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

// tokenTimeout limits a request for a token, which may outlive the call that
// made it.
const tokenTimeout = 30 * time.Second

// tokenCache keeps a token until it expires or is refused. It then requests
// another one: once, however many calls need it. The old token stays in use
// until the new one is there.
//
// A service may also refuse a valid token, to say that the caller may not do
// something. So a token that replaced a refused one is not itself replaced for
// a minute, unless the service has accepted it in the meantime.
type tokenCache struct {
	// ask is never called concurrently.
	ask func(ctx context.Context, stale string) (*oauth2.Token, error)

	mu     sync.Mutex
	token  *oauth2.Token
	asking *tokenRequest
	// previous is the previous token.
	previous string

	// replaced is when a refused token was last replaced. Since then, proven says
	// that the service has accepted a token, and futile that the call was refused
	// nevertheless.
	replaced time.Time
	proven   atomic.Bool
	futile   bool
	// failures counts the requests for a token that failed in a row. The next one
	// is not made before retryAt, and failure is the error of the last one.
	failures int
	retryAt  time.Time
	failure  error
}

// tokenRequest is a request for a token that is in progress. All calls that
// need a token in the meantime share its result, even if it fails: they would
// only send the same request again.
type tokenRequest struct {
	done  chan struct{}
	token *oauth2.Token
	err   error
}

func (r *tokenRequest) wait(ctx context.Context) (*oauth2.Token, error) {
	select {
	case <-r.done:
		return r.token, r.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// get returns a token that has not expired.
func (c *tokenCache) get(ctx context.Context) (*oauth2.Token, error) {
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
	var r *tokenRequest
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

// replace returns a replacement for a token that the service refused. It
// returns the same token, possibly with an error, if another one would not help
// or is not available. explicit says whether the service said that the token is
// not valid.
func (c *tokenCache) replace(ctx context.Context, stale string, explicit bool) (string, error) {
	if ctx.Err() != nil {
		return stale, context.Cause(ctx)
	}
	c.mu.Lock()
	if c.token.Valid() && c.token.AccessToken != stale {
		defer c.mu.Unlock()
		return c.token.AccessToken, nil
	}
	if c.asking == nil && c.isRecent(explicit) {
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
func (c *tokenCache) isRecent(explicit bool) bool {
	now := time.Now()
	switch {
	case now.Before(c.retryAt):
		return true // the source has just failed, or returned the same one again
	case !c.token.Valid() || now.Sub(c.replaced) >= replaceInterval:
		return false
	}
	return !c.proven.Load() || c.futile && !explicit
}

// recentFailure returns the last failure if it is too early to ask again.
func (c *tokenCache) recentFailure() error {
	if time.Now().Before(c.retryAt) {
		return c.failure
	}
	return nil
}

// start requests a token, unless a request is already in progress.
func (c *tokenCache) start(ctx context.Context, stale string) *tokenRequest {
	if c.asking == nil {
		c.asking = &tokenRequest{done: make(chan struct{})}
		// The request outlives a caller who gives up: the response may have a refresh
		// token that replaces the only one known.
		ctx = context.WithValue(context.WithoutCancel(ctx), tripKey{}, nil)
		go c.run(ctx, c.asking, stale)
	}
	return c.asking
}

var errNoUsableToken = errors.New("the source gave none that can be sent")

func (c *tokenCache) run(ctx context.Context, r *tokenRequest, stale string) {
	ctx, cancel := context.WithTimeout(ctx, tokenTimeout)
	defer cancel()
	token, err := c.ask(ctx, stale)
	if err == nil && (token == nil || token.AccessToken == "" || !header.IsValue(token.AccessToken)) {
		err = errNoUsableToken
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
			c.replaced, c.futile = time.Now(), false
			c.proven.Store(false)
		}
	}
	if err == nil {
		c.token, r.token = token, token
	}
	r.err = err
	c.asking = nil
	close(r.done)
}

// postpone sets when to ask again after a request that did not return a new
// token.
func (c *tokenCache) postpone(err error) {
	c.failure = err
	c.failures++
	wait := time.Duration(0)
	switch {
	case isFinal(err):
		wait = replaceInterval
	case c.failures > 1:
		wait = min(time.Second<<min(c.failures-2, 10), 10*time.Second)
	}
	c.retryAt = time.Now().Add(wait)
}

// isFinal reports whether the service has refused to issue a token, rather than
// failed to do so.
func isFinal(err error) bool {
	refused, ok := errors.AsType[*Error](err)
	return ok && refused.StatusCode < 500 &&
		refused.StatusCode != http.StatusTooManyRequests && refused.StatusCode != http.StatusRequestTimeout
}

// settle receives the status of a response to a token.
func (c *tokenCache) settle(token string, status int) {
	refused := status == http.StatusUnauthorized
	if !refused && (c.proven.Load() || !showsTokenAccepted(status)) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.token == nil || c.token.AccessToken != token {
		return
	}
	if refused {
		c.futile = true
	} else {
		c.proven.Store(true)
	}
}

// showsTokenAccepted reports whether a response with this status shows that the
// token was accepted.
func showsTokenAccepted(status int) bool {
	switch status {
	case http.StatusUnauthorized, http.StatusProxyAuthRequired, http.StatusTooManyRequests:
		return false
	}
	return status < 500
}

// secrets returns the tokens that a response may quote.
func (c *tokenCache) secrets() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.token == nil {
		return []string{c.previous}
	}
	return []string{c.token.AccessToken, c.previous}
}
