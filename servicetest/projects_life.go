package servicetest

import (
	"slices"

	"example.com/serviceapi/servicetest/internal/frame"
)

func archive(c *call) *reply   { return c.setArchived(true) }
func unarchive(c *call) *reply { return c.setArchived(false) }

func (c *call) setArchived(archived bool) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	if project.archived != archived {
		project.archived = archived
		c.svc.touch(&project.stamp)
	}
	return c.projectReply(project, c.Created)
}

// transferProject moves a project into another namespace.
func transferProject(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	name := c.Required("namespace")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	home, refusal := c.newProjectHome(name)
	switch {
	case refusal != nil:
		return frame.NotFound("Namespace")
	case home.holds(project):
		return frame.BadRequest("Project is already in this namespace.")
	case c.freeIn(home, project.name, project.path, project) != nil:
		return frame.BadRequest("Project with same name or path in target namespace already exists")
	case visibilityIn(home.group, project.visibility) != nil:
		return frame.BadRequest("Project cannot be transferred, because its visibility is not allowed there")
	}
	project.leave()
	project.group, project.owner = home.group, home.user
	c.svc.touch(&project.stamp)
	return c.projectReply(project, c.OK)
}

// forkProject makes a copy of a project, which is filled like an import.
func forkProject(c *call) *reply {
	source, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	path, name := either(c.Str("path"), source.path), either(c.Str("name"), source.name)
	visibility := c.OneOf("visibility", visibilities...)
	self := c.Bool("mr_default_target_self", false)
	description := either(c.Str("description"), source.description)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	home, refusal := c.newProjectHome(either(c.Str("namespace_id"), c.Str("namespace_path")))
	switch {
	case refusal != nil:
		return frame.NotFound("Target Namespace")
	case !source.has("forking") || source.group != nil && source.group.lets("prevent_forking_outside_group") && !home.within(source.group.top()):
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
	c.svc.schedule(fork, &projectImport{fork: source, branches: c.List("branches")})
	state[imports](c.svc).of[fork].kind = ""
	c.svc.touch(&source.stamp)
	return c.projectReply(fork, c.Created)
}

// within reports whether a namespace is a group, or in it.
func (n namespace) within(group *Group) bool { return n.group.within(group) }

// narrower returns the narrowest of two visibilities and the visibility of a
// group.
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
func shareProject(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	c.Require("group_id", "group_access")
	level, until := AccessLevel(c.Int64("group_access")), c.Time("expires_at")
	if !level.valid() || level < Guest && level != NoAccess {
		c.Problem("group_access does not have a valid value")
	}
	id := c.Int64("group_id")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	group, _ := c.svc.groups.get(id)
	switch {
	case group == nil || !c.svc.canSeeGroup(c.user, group):
		return frame.NotFound("Group")
	case project.group != nil && project.group.lets("share_with_group_lock"):
		return frame.BadRequest("The project sharing with group is disabled")
	case project.sharedWith(group):
		return frame.Conflict("Group has already been given access")
	}
	made := c.svc.newShare(group, level, until)
	project.shares = append(project.shares, made)
	c.svc.touch(&project.stamp)
	return c.Created(object{
		"id": made.id, "project_id": project.id, "group_id": group.id, "group_access": level, "expires_at": jsonDate(until),
	})
}

func unshareProject(c *call) *reply {
	project, refusal := c.project()
	if refusal != nil {
		return refusal
	}
	of := func(sh share) bool { return sh.group.id == c.PathID("group_id") }
	if !slices.ContainsFunc(project.shares, of) {
		return frame.NotFound("")
	}
	project.shares = slices.DeleteFunc(project.shares, of)
	c.svc.touch(&project.stamp)
	return c.NoContent()
}
