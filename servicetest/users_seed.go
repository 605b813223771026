package servicetest

import (
	"time"
)

// zeroTime stands for a time that is not set. In JSON, it is null.
var zeroTime time.Time

// Profile is a UserOption that sets a user's profile:
//
//	svc.User("ada", servicetest.Profile{Location: "London", JobTitle: "Analyst"})
type Profile struct {
	Bio, Location, Skype, LinkedIn, Twitter      string
	WebsiteURL, Organization, JobTitle, Pronouns string
	WorkInformation                              string
	// Private is whether the profile is hidden.
	Private bool
}

func (o Profile) applyUser(u *User) {
	u.bio, u.location, u.skype, u.linkedin, u.twitter = o.Bio, o.Location, o.Skype, o.LinkedIn, o.Twitter
	u.websiteURL, u.organization, u.jobTitle, u.pronouns = o.WebsiteURL, o.Organization, o.JobTitle, o.Pronouns
	u.workInformation, u.privateProfile = o.WorkInformation, o.Private
}

// ServiceBot makes a user that is a bot of the service itself, for alerts or
// support.
func ServiceBot() UserOption { return userOption(func(u *User) { u.internal = true }) }

// Auditor makes a user an auditor, as responses show it. It does not give more
// access.
func Auditor() UserOption { return userOption(func(u *User) { u.auditor = true }) }

// TwoFactor enables two-factor authentication for a user.
func TwoFactor() UserOption { return userOption(func(u *User) { u.twoFactor = true }) }

// Unconfirmed makes a user who has not confirmed the email address.
func Unconfirmed() UserOption { return userOption(func(u *User) { u.confirmedAt = zeroTime }) }

// AdminNote sets the note of administrators about a user.
func AdminNote(text string) UserOption { return userOption(func(u *User) { u.note = text }) }

// SignsInWith gives a user an identity at another provider, for example
// "ldapmain".
func SignsInWith(provider, externUID string) UserOption {
	return userOption(func(u *User) { u.identities = append(u.identities, identity{provider: provider, externUID: externUID}) })
}

// SAMLIdentity gives a user an identity at the identity provider of a group.
// Its saml_provider_id is the group's ID.
func SAMLIdentity(group *Group, externUID string) UserOption {
	return userOption(func(u *User) {
		u.identities = append(u.identities, identity{"group_saml", externUID, group.id})
	})
}

// ProvisionedBy sets the group whose identity provider created a user.
func ProvisionedBy(group *Group) UserOption {
	return userOption(func(u *User) { u.provisionedBy = group })
}

// CustomAttributeOption is the option that CustomAttribute returns.
type CustomAttributeOption struct{ key, value string }

// CustomAttribute gives a user, group or project a custom attribute.
func CustomAttribute(key, value string) CustomAttributeOption {
	return CustomAttributeOption{key, value}
}

func (o CustomAttributeOption) applyUser(u *User)       { o.addTo(&u.customAttributes) }
func (o CustomAttributeOption) applyGroup(g *Group)     { o.addTo(&g.attributes) }
func (o CustomAttributeOption) applyProject(p *Project) { o.addTo(&p.attributes) }

func (o CustomAttributeOption) addTo(attributes *map[string]string) {
	if *attributes == nil {
		*attributes = make(map[string]string)
	}
	(*attributes)[o.key] = o.value
}

// SignedIn records a sign-in of a user, at a time and from an IP address. The
// last of several is the current one.
func SignedIn(at time.Time, ip string) UserOption {
	return userOption(func(u *User) {
		u.lastSignInAt, u.lastSignInIP = u.currentSignInAt, u.currentSignInIP
		u.currentSignInAt, u.currentSignInIP = at, ip
		u.lastActivity = at
		u.signInCount++
	})
}

// FindUser returns the user with a username, which is not case-sensitive, or
// nil if there is none. It also finds users that were created through the API.
func (s *Service) FindUser(username string) *User {
	defer s.lock()()
	return s.findUser(username)
}

// Follow makes the user follow another one.
func (u *User) Follow(other *User) {
	defer u.svc.lock()()
	if !other.followedBy(u) {
		u.follows, other.followers = append(u.follows, other), append(other.followers, u)
	}
	u.svc.touch(&u.stamp)
	u.svc.touch(&other.stamp)
}

// Email returns the user's email address.
func (u *User) Email() string {
	defer u.svc.lock()()
	return u.email
}

// IsAdmin reports whether the user is an administrator.
func (u *User) IsAdmin() bool {
	defer u.svc.lock()()
	return u.admin
}

// Password returns the user's password, or "" if nobody knows it.
func (u *User) Password() string {
	defer u.svc.lock()()
	return u.password
}

// MustChangePassword reports whether the user must change the password when
// signing in, because somebody else changed it.
func (u *User) MustChangePassword() bool {
	defer u.svc.lock()()
	return u.mustChangePassword
}

// Avatar returns the file name of the uploaded picture, or "" if there is none.
func (u *User) Avatar() string {
	defer u.svc.lock()()
	return u.avatar
}

// Exists reports whether the user exists, that is, has not been deleted.
func (u *User) Exists() bool {
	defer u.svc.lock()()
	return !u.gone
}
