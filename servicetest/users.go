package servicetest

import (
	"cmp"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
)

// pathUser returns the user whose ID is in the path, as user_id if there is more than one ID.
func (c *call) pathUser() (*User, *reply) {
	name := "id"
	if _, ok := c.Path["user_id"]; ok {
		name = "user_id"
	}
	if user, ok := c.svc.users.get(c.PathInt64(name)); ok {
		return user, nil
	}
	return nil, frame.NotFound("User")
}

// currentUser returns the caller with all members that users see of their own account.
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

func getUser(c *call, user *User) *reply {
	view := c.userView(user)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if admin, ok := view.(adminUser); ok {
		return c.OK(ratedUser{admin, c.svc.highestRole(user)})
	}
	return c.OK(view)
}

// ratedUser is what administrators see of a single user.
type ratedUser struct {
	adminUser

	HighestRole *AccessLevel `json:"highest_role"`
}

// highestRole returns the highest role that a user has anywhere, or nil if there is none.
func (s *Service) highestRole(user *User) *AccessLevel {
	highest := NoAccess
	for _, g := range s.groups.all(nil) {
		highest = max(highest, s.groupMembership(user, g))
	}
	for _, p := range s.projects.all(nil) {
		highest = max(highest, s.projectMembership(user, p))
	}
	if highest == NoAccess {
		return nil
	}
	return &highest
}

