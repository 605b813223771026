package serviceapi_test

import (
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/require"
)

// live returns a client of a running service with a token of it. What fails is
// not tried again.
func live(t testing.TB, svc *servicetest.Service, token string, opts ...serviceapi.Option) *serviceapi.Client {
	t.Helper()
	opts = append([]serviceapi.Option{serviceapi.WithRetry(serviceapi.RetryPolicy{MaxAttempts: 1})}, opts...)
	client, err := serviceapi.NewClient(svc.URL(), serviceapi.PrivateToken(token), opts...)
	require.NoError(t, err)
	t.Cleanup(client.CloseIdleConnections)
	return client
}

// liveAs is live for a user.
func liveAs(t testing.TB, svc *servicetest.Service, user *servicetest.User) *serviceapi.Client {
	t.Helper()
	return live(t, svc, svc.Token(user))
}

// liveAdmin is live for the administrator.
func liveAdmin(t testing.TB, svc *servicetest.Service) *serviceapi.Client {
	t.Helper()
	return live(t, svc, svc.AdminToken())
}
