package wiretests

import (
	"net/http"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var team = serviceapi.GroupPath("acme/team")

func TestLDAPLinks(t *testing.T) {
	const links, one = "/groups/acme%2Fteam/ldap_group_links", "ldap_links/ldap_link.json"
	body := "[" + fixture(t, one) + `,{"cn":null,"filter":"f","member_role_id":null}]`
	client := onWire(t,
		exchange{Method: "GET", Path: links, Query: "page=2", Body: body},
		exchange{Method: "GET", Path: links, Query: "per_page=100", Body: body},
		exchange{Method: "GET", Path: links, Status: 404, Body: `{"message":"No linked LDAP groups found"}`},
		exchange{Method: "POST", Path: links, Status: 201, Fixture: one,
			JSON: `{"cn":"dev, ops/eu","group_access":30,"provider":"ldapmain"}`},
		exchange{Method: "POST", Path: links, Status: 409, Body: `{"message":"Filter has already been taken"}`,
			JSON: `{"filter":"(uid=a*)","group_access":5,"provider":"ldapmain","member_role_id":9}`},
		exchange{Method: "DELETE", Path: links, Query: "cn=dev%2C+ops%2Feu&provider=ldapmain", Status: 204},
		exchange{Method: "DELETE", Path: links, Query: "filter=%28uid%3Da%2A%29&provider=ldapmain", Status: 404,
			Body: `{"message":"Linked LDAP group not found"}`},
		exchange{Method: "POST", Path: "/groups/acme%2Fteam/ldap_sync", Status: 202, Body: "202"})
	s, ctx := client.LDAPLinks, t.Context()
	link := &serviceapi.LDAPGroupLink{
		CN: "dev, ops/eu", Filter: "(uid=a*)", GroupAccess: 30, Provider: "ldapmain", MemberRoleID: new(int64(9)),
	}
	list, _, err := s.List(ctx, team, &serviceapi.ListOptions{Page: 2})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.LDAPGroupLink{link, {Filter: "f"}}, list)
	list, err = serviceapi.Collect(s.All(ctx, team, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.LDAPGroupLink{link, {Filter: "f"}}, list)
	require.ErrorIs(t, errorOf(s.List(ctx, team, nil)), serviceapi.ErrNotFound)

	made, resp, err := s.Create(ctx, team, serviceapi.CreateLDAPLinkOptions{
		CN: "dev, ops/eu", GroupAccess: serviceapi.AccessLevelDeveloper, Provider: "ldapmain",
	})
	require.NoError(t, err)
	assert.Equal(t, link, made)
	assertFilled(t, made)
	assert.Equal(t, 201, resp.StatusCode)
	err = errorOf(s.Create(ctx, team, serviceapi.CreateLDAPLinkOptions{
		Filter: "(uid=a*)", GroupAccess: serviceapi.AccessLevelMinimal, Provider: "ldapmain",
		MemberRoleID: new(int64(9)),
	}))
	require.ErrorIs(t, err, serviceapi.ErrConflict)
	assert.ErrorContains(t, err, "Filter has already been taken")
	resp, err = s.Delete(ctx, team, &serviceapi.DeleteLDAPLinkOptions{Provider: "ldapmain", CN: "dev, ops/eu"})
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
	gone := &serviceapi.DeleteLDAPLinkOptions{Provider: "ldapmain", Filter: "(uid=a*)"}
	require.ErrorIs(t, second(s.Delete(ctx, team, gone)), serviceapi.ErrNotFound)
	resp, err = s.Sync(ctx, team)
	require.NoError(t, err)
	assert.Equal(t, 202, resp.StatusCode)
}

func TestLDAPLinksOfDirectories(t *testing.T) {
	body := "[" + fixture(t, "ldap_links/ldap_group.json") + "]"
	client := onWire(t,
		exchange{Method: "GET", Path: "/ldap/groups", Body: body},
		exchange{Method: "GET", Path: "/ldap/ldap%2Feu/groups", Query: "page=2&search=de", Body: body},
		exchange{Method: "GET", Path: "/ldap/groups", Query: "per_page=100&search=de", Body: body},
		exchange{Method: "GET", Path: "/ldap/ldapmain/groups", Query: "per_page=100", Body: body})
	s, ctx, want := client.LDAPLinks, t.Context(), []*serviceapi.LDAPGroup{{CN: "dev, ops/eu"}}
	for _, options := range []*serviceapi.ListLDAPGroupsOptions{
		nil, {ListOptions: serviceapi.ListOptions{Page: 2}, Provider: "ldap/eu", Search: "de"},
	} {
		groups, _, err := s.ListGroups(ctx, options)
		require.NoError(t, err)
		assert.Equal(t, want, groups)
	}
	for _, options := range []*serviceapi.ListLDAPGroupsOptions{{Search: "de"}, {Provider: "ldapmain"}} {
		groups, err := serviceapi.Collect(s.AllGroups(ctx, options))
		require.NoError(t, err)
		assert.Equal(t, want, groups)
	}
	assertRefused(t, "Provider", errorOf(s.ListGroups(ctx, &serviceapi.ListLDAPGroupsOptions{Provider: ".."})))
}

func TestLDAPLinksArguments(t *testing.T) {
	s, ctx, level := onWire(t).LDAPLinks, t.Context(), serviceapi.AccessLevelDeveloper
	for argument, options := range map[string]serviceapi.CreateLDAPLinkOptions{
		"CN or Filter": {Provider: "p", GroupAccess: level},
		"CN":           {Provider: "p", GroupAccess: level, CN: "a", Filter: "b"},
		"Provider":     {CN: "a", GroupAccess: level},
		"GroupAccess":  {CN: "a", Provider: "p"},
	} {
		assertRefused(t, argument, errorOf(s.Create(ctx, team, options)))
	}
	for argument, options := range map[string]*serviceapi.DeleteLDAPLinkOptions{
		"CN or Filter": {Provider: "p"}, "CN": {Provider: "p", CN: "a", Filter: "b"}, "Provider": {CN: "a"},
	} {
		assertRefused(t, argument, second(s.Delete(ctx, team, options)))
	}
	assertRefused(t, "Provider", second(s.Delete(ctx, team, nil)))
	assertRefused(t, "id", second(s.Sync(ctx, serviceapi.GroupRef{})))
}

func TestSAMLLinks(t *testing.T) {
	const links, one = "/groups/acme%2Fteam/saml_group_links", "saml_links/saml_link.json"
	body := "[" + fixture(t, one) + `,{"name":"x","member_role_id":null,"provider":null}]`
	client := onWire(t,
		exchange{Method: "GET", Path: links, Query: "page=2", Body: body},
		exchange{Method: "GET", Path: links, Query: "per_page=100", Body: body},
		exchange{Method: "GET", Path: links + "/Dev%2FEU", Fixture: one},
		exchange{Method: "GET", Path: links + "/Dev%2FEU", Query: "provider=okta", Fixture: one},
		exchange{Method: "POST", Path: links, JSON: `{"saml_group_name":"Dev/EU","access_level":20}`, Status: 201,
			Fixture: one},
		exchange{Method: "POST", Path: links, Status: 400, Body: `{"message":"Saml group name has already been taken"}`,
			JSON: `{"saml_group_name":"Dev/EU","access_level":20,"member_role_id":9,"provider":"okta"}`},
		exchange{Method: "DELETE", Path: links + "/Dev%2FEU", Status: 422, Body: `{"message":"Multiple group links"}`},
		exchange{Method: "DELETE", Path: links + "/Dev%2FEU", Query: "provider=", Status: 204},
		exchange{Method: "GET", Path: links, Status: 401, Body: `{"message":"401 Unauthorized"}`})
	s, ctx := client.SAMLLinks, t.Context()
	link := &serviceapi.SAMLGroupLink{
		Name: "Dev/EU", AccessLevel: 20, MemberRoleID: new(int64(9)), Provider: "okta",
	}
	list, _, err := s.List(ctx, team, &serviceapi.ListOptions{Page: 2})
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.SAMLGroupLink{link, {Name: "x"}}, list)
	list, err = serviceapi.Collect(s.All(ctx, team, nil))
	require.NoError(t, err)
	assert.Equal(t, []*serviceapi.SAMLGroupLink{link, {Name: "x"}}, list)
	for _, options := range []*serviceapi.SAMLLinkOptions{nil, {Provider: new("okta")}} {
		got, _, err := s.Get(ctx, team, "Dev/EU", options)
		require.NoError(t, err)
		assert.Equal(t, link, got)
		assertFilled(t, got)
	}
	options := serviceapi.CreateSAMLLinkOptions{SAMLGroupName: "Dev/EU", AccessLevel: serviceapi.AccessLevelReporter}
	made, _, err := s.Create(ctx, team, options)
	require.NoError(t, err)
	assert.Equal(t, link, made)
	options.MemberRoleID, options.Provider = new(int64(9)), new("okta")
	require.ErrorIs(t, errorOf(s.Create(ctx, team, options)), serviceapi.ErrBadRequest)
	require.ErrorIs(t, second(s.Delete(ctx, team, "Dev/EU", nil)), serviceapi.ErrUnprocessable)
	resp, err := s.Delete(ctx, team, "Dev/EU", &serviceapi.SAMLLinkOptions{Provider: new("")})
	require.NoError(t, err)
	assert.Equal(t, 204, resp.StatusCode)
	require.ErrorIs(t, errorOf(s.List(ctx, team, nil)), serviceapi.ErrUnauthorized)

	none := onWire(t).SAMLLinks
	assertRefused(t, "saml_group_name", errorOf(none.Get(ctx, team, "", nil)))
	assertRefused(t, "saml_group_name", second(none.Delete(ctx, team, "", nil)))
	for argument, options := range map[string]serviceapi.CreateSAMLLinkOptions{
		"SAMLGroupName": {AccessLevel: 10}, "AccessLevel": {SAMLGroupName: "x"},
	} {
		assertRefused(t, argument, errorOf(none.Create(ctx, team, options)))
	}
	assertRefused(t, "id", errorOf(none.List(ctx, serviceapi.GroupRef{}, nil)))
}

