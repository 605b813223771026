package servicetest_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"example.com/serviceapi/servicetest"
)

// TestMembersOfForms adds members in the ways of other clients: form-encoded, with
// several IDs separated by commas, or with a single ID as a string.
func TestMembersOfForms(t *testing.T) {
	svc := servicetest.New(t)
	group := svc.Group("acme")
	ada, bob, eve := svc.User("ada", servicetest.PublicEmail("ada@example.com")), svc.User("bob"), svc.User("eve")
	form := []string{"Content-Type", "application/x-www-form-urlencoded"}
	refused(t,
		call(t, svc, "POST", "/groups/acme/members", "user_id=2,3&access_level=30&expires_at=2026-03-01", form...), 201,
		`{"status":"success"}`)
	for _, user := range []*servicetest.User{ada, bob} {
		if m, _ := group.Membership(user); m.Level != servicetest.Developer || m.ExpiresAt.IsZero() {
			t.Errorf("%s: %+v", user.Username(), m)
		}
	}
	one := into[map[string]any](t, call(t, svc, "POST", "/groups/acme/members", `{"user_id":"4","access_level":"10"}`),
		201)
	if one["username"] != eve.Username() || one["access_level"] != 10.0 {
		t.Errorf("member = %v", one)
	}
	refused(t, call(t, svc, "POST", "/groups/acme/members", "access_level=30", form...), 400,
		`{"error":"user_id is missing"}`)
	for _, level := range []string{"31", "0", "60"} { // nobody is a member without a role
		refused(t, call(t, svc, "PUT", "/groups/acme/members/4", `{"access_level":`+level+`}`), 400,
			`{"error":"access_level does not have a valid value"}`)
		refused(t, call(t, svc, "POST", "/groups/acme/members", "user_id=1&access_level="+level, form...), 400,
			`{"error":"access_level does not have a valid value"}`)
	}
}

// TestMemberForms checks where dates are timestamps, and the members that only some
// forms have.
func TestMemberForms(t *testing.T) {
	svc := servicetest.New(t)
	group := svc.Group("acme")
	group.AddMember(svc.User("ada", servicetest.PublicEmail("ada@example.com")), servicetest.Guest,
		servicetest.MemberUntil(servicetest.Epoch.AddDate(0, 1, 0)))
	group.AddMember(svc.User("bob"), servicetest.Guest)
	direct := call(t, svc, "GET", "/groups/acme/members", "").body
	for _, part := range []string{`"expires_at":"2026-02-15"`, `"expires_at":null`, `"email":"ada@example.com"`,
		`"group_saml_identity":null`} {
		if !strings.Contains(direct, part) {
			t.Errorf("no %s in %s", part, direct)
		}
	}
	if n := strings.Count(direct, `"email"`); n != 1 {
		t.Errorf("%d addresses are shown, want the public one alone: %s", n, direct)
	}
	if memberships := call(t, svc, "GET", "/groups/acme/billable_members/2/memberships",
		"").body; !strings.Contains(memberships, `"expires_at":"2026-02-15"`) {
		t.Errorf("memberships = %s", memberships)
	}
}

func TestBillableMembersNeedAnOwner(t *testing.T) {
	svc := servicetest.New(t)
	maintainer := svc.User("ada")
	svc.Group("acme", servicetest.Member(maintainer, servicetest.Maintainer))
	for _, path := range []string{"", "/2/memberships"} {
		a := call(t, svc, "GET", "/groups/acme/billable_members"+path, "", "PRIVATE-TOKEN", svc.Token(maintainer))
		refused(t, a, 403, `{"message":"403 Forbidden"}`)
	}
}

// TestMembersBelowTheInheritedRole checks that a user who inherits a role from
// a parent group cannot be given a lower one.
func TestMembersBelowTheInheritedRole(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	svc.Group("acme", servicetest.Member(ada, servicetest.Maintainer),
		servicetest.Member(svc.User("boss"), servicetest.Owner))
	team, app := svc.Group("acme/team"), svc.Project("acme/team/app")
	const refusal = `{"message":{"access_level":["should be greater than or equal to Maintainer inherited ` +
		`membership from group Acme"]}}`
	for _, home := range []string{"/groups/acme%2Fteam", "/projects/1"} {
		refused(t, call(t, svc, "POST", home+"/members", `{"user_id":2,"access_level":30}`), 400, refusal)
	}
	if _, isMember := team.Membership(ada); isMember {
		t.Error("the refused member is in the group")
	}
	for _, level := range []servicetest.AccessLevel{servicetest.Maintainer, servicetest.Owner} {
		app.AddMember(ada, level)
		refused(t, call(t, svc, "PUT", "/projects/1/members/2", `{"access_level":10}`), 400, refusal)
		if m, _ := app.Membership(ada); m.Level != level {
			t.Errorf("level %v, want %v", m.Level, level)
		}
	}
	if a := call(t, svc, "PUT", "/projects/1/members/2",
		`{"access_level":40,"expires_at":"2026-03-01"}`); a.StatusCode != 200 || !strings.Contains(a.body,
		`"expires_at":"2026-03-01"`) {
		t.Errorf("as high as above: %d %s", a.StatusCode, a.body)
	}
	if a := call(t, svc, "PUT", "/projects/1/members/2", `{"access_level":40}`); !strings.Contains(a.body,
		`"expires_at":"2026-03-01"`) {
		t.Errorf("what is not named remains: %s", a.body)
	}
	if a := call(t, svc, "PUT", "/projects/1/members/2",
		`{"access_level":40,"expires_at":""}`); !strings.Contains(a.body, `"expires_at":null`) {
		t.Errorf("an empty date removes it: %s", a.body)
	}
}

