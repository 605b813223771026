package servicetest

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// listIssues also serves callers without a credential, if they ask for all issues.
func listIssues(c *call) *reply {
	if c.user == nil && c.String("scope") != "all" {
		return frame.Unauthorized()
	}
	return c.issueList(ofInstance, func(i *Issue) bool { return c.seesIssuesOf(i.project) })
}

func listGroupIssues(c *call, group *Group) *reply {
	return c.issueList(ofGroup, func(i *Issue) bool { return i.project.within(group) && c.seesIssuesOf(i.project) })
}

func listProjectIssues(c *call, project *Project) *reply {
	return c.issueList(ofProject, func(i *Issue) bool { return i.project == project })
}

// seesProject reports whether a project exists and is visible to the caller.
func (c *call) seesProject(p *Project) bool {
	return c.svc.hasProject(p) && c.svc.canSeeProject(c.user, p)
}

// seesIssuesOf reports whether a project exists and shows its issues to the
// caller.
func (c *call) seesIssuesOf(p *Project) bool { return c.seesProject(p) && p.serves(c.user, "issues") }

// issueList returns a page of the issues that a function accepts.
func (c *call) issueList(owner listOwner, of func(*Issue) bool) *reply {
	f, refusal := c.issueFilter(owner)
	if refusal != nil {
		return refusal
	}
	kept := f.Apply(state[issueState](c.svc).issues.all(func(i *Issue) bool { return of(i) && i.visibleTo(c.user) }))
	collection.Sort(c.Fields, kept, "desc", (*Issue).ID, issueOrders)
	details := c.Bool("with_labels_details")
	return frame.ListOf(c, kept, func(i *Issue) *issueJSON { return i.json(details) })
}

func getIssue(c *call, issue *Issue) *reply { return c.OK(c.issueDetails(issue)) }

// getIssueByID finds the issue by its ID, which is unique in the service.
func getIssueByID(c *call) *reply {
	issue, ok := state[issueState](c.svc).issues.get(c.PathInt64("id"))
	if !ok {
		return frame.NotFound("Issue")
	}
	return c.OK(c.issueDetails(issue))
}

func createIssue(c *call, project *Project) *reply {
	draft := project.draftIssue(c.user)
	draft.agent = c.userAgent()
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

// resolveThreads completes the draft of an issue that is to resolve the threads of a
// merge request.
func (c *call) resolveThreads(draft *Issue) *reply {
	iid, thread := c.Int64("merge_request_to_resolve_discussions_of"), c.String("discussion_to_resolve")
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
	i.kind = either(c.StringIn("issue_type", issueKinds...), i.kind)
	i.confidential = c.BoolOr("confidential", i.confidential)
	given(c, "due_date", c.Time, &i.dueDate)
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
		if i.weight = nil; c.String("weight") != "" {
			weight := c.Int64("weight")
			if i.weight = &weight; weight < 0 {
				return frame.FieldErrors("weight", "must be greater than or equal to 0")
			}
		}
	}
	if id := c.Int64("epic_id"); c.Has("epic_id") {
		epic, ok := state[epicState](c.svc).epics.get(id)
		if id != 0 && (!ok || !i.project.within(epic.group)) {
			return frame.NotFound("Epic")
		}
		i.setEpic(epic)
	}
	return nil
}

func updateIssue(c *call, issue *Issue) *reply {
	level := c.svc.projectLevel(c.user, issue.project)
	if !issue.mayChange(c.user) {
		return frame.Forbidden("")
	}
	if refusal := c.changesNothing("title", "description", "assignee_ids", "assignee_id", "milestone_id", "labels",
		"due_date", "confidential",
		"issue_type", "weight", "epic_id", "add_labels", "remove_labels", "state_event", "discussion_locked",
		"updated_at"); refusal != nil {
		return refusal
	}
	event, at := c.StringIn("state_event", "close", "reopen"), c.Time("updated_at")
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
	issue.edited(before.topic, c.user)
	if event != "" && (event == "close") == (issue.state == "opened") {
		issue.setOpen(event == "reopen", c.user, at)
	}
	return c.OK(c.issueDetails(issue))
}

