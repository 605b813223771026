package servicetest

import (
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

func createEpic(c *call, group *Group) *reply {
	c.Require("title")
	at := c.Time("created_at")
	draft := group.draftEpic(c.user)
	if refusal := c.changeEpic(draft); refusal != nil {
		return refusal
	}
	if !at.IsZero() {
		if c.svc.groupLevel(c.user, group) < Owner {
			return frame.Forbidden("")
		}
		draft.createdAt = at
	}
	draft.store()
	draft.recordChanges(c.svc, topic{}, c.user, group)
	return c.Created(c.epicDetails(draft))
}

func updateEpic(c *call, e *Epic) *reply {
	if refusal := c.changesNothing("title", "description", "labels", "add_labels", "remove_labels", "state_event",
		"updated_at", "color", "confidential", "start_date_is_fixed", "start_date_fixed", "due_date_is_fixed",
		"due_date_fixed", "parent_id"); refusal != nil {
		return refusal
	}
	event, at := c.StringIn("state_event", "close", "reopen"), c.Time("updated_at")
	edited := *e
	if refusal := c.changeEpic(&edited); refusal != nil {
		return refusal
	}
	if !at.IsZero() && c.svc.groupLevel(c.user, e.group) < Owner {
		return frame.Forbidden("")
	}
	if at.IsZero() {
		at = c.now()
	}
	edited.updatedAt = at
	before := *e
	*e = edited
	e.group.keepLabels(e.labels)
	e.tellChanges(before, c.user)
	if event != "" && (event == "close") == (e.state == "opened") {
		e.setOpen(event == "reopen", c.user, at)
	}
	return c.OK(c.epicDetails(e))
}

func deleteEpic(c *call, e *Epic) *reply {
	if refusal := c.Unchanged(e.updatedAt); refusal != nil {
		return refusal
	}
	e.remove()
	return c.NoContent()
}

// changeEpic applies the parameters of a call to a draft.
func (c *call) changeEpic(e *Epic) *reply {
	given(c, "title", c.RequiredString, &e.title)
	given(c, "description", c.String, &e.description)
	c.changeLabels(&e.topic)
	e.confidential = c.BoolOr("confidential", e.confidential)
	e.startIsFixed = c.BoolOr("start_date_is_fixed", e.startIsFixed)
	e.dueIsFixed = c.BoolOr("due_date_is_fixed", e.dueIsFixed)
	given(c, "start_date_fixed", c.Time, &e.startDate)
	given(c, "due_date_fixed", c.Time, &e.dueDate)
	color, isColor := colorOf(either(c.String("color"), e.color))
	parent, hasParent := c.parentEpic(e)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	switch {
	case !isColor:
		return frame.FieldErrors("color", "must be a valid color code")
	case !hasParent:
		return frame.FieldErrors("parent_id", "is invalid")
	}
	e.color = color
	e.setParent(parent)
	return e.problem()
}

// parentEpic returns the new parent of an epic. It reports false for a parent that the
// caller cannot see, and for the epic itself and its children.
func (c *call) parentEpic(of *Epic) (*Epic, bool) {
	id := c.Int64("parent_id")
	if !c.Has("parent_id") {
		return of.parent, true
	}
	if id == 0 {
		return nil, true
	}
	parent, ok := state[epicState](c.svc).epics.get(id)
	if !ok || !c.svc.canSeeGroup(c.user, parent.group) || !parent.visibleTo(c.user) {
		return nil, false
	}
	for e := parent; e != nil; e = e.parent {
		if e.id == of.id {
			return nil, false
		}
	}
	return parent, true
}

// draftEpic returns an epic that is not stored yet.
func (g *Group) draftEpic(author *User) *Epic {
	return &Epic{
		group: g, state: "opened", color: epicColor, topic: topic{author: author, createdAt: g.svc.now()},
	}
}

func (e *Epic) store() {
	if e.updatedAt.IsZero() {
		e.updatedAt = e.createdAt
	}
	all := state[epicState](e.group.svc)
	seed(e.group.svc, &all.epics, &e.id, e, "an epic")
	e.iid = nextIID(&all.iids, e.group)
	e.belongTo(e.group.svc, e)
	e.group.svc.excludeLabels(&e.topic, nil, e.labels)
	e.group.keepLabels(e.labels)
}

// remove deletes the epic. Its issues and its children stay, without it.
func (e *Epic) remove() {
	svc := e.group.svc
	state[epicState](svc).epics.remove(e.id)
	svc.touch(e)
	e.removeLinks()
	for _, i := range e.issues() {
		i.setEpic(nil)
	}
	for _, child := range e.children() {
		child.setParent(nil)
	}
}

func (e *Epic) setOpen(open bool, by *User, at time.Time) {
	svc := e.group.svc
	if open {
		svc.tell(&e.discussion, by, "reopened")
		svc.recordState(e, by, "reopened", nil)
		e.state, e.closedBy, e.closedAt = "opened", nil, zeroTime
		return
	}
	svc.tell(&e.discussion, by, "closed")
	svc.recordState(e, by, "closed", nil)
	e.state, e.closedBy, e.closedAt = "closed", by, at
}

// tellChanges adds a system note for each difference from what the epic was before.
func (e *Epic) tellChanges(before Epic, by *User) {
	svc := e.group.svc
	e.recordChanges(svc, before.topic, by, e.group)
	if before.title != e.title {
		svc.tell(&e.discussion, by, "changed title from **%s** to **%s**", before.title, e.title)
	}
	if before.description != e.description {
		svc.tell(&e.discussion, by, "changed the description")
	}
	named := func(name string) string { return "~" + frame.Itoa(svc.label(name, usableIn(e.group)).id) }
	if text := exchanged(before.labels, e.labels, named, "added %s label", "removed %s label"); text != "" {
		svc.tell(&e.discussion, by, "%s", text)
	}
}

func (e *Epic) webURL() string {
	return e.group.svc.webURL("groups", e.group.fullPath(), "-/epics", frame.Itoa(e.iid))
}

// path returns the path of the epic on the web.
func (e *Epic) path() string {
	return "/groups/" + e.group.fullPath() + "/-/epics/" + frame.Itoa(e.iid)
}

// start returns the start date of the epic: the fixed one, or the inherited one.
func (e *Epic) start() time.Time {
	if e.startIsFixed {
		return e.startDate
	}
	return e.inheritedStart()
}

// due is like start, for the due date.
func (e *Epic) due() time.Time {
	if e.dueIsFixed {
		return e.dueDate
	}
	return e.inheritedDue()
}

// inheritedStart returns the earliest start date of the child epics and of the milestones
// of issues.
func (e *Epic) inheritedStart() time.Time {
	dates := e.inherited((*Epic).start, func(m *Milestone) time.Time { return m.startDate })
	if len(dates) == 0 {
		return zeroTime
	}
	return slices.MinFunc(dates, time.Time.Compare)
}

// inheritedDue is like inheritedStart, for the latest due date.
func (e *Epic) inheritedDue() time.Time {
	dates := e.inherited((*Epic).due, func(m *Milestone) time.Time { return m.dueDate })
	if len(dates) == 0 {
		return zeroTime
	}
	return slices.MaxFunc(dates, time.Time.Compare)
}

// inherited returns the dates of the child epics and of the milestones of issues.
func (e *Epic) inherited(ofEpic func(*Epic) time.Time, ofMilestone func(*Milestone) time.Time) []time.Time {
	dates := mapped(e.children(), ofEpic)
	for _, i := range e.issues() {
		if i.milestone != nil {
			dates = append(dates, ofMilestone(i.milestone))
		}
	}
	return slices.DeleteFunc(dates, time.Time.IsZero)
}
