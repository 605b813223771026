package servicetest_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"example.com/serviceapi/servicetest"
)

// detailed returns why a merge request cannot be merged.
func detailed(t *testing.T, svc *servicetest.Service, m *servicetest.MergeRequest) any {
	t.Helper()
	return into[map[string]any](t, call(t, svc, "GET", fmt.Sprintf("/projects/1/merge_requests/%d", m.IID()), ""),
		200)["detailed_merge_status"]
}

func mergeOf(m *servicetest.MergeRequest) string {
	return fmt.Sprintf("/projects/1/merge_requests/%d/merge", m.IID())
}

// TestMergeMethods checks that ff and rebase_merge refuse a branch that is behind, and
// the commits that each method makes.
func TestMergeMethods(t *testing.T) {
	for _, method := range []string{"merge", "rebase_merge", "ff"} {
		t.Run(method, func(t *testing.T) {
			svc := servicetest.New(t)
			app := svc.Project("acme/app", servicetest.Setting("merge_method", method))
			app.Commit("work", "Work", servicetest.Write("work.txt", "work\n"))
			m := app.MergeRequest("work")
			app.Commit("main", "Meanwhile", servicetest.Write("other.txt", "x\n"))
			if method != "merge" {
				if got := detailed(t, svc, m); got != "need_rebase" {
					t.Errorf("behind: %v", got)
				}
				refused(t, call(t, svc, "PUT", mergeOf(m), ""), 406, `{"message":"Branch cannot be merged"}`)
				if a := call(t, svc, "PUT", "/projects/1/merge_requests/1/rebase", ""); a.StatusCode != 202 {
					t.Fatalf("%d %s", a.StatusCode, a.body)
				}
			}
			if got := detailed(t, svc, m); got != "mergeable" {
				t.Errorf("rebased: %v", got)
			}
			head := m.SHA()
			merged := into[map[string]any](t, call(t, svc, "PUT", mergeOf(m), ""), 200)
			parents := into[map[string]any](t, call(t, svc, "GET", "/projects/1/repository/commits/main", ""),
				200)["parent_ids"].([]any)
			if method == "ff" {
				if merged["merge_commit_sha"] != nil || app.Head("main") != head || len(parents) != 1 {
					t.Errorf("merge commit %v, main at %s, want %s", merged["merge_commit_sha"], app.Head("main"), head)
				}
			} else if merged["merge_commit_sha"] != app.Head("main") || len(parents) != 2 || parents[1] != head {
				t.Errorf("merge commit %v of %v, main at %s", merged["merge_commit_sha"], parents, app.Head("main"))
			}
			path := "/projects/1/repository/commits/" + app.Head("main") + "/merge_requests"
			if of := into[[]any](t, call(t, svc, "GET", path, ""), 200); len(of) != 1 {
				t.Errorf("%d merge requests of the new head of main", len(of))
			}
		})
	}
}

// TestSquashOption checks how the setting changes the caller's wish to squash.
func TestSquashOption(t *testing.T) {
	for _, test := range []struct {
		option        string
		asked         string
		squashed, new bool // the merge squashed; initial value in a new merge request
	}{
		{"always", `{"squash":false}`, true, false},
		{"never", `{"squash":true}`, false, false},
		{"default_off", `{}`, false, false},
		{"default_off", `{"squash":true}`, true, false},
		{"default_on", `{}`, true, true},
		{"default_on", `{"squash":false}`, false, true},
	} {
		svc := servicetest.New(t)
		app := svc.Project("acme/app", servicetest.Setting("squash_option", test.option),
			servicetest.Setting("merge_method", "ff"))
		app.Commit("work", "One", servicetest.Write("one.txt", "1\n"))
		app.Commit("work", "Two", servicetest.Write("two.txt", "2\n"))
		made := into[map[string]any](t, call(t, svc, "POST", "/projects/1/merge_requests",
			`{"source_branch":"work","target_branch":"main","title":"Both"}`), 201)
		if made["squash"] != test.new || made["squash_on_merge"] != (test.new || test.option == "always") {
			t.Errorf("%s: a new merge request has squash %v, squash_on_merge %v", test.option, made["squash"],
				made["squash_on_merge"])
		}
		call(t, svc, "GET", "/projects/1", "") // the diff is ready
		merged := into[map[string]any](t, call(t, svc, "PUT", "/projects/1/merge_requests/1/merge", test.asked), 200)
		if (merged["squash_commit_sha"] != nil) != test.squashed || merged["squash"] != test.squashed {
			t.Errorf("%s, %s: squash %v, commit %v", test.option, test.asked, merged["squash"],
				merged["squash_commit_sha"])
		}
		if test.squashed && merged["squash_commit_sha"] != app.Head("main") {
			t.Errorf("%s: main is at %s", test.option, app.Head("main"))
		}
	}
}

