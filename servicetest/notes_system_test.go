package servicetest_test

import (
	"slices"
	"testing"

	"example.com/serviceapi/servicetest"
)

// systemNotes returns the bodies of the system notes of an object, oldest first.
func systemNotes(t *testing.T, svc *servicetest.Service, path string) []string {
	t.Helper()
	var bodies []string
	for _, note := range into[[]map[string]any](t,
		call(t, svc, "GET", path+"/notes?per_page=100&sort=asc&activity_filter=only_activity", ""), 200) {
		if note["system"] != true || note["resolvable"] != false {
			t.Errorf("%v: system %v, resolvable %v", note["body"], note["system"], note["resolvable"])
		}
		bodies = append(bodies, note["body"].(string))
	}
	return bodies
}

// play sends calls that must succeed.
func play(t *testing.T, svc *servicetest.Service, calls [][3]string) {
	t.Helper()
	for _, c := range calls {
		if a := call(t, svc, c[0], c[1], c[2]); a.StatusCode >= 300 {
			t.Fatalf("%v: %d %s", c, a.StatusCode, a.body)
		}
	}
}

// TestSystemNotesOfMergeRequests checks the notes about changes of merge requests.
func TestSystemNotesOfMergeRequests(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	svc.User("ada")
	svc.User("bob")
	app.Label("bug", "#ff0000", "")
	app.Label("old", "#00ff00", "")
	app.Milestone("1.0")
	app.Issue("Crash")
	app.ApprovalSwitch("merge_requests_author_approval", true)
	app.Commit("work", "Work", servicetest.Write("work.txt", "work\n"))
	app.Branch("stable", "main")
	const m = "/projects/1/merge_requests/1"
	play(t, svc, [][3]string{
		{"POST", "/projects/1/merge_requests", `{"source_branch":"work","target_branch":"main","title":"Draft: ` +
			`Work","assignee_id":2,"labels":"bug,old"}`},
		{"PUT", m, `{"title":"Work"}`},
		{"PUT", m, `{"title":"Good work","description":"Closes #1"}`},
		{"PUT", m, `{"add_labels":"new","remove_labels":"old"}`},
		{"PUT", m, `{"assignee_ids":[3],"reviewer_ids":[2]}`},
		{"PUT", m, `{"reviewer_ids":[],"milestone_id":1,"discussion_locked":true}`},
		{"PUT", m, `{"milestone_id":0,"discussion_locked":false,"target_branch":"stable"}`},
		{"PUT", m, `{"target_branch":"main","title":"Good work"}`},
		{"PUT", m, `{"state_event":"close"}`},
		{"POST", m + "/notes", `{"body":"/reopen"}`},
		{"POST", m + "/approve", ""},
		{"POST", m + "/unapprove", ""},
		{"PUT", m + "/merge", `{"merge_when_pipeline_succeeds":true}`},
		{"POST", m + "/cancel_merge_when_pipeline_succeeds", ""},
		{"PUT", m + "/merge", ""},
	})
	want := []string{
		"assigned to @ada", "added ~1 ~2 labels", "marked this merge request as **ready**",
		"changed title from **Work** to **Good work**",
		"changed the description", "added ~3 label and removed ~2 label", "assigned to @bob and unassigned @ada",
		"requested review from @ada",
		"changed milestone to %1", "locked the discussion in this merge request", "removed review request for @ada",
		"removed milestone", "unlocked the discussion in this merge request",
		"changed target branch from `main` to `stable`",
		"changed target branch from `stable` to `main`", "closed", "reopened", "approved this merge request",
		"unapproved this merge request",
		"enabled an automatic merge when the pipeline for " + app.MergeRequests()[0].SHA() + " succeeds",
		"canceled the automatic merge", "merged",
	}
	if got := systemNotes(t, svc, m); !slices.Equal(got, want) {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
	if count := into[map[string]any](t, call(t, svc, "GET", m, ""), 200)["user_notes_count"]; count != 0.0 {
		t.Errorf("%v notes of users", count)
	}
	if got := systemNotes(t, svc, "/projects/1/issues/1"); !slices.Equal(got, []string{"closed via merge request !1"}) {
		t.Errorf("the issue has %q", got)
	}
}

// TestSystemNotesOfIssues checks the notes about changes of issues.
func TestSystemNotesOfIssues(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app")
	svc.Project("acme/tool")
	svc.User("ada")
	const issue = "/projects/1/issues/1"
	play(t, svc, [][3]string{
		{"POST", "/projects/1/issues", `{"title":"Crash","assignee_ids":[2]}`},
		{"PUT", issue, `{"title":"Leak","confidential":true,"due_date":"2026-02-01"}`},
		{"PUT", issue, `{"labels":"bug","assignee_ids":[],"confidential":false,"due_date":""}`},
		{"PUT", issue, `{"title":"Leak"}`},
		{"PUT", issue, `{"state_event":"close"}`},
		{"PUT", issue, `{"state_event":"reopen"}`},
		{"POST", issue + "/move", `{"to_project_id":2}`},
	})
	want := []string{
		"assigned to @ada", "changed title from **Crash** to **Leak**", "made the issue confidential",
		"changed due date to February 1, 2026",
		"unassigned @ada", "added ~1 label", "made the issue visible to everyone", "removed due date February 1, 2026",
		"closed", "reopened",
	}
	if got := systemNotes(t, svc, issue); !slices.Equal(got, append(slices.Clone(want), "moved to acme/tool#1",
		"closed")) {
		t.Errorf("got %q", got)
	}
	if got := systemNotes(t, svc, "/projects/2/issues/1"); !slices.Equal(got,
		append(slices.Clone(want), "moved from acme/app#1")) {
		t.Errorf("moved: %q", got)
	}
}

// TestInternalNotes checks on which objects new notes can be internal, and by
// which parameter.
func TestInternalNotes(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	app.Issue("Crash")
	app.MergeRequest("work")
	app.Snippet("Trick")
	for path, want := range map[string][2]bool{
		"/projects/1/issues/1/notes": {true, true}, "/projects/1/merge_requests/1/notes": {true, false},
		"/projects/1/snippets/1/notes": {false, false},
	} {
		for i, name := range []string{"internal", "confidential"} {
			note := into[map[string]any](t, call(t, svc, "POST", path, `{"body":"x","`+name+`":true}`), 201)
			if note["internal"] != want[i] || note["confidential"] != want[i] {
				t.Errorf("%s with %s: internal %v, confidential %v", path, name, note["internal"], note["confidential"])
			}
		}
	}
}
