package servicetest

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/graphql"
)

// A granularScope are permissions of a token for one group or project, or for what access says.
type granularScope struct {
	Access      string   `json:"access"`
	Permissions []string `json:"permissions"`
	GroupID     *int64   `json:"group_id"`
	ProjectID   *int64   `json:"project_id"`
}

// permissionName matches the names of permissions, known or not: an action and a resource.
var permissionName = regexp.MustCompile(`^[a-z]+(_[a-z0-9]+)+$`)

// granularAccess are the values of access.
var granularAccess = []string{"selected_memberships", "personal_projects", "all_memberships", "user", "instance"}

// granularScopes reads the scopes of a new token of a user, which take the place of the others.
func (c *call) granularScopes(user *User) ([]granularScope, *reply) {
	switch given := c.Given("granular_scopes"); {
	case !given && !c.Given("scopes"):
		return nil, frame.JSONReply(http.StatusBadRequest, object{
			"error": "scopes, granular_scopes are missing, exactly one parameter must be provided",
		})
	case !given:
		return nil, nil
	}
	c.Exclusive("scopes", "granular_scopes")
	var scopes []granularScope
	for _, f := range c.Subs("granular_scopes") {
		access, permissions := f.StringIn("access", granularAccess...), f.Strings("permissions")
		groups, projects := f.Int64s("group_ids"), f.Int64s("project_ids")
		switch {
		case access == "" || len(permissions) == 0:
			return nil, frame.Unprocessable("Granular scopes need access and permissions")
		case slices.ContainsFunc(permissions, func(name string) bool { return !permissionName.MatchString(name) }):
			return nil, frame.Unprocessable("Granular scopes have an unknown permission")
		case access != "selected_memberships":
			scopes = append(scopes, granularScope{Access: access, Permissions: permissions})
			continue
		}
		for _, id := range groups {
			group, ok := c.svc.groups.get(id)
			if !ok || c.svc.groupMembership(user, group) == NoAccess {
				return nil, frame.NotFound("")
			}
			scopes = append(scopes, granularScope{Access: access, Permissions: permissions, GroupID: &group.id})
		}
		for _, id := range projects {
			project, ok := c.svc.projects.get(id)
			if !ok || c.svc.projectMembership(user, project) == NoAccess {
				return nil, frame.NotFound("")
			}
			scopes = append(scopes, granularScope{Access: access, Permissions: permissions, ProjectID: &project.id})
		}
	}
	if refusal := c.Refusal(); refusal != nil {
		return nil, refusal
	}
	if refusal := refuseGranular(scopes); refusal != nil {
		return nil, refusal
	}
	c.Values["scopes"] = []any{"api"} // which the token does not get
	return scopes, nil
}

// refuseGranular refuses an empty list, and two scopes for one thing.
func refuseGranular(scopes []granularScope) *reply {
	if len(scopes) == 0 {
		return frame.Unprocessable("At least one granular scope must be provided")
	}
	same := func(a, b *int64) bool { return a == b || a != nil && b != nil && *a == *b }
	for i, scope := range scopes {
		if slices.ContainsFunc(scopes[:i], func(other granularScope) bool {
			return other.Access == scope.Access && same(other.GroupID, scope.GroupID) &&
				same(other.ProjectID, scope.ProjectID)
		}) {
			return frame.Unprocessable("The token cannot have multiple granular scopes for the same namespace")
		}
	}
	return nil
}

// resources are the names of resources in permissions, by the segment of a path that stands for
// them. Calls about anything else are not covered by a permission.
var resources = map[string]string{
	"projects": "project", "groups": "group", "members": "member", "variables": "variable", "hooks": "webhook",
	"jobs": "job", "artifacts": "job_artifact", "pipelines": "pipeline", "pipeline": "pipeline",
	"runners": "runner", "environments": "environment", "deployments": "deployment", "releases": "release",
	"packages": "package", "repository": "repository", "branches": "branch", "tags": "tag", "commits": "commit",
	"files": "repository_file", "merge_requests": "merge_request", "issues": "work_item", "epics": "work_item",
	"notes": "note", "discussions": "note", "labels": "label", "milestones": "milestone", "boards": "board",
	"snippets": "snippet", "wikis": "wiki", "events": "event", "keys": "ssh_key", "gpg_keys": "gpg_key",
	"emails": "email", "user": "user", "users": "user", "status": "user_status",
	"personal_access_tokens": "personal_access_token",
}

// neededPermissions returns the permissions of which a call needs one, the one that refusals name
// first. For example, a merge needs update_merge_request or merge_merge_request.
func (r *route) neededPermissions() []string {
	_, path, _ := strings.Cut(r.template, " ")
	resource, verb := "", ""
	for segment := range strings.SplitSeq(path, "/") {
		switch name := resources[segment]; {
		case name != "":
			resource, verb = name, ""
		case segment != "" && segment[0] != ':' && segment[0] != '*':
			verb = segment
		}
	}
	switch {
	case resource == "":
		return nil
	case r.method == http.MethodGet || r.method == http.MethodHead:
		return []string{"read_" + resource}
	case verb != "":
		return []string{"update_" + resource, verb + "_" + resource, "write_" + resource}
	}
	action := map[string]string{http.MethodPost: "create_", http.MethodDelete: "delete_"}[r.method]
	return []string{either(action, "update_") + resource, "write_" + resource}
}

