package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// MirrorsService manages the mirrors of projects: remote mirrors, which the project pushes
// to, and the pull mirror, which the project copies. A URL that is sent may contain a
// username and a password, so it is a [Secret]; in results, both are masked.
//
// Its options are [CreateRemoteMirrorOptions], [ListOptions], [UpdatePullMirrorOptions]
// and [UpdateRemoteMirrorOptions]. See the example MirrorsCreate in repository_test.go of
// [example.com/serviceapi/examples/recipes].
type MirrorsService service

// RemoteMirror is a repository that a project pushes to.
type RemoteMirror struct {
	ID      int64 `json:"id"`
	Enabled bool  `json:"enabled"`
	// URL has asterisks in place of the username and the password.
	URL          string             `json:"url"`
	UpdateStatus MirrorUpdateStatus `json:"update_status"`
	// LastUpdateAt, LastUpdateStartedAt and LastSuccessfulUpdateAt are nil until the first
	// such update.
	LastUpdateAt           *time.Time `json:"last_update_at"`
	LastUpdateStartedAt    *time.Time `json:"last_update_started_at"`
	LastSuccessfulUpdateAt *time.Time `json:"last_successful_update_at"`
	// LastError is empty if the last update did not fail.
	LastError string `json:"last_error"`
	// OnlyProtectedBranches reports whether only protected branches are pushed.
	OnlyProtectedBranches bool `json:"only_protected_branches"`
	// KeepDivergentRefs reports whether branches that have changed in the mirror are left
	// alone. It is nil if it was never set, which means false.
	KeepDivergentRefs *bool            `json:"keep_divergent_refs"`
	AuthMethod        MirrorAuthMethod `json:"auth_method"` // since 16.10
	// MirrorBranchRegex is a regular expression that the names of pushed branches match,
	// empty for all branches. Since 16.2. Premium.
	MirrorBranchRegex string `json:"mirror_branch_regex"`
	// HostKeys are the SSH keys that identify the other host. Since 18.4.
	HostKeys []*MirrorHostKey `json:"host_keys"`
}

// MirrorHostKey is a key of the host of a mirror.
type MirrorHostKey struct {
	FingerprintSHA256 string `json:"fingerprint_sha256"`
}

// MirrorUpdateStatus is the state of the last update of a mirror.
type MirrorUpdateStatus string

// States of an update. MirrorUpdateStatusNone is the state of a new mirror. The service may
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

// Ways to sign in: with the password in the URL, or with an SSH key that the service
// generates.
const (
	MirrorAuthMethodPassword     MirrorAuthMethod = "password"
	MirrorAuthMethodSSHPublicKey MirrorAuthMethod = "ssh_public_key"
)

// PullMirror describes how a project copies another repository. Premium.
type PullMirror struct {
	ID           int64              `json:"id"`
	UpdateStatus MirrorUpdateStatus `json:"update_status"`
	// URL has asterisks in place of the username and the password.
	URL string `json:"url"`
	// LastError is empty if the last update did not fail.
	LastError string `json:"last_error"`
	// LastUpdateAt, LastUpdateStartedAt and LastSuccessfulUpdateAt are nil until the first
	// such update.
	LastUpdateAt           *time.Time `json:"last_update_at"`
	LastUpdateStartedAt    *time.Time `json:"last_update_started_at"`
	LastSuccessfulUpdateAt *time.Time `json:"last_successful_update_at"`
	Enabled                bool       `json:"enabled"`
	// MirrorTriggerBuilds reports whether pipelines run for the changes that are copied.
	MirrorTriggerBuilds bool `json:"mirror_trigger_builds"`
	// OnlyMirrorProtectedBranches reports whether only protected branches are copied, and
	// MirrorOverwritesDivergedBranches whether branches that have changed in the project
	// are overwritten. They are nil if they were never set, which means false.
	OnlyMirrorProtectedBranches      *bool `json:"only_mirror_protected_branches"`
	MirrorOverwritesDivergedBranches *bool `json:"mirror_overwrites_diverged_branches"`
	// MirrorBranchRegex is a regular expression that the names of copied branches match,
	// empty for all branches.
	MirrorBranchRegex string `json:"mirror_branch_regex"`
}

