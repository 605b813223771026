package servicetest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
)

// listedParameter matches a name in the list of endpoints: user_ids[], not[labels],
// actions[]{action,file_path}.
var listedParameter = regexp.MustCompile(`([\w]+(?:\[\w+\])?)(?:\[\])?(?:\{[^}]*\})?(?:\(file\))?`)

// notRefused lists parameters that are not refused when their kind is wrong: some mean
// nothing without another one, some hold objects, and some are in other places.
var notRefused = []string{
	"in", "not[iteration_id]", "not[iteration_title]", "custom_attributes[key]", "job_token", "sudo", "avatar",
	"upload[url]",
	"upload[http_method]", "container_expiration_policy_attributes", "approval_password", "namespace_path", "branches",
	"page_token", "report_data",
}

// readEndpoints returns the cells of the list of endpoints: area, method, path, query, body,
// result.
func readEndpoints(t *testing.T) (rows [][]string) {
	t.Helper()
	list, err := os.ReadFile("../testdata/endpoints.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(list)) {
		cells := append(strings.Split(strings.TrimRight(line, "\n"), "\t"), "", "")
		if !strings.HasPrefix(line, "#") && len(cells) >= 7 {
			rows = append(rows, cells)
		}
	}
	return rows
}

// TestParametersAreRead sends a value of an impossible kind for each parameter in the
// list of endpoints. The refusal must name the parameter, unless something else is
// wrong first.
func TestParametersAreRead(t *testing.T) {
	w := newWorld(t)
	robot := w.svc.User("robot", servicetest.ServiceAccountOf(w.app))
	bot := w.svc.User("bot", servicetest.ServiceAccountOf(w.acme))
	w.svc.Token(bot)
	w.acme.AccessToken(servicetest.Reporter)
	ofInstance := into[named](t, call(t, w.svc, "POST", "/service_accounts", "{}"), 201)
	credential := func(kind string) string {
		path := "/groups/1/manage/" + kind
		return fmt.Sprint(path, "/", into[[]map[string]any](t, call(t, w.svc, "GET", path, ""), 200)[0]["id"])
	}
	arguments := strings.NewReplacer("/projects/:id/service_accounts/:user_id",
		fmt.Sprint("/projects/1/service_accounts/", robot.ID()),
		"/groups/:id/service_accounts/:user_id", fmt.Sprint("/groups/1/service_accounts/", bot.ID()),
		"/groups/:id/manage/personal_access_tokens/:token_id", credential("personal_access_tokens"),
		"/groups/:id/manage/resource_access_tokens/:token_id", credential("resource_access_tokens"),
		"/service_accounts/:user_id", fmt.Sprint("/service_accounts/", ofInstance.ID),
		":issue_iid/metric_images", "2/metric_images",
		":sha", w.app.Head("wool"), ":group_path", "acme", ":key", "ONE", "/:user_id", "/6", ":format", "zip",
		":tag_name", "v1.0", "templates/:type", "templates/licenses",
		":discussion_id", w.threads["{thread}"], "/:note_id", "/8")
	w.app.Pipeline("main")
	w.app.Variable("ONE", "1")
	w.acme.Variable("ONE", "1")
	refused := 0
	for _, cells := range readEndpoints(t) {
		if cells[1] == "HEAD" {
			continue
		}
		address := "/api/v4" + pathParameter.ReplaceAllString(arguments.Replace(cells[2]), "1")
		address = w.svc.URL() + strings.TrimPrefix(address, "/api/v4/api")
		check := func(name, body, query string) {
			t.Helper()
			a := request(t, cells[1], address+query, body, "PRIVATE-TOKEN", w.svc.AdminToken())
			switch {
			case a.StatusCode == http.StatusBadRequest && strings.Contains(a.body, strings.TrimSuffix(name, "[]")+
				" is invalid"):
				refused++
			case a.StatusCode == http.StatusNotFound, strings.Contains(a.body, "missing"),
				slices.Contains(notRefused, name):
			default:
				t.Errorf("%s %s: %s of no kind: %d %.100s", cells[1], cells[2], name, a.StatusCode, a.body)
			}
		}
		for _, m := range listedParameter.FindAllStringSubmatch(strings.Join(prose.Split(cells[3], -1), " "), -1) {
			check(m[1], "", "?"+url.QueryEscape(m[1])+"[x][y]=1")
		}
		for _, m := range listedParameter.FindAllStringSubmatch(prose.ReplaceAllString(cells[4], " "), -1) {
			check(m[1], `{"`+m[1]+`":{"x":{"y":1}}}`, "")
		}
	}
	if refused < 600 {
		t.Errorf("only %d parameters were refused", refused)
	}
}

