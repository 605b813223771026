package servicetest

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/sshkey"
)

// deployKeyFields are the fields that every list of deploy keys has.
var deployKeyFields = []collection.Field[DeployKey]{
	collection.Shown("id", func(k *DeployKey) int64 { return k.id }),
	collection.Text("title", func(k *DeployKey) *string { return &k.title }).Required(),
	collection.Text("key", func(k *DeployKey) *string { return &k.text }).Required().Once(),
	collection.Shown("fingerprint", (*DeployKey).md5).Omitted(),
	collection.Shown("fingerprint_sha256", (*DeployKey).sha256),
	collection.Moment("created_at", func(k *DeployKey) *time.Time { return &k.createdAt }).ReadOnly(),
	collection.Moment("expires_at", func(k *DeployKey) *time.Time { return &k.expiresAt }).Once().Unseen(),
}

// deployKeys are the keys that are enabled in a project.
var deployKeys = collection.Table[*call, *Project, DeployKey]{
	Name: "Deploy Key", Param: "key_id", Home: (*call).project,
	ID: func(k *DeployKey) int64 { return k.id },
	Records: func(c *call, p *Project) []*DeployKey {
		return state[deployKeyState](c.svc).keys.all(func(k *DeployKey) bool { return k.in(p) != nil })
	},
	Fields: deployKeyFields,
	New: func(c *call, _ *Project) *DeployKey {
		return &DeployKey{svc: c.svc, maker: c.user, createdAt: c.now()}
	},
	Read:   func(c *call, _ *Project, _ *DeployKey, _ bool) { frame.Accept(c.Bool, "can_push") },
	Saved:  func(c *call, p *Project, k *DeployKey) { k.enable(p, c.BoolOr("can_push", k.in(p).canPush)) },
	Remove: func(_ *call, p *Project, k *DeployKey) { k.disable(p) },
	Extra:  func(_ *call, p *Project, k *DeployKey, form *collection.Form) { form.Add("can_push", k.in(p).canPush) },
}

// createDeployKey enables a new or an existing key in a project.
func createDeployKey(c *call, project *Project, draft *DeployKey) *reply {
	if _, ok := sshkey.Parse(draft.text); !ok {
		return frame.FieldErrors("key", "is invalid")
	}
	key, canPush := c.svc.keyWith(draft.text), c.Bool("can_push")
	switch {
	case key == nil:
		key = draft.store()
	case key.in(project) != nil:
		canPush = key.in(project).canPush // it is already enabled and stays as it is
	case !key.accessibleTo(c.user):
		return frame.FieldErrors("fingerprint_sha256", "has already been taken")
	}
	key.enable(project, canPush)
	return c.Created(object{
		"id": key.id, "title": key.title, "key": key.text, "can_push": canPush, "created_at": jsonTime(key.createdAt),
	})
}

// createPublicDeployKey makes a key that every project may enable.
func createPublicDeployKey(c *call) *reply {
	draft, refusal := deployKeys.DraftIn(c, nil)
	if refusal != nil {
		return refusal
	}
	switch _, ok := sshkey.Parse(draft.text); {
	case !ok:
		return frame.FieldErrors("key", "is invalid")
	case c.svc.keyWith(draft.text) != nil:
		return frame.FieldErrors("fingerprint_sha256", "has already been taken")
	}
	draft.public = true
	return c.Created(draft.store().withExpiry())
}

// withExpiry returns the form of a key in the lists that show when it expires.
func (k *DeployKey) withExpiry() *collection.Form {
	form := collection.Show(deployKeyFields, k)
	form.Add("expires_at", jsonTime(k.expiresAt))
	return form
}

func listDeployKeys(c *call) *reply {
	onlyPublic := c.Bool("public")
	keys := state[deployKeyState](c.svc).keys.all(func(k *DeployKey) bool { return k.public || !onlyPublic })
	return frame.ListOf(c, keys, func(k *DeployKey) *collection.Form {
		form := collection.Show(deployKeyFields, k)
		writable := only(k.enabled, func(in *keyProject) bool { return in.canPush })
		form.Add("projects_with_write_access",
			mapped(writable, func(in *keyProject) *projectSummary { return in.project.summary() }))
		return form
	})
}

