package gitrepo

import (
	"cmp"
	"slices"
)

// A blamed traces lines of a file: it maps lines of a file in some commit to lines of
// the file in question.
type blamed struct {
	commit *Commit
	path   string
	lines  map[int]int
}

// Blame returns for each line of a file the commit that wrote it last. It follows the
// file when it moves.
func (r *Repository) Blame(head *Commit, path string) []*Commit {
	count := len(head.Tree[path].Lines())
	origin := make([]*Commit, count)
	start := blamed{head, path, make(map[int]int, count)}
	for i := range count {
		start.lines[i] = i
	}
	for queue := []blamed{start}; len(queue) > 0; {
		// The newest commits come first, so that a commit is visited after everything
		// that leads to it.
		slices.SortFunc(queue, func(a, b blamed) int { return cmp.Compare(a.commit.seq, b.commit.seq) })
		last := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, sha := range last.commit.Parents {
			if passed := r.passOn(last, r.commits[sha]); len(passed.lines) > 0 {
				queue = append(queue, passed)
			}
		}
		for _, line := range last.lines {
			origin[line] = last.commit
		}
	}
	return origin
}

// passOn removes from b the lines that a parent also has, and returns them.
func (r *Repository) passOn(b blamed, parent *Commit) blamed {
	passed := blamed{commit: parent, path: earlierPath(b, parent), lines: make(map[int]int)}
	before, now := parent.Tree[passed.path].Lines(), b.commit.Tree[b.path].Lines()
	for _, m := range matchLines(before, now) {
		for i := range m.n {
			if line, ok := b.lines[m.b+i]; ok {
				passed.lines[m.a+i] = line
				delete(b.lines, m.b+i)
			}
		}
	}
	return passed
}

// earlierPath returns the path of a file in a parent.
func earlierPath(b blamed, parent *Commit) string {
	if parent.Tree[b.path].Exists() {
		return b.path
	}
	for _, change := range DiffTrees(parent.Tree, b.commit.Tree) {
		if change.NewPath == b.path {
			return change.OldPath
		}
	}
	return b.path
}
