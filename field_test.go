package serviceapi

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// These tests are about real deployments of the service: below a path, under
// another name, behind proxies and login pages.

func TestDeploymentsBelowAPath(t *testing.T) {
	var paths []string
	_, server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		paths = append(paths, r.URL.EscapedPath())
		if r.URL.RawQuery == "per_page=100" {
			w.Header().Set("Link",
				fmt.Sprintf(`<http://%s/tools/service/api/v4/projects/1/jobs?page=2>; rel=next`, r.Host))
		}
		io.WriteString(w, `[{"id":8}]`)
	})
	client := clientOf(t, server.URL+"/tools/service/")
	jobs, err := Collect(client.Jobs.All(t.Context(), ProjectPath("a/b"), nil))
	require.NoError(t, err)
	assert.Len(t, jobs, 2)
	const path = "/tools/service/api/v4/projects/a%2Fb/jobs"
	assert.Equal(t, []string{path, path}, paths)
}

func TestRateLimitsOfProxies(t *testing.T) {
	reset := time.Now().Add(time.Hour).Truncate(time.Second)
	for _, prefix := range []string{"RateLimit-", "X-RateLimit-", "x-ratelimit-"} {
		client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set(prefix+"Limit", "600")
			w.Header().Set(prefix+"Remaining", "599")
			w.Header().Set(prefix+"Reset", fmt.Sprint(reset.Unix()))
			io.WriteString(w, `{"id":8}`)
		})
		_, resp, err := client.Jobs.Get(t.Context(), ProjectID(1), 8)
		require.NoError(t, err)
		assert.Equal(t, RateLimit{600, 599, reset}, resp.RateLimit, prefix)
		synctest.Test(t, func(t *testing.T) {
			client, s := scriptedClient(t, RetryPolicy{}, status(429, ``, prefix+"Reset", "4"), okJob)
			_, err := getJob(t.Context(), client)
			require.NoError(t, err)
			assert.GreaterOrEqual(t, s.Times[1].Sub(s.Times[0]), 4*time.Second, prefix)
		})
	}
}

// TestProxiesThatStripLinks uses HTTP/2, which has header names in lower case.
func TestProxiesThatStripLinks(t *testing.T) {
	client := serveHTTP2(t, func(w http.ResponseWriter, r *http.Request) {
		page := r.URL.Query().Get("page")
		if page == "" {
			w.Header().Set("X-Next-Page", "2")
		}
		w.Header().Set("X-Acme-Meta", `{"version":"1"}`)
		fmt.Fprintf(w, `[{"name":%q}]`, "page "+page)
	})
	var metas []string
	jobs, err := Collect(client.Jobs.All(t.Context(), ProjectID(1), nil, WithPageObserver(func(r *Response) {
		metas = append(metas, r.Header.Get("X-Acme-Meta"))
	})))
	require.NoError(t, err)
	require.Len(t, jobs, 2)
	assert.Equal(t, "page 2", jobs[1].Name)
	assert.Equal(t, []string{`{"version":"1"}`, `{"version":"1"}`}, metas)
}

const loginPage = `<!DOCTYPE html><html><head><title>Sign in · Acme</title></head><body>Sign in</body></html>`

func TestLoginWalls(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/api/") {
			http.Redirect(w, r, "/users/sign_in", http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, loginPage)
	})
	_, err := getJob(t.Context(), client)
	var decode *DecodeError
	require.ErrorAs(t, err, &decode)
	assert.ErrorContains(t, err, "/users/sign_in")
	assert.ErrorContains(t, err, "HTML instead of JSON; is this the address of the API?")
	_, err = Collect(client.Jobs.All(t.Context(), ProjectID(1), nil))
	assert.ErrorContains(t, err, "HTML instead of JSON")
	_, _, err = client.Jobs.Retry(t.Context(), ProjectID(1), 8, RetryJobOptions{})
	require.Error(t, err, "a write does not follow it as a read")
	var redirect *RedirectError
	assert.ErrorAs(t, err, &redirect)
}

func TestMaintenancePages(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusServiceUnavailable)
		io.WriteString(w, `<html><head><title>Acme is down for maintenance</title></head></html>`)
	}, WithRetry(RetryPolicy{MaxAttempts: 2, MinWait: 1}))
	_, err := getJob(t.Context(), client)
	require.ErrorIs(t, err, ErrServer)
	assert.ErrorContains(t, err, "503 Acme is down for maintenance (not the API: a web page) (after 2 attempts)")
}

func TestRemoteImportS3(t *testing.T) {
	var paths []string
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		paths = append(paths, r.URL.Path)
		io.WriteString(w, `{"id":1,"import_status":"scheduled"}`)
	})
	for _, s3 := range []bool{false, true} {
		_, _, err := client.ProjectImport.FromObjectStore(t.Context(),
			ImportFromObjectStoreOptions{
				Path: "a", Region: "r", BucketName: "b", FileKey: "k",
				AccessKeyID: NewSecret("i"), SecretAccessKey: NewSecret("s"), RemoteImportS3: s3,
			})
		require.NoError(t, err)
	}
	assert.Equal(t, []string{"/api/v4/projects/remote-import-objstore", "/api/v4/projects/remote-import-s3"}, paths)
}