// TestWhatIsShownIsNotRead sends members of responses that no call takes, unless its row has them:
// a value of an impossible kind must not be looked at.
func TestWhatIsShownIsNotRead(t *testing.T) {
	w := newWorld(t)
	for _, cells := range readEndpoints(t) {
		if cells[1] != "POST" && cells[1] != "PUT" && cells[1] != "PATCH" {
			continue
		}
		address := w.svc.URL() + "/api/v4" + pathParameter.ReplaceAllString(cells[2], "1")
		for _, name := range []string{"id", "created_at", "updated_at", "last_used_at"} {
			if regexp.MustCompile(`\b` + name + `\b`).MatchString(cells[4]) {
				continue
			}
			a := request(t, cells[1], address, `{"`+name+`":{"x":{"y":1}}}`, "PRIVATE-TOKEN", w.svc.AdminToken())
			if strings.Contains(a.body, name+" is invalid") {
				t.Errorf("%s %s reads %s", cells[1], cells[2], name)
			}
		}
	}
}

// prose matches descriptions of parameters in words.
var prose = regexp.MustCompile(`settings of the kind.*|as merge request list|\bkeyset ` +
	`order_by=\w+|\bsort=\w+|\bkeyset\b|\b(form|multipart|stream)\b|\((one or several|token.*|JSON, or.*)\)|` +
	`RFC 7644 \w+|` +
	`any setting of ApplicationSettings`)

// A listing is an endpoint that returns a list, with its query parameters.
type listing struct {
	template string
	params   []string
}

var remarks = regexp.MustCompile(`\([^)]*\)`)

func readListings(t *testing.T) []listing {
	t.Helper()
	all := readEndpoints(t)
	requests := all[slices.IndexFunc(all, func(cells []string) bool {
		return cells[1] == "GET" && cells[2] == "/merge_requests"
	})][3]
	var lists []listing
	for _, cells := range all {
		if cells[1] != "GET" || !strings.Contains(cells[5], "[]") || strings.Contains(cells[2], "{") {
			continue
		}
		query := remarks.ReplaceAllString(strings.ReplaceAll(cells[3], "as merge request list", requests), "")
		var params []string
		for _, name := range strings.FieldsFunc(query, func(r rune) bool { return r == ' ' || r == ',' }) {
			name, _, _ = strings.Cut(name, "=")
			switch name = strings.ReplaceAll(name, "[]", ""); name {
			case "keyset":
				params = append(params, "pagination")
			default:
				params = append(params, name)
			}
		}
		lists = append(lists, listing{cells[2], append(params, "page", "per_page")})
	}
	if len(lists) < 70 {
		t.Fatalf("only %d lists", len(lists))
	}
	return lists
}

// together lists parameters that have an effect only with another one.
var together = map[string]string{
	"in":                "search=a",
	"page_token":        "pagination=keyset",
	"custom_attributes": "with_custom_attributes=true",
}

// needed lists the required parameters of lists.
var needed = map[string]string{
	"/projects/:id/repository/files/:file_path/blame": "ref=main",
	"/projects/:id/dora/metrics":                      "metric=deployment_frequency",
	"/groups/:id/dora/metrics":                        "metric=deployment_frequency",
	"/search":                                         "scope=issues&search=a",
	"/groups/:id/search":                              "scope=issues&search=a",
	"/projects/:id/search":                            "scope=issues&search=a",
}

