package servicetest_test

import (
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

func TestSCIMPatchPaths(t *testing.T) {
	for _, tc := range []struct{ operations, want string }{
		{`{"op":"Replace","path":"active","value":"False"}`, `"active":false`},
		{`{"op":"replace","path":"USERNAME","value":"countess"}`, `"userName":"countess"`},
		{`{"op":"replace","path":"urn:ietf:params:scim:schemas:core:2.0:User:displayName","value":"C"}`, `"displayName":"C"`},
		{`{"op":"add","path":"name","value":{"givenName":"A"}}`, `"name":{"formatted":"Ada","givenName":"A"}`},
		{`{"op":"replace","path":"name","value":{"givenName":"A"}}`, `"name":{"givenName":"A"}`},
		{`{"op":"replace","path":"name.familyName","value":"K"}`, `"name":{"formatted":"Ada","familyName":"K"}`},
		{`{"op":"replace","path":"emails[type eq \"work\"].value","value":"b@x.org"}`, `"emails":[{"value":"b@x.org","type":"work","primary":true}]`},
		{`{"op":"replace","path":"emails[primary eq true].value","value":"b@x.org"}`, `"emails":[{"value":"b@x.org","type":"work","primary":true}]`},
		{`{"op":"add","path":"emails[type eq \"home\"].value","value":"b@x.org"}`, `{"value":"b@x.org","type":"home"}]`},
		{`{"op":"add","path":"emails","value":[{"value":"b@x.org","type":"home"}]},{"op":"remove","path":"emails[type eq \"work\"]"}`, `"emails":[{"value":"b@x.org","type":"home"}]`},
		{`{"op":"replace","value":{"externalId":"e","active":true}}`, `"externalId":"e"`},
		{`{"op":"remove","path":"name"}`, `"userName":"ada","emails"`},
	} {
		svc := servicetest.New(t)
		svc.Group("acme").ProvisionSCIM(svc.User("ada"), "")
		if a := scim(t, svc, "PATCH", "/scim-1", `{`+scimPatch+`,"Operations":[`+tc.operations+`]}`); a.StatusCode != 204 {
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
		{"PATCH", "/scim-1", `{` + scimPatch + `,"Operations":[{"op":"replace","path":"emails[primary eq false].value","value":"x"}]}`, "noTarget"},
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
