package servicetest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
)

// same compares a value from a response with the one expected.
func same[T any](t *testing.T, got, want T) {
	t.Helper()
	g, _ := json.Marshal(got)
	if w, _ := json.Marshal(want); string(g) != string(w) {
		t.Errorf("got %s, want %s", g, w)
	}
}

func TestProjectsByPath(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/c", servicetest.Name("Second"))
	svc.Project("acme/a", servicetest.Name("Third"))
	svc.Project("acme/b", servicetest.Name("First"))
	type project struct{ Path string }
	for by, want := range map[string][]project{"path": {{"a"}, {"b"}, {"c"}}, "name": {{"b"}, {"c"}, {"a"}}} {
		same(t, into[[]project](t, call(t, svc, "GET", "/projects?sort=asc&order_by="+by, ""), 200), want)
	}
}

// Deployments are in the order of their creation, whatever their numbers.
func TestDeploymentsByCreation(t *testing.T) {
	svc := servicetest.New(t)
	production := svc.Project("acme/app").Environment("production")
	production.Deployment(servicetest.CreatedAt(at(1)))
	production.Deployment(servicetest.CreatedAt(at(3)))
	production.Deployment(servicetest.CreatedAt(at(2)))
	shows(t, svc, "/projects/1/deployments?order_by=created_at", "0.id 1.id 2.id", "2 3 1")
	shows(t, svc, "/projects/1/deployments?order_by=id", "0.id 1.id 2.id", "1 2 3")
}

// Only paid tiers are called the enterprise edition.
func TestEditions(t *testing.T) {
	for tier, want := range map[servicetest.Tier]string{
		servicetest.Free: "false", servicetest.Premium: "true", servicetest.Ultimate: "true",
	} {
		shows(t, servicetest.New(t, servicetest.WithTier(tier)), "/metadata", "enterprise", want)
	}
}

func TestDivergedCommits(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	app.Commit("main", "Begin", servicetest.Write("a", "a\n"))
	app.Branch("work", "main")
	app.Commit("work", "Work", servicetest.Write("b", "b\n"))
	app.MergeRequest("work")
	app.Commit("main", "One", servicetest.Write("c", "c\n"))
	app.Commit("main", "Two", servicetest.Write("c", "d\n"))
	type request struct {
		Diverged *int `json:"diverged_commits_count"`
	}
	const path = "/projects/1/merge_requests/1"
	same(t, into[request](t, call(t, svc, "GET", path, ""), 200), request{nil})
	same(t, into[request](t, call(t, svc, "GET", path+"?include_diverged_commits_count=true", ""), 200),
		request{new(2)})
}

// Closing a closed issue changes nothing.
func TestClosingAClosedIssue(t *testing.T) {
	svc := servicetest.New(t)
	seeded := svc.Project("acme/app").Issue("First")
	type issue struct {
		State    string    `json:"state"`
		ClosedAt time.Time `json:"closed_at"`
	}
	closeIt := func() issue {
		return into[issue](t, call(t, svc, "PUT", "/projects/1/issues/1", `{"state_event":"close"}`), 200)
	}
	first := closeIt()
	same(t, first, issue{"closed", svc.Now()})
	svc.Advance(time.Hour)
	seeded.Close()
	same(t, closeIt(), first)
	notes := into[[]struct{ Body string }](t, call(t, svc, "GET", "/projects/1/issues/1/notes", ""), 200)
	if len(notes) != 1 {
		t.Errorf("closing wrote %d notes", len(notes))
	}
}

// Retrying a job of a seeded pipeline runs it, and it succeeds.
func TestRetryingAnIdlePipeline(t *testing.T) {
	svc := servicetest.New(t)
	pipeline := svc.Project("acme/app").Pipeline("main")
	pipeline.Job("bad", servicetest.Failed("script_failure"))
	pipeline.Job("good")
	into[struct{}](t, call(t, svc, "POST", "/projects/1/pipelines/1/retry", ""), 201)
	type job struct{ Name, Status string }
	jobs := into[[]job](t, call(t, svc, "GET", "/projects/1/pipelines/1/jobs", ""), 200)
	same(t, jobs[0], job{"bad", "pending"})
	svc.Advance(time.Hour)
	jobs = into[[]job](t, call(t, svc, "GET", "/projects/1/pipelines/1/jobs", ""), 200)
	slices.SortFunc(jobs, func(a, b job) int { return strings.Compare(a.Name, b.Name) })
	same(t, jobs, []job{{"bad", "success"}, {"good", "success"}})
}

