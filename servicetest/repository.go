package servicetest

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// A repository is what a project has committed: commits with their trees, and
// the branches and tags that name some of them. Commits and trees never change
// once they are made, so that repositories share them.
type repository struct {
	project  *Project
	commits  map[string]*commit // by hash
	branches map[string]*commit
	tags     map[string]*commit
	hidden   map[string]*commit // by the whole name: refs/merge-requests/1/merge
}

// repositories holds the repositories of a service, made on first use.
type repositories struct {
	of  map[*Project]*repository
	seq int64 // of the last commit that was made
}

// repository returns the project's repository. It begins with a README on the
// default branch, unless the project was made with EmptyRepository.
func (p *Project) repository() *repository {
	all := state[repositories](p.svc)
	if r := all.of[p]; r != nil {
		return r
	}
	if all.of == nil {
		all.of = make(map[*Project]*repository)
	}
	r := &repository{
		project:  p,
		commits:  make(map[string]*commit),
		branches: make(map[string]*commit),
		tags:     make(map[string]*commit),
	}
	all.of[p] = r
	if !state[emptyRepositories](p.svc).has[p] {
		r.begin()
	}
	return r
}

// begin makes the first commit.
func (r *repository) begin() {
	author := r.project.svc.admin.signature(r.project.createdAt)
	r.branches[r.project.defaultBranch] = r.newCommit(commitDraft{
		tree:    tree{"README.md": newEntry([]byte("# " + r.project.name + "\n"))},
		message: "Initial commit",
		author:  author, committer: author,
	})
}

// A signature says who wrote or made a commit, and when.
type signature struct {
	name, email string
	at          time.Time
}

// signature returns the user's name on commits.
func (u *User) signature(at time.Time) signature { return signature{u.name, u.commitEmail, at} }

// A commitDraft is what a commit is made of.
type commitDraft struct {
	tree              tree
	parents           []*commit
	message           string
	author, committer signature
}

// newCommit makes a commit. It is on no branch until setBranch puts it there.
func (r *repository) newCommit(d commitDraft) *commit {
	c := &commit{
		tree: d.tree, message: d.message,
		authorName: d.author.name, authorEmail: d.author.email, authoredAt: d.author.at,
		committerName: d.committer.name, committerEmail: d.committer.email, committedAt: d.committer.at,
	}
	texts := []string{d.tree.hash(), d.message,
		d.author.name, d.author.email, d.author.at.Format(time.RFC3339Nano),
		d.committer.name, d.committer.email, d.committer.at.Format(time.RFC3339Nano)}
	for _, parent := range d.parents {
		c.parents = append(c.parents, parent.sha)
		texts = append(texts, parent.sha)
	}
	c.sha = sha(texts...)
	if same := r.commits[c.sha]; same != nil {
		return same
	}
	all := state[repositories](r.project.svc)
	all.seq++
	c.seq = all.seq
	r.commits[c.sha] = c
	return c
}

// branch returns the head of a branch, nil if there is no such branch.
func (r *repository) branch(name string) *commit { return r.branches[name] }

// setBranch makes a branch point at a commit; it makes the branch if need be.
func (r *repository) setBranch(name string, to *commit) { r.branches[name] = to }

// deleteBranch removes a branch. Its commits stay.
func (r *repository) deleteBranch(name string) { delete(r.branches, name) }

// setHidden makes a ref that is neither branch nor tag point at a commit.
func (r *repository) setHidden(name string, to *commit) {
	if r.hidden == nil {
		r.hidden = make(map[string]*commit)
	}
	r.hidden[name] = to
}

// makeTag makes a tag of what a pipeline's ref was taken to be. A tag that
// exists stays as it is.
func (r *repository) makeTag(name string) {
	if c := r.branches[name]; c != nil && r.tags[name] == nil {
		r.tags[name] = c
		if name != r.project.defaultBranch {
			delete(r.branches, name)
		}
	}
}

// branchNames returns the names of all branches in alphabetical order.
func (r *repository) branchNames() []string { return slices.Sorted(maps.Keys(r.branches)) }

// tagNames returns the names of all tags in alphabetical order.
func (r *repository) tagNames() []string { return slices.Sorted(maps.Keys(r.tags)) }

// shortestHash is how much of a hash names a commit.
const shortestHash = 7

// resolve returns the commit that a branch, a tag, HEAD or a hash names, which
// may be shortened; nil if there is none.
func (r *repository) resolve(name string) *commit {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "refs/heads/"), "refs/tags/")
	switch {
	case r.branches[name] != nil:
		return r.branches[name]
	case r.tags[name] != nil:
		return r.tags[name]
	case name == "HEAD":
		return r.branches[r.project.defaultBranch]
	case r.hidden[name] != nil:
		return r.hidden[name]
	case r.commits[name] != nil:
		return r.commits[name]
	case len(name) < shortestHash:
		return nil
	}
	var found *commit
	for hash, c := range r.commits {
		if strings.HasPrefix(hash, name) {
			if found != nil {
				return nil // ambiguous
			}
			found = c
		}
	}
	return found
}

// parent returns the first parent of a commit, nil if it has none.
func (r *repository) parent(c *commit) *commit {
	if len(c.parents) == 0 {
		return nil
	}
	return r.commits[c.parents[0]]
}

// parentTree returns the tree that a commit is a change of.
func (r *repository) parentTree(c *commit) tree {
	if parent := r.parent(c); parent != nil {
		return parent.tree
	}
	return nil
}

// reachable returns the commits with all their ancestors.
func (r *repository) reachable(from ...*commit) map[*commit]bool {
	seen := make(map[*commit]bool)
	for queue := from; len(queue) > 0; {
		c := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if c == nil || seen[c] {
			continue
		}
		seen[c] = true
		for _, parent := range c.parents {
			queue = append(queue, r.commits[parent])
		}
	}
	return seen
}

// contains reports whether a commit is another one or among its ancestors.
func (r *repository) contains(head, c *commit) bool { return r.reachable(head)[c] }

// between returns the commits that head has and base has not, newest first.
// Without a base these are all that head has.
func (r *repository) between(base, head *commit) []*commit {
	own := r.reachable(head)
	for c := range r.reachable(base) {
		delete(own, c)
	}
	return newestFirst(own)
}

func newestFirst(set map[*commit]bool) []*commit {
	return slices.SortedFunc(maps.Keys(set), func(a, b *commit) int {
		if by := b.committedAt.Compare(a.committedAt); by != 0 {
			return by
		}
		return int(b.seq - a.seq) // a parent is always made before its children
	})
}

// mergeBase returns the last commit that two have in common, nil if there is
// none.
func (r *repository) mergeBase(a, b *commit) *commit {
	common := r.reachable(a)
	of := r.reachable(b)
	maps.DeleteFunc(common, func(c *commit, _ bool) bool { return !of[c] })
	var base *commit
	for c := range common {
		if base == nil || c.seq > base.seq {
			base = c
		}
	}
	return base
}

// fetch brings a commit and its ancestors in from another repository.
func (r *repository) fetch(from *repository, c *commit) {
	if r == from {
		return
	}
	for c := range from.reachable(c) {
		r.commits[c.sha] = c
	}
}
