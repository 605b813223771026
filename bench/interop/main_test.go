package interop

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"example.com/serviceapi/servicetest"
)

// vendor is the product name that the embedded service uses, or empty for none.
var vendor string

// clientVendor is the product name that the client expects.
const clientVendor = "Gitlab"

// TestMain runs the tests against the embedded service as specified, and again
// as a deployment of the vendor that the client is made for. If all tests ran,
// it checks that they called every endpoint, walked every list and met every
// known difference.
func TestMain(m *testing.M) {
	code := m.Run()
	if vendor = clientVendor; code == 0 {
		code = m.Run()
	}
	if all := flag.Lookup("test.run").Value.String() == "" && flag.Lookup("test.skip").Value.String() == ""; all &&
		code == 0 {
		problems := called.missing()
		for _, place := range known.unused() {
			problems = append(problems, "no longer a difference: "+place)
		}
		slices.Sort(problems)
		for _, problem := range problems {
			fmt.Println(problem)
			code = 1
		}
	}
	os.Exit(code)
}

// endpoint is a row of the list of endpoints.
type endpoint struct {
	route string // "GET /projects/:id/jobs"
	list  bool
}

func endpoints() []endpoint {
	data, err := os.ReadFile("../../testdata/endpoints.tsv")
	if err != nil {
		panic(err)
	}
	var all []endpoint
	for line := range strings.Lines(string(data)) {
		cells := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") || len(cells) < 6 {
			continue
		}
		result := strings.Fields(cells[5])
		all = append(all, endpoint{cells[1] + " " + cells[2], len(result) > 0 && strings.HasSuffix(result[0], "[]")})
	}
	return all
}

// undivided are the lists that have no pages.
var undivided = map[string]bool{
	"GET /projects/:id/pipelines/:pipeline_id/variables":                   true,
	"GET /projects/:id/merge_requests/:merge_request_iid/draft_notes":      true,
	"GET /projects/:id/wikis":                                              true,
	"GET /groups/:id/wikis":                                                true,
	"GET /projects/:id/issues/:issue_iid/links":                            true,
	"GET /applications":                                                    true,
	"GET /projects/:id/cluster_agents/:agent_id/url_configurations":        true,
	"GET /licenses":                                                        true,
	"GET /users/:id/custom_attributes":                                     true,
	"GET /groups/:id/custom_attributes":                                    true,
	"GET /projects/:id/custom_attributes":                                  true,
	"GET /projects/:id/packages/protection/rules":                          true,
	"GET /projects/:id/registry/protection/repository/rules":               true,
	"GET /projects/:id/registry/protection/tag/rules":                      true,
	"GET /runners/:id/managers":                                            true,
	"GET /groups/:id/epics/:epic_iid/epics":                                true,
	"PUT /groups/:id/epics/:epic_iid/epics/:child_epic_id":                 true,
	"PUT /groups/:id/epics/:epic_iid/issues/:epic_issue_id":                true, // the first page of the list
	"GET /groups/:id/epics/:epic_iid/related_epics":                        true,
	"GET /projects/:id/issues/:issue_iid/metric_images":                    true,
	"GET /groups/:id/milestones/:milestone_id/burndown_events":             true,
	"GET /projects/:id/milestones/:milestone_id/burndown_events":           true,
	"POST /projects/:id/merge_requests/:merge_request_iid/context_commits": true,
	"PUT /suggestions/batch_apply":                                         true,
	"GET /admin/batched_background_migrations":                             true,
	"GET /admin/search/migrations":                                         true,
	"GET /features":                                                        true,
	"GET /features/definitions":                                            true,
	"GET /groups/:id/integrations":                                         true,
	"GET /projects/:id/integrations":                                       true,
	"GET /projects/:id/dora/metrics":                                       true,
	"GET /groups/:id/dora/metrics":                                         true,
	"GET /member_roles":                                                    true,
	"GET /groups/:id/member_roles":                                         true,
	"GET /admin_member_roles":                                              true,
	"GET /groups/:id/ldap_group_links":                                     true,
	"GET /groups/:id/saml_group_links":                                     true,
	"GET /groups/:id/saml/identities":                                      true,
	"GET /groups/:id/scim/identities":                                      true,
	"GET /ldap/groups":                                                     true,
	"GET /ldap/:provider/groups":                                           true,
	// all at once
	"GET /vulnerabilities/:id/issue_links":                               true,
	"GET /projects/:id/alert_management_alerts/:alert_iid/metric_images": true,
	"GET /projects/:id/export_relations/status":                          true,
	"GET /groups/:id/export_relations/status":                            true,
	"GET /projects/:id/relation-imports":                                 true,
	// the response to a write
	"POST /projects/:id/merge_trains/merge_requests/:merge_request_iid": true,
}

// coverage records which routes were called successfully, and which lists were
// read beyond their first page.
type coverage struct {
	mu             sync.Mutex
	reached, paged map[string]bool
}

var called = &coverage{reached: map[string]bool{}, paged: map[string]bool{}}

var argument = regexp.MustCompile(`:\w+`)

// shape returns a route without the names of its arguments.
func shape(route string) string { return argument.ReplaceAllString(route, ":") }

// note records the requests to a service.
func (c *coverage) note(svc *servicetest.Service) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range svc.Requests() {
		if r.Status < 200 || r.Status >= 400 {
			continue
		}
		c.reached[shape(r.Route)] = true
		if q := r.Query; q.Get("page") > "1" || q.Has("cursor") || q.Has("id_after") || q.Has("page_token") {
			c.paged[shape(r.Route)] = true
		}
	}
}

func (c *coverage) missing() (problems []string) {
	for _, e := range endpoints() {
		switch {
		case !c.reached[shape(e.route)]:
			problems = append(problems, "never called with success: "+e.route)
		case e.list && !c.paged[shape(e.route)] && !undivided[e.route]:
			problems = append(problems, "never walked: "+e.route)
		}
	}
	return problems
}
