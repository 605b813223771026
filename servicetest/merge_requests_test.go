package servicetest_test

import (
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
)

const mergeRequestPath = "/projects/acme%2Fapp/merge_requests/1"

// TestMergeRefusals compares the bodies with the service's documentation.
func TestMergeRefusals(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app", servicetest.Public())
	m := app.MergeRequest("work", servicetest.Draft())
	stranger := svc.Token(svc.User("stranger"))
	merge := func(body string, headers ...string) answer {
		return call(t, svc, "PUT", mergeRequestPath+"/merge", body, headers...)
	}
	cancel := mergeRequestPath + "/cancel_merge_when_pipeline_succeeds"
	refused(t, merge("", "PRIVATE-TOKEN", stranger), 401, `{"message":"401 Unauthorized"}`)
	refused(t, call(t, svc, "POST", cancel, "", "PRIVATE-TOKEN", stranger), 401, `{"message":"401 Unauthorized"}`)
	refused(t, merge(""), 405, `{"message":"405 Method Not Allowed"}`)
	m.SetDraft(false)
	refused(t, merge(`{"sha":"`+app.Head("main")+`"}`), 409, `{"message":"SHA does not match HEAD of source branch"}`)
	refused(t, merge(`{"squash":"perhaps"}`), 400, `{"error":"squash is invalid"}`)
	refused(t, call(t, svc, "POST", cancel, ""), 406, `{"message":"406 Not Acceptable"}`)
	app.Commit("work", "Ours", servicetest.Write("README.md", "ours\n"))
	app.Commit("main", "Theirs", servicetest.Write("README.md", "theirs\n"))
	refused(t, merge(""), 406, `{"message":"Branch cannot be merged"}`)
	m.Close()
	refused(t, merge(""), 405, `{"message":"405 Method Not Allowed"}`)
	refused(t, call(t, svc, "POST", cancel, ""), 405, `{"message":"405 Method Not Allowed"}`)
	refused(t, call(t, svc, "PUT", mergeRequestPath+"/rebase", "", "PRIVATE-TOKEN", stranger), 403,
		`{"message":"403 Forbidden - Cannot push to source branch"}`)
	refused(t, call(t, svc, "GET", "/projects/acme%2Fapp/merge_requests/2", ""), 404, `{"message":"404 Not found"}`)
	if a := request(t, "GET", svc.URL()+"/api/v4"+mergeRequestPath, ""); a.StatusCode != 401 {
		t.Errorf("without credentials: %d, want 401", a.StatusCode)
	}
}

// TestWaitingMergeThatFails checks that a merge request that is set to merge
// later stays open and says why if it has a conflict then.
func TestWaitingMergeThatFails(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	app.Commit("work", "Ours", servicetest.Write("README.md", "ours\n"))
	m := app.MergeRequest("work")
	pipeline := app.Pipeline("work", servicetest.PipelineStatus("running"))
	if a := call(t, svc, "PUT", mergeRequestPath+"/merge", `{"merge_when_pipeline_succeeds":true}`); a.StatusCode != 200 || !m.WaitsForPipeline() {
		t.Fatalf("%d %s", a.StatusCode, a.body)
	}
	pipeline.SetStatus("failed")
	if !m.WaitsForPipeline() {
		t.Error("a failed pipeline may be tried again")
	}
	app.Commit("main", "Theirs", servicetest.Write("README.md", "theirs\n"))
	pipeline.SetStatus("success")
	if m.State() != "opened" || m.WaitsForPipeline() || !strings.Contains(m.MergeError(), "README.md") {
		t.Errorf("state %s, waits %v, error %q", m.State(), m.WaitsForPipeline(), m.MergeError())
	}
}