func TestCommentOnTheLineOfOneFile(t *testing.T) {
	svc := servicetest.New(t)
	sha := svc.Project("acme/app").Commit("main", "Two files",
		servicetest.Write("a.go", "one\n"), servicetest.Write("b.go", "one\ntwo\nthree\n"))
	path := "/projects/1/repository/commits/" + sha + "/comments"
	type comment struct {
		Path     *string `json:"path"`
		Line     *int    `json:"line"`
		LineType *string `json:"line_type"`
	}
	same(t, into[comment](t, call(t, svc, "POST", path,
		`{"note":"Here.","path":"b.go","line":3,"line_type":"new"}`), 201), comment{new("b.go"), new(3), new("new")})
	call(t, svc, "POST", path, `{"note":"Not there.","path":"a.go","line":3,"line_type":"new"}`)
	same(t, into[[]comment](t, call(t, svc, "GET", path, ""), 200),
		[]comment{{new("b.go"), new(3), new("new")}, {}})
}

func TestLicenseURL(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	type project struct {
		URL *string `json:"license_url"`
	}
	same(t, into[project](t, call(t, svc, "GET", "/projects/1?license=true", ""), 200), project{nil})
	app.Commit("main", "License", servicetest.Write("LICENSE", "MIT License\n"))
	same(t, into[project](t, call(t, svc, "GET", "/projects/1?license=true", ""), 200),
		project{new(svc.URL() + "/acme/app/-/blob/main/LICENSE")})
	same(t, into[project](t, call(t, svc, "GET", "/projects/1", ""), 200), project{nil})
}

// A pipeline for a tag that exists does not move the tag.
func TestPipelineForATagThatExists(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	sha := app.Commit("main", "First", servicetest.Write("a", "a\n"))
	app.Tag("v1", "main")
	app.Commit("main", "Second", servicetest.Write("a", "b\n"))
	app.Branch("v1", "main")
	app.Pipeline("v1", servicetest.ForTag())
	type tag struct{ Target string }
	same(t, into[tag](t, call(t, svc, "GET", "/projects/1/repository/tags/v1", ""), 200), tag{sha})
}

func TestSizeOfAProject(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app", servicetest.EmptyRepository())
	app.Commit("main", "Begin", servicetest.Write("a", "12345"))
	app.Pipeline("main").Job("build", servicetest.Archive(map[string]string{"out": "x"}))
	type sizes struct {
		Commits    int   `json:"commit_count"`
		Storage    int64 `json:"storage_size"`
		Repository int64 `json:"repository_size"`
		Artifacts  int64 `json:"job_artifacts_size"`
	}
	type project struct{ Statistics sizes }
	got := into[project](t, call(t, svc, "GET", "/projects/1?statistics=true", ""), 200).Statistics
	if got.Artifacts == 0 {
		t.Error("the artifacts have no size")
	}
	same(t, got, sizes{1, 5 + got.Artifacts, 5, got.Artifacts})
}

// Updating a note on a merge request leaves the issue with the same number alone.
func TestUpdatingANote(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	app.Issue("First").Note("On the issue.")
	app.MergeRequest("work").Note("On the merge request.")
	type note struct {
		Body         string
		Type         string `json:"noteable_type"`
		Confidential bool   `json:"confidential"`
	}
	changed := into[note](t, call(t, svc, "PUT", "/projects/1/merge_requests/1/notes/2", `{"body":"Changed."}`), 200)
	same(t, changed, note{"Changed.", "MergeRequest", false})
	for path, want := range map[string]note{
		"/projects/1/merge_requests/1/notes/2": changed,
		"/projects/1/issues/1/notes/1":         {"On the issue.", "Issue", false},
	} {
		same(t, into[note](t, call(t, svc, "GET", path, ""), 200), want)
	}
}

