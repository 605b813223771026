package servicetest

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"example.com/serviceapi/servicetest/internal/collection"
	"example.com/serviceapi/servicetest/internal/frame"
)

// Vendor makes the service a current deployment with another product name, such as
// "Acme":
//
//   - headers of files have names such as X-Acme-Blob-Id, and every
//     response has X-Acme-Meta;
//   - the session cookie is _acme_session, and the configuration file of pipelines
//     is .acme-ci.yml;
//   - projects are imported from an object store at
//     POST /projects/remote-import-s3, and remote-import-objstore is unknown.
//     The recorder and Fault still use the latter name;
//   - templates of pipelines are at /templates/acme_ci_ymls, and a project has its own
//     templates of issues and merge requests in .acme;
//   - GET /job/allowed_agents has the format of newer releases, with little
//     more than IDs.
//
// Everything else stays the same, such as route templates and tokens. See
// WithoutJobTotals for another difference of newer releases.
func Vendor(name string) Option {
	return func(s *settings) { s.vendor = name }
}

// WithoutJobTotals leaves X-Total, X-Total-Pages and the last page out of lists of a
// project's jobs. Newer releases do not count jobs.
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

// The paths of imports from an object store.
const (
	objectStorePath = "/api/v4/projects/remote-import-objstore"
	vendorStorePath = "/api/v4/projects/remote-import-s3"
)

// olderPath matches the older paths of searches and epics, which clients still use.
var olderPath = regexp.MustCompile(`^(/api/v4/(?:groups|projects)/[^/]+)/-(/search|/epics(?:/.*)?)$`)

// ciTemplates matches paths of templates with the name of a vendor.
var ciTemplates = regexp.MustCompile(`^(/api/v4(?:/projects/[^/]+)?/templates/)([^/]+)_ci_ymls`)

