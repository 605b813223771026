package servicetest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/scim"
)

// scimReply returns a response with SCIM's media type.
func scimReply(status int, v any) *reply {
	return frame.JSONReply(status, v).Set("Content-Type", "application/scim+json")
}

// scimRefusal returns an error in SCIM's error schema. The kind (scimType) may
// be empty.
func scimRefusal(status int, kind, detail string) *reply {
	body := object{"schemas": []string{scim.ErrorSchema}, "status": fmt.Sprint(status), "detail": detail}
	if kind != "" {
		body["scimType"] = kind
	}
	return scimReply(status, body)
}

// scimWrong is the refusal of a bad request. The instance responds with 412, as the product does.
func (c *call) scimWrong(problem *scim.Problem) *reply {
	ofGroup := map[bool]int{true: http.StatusBadRequest, false: http.StatusPreconditionFailed}
	status := ofGroup[c.PathString("group_path") != ""]
	return scimRefusal(status, problem.Kind, problem.Detail)
}

// scimInstance returns the SCIM users of the instance. The credential is the token of the instance.
func (c *call) scimInstance() (*scimGroup, *reply) {
	if refusal := c.requireTier(Premium); refusal != nil {
		return nil, scimRefusal(http.StatusNotFound, "", "Not found")
	}
	if c.Request.Header.Get("Authorization") != "Bearer "+scimToken {
		return nil, scimRefusal(http.StatusUnauthorized, "", "Unauthorized")
	}
	return c.svc.scimUsers(nil), nil
}

// scimToken is the token with which the identity provider of the instance makes its calls.
const scimToken = "scim-token-of-the-instance"

// SCIMToken returns the token that provisions users of the whole instance, to be sent as a bearer
// token. It is no token of a user, and works nowhere else.
func (s *Service) SCIMToken() string {
	defer s.lock()()
	return scimToken
}

// scimGroup returns the SCIM users of the path's group, which the caller must own, or of the
// instance.
func (c *call) scimGroup() (*scimGroup, *reply) {
	path := c.PathString("group_path")
	if path == "" {
		return c.scimInstance()
	}
	group := c.svc.findGroup(path)
	if group == nil || !strings.EqualFold(group.fullPath(), path) || !c.svc.canSeeGroup(c.user, group) {
		return nil, scimRefusal(http.StatusNotFound, "", "Group not found")
	}
	if c.svc.groupLevel(c.user, group) < c.route.role {
		return nil, scimRefusal(http.StatusForbidden, "", "Only owners of the group may manage its users")
	}
	return c.svc.scimUsers(group), nil
}

// scimUser returns the user of the path.
func (c *call) scimUser() (*SCIMUser, *reply) {
	group, refusal := c.scimGroup()
	if refusal != nil {
		return nil, refusal
	}
	for _, u := range group.users {
		if u.id == c.PathString("id") {
			return u, nil
		}
	}
	return nil, scimRefusal(http.StatusNotFound, "", "User not found")
}

// listSCIMUsers returns a page by index, in the order of creation.
func listSCIMUsers(c *call, group *scimGroup) *reply {
	filter, problem := scim.ParseFilter(c.Query.Get("filter"))
	if problem != nil {
		return c.scimWrong(problem)
	}
	start, count := max(c.Int64("startIndex"), 1), int64(frame.DefaultPerPage)
	if c.Has("count") {
		count = min(max(c.Int64("count"), 0), frame.MaxPerPage)
	}
	if len(*c.Problems) > 0 {
		return c.scimWrong(&scim.Problem{Kind: "invalidValue", Detail: strings.Join(*c.Problems, ", ")})
	}
	list := scimList{Schemas: []string{scim.ListSchema}, StartIndex: int(start), Resources: []*scimObject{}}
	for _, u := range group.users {
		if !filter.Matches(u.id, &u.attributes) {
			continue
		}
		list.TotalResults++
		if n := int64(list.TotalResults); n >= start && n < start+count {
			list.Resources = append(list.Resources, c.scimObject(u))
		}
	}
	list.ItemsPerPage = len(list.Resources)
	return scimReply(http.StatusOK, list)
}

func getSCIMUser(c *call, u *SCIMUser) *reply { return scimReply(http.StatusOK, c.scimObject(u)) }

