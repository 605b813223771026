package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// ServiceAccountsService manages service accounts, which are accounts for programs, and
// their access tokens. Premium before 19.x. An account belongs to the instance, to a top-level
// group, since 19.x to any group, or, since 18.9, to a project. It is a user who cannot sign in,
// but can be a member like any other user:
//
//	acme := serviceapi.GroupPath("acme")
//	account, _, err := client.ServiceAccounts.Create(ctx, acme,
//		serviceapi.CreateServiceAccountOptions{Name: new("deployer")})
//
// Accounts of the instance require an administrator, those of a group the Owner role, and
// those of a project the Maintainer role. An account is identified by a [UserID]. For a
// user who is not a service account, the calls return [ErrBadRequest], and for the account
// of another group or project [ErrNotFound].
//
// An account of the instance is read and deleted as a user, by [UsersService], and
// [AccessTokensService] manages its tokens.
//
// Its options are [CreateServiceAccountOptions], [CreateServiceAccountTokenOptions],
// [DeleteServiceAccountOptions], [ListAccessTokensOptions], [ListServiceAccountsOptions],
// [RotateAccessTokenOptions] and [UpdateServiceAccountOptions]. See the example of
// [ServiceAccountsService.CreateToken].
type ServiceAccountsService service

// ServiceAccountOwner is an owner of service accounts: [Instance], a [ProjectRef] or a
// [GroupRef], which must be a top-level group before 19.x.
type ServiceAccountOwner interface{ hasServiceAccounts() }

// SingleServiceAccountOwner is an owner whose service accounts can be read and deleted one by one,
// and be given tokens: a [ProjectRef] or a [GroupRef].
type SingleServiceAccountOwner interface {
	ServiceAccountOwner
	hasServiceAccount()
}

func (InstanceOwner) hasServiceAccounts() {}
func (GroupRef) hasServiceAccounts()      {}
func (ProjectRef) hasServiceAccounts()    {}
func (GroupRef) hasServiceAccount()       {}
func (ProjectRef) hasServiceAccount()     {}

// serviceAccountOf returns the endpoint of one account, or of a part of it.
func serviceAccountOf(owner ServiceAccountOwner, account UserRef, suffix string, args ...any) Endpoint {
	return below(owner, "/service_accounts/:user_id"+suffix, append([]any{onlyID(account)}, args...)...)
}

const tokensOfAccount = "/personal_access_tokens"

// List returns one page of the service accounts of an owner. Since 17.1.
//
//	GET /service_accounts
//	GET /projects/:id/service_accounts
//	GET /groups/:id/service_accounts
func (s *ServiceAccountsService) List(
	ctx context.Context, owner ServiceAccountOwner, options *ListServiceAccountsOptions, opts ...RequestOption,
) ([]*ServiceAccount, *Response, error) {
	return list[*ServiceAccount](ctx, using(s), below(owner, "/service_accounts"), queryOf(options), opts)
}

// All returns every service account of an owner. See [ServiceAccountsService.List].
//
//	GET /service_accounts
//	GET /projects/:id/service_accounts
//	GET /groups/:id/service_accounts
func (s *ServiceAccountsService) All(
	ctx context.Context, owner ServiceAccountOwner, options *ListServiceAccountsOptions, opts ...RequestOption,
) iter.Seq2[*ServiceAccount, error] {
	return all[*ServiceAccount](ctx, using(s), below(owner, "/service_accounts"), queryOf(options), opts)
}

// Get returns a service account of a project or a group. Since 19.4.
//
//	GET /projects/:id/service_accounts/:user_id
//	GET /groups/:id/service_accounts/:user_id
func (s *ServiceAccountsService) Get(
	ctx context.Context, owner SingleServiceAccountOwner, account UserRef, opts ...RequestOption,
) (*ServiceAccount, *Response, error) {
	return do[ServiceAccount](ctx, using(s), http.MethodGet, serviceAccountOf(owner, account, ""), nil, opts)
}

// Create creates a service account. Since 16.1, and for a project since 18.9. The call returns
// [ErrBadRequest] if the username or the email address is taken, and if there are no seats left.
//
//	POST /service_accounts
//	POST /groups/:id/service_accounts
//	POST /projects/:id/service_accounts
func (s *ServiceAccountsService) Create(
	ctx context.Context, owner ServiceAccountOwner, options CreateServiceAccountOptions, opts ...RequestOption,
) (*ServiceAccount, *Response, error) {
	return do[ServiceAccount](ctx, using(s), http.MethodPost, below(owner, "/service_accounts"), jsonOf(options), opts)
}

