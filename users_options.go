package serviceapi

import (
	"net/url"
	"time"
)

// UserOrder is an order of the list of users.
type UserOrder string

// Orders of users. UsersByID is the default.
const (
	UsersByID        UserOrder = "id"
	UsersByName      UserOrder = "name"
	UsersByUsername  UserOrder = "username"
	UsersByCreatedAt UserOrder = "created_at"
	UsersByUpdatedAt UserOrder = "updated_at"
)

// TwoFactorFilter keeps users by their second factor.
type TwoFactorFilter string

// Values of the filter.
const (
	TwoFactorEnabled  TwoFactorFilter = "enabled"
	TwoFactorDisabled TwoFactorFilter = "disabled"
)

// CustomAttributeFilter selects users that have all of these values under these
// keys.
type CustomAttributeFilter map[string]string

// EncodeValues writes the filter into a query as custom_attributes[key]=value.
func (f CustomAttributeFilter) EncodeValues(name string, v *url.Values) error {
	for key, value := range f {
		v.Set(name+"["+key+"]", value)
	}
	return nil
}

// ListUsersOptions selects users. Filters add up. A filter that is true or
// absent cannot be turned around: to find those who are not blocked, ask for
// Active.
type ListUsersOptions struct {
	ListOptions
	// Search looks in names, user names and public email addresses.
	Search string `url:"search,omitempty"`
	// Username is the exact user name, in any case.
	Username string `url:"username,omitempty"`
	// Active, Blocked and External select accounts that are so.
	Active   bool `url:"active,omitempty"`
	Blocked  bool `url:"blocked,omitempty"`
	External bool `url:"external,omitempty"`
	// ExcludeInternal leaves out the service's own bots for alerts and support.
	ExcludeInternal bool `url:"exclude_internal,omitempty"`
	// ExcludeExternal leaves out external users.
	ExcludeExternal bool `url:"exclude_external,omitempty"`
	// WithoutProjectBots leaves out the users behind project access tokens.
	WithoutProjectBots bool `url:"without_project_bots,omitempty"`
	// ExternUID and Provider, given together, find the user of an account at
	// another provider.
	ExternUID string `url:"extern_uid,omitempty"`
	Provider  string `url:"provider,omitempty"`
	// CreatedBefore and CreatedAfter bound the time of creation.
	CreatedBefore time.Time `url:"created_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	CreatedAfter  time.Time `url:"created_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	// WithoutProjects selects users that have no project.
	WithoutProjects bool `url:"without_projects,omitempty"`
	// CustomAttributes selects users with these attributes.
	CustomAttributes CustomAttributeFilter `url:"custom_attributes,omitempty"`
	// WithCustomAttributes fills [User.CustomAttributes].
	WithCustomAttributes bool `url:"with_custom_attributes,omitempty"`

	// The fields from here on are for administrators.

	// OrderBy is [UsersByID] by default.
	OrderBy UserOrder `url:"order_by,omitempty"`
	// Sort is [SortAscending] or [SortDescending], which is the default.
	Sort SortDirection `url:"sort,omitempty"`
	// TwoFactor selects users that have, or have not, a second factor.
	TwoFactor TwoFactorFilter `url:"two_factor,omitempty"`
	// Admins selects administrators.
	Admins bool `url:"admins,omitempty"`
	// SAMLProviderID selects the users of a SAML provider. Premium.
	SAMLProviderID int64 `url:"saml_provider_id,omitempty"`
}

// GetUserOptions says what to tell about a user.
type GetUserOptions struct {
	// WithCustomAttributes fills [User.CustomAttributes].
	WithCustomAttributes bool `url:"with_custom_attributes,omitempty"`
}

// DeleteUserOptions says what becomes of a user's work.
type DeleteUserOptions struct {
	// HardDelete also deletes what the user contributed, which otherwise goes
	// to a placeholder account, and the groups that the user alone owns.
	HardDelete bool `url:"hard_delete,omitempty"`
}

