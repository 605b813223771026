package servicetest

import (
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// A call is a request that a handler serves.
type call struct {
	frame.Call

	svc   *Service
	route *route
	user  *User  // the caller, after sudo; nil without credentials
	token *token // nil without credentials
}

// admin reports whether the caller is an administrator.
func (c *call) admin() bool { return c.user != nil && c.user.admin }

// now returns the time of the service's clock.
func (c *call) now() time.Time { return c.svc.now() }

// job returns the job of the caller's token, or nil if it is not a job token.
func (c *call) job() *Job {
	if c.token == nil {
		return nil
	}
	return c.token.job
}

// project returns the project of the path. It refuses callers who cannot see the
// project with 404, and callers whose role is too low for the route with 403.
func (c *call) project() (*Project, *reply) {
	project := c.pathProject()
	if project == nil || !c.svc.canSeeProject(c.user, project) || c.outOfJobScope(project) {
		return nil, frame.NotFound("Project")
	}
	if c.svc.projectLevel(c.user, project) < c.route.role {
		return nil, frame.Forbidden("")
	}
	c.found(project)
	return project, nil
}

// pathProject returns the project that the path names, or nil if there is none.
func (c *call) pathProject() *Project { return c.svc.findProject(c.projectName()) }

// projectName returns the ID or the path by which the path names a project.
func (c *call) projectName() string {
	if _, ok := c.Path["project_id"]; ok {
		return c.PathString("project_id")
	}
	return c.PathString("id")
}

// outOfJobScope reports whether a job token is used for a project other than its own
// although the instance or that project forbids it.
func (c *call) outOfJobScope(project *Project) bool {
	job := c.job()
	if job == nil {
		return false
	}
	own := job.pipeline.project
	return c.svc.feature("ci_job_token_scope") && own != project || !project.admitsJobsOf(own)
}

// group is like project, but for groups.
func (c *call) group() (*Group, *reply) {
	group := c.svc.findGroup(c.PathString("id"))
	if group == nil || !c.svc.canSeeGroup(c.user, group) {
		return nil, frame.NotFound("Group")
	}
	if c.svc.groupLevel(c.user, group) < c.route.role {
		return nil, frame.Forbidden("")
	}
	c.found(group)
	return group, nil
}

// requireTier refuses a call that needs a higher tier than the service has. For a whole
// route, use premium in the table.
func (c *call) requireTier(least Tier) *reply {
	if c.svc.settings.tier < least && c.route.absent {
		return frame.NotFoundUnnamed()
	}
	if c.svc.settings.tier < least {
		return frame.Forbidden("This feature is not available on the current plan")
	}
	return nil
}

// hasTier reports whether the service's tier includes another.
func (c *call) hasTier(tier Tier) bool { return c.svc.settings.tier >= tier }

// These are the types of the frame that every area uses.
type (
	reply    = frame.Reply
	object   = frame.Object
	fields   = frame.Fields
	encoded  = frame.Encoded
	jsonTime = frame.JSONTime
	jsonDate = frame.JSONDate
	jsonText = frame.JSONText

	filter[T any] = frame.Filter[T]
)

// idOf returns the ID of a record, or nil, that is null, if there is none.
func idOf[T any, R interface {
	*T
	ID() int64
}](record R) any {
	if record == nil {
		return nil
	}
	return record.ID()
}
