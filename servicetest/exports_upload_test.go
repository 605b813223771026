package servicetest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/servicetest"
)

func TestExportUploadNeedsAURL(t *testing.T) {
	for body, status := range map[string]int{
		`{"description":"Moved"}`: 202,
		`{"upload":{}}`:           202,
		`{"upload":null}`:         202,
		`{"upload":{"url":"https://store.example.com"}}`: 202,
		`{"upload":{"http_method":"PUT"}}`:               400,
		`{"upload":{"url":""}}`:                          400,
		`{"upload":"https://store.example.com"}`:         400,
	} {
		svc := servicetest.New(t)
		svc.Project("acme/app")
		if got := call(t, svc, "POST", "/projects/acme%2Fapp/export", body); got.StatusCode != status {
			t.Errorf("%s is answered with %d, want %d: %s", body, got.StatusCode, status, got.body)
		}
	}
}

// TestExportOverTLS: the address of the archive is one that the caller can reach.
func TestExportOverTLS(t *testing.T) {
	svc := servicetest.New(t, servicetest.WithTLS())
	svc.Project("acme/app", servicetest.Public())
	send := func(method string) answer {
		req, err := http.NewRequestWithContext(t.Context(), method, svc.URL()+"/api/v4/projects/1/export", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("PRIVATE-TOKEN", svc.AdminToken())
		response, err := svc.HTTPClient().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		return readAnswer(t, response)
	}
	send("POST")
	svc.Advance(time.Hour)
	if a := send("GET"); !strings.Contains(a.body, `"api_url":"`+svc.URL()+`/api/v4/projects/1/export/download"`) {
		t.Errorf("%d %s", a.StatusCode, a.body)
	}
}
