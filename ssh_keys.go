package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// SSHKeysService manages the SSH keys of users. The owner is [Own] or a [UserRef]:
//
//	client.SSHKeys.All(ctx, serviceapi.Username("ada"), nil)
//
// Only lists accept a [Username]. Everybody may read the keys of other users, even
// without a credential, unless the instance restricts that. Adding and removing
// them requires an administrator.
//
// Its options are [CreateSSHKeyOptions], [FindSSHKeyOptions] and [ListOptions]. See the
// example SshKeysCreate in structure_test.go of [example.com/serviceapi/examples/recipes].
type SSHKeysService service

// SSHKeyOwner is an owner of SSH keys: [Own] or a [UserRef].
type SSHKeyOwner interface{ hasSSHKeys() }

// SingleSSHKeyOwner is an owner whose keys can be read one by one: [Own], a [UserRef] or
// [Instance], which has the keys of all users.
type SingleSSHKeyOwner interface{ hasSSHKey() }

func (CallerOwner) hasSSHKeys()  {}
func (UserRef) hasSSHKeys()      {}
func (CallerOwner) hasSSHKey()   {}
func (UserRef) hasSSHKey()       {}
func (InstanceOwner) hasSSHKey() {}

// sshKeysOf returns the list of an owner's keys.
func sshKeysOf(owner SSHKeyOwner) Endpoint {
	if user, ok := owner.(UserRef); ok {
		return Route("/users/:id_or_username/keys", user)
	}
	return newSSHKeyOf(owner, "")
}

// newSSHKeyOf returns the endpoint of new keys, or of one key.
func newSSHKeyOf(owner SSHKeyOwner, suffix string, args ...any) Endpoint {
	switch o := owner.(type) {
	case CallerOwner:
		return Route("/user/keys"+suffix, args...)
	case UserRef:
		return Route("/users/:id/keys"+suffix, append([]any{onlyID(o)}, args...)...)
	}
	return noOwner("/user/keys" + suffix)
}

// sshKeyOf returns the endpoint that reads one key.
func sshKeyOf(owner SingleSSHKeyOwner, keyID int64) Endpoint {
	if _, ok := owner.(InstanceOwner); ok {
		return Route("/keys/:id", keyID)
	}
	one, _ := owner.(SSHKeyOwner)
	return newSSHKeyOf(one, "/:key_id", keyID)
}

// SSHKey is a public key that a user signs in with.
type SSHKey struct {
	ID    int64  `json:"id"`
	Title string `json:"title"`
	// Key is the public key, as in an authorized_keys file. Its comment has the names of
	// the user and of the service, whatever was sent.
	Key       string    `json:"key"`
	CreatedAt time.Time `json:"created_at"`
	// ExpiresAt is nil if the key does not expire.
	ExpiresAt *time.Time `json:"expires_at"`
	// UsageType is set since 15.7.
	UsageType SSHKeyUsage `json:"usage_type"`
	// LastUsedAt is nil if the key was never used. Only later releases set it.
	LastUsedAt *time.Time `json:"last_used_at"`
	// User is the owner of the key. For a deploy key, it is the user who created it. It is
	// nil unless [SSHKeysService.Find], or [SSHKeysService.Get] for the [Instance], sets
	// it.
	User *User `json:"user"`
	// Fingerprint, FingerprintSHA256 and DeployKeysProjects are set if
	// [SSHKeysService.Find] returns a deploy key. Fingerprint is the MD5 fingerprint, empty
	// if the service works without MD5.
	Fingerprint        string           `json:"fingerprint"`
	FingerprintSHA256  string           `json:"fingerprint_sha256"`
	DeployKeysProjects []*SSHKeyProject `json:"deploy_keys_projects"`
}

// SSHKeyProject is a project in which a deploy key is enabled.
type SSHKeyProject struct {
	ID          int64     `json:"id"`
	DeployKeyID int64     `json:"deploy_key_id"`
	ProjectID   int64     `json:"project_id"`
	CanPush     bool      `json:"can_push"`
	CreatedAt   time.Time `json:"created_at"`
	UpdatedAt   time.Time `json:"updated_at"`
}

// SSHKeyUsage says what an SSH key may be used for.
type SSHKeyUsage string

