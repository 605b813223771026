package servicetest

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// A home is a project or a group that has members.
type home struct {
	project *Project // nil for a group
	group   *Group   // the group itself, or the group of the project; nil for a personal project
	members *table[*member]
	shares  []share
	level   AccessLevel // role of the caller
}

func (c *call) projectMembers() (*home, *reply) {
	p, refusal := c.project()
	if refusal != nil {
		return nil, refusal
	}
	return &home{p, p.group, &p.members, p.shares, c.svc.projectLevel(c.user, p)}, nil
}

func (c *call) groupMembers() (*home, *reply) {
	g, refusal := c.group()
	if refusal != nil {
		return nil, refusal
	}
	return &home{nil, g, &g.members, g.shares, c.svc.groupLevel(c.user, g)}, nil
}

// A memberRole is a membership with the role that it gives. An invited group can lower
// the role.
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

// withInherited returns the members of a home, of its parent groups, and of the groups
// that are invited there. It has each user once, with the highest role.
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
	return slices.SortedFunc(maps.Values(best), func(a, b memberRole) int { return cmp.Compare(a.user.id, b.user.id) })
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
	wanted := c.StringIn("state", memberActive, memberAwaiting)
	if wanted != "" {
		if refusal := c.requireTier(Premium); refusal != nil {
			return refusal
		}
	}
	roles := slices.DeleteFunc(c.withInherited(h), func(m memberRole) bool { return wanted != "" && m.state != wanted })
	return c.memberPage(h, roles)
}

// memberPage returns one page of the members that the call selects.
func (c *call) memberPage(h *home, roles []memberRole) *reply {
	query, ids := c.String("query"), c.Int64s("user_ids")
	skipped, withSAML := c.Int64s("skip_users"), c.Bool("with_saml_identity") && c.hasTier(Premium)
	roles = slices.DeleteFunc(roles, func(m memberRole) bool {
		return !m.user.matches(query) || len(ids) > 0 && !slices.Contains(ids, m.user.id) ||
			slices.Contains(skipped, m.user.id) || withSAML && !m.user.hasSAML()
	})
	var seated map[*User]*billableMember
	if c.Bool("show_seat_info") {
		seated = h.seats(c.svc)
	}
	return frame.ListOf(c, roles, func(m memberRole) jsonBytes { return m.withSeat(h, seated) })
}

// seats returns the users who take a seat of the home's top-level group. A personal
// project has none.
func (h *home) seats(s *Service) map[*User]*billableMember {
	if h.group == nil {
		return map[*User]*billableMember{}
	}
	return s.billable(h.group.top())
}

// hasSAML reports whether the user signs in through the identity provider of a group.
func (u *User) hasSAML() bool {
	return slices.ContainsFunc(u.identities, func(i identity) bool { return i.provider == "group_saml" })
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
		if m.user.id == c.PathInt64("user_id") {
			return c.OK(m.json(h))
		}
	}
	return frame.NotFound("Member")
}

// lastOwner reports whether a member is the last owner of a home: the only owner of a
// group, or the owner of a personal project.
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
	m, ok := c.svc.currentMember(h.members, c.PathInt64("user_id"))
	if !ok {
		return frame.NotFound("Member")
	}
	c.Require("access_level")
	level, until := c.memberLevel(NoAccess), c.Time("expires_at")
	if refusal := cmp.Or(c.Refusal(), c.mayGrant(h, max(level, m.level))); refusal != nil {
		return refusal
	}
	if level < Owner && c.svc.lastOwner(h, m) {
		return frame.Forbidden("")
	}
	if problem := c.belowInherited(h, m.user, level); problem != "" {
		return frame.FieldErrors("access_level", problem)
	}
	if c.isPast(until) {
		return frame.FieldErrors("expires_at", pastDate)
	}
	custom, refusal := c.customRole(level, m.custom)
	if refusal != nil {
		return refusal
	}
	if m.level != level {
		c.auditMember(h.subject(), m.user, object{"change": "access_level", "from": m.level.String(),
			"to": level.String()})
	}
	m.level, m.custom = level, custom
	if c.Has("expires_at") {
		m.expiresAt = until // null or empty means never
	}
	return c.OK(memberRole{m, level}.json(h))
}

// auditMember records an audit event about a member.
func (c *call) auditMember(about auditSubject, user *User, details object) {
	details["target_id"], details["target_type"], details["target_details"] = user.id, "User", user.name
	c.svc.audit(c.user, about, details)
}

func (h *home) subject() auditSubject { return auditSubject{project: h.project, group: h.group} }

// setMemberState changes all memberships of a user in a group and below it.
func setMemberState(c *call, group *Group) *reply {
	c.Require("state")
	wanted := c.StringIn("state", memberActive, memberAwaiting)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	memberships := c.svc.membershipsBelow(group, c.PathInt64("user_id"))
	if len(memberships) == 0 {
		return frame.NotFound("Member")
	}
	for _, m := range memberships {
		m.state = wanted
	}
	return c.OK(object{"success": true})
}

// addMembers makes users members. For one user, it responds with the member. For
// several, it responds only with those who were refused.
func addMembers(c *call, h *home) *reply {
	ids, names := c.newcomers()
	draft, refusal := c.memberDraft(h)
	if refusal != nil {
		return refusal
	}
	if len(ids) == 1 {
		m, status, problem := c.addOne(h, ids[0], draft)
		switch {
		case m != nil:
		case status == http.StatusBadRequest && problem == pastDate:
			return frame.FieldErrors("expires_at", problem)
		case status == http.StatusBadRequest:
			return frame.FieldErrors("access_level", problem)
		default:
			return frame.Message(status, problem)
		}
		return c.Created(memberRole{m, m.level}.json(h))
	}
	problems := object{}
	for i, id := range ids {
		if m, _, problem := c.addOne(h, id, draft); m == nil {
			problems[names[i]] = problem
		}
	}
	if len(problems) > 0 {
		return frame.JSONReply(http.StatusCreated, object{"status": "error", "message": problems})
	}
	return c.Created(object{"status": "success"})
}

