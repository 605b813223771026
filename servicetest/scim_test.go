package servicetest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"example.com/serviceapi/servicetest"
)

const (
	scimUser  = `"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"]`
	scimPatch = `"schemas":["urn:ietf:params:scim:api:messages:2.0:PatchOp"]`
)

// scim sends a request to the SCIM API of the group acme as the administrator.
func scim(t *testing.T, svc *servicetest.Service, method, path, body string) answer {
	t.Helper()
	return request(t, method, svc.URL()+"/api/scim/v2/groups/acme/Users"+path, body,
		"Authorization", "Bearer "+svc.AdminToken(), "Content-Type", "application/scim+json")
}

// TestSCIMLocationOverTLS: the caller can reach the address in a user's location.
func TestSCIMLocationOverTLS(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithTLS())
	svc.Group("acme").ProvisionSCIM(svc.User("ada"), "")
	address := svc.URL() + "/api/scim/v2/groups/acme/Users/scim-1"
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+svc.AdminToken())
	response, err := svc.HTTPClient().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	shown := into[map[string]any](t, readAnswer(t, response), 200)
	same(t, memberOf(shown, "meta.location"), any(address))
}

func TestSCIMPatchPaths(t *testing.T) {
	for _, tc := range []struct{ operations, want string }{
		{`{"op":"Replace","path":"active","value":"False"}`, `"active":false`},
		{`{"op":"replace","path":"USERNAME","value":"countess"}`, `"userName":"countess"`},
		{`{"op":"replace","path":"urn:ietf:params:scim:schemas:core:2.0:User:displayName","value":"C"}`,
			`"displayName":"C"`},
		{`{"op":"add","path":"name","value":{"givenName":"A"}}`, `"name":{"formatted":"Ada","givenName":"A"}`},
		{`{"op":"replace","path":"name","value":{"givenName":"A"}}`, `"name":{"givenName":"A"}`},
		{`{"op":"replace","path":"name.familyName","value":"K"}`, `"name":{"formatted":"Ada","familyName":"K"}`},
		{`{"op":"replace","path":"emails[type eq \"work\"].value","value":"b@x.org"}`,
			`"emails":[{"value":"b@x.org","type":"work","primary":true}]`},
		{`{"op":"replace","path":"emails[primary eq true].value","value":"b@x.org"}`,
			`"emails":[{"value":"b@x.org","type":"work","primary":true}]`},
		{`{"op":"add","path":"emails[type eq \"home\"].value","value":"b@x.org"}`,
			`{"value":"b@x.org","type":"home"}]`},
		{`{"op":"add","path":"emails","value":[{"value":"b@x.org","type":"home"}]},{"op":"remove",` +
			`"path":"emails[type eq \"work\"]"}`, `"emails":[{"value":"b@x.org","type":"home"}]`},
		{`{"op":"replace","value":{"externalId":"e","active":true}}`, `"externalId":"e"`},
		{`{"op":"remove","path":"name"}`, `"userName":"ada","emails"`},
	} {
		svc := servicetest.New(t)
		svc.Group("acme").ProvisionSCIM(svc.User("ada"), "")
		if a := scim(t, svc, "PATCH", "/scim-1",
			`{`+scimPatch+`,"Operations":[`+tc.operations+`]}`); a.StatusCode != 204 {
			t.Errorf("%s: %d %s", tc.operations, a.StatusCode, a.body)
		}
		if a := scim(t, svc, "GET", "/scim-1", ""); !strings.Contains(a.body, tc.want) {
			t.Errorf("%s: %s lacks %s", tc.operations, a.body, tc.want)
		}
	}
}

