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

// oauthCredential keeps the token of a source and asks it again when the token
// has expired or was refused. However many calls wait, the source is asked by
// one of them at a time.
type oauthCredential struct {
	source oauth2.TokenSource
	turn   chan struct{} // holds one element while somebody asks the source

	mu    sync.Mutex
	token *oauth2.Token
}

func newOAuthCredential(source oauth2.TokenSource) *oauthCredential {
	return &oauthCredential{source: source, turn: make(chan struct{}, 1)}
}

func (c *oauthCredential) authorize(ctx context.Context, h http.Header) (string, error) {
	token, err := c.current(ctx, "")
	if err != nil {
		return "", err
	}
	h["Authorization"] = []string{"Bearer " + token.AccessToken}
	return token.AccessToken, nil
}

func (c *oauthCredential) refresh(ctx context.Context, stale string) (bool, error) {
	token, err := c.current(ctx, stale)
	if err != nil {
		return false, err
	}
	return token.AccessToken != stale, nil
}

// current returns a valid token that is not the stale one, where the source
// has such.
func (c *oauthCredential) current(ctx context.Context, stale string) (*oauth2.Token, error) {
	if token := c.cached(stale); token != nil {
		return token, nil
	}
	select {
	case c.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if token := c.cached(stale); token != nil {
		<-c.turn // somebody else was here before
		return token, nil
	}
	// The request for a token outlives a caller who gives up: the answer may
	// hold a refresh token that replaced the only one known.
	answer := make(chan tokenAnswer, 1)
	go func() {
		defer func() { <-c.turn }()
		token, err := c.ask(context.WithoutCancel(ctx), stale)
		answer <- tokenAnswer{token, err}
	}()
	select {
	case a := <-answer:
		return a.token, a.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

type tokenAnswer struct {
	token *oauth2.Token
	err   error
}

const tokenTimeout = 30 * time.Second

// ask gets a token from the source and keeps it.
func (c *oauthCredential) ask(ctx context.Context, stale string) (*oauth2.Token, error) {
	ctx, cancel := context.WithTimeout(ctx, tokenTimeout)
	defer cancel()
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
	c.mu.Lock()
	defer c.mu.Unlock()
	c.token = token
	return token, nil
}

// withoutTokens replaces the error of the oauth2 package that quotes the
// token endpoint's answer, which may hold a token.
func withoutTokens(err error) error {
	var failed *oauth2.RetrieveError
	if !errors.As(err, &failed) {
		return err
	}
	status := 0
	if failed.Response != nil {
		status = failed.Response.StatusCode
	}
	return &Error{
		StatusCode: status, Method: http.MethodPost, Operation: "/oauth/token",
		Reason: failed.ErrorCode, Description: failed.ErrorDescription, Message: failed.ErrorCode,
		Attempts: 1,
	}
}

func (c *oauthCredential) cached(stale string) *oauth2.Token {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.token.Valid() || c.token.AccessToken == stale {
		return nil
	}
	return c.token
}

// Format writes a placeholder, for every verb.
func (c *oauthCredential) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "OAuth2(%s)", redacted) }

// LogValue returns a placeholder.
func (c *oauthCredential) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(c)) }