func TestKindsOfRunners(t *testing.T) {
	svc := servicetest.New(t)
	acme, app := svc.Group("acme"), svc.Project("acme/app")
	svc.Runner("of the group", servicetest.ForGroup(acme))
	svc.Runner("of the project", servicetest.ForProjects(app))
	svc.Runner("of all")
	type runner struct {
		Description string
		Kind        string `json:"runner_type"`
	}
	want := []runner{
		{"of the group", "group_type"}, {"of the project", "project_type"}, {"of all", "instance_type"},
	}
	got := into[[]runner](t, call(t, svc, "GET", "/runners/all?sort=id_asc", ""), 200)
	slices.SortFunc(got, func(a, b runner) int { return strings.Compare(b.Description, a.Description) })
	slices.SortFunc(want, func(a, b runner) int { return strings.Compare(b.Description, a.Description) })
	same(t, got, want)
	registered := into[struct{ ID int64 }](t, call(t, svc, "POST", "/runners",
		`{"token":"`+acme.RegistrationToken()+`","description":"registered"}`), 201)
	same(t, registered.ID, 4)
	same(t, into[runner](t, call(t, svc, "GET", "/runners/4", ""), 200), runner{"registered", "group_type"})
}

// Records made with the same option do not share its data.
func TestOptionsCanBeUsedAgain(t *testing.T) {
	svc := servicetest.New(t)
	app, other := svc.Project("acme/app"), svc.Project("acme/other")
	bug := servicetest.Labels("bug", "old")
	app.Issue("Here", bug)
	other.Issue("There", bug)
	into[any](t, call(t, svc, "PUT", "/projects/1/labels/bug", `{"new_name":"defect"}`), 200)
	into[any](t, call(t, svc, "PUT", "/projects/1/issues/1", `{"remove_labels":"old"}`), 200)
	shows(t, svc, "/projects/1/issues/1", "labels", `["defect"]`)
	shows(t, svc, "/projects/2/issues/1", "labels", `["bug","old"]`)
}

// All merge requests that wait for one pipeline are merged when it succeeds.
func TestSeveralMergeRequestsWaitForOnePipeline(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	app.Branch("stable", "main")
	app.Branch("older", "main")
	app.Commit("work", "Work", servicetest.Write("a", "a\n"))
	job := app.Pipeline("work").Job("test", servicetest.Running())
	for i, target := range []string{"main", "stable", "older"} {
		app.MergeRequest("work", servicetest.Into(target))
		into[any](t, call(t, svc, "PUT", fmt.Sprintf("/projects/1/merge_requests/%d/merge", i+1),
			`{"merge_when_pipeline_succeeds":true}`), 200)
	}
	job.Succeed()
	for i := range 3 {
		shows(t, svc, fmt.Sprintf("/projects/1/merge_requests/%d", i+1), "state", `"merged"`)
	}
}

// A hook learns how a merge request will be merged while it waits for its pipeline.
func TestHooksOfWaitingMergeRequests(t *testing.T) {
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer receiver.Close()
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	app.Commit("work", "Work", servicetest.Write("a", "a\n"))
	app.Pipeline("work").Job("test", servicetest.Running())
	app.MergeRequest("work")
	hook := app.Hook(receiver.URL, servicetest.HookEvents("merge_requests_events"))
	told := func(title, waits, params string) { // in the event that a new title causes
		t.Helper()
		into[any](t, call(t, svc, "PUT", mergeRequestPath, `{"title":"`+title+`"}`), 200)
		svc.Flush()
		sent := hook.Deliveries()
		var event any
		if err := json.Unmarshal(sent[len(sent)-1].Body, &event); err != nil {
			t.Fatal(err)
		}
		same(t, memberOf(event, "object_attributes.title"), any(title))
		same(t, memberOf(event, "object_attributes.merge_when_pipeline_succeeds"), any(json.RawMessage(waits)))
		same(t, memberOf(event, "object_attributes.merge_params"), any(json.RawMessage(params)))
	}
	told("Before", "false", `{"force_remove_source_branch":false}`)
	into[any](t, call(t, svc, "PUT", mergeRequestPath+"/merge", `{"merge_when_pipeline_succeeds":true,
		"should_remove_source_branch":true,"merge_commit_message":"In","squash_commit_message":"One"}`), 200)
	told("While", "true", `{"auto_merge_strategy":"merge_when_pipeline_succeeds","commit_message":"In",
		"force_remove_source_branch":false,"should_remove_source_branch":true,"squash_commit_message":"One"}`)
	into[any](t, call(t, svc, "POST", mergeRequestPath+"/cancel_merge_when_pipeline_succeeds", ""), 201)
	told("After", "false", `{"force_remove_source_branch":false}`)
}