func TestIdentities(t *testing.T) {
	const one = "identities/identity.json"
	body := "[" + fixture(t, one) + `,{"extern_uid":"b","user_id":9}]`
	identity := &serviceapi.ProviderIdentity{ExternUID: "ada@idp/1", UserID: 8, Active: new(true)}
	for _, kind := range []serviceapi.IdentityKind{serviceapi.IdentityKindSAML, serviceapi.IdentityKindSCIM} {
		path := "/groups/acme%2Fteam/" + string(kind)
		client := onWire(t,
			exchange{Method: "GET", Path: path + "/identities", Query: "page=2", Body: body},
			exchange{Method: "GET", Path: path + "/identities", Query: "per_page=100", Body: body},
			exchange{Method: "GET", Path: path + "/ada@idp%2F1", Fixture: one},
			exchange{Method: "PATCH", Path: path + "/old", JSON: `{"extern_uid":"ada@idp/1"}`, Fixture: one},
			exchange{Method: "DELETE", Path: path + "/old", Status: http.StatusNoContent},
			exchange{Method: "DELETE", Path: path + "/none", Status: 404, Body: `{"message":"404 Identity Not Found"}`})
		s, ctx := client.Identities, t.Context()
		list, _, err := s.List(ctx, team, kind, &serviceapi.ListOptions{Page: 2})
		require.NoError(t, err)
		assert.Equal(t, []*serviceapi.ProviderIdentity{identity, {ExternUID: "b", UserID: 9}}, list)
		list, err = serviceapi.Collect(s.All(ctx, team, kind, nil))
		require.NoError(t, err)
		assert.Equal(t, []*serviceapi.ProviderIdentity{identity, {ExternUID: "b", UserID: 9}}, list)
		got, _, err := s.Get(ctx, team, kind, "ada@idp/1")
		require.NoError(t, err)
		assert.Equal(t, identity, got)
		assertFilled(t, got)
		got, _, err = s.Update(ctx, team, kind, "old", serviceapi.UpdateIdentityOptions{ExternUID: "ada@idp/1"})
		require.NoError(t, err)
		assert.Equal(t, identity, got)
		resp, err := s.Delete(ctx, team, kind, "old")
		require.NoError(t, err)
		assert.Equal(t, 204, resp.StatusCode)
		require.ErrorIs(t, second(s.Delete(ctx, team, kind, "none")), serviceapi.ErrNotFound)
		assertRefused(t, "uid", errorOf(s.Get(ctx, team, kind, "")))
		assertRefused(t, "ExternUID", errorOf(s.Update(ctx, team, kind, "old", serviceapi.UpdateIdentityOptions{})))
	}
	s, ctx := onWire(t).Identities, t.Context()
	assertRefused(t, "kind", errorOf(s.List(ctx, team, "ldap", nil)))
	_, err := serviceapi.Collect(s.All(ctx, team, "", nil))
	assertRefused(t, "kind", err)
	assertRefused(t, "kind", errorOf(s.Get(ctx, team, "ldap", "x")))
}
