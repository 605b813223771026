package servicetest

import (
	"net/http"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
)

// isArchived reports whether a group, which may be nil, or one above it is archived.
func (g *Group) isArchived() bool { return g != nil && (g.archivedSelf || g.parent.isArchived()) }

func archiveGroup(c *call, group *Group) *reply {
	return c.archiveGroup(group, true, func(g *Group) string {
		switch {
		case g.archivedSelf:
			return "Group is already archived!"
		case g.isArchived():
			return "Cannot archive group since one of the ancestor groups is already archived!"
		}
		for ; g != nil; g = g.parent {
			if !g.marked.IsZero() {
				return "Cannot archive group since it is scheduled for deletion."
			}
		}
		return ""
	})
}

func unarchiveGroup(c *call, group *Group) *reply {
	return c.archiveGroup(group, false, func(g *Group) string {
		switch {
		case g.parent.isArchived():
			return "Cannot unarchive group since one of the ancestor groups is archived!"
		case !g.archivedSelf:
			return "Group is already unarchived!"
		}
		return ""
	})
}

func (c *call) archiveGroup(group *Group, archived bool, problem func(*Group) string) *reply {
	if text := problem(group); text != "" {
		return frame.Unprocessable(text)
	}
	group.archivedSelf = archived
	for _, g := range c.svc.groups.all(func(g *Group) bool { return g.within(group) }) {
		c.svc.touch(g)
	}
	return c.groupReply(group, c.OK)
}

// hasShare reports whether one of the shares, which has not ended, is with a group.
func (g *Group) hasShare(shares []share) bool {
	return slices.ContainsFunc(shares, func(sh share) bool { return sh.group == g && !sh.ended(g.svc.now()) })
}

// listSharedGroups lists the groups that a group was invited to.
func listSharedGroups(c *call, group *Group) *reply {
	wanted := c.groupFilters(true)
	return c.groupPage(c.svc.groups.all(func(g *Group) bool { return group.hasShare(g.shares) && wanted(g) }),
		"name", "path", "id", "similarity")
}

// invitedGroups returns the groups that were invited to something with these shares, or to a group from
// this one up.
func (c *call) invitedGroups(direct []share, above *Group) ([]*Group, *reply) {
	relations, wanted := c.StringsIn("relation", "direct", "inherited"), c.groupFilters(true)
	frame.Accept(c.Bool, "with_custom_attributes")
	var shares []share
	if len(relations) == 0 || slices.Contains(relations, "direct") {
		shares = append(shares, direct...)
	}
	for ; above != nil && (len(relations) == 0 || slices.Contains(relations, "inherited")); above = above.parent {
		shares = append(shares, above.shares...)
	}
	found := c.svc.groups.all(func(g *Group) bool { return g.hasShare(shares) && wanted(g) })
	sortGroups(found, "name", "asc", "")
	return found, c.Refusal()
}

func listInvitedGroups(c *call, group *Group) *reply {
	found, refusal := c.invitedGroups(group.shares, group.parent)
	if refusal != nil {
		return refusal
	}
	return frame.CachedListOf(c, found, c.groupForm)
}

// belongsTo reports whether a group at the top has made the user's account. It stands for the verified
// domains of the group, too: there are none here.
func (u *User) belongsTo(top *Group) bool {
	return u.provisionedBy != nil && u.provisionedBy.top() == top
}

// managedView returns the JSON of a user for those who manage a group: with everything, if the account
// belongs to the group.
func (c *call) managedView(u *User, group *Group) any {
	if u.belongsTo(group.top()) {
		return u.own(c.publicView(u))
	}
	return c.publicView(u)
}

// managedUsers responds with the users of a group that a call selects, the newest first.
func (c *call) managedUsers(group *Group, isOne func(*User) bool) *reply {
	named, created, active, blocked := c.byName(), c.byCreation(), c.Bool("active"), c.Bool("blocked")
	factor := c.byTwoFactor()
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	found := c.svc.users.all(func(u *User) bool {
		return isOne(u) && named(u) && created(u) && (!active || u.state == "active") &&
			(!blocked || u.state == "blocked") && (factor == nil || factor(u))
	})
	slices.Reverse(found)
	return frame.ListOf(c, found, func(u *User) any { return c.managedView(u, group) })
}

func listProvisionedUsers(c *call, group *Group) *reply {
	return c.managedUsers(group, func(u *User) bool { return u.provisionedBy == group })
}

// managedGroup returns the group of the path, which must be at the top.
func (c *call) managedGroup() (*Group, *reply) {
	group, refusal := c.group()
	if refusal == nil && group.parent != nil {
		return nil, frame.BadRequest("Must be a top-level group")
	}
	return group, refusal
}

func listSAMLUsers(c *call, group *Group) *reply {
	return c.managedUsers(group, func(u *User) bool {
		return slices.ContainsFunc(u.identities, func(i identity) bool { return i.samlProviderID == group.id })
	})
}

// getPlaceholders responds with a file without rows: nothing here leaves placeholders behind.
func getPlaceholders(c *call, _ *Group) *reply {
	target := either(c.svc.settings.vendor, "Service")
	header := "Source host,Import type,Source user identifier,Source user name,Source username," + target +
		" username," + target + " public email\n"
	return textContent([]byte(header), c.now()).reply(c, "placeholder_reassignments.csv", "text/csv")
}

func reassignPlaceholders(c *call, _ *Group) *reply {
	file := c.RequiredFile("file")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if !strings.HasSuffix(file.Name, ".csv") {
		return frame.Unprocessable("You must upload a CSV file with a .csv file extension.")
	}
	return frame.Message(http.StatusCreated,
		"The file is being processed and you will receive an email when completed.")
}
