package servicetest_test

import (
	"strings"
	"testing"

	"example.com/serviceapi/servicetest"
)

// TestMembersOfForms adds members as other clients do: form-encoded, several
// ids with commas, or one as a text.
func TestMembersOfForms(t *testing.T) {
	svc := servicetest.New(t)
	group := svc.Group("acme")
	ada, bob, eve := svc.User("ada", servicetest.PublicEmail("ada@example.com")), svc.User("bob"), svc.User("eve")
	form := []string{"Content-Type", "application/x-www-form-urlencoded"}
	refused(t, call(t, svc, "POST", "/groups/acme/members", "user_id=2,3&access_level=30&expires_at=2026-03-01", form...), 201, `{"status":"success"}`)
	for _, user := range []*servicetest.User{ada, bob} {
		if m, _ := group.Membership(user); m.Level != servicetest.Developer || m.ExpiresAt.IsZero() {
			t.Errorf("%s: %+v", user.Username(), m)
		}
	}
	one := into[map[string]any](t, call(t, svc, "POST", "/groups/acme/members", `{"user_id":"4","access_level":"10"}`), 201)
	if one["username"] != eve.Username() || one["access_level"] != 10.0 {
		t.Errorf("member = %v", one)
	}
	refused(t, call(t, svc, "POST", "/groups/acme/members", "access_level=30", form...), 400, `{"error":"user_id is missing"}`)
	refused(t, call(t, svc, "PUT", "/groups/acme/members/4", `{"access_level":31}`), 400, `{"error":"access_level does not have a valid value"}`)
}

// TestMemberForms shows where dates are timestamps, and what only some members
// have.
func TestMemberForms(t *testing.T) {
	svc := servicetest.New(t)
	group := svc.Group("acme")
	group.AddMember(svc.User("ada", servicetest.PublicEmail("ada@example.com")), servicetest.Guest, servicetest.MemberUntil(servicetest.Epoch.AddDate(0, 1, 0)))
	group.AddMember(svc.User("bob"), servicetest.Guest)
	direct := call(t, svc, "GET", "/groups/acme/members", "").body
	for _, part := range []string{`"expires_at":"2026-02-15T09:00:00.000Z"`, `"expires_at":null`, `"email":"ada@example.com"`, `"group_saml_identity":null`} {
		if !strings.Contains(direct, part) {
			t.Errorf("no %s in %s", part, direct)
		}
	}
	if n := strings.Count(direct, `"email"`); n != 1 {
		t.Errorf("%d addresses are shown, want the public one alone: %s", n, direct)
	}
	if memberships := call(t, svc, "GET", "/groups/acme/billable_members/2/memberships", "").body; !strings.Contains(memberships, `"expires_at":"2026-02-15"`) {
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
