package serviceapi

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"golang.org/x/oauth2"
)

// tokenRenewer is a source that can give a new token although the one at hand
// has not expired yet.
type tokenRenewer interface {
	renew(ctx context.Context, staleAccessToken string) (*oauth2.Token, error)
}

// oauthCredential sends the token of a source, which it asks again when the
// token has expired or was refused.
type oauthCredential struct {
	source oauth2.TokenSource
	cache  tokenCache
}

func newOAuthCredential(source oauth2.TokenSource) *oauthCredential {
	c := &oauthCredential{source: source}
	c.cache.ask = c.ask
	return c
}

func (c *oauthCredential) authorize(ctx context.Context, h http.Header) (string, error) {
	token, err := c.cache.get(ctx, "")
	if err != nil {
		return "", err
	}
	h["Authorization"] = []string{"Bearer " + token.AccessToken}
	return token.AccessToken, nil
}

func (c *oauthCredential) refresh(ctx context.Context, stale string) (bool, error) {
	token, err := c.cache.get(ctx, stale)
	if err != nil {
		return false, err
	}
	return token.AccessToken != stale, nil
}

// ask gets a token from the source.
func (c *oauthCredential) ask(ctx context.Context, stale string) (*oauth2.Token, error) {
	var token *oauth2.Token
	var err error
	if renewer, ok := c.source.(tokenRenewer); ok && stale != "" {
		token, err = renewer.renew(ctx, stale)
	} else {
		token, err = c.source.Token()
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("oauth2 token: %w", withoutTokens(err))
	case token == nil || token.AccessToken == "" || !validHeaderValue(token.AccessToken):
		return nil, errors.New("oauth2 token: the source gave none that can be sent")
	}
	return token, nil
}

// withoutTokens replaces the error of the oauth2 package that quotes the
// token endpoint's response, which may hold a token.
func withoutTokens(err error) error {
	var failed *oauth2.RetrieveError
	if errors.As(err, &failed) {
		return tokenError(failed)
	}
	return err
}

func tokenError(failed *oauth2.RetrieveError) *Error {
	e := &Error{
		Method: http.MethodPost, Operation: tokenOperation, Attempts: 1,
		Reason: failed.ErrorCode, Description: failed.ErrorDescription, Message: failed.ErrorCode,
	}
	if failed.Response != nil {
		e.StatusCode = failed.Response.StatusCode
	}
	if e.Message == "" {
		e.Message = http.StatusText(e.StatusCode)
	}
	return e
}

// Format writes a placeholder, for every verb.
func (c *oauthCredential) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "OAuth2(%s)", redacted) }

// LogValue returns a placeholder.
func (c *oauthCredential) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(c)) }

// tokenTimeout bounds a request for a token, which may outlive the call that
// made it.
const tokenTimeout = 30 * time.Second

// tokenCache keeps a token until it expires or is refused, and then asks for
// another: once, however many need it.
type tokenCache struct {
	// ask is never called twice at once.
	ask func(ctx context.Context, stale string) (*oauth2.Token, error)

	mu     sync.Mutex
	token  *oauth2.Token
	asking *tokenRequest
}

// tokenRequest is a question for a token that is on its way. All who come
// meanwhile share its response, a failure too: they would only ask the same
// once more.
type tokenRequest struct {
	done  chan struct{}
	token *oauth2.Token
	err   error
}

// get returns a valid token that is not the stale one, where there is such.
func (c *tokenCache) get(ctx context.Context, stale string) (*oauth2.Token, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	c.mu.Lock()
	if c.token.Valid() && c.token.AccessToken != stale {
		defer c.mu.Unlock()
		return c.token, nil
	}
	r := c.asking
	if r == nil {
		r = &tokenRequest{done: make(chan struct{})}
		c.asking, c.token = r, nil
		// The question outlives a caller who gives up: the response may hold a
		// refresh token that replaced the only one known.
		go c.run(context.WithoutCancel(ctx), r, stale)
	}
	c.mu.Unlock()
	select {
	case <-r.done:
		return r.token, r.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (c *tokenCache) run(ctx context.Context, r *tokenRequest, stale string) {
	ctx, cancel := context.WithTimeout(ctx, tokenTimeout)
	defer cancel()
	r.token, r.err = c.ask(ctx, stale)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.token, c.asking = r.token, nil
	close(r.done)
}
