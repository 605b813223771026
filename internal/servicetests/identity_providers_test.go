package servicetests

import (
	"fmt"
	"os"
	"testing"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestServiceKeepsGPGKeys goes through the life of a key, and sees what becomes of the commits that
// it signed.
func TestServiceKeepsGPGKeys(t *testing.T) {
	svc := servicetest.New(t)
	ada, bob := svc.User("ada"), svc.User("bob")
	app := svc.Project("acme/app", servicetest.Public())
	signed := app.Commit("main", "Sign", servicetest.Signed(servicetest.PGP, "verified"))
	armored, err := os.ReadFile("../../testdata/gpg_keys/ada.asc")
	require.NoError(t, err)
	ctx, root, user := t.Context(), asRoot(t, svc), serviceapi.UserID(ada.ID())
	s, options := as(t, svc, ada).GPGKeys, serviceapi.CreateGPGKeyOptions{Key: string(armored)}
	status := func() serviceapi.SignatureStatus {
		signature, _, err := root.Commits.GetSignature(ctx, serviceapi.ProjectID(app.ID()), signed)
		require.NoError(t, err)
		return signature.VerificationStatus
	}

	made, resp, err := s.Create(ctx, serviceapi.Own, options)
	require.NoError(t, err)
	assert.Equal(t, 201, resp.StatusCode)
	assert.Equal(t, &serviceapi.GPGKey{ID: 1, Key: string(armored), CreatedAt: svc.Now()}, made)
	_, _, err = root.GPGKeys.Create(ctx, serviceapi.UserID(bob.ID()), options)
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	assert.ErrorContains(t, err, "has already been taken")
	for _, reader := range []*serviceapi.Client{root, as(t, svc, bob), with(t, svc, serviceapi.Anonymous())} {
		keys, err := serviceapi.Collect(reader.GPGKeys.All(ctx, user, nil))
		require.NoError(t, err)
		assert.Equal(t, []*serviceapi.GPGKey{made}, keys)
		key, _, err := reader.GPGKeys.Get(ctx, user, made.ID)
		require.NoError(t, err)
		assert.Equal(t, made, key)
	}
	_, err = as(t, svc, bob).GPGKeys.Delete(ctx, user, made.ID)
	require.ErrorIs(t, err, serviceapi.ErrForbidden)

	_, err = s.Delete(ctx, serviceapi.Own, made.ID)
	require.NoError(t, err)
	assert.Equal(t, serviceapi.SignatureStatusVerified, status())
	_, _, err = s.Get(ctx, serviceapi.Own, made.ID)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	again, _, err := s.Create(ctx, serviceapi.Own, options)
	require.NoError(t, err)
	_, err = s.Revoke(ctx, serviceapi.Own, again.ID)
	require.NoError(t, err)
	assert.Equal(t, serviceapi.SignatureStatusVerified, status(), "that was another key")

	other := servicetest.New(t)
	key := other.Project("acme/app").Commit("main", "Sign", servicetest.Signed(servicetest.PGP, "verified"))
	root = asRoot(t, other)
	made, _, err = root.GPGKeys.Create(ctx, serviceapi.Own, options)
	require.NoError(t, err)
	resp, err = root.GPGKeys.Revoke(ctx, serviceapi.Own, made.ID)
	require.NoError(t, err)
	assert.Equal(t, 202, resp.StatusCode)
	signature, _, err := root.Commits.GetSignature(ctx, serviceapi.ProjectPath("acme/app"), key)
	require.NoError(t, err)
	assert.Equal(t, []any{made.ID, serviceapi.SignatureStatusUnknownKey},
		[]any{*signature.GPGKeyID, signature.VerificationStatus})
	keys, _, err := root.GPGKeys.List(ctx, serviceapi.Own, nil)
	require.NoError(t, err)
	assert.Empty(t, keys)
}

func TestServiceKeepsLDAPLinks(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	svc.Group("acme", servicetest.Member(ada, servicetest.Owner))
	s, ctx, acme := as(t, svc, ada).LDAPLinks, t.Context(), serviceapi.GroupPath("acme")
	_, err := serviceapi.Collect(s.All(ctx, acme, nil))
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, err = s.Sync(ctx, acme)
	require.ErrorIs(t, err, serviceapi.ErrNotFound, "there is no directory")
	made, _, err := s.Create(ctx, acme, serviceapi.CreateLDAPLinkOptions{
		CN: "dev/eu", Provider: "ldapmain", GroupAccess: serviceapi.AccessLevelDeveloper, MemberRoleID: new(int64(9)),
	})
	require.NoError(t, err)
	want := &serviceapi.LDAPGroupLink{CN: "dev/eu", Provider: "ldapmain", GroupAccess: 30, MemberRoleID: new(int64(9))}
	assert.Equal(t, want, made)
	byFilter := serviceapi.CreateLDAPLinkOptions{Filter: "(a=b)", Provider: "ldapmain", GroupAccess: 5}
	_, _, err = s.Create(ctx, acme, byFilter)
	require.NoError(t, err)
	_, _, err = s.Create(ctx, acme, byFilter)
	require.ErrorIs(t, err, serviceapi.ErrConflict)
	links, err := serviceapi.Collect(s.All(ctx, acme, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.LDAPGroupLink{want, {Filter: "(a=b)", Provider: "ldapmain", GroupAccess: 5}}, links)
	for _, gone := range []*serviceapi.DeleteLDAPLinkOptions{
		{CN: "dev/eu", Provider: "ldapmain"}, {Filter: "(a=b)", Provider: "ldapmain"},
	} {
		_, err = s.Delete(ctx, acme, gone)
		require.NoError(t, err)
		_, err = s.Delete(ctx, acme, gone)
		require.ErrorIs(t, err, serviceapi.ErrNotFound)
	}

	for n := range 25 {
		svc.LDAPGroup("ldapmain", fmt.Sprint("team-", n))
	}
	svc.LDAPGroup("ldapmain", "ops")
	svc.LDAPGroup("other", "team-other")
	resp, err := s.Sync(ctx, acme)
	require.NoError(t, err)
	assert.Equal(t, 202, resp.StatusCode)
	root := asRoot(t, svc).LDAPLinks
	groups, err := serviceapi.Collect(root.AllGroups(ctx, nil))
	require.NoError(t, err)
	assert.Len(t, groups, 20)
	groups, _, err = root.ListGroups(ctx, &serviceapi.ListLDAPGroupsOptions{Search: "op"})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.LDAPGroup{{CN: "ops"}}, groups)
	groups, _, err = root.ListGroups(ctx, &serviceapi.ListLDAPGroupsOptions{Provider: "other", Search: "team"})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.LDAPGroup{{CN: "team-other"}}, groups)
	_, _, err = s.ListGroups(ctx, nil)
	require.ErrorIs(t, err, serviceapi.ErrForbidden)
}

