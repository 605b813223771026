package servicetest

import (
	"errors"
	"slices"
	"strings"
)

// errEmptyChange says that a change has been made already.
var errEmptyChange = errors.New("there is nothing to change")

// errMergeConflict says that a change cannot be joined with what is there. It
// comes as a *conflictError.
var errMergeConflict = errors.New("conflict")

// A conflictError names the files that two changes do not agree on.
type conflictError struct{ paths []string }

func (e *conflictError) Error() string { return "conflict in " + strings.Join(e.paths, ", ") }
func (e *conflictError) Unwrap() error { return errMergeConflict }

// mergeTrees joins the changes that two trees made to a base.
func mergeTrees(base, ours, theirs tree) (tree, error) {
	merged := make(tree, len(ours))
	var conflicts []string
	for path := range union(base, ours, theirs) {
		entry, ok := mergeEntry(base[path], ours[path], theirs[path])
		if !ok {
			conflicts = append(conflicts, path)
		} else if entry.blob != nil {
			merged[path] = entry
		}
	}
	for path := range merged {
		if merged.blocks(path) { // a file here, a directory there
			conflicts = append(conflicts, path)
		}
	}
	if len(conflicts) > 0 {
		slices.Sort(conflicts)
		return nil, &conflictError{conflicts}
	}
	return merged, nil
}

func union(trees ...tree) map[string]bool {
	paths := make(map[string]bool)
	for _, t := range trees {
		for path := range t {
			paths[path] = true
		}
	}
	return paths
}

// mergeEntry joins the changes to one file. It reports false for a conflict.
func mergeEntry(base, ours, theirs treeEntry) (treeEntry, bool) {
	switch {
	case ours.equal(theirs), base.equal(theirs):
		return ours, true
	case base.equal(ours):
		return theirs, true
	case base.blob == nil || ours.blob == nil || theirs.blob == nil:
		return treeEntry{}, false
	}
	merged := ours
	if merged.executable == base.executable {
		merged.executable = theirs.executable
	}
	switch {
	case ours.id == theirs.id, base.id == theirs.id:
		return merged, true
	case base.id == ours.id:
		merged.blob = theirs.blob
		return merged, true
	case !base.isText() || !ours.isText() || !theirs.isText():
		return treeEntry{}, false
	}
	lines, ok := mergeLines(base.lines(), ours.lines(), theirs.lines())
	merged.blob = newBlob([]byte(strings.Join(lines, "")))
	return merged, ok
}

// mergedTree returns what merging source into target makes of target.
func (r *repository) mergedTree(target, source *commit) (tree, error) {
	if r.contains(target, source) {
		return nil, errEmptyChange
	}
	var base tree
	if c := r.mergeBase(target, source); c != nil {
		base = c.tree
	}
	return mergeTrees(base, target.tree, source.tree)
}

// mergeCommit makes the commit that merges source into target. It is on no
// branch. The error is errEmptyChange if target has all of source, or
// errMergeConflict.
func (r *repository) mergeCommit(target, source *commit, message string, by signature) (*commit, error) {
	merged, err := r.mergedTree(target, source)
	if err != nil {
		return nil, err
	}
	return r.newCommit(commitDraft{
		tree: merged, parents: []*commit{target, source}, message: message, author: by, committer: by,
	}), nil
}

// squashCommit makes one commit on top of target with all that source changed.
// It is on no branch. For the errors see mergeCommit.
func (r *repository) squashCommit(target, source *commit, message string, by signature) (*commit, error) {
	merged, err := r.mergedTree(target, source)
	if err != nil {
		return nil, err
	}
	if merged.equal(target.tree) {
		return nil, errEmptyChange
	}
	return r.newCommit(commitDraft{
		tree: merged, parents: []*commit{target}, message: message, author: by, committer: by,
	}), nil
}

// rebased makes the commits of source that onto does not have once more, on top
// of onto, and returns the last; source itself if it is on top of onto already.
// Merge commits and those that change nothing any more are left out.
func (r *repository) rebased(source, onto *commit, by signature) (*commit, error) {
	if r.contains(source, onto) {
		return source, nil
	}
	head := onto
	own := r.topological(r.between(onto, source))
	for _, c := range slices.Backward(own) {
		if len(c.parents) > 1 {
			continue
		}
		next, err := r.picked(c, head, c.message, by)
		if errors.Is(err, errEmptyChange) {
			continue
		}
		if err != nil {
			return nil, err
		}
		head = next
	}
	return head, nil
}

// picked makes a commit on top of head that changes what c changed, in the name
// of c's author. It is on no branch. The error is errEmptyChange if head has
// that change, or errMergeConflict.
func (r *repository) picked(c, head *commit, message string, by signature) (*commit, error) {
	return r.applied(r.parentTree(c), c.tree, head, commitDraft{message: message, author: c.author(), committer: by})
}

// reverted makes a commit on top of head that takes back what c changed. For
// the errors see picked.
func (r *repository) reverted(c, head *commit, by signature) (*commit, error) {
	message := `Revert "` + c.title() + "\"\n\nThis reverts commit " + c.sha
	return r.applied(c.tree, r.parentTree(c), head, commitDraft{message: message, author: by, committer: by})
}

// applied makes a commit on top of head with the change between two trees.
func (r *repository) applied(from, to tree, head *commit, d commitDraft) (*commit, error) {
	merged, err := mergeTrees(from, head.tree, to)
	if err != nil {
		return nil, err
	}
	if merged.equal(head.tree) {
		return nil, errEmptyChange
	}
	d.tree, d.parents = merged, []*commit{head}
	return r.newCommit(d), nil
}
