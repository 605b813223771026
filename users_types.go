package serviceapi

import (
	"encoding/json"
	"strconv"
	"time"

	"example.com/serviceapi/internal/jsonx"
	jsonv2 "github.com/go-json-experiment/json"
)

// User is a user account. It has a [UserSummary] in it. Which other fields are set depends on
// the call and the caller:
//
//   - a list has none of them,
//   - [UsersService.Get], jobs, bridges and deployments add the profile, down to
//     IsFollowed,
//   - administrators see all fields, even in lists.
//
// Fields that are not set are "" if they are strings, and nil otherwise.
type User struct {
	UserSummary

	// CreatedAt is nil in lists of callers who are not administrators.
	CreatedAt *time.Time `json:"created_at"`
	Bio       string     `json:"bio"`
	Location  string     `json:"location"`
	// Skype is empty in newer releases, which have removed it.
	Skype        string `json:"skype"`
	LinkedIn     string `json:"linkedin"`
	Twitter      string `json:"twitter"`
	WebsiteURL   string `json:"website_url"`
	Organization string `json:"organization"`
	// Discord is the user's ID at Discord. Only in later releases.
	Discord string `json:"discord"`
	// GitHub is the user's name at GitHub. Only in later releases.
	GitHub string `json:"github"`
	// Bot reports whether the account belongs to a bot, nil in lists of callers who are not
	// administrators.
	Bot             *bool  `json:"bot"`
	JobTitle        string `json:"job_title"`
	Pronouns        string `json:"pronouns"`
	WorkInformation string `json:"work_information"`
	// Followers and Following are the numbers of users who follow the user and whom the
	// user follows, nil in lists of callers who are not administrators.
	Followers *int `json:"followers"`
	// Following is nil like Followers.
	Following *int `json:"following"`
	// LocalTime is the time of day at the user's location, formatted for display.
	LocalTime string `json:"local_time"`
	// IsFollowed reports whether the caller follows the user, nil in lists of
	// callers who are not administrators.
	IsFollowed *bool `json:"is_followed"`
	// PreferredLanguage is set by [UsersService.Current]. Since 17.x.
	PreferredLanguage string `json:"preferred_language"`

	Email       string `json:"email"`
	CommitEmail string `json:"commit_email"`
	// IsAdmin is nil if the caller is not an administrator.
	IsAdmin *bool `json:"is_admin"`
	// Note is a note of the administrators about the user.
	Note string `json:"note"`
	// ConfirmedAt is nil until the email address is confirmed, and if the caller is
	// not an administrator.
	ConfirmedAt *time.Time `json:"confirmed_at"`
	// LastSignInAt and CurrentSignInAt are nil until the user has signed in, and if
	// the caller is not an administrator.
	LastSignInAt *time.Time `json:"last_sign_in_at"`
	// CurrentSignInAt is nil like LastSignInAt.
	CurrentSignInAt *time.Time `json:"current_sign_in_at"`
	LastSignInIP    string     `json:"last_sign_in_ip"`
	CurrentSignInIP string     `json:"current_sign_in_ip"`
	// SignInCount is nil if the caller is not an administrator.
	SignInCount *int `json:"sign_in_count"`
	// LastActivityOn is the day of the user's last activity, nil if there was none,
	// and if the caller is not an administrator.
	LastActivityOn *Date `json:"last_activity_on"`
	// ThemeID and ColorSchemeID are nil if the caller is not an administrator.
	ThemeID *int64 `json:"theme_id"`
	// ColorSchemeID is nil like ThemeID.
	ColorSchemeID *int64 `json:"color_scheme_id"`
	// ProjectsLimit is the maximum number of the user's personal projects, nil if
	// the caller is not an administrator.
	ProjectsLimit *int `json:"projects_limit"`
	// Identities are the accounts at other providers that the user signs in with.
	Identities []*UserIdentity `json:"identities"`
	// CanCreateGroup reports whether the user may create top-level groups, nil if
	// the caller is not an administrator.
	CanCreateGroup *bool `json:"can_create_group"`
	// CanCreateProject reports whether the user may create personal projects, nil
	// if the caller is not an administrator.
	CanCreateProject *bool `json:"can_create_project"`
	// TwoFactorEnabled is nil if the caller is not an administrator.
	TwoFactorEnabled *bool `json:"two_factor_enabled"`
	// External reports whether the user sees only public projects and those that the user
	// is a member of. It is nil if the caller is not an administrator.
	External *bool `json:"external"`
	// PrivateProfile is nil if the caller is not an administrator.
	PrivateProfile *bool `json:"private_profile"`
	// NamespaceID is the ID of the user's own namespace, nil if the caller is not
	// an administrator.
	NamespaceID *int64 `json:"namespace_id"`
	// CreatedBy is the administrator who created the account, nil if the user signed up.
	// Since 15.6.
	CreatedBy *UserSummary `json:"created_by"`
	// SCIMIdentities are the accounts that were provisioned by SCIM. Since 16.1.
	SCIMIdentities []*UserSCIMIdentity `json:"scim_identities"`
	// EmailResetOfferedAt is when the user was offered a change of the email address, nil
	// if that never happened, and if the caller is not an administrator. Since 16.7.
	EmailResetOfferedAt *time.Time `json:"email_reset_offered_at"`
	// CanCreateOrganization is nil if the caller is not an administrator. Since
	// 17.x.
	CanCreateOrganization *bool `json:"can_create_organization"`

	// Plan and Trial exist in the enterprise edition, for administrators.
	Plan string `json:"plan"`
	// Trial is nil in the other edition, and if the caller is not an administrator.
	Trial *bool `json:"trial"`
	// SharedRunnersMinutesLimit is in minutes per month. 0 means no limit; nil
	// means the default of the instance, or that the caller is not an
	// administrator. Premium.
	SharedRunnersMinutesLimit *int64 `json:"shared_runners_minutes_limit"`
	// ExtraSharedRunnersMinutesLimit is in minutes, in addition to the monthly
	// ones, nil if there are none or the caller is not an administrator. Premium.
	ExtraSharedRunnersMinutesLimit *int64 `json:"extra_shared_runners_minutes_limit"`
	// IsAuditor reports whether the user may read everything, nil if the caller is
	// not an administrator. Premium.
	IsAuditor *bool `json:"is_auditor"`
	// UsingLicenseSeat reports whether the user occupies a seat of the license,
	// nil if the caller is not an administrator. Premium.
	UsingLicenseSeat *bool `json:"using_license_seat"`
	// ProvisionedByGroupID is the ID of the group whose identity provider created
	// the account, nil if there is none or the caller is not an administrator.
	// Premium.
	ProvisionedByGroupID *int64 `json:"provisioned_by_group_id"`
	// EnterpriseGroupID is the ID of the group that manages the account, and
	// EnterpriseGroupAssociatedAt says since when. They are nil if there is none or the caller is
	// not an administrator. Premium. Since about 16.x.
	EnterpriseGroupID           *int64     `json:"enterprise_group_id"`
	EnterpriseGroupAssociatedAt *time.Time `json:"enterprise_group_associated_at"`
	// HighestRole is the highest role that the user has anywhere, nil if there is none, in
	// lists, and if the caller is not an administrator.
	HighestRole *AccessLevel `json:"highest_role"`

	// CustomAttributes is nil unless WithCustomAttributes asked for them.
	CustomAttributes *CustomAttributes `json:"custom_attributes"`
}