// unread lists parameters that a list may ignore, with the reason.
var unread = map[string]string{
	"GET /projects/:id/pipelines/:pipeline_id/variables page":                  "not cut into pages",
	"GET /projects/:id/pipelines/:pipeline_id/variables per_page":              "not cut into pages",
	"GET /projects/:id/issues/:issue_iid/links page":                           "not cut into pages",
	"GET /projects/:id/issues/:issue_iid/links per_page":                       "not cut into pages",
	"GET /projects/:id/wikis page":                                             "not cut into pages",
	"GET /projects/:id/wikis per_page":                                         "not cut into pages",
	"GET /projects/:id/merge_requests/:merge_request_iid/draft_notes page":     "not cut into pages",
	"GET /projects/:id/merge_requests/:merge_request_iid/draft_notes per_page": "not cut into pages",
	"GET /groups/:id/wikis page":                                               "not cut into pages",
	"GET /groups/:id/wikis per_page":                                           "not cut into pages",
	"GET /namespaces/:path/exists page":                                        "not a list of objects",
	"GET /namespaces/:path/exists per_page":                                    "not a list of objects",
	"GET /projects/:id/cluster_agents/:agent_id/url_configurations page":       "not cut into pages",
	"GET /projects/:id/cluster_agents/:agent_id/url_configurations per_page":   "not cut into pages",
	"GET /licenses page":                                                       "not cut into pages",
	"GET /licenses per_page":                                                   "not cut into pages",
	"GET /applications page":                                                   "not cut into pages",
	"GET /applications per_page":                                               "not cut into pages",
	"GET /users/:id/custom_attributes page":                                    "not cut into pages",
	"GET /users/:id/custom_attributes per_page":                                "not cut into pages",
	"GET /groups/:id/custom_attributes page":                                   "not cut into pages",
	"GET /groups/:id/custom_attributes per_page":                               "not cut into pages",
	"GET /projects/:id/custom_attributes page":                                 "not cut into pages",
	"GET /projects/:id/custom_attributes per_page":                             "not cut into pages",
	"GET /projects/:id/packages/protection/rules page":                         "not cut into pages",
	"GET /projects/:id/packages/protection/rules per_page":                     "not cut into pages",
	"GET /projects/:id/registry/protection/repository/rules page":              "not cut into pages",
	"GET /projects/:id/registry/protection/repository/rules per_page":          "not cut into pages",
	"GET /projects/:id/registry/protection/tag/rules page":                     "not cut into pages",
	"GET /projects/:id/registry/protection/tag/rules per_page":                 "not cut into pages",
	"GET /groups/:id/epics/:epic_iid/epics page":                               "not cut into pages",
	"GET /groups/:id/epics/:epic_iid/epics per_page":                           "not cut into pages",
	"GET /groups/:id/epics/:epic_iid/related_epics page":                       "not cut into pages",
	"GET /groups/:id/epics/:epic_iid/related_epics per_page":                   "not cut into pages",
	"GET /runners/:id/managers page":                                           "not cut into pages",
	"GET /runners/:id/managers per_page":                                       "not cut into pages",
	"GET /projects/:id/issues/:issue_iid/metric_images page":                   "not cut into pages",
	"GET /projects/:id/issues/:issue_iid/metric_images per_page":               "not cut into pages",
	"GET /projects/:id/milestones/:milestone_id/burndown_events page":          "not cut into pages",
	"GET /projects/:id/milestones/:milestone_id/burndown_events per_page":      "not cut into pages",
	"GET /groups/:id/milestones/:milestone_id/burndown_events page":            "not cut into pages",
	"GET /groups/:id/milestones/:milestone_id/burndown_events per_page":        "not cut into pages",
	"GET /projects/:id/jobs/:job_id/artifacts/tree job_token":                  "a credential",
	"GET /projects/:id/integrations page":                                      "not cut into pages",
	"GET /projects/:id/integrations per_page":                                  "not cut into pages",
	"GET /groups/:id/integrations page":                                        "not cut into pages",
	"GET /groups/:id/integrations per_page":                                    "not cut into pages",
	"GET /features page":                                                       "not cut into pages",
	"GET /features per_page":                                                   "not cut into pages",
	"GET /features/definitions page":                                           "not cut into pages",
	"GET /features/definitions per_page":                                       "not cut into pages",
	"GET /admin/batched_background_migrations page":                            "not cut into pages",
	"GET /admin/batched_background_migrations per_page":                        "not cut into pages",
	"GET /admin/search/migrations page":                                        "not cut into pages",
	"GET /admin/search/migrations per_page":                                    "not cut into pages",
	"GET /sidekiq/process_metrics page":                                        "not cut into pages",
	"GET /sidekiq/process_metrics per_page":                                    "not cut into pages",
	"GET /projects/:id/dora/metrics page":                                      "not cut into pages",
	"GET /projects/:id/dora/metrics per_page":                                  "not cut into pages",
	"GET /groups/:id/dora/metrics page":                                        "not cut into pages",
	"GET /groups/:id/dora/metrics per_page":                                    "not cut into pages",

	"GET /member_roles page":                                                      "not cut into pages",
	"GET /member_roles per_page":                                                  "not cut into pages",
	"GET /groups/:id/member_roles page":                                           "not cut into pages",
	"GET /groups/:id/member_roles per_page":                                       "not cut into pages",
	"GET /admin_member_roles page":                                                "not cut into pages",
	"GET /admin_member_roles per_page":                                            "not cut into pages",
	"GET /ldap/groups page":                                                       "not cut into pages",
	"GET /ldap/groups per_page":                                                   "not cut into pages",
	"GET /ldap/:provider/groups page":                                             "not cut into pages",
	"GET /ldap/:provider/groups per_page":                                         "not cut into pages",
	"GET /groups/:id/ldap_group_links page":                                       "not cut into pages",
	"GET /groups/:id/ldap_group_links per_page":                                   "not cut into pages",
	"GET /groups/:id/saml_group_links page":                                       "not cut into pages",
	"GET /groups/:id/saml_group_links per_page":                                   "not cut into pages",
	"GET /groups/:id/saml/identities page":                                        "not cut into pages",
	"GET /groups/:id/saml/identities per_page":                                    "not cut into pages",
	"GET /groups/:id/scim/identities page":                                        "not cut into pages",
	"GET /groups/:id/scim/identities per_page":                                    "not cut into pages",
	"GET /vulnerabilities/:id/issue_links page":                                   "not cut into pages",
	"GET /vulnerabilities/:id/issue_links per_page":                               "not cut into pages",
	"GET /projects/:id/alert_management_alerts/:alert_iid/metric_images page":     "not cut into pages",
	"GET /projects/:id/alert_management_alerts/:alert_iid/metric_images per_page": "not cut into pages",
	"GET /projects/:id/export_relations/status page":                              "not cut into pages",
	"GET /projects/:id/export_relations/status per_page":                          "not cut into pages",
	"GET /groups/:id/export_relations/status page":                                "not cut into pages",
	"GET /groups/:id/export_relations/status per_page":                            "not cut into pages",
	"GET /projects/:id/relation-imports page":                                     "not cut into pages",
	"GET /projects/:id/relation-imports per_page":                                 "not cut into pages",
}

