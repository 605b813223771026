package main

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/bench"
)

// perItem is the cost of an item in a walk of this many pages.
func perItem(pages int) metric { return metric(fmt.Sprintf("CPU time of an item, %d pages", pages)) }

const (
	scaleLatency   = 5 * time.Millisecond
	scalePages     = 200
	derivedClients = 10_000
)

// scale measures how costs grow with the amount of work.
func (l *lab) scale() []experiment {
	all := []experiment{{
		name: "walk without latency", rounds: l.rounds(3, 1), ways: l.lengths(10, 100, 1000),
		goals: []goal{shown(perItem(10)), growth(perItem(100), perItem(10), 1.15),
			growth(perItem(1000), perItem(10), 1.15)},
	}}
	for _, n := range []int{1, 8, 32} {
		w := walk{base: l.base, project: listProject(scalePages, scaleLatency), pages: scalePages}
		all = append(all, experiment{
			name: fmt.Sprintf("%d pages of %d, %v latency, %d at once (net/http: a window by hand, 64 connections)",
				scalePages, perPage, scaleLatency, n),
			rounds: l.rounds(5, 2), ways: w.atOnce(n),
			goals: []goal{ratio(seconds, bench.Floor, 1.15)},
		})
	}
	return append(all, experiment{
		name:   fmt.Sprintf("%d clients derived from one (client-go: made with one http.Client)", derivedClients),
		rounds: l.rounds(5, 2),
		ways:   map[bench.Contender]way{bench.Ours: l.heapOf(derived), bench.Peer: l.heapOf(l.made)},
		goals:  []goal{limit(heap, 32<<20), shown(seconds)},
	})
}

// lengths walks lists of several lengths, one after the other.
func (l *lab) lengths(pages ...int) map[bench.Contender]way {
	return map[bench.Contender]way{
		bench.Ours: l.itemsOf(pages, func(ctx context.Context, w walk) error {
			return w.consume(w.ours(ctx), func() {})
		}),
		bench.Floor: l.itemsOf(pages, func(ctx context.Context, w walk) error {
			return w.plainly(ctx, bench.NewFloor(w.base, nil), func() {},
				bench.PlainMergeRequests)
		}),
	}
}

func (l *lab) itemsOf(pages []int, walkThrough func(context.Context, walk) error) way {
	return func(ctx context.Context) (sample, error) {
		s := sample{}
		for _, n := range pages {
			start := cpuTime()
			// Walk shorter lists several times, for the same amount of work.
			times := max(1, min(100, pages[len(pages)-1])/n)
			for range times {
				if err := walkThrough(ctx, walk{base: l.base, project: listProject(n, 0), pages: n}); err != nil {
					return nil, err
				}
			}
			s[perItem(n)] = (cpuTime() - start).Seconds() / float64(times*n*perPage)
		}
		return s, nil
	}
}

// atOnce walks with this many pages in progress.
func (w walk) atOnce(n int) map[bench.Contender]way {
	return map[bench.Contender]way{
		bench.Ours: timed(func(ctx context.Context) error {
			return w.consume(w.ours(ctx, serviceapi.WithConcurrentPages(n)), func() {})
		}),
		bench.Floor: timed(func(ctx context.Context) error {
			client := bench.NewFloor(w.base, bench.Tuned())
			return w.window(n, func(page int) error {
				return client.Call(ctx, http.MethodGet, w.path(page), nil, bench.PlainMergeRequests())
			})
		}),
		bench.Bare: timed(func(ctx context.Context) error {
			client := bench.NewPlain(w.base, bench.Tuned())
			return w.window(n, func(page int) error { return client.Call(ctx, http.MethodGet, w.path(page), nil, nil) })
		}),
	}
}

// heapOf measures the memory that many clients hold.
func (l *lab) heapOf(makeAll func(n int) any) way {
	return func(context.Context) (sample, error) {
		before := liveHeap()
		start := time.Now()
		clients := makeAll(derivedClients)
		took := time.Since(start)
		used := liveHeap() - before
		runtime.KeepAlive(clients)
		return sample{heap: used, seconds: took.Seconds()}, nil
	}
}

// liveHeap is the memory that is still in use after a garbage collection, in
// bytes.
func liveHeap() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // the second one empties pools
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

func derived(n int) any {
	base := bench.NewOurs("https://service.test", nil)
	clients := make([]*serviceapi.Client, n)
	for i := range clients {
		c, err := base.With(serviceapi.WithSudo(serviceapi.UserID(int64(i + 1))))
		if err != nil {
			panic(err)
		}
		clients[i] = c
	}
	return clients
}

func (l *lab) made(n int) any {
	hc := &http.Client{}
	clients := make([]any, n)
	for i := range clients {
		clients[i] = bench.NewPeer("https://service.test", hc)
	}
	return clients
}
