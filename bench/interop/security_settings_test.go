package interop

import (
	"testing"

	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestSecuritySettings(t *testing.T) {
	e := start(t)
	project, s := e.svc.Project(app), e.admin.ProjectSecuritySettings
	on := clientgo.UpdateProjectSecuritySettingsOptions{SecretPushProtectionEnabled: new(true)}
	changed := got(s.UpdateSecretPushProtectionEnabledSetting(app, on)).ok(e, 200)
	assert.Equal(t, []any{project.ID(), true}, []any{changed.ProjectID, changed.SecretPushProtectionEnabled})
	assert.Equal(t, changed, got(s.ListProjectSecuritySettings(app)).ok(e, 200))
}