// Update changes a service account. Since 17.10, for the instance since 18.2, and for a project
// since 18.9. The call returns [ErrBadRequest] if the username or the email address is taken.
//
//	PATCH /service_accounts/:user_id
//	PATCH /groups/:id/service_accounts/:user_id
//	PATCH /projects/:id/service_accounts/:user_id
func (s *ServiceAccountsService) Update(
	ctx context.Context, owner ServiceAccountOwner, account UserRef, options UpdateServiceAccountOptions,
	opts ...RequestOption,
) (*ServiceAccount, *Response, error) {
	return do[ServiceAccount](ctx, using(s), http.MethodPatch,
		serviceAccountOf(owner, account, ""), jsonOf(options), opts)
}

// Delete deletes a service account of a project or a group, with its memberships. Its tokens stop
// working. Since 17.1. For a group, the call returns [ErrConflict] if the account is the only
// owner of a group and can only be deleted with [DeleteServiceAccountOptions.HardDelete].
//
//	DELETE /groups/:id/service_accounts/:user_id
//	DELETE /projects/:id/service_accounts/:user_id
func (s *ServiceAccountsService) Delete(
	ctx context.Context, owner SingleServiceAccountOwner, account UserRef, options *DeleteServiceAccountOptions,
	opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, serviceAccountOf(owner, account, ""), queryOf(options), opts)
}

// ListTokens returns one page of the access tokens of a service account of a project or a group,
// including tokens that were revoked or have expired unless the options leave them out.
// Since 17.11.
//
//	GET /groups/:id/service_accounts/:user_id/personal_access_tokens
//	GET /projects/:id/service_accounts/:user_id/personal_access_tokens
func (s *ServiceAccountsService) ListTokens(
	ctx context.Context, owner SingleServiceAccountOwner, account UserRef, options *ListAccessTokensOptions,
	opts ...RequestOption,
) ([]*AccessToken, *Response, error) {
	return list[*AccessToken](ctx, using(s),
		serviceAccountOf(owner, account, tokensOfAccount), queryOf(options), opts)
}

// AllTokens returns every access token of a service account of a project or a group. See
// [ServiceAccountsService.ListTokens].
//
//	GET /groups/:id/service_accounts/:user_id/personal_access_tokens
//	GET /projects/:id/service_accounts/:user_id/personal_access_tokens
func (s *ServiceAccountsService) AllTokens(
	ctx context.Context, owner SingleServiceAccountOwner, account UserRef, options *ListAccessTokensOptions,
	opts ...RequestOption,
) iter.Seq2[*AccessToken, error] {
	return all[*AccessToken](ctx, using(s),
		serviceAccountOf(owner, account, tokensOfAccount), queryOf(options), opts)
}

// CreateToken creates an access token for a service account of a group, since 16.1, or of a
// project, since 18.9. Only this response contains the token itself, which can be passed to
// [PrivateToken]. The call returns [ErrUnprocessable] if Scopes is empty.
//
//	POST /groups/:id/service_accounts/:user_id/personal_access_tokens
//	POST /projects/:id/service_accounts/:user_id/personal_access_tokens
func (s *ServiceAccountsService) CreateToken(
	ctx context.Context, owner SingleServiceAccountOwner, account UserRef, options CreateServiceAccountTokenOptions,
	opts ...RequestOption,
) (*AccessToken, *Response, error) {
	return do[AccessToken](ctx, using(s), http.MethodPost,
		serviceAccountOf(owner, account, tokensOfAccount), jsonOf(options), opts)
}

// RotateToken replaces an access token of a service account of a project or a group with a new one
// that has the same name and scopes. Since 17.9 it takes a day. The old token is revoked at once,
// and only this response contains the new one. The call returns [ErrBadRequest] for a token that
// was revoked.
//
//	POST /groups/:id/service_accounts/:user_id/personal_access_tokens/:token_id/rotate
//	POST /projects/:id/service_accounts/:user_id/personal_access_tokens/:token_id/rotate
func (s *ServiceAccountsService) RotateToken(
	ctx context.Context, owner SingleServiceAccountOwner, account UserRef, tokenID int64,
	options RotateAccessTokenOptions, opts ...RequestOption,
) (*AccessToken, *Response, error) {
	return do[AccessToken](ctx, using(s), http.MethodPost,
		serviceAccountOf(owner, account, tokensOfAccount+"/:token_id/rotate", tokenID), jsonOf(options), opts)
}

