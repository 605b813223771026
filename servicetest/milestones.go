package servicetest

import (
	"cmp"
	"slices"
	"time"
)

func listProjectMilestones(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	above := c.includesAncestors()
	return c.milestoneList(above, func(m *Milestone) bool {
		return m.project == project || above && m.group != nil && project.within(m.group)
	})
}

func listGroupMilestones(c *call) *reply {
	group, refusal := c.group()
	if refusal != nil {
		return refusal
	}
	above, below := c.includesAncestors(), c.bool("include_descendants", false)
	spans := c.milestoneSpans()
	title := c.str("search_title")
	return c.milestoneList(above, func(m *Milestone) bool {
		if !spans(m) || !containsFold(m.title, title) {
			return false
		}
		if m.project != nil {
			return below && m.project.within(group) && c.svc.canSeeProject(c.user, m.project)
		}
		return m.group == group || above && group.within(m.group) || below && m.group.within(group)
	})
}

// includesAncestors reads the parameter that adds the milestones of parent
// groups. It has two names.
func (c *call) includesAncestors() bool {
	return c.bool("include_parent_milestones", false) || c.bool("include_ancestors", false)
}

// milestoneSpans reads the parameters for the dates of a milestone.
func (c *call) milestoneSpans() func(*Milestone) bool {
	containing, start, end := c.time("containing_date"), c.time("start_date"), c.time("end_date")
	if start.IsZero() != end.IsZero() {
		c.problem("start_date, end_date provide all or none of parameters")
	}
	if !containing.IsZero() {
		start, end = containing, containing
	}
	return func(m *Milestone) bool {
		begun := m.startDate.IsZero() || !m.startDate.After(end)
		over := !m.dueDate.IsZero() && m.dueDate.Before(start.Truncate(24*time.Hour))
		return end.IsZero() || begun && !over
	}
}

// milestoneList returns a page of the milestones for which of reports true.
func (c *call) milestoneList(above bool, of func(*Milestone) bool) *reply {
	wanted, title, search := c.oneOf("state", "active", "closed"), c.str("title"), c.str("search")
	after, before := c.time("updated_after"), c.time("updated_before")
	iids := c.int64s("iids")
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	found := state[milestoneState](c.svc).milestones.all(func(m *Milestone) bool {
		return of(m) && (wanted == "" || m.state() == wanted) && (title == "" || m.title == title) &&
			(containsFold(m.title, search) || containsFold(m.description, search)) &&
			(after.IsZero() || !m.updatedAt.Before(after)) && (before.IsZero() || !m.updatedAt.After(before)) &&
			(above || len(iids) == 0 || slices.Contains(iids, m.iid))
	})
	slices.SortFunc(found, func(a, b *Milestone) int { return cmp.Compare(b.id, a.id) })
	return listOf(c, found, (*Milestone).json)
}