func deleteIssue(c *call, issue *Issue) *reply {
	if refusal := c.Unchanged(issue.updatedAt); refusal != nil {
		return refusal
	}
	issue.remove()
	return c.NoContent()
}

// moveIssue makes a copy of the issue in another project, and closes the
// original.
func moveIssue(c *call) *reply {
	issue, target, refusal := c.issueAndTarget("move")
	if refusal != nil {
		return refusal
	}
	switch {
	case target == issue.project:
		return frame.Message(http.StatusBadRequest, "Cannot move issue to project it originates from!")
	case issue.movedTo != nil:
		return mayNot("move")
	}
	moved := issue.copyTo(target)
	issue.copyDiscussion(moved)
	moved.store(0)
	issue.movedTo = moved
	moved.takeLinks(issue)
	moved.tell(c.user, "moved from %s", issue.reference())
	issue.tell(c.user, "moved to %s", moved.reference())
	issue.close(c.user, c.now(), nil)
	return c.Created(c.issueDetails(moved))
}

// cloneIssue makes a copy of the issue by the caller, and leaves the original open.
func cloneIssue(c *call) *reply {
	withNotes := c.Bool("with_notes")
	issue, target, refusal := c.issueAndTarget("clone")
	if refusal != nil {
		return refusal
	}
	copied := issue.copyTo(target)
	copied.author, copied.createdAt = c.user, c.now()
	if withNotes {
		issue.copyDiscussion(copied)
	}
	copied.store(0)
	copied.tell(c.user, "cloned from %s", issue.reference())
	issue.tell(c.user, "cloned to %s", copied.reference())
	return c.Created(c.issueDetails(copied))
}

// mayNot refuses a move or a clone.
func mayNot(verb string) *reply {
	return frame.Message(http.StatusBadRequest, "Cannot "+verb+" issue due to insufficient permissions!")
}

// issueAndTarget returns the issue of the path, and the project for its copy.
func (c *call) issueAndTarget(verb string) (*Issue, *Project, *reply) {
	issue, refusal := c.findIssue()
	if refusal != nil {
		return nil, nil, refusal
	}
	c.Require("to_project_id")
	target, ok := c.svc.projects.get(c.Int64("to_project_id"))
	if refusal := c.Refusal(); refusal != nil {
		return nil, nil, refusal
	}
	if !ok || !c.svc.canSeeProject(c.user, target) {
		return nil, nil, frame.NotFound("Project")
	}
	if target != issue.project && (target.archived || c.svc.projectLevel(c.user, target) < Reporter) {
		return nil, nil, mayNot(verb)
	}
	return issue, target, nil
}

// copyTo returns a copy of the issue for a project. It keeps labels and the milestone
// if the project has the same titles. The copy is not stored yet.
func (i *Issue) copyTo(target *Project) *Issue {
	svc := target.svc
	copied := *i
	copied.project, copied.id, copied.state, copied.closedBy, copied.closedAt = target, 0, "opened", nil, zeroTime
	copied.position, copied.subscribers, copied.movedTo = 0, nil, nil
	copied.milestone = target.milestoneLike(i.milestone)
	copied.labels = slices.DeleteFunc(slices.Clone(i.labels), func(name string) bool {
		return svc.label(name, func(l *label) bool { return l.isOf(target) }) == nil
	})
	copied.assignees = slices.DeleteFunc(slices.Clone(i.assignees), func(user *User) bool {
		return !svc.canSeeProject(user, target)
	})
	copied.discussion = discussion{}
	copied.updatedAt = svc.now()
	return &copied
}

// milestoneLike returns the project's milestone with the title of another one, or nil if
// there is none.
func (p *Project) milestoneLike(m *Milestone) *Milestone {
	if m == nil {
		return nil
	}
	return first(state[milestoneState](p.svc).milestones.all(func(other *Milestone) bool {
		return other.title == m.title && p.milestoneWith(other.id) != nil
	}))
}

// copyDiscussion gives the notes and reactions of the issue to a copy.
func (i *Issue) copyDiscussion(copied *Issue) {
	for _, r := range i.reactions {
		copied.addReaction(r.user, r.name)
	}
	for _, note := range i.notes {
		again := i.project.svc.addNote(&copied.discussion, note.body, note.author)
		again.createdAt, again.updatedAt, again.system, again.confidential = note.createdAt, note.updatedAt,
			note.system, note.confidential
	}
}

