package servicetest

import "maps"

// A fileAction is one change that a caller asks for.
type fileAction struct {
	kind       string // create, update, delete, move or chmod
	path       string
	previous   string // of a move
	content    []byte
	hasContent bool
	executable *bool
	lastCommit string // the last commit of the file that the caller knows of
}

// A commitRequest is a commit that a caller asks for.
type commitRequest struct {
	branch, message string
	start           *commit // what a new branch starts from; nil if it was not said
	force           bool
	author          signature
	by              signature
	actions         []fileAction
}

// perform makes the commit and moves its branch. It returns what is wrong where
// it cannot.
func (r *repository) perform(req commitRequest) (made *commit, problem string) {
	parent, problem := r.startOf(req)
	if problem != "" {
		return nil, problem
	}
	d := commitDraft{tree: make(tree), message: req.message, author: req.author, committer: req.by}
	if parent != nil {
		d.tree, d.parents = maps.Clone(parent.tree), []*commit{parent}
	}
	for _, a := range req.actions {
		if problem := r.changeTree(d.tree, parent, a); problem != "" {
			return nil, a.path + ": " + problem
		}
	}
	if parent != nil && d.tree.equal(parent.tree) {
		return nil, "The commit would change nothing"
	}
	made = r.newCommit(d)
	r.setBranch(req.branch, made)
	return made, ""
}

// startOf returns the commit that the new one follows; nil in an empty
// repository.
func (r *repository) startOf(req commitRequest) (parent *commit, problem string) {
	head := r.branch(req.branch)
	switch {
	case req.start == nil && head == nil && len(r.branches) > 0:
		return nil, "You can only create or edit files when you are on a branch"
	case req.start == nil || req.start == head:
		return head, ""
	case head != nil && !req.force:
		return nil, "A branch called '" + req.branch + "' already exists"
	}
	return req.start, ""
}

// changeTree makes one change in a tree that is a copy of the parent's.
func (r *repository) changeTree(t tree, parent *commit, a fileAction) (problem string) {
	if !validFilePath(a.path) || a.kind == "move" && !validFilePath(a.previous) {
		return "The path is not valid"
	}
	source := a.path
	if a.kind == "move" {
		source = a.previous
	}
	old, exists := t[source]
	if a.kind != "create" && !exists {
		return "A file with this name doesn't exist"
	}
	if a.lastCommit != "" && a.kind != "create" && r.changedSince(parent, source, a.lastCommit) {
		return "The file has changed since you started editing it"
	}
	if a.kind != "chmod" && a.kind != "update" {
		delete(t, source)
	}
	if a.kind == "delete" {
		return ""
	}
	if _, taken := t[a.path]; taken && a.kind == "move" || exists && a.kind == "create" {
		return "A file with this name already exists"
	}
	if t.blocks(a.path) {
		return "A file cannot be where a directory is"
	}
	t[a.path] = a.result(old)
	return ""
}

// result returns what a file becomes.
func (a fileAction) result(old treeEntry) treeEntry {
	made := old
	if a.hasContent && a.kind != "chmod" {
		made = old.with(a.content)
	}
	if a.executable != nil {
		made.executable = *a.executable
	}
	return made
}

// changedSince reports whether the last change of a file is another commit than
// the one with a hash.
func (r *repository) changedSince(head *commit, path, hash string) bool {
	last := r.lastChange(head, path)
	return last == nil || last.sha != hash
}
