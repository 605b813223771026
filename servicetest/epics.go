package servicetest

import (
	"cmp"
	"slices"
	"strings"
)

func listEpics(c *call) *reply {
	group, refusal := c.group()
	if refusal != nil {
		return refusal
	}
	f := c.epicFilter()
	above, below := c.bool("include_ancestor_groups", false), c.bool("include_descendant_groups", true)
	orderBy, ascending := c.oneOf("order_by", "created_at", "updated_at", "title"), c.oneOf("sort", "asc", "desc") == "asc"
	details := c.bool("with_labels_details", false)
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	found := f.apply(state[epicState](c.svc).epics.all(func(e *Epic) bool {
		of := e.group == group || above && group.within(e.group) || below && e.group.within(group)
		return of && c.svc.canSeeGroup(c.user, e.group) && e.visibleTo(c.user)
	}))
	slices.SortFunc(found, func(a, b *Epic) int {
		if !ascending {
			a, b = b, a
		}
		return cmp.Or(compareEpics(a, b, orderBy), cmp.Compare(a.id, b.id))
	})
	return listOf(c, found, func(e *Epic) *epicJSON { return c.epicJSON(e, details) })
}

func (c *call) epicFilter() filter[*Epic] {
	var f filter[*Epic]
	filterTopics(c, &f)
	filterSearch(c, &f, false)
	if state := c.oneOf("state", "opened", "closed", "all"); state != "" && state != "all" {
		f.add(func(e *Epic) bool { return e.state == state })
	}
	if c.has("confidential") {
		confidential := c.bool("confidential", false)
		f.add(func(e *Epic) bool { return e.confidential == confidential })
	}
	return f
}

func compareEpics(a, b *Epic, orderBy string) int {
	switch orderBy {
	case "title":
		return cmp.Compare(strings.ToLower(a.title), strings.ToLower(b.title))
	case "updated_at":
		return a.updatedAt.Compare(b.updatedAt)
	}
	return a.createdAt.Compare(b.createdAt)
}

// getEpic returns the epic of the group that has the number of the path.
func getEpic(c *call) *reply {
	group, refusal := c.group()
	if refusal != nil {
		return refusal
	}
	iid := c.pathID("epic_iid")
	for _, e := range state[epicState](c.svc).epics.all(func(e *Epic) bool { return e.group == group && e.iid == iid && e.visibleTo(c.user) }) {
		form := c.epicJSON(e, false)
		form.Subscribed = new(e.subscribers[c.user])
		return c.ok(form)
	}
	return notFound("Epic")
}