// A rule that needs nobody's approval asks nobody for it.
func TestOptionalRulesAskNobody(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithTier(servicetest.Premium))
	app := svc.Project("acme/app")
	for _, test := range []struct {
		user   string
		needed int64
		action string
	}{{"ada", 0, "(absent)"}, {"bea", 1, "approval_required"}} {
		user := svc.User(test.user)
		app.AddMember(user, servicetest.Developer)
		app.MergeRequest("for-"+test.user, servicetest.ApprovableBy(test.needed, user))
		todos := into[any](t, call(t, svc, "GET", "/todos", "", "Sudo", test.user), 200)
		same(t, memberOf(todos, "0.action_name"), any(test.action))
	}
}

// A milestone contains the whole day that it is due on, whatever the time.
func TestMilestonesContainTheirLastDay(t *testing.T) {
	svc := servicetest.New(t)
	acme := svc.Group("acme")
	for i := range 28 {
		acme.Milestone(fmt.Sprint(i+1), servicetest.Between(day(1), day(i+1)))
	}
	for i := range 28 {
		at := day(i + 1).Add(23*time.Hour + 59*time.Minute).Format(time.RFC3339)
		found := into[[]any](t, call(t, svc, "GET", "/groups/1/milestones?per_page=100&containing_date="+at, ""), 200)
		if len(found) != 28-i {
			t.Errorf("%s is in %d milestones, want %d", at, len(found), 28-i)
		}
	}
}

// The short revision of an image's tag is the beginning of its revision.
func TestShortRevisions(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app").RegistryRepository("image").Push("latest")
	tag := into[struct {
		Revision string `json:"revision"`
		Short    string `json:"short_revision"`
	}](t, call(t, svc, "GET", "/projects/1/registry/repositories/1/tags/latest", ""), 200)
	if len(tag.Short) != 9 || !strings.HasPrefix(tag.Revision, tag.Short) {
		t.Errorf("%s is the short form of %s", tag.Short, tag.Revision)
	}
}

// The archive of a planned job never expires if ExpireIn is zero.
func TestPlannedArchivesThatStay(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	files := servicetest.Archive(map[string]string{"a": "a"})
	app.CI(servicetest.PlanJob("stays", files, servicetest.ExpireIn(0)),
		servicetest.PlanJob("ends", files, servicetest.ExpireIn(time.Hour)))
	call(t, svc, "POST", "/projects/1/pipeline?ref=main", "")
	svc.Advance(10 * time.Minute)
	for _, job := range app.Jobs() {
		if ends := !job.ArtifactsExpireAt().IsZero(); ends != (job.Name() == "ends") {
			t.Errorf("%s ends: %v", job.Name(), ends)
		}
	}
}

// A package numbers its tags.
func TestTagsOfPackagesHaveNumbers(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app").Package("app", "1", servicetest.PackageTags("latest", "next", "old"))
	shows(t, svc, "/projects/1/packages/1", "tags.0.id tags.1.id tags.2.id tags.2.name", `100 101 102 "old"`)
}

// Everything that a deleted user wrote belongs to a placeholder.
func TestWhatDeletedUsersWrote(t *testing.T) {
	svc := servicetest.New(t)
	ada, app := svc.User("ada"), svc.Project("acme/app")
	app.AddMember(ada, servicetest.Developer)
	app.Issue("Crash", servicetest.By(ada)).Note("Look.", servicetest.By(ada))
	epic := app.Group().Epic("Plan", servicetest.By(ada))
	app.MergeRequest("work", servicetest.By(ada)).Note("Done.", servicetest.By(ada))
	app.Snippet("Trick", servicetest.By(ada))
	app.Release("v1", "First.", servicetest.By(ada))
	app.Pipeline("main", servicetest.By(ada)).Job("test", servicetest.By(ada))
	call(t, svc, "POST", "/projects/1/repository/commits/"+app.Head("main")+"/comments", `{"note":"So."}`,
		"PRIVATE-TOKEN", svc.Token(ada))
	into[any](t, call(t, svc, "GET", "/projects/1/issues?author_username=ada", ""), 200)
	same(t, call(t, svc, "DELETE", "/users/2", "").StatusCode, 204)
	svc.Advance(time.Minute)
	const ghost = `"ghost"`
	for path, member := range map[string]string{
		"/projects/1/issues/1":                                             "author.username",
		"/projects/1/issues/1/notes/1":                                     "author.username",
		"/projects/1/merge_requests/1":                                     "author.username",
		"/projects/1/merge_requests/1/notes/2":                             "author.username",
		fmt.Sprintf("/groups/1/epics/%d", epic.IID()):                      "author.username",
		"/projects/1/snippets/1":                                           "author.username",
		"/projects/1/search?scope=issues&search=crash":                     "0.author.username",
		"/projects/1/repository/commits/" + app.Head("main") + "/comments": "0.author.username",
		"/projects/1/issues?author_username=ghost":                         "0.author.username",
	} {
		shows(t, svc, path, member, ghost)
	}
	into[any](t, call(t, svc, "GET", "/projects/1/pipelines/1", ""), 200)
	into[any](t, call(t, svc, "GET", "/projects/1/jobs/1", ""), 200)
	into[any](t, call(t, svc, "GET", "/projects/1/releases/v1", ""), 200)
}

