package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi/servicetest"
)

// Variables of a process that a test starts.
const (
	childArgs  = "FLEET_TEST_ARGS"
	childDies  = "FLEET_TEST_DIES_AFTER" // a project: the process dies when its result is written
	childDying = "FLEET_TEST_DYING"      // a file that exists if a process died so
)

// TestMain makes the test binary the program if a test started it so.
func TestMain(m *testing.M) {
	args := os.Getenv(childArgs)
	if args == "" {
		os.Exit(m.Run())
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	p := plan{pace: testPace, written: dieOnce}
	err := p.parse(strings.Fields(args), os.Stderr)
	if err == nil {
		err = p.start(ctx, os.Stdout, os.Stderr)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

var testPace = pace{
	idle: 50 * time.Millisecond, delayed: 200 * time.Millisecond,
	firstRetry: 200 * time.Millisecond, progress: time.Hour,
}

// dieOnce kills the process between the write of a result and the end of its task,
// unless another one has died so.
func dieOnce(job projectJob) {
	if fmt.Sprint(job.ID) != os.Getenv(childDies) {
		return
	}
	if mark, err := os.OpenFile(os.Getenv(childDying), os.O_CREATE|os.O_EXCL, 0o600); err == nil {
		mark.Close()
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
}

const (
	fleetLimit    = 100
	fleetProjects = 150
	pauseLength   = 2 * time.Second
	// grace is how long after the beginning of a pause a request may still arrive.
	grace = 500 * time.Millisecond
)

// A rehearsal is a run by processes that the test kills, with a service and a line to
// Redis that fail.
type rehearsal struct {
	t       *testing.T
	service *servicetest.Service
	db      redis.UniversalClient // not through the line
	line    *line
	dir     string
	log     *lockedBuffer

	workers []*exec.Cmd
	ended   chan *exec.Cmd
	kills   int
	refused []*servicetest.Fault
	cuts    [][2]time.Time
}

func newRehearsal(t *testing.T, address string) *rehearsal {
	service := servicetest.New(t, servicetest.WithClock(time.Now), servicetest.WithRecordedRequests(100_000))
	fill(service, fleetProjects)
	enforce(service, fleetLimit)
	db, err := dialRedis(address)
	require.NoError(t, err)
	t.Cleanup(func() { db.Close() })
	return &rehearsal{
		t: t, service: service, db: db, line: newLine(t, address), dir: t.TempDir(),
		log: new(lockedBuffer), ended: make(chan *exec.Cmd, 100),
	}
}

// TestFleet kills workers, breaks the line to Redis and makes the service refuse and
// fail, in random order. At the end, every project stands in the inventory once.
func TestFleet(t *testing.T) {
	for name, address := range everyRedis(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRehearsal(t, address)
			f := newFleet(nil, r.db, runOf("rehearsal", r.service.URL()), 10)
			require.NoError(t, f.begin(t.Context()))
			for range 3 {
				r.start()
			}
			events := slices.Repeat([]func(){r.kill, r.kill, r.refuse, r.fail, r.cut}, 2)
			rand.Shuffle(len(events), func(i, j int) { events[i], events[j] = events[j], events[i] })
			for _, event := range events {
				r.watch(rand.N(400 * time.Millisecond))
				event()
			}
			r.kill() // whoever replaces it finds what is left
			deadline := time.Now().Add(30 * time.Second)
			for !r.watch(50*time.Millisecond) && time.Now().Before(deadline) {
			}
			assert.Empty(t, r.workers, "the run has not ended")
			r.check(f)
			if t.Failed() {
				t.Log(r.log.String())
			}
		})
	}
}

// start starts a worker.
func (r *rehearsal) start() {
	worker := child(r.service, []string{
		"-redis", r.line.address, "-run", "rehearsal", "-join", "-workers", "1", "-page", "10",
		"-limit", strconv.Itoa(fleetLimit), "-slack", "500ms",
	}, childDies+"=40", childDying+"="+filepath.Join(r.dir, "dying"))
	worker.Stderr = r.log
	require.NoError(r.t, worker.Start())
	r.t.Cleanup(func() { worker.Process.Kill() })
	r.workers = append(r.workers, worker)
	go func() {
		worker.Wait()
		r.ended <- worker
	}()
}

// child is the program as a process, with a service.
func child(service *servicetest.Service, args []string, env ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childArgs+"="+strings.Join(args, " "), "REDIS_URL=", "SERVICE_OAUTH_TOKEN=",
		"SERVICE_BASE_URL="+service.URL(), "SERVICE_TOKEN="+service.AdminToken())
	cmd.Env = append(cmd.Env, env...)
	return cmd
}

// watch waits for d, and replaces workers that die meanwhile. It reports whether all
// have ended by themselves.
func (r *rehearsal) watch(d time.Duration) (ended bool) {
	for timer := time.After(d); ; {
		select {
		case <-timer:
			return len(r.workers) == 0
		case dead := <-r.ended:
			r.workers = slices.DeleteFunc(r.workers, func(w *exec.Cmd) bool { return w == dead })
			if dead.ProcessState.Success() {
				continue // it saw the end of the run
			}
			r.kills++
			r.expireLeases()
			r.start()
		}
	}
}

// expireLeases sets the leases of tasks back, instead of waiting for a minute, so that
// a new worker takes over what a dead one has left. The tasks of the living are taken
// over, too: they are done twice.
func (r *rehearsal) expireLeases() {
	leases := "asynq:{" + runOf("rehearsal", r.service.URL()) + "}:lease"
	tasks, err := r.db.ZRange(r.t.Context(), leases, 0, -1).Result()
	require.NoError(r.t, err)
	for _, task := range tasks {
		require.NoError(r.t, r.db.ZAddXX(r.t.Context(), leases, redis.Z{Score: 1, Member: task}).Err())
	}
}

func (r *rehearsal) kill() {
	if len(r.workers) > 0 {
		r.workers[rand.N(len(r.workers))].Process.Kill()
	}
}

// refuse lets the service respond with 429, until several requests were refused. Nobody
// is killed until one who saw it has told the others.
func (r *rehearsal) refuse() {
	fault := r.service.Fault("*", servicetest.RateLimit(pauseLength), servicetest.Times(5))
	r.refused = append(r.refused, fault)
	for deadline := time.Now().Add(10 * time.Second); fault.Hits() == 0 && time.Now().Before(deadline); {
		r.watch(10 * time.Millisecond)
	}
	time.Sleep(grace / 2)
	fault.Remove()
	time.Sleep(grace / 2)
}

func (r *rehearsal) fail() {
	r.service.Fault("*", servicetest.Status(http.StatusServiceUnavailable, ""), servicetest.Times(8))
}

// cut breaks the line to Redis for a while.
func (r *rehearsal) cut() {
	r.line.cut()
	from := time.Now()
	r.watch(1200 * time.Millisecond)
	r.cuts = append(r.cuts, [2]time.Time{from, time.Now()})
	r.line.mend()
}

// check checks what is left when the run has ended.
func (r *rehearsal) check(f *fleet) {
	t, ctx := r.t, r.t.Context()
	assert.GreaterOrEqual(t, r.kills, 4, "workers died")
	assert.FileExists(t, filepath.Join(r.dir, "dying"), "one died between a write and its record")

	// Every project is there, once, with what it has.
	var out, notes bytes.Buffer
	require.NoError(t, f.ledger.export(ctx, &out))
	assert.NoError(t, f.report(ctx, &notes), notes.String())
	checkInventory(t, out.String(), fleetProjects)

	// No result was written twice, although tasks ran twice.
	n, err := f.ledger.count(ctx)
	require.NoError(t, err)
	assert.Equal(t, fleetProjects, n.written)
	assert.Positive(t, n.repeated)
	assert.Equal(t, fleetProjects/10+1, n.pages, "there was one walk")

	r.checkRequests()
	assert.NotContains(t, r.log.String(), r.service.AdminToken())
}

// checkRequests checks what the service has recorded.
func (r *rehearsal) checkRequests() {
	requests := r.service.Requests()
	most := busiest(requests)
	assert.LessOrEqual(r.t, most, fleetLimit)
	assert.Greater(r.t, most, fleetLimit/4, "the limit was used")

	refused, hits := 0, 0
	for _, request := range requests {
		if request.Status == http.StatusTooManyRequests {
			refused++
			r.checkSilence("after a 429", requests, request.At.Add(grace), request.At.Add(pauseLength))
		}
	}
	for _, fault := range r.refused {
		hits += fault.Hits()
	}
	assert.Positive(r.t, hits)
	assert.Equal(r.t, hits, refused, "nothing else was refused")
	for _, cut := range r.cuts {
		r.checkSilence("without Redis", requests, cut[0].Add(grace), cut[1])
	}
	r.t.Logf("%d requests, at most %d in a second; %d refused; %d workers died", len(requests), most, refused, r.kills)
}

// checkSilence checks that no request arrived in a span of time.
func (r *rehearsal) checkSilence(why string, requests []servicetest.Request, from, to time.Time) {
	for _, request := range requests {
		if request.At.After(from) && request.At.Before(to) {
			assert.Fail(r.t, "a request arrived", "%s, %s before the end", why, to.Sub(request.At))
		}
	}
}

// checkInventory checks the lines of projects that fill has made.
func checkInventory(t *testing.T, text string, projects int) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	require.Len(t, lines, projects)
	for i, line := range lines {
		var e entry
		require.NoError(t, json.Unmarshal([]byte(line), &e), line)
		assert.Equal(t, int64(i+1), e.ID)
		assert.Equal(t, fmt.Sprintf("team-%02d/app-%d", i%20, i), e.Path)
		assert.Len(t, e.FailedJobs, i%4)
		assert.Len(t, e.OldestArtifacts, 1)
		assert.Len(t, e.ExpiringMembers, map[bool]int{true: 1}[i%3 == 0])
		assert.Empty(t, e.Unreadable)
	}
}
