package wiretests

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var wholeDevice = &serviceapi.DeviceAuthorization{
	DeviceCode: serviceapi.NewSecret("the-device-code"), UserCode: "WDJB5MJHT",
	VerificationURI:         "https://service.test/oauth/device",
	VerificationURIComplete: "https://service.test/oauth/device?user_code=WDJB5MJHT",
	ExpiresIn:               300, Interval: new(int64(7)),
}

// bare are the headers of a call that an application signs by its body.
var bare = map[string]string{"Private-Token": "", "Authorization": ""}

func TestOAuthOfApplications(t *testing.T) {
	client := onWire(t,
		exchange{Method: "POST", Path: "/oauth/authorize_device", Root: true, Header: bare,
			Form: "client_id=app&scope=api+read_user", Fixture: "oauth/device.json"},
		exchange{Method: "POST", Path: "/oauth/revoke", Root: true, Header: bare, Body: "{}",
			Form: "client_id=app&client_secret=s&token=t&token_type_hint=access_token"},
		exchange{Method: "POST", Path: "/oauth/introspect", Root: true, Header: bare,
			Form: "client_id=app&client_secret=s&token=t", Fixture: "oauth/introspection.json"},
		exchange{Method: "POST", Path: "/oauth/introspect", Root: true, Header: bare,
			Form: "client_id=app&token=t", Body: `{"active":false}`})
	s, ctx := client.OAuth, t.Context()
	device, _, err := s.AuthorizeDevice(ctx, serviceapi.AuthorizeDeviceOptions{
		ClientID: "app", Scope: serviceapi.OAuthScopes{"api", "read_user"}})
	require.NoError(t, err)
	assert.Equal(t, wholeDevice, device)

	options := serviceapi.OAuthTokenOptions{
		ClientID: "app", ClientSecret: serviceapi.NewSecret("s"), Token: serviceapi.NewSecret("t"),
	}
	hinted := options
	hinted.TokenTypeHint = "access_token"
	resp, err := s.Revoke(ctx, hinted)
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode)
	said, _, err := s.Introspect(ctx, options)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.OAuthTokenIntrospection{
		Active: true, Scope: serviceapi.OAuthScopes{"api", "read_user"}, ClientID: "app", TokenType: "Bearer",
		ExpiresAt: 1893456000, IssuedAt: 1893448800,
	}, said)
	options.ClientSecret = serviceapi.Secret{}
	said, _, err = s.Introspect(ctx, options)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.OAuthTokenIntrospection{}, said)
}

func TestOAuthOfTokens(t *testing.T) {
	client := onWire(t,
		exchange{Method: "GET", Path: "/oauth/token/info", Root: true, Fixture: "oauth/token_info.json"},
		exchange{Method: "GET", Path: "/oauth/userinfo", Root: true, Fixture: "oauth/user_info.json"},
		exchange{Method: "GET", Path: "/oauth/token/info", Root: true,
			Body: `{"resource_owner_id":null,"scope":["api"],"expires_in":null,"application":{"uid":null}}`})
	s, ctx := client.OAuth, t.Context()
	info, _, err := s.TokenInfo(ctx)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.OAuthTokenInfo{
		ResourceOwnerID: new(int64(4)), Scope: []string{"api", "openid"},
		Scopes: []string{"api", "openid"}, ExpiresIn: new(int64(7200)),
		ExpiresInSeconds: new(int64(7199)), CreatedAt: 1893448800,
		Application: &serviceapi.OAuthTokenApplication{UID: "app"},
	}, info)
	user, _, err := s.UserInfo(ctx)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.OAuthUserInfo{
		Subject: "4", SubjectLegacy: "0a1b2c", Name: "Ada Lovelace", Nickname: "ada", PreferredUsername: "ada.l",
		Email: "ada@example.com", EmailVerified: new(true), Website: "https://ada.example",
		Profile: "https://service.test/ada", Picture: "https://service.test/uploads/ada.png",
		Groups: []string{"acme", "acme/team"},
	}, user)
	info, _, err = s.TokenInfo(ctx)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.OAuthTokenInfo{
		Scope: []string{"api"}, Application: &serviceapi.OAuthTokenApplication{},
	}, info)
}

func TestOAuthRefusesBeforeSending(t *testing.T) {
	client := onWire(t)
	s, ctx := client.OAuth, t.Context()
	problem := func(err error, text string) {
		t.Helper()
		var refused *serviceapi.ArgumentError
		require.ErrorAs(t, err, &refused)
		assert.Contains(t, refused.Error(), text)
	}
	_, _, err := s.AuthorizeDevice(ctx, serviceapi.AuthorizeDeviceOptions{ClientID: "app"})
	problem(err, "/oauth/authorize_device: Scope")
	_, _, err = s.AuthorizeDevice(ctx, serviceapi.AuthorizeDeviceOptions{Scope: serviceapi.OAuthScopes{"api"}})
	problem(err, "/oauth/authorize_device: ClientID")
	_, err = s.Revoke(ctx, serviceapi.OAuthTokenOptions{ClientID: "app"})
	problem(err, "/oauth/revoke: Token")
	_, _, err = s.Introspect(ctx, serviceapi.OAuthTokenOptions{Token: serviceapi.NewSecret("t")})
	problem(err, "/oauth/introspect: ClientID")
	nothing := func(*serviceapi.DeviceAuthorization) error { return nil }
	_, err = serviceapi.SignInOnDevice(ctx, client, serviceapi.SignInOnDeviceOptions{ClientID: "app"}, nothing)
	problem(err, "/oauth/authorize_device: Scope")
	_, err = serviceapi.SignInOnDevice(ctx, client, serviceapi.SignInOnDeviceOptions{}, nil)
	problem(err, "client or show is nil")
	_, err = serviceapi.SignInOnDevice(ctx, nil, serviceapi.SignInOnDeviceOptions{}, nothing)
	problem(err, "client or show is nil")
}