// A job seeded without a time has already ended, however long it took.
func TestSeededJobsHaveEnded(t *testing.T) {
	svc := servicetest.New(t)
	pipeline := svc.Project("acme/app").Pipeline("main")
	pipeline.Job("now", servicetest.CreatedAt(svc.Now()))
	pipeline.Job("long", servicetest.Queued(time.Hour), servicetest.Took(2*time.Hour))
	pipeline.Job("runs", servicetest.Queued(time.Hour), servicetest.Running())
	pipeline.Job("past", servicetest.CreatedAt(svc.Now().Add(-24*time.Hour)), servicetest.Queued(time.Hour),
		servicetest.Took(2*time.Hour))
	const times = "created_at started_at finished_at"
	shows(t, svc, "/projects/1/jobs/1", times,
		`"2026-01-15T08:58:56.250Z" "2026-01-15T08:58:58.500Z" "2026-01-15T09:00:00.000Z"`)
	shows(t, svc, "/projects/1/jobs/2", times,
		`"2026-01-15T06:00:00.000Z" "2026-01-15T07:00:00.000Z" "2026-01-15T09:00:00.000Z"`)
	shows(t, svc, "/projects/1/jobs/3", times, `"2026-01-15T08:00:00.000Z" "2026-01-15T09:00:00.000Z" null`)
	shows(t, svc, "/projects/1/jobs/4", times,
		`"2026-01-14T09:00:00.000Z" "2026-01-14T10:00:00.000Z" "2026-01-14T12:00:00.000Z"`)
}

// The last pipeline of a package is the last one that published it. Listing packages
// does not change that.
func TestLastPipelineOfAPackage(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	first, second := app.Pipeline("main"), app.Pipeline("main")
	app.Package("tool", "1.0", servicetest.PublishedBy(second, first))
	for range 2 {
		shows(t, svc, "/projects/1/packages/1", "pipeline.id", "1")
		shows(t, svc, "/projects/1/packages/1/pipelines", "0.id 1.id 2", `2 1 "(absent)"`)
	}
}

// An archived project says so.
func TestArchivedProjectsSaySo(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	same(t, app.Archived(), false)
	into[any](t, call(t, svc, "POST", "/projects/1/archive", ""), 201)
	same(t, app.Archived(), true)
	app.Unarchive()
	same(t, app.Archived(), false)
	app.Archive()
	shows(t, svc, "/projects/1", "archived", "true")
}

// TestHiddenNotesCannotBeResolved: the author of a merge request may resolve its
// discussions, except for notes that only members see.
func TestHiddenNotesCannotBeResolved(t *testing.T) {
	svc := servicetest.New(t)
	author := svc.User("author")
	m := svc.Project("acme/app", servicetest.Public()).MergeRequest("work", servicetest.By(author))
	first := m.Note("Why?", servicetest.Thread())
	hidden := m.Note("Hm.", servicetest.InReplyTo(first), servicetest.ConfidentialNote())
	token := svc.Token(author)
	for note, want := range map[*servicetest.Note]int{first: 200, hidden: 404} {
		path := fmt.Sprintf("/projects/1/merge_requests/1/discussions/%s/notes/%d", first.DiscussionID(), note.ID())
		a := call(t, svc, "PUT", path, `{"resolved":true}`, "PRIVATE-TOKEN", token)
		same(t, spaced(a.StatusCode, note.Resolved()), spaced(want, want == 200))
	}
}