// CreateRemoteMirrorOptions describes a new remote mirror. URL is required. Nil fields have
// their default value.
type CreateRemoteMirrorOptions struct {
	// URL begins with http, https, ssh or git, and may contain a username and a password.
	URL Secret `json:"url" required:"true"`
	// Enabled turns the mirror on. Nil means false.
	Enabled *bool `json:"enabled,omitzero"`
	// OnlyProtectedBranches and KeepDivergentRefs are as in [RemoteMirror]. Nil means
	// false.
	OnlyProtectedBranches *bool `json:"only_protected_branches,omitzero"`
	KeepDivergentRefs     *bool `json:"keep_divergent_refs,omitzero"`
	// AuthMethod is [MirrorAuthMethodPassword] by default. Since 16.10.
	AuthMethod *MirrorAuthMethod `json:"auth_method,omitzero"`
	// MirrorBranchRegex is as in [RemoteMirror]. It cannot be combined with
	// OnlyProtectedBranches. Since 16.2. Premium.
	MirrorBranchRegex *string `json:"mirror_branch_regex,omitzero"`
	// HostKeys are the SSH keys that identify the other host. Since 18.4.
	HostKeys []string `json:"host_keys,omitzero"`
}

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

// UpdatePullMirrorOptions changes the pull mirror of a project. Nil fields are left
// unchanged.
type UpdatePullMirrorOptions struct {
	Enabled *bool `json:"enabled,omitzero"`
	// URL may contain a username and a password. AuthUser and AuthPassword set them
	// separately.
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

func remoteMirror(project ProjectRef, mirrorID int64, suffix string) Endpoint {
	return Route("/projects/:id/remote_mirrors/:mirror_id"+suffix, project, mirrorID).forbiddenBy401()
}

// List returns one page of the remote mirrors of a project. It requires the Maintainer
// role: other callers get [ErrUnauthorized].
//
//	GET /projects/:id/remote_mirrors
func (s *MirrorsService) List(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) ([]*RemoteMirror, *Response, error) {
	return list[*RemoteMirror](ctx, using(s), remoteMirrors(project), queryOf(options), opts)
}

// All returns every remote mirror of a project. It requires the Maintainer role: for other
// callers, the sequence ends with [ErrUnauthorized].
//
//	GET /projects/:id/remote_mirrors
func (s *MirrorsService) All(
	ctx context.Context, project ProjectRef, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*RemoteMirror, error] {
	return all[*RemoteMirror](ctx, using(s), remoteMirrors(project), queryOf(options), opts)
}

// Get returns a remote mirror. It requires the Maintainer role: other callers get
// [ErrUnauthorized].
//
//	GET /projects/:id/remote_mirrors/:mirror_id
func (s *MirrorsService) Get(
	ctx context.Context, project ProjectRef, mirrorID int64, opts ...RequestOption,
) (*RemoteMirror, *Response, error) {
	return do[RemoteMirror](ctx, using(s), http.MethodGet, remoteMirror(project, mirrorID, ""), nil, opts)
}

// Create makes a project push to another repository. If the service refuses the URL, the
// call returns [ErrBadRequest] with the reasons in [Error.Fields]. It requires the
// Maintainer role: other callers get [ErrUnauthorized].
//
//	POST /projects/:id/remote_mirrors
func (s *MirrorsService) Create(
	ctx context.Context, project ProjectRef, options CreateRemoteMirrorOptions, opts ...RequestOption,
) (*RemoteMirror, *Response, error) {
	return do[RemoteMirror](ctx, using(s), http.MethodPost, remoteMirrors(project), jsonOf(options), opts)
}

// Update changes a remote mirror. Its URL cannot be changed: delete it, and create another.
// It requires the Maintainer role: other callers get [ErrUnauthorized].
//
//	PUT /projects/:id/remote_mirrors/:mirror_id
func (s *MirrorsService) Update(
	ctx context.Context, project ProjectRef, mirrorID int64, options UpdateRemoteMirrorOptions, opts ...RequestOption,
) (*RemoteMirror, *Response, error) {
	return do[RemoteMirror](ctx, using(s), http.MethodPut, remoteMirror(project, mirrorID, ""), jsonOf(options), opts)
}

// Delete removes a remote mirror. It requires the Maintainer role: other callers get
// [ErrUnauthorized].
//
//	DELETE /projects/:id/remote_mirrors/:mirror_id
func (s *MirrorsService) Delete(
	ctx context.Context, project ProjectRef, mirrorID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, remoteMirror(project, mirrorID, ""), nil, opts)
}