// Ref identifies the user by ID, which stays the same if the user is renamed.
func (u *User) Ref() UserRef { return UserID(orZero(u).ID) }

// UserState is the state of an account.
type UserState string

// States of an account. UserStateLDAPBlocked accounts were blocked by the directory
// that they come from. UserStateDeactivated accounts become active when their user
// signs in. UserStateBlockedPendingApproval accounts wait for the approval of an
// administrator. The service may send others.
const (
	UserStateActive                 UserState = "active"
	UserStateBlocked                UserState = "blocked"
	UserStateLDAPBlocked            UserState = "ldap_blocked"
	UserStateDeactivated            UserState = "deactivated"
	UserStateBanned                 UserState = "banned"
	UserStateBlockedPendingApproval UserState = "blocked_pending_approval"
)

// UserIdentity is an account at another provider that a user signs in with.
type UserIdentity struct {
	// Provider is the name of the provider in the service's configuration, such as
	// "ldapmain" or "group_saml".
	Provider string `json:"provider"`
	// ExternUID is the provider's identifier for the user.
	ExternUID string `json:"extern_uid"`
	// SAMLProviderID is nil unless the provider is group_saml.
	SAMLProviderID *int64 `json:"saml_provider_id"`
}

// UserSCIMIdentity is an account that was provisioned by SCIM.
type UserSCIMIdentity struct {
	// ExternUID is the provider's identifier for the user.
	ExternUID string      `json:"extern_uid"`
	GroupID   SCIMGroupID `json:"group_id"`
	Active    bool        `json:"active"`
}

