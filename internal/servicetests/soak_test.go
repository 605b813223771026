//go:build soak

package servicetests

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/servicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSoak makes 64 goroutines make all kinds of calls to a service that fails
// at random, for SOAK_SECONDS, 5 by default and at most 60. At the end it
// checks the state of the service, and what the client has left behind.
//
//	go test -race -tags soak -run TestSoak ./internal/servicetests
func TestSoak(t *testing.T) {
	goroutines := runtime.NumGoroutine()
	before := heapInUse()
	var open atomic.Int64
	soak(t, soakTime(t), &open)
	for range 1000 {
		if open.Load() == 0 && runtime.NumGoroutine() <= goroutines {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if open.Load() != 0 || runtime.NumGoroutine() > goroutines {
		stacks := make([]byte, 1<<20)
		t.Errorf("%d connections are open, and there are %d goroutines where %d were:\n%s",
			open.Load(), runtime.NumGoroutine(), goroutines, stacks[:runtime.Stack(stacks, true)])
	}
	assert.Less(t, int64(heapInUse())-int64(before), int64(8<<20), "bytes on the heap that were not there before")
}

func soakTime(t *testing.T) time.Duration {
	seconds := 5
	if text := os.Getenv("SOAK_SECONDS"); text != "" {
		var err error
		seconds, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	return time.Duration(min(max(seconds, 1), 60)) * time.Second
}

func heapInUse() uint64 {
	var stats runtime.MemStats
	for range 3 {
		runtime.GC()
	}
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// soak makes the calls. When it returns, everything that it used is released.
func soak(t *testing.T, limit time.Duration, open *atomic.Int64) {
	svc, err := servicetest.Start()
	require.NoError(t, err)
	defer svc.Close()
	transport := serviceapi.DefaultTransport()
	dial := transport.DialContext
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		open.Add(1)
		return &countedConn{Conn: conn, open: open}, nil
	}
	client, err := serviceapi.NewClient(svc.URL(), serviceapi.PrivateToken(svc.AdminToken()),
		serviceapi.WithHTTPClient(&http.Client{Transport: transport}), serviceapi.WithRetryBudget(1000),
		serviceapi.WithRetry(serviceapi.RetryPolicy{MinWait: time.Millisecond, MaxWait: 20 * time.Millisecond}))
	require.NoError(t, err)
	defer client.CloseIdleConnections()

	s := newSoaker(t, svc, client)
	faults(svc)
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	var wg sync.WaitGroup
	for g := range 64 {
		wg.Go(func() { s.run(ctx, g) })
	}
	wg.Wait()
	svc.ClearFaults()
	s.settle()
}

// countedConn is a connection that is counted until it is closed.
type countedConn struct {
	net.Conn
	open *atomic.Int64
	once sync.Once
}

func (c *countedConn) Close() error {
	c.once.Do(func() { c.open.Add(-1) })
	return c.Conn.Close()
}

// faults makes the service fail at random, in every way that it can.
func faults(svc *servicetest.Service) {
	chance := func(percent int) servicetest.FaultOption {
		return servicetest.If(func(*http.Request) bool { return rand.IntN(100) < percent })
	}
	refuse := servicetest.Handler(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "0")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	for _, fault := range [][]servicetest.FaultOption{
		{refuse, chance(8)},
		{servicetest.Status(409, `{"message":"409 Conflict: Resource lock"}`), chance(2)},
		{servicetest.Status(500, ""), chance(2)},
		{servicetest.Status(502, "<html><title>Bad gateway</title></html>"), chance(2)},
		{servicetest.Status(503, ""), chance(2)},
		{servicetest.Reset(), chance(2)},
		{servicetest.DropResponse(), chance(2)},
		{servicetest.CutBody(20), chance(2)},
		{servicetest.CutBody(20_000), chance(2)},
		{servicetest.Delay(5 * time.Millisecond), chance(5)},
	} {
		svc.Fault("*", fault...)
	}
}

// soaker makes calls and remembers the outcome of its writes.
type soaker struct {
	t       *testing.T
	client  *serviceapi.Client
	svc     *servicetest.Service
	project serviceapi.ProjectRef
	issue   *servicetest.Issue
	owner   serviceapi.IssueRef
	jobs    []int64
	content string

	mu     sync.Mutex
	writes map[string]fate
	calls  atomic.Int64
	failed atomic.Int64
}

// fate is what a client knows about a write.
type fate int

const (
	unknown fate = iota
	executed
	notExecuted
)

func newSoaker(t *testing.T, svc *servicetest.Service, client *serviceapi.Client) *soaker {
	app := svc.Project("acme/app")
	s := &soaker{t: t, svc: svc, client: client, project: serviceapi.ProjectID(app.ID()), writes: make(map[string]fate)}
	s.issue = app.Issue("Soak")
	s.owner = s.project.Issue(s.issue.IID())
	s.content = strings.Repeat("one line of a log\n", 5000)
	for range 250 {
		s.jobs = append(s.jobs, app.Pipeline("main").Job("test", servicetest.Trace(s.content)).ID())
	}
	return s
}

// run makes random calls until the time is over.
func (s *soaker) run(ctx context.Context, g int) {
	for n := 0; ctx.Err() == nil; n++ {
		s.calls.Add(1)
		name := fmt.Sprintf("%d-%d", g, n)
		switch rand.IntN(8) {
		case 0:
			s.walk(ctx)
		case 1:
			s.breakOff(ctx)
		case 2:
			s.download(ctx)
		case 3:
			s.missing(ctx)
		case 4:
			s.get(ctx)
		default:
			s.write(ctx, name)
		}
	}
}

// tolerate records a failure of a read, which may fail, but only with an
// expected error.
func (s *soaker) tolerate(err error) {
	if err != nil {
		s.failed.Add(1)
		assert.NotEmpty(s.t, err.Error())
	}
}

func (s *soaker) get(ctx context.Context) {
	id := s.jobs[rand.IntN(len(s.jobs))]
	job, _, err := s.client.Jobs.Get(ctx, s.project, id)
	if s.tolerate(err); err == nil {
		assert.Equal(s.t, id, job.ID)
	}
}

func (s *soaker) missing(ctx context.Context) {
	_, _, err := s.client.Jobs.Get(ctx, s.project, 999_999)
	assert.Error(s.t, err)
}

// walk reads the whole list. If there is no error, no item may be missing.
func (s *soaker) walk(ctx context.Context) {
	n := 0
	for job, err := range s.client.Jobs.All(ctx, s.project, nil, serviceapi.WithConcurrentPages(1+rand.IntN(4))) {
		if s.tolerate(err); err != nil {
			return
		}
		assert.Equal(s.t, s.jobs[len(s.jobs)-1-n], job.ID)
		n++
	}
	assert.Len(s.t, s.jobs, n)
}

// breakOff stops reading a list and a download in the middle.
func (s *soaker) breakOff(ctx context.Context) {
	for _, err := range s.client.Jobs.All(ctx, s.project,
		&serviceapi.ListJobsOptions{ListOptions: serviceapi.ListOptions{PerPage: 10}}) {
		s.tolerate(err)
		if rand.IntN(15) == 0 {
			break
		}
	}
	d, _, err := s.client.Jobs.Trace(ctx, s.project, s.jobs[0])
	if s.tolerate(err); err == nil {
		_, err = io.CopyN(io.Discard, d, 1000)
		s.tolerate(err)
		d.Close()
	}
}

// download reads a log. If there is no error, the log must be complete.
func (s *soaker) download(ctx context.Context) {
	d, _, err := s.client.Jobs.Trace(ctx, s.project, s.jobs[rand.IntN(len(s.jobs))])
	if s.tolerate(err); err != nil {
		return
	}
	defer d.Close()
	data, err := io.ReadAll(d)
	if s.tolerate(err); err == nil {
		assert.Equal(s.t, len(s.content), len(data))
	}
}

// write creates a note with a unique name, and remembers what the client
// reports about it.
func (s *soaker) write(ctx context.Context, name string) {
	var opts []serviceapi.RequestOption
	if rand.IntN(2) == 0 {
		opts = append(opts, serviceapi.WithRetry(serviceapi.RetryPolicy{MaxAttempts: 1}))
	}
	_, _, err := s.client.Notes.CreateForIssue(ctx, s.owner, serviceapi.CreateIssueNoteOptions{Body: name}, opts...)
	outcome := executed
	if err != nil {
		s.failed.Add(1)
		outcome = unknown
		if !serviceapi.MayHaveExecuted(err) {
			outcome = notExecuted
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writes[name] = outcome
}

// settle compares what the client reported with the state of the service.
func (s *soaker) settle() {
	found := make(map[string]int)
	for _, note := range s.issue.Notes() {
		found[note.Body()]++
	}
	counts := make(map[fate]int)
	for name, outcome := range s.writes {
		counts[outcome]++
		n := found[name]
		delete(found, name)
		switch {
		case n > 1:
			s.t.Errorf("the write %s was executed %d times", name, n)
		case outcome == executed && n == 0:
			s.t.Errorf("the write %s was lost", name)
		case outcome == notExecuted && n == 1:
			s.t.Errorf("the write %s was executed, and the client said that it was not", name)
		}
	}
	assert.Empty(s.t, found, "nobody wrote these")
	assert.Positive(s.t, counts[executed])
	assert.Positive(s.t, counts[unknown], "some responses were lost")
	assert.Positive(s.t, counts[notExecuted], "some writes were refused")
	s.t.Logf("%d calls, %d failed; of the writes %d were executed, %d were not, %d may have been",
		s.calls.Load(), s.failed.Load(), counts[executed], counts[notExecuted], counts[unknown])
}
