package servicetest

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// A projectDraft has the parameters of a call that creates or changes a
// project.
type projectDraft struct {
	name, path, visibility, branch string
	registry, storage              string
	topics                         []string
	preferences                    preferences
	policy                         fields
	runners                        *bool // whether to use those of the instance; nil for no change
}

// readProject reads the parameters of creating and of changing a project.
func (c *call) readProject(making bool) *projectDraft {
	d := &projectDraft{
		name: c.String("name"), path: c.String("path"), branch: c.String("default_branch"),
		topics:      c.SplitStrings("topics"),
		visibility:  c.StringIn("visibility", "private", "internal", "public"),
		registry:    c.StringIn("container_registry_access_level", accessLevels...),
		preferences: c.readPreferences(projectPreferences, making),
		policy:      c.Sub("container_expiration_policy_attributes"),
	}
	c.readEmails(d.preferences)
	c.checkAvatar()
	frame.Accept(c.String, "description")
	if c.Has("shared_runners_enabled") {
		d.runners = new(c.BoolOr("shared_runners_enabled", true))
	}
	if c.admin() {
		d.storage = c.String("repository_storage")
	}
	return d
}

// apply applies the parameters to a project, except name and path.
func (d *projectDraft) apply(c *call, p *Project) {
	p.visibility, p.defaultBranch = either(d.visibility, p.visibility), either(d.branch, p.defaultBranch)
	p.registry, p.storage = either(d.registry, p.registry), either(d.storage, p.storage)
	if c.Has("description") {
		p.description = c.String("description")
	}
	if c.Has("topics") {
		p.topics = d.topics
	}
	if c.Has("import_url") {
		p.importURL = withoutCredentials(c.String("import_url"))
	}
	if d.runners != nil {
		state[runnerState](c.svc).share(p, *d.runners)
	}
	for name, value := range d.preferences {
		p.preferences[name] = value
	}
	p.expiration.change(d.policy)
	p.avatar = c.avatar(p.avatar)
	p.activeAt = c.now()
	c.svc.touch(p)
}

var credentialsOfURL = regexp.MustCompile(`//[^/@]*@`)

func withoutCredentials(address string) string {
	return credentialsOfURL.ReplaceAllString(address, "//")
}

