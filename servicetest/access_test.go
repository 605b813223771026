package servicetest_test

import (
	"encoding/base64"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
)

// endpoints lists, as "METHOD /path", the endpoints whose path keep accepts.
func endpoints(keep func(path string) bool) []string {
	return slices.DeleteFunc(servicetest.Templates(), func(template string) bool {
		_, path, _ := strings.Cut(template, " ")
		return !keep(path)
	})
}

var pathParameter = regexp.MustCompile(`[:*]\w+`)

// send calls an endpoint with 1 for every argument of its path.
func send(t *testing.T, svc *servicetest.Service, row, query string, headers ...string) answer {
	t.Helper()
	method, path, _ := strings.Cut(row, " ")
	path = strings.ReplaceAll(path, ":format", "zip")
	path = pathParameter.ReplaceAllString(path, "1")
	if !strings.HasPrefix(path, "/api/") {
		path = "/api/v4" + path
	}
	return request(t, method, svc.URL()+path+query, "", headers...)
}

// readWithoutCredentials lists the endpoints that serve everybody if the project or
// group is public. All others require a credential.
var readWithoutCredentials = []string{
	"GET /broadcast_messages",
	"GET /usage_data/metric_definitions",
	"GET /projects/:id",
	"GET /groups/:id",
	"GET /projects/:id/repository/files/:file_path",
	"HEAD /projects/:id/repository/files/:file_path",
	"GET /projects/:id/repository/files/:file_path/blame",
	"HEAD /projects/:id/repository/files/:file_path/blame",
	"GET /projects/:id/repository/files/:file_path/raw",
	"HEAD /projects/:id/repository/files/:file_path/raw",
	"GET /projects/:id/repository/branches",
	"GET /projects/:id/repository/branches/:branch",
	"GET /projects/:id/repository/tags",
	"GET /projects/:id/repository/tags/:tag_name",
	"GET /projects/:id/repository/tree",
	"GET /projects/:id/repository/compare",
	"GET /projects/:id/repository/archive.:format",
	"GET /projects/:id/repository/contributors",
	"GET /projects/:id/repository/changelog",
	"GET /projects/:id/repository/merge_base",
	"HEAD /projects/:id/repository/branches/:branch",
	"GET /projects/:id/releases",
	"GET /projects/:id/releases/:tag_name",
	"GET /projects/:id/releases/permalink/latest",
	"GET /projects/:id/releases/:tag_name/assets/links",
	"GET /projects/:id/packages",
	"GET /groups/:id/packages",
	"GET /projects/:id/issues",
	"GET /projects/:id/issues/:issue_iid",
	"GET /groups/:id/issues",
	"GET /projects/:id/issues/:issue_iid/resource_label_events",
	"GET /projects/:id/issues/:issue_iid/resource_state_events",
	"GET /projects/:id/issues/:issue_iid/resource_milestone_events",
	"GET /projects/:id/issues/:issue_iid/resource_weight_events",
	"GET /projects/:id/issues/:issue_iid/resource_iteration_events",
	"GET /projects/:id/issues/:issue_iid/award_emoji",
	"GET /projects/:id/wikis",
	"GET /projects/:id/events",
	"GET /users/:id_or_username/events",
	"GET /projects/:id/issues/:issue_iid/related_merge_requests",
	"GET /projects/:id/issues/:issue_iid/closed_by",
	"GET /projects/:id/issues/:issue_iid/participants",
	"GET /projects/:id/issues/:issue_iid/time_stats",
	"GET /projects/:id/languages",
	"GET /projects/:id/badges",
	"GET /groups/:id/badges",
	"GET /groups/:id/wikis",
	"GET /topics",
	"GET /templates/dockerfiles",
	"GET /templates/gitignores",
	"GET /templates/service_ci_ymls",
	"GET /templates/licenses",
	"GET /groups/:id/descendant_groups",
	"GET /groups/:id/groups/shared",
	"GET /users/:user_id/starred_projects",
	"GET /users/:user_id/contributed_projects",
	"GET /users/:id_or_username/keys",
	"GET /users/:id/gpg_keys",
	"GET /users/:id_or_username/status",
}

// runTriggerPath is the path of a call that sends its token in the body. Without the
// token, the response reveals nothing about the project.
const runTriggerPath = "/projects/:id/trigger/pipeline"

// tokenInBody lists the endpoints that take a token in the body as the credential.
var tokenInBody = []string{"POST /runners", "POST /runners/verify", "DELETE /runners", "POST " + runTriggerPath,
	"POST /runners/reset_authentication_token"}

// servesEverybody matches further endpoints that serve everybody. No world has all of
// their objects with the ID 1.
var servesEverybody = regexp.MustCompile(`^GET /projects/:id/(` + strings.Join([]string{
	`.+/award_emoji`,
	`packages/(:|generic/)`,
	`repository/blobs/`,
	`repository/tags/:tag_name/signature`,
	`templates/:type`,
	`badges/:badge_id`,
	`releases/:tag_name/assets/links/:link_id`,
	`releases/:tag_name/downloads/`,
	`merge_requests/:merge_request_iid/time_stats`,
	`issues/:issue_iid/resource_\w+/`,
	`merge_requests/:merge_request_iid/resource_`,
	`wikis/`,
}, "|") + `)|^GET /(snippets/:id($|/raw|/files)|topics/:id|templates/[a-z_]+/:name)` +
	`|^GET /groups/:id/(badges/:badge_id|wikis/:slug|epics/.+/(award_emoji|related_epics))`)

