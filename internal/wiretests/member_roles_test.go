package wiretests

import (
	"encoding/json"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wholeMemberRole is testdata/member_roles/member_role.json.
func wholeMemberRole(t *testing.T) *serviceapi.MemberRole {
	t.Helper()
	role := &serviceapi.MemberRole{
		ID: 2, GroupID: new(int64(84)), Name: "Security", Description: "Reads what is found",
		BaseAccessLevel: serviceapi.AccessLevelReporter, Permissions: map[serviceapi.MemberPermission]bool{},
	}
	var members map[string]any
	require.NoError(t, json.Unmarshal([]byte(fixture(t, "member_roles/member_role.json")), &members))
	for name, value := range members {
		if granted, isBool := value.(bool); isBool {
			role.Permissions[serviceapi.MemberPermission(name)] = granted
		}
	}
	require.Len(t, role.Permissions, 32)
	return role
}

func TestMemberRoles(t *testing.T) {
	const whole = "member_roles/member_role.json"
	list := "[" + fixture(t, whole) + "]"
	var exchanges []exchange
	for _, path := range []string{"/member_roles", "/groups/acme%2Fteam/member_roles", "/admin_member_roles"} {
		paged := exchange{Method: "GET", Path: path, Query: "page=1&per_page=5", Body: list}
		exchanges = append(exchanges, paged, exchange{Method: "GET", Path: path, Body: "[]"}, paged)
	}
	exchanges = append(exchanges,
		exchange{Method: "POST", Path: "/member_roles", Status: 201, Fixture: whole,
			JSON: `{"base_access_level":20,"name":"Security","description":"d","read_code":true,"later":false}`},
		exchange{Method: "POST", Path: "/groups/acme%2Fteam/member_roles", Status: 201, Fixture: whole,
			JSON: `{"base_access_level":10}`},
		exchange{Method: "POST", Path: "/admin_member_roles", Status: 201,
			JSON: `{"name":"Watch","description":"d","read_admin_users":true}`,
			Body: `{"id":3,"group_id":null,"name":"Watch","description":null,"base_access_level":null,` +
				`"read_admin_users":true,"read_admin_cicd":false}`},
		exchange{Method: "POST", Path: "/admin_member_roles", Status: 201, JSON: `{}`, Body: `{"id":4}`},
		exchange{Method: "DELETE", Path: "/member_roles/2", Status: 204},
		exchange{Method: "DELETE", Path: "/groups/acme%2Fteam/member_roles/2", Status: 204},
		exchange{Method: "DELETE", Path: "/admin_member_roles/3", Status: 204})
	s, ctx := onWire(t, exchanges...).MemberRoles, t.Context()
	want, team := []*serviceapi.MemberRole{wholeMemberRole(t)}, serviceapi.GroupPath("acme/team")
	type lists = ownedList[serviceapi.MemberRoleOwner, *serviceapi.ListOptions, *serviceapi.MemberRole]
	options := &serviceapi.ListOptions{Page: 1, PerPage: 5}
	lists{s.List, s.All}.wants(t, serviceapi.Instance, options, want)
	lists{s.List, s.All}.wants(t, team, options, want)
	withoutOwner[*serviceapi.ListOptions, *serviceapi.MemberRole](s.ListAdmin, s.AllAdmin).wants(t, nil, options, want)

	role, _, err := s.Create(ctx, serviceapi.Instance, serviceapi.CreateMemberRoleOptions{
		BaseAccessLevel: serviceapi.AccessLevelReporter, Name: new("Security"), Description: new("d"),
		Permissions: map[serviceapi.MemberPermission]bool{serviceapi.MemberPermissionReadCode: true, "later": false},
	})
	require.NoError(t, err)
	assert.Equal(t, want[0], role)
	role, _, err = s.Create(ctx, team,
		serviceapi.CreateMemberRoleOptions{BaseAccessLevel: serviceapi.AccessLevelGuest})
	require.NoError(t, err)
	assert.Equal(t, want[0], role)
	role, _, err = s.CreateAdmin(ctx, serviceapi.CreateAdminMemberRoleOptions{
		Name: new("Watch"), Description: new("d"),
		Permissions: map[serviceapi.MemberPermission]bool{serviceapi.MemberPermissionReadAdminUsers: true},
	})
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.MemberRole{
		ID: 3, Name: "Watch", Permissions: map[serviceapi.MemberPermission]bool{
			serviceapi.MemberPermissionReadAdminUsers: true, serviceapi.MemberPermissionReadAdminCICD: false,
		},
	}, role)
	_, _, err = s.CreateAdmin(ctx, serviceapi.CreateAdminMemberRoleOptions{})
	require.NoError(t, err)
	for _, owner := range []serviceapi.MemberRoleOwner{serviceapi.Instance, team} {
		_, err = s.Delete(ctx, owner, 2)
		require.NoError(t, err)
	}
	_, err = s.DeleteAdmin(ctx, 3)
	require.NoError(t, err)
}

func TestMemberRolesRefuse(t *testing.T) {
	s, ctx := onWire(t).MemberRoles, t.Context()
	guest := serviceapi.CreateMemberRoleOptions{BaseAccessLevel: serviceapi.AccessLevelGuest}
	lists := ownedList[serviceapi.MemberRoleOwner, *serviceapi.ListOptions, *serviceapi.MemberRole]{s.List, s.All}
	lists.refuses(t, "owner", nil, nil, new(serviceapi.GroupID(4)))
	lists.refuses(t, "id", nil, serviceapi.GroupID(0))
	assertRefused(t, "owner", errorOf(s.Create(ctx, nil, guest)))
	assertRefused(t, "owner", second(s.Delete(ctx, nil, 2)))
	assertRefused(t, "member_role_id", second(s.Delete(ctx, serviceapi.Instance, 0)))
	assertRefused(t, "member_role_id", second(s.DeleteAdmin(ctx, 0)))
	assertRefused(t, "BaseAccessLevel",
		errorOf(s.Create(ctx, serviceapi.Instance, serviceapi.CreateMemberRoleOptions{Name: new("x")})))
	guest.Permissions = map[serviceapi.MemberPermission]bool{"name": true}
	guest.Name = new("x")
	require.Error(t, errorOf(s.Create(ctx, serviceapi.Instance, guest)), "a name that is no permission")
}
