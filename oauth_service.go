package serviceapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"example.com/serviceapi/internal/pace"
	"github.com/go-json-experiment/json"
	"golang.org/x/oauth2"
)

// OAuthService signs users in on devices without a browser, and says what OAuth2 access
// tokens are worth. [OAuth2Endpoint] has the addresses for golang.org/x/oauth2, which signs
// in through a browser, and [NewTokenSource] renews tokens.
//
// AuthorizeDevice, WaitForDevice, Revoke and Introspect are calls of the application: they
// send its ID and secret from the options, and neither the client's credential nor its
// sudo. The client may have the credential [Anonymous].
//
// Its options are [AuthorizeDeviceOptions], [WaitForDeviceOptions] and [OAuthTokenOptions].
// See the example of [OAuthService.WaitForDevice].
type OAuthService service

// OAuthScopes are names of scopes, such as "api" and "read_user". OAuth2 writes them as one
// text with blanks between them.
type OAuthScopes []string

// MarshalJSON writes the scopes as one text.
func (s OAuthScopes) MarshalJSON() ([]byte, error) { return json.Marshal(strings.Join(s, " ")) }

// UnmarshalJSON reads one text, or a list of texts.
func (s *OAuthScopes) UnmarshalJSON(data []byte) error {
	if data[0] == '[' {
		return json.Unmarshal(data, (*[]string)(s))
	}
	var words string
	if err := json.Unmarshal(data, &words); err != nil {
		return err
	}
	*s = strings.Fields(words)
	return nil
}

// AuthorizeDeviceOptions are the options of [OAuthService.AuthorizeDevice].
type AuthorizeDeviceOptions struct {
	// ClientID is the ID of the application. It is required.
	ClientID string `json:"client_id" required:"true"`
	// Scope has the scopes that the application asks for. It is required: without
	// any, newer releases refuse the call with [ErrorReasonInvalidScope].
	Scope OAuthScopes `json:"scope" required:"true"`
}

// DeviceAuthorization is a sign-in that has begun.
type DeviceAuthorization struct {
	// DeviceCode identifies the sign-in to [OAuthService.WaitForDevice].
	DeviceCode Secret `json:"device_code"`
	// UserCode is what the user types in at VerificationURI.
	UserCode string `json:"user_code"`
	// VerificationURI is the page for the user's browser.
	VerificationURI string `json:"verification_uri"`
	// VerificationURIComplete is the page with the code filled in, for a link or a
	// QR code. It is "" if the service has none.
	VerificationURIComplete string `json:"verification_uri_complete"`
	// ExpiresIn is the time that the user has, in seconds.
	ExpiresIn int64 `json:"expires_in"`
	// Interval is the least time between two polls, in seconds. It is nil for five.
	Interval *int64 `json:"interval"`
}

// AuthorizeDevice begins to sign a user in on a device without a browser (RFC 8628). Show
// the user the code and the page to enter it on, and call [OAuthService.WaitForDevice].
// Since 17.3.
//
// The errors have a reason: [ErrorReasonInvalidClient] for an unknown application, and
// [ErrorReasonInvalidScope] for scopes that it does not have.
//
//	POST {base_url}/oauth/authorize_device
func (s *OAuthService) AuthorizeDevice(
	ctx context.Context, options AuthorizeDeviceOptions, opts ...RequestOption,
) (*DeviceAuthorization, *Response, error) {
	return do[DeviceAuthorization](ctx, using(s), http.MethodPost,
		instanceRoute("/oauth/authorize_device"), formOf(options), asApplication(opts))
}

// WaitForDeviceOptions are the options of [OAuthService.WaitForDevice].
type WaitForDeviceOptions struct {
	// ClientID is the ID of the application. It is required.
	ClientID string `json:"client_id" required:"true"`
	// ClientSecret is the secret of a confidential application.
	ClientSecret Secret `json:"client_secret,omitzero"`
	// Device is the result of [OAuthService.AuthorizeDevice]. It is required.
	Device *DeviceAuthorization `json:"-" required:"true"`
}

// deviceGrant is the body of a request for the token of a device.
type deviceGrant struct {
	GrantType  string `json:"grant_type"`
	DeviceCode Secret `json:"device_code"`
	WaitForDeviceOptions
}

// tokenAnswer is a response with a token.
type tokenAnswer struct {
	AccessToken  Secret      `json:"access_token"`
	TokenType    string      `json:"token_type"`
	RefreshToken Secret      `json:"refresh_token"`
	ExpiresIn    int64       `json:"expires_in"`
	CreatedAt    int64       `json:"created_at"`
	Scope        OAuthScopes `json:"scope"`
	IDToken      Secret      `json:"id_token"`
}

func (t *tokenAnswer) token() *oauth2.Token {
	made := &oauth2.Token{
		AccessToken: t.AccessToken.Reveal(), TokenType: t.TokenType, RefreshToken: t.RefreshToken.Reveal(),
		ExpiresIn: t.ExpiresIn,
	}
	if t.ExpiresIn > 0 {
		made.Expiry = time.Now().Add(time.Duration(t.ExpiresIn) * time.Second)
	}
	extra := map[string]any{"scope": strings.Join(t.Scope, " "), "created_at": t.CreatedAt}
	if id := t.IDToken.Reveal(); id != "" {
		extra["id_token"] = id
	}
	return made.WithExtra(extra)
}

