package servicetest

import (
	"net/http"
	"slices"

	"example.com/serviceapi/servicetest/internal/frame"
)

// removeMember ends a direct membership. Members may leave; otherwise the
// caller needs the role that may manage members.
func removeMember(c *call, h *home) *reply {
	m, ok := c.svc.currentMember(h.members, c.PathID("user_id"))
	least := Maintainer
	if h.project == nil {
		least = Owner
	}
	if h.level < least && (!ok || m.user != c.user) {
		return frame.Forbidden("")
	}
	if !ok {
		return frame.NotFound("")
	}
	skip, unassign := c.Bool("skip_subresources", false), c.Bool("unassign_issuables", false)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if m.user != c.user && m.level > h.level {
		return frame.Forbidden("")
	}
	if m.level == Owner && h.project == nil && h.owners() == 1 {
		return frame.Message(http.StatusForbidden, "403 Forbidden - the last owner cannot be removed")
	}
	h.members.remove(m.user.id)
	if h.project == nil && !skip {
		c.svc.removeBelow(h.group, m.user)
	}
	if unassign {
		c.svc.unassignIn(h, m.user)
	}
	c.auditMember(h.subject(), m.user, object{"remove": "user_access"})
	return c.NoContent()
}

// owners returns the number of direct owners.
func (h *home) owners() int {
	return len(h.members.all(func(m *member) bool { return m.level == Owner }))
}

// removeBelow ends the memberships of a user below a group.
func (s *Service) removeBelow(group *Group, user *User) {
	for _, g := range s.groups.all(func(g *Group) bool { return g != group && g.within(group) }) {
		g.members.remove(user.id)
	}
	for _, p := range s.projects.all(func(p *Project) bool { return p.within(group) }) {
		p.members.remove(user.id)
	}
}

// unassignIn unassigns a user from the issues and merge requests of a home.
func (s *Service) unassignIn(h *home, user *User) {
	in := func(p *Project) bool { return p == h.project || h.project == nil && p.within(h.group) }
	without := func(users []*User) []*User {
		return slices.DeleteFunc(slices.Clone(users), func(u *User) bool { return u == user })
	}
	for _, i := range state[issueState](s).issues.all(func(i *Issue) bool { return in(i.project) }) {
		i.assignees = without(i.assignees)
	}
	for _, m := range state[mergeRequestState](s).requests.all(func(m *MergeRequest) bool { return in(m.project) }) {
		m.assignees, m.reviewers = without(m.assignees), without(m.reviewers)
	}
}
