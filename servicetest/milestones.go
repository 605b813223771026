package servicetest

import (
	"cmp"
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
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
	above, below := c.includesAncestors(), c.Bool("include_descendants", false)
	spans := c.milestoneSpans()
	title := c.Str("search_title")
	return c.milestoneList(above, func(m *Milestone) bool {
		if !spans(m) || !frame.ContainsFold(m.title, title) {
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
	return c.Bool("include_parent_milestones", false) || c.Bool("include_ancestors", false)
}

// milestoneSpans reads the parameters for the dates of a milestone.
func (c *call) milestoneSpans() func(*Milestone) bool {
	containing, start, end := c.Time("containing_date"), c.Time("start_date"), c.Time("end_date")
	if start.IsZero() != end.IsZero() {
		c.Problem("start_date, end_date provide all or none of parameters")
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
	wanted, title, search := c.OneOf("state", "active", "closed"), c.Str("title"), c.Str("search")
	after, before := c.Time("updated_after"), c.Time("updated_before")
	iids := c.Int64s("iids")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	found := state[milestoneState](c.svc).milestones.all(func(m *Milestone) bool {
		return of(m) && (wanted == "" || m.state() == wanted) && (title == "" || m.title == title) &&
			(frame.ContainsFold(m.title, search) || frame.ContainsFold(m.description, search)) &&
			(after.IsZero() || !m.updatedAt.Before(after)) && (before.IsZero() || !m.updatedAt.After(before)) &&
			(above || len(iids) == 0 || slices.Contains(iids, m.iid))
	})
	slices.SortFunc(found, func(a, b *Milestone) int { return cmp.Compare(b.id, a.id) })
	return frame.ListOf(c, found, (*Milestone).json)
}
