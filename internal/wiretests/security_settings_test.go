package wiretests

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wholeSecuritySettings is testdata/security_settings/security_settings.json.
func wholeSecuritySettings(t *testing.T) *serviceapi.SecuritySettings {
	return &serviceapi.SecuritySettings{
		ProjectID: 4, CreatedAt: *at(t, "2026-10-22T14:13:35Z"), UpdatedAt: *at(t, "2026-10-23T14:13:35Z"),
		AutoFixContainerScanning: true, AutoFixDAST: true, AutoFixDependencyScanning: true, AutoFixSAST: true,
		ContinuousVulnerabilityScansEnabled: true, ContainerScanningForRegistryEnabled: true,
		SecretPushProtectionEnabled: true,
	}
}

func TestSecuritySettings(t *testing.T) {
	const path, whole = "/projects/acme%2Fapp/security_settings", "security_settings/security_settings.json"
	client := onWire(t,
		exchange{Method: "GET", Path: path, Fixture: whole},
		exchange{Method: "GET", Path: path, Body: "null"},
		exchange{Method: "PUT", Path: path, JSON: `{"secret_push_protection_enabled":true}`, Fixture: whole},
		exchange{Method: "PUT", Path: path, JSON: `{"secret_push_protection_enabled":false}`, Body: `{"project_id":4}`},
		exchange{Method: "GET", Path: path, Status: 401, Body: `{"message":"401 Unauthorized"}`})
	s, ctx, app := client.SecuritySettings, t.Context(), serviceapi.ProjectPath("acme/app")
	settings, _, err := s.Get(ctx, app)
	require.NoError(t, err)
	assert.Equal(t, wholeSecuritySettings(t), settings)
	assertFilled(t, settings)
	settings, resp, err := s.Get(ctx, app)
	require.NoError(t, err)
	assert.Nil(t, settings, "before the first change")
	assert.Equal(t, 200, resp.StatusCode)
	settings, _, err = s.Update(ctx, app, serviceapi.UpdateSecuritySettingsOptions{SecretPushProtectionEnabled: true})
	require.NoError(t, err)
	assert.Equal(t, wholeSecuritySettings(t), settings)
	settings, _, err = s.Update(ctx, app, serviceapi.UpdateSecuritySettingsOptions{})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.SecuritySettings{ProjectID: 4}, settings)
	_, _, err = s.Get(ctx, app)
	assert.ErrorIs(t, err, serviceapi.ErrUnauthorized, "the role is too low")
	assertRefused(t, "id", errorOf(s.Get(ctx, serviceapi.ProjectRef{})))
	assertRefused(t, "id", errorOf(s.Update(ctx, serviceapi.ProjectID(0), serviceapi.UpdateSecuritySettingsOptions{})))
}
