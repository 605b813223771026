package servicetest_test

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
)

// A fakeTB records what New and seeding do with a test.
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
		`a user "root" already exists, with id 1, not 7`: func(svc *servicetest.Service) {
			svc.User("root", servicetest.ID(7))
		},
		`a user with id 1 already exists`: func(svc *servicetest.Service) {
			svc.User("ada", servicetest.ID(1))
		},
		`the path "app" of a project has no namespace`: func(svc *servicetest.Service) { svc.Project("app") },
		`no route "GET /nonsense"; write a method and a template, such as "GET /projects/:id/jobs", or add the ` +
			`route with Handle`: func(svc *servicetest.Service) {
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
		`a project "acme/app" already exists, with id 1, not 2`: func(svc *servicetest.Service) {
			svc.Project("acme/app")
			svc.Project("acme/app", servicetest.ID(2))
		},
		`a group "acme" already exists, with id 1, not 2`: func(svc *servicetest.Service) {
			svc.Project("acme/app")
			svc.Group("acme", servicetest.ID(2))
		},
		`an environment "test" already exists, with id 1, not 2`: func(svc *servicetest.Service) {
			app := svc.Project("acme/app")
			app.Environment("test")
			app.Environment("test", servicetest.ID(2))
		},
		`a registry repository "acme/app/web" already exists, with id 1, not 2`: func(svc *servicetest.Service) {
			app := svc.Project("acme/app")
			app.RegistryRepository("web")
			app.RegistryRepository("web", servicetest.ID(2))
		},
		`a secure file "key" already exists in "acme/app"`: func(svc *servicetest.Service) {
			app := svc.Project("acme/app")
			app.SecureFile("key", "")
			app.SecureFile("key", "")
		},
		`an input of a schedule is wrong: json: unsupported type: chan int`: func(svc *servicetest.Service) {
			svc.Project("acme/app").PipelineSchedule("x", "0 4 * * *", servicetest.ScheduleInput("x", make(chan int)))
		},
		`an application "ci" already exists`: func(svc *servicetest.Service) {
			svc.OAuthApplication("ci")
			svc.OAuthApplication("ci")
		},
		`"ada" is already a SCIM user of the group`: func(svc *servicetest.Service) {
			ada, acme := svc.User("ada"), svc.Group("acme")
			acme.ProvisionSCIM(ada, "one")
			acme.ProvisionSCIM(ada, "two")
		},
		`this kind of hook has no switch "shoe_events"`: func(svc *servicetest.Service) {
			svc.SystemHook("http://127.0.0.1:1", servicetest.HookEvents("shoe_events"))
		},
		`no invitation has the token "shoe"`: func(svc *servicetest.Service) {
			svc.AcceptInvitation("shoe", svc.Root())
		},
		`no invitation has the token "invitation-1-secret"`: func(svc *servicetest.Service) { // it has expired
			svc.Project("acme/app")
			call(t, svc, "POST", "/projects/1/invitations",
				`{"email":"ada@example.com","access_level":20,"expires_at":"2026-01-16"}`)
			shows(t, svc, "/projects/1/invitations", "0.invite_token", `"invitation-1-secret"`)
			svc.Advance(24 * time.Hour)
			svc.AcceptInvitation("invitation-1-secret", svc.User("ada"))
		},
		`merge request !1 of acme/app: it is closed`: func(svc *servicetest.Service) {
			request := svc.Project("acme/app").MergeRequest("work")
			request.Close()
			request.Merge()
		},
		`merge request !1 of acme/app: it has lost a branch`: func(svc *servicetest.Service) {
			request := svc.Project("acme/app").MergeRequest("work")
			call(t, svc, "DELETE", "/projects/1/repository/branches/work", "")
			request.Merge()
		},
		`merge request !1 of acme/app: the source branch must be rebased onto the target branch`: func(
			svc *servicetest.Service) {
			app := svc.Project("acme/app", servicetest.Setting("merge_method", "ff"))
			app.Commit("work", "Work", servicetest.Write("a", "a\n"))
			request := app.MergeRequest("work")
			app.Commit("main", "Other", servicetest.Write("b", "b\n"))
			request.Merge()
		},
		`the cron of a schedule is wrong: "never" in "UTC"`: func(svc *servicetest.Service) {
			svc.Project("acme/app").PipelineSchedule("early", "never")
		},
		`acme/team is not a top-level group`: func(svc *servicetest.Service) {
			svc.Group("acme/team").ProtectBranch("main")
		},
		`the tag "v1" of "acme/app" has a release`: func(svc *servicetest.Service) {
			app := svc.Project("acme/app")
			app.Release("v1", "The first.")
			app.Release("v1", "Again.")
		},
		`a Terraform state "prod" already exists in "acme/app"`: func(svc *servicetest.Service) {
			app := svc.Project("acme/app")
			app.TerraformState("prod", `{"serial":1}`)
			app.TerraformState("prod", `{"serial":2}`)
		},
		`a version of the Terraform state "prod" is not JSON with a serial: {}`: func(svc *servicetest.Service) {
			svc.Project("acme/app").TerraformState("prod", `{}`)
		},
		`the Terraform state "prod" has two versions with the serial 1`: func(svc *servicetest.Service) {
			svc.Project("acme/app").TerraformState("prod", `{"serial":1}`, `{"serial":1,"a":2}`)
		},
		`a page home of the wiki of acme/app already exists`: func(svc *servicetest.Service) {
			app := svc.Project("acme/app")
			app.WikiPage("home", "1")
			app.WikiPage("home", "2")
		},
		`the GraphQL schema has no field "Query.shoes"`: func(svc *servicetest.Service) {
			svc.FailGraphQLField("Query.shoes", "x")
		},
		`no route "GET /shoes"; write a method and a template, such as "GET /projects/:id/jobs", or add the route ` +
			`with Handle`: func(svc *servicetest.Service) { svc.Requests("GET /shoes") },
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
		if problem := recover(); problem != `servicetest: a user with id 1 already exists` {
			t.Errorf("contradictory seeding panics with %v", problem)
		}
	}()
	taken := servicetest.WithAddress(strings.TrimPrefix(svc.URL(), "http://"))
	if _, err := servicetest.Start(taken); err == nil {
		t.Error("two services on one address")
	}
	tb, done := new(fakeTB), make(chan struct{})
	go func() {
		defer close(done)
		servicetest.New(tb, taken)
	}()
	<-done
	if !strings.HasPrefix(tb.failure, "servicetest: cannot listen on ") || len(tb.cleanups) > 0 {
		t.Errorf("failure %q, %d cleanups", tb.failure, len(tb.cleanups))
	}
	svc.User("ada", servicetest.ID(1))
}

