package servicetest_test

import (
	"os"
	"strings"
	"testing"

	"example.com/serviceapi/servicetest"
)

// TestFeaturesOfANewService: the flags that gate whole endpoints are on, the
// others are as in a new installation, and the documentation says at its
// beginning which are on although they are off there.
func TestFeaturesOfANewService(t *testing.T) {
	svc := servicetest.New(t)
	app := svc.Project("acme/app")
	for flag, endpoint := range map[string]string{
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
	if project := into[map[string]any](t, call(t, svc, "GET", "/projects/1", ""), 200); project["ci_job_token_scope_enabled"] != false {
		t.Errorf("ci_job_token_scope_enabled: %v", project["ci_job_token_scope_enabled"])
	}
	ada := svc.User("ada")
	call(t, svc, "POST", "/projects/1/members", `{"user_id":2,"access_level":30,"tasks_to_be_done":["ci"],"tasks_project_id":1}`)
	if m, ok := app.Membership(ada); !ok || len(m.Tasks) != 0 {
		t.Errorf("membership %+v, tasks are suggested without invite_members_for_task", m)
	}

	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	beginning, _, _ := strings.Cut(string(doc), "# Seeding")
	for _, flag := range []string{"ci_secure_files", "import_project_from_remote_file_objstore", "SetFeature"} {
		if !strings.Contains(beginning, flag) {
			t.Errorf("the documentation begins without %s", flag)
		}
	}
}
