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

// crowd is what happens when a program asks for very much at once. net/http
// comes twice: as it is, and with the 64 connections that this library has.
func (l *lab) crowd() []experiment {
	name := fmt.Sprintf("%d × %d concurrent GETs", crowds, crowdSize)
	ours := l.crowded(func() bench.Way {
		c := bench.NewOurs(l.base, nil)
		return func(ctx context.Context) error {
			_, _, err := c.Jobs.Get(ctx, serviceapi.ProjectID(1), 8)
			return err
		}
	})
	untuned, tuned := l.plainCrowds(func() *http.Client { return nil }), l.plainCrowds(bench.Tuned)
	untuned[bench.Ours], tuned[bench.Ours] = ours, ours
	untuned[bench.Peer] = l.crowded(func() bench.Way {
		c := bench.NewPeer(l.base, nil)
		return func(ctx context.Context) error {
			_, _, err := c.Jobs.GetJob(1, 8, clientgo.WithContext(ctx))
			return err
		}
	})
	return []experiment{
		{
			name: name + " (net/http as it comes)", short: "1,000 GETs at once", rounds: l.rounds(7, 3), ways: untuned,
			goals: []goal{ratio(seconds, bench.Peer, 0.35), limit(connections, 64)},
		},
		{
			name: name + " (net/http: 64 connections)", short: "1,000 GETs over 64 connections",
			rounds: l.rounds(7, 3), ways: tuned,
			goals: []goal{ratio(seconds, bench.Floor, 1.15), limit(connections, 64)},
		},
	}
}

// plainCrowds are the crowds that use net/http.
func (l *lab) plainCrowds(hc func() *http.Client) map[bench.Contender]way {
	const path = "/projects/1/jobs/8"
	decoding := func(client func(string, *http.Client) bench.Plain) way {
		return l.crowded(func() bench.Way {
			c := client(l.base, hc())
			return func(ctx context.Context) error {
				return c.Call(ctx, http.MethodGet, path, nil, bench.PlainJob())
			}
		})
	}
	return map[bench.Contender]way{
		bench.Decoding: decoding(bench.NewPlain),
		bench.Floor:    decoding(bench.NewFloor),
		bench.Bare: l.crowded(func() bench.Way {
			c := bench.NewPlain(l.base, hc())
			return func(ctx context.Context) error { return c.Call(ctx, http.MethodGet, path, nil, nil) }
		}),
	}
}

// crowded makes a client, and makes the same call on many goroutines at the
// same time.
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
	return joined(errs, crowdSize)
}
