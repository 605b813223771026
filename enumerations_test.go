package serviceapi

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseAccessLevel(t *testing.T) {
	for s, want := range map[string]AccessLevel{
		"none": AccessNone, "No access": AccessNone, "0": AccessNone,
		"minimal": AccessMinimal, "5": AccessMinimal, "guest": AccessGuest, "15": AccessPlanner,
		"reporter": AccessReporter, "DEVELOPER": AccessDeveloper, "30": AccessDeveloper,
		"Maintainer": AccessMaintainer, "owner": AccessOwner, "50": AccessOwner,
		"admin": AccessAdmin, "administrator": AccessAdmin, "60": AccessAdmin,
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
	levels := AccessLevels()
	assert.Len(t, levels, 9)
	assert.True(t, slices.IsSorted(levels))
	for _, level := range levels {
		assert.NotContains(t, level.String(), "AccessLevel(")
		parsed, err := ParseAccessLevel(level.String())
		require.NoError(t, err)
		assert.Equal(t, level, parsed)
	}
	assert.Equal(t, []Visibility{"private", "internal", "public"}, Visibilities())
}
