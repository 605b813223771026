package servicetests

import (
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestServiceMemberRoles gives a member a role that the group has made.
func TestServiceMemberRoles(t *testing.T) {
	svc := servicetest.New(t)
	ada, bob := svc.User("ada"), svc.User("bob")
	acme := svc.Group("acme", servicetest.Member(ada, servicetest.Owner))
	owner, root, ctx, team := as(t, svc, ada), asRoot(t, svc), t.Context(), serviceapi.GroupPath("acme")
	role, _, err := owner.MemberRoles.Create(ctx, team, serviceapi.CreateMemberRoleOptions{
		BaseAccessLevel: serviceapi.AccessLevelGuest, Name: new("Reader"), Description: new("Reads code"),
		Permissions: map[serviceapi.MemberPermission]bool{
			serviceapi.MemberPermissionReadCode: true, serviceapi.MemberPermissionAdminRunners: false,
		},
	})
	require.NoError(t, err)
	assert.Equal(t, []any{acme.ID(), "Reader", "Reads code", serviceapi.AccessLevelGuest, 32},
		[]any{*role.GroupID, role.Name, role.Description, role.BaseAccessLevel, len(role.Permissions)})
	for permission, granted := range role.Permissions {
		assert.Equal(t, permission == serviceapi.MemberPermissionReadCode, granted, permission)
	}
	roles, err := serviceapi.Collect(owner.MemberRoles.All(ctx, team, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.MemberRole{role}, roles)
	member, _, err := owner.Members.Add(ctx, team, serviceapi.UserID(bob.ID()), serviceapi.AccessLevelGuest,
		serviceapi.AddMemberOptions{MemberRoleID: &role.ID})
	require.NoError(t, err)
	assert.Equal(t, role, member.MemberRole)
	_, err = owner.MemberRoles.Delete(ctx, team, role.ID)
	require.ErrorIs(t, err, serviceapi.ErrBadRequest, "bob has it")
	_, err = owner.Members.Remove(ctx, team, serviceapi.UserID(bob.ID()), nil)
	require.NoError(t, err)
	_, err = owner.MemberRoles.Delete(ctx, team, role.ID)
	require.NoError(t, err)
	_, err = owner.MemberRoles.Delete(ctx, team, role.ID)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)

	_, _, err = owner.MemberRoles.List(ctx, serviceapi.Instance, nil)
	require.ErrorIs(t, err, serviceapi.ErrForbidden, "administrators only")
	_, _, err = root.MemberRoles.Create(ctx, serviceapi.Instance, serviceapi.CreateMemberRoleOptions{
		BaseAccessLevel: serviceapi.AccessLevelGuest,
		Permissions:     map[serviceapi.MemberPermission]bool{serviceapi.MemberPermissionAdminVulnerability: true},
	})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	assert.ErrorContains(t, err, "Read vulnerability has to be enabled in order to enable Admin vulnerability")

	watch, _, err := root.MemberRoles.CreateAdmin(ctx, serviceapi.CreateAdminMemberRoleOptions{
		Permissions: map[serviceapi.MemberPermission]bool{serviceapi.MemberPermissionReadAdminUsers: true},
	})
	require.NoError(t, err)
	assert.Equal(t, []any{"Admin role - custom", serviceapi.AccessLevelNone, true, 6}, []any{watch.Name,
		watch.BaseAccessLevel, watch.Permissions[serviceapi.MemberPermissionReadAdminUsers], len(watch.Permissions)})
	roles, _, err = root.MemberRoles.ListAdmin(ctx, nil)
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.MemberRole{watch}, roles)
	_, err = root.MemberRoles.DeleteAdmin(ctx, watch.ID)
	require.NoError(t, err)
	roles, err = serviceapi.Collect(root.MemberRoles.AllAdmin(ctx, nil))
	require.NoError(t, err)
	assert.Empty(t, roles)
	free := servicetest.New(t, servicetest.WithTier(servicetest.Premium))
	_, _, err = asRoot(t, free).MemberRoles.ListAdmin(ctx, nil)
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
}

func TestServiceNotificationSettings(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	svc.Project("shop/web", servicetest.Member(ada, servicetest.Reporter))
	s, ctx := as(t, svc, ada).NotificationSettings, t.Context()
	web, shop := serviceapi.ProjectPath("shop/web"), serviceapi.GroupPath("shop")
	got, _, err := s.Get(ctx, serviceapi.Own)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.NotificationSettings{
		Level: serviceapi.NotificationLevelParticipating, NotificationEmail: "ada@example.com",
	}, got)
	custom := serviceapi.NotificationLevelCustom
	got, _, err = s.Update(ctx, web, serviceapi.UpdateNotificationSettingsOptions{
		Level: &custom, NewNote: new(false), FailedPipeline: new(true),
	})
	require.NoError(t, err)
	events := got.Events
	assert.Equal(t, []any{custom, new(false), new(true), (*bool)(nil), new(false), (*bool)(nil)}, []any{
		got.Level, events.NewNote, events.FailedPipeline, events.NewIssue, events.Approver, events.NewEpic,
	})
	again, _, err := s.Get(ctx, web)
	require.NoError(t, err)
	assert.Equal(t, got, again)
	got, _, err = s.Get(ctx, shop)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.NotificationSettings{Level: serviceapi.NotificationLevelGlobal}, got)
	got, _, err = s.Update(ctx, serviceapi.Own, serviceapi.UpdateNotificationSettingsOptions{
		Level: &custom, NewEpic: new(true)})
	require.NoError(t, err)
	assert.Equal(t, []*bool{new(true), new(false)}, []*bool{got.Events.NewEpic, got.Events.Approver})
	_, _, err = s.Update(ctx, serviceapi.Own, serviceapi.UpdateNotificationSettingsOptions{
		NotificationEmail: new("other@example.com"),
	})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	_, _, err = as(t, svc, svc.User("bob")).NotificationSettings.Get(ctx, web)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
}
