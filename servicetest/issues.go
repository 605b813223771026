package servicetest

import (
	"net/http"
	"slices"

	"example.com/serviceapi/servicetest/internal/frame"
)

// listIssues also serves callers without a credential, if they ask for all
// issues.
func listIssues(c *call) *reply {
	if c.user == nil && c.Str("scope") != "all" {
		return frame.Unauthorized()
	}
	return c.issueList(ofInstance, func(i *Issue) bool { return c.seesIssuesOf(i.project) })
}

func listGroupIssues(c *call) *reply {
	group, refusal := c.group()
	if refusal != nil {
		return refusal
	}
	return c.issueList(ofGroup, func(i *Issue) bool { return i.project.within(group) && c.seesIssuesOf(i.project) })
}

func listProjectIssues(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	return c.issueList(ofProject, func(i *Issue) bool { return i.project == project })
}

// seesProject reports whether a project exists and is visible to the caller.
func (c *call) seesProject(p *Project) bool {
	return c.svc.hasProject(p) && c.svc.canSeeProject(c.user, p)
}

// seesIssuesOf reports whether a project exists and shows its issues to the
// caller.
func (c *call) seesIssuesOf(p *Project) bool { return c.seesProject(p) && p.serves(c.user, "issues") }

// issueList returns a page of the issues for which of reports true.
func (c *call) issueList(owner listOwner, of func(*Issue) bool) *reply {
	f, refusal := c.issueFilter(owner)
	if refusal != nil {
		return refusal
	}
	kept := f.Apply(state[issueState](c.svc).issues.all(func(i *Issue) bool { return of(i) && i.visibleTo(c.user) }))
	c.sortIssues(kept)
	details := c.Bool("with_labels_details", false)
	return frame.ListOf(c, kept, func(i *Issue) *issueJSON { return i.json(details) })
}

func getIssue(c *call) *reply {
	issue, refusal := c.findIssue()
	if refusal != nil {
		return refusal
	}
	return c.OK(c.issueDetails(issue))
}

func createIssue(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	draft := project.draftIssue(c.user)
	if refusal := c.resolveThreads(draft); refusal != nil {
		return refusal
	}
	if draft.title == "" {
		c.Require("title")
	}
	iid, at := c.Int64("iid"), c.Time("created_at")
	if refusal := c.changeIssue(draft); refusal != nil {
		return refusal
	}
	if (iid != 0 || !at.IsZero()) && c.svc.projectLevel(c.user, project) < Owner {
		return frame.Forbidden("")
	}
	if _, taken := project.issues().get(iid); taken {
		return frame.Conflict("Duplicated issue")
	}
	if !at.IsZero() {
		draft.createdAt = at
	}
	draft.store(iid)
	draft.tellOpening(c.user)
	return c.Created(c.issueDetails(draft))
}

// resolveThreads completes the draft of an issue that resolves the threads of a
// merge request.
func (c *call) resolveThreads(draft *Issue) *reply {
	iid, thread := c.Int64("merge_request_to_resolve_discussions_of"), c.Str("discussion_to_resolve")
	if iid == 0 {
		return nil
	}
	m, ok := draft.project.mergeRequests().get(iid)
	if !ok {
		return frame.NotFound("Merge Request")
	}
	draft.title = "Follow-up from \"" + m.title + "\""
	draft.description = "The following discussion from !" + frame.Itoa(iid) + " should be addressed:\n"
	for _, t := range m.threads() {
		if t.unresolved() && (thread == "" || t.id == thread) {
			draft.description += "\n- [ ] " + t.notes[0].body
		}
	}
	return nil
}

// changeIssue applies the parameters of a call to a draft.
func (c *call) changeIssue(i *Issue) *reply {
	if kind := c.OneOf("issue_type", issueKinds...); kind != "" {
		i.kind = kind
	}
	i.confidential = c.Bool("confidential", i.confidential)
	if c.Has("due_date") {
		i.dueDate = c.Time("due_date")
	}
	if refusal := c.changePremiumIssue(i); refusal != nil {
		return refusal
	}
	return c.changeTopic(&i.topic, i.project)
}

