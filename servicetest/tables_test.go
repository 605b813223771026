package servicetest_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"example.com/serviceapi/servicetest"
)

// TestTiersOfEnvironments checks the tiers that follow from the first part of a name.
func TestTiersOfEnvironments(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app")
	for tier, names := range map[string][]string{
		"production": {"production", "prod", "live", "Prod/eu"}, "staging": {"staging", "stage", "stage/two"},
		"testing": {"testing", "test", "qa", "QA/1"}, "development": {"development", "dev", "review/x"},
		"other": {"productions", "canary", "x/prod"},
	} {
		for _, name := range names {
			made := into[struct{ Tier, Slug string }](t, call(t, svc, "POST", "/projects/1/environments",
				fmt.Sprintf(`{"name":%q}`, name)), 201)
			same(t, name+" "+made.Tier, name+" "+tier)
			if len(made.Slug) == 0 || len(made.Slug) > 24 || strings.Trim(made.Slug, "-") != made.Slug {
				t.Errorf("%s has the slug %q", name, made.Slug)
			}
		}
	}
}

// TestReportOfTests checks everything that is read from a report, with one test of each
// kind.
func TestReportOfTests(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app").Pipeline("main").Job("unit", servicetest.JUnit(`<testsuites><testsuite>
		<testcase name="a" classname="A" file="a_test.go" time="1.5"/>
		<testcase name="b" classname="B" time="0.25"><failure message="not equal"/></testcase>
		<testcase name="c"><error message="ignored"> text </error></testcase>
		<testcase name="d"><skipped message="later"/></testcase>
		</testsuite></testsuites>`))
	type testCase struct {
		Status    string  `json:"status"`
		Name      string  `json:"name"`
		Classname string  `json:"classname"`
		Time      float64 `json:"execution_time"`
		File      *string `json:"file"`
		Output    *string `json:"system_output"`
	}
	type suite struct {
		Name    string     `json:"name"`
		Time    float64    `json:"total_time"`
		Total   int        `json:"total_count"`
		Success int        `json:"success_count"`
		Failed  int        `json:"failed_count"`
		Skipped int        `json:"skipped_count"`
		Errors  int        `json:"error_count"`
		Cases   []testCase `json:"test_cases"`
	}
	type report struct {
		Time   float64 `json:"total_time"`
		Total  int     `json:"total_count"`
		Suites []suite `json:"test_suites"`
	}
	same(t, into[report](t, call(t, svc, "GET", "/projects/1/pipelines/1/test_report", ""), 200), report{
		1.75, 4, []suite{{"unit", 1.75, 4, 1, 1, 1, 1, []testCase{
			{"success", "a", "A", 1.5, new("a_test.go"), nil}, {"failed", "b", "B", 0.25, nil, new("not equal")},
			{"error", "c", "", 0, nil, new("text")}, {"skipped", "d", "", 0, nil, new("later")},
		}}},
	})
}

// TestReportsThatCannotBeRead: a suite with a broken report says so, and counts
// nothing.
func TestReportsThatCannotBeRead(t *testing.T) {
	for _, report := range []string{
		`<testsuites><testcase name="a"/>`, `<testsuites><testcase name="a"/></testsuite>`,
		`<testsuites><testcase name="a"/><testcase name="b" time="long"/></testsuites>`, `<`,
	} {
		svc := servicetest.New(t)
		pipeline := svc.Project("acme/app").Pipeline("main")
		pipeline.Job("unit", servicetest.JUnit(report))
		pipeline.Job("other", servicetest.JUnit(`<testsuites><testcase name="b"/></testsuites>`))
		shows(t, svc, "/projects/1/pipelines/1/test_report", "total_count test_suites.0.name "+
			"test_suites.0.total_count test_suites.0.suite_error test_suites.0.test_cases test_suites.1.suite_error",
			`1 "unit" 0 "The report cannot be parsed" [] null`)
	}
}

// TestActionsOfACommit checks the requirements of each action.
func TestActionsOfACommit(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	app.Commit("main", "Begin", servicetest.Write("a", "a\n"))
	for action, want := range map[string]int{
		`{"action":"move","file_path":"b"}`:                                        400,
		`{"action":"create","file_path":"c"}`:                                      400,
		`{"action":"update","file_path":"a"}`:                                      400,
		`{"action":"chmod","file_path":"a"}`:                                       400,
		`{"action":"copy","file_path":"a"}`:                                        400,
		`{"action":"delete"}`:                                                      400,
		`{"action":"create","file_path":"d","content":"x"}`:                        201,
		`{"action":"chmod","file_path":"a","execute_filemode":true}`:               201,
		`{"action":"create","file_path":"e","content":"eA==","encoding":"base64"}`: 201,
	} {
		a := call(t, svc, "POST", "/projects/1/repository/commits",
			`{"branch":"main","commit_message":"Change","actions":[`+action+`]}`)
		if a.StatusCode != want {
			t.Errorf("%s: status %d, want %d: %s", action, a.StatusCode, want, a.body)
		}
	}
}

// TestPagesOfARelease checks that the addresses of pages about a release escape its
// tag.
func TestPagesOfARelease(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app").Release("v1+a&b", "First")
	links := into[struct {
		Links map[string]string `json:"_links"`
	}](t, call(t, svc, "GET", "/projects/1/releases/"+url.PathEscape("v1+a&b"), ""), 200).Links
	for _, name := range []string{"closed_issues_url", "merged_merge_requests_url"} {
		if !strings.HasSuffix(links[name], "&release_tag=v1%2Ba%26b") {
			t.Errorf("%s is %q", name, links[name])
		}
	}
}

// TestLeastRoles calls endpoints as users of every role. Roles below the least one are
// refused, and all others are not.
func TestLeastRoles(t *testing.T) {
	levels := []servicetest.AccessLevel{
		servicetest.Guest, servicetest.Reporter, servicetest.Developer, servicetest.Maintainer, servicetest.Owner,
	}
	for endpoint, least := range map[string]servicetest.AccessLevel{
		"GET /projects/1/issues":                      servicetest.Guest,
		"POST /projects/1/labels?name=a&color=%23fff": servicetest.Reporter,
		"POST /projects/1/environments?name=x":        servicetest.Developer,
		"GET /projects/1/variables":                   servicetest.Maintainer,
		"GET /projects/1/hooks":                       servicetest.Maintainer,
		"GET /projects/1/runners":                     servicetest.Maintainer,
		"DELETE /projects/1":                          servicetest.Owner,
	} {
		for _, level := range levels {
			svc := servicetest.New(t)
			ada := svc.User("ada")
			app := svc.Project("acme/app", servicetest.Private(), servicetest.Member(ada, level))
			app.Commit("main", "Begin", servicetest.Write("a", "a\n"))
			method, path, _ := strings.Cut(endpoint, " ")
			a := call(t, svc, method, path, "", "PRIVATE-TOKEN", svc.Token(ada))
			if refused := a.StatusCode == 403 || a.StatusCode == 404; refused != (level < least) {
				t.Errorf("%s as %d: status %d, the least role is %d", endpoint, level, a.StatusCode, least)
			}
		}
	}
}
