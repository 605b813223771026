package serviceapi

import (
	"encoding/json"
	"strconv"
	"time"

	"example.com/serviceapi/internal/jsonx"
	jsonv2 "github.com/go-json-experiment/json"
)

// User is a user account. Which fields are set depends on the call and the
// caller:
//
//   - a list has the fields of [UserSummary],
//   - [UsersService.Get] adds the public profile, down to IsFollowed,
//   - administrators see all fields, also in lists.
//
// Fields that are not set are "" if they are strings, and nil otherwise.
type User struct {
	UserProfile
	// Bot reports whether the account is that of a bot.
	Bot             *bool  `json:"bot"`
	JobTitle        string `json:"job_title"`
	Pronouns        string `json:"pronouns"`
	WorkInformation string `json:"work_information"`
	Followers       *int   `json:"followers"`
	Following       *int   `json:"following"`
	// LocalTime is the time of day at the user's location, formatted for display.
	LocalTime string `json:"local_time"`
	// IsFollowed reports whether the caller follows the user.
	IsFollowed *bool `json:"is_followed"`
	// PreferredLanguage is set by [UsersService.Current]. Since 17.x.
	PreferredLanguage string `json:"preferred_language"`

	Email       string `json:"email"`
	CommitEmail string `json:"commit_email"`
	IsAdmin     *bool  `json:"is_admin"`
	// Note is a note of the administrators about the user.
	Note string `json:"note"`
	// ConfirmedAt is nil until the email address is confirmed.
	ConfirmedAt *time.Time `json:"confirmed_at"`
	// LastSignInAt and CurrentSignInAt are nil until the user has signed in.
	LastSignInAt    *time.Time `json:"last_sign_in_at"`
	CurrentSignInAt *time.Time `json:"current_sign_in_at"`
	LastSignInIP    string     `json:"last_sign_in_ip"`
	CurrentSignInIP string     `json:"current_sign_in_ip"`
	SignInCount     *int       `json:"sign_in_count"`
	// LastActivityOn is the day of the user's last activity, nil if there was
	// none.
	LastActivityOn *Date  `json:"last_activity_on"`
	ThemeID        *int64 `json:"theme_id"`
	ColorSchemeID  *int64 `json:"color_scheme_id"`
	// ProjectsLimit is the maximum number of the user's personal projects.
	ProjectsLimit *int64 `json:"projects_limit"`
	// Identities are the accounts at other providers that the user signs in with.
	Identities       []UserIdentity `json:"identities"`
	CanCreateGroup   *bool          `json:"can_create_group"`
	CanCreateProject *bool          `json:"can_create_project"`
	TwoFactorEnabled *bool          `json:"two_factor_enabled"`
	// External users see only public projects and those that they are members of.
	External       *bool  `json:"external"`
	PrivateProfile *bool  `json:"private_profile"`
	NamespaceID    *int64 `json:"namespace_id"`
	// CreatedBy is the administrator who created the account, nil if the user did.
	// Since 15.6.
	CreatedBy *UserSummary `json:"created_by"`
	// SCIMIdentities are the accounts that were provisioned by SCIM. Since 16.1.
	SCIMIdentities []UserSCIMIdentity `json:"scim_identities"`
	// EmailResetOfferedAt is when the user was offered to change the email
	// address, nil if that never happened. Since 16.7.
	EmailResetOfferedAt *time.Time `json:"email_reset_offered_at"`
	// CanCreateOrganization is set since 17.x.
	CanCreateOrganization *bool `json:"can_create_organization"`

	// Plan and Trial exist in the enterprise edition.
	Plan  string `json:"plan"`
	Trial *bool  `json:"trial"`
	// SharedRunnersMinutesLimit is in minutes per month. 0 means no limit; nil
	// means the default of the instance. Premium.
	SharedRunnersMinutesLimit *int64 `json:"shared_runners_minutes_limit"`
	// ExtraSharedRunnersMinutesLimit is in minutes, in addition to the monthly
	// ones. Premium.
	ExtraSharedRunnersMinutesLimit *int64 `json:"extra_shared_runners_minutes_limit"`
	// IsAuditor reports whether the user may read everything. Premium.
	IsAuditor *bool `json:"is_auditor"`
	// UsingLicenseSeat reports whether the user occupies a seat of the license.
	// Premium.
	UsingLicenseSeat *bool `json:"using_license_seat"`
	// ProvisionedByGroupID is the ID of the group whose identity provider created
	// the account, nil if there is none. Premium.
	ProvisionedByGroupID *int64 `json:"provisioned_by_group_id"`

	// CustomAttributes is nil unless WithCustomAttributes asked for them.
	CustomAttributes *CustomAttributes `json:"custom_attributes"`
}

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
	// Provider is its name in the service's configuration, such as "ldapmain"
	// or "group_saml".
	Provider string `json:"provider"`
	// ExternUID is the provider's identifier for the user.
	ExternUID string `json:"extern_uid"`
	// SAMLProviderID is set only for the provider group_saml.
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
	// Raw is the JSON as the service sent it.
	Raw json.RawMessage
}

// UnmarshalJSON keeps any JSON, and decodes what it can of it.
func (a *CustomAttributes) UnmarshalJSON(data []byte) error {
	*a = CustomAttributes{Raw: append(json.RawMessage(nil), data...)}
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

// MarshalJSON returns the JSON unchanged.
func (a CustomAttributes) MarshalJSON() ([]byte, error) {
	if len(a.Raw) == 0 {
		return []byte("null"), nil
	}
	return a.Raw, nil
}
