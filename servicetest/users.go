package servicetest

import (
	"cmp"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
)

// pathUser returns the user of the path.
func (c *call) pathUser() (*User, *reply) {
	user, ok := c.svc.users.get(c.PathID("id"))
	if !ok {
		return nil, frame.NotFound("User")
	}
	return user, nil
}

// currentUser returns the caller, who sees more of the own account than others.
func currentUser(c *call) *reply {
	view := c.userView(c.user)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if public, ok := view.(publicUser); ok {
		return c.OK(c.user.own(public))
	}
	return c.OK(view)
}

func getUser(c *call) *reply {
	user, refusal := c.pathUser()
	if refusal != nil {
		return refusal
	}
	view := c.userView(user)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	return c.OK(view)
}

func listUsers(c *call) *reply {
	keep := c.userFilters()
	by := c.OneOf("order_by", "id", "name", "username", "created_at", "updated_at")
	sort := c.OneOf("sort", "asc", "desc")
	c.Bool("with_custom_attributes", false)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	found := c.svc.users.all(keep)
	if !c.admin() {
		by, sort = "id", "desc" // only administrators can choose the order
	}
	if c.WantsKeyset() {
		return frame.KeysetPage(c, frame.Keyset[*User]{
			OrderBy: "id", Sorts: []string{"asc", "desc"}, Param: "id_after", Items: found, JSON: c.userEntry,
			Key: func(u *User) string { return frame.Itoa(u.id) },
		})
	}
	sortUsers(found, by, sort)
	return c.Page(len(found), func(i int) *encoded { return c.userEntry(found[i]) })
}

// sortUsers sorts users, by default the newest first.
func sortUsers(users []*User, by, sort string) {
	slices.SortStableFunc(users, func(a, b *User) int {
		order := 0
		switch by {
		case "name":
			order = strings.Compare(a.name, b.name)
		case "username":
			order = strings.Compare(a.username, b.username)
		case "created_at":
			order = a.createdAt.Compare(b.createdAt)
		case "updated_at":
			order = a.updatedAt.Compare(b.updatedAt)
		}
		return cmp.Or(order, cmp.Compare(a.id, b.id))
	})
	if sort != "asc" {
		slices.Reverse(users)
	}
}

// userFilters returns the filter that a call asks for. For flags, only true has
// a meaning. Filters for administrators are ignored for others.
func (c *call) userFilters() func(*User) bool {
	filters := []func(*User) bool{c.byName(), c.byIdentity(), c.byCreation(), c.byAttributes()}
	flag := func(name string, keep func(*User) bool) {
		if c.Bool(name, false) {
			filters = append(filters, keep)
		}
	}
	flag("active", func(u *User) bool { return u.state == "active" })
	flag("blocked", func(u *User) bool { return u.state == "blocked" })
	flag("external", func(u *User) bool { return u.external })
	flag("exclude_active", func(u *User) bool { return u.state != "active" })
	flag("humans", func(u *User) bool { return !u.bot && !u.internal })
	flag("exclude_humans", func(u *User) bool { return u.bot || u.internal })
	flag("exclude_internal", func(u *User) bool { return !u.internal })
	flag("exclude_external", func(u *User) bool { return !u.external })
	flag("without_project_bots", func(u *User) bool { return !u.bot })
	flag("without_projects", func(u *User) bool { return !c.svc.hasProjects(u) })
	if c.admin() {
		flag("admins", func(u *User) bool { return u.admin })
		flag("auditors", func(u *User) bool { return u.auditor })
		flag("skip_ldap", func(u *User) bool { return !u.fromDirectory() })
		filters = append(filters, c.byTwoFactor(), c.bySAMLProvider())
	}
	return func(u *User) bool {
		for _, keep := range filters {
			if keep != nil && !keep(u) {
				return false
			}
		}
		return true
	}
}

func (c *call) byName() func(*User) bool {
	search, username, email := strings.ToLower(c.Str("search")), c.Str("username"), c.Str("public_email")
	return func(u *User) bool {
		if email != "" && !strings.EqualFold(u.publicEmail, email) {
			return false
		}
		if username != "" && !strings.EqualFold(u.username, username) {
			return false
		}
		for _, text := range []string{u.name, u.username, u.publicEmail} {
			if strings.Contains(strings.ToLower(text), search) {
				return true
			}
		}
		return false
	}
}

// fromDirectory reports whether a user signs in with an account of a directory.
func (u *User) fromDirectory() bool {
	return slices.ContainsFunc(u.identities, func(i identity) bool { return strings.HasPrefix(i.provider, "ldap") })
}

// byIdentity finds the user of an account at another provider. It requires both
// parameters.
func (c *call) byIdentity() func(*User) bool {
	uid, provider := c.Str("extern_uid"), c.Str("provider")
	if uid == "" && provider == "" {
		return nil
	}
	if uid == "" || provider == "" {
		c.Problem("extern_uid, provider provide all or none of parameters")
	}
	return func(u *User) bool {
		return slices.ContainsFunc(u.identities, func(i identity) bool {
			return i.provider == provider && i.externUID == uid
		})
	}
}

func (c *call) byCreation() func(*User) bool {
	before, after := c.Time("created_before"), c.Time("created_after")
	return func(u *User) bool {
		return (before.IsZero() || !u.createdAt.After(before)) && (after.IsZero() || !u.createdAt.Before(after))
	}
}

func (c *call) byAttributes() func(*User) bool {
	asked := c.Sub("custom_attributes")
	return func(u *User) bool {
		for key := range asked.Values {
			if value, ok := u.customAttributes[key]; !ok || value != asked.Str(key) {
				return false
			}
		}
		return true
	}
}

func (c *call) byTwoFactor() func(*User) bool {
	asked := c.OneOf("two_factor", "enabled", "disabled")
	if asked == "" {
		return nil
	}
	return func(u *User) bool { return u.twoFactor == (asked == "enabled") }
}

// bySAMLProvider is a filter of the Premium tier, which lower tiers ignore.
func (c *call) bySAMLProvider() func(*User) bool {
	id := c.Int64("saml_provider_id")
	if id == 0 || !c.hasTier(Premium) {
		return nil
	}
	return func(u *User) bool {
		return slices.ContainsFunc(u.identities, func(i identity) bool { return i.samlProviderID == id })
	}
}

// hasProjects reports whether a user is a member of any project, directly or
// through a parent group.
func (s *Service) hasProjects(user *User) bool {
	for i := range s.projects.len() {
		p := s.projects.at(i)
		if p.owner == user {
			return true
		}
		if _, member := p.members.get(user.id); member {
			return true
		}
		for g := p.group; g != nil; g = g.parent {
			if _, member := g.members.get(user.id); member {
				return true
			}
		}
	}
	return false
}
