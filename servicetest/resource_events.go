package servicetest

import (
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// resourceEvents keeps the changes of labels and states of issues.
type resourceEvents struct{ labels, states table[*resourceEvent] }

// A resourceEvent records that a label was added or removed, or that the state changed.
type resourceEvent struct {
	id        int64
	issue     *Issue
	user      *User
	createdAt time.Time
	label     *label
	what      string // add or remove; closed or reopened
}

// record adds an event about the issue.
func (i *Issue) record(events *table[*resourceEvent], by *User, l *label, what string) {
	e := &resourceEvent{issue: i, user: by, createdAt: i.project.svc.now(), label: l, what: what}
	e.id, _ = events.add(0, e)
}

// recordLabels adds an event for each label that differs.
func (i *Issue) recordLabels(before []string, by *User) {
	svc := i.project.svc
	all := &state[resourceEvents](svc).labels
	record := func(these, those []string, what string) {
		for _, name := range these {
			if l := svc.label(name, func(l *label) bool { return l.isOf(i.project) }); !slices.Contains(those, name) {
				i.record(all, by, l, what)
			}
		}
	}
	record(i.labels, before, "add")
	record(before, i.labels, "remove")
}

// recordState adds an event for a new state.
func (i *Issue) recordState(by *User, what string) {
	i.record(&state[resourceEvents](i.project.svc).states, by, nil, what)
}

// common returns the members that all events have.
func (e *resourceEvent) common() object {
	return object{
		"id": e.id, "user": e.user.summary(), "created_at": jsonTime(e.createdAt), "resource_type": "Issue",
		"resource_id": e.issue.id,
	}
}

func (e *resourceEvent) labelJSON() object {
	o := e.common()
	o["action"], o["label"] = e.what, nil
	if e.label != nil {
		if _, exists := state[labelState](e.issue.project.svc).labels.get(e.label.id); exists {
			o["label"] = collection.Show(labelDetails, e.label)
		}
	}
	return o
}

func (e *resourceEvent) stateJSON() object {
	o := e.common()
	o["state"] = e.what
	return o
}

// listResourceEvents lists events of one kind.
func listResourceEvents(
	kind func(*resourceEvents) *table[*resourceEvent], form func(*resourceEvent) object,
) func(*call, *noteable) *reply {
	return func(c *call, on *noteable) *reply {
		found := kind(state[resourceEvents](c.svc)).all(func(e *resourceEvent) bool { return e.issue == on.issue })
		return frame.ListOf(c, found, form)
	}
}

func labelEvents(all *resourceEvents) *table[*resourceEvent] { return &all.labels }
func stateEvents(all *resourceEvents) *table[*resourceEvent] { return &all.states }
