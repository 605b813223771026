package move

import (
	"fmt"
	"maps"
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

// A step is a kept (' '), removed ('-') or added ('+') line, with the number of lines
// of each text before it.
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

// align finds the longest sequence of common lines of two texts. In large texts, it
// starts from lines that occur once in both.
func align(a, b []string) []step { return alignParts(nil, a, b, 0, 0) }

// maxTable is the maximum size of the table for the search of common lines.
const maxTable = 4_000_000

// alignParts aligns parts of two texts that begin at the given lines.
func alignParts(steps []step, a, b []string, fromA, fromB int) []step {
	begin := 0
	for begin < len(a) && begin < len(b) && a[begin] == b[begin] {
		steps = append(steps, step{' ', a[begin], fromA + begin, fromB + begin})
		begin++
	}
	end := 0
	for end < len(a)-begin && end < len(b)-begin && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	endA, endB := len(a)-end, len(b)-end
	middleA, middleB := a[begin:endA], b[begin:endB]
	if len(middleA)*len(middleB) <= maxTable {
		steps = longest(steps, middleA, middleB, fromA+begin, fromB+begin)
	} else {
		steps = alignAnchors(steps, middleA, middleB, fromA+begin, fromB+begin)
	}
	for i := range end {
		steps = append(steps, step{' ', a[endA+i], fromA + endA + i, fromB + endB + i})
	}
	return steps
}

// alignAnchors aligns the parts between lines that occur once in both texts, in the
// same order.
func alignAnchors(steps []step, a, b []string, fromA, fromB int) []step {
	onceA, onceB := once(a), once(b)
	lastA, lastB := 0, 0
	for x, line := range a {
		y, ok := onceB[line]
		if _, unique := onceA[line]; !ok || !unique || y < lastB {
			continue
		}
		part := alignParts
		if (x-lastA)*(y-lastB) > maxTable {
			part = replaced // no line is unique in both
		}
		steps = part(steps, a[lastA:x], b[lastB:y], fromA+lastA, fromB+lastB)
		steps = append(steps, step{' ', line, fromA + x, fromB + y})
		lastA, lastB = x+1, y+1
	}
	if (len(a)-lastA)*(len(b)-lastB) > maxTable {
		return replaced(steps, a[lastA:], b[lastB:], fromA+lastA, fromB+lastB)
	}
	return alignParts(steps, a[lastA:], b[lastB:], fromA+lastA, fromB+lastB)
}

// once returns the positions of lines that occur once in a text.
func once(lines []string) map[string]int {
	count, at := map[string]int{}, map[string]int{}
	for i, line := range lines {
		count[line]++
		at[line] = i
	}
	maps.DeleteFunc(at, func(line string, _ int) bool { return count[line] > 1 })
	return at
}

// replaced removes all lines of one text, and adds those of the other.
func replaced(steps []step, a, b []string, fromA, fromB int) []step {
	for i, line := range a {
		steps = append(steps, step{'-', line, fromA + i, fromB})
	}
	for i, line := range b {
		steps = append(steps, step{'+', line, fromA + len(a), fromB + i})
	}
	return steps
}

// longest finds the longest sequence of common lines.
func longest(steps []step, a, b []string, fromA, fromB int) []step {
	lengths := make([][]int32, len(a)+1)
	for x := range lengths {
		lengths[x] = make([]int32, len(b)+1)
	}
	for x := len(a) - 1; x >= 0; x-- {
		for y := len(b) - 1; y >= 0; y-- {
			if a[x] == b[y] {
				lengths[x][y] = lengths[x+1][y+1] + 1
			} else {
				lengths[x][y] = max(lengths[x+1][y], lengths[x][y+1])
			}
		}
	}
	for x, y := 0, 0; x < len(a) || y < len(b); {
		switch {
		case x < len(a) && y < len(b) && a[x] == b[y]:
			steps = append(steps, step{' ', a[x], fromA + x, fromB + y})
			x, y = x+1, y+1
		case y >= len(b) || x < len(a) && lengths[x+1][y] >= lengths[x][y+1]:
			steps = append(steps, step{'-', a[x], fromA + x, fromB + y})
			x++
		default:
			steps = append(steps, step{'+', b[y], fromA + x, fromB + y})
			y++
		}
	}
	return steps
}
