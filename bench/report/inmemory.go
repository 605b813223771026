package main

import (
	"context"
	"runtime"
	"sync"
	"time"

	"example.com/serviceapi/bench"
)

// inMemory are the cases that need no server.
func (l *lab) inMemory() []experiment {
	goals := map[string][]goal{
		"GetJob":            {ratio(cpuSeconds, bench.Peer, 0.45), limit(allocations, 70)},
		"ListMergeRequests": {ratio(cpuSeconds, bench.Peer, 0.16), ratio(allocations, bench.Peer, 0.14)},
		"ListWithOptions":   {ratio(cpuSeconds, bench.Peer, 1.3), shown(allocations)},
		"GraphQL":           {ratio(cpuSeconds, bench.Floor, 1.6), shown(allocations)},
		"ListJobs":          {ratio(cpuSeconds, bench.Peer, 0.5), shown(allocations)},
		"PostUser": {ratio(cpuSeconds, bench.Floor, 1.15), ratio(cpuSeconds, bench.Peer, 0.5),
			shown(allocations)},
		"PostCommit": {ratio(cpuSeconds, bench.Floor, 1.15), ratio(cpuSeconds, bench.Peer, 0.5),
			shown(allocations)},
		"PostDeployKey": {ratio(cpuSeconds, bench.Floor, 1.15), ratio(cpuSeconds, bench.Peer, 0.5),
			shown(allocations)},
		"NotFound": {ratio(cpuSeconds, bench.Peer, 0.85), shown(allocations)},
	}
	names := map[string]string{
		"GetJob":            "GET one job, in memory",
		"ListMergeRequests": "list of 100 merge requests, in memory",
		"ListWithOptions":   "list with two options and an empty page, in memory",
		"GraphQL":           "GraphQL query of one name, in memory",
		"ListJobs":          "list of 100 jobs, in memory",
		"PostUser":          "POST with JSON body, in memory: a user",
		"PostCommit":        "POST with JSON body, in memory: a commit",
		"PostDeployKey":     "POST with JSON body, in memory: a deploy key",
		"NotFound":          "typed 404, in memory (client-go loses the message)",
	}
	var all []experiment
	for _, c := range bench.InMemory() {
		// Many short rounds: what else the machine does meets few of them.
		e := experiment{name: names[c.Name], rounds: l.rounds(41, 15), ways: map[bench.Contender]way{},
			goals: goals[c.Name]}
		// All make the same number of calls, so that a varying load does not favor one
		// of them.
		count := sync.OnceValues(func() (int, error) {
			return countFor(context.Background(), c.Ways[bench.Ours], time.Duration(l.rounds(50, 20))*time.Millisecond)
		})
		for who, do := range c.Ways {
			e.ways[who] = repeated(do, count)
		}
		all = append(all, e)
	}
	return all
}

// repeated measures one call by making many of them.
func repeated(do bench.Way, count func() (int, error)) way {
	return func(ctx context.Context) (sample, error) {
		n, err := count()
		if err != nil {
			return nil, err
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := cpuTime()
		for range n {
			if err := do(ctx); err != nil {
				return nil, err
			}
		}
		took := cpuTime() - start
		runtime.ReadMemStats(&after)
		return sample{
			cpuSeconds:  took.Seconds() / float64(n),
			allocations: float64(after.Mallocs-before.Mallocs) / float64(n),
		}, nil
	}
}

// countFor warms up, and returns how many calls fit into a period of CPU time.
func countFor(ctx context.Context, do bench.Way, period time.Duration) (int, error) {
	start := cpuTime()
	n := 0
	for ; cpuTime()-start < period/2; n++ {
		if err := do(ctx); err != nil {
			return 0, err
		}
	}
	return max(1, 2*n), nil
}
