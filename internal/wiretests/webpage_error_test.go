package wiretests

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
)

// TestNotFoundOfTheAPI checks which responses with the status 404 mean that there is no such
// object: those of the API, in any form that it has, but no web page.
func TestNotFoundOfTheAPI(t *testing.T) {
	const page = "<!DOCTYPE html>\n<html><head><title>Nothing here</title></head></html>"
	for _, tc := range []struct {
		name, contentType, body string
		isPage                  bool
	}{
		{"message", "application/json", `{"message":"404 Project Not Found"}`, false},
		{"error", "application/json", `{"error":"404 Not Found"}`, false},
		{"JSON with another type", "text/html", `{"message":"404 Not Found"}`, false},
		{"empty", "", "", false},
		{"text", "text/plain; charset=utf-8", "404 page not found\n", false},
		{"store", "application/xml", `<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>`, false},
		{"store without a prolog", "application/xml", "<Error><Code>NoSuchKey</Code></Error>", false},
		{"comparison", "text/plain", "<5 items", false},
		{"page", "text/html; charset=utf-8", page, true},
		{"page in capitals", "Text/HTML", page, true},
		{"page without a type", "application/octet-stream", "\n\n" + page, true},
		{"page as text", "text/plain", "\uFEFF<html></html>", true},
		{"page as JSON", "application/json", page, true},
		{"XHTML", "text/xml", `<?xml version="1.0"?><!DOCTYPE html><html xmlns="x"></html>`, true},
		{"words", "text/html", "nothing here", true},
		{"empty page", "text/html", "", true},
	} {
		for _, redirected := range []bool{false, true} {
			client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if redirected && r.URL.Path != "/users/sign_in" {
					http.Redirect(w, r, "/users/sign_in", http.StatusFound)
					return
				}
				w.Header()["Content-Type"] = []string{tc.contentType}
				w.WriteHeader(http.StatusNotFound)
				_, _ = io.WriteString(w, tc.body)
			})
			_, _, err := client.Projects.Get(t.Context(), serviceapi.ProjectPath("acme/shop"), nil)
			var e *serviceapi.Error
			if !assert.ErrorAs(t, err, &e, tc.name) {
				continue
			}
			assert.Equal(t, http.StatusNotFound, e.StatusCode)
			assert.Equal(t, tc.isPage, e.WebPage, tc.name)
			assert.Equal(t, !tc.isPage, errors.Is(err, serviceapi.ErrNotFound), tc.name)
			if tc.isPage {
				assert.ErrorContains(t, err, " (not the API: a web page)")
			} else {
				assert.NotContains(t, err.Error(), "web page")
			}
			assert.Equal(t, tc.isPage, strings.Contains(e.LogValue().String(), "web_page=true"), tc.name)
			_, _, err = client.RepositoryFiles.Raw(t.Context(), serviceapi.ProjectID(1), "a", nil)
			assert.Equal(t, !tc.isPage, errors.Is(err, serviceapi.ErrNotFound), "%s, as a stream", tc.name)
		}
	}
}

// TestPagesKeepTheirStatus checks that other errors which are web pages match the sentinel of
// their status, as before.
func TestPagesKeepTheirStatus(t *testing.T) {
	for status, sentinel := range map[int]error{
		http.StatusForbidden: serviceapi.ErrForbidden, http.StatusUnauthorized: serviceapi.ErrUnauthorized,
		http.StatusBadGateway: serviceapi.ErrServer,
	} {
		e := &serviceapi.Error{StatusCode: status, WebPage: true}
		assert.ErrorIs(t, e, sentinel)
		assert.NotErrorIs(t, e, serviceapi.ErrNotFound)
	}
	assert.NotErrorIs(t, &serviceapi.Error{StatusCode: http.StatusNotFound, WebPage: true}, serviceapi.ErrNotFound)
	assert.ErrorIs(t, &serviceapi.Error{StatusCode: http.StatusNotFound}, serviceapi.ErrNotFound)
}