// TestMergeRequestFieldsSent checks the five members of view=simple, and that
// rebase_in_progress is returned on request.
func TestMergeRequestFieldsSent(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app").MergeRequest("work", servicetest.Description("- [x] one\n- [ ] two\n* [X] three"))
	simple := into[[]map[string]any](t, call(t, svc, "GET", "/projects/1/merge_requests?view=simple", ""), 200)
	if len(simple) != 1 || len(simple[0]) != 5 || simple[0]["state"] != "opened" {
		t.Errorf("simple = %v", simple)
	}
	plain := into[map[string]any](t, call(t, svc, "GET", mergeRequestPath, ""), 200)
	if _, there := plain["rebase_in_progress"]; there {
		t.Error("rebase_in_progress came unasked")
	}
	if tasks := plain["task_completion_status"].(map[string]any); tasks["count"] != 3.0 || tasks["completed_count"] != 2.0 {
		t.Errorf("tasks = %v", tasks)
	}
	asked := into[map[string]any](t, call(t, svc, "GET", mergeRequestPath+"?include_rebase_in_progress=true", ""), 200)
	if running, there := asked["rebase_in_progress"]; running != false || !there {
		t.Errorf("rebase_in_progress = %v", running)
	}
}

// TestMergeRequestFilterForms checks the different forms in which clients send
// the same filter.
func TestMergeRequestFilterForms(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	ada := svc.User("ada")
	app.MergeRequest("one", servicetest.ApprovedBy(ada), servicetest.Labels("bug"))
	app.MergeRequest("two")
	for query, want := range map[string]int{
		"approved_by_ids=Any":            1,
		"approved_by_ids[]=Any":          1,
		"approved_by_ids[]=2":            1,
		"approved_by_ids=2":              1,
		"approved_by_ids=2,1":            0,
		"approver_ids=none":              2,
		"labels=bug":                     1,
		"labels[]=bug":                   1,
		"not[labels]=bug":                1,
		"not%5Blabels%5D=other":          2,
		"iids[]=1&iids[]=2":              2,
		"iids[]=3":                       0,
		"iids=2":                         1,
		"state=opened&source_branch=two": 1,
	} {
		if got := into[[]map[string]any](t, call(t, svc, "GET", "/projects/1/merge_requests?"+query, ""), 200); len(got) != want {
			t.Errorf("%s: %d merge requests, want %d", query, len(got), want)
		}
	}
	refused(t, call(t, svc, "GET", "/merge_requests?in=color&search=x", ""), 400, `{"error":"in does not have a valid value"}`)
}

// TestClosingWords checks the phrases that make a merge close issues.
func TestClosingWords(t *testing.T) {
	for text, want := range map[string]int{
		"Closes #1": 1, "Closes #10": 0, "closed: #1": 1, "Fixing #1 and #2": 2, "Resolves #1, #2, and #3": 3, "Implements #3 some day": 1,
		"See #1": 0, "encloses #1": 0, "Closes 1": 0, "Closes #9": 0, "Fix #1. Fix #1.": 1,
		"Closes #1, closes #2 and fixes #3": 3, "Closes #1. See #2.": 1,
	} {
		svc := servicetest.New(t)
		app := svc.Project("acme/app")
		for range 3 {
			app.Issue("issue")
		}
		app.MergeRequest("work", servicetest.Title("Work"), servicetest.Description(text))
		if got := into[[]map[string]any](t, call(t, svc, "GET", mergeRequestPath+"/closes_issues", ""), 200); len(got) != want {
			t.Errorf("%q closes %d issues, want %d", text, len(got), want)
		}
	}
}

