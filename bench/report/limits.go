package main

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/bench"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

// budgetCalls is the number of calls that are made while the service allows
// many more.
const budgetCalls = 30

// rateLimits measures how clients behave if the service limits them.
func (l *lab) rateLimits() []experiment {
	all := []experiment{
		{
			name:   fmt.Sprintf("429 with Retry-After: %d", int(retryAfter.Seconds())),
			rounds: l.rounds(5, 2),
			ways: map[bench.Contender]way{
				bench.Ours: l.refused(l.oursGet()),
				bench.Peer: l.refused(l.peerGet()),
			},
			goals: []goal{limit(requests, 2), limit(excess, 0.05)},
		},
		{
			name:   fmt.Sprintf("RateLimit headers with budget left, %d GETs", budgetCalls),
			rounds: l.rounds(5, 2),
			ways: map[bench.Contender]way{
				bench.Ours: many(l.oursGet),
				bench.Peer: many(l.peerGet),
				bench.Bare: many(l.plainGet),
			},
			// A client that throttles itself needs seconds.
			goals: []goal{limit(seconds, 0.1)},
		},
		l.bursts("begun within 200ms", 40, burstStep, 41),
	}
	// Calls that begin at once are on their way, or wait for a connection, before any of
	// them is refused: each may be refused once.
	for _, n := range []int{40, 256, 1024} {
		all = append(all, l.bursts("at once", n, 0, 2*n))
	}
	return all
}

// bursts are calls that are all refused for a second, and should send no more requests
// than max.
func (l *lab) bursts(how string, calls int, step time.Duration, max int) experiment {
	return experiment{
		name:   fmt.Sprintf("%d GETs %s, all refused with 429 for a second", calls, how),
		rounds: l.rounds(5, 2),
		ways: map[bench.Contender]way{
			bench.Ours: l.burst(l.oursGet, calls, step),
			bench.Peer: l.burst(l.peerGet, calls, step),
		},
		goals: []goal{limit(requests, float64(max)), limit(failures, 0), shown(seconds)},
	}
}

// get reads a job of a project.
type get func(ctx context.Context, project, job int64) error

func (l *lab) oursGet() get {
	c := bench.NewOurs(l.base, nil)
	return func(ctx context.Context, project, job int64) error {
		_, _, err := c.Jobs.Get(ctx, serviceapi.ProjectID(project), job)
		return err
	}
}

func (l *lab) peerGet() get {
	c := bench.NewPeer(l.base, nil)
	return func(ctx context.Context, project, job int64) error {
		_, _, err := c.Jobs.GetJob(project, job, clientgo.WithContext(ctx))
		return err
	}
}

func (l *lab) plainGet() get {
	c := bench.NewPlain(l.base, nil)
	return func(ctx context.Context, project, job int64) error {
		return c.Call(ctx, http.MethodGet, fmt.Sprintf("/projects/%d/jobs/%d", project, job), nil, new(serviceapi.Job))
	}
}

// many makes many calls, one after the other, with its own client.
func many(client func() get) way {
	return timed(func(ctx context.Context) error {
		call := client()
		for job := range int64(budgetCalls) {
			if err := call(ctx, budgetProjects*kinds, job+1); err != nil {
				return err
			}
		}
		return nil
	})
}

// nextJob numbers the jobs, each of which is refused once, and the projects.
var nextJob atomic.Int64

// burstStep is the time between calls that start shortly after each other, as in a
// program that starts a goroutine for each.
const burstStep = 5 * time.Millisecond

// burst makes calls to one project, whose jobs are refused for some time. A failed call
// is not an error here; it is counted.
func (l *lab) burst(client func() get, calls int, step time.Duration) way {
	return func(ctx context.Context) (sample, error) {
		var took time.Duration
		var lost atomic.Int64
		call, project := client(), burstProjects*kinds+nextJob.Add(1)
		seen, err := l.counted(ctx, func() error {
			start := time.Now()
			var all sync.WaitGroup
			for job := range int64(calls) {
				all.Go(func() {
					if err := call(ctx, project, job+1); err != nil {
						lost.Add(1)
					}
				})
				time.Sleep(step)
			}
			all.Wait()
			took = time.Since(start)
			return nil
		})
		return sample{
			requests: float64(seen.Requests), failures: float64(lost.Load()), seconds: took.Seconds(),
		}, err
	}
}

// joined waits for this many results and returns the first error.
func joined(errs <-chan error, n int) (first error) {
	for range n {
		if err := <-errs; err != nil && first == nil {
			first = err
		}
	}
	return first
}

// refused makes one call that the service refuses until some time has passed.
func (l *lab) refused(call get) way {
	return func(ctx context.Context) (sample, error) {
		var took time.Duration
		seen, err := l.counted(ctx, func() error {
			start := time.Now()
			defer func() { took = time.Since(start) }()
			return call(ctx, limitedProjects*kinds, nextJob.Add(1))
		})
		return sample{requests: float64(seen.Requests), excess: (took - retryAfter).Seconds()}, err
	}
}