func createSCIMUser(c *call, group *scimGroup) *reply {
	var body struct {
		Schemas []string
		scim.User
	}
	body.Active = true
	if refusal := c.scimBody(&body, &body.Schemas, scim.UserSchema); refusal != nil {
		return refusal
	}
	if problem := body.Check(); problem != nil {
		return c.scimWrong(problem)
	}
	if problem := group.conflict(nil, &body.User); problem != "" {
		return scimRefusal(http.StatusConflict, "uniqueness", problem)
	}
	user := c.svc.accountFor(group.group, &body.User)
	if group.of(user) != nil {
		return scimRefusal(http.StatusConflict, "uniqueness",
			"The account with this email address is in the group already")
	}
	u := group.add(user, body.User)
	return scimReply(http.StatusCreated, c.scimObject(u)).Set("Location", c.scimLocation(u))
}

// patchSCIMUser applies all operations, or none if one fails.
func patchSCIMUser(c *call, u *SCIMUser) *reply {
	var body struct {
		Schemas    []string
		Operations []scim.Operation
	}
	if refusal := c.scimBody(&body, &body.Schemas, scim.PatchSchema); refusal != nil {
		return refusal
	}
	if len(body.Operations) == 0 {
		return c.scimWrong(&scim.Problem{Kind: "invalidValue", Detail: "Operations is empty"})
	}
	changed := u.attributes.Clone()
	for _, op := range body.Operations {
		if problem := op.Apply(&changed); problem != nil {
			return c.scimWrong(problem)
		}
	}
	if problem := changed.Check(); problem != nil {
		return c.scimWrong(problem)
	}
	if problem := u.group.conflict(u, &changed); problem != "" {
		return scimRefusal(http.StatusConflict, "uniqueness", problem)
	}
	u.change(changed)
	return c.NoContent()
}

func deleteSCIMUser(c *call, u *SCIMUser) *reply {
	u.remove()
	return c.NoContent()
}

// scimBody decodes the body. It must name its schema.
func (c *call) scimBody(into any, schemas *[]string, schema string) *reply {
	if err := json.Unmarshal(c.Body, into); err != nil {
		return c.scimWrong(&scim.Problem{Kind: "invalidSyntax", Detail: "The body is not what the schema says"})
	}
	for _, name := range *schemas {
		if strings.EqualFold(name, schema) {
			return nil
		}
	}
	return c.scimWrong(&scim.Problem{Kind: "invalidSyntax", Detail: "schemas does not hold " + schema})
}

// A SCIMUser is a user of a group or of the instance as an identity provider knows it.
// It belongs to an account of the service.
type SCIMUser struct {
	group             *scimGroup
	id                string
	user              *User
	attributes        scim.User
	created, modified time.Time
}

// scimGroup keeps the SCIM users of a group, or of the instance, in the order of their creation.
type scimGroup struct {
	svc   *Service
	group *Group // nil for the instance
	users []*SCIMUser
}

type scimState struct {
	groups map[*Group]*scimGroup
	last   int
}

// scimUsers returns the SCIM users of a group, or, for nil, of the instance.
func (s *Service) scimUsers(g *Group) *scimGroup {
	st := state[scimState](s)
	if st.groups[g] == nil {
		put(&st.groups, g, &scimGroup{svc: s, group: g})
	}
	known := st.groups[g]
	known.users = slices.DeleteFunc(known.users, func(u *SCIMUser) bool {
		_, exists := s.users.get(u.user.id)
		return !exists // the account was deleted
	})
	return known
}

// ProvisionSCIM adds an account with an external ID to the users of the group's
// identity provider, as a SCIM client would. The account becomes a Guest of the group
// unless it already has a role there.
func (g *Group) ProvisionSCIM(user *User, externalID string) *SCIMUser {
	defer g.svc.lock()()
	group := g.svc.scimUsers(g)
	a := scim.User{
		ExternalID: externalID, UserName: user.username, Active: true,
		Name:   scim.Name{Formatted: user.name},
		Emails: []scim.Email{{Value: user.email, Type: "work", Primary: true}},
	}
	if problem := group.conflict(nil, &a); problem != "" || group.of(user) != nil {
		g.svc.fail("%q is already a SCIM user of the group", user.username)
	}
	return group.add(user, a)
}

// SCIMUsers returns the users of the group's identity provider in the order of
// their creation.
func (g *Group) SCIMUsers() []*SCIMUser {
	defer g.svc.lock()()
	return slices.Clone(g.svc.scimUsers(g).users)
}

// ID returns the SCIM ID: "scim-1", "scim-2" and so on.
func (u *SCIMUser) ID() string { return u.id }

// User returns the user's account in the service.
func (u *SCIMUser) User() *User { return u.user }

// ExternalID returns the user's ID at the identity provider.
func (u *SCIMUser) ExternalID() string { return read(u.user.svc, &u.attributes.ExternalID) }

