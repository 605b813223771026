package servicetests

import (
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServiceNamespaces(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	group := svc.Group("acme", servicetest.Member(ada, servicetest.Owner))
	svc.Group("acme/team")
	s, ctx := as(t, svc, ada).Namespaces, t.Context()
	team, _, err := s.Get(ctx, serviceapi.NamespacePath("acme/team"))
	require.NoError(t, err)
	assert.Equal(t, []any{serviceapi.NamespaceKindGroup, group.ID()}, []any{team.Kind, *team.ParentID})
	own, _, err := s.Get(ctx, serviceapi.NamespacePath("ada"))
	require.NoError(t, err)
	same, _, err := s.Get(ctx, own.Ref())
	require.NoError(t, err)
	assert.Equal(t, own, same)
	_, _, err = s.Get(ctx, serviceapi.NamespacePath("root"))
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)

	taken, _, err := s.Exists(ctx, "Team", &serviceapi.NamespaceExistsOptions{ParentID: group.ID()})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.NamespaceExistence{Exists: true, Suggests: []string{"Team1"}}, taken)
	for path, exists := range map[string]bool{"team": false, "acme": true, "ada": true} {
		existence, _, err := s.Exists(ctx, path, nil)
		require.NoError(t, err)
		assert.Equal(t, exists, existence.Exists, path)
	}
	found, err := serviceapi.Collect(s.All(ctx, &serviceapi.ListNamespacesOptions{Search: "acme",
		FullPathSearch: true}))
	require.NoError(t, err)
	assert.Len(t, found, 2)
}
