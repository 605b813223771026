package servicetests

import (
	"fmt"
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestServiceFeatureFlags goes through the life of a flag whose strategies have scopes and a
// list of users.
func TestServiceFeatureFlags(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app")
	c, ctx := asRoot(t, svc).FeatureFlags, t.Context()
	users, resp, err := c.CreateUserList(ctx, app, serviceapi.CreateFeatureFlagUserListOptions{
		Name: "testers", UserXIDs: "ada,bob",
	})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	scopes := []serviceapi.NewFeatureFlagScope{{EnvironmentScope: "staging"}, {EnvironmentScope: "review/*"}}
	made, resp, err := c.Create(ctx, app, serviceapi.CreateFeatureFlagOptions{
		Name: "dark", Description: new("The dark theme"), Strategies: []serviceapi.NewFeatureFlagStrategy{
			{Name: serviceapi.FeatureFlagStrategyNameUserList, UserListID: users.ID, Scopes: scopes},
			{Name: serviceapi.FeatureFlagStrategyNameGradualRolloutUserID,
				Parameters: serviceapi.FeatureFlagParameters{GroupID: "default", Percentage: "10"}},
		},
	})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	want := &serviceapi.FeatureFlag{
		Name: "dark", Description: "The dark theme", Active: true, Version: serviceapi.FeatureFlagVersionNew,
		CreatedAt: svc.Now(), UpdatedAt: svc.Now(), Scopes: []*serviceapi.FeatureFlagScope{},
		Strategies: []*serviceapi.FeatureFlagStrategy{
			{
				ID: 1, Name: serviceapi.FeatureFlagStrategyNameUserList,
				Parameters: &serviceapi.FeatureFlagParameters{},
				Scopes: []*serviceapi.FeatureFlagScope{
					{ID: 1, EnvironmentScope: "staging"}, {ID: 2, EnvironmentScope: "review/*"},
				},
				UserList: &users.FeatureFlagUserListSummary,
			},
			{
				ID: 2, Name: serviceapi.FeatureFlagStrategyNameGradualRolloutUserID,
				Parameters: &serviceapi.FeatureFlagParameters{GroupID: "default", Percentage: "10"},
				Scopes:     []*serviceapi.FeatureFlagScope{},
			},
		},
	}
	assert.Equal(t, want, made)
	_, err = c.DeleteUserList(ctx, app, users.IID)
	assert.ErrorIs(t, err, serviceapi.ErrConflict)

	changed, _, err := c.Update(ctx, app, "dark", serviceapi.UpdateFeatureFlagOptions{
		Name: new("night"), Active: new(false), Strategies: []serviceapi.FeatureFlagStrategyChange{
			{ID: 1, Destroy: true},
			{ID: 2, Parameters: &serviceapi.FeatureFlagParameters{GroupID: "default", Percentage: "100"}},
			{Name: serviceapi.FeatureFlagStrategyNameDefault, Parameters: &serviceapi.FeatureFlagParameters{}},
		},
	})
	require.NoError(t, err)
	want.Name, want.Active = "night", false
	want.Strategies = append(want.Strategies[1:], &serviceapi.FeatureFlagStrategy{
		ID: 3, Name: serviceapi.FeatureFlagStrategyNameDefault, Parameters: &serviceapi.FeatureFlagParameters{},
		Scopes: []*serviceapi.FeatureFlagScope{},
	})
	want.Strategies[0].Parameters.Percentage = "100"
	assert.Equal(t, want, changed)
	_, _, err = c.Get(ctx, app, "dark")
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
	off, err := serviceapi.Collect(c.All(ctx, app, &serviceapi.ListFeatureFlagsOptions{
		Scope: serviceapi.FeatureFlagListScopeDisabled,
	}))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.FeatureFlag{want}, off)
	deleted, _, err := c.Delete(ctx, app, "night")
	require.NoError(t, err)
	assert.Equal(t, want, deleted)

	renamed, _, err := c.UpdateUserList(ctx, app, users.IID, serviceapi.UpdateFeatureFlagUserListOptions{
		Name: new("friends"),
	})
	require.NoError(t, err)
	lists, err := serviceapi.Collect(c.AllUserLists(ctx, app, &serviceapi.ListFeatureFlagUserListsOptions{
		Search: "FRIEND",
	}))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.FeatureFlagUserList{renamed}, lists)
	_, err = c.DeleteUserList(ctx, app, users.IID)
	require.NoError(t, err)
	_, _, err = c.GetUserList(ctx, app, users.IID)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}

// TestServiceFeatureFlagsRefuse: what is wrong is in the message, and a project has 200 flags at
// most.
func TestServiceFeatureFlagsRefuse(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app")
	c, ctx := asRoot(t, svc).FeatureFlags, t.Context()
	_, _, err := c.Create(ctx, app, serviceapi.CreateFeatureFlagOptions{
		Name: "dark", Strategies: []serviceapi.NewFeatureFlagStrategy{{
			Name:       serviceapi.FeatureFlagStrategyNameGradualRolloutUserID,
			Parameters: serviceapi.FeatureFlagParameters{GroupID: "default", Percentage: "110"},
		}},
	})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
	assert.ErrorContains(t, err, "Strategies parameters percentage must be a string between 0 and 100 inclusive")
	for i := range 200 {
		_, _, err := c.Create(ctx, app, serviceapi.CreateFeatureFlagOptions{Name: fmt.Sprintf("flag_%d", i)})
		require.NoError(t, err)
	}
	_, _, err = c.Create(ctx, app, serviceapi.CreateFeatureFlagOptions{Name: "more"})
	assert.ErrorContains(t, err, "Maximum number of project feature flags (200) exceeded")
	_, _, err = c.Update(ctx, app, "flag_0", serviceapi.UpdateFeatureFlagOptions{Active: new(false)})
	assert.NoError(t, err, "those that there are can be changed")
}

// TestServiceFeatureFlagStrategies: each strategy has its parameters, as they were sent.
func TestServiceFeatureFlagStrategies(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app")
	c, ctx := asRoot(t, svc).FeatureFlags, t.Context()
	sent := []serviceapi.NewFeatureFlagStrategy{
		{Name: serviceapi.FeatureFlagStrategyNameDefault},
		{Name: serviceapi.FeatureFlagStrategyNameFlexibleRollout, Parameters: serviceapi.FeatureFlagParameters{
			GroupID: "default", Rollout: "100", Stickiness: serviceapi.FeatureFlagStickinessSessionID,
		}},
		{Name: serviceapi.FeatureFlagStrategyNameGradualRolloutUserID, Parameters: serviceapi.FeatureFlagParameters{
			GroupID: "default", Percentage: "0",
		}},
		{Name: serviceapi.FeatureFlagStrategyNameUserWithID, Parameters: serviceapi.FeatureFlagParameters{
			UserIDs: "ada,bob",
		}},
	}
	made, _, err := c.Create(ctx, app, serviceapi.CreateFeatureFlagOptions{Name: "dark", Strategies: sent})
	require.NoError(t, err)
	got, _, err := c.Get(ctx, app, "dark")
	require.NoError(t, err)
	assert.Equal(t, made, got)
	require.Len(t, got.Strategies, len(sent))
	for i, strategy := range got.Strategies {
		assert.Equal(t, sent[i].Name, strategy.Name)
		assert.Equal(t, &sent[i].Parameters, strategy.Parameters)
	}
}
