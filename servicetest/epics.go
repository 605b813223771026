package servicetest

import (
	"cmp"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
)

func listEpics(c *call) *reply {
	group, refusal := c.group()
	if refusal != nil {
		return refusal
	}
	f := c.epicFilter()
	above, below := c.Bool("include_ancestor_groups", false), c.Bool("include_descendant_groups", true)
	orderBy, ascending := c.OneOf("order_by", "created_at", "updated_at", "title"), c.OneOf("sort", "asc", "desc") == "asc"
	details := c.Bool("with_labels_details", false)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	found := f.Apply(state[epicState](c.svc).epics.all(func(e *Epic) bool {
		of := e.group == group || above && group.within(e.group) || below && e.group.within(group)
		return of && c.svc.canSeeGroup(c.user, e.group) && e.visibleTo(c.user)
	}))
	slices.SortFunc(found, func(a, b *Epic) int {
		if !ascending {
			a, b = b, a
		}
		return cmp.Or(compareEpics(a, b, orderBy), cmp.Compare(a.id, b.id))
	})
	return frame.ListOf(c, found, func(e *Epic) *epicJSON { return c.epicJSON(e, details) })
}

func (c *call) epicFilter() filter[*Epic] {
	var f filter[*Epic]
	filterTopics(c, &f)
	filterSearch(c, &f, false)
	if state := c.OneOf("state", "opened", "closed", "all"); state != "" && state != "all" {
		f.Add(func(e *Epic) bool { return e.state == state })
	}
	if c.Has("confidential") {
		confidential := c.Bool("confidential", false)
		f.Add(func(e *Epic) bool { return e.confidential == confidential })
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
	iid := c.PathID("epic_iid")
	for _, e := range state[epicState](c.svc).epics.all(func(e *Epic) bool { return e.group == group && e.iid == iid && e.visibleTo(c.user) }) {
		form := c.epicJSON(e, false)
		form.Subscribed = new(e.subscribers[c.user])
		return c.OK(form)
	}
	return frame.NotFound("Epic")
}
