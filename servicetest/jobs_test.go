package servicetest_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
)

// names returns the names of the jobs in a list.
func names(t *testing.T, a answer) string {
	t.Helper()
	var all []string
	for _, job := range into[[]named](t, a, 200) {
		all = append(all, job.Name)
	}
	return strings.Join(all, " ")
}

func TestJobFields(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithExternalURL("https://service.example.com/"))
	ada := svc.User("ada")
	runner := svc.Runner("fast")
	app := svc.Project("acme/app")
	pipe := app.Pipeline("v1", servicetest.ForTag(), servicetest.By(ada),
		servicetest.Commit("0123456789abcdef", "Fix it\n\nAt last."))
	pipe.Job("unit", servicetest.Stage("verify"), servicetest.Failed("stuck_or_timeout_failure"),
		servicetest.AllowFailure(),
		servicetest.Coverage(87.5), servicetest.Tags("linux", "fast"), servicetest.RunOn(runner),
		servicetest.Took(90*time.Second), servicetest.Queued(1500*time.Millisecond),
		servicetest.Trace("log"), servicetest.JUnit("<testsuites/>"),
		servicetest.Archive(map[string]string{"a": "b"}), servicetest.ExpireIn(time.Hour))
	job := into[map[string]any](t, call(t, svc, "GET", "/projects/1/jobs/1", ""), 200)
	want := map[string]string{
		"id": "1", "name": `"unit"`, "stage": `"verify"`, "status": `"failed"`,
		"failure_reason": `"stuck_or_timeout_failure"`, "ref": `"v1"`, "tag": "true", "coverage": "87.5",
		"allow_failure": "true", "duration": "90", "queued_duration": "1.5",
		"created_at": `"2026-01-15T08:55:00.000Z"`, "started_at": `"2026-01-15T08:55:01.500Z"`,
		"finished_at": `"2026-01-15T08:56:31.500Z"`, "artifacts_expire_at": `"2026-01-15T10:00:00.000Z"`,
		"tag_list": `["linux","fast"]`, "web_url": `"https://service.example.com/acme/app/-/jobs/1"`,
		"pipeline": `{"id":1,"project_id":1,"ref":"v1","sha":"0123456789abcdef","status":"success"}`,
	}
	for name, value := range want {
		if got := compact(job[name]); got != value {
			t.Errorf("%s = %s, want %s", name, got, value)
		}
	}
	if got := compact(job["artifacts_file"]); !strings.Contains(got, `"filename":"artifacts.zip"`) {
		t.Errorf("artifacts_file = %s", got)
	}
	members := map[string][]string{
		"pipeline": {"id", "project_id", "ref", "sha", "status"},
		"commit": {
			"author_email", "author_name", "authored_date", "committed_date", "committer_email", "committer_name",
			"created_at",
			"id", "message", "parent_ids", "short_id", "title", "web_url",
		},
		"runner": {"active", "description", "id", "ip_address", "is_shared", "name", "online", "paused", "runner_type",
			"status"},
		"user": {
			"avatar_url", "bio", "bot", "created_at", "discord", "followers", "following", "github", "id",
			"is_followed", "job_title",
			"linkedin", "local_time", "location", "name", "organization", "pronouns", "public_email", "skype", "state",
			"twitter",
			"username", "web_url", "website_url", "work_information",
		},
	}
	for object, want := range members {
		if got := keys(job[object]); !slices.Equal(got, want) {
			t.Errorf("%s has %v, want %v", object, got, want)
		}
	}
	var kinds []string
	for _, artifact := range job["artifacts"].([]any) {
		kinds = append(kinds, fmt.Sprint(artifact.(map[string]any)["file_type"]))
	}
	if got := strings.Join(kinds, " "); got != "archive metadata trace junit" {
		t.Errorf("artifacts %s", got)
	}
}

func compact(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}