// TestSeedingAgain checks the rule for objects found by name or path: the first call
// makes the object, and a later one returns the same object with its options applied.
func TestSeedingAgain(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	for name, again := range map[string]func() (before, after any){
		"user":  func() (any, any) { return svc.User("ada"), svc.User("ADA", servicetest.Admin(), servicetest.ID(2)) },
		"group": func() (any, any) { return svc.Group("acme"), svc.Group("acme", servicetest.Public()) },
		"project": func() (any, any) {
			return app, svc.Project("acme/app", servicetest.Public(), servicetest.Topics("shop"))
		},
		"environment": func() (any, any) {
			return app.Environment("test"), app.Environment("test", servicetest.EnvironmentState("stopped"))
		},
		"registry repository": func() (any, any) {
			return app.RegistryRepository("web"),
				app.RegistryRepository("web", servicetest.CreatedAt(servicetest.Epoch))
		},
	} {
		if before, after := again(); before != after {
			t.Errorf("%s: a second call made another one", name)
		}
	}
	for path, want := range map[string]string{
		"/users/2": `"is_admin":true`, "/groups/acme": `"visibility":"public"`,
		"/projects/1": `"topics":["shop"]`, "/projects/1/environments/1": `"state":"stopped"`,
	} {
		if got := get(t, svc, path, "PRIVATE-TOKEN", svc.AdminToken()).body; !strings.Contains(got, want) {
			t.Errorf("%s has no %s: %s", path, want, got)
		}
	}
}

