package servicetest

import "slices"

// removeContributions takes away what a user wrote: issues, merge requests,
// snippets, epics, notes, comments and reactions. Commits, jobs, deployments and
// the like stay, and show nobody.
func (s *Service) removeContributions(user *User) {
	issues := &state[issueState](s).issues
	for _, i := range issues.all(func(i *Issue) bool { return i.author == user }) {
		issues.remove(i.id)
		i.project.issues().remove(i.iid)
	}
	requests := &state[mergeRequestState](s).requests
	for _, m := range requests.all(func(m *MergeRequest) bool { return m.author == user }) {
		m.stopWaiting()
		requests.remove(m.id)
		m.project.mergeRequests().remove(m.iid)
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

// removeWhere removes the records for which gone holds.
func removeWhere[T interface{ key() int64 }](t *table[T], gone func(T) bool) {
	for _, record := range t.all(gone) {
		t.remove(record.key())
	}
}

func (n *Snippet) key() int64       { return n.id }
func (e *Epic) key() int64          { return e.id }
func (c *commitComment) key() int64 { return c.id }

// discussions returns those of all issues, merge requests, snippets and epics.
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

// unassign takes a user, who is deleted, off what was to be done.
func (s *Service) unassign(user *User) {
	without := func(users []*User) []*User {
		return slices.DeleteFunc(slices.Clone(users), func(u *User) bool { return u == user })
	}
	for _, i := range state[issueState](s).issues.all(nil) {
		i.assignees = without(i.assignees)
		s.touch(&i.stamp)
	}
	for _, m := range state[mergeRequestState](s).requests.all(nil) {
		m.assignees, m.reviewers, m.approvers = without(m.assignees), without(m.reviewers), without(m.approvers)
		delete(m.subscribers, user)
		s.touch(&m.stamp)
	}
}
