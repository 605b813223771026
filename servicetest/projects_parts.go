package servicetest

import (
	"net/http"
	"strings"

	"example.com/serviceapi/servicetest/internal/frame"
)

// partsOfAreas are the parts of a project that can be turned off, by the segment
// of the path after the project.
var partsOfAreas = map[string]string{
	"issues": "issues", "merge_requests": "merge_requests", "repository": "repository", "snippets": "snippets",
	"jobs": "builds", "pipeline": "builds", "pipelines": "builds", "artifacts": "builds",
}

// serves reports whether a user has access to a part of the project: issues,
// merge_requests, builds, repository, snippets and so on.
func (p *Project) serves(user *User, part string) bool {
	if (part == "merge_requests" || part == "builds") && !p.serves(user, "repository") {
		return false
	}
	switch p.preferences.choice(projectPreferences, part+"_access_level") {
	case "disabled":
		return false
	case "private":
		return p.svc.projectLevel(user, p) >= Guest
	}
	return true
}

// area returns the segment of the route's path after the project, or "" if the
// route is about the project itself or about something else.
func (c *call) area() string {
	_, path, _ := strings.Cut(c.route.template, "/projects/:")
	_, path, _ = strings.Cut(path, "/")
	area, _, _ := strings.Cut(path, "/")
	return area
}

// partTurnedOn refuses calls for a part of a project that the caller has no
// access to.
func (c *call) partTurnedOn() *reply {
	part := partsOfAreas[c.area()]
	if part == "" {
		return nil
	}
	project := c.pathProject()
	if project == nil || !c.svc.canSeeProject(c.user, project) || project.serves(c.user, part) {
		return nil
	}
	return frame.Forbidden("")
}

// writes reports whether the route can change something.
func (r *route) writes() bool { return r.method != http.MethodGet && r.method != http.MethodHead }