func keys(v any) []string {
	var all []string
	for key := range v.(map[string]any) {
		all = append(all, key)
	}
	slices.Sort(all)
	return all
}

func TestJobNulls(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app").Pipeline("main").Job("test", servicetest.Created(), servicetest.By(nil))
	job := into[map[string]any](t, call(t, svc, "GET", "/projects/1/jobs/1", ""), 200)
	for _, name := range []string{"coverage", "started_at", "finished_at", "duration", "queued_duration",
		"artifacts_expire_at", "runner", "user"} {
		if value, ok := job[name]; !ok || value != nil {
			t.Errorf("%s = %v, %v, want null", name, value, ok)
		}
	}
	for _, name := range []string{"artifacts_file", "failure_reason", "download_url"} {
		if value, ok := job[name]; ok {
			t.Errorf("%s = %v, want none", name, value)
		}
	}
}

func TestScopeOfJobs(t *testing.T) {
	svc := servicetest.New(t)
	pipe := svc.Project("acme/app").Pipeline("main")
	pipe.Job("created", servicetest.Created())
	pipe.Job("pending", servicetest.Pending())
	pipe.Job("running", servicetest.Running())
	pipe.Job("failed", servicetest.Failed("script_failure"))
	pipe.Job("success")
	pipe.Job("canceled", servicetest.Canceled())
	pipe.Job("skipped", servicetest.Skipped())
	pipe.Job("manual", servicetest.Manual())
	tests := map[string]string{
		"":                                 "manual skipped canceled success failed running pending created",
		"?scope=failed":                    "failed",
		"?scope[]=pending&scope[]=running": "running pending",
		"?scope%5B%5D=manual&scope%5B%5D=skipped": "manual skipped",
	}
	for query, want := range tests {
		for _, path := range []string{"/projects/1/jobs", "/projects/1/pipelines/1/jobs"} {
			if got := names(t, call(t, svc, "GET", path+query, "")); got != want {
				t.Errorf("%s%s: %s, want %s", path, query, got, want)
			}
		}
	}
	refused(t, call(t, svc, "GET", "/projects/1/jobs?scope[]=lost", ""), 400,
		`{"error":"scope does not have a valid value"}`)
}

func TestPipelineJobs(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	pipe := app.Pipeline("main")
	build := pipe.Job("build", servicetest.Failed("script_failure"))
	child := pipe.Child("trigger")
	child.Job("in-child")
	other := svc.Project("acme/other").Pipeline("main")
	other.Job("elsewhere")
	pipe.Bridge("deploy", other, servicetest.Running())
	build.Retry()
	path := "/projects/1/pipelines/1/jobs"
	if got := names(t, call(t, svc, "GET", path, "")); got != "build in-child" {
		t.Errorf("jobs: %s", got)
	}
	if got := names(t, call(t, svc, "GET", path+"?include_retried=true", "")); got != "build in-child build" {
		t.Errorf("with retried: %s", got)
	}
	if got := names(t, call(t, svc, "GET", "/projects/1/pipelines/2/jobs", "")); got != "in-child" {
		t.Errorf("of the child: %s", got)
	}
	if a := call(t, svc, "GET", "/projects/1/pipelines/3/jobs", ""); a.StatusCode != 404 {
		t.Errorf("another project's pipeline: %d", a.StatusCode)
	}
	bridges := into[[]map[string]any](t, call(t, svc, "GET", "/projects/1/pipelines/1/bridges", ""), 200)
	if len(bridges) != 2 || bridges[0]["name"] != "deploy" || bridges[1]["name"] != "trigger" {
		t.Fatalf("bridges: %v", bridges)
	}
	details := []string{"created_at", "id", "project_id", "ref", "sha", "status", "updated_at", "web_url"}
	for _, name := range []string{"pipeline", "downstream_pipeline"} {
		if got := keys(bridges[0][name]); !slices.Equal(got, details) {
			t.Errorf("%s has %v", name, got)
		}
	}
	for _, name := range []string{"artifacts", "tag_list", "runner"} {
		if _, ok := bridges[0][name]; ok {
			t.Errorf("a bridge has %s", name)
		}
	}
	if a := call(t, svc, "GET", fmt.Sprintf("/projects/1/jobs/%v", bridges[0]["id"]), ""); a.StatusCode != 404 {
		t.Errorf("a bridge as a job: %d", a.StatusCode)
	}
	if a := call(t, svc, "GET", "/projects/2/jobs/1", ""); a.StatusCode != 404 {
		t.Errorf("another project's job: %d", a.StatusCode)
	}
	if got := names(t, call(t, svc, "GET", "/projects/1/pipelines/1/bridges?scope[]=running", "")); got != "deploy" {
		t.Errorf("running bridges: %s", got)
	}
}

