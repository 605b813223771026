package servicetests

import (
	"context"
	"errors"
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

// onDevice begins to sign in with an application, without sockets and with the clock of the
// bubble.
func onDevice(t *testing.T) (
	*servicetest.Service, *serviceapi.Client, serviceapi.WaitForDeviceOptions,
) {
	t.Helper()
	svc := servicetest.New(t, servicetest.WithInMemory(), servicetest.WithClock(time.Now))
	client, err := serviceapi.NewClient(svc.URL(), serviceapi.Anonymous(), serviceapi.WithHTTPClient(svc.HTTPClient()))
	require.NoError(t, err)
	app := svc.OAuthApplication("terminal")
	device, resp, err := client.OAuth.AuthorizeDevice(t.Context(), serviceapi.AuthorizeDeviceOptions{
		ClientID: app.ClientID(), Scope: serviceapi.OAuthScopes{"api"}})
	require.NoError(t, err)
	assert.Equal(t, "no-store", resp.Header.Get("Cache-Control"))
	return svc, client, serviceapi.WaitForDeviceOptions{
		ClientID: app.ClientID(), ClientSecret: serviceapi.NewSecret(app.ClientSecret()), Device: device,
	}
}

func TestSignInOnADevice(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		svc, client, options := onDevice(t)
		ada := svc.User("ada")
		assert.Equal(t, svc.URL()+"/oauth/device", options.Device.VerificationURI)
		assert.Equal(t, svc.URL()+"/oauth/device?user_code=CODE0001", options.Device.VerificationURIComplete)
		assert.Equal(t, int64(300), options.Device.ExpiresIn)
		assert.Equal(t, new(int64(5)), options.Device.Interval)
		go func() {
			time.Sleep(22 * time.Second)
			svc.ApproveDevice("CODE0001", ada)
		}()
		var polls []serviceapi.Poll
		begun := time.Now()
		token, err := client.OAuth.WaitForDevice(t.Context(), options,
			serviceapi.WithPollObserver(func(p serviceapi.Poll) { polls = append(polls, p) }))
		require.NoError(t, err)
		assert.Equal(t, 25*time.Second, time.Since(begun))
		pending := func(n int) serviceapi.Poll {
			return serviceapi.Poll{Target: "sign-in", State: "authorization_pending", Count: n,
				Elapsed: time.Duration(n) * 5 * time.Second}
		}
		assert.Equal(t, []serviceapi.Poll{pending(1), pending(2), pending(3), pending(4),
			{Target: "sign-in", State: "granted", Done: true, Count: 5, Elapsed: 25 * time.Second}}, polls)
		assert.Equal(t, "Bearer", token.TokenType)
		assert.Equal(t, "api", token.Extra("scope"))
		assert.Equal(t, time.Now().Unix(), token.Extra("created_at"))
		assert.Nil(t, token.Extra("id_token"))
		assert.Equal(t, time.Now().Add(servicetest.OAuthTokenLifetime), token.Expiry)

		endpoint, err := serviceapi.OAuth2Endpoint(svc.URL())
		require.NoError(t, err)
		source, err := serviceapi.NewTokenSource(&oauth2.Config{ClientID: options.ClientID,
			ClientSecret: options.ClientSecret.Reveal(), Endpoint: endpoint}, token,
			&serviceapi.TokenSourceOptions{HTTPClient: svc.HTTPClient()})
		require.NoError(t, err)
		time.Sleep(servicetest.OAuthTokenLifetime)
		user, _, err := client.Users.Current(t.Context(), serviceapi.WithCredential(serviceapi.OAuth2(source)))
		require.NoError(t, err)
		assert.Equal(t, "ada", user.Username)

		_, err = client.OAuth.WaitForDevice(t.Context(), options)
		assertReason(t, serviceapi.ErrorReasonInvalidGrant, err, "a code works once")
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

// TestSignInSlowsDown polls while another one does, and while the service is down.
func TestSignInSlowsDown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		svc, client, options := onDevice(t)
		const token = "POST {base_url}/oauth/token"
		svc.Fault(token, servicetest.Status(400, `{"error":"slow_down"}`), servicetest.Times(2))
		svc.Fault(token, servicetest.Status(503, ""), servicetest.Times(1))
		svc.Fault(token, servicetest.Reset(), servicetest.Times(1))
		var elapsed []time.Duration
		observe := serviceapi.WithPollObserver(func(p serviceapi.Poll) {
			elapsed = append(elapsed, p.Elapsed)
			if p.Count == 4 {
				svc.ApproveDevice(options.Device.UserCode, svc.User("ada"))
			}
		})
		_, err := client.OAuth.WaitForDevice(t.Context(), options, observe,
			serviceapi.WithRetry(serviceapi.RetryPolicy{MaxAttempts: 1}))
		require.NoError(t, err)
		assert.Equal(t, []time.Duration{5 * time.Second, 15 * time.Second, 30 * time.Second, 60 * time.Second,
			120 * time.Second}, elapsed, "5, then five more twice, then twice as long twice")
	})
}

