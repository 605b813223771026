package serviceapi

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func wantProtectedEnvironment() *ProtectedEnvironment {
	direct, inherited := new(GroupInheritanceTypeDirect), new(GroupInheritanceTypeInherited)
	return &ProtectedEnvironment{
		Name: "production", RequiredApprovalCount: 2,
		DeployAccessLevels: []*EnvironmentAccessLevel{
			{
				ID: new(int64(12)), AccessLevel: new(AccessLevelMaintainer), AccessLevelDescription: "Maintainers",
				GroupInheritanceType: direct,
			},
			{ID: new(int64(13)), AccessLevelDescription: "QA", GroupID: new(int64(9)), GroupInheritanceType: inherited},
		},
		ApprovalRules: []*EnvironmentApprovalRule{
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

// TestEnvironmentLevelsForNobody checks that a level needs any one of what identifies who has
// it, and that nothing is sent for one that has none.
func TestEnvironmentLevelsForNobody(t *testing.T) {
	role := AccessLevelMaintainer
	for name, l := range map[string]interface{ forNobody() bool }{
		"role": NewEnvironmentAccessLevel{AccessLevel: &role}, "user": NewEnvironmentAccessLevel{UserID: 8},
		"group":                  NewEnvironmentAccessLevel{GroupID: 9},
		"new role":               EnvironmentAccessLevelChange{AccessLevel: &role},
		"known":                  EnvironmentAccessLevelChange{ID: 12},
		"new user":               EnvironmentAccessLevelChange{UserID: 8},
		"new group":              EnvironmentAccessLevelChange{GroupID: 9},
		"rule for a role":        NewEnvironmentApprovalRule{AccessLevel: &role},
		"rule for a user":        NewEnvironmentApprovalRule{UserID: 8},
		"rule for a group":       NewEnvironmentApprovalRule{GroupID: 9},
		"changed rule":           EnvironmentApprovalRuleChange{ID: 38},
		"changed rule for role":  EnvironmentApprovalRuleChange{AccessLevel: &role},
		"changed rule for user":  EnvironmentApprovalRuleChange{UserID: 8},
		"changed rule for group": EnvironmentApprovalRuleChange{GroupID: 9},
	} {
		assert.False(t, l.forNobody(), name)
	}
	update := UpdateProtectedEnvironmentOptions{ApprovalRules: []EnvironmentApprovalRuleChange{{}}}
	assertRefused(t, "ApprovalRules", update.check())
	update = UpdateProtectedEnvironmentOptions{DeployAccessLevels: []EnvironmentAccessLevelChange{{}}}
	assertRefused(t, "DeployAccessLevels", update.check())
}

func TestListProtectedEnvironments(t *testing.T) {
	want := []*ProtectedEnvironment{wantProtectedEnvironment()}
	options := &ListOptions{PerPage: 50}
	for owner, path := range map[ProtectedEnvironmentOwner]string{
		ProjectID(3): "/projects/3/protected_environments", GroupID(7): "/groups/7/protected_environments",
	} {
		exchanges := ownedExchanges(path, "per_page=50", "protected_environments/protected_environments.json")
		s := onWire(t, exchanges...).ProtectedEnvironments
		lists := ownedList[ProtectedEnvironmentOwner, *ListOptions, *ProtectedEnvironment]{s.List, s.All}
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
	inherited := new(GroupInheritanceTypeInherited)
	got, _, err := s.Get(ctx, ProjectID(3), "review/app")
	require.NoError(t, err)
	assert.Equal(t, wantProtectedEnvironment(), got)
	got, _, err = s.Create(ctx, ProjectID(3), CreateProtectedEnvironmentOptions{
		Name: "production", DeployAccessLevels: []NewEnvironmentAccessLevel{
			{AccessLevel: new(AccessLevelMaintainer)}, {GroupID: 9, GroupInheritanceType: inherited},
		},
		RequiredApprovalCount: new(2), ApprovalRules: []NewEnvironmentApprovalRule{
			{UserID: 8}, {GroupID: 9, RequiredApprovals: new(3), GroupInheritanceType: inherited},
			{AccessLevel: new(AccessLevelDeveloper)},
		},
	})
	require.NoError(t, err)
	assert.Equal(t, wantProtectedEnvironment(), got)
	require.NoError(t, errorOf(s.Update(ctx, GroupID(7), "production", UpdateProtectedEnvironmentOptions{
		DeployAccessLevels: []EnvironmentAccessLevelChange{
			{ID: 12, Destroy: true},
			{ID: 13, AccessLevel: new(AccessLevelDeveloper), GroupInheritanceType: new(GroupInheritanceTypeDirect)},
			{UserID: 8}, {GroupID: 9},
		},
		RequiredApprovalCount: new(0), ApprovalRules: []EnvironmentApprovalRuleChange{
			{ID: 38, RequiredApprovals: new(2)}, {ID: 39, Destroy: true}, {UserID: 8},
			{GroupID: 9, GroupInheritanceType: inherited}, {AccessLevel: new(AccessLevelAdmin)},
		},
	})))
	_, err = s.Delete(ctx, GroupID(7), "production")
	require.NoError(t, err)
}

func TestProtectedEnvironmentsForNobody(t *testing.T) {
	s, ctx := onWire(t).ProtectedEnvironments, t.Context()
	someone := []NewEnvironmentAccessLevel{{UserID: 8}}
	for _, wrong := range []struct {
		argument string
		options  CreateProtectedEnvironmentOptions
	}{
		{"Name", CreateProtectedEnvironmentOptions{DeployAccessLevels: someone}},
		{"DeployAccessLevels", CreateProtectedEnvironmentOptions{Name: "a"}},
		{"DeployAccessLevels", CreateProtectedEnvironmentOptions{
			Name: "a", DeployAccessLevels: []NewEnvironmentAccessLevel{{}},
		}},
		{"ApprovalRules", CreateProtectedEnvironmentOptions{
			Name: "a", DeployAccessLevels: someone,
			ApprovalRules: []NewEnvironmentApprovalRule{{RequiredApprovals: new(1)}},
		}},
	} {
		assertRefused(t, wrong.argument, errorOf(s.Create(ctx, ProjectID(3), wrong.options)))
	}
	for argument, options := range map[string]UpdateProtectedEnvironmentOptions{
		"DeployAccessLevels": {DeployAccessLevels: []EnvironmentAccessLevelChange{{Destroy: true}}},
		"ApprovalRules":      {ApprovalRules: []EnvironmentApprovalRuleChange{{}}},
	} {
		assertRefused(t, argument, errorOf(s.Update(ctx, ProjectID(3), "a", options)))
	}
}
