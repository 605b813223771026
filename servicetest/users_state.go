package servicetest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A User is an account. Make one with Service.User.
type User struct {
	stamp

	svc      *Service
	id       int64
	username string
	name     string
	state    string // active, blocked, ldap_blocked, deactivated, banned or blocked_pending_approval
	password string

	admin, auditor, external, bot, internal bool

	email, publicEmail, commitEmail             string
	bio, location, skype, linkedin, twitter     string
	websiteURL, organization, jobTitle, discord string
	github                                      string
	pronouns, workInformation, note             string
	privateProfile, twoFactor, canCreateGroup   bool
	viewFileByFile                              bool
	themeID, colorSchemeID, projectsLimit       int64
	sharedMinutesLimit, extraMinutesLimit       *int64
	createdAt, updatedAt, confirmedAt           time.Time
	lastSignInAt, currentSignInAt, lastActivity time.Time
	signInCount                                 int64
	identities                                  []identity
	provisionedBy                               *Group
	customAttributes                            map[string]string
	currentSignInIP, lastSignInIP, avatar       string
	mustChangePassword                          bool
	follows, followers                          []*User

	accountOf        any    // owner of a service account: the *Service, a *Group or a *Project
	unconfirmedEmail string // waits to become email

	status      userStatus
	preferences userPreferences
	pin         supportPIN
	renewed     map[string]int // how often the tokens of feeds and of mail were

	gone bool  // the user was deleted
	heir *User // the placeholder for a deleted user; nil means nobody

	cache encoded // as administrators see the user
}

// An identity is an account of a user at an external provider.
type identity struct {
	provider, externUID string
	samlProviderID      int64 // 0 means none
}

// A UserOption sets a property of a user. CreatedAt, ID, Name and a Profile are
// UserOptions, too.
type UserOption interface{ applyUser(u *User) }

type userOption func(*User)

func (f userOption) applyUser(u *User) { f(u) }

// Admin makes a user an administrator.
func Admin() UserOption { return userOption(func(u *User) { u.admin = true }) }

// Blocked makes a blocked user. All calls of the user get a 403.
func Blocked() UserOption { return userOption(func(u *User) { u.state = "blocked" }) }

// External makes an external user, who cannot see internal projects.
func External() UserOption { return userOption(func(u *User) { u.external = true }) }

// Bot makes a user that is the bot of a project.
func Bot() UserOption { return userOption(func(u *User) { u.bot = true }) }

// Email sets a user's email address. The default is the username at
// example.com.
func Email(address string) UserOption { return userOption(func(u *User) { u.email = address }) }

// ServiceAccountOf makes a user that is a service account of a project or a group. Use
// the API for service accounts of the instance.
func ServiceAccountOf[H *Project | *Group](home H) UserOption {
	return userOption(func(u *User) { u.bot, u.accountOf = true, home })
}

// PublicEmail sets the email address that a user makes public. By default, there is
// none.
func PublicEmail(address string) UserOption {
	return userOption(func(u *User) { u.publicEmail = address })
}

// Password sets a user's password, for basic authentication.
func Password(password string) UserOption {
	return userOption(func(u *User) { u.password = password })
}

// User makes a user. By default, the name for the username "ada" is "Ada". If the user
// exists, the options are applied to it.
func (s *Service) User(username string, opts ...UserOption) *User {
	if s.tb != nil {
		s.tb.Helper()
	}
	defer s.lock()()
	if u := s.findUser(username); u != nil {
		applyAgain(s, &u.id, "a user "+strconv.Quote(username), func() {
			apply(u, opts, UserOption.applyUser)
		})
		s.touch(u)
		return u
	}
	return s.newUser(username, opts)
}

func (s *Service) newUser(username string, opts []UserOption) *User {
	now := s.now()
	u := &User{
		svc: s, username: username, name: titled(username), state: "active",
		email: username + "@example.com", canCreateGroup: true, projectsLimit: 100_000,
		themeID: 1, colorSchemeID: 1, createdAt: now, updatedAt: now, confirmedAt: now,
	}
	apply(u, opts, UserOption.applyUser)
	u.commitEmail = u.email
	seed(s, &s.users, &u.id, u, "a user")
	s.touch(u)
	return u
}