// TestPrivateProjectsAndGroupsAreHidden checks that every endpoint below a
// project or a group returns 404 to callers who cannot see it, before it checks
// anything else.
func TestPrivateProjectsAndGroupsAreHidden(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app").Pipeline("main").Job("test", servicetest.Archive(map[string]string{"1": "1"}))
	stranger := svc.Token(svc.User("stranger"))
	rows := endpoints(func(path string) bool {
		below := strings.HasPrefix(path, "/projects/:") || strings.HasPrefix(path, "/groups/:") ||
			strings.HasPrefix(path, "/api/scim/v2/groups/")
		return below && path != runTriggerPath
	})
	if len(rows) < 90 {
		t.Fatalf("only %d endpoints", len(rows))
	}
	for _, row := range rows {
		want := 404
		if strings.Contains(row, "/custom_attributes") || strings.HasSuffix(row, "/user_agent_detail") ||
			row == "GET /projects/:id/storage" || strings.Contains(row, "/repository_storage_moves") {
			// only for administrators
			want = 403
		}
		if a := send(t, svc, row, "", "PRIVATE-TOKEN", stranger); a.StatusCode != want {
			t.Errorf("%s: %d %s to a stranger, want %d", row, a.StatusCode, a.body, want)
		}
		want = 401
		if slices.Contains(readWithoutCredentials, row) || servesEverybody.MatchString(row) {
			want = 404
		}
		if a := send(t, svc, row, ""); a.StatusCode != want {
			t.Errorf("%s: %d %s without credentials, want %d", row, a.StatusCode, a.body, want)
		}
	}
}

// TestCredentialsAreAskedForOnPublicProjects checks the endpoints that require
// a credential even for public projects.
func TestCredentialsAreAskedForOnPublicProjects(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app", servicetest.Public())
	app.Commit("main", "Begin", servicetest.Write("1", "1"))
	app.Branch("1", "main")
	app.Tag("1", "main")
	app.Release("1", "The first.")
	app.Issue("First")
	svc.Group("acme", servicetest.Public())
	elsewhere := func(path string) bool { return strings.HasPrefix(path, "{") || path == "/api/graphql" }
	for _, row := range endpoints(func(path string) bool { return !elsewhere(path) }) {
		want := 401
		switch {
		case strings.HasSuffix(row, "/permalink/latest"):
			want = 302
		case row == "GET /projects/:id/issues/:issue_iid/award_emoji":
			want = 200
		case row == "GET /projects/:id/repository/changelog", // the version is missing
			strings.HasSuffix(row, "/repository/merge_base"), row == "GET /avatar",
			strings.HasPrefix(row, "GET /projects/:id/templates/"): // there is no such type
			want = 400
		case strings.HasPrefix(row, "HEAD /projects/:id/repository/branches/"):
			want = 204
		case servesEverybody.MatchString(row), row == "GET /users/:id/keys/:key_id",
			row == "GET /users/:id/gpg_keys/:key_id", row == "GET /broadcast_messages/:id":
			want = 404
		case slices.Contains(readWithoutCredentials, row), row == "GET /projects", row == "GET /groups":
			want = 200
		case slices.Contains(tokenInBody, row):
			want = 400
		case strings.HasSuffix(row, "/followers"), strings.HasSuffix(row, "/following"):
			want = 403
		}
		if a := send(t, svc, row, "?ref=main&from=main&to=1"); a.StatusCode != want {
			t.Errorf("%s: %d %s, want %d", row, a.StatusCode, a.body, want)
		}
	}
}

