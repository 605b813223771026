package servicetest_test

import (
	"archive/tar"
	"compress/gzip"
	"fmt"
	"net/http"
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
	refused(t, merge(`{"sha":"`+app.Head("main")+`"}`), 409,
		`{"message":"SHA does not match HEAD of source branch: `+app.Head("work")+`"}`)
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

// TestWaitingMergeThatFails checks that a merge request with a scheduled merge stays
// open, and says why, if it has conflicts by then.
func TestWaitingMergeThatFails(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	app.Commit("work", "Ours", servicetest.Write("README.md", "ours\n"))
	m := app.MergeRequest("work")
	pipeline := app.Pipeline("work", servicetest.PipelineStatus("running"))
	if a := call(t, svc, "PUT", mergeRequestPath+"/merge",
		`{"merge_when_pipeline_succeeds":true}`); a.StatusCode != 200 || !m.WaitsForPipeline() {
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
	if tasks := plain["task_completion_status"].(map[string]any); tasks["count"] != 3.0 ||
		tasks["completed_count"] != 2.0 {
		t.Errorf("tasks = %v", tasks)
	}
	asked := into[map[string]any](t, call(t, svc, "GET", mergeRequestPath+"?include_rebase_in_progress=true", ""), 200)
	if running, there := asked["rebase_in_progress"]; running != false || !there {
		t.Errorf("rebase_in_progress = %v", running)
	}
}

// TestMergeRequestFilterForms checks the forms in which different clients send the same
// filter.
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
		if got := into[[]map[string]any](t, call(t, svc, "GET", "/projects/1/merge_requests?"+query, ""),
			200); len(got) != want {
			t.Errorf("%s: %d merge requests, want %d", query, len(got), want)
		}
	}
	refused(t, call(t, svc, "GET", "/merge_requests?in=color&search=x", ""), 400,
		`{"error":"in does not have a valid value"}`)
}