func TestCancelAndRetry(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	app := svc.Project("acme/app", servicetest.Member(ada, servicetest.Developer))
	pipe := app.Pipeline("main")
	job := pipe.Job("test", servicetest.Running())
	refused(t, call(t, svc, "POST", "/projects/1/jobs/1/retry", ""), 403,
		`{"message":"403 Forbidden - Job is not retryable"}`)
	svc.Advance(30 * time.Second)
	canceled := into[map[string]any](t, call(t, svc, "POST", "/projects/1/jobs/1/cancel", ""), 201)
	if canceled["status"] != "canceled" || canceled["finished_at"] != "2026-01-15T09:00:30.000Z" ||
		job.Status() != "canceled" {
		t.Errorf("canceled: %v", canceled)
	}
	if pipe.Status() != "canceled" {
		t.Errorf("the pipeline is %s", pipe.Status())
	}
	again := into[map[string]any](t, call(t, svc, "POST", "/projects/1/jobs/1/retry", "", "Sudo", "ada"), 201)
	if again["id"] != 2.0 || again["status"] != "pending" || again["name"] != "test" ||
		again["user"].(map[string]any)["username"] != "ada" {
		t.Errorf("retried: %v", again)
	}
	if !job.Retried() || pipe.Status() != "pending" {
		t.Errorf("retried: %v, the pipeline is %s", job.Retried(), pipe.Status())
	}
	refused(t, call(t, svc, "POST", "/projects/1/jobs/1/retry", ""), 403,
		`{"message":"403 Forbidden - Job is not retryable"}`)
	refused(t, call(t, svc, "POST", "/projects/1/jobs/9/cancel", ""), 404, `{"message":"404 Not found"}`)
}

// TestCancelWithoutJobs: canceling a pipeline that has no jobs, or a status of its own,
// cancels the pipeline itself unless it has ended.
func TestCancelWithoutJobs(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	app.Pipeline("main")
	app.Pipeline("main", servicetest.PipelineStatus("success"))
	app.Pipeline("main", servicetest.PipelineStatus("pending")).Job("test", servicetest.Running())
	for id, want := range []string{"canceled", "success", "canceled"} {
		path := fmt.Sprintf("/projects/1/pipelines/%d", id+1)
		got := into[map[string]any](t, call(t, svc, "POST", path+"/cancel", ""), 200)
		same(t, got["status"], any(want))
		shows(t, svc, path, "status", strconv.Quote(want))
	}
	shows(t, svc, "/projects/1/jobs", "0.status", `"running"`)
}

