package servicetest

import (
	"cmp"
	"slices"
)

// blamed is where lines of a file came from, as far as that is known: which
// lines of a file in a commit are which lines of the file in question.
type blamed struct {
	commit *commit
	path   string
	lines  map[int]int
}

// blame returns for each line of a file the commit that wrote it last. Moves of
// the file are followed.
func (r *repository) blame(head *commit, path string) []*commit {
	count := len(head.tree[path].lines())
	origin := make([]*commit, count)
	start := blamed{head, path, make(map[int]int, count)}
	for i := range count {
		start.lines[i] = i
	}
	for queue := []blamed{start}; len(queue) > 0; {
		// The newest first, so that all that leads to a commit comes together
		// before it.
		slices.SortFunc(queue, func(a, b blamed) int { return cmp.Compare(a.commit.seq, b.commit.seq) })
		last := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, sha := range last.commit.parents {
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

// passOn takes out of b the lines that a parent has as well, and returns them.
func (r *repository) passOn(b blamed, parent *commit) blamed {
	passed := blamed{commit: parent, path: earlierPath(b, parent), lines: make(map[int]int)}
	before, now := parent.tree[passed.path].lines(), b.commit.tree[b.path].lines()
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

// earlierPath returns where a file was in a parent.
func earlierPath(b blamed, parent *commit) string {
	if _, exists := parent.tree[b.path]; exists {
		return b.path
	}
	for _, change := range diffTrees(parent.tree, b.commit.tree) {
		if change.newPath == b.path {
			return change.oldPath
		}
	}
	return b.path
}