// SCIMGroupID identifies a group by the digits of its ID or by a name. The
// service sends it as a number or as a string. It is "" if there is none.
type SCIMGroupID string

// MarshalJSON encodes digits as a number, and "" as null.
func (id SCIMGroupID) MarshalJSON() ([]byte, error) {
	if id == "" {
		return []byte("null"), nil
	}
	if n, err := strconv.ParseInt(string(id), 10, 64); err == nil {
		return strconv.AppendInt(nil, n, 10), nil
	}
	return jsonv2.Marshal(string(id))
}

// UnmarshalJSON decodes a number, a string or null.
func (id *SCIMGroupID) UnmarshalJSON(data []byte) error {
	var number int64
	if !jsonx.IsString(data) && !jsonx.IsNull(data) {
		if err := jsonv2.Unmarshal(data, &number); err != nil {
			return err
		}
		*id = SCIMGroupID(strconv.FormatInt(number, 10))
		return nil
	}
	var text string
	err := jsonv2.Unmarshal(data, &text)
	*id = SCIMGroupID(text)
	return err
}

// CustomAttributes are keys and values that administrators attached to a user,
// a group or a project. The service does not document their JSON form. They are
// kept unchanged, and decoded if they have one of the two usual forms: a list
// of objects with key and value, or one object.
type CustomAttributes struct {
	// Values are the attributes by key, nil if the JSON has another form.
	Values map[string]string
	// Raw is the JSON as the service sent it, nil for null.
	Raw json.RawMessage
}

// UnmarshalJSON keeps any JSON, and decodes what it can of it.
func (a *CustomAttributes) UnmarshalJSON(data []byte) error {
	if *a = (CustomAttributes{}); jsonx.IsNull(data) {
		return nil
	}
	a.Raw = append(json.RawMessage(nil), data...)
	var list []struct {
		Key   string `json:"key"`
		Value string `json:"value"`
	}
	if jsonv2.Unmarshal(data, &list) == nil {
		a.Values = make(map[string]string, len(list))
		for _, attribute := range list {
			a.Values[attribute.Key] = attribute.Value
		}
		return nil
	}
	var object map[string]string
	if jsonv2.Unmarshal(data, &object) == nil {
		a.Values = object
	}
	return nil
}

// MarshalJSON returns the JSON unchanged. Without any, it encodes the Values as an object.
func (a CustomAttributes) MarshalJSON() ([]byte, error) {
	switch {
	case len(a.Raw) > 0:
		return a.Raw, nil
	case a.Values == nil:
		return []byte("null"), nil
	}
	return jsonv2.Marshal(a.Values, jsonv2.Deterministic(true))
}

// UserSummary is the short form of a user in other objects.
type UserSummary struct {
	ID       int64     `json:"id"`
	Name     string    `json:"name"`
	Username string    `json:"username"`
	State    UserState `json:"state"`
	// Locked reports whether the user cannot sign in after too many failed
	// attempts. Since about 16.x.
	Locked bool `json:"locked"`
	// PublicEmail is the email address that everyone can see, empty if there is none. Within
	// other objects, only later releases send it.
	PublicEmail string `json:"public_email"`
	// AvatarURL is empty if the user has no picture.
	AvatarURL string `json:"avatar_url"`
	WebURL    string `json:"web_url"`
}

// Ref identifies the user by ID, which stays the same if the user is renamed.
func (u *UserSummary) Ref() UserRef { return UserID(orZero(u).ID) }
