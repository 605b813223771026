package serviceapi

import (
	"cmp"
	"context"
	"iter"
	"net/http"
	"net/url"
	"time"
)

// AccessTokensService manages access tokens: personal ones, and those of
// projects and groups. The owner is [Instance], a [UserRef] with an ID, a
// [ProjectRef] or a [GroupRef]:
//
//	client.AccessTokens.All(ctx, serviceapi.ProjectPath("acme/app"), nil)
//
// Tokens of other users require an administrator, those of a project the Maintainer
// role, and those of a group the Owner role. For the caller's own tokens, pass the
// ID of the user that [UsersService.Current] returns. Current, RotateCurrent and
// RevokeCurrent act on the token that the call is made with. Impersonation tokens,
// which let an administrator act as a user, have methods of their own.
// [ServiceAccountsService] manages the tokens of service accounts.
//
// Its options are [CreateAccessTokenOptions], [CreateImpersonationTokenOptions],
// [ListAccessTokensOptions], [ListImpersonationTokensOptions],
// [ListTokenAssociationsOptions] and [RotateAccessTokenOptions]. See recipe 3 of
// docs/cookbook.md, the example AccessTokensRotate of
// [example.com/serviceapi/examples/recipes].
type AccessTokensService service

// AccessTokenOwner is an owner of access tokens: [Instance], a [UserRef], a
// [ProjectRef] or a [GroupRef]. The UserRef must be an ID. [Own] is not one of them,
// because the service has no list of the caller's own tokens: for an administrator,
// the list without a user contains the tokens of all users.
type AccessTokenOwner interface{ hasAccessTokens() }

// NewAccessTokenOwner is an owner that access tokens can be created for: [Own], a
// [UserRef], a [ProjectRef] or a [GroupRef]. The UserRef must be an ID. For Own, the
// service allows only a few scopes: users create their other tokens in the web
// interface.
type NewAccessTokenOwner interface{ takesAccessTokens() }

// CurrentTokenOwner is an owner of the access token that a call is made with: [Own], a
// [ProjectRef] or a [GroupRef]. Tokens of projects and groups are personal tokens, too: of
// users that were created for them.
type CurrentTokenOwner interface{ hasCurrentToken() }

func (CallerOwner) hasCurrentToken() {}

func (ProjectRef) hasCurrentToken() {}

func (GroupRef) hasCurrentToken() {}

func (InstanceOwner) hasAccessTokens() {}

func (UserRef) hasAccessTokens() {}

func (ProjectRef) hasAccessTokens() {}

func (GroupRef) hasAccessTokens() {}

func (CallerOwner) takesAccessTokens() {}

func (UserRef) takesAccessTokens() {}

func (ProjectRef) takesAccessTokens() {}

func (GroupRef) takesAccessTokens() {}

// accessTokenOf returns the endpoint of one token, or of an action on it.
// Personal tokens have the same endpoint for all users.
func accessTokenOf(owner AccessTokenOwner, suffix string, id int64) Endpoint {
	switch o := owner.(type) {
	case InstanceOwner:
		return Route("/personal_access_tokens/:id"+suffix, id)
	case UserRef:
		if _, err := userSegment(o); err != nil {
			return Endpoint{template: "/personal_access_tokens/:id" + suffix, err: err}
		}
		return Route("/personal_access_tokens/:id"+suffix, id)
	}
	return below(owner, "/access_tokens/:token_id"+suffix, id)
}

func accessTokensOf(owner AccessTokenOwner) Endpoint {
	switch owner.(type) {
	case InstanceOwner, UserRef:
		return Route("/personal_access_tokens")
	}
	return below(owner, "/access_tokens")
}

func newAccessTokenOf(owner NewAccessTokenOwner) Endpoint {
	switch o := owner.(type) {
	case CallerOwner:
		return Route("/user/personal_access_tokens")
	case UserRef:
		return Route("/users/:user_id/personal_access_tokens", onlyID(o))
	}
	return below(owner, "/access_tokens")
}

func currentTokenOf(owner CurrentTokenOwner, suffix string) Endpoint {
	if _, isOwn := owner.(CallerOwner); isOwn {
		return Route("/personal_access_tokens/self" + suffix)
	}
	return below(owner, "/access_tokens/self"+suffix)
}