// TestListsReadTheirParameters sends each parameter of each list with a value of the
// wrong type: an object, or a string if an object is expected. A list that reads the
// parameter refuses it. A list that accepts it ignores the parameter.
func TestListsReadTheirParameters(t *testing.T) {
	svc := servicetest.New(t)
	paths := placesOfLists(svc)
	call(t, svc, "PUT", "/application/settings", `{"receptive_cluster_agents_enabled":true}`)
	call(t, svc, "POST", "/runner_controllers", "{}")
	call(t, svc, "PUT", "/application/settings", `{"bulk_import_enabled":true}`)
	call(t, svc, "POST", "/bulk_imports", `{"configuration":{"url":"u","access_token":"t"},"entities":[`+
		`{"source_type":"group_entity","source_full_path":"a","destination_namespace":"","destination_slug":"b"}]}`)
	call(t, svc, "PUT", "/application/settings",
		`{"elasticsearch_indexing":true,"elasticsearch_url":"https://a.example"}`)
	svc.Root().Snippet("a")
	call(t, svc, "POST", "/projects/1/boards", `{"name":"Board 1"}`)
	call(t, svc, "POST", "/groups/acme/boards", `{"name":"Board 2"}`)
	call(t, svc, "POST", "/groups/acme/ldap_group_links", `{"cn":"a","provider":"b","group_access":30}`)
	for _, list := range readListings(t) {
		path := paths.Replace(list.template)
		if a := call(t, svc, "GET", path+"?"+needed[list.template], ""); a.StatusCode != 200 {
			t.Errorf("GET %s: %d %s", path, a.StatusCode, a.body)
			continue
		}
		for _, name := range list.params {
			query := name + "[x]=1"
			if name == "custom_attributes[key]" {
				name, query = "custom_attributes", "custom_attributes=1"
			}
			a := call(t, svc, "GET", path+"?"+needed[list.template]+"&"+together[name]+"&"+query, "")
			read := a.StatusCode == 400 && strings.Contains(a.body, strings.TrimSuffix(name, "[]")+" ")
			if why := unread["GET "+list.template+" "+name]; read == (why != "") {
				t.Errorf("GET %s?%s: %d %.200s", path, query, a.StatusCode, a.body)
			}
		}
	}
}

