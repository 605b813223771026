package gitrepo

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// scramble returns lines after changing, removing or adding a few of them.
func scramble(random *rand.Rand, lines []string) []string {
	lines = slices.Clone(lines)
	for range random.IntN(5) {
		at := random.IntN(len(lines) + 1)
		switch n := random.IntN(3); {
		case n == 0 || at == len(lines):
			lines = slices.Insert(lines, at, fmt.Sprintf("new %d\n", random.IntN(4)))
		case n == 1:
			lines = slices.Delete(lines, at, at+1)
		default:
			lines[at] = fmt.Sprintf("other %d\n", random.IntN(4))
		}
	}
	if len(lines) > 0 && random.IntN(4) == 0 {
		last := len(lines) - 1
		lines[last] = strings.TrimSuffix(lines[last], "\n")
	}
	return lines
}

func randomLines(random *rand.Rand) []string {
	lines := make([]string, random.IntN(30))
	for i := range lines {
		lines[i] = fmt.Sprintf("line %d\n", random.IntN(12))
	}
	return lines
}

func entryOf(lines []string) Entry { return NewEntry([]byte(strings.Join(lines, ""))) }

// TestDiffsApply patches texts with the diffs between them and other texts.
func TestDiffsApply(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		from := entryOf(randomLines(random))
		to := entryOf(scramble(random, from.Lines()))
		diff := Change{"f", "f", from, to}.Unified()
		if got := patch(t, from.Lines(), diff); got != string(to.Data) {
			t.Fatalf("%q\n%s\ngives %q\nwant  %q", from.Data, diff, got, to.Data)
		}
	}
}

// patch applies a diff.
func patch(t *testing.T, lines []string, diff string) string {
	t.Helper()
	const unended = "\n\\ No newline at end of file\n"
	var out strings.Builder
	at := 0
	for line := range strings.SplitAfterSeq(strings.ReplaceAll(diff, unended, "\x00"), "\n") {
		for line := range strings.SplitAfterSeq(line, "\x00") { // a line without a newline comes before another one
			at = patchLine(t, &out, lines, at, strings.TrimSuffix(line, "\x00"))
		}
	}
	return out.String() + strings.Join(lines[at:], "")
}

func patchLine(t *testing.T, out *strings.Builder, lines []string, at int, line string) int {
	t.Helper()
	if line == "" {
		return at
	}
	if line[0] == '@' {
		start, count := 0, 1
		if n, _ := fmt.Sscanf(line, "@@ -%d,%d", &start, &count); n == 0 {
			t.Fatalf("hunk %q", line)
		}
		if count > 0 {
			start--
		}
		out.WriteString(strings.Join(lines[at:start], ""))
		return start
	}
	if line[0] != '-' {
		out.WriteString(line[1:])
	}
	if line[0] == '+' {
		return at
	}
	if lines[at] != line[1:] {
		t.Fatalf("%q, but the text has %q", line, lines[at])
	}
	return at + 1
}

// TestMergesKeepBothSides checks that a merge keeps what only one side changed,
// whichever side it is.
func TestMergesKeepBothSides(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	conflicts := 0
	for range 2000 {
		base := randomLines(random)
		ours, theirs := scramble(random, base), scramble(random, base)
		merged, ok := mergeLines(base, ours, theirs)
		mirrored, mirroredOK := mergeLines(base, theirs, ours)
		if ok != mirroredOK || !slices.Equal(merged, mirrored) {
			t.Fatalf("base %q\nours %q\ntheirs %q\nmerge to %q\nor %q", base, ours, theirs, merged, mirrored)
		}
		if !ok {
			conflicts++
		}
		if same, ok := mergeLines(base, ours, base); !ok || !slices.Equal(same, ours) {
			t.Fatalf("base %q and ours %q merge to %q", base, ours, same)
		}
	}
	if conflicts == 0 || conflicts == 2000 {
		t.Errorf("%d of 2000 merges are conflicts", conflicts)
	}
}

func TestMergeLines(t *testing.T) {
	const base = "1 2 3 4 5 6"
	for _, c := range []struct{ ours, theirs, want string }{
		{"one 2 3 4 5 6", "1 2 3 4 5 six", "one 2 3 4 5 six"},
		{"1 2 4 5 6", "1 2 3 4 5 6 7", "1 2 4 5 6 7"},
		{"0 1 2 3 4 5 6", "1 2 3 4 5", "0 1 2 3 4 5"},
		{"1 2 x 4 5 6", "1 2 x 4 5 6", "1 2 x 4 5 6"},
		{"1 2 x 4 5 6", "1 2 y 4 5 6", "conflict"},
		{"1 2 x 4 5 6", "1 2 3 y 5 6", "conflict"}, // adjacent lines
		{"1 2 4 5 6", "1 2 y 4 5 6", "conflict"},
		{"", "1 2 3 4 5 6", ""},
	} {
		merged, ok := mergeLines(strings.Fields(base), strings.Fields(c.ours), strings.Fields(c.theirs))
		got := strings.Join(merged, " ")
		if !ok {
			got = "conflict"
		}
		if got != c.want {
			t.Errorf("%q and %q merge to %q, want %q", c.ours, c.theirs, got, c.want)
		}
	}
}
