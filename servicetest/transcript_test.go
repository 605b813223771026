package servicetest_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"example.com/serviceapi/servicetest"
)

func TestTranscript(t *testing.T) {
	svc := servicetest.New(t)
	svc.User("ada")
	svc.Project("acme/app", servicetest.Public()).Pipeline("main").Job("test")
	call(t, svc, "GET", "/projects/acme%2Fapp/jobs?scope[]=failed", "", "Sudo", "ada")
	call(t, svc, "POST", "/projects/1/environments", "{\n\"tier\":\"staging\"}")
	get(t, svc, "/nonsense", "Range", "bytes=0-1", "If-None-Match", "*", "If-Unmodified-Since", "Thu, 01 Jan 2026 00:00:00 GMT")
	call(t, svc, "PUT", "/projects/1/jobs", strings.Repeat("ä", 3000), "Content-Type", "text/plain")
	call(t, svc, "POST", "/projects/1/jobs/1/retry", "\xff\xfe", "Content-Type", "application/x-www-form-urlencoded")
	svc.Fault("*", servicetest.DropResponse())
	if response, err := http.Post(svc.URL()+"/api/v4/runners", "application/json", strings.NewReader("{}")); err == nil {
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

// TestTranscriptCutsBodies checks that bodies are cut between two characters,
// and that their length is given.
func TestTranscriptCutsBodies(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app").Pipeline("main").Job("test")
	call(t, svc, "POST", "/projects/1/jobs/1/retry", `{"a":"`+strings.Repeat("ä", 3000)+`"}`)
	call(t, svc, "POST", "/projects/1/jobs/1/retry", "{\"a\":\"\x1b[31m\"}")
	var got strings.Builder
	svc.Transcript(&got)
	if text := got.String(); !strings.Contains(text, "ä… (6008 bytes)\n") || len(text) > 3000 || strings.Contains(text, "\x1b") {
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
		if got := strings.Count(tb.log, "\n"); got != lines || failed && !strings.Contains(tb.log, "GET /api/v4/projects → 200 (root)") {
			t.Errorf("failed %v: log %q", failed, tb.log)
		}
	}
	mute := new(fakeTB) // without the method Failed
	servicetest.New(mute, servicetest.TranscriptOnFailure())
	for _, cleanup := range mute.cleanups {
		cleanup()
	}
}
