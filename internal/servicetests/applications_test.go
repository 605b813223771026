package servicetests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestServiceApplications goes through the life of an application, which ends the tokens
// of the ones that are deleted.
func TestServiceApplications(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	seeded := svc.OAuthApplication("deployer")
	grant := seeded.Authorize(ada)
	s, ctx := asRoot(t, svc).Applications, t.Context()
	options := serviceapi.CreateApplicationOptions{
		Name: "wiki", RedirectURI: "https://wiki.example\nhttp://127.0.0.1:7000", Scopes: "openid read_user",
	}
	made, resp, err := s.Create(ctx, options)
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Len(t, made.ApplicationID, 64)
	assert.Equal(t, &serviceapi.Application{
		ID: 2, ApplicationID: made.ApplicationID, ApplicationName: "wiki", Secret: made.Secret,
		CallbackURL: options.RedirectURI, Confidential: true, Scopes: []string{"openid", "read_user"},
	}, made)
	renewed, _, err := s.RenewSecret(ctx, made.ID)
	require.NoError(t, err)
	assert.False(t, renewed.Secret.IsEmpty() || renewed.Secret.Equal(made.Secret))

	all, err := serviceapi.Collect(s.All(ctx, nil))
	require.NoError(t, err)
	require.Len(t, all, 2)
	renewed.Secret = serviceapi.Secret{}
	assert.Equal(t, renewed, all[1], "the list has no secrets")
	assert.Equal(t, seeded.ID(), all[0].ID)

	assert.True(t, svc.TokenWorks(grant.AccessToken()))
	_, err = s.Delete(ctx, seeded.ID())
	require.NoError(t, err)
	assert.False(t, svc.TokenWorks(grant.AccessToken()))
	_, err = s.Delete(ctx, seeded.ID())
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, _, err = s.Create(ctx, serviceapi.CreateApplicationOptions{Name: "a", RedirectURI: "a", Scopes: "api"})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	_, _, err = as(t, svc, ada).Applications.Create(ctx, options)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}

// TestServiceLicense adds and removes licenses, of which the newest counts.
func TestServiceLicense(t *testing.T) {
	svc := servicetest.New(t)
	svc.User("ada")
	s, ctx := asRoot(t, svc).License, t.Context()
	none, _, err := s.Current(ctx)
	require.NoError(t, err)
	assert.Nil(t, none)
	first := svc.AddLicense(servicetest.License{Plan: "premium"})
	text := servicetest.License{
		Name: "Ada", Email: "ada@example.com", Company: "Engines", UserLimit: 1, ExpiresAt: svc.Now().AddDate(0, 0, 7),
		AddOns: map[string]int{"Service_Geo": 1},
	}.Text()
	made, _, err := s.Create(ctx, serviceapi.CreateLicenseOptions{License: serviceapi.NewSecret(text)})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.License{
		ID: 2, Plan: "ultimate", CreatedAt: svc.Now(), StartsAt: serviceapi.DateOf(svc.Now()),
		ExpiresAt: new(serviceapi.DateOf(svc.Now().AddDate(0, 0, 7))), UserLimit: 1, ActiveUsers: new(2),
		HistoricalMax: 2, MaximumUserCount: 2, Overage: 1, AddOns: map[string]int{"Service_Geo": 1},
		Licensee: &serviceapi.LicenseLicensee{Name: "Ada", Email: "ada@example.com", Company: "Engines"},
	}, made)
	current, _, err := s.Current(ctx)
	require.NoError(t, err)
	assert.Equal(t, made, current)
	all, err := serviceapi.Collect(s.All(ctx, nil))
	require.NoError(t, err)
	assert.Equal(t, []int64{2, first}, []int64{all[0].ID, all[1].ID})
	assert.Nil(t, all[0].ActiveUsers)
	svc.Advance(8 * 24 * time.Hour)
	current, _, err = s.Get(ctx, made.ID)
	require.NoError(t, err)
	assert.True(t, current.Expired)
	_, err = s.Delete(ctx, made.ID)
	require.NoError(t, err)
	current, _, err = s.Current(ctx)
	require.NoError(t, err)
	assert.Equal(t, first, current.ID)
	_, _, err = s.Create(ctx, serviceapi.CreateLicenseOptions{License: serviceapi.NewSecret("abc")})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)

	free := servicetest.New(t, servicetest.WithTier(servicetest.Free))
	_, _, err = asRoot(t, free).License.Current(ctx)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}
