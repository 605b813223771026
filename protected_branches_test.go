package serviceapi

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func wantProtectedBranch() *ProtectedBranch {
	return &ProtectedBranch{
		ID: 5, Name: "release/*",
		PushAccessLevels: []*ProtectionLevel{
			{ID: new(int64(11)), AccessLevel: new(AccessLevelMaintainer), AccessLevelDescription: "Maintainers"},
			{ID: new(int64(12)), AccessLevelDescription: "Ada Lovelace", UserID: new(int64(8))},
			{ID: new(int64(13)), AccessLevelDescription: "Deploy key", DeployKeyID: new(int64(3))},
		},
		MergeAccessLevels: []*ProtectionLevel{
			{
				ID: new(int64(21)), AccessLevel: new(AccessLevelDeveloper),
				AccessLevelDescription: "Developers + Maintainers",
			},
			{ID: new(int64(22)), AccessLevelDescription: "Release team", GroupID: new(int64(9))},
		},
		UnprotectAccessLevels: []*ProtectionLevel{
			{ID: new(int64(31)), AccessLevel: new(AccessLevelNone), AccessLevelDescription: "No one"},
		},
		AllowForcePush: true, CodeOwnerApprovalRequired: new(true), Inherited: new(false),
	}
}

func TestListProtectedBranches(t *testing.T) {
	const fixture = "protected_branches/protected_branches.json"
	want := []*ProtectedBranch{wantProtectedBranch()}
	options := &ListProtectedBranchesOptions{ListOptions: ListOptions{PerPage: 50}, Search: "release"}
	for owner, path := range map[ProtectedBranchOwner]string{
		ProjectPath("acme/app"): "/projects/acme%2Fapp/protected_branches", GroupID(7): "/groups/7/protected_branches",
	} {
		s := onWire(t, ownedExchanges(path, "per_page=50&search=release", fixture)...).ProtectedBranches
		lists := ownedList[ProtectedBranchOwner, *ListProtectedBranchesOptions, *ProtectedBranch]{s.List, s.All}
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
	got, _, err := s.Get(ctx, ProjectID(3), "release/*")
	require.NoError(t, err)
	assert.Equal(t, wantProtectedBranch(), got)
	older, _, err := s.Get(ctx, GroupID(7), "main")
	require.NoError(t, err)
	assert.Equal(t, &ProtectedBranch{ID: 1, Name: "main"}, older)
	_, _, err = s.Get(ctx, ProjectID(3), "")
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
	got, _, err := s.Create(ctx, ProjectID(3), CreateProtectedBranchOptions{
		Name: "release/*", PushAccessLevel: new(AccessLevelNone), MergeAccessLevel: new(AccessLevelDeveloper),
		UnprotectAccessLevel: new(AccessLevelAdmin), AllowForcePush: new(true), CodeOwnerApprovalRequired: new(true),
		AllowedToPush:      []NewProtectionLevel{{UserID: 8}, {DeployKeyID: 3}},
		AllowedToMerge:     []NewProtectionLevel{{GroupID: 9}},
		AllowedToUnprotect: []NewProtectionLevel{{AccessLevel: new(AccessLevelNone)}},
	})
	require.NoError(t, err)
	assert.Equal(t, wantProtectedBranch(), got)
	require.NoError(t, errorOf(s.Create(ctx, GroupID(7), CreateProtectedBranchOptions{Name: "main"})))

	for argument, options := range map[string]CreateProtectedBranchOptions{
		"Name":               {},
		"AllowedToPush":      {Name: "main", AllowedToPush: []NewProtectionLevel{{UserID: 8}, {}}},
		"AllowedToMerge":     {Name: "main", AllowedToMerge: []NewProtectionLevel{{}}},
		"AllowedToUnprotect": {Name: "main", AllowedToUnprotect: []NewProtectionLevel{{}}},
	} {
		_, _, err := s.Create(ctx, ProjectID(3), options)
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
	got, _, err := s.Update(ctx, ProjectID(3), "release/*", UpdateProtectedBranchOptions{
		AllowForcePush: new(false), CodeOwnerApprovalRequired: new(false),
		AllowedToPush: []ProtectionLevelChange{
			{ID: 11, AccessLevel: new(AccessLevelDeveloper)}, {ID: 12, Destroy: true}, {DeployKeyID: 3},
		},
		AllowedToMerge:     []ProtectionLevelChange{{GroupID: 9}},
		AllowedToUnprotect: []ProtectionLevelChange{{UserID: 8}},
	})
	require.NoError(t, err)
	assert.Equal(t, wantProtectedBranch(), got)
	force := UpdateProtectedBranchOptions{AllowForcePush: new(true)}
	require.NoError(t, errorOf(s.Update(ctx, GroupID(7), "main", force)))
	_, err = s.Delete(ctx, ProjectID(3), "release/*")
	require.NoError(t, err)
	_, err = s.Delete(ctx, GroupID(7), "main")
	require.NoError(t, err)

	for argument, options := range map[string]UpdateProtectedBranchOptions{
		"AllowedToPush":      {AllowedToPush: []ProtectionLevelChange{{Destroy: true}}},
		"AllowedToMerge":     {AllowedToMerge: []ProtectionLevelChange{{}}},
		"AllowedToUnprotect": {AllowedToUnprotect: []ProtectionLevelChange{{}}},
	} {
		_, _, err := s.Update(ctx, ProjectID(3), "main", options)
		assertRefused(t, argument, err)
	}
}
