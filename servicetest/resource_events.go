package servicetest

import (
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// resourceEvents keeps the changes of issues, merge requests and epics, by what changed.
type resourceEvents struct{ labels, states, milestones, weights, iterations table[*resourceEvent] }

// A resourceEvent records a change of one thing. The fields for other things are empty.
type resourceEvent struct {
	id        int64
	of        any // the *Issue, *MergeRequest or *Epic
	user      *User
	createdAt time.Time
	action    string // add or remove; for a state nothing
	state     string // the new state; for a milestone the state at that time
	label     *label
	milestone *Milestone
	iteration *Iteration
	weight    *int64
	closer    *MergeRequest // closed the issue
}

// keepEvent adds an event about a change that happened now.
func (s *Service) keepEvent(events *table[*resourceEvent], e resourceEvent) {
	e.createdAt = s.now()
	e.id, _ = events.add(0, &e)
}

// recordState adds an event for a new state.
func (s *Service) recordState(of any, by *User, to string, closer *MergeRequest) {
	s.keepEvent(&state[resourceEvents](s).states, resourceEvent{of: of, user: by, state: to, closer: closer})
}

// recordChanges adds events for the labels that differ from what the topic was before, and
// for another milestone. The labels are those of a project or a group.
func (t *topic) recordChanges(s *Service, before topic, by *User, home any) {
	all := state[resourceEvents](s)
	labels := func(these, those []string, action string) {
		for _, name := range these {
			if l := s.label(name, usableIn(home)); !slices.Contains(those, name) {
				s.keepEvent(&all.labels, resourceEvent{of: t.of, user: by, label: l, action: action})
			}
		}
	}
	labels(t.labels, before.labels, "add")
	labels(before.labels, t.labels, "remove")
	changed := resourceEvent{of: t.of, user: by, milestone: t.milestone, action: "add", state: stateOf(t.of)}
	switch {
	case t.milestone == before.milestone:
		return
	case t.milestone == nil:
		changed.milestone, changed.action = before.milestone, "remove"
	}
	s.keepEvent(&all.milestones, changed)
}

// stateOf returns the state of an issue or a merge request.
func stateOf(record any) string {
	switch of := record.(type) {
	case *MergeRequest:
		return of.state
	case *Issue:
		return of.state
	}
	return ""
}

// recordPlan adds events for another weight and another iteration of an issue.
func (i *Issue) recordPlan(before Issue, by *User) {
	s, all := i.project.svc, state[resourceEvents](i.project.svc)
	if valueOr(before.weight, -1) != valueOr(i.weight, -1) {
		s.keepEvent(&all.weights, resourceEvent{of: i, user: by, weight: i.weight})
	}
	if old := before.iteration; old != nil && (i.iteration == nil || i.iteration.ID != old.ID) {
		s.keepEvent(&all.iterations, resourceEvent{of: i, user: by, iteration: old, action: "remove"})
	}
	if new := i.iteration; new != nil && (before.iteration == nil || before.iteration.ID != new.ID) {
		s.keepEvent(&all.iterations, resourceEvent{of: i, user: by, iteration: new, action: "add"})
	}
}

// SetIteration moves the issue to an iteration of its group, as Root. An Iteration without
// an ID and a title takes it out of its iteration. The API cannot do that.
func (i *Issue) SetIteration(it Iteration) {
	svc := i.project.svc
	defer svc.lock()()
	before := *i
	if i.iteration = nil; it != (Iteration{}) {
		i.iteration = &it
		i.keepIteration()
	}
	svc.touch(i)
	i.tellChanges(before, svc.admin)
}

// relabelEvents replaces a label in all events. The new one is nil if the label is gone.
func (s *Service) relabelEvents(old, new *label) {
	for _, e := range state[resourceEvents](s).labels.all(func(e *resourceEvent) bool { return e.label == old }) {
		e.label = new
	}
}

// replaceInEvents is like relabelEvents, for a milestone.
func (m *Milestone) replaceInEvents(by *Milestone) {
	for _, e := range state[resourceEvents](m.svc).milestones.all(nil) {
		if e.milestone == m {
			e.milestone = by
		}
	}
}

// eventKind is a kind of resource events: its events, and the members that only it has.
type eventKind struct {
	name   string // in refusals
	of     func(*resourceEvents) *table[*resourceEvent]
	member func(*resourceEvent) object
}

var (
	labelEvents = eventKind{"ResourceLabelEvent",
		func(all *resourceEvents) *table[*resourceEvent] { return &all.labels },
		func(e *resourceEvent) object {
			return object{"action": e.action, "label": collection.Show(labelDetails, e.label)}
		}}
	stateEvents = eventKind{"ResourceStateEvent",
		func(all *resourceEvents) *table[*resourceEvent] { return &all.states },
		func(e *resourceEvent) object {
			o := object{"state": e.state, "source_commit": nil, "source_merge_request_id": nil}
			if e.closer != nil {
				o["source_merge_request_id"] = e.closer.id
			}
			return o
		}}
	milestoneEvents = eventKind{"ResourceMilestoneEvent",
		func(all *resourceEvents) *table[*resourceEvent] { return &all.milestones },
		func(e *resourceEvent) object {
			return object{"action": e.action, "state": e.state, "milestone": e.milestone.json()}
		}}
	weightEvents = eventKind{"ResourceWeightEvent",
		func(all *resourceEvents) *table[*resourceEvent] { return &all.weights },
		func(e *resourceEvent) object { return object{"weight": e.weight} }}
	iterationEvents = eventKind{"ResourceIterationEvent",
		func(all *resourceEvents) *table[*resourceEvent] { return &all.iterations },
		func(e *resourceEvent) object {
			return object{"action": e.action, "iteration": e.iteration.json(e.of.(*Issue))}
		}}
)

// form returns the JSON of an event of an object.
func (k *eventKind) form(on *noteable, e *resourceEvent) object {
	o := k.member(e)
	o["id"], o["user"], o["created_at"] = e.id, e.user.summary(), jsonTime(e.createdAt)
	if k.name == weightEvents.name {
		o["issue_id"] = on.id
	} else {
		o["resource_type"], o["resource_id"] = on.kind, on.id
	}
	return o
}

// shows reports whether the caller may see the label or the milestone of an event.
func (e *resourceEvent) shows(c *call) bool {
	var group *Group
	if e.label != nil {
		group = e.label.group
	}
	if e.milestone != nil {
		group = e.milestone.group
	}
	return group == nil || c.svc.canSeeGroup(c.user, group)
}

// list lists the events of an object. get returns one.
func (k *eventKind) list(c *call, on *noteable) *reply {
	found := k.of(state[resourceEvents](c.svc)).all(func(e *resourceEvent) bool { return e.of == on.of })
	return listVisible(c, found, func(e *resourceEvent) bool { return e.shows(c) }, func(e *resourceEvent) object {
		return k.form(on, e)
	})
}

func (k *eventKind) get(c *call, on *noteable) *reply {
	e, ok := k.of(state[resourceEvents](c.svc)).get(c.PathInt64("event_id"))
	switch {
	case !ok || e.of != on.of:
		return frame.NotFound("")
	case !e.shows(c):
		return frame.NotFound(k.name)
	}
	return c.OK(k.form(on, e))
}
