package interop

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func TestGPGKeys(t *testing.T) {
	e := start(t)
	ada := e.svc.User("ada")
	armored, err := os.ReadFile("../../testdata/gpg_keys/ada.asc")
	require.NoError(t, err)
	options := &clientgo.AddGPGKeyOptions{Key: new(string(armored))}
	// Keys with one packet each, which is all that the service looks at.
	short := func(packet string) map[string]string {
		return map[string]string{"key": strings.Join([]string{"-----BEGIN PGP PUBLIC KEY BLOCK-----", "", packet,
			"-----END PGP PUBLIC KEY BLOCK-----"}, "\n")}
	}
	users, admin := e.as(ada).Users, e.admin.Users
	made := got(users.AddGPGKey(options)).ok(e, 201)
	assert.Equal(t, string(armored), made.Key)
	for _, packet := range []string{"xgF4", "xgF5"} {
		require.NoError(t, request[any](e.as(ada), "POST", "user/gpg_keys", short(packet)).err)
	}
	assert.Len(t, walk(e, users.ListGPGKeys), 3)
	assert.Equal(t, made.ID, got(users.GetGPGKey(made.ID)).ok(e, 200).ID)
	assert.Len(t, walk(e, func(opts ...clientgo.RequestOptionFunc) ([]*clientgo.GPGKey, *clientgo.Response, error) {
		return admin.ListGPGKeysForUser(ada.ID(), opts...)
	}), 3)
	assert.Equal(t, made.ID, got(admin.GetGPGKeyForUser(ada.ID(), made.ID)).ok(e, 200).ID)
	done(users.DeleteGPGKey(made.ID)).ok(e, 204)
	again := got(admin.AddGPGKeyForUser(ada.ID(), options)).ok(e, 201)
	done(admin.DeleteGPGKeyForUser(ada.ID(), again.ID)).ok(e, 204)
	assert.Equal(t, 202, request[any](e.as(ada), "POST", "user/gpg_keys/2/revoke", nil).resp.StatusCode)
	assert.Equal(t, 202, request[any](e.admin, "POST", "users/2/gpg_keys/3/revoke", nil).resp.StatusCode)
	got(users.GetGPGKey(3)).refused(e, 404)
}

func TestServiceAccountsOfEveryOwner(t *testing.T) {
	e := start(t)
	e.svc.Project(app)
	users, groups, projects := e.admin.Users, e.admin.Groups, e.admin.Projects
	for range 3 {
		got(users.CreateServiceAccountUser(nil)).ok(e, 201)
		got(groups.CreateServiceAccount(acme, nil)).ok(e, 201)
		got(projects.CreateProjectServiceAccount(app, nil)).ok(e, 201)
	}
	all := walk0(e, users.ListServiceAccounts, nil)
	require.Len(t, all, 3)
	rename := &clientgo.UpdateServiceAccountOptions{Name: new("New")}
	assert.Equal(t, "New", got(users.UpdateInstanceServiceAccount(all[0].ID, rename)).ok(e, 200).Name)
	ofGroup := walk1[any](e, groups.ListServiceAccounts, acme, nil)
	require.Len(t, ofGroup, 3)
	ofProject := walk1[any](e, projects.ListProjectServiceAccounts, app, nil)
	require.Len(t, ofProject, 3)
	robot := ofProject[0].ID
	name := &clientgo.UpdateProjectServiceAccountOptions{Name: new("New")}
	assert.Equal(t, "New", got(projects.UpdateProjectServiceAccount(app, robot, name)).ok(e, 200).Name)
	path := fmt.Sprint("projects/1/service_accounts/", robot)
	one := request[clientgo.ProjectServiceAccount](e.admin, "GET", path, nil)
	assert.Equal(t, "New", one.value.Name)
	single := request[clientgo.GroupServiceAccount](e.admin, "GET", fmt.Sprint("groups/acme/service_accounts/",
		ofGroup[0].ID), nil)
	assert.Equal(t, ofGroup[0].UserName, single.value.UserName)

	var last *clientgo.PersonalAccessToken
	for _, name := range []string{"a", "b", "c"} {
		options := &clientgo.CreateProjectServiceAccountPersonalAccessTokenOptions{Name: &name,
			Scopes: new([]string{"api"})}
		last = got(projects.CreateProjectServiceAccountPersonalAccessToken(app, robot, options)).ok(e, 201)
	}
	rotated := got(projects.RotateProjectServiceAccountPersonalAccessToken(app, robot, last.ID, nil)).ok(e, 200)
	assert.Equal(t, robot, got(e.client(rotated.Token).Users.CurrentUser()).ok(e, 200).ID)
	assert.Len(t, walk(e, func(opts ...clientgo.RequestOptionFunc) ([]*clientgo.PersonalAccessToken,
		*clientgo.Response, error) {
		return projects.ListProjectServiceAccountPersonalAccessTokens(app, robot, nil, opts...)
	}), 4)
	done(projects.RevokeProjectServiceAccountPersonalAccessToken(app, robot, rotated.ID)).ok(e, 204)
	done(projects.DeleteProjectServiceAccount(app, robot, nil)).ok(e, 204)
	options := &clientgo.CreateServiceAccountPersonalAccessTokenOptions{Name: new("x"), Scopes: new([]string{"api"})}
	made := got(groups.CreateServiceAccountPersonalAccessToken(acme, ofGroup[0].ID, options)).ok(e, 201)
	next := got(groups.RotateServiceAccountPersonalAccessToken(acme, ofGroup[0].ID, made.ID, nil)).ok(e, 200)
	assert.True(t, e.svc.TokenWorks(next.Token))
}

