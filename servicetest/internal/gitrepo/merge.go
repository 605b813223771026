package gitrepo

import (
	"errors"
	"slices"
	"strings"
)

// ErrEmptyChange means that a change has already been made.
var ErrEmptyChange = errors.New("there is nothing to change")

// ErrConflict means that a change conflicts with the current state. It is
// wrapped in a *ConflictError.
var ErrConflict = errors.New("conflict")

// A ConflictError names the files in which two changes conflict.
type ConflictError struct{ Paths []string }

func (e *ConflictError) Error() string { return "conflict in " + strings.Join(e.Paths, ", ") }
func (e *ConflictError) Unwrap() error { return ErrConflict }

// MergeTrees joins the changes that two trees made to a base, which may be nil.
// The error is a *ConflictError.
func MergeTrees(base, ours, theirs Tree) (Tree, error) {
	merged := make(Tree, len(ours))
	var conflicts []string
	for path := range union(base, ours, theirs) {
		entry, ok := mergeEntry(base[path], ours[path], theirs[path])
		if !ok {
			conflicts = append(conflicts, path)
		} else if entry.Exists() {
			merged[path] = entry
		}
	}
	for path := range merged {
		if merged.Blocks(path) { // a file on one side, a directory on the other
			conflicts = append(conflicts, path)
		}
	}
	if len(conflicts) > 0 {
		slices.Sort(conflicts)
		return nil, &ConflictError{conflicts}
	}
	return merged, nil
}

func union(trees ...Tree) map[string]bool {
	paths := make(map[string]bool)
	for _, t := range trees {
		for path := range t {
			paths[path] = true
		}
	}
	return paths
}

// mergeEntry merges the changes to one file. It reports false for a conflict.
func mergeEntry(base, ours, theirs Entry) (Entry, bool) {
	switch {
	case ours.Equal(theirs), base.Equal(theirs):
		return ours, true
	case base.Equal(ours):
		return theirs, true
	case !base.Exists() || !ours.Exists() || !theirs.Exists():
		return Entry{}, false
	}
	merged := ours
	if merged.Executable == base.Executable {
		merged.Executable = theirs.Executable
	}
	switch {
	case ours.ID == theirs.ID, base.ID == theirs.ID:
		return merged, true
	case base.ID == ours.ID:
		merged.Blob = theirs.Blob
		return merged, true
	case !base.IsText() || !ours.IsText() || !theirs.IsText():
		return Entry{}, false
	}
	lines, ok := mergeLines(base.Lines(), ours.Lines(), theirs.Lines())
	merged.Blob = NewBlob([]byte(strings.Join(lines, "")))
	return merged, ok
}

// MergedTree returns the tree of target after merging source into it. The error is
// ErrEmptyChange if target has all of source, or a *ConflictError.
func (r *Repository) MergedTree(target, source *Commit) (Tree, error) {
	if r.Contains(target, source) {
		return nil, ErrEmptyChange
	}
	var base Tree
	if c := r.MergeBase(target, source); c != nil {
		base = c.Tree
	}
	return MergeTrees(base, target.Tree, source.Tree)
}

// MergeCommit makes the commit that merges source into target. No branch has it yet.
// The error is ErrEmptyChange if target has all of source, or ErrConflict.
func (r *Repository) MergeCommit(target, source *Commit, message string, by Signature) (*Commit, error) {
	merged, err := r.MergedTree(target, source)
	if err != nil {
		return nil, err
	}
	return r.NewCommit(Draft{
		Tree: merged, Parents: []*Commit{target, source}, Message: message, Author: by, Committer: by,
	}), nil
}

// SquashCommit makes one commit on top of target with everything that source changed.
// No branch has it yet. Its errors are those of MergeCommit.
func (r *Repository) SquashCommit(target, source *Commit, message string, by Signature) (*Commit, error) {
	merged, err := r.MergedTree(target, source)
	if err != nil {
		return nil, err
	}
	if merged.Equal(target.Tree) {
		return nil, ErrEmptyChange
	}
	return r.NewCommit(Draft{
		Tree: merged, Parents: []*Commit{target}, Message: message, Author: by, Committer: by,
	}), nil
}

// Rebase copies the commits of source that onto does not have to the top of onto, and
// returns the last one. If source is already on top of onto, Rebase returns source
// itself. It leaves out merge commits and those that no longer change anything.
func (r *Repository) Rebase(source, onto *Commit, by Signature) (*Commit, error) {
	if r.Contains(source, onto) {
		return source, nil
	}
	head := onto
	own := r.Topological(r.Between(onto, source))
	for _, c := range slices.Backward(own) {
		if len(c.Parents) > 1 {
			continue
		}
		next, err := r.CherryPick(c, head, c.Message, by)
		if errors.Is(err, ErrEmptyChange) {
			continue
		}
		if err != nil {
			return nil, err
		}
		head = next
	}
	return head, nil
}

// CherryPick makes a commit on top of head with the changes of c, in the name of c's
// author. No branch has it yet. The error is ErrEmptyChange if head has those changes,
// or ErrConflict.
func (r *Repository) CherryPick(c, head *Commit, message string, by Signature) (*Commit, error) {
	return r.applied(r.ParentTree(c), c.Tree, head, Draft{Message: message, Author: c.Author, Committer: by})
}

// Revert makes a commit on top of head that undoes the changes of c. Its errors are
// those of CherryPick.
func (r *Repository) Revert(c, head *Commit, by Signature) (*Commit, error) {
	message := `Revert "` + c.Title() + "\"\n\nThis reverts commit " + c.SHA
	return r.applied(c.Tree, r.ParentTree(c), head, Draft{Message: message, Author: by, Committer: by})
}

// applied makes a commit on top of head with the changes between two trees.
func (r *Repository) applied(from, to Tree, head *Commit, d Draft) (*Commit, error) {
	merged, err := MergeTrees(from, head.Tree, to)
	if err != nil {
		return nil, err
	}
	if merged.Equal(head.Tree) {
		return nil, ErrEmptyChange
	}
	d.Tree, d.Parents = merged, []*Commit{head}
	return r.NewCommit(d), nil
}
