package wiretests

import (
	"io"
	"net/http"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// statusCalls are calls whose response is only a status.
func statusCalls(t *testing.T, c *serviceapi.Client) map[string]func() error {
	ctx, project := t.Context(), serviceapi.ProjectID(1)
	do := func(method string) func() error {
		return func() error {
			return second(c.Do(ctx, method, serviceapi.Route("/projects/:id/x", project), nil, nil))
		}
	}
	return map[string]func() error{
		"DELETE": do(http.MethodDelete), "POST": do(http.MethodPost), "PUT": do(http.MethodPut),
		"PATCH": do(http.MethodPatch), "GET": do(http.MethodGet),
		"branch":  func() error { return second(c.Branches.Delete(ctx, project, "main")) },
		"project": func() error { return second(c.Projects.Delete(ctx, project, nil)) },
		"variable": func() error {
			return second(c.Variables.Delete(ctx, project, "KEY", nil))
		},
		"user": func() error { return second(c.Users.Block(ctx, serviceapi.UserID(3))) },
		"upload": func() error {
			return second(c.Do(ctx, http.MethodPut, serviceapi.Route("/projects/:id/x", project),
				serviceapi.Upload{Content: http.NoBody}, nil))
		},
	}
}

// TestPagesAreNoSuccess checks that a web page with a good status is an error of calls whose
// response is only a status, whatever it is declared as.
func TestPagesAreNoSuccess(t *testing.T) {
	const page = "\n<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body>…</body></html>"
	for _, contentType := range []string{"text/html; charset=utf-8", "", "application/json", "text/plain"} {
		for _, status := range []int{http.StatusOK, http.StatusCreated, http.StatusAccepted} {
			client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				w.Header()["Content-Type"] = []string{contentType}
				if contentType == "" {
					w.Header()["Content-Type"] = nil
				}
				w.WriteHeader(status)
				_, _ = io.WriteString(w, page)
			})
			for name, call := range statusCalls(t, client) {
				err := call()
				var e *serviceapi.DecodeError
				if !assert.ErrorAs(t, err, &e, "%s, %d, %q", name, status, contentType) {
					continue
				}
				assert.True(t, e.WebPage, name)
				assert.True(t, serviceapi.MayHaveExecuted(err), name)
				assert.Equal(t, status, e.StatusCode, name)
				assert.Contains(t, e.Excerpt, "Sign in", name)
				assert.NotContains(t, err.Error(), "has executed", name)
				assert.Equal(t, name != "GET", e.Method != http.MethodGet, name)
			}
		}
	}
}

// TestPagesWithoutABody checks that the type of a response to HEAD is enough, which has no body.
func TestPagesWithoutABody(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
	})
	list := serviceapi.Route("/projects/:id/jobs", somewhere)
	_, err := client.Do(t.Context(), http.MethodHead, list, nil, nil)
	var e *serviceapi.DecodeError
	require.ErrorAs(t, err, &e)
	assert.True(t, e.WebPage)
	_, err = client.Do(t.Context(), http.MethodHead, list, nil, nil, serviceapi.WithHeader("Accept", "text/html"))
	require.NoError(t, err)
	_, err = client.Branches.Delete(t.Context(), somewhere, "main")
	require.NoError(t, err, "an empty body is no page")
}

// TestNoPages checks that anything else still is a success.
func TestNoPages(t *testing.T) {
	for _, tc := range []struct {
		contentType, body string
	}{
		{"application/json", `{"message":"<html>"}`}, {"text/html", `{"message":"202 Accepted"}`},
		{"text/html", "\n"}, {"text/plain", "OK"}, {"application/xml", "<Result><Code>x</Code></Result>"},
		{"application/json", "null"}, {"text/plain", "<5 items"}, {"application/json", `{"mess`},
	} {
		client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", tc.contentType)
			_, _ = io.WriteString(w, tc.body)
		})
		for name, call := range statusCalls(t, client) {
			assert.NoError(t, call(), "%s: %v", name, tc)
		}
	}
}

// TestPagesInsteadOfObjects checks that the error of a read or a write with a result says so,
// too.
func TestPagesInsteadOfObjects(t *testing.T) {
	for body, isPage := range map[string]bool{"<html><body>Sign in</body></html>": true, "[1": false} {
		client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) })
		_, _, err := client.Jobs.Get(t.Context(), somewhere, 8)
		var e *serviceapi.DecodeError
		require.ErrorAs(t, err, &e)
		assert.Equal(t, isPage, e.WebPage)
		_, _, err = client.Jobs.Retry(t.Context(), somewhere, 8, serviceapi.RetryJobOptions{})
		require.ErrorAs(t, err, &e)
		assert.Equal(t, isPage, e.WebPage)
		if isPage {
			assert.ErrorContains(t, err, "the service may have executed the request")
		} else {
			assert.ErrorContains(t, err, "the service has executed the request")
		}
	}
}
