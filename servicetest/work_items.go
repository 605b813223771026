package servicetest

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// A workItem is an issue of a project or an epic of a group, as the GraphQL API shows it.
type workItem struct {
	issue *Issue
	epic  *Epic // nil for an issue
}

// workItemState keeps what only work items have.
type workItemState struct {
	more  map[any]*workItemMore
	tasks int64 // how often a task got an issue
}

// workItemMore is what an issue or an epic has only as a work item.
type workItemMore struct {
	startDate time.Time // of an issue; zero if none
	fixed     bool      // the dates were set
	parent    *Issue    // of a task
	health    string
	place     int64 // of a task, among those of its issue
}

// epicNumbers is the difference between the number of an epic as a work item and its ID:
// both kinds of work items share one sequence.
const epicNumbers = 1_000_000

func ofIssue(i *Issue) *workItem { return &workItem{issue: i} }

func ofEpic(e *Epic) *workItem {
	if e == nil {
		return nil
	}
	return &workItem{epic: e}
}

// record returns the issue or the epic.
func (w *workItem) record() any {
	if w.epic != nil {
		return w.epic
	}
	return w.issue
}

func (w *workItem) subject() *topic {
	if w.epic != nil {
		return &w.epic.topic
	}
	return &w.issue.topic
}

func (w *workItem) svc() *Service {
	if w.epic != nil {
		return w.epic.group.svc
	}
	return w.issue.project.svc
}

// number returns the number in the global ID.
func (w *workItem) number() int64 {
	if w.epic != nil {
		return epicNumbers + w.epic.id
	}
	return w.issue.id
}

func (w *workItem) id() string { return w.svc().gid("WorkItem", w.number()) }

func (w *workItem) iid() int64 {
	if w.epic != nil {
		return w.epic.iid
	}
	return w.issue.iid
}

func (w *workItem) isOpen() bool {
	if w.epic != nil {
		return w.epic.state == "opened"
	}
	return w.issue.state == "opened"
}

func (w *workItem) confidential() bool {
	if w.epic != nil {
		return w.epic.confidential
	}
	return w.issue.confidential
}

func (w *workItem) fullPath() string {
	if w.epic != nil {
		return w.epic.group.fullPath()
	}
	return w.issue.project.fullPath()
}

func (w *workItem) webURL() string {
	if w.epic != nil {
		return w.svc().webURL("groups", w.fullPath(), "-/epics", frame.Itoa(w.iid()))
	}
	return w.issue.project.webURL("-/issues", frame.Itoa(w.iid()))
}

// shownTo reports whether a user can see the work item.
func (w *workItem) shownTo(user *User) bool {
	if w.epic != nil {
		return w.svc().canSeeGroup(user, w.epic.group) && w.epic.visibleTo(user)
	}
	p := w.issue.project
	return w.svc().canSeeProject(user, p) && p.serves(user, "issues") && w.issue.visibleTo(user)
}

// more returns what only the work item has. It is not kept until keep is called.
func (w *workItem) more() workItemMore {
	if kept := state[workItemState](w.svc()).more[w.record()]; kept != nil {
		return *kept
	}
	return workItemMore{}
}

func (w *workItem) keep(more workItemMore) {
	put(&state[workItemState](w.svc()).more, w.record(), &more)
}

func (w *workItem) start() time.Time {
	if w.epic != nil {
		return w.epic.start()
	}
	return w.more().startDate
}

func (w *workItem) due() time.Time {
	if w.epic != nil {
		return w.epic.due()
	}
	return w.issue.dueDate
}

func (w *workItem) datesAreFixed() bool {
	if w.epic != nil {
		return w.epic.startIsFixed || w.epic.dueIsFixed
	}
	return w.more().fixed || !w.start().IsZero() || !w.due().IsZero()
}

// parent returns the parent, or nil. An issue has an epic, and a task an issue.
func (w *workItem) parent() *workItem {
	switch parent := w.more().parent; {
	case w.epic != nil:
		return ofEpic(w.epic.parent)
	case parent != nil && w.svc().hasIssue(parent):
		return ofIssue(parent)
	}
	return ofEpic(w.issue.epic)
}

// hasIssue reports whether an issue was not removed.
func (s *Service) hasIssue(i *Issue) bool {
	_, ok := state[issueState](s).issues.get(i.id)
	return ok
}

