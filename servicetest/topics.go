package servicetest

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxTitle       = 255
	maxDescription = 1 << 20 // characters
)

// changeTopic applies the parameters that issues and merge requests have in
// common to a draft. New labels are made when the draft is stored; see
// keepLabels.
func (c *call) changeTopic(t *topic, p *Project) *reply {
	if c.has("title") {
		t.title = strings.TrimSpace(c.str("title"))
	}
	if c.has("description") {
		t.description = c.str("description")
	}
	c.changeAssignees(t)
	c.changeLabels(t)
	t.locked = c.bool("discussion_locked", t.locked)
	milestone := c.int64("milestone_id")
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	if c.has("milestone_id") {
		if t.milestone = p.milestoneWith(milestone); t.milestone == nil && milestone != 0 {
			return fieldErrors("milestone_id", "is invalid")
		}
	}
	return t.problem()
}

// problem refuses an invalid title or description.
func (t *topic) problem() *reply {
	switch {
	case t.title == "":
		return fieldErrors("title", "can't be blank")
	case utf8.RuneCountInString(t.title) > maxTitle:
		return fieldErrors("title", fmt.Sprintf("is too long (maximum is %d characters)", maxTitle))
	case utf8.RuneCountInString(t.description) > maxDescription:
		return fieldErrors("description", fmt.Sprintf("is too long (maximum is %d characters)", maxDescription))
	}
	return nil
}

// changeAssignees reads assignee_ids and its older form. Unknown IDs are
// ignored, and 0 means nobody. More than one assignee requires the Premium
// tier.
func (c *call) changeAssignees(t *topic) {
	if c.has("assignee_id") {
		t.assignees = c.usersOf("assignee_id")
	}
	if c.has("assignee_ids") {
		t.assignees = c.usersOf("assignee_ids")
	}
	if len(t.assignees) > 1 && !c.hasTier(Premium) {
		t.assignees = t.assignees[:1]
	}
}

// usersOf returns the users whose IDs are in a parameter.
func (c *call) usersOf(name string) []*User {
	var users []*User
	for _, id := range c.int64s(name) {
		if user, ok := c.svc.users.get(id); ok && !slices.Contains(users, user) {
			users = append(users, user)
		}
	}
	return users
}

func (c *call) changeLabels(t *topic) {
	if c.has("labels") {
		t.labels = nil
		t.addLabels(c.list("labels"))
	}
	t.addLabels(c.list("add_labels"))
	if names := c.list("remove_labels"); len(names) > 0 {
		t.removeLabels(names)
	}
}

// changesNothing refuses an update that has none of its parameters.
func (c *call) changesNothing(names ...string) *reply {
	if slices.ContainsFunc(names, c.has) {
		return nil
	}
	return jsonReply(400, object{"error": strings.Join(names, ", ") + " are missing, at least one parameter must be provided"})
}
