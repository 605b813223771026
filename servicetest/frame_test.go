package servicetest_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"example.com/serviceapi/servicetest"
)

// An answer is a response whose body has been read.
type answer struct {
	*http.Response

	body string
}

// request sends one request. Headers come in pairs of name and value.
func request(t *testing.T, method, address, body string, headers ...string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	return readAnswer(t, response)
}

// call sends a request to the API as the administrator.
func call(t *testing.T, svc *servicetest.Service, method, path, body string, headers ...string) answer {
	t.Helper()
	return request(t, method, svc.URL()+"/api/v4"+path, body, append([]string{"PRIVATE-TOKEN", svc.AdminToken()}, headers...)...)
}

// into decodes a response that must have a status.
func into[T any](t *testing.T, a answer, status int) T {
	t.Helper()
	var value T
	if a.StatusCode != status {
		t.Fatalf("status %d, want %d: %s", a.StatusCode, status, a.body)
	}
	if err := json.Unmarshal([]byte(a.body), &value); err != nil {
		t.Fatalf("%v in %s", err, a.body)
	}
	return value
}

// refused checks the status and the body of a response.
func refused(t *testing.T, a answer, status int, body string) {
	t.Helper()
	if a.StatusCode != status || a.body != body {
		t.Errorf("answer %d %s, want %d %s", a.StatusCode, a.body, status, body)
	}
}

func TestSmallestUse(t *testing.T) {
	svc := servicetest.New(t)
	job := svc.Project("acme/app").Pipeline("main").Job("test", servicetest.Failed("script_failure"))
	got := into[map[string]any](t, call(t, svc, "GET", "/projects/acme%2Fapp/jobs/1", ""), 200)
	if got["name"] != "test" || got["status"] != job.Status() || got["failure_reason"] != "script_failure" {
		t.Errorf("job = %v", got)
	}
	for _, member := range []string{"coverage", "artifacts_expire_at"} {
		if value, ok := got[member]; !ok || value != nil {
			t.Errorf("%s = %v, %v, want null", member, value, ok)
		}
	}
}
