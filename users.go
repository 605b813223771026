package serviceapi

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/internal/jsonx"
	"example.com/serviceapi/internal/text"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// UsersService manages user accounts. A user is identified by a [UserID], because the
// service does not accept usernames here: for a [Username], the calls return an
// [*ArgumentError]. [UsersService.Find] returns the user with a username.
//
// Its options are [CreateUserOptions], [DeleteUserOptions], [GetAvatarOptions],
// [GetUserOptions], [ListOptions], [ListUserActivitiesOptions],
// [ListUserMembershipsOptions], [ListUsersOptions], [SetUserAvatarOptions],
// [SetUserStatusOptions], [UpdateUserOptions], [UpdateUserPreferencesOptions] and
// [UpdateUserStatusOptions]. See recipe 7 of docs/cookbook.md, the example OnboardUser of
// [example.com/serviceapi/examples/recipes].
type UsersService service

// List returns one page of the users, by default the newest first.
//
//	GET /users
func (s *UsersService) List(
	ctx context.Context, options *ListUsersOptions, opts ...RequestOption,
) ([]*User, *Response, error) {
	return list[*User](ctx, using(s), Route("/users"), queryOf(options), opts)
}

// All returns every user, by default the newest first.
//
//	GET /users
func (s *UsersService) All(
	ctx context.Context, options *ListUsersOptions, opts ...RequestOption,
) iter.Seq2[*User, error] {
	return all[*User](ctx, using(s), Route("/users"), queryOf(options), opts)
}

// Get returns one user. The user must be a [UserID]: [UsersService.Find] also takes a
// [Username].
//
//	GET /users/:id
func (s *UsersService) Get(
	ctx context.Context, user UserRef, options *GetUserOptions, opts ...RequestOption,
) (*User, *Response, error) {
	return do[User](ctx, using(s), http.MethodGet, Route("/users/:id", onlyID(user)), queryOf(options), opts)
}

// Find returns the user that a reference of either kind names, such as one that was read from
// a flag or a file. A [UserID] is read with [UsersService.Get]. A [Username] is searched for,
// and is not case-sensitive: the user has the fields that lists return, see [User]. The error
// matches [ErrNotFound] if there is no such user.
//
//	GET /users
//	GET /users/:id
func (s *UsersService) Find(ctx context.Context, user UserRef, opts ...RequestOption) (*User, *Response, error) {
	if user.kind != byName {
		return s.Get(ctx, user, nil, opts...)
	}
	username := user.name
	query := queryOf(&ListUsersOptions{Username: username})
	users, resp, err := list[*User](ctx, using(s), Route("/users"),
		unless(missing("username", username == ""), query), opts)
	for _, user := range users {
		if strings.EqualFold(user.Username, username) {
			return user, resp, err
		}
	}
	if err == nil {
		err = fmt.Errorf("serviceapi: there is no user %q: %w", text.Printable(username, 100), ErrNotFound)
	}
	return nil, resp, err
}

// Current returns the user whose credential makes the call, or the user of
// [WithSudo].
//
//	GET /user
func (s *UsersService) Current(ctx context.Context, opts ...RequestOption) (*User, *Response, error) {
	return do[User](ctx, using(s), http.MethodGet, Route("/user"), nil, opts)
}

// Create creates a user. Administrators only. The call returns [ErrConflict] if
// the email address or the username is taken.
//
//	POST /users
func (s *UsersService) Create(
	ctx context.Context, options CreateUserOptions, opts ...RequestOption,
) (*User, *Response, error) {
	return do[User](ctx, using(s), http.MethodPost,
		Route("/users"), jsonOrMultipart(options, "avatar", options.Avatar), opts)
}

// Update changes a user. Administrators only.
//
// If a change conflicts with another account, for example because an email
// address is taken, the service responds with 404 instead of 409. If its
// message lists refused fields or says that something is taken, the error is a
// [*UserConflictError], which matches [ErrConflict] and [ErrNotFound].
// Otherwise the error matches only [ErrNotFound], and [UsersService.Get] shows
// whether the user exists.
//
//	PUT /users/:id
func (s *UsersService) Update(
	ctx context.Context, user UserRef, options UpdateUserOptions, opts ...RequestOption,
) (*User, *Response, error) {
	changed, resp, err := do[User](ctx, using(s), http.MethodPut,
		Route("/users/:id", onlyID(user)), jsonOrMultipart(options, "avatar", options.Avatar), opts)
	return changed, resp, asUserConflict(err)
}

