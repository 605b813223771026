package scim

import (
	"encoding/json"
	"strings"
	"testing"
)

func ada() User {
	return User{
		ExternalID: "e-1", UserName: "ada", DisplayName: "Ada K", Active: true, Name: Name{Formatted: "Ada"},
		Emails: []Email{{Value: "ada@example.com", Type: "work", Primary: true}},
	}
}

func TestFilters(t *testing.T) {
	user := ada()
	for filter, want := range map[string]bool{
		``: true, `  `: true,
		`id eq "scim-1"`: true, `ID EQ "scim-1"`: true, `id eq "SCIM-1"`: false, `id eq "scim-2"`: false,
		`id eq ""`: false, `id eq "e-1"`: true,
		`externalId eq "e-1"`: true, `externalId eq "E-1"`: false, `externalId eq ""`: false,
		`userName eq "ADA"`: true, `userName eq "adam"`: false, `userName eq ""`: false,
		`urn:ietf:params:scim:schemas:core:2.0:User:userName eq "ada"`: true,
		`displayName eq "ada k"`: true, `displayName  eq   "Ada K"`: true,
		`active eq true`: true, `active eq "True"`: true, `active eq false`: false,
		`emails eq "ADA@example.com"`: true, `emails.value eq "x@example.com"`: false,
		`userName eq "ada" and active eq true`: true, `userName eq "ada" AND id eq "scim-2"`: false,
		`displayName eq "Ada K" and id eq "scim-1" and externalId eq "e-1"`: true,
	} {
		parsed, problem := ParseFilter(filter)
		if problem != nil || parsed.Matches("scim-1", &user) != want {
			t.Errorf("%s: %+v, want %t", filter, problem, want)
		}
	}
	nameless := User{}
	if parsed, problem := ParseFilter(`displayName eq ""`); problem != nil || !parsed.Matches("", &nameless) ||
		parsed.Matches("", &user) {
		t.Errorf("an empty name: %+v", problem)
	}
	if parsed, problem := ParseFilter(`id eq 12345678901234567890`); problem != nil ||
		!parsed.Matches("12345678901234567890", &user) {
		t.Errorf("a large number: %+v", problem)
	}
}

func TestFiltersThatCannotBeRead(t *testing.T) {
	for _, filter := range []string{
		`userName`, `userName eq`, `userName eq ada`, `userName co "a"`, `eq "ada"`, `userName eq "a" or id eq "b"`,
		`userName eq "a" id eq "b"`, `userName eq "a" and`, `shoeSize eq 7`, `(userName eq "a")`, `userName eq "a`,
	} {
		if _, problem := ParseFilter(filter); problem == nil || problem.Kind != "invalidFilter" ||
			problem.Detail == "" {
			t.Errorf("%s: %+v", filter, problem)
		}
	}
}