// administratorsAlone lists the endpoints that only administrators may call.
var administratorsAlone = []string{
	"GET /runners/all",
	"GET /deploy_keys",
	"POST /deploy_keys",
	"GET /issues/:id",
	"GET /projects/:id/issues/:issue_iid/user_agent_detail",
	"GET /snippets/:id/user_agent_detail",
	"GET /projects/:id/snippets/:snippet_id/user_agent_detail",
	"GET /audit_events",
	"GET /audit_events/:id",
	"POST /users",
	"PUT /users/:id",
	"DELETE /users/:id",
	"DELETE /users/:id/identities/:provider",
	"POST /users/:id/block",
	"POST /users/:id/unblock",
	"POST /users/:id/deactivate",
	"POST /users/:id/activate",
	"GET /user/activities",
	"GET /admin/security/compliance_policy_settings",
	"PUT /admin/security/compliance_policy_settings",
	"POST /projects/user/:user_id",
	"GET /projects/:id/storage",
	"GET /project_aliases",
	"GET /project_aliases/:name",
	"POST /project_aliases",
	"DELETE /project_aliases/:name",
	"GET /member_roles",
	"POST /member_roles",
	"DELETE /member_roles/:member_role_id",
	"GET /admin_member_roles",
	"POST /admin_member_roles",
	"DELETE /admin_member_roles/:member_role_id",
	"GET /users/:id/support_pin",
	"POST /users/:id/support_pin/revoke",
	"GET /users/:id/memberships",
	"POST /users/:id/unban",
	"POST /users/:id/ban",
	"POST /users/:id/approve",
	"POST /users/:id/reject",
	"POST /users/:user_id/personal_access_tokens",
	"GET /users/:user_id/impersonation_tokens",
	"GET /users/:user_id/impersonation_tokens/:id",
	"POST /users/:user_id/impersonation_tokens",
	"DELETE /users/:user_id/impersonation_tokens/:id",
	"POST /service_accounts",
	"GET /service_accounts",
	"PATCH /service_accounts/:user_id",
	"POST /users/:id/gpg_keys",
	"DELETE /users/:id/gpg_keys/:key_id",
	"POST /users/:id/gpg_keys/:key_id/revoke",
	"GET /ldap/groups",
	"GET /ldap/:provider/groups",
	"POST /users/:id/keys",
	"DELETE /users/:id/keys/:key_id",
	"GET /keys/:id",
	"GET /keys",
	"GET /users/:id/emails",
	"POST /users/:id/emails",
	"DELETE /users/:id/emails/:email_id",
	"POST /topics",
	"PUT /topics/:id",
	"DELETE /topics/:id",
	"POST /topics/merge",
	"POST /project_repository_storage_moves",
	"POST /snippet_repository_storage_moves",
	"POST /group_repository_storage_moves",
	"GET /users/:id/custom_attributes",
	"GET /users/:id/custom_attributes/:key",
	"PUT /users/:id/custom_attributes/:key",
	"DELETE /users/:id/custom_attributes/:key",
	"GET /groups/:id/custom_attributes",
	"GET /groups/:id/custom_attributes/:key",
	"PUT /groups/:id/custom_attributes/:key",
	"DELETE /groups/:id/custom_attributes/:key",
	"GET /projects/:id/custom_attributes",
	"GET /projects/:id/custom_attributes/:key",
	"PUT /projects/:id/custom_attributes/:key",
	"DELETE /projects/:id/custom_attributes/:key",
	"GET /license",
	"GET /licenses",
	"GET /license/:id",
	"POST /license",
	"DELETE /license/:id",
	"GET /license/usage_export.csv",
	"PUT /license/:id/refresh_billable_users",
	"GET /applications",
	"POST /applications",
	"POST /applications/:id/renew-secret",
	"DELETE /applications/:id",
	"GET /application/settings",
	"PUT /application/settings",
	"GET /application/appearance",
	"PUT /application/appearance",
	"GET /deploy_tokens",
	"PATCH /users/:id/disable_two_factor",
	"GET /admin/ci/variables",
	"GET /admin/ci/variables/:key",
	"POST /admin/ci/variables",
	"PUT /admin/ci/variables/:key",
	"DELETE /admin/ci/variables/:key",
	"GET /pages/domains",
	"GET /hooks",
	"GET /hooks/:hook_id",
	"POST /hooks",
	"PUT /hooks/:hook_id",
	"DELETE /hooks/:hook_id",
	"POST /hooks/:hook_id",
	"PUT /hooks/:hook_id/url_variables/:key",
	"DELETE /hooks/:hook_id/url_variables/:key",
	"POST /runners/reset_registration_token",
	"GET /runner_controllers",
	"GET /runner_controllers/:id",
	"POST /runner_controllers",
	"PUT /runner_controllers/:id",
	"DELETE /runner_controllers/:id",
	"GET /runner_controllers/:id/scopes",
	"POST /runner_controllers/:id/scopes/instance",
	"DELETE /runner_controllers/:id/scopes/instance",
	"POST /runner_controllers/:id/scopes/runners/:runner_id",
	"DELETE /runner_controllers/:id/scopes/runners/:runner_id",
	"GET /runner_controllers/:id/tokens",
	"GET /runner_controllers/:id/tokens/:token_id",
	"POST /runner_controllers/:id/tokens",
	"POST /runner_controllers/:id/tokens/:token_id/rotate",
	"DELETE /runner_controllers/:id/tokens/:token_id",
	"POST /broadcast_messages",
	"PUT /broadcast_messages/:id",
	"DELETE /broadcast_messages/:id",
	"GET /features",
	"GET /features/definitions",
	"POST /features/:name",
	"DELETE /features/:name",
	"GET /application/plan_limits",
	"PUT /application/plan_limits",
	"GET /application/statistics",
	"GET /sidekiq/queue_metrics",
	"GET /sidekiq/process_metrics",
	"GET /sidekiq/job_stats",
	"GET /sidekiq/compound_metrics",
	"DELETE /admin/sidekiq/queues/:queue_name",
	"GET /usage_data/service_ping",
	"GET /usage_data/queries",
	"GET /usage_data/non_sql_metrics",
	"GET /geo_sites",
	"GET /geo_sites/:id",
	"POST /geo_sites",
	"PUT /geo_sites/:id",
	"DELETE /geo_sites/:id",
	"POST /geo_sites/:id/repair",
	"GET /geo_sites/status",
	"GET /geo_sites/:id/status",
	"POST /admin/migrations/:version/mark",
	"GET /admin/batched_background_migrations",
	"GET /admin/batched_background_migrations/:id",
	"PUT /admin/batched_background_migrations/:id/pause",
	"PUT /admin/batched_background_migrations/:id/resume",
	"GET /admin/search/migrations",
	"GET /admin/search/migrations/:version_or_name",
	"POST /admin/token",
	"DELETE /admin/token",
	"GET /project_repository_storage_moves",
	"GET /project_repository_storage_moves/:repository_storage_id",
	"GET /projects/:id/repository_storage_moves",
	"GET /projects/:id/repository_storage_moves/:repository_storage_id",
	"POST /projects/:id/repository_storage_moves",
	"GET /group_repository_storage_moves",
	"GET /group_repository_storage_moves/:repository_storage_id",
	"GET /groups/:id/repository_storage_moves",
	"GET /groups/:id/repository_storage_moves/:repository_storage_id",
	"POST /groups/:id/repository_storage_moves",
	"GET /snippet_repository_storage_moves",
	"GET /snippet_repository_storage_moves/:repository_storage_id",
	"GET /snippets/:id/repository_storage_moves",
	"GET /snippets/:id/repository_storage_moves/:repository_storage_id",
	"POST /snippets/:id/repository_storage_moves",
}

