package serviceapi

import (
	"bytes"
	"encoding/base64"
	"errors"
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
	assert.Contains(t, b.String(), "\n(a redirect: the body is left out)\n")

	server.Close()
	_, err = getJob(t.Context(), client, dump(DumpOptions{Curl: true}), WithRetry(RetryPolicy{MaxAttempts: 1}))
	require.Error(t, err)
	assert.Contains(t, b.String(), "connection refused")

	_, err = getJob(t.Context(), client, WithDump(nil, DumpOptions{}))
	assertRefused(t, "dump", err)
}

// TestDumpOfARedirectThatQuotesTheCredential checks that the requests after a
// redirect, which have no credential, do not show it in their paths either.
func TestDumpOfARedirectThatQuotesTheCredential(t *testing.T) {
	var elsewhere *httptest.Server
	elsewhere = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/first/") {
			http.Redirect(w, r, elsewhere.URL+strings.Replace(r.URL.Path, "first", "second", 1), http.StatusFound)
			return
		}
		fmt.Fprintf(w, `{"id":8,"name":%q}`, r.URL.Path)
	}))
	defer elsewhere.Close()
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere.URL+"/first/"+r.Header.Get("Private-Token")+"/x", http.StatusFound)
	})
	for _, options := range []DumpOptions{{Bodies: true}, {Curl: true}} {
		var b bytes.Buffer
		_, err := getJob(t.Context(), client, WithDump(&b, options))
		require.NoError(t, err)
		assert.NotContains(t, b.String(), testSecret)
		assert.Contains(t, b.String(), elsewhere.URL+"/first/[redacted]/x")
		assert.Contains(t, b.String(), elsewhere.URL+"/second/[redacted]/x")
	}
}

