package servicetest_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
)

const jobsRoute = "GET /projects/:id/jobs"

// try sends a request that may fail with a network error.
func try(t *testing.T, svc *servicetest.Service, method, path string) (int, string, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, svc.URL()+"/api/v4"+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("PRIVATE-TOKEN", svc.AdminToken())
	response, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(req)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return response.StatusCode, string(body), err
}

// statuses sends a GET for jobs n times.
func statuses(t *testing.T, svc *servicetest.Service, n int) []int {
	t.Helper()
	got := make([]int, n)
	for i := range got {
		got[i], _, _ = try(t, svc, "GET", "/projects/1/jobs")
	}
	return got
}

func equal(got, want []int) bool {
	if len(got) != len(want) {
		return false
	}
	for i := range got {
		if got[i] != want[i] {
			return false
		}
	}
	return true
}

func TestWhenFaultsMeet(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app")
	tests := []struct {
		name string
		opts []servicetest.FaultOption
		want []int
	}{
		{"always", nil, []int{500, 500, 500, 500, 500}},
		{"twice", []servicetest.FaultOption{servicetest.Times(2)}, []int{500, 500, 200, 200, 200}},
		{"every second", []servicetest.FaultOption{servicetest.Every(2)}, []int{200, 500, 200, 500, 200}},
		{"all but three", []servicetest.FaultOption{servicetest.Skip(3)}, []int{200, 200, 200, 500, 500}},
		{"one after two", []servicetest.FaultOption{servicetest.Skip(2), servicetest.Times(1)},
			[]int{200, 200, 500, 200, 200}},
		{"never", []servicetest.FaultOption{servicetest.If(func(*http.Request) bool { return false })},
			[]int{200, 200, 200, 200, 200}},
	}
	for _, test := range tests {
		fault := svc.Fault(jobsRoute, append(test.opts, servicetest.Status(500, ""))...)
		if got := statuses(t, svc, 5); !equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
		hits := 0
		for _, status := range test.want {
			if status == 500 {
				hits++
			}
		}
		if fault.Hits() != hits {
			t.Errorf("%s: %d hits, want %d", test.name, fault.Hits(), hits)
		}
		fault.Remove()
	}
}

func TestFaultsTakeTurns(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app")
	svc.Fault(jobsRoute, servicetest.Status(502, ""), servicetest.Times(1))
	svc.Fault("*", servicetest.Status(503, ""), servicetest.Times(1))
	svc.Fault("GET /projects/:id", servicetest.Status(504, ""))
	if got := statuses(t, svc, 3); !equal(got, []int{502, 503, 200}) {
		t.Errorf("statuses %v", got)
	}
	if status, _, _ := try(t, svc, "GET", "/projects/1"); status != 504 {
		t.Errorf("the other route: %d", status)
	}
	svc.ClearFaults()
	if status, _, _ := try(t, svc, "GET", "/projects/1"); status != 200 {
		t.Errorf("after ClearFaults: %d", status)
	}
}

func TestAnswersInPlaceOfTheService(t *testing.T) {
	svc := servicetest.New(t)
	job := svc.Project("acme/app").Pipeline("main").Job("test", servicetest.Running())
	route := "POST /projects/:id/jobs/:job_id/cancel"
	path := "/projects/1/jobs/1/cancel"

	svc.Fault(route, servicetest.Status(503, ""), servicetest.Times(1))
	refused(t, call(t, svc, "POST", path, ""), 503, `{"message":"503 Service Unavailable"}`)
	svc.Fault(route, servicetest.Status(502, "<html>"), servicetest.Times(1))
	a := call(t, svc, "POST", path, "")
	if refused(t, a, 502, "<html>"); a.Header.Get("Content-Type") != "text/html" {
		t.Errorf("Content-Type %s", a.Header.Get("Content-Type"))
	}
	svc.Fault(route, servicetest.RateLimit(1500*time.Millisecond), servicetest.Times(1))
	a = call(t, svc, "POST", path, "")
	refused(t, a, 429, "Retry later\n")
	for name, want := range map[string]string{
		"Retry-After": "2", "RateLimit-Limit": "60", "RateLimit-Observed": "61", "RateLimit-Remaining": "0",
		"Content-Type": "text/plain",
	} {
		if got := a.Header.Get(name); got != want {
			t.Errorf("rate limit: %s is %q, want %q", name, got, want)
		}
	}
	seconds, _ := strconv.ParseInt(a.Header.Get("RateLimit-Reset"), 10, 64)
	if reset := time.Unix(seconds,
		0); time.Until(reset) > 3*time.Second || time.Until(reset) < 0 ||
		a.Header.Get("RateLimit-ResetTime") != reset.UTC().Format(http.TimeFormat) {
		t.Errorf("rate limit: reset at %v, %s", reset, a.Header.Get("RateLimit-ResetTime"))
	}
	svc.Fault(route, servicetest.Redirect("https://elsewhere.example.com/", 307), servicetest.Times(1))
	a = call(t, svc, "POST", path, "")
	if a.StatusCode != 307 || a.Header.Get("Location") != "https://elsewhere.example.com/" {
		t.Errorf("redirect: %d %v", a.StatusCode, a.Header)
	}
	if job.Status() != "running" {
		t.Errorf("a request that was answered by a fault had an effect: job is %s", job.Status())
	}
	if a = call(t, svc, "POST", path, ""); a.StatusCode != 201 || job.Status() != "canceled" {
		t.Errorf("after the faults: %d, job is %s", a.StatusCode, job.Status())
	}
}

