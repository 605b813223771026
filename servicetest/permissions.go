package servicetest

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
	"example.com/serviceapi/servicetest/internal/graphql"
)

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
	"emails": "email", "user": "user", "users": "user", "status": "user_status", "subgroups": "group", "trace": "job",
	"personal_access_tokens": "personal_access_token", "self": "personal_access_token", "tree": "repository",
	"compare": "repository", "archive.:format": "repository", "raw": "repository_file", "diffs": "merge_request",
}

// verbs are what calls do with a resource beside reading, creating, updating and deleting it.
const verbs = "approve archive cancel erase fork keep merge move play rebase restore retry revoke rotate share star " +
	"stop subscribe transfer unapprove unarchive unstar unsubscribe"

// neededPermissions returns the permissions of which a call needs one, the one that refusals name
// first. For example, a merge needs update_merge_request or merge_merge_request.
func (r *route) neededPermissions() []string {
	_, path, _ := strings.Cut(r.template, " ")
	resource, verb := "", ""
	for segment := range strings.SplitSeq(path, "/") {
		switch name := resources[segment]; {
		case name != "":
			resource, verb = name, ""
		case slices.Contains(strings.Fields(verbs), segment):
			verb = segment
		case segment != "" && segment[0] != ':' && segment[0] != '*':
			return nil
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
	case scope.Access == "personal_projects":
		return project != nil && project.owner == c.user
	case scope.Access == "all_memberships" && project != nil:
		return c.svc.projectMembership(c.user, project) > NoAccess
	case scope.Access == "all_memberships":
		return c.svc.groupMembership(c.user, group) > NoAccess
	case scope.Access != "selected_memberships":
		return strings.ToLower(c.route.boundary()) == scope.Access
	case scope.ProjectID != nil:
		return project != nil && *scope.ProjectID == project.id
	}
	for ; group != nil; group = group.parent {
		if *scope.GroupID == group.id {
			return true
		}
	}
	return false
}

// checkPermissions refuses a call that no granular scope of the token allows. What does not exist
// or is hidden is not refused here: the call says so.
func (c *call) checkPermissions() *reply {
	needed := c.route.neededPermissions()
	if needed == nil {
		return insufficientGranularScope("Unable to determine boundaries and permissions for authorization")
	}
	project, group, where := (*Project)(nil), (*Group)(nil), "the instance"
	switch c.route.boundary() {
	case "PROJECT":
		if project = c.pathProject(); project == nil || !c.svc.canSeeProject(c.user, project) {
			return nil
		}
		group, where = project.group, project.fullPath()
	case "GROUP":
		if group = c.svc.findGroup(c.PathString("id")); group == nil || !c.svc.canSeeGroup(c.user, group) {
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
	boundaries := map[string][]string{}
	for r := range c.svc.router.Load().All() {
		needed := r.neededPermissions() // of which all but the first are further names
		if needed != nil && !slices.Contains(boundaries[needed[0]], r.boundary()) {
			boundaries[needed[0]] = append(boundaries[needed[0]], r.boundary())
		}
	}
	return mapped(slices.Sorted(maps.Keys(boundaries)), func(name string) any {
		return &permission{name, slices.Sorted(slices.Values(boundaries[name]))}
	}), nil
}