// RevokeToken revokes an access token of a service account of a project or a group, which cannot
// be undone. Since 17.11.
//
//	DELETE /groups/:id/service_accounts/:user_id/personal_access_tokens/:token_id
//	DELETE /projects/:id/service_accounts/:user_id/personal_access_tokens/:token_id
func (s *ServiceAccountsService) RevokeToken(
	ctx context.Context, owner SingleServiceAccountOwner, account UserRef, tokenID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		serviceAccountOf(owner, account, tokensOfAccount+"/:token_id", tokenID), nil, opts)
}

// ServiceAccount is an account for a program.
type ServiceAccount struct {
	ID       int64  `json:"id"`
	Name     string `json:"name"`
	Username string `json:"username"`
	// Email is empty before 17.9.
	Email string `json:"email"`
	// UnconfirmedEmail is an address that becomes Email when it is confirmed, empty if
	// there is none.
	UnconfirmedEmail string `json:"unconfirmed_email,omitzero"`
	// PublicEmail is set in later releases. It is empty if there is none.
	PublicEmail string `json:"public_email,omitzero"`
	// State and Locked are as in [User]. They are set in later releases.
	State  UserState `json:"state,omitzero"`
	Locked bool      `json:"locked,omitzero"`
}

// Ref identifies the account by ID, which stays the same if it is renamed.
func (a *ServiceAccount) Ref() UserRef { return UserID(orZero(a).ID) }

// ServiceAccountOrderBy is what service accounts are ordered by.
type ServiceAccountOrderBy string

// Orders of service accounts.
const (
	ServiceAccountOrderByID       ServiceAccountOrderBy = "id"
	ServiceAccountOrderByUsername ServiceAccountOrderBy = "username"
)

// ListServiceAccountsOptions orders service accounts.
type ListServiceAccountsOptions struct {
	ListOptions
	// OrderBy is [ServiceAccountOrderByID] by default.
	OrderBy ServiceAccountOrderBy `url:"order_by,omitempty" keyset:"id,username"`
	// Sort is [SortDescending] by default.
	Sort Sort `url:"sort,omitempty" keyset:"desc,asc"`
	// Pagination is [PaginationOffset] by default. [PaginationKeyset] works with any OrderBy and
	// Sort.
	Pagination Pagination `url:"pagination,omitempty"`
}

// CreateServiceAccountOptions describes a new service account. Nothing is required.
type CreateServiceAccountOptions struct {
	// Name is "Service account user" by default.
	Name *string `json:"name,omitzero"`
	// Username begins with service_account by default, and ends with random characters.
	// Since 16.10.
	Username *string `json:"username,omitzero"`
	// Email is a noreply address by default. Any other address has to be confirmed first,
	// unless the instance requires no confirmation. Since 17.9.
	Email *string `json:"email,omitzero"`
}

// UpdateServiceAccountOptions changes a service account. Nil fields are left unchanged.
type UpdateServiceAccountOptions struct {
	Name     *string `json:"name,omitzero"`
	Username *string `json:"username,omitzero"`
	// Email takes effect once it is confirmed, or at once if the instance requires no
	// confirmation.
	Email *string `json:"email,omitzero"`
}

// DeleteServiceAccountOptions says what happens to the contributions of an account.
type DeleteServiceAccountOptions struct {
	// HardDelete also deletes the contributions of the account, which are otherwise moved
	// to a placeholder account, and the groups that only this account owns.
	HardDelete bool `url:"hard_delete,omitempty"`
}

// CreateServiceAccountTokenOptions describes a new access token of a service account.
// Name and Scopes are required.
type CreateServiceAccountTokenOptions struct {
	Name   string        `json:"name" required:"true"`
	Scopes []AccessScope `json:"scopes" required:"true"`
	// ExpiresAt is the first day on which the token does not work. It must be in the future, or
	// the call returns [ErrBadRequest]. Nil means the longest lifetime that the instance allows,
	// which is 365 days by default.
	ExpiresAt *Date `json:"expires_at,omitzero"`
	// Description has at most 255 characters. Since 17.x.
	Description *string `json:"description,omitzero"`
}