// UserAttributes are what [CreateUserOptions] and [UpdateUserOptions] have in
// common. Nil leaves a field to its default, or as it is; empty texts clear.
type UserAttributes struct {
	// Avatar is a picture. With it the call is sent as multipart/form-data
	// instead of JSON.
	Avatar *Upload `json:"-" url:"avatar"`
	// Password is the one to sign in with. A user whose password was changed
	// must change it when signing in the next time.
	Password Secret `json:"password,omitzero"`
	// Admin makes an administrator. Default false.
	Admin *bool   `json:"admin,omitzero"`
	Bio   *string `json:"bio,omitzero"`
	// CanCreateGroup lets the user make top-level groups.
	CanCreateGroup *bool  `json:"can_create_group,omitzero"`
	ColorSchemeID  *int64 `json:"color_scheme_id,omitzero"`
	ThemeID        *int64 `json:"theme_id,omitzero"`
	// ExternUID and Provider, given together, name the account at another
	// provider with which the user signs in.
	ExternUID *string `json:"extern_uid,omitzero"`
	Provider  *string `json:"provider,omitzero"`
	// External makes an external user. Default false.
	External *bool `json:"external,omitzero"`
	// ExtraSharedRunnersMinutesLimit is in minutes, on top of the monthly ones.
	// Premium.
	ExtraSharedRunnersMinutesLimit *int64 `json:"extra_shared_runners_minutes_limit,omitzero"`
	// SharedRunnersMinutesLimit is in minutes a month: 0 is no limit, null the
	// default of the instance. Premium.
	SharedRunnersMinutesLimit Nullable[int64] `json:"shared_runners_minutes_limit,omitzero"`
	// GroupIDForSAML is the group whose SAML provider the identity is of.
	GroupIDForSAML *int64  `json:"group_id_for_saml,omitzero"`
	LinkedIn       *string `json:"linkedin,omitzero"`
	Skype          *string `json:"skype,omitzero"`
	Twitter        *string `json:"twitter,omitzero"`
	Location       *string `json:"location,omitzero"`
	Organization   *string `json:"organization,omitzero"`
	WebsiteURL     *string `json:"website_url,omitzero"`
	// Note is for administrators alone.
	Note *string `json:"note,omitzero"`
	// PrivateProfile hides the profile. Null is false, which is the default.
	PrivateProfile Nullable[bool] `json:"private_profile,omitzero"`
	// ProjectsLimit is how many personal projects the user may have.
	ProjectsLimit *int64 `json:"projects_limit,omitzero"`
	// ViewDiffsFileByFile shows the user one file of a diff at a time.
	ViewDiffsFileByFile *bool `json:"view_diffs_file_by_file,omitzero"`
}

// CreateUserOptions describes a user to make. One of Password, ResetPassword
// and ForceRandomPassword is required. The last two win over Password, and can
// be used together.
type CreateUserOptions struct {
	Email    string `json:"email"`
	Name     string `json:"name"`
	Username string `json:"username"`
	UserAttributes
	// ResetPassword sends the user a link to set a password. Default false.
	ResetPassword *bool `json:"reset_password,omitzero"`
	// ForceRandomPassword sets a password that nobody knows. Default false.
	ForceRandomPassword *bool `json:"force_random_password,omitzero"`
	// SkipConfirmation takes the email address as confirmed. Default false.
	SkipConfirmation *bool `json:"skip_confirmation,omitzero"`
}

// UpdateUserOptions are the changes to a user.
type UpdateUserOptions struct {
	Email    *string `json:"email,omitzero"`
	Name     *string `json:"name,omitzero"`
	Username *string `json:"username,omitzero"`
	UserAttributes
	// SkipReconfirmation takes a new email address as confirmed. Default false.
	SkipReconfirmation *bool `json:"skip_reconfirmation,omitzero"`
	// PublicEmail is the address that everybody sees. It must be one that the
	// user has confirmed.
	PublicEmail *string `json:"public_email,omitzero"`
}