func TestSignInEnds(t *testing.T) {
	t.Parallel()
	t.Run("when the code expires", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			_, client, options := onDevice(t)
			begun := time.Now()
			_, err := client.OAuth.WaitForDevice(t.Context(), options)
			assert.ErrorIs(t, err, serviceapi.ErrSignInExpired)
			assert.Equal(t, 295*time.Second, time.Since(begun), "it does not wait until it is too late")
			assert.NotErrorIs(t, err, serviceapi.ErrBadRequest)
		})
	})
	t.Run("when the service says so", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			_, client, options := onDevice(t)
			time.Sleep(2 * time.Minute)
			_, err := client.OAuth.WaitForDevice(t.Context(), options)
			assert.ErrorIs(t, err, serviceapi.ErrSignInExpired)
			assertReason(t, serviceapi.ErrorReasonExpiredToken, err, "the code was older")
		})
	})
	t.Run("with the context", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			_, client, options := onDevice(t)
			ctx, cancel := context.WithTimeout(t.Context(), 12*time.Second)
			defer cancel()
			_, err := client.OAuth.WaitForDevice(ctx, options)
			assert.ErrorIs(t, err, context.DeadlineExceeded)
			assert.Contains(t, err.Error(), "gave up signing in")
		})
	})
	t.Run("when the user declines", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc, client, options := onDevice(t)
			svc.Fault("POST {base_url}/oauth/token", servicetest.Status(400,
				`{"error":"access_denied","error_description":"device-1-terminal was denied"}`), servicetest.Times(1))
			_, err := client.OAuth.WaitForDevice(t.Context(), options)
			assertReason(t, serviceapi.ErrorReasonAccessDenied, err, "no further poll")
		})
	})
	t.Run("when there is no token in the response", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc, client, options := onDevice(t)
			svc.Fault("POST {base_url}/oauth/token", servicetest.Status(200, `{"token_type":"Bearer"}`),
				servicetest.Times(1))
			_, err := client.OAuth.WaitForDevice(t.Context(), options)
			var decode *serviceapi.DecodeError
			assert.ErrorAs(t, err, &decode)
		})
	})
	t.Run("for another application", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc, client, options := onDevice(t)
			other := svc.OAuthApplication("other")
			options.ClientID, options.ClientSecret = "other", serviceapi.NewSecret(other.ClientSecret())
			_, err := client.OAuth.WaitForDevice(t.Context(), options)
			assertReason(t, serviceapi.ErrorReasonInvalidGrant, err, "the code is not its own")
			options.ClientSecret = serviceapi.NewSecret("wrong")
			_, err = client.OAuth.WaitForDevice(t.Context(), options)
			assertReason(t, serviceapi.ErrorReasonInvalidClient, err, "a wrong secret")
		})
	})
}

// TestSignInWithOAuth2 runs the same flow with golang.org/x/oauth2 alone.
func TestSignInWithOAuth2(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		svc, _, options := onDevice(t)
		endpoint, err := serviceapi.OAuth2Endpoint(svc.URL())
		require.NoError(t, err)
		config := oauth2.Config{ClientID: options.ClientID, ClientSecret: options.ClientSecret.Reveal(),
			Endpoint: endpoint, Scopes: []string{"api"}}
		ctx := context.WithValue(t.Context(), oauth2.HTTPClient, svc.HTTPClient())
		device, err := config.DeviceAuth(ctx)
		require.NoError(t, err)
		assert.Equal(t, "CODE0002", device.UserCode)
		go func() {
			time.Sleep(7 * time.Second)
			svc.ApproveDevice(device.UserCode, svc.User("ada"))
		}()
		token, err := config.DeviceAccessToken(ctx, device)
		require.NoError(t, err)
		assert.True(t, svc.TokenWorks(token.AccessToken))
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
	assert.Equal(t, serviceapi.OAuthScopes{"api", "openid", "email"}, info.Scope)
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
