package servicetest

import (
	"net"
	"slices"
	"unicode/utf8"

	"example.com/serviceapi/servicetest/internal/frame"
)

// manages reports whether the caller may change a runner: a Maintainer of its
// project or group, or an administrator for runners of the instance.
func (c *call) manages(r *Runner) bool {
	return c.admin() ||
		slices.ContainsFunc(r.groups, func(g *Group) bool { return c.svc.groupLevel(c.user, g) >= Maintainer }) ||
		slices.ContainsFunc(r.projects, func(p *Project) bool { return c.svc.projectLevel(c.user, p) >= Maintainer })
}

// findRunner returns the runner of the path. Runners of the instance are
// visible to everybody, others to those who manage them.
func (c *call) findRunner() (*Runner, *reply) {
	r, ok := state[runnerState](c.svc).runners.get(c.PathID("id"))
	if !ok {
		return nil, frame.NotFound("Runner")
	}
	if r.kind != "instance_type" && !c.manages(r) {
		return nil, frame.Forbidden("No access granted")
	}
	return r, nil
}

func getRunner(c *call) *reply {
	r, refusal := c.findRunner()
	if refusal != nil {
		return refusal
	}
	return c.OK(c.runnerDetails(r))
}

func listOwnedRunners(c *call) *reply {
	return c.runnerPage(currentScopes, func(r *Runner) bool { return r.kind != "instance_type" && c.manages(r) })
}

func listAllRunners(c *call) *reply {
	scopes := append([]string{"specific", "shared"}, currentScopes...)
	return c.runnerPage(scopes, func(*Runner) bool { return true })
}

func listProjectRunners(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	return c.runnerPage(currentScopes, func(r *Runner) bool { return r.serves(project) })
}

func listGroupRunners(c *call) *reply {
	group, refusal := c.group()
	if refusal != nil {
		return refusal
	}
	return c.runnerPage(nil, func(r *Runner) bool { return r.servesGroup(group) })
}

// serves reports whether a project has a runner: its own, one of its parent
// groups, or one of the instance if that is allowed.
func (r *Runner) serves(project *Project) bool {
	if r.kind == "project_type" {
		return slices.Contains(r.projects, project)
	}
	if r.kind == "instance_type" && state[runnerState](r.svc).unshared[project] {
		return false
	}
	if project.group == nil {
		return r.kind == "instance_type"
	}
	return r.servesGroup(project.group)
}

func (r *Runner) servesGroup(group *Group) bool {
	switch r.kind {
	case "instance_type":
		for g := group; g != nil; g = g.parent {
			if state[runnerState](r.svc).unshared[g] {
				return false
			}
		}
		return true
	case "group_type":
		return slices.ContainsFunc(r.groups, group.within)
	}
	return false
}

// listRunnerJobs lists the jobs of projects in which the caller has at least
// the Reporter role.
func listRunnerJobs(c *call) *reply {
	r, refusal := c.findRunner()
	if refusal != nil {
		return refusal
	}
	status, manager := c.OneOf("status", "running", "success", "failed", "canceled"), c.Str("system_id")
	jobs := state[jobState](c.svc).jobs.all(func(j *Job) bool {
		return j.runner == r && !j.bridge && (status == "" || j.status == status) && (manager == "" || r.systemID == manager) &&
			c.svc.projectLevel(c.user, j.pipeline.project) >= Reporter
	})
	if c.WantsKeyset() {
		return frame.KeysetPage(c, frame.Keyset[*Job]{
			OrderBy: "id", Sorts: []string{"asc", "desc"}, Param: "id_after", Items: jobs,
			Key:  func(j *Job) string { return frame.Itoa(j.id) },
			JSON: func(j *Job) *encoded { return &encoded{Data: frame.Encode(j.forRunner())} },
		})
	}
	order, sort := c.OneOf("order_by", "id"), c.OneOf("sort", "asc", "desc")
	if order == "" || sort != "asc" { // sort needs order_by
		slices.Reverse(jobs)
	}
	return frame.ListOf(c, jobs, (*Job).forRunner)
}

