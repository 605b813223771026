package servicetest_test

import (
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A listedParameter is a name in the list of endpoints: user_ids[], not[labels],
// actions[]{action,file_path}.
var listedParameter = regexp.MustCompile(`([\w]+(?:\[\w+\])?)(?:\[\])?(?:\{[^}]*\})?(?:\(file\))?`)

// notRefused are parameters whose wrong kind is not looked at: those that say
// nothing without another one, those that hold objects, and those that stand
// elsewhere.
var notRefused = []string{
	"in", "not[iteration_id]", "not[iteration_title]", "custom_attributes[key]", "job_token", "sudo", "avatar", "upload[url]",
	"upload[http_method]", "container_expiration_policy_attributes", "approval_password", "namespace_path", "branches", "page_token",
}

// TestParametersAreRead: whatever has no possible kind is refused with the name
// of its parameter, for each in the list of endpoints, unless something else is
// wrong first.
func TestParametersAreRead(t *testing.T) {
	list, err := os.ReadFile("../testdata/endpoints.tsv")
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	arguments := strings.NewReplacer(":sha", w.app.Head("wool"), ":group_path", "acme", ":key", "ONE", "/:user_id", "/6", ":format", "zip",
		":discussion_id", w.threads["{thread}"], "/:note_id", "/8")
	w.app.Pipeline("main")
	w.app.Variable("ONE", "1")
	w.acme.Variable("ONE", "1")
	refused := 0
	for line := range strings.Lines(string(list)) {
		cells := append(strings.Split(strings.TrimRight(line, "\n"), "\t"), "", "")
		if strings.HasPrefix(line, "#") || len(cells) < 7 || cells[1] == "HEAD" {
			continue
		}
		address := "/api/v4" + pathParameter.ReplaceAllString(arguments.Replace(cells[2]), "1")
		address = w.svc.URL() + strings.TrimPrefix(address, "/api/v4/api")
		check := func(name, body, query string) {
			t.Helper()
			a := request(t, cells[1], address+query, body, "PRIVATE-TOKEN", w.svc.AdminToken())
			switch {
			case a.StatusCode == http.StatusBadRequest && strings.Contains(a.body, strings.TrimSuffix(name, "[]")+" is invalid"):
				refused++
			case a.StatusCode == http.StatusNotFound, strings.Contains(a.body, "missing"), slices.Contains(notRefused, name):
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

// prose is what the list says in words.
var prose = regexp.MustCompile(`as merge request list|\bkeyset order_by=\w+|\bsort=\w+|\bkeyset\b|\b(form|multipart)\b|\((one or several|token.*)\)|RFC 7644 \w+`)
