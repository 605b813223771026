package wiretests

import (
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// customAttributeOwners are one of each kind, with the paths of their attributes.
var customAttributeOwners = map[string]serviceapi.CustomAttributeOwner{
	"/users/3/custom_attributes": serviceapi.UserID(
		3,
	), "/groups/acme%2Fplatform/custom_attributes": serviceapi.GroupPath("acme/platform"),
	"/projects/acme%2Fapp/custom_attributes": serviceapi.ProjectPath("acme/app"),
}

func customAttributeLists(
	c *serviceapi.Client,
) ownedList[serviceapi.CustomAttributeOwner, *serviceapi.ListOptions, *serviceapi.CustomAttribute] {
	return ownedList[serviceapi.CustomAttributeOwner, *serviceapi.ListOptions, *serviceapi.CustomAttribute]{
		c.CustomAttributes.List, c.CustomAttributes.All,
	}
}

func TestCustomAttributesLists(t *testing.T) {
	for path, owner := range customAttributeOwners {
		t.Run(path, func(t *testing.T) {
			exchanges := ownedExchanges(path, "page=2&per_page=5", "")
			whole := "[" + fixture(t, "custom_attributes/custom_attribute.json") + "]"
			exchanges[0].Body, exchanges[2].Body = whole, whole
			customAttributeLists(onWire(t, exchanges...)).wants(t, owner, &serviceapi.ListOptions{Page: 2, PerPage: 5},
				[]*serviceapi.CustomAttribute{{Key: "team", Value: "engines"}})
		})
	}
}

func TestCustomAttributesListsRefuse(t *testing.T) {
	lists := customAttributeLists(onWire(t))
	lists.refuses(t, "owner", nil, nil, &somewhere, &someTeam, &someone)
	lists.refuses(t, "id", nil, serviceapi.ProjectRef{}, serviceapi.GroupRef{}, serviceapi.UserRef{})
	lists.refuses(t, "user", nil, serviceapi.Username("ada"))
}

func TestCustomAttributesOfEveryOwner(t *testing.T) {
	const one, whole = "/a%2Fb%20c", "custom_attributes/custom_attribute.json"
	for path, owner := range customAttributeOwners {
		t.Run(path, func(t *testing.T) {
			client := onWire(t,
				exchange{Method: "GET", Path: path + one, Fixture: whole},
				exchange{Method: "PUT", Path: path + one, JSON: `{"value":"engines"}`, Fixture: whole},
				exchange{Method: "DELETE", Path: path + one, Status: 204})
			s, ctx := client.CustomAttributes, t.Context()
			attribute, _, err := s.Get(ctx, owner, "a/b c")
			require.NoError(t, err)
			assert.Equal(t, &serviceapi.CustomAttribute{Key: "team", Value: "engines"}, attribute)
			attribute, _, err = s.Set(ctx, owner, "a/b c", serviceapi.SetCustomAttributeOptions{Value: "engines"})
			require.NoError(t, err)
			assert.Equal(t, &serviceapi.CustomAttribute{Key: "team", Value: "engines"}, attribute)
			resp, err := s.Delete(ctx, owner, "a/b c")
			require.NoError(t, err)
			assert.Equal(t, 204, resp.StatusCode)
		})
	}
}

func TestCustomAttributesArguments(t *testing.T) {
	s, ctx := onWire(t).CustomAttributes, t.Context()
	assertRefused(t, "key", errorOf(s.Get(ctx, serviceapi.UserID(3), "")))
	assertRefused(
		t,
		"Value",
		errorOf(s.Set(ctx, serviceapi.GroupID(4), "team", serviceapi.SetCustomAttributeOptions{})),
	)
	_, err := s.Delete(ctx, serviceapi.Username("ada"), "team")
	assertRefused(t, "user", err)
	_, err = s.Delete(ctx, nil, "team")
	assertRefused(t, "owner", err)
}