// GetPublicKey returns the public half of the SSH key with which a remote mirror signs in. The
// call returns [ErrNotFound] if its method is not [MirrorAuthMethodSSHPublicKey]. It requires the
// Maintainer role: other callers get [ErrUnauthorized]. Since 17.9.
//
//	GET /projects/:id/remote_mirrors/:mirror_id/public_key
func (s *MirrorsService) GetPublicKey(
	ctx context.Context, project ProjectRef, mirrorID int64, opts ...RequestOption,
) (*MirrorPublicKey, *Response, error) {
	return do[MirrorPublicKey](ctx, using(s), http.MethodGet, remoteMirror(project, mirrorID, "/public_key"), nil, opts)
}

// MirrorPublicKey is the key of a remote mirror, which the other host has to trust.
type MirrorPublicKey struct {
	PublicKey string `json:"public_key"` // as in an authorized_keys file
}

// Sync starts an update of a remote mirror, unless one is running. The call returns
// [ErrBadRequest] if the mirror is not enabled or cannot work. It requires the Maintainer role:
// other callers get [ErrUnauthorized]. Since 16.11.
//
//	POST /projects/:id/remote_mirrors/:mirror_id/sync
func (s *MirrorsService) Sync(
	ctx context.Context, project ProjectRef, mirrorID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost, remoteMirror(project, mirrorID, "/sync"), nil, opts)
}

// GetPull returns the pull mirror of a project. The call returns [ErrBadRequest] if there is
// none. It requires the Maintainer role. Since about 15.6. Premium.
//
//	GET /projects/:id/mirror/pull
func (s *MirrorsService) GetPull(
	ctx context.Context, project ProjectRef, opts ...RequestOption,
) (*PullMirror, *Response, error) {
	return do[PullMirror](ctx, using(s), http.MethodGet, Route("/projects/:id/mirror/pull", project), nil, opts)
}

// StartPull makes a project copy its pull mirror now, and succeeds even if an update is running.
// The call returns [ErrBadRequest] if there is no pull mirror, and [ErrForbidden] if it is on
// pause after too many failures. It requires the Maintainer role. Premium.
//
//	POST /projects/:id/mirror/pull
func (s *MirrorsService) StartPull(ctx context.Context, project ProjectRef, opts ...RequestOption) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost, Route("/projects/:id/mirror/pull", project), nil, opts)
}

// UpdatePull changes the pull mirror of a project. The fields of the project, such as
// [Project.Mirror], show the same settings. It requires the Maintainer role. Since 17.6;
// for older releases, use [ProjectsService.Update]. Premium.
//
//	PUT /projects/:id/mirror/pull
func (s *MirrorsService) UpdatePull(
	ctx context.Context, project ProjectRef, options UpdatePullMirrorOptions, opts ...RequestOption,
) (*PullMirror, *Response, error) {
	return do[PullMirror](ctx, using(s), http.MethodPut, Route("/projects/:id/mirror/pull", project), jsonOf(options),
		opts)
}
