package main

import (
	"fmt"

	"example.com/serviceapi/bench"
)

// goal is what a metric of this library should be.
type goal struct {
	metric metric
	// text describes the goal.
	text string
	// max is the highest value that meets it.
	max float64
	// value returns the value that is compared with max; show formats it.
	value func(results) float64
	show  func(float64) string
}

// ratio wants at most max times what another contender has.
func ratio(m metric, to bench.Contender, max float64) goal {
	return goal{
		metric: m,
		text:   fmt.Sprintf("≤ %.2f of %s", max, titles[to]),
		max:    max,
		value: func(r results) float64 {
			return r.compared(m, to, func(ours, theirs float64) float64 { return ours / theirs })
		},
		show: func(v float64) string { return fmt.Sprintf("%.2f", v) },
	}
}

// over wants at most max more than another contender has.
func over(m metric, to bench.Contender, max float64) goal {
	return goal{
		metric: m,
		text:   fmt.Sprintf("≤ %s over %s", format(m, max), titles[to]),
		max:    max,
		value: func(r results) float64 {
			return r.compared(m, to, func(ours, theirs float64) float64 { return ours - theirs })
		},
		show: func(v float64) string {
			if v < 0 {
				return format(m, v)
			}
			return "+" + format(m, v)
		},
	}
}

// limit wants at most max.
func limit(m metric, max float64) goal {
	return goal{
		metric: m,
		text:   "≤ " + format(m, max),
		max:    max,
		value: func(r results) float64 {
			v, _ := r.median(bench.Ours, m)
			return v
		},
		show: func(v float64) string { return format(m, v) },
	}
}

// growth wants at most max times the value of another metric in the same round.
func growth(m, from metric, max float64) goal {
	return goal{
		metric: m,
		text:   fmt.Sprintf("≤ %.2f of %s", max, from),
		max:    max,
		value: func(r results) float64 {
			var values []float64
			for _, s := range r[bench.Ours] {
				values = append(values, s[m]/s[from])
			}
			return median(values)
		},
		show: func(v float64) string { return fmt.Sprintf("%.2f", v) },
	}
}

// shown is a metric without a goal.
func shown(m metric) goal { return goal{metric: m} }

var titles = map[bench.Contender]string{
	bench.Ours:     "serviceapi",
	bench.Peer:     "client-go",
	bench.Decoding: "net/http, encoding/json",
	bench.Floor:    "net/http, same JSON",
	bench.Bare:     "net/http alone",
}

// row is a row of the table.
func (g goal) row(name string, r results) []string {
	row := []string{name + ": " + string(g.metric)}
	for _, who := range bench.Contenders {
		cell := "–"
		if v, ok := r.median(who, g.metric); ok {
			cell = format(g.metric, v)
		}
		row = append(row, cell)
	}
	if g.value == nil {
		return append(row, "", "", "")
	}
	v := g.value(r)
	verdict := "**miss**"
	if v <= g.max {
		verdict = "met"
	}
	return append(row, g.show(v), g.text, verdict)
}

// format writes a value of a metric with its unit.
func format(m metric, v float64) string {
	switch m {
	case seconds, cpuSeconds, excess, perItem(10), perItem(100), perItem(1000):
		return formatSeconds(v)
	case memory, memoryOver, heap:
		return fmt.Sprintf("%.1f MiB", v/(1<<20))
	case binarySize:
		return fmt.Sprintf("%.2f MB", v/1e6)
	}
	return formatCount(v)
}

func formatSeconds(v float64) string {
	switch {
	case v >= 1:
		return fmt.Sprintf("%.2f s", v)
	case v >= 1e-3 || v <= -1e-3:
		return fmt.Sprintf("%.3g ms", v*1e3)
	}
	return fmt.Sprintf("%.3g µs", v*1e6)
}

func formatCount(v float64) string {
	text := fmt.Sprintf("%.0f", v)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