// TestLastOwnerStays checks that a group always has an owner, and that a
// personal project belongs to its user.
func TestLastOwnerStays(t *testing.T) {
	svc := servicetest.New(t)
	ada, bob := svc.User("ada"), svc.User("bob")
	svc.Group("acme", servicetest.Member(ada, servicetest.Owner))
	team := svc.Group("acme/team", servicetest.Member(bob, servicetest.Owner))
	svc.Project("ada/notes")
	const demoted = `{"access_level":40}`
	refused(t, call(t, svc, "PUT", "/groups/acme/members/2", demoted), 403, `{"message":"403 Forbidden"}`)
	refused(t, call(t, svc, "PUT", "/projects/ada%2Fnotes/members/2", demoted), 403, `{"message":"403 Forbidden"}`)
	if a := call(t, svc, "PUT", "/groups/acme%2Fteam/members/3", demoted); a.StatusCode != 200 {
		t.Errorf("the group above has an owner: %d %s", a.StatusCode, a.body)
	}
	svc.Group("acme").AddMember(bob, servicetest.Owner, servicetest.Awaiting())
	refused(t, call(t, svc, "PUT", "/groups/acme/members/2", demoted), 403, `{"message":"403 Forbidden"}`)
	svc.Group("acme").AddMember(svc.User("cy"), servicetest.Owner)
	if a := call(t, svc, "PUT", "/groups/acme/members/2", demoted); a.StatusCode != 200 {
		t.Errorf("with another owner: %d %s", a.StatusCode, a.body)
	}
	if m, _ := team.Membership(bob); m.Level != servicetest.Maintainer {
		t.Errorf("bob is %v", m.Level)
	}
}

// TestBillableByInvitation: a user who is both a member and invited counts as a member.
func TestBillableByInvitation(t *testing.T) {
	svc := servicetest.New(t)
	both, guest := svc.User("both"), svc.User("guest")
	acme, others := svc.Group("acme"), svc.Group("others")
	acme.AddMember(both, servicetest.Developer)
	others.AddMember(both, servicetest.Maintainer)
	others.AddMember(guest, servicetest.Developer)
	elsewhere := svc.Project("elsewhere/app")
	elsewhere.ShareWith(svc.Group("strangers", servicetest.Member(svc.User("stranger"), servicetest.Developer)),
		servicetest.Developer)
	acme.ShareWith(others, servicetest.Reporter)
	got := map[string]string{}
	for _, m := range into[[]map[string]any](t, call(t, svc, "GET", "/groups/1/billable_members", ""), 200) {
		got[m["username"].(string)] = m["membership_type"].(string)
	}
	if got["both"] != "group_member" || got["guest"] != "group_invite" || got["stranger"] != "" {
		t.Errorf("memberships %v", got)
	}
}

// TestImpossibleUsers checks that invalid email addresses and weak passwords
// are refused, and do not change the user.
func TestImpossibleUsers(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada", servicetest.Password("correct horse"))
	const (
		address  = `{"message":{"email":["is invalid"]}}`
		password = `{"message":{"password":["is too short (minimum is 8 characters)"]}}`
	)
	for _, email := range []string{"ada", "@example.com", "ada@", "a da@example.com", "a@b@c"} {
		refused(t,
			call(t, svc, "POST", "/users", `{"email":"`+email+`","name":"B","username":"b","reset_password":true}`),
			400, address)
		refused(t, call(t, svc, "PUT", "/users/2", `{"email":"`+email+`"}`), 400, address)
	}
	for _, short := range []string{"x", "seven77", "ääääääå"} {
		refused(t,
			call(t, svc, "POST", "/users",
				`{"email":"b@example.com","name":"B","username":"b","password":"`+short+`"}`), 400, password)
		refused(t, call(t, svc, "PUT", "/users/2", `{"password":"`+short+`"}`), 400, password)
	}
	if ada.Password() != "correct horse" || ada.Email() != "ada@example.com" || ada.MustChangePassword() {
		t.Errorf("ada has %q, %q", ada.Password(), ada.Email())
	}
	const unused = `{"email":"b@example.com","name":"B","username":"b","password":"x","force_random_password":true}`
	if a := call(t, svc, "POST", "/users", unused); a.StatusCode != 201 {
		t.Errorf("a password that is not used: %d %s", a.StatusCode, a.body)
	}
	if a := call(t, svc, "PUT", "/users/2", `{"password":"åäö12345"}`); a.StatusCode != 200 {
		t.Errorf("eight characters: %d %s", a.StatusCode, a.body)
	}
}