// newcomers reads the users to add: by ID or, in newer releases, by name. The ID is 0
// for an unknown name.
func (c *call) newcomers() (ids []int64, names []string) {
	c.Exclusive("user_id", "username")
	if !c.Has("username") {
		c.Require("user_id")
	}
	c.Require("access_level")
	for _, id := range c.Int64s("user_id") {
		ids, names = append(ids, id), append(names, c.nameOf(id))
	}
	for _, name := range c.SplitStrings("username") {
		id := int64(0)
		if user := c.svc.findUser(name); user != nil && strings.EqualFold(user.username, name) {
			id = user.id
		}
		ids, names = append(ids, id), append(names, name)
	}
	return ids, names
}

// nameOf returns the name of a user, who may not exist.
func (c *call) nameOf(id int64) string {
	if user, ok := c.svc.users.get(id); ok {
		return user.username
	}
	return strconv.FormatInt(id, 10)
}

// memberDraft reads the parameters that all new members have in common.
func (c *call) memberDraft(h *home) (member, *reply) {
	level := c.memberLevel(NoAccess)
	draft := member{level: level, expiresAt: c.Time("expires_at"), inviteSource: c.String("invite_source")}
	tasks, project := c.StringsIn("tasks_to_be_done", "ci", "code", "issues"), c.Int64("tasks_project_id")
	if (len(tasks) > 0) != (project != 0) {
		c.Problem("tasks_to_be_done, tasks_project_id provide all or none of parameters")
	}
	if refusal := c.Refusal(); refusal != nil {
		return draft, refusal
	}
	if c.svc.feature("invite_members_for_task") {
		draft.tasks, draft.tasksProject = tasks, project
	}
	var refusal *reply
	if draft.custom, refusal = c.customRole(level, nil); refusal != nil {
		return draft, refusal
	}
	return draft, c.mayGrant(h, level)
}

// memberLevel reads access_level, which must be a role: nobody becomes a member without one.
func (c *call) memberLevel(otherwise AccessLevel) AccessLevel {
	n := c.Int64OrNil("access_level")
	if n == nil {
		return otherwise
	}
	level := AccessLevel(*n)
	if level == NoAccess || !level.valid() {
		c.Problem("access_level does not have a valid value")
	}
	return level
}

// mayGrant refuses to give or change a role above the caller's own.
func (c *call) mayGrant(h *home, level AccessLevel) *reply {
	if level > h.level {
		return frame.Forbidden("")
	}
	return nil
}

// belowInherited returns the message for a level below the one that a user inherits
// from a parent group, or "" if it is not lower.
func (c *call) belowInherited(h *home, user *User, level AccessLevel) string {
	above := h.group
	if h.project == nil {
		above = h.group.parent
	}
	for g := above; g != nil; g = g.parent {
		if m, ok := c.svc.currentMember(&g.members, user.id); ok && m.level > level {
			return "should be greater than or equal to " + m.level.String() + " inherited membership from group " +
				g.name
		}
	}
	return ""
}

const pastDate = "cannot be a date in the past"

// isPast reports whether a day is over. Today is not: a membership until then ends at once.
func (c *call) isPast(day time.Time) bool {
	return !day.IsZero() && day.Before(c.now().Truncate(24*time.Hour))
}

// addOne makes one user a member, or returns the status and the message of a refusal.
func (c *call) addOne(h *home, id int64, draft member) (m *member, status int, problem string) {
	user, ok := c.svc.users.get(id)
	if !ok {
		return nil, http.StatusNotFound, "404 User Not Found"
	}
	if _, taken := c.svc.currentMember(h.members, id); taken {
		return nil, http.StatusConflict, "Member already exists"
	}
	if problem := c.belowInherited(h, user, draft.level); problem != "" {
		return nil, http.StatusBadRequest, problem
	}
	if c.isPast(draft.expiresAt) {
		return nil, http.StatusBadRequest, pastDate
	}
	h.members.remove(id)
	m = c.svc.addMember(h.members, user, draft.level)
	m.createdBy, m.expiresAt, m.custom = c.user, draft.expiresAt, draft.custom
	m.inviteSource, m.tasks, m.tasksProject = draft.inviteSource, draft.tasks, draft.tasksProject
	c.auditMember(h.subject(), user, object{"add": "user_access", "as": m.level.String()})
	return m, http.StatusCreated, ""
}

// removeMember ends a direct membership. Members may leave; other callers need the role
// that may manage members.
func removeMember(c *call, h *home) *reply {
	m, ok := c.svc.currentMember(h.members, c.PathInt64("user_id"))
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
	skip, unassign := c.Bool("skip_subresources"), c.Bool("unassign_issuables")
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
		s.touch(g)
	}
	for _, p := range s.projects.all(func(p *Project) bool { return p.within(group) }) {
		p.members.remove(user.id)
		s.touch(p)
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
		s.touch(i)
	}
	for _, m := range state[mergeRequestState](s).requests.all(func(m *MergeRequest) bool { return in(m.project) }) {
		m.assignees, m.reviewers = without(m.assignees), without(m.reviewers)
		s.touch(m)
	}
}
