package servicetest_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
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

// TestRecorderStartsAfresh: after it was emptied, the recorder keeps the newest
// requests in order again. With a limit of 0, it keeps none.
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
				for _, path := range []string{"/projects/1/jobs", "/projects/1/jobs/1/trace"} {
					if a := call(t, svc, "GET", path, ""); a.StatusCode != 200 || len(a.body) == 0 {
						t.Errorf("%s: %d %q", path, a.StatusCode, a.body)
					}
				}
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

func TestTranscript(t *testing.T) {
	svc := servicetest.New(t)
	svc.User("ada")
	svc.Project("acme/app", servicetest.Public()).Pipeline("main").Job("test")
	call(t, svc, "GET", "/projects/acme%2Fapp/jobs?scope[]=failed", "", "Sudo", "ada")
	call(t, svc, "POST", "/projects/1/environments", "{\n\"tier\":\"staging\"}")
	get(t, svc, "/nonsense", "Range", "bytes=0-1", "If-None-Match", "*", "If-Unmodified-Since",
		"Thu, 01 Jan 2026 00:00:00 GMT")
	call(t, svc, "PUT", "/projects/1/jobs", strings.Repeat("ä", 3000), "Content-Type", "text/plain")
	call(t, svc, "POST", "/projects/1/jobs/1/retry", "\xff\xfe", "Content-Type", "application/x-www-form-urlencoded")
	svc.Fault("*", servicetest.DropResponse())
	if response, err := http.Post(svc.URL()+"/api/v4/runners", "application/json",
		strings.NewReader("{}")); err == nil {
		response.Body.Close()
		t.Error("the response was not dropped")
	}
	want := `09:00:00 GET /api/v4/projects/acme%2Fapp/jobs?scope%5B%5D=failed → 200 (ada)
09:00:00 POST /api/v4/projects/1/environments → 400 (root)
    > {
    > "tier":"staging"}
    < {"error":"name is missing"}
09:00:00 GET /api/v4/nonsense → 404 (anonymous), no such route
    Range: bytes=0-1
    If-None-Match: *
    If-Unmodified-Since: Thu, 01 Jan 2026 00:00:00 GMT
    < {"error":"404 Not Found"}
09:00:00 PUT /api/v4/projects/1/jobs → 405 (anonymous), no such route
    < {"error":"405 Not Allowed"}
09:00:00 POST /api/v4/projects/1/jobs/1/retry → 201 (root)
    > (2 bytes)
09:00:00 POST /api/v4/runners → no response (anonymous)
    > {}
`
	var got strings.Builder
	if err := svc.Transcript(&got); err != nil || got.String() != want {
		t.Errorf("error %v, transcript\n%s\nwant\n%s", err, got.String(), want)
	}
	got.Reset()
	if err := svc.Transcript(&got, jobsRoute); err != nil || strings.Count(got.String(), "\n") != 1 {
		t.Errorf("of one route: %v\n%s", err, got.String())
	}
	if err := svc.Transcript(broken{}); !errors.Is(err, errBroken) {
		t.Errorf("a writer that fails: %v", err)
	}
}

// TestTranscriptCutsBodies checks that bodies are cut between two characters, and that
// the transcript has their full length.
func TestTranscriptCutsBodies(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app").Pipeline("main").Job("test")
	call(t, svc, "POST", "/projects/1/jobs/1/retry", `{"a":"`+strings.Repeat("ä", 3000)+`"}`)
	call(t, svc, "POST", "/projects/1/jobs/1/retry", "{\"a\":\"\x1b[31m\"}")
	var got strings.Builder
	svc.Transcript(&got)
	text := got.String()
	if !strings.Contains(text, "ä… (6008 bytes)\n") || len(text) > 3000 || strings.Contains(text, "\x1b") {
		t.Errorf("transcript of %d bytes\n%s", len(text), text)
	}
}

var errBroken = errors.New("broken")

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errBroken }

// A failingTB is a test that has the method Failed.
type failingTB struct {
	fakeTB
	failed bool
	log    string
}

func (f *failingTB) Failed() bool                    { return f.failed }
func (f *failingTB) Logf(format string, args ...any) { f.log += fmt.Sprintf(format, args...) }

func TestTranscriptOnFailure(t *testing.T) {
	for failed, lines := range map[bool]int{true: 2, false: 0} {
		tb := &failingTB{failed: failed}
		svc := servicetest.New(tb, servicetest.TranscriptOnFailure())
		call(t, svc, "GET", "/projects", "")
		for _, cleanup := range tb.cleanups {
			cleanup()
		}
		if got := strings.Count(tb.log, "\n"); got != lines || failed && !strings.Contains(tb.log,
			"GET /api/v4/projects → 200 (root)") {
			t.Errorf("failed %v: log %q", failed, tb.log)
		}
	}
	mute := new(fakeTB) // without the method Failed
	servicetest.New(mute, servicetest.TranscriptOnFailure())
	for _, cleanup := range mute.cleanups {
		cleanup()
	}
}

// A strictTB is a test that has the method Errorf.
type strictTB struct {
	fakeTB
	problem string
}

func (s *strictTB) Errorf(format string, args ...any) { s.problem += fmt.Sprintf(format, args...) }

