package servicetest

import (
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// deleteProject deletes a project, or marks it if deletion is delayed.
func deleteProject(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	return c.deletion(&project.marked, project.fullPath(), func() { c.svc.touch(&project.stamp) }, func() { c.svc.removeProject(project) })
}

// deleteGroup is like deleteProject, for a group. Of marked groups, only
// subgroups can be deleted before their day.
func deleteGroup(c *call) *reply {
	group, refusal := c.group()
	if refusal != nil {
		return refusal
	}
	if c.Bool("permanently_remove", false) && group.parent == nil {
		return frame.BadRequest("`permanently_remove` option is only available for subgroups")
	}
	return c.deletion(&group.marked, group.fullPath(), func() { c.svc.touch(&group.stamp) }, func() { c.svc.removeGroup(group) })
}

// deletion implements what deleting a project and deleting a group have in
// common.
func (c *call) deletion(marked *time.Time, path string, touch, remove func()) *reply {
	now, confirmed := c.Bool("permanently_remove", false), c.Str("full_path")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	delay := c.svc.settings.deletionDelay
	switch {
	case !now && (delay == 0 || !c.hasTier(Premium)):
		remove()
	case !now:
		if marked.IsZero() {
			*marked = c.now()
			touch()
			c.svc.after(delay, func() {
				defer c.svc.lock()()
				remove()
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

// removeGroup removes a group with all that is in it.
func (s *Service) removeGroup(group *Group) {
	for _, p := range s.projects.all(func(p *Project) bool { return p.within(group) }) {
		s.removeProject(p)
	}
	for _, g := range s.groups.all(func(g *Group) bool { return g.within(group) }) {
		s.removeFromAreas(g)
		s.groups.remove(g.id)
	}
	gone := func(sh share) bool { return sh.group.within(group) }
	for _, p := range s.projects.all(nil) {
		p.shares = dropShares(s, &p.stamp, p.shares, gone)
	}
	for _, g := range s.groups.all(nil) {
		g.shares = dropShares(s, &g.stamp, g.shares, gone)
	}
}

func dropShares(s *Service, of *stamp, shares []share, gone func(share) bool) []share {
	if !slices.ContainsFunc(shares, gone) {
		return shares
	}
	s.touch(of)
	return slices.DeleteFunc(slices.Clone(shares), gone)
}

// removeFromAreas removes what a group has other than projects and groups.
func (s *Service) removeFromAreas(g *Group) {
	removeWhere(&state[epicState](s).epics, func(e *Epic) bool { return e.group == g })
	removeWhere(&state[milestoneState](s).milestones, func(m *Milestone) bool { return m.group == g })
	removeWhere(&state[labelState](s).labels, func(l *label) bool { return l.group == g })
	delete(state[scimState](s).groups, g)
	s.removeRunnersOf(func(r *Runner) bool { return slices.Contains(r.groups, g) })
	s.revokeTokensOf(g)
	s.forget(g)
}

// removeProject removes a project with all that belongs to it.
func (s *Service) removeProject(p *Project) {
	s.projects.remove(p.id)
	s.removePipelines(p)
	s.removeTopics(p)
	s.removeEnvironments(p)
	for _, r := range state[registryState](s).repositories.all(func(r *RegistryRepository) bool { return r.project == p }) {
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
		s.touch(&fork.stamp)
	}
	if p.forkedFrom != nil {
		s.touch(&p.forkedFrom.stamp)
	}
	delete(state[repositories](s).of, p)
	delete(state[protections](s).branches, p)
	delete(state[protections](s).tags, p)
	delete(state[releases](s).of, p)
	delete(state[exports](s).of, p)
	delete(state[imports](s).of, p)
	s.revokeTokensOf(p)
	s.forget(p)
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
}

// removeTopics removes the issues, merge requests, snippets, milestones and
// comments on commits of a project.
func (s *Service) removeTopics(p *Project) {
	issues := state[issueState](s)
	for _, issue := range issues.issues.all(func(i *Issue) bool { return i.project == p }) {
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
	removeWhere(&state[commitComments](s).table, func(comment *commitComment) bool { return comment.project == p })
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

// forget drops what areas store for a project or a group that is being deleted.
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