// children returns the children in their order: those of an epic are its issues, then its
// epics.
func (w *workItem) children() []*workItem {
	var found []*workItem
	if w.epic != nil {
		for _, i := range w.epic.issues() {
			found = append(found, ofIssue(i))
		}
		for _, e := range w.epic.children() {
			found = append(found, ofEpic(e))
		}
		return found
	}
	for child, more := range state[workItemState](w.svc()).more {
		if task, is := child.(*Issue); is && more.parent == w.issue && w.svc().hasIssue(task) {
			found = append(found, ofIssue(task))
		}
	}
	slices.SortFunc(found, func(a, b *workItem) int { return cmp.Compare(*a.place(), *b.place()) })
	return found
}

// workItems returns the work items that a function accepts, oldest first within issues and
// within epics.
func (s *Service) workItems(of func(*workItem) bool) []*workItem {
	var found []*workItem
	add := func(w *workItem) {
		if of(w) {
			found = append(found, w)
		}
	}
	for _, i := range state[issueState](s).issues.all(nil) {
		add(ofIssue(i))
	}
	for _, e := range state[epicState](s).epics.all(nil) {
		add(ofEpic(e))
	}
	return found
}

// A workItemType is a type of work items. Those without a kind cannot be made here.
type workItemType struct {
	number int64
	name   string
	kind   string // in the REST API
	lacks  string // widgets
}

const mostWidgets = " assignees labels milestone hierarchy startAndDueDate weight healthStatus iteration color "

// workItemTypes are the types by name.
var workItemTypes = []*workItemType{
	{8, "Epic", "epic", " iteration status "},
	{2, "Incident", "incident", " startAndDueDate weight healthStatus status color "},
	{1, "Issue", "issue", " color "},
	{7, "Key Result", "", ""},
	{6, "Objective", "", ""},
	{4, "Requirement", "", ""},
	{5, "Task", "task", " healthStatus color "},
	{3, "Test Case", "test_case", mostWidgets},
	{9, "Ticket", "", ""},
}

// typ returns the type. A test can make issues of kinds that there are not; they count as
// issues.
func (w *workItem) typ() *workItemType {
	kind := "epic"
	if w.epic == nil {
		kind = either(w.issue.kind, "issue")
	}
	of := func(kind string) int {
		return slices.IndexFunc(workItemTypes, func(t *workItemType) bool { return t.kind == kind })
	}
	if at := of(kind); at >= 0 {
		return workItemTypes[at]
	}
	return workItemTypes[of("issue")]
}

// has reports whether the type has a widget, by its name in the features.
func (t *workItemType) has(widget string) bool {
	return widget != "progress" && !strings.Contains(t.lacks, " "+widget+" ")
}

// constant returns the name of the type in arguments, such as "TEST_CASE".
func (t *workItemType) constant() string {
	return strings.ToUpper(strings.ReplaceAll(t.name, " ", "_"))
}

// isOf reports whether work items of the type can be made in a namespace.
func (t *workItemType) isOf(n *workItemNamespace) bool {
	premium := n.svc().settings.tier >= Premium
	switch t.kind {
	case "":
		return false
	case "epic":
		return n.group != nil && premium
	case "test_case":
		return n.project != nil && n.svc().settings.tier >= Ultimate
	}
	return n.project != nil
}

// A workItemNamespace is a project, a group or a user. A user has no work items.
type workItemNamespace struct {
	project *Project
	group   *Group
	user    *User
}

func (n *workItemNamespace) svc() *Service {
	switch {
	case n.group != nil:
		return n.group.svc
	case n.user != nil:
		return n.user.svc
	}
	return n.project.svc
}

// names returns the path, the last part of the path, and the name.
func (n *workItemNamespace) names() (fullPath, path, name string) {
	switch {
	case n.group != nil:
		return n.group.fullPath(), n.group.path, n.group.name
	case n.user != nil:
		return n.user.username, n.user.username, n.user.name
	}
	return n.project.fullPath(), n.project.path, n.project.name
}

// id returns the global ID of the namespace.
func (n *workItemNamespace) id() string {
	switch {
	case n.group != nil:
		return n.svc().gid("Group", n.group.id)
	case n.user != nil:
		return n.svc().gid("Namespaces::UserNamespace", n.user.namespaceID())
	}
	return n.svc().gid("Namespaces::ProjectNamespace", n.project.id)
}

// owns reports whether a work item belongs to the namespace itself.
func (n *workItemNamespace) owns(w *workItem) bool {
	if w.epic != nil {
		return w.epic.group == n.group
	}
	return w.issue.project == n.project
}

// holds reports whether a work item belongs to the group, or to something in it.
func (n *workItemNamespace) holds(w *workItem) bool {
	switch {
	case n.group == nil:
		return n.owns(w)
	case w.epic != nil:
		return w.epic.group.within(n.group)
	}
	return w.issue.project.within(n.group)
}
