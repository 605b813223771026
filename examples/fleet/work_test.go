package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/hibiken/asynq"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi"
	"example.com/serviceapi/examples/internal/demo"
	"example.com/serviceapi/examples/internal/demo/demotest"
	"example.com/serviceapi/servicetest"
)

func TestEmbedded(t *testing.T) {
	demotest.Clear(t)
	t.Setenv("REDIS_URL", "")
	got := demotest.Run(t, run, "-projects", "30", "-limit", "1000")
	require.Equal(t, 0, got.Status, got.Notes)
	checkInventory(t, got.Out, 30)
	assert.Contains(t, got.Notes, "30 projects on 2 pages; 30 results")
}

func TestUsage(t *testing.T) {
	demotest.Clear(t)
	t.Setenv("REDIS_URL", "redis://user:password@redis.example.com:no")
	for _, args := range [][]string{
		{"project"}, {"-run", "a b"}, {"-limit", "0"}, {"-page", "101"}, {"-slack", "0"}, {"-join"},
		{"-nonsense"}, {"-projects", "1"},
	} {
		got := demotest.Run(t, run, args...)
		assert.Equal(t, 2, got.Status, args)
		assert.NotContains(t, got.Notes, "password")
	}
	got := demotest.Run(t, run, "-h")
	assert.Equal(t, 0, got.Status)
	assert.NotContains(t, got.Notes, "password")
}

// A desk is a service and a Redis for runs in this process.
type desk struct {
	service *servicetest.Service
	redis   *miniredis.Miniredis
	notes   bytes.Buffer
	plan    plan
}

func newDesk(t *testing.T, projects int) *desk {
	d := &desk{service: servicetest.New(t, servicetest.WithClock(time.Now)), redis: miniredis.RunT(t)}
	fill(d.service, projects)
	demotest.Clear(t)
	t.Setenv("SERVICE_BASE_URL", d.service.URL())
	t.Setenv("SERVICE_TOKEN", d.service.AdminToken())
	args := []string{"-redis", d.redis.Addr(), "-limit", "2000", "-page", "10", "-workers", "2"}
	args = append(args, "-o", filepath.Join(t.TempDir(), "out"))
	require.NoError(t, d.plan.parse(args, &d.notes))
	d.plan.pace = pace{
		idle: 5 * time.Millisecond, delayed: 5 * time.Millisecond,
		firstRetry: time.Millisecond, progress: time.Millisecond,
	}
	return d
}

func (d *desk) run(t *testing.T) error {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	return d.plan.start(ctx, io.Discard, &d.notes)
}

func (d *desk) fleet(t *testing.T) *fleet {
	db := dial(t, d.redis.Addr())
	client, err := serviceapi.FromEnv()
	require.NoError(t, err)
	f, err := d.plan.assemble(t.Context(), client, db)
	require.NoError(t, err)
	return f
}

func (d *desk) inventory(t *testing.T) string {
	data, err := os.ReadFile(d.plan.file)
	require.NoError(t, err)
	return string(data)
}

// TestPoisoned checks that a project that cannot be read is given up, reported and
// missing, that the others are there, and that the next start tries it again.
func TestPoisoned(t *testing.T) {
	d := newDesk(t, 25)
	poison := d.service.Fault("GET /projects/:id/members",
		servicetest.Status(http.StatusBadRequest, `{"message":"it is broken"}`),
		servicetest.If(func(r *http.Request) bool { return r.PathValue("id") == "13" }))
	status := demo.Run(t.Context(), "fleet", func(ctx context.Context, _ []string, out, notes io.Writer) error {
		return d.plan.start(ctx, out, notes)
	}, nil, io.Discard, &d.notes)
	assert.Equal(t, 1, status)
	assert.Contains(t, d.notes.String(), "failed: project:13: ")
	assert.Contains(t, d.notes.String(), "it is broken")
	assert.Contains(t, d.notes.String(), "the inventory is not complete: 1 tasks failed, 1 projects are missing: [13]")
	assert.Equal(t, maxRetries+1, poison.Hits())
	assert.Equal(t, 24, strings.Count(d.inventory(t), "\n"))

	poison.Remove()
	d.service.ClearRequests()
	require.NoError(t, d.run(t))
	checkInventory(t, d.inventory(t), 25)
	for _, request := range d.service.Requests() {
		assert.Contains(t, request.Path, "/projects/13/", "only this one is read again")
	}
}

// TestAnotherInstance checks that a run at another instance is another run, whatever its name.
func TestAnotherInstance(t *testing.T) {
	d := newDesk(t, 3)
	require.NoError(t, d.run(t))
	other := servicetest.New(t, servicetest.WithClock(time.Now))
	fill(other, 12)
	t.Setenv("SERVICE_BASE_URL", other.URL())
	t.Setenv("SERVICE_TOKEN", other.AdminToken())
	require.NoError(t, d.run(t))
	checkInventory(t, d.inventory(t), 12)
}

