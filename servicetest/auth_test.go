package servicetest_test

import (
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
)

const unauthorized = `{"message":"401 Unauthorized"}`

// get sends a GET without any credential of its own.
func get(t *testing.T, svc *servicetest.Service, path string, headers ...string) answer {
	t.Helper()
	return request(t, "GET", svc.URL()+"/api/v4"+path, "", headers...)
}

func TestCredentials(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	app := svc.Project("acme/app", servicetest.Member(ada, servicetest.Developer))
	job := app.Pipeline("main", servicetest.By(ada)).Job("test", servicetest.Archive(nil))
	personal, oauth := svc.Token(ada), svc.OAuthToken(ada)
	cookie := "_service_session=" + svc.SessionCookie(ada)
	jobs, archive := "/projects/1/jobs", "/projects/1/jobs/1/artifacts"
	tests := []struct {
		name, path, header, value string
		status                    int
	}{
		{"nothing", jobs, "", "", 401},
		{"personal token", jobs, "PRIVATE-TOKEN", personal, 200},
		{"personal token in the query", jobs + "?private_token=" + personal, "", "", 200},
		{"personal bearer", jobs, "Authorization", "Bearer " + personal, 200},
		{"unknown token", jobs, "PRIVATE-TOKEN", "nobody's", 401},
		{"OAuth bearer", jobs, "Authorization", "Bearer " + oauth, 200},
		{"OAuth in the query", jobs + "?access_token=" + oauth, "", "", 200},
		{"OAuth as a personal token", jobs, "PRIVATE-TOKEN", oauth, 401},
		{"basic", jobs, "Authorization", "Basic cm9vdDpyb290", 401},
		{"session", jobs, "Cookie", cookie, 200},
		{"unknown session", jobs, "Cookie", "_service_session=x", 401},
		{"job token where it does not count", jobs, "JOB-TOKEN", job.Token(), 401},
		{"job token", archive, "JOB-TOKEN", job.Token(), 200},
		{"job bearer", archive, "Authorization", "Bearer " + job.Token(), 200},
		{"job token in the query", archive + "?job_token=" + job.Token(), "", "", 200},
		{"deploy token", jobs, "PRIVATE-TOKEN", svc.DeployToken(app), 401},
		{"deploy bearer", jobs, "Authorization", "Bearer " + svc.DeployToken(app), 401},
		{"project token", jobs, "PRIVATE-TOKEN", app.AccessToken(servicetest.Reporter), 200},
		{"group token", jobs, "PRIVATE-TOKEN", app.Group().AccessToken(servicetest.Reporter), 200},
		{"wrong token on a public route", "/projects", "PRIVATE-TOKEN", "nobody's", 401},
		{"nothing on a public route", "/projects", "", "", 200},
	}
	for _, test := range tests {
		var headers []string
		if test.header != "" {
			headers = []string{test.header, test.value}
		}
		a := get(t, svc, test.path, headers...)
		if a.StatusCode != test.status || test.status == 401 && a.body != unauthorized {
			t.Errorf("%s: %d %s, want %d", test.name, a.StatusCode, a.body, test.status)
		}
	}
}

func TestTokensEnd(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app")
	expiring := svc.Token(svc.Root(), servicetest.ExpiresAt(svc.Now().Add(time.Hour)))
	revoked := svc.Token(svc.Root())
	for _, token := range []string{expiring, revoked} {
		if a := get(t, svc, "/projects/1", "PRIVATE-TOKEN", token); a.StatusCode != 200 {
			t.Fatalf("before the end: %d", a.StatusCode)
		}
	}
	svc.Advance(time.Hour)
	svc.Revoke(revoked)
	for _, token := range []string{expiring, revoked} {
		refused(t, get(t, svc, "/projects/1", "PRIVATE-TOKEN", token), 401, unauthorized)
	}
}

func TestScopes(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app").Pipeline("main").Job("test", servicetest.Running())
	reader := svc.Token(svc.Root(), servicetest.Scopes("read_api"))
	none := svc.Token(svc.Root(), servicetest.Scopes("read_registry"))
	if a := get(t, svc, "/projects/1/jobs", "PRIVATE-TOKEN", reader); a.StatusCode != 200 {
		t.Errorf("read_api cannot read: %d %s", a.StatusCode, a.body)
	}
	shape := `{"error":"insufficient_scope","error_description":"The request requires higher privileges than provided by the access token.","scope":"%"}`
	a := request(t, "POST", svc.URL()+"/api/v4/projects/1/jobs/1/cancel", "", "PRIVATE-TOKEN", reader)
	refused(t, a, 403, strings.Replace(shape, "%", "api", 1))
	refused(t, get(t, svc, "/projects/1/jobs", "PRIVATE-TOKEN", none), 403, strings.Replace(shape, "%", "api read_api", 1))
}