// TestAdministratorsAlone calls the endpoints that only administrators may call, each
// on a service of its own. Endpoints about a user get a plain one, so that changing its
// state does not affect the caller.
func TestAdministratorsAlone(t *testing.T) {
	for _, row := range servicetest.AdministratorTemplates() {
		if !slices.Contains(administratorsAlone, row) {
			t.Errorf("%s is not listed", row)
		}
	}
	served, ofUser := 0, regexp.MustCompile(`/users/:\w+`)
	for _, row := range administratorsAlone {
		row = ofUser.ReplaceAllString(row, "/users/2")
		svc := servicetest.New(t)
		svc.Project("acme/app").Issue("First")
		if a := send(t, svc, row, "", "PRIVATE-TOKEN", svc.Token(svc.User("ada"))); a.StatusCode != 403 {
			t.Errorf("%s: %d %s, want 403", row, a.StatusCode, a.body)
		}
		if a := send(t, svc, row, ""); a.StatusCode != 401 {
			t.Errorf("%s: %d %s without credentials, want 401", row, a.StatusCode, a.body)
		}
		switch a := send(t, svc, row, "", "PRIVATE-TOKEN", svc.AdminToken()); {
		case a.StatusCode == 401 || a.body == `{"message":"403 Forbidden"}`: // others are about the object
			t.Errorf("%s: %d %s to an administrator", row, a.StatusCode, a.body)
		case a.StatusCode < 300:
			served++
		}
	}
	if served < 20 {
		t.Errorf("only %d endpoints did something for an administrator", served)
	}
}

// TestPremiumAlone checks the endpoints and parameters that the free tier does
// not have.
func TestPremiumAlone(t *testing.T) {
	rows := endpoints(func(path string) bool {
		return strings.Contains(path, "/epics/") && !strings.Contains(path, ":epic_iid/epics") ||
			strings.HasPrefix(path, "/api/scim/v2/groups/") || strings.Contains(path, "/service_accounts") ||
			strings.Contains(path, "ldap") || strings.Contains(path, "/saml") || strings.Contains(path, ":id/scim/")
	})
	rows = append(rows,
		"POST /projects/:id/deployments/:deployment_id/approval",
		"POST /group_repository_storage_moves",
		"GET /groups/:id/epics",
		"POST /groups/:id/epics",
		"GET /projects/:id/iterations",
		"GET /groups/:id/iterations",
		"GET /projects/:id/merge_requests/:merge_request_iid/approval_state",
		"POST /groups/:id/restore",
	)
	if len(rows) < 12 {
		t.Fatalf("only %d endpoints", len(rows))
	}
	for tier, refuses := range map[servicetest.Tier]bool{servicetest.Free: true, servicetest.Premium: false} {
		svc := servicetest.New(t, servicetest.WithTier(tier))
		svc.Project("acme/app")
		for _, row := range rows {
			if a := send(t, svc, row, "", "PRIVATE-TOKEN", svc.AdminToken()); (a.StatusCode == 403) != refuses {
				t.Errorf("tier %d: %s: %d %s", tier, row, a.StatusCode, a.body)
			}
		}
		for row, query := range map[string]string{
			"GET /projects/:id/members/all":    "?state=active",
			"GET /groups/:id/members/all":      "?state=awaiting",
			"GET /projects/:id/merge_requests": "?approver_ids[]=1",
			"GET /merge_requests":              "?approved_by_ids[]=1",
		} {
			if a := send(t, svc, row, query, "PRIVATE-TOKEN", svc.AdminToken()); (a.StatusCode == 403) != refuses {
				t.Errorf("tier %d: %s%s: %d %s", tier, row, query, a.StatusCode, a.body)
			}
			if a := send(t, svc, row, "", "PRIVATE-TOKEN", svc.AdminToken()); a.StatusCode != 200 {
				t.Errorf("tier %d: %s: %d %s", tier, row, a.StatusCode, a.body)
			}
		}
	}
}

// TestArchivedProjectsAreReadOnly checks that the parts of an archived project can be
// read but not changed, and that callers who cannot see the project get a 404.
func TestArchivedProjectsAreReadOnly(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app", servicetest.Archived())
	stranger := svc.Token(svc.User("stranger"))
	ownSettings := regexp.MustCompile(`^/projects/:\w+($|/(` + strings.Join([]string{
		`export`,
		`export_relations`,
		`dependency_list_exports`,
		`runners`,
		`archive`,
		`unarchive`,
		`transfer`,
		`share`,
		`fork`,
		`star`,
		`unstar`,
		`restore`,
		`notification_settings`,
		`access_tokens`,
		`custom_attributes`,
		`service_accounts`,
		`hooks`,
		`integrations`,
		`repository_storage_moves`,
	}, "|") + `)\b)`)
	rows := endpoints(func(path string) bool {
		return strings.HasPrefix(path, "/projects/:") && !ownSettings.MatchString(path) && path != runTriggerPath
	})
	refused := 0
	for _, row := range rows {
		a := send(t, svc, row, "", "PRIVATE-TOKEN", svc.AdminToken())
		if strings.HasPrefix(row, "GET ") || strings.HasPrefix(row, "HEAD ") {
			if a.StatusCode == 403 && !strings.HasSuffix(row, "/pipelines/latest") {
				t.Errorf("%s: %d %s", row, a.StatusCode, a.body)
			}
			continue
		}
		if refused++; a.StatusCode != 403 || string(a.body) != `{"message":"403 Forbidden"}` {
			t.Errorf("%s: %d %s, want 403", row, a.StatusCode, a.body)
		}
		if a := send(t, svc, row, "", "PRIVATE-TOKEN", stranger); a.StatusCode != 404 {
			t.Errorf("%s: %d %s to a stranger, want 404", row, a.StatusCode, a.body)
		}
	}
	if refused < 60 {
		t.Errorf("only %d endpoints refused", refused)
	}
}