func listUsers(c *call) *reply {
	keep := c.userFilters()
	by := c.StringIn("order_by", "id", "name", "username", "created_at", "updated_at")
	sort := c.StringIn("sort", "asc", "desc")
	frame.Accept(c.Bool, "with_custom_attributes")
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

// sortUsers sorts users, by default newest first.
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

// userFilters returns the filter that a call selects. Flags have an effect only if they
// are true, and filters for administrators only for them.
func (c *call) userFilters() func(*User) bool {
	attributes := c.byAttributes()
	filters := []func(*User) bool{
		c.byName(), c.byIdentity(), c.byCreation(),
		func(u *User) bool { return attributes(u.customAttributes) },
	}
	flag := func(name string, keep func(*User) bool) {
		if c.Bool(name) {
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
	flag("without_project_bots", func(u *User) bool { return !u.bot || u.accountOf != nil })
	flag("without_projects", func(u *User) bool { return !c.svc.hasProjects(u) })
	if c.admin() {
		flag("admins", func(u *User) bool { return u.admin })
		flag("auditors", func(u *User) bool { return u.auditor })
		flag("skip_ldap", func(u *User) bool { return !u.fromDirectory() })
		filters = append(filters, c.byTwoFactor(), c.bySAMLProvider())
	}
	return func(u *User) bool {
		return !slices.ContainsFunc(filters, func(keep func(*User) bool) bool { return keep != nil && !keep(u) })
	}
}

func (c *call) byName() func(*User) bool {
	search, username, email := strings.ToLower(c.String("search")), c.String("username"), c.String("public_email")
	return func(u *User) bool {
		if email != "" && !strings.EqualFold(u.publicEmail, email) {
			return false
		}
		if username != "" && !strings.EqualFold(u.username, username) {
			return false
		}
		return slices.ContainsFunc([]string{u.name, u.username, u.publicEmail}, func(text string) bool {
			return strings.Contains(strings.ToLower(text), search)
		})
	}
}

// fromDirectory reports whether a user signs in with a directory account.
func (u *User) fromDirectory() bool {
	return slices.ContainsFunc(u.identities, func(i identity) bool { return strings.HasPrefix(i.provider, "ldap") })
}

// byIdentity returns the filter by an account at another provider. It requires both
// parameters.
func (c *call) byIdentity() func(*User) bool {
	uid, provider := c.String("extern_uid"), c.String("provider")
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

func (c *call) byTwoFactor() func(*User) bool {
	asked := c.StringIn("two_factor", "enabled", "disabled")
	if asked == "" {
		return nil
	}
	return func(u *User) bool { return u.twoFactor == (asked == "enabled") }
}

// bySAMLProvider returns a filter of the Premium tier. Lower tiers ignore it.
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

// publicUser has the members of a user that everybody sees.
type publicUser struct {
	userExtended

	*customAttributes
}

// ownUser has the members of a user that only administrators and the user see.
type ownUser struct {
	publicUser

	Email            string         `json:"email"`
	CommitEmail      string         `json:"commit_email"`
	LastSignInAt     jsonTime       `json:"last_sign_in_at"`
	ConfirmedAt      jsonTime       `json:"confirmed_at"`
	CurrentSignInAt  jsonTime       `json:"current_sign_in_at"`
	ThemeID          int64          `json:"theme_id"`
	LastActivityOn   jsonDate       `json:"last_activity_on"`
	ColorSchemeID    int64          `json:"color_scheme_id"`
	ProjectsLimit    int64          `json:"projects_limit"`
	Identities       []userIdentity `json:"identities"`
	CanCreateGroup   bool           `json:"can_create_group"`
	CanCreateProject bool           `json:"can_create_project"`
	TwoFactorEnabled bool           `json:"two_factor_enabled"`
	External         bool           `json:"external"`
	PrivateProfile   bool           `json:"private_profile"`
}

// adminUser has the members of a user that only administrators see.
type adminUser struct {
	ownUser

	IsAdmin         bool     `json:"is_admin"`
	Note            string   `json:"note"`
	CurrentSignInIP jsonText `json:"current_sign_in_ip"`
	LastSignInIP    jsonText `json:"last_sign_in_ip"`
	SignInCount     int64    `json:"sign_in_count"`
	NamespaceID     int64    `json:"namespace_id"`

	*premiumUser
}

// premiumUser has the members that the Premium tier adds.
type premiumUser struct {
	Plan                           string `json:"plan"`
	Trial                          bool   `json:"trial"`
	SharedRunnersMinutesLimit      *int64 `json:"shared_runners_minutes_limit"`
	ExtraSharedRunnersMinutesLimit *int64 `json:"extra_shared_runners_minutes_limit"`
	IsAuditor                      bool   `json:"is_auditor"`
	UsingLicenseSeat               bool   `json:"using_license_seat"`
	ProvisionedByGroupID           *int64 `json:"provisioned_by_group_id"`
}

type userIdentity struct {
	Provider       string `json:"provider"`
	ExternUID      string `json:"extern_uid"`
	SAMLProviderID *int64 `json:"saml_provider_id,omitempty"`
}

type customAttributes struct {
	CustomAttributes []customAttribute `json:"custom_attributes"`
}

type customAttribute struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// userView returns the JSON of a user as the caller sees it.
func (c *call) userView(u *User) any {
	view := c.publicView(u)
	if c.Bool("with_custom_attributes") {
		view.customAttributes = u.attributes()
	}
	if c.admin() {
		return c.adminView(u, view)
	}
	return view
}

// userEntry returns the JSON of a user in a list.
func (c *call) userEntry(u *User) *encoded {
	attributes := c.Bool("with_custom_attributes")
	switch {
	case c.admin() && !attributes && !u.followedBy(c.user):
		// Only the time of day changes without a change of the user.
		minute := uint64(c.now().Unix() / 60)
		return u.cache.Get(u.Changed^minute<<24, func() any { return c.userView(u) })
	case c.admin():
		return &encoded{Data: frame.Encode(c.userView(u))}
	case attributes:
		return &encoded{Data: frame.Encode(struct {
			*userSummary
			*customAttributes
		}{u.summary(), u.attributes()})}
	}
	return &encoded{Data: frame.Encode(u.summary())}
}

func (c *call) publicView(u *User) publicUser {
	view := publicUser{userExtended: *u.extended()}
	view.IsFollowed = u.followedBy(c.user)
	return view
}

// own returns the view that users have of their own account.
func (u *User) own(view publicUser) ownUser {
	return ownUser{
		publicUser: view, Email: u.email, CommitEmail: u.commitEmail,
		LastSignInAt: jsonTime(u.lastSignInAt), ConfirmedAt: jsonTime(u.confirmedAt),
		CurrentSignInAt: jsonTime(u.currentSignInAt),
		ThemeID:         u.themeID, LastActivityOn: jsonDate(u.lastActivity), ColorSchemeID: u.colorSchemeID,
		ProjectsLimit: u.projectsLimit, Identities: u.identityObjects(),
		CanCreateGroup: u.canCreateGroup, CanCreateProject: u.projectsLimit > 0, TwoFactorEnabled: u.twoFactor,
		External: u.external, PrivateProfile: u.privateProfile,
	}
}

func (c *call) adminView(u *User, view publicUser) adminUser {
	admin := adminUser{
		ownUser: u.own(view), IsAdmin: u.admin, Note: u.note,
		CurrentSignInIP: jsonText(u.currentSignInIP), LastSignInIP: jsonText(u.lastSignInIP),
		SignInCount: u.signInCount, NamespaceID: u.namespaceID(),
	}
	if c.hasTier(Premium) {
		admin.premiumUser = u.premium(c.svc.settings.tier)
	}
	return admin
}

func (u *User) premium(tier Tier) *premiumUser {
	view := &premiumUser{
		Plan: "premium", SharedRunnersMinutesLimit: u.sharedMinutesLimit,
		ExtraSharedRunnersMinutesLimit: u.extraMinutesLimit,
		IsAuditor:                      u.auditor, UsingLicenseSeat: u.state == "active" && !u.bot && !u.internal,
	}
	if tier == Ultimate {
		view.Plan = "ultimate"
	}
	if u.provisionedBy != nil {
		view.ProvisionedByGroupID = &u.provisionedBy.id
	}
	return view
}

func (u *User) identityObjects() []userIdentity {
	objects := make([]userIdentity, 0, len(u.identities))
	for _, i := range u.identities {
		object := userIdentity{Provider: i.provider, ExternUID: i.externUID}
		if i.samlProviderID != 0 {
			object.SAMLProviderID = &i.samlProviderID
		}
		objects = append(objects, object)
	}
	return objects
}

func (u *User) attributes() *customAttributes {
	return &customAttributes{listOfAttributes(u.customAttributes)}
}

// listOfAttributes returns custom attributes sorted by key.
func listOfAttributes(attributes map[string]string) []customAttribute {
	list := make([]customAttribute, 0, len(attributes))
	for key, value := range attributes {
		list = append(list, customAttribute{key, value})
	}
	slices.SortFunc(list, func(a, b customAttribute) int { return cmp.Compare(a.Key, b.Key) })
	return list
}

// followedBy reports whether another user, who may be nil, follows this one.
func (u *User) followedBy(other *User) bool {
	return other != nil && slices.Contains(other.follows, u)
}

// firstPersonalNamespace is the first ID of a personal namespace. These IDs must differ
// from the IDs of groups.
const firstPersonalNamespace = 1_000_000

func (u *User) namespaceID() int64 { return firstPersonalNamespace + u.id }
