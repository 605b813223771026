package servicetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A SCIMUser is a user of a group as the group's identity provider knows it.
// It belongs to an account of the service.
type SCIMUser struct {
	group             *scimGroup
	id                string
	user              *User
	attributes        scimAttributes
	created, modified time.Time
}

// scimAttributes are those that a client can set.
type scimAttributes struct {
	ExternalID  string      `json:"externalId,omitempty"`
	UserName    string      `json:"userName"`
	Name        scimName    `json:"name,omitzero"`
	DisplayName string      `json:"displayName,omitempty"`
	Emails      []scimEmail `json:"emails"`
	Active      scimBool    `json:"active"`
}

type scimName struct {
	Formatted       string `json:"formatted,omitempty"`
	FamilyName      string `json:"familyName,omitempty"`
	GivenName       string `json:"givenName,omitempty"`
	MiddleName      string `json:"middleName,omitempty"`
	HonorificPrefix string `json:"honorificPrefix,omitempty"`
	HonorificSuffix string `json:"honorificSuffix,omitempty"`
}

type scimEmail struct {
	Value   string   `json:"value"`
	Display string   `json:"display,omitempty"`
	Type    string   `json:"type,omitempty"`
	Primary scimBool `json:"primary,omitempty"`
}

// scimBool also reads "True" and "False", which some identity providers send.
type scimBool bool

func (b *scimBool) UnmarshalJSON(data []byte) error {
	switch strings.ToLower(string(bytes.Trim(data, `"`))) {
	case "true":
		*b = true
	case "false":
		*b = false
	default:
		return fmt.Errorf("%s is no boolean", data)
	}
	return nil
}

func (a *scimAttributes) clone() scimAttributes {
	copied := *a
	copied.Emails = slices.Clone(a.Emails)
	return copied
}

// problem says why attributes are not those of a user, "" if they are.
func (a *scimAttributes) problem() string {
	switch {
	case a.UserName == "":
		return "userName is missing"
	case a.email() == "":
		return "emails holds no address"
	}
	return ""
}

// email returns the primary address, or else the first.
func (a *scimAttributes) email() string {
	for _, email := range a.Emails {
		if email.Primary {
			return email.Value
		}
	}
	if len(a.Emails) == 0 {
		return ""
	}
	return a.Emails[0].Value
}

// fullName returns the name that an account gets.
func (a *scimAttributes) fullName() string {
	for _, name := range []string{a.Name.Formatted, strings.TrimSpace(a.Name.GivenName + " " + a.Name.FamilyName), a.DisplayName} {
		if name != "" {
			return name
		}
	}
	return a.UserName
}

// scimGroup keeps the users of a group in the order of their creation.
type scimGroup struct {
	group *Group
	users []*SCIMUser
}

type scimState struct {
	groups map[*Group]*scimGroup
	last   int
}

func (g *Group) scim() *scimGroup {
	st := state[scimState](g.svc)
	if st.groups == nil {
		st.groups = make(map[*Group]*scimGroup)
	}
	if st.groups[g] == nil {
		st.groups[g] = &scimGroup{group: g}
	}
	known := st.groups[g]
	known.users = slices.DeleteFunc(known.users, func(u *SCIMUser) bool {
		_, exists := g.svc.users.get(u.user.id)
		return !exists // the account was deleted
	})
	return known
}

// ProvisionSCIM makes an account a user of the group's identity provider, with
// an external id, as a SCIM client would. The account becomes a guest of the
// group unless it has a role there.
func (g *Group) ProvisionSCIM(user *User, externalID string) *SCIMUser {
	defer g.svc.lock()()
	group := g.scim()
	a := scimAttributes{
		ExternalID: externalID, UserName: user.username, Active: true,
		Name:   scimName{Formatted: user.name},
		Emails: []scimEmail{{Value: user.email, Type: "work", Primary: true}},
	}
	if problem := group.conflict(nil, &a); problem != "" || group.of(user) != nil {
		g.svc.fail("%q is a SCIM user of the group already", user.username)
	}
	return group.add(user, a)
}

