package servicetest_test

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"example.com/serviceapi/servicetest"
)

// textLimits lists the strings with a maximum length: a call, in which ~ stands for the
// string, and the number of characters. There is an agent already.
var textLimits = []struct {
	call string
	most int
}{
	{`POST /projects/1/access_tokens {"name":"a","scopes":["api"],"expires_at":"2026-02-01","description":"~"}`, 255},
	{`POST /projects/1/statuses/{main} {"state":"success","name":"~"}`, 255},
	{`POST /projects/1/statuses/{main} {"state":"success","description":"~"}`, 255},
	{`POST /projects/1/statuses/{main} {"state":"success","target_url":"https://~"}`, 255 - len("https://")},
	{`POST /projects/1/deploy_tokens {"name":"~","scopes":["read_repository"]}`, 255},
	{`POST /projects/1/environments {"name":"~"}`, 255},
	{`POST /projects/1/labels {"name":"~","color":"#ff0000"}`, 255},
	{`POST /groups/1/labels {"name":"~","color":"#ff0000"}`, 255},
	{`POST /projects/1/issues/1/notes {"body":"~"}`, 1_000_000},
	{`POST /projects/1/push_rule {"commit_message_regex":"~"}`, 511},
	{`POST /projects/1/push_rule {"commit_message_negative_regex":"~"}`, 511},
	{`POST /projects/1/push_rule {"branch_name_regex":"~"}`, 511},
	{`POST /projects/1/push_rule {"author_email_regex":"~"}`, 511},
	{`POST /projects/1/push_rule {"file_name_regex":"~"}`, 511},
	{`POST /projects/1/releases/v1.0/assets/links {"name":"a","url":"https://a.test","filepath":"/~"}`, 127},
	{`POST /projects/1/releases/v1.0/assets/links {"name":"a","url":"https://a.test","direct_asset_path":"/~"}`, 127},
	{`POST /user/keys {"title":"~","key":"` + plainKey + `"}`, 255},
	{`POST /user/keys {"title":"a","key":"` + plainKey + ` ~"}`, 5000 - len(plainKey+" ")},
	{`POST /projects/1/terraform/state/~/lock {"ID":"a","Operation":"plan","Info":"","Who":"me","Version":"1",` +
		`"Created":"2026-01-15T09:00:00Z","Path":""}`, 255},
	{`POST /projects/1/issues {"title":"~"}`, 255},
	{`POST /projects/1/issues {"title":"a","description":"~"}`, 1 << 20},
	{`POST /projects/1/merge_requests {"source_branch":"wool","target_branch":"done","title":"~"}`, 255},
	{`POST /groups/1/epics {"title":"~"}`, 255},
	{`PUT /user/status {"message":"~"}`, 100},
	{`POST /projects/1/variables {"key":"A","value":"a","description":"~"}`, 255},
	{`POST /admin/ci/variables {"key":"A","value":"~"}`, 10_000},
	{`PUT /runners/1 {"maintenance_note":"~"}`, 1024},
	{`GET /search?scope=projects&search=~`, 4096},
	{`POST /projects/1/cluster_agents/{agent}/tokens {"name":"~"}`, 255},
	{`POST /projects/1/cluster_agents/{agent}/tokens {"name":"a","description":"~"}`, 1024},
}

const plainKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGPEpTCQGqLGtJPHNRAIZQZG8RAx6SWoLFHqDQlgnv0h"

// TestLimitsOfTexts sends strings of the maximum length, and one character longer.
func TestLimitsOfTexts(t *testing.T) {
	for _, limit := range textLimits {
		p := after(t, []step{{line: `POST /projects/1/cluster_agents {"name":"a"}`}, {line: "let agent id"}})
		for more, want := range []string{"2", "4"} {
			text := strings.ReplaceAll(limit.call, "~", strings.Repeat("a", limit.most+more))
			if status := p.status(text); !strings.HasPrefix(status, want) {
				t.Errorf("%s with %d characters: %s", limit.call, limit.most+more, status)
			}
		}
	}
}

// upload sends a form with a file, and with further fields by name and value.
func upload(t *testing.T, svc *servicetest.Service, method, path, field string, size int, fields ...string) int {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for i := 0; i < len(fields); i += 2 {
		form.WriteField(fields[i], fields[i+1])
	}
	file, err := form.CreateFormFile(field, "a.png")
	if err != nil {
		t.Fatal(err)
	}
	file.Write(make([]byte, size))
	form.Close()
	return call(t, svc, method, path, body.String(), "Content-Type", form.FormDataContentType()).StatusCode
}