// A response with a token is never dumped.
func TestDumpLeavesOutTokens(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"id":1,"token":"glrt-very-secret"}`) })
	var b bytes.Buffer
	runner, _, err := client.Runners.Register(t.Context(), RegisterRunnerOptions{Token: NewSecret("registration-token")}, WithDump(&b, DumpOptions{Bodies: true}))
	require.NoError(t, err)
	assert.Equal(t, "glrt-very-secret", runner.Token.Reveal())
	assert.NotContains(t, b.String(), "glrt-very-secret")
	assert.NotContains(t, b.String(), "registration-token")
	assert.Contains(t, b.String(), "200 OK")
	assert.Contains(t, b.String(), "\n(a response with a secret: the body is left out)\n")
}

// TestDumpOfAnExchange checks every line, with and without bodies, and as a
// curl command.
func TestDumpOfAnExchange(t *testing.T) {
	answer := status(201, `{"id":8}`, "X-B", "b", "X-A", "a\x1bz", "Set-Cookie", "s=1")
	client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, answer)
	client, err := client.With(WithHeader("X-Own", "it's"), WithUserAgent("me"))
	require.NoError(t, err)
	const head = "> POST https://service.test/api/v4/things?a=1\n" +
		"> Accept: application/json\n> Content-Type: application/json\n> Private-Token: [redacted]\n> User-Agent: me serviceapi-go/" + Version + "\n> X-Own: it's\n"
	const tail = "< HTTP/1.1 \n< Content-Type: application/json\n< Set-Cookie: [redacted]\n< X-A: a\\x1bz\n< X-B: b\n"
	dumped := func(options DumpOptions) string {
		var b strings.Builder
		var out Job
		_, err := client.Do(t.Context(), "POST", Route("/things"), map[string]string{"name": "it's"}, &out, WithQuery("a", "1"), WithDump(&b, options))
		require.NoError(t, err)
		assert.EqualValues(t, 8, out.ID)
		return b.String()
	}
	assert.Equal(t, head+"\n"+tail+"\n", dumped(DumpOptions{}))
	assert.Equal(t, head+">\n{\"name\":\"it's\"}\n\n"+tail+"\n{\"id\":8}\n\n", dumped(DumpOptions{Bodies: true}))
	const command = "curl -X POST 'https://service.test/api/v4/things?a=1' \\\n  -H 'Accept: application/json' \\\n  -H 'Content-Type: application/json' \\\n" +
		"  -H 'User-Agent: me serviceapi-go/" + Version + "' \\\n  -H 'X-Own: it'\\''s'"
	assert.Equal(t, command+"\n\n"+tail+"\n", dumped(DumpOptions{Curl: true}))
	assert.Equal(t, command+" \\\n  --data-raw '{\"name\":\"it'\\''s\"}'\n\n"+tail+"\n{\"id\":8}\n\n", dumped(DumpOptions{Curl: true, Bodies: true}))
}

// TestDumpSizes checks that a body as long as the limit is complete, and that a
// longer one is cut and its length is written.
func TestDumpSizes(t *testing.T) {
	dumped := func(request, response int, options DumpOptions) string {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(200, `"`+strings.Repeat("r", response-2)+`"`))
		var b strings.Builder
		var out string
		options.Bodies = true
		_, err := client.Do(t.Context(), "POST", Route("/things"), strings.Repeat("q", request-2), &out, WithDump(&b, options))
		require.NoError(t, err)
		assert.Len(t, out, response-2)
		return b.String()
	}
	text := dumped(10, 10, DumpOptions{MaxBody: 10})
	assert.Contains(t, text, ">\n\"qqqqqqqq\"\n\n")
	assert.Contains(t, text, "\n\n\"rrrrrrrr\"\n\n")
	text = dumped(11, 12, DumpOptions{MaxBody: 10})
	assert.Contains(t, text, ">\n\"qqqqqqqqq… (11 bytes)\n\n")
	assert.Contains(t, text, "\n\n\"rrrrrrrrr… (12 bytes)\n\n")
	text = dumped(4096, 4096, DumpOptions{})
	assert.NotContains(t, text, "bytes)")
	text = dumped(4097, 4098, DumpOptions{})
	assert.Contains(t, text, "… (4097 bytes)")
	assert.Contains(t, text, "… (4098 bytes)")
	text = dumped(100_000, 200_000, DumpOptions{})
	assert.Contains(t, text, strings.Repeat("q", 4095)+"… (100000 bytes)")
	assert.Contains(t, text, strings.Repeat("r", 4095)+"… (200000 bytes)")
	_, err := getJob(t.Context(), onWire(t), WithDump(io.Discard, DumpOptions{MaxBody: -1}))
	assertRefused(t, "MaxBody", err)
}

// TestDumpHidesSecretsAtACut checks that a secret that is cut in the middle is
// hidden, too.
func TestDumpHidesSecretsAtACut(t *testing.T) {
	for before := range 40 {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(200, `"`+strings.Repeat("x", before)+" "+testSecret+`"`))
		var b strings.Builder
		_, err := client.Do(t.Context(), "GET", Route("/things"), nil, new(string), WithCredential(PrivateToken(testSecret)), WithDump(&b, DumpOptions{Bodies: true, MaxBody: 30}))
		require.NoError(t, err)
		assert.NotContains(t, b.String(), "S3cr3t", before)
	}
	// The server repeats the secret in a header of the maximum length.
	client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(200, `{}`, "X-Long", strings.Repeat("é", 1001)))
	var b strings.Builder
	_, err := client.Do(t.Context(), "GET", Route("/things"), nil, nil, WithDump(&b, DumpOptions{}))
	require.NoError(t, err)
	assert.Contains(t, b.String(), "< X-Long: "+strings.Repeat("é", 1000)+"…\n")
}

// TestDumpOfStreams checks that neither an upload nor a download is dumped, but
// an error response in place of a download is.
func TestDumpOfStreams(t *testing.T) {
	client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(200, "the log"), status(404, `{"message":"no log"}`), status(201, `{}`))
	var b strings.Builder
	dump := WithDump(&b, DumpOptions{Bodies: true})
	d, _, err := client.Jobs.Trace(t.Context(), ProjectID(1), 8, dump)
	require.NoError(t, err)
	content, err := io.ReadAll(d)
	require.NoError(t, err)
	assert.Equal(t, "the log", string(content))
	require.NoError(t, d.Close())
	assert.NotContains(t, b.String(), "the log")
	assert.True(t, strings.HasSuffix(b.String(), "\n\n(a stream: the body is left out)\n\n"), b.String())
	_, _, err = client.Jobs.Trace(t.Context(), ProjectID(1), 8, dump)
	require.ErrorIs(t, err, ErrNotFound)
	assert.Contains(t, b.String(), `{"message":"no log"}`)
	b.Reset()
	require.NoError(t, uploadTo(t.Context(), client, Upload{Filename: "a", Content: strings.NewReader("secret content")}, dump))
	assert.NotContains(t, b.String(), "secret content")
	assert.Regexp(t, `>\n\(a file, \d{3} bytes: the body is left out\)\n`, b.String())
}

// TestDumpOfFailures checks that errors are dumped cut and safe to print, and
// returned unchanged.
func TestDumpOfFailures(t *testing.T) {
	broken := errors.New("broke\n" + strings.Repeat("é", 2000))
	client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, failure(broken))
	var b strings.Builder
	_, err := getJob(t.Context(), client, WithDump(&b, DumpOptions{}))
	require.ErrorIs(t, err, broken)
	assert.True(t, strings.HasSuffix(b.String(), "\n\n< broke\\n"+strings.Repeat("é", 1000-6)+"…\n\n"))

	cut := &watchedBody{Reader: io.MultiReader(strings.NewReader(`{"id":`), &failingReader{io.ErrUnexpectedEOF})}
	b.Reset()
	_, err = getJob(t.Context(), bodyClient(t, 200, cut, -1), WithDump(&b, DumpOptions{Bodies: true}))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	assert.True(t, strings.HasSuffix(b.String(), "\n\n{\"id\":\n\n"), b.String())
	assert.Equal(t, 1, strings.Count(b.String(), `{"id":`), "it is dumped once")
	assert.Positive(t, cut.closed)

	unread := &watchedBody{Reader: strings.NewReader(strings.Repeat("x", 1<<20))}
	b.Reset()
	_, err = bodyClient(t, 200, unread, -1).JobArtifacts.Delete(t.Context(), ProjectID(1), 8, WithDump(&b, DumpOptions{Bodies: true}))
	require.NoError(t, err)
	assert.Contains(t, b.String(), "… (65536 bytes)\n\n", "what was read until it was closed")
}

// TestDumpOfAddresses checks that queries of the service are shown, and those
// of other origins are not.
func TestDumpOfAddresses(t *testing.T) {
	client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1},
		status(302, "", "Location", "/moved?page=2"), status(302, "", "Location", "https://store.test/x?signature=1"), okJob)
	var b strings.Builder
	_, err := getJob(t.Context(), client, WithDump(&b, DumpOptions{Bodies: true}), WithQuery("q", "v"))
	require.NoError(t, err)
	for _, line := range []string{
		"> GET https://service.test/api/v4/projects/1/jobs/8?q=v\n", "< Location: /moved?page=2\n", "> GET https://service.test/moved?page=2\n",
		"< Location: https://store.test/x?[redacted]\n", "> GET https://store.test/x?[redacted]\n",
	} {
		assert.Contains(t, b.String(), line)
	}
	assert.NotContains(t, b.String(), "signature")
}

// TestDumpHidesEveryCredential, in its header and where the service echoes it.
func TestDumpHidesEveryCredential(t *testing.T) {
	for _, cred := range append(credentials(), basicCredential("root", testSecret)) {
		client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			for _, name := range []string{"Authorization", "Private-Token", "Job-Token", "Cookie"} {
				if value := r.Header.Get(name); value != "" {
					w.Header().Set("X-Echo", value)
				}
			}
			fmt.Fprintf(w, `{"id":8,"name":%q}`, w.Header().Get("X-Echo"))
		}, WithCredential(cred))
		for _, curl := range []bool{false, true} {
			var b bytes.Buffer
			_, err := getJob(t.Context(), client, WithDump(&b, DumpOptions{Bodies: true, Curl: curl}))
			require.NoError(t, err)
			assert.NotContains(t, b.String(), testSecret)
			assert.NotContains(t, b.String(), base64.StdEncoding.EncodeToString([]byte("root:"+testSecret)))
			assert.Contains(t, b.String(), "X-Echo: ")
			if curl {
				assert.NotRegexp(t, `-H '(Authorization|Private-Token|Job-Token|Cookie):`, b.String())
			} else {
				assert.Regexp(t, `(?m)^> (Authorization|Private-Token|Job-Token|Cookie): \[redacted\]$`, b.String())
			}
		}
	}
}

// TestDumpOfABodyThatIsShortOnlyWithoutItsSecrets says how long it was.
func TestDumpOfABodyThatIsShortOnlyWithoutItsSecrets(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `"`+testSecret+` `+testSecret+`"`) })
	var b bytes.Buffer
	var out string
	_, err := client.Do(t.Context(), "GET", Route("/things"), nil, &out, WithDump(&b, DumpOptions{Bodies: true, MaxBody: 30}))
	require.NoError(t, err)
	assert.Contains(t, b.String(), fmt.Sprintf(`"[redacted] [redacted]"… (%d bytes)`, len(out)+2))
}
