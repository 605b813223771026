package servicetest

import (
	"maps"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// A repository is the repository of a project.
type repository struct {
	*gitrepo.Repository

	project *Project
}

// repositories has the repositories of a service, which are made when they are
// first used.
type repositories struct {
	store gitrepo.Store
	of    map[*Project]*repository
}

// repository returns the project's repository. It starts with a README on the
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

// begin makes the first commit, which belongs to who created the project.
func (r *repository) begin() {
	author := r.project.creator.signature(r.project.createdAt)
	r.SetBranch(r.project.defaultBranch, r.NewCommit(gitrepo.Draft{
		Tree:    gitrepo.Tree{"README.md": gitrepo.NewEntry([]byte("# " + r.project.name + "\n"))},
		Message: "Initial commit",
		Author:  author, Committer: author,
	}))
}

// signature returns the user's signature for commits.
func (u *User) signature(at time.Time) gitrepo.Signature {
	return gitrepo.Signature{Name: u.name, Email: u.commitEmail, At: at}
}

// makeTag makes a tag for the ref of a pipeline. A tag that exists is left
// unchanged.
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

// emptyRepositories are the projects that start without a commit.
type emptyRepositories struct{ has map[*Project]bool }

// EmptyRepository makes a project without commits and branches. By default a
// project has a README.md on its default branch.
func EmptyRepository() ProjectOption {
	return projectOption(func(p *Project) {
		empty := state[emptyRepositories](p.svc)
		if empty.has == nil {
			empty.has = make(map[*Project]bool)
		}
		empty.has[p] = true
	})
}

// A CommitOption says what a seeded commit changes, who made it, or when.
type CommitOption interface{ applyCommit(s *seededCommit) }

type commitOption func(*seededCommit)

func (f commitOption) applyCommit(s *seededCommit) { f(s) }

// seededCommit is a commit while its options are applied.
type seededCommit struct {
	tree     gitrepo.Tree
	author   gitrepo.Signature
	problems []string
}

// Write creates a file in a commit, or replaces its content.
func Write(path, content string) CommitOption {
	return commitOption(func(s *seededCommit) {
		entry := s.tree[path].With([]byte(content))
		delete(s.tree, path)
		if !gitrepo.ValidPath(path) || s.tree.Blocks(path) {
			s.problems = append(s.problems, "no file can be at "+path)
		}
		s.tree[path] = entry
	})
}

// WriteExecutable is Write for an executable file.
func WriteExecutable(path, content string) CommitOption {
	return commitOption(func(s *seededCommit) {
		Write(path, content).applyCommit(s)
		entry := s.tree[path]
		entry.Executable = true
		s.tree[path] = entry
	})
}

// Remove deletes a file in a commit.
func Remove(path string) CommitOption {
	return commitOption(func(s *seededCommit) {
		if _, exists := s.tree[path]; !exists {
			s.problems = append(s.problems, "there is no file at "+path)
		}
		delete(s.tree, path)
	})
}

// CommitAuthor sets the author and committer of a commit. The default is Root.
func CommitAuthor(user *User) CommitOption {
	return commitOption(func(s *seededCommit) { s.author.Name, s.author.Email = user.name, user.commitEmail })
}

// CommittedAt sets when a commit was authored and committed. The default is the
// time of the service's clock.
func CommittedAt(at time.Time) CommitOption {
	return commitOption(func(s *seededCommit) { s.author.At = at.UTC() })
}

// Commit pushes a commit to a branch and returns its hash:
//
//	app.Commit("main", "Add a greeting", servicetest.Write("hello.txt", "Hello\n"))
//
// A branch that does not exist is made from the default branch.
func (p *Project) Commit(branch, message string, opts ...CommitOption) string {
	if p.svc.tb != nil {
		p.svc.tb.Helper()
	}
	defer p.svc.lock()()
	r := p.repository()
	head := r.Branch(branch)
	if head == nil {
		head = r.Branch(p.defaultBranch)
	}
	seeded := &seededCommit{tree: make(gitrepo.Tree), author: p.svc.admin.signature(p.svc.now())}
	d := gitrepo.Draft{Message: message}
	if head != nil {
		seeded.tree = maps.Clone(head.Tree)
		d.Parents = []*gitrepo.Commit{head}
	}
	for _, opt := range opts {
		opt.applyCommit(seeded)
	}
	if len(seeded.problems) > 0 {
		p.svc.fail("commit %q: %s", message, strings.Join(seeded.problems, ", "))
	}
	d.Tree, d.Author, d.Committer = seeded.tree, seeded.author, seeded.author
	c := r.NewCommit(d)
	r.SetBranch(branch, c)
	return c.SHA
}

// Branch makes a branch at another branch, a tag or a commit. If from is empty,
// it is made at the default branch.
func (p *Project) Branch(name, from string) {
	defer p.svc.lock()()
	p.repository().SetBranch(name, p.revision(from))
}

// Tag makes a tag at a branch, another tag or a commit. If from is empty, it is
// made at the default branch.
func (p *Project) Tag(name, from string) {
	defer p.svc.lock()()
	p.repository().SetTag(name, p.revision(from))
}

// revision returns a commit that must exist.
func (p *Project) revision(name string) *gitrepo.Commit {
	if name == "" {
		name = "HEAD"
	}
	c := p.repository().Resolve(name)
	if c == nil {
		p.svc.fail("%s has no branch, tag or commit %q", p.fullPath(), name)
	}
	return c
}

// Head returns the hash of a branch's last commit. It is empty if the branch
// does not exist.
func (p *Project) Head(branch string) string {
	defer p.svc.lock()()
	if c := p.repository().Branch(branch); c != nil {
		return c.SHA
	}
	return ""
}

// Branches returns the names of the project's branches in alphabetical order.
func (p *Project) Branches() []string {
	defer p.svc.lock()()
	return p.repository().Branches()
}

// File returns the content of a file on a branch, at a tag or in a commit, and
// whether the file exists.
func (p *Project) File(ref, path string) (content string, found bool) {
	defer p.svc.lock()()
	c := p.repository().Resolve(ref)
	if c == nil {
		return "", false
	}
	entry, found := c.Tree[path]
	if !found {
		return "", false
	}
	return string(entry.Data), true
}
