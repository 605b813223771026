package servicetest

import (
	"errors"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// commitOf returns the commit of the path, and its repository.
func (c *call) commitOf() (*repository, *gitrepo.Commit, *reply) {
	project, refusal := c.project()
	if refusal != nil {
		return nil, nil, refusal
	}
	r := project.repository()
	found := r.Resolve(c.pathText("sha"))
	if found == nil {
		return nil, nil, notFound("Commit")
	}
	return r, found, nil
}

func getCommit(c *call) *reply {
	r, found, refusal := c.commitOf()
	if refusal != nil {
		return refusal
	}
	stats := c.bool("stats", true)
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	o := r.commitObject(found)
	o.withStatus(r, found)
	o.withLastPipeline(r, found)
	if stats {
		o.withStats(r, found)
	}
	return c.ok(o)
}

func listCommits(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	r := project.repository()
	commits, found := r.choose(c)
	withStats, trailers := c.bool("with_stats", false), c.bool("trailers", false)
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	if !found {
		return notFound("Commit")
	}
	return listOf(c, commits, func(commit *gitrepo.Commit) *commitObject {
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
	commits, heads, found := r.history(c.str("ref_name"), c.bool("all", false))
	if path := strings.Trim(c.str("path"), "/"); path != "" {
		commits = r.Touching(commits, heads, path)
	}
	if c.bool("first_parent", false) {
		commits = r.FirstParents(commits, heads)
	}
	since, until, author := c.time("since"), c.time("until"), c.str("author")
	commits = slices.DeleteFunc(slices.Clone(commits), func(commit *gitrepo.Commit) bool {
		at := commit.Committer.At
		return !containsFold(commit.Author.Name, author) && !containsFold(commit.Author.Email, author) ||
			!since.IsZero() && at.Before(since) || !until.IsZero() && at.After(until)
	})
	if c.oneOf("order", "default", "topo") == "topo" {
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
	kind := c.oneOf("type", "branch", "tag", "all")
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
	return listOf(c, refs, func(ref refObject) refObject { return ref })
}

func listCommitDiffs(c *call) *reply {
	r, found, refusal := c.commitOf()
	if refusal != nil {
		return refusal
	}
	unidiff := c.bool("unidiff", false)
	return listOf(c, gitrepo.DiffTrees(r.ParentTree(found), found.Tree), func(change gitrepo.Change) diffObject {
		return unified(diffOf(change), unidiff)
	})
}

func cherryPick(c *call) *reply {
	return applyChangeset(c, func(r *repository, picked, head *gitrepo.Commit, by gitrepo.Signature) (*gitrepo.Commit, error) {
		message := picked.Message
		if c.has("message") && !c.null("message") {
			message = c.str("message")
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
	branch := c.required("branch")
	dryRun := c.bool("dry_run", false)
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	head := r.Branch(branch)
	if head == nil {
		return notFound("Branch")
	}
	if !r.project.mayPush(c.user, branch) {
		return forbidden(notPushable)
	}
	made, err := apply(r, from, head, c.user.signature(c.now()))
	switch {
	case errors.Is(err, gitrepo.ErrEmptyChange):
		return changesetRefusal("The branch has this change already, or has changed since", "empty")
	case err != nil:
		return changesetRefusal("The change conflicts with what the branch holds", "conflict")
	case dryRun:
		return c.ok(object{"dry_run": "success"})
	}
	r.SetBranch(branch, made)
	return c.created(r.commitObject(made))
}

func changesetRefusal(text, code string) *reply {
	return jsonReply(400, object{"message": text, "error_code": code})
}
