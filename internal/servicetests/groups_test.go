package servicetests

import (
	"strings"
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServiceListsGroupsByEveryFilter(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	svc.Group("acme", servicetest.Member(ada, servicetest.Owner), servicetest.CustomAttribute("site", "north"))
	svc.Group("acme/team")
	svc.Group("acme/tools")
	svc.Group("open", servicetest.Public())
	svc.Group("hidden")
	asAda, root := as(t, svc, ada), asRoot(t, svc)
	acme := serviceapi.GroupPath("acme")
	for name, test := range map[string]struct {
		client  *serviceapi.Client
		owner   serviceapi.GroupOwner
		options serviceapi.ListGroupsOptions
		want    string
	}{
		"all that is visible": {asAda, serviceapi.Instance, serviceapi.ListGroupsOptions{},
			"acme open acme/team acme/tools"},
		"members only": {asAda, serviceapi.Instance, serviceapi.ListGroupsOptions{AllAvailable: new(false)},
			"acme acme/team acme/tools"},
		"owned": {asAda, serviceapi.Instance, serviceapi.ListGroupsOptions{Owned: true,
			TopLevelOnly: true}, "acme"},
		"least role": {asAda, serviceapi.Instance,
			serviceapi.ListGroupsOptions{MinAccessLevel: serviceapi.AccessLevelGuest, Search: "TO"}, "acme/tools"},
		"skipped": {root, serviceapi.Instance, serviceapi.ListGroupsOptions{SkipGroups: []int64{1, 2, 3}},
			"hidden open"},
		"top level": {root, serviceapi.Instance, serviceapi.ListGroupsOptions{TopLevelOnly: true,
			OrderBy: serviceapi.GroupOrderByID, Sort: serviceapi.SortDescending}, "hidden open acme"},
		"similar": {root, serviceapi.Instance, serviceapi.ListGroupsOptions{Search: "t",
			OrderBy: serviceapi.GroupOrderBySimilarity}, "acme/team acme/tools"},
		"subgroups": {asAda, acme, serviceapi.ListGroupsOptions{}, "acme/team acme/tools"},
		"subgroups, backward": {asAda, acme, serviceapi.ListGroupsOptions{OrderBy: serviceapi.GroupOrderByPath,
			Sort: serviceapi.SortDescending}, "acme/tools acme/team"},
	} {
		groups, err := serviceapi.Collect(test.client.Groups.All(t.Context(), test.owner, &test.options))
		require.NoError(t, err, name)
		var paths []string
		for _, g := range groups {
			paths = append(paths, g.FullPath)
		}
		assert.Equal(t, test.want, strings.Join(paths, " "), name)
	}
	groups, _, err := root.Groups.List(t.Context(), serviceapi.Instance, &serviceapi.ListGroupsOptions{Search: "acme",
		Statistics: true, WithCustomAttributes: true})
	require.NoError(t, err)
	assert.NotNil(t, groups[0].Statistics)
	assert.Equal(t, map[string]string{"site": "north"}, groups[0].CustomAttributes.Values)
	_, _, err = root.Groups.List(t.Context(), acme,
		&serviceapi.ListGroupsOptions{OrderBy: serviceapi.GroupOrderBySimilarity})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "subgroups have no such order")
}

