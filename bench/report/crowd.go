package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/bench"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

const (
	crowds    = 5
	crowdSize = 1000
)

// crowd is what happens when a program asks for very much at once.
func (l *lab) crowd() []experiment {
	return []experiment{{
		name:   fmt.Sprintf("%d × %d concurrent GETs", crowds, crowdSize),
		rounds: l.rounds(7, 3),
		ways: map[bench.Contender]way{
			bench.Ours: l.crowded(func() bench.Way {
				c := bench.NewOurs(l.base, nil)
				return func(ctx context.Context) error {
					_, _, err := c.Jobs.Get(ctx, serviceapi.ProjectID(1), 8)
					return err
				}
			}),
			bench.Peer: l.crowded(func() bench.Way {
				c := bench.NewPeer(l.base, nil)
				return func(ctx context.Context) error {
					_, _, err := c.Jobs.GetJob(1, 8, clientgo.WithContext(ctx))
					return err
				}
			}),
			bench.Decoding: l.crowded(func() bench.Way {
				c := bench.NewPlain(l.base, nil)
				return func(ctx context.Context) error {
					return c.Call(ctx, http.MethodGet, "/projects/1/jobs/8", nil, new(serviceapi.Job))
				}
			}),
			bench.Bare: l.crowded(func() bench.Way {
				c := bench.NewPlain(l.base, nil)
				return func(ctx context.Context) error { return c.Call(ctx, http.MethodGet, "/projects/1/jobs/8", nil, nil) }
			}),
		},
		goals: []goal{ratio(seconds, bench.Peer, 0.35), limit(connections, 64)},
	}}
}

// crowded makes a client, and the same call by many goroutines at once.
func (l *lab) crowded(client func() bench.Way) way {
	return func(ctx context.Context) (sample, error) {
		call := client()
		var took time.Duration
		seen, err := l.counted(ctx, func() error {
			start := time.Now()
			defer func() { took = time.Since(start) }()
			for range crowds {
				if err := atOnce(ctx, call); err != nil {
					return err
				}
			}
			return nil
		})
		if want := int64(crowds * crowdSize); err == nil && seen.Requests != want {
			err = fmt.Errorf("the service saw %d requests of %d", seen.Requests, want)
		}
		return sample{seconds: took.Seconds(), connections: float64(seen.Connections)}, err
	}
}

func atOnce(ctx context.Context, call bench.Way) error {
	errs := make(chan error, crowdSize)
	for range crowdSize {
		go func() { errs <- call(ctx) }()
	}
	var first error
	for range crowdSize {
		if err := <-errs; err != nil && first == nil {
			first = err
		}
	}
	return first
}
