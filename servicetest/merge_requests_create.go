package servicetest

import (
	"net/http"
	"slices"

	"example.com/serviceapi/servicetest/internal/frame"
)

func createMergeRequest(c *call) *reply {
	source, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	c.Require("source_branch", "target_branch", "title")
	target := source
	if id := c.Int64("target_project_id"); id != 0 && id != source.id {
		var ok bool
		if target, ok = c.svc.projects.get(id); !ok || !c.seesProject(target) {
			return c.unfit("Target project is out of reach")
		}
	}
	if target.archived {
		return frame.Forbidden("")
	}
	m := target.draftMergeRequest(source, c.user)
	m.sourceBranch, m.targetBranch = c.Str("source_branch"), c.Str("target_branch")
	m.applyDefaults()
	if refusal := c.changeMergeRequest(m); refusal != nil {
		return refusal
	}
	if refusal := c.branchProblem(m); refusal != nil {
		return refusal
	}
	if n := c.Int64("approvals_before_merge"); c.Has("approvals_before_merge") && c.hasTier(Premium) {
		m.approvals = &n
	}
	m.store()
	m.tellOpening(c.user)
	m.prepare()
	return c.Created(c.details(m))
}

// unfit returns a 422 with a reason.
func (c *call) unfit(reason string) *reply {
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	return frame.JSONReply(http.StatusUnprocessableEntity, object{"message": []string{reason}})
}

// branchProblem refuses a merge request whose branches cannot be merged, or
// that already have an open one.
func (c *call) branchProblem(m *MergeRequest) *reply {
	if m.source == m.project && m.sourceBranch == m.targetBranch {
		return c.unfit("You can't use same project/branch for source and target")
	}
	if m.source != m.project && !m.source.isForkOf(m.project) {
		return c.unfit("Source project is not a fork of the target project")
	}
	if m.source.repository().Branch(m.sourceBranch) == nil {
		return frame.FieldErrors("source_branch", "does not exist")
	}
	if m.project.repository().Branch(m.targetBranch) == nil {
		return frame.FieldErrors("target_branch", "does not exist")
	}
	for _, other := range m.project.mergeRequests().all(nil) {
		if other != m && other.state == "opened" && other.source == m.source && other.sourceBranch == m.sourceBranch &&
			other.targetBranch == m.targetBranch && other.iid != m.iid {
			return frame.JSONReply(http.StatusConflict, object{"message": []string{
				"Another open merge request already exists for this source branch: !" + frame.Itoa(other.iid),
			}})
		}
	}
	return nil
}

// isForkOf reports whether a project can have merge requests to another: it was
// forked from it, or has one of its commits.
func (p *Project) isForkOf(other *Project) bool {
	first := other.repository().Branch(other.defaultBranch)
	return first != nil && p.repository().Commit(first.SHA) != nil
}

// changeMergeRequest applies what opening and updating have in common to a
// draft.
func (c *call) changeMergeRequest(m *MergeRequest) *reply {
	if c.Has("reviewer_ids") {
		m.reviewers = c.usersOf("reviewer_ids")
		if len(m.reviewers) > 1 && !c.hasTier(Premium) {
			m.reviewers = m.reviewers[:1]
		}
	}
	m.removeSource = c.Bool("remove_source_branch", m.removeSource)
	m.squash = c.Bool("squash", m.squash)
	m.allowsPush = c.Bool("allow_collaboration", c.Bool("allow_maintainer_to_push", m.allowsPush)) && m.source != m.project
	if c.Has("merge_after") {
		m.mergeAfter = c.Time("merge_after")
	}
	return c.changeTopic(&m.topic, m.project)
}

func updateMergeRequest(c *call) *reply {
	m, refusal := c.findMergeRequest()
	if refusal != nil {
		return refusal
	}
	if !m.mayMerge(c.user) && c.user != m.author && !slices.Contains(m.assignees, c.user) {
		return frame.Forbidden("")
	}
	if refusal := c.changesNothing("target_branch", "title", "state_event", "add_labels", "remove_labels", "discussion_locked",
		"allow_collaboration", "allow_maintainer_to_push", "assignee_id", "assignee_ids", "description", "labels", "merge_after", "milestone_id",
		"remove_source_branch", "reviewer_ids", "squash"); refusal != nil {
		return refusal
	}
	event := c.OneOf("state_event", "close", "reopen")
	edited := *m
	if branch := c.Str("target_branch"); branch != "" {
		edited.targetBranch = branch
	}
	if refusal := c.changeMergeRequest(&edited); refusal != nil {
		return refusal
	}
	if refusal := c.Unchanged(m.updatedAt); refusal != nil {
		return refusal
	}
	if edited.targetBranch != m.targetBranch || event == "reopen" && m.state == "closed" {
		if refusal := c.branchProblem(&edited); refusal != nil {
			return refusal
		}
	}
	before := *m
	*m = edited
	m.project.keepLabels(m.labels)
	m.tellChanges(before, c.user)
	if event != "" {
		m.setOpen(event == "reopen", c.user)
	}
	m.check()
	m.change()
	m.mergeIfReady()
	return c.OK(c.details(m))
}

func deleteMergeRequest(c *call) *reply {
	m, refusal := c.findMergeRequest()
	if refusal != nil {
		return refusal
	}
	if refusal := c.Unchanged(m.updatedAt); refusal != nil {
		return refusal
	}
	m.remove()
	return c.NoContent()
}