func updateRunner(c *call) *reply {
	r, refusal := c.findRunner()
	if refusal != nil {
		return refusal
	}
	if !c.manages(r) {
		return frame.Forbidden("No access granted")
	}
	changed := *r
	changed.read(c)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if refusal := changed.refuse(c); refusal != nil {
		return refusal
	}
	*r = changed
	c.svc.touch(&r.stamp)
	return c.OK(c.runnerDetails(r))
}

// read applies the parameters that update and registration have in common.
func (r *Runner) read(c *call) {
	if c.Has("description") {
		r.description = c.Str("description")
	}
	r.paused = c.Bool("paused", !c.Bool("active", !r.paused))
	r.runUntagged = c.Bool("run_untagged", r.runUntagged)
	r.locked = c.Bool("locked", r.locked)
	if c.Has("tag_list") {
		r.tags = c.List("tag_list")
	}
	if level := c.OneOf("access_level", "not_protected", "ref_protected"); level != "" {
		r.accessLevel = level
	}
	if c.Has("maintenance_note") {
		r.maintenanceNote = c.Str("maintenance_note")
	}
	if c.Has("maximum_timeout") {
		r.maximumTimeout = c.Int64("maximum_timeout")
	}
}

// minTimeout is the minimum value of maximum_timeout, in seconds.
const minTimeout = 600

// refuse refuses a change that would make a runner useless, or a note that is too
// long.
func (r *Runner) refuse(c *call) *reply {
	if c.Str("maximum_timeout") != "" && r.maximumTimeout < minTimeout {
		return frame.FieldErrors("maximum_timeout", "needs to be at least 10 minutes")
	}
	if c.Has("maintenance_note") && utf8.RuneCountInString(r.maintenanceNote) > maxMaintenanceNote {
		return frame.FieldErrors("maintenance_note", "is too long (maximum is 1024 characters)")
	}
	if !r.runUntagged && len(r.tags) == 0 {
		return frame.FieldErrors("tags_list", "can not be empty when runner is not allowed to pick untagged jobs")
	}
	return nil
}

// enableRunner lets a project's runner serve one more project.
func enableRunner(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	c.Require("runner_id")
	id := c.Int64("runner_id")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	r, ok := state[runnerState](c.svc).runners.get(id)
	switch {
	case !ok:
		return frame.NotFound("Runner")
	case r.kind != "project_type":
		return frame.Forbidden("Runner is not a project runner")
	case r.locked:
		return frame.Forbidden("Runner is locked")
	case !c.manages(r):
		return frame.Forbidden("No access granted")
	case slices.Contains(r.projects, project):
		return frame.FieldErrors("runner", "has already been taken")
	}
	r.projects = append(slices.Clip(r.projects), project)
	c.svc.touch(&r.stamp)
	return c.Created(r.summary())
}

func disableRunner(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	r, ok := state[runnerState](c.svc).runners.get(c.PathID("runner_id"))
	if !ok || !slices.Contains(r.projects, project) {
		return frame.NotFound("Runner")
	}
	if len(r.projects) == 1 {
		return frame.Forbidden("Only one project associated with the runner. Please remove the runner instead")
	}
	r.projects = slices.DeleteFunc(slices.Clone(r.projects), func(p *Project) bool { return p == project })
	c.svc.touch(&r.stamp)
	return c.NoContent()
}

// registerRunner makes a runner for the owner of the registration token.
func registerRunner(c *call) *reply {
	token := c.Required("token")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	owner, ok := state[runnerState](c.svc).registration[token]
	if !ok {
		return frame.Forbidden("invalid token supplied")
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

// readRegistration returns a runner as the parameters describe it.
func (c *call) readRegistration(owner any) *Runner {
	info := c.Sub("info")
	r := &Runner{
		svc: c.svc, kind: "instance_type", accessLevel: "not_protected", runUntagged: true,
		name: info.Str("name"), version: info.Str("version"), revision: info.Str("revision"),
		platform: info.Str("platform"), architecture: info.Str("architecture"),
		maintenanceNote: c.Str("maintainer_note"),
	}
	r.ipAddress, _, _ = net.SplitHostPort(c.Request.RemoteAddr)
	r.become("never_contacted")
	switch owner := owner.(type) {
	case *Group:
		r.kind, r.groups = "group_type", []*Group{owner}
	case *Project:
		r.kind, r.projects = "project_type", []*Project{owner}
	}
	r.read(c)
	return r
}
