package serviceapi

import (
	"context"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
)

// OAuthService signs users in on devices without a browser, and says what OAuth2 access
// tokens are worth. [OAuth2Endpoint] has the addresses for golang.org/x/oauth2, which signs
// in through a browser, and [NewTokenSource] renews tokens.
//
// AuthorizeDevice, Revoke and Introspect are calls of the application: they send its ID and
// secret from the options, and neither the client's credential nor its sudo. The client may
// have the credential [Anonymous].
//
// Its options are [AuthorizeDeviceOptions] and [OAuthTokenOptions].
// See the example of [OAuthService.Revoke].
type OAuthService service

// OAuthScopes are names of scopes, such as "api" and "read_user". OAuth2 writes them as one
// text with blanks between them.
type OAuthScopes []string

// MarshalJSON writes the scopes as one text, and nil as null.
func (s OAuthScopes) MarshalJSON() ([]byte, error) {
	if s == nil {
		return []byte("null"), nil
	}
	return json.Marshal(strings.Join(s, " "))
}

// UnmarshalJSON reads the scopes from one text, and null as nil.
func (s *OAuthScopes) UnmarshalJSON(data []byte) error {
	var words *string
	if err := json.Unmarshal(data, &words); err != nil {
		return err
	}
	*s = nil
	if words != nil {
		*s = append(OAuthScopes{}, strings.Fields(*words)...)
	}
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
	// DeviceCode identifies the sign-in to the token endpoint.
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

// AuthorizeDevice begins to sign a user in on a device without a browser (RFC 8628).
// [SignInOnDevice] calls it and waits for the token. Since 17.3.
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
	Scope  []string `json:"scope"`
	Scopes []string `json:"scopes"`
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