// TestGuestsOfPrivateGroups checks what users see of a private group if they have the
// lowest role in it or in one of its subgroups or projects, or if it shares something
// with them.
func TestGuestsOfPrivateGroups(t *testing.T) {
	svc := servicetest.New(t)
	acme, team := svc.Group("acme"), svc.Group("acme/team")
	app, tool := svc.Project("acme/app"), svc.Project("acme/team/tool")
	svc.Group("acme/secret")
	svc.Project("acme/secret/plan")
	guest, ofTeam, ofTool, minimal, awaiting, past := svc.User("guest"), svc.User("team"), svc.User("tool"),
		svc.User("minimal"), svc.User("awaiting"), svc.User("past")
	acme.AddMember(guest, servicetest.Guest)
	acme.AddMember(minimal, servicetest.MinimalAccess)
	acme.AddMember(awaiting, servicetest.Owner, servicetest.Awaiting())
	acme.AddMember(past, servicetest.Owner, servicetest.MemberUntil(svc.Now()))
	team.AddMember(ofTeam, servicetest.Guest)
	tool.AddMember(ofTool, servicetest.Guest)
	for _, c := range []struct {
		user             *servicetest.User
		groups, projects string
	}{
		{guest, "acme acme/secret acme/team", "acme/app acme/secret/plan acme/team/tool"},
		{ofTeam, "acme acme/team", "acme/team/tool"},
		{ofTool, "acme acme/team", "acme/team/tool"},
		{minimal, "acme acme/secret acme/team", ""},
		{awaiting, "", ""},
		{past, "", ""},
	} {
		token := svc.Token(c.user)
		list := func(path, member string) string {
			var names []string
			for _, item := range into[[]map[string]any](t, get(t, svc, path, "PRIVATE-TOKEN", token), 200) {
				names = append(names, item[member].(string))
			}
			slices.Sort(names)
			return strings.Join(names, " ")
		}
		if groups, projects := list("/groups", "full_path"),
			list("/projects", "path_with_namespace"); groups != c.groups || projects != c.projects {
			t.Errorf("%s sees the groups %q and the projects %q, want %q and %q", c.user.Username(), groups, projects,
				c.groups, c.projects)
		}
		want := map[bool]int{true: 403, false: 404}[strings.Contains(c.projects, app.Path())]
		if a := request(t, "POST", svc.URL()+"/api/v4/projects/acme%2Fapp/environments", `{"name":"x"}`,
			"PRIVATE-TOKEN", token); a.StatusCode != want {
			t.Errorf("%s writes: %d %s, want %d", c.user.Username(), a.StatusCode, a.body, want)
		}
	}
}

const unauthorized = `{"message":"401 Unauthorized"}`

// get sends a GET without any credential of its own.
func get(t *testing.T, svc *servicetest.Service, path string, headers ...string) answer {
	t.Helper()
	return request(t, "GET", svc.URL()+"/api/v4"+path, "", headers...)
}

func TestCredentials(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	app := svc.Project("acme/app", servicetest.Member(ada, servicetest.Developer))
	job := app.Pipeline("main", servicetest.By(ada)).Job("test", servicetest.Archive(nil))
	personal, oauth := svc.Token(ada), svc.OAuthToken(ada)
	cookie := "_service_session=" + svc.SessionCookie(ada)
	jobs, archive, state := "/projects/1/jobs", "/projects/1/jobs/1/artifacts", "/projects/1/terraform/state/app"
	app.TerraformState("app", `{"serial":1}`)
	password := func(secret string) string {
		return "Basic " + base64.StdEncoding.EncodeToString([]byte("anybody:"+secret))
	}
	tests := []struct {
		name, path, header, value string
		status                    int
	}{
		{"nothing", jobs, "", "", 401},
		{"personal token", jobs, "PRIVATE-TOKEN", personal, 200},
		{"personal token in the query", jobs + "?private_token=" + personal, "", "", 200},
		{"personal bearer", jobs, "Authorization", "Bearer " + personal, 200},
		{"unknown token", jobs, "PRIVATE-TOKEN", "nobody's", 401},
		{"OAuth bearer", jobs, "Authorization", "Bearer " + oauth, 200},
		{"OAuth in the query", jobs + "?access_token=" + oauth, "", "", 200},
		{"OAuth as a personal token", jobs, "PRIVATE-TOKEN", oauth, 401},
		{"basic", jobs, "Authorization", "Basic cm9vdDpyb290", 401},
		{"personal token as a password", state, "Authorization", password(personal), 200},
		{"job token as a password", state, "Authorization", password(job.Token()), 200},
		{"job token in the header of Terraform states", state, "JOB-TOKEN", job.Token(), 200},
		{"password", state, "Authorization", password("root"), 401},
		{"token as a password elsewhere", jobs, "Authorization", password(personal), 401},
		{"session", jobs, "Cookie", cookie, 200},
		{"unknown session", jobs, "Cookie", "_service_session=x", 401},
		{"job token where it does not count", jobs, "JOB-TOKEN", job.Token(), 401},
		{"job token", archive, "JOB-TOKEN", job.Token(), 200},
		{"job bearer", archive, "Authorization", "Bearer " + job.Token(), 200},
		{"job token in the query", archive + "?job_token=" + job.Token(), "", "", 200},
		{"deploy token", jobs, "PRIVATE-TOKEN", app.DeployToken("Git").Token(), 401},
		{"deploy bearer", jobs, "Authorization", "Bearer " + app.DeployToken("Git").Token(), 401},
		{"project token", jobs, "PRIVATE-TOKEN", app.AccessToken(servicetest.Reporter), 200},
		{"group token", jobs, "PRIVATE-TOKEN", app.Group().AccessToken(servicetest.Reporter), 200},
		{"wrong token on a public route", "/projects", "PRIVATE-TOKEN", "nobody's", 401},
		{"nothing on a public route", "/projects", "", "", 200},
	}
	for _, test := range tests {
		var headers []string
		if test.header != "" {
			headers = []string{test.header, test.value}
		}
		a := get(t, svc, test.path, headers...)
		if a.StatusCode != test.status || test.status == 401 && a.body != unauthorized {
			t.Errorf("%s: %d %s, want %d", test.name, a.StatusCode, a.body, test.status)
		}
	}
}

