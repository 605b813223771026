package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/bench"
)

// protocolCalls is the number of calls that all goroutines of a crowd make
// together.
func (l *lab) protocolCalls() int { return l.rounds(4096, 1024) }

// protocols measures crowds of several sizes with each protocol, compared with
// a tuned net/http. Each starts with a client without connections.
func (l *lab) protocols() []experiment {
	var all []experiment
	for _, p := range []struct{ name, base string }{
		{"HTTP/1.1", l.base}, {"HTTP/1.1 with TLS", l.tls}, {"HTTP/2", l.http2},
	} {
		for _, n := range []int{64, 256, 1024} {
			all = append(all, experiment{
				name: fmt.Sprintf("%d GETs by %d goroutines over %s (net/http: 64 connections)",
					l.protocolCalls(), n, p.name),
				rounds: l.rounds(9, 3),
				ways:   l.protocol(p.base, n),
				goals:  []goal{ratio(seconds, bench.Floor, 1.15), shown(connections)},
			})
		}
	}
	return all
}

func (l *lab) protocol(base string, n int) map[bench.Contender]way {
	const path = "/projects/1/jobs/8"
	return map[bench.Contender]way{
		bench.Ours: l.shared(n, func() bench.Way {
			c := bench.NewOurs(base, bench.Trusting())
			return func(ctx context.Context) error {
				_, _, err := c.Jobs.Get(ctx, serviceapi.ProjectID(1), 8)
				return err
			}
		}),
		bench.Decoding: l.shared(n, func() bench.Way {
			c := bench.NewPlain(base, bench.Tuned())
			return func(ctx context.Context) error {
				return c.Call(ctx, http.MethodGet, path, nil, bench.PlainJob())
			}
		}),
		bench.Floor: l.shared(n, func() bench.Way {
			c := bench.NewFloor(base, bench.Tuned())
			return func(ctx context.Context) error {
				return c.Call(ctx, http.MethodGet, path, nil, bench.PlainJob())
			}
		}),
		bench.Bare: l.shared(n, func() bench.Way {
			c := bench.NewPlain(base, bench.Tuned())
			return func(ctx context.Context) error { return c.Call(ctx, http.MethodGet, path, nil, nil) }
		}),
	}
}

// shared makes a client, and divides the calls among this many goroutines.
func (l *lab) shared(goroutines int, client func() bench.Way) way {
	return func(ctx context.Context) (sample, error) {
		call := client()
		var took time.Duration
		seen, err := l.counted(ctx, func() error {
			start := time.Now()
			defer func() { took = time.Since(start) }()
			errs := make(chan error, goroutines)
			for range goroutines {
				go func() {
					var err error
					for range l.protocolCalls() / goroutines {
						if err = call(ctx); err != nil {
							break
						}
					}
					errs <- err
				}()
			}
			return joined(errs, goroutines)
		})
		return sample{seconds: took.Seconds(), connections: float64(seen.Connections)}, err
	}
}