// DeleteIdentity removes a user's identity at another provider. Administrators
// only.
//
//	DELETE /users/:id/identities/:provider
func (s *UsersService) DeleteIdentity(
	ctx context.Context, user UserRef, provider string, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route("/users/:id/identities/:provider", onlyID(user), provider), nil, opts)
}

// Delete deletes a user. Administrators only. The call returns [ErrConflict] if
// the user can only be deleted with [DeleteUserOptions.HardDelete].
//
//	DELETE /users/:id
func (s *UsersService) Delete(
	ctx context.Context, user UserRef, options *DeleteUserOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, Route("/users/:id", onlyID(user)), queryOf(options), opts)
}

// Block blocks a user, who can then neither sign in nor use a token. The call also succeeds
// if the user is already blocked. Administrators only. The call returns [ErrForbidden] for
// a user who was blocked by the directory, for an internal user and for the caller, and
// [ErrNotFound] if there is no such user.
//
//	POST /users/:id/block
func (s *UsersService) Block(ctx context.Context, user UserRef, opts ...RequestOption) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost, Route("/users/:id/block", onlyID(user)), nil, opts)
}

// Unblock makes a blocked user active again. The call also succeeds if the user is already
// active. Administrators only. The call returns [ErrForbidden] for a user who was blocked
// by the directory, and for a user who is deactivated: see [UsersService.Activate].
//
//	POST /users/:id/unblock
func (s *UsersService) Unblock(ctx context.Context, user UserRef, opts ...RequestOption) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost, Route("/users/:id/unblock", onlyID(user)), nil, opts)
}

// Deactivate deactivates a dormant user, who becomes active again by signing in. The call
// also succeeds if the user is already deactivated. Administrators only. The call returns
// [ErrForbidden] for a user who was recently active, is blocked, or is internal.
//
//	POST /users/:id/deactivate
func (s *UsersService) Deactivate(ctx context.Context, user UserRef, opts ...RequestOption) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost, Route("/users/:id/deactivate", onlyID(user)), nil, opts)
}

// Activate makes a deactivated user active again. The call also succeeds if the user is
// already active. Administrators only. The call returns [ErrForbidden] for a user who is
// blocked: see [UsersService.Unblock].
//
//	POST /users/:id/activate
func (s *UsersService) Activate(ctx context.Context, user UserRef, opts ...RequestOption) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost, Route("/users/:id/activate", onlyID(user)), nil, opts)
}

// Approve approves the sign-up of a user, who can then sign in. Administrators only. The
// call returns [ErrForbidden] for a user who is blocked, and [ErrConflict] for a user who
// is not waiting for approval.
//
//	POST /users/:id/approve
func (s *UsersService) Approve(ctx context.Context, user UserRef, opts ...RequestOption) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost, Route("/users/:id/approve", onlyID(user)), nil, opts)
}

// Reject rejects the sign-up of a user who is waiting for approval, and deletes the
// account. Administrators only. The call returns [ErrConflict] for a user who is not
// waiting for approval.
//
//	POST /users/:id/reject
func (s *UsersService) Reject(ctx context.Context, user UserRef, opts ...RequestOption) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost, Route("/users/:id/reject", onlyID(user)), nil, opts)
}

// Ban bans a user, who can then neither sign in nor use a token. Administrators only. The
// call returns [ErrForbidden] for a user who is not active.
//
//	POST /users/:id/ban
func (s *UsersService) Ban(ctx context.Context, user UserRef, opts ...RequestOption) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost, Route("/users/:id/ban", onlyID(user)), nil, opts)
}

// Unban makes a banned user active again. Administrators only. The call returns
// [ErrForbidden] for a user who is not banned.
//
//	POST /users/:id/unban
func (s *UsersService) Unban(ctx context.Context, user UserRef, opts ...RequestOption) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost, Route("/users/:id/unban", onlyID(user)), nil, opts)
}

// DisableTwoFactor disables the two-factor authentication of a user, who may have lost the
// second factor. Administrators only. The call returns [ErrForbidden] for another
// administrator, and [ErrBadRequest] if it is not enabled.
//
//	PATCH /users/:id/disable_two_factor
func (s *UsersService) DisableTwoFactor(ctx context.Context, user UserRef, opts ...RequestOption) (*Response, error) {
	return exec(ctx, using(s), http.MethodPatch, Route("/users/:id/disable_two_factor", onlyID(user)), nil, opts)
}

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