// TestWaitingMergeKeepsWaiting checks that a failed pipeline, and a pipeline
// for another commit, do not cause a merge.
func TestWaitingMergeKeepsWaiting(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	app.Commit("work", "Work", servicetest.Write("work.txt", "work\n"))
	m := app.MergeRequest("work")
	const wait = `{"merge_when_pipeline_succeeds":true}`
	pipeline := app.Pipeline("work", servicetest.PipelineStatus("failed"))
	refused(t, call(t, svc, "PUT", mergeRequestPath+"/merge", wait), 405, `{"message":"405 Method Not Allowed"}`)
	pipeline.SetStatus("running")
	if a := call(t, svc, "PUT", mergeRequestPath+"/merge", wait); a.StatusCode != 200 {
		t.Fatalf("%d %s", a.StatusCode, a.body)
	}
	app.Pipeline("main", servicetest.PipelineStatus("running")).SetStatus("success")
	pipeline.SetStatus("failed")
	if m.State() != "opened" || !m.WaitsForPipeline() || m.MergeError() != "" {
		t.Errorf("state %s, waits %v, error %q", m.State(), m.WaitsForPipeline(), m.MergeError())
	}
	pipeline.SetStatus("success")
	if m.State() != "merged" || m.WaitsForPipeline() {
		t.Errorf("after the pipeline was run again: %s", m.State())
	}
}

// TestLostBranch checks that a merge request without its source branch can be
// neither merged nor rebased.
func TestLostBranch(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	for _, branch := range []string{"now", "later", "rebased"} {
		app.Commit(branch, "Work", servicetest.Write(branch+".txt", "work\n"))
	}
	app.MergeRequest("now")
	later, rebased := app.MergeRequest("later"), app.MergeRequest("rebased", servicetest.RebaseTakes(time.Minute))
	app.Commit("main", "Go on", servicetest.Write("main.txt", "main\n"))
	pipeline := app.Pipeline("later", servicetest.PipelineStatus("running"))
	const requests = "/projects/acme%2Fapp/merge_requests/"
	if a := call(t, svc, "PUT", requests+"2/merge", `{"merge_when_pipeline_succeeds":true}`); a.StatusCode != 200 {
		t.Fatalf("%d %s", a.StatusCode, a.body)
	}
	if a := call(t, svc, "PUT", requests+"3/rebase", ""); a.StatusCode != 202 {
		t.Fatalf("%d %s", a.StatusCode, a.body)
	}
	for _, branch := range []string{"now", "later", "rebased"} {
		refused(t, call(t, svc, "DELETE", "/projects/1/repository/branches/"+branch, ""), 204, "")
	}
	refused(t, call(t, svc, "PUT", requests+"1/merge", ""), 406, `{"message":"Branch cannot be merged"}`)
	refused(t, call(t, svc, "PUT", requests+"1/rebase", ""), 405, `{"message":"405 Method Not Allowed"}`)
	pipeline.SetStatus("success")
	if later.State() != "opened" {
		t.Errorf("what waited without its branch is %s", later.State())
	}
	svc.Advance(time.Minute)
	if rebased.RebaseInProgress() || rebased.MergeError() != "Rebase failed: the merge request has changed meanwhile." {
		t.Errorf("rebasing %v, error %q", rebased.RebaseInProgress(), rebased.MergeError())
	}
}

// TestRebaseOvertaken checks that commits that are pushed during a rebase are
// rebased with the rest, or make it fail.
func TestRebaseOvertaken(t *testing.T) {
	for name, c := range map[string]struct {
		change func(app *servicetest.Project, m *servicetest.MergeRequest)
		failed string
		files  string
	}{
		"by a push to the source": {func(app *servicetest.Project, _ *servicetest.MergeRequest) {
			app.Commit("work", "More", servicetest.Write("more.txt", "more\n"))
		}, "", "more.txt"},
		"by a push to the target": {func(app *servicetest.Project, _ *servicetest.MergeRequest) {
			app.Commit("main", "Latest", servicetest.Write("latest.txt", "latest\n"))
		}, "", "latest.txt"},
		"by a conflict": {func(app *servicetest.Project, _ *servicetest.MergeRequest) {
			app.Commit("main", "Clash", servicetest.Write("work.txt", "theirs\n"))
		}, "Rebase failed: Rebase locally, resolve all conflicts, then push the branch.", ""},
		"by closing": {func(_ *servicetest.Project, m *servicetest.MergeRequest) { m.Close() },
			"Rebase failed: the merge request has changed meanwhile.", ""},
	} {
		svc := servicetest.New(t)
		app := svc.Project("acme/app")
		app.Commit("work", "Work", servicetest.Write("work.txt", "work\n"))
		m := app.MergeRequest("work", servicetest.RebaseTakes(time.Minute))
		app.Commit("main", "Go on", servicetest.Write("main.txt", "main\n"))
		before := app.Head("work")
		if a := call(t, svc, "PUT", mergeRequestPath+"/rebase", ""); a.StatusCode != 202 {
			t.Fatalf("%s: %d %s", name, a.StatusCode, a.body)
		}
		c.change(app, m)
		svc.Advance(time.Minute)
		if m.RebaseInProgress() || m.MergeError() != c.failed {
			t.Errorf("%s: rebasing %v, error %q", name, m.RebaseInProgress(), m.MergeError())
		}
		if moved := app.Head("work") != before; moved == (c.failed != "") {
			t.Errorf("%s: the source branch moved: %v", name, moved)
		}
		for _, file := range []string{"main.txt", "work.txt", c.files} {
			if _, found := app.File("work", file); c.failed == "" && !found {
				t.Errorf("%s: %s is missing after the rebase", name, file)
			}
		}
	}
}

