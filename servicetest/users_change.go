package servicetest

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/serviceapi/servicetest/internal/frame"
)

var validUsername = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`)

func createUser(c *call) *reply {
	c.Require("email", "name", "username")
	reset, random := c.Bool("reset_password", false), c.Bool("force_random_password", false)
	if !reset && !random && c.Str("password") == "" {
		c.Problem("password, reset_password, force_random_password are missing, at least one parameter must be provided")
	}
	confirmed := c.Bool("skip_confirmation", false)
	username := c.Str("username")
	var draft User
	c.changeUser(&draft)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if problem := c.svc.userConflict(nil, &draft); problem != "" {
		return frame.Conflict(problem)
	}
	if refusal := draft.refuse(); refusal != nil {
		return refusal
	}
	if refusal := c.refusePassword(!reset && !random); refusal != nil {
		return refusal
	}
	user := c.svc.newUser(username, []UserOption{userOption(func(u *User) {
		c.changeUser(u)
		if reset || random {
			u.password = "" // nobody knows it
		}
		if !confirmed {
			u.confirmedAt = zeroTime
		}
	})})
	return c.Created(c.userView(user))
}

// updateUser changes a user. Conflicts get a 404 instead of a 409.
func updateUser(c *call) *reply {
	user, refusal := c.pathUser()
	if refusal != nil {
		return refusal
	}
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
	if refusal := edited.refuse(); refusal != nil {
		return refusal
	}
	if refusal := c.refusePassword(c.Has("password")); refusal != nil {
		return refusal
	}
	if edited.publicEmail != user.publicEmail && !edited.owns(edited.publicEmail) {
		return frame.FieldErrors("public_email", "is not an email you own")
	}
	if c.Has("commit_email") && !edited.commitsAs(c.Str("commit_email")) {
		return frame.FieldErrors("commit_email", "is not an email you own")
	}
	edited.updatedAt = c.now()
	*user = edited
	c.svc.touch(&user.stamp)
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

// refusePassword refuses a password that is too short, if it will be used.
func (c *call) refusePassword(used bool) *reply {
	if used && utf8.RuneCountInString(c.Str("password")) < minPassword {
		return frame.FieldErrors("password", "is too short (minimum is 8 characters)")
	}
	return nil
}

// changeEmails sets the email addresses of a modification.
func (c *call) changeEmails(user, edited *User) {
	skip := c.Bool("skip_reconfirmation", false)
	if edited.email != user.email {
		edited.confirmedAt = zeroTime
		if skip {
			edited.confirmedAt = c.now()
		}
		if user.commitEmail == user.email {
			edited.commitEmail = edited.email
		}
	}
	if c.Has("public_email") {
		edited.publicEmail = c.Str("public_email")
	}
}

// commitsAs sets the email address for commits: one that the user owns, or
// "_private" for the hidden address. It reports whether the address is valid.
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

// owns reports whether an email address is empty or a confirmed one of the
// user.
func (u *User) owns(address string) bool {
	return address == "" || strings.EqualFold(address, u.email) && !u.confirmedAt.IsZero()
}

// A parameter says which field a parameter sets.
type parameter[T any] struct {
	name string
	into *T
}

// changeUser applies the parameters that creating and modifying have in common.
func (c *call) changeUser(u *User) {
	for _, p := range []parameter[string]{
		{"email", &u.email}, {"name", &u.name}, {"username", &u.username}, {"password", &u.password}, {"bio", &u.bio}, {"linkedin", &u.linkedin},
		{"skype", &u.skype}, {"twitter", &u.twitter}, {"location", &u.location}, {"organization", &u.organization},
		{"website_url", &u.websiteURL}, {"note", &u.note},
	} {
		if c.Has(p.name) {
			*p.into = c.Str(p.name)
		}
	}
	for _, p := range []parameter[bool]{
		{"admin", &u.admin}, {"can_create_group", &u.canCreateGroup}, {"external", &u.external},
		{"private_profile", &u.privateProfile}, {"view_diffs_file_by_file", &u.viewFileByFile},
	} {
		if c.Has(p.name) {
			*p.into = c.Bool(p.name, false) // null means false
		}
	}
	if c.Has("auditor") && c.hasTier(Premium) {
		u.auditor = c.Bool("auditor", false)
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

// changeMinutes sets the limits of the Premium tier, which lower tiers ignore.
func (c *call) changeMinutes(u *User) {
	for _, p := range []parameter[*int64]{
		{"shared_runners_minutes_limit", &u.sharedMinutesLimit}, {"extra_shared_runners_minutes_limit", &u.extraMinutesLimit},
	} {
		if !c.Has(p.name) || !c.hasTier(Premium) {
			continue
		}
		if *p.into = nil; c.Str(p.name) != "" { // null and empty mean the default
			limit := c.Int64(p.name)
			*p.into = &limit
		}
	}
}

// changeIdentity adds an account at another provider, or replaces the one at
// the same provider.
func (c *call) changeIdentity(u *User) {
	made := identity{provider: c.Str("provider"), externUID: c.Str("extern_uid")}
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

// userConflict says which attribute of a user another one already has. user is
// nil for one who does not exist yet.
func (s *Service) userConflict(user, edited *User) string {
	for i := range s.users.len() {
		other := s.users.at(i)
		if other == user {
			continue
		}
		switch {
		case strings.EqualFold(other.email, edited.email):
			return "Email has already been taken"
		case strings.EqualFold(other.username, edited.username):
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

func deleteIdentity(c *call) *reply {
	user, refusal := c.pathUser()
	if refusal != nil {
		return refusal
	}
	at := slices.IndexFunc(user.identities, func(i identity) bool { return i.provider == c.PathText("provider") })
	if at < 0 {
		return frame.NotFound("Identity")
	}
	user.identities = slices.Delete(user.identities, at, at+1)
	c.svc.touch(&user.stamp)
	return c.NoContent()
}
