package gitrepo

import (
	"maps"
	"testing"
)

// woven returns a repository in which main has merged side:
//
//	Begin - Main one ---------- Merge - Main two
//	     \- Side one - Side two -/
func woven(t *testing.T) *fixture {
	t.Helper()
	f := newFixture(t)
	f.commit("main", "Begin", map[string]string{"a": "1\n2\n3\n", "dir/x": "x\n"})
	f.commit("side", "Side one", map[string]string{"b": "b\n"})
	f.commit("main", "Main one", map[string]string{"a": "one\n2\n3\n"})
	f.commit("side", "Side two", map[string]string{"dir/x": "y\n"})
	merged, err := f.MergeCommit(f.Branch("main"), f.Branch("side"), "Merge", f.by())
	if err != nil {
		t.Fatal(err)
	}
	f.SetBranch("main", merged)
	f.commit("main", "Main two", map[string]string{"c": "c\n"})
	return f
}

func TestHistories(t *testing.T) {
	f := woven(t)
	main, side := f.Branch("main"), f.Branch("side")
	commits, heads := f.Range("main")
	expectTitles(t, "main", commits, "Main two", "Merge", "Side two", "Main one", "Side one", "Begin")
	expectTitles(t, "in topological order", f.Topological(commits), "Main two", "Merge", "Main one", "Side two",
		"Side one", "Begin")
	expectTitles(t, "by first parents", f.FirstParents(commits, heads), "Main two", "Merge", "Main one", "Begin")
	expectTitles(t, "that changed a file", f.Touching(commits, heads, "a"), "Main one", "Begin")
	expectTitles(t, "that changed a directory", f.Touching(commits, heads, "dir"), "Side two", "Begin")
	expectTitles(t, "that changed nothing", f.Touching(commits, heads, "none"))
	expectTitles(t, "between", f.Between(side, main), "Main two", "Merge", "Main one")
	if c := f.LastChange(main, "dir/x"); c.Title() != "Side two" {
		t.Errorf("last change in %q", c.Title())
	}
	if c := f.LastChange(main, "a"); c.Title() != "Main one" {
		t.Errorf("last change in %q", c.Title())
	}
	if !f.Contains(main, side) || f.Contains(side, main) || !f.Contains(side, side) {
		t.Error("ancestors are wrong")
	}
	f.SetTag("v1", f.commit("release", "Release", map[string]string{"r": "r\n"}))
	f.DeleteBranch("release")
	all, _ := f.All()
	expectTitles(t, "all", all[:2], "Release", "Main two")
}

func TestRanges(t *testing.T) {
	f := woven(t)
	f.commit("other", "Other", map[string]string{"o": "o\n"})
	f.commit("main", "Main three", map[string]string{"c": "d\n"})
	for name, want := range map[string][]string{
		"other..main":  {"Main three"},
		"main..other":  {"Other"},
		"main...other": {"Main three", "Other"},
		"other..":      {"Main three"},
		"..other":      {"Other"},
		"main..main":   nil,
	} {
		commits, heads := f.Range(name)
		expectTitles(t, name, commits, want...)
		if heads == nil {
			t.Errorf("%s begins nowhere", name)
		}
	}
	for _, name := range []string{"none", "none..main", "main..none", "main...none"} {
		if _, heads := f.Range(name); heads != nil {
			t.Errorf("%s begins at %q", name, titles(heads))
		}
	}
}

func TestMergeBase(t *testing.T) {
	f := woven(t)
	main, side := f.Branch("main"), f.Branch("side")
	first := f.Commits()[0]
	other := f.commit("other", "Other", nil)
	apart := f.NewCommit(Draft{Message: "Apart", Author: f.by()})
	for _, c := range []struct {
		of   []*Commit
		want *Commit
	}{
		{[]*Commit{main, side}, side},
		{[]*Commit{side, other}, side},
		{[]*Commit{main, side, first}, first},
		{[]*Commit{main}, main},
		{[]*Commit{main, apart}, nil},
		{[]*Commit{main, nil}, nil},
		{nil, nil},
	} {
		if got := f.MergeBase(c.of...); got != c.want {
			t.Errorf("%v have %v in common, want %v", c.of, got, c.want)
		}
	}
}

func TestCompare(t *testing.T) {
	f := diverged(t)
	main, side := f.Branch("main"), f.Branch("side")
	merged := f.Compare(main, side, false)
	expectTitles(t, "compared", merged.Commits, "Side one", "Side two")
	if merged.Base != f.Commits()[0] || len(merged.Changes) != 2 {
		t.Errorf("from %v: %v", merged.Base, merged.Changes)
	}
	straight := f.Compare(main, side, true)
	if straight.Base != main || len(straight.Changes) != 2 {
		t.Errorf("from %v: %v", straight.Base, straight.Changes)
	}
	if diff := merged.Changes[0].Unified(); diff != "@@ -1,3 +1,3 @@\n 1\n 2\n-3\n+three\n" {
		t.Errorf("from the common ancestor:\n%s", diff)
	}
	if diff := straight.Changes[0].Unified(); diff != "@@ -1,3 +1,3 @@\n-one\n+1\n 2\n-3\n+three\n" {
		t.Errorf("straight:\n%s", diff)
	}
	if same := f.Compare(main, main, false); same.Commits != nil || same.Changes != nil {
		t.Errorf("with itself: %+v", same)
	}
	apart := f.NewCommit(Draft{Tree: Tree{"x": NewEntry([]byte("x\n"))}, Message: "Apart", Author: f.by()})
	if c := f.Compare(main, apart, false); c.Base != nil || len(c.Changes) != 1 || !c.Changes[0].Added() {
		t.Errorf("without a common ancestor: %+v", c)
	}
}

// TestFetch checks that repositories of one store share their commits.
func TestFetch(t *testing.T) {
	var store Store
	from := &fixture{store.New("main"), t, newFixture(t).clock}
	first := from.commit("main", "First", map[string]string{"a": "a\n"})
	second := from.commit("main", "Second", map[string]string{"a": "b\n"})
	fork := store.New("main")
	if again := fork.NewCommit(Draft{Tree: maps.Clone(first.Tree), Message: first.Message, Author: first.Author,
		Committer: first.Committer}); again != first {
		t.Error("the same commit is another one elsewhere")
	}
	if fork.Commit(second.SHA) != nil {
		t.Error("a commit is in a repository that has not fetched it")
	}
	fork.Fetch(from.Repository, second)
	fork.Fetch(fork, second)
	if fork.Commit(second.SHA) != second || fork.MergeBase(first, second) != first || len(fork.Commits()) != 2 {
		t.Errorf("%v", fork.Commits())
	}
}

func TestTrailers(t *testing.T) {
	for message, want := range map[string]map[string]string{
		"Title": {},
		"Title\n\nReviewed-by: Bob\nSigned-off-by: Ada": {"Reviewed-by": "Bob", "Signed-off-by": "Ada"},
		"Title\n\nA: b\n\nText.":                        {},
		"Title\n\nSome words: not a trailer":            {},
		"A: b":                                          {},
	} {
		if got := (&Commit{Message: message}).Trailers(); !maps.Equal(got, want) {
			t.Errorf("%q has the trailers %v", message, got)
		}
	}
}