func TestSCIMRefusesBodies(t *testing.T) {
	svc := servicetest.New(t)
	svc.Group("acme").ProvisionSCIM(svc.User("ada"), "")
	for _, tc := range []struct {
		method, path, body string
		kind               string
	}{
		{"POST", "", `{"userName":"x"}`, "invalidSyntax"},
		{"POST", "", `[]`, "invalidSyntax"},
		{"POST", "", `{` + scimUser + `}`, "invalidValue"},
		{"PATCH", "/scim-1", `{` + scimUser + `}`, "invalidSyntax"},
		{"PATCH", "/scim-1", `{` + scimPatch + `,"Operations":[{"op":"remove","path":"emails"}]}`, "invalidValue"},
		{"PATCH", "/scim-1",
			`{` + scimPatch + `,"Operations":[{"op":"replace","path":"emails[primary eq false].value","value":"x"}]}`,
			"noTarget"},
		{"PATCH", "/scim-1", `{` + scimPatch + `,"Operations":[{"op":"replace","value":7}]}`, "invalidValue"},
		{"GET", "?count=x", "", "invalidValue"},
		{"GET", "?filter=userName+eq+x", "", "invalidFilter"},
		{"GET", "?filter=userName+eq+%22x%22+or+id+eq+%22y%22", "", "invalidFilter"},
		{"GET", "?filter=shoeSize+eq+7", "", "invalidFilter"},
	} {
		got := into[map[string]any](t, scim(t, svc, tc.method, tc.path, tc.body), 400)
		if got["scimType"] != tc.kind || got["status"] != "400" || got["detail"] == "" {
			t.Errorf("%s %s %s: %v", tc.method, tc.path, tc.body, got)
		}
	}
}

func TestSCIMAccounts(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	group := svc.Group("acme", servicetest.Member(ada, servicetest.Developer))
	for _, body := range []string{
		`{` + scimUser + `,"userName":"countess","emails":[{"value":"ADA@example.com"}]}`,
		`{` + scimUser + `,"userName":"ada@idp.example.com","active":false,"emails":[{"value":"a@idp.example.com"}]}`,
	} {
		if a := scim(t, svc, "POST", "", body); a.StatusCode != 201 || a.Header.Get("Location") == "" {
			t.Fatalf("%d %s", a.StatusCode, a.body)
		}
	}
	users := group.SCIMUsers()
	if users[0].User() != ada {
		t.Error("an account with the same address was not used")
	}
	if m, _ := group.Membership(ada); m.Level != servicetest.Developer {
		t.Errorf("the role became %v", m.Level)
	}
	other := users[1].User()
	if _, member := group.Membership(other); member || other.Username() != "ada1" {
		t.Errorf("account %q, member %t", other.Username(), member)
	}
	refused(t, call(t, svc, "DELETE", "/users/2?hard_delete=true", ""), 204, "")
	if users := group.SCIMUsers(); len(users) != 1 || users[0].User() != other {
		t.Errorf("%d users after their account was deleted", len(users))
	}
}

// TestSCIMNames checks the names of users whose provider leaves out attributes.
func TestSCIMNames(t *testing.T) {
	svc := servicetest.New(t)
	group := svc.Group("acme")
	for n, c := range []struct{ attributes, name, username string }{
		{`"userName":"ada","name":{"formatted":"Ada Lovelace","givenName":"A"}`, "Ada Lovelace", "ada"},
		{`"userName":"bob@example.com","name":{"givenName":"Bob","familyName":"K"}`, "Bob K", "bob"},
		{`"userName":"cy","name":{"familyName":"K"}`, "K", "cy"},
		{`"userName":"dan","name":{},"displayName":"Danny"`, "Danny", "dan"},
		{`"userName":"eve","name":{"givenName":"","formatted":""}`, "eve", "eve"},
		{`"userName":"@odd","name":{}`, "@odd", "user"},
		{`"userName":"ö@odd"`, "ö@odd", "user1"},
	} {
		body := fmt.Sprintf(`{%s,%s,"emails":[{"value":"%d@idp.example.com"}]}`, scimUser, c.attributes, n)
		if a := scim(t, svc, "POST", "", body); a.StatusCode != 201 {
			t.Fatalf("%s: %d %s", c.attributes, a.StatusCode, a.body)
		}
		user := group.SCIMUsers()[n].User()
		view := into[map[string]any](t, call(t, svc, "GET", fmt.Sprintf("/users/%d", user.ID()), ""), 200)
		if view["name"] != c.name || user.Username() != c.username {
			t.Errorf("%s: name %v, username %s", c.attributes, view["name"], user.Username())
		}
	}
	if a := scim(t, svc, "POST", "",
		`{`+scimUser+`,"userName":"","emails":[{"value":"x@idp.example.com"}]}`); a.StatusCode != 400 {
		t.Errorf("an empty user name: %d %s", a.StatusCode, a.body)
	}
}

