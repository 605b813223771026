package servicetest_test

import (
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
)

// TestObjects checks the tree of objects. A child comes after its parent.
func TestObjects(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	platform := svc.Group("acme/platform")
	app := svc.Project("acme/platform/app")
	own := svc.Project("ada/own")
	request := app.MergeRequest("work")
	early := app.Pipeline("main", servicetest.PipelineName("nightly"))
	pipeline := app.Pipeline("work", servicetest.By(ada))
	job := pipeline.Job("test", servicetest.Running(), servicetest.Stage("check"))
	pipeline.Bridge("deploy", nil)

	byHandle := make(map[any]servicetest.Object)
	var order []string
	for _, o := range svc.Objects() {
		if _, known := byHandle[o.Parent]; !known && o.Parent != nil {
			t.Errorf("%q comes before its parent", o.Name)
		}
		byHandle[o.Handle] = o
		order = append(order, fmt.Sprintf("%T %d", o.Handle, o.ID))
	}
	want := []string{"*servicetest.Group 1", "*servicetest.Group 2", "*servicetest.Project 1",
		"*servicetest.MergeRequest 1", "*servicetest.Pipeline 1", "*servicetest.Pipeline 2", "*servicetest.Job 1",
		"*servicetest.Project 2"}
	if !slices.Equal(order, want) {
		t.Errorf("%q", order)
	}
	for _, c := range []struct{ handle, parent any }{
		{platform, svc.Group("acme")}, {svc.Group("acme"), nil}, {app, platform}, {own, nil}, {request, app},
		{pipeline, app}, {early, app}, {job, pipeline},
	} {
		if o := byHandle[c.handle]; o.Parent != c.parent || o.CreatedAt.IsZero() {
			t.Errorf("%+v", o)
		}
	}
	for handle, want := range map[any]servicetest.Object{
		request: {ID: 1, IID: 1, Name: "Work", Status: "opened", Ref: "work", Target: "main",
			Pipelines: []*servicetest.Pipeline{pipeline}},
		early:    {ID: 1, IID: 1, Name: "nightly", Status: "created", Ref: "main"},
		pipeline: {ID: 2, IID: 2, Status: "running", Ref: "work"},
		job:      {ID: 1, Name: "test", Status: "running", Stage: "check"},
		app:      {ID: 1, Name: "acme/platform/app"},
	} {
		got := byHandle[handle]
		got.Handle, got.Parent, got.CreatedAt = nil, nil, time.Time{}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if created := byHandle[app].CreatedAt; !created.Equal(svc.Now()) {
		t.Errorf("created at %v", created)
	}
}

// TestObjectsAreOfOneTime: the status of a pipeline matches its jobs.
func TestObjectsAreOfOneTime(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	job := app.Pipeline("main").Job("test", servicetest.Running())
	statuses := func() (found []string) {
		for _, o := range svc.Objects() {
			if o.Status != "" {
				found = append(found, o.Status)
			}
		}
		return found
	}
	before := statuses()
	job.Succeed()
	if got := append(before, statuses()...); fmt.Sprint(got) != "[running running success success]" {
		t.Errorf("%v", got)
	}
	call(t, svc, "DELETE", "/projects/1", "")
	if left := svc.Objects(); len(left) != 1 {
		t.Errorf("after the project was deleted: %v", left)
	}
}

// TestRunningJobsEnd: only running jobs end.
func TestRunningJobsEnd(t *testing.T) {
	for status, end := range map[string]func(*servicetest.Service) []*servicetest.Job{
		"success": (*servicetest.Service).SucceedJobs,
		"failed": func(s *servicetest.Service) []*servicetest.Job {
			return s.FailJobs("runner_system_failure")
		},
	} {
		svc := servicetest.New(t)
		one, two := svc.Project("acme/one"), svc.Project("acme/two")
		first := one.Pipeline("main")
		running, pending := first.Job("a", servicetest.Running()), first.Job("b", servicetest.Pending())
		done := first.Job("c")
		first.Bridge("d", nil, servicetest.Running())
		other := two.Pipeline("main").Job("e", servicetest.Running())
		if ended := end(svc); !slices.Equal(ended, []*servicetest.Job{running, other}) {
			t.Errorf("%v", ended)
		}
		got := []string{running.Status(), pending.Status(), done.Status(), other.Status()}
		if fmt.Sprint(got) != fmt.Sprint([]string{status, "pending", "success", status}) {
			t.Errorf("%s: %v", status, got)
		}
		if again := end(svc); len(again) != 0 {
			t.Errorf("again: %v", again)
		}
		shown := into[map[string]any](t, call(t, svc, "GET", "/projects/1/jobs/1", ""), 200)
		if reason := shown["failure_reason"]; status == "failed" && reason != "runner_system_failure" {
			t.Errorf("reason %v", reason)
		}
	}
}

// TestNextStageRunsOn: ending the jobs of one stage starts the next one, which keeps
// running.
func TestNextStageRunsOn(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	app.Commit("main", "Begin")
	app.CI(servicetest.PlanJob("build", servicetest.Stage("build")), servicetest.PlanJob("test"))
	call(t, svc, "POST", "/projects/1/pipeline?ref=main", "")
	svc.Advance(10 * time.Second)
	if ended := svc.SucceedJobs(); len(ended) != 1 || ended[0].Name() != "build" {
		t.Fatalf("%v", ended)
	}
	svc.Advance(10 * time.Second)
	if status := app.Jobs()[1].Status(); status != "running" {
		t.Errorf("test is %s", status)
	}
	svc.Advance(time.Hour)
	if status := app.Pipelines()[0].Status(); status != "success" {
		t.Errorf("the pipeline is %s", status)
	}
}

// TestFaultsAreListed: Faults returns faults with their effects until they are removed.
func TestFaultsAreListed(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app")
	for _, c := range []struct {
		want string
		opts []servicetest.FaultOption
	}{
		{"status 503, times 2", []servicetest.FaultOption{servicetest.Status(503, ""), servicetest.Times(2)}},
		{"delay 2s, skip 1, every 3", []servicetest.FaultOption{servicetest.Delay(2 * time.Second),
			servicetest.Skip(1), servicetest.Every(3)}},
		{"rate limit for 1m0s", []servicetest.FaultOption{servicetest.RateLimit(time.Minute)}},
		{"redirect 302", []servicetest.FaultOption{servicetest.Redirect("/elsewhere", 0)}},
		{"handler, if a condition holds", []servicetest.FaultOption{servicetest.Handler(nil),
			servicetest.If(func(*http.Request) bool { return false })}},
		{"reset, duplicate effect, dropped response, duplicate response", []servicetest.FaultOption{
			servicetest.Reset(), servicetest.DuplicateEffect(), servicetest.DropResponse(),
			servicetest.DuplicateResponse()}},
		{"body cut after 7 bytes, changed header", []servicetest.FaultOption{servicetest.CutBody(7),
			servicetest.SetHeader("A", "b"), servicetest.RemoveHeader("X-Total")}},
		{"nothing", nil},
	} {
		fault := svc.Fault("GET /projects/:project/jobs", c.opts...)
		if got := fault.String(); got != jobsRoute+": "+c.want || fault.Route() != jobsRoute {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	faults := svc.Faults()
	if len(faults) != 8 || faults[0].ID() != 1 || faults[7].ID() != 8 {
		t.Fatalf("%v", faults)
	}
	if got := statuses(t, svc, 2); !equal(got, []int{503, 503}) || !faults[0].UsedUp() || faults[1].UsedUp() {
		t.Errorf("%v, used up: %v, %v", got, faults[0].UsedUp(), faults[1].UsedUp())
	}
	faults[2].Remove()
	left := svc.Faults()
	if len(left) != 7 || left[0] != faults[0] || left[2] != faults[3] {
		t.Errorf("after one was removed: %v", left)
	}
	svc.ClearFaults()
	if left := svc.Faults(); left != nil {
		t.Errorf("after all were removed: %v", left)
	}
	if id := svc.Fault("*").ID(); id != 9 {
		t.Errorf("the next has the number %d", id)
	}
}

// TestRoutes: Routes returns the routes of the API and of the test, and Fault accepts
// each of them.
func TestRoutes(t *testing.T) {
	svc := servicetest.New(t)
	for range 2 {
		svc.Handle("GET /groups/:id/things", func(http.ResponseWriter, *http.Request) {})
	}
	routes := svc.Routes()
	if n := len(servicetest.Templates()); len(routes) != n+1 || routes[n] != "GET /groups/:id/things" ||
		!slices.Contains(routes, jobsRoute) {
		t.Errorf("%d routes, %d of the API", len(routes), n)
	}
	for _, route := range routes {
		if got := svc.Fault(route).Route(); got != route {
			t.Errorf("%s is %s", route, got)
		}
	}
}
