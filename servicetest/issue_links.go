package servicetest

import (
	"net/http"

	"example.com/serviceapi/servicetest/internal/frame"
)

// links keeps the links between the records of a kind.
type links[T comparable] struct{ table[*link[T]] }

// A link is a link that both of its records show.
type link[T comparable] struct {
	id             int64
	source, target T
	kind           string // how the source relates to the target: relates_to or blocks
	createdAt      jsonTime
}

type issueLink = link[*Issue]

func (l *link[T]) key() int64 { return l.id }

func (l *link[T]) isOf(record T) bool { return l.source == record || l.target == record }

// Types of links. The last one is the second one from the other side.
const (
	relatesTo   = "relates_to"
	blocks      = "blocks"
	isBlockedBy = "is_blocked_by"
)

// make links two records.
func (all *links[T]) make(source, target T, kind string, at jsonTime) *link[T] {
	l := &link[T]{source: source, target: target, kind: kind, createdAt: at}
	if kind == isBlockedBy {
		l.source, l.target, l.kind = target, source, blocks
	}
	l.id, _ = all.add(0, l)
	return l
}

// of returns the links of a record, oldest first.
func (all *links[T]) of(record T) []*link[T] {
	return all.all(func(l *link[T]) bool { return l.isOf(record) })
}

// join reports whether two records are linked.
func (all *links[T]) join(a, b T) bool {
	return len(all.all(func(l *link[T]) bool { return l.isOf(a) && l.isOf(b) })) > 0
}

// removeOf removes the links of a record.
func (all *links[T]) removeOf(record T) {
	removeWhere(&all.table, func(l *link[T]) bool { return l.isOf(record) })
}

// links returns the links of an issue, oldest first.
func (i *Issue) links() []*issueLink { return state[links[*Issue]](i.project.svc).of(i) }

// removeLinks removes the links of an issue.
func (i *Issue) removeLinks() { state[links[*Issue]](i.project.svc).removeOf(i) }

// takeLinks takes over the links of an issue that was moved here.
func (i *Issue) takeLinks(from *Issue) {
	for _, l := range from.links() {
		if l.source == from {
			l.source = i
		} else {
			l.target = i
		}
	}
}

// blocked returns how many issues the issue blocks.
func (i *Issue) blocked() int {
	n := 0
	for _, l := range i.links() {
		if l.kind == blocks && l.source == i {
			n++
		}
	}
	return n
}

// from returns the other record, and how a record relates to it.
func (l *link[T]) from(record T) (other T, kind string) {
	switch {
	case l.source == record:
		return l.target, l.kind
	case l.kind == blocks:
		return l.source, isBlockedBy
	}
	return l.source, l.kind
}

// linkedIssue is the JSON of an issue in the list of links.
type linkedIssue struct {
	*issueJSON

	IssueLinkID   int64    `json:"issue_link_id"`
	LinkType      string   `json:"link_type"`
	LinkCreatedAt jsonTime `json:"link_created_at"`
	LinkUpdatedAt jsonTime `json:"link_updated_at"`
}

func issueLinkJSON(l *issueLink) object {
	return object{
		"id": l.id, "source_issue": l.source.basicJSON(), "target_issue": l.target.basicJSON(), "link_type": l.kind,
	}
}

// basicJSON returns the issue without the members that only lists of issues have.
func (i *Issue) basicJSON() object {
	form := i.json(false)
	o := object{
		"id": form.ID, "iid": form.IID, "project_id": form.ProjectID, "web_url": form.WebURL,
		"title": form.Title, "description": form.Description, "type": form.Type, "issue_type": form.IssueType,
		"state": form.State, "closed_at": form.ClosedAt, "closed_by": form.ClosedBy, "due_date": form.DueDate,
		"start_date": form.StartDate,
		"created_at": form.CreatedAt, "updated_at": form.UpdatedAt, "author": form.Author,
		"assignee": form.Assignee, "assignees": form.Assignees, "labels": form.Labels, "milestone": form.Milestone,
		"confidential": form.Confidential, "discussion_locked": form.DiscussionLocked, "upvotes": form.Upvotes,
		"downvotes": form.Downvotes, "user_notes_count": form.UserNotesCount, "time_stats": form.TimeStats,
		"merge_requests_count": form.MergeRequestsCount, "blocking_issues_count": form.BlockingIssuesCount,
		"task_completion_status": form.TaskCompletionStatus,
	}
	if form.premiumIssue != nil {
		o["weight"] = form.Weight
	}
	return o
}

