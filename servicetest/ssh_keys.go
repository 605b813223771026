package servicetest

import (
	"bytes"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
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

// sshKeyJSON is the JSON of an SSH key.
type sshKeyJSON struct {
	ID         int64    `json:"id"`
	Title      string   `json:"title"`
	Key        string   `json:"key"`
	CreatedAt  jsonTime `json:"created_at"`
	ExpiresAt  jsonTime `json:"expires_at"`
	UsageType  string   `json:"usage_type"`
	LastUsedAt jsonTime `json:"last_used_at"`
}

func (k *sshKey) json() *sshKeyJSON {
	return &sshKeyJSON{
		ID: k.id, Title: k.title, Key: k.text, CreatedAt: jsonTime(k.createdAt), ExpiresAt: jsonTime(k.expiresAt), UsageType: k.usage,
	}
}

// SSHKey gives the user a generated SSH key and returns its ID.
func (u *User) SSHKey(title string) int64 {
	defer u.svc.lock()()
	keys := &state[sshKeyState](u.svc).keys
	k := &sshKey{user: u, title: title, usage: "auth_and_signing", createdAt: u.svc.now()}
	seed(u.svc, keys, &k.id, k, "an SSH key")
	k.text = madeUpKey(-k.id) + " " + strings.ReplaceAll(title, " ", "-")
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

func listSSHKeys(c *call) *reply { return frame.ListOf(c, c.user.sshKeys(), (*sshKey).json) }

func createSSHKey(c *call) *reply {
	k := &sshKey{
		user: c.user, title: c.Required("title"), text: c.Required("key"), createdAt: c.now(), expiresAt: c.Time("expires_at"),
		usage: either(c.OneOf("usage_type", "auth", "signing", "auth_and_signing"), "auth_and_signing"),
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	blob, ok := keyBlob(k.text)
	switch {
	case !ok:
		return frame.FieldErrors("key", "is invalid")
	case c.svc.keyUsed(blob):
		return frame.FieldErrors("fingerprint_sha256", "has already been taken")
	case !k.expiresAt.IsZero() && !k.expiresAt.After(c.now()):
		return frame.FieldErrors("expires_at", "must be in the future")
	}
	k.id, _ = state[sshKeyState](c.svc).keys.add(0, k)
	return c.Created(k.json())
}

// keyUsed reports whether a user or a deploy key already has a key.
func (s *Service) keyUsed(blob []byte) bool {
	same := func(text string) bool {
		other, ok := keyBlob(text)
		return ok && bytes.Equal(other, blob)
	}
	return len(state[sshKeyState](s).keys.all(func(k *sshKey) bool { return same(k.text) })) > 0 ||
		len(state[deployKeyState](s).keys.all(func(k *DeployKey) bool { return same(k.text) })) > 0
}

func deleteSSHKey(c *call) *reply {
	keys := &state[sshKeyState](c.svc).keys
	k, ok := keys.get(c.PathID("key_id"))
	if !ok || k.user != c.user {
		return frame.NotFound("Key")
	}
	keys.remove(k.id)
	return c.NoContent()
}
