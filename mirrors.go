package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// MirrorsService manages the mirrors of projects: remote mirrors, which the project pushes
// to, and the pull mirror, which the project copies. URLs that are sent may contain a name
// and a password, so they are a [Secret]; in results, both are masked.
type MirrorsService service

// RemoteMirror is a repository that a project pushes to.
type RemoteMirror struct {
	ID      int64 `json:"id"`
	Enabled bool  `json:"enabled"`
	// URL has asterisks in place of a name and a password.
	URL          string             `json:"url"`
	UpdateStatus MirrorUpdateStatus `json:"update_status"`
	// LastUpdateAt, LastUpdateStartedAt and LastSuccessfulUpdateAt are nil if that has
	// not happened yet.
	LastUpdateAt           *time.Time `json:"last_update_at"`
	LastUpdateStartedAt    *time.Time `json:"last_update_started_at"`
	LastSuccessfulUpdateAt *time.Time `json:"last_successful_update_at"`
	// LastError is empty if the last update did not fail.
	LastError string `json:"last_error"`
	// OnlyProtectedBranches pushes only protected branches.
	OnlyProtectedBranches bool `json:"only_protected_branches"`
	// KeepDivergentRefs leaves branches alone that have changed in the mirror. Nil, if it
	// was never set, means false.
	KeepDivergentRefs *bool            `json:"keep_divergent_refs"`
	AuthMethod        MirrorAuthMethod `json:"auth_method"` // since 16.10
	// MirrorBranchRegex is an expression for the names of the branches that are pushed,
	// empty for all. Since 16.2. Premium.
	MirrorBranchRegex string `json:"mirror_branch_regex"`
	// HostKeys are the keys by which the other host is known. Since 18.4.
	HostKeys []*MirrorHostKey `json:"host_keys"`
}

// MirrorHostKey is a key of the host of a mirror.
type MirrorHostKey struct {
	FingerprintSHA256 string `json:"fingerprint_sha256"`
}

// MirrorUpdateStatus is the state of the last update of a mirror.
type MirrorUpdateStatus string

// States of an update. MirrorUpdateStatusNone is that of a new mirror. The service may
// send others.
const (
	MirrorUpdateStatusNone      MirrorUpdateStatus = "none"
	MirrorUpdateStatusScheduled MirrorUpdateStatus = "scheduled"
	MirrorUpdateStatusStarted   MirrorUpdateStatus = "started"
	MirrorUpdateStatusFinished  MirrorUpdateStatus = "finished"
	MirrorUpdateStatusFailed    MirrorUpdateStatus = "failed"
)

// MirrorAuthMethod is how a project signs in to a remote mirror.
type MirrorAuthMethod string

// Ways to sign in: with the password in the URL, or with a key that the service makes.
const (
	MirrorAuthMethodPassword     MirrorAuthMethod = "password"
	MirrorAuthMethodSSHPublicKey MirrorAuthMethod = "ssh_public_key"
)

// PullMirror is what a project copies from another repository. Premium.
type PullMirror struct {
	ID           int64              `json:"id"`
	UpdateStatus MirrorUpdateStatus `json:"update_status"`
	// URL has asterisks in place of a name and a password.
	URL string `json:"url"`
	// LastError is empty if the last update did not fail.
	LastError string `json:"last_error"`
	// LastUpdateAt, LastUpdateStartedAt and LastSuccessfulUpdateAt are nil if that has
	// not happened yet.
	LastUpdateAt           *time.Time `json:"last_update_at"`
	LastUpdateStartedAt    *time.Time `json:"last_update_started_at"`
	LastSuccessfulUpdateAt *time.Time `json:"last_successful_update_at"`
	Enabled                bool       `json:"enabled"`
	// MirrorTriggerBuilds runs pipelines for the changes that were copied.
	MirrorTriggerBuilds bool `json:"mirror_trigger_builds"`
	// OnlyMirrorProtectedBranches copies only protected branches, and
	// MirrorOverwritesDivergedBranches overwrites branches that have changed in the
	// project. Nil, if it was never set, means false.
	OnlyMirrorProtectedBranches      *bool `json:"only_mirror_protected_branches"`
	MirrorOverwritesDivergedBranches *bool `json:"mirror_overwrites_diverged_branches"`
	// MirrorBranchRegex is an expression for the names of the branches that are copied,
	// empty for all.
	MirrorBranchRegex string `json:"mirror_branch_regex"`
}

// CreateRemoteMirrorOptions describes a new remote mirror. URL is required. Nil fields
// have their default value.
type CreateRemoteMirrorOptions struct {
	// URL begins with http, https, ssh or git, and may contain a name and a password.
	URL Secret `json:"url"`
	// Enabled makes the project push. Nil means false.
	Enabled *bool `json:"enabled,omitzero"`
	// OnlyProtectedBranches and KeepDivergentRefs are as in [RemoteMirror]. Nil means
	// false.
	OnlyProtectedBranches *bool `json:"only_protected_branches,omitzero"`
	KeepDivergentRefs     *bool `json:"keep_divergent_refs,omitzero"`
	// AuthMethod is [MirrorAuthMethodPassword] by default. Since 16.10.
	AuthMethod *MirrorAuthMethod `json:"auth_method,omitzero"`
	// MirrorBranchRegex excludes OnlyProtectedBranches. Since 16.2. Premium.
	MirrorBranchRegex *string `json:"mirror_branch_regex,omitzero"`
	// HostKeys are the keys by which the other host is known. Since 18.4.
	HostKeys []string `json:"host_keys,omitzero"`
}

