package servicetests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/require"
)

// with returns a client of the embedded service that calls with a credential.
// It retries and polls as any client does, but waits less. The responses of the
// service are recorded, and compared with the types after all tests.
func with(
	t testing.TB, svc *servicetest.Service, cred serviceapi.Credential, opts ...serviceapi.Option,
) *serviceapi.Client {
	t.Helper()
	opts = append([]serviceapi.Option{
		serviceapi.WithRetry(serviceapi.RetryPolicy{MinWait: time.Millisecond, MaxWait: time.Second}),
		serviceapi.WithMiddleware(recorded.Middleware),
		serviceapi.WithPollInterval(time.Millisecond, 20*time.Millisecond),
	}, opts...)
	client, err := serviceapi.NewClient(svc.URL(), cred, opts...)
	require.NoError(t, err)
	t.Cleanup(client.CloseIdleConnections)
	return client
}

// withToken calls with a private token.
func withToken(t testing.TB, svc *servicetest.Service, token string, opts ...serviceapi.Option) *serviceapi.Client {
	t.Helper()
	return with(t, svc, serviceapi.PrivateToken(token), opts...)
}

// as calls as a user.
func as(t testing.TB, svc *servicetest.Service, user *servicetest.User, opts ...serviceapi.Option) *serviceapi.Client {
	t.Helper()
	return withToken(t, svc, svc.Token(user), opts...)
}

// asRoot calls as the administrator.
func asRoot(t testing.TB, svc *servicetest.Service, opts ...serviceapi.Option) *serviceapi.Client {
	t.Helper()
	return withToken(t, svc, svc.AdminToken(), opts...)
}

// asAnybody calls without a credential.
func asAnybody(t testing.TB, svc *servicetest.Service) *serviceapi.Client {
	t.Helper()
	return with(t, svc, serviceapi.Anonymous())
}
