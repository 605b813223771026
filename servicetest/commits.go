package servicetest

import (
	"errors"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// commitOf returns the commit of the path, and its repository.
func (c *call) commitOf() (*repository, *gitrepo.Commit, *reply) {
	project, refusal := c.project()
	if refusal != nil {
		return nil, nil, refusal
	}
	r := project.repository()
	found := r.Resolve(c.PathText("sha"))
	if found == nil {
		return nil, nil, frame.NotFound("Commit")
	}
	return r, found, nil
}

func getCommit(c *call) *reply {
	r, found, refusal := c.commitOf()
	if refusal != nil {
		return refusal
	}
	stats := c.Bool("stats", true)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	o := r.commitObject(found)
	o.withStatus(r, found)
	o.withLastPipeline(r, found)
	if stats {
		o.withStats(r, found)
	}
	return c.OK(o)
}

func listCommits(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	r := project.repository()
	commits, found := r.choose(c)
	withStats, trailers := c.Bool("with_stats", false), c.Bool("trailers", false)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if !found {
		return frame.NotFound("Commit")
	}
	return frame.ListOf(c, commits, func(commit *gitrepo.Commit) *commitObject {
		o := r.commitObject(commit)
		if withStats {
			o.withStats(r, commit)
		}
		if trailers {
			o.Trailers = commit.Trailers()
		}
		return o
	})
}

// choose returns the commits that a list asks for, or false if the ref does not
// exist.
func (r *repository) choose(c *call) ([]*gitrepo.Commit, bool) {
	commits, heads, found := r.history(c.Str("ref_name"), c.Bool("all", false))
	if path := strings.Trim(c.Str("path"), "/"); path != "" {
		commits = r.Touching(commits, heads, path)
	}
	if c.Bool("first_parent", false) {
		commits = r.FirstParents(commits, heads)
	}
	since, until, author := c.Time("since"), c.Time("until"), c.Str("author")
	commits = slices.DeleteFunc(slices.Clone(commits), func(commit *gitrepo.Commit) bool {
		at := commit.Committer.At
		return !frame.ContainsFold(commit.Author.Name, author) && !frame.ContainsFold(commit.Author.Email, author) ||
			!since.IsZero() && at.Before(since) || !until.IsZero() && at.After(until)
	})
	if c.OneOf("order", "default", "topo") == "topo" {
		commits = r.Topological(commits)
	}
	return commits, found
}

// history returns the commits of a ref, a range or everything, and where they
// begin. An empty repository has none.
func (r *repository) history(ref string, all bool) (commits, heads []*gitrepo.Commit, found bool) {
	if all {
		commits, heads = r.All()
		return commits, heads, true
	}
	if ref == "" && len(r.Branches()) == 0 {
		return nil, nil, true
	}
	commits, heads = r.Range(either(ref, "HEAD"))
	return commits, heads, heads != nil
}

type refObject struct {
	Type string `json:"type"`
	Name string `json:"name"`
}

func listCommitRefs(c *call) *reply {
	r, found, refusal := c.commitOf()
	if refusal != nil {
		return refusal
	}
	kind := c.OneOf("type", "branch", "tag", "all")
	var refs []refObject
	add := func(of, name string, head *gitrepo.Commit) {
		if (kind == "" || kind == "all" || kind == of) && r.Contains(head, found) {
			refs = append(refs, refObject{of, name})
		}
	}
	for _, name := range r.Branches() {
		add("branch", name, r.Branch(name))
	}
	for _, name := range r.Tags() {
		add("tag", name, r.Tag(name).Commit)
	}
	return frame.ListOf(c, refs, func(ref refObject) refObject { return ref })
}

func listCommitDiffs(c *call) *reply {
	r, found, refusal := c.commitOf()
	if refusal != nil {
		return refusal
	}
	unidiff := c.Bool("unidiff", false)
	return frame.ListOf(c, gitrepo.DiffTrees(r.ParentTree(found), found.Tree), func(change gitrepo.Change) diffObject {
		return unified(diffOf(change), unidiff)
	})
}

func cherryPick(c *call) *reply {
	return applyChangeset(c, func(r *repository, picked, head *gitrepo.Commit, by gitrepo.Signature) (*gitrepo.Commit, error) {
		message := picked.Message
		if c.Has("message") && !c.Null("message") {
			message = c.Str("message")
		}
		return r.CherryPick(picked, head, message, by)
	})
}

func revertCommit(c *call) *reply {
	return applyChangeset(c, func(r *repository, reverted, head *gitrepo.Commit, by gitrepo.Signature) (*gitrepo.Commit, error) {
		return r.Revert(reverted, head, by)
	})
}

// applyChangeset serves a cherry-pick or a revert.
func applyChangeset(c *call, apply func(r *repository, from, head *gitrepo.Commit, by gitrepo.Signature) (*gitrepo.Commit, error)) *reply {
	r, from, refusal := c.commitOf()
	if refusal != nil {
		return refusal
	}
	branch := c.Required("branch")
	dryRun := c.Bool("dry_run", false)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	head := r.Branch(branch)
	if head == nil {
		return frame.NotFound("Branch")
	}
	if !r.project.mayPush(c.user, branch) {
		return frame.Forbidden(notPushable)
	}
	made, err := apply(r, from, head, c.user.signature(c.now()))
	switch {
	case errors.Is(err, gitrepo.ErrEmptyChange):
		return changesetRefusal("The branch has this change already, or has changed since", "empty")
	case err != nil:
		return changesetRefusal("The change conflicts with what the branch holds", "conflict")
	case dryRun:
		return c.OK(object{"dry_run": "success"})
	}
	r.SetBranch(branch, made)
	return c.Created(r.commitObject(made))
}

func changesetRefusal(text, code string) *reply {
	return frame.JSONReply(400, object{"message": text, "error_code": code})
}
