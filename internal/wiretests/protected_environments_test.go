package wiretests

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func wantProtectedEnvironment() *serviceapi.ProtectedEnvironment {
	direct, inherited := new(serviceapi.GroupInheritanceTypeDirect), new(serviceapi.GroupInheritanceTypeInherited)
	return &serviceapi.ProtectedEnvironment{
		Name: "production", RequiredApprovalCount: 2,
		DeployAccessLevels: []*serviceapi.EnvironmentAccessLevel{
			{
				ID: new(
					int64(12),
				), AccessLevel: new(serviceapi.AccessLevelMaintainer), AccessLevelDescription: "Maintainers",
				GroupInheritanceType: direct,
			},
			{ID: new(int64(13)), AccessLevelDescription: "QA", GroupID: new(int64(9)), GroupInheritanceType: inherited},
		},
		ApprovalRules: []*serviceapi.EnvironmentApprovalRule{
			{
				ID: 38, AccessLevelDescription: "Ada Lovelace", UserID: new(int64(8)), RequiredApprovals: 1,
				GroupInheritanceType: direct,
			},
			{
				ID: 39, AccessLevelDescription: "QA", GroupID: new(int64(9)), RequiredApprovals: 3,
				GroupInheritanceType: inherited,
			},
		},
	}
}

func TestListProtectedEnvironments(t *testing.T) {
	want := []*serviceapi.ProtectedEnvironment{wantProtectedEnvironment()}
	options := &serviceapi.ListOptions{PerPage: 50}
	for owner, path := range map[serviceapi.ProtectedEnvironmentOwner]string{
		serviceapi.ProjectID(3): "/projects/3/protected_environments",
		serviceapi.GroupID(7):   "/groups/7/protected_environments",
	} {
		exchanges := ownedExchanges(path, "per_page=50", "protected_environments/protected_environments.json")
		s := onWire(t, exchanges...).ProtectedEnvironments
		lists := ownedList[serviceapi.ProtectedEnvironmentOwner, *serviceapi.ListOptions,
			*serviceapi.ProtectedEnvironment]{
			s.List,
			s.All,
		}
		lists.wants(t, owner, options, want)
		lists.refuses(t, "owner", options, nil, &somewhere)
	}
}

func TestChangeProtectedEnvironments(t *testing.T) {
	const whole = "protected_environments/protected_environment.json"
	client := onWire(t,
		exchange{Method: "GET", Path: "/projects/3/protected_environments/review%2Fapp", Fixture: whole},
		exchange{
			Method: "POST", Path: "/projects/3/protected_environments", Status: 201, Fixture: whole,
			JSON: `{"name":"production","deploy_access_levels":[{"access_level":40},{"group_id":9,
				"group_inheritance_type":1}],
				"required_approval_count":2,"approval_rules":[{"user_id":8},{"group_id":9,"required_approvals":3,
				"group_inheritance_type":1},{"access_level":30}]}`,
		},
		exchange{
			Method: "PUT", Path: "/groups/7/protected_environments/production", Fixture: whole,
			JSON: `{"deploy_access_levels":[{"id":12,"_destroy":true},{"id":13,"access_level":30,
				"group_inheritance_type":0},
				{"user_id":8},{"group_id":9}],"required_approval_count":0,"approval_rules":[{"id":38,
				"required_approvals":2},
				{"id":39,"_destroy":true},{"user_id":8},{"group_id":9,"group_inheritance_type":1},
				{"access_level":60}]}`,
		},
		exchange{Method: "DELETE", Path: "/groups/7/protected_environments/production", Status: 204})
	s, ctx := client.ProtectedEnvironments, t.Context()
	inherited := new(serviceapi.GroupInheritanceTypeInherited)
	got, _, err := s.Get(ctx, serviceapi.ProjectID(3), "review/app")
	require.NoError(t, err)
	assert.Equal(t, wantProtectedEnvironment(), got)
	got, _, err = s.Create(ctx, serviceapi.ProjectID(3), serviceapi.CreateProtectedEnvironmentOptions{
		Name: "production", DeployAccessLevels: []serviceapi.NewEnvironmentAccessLevel{
			{AccessLevel: new(serviceapi.AccessLevelMaintainer)}, {GroupID: 9, GroupInheritanceType: inherited},
		},
		RequiredApprovalCount: new(2), ApprovalRules: []serviceapi.NewEnvironmentApprovalRule{
			{UserID: 8}, {GroupID: 9, RequiredApprovals: new(3), GroupInheritanceType: inherited},
			{AccessLevel: new(serviceapi.AccessLevelDeveloper)},
		},
	})
	require.NoError(t, err)
	assert.Equal(t, wantProtectedEnvironment(), got)
	require.NoError(
		t,
		errorOf(s.Update(ctx, serviceapi.GroupID(7), "production", serviceapi.UpdateProtectedEnvironmentOptions{
			DeployAccessLevels: []serviceapi.EnvironmentAccessLevelChange{
				{ID: 12, Destroy: true},
				{
					ID:                   13,
					AccessLevel:          new(serviceapi.AccessLevelDeveloper),
					GroupInheritanceType: new(serviceapi.GroupInheritanceTypeDirect),
				},
				{UserID: 8}, {GroupID: 9},
			},
			RequiredApprovalCount: new(0), ApprovalRules: []serviceapi.EnvironmentApprovalRuleChange{
				{ID: 38, RequiredApprovals: new(2)}, {ID: 39, Destroy: true}, {UserID: 8},
				{GroupID: 9, GroupInheritanceType: inherited}, {AccessLevel: new(serviceapi.AccessLevelAdmin)},
			},
		})),
	)
	_, err = s.Delete(ctx, serviceapi.GroupID(7), "production")
	require.NoError(t, err)
}

func TestProtectedEnvironmentsForNobody(t *testing.T) {
	s, ctx := onWire(t).ProtectedEnvironments, t.Context()
	someone := []serviceapi.NewEnvironmentAccessLevel{{UserID: 8}}
	for _, wrong := range []struct {
		argument string
		options  serviceapi.CreateProtectedEnvironmentOptions
	}{
		{"Name", serviceapi.CreateProtectedEnvironmentOptions{DeployAccessLevels: someone}},
		{"DeployAccessLevels", serviceapi.CreateProtectedEnvironmentOptions{Name: "a"}},
		{"DeployAccessLevels", serviceapi.CreateProtectedEnvironmentOptions{
			Name: "a", DeployAccessLevels: []serviceapi.NewEnvironmentAccessLevel{{}},
		}},
		{"ApprovalRules", serviceapi.CreateProtectedEnvironmentOptions{
			Name: "a", DeployAccessLevels: someone,
			ApprovalRules: []serviceapi.NewEnvironmentApprovalRule{{RequiredApprovals: new(1)}},
		}},
	} {
		assertRefused(t, wrong.argument, errorOf(s.Create(ctx, serviceapi.ProjectID(3), wrong.options)))
	}
	for argument, options := range map[string]serviceapi.UpdateProtectedEnvironmentOptions{
		"DeployAccessLevels": {DeployAccessLevels: []serviceapi.EnvironmentAccessLevelChange{{Destroy: true}}},
		"ApprovalRules":      {ApprovalRules: []serviceapi.EnvironmentApprovalRuleChange{{}}},
	} {
		assertRefused(t, argument, errorOf(s.Update(ctx, serviceapi.ProjectID(3), "a", options)))
	}
}