// userSegment returns the ID of a user in a query.
func userSegment(user UserRef) (string, error) { return pathSegment("user", onlyID(user), false) }

// accessTokenFilter is the query of a list of access tokens, including the user
// that they belong to.
type accessTokenFilter struct {
	UserID  AccessTokenOwner         `url:"user_id"`
	Options *ListAccessTokensOptions `url:"-"`
}

func (in accessTokenFilter) encode(p *payload) error {
	if err := queryOf(in.Options).encode(p); err != nil {
		return err
	}
	user, ok := in.UserID.(UserRef)
	if !ok {
		return nil
	}
	id, err := userSegment(user)
	if err != nil {
		return err
	}
	values, err := url.ParseQuery(p.query)
	if err != nil {
		return err
	}
	values.Set("user_id", id)
	p.query = values.Encode()
	return nil
}

// List returns one page of access tokens. [Instance] lists all personal tokens
// that the caller may see, which are the tokens of all users if the caller is an
// administrator; a [UserRef] selects one user's. The call returns
// [ErrUnauthorized] for another user's tokens if the caller is not an
// administrator.
//
//	GET /personal_access_tokens
//	GET /projects/:id/access_tokens
//	GET /groups/:id/access_tokens
func (s *AccessTokensService) List(
	ctx context.Context, owner AccessTokenOwner, options *ListAccessTokensOptions, opts ...RequestOption,
) ([]*AccessToken, *Response, error) {
	return list[*AccessToken](ctx, using(s), accessTokensOf(owner), accessTokenFilter{owner, options}, opts)
}

// All returns every access token of the owner. See [AccessTokensService.List].
//
//	GET /personal_access_tokens
//	GET /projects/:id/access_tokens
//	GET /groups/:id/access_tokens
func (s *AccessTokensService) All(
	ctx context.Context, owner AccessTokenOwner, options *ListAccessTokensOptions, opts ...RequestOption,
) iter.Seq2[*AccessToken, error] {
	return all[*AccessToken](ctx, using(s), accessTokensOf(owner), accessTokenFilter{owner, options}, opts)
}

// Get returns an access token, but not its value. The ID of a personal token is
// enough to find it: the service does not check that it belongs to the [UserRef].
// The call returns [ErrUnauthorized] for a personal token that does not exist or is
// not the caller's own. For an administrator, it returns [ErrNotFound] if the token
// does not exist.
//
//	GET /personal_access_tokens/:id
//	GET /projects/:id/access_tokens/:token_id
//	GET /groups/:id/access_tokens/:token_id
func (s *AccessTokensService) Get(
	ctx context.Context, owner AccessTokenOwner, tokenID int64, opts ...RequestOption,
) (*AccessToken, *Response, error) {
	return do[AccessToken](ctx, using(s), http.MethodGet, accessTokenOf(owner, "", tokenID), nil, opts)
}

// Current returns the access token that the call is made with. Since 15.5. The call returns
// [ErrBadRequest] or [ErrUnauthorized] if the credential is not an access token but, for
// example, an OAuth token.
//
//	GET /personal_access_tokens/self
func (s *AccessTokensService) Current(ctx context.Context, opts ...RequestOption) (*AccessToken, *Response, error) {
	return do[AccessToken](ctx, using(s), http.MethodGet, Route("/personal_access_tokens/self"), nil, opts)
}

// RotateCurrent replaces the access token that the call is made with, and returns the new
// one, which no other response contains. The old token is revoked at once: a client that uses
// it can make no further calls. It requires the scope [AccessScopeAPI] or
// [AccessScopeSelfRotate].
//
// [Own] is for any access token, since 16.10. A [ProjectRef] or a [GroupRef] makes sure that the
// token is one of this project or group, since 17.9. The call returns [ErrMethodNotAllowed] if
// the credential is not such a token, and [ErrUnauthorized] if it is that of another project or
// group.
//
//	POST /personal_access_tokens/self/rotate
//	POST /projects/:id/access_tokens/self/rotate
//	POST /groups/:id/access_tokens/self/rotate
func (s *AccessTokensService) RotateCurrent(
	ctx context.Context, owner CurrentTokenOwner, options RotateAccessTokenOptions, opts ...RequestOption,
) (*AccessToken, *Response, error) {
	return do[AccessToken](ctx, using(s), http.MethodPost, currentTokenOf(owner, "/rotate"), jsonOf(options), opts)
}

