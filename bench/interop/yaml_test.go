package interop

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// TestYAMLSettings decodes what a person writes, and encodes it again.
func TestYAMLSettings(t *testing.T) {
	type settings struct {
		Project serviceapi.ProjectRef
		Group   serviceapi.GroupRef
		User    serviceapi.UserRef
		Levels  []serviceapi.AccessLevel
		Until   serviceapi.Date
		Since   *serviceapi.Date
		Token   serviceapi.Secret
	}
	text := "project: acme/shop\ngroup: 7\nuser: '@3'\nlevels: [maintainer, 30]\nuntil: 2027-01-31\ntoken: hush-hush\n"
	var s settings
	require.NoError(t, yaml.Unmarshal([]byte(text), &s))
	assert.Equal(t, settings{
		Project: serviceapi.ProjectPath("acme/shop"), Group: serviceapi.GroupID(7), User: serviceapi.Username("3"),
		Levels: []serviceapi.AccessLevel{serviceapi.AccessLevelMaintainer, serviceapi.AccessLevelDeveloper},
		Until:  serviceapi.NewDate(2027, 1, 31), Token: serviceapi.NewSecret("hush-hush"),
	}, s)
	encoded, err := yaml.Marshal(s)
	require.NoError(t, err)
	assert.NotContains(t, string(encoded), "hush")
	var again settings
	require.NoError(t, yaml.Unmarshal(encoded, &again))
	again.Token = s.Token // is not encoded
	assert.Equal(t, s, again)

	for text, problem := range map[string]string{
		"project: shop":   "project has no slash",
		"levels: [boss]":  `"boss"`,
		"until: tomorrow": `"tomorrow"`,
		"user: a/b":       `a/b`,
	} {
		assert.ErrorContains(t, yaml.Unmarshal([]byte(text), &settings{}), problem, text)
	}
	err = yaml.Unmarshal([]byte("token: [hush-hush]"), &settings{})
	require.Error(t, err)
	assert.NotContains(t, err.Error(), "hush")
}
