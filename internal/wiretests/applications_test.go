package wiretests

import (
	"fmt"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wholeApplication is testdata/applications/application.json, or issued.json with the
// secret.
func wholeApplication(secret serviceapi.Secret) *serviceapi.Application {
	return &serviceapi.Application{
		ID: 7, ApplicationID: "5832fc6e14300a0d962240a8144466eef4ee93ef0d218477e55f11cf12fc3737",
		ApplicationName: "wiki", Secret: secret, CallbackURL: "https://wiki.example/callback", Confidential: true,
		Scopes: []string{"openid", "read_user"},
	}
}

func TestApplicationsLists(t *testing.T) {
	whole := "[" + fixture(t, "applications/application.json") + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: "/applications", Query: "page=2&per_page=5", Body: whole},
		exchange{Method: "GET", Path: "/applications", Query: "per_page=100", Body: whole})
	applications, _, err := client.Applications.List(t.Context(), &serviceapi.ListOptions{Page: 2, PerPage: 5})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.Application{wholeApplication(serviceapi.Secret{})}, applications)
	applications, err = serviceapi.Collect(client.Applications.All(t.Context(), nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.Application{wholeApplication(serviceapi.Secret{})}, applications)
}

func TestApplicationsLifeCycle(t *testing.T) {
	const issued, secret = "applications/issued.json", "issued-secret"
	client := onWire(t,
		exchange{Method: "POST", Path: "/applications", Status: 201, Fixture: issued,
			JSON: `{"name":"wiki","redirect_uri":"https://wiki.example","scopes":"openid"}`},
		exchange{Method: "POST", Path: "/applications", Status: 201, Fixture: issued,
			JSON: `{"name":"wiki","redirect_uri":"https://a.example\nhttps://b.example","scopes":"openid read_user",` +
				`"confidential":false}`},
		exchange{Method: "POST", Path: "/applications/7/renew-secret", Fixture: issued},
		exchange{Method: "DELETE", Path: "/applications/7", Status: 204})
	s, ctx := client.Applications, t.Context()
	wantIssued := func(application *serviceapi.Application, _ *serviceapi.Response, err error) {
		t.Helper()
		require.NoError(t, err)
		assert.Equal(t, wholeApplication(serviceapi.NewSecret(secret)), application)
		assertFilled(t, application)
		assert.NotContains(t, fmt.Sprintf("%+v", *application), secret)
	}
	wantIssued(s.Create(ctx, serviceapi.CreateApplicationOptions{
		Name: "wiki", RedirectURI: "https://wiki.example", Scopes: "openid",
	}))
	wantIssued(s.Create(ctx, serviceapi.CreateApplicationOptions{
		Name: "wiki", RedirectURI: "https://a.example\nhttps://b.example", Scopes: "openid read_user",
		Confidential: new(false),
	}))
	wantIssued(s.RenewSecret(ctx, 7))
	resp, err := s.Delete(ctx, 7)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
}

// A renewed secret that cannot be decoded is not quoted, and the call is not repeated:
// that would replace the secret again.
func TestApplicationsSecretIsNotQuoted(t *testing.T) {
	client := onWire(t,
		exchange{Method: "POST", Path: "/applications/7/renew-secret", Status: 201, Body: `{"secret":["s3cr3t"]}`},
		exchange{Method: "POST", Path: "/applications/7/renew-secret", Status: 502})
	for range 2 {
		_, _, err := client.Applications.RenewSecret(t.Context(), 7)
		require.Error(t, err)
		assert.NotContains(t, fmt.Sprintf("%+v", err), "s3cr3t")
	}
}

func TestApplicationsArguments(t *testing.T) {
	s, ctx := onWire(t).Applications, t.Context()
	assertRefused(t, "Name", errorOf(s.Create(ctx, serviceapi.CreateApplicationOptions{})))
	assertRefused(
		t,
		"RedirectURI",
		errorOf(s.Create(ctx, serviceapi.CreateApplicationOptions{Name: "a", Scopes: "api"})),
	)
	assertRefused(
		t,
		"Scopes",
		errorOf(s.Create(ctx, serviceapi.CreateApplicationOptions{Name: "a", RedirectURI: "https://a"})),
	)
	assertRefused(t, "id", errorOf(s.RenewSecret(ctx, 0)))
	_, err := s.Delete(ctx, -1)
	assertRefused(t, "id", err)
}
