package servicetest_test

import (
	"slices"
	"strings"
	"testing"

	"example.com/serviceapi/servicetest"
)

func TestVendor(t *testing.T) {
	svc := servicetest.New(t, servicetest.Vendor("Acme"), servicetest.WithoutJobTotals())
	ada := svc.User("ada")
	app := svc.Project("acme/team/app", servicetest.Member(ada, servicetest.Developer))
	app.Commit("main", "Begin", servicetest.Write("a.txt", "a"))
	file := call(t, svc, "HEAD", "/projects/1/repository/files/a.txt?ref=main", "")
	if file.Header.Get("X-Acme-Blob-Id") == "" || file.Header.Get("X-Acme-Size") != "1" || file.Header.Get("X-Service-Size") != "" {
		t.Errorf("headers of a file: %v", file.Header)
	}
	if meta := file.Header.Get("X-Acme-Meta"); meta != `{"correlation_id":"`+file.Header.Get("X-Request-Id")+`","version":"1"}` {
		t.Errorf("meta: %s", meta)
	}
	secret := svc.SessionCookie(ada)
	for cookie, status := range map[string]int{"_acme_session": 200, "_service_session": 401} {
		if a := get(t, svc, "/user", "Cookie", cookie+"="+secret); a.StatusCode != status {
			t.Errorf("%s: %d", cookie, a.StatusCode)
		}
	}
	for path, status := range map[string]int{"s3": 400, "s3/": 400, "objstore": 404} {
		if a := call(t, svc, "POST", "/projects/remote-import-"+path, "{}"); a.StatusCode != status {
			t.Errorf("remote-import-%s: %d %s", path, a.StatusCode, a.body)
		}
	}
	if n := len(svc.Requests("POST /projects/remote-import-objstore")); n != 2 {
		t.Errorf("%d imports recorded, want 2", n)
	}
	for path, counts := range map[string]bool{"/projects/1/jobs": false, "/projects/1/environments": true} {
		a := call(t, svc, "GET", path, "")
		if counted := a.Header.Get("X-Total") != "" && rels(a)["last"] != ""; counted != counts || rels(a)["first"] == "" {
			t.Errorf("%s: totals %v, Link %s", path, a.Header.Get("X-Total"), a.Header.Get("Link"))
		}
	}
}

func TestVendorAgents(t *testing.T) {
	svc := servicetest.New(t, servicetest.Vendor("Acme"))
	ada := svc.User("ada")
	app := svc.Project("acme/team/app", servicetest.Member(ada, servicetest.Developer))
	app.AllowAgent(svc.Project("acme/agents"))
	deploy := app.Pipeline("main", servicetest.By(ada)).Job("deploy")
	app.Environment("production").Deployment(servicetest.DeployedBy(deploy))
	agents := get(t, svc, "/job/allowed_agents", "JOB-TOKEN", deploy.Token())
	_, rest, _ := strings.Cut(agents.body, `],"job"`)
	if want := `:{"id":1},"pipeline":{"id":1},"project":{"id":1,"groups":[{"id":1},{"id":2}]},` +
		`"user":{"id":2,"username":"ada","roles_in_project":["guest","reporter","developer"]},` +
		`"environment":{"tier":"production","slug":"production"}}`; rest != want {
		t.Errorf("agents %s, want %s", rest, want)
	}
	if !strings.HasPrefix(agents.body, `{"allowed_agents":[{"id":1,"config_project":{"id":2,`) {
		t.Errorf("agents %s", agents.body)
	}
}

// TestWithoutVendor checks that a service without the option has no traces of a
// vendor.
func TestWithoutVendor(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app")
	a := call(t, svc, "GET", "/projects/1/jobs", "")
	for name := range a.Header {
		if strings.HasSuffix(name, "-Meta") {
			t.Errorf("header %s", name)
		}
	}
	if a.Header.Get("X-Total") != "0" {
		t.Errorf("X-Total %q", a.Header.Get("X-Total"))
	}
	if a := call(t, svc, "POST", "/projects/remote-import-s3", "{}"); !slices.Contains([]int{404, 405}, a.StatusCode) {
		t.Errorf("the path of a vendor: %d %s", a.StatusCode, a.body)
	}
}

func TestAddressesBeginWithURL(t *testing.T) {
	for _, svc := range []*servicetest.Service{servicetest.New(t), servicetest.New(t, servicetest.WithBasePath("/code"), servicetest.WithTLS())} {
		app := svc.Project("acme/app")
		app.Pipeline("main").Job("test")
		if got := app.Path(); got != "acme/app" {
			t.Fatal(got)
		}
		client := svc.HTTPClient()
		response, err := client.Get(svc.URL() + "/api/v4/projects/1/jobs/1?private_token=" + svc.AdminToken())
		if err != nil {
			t.Fatal(err)
		}
		job := into[map[string]any](t, readAnswer(t, response), 200)
		if got, want := job["web_url"], svc.URL()+"/acme/app/-/jobs/1"; got != want {
			t.Errorf("web_url %v, want %s", got, want)
		}
	}
}
