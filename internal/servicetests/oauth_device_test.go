package servicetests

import (
	"context"
	"errors"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// terminal is a program that signs a user in, without sockets and with the clock of the bubble.
type terminal struct {
	svc     *servicetest.Service
	client  *serviceapi.Client
	options serviceapi.SignInOnDeviceOptions
	device  *serviceapi.DeviceAuthorization
	// show is called with the code, and polls has what the observer saw.
	show  func()
	polls []serviceapi.Poll
}

func newTerminal(t *testing.T) *terminal {
	t.Helper()
	svc := servicetest.New(t, servicetest.WithInMemory(), servicetest.WithClock(time.Now))
	client, err := serviceapi.NewClient(svc.URL(), serviceapi.Anonymous(), serviceapi.WithHTTPClient(svc.HTTPClient()))
	require.NoError(t, err)
	app := svc.OAuthApplication("terminal")
	return &terminal{svc: svc, client: client, show: func() {}, options: serviceapi.SignInOnDeviceOptions{
		ClientID: app.ClientID(), ClientSecret: serviceapi.NewSecret(app.ClientSecret()),
		Scope: serviceapi.OAuthScopes{"api"},
	}}
}

func (m *terminal) signIn(ctx context.Context, opts ...serviceapi.RequestOption) (*oauth2.Token, error) {
	opts = append(opts, serviceapi.WithPollObserver(func(p serviceapi.Poll) { m.polls = append(m.polls, p) }))
	return serviceapi.SignInOnDevice(ctx, m.client, m.options, func(d *serviceapi.DeviceAuthorization) error {
		m.device = d
		m.show()
		return nil
	}, opts...)
}

// approveAfter signs ada in, some time after the code is shown.
func (m *terminal) approveAfter(wait time.Duration) {
	ada := m.svc.User("ada")
	m.show = func() {
		go func() {
			time.Sleep(wait)
			m.svc.ApproveDevice(m.device.UserCode, ada)
		}()
	}
}

func TestSignInOnADevice(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newTerminal(t)
		m.approveAfter(22 * time.Second)
		begun := time.Now()
		token, err := m.signIn(t.Context())
		require.NoError(t, err)
		assert.Equal(t, 25*time.Second, time.Since(begun))
		assert.Equal(t, &serviceapi.DeviceAuthorization{
			DeviceCode: serviceapi.NewSecret("device-1-terminal"), UserCode: "CODE0001",
			VerificationURI:         m.svc.URL() + "/oauth/device",
			VerificationURIComplete: m.svc.URL() + "/oauth/device?user_code=CODE0001",
			ExpiresIn:               300, Interval: new(int64(5)),
		}, m.device)
		pending := func(n int) serviceapi.Poll {
			return serviceapi.Poll{Target: "sign-in", State: "authorization_pending", Count: n,
				Elapsed: time.Duration(n) * 5 * time.Second}
		}
		assert.Equal(t, []serviceapi.Poll{pending(1), pending(2), pending(3), pending(4),
			{Target: "sign-in", State: "granted", Done: true, Count: 5, Elapsed: 25 * time.Second}}, m.polls)
		assert.Equal(t, "Bearer", token.TokenType)
		assert.Equal(t, int64(7200), token.ExpiresIn)
		assert.Equal(t, "api", token.Extra("scope"))
		assert.Equal(t, time.Now().Unix(), token.Extra("created_at"))
		assert.Nil(t, token.Extra("id_token"))
		assert.Equal(t, time.Now().Add(servicetest.OAuthTokenLifetime), token.Expiry)

		endpoint, err := serviceapi.OAuth2Endpoint(m.svc.URL())
		require.NoError(t, err)
		source, err := serviceapi.NewTokenSource(&oauth2.Config{ClientID: m.options.ClientID,
			ClientSecret: m.options.ClientSecret.Reveal(), Endpoint: endpoint}, token,
			&serviceapi.TokenSourceOptions{HTTPClient: m.svc.HTTPClient()})
		require.NoError(t, err)
		time.Sleep(servicetest.OAuthTokenLifetime)
		user, _, err := m.client.Users.Current(t.Context(), serviceapi.WithCredential(serviceapi.OAuth2(source)))
		require.NoError(t, err)
		assert.Equal(t, "ada", user.Username)
	})
}