// createProject makes a project in the caller's namespace or in another one.
func createProject(c *call) *reply {
	if c.String("name") == "" && c.String("path") == "" {
		c.Problem("name, path are missing, at least one parameter must be provided")
	}
	d := c.readProject(true)
	readme := c.Bool("initialize_with_readme") || c.String("template_name") != ""
	template, refusal := c.projectTemplate()
	if refusal != nil {
		return refusal
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if template != nil {
		readme = false
	}
	d.name = either(d.name, d.path)
	d.path = either(d.path, pathOf(d.name))
	if !validProjectPath.MatchString(d.path) {
		return invalidPath()
	}
	home, refusal := c.newProjectHome(c.String("namespace_id"))
	if refusal != nil {
		return refusal
	}
	if refusal := c.freeIn(home, d.name, d.path, nil); refusal != nil {
		return refusal
	}
	if refusal := visibilityIn(home.group, d.visibility); refusal != nil {
		return refusal
	}
	if home.group != nil && d.branch == "" {
		d.branch = home.group.preferences.choice(groupPreferences, "default_branch")
	}
	c.svc.instance().complete(d, home)
	if refusal := c.restricted(d.visibility); refusal != nil {
		return refusal
	}
	opts := []ProjectOption{Name(d.name)}
	if !readme {
		opts = append(opts, EmptyRepository())
	}
	project := c.makeProject(home, d.path, opts)
	d.apply(c, project)
	if template != nil {
		(&projectImport{fork: template}).copyFork(project)
		project.defaultBranch = template.defaultBranch
	}
	project.protectDefault()
	if project.importURL != "" {
		c.svc.schedule(project, new(projectImport))
		state[imports](c.svc).of[project].kind = "git"
	}
	return c.projectReply(project, c.Created)
}

// projectTemplate returns the project to copy the repository from, or nil. Other
// templates, named by template_name, are just a README.
func (c *call) projectTemplate() (*Project, *reply) {
	frame.Accept(c.Bool, "use_custom_template")
	frame.Accept(c.Int64, "group_with_project_templates_id")
	id := c.Int64("template_project_id")
	if refusal := c.Refusal(); refusal != nil || id == 0 || !c.hasTier(Premium) {
		return nil, refusal
	}
	template, ok := c.svc.projects.get(id)
	if !ok || !c.seesProject(template) {
		return nil, frame.FieldErrors("template_project_id", "is unknown or invalid")
	}
	return template, nil
}

// makeProject makes a project that the caller owns.
func (c *call) makeProject(home namespace, path string, opts []ProjectOption) *Project {
	project := c.svc.newProject(home.group, home.user, path, opts)
	project.creator = c.user
	if home.group != nil && c.svc.groupMembership(c.user, home.group) < Maintainer {
		c.svc.addMember(&project.members, c.user, Maintainer)
	}
	return project
}

// newProjectHome returns the namespace of a new project. The default is the
// caller's own.
func (c *call) newProjectHome(name string) (namespace, *reply) {
	missing := frame.FieldErrors("namespace", "is not valid")
	if name == "" {
		return namespace{user: c.user}, nil
	}
	if owner := c.svc.namespaceOwner(name); owner != nil {
		if owner != c.user && !c.admin() {
			return namespace{}, missing
		}
		return namespace{user: owner}, nil
	}
	group := c.svc.findGroup(name)
	if group == nil || !c.svc.canSeeGroup(c.user, group) || c.svc.groupLevel(c.user, group) < group.leastCreator() {
		return namespace{}, missing
	}
	return namespace{group: group}, nil
}

// nobody is a role that no user has, except administrators.
const nobody = Owner + 1

func (p *Project) home() namespace { return namespace{p.group, p.owner} }

// holds reports whether a project is directly in a namespace.
func (n namespace) holds(p *Project) bool { return p.group == n.group && p.owner == n.user }

// freeIn refuses a name or a path that another project of the namespace has.
func (c *call) freeIn(home namespace, name, path string, except *Project) *reply {
	taken := object{}
	for _, p := range c.svc.projects.all(func(p *Project) bool { return p != except && home.holds(p) }) {
		if strings.EqualFold(p.name, name) {
			taken["name"] = []string{"has already been taken"}
			taken["project_namespace.name"] = taken["name"]
		}
		if strings.EqualFold(p.path, path) {
			taken["path"] = []string{"has already been taken"}
		}
	}
	if home.group != nil && c.svc.findGroup(home.group.fullPath()+"/"+path) != nil {
		taken["path"] = []string{"has already been taken"}
	}
	if len(taken) == 0 {
		return nil
	}
	return frame.JSONReply(400, object{"message": taken})
}

func invalidPath() *reply {
	return frame.FieldErrors("path", "can contain only letters, digits, '_', '-' and '.'")
}

// visibilities lists all visibilities in ascending order.
var visibilities = []string{"private", "internal", "public"}

// visibilityIn refuses a visibility that is wider than the group's.
func visibilityIn(group *Group, visibility string) *reply {
	if group == nil || visibility == "" || slices.Index(visibilities, visibility) <= slices.Index(visibilities,
		group.visibility) {
		return nil
	}
	return frame.FieldErrors("visibility_level", visibility+" is not allowed in a "+group.visibility+" group.")
}

var notInPaths = regexp.MustCompile(`[^a-z0-9_.-]+`)

// pathOf derives a path from a name.
func pathOf(name string) string {
	return strings.Trim(notInPaths.ReplaceAllString(strings.ToLower(name), "-"), "-.")
}

func archive(c *call) *reply   { return c.setArchived(true) }
func unarchive(c *call) *reply { return c.setArchived(false) }

func (c *call) setArchived(archived bool) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	if project.archived != archived {
		project.archived = archived
		c.svc.touch(project)
	}
	return c.projectReply(project, c.Created)
}

