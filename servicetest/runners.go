package servicetest

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// manages reports whether the caller may change a runner: as a Maintainer of its
// project or group, or as an administrator.
func (c *call) manages(r *Runner) bool {
	return c.admin() ||
		slices.ContainsFunc(r.groups, func(g *Group) bool { return c.svc.groupLevel(c.user, g) >= Maintainer }) ||
		slices.ContainsFunc(r.projects, func(p *Project) bool { return c.svc.projectLevel(c.user, p) >= Maintainer })
}

// findRunner returns the runner of the path. Everybody can see runners of the instance.
// Other runners are visible only to those who manage them.
func (c *call) findRunner() (*Runner, *reply) {
	r, ok := state[runnerState](c.svc).runners.get(c.PathInt64("id"))
	if !ok {
		return nil, frame.NotFound("Runner")
	}
	if r.kind != "instance_type" && !c.manages(r) {
		return nil, frame.Forbidden("No access granted")
	}
	return r, nil
}

func getRunner(c *call, r *Runner) *reply { return c.OK(c.runnerDetails(r)) }

func listOwnedRunners(c *call) *reply {
	return c.runnerPage(currentScopes, func(r *Runner) bool { return r.kind != "instance_type" && c.manages(r) })
}

func listAllRunners(c *call) *reply {
	scopes := append([]string{"specific", "shared"}, currentScopes...)
	return c.runnerPage(scopes, func(*Runner) bool { return true })
}

func listProjectRunners(c *call, project *Project) *reply {
	return c.runnerPage(currentScopes, func(r *Runner) bool { return r.serves(project) })
}

func listGroupRunners(c *call, group *Group) *reply {
	return c.runnerPage(nil, func(r *Runner) bool { return r.servesGroup(group) })
}

// serves reports whether a project can use a runner: its own, one of its parent groups,
// or one of the instance if that is allowed.
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

// listRunnerJobs lists a runner's jobs in projects in which the caller has at least the
// Reporter role.
func listRunnerJobs(c *call, r *Runner) *reply {
	status, manager := c.StringIn("status", "running", "success", "failed", "canceled"), c.String("system_id")
	jobs := state[jobState](c.svc).jobs.all(func(j *Job) bool {
		return j.runner == r && !j.bridge && (status == "" || j.status == status) &&
			(manager == "" || r.systemID == manager) &&
			c.svc.projectLevel(c.user, j.pipeline.project) >= Reporter
	})
	if c.WantsKeyset() {
		return frame.KeysetPage(c, frame.Keyset[*Job]{
			OrderBy: "id", Sorts: []string{"asc", "desc"}, Param: "id_after", Items: jobs,
			Key:  func(j *Job) string { return frame.Itoa(j.id) },
			JSON: func(j *Job) *encoded { return &encoded{Data: j.forRunner()} },
		})
	}
	order, sort := c.StringIn("order_by", "id"), c.StringIn("sort", "asc", "desc")
	if order == "" || sort != "asc" { // sort has no effect without order_by
		slices.Reverse(jobs)
	}
	return frame.ListOf(c, jobs, (*Job).forRunner)
}

func updateRunner(c *call, r *Runner) *reply {
	if !c.manages(r) {
		return frame.Forbidden("No access granted")
	}
	changed := *r
	changed.read(c)
	if refusal := cmp.Or(c.Refusal(), changed.refuse(c)); refusal != nil {
		return refusal
	}
	*r = changed
	c.svc.touch(r)
	return c.OK(c.runnerDetails(r))
}

// read applies the parameters of updating and of registering a runner.
func (r *Runner) read(c *call) {
	given(c, "description", c.String, &r.description)
	r.paused = c.BoolOr("paused", !c.BoolOr("active", !r.paused))
	r.runUntagged = c.BoolOr("run_untagged", r.runUntagged)
	r.locked = c.BoolOr("locked", r.locked)
	given(c, "tag_list", c.SplitStrings, &r.tags)
	r.accessLevel = either(c.StringIn("access_level", "not_protected", "ref_protected"), r.accessLevel)
	given(c, "maintenance_note", c.String, &r.maintenanceNote)
	given(c, "maximum_timeout", c.Int64, &r.maximumTimeout)
}