func TestServiceKeepsSAMLLinks(t *testing.T) {
	svc := servicetest.New(t)
	ada, bob := svc.User("ada"), svc.User("bob")
	svc.Group("acme", servicetest.Member(ada, servicetest.Owner), servicetest.Member(bob, servicetest.Maintainer))
	s, ctx, acme := as(t, svc, ada).SAMLLinks, t.Context(), serviceapi.GroupPath("acme")
	options := serviceapi.CreateSAMLLinkOptions{SAMLGroupName: "Dev/EU", AccessLevel: 30}
	made, _, err := s.Create(ctx, acme, options)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.SAMLGroupLink{Name: "Dev/EU", AccessLevel: 30}, made)
	_, _, err = s.Create(ctx, acme, options)
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	options.Provider, options.MemberRoleID = new("okta"), new(int64(9))
	other, _, err := s.Create(ctx, acme, options)
	require.NoError(t, err)
	assert.Equal(t, &serviceapi.SAMLGroupLink{
		Name: "Dev/EU", AccessLevel: 30, Provider: "okta", MemberRoleID: new(int64(9)),
	}, other)
	links, err := serviceapi.Collect(s.All(ctx, acme, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.SAMLGroupLink{made, other}, links)
	_, _, err = s.Get(ctx, acme, "Dev/EU", nil)
	require.ErrorIs(t, err, serviceapi.ErrUnprocessable)
	for provider, want := range map[string]*serviceapi.SAMLGroupLink{"": made, "okta": other} {
		got, _, err := s.Get(ctx, acme, "Dev/EU", &serviceapi.SAMLLinkOptions{Provider: new(provider)})
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	_, err = s.Delete(ctx, acme, "Dev/EU", &serviceapi.SAMLLinkOptions{Provider: new("okta")})
	require.NoError(t, err)
	_, err = s.Delete(ctx, acme, "Dev/EU", nil)
	require.NoError(t, err)
	_, err = s.Delete(ctx, acme, "Dev/EU", nil)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	_, _, err = as(t, svc, bob).SAMLLinks.List(ctx, acme, nil)
	require.ErrorIs(t, err, serviceapi.ErrUnauthorized)
}

func TestServiceKeepsIdentities(t *testing.T) {
	svc := servicetest.New(t)
	ada, bob := svc.User("ada"), svc.User("bob")
	group := svc.Group("acme", servicetest.Member(ada, servicetest.Owner))
	group.ProvisionSCIM(ada, "ada-1")
	group.ProvisionSCIM(bob, "bob-1")
	s, ctx, acme := as(t, svc, ada).Identities, t.Context(), serviceapi.GroupPath("acme")
	scim, saml := serviceapi.IdentityKindSCIM, serviceapi.IdentityKindSAML
	list, err := serviceapi.Collect(s.All(ctx, acme, scim, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.ProviderIdentity{
		{ExternUID: "ada-1", UserID: ada.ID(), Active: new(true)},
		{ExternUID: "bob-1", UserID: bob.ID(), Active: new(true)},
	}, list)
	users := func() map[string]string {
		all, err := serviceapi.Collect(asRoot(t, svc).Users.All(ctx, nil))
		require.NoError(t, err)
		found := map[string]string{}
		for _, user := range all {
			for _, identity := range user.Identities {
				found[user.Username] = identity.ExternUID
			}
		}
		return found
	}
	assert.Equal(t, map[string]string{"ada": "ada-1", "bob": "bob-1"}, users())
	changed, _, err := s.Update(ctx, acme, saml, "bob-1", serviceapi.UpdateIdentityOptions{ExternUID: "bob/2"})
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"ada": "ada-1", "bob": "bob/2"}, users())
	assert.Equal(t, &serviceapi.ProviderIdentity{ExternUID: "bob/2", UserID: bob.ID()}, changed)
	_, _, err = s.Update(ctx, acme, saml, "bob/2", serviceapi.UpdateIdentityOptions{ExternUID: "ada-1"})
	require.ErrorIs(t, err, serviceapi.ErrBadRequest)
	got, _, err := s.Get(ctx, acme, saml, "bob/2")
	require.NoError(t, err)
	assert.Equal(t, changed, got)
	_, err = s.Delete(ctx, acme, saml, "bob/2")
	require.NoError(t, err)
	list, _, err = s.List(ctx, acme, saml, nil)
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.ProviderIdentity{{ExternUID: "ada-1", UserID: ada.ID()}}, list)
	_, err = s.Delete(ctx, acme, scim, "bob-1")
	require.NoError(t, err)
	_, isMember := group.Membership(bob)
	assert.True(t, isMember, "only the tie is gone")
	assert.Len(t, group.SCIMUsers(), 1)
	_, _, err = s.Get(ctx, acme, scim, "bob-1")
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
}

