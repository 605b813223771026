package servicetest

import (
	"time"

	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// A repository is what a project has committed.
type repository struct {
	*gitrepo.Repository

	project *Project
}

// repositories holds the repositories of a service, made on first use.
type repositories struct {
	store gitrepo.Store
	of    map[*Project]*repository
}

// repository returns the project's repository. It begins with a README on the
// default branch, unless the project was made with EmptyRepository.
func (p *Project) repository() *repository {
	all := state[repositories](p.svc)
	if r := all.of[p]; r != nil {
		r.SetHead(p.defaultBranch) // it may have changed
		return r
	}
	if all.of == nil {
		all.of = make(map[*Project]*repository)
	}
	r := &repository{all.store.New(p.defaultBranch), p}
	all.of[p] = r
	if !state[emptyRepositories](p.svc).has[p] {
		r.begin()
	}
	return r
}

// begin makes the first commit.
func (r *repository) begin() {
	author := r.project.svc.admin.signature(r.project.createdAt)
	r.SetBranch(r.project.defaultBranch, r.NewCommit(gitrepo.Draft{
		Tree:    gitrepo.Tree{"README.md": gitrepo.NewEntry([]byte("# " + r.project.name + "\n"))},
		Message: "Initial commit",
		Author:  author, Committer: author,
	}))
}

// signature returns the user's name on commits.
func (u *User) signature(at time.Time) gitrepo.Signature {
	return gitrepo.Signature{Name: u.name, Email: u.commitEmail, At: at}
}

// makeTag makes a tag of what a pipeline's ref was taken to be. A tag that
// exists stays as it is.
func (r *repository) makeTag(name string) {
	c := r.Branch(name)
	if c == nil || r.Tag(name) != nil {
		return
	}
	r.SetTag(name, c)
	if name != r.project.defaultBranch {
		r.DeleteBranch(name)
	}
}
