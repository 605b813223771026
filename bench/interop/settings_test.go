package interop

import (
	"testing"

	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestSettings(t *testing.T) {
	e := start(t)
	before := got(e.admin.Settings.GetSettings()).ok(e, 200)
	assert.True(t, before.SignupEnabled)
	changed := got(e.admin.Settings.UpdateSettings(&clientgo.UpdateSettingsOptions{
		SignupEnabled: new(false), HomePageURL: new("https://home.example"), PollingIntervalMultiplier: new(1.5),
		RestrictedVisibilityLevels: &[]clientgo.VisibilityValue{clientgo.PublicVisibility},
		RepositoryStoragesWeighted: &map[string]int64{"default": 60},
		SentryEnabled:              new(true),
	})).ok(e, 200)
	assert.Equal(t, []any{false, "https://home.example", 1.5, true}, []any{
		changed.SignupEnabled, changed.HomePageURL, changed.PollingIntervalMultiplier, changed.SentryEnabled,
	})
	assert.Equal(t, changed, got(e.admin.Settings.GetSettings()).ok(e, 200))
}