// transferProject moves a project into another namespace.
func transferProject(c *call, project *Project) *reply {
	name := c.RequiredString("namespace")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	home, refusal := c.newProjectHome(name)
	if refusal != nil {
		return frame.NotFound("Namespace")
	}
	if problem := c.misplacedProject(project, home); problem != "" {
		return frame.BadRequest(problem)
	}
	project.move(home)
	return c.projectReply(project, c.OK)
}

// forkProject makes a copy of a project, and fills it like an import.
func forkProject(c *call, source *Project) *reply {
	path, name := either(c.String("path"), source.path), either(c.String("name"), source.name)
	visibility := c.StringIn("visibility", visibilities...)
	self := c.Bool("mr_default_target_self")
	description := either(c.String("description"), source.description)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	home, refusal := c.newProjectHome(either(c.String("namespace_id"), c.String("namespace_path")))
	switch {
	case refusal != nil:
		return frame.NotFound("Target Namespace")
	case !source.mayBeForkedTo(home):
		return frame.NotFound("")
	case !validProjectPath.MatchString(path):
		return invalidPath()
	}
	if taken := c.freeIn(home, name, path, nil); taken != nil {
		taken.Status = 409
		return taken
	}
	fork := c.makeProject(home, path, []ProjectOption{Name(name), Description(description), EmptyRepository()})
	fork.forkedFrom, fork.defaultBranch = source, source.defaultBranch
	fork.visibility = narrower(either(visibility, source.visibility), source.visibility, home.group)
	fork.preferences["mr_default_target_self"] = self
	c.svc.schedule(fork, &projectImport{fork: source, branches: c.SplitStrings("branches")})
	state[imports](c.svc).of[fork].kind = ""
	c.svc.touch(source)
	return c.projectReply(fork, c.Created)
}

// within reports whether a namespace is a group, or in it.
func (n namespace) within(group *Group) bool { return n.group.within(group) }

// narrower returns the narrowest of two visibilities and a group's visibility.
func narrower(a, b string, group *Group) string {
	at := min(slices.Index(visibilities, a), slices.Index(visibilities, b))
	if group != nil {
		at = min(at, slices.Index(visibilities, group.visibility))
	}
	return visibilities[at]
}

// copyFork copies the branches and tags of a project to its fork.
func (i *projectImport) copyFork(p *Project) {
	from, to := i.fork.repository(), p.repository()
	for _, name := range from.Branches() {
		if len(i.branches) > 0 && !slices.Contains(i.branches, name) {
			continue
		}
		head := from.Branch(name)
		to.Fetch(from.Repository, head)
		to.SetBranch(name, head)
	}
	if len(i.branches) > 0 {
		return
	}
	for _, name := range from.Tags() {
		tag := from.Tag(name)
		to.Fetch(from.Repository, tag.Commit)
		to.SetTag(name, tag.Commit)
	}
}

// shareProject gives the members of a group access to a project.
func shareProject(c *call, project *Project) *reply {
	group, level, until, refusal := c.shareTerms()
	switch {
	case refusal != nil:
		return refusal
	case group == nil:
		return frame.NotFound("Group")
	case project.group != nil && project.group.lets("share_with_group_lock"):
		return frame.BadRequest("The project sharing with group is disabled")
	case project.sharedWith(group):
		return frame.Conflict("Group has already been given access")
	}
	made := c.svc.newShare(group, level, until)
	project.shares = append(project.shares, made)
	c.svc.touch(project)
	return c.Created(object{
		"id": made.id, "project_id": project.id, "group_id": group.id, "group_access": level,
		"expires_at": jsonDate(until),
	})
}

func unshareProject(c *call, project *Project) *reply {
	of := func(sh share) bool { return sh.group.id == c.PathInt64("group_id") && !sh.ended(c.now()) }
	if !slices.ContainsFunc(project.shares, of) {
		return frame.NotFound("")
	}
	project.shares = slices.DeleteFunc(project.shares, of)
	c.svc.touch(project)
	return c.NoContent()
}

