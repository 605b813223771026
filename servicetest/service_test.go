package servicetest_test

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"example.com/serviceapi/servicetest"
)

// fakeTB records what New and seeding do with a test.
type fakeTB struct {
	cleanups []func()
	failure  string
}

func (f *fakeTB) Helper()          {}
func (f *fakeTB) Cleanup(c func()) { f.cleanups = append(f.cleanups, c) }
func (f *fakeTB) Fatalf(format string, args ...any) {
	f.failure = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func TestNewClosesByItself(t *testing.T) {
	tb := new(fakeTB)
	svc := servicetest.New(tb)
	address := strings.TrimPrefix(svc.URL(), "http://")
	for _, cleanup := range tb.cleanups {
		cleanup()
	}
	if conn, err := net.Dial("tcp", address); err == nil {
		conn.Close()
		t.Error("the server still listens after the test")
	}
	svc.Close()
}

func TestContradictorySeeding(t *testing.T) {
	tests := map[string]func(*servicetest.Service){
		`a user "root" exists already`:                 func(svc *servicetest.Service) { svc.User("root") },
		`a user with id 1 exists already`:              func(svc *servicetest.Service) { svc.User("ada", servicetest.ID(1)) },
		`the path "app" of a project has no namespace`: func(svc *servicetest.Service) { svc.Project("app") },
		`no route "GET /nonsense"; write a method and a template, such as "GET /projects/:id/jobs"`: func(svc *servicetest.Service) {
			svc.Fault("GET /nonsense")
		},
		`no route "GET /projects/1/jobs"; write "GET /projects/:id/jobs"`: func(svc *servicetest.Service) {
			svc.Fault("GET /projects/1/jobs")
		},
		`no route "/projects/:id/jobs/:job_id"; the path has the methods GET`: func(svc *servicetest.Service) {
			svc.Requests("/projects/:id/jobs/:job_id")
		},
		`projects have no setting merge_method with the value rebase`: func(svc *servicetest.Service) {
			svc.Project("acme/app").Set("merge_method", "rebase")
		},
		`projects have no setting color with the value red`: func(svc *servicetest.Service) {
			svc.Project("acme/app", servicetest.Setting("color", "red"))
		},
		`a project "acme/app" exists already`: func(svc *servicetest.Service) {
			svc.Project("acme/app")
			svc.Project("acme/app")
		},
		`an environment "test" of acme/app exists already`: func(svc *servicetest.Service) {
			app := svc.Project("acme/app")
			app.Environment("test")
			app.Environment("test")
		},
		`a secure file "key" exists already in "acme/app"`: func(svc *servicetest.Service) {
			app := svc.Project("acme/app")
			app.SecureFile("key", "")
			app.SecureFile("key", "")
		},
		`an application "ci" exists already`: func(svc *servicetest.Service) {
			svc.OAuthApplication("ci")
			svc.OAuthApplication("ci")
		},
		`"ada" is a SCIM user of the group already`: func(svc *servicetest.Service) {
			ada, acme := svc.User("ada"), svc.Group("acme")
			acme.ProvisionSCIM(ada, "one")
			acme.ProvisionSCIM(ada, "two")
		},
		`the GraphQL schema has no field "Query.shoes"`:                                          func(svc *servicetest.Service) { svc.FailGraphQLField("Query.shoes", "x") },
		`no route "GET /shoes"; write a method and a template, such as "GET /projects/:id/jobs"`: func(svc *servicetest.Service) { svc.Requests("GET /shoes") },
	}
	for want, seed := range tests {
		tb := new(fakeTB)
		done := make(chan struct{})
		go func() {
			defer close(done)
			svc := servicetest.New(tb)
			seed(svc)
		}()
		<-done
		tb.cleanups[0]()
		if tb.failure != "servicetest: "+want {
			t.Errorf("failure %q, want %q", tb.failure, want)
		}
	}
}

func TestStart(t *testing.T) {
	svc, err := servicetest.Start(servicetest.WithAddress("127.0.0.1:0"))
	if err != nil {
		t.Fatal(err)
	}
	defer svc.Close()
	defer func() {
		if problem := recover(); problem != `servicetest: a user "root" exists already` {
			t.Errorf("contradictory seeding panics with %v", problem)
		}
	}()
	if _, err := servicetest.Start(servicetest.WithAddress(strings.TrimPrefix(svc.URL(), "http://"))); err == nil {
		t.Error("two services on one address")
	}
	svc.User("root")
}

func TestPredictableIDs(t *testing.T) {
	svc := servicetest.New(t)
	pipe := svc.Project("acme/team/app", servicetest.ID(40)).Pipeline("main")
	next := svc.Project("acme/other")
	got := []int64{
		svc.User("ada").ID(), svc.User("bob", servicetest.ID(7)).ID(), svc.User("cy").ID(),
		svc.Group("acme").ID(), svc.Group("acme/team").ID(), next.ID(), pipe.ID(),
		pipe.Job("a").ID(), pipe.Job("b", servicetest.ID(1000)).ID(), pipe.Job("c").ID(), pipe.Job("d", servicetest.ID(500)).ID(),
	}
	if want := []int64{2, 7, 8, 1, 2, 41, 1, 1, 1000, 1001, 500}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("ids %v, want %v", got, want)
	}
	if got := names(t, call(t, svc, "GET", "/projects/40/jobs", "")); got != "c b d a" {
		t.Errorf("jobs by id: %s", got)
	}
}

