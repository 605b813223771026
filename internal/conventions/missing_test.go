package conventions

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// area is a part of the API, and the paths below which its endpoints are.
type area struct{ name, paths string }

// areas are those that programs ask for. The page of endpoints lists the ones of which
// no endpoint is in the table, so an area leaves the page when its first row arrives,
// and nobody has to remember this list.
var areas = []area{
	{"Access requests", "/projects/:id/access_requests /groups/:id/access_requests"},
	{"Agents for Kubernetes", "/projects/:id/cluster_agents"},
	{"Award emoji", "/projects/:id/issues/:issue_iid/award_emoji " +
		"/projects/:id/merge_requests/:merge_request_iid/award_emoji"},
	{"Boards", "/projects/:id/boards /groups/:id/boards"},
	{"Broadcast messages and plan limits", "/broadcast_messages /application/plan_limits"},
	{"Custom attributes", "/projects/:id/custom_attributes /users/:id/custom_attributes"},
	{"Dependencies and vulnerabilities", "/projects/:id/dependencies /projects/:id/vulnerability_findings"},
	{"Deploy tokens", "/deploy_tokens /projects/:id/deploy_tokens"},
	{"Draft notes", "/projects/:id/merge_requests/:merge_request_iid/draft_notes"},
	{"Error tracking", "/projects/:id/error_tracking"},
	{"Events of users and projects", "/events /projects/:id/events"},
	{"Feature flags", "/projects/:id/feature_flags /projects/:id/feature_flags_user_lists"},
	{"Geo sites", "/geo_sites /geo_nodes"},
	{"Integrations", "/projects/:id/integrations /projects/:id/services"},
	{"Invitations", "/projects/:id/invitations /groups/:id/invitations"},
	{"Iterations", "/projects/:id/iterations /groups/:id/iterations"},
	{"Links between issues", "/projects/:id/issues/:issue_iid/links"},
	{"Linting of CI configurations", "/projects/:id/ci/lint"},
	{"Markdown and templates", "/markdown /templates/licenses /projects/:id/templates"},
	{"Merge trains", "/projects/:id/merge_trains"},
	{"Mirrors", "/projects/:id/remote_mirrors /projects/:id/mirror/pull"},
	{"Packages", "/projects/:id/packages /groups/:id/packages"},
	{"Pages and their domains", "/projects/:id/pages /pages/domains"},
	{"Pipeline schedules", "/projects/:id/pipeline_schedules"},
	{"Pipeline triggers", "/projects/:id/triggers"},
	{"Protected branches, tags and environments", "/projects/:id/protected_branches /projects/:id/protected_tags " +
		"/projects/:id/protected_environments"},
	{"Push rules", "/projects/:id/push_rule /groups/:id/push_rule"},
	{"Releases", "/projects/:id/releases /groups/:id/releases"},
	{"Resource events", "/projects/:id/issues/:issue_iid/resource_label_events " +
		"/projects/:id/issues/:issue_iid/resource_state_events"},
	{"Scope of job tokens", "/projects/:id/job_token_scope"},
	{"Search", "/search /projects/:id/search /groups/:id/search"},
	{"Service accounts", "/service_accounts /groups/:id/service_accounts"},
	{"Settings, license and statistics of the instance", "/application/settings /license /application/statistics"},
	{"Sidekiq metrics and background migrations", "/sidekiq/queue_metrics /admin/batched_background_migrations"},
	{"Terraform states", "/projects/:id/terraform/state"},
	{"To-do items", "/todos"},
	{"Topics", "/topics"},
	{"Wikis", "/projects/:id/wikis /groups/:id/wikis"},
}

// missingAreas returns the areas with the paths below which no endpoint is in the table.
func missingAreas(t *testing.T) (missing []area) {
	t.Helper()
	var known []string
	for _, row := range endpointRows(t) {
		_, path, _ := strings.Cut(row.line, " ")
		known = append(known, argument.ReplaceAllString(path, ":")+"/")
	}
	for _, a := range areas {
		paths := slices.DeleteFunc(strings.Fields(a.paths), func(path string) bool {
			prefix := argument.ReplaceAllString(path, ":") + "/"
			return slices.ContainsFunc(known, func(path string) bool { return strings.HasPrefix(path, prefix) })
		})
		if len(paths) > 0 {
			missing = append(missing, area{a.name, strings.Join(paths, " ")})
		}
	}
	return missing
}

// argument is the name of an argument in a path.
var argument = regexp.MustCompile(`:\w+`)

// notHereYet is the end of the page of endpoints.
func notHereYet(t *testing.T) string {
	t.Helper()
	text := "\n## What is not here yet\n\nNo endpoint below these paths has a method. " +
		"`Route` calls them with the same credentials,\nretries, errors and pages as the others:\n\n" +
		"```go\n" + routeExample + "```\n\n| area | paths |\n| --- | --- |\n"
	for _, a := range missingAreas(t) {
		text += "| " + a.name + " | `" + strings.ReplaceAll(a.paths, " ", "`, `") + "` |\n"
	}
	return text + "\nThe protocols of package managers, such as npm and Maven, and Git itself are not part of\n" +
		"this library. An area above may lack single endpoints, which `Route` also calls.\n"
}

const routeExample = `type flag struct {
	Name   string ` + "`json:\"name\"`" + `
	Active bool   ` + "`json:\"active\"`" + `
}
flags := serviceapi.Route("/projects/:id/feature_flags", project)
for flag, err := range serviceapi.All[*flag](ctx, client, flags, nil) {
	if err != nil {
		return err
	}
	fmt.Println(flag.Name, flag.Active)
}
created := new(flag)
_, err := client.Do(ctx, "POST", flags, flag{Name: "dark_mode"}, created)
`

// TestMissingAreas checks that the list of areas is sorted, that the page has none whose
// endpoints are all served, and that its example compiles and is about one of them.
func TestMissingAreas(t *testing.T) {
	assert.True(t, slices.IsSortedFunc(areas, func(a, b area) int { return strings.Compare(a.name, b.name) }))
	whole := areas
	defer func() { areas = whole }()
	areas = []area{
		{"Both", "/projects/:project/jobs /groups/:id/registry"}, {"One", "/jobs /projects/:id/jobs"},
		{"Prefix", "/projects/:id/job"},
	}
	assert.Equal(t, []area{{"One", "/jobs"}, {"Prefix", "/projects/:id/job"}}, missingAreas(t))
	areas = whole
	assert.Contains(t, notHereYet(t), "| Feature flags | `/projects/:id/feature_flags`",
		"the example is about an area that has methods now")
	assert.Empty(t, typeCheck(t, compiledPackages(t), routeExample))
}
