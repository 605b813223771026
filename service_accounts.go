package serviceapi

import (
	"context"
	"iter"
	"net/http"
)

// ServiceAccountsService manages service accounts, which are accounts for programs, and
// their access tokens. Premium. An account belongs to the instance, to a top-level group or
// to a project. It is a user who cannot sign in, but can be a member like any other user:
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
// There are no calls for single accounts of the instance: [UsersService.Delete] deletes
// one, and [AccessTokensService] manages its tokens.
//
// Its options are [CreateServiceAccountOptions], [CreateServiceAccountTokenOptions],
// [DeleteServiceAccountOptions], [ListAccessTokensOptions] and
// [UpdateServiceAccountOptions]. See the example of [ServiceAccountsService.CreateToken].
type ServiceAccountsService service

const (
	oneServiceAccount    = "/groups/:id/service_accounts/:user_id"
	serviceAccountTokens = "/groups/:id/service_accounts/:user_id/personal_access_tokens"
)

// ServiceAccountOwner is an owner that service accounts are created for: [Instance] or a
// [GroupRef], which must be a top-level group.
type ServiceAccountOwner interface{ takesServiceAccounts() }

// ServiceAccountTokenOwner is an owner of service accounts whose tokens can be managed: a
// [ProjectRef] or a [GroupRef].
type ServiceAccountTokenOwner interface{ takesServiceAccountTokens() }

func (InstanceOwner) takesServiceAccounts()   {}
func (GroupRef) takesServiceAccounts()        {}
func (ProjectRef) takesServiceAccountTokens() {}
func (GroupRef) takesServiceAccountTokens()   {}

// Create creates a service account. Since 16.1. The call returns [ErrBadRequest] if the
// username or the email address is taken.
//
//	POST /service_accounts
//	POST /groups/:id/service_accounts
func (s *ServiceAccountsService) Create(
	ctx context.Context, owner ServiceAccountOwner, options CreateServiceAccountOptions, opts ...RequestOption,
) (*ServiceAccount, *Response, error) {
	return do[ServiceAccount](ctx, using(s), http.MethodPost, below(owner, "/service_accounts"), jsonOf(options), opts)
}

// Update changes a service account of a group. Since 17.10. The call returns
// [ErrBadRequest] if the username or the email address is taken.
//
//	PATCH /groups/:id/service_accounts/:user_id
func (s *ServiceAccountsService) Update(
	ctx context.Context, group GroupRef, account UserRef, options UpdateServiceAccountOptions, opts ...RequestOption,
) (*ServiceAccount, *Response, error) {
	return do[ServiceAccount](ctx, using(s), http.MethodPatch,
		Route(oneServiceAccount, group, onlyID(account)), jsonOf(options), opts)
}

// Delete deletes a service account of a group, with its memberships. Its tokens stop
// working. Since 17.1. The call returns [ErrConflict] if the account is the only owner of
// a group and can only be deleted with [DeleteServiceAccountOptions.HardDelete].
//
//	DELETE /groups/:id/service_accounts/:user_id
func (s *ServiceAccountsService) Delete(
	ctx context.Context, group GroupRef, account UserRef, options *DeleteServiceAccountOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route(oneServiceAccount, group, onlyID(account)), queryOf(options), opts)
}

// ListTokens returns one page of the access tokens of a service account of a group,
// including tokens that were revoked or have expired unless the options leave them out.
// Since 17.11.
//
//	GET /groups/:id/service_accounts/:user_id/personal_access_tokens
func (s *ServiceAccountsService) ListTokens(
	ctx context.Context, group GroupRef, account UserRef, options *ListAccessTokensOptions, opts ...RequestOption,
) ([]*AccessToken, *Response, error) {
	return list[*AccessToken](ctx, using(s),
		Route(serviceAccountTokens, group, onlyID(account)), queryOf(options), opts)
}

// AllTokens returns every access token of a service account of a group. See
// [ServiceAccountsService.ListTokens].
//
//	GET /groups/:id/service_accounts/:user_id/personal_access_tokens
func (s *ServiceAccountsService) AllTokens(
	ctx context.Context, group GroupRef, account UserRef, options *ListAccessTokensOptions, opts ...RequestOption,
) iter.Seq2[*AccessToken, error] {
	return all[*AccessToken](ctx, using(s),
		Route(serviceAccountTokens, group, onlyID(account)), queryOf(options), opts)
}

// CreateToken creates an access token for a service account of a group, since 16.1, or of a
// project, since 18.9. Only this response contains the token itself, which can be passed to
// [PrivateToken]. The call returns [ErrUnprocessable] if Scopes is empty.
//
//	POST /groups/:id/service_accounts/:user_id/personal_access_tokens
//	POST /projects/:id/service_accounts/:user_id/personal_access_tokens
func (s *ServiceAccountsService) CreateToken(
	ctx context.Context, owner ServiceAccountTokenOwner, account UserRef, options CreateServiceAccountTokenOptions,
	opts ...RequestOption,
) (*AccessToken, *Response, error) {
	return do[AccessToken](ctx, using(s), http.MethodPost,
		below(owner, "/service_accounts/:user_id/personal_access_tokens", onlyID(account)), jsonOf(options), opts)
}

// RevokeToken revokes an access token of a service account of a group, which cannot be
// undone. Since 17.11.
//
//	DELETE /groups/:id/service_accounts/:user_id/personal_access_tokens/:token_id
func (s *ServiceAccountsService) RevokeToken(
	ctx context.Context, group GroupRef, account UserRef, tokenID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route(serviceAccountTokens+"/:token_id", group, onlyID(account), tokenID), nil, opts)
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
	// ExpiresAt is the day on which the token expires. Nil means the longest lifetime
	// that the instance allows, which is 365 days by default.
	ExpiresAt *Date `json:"expires_at,omitzero"`
	// Description has at most 255 characters. Since 17.x.
	Description *string `json:"description,omitzero"`
}
