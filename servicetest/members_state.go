package servicetest

import (
	"slices"
	"time"
)

// A member is a user's role in one project or group.
type member struct {
	id        int64 // of the membership
	user      *User
	level     AccessLevel
	state     string // active or awaiting
	createdAt time.Time
	createdBy *User
	expiresAt time.Time // zero means never

	inviteSource string
	tasks        []string // that were suggested
	tasksProject int64
}

// A share invites all members of a group into a project or another group.
type share struct {
	id        int64
	group     *Group
	level     AccessLevel // the highest that members get
	expiresAt time.Time   // zero means never
}

// memberIDs numbers memberships and shares of all kinds.
type memberIDs struct{ last, lastShare int64 }

func (s *Service) newShare(group *Group, level AccessLevel, until time.Time) share {
	ids := state[memberIDs](s)
	ids.lastShare++
	return share{ids.lastShare, group, level, until}
}

// ended reports whether a share has expired.
func (s share) ended(now time.Time) bool { return !s.expiresAt.IsZero() && !s.expiresAt.After(now) }

// sharedGroup is the JSON of a share in the shared project or group.
type sharedGroup struct {
	GroupID          int64       `json:"group_id"`
	GroupName        string      `json:"group_name"`
	GroupFullPath    string      `json:"group_full_path"`
	GroupAccessLevel AccessLevel `json:"group_access_level"`
	ExpiresAt        jsonDate    `json:"expires_at"`
}

func sharedGroups(shares []share, now time.Time) []sharedGroup {
	groups := make([]sharedGroup, 0, len(shares))
	for _, sh := range shares {
		if !sh.ended(now) {
			groups = append(groups, sharedGroup{sh.group.id, sh.group.name, sh.group.fullPath(), sh.level, jsonDate(sh.expiresAt)})
		}
	}
	return groups
}

// addMember makes a user a member, or changes the role of one who is.
func (s *Service) addMember(members *table[*member], user *User, level AccessLevel, opts ...MembershipOption) *member {
	m, ok := members.get(user.id)
	if !ok {
		m = s.newMember(members, user)
	}
	m.level = level
	for _, opt := range opts {
		opt(m)
	}
	return m
}

func (s *Service) newMember(members *table[*member], user *User) *member {
	ids := state[memberIDs](s)
	ids.last++
	m := &member{id: ids.last, user: user, state: memberActive, createdAt: s.now(), createdBy: s.admin}
	members.add(user.id, m)
	return m
}

// ended reports whether a membership has expired.
func (m *member) ended(now time.Time) bool { return !m.expiresAt.IsZero() && !m.expiresAt.After(now) }

// currentMember returns the membership of a user, if it has not expired.
func (s *Service) currentMember(members *table[*member], userID int64) (*member, bool) {
	m, ok := members.get(userID)
	if !ok || m.ended(s.now()) {
		return nil, false
	}
	return m, true
}

// counts reports whether a membership gives access now.
func (m *member) counts(now time.Time) bool {
	return m.state == memberActive && !m.ended(now)
}

// A Membership is a user's role in one project or group, as it is now.
type Membership struct {
	Level AccessLevel
	// State is active or awaiting. An awaiting membership gives no access.
	State string
	// ExpiresAt is the zero time if the membership does not expire.
	ExpiresAt time.Time
	// InviteSource is the source of the invitation, as given when the member was
	// added.
	InviteSource string
	// Tasks are the tasks that were suggested to the member, and TasksProject is
	// the ID of their project. They are set only while the feature flag
	// invite_members_for_task is enabled.
	Tasks        []string
	TasksProject int64
}

// Membership returns a user's direct membership in the group, and whether there
// is one.
func (g *Group) Membership(user *User) (Membership, bool) {
	defer g.svc.lock()()
	return g.svc.membership(&g.members, user)
}

// Membership returns a user's direct membership in the project, and whether
// there is one.
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

// MemberUntil sets when a membership expires.
func MemberUntil(at time.Time) MembershipOption { return func(m *member) { m.expiresAt = at.UTC() } }

// MemberSince sets when a membership began. The default is the time of the
// service's clock.
func MemberSince(at time.Time) MembershipOption { return func(m *member) { m.createdAt = at.UTC() } }

// These are the states of a membership.
const (
	memberActive   = "active"
	memberAwaiting = "awaiting"
)

// memberJSON is the JSON of a member.
type memberJSON struct {
	*userSummary

	CreatedAt         jsonTime      `json:"created_at"`
	CreatedBy         *userSummary  `json:"created_by"`
	ExpiresAt         jsonDate      `json:"expires_at"`
	AccessLevel       AccessLevel   `json:"access_level"`
	Email             string        `json:"email,omitempty"`
	GroupSAMLIdentity *samlIdentity `json:"group_saml_identity"`
	MembershipState   string        `json:"membership_state"`
	IsUsingSeat       *bool         `json:"is_using_seat,omitempty"`
}

// samlIdentity is a member's account at the identity provider of a group.
type samlIdentity struct {
	ExternUID      string `json:"extern_uid"`
	Provider       string `json:"provider"`
	SAMLProviderID int64  `json:"saml_provider_id"`
}

// json returns the JSON of a member for the caller of a home.
func (m memberRole) json(h *home) *memberJSON {
	return &memberJSON{
		userSummary: m.user.summary(), CreatedAt: jsonTime(m.createdAt), CreatedBy: m.createdBy.summary(),
		ExpiresAt: jsonDate(m.expiresAt), AccessLevel: m.level, Email: m.user.publicEmail,
		GroupSAMLIdentity: h.samlIdentity(m.user), MembershipState: m.state,
	}
}

// samlIdentity returns a user's account at the identity provider of the home's
// top-level group. Only owners of the group see it.
func (h *home) samlIdentity(user *User) *samlIdentity {
	if h.group == nil || h.level < Owner {
		return nil
	}
	at := slices.IndexFunc(user.identities, func(i identity) bool { return i.samlProviderID == h.group.top().id })
	if at < 0 {
		return nil
	}
	i := user.identities[at]
	return &samlIdentity{i.externUID, i.provider, i.samlProviderID}
}
