package servicetest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/serviceapi/internal/racing"
	"example.com/serviceapi/servicetest"
)

// A load is a service that receives many kinds of calls at the same time,
// including exports and imports of a large project.
type load struct {
	svc     *servicetest.Service
	archive []byte
	calls   atomic.Int64
	imports atomic.Int64

	mu        sync.Mutex
	durations []time.Duration
	failures  []string
}

// newLoad makes a service whose clock moves with each request, so that scheduled work
// happens during the load.
func newLoad(tb testing.TB, megabytes int) *load {
	tb.Helper()
	svc := servicetest.New(tb, servicetest.WithTick(100*time.Millisecond))
	app := svc.Project("acme/app")
	noise := rand.NewChaCha8([32]byte{1})
	for n := range megabytes {
		content := make([]byte, 1<<20)
		noise.Read(content)
		app.Commit("main", fmt.Sprintf("Add part %d", n),
			servicetest.Write(fmt.Sprintf("part-%d.bin", n), string(content)))
	}
	pipe := app.Pipeline("main")
	for n := range 200 {
		pipe.Job(fmt.Sprintf("job-%d", n), servicetest.Trace("log"),
			servicetest.Archive(map[string]string{"report.txt": "all well"}))
	}
	for n := range 50 {
		app.MergeRequest(fmt.Sprintf("branch-%d", n))
	}
	return &load{svc: svc, archive: app.ExportedArchive()}
}

// run makes n calls from several workers at the same time.
func (l *load) run(workers, n int) {
	var done sync.WaitGroup
	last := l.calls.Load() + int64(n)
	for range workers {
		done.Go(func() {
			for i := l.calls.Add(1); i <= last; i = l.calls.Add(1) {
				l.one(int(i))
			}
		})
	}
	done.Wait()
}

