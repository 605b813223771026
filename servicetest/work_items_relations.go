package servicetest

import (
	"encoding/json"
	"fmt"
	"slices"

	"example.com/serviceapi/servicetest/internal/frame"
)

// setHierarchy changes the parent, the children and the place of a work item.
func (c *call) setHierarchy(w *workItem, in workItemInput) ([]string, error) {
	widget := in.widget("hierarchyWidget")
	if widget.has("parentId") {
		var parent *workItem
		if id := widget.word("parentId"); id != "" {
			found, err := c.workItemWithID(id)
			if err != nil {
				return nil, err
			}
			parent = found
		}
		if problem := c.adopt(w, parent); problem != "" {
			return []string{problem}, nil
		}
	}
	for _, id := range textsOf(widget["childrenIds"]) {
		child, err := c.workItemWithID(id)
		if err != nil {
			return nil, err
		}
		if !c.mayUpdate(child, in) {
			return nil, noResource
		}
		if problem := c.adopt(child, w); problem != "" {
			return []string{problem}, nil
		}
	}
	if id := widget.word("adjacentWorkItemId"); id != "" {
		beside, err := c.workItemWithID(id)
		if err != nil {
			return nil, err
		}
		if !w.moveBeside(beside, widget.word("relativePosition") == "AFTER") {
			return []string{"The adjacent work item is not a child of the same parent"}, nil
		}
	}
	return nil, nil
}

// adopt gives a work item a parent, or takes it from its parent for nil. It returns why that
// is not allowed, or "".
func (c *call) adopt(w, parent *workItem) string {
	c.Touch(w.record())
	switch {
	case parent == nil && w.epic != nil:
		w.epic.setParent(nil)
	case parent == nil:
		w.issue.setEpic(nil)
		w.setTaskOf(nil)
	case w.epic != nil && parent.epic != nil && !parent.isBelow(w):
		w.epic.setParent(parent.epic)
	case w.epic == nil && w.issue.kind == "issue" && parent.epic != nil:
		w.issue.setEpic(parent.epic)
		w.setTaskOf(nil)
	case w.epic == nil && w.issue.kind == "task" && parent.epic == nil && parent.issue.kind != "task":
		w.issue.setEpic(nil)
		w.setTaskOf(parent.issue)
	default:
		return fmt.Sprintf("#%d cannot be added: it's not allowed to add this type of parent item", w.iid())
	}
	return ""
}

// setTaskOf puts a task at the end of those of an issue, or takes it from its issue for nil.
func (w *workItem) setTaskOf(issue *Issue) {
	more := w.more()
	if more.parent != issue && issue != nil {
		all := state[workItemState](w.svc())
		all.tasks++
		more.place = all.tasks
	}
	more.parent = issue
	w.keep(more)
}

// moveBeside puts a work item before or after another child of its parent. Issues and epics
// below one epic have an order each, as in the REST API.
func (w *workItem) moveBeside(beside *workItem, after bool) bool {
	is := func(other *workItem) func(*workItem) bool {
		return func(w *workItem) bool { return w.record() == other.record() }
	}
	parent := w.parent()
	if parent == nil || is(w)(beside) {
		return false
	}
	siblings := slices.DeleteFunc(parent.children(), func(other *workItem) bool {
		return (other.epic == nil) != (w.epic == nil) || is(w)(other)
	})
	at := slices.IndexFunc(siblings, is(beside))
	if at < 0 {
		return false
	}
	if after {
		at++
	}
	renumber(slices.Insert(siblings, at, w), (*workItem).place)
	return true
}

// place returns the place of a work item among the children of its parent.
func (w *workItem) place() *int64 {
	switch more := state[workItemState](w.svc()).more[w.record()]; {
	case w.epic != nil:
		return &w.epic.place
	case more != nil && more.parent != nil:
		return &more.place
	}
	return &w.issue.inEpic.position
}

// isBelow reports whether a work item is another one, or one of its descendants.
func (w *workItem) isBelow(other *workItem) bool {
	for at := w; at != nil; at = at.parent() {
		if at.record() == other.record() {
			return true
		}
	}
	return false
}

// linkWorkItems links a new issue with others.
func (c *call) linkWorkItems(w *workItem, in workItemInput) ([]string, error) {
	widget := in.widget("linkedItemsWidget")
	kinds := map[string]string{"BLOCKS": blocks, "BLOCKED_BY": isBlockedBy}
	for _, id := range textsOf(widget["workItemsIds"]) {
		other, err := c.workItemWithID(id)
		if err != nil {
			return nil, err
		}
		if other.issue == nil {
			return []string{"Epics cannot be linked here"}, nil
		}
		if problems, err := c.rest("POST", w.pathInREST()+"/links", map[string]any{
			"target_project_id": frame.Itoa(other.issue.project.id),
			"target_issue_iid":  json.Number(frame.Itoa(other.iid())),
			"link_type":         either(kinds[widget.word("linkType")], relatesTo),
		}); err != nil || problems != nil {
			return problems, err
		}
	}
	return nil, nil
}

// setIteration changes the iteration of an issue.
func (c *call) setIteration(w *workItem, in workItemInput) ([]string, error) {
	widget := in.widget("iterationWidget")
	if !widget.has("iterationId") {
		return nil, nil
	}
	c.Touch(w.issue)
	if widget["iterationId"] == nil {
		w.issue.iteration = nil
		return nil, nil
	}
	number, err := c.svc.numberOf(widget.word("iterationId"), "Iteration")
	kept, ok := state[iterationState](c.svc).iterations.get(number)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, noResource
	}
	w.issue.iteration = &kept.Iteration
	return nil, nil
}

// setForCaller changes what belongs to the caller: the subscription, reactions and to-do
// items.
func (c *call) setForCaller(w *workItem, in workItemInput) ([]string, error) {
	if subscribed, ok := in.widget("notificationsWidget")["subscribed"].(bool); ok {
		w.subject().subscribe(c.user, subscribed)
	}
	if emoji := in.widget("awardEmojiWidget"); emoji != nil {
		name := emoji.word("name")
		has := slices.Contains(w.subject().reactionsOf(c.user), name)
		switch action := emoji.word("action"); {
		case action == "REMOVE" || action == "TOGGLE" && has:
			w.subject().reactions = slices.DeleteFunc(w.subject().reactions, func(r *award) bool {
				return r.user == c.user && r.name == name
			})
		case !has:
			w.subject().addReaction(c.user, name)
		}
	}
	if in.widget("currentUserTodosWidget").word("action") == "ADD" {
		return c.rest("POST", w.pathInREST()+"/todo", nil)
	}
	return nil, nil
}

// trackTime sets the estimate, and adds time that was spent.
func (c *call) trackTime(w *workItem, in workItemInput) ([]string, error) {
	widget := in.widget("timeTrackingWidget")
	if w.issue == nil || widget == nil {
		return nil, nil
	}
	if widget.has("timeEstimate") {
		duration := map[string]any{"duration": widget["timeEstimate"]}
		problems, err := c.rest("POST", w.pathInREST()+"/time_estimate", duration)
		if err != nil || problems != nil {
			return problems, err
		}
	}
	if timelog := widget.widget("timelog"); timelog != nil {
		return c.rest("POST", w.pathInREST()+"/add_spent_time", map[string]any{
			"duration": timelog["timeSpent"], "summary": timelog.word("summary"),
		})
	}
	return nil, nil
}
