package servicetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// scramble returns lines with a few of them changed, removed or added.
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

func entryOf(lines []string) treeEntry { return newEntry([]byte(strings.Join(lines, ""))) }

// TestDiffsApply patches texts with the diffs between them and others.
func TestDiffsApply(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		from := entryOf(randomLines(random))
		to := entryOf(scramble(random, from.lines()))
		diff := fileChange{"f", "f", from, to}.unified()
		if got := patch(t, from.lines(), diff); got != string(to.data) {
			t.Fatalf("%q\n%s\ngives %q\nwant  %q", from.data, diff, got, to.data)
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
		for line := range strings.SplitAfterSeq(line, "\x00") { // a line without an end is followed by another
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

// TestMergesKeepBothSides: what one side alone changed comes out, whichever
// side it is.
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
		{"1 2 x 4 5 6", "1 2 3 y 5 6", "conflict"}, // lines that touch
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

func TestMergeTrees(t *testing.T) {
	file := func(text string) treeEntry { return newEntry([]byte(text)) }
	script := treeEntry{newBlob([]byte("a\n")), true}
	for name, c := range map[string]struct{ base, ours, theirs, want tree }{
		"files of both":          {nil, tree{"a": file("a\n")}, tree{"b": file("b\n")}, tree{"a": file("a\n"), "b": file("b\n")}},
		"the same file":          {nil, tree{"a": file("a\n")}, tree{"a": file("a\n")}, tree{"a": file("a\n")}},
		"two files of one name":  {nil, tree{"a": file("a\n")}, tree{"a": file("b\n")}, nil},
		"removed":                {tree{"a": file("a\n")}, tree{"a": file("a\n")}, tree{}, tree{}},
		"removed and changed":    {tree{"a": file("a\n")}, tree{"a": file("b\n")}, tree{}, nil},
		"mode and content":       {tree{"a": file("a\n")}, tree{"a": script}, tree{"a": file("b\n")}, tree{"a": script.with([]byte("b\n"))}},
		"content and mode":       {tree{"a": file("a\n")}, tree{"a": file("b\n")}, tree{"a": script}, tree{"a": script.with([]byte("b\n"))}},
		"two binary contents":    {tree{"a": file("\x00")}, tree{"a": file("\x00a")}, tree{"a": file("\x00b")}, nil},
		"a file and a directory": {nil, tree{"a": file("a\n")}, tree{"a/b": file("b\n")}, nil},
	} {
		got, err := mergeTrees(c.base, c.ours, c.theirs)
		if c.want == nil && err == nil || c.want != nil && (err != nil || !got.equal(c.want)) {
			t.Errorf("%s: %v, %v", name, got.paths(), err)
		}
	}
}

func TestMergingBranches(t *testing.T) {
	svc := New(t)
	app := svc.Project("acme/app")
	app.Commit("main", "Begin", Write("a.txt", "1\n2\n3\n"))
	app.Branch("side", "")
	app.Commit("side", "Side one", Write("b.txt", "b\n"))
	app.Commit("side", "Side two", Write("a.txt", "1\n2\nthree\n"))
	app.Commit("main", "Main", Write("a.txt", "one\n2\n3\n"))
	defer svc.lock()()
	r, by := app.repository(), svc.admin.signature(svc.now())
	target, source := r.branch("main"), r.branch("side")

	merged, err := r.mergeCommit(target, source, "Merge", by)
	if err != nil || string(merged.tree["a.txt"].data) != "one\n2\nthree\n" || merged.tree["b.txt"].blob == nil {
		t.Fatalf("merge: %v, %v", merged, err)
	}
	if !slices.Equal(merged.parents, []string{target.sha, source.sha}) || r.mergeBase(merged, source) != source {
		t.Errorf("the merge has the parents %v", merged.parents)
	}
	if _, err := r.mergeCommit(merged, source, "Again", by); err != errEmptyChange {
		t.Errorf("merging again: %v", err)
	}
	squashed, err := r.squashCommit(target, source, "Squash", by)
	if err != nil || !squashed.tree.equal(merged.tree) || !slices.Equal(squashed.parents, []string{target.sha}) {
		t.Errorf("squash: %v, %v", squashed, err)
	}
	head, err := r.rebased(source, target, by)
	if err != nil || !head.tree.equal(merged.tree) {
		t.Fatalf("rebase: %v, %v", head, err)
	}
	var titles []string
	for _, c := range r.between(target, head) {
		titles = append(titles, c.title())
	}
	if !slices.Equal(titles, []string{"Side two", "Side one"}) {
		t.Errorf("after the rebase: %v", titles)
	}
	if again, err := r.rebased(head, target, by); again != head || err != nil {
		t.Errorf("rebasing again: %v, %v", again, err)
	}
	if origin := r.blame(merged, "a.txt"); origin[0] != target || origin[2] != source {
		t.Errorf("blame across a merge: %v", origin)
	}
}

func TestEmbeddedRepositoryRefusesContradictions(t *testing.T) {
	for name, seed := range map[string]func(*Project){
		"no such file":     func(p *Project) { p.Commit("main", "No", Remove("none")) },
		"a bad path":       func(p *Project) { p.Commit("main", "No", Write("../a", "")) },
		"no such revision": func(p *Project) { p.Branch("b", "none") },
	} {
		svc, err := Start()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(svc.Close)
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: seeding went on", name)
				}
			}()
			seed(svc.Project("acme/app"))
		}()
	}
}
