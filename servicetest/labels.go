package servicetest

import (
	"slices"

	"example.com/serviceapi/servicetest/internal/frame"
)

func listProjectLabels(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	ancestors := c.Bool("include_ancestor_groups", true)
	return c.labelList(func(p *Project) bool { return p == project }, true, func(l *label) bool {
		return l.project == project || ancestors && l.group != nil && project.within(l.group)
	})
}

func listGroupLabels(c *call) *reply {
	group, refusal := c.group()
	if refusal != nil {
		return refusal
	}
	ancestors, descendants := c.Bool("include_ancestor_groups", true), c.Bool("include_descendant_groups", false)
	onlyGroups := c.Bool("only_group_labels", true)
	return c.labelList(func(p *Project) bool { return p.within(group) }, false, func(l *label) bool {
		if l.project != nil {
			return !onlyGroups && c.svc.canSeeProject(c.user, l.project) &&
				(l.project.group == group || descendants && l.project.within(group))
		}
		return l.group == group || ancestors && group.within(l.group) || descendants && l.group.within(group)
	})
}

// labelList returns a page of the labels for which of reports true. Their use
// is counted in the projects for which within reports true.
func (c *call) labelList(within func(*Project) bool, inProject bool, of func(*label) bool) *reply {
	search, counts := c.Str("search"), c.Bool("with_counts", false)
	archived := c.Bool("archived", false)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	labels := state[labelState](c.svc).labels.all(func(l *label) bool {
		return of(l) && (frame.ContainsFold(l.name, search) || frame.ContainsFold(l.description, search)) && (!c.Has("archived") || l.archived == archived)
	})
	slices.SortFunc(labels, byName)
	return frame.ListOf(c, labels, func(l *label) labelObject {
		form := labelObject{ID: l.id, labelJSON: l.json(), Priority: l.priority, Archived: l.archived}
		if inProject {
			form.IsProjectLabel = new(l.project != nil)
		}
		if counts {
			form.labelCounts = c.labelCounts(l, within)
		}
		return form
	})
}

// labelCounts counts the issues and merge requests with a label that the caller
// can see.
func (c *call) labelCounts(l *label, within func(*Project) bool) *labelCounts {
	var n labelCounts
	used := func(p *Project, names []string) bool {
		return within(p) && l.isOf(p) && slices.Contains(names, l.name) && c.svc.canSeeProject(c.user, p)
	}
	for _, i := range state[issueState](c.svc).issues.all(func(i *Issue) bool { return used(i.project, i.labels) && i.visibleTo(c.user) }) {
		if i.state == "opened" {
			n.OpenIssues++
		} else {
			n.ClosedIssues++
		}
	}
	n.OpenMergeRequests = len(state[mergeRequestState](c.svc).requests.all(func(m *MergeRequest) bool {
		return m.state == "opened" && used(m.project, m.labels)
	}))
	return &n
}
