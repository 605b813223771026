package servicetest_test

import (
	"fmt"
	"testing"

	"example.com/serviceapi/servicetest"
)

// TestPartsOfProjects checks that the parts of a project that are turned off
// cannot be used, and that private ones are for members.
func TestPartsOfProjects(t *testing.T) {
	parts := map[string][]string{
		"issues":         {"GET /projects/1/issues", "GET /projects/1/issues/1", "POST /projects/1/issues", "GET /projects/1/issues/1/notes"},
		"merge_requests": {"GET /projects/1/merge_requests", "GET /projects/1/merge_requests/1", "POST /projects/1/merge_requests"},
		"builds":         {"GET /projects/1/jobs", "GET /projects/1/pipelines", "POST /projects/1/pipeline", "GET /projects/1/jobs/1"},
		"repository":     {"GET /projects/1/repository/branches", "GET /projects/1/repository/tree", "GET /projects/1/jobs", "GET /projects/1/merge_requests"},
		"snippets":       {"GET /projects/1/snippets", "POST /projects/1/snippets"},
	}
	for part, calls := range parts {
		svc := servicetest.New(t)
		app := svc.Project("acme/app", servicetest.Public())
		app.Issue("Crash")
		app.MergeRequest("work")
		app.Pipeline("main").Job("test")
		stranger := svc.Token(svc.User("stranger"))
		status := func(route, token string) int {
			var method, path string
			fmt.Sscan(route, &method, &path)
			return call(t, svc, method, path, `{"title":"x","ref":"main","source_branch":"a"}`, "PRIVATE-TOKEN", token).StatusCode
		}
		for _, route := range calls {
			for _, test := range []struct {
				level, token string
				refused      bool
			}{
				{"enabled", svc.AdminToken(), false}, {"private", svc.AdminToken(), false}, {"private", stranger, true},
				{"disabled", svc.AdminToken(), true}, {"disabled", stranger, true},
			} {
				app.Set(part+"_access_level", test.level)
				if got := status(route, test.token); (got == 403) != test.refused {
					t.Errorf("%s with %s %s: %d", route, part, test.level, got)
				}
			}
		}
	}
}

// TestListsLeaveOutParts checks that lists across projects leave out projects
// whose part is turned off, and that merges do not close their issues.
func TestListsLeaveOutParts(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	issue := app.Issue("Crash")
	m := app.MergeRequest("work", servicetest.Description("Closes #1"))
	count := func(path string) int { return len(into[[]any](t, call(t, svc, "GET", path, ""), 200)) }
	issues, requests := []string{"/issues?scope=all", "/groups/1/issues"}, []string{"/merge_requests?scope=all", "/groups/1/merge_requests"}
	for _, path := range append(issues, requests...) {
		if count(path) != 1 {
			t.Errorf("%s lists nothing", path)
		}
	}
	app.Set("issues_access_level", "disabled")
	app.Set("merge_requests_access_level", "disabled")
	for _, path := range append(issues, requests...) {
		if count(path) != 0 {
			t.Errorf("%s lists what is turned off", path)
		}
	}
	m.Merge()
	if issue.State() != "opened" {
		t.Error("a merge closed an issue of a project without issues")
	}
}

// TestNewDefaultBranchIsProtected checks who may push to the default branch of a
// project that was created through the API.
func TestNewDefaultBranchIsProtected(t *testing.T) {
	for _, test := range []struct {
		protection             int
		protected, push, merge bool
	}{
		{0, false, false, false}, {1, true, true, true}, {2, true, false, false}, {3, true, false, true},
	} {
		svc := servicetest.New(t)
		developer := svc.User("developer")
		svc.Group("acme").AddMember(developer, servicetest.Developer)
		if a := call(t, svc, "PUT", "/groups/1", fmt.Sprintf(`{"default_branch_protection":%d}`, test.protection)); a.StatusCode != 200 {
			t.Fatalf("%d %s", a.StatusCode, a.body)
		}
		call(t, svc, "POST", "/projects", `{"name":"app","namespace_id":1,"initialize_with_readme":true}`)
		token := svc.Token(developer)
		branch := into[map[string]any](t, call(t, svc, "GET", "/projects/1/repository/branches/main", "", "PRIVATE-TOKEN", token), 200)
		if branch["protected"] != test.protected || branch["developers_can_push"] != test.push || branch["developers_can_merge"] != test.merge {
			t.Errorf("%d: %v", test.protection, branch)
		}
		if want := !test.protected || test.push; branch["can_push"] != want {
			t.Errorf("%d: can_push is %v", test.protection, branch["can_push"])
		}
	}
}

// TestFirstCommitIsOfTheCreator checks the author of the first commit.
func TestFirstCommitIsOfTheCreator(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada", servicetest.Name("Ada Lovelace"))
	a := call(t, svc, "POST", "/projects", `{"name":"notes","initialize_with_readme":true}`, "PRIVATE-TOKEN", svc.Token(ada))
	if a.StatusCode != 201 {
		t.Fatalf("%d %s", a.StatusCode, a.body)
	}
	commit := into[map[string]any](t, call(t, svc, "GET", "/projects/1/repository/commits/main", ""), 200)
	if commit["author_name"] != "Ada Lovelace" || commit["committer_name"] != "Ada Lovelace" {
		t.Errorf("by %v, committed by %v", commit["author_name"], commit["committer_name"])
	}
}
