package servicetest

import (
	"bytes"
	"slices"

	"example.com/serviceapi/servicetest/internal/frame"
)

func listDeployKeys(c *call) *reply {
	onlyPublic := c.Bool("public", false)
	keys := state[deployKeyState](c.svc).keys.all(func(k *DeployKey) bool { return k.public || !onlyPublic })
	return frame.ListOf(c, keys, func(k *DeployKey) object {
		form := k.object()
		writable := []*projectSummary{}
		for _, in := range k.enabled {
			if in.canPush {
				writable = append(writable, in.project.summary())
			}
		}
		form["projects_with_write_access"] = writable
		return form
	})
}

func listProjectDeployKeys(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	keys := state[deployKeyState](c.svc).keys.all(func(k *DeployKey) bool { return k.in(project) != nil })
	return frame.ListOf(c, keys, func(k *DeployKey) object { return k.in(project).json(k) })
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
	return frame.ListOf(c, keys, func(k *DeployKey) object {
		form := k.object()
		form["expires_at"] = jsonTime(k.expiresAt)
		return form
	})
}

// findDeployKey returns the key of the path, which is enabled in the project.
func (c *call) findDeployKey() (*DeployKey, *Project, *reply) {
	project, refusal := c.project()
	if refusal != nil {
		return nil, nil, refusal
	}
	key, ok := state[deployKeyState](c.svc).keys.get(c.PathID("key_id"))
	if !ok || key.in(project) == nil {
		return nil, nil, frame.NotFound("Deploy Key")
	}
	return key, project, nil
}

func getDeployKey(c *call) *reply {
	key, project, refusal := c.findDeployKey()
	if refusal != nil {
		return refusal
	}
	return c.OK(key.in(project).json(key))
}

func createDeployKey(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	title, text, canPush := c.Required("title"), c.Required("key"), c.Bool("can_push", false)
	until := c.Time("expires_at")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if _, ok := keyBlob(text); !ok {
		return frame.FieldErrors("key", "is invalid")
	}
	key := c.svc.keyWith(text)
	switch {
	case key == nil:
		key = c.svc.newDeployKey(title, []DeployKeyOption{KeyText(text), KeyExpiresAt(until)})
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

func updateDeployKey(c *call) *reply {
	key, project, refusal := c.findDeployKey()
	if refusal != nil {
		return refusal
	}
	title := key.title
	if c.Has("title") {
		title = c.Required("title")
	}
	canPush := c.Bool("can_push", key.in(project).canPush)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	key.title = title
	key.enable(project, canPush)
	return c.OK(key.in(project).json(key))
}

func deleteDeployKey(c *call) *reply {
	key, project, refusal := c.findDeployKey()
	if refusal != nil {
		return refusal
	}
	key.disable(project)
	return c.NoContent()
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
	return c.Created(key.in(project).json(key))
}
