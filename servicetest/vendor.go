package servicetest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// Vendor makes the service a current deployment under another product name,
// such as "Acme":
//
//   - the headers of files have names such as X-Acme-Blob-Id, and every
//     response has X-Acme-Meta;
//   - the session cookie is _acme_session;
//   - projects are imported from an object store at
//     POST /projects/remote-import-s3, and remote-import-objstore is unknown.
//     The recorder and Fault still use the latter name;
//   - GET /job/allowed_agents has the format of newer releases, with little
//     more than IDs.
//
// Everything else is the same, such as route templates and tokens. See
// WithoutJobTotals for what else newer releases leave out.
func Vendor(name string) Option {
	return func(s *settings) { s.vendor = name }
}

// WithoutJobTotals leaves X-Total, X-Total-Pages and the last page out of lists
// of a project's jobs, which newer releases do not count.
func WithoutJobTotals() Option {
	return func(s *settings) { s.uncountedJobs = true }
}

// header returns the name of a header that contains the vendor's name.
func (s *settings) header(name string) string {
	vendor := s.vendor
	if vendor == "" {
		vendor = "Service"
	}
	return http.CanonicalHeaderKey("X-" + vendor + "-" + name)
}

// sessionCookie returns the name of the cookie of the web interface.
func (s *settings) sessionCookie() string {
	if s.vendor == "" {
		return "_service_session"
	}
	return "_" + strings.ToLower(s.vendor) + "_session"
}

// These are the paths of the import from an object store.
const (
	objectStorePath = "/api/v4/projects/remote-import-objstore"
	vendorStorePath = "/api/v4/projects/remote-import-s3"
)

// canonical returns the path in the table of routes for a path of a vendor. ok
// is false if the vendor does not have the path.
func (s *settings) canonical(path string) (canonical string, ok bool) {
	switch {
	case s.vendor == "":
		return path, true
	case path == vendorStorePath:
		return objectStorePath, true
	}
	return path, path != objectStorePath
}

// meta adds the vendor's header to each response.
func (s *settings) meta(h http.Header, requestID string) {
	if s.vendor != "" {
		h.Set(s.header("Meta"), fmt.Sprintf(`{"correlation_id":%q,"version":"1"}`, requestID))
	}
}

// newerAgents is the response of newer releases about the agents that a job may
// use.
type newerAgents struct {
	AllowedAgents []allowedAgent    `json:"allowed_agents"`
	Job           idObject          `json:"job"`
	Pipeline      idObject          `json:"pipeline"`
	Project       agentProject      `json:"project"`
	User          agentUser         `json:"user"`
	Environment   *agentEnvironment `json:"environment,omitempty"`
}

type idObject struct {
	ID int64 `json:"id"`
}

type agentProject struct {
	ID     int64      `json:"id"`
	Groups []idObject `json:"groups"`
}

type agentUser struct {
	ID       int64    `json:"id"`
	Username string   `json:"username"`
	Roles    []string `json:"roles_in_project"`
}

type agentEnvironment struct {
	Tier string `json:"tier"`
	Slug string `json:"slug"`
}

func (c *call) newerAgents(job *Job, allowed []allowedAgent) newerAgents {
	project, user := job.pipeline.project, job.user.shown()
	answer := newerAgents{
		AllowedAgents: allowed, Job: idObject{job.id}, Pipeline: idObject{job.pipeline.id},
		Project: agentProject{ID: project.id, Groups: []idObject{}},
	}
	for g := project.group; g != nil; g = g.parent {
		answer.Project.Groups = append(answer.Project.Groups, idObject{g.id})
	}
	slices.Reverse(answer.Project.Groups)
	if user != nil {
		answer.User = agentUser{user.id, user.username, rolesUpTo(c.svc.projectLevel(user, project))}
	}
	for _, d := range state[deploymentState](c.svc).deployments.all(func(d *Deployment) bool { return d.job == job }) {
		answer.Environment = &agentEnvironment{d.environment.tier, d.environment.slug()}
	}
	return answer
}

// rolesUpTo names the roles that a level includes, the lowest first.
func rolesUpTo(level AccessLevel) []string {
	roles := []string{}
	for _, role := range []AccessLevel{Guest, Reporter, Developer, Maintainer, Owner} {
		if role <= level {
			roles = append(roles, strings.ToLower(role.String()))
		}
	}
	return roles
}
