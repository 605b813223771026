package servicetest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"example.com/serviceapi/servicetest"
)

// graphQL sends a document with variables, as JSON, and returns the response.
func graphQL(t *testing.T, svc *servicetest.Service, token, document, variables string) answer {
	t.Helper()
	if variables == "" {
		variables = "null"
	}
	query, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	headers := []string{"Authorization", "Bearer " + token}
	if token == "" {
		headers = nil
	}
	return request(t, "POST", svc.URL()+"/api/graphql", `{"query":`+string(query)+`,"variables":`+variables+`}`,
		headers...)
}

func TestGraphQLDocuments(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada", servicetest.PublicEmail("ada@example.org"))
	app := svc.Project("acme/sub/app", servicetest.Member(ada, servicetest.Developer),
		servicetest.Description("An app."))
	for range 3 {
		app.Pipeline("main").Job("test")
	}
	app.Pipeline("dev").Job("lint", servicetest.Failed("script_failure"))
	svc.Project("acme/hidden")
	token := svc.Token(ada)
	for _, tc := range []struct{ document, variables, want string }{
		{`{ currentUser { username __typename publicEmail } }`, ``,
			`{"data":{"currentUser":{"username":"ada","__typename":"User","publicEmail":"ada@example.org"}}}`},
		{`query Q { echo(text: "a\"\u00e9\n") again: echo(text: """b "c" \n""") }`, ``,
			`{"data":{"echo":"a\"é\n","again":"b \"c\" \\n"}}`},
		{`query ($path: ID!, $n: Int = 1) { project(fullPath: $path) { id description pipelines(first: $n) { count ` +
			`nodes { id } } } }`, `{"path":"acme/SUB/app"}`,
			`{"data":{"project":{"id":"gid://service/Project/1","description":"An app.","pipelines":{"count":4,` +
				`"nodes":[{"id":"gid://service/Ci::Pipeline/4"}]}}}}`},
		{`{ project(fullPath: "acme/hidden") { id } }`, ``, `{"data":{"project":null}}`},
		{`{ project(fullPath: "1") { id } }`, ``, `{"data":{"project":null}}`},
		{`{ group(fullPath: "acme/sub") { name parent { fullPath } projects { nodes { fullPath } } } }`, ``,
			`{"data":{"group":{"name":"Sub","parent":{"fullPath":"acme"},` +
				`"projects":{"nodes":[{"fullPath":"acme/sub/app"}]}}}}`},
		{`{ projects { count edges { node { name group { fullPath } } } } }`, ``,
			`{"data":{"projects":{"count":1,"edges":[{"node":{"name":"App","group":{"fullPath":"acme/sub"}}}]}}}`},
		{`{ project(fullPath: "acme/sub/app") { jobs(statuses: [FAILED]) { nodes { name status pipeline { ref ` +
			`status project { name } user { username } } } } } }`, ``,
			`{"data":{"project":{"jobs":{"nodes":[{"name":"lint","status":"FAILED","pipeline":{"ref":"dev",` +
				`"status":"FAILED","project":{"name":"App"},"user":{"username":"root"}}}]}}}}`},
		{`query($s: [String]) { project(fullPath: "acme/sub/app") { a: jobs(statuses: $s) { count } b: ` +
			`jobs(statuses: SUCCESS) { count } } }`, `{"s":["failed","success"]}`,
			`{"data":{"project":{"a":{"count":4},"b":{"count":3}}}}`},
		{`{ project(fullPath: "acme/sub/app") { pipelines(ref: "main", status: SUCCESS) { count } } }`, ``,
			`{"data":{"project":{"pipelines":{"count":3}}}}`},
		{"# a comment\nquery A { x: echo(text: \"}\") }", ``, `{"data":{"x":"}"}}`},
	} {
		if a := graphQL(t, svc, token, tc.document, tc.variables); a.StatusCode != 200 || a.body != tc.want {
			t.Errorf("%s:\n%d %s\nwant %s", tc.document, a.StatusCode, a.body, tc.want)
		}
	}
}