// TestAllowedManualJobs: the next stage does not wait for a manual job that may fail.
// It waits for any other job.
func TestAllowedManualJobs(t *testing.T) {
	for _, c := range []struct {
		first []servicetest.JobOption
		want  string
	}{
		{[]servicetest.JobOption{servicetest.Manual(), servicetest.AllowFailure()}, `"manual" "pending"`},
		{[]servicetest.JobOption{servicetest.Manual()}, `"manual" "created"`},
		{[]servicetest.JobOption{servicetest.AllowFailure()}, `"pending" "created"`},
	} {
		svc := servicetest.New(t)
		app := svc.Project("acme/app")
		app.Commit("main", "Begin")
		app.CI(servicetest.PlanJob("first", append(c.first, servicetest.Stage("one"))...),
			servicetest.PlanJob("second", servicetest.Stage("two")))
		same(t, asked(t, svc, "POST /projects/1/pipeline?ref=main"), "201")
		shows(t, svc, "/projects/1/jobs", "1.status 0.status", c.want)
	}
	pipeline := servicetest.New(t).Project("acme/app").Pipeline("main")
	pipeline.Job("build")
	pipeline.Job("deploy", servicetest.Manual(), servicetest.AllowFailure())
	same(t, pipeline.Status(), "success")
}

// TestPlannedJobsEndedByHand: a planned job that does not end by itself has its log while it
// runs, and has produced the rest once the test ends it.
func TestPlannedJobsEndedByHand(t *testing.T) {
	for name, end := range map[string]func(*servicetest.Service, *servicetest.Job){
		"succeed":     func(_ *servicetest.Service, j *servicetest.Job) { j.Succeed() },
		"fail":        func(_ *servicetest.Service, j *servicetest.Job) { j.Fail("script_failure") },
		"succeed all": func(svc *servicetest.Service, _ *servicetest.Job) { svc.SucceedJobs() },
		"cancel":      func(_ *servicetest.Service, j *servicetest.Job) { j.Cancel() },
	} {
		for state, status := range map[string]servicetest.JobOption{
			"running": servicetest.Running(), "pending": servicetest.Pending(),
		} {
			svc := servicetest.New(t)
			app := svc.Project("acme/app")
			app.CI(servicetest.PlanJob("r", status, servicetest.Trace("one\n"), servicetest.Coverage(50),
				servicetest.Archive(map[string]string{"a": "a"}), servicetest.ExpireIn(time.Hour)))
			same(t, asked(t, svc, "POST /projects/1/pipeline?ref=main"), "201")
			job := app.Jobs()[0]
			svc.Advance(10 * time.Minute)
			if state == "pending" {
				same(t, asked(t, svc, "GET /projects/1/jobs/1/trace"), "404")
				job.Start()
			}
			same(t, job.Status()+" "+job.Trace(), "running one\n")
			same(t, asked(t, svc, "GET /projects/1/jobs/1/trace", "GET /projects/1/jobs/1/artifacts"), "200 404")
			fmt.Fprint(job, "two\n")
			end(svc, job)
			produced := name != "cancel"
			same(t, job.Trace(), "one\ntwo\n")
			same(t, job.HasArchive(), produced)
			if produced {
				shows(t, svc, "/projects/1/jobs/1", "coverage", "50")
				same(t, job.ArtifactsExpireAt(), svc.Now().Add(time.Hour))
				artifacts := "/projects/1/jobs/1/artifacts"
				same(t, asked(t, svc, "GET "+artifacts, "DELETE "+artifacts), "200 204")
				job.Succeed()
				same(t, job.HasArchive(), false)
			}
		}
	}
}

// TestLogsOfPlannedJobs: the log of a planned job that ends by itself is there when it ends, and
// two jobs with one plan do not write into the log of each other.
func TestLogsOfPlannedJobs(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	app.CI(servicetest.PlanJob("r", servicetest.Trace("one\n"), servicetest.Archive(map[string]string{"a": "a"})),
		servicetest.PlanJob("s", servicetest.Running(), servicetest.Trace("begin ")))
	same(t, asked(t, svc, "POST /projects/1/pipeline?ref=main"), "201")
	svc.Advance(10 * time.Second)
	first, second := app.Jobs()[0], app.Jobs()[1]
	same(t, first.Status()+first.Trace(), "running")
	first.Succeed()
	same(t, first.Trace(), "one\n")
	same(t, first.HasArchive(), true)
	second.Fail("script_failure")
	again := second.Retry()
	svc.Advance(10 * time.Second)
	fmt.Fprint(second, "old")
	fmt.Fprint(again, "new")
	same(t, second.Trace()+", "+again.Trace(), "begin old, begin new")
}

