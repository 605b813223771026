package wiretests

import (
	"encoding/json"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	flagsOfApp     = "/projects/acme%2Fapp/feature_flags"
	userListsOfApp = "/projects/acme%2Fapp/feature_flags_user_lists"
)

// wholeFlag is testdata/feature_flags/flag.json.
func wholeFlag(t *testing.T) *serviceapi.FeatureFlag {
	return &serviceapi.FeatureFlag{
		Name: "dark", Description: "The dark theme", Active: true, Version: serviceapi.FeatureFlagVersionNew,
		CreatedAt: *at(t, "2026-01-05T08:19:14Z"), UpdatedAt: *at(t, "2026-01-06T08:19:14Z"),
		Scopes: []*serviceapi.FeatureFlagScope{{ID: 2, EnvironmentScope: "*"}},
		Strategies: []*serviceapi.FeatureFlagStrategy{
			{
				ID: 36, Name: serviceapi.FeatureFlagStrategyNameFlexibleRollout,
				Parameters: &serviceapi.FeatureFlagParameters{
					GroupID: "default", Rollout: "10", Stickiness: serviceapi.FeatureFlagStickinessUserID,
					Extra: map[string]json.RawMessage{"seed": json.RawMessage(`"7"`)},
				},
				Scopes: []*serviceapi.FeatureFlagScope{{ID: 37, EnvironmentScope: "production"}},
			},
			{
				ID: 38, Name: serviceapi.FeatureFlagStrategyNameGradualRolloutUserID,
				Parameters: &serviceapi.FeatureFlagParameters{GroupID: "default", Percentage: "15"},
				Scopes:     []*serviceapi.FeatureFlagScope{},
			},
			{
				ID: 39, Name: serviceapi.FeatureFlagStrategyNameUserWithID,
				Parameters: &serviceapi.FeatureFlagParameters{UserIDs: "ada,bob"},
				Scopes:     []*serviceapi.FeatureFlagScope{},
			},
			{
				ID: 40, Name: serviceapi.FeatureFlagStrategyNameUserList,
				Parameters: &serviceapi.FeatureFlagParameters{}, Scopes: []*serviceapi.FeatureFlagScope{},
				UserList: &serviceapi.FeatureFlagUserListSummary{
					ID: 9, IID: 3, Name: "testers", UserXIDs: "ada,bob",
				},
			},
		},
	}
}

// wholeUserList is testdata/feature_flags/user_list.json.
func wholeUserList(t *testing.T) *serviceapi.FeatureFlagUserList {
	return &serviceapi.FeatureFlagUserList{
		FeatureFlagUserListSummary: serviceapi.FeatureFlagUserListSummary{
			ID: 9, IID: 3, Name: "testers", UserXIDs: "ada,bob",
		},
		ProjectID: 4, CreatedAt: *at(t, "2026-01-05T08:19:14Z"), UpdatedAt: *at(t, "2026-01-06T08:19:14Z"),
		Path:     "/acme/app/-/feature_flags_user_lists/3",
		EditPath: "/acme/app/-/feature_flags_user_lists/3/edit",
	}
}

func TestFeatureFlagsLists(t *testing.T) {
	flags, users := "["+fixture(t, "feature_flags/flag.json")+"]", "["+fixture(t, "feature_flags/user_list.json")+"]"
	client := onWire(t,
		exchange{Method: "GET", Path: flagsOfApp, Query: "page=2&per_page=5&scope=disabled", Body: flags},
		exchange{Method: "GET", Path: flagsOfApp, Query: "per_page=100", Body: flags},
		exchange{Method: "GET", Path: userListsOfApp, Query: "page=2&per_page=5&search=test", Body: users},
		exchange{Method: "GET", Path: userListsOfApp, Query: "per_page=100", Body: users})
	s, ctx, app := client.FeatureFlags, t.Context(), serviceapi.ProjectPath("acme/app")
	page := serviceapi.ListOptions{Page: 2, PerPage: 5}
	got, _, err := s.List(ctx, app, &serviceapi.ListFeatureFlagsOptions{
		ListOptions: page, Scope: serviceapi.FeatureFlagListScopeDisabled,
	})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.FeatureFlag{wholeFlag(t)}, got)
	assertFilled(t, got[0])
	got, err = serviceapi.Collect(s.All(ctx, app, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.FeatureFlag{wholeFlag(t)}, got)
	lists, _, err := s.ListUserLists(ctx, app, &serviceapi.ListFeatureFlagUserListsOptions{
		ListOptions: page, Search: "test",
	})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.FeatureFlagUserList{wholeUserList(t)}, lists)
	assertFilled(t, lists[0])
	lists, err = serviceapi.Collect(s.AllUserLists(ctx, app, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.FeatureFlagUserList{wholeUserList(t)}, lists)
}