func assertReason(t *testing.T, reason serviceapi.ErrorReason, err error, about string) {
	t.Helper()
	refused, ok := errors.AsType[*serviceapi.Error](err)
	require.True(t, ok, "%v", err)
	assert.Equal(t, reason, refused.Reason, about)
	assert.NotContains(t, err.Error(), "device-1-")
	assert.NotContains(t, string(refused.Body), "device-1-")
}

// TestSignInSlowsDown is told to, and then polls a service that is down.
func TestSignInSlowsDown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const token = "POST {base_url}/oauth/token"
		m := newTerminal(t)
		m.svc.Fault(token, servicetest.Status(400, `{"error":"slow_down"}`), servicetest.Times(2))
		m.svc.Fault(token, servicetest.Status(503, ""), servicetest.Times(1))
		m.svc.Fault(token, servicetest.Status(429, ""), servicetest.Times(1))
		m.svc.Fault(token, servicetest.Reset(), servicetest.Times(1))
		m.approveAfter(0)
		_, err := m.signIn(t.Context(), serviceapi.WithRetry(serviceapi.RetryPolicy{MaxAttempts: 1}))
		require.NoError(t, err)
		elapsed := make([]int, len(m.polls))
		for i, p := range m.polls {
			elapsed[i] = int(p.Elapsed / time.Second)
		}
		assert.Equal(t, []int{5, 15, 30, 60, 120, 180}, elapsed,
			"five seconds more twice, then twice as long, but at most a minute")
		assert.Equal(t, []string{"slow_down", "no response", "granted"},
			[]string{m.polls[1].State, m.polls[2].State, m.polls[5].State})
	})
}

func TestSignInEnds(t *testing.T) {
	t.Parallel()
	const token = "POST {base_url}/oauth/token"
	for name, check := range map[string]func(t *testing.T, m *terminal){
		"when the code expires": func(t *testing.T, m *terminal) {
			begun := time.Now()
			_, err := m.signIn(t.Context())
			assert.ErrorIs(t, err, serviceapi.ErrSignInExpired)
			assert.NotErrorIs(t, err, serviceapi.ErrBadRequest)
			assert.Equal(t, 295*time.Second, time.Since(begun), "it does not wait until it is too late")
		},
		"when the service says so": func(t *testing.T, m *terminal) {
			m.svc.Fault(token, servicetest.Status(400, `{"error":"expired_token"}`), servicetest.Times(1))
			_, err := m.signIn(t.Context())
			assert.ErrorIs(t, err, serviceapi.ErrSignInExpired)
			assertReason(t, serviceapi.ErrorReasonExpiredToken, err, "")
		},
		"with the context": func(t *testing.T, m *terminal) {
			ctx, cancel := context.WithTimeout(t.Context(), 12*time.Second)
			defer cancel()
			_, err := m.signIn(ctx)
			assert.ErrorIs(t, err, context.DeadlineExceeded)
			assert.ErrorContains(t, err, "gave up signing in")
		},
		"with the context, within a call": func(t *testing.T, m *terminal) {
			m.svc.Fault(token, servicetest.Delay(time.Hour))
			ctx, cancel := context.WithTimeout(t.Context(), 12*time.Second)
			defer cancel()
			_, err := m.signIn(ctx)
			assert.ErrorIs(t, err, context.DeadlineExceeded)
			m.svc.ClearFaults()
		},
		"when the user declines": func(t *testing.T, m *terminal) {
			m.svc.Fault(token, servicetest.Status(400,
				`{"error":"access_denied","error_description":"device-1-terminal was denied"}`), servicetest.Times(1))
			_, err := m.signIn(t.Context())
			assertReason(t, serviceapi.ErrorReasonAccessDenied, err, "")
			assert.Len(t, m.polls, 1)
		},
		"when there is no token in the response": func(t *testing.T, m *terminal) {
			m.svc.Fault(token, servicetest.Status(200, `{"token_type":"Bearer"}`), servicetest.Times(1))
			_, err := m.signIn(t.Context())
			var decode *serviceapi.DecodeError
			assert.ErrorAs(t, err, &decode)
		},
		"with a token that does not expire": func(t *testing.T, m *terminal) {
			m.svc.Fault(token, servicetest.Status(200, `{"access_token":"a","token_type":"bearer","expires_in":0,`+
				`"id_token":"i","created_at":7,"scope":"api openid"}`), servicetest.Times(1))
			got, err := m.signIn(t.Context())
			require.NoError(t, err)
			assert.True(t, got.Expiry.IsZero())
			assert.Equal(t, []any{"a", "bearer", "i", int64(7), "api openid"}, []any{got.AccessToken, got.TokenType,
				got.Extra("id_token"), got.Extra("created_at"), got.Extra("scope")})
		},
		"when the secret is wrong": func(t *testing.T, m *terminal) {
			m.options.ClientSecret = serviceapi.NewSecret("wrong")
			_, err := m.signIn(t.Context())
			assertReason(t, serviceapi.ErrorReasonInvalidClient, err, "")
		},
		"when the application is unknown": func(t *testing.T, m *terminal) {
			m.options.ClientID = "unknown"
			_, err := m.signIn(t.Context())
			assert.ErrorIs(t, err, serviceapi.ErrUnauthorized)
			assertReason(t, serviceapi.ErrorReasonInvalidClient, err, "")
			assert.Nil(t, m.device)
		},
		"when the code cannot be shown": func(t *testing.T, m *terminal) {
			_, err := serviceapi.SignInOnDevice(t.Context(), m.client, m.options,
				func(*serviceapi.DeviceAuthorization) error { return io.ErrClosedPipe })
			assert.ErrorIs(t, err, io.ErrClosedPipe)
			assert.Empty(t, m.svc.Requests(token))
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { check(t, newTerminal(t)) })
		})
	}
}