// TestSCIMTakenIDs checks that an external ID, a name and an account are unique within
// a group, but not across groups.
func TestSCIMTakenIDs(t *testing.T) {
	svc := servicetest.New(t)
	ada, bob := svc.User("ada"), svc.User("bob")
	group, other := svc.Group("acme"), svc.Group("umbrella")
	group.ProvisionSCIM(ada, "idp-1")
	group.ProvisionSCIM(bob, "idp-2")
	other.ProvisionSCIM(ada, "idp-1")
	for detail, body := range map[string]string{
		"externalId is taken": `"userName":"cy","externalId":"idp-1","emails":[{"value":"cy@example.com"}]`,
		"userName is taken":   `"userName":"ADA","externalId":"idp-3","emails":[{"value":"cy@example.com"}]`,
		"The account with this email address is in the group already": `"userName":"cy","externalId":"idp-3",` +
			`"emails":[{"value":"ada@example.com"}]`,
	} {
		a := into[map[string]any](t, scim(t, svc, "POST", "", `{`+scimUser+`,`+body+`}`), 409)
		if a["scimType"] != "uniqueness" || a["detail"] != detail {
			t.Errorf("%s: %v", body, a)
		}
	}
	patch := `{` + scimPatch + `,"Operations":[{"op":"replace","path":"externalId","value":"%s"}]}`
	if a := scim(t, svc, "PATCH", "/scim-2", fmt.Sprintf(patch, "idp-1")); a.StatusCode != 409 {
		t.Errorf("taking another's id: %d %s", a.StatusCode, a.body)
	}
	if a := scim(t, svc, "PATCH", "/scim-1", fmt.Sprintf(patch, "idp-1")); a.StatusCode != 204 {
		t.Errorf("keeping one's own: %d %s", a.StatusCode, a.body)
	}
	if a := scim(t, svc, "GET", "/scim-3", ""); a.StatusCode != 404 {
		t.Errorf("a user of another group: %d %s", a.StatusCode, a.body)
	}
}

// TestSCIMIdentitiesOfOtherGroups checks that a change in one group does not
// change identities of other groups or other kinds.
func TestSCIMIdentitiesOfOtherGroups(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada", servicetest.SignsInWith("ldap", "uid=ada"))
	svc.Group("acme").ProvisionSCIM(ada, "idp-1")
	svc.Group("umbrella").ProvisionSCIM(ada, "other-1")
	identities := func() string {
		return compact(into[map[string]any](t, call(t, svc, "GET", "/users/2", ""), 200)["identities"])
	}
	const (
		ldap  = `{"extern_uid":"uid=ada","provider":"ldap"}`
		other = `{"extern_uid":"other-1","provider":"group_saml","saml_provider_id":2}`
		own   = `{"extern_uid":"idp-%d","provider":"group_saml","saml_provider_id":1}`
	)
	if got, want := identities(), "["+ldap+","+fmt.Sprintf(own, 1)+","+other+"]"; got != want {
		t.Errorf("identities %s, want %s", got, want)
	}
	body := `{` + scimPatch + `,"Operations":[{"op":"replace","path":"externalId","value":"idp-2"}]}`
	refused(t, scim(t, svc, "PATCH", "/scim-1", body), 204, "")
	if got, want := identities(), "["+ldap+","+other+","+fmt.Sprintf(own, 2)+"]"; got != want {
		t.Errorf("after a change: %s, want %s", got, want)
	}
	refused(t, scim(t, svc, "DELETE", "/scim-1", ""), 204, "")
	if got, want := identities(), "["+ldap+","+other+"]"; got != want {
		t.Errorf("after the end: %s, want %s", got, want)
	}
}
