package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"example.com/serviceapi/bench"
)

// failingCalls is how many calls meet a service that fails at the same time.
const failingCalls = 300

// failing measures how clients behave if the service fails or is hostile.
func (l *lab) failing() []experiment {
	return []experiment{
		{
			name:   fmt.Sprintf("%d concurrent GETs, each of which meets one 503", failingCalls),
			rounds: l.rounds(5, 2),
			ways:   map[bench.Contender]way{bench.Ours: l.failed(l.oursGet), bench.Peer: l.failed(l.peerGet)},
			goals:  []goal{limit(failures, 0), limit(requests, 2*failingCalls), shown(seconds)},
		},
		{
			name:   fmt.Sprintf("a response of %d MiB, where serviceapi takes 64", hostileSize>>20),
			rounds: l.rounds(5, 2),
			ways:   l.children("hostile", hostileSize>>20),
			goals:  []goal{shown(memory), limit(memoryOver, 1.3*(64<<20)), shown(seconds)},
		},
	}
}

// failed makes many calls at the same time. The first attempt of each gets a
// 503. A failed call is not an error here; it is counted.
func (l *lab) failed(client func() get) way {
	return func(ctx context.Context) (sample, error) {
		call, project := client(), failingProjects*kinds+nextJob.Add(1)
		var lost atomic.Int64
		start := time.Now()
		seen, err := l.counted(ctx, func() error {
			done := make(chan error, failingCalls)
			for job := range int64(failingCalls) {
				go func() {
					if err := call(ctx, project, job+1); err != nil {
						lost.Add(1)
					}
					done <- nil
				}()
			}
			return joined(done, failingCalls)
		})
		return sample{
			failures: float64(lost.Load()), requests: float64(seen.Requests), seconds: time.Since(start).Seconds(),
		}, err
	}
}
