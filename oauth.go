package serviceapi

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"

	"golang.org/x/oauth2"
)

// oauthCredential sends the token of a source, which it asks again when the
// token has expired or was refused.
type oauthCredential struct {
	source oauth2.TokenSource
	*tokenCache
}

func newOAuthCredential(source oauth2.TokenSource) *oauthCredential {
	if own, ok := source.(*tokenSource); ok {
		// What one client learns about a token applies to all clients with the same
		// source.
		return &oauthCredential{source, &own.cache}
	}
	return &oauthCredential{source, &tokenCache{ask: func(context.Context, string) (*oauth2.Token, error) {
		token, err := source.Token()
		return token, withoutTokens(err)
	}}}
}

func (c *tokenCache) authorize(ctx context.Context, h http.Header) (string, error) {
	token, err := c.get(ctx)
	if err != nil {
		return "", asRefreshError(err)
	}
	h["Authorization"] = []string{"Bearer " + token.AccessToken}
	return token.AccessToken, nil
}

func (c *tokenCache) refresh(ctx context.Context, stale string, explicit bool) (bool, error) {
	token, err := c.replace(ctx, stale, explicit)
	return token != stale, err
}

func asRefreshError(err error) error { return &RefreshError{Err: err} }

// withoutTokens replaces the error of the oauth2 package that quotes the token
// endpoint's response, which may contain a token, and removes the one of
// net/http that quotes its address.
func withoutTokens(err error) error {
	if failed, ok := errors.AsType[*oauth2.RetrieveError](err); ok {
		return tokenError(failed)
	}
	if failed, ok := errors.AsType[*url.Error](err); ok {
		return failed.Err
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
