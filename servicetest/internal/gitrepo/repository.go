// Package gitrepo keeps Git repositories in memory: commits with trees of files,
// branches and tags, logs, diffs, merges and blame. Files have the same hashes as in
// git. Hashes of trees, commits and tags only look like those of git.
//
// Commits, trees and blobs never change, and repositories share them. Nothing in this
// package is safe for concurrent use.
package gitrepo

import (
	"cmp"
	"crypto/sha1"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"time"
	"weak"
)

// A Store is shared by repositories that can fetch from each other. It keeps a commit
// once, as long as any of them has it. Its zero value is ready for use.
type Store struct {
	commits map[string]weak.Pointer[Commit] // by hash; those that any repository has
	made    int                             // number of commits so far
}

// New returns an empty repository. HEAD is the branch with this name, once it exists.
func (s *Store) New(head string) *Repository {
	return &Repository{
		store:    s,
		head:     head,
		commits:  make(map[string]*Commit),
		branches: make(map[string]*Commit),
		tags:     make(map[string]*Tag),
		hidden:   make(map[string]*Commit),
		below:    make(map[string]int),
		Moved:    func(string) {},
	}
}

// A Repository is a set of commits, and the refs that name some of them. Make one with
// Store.New.
type Repository struct {
	store    *Store
	head     string
	commits  map[string]*Commit // by hash
	branches map[string]*Commit
	tags     map[string]*Tag
	hidden   map[string]*Commit // by full name, such as refs/merge-requests/1/merge
	below    map[string]int     // refs in each directory, such as refs/heads/feature

	// Moved is called with the full name of each branch and tag that was made, changed or
	// removed.
	Moved func(ref string)
}

// SetHead sets the branch that HEAD is. It need not exist yet.
func (r *Repository) SetHead(branch string) { r.head = branch }

// A Draft has everything that a commit is made from.
type Draft struct {
	Tree              Tree
	Parents           []*Commit
	Message           string
	Author, Committer Signature
}

// NewCommit makes a commit. No branch has it until SetBranch puts it there. Equal
// drafts make the same commit.
func (r *Repository) NewCommit(d Draft) *Commit {
	c := &Commit{Tree: d.Tree, Message: d.Message, Author: d.Author, Committer: d.Committer}
	hashed := []string{
		d.Tree.Hash(), d.Message,
		d.Author.Name, d.Author.Email, d.Author.At.Format(time.RFC3339Nano),
		d.Committer.Name, d.Committer.Email, d.Committer.At.Format(time.RFC3339Nano),
	}
	for _, parent := range d.Parents {
		c.Parents = append(c.Parents, parent.SHA)
		hashed = append(hashed, parent.SHA)
	}
	c.SHA = hashOf(hashed...)
	c = r.store.keep(c)
	r.commits[c.SHA] = c
	return c
}

// keep returns the stored commit with the hash of c.
func (s *Store) keep(c *Commit) *Commit {
	if same := s.commits[c.SHA].Value(); same != nil {
		return same
	}
	if s.commits == nil {
		s.commits = make(map[string]weak.Pointer[Commit])
	}
	s.made++
	c.seq = s.made
	s.commits[c.SHA] = weak.Make(c)
	return c
}

func hashOf(strs ...string) string {
	sum := sha1.Sum([]byte(strings.Join(strs, "\x00")))
	return hex.EncodeToString(sum[:])
}

// Commit returns the commit with a full hash, or nil if there is none.
func (r *Repository) Commit(sha string) *Commit { return r.commits[sha] }

// Commits returns all commits in the order in which they were made. Parents come before
// their children.
func (r *Repository) Commits() []*Commit {
	return slices.SortedFunc(maps.Values(r.commits), func(a, b *Commit) int { return cmp.Compare(a.seq, b.seq) })
}

// Parent returns the first parent of a commit, or nil if it has none.
func (r *Repository) Parent(c *Commit) *Commit {
	if len(c.Parents) == 0 {
		return nil
	}
	return r.commits[c.Parents[0]]
}

// ParentTree returns the tree that a commit changes: the tree of its first parent, or
// nil without a parent.
func (r *Repository) ParentTree(c *Commit) Tree {
	if parent := r.Parent(c); parent != nil {
		return parent.Tree
	}
	return nil
}

// Fetch copies a commit and its ancestors from another repository of the same store.
func (r *Repository) Fetch(from *Repository, c *Commit) {
	if r == from {
		return
	}
	for c := range from.Reachable(c) {
		r.commits[c.SHA] = c
	}
}