func TestTokensThatRotateThemselves(t *testing.T) {
	e := start(t)
	project := e.svc.Project(app)
	ofProject := e.client(project.AccessToken(servicetest.Maintainer)).ProjectAccessTokens
	assert.True(t, got(ofProject.RotateProjectAccessTokenSelf(app, nil)).ok(e, 200).Active)
	secret := e.svc.Group(acme).AccessToken(servicetest.Owner)
	rotated := got(e.client(secret).GroupAccessTokens.RotateGroupAccessTokenSelf(acme, nil)).ok(e, 200)
	assert.False(t, e.svc.TokenWorks(secret))
	type associations struct {
		Groups, Projects []struct {
			ID int64 `json:"id"`
		}
	}
	reach := request[associations](e.client(rotated.Token), "GET", "personal_access_tokens/self/associations", nil)
	require.NoError(t, reach.err)
	assert.Equal(t, []int{1, 1}, []int{len(reach.value.Groups), len(reach.value.Projects)})
}

func TestLinksToDirectoriesAndProviders(t *testing.T) {
	e := start(t)
	e.svc.Group(acme)
	e.svc.LDAPGroup("main", "dev")
	groups := e.admin.Groups
	add := func(options *clientgo.AddGroupLDAPLinkOptions) *clientgo.LDAPGroupLink {
		options.Provider, options.GroupAccess = new("main"), new(clientgo.DeveloperPermissions)
		return got(groups.AddGroupLDAPLink(acme, options)).ok(e, 201)
	}
	assert.Equal(t, "dev", add(&clientgo.AddGroupLDAPLinkOptions{CN: new("dev")}).CN)
	assert.Equal(t, "(a=b)", add(&clientgo.AddGroupLDAPLinkOptions{Filter: new("(a=b)")}).Filter)
	assert.Equal(t, "ops", add(&clientgo.AddGroupLDAPLinkOptions{CN: new("ops")}).CN)
	assert.Len(t, got(groups.ListGroupLDAPLinks(acme)).ok(e, 200), 3)
	done(groups.DeleteGroupLDAPLinkWithCNOrFilter(acme, &clientgo.DeleteGroupLDAPLinkWithCNOrFilterOptions{
		Filter: new("(a=b)"), Provider: new("main")})).ok(e, 204)
	done(groups.DeleteGroupLDAPLinkForProvider(acme, "main", "dev")).ok(e, 204)
	done(groups.DeleteGroupLDAPLink(acme, "ops")).ok(e, 204)
	done(groups.SyncGroupWithLDAP(acme)).ok(e, 202)
	for _, path := range []string{"ldap/groups", "ldap/main/groups"} {
		assert.Len(t, request[[]any](e.admin, "GET", path, nil).value, 1)
	}

	options := &clientgo.AddGroupSAMLLinkOptions{SAMLGroupName: new("Dev"),
		AccessLevel: new(clientgo.DeveloperPermissions)}
	assert.Equal(t, "Dev", got(groups.AddGroupSAMLLink(acme, options)).ok(e, 201).Name)
	assert.Len(t, got(groups.ListGroupSAMLLinks(acme)).ok(e, 200), 1)
	assert.Equal(t, clientgo.DeveloperPermissions, got(groups.GetGroupSAMLLink(acme, "Dev")).ok(e, 200).AccessLevel)
	done(groups.DeleteGroupSAMLLink(acme, "Dev")).ok(e, 204)
}