// findUser returns the user with an ID or a username, which is not
// case-sensitive, or nil if there is none.
func (s *Service) findUser(name string) *User {
	if id, err := strconv.ParseInt(name, 10, 64); err == nil {
		if u, ok := s.users.get(id); ok {
			return u
		}
	}
	for i := range s.users.len() {
		if u := s.users.at(i); strings.EqualFold(u.username, name) {
			return u
		}
	}
	return nil
}

// ID returns the user's ID.
func (u *User) ID() int64 { return u.id }

// Username returns the user's login name.
func (u *User) Username() string { return read(u.svc, &u.username) }

// State returns active, blocked, ldap_blocked, deactivated, banned or
// blocked_pending_approval.
func (u *User) State() string { return read(u.svc, &u.state) }

// Block blocks the user. All later calls of the user get a 403.
func (u *User) Block() { u.setState("blocked") }

// Unblock undoes Block.
func (u *User) Unblock() { u.setState("active") }

func (u *User) setState(state string) {
	defer u.svc.lock()()
	u.state = state
	u.svc.touch(u)
}

// userSummary is the short JSON of a user in other objects.
type userSummary struct {
	ID        int64  `json:"id"`
	Name      string `json:"name"`
	Username  string `json:"username"`
	State     string `json:"state"`
	AvatarURL string `json:"avatar_url"`
	WebURL    string `json:"web_url"`
}

// shown returns the user to show in objects: for a deleted user, the placeholder or
// nil.
func (u *User) shown() *User {
	if u != nil && u.gone {
		return u.heir
	}
	return u
}

// summary returns the short JSON. Without a user it is nil, which means null.
func (u *User) summary() *userSummary {
	u = u.shown()
	if u == nil {
		return nil
	}
	return &userSummary{
		ID: u.id, Name: u.name, Username: u.username, State: u.state,
		AvatarURL: u.svc.webURL("uploads/-/system/user/avatar", strconv.FormatInt(u.id, 10),
			either(u.avatar, "avatar.png")),
		WebURL: u.svc.webURL(u.username),
	}
}

// userExtended is the JSON of a user in jobs and deployments.
type userExtended struct {
	userSummary

	CreatedAt    jsonTime `json:"created_at"`
	Bio          jsonText `json:"bio"`
	Location     jsonText `json:"location"`
	PublicEmail  string   `json:"public_email"`
	Skype        string   `json:"skype"`
	LinkedIn     string   `json:"linkedin"`
	Twitter      string   `json:"twitter"`
	WebsiteURL   string   `json:"website_url"`
	Organization jsonText `json:"organization"`
	Discord      string   `json:"discord"`
	GitHub       string   `json:"github"`

	Bot             bool   `json:"bot"`
	JobTitle        string `json:"job_title"`
	Pronouns        string `json:"pronouns"`
	WorkInformation string `json:"work_information"`
	Followers       int    `json:"followers"`
	Following       int    `json:"following"`
	LocalTime       string `json:"local_time"`
	// IsFollowed depends on the caller, so jobs do not have it.
	IsFollowed bool `json:"is_followed"`
}

// extended returns the JSON for jobs and deployments. The time of day is the time of
// the last change of the record around it. Without a user it is nil, which means null.
func (u *User) extended() *userExtended {
	u = u.shown()
	if u == nil {
		return nil
	}
	return &userExtended{
		userSummary: *u.summary(), CreatedAt: jsonTime(u.createdAt),
		Bio: jsonText(u.bio), Location: jsonText(u.location), PublicEmail: u.publicEmail,
		Skype: u.skype, LinkedIn: u.linkedin, Twitter: u.twitter,
		WebsiteURL: u.websiteURL, Organization: jsonText(u.organization), Discord: u.discord, GitHub: u.github,
		Bot: u.bot, JobTitle: u.jobTitle, Pronouns: u.pronouns, WorkInformation: u.workInformation,
		Followers: len(u.followers), Following: len(u.follows), LocalTime: u.svc.now().Format("3:04 PM"),
	}
}

