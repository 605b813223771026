package gitrepo

import (
	"errors"
	"slices"
	"testing"
)

func TestMergeTrees(t *testing.T) {
	file := func(content string) Entry { return NewEntry([]byte(content)) }
	script := Entry{Blob: NewBlob([]byte("a\n")), Executable: true}
	for name, c := range map[string]struct{ base, ours, theirs, want Tree }{
		"files of both": {nil, Tree{"a": file("a\n")}, Tree{"b": file("b\n")},
			Tree{"a": file("a\n"), "b": file("b\n")}},
		"the same file":         {nil, Tree{"a": file("a\n")}, Tree{"a": file("a\n")}, Tree{"a": file("a\n")}},
		"two files of one name": {nil, Tree{"a": file("a\n")}, Tree{"a": file("b\n")}, nil},
		"removed":               {Tree{"a": file("a\n")}, Tree{"a": file("a\n")}, Tree{}, Tree{}},
		"changed and removed":   {Tree{"a": file("a\n")}, Tree{"a": file("b\n")}, Tree{}, nil},
		"removed and changed":   {Tree{"a": file("a\n")}, Tree{}, Tree{"a": file("b\n")}, nil},
		"removed by both":       {Tree{"a": file("a\n")}, Tree{}, Tree{}, Tree{}},
		"mode and content": {Tree{"a": file("a\n")}, Tree{"a": script}, Tree{"a": file("b\n")},
			Tree{"a": script.With([]byte("b\n"))}},
		"content and mode": {Tree{"a": file("a\n")}, Tree{"a": file("b\n")}, Tree{"a": script},
			Tree{"a": script.With([]byte("b\n"))}},
		"two binary contents": {Tree{"a": file("\x00")}, Tree{"a": file("\x00a")}, Tree{"a": file("\x00b")}, nil},
		"one binary content": {Tree{"a": file("\x00")}, Tree{"a": file("\x00")}, Tree{"a": file("\x00b")},
			Tree{"a": file("\x00b")}},
		"binary and lines":       {Tree{"a": file("a\n")}, Tree{"a": file("\x00")}, Tree{"a": file("b\n")}, nil},
		"a file and a directory": {nil, Tree{"a": file("a\n")}, Tree{"a/b": file("b\n")}, nil},
		"lines at both ends": {Tree{"a": file("1\n2\n3\n")}, Tree{"a": file("0\n1\n2\n3\n")},
			Tree{"a": file("1\n2\n3\n4\n")}, Tree{"a": file("0\n1\n2\n3\n4\n")}},
	} {
		got, err := MergeTrees(c.base, c.ours, c.theirs)
		switch {
		case c.want != nil && (err != nil || !got.Equal(c.want)):
			t.Errorf("%s: %v, %v", name, got.Paths(), err)
		case c.want == nil && !errors.Is(err, ErrConflict):
			t.Errorf("%s: %v, %v, want a conflict", name, got.Paths(), err)
		}
	}
}

func TestConflictsNameTheirFiles(t *testing.T) {
	file := func(content string) Entry { return NewEntry([]byte(content)) }
	_, err := MergeTrees(nil, Tree{"b": file("1\n"), "a": file("1\n"), "c": file("c\n")},
		Tree{"a": file("2\n"), "b": file("2\n")})
	conflict := new(ConflictError)
	if !errors.As(err, &conflict) || !slices.Equal(conflict.Paths, []string{"a", "b"}) ||
		err.Error() != "conflict in a, b" {
		t.Errorf("%v", err)
	}
}

// diverged returns a repository in which both branches, main and side, have changed
// a.txt, and side has a new file.
func diverged(t *testing.T) *fixture {
	t.Helper()
	f := newFixture(t)
	f.commit("main", "Begin", map[string]string{"a.txt": "1\n2\n3\n"})
	f.commit("side", "Side one", map[string]string{"b.txt": "b\n"})
	f.commit("side", "Side two", map[string]string{"a.txt": "1\n2\nthree\n"})
	f.commit("main", "Main", map[string]string{"a.txt": "one\n2\n3\n"})
	return f
}