func TestGraphQLErrors(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app").Pipeline("main")
	type errs struct {
		Data   json.RawMessage
		Errors []struct {
			Message    string
			Path       []any
			Locations  []struct{ Line, Column int }
			Extensions map[string]any
		}
	}
	for _, tc := range []struct {
		document, variables string
		message, code       string
		line, column        int
	}{
		{``, ``, "No query string was present", "", 0, 0},
		{`{ echo(text: "x") `, ``, `Parse error on the end of the document at [1, 19]`, "", 1, 19},
		{"{\n  é }", ``, `Parse error on "é" at [2, 3]`, "", 2, 3},
		{`{ echo(text: "x`, ``, `Parse error on a string without end at [1, 14]`, "", 1, 14},
		{`{ echo(text: "\x") }`, ``, `Parse error on a string with an unknown escape at [1, 14]`, "", 1, 14},
		{`{ echo(text: 01) }`, ``, `Parse error on "01" at [1, 14]`, "", 1, 14},
		{`subscription { x }`, ``, `Parse error on "subscription" at [1, 1]`, "", 1, 1},
		{`{ ...F }`, ``, `Parse error on "..." at [1, 3]`, "", 1, 3},
		{`{ }`, ``, `Parse error on "}" at [1, 3]`, "", 1, 3},
		{strings.Repeat("{a", 60), ``, `Parse error on "{" at [1, 101]`, "", 1, 101},
		{`query A { echo(text: "") } query B { echo(text: "") }`, ``, "An operation name is required", "", 0, 0},
		{"{\n  shoes }", ``, "Field 'shoes' doesn't exist on type 'Query'", "undefinedField", 2, 3},
		{`{ currentUser }`, ``, "Field 'currentUser' must have selections, as it returns the object type User",
			"selectionMismatch", 1, 3},
		{`{ echo(text: "") { x } }`, ``, "Selections can't be made on 'echo', which returns a scalar",
			"selectionMismatch", 1, 3},
		{`{ currentUser(x: 1) { id } }`, ``, "Field 'currentUser' doesn't accept argument 'x'", "argumentNotAccepted",
			1, 3},
		{`{ echo }`, ``, "Field 'echo' is missing required arguments: text", "missingRequiredArguments", 1, 3},
		{`{ echo(text: $x) }`, ``, "Variable $x is used but not declared", "variableNotDefined", 1, 3},
		{`query($x: String!) { echo(text: $x) }`, `{"x":null}`,
			"Variable $x of type String! was provided invalid value", "", 1, 7},
		{`{ a: echo(text: "1") a: echo(text: "2") }`, ``, "Field 'a' is selected twice; give one of them an alias",
			"fieldConflict", 1, 22},
	} {
		got := into[errs](t, graphQL(t, svc, svc.AdminToken(), tc.document, tc.variables), 200)
		if got.Data != nil || len(got.Errors) != 1 {
			t.Fatalf("%s: %s %v", tc.document, got.Data, got.Errors)
		}
		e := got.Errors[0]
		code, _ := e.Extensions["code"].(string)
		if e.Message != tc.message || code != tc.code || e.Path != nil {
			t.Errorf("%s: %+v, want %s %s", tc.document, e, tc.message, tc.code)
		}
		if tc.line > 0 && (len(e.Locations) != 1 || e.Locations[0].Line != tc.line ||
			e.Locations[0].Column != tc.column) {
			t.Errorf("%s: at %v, want %d:%d", tc.document, e.Locations, tc.line, tc.column)
		}
	}

	for _, args := range []string{`first: -1`, `first: "x"`, `after: "x"`, `ref: [1]`} {
		a := graphQL(t, svc, svc.AdminToken(),
			`{ p: project(fullPath: "acme/app") { id pipelines(`+args+`) { count } } }`, "")
		got := into[errs](t, a, 200)
		if string(got.Data) != `{"p":{"id":"gid://service/Project/1","pipelines":null}}` || len(got.Errors) != 1 ||
			len(got.Errors[0].Path) != 2 {
			t.Errorf("%s: %s", args, a.body)
		}
	}
	refused(t, request(t, "POST", svc.URL()+"/api/graphql", `[]`), 400,
		`{"errors":[{"message":"The body is no GraphQL request"}]}`)
}

func TestGraphQLFieldThatFails(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	app.Pipeline("main")
	app.Pipeline("main")
	const document = `{ project(fullPath: "acme/app") { id pipelines { nodes { ref status } } } }`
	svc.FailGraphQLField("Pipeline.status", "timed out")
	refused(t, graphQL(t, svc, svc.AdminToken(), document, ""), 200,
		`{"data":{"project":{"id":"gid://service/Project/1","pipelines":{"nodes":[{"ref":"main","status":null},`+
			`{"ref":"main","status":null}]}}},`+
			`"errors":[{"message":"timed out","locations":[{"line":1,"column":62}],"path":["project","pipelines",`+
			`"nodes",0,"status"]},`+
			`{"message":"timed out","locations":[{"line":1,"column":62}],"path":["project","pipelines","nodes",1,`+
			`"status"]}]}`)
	svc.FailGraphQLField("Pipeline.status", "")
	if a := graphQL(t, svc, svc.AdminToken(), document, ""); strings.Contains(a.body, "errors") {
		t.Error(a.body)
	}
}