// canonical translates a path of a vendor into the path in the table of routes. ok is
// false if the vendor does not have the path.
func (s *settings) canonical(path string) (canonical string, ok bool) {
	if older := olderPath.FindStringSubmatch(path); older != nil {
		path = older[1] + older[2]
	}
	m := ciTemplates.FindStringSubmatch(path)
	switch {
	case s.vendor == "":
		return path, true
	case m != nil:
		return m[1] + "service_ci_ymls" + path[len(m[0]):], m[2] == strings.ToLower(s.vendor)
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
func (c *call) newerAgents(job *Job, allowed []*collection.Form) *collection.Form {
	withID := func(id int64) object { return object{"id": id} }
	project, groups := job.pipeline.project, []object{}
	for g := project.group; g != nil; g = g.parent {
		groups = append(groups, withID(g.id))
	}
	slices.Reverse(groups)
	user := inOrder("id", 0, "username", "", "roles_in_project", nil)
	if u := job.user.shown(); u != nil {
		user = inOrder("id", u.id, "username", u.username,
			"roles_in_project", rolesUpTo(c.svc.projectLevel(u, project)))
	}
	answer := inOrder("allowed_agents", allowed, "job", withID(job.id), "pipeline", withID(job.pipeline.id),
		"project", inOrder("id", project.id, "groups", groups), "user", user)
	for _, d := range state[deploymentState](c.svc).deployments.all(func(d *Deployment) bool { return d.job == job }) {
		answer.Add("environment", inOrder("tier", d.environment.tier, "slug", d.environment.slug()))
	}
	return answer
}

// rolesUpTo names the roles that a level includes, lowest first.
func rolesUpTo(level AccessLevel) []string {
	roles := []string{}
	for _, role := range []AccessLevel{Guest, Reporter, Developer, Maintainer, Owner} {
		if role <= level {
			roles = append(roles, strings.ToLower(role.String()))
		}
	}
	return roles
}

// The version that a service reports unless WithVersion sets another.
const (
	defaultVersion  = "17.6.1"
	defaultRevision = "5f8ed7e6a3c"
)

// WithVersion sets the version that the service reports, for example "15.2.0". The
// service's behavior does not depend on it.
func WithVersion(version string) Option {
	return func(s *settings) { s.version = version }
}

// metadata is the JSON of the service's version.
type metadata struct {
	Version    string      `json:"version"`
	Revision   string      `json:"revision"`
	KAS        kasMetadata `json:"kas"`
	Enterprise bool        `json:"enterprise"`
}

type kasMetadata struct {
	Enabled             bool     `json:"enabled"`
	ExternalURL         jsonText `json:"externalUrl"`
	ExternalK8sProxyURL jsonText `json:"externalK8sProxyUrl"`
	Version             jsonText `json:"version"`
}

func getMetadata(c *call) *reply {
	return c.OK(metadata{Version: c.svc.settings.version, Revision: defaultRevision, Enterprise: c.hasTier(Premium)})
}

// A namespace contains projects. It belongs to a group or to a user, and the other one
// is nil.
type namespace struct {
	group *Group
	user  *User
}

// namespaceJSON is the short JSON of a namespace.
type namespaceJSON struct {
	ID        int64    `json:"id"`
	Name      string   `json:"name"`
	Path      string   `json:"path"`
	Kind      string   `json:"kind"`
	FullPath  string   `json:"full_path"`
	ParentID  *int64   `json:"parent_id"`
	AvatarURL jsonText `json:"avatar_url"`
	WebURL    string   `json:"web_url"`
}

// namespaceDetails is the JSON of a namespace in lists.
type namespaceDetails struct {
	*namespaceJSON

	MembersCount *int `json:"members_count_with_descendants,omitempty"`

	*namespacePlan
}

// namespacePlan has the members that the Premium tier adds.
type namespacePlan struct {
	BillableMembersCount int      `json:"billable_members_count"`
	Plan                 string   `json:"plan"`
	Trial                bool     `json:"trial"`
	TrialEndsOn          jsonDate `json:"trial_ends_on"`
}

func (n namespace) form() *namespaceJSON {
	if n.group == nil {
		summary := n.user.summary()
		return &namespaceJSON{
			ID: n.user.namespaceID(), Name: n.user.name, Path: n.user.username, Kind: "user", FullPath: n.user.username,
			AvatarURL: jsonText(summary.AvatarURL), WebURL: summary.WebURL,
		}
	}
	g := n.group
	form := &namespaceJSON{
		ID: g.id, Name: g.name, Path: g.path, Kind: "group", FullPath: g.fullPath(), AvatarURL: g.avatarURL(),
		WebURL: g.webURL(),
	}
	if g.parent != nil {
		form.ParentID = &g.parent.id
	}
	return form
}

func (p *Project) namespaceForm() *namespaceJSON { return namespace{p.group, p.owner}.form() }

// listNamespaces lists the caller's namespaces or, for administrators, all namespaces.
func listNamespaces(c *call) *reply {
	search := strings.ToLower(c.String("search"))
	owned, top := c.Bool("owned_only"), c.Bool("top_level_only")
	wholePath := c.Bool("full_path_search")
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	var found []namespace
	for _, user := range c.svc.users.all(func(u *User) bool {
		return u == c.user || c.admin() && !owned &&
			!u.internal
	}) {
		found = append(found, namespace{user: user})
	}
	for _, group := range c.svc.groups.all(func(g *Group) bool {
		level := c.svc.groupMembership(c.user, g)
		return (level > NoAccess || c.admin() && !owned) && (!owned || level >= Owner) && (!top || g.parent == nil)
	}) {
		found = append(found, namespace{group: group})
	}
	found = slices.DeleteFunc(found, func(n namespace) bool {
		form := n.form()
		words := form.Name + "\n" + form.Path
		if wholePath {
			words += "\n" + form.FullPath
		}
		return !strings.Contains(strings.ToLower(words), search)
	})
	slices.SortStableFunc(found, func(a, b namespace) int { return cmp.Compare(a.form().FullPath, b.form().FullPath) })
	return frame.ListOf(c, found, c.namespaceDetails)
}

func (c *call) namespaceDetails(n namespace) *namespaceDetails {
	details := &namespaceDetails{namespaceJSON: n.form()}
	members := 1
	if n.group != nil {
		members = c.svc.countMembers(n.group)
		if c.svc.groupLevel(c.user, n.group) >= Owner {
			details.MembersCount = &members
		}
	}
	if c.hasTier(Premium) {
		details.namespacePlan = &namespacePlan{BillableMembersCount: members, Plan: planOf(c.svc.settings.tier)}
	}
	return details
}

// countMembers counts the users who are members of a group, of a group below it
// or of a project there.
func (s *Service) countMembers(group *Group) int {
	users := make(map[int64]bool)
	count := func(members *table[*member]) {
		for i := range members.len() {
			if m := members.at(i); m.counts(s.now()) {
				users[m.user.id] = true
			}
		}
	}
	for _, g := range s.groups.all(func(g *Group) bool { return g.within(group) }) {
		count(&g.members)
	}
	for _, p := range s.projects.all(func(p *Project) bool { return p.within(group) }) {
		count(&p.members)
	}
	return len(users)
}

// planOf returns the name of a tier's plan.
func planOf(tier Tier) string {
	if tier == Ultimate {
		return "ultimate"
	}
	return "premium"
}
