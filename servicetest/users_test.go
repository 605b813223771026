package servicetest_test

import (
	"strings"
	"testing"

	"example.com/serviceapi/servicetest"
)

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
		refused(t, call(t, svc, "POST", "/users", `{"email":"`+email+`","name":"B","username":"b","reset_password":true}`), 400, address)
		refused(t, call(t, svc, "PUT", "/users/2", `{"email":"`+email+`"}`), 400, address)
	}
	for _, short := range []string{"x", "seven77", "ääääääå"} {
		refused(t, call(t, svc, "POST", "/users", `{"email":"b@example.com","name":"B","username":"b","password":"`+short+`"}`), 400, password)
		refused(t, call(t, svc, "PUT", "/users/2", `{"password":"`+short+`"}`), 400, password)
	}
	if ada.Password() != "correct horse" || ada.Email() != "ada@example.com" || ada.MustChangePassword() {
		t.Errorf("ada has %q, %q", ada.Password(), ada.Email())
	}
	if a := call(t, svc, "POST", "/users", `{"email":"b@example.com","name":"B","username":"b","password":"x","force_random_password":true}`); a.StatusCode != 201 {
		t.Errorf("a password that is not used: %d %s", a.StatusCode, a.body)
	}
	if a := call(t, svc, "PUT", "/users/2", `{"password":"åäö12345"}`); a.StatusCode != 200 {
		t.Errorf("eight characters: %d %s", a.StatusCode, a.body)
	}
}

// TestOwnAddress checks that users see their own email address and no other.
func TestOwnAddress(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.Token(svc.User("ada"))
	svc.User("bob")
	if a := get(t, svc, "/user", "PRIVATE-TOKEN", ada); !strings.Contains(a.body, `"email":"ada@example.com","commit_email":"ada@example.com"`) || strings.Contains(a.body, "is_admin") {
		t.Errorf("own: %s", a.body)
	}
	for _, path := range []string{"/users/2", "/users/3", "/users"} {
		if a := get(t, svc, path, "PRIVATE-TOKEN", ada); a.StatusCode != 200 || strings.Contains(a.body, `@example.com`) {
			t.Errorf("%s: %s", path, a.body)
		}
	}
	if a := get(t, svc, "/user?with_custom_attributes=maybe", "PRIVATE-TOKEN", ada); a.StatusCode != 400 {
		t.Errorf("a parameter of the wrong type: %d", a.StatusCode)
	}
}