// Waits between two polls for the token of a device.
const (
	devicePoll        = 5 * time.Second
	slowerPoll        = 5 * time.Second
	longestDevicePoll = time.Minute
)

// WaitForDevice waits until the user has signed in, and returns the token. It polls at the
// interval that the service asks for, and slows down when the service says so or does not
// respond. [WithPollObserver] is called after each poll, with the reason of the refusal as
// the state.
//
// If the user does not sign in before the code expires, the error is [ErrSignInExpired], and
// if the user declines, its reason is [ErrorReasonAccessDenied]: begin again with
// AuthorizeDevice in both cases. A code works once. When a response was lost, the token may
// be lost with it, and the reason is [ErrorReasonInvalidGrant].
//
// Pass the token to [NewTokenSource], which renews it.
//
//	POST {base_url}/oauth/token
func (s *OAuthService) WaitForDevice(
	ctx context.Context, options WaitForDeviceOptions, opts ...RequestOption,
) (*oauth2.Token, error) {
	grant := deviceGrant{GrantType: "urn:ietf:params:oauth:grant-type:device_code", WaitForDeviceOptions: options}
	interval, lifetime := devicePoll, 5*time.Minute
	if d := options.Device; d != nil {
		grant.DeviceCode = d.DeviceCode
		if d.Interval != nil {
			interval = max(time.Duration(*d.Interval)*time.Second, time.Second)
		}
		lifetime = time.Duration(d.ExpiresIn) * time.Second
	}
	first, err := newCall(ctx, using(s), http.MethodPost,
		instanceRoute("/oauth/token"), formOf(grant), asApplication(opts))
	if err != nil {
		return nil, err
	}
	w := deviceWait{first: first, interval: interval, began: time.Now()}
	return w.run(w.began.Add(lifetime))
}

// ErrSignInExpired means that the user has not signed in before the code of a device expired.
// If the service has said so, the error is an [*Error], too.
var ErrSignInExpired = errors.New("the code expired before the user signed in")

// deviceWait polls for the token of a device.
type deviceWait struct {
	first    *call
	interval time.Duration
	began    time.Time
	polls    int
}

func (w *deviceWait) run(deadline time.Time) (*oauth2.Token, error) {
	for {
		if !time.Now().Add(w.interval).Before(deadline) {
			return nil, fmt.Errorf("serviceapi: gave up signing in: %w", ErrSignInExpired)
		}
		if err := pace.Pause(w.first.ctx, w.interval); err != nil {
			return nil, fmt.Errorf("serviceapi: gave up signing in: %w", err)
		}
		token, _, err := fetch(w.first.at(w.first.ctx, ""), hasToken)
		if err == nil {
			w.report("granted", true)
			return token.token(), nil
		}
		if err := w.afterRefusal(err); err != nil {
			return nil, err
		}
	}
}

// hasToken refuses a response that has no token.
func hasToken(sent *outcome, token *tokenAnswer) error {
	if token.AccessToken.IsEmpty() {
		return sent.decodeError(errNoToken)
	}
	return nil
}

// afterRefusal sets the interval after a poll without a token. It returns an error if no
// other poll can have one.
func (w *deviceWait) afterRefusal(err error) error {
	refused, responded := errors.AsType[*Error](err)
	switch {
	case !responded && !hasType[*TransportError](err) || w.first.ctx.Err() != nil:
		return err
	case !responded, refused.StatusCode >= 500, refused.StatusCode == http.StatusTooManyRequests:
		w.interval = min(2*w.interval, longestDevicePoll)
		w.report("no response", false)
		return nil
	}
	w.report(string(refused.Reason), false)
	switch refused.Reason {
	case ErrorReasonAuthorizationPending:
		return nil
	case ErrorReasonSlowDown:
		w.interval += slowerPoll
		return nil
	case ErrorReasonExpiredToken:
		return fmt.Errorf("%w: %w", ErrSignInExpired, err)
	}
	return err
}

func (w *deviceWait) report(state string, done bool) {
	w.polls++
	if observe := w.first.options.poll.observe; observe != nil {
		observe(Poll{Target: "sign-in", State: state, Done: done, Count: w.polls, Elapsed: time.Since(w.began)})
	}
}

// OAuthTokenOptions are the options of [OAuthService.Revoke] and [OAuthService.Introspect].
type OAuthTokenOptions struct {
	// Token is an access token or a refresh token. It is required.
	Token Secret `json:"token" required:"true"`
	// TokenTypeHint is "access_token" or "refresh_token". The service ignores it.
	TokenTypeHint string `json:"token_type_hint,omitzero"`
	// ClientID is the ID of the application that the token was issued to. It is required.
	ClientID string `json:"client_id" required:"true"`
	// ClientSecret is the secret of a confidential application.
	ClientSecret Secret `json:"client_secret,omitzero"`
}

