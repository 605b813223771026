package servicetest

import (
	"bytes"
	"net/http"
	"regexp"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/sshkey"
)

// An sshKey is a public key of a user.
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
	Home:    (*call).keyOwner,
	Records: func(_ *call, u *User) []*sshKey { return u.sshKeys() },
	Fields: []collection.Field[sshKey]{
		collection.Shown("id", func(k *sshKey) int64 { return k.id }),
		collection.Text("title", func(k *sshKey) *string { return &k.title }).Required().Max(255),
		collection.Text("key", func(k *sshKey) *string { return &k.text }).Required().Max(5000),
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
	Extra:  func(_ *call, _ *User, k *sshKey, form *collection.Form) { form.Add("key", k.published()) },
}

// keyOwner returns the user of the path, or the caller if the path names none.
func (c *call) keyOwner() (*User, *reply) {
	name := either(c.PathString("id_or_username"), c.PathString("id"))
	if name == "" {
		return c.user, nil
	}
	user, ok := c.svc.users.get(c.PathInt64("id"))
	if c.PathString("id_or_username") != "" {
		user = c.svc.findUser(name)
		ok = user != nil
	}
	if !ok {
		return nil, frame.NotFound("User")
	}
	return user, nil
}

// getKeyOfAny returns the SSH key of any user.
func getKeyOfAny(c *call) *reply {
	key, ok := state[sshKeyState](c.svc).keys.get(c.PathInt64("id"))
	if !ok {
		return frame.NotFound("Key")
	}
	return c.OK(c.keyWithUser(key))
}

var (
	md5Fingerprint    = regexp.MustCompile(`^([0-9a-f]{2}:){15}[0-9a-f]{2}$`)
	sha256Fingerprint = regexp.MustCompile(`^SHA256:[A-Za-z0-9+/]{43}$`)
)

// findKey returns the user's key or the deploy key that has a fingerprint.
func findKey(c *call) *reply {
	wanted := c.RequiredString("fingerprint")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if !md5Fingerprint.MatchString(wanted) && !sha256Fingerprint.MatchString(wanted) {
		return frame.Message(http.StatusBadRequest, "Failed to return the key")
	}
	is := func(text string) bool {
		ofMD5, ofSHA256 := sshkey.Fingerprints(text)
		return wanted == ofMD5 || wanted == ofSHA256
	}
	for _, k := range state[sshKeyState](c.svc).keys.all(nil) {
		if is(k.text) {
			return c.OK(c.keyWithUser(k))
		}
	}
	for _, k := range state[deployKeyState](c.svc).keys.all(nil) {
		if is(k.text) {
			return c.OK(c.deployKeyWithUser(k))
		}
	}
	return frame.NotFound("Key")
}

func (c *call) keyWithUser(k *sshKey) *collection.Form {
	form := sshKeys.Form(c, k.user, k)
	form.Add("user", c.userView(k.user))
	return form
}

// deployKeyWithUser returns the JSON of a deploy key with its projects. The user is its
// creator.
func (c *call) deployKeyWithUser(k *DeployKey) *collection.Form {
	form := collection.Show(deployKeyFields, k)
	form.Add("expires_at", jsonTime(k.expiresAt))
	form.Add("user", nil)
	if maker := k.maker.shown(); maker != nil {
		form.Add("user", c.userView(maker))
	}
	projects := []object{}
	for _, in := range k.enabled {
		projects = append(projects, object{
			"id": in.id, "deploy_key_id": k.id, "project_id": in.project.id, "can_push": in.canPush,
			"created_at": jsonTime(in.since), "updated_at": jsonTime(in.changed),
		})
	}
	form.Add("deploy_keys_projects", projects)
	return form
}

// published returns the key as the API shows it. Its comment has the names of the user
// and the host.
func (k *sshKey) published() string {
	parts := strings.Fields(k.text)
	return strings.Join(parts[:2], " ") + " " + k.user.name + " (" + k.user.svc.hostname() + ")"
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