func TestTokensEnd(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app")
	expiring := svc.Token(svc.Root(), servicetest.ExpiresAt(svc.Now().Add(time.Hour)))
	revoked := svc.Token(svc.Root())
	for _, token := range []string{expiring, revoked} {
		if a := get(t, svc, "/projects/1", "PRIVATE-TOKEN", token); a.StatusCode != 200 {
			t.Fatalf("before the end: %d", a.StatusCode)
		}
	}
	svc.Advance(time.Hour)
	svc.Revoke(revoked)
	for token, why := range map[string]string{
		expiring: "Token is expired. You can either do re-authorization or token refresh.",
		revoked:  "Token was revoked. You have to re-authorize from the user.",
	} {
		refused(t, get(t, svc, "/projects/1", "PRIVATE-TOKEN", token), 401,
			`{"error":"invalid_token","error_description":"`+why+`"}`)
	}
}

func TestScopes(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app").Pipeline("main").Job("test", servicetest.Running())
	reader := svc.Token(svc.Root(), servicetest.Scopes("read_api"))
	none := svc.Token(svc.Root(), servicetest.Scopes("read_registry"))
	if a := get(t, svc, "/projects/1/jobs", "PRIVATE-TOKEN", reader); a.StatusCode != 200 {
		t.Errorf("read_api cannot read: %d %s", a.StatusCode, a.body)
	}
	shape := `{"error":"insufficient_scope","error_description":"The request requires higher privileges than ` +
		`provided by the access token.","scope":"%"}`
	a := request(t, "POST", svc.URL()+"/api/v4/projects/1/jobs/1/cancel", "", "PRIVATE-TOKEN", reader)
	refused(t, a, 403, strings.Replace(shape, "%", "api", 1))
	refused(t, get(t, svc, "/projects/1/jobs", "PRIVATE-TOKEN", none), 403, strings.Replace(shape, "%", "api read_api",
		1))
}

func TestSudo(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	eve := svc.User("eve")
	svc.User("mallory", servicetest.Blocked())
	svc.Project("acme/app", servicetest.Member(ada, servicetest.Developer))
	admin, plain := svc.AdminToken(), svc.Token(ada)
	apiOnly := svc.Token(svc.Root(), servicetest.Scopes("api"))
	tests := []struct {
		name, token, sudo string
		status            int
		body              string
	}{
		{"by username in any case", admin, "ADA", 200, ""},
		{"by id", admin, "2", 200, ""},
		{"with the rights of the other", admin, "eve", 404, `{"message":"404 Project Not Found"}`},
		{"unknown user", admin, "zoe", 404, `{"message":"404 User with ID or username 'zoe' Not Found"}`},
		{"blocked user", admin, "mallory", 403, `{"message":"403 Forbidden - Your account has been blocked."}`},
		{"not an administrator", plain, "eve", 403, `{"message":"403 Forbidden - Must be admin to use sudo"}`},
		{"without the scope", apiOnly, "ada", 403, `{"error":"insufficient_scope","error_description":"The request ` +
			`requires higher privileges than provided by the access token.","scope":"sudo"}`},
	}
	for _, test := range tests {
		byHeader := get(t, svc, "/projects/1", "PRIVATE-TOKEN", test.token, "Sudo", test.sudo)
		byQuery := get(t, svc, "/projects/1?sudo="+test.sudo, "PRIVATE-TOKEN", test.token)
		for _, a := range []answer{byHeader, byQuery} {
			if a.StatusCode != test.status || test.body != "" && a.body != test.body {
				t.Errorf("%s: %d %s, want %d %s", test.name, a.StatusCode, a.body, test.status, test.body)
			}
		}
	}
	cookie := "_service_session=" + svc.SessionCookie(svc.Root())
	refused(t, get(t, svc, "/projects/1", "Cookie", cookie, "Sudo", "ada"), 403,
		`{"message":"403 Forbidden - Must be authenticated using an OAuth or personal access token to use sudo"}`)
	refused(t, get(t, svc, "/personal_access_tokens/self", "Authorization", "Bearer "+svc.OAuthToken(ada)), 400,
		`{"message":"400 Bad request - This endpoint requires token type to be a personal access token"}`)
	if eve.ID() != 3 {
		t.Errorf("eve has id %d, want 3", eve.ID())
	}
}

