package servicetest

import "example.com/serviceapi/servicetest/internal/frame"

// readOnlyWhenArchived lists what belongs to a project and cannot be changed
// while the project is archived, by the segment of the path after the project.
// The project itself can be changed, moved, unarchived and deleted.
var readOnlyWhenArchived = map[string]bool{
	"repository": true, "merge_requests": true, "issues": true, "snippets": true, "jobs": true, "artifacts": true,
	"pipeline": true, "pipelines": true, "statuses": true, "environments": true, "deployments": true, "members": true,
	"deploy_keys": true, "secure_files": true, "registry": true, "variables": true,
}

// projectNotArchived refuses changes of what belongs to an archived project.
func (c *call) projectNotArchived() *reply {
	if !c.route.writes() || !readOnlyWhenArchived[c.area()] {
		return nil
	}
	project := c.pathProject()
	if project == nil || !project.archived || !c.svc.canSeeProject(c.user, project) {
		return nil
	}
	return frame.Forbidden("")
}
