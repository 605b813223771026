package interop

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func groupPath(g *clientgo.Group) string { return g.FullPath }

func TestAccount(t *testing.T) {
	e := start(t)
	ada := e.svc.User("ada")
	own, id := e.as(ada), fmt.Sprint(ada.ID())
	picture := got(own.Users.UploadAvatar(strings.NewReader("pixels"), "me.png")).ok(e, 200)
	assert.Contains(t, picture.AvatarURL, "/me.png")
	type preferences struct {
		ID          int64 `json:"id"`
		UserID      int64 `json:"user_id"`
		ByFile      bool  `json:"view_diffs_file_by_file"`
		Whitespace  bool  `json:"show_whitespace_in_diffs"`
		Identities  bool  `json:"pass_user_identities_to_ci_jwt"`
		AdvancedOne bool  `json:"policy_advanced_editor"`
	}
	byFile := map[string]any{"view_diffs_file_by_file": true}
	set := request[*preferences](own, "PUT", "user/preferences", byFile).ok(e, 200)
	assert.Equal(t, &preferences{ID: set.ID, UserID: ada.ID(), ByFile: true, Whitespace: true}, set)
	assert.Equal(t, set, request[*preferences](own, "GET", "user/preferences", nil).ok(e, 200))
	status := request[*clientgo.UserStatus](own, "PATCH", "user/status", map[string]any{"message": "Here"}).ok(e, 200)
	assert.Equal(t, []any{"Here", "speech_balloon"}, []any{status.Message, status.Emoji})
	counts := request[map[string]int](own, "GET", "user_counts", nil).ok(e, 200)
	assert.Len(t, counts, 5)
	for _, name := range []string{"bob", "cy", "di"} {
		other := e.svc.User(name)
		path := fmt.Sprintf("users/%d/follow", other.ID())
		followed := request[*clientgo.BasicUser](own, "POST", path, nil).ok(e, 201)
		assert.Equal(t, name, followed.Username)
		other.Follow(e.svc.User("eve"))
		e.svc.User(name + "-2").Follow(ada)
	}
	for _, list := range []string{"followers", "following"} {
		users := walk(e, func(opts ...clientgo.RequestOptionFunc) ([]*clientgo.BasicUser, *clientgo.Response, error) {
			a := request[[]*clientgo.BasicUser](own, "GET", "users/"+id+"/"+list, nil, opts...)
			return a.value, a.resp, a.err
		})
		assert.Len(t, users, 3, list)
	}
	path := fmt.Sprintf("users/%d/unfollow", e.svc.User("bob").ID())
	left := request[*clientgo.BasicUser](own, "POST", path, nil).ok(e, 201)
	assert.Equal(t, "bob", left.Username)
	pin := request[map[string]string](own, "POST", "user/support_pin", nil).ok(e, 201)
	assert.Equal(t, pin, request[map[string]string](own, "GET", "user/support_pin", nil).ok(e, 200))
	assert.Equal(t, pin, request[map[string]string](e.admin, "GET", "users/"+id+"/support_pin", nil).ok(e, 200))
	bare(e.admin, "POST", "users/"+id+"/support_pin/revoke").ok(e, 202)
	bare(own, "GET", "user/support_pin").refused(e, 404)
}

func TestNotificationSettings(t *testing.T) {
	e := start(t)
	e.svc.Project(app)
	s := e.admin.NotificationSettings
	custom := &clientgo.NotificationSettingsOptions{
		Level: new(clientgo.CustomNotificationLevel), NewNote: new(true), NewIssue: new(false),
	}
	global := got(s.UpdateGlobalSettings(custom)).ok(e, 200)
	assert.Equal(t, []any{clientgo.CustomNotificationLevel, true, false}, []any{global.Level, global.Events.NewNote,
		global.Events.NewIssue})
	assert.Equal(t, global, got(s.GetGlobalSettings()).ok(e, 200))
	in := got(s.UpdateSettingsForProject(app, custom)).ok(e, 200)
	assert.Equal(t, in, got(s.GetSettingsForProject(app)).ok(e, 200))
	in = got(s.UpdateSettingsForGroup(acme, custom)).ok(e, 200)
	assert.Equal(t, in, got(s.GetSettingsForGroup(acme)).ok(e, 200))
}

func TestMemberRoles(t *testing.T) {
	e := start(t)
	e.svc.Group(acme)
	s := e.admin.MemberRolesService
	options := &clientgo.CreateMemberRoleOptions{
		Name: new("Reader"), BaseAccessLevel: new(clientgo.GuestPermissions), ReadCode: new(true),
	}
	role := got(s.CreateInstanceMemberRole(options)).ok(e, 201)
	assert.Equal(t, []any{"Reader", clientgo.GuestPermissions, true, false},
		[]any{role.Name, role.BaseAccessLevel, role.ReadCode, role.RemoveGroup})
	assert.Len(t, got(s.ListInstanceMemberRoles()).ok(e, 200), 1)
	done(s.DeleteInstanceMemberRole(role.ID)).ok(e, 204)
	role = got(s.CreateMemberRole(acme, options)).ok(e, 201)
	assert.Equal(t, e.svc.Group(acme).ID(), role.GroupID)
	assert.Len(t, got(s.ListMemberRoles(acme)).ok(e, 200), 1)
	done(s.DeleteMemberRole(acme, role.ID)).ok(e, 204)
	watch := map[string]any{"name": "Watch"}
	made := request[*clientgo.MemberRole](e.admin, "POST", "admin_member_roles", watch).ok(e, 201)
	admin := fmt.Sprint("admin_member_roles/", made.ID)
	bare(e.admin, "GET", "admin_member_roles").ok(e, 200)
	bare(e.admin, "DELETE", admin).ok(e, 204)
}