func TestVisibilityAndRoles(t *testing.T) {
	svc := servicetest.New(t)
	member, stranger := svc.User("member"), svc.User("stranger")
	external := svc.User("outsider", servicetest.External())
	above := svc.User("above")
	svc.Group("acme", servicetest.Member(above, servicetest.Maintainer))
	svc.Project("acme/team/private", servicetest.Member(member, servicetest.Reporter)).Pipeline("main").Job("test",
		servicetest.Running())
	svc.Project("acme/internal", servicetest.Internal())
	svc.Project("acme/public", servicetest.Public())
	tests := []struct {
		user    *servicetest.User
		visible string // which of the three projects
		cancel  int    // status of canceling the job of the private project
	}{
		{nil, "--x", 401},
		{stranger, "-xx", 404},
		{external, "--x", 404},
		{member, "xxx", 403},
		{above, "xxx", 201},
	}
	for _, test := range tests {
		var headers []string
		name := "nobody"
		if test.user != nil {
			name = test.user.Username()
			headers = []string{"PRIVATE-TOKEN", svc.Token(test.user)}
		}
		for i, want := range test.visible {
			path := "/projects/" + string(rune('1'+i))
			if a := get(t, svc, path, headers...); (a.StatusCode == 200) != (want == 'x') {
				t.Errorf("%s: GET %s is %d", name, path, a.StatusCode)
			}
		}
		a := request(t, "POST", svc.URL()+"/api/v4/projects/1/jobs/1/cancel", "", headers...)
		if a.StatusCode != test.cancel {
			t.Errorf("%s cancels: %d, want %d", name, a.StatusCode, test.cancel)
		}
		listed := into[[]any](t, get(t, svc, "/projects", headers...), 200)
		if len(listed) != strings.Count(test.visible, "x") {
			t.Errorf("%s lists %d projects, want %s", name, len(listed), test.visible)
		}
	}
}

func TestSharedProject(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	guests := svc.Group("guests", servicetest.Member(ada, servicetest.Owner))
	app := svc.Project("acme/app")
	job := app.Pipeline("main").Job("test", servicetest.Running())
	app.ShareWith(guests, servicetest.Reporter)
	token := svc.Token(ada)
	if a := get(t, svc, "/projects/1/jobs", "PRIVATE-TOKEN", token); a.StatusCode != 200 {
		t.Errorf("invited by way of a group: %d", a.StatusCode)
	}
	a := request(t, "POST", svc.URL()+"/api/v4/projects/1/jobs/1/cancel", "", "PRIVATE-TOKEN", token)
	refused(t, a, 403, `{"message":"403 Forbidden"}`)
	if job.Status() != "running" {
		t.Errorf("the job is %s", job.Status())
	}
}

func TestTier(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithTier(servicetest.Free))
	job := svc.Project("acme/app").Pipeline("main").Job("test", servicetest.Archive(nil))
	for _, path := range []string{"/job/allowed_agents", "/projects/1/jobs/1/artifacts"} {
		if a := get(t, svc, path, "JOB-TOKEN", job.Token()); a.StatusCode != 403 {
			t.Errorf("%s on the free tier: %d, want 403", path, a.StatusCode)
		}
	}
	if a := get(t, svc, "/job", "JOB-TOKEN", job.Token()); a.StatusCode != 200 {
		t.Errorf("GET /job: %d", a.StatusCode)
	}
}

func TestJobTokenScope(t *testing.T) {
	svc := servicetest.New(t)
	job := svc.Project("acme/app").Pipeline("main").Job("test", servicetest.Archive(nil))
	svc.Project("acme/other").Pipeline("main").Job("test", servicetest.Archive(nil))
	status := func(path string) int { return get(t, svc, path, "JOB-TOKEN", job.Token()).StatusCode }
	own, other := "/projects/1/jobs/1/artifacts", "/projects/2/jobs/2/artifacts"
	if status(own) != 200 || status(other) != 200 {
		t.Error("a job token does not reach what its user may see")
	}
	svc.SetFeature("ci_job_token_scope", true)
	if status(own) != 200 || status(other) != 404 {
		t.Errorf("restricted to its project: %d and %d, want 200 and 404", status(own), status(other))
	}
}

type tokens struct {
	AccessToken  string `json:"access_token"`
	RefreshToken string `json:"refresh_token"`
	TokenType    string `json:"token_type"`
	Scope        string `json:"scope"`
	ExpiresIn    int    `json:"expires_in"`
}

func exchange(t *testing.T, svc *servicetest.Service, form url.Values, headers ...string) answer {
	t.Helper()
	headers = append([]string{"Content-Type", "application/x-www-form-urlencoded"}, headers...)
	return request(t, "POST", svc.URL()+"/oauth/token", form.Encode(), headers...)
}

func TestOAuthRefresh(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	app := svc.OAuthApplication("deployer")
	grant := app.Authorize(ada, servicetest.Scopes("read_api"))
	user := func(token string) int {
		return request(t, "GET", svc.URL()+"/api/v4/user", "", "Authorization", "Bearer "+token).StatusCode
	}
	first, firstRefresh := grant.AccessToken(), grant.RefreshToken()
	if status := user(first); status != 200 {
		t.Fatalf("status %d with a new token", status)
	}
	svc.Advance(servicetest.OAuthTokenLifetime)
	if status := user(first); status != 401 {
		t.Errorf("status %d with an expired token", status)
	}

	form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {firstRefresh}, "client_id": {"deployer"},
		"client_secret": {app.ClientSecret()}}
	exchanged := exchange(t, svc, form)
	same(t, spaced(exchanged.Header.Get("Cache-Control"), exchanged.Header.Get("Pragma")), "no-store no-cache")
	got := into[tokens](t, exchanged, 200)
	want := tokens{grant.AccessToken(), grant.RefreshToken(), "Bearer", "read_api", 7200}
	if got != want || got.AccessToken == first || got.RefreshToken == firstRefresh || grant.Refreshes() != 1 {
		t.Errorf("tokens %+v, want %+v", got, want)
	}
	if status := user(got.AccessToken); status != 200 {
		t.Errorf("status %d with the refreshed token", status)
	}
	refused(t, exchange(t, svc, form), 400,
		`{"error":"invalid_grant","error_description":"The refresh token is not valid, was used before or was `+
			`revoked."}`)

	grant.RevokeAccessToken()
	if status := user(got.AccessToken); status != 401 {
		t.Errorf("status %d with a revoked token", status)
	}
	form = url.Values{"grant_type": {"refresh_token"}, "refresh_token": {got.RefreshToken}}
	basic := []string{"Authorization", "Basic ZGVwbG95ZXI6c2VjcmV0LW9mLWRlcGxveWVy"} // deployer:secret-of-deployer
	got = into[tokens](t, exchange(t, svc, form, basic...), 200)
	grant.Revoke()
	if status := user(got.AccessToken); status != 401 {
		t.Errorf("status %d with a token of a revoked grant", status)
	}
	form.Set("refresh_token", got.RefreshToken)
	if a := exchange(t, svc, form, basic...); a.StatusCode != 400 {
		t.Errorf("status %d for a revoked grant", a.StatusCode)
	}
}