// placesOfLists seeds the owners of the lists, and returns their paths.
func placesOfLists(svc *servicetest.Service) *strings.Replacer {
	ada := svc.User("ada")
	app := svc.Project("acme/app", servicetest.Member(ada, servicetest.Maintainer))
	sha := app.Commit("main", "Begin", servicetest.Write("a.txt", "a\n"))
	app.Branch("fix", "main")
	app.Commit("fix", "Fix", servicetest.Write("a.txt", "b\n"))
	app.MergeRequest("fix").Note("Note 3")
	app.Issue("Crash").Note("Note 1")
	app.Issue("Outage", servicetest.IssueType("incident"))
	app.Snippet("Notes").Note("Note 2")
	acme := svc.Group("acme", servicetest.Member(ada, servicetest.Owner))
	acme.Epic("Grow").Note("Note 4")
	acme.EpicBoard(servicetest.EpicBoard{Name: "Roadmap"})
	app.Milestone("1.0")
	acme.Milestone("2.0")
	app.Environment("production").Deployment()
	app.Pipeline("main").Job("test", servicetest.InResourceGroup("eu"),
		servicetest.Archive(map[string]string{"a.txt": "a"}))
	app.Pipeline("main").Finding(servicetest.Finding{Name: "Injection", Vulnerable: true})
	app.Alert()
	app.Release("v1", "The first.")
	app.Package("app", "1.0")
	app.RegistryRepository("web")
	svc.Runner("fast")
	app.Hook("http://127.0.0.1:1")
	acme.Hook("http://127.0.0.1:1")
	app.PipelineSchedule("nightly", "0 4 * * *")
	app.ClusterAgent("eu-1")
	app.WikiPage("home", "Hello")
	acme.WikiPage("home", "Hello")
	bot := svc.User("bot", servicetest.ServiceAccountOf(acme))
	robot := svc.User("robot", servicetest.ServiceAccountOf(app))
	return strings.NewReplacer(":issue_iid/metric_images", "2/metric_images",
		"/projects/:id/service_accounts/:user_id", fmt.Sprint("/projects/1/service_accounts/", robot.ID()),
		"/vulnerabilities/:id", "/vulnerabilities/1", ":alert_iid", "1",
		"/bulk_imports/:id", "/bulk_imports/1", ":entity_id", "1",
		"/snippets/:id/", "/snippets/1/",
		":subject_digest", strings.Repeat("ab", 32),
		":user_id/personal_access_tokens", fmt.Sprint(bot.ID(), "/personal_access_tokens"),
		":user_id/impersonation_tokens", "2/impersonation_tokens", "/users/:id/", "/users/2/",
		"/projects/:id/hooks/:hook_id", "/projects/1/hooks/1", "/groups/:id/hooks/:hook_id", "/groups/acme/hooks/2",
		"/projects/:id/milestones/:milestone_id", "/projects/1/milestones/1",
		"/groups/:id/milestones/:milestone_id", "/groups/acme/milestones/2",
		":epic_iid/notes/:note_id", "1/notes/4",
		"/groups/:id/boards/:board_id", "/groups/acme/boards/2", ":board_id", "1",
		"/projects/:id/wiki_pages/:wiki_page_meta_id", "/projects/1/wiki_pages/1",
		"/groups/:id/wiki_pages/:wiki_page_meta_id", "/groups/acme/wiki_pages/2",
		"templates/:type", "templates/issues",
		":issue_iid/notes/:note_id", "1/notes/2", ":snippet_id/notes/:note_id", "1/notes/3",
		":merge_request_iid/notes/:note_id", "1/notes/1", "/groups/:id", "/groups/acme", "/projects/:id", "/projects/1",
		"/projects/:project_id", "/projects/1", "/runners/:id", "/runners/1",
		"/runner_controllers/:id", "/runner_controllers/1",
		":repository_id", "1", ":pipeline_id", "1", ":deployment_id", "1", ":sha", sha, ":file_path", "a.txt",
		":job_id", "1",
		":issue_iid", "1",
		":snippet_id", "1", ":agent_id", "1", "resource_groups/:key", "resource_groups/eu", ":merge_request_iid", "1",
		":epic_id", "1", ":epic_iid", "1", ":user_id/memberships", "2/memberships",
		":user_id/projects", "2/projects",
		":user_id/starred_projects", "2/starred_projects",
		":user_id/contributed_projects", "2/contributed_projects",
		":user_id/indirect", "2/indirect",
		":id_or_username", "2", ":pipeline_schedule_id", "1", ":tag_name", "v1", ":package_id", "1",
	)
}