// canReadIssue reports whether the caller can see an issue of any project.
func (c *call) canReadIssue(i *Issue) bool {
	return c.svc.canSeeProject(c.user, i.project) && i.visibleTo(c.user)
}

// mayLink reports whether the caller may change links between issues of two projects.
func (c *call) mayLink(a, b *Project) bool {
	level := min(c.svc.projectLevel(c.user, a), c.svc.projectLevel(c.user, b))
	return level >= Guest && !a.archived && !b.archived
}

// listIssueLinks returns all links at once.
func listIssueLinks(c *call, on *noteable) *reply {
	forms := []linkedIssue{}
	for _, l := range on.issue.links() {
		if other, kind := l.from(on.issue); c.canReadIssue(other) {
			forms = append(forms, linkedIssue{other.json(false), l.id, kind, l.createdAt, l.createdAt})
		}
	}
	return c.OK(forms)
}

// issueLink returns the link of the path, or nil if the caller may not see it.
func (c *call) issueLink(on *noteable) *issueLink {
	l, ok := state[links[*Issue]](c.svc).get(c.PathInt64("issue_link_id"))
	if !ok || !l.isOf(on.issue) {
		return nil
	}
	if other, _ := l.from(on.issue); !c.canReadIssue(other) {
		return nil
	}
	return l
}

func getIssueLink(c *call, on *noteable) *reply {
	l := c.issueLink(on)
	if l == nil {
		return frame.NotFound("")
	}
	return c.OK(issueLinkJSON(l))
}

func createIssueLink(c *call, on *noteable) *reply {
	c.RequireGiven("target_project_id", "target_issue_iid")
	name, iid := c.String("target_project_id"), c.Int64("target_issue_iid")
	kind := either(c.StringIn("link_type", relatesTo, blocks, isBlockedBy), relatesTo)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	p := c.svc.findProject(name)
	if p == nil || !c.svc.canSeeProject(c.user, p) {
		return frame.NotFound("Project")
	}
	target, ok := p.issues().get(iid)
	if !ok {
		return frame.NotFound("")
	}
	if refusal := c.linkProblem(on.issue, target, kind); refusal != nil {
		return refusal
	}
	l := state[links[*Issue]](c.svc).make(on.issue, target, kind, jsonTime(c.now()))
	tellLink(l, c.user, "marked this issue as %s %s")
	return c.Created(issueLinkJSON(l))
}

// linkProblem refuses a link that cannot be made.
func (c *call) linkProblem(issue, target *Issue, kind string) *reply {
	switch {
	case kind != relatesTo && !c.hasTier(Premium):
		return frame.Message(http.StatusForbidden, "Blocked issues not available for current license")
	case !target.visibleTo(c.user):
		return frame.Message(http.StatusNotFound,
			"No matching issue found. Make sure that you are adding a valid issue URL.")
	case !c.mayLink(issue.project, target.project):
		return frame.Message(http.StatusForbidden,
			"Couldn't link issues. You must have at least the Guest role in both projects.")
	case target == issue:
		return frame.Unprocessable(issue.mentionIn(issue.project) + " cannot be added: cannot be related to itself")
	}
	if state[links[*Issue]](c.svc).join(issue, target) {
		return frame.Conflict("Issue(s) already assigned")
	}
	return nil
}

// tellLink adds a system note to both issues. The format has a verb for the relation, and
// one for the other issue.
func tellLink(l *issueLink, by *User, format string) {
	words := map[string]string{relatesTo: "related to", blocks: "blocking", isBlockedBy: "blocked by"}
	for _, i := range []*Issue{l.source, l.target} {
		other, kind := l.from(i)
		i.tell(by, format, words[kind], other.mentionIn(i.project))
	}
}

// mentionIn returns the form in which a project refers to the issue.
func (i *Issue) mentionIn(p *Project) string {
	if i.project == p {
		return "#" + frame.Itoa(i.iid)
	}
	return i.reference()
}

func deleteIssueLink(c *call, on *noteable) *reply {
	l := c.issueLink(on)
	if l == nil || !c.mayLink(l.source.project, l.target.project) {
		return frame.Message(http.StatusNotFound, "No Issue Link found")
	}
	state[links[*Issue]](c.svc).remove(l.id)
	l.source.tell(c.user, "removed the relation with %s", l.target.mentionIn(l.source.project))
	l.target.tell(c.user, "removed the relation with %s", l.source.mentionIn(l.target.project))
	return c.OK(issueLinkJSON(l))
}
