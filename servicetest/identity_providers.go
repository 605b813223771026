package servicetest

import (
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/serviceapi/servicetest/internal/frame"
)

// A groupLink gives people elsewhere a role in a group of the service: those in a group of a
// directory, those whom a filter selects there, or those in a group of an identity provider.
type groupLink struct {
	group                  *Group
	saml                   bool
	name, filter, provider string
	level                  int64
	role                   *int64 // a custom role
}

// linkState keeps the links of all groups in the order of their creation, and the groups of the
// directories.
type linkState struct {
	links       []*groupLink
	directories []directoryGroup
}

type directoryGroup struct{ provider, name string }

// LDAPGroup adds a group to a directory, such as "ldapmain". The directory of the first group is
// the one that calls without a provider mean. Before there is a group, the service has no directory
// to synchronize members with.
func (s *Service) LDAPGroup(provider, name string) {
	defer s.lock()()
	st := state[linkState](s)
	st.directories = append(st.directories, directoryGroup{provider, name})
}

// json returns the JSON of a link.
func (l *groupLink) json() object {
	if l.saml {
		return object{
			"name": l.name, "access_level": l.level, "member_role_id": l.role, "provider": jsonText(l.provider),
		}
	}
	return object{
		"cn": jsonText(l.name), "filter": jsonText(l.filter), "provider": l.provider, "group_access": l.level,
		"member_role_id": l.role,
	}
}

// linksOf returns the links of a group of one kind that keep accepts, or all if it is nil.
func (s *Service) linksOf(group *Group, saml bool, keep func(*groupLink) bool) (found []*groupLink) {
	for _, l := range state[linkState](s).links {
		if l.group == group && l.saml == saml && (keep == nil || keep(l)) {
			found = append(found, l)
		}
	}
	return found
}

// link adds a link and returns it.
func (c *call) link(l *groupLink) *reply {
	st := state[linkState](c.svc)
	st.links = append(st.links, l)
	return c.Created(l.json())
}

// unlink removes a link.
func (c *call) unlink(l *groupLink) *reply {
	st := state[linkState](c.svc)
	st.links = slices.DeleteFunc(st.links, func(other *groupLink) bool { return other == l })
	return c.NoContent()
}

// linkedLevel reads the role of a link.
func (c *call) linkedLevel(name string) int64 {
	c.Require(name)
	return c.Int64In(name, "5", "10", "15", "20", "25", "30", "40", "50")
}

func listLDAPLinks(c *call, group *Group) *reply {
	found := c.svc.linksOf(group, false, nil)
	if len(found) == 0 {
		return frame.Message(http.StatusNotFound, "No linked LDAP groups found")
	}
	return c.OK(mapped(found, (*groupLink).json))
}

// oneOfCNAndFilter reads what a link to a directory is about.
func (c *call) oneOfCNAndFilter() (cn, filter string) {
	cn, filter = c.String("cn"), c.String("filter")
	switch {
	case cn == "" && filter == "":
		c.Problem("cn, filter are missing, exactly one parameter must be provided")
	case cn != "" && filter != "":
		c.Problem("cn, filter are mutually exclusive")
	}
	return cn, filter
}

func createLDAPLink(c *call, group *Group) *reply {
	made := &groupLink{group: group, role: c.Int64OrNil("member_role_id")}
	made.name, made.filter = c.oneOfCNAndFilter()
	made.level, made.provider = c.linkedLevel("group_access"), c.RequiredString("provider")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	field := map[bool]string{true: "Cn", false: "Filter"}[made.filter == ""]
	same := func(l *groupLink) bool {
		return l.provider == made.provider && l.name == made.name && l.filter == made.filter
	}
	switch {
	case utf8.RuneCountInString(made.filter) > 8192:
		return frame.Conflict("Filter is too long (maximum is 8192 characters)")
	case len(c.svc.linksOf(group, false, same)) > 0:
		return frame.Conflict(field + " has already been taken")
	}
	return c.link(made)
}

