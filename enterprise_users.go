package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// EnterpriseUsersService manages the users whose accounts belong to the verified domains of a group at the
// top, members or not. Premium, only in the hosted offering. The calls require the Owner role. They return
// [ErrBadRequest] for a subgroup, and a user must be a [UserID].
//
//	acme := serviceapi.GroupPath("acme")
//	for user, err := range client.EnterpriseUsers.All(ctx, acme, nil) { … }
//
// Its options are [DeleteEnterpriseUserOptions], [ListEnterpriseUsersOptions] and
// [UpdateEnterpriseUserOptions]. See the example of [EnterpriseUsersService.All].
type EnterpriseUsersService service

const (
	enterpriseUsers   = "/groups/:id/enterprise_users"
	oneEnterpriseUser = enterpriseUsers + "/:user_id"
)

// List returns one page of the enterprise users, the newest first. They have the fields that administrators
// see, without [User.IsAdmin] and [User.Note]. Since 17.7.
//
//	GET /groups/:id/enterprise_users
func (s *EnterpriseUsersService) List(
	ctx context.Context, group GroupRef, options *ListEnterpriseUsersOptions, opts ...RequestOption,
) ([]*User, *Response, error) {
	return list[*User](ctx, using(s), Route(enterpriseUsers, group), queryOf(options), opts)
}

// All returns every enterprise user. See [EnterpriseUsersService.List].
//
//	GET /groups/:id/enterprise_users
func (s *EnterpriseUsersService) All(
	ctx context.Context, group GroupRef, options *ListEnterpriseUsersOptions, opts ...RequestOption,
) iter.Seq2[*User, error] {
	return all[*User](ctx, using(s), Route(enterpriseUsers, group), queryOf(options), opts)
}

// Get returns an enterprise user. Since 17.9.
//
//	GET /groups/:id/enterprise_users/:user_id
func (s *EnterpriseUsersService) Get(
	ctx context.Context, group GroupRef, user UserRef, opts ...RequestOption,
) (*User, *Response, error) {
	return do[User](ctx, using(s), http.MethodGet, Route(oneEnterpriseUser, group, onlyID(user)), nil, opts)
}

// Update changes an enterprise user. Since 18.6.
//
//	PATCH /groups/:id/enterprise_users/:user_id
func (s *EnterpriseUsersService) Update(
	ctx context.Context, group GroupRef, user UserRef, options UpdateEnterpriseUserOptions, opts ...RequestOption,
) (*User, *Response, error) {
	return do[User](ctx, using(s), http.MethodPatch,
		Route(oneEnterpriseUser, group, onlyID(user)), jsonOf(options), opts)
}

// Delete deletes the account of an enterprise user, in the background. The call returns [ErrConflict] for
// the only owner of a group, unless [DeleteEnterpriseUserOptions.HardDelete] is set. Since 18.3.
//
//	DELETE /groups/:id/enterprise_users/:user_id
func (s *EnterpriseUsersService) Delete(
	ctx context.Context, group GroupRef, user UserRef, options *DeleteEnterpriseUserOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route(oneEnterpriseUser, group, onlyID(user)), queryOf(options), opts)
}

// DisableTwoFactor disables the two-factor authentication of an enterprise user. The call returns
// [ErrBadRequest] if it is not enabled. Since 17.9.
//
//	PATCH /groups/:id/enterprise_users/:user_id/disable_two_factor
func (s *EnterpriseUsersService) DisableTwoFactor(
	ctx context.Context, group GroupRef, user UserRef, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPatch,
		Route(oneEnterpriseUser+"/disable_two_factor", group, onlyID(user)), nil, opts)
}

// ListEnterpriseUsersOptions selects enterprise users. All filters must match.
type ListEnterpriseUsersOptions struct {
	ListOptions
	// Username is the exact username.
	Username string `url:"username,omitempty"`
	// Search searches names, usernames and email addresses.
	Search string `url:"search,omitempty"`
	// Active and Blocked select users with that property. Both together select nobody.
	Active  bool `url:"active,omitempty"`
	Blocked bool `url:"blocked,omitempty"`
	// CreatedAfter and CreatedBefore limit the time of creation.
	CreatedAfter  time.Time `url:"created_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	CreatedBefore time.Time `url:"created_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	// TwoFactor selects users with or without two-factor authentication.
	TwoFactor TwoFactorFilter `url:"two_factor,omitempty"`
}

// UpdateEnterpriseUserOptions changes an enterprise user. Nil fields are left unchanged.
type UpdateEnterpriseUserOptions struct {
	Name  *string `json:"name,omitzero"`
	Email *string `json:"email,omitzero"`
}

// DeleteEnterpriseUserOptions says what happens to the contributions of a user.
type DeleteEnterpriseUserOptions struct {
	// HardDelete also deletes the contributions, which are otherwise moved to a placeholder account,
	// and the groups that only this user owns.
	HardDelete bool `url:"hard_delete,omitempty"`
}