// Uses of an SSH key: authentication, signing of commits, or both.
const (
	SSHKeyUsageAuth           SSHKeyUsage = "auth"
	SSHKeyUsageSigning        SSHKeyUsage = "signing"
	SSHKeyUsageAuthAndSigning SSHKeyUsage = "auth_and_signing"
)

// FindSSHKeyOptions says which key to find. Fingerprint is required.
type FindSSHKeyOptions struct {
	// Fingerprint is an MD5 fingerprint, such as "9f:70:33:b3:…" with 16 bytes, or a
	// SHA-256 fingerprint, such as "SHA256:nUhzNyftwADy8AH3wFY31tAKs7HufskYTte2aXo/lCg".
	Fingerprint string `url:"fingerprint" required:"true"`
}

// CreateSSHKeyOptions describes a key. Title and Key are required.
type CreateSSHKeyOptions struct {
	// Title has at most 255 characters.
	Title string `json:"title" required:"true"`
	// Key is the public key, as in an authorized_keys file, with at most 5000
	// characters.
	Key string `json:"key" required:"true"`
	// ExpiresAt is the first day on which the key does not work, by UTC. It must be in the
	// future, or the call returns [ErrBadRequest]. Nil means never.
	ExpiresAt *Date `json:"expires_at,omitzero"`
	// UsageType is [SSHKeyUsageAuthAndSigning] by default. Since 15.7.
	UsageType *SSHKeyUsage `json:"usage_type,omitzero"`
}

// List returns one page of the SSH keys of the caller or of a user, who may be a
// [Username]. The call returns [ErrNotFound] if there is no such user.
//
//	GET /user/keys
//	GET /users/:id_or_username/keys
func (s *SSHKeysService) List(
	ctx context.Context, owner SSHKeyOwner, options *ListOptions, opts ...RequestOption,
) ([]*SSHKey, *Response, error) {
	return list[*SSHKey](ctx, using(s), sshKeysOf(owner), queryOf(options), opts)
}

// All returns every SSH key of the caller or of a user. See [SSHKeysService.List].
//
//	GET /user/keys
//	GET /users/:id_or_username/keys
func (s *SSHKeysService) All(
	ctx context.Context, owner SSHKeyOwner, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*SSHKey, error] {
	return all[*SSHKey](ctx, using(s), sshKeysOf(owner), queryOf(options), opts)
}

// Get returns one SSH key of the caller or of a user. For the [Instance], it is the key of
// any user, and [SSHKey.User] says whose it is; this requires an administrator.
//
//	GET /user/keys/:key_id
//	GET /users/:id/keys/:key_id
//	GET /keys/:id
func (s *SSHKeysService) Get(
	ctx context.Context, owner SingleSSHKeyOwner, keyID int64, opts ...RequestOption,
) (*SSHKey, *Response, error) {
	return do[SSHKey](ctx, using(s), http.MethodGet, sshKeyOf(owner, keyID), nil, opts)
}

// Find returns the key with a fingerprint, which is an SSH key of a user or a deploy key.
// [SSHKey.User] says whose it is. Administrators only. The call returns [ErrNotFound] if
// there is no such key, and [ErrBadRequest] for a string that is not a fingerprint.
//
//	GET /keys
func (s *SSHKeysService) Find(
	ctx context.Context, options *FindSSHKeyOptions, opts ...RequestOption,
) (*SSHKey, *Response, error) {
	return do[SSHKey](ctx, using(s), http.MethodGet, Route("/keys"), queryOf(options), opts)
}

// Create adds an SSH key to the caller's account or, if the caller is an administrator, to
// that of a user. If any user already has the key, or it is a deploy key, the call returns
// [ErrBadRequest] with the reasons in [Error.Fields].
//
//	POST /user/keys
//	POST /users/:id/keys
func (s *SSHKeysService) Create(
	ctx context.Context, owner SSHKeyOwner, options CreateSSHKeyOptions, opts ...RequestOption,
) (*SSHKey, *Response, error) {
	return do[SSHKey](ctx, using(s), http.MethodPost, newSSHKeyOf(owner, ""), jsonOf(options), opts)
}

// Delete removes an SSH key from the caller's account or, if the caller is an
// administrator, from that of a user.
//
//	DELETE /user/keys/:key_id
//	DELETE /users/:id/keys/:key_id
func (s *SSHKeysService) Delete(
	ctx context.Context, owner SSHKeyOwner, keyID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, newSSHKeyOf(owner, "/:key_id", keyID), nil, opts)
}
