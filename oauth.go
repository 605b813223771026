package serviceapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"

	"example.com/serviceapi/internal/address"
	"example.com/serviceapi/internal/header"
	"example.com/serviceapi/internal/redact"
	"example.com/serviceapi/internal/tokencache"
	"golang.org/x/oauth2"
)

// OAuth2 takes access tokens from a source of golang.org/x/oauth2 and sends
// them as "Authorization: Bearer". The source is asked for a token when the
// current one has expired, and when the service refuses it with 401: the call
// is then tried once more if the source returns another token. A source made by
// [NewTokenSource] can renew a token that was revoked before it expired.
//
// A 401 can also mean that the caller may not do something. So the library asks for
// another token at most once a minute if the last one did not help, and for calls
// such as [MergeRequestsService.Merge] only if the response says that the token is
// invalid. If it says so about a new token that has not worked yet, the library
// asks once more without waiting for the minute to pass. The current token stays in
// use until there is another. If there is none, calls return the service's 401,
// which wraps a [*RefreshError].
func OAuth2(source oauth2.TokenSource) Credential {
	return newOAuthCredential(source)
}

// OAuth2Endpoint returns the authorization, token and device endpoints of the
// service at baseURL, for an [oauth2.Config].
func OAuth2Endpoint(baseURL string) (oauth2.Endpoint, error) {
	base, err := parseBaseURL(baseURL)
	if err != nil {
		return oauth2.Endpoint{}, err
	}
	return oauth2.Endpoint{
		AuthURL:       base.At("/oauth/authorize"),
		TokenURL:      base.At("/oauth/token"),
		DeviceAuthURL: base.At("/oauth/authorize_device"),
		// Without this, x/oauth2 would try both styles.
		AuthStyle: oauth2.AuthStyleInParams,
	}, nil
}

// tokenCredential sends a token that is renewed when it has expired or was
// refused.
type tokenCredential struct{ tokens *tokencache.Cache }

func (c tokenCredential) authorize(ctx context.Context) (authorization, error) {
	token, err := c.tokens.Get(ctx)
	if err != nil {
		return authorization{}, asRefreshError(err)
	}
	return authorization{"Authorization", "Bearer " + token.AccessToken, token.AccessToken}, nil
}

func (tokenCredential) check() error { return nil }

func (c tokenCredential) refresh(ctx context.Context, stale string, explicit bool) (bool, error) {
	token, err := c.tokens.Replace(ctx, stale, explicit)
	return token != stale, err
}

func (c tokenCredential) settle(token string, status int) { c.tokens.Settle(token, status) }

func (c tokenCredential) secrets() []string { return c.tokens.Secrets() }

func asRefreshError(err error) error { return &RefreshError{Err: err} }

// isTokenRefusal reports whether the service has refused to issue a token, rather
// than failed to do so.
func isTokenRefusal(err error) bool {
	refused, ok := errors.AsType[*Error](err)
	return ok && refused.StatusCode < 500 &&
		refused.StatusCode != http.StatusTooManyRequests && refused.StatusCode != http.StatusRequestTimeout
}

// oauthCredential sends the token of a source.
type oauthCredential struct {
	source oauth2.TokenSource
	tokenCredential
}

func newOAuthCredential(source oauth2.TokenSource) *oauthCredential {
	if own, ok := source.(*tokenSource); ok {
		// What one client learns about a token applies to all clients with the same
		// source.
		return &oauthCredential{source, tokenCredential{own.tokens}}
	}
	request := func(context.Context, string) (*oauth2.Token, error) {
		token, err := source.Token()
		return token, withoutTokens(err)
	}
	tokens := tokencache.New(tokencache.Source{Request: request, IsRefusal: isTokenRefusal}, nil)
	return &oauthCredential{source, tokenCredential{tokens}}
}

func (c *oauthCredential) check() error {
	if c.source == nil {
		return badArgument("OAuth2", "has no token source")
	}
	return nil
}

// Format writes a placeholder, for every verb.
func (c *oauthCredential) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "OAuth2(%s)", redacted) }

// LogValue returns a placeholder.
func (c *oauthCredential) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(c)) }