// TestSCIMOfTheInstance provisions users of the whole instance with its own token.
func TestSCIMOfTheInstance(t *testing.T) {
	svc := servicetest.New(t)
	users, ctx := scimClient(t, svc, svc.SCIMToken()), t.Context()
	made, _, err := users.Create(ctx, serviceapi.Instance, serviceapi.CreateSCIMUserOptions{
		UserName: "ada", ExternalID: "idp-1", Emails: []serviceapi.SCIMEmail{{Value: "ada@example.com"}},
	})
	require.NoError(t, err)
	assert.Equal(t, svc.URL()+"/api/scim/v2/application/Users/scim-1", made.Meta.Location)
	ada := svc.FindUser("ada")
	secret := svc.Token(ada)
	list, err := serviceapi.Collect(users.All(ctx, serviceapi.Instance, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.SCIMUser{made}, list)
	set := func(active bool) {
		_, err := users.Patch(ctx, serviceapi.Instance, made.ID, serviceapi.PatchSCIMUserOptions{
			Operations: []serviceapi.SCIMOperation{{Op: serviceapi.SCIMOperatorReplace, Path: "active", Value: active}},
		})
		require.NoError(t, err)
	}
	signsIn := func() error { return errorOf(withToken(t, svc, secret).Users.Current(ctx)) }
	set(false)
	require.ErrorIs(t, signsIn(), serviceapi.ErrForbidden)
	set(true)
	require.NoError(t, signsIn())
	_, err = users.Delete(ctx, serviceapi.Instance, made.ID)
	require.NoError(t, err)
	require.ErrorIs(t, signsIn(), serviceapi.ErrForbidden)
	got, _, err := users.Get(ctx, serviceapi.Instance, made.ID)
	require.NoError(t, err)
	assert.False(t, *got.Active)

	_, _, err = users.List(ctx, serviceapi.Instance, &serviceapi.ListSCIMUsersOptions{Filter: "shoes"})
	require.ErrorIs(t, err, serviceapi.ErrPreconditionFailed)
	_, _, err = scimClient(t, svc, svc.AdminToken()).List(ctx, serviceapi.Instance, nil)
	require.ErrorIs(t, err, serviceapi.ErrUnauthorized)
	free := servicetest.New(t, servicetest.WithTier(servicetest.Free))
	_, _, err = scimClient(t, free, free.SCIMToken()).List(ctx, serviceapi.Instance, nil)
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
}
