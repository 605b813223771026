package servicetests

import (
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// deployTokenIDs returns the IDs of all deploy tokens of an owner.
func deployTokenIDs(
	t *testing.T, c *serviceapi.Client, owner serviceapi.DeployTokenOwner, options *serviceapi.ListDeployTokensOptions,
) []int64 {
	t.Helper()
	ids := []int64{}
	for token, err := range c.DeployTokens.All(t.Context(), owner, options) {
		require.NoError(t, err)
		assert.True(t, token.Token.IsEmpty(), "only Create returns the token itself")
		ids = append(ids, token.ID)
	}
	return ids
}

// TestServiceDeployTokens goes through the life of deploy tokens of a project and a group.
func TestServiceDeployTokens(t *testing.T) {
	svc := servicetest.New(t)
	ada, bob := svc.User("ada"), svc.User("bob")
	group := svc.Group("acme", servicetest.Member(ada, servicetest.Owner),
		servicetest.Member(bob, servicetest.Maintainer))
	project := svc.Project("acme/app")
	client, ctx, acme := as(t, svc, ada), t.Context(), serviceapi.GroupPath("acme")
	for _, owner := range []serviceapi.NewDeployTokenOwner{app, acme} {
		made, resp, err := client.DeployTokens.Create(ctx, owner, serviceapi.CreateDeployTokenOptions{
			Name: "cluster", Scopes: []serviceapi.DeployTokenScope{serviceapi.DeployTokenScopeReadRegistry},
			ExpiresAt: new(serviceapi.DateOf(svc.Now().AddDate(0, 0, 2))), Username: new("cluster_1.a+b-c"),
		})
		require.NoError(t, err)
		assert.Equal(t, 201, resp.StatusCode)
		midnight := svc.Now().AddDate(0, 0, 2).Truncate(24 * time.Hour)
		assert.Equal(t, &serviceapi.DeployToken{
			ID: made.ID, Name: "cluster", Username: "cluster_1.a+b-c", Token: made.Token,
			Scopes: []serviceapi.DeployTokenScope{serviceapi.DeployTokenScopeReadRegistry}, ExpiresAt: &midnight,
		}, made)
		assert.True(t, svc.TokenWorks(made.Token.Reveal()))
		assert.NotContains(t, made.Token.String(), made.Token.Reveal())
		got, _, err := client.DeployTokens.Get(ctx, owner, made.ID)
		require.NoError(t, err)
		assert.True(t, got.Token.IsEmpty())
		made.Token = serviceapi.Secret{}
		assert.Equal(t, made, got)
	}
	lost, kept := project.DeployToken("cluster"), group.DeployToken("Git")
	assert.Equal(t, "service+deploy-token-3", lost.Username())
	svc.Revoke(lost.Token())
	assert.Equal(t, []int64{1, 3}, deployTokenIDs(t, client, app, nil), "those of the group are not the project's")
	assert.Equal(t, []int64{2, 4}, deployTokenIDs(t, client, acme, nil))
	admin, active := asRoot(t, svc), &serviceapi.ListDeployTokensOptions{Active: true}
	assert.Equal(t, []int64{1, 2, 4}, deployTokenIDs(t, admin, serviceapi.Instance, active))
	svc.Advance(48 * time.Hour)
	assert.Equal(t, []int64{4}, deployTokenIDs(t, admin, serviceapi.Instance, active))
	assert.Equal(t, []int64{1, 2, 3, 4}, deployTokenIDs(t, admin, serviceapi.Instance, nil))
	got, _, err := client.DeployTokens.Get(ctx, app, 1)
	require.NoError(t, err)
	assert.Equal(t, []bool{true, false}, []bool{got.Expired, got.Revoked})

	reader := as(t, svc, bob).DeployTokens
	_, _, err = reader.Get(ctx, acme, kept.ID())
	require.NoError(t, err, "a maintainer of a group only reads")
	_, _, err = reader.Create(ctx, acme, serviceapi.CreateDeployTokenOptions{Name: "mine",
		Scopes: []serviceapi.DeployTokenScope{serviceapi.DeployTokenScopeReadRepository}})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, err = reader.Delete(ctx, acme, kept.ID())
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)
	_, _, err = reader.List(ctx, serviceapi.Instance, nil)
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)

	_, err = client.DeployTokens.Delete(ctx, acme, kept.ID())
	require.NoError(t, err)
	assert.False(t, svc.TokenWorks(kept.Token()))
	_, _, err = client.DeployTokens.Get(ctx, acme, kept.ID())
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

// TestServiceDeletesDeployTokensOfProjects checks that nothing is left of the tokens of a
// project that is gone.
func TestServiceDeletesDeployTokensOfProjects(t *testing.T) {
	svc := servicetest.New(t)
	token := svc.Project("acme/old").DeployToken("Git")
	other := svc.Project("acme/app").DeployToken("Git", servicetest.ExpiresAt(svc.Now().Add(time.Hour)))
	admin := asRoot(t, svc)
	assert.Equal(t, []int64{token.ID(), other.ID()}, deployTokenIDs(t, admin, serviceapi.Instance, nil))
	_, err := admin.Projects.Delete(t.Context(), serviceapi.ProjectPath("acme/old"), nil)
	require.NoError(t, err)
	assert.Equal(t, []int64{other.ID()}, deployTokenIDs(t, admin, serviceapi.Instance, nil))
	assert.False(t, svc.TokenWorks(token.Token()))
}