// TestSuggestionsForAnotherProject: a reply to a note on a line of another project's diff suggests
// nothing.
func TestSuggestionsForAnotherProject(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	app.Commit("work", "Work", servicetest.Write("a", "1\n"))
	m, other := app.MergeRequest("work"), svc.Project("acme/other").MergeRequest("work")
	v := into[[]map[string]any](t, call(t, svc, "GET", "/projects/1/merge_requests/1/versions", ""), 200)[0]
	refs := fmt.Sprintf(`"base_sha":%q,"start_sha":%q,"head_sha":%q`, v["base_commit_sha"], v["start_commit_sha"],
		v["head_commit_sha"])
	into[any](t, call(t, svc, "POST", "/projects/1/merge_requests/1/discussions", `{"body":"Why?","position":{`+refs+
		`,"old_path":"a","new_path":"a","position_type":"text","new_line":1}}`), 201)
	text := "```suggestion\n2\n```"
	for _, on := range []*servicetest.MergeRequest{m, other} {
		on.Note(text, servicetest.InReplyTo(m.Notes()[0]))
	}
	shows(t, svc, "/projects/1/merge_requests/1/notes/2", "suggestions.0.to_content", `"2\n"`)
	shows(t, svc, "/projects/2/merge_requests/1/notes/3", "suggestions", `"(absent)"`)
}

// TestDeploymentsOfUnknownCommits: a deployment may name a commit that the repository
// does not have.
func TestDeploymentsOfUnknownCommits(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	app.MergeRequest("work").Merge()
	sha := strings.Repeat("0123456789", 4)
	job := app.Pipeline("main", servicetest.Commit(sha, "Lost")).Job("deploy")
	app.Environment("production").Deployment(servicetest.DeployedBy(job))
	shows(t, svc, "/projects/1/deployments/1", "sha status", fmt.Sprintf("%q %q", sha, "success"))
	same(t, call(t, svc, "GET", "/projects/1/deployments/1/merge_requests", "").body, "[]")
}

// TestHooksDoNotFollow: a hook does not follow a redirect, but records it as the
// response.
func TestHooksDoNotFollow(t *testing.T) {
	svc := servicetest.New(t)
	receiver := httptest.NewServer(http.RedirectHandler(svc.URL()+"/elsewhere", http.StatusFound))
	defer receiver.Close()
	app := svc.Project("acme/app")
	hook, broken := app.Hook(receiver.URL), app.Hook("http://127.0.0.1 /")
	app.Issue("Crash")
	svc.Flush()
	sent := hook.Deliveries()
	same(t, spaced(len(sent), sent[0].Status, sent[0].ResponseHeader.Get("Location"), len(svc.Requests())),
		spaced(1, 302, svc.URL()+"/elsewhere", 0))
	sent = broken.Deliveries()
	same(t, spaced(len(sent), sent[0].Status, sent[0].Err != nil), "1 0 true")
}

// TestHooksOfTokensOfGroups: the event about a token of a group says which group it is.
func TestHooksOfTokensOfGroups(t *testing.T) {
	svc := servicetest.New(t)
	team := svc.Group("acme/team")
	hook := team.Hook("http://127.0.0.1:1", servicetest.HookEvents("resource_access_token_events"))
	svc.Project("acme/team/app").Issue("One")
	team.AccessToken(servicetest.Reporter, servicetest.ExpiresAt(svc.Now().Add(time.Hour)))
	svc.Flush()
	var sent map[string]any
	if err := json.Unmarshal(hook.Deliveries()[0].Body, &sent); err != nil {
		t.Fatal(err)
	}
	same(t, spaced(memberOf(sent, "group.full_path"), memberOf(sent, "project")), "acme/team (absent)")
}

// TestRebasingTwice: no second rebase begins while one is in progress.
func TestRebasingTwice(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	m := app.MergeRequest("work", servicetest.RebaseTakes(10*time.Second))
	app.Commit("main", "Go on", servicetest.Write("main.txt", "main\n"))
	for range 2 {
		same(t, asked(t, svc, "PUT /projects/1/merge_requests/1/rebase"), "202")
		svc.Advance(6 * time.Second)
	}
	same(t, m.RebaseInProgress(), false)
	svc.Advance(time.Minute)
	shows(t, svc, "/projects/1/merge_requests/1", "updated_at", `"2026-01-15T09:00:10.000Z"`)
}