func TestGroupsOfGroups(t *testing.T) {
	e := start(t)
	ada := e.svc.User("ada")
	project := e.svc.Project("acme/team/app", servicetest.Member(ada, servicetest.Maintainer))
	team := e.svc.Group("acme/team")
	g, p := e.admin.Groups, e.admin.Projects
	for _, name := range []string{"a", "b", "c"} {
		other := e.svc.Group(name, servicetest.Member(ada, servicetest.Guest))
		team.ShareWith(other, servicetest.Guest)
		other.ShareWith(team, servicetest.Guest)
	}
	assert.Equal(t, []string{"a", "b", "c"}, each(walk1(e, g.ListInvitedGroups, any("acme/team"), nil), groupPath))
	assert.Equal(t, []string{"a", "b", "c"}, each(walk1(e, g.ListGroupsSharedWith, any("acme/team"), nil), groupPath))
	assert.Len(t, walk1(e, p.ListProjectsInvitedGroups, any("acme/team/app"), nil), 3)
	path := fmt.Sprintf("projects/%d/share_locations", project.ID())
	locations := walk(e, func(opts ...clientgo.RequestOptionFunc) ([]*clientgo.ProjectGroup, *clientgo.Response,
		error) {
		a := request[[]*clientgo.ProjectGroup](e.as(ada), "GET", path, nil, opts...)
		return a.value, a.resp, a.err
	})
	assert.Len(t, locations, 3)
	done(g.ArchiveGroup(acme)).ok(e, 200)
	done(g.UnarchiveGroup(acme)).ok(e, 200)
	bare(e.admin, "GET", "groups/acme/placeholder_reassignments").ok(e, 200)
	file, err := e.admin.UploadRequest("POST", "groups/acme/placeholder_reassignments", strings.NewReader("x"), "p.csv",
		clientgo.UploadFile, nil, nil)
	assert.NoError(t, err)
	done(e.admin.Do(file, nil)).ok(e, 201)
}

func TestProjectsKept(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithDelayedDeletion(time.Hour))
	e := &env{T: t, svc: svc}
	e.admin = e.client(svc.AdminToken())
	t.Cleanup(func() { called.note(svc) })
	ada := e.svc.User("ada")
	project, source := e.svc.Project(app), e.svc.Project("acme/source", servicetest.Member(ada, servicetest.Guest))
	project.Fetched(e.svc.Now(), 3)
	p := e.admin.Projects
	made := got(p.CreateProjectForUser(ada.ID(), &clientgo.CreateProjectForUserOptions{Name: new("Notes")})).ok(e, 201)
	assert.Equal(t, "ada/notes", made.PathWithNamespace)
	assert.EqualValues(t, 3, got(e.admin.ProjectStatistics.Last30DaysStatistics(app)).ok(e, 200).Fetches.Total)
	assert.Equal(t, "default", got(p.GetRepositoryStorage(app)).ok(e, 200).RepositoryStorage)
	done(p.DeleteProject(app, nil)).ok(e, 202)
	assert.Nil(t, got(p.RestoreProject(app)).ok(e, 201).MarkedForDeletionOn)
	done(p.StartHousekeepingProject(app)).ok(e, 201)
	bare(e.admin, "POST", "projects/acme%2Fapp/repository_size").ok(e, 201)
	bare(e.admin, "POST", fmt.Sprintf("projects/%d/import_project_members/%d", project.ID(), source.ID())).ok(e, 201)
	a := e.admin.ProjectAliases
	for _, name := range []string{"a", "b", "c"} {
		options := &clientgo.CreateProjectAliasOptions{Name: &name, ProjectID: project.ID()}
		alias := got(a.CreateProjectAlias(options)).ok(e, 201)
		assert.Equal(t, alias, got(a.GetProjectAlias(name)).ok(e, 200))
	}
	assert.Len(t, walk(e, a.ListProjectAliases), 3)
	done(a.DeleteProjectAlias("a")).ok(e, 204)
}