// SCIMUsers returns the users of the group's identity provider in the order of
// their creation.
func (g *Group) SCIMUsers() []*SCIMUser {
	defer g.svc.lock()()
	return slices.Clone(g.scim().users)
}

// ID returns the SCIM id: "scim-1", "scim-2" and so on.
func (u *SCIMUser) ID() string { return u.id }

// User returns the account that the user belongs to.
func (u *SCIMUser) User() *User { return u.user }

// ExternalID returns the id that the identity provider gave the user.
func (u *SCIMUser) ExternalID() string {
	defer u.user.svc.lock()()
	return u.attributes.ExternalID
}

// UserName returns the user's name at the identity provider.
func (u *SCIMUser) UserName() string {
	defer u.user.svc.lock()()
	return u.attributes.UserName
}

// Active reports whether the user has access to the group.
func (u *SCIMUser) Active() bool {
	defer u.user.svc.lock()()
	return bool(u.attributes.Active)
}

// of returns the SCIM user of an account.
func (g *scimGroup) of(user *User) *SCIMUser {
	for _, u := range g.users {
		if u.user == user {
			return u
		}
	}
	return nil
}

// conflict says which attribute is taken by another user than u.
func (g *scimGroup) conflict(u *SCIMUser, a *scimAttributes) string {
	for _, other := range g.users {
		switch {
		case other == u:
		case strings.EqualFold(other.attributes.UserName, a.UserName):
			return "userName is taken"
		case a.ExternalID != "" && other.attributes.ExternalID == a.ExternalID:
			return "externalId is taken"
		}
	}
	return ""
}

// accountFor returns the account with the user's email address, a new one if
// there is none.
func (s *Service) accountFor(group *Group, a *scimAttributes) *User {
	for i := range s.users.len() {
		if u := s.users.at(i); strings.EqualFold(u.email, a.email()) {
			return u
		}
	}
	name, _, _ := strings.Cut(a.UserName, "@")
	if !validUsername.MatchString(name) {
		name = "user"
	}
	username := name
	for n := 1; s.findUser(username) != nil; n++ {
		username = fmt.Sprintf("%s%d", name, n)
	}
	return s.newUser(username, []UserOption{Name(a.fullName()), Email(a.email()), ProvisionedBy(group)})
}

func (g *scimGroup) add(user *User, a scimAttributes) *SCIMUser {
	svc := g.group.svc
	st := state[scimState](svc)
	st.last++
	u := &SCIMUser{group: g, id: fmt.Sprintf("scim-%d", st.last), user: user, created: svc.now()}
	g.users = append(g.users, u)
	u.change(a)
	return u
}

// change sets the attributes, and with them access and identity of the
// account.
func (u *SCIMUser) change(a scimAttributes) {
	svc, group := u.user.svc, u.group.group
	u.attributes, u.modified = a, svc.now()
	u.unlink()
	u.user.identities = append(u.user.identities, identity{"group_saml", a.ExternalID, group.id})
	svc.touch(&u.user.stamp)
	_, isMember := group.members.get(u.user.id)
	switch {
	case !bool(a.Active) && isMember:
		group.members.remove(u.user.id)
	case bool(a.Active) && !isMember:
		svc.addMember(&group.members, u.user, Guest)
	}
}

// unlink takes away the identity that belongs to the group.
func (u *SCIMUser) unlink() {
	u.user.identities = slices.DeleteFunc(u.user.identities, func(i identity) bool {
		return i.provider == "group_saml" && i.samlProviderID == u.group.group.id
	})
}

// remove takes the user out of the group. The account remains.
func (u *SCIMUser) remove() {
	u.group.users = slices.DeleteFunc(u.group.users, func(other *SCIMUser) bool { return other == u })
	u.unlink()
	u.user.svc.touch(&u.user.stamp)
	u.group.group.members.remove(u.user.id)
}

// A scimOperation is one operation of a patch.
type scimOperation struct {
	Op, Path string
	Value    json.RawMessage
}