// TestMergeNeedsPipeline checks only_allow_merge_if_pipeline_succeeds and
// allow_merge_on_skipped_pipeline. Without them, no pipeline prevents a merge.
func TestMergeNeedsPipeline(t *testing.T) {
	for _, test := range []struct {
		needed, skips bool
		pipeline      string // its status, or "" if none
		status        string
	}{
		{false, false, "", "mergeable"},
		{false, false, "pending", "mergeable"},
		{false, false, "failed", "mergeable"},
		{true, false, "", "ci_must_pass"},
		{true, false, "pending", "ci_still_running"},
		{true, false, "failed", "ci_must_pass"},
		{true, false, "canceled", "ci_must_pass"},
		{true, false, "skipped", "ci_must_pass"},
		{true, true, "skipped", "mergeable"},
		{true, false, "success", "mergeable"},
	} {
		svc := servicetest.New(t)
		app := svc.Project("acme/app", servicetest.Setting("only_allow_merge_if_pipeline_succeeds", test.needed),
			servicetest.Setting("allow_merge_on_skipped_pipeline", test.skips))
		m := app.MergeRequest("work")
		if test.pipeline != "" {
			app.Pipeline("work", servicetest.PipelineStatus(test.pipeline))
		}
		if got := detailed(t, svc, m); got != test.status {
			t.Errorf("%+v: %v", test, got)
		}
		want := map[bool]int{true: 200, false: 405}[test.status == "mergeable"]
		if a := call(t, svc, "PUT", mergeOf(m), ""); a.StatusCode != want {
			t.Errorf("%+v: %d, want %d", test, a.StatusCode, want)
		}
	}
}

// TestMergeNeedsResolvedDiscussions checks
// only_allow_merge_if_all_discussions_are_resolved, even after the pipeline of the
// merge request has succeeded.
func TestMergeNeedsResolvedDiscussions(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	m := app.MergeRequest("work")
	pipeline := app.Pipeline("work", servicetest.PipelineStatus("running"))
	if a := call(t, svc, "PUT", mergeOf(m), `{"merge_when_pipeline_succeeds":true}`); a.StatusCode != 200 {
		t.Fatalf("%d %s", a.StatusCode, a.body)
	}
	thread := m.Note("Why?", servicetest.Thread())
	app.Set("only_allow_merge_if_all_discussions_are_resolved", true)
	pipeline.SetStatus("success")
	form := into[map[string]any](t, call(t, svc, "GET", "/projects/1/merge_requests/1", ""), 200)
	if form["detailed_merge_status"] != "discussions_not_resolved" || form["blocking_discussions_resolved"] != false ||
		!m.WaitsForPipeline() {
		t.Errorf("%v, %v, waits %v", form["detailed_merge_status"], form["blocking_discussions_resolved"],
			m.WaitsForPipeline())
	}
	refused(t, call(t, svc, "PUT", mergeOf(m), ""), 405, `{"message":"405 Method Not Allowed"}`)
	path := "/projects/1/merge_requests/1/discussions/" + thread.DiscussionID()
	if a := call(t, svc, "PUT", path, `{"resolved":true}`); a.StatusCode != 200 {
		t.Fatalf("%d %s", a.StatusCode, a.body)
	}
	if m.State() != "merged" {
		t.Errorf("resolved: %s", m.State())
	}
}