func TestSudo(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	eve := svc.User("eve")
	svc.User("mallory", servicetest.Blocked())
	svc.Project("acme/app", servicetest.Member(ada, servicetest.Developer))
	admin, plain := svc.AdminToken(), svc.Token(ada)
	apiOnly := svc.Token(svc.Root(), servicetest.Scopes("api"))
	tests := []struct {
		name, token, sudo string
		status            int
		body              string
	}{
		{"by username in any case", admin, "ADA", 200, ""},
		{"by id", admin, "2", 200, ""},
		{"with the rights of the other", admin, "eve", 404, `{"message":"404 Project Not Found"}`},
		{"unknown user", admin, "zoe", 404, `{"message":"404 User with ID or username 'zoe' Not Found"}`},
		{"blocked user", admin, "mallory", 403, `{"message":"403 Forbidden - Your account has been blocked."}`},
		{"not an administrator", plain, "eve", 403, `{"message":"403 Forbidden - Must be admin to use sudo"}`},
		{"without the scope", apiOnly, "ada", 403, `{"error":"insufficient_scope","error_description":"The request requires higher privileges than provided by the access token.","scope":"sudo"}`},
	}
	for _, test := range tests {
		byHeader := get(t, svc, "/projects/1", "PRIVATE-TOKEN", test.token, "Sudo", test.sudo)
		byQuery := get(t, svc, "/projects/1?sudo="+test.sudo, "PRIVATE-TOKEN", test.token)
		for _, a := range []answer{byHeader, byQuery} {
			if a.StatusCode != test.status || test.body != "" && a.body != test.body {
				t.Errorf("%s: %d %s, want %d %s", test.name, a.StatusCode, a.body, test.status, test.body)
			}
		}
	}
	cookie := "_service_session=" + svc.SessionCookie(svc.Root())
	refused(t, get(t, svc, "/projects/1", "Cookie", cookie, "Sudo", "ada"), 403,
		`{"message":"403 Forbidden - Must be authenticated using an OAuth or personal access token to use sudo"}`)
	refused(t, get(t, svc, "/personal_access_tokens/self", "Authorization", "Bearer "+svc.OAuthToken(ada)), 401, `{"message":"401 Unauthorized"}`)
	if eve.ID() != 3 {
		t.Errorf("eve has id %d, want 3", eve.ID())
	}
}

func TestVisibilityAndRoles(t *testing.T) {
	svc := servicetest.New(t)
	member, stranger := svc.User("member"), svc.User("stranger")
	external := svc.User("outsider", servicetest.External())
	above := svc.User("above")
	svc.Group("acme", servicetest.Member(above, servicetest.Maintainer))
	svc.Project("acme/team/private", servicetest.Member(member, servicetest.Reporter)).Pipeline("main").Job("test", servicetest.Running())
	svc.Project("acme/internal", servicetest.Internal())
	svc.Project("acme/public", servicetest.Public())
	tests := []struct {
		user    *servicetest.User
		visible string // of the three projects
		cancel  int    // the status of canceling the private project's job
	}{
		{nil, "--x", 401},
		{stranger, "-xx", 404},
		{external, "--x", 404},
		{member, "xxx", 403},
		{above, "xxx", 201},
	}
	for _, test := range tests {
		var headers []string
		name := "nobody"
		if test.user != nil {
			name = test.user.Username()
			headers = []string{"PRIVATE-TOKEN", svc.Token(test.user)}
		}
		for i, want := range test.visible {
			path := "/projects/" + string(rune('1'+i))
			if a := get(t, svc, path, headers...); (a.StatusCode == 200) != (want == 'x') {
				t.Errorf("%s: GET %s is %d", name, path, a.StatusCode)
			}
		}
		a := request(t, "POST", svc.URL()+"/api/v4/projects/1/jobs/1/cancel", "", headers...)
		if a.StatusCode != test.cancel {
			t.Errorf("%s cancels: %d, want %d", name, a.StatusCode, test.cancel)
		}
		listed := into[[]any](t, get(t, svc, "/projects", headers...), 200)
		if len(listed) != strings.Count(test.visible, "x") {
			t.Errorf("%s lists %d projects, want %s", name, len(listed), test.visible)
		}
	}
}

func TestSharedProject(t *testing.T) {
	svc := servicetest.New(t)
	ada := svc.User("ada")
	guests := svc.Group("guests", servicetest.Member(ada, servicetest.Owner))
	app := svc.Project("acme/app")
	job := app.Pipeline("main").Job("test", servicetest.Running())
	app.ShareWith(guests, servicetest.Reporter)
	token := svc.Token(ada)
	if a := get(t, svc, "/projects/1/jobs", "PRIVATE-TOKEN", token); a.StatusCode != 200 {
		t.Errorf("invited by way of a group: %d", a.StatusCode)
	}
	a := request(t, "POST", svc.URL()+"/api/v4/projects/1/jobs/1/cancel", "", "PRIVATE-TOKEN", token)
	refused(t, a, 403, `{"message":"403 Forbidden"}`)
	if job.Status() != "running" {
		t.Errorf("the job is %s", job.Status())
	}
}

func TestTier(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithTier(servicetest.Free))
	job := svc.Project("acme/app").Pipeline("main").Job("test", servicetest.Archive(nil))
	for _, path := range []string{"/job/allowed_agents", "/projects/1/jobs/1/artifacts"} {
		if a := get(t, svc, path, "JOB-TOKEN", job.Token()); a.StatusCode != 403 {
			t.Errorf("%s on the free tier: %d, want 403", path, a.StatusCode)
		}
	}
	if a := get(t, svc, "/job", "JOB-TOKEN", job.Token()); a.StatusCode != 200 {
		t.Errorf("GET /job: %d", a.StatusCode)
	}
}

func TestJobTokenScope(t *testing.T) {
	svc := servicetest.New(t)
	job := svc.Project("acme/app").Pipeline("main").Job("test", servicetest.Archive(nil))
	svc.Project("acme/other").Pipeline("main").Job("test", servicetest.Archive(nil))
	status := func(path string) int { return get(t, svc, path, "JOB-TOKEN", job.Token()).StatusCode }
	own, other := "/projects/1/jobs/1/artifacts", "/projects/2/jobs/2/artifacts"
	if status(own) != 200 || status(other) != 200 {
		t.Error("a job token does not reach what its user may see")
	}
	svc.SetFeature("ci_job_token_scope", true)
	if status(own) != 200 || status(other) != 404 {
		t.Errorf("restricted to its project: %d and %d, want 200 and 404", status(own), status(other))
	}
}
