package main

import (
	"os"
	"path/filepath"
	"testing"

	"example.com/serviceapi/internal/inventory"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCommentsOfSettings checks what is said about a setting, with its default, releases and
// tier, and what a change of it has to observe.
func TestCommentsOfSettings(t *testing.T) {
	for _, test := range []struct {
		setting          inventory.Setting
		result, inOption string
	}{
		{
			inventory.Setting{Name: "max_size", Kind: "int", Values: "MB", Default: "5", Null: "no", Request: "yes",
				Response: "yes", Tier: "premium", Since: "16.3", Meaning: "limits a thing, in megabytes"},
			"MaxSize limits a thing, in megabytes. The default is 5. Since 16.3. Premium.", "",
		},
		{
			inventory.Setting{Name: "limit", Kind: "int", Default: "null", Null: "yes", Request: "licensed",
				Response: "licensed", Tier: "paid (?)", Since: "18.2 (?)", Meaning: "is a limit"},
			"Limit is a limit. Since about 18.2. Paid tiers: Free does not have it. It is nil if the instance does " +
				"not have it.", "",
		},
		{
			inventory.Setting{Name: "thing_enabled", Kind: "bool", Default: "true", Null: "no", Request: "yes",
				Response: "yes", Requires: "thing_id; thing_url", Meaning: "turns it on"},
			"ThingEnabled turns it on. True by default.",
			"ThingEnabled requires thing_id and thing_url in the same call if it is turned on.",
		},
		{
			inventory.Setting{Name: "rules_enabled", Kind: "bool", Null: "no", Request: "yes", Response: "yes",
				Requires: "(by value) rules", Meaning: "applies them"},
			"RulesEnabled applies them.",
			"RulesEnabled needs a value of rules if it is turned on, set before or in the same call.",
		},
		{
			inventory.Setting{Name: "old", Kind: "bool", Request: "older", Response: "older",
				Since: "removed by 16.0 (?)", Meaning: "was there"},
			"Old was there. Removed by 16.0 or before. It is nil if the instance does not have it.", "",
		},
		{
			inventory.Setting{Name: "api_key", Kind: "string", Null: "yes", Request: "yes", Response: "no",
				Secret: true, Meaning: "is a key"},
			"APIKey is a key.", "APIKey is a key.",
		},
		{
			inventory.Setting{Name: "mode", Kind: "enum", Default: "off", Null: "no", Request: "no", Response: "yes",
				Meaning: "says how"},
			"Mode says how. It cannot be changed.", "",
		},
	} {
		assert.Equal(t, test.result, commentOfSetting(test.setting))
		assert.Equal(t, test.inOption, commentOfOption(test.setting))
	}
}

// TestSettingsWithoutASection checks that a row that cannot be read is refused.
func TestSettingsWithoutASection(t *testing.T) {
	root := t.TempDir()
	_, err := typesOfSettings(root)
	assert.ErrorIs(t, err, os.ErrNotExist)
	require.NoError(t, os.Mkdir(filepath.Join(root, "testdata"), 0o755))
	table := filepath.Join(root, "testdata", "application-settings.tsv")
	for _, text := range []string{"a\tbool\t\t\tno\tyes\tyes\t\t\t\t\tis on\n", "## A\nname\n"} {
		require.NoError(t, os.WriteFile(table, []byte(text), 0o644))
		_, err = typesOfSettings(root)
		assert.ErrorContains(t, err, "not a row of a section: ")
	}
}