// TestPlayedDeployments: only users who may deploy can play a manual job that deploys.
func TestPlayedDeployments(t *testing.T) {
	svc := servicetest.New(t)
	ada, app := svc.User("ada"), svc.Project("acme/app")
	app.AddMember(ada, servicetest.Developer)
	pipeline := app.Pipeline("work")
	job := pipeline.Job("deploy", servicetest.Manual())
	pipeline.Job("check", servicetest.Manual())
	app.Environment("live", servicetest.EnvironmentProtected()).Deployment(servicetest.DeployedBy(job))
	token := svc.Token(ada)
	for path, status := range map[string]int{"/projects/1/jobs/1/play": 403, "/projects/1/jobs/2/play": 200} {
		same(t, call(t, svc, "POST", path, "", "PRIVATE-TOKEN", token).StatusCode, status)
	}
	same(t, asked(t, svc, "POST /projects/1/jobs/1/play"), "200")
}

func TestCancelOfFinishedJob(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app").Pipeline("main").Job("test")
	before := into[map[string]any](t, call(t, svc, "GET", "/projects/1/jobs/1", ""), 200)
	svc.Advance(time.Hour)
	after := into[map[string]any](t, call(t, svc, "POST", "/projects/1/jobs/1/cancel", ""), 201)
	if compact(after) != compact(before) {
		t.Errorf("canceled: %v, before %v", after, before)
	}
}

func TestPipelineStatusFollowsJobs(t *testing.T) {
	svc := servicetest.New(t)
	pipe := svc.Project("acme/app").Pipeline("main")
	build := pipe.Job("build", servicetest.Pending())
	test := pipe.Job("test", servicetest.Created())
	pipe.Job("lint", servicetest.Failed("script_failure"), servicetest.AllowFailure())
	steps := []struct {
		do   func()
		want string
	}{
		{func() {}, "running"},
		{build.Start, "running"},
		{build.Succeed, "running"},
		{test.Start, "running"},
		{func() { test.Fail("script_failure") }, "failed"},
		{func() { test.Retry().Succeed() }, "success"},
		{func() { pipe.SetStatus("canceled") }, "canceled"},
	}
	for i, step := range steps {
		step.do()
		job := into[map[string]any](t, call(t, svc, "GET", "/projects/1/jobs/1", ""), 200)
		shown := job["pipeline"].(map[string]any)["status"]
		if pipe.Status() != step.want || shown != step.want {
			t.Errorf("step %d: %s, shown as %v, want %s", i, pipe.Status(), shown, step.want)
		}
	}
}

// TestStatusOfJobsTogether checks the status of pipelines whose jobs have these
// statuses.
func TestStatusOfJobsTogether(t *testing.T) {
	statuses := map[string]servicetest.JobOption{
		"created": servicetest.Created(), "pending": servicetest.Pending(), "running": servicetest.Running(),
		"failed":   servicetest.Failed("script_failure"),
		"canceled": servicetest.Canceled(), "skipped": servicetest.Skipped(), "manual": servicetest.Manual(),
		"success": servicetest.Stage("test"),
	}
	for jobs, want := range map[string]string{
		"created": "created", "pending": "pending", "running": "running", "failed": "failed", "canceled": "canceled",
		"skipped": "skipped",
		"manual":  "manual", "success": "success", "": "created",
		"success manual": "manual", "manual running": "running", "manual pending": "pending", "manual failed": "failed",
		"manual canceled": "canceled",
		"manual created":  "manual", "manual skipped": "manual", "success pending": "running",
		"failed created": "running", "created pending": "pending",
		"created running": "running", "failed canceled success": "failed", "canceled success": "canceled",
		"success skipped":        "success",
		"manual running pending": "running", "manual running failed": "running", "manual running canceled": "running",
		"manual pending failed": "running", "manual pending canceled": "running",
		"manual failed canceled": "failed", "success pending created": "running",
	} {
		svc := servicetest.New(t)
		pipeline := svc.Project("acme/app").Pipeline("main")
		for _, job := range strings.Fields(jobs) {
			pipeline.Job(job, statuses[job])
		}
		if got := pipeline.Status(); got != want {
			t.Errorf("jobs %s: %s, want %s", jobs, got, want)
		}
	}
}

