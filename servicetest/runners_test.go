package servicetest_test

import (
	"strings"
	"testing"

	"example.com/serviceapi/servicetest"
)

// TestUselessRunners checks that every way to make a runner requires that it
// can take a job and gives the job time.
func TestUselessRunners(t *testing.T) {
	svc := servicetest.New(t)
	runner := svc.Runner("shared")
	registration := `{"token":"` + svc.RegistrationToken() + `",`
	// The order matters: each accepted change is kept by the runner.
	for _, x := range []struct{ body, problem string }{
		{`"maximum_timeout":599}`, `{"maximum_timeout":["needs to be at least 10 minutes"]}`},
		{`"maximum_timeout":-1}`, `{"maximum_timeout":["needs to be at least 10 minutes"]}`},
		{`"run_untagged":false}`, `{"tags_list":["can not be empty when runner is not allowed to pick untagged jobs"]}`},
		{`"run_untagged":false,"tag_list":[]}`, `{"tags_list":["can not be empty when runner is not allowed to pick untagged jobs"]}`},
		{`"maximum_timeout":600,"tag_list":["a"]}`, ""},
		{`"maximum_timeout":null,"run_untagged":true}`, ""},
		{`"maximum_timeout":"","tag_list":"a,b","locked":false}`, ""},
	} {
		body, problem := x.body, x.problem
		for route, status := range map[string]int{"POST /runners": 201, "POST /user/runners": 201, "PUT /runners/1": 200} {
			method, path, _ := strings.Cut(route, " ")
			start := map[string]string{"/runners": registration, "/user/runners": `{"runner_type":"instance_type",`, "/runners/1": `{`}[path]
			a := call(t, svc, method, path, start+body)
			if problem == "" && a.StatusCode != status || problem != "" && (a.StatusCode != 400 || a.body != `{"message":`+problem+`}`) {
				t.Errorf("%s %s: %d %s", route, body, a.StatusCode, a.body)
			}
		}
	}
	if n := len(svc.Runners()); n != 1+2*3 || !runner.RunUntagged() {
		t.Errorf("%d runners, the first takes untagged jobs: %v", n, runner.RunUntagged())
	}
}
