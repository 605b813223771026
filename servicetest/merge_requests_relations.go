package servicetest

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/gitrepo"
)

// dependencies keeps which merge requests wait for others.
type dependencies struct{ table[*dependency] }

// A dependency is a merge request that waits for another one.
type dependency struct {
	id                int64
	blocking, blocked *MergeRequest
}

func (d *dependency) key() int64 { return d.id }

// dependencies returns those in which the merge request waits, or is waited for.
func (m *MergeRequest) dependencies(waits bool) []*dependency {
	return state[dependencies](m.svc).all(func(d *dependency) bool {
		return waits && d.blocked == m || !waits && d.blocking == m
	})
}

// waits reports whether the merge request waits for one that is open.
func (m *MergeRequest) waits() bool {
	return m.svc.settings.tier >= Premium && slices.ContainsFunc(m.dependencies(true), func(d *dependency) bool {
		return d.blocking.state == "opened"
	})
}

// tellDependents looks again at the merge requests that wait for this one, and merges those
// that waited for nothing else.
func (m *MergeRequest) tellDependents(waiting []*dependency) {
	for _, d := range waiting {
		m.svc.touch(d.blocked)
		d.blocked.mergeIfReady()
	}
}

// endDependencies removes the dependencies of a merge request that is deleted.
func (m *MergeRequest) endDependencies() {
	waiting := m.dependencies(false)
	removeWhere(&state[dependencies](m.svc).table, func(d *dependency) bool {
		return d.blocking == m || d.blocked == m
	})
	m.tellDependents(waiting)
}

// requestDependencies are what a merge request waits for.
var requestDependencies = collection.Table[*call, *MergeRequest, dependency]{
	Param:   "block_id",
	ID:      (*dependency).key,
	Home:    (*call).findMergeRequest,
	Records: func(_ *call, m *MergeRequest) []*dependency { return m.dependencies(true) },
	New:     func(_ *call, m *MergeRequest) *dependency { return &dependency{blocked: m} },
	Read:    func(c *call, m *MergeRequest, d *dependency, _ bool) { d.blocking = c.blockingRequest(m) },
	Check:   func(c *call, m *MergeRequest, d, _ *dependency) *reply { return c.dependencyProblem(d.blocking, m) },
	Add: func(c *call, m *MergeRequest, d *dependency) {
		d.id, _ = state[dependencies](c.svc).add(0, d)
		c.svc.touch(m)
	},
	Remove: func(c *call, m *MergeRequest, d *dependency) {
		state[dependencies](c.svc).remove(d.id)
		m.tellDependents([]*dependency{d})
	},
	Extra: func(c *call, _ *MergeRequest, d *dependency, form *collection.Form) {
		form.Add("id", d.id)
		form.Add("project_id", d.blocking.project.id)
		if c.svc.canReadTarget(c.user, d.blocking) {
			form.Add("blocking_merge_request", d.blocking.json(false))
		}
		if c.svc.canReadTarget(c.user, d.blocked) {
			form.Add("blocked_merge_request", d.blocked.json(false))
		}
	},
}

// listDependents lists what waits for the merge request.
func listDependents(c *call, on *noteable) *reply {
	return requestDependencies.Page(c, on.mergeRequest, on.mergeRequest.dependencies(false))
}

func deleteDependency(c *call, on *noteable) *reply {
	if !on.mergeRequest.mayChange(c.user) {
		return frame.Message(http.StatusForbidden, "Lacking permissions to update the merge request")
	}
	return requestDependencies.Delete(c)
}

// blockingRequest returns the merge request that the parameters name, or nil if there is none.
func (c *call) blockingRequest(m *MergeRequest) *MergeRequest {
	const byID, byIID = "blocking_merge_request_id", "blocking_merge_request_iid"
	c.Exclusive(byID, byIID)
	if !c.Has(byID) && !c.Has(byIID) {
		c.Problem(byID + ", " + byIID + " are missing, exactly one parameter must be provided")
	}
	home, id, iid := m.project, c.Int64(byID), c.Int64(byIID)
	if name := c.String("blocking_project_id"); name != "" {
		home = c.svc.findProject(name)
	}
	return first(state[mergeRequestState](c.svc).requests.all(func(m *MergeRequest) bool {
		return m.id == id || m.project == home && m.iid == iid
	}))
}

// maxDependencies is how many merge requests one can wait for, and how many can wait for it.
const maxDependencies = 10

