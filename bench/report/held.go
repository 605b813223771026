package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/bench"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

// idleConnections is the number of connections whose heap is measured.
const idleConnections = 64

// held measures what is held while nothing is done.
func (l *lab) held() []experiment {
	return []experiment{{
		name:   fmt.Sprintf("%d idle connections, this end of them (net/http: 64 connections)", idleConnections),
		rounds: l.rounds(5, 2),
		ways: map[bench.Contender]way{
			bench.Ours: l.idle(l.oursGet),
			bench.Bare: l.idle(func() get {
				c := bench.NewPlain(l.base, bench.Tuned())
				return func(ctx context.Context, project, job int64) error {
					return c.Call(ctx, http.MethodGet, fmt.Sprintf("/projects/%d/jobs/%d", project, job), nil, nil)
				}
			}),
		},
		goals: []goal{ratio(idleHeap, bench.Bare, 1.1)},
	}}
}

// results measures the heap that what calls return holds.
func (l *lab) results() []experiment {
	var all []experiment
	for _, c := range bench.Results() {
		e := experiment{
			name: c.Name, rounds: l.rounds(5, 2), ways: map[bench.Contender]way{},
			goals: []goal{beside(resultHeap, bench.Peer)},
		}
		for who, get := range c.Ways {
			e.ways[who] = func(ctx context.Context) (sample, error) {
				const calls = 64
				results := make([]any, calls)
				if _, err := get(ctx); err != nil { // what the first call leaves behind is no result
					return nil, err
				}
				before := liveHeap()
				for i := range results {
					var err error
					if results[i], err = get(ctx); err != nil {
						return nil, err
					}
				}
				held := liveHeap() - before
				runtime.KeepAlive(results)
				return sample{resultHeap: held / calls / float64(c.Items)}, nil
			}
		}
		all = append(all, e)
	}
	return all
}

// idle makes as many calls at once as there are connections, each of which takes a while
// and needs one of its own, and measures the heap that is held afterwards.
func (l *lab) idle(client func() get) way {
	return func(ctx context.Context) (sample, error) {
		// What the first call of a process leaves behind is not that of a connection.
		if err := client()(ctx, 1, 8); err != nil {
			return nil, err
		}
		call := client()
		before := liveHeap()
		seen, err := l.counted(ctx, func() error {
			errs := make(chan error, idleConnections)
			for job := range int64(idleConnections) {
				go func() { errs <- call(ctx, slowProjects*kinds, job+1) }()
			}
			return joined(errs, idleConnections)
		})
		if err == nil && seen.Connections != idleConnections {
			err = fmt.Errorf("there were %d connections", seen.Connections)
		}
		after := liveHeap()
		runtime.KeepAlive(call)
		return sample{idleHeap: (after - before) / idleConnections}, err
	}
}

// follow measures what the service sends to a client that follows a log.
func (l *lab) follow() []experiment {
	lines := l.rounds(2000, 200)
	const pause = time.Millisecond
	return []experiment{{
		name:   fmt.Sprintf("following a log of %d lines, one more in each poll (client-go: read by hand)", lines),
		rounds: l.rounds(3, 1),
		ways: map[bench.Contender]way{
			bench.Ours: followed(lines, func(ctx context.Context, base string) (int, error) {
				every := serviceapi.WithPollInterval(pause, pause)
				jobs := bench.NewOurs(base, nil).Jobs
				log, err := serviceapi.Collect(jobs.Follow(ctx, serviceapi.ProjectID(1), 8, every))
				return len(log), err
			}),
			bench.Peer: followed(lines, func(ctx context.Context, base string) (int, error) {
				return readByHand(ctx, bench.NewPeer(base, nil), pause)
			}),
		},
		goals: []goal{limit(sentPerByte, 5), shown(sentWhole)},
	}}
}

// followed follows a log from a service with ranges, and one without.
func followed(lines int, follow func(ctx context.Context, base string) (lines int, err error)) way {
	return func(ctx context.Context) (sample, error) {
		s := sample{}
		for m, ranges := range map[metric]bool{sentPerByte: true, sentWhole: false} {
			log := &bench.GrowingLog{Lines: lines, Ranges: ranges}
			server := httptest.NewServer(log)
			n, err := follow(ctx, server.URL)
			server.CloseClientConnections()
			server.Close()
			if err == nil && n != lines {
				err = fmt.Errorf("%d lines came", n)
			}
			if err != nil {
				return nil, err
			}
			s[m] = float64(log.Sent.Load()) / float64(log.Size())
		}
		return s, nil
	}
}

// readByHand reads the whole log until the job is done. It returns the number of lines.
func readByHand(ctx context.Context, client *clientgo.Client, pause time.Duration) (lines int, err error) {
	for {
		job, _, err := client.Jobs.GetJob(1, 8, clientgo.WithContext(ctx))
		if err != nil {
			return 0, err
		}
		log, _, err := client.Jobs.GetTraceFile(1, 8, clientgo.WithContext(ctx))
		if err != nil {
			return 0, err
		}
		if lines, err = countLines(log); err != nil || job.Status == "success" {
			return lines, err
		}
		time.Sleep(pause)
	}
}

func countLines(r io.Reader) (n int, err error) {
	for lines := bufio.NewScanner(r); ; n++ {
		if !lines.Scan() {
			return n, lines.Err()
		}
	}
}