// minTimeout is the minimum value of maximum_timeout, in seconds.
const minTimeout = 600

// refuse refuses to make a runner useless, and a note that is too long.
func (r *Runner) refuse(c *call) *reply {
	if c.String("maximum_timeout") != "" && r.maximumTimeout < minTimeout {
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
func enableRunner(c *call, project *Project) *reply {
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
	c.svc.touch(r)
	return c.Created(r.summary())
}

func disableRunner(c *call, project *Project) *reply {
	r, ok := state[runnerState](c.svc).runners.get(c.PathInt64("runner_id"))
	if !ok || !slices.Contains(r.projects, project) {
		return frame.NotFound("Runner")
	}
	if len(r.projects) == 1 {
		return frame.Forbidden("Only one project associated with the runner. Please remove the runner instead")
	}
	r.projects = slices.DeleteFunc(slices.Clone(r.projects), func(p *Project) bool { return p == project })
	c.svc.touch(r)
	return c.NoContent()
}

// registerRunner makes a runner for the owner of the registration token.
func registerRunner(c *call) *reply {
	token := c.RequiredString("token")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	owner, ok := state[runnerState](c.svc).registration[token]
	if !ok {
		return frame.Forbidden("invalid token supplied")
	}
	return c.register(owner)
}

// register makes a runner as the parameters describe it.
func (c *call) register(owner any) *reply {
	info := c.Sub("info")
	r := &Runner{
		svc: c.svc, kind: "instance_type", accessLevel: "not_protected", runUntagged: true,
		name: info.String("name"), version: info.String("version"), revision: info.String("revision"),
		platform: info.String("platform"), architecture: info.String("architecture"),
		maintenanceNote: c.String("maintainer_note"),
	}
	r.ipAddress = c.remoteHost()
	r.become("never_contacted")
	switch owner := owner.(type) {
	case *Group:
		r.kind, r.groups = "group_type", []*Group{owner}
	case *Project:
		r.kind, r.projects = "project_type", []*Project{owner}
	}
	r.read(c)
	if refusal := cmp.Or(c.Refusal(), r.refuse(c)); refusal != nil {
		return refusal
	}
	return c.Created(c.svc.newRunner("", []RunnerOption{runnerOption(func(made *Runner) { *made = *r })}).registered())
}

// currentScopes are the values of the deprecated parameter scope. The list of
// all runners supports more.
var currentScopes = []string{"active", "paused", "online", "offline"}

// runnerPage returns a page of the runners that keep and the filters of the query
// select. Without scopes, the parameter scope is ignored.
func (c *call) runnerPage(scopes []string, keep func(*Runner) bool) *reply {
	f := runnerFilter{
		kind:   c.StringIn("type", "instance_type", "group_type", "project_type"),
		status: c.StringIn("status", "online", "offline", "stale", "never_contacted", "active", "paused"),
		tags:   c.SplitStrings("tag_list"),
	}
	if scopes != nil {
		f.scope = c.StringIn("scope", scopes...)
	}
	f.version = c.String("version_prefix")
	if c.Has("paused") {
		f.paused = new(c.Bool("paused"))
	}
	runners := state[runnerState](c.svc).runners.all(func(r *Runner) bool { return keep(r) && f.keeps(r) })
	return frame.ListOf(c, runners, (*Runner).summary)
}

type runnerFilter struct {
	kind, status, scope string
	version             string // a prefix of the runner's version
	paused              *bool
	tags                []string
}

func (f runnerFilter) keeps(r *Runner) bool {
	for _, tag := range f.tags {
		if !slices.Contains(r.tags, tag) {
			return false
		}
	}
	return strings.HasPrefix(r.version, f.version) && (f.kind == "" || f.kind == r.kind) &&
		(f.paused == nil || *f.paused == r.paused) &&
		r.matches(f.status) && r.matches(f.scope)
}

// matches reports whether a runner matches a value of status or scope. An empty value
// always matches.
func (r *Runner) matches(value string) bool {
	switch value {
	case "":
		return true
	case "active":
		return !r.paused
	case "paused":
		return r.paused
	case "specific":
		return r.kind != "instance_type"
	case "shared":
		return r.kind == "instance_type"
	}
	return r.status == value
}

// registered returns the response to creating a runner. Tokens do not expire here.
func (r *Runner) registered() *collection.Form {
	return inOrder("id", r.id, "token", r.token, "token_expires_at", nil)
}

// maxMaintenanceNote is the maximum length of the note, in bytes.
const maxMaintenanceNote = 1024

// createRunner makes a runner of the instance, a group or a project for the calling
// user.
func createRunner(c *call) *reply {
	c.Require("runner_type")
	kind := c.StringIn("runner_type", "instance_type", "group_type", "project_type")
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
	return c.register(owner)
}

// runnerOwner returns the owner of a new runner: a *Project, a *Group or the *Service.
// The caller must be an owner there.
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

// ownedRunner returns the runner of the path if the caller may delete it: as an owner
// of its group, a maintainer of its projects, or an administrator.
func (c *call) ownedRunner() (*Runner, *reply) {
	r, ok := state[runnerState](c.svc).runners.get(c.PathInt64("id"))
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

func deleteRunner(c *call, r *Runner) *reply {
	state[runnerState](c.svc).runners.remove(r.id)
	return c.NoContent()
}

func (c *call) renewRunnerToken(r *Runner) *reply {
	r.token = "runner-" + frame.SHA("runner", r.token)[:20]
	c.svc.touch(r)
	return c.Created(inOrder("token", r.token, "token_expires_at", nil))
}

// resetRegistrationToken ends the registration token of the instance, a group or a project.
func resetRegistrationToken(c *call) *reply {
	var owner any = c.svc
	var refusal *reply
	if !c.route.admins {
		owner, refusal = c.tokenHome()
	}
	switch {
	case refusal != nil:
		return refusal
	case !c.svc.instance().flag("allow_runner_registration_token"):
		return frame.Forbidden("")
	}
	return c.Created(object{"token": c.svc.renewRegistrationToken(owner)})
}

// listRunnerManagers lists the only process of a runner.
func listRunnerManagers(c *call, r *Runner) *reply {
	manager := object{
		"id": r.id, "system_id": r.systemID, "version": jsonText(r.version), "revision": jsonText(r.revision),
		"platform": jsonText(r.platform), "architecture": jsonText(r.architecture),
		"ip_address": jsonText(r.ipAddress), "status": r.status, "job_execution_status": "idle",
		"created_at": jsonTime(r.createdAt), "contacted_at": jsonTime(r.contactedAt),
	}
	if r.contactedAt.IsZero() {
		for _, unknown := range []string{"version", "revision", "platform", "architecture", "ip_address"} {
			manager[unknown] = nil
		}
	}
	running := func(j *Job) bool { return j.runner == r && j.status == "running" }
	if len(state[jobState](c.svc).jobs.all(running)) > 0 {
		manager["job_execution_status"] = "active"
	}
	return c.OK([]object{manager})
}

func listRunnerProjects(c *call, r *Runner) *reply {
	hidden := func(p *Project) bool { return !c.svc.canSeeProject(c.user, p) }
	seen := slices.DeleteFunc(slices.Clone(r.projects), hidden)
	return frame.CachedListOf(c, seen, func(p *Project) *encoded { return c.projectForm(p, true) })
}

// tokenRunner returns the runner of the authentication token in the body.
func (c *call) tokenRunner() (*Runner, *reply) {
	token := c.RequiredString("token")
	if refusal := c.Refusal(); refusal != nil {
		return nil, refusal
	}
	r := first(state[runnerState](c.svc).runners.all(func(r *Runner) bool { return r.token == token }))
	if r == nil {
		return nil, frame.Forbidden("")
	}
	return r, nil
}

// verifyRunner records that a runner contacted the service.
func verifyRunner(c *call) *reply {
	manager := c.String("system_id")
	r, refusal := c.tokenRunner()
	if refusal != nil {
		return refusal
	}
	r.become("online")
	r.contactedAt, r.systemID = c.now(), either(manager, r.systemID)
	c.svc.touch(r)
	return c.OK(r.registered())
}
