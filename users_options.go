package serviceapi

import (
	"net/url"
	"time"
)

// UserOrderBy is an order of the list of users.
type UserOrderBy string

// Orders of users. UserOrderByID is the default.
const (
	UserOrderByID        UserOrderBy = "id"
	UserOrderByName      UserOrderBy = "name"
	UserOrderByUsername  UserOrderBy = "username"
	UserOrderByCreatedAt UserOrderBy = "created_at"
	UserOrderByUpdatedAt UserOrderBy = "updated_at"
)

// TwoFactorFilter selects users by whether they use two-factor authentication.
type TwoFactorFilter string

// Values of a [TwoFactorFilter].
const (
	TwoFactorFilterEnabled  TwoFactorFilter = "enabled"
	TwoFactorFilterDisabled TwoFactorFilter = "disabled"
)

// CustomAttributeFilter selects users who have all of these attributes, by key.
type CustomAttributeFilter map[string]string

// EncodeValues writes the filter into a query as custom_attributes[key]=value.
func (f CustomAttributeFilter) EncodeValues(name string, v *url.Values) error {
	for key, value := range f {
		v.Set(name+"["+key+"]", value)
	}
	return nil
}

// ListUsersOptions selects users. All filters must match. Boolean filters can
// be set or left out, but not negated: to find users who are not blocked, set
// Active. The fields from TwoFactor on are only for administrators.
type ListUsersOptions struct {
	ListOptions
	// Search searches names, usernames and public email addresses.
	Search string `url:"search,omitempty"`
	// Username is the exact username. It is not case-sensitive.
	Username string `url:"username,omitempty"`
	// Active, Blocked and External select users with that property.
	Active   bool `url:"active,omitempty"`
	Blocked  bool `url:"blocked,omitempty"`
	External bool `url:"external,omitempty"`
	// ExcludeInternal excludes the internal bots of the service for alerts and
	// support.
	ExcludeInternal bool `url:"exclude_internal,omitempty"`
	// ExcludeExternal excludes external users.
	ExcludeExternal bool `url:"exclude_external,omitempty"`
	// ExcludeActive excludes active users, since about 16.x.
	ExcludeActive bool `url:"exclude_active,omitempty"`
	// Humans selects, and ExcludeHumans excludes, accounts that are neither bots
	// nor internal, since about 16.x.
	Humans        bool `url:"humans,omitempty"`
	ExcludeHumans bool `url:"exclude_humans,omitempty"`
	// PublicEmail is the exact public email address, since about 16.x.
	PublicEmail string `url:"public_email,omitempty"`
	// WithoutProjectBots excludes the users behind project access tokens.
	WithoutProjectBots bool `url:"without_project_bots,omitempty"`
	// ExternUID and Provider, set together, select the user of an account at
	// another provider.
	ExternUID string `url:"extern_uid,omitempty"`
	Provider  string `url:"provider,omitempty"`
	// CreatedBefore and CreatedAfter limit the time of creation.
	CreatedBefore time.Time `url:"created_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	CreatedAfter  time.Time `url:"created_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	// WithoutProjects selects users that have no project.
	WithoutProjects bool `url:"without_projects,omitempty"`
	// CustomAttributes selects users with these attributes.
	CustomAttributes CustomAttributeFilter `url:"custom_attributes,omitempty"`
	// WithCustomAttributes sets [User.CustomAttributes].
	WithCustomAttributes bool `url:"with_custom_attributes,omitempty"`
	// Pagination is [PaginationOffset] by default. [PaginationKeyset] exists since
	// 16.5; since 17.0 a list of more than 50,000 users requires it. It implies
	// OrderBy [UserOrderByID] and Sort [SortDescending] if they are empty.
	Pagination Pagination `url:"pagination,omitempty"`
	// Sort is [SortDescending] by default. Without keyset pagination, OrderBy and
	// Sort are only for administrators.
	Sort Sort `url:"sort,omitempty" keyset:"desc,asc"`
	// OrderBy is [UserOrderByID] by default.
	OrderBy UserOrderBy `url:"order_by,omitempty" keyset:"id,name,username,created_at,updated_at"`

	// TwoFactor selects users with or without two-factor authentication.
	TwoFactor TwoFactorFilter `url:"two_factor,omitempty"`
	// Auditors selects auditors, since 16.2. Premium.
	Auditors bool `url:"auditors,omitempty"`
	// SkipLDAP excludes users from a directory. Since a release after 15.2.
	SkipLDAP bool `url:"skip_ldap,omitempty"`
	// Admins selects administrators.
	Admins bool `url:"admins,omitempty"`
	// SAMLProviderID selects the users of a SAML provider. Premium. It was removed
	// in 18.2.
	SAMLProviderID int64 `url:"saml_provider_id,omitempty"`
}