// TestLimitsOfFiles: a picture has at most 200 KiB, a secure file less than 5 MiB, and
// a project at most a hundred secure files.
func TestLimitsOfFiles(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	for _, path := range []string{"/projects/1", "/groups/1"} {
		same(t, upload(t, svc, "PUT", path, "avatar", 200<<10), http.StatusOK)
		same(t, upload(t, svc, "PUT", path, "avatar", 200<<10+1), http.StatusBadRequest)
	}
	const secure = "/projects/1/secure_files"
	same(t, upload(t, svc, "POST", secure, "file", 5<<20-1, "name", "a"), http.StatusCreated)
	same(t, upload(t, svc, "POST", secure, "file", 5<<20, "name", "b"), http.StatusBadRequest)
	for i := range 98 {
		app.SecureFile(fmt.Sprint(i), "x")
	}
	same(t, upload(t, svc, "POST", secure, "file", 1, "name", "c"), http.StatusCreated)
	same(t, upload(t, svc, "POST", secure, "file", 1, "name", "d"), http.StatusBadRequest)
}

// TestLimitsOfPasswords: a password has at least eight characters.
func TestLimitsOfPasswords(t *testing.T) {
	svc := servicetest.New(t)
	for n, want := range map[int]int{7: 400, 8: 201} {
		a := call(t, svc, "POST", "/users", fmt.Sprintf(`{"username":"a%[1]d","name":"A","email":"a%[1]d@example.com",`+
			`"password":%[2]q}`, n, strings.Repeat("x", n)))
		same(t, a.StatusCode, want)
	}
}

// TestLimitsOfPackages: a project refuses files that are too large, and duplicates.
func TestLimitsOfPackages(t *testing.T) {
	svc := servicetest.New(t)
	app, other := svc.Project("acme/app"), svc.Project("acme/other")
	put := func(project int, name, content string) int {
		path := fmt.Sprintf("/projects/%d/packages/generic/tool/1.0/%s", project, name)
		return call(t, svc, "PUT", path, content).StatusCode
	}
	app.LimitPackageFiles(5)
	same(t, spaced(put(1, "a", "12345"), put(1, "b", "123456"), put(2, "b", "123456")), "201 400 201")
	same(t, spaced(put(1, "a", "54321")), "201")
	app.RefuseDuplicatePackages()
	same(t, spaced(put(1, "a", "12345"), put(1, "c", "1"), put(2, "b", "1")), "400 201 201")
	made := app.Packages()[0]
	same(t, spaced(len(app.Packages()), made.ID(), made.Name(), made.Version(), made.Status(), made.Files()["a"]),
		"1 1 tool 1.0 default 54321")
	seeded := other.Package("lib", "2.0", servicetest.PackageType("npm"), servicetest.PackageStatus("hidden"),
		servicetest.PackageTags("latest"))
	seeded.File("x.tgz", "x")
	same(t, spaced(seeded.ID(), seeded.Status(), seeded.Files()), "3 hidden map[x.tgz:x]")
	seeded.Corrupt("x.tgz", "y")
	same(t, spaced(seeded.Files()), "map[x.tgz:y]")
}

// TestKindsOfPackages: a package has only versions of its own kind. Only generic
// packages that are not being deleted can be downloaded by name.
func TestKindsOfPackages(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	app.Package("lib", "1.0")
	app.Package("lib", "2.0", servicetest.PackageType("npm"), servicetest.PackageStatus("deprecated")).File("a", "x")
	app.Package("lib", "", servicetest.PackageType("maven"))
	app.Package("gone", "3.0", servicetest.PackageStatus("pending_destruction")).File("a", "x")
	shows(t, svc, "/projects/1/packages/1", "versions", `[]`)
	shows(t, svc, "/projects/1/packages/2", "status", `"deprecated"`)
	shows(t, svc, "/projects/1/packages", "0.id 1.id 2", `1 2 "(absent)"`)
	shows(t, svc, "/projects/1/packages?include_versionless=true", "2.id 3", `3 "(absent)"`)
	same(t, asked(t, svc, "GET /projects/1/packages/generic/lib/2.0/a", "GET /projects/1/packages/generic/gone/3.0/a"),
		"404 404")
}

// TestLimitsOfPushes: a push rule limits the size of files.
func TestLimitsOfPushes(t *testing.T) {
	svc := servicetest.New(t)
	svc.Project("acme/app")
	into[any](t, call(t, svc, "POST", "/projects/1/push_rule", `{"max_file_size":1}`), 201)
	for more, want := range []int{201, 400} {
		a := call(t, svc, "POST", "/projects/1/repository/files/"+fmt.Sprint("f", more),
			fmt.Sprintf(`{"branch":"main","commit_message":"Add","content":%q}`, strings.Repeat("a", 1<<20+more)))
		if a.StatusCode != want || want == 400 && !strings.Contains(a.body, "larger than the allowed size of 1 MiB") {
			t.Errorf("%d bytes: %d %.200s, want %d", 1<<20+more, a.StatusCode, a.body, want)
		}
	}
}