func TestPredictableIDs(t *testing.T) {
	svc := servicetest.New(t)
	pipe := svc.Project("acme/team/app", servicetest.ID(40)).Pipeline("main")
	next := svc.Project("acme/other")
	got := []int64{
		svc.User("ada").ID(), svc.User("bob", servicetest.ID(7)).ID(), svc.User("cy").ID(),
		svc.Group("acme").ID(), svc.Group("acme/team").ID(), next.ID(), pipe.ID(),
		pipe.Job("a").ID(), pipe.Job("b", servicetest.ID(1000)).ID(), pipe.Job("c").ID(),
		pipe.Job("d", servicetest.ID(500)).ID(),
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
		if a := call(t, svc, "POST", path, form, "Content-Type",
			"application/x-www-form-urlencoded"); a.StatusCode != 400 {
			t.Errorf("form %s: %d %s", form, a.StatusCode, a.body)
		}
	}
	var form bytes.Buffer
	multipart.NewWriter(&form).WriteField("a", "b")
	if a := call(t, svc, "POST", path, form.String(), "Content-Type",
		"multipart/form-data; boundary=x"); a.StatusCode != 400 {
		t.Errorf("multipart: %d %s", a.StatusCode, a.body)
	}
	var upload bytes.Buffer
	cut := multipart.NewWriter(&upload)
	if _, err := cut.CreateFormFile("file", "cut.bin"); err != nil {
		t.Fatal(err)
	}
	if a := call(t, svc, "POST", path, upload.String()+"half a fi", "Content-Type",
		cut.FormDataContentType()); a.StatusCode != 400 {
		t.Errorf("file: %d %s", a.StatusCode, a.body)
	}
	var large bytes.Buffer
	multipart.NewWriter(&large).WriteField("a", strings.Repeat("x", 1<<20+1))
	if a := call(t, svc, "POST", path, large.String()+"\r\n", "Content-Type", "multipart/form-data; boundary="+
		strings.TrimPrefix(strings.SplitN(large.String(), "\r\n", 2)[0], "--")); a.StatusCode != 413 {
		t.Errorf("a field of more than a megabyte: %d %s", a.StatusCode, a.body)
	}
	if a := request(t, "POST", svc.URL()+"/api/v4"+path, `{"cut":`); a.StatusCode != http.StatusUnauthorized {
		t.Errorf("credentials are looked at after the body: %d", a.StatusCode)
	}
}

func TestClock(t *testing.T) {
	svc := servicetest.New(t)
	if !svc.Now().Equal(servicetest.Epoch) {
		t.Errorf("begins at %v", svc.Now())
	}
	var order []string
	note := func(what string) func() {
		return func() { order = append(order, what+" at "+svc.Now().Sub(servicetest.Epoch).String()) }
	}
	svc.After(2*time.Minute, note("second"))
	svc.After(time.Minute, func() {
		note("first")()
		svc.After(30*time.Second, note("between"))
	})
	svc.After(2*time.Minute, note("third"))
	svc.After(time.Hour, note("never"))
	svc.Advance(10 * time.Minute)
	if got := strings.Join(order, ", "); got != "first at 1m0s, between at 1m30s, second at 2m0s, third at 2m0s" {
		t.Errorf("order: %s", got)
	}
	if got := svc.Now().Sub(servicetest.Epoch); got != 10*time.Minute {
		t.Errorf("ends at %v", got)
	}
}

func TestTick(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithTick(time.Second))
	job := svc.Project("acme/app").Pipeline("main").Job("test", servicetest.Running())
	svc.After(3*time.Second, job.Succeed)
	status := func() any {
		return into[map[string]any](t, call(t, svc, "GET", "/projects/1/jobs/1", ""), 200)["status"]
	}
	for i, want := range []string{"running", "running", "success"} {
		if got := status(); got != want {
			t.Errorf("poll %d: %v, want %s", i+1, got, want)
		}
	}
}

func TestRunningClock(t *testing.T) {
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	svc := servicetest.New(t, servicetest.WithClock(func() time.Time { return now }))
	job := svc.Project("acme/app").Pipeline("main").Job("test", servicetest.Running())
	svc.After(time.Minute, job.Succeed)
	now = now.Add(time.Minute)
	call(t, svc, "GET", "/projects/1/jobs/1", "")
	if job.Status() != "success" {
		t.Errorf("a minute later the job is %s", job.Status())
	}
}

// TestRequestsRunTheOnlyTimer: a request runs a due timer even if it is the only one.
func TestRequestsRunTheOnlyTimer(t *testing.T) {
	now := servicetest.Epoch
	svc := servicetest.New(t, servicetest.WithClock(func() time.Time { return now }))
	for range 2 {
		ran := false
		svc.After(time.Minute, func() { ran = true })
		now = now.Add(time.Minute)
		if get(t, svc, "/version"); !ran {
			t.Error("the function did not run")
		}
	}
}

// TestChainsOfTimersAreNotLate checks that timers that start each other run at their
// own times, even if a running clock is read late.
func TestChainsOfTimersAreNotLate(t *testing.T) {
	start := time.Now()
	clock := start
	svc := servicetest.New(t, servicetest.WithClock(func() time.Time { return clock }))
	var times []time.Duration
	svc.After(time.Second, func() {
		times = append(times, svc.Now().Sub(start.UTC()))
		svc.After(time.Second, func() { times = append(times, svc.Now().Sub(start.UTC())) })
	})
	clock = start.Add(time.Minute)
	svc.Advance(0)
	if want := []time.Duration{time.Second, 2 * time.Second}; !slices.Equal(times, want) {
		t.Errorf("they ran at %v instead of %v", times, want)
	}
	if now := svc.Now().Sub(start.UTC()); now != time.Minute {
		t.Errorf("the clock is at %v", now)
	}
}