func TestGrowingTrace(t *testing.T) {
	svc := servicetest.New(t)
	job := svc.Project("acme/app").Pipeline("main").Job("test", servicetest.Running())
	path := "/projects/1/jobs/1/trace"
	refused(t, call(t, svc, "GET", path, ""), 404, `{"message":"404 Not found"}`)
	fmt.Fprintln(job, "one")
	first := call(t, svc, "GET", path, "")
	fmt.Fprintln(job, "two")
	second := call(t, svc, "GET", path, "")
	if first.body != "one\n" || second.body != "one\ntwo\n" || job.Trace() != second.body {
		t.Errorf("first %q, then %q, log %q", first.body, second.body, job.Trace())
	}
	tail := call(t, svc, "GET", path, "", "Range", "bytes=4-", "If-Range", second.Header.Get("Etag"))
	if tail.StatusCode != 206 || tail.body != "two\n" {
		t.Errorf("range: %d %q", tail.StatusCode, tail.body)
	}
	changed := call(t, svc, "GET", path, "", "Range", "bytes=4-", "If-Range", first.Header.Get("Etag"))
	if changed.StatusCode != 200 || changed.body != second.body {
		t.Errorf("range of an older log: %d %q", changed.StatusCode, changed.body)
	}
	if size := into[map[string]any](t, call(t, svc, "GET", "/projects/1/jobs/1", ""),
		200)["artifacts"]; !strings.Contains(compact(size), `"size":8`) {
		t.Errorf("artifacts %s", compact(size))
	}
}

func TestRunningDurationFollowsTheClock(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app").Pipeline("main").Job("test", servicetest.Running(),
		servicetest.CreatedAt(servicetest.Epoch), servicetest.Queued(0))
	duration := func() any {
		return into[[]map[string]any](t, call(t, svc, "GET", "/projects/1/jobs", ""), 200)[0]["duration"]
	}
	if got := duration(); got != 0.0 {
		t.Errorf("at first %v", got)
	}
	svc.Advance(90 * time.Second)
	if got := duration(); got != 90.0 {
		t.Errorf("after 90 s: %v", got)
	}
}

func TestCachedJobsFollowWhatIsInThem(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	svc.Project("acme/app").Pipeline("main", servicetest.By(ada)).Job("test")
	state := func() any {
		job := into[[]map[string]any](t, call(t, svc, "GET", "/projects/1/jobs", ""), 200)[0]
		return job["user"].(map[string]any)["state"]
	}
	if got := state(); got != "active" {
		t.Errorf("at first %v", got)
	}
	ada.Block()
	if got := state(); got != "blocked" {
		t.Errorf("after blocking: %v", got)
	}
}

