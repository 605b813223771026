package serviceapi

import (
	"context"
	"encoding/json"
	"net/http"
)

// TokenInformationService says whose a token of any kind is, and ends it: for tokens that leaked. It
// requires an administrator. The token is only in the body of the request, and in no error, log or
// dump. Since 17.5.
//
// Its options are [AnyTokenOptions]. See the example of [TokenInformationService.Get].
type TokenInformationService service

// AnyTokenOptions has a token. Token is required.
type AnyTokenOptions struct {
	Token Secret `json:"token" required:"true"`
}

// Get returns what the service knows of a token: an access token, a deploy token, the token of a feed
// or of incoming mail, a session cookie, the secret of an OAuth application, the token of an agent,
// a runner, a trigger, a job or feature flags. The call returns [ErrNotFound] if there is no such
// token, and [ErrUnprocessable] if its prefix is that of no kind.
//
//	POST /admin/token
func (s *TokenInformationService) Get(
	ctx context.Context, options AnyTokenOptions, opts ...RequestOption,
) (*TokenInformation, *Response, error) {
	return do[TokenInformation](ctx, using(s), http.MethodPost, Route("/admin/token"), jsonOf(options), opts)
}

// Revoke ends a token: it revokes it, or replaces it by another one where the owner cannot be without,
// as of feeds, mail, applications, runners and feature flags. Since 17.7. The call returns
// [ErrUnprocessable] for the token of a job. It also ends the token that it is made with.
//
//	DELETE /admin/token
func (s *TokenInformationService) Revoke(
	ctx context.Context, options AnyTokenOptions, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, Route("/admin/token"), jsonOf(options), opts)
}

// TokenInformation is the object that a token belongs to. It is that of another area for each kind of
// token, and no member tells the kind.
type TokenInformation struct {
	// ID is that of the token or of the object that it is of, such as the user of a feed. It is nil
	// for some kinds, such as that of a job.
	ID *int64 `json:"id"`
	// UserID is the user whom an access token belongs to, nil for other kinds.
	UserID *int64   `json:"user_id"`
	Name   string   `json:"name"`
	Scopes []string `json:"scopes,omitzero"`
	// Revoked, Active and ExpiresAt are nil for kinds that do not have them.
	Revoked   *bool `json:"revoked"`
	Active    *bool `json:"active"`
	ExpiresAt *Date `json:"expires_at"`
	// Token is that of a trigger, whole only for its owner.
	Token Secret `json:"token,omitzero"`
	// Extra holds all members that have no field here, by name. It may contain secrets, which
	// printing or encoding it reveals.
	Extra map[string]json.RawMessage `json:"-"`
}

// UnmarshalJSON decodes the members that have a field, and keeps the others.
func (t *TokenInformation) UnmarshalJSON(data []byte) error {
	type plain TokenInformation
	return decodeWithExtra(data, (*plain)(t), &t.Extra)
}

// MarshalJSON encodes the members that have a field, and the others.
func (t TokenInformation) MarshalJSON() ([]byte, error) {
	type plain TokenInformation
	return encodeWithExtra(plain(t), t.Extra)
}
