package serviceapi

import (
	"context"
	"iter"
	"net/http"
	"time"
)

// GPGKeysService manages the GPG keys that users sign commits and tags with. The owner is [Own]
// or a [UserRef], which must be an ID:
//
//	client.GPGKeys.All(ctx, serviceapi.UserID(7), nil)
//
// Everybody may read the keys of other users, even without a credential. Adding and removing them
// requires an administrator. A key cannot be changed.
//
// Its options are [CreateGPGKeyOptions] and [ListOptions]. See the example of
// [GPGKeysService.Create].
type GPGKeysService service

// GPGKeyOwner is an owner of GPG keys: [Own] or a [UserRef]. The UserRef must be an ID.
type GPGKeyOwner interface{ hasGPGKeys() }

func (CallerOwner) hasGPGKeys() {}
func (UserRef) hasGPGKeys()     {}

func gpgKeysOf(owner GPGKeyOwner, suffix string, args ...any) Endpoint {
	switch o := owner.(type) {
	case CallerOwner:
		return Route("/user/gpg_keys"+suffix, args...)
	case UserRef:
		return Route("/users/:id/gpg_keys"+suffix, append([]any{onlyID(o)}, args...)...)
	}
	return noOwner("/user/gpg_keys" + suffix)
}

// List returns one page of the GPG keys of the caller or of a user.
//
//	GET /user/gpg_keys
//	GET /users/:id/gpg_keys
func (s *GPGKeysService) List(
	ctx context.Context, owner GPGKeyOwner, options *ListOptions, opts ...RequestOption,
) ([]*GPGKey, *Response, error) {
	return list[*GPGKey](ctx, using(s), gpgKeysOf(owner, ""), queryOf(options), opts)
}

// All returns every GPG key of the caller or of a user.
//
//	GET /user/gpg_keys
//	GET /users/:id/gpg_keys
func (s *GPGKeysService) All(
	ctx context.Context, owner GPGKeyOwner, options *ListOptions, opts ...RequestOption,
) iter.Seq2[*GPGKey, error] {
	return all[*GPGKey](ctx, using(s), gpgKeysOf(owner, ""), queryOf(options), opts)
}

// Get returns one GPG key of the caller or of a user.
//
//	GET /user/gpg_keys/:key_id
//	GET /users/:id/gpg_keys/:key_id
func (s *GPGKeysService) Get(
	ctx context.Context, owner GPGKeyOwner, keyID int64, opts ...RequestOption,
) (*GPGKey, *Response, error) {
	return do[GPGKey](ctx, using(s), http.MethodGet, gpgKeysOf(owner, "/:key_id", keyID), nil, opts)
}

// Create adds a GPG key to the caller's account or, if the caller is an administrator, to that of
// a user. The call returns [ErrBadRequest], with the reasons in [Error.Fields], for text that is
// not a key, and for a key that any account already has.
//
//	POST /user/gpg_keys
//	POST /users/:id/gpg_keys
func (s *GPGKeysService) Create(
	ctx context.Context, owner GPGKeyOwner, options CreateGPGKeyOptions, opts ...RequestOption,
) (*GPGKey, *Response, error) {
	return do[GPGKey](ctx, using(s), http.MethodPost, gpgKeysOf(owner, ""), jsonOf(options), opts)
}

// Delete removes a GPG key. What was signed with it stays verified: see [GPGKeysService.Revoke].
//
//	DELETE /user/gpg_keys/:key_id
//	DELETE /users/:id/gpg_keys/:key_id
func (s *GPGKeysService) Delete(
	ctx context.Context, owner GPGKeyOwner, keyID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodDelete, gpgKeysOf(owner, "/:key_id", keyID), nil, opts)
}

// Revoke removes a GPG key that others may have, and takes its word back: the signatures made with
// it or its subkeys are no longer verified, but have the status [SignatureStatusUnknownKey].
//
//	POST /user/gpg_keys/:key_id/revoke
//	POST /users/:id/gpg_keys/:key_id/revoke
func (s *GPGKeysService) Revoke(
	ctx context.Context, owner GPGKeyOwner, keyID int64, opts ...RequestOption,
) (*Response, error) {
	return exec(ctx, using(s), http.MethodPost, gpgKeysOf(owner, "/:key_id/revoke", keyID), nil, opts)
}

// GPGKey is a public key that a user signs commits and tags with.
type GPGKey struct {
	ID int64 `json:"id"`
	// Key is the public key, as it was sent.
	Key       string    `json:"key"`
	CreatedAt time.Time `json:"created_at"`
}

// CreateGPGKeyOptions describes a GPG key. Key is required.
type CreateGPGKeyOptions struct {
	// Key is a public key in ASCII armor: "-----BEGIN PGP PUBLIC KEY BLOCK-----" and so on.
	Key string `json:"key" required:"true"`
}
