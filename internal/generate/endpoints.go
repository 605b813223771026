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

// endpointsPage returns the page of endpoints, in the order of the table. The lists have endpoints of
// the service that may not be here.
func endpointsPage(source *inventory.Source, table string, lists ...string) string {
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
	return page + notHere(table, lists...)
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
	switch first, rest, _ := strings.Cut(words, " "); first {
	case "gpg", "ldap", "saml":
		return strings.ToUpper(first) + " " + rest
	}
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

// areas are the parts of the API that the service documents, whether they are here or not. The page
// of endpoints lists the paths below which no endpoint is in the table, so a path leaves the page
// when its first row arrives, and nobody has to remember this list.
var areas = []area{
	{"Access requests", "/projects/:id/access_requests /groups/:id/access_requests"},
	{"Agents for Kubernetes", "/projects/:id/cluster_agents"},
	{"Alerts", "/projects/:id/alert_management_alerts"},
	{"Aliases of projects", "/project_aliases"},
	{"Analytics of groups", "/analytics/group_activity"},
	{"Approval rules of groups", "/groups/:id/approval_rules"},
	{"Attestations", "/projects/:id/attestations"},
	{"Award emoji", "/projects/:id/issues/:issue_iid/award_emoji " +
		"/projects/:id/merge_requests/:merge_request_iid/award_emoji " +
		"/groups/:id/epics/:epic_iid/award_emoji"},
	{"Badges", "/projects/:id/badges /groups/:id/badges"},
	{"Blocking merge requests", "/projects/:id/merge_requests/:merge_request_iid/blocks " +
		"/projects/:id/merge_requests/:merge_request_iid/blockees"},
	{"Boards", "/projects/:id/boards /groups/:id/boards /groups/:id/epic_boards"},
	{"Broadcast messages and plan limits", "/broadcast_messages /application/plan_limits"},
	{"Bulk imports", "/bulk_imports"},
	{"Chat and code suggestions", "/chat /code_suggestions"},
	{"Clusters with certificates", "/projects/:id/clusters /groups/:id/clusters /admin/clusters"},
	{"Commits from the web", "/web_commits"},
	{"Compliance policies", "/admin/security/compliance_policy_settings"},
	{"Context commits", "/projects/:id/merge_requests/:merge_request_iid/context_commits"},
	{"Credentials of enterprise users", "/groups/:id/manage"},
	{"Custom attributes", "/projects/:id/custom_attributes /users/:id/custom_attributes"},
	{"Custom roles", "/member_roles /groups/:id/member_roles"},
	{"DORA metrics", "/projects/:id/dora /groups/:id/dora"},
	{"Debian distributions", "/projects/:id/debian_distributions"},
	{"Dependencies and vulnerabilities", "/projects/:id/dependencies " +
		"/projects/:id/vulnerability_findings /projects/:id/vulnerabilities /vulnerabilities " +
		"/dependency_list_exports /pipelines/:id/dependency_list_exports /security/vulnerability_exports " +
		"/projects/:id/dependency_firewall /projects/:id/managed_licenses"},
	{"Dependency proxy", "/groups/:id/dependency_proxy"},
	{"Deploy tokens", "/deploy_tokens /projects/:id/deploy_tokens"},
	{"Draft notes", "/projects/:id/merge_requests/:merge_request_iid/draft_notes"},
	{"Enterprise users", "/groups/:id/enterprise_users"},
	{"Error tracking", "/projects/:id/error_tracking"},
	{"Events of users and projects", "/events /projects/:id/events"},
	{"Exports of relations", "/projects/:id/export_relations /groups/:id/export_relations " +
		"/projects/:id/relation-imports"},
	{"Feature flags", "/projects/:id/feature_flags /projects/:id/feature_flags_user_lists"},
	{"Features of the instance", "/features"},
	{"Freeze periods", "/projects/:id/freeze_periods"},
	{"GPG keys", "/user/gpg_keys /users/:id/gpg_keys"},
	{"Geo sites", "/geo_sites /geo_nodes"},
	{"Imports from other services", "/import"},
	{"Integrations", "/projects/:id/integrations /projects/:id/services /groups/:id/integrations"},
	{"Invitations", "/projects/:id/invitations /groups/:id/invitations"},
	{"Iterations", "/projects/:id/iterations /groups/:id/iterations"},
	{"Links between epics", "/groups/:id/related_epic_links /groups/:id/epics/:epic_iid/related_epics"},
	{"Links between issues", "/projects/:id/issues/:issue_iid/links"},
	{"Links to directories and identity providers", "/groups/:id/ldap_group_links " +
		"/groups/:id/saml_group_links /groups/:id/scim"},
	{"Linting of CI configurations", "/projects/:id/ci/lint"},
	{"Markdown, avatars and templates", "/markdown /avatar /templates /projects/:id/templates"},
	{"Merge trains", "/projects/:id/merge_trains"},
	{"Metric images", "/projects/:id/issues/:issue_iid/metric_images"},
	{"Migrations of the database and the search", "/admin/migrations " +
		"/admin/batched_background_migrations /admin/search"},
	{"Mirrors", "/projects/:id/remote_mirrors /projects/:id/mirror/pull"},
	{"Model registry", "/projects/:id/ml /projects/:id/packages/ml_models"},
	{"Notes on wiki pages", "/projects/:id/wiki_pages /groups/:id/wiki_pages"},
	{"Notification settings", "/notification_settings /projects/:id/notification_settings " +
		"/groups/:id/notification_settings"},
	{"Orbit", "/orbit"},
	{"Packages", "/projects/:id/packages /groups/:id/packages"},
	{"Pages and their domains", "/projects/:id/pages /pages/domains"},
	{"Pipeline schedules", "/projects/:id/pipeline_schedules"},
	{"Pipeline triggers", "/projects/:id/triggers"},
	{"Placeholder users", "/groups/:id/placeholder_reassignments"},
	{"Protected branches, tags and environments", "/projects/:id/protected_branches " +
		"/projects/:id/protected_tags /projects/:id/protected_environments"},
	{"Protection of packages and images", "/projects/:id/packages/protection /projects/:id/registry/protection"},
	{"Push rules", "/projects/:id/push_rule /groups/:id/push_rule"},
	{"Releases", "/projects/:id/releases /groups/:id/releases"},
	{"Resource events", "/projects/:id/issues/:issue_iid/resource_label_events " +
		"/projects/:id/issues/:issue_iid/resource_state_events " +
		"/projects/:id/issues/:issue_iid/resource_milestone_events " +
		"/projects/:id/issues/:issue_iid/resource_weight_events " +
		"/projects/:id/issues/:issue_iid/resource_iteration_events " +
		"/projects/:id/merge_requests/:merge_request_iid/resource_label_events " +
		"/projects/:id/merge_requests/:merge_request_iid/resource_state_events " +
		"/projects/:id/merge_requests/:merge_request_iid/resource_milestone_events " +
		"/groups/:id/epics/:epic_id/resource_label_events " +
		"/groups/:id/epics/:epic_id/resource_state_events"},
	{"Resource groups", "/projects/:id/resource_groups"},
	{"Runner controllers", "/runner_controllers"},
	{"SSH certificates", "/groups/:id/ssh_certificates"},
	{"Scope of job tokens", "/projects/:id/job_token_scope"},
	{"Search", "/search /projects/:id/search /groups/:id/search"},
	{"Service accounts", "/service_accounts /groups/:id/service_accounts"},
	{"Service data", "/usage_data"},
	{"Settings, license and statistics of the instance", "/application/settings /license /application/statistics"},
	{"Sidekiq", "/sidekiq /admin/sidekiq"},
	{"Statistics of issues", "/issues_statistics /projects/:id/issues_statistics /groups/:id/issues_statistics"},
	{"Statistics of projects", "/projects/:id/statistics"},
	{"Suggestions", "/suggestions"},
	{"Terraform states", "/projects/:id/terraform/state"},
	{"To-do items", "/todos"},
	{"Tokens of any kind", "/admin/token"},
	{"Topics", "/topics"},
	{"Uploads of groups", "/groups/:id/uploads"},
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

// missingEndpoints returns the paths of endpoints that are in one of the lists but neither in the table
// nor below a path of a missing area, with their methods. Those that the service no longer
// documents are left out.
func missingEndpoints(missing []area, table string, lists ...string) (paths []string, methods map[string]string) {
	known := map[string]bool{}
	for _, line := range endpointsOf(table) {
		known[argument.ReplaceAllString(line, ":")] = true
	}
	methods = map[string]string{}
	for _, list := range lists {
		for row := range strings.Lines(list) {
			columns := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
			if strings.HasPrefix(row, "#") || len(columns) < 3 || columns[2] == "former" {
				continue
			}
			method, path := columns[0], columns[1]
			key := method + " " + argument.ReplaceAllString(path, ":")
			if known[key] || isBelow(missing, path) {
				continue
			}
			known[key] = true
			if methods[path] == "" {
				paths = append(paths, path)
				methods[path] = method
			} else {
				methods[path] += ", " + method
			}
		}
	}
	slices.Sort(paths)
	return paths, methods
}

// isBelow reports whether a path is one of an area or below one.
func isBelow(areas []area, path string) bool {
	path = argument.ReplaceAllString(path, ":") + "/"
	return slices.ContainsFunc(areas, func(a area) bool {
		return slices.ContainsFunc(strings.Fields(a.paths), func(prefix string) bool {
			return strings.HasPrefix(path, argument.ReplaceAllString(prefix, ":")+"/")
		})
	})
}

// notHere is the end of the page of endpoints.
func notHere(table string, lists ...string) string {
	text := "\n## What is not here\n\nNo endpoint below these paths has a method. " +
		"They are deprecated, experiments\nof the service, or called by nothing but the service itself. " +
		"`Route` calls them with the same\ncredentials, retries, errors and pages as the others:\n\n" +
		"```go\n" + routeExample + "```\n\n| area | paths |\n| --- | --- |\n"
	missing := missingAreas(areas, table)
	for _, a := range missing {
		text += "| " + a.name + " | `" + strings.ReplaceAll(a.paths, " ", "`, `") + "` |\n"
	}
	paths, methods := missingEndpoints(missing, table, lists...)
	if len(paths) > 0 {
		text += "\nThese endpoints of areas that are here have no method either:\n\n" +
			"| path | methods |\n| --- | --- |\n"
	}
	for _, path := range paths {
		text += "| `" + path + "` | " + methods[path] + " |\n"
	}
	return text + "\nThe protocols of package managers, such as npm and Maven, the one of runners, and Git itself\n" +
		"are not part of this library.\n"
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
