package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/hibiken/asynq"
)

// begin starts the walk, or goes on with a run that has begun. Tasks that were given up
// get another chance.
func (f *fleet) begin(ctx context.Context) error {
	if err := f.redis.Ping(ctx).Err(); err != nil {
		return fmt.Errorf("cannot reach Redis: %w", err)
	}
	if err := f.enqueue(pageTask, "1", pageJob{Number: 1}); err != nil {
		return err
	}
	_, err := f.inspector().RunAllArchivedTasks(f.run)
	return err
}

func (f *fleet) inspector() *asynq.Inspector { return asynq.NewInspectorFromRedisClient(f.redis) }

// wait prints the progress until no task is left, or ctx ends. A task adds those that
// follow from it before it is done itself, so the queue is empty only at the end.
func (f *fleet) wait(ctx context.Context, log *logger) error {
	said := time.Now()
	for {
		info, err := f.inspector().GetQueueInfo(f.run)
		switch {
		case errors.Is(err, asynq.ErrQueueNotFound): // nobody has begun the run
		case err != nil:
			log.Warn("the queue cannot be read: ", err)
		case info.Pending+info.Active+info.Scheduled+info.Retry == 0:
			return nil
		case time.Since(said) >= f.pace.progress:
			said = time.Now()
			if n, err := f.ledger.count(ctx); err == nil {
				log.say("%d of %d projects on %d pages; %d in work, %d to try again",
					n.results, n.listed, n.pages, info.Active, info.Retry)
			}
		}
		if err := sleep(ctx, f.pace.idle); err != nil {
			return err
		}
	}
}

// failures returns the tasks that were given up.
func (f *fleet) failures() ([]*asynq.TaskInfo, error) {
	var all []*asynq.TaskInfo
	const size = 100
	for page := 1; ; page++ {
		tasks, err := f.inspector().ListArchivedTasks(f.run, asynq.Page(page), asynq.PageSize(size))
		if err != nil {
			return nil, err
		}
		if all = append(all, tasks...); len(tasks) < size {
			return all, nil
		}
	}
}

// A logger is an [asynq.Logger] that writes lines.
type logger struct {
	mu  sync.Mutex
	out io.Writer
}

func (l *logger) say(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintf(l.out, format+"\n", args...)
}

func (l *logger) Debug(...any)      {}
func (l *logger) Info(...any)       {}
func (l *logger) Warn(args ...any)  { l.say("%s", fmt.Sprint(args...)) }
func (l *logger) Error(args ...any) { l.say("%s", fmt.Sprint(args...)) }
func (l *logger) Fatal(args ...any) { l.say("%s", fmt.Sprint(args...)) }
