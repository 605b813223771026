package servicetest_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
)

// same compares what a response says with what it should.
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

// An issue that is closed stays as it was closed.
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

// A job of a pipeline that was seeded runs when it is retried, and succeeds.
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

// A note of a merge request is changed there, and not on the issue of the same number.
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
