package gitrepo

import (
	"errors"
	"maps"
)

// Errors of Apply. The error of a single action is wrapped in an *ActionError.
var (
	ErrNoBranch     = errors.New("the branch does not exist")
	ErrBranchExists = errors.New("the branch exists and does not begin at the given commit")
	ErrPath         = errors.New("not a valid path")
	ErrNoFile       = errors.New("the file does not exist")
	ErrFileExists   = errors.New("the file exists")
	ErrFileChanged  = errors.New("the file has changed since the given commit")
	ErrBlocked      = errors.New("a file cannot be where a directory is")
)

// An ActionError says for which file an action of a commit failed.
type ActionError struct {
	Path string
	Err  error
}

func (e *ActionError) Error() string { return e.Path + ": " + e.Err.Error() }
func (e *ActionError) Unwrap() error { return e.Err }

// An ActionKind is what happens to a file.
type ActionKind string

// The kinds of actions.
const (
	Create ActionKind = "create"
	Update ActionKind = "update"
	Delete ActionKind = "delete"
	Move   ActionKind = "move"
	Chmod  ActionKind = "chmod"
)

// An Action is one change of a commit.
type Action struct {
	Kind       ActionKind
	Path       string
	Previous   string // the old path of a moved file
	Content    []byte
	HasContent bool   // if false, a moved file keeps its content
	Executable *bool  // nil leaves it unchanged
	LastCommit string // the last commit of the file that the caller knows; may be empty
}

// A Request is a commit that a caller asks for.
type Request struct {
	Branch, Message   string
	Start             *Commit // where a new branch starts; nil if not given
	Force             bool    // Start replaces the head of the branch
	Author, Committer Signature
	Actions           []Action
	AllowEmpty        bool // a commit without actions may change nothing
}

// Apply makes a commit and moves its branch there. In an empty repository, it makes the
// branch. The error is ErrEmptyChange if the commit would change nothing, or one of the
// errors above.
func (r *Repository) Apply(req Request) (*Commit, error) {
	parent, err := r.startOf(req)
	if err != nil {
		return nil, err
	}
	d := Draft{Tree: make(Tree), Message: req.Message, Author: req.Author, Committer: req.Committer}
	if parent != nil {
		d.Tree, d.Parents = maps.Clone(parent.Tree), []*Commit{parent}
	}
	for _, a := range req.Actions {
		if err := r.change(d.Tree, parent, a); err != nil {
			return nil, &ActionError{a.Path, err}
		}
	}
	mayBeEmpty := req.AllowEmpty && len(req.Actions) == 0
	if parent != nil && d.Tree.Equal(parent.Tree) && !mayBeEmpty {
		return nil, ErrEmptyChange
	}
	made := r.NewCommit(d)
	r.SetBranch(req.Branch, made)
	return made, nil
}

// startOf returns the parent of the new commit, or nil in an empty repository.
func (r *Repository) startOf(req Request) (*Commit, error) {
	head := r.Branch(req.Branch)
	switch {
	case req.Start == nil && head == nil && len(r.branches) > 0:
		return nil, ErrNoBranch
	case req.Start == nil || req.Start == head:
		return head, nil
	case head != nil && !req.Force:
		return nil, ErrBranchExists
	}
	return req.Start, nil
}

// change applies one change to a tree, which is a copy of the parent's.
func (r *Repository) change(t Tree, parent *Commit, a Action) error {
	if !ValidPath(a.Path) || a.Kind == Move && !ValidPath(a.Previous) {
		return ErrPath
	}
	source := a.Path
	if a.Kind == Move {
		source = a.Previous
	}
	old, exists := t[source]
	if a.Kind != Create && !exists {
		return ErrNoFile
	}
	if a.LastCommit != "" && a.Kind != Create && r.changedSince(parent, source, a.LastCommit) {
		return ErrFileChanged
	}
	if a.Kind != Chmod && a.Kind != Update {
		delete(t, source)
	}
	if a.Kind == Delete {
		return nil
	}
	if t[a.Path].Exists() && a.Kind == Move || exists && a.Kind == Create {
		return ErrFileExists
	}
	if t.Blocks(a.Path) {
		return ErrBlocked
	}
	t[a.Path] = a.result(old)
	return nil
}

// result returns the file after the change.
func (a Action) result(old Entry) Entry {
	made := old
	if a.HasContent && a.Kind != Chmod {
		made = old.With(a.Content)
	}
	if a.Executable != nil {
		made.Executable = *a.Executable
	}
	return made
}

// changedSince reports whether the last commit that changed a file is not the
// one with this hash.
func (r *Repository) changedSince(head *Commit, path, hash string) bool {
	last := r.LastChange(head, path)
	return last == nil || last.SHA != hash
}