// RevokeCurrent revokes the access token that the call is made with, which cannot
// be undone. The client can make no further calls. The call returns [ErrBadRequest]
// if the credential is not an access token.
//
//	DELETE /personal_access_tokens/self
func (s *AccessTokensService) RevokeCurrent(ctx context.Context, opts ...RequestOption) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, Route("/personal_access_tokens/self"), nil, opts)
}

// Create creates an access token for a user, which requires an administrator,
// or for a project or a group. Only this response contains the token itself.
//
// [Own] was added in 16.5. It allows only the scope [AccessScopeK8sProxy], and in later
// releases [AccessScopeSelfRotate], or any GranularScopes. For other scopes, the call returns
// [ErrBadRequest].
//
//	POST /user/personal_access_tokens
//	POST /users/:user_id/personal_access_tokens
//	POST /projects/:id/access_tokens
//	POST /groups/:id/access_tokens
func (s *AccessTokensService) Create(
	ctx context.Context, owner NewAccessTokenOwner, options CreateAccessTokenOptions, opts ...RequestOption,
) (*AccessToken, *Response, error) {
	return do[AccessToken](ctx, using(s), http.MethodPost, newAccessTokenOf(owner), jsonFor(owner, options), opts)
}

// Rotate replaces an access token with a new one that has the same name and scopes. Since
// 16.0. The ID of a personal token is enough to find it: the service does not check that it
// belongs to the [UserRef]. The old token is revoked at once, and only this response
// contains the new one: if a program stops before it has stored the token, it must find the
// token by name and rotate it again. Do not make this call with the token that is to be
// rotated: see [AccessTokensService.RotateCurrent].
//
// Since 16.3, making this call with a token that has itself been rotated
// revokes the token that replaced it. The call returns [ErrUnauthorized] or
// [ErrNotFound] for a token that does not exist or that the caller may not
// rotate.
//
//	POST /personal_access_tokens/:id/rotate
//	POST /projects/:id/access_tokens/:token_id/rotate
//	POST /groups/:id/access_tokens/:token_id/rotate
func (s *AccessTokensService) Rotate(
	ctx context.Context, owner AccessTokenOwner, tokenID int64, options RotateAccessTokenOptions, opts ...RequestOption,
) (*AccessToken, *Response, error) {
	return do[AccessToken](ctx, using(s), http.MethodPost,
		accessTokenOf(owner, "/rotate", tokenID), jsonOf(options), opts)
}

// Revoke revokes an access token, which cannot be undone. The ID of a personal
// token is enough to find it: the service does not check that it belongs to the
// [UserRef].
//
//	DELETE /personal_access_tokens/:id
//	DELETE /projects/:id/access_tokens/:token_id
//	DELETE /groups/:id/access_tokens/:token_id
func (s *AccessTokensService) Revoke(
	ctx context.Context, owner AccessTokenOwner, tokenID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, accessTokenOf(owner, "", tokenID), nil, opts)
}

// ListImpersonationTokens returns one page of the impersonation tokens of a user. The
// list includes revoked and expired tokens, unless the options exclude them. The user
// must be a [UserID]. Administrators only.
//
//	GET /users/:user_id/impersonation_tokens
func (s *AccessTokensService) ListImpersonationTokens(
	ctx context.Context, user UserRef, options *ListImpersonationTokensOptions, opts ...RequestOption,
) ([]*AccessToken, *Response, error) {
	return list[*AccessToken](ctx, using(s),
		Route("/users/:user_id/impersonation_tokens", onlyID(user)), queryOf(options), opts)
}

// AllImpersonationTokens returns every impersonation token of a user. See
// [AccessTokensService.ListImpersonationTokens].
//
//	GET /users/:user_id/impersonation_tokens
func (s *AccessTokensService) AllImpersonationTokens(
	ctx context.Context, user UserRef, options *ListImpersonationTokensOptions, opts ...RequestOption,
) iter.Seq2[*AccessToken, error] {
	return all[*AccessToken](ctx, using(s),
		Route("/users/:user_id/impersonation_tokens", onlyID(user)), queryOf(options), opts)
}