func TestBrokenConnections(t *testing.T) {
	svc := servicetest.New(t)
	pipe := svc.Project("acme/app").Pipeline("main")
	pipe.Job("first", servicetest.Failed("script_failure"))
	route := "POST /projects/:id/jobs/:job_id/retry"
	path := "/projects/1/jobs/1/retry"

	svc.Fault(route, servicetest.Reset(), servicetest.Times(1))
	if _, _, err := try(t, svc, "POST", path); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("reset: error %v", err)
	}
	if n := len(pipe.Jobs()); n != 1 {
		t.Errorf("a reset had an effect: %d jobs", n)
	}
	svc.Fault(route, servicetest.DropResponse(), servicetest.Times(1))
	if status, _, err := try(t, svc, "POST", path); err == nil {
		t.Errorf("dropped response: status %d", status)
	}
	if n := len(pipe.Jobs()); n != 2 {
		t.Errorf("a dropped response had no effect: %d jobs", n)
	}
	requests := svc.Requests(route)
	if len(requests) != 2 || requests[0].Status != 0 || requests[1].Status != 0 {
		t.Errorf("recorded %+v", requests)
	}
}

func TestCutBody(t *testing.T) {
	svc := servicetest.New(t)
	text := strings.Repeat("0123456789", 100)
	svc.Project("acme/app").Pipeline("main").Job("test", servicetest.Trace(text))
	route := "GET /projects/:id/jobs/:job_id/trace"
	svc.Fault(route, servicetest.CutBody(123), servicetest.Times(1))
	_, body, err := try(t, svc, "GET", "/projects/1/jobs/1/trace")
	if !errors.Is(err, io.ErrUnexpectedEOF) || body != text[:123] {
		t.Errorf("cut stream: %d bytes, error %v", len(body), err)
	}
	svc.Fault(jobsRoute, servicetest.CutBody(10), servicetest.Times(1))
	if _, body, err = try(t, svc, "GET", "/projects/1/jobs"); !errors.Is(err, io.ErrUnexpectedEOF) || len(body) != 10 {
		t.Errorf("cut object: %d bytes, error %v", len(body), err)
	}
	svc.Fault(route, servicetest.CutBody(1000), servicetest.Times(1))
	if _, body, err = try(t, svc, "GET", "/projects/1/jobs/1/trace"); err != nil || body != text {
		t.Errorf("not longer than the cut: %d bytes, error %v", len(body), err)
	}
}

