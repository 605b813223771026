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

// TestNewBranchIsNotMerged checks that a branch at the head of the default branch
// is not merged, and one that the default branch has left behind is.
func TestNewBranchIsNotMerged(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	app.Branch("work", "main")
	for _, want := range []bool{false, true} {
		branch := into[map[string]any](t, call(t, svc, "GET", "/projects/1/repository/branches/work", ""), 200)
		if branch["merged"] != want {
			t.Errorf("merged is %v, want %v", branch["merged"], want)
		}
		app.Commit("main", "Go on", servicetest.Write("more.txt", "more\n"))
	}
}

// TestMembersAsRecorded checks members that recordings of the product have.
func TestMembersAsRecorded(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app", servicetest.Public())
	app.Issue("Crash")
	app.Commit("work", "Work", servicetest.Write("work.txt", "work\n"))
	app.MergeRequest("work", servicetest.Description("Closes #1"))
	job := app.Pipeline("main").Job("build")
	svc.User("ada")
	call(t, svc, "POST", "/projects/1/fork", `{"namespace_path":"ada"}`)
	call(t, svc, "POST", "/projects/1/repository/commits/"+app.Head("work")+"/comments", `{"note":"Why?","path":"work.txt","line":1,"line_type":"new"}`)
	refs := into[map[string]any](t, call(t, svc, "GET", mergeRequestPath, ""), 200)["diff_refs"].(map[string]any)
	thread := fmt.Sprintf(`{"body":"x","position":{"position_type":"text","base_sha":%q,"start_sha":%q,"head_sha":%q,"old_path":"work.txt","new_path":"work.txt","new_line":1}}`,
		refs["base_sha"], refs["start_sha"], refs["head_sha"])
	call(t, svc, "POST", mergeRequestPath+"/discussions", thread)
	first := func(path string) map[string]any {
		t.Helper()
		return into[[]map[string]any](t, call(t, svc, "GET", path, ""), 200)[0]
	}
	has := func(what string, form any, names ...string) {
		t.Helper()
		for _, name := range names {
			if _, there := form.(map[string]any)[name]; !there {
				t.Errorf("%s has no %s", what, name)
			}
		}
	}
	commit := into[map[string]any](t, call(t, svc, "GET", fmt.Sprintf("/projects/1/jobs/%d", job.ID()), ""), 200)["commit"]
	has("the commit of a job", commit, "parent_ids", "authored_date", "committer_name", "committer_email", "committed_date")
	origin := into[map[string]any](t, call(t, svc, "GET", "/projects/ada%2Fapp", ""), 200)["forked_from_project"].(map[string]any)
	if origin["default_branch"] != "main" || !strings.HasSuffix(fmt.Sprint(origin["readme_url"]), "/acme/app/-/blob/main/README.md") {
		t.Errorf("forked from %v", origin)
	}
	note := first("/projects/1/repository/commits/" + app.Head("work") + "/discussions")["notes"].([]any)[0]
	has("a note on a commit", note, "confidential", "commands_changes")
	has("its author", note.(map[string]any)["author"], "avatar_url", "web_url", "email", "created_at")
	place := first(mergeRequestPath + "/discussions")["notes"].([]any)[0].(map[string]any)["position"]
	has("a position", place, "old_line", "new_line", "line_range")
	if changes := first(mergeRequestPath + "/closes_issues")["changes_count"]; changes != "1" {
		t.Errorf("changes_count is %#v", changes)
	}
}