// TestSignInWithOAuth2 runs the same flow with golang.org/x/oauth2 alone.
func TestSignInWithOAuth2(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newTerminal(t)
		svc, options := m.svc, m.options
		endpoint, err := serviceapi.OAuth2Endpoint(svc.URL())
		require.NoError(t, err)
		config := oauth2.Config{ClientID: options.ClientID, ClientSecret: options.ClientSecret.Reveal(),
			Endpoint: endpoint, Scopes: []string{"api"}}
		ctx := context.WithValue(t.Context(), oauth2.HTTPClient, svc.HTTPClient())
		device, err := config.DeviceAuth(ctx)
		require.NoError(t, err)
		assert.Equal(t, "CODE0001", device.UserCode)
		go func() {
			time.Sleep(7 * time.Second)
			svc.ApproveDevice(device.UserCode, svc.User("ada"))
		}()
		token, err := config.DeviceAccessToken(ctx, device)
		require.NoError(t, err)
		assert.True(t, svc.TokenWorks(token.AccessToken))
		_, err = config.DeviceAccessToken(ctx, device)
		assert.ErrorContains(t, err, "invalid_grant", "a code works once")
	})
}

func TestServiceOAuthDeviceRefusals(t *testing.T) {
	t.Parallel()
	svc := servicetest.New(t)
	app := svc.OAuthApplication("terminal")
	client := with(t, svc, serviceapi.Anonymous())
	begin := func(id string, scopes ...string) error {
		_, _, err := client.OAuth.AuthorizeDevice(t.Context(),
			serviceapi.AuthorizeDeviceOptions{ClientID: id, Scope: scopes})
		return err
	}
	assert.NoError(t, begin(app.ClientID(), "api"))
	err := begin("unknown", "api")
	assert.ErrorIs(t, err, serviceapi.ErrUnauthorized)
	assertReason(t, serviceapi.ErrorReasonInvalidClient, err, "")
	err = begin(app.ClientID(), "api", "sudo")
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	assertReason(t, serviceapi.ErrorReasonInvalidScope, err, "")
}