// GetUserOptions selects what is returned about a user.
type GetUserOptions struct {
	// WithCustomAttributes sets [User.CustomAttributes].
	WithCustomAttributes bool `url:"with_custom_attributes,omitempty"`
}

// DeleteUserOptions says what happens to a user's contributions.
type DeleteUserOptions struct {
	// HardDelete also deletes the user's contributions, which are otherwise moved
	// to a placeholder account, and the groups that only this user owns.
	HardDelete bool `url:"hard_delete,omitempty"`
}

// CreateUserOptions describes a new user. Email, Name, Username and one of
// Password, ResetPassword and ForceRandomPassword are required. The latter two
// take precedence over Password, and can be used together. Nil fields have
// their default value.
type CreateUserOptions struct {
	Email    string `json:"email"`
	Name     string `json:"name"`
	Username string `json:"username"`
	// Password is the password to sign in with. One of Password, ResetPassword
	// and ForceRandomPassword is required.
	Password Secret `json:"password,omitzero"`
	// ResetPassword sends the user a link to set a password. Nil means false.
	ResetPassword *bool `json:"reset_password,omitzero"`
	// ForceRandomPassword sets a random password that no one knows. Nil means
	// false.
	ForceRandomPassword *bool `json:"force_random_password,omitzero"`
	// SkipConfirmation treats the email address as confirmed. Nil means false.
	SkipConfirmation *bool `json:"skip_confirmation,omitzero"`
	// Avatar is a picture. With it the call is sent as multipart/form-data
	// instead of JSON.
	Avatar *Upload `json:"-" url:"avatar"`
	// Admin makes the user an administrator. Nil means false.
	Admin *bool `json:"admin,omitzero"`
	// Auditor lets the user read everything, since 15.3. Nil means false. Premium.
	Auditor *bool   `json:"auditor,omitzero"`
	Bio     *string `json:"bio,omitzero"`
	// CanCreateGroup lets the user create top-level groups.
	CanCreateGroup *bool  `json:"can_create_group,omitzero"`
	ColorSchemeID  *int64 `json:"color_scheme_id,omitzero"`
	ThemeID        *int64 `json:"theme_id,omitzero"`
	// ExternUID and Provider, set together, identify the account at another
	// provider with which the user signs in.
	ExternUID *string `json:"extern_uid,omitzero"`
	Provider  *string `json:"provider,omitzero"`
	// External makes the user external. Nil means false.
	External *bool `json:"external,omitzero"`
	// ExtraSharedRunnersMinutesLimit is in minutes, in addition to the monthly
	// ones. Premium.
	ExtraSharedRunnersMinutesLimit *int64 `json:"extra_shared_runners_minutes_limit,omitzero"`
	// SharedRunnersMinutesLimit is in minutes per month. 0 means no limit; null
	// means the default of the instance. Premium.
	SharedRunnersMinutesLimit Nullable[int64] `json:"shared_runners_minutes_limit,omitzero"`
	// GroupIDForSAML is the ID of the group whose SAML provider the identity
	// belongs to.
	GroupIDForSAML *int64  `json:"group_id_for_saml,omitzero"`
	LinkedIn       *string `json:"linkedin,omitzero"`
	// Skype was removed in later releases.
	Skype        *string `json:"skype,omitzero"`
	Twitter      *string `json:"twitter,omitzero"`
	Location     *string `json:"location,omitzero"`
	Organization *string `json:"organization,omitzero"`
	WebsiteURL   *string `json:"website_url,omitzero"`
	// Note is visible only to administrators.
	Note *string `json:"note,omitzero"`
	// PrivateProfile hides the profile. Null means false, which is the default.
	PrivateProfile Nullable[bool] `json:"private_profile,omitzero"`
	// ProjectsLimit is the maximum number of the user's personal projects.
	ProjectsLimit *int `json:"projects_limit,omitzero"`
	// ViewDiffsFileByFile shows the user one file of a diff at a time.
	ViewDiffsFileByFile *bool `json:"view_diffs_file_by_file,omitzero"`
}