func TestPersonalProject(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	app := svc.Project("ada/app")
	if app.Path() != "ada/app" || app.Group() != nil {
		t.Errorf("project %s in %v", app.Path(), app.Group())
	}
	got := into[map[string]any](t, get(t, svc, "/projects/ADA%2Fapp", "PRIVATE-TOKEN", svc.Token(ada)), 200)
	if got["name_with_namespace"] != "Ada / App" {
		t.Errorf("project %v", got)
	}
}

func TestMountedElsewhere(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app", servicetest.Public())
	outer := httptest.NewServer(svc)
	defer outer.Close()
	a := request(t, "GET", outer.URL+"/api/v4/projects?pagination=keyset&order_by=id&sort=asc", "")
	if a.StatusCode != 200 || !strings.HasPrefix(rels(a)["next"], outer.URL) {
		t.Errorf("%d, Link %s", a.StatusCode, a.Header.Get("Link"))
	}
}

func TestBodiesThatCannotBeRead(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app").Pipeline("main").Job("test")
	path := "/projects/1/jobs/1/retry"
	for _, body := range []string{`{"cut":`, `{} {}`} {
		if a := call(t, svc, "POST", path, body); a.StatusCode != 400 || !strings.Contains(a.body, "cannot be read") {
			t.Errorf("%s: %d %s", body, a.StatusCode, a.body)
		}
	}
	for _, form := range []string{"a=%zz", "%zz=a"} {
		if a := call(t, svc, "POST", path, form, "Content-Type", "application/x-www-form-urlencoded"); a.StatusCode != 400 {
			t.Errorf("form %s: %d %s", form, a.StatusCode, a.body)
		}
	}
	var form bytes.Buffer
	multipart.NewWriter(&form).WriteField("a", "b")
	if a := call(t, svc, "POST", path, form.String(), "Content-Type", "multipart/form-data; boundary=x"); a.StatusCode != 400 {
		t.Errorf("multipart: %d %s", a.StatusCode, a.body)
	}
	var upload bytes.Buffer
	cut := multipart.NewWriter(&upload)
	if _, err := cut.CreateFormFile("file", "cut.bin"); err != nil {
		t.Fatal(err)
	}
	if a := call(t, svc, "POST", path, upload.String()+"half a fi", "Content-Type", cut.FormDataContentType()); a.StatusCode != 400 {
		t.Errorf("file: %d %s", a.StatusCode, a.body)
	}
	var large bytes.Buffer
	multipart.NewWriter(&large).WriteField("a", strings.Repeat("x", 1<<20+1))
	if a := call(t, svc, "POST", path, large.String()+"\r\n", "Content-Type", "multipart/form-data; boundary="+strings.TrimPrefix(strings.SplitN(large.String(), "\r\n", 2)[0], "--")); a.StatusCode != 413 {
		t.Errorf("a field of more than a megabyte: %d %s", a.StatusCode, a.body)
	}
	if a := request(t, "POST", svc.URL()+"/api/v4"+path, `{"cut":`); a.StatusCode != http.StatusUnauthorized {
		t.Errorf("credentials are looked at after the body: %d", a.StatusCode)
	}
}