type named struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// rels returns the links of a response by relation.
func rels(a answer) map[string]string {
	links := make(map[string]string)
	for _, m := range regexp.MustCompile(`<([^>]*)>; rel="(\w+)"`).FindAllStringSubmatch(a.Header.Get("Link"), -1) {
		links[m[2]] = m[1]
	}
	return links
}

func TestOffsetPages(t *testing.T) {
	svc := servicetest.New(t)
	pipe := svc.Project("acme/app").Pipeline("main")
	for range 45 {
		pipe.Job("test")
	}
	a := call(t, svc, "GET", "/projects/acme%2Fapp/jobs?scope[]=success&page=2", "")
	jobs := into[[]named](t, a, 200)
	if len(jobs) != 20 || jobs[0].ID != 25 || jobs[19].ID != 6 {
		t.Errorf("second page: %v", jobs)
	}
	want := map[string]string{
		"X-Total": "45", "X-Total-Pages": "3", "X-Page": "2", "X-Per-Page": "20",
		"X-Prev-Page": "1", "X-Next-Page": "3",
	}
	for name, value := range want {
		if got := a.Header.Get(name); got != value {
			t.Errorf("%s: %q, want %q", name, got, value)
		}
	}
	base := svc.URL() + "/api/v4/projects/acme%2Fapp/jobs?scope[]=success&page=%d&per_page=20"
	for rel, page := range map[string]int{"prev": 1, "next": 3, "first": 1, "last": 3} {
		want := strings.Replace(base, "%d", fmt.Sprint(page), 1)
		if got := rels(a)[rel]; got != want {
			t.Errorf("rel=%s: %s, want %s", rel, got, want)
		}
	}
}

func TestPageBounds(t *testing.T) {
	svc := servicetest.New(t)
	pipe := svc.Project("acme/app").Pipeline("main")
	for range 120 {
		pipe.Job("test")
	}
	tests := []struct {
		query, perPage, next string
		items                int
	}{
		{"per_page=1000", "100", "2", 100},
		{"per_page=0", "20", "2", 20},
		{"page=0", "20", "2", 20},
		{"page=6", "20", "", 20},
		{"page=7", "20", "", 0},
		{"page=99999999999", "20", "", 0},
	}
	for _, test := range tests {
		a := call(t, svc, "GET", "/projects/1/jobs?"+test.query, "")
		jobs := into[[]named](t, a, 200)
		if len(jobs) != test.items || a.Header.Get("X-Per-Page") != test.perPage ||
			a.Header.Get("X-Next-Page") != test.next {
			t.Errorf("%s: %d items, headers %v", test.query, len(jobs), a.Header)
		}
		if _, hasNext := rels(a)["next"]; hasNext != (test.next != "") {
			t.Errorf("%s: Link %s", test.query, a.Header.Get("Link"))
		}
	}
	refused(t, call(t, svc, "GET", "/projects/1/jobs?page=two", ""), 400, `{"error":"page is invalid"}`)
}

