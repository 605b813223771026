package gitrepo

import (
	"errors"
	"maps"
	"slices"
	"strings"
)

// Errors of changes to branches and tags.
var (
	ErrRefName   = errors.New("not a valid name of a branch or tag")
	ErrRefExists = errors.New("a branch or tag with this name exists")
)

// A Tag is a fixed name for a commit.
type Tag struct {
	Name    string
	Commit  *Commit
	ID      string    // hash of the tag, or of the commit unless the tag is annotated
	Message string    // empty unless the tag is annotated
	Tagger  Signature // zero unless the tag is annotated
}

// Annotated reports whether the tag has a message of its own.
func (t *Tag) Annotated() bool { return t.Message != "" }

// Branches returns the names of all branches in alphabetical order.
func (r *Repository) Branches() []string { return slices.Sorted(maps.Keys(r.branches)) }

// Branch returns the head of a branch, or nil if there is no such branch.
func (r *Repository) Branch(name string) *Commit { return r.branches[name] }

// SetBranch makes a branch point at a commit. It makes the branch if there is none.
func (r *Repository) SetBranch(name string, to *Commit) {
	made := r.branches[name] == nil
	r.branches[name] = to
	r.moved("refs/heads/"+name, made, 1)
}

// CreateBranch makes a branch. The error is ErrRefName or ErrRefExists.
func (r *Repository) CreateBranch(name string, at *Commit) error {
	if !ValidRefName(name) {
		return ErrRefName
	}
	if taken(r, r.branches, "refs/heads/", name) {
		return ErrRefExists
	}
	r.SetBranch(name, at)
	return nil
}

// DeleteBranch removes a branch and reports whether there was one. The commits stay.
func (r *Repository) DeleteBranch(name string) bool {
	_, exists := r.branches[name]
	delete(r.branches, name)
	r.moved("refs/heads/"+name, exists, -1)
	return exists
}

// Tags returns the names of all tags in alphabetical order.
func (r *Repository) Tags() []string { return slices.Sorted(maps.Keys(r.tags)) }

// Tag returns a tag, or nil if there is no such tag.
func (r *Repository) Tag(name string) *Tag { return r.tags[name] }

// SetTag makes a tag without a message point at a commit, whether it is new or not.
func (r *Repository) SetTag(name string, to *Commit) {
	r.setTag(&Tag{Name: name, Commit: to, ID: to.SHA})
}

// CreateTag makes a tag. With a message, it is annotated and has a hash of its own.
// Without one, the tagger is not kept. The error is ErrRefName or ErrRefExists.
func (r *Repository) CreateTag(name string, at *Commit, message string, tagger Signature) (*Tag, error) {
	if !ValidRefName(name) {
		return nil, ErrRefName
	}
	if taken(r, r.tags, "refs/tags/", name) {
		return nil, ErrRefExists
	}
	made := &Tag{Name: name, Commit: at, ID: at.SHA}
	if message != "" {
		made.Message, made.Tagger = message, tagger
		made.ID = hashOf("tag", name, at.SHA, message, tagger.Name, tagger.Email, tagger.At.UTC().String())
	}
	r.setTag(made)
	return made, nil
}

func (r *Repository) setTag(t *Tag) {
	made := r.tags[t.Name] == nil
	r.tags[t.Name] = t
	r.moved("refs/tags/"+t.Name, made, 1)
}

// DeleteTag removes a tag and reports whether there was one.
func (r *Repository) DeleteTag(name string) bool {
	_, exists := r.tags[name]
	delete(r.tags, name)
	r.moved("refs/tags/"+name, exists, -1)
	return exists
}

// SetHidden makes a ref that is neither a branch nor a tag point at a commit. name is
// the full name, for example "refs/merge-requests/1/merge".
func (r *Repository) SetHidden(name string, to *Commit) { r.hidden[name] = to }

// taken reports whether a name is in use, or conflicts with a name in use
// because one is a directory of the other.
func taken[T any](r *Repository, refs map[string]T, kind, name string) bool {
	_, is := refs[name]
	for i := range name {
		if _, above := refs[name[:i]]; above && name[i] == '/' {
			return true
		}
	}
	return is || r.below[kind+name] > 0
}

// moved reports a change of a ref, and counts a new or removed ref in its directories.
func (r *Repository) moved(ref string, counted bool, n int) {
	for i := 0; counted && i < len(ref); i++ {
		if ref[i] == '/' {
			r.below[ref[:i]] += n
		}
	}
	r.Moved(ref)
}

// ValidRefName reports whether git check-ref-format allows the name for a branch or a
// tag.
func ValidRefName(name string) bool {
	if name == "" || name == "@" || name == "HEAD" || strings.HasPrefix(name, "-") || strings.HasSuffix(name, ".") {
		return false
	}
	if strings.Contains(name, "..") || strings.Contains(name, "@{") || strings.ContainsAny(name, " ~^:?*[\\\x7f") {
		return false
	}
	if strings.ContainsFunc(name, func(char rune) bool { return char < ' ' }) {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || strings.HasPrefix(part, ".") || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return true
}

// shortestHash is the minimum length of an abbreviated hash.
const shortestHash = 7

// Resolve returns the commit that a name means: a branch, a tag, a hidden ref, HEAD, or
// a hash of at least 7 characters. It returns nil if there is none, or if several
// hashes begin that way. Branches win over tags, unless the name begins with
// refs/tags/.
func (r *Repository) Resolve(name string) *Commit {
	if tag, isTag := strings.CutPrefix(name, "refs/tags/"); isTag {
		return r.tags[tag].target()
	}
	if branch, isBranch := strings.CutPrefix(name, "refs/heads/"); isBranch {
		return r.branches[branch]
	}
	switch {
	case r.branches[name] != nil:
		return r.branches[name]
	case r.tags[name] != nil:
		return r.tags[name].Commit
	case name == "HEAD":
		return r.branches[r.head]
	case r.hidden[name] != nil:
		return r.hidden[name]
	case r.commits[name] != nil:
		return r.commits[name]
	case len(name) < shortestHash:
		return nil
	}
	return r.abbreviated(name)
}

func (t *Tag) target() *Commit {
	if t == nil {
		return nil
	}
	return t.Commit
}

// abbreviated returns the only commit whose hash begins with a prefix.
func (r *Repository) abbreviated(prefix string) *Commit {
	var found *Commit
	for hash, c := range r.commits {
		if strings.HasPrefix(hash, prefix) {
			if found != nil {
				return nil // ambiguous
			}
			found = c
		}
	}
	return found
}