func TestPeopleOfGroups(t *testing.T) {
	e := start(t)
	group := e.svc.Group(acme)
	project := e.svc.Project(app)
	for _, name := range []string{"ada", "bob", "cy"} {
		user := e.svc.User(name, servicetest.ProvisionedBy(group), servicetest.SAMLIdentity(group, name+"@idp"),
			servicetest.TwoFactor())
		e.svc.Token(user, servicetest.Name(name+"'s"))
		user.SSHKey(name + "'s")
		project.AccessToken(servicetest.Reporter)
	}
	names := []string{"cy", "bob", "ada"}
	g, u, c := e.admin.Groups, e.admin.EnterpriseUsers, e.admin.GroupCredentials
	assert.Equal(t, names, each(walk1(e, g.ListProvisionedUsers, any(acme), nil), username))
	assert.Equal(t, names, each(walk1(e, g.ListSAMLUsers, any(acme), nil), username))
	users := walk1(e, u.ListEnterpriseUsers, any(acme), nil)
	assert.Equal(t, names, each(users, username))
	one := users[0]
	assert.Equal(t, "cy@example.com", got(u.GetEnterpriseUser(acme, one.ID)).ok(e, 200).Email)
	path := fmt.Sprint("groups/acme/enterprise_users/", one.ID)
	changed := request[*clientgo.User](e.admin, "PATCH", path, map[string]any{"name": "Cyrus"}).ok(e, 200)
	assert.Equal(t, "Cyrus", changed.Name)
	done(u.Disable2FAForEnterpriseUser(acme, one.ID)).ok(e, 204)

	tokens := walk1(e, c.ListGroupPersonalAccessTokens, any(acme), nil)
	assert.Equal(t, []string{"ada's", "bob's", "cy's"},
		each(tokens, func(t *clientgo.GroupPersonalAccessToken) string { return t.Name }))
	of := func(id int64, kind, rest string) string {
		return fmt.Sprintf("groups/acme/manage/%s/%d%s", kind, id, rest)
	}
	rotated := request[*clientgo.PersonalAccessToken](e.admin, "POST",
		of(tokens[0].ID, "personal_access_tokens", "/rotate"), nil).ok(e, 200)
	assert.NotEmpty(t, rotated.Token)
	done(c.RevokeGroupPersonalAccessToken(acme, tokens[1].ID)).ok(e, 204)
	resources := walk(e, func(opts ...clientgo.RequestOptionFunc) ([]*clientgo.GroupAccessToken, *clientgo.Response,
		error) {
		a := request[[]*clientgo.GroupAccessToken](e.admin, "GET", "groups/acme/manage/resource_access_tokens", nil,
			opts...)
		return a.value, a.resp, a.err
	})
	assert.Len(t, resources, 3)
	assert.NotEmpty(t, request[*clientgo.GroupAccessToken](e.admin, "POST",
		of(resources[0].ID, "resource_access_tokens", "/rotate"), nil).ok(e, 200).Token)
	bare(e.admin, "DELETE", of(resources[1].ID, "resource_access_tokens", "")).ok(e, 204)
	keys := walk1(e, c.ListGroupSSHKeys, any(acme), nil)
	assert.Equal(t, []string{"ada's", "bob's", "cy's"},
		each(keys, func(k *clientgo.GroupSSHKey) string { return k.Title }))
	done(c.DeleteGroupSSHKey(acme, keys[0].ID)).ok(e, 204)
	done(u.DeleteEnterpriseUser(acme, one.ID, nil)).ok(e, 204)
}

func TestSSHCertificates(t *testing.T) {
	e := start(t)
	e.svc.Group(acme)
	s := e.admin.GroupSSHCertificates
	const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHm0S1rdKKMGMtH2Xt3S4PvxH2uM3P0qQ3jJHJ6mXcL"
	for _, end := range []string{"q", "r", "s"} {
		made := got(s.CreateGroupSSHCertificate(acme,
			&clientgo.CreateGroupSSHCertificateOptions{Title: new("CA " + end), Key: new(key + end)})).ok(e, 201)
		assert.Equal(t, key+end, made.Key)
	}
	all := walk(e, func(opts ...clientgo.RequestOptionFunc) ([]*clientgo.GroupSSHCertificate, *clientgo.Response,
		error) {
		return s.ListGroupSSHCertificates(acme, opts...)
	})
	assert.Len(t, all, 3)
	done(s.DeleteGroupSSHCertificate(acme, all[0].ID)).ok(e, 204)
}

func TestSecurityOfGroups(t *testing.T) {
	e := start(t)
	e.svc.Project(app)
	changed := got(e.admin.GroupSecuritySettings.UpdateSecretPushProtectionEnabledSetting(acme,
		clientgo.UpdateGroupSecuritySettingsOptions{SecretPushProtectionEnabled: new(true)})).ok(e, 200)
	assert.True(t, changed.SecretPushProtectionEnabled)
	s, id := e.admin.AdminCompliancePolicySettings, e.svc.Group(acme).ID()
	policy := got(s.UpdateCompliancePolicySettings(&clientgo.UpdateAdminCompliancePolicySettingsOptions{
		CSPNamespaceID: &id,
	})).ok(e, 200)
	assert.Equal(t, id, *policy.CSPNamespaceID)
	assert.Equal(t, policy, got(s.GetCompliancePolicySettings()).ok(e, 200))
}