// CustomAttributeFilter selects users, groups or projects that have all of these
// attributes, by key.
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
	// ExcludeActive excludes active users. Since about 16.x.
	ExcludeActive bool `url:"exclude_active,omitempty"`
	// Humans selects, and ExcludeHumans excludes, accounts that are neither bots nor
	// internal. Since about 16.x.
	Humans        bool `url:"humans,omitempty"`
	ExcludeHumans bool `url:"exclude_humans,omitempty"`
	// PublicEmail is the exact public email address. Since about 16.x.
	PublicEmail string `url:"public_email,omitempty"`
	// WithoutProjectBots excludes the users behind project access tokens.
	WithoutProjectBots bool `url:"without_project_bots,omitempty"`
	// ExternUID and Provider, set together, select the user who signs in with this account
	// at another provider.
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
	// Pagination is [PaginationOffset] by default. [PaginationKeyset] was added in 16.5;
	// since 17.0, a list of more than 50,000 users requires it. It implies OrderBy
	// [UserOrderByID] and Sort [SortDescending] if they are empty.
	Pagination Pagination `url:"pagination,omitempty"`
	// Sort is [SortDescending] by default. Without keyset pagination, OrderBy and
	// Sort are only for administrators.
	Sort Sort `url:"sort,omitempty" keyset:"desc,asc"`
	// OrderBy is [UserOrderByID] by default.
	OrderBy UserOrderBy `url:"order_by,omitempty" keyset:"id,name,username,created_at,updated_at"`

	// TwoFactor selects users with or without two-factor authentication.
	TwoFactor TwoFactorFilter `url:"two_factor,omitempty"`
	// Auditors selects auditors. Since 16.2. Premium.
	Auditors bool `url:"auditors,omitempty"`
	// SkipLDAP excludes users from a directory. Only in releases after 15.2.
	SkipLDAP bool `url:"skip_ldap,omitempty"`
	// Admins selects administrators.
	Admins bool `url:"admins,omitempty"`
	// SAMLProviderID selects the users of a SAML provider. Premium. It was removed
	// in 18.2.
	SAMLProviderID int64 `url:"saml_provider_id,omitempty"`
}

// GetUserOptions selects optional fields of a user.
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

