package servicetest_test

import (
	"archive/tar"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
)

// TestArchiveWithoutFormat checks that the path without a suffix is a gzip
// archive, and that the forms of bzip2, for which there is no encoder, are 406.
func TestArchiveWithoutFormat(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	got := call(t, svc, "GET", "/projects/1/repository/archive?sha=main", "")
	if got.StatusCode != 200 {
		t.Fatalf("%d %s", got.StatusCode, got.body)
	}
	if name, want := got.Header.Get("Content-Disposition"), "app-main-"+app.Head("main")+".tar.gz"; name != fmt.Sprintf("attachment; filename=%q", want) {
		t.Errorf("it is named %s, want %s", name, want)
	}
	unpacked, err := gzip.NewReader(strings.NewReader(got.body))
	if err != nil {
		t.Fatal(err)
	}
	if first, err := tar.NewReader(unpacked).Next(); err != nil || first.Name != "app-main-"+app.Head("main")+"/README.md" {
		t.Errorf("%v, %v", first, err)
	}
	for format, status := range map[string]int{".tar.gz": 200, ".tar": 200, ".zip": 200, ".tar.bz2": 406, ".tbz": 406, ".tbz2": 406, ".tb2": 406, ".bz2": 406, ".": 404} {
		if got := call(t, svc, "GET", "/projects/1/repository/archive"+format, ""); got.StatusCode != status {
			t.Errorf("archive%s: %d, want %d", format, got.StatusCode, status)
		}
	}
}

// TestErasedJobSaysWhen checks erased_at of jobs.
func TestErasedJobSaysWhen(t *testing.T) {
	svc := servicetest.New(t)
	job := svc.Project("acme/app").Pipeline("main").Job("build", servicetest.Trace("done\n"))
	path := fmt.Sprintf("/projects/1/jobs/%d", job.ID())
	if at := into[map[string]any](t, call(t, svc, "GET", path, ""), 200)["erased_at"]; at != nil {
		t.Errorf("erased at %v before it was", at)
	}
	svc.Advance(time.Hour)
	want := servicetest.Epoch.Add(time.Hour).Format("2006-01-02T15:04:05.000Z")
	if at := into[map[string]any](t, call(t, svc, "POST", path+"/erase", ""), 201)["erased_at"]; at != want {
		t.Errorf("erased at %v, want %s", at, want)
	}
	svc.Advance(time.Hour)
	if at := into[map[string]any](t, call(t, svc, "GET", path, ""), 200)["erased_at"]; at != want {
		t.Errorf("later, erased at %v, want %s", at, want)
	}
}

// TestOwnAccount checks that users see of themselves what of others only
// administrators see.
func TestOwnAccount(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada", servicetest.TwoFactor(), servicetest.External(), servicetest.SignedIn(servicetest.Epoch, "10.0.0.1"),
		servicetest.SignsInWith("ldap", "uid=ada"))
	svc.User("bob")
	token := svc.Token(ada)
	own := into[map[string]any](t, call(t, svc, "GET", "/user", "", "PRIVATE-TOKEN", token), 200)
	other := into[map[string]any](t, call(t, svc, "GET", "/users/3", "", "PRIVATE-TOKEN", token), 200)
	for _, name := range []string{
		"last_sign_in_at", "confirmed_at", "last_activity_on", "theme_id", "color_scheme_id", "projects_limit", "current_sign_in_at",
		"identities", "can_create_group", "can_create_project", "two_factor_enabled", "external", "private_profile",
	} {
		if _, there := own[name]; !there {
			t.Errorf("the own account has no %s", name)
		}
		if _, there := other[name]; there {
			t.Errorf("the account of another user has %s", name)
		}
	}
	if own["two_factor_enabled"] != true || own["external"] != true || own["projects_limit"] == 0.0 || own["current_sign_in_at"] == nil {
		t.Errorf("own = %v", own)
	}
	for _, name := range []string{"is_admin", "note", "current_sign_in_ip", "last_sign_in_ip", "sign_in_count", "namespace_id"} {
		if _, there := own[name]; there {
			t.Errorf("the own account has %s", name)
		}
	}
}
