package servicetest

import (
	"regexp"
	"slices"
	"strings"

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
}

// readProject reads the parameters that creating and changing a project have in
// common.
func (c *call) readProject(making bool) *projectDraft {
	d := &projectDraft{
		name: c.Str("name"), path: c.Str("path"), branch: c.Str("default_branch"), topics: c.List("topics"),
		visibility:  c.OneOf("visibility", "private", "internal", "public"),
		registry:    c.OneOf("container_registry_access_level", accessLevels...),
		preferences: c.readPreferences(projectPreferences, making),
		policy:      c.Sub("container_expiration_policy_attributes"),
	}
	c.Str("description")
	c.Bool("shared_runners_enabled", true)
	if c.admin() {
		d.storage = c.Str("repository_storage")
	}
	return d
}

// apply applies the parameters to a project, except name and path.
func (d *projectDraft) apply(c *call, p *Project) {
	p.visibility, p.defaultBranch = either(d.visibility, p.visibility), either(d.branch, p.defaultBranch)
	p.registry, p.storage = either(d.registry, p.registry), either(d.storage, p.storage)
	if c.Has("description") {
		p.description = c.Str("description")
	}
	if c.Has("topics") {
		p.topics = d.topics
	}
	if c.Has("import_url") {
		p.importURL = withoutCredentials(c.Str("import_url"))
	}
	if c.Has("shared_runners_enabled") {
		state[runnerState](c.svc).share(p, c.Bool("shared_runners_enabled", true))
	}
	for name, value := range d.preferences {
		p.preferences[name] = value
	}
	p.expiration.change(d.policy)
	p.avatar = c.avatar(p.avatar)
	p.activeAt = c.now()
	c.svc.touch(&p.stamp)
}

// avatar returns the name of the picture that a call sends, "" if the call
// removes the picture, or otherwise the old one.
func (c *call) avatar(before string) string {
	if file := c.Files["avatar"]; file != nil {
		return file.Name
	}
	if c.Has("avatar") && c.Str("avatar") == "" {
		return ""
	}
	return before
}

var credentialsOfURL = regexp.MustCompile(`//[^/@]*@`)

func withoutCredentials(address string) string {
	return credentialsOfURL.ReplaceAllString(address, "//")
}

// createProject makes a project in the caller's namespace or in another.
func createProject(c *call) *reply {
	if c.Str("name") == "" && c.Str("path") == "" {
		c.Problem("name, path are missing, at least one parameter must be provided")
	}
	d := c.readProject(true)
	readme := c.Bool("initialize_with_readme", false)
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	d.name = either(d.name, d.path)
	d.path = either(d.path, pathOf(d.name))
	if !validProjectPath.MatchString(d.path) {
		return invalidPath()
	}
	home, refusal := c.newProjectHome(c.Str("namespace_id"))
	if refusal != nil {
		return refusal
	}
	if refusal := c.freeIn(home, d.name, d.path, nil); refusal != nil {
		return refusal
	}
	if refusal := visibilityIn(home.group, d.visibility); refusal != nil {
		return refusal
	}
	opts := []ProjectOption{Name(d.name)}
	if !readme {
		opts = append(opts, EmptyRepository())
	}
	project := c.makeProject(home, d.path, opts)
	d.apply(c, project)
	project.protectDefault()
	if project.importURL != "" {
		c.svc.schedule(project, new(projectImport))
		state[imports](c.svc).of[project].kind = "git"
	}
	return c.projectReply(project, c.Created)
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

// nobody is a role that nobody has, except administrators.
const nobody = Owner + 1

// leastCreator returns the lowest role that may create projects in the group.
func (g *Group) leastCreator() AccessLevel {
	switch g.preferences.choice(groupPreferences, "project_creation_level") {
	case "noone":
		return nobody
	case "maintainer":
		return Maintainer
	}
	return Developer
}

func (p *Project) home() namespace { return namespace{p.group, p.owner} }

// holds reports whether a project is directly in a namespace.
func (n namespace) holds(p *Project) bool { return p.group == n.group && p.owner == n.user }

// freeIn refuses a name or a path that another project of the namespace has.
func (c *call) freeIn(home namespace, name, path string, except *Project) *reply {
	taken := object{}
	for _, p := range c.svc.projects.all(func(p *Project) bool { return p != except && home.holds(p) }) {
		if strings.EqualFold(p.name, name) {
			taken["name"] = []string{"has already been taken"}
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

// visibilities are in ascending order.
var visibilities = []string{"private", "internal", "public"}

// visibilityIn refuses a visibility that is wider than the group's.
func visibilityIn(group *Group, visibility string) *reply {
	if group == nil || visibility == "" || slices.Index(visibilities, visibility) <= slices.Index(visibilities, group.visibility) {
		return nil
	}
	return frame.FieldErrors("visibility_level", visibility+" is not allowed in a "+group.visibility+" group.")
}

var notInPaths = regexp.MustCompile(`[^a-z0-9_.-]+`)

// pathOf derives a path from a name.
func pathOf(name string) string {
	return strings.Trim(notInPaths.ReplaceAllString(strings.ToLower(name), "-"), "-.")
}
