package servicetest

import (
	"slices"

	"example.com/serviceapi/servicetest/internal/frame"
)

// registeredRunner is the response to creating a runner, and runnerToken the
// response to resetting its token. Tokens do not expire here.
type registeredRunner struct {
	ID             int64    `json:"id"`
	Token          string   `json:"token"`
	TokenExpiresAt jsonTime `json:"token_expires_at"`
}

type runnerToken struct {
	Token          string   `json:"token"`
	TokenExpiresAt jsonTime `json:"token_expires_at"`
}

// maxMaintenanceNote is the length of the note, in bytes.
const maxMaintenanceNote = 1024

// createRunner makes a runner that belongs to the instance, a group or a
// project, for a user who asks for it.
func createRunner(c *call) *reply {
	c.Require("runner_type")
	kind := c.OneOf("runner_type", "instance_type", "group_type", "project_type")
	switch kind {
	case "group_type":
		c.Require("group_id")
	case "project_type":
		c.Require("project_id")
	}
	owner, refusal := c.runnerOwner(kind)
	if refusal != nil {
		return refusal
	}
	made := c.readRegistration(owner)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if refusal := made.refuse(c); refusal != nil {
		return refusal
	}
	r := c.svc.newRunner("", []RunnerOption{runnerOption(func(r *Runner) { *r = *made })})
	return c.Created(registeredRunner{ID: r.id, Token: r.token})
}

// runnerOwner returns the owner of a new runner: a *Project, a *Group or the
// *Service. The caller must own it.
func (c *call) runnerOwner(kind string) (any, *reply) {
	groupID, projectID := c.Int64("group_id"), c.Int64("project_id")
	if refusal := c.Refusal(); refusal != nil {
		return nil, refusal
	}
	switch kind {
	case "group_type":
		group, ok := c.svc.groups.get(groupID)
		if !ok || !c.svc.canSeeGroup(c.user, group) {
			return nil, frame.NotFound("Group")
		}
		return group, c.unlessOwner(c.svc.groupLevel(c.user, group))
	case "project_type":
		project, ok := c.svc.projects.get(projectID)
		if !ok || !c.svc.canSeeProject(c.user, project) {
			return nil, frame.NotFound("Project")
		}
		return project, c.unlessOwner(c.svc.projectLevel(c.user, project))
	}
	if !c.admin() {
		return nil, frame.Forbidden("")
	}
	return c.svc, nil
}

func (c *call) unlessOwner(level AccessLevel) *reply {
	if level < Owner {
		return frame.Forbidden("")
	}
	return nil
}

// ownedRunner returns the runner of the path if the caller may delete it: an
// owner of its group, a maintainer of its projects, or an administrator.
func (c *call) ownedRunner() (*Runner, *reply) {
	r, ok := state[runnerState](c.svc).runners.get(c.PathID("id"))
	if !ok {
		return nil, frame.NotFound("Runner")
	}
	owns := c.admin() ||
		slices.ContainsFunc(r.groups, func(g *Group) bool { return c.svc.groupLevel(c.user, g) >= Owner }) ||
		slices.ContainsFunc(r.projects, func(p *Project) bool { return c.svc.projectLevel(c.user, p) >= Maintainer })
	if !owns {
		return nil, frame.Forbidden("No access granted")
	}
	return r, nil
}

func deleteRunner(c *call) *reply {
	r, refusal := c.ownedRunner()
	if refusal != nil {
		return refusal
	}
	state[runnerState](c.svc).runners.remove(r.id)
	return c.NoContent()
}

func resetRunnerToken(c *call) *reply {
	r, refusal := c.ownedRunner()
	if refusal != nil {
		return refusal
	}
	r.token = "runner-" + frame.SHA("runner", r.token)[:20]
	c.svc.touch(&r.stamp)
	return c.Created(runnerToken{Token: r.token})
}
