package serviceapi

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type secretThing struct {
	Name     string `json:"name"`
	Password Secret `json:"password"`
}

func TestDump(t *testing.T) {
	const password = "pass-word-of-body"
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "bytes") }))
	defer elsewhere.Close()
	client, server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/artifacts") {
			http.Redirect(w, r, elsewhere.URL+"/x?signature=presigned", http.StatusFound)
			return
		}
		w.Header().Set("Set-Cookie", "_service_session=cookie-secret")
		w.Header().Set("X-Echo", r.Header.Get("Private-Token"))
		fmt.Fprintf(w, `{"id":8,"name":"echo of %s and %s"}`, password, testSecret)
	})
	var b bytes.Buffer
	dump := func(o DumpOptions) RequestOption { b.Reset(); return WithDump(&b, o) }
	post := func(o DumpOptions) string {
		var out Job
		_, err := client.Do(t.Context(), "POST", EscapedPath("/things"), secretThing{"it's", NewSecret(password)}, &out, dump(o), WithQuery("a", "b"))
		require.NoError(t, err)
		assert.Contains(t, out.Name, password, "the response itself is not changed")
		for _, secret := range []string{password, testSecret, "cookie-secret"} {
			assert.NotContains(t, b.String(), secret)
		}
		return b.String()
	}

	text := post(DumpOptions{Bodies: true})
	assert.Contains(t, text, "> POST "+server.URL+"/api/v4/things?a=b\n")
	assert.Contains(t, text, "> Private-Token: [redacted]\n")
	assert.Contains(t, text, `{"name":"it's","password":"[redacted]"}`)
	assert.Contains(t, text, "< HTTP/1.1 200 OK\n")
	assert.Contains(t, text, "< X-Echo: [redacted]\n")
	assert.Contains(t, text, `{"id":8,"name":"echo of [redacted] and [redacted]"}`)

	text = post(DumpOptions{})
	assert.NotContains(t, text, "it's")
	assert.NotContains(t, text, "echo of")

	text = post(DumpOptions{Bodies: true, MaxBody: 10})
	assert.Contains(t, text, `{"name":"i… (`)
	assert.Contains(t, text, `{"id":8,"n… (`)

	text = post(DumpOptions{Bodies: true, Curl: true})
	assert.Contains(t, text, "curl -X POST '"+server.URL+"/api/v4/things?a=b'")
	assert.Contains(t, text, `--data-raw '{"name":"it'\''s","password":"[redacted]"}'`)
	assert.NotContains(t, strings.ToLower(text), "private-token:")

	d, _, err := client.JobArtifacts.Download(t.Context(), ProjectID(1), 8, dump(DumpOptions{Bodies: true}))
	require.NoError(t, err)
	content, err := io.ReadAll(d)
	require.NoError(t, err)
	require.NoError(t, d.Close())
	assert.Equal(t, "bytes", string(content))
	assert.Contains(t, b.String(), "> GET "+elsewhere.URL+"/x?[redacted]\n")
	assert.Contains(t, b.String(), "< Location: "+elsewhere.URL+"/x?[redacted]\n")
	assert.NotContains(t, b.String(), "presigned")

	server.Close()
	_, err = getJob(t.Context(), client, dump(DumpOptions{Curl: true}), WithRetry(RetryPolicy{MaxAttempts: 1}))
	require.Error(t, err)
	assert.Contains(t, b.String(), "connection refused")

	_, err = getJob(t.Context(), client, WithDump(nil, DumpOptions{}))
	assertRefused(t, "dump", err)
}

// A response with a token is not dumped, whatever else is.
func TestDumpLeavesOutTokens(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"id":1,"token":"glrt-very-secret"}`) })
	var b bytes.Buffer
	runner, _, err := client.Runners.Register(t.Context(), RegisterRunnerOptions{Token: NewSecret("registration-token")}, WithDump(&b, DumpOptions{Bodies: true}))
	require.NoError(t, err)
	assert.Equal(t, "glrt-very-secret", runner.Token.Reveal())
	assert.NotContains(t, b.String(), "glrt-very-secret")
	assert.NotContains(t, b.String(), "registration-token")
	assert.Contains(t, b.String(), "200 OK")
}
