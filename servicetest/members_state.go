package servicetest

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// A member is a user's role in one project or group.
type member struct {
	id        int64 // ID of the membership
	user      *User
	level     AccessLevel
	custom    *customRole // nil if none
	state     string      // active or awaiting
	createdAt time.Time
	createdBy *User
	expiresAt time.Time // zero means never

	overridden bool        // the level differs from the one in the directory
	synced     AccessLevel // the level in the directory, if it differs

	inviteSource string
	tasks        []string // suggested to the member
	tasksProject int64
}

// A share gives all members of a group access to a project or another group.
type share struct {
	id        int64
	group     *Group
	level     AccessLevel // the highest level that members get
	expiresAt time.Time   // zero means never
	custom    *customRole // nil if none
}

// memberIDs numbers memberships and shares of all kinds.
type memberIDs struct{ last, lastShare int64 }

func (s *Service) newShare(group *Group, level AccessLevel, until time.Time) share {
	ids := state[memberIDs](s)
	ids.lastShare++
	return share{id: ids.lastShare, group: group, level: level, expiresAt: until}
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

func (s share) json() sharedGroup {
	return sharedGroup{s.group.id, s.group.name, s.group.fullPath(), s.level, jsonDate(s.expiresAt)}
}

func sharedGroups(shares []share, now time.Time) []sharedGroup {
	groups := make([]sharedGroup, 0, len(shares))
	for _, sh := range shares {
		if !sh.ended(now) {
			groups = append(groups, sh.json())
		}
	}
	return groups
}

// addMember makes a user a member, or changes the role of a member.
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
	s.endRequests(members, user)
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

// touchHome touches the project or, if that is nil, the group whose members have changed.
func (s *Service) touchHome(p *Project, g *Group) {
	if p != nil {
		s.touch(p)
	} else {
		s.touch(g)
	}
}

// counts reports whether a membership gives access now.
func (m *member) counts(now time.Time) bool { return m.state == memberActive && !m.ended(now) }

// A Membership is a user's role in one project or group at this time.
type Membership struct {
	Level AccessLevel
	// State is active or awaiting. An awaiting membership gives no access.
	State string
	// ExpiresAt is the zero time if the membership does not expire.
	ExpiresAt time.Time
	// InviteSource is the source of the invitation, as given when the member was
	// added.
	InviteSource string
	// Tasks are the tasks suggested to the member, and TasksProject is the ID of their
	// project. They are set only while the feature flag invite_members_for_task is
	// enabled.
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

// The states of a membership.
const (
	memberActive   = "active"
	memberAwaiting = "awaiting"
)

// json returns the JSON of a member as the caller sees it.
func (m memberRole) json(h *home) jsonBytes { return m.withSeat(h, nil) }

// withSeat is like json. If seated is not nil, it also says whether the member takes a seat.
func (m memberRole) withSeat(h *home, seated map[*User]*billableMember) jsonBytes {
	form := inOrder("created_at", jsonTime(m.createdAt), "created_by", m.createdBy.summary(),
		"expires_at", jsonDate(m.expiresAt), "access_level", m.level)
	if email := m.user.publicEmail; email != "" {
		form.Add("email", email)
	}
	form.Add("group_saml_identity", h.samlIdentity(m.user))
	form.Add("membership_state", m.state)
	if seated != nil {
		form.Add("is_using_seat", seated[m.user] != nil)
	}
	form.Add("member_role", m.custom.json())
	if h.project == nil && m.user.fromDirectory() {
		form.Add("override", m.overridden)
	}
	return joined(m.user.summary(), form)
}

// samlIdentity returns a user's account at the identity provider of the home's
// top-level group. Only owners of the group see it.
func (h *home) samlIdentity(user *User) *collection.Form {
	if h.group == nil || h.level < Owner {
		return nil
	}
	at := slices.IndexFunc(user.identities, func(i identity) bool { return i.samlProviderID == h.group.top().id })
	if at < 0 {
		return nil
	}
	i := user.identities[at]
	return inOrder("extern_uid", i.externUID, "provider", i.provider, "saml_provider_id", i.samlProviderID)
}

// A placedMember is a membership and its project or group.
type placedMember struct {
	*member

	project *Project // nil if it is in the group
	group   *Group
	members *table[*member] // those of the project or group
}

// billableState keeps the users who were billable when the service last counted
// them.
type billableState struct {
	counts map[*Group]billableCount
}

type billableCount struct {
	at    time.Time
	users map[*User]bool
}

// billableMember is a user who takes a seat, with the values for sorting.
type billableMember struct {
	user    *User
	level   AccessLevel // the highest level
	joined  time.Time   // the first time
	state   string      // active if any membership is
	invited bool        // a member only through an invited group
}

// countHour is the hour, in UTC, at which the service counts billable members.
const countHour = 12

// topLevelGroup returns the group of the path. The caller must own it, and it must be a
// top-level group.
func (c *call) topLevelGroup() (*Group, *reply) {
	group, refusal := c.group()
	if refusal != nil {
		return nil, refusal
	}
	if group.parent != nil {
		return nil, frame.BadRequest("The group is not a top-level group")
	}
	return group, nil
}

// membershipsBelow returns the direct memberships of a user in a group and
// everything below it. If the ID is 0, it returns those of all users.
func (s *Service) membershipsBelow(group *Group, userID int64) []placedMember {
	var found []placedMember
	of := func(members *table[*member]) []*member {
		return members.all(func(m *member) bool { return (userID == 0 || m.user.id == userID) && !m.ended(s.now()) })
	}
	for _, g := range s.groups.all(func(g *Group) bool { return g.within(group) }) {
		for _, m := range of(&g.members) {
			found = append(found, placedMember{m, nil, g, &g.members})
		}
	}
	for _, p := range s.projects.all(func(p *Project) bool { return p.within(group) }) {
		for _, m := range of(&p.members) {
			found = append(found, placedMember{m, p, nil, &p.members})
		}
	}
	return found
}

// billable returns the users who currently take a seat of a group.
func (s *Service) billable(group *Group) map[*User]*billableMember {
	members := make(map[*User]*billableMember)
	add := func(m *member, level AccessLevel, invited bool) {
		if m.user.bot || m.user.internal || m.user.state != "active" || m.ended(s.now()) {
			return
		}
		b := members[m.user]
		if b == nil {
			b = &billableMember{user: m.user, joined: m.createdAt, state: m.state, invited: invited}
			members[m.user] = b
		}
		b.level, b.invited = max(b.level, level), b.invited && invited
		if m.createdAt.Before(b.joined) {
			b.joined = m.createdAt
		}
		if m.state == memberActive {
			b.state = memberActive
		}
	}
	for _, m := range s.membershipsBelow(group, 0) {
		add(m.member, m.level, false)
	}
	for _, sh := range s.sharesBelow(group) {
		for i := range sh.group.members.len() {
			m := sh.group.members.at(i)
			add(m, min(m.level, sh.level), true)
		}
	}
	return members
}

// sharesBelow returns the groups that are invited to a group or below it, if that has not
// ended.
func (s *Service) sharesBelow(group *Group) []share {
	var shares []share
	for _, g := range s.groups.all(func(g *Group) bool { return g.within(group) }) {
		shares = append(shares, g.shares...)
	}
	for _, p := range s.projects.all(func(p *Project) bool { return p.within(group) }) {
		shares = append(shares, p.shares...)
	}
	return slices.DeleteFunc(shares, func(sh share) bool { return sh.ended(s.now()) })
}

// countedBillable returns the users who were billable at the last count and
// still are. Users who have joined since appear after the next count.
func (s *Service) countedBillable(group *Group) []*billableMember {
	all := state[billableState](s)
	now := s.now()
	due := time.Date(now.Year(), now.Month(), now.Day(), countHour, 0, 0, 0, time.UTC)
	if due.After(now) {
		due = due.AddDate(0, 0, -1)
	}
	current := s.billable(group)
	count, counted := all.counts[group]
	if !counted || count.at.Before(due) {
		count = billableCount{at: now, users: make(map[*User]bool)}
		for user := range current {
			count.users[user] = true
		}
		put(&all.counts, group, count)
	}
	var members []*billableMember
	for user, b := range current {
		if count.users[user] {
			members = append(members, b)
		}
	}
	return members
}

var billableOrders = []string{
	"access_level_asc", "access_level_desc", "last_joined", "name_asc", "name_desc", "oldest_joined",
	"oldest_sign_in", "recent_sign_in", "last_activity_on_asc", "last_activity_on_desc",
}

func listBillableMembers(c *call, group *Group) *reply {
	search, order := c.String("search"), c.StringIn("sort", billableOrders...)
	awaiting := c.Bool("include_awaiting_members")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	members := slices.DeleteFunc(c.svc.countedBillable(group), func(b *billableMember) bool {
		return !b.user.matches(search) || b.state == memberAwaiting && !awaiting
	})
	sortBillable(members, order)
	return frame.ListOf(c, members, (*billableMember).json)
}

// sortBillable sorts members. Without an order, and for equal members, the user ID
// decides.
func sortBillable(members []*billableMember, order string) {
	slices.SortFunc(members, func(a, b *billableMember) int {
		return cmp.Or(a.compare(b, order), cmp.Compare(a.user.id, b.user.id))
	})
}

func (b *billableMember) compare(other *billableMember, order string) int {
	switch order {
	case "access_level_asc":
		return cmp.Compare(b.level, other.level)
	case "oldest_joined":
		return b.joined.Compare(other.joined)
	case "name_asc":
		return strings.Compare(b.user.name, other.user.name)
	case "oldest_sign_in":
		return b.user.currentSignInAt.Compare(other.user.currentSignInAt)
	case "last_activity_on_asc":
		return b.user.lastActivity.Compare(other.user.lastActivity)
	}
	if ascending, ok := reversedOrders[order]; ok {
		return other.compare(b, ascending)
	}
	return 0
}

var reversedOrders = map[string]string{
	"access_level_desc": "access_level_asc", "last_joined": "oldest_joined", "name_desc": "name_asc",
	"recent_sign_in": "oldest_sign_in", "last_activity_on_desc": "last_activity_on_asc",
}

func (b *billableMember) json() jsonBytes {
	form, kind := inOrder(), "group_member"
	if b.user.publicEmail != "" {
		form.Add("email", b.user.publicEmail)
	}
	if b.invited {
		kind = "group_invite"
	}
	return joined(b.user.summary(), form, inOrder("last_activity_on", jsonDate(b.user.lastActivity),
		"membership_type", kind, "membership_state", b.state, "removable", !b.invited,
		"created_at", jsonTime(b.user.createdAt)))
}

// json returns the JSON of one membership of a billable member.
func (m placedMember) json() *collection.Form {
	var id int64
	var name, url string
	if p, g := m.project, m.group; p != nil {
		id, name, url = p.id, p.fullName(), p.webURL("-/project_members")
	} else {
		id, name, url = g.id, g.fullName(), g.svc.webURL("groups", g.fullPath(), "-/group_members")
	}
	return inOrder("id", m.id, "source_id", id, "source_full_name", name, "source_members_url", url,
		"created_at", jsonTime(m.createdAt), "expires_at", jsonDate(m.expiresAt),
		"access_level", inOrder("string_value", m.level.String(), "integer_value", m.level))
}

func listBillableMemberships(c *call, group *Group) *reply {
	user, ok := c.svc.users.get(c.PathInt64("user_id"))
	if !ok || c.svc.billable(group)[user] == nil {
		return frame.NotFound("User")
	}
	return frame.ListOf(c, c.svc.membershipsBelow(group, user.id), placedMember.json)
}

// removeBillableMember ends all memberships of a user in a group and below it.
func removeBillableMember(c *call, group *Group) *reply {
	memberships := c.svc.membershipsBelow(group, c.PathInt64("user_id"))
	if len(memberships) == 0 {
		return frame.NotFound("User")
	}
	for _, m := range memberships {
		m.members.remove(m.user.id)
		c.svc.touchHome(m.project, m.group)
		c.auditMember(auditSubject{project: m.project, group: m.group}, m.user, object{"remove": "user_access"})
	}
	return c.NoContent()
}

// customRole reads member_role_id. Without the parameter, the role stays.
func (c *call) customRole(level AccessLevel, before *customRole) (*customRole, *reply) {
	id := c.Int64("member_role_id")
	if refusal := c.Refusal(); refusal != nil || !c.Has("member_role_id") || !c.hasTier(Ultimate) {
		return before, refusal
	}
	if id == 0 {
		return nil, nil
	}
	role, ok := state[customRoles](c.svc).get(id)
	switch {
	case !ok:
		return nil, frame.NotFound("Member Role")
	case role.base != level:
		return nil, frame.FieldErrors("member_role_id",
			"the custom role's base access level does not match the current access level")
	}
	return role, nil
}
