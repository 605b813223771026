package servicetest

import (
	"slices"

	"example.com/serviceapi/servicetest/internal/frame"
)

// jobTokenScopes says who may reach projects with job tokens.
type jobTokenScopes struct{ of map[*Project]*jobTokenScope }

// A jobTokenScope is what one project allows.
type jobTokenScope struct {
	limited  bool
	projects []*Project
	groups   []*Group
}

func (p *Project) jobTokenScope() *jobTokenScope { return kept(&state[jobTokenScopes](p.svc).of, p) }

// admitsJobsOf reports whether the tokens of another project's jobs may reach the project.
func (p *Project) admitsJobsOf(other *Project) bool {
	scope := p.jobTokenScope()
	return p == other || !scope.limited || slices.Contains(scope.projects, other) ||
		slices.ContainsFunc(scope.groups, other.within)
}

func getJobTokenScope(c *call, project *Project) *reply {
	return c.OK(object{
		"inbound_enabled": project.jobTokenScope().limited, "outbound_enabled": c.svc.feature("ci_job_token_scope"),
	})
}

func updateJobTokenScope(c *call, project *Project) *reply {
	c.Require("enabled")
	limited := c.Bool("enabled")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	project.jobTokenScope().limited = limited
	return c.NoContent()
}

// allowedProjects and allowedGroups return those that still exist.
func (s *jobTokenScope) allowedProjects() []*Project {
	s.projects = slices.DeleteFunc(s.projects, func(p *Project) bool { return !p.svc.hasProject(p) })
	return s.projects
}

func (s *jobTokenScope) allowedGroups() []*Group {
	s.groups = slices.DeleteFunc(s.groups, func(g *Group) bool {
		found, _ := g.svc.groups.get(g.id)
		return found != g
	})
	return s.groups
}

func listAllowedProjects(c *call, project *Project) *reply {
	return frame.CachedListOf(c, project.jobTokenScope().allowedProjects(),
		func(p *Project) *encoded { return c.projectForm(p, true) })
}

func addAllowedProject(c *call, project *Project) *reply {
	c.Require("target_project_id")
	target, ok := c.svc.projects.get(c.Int64("target_project_id"))
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if !ok || !c.svc.canSeeProject(c.user, target) {
		return frame.NotFound("Project")
	}
	scope := project.jobTokenScope()
	if target == project || slices.Contains(scope.projects, target) {
		return frame.Unprocessable("This project is already in the job token allowlist.")
	}
	scope.projects = append(scope.projects, target)
	return c.Created(object{"source_project_id": project.id, "target_project_id": target.id})
}

func removeAllowedProject(c *call, project *Project) *reply {
	scope := project.jobTokenScope()
	at := slices.IndexFunc(scope.projects, func(p *Project) bool { return p.id == c.PathInt64("target_project_id") })
	if at < 0 {
		return frame.NotFound("")
	}
	scope.projects = slices.Delete(scope.projects, at, at+1)
	return c.NoContent()
}

func listAllowedGroups(c *call, project *Project) *reply {
	return frame.ListOf(c, project.jobTokenScope().allowedGroups(), func(g *Group) object {
		return object{"id": g.id, "name": g.name, "web_url": g.webURL()}
	})
}

func addAllowedGroup(c *call, project *Project) *reply {
	c.Require("target_group_id")
	target, ok := c.svc.groups.get(c.Int64("target_group_id"))
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if !ok || !c.svc.canSeeGroup(c.user, target) {
		return frame.NotFound("Group")
	}
	scope := project.jobTokenScope()
	if slices.Contains(scope.groups, target) {
		return frame.Unprocessable("This group is already in the job token allowlist.")
	}
	scope.groups = append(scope.groups, target)
	return c.Created(object{"source_project_id": project.id, "target_group_id": target.id})
}

func removeAllowedGroup(c *call, project *Project) *reply {
	scope := project.jobTokenScope()
	at := slices.IndexFunc(scope.groups, func(g *Group) bool { return g.id == c.PathInt64("target_group_id") })
	if at < 0 {
		return frame.NotFound("")
	}
	scope.groups = slices.Delete(scope.groups, at, at+1)
	return c.NoContent()
}