func (o CreateRemoteMirrorOptions) check() error { return missing("URL", o.URL.IsEmpty()) }

// UpdateRemoteMirrorOptions changes a remote mirror, but not its URL. Nil fields are left
// unchanged.
type UpdateRemoteMirrorOptions struct {
	// Enabled and the following fields are as in [CreateRemoteMirrorOptions].
	Enabled               *bool             `json:"enabled,omitzero"`
	OnlyProtectedBranches *bool             `json:"only_protected_branches,omitzero"`
	KeepDivergentRefs     *bool             `json:"keep_divergent_refs,omitzero"`
	AuthMethod            *MirrorAuthMethod `json:"auth_method,omitzero"`
	MirrorBranchRegex     *string           `json:"mirror_branch_regex,omitzero"`
	HostKeys              []string          `json:"host_keys,omitzero"`
}

// UpdatePullMirrorOptions changes what a project copies. Nil fields are left unchanged.
type UpdatePullMirrorOptions struct {
	Enabled *bool `json:"enabled,omitzero"`
	// URL may contain a name and a password. AuthUser and AuthPassword set them apart
	// from it.
	URL          *Secret `json:"url,omitzero"`
	AuthUser     *string `json:"auth_user,omitzero"`
	AuthPassword *Secret `json:"auth_password,omitzero"`
	// MirrorTriggerBuilds and the following fields are as in [PullMirror].
	MirrorTriggerBuilds              *bool   `json:"mirror_trigger_builds,omitzero"`
	OnlyMirrorProtectedBranches      *bool   `json:"only_mirror_protected_branches,omitzero"`
	MirrorOverwritesDivergedBranches *bool   `json:"mirror_overwrites_diverged_branches,omitzero"`
	MirrorBranchRegex                *string `json:"mirror_branch_regex,omitzero"`
}

func remoteMirrors(project ProjectRef) Endpoint {
	return Route("/projects/:id/remote_mirrors", project).forbiddenBy401()
}

func remoteMirror(project ProjectRef, mirrorID int64) Endpoint {
	return Route("/projects/:id/remote_mirrors/:mirror_id", project, mirrorID).forbiddenBy401()
}

// List returns one page of the remote mirrors of a project. Requires the Maintainer role:
// others get [ErrUnauthorized].
//
//	GET /projects/:id/remote_mirrors
func (s *MirrorsService) List(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) ([]*RemoteMirror, *Response, error) {
	return list[*RemoteMirror](ctx, s.client, remoteMirrors(project), queryOf(options), opts)
}

// All returns every remote mirror of a project. Requires the Maintainer role: for others,
// the walk ends with [ErrUnauthorized].
//
//	GET /projects/:id/remote_mirrors
func (s *MirrorsService) All(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*RemoteMirror, error] {
	return all[*RemoteMirror](ctx, s.client, remoteMirrors(project), queryOf(options), opts)
}

// Get returns a remote mirror. Requires the Maintainer role: others get
// [ErrUnauthorized].
//
//	GET /projects/:id/remote_mirrors/:mirror_id
func (s *MirrorsService) Get(
	ctx context.Context, project ProjectRef, mirrorID int64, opts ...RequestOption,
) (*RemoteMirror, *Response, error) {
	return do[RemoteMirror](ctx, s.client, http.MethodGet, remoteMirror(project, mirrorID), nil, opts)
}

// Create makes a project push to another repository. The call returns [ErrBadRequest]
// with the reasons in [Error.Fields] for a URL that the service refuses. Requires the
// Maintainer role: others get [ErrUnauthorized].
//
//	POST /projects/:id/remote_mirrors
func (s *MirrorsService) Create(
	ctx context.Context, project ProjectRef, options CreateRemoteMirrorOptions, opts ...RequestOption,
) (*RemoteMirror, *Response, error) {
	return do[RemoteMirror](ctx, s.client, http.MethodPost, remoteMirrors(project), jsonOf(options), opts)
}

// Update changes a remote mirror. Its URL cannot be changed: delete it, and create
// another. Requires the Maintainer role: others get [ErrUnauthorized].
//
//	PUT /projects/:id/remote_mirrors/:mirror_id
func (s *MirrorsService) Update(
	ctx context.Context, project ProjectRef, mirrorID int64, options UpdateRemoteMirrorOptions, opts ...RequestOption,
) (*RemoteMirror, *Response, error) {
	return do[RemoteMirror](ctx, s.client, http.MethodPut, remoteMirror(project, mirrorID), jsonOf(options), opts)
}

// Delete removes a remote mirror. Requires the Maintainer role: others get
// [ErrUnauthorized].
//
//	DELETE /projects/:id/remote_mirrors/:mirror_id
func (s *MirrorsService) Delete(
	ctx context.Context, project ProjectRef, mirrorID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, s.client, http.MethodDelete, remoteMirror(project, mirrorID), nil, opts)
}

// UpdatePull changes what a project copies from another repository. The settings of the
// project, such as [Project.Mirror], show the same state. Requires the Maintainer role.
// Since 17.6; before, [ProjectsService.Update] changes it. Premium.
//
//	PUT /projects/:id/mirror/pull
func (s *MirrorsService) UpdatePull(
	ctx context.Context, project ProjectRef, options UpdatePullMirrorOptions, opts ...RequestOption,
) (*PullMirror, *Response, error) {
	return do[PullMirror](ctx, s.client, http.MethodPut, Route("/projects/:id/mirror/pull", project), jsonOf(options),
		opts)
}