// Revoke makes an OAuth2 token invalid (RFC 7009), and with an access token its refresh
// token, and the reverse. It also succeeds if the token is unknown or already invalid. The
// error has the reason [ErrorReasonUnauthorizedClient] if the application is another one,
// or if its secret is wrong.
//
//	POST {base_url}/oauth/revoke
func (s *OAuthService) Revoke(
	ctx context.Context, options OAuthTokenOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost, instanceRoute("/oauth/revoke"), formOf(options), asApplication(opts))
}

// OAuthTokenIntrospection is what the service says about a token. If Active is false, the
// other fields are empty.
type OAuthTokenIntrospection struct {
	// Active reports whether the token is valid, and was issued to the application that asks.
	Active bool `json:"active"`
	// Scope is what the token may do.
	Scope OAuthScopes `json:"scope"`
	// ClientID is the ID of the application, "" for none.
	ClientID string `json:"client_id"`
	// TokenType is "Bearer".
	TokenType string `json:"token_type"`
	// ExpiresAt is when the token expires, in seconds since 1970. It is 0 if it does not.
	ExpiresAt int64 `json:"exp"`
	// IssuedAt is when the token was issued, in seconds since 1970.
	IssuedAt int64 `json:"iat"`
}

// Introspect says whether a token is valid, and what it may do (RFC 7662). Tokens of other
// applications, personal access tokens and job tokens are not active here. The error has
// the reason [ErrorReasonInvalidClient] if the application is unknown or its secret wrong.
//
//	POST {base_url}/oauth/introspect
func (s *OAuthService) Introspect(
	ctx context.Context, options OAuthTokenOptions, opts ...RequestOption,
) (*OAuthTokenIntrospection, *Response, error) {
	return do[OAuthTokenIntrospection](ctx, using(s), http.MethodPost,
		instanceRoute("/oauth/introspect").reading(true), formOf(options), asApplication(opts))
}

// OAuthTokenInfo describes an access token.
type OAuthTokenInfo struct {
	// ResourceOwnerID is the ID of the user. It is nil for a token of the application itself.
	ResourceOwnerID *int64 `json:"resource_owner_id"`
	// Scope is what the token may do. Scopes is the older name of the same.
	Scope  OAuthScopes `json:"scope"`
	Scopes OAuthScopes `json:"scopes"`
	// ExpiresIn is the rest of the token's life, in seconds. It is nil if the token does not
	// expire. ExpiresInSeconds is the older name of the same.
	ExpiresIn        *int64 `json:"expires_in"`
	ExpiresInSeconds *int64 `json:"expires_in_seconds"`
	// Application is the application that the token was issued to.
	Application *OAuthTokenApplication `json:"application"`
	// CreatedAt is when the token was issued, in seconds since 1970.
	CreatedAt int64 `json:"created_at"`
}

// OAuthTokenApplication is the application of a token.
type OAuthTokenApplication struct {
	// UID is the client ID, "" for none.
	UID string `json:"uid"`
}

// TokenInfo describes the OAuth2 access token of the client, or of [WithCredential].
// [AccessTokensService.Current] does the same for personal tokens.
//
//	GET {base_url}/oauth/token/info
func (s *OAuthService) TokenInfo(ctx context.Context, opts ...RequestOption) (*OAuthTokenInfo, *Response, error) {
	return do[OAuthTokenInfo](ctx, using(s), http.MethodGet, instanceRoute("/oauth/token/info"), nil, opts)
}

// OAuthUserInfo is the user of a token in the words of OpenID Connect. What the scopes of
// the token do not cover is empty. [WithRawJSON] has further claims, such as the groups of
// the user by role.
type OAuthUserInfo struct {
	// Subject is the ID of the user as text.
	Subject       string `json:"sub"`
	SubjectLegacy string `json:"sub_legacy"`
	Name          string `json:"name"`
	Nickname      string `json:"nickname"`
	// PreferredUsername is the username.
	PreferredUsername string `json:"preferred_username"`
	Email             string `json:"email"`
	// EmailVerified is nil without the scope email.
	EmailVerified *bool  `json:"email_verified"`
	Website       string `json:"website"`
	// Profile is the address of the user's page, and Picture that of the avatar.
	Profile string `json:"profile"`
	Picture string `json:"picture"`
	// Groups has the full paths of the user's groups.
	Groups []string `json:"groups"`
}

// UserInfo returns the user of the OAuth2 access token of the client. The token needs the
// scope openid.
//
//	GET {base_url}/oauth/userinfo
func (s *OAuthService) UserInfo(ctx context.Context, opts ...RequestOption) (*OAuthUserInfo, *Response, error) {
	return do[OAuthUserInfo](ctx, using(s), http.MethodGet, instanceRoute("/oauth/userinfo"), nil, opts)
}

// asApplication makes a call that the application signs with its ID and secret, and not the
// user of the client.
func asApplication(opts []RequestOption) []RequestOption {
	return append([]RequestOption{WithCredential(Anonymous()), WithoutSudo()}, opts...)
}
