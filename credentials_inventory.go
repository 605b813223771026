package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// CredentialsService lists and ends what can act for the people of a group at the top: the personal
// tokens and SSH keys of its enterprise users and service accounts, and the tokens of its projects and
// groups. Premium, only in the hosted offering: elsewhere, the calls return [ErrNotFound]. They require
// the Owner role. Since 18.7.
//
//	acme := serviceapi.GroupPath("acme")
//	for token, err := range client.Credentials.AllPersonalTokens(ctx, acme, nil) {
//		…
//	}
//
// Its options are [ListAccessTokensOptions], [ListCredentialSSHKeysOptions] and
// [RotateAccessTokenOptions]. See the example of [CredentialsService.AllPersonalTokens].
type CredentialsService service

const (
	credentialTokens         = "/groups/:id/manage/personal_access_tokens"
	resourceCredentialTokens = "/groups/:id/manage/resource_access_tokens"
	credentialKeys           = "/groups/:id/manage/ssh_keys"
)

// ListPersonalTokens returns one page of the personal access tokens, by default the oldest first.
// Impersonation tokens are not among them.
//
//	GET /groups/:id/manage/personal_access_tokens
func (s *CredentialsService) ListPersonalTokens(
	ctx context.Context, group GroupRef, options *ListAccessTokensOptions, opts ...RequestOption,
) ([]*AccessToken, *Response, error) {
	return list[*AccessToken](ctx, using(s), Route(credentialTokens, group), queryOf(options), opts)
}

// AllPersonalTokens returns every personal access token. See [CredentialsService.ListPersonalTokens].
//
//	GET /groups/:id/manage/personal_access_tokens
func (s *CredentialsService) AllPersonalTokens(
	ctx context.Context, group GroupRef, options *ListAccessTokensOptions, opts ...RequestOption,
) iter.Seq2[*AccessToken, error] {
	return all[*AccessToken](ctx, using(s), Route(credentialTokens, group), queryOf(options), opts)
}

// RevokePersonalToken revokes a personal access token, which cannot be undone. The call returns
// [ErrForbidden] for a token of somebody else.
//
//	DELETE /groups/:id/manage/personal_access_tokens/:token_id
func (s *CredentialsService) RevokePersonalToken(
	ctx context.Context, group GroupRef, tokenID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, Route(credentialTokens+"/:token_id", group, tokenID), nil, opts)
}

// RotatePersonalToken replaces a personal access token. Only this response contains the new one.
//
//	POST /groups/:id/manage/personal_access_tokens/:token_id/rotate
func (s *CredentialsService) RotatePersonalToken(
	ctx context.Context, group GroupRef, tokenID int64, options RotateAccessTokenOptions, opts ...RequestOption,
) (*AccessToken, *Response, error) {
	return do[AccessToken](ctx, using(s), http.MethodPost,
		Route(credentialTokens+"/:token_id/rotate", group, tokenID), jsonOf(options), opts)
}

// ListResourceTokens returns one page of the access tokens of the group, of those below it and of their
// projects, by default the oldest first. [AccessToken.ResourceType] says of which kind.
//
//	GET /groups/:id/manage/resource_access_tokens
func (s *CredentialsService) ListResourceTokens(
	ctx context.Context, group GroupRef, options *ListAccessTokensOptions, opts ...RequestOption,
) ([]*AccessToken, *Response, error) {
	return list[*AccessToken](ctx, using(s), Route(resourceCredentialTokens, group), queryOf(options), opts)
}

// AllResourceTokens returns every access token of a project or a group. See
// [CredentialsService.ListResourceTokens].
//
//	GET /groups/:id/manage/resource_access_tokens
func (s *CredentialsService) AllResourceTokens(
	ctx context.Context, group GroupRef, options *ListAccessTokensOptions, opts ...RequestOption,
) iter.Seq2[*AccessToken, error] {
	return all[*AccessToken](ctx, using(s), Route(resourceCredentialTokens, group), queryOf(options), opts)
}

// RevokeResourceToken revokes the access token of a project or a group, which cannot be undone. The call
// returns [ErrForbidden] for a token from outside the group, and for one of a person.
//
//	DELETE /groups/:id/manage/resource_access_tokens/:token_id
func (s *CredentialsService) RevokeResourceToken(
	ctx context.Context, group GroupRef, tokenID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route(resourceCredentialTokens+"/:token_id", group, tokenID), nil, opts)
}

// RotateResourceToken replaces the access token of a project or a group. Only this response contains the
// new one.
//
//	POST /groups/:id/manage/resource_access_tokens/:token_id/rotate
func (s *CredentialsService) RotateResourceToken(
	ctx context.Context, group GroupRef, tokenID int64, options RotateAccessTokenOptions, opts ...RequestOption,
) (*AccessToken, *Response, error) {
	return do[AccessToken](ctx, using(s), http.MethodPost,
		Route(resourceCredentialTokens+"/:token_id/rotate", group, tokenID), jsonOf(options), opts)
}

// ListSSHKeys returns one page of the SSH keys.
//
//	GET /groups/:id/manage/ssh_keys
func (s *CredentialsService) ListSSHKeys(
	ctx context.Context, group GroupRef, options *ListCredentialSSHKeysOptions, opts ...RequestOption,
) ([]*CredentialSSHKey, *Response, error) {
	return list[*CredentialSSHKey](ctx, using(s), Route(credentialKeys, group), queryOf(options), opts)
}

// AllSSHKeys returns every SSH key.
//
//	GET /groups/:id/manage/ssh_keys
func (s *CredentialsService) AllSSHKeys(
	ctx context.Context, group GroupRef, options *ListCredentialSSHKeysOptions, opts ...RequestOption,
) iter.Seq2[*CredentialSSHKey, error] {
	return all[*CredentialSSHKey](ctx, using(s), Route(credentialKeys, group), queryOf(options), opts)
}

// DeleteSSHKey removes an SSH key from its user.
//
//	DELETE /groups/:id/manage/ssh_keys/:key_id
func (s *CredentialsService) DeleteSSHKey(
	ctx context.Context, group GroupRef, keyID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, Route(credentialKeys+"/:key_id", group, keyID), nil, opts)
}

// CredentialSSHKey is an SSH key of a user, without its text.
type CredentialSSHKey struct {
	ID        int64     `json:"id"`
	Title     string    `json:"title"`
	CreatedAt time.Time `json:"created_at"`
	// ExpiresAt is nil if the key does not expire.
	ExpiresAt *time.Time `json:"expires_at"`
	// LastUsedAt is nil if the key was never used.
	LastUsedAt *time.Time  `json:"last_used_at"`
	UsageType  SSHKeyUsage `json:"usage_type"`
	UserID     int64       `json:"user_id"`
}

// ListCredentialSSHKeysOptions selects SSH keys. All filters must match.
type ListCredentialSSHKeysOptions struct {
	ListOptions
	// CreatedAfter and CreatedBefore limit the time of creation.
	CreatedAfter  time.Time `url:"created_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	CreatedBefore time.Time `url:"created_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	// ExpiresAfter and ExpiresBefore limit the time at which the key expires.
	ExpiresAfter  time.Time `url:"expires_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	ExpiresBefore time.Time `url:"expires_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
}
