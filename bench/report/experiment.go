package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"slices"
	"time"

	"example.com/serviceapi/bench"
)

// metric names what is measured.
type metric string

const (
	seconds     metric = "time"
	cpuSeconds  metric = "CPU time"
	cpuUsual    metric = "CPU time without it"
	allocations metric = "allocations"
	memory      metric = "peak of resident memory"
	memoryOver  metric = "the same, over idle"
	connections metric = "connections"
	requests    metric = "requests"
	excess      metric = "wait beyond what was asked"
	failures    metric = "failed calls"
	heap        metric = "heap"
	idleHeap    metric = "heap of each"
	resultHeap  metric = "heap of a result"
	sentPerByte metric = "bytes sent for each byte of the log"
	sentWhole   metric = "the same, if the service has no ranges"
	initTime    metric = "start"
	initAllocs  metric = "allocations of the start"
	binarySize  metric = "binary"
)

// sample is what one run of one contender yields.
type sample map[metric]float64

// way is the work as one contender does it, measured.
type way func(context.Context) (sample, error)

// experiment is a piece of work that contenders do in turns.
type experiment struct {
	name string
	// short is the name in a figure, "" if it is in none.
	short  string
	rounds int
	ways   map[bench.Contender]way
	// goals says which metrics are shown, and what they should be.
	goals []goal
	// close removes what the ways have left, if not nil.
	close func() error
}

// results are the samples of an experiment, one for each round.
type results map[bench.Contender][]sample

// run lets the contenders take turns, so that other load on the machine affects
// all of them. Each round begins with a different one.
func (e experiment) run(ctx context.Context) (taken results, err error) {
	if e.close != nil {
		defer func() { err = errors.Join(err, e.close()) }()
	}
	var order []bench.Contender
	for _, who := range bench.Contenders {
		if e.ways[who] != nil {
			order = append(order, who)
		}
	}
	taken = results{}
	for range e.rounds {
		for _, who := range order {
			s, err := e.ways[who](ctx)
			if err != nil {
				return nil, fmt.Errorf("%s by %s: %w", e.name, who, err)
			}
			taken[who] = append(taken[who], s)
		}
		order = append(order[1:], order[0])
	}
	return taken, nil
}

// median returns the median of a metric, and whether the contender has it.
func (r results) median(who bench.Contender, m metric) (float64, bool) {
	var values []float64
	for _, s := range r[who] {
		if v, ok := s[m]; ok {
			values = append(values, v)
		}
	}
	return median(values), len(values) > 0
}

// compared returns the median of what compare returns for each round. The
// values of a round were measured immediately after each other.
func (r results) compared(m metric, to bench.Contender, compare func(ours, theirs float64) float64) float64 {
	var values []float64
	for i, s := range r[bench.Ours] {
		values = append(values, compare(s[m], r[to][i][m]))
	}
	return median(values)
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// runAll runs experiments one after the other. It returns the rows of the
// table, and errors.
func runAll(ctx context.Context, experiments []experiment) (rows []row, failed []error) {
	for _, e := range experiments {
		start := time.Now()
		r, err := e.run(ctx)
		log.Printf("%5.1f s  %s", time.Since(start).Seconds(), e.name)
		if err != nil {
			log.Print(err)
			failed = append(failed, err)
			continue
		}
		for _, g := range e.goals {
			rows = append(rows, g.row(e, r))
		}
	}
	return rows, failed
}