func TestJobOfToken(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	app := svc.Project("acme/app", servicetest.Member(ada, servicetest.Developer))
	config := svc.Project("acme/agents")
	agent := app.AllowAgent(config)
	job := app.Pipeline("main", servicetest.By(ada)).Job("deploy", servicetest.Stage("ship"), servicetest.Running())
	if got := into[named](t, get(t, svc, "/job", "JOB-TOKEN", job.Token()), 200); got.ID != job.ID() {
		t.Errorf("job %+v", got)
	}
	refused(t, call(t, svc, "GET", "/job", ""), 404, `{"message":"404 Job Not Found"}`)
	refused(t, get(t, svc, "/job/allowed_agents"), 401, unauthorized)
	got := into[map[string]any](t, get(t, svc, "/job/allowed_agents?job_token="+job.Token()), 200)
	if want := []string{"allowed_agents", "job", "pipeline", "project", "user"}; !slices.Equal(keys(got), want) {
		t.Errorf("members %v", keys(got))
	}
	if want := `{"id":1,"name":"deploy","project_id":1,"project_name":"App","stage":"ship"}`; compact(
		got["job"]) != want {
		t.Errorf("job %s, want %s", compact(got["job"]), want)
	}
	first := got["allowed_agents"].([]any)[0].(map[string]any)
	if first["id"] != float64(agent) ||
		first["config_project"].(map[string]any)["path_with_namespace"] != "acme/agents" {
		t.Errorf("agent %v", first)
	}
}

// TestUselessRunners checks that no runner can be made or changed so that it takes no
// jobs or gives them no time.
func TestUselessRunners(t *testing.T) {
	svc := servicetest.New(t)
	runner := svc.Runner("shared")
	registration := `{"token":"` + svc.RegistrationToken() + `",`
	// The order matters: the runner keeps each accepted change.
	for _, x := range []struct{ body, problem string }{
		{`"maximum_timeout":599}`, `{"maximum_timeout":["needs to be at least 10 minutes"]}`},
		{`"maximum_timeout":-1}`, `{"maximum_timeout":["needs to be at least 10 minutes"]}`},
		{`"run_untagged":false}`,
			`{"tags_list":["can not be empty when runner is not allowed to pick untagged jobs"]}`},
		{`"run_untagged":false,"tag_list":[]}`,
			`{"tags_list":["can not be empty when runner is not allowed to pick untagged jobs"]}`},
		{`"maximum_timeout":600,"tag_list":["a"]}`, ""},
		{`"maximum_timeout":null,"run_untagged":true}`, ""},
		{`"maximum_timeout":"","tag_list":"a,b","locked":false}`, ""},
	} {
		body, problem := x.body, x.problem
		for route, status := range map[string]int{"POST /runners": 201, "POST /user/runners": 201,
			"PUT /runners/1": 200} {
			method, path, _ := strings.Cut(route, " ")
			start := map[string]string{"/runners": registration, "/user/runners": `{"runner_type":"instance_type",`,
				"/runners/1": `{`}[path]
			a := call(t, svc, method, path, start+body)
			if problem == "" && a.StatusCode != status || problem != "" &&
				(a.StatusCode != 400 || a.body != `{"message":`+problem+`}`) {
				t.Errorf("%s %s: %d %s", route, body, a.StatusCode, a.body)
			}
		}
	}
	if n := len(svc.Runners()); n != 1+2*3 || !runner.RunUntagged() {
		t.Errorf("%d runners, the first takes untagged jobs: %v", n, runner.RunUntagged())
	}
}

// TestListsOfChildren: a list includes child pipelines only if it asks for their
// source.
func TestListsOfChildren(t *testing.T) {
	svc := servicetest.New(t)
	parent := svc.Project("acme/app").Pipeline("main", servicetest.PipelineSource("web"))
	child := parent.Child("build")
	for query, want := range map[string]string{
		"": spaced(parent.ID()), "?source=web": spaced(parent.ID()), "?source=parent_pipeline": spaced(child.ID()),
		"?source=push": "",
	} {
		var ids []any
		for _, p := range into[[]struct{ ID int64 }](t, call(t, svc, "GET", "/projects/1/pipelines"+query, ""), 200) {
			ids = append(ids, p.ID)
		}
		same(t, query+" "+spaced(ids...), query+" "+strings.TrimSpace(want))
	}
	shows(t, svc, "/projects/1/pipelines/latest", "source", `"web"`)
}