// TestOwnAddress checks that users see their own email address, but no other.
func TestOwnAddress(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.Token(svc.User("ada"))
	svc.User("bob")
	if a := get(t, svc, "/user", "PRIVATE-TOKEN", ada); !strings.Contains(a.body,
		`"email":"ada@example.com","commit_email":"ada@example.com"`) || strings.Contains(a.body, "is_admin") {
		t.Errorf("own: %s", a.body)
	}
	for _, path := range []string{"/users/2", "/users/3", "/users"} {
		if a := get(t, svc, path, "PRIVATE-TOKEN", ada); a.StatusCode != 200 || strings.Contains(a.body,
			`@example.com`) {
			t.Errorf("%s: %s", path, a.body)
		}
	}
	if a := get(t, svc, "/user?with_custom_attributes=maybe", "PRIVATE-TOKEN", ada); a.StatusCode != 400 {
		t.Errorf("a parameter of the wrong type: %d", a.StatusCode)
	}
}

// TestCustomRoles: a member shows its custom role, with level and permissions.
func TestCustomRoles(t *testing.T) {
	svc := servicetest.New(t)
	svc.User("ada")
	svc.Group("acme")
	role := svc.MemberRole("Auditing", servicetest.Reporter, "read_code", "admin_vulnerability")
	made := into[map[string]any](t, call(t, svc, "POST", "/groups/1/members",
		fmt.Sprintf(`{"user_id":2,"access_level":20,"member_role_id":%d}`, role)), 201)
	shown := made["member_role"].(map[string]any)
	maps.DeleteFunc(shown, func(_ string, value any) bool { return value == false })
	same(t, spaced(shown), "map[admin_vulnerability:true base_access_level:20 description:<nil> "+
		"group_id:<nil> id:1 name:Auditing read_code:true]")
}

// TestCustomRolesOfOtherLevels: a custom role requires its own level, and 0 removes it.
// An invited group can have one, too.
func TestCustomRolesOfOtherLevels(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	svc.Group("acme").AddMember(ada, servicetest.Guest)
	svc.Group("team")
	svc.MemberRole("Auditing", servicetest.Reporter)
	refused(t, call(t, svc, "PUT", "/groups/1/members/2", `{"access_level":30,"member_role_id":1}`), 400,
		`{"message":{"member_role_id":["the custom role's base access level does not match the current access `+
			`level"]}}`)
	shows(t, svc, "/groups/1/members/2", "access_level member_role", "10 null")
	for _, change := range []struct{ body, want string }{
		{`{"access_level":20,"member_role_id":1}`, "20 1"},
		{`{"access_level":20}`, "20 1"},
		{`{"access_level":20,"member_role_id":0}`, `20 "(absent)"`},
	} {
		into[any](t, call(t, svc, "PUT", "/groups/1/members/2", change.body), 200)
		shows(t, svc, "/groups/1/members/2", "access_level member_role.id", change.want)
	}
	into[any](t, call(t, svc, "POST", "/groups/1/share", `{"group_id":2,"group_access":20,"member_role_id":1}`), 201)
	shows(t, svc, "/groups/1", "shared_with_groups.0.group_id shared_with_groups.0.member_role_id", "2 1")
}

// TestTasksOfNewMembers: a new member keeps tasks only while the feature flag is
// enabled.
func TestTasksOfNewMembers(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	for i, on := range []bool{false, true} {
		user := svc.User(fmt.Sprint("user", i))
		svc.SetFeature("invite_members_for_task", on)
		into[any](t, call(t, svc, "POST", "/projects/1/members", fmt.Sprintf(
			`{"user_id":%d,"access_level":30,"tasks_to_be_done":["ci","code"],"tasks_project_id":1}`, user.ID())), 201)
		m, _ := app.Membership(user)
		same(t, spaced(m.Tasks, m.TasksProject), []string{"[] 0", "[ci code] 1"}[i])
	}
}