// deleteProject deletes a project, or marks it if deletion is delayed.
func deleteProject(c *call, project *Project) *reply {
	return c.deletion(&project.marked, project.fullPath(), func() { c.svc.touch(project) },
		func() { c.svc.removeProject(project) })
}

// deleteGroup is like deleteProject, for a group. Among marked groups, only subgroups
// can be deleted before their day.
func deleteGroup(c *call, group *Group) *reply {
	if c.Bool("permanently_remove") && group.parent == nil {
		return frame.BadRequest("`permanently_remove` option is only available for subgroups")
	}
	return c.deletion(&group.marked, group.fullPath(), func() { c.svc.touch(group) },
		func() { c.svc.removeGroup(group) })
}

// deletion implements the common part of deleting a project and a group.
func (c *call) deletion(marked *time.Time, path string, touch, remove func()) *reply {
	now, confirmed := c.Bool("permanently_remove"), c.String("full_path")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	delay := c.svc.settings.deletionDelay
	switch {
	case !now && (delay == 0 || !c.hasTier(Premium)):
		remove()
	case !now:
		if marked.IsZero() {
			since := c.now()
			*marked = since
			touch()
			c.svc.later(delay, func() {
				if marked.Equal(since) { // not restored since
					remove()
				}
			})
		}
	case marked.IsZero():
		return frame.BadRequest("It must be marked for deletion first.")
	case confirmed != path:
		return frame.BadRequest("`full_path` is incorrect. You must enter the complete path.")
	default:
		remove()
	}
	return c.Accepted(object{"message": "202 Accepted"})
}

// removeGroup removes a group and everything in it.
func (s *Service) removeGroup(group *Group) {
	s.touchAll()
	for _, p := range s.projects.all(func(p *Project) bool { return p.within(group) }) {
		s.removeProject(p)
	}
	for _, g := range s.groups.all(func(g *Group) bool { return g.within(group) }) {
		s.removeFromAreas(g)
		s.groups.remove(g.id)
	}
	s.dropLevels(nil, func(l protectionLevel) bool { return l.group != nil && l.group.within(group) })
	gone := func(sh share) bool { return sh.group.within(group) }
	for _, p := range s.projects.all(nil) {
		p.shares = dropShares(s, p, p.shares, gone)
	}
	for _, g := range s.groups.all(nil) {
		g.shares = dropShares(s, g, g.shares, gone)
	}
}

func dropShares(s *Service, of any, shares []share, gone func(share) bool) []share {
	if !slices.ContainsFunc(shares, gone) {
		return shares
	}
	s.touch(of)
	return slices.DeleteFunc(slices.Clone(shares), gone)
}

// removeFromAreas removes what a group has besides projects and groups.
func (s *Service) removeFromAreas(g *Group) {
	for _, e := range state[epicState](s).epics.all(func(e *Epic) bool { return e.group == g }) {
		e.remove()
	}
	s.removeBoards(g)
	removeWhere(&state[milestoneState](s).milestones, func(m *Milestone) bool { return m.group == g })
	removeWhere(&state[labelState](s).labels, func(l *label) bool { return l.group == g })
	removeWhere(&state[iterationState](s).iterations, func(it *keptIteration) bool { return it.group == g })
	delete(state[scimState](s).groups, g)
	delete(state[groupExports](s).of, g)
	s.unprotect(g)
	s.removeRunnersOf(func(r *Runner) bool { return slices.Contains(r.groups, g) })
	s.revokeTokensOf(g)
	s.forget(g)
}