// UserName returns the user's name at the identity provider.
func (u *SCIMUser) UserName() string { return read(u.user.svc, &u.attributes.UserName) }

// Active reports whether the user has access to the group.
func (u *SCIMUser) Active() bool { return bool(read(u.user.svc, &u.attributes.Active)) }

// of returns the SCIM user of an account.
func (g *scimGroup) of(user *User) *SCIMUser {
	for _, u := range g.users {
		if u.user == user {
			return u
		}
	}
	return nil
}

// conflict says which attribute of a user another user than u already has.
func (g *scimGroup) conflict(u *SCIMUser, a *scim.User) string {
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

// accountFor returns the account with the user's email address, or a new one if
// there is none.
func (s *Service) accountFor(group *Group, a *scim.User) *User {
	for i := range s.users.len() {
		if u := s.users.at(i); strings.EqualFold(u.email, a.Email()) {
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
	options := []UserOption{Name(a.FullName()), Email(a.Email())}
	if group != nil {
		options = append(options, ProvisionedBy(group))
	}
	return s.newUser(username, options)
}

func (g *scimGroup) add(user *User, a scim.User) *SCIMUser {
	st := state[scimState](g.svc)
	st.last++
	u := &SCIMUser{group: g, id: fmt.Sprintf("scim-%d", st.last), user: user, created: g.svc.now()}
	g.users = append(g.users, u)
	u.change(a)
	return u
}

// change sets the attributes, and updates the access and the identity of the
// account.
func (u *SCIMUser) change(a scim.User) {
	svc, group := u.user.svc, u.group.group
	u.attributes, u.modified = a, svc.now()
	u.unlink()
	svc.touch(u.user)
	if group == nil {
		u.user.identities = append(u.user.identities, identity{"saml", a.ExternalID, 0})
		u.user.state = map[bool]string{true: "active", false: "blocked"}[bool(a.Active)]
		return
	}
	u.user.identities = append(u.user.identities, identity{"group_saml", a.ExternalID, group.id})
	svc.touch(group)
	_, isMember := group.members.get(u.user.id)
	switch {
	case !bool(a.Active) && isMember:
		group.members.remove(u.user.id)
	case bool(a.Active) && !isMember:
		svc.addMember(&group.members, u.user, Guest)
	}
}

// unlink removes the account's identity of the group, or of the instance.
func (u *SCIMUser) unlink() {
	u.user.identities = slices.DeleteFunc(u.user.identities, func(i identity) bool {
		if u.group.group == nil {
			return i.provider == "saml"
		}
		return i.provider == "group_saml" && i.samlProviderID == u.group.group.id
	})
}

// forget unties the account from the provider.
func (u *SCIMUser) forget() {
	u.group.users = slices.DeleteFunc(u.group.users, func(other *SCIMUser) bool { return other == u })
}

// remove removes the user from the group. The account remains. A user of the instance is blocked.
func (u *SCIMUser) remove() {
	if u.group.group == nil {
		blocked := u.attributes.Clone()
		blocked.Active = false
		u.change(blocked)
		return
	}
	u.forget()
	u.unlink()
	u.user.svc.touch(u.user)
	u.group.group.members.remove(u.user.id)
	u.user.svc.touch(u.group.group)
}

type scimList struct {
	Schemas      []string      `json:"schemas"`
	TotalResults int           `json:"totalResults"`
	StartIndex   int           `json:"startIndex"`
	ItemsPerPage int           `json:"itemsPerPage"`
	Resources    []*scimObject `json:"Resources"`
}

type scimObject struct {
	Schemas []string `json:"schemas"`
	ID      string   `json:"id"`
	scim.User
	Meta scimMeta `json:"meta"`
}

type scimMeta struct {
	ResourceType string   `json:"resourceType"`
	Created      jsonTime `json:"created"`
	LastModified jsonTime `json:"lastModified"`
	Location     string   `json:"location"`
}

func (c *call) scimObject(u *SCIMUser) *scimObject {
	return &scimObject{
		Schemas: []string{scim.UserSchema}, ID: u.id, User: u.attributes,
		Meta: scimMeta{"User", jsonTime(u.created), jsonTime(u.modified), c.scimLocation(u)},
	}
}

func (c *call) scimLocation(u *SCIMUser) string {
	home := "application"
	if u.group.group != nil {
		home = "groups/" + url.PathEscape(u.group.group.fullPath())
	}
	return c.base() + c.svc.settings.basePath + "/api/scim/v2/" + home + "/Users/" + url.PathEscape(u.id)
}
