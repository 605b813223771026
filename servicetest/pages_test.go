package servicetest_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"example.com/serviceapi/servicetest"
)

type named struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// rels returns the links of a response by their relation.
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
		if len(jobs) != test.items || a.Header.Get("X-Per-Page") != test.perPage || a.Header.Get("X-Next-Page") != test.next {
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
	refused(t, get(t, svc, "/projects?pagination=keyset&order_by=id&sort=asc&id_after=x"), 400, `{"error":"id_after is invalid"}`)
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
	if a := call(t, svc, "HEAD", "/projects/1/jobs", ""); a.StatusCode != 200 || a.body != "" || a.Header.Get("X-Total") != "0" {
		t.Errorf("HEAD: %d %q %v", a.StatusCode, a.body, a.Header)
	}
	if first, second := a.Header.Get("X-Request-Id"), call(t, svc, "GET", "/projects", "").Header.Get("X-Request-Id"); first == "" || first == second {
		t.Errorf("request ids %q and %q", first, second)
	}
}