// An Issue is an issue of a project. Make one with Project.Issue.
type Issue struct {
	topic

	project      *Project
	id           int64
	iid          int64
	state        string // opened or closed
	kind         string // issue, incident, test_case or task
	confidential bool
	dueDate      time.Time // zero if none
	weight       *int64
	epic         *Epic
	iteration    *Iteration // nil if none
	movedTo      *Issue
	position     float64   // place in the order that users have given the issues
	inEpic       epicPlace // of no meaning without an epic
	agent        userAgent
}

// An IssueOption sets a property of an issue. By, CreatedAt, Description, ID
// and every TopicOption are IssueOptions, too.
type IssueOption interface{ applyIssue(i *Issue) }

type issueOption func(*Issue)

func (f issueOption) applyIssue(i *Issue) { f(i) }

func (o IDOption) applyIssue(i *Issue)          { i.id = int64(o) }
func (o DescriptionOption) applyIssue(i *Issue) { i.description = string(o) }
func (o CreatedAtOption) applyIssue(i *Issue)   { i.createdAt = time.Time(o) }
func (o ByOption) applyIssue(i *Issue)          { i.author = o.user }

// ConfidentialOption is the option that Confidential returns.
type ConfidentialOption struct{}

// Confidential hides an issue or an epic from everybody but its author, its
// assignees, and members with at least the Reporter role.
func Confidential() ConfidentialOption { return ConfidentialOption{} }

func (ConfidentialOption) applyIssue(i *Issue) { i.confidential = true }
func (ConfidentialOption) applyEpic(e *Epic)   { e.confidential = true }

// IssueType sets the type of an issue: issue (the default), incident, test_case
// or task.
func IssueType(kind string) IssueOption { return issueOption(func(i *Issue) { i.kind = kind }) }

// DueOn sets the due date of an issue. By default there is none.
func DueOn(day time.Time) IssueOption {
	return issueOption(func(i *Issue) { i.dueDate = day.UTC() })
}

// Weight sets the weight of an issue. By default it has none.
func Weight(n int64) IssueOption { return issueOption(func(i *Issue) { i.weight = &n }) }

// InEpic adds an issue to an epic.
func InEpic(e *Epic) IssueOption { return issueOption(func(i *Issue) { i.setEpic(e) }) }

// InIteration adds an issue to an iteration of its group.
func InIteration(it Iteration) IssueOption { return issueOption(func(i *Issue) { i.iteration = &it }) }

// issueState keeps the issues of a service.
type issueState struct {
	issues    table[*Issue]
	byProject map[*Project]*table[*Issue] // by IID
	external  map[*Project]map[string]string
}

// Issue makes an open issue in the project's built-in tracker, written by Root
// unless By says otherwise.
func (p *Project) Issue(title string, opts ...IssueOption) *Issue {
	defer p.svc.lock()()
	i := p.draftIssue(p.svc.admin)
	i.title = title
	apply(i, opts, IssueOption.applyIssue)
	i.store(0)
	return i
}

// draftIssue returns an issue that is not stored yet.
func (p *Project) draftIssue(author *User) *Issue {
	return &Issue{project: p, state: "opened", kind: "issue", topic: topic{author: author, createdAt: p.svc.now()}}
}

// store stores a new issue with the number iid, or the next one if iid is 0.
func (i *Issue) store(iid int64) {
	p, svc := i.project, i.project.svc
	if i.updatedAt.IsZero() {
		i.updatedAt = i.createdAt
	}
	i.keepIteration()
	all := state[issueState](svc)
	seed(svc, &all.issues, &i.id, i, "an issue")
	i.iid, _ = p.issues().add(iid, i)
	i.position = float64(i.id)
	i.belongTo(svc, i)
	svc.excludeLabels(&i.topic, nil, i.labels)
	p.keepLabels(i.labels)
}

