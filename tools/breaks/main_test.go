package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// module writes a module with the sample and the tests, and returns its folder.
func module(t *testing.T, tests string) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, text []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, from := range map[string]string{"sample.go": "sample", "sample_test.go": tests} {
		text, err := os.ReadFile(filepath.Join("testdata", from+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		write(name, text)
	}
	write("go.mod", []byte("module example.com/sample\n\ngo 1.26\n"))
	return dir
}

// try breaks the sample in as many ways as there are, and returns what was written.
func try(t *testing.T, tests string, change func(*settings)) (missed int, out string) {
	t.Helper()
	dir := module(t, tests)
	s := settings{root: dir, count: 1000, files: []string{filepath.Join(dir, "sample.go")}}
	if change != nil {
		change(&s)
	}
	var b strings.Builder
	missed, err := run(s, &b)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 3 {
		t.Errorf("the tree was changed: %v", entries)
	}
	return missed, b.String()
}

// TestEveryBreakCanBeNoticed checks that each kind of break changes what the sample does,
// and that nothing changes without a break: no test is left out.
func TestEveryBreakCanBeNoticed(t *testing.T) {
	for seed := range uint64(3) {
		missed, out := try(t, "strict", func(s *settings) { s.seed = seed })
		if missed > 0 || !strings.Contains(out, "not noticed:\nnone\n") || strings.Contains(out, "left out") {
			t.Errorf("seed %d: %s", seed, out)
		}
	}
}

// TestKinds checks that all kinds are found in the sample.
func TestKinds(t *testing.T) {
	dir := module(t, "strict")
	units, err := load(dir, []string{filepath.Join(dir, "sample.go"), filepath.Join(dir, "sample_test.go")})
	if err != nil {
		t.Fatal(err)
	}
	if len(units) != 1 || len(units[0].files) != 1 {
		t.Fatal("the tests are broken, too")
	}
	found := map[string]bool{}
	for _, b := range sites(units[0].files[0]) {
		found[b.kind] = true
	}
	want := []string{
		negated, operand, operator, boundary, offByOne, dropped, zeroResult, zeroValue, argument, inChain, element,
		caseValue, tagOption, tagName,
	}
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(found)); !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

// TestNothingIsNoticed checks that a break that only runs is not taken for noticed, and that
// what no test reaches is reported as such. A test that fails only once does not count.
func TestNothingIsNoticed(t *testing.T) {
	t.Setenv("BUSY", t.TempDir())
	missed, out := try(t, "lax", nil)
	if missed < 20 {
		t.Errorf("only %d are not noticed", missed)
	}
	for _, want := range []string{
		"left out, because it fails without a break: TestFails", "; 2 tests reach it\n", "; no test notices it\n",
		": 5; no test reaches it\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in %s", want, out)
		}
	}
	if strings.Contains(out, "noticed by Test") {
		t.Errorf("only panics can be noticed: %s", out)
	}
}

// TestSeed checks that a seed draws the same breaks again, and another one others.
func TestSeed(t *testing.T) {
	drawn := func(seed uint64) string {
		_, out := try(t, "strict", func(s *settings) { s.seed, s.count, s.list = seed, 5, true })
		return out
	}
	if first := drawn(1); first != drawn(1) || strings.Count(first, "\n") != 6 {
		t.Error(first)
	}
	if drawn(1)[7:] == drawn(2)[7:] {
		t.Error("two seeds draw the same")
	}
}

func TestOnlyAndSkip(t *testing.T) {
	_, out := try(t, "strict", func(s *settings) { s.only, s.skip = []int{2, 3}, "^Test" })
	if !strings.Contains(out, "   0 of    2 are noticed: 0.0 %") {
		t.Error(out)
	}
}

func TestNoFiles(t *testing.T) {
	if _, err := run(settings{root: "."}, &strings.Builder{}); err == nil {
		t.Error("nothing is refused")
	}
}