// TestLostPage checks that a page that cannot be listed is reported: the inventory would
// lack projects that nobody knows of.
func TestLostPage(t *testing.T) {
	d := newDesk(t, 25)
	d.service.Fault("GET /projects", servicetest.Skip(1), servicetest.Status(http.StatusBadRequest, ""))
	assert.ErrorContains(t, d.run(t), "1 tasks failed, 0 projects are missing")
	assert.Contains(t, d.notes.String(), "failed: page:2: ")
}

// TestUnreadable checks that what the caller may not see is named in the line of the
// project, also if the project was deleted after it was listed.
func TestUnreadable(t *testing.T) {
	d := newDesk(t, 3)
	d.service.Fault("GET /projects/:id/jobs", servicetest.Status(http.StatusForbidden, ""),
		servicetest.If(func(r *http.Request) bool { return r.PathValue("id") == "1" }))
	d.service.Fault("*", servicetest.Status(http.StatusNotFound, `{"message":"404 Project Not Found"}`),
		servicetest.If(func(r *http.Request) bool { return r.PathValue("id") == "2" }))
	require.NoError(t, d.run(t), d.notes.String())
	var lines [3]entry
	for i, line := range strings.Split(strings.TrimSpace(d.inventory(t)), "\n") {
		require.NoError(t, json.Unmarshal([]byte(line), &lines[i]))
	}
	assert.Len(t, lines[0].Unreadable, 2)
	assert.Contains(t, lines[0].Unreadable["failed_jobs"], "Forbidden")
	assert.Len(t, lines[0].ExpiringMembers, 1, "the rest was read")
	assert.Len(t, lines[1].Unreadable, 3)
	assert.Empty(t, lines[2].Unreadable)
}

// TestSecrecy checks that the credential is not in Redis, neither as it is nor in a
// header.
func TestSecrecy(t *testing.T) {
	d := newDesk(t, 12)
	echo := fmt.Sprintf(`{"message":"no %s"}`, d.service.AdminToken())
	d.service.Fault("*", servicetest.Status(http.StatusBadRequest, echo),
		servicetest.If(func(r *http.Request) bool { return r.PathValue("id") == "4" }))
	assert.Error(t, d.run(t))
	assert.NotContains(t, d.redis.Dump(), d.service.AdminToken())
	assert.Contains(t, d.redis.Dump(), "rate:")
	assert.NotContains(t, d.notes.String(), d.service.AdminToken())
}

// TestTwoTokens checks that processes with different tokens work on the same run, each
// with a budget of its own.
func TestTwoTokens(t *testing.T) {
	d := newDesk(t, 12)
	poison := d.service.Fault("GET /projects/:id/members", servicetest.Status(http.StatusBadRequest, ""),
		servicetest.If(func(r *http.Request) bool { return r.PathValue("id") == "4" }))
	require.Error(t, d.run(t))
	poison.Remove()
	second := d.service.Token(d.service.Root())
	t.Setenv("SERVICE_TOKEN", second)
	require.NoError(t, d.run(t))
	checkInventory(t, d.inventory(t), 12)
	tokens, budgets := map[string]bool{}, 0
	for _, request := range d.service.Requests() {
		tokens[request.Header.Get("Private-Token")] = true
	}
	for _, key := range d.redis.Keys() {
		if strings.HasPrefix(key, "rate:") {
			budgets++
		}
	}
	assert.Len(t, tokens, 2)
	assert.Equal(t, 2, budgets)
}

// TestPageTwice checks the task of a page that runs again after projects have come and
// gone: there is one walk, and no project is left out.
func TestPageTwice(t *testing.T) {
	d := newDesk(t, 25)
	f := d.fleet(t)
	defer f.redis.Close()
	first := asynq.NewTask(pageTask, []byte(`{"number":1,"token":""}`))
	require.NoError(t, f.doPage(t.Context(), first))
	queued := func() (projects, pages int) {
		tasks, err := f.inspector().ListPendingTasks(f.run, asynq.PageSize(100))
		require.NoError(t, err)
		for _, task := range tasks {
			if task.Type == pageTask {
				pages++
				assert.Equal(t, "page:2", task.ID)
			}
		}
		return len(tasks) - pages, pages
	}
	projects, pages := queued()
	assert.Equal(t, []int{10, 1}, []int{projects, pages})

	client, err := serviceapi.FromEnv()
	require.NoError(t, err)
	_, err = client.Projects.Delete(t.Context(), serviceapi.ProjectID(5), nil)
	require.NoError(t, err)
	require.NoError(t, f.doPage(t.Context(), first))
	projects, pages = queued()
	assert.Equal(t, []int{11, 1}, []int{projects, pages}, "the page now has the first project of the next one")
	n, err := f.ledger.count(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []int{1, 11}, []int{n.pages, n.listed})

	require.NoError(t, d.run(t))
	assert.Len(t, d.service.Requests("GET /projects"), 6, "this page three times, the others once")
	assert.Equal(t, 25, strings.Count(d.inventory(t), "\n"), "with the one that is gone")
}