// listUserDeployKeys lists the keys of projects that the caller and the user of
// the path both have access to.
func listUserDeployKeys(c *call) *reply {
	user := c.svc.findUser(c.PathString("id_or_username"))
	if user == nil {
		return frame.NotFound("User")
	}
	shared := func(in *keyProject) bool {
		return c.svc.projectLevel(user, in.project) > NoAccess && c.svc.projectLevel(c.user, in.project) > NoAccess
	}
	keys := state[deployKeyState](c.svc).keys.all(func(k *DeployKey) bool {
		return slices.ContainsFunc(k.enabled, shared)
	})
	return frame.ListOf(c, keys, (*DeployKey).withExpiry)
}

// keyWith returns the deploy key that is equal to a string, apart from its
// comment, or nil if there is none.
func (s *Service) keyWith(text string) *DeployKey {
	wanted, _ := sshkey.Parse(text)
	same := state[deployKeyState](s).keys.all(func(k *DeployKey) bool {
		blob, ok := sshkey.Parse(k.text)
		return ok && bytes.Equal(blob, wanted)
	})
	return first(same)
}

func enableDeployKey(c *call, project *Project) *reply {
	key, ok := state[deployKeyState](c.svc).keys.get(c.PathInt64("key_id"))
	if !ok || !key.accessibleTo(c.user) {
		return frame.NotFound("Deploy Key")
	}
	if key.in(project) == nil {
		key.enable(project, false)
	}
	return c.Created(deployKeys.Form(c, project, key))
}

// A DeployKey is an SSH key that gives access to projects. Make one with
// Project.DeployKey or Service.DeployKey.
type DeployKey struct {
	svc       *Service
	id        int64
	title     string
	text      string // type, base64 and perhaps a comment
	public    bool   // any project may enable it
	maker     *User  // who created it
	createdAt time.Time
	expiresAt time.Time     // zero means never
	enabled   []*keyProject // ascending by project ID
}

// A keyProject is a project that a key is enabled in.
type keyProject struct {
	id             int64
	project        *Project
	canPush        bool
	since, changed time.Time
}

// deployKeyState keeps the deploy keys of a service.
type deployKeyState struct {
	keys    table[*DeployKey]
	enabled int64 // how often a key was enabled in a project
	fips    bool
}

// A DeployKeyOption sets a property of a deploy key. CreatedAt, ID, Public,
// Internal and Private are DeployKeyOptions, too.
type DeployKeyOption interface{ applyDeployKey(k *DeployKey) }

type deployKeyOption func(*DeployKey)

func (f deployKeyOption) applyDeployKey(k *DeployKey) { f(k) }

func (o IDOption) applyDeployKey(k *DeployKey) { k.id = int64(o) }

func (o CreatedAtOption) applyDeployKey(k *DeployKey) { k.createdAt = time.Time(o) }

func (o VisibilityOption) applyDeployKey(k *DeployKey) { k.public = o == Public() }

// KeyText sets a deploy key's public key, in the format of an authorized_keys
// file. By default, one is generated.
func KeyText(text string) DeployKeyOption {
	return deployKeyOption(func(k *DeployKey) { k.text = text })
}

// KeyExpiresAt sets when a deploy key expires. By default, it does not.
func KeyExpiresAt(at time.Time) DeployKeyOption {
	return deployKeyOption(func(k *DeployKey) { k.expiresAt = at.UTC() })
}

// EnabledIn enables a deploy key in a project, with read access.
func EnabledIn(p *Project) DeployKeyOption {
	return deployKeyOption(func(k *DeployKey) { k.enable(p, false) })
}

// WritesTo enables a deploy key in a project, with read and write access.
func WritesTo(p *Project) DeployKeyOption {
	return deployKeyOption(func(k *DeployKey) { k.enable(p, true) })
}

// DeployKey makes a deploy key. EnabledIn and WritesTo enable it in projects. With
// Public, every project may enable it.
func (s *Service) DeployKey(title string, opts ...DeployKeyOption) *DeployKey {
	defer s.lock()()
	return s.newDeployKey(title, opts)
}

