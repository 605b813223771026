package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"net/url"
)

// AccessTokensService manages access tokens: personal ones, and those of
// projects and groups. The owner is [Own], a [UserRef] with an ID, a
// [ProjectRef] or a [GroupRef]:
//
//	client.AccessTokens.All(ctx, serviceapi.ProjectPath("acme/app"), nil)
//
// Tokens of other users require an administrator, tokens of a project the
// Maintainer role, tokens of a group the Owner role.
type AccessTokensService service

// AccessTokenOwner is an owner of access tokens: [Own], a [UserRef], a
// [ProjectRef] or a [GroupRef]. The UserRef must be an ID.
type AccessTokenOwner interface{ hasAccessTokens() }

// NewAccessTokenOwner is an owner that access tokens can be created for: a
// [UserRef], a [ProjectRef] or a [GroupRef]. The UserRef must be an ID. Users
// can create their own tokens only in the web interface.
type NewAccessTokenOwner interface {
	AccessTokenOwner
	takesAccessTokens()
}

func (CallerOwner) hasAccessTokens()  {}
func (UserRef) hasAccessTokens()      {}
func (ProjectRef) hasAccessTokens()   {}
func (GroupRef) hasAccessTokens()     {}
func (UserRef) takesAccessTokens()    {}
func (ProjectRef) takesAccessTokens() {}
func (GroupRef) takesAccessTokens()   {}

// accessTokenOf returns the endpoint of one token, or of an action on it.
// Personal tokens have the same endpoint for all users.
func accessTokenOf(owner AccessTokenOwner, suffix string, id int64) Endpoint {
	switch o := owner.(type) {
	case CallerOwner:
		return Route("/personal_access_tokens/:id"+suffix, id)
	case UserRef:
		if _, err := userIDSegment(o); err != nil {
			return Endpoint{template: "/personal_access_tokens/:id" + suffix, err: err}
		}
		return Route("/personal_access_tokens/:id"+suffix, id)
	}
	return below(owner, "/access_tokens/:token_id"+suffix, id)
}

func accessTokensOf(owner AccessTokenOwner) Endpoint {
	switch owner.(type) {
	case CallerOwner, UserRef:
		return Route("/personal_access_tokens")
	}
	return below(owner, "/access_tokens")
}

func newAccessTokenOf(owner NewAccessTokenOwner) Endpoint {
	user, ok := owner.(UserRef)
	if !ok {
		return below(owner, "/access_tokens")
	}
	const template = "/users/:user_id/personal_access_tokens"
	if _, err := userIDSegment(user); err != nil {
		return Endpoint{template: template, err: err}
	}
	return Route(template, user)
}

// userIDSegment is referenceSegment for calls that do not take usernames.
func userIDSegment(user UserRef) (string, error) {
	if user.kind == byName {
		return "", &ArgumentError{Argument: "user", Problem: "must be an ID, but is a name: this endpoint does not accept usernames"}
	}
	return referenceSegment("user", "user", user.reference)
}

// accessTokenFilter is the query of a list of access tokens, including the user
// that they belong to.
type accessTokenFilter struct {
	UserID  AccessTokenOwner         `url:"user_id"`
	Options *ListAccessTokensOptions `url:"-"`
}

func (in accessTokenFilter) encode(cl *call) error {
	if err := queryOf(in.Options).encode(cl); err != nil {
		return err
	}
	user, ok := in.UserID.(UserRef)
	if !ok {
		return nil
	}
	id, err := userIDSegment(user)
	if err != nil {
		return err
	}
	values, err := url.ParseQuery(cl.query)
	if err != nil {
		return err
	}
	values.Set("user_id", id)
	cl.query = values.Encode()
	return nil
}

// List returns one page of access tokens. For an administrator, [Own] lists the
// personal tokens of all users; a [UserRef] selects one user's. The call
// returns [ErrUnauthorized] for another user's tokens if the caller is not an
// administrator.
//
//	GET /personal_access_tokens
//	GET /projects/:id/access_tokens
//	GET /groups/:id/access_tokens
func (s *AccessTokensService) List(ctx context.Context, owner AccessTokenOwner, options *ListAccessTokensOptions, opts ...RequestOption) ([]*AccessToken, *Response, error) {
	return list[*AccessToken](ctx, s.client, accessTokensOf(owner), accessTokenFilter{owner, options}, opts)
}

// All returns every access token of the owner. See [AccessTokensService.List].
//
//	GET /personal_access_tokens
//	GET /projects/:id/access_tokens
//	GET /groups/:id/access_tokens
func (s *AccessTokensService) All(ctx context.Context, owner AccessTokenOwner, options *ListAccessTokensOptions, opts ...RequestOption) iter.Seq2[*AccessToken, error] {
	return all[*AccessToken](ctx, s.client, accessTokensOf(owner), accessTokenFilter{owner, options}, opts)
}

// Current returns the access token that the call is made with, since 15.5.
//
//	GET /personal_access_tokens/self
func (s *AccessTokensService) Current(ctx context.Context, opts ...RequestOption) (*AccessToken, *Response, error) {
	return do[AccessToken](ctx, s.client, http.MethodGet, Route("/personal_access_tokens/self"), nil, opts)
}

// Create creates an access token for a user, which requires an administrator,
// or for a project or a group. Only this response contains the token itself.
//
//	POST /users/:user_id/personal_access_tokens
//	POST /projects/:id/access_tokens
//	POST /groups/:id/access_tokens
func (s *AccessTokensService) Create(ctx context.Context, owner NewAccessTokenOwner, options CreateAccessTokenOptions, opts ...RequestOption) (*IssuedAccessToken, *Response, error) {
	return doSecret[IssuedAccessToken](ctx, s.client, http.MethodPost, newAccessTokenOf(owner), jsonFor(owner, options), opts)
}

// Rotate replaces an access token with a new one that has the same name and
// scopes, since 16.0. The old token is revoked at once, and only this response
// contains the new one: if a program stops before it has stored the token, it
// must find the token by name and rotate it again. So do not make this call
// with the token that is to be rotated.
//
// Since 16.3, making this call with a token that has itself been rotated
// revokes the token that replaced it. The call returns [ErrUnauthorized] or
// [ErrNotFound] for a token that does not exist or that the caller may not
// rotate.
//
//	POST /personal_access_tokens/:id/rotate
//	POST /projects/:id/access_tokens/:token_id/rotate
//	POST /groups/:id/access_tokens/:token_id/rotate
func (s *AccessTokensService) Rotate(ctx context.Context, owner AccessTokenOwner, tokenID int64, options RotateAccessTokenOptions, opts ...RequestOption) (*IssuedAccessToken, *Response, error) {
	return doSecret[IssuedAccessToken](ctx, s.client, http.MethodPost, accessTokenOf(owner, "/rotate", tokenID), jsonOf(options), opts)
}

// Revoke revokes an access token, which cannot be undone.
//
//	DELETE /personal_access_tokens/:id
//	DELETE /projects/:id/access_tokens/:token_id
//	DELETE /groups/:id/access_tokens/:token_id
func (s *AccessTokensService) Revoke(ctx context.Context, owner AccessTokenOwner, tokenID int64, opts ...RequestOption) (*Response, error) {
	return exec(ctx, s.client, http.MethodDelete, accessTokenOf(owner, "", tokenID), nil, opts)
}
