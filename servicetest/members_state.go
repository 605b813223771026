package servicetest

import "time"

// A Membership is a user's role in one project or group, as it is now.
type Membership struct {
	Level AccessLevel
	// State is active or awaiting. An awaiting membership gives no access.
	State string
	// ExpiresAt is zero if the membership does not end.
	ExpiresAt time.Time
	// InviteSource is the source of the invitation, as given when the member was
	// added.
	InviteSource string
	// Tasks are what was suggested to the member in TasksProject, a project's ID,
	// while the feature invite_members_for_task was on.
	Tasks        []string
	TasksProject int64
}

// Membership returns a user's direct role in the group, false if there is none.
func (g *Group) Membership(user *User) (Membership, bool) {
	defer g.svc.lock()()
	return g.svc.membership(&g.members, user)
}

// Membership returns a user's direct role in the project, false if there is
// none.
func (p *Project) Membership(user *User) (Membership, bool) {
	defer p.svc.lock()()
	return p.svc.membership(&p.members, user)
}

func (s *Service) membership(members *table[*member], user *User) (Membership, bool) {
	m, ok := s.currentMember(members, user.id)
	if !ok {
		return Membership{}, false
	}
	return Membership{m.level, m.state, m.expiresAt, m.inviteSource, m.tasks, m.tasksProject}, true
}

// A MembershipOption sets a property of a membership.
type MembershipOption func(*member)

// Awaiting makes a membership that gives no access yet.
func Awaiting() MembershipOption { return func(m *member) { m.state = memberAwaiting } }

// MemberUntil sets when a membership ends.
func MemberUntil(at time.Time) MembershipOption { return func(m *member) { m.expiresAt = at.UTC() } }

// MemberSince sets when a membership began. The default is the time of the
// service's clock.
func MemberSince(at time.Time) MembershipOption { return func(m *member) { m.createdAt = at.UTC() } }