// removeProject removes a project and everything in it.
func (s *Service) removeProject(p *Project) {
	s.touchAll()
	s.projects.remove(p.id)
	s.removePipelines(p)
	s.removeTopics(p)
	s.removeBoards(p)
	s.removeEnvironments(p)
	for _, r := range state[registryState](s).repositories.all(func(r *RegistryRepository) bool {
		return r.project == p
	}) {
		r.deleted = true
		state[registryState](s).repositories.remove(r.id)
	}
	files := &state[secureFileState](s).files
	for _, f := range files.all(func(f *SecureFile) bool { return f.project == p }) {
		files.remove(f.id)
	}
	for _, key := range state[deployKeyState](s).keys.all(func(k *DeployKey) bool { return k.in(p) != nil }) {
		key.disable(p)
	}
	for _, runner := range state[runnerState](s).runners.all(nil) {
		runner.projects = slices.DeleteFunc(slices.Clone(runner.projects), func(of *Project) bool { return of == p })
	}
	s.removeRunnersOf(func(r *Runner) bool { return r.kind == "project_type" && len(r.projects) == 0 })
	for _, fork := range s.projects.all(func(fork *Project) bool { return fork.forkedFrom == p }) {
		fork.forkedFrom = nil
		s.touch(fork)
	}
	if p.forkedFrom != nil {
		s.touch(p.forkedFrom)
	}
	delete(state[repositories](s).of, p)
	s.unprotect(p)
	delete(state[releases](s).of, p)
	delete(state[exports](s).of, p)
	delete(state[imports](s).of, p)
	s.revokeTokensOf(p)
	s.forget(p)
	removeWhere(&state[packageState](s).packages, func(pkg *Package) bool { return pkg.project == p })
}

// removePipelines removes the pipelines of a project with their jobs.
func (s *Service) removePipelines(p *Project) {
	for _, pipeline := range p.pipelines {
		for _, job := range slices.Concat(pipeline.jobs, pipeline.bridges) {
			if job.token != nil {
				job.token.revoked = true
			}
			state[jobState](s).jobs.remove(job.id)
		}
		state[pipelineState](s).pipelines.remove(pipeline.id)
	}
	p.pipelines, p.jobs = nil, nil
	removeWhere(&state[triggerState](s).triggers, func(t *Trigger) bool { return t.project == p })
	removeWhere(&state[scheduleState](s).schedules, func(s *PipelineSchedule) bool { return s.project == p })
}

// removeTopics removes the issues, merge requests, snippets, milestones, comments on
// commits and the wiki of a project.
func (s *Service) removeTopics(p *Project) {
	issues := state[issueState](s)
	for _, issue := range issues.issues.all(func(i *Issue) bool { return i.project == p }) {
		issue.removeLinks()
		issues.issues.remove(issue.id)
	}
	delete(issues.byProject, p)
	requests := state[mergeRequestState](s)
	for _, request := range requests.requests.all(func(m *MergeRequest) bool { return m.project == p }) {
		request.stopWaiting()
		requests.requests.remove(request.id)
	}
	delete(requests.byProject, p)
	removeWhere(&state[milestoneState](s).milestones, func(m *Milestone) bool { return m.project == p })
	removeWhere(&state[labelState](s).labels, func(l *label) bool { return l.project == p })
	removeWhere(&state[snippetState](s).snippets, func(n *Snippet) bool { return n.project == p })
	s.removeCommitNotes(p)
	delete(state[wikiState](s).wikis, wikiHome{project: p})
}

// removeEnvironments removes the environments of a project with their
// deployments.
func (s *Service) removeEnvironments(p *Project) {
	environments, deployments := &state[environmentState](s).environments, &state[deploymentState](s).deployments
	for _, e := range environments.all(func(e *Environment) bool { return e.project == p }) {
		for _, d := range e.deployments {
			deployments.remove(d.id)
		}
		environments.remove(e.id)
	}
}

func (s *Service) removeRunnersOf(gone func(*Runner) bool) {
	runners := &state[runnerState](s).runners
	for _, r := range runners.all(gone) {
		runners.remove(r.id)
	}
}

// forget drops everything that areas store for a project or a group that is being
// deleted.
func (s *Service) forget(owner any) {
	runners := state[runnerState](s)
	delete(runners.unshared, owner)
	for token, of := range runners.registration {
		if of == owner {
			delete(runners.registration, token)
		}
	}
	delete(state[variableState](s).of, owner)
}