// TestClosingWords checks the phrases that make a merge close issues.
func TestClosingWords(t *testing.T) {
	for text, want := range map[string]int{
		"Closes #1": 1, "Closes #10": 0, "closed: #1": 1, "Fixing #1 and #2": 2, "Resolves #1, #2, and #3": 3,
		"Implements #3 some day": 1,
		"See #1":                 0, "encloses #1": 0, "Closes 1": 0, "Closes #9": 0, "Fix #1. Fix #1.": 1,
		"Closes #1, closes #2 and fixes #3": 3, "Closes #1. See #2.": 1,
	} {
		svc := servicetest.New(t)
		app := svc.Project("acme/app")
		for range 3 {
			app.Issue("issue")
		}
		app.MergeRequest("work", servicetest.Title("Work"), servicetest.Description(text))
		if got := into[[]map[string]any](t, call(t, svc, "GET", mergeRequestPath+"/closes_issues", ""),
			200); len(got) != want {
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

// TestRebaseOvertaken checks that commits pushed during a rebase are rebased with the
// rest, or make it fail.
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

// TestRebaseInAFork checks that a rebase moves the fork's branch onto the target of the
// other project, and does not change that project.
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
	for _, commit := range into[[]map[string]any](t,
		call(t, svc, "GET", "/projects/ada%2Fapp/repository/commits?ref_name=work", ""), 200) {
		titles = append(titles, commit["title"].(string))
	}
	if got := strings.Join(titles, ", "); got != "Work, Go on, Initial commit" {
		t.Errorf("the fork has the commits %s", got)
	}
	if pipelines := into[[]map[string]any](t, call(t, svc, "GET", "/projects/ada%2Fapp/pipelines", ""),
		200); len(pipelines) != 2 || pipelines[0]["sha"] != m.SHA() {
		t.Errorf("pipelines of the fork: %v", pipelines)
	}
}

// TestRequestsOfCommits: a commit that a merge request brought, or that merging or
// squashing made, leads to the merge request.
func TestRequestsOfCommits(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	own := app.Commit("work", "Work", servicetest.Write("work.txt", "work\n"))
	app.MergeRequest("work")
	merged := into[map[string]any](t, call(t, svc, "PUT", mergeRequestPath+"/merge", `{"squash":true}`), 200)
	other := app.Commit("main", "Other", servicetest.Write("other.txt", "other\n"))
	for sha, want := range map[string]int{own: 1, merged["squash_commit_sha"].(string): 1,
		merged["merge_commit_sha"].(string): 1, other: 0} {
		if got := into[[]any](t, call(t, svc, "GET", "/projects/1/repository/commits/"+sha+"/merge_requests", ""),
			200); len(got) != want {
			t.Errorf("%s is of %d merge requests, want %d", sha, len(got), want)
		}
	}
}

func TestCommitFromAForm(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	form := "branch=main&commit_message=Add+two&stats=false" +
		"&actions[][action]=create&actions[][file_path]=a.txt&actions[][content]=a%0A" +
		"&actions%5B%5D%5Baction%5D=move&actions%5B%5D%5Bfile_path%5D=READ.md" +
		"&actions%5B%5D%5Bprevious_path%5D=README.md"
	type commit struct {
		ID    string `json:"id"`
		Title string `json:"title"`
		Stats any    `json:"stats"`
	}
	made := into[commit](t, call(t, svc, "POST", "/projects/1/repository/commits", form,
		"Content-Type", "application/x-www-form-urlencoded"), http.StatusCreated)
	if made.ID != app.Head("main") || made.Title != "Add two" || made.Stats != nil {
		t.Errorf("%+v", made)
	}
	for path, want := range map[string]string{"a.txt": "a\n", "READ.md": "# App\n"} {
		if got, _ := app.File("main", path); got != want {
			t.Errorf("%s holds %q, want %q", path, got, want)
		}
	}
}

// TestPipelinesMakeRefs checks that a ref exists even if only a pipeline names
// it.
func TestPipelinesMakeRefs(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	branch := app.Pipeline("feature")
	tag := app.Pipeline("v1.0", servicetest.ForTag())
	if app.Head("feature") != branch.SHA() || app.Head("v1.0") != "" {
		t.Errorf("branches %v", app.Branches())
	}
	refs := into[[]map[string]string](t, call(t, svc, "GET", "/projects/1/repository/commits/"+tag.SHA()+"/refs", ""),
		http.StatusOK)
	if len(refs) != 1 || refs[0]["type"] != "tag" || refs[0]["name"] != "v1.0" {
		t.Errorf("%v", refs)
	}
}

// TestArchiveWithoutFormat checks that the path without a suffix gives a gzip archive.
// Bzip2 formats have no encoder and get a 406.
func TestArchiveWithoutFormat(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	got := call(t, svc, "GET", "/projects/1/repository/archive?sha=main", "")
	if got.StatusCode != 200 {
		t.Fatalf("%d %s", got.StatusCode, got.body)
	}
	if name, want := got.Header.Get("Content-Disposition"),
		"app-main-"+app.Head("main")+".tar.gz"; name != fmt.Sprintf("attachment; filename=%q", want) {
		t.Errorf("it is named %s, want %s", name, want)
	}
	unpacked, err := gzip.NewReader(strings.NewReader(got.body))
	if err != nil {
		t.Fatal(err)
	}
	if first, err := tar.NewReader(unpacked).Next(); err != nil || first.Name != "app-main-"+app.Head("main")+
		"/README.md" {
		t.Errorf("%v, %v", first, err)
	}
	for format, status := range map[string]int{".tar.gz": 200, ".tar": 200, ".zip": 200, ".tar.bz2": 406, ".tbz": 406,
		".tbz2": 406, ".tb2": 406, ".bz2": 406, ".": 404} {
		if got := call(t, svc, "GET", "/projects/1/repository/archive"+format, ""); got.StatusCode != status {
			t.Errorf("archive%s: %d, want %d", format, got.StatusCode, status)
		}
	}
}

// TestArchiveWithoutPaths: an archive may leave out files and directories.
func TestArchiveWithoutPaths(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app", servicetest.EmptyRepository())
	app.Commit("main", "Begin", servicetest.Write("a", "a"), servicetest.Write("b/c", "c"),
		servicetest.Write("bd", "d"))
	for excluded, want := range map[string]string{"": "a b/c bd", "b": "a bd", "/b/": "a bd", "a,b/c": "bd"} {
		got := call(t, svc, "GET", "/projects/1/repository/archive.tar?exclude_paths="+excluded, "")
		var names []string
		for archive := tar.NewReader(strings.NewReader(got.body)); ; {
			file, err := archive.Next()
			if err != nil {
				break
			}
			if _, name, _ := strings.Cut(file.Name, "/"); name != "" && !strings.HasSuffix(name, "/") {
				names = append(names, name)
			}
		}
		same(t, strings.Join(names, " "), want)
	}
}

// TestErasedJobSaysWhen checks that an erased job has erased_at.
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

// TestOwnAccount checks that users see members of their own account that only
// administrators see of others.
func TestOwnAccount(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada", servicetest.TwoFactor(), servicetest.External(),
		servicetest.SignedIn(servicetest.Epoch, "10.0.0.1"),
		servicetest.SignsInWith("ldap", "uid=ada"))
	svc.User("bob")
	token := svc.Token(ada)
	own := into[map[string]any](t, call(t, svc, "GET", "/user", "", "PRIVATE-TOKEN", token), 200)
	other := into[map[string]any](t, call(t, svc, "GET", "/users/3", "", "PRIVATE-TOKEN", token), 200)
	for _, name := range []string{
		"last_sign_in_at", "confirmed_at", "last_activity_on", "theme_id", "color_scheme_id", "projects_limit",
		"current_sign_in_at",
		"identities", "can_create_group", "can_create_project", "two_factor_enabled", "external", "private_profile",
	} {
		if _, there := own[name]; !there {
			t.Errorf("the own account has no %s", name)
		}
		if _, there := other[name]; there {
			t.Errorf("the account of another user has %s", name)
		}
	}
	if own["two_factor_enabled"] != true || own["external"] != true || own["projects_limit"] == 0.0 ||
		own["current_sign_in_at"] == nil {
		t.Errorf("own = %v", own)
	}
	for _, name := range []string{"is_admin", "note", "current_sign_in_ip", "last_sign_in_ip", "sign_in_count",
		"namespace_id"} {
		if _, there := own[name]; there {
			t.Errorf("the own account has %s", name)
		}
	}
}

// TestNewBranchIsNotMerged checks that a branch at the head of the default branch does
// not count as merged, but one that the default branch has left behind does.
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

// TestMembersAsRecorded checks members that occur in recordings of the product.
func TestMembersAsRecorded(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app", servicetest.Public())
	app.Issue("Crash")
	app.Commit("work", "Work", servicetest.Write("work.txt", "work\n"))
	app.MergeRequest("work", servicetest.Description("Closes #1"))
	job := app.Pipeline("main").Job("build")
	svc.User("ada")
	call(t, svc, "POST", "/projects/1/fork", `{"namespace_path":"ada"}`)
	call(t, svc, "POST", "/projects/1/repository/commits/"+app.Head("work")+"/comments",
		`{"note":"Why?","path":"work.txt","line":1,"line_type":"new"}`)
	refs := into[map[string]any](t, call(t, svc, "GET", mergeRequestPath, ""), 200)["diff_refs"].(map[string]any)
	thread := fmt.Sprintf(`{"body":"x","position":{"position_type":"text","base_sha":%q,"start_sha":%q,`+
		`"head_sha":%q,"old_path":"work.txt","new_path":"work.txt","new_line":1}}`,
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
	commit := into[map[string]any](t, call(t, svc, "GET", fmt.Sprintf("/projects/1/jobs/%d", job.ID()), ""),
		200)["commit"]
	has("the commit of a job", commit, "parent_ids", "authored_date", "committer_name", "committer_email",
		"committed_date")
	origin := into[map[string]any](t, call(t, svc, "GET", "/projects/ada%2Fapp", ""),
		200)["forked_from_project"].(map[string]any)
	if origin["default_branch"] != "main" || !strings.HasSuffix(fmt.Sprint(origin["readme_url"]),
		"/acme/app/-/blob/main/README.md") {
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
		{"POST", commits,
			`{"branch":"main","commit_message":"x","actions":[{"action":"create","file_path":"README.md",` +
				`"content":"x"}]}`, 400,
			`{"message":"A file with this name already exists"}`},
		{"POST", "/projects/1/repository/files/README.md", `{"branch":"main","commit_message":"x","content":"x"}`, 400,
			`{"message":"A file with this name already exists"}`},
		{"PUT", "/projects/1/repository/files/none.md", `{"branch":"main","commit_message":"x","content":"x"}`, 400,
			`{"message":"A file with this name doesn't exist"}`},
		{"POST", commits, `{"branch":"main","commit_message":"x","actions":[{"file_path":"a"},{"action":"create"}]}`,
			400,
			`{"error":"actions[0][action] is missing, actions[1][file_path] is missing, actions[1][content] is ` +
				`missing"}`},
		{"POST", mergeRequestPath + "/discussions",
			`{"body":"x","position":{"position_type":"text","old_path":"a","new_path":"a"}}`, 400,
			`{"error":"position[base_sha] is missing, position[start_sha] is missing, position[head_sha] is missing"}`},
		{"POST", mergeRequestPath + "/discussions", `{"body":"x","position":{"line_range":{"start":{"type":"new"}}}}`,
			400, ""},
		{"GET", "/projects/1/issues/9", "", 404, `{"message":"404 Not found"}`},
		{"POST", "/projects/2/issues", `{"title":"x"}`, 403, `{"message":"403 Forbidden"}`},
		{"POST", mergeRequestPath + "/notes", `{"body":" "}`, 400,
			`{"message":"400 Bad request - Note {:note=\u003e[\"can't be blank\"]}"}`},
		{"POST", mergeRequestPath + "/notes", `{"body":""}`, 400,
			`{"message":"400 Bad request - Note {:note=\u003e[\"can't be blank\"]}"}`},
		{"PUT", mergeRequestPath + "/notes/1", `{"body":""}`, 400,
			`{"message":"400 Bad request - Note {:note=\u003e[\"can't be blank\"]}"}`},
		{"POST", mergeRequestPath + "/notes", `{}`, 400, `{"error":"body is missing"}`},
	} {
		a := call(t, svc, test.method, test.path, test.body)
		if test.want != "" {
			refused(t, a, test.status, test.want)
		} else if a.StatusCode != test.status || !strings.Contains(a.body,
			"position[line_range][start][line_code] is missing") {
			t.Errorf("%s %s: %d %s", test.method, test.path, a.StatusCode, a.body)
		}
	}
}

// TestFormerPathsRedirect checks that a former path of a project redirects reads and
// refuses everything else.
func TestFormerPathsRedirect(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app")
	svc.Group("other")
	stranger := svc.Token(svc.User("stranger"))
	for _, change := range [][2]string{
		{"/projects/1", `{"path":"tool"}`}, {"/groups/1", `{"path":"corp"}`},
		{"/projects/1/transfer", `{"namespace":2}`},
	} {
		if a := call(t, svc, "PUT", change[0], change[1]); a.StatusCode != 200 {
			t.Fatalf("%d %s", a.StatusCode, a.body)
		}
	}
	for _, path := range []string{"acme%2Fapp", "ACME%2Ftool", "corp%2Ftool"} {
		for read, to := range map[string]string{"": "", "?license=true": "?license=true",
			"/issues?state=opened": "/issues?state=opened"} {
			a := call(t, svc, "GET", "/projects/"+path+read, "")
			if location := a.Header.Get("Location"); a.StatusCode != 302 || location != svc.URL()+"/api/v4/projects/1"+
				to {
				t.Errorf("%s%s: %d to %s", path, read, a.StatusCode, location)
			}
			refused(t, call(t, svc, "GET", "/projects/"+path+read, "", "PRIVATE-TOKEN", stranger), 404,
				`{"message":"404 Project Not Found"}`)
		}
		refused(t, call(t, svc, "POST", "/projects/"+path+"/issues", `{"title":"x"}`), 405,
			`{"message":"Non GET methods are not allowed for moved projects"}`)
	}
	svc.Project("acme/app")
	if form := into[map[string]any](t, call(t, svc, "GET", "/projects/acme%2Fapp", ""), 200); form["id"] != 2.0 {
		t.Errorf("a new project at the path: %v", form["id"])
	}
}

// TestChecksOfMergeRequests: a status check shows its branches, and requires the
// highest tier.
func TestChecksOfMergeRequests(t *testing.T) {
	checks := func(tier servicetest.Tier) answer {
		svc := servicetest.New(t, servicetest.WithTier(tier))
		app := svc.Project("acme/app")
		app.ProtectBranch("main")
		app.ProtectBranch("stable")
		app.StatusCheck("first", "https://check.example/1")
		app.StatusCheck("second", "https://check.example/2", "stable", "none")
		svc.Project("acme/other").StatusCheck("third", "https://check.example/3")
		return call(t, svc, "GET", "/projects/1/external_status_checks", "")
	}
	same(t, spaced(checks(servicetest.Premium).StatusCode), "401")
	shown := into[[]struct {
		ID       int
		Name     string
		URL      string `json:"external_url"`
		Project  int    `json:"project_id"`
		Branches []struct {
			ID      int
			Project int `json:"project_id"`
			Name    string
			Created string `json:"created_at"`
			Updated string `json:"updated_at"`
			Owners  bool   `json:"code_owner_approval_required"`
		} `json:"protected_branches"`
	}](t, checks(servicetest.Ultimate), 200)
	same(t, fmt.Sprint(shown), "[{1 first https://check.example/1 1 []} {2 second https://check.example/2 1 "+
		"[{2 1 stable 2026-01-15T09:00:00.000Z 2026-01-15T09:00:00.000Z false}]}]")
}

// TestBrokenPlans: a broken plan starts no pipeline, whatever the source.
func TestBrokenPlans(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	app.Commit("main", "Begin", servicetest.Write("a", "a\n"))
	app.Commit("work", "Work", servicetest.Write("b", "b\n"))
	app.MergeRequest("work")
	same(t, asked(t, svc, "POST /projects/1/merge_requests/1/pipelines"), "200")
	token := app.Trigger("nightly").Token()
	app.BreakCI("jobs config should contain at least one visible job")
	for _, path := range []string{
		"merge_requests/1/pipelines", "pipeline?ref=main", "trigger/pipeline?ref=main&token=" + token,
	} {
		refused(t, call(t, svc, "POST", "/projects/1/"+path, ""), 400,
			`{"message":{"base":["jobs config should contain at least one visible job"]}}`)
	}
	same(t, len(app.Pipelines()), 1)
}

// TestPatchesOfVersions: two versions have the same patch ID if they change the same
// files in the same way.
func TestPatchesOfVersions(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	app.Commit("main", "Begin", servicetest.Write("a", "x\n"), servicetest.Write("b", "x\n"),
		servicetest.Write("c", "c\n"))
	found := make(map[string]string)
	for _, c := range []struct {
		branch string
		change []servicetest.CommitOption
	}{
		{"one", []servicetest.CommitOption{servicetest.Write("c", "1\n")}},
		{"same", []servicetest.CommitOption{servicetest.Write("c", "1\n")}},
		{"other text", []servicetest.CommitOption{servicetest.Write("c", "2\n")}},
		{"a to d", []servicetest.CommitOption{servicetest.Remove("a"), servicetest.Write("d", "x\n")}},
		{"a to e", []servicetest.CommitOption{servicetest.Remove("a"), servicetest.Write("e", "x\n")}},
		{"b to d", []servicetest.CommitOption{servicetest.Remove("b"), servicetest.Write("d", "x\n")}},
	} {
		branch := strings.ReplaceAll(c.branch, " ", "-")
		app.Branch(branch, "main")
		app.Commit(branch, c.branch, c.change...)
		path := fmt.Sprintf("/projects/1/merge_requests/%d/versions", app.MergeRequest(branch).IID())
		versions := into[[]struct {
			Patch string `json:"patch_id_sha"`
		}](t, call(t, svc, "GET", path, ""), 200)
		if other := found[versions[0].Patch]; other != "" && c.branch != "same" {
			t.Errorf("%s is the same as %s", c.branch, other)
		}
		found[versions[0].Patch] = c.branch
	}
	same(t, len(found), 5)
}
