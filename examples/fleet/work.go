package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"example.com/serviceapi"
)

// The kinds of tasks.
const (
	pageTask    = "page"
	projectTask = "project"
)

// A pageJob lists one page of projects. The token is that of the page, "" for the
// first one.
type pageJob struct {
	Number int    `json:"number"`
	Token  string `json:"token"`
}

// A projectJob reads one project.
type projectJob struct {
	ID   int64  `json:"id"`
	Path string `json:"path"`
}

// A fleet is one process's share of a run.
type fleet struct {
	client *serviceapi.Client
	redis  redis.UniversalClient
	ledger *ledger
	queue  *asynq.Client
	// run is the name of the run, which is also that of its queue.
	run     string
	perPage int
	pace    pace
	// written is called after the result of a project was written, and before its
	// task is done. It is nil but in tests.
	written func(projectJob)
}

// A pace says how often a process looks for work.
type pace struct {
	// idle is the wait while there is no task, and delayed that between looks for tasks
	// whose wait is over.
	idle, delayed time.Duration
	// firstRetry is the wait before a failed task runs again. It doubles each time.
	firstRetry time.Duration
	// progress is the time between lines that say how far the run is.
	progress time.Duration
}

var usualPace = pace{
	idle: 200 * time.Millisecond, delayed: time.Second, firstRetry: 2 * time.Second, progress: 2 * time.Second,
}

const (
	// maxRetries is the number of times that a task is repeated. What kills its worker
	// counts, and so does an error of the service, but not a wait for the limiter.
	maxRetries = 8
	// taskTimeout is the most that a project may take, with all waits.
	taskTimeout = time.Hour
	// stopTimeout is how long a process that is stopped finishes what it has begun.
	// The rest goes back to the queue.
	stopTimeout = 10 * time.Second
)

func newFleet(client *serviceapi.Client, db redis.UniversalClient, run string, perPage int) *fleet {
	return &fleet{
		client: client, redis: db, run: run, perPage: perPage, pace: usualPace,
		ledger: &ledger{db, run}, queue: asynq.NewClientFromRedisClient(db),
	}
}

// enqueue adds a task, unless it was added before: its ID stays in Redis when the task
// is done, for as long as the run is kept.
func (f *fleet) enqueue(kind, id string, job any) error {
	payload, err := json.Marshal(job)
	if err != nil {
		return err
	}
	_, err = f.queue.Enqueue(asynq.NewTask(kind, payload), asynq.Queue(f.run), asynq.TaskID(kind+":"+id),
		asynq.Retention(keep), asynq.MaxRetry(maxRetries), asynq.Timeout(taskTimeout))
	if errors.Is(err, asynq.ErrTaskIDConflict) {
		return nil
	}
	return err
}

// work starts a worker that does several tasks at once, and returns the function that
// stops it.
func (f *fleet) work(tasks int, log asynq.Logger) (stop func(), err error) {
	server := asynq.NewServerFromRedisClient(f.redis, asynq.Config{
		Concurrency: tasks, Queues: map[string]int{f.run: 1},
		TaskCheckInterval: f.pace.idle, DelayedTaskCheckInterval: f.pace.delayed,
		RetryDelayFunc: f.retryDelay, IsFailure: isFailure,
		ShutdownTimeout: stopTimeout, Logger: log, LogLevel: asynq.WarnLevel,
	})
	mux := asynq.NewServeMux()
	mux.HandleFunc(pageTask, f.doPage)
	mux.HandleFunc(projectTask, f.doProject)
	if err := server.Start(mux); err != nil {
		return nil, err
	}
	return server.Shutdown, nil
}

// isFailure reports whether an error counts against the retries of a task. A limiter
// that cannot be reached, or a service that asks for a long wait, is not the task's
// fault.
func isFailure(err error) bool {
	return !errors.Is(err, errNoLimiter) && !errors.Is(err, serviceapi.ErrRateLimited)
}

func (f *fleet) retryDelay(n int, err error, _ *asynq.Task) time.Duration {
	if errors.Is(err, asynq.ErrLeaseExpired) || !isFailure(err) {
		return f.pace.firstRetry // it has waited long enough, or waits in the limiter
	}
	return min(f.pace.firstRetry<<min(n, 10), 5*time.Minute)
}

// doPage lists a page, and adds the tasks of its projects and of the next page. It can
// end at any point and run again: nothing is added twice, and nothing is left out.
func (f *fleet) doPage(ctx context.Context, task *asynq.Task) error {
	var job pageJob
	if err := json.Unmarshal(task.Payload(), &job); err != nil {
		return fmt.Errorf("%w: %w", err, asynq.SkipRetry)
	}
	options := &serviceapi.ListProjectsOptions{
		ListOptions: serviceapi.ListOptions{PerPage: f.perPage, PageToken: job.Token},
		Pagination:  serviceapi.PaginationKeyset, OrderBy: serviceapi.ProjectOrderByID, Sort: serviceapi.SortAscending,
		Simple: true,
	}
	projects, resp, err := f.client.Projects.List(ctx, serviceapi.Instance, options)
	if err != nil {
		return err
	}
	ids := make([]int64, len(projects))
	for i, project := range projects {
		ids[i] = project.ID
	}
	// Before the tasks: at the end, a project without a result must be noticed.
	next, err := f.ledger.page(ctx, job.Token, resp.NextPageToken, ids)
	if err != nil {
		return err
	}
	for _, project := range projects {
		one := projectJob{project.ID, project.PathWithNamespace}
		if err := f.enqueue(projectTask, fmt.Sprint(project.ID), one); err != nil {
			return err
		}
	}
	if next == "" {
		return nil
	}
	return f.enqueue(pageTask, fmt.Sprint(job.Number+1), pageJob{job.Number + 1, next})
}

// doProject reads a project and writes its result. If the worker dies in between, or
// before the task is recorded as done, it runs again: a result that is there is kept.
func (f *fleet) doProject(ctx context.Context, task *asynq.Task) error {
	var job projectJob
	if err := json.Unmarshal(task.Payload(), &job); err != nil {
		return fmt.Errorf("%w: %w", err, asynq.SkipRetry)
	}
	done, err := f.ledger.has(ctx, job.ID)
	if err != nil || done {
		return err
	}
	e, err := take(ctx, f.client, job.ID, job.Path)
	if err != nil {
		return err
	}
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if err := f.ledger.write(ctx, job.ID, line); err != nil {
		return err
	}
	if f.written != nil {
		f.written(job)
	}
	return nil
}
