package gitrepo

import (
	"strconv"
	"strings"
	"testing"
)

// numbered returns the lines 1 to n, with some of them replaced.
func numbered(n int, replaced map[int]string) string {
	var out strings.Builder
	for i := 1; i <= n; i++ {
		line, isReplaced := replaced[i]
		if !isReplaced {
			line = strconv.Itoa(i) + "\n"
		}
		out.WriteString(line)
	}
	return out.String()
}

func TestUnified(t *testing.T) {
	for name, c := range map[string]struct{ from, to, want string }{
		"one hunk for what is near": {
			numbered(10, nil), numbered(10, map[int]string{2: "two\n", 9: "nine\n"}),
			"@@ -1,10 +1,10 @@\n 1\n-2\n+two\n 3\n 4\n 5\n 6\n 7\n 8\n-9\n+nine\n 10\n",
		},
		"two hunks for what is distant": {
			numbered(20, nil), numbered(20, map[int]string{5: "five\n", 13: "thirteen\n"}),
			"@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n" +
				"@@ -10,7 +10,7 @@\n 10\n 11\n 12\n-13\n+thirteen\n 14\n 15\n 16\n",
		},
		"later hunks count the lines that are new": {
			numbered(20, nil), numbered(20, map[int]string{1: "0\n1\n", 20: ""}),
			"@@ -1,3 +1,4 @@\n+0\n 1\n 2\n 3\n@@ -17,4 +18,3 @@\n 17\n 18\n 19\n-20\n",
		},
		"three lines of context": {
			numbered(9, nil), numbered(9, map[int]string{5: ""}),
			"@@ -2,7 +2,6 @@\n 2\n 3\n 4\n-5\n 6\n 7\n 8\n",
		},
		"no newline at the end of the new file": {
			"a\nb\n", "a\nb",
			"@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n",
		},
		"no newline at the end of the old file": {
			"a\nb", "a\nb\nc\n",
			"@@ -1,2 +1,3 @@\n a\n-b\n\\ No newline at end of file\n+b\n+c\n",
		},
		"no newline at either end": {
			"a\nb", "A\nb",
			"@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n",
		},
		"a line like the last":  {"a\nb\n", "a\nb\nb\n", "@@ -1,2 +1,3 @@\n a\n b\n+b\n"},
		"the same":              {"a\n", "a\n", ""},
		"everything is removed": {"a\nb\n", "", "@@ -1,2 +0,0 @@\n-a\n-b\n"},
		"everything is new":     {"", "a\n", "@@ -0,0 +1 @@\n+a\n"},
		"binary":                {"a\x00b", "a\x00c", "Binary files a/f and b/f differ\n"},
		"not UTF-8":             {"a\n", "\xff\n", "Binary files a/f and b/f differ\n"},
	} {
		change := Change{"f", "f", NewEntry([]byte(c.from)), NewEntry([]byte(c.to))}
		if got := change.Unified(); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

func TestDiffTrees(t *testing.T) {
	file := func(content string) Entry { return NewEntry([]byte(content)) }
	script := Entry{Blob: NewBlob([]byte("run\n")), Executable: true}
	const poem = "1\n2\n3\n4\n"
	from := Tree{"same": file("same\n"), "mode": file("run\n"), "gone": file("gone\n"), "poem": file(poem),
		"bin": file("\x00\x01")}
	to := Tree{"same": file("same\n"), "mode": script, "new": file("new\n"), "sub/poem": file(poem + "5\n"),
		"image": file("\x00\x01")}
	type summary struct {
		old, new                string
		added, removed, renamed bool
	}
	want := []summary{
		{"gone", "gone", false, true, false},
		{"bin", "image", false, false, true},
		{"mode", "mode", false, false, false},
		{"new", "new", true, false, false},
		{"poem", "sub/poem", false, false, true},
	}
	changes := DiffTrees(from, to)
	for i, c := range changes {
		got := summary{c.OldPath, c.NewPath, c.Added(), c.Removed(), c.Renamed()}
		if i >= len(want) || got != want[i] {
			t.Errorf("change %d: %+v", i, got)
		}
	}
	if len(changes) != len(want) {
		t.Errorf("%d changes, want %d", len(changes), len(want))
	}
	if added, removed := CountLines(changes); added != 2 || removed != 1 {
		t.Errorf("%d lines added, %d removed", added, removed)
	}
	if n := CountFiles(from, to); n != 7 {
		t.Errorf("%d files differ", n)
	}
	if old, new := changes[2].Old.Mode(), changes[2].New.Mode(); old != "100644" || new != "100755" {
		t.Errorf("modes %s and %s", old, new)
	}
}

func TestUnlikeFilesAreNotRenamed(t *testing.T) {
	for from, to := range map[string]string{"1\n2\n3\n": "1\nx\ny\n", "": "", "x\n": "", "a\x00": "b\x00",
		"text\n": "text\n\x00"} {
		changes := DiffTrees(Tree{"a": NewEntry([]byte(from))}, Tree{"b": NewEntry([]byte(to))})
		if len(changes) != 2 || changes[0].Renamed() || changes[1].Renamed() {
			t.Errorf("%q and %q: %+v", from, to, changes)
		}
	}
}

func TestHalfOfTheLinesAreEnough(t *testing.T) {
	changes := DiffTrees(Tree{"a": NewEntry([]byte("1\n2\n"))}, Tree{"b": NewEntry([]byte("1\nx\n"))})
	if len(changes) != 1 || !changes[0].Renamed() {
		t.Errorf("%+v", changes)
	}
	from := Tree{"a": NewEntry([]byte("1\n2\n")), "b": NewEntry([]byte("1\n2\n3\n")),
		"c": NewEntry([]byte("1\n2\n3\n"))}
	changes = DiffTrees(from, Tree{"new": NewEntry([]byte("1\n2\n3\n4\n"))})
	if len(changes) != 3 || changes[2].OldPath != "b" || changes[2].NewPath != "new" {
		t.Errorf("the first of the most similar is not the one renamed: %+v", changes)
	}
}
