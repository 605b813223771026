package servicetest

import (
	"cmp"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
)

// A home is a project or a group that has members.
type home struct {
	project *Project // nil for a group
	group   *Group   // the group itself, or the group of the project; nil for a personal project
	members *table[*member]
	shares  []share
	level   AccessLevel // of the caller
}

func inProject(handle func(*call, *home) *reply) func(*call) *reply {
	return func(c *call) *reply {
		project, refusal := c.project()
		if refusal != nil {
			return refusal
		}
		return handle(c, &home{project, project.group, &project.members, project.shares, c.svc.projectLevel(c.user, project)})
	}
}

func inGroup(handle func(*call, *home) *reply) func(*call) *reply {
	return func(c *call) *reply {
		group, refusal := c.group()
		if refusal != nil {
			return refusal
		}
		return handle(c, &home{nil, group, &group.members, group.shares, c.svc.groupLevel(c.user, group)})
	}
}

// A memberRole is a membership with the role that it gives. The role is lower
// than the member's own if a group was invited with a lower one.
type memberRole struct {
	*member
	level AccessLevel
}

// direct returns the memberships of a table that have not expired.
func (c *call) direct(members *table[*member]) []memberRole {
	var roles []memberRole
	for i := range members.len() {
		if m := members.at(i); !m.ended(c.now()) {
			roles = append(roles, memberRole{m, m.level})
		}
	}
	return roles
}

// withInherited returns the members of a home, of its parent groups, and of the
// groups that are invited there. Each user occurs once, with the highest role.
func (c *call) withInherited(h *home) []memberRole {
	best := make(map[int64]memberRole)
	add := func(roles []memberRole) {
		for _, m := range roles {
			if known, ok := best[m.user.id]; !ok || m.level > known.level {
				best[m.user.id] = m
			}
		}
	}
	if h.project != nil {
		add(c.direct(h.members))
		add(c.invited(h.shares))
	}
	for g := h.group; g != nil; g = g.parent {
		add(c.direct(&g.members))
		add(c.invited(g.shares))
	}
	roles := make([]memberRole, 0, len(best))
	for _, m := range best {
		roles = append(roles, m)
	}
	slices.SortFunc(roles, func(a, b memberRole) int { return cmp.Compare(a.user.id, b.user.id) })
	return roles
}

// invited returns the members of invited groups that are public or that the
// caller belongs to.
func (c *call) invited(shares []share) []memberRole {
	var roles []memberRole
	for _, sh := range shares {
		if sh.ended(c.now()) || sh.group.visibility != "public" && c.svc.groupLevel(c.user, sh.group) == NoAccess {
			continue
		}
		for _, m := range c.direct(&sh.group.members) {
			roles = append(roles, memberRole{m.member, min(m.level, sh.level)})
		}
	}
	return roles
}

func listMembers(c *call, h *home) *reply { return c.memberPage(h, c.direct(h.members)) }

func listAllMembers(c *call, h *home) *reply {
	wanted := c.OneOf("state", memberActive, memberAwaiting)
	if wanted != "" {
		if refusal := c.requireTier(Premium); refusal != nil {
			return refusal
		}
	}
	roles := slices.DeleteFunc(c.withInherited(h), func(m memberRole) bool { return wanted != "" && m.state != wanted })
	return c.memberPage(h, roles)
}

// memberPage returns one page of the members that the call asks for.
func (c *call) memberPage(h *home, roles []memberRole) *reply {
	query, ids, seats := c.Str("query"), c.Int64s("user_ids"), c.Bool("show_seat_info", false)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	roles = slices.DeleteFunc(roles, func(m memberRole) bool {
		return !m.user.matches(query) || len(ids) > 0 && !slices.Contains(ids, m.user.id)
	})
	if !seats {
		return frame.ListOf(c, roles, func(m memberRole) *memberJSON { return m.json(h) })
	}
	taken := h.seats(c.svc)
	return frame.ListOf(c, roles, func(m memberRole) *memberJSON {
		form := m.json(h)
		form.IsUsingSeat = new(taken[m.user] != nil)
		return form
	})
}

// seats returns who takes a seat of the home's top-level group: nobody in a
// personal project.
func (h *home) seats(s *Service) map[*User]*billableMember {
	if h.group == nil {
		return nil
	}
	return s.billable(h.group.top())
}

// matches reports whether a string is in the user's name, username or public
// email.
func (u *User) matches(text string) bool {
	return slices.ContainsFunc([]string{u.name, u.username, u.publicEmail}, func(of string) bool {
		return strings.Contains(strings.ToLower(of), strings.ToLower(text))
	})
}

func getMember(c *call, h *home) *reply { return c.oneMember(h, c.direct(h.members)) }

func getMemberOfAll(c *call, h *home) *reply { return c.oneMember(h, c.withInherited(h)) }

func (c *call) oneMember(h *home, roles []memberRole) *reply {
	for _, m := range roles {
		if m.user.id == c.PathID("user_id") {
			return c.OK(m.json(h))
		}
	}
	return frame.NotFound("Member")
}

// lastOwner reports whether a member is the last owner of a home: the only
// owner of a group, or the user that a personal project belongs to.
func (s *Service) lastOwner(h *home, m *member) bool {
	if h.project != nil {
		return h.project.owner == m.user
	}
	for g := h.group; g != nil; g = g.parent {
		others := g.members.all(func(other *member) bool {
			return other.user != m.user && other.level == Owner && other.counts(s.now())
		})
		if len(others) > 0 {
			return false
		}
	}
	return m.level == Owner
}

func updateMember(c *call, h *home) *reply {
	m, ok := c.svc.currentMember(h.members, c.PathID("user_id"))
	if !ok {
		return frame.NotFound("Member")
	}
	c.Require("access_level")
	level, until := AccessLevel(c.Int64("access_level")), c.Time("expires_at")
	if !level.valid() {
		c.Problem("access_level does not have a valid value")
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if refusal := c.mayGrant(h, max(level, m.level)); refusal != nil {
		return refusal
	}
	if level < Owner && c.svc.lastOwner(h, m) {
		return frame.Forbidden("")
	}
	if problem := c.belowInherited(h, m.user, level); problem != "" {
		return frame.FieldErrors("access_level", problem)
	}
	if m.level != level {
		c.auditMember(h.subject(), m.user, object{"change": "access_level", "from": m.level.String(), "to": level.String()})
	}
	m.level = level
	if c.Has("expires_at") {
		m.expiresAt = until // null and empty mean never
	}
	return c.OK(memberRole{m, level}.json(h))
}

// auditMember records a change of a member.
func (c *call) auditMember(about auditSubject, user *User, details object) {
	details["target_id"], details["target_type"], details["target_details"] = user.id, "User", user.name
	c.svc.audit(c.user, about, details)
}

func (h *home) subject() auditSubject { return auditSubject{project: h.project, group: h.group} }

// setMemberState changes all memberships of a user in a group and below it.
func setMemberState(c *call) *reply {
	group, refusal := c.group()
	if refusal != nil {
		return refusal
	}
	c.Require("state")
	wanted := c.OneOf("state", memberActive, memberAwaiting)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	memberships := c.svc.membershipsBelow(group, c.PathID("user_id"))
	if len(memberships) == 0 {
		return frame.NotFound("Member")
	}
	for _, m := range memberships {
		m.state = wanted
	}
	return c.OK(object{"success": true})
}