// deleteLDAPLink removes the link that the query names, or, in its deprecated forms, the path.
// Without a provider, that is the first link with the name.
func deleteLDAPLink(c *call, group *Group) *reply {
	cn, filter, provider := c.PathString("cn"), "", c.PathString("provider")
	if cn == "" {
		cn, filter = c.oneOfCNAndFilter()
		provider = c.RequiredString("provider")
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	found := c.svc.linksOf(group, false, func(l *groupLink) bool {
		return l.name == cn && l.filter == filter && (provider == "" || l.provider == provider)
	})
	if len(found) == 0 {
		return frame.Message(http.StatusNotFound, "Linked LDAP group not found")
	}
	return c.unlink(found[0])
}

// syncLDAP does nothing: the directories have no users.
func syncLDAP(c *call, _ *Group) *reply {
	if len(state[linkState](c.svc).directories) == 0 {
		return frame.NotFoundUnnamed()
	}
	return c.Accepted(http.StatusAccepted)
}

// listLDAPGroups returns at most 20 groups of a directory.
func listLDAPGroups(c *call) *reply {
	all := state[linkState](c.svc).directories
	provider, beginning := c.PathString("provider"), c.String("search")
	if provider == "" && len(all) > 0 {
		provider = all[0].provider
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	var found []directoryGroup
	for _, g := range all {
		if g.provider == provider && strings.HasPrefix(g.name, beginning) && len(found) < 20 {
			found = append(found, g)
		}
	}
	return c.OK(mapped(found, func(g directoryGroup) object { return object{"cn": g.name} }))
}

// samlHome returns the group of the path, if the caller owns it. Other callers get a 401.
func (c *call) samlHome() (*Group, *reply) {
	group, refusal := c.group()
	if refusal == nil && c.svc.groupLevel(c.user, group) < Owner {
		return nil, frame.Unauthorized()
	}
	return group, refusal
}

func listSAMLLinks(c *call, group *Group) *reply {
	return c.OK(mapped(c.svc.linksOf(group, true, nil), (*groupLink).json))
}

// samlLink returns the link of the path.
func (c *call) samlLink() (*groupLink, *reply) {
	group, refusal := c.samlHome()
	if refusal != nil {
		return nil, refusal
	}
	name, provider := c.PathString("saml_group_name"), c.String("provider")
	found := c.svc.linksOf(group, true, func(l *groupLink) bool {
		return l.name == name && (!c.Has("provider") || l.provider == provider)
	})
	switch len(found) {
	case 0:
		return nil, frame.NotFoundUnnamed()
	case 1:
		return found[0], nil
	}
	return nil, frame.Unprocessable("Multiple group links found with the same name. " +
		"Please specify a provider parameter to disambiguate.")
}

func (c *call) showLink(l *groupLink) *reply { return c.OK(l.json()) }

func createSAMLLink(c *call, group *Group) *reply {
	made := &groupLink{
		group: group, saml: true, name: c.RequiredString("saml_group_name"), level: c.linkedLevel("access_level"),
		role: c.Int64OrNil("member_role_id"), provider: c.String("provider"),
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	same := func(l *groupLink) bool { return l.name == made.name && l.provider == made.provider }
	switch {
	case utf8.RuneCountInString(made.name) > 255:
		return frame.Message(http.StatusBadRequest, "Saml group name is too long (maximum is 255 characters)")
	case len(c.svc.linksOf(group, true, same)) > 0:
		return frame.Message(http.StatusBadRequest, "Saml group name has already been taken")
	}
	return c.link(made)
}

// A providerIdentity is what ties a user to an identity provider: for SAML an identity of the
// account, for SCIM a user of the group.
type providerIdentity struct {
	user *User
	saml *identity
	scim *SCIMUser
}

func (i providerIdentity) externUID() string {
	if i.scim != nil {
		return i.scim.attributes.ExternalID
	}
	return i.saml.externUID
}

func (i providerIdentity) json() object {
	form := object{"extern_uid": i.externUID(), "user_id": i.user.id}
	if i.scim != nil {
		form["active"] = i.scim.attributes.Active
	}
	return form
}

// providerIdentities returns the identities of the group and of the kind in the path.
func (c *call) providerIdentities() (found []providerIdentity, refusal *reply) {
	group, refusal := c.group()
	if refusal != nil {
		return nil, refusal
	}
	if strings.Contains(c.route.template, "/scim/") {
		return mapped(c.svc.scimUsers(group).users, func(u *SCIMUser) providerIdentity {
			return providerIdentity{user: u.user, scim: u}
		}), nil
	}
	for _, u := range c.svc.users.all(nil) {
		for i := range u.identities {
			if u.identities[i].samlProviderID == group.id {
				found = append(found, providerIdentity{user: u, saml: &u.identities[i]})
			}
		}
	}
	return found, nil
}

func listProviderIdentities(c *call, found []providerIdentity) *reply {
	return c.OK(mapped(found, providerIdentity.json))
}

// providerIdentity returns the identity of the path.
func (c *call) providerIdentity() (found providerIdentity, refusal *reply) {
	all, refusal := c.providerIdentities()
	if refusal != nil {
		return found, refusal
	}
	at := slices.IndexFunc(all, func(i providerIdentity) bool { return i.externUID() == c.PathString("uid") })
	if at < 0 {
		return found, frame.NotFound("Identity")
	}
	return all[at], nil
}

func getProviderIdentity(c *call, found providerIdentity) *reply { return c.OK(found.json()) }

func updateProviderIdentity(c *call, found providerIdentity) *reply {
	wanted := c.RequiredString("extern_uid")
	others, _ := c.providerIdentities()
	hasIt := func(i providerIdentity) bool { return i != found && i.externUID() == wanted }
	switch refusal := c.Refusal(); {
	case refusal != nil:
		return refusal
	case slices.ContainsFunc(others, hasIt):
		return frame.Message(http.StatusBadRequest, "Extern uid has already been taken")
	}
	if found.scim != nil {
		changed := found.scim.attributes.Clone()
		changed.ExternalID = wanted
		found.scim.change(changed)
	} else {
		found.saml.externUID = wanted
		c.svc.touch(found.user)
	}
	return c.OK(found.json())
}

// deleteProviderIdentity unties a user, who stays a member of the group.
func deleteProviderIdentity(c *call, found providerIdentity) *reply {
	if found.scim != nil {
		found.scim.forget()
	} else {
		isGone := func(i identity) bool { return i == *found.saml }
		found.user.identities = slices.DeleteFunc(slices.Clone(found.user.identities), isGone)
		c.svc.touch(found.user)
	}
	return c.NoContent()
}