// TestTextsOfRefusals compares bodies of refusals with those of the product.
func TestTextsOfRefusals(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	svc.Project("acme/old", servicetest.Archived())
	app.MergeRequest("work").Note("Look.")
	const commits = "/projects/1/repository/commits"
	for _, test := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"POST", commits, `{"branch":"main","commit_message":"x","actions":[{"action":"create","file_path":"README.md","content":"x"}]}`, 400,
			`{"message":"A file with this name already exists"}`},
		{"POST", "/projects/1/repository/files/README.md", `{"branch":"main","commit_message":"x","content":"x"}`, 400,
			`{"message":"A file with this name already exists"}`},
		{"PUT", "/projects/1/repository/files/none.md", `{"branch":"main","commit_message":"x","content":"x"}`, 400,
			`{"message":"A file with this name doesn't exist"}`},
		{"POST", commits, `{"branch":"main","commit_message":"x","actions":[{"file_path":"a"},{"action":"create"}]}`, 400,
			`{"error":"actions[0][action] is missing, actions[1][file_path] is missing, actions[1][content] is missing"}`},
		{"POST", mergeRequestPath + "/discussions", `{"body":"x","position":{"position_type":"text","old_path":"a","new_path":"a"}}`, 400,
			`{"error":"position[base_sha] is missing, position[start_sha] is missing, position[head_sha] is missing"}`},
		{"POST", mergeRequestPath + "/discussions", `{"body":"x","position":{"line_range":{"start":{"type":"new"}}}}`, 400, ""},
		{"GET", "/projects/1/issues/9", "", 404, `{"message":"404 Not found"}`},
		{"POST", "/projects/2/issues", `{"title":"x"}`, 403, `{"message":"403 Forbidden"}`},
		{"POST", mergeRequestPath + "/notes", `{"body":" "}`, 400, `{"message":"400 Bad request - Note {:note=\u003e[\"can't be blank\"]}"}`},
		{"POST", mergeRequestPath + "/notes", `{"body":""}`, 400, `{"message":"400 Bad request - Note {:note=\u003e[\"can't be blank\"]}"}`},
		{"PUT", mergeRequestPath + "/notes/1", `{"body":""}`, 400, `{"message":"400 Bad request - Note {:note=\u003e[\"can't be blank\"]}"}`},
		{"POST", mergeRequestPath + "/notes", `{}`, 400, `{"error":"body is missing"}`},
	} {
		a := call(t, svc, test.method, test.path, test.body)
		if test.want != "" {
			refused(t, a, test.status, test.want)
		} else if a.StatusCode != test.status || !strings.Contains(a.body, "position[line_range][start][line_code] is missing") {
			t.Errorf("%s %s: %d %s", test.method, test.path, a.StatusCode, a.body)
		}
	}
}

// TestFormerPathsRedirect checks that reads with a former path of a project are
// redirected, and that nothing else works with it.
func TestFormerPathsRedirect(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app")
	svc.Group("other")
	stranger := svc.Token(svc.User("stranger"))
	for _, change := range [][2]string{
		{"/projects/1", `{"path":"tool"}`}, {"/groups/1", `{"path":"corp"}`}, {"/projects/1/transfer", `{"namespace":2}`},
	} {
		if a := call(t, svc, "PUT", change[0], change[1]); a.StatusCode != 200 {
			t.Fatalf("%d %s", a.StatusCode, a.body)
		}
	}
	for _, path := range []string{"acme%2Fapp", "ACME%2Ftool", "corp%2Ftool"} {
		for read, to := range map[string]string{"": "", "?license=true": "?license=true", "/issues?state=opened": "/issues?state=opened"} {
			a := call(t, svc, "GET", "/projects/"+path+read, "")
			if location := a.Header.Get("Location"); a.StatusCode != 302 || location != svc.URL()+"/api/v4/projects/1"+to {
				t.Errorf("%s%s: %d to %s", path, read, a.StatusCode, location)
			}
			refused(t, call(t, svc, "GET", "/projects/"+path+read, "", "PRIVATE-TOKEN", stranger), 404, `{"message":"404 Project Not Found"}`)
		}
		refused(t, call(t, svc, "POST", "/projects/"+path+"/issues", `{"title":"x"}`), 405, `{"message":"Non GET methods are not allowed for moved projects"}`)
	}
	svc.Project("acme/app")
	if form := into[map[string]any](t, call(t, svc, "GET", "/projects/acme%2Fapp", ""), 200); form["id"] != 2.0 {
		t.Errorf("a new project at the path: %v", form["id"])
	}
}