func TestServiceOAuthTokens(t *testing.T) {
	t.Parallel()
	svc := servicetest.New(t)
	ada := svc.User("ada")
	svc.Group("acme/team", servicetest.Member(ada, servicetest.Guest))
	svc.Group("zoo")
	app, other := svc.OAuthApplication("terminal"), svc.OAuthApplication("other")
	grant := app.Authorize(ada, servicetest.Scopes("api", "openid", "email"))
	client := with(t, svc, serviceapi.BearerToken(grant.AccessToken()))
	ctx := t.Context()

	info, _, err := client.OAuth.TokenInfo(ctx)
	require.NoError(t, err)
	require.NotNil(t, info.ExpiresIn)
	assert.InDelta(t, 7200, *info.ExpiresIn, 60)
	assert.Equal(t, info.ExpiresIn, info.ExpiresInSeconds)
	assert.Equal(t, ada.ID(), *info.ResourceOwnerID)
	assert.Equal(t, "terminal", info.Application.UID)
	assert.Equal(t, []string{"api", "openid", "email"}, info.Scope)
	user, _, err := client.OAuth.UserInfo(ctx)
	require.NoError(t, err)
	assert.Equal(t, "ada", user.Nickname)
	assert.Equal(t, []string{"acme/team"}, user.Groups)
	assert.Equal(t, new(true), user.EmailVerified)
	plain := serviceapi.WithCredential(serviceapi.BearerToken(app.Authorize(ada).AccessToken()))
	_, _, err = client.OAuth.UserInfo(ctx, plain)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden, "it needs the scope openid")

	asked := func(application *servicetest.OAuthApplication, token string) serviceapi.OAuthTokenOptions {
		return serviceapi.OAuthTokenOptions{Token: serviceapi.NewSecret(token), ClientID: application.ClientID(),
			ClientSecret: serviceapi.NewSecret(application.ClientSecret())}
	}
	active := func(application *servicetest.OAuthApplication, token string) bool {
		t.Helper()
		said, _, err := client.OAuth.Introspect(ctx, asked(application, token))
		require.NoError(t, err)
		return said.Active
	}
	said, _, err := client.OAuth.Introspect(ctx, asked(app, grant.AccessToken()))
	require.NoError(t, err)
	assert.Equal(t, serviceapi.OAuthScopes{"api", "openid", "email"}, said.Scope)
	assert.Equal(t, "terminal", said.ClientID)
	assert.Equal(t, said.IssuedAt+7200, said.ExpiresAt)
	assert.True(t, active(app, grant.RefreshToken()))
	assert.False(t, active(other, grant.AccessToken()), "a token of another application")
	assert.False(t, active(app, svc.Token(ada)), "a personal token")
	assert.False(t, active(app, "unknown"))
	wrong := asked(app, grant.AccessToken())
	wrong.ClientSecret = serviceapi.NewSecret("wrong")
	_, _, err = client.OAuth.Introspect(ctx, wrong)
	assertReason(t, serviceapi.ErrorReasonInvalidClient, err, "")

	_, err = client.OAuth.Revoke(ctx, asked(other, grant.AccessToken()))
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	assertReason(t, serviceapi.ErrorReasonUnauthorizedClient, err, "")
	assert.True(t, svc.TokenWorks(grant.AccessToken()))
	_, err = client.OAuth.Revoke(ctx, wrong)
	assertReason(t, serviceapi.ErrorReasonUnauthorizedClient, err, "a wrong secret")
	for range 2 {
		_, err = client.OAuth.Revoke(ctx, asked(app, grant.RefreshToken()))
		require.NoError(t, err, "also if it is revoked already")
	}
	assert.False(t, svc.TokenWorks(grant.AccessToken()), "the refresh token ends the access token")
	assert.False(t, active(app, grant.RefreshToken()))
	_, err = client.OAuth.Revoke(ctx, asked(app, "unknown"))
	require.NoError(t, err)

	_, _, err = client.OAuth.TokenInfo(ctx)
	assert.ErrorIs(t, err, serviceapi.ErrUnauthorized)
	assertReason(t, serviceapi.ErrorReasonInvalidToken, err, "")
	assert.ErrorContains(t, err, "was revoked")
	for _, request := range svc.Requests("POST {base_url}/oauth/revoke") {
		assert.Empty(t, request.Header.Get("Authorization"), "the call is the application's")
		assert.Equal(t, http.MethodPost, request.Method)
	}
}
