package servicetest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
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

// A topical record has a topic: an issue, a merge request or an epic.
type topical interface{ subject() *topic }

func (t *topic) subject() *topic { return t }

func milestoneOf[T topical](record T) []string {
	if m := record.subject().milestone; m != nil {
		return []string{m.title}
	}
	return nil
}

func labelsOf[T topical](record T) []string { return record.subject().labels }

func authors[T topical](record T) []*User {
	author := record.subject().author.shown()
	if author == nil {
		return nil
	}
	return []*User{author}
}

func assignees[T topical](record T) []*User { return record.subject().assignees }

// reactionsBy returns the facet of the emojis that a user reacted with.
func reactionsBy[T topical](user *User) func(T) []string {
	return func(record T) []string { return record.subject().reactionsOf(user) }
}

func idsOf[T any](users func(T) []*User) func(T) []string {
	return func(record T) []string {
		var ids []string
		for _, user := range users(record) {
			ids = append(ids, strconv.FormatInt(user.id, 10))
		}
		return ids
	}
}

func usernamesOf[T any](users func(T) []*User) func(T) []string {
	return func(record T) []string {
		var names []string
		for _, user := range users(record) {
			names = append(names, strings.ToLower(user.username))
		}
		return names
	}
}

// filterTopics reads the parameters that all lists of topics have: labels,
// milestone, author_id, author_username, my_reaction_emoji, times and search,
// and the same with not.
func filterTopics[T topical](c *call, f *filter[T]) {
	c.exclusive("author_id", "author_username")
	f.has(labelsOf[T], c.list("labels"))
	f.has(milestoneOf[T], c.word("milestone"))
	f.has(idsOf(authors[T]), c.number("author_id"))
	f.has(usernamesOf(authors[T]), c.folded("author_username"))
	f.has(reactionsBy[T](c.user), c.word("my_reaction_emoji"))
	f.within(c.time("created_after"), c.time("created_before"), func(record T) time.Time { return record.subject().createdAt })
	f.within(c.time("updated_after"), c.time("updated_before"), func(record T) time.Time { return record.subject().updatedAt })
	not := c.sub("not")
	f.lacks(labelsOf[T], not.list("labels"))
	f.lacks(milestoneOf[T], not.word("milestone"))
	f.lacks(idsOf(authors[T]), not.number("author_id"))
	f.lacks(usernamesOf(authors[T]), not.folded("author_username"))
	f.lacks(reactionsBy[T](c.user), not.word("my_reaction_emoji"))
}

// filterSearch reads search and, if the list has it, in.
func filterSearch[T topical](c *call, f *filter[T], hasIn bool) {
	search := c.str("search")
	if search == "" {
		return
	}
	in := []string{"title", "description"}
	if hasIn && c.str("in") != "" {
		in = c.list("in")
	}
	for _, place := range in {
		if place != "title" && place != "description" {
			c.problem("in does not have a valid value")
			return
		}
	}
	f.add(func(record T) bool {
		t := record.subject()
		return slices.Contains(in, "title") && containsFold(t.title, search) ||
			slices.Contains(in, "description") && containsFold(t.description, search)
	})
}

// filterScope reads the scope. In lists of all projects, the default is the
// caller's own.
func filterScope[T topical](c *call, f *filter[T], global bool) {
	scope := c.oneOf("scope", "created_by_me", "assigned_to_me", "all")
	if scope == "" && global {
		scope = "created_by_me"
	}
	switch scope {
	case "created_by_me":
		f.add(func(record T) bool { return record.subject().author == c.user })
	case "assigned_to_me":
		f.add(func(record T) bool { return slices.Contains(record.subject().assignees, c.user) })
	}
}