// GetImpersonationToken returns an impersonation token of a user, but not its value.
// The user must be a [UserID]. Administrators only.
//
//	GET /users/:user_id/impersonation_tokens/:id
func (s *AccessTokensService) GetImpersonationToken(
	ctx context.Context, user UserRef, tokenID int64, opts ...RequestOption,
) (*AccessToken, *Response, error) {
	return do[AccessToken](ctx, using(s), http.MethodGet,
		Route("/users/:user_id/impersonation_tokens/:id", onlyID(user), tokenID), nil, opts)
}

// CreateImpersonationToken creates a token that lets the administrator act as a user.
// The user cannot see the token. Only this response contains the token itself. The
// user must be a [UserID]. Administrators only.
//
//	POST /users/:user_id/impersonation_tokens
func (s *AccessTokensService) CreateImpersonationToken(
	ctx context.Context, user UserRef, options CreateImpersonationTokenOptions, opts ...RequestOption,
) (*AccessToken, *Response, error) {
	return do[AccessToken](ctx, using(s), http.MethodPost,
		Route("/users/:user_id/impersonation_tokens", onlyID(user)), jsonOf(options), opts)
}

// RevokeImpersonationToken revokes an impersonation token of a user, which cannot be
// undone. A revoked token can still be read. The user must be a [UserID].
// Administrators only.
//
//	DELETE /users/:user_id/impersonation_tokens/:id
func (s *AccessTokensService) RevokeImpersonationToken(
	ctx context.Context, user UserRef, tokenID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete,
		Route("/users/:user_id/impersonation_tokens/:id", onlyID(user), tokenID), nil, opts)
}

// AccessScope is a permission that an access token grants.
type AccessScope string

// Scopes of access tokens. AccessScopeReadUser is for personal tokens, and
// AccessScopeSudo for those of administrators. AccessScopeK8sProxy gives access to
// clusters through their agents. It, AccessScopeCreateRunner, AccessScopeManageRunner
// and AccessScopeSelfRotate exist only in later releases, which have others, too.
const (
	AccessScopeAPI             AccessScope = "api"
	AccessScopeReadAPI         AccessScope = "read_api"
	AccessScopeReadUser        AccessScope = "read_user"
	AccessScopeReadRepository  AccessScope = "read_repository"
	AccessScopeWriteRepository AccessScope = "write_repository"
	AccessScopeReadRegistry    AccessScope = "read_registry"
	AccessScopeWriteRegistry   AccessScope = "write_registry"
	AccessScopeSudo            AccessScope = "sudo"
	AccessScopeCreateRunner    AccessScope = "create_runner"
	AccessScopeManageRunner    AccessScope = "manage_runner"
	AccessScopeSelfRotate      AccessScope = "self_rotate"
	AccessScopeK8sProxy        AccessScope = "k8s_proxy"
	// AccessScopeGranular is the only scope of a token with [AccessToken.GranularScopes]. It is
	// not for requests. Since 19.2.
	AccessScopeGranular AccessScope = "granular"
)

// AccessTokenSort is an order of access tokens.
type AccessTokenSort string

// Orders of access tokens.
const (
	AccessTokenSortCreatedAt      AccessTokenSort = "created_asc"
	AccessTokenSortCreatedAtDesc  AccessTokenSort = "created_desc"
	AccessTokenSortExpiresAt      AccessTokenSort = "expires_asc"
	AccessTokenSortExpiresAtDesc  AccessTokenSort = "expires_desc"
	AccessTokenSortLastUsedAt     AccessTokenSort = "last_used_asc"
	AccessTokenSortLastUsedAtDesc AccessTokenSort = "last_used_desc"
	AccessTokenSortName           AccessTokenSort = "name_asc"
	AccessTokenSortNameDesc       AccessTokenSort = "name_desc"
)

