package servicetest

import (
	"cmp"
	"slices"

	"example.com/serviceapi/servicetest/internal/frame"
)

// publicUser has the members of a user that everybody sees.
type publicUser struct {
	userExtended

	Bot             bool   `json:"bot"`
	JobTitle        string `json:"job_title"`
	Pronouns        string `json:"pronouns"`
	WorkInformation string `json:"work_information"`
	Followers       int    `json:"followers"`
	Following       int    `json:"following"`
	LocalTime       string `json:"local_time"`
	IsFollowed      bool   `json:"is_followed"`

	*customAttributes
}

// ownUser has the members of a user that administrators and the user see.
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

// adminUser has the members of a user that administrators see.
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
	if c.Bool("with_custom_attributes", false) {
		view.customAttributes = u.attributes()
	}
	if c.admin() {
		return c.adminView(u, view)
	}
	return view
}

// userEntry returns the JSON of a user in a list.
func (c *call) userEntry(u *User) *encoded {
	attributes := c.Bool("with_custom_attributes", false)
	switch {
	case c.admin() && !attributes && !u.followedBy(c.user):
		// Only the time of day varies without a change of the user.
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
	return publicUser{
		userExtended: *u.extended(), Bot: u.bot, JobTitle: u.jobTitle, Pronouns: u.pronouns,
		WorkInformation: u.workInformation, Followers: len(u.followers), Following: len(u.follows),
		LocalTime: c.now().Format("3:04 PM"), IsFollowed: u.followedBy(c.user),
	}
}

// own returns what the user sees of the own account.
func (u *User) own(view publicUser) ownUser {
	return ownUser{
		publicUser: view, Email: u.email, CommitEmail: u.commitEmail,
		LastSignInAt: jsonTime(u.lastSignInAt), ConfirmedAt: jsonTime(u.confirmedAt), CurrentSignInAt: jsonTime(u.currentSignInAt),
		ThemeID: u.themeID, LastActivityOn: jsonDate(u.lastActivity), ColorSchemeID: u.colorSchemeID,
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
		Plan: "premium", SharedRunnersMinutesLimit: u.sharedMinutesLimit, ExtraSharedRunnersMinutesLimit: u.extraMinutesLimit,
		IsAuditor: u.auditor, UsingLicenseSeat: u.state == "active" && !u.bot && !u.internal,
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

// listOfAttributes returns custom attributes in the alphabetical order of their
// keys.
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

// firstPersonalNamespace is the first ID of personal namespaces, which must
// differ from the IDs of groups.
const firstPersonalNamespace = 1_000_000

func (u *User) namespaceID() int64 { return firstPersonalNamespace + u.id }
