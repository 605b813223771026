package servicetest

import (
	"slices"

	"example.com/serviceapi/servicetest/internal/frame"
)

func deleteUser(c *call) *reply {
	user, refusal := c.pathUser()
	if refusal != nil {
		return refusal
	}
	hard := c.Bool("hard_delete", false)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if refusal := c.Unchanged(user.updatedAt); refusal != nil {
		return refusal
	}
	owned := c.svc.solelyOwned(user)
	if len(owned) > 0 && !hard {
		return frame.Conflict("User cannot be removed while it is the sole owner of a group")
	}
	for _, group := range owned {
		c.svc.removeGroup(group)
	}
	c.svc.removeUser(user, hard)
	return c.NoContent()
}

// solelyOwned returns the groups of which a user is the only direct owner.
func (s *Service) solelyOwned(user *User) []*Group {
	return s.groups.all(func(g *Group) bool {
		owners := g.members.all(func(m *member) bool { return m.level == Owner })
		return len(owners) == 1 && owners[0].user == user
	})
}

// removeUser removes a user with memberships, tokens and personal projects.
// What else the user made then belongs to a placeholder. A hard deletion
// removes it, too.
func (s *Service) removeUser(user *User, hard bool) {
	for i := range s.groups.len() {
		s.groups.at(i).members.remove(user.id)
	}
	for _, p := range s.projects.all(nil) {
		p.members.remove(user.id)
		if p.owner == user {
			s.removeProject(p)
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

// placeholder returns the account that the work of deleted users is moved to.
func (s *Service) placeholder() *User {
	const username = "ghost"
	if ghost := s.findUser(username); ghost != nil {
		return ghost
	}
	return s.newUser(username, []UserOption{Name("Ghost User"), ServiceBot()})
}

// removeContributions removes what a user wrote: issues, merge requests,
// snippets, epics, notes, comments and reactions. Commits, jobs, deployments
// and so on are kept, without a user.
func (s *Service) removeContributions(user *User) {
	for _, i := range state[issueState](s).issues.all(func(i *Issue) bool { return i.author == user }) {
		i.remove()
	}
	for _, m := range state[mergeRequestState](s).requests.all(func(m *MergeRequest) bool { return m.author == user }) {
		m.remove()
	}
	for _, d := range state[deploymentState](s).deployments.all(nil) {
		d.requests = slices.DeleteFunc(d.requests, func(m *MergeRequest) bool { return m.author == user })
	}
	removeWhere(&state[snippetState](s).snippets, func(n *Snippet) bool { return n.author == user })
	removeWhere(&state[epicState](s).epics, func(e *Epic) bool { return e.author == user })
	removeWhere(&state[commitComments](s).table, func(comment *commitComment) bool { return comment.author == user })
	for _, d := range s.discussions() {
		d.notes = slices.DeleteFunc(d.notes, func(n *Note) bool { return n.author == user })
		d.reactions = slices.DeleteFunc(d.reactions, func(r reaction) bool { return r.user == user })
	}
}

// removeWhere removes the records for which gone reports true.
func removeWhere[T interface{ key() int64 }](t *table[T], gone func(T) bool) {
	for _, record := range t.all(gone) {
		t.remove(record.key())
	}
}

func (n *Snippet) key() int64 { return n.id }

func (e *Epic) key() int64 { return e.id }

func (c *commitComment) key() int64 { return c.id }

// discussions returns the discussions of all issues, merge requests, snippets
// and epics.
func (s *Service) discussions() []*discussion {
	var all []*discussion
	for _, i := range state[issueState](s).issues.all(nil) {
		all = append(all, &i.discussion)
	}
	for _, m := range state[mergeRequestState](s).requests.all(nil) {
		all = append(all, &m.discussion)
	}
	for _, n := range state[snippetState](s).snippets.all(nil) {
		all = append(all, &n.discussion)
	}
	for _, e := range state[epicState](s).epics.all(nil) {
		all = append(all, &e.discussion)
	}
	return all
}

// unassign unassigns a deleted user from everything.
func (s *Service) unassign(user *User) {
	without := func(users []*User) []*User {
		return slices.DeleteFunc(slices.Clone(users), func(u *User) bool { return u == user })
	}
	for _, i := range state[issueState](s).issues.all(nil) {
		i.assignees = without(i.assignees)
		delete(i.subscribers, user)
	}
	for _, m := range state[mergeRequestState](s).requests.all(nil) {
		m.assignees, m.reviewers, m.approvers = without(m.assignees), without(m.reviewers), without(m.approvers)
		delete(m.subscribers, user)
	}
}

func (m *Milestone) key() int64 { return m.id }
