package servicetest

import (
	"net/http"
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// listDescendants lists all groups below a group. Administrators also see groups that
// they are not members of.
func listDescendants(c *call, group *Group) *reply {
	wanted := c.groupFilters(c.user == nil || c.admin())
	return c.groupPage(c.svc.groups.all(func(g *Group) bool {
		return g != group && g.within(group) && wanted(g)
	}), "name", "path", "id")
}

func getGroupAvatar(c *call, group *Group) *reply { return group.avatar.reply(c) }

// listSharedProjects lists the projects that were shared with a group.
func listSharedProjects(c *call, group *Group) *reply {
	return c.projectList(func(p *Project) bool { return p.sharedWith(group) && c.svc.canSeeProject(c.user, p) })
}

// restoreGroup keeps a group that is marked for deletion.
func restoreGroup(c *call, group *Group) *reply {
	if group.marked.IsZero() {
		return frame.Message(http.StatusBadRequest, "Group has not been marked for deletion")
	}
	group.marked = time.Time{}
	c.svc.touch(group)
	return c.groupReply(group, c.Created)
}

// leastSubgroupCreator returns the lowest role that may create subgroups of the group.
func (g *Group) leastSubgroupCreator() AccessLevel {
	if g.preferences.choice(groupPreferences, "subgroup_creation_level") == "owner" {
		return Owner
	}
	return Maintainer
}

// transferGroup moves a group with everything in it.
func transferGroup(c *call, group *Group) *reply {
	id := c.Int64("group_id")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	parent, _ := c.svc.groups.get(id)
	if id != 0 && (parent == nil || !c.svc.canSeeGroup(c.user, parent)) {
		return frame.NotFound("Group")
	}
	if problem := c.misplaced(group, parent); problem != "" {
		return frame.Message(http.StatusBadRequest, "Transfer failed: "+problem)
	}
	group.leave()
	group.parent = parent
	c.svc.touch(group)
	if parent != nil {
		c.svc.narrow(group, parent.visibility)
	}
	return c.groupReply(group, c.Created)
}

// misplaced says why a group cannot be moved into another one or to the top level.
func (c *call) misplaced(group, parent *Group) string {
	switch {
	case parent == group.parent && parent == nil:
		return "Group is already a root group."
	case parent == group.parent:
		return "Group is already associated to the parent group."
	case parent.within(group):
		return "Cannot transfer group to one of its subgroup."
	case !c.mayHoldGroups(parent):
		return "You don't have enough permissions."
	case c.groupNameFree(parent, group.path, group) != nil:
		return "The parent group already has a subgroup or a project with the same path."
	}
	return ""
}

// mayHoldGroups reports whether the caller may create groups in a group or at the top
// level.
func (c *call) mayHoldGroups(parent *Group) bool {
	if parent == nil {
		return c.user.canCreateGroup || c.admin()
	}
	return c.svc.groupLevel(c.user, parent) >= parent.leastSubgroupCreator()
}

// narrow limits the visibility of everything in a group.
func (s *Service) narrow(group *Group, visibility string) {
	limit := slices.Index(visibilities, visibility)
	for _, g := range s.groups.all(func(g *Group) bool { return g.within(group) }) {
		g.visibility = visibilities[min(limit, slices.Index(visibilities, g.visibility))]
		s.touch(g)
	}
	for _, p := range s.projects.all(func(p *Project) bool { return p.within(group) }) {
		p.visibility = visibilities[min(limit, slices.Index(visibilities, p.visibility))]
		s.touch(p)
	}
}

// listGroupLocations lists the groups that a group can be moved to.
func listGroupLocations(c *call, group *Group) *reply {
	found := c.svc.groups.all(func(g *Group) bool {
		return g != group.parent && !g.within(group) && c.svc.canSeeGroup(c.user, g) && c.mayHoldGroups(g)
	})
	sortGroups(found, "name", "asc", "")
	return c.groupSummaries(found)
}

// takeProject moves a project into a group, for administrators.
func takeProject(c *call, group *Group) *reply {
	if !c.admin() {
		return frame.Forbidden("")
	}
	project := c.pathProject()
	if project == nil {
		return frame.NotFound("Project")
	}
	home := namespace{group: group}
	if problem := c.misplacedProject(project, home); problem != "" {
		return frame.Message(http.StatusBadRequest, "Failed to transfer project "+problem)
	}
	project.move(home)
	return c.groupReply(group, c.Created)
}

// misplacedProject says why a project cannot be moved to a namespace.
func (c *call) misplacedProject(project *Project, home namespace) string {
	switch {
	case home.holds(project):
		return "Project is already in this namespace."
	case c.freeIn(home, project.name, project.path, project) != nil:
		return "Project with same name or path in target namespace already exists"
	case visibilityIn(home.group, project.visibility) != nil:
		return "Project cannot be transferred, because its visibility is not allowed there"
	}
	return ""
}

func (p *Project) move(home namespace) {
	p.leave()
	p.group, p.owner = home.group, home.user
	p.svc.touch(p)
}

// shareTerms reads the group to share with, its role, and the date when the share ends.
func (c *call) shareTerms() (group *Group, level AccessLevel, until time.Time, refusal *reply) {
	c.Require("group_id", "group_access")
	level, until = AccessLevel(c.Int64("group_access")), c.Time("expires_at")
	if !level.valid() || level < Guest && level != NoAccess {
		c.Problem("group_access does not have a valid value")
	}
	group, _ = c.svc.groups.get(c.Int64("group_id"))
	if group != nil && !c.svc.canSeeGroup(c.user, group) {
		group = nil
	}
	return group, level, until, c.Refusal()
}

// shareGroup gives the members of one group access to another.
func shareGroup(c *call, group *Group) *reply {
	other, level, until, refusal := c.shareTerms()
	if refusal != nil {
		return refusal
	}
	role, refusal := c.customRole(level, nil)
	switch {
	case refusal != nil:
		return refusal
	case other == nil || other == group || !group.mayInvite(other):
		return frame.Message(http.StatusNotFound, "Not Found")
	case slices.ContainsFunc(group.shares, func(sh share) bool { return sh.group == other && !sh.ended(c.now()) }):
		return frame.Conflict("Group has already been given access")
	}
	made := c.svc.newShare(other, level, until)
	made.custom = role
	group.shares = append(group.shares, made)
	c.svc.touch(group)
	return c.groupReply(group, c.Created)
}

// mayInvite reports whether the group may be shared with another one.
func (g *Group) mayInvite(other *Group) bool {
	top := g.top()
	return !g.lets("share_with_group_lock") && (!top.lets("prevent_sharing_groups_outside_hierarchy") ||
		other.within(top))
}

func unshareGroup(c *call, group *Group) *reply {
	of := func(sh share) bool { return sh.group.id == c.PathInt64("group_id") }
	if !slices.ContainsFunc(group.shares, of) {
		return frame.NotFound("Group Link")
	}
	group.shares = dropShares(c.svc, group, group.shares, of)
	return c.NoContent()
}

// groupShare is the JSON of a share in a group.
type groupShare struct {
	sharedGroup

	MemberRoleID *int64 `json:"member_role_id"`
}

func (g *Group) sharedGroups() []groupShare {
	groups := make([]groupShare, 0, len(g.shares))
	for _, sh := range g.shares {
		if sh.ended(g.svc.now()) {
			continue
		}
		form := groupShare{sharedGroup: sh.json()}
		if sh.custom != nil {
			form.MemberRoleID = &sh.custom.id
		}
		groups = append(groups, form)
	}
	return groups
}