// TestMergeFollowsSettings checks remove_source_branch_after_merge and
// autoclose_referenced_issues for merge requests opened through the API.
func TestMergeFollowsSettings(t *testing.T) {
	for _, on := range []bool{true, false} {
		svc := servicetest.New(t)
		app := svc.Project("acme/app", servicetest.Setting("remove_source_branch_after_merge", on),
			servicetest.Setting("autoclose_referenced_issues", on))
		issue := app.Issue("Crash")
		app.Commit("work", "Work", servicetest.Write("work.txt", "work\n"))
		made := into[map[string]any](t, call(t, svc, "POST", "/projects/1/merge_requests",
			`{"source_branch":"work","target_branch":"main","title":"Work","description":"Closes #1"}`), 201)
		if made["force_remove_source_branch"] != on {
			t.Errorf("force_remove_source_branch is %v, want %v", made["force_remove_source_branch"], on)
		}
		call(t, svc, "GET", "/projects/1", "") // the diff is ready
		if a := call(t, svc, "PUT", "/projects/1/merge_requests/1/merge", ""); a.StatusCode != 200 {
			t.Fatalf("%d %s", a.StatusCode, a.body)
		}
		if kept := slices.Contains(app.Branches(), "work"); kept == on {
			t.Errorf("remove_source_branch_after_merge is %v, and the branch is kept: %v", on, kept)
		}
		if closed := issue.State() == "closed"; closed != on {
			t.Errorf("autoclose_referenced_issues is %v, and the issue is closed: %v", on, closed)
		}
	}
}

// TestMergeNeedsApprovalsOfProject checks approvals_before_merge, which only the
// Premium tier has.
func TestMergeNeedsApprovalsOfProject(t *testing.T) {
	for _, tier := range []servicetest.Tier{servicetest.Free, servicetest.Premium} {
		svc := servicetest.New(t, servicetest.WithTier(tier))
		app := svc.Project("acme/app", servicetest.Setting("approvals_before_merge", 1))
		app.Commit("work", "Work", servicetest.Write("work.txt", "work\n"))
		call(t, svc, "POST", "/projects/1/merge_requests",
			`{"source_branch":"work","target_branch":"main","title":"Work"}`)
		want := map[bool]string{true: "not_approved", false: "mergeable"}[tier == servicetest.Premium]
		if got := detailed(t, svc, app.MergeRequests()[0]); got != want {
			t.Errorf("tier %v: %v, want %s", tier, got, want)
		}
	}
}

// TestProtectedSourceBranchStays checks that a merge does not remove a protected source
// branch. Only a merge into the default branch closes issues.
func TestProtectedSourceBranchStays(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	issue := app.Issue("Crash")
	app.Branch("stable", "main")
	app.ProtectBranch("work")
	app.MergeRequest("work", servicetest.Into("stable"), servicetest.RemoveSourceOnMerge(),
		servicetest.Description("Closes #1")).Merge()
	if got := app.Branches(); !slices.Equal(got, []string{"main", "stable", "work"}) {
		t.Errorf("branches: %v", got)
	}
	if issue.State() != "opened" {
		t.Error("a merge into another branch closed the issue")
	}
}