// dependencyProblem refuses a dependency that cannot be made.
func (c *call) dependencyProblem(blocking, m *MergeRequest) *reply {
	refuse := func(text string) *reply { return frame.Message(http.StatusBadRequest, text) }
	switch {
	case !m.mayChange(c.user):
		return frame.Message(http.StatusForbidden, "Lacking permissions to update the merge request")
	case blocking == nil:
		return frame.Message(http.StatusNotFound, "Blocking merge request not found")
	case !c.svc.canReadTarget(c.user, blocking):
		return frame.Message(http.StatusForbidden, "Lacking permissions to the blocking merge request")
	case blocking == m:
		return refuse("This block is self-referential")
	case slices.ContainsFunc(m.dependencies(true), func(d *dependency) bool { return d.blocking == blocking }):
		return frame.Conflict("Block already exists")
	case len(blocking.dependencies(false)) >= maxDependencies:
		return refuse("Merge request blocks the maximum number of merge requests (10)")
	case len(m.dependencies(true)) >= maxDependencies:
		return refuse("Merge request is blocked by the maximum number of merge requests (10)")
	}
	return nil
}

// listContextCommits lists the commits that reviewers see as context, newest first.
func listContextCommits(c *call, on *noteable) *reply {
	return frame.ListOf(c, on.mergeRequest.context, on.mergeRequest.project.repository().commitObject)
}

// contextCommits returns the commits of the target project that the parameter names.
func (c *call) contextCommits(m *MergeRequest) ([]*gitrepo.Commit, *reply) {
	c.Require("commits")
	hashes := c.Strings("commits")
	switch refusal := c.Refusal(); {
	case refusal != nil:
		return nil, refusal
	case len(hashes) == 0:
		return nil, frame.JSONReply(http.StatusBadRequest, object{"error": "commits is empty"})
	}
	var found []*gitrepo.Commit
	for _, hash := range hashes {
		commit := m.project.repository().Commit(hash)
		if commit == nil {
			return nil, frame.Message(http.StatusBadRequest, "One or more context commits' sha is not valid.")
		}
		if !slices.Contains(found, commit) {
			found = append(found, commit)
		}
	}
	return found, nil
}

func createContextCommits(c *call, on *noteable) *reply {
	m := on.mergeRequest
	found, refusal := c.contextCommits(m)
	if refusal != nil {
		return refusal
	}
	if len(c.Strings("commits")) > 20 {
		return frame.Message(http.StatusBadRequest, "Context commits array size should not be more than 20")
	}
	for _, commit := range found {
		if slices.Contains(m.context, commit) {
			return frame.Message(http.StatusBadRequest,
				fmt.Sprintf("Context commits: [%q] are already created", commit.SHA))
		}
	}
	m.context = append(slices.Clone(m.context), found...)
	slices.SortStableFunc(m.context, func(a, b *gitrepo.Commit) int { return b.Committer.At.Compare(a.Committer.At) })
	c.svc.touch(m)
	return c.Created(mapped(found, m.project.repository().commitObject))
}

func deleteContextCommits(c *call, on *noteable) *reply {
	gone, refusal := c.contextCommits(on.mergeRequest)
	if refusal != nil {
		return refusal
	}
	on.mergeRequest.context = slices.DeleteFunc(slices.Clone(on.mergeRequest.context),
		func(commit *gitrepo.Commit) bool { return slices.Contains(gone, commit) })
	c.svc.touch(on.mergeRequest)
	return c.NoContent()
}

// listRelatedIssues lists the issues that the merge request mentions, in the tracker that the
// project uses.
func listRelatedIssues(c *call, on *noteable) *reply {
	m, texts := on.mergeRequest, on.mergeRequest.texts()
	if titles := state[issueState](c.svc).external[m.project]; titles != nil {
		var found []externalIssue
		for key, title := range titles {
			if slices.ContainsFunc(texts, regexp.MustCompile(`\b`+regexp.QuoteMeta(key)+`\b`).MatchString) {
				found = append(found, externalIssue{key, title})
			}
		}
		slices.SortFunc(found, func(a, b externalIssue) int { return strings.Compare(a.ID, b.ID) })
		return frame.ListOf(c, found, func(i externalIssue) externalIssue { return i })
	}
	found := state[issueState](c.svc).issues.all(func(i *Issue) bool {
		return c.svc.canReadTarget(c.user, i) && names(texts, "#", i.iid, i.project, m.project)
	})
	return frame.ListOf(c, found, (*Issue).basicJSON)
}