// changedAt returns the stamp of a user who may be nil.
func (u *User) changedAt() uint64 {
	if u == nil {
		return 0
	}
	return u.Changed
}

// titled derives a display name from a username or path.
func titled(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' || r == '.' })
	for i, word := range words {
		words[i] = strings.ToUpper(word[:1]) + word[1:]
	}
	if len(words) == 0 {
		return fmt.Sprintf("%q", name)
	}
	return strings.Join(words, " ")
}

// zeroTime is a time that is not set. In JSON, it is null.
var zeroTime time.Time

// Profile is a UserOption that sets a user's profile:
//
//	svc.User("ada", servicetest.Profile{Location: "London", JobTitle: "Analyst"})
type Profile struct {
	Bio, Location, Skype, LinkedIn, Twitter      string
	WebsiteURL, Organization, JobTitle, Pronouns string
	WorkInformation, Discord, GitHub             string
	// Private hides the profile.
	Private bool
}

func (o Profile) applyUser(u *User) {
	u.bio, u.location, u.skype, u.linkedin, u.twitter = o.Bio, o.Location, o.Skype, o.LinkedIn, o.Twitter
	u.websiteURL, u.organization, u.jobTitle, u.pronouns = o.WebsiteURL, o.Organization, o.JobTitle, o.Pronouns
	u.workInformation, u.discord, u.github, u.privateProfile = o.WorkInformation, o.Discord, o.GitHub, o.Private
}

// ServiceBot makes a bot of the service itself, for example for alerts or support.
func ServiceBot() UserOption { return userOption(func(u *User) { u.internal = true }) }

// Auditor makes responses show a user as an auditor. It does not give the user more access.
func Auditor() UserOption { return userOption(func(u *User) { u.auditor = true }) }

// TwoFactor enables two-factor authentication for a user.
func TwoFactor() UserOption { return userOption(func(u *User) { u.twoFactor = true }) }

// Unconfirmed makes a user without a confirmed email address.
func Unconfirmed() UserOption { return userOption(func(u *User) { u.confirmedAt = zeroTime }) }

// AdminNote sets the note about a user that only administrators see.
func AdminNote(text string) UserOption { return userOption(func(u *User) { u.note = text }) }

// SignsInWith gives a user an identity at another provider, for example
// "ldapmain".
func SignsInWith(provider, externUID string) UserOption {
	return userOption(func(u *User) {
		u.identities = append(u.identities, identity{provider: provider, externUID: externUID})
	})
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

func (o CustomAttributeOption) addTo(attributes *map[string]string) { put(attributes, o.key, o.value) }

// SignedIn records a sign-in of a user, at a time and from an IP address. The last one
// that is given is the current one.
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
	u.follow(other)
}

func (u *User) follow(other *User) {
	if !other.followedBy(u) {
		u.follows, other.followers = append(u.follows, other), append(other.followers, u)
	}
	u.svc.touch(u)
	u.svc.touch(other)
}

func (u *User) unfollow(other *User) {
	u.follows = slices.DeleteFunc(u.follows, func(o *User) bool { return o == other })
	other.followers = slices.DeleteFunc(other.followers, func(o *User) bool { return o == u })
	u.svc.touch(u)
	u.svc.touch(other)
}

// Email returns the user's email address.
func (u *User) Email() string { return read(u.svc, &u.email) }

// IsAdmin reports whether the user is an administrator.
func (u *User) IsAdmin() bool { return read(u.svc, &u.admin) }

// Password returns the user's password, or "" if nobody knows it.
func (u *User) Password() string { return read(u.svc, &u.password) }

// MustChangePassword reports whether the user must change the password when signing in,
// because somebody else has set it.
func (u *User) MustChangePassword() bool { return read(u.svc, &u.mustChangePassword) }

// Avatar returns the file name of the uploaded picture, or "" if there is none.
func (u *User) Avatar() string { return read(u.svc, &u.avatar) }

// Exists reports whether the user exists, that is, has not been deleted.
func (u *User) Exists() bool {
	defer u.svc.lock()()
	return !u.gone
}