// one makes call number i: most are reads, and one in twenty is an export or an import.
func (l *load) one(i int) {
	var r *http.Request
	switch i % 20 {
	case 0:
		r = httptest.NewRequest(http.MethodPost, "/api/v4/projects/1/export", nil)
	case 1:
		r = l.importRequest()
	case 2:
		body := fmt.Sprintf(`{"branch":"main","commit_message":"Go on","actions":[{"action":"create",`+
			`"file_path":"n/%d","content":"%d"}]}`, i, i)
		r = httptest.NewRequest(http.MethodPost, "/api/v4/projects/1/repository/commits", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
	default:
		paths := []string{
			"/projects/1/jobs?per_page=100", "/projects/1/merge_requests", "/projects", "/users", "/projects/1/export",
			"/projects/1/repository/commits", "/projects/1/jobs/7/trace", "/projects/1/jobs/7/artifacts/report.txt",
			"/projects/acme%2Fapp",
		}
		r = httptest.NewRequest(http.MethodGet, "/api/v4"+paths[i%len(paths)], nil)
	}
	r.Header.Set("PRIVATE-TOKEN", l.svc.AdminToken())
	w := &counter{header: make(http.Header)}
	began := time.Now()
	l.svc.ServeHTTP(w, r)
	took := time.Since(began)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.durations = append(l.durations, took)
	if w.status >= 400 && w.status != http.StatusConflict {
		l.failures = append(l.failures, fmt.Sprintf("%s %s: %d", r.Method, r.URL, w.status))
	}
}

// importRequest imports over one of ten projects, like a test suite that runs again and
// again.
func (l *load) importRequest() *http.Request {
	var head bytes.Buffer
	form := multipart.NewWriter(&head)
	form.WriteField("path", fmt.Sprintf("copy-%d", l.imports.Add(1)%10))
	form.WriteField("namespace", "acme")
	form.WriteField("overwrite", "true")
	form.CreateFormFile("file", "app.tar.gz") // writes to memory
	tail := "\r\n--" + form.Boundary() + "--\r\n"
	body := io.MultiReader(&head, bytes.NewReader(l.archive), strings.NewReader(tail))
	length := int64(head.Len() + len(l.archive) + len(tail))
	r := httptest.NewRequest(http.MethodPost, "/api/v4/projects/import", body)
	r.ContentLength = length
	r.Header.Set("Content-Type", form.FormDataContentType())
	return r
}

// percentile returns the time within which a share of the calls ended.
func (l *load) percentile(p float64) time.Duration {
	slices.Sort(l.durations)
	return l.durations[int(float64(len(l.durations)-1)*p)]
}

// heap returns the number of bytes in use after a garbage collection.
func heap() int64 {
	runtime.GC()
	runtime.GC() // for objects with finalizers
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// watch samples the heap until it is stopped, and returns the largest size.
func watch() (stop func() int64) {
	var peak int64
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			var stats runtime.MemStats
			runtime.ReadMemStats(&stats)
			peak = max(peak, int64(stats.HeapAlloc))
			select {
			case <-quit:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	return func() int64 {
		close(quit)
		<-done
		return peak
	}
}

// BenchmarkMixedLoad makes 1,000 calls from 64 workers, and reports the 99th percentile
// and the largest heap.
func BenchmarkMixedLoad(b *testing.B) {
	for b.Loop() {
		l := newLoad(b, 4)
		stop := watch()
		l.run(64, 1000)
		b.ReportMetric(float64(stop())/(1<<20), "peak-MB")
		b.ReportMetric(float64(l.percentile(0.99))/1e6, "p99-ms")
		b.ReportMetric(float64(l.percentile(0.5))/1e6, "p50-ms")
		b.ReportMetric(float64(heap())/(1<<20), "left-MB")
		if len(l.failures) > 0 {
			b.Fatal(l.failures[0])
		}
		l.svc.Close()
	}
}

// TestLoadLeavesNothingBehind checks that many exports and imports take no more memory
// than a few, and that none of them fails.
func TestLoadLeavesNothingBehind(t *testing.T) {
	const slack = 12 << 20
	l := newLoad(t, 2)
	settle := func() int64 {
		l.run(16, 300)
		l.svc.Advance(time.Minute) // let everything in progress end
		l.svc.ClearRequests()
		return heap()
	}
	first := settle()
	if again := settle(); again > first+slack {
		t.Errorf("%d MB are in use after the first round, %d MB after the second", first>>20, again>>20)
	}
	if len(l.failures) > 0 {
		t.Errorf("%d calls failed, the first: %s", len(l.failures), l.failures[0])
	}
	projects := into[[]struct{}](t, call(t, l.svc, "GET", "/projects", ""), 200)
	if len(projects) != 1+10 {
		t.Errorf("%d projects, want the exported one and its ten copies", len(projects))
	}
}

// seedJobs makes a service with many jobs.
func seedJobs(tb testing.TB, n int) *servicetest.Service {
	tb.Helper()
	svc := servicetest.New(tb)
	pipe := svc.Project("acme/app").Pipeline("main")
	for range n {
		pipe.Job("test", servicetest.Trace("log"), servicetest.Failed("script_failure"))
	}
	return svc
}

// A counter is a response that keeps only its size.
type counter struct {
	header http.Header
	size   int64
	status int
}

func (c *counter) Header() http.Header    { return c.header }
func (c *counter) WriteHeader(status int) { c.status = status }
func (c *counter) Write(p []byte) (int, error) {
	c.size += int64(len(p))
	return len(p), nil
}

func pageRequest(svc *servicetest.Service) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "/api/v4/projects/1/jobs?per_page=100&page=2", nil)
	r.Header.Set("PRIVATE-TOKEN", svc.AdminToken())
	return r
}

// BenchmarkJobPage measures the cost of a page of 100 jobs for the service,
// without the network.
func BenchmarkJobPage(b *testing.B) {
	svc := seedJobs(b, 1000)
	r := pageRequest(svc)
	for b.Loop() {
		w := &counter{header: make(http.Header)}
		svc.ServeHTTP(w, r)
		if w.status != http.StatusOK {
			b.Fatalf("status %d", w.status)
		}
		b.SetBytes(w.size)
	}
}

// BenchmarkDecodeJobPage measures the cost of decoding the same page for a
// client, for comparison.
func BenchmarkDecodeJobPage(b *testing.B) {
	svc := seedJobs(b, 1000)
	w := httptest.NewRecorder()
	svc.ServeHTTP(w, pageRequest(svc))
	body := w.Body.Bytes()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		var jobs []map[string]any
		if err := json.Unmarshal(body, &jobs); err != nil {
			b.Fatal(err)
		}
	}
}

// A cost measures one call to a service.
type cost struct {
	svc          *servicetest.Service
	method, path string
	body         string // %d is the number of the call
	made         int
	least        time.Duration
}

