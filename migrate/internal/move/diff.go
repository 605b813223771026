package move

import (
	"fmt"
	"strings"
)

// Diff returns the difference of two texts in the unified format.
func Diff(name string, old, now []byte) string {
	a, b := splitLines(string(old)), splitLines(string(now))
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", name, name)
	steps := align(a, b)
	for start := 0; start < len(steps); {
		if steps[start].op == ' ' {
			start++
			continue
		}
		end, quiet := start, 0
		for next := start; next < len(steps) && quiet <= 2*diffContext; next++ {
			if steps[next].op == ' ' {
				quiet++
				continue
			}
			end, quiet = next+1, 0
		}
		writeHunk(&out, steps, max(0, start-diffContext), min(len(steps), end+diffContext))
		start = min(len(steps), end+diffContext)
	}
	return out.String()
}

const diffContext = 3

// A step is a line that is kept (' '), removed ('-') or added ('+'), with the number of
// lines of each text before it.
type step struct {
	op   byte
	line string
	a, b int
}

func writeHunk(out *strings.Builder, steps []step, start, end int) {
	olds, news := 0, 0
	for _, s := range steps[start:end] {
		if s.op != '+' {
			olds++
		}
		if s.op != '-' {
			news++
		}
	}
	fmt.Fprintf(out, "@@ -%d,%d +%d,%d @@\n", steps[start].a+1, olds, steps[start].b+1, news)
	for _, s := range steps[start:end] {
		out.WriteByte(s.op)
		out.WriteString(strings.TrimSuffix(s.line, "\n") + "\n")
	}
}

// align finds the longest common lines, between a common beginning and a common end.
func align(a, b []string) []step {
	var steps []step
	i := 0
	for ; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		steps = append(steps, step{' ', a[i], i, i})
	}
	endA, endB := len(a), len(b)
	for endA > i && endB > i && a[endA-1] == b[endB-1] {
		endA--
		endB--
	}
	lengths := make([][]int32, endA-i+1)
	for x := range lengths {
		lengths[x] = make([]int32, endB-i+1)
	}
	for x := endA - i - 1; x >= 0; x-- {
		for y := endB - i - 1; y >= 0; y-- {
			if a[i+x] == b[i+y] {
				lengths[x][y] = lengths[x+1][y+1] + 1
			} else {
				lengths[x][y] = max(lengths[x+1][y], lengths[x][y+1])
			}
		}
	}
	x, y := i, i
	for x < endA || y < endB {
		switch {
		case x < endA && y < endB && a[x] == b[y]:
			steps = append(steps, step{' ', a[x], x, y})
			x, y = x+1, y+1
		case y >= endB || x < endA && lengths[x-i+1][y-i] >= lengths[x-i][y-i+1]:
			steps = append(steps, step{'-', a[x], x, y})
			x++
		default:
			steps = append(steps, step{'+', b[y], x, y})
			y++
		}
	}
	for ; x < len(a); x, y = x+1, y+1 {
		steps = append(steps, step{' ', a[x], x, y})
	}
	return steps
}
