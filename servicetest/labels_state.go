package servicetest

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/serviceapi/servicetest/internal/frame"
)

// findLabel returns the label with the ID or, if there is none, the name in the path.
// Only labels of the home itself can be changed.
func (c *call) findLabel(home any) (*label, *reply) {
	found := c.labelsOf(home)
	if refusal := c.Refusal(); refusal != nil {
		return nil, refusal
	}
	if method := c.Request.Method; method == http.MethodPut || method == http.MethodDelete {
		found = slices.DeleteFunc(found, func(l *label) bool { return l.home() != home })
	}
	id, name := c.PathInt64("label_id"), c.PathString("label_id")
	for _, is := range []func(*label) bool{
		func(l *label) bool { return l.id == id }, func(l *label) bool { return l.name == name },
	} {
		if i := slices.IndexFunc(found, is); i >= 0 {
			return found[i], nil
		}
	}
	return nil, frame.NotFound("Label")
}

// home returns the project or the group that the label belongs to.
func (l *label) home() any {
	if l.project != nil {
		return l.project
	}
	return l.group
}

func newLabelOf(home any) *label {
	l := new(label)
	l.project, _ = home.(*Project)
	l.group, _ = home.(*Group)
	return l
}

// readLabel reads the new name of a label, and its priority, which only projects have.
func (c *call) readLabel(home any, draft *label, making bool) {
	if !making && c.Has("new_name") {
		draft.name = c.RequiredString("new_name")
	}
	if p, inProject := home.(*Project); inProject && c.Has("priority") {
		draft.priorities = maps.Clone(draft.priorities)
		draft.prioritize(p, c.Int64OrNil("priority"))
	}
}

// checkLabel refuses invalid labels.
func (c *call) checkLabel(home any, draft, before *label) *reply {
	draft.name = strings.TrimSpace(draft.name)
	color, isColor := colorOf(draft.color)
	p, _ := home.(*Project)
	switch {
	case draft.name == "":
		return frame.FieldErrors("title", "can't be blank")
	case strings.Contains(draft.name, ","):
		return frame.FieldErrors("title", "is invalid")
	case utf8.RuneCountInString(draft.name) > maxTitle:
		return frame.FieldErrors("title", "is too long (maximum is 255 characters)")
	case !isColor && (before == nil || draft.color != before.color):
		return frame.FieldErrors("color", "must be a valid color code")
	case p != nil && valueOr(draft.priorityIn(p), 0) < 0:
		return frame.FieldErrors("priority", "must be greater than or equal to 0")
	case before == nil && c.svc.label(draft.name, usableIn(home)) != nil:
		return frame.Conflict("Label already exists")
	}
	same := c.svc.label(draft.name, func(l *label) bool { return l != before && l.home() == home })
	if before != nil && same != nil {
		return frame.FieldErrors("title", "has already been taken")
	}
	draft.color = color
	return nil
}

// usableIn returns a function that reports whether a label belongs to a project or a
// group, or to a group above it.
func usableIn(home any) func(*label) bool {
	return func(l *label) bool {
		if p, inProject := home.(*Project); inProject {
			return l.isOf(p)
		}
		return l.group != nil && home.(*Group).within(l.group)
	}
}

// updateLabel changes a label, also in the issues, merge requests and epics that have
// it. The change makes no notes and no events.
func updateLabel(c *call, _ any, l *label) *reply {
	names := []string{"new_name", "color", "description"}
	if l.project != nil {
		names = append(names, "priority")
	}
	if !c.Has("archived") {
		if refusal := c.changesNothing(names...); refusal != nil {
			return refusal
		}
	}
	carriers, before := c.svc.labeled(l), l.name
	var answer *reply
	c.svc.silently(func() {
		answer = labels.Update(c)
		for _, t := range carriers {
			t.renameLabel(before, l.name)
			c.svc.touch(t.of)
		}
	})
	return answer
}

// labelOf makes a handler for a label of the path serve a call that names the label by one of
// its parameters instead: the only one, or exactly one of two.
func labelOf(handle handler, names ...string) handler {
	return func(c *call) *reply {
		if _, refusal := c.tokenHome(); refusal != nil {
			return refusal
		}
		given := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !c.Given(name) })
		switch {
		case len(given) == 1 && given[0] == "label_id":
			c.Path["label_id"] = frame.Itoa(c.Int64("label_id"))
		case len(given) == 1:
			c.Path["label_id"] = c.String("name")
		case len(given) == 2:
			c.Exclusive(names[0], names[1])
		case len(names) == 2:
			c.Problem("label_id, name are missing, exactly one parameter must be provided")
		default:
			c.RequireGiven(names[0])
		}
		if refusal := c.Refusal(); refusal != nil {
			return refusal
		}
		return handle(c)
	}
}

