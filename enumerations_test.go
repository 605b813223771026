package serviceapi

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseAccessLevel(t *testing.T) {
	for s, want := range map[string]AccessLevel{
		"none": AccessLevelNone, "No access": AccessLevelNone, "0": AccessLevelNone,
		"minimal": AccessLevelMinimal, "5": AccessLevelMinimal, "guest": AccessLevelGuest, "15": AccessLevelPlanner,
		"reporter": AccessLevelReporter, "DEVELOPER": AccessLevelDeveloper, "30": AccessLevelDeveloper,
		"Maintainer": AccessLevelMaintainer, "owner": AccessLevelOwner, "50": AccessLevelOwner,
		"admin": AccessLevelAdmin, "administrator": AccessLevelAdmin, "60": AccessLevelAdmin,
	} {
		level, err := ParseAccessLevel(s)
		require.NoError(t, err, s)
		assert.Equal(t, want, level, s)
	}
	for _, s := range []string{"", "no", "access", "dev", "31", "-5", "030", "30 "} {
		_, err := ParseAccessLevel(s)
		assertRefused(t, "access level", err)
		assert.ErrorContains(t, err, "is unknown", s)
	}
}

// Every level can be parsed in both forms.
func TestAccessLevels(t *testing.T) {
	levels := accessLevels()
	assert.Len(t, levels, 9)
	assert.True(t, slices.IsSorted(levels))
	for _, level := range levels {
		assert.NotContains(t, level.String(), "AccessLevel(")
		parsed, err := ParseAccessLevel(level.String())
		require.NoError(t, err)
		assert.Equal(t, level, parsed)
	}
}