// TestProjectTwice checks a task that runs again after its result was written.
func TestProjectTwice(t *testing.T) {
	d := newDesk(t, 2)
	f := d.fleet(t)
	task := asynq.NewTask(projectTask, []byte(`{"id":1,"path":"team-00/app-0"}`))
	require.NoError(t, f.doProject(t.Context(), task))
	sent := len(d.service.Requests())
	require.NoError(t, f.doProject(t.Context(), task))
	assert.Len(t, d.service.Requests(), sent, "nothing is read again")
	require.NoError(t, f.ledger.write(t.Context(), 1, []byte("another one")), "two at the same time")
	n, err := f.ledger.count(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []int{1, 1, 2}, []int{n.results, n.written, n.repeated})
	var out bytes.Buffer
	require.NoError(t, f.ledger.export(t.Context(), &out))
	assert.Contains(t, out.String(), "team-00/app-0")
	for _, kind := range []func(context.Context, *asynq.Task) error{f.doPage, f.doProject} {
		assert.ErrorIs(t, kind(t.Context(), asynq.NewTask("broken", []byte("{"))), asynq.SkipRetry)
	}
}

// TestMissing checks that a project without a result is noticed, whatever became of its
// task.
func TestMissing(t *testing.T) {
	d := newDesk(t, 12)
	f := d.fleet(t)
	_, err := f.ledger.page(t.Context(), "", "", []int64{99})
	require.NoError(t, err)
	assert.ErrorContains(t, d.run(t), "0 tasks failed, 1 projects are missing: [99]")
}

func TestRetryDelay(t *testing.T) {
	f := &fleet{pace: usualPace}
	broken := &serviceapi.Error{StatusCode: http.StatusBadRequest}
	assert.Equal(t, 2*time.Second, f.retryDelay(0, broken, nil))
	assert.Equal(t, 16*time.Second, f.retryDelay(3, broken, nil))
	assert.Equal(t, 5*time.Minute, f.retryDelay(60, broken, nil))
	assert.Equal(t, 2*time.Second, f.retryDelay(5, asynq.ErrLeaseExpired, nil))
	assert.Equal(t, 2*time.Second, f.retryDelay(5, errNoLimiter, nil))
	assert.True(t, isFailure(broken))
	limited := &serviceapi.RateLimitError{Err: &serviceapi.Error{StatusCode: http.StatusTooManyRequests}}
	assert.False(t, isFailure(limited))
	assert.True(t, isFailure(asynq.ErrLeaseExpired), "what kills its worker must come to an end")
}

// TestMeasure makes the table of figures, of a small run.
func TestMeasure(t *testing.T) {
	demotest.Clear(t)
	t.Setenv("REDIS_URL", "")
	p := plan{pace: testPace, process: func(env []string, args ...string) *exec.Cmd {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(append(os.Environ(), env...), childArgs+"="+strings.Join(args, " "))
		return cmd
	}}
	var out, notes bytes.Buffer
	require.NoError(t, p.parse([]string{"-figures", "-projects", "40", "-limit", "1000", "-latency", "1ms"}, &notes))
	require.NoError(t, p.measure(t.Context(), &out, &notes), notes.String())
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Len(t, lines, 5)
	for i, n := range []string{"1", "2", "4"} {
		cells := strings.Split(lines[2+i], "|")
		require.Len(t, cells, 8, lines[2+i])
		assert.Equal(t, n, strings.TrimSpace(cells[1]))
		assert.Equal(t, "0", strings.TrimSpace(cells[6]), "refused")
	}
}

// TestStop stops a process with SIGTERM: it finishes what it has begun, and the next
// start goes on from there.
func TestStop(t *testing.T) {
	d := newDesk(t, 40)
	slow := d.service.Fault("GET /projects/:id/members", servicetest.Delay(300*time.Millisecond))
	args := []string{"-redis", d.redis.Addr(), "-limit", "2000", "-workers", "1"}
	var log lockedBuffer
	process := child(d.service, args)
	process.Stderr = &log
	require.NoError(t, process.Start())
	require.Eventually(t, func() bool { return slow.Hits() >= 6 }, 10*time.Second, 5*time.Millisecond)
	require.NoError(t, process.Process.Signal(syscall.SIGTERM))
	assert.Error(t, process.Wait())
	assert.Equal(t, 1, process.ProcessState.ExitCode())
	assert.Contains(t, log.String(), "start it again with the same -run")

	f := d.fleet(t)
	info, err := f.inspector().GetQueueInfo(f.run)
	require.NoError(t, err)
	assert.Zero(t, info.Active)
	n, err := f.ledger.count(t.Context())
	require.NoError(t, err)
	assert.Equal(t, slow.Hits(), n.written, "what was begun is done")
	assert.Less(t, n.written, 40)

	slow.Remove()
	require.NoError(t, d.run(t))
	checkInventory(t, d.inventory(t), 40)
	assert.Len(t, d.service.Requests("GET /projects/:id/members"), 40, "no project was read twice")
}