// CreateUserOptions describes a new user. Email, Name and Username are required, and so is
// one of Password, ResetPassword and ForceRandomPassword. The last two of these take
// precedence over Password, and can be used together. Nil fields have their default value.
type CreateUserOptions struct {
	Email    string `json:"email" required:"true"`
	Name     string `json:"name" required:"true"`
	Username string `json:"username" required:"true"`
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
	// Avatar is a picture. With it, the call is sent as multipart/form-data instead of
	// JSON.
	Avatar *Upload `json:"-" url:"avatar"`
	// Admin makes the user an administrator. Nil means false.
	Admin *bool `json:"admin,omitzero"`
	// Auditor lets the user read everything. Nil means false. Since 15.3. Premium.
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
	// ones. Null means none. Premium.
	ExtraSharedRunnersMinutesLimit Nullable[int64] `json:"extra_shared_runners_minutes_limit,omitzero"`
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
	// PublicEmail is the email address that everyone can see. Only in later releases.
	PublicEmail *string `json:"public_email,omitzero"`
	// CommitEmail is the email address in commits that the user makes on the web, or
	// "_private" for a hidden address. Only in later releases.
	CommitEmail *string `json:"commit_email,omitzero"`
	// Discord is the user's ID at Discord, since 15.9, and GitHub the name at GitHub, only in
	// later releases.
	Discord *string `json:"discord,omitzero"`
	GitHub  *string `json:"github,omitzero"`
	// Pronouns are shown in the profile. Since 15.5.
	Pronouns *string `json:"pronouns,omitzero"`
	// Note is visible only to administrators.
	Note *string `json:"note,omitzero"`
	// PrivateProfile hides the profile. Null means false, which is the default.
	PrivateProfile Nullable[bool] `json:"private_profile,omitzero"`
	// ProjectsLimit is the maximum number of the user's personal projects.
	ProjectsLimit *int `json:"projects_limit,omitzero"`
	// ViewDiffsFileByFile shows the user one file of a diff at a time.
	ViewDiffsFileByFile *bool `json:"view_diffs_file_by_file,omitzero"`
	// PolicyAdvancedEditor shows the user security policies as YAML. Only in later releases,
	// whose documentation does not have it.
	PolicyAdvancedEditor *bool `json:"policy_advanced_editor,omitzero"`
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
	// Avatar is a picture. With it, the call is sent as multipart/form-data instead of
	// JSON.
	Avatar *Upload `json:"-" url:"avatar"`
	// CommitEmail is the email address in commits that the user makes on the web,
	// or "_private" for a hidden address. Since 15.5.
	CommitEmail *string `json:"commit_email,omitzero"`
	// Admin makes the user an administrator if it is true, and a regular user if
	// it is false.
	Admin *bool `json:"admin,omitzero"`
	// Auditor lets the user read everything on the instance. Since 15.3. Premium.
	Auditor *bool   `json:"auditor,omitzero"`
	Bio     *string `json:"bio,omitzero"`
	// CanCreateGroup says whether the user may create top-level groups.
	CanCreateGroup *bool  `json:"can_create_group,omitzero"`
	ColorSchemeID  *int64 `json:"color_scheme_id,omitzero"`
	ThemeID        *int64 `json:"theme_id,omitzero"`
	// ExternUID and Provider, set together, identify the account at another
	// provider with which the user signs in.
	ExternUID *string `json:"extern_uid,omitzero"`
	Provider  *string `json:"provider,omitzero"`
	// External makes the user see only public projects and those that the user is a
	// member of.
	External *bool `json:"external,omitzero"`
	// ExtraSharedRunnersMinutesLimit is in minutes, in addition to the monthly
	// ones. Null means none. Premium.
	ExtraSharedRunnersMinutesLimit Nullable[int64] `json:"extra_shared_runners_minutes_limit,omitzero"`
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
	// Discord is the user's ID at Discord, since 15.9, and GitHub the name at GitHub, only in
	// later releases.
	Discord *string `json:"discord,omitzero"`
	GitHub  *string `json:"github,omitzero"`
	// Pronouns are shown in the profile. Since 15.5.
	Pronouns *string `json:"pronouns,omitzero"`
	// Note is visible only to administrators.
	Note *string `json:"note,omitzero"`
	// PrivateProfile hides the profile. Null means false.
	PrivateProfile Nullable[bool] `json:"private_profile,omitzero"`
	// ProjectsLimit is the maximum number of the user's personal projects.
	ProjectsLimit *int `json:"projects_limit,omitzero"`
	// ViewDiffsFileByFile shows the user one file of a diff at a time.
	ViewDiffsFileByFile *bool `json:"view_diffs_file_by_file,omitzero"`
	// PolicyAdvancedEditor shows the user security policies as YAML. Only in later releases,
	// whose documentation does not have it.
	PolicyAdvancedEditor *bool `json:"policy_advanced_editor,omitzero"`
}

// UserConflictError means that a change of a user conflicts with another
// account. The service reports it with the status 404. errors.Is matches it
// with [ErrConflict] and, through the *[Error] that it unwraps to, with
// [ErrNotFound].
type UserConflictError struct {
	// Err is the response, never nil in an error that the library returns.
	Err *Error
}

// Error describes the response.
func (e *UserConflictError) Error() string {
	return e.Err.Error() + "; the change conflicts with another account"
}

// Is reports whether target is [ErrConflict].
func (e *UserConflictError) Is(target error) bool { return target == ErrConflict }

// Unwrap returns the *[Error].
func (e *UserConflictError) Unwrap() error { return e.Err }

// LogValue returns what [Error.LogValue] does.
func (e *UserConflictError) LogValue() slog.Value { return orZero(e).Err.LogValue() }

// asUserConflict distinguishes a 404 about a conflict from one about a user who
// does not exist. Only a message of the service itself can say so: proxies
// respond with 404, too.
func asUserConflict(err error) error {
	e := errorResponse(err)
	if e == nil || e.StatusCode != http.StatusNotFound {
		return err
	}
	var body struct {
		Message jsontext.Value `json:"message"`
	}
	if json.Unmarshal(e.Body, &body, jsonx.Lenient) != nil || !namesConflict(body.Message, e.Message) {
		return err
	}
	return &UserConflictError{Err: e}
}

// namesConflict reports whether a message lists refused fields, or says that
// something is in use.
func namesConflict(message jsontext.Value, text string) bool {
	text = strings.ToLower(text)
	says := func(words string) bool { return strings.Contains(text, words) }
	switch {
	case says("not found"):
		return false
	case message.Kind() == '{':
		return true
	}
	words := []string{"taken", "already exists", "in use", "conflict", "duplicate"}
	return message.Kind() != 0 && slices.ContainsFunc(words, says)
}
