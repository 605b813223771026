package interop

import (
	"testing"

	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestFeatureFlags(t *testing.T) {
	e := start(t)
	e.svc.Project(app)
	u, s := e.admin.FeatureFlagUserLists, e.admin.ProjectFeatureFlags
	users := got(u.CreateFeatureFlagUserList(app, &clientgo.CreateFeatureFlagUserListOptions{
		Name: "testers", UserXIDs: "ada,bob",
	})).ok(e, 201)
	assert.Equal(t, []any{"testers", "ada,bob", int64(1)}, []any{users.Name, users.UserXIDs, users.IID})
	assert.Equal(t, users, got(u.GetFeatureFlagUserList(app, users.IID)).ok(e, 200))
	assert.Equal(t, []*clientgo.FeatureFlagUserList{users},
		got(u.ListFeatureFlagUserLists(app, &clientgo.ListFeatureFlagUserListsOptions{Search: "test"})).ok(e, 200))
	users = got(u.UpdateFeatureFlagUserList(app, users.IID, &clientgo.UpdateFeatureFlagUserListOptions{
		Name: "friends",
	})).ok(e, 200)
	assert.Equal(t, []string{"friends", "ada,bob"}, []string{users.Name, users.UserXIDs})

	flag := got(s.CreateProjectFeatureFlag(app, &clientgo.CreateProjectFeatureFlagOptions{
		Name: new("dark"), Version: new("new_version_flag"), Description: new("The dark theme"), Active: new(false),
		Strategies: &[]*clientgo.FeatureFlagStrategyOptions{
			{Name: new("serviceUserList"), UserListID: &users.ID,
				Parameters: &clientgo.ProjectFeatureFlagStrategyParameter{},
				Scopes:     &[]*clientgo.ProjectFeatureFlagScope{{EnvironmentScope: "staging"}}},
			{Name: new("flexibleRollout"), Parameters: &clientgo.ProjectFeatureFlagStrategyParameter{
				GroupID: "default", Rollout: "10", Stickiness: "userId",
			}},
		},
	})).ok(e, 201)
	assert.Equal(t, []any{"dark", "The dark theme", false, "staging", "friends", "10", "userId"}, []any{
		flag.Name, flag.Description, flag.Active, flag.Strategies[0].Scopes[0].EnvironmentScope,
		flag.Strategies[0].UserList.Name, flag.Strategies[1].Parameters.Rollout,
		flag.Strategies[1].Parameters.Stickiness,
	})
	assert.Equal(t, flag, got(s.GetProjectFeatureFlag(app, "dark")).ok(e, 200))
	assert.Equal(t, []*clientgo.ProjectFeatureFlag{flag},
		got(s.ListProjectFeatureFlags(app, &clientgo.ListProjectFeatureFlagOptions{Scope: new("disabled")})).ok(e, 200))
	changed := got(s.UpdateProjectFeatureFlag(app, "dark", &clientgo.UpdateProjectFeatureFlagOptions{
		Active: new(true), Strategies: &[]*clientgo.FeatureFlagStrategyOptions{
			{ID: &flag.Strategies[0].ID, Destroy: new(true)},
		},
	})).ok(e, 200)
	assert.True(t, changed.Active)
	assert.Equal(t, flag.Strategies[1:], changed.Strategies)
	for _, name := range []string{"more", "night"} {
		got(s.CreateProjectFeatureFlag(app, &clientgo.CreateProjectFeatureFlagOptions{Name: &name})).ok(e, 201)
		got(u.CreateFeatureFlagUserList(app, &clientgo.CreateFeatureFlagUserListOptions{
			Name: name, UserXIDs: "ada",
		})).ok(e, 201)
	}
	assert.Equal(t, []string{"dark", "more", "night"}, each(walk1(e, s.ListProjectFeatureFlags, app, nil),
		func(f *clientgo.ProjectFeatureFlag) string { return f.Name }))
	assert.Equal(t, []string{"friends", "more", "night"}, each(walk1(e, u.ListFeatureFlagUserLists, app, nil),
		func(l *clientgo.FeatureFlagUserList) string { return l.Name }))
	done(s.DeleteProjectFeatureFlag(app, "dark")).ok(e, 200)
	done(u.DeleteFeatureFlagUserList(app, users.IID)).ok(e, 204)
	got(s.GetProjectFeatureFlag(app, "dark")).refused(e, 404)
	got(u.GetFeatureFlagUserList(app, users.IID)).refused(e, 404)
}
