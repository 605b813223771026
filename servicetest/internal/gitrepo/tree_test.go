package gitrepo

import (
	"slices"
	"testing"
)

func TestList(t *testing.T) {
	file := func(content string) Entry { return NewEntry([]byte(content)) }
	tree := Tree{
		"z": file("z\n"), "dir/b": file("b\n"), "dir/sub/c": file("c\n"), "dir-d": file("d\n"),
		"bin/run": {NewBlob([]byte("run\n")), true},
	}
	list := func(directory string, recursive bool) []string {
		var found []string
		for _, n := range tree.List(directory, recursive) {
			found = append(found, n.Mode+" "+n.Path+" "+n.Name())
			if n.IsDirectory() == n.Entry.Exists() || len(n.ID) != 40 {
				t.Errorf("%+v", n)
			}
		}
		return found
	}
	for _, c := range []struct {
		directory string
		recursive bool
		want      []string
	}{
		{"", false, []string{"040000 bin bin", "040000 dir dir", "100644 dir-d dir-d", "100644 z z"}},
		{"dir", false, []string{"040000 dir/sub sub", "100644 dir/b b"}},
		{"bin", false, []string{"100755 bin/run run"}},
		{"", true, []string{
			"040000 bin bin", "040000 dir dir", "040000 dir/sub sub",
			"100755 bin/run run", "100644 dir-d dir-d", "100644 dir/b b", "100644 dir/sub/c c", "100644 z z",
		}},
		{"dir", true, []string{"040000 dir/sub sub", "100644 dir/b b", "100644 dir/sub/c c"}},
		{"none", false, nil},
		{"z", false, nil},
	} {
		if got := list(c.directory, c.recursive); !slices.Equal(got, c.want) {
			t.Errorf("%q, %t: %q, want %q", c.directory, c.recursive, got, c.want)
		}
	}
}

func TestHashesFollowContent(t *testing.T) {
	file := func(content string) Entry { return NewEntry([]byte(content)) }
	id := func(tree Tree, directory string) string {
		for _, n := range tree.List("", true) {
			if n.Path == directory {
				return n.ID
			}
		}
		return ""
	}
	before, moved := Tree{"a/x": file("x\n"), "b": file("b\n")}, Tree{"c/x": file("x\n"), "b": file("c\n")}
	if id(before, "a") == "" || id(before, "a") != id(moved, "c") {
		t.Error("equal directories have different hashes")
	}
	if id(before, "a") == id(Tree{"a/x": file("y\n")}, "a") || before.Hash() == moved.Hash() {
		t.Error("different directories have one hash")
	}
	if file("hello\n").ID != "ce013625030ba8dba906f756967f9e9ca394464a" { // git hash-object
		t.Error("the hash of a file is not git's")
	}
}

func TestPaths(t *testing.T) {
	tree := Tree{"a/b": NewEntry(nil), "c": NewEntry(nil)}
	for path, want := range map[string]bool{"a": true, "a/b": true, "c": true, "": true, "a/": false, "b": false} {
		if tree.Has(path) != want {
			t.Errorf("Has(%q) is not %t", path, want)
		}
	}
	for path, want := range map[string]bool{"a": true, "c/d": true, "c/d/e": true, "a/c": false, "c": false,
		"d": false} {
		if tree.Blocks(path) != want {
			t.Errorf("Blocks(%q) is not %t", path, want)
		}
	}
	for path, want := range map[string]bool{
		"a": true, "a/b.c": true, "": false, "/a": false, "a//b": false, "../a": false, "a/./b": false,
		".git/config": false, "a\x00": false,
	} {
		if ValidPath(path) != want {
			t.Errorf("ValidPath(%q) is not %t", path, want)
		}
	}
}

func TestLines(t *testing.T) {
	for content, want := range map[string][]string{
		"": nil, "a": {"a"}, "a\n": {"a\n"}, "a\n\nb": {"a\n", "\n", "b"},
	} {
		if got := NewBlob([]byte(content)).Lines(); !slices.Equal(got, want) {
			t.Errorf("%q has the lines %q", content, got)
		}
	}
	var none *Blob
	if none.Lines() != nil {
		t.Error("no blob has lines")
	}
}
