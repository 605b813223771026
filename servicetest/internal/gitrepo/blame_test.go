package gitrepo

import "testing"

func TestBlame(t *testing.T) {
	f := newFixture(t)
	f.commit("main", "Begin", map[string]string{"a": "1\n2\n3\n4\n"})
	f.commit("main", "Change", map[string]string{"a": "1\ntwo\n3\n4\n"})
	expectTitles(t, "after a change", f.Blame(f.Branch("main"), "a"), "Begin", "Change", "Begin", "Begin")
	f.commit("main", "Move", map[string]string{"a": "", "b": "0\n1\ntwo\n3\n4\n"})
	expectTitles(t, "after a move", f.Blame(f.Branch("main"), "b"), "Move", "Begin", "Change", "Begin", "Begin")
	f.commit("main", "Append", map[string]string{"b": "0\n1\ntwo\n3\n4\n4\n"})
	expectTitles(t, "after a line like the last", f.Blame(f.Branch("main"), "b"), "Move", "Begin", "Change", "Begin",
		"Begin", "Append")
	expectTitles(t, "of no file", f.Blame(f.Branch("main"), "none"))
}

func TestBlameAcrossAMerge(t *testing.T) {
	f := diverged(t)
	merged, err := f.MergeCommit(f.Branch("main"), f.Branch("side"), "Merge", f.by())
	if err != nil {
		t.Fatal(err)
	}
	expectTitles(t, "a file of both", f.Blame(merged, "a.txt"), "Main", "Begin", "Side two")
	expectTitles(t, "a file of one", f.Blame(merged, "b.txt"), "Side one")
}