// TestRebaseInAFork checks that the fork's branch is moved onto the target of
// the other project, which does not change.
func TestRebaseInAFork(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	app := svc.Project("acme/app", servicetest.Public())
	fork := svc.Project("ada/app")
	fork.Commit("work", "Work", servicetest.Write("work.txt", "work\n"))
	m := app.MergeRequest("work", servicetest.FromFork(fork), servicetest.By(ada))
	target := app.Commit("main", "Go on", servicetest.Write("main.txt", "main\n"))
	fork.Pipeline("work", servicetest.PipelineStatus("success"))
	if a := call(t, svc, "PUT", mergeRequestPath+"/rebase", "", "PRIVATE-TOKEN", svc.Token(ada)); a.StatusCode != 202 {
		t.Fatalf("%d %s", a.StatusCode, a.body)
	}
	svc.Advance(time.Minute)
	if m.MergeError() != "" {
		t.Fatal(m.MergeError())
	}
	if _, found := fork.File("work", "main.txt"); !found || app.Head("main") != target || m.SHA() != fork.Head("work") {
		t.Errorf("rebased %v, target at %s, merge request at %s", found, app.Head("main"), m.SHA())
	}
	var titles []string
	for _, commit := range into[[]map[string]any](t, call(t, svc, "GET", "/projects/ada%2Fapp/repository/commits?ref_name=work", ""), 200) {
		titles = append(titles, commit["title"].(string))
	}
	if got := strings.Join(titles, ", "); got != "Work, Go on, Initial commit" {
		t.Errorf("the fork has the commits %s", got)
	}
	if pipelines := into[[]map[string]any](t, call(t, svc, "GET", "/projects/ada%2Fapp/pipelines", ""), 200); len(pipelines) != 2 || pipelines[0]["sha"] != m.SHA() {
		t.Errorf("pipelines of the fork: %v", pipelines)
	}
}

// TestRequestsOfCommits: a commit that was merged, squashed or made by merging
// leads to its merge request.
func TestRequestsOfCommits(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	own := app.Commit("work", "Work", servicetest.Write("work.txt", "work\n"))
	app.MergeRequest("work")
	merged := into[map[string]any](t, call(t, svc, "PUT", mergeRequestPath+"/merge", `{"squash":true}`), 200)
	other := app.Commit("main", "Other", servicetest.Write("other.txt", "other\n"))
	for sha, want := range map[string]int{own: 1, merged["squash_commit_sha"].(string): 1, merged["merge_commit_sha"].(string): 1, other: 0} {
		if got := into[[]any](t, call(t, svc, "GET", "/projects/1/repository/commits/"+sha+"/merge_requests", ""), 200); len(got) != want {
			t.Errorf("%s is of %d merge requests, want %d", sha, len(got), want)
		}
	}
}
