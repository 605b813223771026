package servicetest_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"example.com/serviceapi/servicetest"
)

func TestRecorder(t *testing.T) {
	svc := servicetest.New(t)
	svc.User("ada")
	svc.Project("acme/app", servicetest.Public()).Pipeline("main").Job("test")
	call(t, svc, "GET", "/projects/acme%2Fapp/jobs?scope[]=failed&scope[]=running", "", "Sudo", "ada")
	call(t, svc, "POST", "/projects/1/jobs/1/retry", `{"some":"body"}`)
	get(t, svc, "/nonsense")

	all := svc.Requests()
	if len(all) != 3 {
		t.Fatalf("%d requests, want 3", len(all))
	}
	first, second, third := all[0], all[1], all[2]
	if first.Method != "GET" || first.Path != "/api/v4/projects/acme%2Fapp/jobs" || first.Route != jobsRoute ||
		first.User != "ada" || first.Status != 200 || first.Header.Get("Sudo") != "ada" ||
		strings.Join(first.Query["scope[]"], " ") != "failed running" || !first.At.Equal(servicetest.Epoch) {
		t.Errorf("first: %+v", first)
	}
	if string(second.Body) != `{"some":"body"}` || second.User != "root" || second.Status != 201 {
		t.Errorf("second: %+v", second)
	}
	if third.Route != "" || third.Status != 404 || third.User != "" {
		t.Errorf("third: %+v", third)
	}
	if of := svc.Requests("POST /projects/:project/jobs/:job/retry"); len(of) != 1 {
		t.Errorf("of one route: %d", len(of))
	}
	svc.ClearRequests()
	if n := len(svc.Requests()); n != 0 {
		t.Errorf("%d requests after ClearRequests", n)
	}
}

func TestRecorderIsBounded(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithRecordedRequests(3))
	svc.Project("acme/app")
	body := `{"text":"` + strings.Repeat("x", 100<<10) + `"}`
	for _, path := range []string{"1", "2", "3", "4"} {
		call(t, svc, "POST", "/projects/1/jobs/"+path+"/retry", body)
	}
	kept := svc.Requests()
	if len(kept) != 3 || !strings.HasSuffix(kept[0].Path, "/2/retry") || !strings.HasSuffix(kept[2].Path, "/4/retry") {
		t.Errorf("kept %d requests", len(kept))
	}
	for _, r := range kept {
		if len(r.Body) != 64<<10 {
			t.Errorf("%s: %d bytes of the body", r.Path, len(r.Body))
		}
	}
}

// TestRecorderStartsAfresh: after it was emptied, it keeps the newest again, in
// order; with a limit of 0 it keeps none.
func TestRecorderStartsAfresh(t *testing.T) {
	for limit, want := range map[int]string{3: "[/2 /3 /4]", 0: "[]"} {
		svc := servicetest.New(t, servicetest.WithRecordedRequests(limit))
		for range 4 {
			get(t, svc, "/before")
		}
		svc.ClearRequests()
		var paths []string
		for i := range 5 {
			get(t, svc, fmt.Sprint("/", i))
			paths = nil
			for _, r := range svc.Requests() {
				paths = append(paths, strings.TrimPrefix(r.Path, "/api/v4"))
			}
		}
		if fmt.Sprint(paths) != want {
			t.Errorf("limit %d: kept %v, want %s", limit, paths, want)
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	pipe := app.Pipeline("main")
	job := pipe.Job("test", servicetest.Running(), servicetest.Trace(""))
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 10 {
				pipe.Job("more")
				job.Write([]byte("line\n"))
				call(t, svc, "GET", "/projects/1/jobs", "")
				call(t, svc, "GET", "/projects/1/jobs/1/trace", "")
				svc.Advance(1)
				svc.Requests(jobsRoute)
			}
		})
	}
	group.Wait()
	if n := len(app.Jobs()); n != 81 {
		t.Errorf("%d jobs, want 81", n)
	}
	if n := len(job.Trace()); n != 8*10*5 {
		t.Errorf("log of %d bytes, want 400", n)
	}
}
