package servicetest

import (
	"bytes"
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
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
	Name:  "Deploy Key",
	Param: "key_id",
	ID:    func(k *DeployKey) int64 { return k.id },
	Home:  (*call).project,
	Records: func(c *call, p *Project) []*DeployKey {
		return state[deployKeyState](c.svc).keys.all(func(k *DeployKey) bool { return k.in(p) != nil })
	},
	Fields: deployKeyFields,
	New:    func(c *call, _ *Project) *DeployKey { return &DeployKey{svc: c.svc, createdAt: c.now()} },
	Read:   func(c *call, _ *Project, _ *DeployKey, _ bool) { c.Bool("can_push", false) },
	Saved:  func(c *call, p *Project, k *DeployKey) { k.enable(p, c.Bool("can_push", k.in(p).canPush)) },
	Remove: func(_ *call, p *Project, k *DeployKey) { k.disable(p) },
	Extra:  func(_ *call, p *Project, k *DeployKey, form *collection.Form) { form.Add("can_push", k.in(p).canPush) },
}

// createDeployKey enables a key, which may exist already, in a project.
func createDeployKey(c *call) *reply {
	project, draft, refusal := deployKeys.Draft(c)
	if refusal != nil {
		return refusal
	}
	if _, ok := keyBlob(draft.text); !ok {
		return frame.FieldErrors("key", "is invalid")
	}
	key, canPush := c.svc.keyWith(draft.text), c.Bool("can_push", false)
	switch {
	case key == nil:
		key = c.svc.newDeployKey(draft.title, []DeployKeyOption{KeyText(draft.text), KeyExpiresAt(draft.expiresAt)})
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

func listDeployKeys(c *call) *reply {
	onlyPublic := c.Bool("public", false)
	keys := state[deployKeyState](c.svc).keys.all(func(k *DeployKey) bool { return k.public || !onlyPublic })
	return frame.ListOf(c, keys, func(k *DeployKey) *collection.Form {
		form := collection.Show(deployKeyFields, k)
		writable := []*projectSummary{}
		for _, in := range k.enabled {
			if in.canPush {
				writable = append(writable, in.project.summary())
			}
		}
		form.Add("projects_with_write_access", writable)
		return form
	})
}

// listUserDeployKeys lists the keys of projects that the caller and the user of
// the path both have access to.
func listUserDeployKeys(c *call) *reply {
	user := c.svc.findUser(c.PathText("id_or_username"))
	if user == nil {
		return frame.NotFound("User")
	}
	shared := func(in keyProject) bool {
		return c.svc.projectLevel(user, in.project) > NoAccess && c.svc.projectLevel(c.user, in.project) > NoAccess
	}
	keys := state[deployKeyState](c.svc).keys.all(func(k *DeployKey) bool { return slices.ContainsFunc(k.enabled, shared) })
	return frame.ListOf(c, keys, func(k *DeployKey) *collection.Form {
		form := collection.Show(deployKeyFields, k)
		form.Add("expires_at", jsonTime(k.expiresAt))
		return form
	})
}

// keyWith returns the deploy key that is equal to a string, apart from its
// comment, or nil if there is none.
func (s *Service) keyWith(text string) *DeployKey {
	wanted, _ := keyBlob(text)
	same := state[deployKeyState](s).keys.all(func(k *DeployKey) bool {
		blob, ok := keyBlob(k.text)
		return ok && bytes.Equal(blob, wanted)
	})
	if len(same) == 0 {
		return nil
	}
	return same[0]
}

func enableDeployKey(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	key, ok := state[deployKeyState](c.svc).keys.get(c.PathID("key_id"))
	if !ok || !key.accessibleTo(c.user) {
		return frame.NotFound("Deploy Key")
	}
	if key.in(project) == nil {
		key.enable(project, false)
	}
	return c.Created(deployKeys.Form(c, project, key))
}
