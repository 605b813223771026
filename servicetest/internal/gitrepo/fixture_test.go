package gitrepo

import (
	"maps"
	"slices"
	"testing"
	"time"
)

// A fixture is a repository for tests. Each commit is a minute after the one before.
type fixture struct {
	*Repository

	t     *testing.T
	clock time.Time
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	var store Store
	return &fixture{store.New("main"), t, time.Date(2026, 1, 15, 9, 0, 0, 0, time.UTC)}
}

func (f *fixture) by() Signature {
	f.clock = f.clock.Add(time.Minute)
	return Signature{"Ada", "ada@example.com", f.clock}
}

// commit writes files to a branch. A new branch starts from main. Empty content deletes
// a file.
func (f *fixture) commit(branch, message string, files map[string]string) *Commit {
	f.t.Helper()
	head := f.Branch(branch)
	if head == nil {
		head = f.Branch("main")
	}
	d := Draft{Tree: make(Tree), Message: message, Author: f.by()}
	d.Committer = d.Author
	if head != nil {
		d.Tree, d.Parents = maps.Clone(head.Tree), []*Commit{head}
	}
	for path, content := range files {
		if d.Tree[path] = NewEntry([]byte(content)); content == "" {
			delete(d.Tree, path)
		}
	}
	c := f.NewCommit(d)
	f.SetBranch(branch, c)
	return c
}

// titles returns the titles of commits.
func titles(commits []*Commit) []string {
	var all []string
	for _, c := range commits {
		all = append(all, c.Title())
	}
	return all
}

func expectTitles(t *testing.T, what string, commits []*Commit, want ...string) {
	t.Helper()
	if got := titles(commits); !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}