// changePremiumIssue applies the parameters of the Premium tier, which lower
// tiers ignore.
func (c *call) changePremiumIssue(i *Issue) *reply {
	if !c.hasTier(Premium) {
		return nil
	}
	if c.Has("weight") {
		if i.weight = nil; c.Str("weight") != "" {
			weight := c.Int64("weight")
			if i.weight = &weight; weight < 0 {
				return frame.FieldErrors("weight", "must be greater than or equal to 0")
			}
		}
	}
	if id := c.Int64("epic_id"); c.Has("epic_id") {
		if i.epic = nil; id != 0 {
			epic, ok := state[epicState](c.svc).epics.get(id)
			if !ok || !i.project.within(epic.group) {
				return frame.NotFound("Epic")
			}
			i.epic = epic
		}
	}
	return nil
}

func updateIssue(c *call) *reply {
	issue, refusal := c.findIssue()
	if refusal != nil {
		return refusal
	}
	level := c.svc.projectLevel(c.user, issue.project)
	if level < Reporter && c.user != issue.author && !slices.Contains(issue.assignees, c.user) {
		return frame.Forbidden("")
	}
	if refusal := c.changesNothing("title", "description", "assignee_ids", "assignee_id", "milestone_id", "labels", "due_date", "confidential",
		"issue_type", "weight", "epic_id", "add_labels", "remove_labels", "state_event", "discussion_locked", "updated_at"); refusal != nil {
		return refusal
	}
	event, at := c.OneOf("state_event", "close", "reopen"), c.Time("updated_at")
	edited := *issue
	if refusal := c.changeIssue(&edited); refusal != nil {
		return refusal
	}
	if !at.IsZero() && level < Owner {
		return frame.Forbidden("")
	}
	if at.IsZero() {
		at = c.now()
	}
	edited.updatedAt = at
	before := *issue
	*issue = edited
	issue.project.keepLabels(issue.labels)
	issue.tellChanges(before, c.user)
	if event != "" && (event == "close") == (issue.state == "opened") {
		issue.setOpen(event == "reopen", c.user, at)
	}
	return c.OK(c.issueDetails(issue))
}

func deleteIssue(c *call) *reply {
	issue, refusal := c.findIssue()
	if refusal != nil {
		return refusal
	}
	if refusal := c.Unchanged(issue.updatedAt); refusal != nil {
		return refusal
	}
	issue.remove()
	return c.NoContent()
}

// moveIssue makes a copy of the issue in another project, and closes the
// original.
func moveIssue(c *call) *reply {
	issue, refusal := c.findIssue()
	if refusal != nil {
		return refusal
	}
	c.Require("to_project_id")
	target, ok := c.svc.projects.get(c.Int64("to_project_id"))
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if !ok || !c.svc.canSeeProject(c.user, target) {
		return frame.NotFound("Project")
	}
	switch {
	case target == issue.project:
		return frame.Message(http.StatusBadRequest, "Cannot move issue to project it originates from!")
	case issue.movedTo != nil || target.archived || c.svc.projectLevel(c.user, target) < Reporter:
		return frame.Message(http.StatusBadRequest, "Cannot move issue due to insufficient permissions!")
	}
	moved := issue.copyTo(target)
	issue.movedTo = moved
	moved.tell(c.user, "moved from %s", issue.reference())
	issue.tell(c.user, "moved to %s", moved.reference())
	issue.close(c.user, c.now(), "closed")
	return c.Created(c.issueDetails(moved))
}

// copyTo makes a copy of the issue in another project, with its notes.
func (i *Issue) copyTo(target *Project) *Issue {
	svc := target.svc
	copied := *i
	copied.project, copied.id, copied.state, copied.closedBy, copied.closedAt = target, 0, "opened", nil, zeroTime
	if i.milestone != nil {
		copied.milestone = target.milestoneWith(i.milestone.id)
	}
	copied.discussion = discussion{reactions: slices.Clone(i.reactions)}
	for _, note := range i.notes {
		again := svc.addNote(&copied.discussion, note.body, note.author)
		again.createdAt, again.updatedAt, again.system, again.confidential = note.createdAt, note.updatedAt, note.system, note.confidential
	}
	copied.updatedAt = svc.now()
	copied.store(0)
	return &copied
}