// keepIteration adds the iteration of the issue to those of the group.
func (i *Issue) keepIteration() {
	if g := i.project.group; g != nil && i.iteration != nil {
		i.iteration = &g.keepIteration(*i.iteration).Iteration
	}
}

// remove removes the issue with all notes, reactions and links.
func (i *Issue) remove() {
	i.removeLinks()
	state[issueState](i.project.svc).issues.remove(i.id)
	i.project.issues().remove(i.iid)
	i.project.svc.touch(i)
}

// ExternalIssue adds an issue of an external tracker to the project, with a key
// such as "PROJECT-123". Merge requests of the project then close only issues
// of the external tracker.
func (p *Project) ExternalIssue(key, title string) {
	defer p.svc.lock()()
	all := state[issueState](p.svc)
	putIn(&all.external, p, key, title)
}

// Issues returns the project's issues, oldest first.
func (p *Project) Issues() []*Issue {
	return locked(p.svc, func() []*Issue { return p.issues().all(nil) })
}

// issues returns the table of the project's issues by IID.
func (p *Project) issues() *table[*Issue] {
	return kept(&state[issueState](p.svc).byProject, p)
}

// findIssue returns the issue of the path.
func (c *call) findIssue() (*Issue, *reply) {
	project, refusal := c.project()
	if refusal != nil {
		return nil, refusal
	}
	issue, ok := project.issues().get(c.PathInt64("issue_iid"))
	if !ok || !issue.visibleTo(c.user) {
		return nil, frame.NotFound("")
	}
	c.found(issue)
	return issue, nil
}

// visibleTo reports whether a user who can see the project can see the issue.
func (i *Issue) visibleTo(user *User) bool {
	if !i.confidential {
		return true
	}
	return user != nil && (user == i.author || slices.Contains(i.assignees, user) ||
		i.project.svc.projectLevel(user, i.project) >= Reporter)
}

// mayChange reports whether a user may change the issue.
func (i *Issue) mayChange(user *User) bool {
	return i.project.svc.projectLevel(user, i.project) >= Reporter || user == i.author ||
		slices.Contains(i.assignees, user)
}

// close closes the issue, with a merge request if that is not nil.
func (i *Issue) close(by *User, at time.Time, closer *MergeRequest) {
	if i.state != "opened" {
		return
	}
	note := "closed"
	if closer != nil {
		note = fmt.Sprintf("closed via merge request !%d", closer.iid)
	}
	i.state, i.closedBy, i.closedAt, i.updatedAt = "closed", by, at, at
	i.tell(by, "%s", note)
	i.project.svc.recordState(i, by, "closed", closer)
}

// setOpen opens or closes the issue.
func (i *Issue) setOpen(open bool, by *User, at time.Time) {
	if !open {
		i.close(by, at, nil)
		return
	}
	if i.state != "opened" {
		i.tell(by, "reopened")
		i.project.svc.recordState(i, by, "reopened", nil)
	}
	i.state, i.closedBy, i.closedAt, i.updatedAt = "opened", nil, time.Time{}, at
}

// ID returns the issue's ID.
func (i *Issue) ID() int64 { return i.id }

// IID returns the issue's number in its project.
func (i *Issue) IID() int64 { return i.iid }

// State returns opened or closed.
func (i *Issue) State() string { return read(i.project.svc, &i.state) }

// Title returns the issue's title.
func (i *Issue) Title() string { return read(i.project.svc, &i.title) }

// LabelNames returns the names of the issue's labels.
func (i *Issue) LabelNames() []string { return copied(i.project.svc, &i.labels) }

// Assignees returns the users that the issue is assigned to.
func (i *Issue) Assignees() []*User { return copied(i.project.svc, &i.assignees) }

// Close closes the issue as Root.
func (i *Issue) Close() {
	defer i.project.svc.lock()()
	i.close(i.project.svc.admin, i.project.svc.now(), nil)
}

// Subscribed reports whether a user is subscribed to the issue.
func (i *Issue) Subscribed(user *User) bool {
	defer i.project.svc.lock()()
	return i.subscribed(user)
}

// Reactions returns the names of the emojis that a user reacted with.
func (i *Issue) Reactions(user *User) []string { return i.givenBy(i.project.svc, user) }
