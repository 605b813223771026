package servicetest

import (
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// A call is a request on its way through a handler.
type call struct {
	fields // parameters: the path's, the body's and the query's

	svc   *Service
	r     *http.Request // its body has been read
	route *route
	path  map[string]any // the path's parameters alone
	query url.Values     // the query's parameters alone
	body  []byte         // a JSON body as it came
	files map[string]*upload

	user  *User  // who calls, after sudo; nil without credentials
	token *token // nil without credentials
}

// pathText returns a path parameter. Unlike str it cannot be hidden by the
// body.
func (c *call) pathText(name string) string {
	text, _ := c.path[name].(string)
	return text
}

// pathID returns a path parameter that is an ID; 0, which no record has, if it
// is not a number.
func (c *call) pathID(name string) int64 {
	id, err := strconv.ParseInt(c.pathText(name), 10, 64)
	if err != nil {
		return 0
	}
	return id
}

// admin reports whether an administrator calls.
func (c *call) admin() bool { return c.user != nil && c.user.admin }

// now returns the time of the service's clock.
func (c *call) now() time.Time { return c.svc.now() }

// job returns the job whose token the caller uses, nil if it is another kind.
func (c *call) job() *Job {
	if c.token == nil {
		return nil
	}
	return c.token.job
}

// project returns the project of the path, in which the caller must have the
// role of the route: 404 if it is not visible to the caller, 403 if the role is
// too low.
func (c *call) project() (*Project, *reply) {
	project := c.pathProject()
	if project == nil || !c.svc.canSeeProject(c.user, project) || c.outOfJobScope(project) {
		return nil, notFound("Project")
	}
	if c.svc.projectLevel(c.user, project) < c.route.role {
		return nil, forbidden("")
	}
	return project, nil
}

// pathProject returns the project that the path names, nil if there is none.
func (c *call) pathProject() *Project {
	name := "id"
	if _, ok := c.path["project_id"]; ok {
		name = "project_id"
	}
	return c.svc.findProject(c.pathText(name))
}

// outOfJobScope reports whether a job token reaches for a project other than
// its own while the instance restricts that.
func (c *call) outOfJobScope(project *Project) bool {
	job := c.job()
	return job != nil && c.svc.feature("ci_job_token_scope") && job.pipeline.project != project
}

// group is project for the group of the path.
func (c *call) group() (*Group, *reply) {
	group := c.svc.findGroup(c.pathText("id"))
	if group == nil || !c.svc.canSeeGroup(c.user, group) {
		return nil, notFound("Group")
	}
	if c.svc.groupLevel(c.user, group) < c.route.role {
		return nil, forbidden("")
	}
	return group, nil
}

// requireTier refuses what the service's tier does not have. Whole routes say
// premium in the table.
func (c *call) requireTier(least Tier) *reply {
	if c.svc.settings.tier < least {
		return forbidden("This feature is not available on the current plan")
	}
	return nil
}

// unchanged refuses with 412 a request whose If-Unmodified-Since is older than
// the last change. Whatever changes or removes a record that knows when it last
// changed asks this first.
func (c *call) unchanged(since time.Time) *reply {
	asked, err := http.ParseTime(c.r.Header.Get("If-Unmodified-Since"))
	if err != nil || !since.Truncate(time.Second).After(asked) {
		return nil
	}
	return message(http.StatusPreconditionFailed, "412 Precondition Failed")
}

// hasTier reports whether the service's tier includes another.
func (c *call) hasTier(tier Tier) bool { return c.svc.settings.tier >= tier }
