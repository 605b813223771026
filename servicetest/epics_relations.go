package servicetest

import (
	"cmp"
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// An epicPlace is the link between an issue and its epic.
type epicPlace struct {
	id       int64
	position int64 // among the issues of the epic
}

// setEpic puts an issue at the end of an epic, or takes it out of its epic.
func (i *Issue) setEpic(e *Epic) {
	if i.epic != e && e != nil {
		all := state[epicState](e.group.svc)
		all.issues++
		i.inEpic = epicPlace{id: all.issues, position: all.issues}
	}
	i.epic = e
}

// issues returns the issues of an epic in their order.
func (e *Epic) issues() []*Issue {
	found := state[issueState](e.group.svc).issues.all(func(i *Issue) bool { return i.epic == e })
	slices.SortStableFunc(found, func(a, b *Issue) int { return cmp.Compare(a.inEpic.position, b.inEpic.position) })
	return found
}

// setParent puts an epic at the end of the children of another one, or takes it from its
// parent.
func (e *Epic) setParent(parent *Epic) {
	if e.parent != parent && parent != nil {
		all := state[epicState](parent.group.svc)
		all.children++
		e.place = all.children
	}
	e.parent = parent
}

// children returns the children of an epic in their order.
func (e *Epic) children() []*Epic {
	found := state[epicState](e.group.svc).epics.all(func(child *Epic) bool { return child.parent == e })
	slices.SortStableFunc(found, func(a, b *Epic) int { return cmp.Compare(a.place, b.place) })
	return found
}

// removeLinks removes the links of an epic to others.
func (e *Epic) removeLinks() { state[links[*Epic]](e.group.svc).removeOf(e) }

// onEpic adapts a handler to the epic of the path.
func onEpic(handle func(*call, *Epic) *reply) handler { return with((*call).findEpic, handle) }

func listEpicIssues(c *call, e *Epic) *reply {
	readable := slices.DeleteFunc(e.issues(), func(i *Issue) bool { return !c.canReadIssue(i) })
	return frame.ListOf(c, readable, func(i *Issue) jsonBytes {
		return joined(i.json(false), inOrder("epic_issue_id", i.inEpic.id, "relative_position", i.inEpic.position))
	})
}

// epicIssueLink responds with the link between an issue and an epic.
func (c *call) epicIssueLink(e *Epic, i *Issue) object {
	return object{
		"id": i.inEpic.id, "relative_position": i.inEpic.position, "epic": c.epicJSON(e, false), "issue": i.basicJSON(),
	}
}

func addEpicIssue(c *call, e *Epic) *reply {
	i, ok := state[issueState](c.svc).issues.get(c.PathInt64("issue_id"))
	switch {
	case !ok:
		return frame.NotFoundUnnamed()
	case !c.canReadIssue(i):
		return noMatching("issue")
	case !c.mayLink(i.project, i.project):
		return frame.Forbidden("")
	case i.epic == e:
		return frame.Conflict("Issue(s) already assigned")
	}
	i.setEpic(e)
	c.svc.touch(i)
	return c.Created(c.epicIssueLink(e, i))
}

func noMatching(noun string) *reply {
	return frame.Message(404, "No matching "+noun+" found. Make sure that you are adding a valid "+noun+" URL.")
}

// epicIssue returns the issue of the link in the path, if the caller may change the link.
func (c *call) epicIssue(e *Epic) (*Issue, *reply) {
	id := c.PathInt64("epic_issue_id")
	for _, i := range e.issues() {
		switch {
		case i.inEpic.id != id || !c.canReadIssue(i):
		case !c.mayLink(i.project, i.project):
			return nil, frame.Forbidden("")
		default:
			return i, nil
		}
	}
	return nil, frame.NotFoundUnnamed()
}

func moveEpicIssue(c *call, e *Epic) *reply {
	moved, refusal := c.epicIssue(e)
	if refusal != nil {
		return refusal
	}
	fits := rearrange(c, e.issues(), moved, func(i *Issue) int64 { return i.inEpic.id },
		func(i *Issue) *int64 { return &i.inEpic.position })
	if !fits {
		return cmp.Or(c.Refusal(), listProblem("Issue could not be moved!"))
	}
	return listEpicIssues(c, e)
}

// rearrange moves a record of a list to the place that a call names, if it names one. It reports
// false if there is no such place, or if the call is to be refused.
func rearrange[T comparable](c *call, list []T, moved T, id func(T) int64, place func(T) *int64) bool {
	others := slices.DeleteFunc(list, func(other T) bool { return other == moved })
	next, fits := placeBetween(c, others, id)
	if !fits || c.Refusal() != nil {
		return false
	}
	if next >= 0 {
		renumber(slices.Insert(others, next, moved), place)
	}
	return true
}

// renumber gives the records of a list places in its order.
func renumber[T any](list []T, place func(T) *int64) {
	for n, record := range list {
		*place(record) = int64(n + 1)
	}
}

func removeEpicIssue(c *call, e *Epic) *reply {
	i, refusal := c.epicIssue(e)
	if refusal != nil {
		return refusal
	}
	answer := c.epicIssueLink(e, i)
	i.setEpic(nil)
	c.svc.touch(i)
	return c.OK(answer)
}

func listEpicChildren(c *call, e *Epic) *reply {
	hidden := func(child *Epic) bool { return !c.canReadEpic(child) }
	return c.OK(mapped(slices.DeleteFunc(e.children(), hidden), func(child *Epic) *collection.Form {
		return c.epicJSON(child, false)
	}))
}

// canReadEpic reports whether the caller can see an epic of any group.
func (c *call) canReadEpic(e *Epic) bool {
	return c.svc.canSeeGroup(c.user, e.group) && e.visibleTo(c.user)
}

// otherEpic returns an epic that a call relates to that of the path.
func (c *call) otherEpic(e *Epic, found bool) (*Epic, *reply) {
	switch {
	case !found:
		return nil, frame.NotFoundUnnamed()
	case !c.canReadEpic(e):
		return nil, noMatching("epic")
	case c.svc.groupLevel(c.user, e.group) < Guest:
		return nil, frame.Forbidden("")
	}
	return e, nil
}

// maxLevels is how many levels of epics there may be.
const maxLevels = 7

// levels returns how many levels of epics an epic is the top of.
func (e *Epic) levels() int {
	below := 0
	for _, child := range e.children() {
		below = max(below, child.levels())
	}
	return below + 1
}

// childProblem says why an epic with some levels cannot become a child of another one, or
// returns "". A new epic is nil.
func (e *Epic) childProblem(child *Epic, levels int) string {
	if child == e {
		return "This epic cannot be added. An epic cannot be added to itself."
	}
	for above := e; above != nil; above = above.parent {
		if levels++; above == child {
			return "This epic cannot be added. It is already an ancestor of the parent epic."
		}
	}
	if levels > maxLevels {
		return "This epic cannot be added. One or more epics would exceed the maximum depth (7) from its most " +
			"distant ancestor."
	}
	return ""
}

func addEpicChild(c *call, e *Epic) *reply {
	child, refusal := c.otherEpic(state[epicState](c.svc).epics.get(c.PathInt64("child_epic_id")))
	switch {
	case refusal != nil:
		return refusal
	case child.parent == e:
		return frame.Conflict("Epic(s) already assigned")
	}
	if problem := e.childProblem(child, child.levels()); problem != "" {
		return frame.Unprocessable(problem)
	}
	child.setParent(e)
	c.svc.touch(child)
	return c.Created(c.epicJSON(child, false))
}

func createEpicChild(c *call, e *Epic) *reply {
	child := e.group.draftEpic(c.user)
	child.title, child.confidential = c.RequiredString("title"), c.BoolOr("confidential", e.confidential)
	if refusal := cmp.Or(c.Refusal(), child.problem()); refusal != nil {
		return refusal
	}
	if e.confidential && !child.confidential {
		return frame.FieldErrors("base",
			"A non-confidential epic cannot be assigned to a confidential parent epic")
	}
	if problem := e.childProblem(nil, 1); problem != "" {
		return frame.Unprocessable(problem)
	}
	child.setParent(e)
	child.store()
	return c.Created(object{
		"id": child.id, "iid": child.iid, "title": child.title, "group_id": child.group.id, "parent_id": e.id,
		"has_children": false, "has_issues": false, "reference": "&" + frame.Itoa(child.iid), "url": child.path(),
		"relation_url": e.path() + "/links/" + frame.Itoa(child.id),
	})
}

// epicChild returns the child of the path.
func (c *call) epicChild(e *Epic) (*Epic, *reply) {
	child, ok := state[epicState](c.svc).epics.get(c.PathInt64("child_epic_id"))
	return c.otherEpic(child, ok && child.parent == e)
}

func moveEpicChild(c *call, e *Epic) *reply {
	moved, refusal := c.epicChild(e)
	if refusal != nil {
		return refusal
	}
	if !rearrange(c, e.children(), moved, (*Epic).key, func(child *Epic) *int64 { return &child.place }) {
		return cmp.Or(c.Refusal(), frame.NotFoundUnnamed())
	}
	return listEpicChildren(c, e)
}

func removeEpicChild(c *call, e *Epic) *reply {
	child, refusal := c.epicChild(e)
	if refusal != nil {
		return refusal
	}
	child.setParent(nil)
	c.svc.touch(child)
	return c.OK(c.epicJSON(child, false))
}

// epicLinkForm returns the JSON of a link between epics.
func (c *call) epicLinkForm(l *link[*Epic]) object {
	return object{
		"id": l.id, "source_epic": c.epicJSON(l.source, false), "target_epic": c.epicJSON(l.target, false),
		"link_type": l.kind, "created_at": l.createdAt, "updated_at": l.createdAt,
	}
}

// listEpicLinks lists the links of all epics of a group and of its subgroups.
func listEpicLinks(c *call, group *Group) *reply {
	var f filter[*link[*Epic]]
	made := func(l *link[*Epic]) time.Time { return time.Time(l.createdAt) }
	f.Within(c.Time("created_after"), c.Time("created_before"), made)
	f.Within(c.Time("updated_after"), c.Time("updated_before"), made)
	found := f.Apply(state[links[*Epic]](c.svc).all(func(l *link[*Epic]) bool {
		return l.source.group.within(group) || l.target.group.within(group)
	}))
	visible := func(l *link[*Epic]) bool { return c.canReadEpic(l.source) && c.canReadEpic(l.target) }
	return listVisible(c, found, visible, c.epicLinkForm)
}

func listRelatedEpics(c *call, e *Epic) *reply {
	forms := []*collection.Form{}
	for _, l := range state[links[*Epic]](c.svc).of(e) {
		if other, kind := l.from(e); c.canReadEpic(other) {
			form := c.epicJSON(other, false)
			form.Join(inOrder("related_epic_link_id", l.id, "link_type", kind, "link_created_at", l.createdAt,
				"link_updated_at", l.createdAt))
			forms = append(forms, form)
		}
	}
	return c.OK(forms)
}

func linkEpics(c *call, e *Epic) *reply {
	c.RequireGiven("target_group_id", "target_epic_iid")
	name, iid := c.String("target_group_id"), c.Int64("target_epic_iid")
	kind := either(c.StringIn("link_type", relatesTo, blocks, isBlockedBy), relatesTo)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	group := c.svc.findGroup(name)
	if group == nil || !c.svc.canSeeGroup(c.user, group) {
		return frame.NotFound("Group")
	}
	target, refusal := c.otherEpic(group.epic(iid, 0))
	switch {
	case refusal != nil:
		return refusal
	case target == e:
		return frame.Unprocessable("This epic cannot be added. An epic cannot be related to itself.")
	case state[links[*Epic]](c.svc).join(e, target):
		return frame.Conflict("Epic(s) already assigned")
	}
	return c.Created(c.epicLinkForm(state[links[*Epic]](c.svc).make(e, target, kind, jsonTime(c.now()))))
}

func unlinkEpics(c *call, e *Epic) *reply {
	l, ok := state[links[*Epic]](c.svc).get(c.PathInt64("related_epic_link_id"))
	if !ok || !l.isOf(e) {
		return frame.NotFoundUnnamed()
	}
	other, _ := l.from(e)
	if _, refusal := c.otherEpic(other, true); refusal != nil {
		return refusal
	}
	state[links[*Epic]](c.svc).remove(l.id)
	return c.OK(c.epicLinkForm(l))
}
