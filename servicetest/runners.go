package servicetest

import (
	"net"
	"slices"
	"unicode/utf8"
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
	r, ok := state[runnerState](c.svc).runners.get(c.pathID("id"))
	if !ok {
		return nil, notFound("Runner")
	}
	if r.kind != "instance_type" && !c.manages(r) {
		return nil, forbidden("No access granted")
	}
	return r, nil
}

func getRunner(c *call) *reply {
	r, refusal := c.findRunner()
	if refusal != nil {
		return refusal
	}
	return c.ok(c.runnerDetails(r))
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
	status, manager := c.oneOf("status", "running", "success", "failed", "canceled"), c.str("system_id")
	jobs := state[jobState](c.svc).jobs.all(func(j *Job) bool {
		return j.runner == r && !j.bridge && (status == "" || j.status == status) && (manager == "" || r.systemID == manager) &&
			c.svc.projectLevel(c.user, j.pipeline.project) >= Reporter
	})
	if c.wantsKeyset() {
		return keysetPage(c, keyset[*Job]{
			orderBy: "id", sorts: []string{"asc", "desc"}, param: "id_after", items: jobs,
			key:  func(j *Job) string { return itoa(j.id) },
			json: func(j *Job) *encoded { return &encoded{data: encode(j.forRunner())} },
		})
	}
	order, sort := c.oneOf("order_by", "id"), c.oneOf("sort", "asc", "desc")
	if order == "" || sort != "asc" { // sort needs order_by
		slices.Reverse(jobs)
	}
	return listOf(c, jobs, (*Job).forRunner)
}

func updateRunner(c *call) *reply {
	r, refusal := c.findRunner()
	if refusal != nil {
		return refusal
	}
	if !c.manages(r) {
		return forbidden("No access granted")
	}
	changed := *r
	changed.read(c)
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	if refusal := changed.refuse(c); refusal != nil {
		return refusal
	}
	*r = changed
	c.svc.touch(&r.stamp)
	return c.ok(c.runnerDetails(r))
}

// read applies the parameters that update and registration have in common.
func (r *Runner) read(c *call) {
	if c.has("description") {
		r.description = c.str("description")
	}
	r.paused = c.bool("paused", !c.bool("active", !r.paused))
	r.runUntagged = c.bool("run_untagged", r.runUntagged)
	r.locked = c.bool("locked", r.locked)
	if c.has("tag_list") {
		r.tags = c.list("tag_list")
	}
	if level := c.oneOf("access_level", "not_protected", "ref_protected"); level != "" {
		r.accessLevel = level
	}
	if c.has("maintenance_note") {
		r.maintenanceNote = c.str("maintenance_note")
	}
	if c.has("maximum_timeout") {
		r.maximumTimeout = c.int64("maximum_timeout")
	}
}

// minTimeout is the minimum value of maximum_timeout, in seconds.
const minTimeout = 600

// refuse refuses a change that would make a runner useless, or a note that is too
// long.
func (r *Runner) refuse(c *call) *reply {
	if c.str("maximum_timeout") != "" && r.maximumTimeout < minTimeout {
		return fieldErrors("maximum_timeout", "needs to be at least 10 minutes")
	}
	if c.has("maintenance_note") && utf8.RuneCountInString(r.maintenanceNote) > maxMaintenanceNote {
		return fieldErrors("maintenance_note", "is too long (maximum is 1024 characters)")
	}
	if !r.runUntagged && len(r.tags) == 0 {
		return fieldErrors("tags_list", "can not be empty when runner is not allowed to pick untagged jobs")
	}
	return nil
}

// enableRunner lets a project's runner serve one more project.
func enableRunner(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	c.require("runner_id")
	id := c.int64("runner_id")
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	r, ok := state[runnerState](c.svc).runners.get(id)
	switch {
	case !ok:
		return notFound("Runner")
	case r.kind != "project_type":
		return forbidden("Runner is not a project runner")
	case r.locked:
		return forbidden("Runner is locked")
	case !c.manages(r):
		return forbidden("No access granted")
	case slices.Contains(r.projects, project):
		return fieldErrors("runner", "has already been taken")
	}
	r.projects = append(slices.Clip(r.projects), project)
	c.svc.touch(&r.stamp)
	return c.created(r.summary())
}

func disableRunner(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	r, ok := state[runnerState](c.svc).runners.get(c.pathID("runner_id"))
	if !ok || !slices.Contains(r.projects, project) {
		return notFound("Runner")
	}
	if len(r.projects) == 1 {
		return forbidden("Only one project associated with the runner. Please remove the runner instead")
	}
	r.projects = slices.DeleteFunc(slices.Clone(r.projects), func(p *Project) bool { return p == project })
	c.svc.touch(&r.stamp)
	return c.noContent()
}

// registerRunner makes a runner for the owner of the registration token.
func registerRunner(c *call) *reply {
	token := c.required("token")
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	owner, ok := state[runnerState](c.svc).registration[token]
	if !ok {
		return forbidden("invalid token supplied")
	}
	made := c.readRegistration(owner)
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	if refusal := made.refuse(c); refusal != nil {
		return refusal
	}
	r := c.svc.newRunner("", []RunnerOption{runnerOption(func(r *Runner) { *r = *made })})
	return c.created(registeredRunner{ID: r.id, Token: r.token})
}

// readRegistration returns a runner as the parameters describe it.
func (c *call) readRegistration(owner any) *Runner {
	info := c.sub("info")
	r := &Runner{
		svc: c.svc, kind: "instance_type", accessLevel: "not_protected", runUntagged: true,
		name: info.str("name"), version: info.str("version"), revision: info.str("revision"),
		platform: info.str("platform"), architecture: info.str("architecture"),
		maintenanceNote: c.str("maintainer_note"),
	}
	r.ipAddress, _, _ = net.SplitHostPort(c.r.RemoteAddr)
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
