package servicetests

import (
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
)

// oauthClient returns a client that acts for the user of a grant.
func oauthClient(
	t *testing.T, svc *servicetest.Service, app *servicetest.OAuthApplication, grant *servicetest.OAuthGrant,
	options *serviceapi.TokenSourceOptions,
) *serviceapi.Client {
	t.Helper()
	endpoint, err := serviceapi.OAuth2Endpoint(svc.URL())
	require.NoError(t, err)
	source, err := serviceapi.NewTokenSource(
		&oauth2.Config{ClientID: app.ClientID(), ClientSecret: app.ClientSecret(), Endpoint: endpoint},
		&oauth2.Token{AccessToken: grant.AccessToken(), RefreshToken: grant.RefreshToken()}, options)
	require.NoError(t, err)
	return with(t, svc, serviceapi.OAuth2(source))
}

func TestOAuthAgainstService(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithBasePath("/code"))
	ada := svc.User("ada")
	job := svc.Project("acme/app", servicetest.Member(ada, servicetest.Maintainer)).Pipeline("main").Job("test")
	app := svc.OAuthApplication("deployer")
	grant := app.Authorize(ada)
	var stored *oauth2.Token
	client := oauthClient(t, svc, app, grant,
		&serviceapi.TokenSourceOptions{OnRefresh: func(token *oauth2.Token) { stored = token }})
	everybodyCalls := func() {
		var calls sync.WaitGroup
		for range 200 {
			calls.Go(func() {
				_, _, err := client.Jobs.Get(t.Context(), serviceapi.ProjectPath("acme/app"), job.ID())
				assert.NoError(t, err)
			})
		}
		calls.Wait()
	}

	everybodyCalls()
	assert.Zero(t, grant.Refreshes(), "a good token is not refreshed")

	grant.RevokeAccessToken()
	everybodyCalls()
	assert.Equal(t, 1, grant.Refreshes(), "a revoked one is, once")

	svc.Advance(servicetest.OAuthTokenLifetime)
	everybodyCalls()
	assert.Equal(t, 2, grant.Refreshes(), "and one that expired for the service only")
	assert.Equal(t, grant.RefreshToken(), stored.RefreshToken)
	assert.Equal(t, grant.AccessToken(), stored.AccessToken)

	restarted := oauthClient(t, svc, app, grant, nil)
	grant.RevokeAccessToken()
	_, _, err := restarted.Jobs.Retry(t.Context(), serviceapi.ProjectPath("acme/app"), job.ID(),
		serviceapi.RetryJobOptions{})
	require.NoError(t, err, "a write with a body goes through after the refresh, too")

	grant.Revoke()
	_, _, err = restarted.Jobs.Get(t.Context(), serviceapi.ProjectPath("acme/app"), job.ID())
	var failed *serviceapi.RefreshError
	require.ErrorAs(t, err, &failed)
	var refused *serviceapi.Error
	require.ErrorAs(t, failed.Err, &refused)
	assert.Equal(t, serviceapi.ErrorReasonInvalidGrant, refused.Reason)
	for _, request := range svc.Requests("POST {base_url}/oauth/token") {
		assert.Equal(t, "application/x-www-form-urlencoded", request.Header.Get("Content-Type"))
		assert.Empty(t, request.Query)
	}
}

func TestOAuthRefreshThatFailed(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app").Pipeline("main").Job("test")
	app := svc.OAuthApplication("deployer")
	grant := app.Authorize(svc.Root())
	client := oauthClient(t, svc, app, grant, nil)
	grant.RevokeAccessToken()

	svc.Fault("POST {base_url}/oauth/token", servicetest.Status(http.StatusServiceUnavailable, ""),
		servicetest.Times(1))
	_, _, err := client.Jobs.Get(t.Context(), serviceapi.ProjectPath("acme/app"), 1)
	require.ErrorIs(t, err, serviceapi.ErrServer)
	assert.Zero(t, grant.Refreshes())

	_, _, err = client.Jobs.Get(t.Context(), serviceapi.ProjectPath("acme/app"), 1)
	require.NoError(t, err, "the refresh token is still good")
	assert.Equal(t, 1, grant.Refreshes())
}