func TestFeatureFlagsLifeCycle(t *testing.T) {
	const whole = "feature_flags/flag.json"
	client := onWire(t,
		exchange{Method: "GET", Path: flagsOfApp + "/dark%2Fmode", Fixture: whole},
		exchange{Method: "POST", Path: flagsOfApp, Status: 201, Fixture: whole, JSON: `{"name":"dark"}`},
		exchange{Method: "POST", Path: flagsOfApp, Status: 201, Fixture: whole, JSON: `{"name":"dark",
			"description":"d","active":false,"version":"new_version_flag","strategies":[
			{"name":"default","parameters":{},"scopes":[{"environment_scope":"staging"}]},
			{"name":"serviceUserList","parameters":{},"user_list_id":9},
			{"name":"x","parameters":{"groupId":"g","percentage":"1","rollout":"2","stickiness":"random",
			"userIds":"u","seed":7}}]}`},
		exchange{Method: "PUT", Path: flagsOfApp + "/dark", Fixture: whole, JSON: `{}`},
		exchange{Method: "PUT", Path: flagsOfApp + "/dark", Fixture: whole, JSON: `{"name":"night",
			"description":"","active":true,"strategies":[{"id":36,"_destroy":true},
			{"id":38,"name":"userWithId","parameters":{"userIds":"ada"},"user_list_id":9,
			"scopes":[{"id":37,"_destroy":true},{"environment_scope":"*"}]}]}`},
		exchange{Method: "DELETE", Path: flagsOfApp + "/dark", Fixture: whole})
	s, ctx, app, want := client.FeatureFlags, t.Context(), serviceapi.ProjectPath("acme/app"), wholeFlag(t)
	got, _, err := s.Get(ctx, app, "dark/mode")
	require.NoError(t, err)
	assert.Equal(t, want, got)
	for _, options := range []serviceapi.CreateFeatureFlagOptions{
		{Name: "dark"},
		{
			Name: "dark", Description: new("d"), Active: new(false), Version: new(serviceapi.FeatureFlagVersionNew),
			Strategies: []serviceapi.NewFeatureFlagStrategy{
				{
					Name:   serviceapi.FeatureFlagStrategyNameDefault,
					Scopes: []serviceapi.NewFeatureFlagScope{{EnvironmentScope: "staging"}},
				},
				{Name: serviceapi.FeatureFlagStrategyNameUserList, UserListID: 9},
				{Name: "x", Parameters: serviceapi.FeatureFlagParameters{
					GroupID: "g", Percentage: "1", Rollout: "2", Stickiness: serviceapi.FeatureFlagStickinessRandom,
					UserIDs: "u", Extra: map[string]json.RawMessage{"seed": json.RawMessage("7")},
				}},
			},
		},
	} {
		got, _, err = s.Create(ctx, app, options)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	for _, options := range []serviceapi.UpdateFeatureFlagOptions{
		{},
		{
			Name: new("night"), Description: new(""), Active: new(true),
			Strategies: []serviceapi.FeatureFlagStrategyChange{
				{ID: 36, Destroy: true},
				{
					ID: 38, Name: serviceapi.FeatureFlagStrategyNameUserWithID, UserListID: 9,
					Parameters: &serviceapi.FeatureFlagParameters{UserIDs: "ada"},
					Scopes:     []serviceapi.FeatureFlagScopeChange{{ID: 37, Destroy: true}, {EnvironmentScope: "*"}},
				},
			},
		},
	} {
		got, _, err = s.Update(ctx, app, "dark", options)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	got, _, err = s.Delete(ctx, app, "dark")
	require.NoError(t, err)
	assert.Equal(t, want, got)
}

func TestFeatureFlagsUserLists(t *testing.T) {
	const whole = "feature_flags/user_list.json"
	client := onWire(t,
		exchange{Method: "GET", Path: userListsOfApp + "/3", Fixture: whole},
		exchange{Method: "POST", Path: userListsOfApp, Status: 201, Fixture: whole,
			JSON: `{"name":"testers","user_xids":"ada,bob"}`},
		exchange{Method: "PUT", Path: userListsOfApp + "/3", Fixture: whole, JSON: `{"name":"n","user_xids":"u"}`},
		exchange{Method: "PUT", Path: userListsOfApp + "/3", Fixture: whole, JSON: `{}`},
		exchange{Method: "DELETE", Path: userListsOfApp + "/3", Status: 204})
	s, ctx, app, want := client.FeatureFlags, t.Context(), serviceapi.ProjectPath("acme/app"), wholeUserList(t)
	got, _, err := s.GetUserList(ctx, app, 3)
	require.NoError(t, err)
	assert.Equal(t, want, got)
	got, _, err = s.CreateUserList(ctx, app, serviceapi.CreateFeatureFlagUserListOptions{
		Name: "testers", UserXIDs: "ada,bob",
	})
	require.NoError(t, err)
	assert.Equal(t, want, got)
	for _, options := range []serviceapi.UpdateFeatureFlagUserListOptions{
		{Name: new("n"), UserXIDs: new("u")}, {},
	} {
		got, _, err = s.UpdateUserList(ctx, app, 3, options)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	resp, err := s.DeleteUserList(ctx, app, 3)
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
}

// TestFeatureFlagParametersRoundTrip: what was read is written as it was, with the members that
// have no field.
func TestFeatureFlagParametersRoundTrip(t *testing.T) {
	const text = `{"groupId":"g","rollout":"10","seed":7,"nested":{"a":[1]}}`
	parameters := decoded[serviceapi.FeatureFlagParameters](t, text)
	assert.Equal(t, []string{"g", "10"}, []string{parameters.GroupID, parameters.Rollout})
	data, err := json.Marshal(parameters)
	require.NoError(t, err)
	assert.JSONEq(t, text, string(data))
	assert.Nil(t, decoded[serviceapi.FeatureFlagParameters](t, `{}`).Extra)
}

func TestFeatureFlagsArguments(t *testing.T) {
	s, ctx, app := onWire(t).FeatureFlags, t.Context(), serviceapi.ProjectID(4)
	assertRefused(t, "feature_flag_name", errorOf(s.Get(ctx, app, "")))
	assertRefused(t, "feature_flag_name", errorOf(s.Delete(ctx, app, "")))
	assertRefused(t, "feature_flag_name", errorOf(s.Update(ctx, app, "", serviceapi.UpdateFeatureFlagOptions{})))
	assertRefused(t, "Name", errorOf(s.Create(ctx, app, serviceapi.CreateFeatureFlagOptions{})))
	assertRefused(t, "Strategies[0].Name", errorOf(s.Create(ctx, app, serviceapi.CreateFeatureFlagOptions{
		Name: "n", Strategies: []serviceapi.NewFeatureFlagStrategy{{}},
	})))
	assertRefused(t, "iid", errorOf(s.GetUserList(ctx, app, 0)))
	assertRefused(t, "iid", second(s.DeleteUserList(ctx, app, -1)))
	assertRefused(t, "iid", errorOf(s.UpdateUserList(ctx, app, 0, serviceapi.UpdateFeatureFlagUserListOptions{})))
	assertRefused(t, "UserXIDs", errorOf(s.CreateUserList(ctx, app,
		serviceapi.CreateFeatureFlagUserListOptions{Name: "n"})))
}
