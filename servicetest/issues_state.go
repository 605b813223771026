package servicetest

import (
	"slices"
	"time"
)

// An Issue is an issue of a project. Make one with Project.Issue.
type Issue struct {
	stamp
	topic

	project      *Project
	id           int64
	iid          int64
	state        string // opened or closed
	confidential bool
}

// A topic is what issues and merge requests have in common.
type topic struct {
	discussion

	title       string
	description string
	author      *User
	assignees   []*User
	labels      []string
	milestone   *Milestone
	createdAt   time.Time
	updatedAt   time.Time
}

// A TopicOption sets a property that issues and merge requests have in common.
type TopicOption func(*topic)

func (o TopicOption) applyIssue(i *Issue)               { o(&i.topic) }
func (o TopicOption) applyMergeRequest(m *MergeRequest) { o(&m.topic) }

// AssignedTo sets the assignees of an issue or a merge request.
func AssignedTo(users ...*User) TopicOption {
	return func(t *topic) { t.assignees = users }
}

// Labels sets the names of the labels of an issue or a merge request. See
// Project.Label for their colors.
func Labels(names ...string) TopicOption {
	return func(t *topic) { t.labels = names }
}

// InMilestone puts an issue or a merge request into a milestone.
func InMilestone(m *Milestone) TopicOption {
	return func(t *topic) { t.milestone = m }
}

// UpdatedAt sets when an issue or a merge request last changed. The default is
// when it was created.
func UpdatedAt(at time.Time) TopicOption {
	return func(t *topic) { t.updatedAt = at.UTC() }
}

// Reaction adds a user's award emoji, such as "thumbsup", to an issue or a
// merge request.
func Reaction(user *User, emoji string) TopicOption {
	return func(t *topic) { t.addReaction(user, emoji) }
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

// Confidential hides an issue from everybody but its author, its assignees and
// members who are at least Reporter.
func Confidential() IssueOption {
	return issueOption(func(i *Issue) { i.confidential = true })
}

// issueState keeps the issues of a service.
type issueState struct {
	issues    table[*Issue]
	iids      map[*Project]int64
	byProject map[*Project]*table[*Issue] // by iid
	external  map[*Project]map[string]string
}

// Issue makes an open issue in the project's built-in tracker, written by Root
// unless By says otherwise.
func (p *Project) Issue(title string, opts ...IssueOption) *Issue {
	defer p.svc.lock()()
	i := &Issue{
		project: p, state: "opened",
		topic: topic{title: title, author: p.svc.admin, createdAt: p.svc.now()},
	}
	for _, opt := range opts {
		opt.applyIssue(i)
	}
	if i.updatedAt.IsZero() {
		i.updatedAt = i.createdAt
	}
	all := state[issueState](p.svc)
	seed(p.svc, &all.issues, &i.id, i, "an issue")
	i.iid = nextIID(&all.iids, p)
	p.issues().add(i.iid, i)
	p.svc.touch(&i.stamp)
	return i
}

// ExternalIssue adds an issue in an external tracker to the project, with a key
// such as "PROJECT-123". From then on merge requests of the project close only
// issues of the external tracker.
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

// issues returns the project's issues by iid.
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
	issue, ok := project.issues().get(c.pathID("issue_iid"))
	if !ok || !issue.visibleTo(c.user) {
		return nil, notFound("Issue")
	}
	return issue, nil
}

// visibleTo reports whether a user may see an issue of a project that it sees.
func (i *Issue) visibleTo(user *User) bool {
	if !i.confidential {
		return true
	}
	return user != nil && (user == i.author || slices.Contains(i.assignees, user) ||
		i.project.svc.projectLevel(user, i.project) >= Reporter)
}

// close closes the issue.
func (i *Issue) close(at time.Time) {
	if i.state == "opened" {
		i.state, i.updatedAt = "closed", at
		i.project.svc.touch(&i.stamp)
	}
}

// ID returns the issue's id.
func (i *Issue) ID() int64 { return i.id }

// IID returns the issue's number in its project.
func (i *Issue) IID() int64 { return i.iid }

// State returns opened or closed.
func (i *Issue) State() string {
	defer i.project.svc.lock()()
	return i.state
}

// Reactions returns the names of the emoji that a user reacted with.
func (i *Issue) Reactions(user *User) []string {
	defer i.project.svc.lock()()
	return i.reactionsOf(user)
}