func TestTotalsAreOmittedAbove10000(t *testing.T) {
	svc := servicetest.New(t)
	pipe := svc.Project("acme/app").Pipeline("main")
	for range 10_000 {
		pipe.Job("test", servicetest.Created())
	}
	a := call(t, svc, "GET", "/projects/1/jobs?page=100&per_page=100", "")
	if a.Header.Get("X-Total") != "10000" || rels(a)["last"] == "" {
		t.Errorf("10,000 records: %v", a.Header)
	}
	pipe.Job("one more", servicetest.Created())
	a = call(t, svc, "GET", "/projects/1/jobs?page=100&per_page=100", "")
	for _, name := range []string{"X-Total", "X-Total-Pages"} {
		if values, ok := a.Header[name]; ok {
			t.Errorf("10,001 records: %s is %v", name, values)
		}
	}
	if links := rels(a); links["last"] != "" || links["next"] == "" {
		t.Errorf("10,001 records: %v", links)
	}
}

func TestKeysetPages(t *testing.T) {
	svc := servicetest.New(t)
	for i := range 45 {
		svc.Project(fmt.Sprintf("group-%02d/app", i), servicetest.Public())
		svc.Group(fmt.Sprintf("group-%02d", i), servicetest.Public())
	}
	for _, path := range []string{
		"/projects?pagination=keyset&order_by=id&sort=asc",
		"/projects?pagination=keyset&order_by=id&sort=desc&per_page=7",
		"/groups?pagination=keyset&order_by=name&sort=asc&per_page=45",
	} {
		seen := make(map[int64]bool)
		next := svc.URL() + "/api/v4" + path
		for next != "" {
			a := request(t, "GET", next, "")
			items := into[[]named](t, a, 200)
			for _, item := range items {
				seen[item.ID] = true
			}
			if links := rels(a); len(items) > 0 != (len(links) == 1 && links["next"] != "") {
				t.Fatalf("%s: %d items, links %v", next, len(items), links)
			}
			next = rels(a)["next"]
		}
		if len(seen) != 45 {
			t.Errorf("%s: saw %d of 45", path, len(seen))
		}
	}
}

func TestKeysetRefusals(t *testing.T) {
	svc := servicetest.New(t)
	unavailable := `{"error":"Keyset pagination is not yet available for this type of request"}`
	refused(t, get(t, svc, "/projects?pagination=keyset&order_by=name&sort=asc"), 405, unavailable)
	refused(t, get(t, svc, "/projects?pagination=keyset"), 400, `{"error":"order_by is missing, sort is missing"}`)
	refused(t, get(t, svc, "/projects?pagination=keyset&order_by=id&sort=asc&id_after=x"), 400,
		`{"error":"id_after is invalid"}`)
	refused(t, call(t, svc, "GET", "/groups?pagination=keyset&order_by=name&sort=asc", ""), 405, unavailable)
}

func TestEntityTags(t *testing.T) {
	svc := servicetest.New(t)
	job := svc.Project("acme/app").Pipeline("main").Job("test", servicetest.Running())
	for _, path := range []string{"/projects/1/jobs/1", "/projects/1/jobs", "/projects/1/pipelines/1/bridges"} {
		first := call(t, svc, "GET", path, "")
		again := call(t, svc, "GET", path, "", "If-None-Match", first.Header.Get("Etag"))
		if first.StatusCode != 200 || again.StatusCode != 304 || again.body != "" {
			t.Errorf("%s: %d, then %d %q", path, first.StatusCode, again.StatusCode, again.body)
		}
	}
	old := call(t, svc, "GET", "/projects/1/jobs", "").Header.Get("Etag")
	job.Fail("script_failure")
	changed := call(t, svc, "GET", "/projects/1/jobs", "", "If-None-Match", old)
	if changed.StatusCode != 200 || !strings.Contains(changed.body, "script_failure") {
		t.Errorf("after a change: %d %s", changed.StatusCode, changed.body)
	}
}