func TestOAuthRefusals(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.OAuthApplication("deployer")
	svc.OAuthApplication("other")
	ada := svc.User("ada")
	grant := app.Authorize(ada, servicetest.ExpiresAt(svc.Now().Add(time.Minute)))
	for _, tc := range []struct {
		change url.Values
		status int
		code   string
	}{
		{url.Values{"grant_type": {""}}, 400, "invalid_request"},
		{url.Values{"grant_type": {"password"}}, 400, "unsupported_grant_type"},
		{url.Values{"client_secret": {"wrong"}}, 401, "invalid_client"},
		{url.Values{"client_id": {"nobody"}}, 401, "invalid_client"},
		{url.Values{"client_id": {"other"}, "client_secret": {"secret-of-other"}}, 400, "invalid_grant"},
		{url.Values{"refresh_token": {"unknown"}}, 400, "invalid_grant"},
	} {
		form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {grant.RefreshToken()},
			"client_id": {"deployer"}, "client_secret": {app.ClientSecret()}}
		maps.Copy(form, tc.change)
		a := exchange(t, svc, form)
		same(t, spaced(a.Header.Get("Cache-Control"), a.Header.Get("Pragma")), "no-store no-cache")
		if got := into[map[string]string](t, a, tc.status); got["error"] != tc.code {
			t.Errorf("%v: error %q, want %q", tc.change, got["error"], tc.code)
		}
	}
	ada.Block()
	form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {grant.RefreshToken()},
		"client_id": {"deployer"}, "client_secret": {app.ClientSecret()}}
	if a := exchange(t, svc, form); a.StatusCode != 400 {
		t.Errorf("status %d for a blocked user", a.StatusCode)
	}
	if grant.Refreshes() != 0 {
		t.Errorf("%d refreshes", grant.Refreshes())
	}
}

// TestOAuthRefreshReplacesBoth: after an exchange, neither of the old tokens works.
func TestOAuthRefreshReplacesBoth(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.OAuthApplication("deployer")
	grant := app.Authorize(svc.User("ada"))
	access, refresh := grant.AccessToken(), grant.RefreshToken()
	form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {refresh}, "client_id": {"deployer"},
		"client_secret": {app.ClientSecret()}}
	for range 2 {
		exchange(t, svc, form)
	}
	if svc.TokenWorks(access) || !svc.TokenWorks(grant.AccessToken()) || grant.Refreshes() != 1 {
		t.Errorf("old token works: %v, new token works: %v, %d refreshes", svc.TokenWorks(access),
			svc.TokenWorks(grant.AccessToken()), grant.Refreshes())
	}
}

// partsByPath lists, for each part of a project that can be turned off, how its paths
// begin below the project.
var partsByPath = map[string][]string{
	"builds_access_level": {
		"jobs", "pipeline", "pipelines", "artifacts", "pipeline_schedules", "ci/lint",
	},
	"repository_access_level":     {"repository", "jobs", "pipelines", "merge_requests"},
	"issues_access_level":         {"issues"},
	"merge_requests_access_level": {"merge_requests"},
	"snippets_access_level":       {"snippets"},
	"environments_access_level":   {"environments", "deployments"},
	"releases_access_level":       {"releases"},
	"wiki_access_level":           {"wikis"},
}

// TestPartsThatAreOff checks that nobody can read a part of a project that is turned
// off, and that only members can read a part that is limited to members.
func TestPartsThatAreOff(t *testing.T) {
	for part, beginnings := range partsByPath {
		rows := endpoints(func(path string) bool {
			rest, below := strings.CutPrefix(path, "/projects/:id/")
			begins := func(part string) bool { return rest == part || strings.HasPrefix(rest, part+"/") }
			return below && !strings.Contains(rest, "/latest") && slices.ContainsFunc(beginnings, begins)
		})
		for setting, member := range map[string]bool{"disabled": true, "private": false} {
			svc := servicetest.New(t)
			svc.Project("acme/app", servicetest.Public())
			token := svc.Token(svc.User("stranger"))
			if member {
				token = svc.AdminToken()
			}
			into[any](t, call(t, svc, "PUT", "/projects/1", `{"`+part+`":"`+setting+`"}`), 200)
			checked := 0
			for _, row := range rows {
				if !strings.HasPrefix(row, "GET ") {
					continue
				}
				checked++
				if a := send(t, svc, row, "", "PRIVATE-TOKEN", token); a.StatusCode != 403 {
					t.Errorf("%s with %s %s: %d %s", row, part, setting, a.StatusCode, a.body)
				}
			}
			if checked == 0 {
				t.Errorf("no endpoint is about %s", part)
			}
		}
	}
	svc := servicetest.New(t)
	svc.Project("acme/app")
	lint := func() int {
		return call(t, svc, "POST", "/projects/1/ci/lint", `{"content":"a: {script: b}"}`).StatusCode
	}
	same(t, lint(), 200)
	into[any](t, call(t, svc, "PUT", "/projects/1", `{"builds_access_level":"disabled"}`), 200)
	same(t, lint(), 403)
}