// TokenSourceOptions are the options of [NewTokenSource].
type TokenSourceOptions struct {
	// HTTPClient provides the Transport and Timeout of requests for tokens. It is
	// not changed, and its Jar and CheckRedirect are not used. By default, the
	// source has its own transport.
	HTTPClient *http.Client
	// OnRefresh is called with each new token, before the token is used, so that
	// the program can store it. The service replaces the refresh token together
	// with the access token, so a program that has stored only the old one cannot
	// continue after a restart. OnRefresh is never called concurrently, and API
	// calls wait for it to return. The token is a copy.
	OnRefresh func(token *oauth2.Token)
	// Store shares the token with other processes, and keeps it for the next run. Before
	// the source renews the token, and after the service has refused to, it looks whether
	// the store has a newer one. A new token is saved before it is used. If it cannot be
	// saved, calls fail until it can, because it is the only one that works. By default,
	// there is no store.
	Store TokenStore
}

// NewTokenSource returns a source of access tokens for [OAuth2]. It returns token until the
// token expires or the service refuses it, and then exchanges its refresh token for a new
// one. The config has the client's ID, its secret (none for a public client), and the
// endpoint that [OAuth2Endpoint] returns. The options may be nil.
//
// A source is safe for concurrent use and may be shared by several clients:
// however many calls need a new token, only one is requested. A token that the
// service refuses with 401 before it expires, because it was revoked, is
// renewed in the same way; see [OAuth2] for the limits. Requests for a token
// are never repeated, because a request whose response was lost may have used
// up the refresh token.
//
// If there is no valid token, calls return an error in which errors.As finds a
// [*RefreshError]. If its cause is an [*Error] whose Reason is [ErrorReasonInvalidGrant],
// the service has refused the refresh token: the user has to sign in again. After such a
// refusal, no token is requested for a minute. Errors never contain a token or the client's
// secret. The refresh token is sent only to the origin of the token endpoint; a redirect to
// another origin is a [*RedirectError].
//
// With a Store, the token is that of the store, and the argument is used only if the store
// has none; it may be nil. When a user has signed in again, save the new token to the store.
// The store's errors are the cause of a [*RefreshError], too.
//
// NewTokenSource returns an [*ArgumentError] if the token endpoint is not an
// http or https URL, or if there is neither a refresh token nor a store.
//
//	POST {base_url}/oauth/token
func NewTokenSource(
	config *oauth2.Config, token *oauth2.Token, options *TokenSourceOptions,
) (oauth2.TokenSource, error) {
	if options == nil {
		options = &TokenSourceOptions{}
	}
	if token == nil {
		token = &oauth2.Token{}
	}
	if config == nil || token.RefreshToken == "" && options.Store == nil {
		return nil, &ArgumentError{Argument: "token source", Problem: "has no config or no refresh token"}
	}
	endpoint, err := parseBaseURL(config.Endpoint.TokenURL)
	if err != nil {
		return nil, &ArgumentError{Argument: "token endpoint", Problem: "is not a URL such as OAuth2Endpoint returns"}
	}
	s := &tokenSource{config: *config, onRefresh: options.OnRefresh, refreshToken: token.RefreshToken}
	if s.config.Endpoint.AuthStyle == oauth2.AuthStyleAutoDetect {
		// Without this, x/oauth2 might send the refresh token twice.
		s.config.Endpoint.AuthStyle = oauth2.AuthStyleInParams
	}
	s.client = newTokenClient(endpoint, options.HTTPClient)
	if options.Store != nil {
		exchange := func(ctx context.Context, refresh, stale string) (*oauth2.Token, error) {
			s.refreshToken = refresh
			return s.exchange(ctx, stale)
		}
		shared := &sharedToken{store: options.Store, token: new(*token), exchange: exchange}
		s.tokens = tokencache.New(tokencache.Source{Request: shared.renew, IsRefusal: isTokenRefusal}, nil)
		return s, nil
	}
	s.tokens = tokencache.New(tokencache.Source{Request: s.exchange, IsRefusal: isTokenRefusal}, new(*token))
	return s, nil
}

// tokenOperation names the token endpoint in errors.
const tokenOperation = "/oauth/token"

// newTokenClient returns a client that sends requests only to the endpoint's origin.
func newTokenClient(endpoint address.Base, own *http.Client) *http.Client {
	hc := &http.Client{CheckRedirect: redirects{endpoint}.check}
	if own != nil {
		hc.Transport, hc.Timeout = own.Transport, own.Timeout
	}
	if hc.Transport == nil {
		hc.Transport = DefaultTransport()
	}
	hc.Transport = &gate{next: hc.Transport, transport: hc.Transport}
	return hc
}

// tokenSource renews tokens at the service's token endpoint.
type tokenSource struct {
	config    oauth2.Config
	client    *http.Client
	onRefresh func(*oauth2.Token)
	tokens    *tokencache.Cache
	// refreshToken is used only by exchange, which never runs concurrently.
	refreshToken string
}

