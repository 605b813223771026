package servicetests

import (
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestServiceCustomAttributes sets, reads and removes attributes of every owner, which the
// objects then show.
func TestServiceCustomAttributes(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	svc.Project("acme/app", servicetest.Member(ada, servicetest.Owner))
	root, ctx := asRoot(t, svc), t.Context()
	s, team := root.CustomAttributes, serviceapi.SetCustomAttributeOptions{Value: "engines"}
	owners := []serviceapi.CustomAttributeOwner{serviceapi.UserID(ada.ID()), serviceapi.GroupPath("acme"), app}
	for _, owner := range owners {
		for _, value := range []string{"looms", "engines"} {
			set, resp, err := s.Set(ctx, owner, "team", serviceapi.SetCustomAttributeOptions{Value: value})
			require.NoError(t, err)
			assert.Equal(t, 200, resp.StatusCode)
			assert.Equal(t, &serviceapi.CustomAttribute{Key: "team", Value: value}, set)
		}
		got, _, err := s.Get(ctx, owner, "team")
		require.NoError(t, err)
		_, _, err = s.Set(ctx, owner, "a key", team)
		require.NoError(t, err)
		all, err := serviceapi.Collect(s.All(ctx, owner, nil))
		require.NoError(t, err)
		assert.Equal(t, []*serviceapi.CustomAttribute{{Key: "a key", Value: "engines"}, got}, all)
		_, err = s.Delete(ctx, owner, "a key")
		require.NoError(t, err)
		_, _, err = s.Get(ctx, owner, "a key")
		assert.ErrorIs(t, err, serviceapi.ErrNotFound)
		_, _, err = as(t, svc, ada).CustomAttributes.Set(ctx, owner, "team", team)
		assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	}
	user, _, err := root.Users.Get(ctx, serviceapi.UserID(ada.ID()),
		&serviceapi.GetUserOptions{WithCustomAttributes: true})
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"team": "engines"}, user.CustomAttributes.Values)
	for value, want := range map[string]int{"engines": 1, "looms": 0} {
		filter := serviceapi.CustomAttributeFilter{"team": value}
		groups, _, err := root.Groups.List(ctx, serviceapi.Instance, &serviceapi.ListGroupsOptions{
			CustomAttributes: filter, WithCustomAttributes: true,
		})
		require.NoError(t, err)
		assert.Len(t, groups, want)
		projects, _, err := root.Projects.List(ctx, serviceapi.Instance,
			&serviceapi.ListProjectsOptions{CustomAttributes: filter})
		require.NoError(t, err)
		assert.Len(t, projects, want)
	}
}