// UpdateUserOptions changes a user. Nil fields are left unchanged; an empty
// string clears the field.
type UpdateUserOptions struct {
	Email    *string `json:"email,omitzero"`
	Name     *string `json:"name,omitzero"`
	Username *string `json:"username,omitzero"`
	// Password is the password to sign in with. A user whose password was changed
	// by someone else must change it at the next sign-in.
	Password Secret `json:"password,omitzero"`
	// SkipReconfirmation treats a new email address as confirmed. Nil means false.
	SkipReconfirmation *bool `json:"skip_reconfirmation,omitzero"`
	// PublicEmail is the email address that everyone can see. It must be one that
	// the user has confirmed.
	PublicEmail *string `json:"public_email,omitzero"`
	// Avatar is a picture. With it the call is sent as multipart/form-data
	// instead of JSON.
	Avatar *Upload `json:"-" url:"avatar"`
	// CommitEmail is the email address in commits that the user makes on the web,
	// or "_private" for a hidden address. Since 15.5.
	CommitEmail *string `json:"commit_email,omitzero"`
	// Admin makes the user an administrator if it is true, and a regular user if
	// it is false.
	Admin *bool `json:"admin,omitzero"`
	// Auditor lets the user read everything, or not. Since 15.3. Premium.
	Auditor *bool   `json:"auditor,omitzero"`
	Bio     *string `json:"bio,omitzero"`
	// CanCreateGroup lets the user create top-level groups, or not.
	CanCreateGroup *bool  `json:"can_create_group,omitzero"`
	ColorSchemeID  *int64 `json:"color_scheme_id,omitzero"`
	ThemeID        *int64 `json:"theme_id,omitzero"`
	// ExternUID and Provider, set together, identify the account at another
	// provider with which the user signs in.
	ExternUID *string `json:"extern_uid,omitzero"`
	Provider  *string `json:"provider,omitzero"`
	// External makes the user external, or not.
	External *bool `json:"external,omitzero"`
	// ExtraSharedRunnersMinutesLimit is in minutes, in addition to the monthly
	// ones. Premium.
	ExtraSharedRunnersMinutesLimit *int64 `json:"extra_shared_runners_minutes_limit,omitzero"`
	// SharedRunnersMinutesLimit is in minutes per month. 0 means no limit; null
	// means the default of the instance. Premium.
	SharedRunnersMinutesLimit Nullable[int64] `json:"shared_runners_minutes_limit,omitzero"`
	// GroupIDForSAML is the ID of the group whose SAML provider the identity
	// belongs to.
	GroupIDForSAML *int64  `json:"group_id_for_saml,omitzero"`
	LinkedIn       *string `json:"linkedin,omitzero"`
	// Skype was removed in later releases.
	Skype        *string `json:"skype,omitzero"`
	Twitter      *string `json:"twitter,omitzero"`
	Location     *string `json:"location,omitzero"`
	Organization *string `json:"organization,omitzero"`
	WebsiteURL   *string `json:"website_url,omitzero"`
	// Note is visible only to administrators.
	Note *string `json:"note,omitzero"`
	// PrivateProfile hides the profile. Null means false.
	PrivateProfile Nullable[bool] `json:"private_profile,omitzero"`
	// ProjectsLimit is the maximum number of the user's personal projects.
	ProjectsLimit *int `json:"projects_limit,omitzero"`
	// ViewDiffsFileByFile shows the user one file of a diff at a time.
	ViewDiffsFileByFile *bool `json:"view_diffs_file_by_file,omitzero"`
}
