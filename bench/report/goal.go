package main

import (
	"fmt"
	"math"
	"runtime"
	"strings"

	"example.com/serviceapi/bench"
)

// goal is what a metric of this library should be.
type goal struct {
	metric metric
	// text describes the goal, or what the result is compared with.
	text string
	// max is the highest value that meets it, infinite if there is no goal.
	max float64
	// to is the contender that the result is a share of, "" for none.
	to bench.Contender
	// value returns the value that is compared with max; show formats it.
	value func(results) float64
	show  func(float64) string
}

// ratio wants at most max times what another contender has.
func ratio(m metric, to bench.Contender, max float64) goal {
	g := beside(m, to)
	g.text, g.max = fmt.Sprintf("≤ %.2f of %s", max, titles[to]), max
	return g
}

// ratioBy is ratio with a goal for Go 1.26, and one for later releases, whose encoding/json has
// the engine that this library has with all of them.
func ratioBy(m metric, to bench.Contender, max, newer float64) goal {
	if !strings.HasPrefix(runtime.Version(), "go1.26") {
		max = newer
	}
	return ratio(m, to, max)
}

// beside compares with another contender, without a goal.
func beside(m metric, to bench.Contender) goal {
	return goal{
		metric: m, text: "of " + titles[to], max: math.Inf(1), to: to,
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
	g := against(m, from)
	g.text, g.max = fmt.Sprintf("≤ %.2f of %s", max, from), max
	return g
}

// against compares with another metric of the same round, without a goal.
func against(m, from metric) goal {
	return goal{
		metric: m, text: "of " + string(from), max: math.Inf(1),
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
type row struct {
	// Work is what was done, and Short its name in a figure, "" if it is in none.
	Work  string `json:"work"`
	Short string `json:"short,omitempty"`
	// Metric is what was measured, and Values the medians.
	Metric metric                      `json:"metric"`
	Values map[bench.Contender]float64 `json:"values"`
	// Result is compared with Max, which is 0 without a goal. Goal says so in words. To
	// is the contender that the result is a share of, if it is one.
	Result float64         `json:"result,omitempty"`
	Shown  string          `json:"shown,omitempty"`
	Goal   string          `json:"goal,omitempty"`
	Max    float64         `json:"max,omitempty"`
	To     bench.Contender `json:"to,omitempty"`
	Missed bool            `json:"missed,omitempty"`
}

func (g goal) row(e experiment, r results) row {
	line := row{Work: e.name, Short: e.short, Metric: g.metric, Values: map[bench.Contender]float64{}}
	for _, who := range bench.Contenders {
		if v, ok := r.median(who, g.metric); ok {
			line.Values[who] = v
		}
	}
	if g.value == nil {
		return line
	}
	line.Result, line.Goal, line.To = g.value(r), g.text, g.to
	line.Shown = g.show(line.Result)
	if !math.IsInf(g.max, 1) {
		line.Max, line.Missed = g.max, line.Result > g.max
	}
	return line
}

// hasGoal reports whether the row was compared with a goal.
func (r row) hasGoal() bool { return strings.HasPrefix(r.Goal, "≤") }

// cells are what the table has of rows of one work and metric.
func cells(rows []row) []string {
	cells := []string{rows[0].Work + ": " + string(rows[0].Metric)}
	for _, who := range bench.Contenders {
		cell := "–"
		if v, ok := rows[0].Values[who]; ok {
			cell = format(rows[0].Metric, v)
		}
		cells = append(cells, cell)
	}
	var found, goals []string
	verdict := ""
	for _, r := range rows {
		switch {
		case !r.hasGoal() && r.Shown == "":
			continue
		case !r.hasGoal():
			found = append(found, r.Shown+" "+r.Goal)
			continue
		case r.Missed:
			verdict = "**miss**"
		case verdict == "":
			verdict = "met"
		}
		found, goals = append(found, r.Shown), append(goals, r.Goal)
	}
	return append(cells, strings.Join(found, "; "), strings.Join(goals, "; "), verdict)
}
