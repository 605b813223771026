package servicetest

import (
	"slices"
	"strconv"

	"example.com/serviceapi/servicetest/internal/frame"
)

func getProject(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	return c.projectReply(project, c.OK)
}

// projectReply returns a single project.
func (c *call) projectReply(p *Project, answer func(any) *reply) *reply {
	form := c.projectForm(p, false)
	if c.Bool("license", false) {
		form = &encoded{Data: joined(form.Data, p.license())}
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	return answer(form)
}

func listProjects(c *call) *reply {
	return c.projectList(func(p *Project) bool { return c.svc.canSeeProject(c.user, p) })
}

// listUserProjects lists the projects in a user's own namespace.
func listUserProjects(c *call) *reply {
	user := c.svc.findUser(c.PathText("user_id"))
	if user == nil {
		return frame.NotFound("User")
	}
	return c.projectList(func(p *Project) bool { return p.owner == user && c.svc.canSeeProject(c.user, p) })
}

// listGroupProjects lists the projects in a group, with those that are shared
// with it.
func listGroupProjects(c *call) *reply {
	group, refusal := c.group()
	if refusal != nil {
		return refusal
	}
	below, shared, reports := c.Bool("include_subgroups", false), c.Bool("with_shared", true), c.Bool("with_security_reports", false)
	return c.projectList(func(p *Project) bool {
		inside := p.group == group || below && p.within(group)
		return (inside || shared && p.sharedWith(group)) && !reports && c.svc.canSeeProject(c.user, p)
	})
}

// projectList returns one page of the projects that the call asks for.
func (c *call) projectList(within func(*Project) bool) *reply {
	wanted := c.projectFilters()
	if refusal := c.premiumFilters("repository_checksum_failed"); refusal != nil {
		return refusal
	}
	simple := c.Bool("simple", false)
	c.Bool("statistics", false)
	c.Bool("with_custom_attributes", false)
	found := c.svc.projects.all(func(p *Project) bool { return within(p) && wanted(p) })
	form := func(p *Project) *encoded { return c.projectForm(p, simple) }
	if c.WantsKeyset() {
		return frame.KeysetPage(c, frame.Keyset[*Project]{
			OrderBy: "id", Sorts: []string{"asc", "desc"}, Param: "id_after", Items: found, JSON: form,
			Key: func(p *Project) string { return strconv.FormatInt(p.id, 10) },
		})
	}
	if refusal := sortProjects(c, found); refusal != nil {
		return refusal
	}
	return frame.CachedListOf(c, found, form)
}

// updateProject changes a project.
func updateProject(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	if len(c.Values) == len(c.Path) && len(c.Files) == 0 {
		return frame.JSONReply(400, object{"error": "at least one parameter must be provided"})
	}
	draft := c.readProject(false)
	if draft.branch != "" && !slices.Contains(project.repository().Branches(), draft.branch) {
		c.Problem("default_branch does not have a valid value")
	}
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if draft.path != "" && !validProjectPath.MatchString(draft.path) {
		return invalidPath()
	}
	name, path := either(draft.name, project.name), either(draft.path, project.path)
	if refusal := c.freeIn(project.home(), name, path, project); refusal != nil {
		return refusal
	}
	if refusal := visibilityIn(project.group, draft.visibility); refusal != nil {
		return refusal
	}
	if path != project.path {
		project.leave()
	}
	project.name, project.path = name, path
	draft.apply(c, project)
	return c.projectReply(project, c.OK)
}
