package main

import (
	"fmt"
	"go/ast"
	"regexp"
	"slices"
	"strings"

	"example.com/serviceapi/internal/inventory"
)

// endpointsHead is how the page of endpoints begins.
const endpointsHead = `# Endpoints

Every endpoint that has a method, and the methods that call it. A list has two:
` + "`List…` returns one page, `All…` returns every item." + `

This page is generated from the doc comments. After a change, run:

` + "```sh\ngo generate ./...\n```\n"

// endpointsPage returns the page of endpoints, in the order of the table.
func endpointsPage(source *inventory.Source, table string) string {
	methods := map[string][]string{}
	for _, f := range source.Funcs {
		if !ast.IsExported(f.Name.Name) {
			continue
		}
		for _, line := range inventory.EndpointLines(f) {
			methods[line] = append(methods[line], callName(f))
		}
	}
	var areas []string
	rows := map[string]string{}
	for area, line := range endpointsOf(table) {
		served := slices.Compact(slices.Sorted(slices.Values(methods[line])))
		if len(served) == 0 {
			continue
		}
		if rows[area] == "" {
			areas = append(areas, area)
		}
		rows[area] += fmt.Sprintf("| `%s` | `%s` |\n", line, strings.Join(served, "`, `"))
	}
	page := endpointsHead
	for _, area := range areas {
		page += "\n## " + heading(area) + "\n\n| endpoint | method |\n| --- | --- |\n" + rows[area]
	}
	return page + notHereYet(table)
}

// endpointsOf yields the areas and endpoints of testdata/endpoints.tsv.
func endpointsOf(table string) func(func(area, line string) bool) {
	return func(yield func(area, line string) bool) {
		for row := range strings.Lines(table) {
			columns := strings.Split(row, "\t")
			if !strings.HasPrefix(row, "#") && len(columns) > 2 && !yield(columns[0], columns[1]+" "+columns[2]) {
				return
			}
		}
	}
}

// heading returns the heading of an area.
func heading(area string) string {
	switch area {
	case "oauth":
		return "OAuth"
	case "scim":
		return "SCIM"
	case "graphql":
		return "GraphQL"
	}
	words := strings.ReplaceAll(area, "_", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// callName is how a program writes the method: Jobs.Get, NewTokenSource.
func callName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	return strings.TrimSuffix(inventory.Receiver(f), "Service") + "." + f.Name.Name
}

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
	{"Debian distributions", "/projects/:id/debian_distributions"},
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
func missingAreas(areas []area, table string) (missing []area) {
	var known []string
	for _, line := range endpointsOf(table) {
		_, path, _ := strings.Cut(line, " ")
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
func notHereYet(table string) string {
	text := "\n## What is not here yet\n\nNo endpoint below these paths has a method. " +
		"`Route` calls them with the same credentials,\nretries, errors and pages as the others:\n\n" +
		"```go\n" + routeExample + "```\n\n| area | paths |\n| --- | --- |\n"
	for _, a := range missingAreas(areas, table) {
		text += "| " + a.name + " | `" + strings.ReplaceAll(a.paths, " ", "`, `") + "` |\n"
	}
	return text + "\nThe protocols of package managers, such as npm and Maven, and Git itself are not part of\n" +
		"this library. An area above may lack single endpoints, which `Route` also calls.\n"
}

const routeExample = `type distribution struct {
	Codename string ` + "`json:\"codename\"`" + `
	Suite    string ` + "`json:\"suite\"`" + `
}
path := serviceapi.Route("/projects/:id/debian_distributions", project)
for d, err := range serviceapi.All[*distribution](ctx, client, path, nil) {
	if err != nil {
		return err
	}
	fmt.Println(d.Codename, d.Suite)
}
created := new(distribution)
_, err := client.Do(ctx, "POST", path, distribution{Codename: "sid"}, created)
`
