package wiretests

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func wantProtectedBranch() *serviceapi.ProtectedBranch {
	return &serviceapi.ProtectedBranch{
		ID: 5, Name: "release/*",
		PushAccessLevels: []*serviceapi.ProtectionLevel{
			{
				ID:                     new(int64(11)),
				AccessLevel:            new(serviceapi.AccessLevelMaintainer),
				AccessLevelDescription: "Maintainers",
			},
			{ID: new(int64(12)), AccessLevelDescription: "Ada Lovelace", UserID: new(int64(8))},
			{ID: new(int64(13)), AccessLevelDescription: "Deploy key", DeployKeyID: new(int64(3))},
		},
		MergeAccessLevels: []*serviceapi.ProtectionLevel{
			{
				ID: new(int64(21)), AccessLevel: new(serviceapi.AccessLevelDeveloper),
				AccessLevelDescription: "Developers + Maintainers",
			},
			{ID: new(int64(22)), AccessLevelDescription: "Release team", GroupID: new(int64(9))},
		},
		UnprotectAccessLevels: []*serviceapi.ProtectionLevel{
			{ID: new(int64(31)), AccessLevel: new(serviceapi.AccessLevelNone), AccessLevelDescription: "No one"},
		},
		AllowForcePush: true, CodeOwnerApprovalRequired: new(true), Inherited: new(false),
	}
}

func TestListProtectedBranches(t *testing.T) {
	const fixture = "protected_branches/protected_branches.json"
	want := []*serviceapi.ProtectedBranch{wantProtectedBranch()}
	options := &serviceapi.ListProtectedBranchesOptions{
		ListOptions: serviceapi.ListOptions{PerPage: 50},
		Search:      "release",
	}
	for owner, path := range map[serviceapi.ProtectedBranchOwner]string{
		serviceapi.ProjectPath("acme/app"): "/projects/acme%2Fapp/protected_branches",
		serviceapi.GroupID(7):              "/groups/7/protected_branches",
	} {
		s := onWire(t, ownedExchanges(path, "per_page=50&search=release", fixture)...).ProtectedBranches
		lists := ownedList[serviceapi.ProtectedBranchOwner, *serviceapi.ListProtectedBranchesOptions,
			*serviceapi.ProtectedBranch]{
			s.List,
			s.All,
		}
		lists.wants(t, owner, options, want)
		lists.refuses(t, "owner", options, nil, &somewhere)
	}
}

func TestGetProtectedBranch(t *testing.T) {
	const whole = "protected_branches/protected_branch.json"
	client := onWire(t,
		exchange{Method: "GET", Path: "/projects/3/protected_branches/release%2F%2A", Fixture: whole},
		exchange{Method: "GET", Path: "/groups/7/protected_branches/main", Body: `{"id":1,"name":"main"}`})
	s, ctx := client.ProtectedBranches, t.Context()
	got, _, err := s.Get(ctx, serviceapi.ProjectID(3), "release/*")
	require.NoError(t, err)
	assert.Equal(t, wantProtectedBranch(), got)
	older, _, err := s.Get(ctx, serviceapi.GroupID(7), "main")
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.ProtectedBranch{ID: 1, Name: "main"}, older)
	_, _, err = s.Get(ctx, serviceapi.ProjectID(3), "")
	assertRefused(t, "name", err)
}

