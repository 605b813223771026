package servicetest_test

import (
	"testing"

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
