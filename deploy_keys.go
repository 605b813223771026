package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// DeployKeysService manages deploy keys: SSH keys that give access to projects
// and belong to no user. One key can be enabled in many projects.
//
//	client.DeployKeys.All(ctx, serviceapi.ProjectPath("acme/shop"), nil)
//	client.DeployKeys.All(ctx, serviceapi.Username("ada"), nil)
//	client.DeployKeys.All(ctx, serviceapi.Instance, nil)
//
// Its options are [CreateDeployKeyOptions], [ListDeployKeysOptions] and
// [UpdateDeployKeyOptions]. See the example DeployKeysCreate in repository_test.go of
// [example.com/serviceapi/examples/recipes].
type DeployKeysService service

// DeployKeyOwner is an owner of deploy keys: [Instance], a [ProjectRef] or a
// [UserRef].
type DeployKeyOwner interface{ hasDeployKeys() }

// NewDeployKeyOwner is an owner that deploy keys can be created for: a [ProjectRef] or
// [Instance].
type NewDeployKeyOwner interface {
	DeployKeyOwner
	takesDeployKeys()
}

func (InstanceOwner) hasDeployKeys()   {}
func (ProjectRef) hasDeployKeys()      {}
func (UserRef) hasDeployKeys()         {}
func (InstanceOwner) takesDeployKeys() {}
func (ProjectRef) takesDeployKeys()    {}

func deployKeysOf(owner DeployKeyOwner) Endpoint {
	if user, ok := owner.(UserRef); ok {
		return Route("/users/:id_or_username/project_deploy_keys", user)
	}
	return below(owner, "/deploy_keys")
}

// DeployKey is an SSH key that gives access to projects.
type DeployKey struct {
	ID    int64  `json:"id"`
	Title string `json:"title"`
	// Key is the public key, as in an authorized_keys file.
	Key string `json:"key"`
	// Fingerprint is the MD5 fingerprint. It is empty on FIPS-enabled systems.
	Fingerprint string `json:"fingerprint"`
	// FingerprintSHA256 begins with "SHA256:".
	FingerprintSHA256 string    `json:"fingerprint_sha256"`
	CreatedAt         time.Time `json:"created_at"`
	// CanPush reports whether the key may write to the project. It is nil in the
	// lists of all keys and of a user's keys, which span several projects.
	CanPush *bool `json:"can_push"`
	// ExpiresAt is nil if the key does not expire. Older releases set it only in
	// the list of a user's keys.
	ExpiresAt *time.Time `json:"expires_at"`
	// ProjectsWithWriteAccess are the projects that the key may write to. They are
	// set only in the list of all keys.
	ProjectsWithWriteAccess []*ProjectSummary `json:"projects_with_write_access"`
	// ProjectsWithReadonlyAccess are the projects that the key may only read. They
	// are set only in the list of all keys. Since 16.0.
	ProjectsWithReadonlyAccess []*ProjectSummary `json:"projects_with_readonly_access"`
	// UsageType says what the key is for. Since about 15.7.
	UsageType SSHKeyUsage `json:"usage_type"`
	// LastUsedAt is nil if the key was never used. Since 17.11.
	LastUsedAt *time.Time `json:"last_used_at"`
}

// ListDeployKeysOptions selects deploy keys.
type ListDeployKeysOptions struct {
	ListOptions
	// Public selects only keys that any project may enable. Only for [Instance].
	Public bool `url:"public,omitempty" only:"instance"`
}

// CreateDeployKeyOptions describes a deploy key. Title and Key are required.
type CreateDeployKeyOptions struct {
	Title string `json:"title" required:"true"`
	// Key is the public key, as in an authorized_keys file.
	Key string `json:"key" required:"true"`
	// CanPush allows the key to write to the project. Nil means false. Only for a project.
	CanPush *bool `json:"can_push,omitzero" only:"project"`
	// ExpiresAt is when the key expires. Nil means never. Since about 15.x.
	ExpiresAt *time.Time `json:"expires_at,omitzero"`
}

