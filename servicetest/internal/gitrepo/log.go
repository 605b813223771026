package gitrepo

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Reachable returns commits with all their ancestors. Nil commits are ignored.
func (r *Repository) Reachable(from ...*Commit) map[*Commit]bool {
	seen := make(map[*Commit]bool)
	for queue := slices.Clone(from); len(queue) > 0; {
		c := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if c == nil || seen[c] {
			continue
		}
		seen[c] = true
		for _, parent := range c.Parents {
			queue = append(queue, r.commits[parent])
		}
	}
	return seen
}

// Contains reports whether a commit is head or one of its ancestors.
func (r *Repository) Contains(head, c *Commit) bool { return r.Reachable(head)[c] }

// Between returns the commits that head has and base has not, newest first. Without a
// base, it returns all commits of head.
func (r *Repository) Between(base, head *Commit) []*Commit {
	own := r.Reachable(head)
	for c := range r.Reachable(base) {
		delete(own, c)
	}
	return newestFirst(own)
}

// All returns the commits of all branches and tags, newest first, and their
// heads.
func (r *Repository) All() (commits, heads []*Commit) {
	heads = slices.Collect(maps.Values(r.branches))
	for _, tag := range r.tags {
		heads = append(heads, tag.Commit)
	}
	return newestFirst(r.Reachable(heads...)), heads
}

func newestFirst(set map[*Commit]bool) []*Commit {
	return slices.SortedFunc(maps.Keys(set), func(a, b *Commit) int {
		// A parent is always made before its children.
		return cmp.Or(b.Committer.At.Compare(a.Committer.At), cmp.Compare(b.seq, a.seq))
	})
}

// MergeBase returns the last common ancestor of all given commits, or nil if there is
// none.
func (r *Repository) MergeBase(of ...*Commit) *Commit {
	if len(of) == 0 {
		return nil
	}
	common := r.Reachable(of[0])
	for _, c := range of[1:] {
		other := r.Reachable(c)
		maps.DeleteFunc(common, func(c *Commit, _ bool) bool { return !other[c] })
	}
	var base *Commit
	for c := range common {
		if base == nil || c.seq > base.seq {
			base = c
		}
	}
	return base
}

// A Comparison is what leads from one commit to another.
type Comparison struct {
	Base    *Commit   // where Changes start; nil without a common ancestor
	Commits []*Commit // only in the second commit, oldest first
	Changes []Change
}

// Compare returns the commits that to has and from does not have. Changes start at
// their last common ancestor, as after "...", or at from itself if straight is true, as
// after "..".
func (r *Repository) Compare(from, to *Commit, straight bool) Comparison {
	base := from
	if !straight {
		base = r.MergeBase(from, to)
	}
	made := Comparison{Base: base, Commits: r.Between(from, to)}
	slices.Reverse(made.Commits)
	var before Tree
	if base != nil {
		before = base.Tree
	}
	made.Changes = DiffTrees(before, to.Tree)
	return made
}

// Range returns the commits that a branch, tag, hash or range ("a..b", "a...b") names,
// newest first, and the heads that they start from. There are no heads if there is no
// such revision.
func (r *Repository) Range(name string) (commits, heads []*Commit) {
	left, right, dots := cutRange(name)
	head := r.Resolve(right)
	if head == nil {
		return nil, nil
	}
	if dots == "" {
		return r.Between(nil, head), []*Commit{head}
	}
	base := r.Resolve(left)
	if base == nil {
		return nil, nil
	}
	commits, heads = r.Between(base, head), []*Commit{head}
	if dots == "..." { // commits of only one side
		set := make(map[*Commit]bool)
		for _, c := range append(commits, r.Between(head, base)...) {
			set[c] = true
		}
		commits, heads = newestFirst(set), append(heads, base)
	}
	return commits, heads
}

// cutRange splits a range. A missing end is HEAD.
func cutRange(name string) (left, right, dots string) {
	for _, dots := range []string{"...", ".."} {
		if left, right, found := strings.Cut(name, dots); found {
			return cmp.Or(left, "HEAD"), cmp.Or(right, "HEAD"), dots
		}
	}
	return "", name, ""
}

// Topological sorts commits so that children come before their parents and lines of
// history are not mixed.
func (r *Repository) Topological(commits []*Commit) []*Commit {
	children := make(map[string]int)
	for _, c := range commits {
		for _, parent := range c.Parents {
			children[parent]++
		}
	}
	inside := make(map[*Commit]bool)
	var ready []*Commit
	for _, c := range slices.Backward(commits) {
		inside[c] = true
		if children[c.SHA] == 0 {
			ready = append(ready, c)
		}
	}
	var ordered []*Commit
	for len(ready) > 0 {
		c := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		ordered = append(ordered, c)
		for _, sha := range slices.Backward(c.Parents) {
			children[sha]--
			if parent := r.commits[sha]; children[sha] == 0 && inside[parent] {
				ready = append(ready, parent)
			}
		}
	}
	return ordered
}

// FirstParents keeps the commits that the heads reach through first parents alone.
func (r *Repository) FirstParents(commits, heads []*Commit) []*Commit {
	line := make(map[*Commit]bool)
	for _, head := range heads {
		for c := head; c != nil && !line[c]; c = r.Parent(c) {
			line[c] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(commits), func(c *Commit) bool { return !line[c] })
}
