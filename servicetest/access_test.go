package servicetest_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/serviceapi/servicetest"
)

// endpoints returns the endpoints, as "METHOD /path", for whose path keep
// reports true.
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

// readWithoutCredentials are the endpoints that serve everybody if the project
// or group is public. All others require a credential.
var readWithoutCredentials = []string{
	"GET /projects/:id", "GET /groups/:id",
	"GET /projects/:id/repository/files/:file_path", "HEAD /projects/:id/repository/files/:file_path",
	"GET /projects/:id/repository/files/:file_path/blame", "HEAD /projects/:id/repository/files/:file_path/blame",
	"GET /projects/:id/repository/files/:file_path/raw", "HEAD /projects/:id/repository/files/:file_path/raw",
	"GET /projects/:id/repository/branches", "GET /projects/:id/repository/branches/:branch",
	"GET /projects/:id/repository/tags", "GET /projects/:id/repository/tags/:tag_name",
	"GET /projects/:id/repository/tree", "GET /projects/:id/repository/compare", "GET /projects/:id/repository/archive.:format",
	"GET /projects/:id/issues", "GET /projects/:id/issues/:issue_iid", "GET /groups/:id/issues",
}

// TestPrivateProjectsAndGroupsAreHidden checks that every endpoint below a
// project or a group returns 404 to callers who cannot see it, before it checks
// anything else.
func TestPrivateProjectsAndGroupsAreHidden(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app").Pipeline("main").Job("test", servicetest.Archive(map[string]string{"1": "1"}))
	stranger := svc.Token(svc.User("stranger"))
	rows := endpoints(func(path string) bool {
		return strings.HasPrefix(path, "/projects/:") || strings.HasPrefix(path, "/groups/:") || strings.HasPrefix(path, "/api/scim/")
	})
	if len(rows) < 90 {
		t.Fatalf("only %d endpoints", len(rows))
	}
	for _, row := range rows {
		if a := send(t, svc, row, "", "PRIVATE-TOKEN", stranger); a.StatusCode != 404 {
			t.Errorf("%s: %d %s to a stranger, want 404", row, a.StatusCode, a.body)
		}
		want := 401
		if slices.Contains(readWithoutCredentials, row) {
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
	app.Issue("First")
	svc.Group("acme", servicetest.Public())
	elsewhere := func(path string) bool { return strings.HasPrefix(path, "{") || path == "/api/graphql" }
	for _, row := range endpoints(func(path string) bool { return !elsewhere(path) }) {
		want := 401
		switch {
		case slices.Contains(readWithoutCredentials, row), row == "GET /projects", row == "GET /groups":
			want = 200
		case row == "POST /runners": // the token in the body is the credential
			want = 400
		}
		if a := send(t, svc, row, "?ref=main&from=main&to=1"); a.StatusCode != want {
			t.Errorf("%s: %d %s, want %d", row, a.StatusCode, a.body, want)
		}
	}
}

// TestAdministratorsAlone checks the endpoints that are only for
// administrators.
func TestAdministratorsAlone(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.Token(svc.User("ada"))
	for _, row := range []string{
		"GET /runners/all", "GET /deploy_keys", "GET /audit_events", "GET /audit_events/:id",
		"POST /users", "PUT /users/:id", "DELETE /users/:id", "DELETE /users/:id/identities/:provider",
		"POST /users/:id/block", "POST /users/:id/unblock", "POST /users/:id/deactivate", "POST /users/:id/activate",
		"POST /users/:user_id/personal_access_tokens",
		"POST /project_repository_storage_moves", "POST /snippet_repository_storage_moves", "POST /group_repository_storage_moves",
	} {
		if a := send(t, svc, row, "", "PRIVATE-TOKEN", ada); a.StatusCode != 403 {
			t.Errorf("%s: %d %s, want 403", row, a.StatusCode, a.body)
		}
		if a := send(t, svc, row, "", "PRIVATE-TOKEN", svc.AdminToken()); a.StatusCode == 403 {
			t.Errorf("%s: %s to an administrator", row, a.body)
		}
	}
}

// TestPremiumAlone checks the endpoints and parameters that the free tier does
// not have.
func TestPremiumAlone(t *testing.T) {
	rows := endpoints(func(path string) bool {
		return strings.Contains(path, "/epics/") || strings.HasPrefix(path, "/api/scim/")
	})
	rows = append(rows, "POST /projects/:id/deployments/:deployment_id/approval", "POST /group_repository_storage_moves", "GET /groups/:id/epics",
		"GET /projects/:id/merge_requests/:merge_request_iid/approval_state")
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

// TestArchivedProjectsAreReadOnly checks that what belongs to an archived
// project can be read but not changed, and that callers who cannot see the
// project get a 404.
func TestArchivedProjectsAreReadOnly(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app", servicetest.Archived())
	stranger := svc.Token(svc.User("stranger"))
	ownSettings := regexp.MustCompile(`^/projects/:\w+($|/(export|runners|archive|unarchive|transfer|share|fork|restore|access_tokens)\b)`)
	rows := endpoints(func(path string) bool {
		return strings.HasPrefix(path, "/projects/:") && !ownSettings.MatchString(path)
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

// TestGuestsOfPrivateGroups checks what users see of a private group if they
// have the lowest role in it, in a part of it, or in something that it shares.
func TestGuestsOfPrivateGroups(t *testing.T) {
	svc := servicetest.New(t)
	acme, team := svc.Group("acme"), svc.Group("acme/team")
	app, tool := svc.Project("acme/app"), svc.Project("acme/team/tool")
	svc.Group("acme/secret")
	svc.Project("acme/secret/plan")
	guest, ofTeam, ofTool, minimal, awaiting, past := svc.User("guest"), svc.User("team"), svc.User("tool"), svc.User("minimal"), svc.User("awaiting"), svc.User("past")
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
		if groups, projects := list("/groups", "full_path"), list("/projects", "path_with_namespace"); groups != c.groups || projects != c.projects {
			t.Errorf("%s sees the groups %q and the projects %q, want %q and %q", c.user.Username(), groups, projects, c.groups, c.projects)
		}
		want := map[bool]int{true: 403, false: 404}[strings.Contains(c.projects, app.Path())]
		if a := request(t, "POST", svc.URL()+"/api/v4/projects/acme%2Fapp/environments", `{"name":"x"}`, "PRIVATE-TOKEN", token); a.StatusCode != want {
			t.Errorf("%s writes: %d %s, want %d", c.user.Username(), a.StatusCode, a.body, want)
		}
	}
}