func TestGraphQLAccess(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	job := svc.Project("acme/app", servicetest.Public(),
		servicetest.Member(ada, servicetest.Reporter)).Pipeline("main").Job("test", servicetest.Running())
	svc.Project("acme/secret")
	const names = `{ currentUser { username } projects { nodes { name } } }`
	refused(t, graphQL(t, svc, "", names, ""), 200,
		`{"data":{"currentUser":null,"projects":{"nodes":[{"name":"App"}]}}}`)
	refused(t, graphQL(t, svc, "wrong", names, ""), 401, `{"message":"401 Unauthorized"}`)

	cancel := `mutation { jobCancel(input: {id: "gid://service/Ci::Build/1", clientMutationId: "c"}) { job { ` +
		`status } errors clientMutationId } }`
	reader := svc.Token(svc.Root(), servicetest.Scopes("read_api"))
	refused(t, graphQL(t, svc, reader, `{ currentUser { username } }`, ""), 200,
		`{"data":{"currentUser":{"username":"root"}}}`)
	if a := graphQL(t, svc, reader, cancel, ""); a.StatusCode != 403 || !strings.Contains(a.body, `"scope":"api"`) {
		t.Errorf("%d %s", a.StatusCode, a.body)
	}
	for _, token := range []string{"", svc.Token(ada)} {
		if a := graphQL(t, svc, token, cancel, ""); a.StatusCode != 200 || !strings.Contains(a.body,
			`{"data":{"jobCancel":null},"errors":[{"message":"The resource`) {
			t.Errorf("%d %s", a.StatusCode, a.body)
		}
	}
	if job.Status() != "running" {
		t.Errorf("status %s after refused mutations", job.Status())
	}
	cookie := "_service_session=" + svc.SessionCookie(svc.Root())
	echo, _ := json.Marshal(map[string]string{
		"query": `mutation { jobRetry(input: {id: "gid://service/Ci::Build/1"}) { errors } }`})
	refused(t, request(t, "POST", svc.URL()+"/api/graphql", string(echo), "Cookie", cookie), 200,
		`{"data":{"jobRetry":{"errors":["Job is not retryable"]}}}`)
	refused(t, graphQL(t, svc, svc.AdminToken(), cancel, ""), 200,
		`{"data":{"jobCancel":{"job":{"status":"CANCELED"},"errors":[],"clientMutationId":"c"}}}`)
	retry := `mutation($id: ID!) { jobRetry(input: {id: $id}) { job { id status } errors } }`
	variables := `{"id":"gid://service/Ci::Build/1"}`
	refused(t, graphQL(t, svc, svc.AdminToken(), retry, variables), 200,
		`{"data":{"jobRetry":{"job":{"id":"gid://service/Ci::Build/2","status":"PENDING"},"errors":[]}}}`)
	refused(t, graphQL(t, svc, svc.AdminToken(), retry, variables), 200,
		`{"data":{"jobRetry":{"job":null,"errors":["Job is not retryable"]}}}`)
}

// TestGraphQLMutationsOfArchivedProjects checks that no mutation of a job changes an archived
// project, whoever the caller is, and that each works once the project is unarchived.
func TestGraphQLMutationsOfArchivedProjects(t *testing.T) {
	svc := servicetest.New(t)
	_, mutations, _ := strings.Cut(servicetest.GraphQLSchema, "type Mutation {\n")
	mutations, _, _ = strings.Cut(mutations, "}")
	for mutation := range strings.Lines(mutations) {
		name, _, _ := strings.Cut(strings.TrimSpace(mutation), "(")
		if !strings.HasPrefix(name, "job") {
			continue
		}
		app := svc.Project("acme/"+name, servicetest.Archived())
		job := app.Pipeline("main").Job("test", map[string]servicetest.JobOption{
			"jobCancel": servicetest.Running(), "jobRetry": servicetest.Failed("script_failure"),
		}[name])
		before := job.Status()
		document := fmt.Sprintf(`mutation { %s(input: {id: "gid://service/Ci::Build/%d"}) { errors } }`, name, job.ID())
		a := graphQL(t, svc, svc.AdminToken(), document, "")
		if a.StatusCode != 200 || !strings.HasPrefix(a.body,
			`{"data":{"`+name+`":null},"errors":[{"message":"The resource that you are attempting to access does `+
				`not exist`) {
			t.Errorf("%s on an archived project: %d %s", name, a.StatusCode, a.body)
		}
		if jobs := into[[]any](t, call(t, svc, "GET", fmt.Sprintf("/projects/%d/jobs", app.ID()), ""),
			200); len(jobs) != 1 || job.Status() != before {
			t.Errorf("%s changed an archived project: %d jobs, status %s", name, len(jobs), job.Status())
		}
		call(t, svc, "POST", fmt.Sprintf("/projects/%d/unarchive", app.ID()), "")
		refused(t, graphQL(t, svc, svc.AdminToken(), document, ""), 200, `{"data":{"`+name+`":{"errors":[]}}}`)
	}
}