func TestDuplicates(t *testing.T) {
	svc := servicetest.New(t)
	pipe := svc.Project("acme/app").Pipeline("main")
	pipe.Job("first", servicetest.Running())
	route := "POST /projects/:id/jobs/:job_id/retry"
	pipe.Jobs()[0].Fail("script_failure")
	svc.Fault(route, servicetest.DuplicateEffect(), servicetest.Times(1))
	refused(t, call(t, svc, "POST", "/projects/1/jobs/1/retry", ""), 403,
		`{"message":"403 Forbidden - Job is not retryable"}`)
	if n := len(pipe.Jobs()); n != 2 {
		t.Errorf("%d jobs, want 2: the first of the two requests was carried out", n)
	}

	issues := "POST /projects/:id/issues"
	svc.Fault(issues, servicetest.DuplicateEffect(), servicetest.Times(1))
	if a := call(t, svc, "POST", "/projects/1/issues", `{"title":"Twice"}`); a.StatusCode != 201 {
		t.Errorf("%d %s", a.StatusCode, a.body)
	}
	if a := call(t, svc, "GET", "/projects/1/issues", ""); strings.Count(a.body, `"Twice"`) != 2 {
		t.Errorf("the body did not come twice: %s", a.body)
	}

	svc.Fault(jobsRoute, servicetest.DuplicateResponse())
	conn, err := net.Dial("tcp", strings.TrimPrefix(svc.URL(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	io.WriteString(conn,
		"GET /api/v4/projects/1/jobs HTTP/1.1\r\nHost: x\r\nPRIVATE-TOKEN: "+svc.AdminToken()+"\r\n\r\n")
	reader := bufio.NewReader(conn)
	for i := range 2 {
		response, err := http.ReadResponse(reader, nil)
		if err != nil {
			t.Fatalf("response %d: %v", i+1, err)
		}
		if response.ContentLength <= 0 {
			t.Errorf("response %d is of %d bytes", i+1, response.ContentLength)
		}
		jobs := into[[]named](t, readAnswer(t, response), 200)
		if len(jobs) != 2 {
			t.Errorf("response %d: %v", i+1, jobs)
		}
	}
}

func readAnswer(t *testing.T, response *http.Response) answer {
	t.Helper()
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{response, string(body)}
}

func TestDelayEndsWithTheClient(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	svc.Fault(jobsRoute, servicetest.Delay(30*time.Millisecond), servicetest.Times(1))
	begin := time.Now()
	if status, _, err := try(t, svc, "GET",
		"/projects/1/jobs"); status != 200 || err != nil || time.Since(begin) < 30*time.Millisecond {
		t.Errorf("delayed: %d %v after %v", status, err, time.Since(begin))
	}
	const issues = "POST /projects/:id/issues"
	svc.Fault(issues, servicetest.Delay(time.Hour))
	begin = time.Now()
	go func() {
		for len(svc.Requests(issues)) < 1 {
			time.Sleep(time.Millisecond)
		}
		svc.Close()
	}()
	if _, _, err := try(t, svc, "POST",
		"/projects/1/issues?title=Late"); err == nil || time.Since(begin) > 10*time.Second {
		t.Errorf("closed meanwhile: error %v after %v", err, time.Since(begin))
	}
	svc.Close()
	if n := len(app.Issues()); n != 0 {
		t.Errorf("%d issues of a request that ended while it waited", n)
	}
}

func TestHeaderFaults(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app")
	svc.Fault(jobsRoute, servicetest.SetHeader("RateLimit-Remaining", "7"), servicetest.RemoveHeader("X-Total", "Link"))
	a := call(t, svc, "GET", "/projects/1/jobs", "")
	if a.Header.Get("RateLimit-Remaining") != "7" || a.Header.Get("X-Total") != "" || a.Header.Get("Link") != "" ||
		a.Header.Get("X-Page") != "1" {
		t.Errorf("headers %v", a.Header)
	}
}

// TestTwoHeadersInOneFault checks faults that set two headers, under one name or under
// two.
func TestTwoHeadersInOneFault(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app")
	svc.Fault(jobsRoute, servicetest.SetHeader("RateLimit-Remaining", "7"),
		servicetest.SetHeader("Warning", "199 - first"),
		servicetest.SetHeader("Warning", "199 - second"), servicetest.RemoveHeader("X-Page"),
		servicetest.RemoveHeader("X-Total"))
	h := call(t, svc, "GET", "/projects/1/jobs", "").Header
	if got := strings.Join(h.Values("Warning"),
		", "); got != "199 - first, 199 - second" || h.Get("RateLimit-Remaining") != "7" {
		t.Errorf("Warning %q, RateLimit-Remaining %q", got, h.Get("RateLimit-Remaining"))
	}
	if h.Get("X-Page") != "" || h.Get("X-Total") != "" || h.Get("X-Per-Page") == "" {
		t.Errorf("headers %v", h)
	}
}

func TestTLS(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithTLS())
	svc.Project("acme/app", servicetest.Public())
	response, err := svc.HTTPClient().Get(svc.URL() + "/api/v4/projects?pagination=keyset&order_by=id&sort=asc")
	if err != nil {
		t.Fatal(err)
	}
	a := readAnswer(t, response)
	if a.StatusCode != 200 || a.ProtoMajor != 2 || !strings.HasPrefix(rels(a)["next"], svc.URL()) {
		t.Errorf("%s %d, Link %s", a.Proto, a.StatusCode, a.Header.Get("Link"))
	}
	svc.Fault("*", servicetest.Reset(), servicetest.Times(1))
	if response, err := svc.HTTPClient().Get(svc.URL() + "/api/v4/projects"); err == nil {
		response.Body.Close()
		t.Error("a reset stream gave no error")
	}
}

// TestFaultsOfRequestsAtOnce sends many requests to one fault at once, for the race
// detector.
func TestFaultsOfRequestsAtOnce(t *testing.T) {
	svc := servicetest.New(t)
	svc.Fault("GET /version", servicetest.Status(http.StatusServiceUnavailable, ""), servicetest.Times(8))
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			resp, err := http.Get(svc.URL() + "/api/v4/version")
			if err != nil {
				t.Error(err)
				return
			}
			defer resp.Body.Close()
			if body, _ := io.ReadAll(resp.Body); string(body) != `{"message":"503 Service Unavailable"}` {
				t.Errorf("body %q", body)
			}
		})
	}
	all.Wait()
}
