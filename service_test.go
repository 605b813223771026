package serviceapi_test

import (
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/require"
)

// as returns a client of the embedded service that calls as a user.
func as(t testing.TB, svc *servicetest.Service, user *servicetest.User) *serviceapi.Client {
	t.Helper()
	return withToken(t, svc, svc.Token(user))
}

// asRoot returns a client of the embedded service that calls as its
// administrator.
func asRoot(t testing.TB, svc *servicetest.Service) *serviceapi.Client {
	t.Helper()
	return withToken(t, svc, svc.AdminToken())
}

func withToken(t testing.TB, svc *servicetest.Service, token string) *serviceapi.Client {
	t.Helper()
	client, err := serviceapi.NewClient(svc.URL(), serviceapi.PrivateToken(token))
	require.NoError(t, err)
	t.Cleanup(client.CloseIdleConnections)
	return client
}
