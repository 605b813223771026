package serviceapi

import (
	"encoding/json"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
)

// User is an account. How much of it the service tells depends on the call and
// on the caller:
//
//   - a list has the fields of [UserSummary],
//   - [UsersService.Get] adds the public profile, down to IsFollowed,
//   - administrators see all fields, in lists too.
//
// A text that the caller is not told is "", and everything else nil.
type User struct {
	UserProfile
	// Bot reports whether no person is behind the account.
	Bot             *bool  `json:"bot"`
	JobTitle        string `json:"job_title"`
	Pronouns        string `json:"pronouns"`
	WorkInformation string `json:"work_information"`
	Followers       *int64 `json:"followers"`
	Following       *int64 `json:"following"`
	// LocalTime is the time of day where the user is, as a text for readers.
	LocalTime string `json:"local_time"`
	// IsFollowed reports whether the caller follows the user.
	IsFollowed *bool `json:"is_followed"`

	// The fields from here on are for administrators.

	Email       string `json:"email"`
	CommitEmail string `json:"commit_email"`
	IsAdmin     *bool  `json:"is_admin"`
	// Note is what administrators wrote about the user.
	Note string `json:"note"`
	// ConfirmedAt is nil as long as the email address is not confirmed.
	ConfirmedAt *time.Time `json:"confirmed_at"`
	// LastSignInAt and CurrentSignInAt are nil before the user has signed in.
	LastSignInAt    *time.Time `json:"last_sign_in_at"`
	CurrentSignInAt *time.Time `json:"current_sign_in_at"`
	LastSignInIP    string     `json:"last_sign_in_ip"`
	CurrentSignInIP string     `json:"current_sign_in_ip"`
	SignInCount     *int64     `json:"sign_in_count"`
	// LastActivityOn is a day.
	LastActivityOn *Date  `json:"last_activity_on"`
	ThemeID        *int64 `json:"theme_id"`
	ColorSchemeID  *int64 `json:"color_scheme_id"`
	// ProjectsLimit is how many personal projects the user may have.
	ProjectsLimit *int64 `json:"projects_limit"`
	// Identities are the accounts at other providers with which the user signs
	// in.
	Identities       []UserIdentity `json:"identities"`
	CanCreateGroup   *bool          `json:"can_create_group"`
	CanCreateProject *bool          `json:"can_create_project"`
	TwoFactorEnabled *bool          `json:"two_factor_enabled"`
	// External users see only what they are a member of, and what is public.
	External       *bool  `json:"external"`
	PrivateProfile *bool  `json:"private_profile"`
	NamespaceID    *int64 `json:"namespace_id"`

	// Plan and Trial are of the enterprise edition.
	Plan  string `json:"plan"`
	Trial *bool  `json:"trial"`
	// SharedRunnersMinutesLimit is in minutes a month: 0 is no limit, nil the
	// default of the instance. Premium.
	SharedRunnersMinutesLimit *int64 `json:"shared_runners_minutes_limit"`
	// ExtraSharedRunnersMinutesLimit is in minutes, on top of the monthly ones.
	// Premium.
	ExtraSharedRunnersMinutesLimit *int64 `json:"extra_shared_runners_minutes_limit"`
	// IsAuditor users may read everything. Premium.
	IsAuditor *bool `json:"is_auditor"`
	// UsingLicenseSeat reports whether the user counts for the licence. Premium.
	UsingLicenseSeat *bool `json:"using_license_seat"`
	// ProvisionedByGroupID is the group whose identity provider made the
	// account, nil if none did. Premium.
	ProvisionedByGroupID *int64 `json:"provisioned_by_group_id"`

	// CustomAttributes is nil unless WithCustomAttributes asked for them.
	CustomAttributes *CustomAttributes `json:"custom_attributes"`
}

// UserState is the state of an account.
type UserState string

// States of an account. A running service may know
// more.
const (
	UserActive  UserState = "active"
	UserBlocked UserState = "blocked"
)

// UserIdentity is an account at another provider with which a user signs in.
type UserIdentity struct {
	// Provider is its name in the service's configuration, such as "ldapmain"
	// or "group_saml".
	Provider string `json:"provider"`
	// ExternUID is what the provider calls the user.
	ExternUID string `json:"extern_uid"`
	// SAMLProviderID is filled for the provider group_saml alone.
	SAMLProviderID *int64 `json:"saml_provider_id"`
}

// CustomAttributes are keys and values that administrators gave a user. The
// service does not say in which form it sends them, so they are kept as they
// came, and read where the form is one of the two that are usual: a list of
// objects with key and value, or one object.
type CustomAttributes struct {
	// Values are the attributes by their keys, nil if the form is another.
	Values map[string]string
	// Raw is the JSON that came.
	Raw json.RawMessage
}

// UnmarshalJSON keeps any JSON, and reads what it can of it.
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

// MarshalJSON returns what came.
func (a CustomAttributes) MarshalJSON() ([]byte, error) {
	if len(a.Raw) == 0 {
		return []byte("null"), nil
	}
	return a.Raw, nil
}