func TestIdentities(t *testing.T) {
	e := start(t)
	ada := e.svc.User("ada")
	e.svc.Group(acme).ProvisionSCIM(ada, "ada-1")
	scim := e.admin.GroupSCIM
	assert.Equal(t, ada.ID(), got(scim.GetSCIMIdentitiesForGroup(acme)).ok(e, 200)[0].UserID)
	other := &clientgo.UpdateSCIMIdentityOptions{ExternUID: new("ada-2")}
	done(scim.UpdateSCIMIdentity(acme, "ada-1", other)).ok(e, 200)
	assert.True(t, got(scim.GetSCIMIdentity(acme, "ada-2")).ok(e, 200).Active)
	done(scim.DeleteSCIMIdentity(acme, "ada-2")).ok(e, 204)

	type identity struct {
		ExternUID string `json:"extern_uid"`
		UserID    int64  `json:"user_id"`
	}
	const saml = "groups/acme/saml/"
	assert.Equal(t, []identity{{"ada-2", 2}}, request[[]identity](e.admin, "GET", saml+"identities", nil).value)
	changed := request[identity](e.admin, "PATCH", saml+"ada-2", map[string]string{"extern_uid": "ada-3"})
	assert.Equal(t, identity{"ada-3", 2}, changed.value)
	assert.Equal(t, identity{"ada-3", 2}, request[identity](e.admin, "GET", saml+"ada-3", nil).value)
	assert.Equal(t, 204, bare(e.admin, "DELETE", saml+"ada-3").resp.StatusCode)

	const users = "/api/scim/v2/application/Users"
	withToken := clientgo.WithHeader("Authorization", "Bearer "+e.svc.SCIMToken())
	made := request[struct{ ID string }](e.admin, "POST", "", map[string]any{
		"schemas":  []string{"urn:ietf:params:scim:schemas:core:2.0:User"},
		"userName": "dan", "emails": []map[string]any{{"value": "dan@example.com"}},
	}, instance(users), withToken)
	require.NoError(t, made.err)
	one := users + "/" + made.value.ID
	require.NoError(t, request[any](e.admin, "GET", "", nil, instance(one), withToken).err)
	require.NoError(t, request[any](e.admin, "GET", "", nil, instance(users), withToken).err)
	patched := request[any](e.admin, "PATCH", "", map[string]any{
		"schemas":    []string{"urn:ietf:params:scim:api:messages:2.0:PatchOp"},
		"Operations": []map[string]any{{"op": "replace", "path": "active", "value": false}},
	}, instance(one), withToken)
	assert.Equal(t, 204, patched.resp.StatusCode)
	assert.Equal(t, 204, request[any](e.admin, "DELETE", "", nil, instance(one), withToken).resp.StatusCode)
}
