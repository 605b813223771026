package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// SSHKeysService manages the SSH keys of users. The owner is [Own].
type SSHKeysService service

// SSHKeyOwner is an owner of SSH keys: [Own].
type SSHKeyOwner interface{ hasSSHKeys() }

func (CallerOwner) hasSSHKeys() {}

func sshKeysOf(owner SSHKeyOwner, suffix string, args ...any) Endpoint {
	if owner != Own {
		return noOwner("/user/keys" + suffix)
	}
	return Route("/user/keys"+suffix, args...)
}

// SSHKey is a public key that a user signs in with.
type SSHKey struct {
	ID    int64  `json:"id"`
	Title string `json:"title"`
	// Key is the public key, as in an authorized_keys file.
	Key       string    `json:"key"`
	CreatedAt time.Time `json:"created_at"`
	// ExpiresAt is nil if the key does not expire.
	ExpiresAt *time.Time `json:"expires_at"`
	// UsageType is set since 15.7.
	UsageType SSHKeyUsage `json:"usage_type"`
	// LastUsedAt is nil if the key was never used. Only later releases set it.
	LastUsedAt *time.Time `json:"last_used_at"`
}

// SSHKeyUsage says what an SSH key is for.
type SSHKeyUsage string

// Uses of an SSH key: authentication, signing of commits, or both.
const (
	SSHKeyUsageAuth           SSHKeyUsage = "auth"
	SSHKeyUsageSigning        SSHKeyUsage = "signing"
	SSHKeyUsageAuthAndSigning SSHKeyUsage = "auth_and_signing"
)

// CreateSSHKeyOptions describes a key. Title and Key are required.
type CreateSSHKeyOptions struct {
	Title string `json:"title"`
	// Key is the public key, as in an authorized_keys file.
	Key string `json:"key"`
	// ExpiresAt is the day on which the key expires. Nil means never.
	ExpiresAt *Date `json:"expires_at,omitzero"`
	// UsageType is [SSHKeyUsageAuthAndSigning] by default, since 15.7.
	UsageType *SSHKeyUsage `json:"usage_type,omitzero"`
}

// List returns one page of the SSH keys of the caller.
//
//	GET /user/keys
func (s *SSHKeysService) List(
	ctx context.Context, owner SSHKeyOwner, options *ListOptions, opts ...RequestOption,
) ([]*SSHKey, *Response, error) {
	return list[*SSHKey](ctx, s.client, sshKeysOf(owner, ""), queryOf(options), opts)
}

// All returns every SSH key of the caller.
//
//	GET /user/keys
func (s *SSHKeysService) All(
	ctx context.Context, owner SSHKeyOwner, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*SSHKey, error] {
	return all[*SSHKey](ctx, s.client, sshKeysOf(owner, ""), queryOf(options), opts)
}

// Create adds an SSH key to the caller's account. If any user already has the
// key, the call returns [ErrBadRequest] with the reasons in [Error.Fields].
//
//	POST /user/keys
func (s *SSHKeysService) Create(
	ctx context.Context, owner SSHKeyOwner, options CreateSSHKeyOptions, opts ...RequestOption,
) (*SSHKey, *Response, error) {
	return do[SSHKey](ctx, s.client, http.MethodPost, sshKeysOf(owner, ""), jsonOf(options), opts)
}

// Delete removes an SSH key from the caller's account.
//
//	DELETE /user/keys/:key_id
func (s *SSHKeysService) Delete(
	ctx context.Context, owner SSHKeyOwner, keyID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, s.client, http.MethodDelete, sshKeysOf(owner, "/:key_id", keyID), nil, opts)
}