func TestMergeCommit(t *testing.T) {
	f := diverged(t)
	target, source := f.Branch("main"), f.Branch("side")
	merged, err := f.MergeCommit(target, source, "Merge", f.by())
	if err != nil || string(merged.Tree["a.txt"].Data) != "one\n2\nthree\n" || !merged.Tree["b.txt"].Exists() {
		t.Fatalf("merge: %v, %v", merged, err)
	}
	if !slices.Equal(merged.Parents, []string{target.SHA, source.SHA}) || f.MergeBase(merged, source) != source {
		t.Errorf("the merge has the parents %v", merged.Parents)
	}
	if f.Branch("main") != target {
		t.Error("the merge moved a branch")
	}
	if _, err := f.MergeCommit(merged, source, "Again", f.by()); !errors.Is(err, ErrEmptyChange) {
		t.Errorf("merging again: %v", err)
	}
	f.commit("side", "Clash", map[string]string{"a.txt": "uno\n2\nthree\n"})
	if _, err := f.MergeCommit(merged, f.Branch("side"), "Clash", f.by()); !errors.Is(err, ErrConflict) {
		t.Errorf("merging a clash: %v", err)
	}
	if _, err := f.SquashCommit(merged, f.Branch("side"), "Clash", f.by()); !errors.Is(err, ErrConflict) {
		t.Errorf("squashing a clash: %v", err)
	}
}

func TestSquashCommit(t *testing.T) {
	f := diverged(t)
	target, source := f.Branch("main"), f.Branch("side")
	squashed, err := f.SquashCommit(target, source, "Squash", f.by())
	if err != nil || string(squashed.Tree["a.txt"].Data) != "one\n2\nthree\n" ||
		!slices.Equal(squashed.Parents, []string{target.SHA}) {
		t.Fatalf("squash: %v, %v", squashed, err)
	}
	if _, err := f.SquashCommit(squashed, source, "Again", f.by()); !errors.Is(err, ErrEmptyChange) {
		t.Errorf("squashing again: %v", err)
	}
}

func TestRebase(t *testing.T) {
	f := diverged(t)
	target, source := f.Branch("main"), f.Branch("side")
	head, err := f.Rebase(source, target, f.by())
	if err != nil || string(head.Tree["a.txt"].Data) != "one\n2\nthree\n" {
		t.Fatalf("rebase: %v, %v", head, err)
	}
	expectTitles(t, "after the rebase", f.Between(target, head), "Side two", "Side one")
	if head.Author != source.Author || head.Committer == source.Committer {
		t.Errorf("author %v, committer %v", head.Author, head.Committer)
	}
	if again, err := f.Rebase(head, target, f.by()); again != head || err != nil {
		t.Errorf("rebasing again: %v, %v", again, err)
	}
	clash := f.commit("main", "Clash", map[string]string{"a.txt": "one\n2\ndrei\n"})
	if _, err := f.Rebase(source, clash, f.by()); !errors.Is(err, ErrConflict) {
		t.Errorf("rebasing onto a clash: %v", err)
	}
}

func TestRebaseLeavesOutWhatIsThere(t *testing.T) {
	f := diverged(t)
	f.commit("main", "The same", map[string]string{"b.txt": "b\n"})
	head, err := f.Rebase(f.Branch("side"), f.Branch("main"), f.by())
	if err != nil {
		t.Fatal(err)
	}
	expectTitles(t, "after the rebase", f.Between(f.Branch("main"), head), "Side two")
}

func TestCherryPickAndRevert(t *testing.T) {
	f := diverged(t)
	source, target := f.Branch("side"), f.Branch("main")
	picked, err := f.CherryPick(source, target, "Picked", f.by())
	if err != nil || string(picked.Tree["a.txt"].Data) != "one\n2\nthree\n" || picked.Tree["b.txt"].Exists() {
		t.Fatalf("cherry-pick: %v, %v", picked, err)
	}
	if picked.Message != "Picked" || picked.Author != source.Author {
		t.Errorf("%q by %v", picked.Message, picked.Author)
	}
	if _, err := f.CherryPick(source, picked, "Again", f.by()); !errors.Is(err, ErrEmptyChange) {
		t.Errorf("picking again: %v", err)
	}
	reverted, err := f.Revert(picked, picked, f.by())
	if err != nil || !reverted.Tree.Equal(target.Tree) || reverted.Title() != `Revert "Picked"` {
		t.Fatalf("revert: %v, %v", reverted, err)
	}
	if _, err := f.Revert(picked, reverted, f.by()); !errors.Is(err, ErrEmptyChange) {
		t.Errorf("reverting again: %v", err)
	}
	clash := f.commit("main", "Clash", map[string]string{"a.txt": "one\n2\ndrei\n"})
	if _, err := f.CherryPick(source, clash, "No", f.by()); !errors.Is(err, ErrConflict) {
		t.Errorf("picking a clash: %v", err)
	}
	first := f.Commits()[0]
	if gone, err := f.Revert(first, first, f.by()); err != nil || len(gone.Tree) != 0 {
		t.Errorf("reverting the first commit: %v, %v", gone, err)
	}
}