func TestServiceCreatesAndUpdatesGroups(t *testing.T) {
	svc := servicetest.New(t)
	ada, bob := svc.User("ada"), svc.User("bob")
	asAda, asBob, ctx := as(t, svc, ada), as(t, svc, bob), t.Context()

	acme, resp, err := asAda.Groups.Create(ctx, serviceapi.CreateGroupOptions{
		Name: "Acme", Path: "acme", Description: new("Makes"), Visibility: new(serviceapi.VisibilityPublic),
		LFSEnabled:           new(false),
		TwoFactorGracePeriod: new(8), SubgroupCreationLevel: new(serviceapi.SubgroupCreationLevelOwner),
		SharedRunnersMinutesLimit: serviceapi.Value(int64(100)), MembershipLock: new(true),
	})
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, []any{"acme", "Makes", serviceapi.VisibilityPublic, false, 8, new(true), (*int64)(nil)},
		[]any{acme.FullPath, acme.Description, acme.Visibility, acme.LFSEnabled, acme.TwoFactorGracePeriod,
			acme.MembershipLock, acme.SharedRunnersMinutesLimit})
	assert.NotEmpty(t, acme.RunnersToken.Reveal())
	team, _, err := asAda.Groups.Create(ctx, serviceapi.CreateGroupOptions{Name: "Team", Path: "team",
		ParentID: &acme.ID})
	require.NoError(t, err)
	assert.Equal(t, []any{"acme/team", &acme.ID}, []any{team.FullPath, team.ParentID})
	assert.Nil(t, team.PreventSharingGroupsOutsideHierarchy, "a setting of top-level groups")

	for name, options := range map[string]serviceapi.CreateGroupOptions{
		"taken": {Name: "Acme", Path: "ACME"}, "a user's": {Name: "Ada", Path: "ada"},
		"no path": {Name: "x", Path: "a b"},
	} {
		_, _, err = asAda.Groups.Create(ctx, options)
		assert.ErrorIs(t, err, serviceapi.ErrBadRequest, name)
	}
	_, _, err = asBob.Groups.Create(ctx, serviceapi.CreateGroupOptions{Name: "x", Path: "x", ParentID: &acme.ID})
	assert.ErrorIs(t, err, serviceapi.ErrForbidden)

	changed, _, err := asAda.Groups.Update(ctx, serviceapi.GroupPath("acme/team"), serviceapi.UpdateGroupOptions{
		Name: new("Crew"), Path: new("crew"),
		SharedRunnersSetting:    new(serviceapi.SharedRunnersSettingDisabledAndUnoverridable),
		DefaultBranchProtection: new(serviceapi.BranchProtectionNone),
	})
	require.NoError(t, err)
	assert.Equal(t, []any{"acme/crew", serviceapi.SharedRunnersSettingDisabledAndUnoverridable,
		new(serviceapi.BranchProtectionNone)},
		[]any{changed.FullPath, changed.SharedRunnersSetting, changed.DefaultBranchProtection})
	svc.Project("acme/app", servicetest.Public())
	_, _, err = asAda.Groups.Update(ctx, serviceapi.GroupPath("acme"),
		serviceapi.UpdateGroupOptions{Visibility: new(serviceapi.VisibilityPrivate)})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest, "it holds a public project")
	_, _, err = asAda.Groups.Update(ctx, serviceapi.GroupPath("acme"), serviceapi.UpdateGroupOptions{})
	assert.ErrorIs(t, err, serviceapi.ErrBadRequest)
}

func TestServiceShowsGroups(t *testing.T) {
	svc := servicetest.New(t)
	acme := svc.Group("acme", servicetest.Public())
	svc.Project("acme/app", servicetest.Public())
	svc.Project("acme/secret")
	svc.Project("other/lib", servicetest.Public()).ShareWith(acme, servicetest.Reporter)
	ctx, ref := t.Context(), serviceapi.GroupPath("acme")

	seen, _, err := asAnybody(t, svc).Groups.Get(ctx, ref, nil)
	require.NoError(t, err)
	require.Len(t, seen.Projects, 1, "what anybody can see")
	assert.Equal(t, []any{"acme/app", "other/lib"}, []any{seen.Projects[0].PathWithNamespace,
		seen.SharedProjects[0].PathWithNamespace})
	assert.True(t, seen.RunnersToken.IsEmpty())
	short, _, err := asRoot(t, svc).Groups.Get(ctx, ref, &serviceapi.GetGroupOptions{WithProjects: new(false),
		WithCustomAttributes: true})
	require.NoError(t, err)
	assert.Nil(t, short.Projects)
	assert.Equal(t, acme.RegistrationToken(), short.RunnersToken.Reveal())
	_, _, err = asAnybody(t, svc).Groups.Get(ctx, serviceapi.GroupPath("other"), nil)
	assert.ErrorIs(t, err, serviceapi.ErrNotFound)
}