// promoteLabel makes the label of a project one of its group.
func promoteLabel(c *call, home any, l *label) *reply {
	group := home.(*Project).group
	switch {
	case group == nil:
		return frame.Message(http.StatusBadRequest, "Failed to promote project label to group label")
	case c.svc.groupLevel(c.user, group) < Reporter:
		return frame.Forbidden("")
	}
	var made *label
	c.svc.silently(func() { made = l.promote(group) })
	return c.OK(labels.Form(c, group, made))
}

// promote replaces all labels with the same name in the group's projects with a label
// of the group.
func (l *label) promote(group *Group) *label {
	all := &state[labelState](group.svc).labels
	made := group.svc.label(l.name, func(l *label) bool { return l.group == group })
	if made == nil {
		made = group.svc.newLabel(label{group: group, name: l.name, color: l.color, description: l.description})
	}
	for _, old := range all.all(func(old *label) bool {
		return old.name == l.name && old.project != nil && old.project.within(group)
	}) {
		for p, n := range old.priorities {
			made.prioritize(p, &n)
		}
		for user := range old.subscribers {
			made.subscribe(user)
		}
		group.svc.relabelEvents(old, made)
		for _, t := range group.svc.labeled(old) {
			group.svc.touch(t.of)
		}
		group.svc.relist(old, made)
		all.remove(old.id)
	}
	return made
}

// subscribeToLabel notifies the caller of objects that get a label.
// unsubscribeFromLabel ends that.
func subscribeToLabel(c *call, home any, l *label) *reply { return c.subscribeToLabel(home, l, true) }
func unsubscribeFromLabel(c *call, home any, l *label) *reply {
	return c.subscribeToLabel(home, l, false)
}

func (c *call) subscribeToLabel(home any, l *label, on bool) *reply {
	switch {
	case l.subscribers[c.user] == on:
		return &reply{Status: http.StatusNotModified}
	case on:
		l.subscribe(c.user)
	default:
		delete(l.subscribers, c.user)
	}
	return c.Created(labels.Form(c, home, l))
}

func (l *label) subscribe(user *User) { put(&l.subscribers, user, true) }

// prioritize sets the priority of the label in a project, or removes it if n is nil.
func (l *label) prioritize(p *Project, n *int64) {
	if n == nil {
		delete(l.priorities, p)
		return
	}
	put(&l.priorities, p, *n)
}

// priorityIn returns the priority of the label in a project, or nil if it has none.
func (l *label) priorityIn(p *Project) *int64 {
	if n, ok := l.priorities[p]; ok {
		return &n
	}
	return nil
}

// removeLabel deletes a label and takes it off all objects.
func (s *Service) removeLabel(l *label) {
	for _, t := range s.labeled(l) {
		t.removeLabels([]string{l.name})
		s.touch(t.of)
	}
	s.relist(l, nil)
	s.relabelEvents(l, nil)
	state[labelState](s).labels.remove(l.id)
}

// labeled returns the issues, merge requests and epics that have a label. They have
// only its name, which stands for the first label with that name.
func (s *Service) labeled(l *label) []*topic {
	var found []*topic
	look := func(t *topic, home any) {
		if slices.Contains(t.labels, l.name) && s.label(l.name, usableIn(home)) == l {
			found = append(found, t)
		}
	}
	for _, i := range state[issueState](s).issues.all(nil) {
		look(&i.topic, i.project)
	}
	for _, m := range state[mergeRequestState](s).requests.all(nil) {
		look(&m.topic, m.project)
	}
	for _, e := range state[epicState](s).epics.all(nil) {
		look(&e.topic, e.group)
	}
	return found
}

func (t *topic) renameLabel(before, after string) {
	if before == after {
		return
	}
	if slices.Contains(t.labels, after) {
		t.removeLabels([]string{before})
		return
	}
	t.labels = slices.Clone(t.labels)
	t.labels[slices.Index(t.labels, before)] = after
}