func TestUnknownPathsAndMethods(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithBasePath("/code"))
	host := strings.TrimSuffix(svc.URL(), "/code")
	svc.Project("acme/app")
	notFound := `{"error":"404 Not Found"}`
	refused(t, call(t, svc, "GET", "/nonsense", ""), 404, notFound)
	refused(t, call(t, svc, "GET", "/projects/acme/app/jobs/1", ""), 404, notFound)
	refused(t, call(t, svc, "GET", "/projects//jobs", ""), 404, notFound)
	refused(t, request(t, "GET", host+"/api/v4/projects", ""), 404, notFound)
	a := call(t, svc, "PATCH", "/projects/1/jobs", "")
	refused(t, a, 405, `{"error":"405 Not Allowed"}`)
	if a.Header.Get("Allow") != http.MethodGet {
		t.Errorf("Allow: %q", a.Header.Get("Allow"))
	}
	for _, path := range []string{"/projects/1/jobs/", "/projects/acme%2Fapp/jobs/?page=1", "/projects/"} {
		if a := call(t, svc, "GET", path, ""); a.StatusCode != 200 {
			t.Errorf("a slash at the end of %s: %d %s", path, a.StatusCode, a.body)
		}
	}
	if got := svc.Requests("GET /projects/:id/jobs"); len(got) != 2 || got[0].Path != "/code/api/v4/projects/1/jobs/" {
		t.Errorf("recorded %v", got)
	}
	if a := request(t, "POST", svc.URL()+"/api/graphql/", `{"query":"{currentUser{username}}"}`); a.StatusCode != 200 {
		t.Errorf("GraphQL with a slash: %d %s", a.StatusCode, a.body)
	}
	if a := call(t, svc, "HEAD", "/projects/1/jobs", ""); a.StatusCode != 200 || a.body != "" ||
		a.Header.Get("X-Total") != "0" {
		t.Errorf("HEAD: %d %q %v", a.StatusCode, a.body, a.Header)
	}
	if first, second := a.Header.Get("X-Request-Id"),
		call(t, svc, "GET", "/projects", "").Header.Get("X-Request-Id"); first == "" || first == second {
		t.Errorf("request ids %q and %q", first, second)
	}
}

// TestWhatIsNoParameterChangesNothing sends the members of an object that its endpoint
// does not list as parameters. They must not change. All are sent at once, so the test
// proves nothing for endpoints that refuse one of them.
func TestWhatIsNoParameterChangesNothing(t *testing.T) {
	kept := 0
	for _, cells := range readEndpoints(t) {
		if cells[1] != http.MethodPut {
			continue
		}
		w := newWorld(t)
		path := pathParameter.ReplaceAllString(cells[2], "1")
		before := scalars(call(t, w.svc, http.MethodGet, path, ""))
		body, sent := make(map[string]any), make(map[string]any)
		listed := listedParameter.FindAllStringSubmatch(prose.ReplaceAllString(cells[4], " "), -1)
		for name, value := range before {
			body[name] = value
			if !slices.ContainsFunc(listed, func(m []string) bool { return m[1] == name }) {
				sent[name] = other(value)
			}
		}
		maps.Copy(body, sent)
		encoded, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		a := call(t, w.svc, http.MethodPut, path, string(encoded))
		for name, value := range scalars(a) {
			if _, isSent := sent[name]; !isSent {
				continue
			}
			if kept++; value == sent[name] {
				t.Errorf("PUT %s: %s is no parameter, and became %v", cells[2], name, value)
			}
		}
	}
	if kept < 130 {
		t.Errorf("only %d members were sent", kept)
	}
}

// scalars returns the members of an object that are strings, numbers or booleans.
func scalars(a answer) map[string]any {
	var members map[string]any
	if a.StatusCode != http.StatusOK || json.Unmarshal([]byte(a.body), &members) != nil {
		return nil
	}
	maps.DeleteFunc(members, func(_ string, value any) bool {
		switch value.(type) {
		case string, float64, bool:
			return false
		}
		return true
	})
	return members
}

// other returns another value of the same kind. A time becomes another time.
func other(value any) any {
	switch value := value.(type) {
	case bool:
		return !value
	case float64:
		return value + 1
	}
	if _, err := time.Parse(time.RFC3339, value.(string)); err == nil {
		return "2001-02-03T04:05:06.000Z"
	}
	return value.(string) + "x"
}