// DeployKey makes a deploy key with read access to the project. WritesTo with
// the same project adds write access.
func (p *Project) DeployKey(title string, opts ...DeployKeyOption) *DeployKey {
	defer p.svc.lock()()
	return p.svc.newDeployKey(title, append([]DeployKeyOption{EnabledIn(p)}, opts...))
}

func (s *Service) newDeployKey(title string, opts []DeployKeyOption) *DeployKey {
	k := &DeployKey{svc: s, title: title, maker: s.admin, createdAt: s.now()}
	apply(k, opts, DeployKeyOption.applyDeployKey)
	return k.store()
}

// store stores a new key, which is made up unless it has a text.
func (k *DeployKey) store() *DeployKey {
	seed(k.svc, &state[deployKeyState](k.svc).keys, &k.id, k, "a deploy key")
	if k.text == "" {
		k.text = sshkey.MadeUp(k.id) + " " + strings.ReplaceAll(k.title, " ", "-")
	}
	return k
}

// EnableFIPS makes the service work without MD5, so that deploy keys have only
// a SHA-256 fingerprint.
func (s *Service) EnableFIPS() {
	defer s.lock()()
	state[deployKeyState](s).fips = true
}

// ID returns the deploy key's ID.
func (k *DeployKey) ID() int64 { return k.id }

// Title returns the deploy key's title.
func (k *DeployKey) Title() string { return read(k.svc, &k.title) }

// Key returns the public key.
func (k *DeployKey) Key() string { return k.text }

// Exists reports whether the deploy key exists, that is, has not been deleted.
func (k *DeployKey) Exists() bool {
	defer k.svc.lock()()
	found, _ := state[deployKeyState](k.svc).keys.get(k.id)
	return found == k
}

// EnabledIn reports whether the deploy key may read from a project.
func (k *DeployKey) EnabledIn(p *Project) bool {
	return locked(k.svc, func() bool { return k.in(p) != nil })
}

// CanPush reports whether the deploy key may write to a project.
func (k *DeployKey) CanPush(p *Project) bool {
	return locked(k.svc, func() bool { return k.in(p) != nil && k.in(p).canPush })
}

// in returns what the key may do in a project, or nil if it is not enabled
// there.
func (k *DeployKey) in(p *Project) *keyProject {
	return one(k.enabled, func(in *keyProject) bool { return in.project == p })
}

// enable gives the key to a project, or changes what it may do there.
func (k *DeployKey) enable(p *Project, canPush bool) {
	if in := k.in(p); in != nil {
		in.canPush, in.changed = canPush, k.svc.now()
		return
	}
	all, now := state[deployKeyState](k.svc), k.svc.now()
	all.enabled++
	k.enabled = append(k.enabled, &keyProject{all.enabled, p, canPush, now, now})
	slices.SortStableFunc(k.enabled, func(a, b *keyProject) int { return int(a.project.id - b.project.id) })
}

// disable removes the key from a project, and deletes it if no other project
// has it.
func (k *DeployKey) disable(p *Project) {
	k.enabled = slices.DeleteFunc(k.enabled, func(in *keyProject) bool { return in.project == p })
	k.svc.dropLevels(p, func(l protectionLevel) bool { return l.key == k })
	if len(k.enabled) == 0 {
		state[deployKeyState](k.svc).keys.remove(k.id)
	}
}

// accessibleTo reports whether a user may enable the key in other projects: the
// key is public, or enabled in a project that the user maintains.
func (k *DeployKey) accessibleTo(user *User) bool {
	return k.public || slices.ContainsFunc(k.enabled, func(in *keyProject) bool {
		return k.svc.projectLevel(user, in.project) >= Maintainer
	})
}

// md5 returns the MD5 fingerprint, or nil with FIPS.
func (k *DeployKey) md5() any {
	if state[deployKeyState](k.svc).fips {
		return nil
	}
	ofMD5, _ := sshkey.Fingerprints(k.text)
	return ofMD5
}

func (k *DeployKey) sha256() string {
	_, ofSHA256 := sshkey.Fingerprints(k.text)
	return ofSHA256
}
