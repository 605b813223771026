package servicetest

import (
	"cmp"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"example.com/serviceapi/servicetest/internal/frame"
)

var validUsername = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`)

func createUser(c *call) *reply {
	c.Require("email", "name", "username")
	reset, random := c.Bool("reset_password"), c.Bool("force_random_password")
	if !reset && !random && c.String("password") == "" {
		c.Problem("password, reset_password, force_random_password are missing, " +
			"at least one parameter must be provided")
	}
	confirmed := c.Bool("skip_confirmation")
	username := c.String("username")
	var draft User
	c.changeUser(&draft)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if problem := c.svc.userConflict(nil, &draft); problem != "" {
		return frame.Conflict(problem)
	}
	if refusal := cmp.Or(draft.refuse(), c.refusePassword(!reset && !random)); refusal != nil {
		return refusal
	}
	public, commits := c.String("public_email"), c.String("commit_email")
	for name, address := range map[string]string{"public_email": public, "commit_email": commits} {
		isHidden := name == "commit_email" && address == "_private"
		if address != "" && !isHidden && (!confirmed || !strings.EqualFold(address, draft.email)) {
			return frame.FieldErrors(name, "is not an email you own")
		}
	}
	user := c.svc.newUser(username, []UserOption{userOption(func(u *User) {
		defaults := c.svc.instance()
		u.projectsLimit, u.external = defaults.number("default_projects_limit"), defaults.flag("user_default_external")
		u.canCreateGroup = defaults.flag("can_create_group")
		c.changeUser(u)
		if reset || random {
			u.password = "" // nobody knows the password
		}
		u.publicEmail = public
		if !confirmed {
			u.confirmedAt = zeroTime
		}
	})})
	if commits != "" {
		user.commitsAs(commits)
	}
	return c.Created(c.userView(user))
}

// updateUser changes a user. Conflicts get a 404 instead of a 409.
func updateUser(c *call, user *User) *reply {
	if refusal := c.Unchanged(user.updatedAt); refusal != nil {
		return refusal
	}
	edited := *user
	edited.identities = slices.Clone(user.identities)
	c.changeUser(&edited)
	c.changeEmails(user, &edited)
	if c.Has("password") {
		edited.mustChangePassword = true
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if problem := c.svc.userConflict(user, &edited); problem != "" {
		return frame.Message(http.StatusNotFound, problem)
	}
	if refusal := cmp.Or(edited.refuse(), c.refusePassword(c.Has("password"))); refusal != nil {
		return refusal
	}
	if edited.publicEmail != user.publicEmail && !edited.owns(edited.publicEmail) {
		return frame.FieldErrors("public_email", "is not an email you own")
	}
	if c.Has("commit_email") && !edited.commitsAs(c.String("commit_email")) {
		return frame.FieldErrors("commit_email", "is not an email you own")
	}
	edited.updatedAt = c.now()
	*user = edited
	c.svc.touch(user)
	return c.OK(c.userView(user))
}

const minPassword = 8

// validEmail matches a plausible email address.
var validEmail = regexp.MustCompile(`^[^@\s]+@[^@\s]+$`)

// refuse refuses a user with an invalid name or email address.
func (u *User) refuse() *reply {
	if !validUsername.MatchString(u.username) {
		return frame.FieldErrors("username", "can contain only letters, digits, '_', '-' and '.'")
	}
	if !validEmail.MatchString(u.email) {
		return frame.FieldErrors("email", "is invalid")
	}
	return nil
}

// refusePassword refuses a short password if it will be used.
func (c *call) refusePassword(used bool) *reply {
	if used && utf8.RuneCountInString(c.String("password")) < minPassword {
		return frame.FieldErrors("password", "is too short (minimum is 8 characters)")
	}
	return nil
}

// changeEmails changes the email addresses of a user.
func (c *call) changeEmails(user, edited *User) {
	skip := c.Bool("skip_reconfirmation")
	if edited.email != user.email {
		edited.confirmedAt = zeroTime
		if skip {
			edited.confirmedAt = c.now()
		}
		if user.commitEmail == user.email {
			edited.commitEmail = edited.email
		}
	}
	given(c, "public_email", c.String, &edited.publicEmail)
}

// commitsAs sets the email address for commits: an address of the user, or "_private"
// for the hidden one. It reports whether the address is valid.
func (u *User) commitsAs(address string) bool {
	if address == "_private" {
		u.commitEmail = frame.Itoa(u.id) + "-" + u.username + "@users.noreply.example.com"
		return true
	}
	if !u.owns(address) {
		return false
	}
	u.commitEmail = either(address, u.email)
	return true
}

// owns reports whether an email address is empty or a confirmed address of the user.
func (u *User) owns(address string) bool {
	if address == "" || strings.EqualFold(address, u.email) {
		return address == "" || !u.confirmedAt.IsZero()
	}
	return slices.ContainsFunc(state[emailState](u.svc).emails.all(nil), func(e *email) bool {
		return e.user.id == u.id && strings.EqualFold(e.address, address) && !e.confirmedAt.IsZero()
	})
}

// A parameter is the name of a parameter and the field that it sets.
type parameter[T any] struct {
	name string
	into *T
}

// changeUser applies the parameters of creating and of modifying a user.
func (c *call) changeUser(u *User) {
	for _, p := range []parameter[string]{
		{"email", &u.email}, {"name", &u.name}, {"username", &u.username}, {"password", &u.password}, {"bio", &u.bio},
		{"linkedin", &u.linkedin},
		{"skype", &u.skype}, {"twitter", &u.twitter}, {"location", &u.location}, {"organization", &u.organization},
		{"website_url", &u.websiteURL}, {"note", &u.note}, {"discord", &u.discord}, {"github", &u.github},
		{"pronouns", &u.pronouns},
	} {
		if c.Has(p.name) {
			*p.into = c.String(p.name)
		}
	}
	for _, p := range []parameter[bool]{
		{"admin", &u.admin}, {"can_create_group", &u.canCreateGroup}, {"external", &u.external},
		{"private_profile", &u.privateProfile}, {"view_diffs_file_by_file", &u.viewFileByFile},
	} {
		if c.Has(p.name) {
			*p.into = c.Bool(p.name) // null means false
		}
	}
	frame.Accept(c.Bool, "policy_advanced_editor")
	if c.Has("auditor") && c.hasTier(Premium) {
		u.auditor = c.Bool("auditor")
	}
	for _, p := range []parameter[int64]{
		{"color_scheme_id", &u.colorSchemeID}, {"theme_id", &u.themeID}, {"projects_limit", &u.projectsLimit},
	} {
		if c.Has(p.name) {
			*p.into = c.Int64(p.name)
		}
	}
	if picture := c.Files["avatar"]; picture != nil {
		u.avatar = picture.Name
	}
	c.changeMinutes(u)
	c.changeIdentity(u)
}

// changeMinutes sets the limits of the Premium tier. Lower tiers ignore them.
func (c *call) changeMinutes(u *User) {
	for _, p := range []parameter[*int64]{
		{"shared_runners_minutes_limit", &u.sharedMinutesLimit},
		{"extra_shared_runners_minutes_limit", &u.extraMinutesLimit},
	} {
		if !c.Has(p.name) || !c.hasTier(Premium) {
			continue
		}
		if *p.into = nil; c.String(p.name) != "" { // null or empty means the default
			limit := c.Int64(p.name)
			*p.into = &limit
		}
	}
}

// changeIdentity adds an account at another provider, or replaces the one at
// the same provider.
func (c *call) changeIdentity(u *User) {
	made := identity{provider: c.String("provider"), externUID: c.String("extern_uid")}
	if c.Has("group_id_for_saml") {
		group, ok := c.svc.groups.get(c.Int64("group_id_for_saml"))
		if !ok {
			c.Problem("group_id_for_saml is invalid")
			return
		}
		made.samlProviderID = group.id
		if made.provider == "" {
			made.provider = "group_saml"
		}
	}
	if made.provider == "" || made.externUID == "" {
		return
	}
	u.identities = slices.DeleteFunc(u.identities, func(i identity) bool { return i.provider == made.provider })
	u.identities = append(u.identities, made)
}

// userConflict says which attribute another user already has. user is nil for a new
// user.
func (s *Service) userConflict(user, edited *User) string {
	if s.hasAddress(edited.email, user) {
		return "Email has already been taken"
	}
	for i := range s.users.len() {
		other := s.users.at(i)
		if other == user {
			continue
		}
		if strings.EqualFold(other.username, edited.username) {
			return "Username has already been taken"
		}
		for _, i := range edited.identities {
			if slices.Contains(other.identities, i) {
				return "Extern uid has already been taken"
			}
		}
	}
	return ""
}

func deleteIdentity(c *call, user *User) *reply {
	at := slices.IndexFunc(user.identities, func(i identity) bool { return i.provider == c.PathString("provider") })
	if at < 0 {
		return frame.NotFound("Identity")
	}
	user.identities = slices.Delete(user.identities, at, at+1)
	c.svc.touch(user)
	return c.NoContent()
}

func deleteUser(c *call, user *User) *reply {
	if refusal := c.Unchanged(user.updatedAt); refusal != nil {
		return refusal
	}
	return c.removeAccount(user, "User cannot be removed while it is the sole owner of a group")
}

// removeAccount deletes a user. If that requires hard_delete, it responds with the text
// otherwise.
func (c *call) removeAccount(user *User, otherwise string) *reply {
	hard := c.Bool("hard_delete")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	owned := c.svc.solelyOwned(user)
	if len(owned) > 0 && !hard {
		return frame.Conflict(otherwise)
	}
	for _, group := range owned {
		c.svc.removeGroup(group)
	}
	c.svc.removeUser(user, hard)
	return c.NoContent()
}

// solelyOwned returns the groups whose only direct owner is the user.
func (s *Service) solelyOwned(user *User) []*Group {
	return s.groups.all(func(g *Group) bool {
		owners := g.members.all(func(m *member) bool { return m.level == Owner })
		return len(owners) == 1 && owners[0].user == user
	})
}

// removeUser removes a user with memberships, tokens, personal projects and snippets. A
// placeholder takes over the rest of the user's work, unless hard is true, which
// removes it.
func (s *Service) removeUser(user *User, hard bool) {
	for i := range s.groups.len() {
		s.groups.at(i).members.remove(user.id)
	}
	for _, p := range s.projects.all(nil) {
		p.members.remove(user.id)
		p.unstar(user)
		if p.owner == user {
			s.removeProject(p)
		}
	}
	removeWhere(&state[snippetState](s).snippets, func(n *Snippet) bool { return n.project == nil && n.author == user })
	for _, tok := range s.tokens {
		if tok.user == user {
			tok.revoked = true
		}
	}
	s.users.remove(user.id)
	for _, k := range user.sshKeys() {
		state[sshKeyState](s).keys.remove(k.id)
	}
	for _, e := range user.emails() {
		e.remove()
	}
	for _, other := range append(slices.Clone(user.follows), user.followers...) {
		isUser := func(u *User) bool { return u == user }
		other.follows, other.followers = slices.DeleteFunc(other.follows, isUser),
			slices.DeleteFunc(other.followers, isUser)
		s.touch(other)
	}
	s.unassign(user)
	s.endRequests(nil, user)
	s.dropLevels(nil, func(l protectionLevel) bool { return l.user == user })
	user.gone = true
	if hard {
		s.removeContributions(user)
	} else {
		user.heir = s.placeholder()
	}
	s.touch(user)
	s.touchAll()
}

// placeholder returns the account that takes over the work of deleted users.
func (s *Service) placeholder() *User {
	const username = "ghost"
	if ghost := s.findUser(username); ghost != nil {
		return ghost
	}
	return s.newUser(username, []UserOption{Name("Ghost User"), ServiceBot()})
}

// removeContributions removes what a user wrote: issues, merge requests, snippets,
// epics, notes, comments and reactions. Commits, jobs, deployments and so on stay,
// without a user.
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
	removeWhere(&state[draftNotes](s).table, func(d *draftNote) bool { return d.author == user })
	for _, d := range s.discussions() {
		d.notes = slices.DeleteFunc(d.notes, func(n *Note) bool {
			n.deleted = n.author == user
			return n.deleted
		})
		d.removeReactions(user)
		for _, n := range d.notes {
			n.removeReactions(user)
		}
	}
}

// removeWhere removes the records that gone accepts.
func removeWhere[T interface{ key() int64 }](t *table[T], gone func(T) bool) {
	for _, record := range t.all(gone) {
		t.remove(record.key())
	}
}

func (n *Snippet) key() int64 { return n.id }

func (e *Epic) key() int64 { return e.id }

// discussions returns the discussions of all issues, merge requests, snippets,
// epics and commits.
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
	for _, c := range state[commitDiscussions](s).on {
		all = append(all, &c.discussion)
	}
	for _, page := range s.wikiPages() {
		all = append(all, &page.discussion)
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
		m.assignees, m.reviewers = without(m.assignees), without(m.reviewers)
		delete(m.subscribers, user)
		for _, r := range m.rules {
			r.users = without(r.users)
		}
	}
	for _, rules := range state[approvalState](s).of {
		for _, r := range rules {
			r.users = without(r.users)
		}
	}
}

func (m *Milestone) key() int64 { return m.id }

// dormantAfter is how long a user must be inactive before an administrator can
// deactivate the account.
const dormantAfter = 90 * 24 * time.Hour

// LDAPBlocked makes a user whom the directory sync has blocked.
func LDAPBlocked() UserOption { return userOption(func(u *User) { u.state = "ldap_blocked" }) }

// Deactivated makes a deactivated user. All calls of the user get a 403.
func Deactivated() UserOption { return userOption(func(u *User) { u.state = "deactivated" }) }

func blockUser(c *call, user *User) *reply {
	return c.changeStanding(user, "blocked", func(u *User) string {
		switch {
		case u.state == "ldap_blocked":
			return "A blocked LDAP user cannot be modified by the API"
		case u.internal:
			return "An internal user cannot be blocked"
		case u == c.user:
			return "The API initiating user cannot be blocked by the API"
		}
		return ""
	})
}

func unblockUser(c *call, user *User) *reply {
	return c.changeStanding(user, "active", func(u *User) string {
		switch u.state {
		case "ldap_blocked":
			return "LDAP blocked users cannot be unblocked by the API"
		case "deactivated":
			return "Deactivated users cannot be unblocked by the API"
		}
		return ""
	})
}

func deactivateUser(c *call, user *User) *reply {
	return c.changeStanding(user, "deactivated", func(u *User) string {
		switch {
		case u.state == "deactivated":
			return ""
		case u.state != "active":
			return "A blocked user cannot be deactivated by the API"
		case u.internal:
			return "An internal user cannot be deactivated by the API"
		case !u.isDormant(c.now()):
			return "The user has been active in the past 90 days and cannot be deactivated"
		}
		return ""
	})
}

func activateUser(c *call, user *User) *reply {
	return c.changeStanding(user, "active", func(u *User) string {
		if u.state != "active" && u.state != "deactivated" {
			return "A blocked user must be unblocked to be activated"
		}
		return ""
	})
}

// isDormant reports whether the user has been inactive for a long time. Without any
// activity, the time counts from the creation of the account.
func (u *User) isDormant(now time.Time) bool {
	last := u.lastActivity
	if last.IsZero() {
		last = u.createdAt
	}
	return now.Sub(last) > dormantAfter
}

// changeStanding sets the state of a user, unless problem returns a
// reason against it. The response says whether the state changed.
func (c *call) changeStanding(user *User, state string, problem func(*User) string) *reply {
	if text := problem(user); text != "" {
		return frame.Message(http.StatusForbidden, "403 Forbidden - "+text)
	}
	changed := user.state != state
	user.state, user.updatedAt = state, c.now()
	c.svc.touch(user)
	return c.Created(changed)
}

// barred says why the user may not call, or returns "".
func (u *User) barred() string {
	switch u.state {
	case "active":
		return ""
	case "deactivated":
		return "Your account has been deactivated."
	}
	return "Your account has been blocked."
}
