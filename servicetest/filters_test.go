package servicetest_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"example.com/serviceapi/servicetest"
)

// A listing is an endpoint that returns a list, with its query parameters.
type listing struct {
	template string
	params   []string
}

var remarks = regexp.MustCompile(`\([^)]*\)`)

func readListings(t *testing.T) []listing {
	t.Helper()
	list, err := os.ReadFile("../testdata/endpoints.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var lists []listing
	_, requests, _ := strings.Cut(string(list), "\tGET\t/merge_requests\t")
	requests, _, _ = strings.Cut(requests, "\t")
	for line := range strings.Lines(string(list)) {
		cells := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") || len(cells) < 6 || cells[1] != "GET" || !strings.Contains(cells[5], "[]") || strings.Contains(cells[2], "{") {
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

// together are parameters that have an effect only with another one.
var together = map[string]string{
	"in":                "search=a",
	"page_token":        "pagination=keyset",
	"custom_attributes": "with_custom_attributes=true",
}

// needed are the required parameters of lists.
var needed = map[string]string{"/projects/:id/repository/files/:file_path/blame": "ref=main"}

// unread are parameters that a list may ignore, with the reason.
var unread = map[string]string{
	"GET /projects/:id/pipelines/:pipeline_id/variables page":     "not cut into pages",
	"GET /projects/:id/pipelines/:pipeline_id/variables per_page": "not cut into pages",
}

// TestListsReadTheirParameters sends each parameter of each list with a value
// of the wrong type: an object, or a string if an object is expected. A list
// refuses what it reads. If it accepted the value, it would ignore the
// parameter.
func TestListsReadTheirParameters(t *testing.T) {
	svc := servicetest.New(t)
	paths := placesOfLists(svc)
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
	app.MergeRequest("fix")
	app.Issue("Crash")
	app.Snippet("Notes")
	svc.Group("acme", servicetest.Member(ada, servicetest.Owner)).Epic("Grow")
	app.Environment("production").Deployment()
	app.Pipeline("main").Job("test")
	app.RegistryRepository("web")
	svc.Runner("fast")
	return strings.NewReplacer(
		"/groups/:id", "/groups/acme", "/projects/:id", "/projects/1", "/projects/:project_id", "/projects/1", "/runners/:id", "/runners/1",
		":repository_id", "1", ":pipeline_id", "1", ":deployment_id", "1", ":sha", sha, ":file_path", "a.txt", ":issue_iid", "1",
		":snippet_id", "1", ":merge_request_iid", "1", ":epic_id", "1", ":user_id/memberships", "2/memberships", ":user_id/projects", "2/projects",
		":id_or_username", "2",
	)
}
