package servicetests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServiceSecuritySettings(t *testing.T) {
	c := newCompany(t)
	ctx := t.Context()
	c.app.AddMember(c.eve, servicetest.Developer)
	settings, _, err := c.asEve.SecuritySettings.Get(ctx, teamApp)
	require.NoError(t, err)
	assert.Nil(t, settings, "before the first change")
	_, _, err = c.asEve.SecuritySettings.Update(ctx, teamApp, serviceapi.UpdateSecuritySettingsOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrUnauthorized, "eve is a developer")
	on := serviceapi.UpdateSecuritySettingsOptions{SecretPushProtectionEnabled: true}
	settings, _, err = c.asBob.SecuritySettings.Update(ctx, teamApp, on)
	require.NoError(t, err)
	assert.Equal(t, []any{c.app.ID(), true, c.svc.Now()},
		[]any{settings.ProjectID, settings.SecretPushProtectionEnabled, settings.CreatedAt})
	project, _, err := c.asBob.Projects.Get(ctx, teamApp, nil)
	require.NoError(t, err)
	assert.Equal(t, new(true), project.SecretPushProtectionEnabled)
	made := c.svc.Now()
	c.svc.Advance(time.Hour)
	_, _, err = c.asBob.SecuritySettings.Update(ctx, teamApp, serviceapi.UpdateSecuritySettingsOptions{})
	require.NoError(t, err)
	settings, _, err = c.asEve.SecuritySettings.Get(ctx, teamApp)
	require.NoError(t, err)
	assert.Equal(t, []any{false, made, c.svc.Now()},
		[]any{settings.SecretPushProtectionEnabled, settings.CreatedAt, settings.UpdatedAt})

	c.app.AddMember(c.eve, servicetest.Reporter)
	_, _, err = c.asEve.SecuritySettings.Get(ctx, teamApp)
	assert.ErrorIs(t, err, serviceapi.ErrUnauthorized)
	premium := newCompany(t, servicetest.WithTier(servicetest.Premium))
	_, _, err = premium.asBob.SecuritySettings.Update(ctx, teamApp, on)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	c.app.Archive()
	_, _, err = c.asBob.SecuritySettings.Update(ctx, teamApp, on)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
}