func TestPatches(t *testing.T) {
	const rest = `"displayName":"Ada K","emails":[{"value":"ada@example.com","type":"work","primary":true}],` +
		`"active":true}`
	for _, test := range []struct{ operation, want string }{
		{`{"op":"Replace","path":"active","value":"False"}`,
			`"active":false`},
		{`{"op":"replace","path":"urn:ietf:params:scim:schemas:core:2.0:User:active","value":false}`,
			`"active":false`},
		{`{"op":"replace","path":"USERNAME","value":"countess"}`,
			`"userName":"countess"`},
		{`{"op":"replace","path":"urn:ietf:params:scim:schemas:core:2.0:User:displayName","value":"C"}`,
			`"displayName":"C"`},
		{`{"op":"add","path":"name","value":{"givenName":"A"}}`,
			`"name":{"formatted":"Ada","givenName":"A"}`},
		{`{"op":"replace","path":"name","value":{"givenName":"A"}}`,
			`"name":{"givenName":"A"}`},
		{`{"op":"replace","path":"name","value":{}}`,
			`"userName":"ada",` + rest},
		{`{"op":"replace","path":"name.formatted","value":""}`,
			`"userName":"ada",` + rest},
		{`{"op":"remove","path":"name.formatted"}`,
			`"userName":"ada",` + rest},
		{`{"op":"remove","path":"name"}`,
			`"userName":"ada",` + rest},
		{`{"op":"remove","path":"displayName"}`,
			`"name":{"formatted":"Ada"},"emails"`},
		{`{"op":"replace","path":"name.familyName","value":"K"}`,
			`"name":{"formatted":"Ada","familyName":"K"}`},
		{`{"op":"replace","path":"emails[type eq \"work\"].value","value":"b@example.com"}`,
			`"emails":[{"value":"b@example.com","type":"work","primary":true}]`},
		{`{"op":"replace","path":"emails[primary eq true].value","value":"b@example.com"}`,
			`"emails":[{"value":"b@example.com","type":"work","primary":true}]`},
		{`{"op":"add","path":"emails[type eq \"home\"].value","value":"b@example.com"}`,
			`{"value":"b@example.com","type":"home"}]`},
		{`{"op":"replace","path":"emails[type eq \"work\"]","value":{"value":"b@example.com"}}`,
			`"emails":[{"value":"b@example.com","type":"work","primary":true}]`},
		{`{"op":"add","path":"emails","value":[{"value":"b@example.com"}]}`,
			`"primary":true},{"value":"b@example.com"}]`},
		{`{"op":"replace","path":"emails","value":[{"value":"b@example.com"}]}`,
			`"emails":[{"value":"b@example.com"}]`},
		{`{"op":"remove","path":"emails[type eq \"work\"]"}`,
			`"emails":[]`},
		{`{"op":"replace","value":{"externalId":"e","active":false}}`,
			`{"externalId":"e","userName"`},
	} {
		var o Operation
		if err := json.Unmarshal([]byte(test.operation), &o); err != nil {
			t.Fatal(err)
		}
		user := ada()
		before := user.Clone()
		problem := o.Apply(&user)
		got, err := json.Marshal(user)
		if err != nil || problem != nil || !strings.Contains(string(got), test.want) {
			t.Errorf("%s: %s, %+v, want %s", test.operation, got, problem, test.want)
		}
		if before.UserName != "ada" || before.Emails[0].Value != "ada@example.com" {
			t.Errorf("%s: a clone changed", test.operation)
		}
	}
}

func TestPatchesThatCannotBeApplied(t *testing.T) {
	for operation, want := range map[string]string{
		`{"op":"move","path":"userName"}`:                                                  "invalidSyntax",
		`{"op":"remove"}`:                                                                  "noTarget",
		`{"op":"remove","path":"shoeSize"}`:                                                "invalidPath",
		`{"op":"replace","path":"shoeSize","value":7}`:                                     "invalidPath",
		`{"op":"replace","value":{"shoeSize":7}}`:                                          "invalidPath",
		`{"op":"replace","path":"userName","value":7}`:                                     "invalidValue",
		`{"op":"replace","path":"userName"}`:                                               "invalidValue",
		`{"op":"replace","path":"active","value":"perhaps"}`:                               "invalidValue",
		`{"op":"replace","value":7}`:                                                       "invalidValue",
		`{"op":"replace","path":"emails[primary eq false].value","value":"x@example.com"}`: "noTarget",
		`{"op":"replace","path":"emails[display eq \"x\"].value","value":"x@example.com"}`: "invalidPath",
		`{"op":"replace","path":"emails","value":"x@example.com"}`:                         "invalidValue",
	} {
		var o Operation
		if err := json.Unmarshal([]byte(operation), &o); err != nil {
			t.Fatal(err)
		}
		user := ada()
		if problem := o.Apply(&user); problem == nil || problem.Kind != want || problem.Detail == "" {
			t.Errorf("%s: %+v, want %s", operation, problem, want)
		}
	}
}

func TestUsers(t *testing.T) {
	user := ada()
	if problem := user.Check(); problem != nil || user.Email() != "ada@example.com" || user.FullName() != "Ada" {
		t.Errorf("%+v, %q, %q", problem, user.Email(), user.FullName())
	}
	for name, u := range map[string]User{"Ada K": {Name: Name{GivenName: "Ada", FamilyName: "K"}},
		"A": {DisplayName: "A"}, "a": {UserName: "a"}} {
		if u.FullName() != name {
			t.Errorf("%q, want %q", u.FullName(), name)
		}
	}
	second := User{UserName: "a", Emails: []Email{{Value: "one@example.com"},
		{Value: "two@example.com", Primary: true}}}
	if second.Email() != "two@example.com" {
		t.Errorf("the primary address is %q", second.Email())
	}
	second.Emails[1].Primary = false
	if second.Email() != "one@example.com" {
		t.Errorf("the first address is %q", second.Email())
	}
	for _, u := range []User{{}, {UserName: "a"}, {Emails: second.Emails}} {
		if problem := u.Check(); problem == nil || problem.Kind != "invalidValue" {
			t.Errorf("%+v: %+v", u, problem)
		}
	}
}
