package servicetest

import (
	"regexp"
	"slices"
	"strings"
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
		name: c.str("name"), path: c.str("path"), branch: c.str("default_branch"), topics: c.list("topics"),
		visibility:  c.oneOf("visibility", "private", "internal", "public"),
		registry:    c.oneOf("container_registry_access_level", accessLevels...),
		preferences: c.readPreferences(projectPreferences, making),
		policy:      c.sub("container_expiration_policy_attributes"),
	}
	c.str("description")
	c.bool("shared_runners_enabled", true)
	if c.admin() {
		d.storage = c.str("repository_storage")
	}
	return d
}

// apply applies the parameters to a project, except name and path.
func (d *projectDraft) apply(c *call, p *Project) {
	p.visibility, p.defaultBranch = either(d.visibility, p.visibility), either(d.branch, p.defaultBranch)
	p.registry, p.storage = either(d.registry, p.registry), either(d.storage, p.storage)
	if c.has("description") {
		p.description = c.str("description")
	}
	if c.has("topics") {
		p.topics = d.topics
	}
	if c.has("import_url") {
		p.importURL = withoutCredentials(c.str("import_url"))
	}
	if c.has("shared_runners_enabled") {
		state[runnerState](c.svc).share(p, c.bool("shared_runners_enabled", true))
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
	if file := c.files["avatar"]; file != nil {
		return file.name
	}
	if c.has("avatar") && c.str("avatar") == "" {
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
	if c.str("name") == "" && c.str("path") == "" {
		c.problem("name, path are missing, at least one parameter must be provided")
	}
	d := c.readProject(true)
	readme := c.bool("initialize_with_readme", false)
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	d.name = either(d.name, d.path)
	d.path = either(d.path, pathOf(d.name))
	if !validProjectPath.MatchString(d.path) {
		return invalidPath()
	}
	home, refusal := c.newProjectHome(c.str("namespace_id"))
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
	if project.importURL != "" {
		c.svc.schedule(project, new(projectImport))
		state[imports](c.svc).of[project].kind = "git"
	}
	return c.projectReply(project, c.created)
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
	missing := fieldErrors("namespace", "is not valid")
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
	return jsonReply(400, object{"message": taken})
}

func invalidPath() *reply {
	return fieldErrors("path", "can contain only letters, digits, '_', '-' and '.'")
}

// visibilities are in ascending order.
var visibilities = []string{"private", "internal", "public"}

// visibilityIn refuses a visibility that is wider than the group's.
func visibilityIn(group *Group, visibility string) *reply {
	if group == nil || visibility == "" || slices.Index(visibilities, visibility) <= slices.Index(visibilities, group.visibility) {
		return nil
	}
	return fieldErrors("visibility_level", visibility+" is not allowed in a "+group.visibility+" group.")
}

var notInPaths = regexp.MustCompile(`[^a-z0-9_.-]+`)

// pathOf derives a path from a name.
func pathOf(name string) string {
	return strings.Trim(notInPaths.ReplaceAllString(strings.ToLower(name), "-"), "-.")
}
