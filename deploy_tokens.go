package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// DeployTokensService manages deploy tokens. A deploy token is a user name and a
// password that let Git and registry clients read or write the repository, images and
// packages of a project, or of all projects of a group. It belongs to no user, and this
// API does not accept it as a [Credential].
//
//	client.DeployTokens.All(ctx, serviceapi.ProjectPath("acme/shop"), nil)
//
// Tokens of a project require the Maintainer role. Tokens of a group require the
// Maintainer role to be read, and the Owner role to be created and deleted. The list
// of [Instance] requires an administrator.
//
// Its options are [CreateDeployTokenOptions] and [ListDeployTokensOptions]. See the
// example of [DeployTokensService.Create].
type DeployTokensService service

// DeployTokenOwner is an owner of deploy tokens: a [ProjectRef], a [GroupRef], or
// [Instance] for the tokens of all projects and groups.
type DeployTokenOwner interface{ hasDeployTokens() }

// NewDeployTokenOwner is an owner that deploy tokens can be created for: a [ProjectRef]
// or a [GroupRef]. A single token is also read and deleted through it.
type NewDeployTokenOwner interface {
	DeployTokenOwner
	takesDeployTokens()
}

func (InstanceOwner) hasDeployTokens() {}
func (ProjectRef) hasDeployTokens()    {}
func (GroupRef) hasDeployTokens()      {}
func (ProjectRef) takesDeployTokens()  {}
func (GroupRef) takesDeployTokens()    {}

// List returns one page of the deploy tokens of an owner. The list includes expired and
// revoked tokens, unless the options exclude them. The tokens of a group are not in the
// lists of its projects.
//
//	GET /deploy_tokens
//	GET /projects/:id/deploy_tokens
//	GET /groups/:id/deploy_tokens
func (s *DeployTokensService) List(
	ctx context.Context, owner DeployTokenOwner, options *ListDeployTokensOptions, opts ...RequestOption,
) ([]*DeployToken, *Response, error) {
	return list[*DeployToken](ctx, using(s), below(owner, "/deploy_tokens"), queryOf(options), opts)
}

// All returns every deploy token of an owner. See [DeployTokensService.List].
//
//	GET /deploy_tokens
//	GET /projects/:id/deploy_tokens
//	GET /groups/:id/deploy_tokens
func (s *DeployTokensService) All(
	ctx context.Context, owner DeployTokenOwner, options *ListDeployTokensOptions, opts ...RequestOption,
) iter.Seq2[*DeployToken, error] {
	return all[*DeployToken](ctx, using(s), below(owner, "/deploy_tokens"), queryOf(options), opts)
}

// Get returns a deploy token, but not its value.
//
//	GET /projects/:id/deploy_tokens/:token_id
//	GET /groups/:id/deploy_tokens/:token_id
func (s *DeployTokensService) Get(
	ctx context.Context, owner NewDeployTokenOwner, tokenID int64, opts ...RequestOption,
) (*DeployToken, *Response, error) {
	return do[DeployToken](ctx, using(s), http.MethodGet, below(owner, "/deploy_tokens/:token_id", tokenID), nil, opts)
}

// Create creates a deploy token. Only this response contains its value. Several tokens
// can have the same name. The call returns [ErrBadRequest] if there is no scope, or if
// the name or the user name is not allowed.
//
//	POST /projects/:id/deploy_tokens
//	POST /groups/:id/deploy_tokens
func (s *DeployTokensService) Create(
	ctx context.Context, owner NewDeployTokenOwner, options CreateDeployTokenOptions, opts ...RequestOption,
) (*DeployToken, *Response, error) {
	return do[DeployToken](ctx, using(s), http.MethodPost, below(owner, "/deploy_tokens"), jsonOf(options), opts)
}

// Delete deletes a deploy token, which stops working at once.
//
//	DELETE /projects/:id/deploy_tokens/:token_id
//	DELETE /groups/:id/deploy_tokens/:token_id
func (s *DeployTokensService) Delete(
	ctx context.Context, owner NewDeployTokenOwner, tokenID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, below(owner, "/deploy_tokens/:token_id", tokenID), nil, opts)
}

// DeployTokenScope is a permission that a deploy token grants.
type DeployTokenScope string

// Scopes of deploy tokens. Those for virtual registries exist in later releases.
const (
	DeployTokenScopeReadRepository       DeployTokenScope = "read_repository"
	DeployTokenScopeReadRegistry         DeployTokenScope = "read_registry"
	DeployTokenScopeWriteRegistry        DeployTokenScope = "write_registry"
	DeployTokenScopeReadPackageRegistry  DeployTokenScope = "read_package_registry"
	DeployTokenScopeWritePackageRegistry DeployTokenScope = "write_package_registry"
	DeployTokenScopeReadVirtualRegistry  DeployTokenScope = "read_virtual_registry"
	DeployTokenScopeWriteVirtualRegistry DeployTokenScope = "write_virtual_registry"
)

// DeployToken is a deploy token of a project or a group.
type DeployToken struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	// Username is the user name that is sent together with the token.
	Username string `json:"username"`
	// Token is the token itself, which is used as a password. Only
	// [DeployTokensService.Create] sets it: store it, because the service does not show
	// it again.
	Token  Secret             `json:"token,omitzero"`
	Scopes []DeployTokenScope `json:"scopes"`
	// ExpiresAt is the midnight at which the token expires, nil if it does not expire.
	ExpiresAt *time.Time `json:"expires_at"`
	// Revoked reports whether the token was revoked in the web interface, and Expired
	// whether its ExpiresAt has passed.
	Revoked bool `json:"revoked"`
	Expired bool `json:"expired"`
}

// ListDeployTokensOptions selects deploy tokens.
type ListDeployTokensOptions struct {
	ListOptions
	// Active leaves out tokens that have expired or were revoked.
	Active bool `url:"active,omitempty"`
}

// CreateDeployTokenOptions describes a new deploy token. Name and Scopes are required.
type CreateDeployTokenOptions struct {
	// Name has at most 255 characters.
	Name   string             `json:"name" required:"true"`
	Scopes []DeployTokenScope `json:"scopes" required:"true"`
	// ExpiresAt is the first day on which the token does not work. Nil means never.
	ExpiresAt *Date `json:"expires_at,omitzero"`
	// Username consists of letters, digits and the characters _ - + and . By default,
	// the service derives it from the ID, as in service+deploy-token-7.
	Username *string `json:"username,omitzero"`
}