// TestPartsOfProjects checks that nobody can use parts of a project that are turned
// off, and that only members can use private ones.
func TestPartsOfProjects(t *testing.T) {
	parts := map[string][]string{
		"issues": {"GET /projects/1/issues", "GET /projects/1/issues/1", "POST /projects/1/issues",
			"GET /projects/1/issues/1/notes"},
		"merge_requests": {"GET /projects/1/merge_requests", "GET /projects/1/merge_requests/1",
			"POST /projects/1/merge_requests"},
		"builds": {"GET /projects/1/jobs", "GET /projects/1/pipelines", "POST /projects/1/pipeline",
			"GET /projects/1/jobs/1"},
		"repository": {"GET /projects/1/repository/branches", "GET /projects/1/repository/tree",
			"GET /projects/1/jobs", "GET /projects/1/merge_requests"},
		"snippets": {"GET /projects/1/snippets", "POST /projects/1/snippets"},
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
			return call(t, svc, method, path, `{"title":"x","ref":"main","source_branch":"a"}`, "PRIVATE-TOKEN",
				token).StatusCode
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

// TestListsLeaveOutParts checks that lists across projects leave out projects with the
// part turned off, and that merges do not close their issues.
func TestListsLeaveOutParts(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	issue := app.Issue("Crash")
	m := app.MergeRequest("work", servicetest.Description("Closes #1"))
	count := func(path string) int { return len(into[[]any](t, call(t, svc, "GET", path, ""), 200)) }
	issues, requests := []string{"/issues?scope=all", "/groups/1/issues"},
		[]string{"/merge_requests?scope=all", "/groups/1/merge_requests"}
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
// project created through the API.
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
		if a := call(t, svc, "PUT", "/groups/1",
			fmt.Sprintf(`{"default_branch_protection":%d}`, test.protection)); a.StatusCode != 200 {
			t.Fatalf("%d %s", a.StatusCode, a.body)
		}
		call(t, svc, "POST", "/projects", `{"name":"app","namespace_id":1,"initialize_with_readme":true}`)
		token := svc.Token(developer)
		branch := into[map[string]any](t,
			call(t, svc, "GET", "/projects/1/repository/branches/main", "", "PRIVATE-TOKEN", token), 200)
		if branch["protected"] != test.protected || branch["developers_can_push"] != test.push ||
			branch["developers_can_merge"] != test.merge {
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
	a := call(t, svc, "POST", "/projects", `{"name":"notes","initialize_with_readme":true}`, "PRIVATE-TOKEN",
		svc.Token(ada))
	if a.StatusCode != 201 {
		t.Fatalf("%d %s", a.StatusCode, a.body)
	}
	commit := into[map[string]any](t, call(t, svc, "GET", "/projects/1/repository/commits/main", ""), 200)
	if commit["author_name"] != "Ada Lovelace" || commit["committer_name"] != "Ada Lovelace" {
		t.Errorf("by %v, committed by %v", commit["author_name"], commit["committer_name"])
	}
}

// TestGroupsSetWhatMergesNeed checks that a group above a project can also require
// pipelines and resolved discussions.
func TestGroupsSetWhatMergesNeed(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/team/app")
	m := app.MergeRequest("work")
	m.Note("Why?", servicetest.Thread())
	for _, test := range [][2]string{
		{"only_allow_merge_if_all_discussions_are_resolved", "discussions_not_resolved"},
		{"only_allow_merge_if_pipeline_succeeds", "ci_must_pass"},
	} {
		if got := detailed(t, svc, m); got == test[1] {
			t.Errorf("without %s: %v", test[0], got)
		}
		if a := call(t, svc, "PUT", "/groups/1", `{"`+test[0]+`":true}`); a.StatusCode != 200 {
			t.Fatalf("%d %s", a.StatusCode, a.body)
		}
		if got := detailed(t, svc, m); got != test[1] {
			t.Errorf("with %s: %v", test[0], got)
		}
	}
	app.Set("builds_access_level", "disabled")
	refused(t, call(t, svc, "POST", "/projects/1/merge_requests/1/pipelines", ""), 403, `{"message":"403 Forbidden"}`)
}

// TestSettingsOfNewerReleasesAreKept checks that settings of newer releases are shown
// after they were set.
func TestSettingsOfNewerReleasesAreKept(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app")
	for path, settings := range map[string]map[string]any{
		"/projects/1": {
			"cicd_catalog_enabled": true, "mr_default_title_template": "%{title}",
			"resource_group_default_process_mode": "oldest_first",
			"ci_id_token_sub_claim_components":    []any{"project_path", "ref"},
			"enforce_auth_checks_on_uploads":      false,
		},
		"/groups/1": {"crm_enabled": true, "duo_availability": "never_on", "math_rendering_limits_enabled": false},
	} {
		before := into[map[string]any](t, call(t, svc, "GET", path, ""), 200)
		for name := range settings {
			if _, shown := before[name]; shown {
				t.Errorf("%s of %s is shown before it was set", name, path)
			}
		}
		body, err := json.Marshal(settings)
		if err != nil {
			t.Fatal(err)
		}
		play(t, svc, [][3]string{{"PUT", path, string(body)}})
		after := into[map[string]any](t, call(t, svc, "GET", path, ""), 200)
		for name, want := range settings {
			if !reflect.DeepEqual(after[name], want) {
				t.Errorf("%s of %s is %v, want %v", name, path, after[name], want)
			}
		}
	}
}