// Token returns a valid token, a new one if the last has expired.
func (s *tokenSource) Token() (*oauth2.Token, error) {
	token, err := s.tokens.Get(context.Background())
	if err != nil {
		return nil, err
	}
	return new(*token), nil
}

// exchange exchanges the refresh token.
func (s *tokenSource) exchange(ctx context.Context, stale string) (*oauth2.Token, error) {
	exchange := &tokenExchange{next: s.client.Transport}
	hc := *s.client
	hc.Transport = exchange
	ctx = context.WithValue(ctx, infoKey{}, nil) // it is not an attempt of the call
	ctx = context.WithValue(ctx, oauth2.HTTPClient, &hc)
	token, err := s.config.TokenSource(ctx, &oauth2.Token{RefreshToken: s.refreshToken}).Token()
	if err != nil {
		return nil, s.explain(err, exchange, stale)
	}
	s.refreshToken = token.RefreshToken
	if s.onRefresh != nil {
		s.onRefresh(new(*token))
	}
	return token, nil
}

// withoutTokens replaces the error of the oauth2 package that quotes the token endpoint's
// response, which may contain a token, and unwraps the error of net/http that quotes the
// endpoint's address.
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
		CallInfo: CallInfo{Method: http.MethodPost, Operation: tokenOperation}, Attempts: 1,
		Reason: ErrorReason(failed.ErrorCode), Description: failed.ErrorDescription, Message: failed.ErrorCode,
	}
	if failed.Response != nil {
		e.StatusCode = failed.Response.StatusCode
	}
	if e.Message == "" {
		e.Message = http.StatusText(e.StatusCode)
	}
	return e
}

// explain turns an error of the oauth2 package, which may quote the response and any token
// in it, into one of the library's.
func (s *tokenSource) explain(err error, exchange *tokenExchange, stale string) error {
	r := s.redactor(stale)
	var (
		refused  *oauth2.RetrieveError
		redirect *RedirectError
		decode   *DecodeError
		failed   *url.Error
	)
	switch {
	case errors.As(err, &refused):
		e := tokenError(refused)
		e.Reason = ErrorReason(r.Hide(string(e.Reason)))
		e.Description, e.Message = r.Hide(e.Description), r.Hide(e.Message)
		e.URL, e.RequestID = s.config.Endpoint.TokenURL, r.Hide(refused.Response.Header.Get(header.RequestID))
		return e
	case errors.As(err, &redirect):
		redirect.Operation, redirect.Location = tokenOperation, r.Hide(redirect.Location)
		return redirect
	case errors.As(err, &failed) && !errors.As(err, &decode):
		return &TransportError{
			CallInfo: CallInfo{http.MethodPost, tokenOperation, s.config.Endpoint.TokenURL},
			Attempts: 1, Err: r.HideErr(failed.Err),
		}
	}
	if decode == nil {
		decode = exchange.decodeError(errNoToken)
	}
	decode.ContentType = r.Hide(decode.ContentType)
	return decode
}

// redactor hides all secrets of a request for a token, which its response may
// echo.
func (s *tokenSource) redactor(stale string) *redact.Redactor {
	var r redact.Redactor
	r.Add(s.tokens.Secrets()...)
	r.Add(s.refreshToken, s.config.ClientSecret, stale)
	return &r
}

// Format writes a placeholder, for every verb.
func (s *tokenSource) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "TokenSource(%s)", redacted) }

// LogValue returns a placeholder.
func (s *tokenSource) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(s)) }

var errNoToken = errors.New("it has no readable access token")

// maxTokenResponse is the maximum size of a response with a token, in bytes.
const maxTokenResponse = 256 << 10

// tokenExchange is the transport of one request for a token. It limits the size of the
// response, and keeps its status and content type for errors.
type tokenExchange struct {
	next        http.RoundTripper
	status      int
	contentType string
}

// RoundTrip sends the request and reads the response.
func (x *tokenExchange) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := x.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	x.status, x.contentType = resp.StatusCode, resp.Header.Get("Content-Type")
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxTokenResponse+1))
	if len(data) > maxTokenResponse && resp.StatusCode < 300 {
		err = x.decodeError(fmt.Errorf("longer than %d bytes", maxTokenResponse))
	}
	if err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(data))
	return resp, nil
}

func (x *tokenExchange) decodeError(err error) *DecodeError {
	return &DecodeError{
		CallInfo:   CallInfo{Method: http.MethodPost, Operation: tokenOperation},
		StatusCode: x.status, ContentType: x.contentType, Err: err,
	}
}