// ListAccessTokensOptions selects access tokens. The filters exist in later
// releases: for personal tokens since 15.5, or since about 17.x for
// ExpiresAfter, ExpiresBefore and Sort; for tokens of projects and groups,
// State since 17.2. Earlier releases ignore them.
type ListAccessTokensOptions struct {
	ListOptions
	// State selects tokens that can be used, or those that cannot. Empty selects
	// both.
	State AccessTokenState `url:"state,omitempty"`
	// Revoked selects tokens that were revoked, or those that were not. Nil
	// selects both.
	Revoked *bool `url:"revoked,omitempty"`
	// Search selects tokens whose name contains this string.
	Search string `url:"search,omitempty"`
	// CreatedAfter and CreatedBefore limit the time of creation.
	CreatedAfter  time.Time `url:"created_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	CreatedBefore time.Time `url:"created_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	// LastUsedAfter and LastUsedBefore limit the time of the last use.
	LastUsedAfter  time.Time `url:"last_used_after,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	LastUsedBefore time.Time `url:"last_used_before,omitempty" layout:"2006-01-02T15:04:05.999999999Z07:00"`
	// ExpiresAfter and ExpiresBefore limit the day on which the token expires.
	ExpiresAfter  Date `url:"expires_after,omitempty"`
	ExpiresBefore Date `url:"expires_before,omitempty"`
	// Sort is the order and its direction.
	Sort AccessTokenSort `url:"sort,omitempty"`
}

// CreateAccessTokenOptions describes a new access token. Name is required, and one of Scopes
// and GranularScopes.
type CreateAccessTokenOptions struct {
	Name   string        `json:"name" required:"true"`
	Scopes []AccessScope `json:"scopes,omitzero"`
	// GranularScopes are finer permissions, instead of Scopes. They have at least one element,
	// and no two for the same group or project. Only for [Own], since 19.2, and for a [UserRef],
	// since 19.6. The call returns [ErrNotFound] if the service does not have them.
	GranularScopes []GranularScopeOptions `json:"granular_scopes,omitzero" only:"own,user"`
	// AccessLevel is the role of the token, which cannot be higher than the
	// caller's own. The default is [AccessLevelMaintainer]. Only for a
	// [ProjectRef] or a [GroupRef].
	AccessLevel *AccessLevel `json:"access_level,omitzero" only:"project,group"`
	// ExpiresAt is the first day on which the token does not work, by UTC. It must be in the
	// future, or the call returns [ErrBadRequest]. Nil means never before 16.0, and since then
	// the longest lifetime that the instance allows, which is 365 days by default.
	ExpiresAt *Date `json:"expires_at,omitzero"`
	// Description has at most 255 characters. Since 17.x.
	Description *string `json:"description,omitzero"`
}

func (o CreateAccessTokenOptions) check() error { return checkScopes(o.Scopes, o.GranularScopes) }

// checkScopes refuses a token that would give access to nothing, and one with both kinds of scopes.
func checkScopes(scopes []AccessScope, granular []GranularScopeOptions) error {
	return cmp.Or(missing("Scopes or GranularScopes", len(scopes) == 0 && len(granular) == 0),
		exclusive("Scopes", "GranularScopes", len(scopes) > 0 && len(granular) > 0))
}

// GranularAccess says what the permissions of a granular scope are for.
type GranularAccess string

// What the permissions are for: chosen groups and projects, the personal projects of the user, all
// groups and projects of the user, the user's own things, or the whole instance.
const (
	GranularAccessSelectedMemberships GranularAccess = "selected_memberships"
	GranularAccessPersonalProjects    GranularAccess = "personal_projects"
	GranularAccessAllMemberships      GranularAccess = "all_memberships"
	GranularAccessUser                GranularAccess = "user"
	GranularAccessInstance            GranularAccess = "instance"
)

// GranularScopeOptions are permissions for a new access token. Access and Permissions are required.
type GranularScopeOptions struct {
	Access GranularAccess `json:"access" required:"true"`
	// Permissions are what the token may do. The call returns [ErrUnprocessable], with a message
	// that names it, for one that the service does not know.
	Permissions []GranularPermission `json:"permissions,omitzero" required:"true"`
	// ProjectIDs and GroupIDs are the chosen projects and groups, for
	// [GranularAccessSelectedMemberships] alone. The user must be a member of each. A group
	// stands for everything in it.
	ProjectIDs []int64 `json:"project_ids,omitzero"`
	GroupIDs   []int64 `json:"group_ids,omitzero"`
}

// GranularScope are permissions of an access token, for one group or project if it was made for
// several.
type GranularScope struct {
	Access      GranularAccess       `json:"access"`
	Permissions []GranularPermission `json:"permissions"`
	// ProjectID and GroupID are the chosen project or group. Both are nil unless Access is
	// [GranularAccessSelectedMemberships].
	ProjectID *int64 `json:"project_id"`
	GroupID   *int64 `json:"group_id"`
}

// RotateAccessTokenOptions describes the token that replaces another.
type RotateAccessTokenOptions struct {
	// ExpiresAt is the first day on which the new token does not work. It must be in the
	// future, or the call returns [ErrBadRequest]. Nil means in one week. Since 16.6.
	ExpiresAt *Date `json:"expires_at,omitzero"`
}

// ListImpersonationTokensOptions selects impersonation tokens.
type ListImpersonationTokensOptions struct {
	ListOptions
	// State selects tokens that can be used, or those that cannot. Empty selects
	// both.
	State AccessTokenState `url:"state,omitempty"`
}

// CreateImpersonationTokenOptions describes a new impersonation token. Name is required, and
// one of Scopes and GranularScopes.
type CreateImpersonationTokenOptions struct {
	Name   string        `json:"name" required:"true"`
	Scopes []AccessScope `json:"scopes,omitzero"`
	// GranularScopes are as in [CreateAccessTokenOptions]. Since 19.2.
	GranularScopes []GranularScopeOptions `json:"granular_scopes,omitzero"`
	// ExpiresAt is the first day on which the token does not work. It must be in the future, or
	// the call returns [ErrBadRequest]. Later releases require it. In earlier ones, nil means
	// never.
	ExpiresAt *Date `json:"expires_at,omitzero"`
	// Description has at most 255 characters. Since 17.x.
	Description *string `json:"description,omitzero"`
}

func (o CreateImpersonationTokenOptions) check() error {
	return checkScopes(o.Scopes, o.GranularScopes)
}

// AccessToken is a personal access token, or one of a project or a group.
type AccessToken struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	// Token is the token itself, which can be passed to [PrivateToken]. Only the
	// calls that create or rotate a token set it: store it, because the service
	// does not show it again.
	Token Secret `json:"token,omitzero"`
	// Description is empty before 17.x.
	Description string `json:"description"`
	// Revoked reports whether the token was revoked or rotated, and Active whether it
	// is neither revoked nor expired.
	Revoked bool          `json:"revoked"`
	Active  bool          `json:"active"`
	Scopes  []AccessScope `json:"scopes"`
	// UserID is the ID of the user that the token acts as. For a token of a project
	// or a group, this is a bot user that was created for the token.
	UserID int64 `json:"user_id"`
	// AccessLevel is the role of a token of a project or a group, and 0 for a
	// personal one.
	AccessLevel AccessLevel `json:"access_level"`
	// Impersonation reports whether the token is an impersonation token, which lets
	// an administrator act as the user.
	Impersonation bool      `json:"impersonation"`
	CreatedAt     time.Time `json:"created_at"`
	// LastUsedAt is nil if the token was never used.
	LastUsedAt *time.Time `json:"last_used_at"`
	// ExpiresAt is the first day on which the token does not work, nil if it does not expire.
	ExpiresAt *Date `json:"expires_at"`
	// LastUsedIPs are the IP addresses that the token was last used from. Since 19.4.
	LastUsedIPs []string `json:"last_used_ips"`
	// Granular reports whether GranularScopes, and not Scopes, say what the token may do. Since
	// 19.2.
	Granular bool `json:"granular"`
	// GranularScopes are finer permissions. They are nil for other tokens, and where the
	// service does not say: since 19.2, it does so for personal tokens in a list, by
	// themselves and after Rotate, since 19.5 for the token of the call, and since 19.6 after
	// Create and for impersonation tokens.
	GranularScopes []*GranularScope `json:"granular_scopes"`
	// ResourceType is what a token of a project or a group is for, and ResourceID its ID. They
	// are empty and nil for other tokens. Only in later releases.
	ResourceType AccessTokenResource `json:"resource_type"`
	ResourceID   *int64              `json:"resource_id"`
}

// AccessTokenResource is the kind of object that a token is for.
type AccessTokenResource string

// Kinds of objects that a token is for.
const (
	AccessTokenResourceProject AccessTokenResource = "project"
	AccessTokenResourceGroup   AccessTokenResource = "group"
)

// AccessTokenState selects access tokens by whether they can be used.
type AccessTokenState string

// States of access tokens. An inactive token was revoked or has expired.
const (
	AccessTokenStateActive   AccessTokenState = "active"
	AccessTokenStateInactive AccessTokenState = "inactive"
)
