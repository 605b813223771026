package gitrepo

import "slices"

// Touching keeps the commits of a history that changed a file or directory. A merge
// that took the path from one side leads only to that side.
func (r *Repository) Touching(commits, heads []*Commit, path string) []*Commit {
	seen, changed := make(map[*Commit]bool), make(map[*Commit]bool)
	for queue := slices.Clone(heads); len(queue) > 0; {
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
		changed[c] = len(c.Parents) > 0 || c.Tree.Has(path)
		for _, sha := range c.Parents {
			queue = append(queue, r.commits[sha])
		}
	}
	return slices.DeleteFunc(slices.Clone(commits), func(c *Commit) bool { return !changed[c] })
}

// LastChange returns the last commit that changed a file or directory, as seen
// from a commit.
func (r *Repository) LastChange(head *Commit, path string) *Commit {
	for c := head; c != nil; {
		same := r.sameAsParent(c, path)
		if same == nil {
			return c
		}
		c = same
	}
	return nil
}

// sameAsParent returns a parent of a commit with the same content at a path, or
// nil if the commit changed it.
func (r *Repository) sameAsParent(c *Commit, path string) *Commit {
	for _, sha := range c.Parents {
		if parent := r.commits[sha]; parent != nil && samePath(c.Tree, parent.Tree, path) {
			return parent
		}
	}
	return nil
}
