package servicetest

import (
	"bytes"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/sshkey"
)

// An sshKey is a public key that a user signs in with.
type sshKey struct {
	id                   int64
	user                 *User
	title, text, usage   string
	createdAt, expiresAt time.Time // expiresAt is zero if it does not expire
}

// sshKeyState keeps the SSH keys of all users.
type sshKeyState struct{ keys table[*sshKey] }

var sshKeys = collection.Table[*call, *User, sshKey]{
	Name:    "Key",
	Param:   "key_id",
	ID:      func(k *sshKey) int64 { return k.id },
	Home:    func(c *call) (*User, *reply) { return c.user, nil },
	Records: func(_ *call, u *User) []*sshKey { return u.sshKeys() },
	Fields: []collection.Field[sshKey]{
		collection.Shown("id", func(k *sshKey) int64 { return k.id }),
		collection.Text("title", func(k *sshKey) *string { return &k.title }).Required(),
		collection.Text("key", func(k *sshKey) *string { return &k.text }).Required(),
		collection.Moment("created_at", func(k *sshKey) *time.Time { return &k.createdAt }).ReadOnly(),
		collection.Moment("expires_at", func(k *sshKey) *time.Time { return &k.expiresAt }),
		collection.Choice("usage_type", func(k *sshKey) *string { return &k.usage },
			"auth", "signing", "auth_and_signing"),
		collection.Shown("last_used_at", func(*sshKey) *time.Time { return nil }),
	},
	New: func(c *call, u *User) *sshKey {
		return &sshKey{user: u, usage: "auth_and_signing", createdAt: c.now()}
	},
	Check: func(c *call, _ *User, k, _ *sshKey) *reply {
		blob, ok := sshkey.Parse(k.text)
		switch {
		case !ok:
			return frame.FieldErrors("key", "is invalid")
		case c.svc.keyUsed(blob):
			return frame.FieldErrors("fingerprint_sha256", "has already been taken")
		case !k.expiresAt.IsZero() && !k.expiresAt.After(c.now()):
			return frame.FieldErrors("expires_at", "must be in the future")
		}
		return nil
	},
	Add:    func(c *call, _ *User, k *sshKey) { k.id, _ = state[sshKeyState](c.svc).keys.add(0, k) },
	Remove: func(c *call, _ *User, k *sshKey) { state[sshKeyState](c.svc).keys.remove(k.id) },
}

// SSHKey gives the user a generated SSH key and returns its ID.
func (u *User) SSHKey(title string) int64 {
	defer u.svc.lock()()
	keys := &state[sshKeyState](u.svc).keys
	k := &sshKey{user: u, title: title, usage: "auth_and_signing", createdAt: u.svc.now()}
	seed(u.svc, keys, &k.id, k, "an SSH key")
	k.text = sshkey.MadeUp(-k.id) + " " + strings.ReplaceAll(title, " ", "-")
	return k.id
}

// SSHKeys returns the titles of the user's SSH keys, oldest first.
func (u *User) SSHKeys() []string {
	defer u.svc.lock()()
	var titles []string
	for _, k := range u.sshKeys() {
		titles = append(titles, k.title)
	}
	return titles
}

func (u *User) sshKeys() []*sshKey {
	return state[sshKeyState](u.svc).keys.all(func(k *sshKey) bool { return k.user == u })
}

// keyUsed reports whether a user or a deploy key already has a key.
func (s *Service) keyUsed(blob []byte) bool {
	same := func(text string) bool {
		other, ok := sshkey.Parse(text)
		return ok && bytes.Equal(other, blob)
	}
	return len(state[sshKeyState](s).keys.all(func(k *sshKey) bool { return same(k.text) })) > 0 ||
		len(state[deployKeyState](s).keys.all(func(k *DeployKey) bool { return same(k.text) })) > 0
}