// granted reports whether a scope is for what the call is about.
func (c *call) granted(scope granularScope, project *Project, group *Group) bool {
	switch {
	case project != nil:
		group = project.group
		if scope.Access == "personal_projects" {
			return project.owner == c.user
		}
	case group == nil:
		return strings.ToLower(c.route.boundary()) == scope.Access
	}
	if scope.Access == "all_memberships" {
		return project != nil && c.svc.projectMembership(c.user, project) > NoAccess ||
			project == nil && c.svc.groupMembership(c.user, group) > NoAccess
	}
	if project != nil && scope.ProjectID != nil && *scope.ProjectID == project.id {
		return true
	}
	for g := group; g != nil; g = g.parent {
		if scope.GroupID != nil && *scope.GroupID == g.id {
			return true
		}
	}
	return false
}

// checkPermissions refuses a call that no granular scope of the token allows. What does not exist
// is not refused here: the call says so.
func (c *call) checkPermissions() *reply {
	needed := c.route.neededPermissions()
	if needed == nil {
		return insufficientGranularScope("Unable to determine boundaries and permissions for authorization")
	}
	var project *Project
	var group *Group
	where := "the instance"
	switch {
	case c.route.boundary() == "PROJECT":
		if project = c.pathProject(); project == nil {
			return nil
		}
		where = project.fullPath()
	case c.route.boundary() == "GROUP":
		if group = c.svc.findGroup(c.PathString("id")); group == nil {
			return nil
		}
		where = group.fullPath()
	}
	for _, scope := range c.token.granular {
		allows := func(name string) bool { return slices.Contains(scope.Permissions, name) }
		if slices.ContainsFunc(needed, allows) && c.granted(scope, project, group) {
			return nil
		}
	}
	return insufficientGranularScope(fmt.Sprintf(
		"Access denied: Your Personal Access Token lacks the required permissions: [%s] for %q.", needed[0], where))
}

func insufficientGranularScope(description string) *reply {
	return frame.JSONReply(http.StatusForbidden, object{
		"error": "insufficient_granular_scope", "error_description": description,
	})
}

// A permission is a permission as the GraphQL API describes it.
type permission struct {
	name       string
	boundaries []string
}

// boundary returns what the permission for a route is given for.
func (r *route) boundary() string {
	for beginning, boundary := range map[string]string{
		"/projects/:": "PROJECT", "/groups/:": "GROUP", "/user": "USER", "/personal_access_tokens": "USER",
	} {
		if strings.Contains(r.template, " "+beginning) {
			return boundary
		}
	}
	return "INSTANCE"
}

// permissionType is the type of a permission in the GraphQL API. Its resources have no words of
// their own here, and are all in one category.
func permissionType() *gqlType {
	part := func(at int, text func(string) string) *gqlField {
		return gqlScalar(func(p *permission) any {
			action, resource, _ := strings.Cut(p.name, "_")
			return text([]string{action, resource}[at])
		})
	}
	same := func(s string) string { return s }
	words := func(s string) string {
		s = strings.ReplaceAll(s, "_", " ")
		return strings.ToUpper(s[:1]) + s[1:]
	}
	fixed := func(s string) *gqlField { return gqlScalar(func(*permission) any { return s }) }
	return &gqlType{Name: "AccessTokenPermission", Fields: map[string]*gqlField{
		"name":        gqlScalar(func(p *permission) any { return p.name }),
		"description": gqlScalar(func(p *permission) any { return words(p.name) }),
		"action":      part(0, same), "resource": part(1, same), "resourceName": part(1, words),
		"resourceDescription": part(1, words), "category": fixed("service"), "categoryName": fixed("Service"),
		"boundaries": gqlScalar(func(p *permission) any { return p.boundaries }),
	}}
}

// listPermissions resolves the field accessTokenPermissions: the permissions that cover a route of
// the API, by name.
func listPermissions(c *call, _ any, _ graphql.Args) (any, error) {
	found := map[string]*permission{}
	for r := range c.svc.router.Load().All() {
		needed := r.neededPermissions()
		if needed == nil {
			continue
		}
		name := needed[0] // the others are further names
		if found[name] == nil {
			found[name] = &permission{name: name}
		}
		if boundary := r.boundary(); !slices.Contains(found[name].boundaries, boundary) {
			found[name].boundaries = append(found[name].boundaries, boundary)
			slices.Sort(found[name].boundaries)
		}
	}
	all := []any{}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		all = append(all, found[name])
	}
	return all, nil
}