// TestFeaturesOfANewService: flags that gate whole endpoints are on, and others are as
// in a new installation. The documentation names those that are on here but off there.
func TestFeaturesOfANewService(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	for flag, endpoint := range map[string]string{
		"approval_group_rules":                     "GET /groups/1/approval_rules",
		"ci_secure_files":                          "GET /projects/1/secure_files",
		"import_project_from_remote_file":          "POST /projects/remote-import",
		"import_project_from_remote_file_objstore": "POST /projects/remote-import-objstore",
	} {
		method, path, _ := strings.Cut(endpoint, " ")
		if a := call(t, svc, method, path, ""); a.StatusCode != 200 && a.StatusCode != 400 {
			t.Errorf("%s: %d %s", endpoint, a.StatusCode, a.body)
		}
		svc.SetFeature(flag, false)
		if a := call(t, svc, method, path, ""); a.StatusCode != 404 {
			t.Errorf("%s without %s: %d %s", endpoint, flag, a.StatusCode, a.body)
		}
	}
	if project := into[map[string]any](t, call(t, svc, "GET", "/projects/1", ""),
		200); project["ci_job_token_scope_enabled"] != false {
		t.Errorf("ci_job_token_scope_enabled: %v", project["ci_job_token_scope_enabled"])
	}
	ada := svc.User("ada")
	call(t, svc, "POST", "/projects/1/members",
		`{"user_id":2,"access_level":30,"tasks_to_be_done":["ci"],"tasks_project_id":1}`)
	if m, ok := app.Membership(ada); !ok || len(m.Tasks) != 0 {
		t.Errorf("membership %+v, tasks are suggested without invite_members_for_task", m)
	}

	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	beginning, _, _ := strings.Cut(string(doc), "# Seeding")
	for _, flag := range []string{"approval_group_rules", "ci_secure_files",
		"import_project_from_remote_file_objstore", "SetFeature"} {
		if !strings.Contains(beginning, flag) {
			t.Errorf("the documentation begins without %s", flag)
		}
	}
}

func TestVendor(t *testing.T) {
	svc := servicetest.New(t, servicetest.Vendor("Acme"), servicetest.WithoutJobTotals())
	ada := svc.User("ada")
	app := svc.Project("acme/team/app", servicetest.Member(ada, servicetest.Developer))
	app.Commit("main", "Begin", servicetest.Write("a.txt", "a"))
	file := call(t, svc, "HEAD", "/projects/1/repository/files/a.txt?ref=main", "")
	if file.Header.Get("X-Acme-Blob-Id") == "" || file.Header.Get("X-Acme-Size") != "1" ||
		file.Header.Get("X-Service-Size") != "" {
		t.Errorf("headers of a file: %v", file.Header)
	}
	if meta := file.Header.Get("X-Acme-Meta"); meta != `{"correlation_id":"`+file.Header.Get("X-Request-Id")+
		`","version":"1"}` {
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
		if counted := a.Header.Get("X-Total") != "" && rels(a)["last"] != ""; counted != counts ||
			rels(a)["first"] == "" {
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
	plain := get(t, svc, "/job/allowed_agents", "JOB-TOKEN", app.Pipeline("main").Job("test").Token())
	if strings.Contains(plain.body, "environment") {
		t.Errorf("a job that deploys nothing has an environment: %s", plain.body)
	}
}

// TestWithoutVendor checks that a service without the option shows no traces of a
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

// TestTemplatesOfAVendor checks that the kind of templates of pipelines has the name of the
// vendor, and only that.
func TestTemplatesOfAVendor(t *testing.T) {
	svc := servicetest.New(t, servicetest.Vendor("Acme"))
	svc.Project("acme/app").Commit("main", "Add", servicetest.Write(".acme/issue_templates/Bug.md", "Steps:\n"))
	for path, want := range map[string]int{
		"/templates/acme_ci_ymls": 200, "/templates/acme_ci_ymls/Bash": 200,
		"/projects/1/templates/acme_ci_ymls/Bash": 200, "/templates/service_ci_ymls": 404,
		"/templates/service_ci_ymls/Bash": 404, "/templates/other_ci_ymls": 404,
		"/projects/1/templates/issues/Bug": 200, "/templates/dockerfiles": 200,
	} {
		if a := call(t, svc, "GET", path, ""); a.StatusCode != want {
			t.Errorf("%s: %d %s", path, a.StatusCode, a.body)
		}
	}
}

func TestAddressesBeginWithURL(t *testing.T) {
	for _, svc := range []*servicetest.Service{servicetest.New(t), servicetest.New(t, servicetest.WithBasePath("/code"),
		servicetest.WithTLS())} {
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
