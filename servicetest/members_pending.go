package servicetest

import (
	"cmp"
	"net/http"
	"slices"

	"example.com/serviceapi/servicetest/internal/frame"
)

// overrideMember lets the level of a group member differ from the one in the directory,
// or restores the earlier level. Only users who sign in with a directory account have
// such a level.
func overrideMember(on bool) func(*call, *home) *reply {
	return func(c *call, h *home) *reply {
		m, ok := c.svc.currentMember(h.members, c.PathInt64("user_id"))
		switch {
		case !ok:
			return frame.NotFound("Member")
		case !m.user.fromDirectory():
			return frame.Forbidden("")
		case on && !m.overridden:
			m.overridden, m.synced = true, m.level
		case !on && m.overridden:
			m.overridden, m.level = false, m.synced
		}
		form := memberRole{m, m.level}.json(h)
		if on {
			return c.Created(form)
		}
		return c.OK(form)
	}
}

// A pendingMember is a membership that is not in effect yet, of a user or an address.
type pendingMember struct {
	*member

	email string
}

// pendingBelow returns the awaiting memberships and the invitations in a group and
// below it.
func (s *Service) pendingBelow(group *Group) []pendingMember {
	var pending []pendingMember
	for _, m := range s.membershipsBelow(group, 0) {
		if m.state == memberAwaiting {
			pending = append(pending, pendingMember{m.member, m.user.email})
		}
	}
	invited := func(members *table[*member]) {
		for _, i := range s.invitationsTo(members) {
			pending = append(pending, pendingMember{i.member, i.email})
		}
	}
	for _, g := range s.groups.all(func(g *Group) bool { return g.within(group) }) {
		invited(&g.members)
	}
	for _, p := range s.projects.all(func(p *Project) bool { return p.within(group) }) {
		invited(&p.members)
	}
	slices.SortFunc(pending, func(a, b pendingMember) int { return cmp.Compare(a.id, b.id) })
	return pending
}

func (m pendingMember) json(s *Service) object {
	o := object{
		"id": m.id, "email": m.email, "avatar_url": s.webURL("assets/no_avatar.png"),
		"approved": m.state == memberActive, "invited": m.user == nil,
	}
	if user := m.user.summary(); user != nil {
		o["name"], o["username"] = user.Name, user.Username
		o["avatar_url"], o["web_url"] = user.AvatarURL, user.WebURL
	}
	return o
}

func listPendingMembers(c *call, group *Group) *reply {
	return frame.ListOf(c, c.svc.pendingBelow(group), func(m pendingMember) object { return m.json(c.svc) })
}

func approvePendingMember(c *call, group *Group) *reply {
	for _, m := range c.svc.pendingBelow(group) {
		if m.id == c.PathInt64("member_id") {
			m.state = memberActive
			return &reply{Status: http.StatusOK}
		}
	}
	return frame.NotFound("Member")
}

func approveAllPendingMembers(c *call, group *Group) *reply {
	for _, m := range c.svc.pendingBelow(group) {
		m.state = memberActive
	}
	return &reply{Status: http.StatusCreated}
}

// listIndirectMemberships lists a user's memberships in outside groups that are invited
// to a group or below it.
func listIndirectMemberships(c *call, group *Group) *reply {
	user, ok := c.svc.users.get(c.PathInt64("user_id"))
	if !ok || c.svc.billable(group)[user] == nil {
		return frame.NotFound("User")
	}
	var found []placedMember
	seen := make(map[*Group]bool)
	for _, sh := range c.svc.sharesBelow(group) {
		m, ok := c.svc.currentMember(&sh.group.members, user.id)
		if ok && !sh.group.within(group) && !seen[sh.group] {
			seen[sh.group] = true
			found = append(found, placedMember{m, nil, sh.group, &sh.group.members})
		}
	}
	return frame.ListOf(c, found, placedMember.json)
}