// call makes the call, and keeps the shortest time so far.
func (c *cost) call(t *testing.T) {
	t.Helper()
	c.made++
	r := httptest.NewRequest(c.method, "/api/v4"+c.path, strings.NewReader(strings.ReplaceAll(c.body, "%d",
		fmt.Sprint(c.made))))
	r.Header.Set("PRIVATE-TOKEN", c.svc.AdminToken())
	r.Header.Set("Content-Type", "application/json")
	w := &counter{header: make(http.Header)}
	began := time.Now()
	c.svc.ServeHTTP(w, r)
	if took := time.Since(began); c.least == 0 || took < c.least {
		c.least = took
	}
	if w.status >= 300 {
		t.Fatalf("%s %s: %d", c.method, c.path, w.status)
	}
}

// sized makes a service with n notes, issues and branches, and optionally with a hook
// of another project.
func sized(tb testing.TB, n int, hook bool) *servicetest.Service {
	tb.Helper()
	svc := servicetest.New(tb)
	app := svc.Project("acme/app")
	pipe := app.Pipeline("main")
	for range 100 {
		pipe.Job("test")
	}
	if hook {
		svc.Project("acme/other").Hook("http://127.0.0.1:1/", servicetest.HookEvents("tag_push_events"))
	}
	first := app.Issue("first")
	for i := range n {
		first.Note("a note")
		app.Issue("another")
		app.Branch(fmt.Sprint("branch-", i), "")
	}
	return svc
}

// TestCostDoesNotGrow compares the cost of calls to services of different sizes, with a
// hook and without one. It compares the shortest of many times in the same run, and
// tries again in case something else used the machine.
func TestCostDoesNotGrow(t *testing.T) {
	few, many, hooked := sized(t, 100, false), sized(t, 4000, false), sized(t, 4000, true)
	job := cost{method: "GET", path: "/projects/1/jobs/1"}
	jobs := cost{method: "GET", path: "/projects/1/jobs?per_page=100"}
	note := cost{method: "POST", path: "/projects/1/issues/1/notes", body: `{"body":"another"}`}
	issue := cost{method: "POST", path: "/projects/1/issues", body: `{"title":"another"}`}
	branch := cost{method: "POST", path: "/projects/1/repository/branches", body: `{"branch":"new-%d","ref":"main"}`}
	for _, c := range []struct {
		name     string
		a, b     cost
		base, in *servicetest.Service
		most     float64
	}{
		{"a note beside 4,000, and beside 100", note, note, few, many, 1.3},
		{"an issue beside 4,000, and beside 100", issue, issue, few, many, 1.3},
		{"a branch beside 4,000, and beside 100", branch, branch, few, many, 1.3},
		{"a job with a hook, and without", job, job, many, hooked, 1.25},
		{"100 jobs with a hook, and without", jobs, jobs, many, hooked, 1.25},
		{"a note with a hook, and without", note, note, many, hooked, 2},
		{"an issue with a hook, and without", issue, issue, many, hooked, 3},
		{"a note, and a job", job, note, many, many, 4},
	} {
		ratio := 0.0
		for try := 0; try < 8 && (try == 0 || ratio > c.most); try++ {
			a, b := c.a, c.b
			a.svc, b.svc = c.base, c.in
			a.made, b.made = 1000*try, 1000*try+500
			runtime.GC()
			for range 200 {
				a.call(t)
				b.call(t)
			}
			ratio = float64(b.least) / float64(a.least)
			t.Logf("%s: %.2f, %v and %v", c.name, ratio, b.least, a.least)
		}
		if ratio > c.most {
			t.Errorf("%s: %.2f times the cost, want at most %.2f", c.name, ratio, c.most)
		}
	}
}

// TestManyNotes makes 100,000 notes by calls. The last ones must cost no more than the
// first. The test would not end if each call looked at all notes.
func TestManyNotes(t *testing.T) {
	if racing.Enabled {
		t.Skip("takes long with the race detector, which finds nothing more here")
	}
	svc := servicetest.New(t)
	svc.Project("acme/app").Issue("first")
	note := cost{svc: svc, method: "POST", path: "/projects/1/issues/1/notes", body: `{"body":"another"}`}
	for range 100_000 {
		note.call(t)
	}
	first := note.least
	note.least = 0
	for range 1000 {
		note.call(t)
	}
	t.Logf("%v and %v", note.least, first)
	if note.least > 3*first {
		t.Errorf("%v for a note after 100,000, %v for the cheapest", note.least, first)
	}
}
