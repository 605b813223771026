package servicetest

import (
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// An Issue is an issue of a project. Make one with Project.Issue.
type Issue struct {
	topic

	project      *Project
	id           int64
	iid          int64
	state        string // opened or closed
	kind         string // issue, incident, test_case or task
	confidential bool
	dueDate      time.Time // zero: none
	weight       *int64
	epic         *Epic
	movedTo      *Issue
}

// An IssueOption sets a property of an issue. By, CreatedAt, Description, ID
// and every TopicOption are IssueOptions, too.
type IssueOption interface{ applyIssue(i *Issue) }

type issueOption func(*Issue)

func (f issueOption) applyIssue(i *Issue) { f(i) }

func (o IDOption) applyIssue(i *Issue)          { i.id = int64(o) }
func (o DescriptionOption) applyIssue(i *Issue) { i.description = string(o) }
func (o CreatedAtOption) applyIssue(i *Issue)   { i.createdAt = time.Time(o).UTC() }
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
func InEpic(e *Epic) IssueOption { return issueOption(func(i *Issue) { i.epic = e }) }

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
	for _, opt := range opts {
		opt.applyIssue(i)
	}
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
	all := state[issueState](svc)
	seed(svc, &all.issues, &i.id, i, "an issue")
	i.iid, _ = p.issues().add(iid, i)
	p.keepLabels(i.labels)
}

// remove removes the issue with all notes and reactions.
func (i *Issue) remove() {
	state[issueState](i.project.svc).issues.remove(i.id)
	i.project.issues().remove(i.iid)
}

// ExternalIssue adds an issue of an external tracker to the project, with a key
// such as "PROJECT-123". Merge requests of the project then close only issues
// of the external tracker.
func (p *Project) ExternalIssue(key, title string) {
	defer p.svc.lock()()
	all := state[issueState](p.svc)
	if all.external == nil {
		all.external = make(map[*Project]map[string]string)
	}
	if all.external[p] == nil {
		all.external[p] = make(map[string]string)
	}
	all.external[p][key] = title
}

// Issues returns the project's issues, oldest first.
func (p *Project) Issues() []*Issue {
	defer p.svc.lock()()
	return p.issues().all(nil)
}

// issues returns the project's issues by IID.
func (p *Project) issues() *table[*Issue] {
	all := state[issueState](p.svc)
	if all.byProject == nil {
		all.byProject = make(map[*Project]*table[*Issue])
	}
	if all.byProject[p] == nil {
		all.byProject[p] = new(table[*Issue])
	}
	return all.byProject[p]
}

// findIssue returns the issue of the path.
func (c *call) findIssue() (*Issue, *reply) {
	project, refusal := c.project()
	if refusal != nil {
		return nil, refusal
	}
	issue, ok := project.issues().get(c.PathID("issue_iid"))
	if !ok || !issue.visibleTo(c.user) {
		return nil, frame.NotFound("")
	}
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

// close closes the issue. The note says why.
func (i *Issue) close(by *User, at time.Time, note string) {
	if i.state == "opened" {
		i.state, i.closedBy, i.closedAt, i.updatedAt = "closed", by, at, at
		i.tell(by, "%s", note)
	}
}

// setOpen opens or closes the issue.
func (i *Issue) setOpen(open bool, by *User, at time.Time) {
	if !open {
		i.close(by, at, "closed")
		return
	}
	if i.state != "opened" {
		i.tell(by, "reopened")
	}
	i.state, i.closedBy, i.closedAt, i.updatedAt = "opened", nil, time.Time{}, at
}

// ID returns the issue's ID.
func (i *Issue) ID() int64 { return i.id }

// IID returns the issue's number in its project.
func (i *Issue) IID() int64 { return i.iid }

// State returns opened or closed.
func (i *Issue) State() string {
	defer i.project.svc.lock()()
	return i.state
}

// Title returns the issue's title.
func (i *Issue) Title() string {
	defer i.project.svc.lock()()
	return i.title
}

// LabelNames returns the names of the issue's labels.
func (i *Issue) LabelNames() []string {
	defer i.project.svc.lock()()
	return slices.Clone(i.labels)
}

// Assignees returns the users that the issue is assigned to.
func (i *Issue) Assignees() []*User {
	defer i.project.svc.lock()()
	return slices.Clone(i.assignees)
}

// Close closes the issue as Root.
func (i *Issue) Close() {
	defer i.project.svc.lock()()
	i.close(i.project.svc.admin, i.project.svc.now(), "closed")
}

// Reactions returns the names of the emojis that a user reacted with.
func (i *Issue) Reactions(user *User) []string {
	defer i.project.svc.lock()()
	return i.reactionsOf(user)
}