func TestCreateProtectedBranch(t *testing.T) {
	const whole = "protected_branches/protected_branch.json"
	client := onWire(t,
		exchange{
			Method: "POST", Path: "/projects/3/protected_branches", Status: 201, Fixture: whole,
			JSON: `{"name":"release/*","push_access_level":0,"merge_access_level":30,"unprotect_access_level":60,
				"allow_force_push":true,"code_owner_approval_required":true,
				"allowed_to_push":[{"user_id":8},{"deploy_key_id":3}],"allowed_to_merge":[{"group_id":9}],
				"allowed_to_unprotect":[{"access_level":0}]}`,
		},
		exchange{
			Method: "POST", Path: "/groups/7/protected_branches", Status: 201, Fixture: whole,
			JSON: `{"name":"main"}`,
		})
	s, ctx := client.ProtectedBranches, t.Context()
	got, _, err := s.Create(ctx, serviceapi.ProjectID(3), serviceapi.CreateProtectedBranchOptions{
		Name: "release/*", PushAccessLevel: new(serviceapi.AccessLevelNone),
		MergeAccessLevel: new(serviceapi.AccessLevelDeveloper),
		UnprotectAccessLevel: new(
			serviceapi.AccessLevelAdmin,
		), AllowForcePush: new(true), CodeOwnerApprovalRequired: new(true),
		AllowedToPush:      []serviceapi.NewProtectionLevel{{UserID: 8}, {DeployKeyID: 3}},
		AllowedToMerge:     []serviceapi.NewProtectionLevel{{GroupID: 9}},
		AllowedToUnprotect: []serviceapi.NewProtectionLevel{{AccessLevel: new(serviceapi.AccessLevelNone)}},
	})
	require.NoError(t, err)
	assert.Equal(t, wantProtectedBranch(), got)
	require.NoError(
		t,
		errorOf(s.Create(ctx, serviceapi.GroupID(7), serviceapi.CreateProtectedBranchOptions{Name: "main"})),
	)

	for argument, options := range map[string]serviceapi.CreateProtectedBranchOptions{
		"Name":               {},
		"AllowedToPush":      {Name: "main", AllowedToPush: []serviceapi.NewProtectionLevel{{UserID: 8}, {}}},
		"AllowedToMerge":     {Name: "main", AllowedToMerge: []serviceapi.NewProtectionLevel{{}}},
		"AllowedToUnprotect": {Name: "main", AllowedToUnprotect: []serviceapi.NewProtectionLevel{{}}},
	} {
		_, _, err := s.Create(ctx, serviceapi.ProjectID(3), options)
		assertRefused(t, argument, err)
	}
}

func TestUpdateProtectedBranch(t *testing.T) {
	const whole = "protected_branches/protected_branch.json"
	client := onWire(t,
		exchange{
			Method: "PATCH", Path: "/projects/3/protected_branches/release%2F%2A", Fixture: whole,
			JSON: `{"allow_force_push":false,"code_owner_approval_required":false,
				"allowed_to_push":[{"id":11,"access_level":30},{"id":12,"_destroy":true},{"deploy_key_id":3}],
				"allowed_to_merge":[{"group_id":9}],"allowed_to_unprotect":[{"user_id":8}]}`,
		},
		exchange{
			Method: "PATCH", Path: "/groups/7/protected_branches/main", Fixture: whole,
			JSON: `{"allow_force_push":true}`,
		},
		exchange{Method: "DELETE", Path: "/projects/3/protected_branches/release%2F%2A", Status: 204},
		exchange{Method: "DELETE", Path: "/groups/7/protected_branches/main", Status: 204})
	s, ctx := client.ProtectedBranches, t.Context()
	got, _, err := s.Update(ctx, serviceapi.ProjectID(3), "release/*", serviceapi.UpdateProtectedBranchOptions{
		AllowForcePush: new(false), CodeOwnerApprovalRequired: new(false),
		AllowedToPush: []serviceapi.ProtectionLevelChange{
			{ID: 11, AccessLevel: new(serviceapi.AccessLevelDeveloper)}, {ID: 12, Destroy: true}, {DeployKeyID: 3},
		},
		AllowedToMerge:     []serviceapi.ProtectionLevelChange{{GroupID: 9}},
		AllowedToUnprotect: []serviceapi.ProtectionLevelChange{{UserID: 8}},
	})
	require.NoError(t, err)
	assert.Equal(t, wantProtectedBranch(), got)
	force := serviceapi.UpdateProtectedBranchOptions{AllowForcePush: new(true)}
	require.NoError(t, errorOf(s.Update(ctx, serviceapi.GroupID(7), "main", force)))
	_, err = s.Delete(ctx, serviceapi.ProjectID(3), "release/*")
	require.NoError(t, err)
	_, err = s.Delete(ctx, serviceapi.GroupID(7), "main")
	require.NoError(t, err)

	for argument, options := range map[string]serviceapi.UpdateProtectedBranchOptions{
		"AllowedToPush":      {AllowedToPush: []serviceapi.ProtectionLevelChange{{Destroy: true}}},
		"AllowedToMerge":     {AllowedToMerge: []serviceapi.ProtectionLevelChange{{}}},
		"AllowedToUnprotect": {AllowedToUnprotect: []serviceapi.ProtectionLevelChange{{}}},
	} {
		_, _, err := s.Update(ctx, serviceapi.ProjectID(3), "main", options)
		assertRefused(t, argument, err)
	}
}