// TestFailOnUnknownRoute checks that requests for unknown endpoints fail a test with
// the option, and no others.
func TestFailOnUnknownRoute(t *testing.T) {
	for name, tc := range map[string]struct {
		opts []servicetest.Option
		want string
	}{
		"strict": {[]servicetest.Option{servicetest.FailOnUnknownRoute()},
			"servicetest: the API has no such route:\nGET /api/v4/projects/1/relases\nPUT /api/v4/projects/1/jobs"},
		"lenient": {nil, ""},
	} {
		tb := new(strictTB)
		svc := servicetest.New(tb, tc.opts...)
		svc.Project("acme/app")
		svc.Fault("*", servicetest.Status(http.StatusOK, "[]"), servicetest.If(func(r *http.Request) bool {
			return r.URL.Path == "/api/v4/projects/1/releases"
		}))
		call(t, svc, "GET", "/projects/1/jobs", "")
		call(t, svc, "GET", "/projects/2/jobs", "") // an unknown project is not an unknown route
		call(t, svc, "GET", "/projects/1/releases", "")
		call(t, svc, "GET", "/projects/1/relases", "")
		call(t, svc, "PUT", "/projects/1/jobs", "")
		for _, cleanup := range tb.cleanups {
			cleanup()
		}
		if tb.problem != tc.want {
			t.Errorf("%s: %q, want %q", name, tb.problem, tc.want)
		}
	}
	mute := new(fakeTB) // without the method Errorf
	svc := servicetest.New(mute, servicetest.FailOnUnknownRoute())
	call(t, svc, "GET", "/nonsense", "")
	for _, cleanup := range mute.cleanups {
		cleanup()
	}
}

// TestHandle checks a route that a test adds: its path values, its precedence over
// routes of the API, its faults, and its records.
func TestHandle(t *testing.T) {
	tb := new(strictTB)
	svc := servicetest.New(tb, servicetest.FailOnUnknownRoute())
	svc.Project("acme/app")
	const pattern = "POST /groups/:id/reports/*slug"
	var made atomic.Int32 // atomic, because a dropped response does not synchronize
	echo := func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		svc.Project(fmt.Sprintf("acme/made-%d", made.Add(1))) // the state is not locked
		w.WriteHeader(http.StatusCreated)
		fmt.Fprintf(w, "%s %s %s", r.PathValue("id"), r.PathValue("slug"), body)
	}
	svc.Handle(pattern, func(http.ResponseWriter, *http.Request) { t.Error("replaced") })
	svc.Handle("POST /groups/:project_id/reports/*page", echo) // the same with other names
	svc.Handle(pattern, echo)
	svc.Handle("GET /projects/acme", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("literal")) })
	svc.Handle("POST {base_url}/oauth/register", func(http.ResponseWriter, *http.Request) {})

	refused(t, call(t, svc, "POST", "/groups/acme%2Fapp/reports/a/b%20c", `{"x":1}`), 201, `acme/app a/b c {"x":1}`)
	refused(t, call(t, svc, "GET", "/projects/acme", ""), 200, "literal")
	refused(t, request(t, "POST", svc.URL()+"/oauth/register", ""), 200, "")
	if a := call(t, svc, "GET", "/projects/acme%2Fapp", ""); a.StatusCode != 200 {
		t.Errorf("a route of the API: %d %s", a.StatusCode, a.body)
	}
	if a := call(t, svc, "GET", "/groups/1/reports/a", ""); a.StatusCode != 405 || a.Header.Get("Allow") != "POST" {
		t.Errorf("another method: %d %s", a.StatusCode, a.body)
	}

	svc.Fault(pattern, servicetest.Times(1),
		servicetest.If(func(r *http.Request) bool { return r.PathValue("id") == "1" }),
		servicetest.Handler(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "no "+r.PathValue("slug")) }))
	refused(t, call(t, svc, "POST", "/groups/2/reports/a", ""), 201, "2 a ")
	refused(t, call(t, svc, "POST", "/groups/1/reports/a", ""), 200, "no a")
	svc.Fault(pattern, servicetest.Times(1), servicetest.DuplicateEffect())
	refused(t, call(t, svc, "POST", "/groups/1/reports/a", "b"), 201, "1 a b")
	svc.Fault(pattern, servicetest.Times(1), servicetest.DropResponse())
	if status, _, err := try(t, svc, "POST", "/groups/1/reports/a"); err == nil {
		t.Errorf("a dropped response: %d", status)
	}
	if n := made.Load(); n != 5 {
		t.Errorf("%d effects, want 5", n)
	}

	seen := svc.Requests(pattern)
	if len(seen) != 5 || seen[0].Route != pattern || seen[0].Status != 201 || string(seen[0].Body) != `{"x":1}` {
		t.Errorf("recorded %+v", seen)
	}
	for _, cleanup := range tb.cleanups {
		cleanup()
	}
	if want := "servicetest: the API has no such route:\nGET /api/v4/groups/1/reports/a"; tb.problem != want {
		t.Errorf("%q, want %q", tb.problem, want)
	}
}

// TestHandleRefuses checks the patterns that Handle does not take.
func TestHandleRefuses(t *testing.T) {
	for pattern, want := range map[string]string{
		"GET /projects/:project/jobs": "the API has this route; use Fault with Handler",
		"/projects/:id/wikis":         "write a method and a path",
		"get /projects/:id/wikis":     "write a method and a path",
		"GET projects":                "write a method and a path",
		"GET /projects/:/wikis":       "a parameter has no name",
		"GET /projects/*rest/wikis":   "*rest is not at the end",
		"GET /projects//wikis":        "the path has an empty segment",
		"GET /wikis?with_content=1":   "the path has an empty segment, a space, a query or a fragment",
	} {
		tb := new(fakeTB)
		done := make(chan struct{})
		go func() {
			defer close(done)
			servicetest.New(tb).Handle(pattern, http.NotFound)
		}()
		<-done
		tb.cleanups[0]()
		if !strings.Contains(tb.failure, want) {
			t.Errorf("%s: %q, want %q", pattern, tb.failure, want)
		}
	}
}