// UpdateDeployKeyOptions changes a deploy key. Nil fields are left unchanged.
type UpdateDeployKeyOptions struct {
	Title *string `json:"title,omitzero"`
	// CanPush says whether the key may write to the project, or only read it.
	CanPush *bool `json:"can_push,omitzero"`
}

// List returns one page of the deploy keys of an owner:
//
//   - for a project, those that are enabled in it,
//   - for a user, those that are enabled in the projects that the caller and
//     the user have in common,
//   - for [Instance], all keys, which requires an administrator and is not
//     possible on the hosted offering.
//
// The call returns an [*ArgumentError] for an option that this owner does not
// support.
//
//	GET /deploy_keys
//	GET /projects/:id/deploy_keys
//	GET /users/:id_or_username/project_deploy_keys
func (s *DeployKeysService) List(
	ctx context.Context, owner DeployKeyOwner, options *ListDeployKeysOptions, opts ...RequestOption,
) ([]*DeployKey, *Response, error) {
	return list[*DeployKey](ctx, using(s), deployKeysOf(owner), queryFor(owner, options), opts)
}

// All returns every deploy key of an owner. See [DeployKeysService.List] for
// what is listed for each owner. The sequence yields an [*ArgumentError] for an
// option that this owner does not support.
//
//	GET /deploy_keys
//	GET /projects/:id/deploy_keys
//	GET /users/:id_or_username/project_deploy_keys
func (s *DeployKeysService) All(
	ctx context.Context, owner DeployKeyOwner, options *ListDeployKeysOptions, opts ...RequestOption,
) iter.Seq2[*DeployKey, error] {
	return all[*DeployKey](ctx, using(s), deployKeysOf(owner), queryFor(owner, options), opts)
}

// Get returns one deploy key of a project.
//
//	GET /projects/:id/deploy_keys/:key_id
func (s *DeployKeysService) Get(
	ctx context.Context, project ProjectRef, keyID int64, opts ...RequestOption,
) (*DeployKey, *Response, error) {
	return do[DeployKey](ctx, using(s), http.MethodGet,
		Route("/projects/:id/deploy_keys/:key_id", project, keyID), nil, opts)
}

// Create adds a deploy key to a project. If another project that the caller has
// access to already has the key, it is enabled in this project too, and keeps its
// ID. Only the fields ID, Title, Key, CanPush and CreatedAt are certain to be set:
// Get returns the rest.
//
// For [Instance], the key is one that every project may enable. That requires an
// administrator. The call returns [ErrBadRequest] if there is such a key. Since 17.5.
//
//	POST /deploy_keys
//	POST /projects/:id/deploy_keys
func (s *DeployKeysService) Create(
	ctx context.Context, owner NewDeployKeyOwner, options CreateDeployKeyOptions, opts ...RequestOption,
) (*DeployKey, *Response, error) {
	return do[DeployKey](ctx, using(s), http.MethodPost, deployKeysOf(owner), jsonFor(owner, options), opts)
}

// Update changes a deploy key: its title in all projects, and its permission to
// write in this project.
//
//	PUT /projects/:id/deploy_keys/:key_id
func (s *DeployKeysService) Update(
	ctx context.Context, project ProjectRef, keyID int64, options UpdateDeployKeyOptions, opts ...RequestOption,
) (*DeployKey, *Response, error) {
	return do[DeployKey](ctx, using(s), http.MethodPut,
		Route("/projects/:id/deploy_keys/:key_id", project, keyID), jsonOf(options), opts)
}

// Delete removes a deploy key from a project. The key itself is deleted if no
// other project has it.
//
//	DELETE /projects/:id/deploy_keys/:key_id
func (s *DeployKeysService) Delete(
	ctx context.Context, project ProjectRef, keyID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, Route("/projects/:id/deploy_keys/:key_id", project, keyID), nil, opts)
}

// Enable enables an existing deploy key in a project.
//
//	POST /projects/:id/deploy_keys/:key_id/enable
func (s *DeployKeysService) Enable(
	ctx context.Context, project ProjectRef, keyID int64, opts ...RequestOption,
) (*DeployKey, *Response, error) {
	return do[DeployKey](ctx, using(s), http.MethodPost,
		Route("/projects/:id/deploy_keys/:key_id/enable", project, keyID), nil, opts)
}
