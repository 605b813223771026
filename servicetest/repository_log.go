package servicetest

import (
	"slices"
	"strings"
)

// commitRange returns the commits that a branch, tag, hash or range ("a..b",
// "a...b") names, newest first, and where they begin: nowhere if there is no
// such revision.
func (r *repository) commitRange(name string) (commits, heads []*commit) {
	left, right, dots := cutRange(name)
	head := r.resolve(right)
	if head == nil {
		return nil, nil
	}
	if dots == "" {
		return r.between(nil, head), []*commit{head}
	}
	base := r.resolve(left)
	if base == nil {
		return nil, nil
	}
	commits, heads = r.between(base, head), []*commit{head}
	if dots == "..." { // what either has and the other has not
		set := make(map[*commit]bool)
		for _, c := range append(commits, r.between(head, base)...) {
			set[c] = true
		}
		commits, heads = newestFirst(set), append(heads, base)
	}
	return commits, heads
}

// cutRange takes a range apart; an end that is left out is HEAD.
func cutRange(name string) (left, right, dots string) {
	for _, dots := range []string{"...", ".."} {
		if left, right, found := strings.Cut(name, dots); found {
			return either(left, "HEAD"), either(right, "HEAD"), dots
		}
	}
	return "", name, ""
}

// topological puts commits in an order in which children come before their
// parents and lines of history are not mixed.
func (r *repository) topological(commits []*commit) []*commit {
	children := make(map[string]int)
	for _, c := range commits {
		for _, parent := range c.parents {
			children[parent]++
		}
	}
	inside := make(map[*commit]bool)
	var ready []*commit
	for _, c := range slices.Backward(commits) {
		inside[c] = true
		if children[c.sha] == 0 {
			ready = append(ready, c)
		}
	}
	var ordered []*commit
	for len(ready) > 0 {
		c := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		ordered = append(ordered, c)
		for _, sha := range slices.Backward(c.parents) {
			children[sha]--
			if parent := r.commits[sha]; children[sha] == 0 && inside[parent] {
				ready = append(ready, parent)
			}
		}
	}
	return ordered
}

// firstParents keeps the commits that the heads reach by first parents alone.
func (r *repository) firstParents(commits, heads []*commit) []*commit {
	line := make(map[*commit]bool)
	for _, head := range heads {
		for c := head; c != nil && !line[c]; c = r.parent(c) {
			line[c] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(commits), func(c *commit) bool { return !line[c] })
}

// sameAsParent returns a parent of a commit that has the same at a path, nil if
// the commit changed it.
func (r *repository) sameAsParent(c *commit, path string) *commit {
	for _, sha := range c.parents {
		if parent := r.commits[sha]; parent != nil && samePath(c.tree, parent.tree, path) {
			return parent
		}
	}
	return nil
}

// touching keeps the commits of a history that changed a file or directory. A
// merge that took it over from one side leads to that side alone.
func (r *repository) touching(commits, heads []*commit, path string) []*commit {
	seen, changed := make(map[*commit]bool), make(map[*commit]bool)
	for queue := heads; len(queue) > 0; {
		c := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if c == nil || seen[c] {
			continue
		}
		seen[c] = true
		if same := r.sameAsParent(c, path); same != nil {
			queue = append(queue, same)
			continue
		}
		changed[c] = len(c.parents) > 0 || hasPath(c.tree, path)
		for _, sha := range c.parents {
			queue = append(queue, r.commits[sha])
		}
	}
	return slices.DeleteFunc(slices.Clone(commits), func(c *commit) bool { return !changed[c] })
}

func hasPath(t tree, path string) bool {
	_, isFile := t[path]
	return isFile || len(t.below(path)) > 0
}

// lastChange returns the last commit that changed a file or directory, as seen
// from a commit.
func (r *repository) lastChange(head *commit, path string) *commit {
	for c := head; c != nil; {
		same := r.sameAsParent(c, path)
		if same == nil {
			return c
		}
		c = same
	}
	return nil
}
