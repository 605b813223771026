package servicetest

import "slices"

func deleteUser(c *call) *reply {
	user, refusal := c.pathUser()
	if refusal != nil {
		return refusal
	}
	hard := c.bool("hard_delete", false)
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	if refusal := c.unchanged(user.updatedAt); refusal != nil {
		return refusal
	}
	owned := c.svc.solelyOwned(user)
	if len(owned) > 0 && !hard {
		return conflict("User cannot be removed while it is the sole owner of a group")
	}
	for _, group := range owned {
		c.svc.removeGroup(group)
	}
	c.svc.removeUser(user, hard)
	return c.noContent()
}

// solelyOwned returns the groups of which a user is the only direct owner.
func (s *Service) solelyOwned(user *User) []*Group {
	return s.groups.all(func(g *Group) bool {
		owners := g.members.all(func(m *member) bool { return m.level == Owner })
		return len(owners) == 1 && owners[0].user == user
	})
}

// removeGroup removes a group with all that is in it.
func (s *Service) removeGroup(group *Group) {
	for _, p := range s.projects.all(func(p *Project) bool { return p.within(group) }) {
		s.projects.remove(p.id)
	}
	for _, g := range s.groups.all(func(g *Group) bool { return g.within(group) }) {
		s.groups.remove(g.id)
	}
}

// removeUser takes away a user with memberships, tokens and personal projects.
// What else the user made shows a placeholder from then on; a hard deletion
// takes it away, too.
func (s *Service) removeUser(user *User, hard bool) {
	for i := range s.groups.len() {
		s.groups.at(i).members.remove(user.id)
	}
	for _, p := range s.projects.all(nil) {
		p.members.remove(user.id)
		if p.owner == user {
			s.projects.remove(p.id)
		}
	}
	for _, tok := range s.tokens {
		if tok.user == user {
			tok.revoked = true
		}
	}
	s.users.remove(user.id)
	for _, other := range append(slices.Clone(user.follows), user.followers...) {
		isUser := func(u *User) bool { return u == user }
		other.follows, other.followers = slices.DeleteFunc(other.follows, isUser), slices.DeleteFunc(other.followers, isUser)
		s.touch(&other.stamp)
	}
	s.unassign(user)
	user.gone = true
	if hard {
		s.removeContributions(user)
	} else {
		user.heir = s.placeholder()
	}
	s.touch(&user.stamp)
}

// placeholder returns the account to which the work of deleted users goes.
func (s *Service) placeholder() *User {
	const username = "ghost"
	if ghost := s.findUser(username); ghost != nil {
		return ghost
	}
	return s.newUser(username, []UserOption{Name("Ghost User"), ServiceBot()})
}
