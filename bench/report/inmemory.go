package main

import (
	"context"
	"runtime"
	"sync"
	"time"

	"example.com/serviceapi/bench"
)

// inMemoryGoals are those of a call, of which the first decides how it is drawn.
func inMemoryGoals(first ...goal) []goal { return append(first, shown(allocations)) }

// inMemoryCases are what the rows about the cases of package bench are called, in a table
// and in a figure, and their goals.
var inMemoryCases = map[string]experiment{
	"GetJob": {
		name: "GET one job, in memory", short: "GET a job", goals: inMemoryGoals(
			ratioBy(cpuSeconds, bench.Peer, 0.46, 0.62), ratio(cpuSeconds, bench.Floor, 1.15)),
	},
	"ListMergeRequests": {
		name: "list of 100 merge requests, in memory", short: "list of 100 merge requests", goals: []goal{
			ratioBy(cpuSeconds, bench.Peer, 0.16, 0.21), beside(cpuSeconds, bench.Floor),
			ratio(allocations, bench.Peer, 0.14),
		},
	},
	"ListWithOptions": {
		name: "list with two options and an empty page, in memory", short: "list with two options, empty",
		goals: inMemoryGoals(ratio(cpuSeconds, bench.Peer, 0.8), beside(cpuSeconds, bench.Floor)),
	},
	"ListWithManyOptions": {
		name: "list with 18 options and an empty page, in memory", short: "list with 18 options, empty",
		goals: inMemoryGoals(ratio(cpuSeconds, bench.Peer, 0.85), beside(cpuSeconds, bench.Floor)),
	},
	"GraphQL": {
		name: "GraphQL query of one name, in memory", short: "GraphQL query of one name",
		goals: inMemoryGoals(ratio(cpuSeconds, bench.Floor, 1.6), beside(cpuSeconds, bench.Peer)),
	},
	"ListJobs": {
		name: "list of 100 jobs, in memory", short: "list of 100 jobs",
		goals: inMemoryGoals(ratioBy(cpuSeconds, bench.Peer, 0.45, 0.62), beside(cpuSeconds, bench.Floor)),
	},
	"PostUser": {
		name: "POST with JSON body, in memory: a user", short: "POST a user",
		goals: inMemoryGoals(ratio(cpuSeconds, bench.Floor, 1.15), beside(cpuSeconds, bench.Peer)),
	},
	"PostCommit": {
		name: "POST with JSON body, in memory: a commit of 4 files", short: "POST a commit of 4 files",
		goals: inMemoryGoals(ratioBy(cpuSeconds, bench.Peer, 0.85, 0.95), ratio(cpuSeconds, bench.Floor, 1.35)),
	},
	"PostDeployKey": {
		name: "POST with JSON body, in memory: a deploy key", short: "POST a deploy key",
		goals: inMemoryGoals(ratio(cpuSeconds, bench.Floor, 1.25), beside(cpuSeconds, bench.Peer)),
	},
	"GetSettings": {
		name: "GET the settings of the instance, in memory", short: "GET the settings",
		goals: inMemoryGoals(ratioBy(cpuSeconds, bench.Peer, 1.0, 1.3), beside(cpuSeconds, bench.Floor)),
	},
	"NotFound": {
		name: "typed 404, in memory (client-go loses the message)", short: "typed 404",
		goals: inMemoryGoals(ratioBy(cpuSeconds, bench.Peer, 1.0, 1.05), ratio(cpuSeconds, bench.Floor, 1.5)),
	},
	"ForbiddenPage": {
		name: "403 with a web page of 4 KB, in memory", short: "403 with a web page",
		goals: inMemoryGoals(beside(cpuSeconds, bench.Peer)),
	},
	"Push": {
		name: "body of a webhook, in memory: a push", short: "webhook: a push",
		goals: inMemoryGoals(ratioBy(cpuSeconds, bench.Peer, 0.8, 1.2), beside(cpuSeconds, bench.Floor)),
	},
	"MergeRequestEvent": {
		name: "body of a webhook, in memory: a merge request", short: "webhook: a merge request",
		goals: inMemoryGoals(ratioBy(cpuSeconds, bench.Peer, 0.8, 1.2), beside(cpuSeconds, bench.Floor)),
	},
}

// inMemory are the cases that need no server.
func (l *lab) inMemory() []experiment {
	var all []experiment
	for _, c := range bench.InMemory() {
		// Many short rounds: what else the machine does meets few of them.
		e := inMemoryCases[c.Name]
		e.rounds, e.ways = l.rounds(41, 15), map[bench.Contender]way{}
		// All make the same number of calls, so that a varying load does not favor one
		// of them.
		count := l.countOf(c.Ways[bench.Ours])
		for who, do := range c.Ways {
			e.ways[who] = repeated(do, count)
		}
		all = append(all, e)
	}
	return all
}

// countOf returns how many calls are measured in a round, found out when it is needed.
func (l *lab) countOf(do bench.Way) func() (int, error) {
	return sync.OnceValues(func() (int, error) {
		return countFor(context.Background(), do, time.Duration(l.rounds(50, 20))*time.Millisecond)
	})
}

// pairs are calls with and without something that costs more.
func (l *lab) pairs() []experiment {
	names := map[string]string{
		"OddValue":  "page of 100 jobs with one odd value, in memory",
		"BodyField": "commit of 1 MB with a parameter that its options lack, in memory",
		"OwnType":   "GET one job into a type of the caller, in memory",
	}
	goals := map[string]goal{
		"OddValue": against(cpuSeconds, cpuUsual), "BodyField": growth(cpuSeconds, cpuUsual, 1.25),
		"OwnType": against(cpuSeconds, cpuUsual),
	}
	var all []experiment
	for _, p := range bench.Pairs() {
		count := l.countOf(p.Usual)
		usual, costly := repeated(p.Usual, count), repeated(p.Costly, count)
		all = append(all, experiment{
			name: names[p.Name], rounds: l.rounds(21, 7), goals: []goal{goals[p.Name]},
			ways: map[bench.Contender]way{bench.Ours: func(ctx context.Context) (sample, error) {
				before, err := usual(ctx)
				if err != nil {
					return nil, err
				}
				s, err := costly(ctx)
				if err == nil {
					s[cpuUsual] = before[cpuSeconds]
				}
				return s, err
			}},
		})
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
