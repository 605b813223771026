package serviceapi

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode"

	"example.com/serviceapi/internal/redact"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type secretThing struct {
	Name     string `json:"name"`
	Password Secret `json:"password"`
}

func TestDump(t *testing.T) {
	const password = "pass-word-of-body"
	elsewhere := httptest.NewServer(
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "bytes") }))
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
		_, err := client.Do(t.Context(), "POST", EscapedPath("/things"), secretThing{"it's", NewSecret(password)}, &out,
			dump(o), WithQuery("a", "b"))
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
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"id":1,"token":"glrt-very-secret"}`)
	})
	var b bytes.Buffer
	runner, _, err := client.Runners.Register(t.Context(),
		RegisterRunnerOptions{Token: NewSecret("registration-token")}, WithDump(&b, DumpOptions{Bodies: true}))
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
	reply := status(201, `{"id":8}`, "X-B", "b", "X-A", "a\x1bz", "Set-Cookie", "s=1")
	client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, reply)
	client, err := client.With(WithHeader("X-Own", "it's"), WithUserAgent("me"))
	require.NoError(t, err)
	const head = "> POST https://service.test/api/v4/things?a=1\n" +
		"> Accept: application/json\n> Content-Type: application/json\n> Private-Token: [redacted]\n> User-Agent: " +
		"me serviceapi-go/" + Version + "\n> X-Own: it's\n"
	const tail = "< HTTP/1.1 \n< Content-Type: application/json\n< Set-Cookie: [redacted]\n< X-A: a\\x1bz\n< X-B: b\n"
	dumped := func(options DumpOptions) string {
		var b strings.Builder
		var out Job
		_, err := client.Do(t.Context(), "POST", Route("/things"), map[string]string{"name": "it's"}, &out,
			WithQuery("a", "1"), WithDump(&b, options))
		require.NoError(t, err)
		assert.EqualValues(t, 8, out.ID)
		return b.String()
	}
	assert.Equal(t, head+"\n"+tail+"\n", dumped(DumpOptions{}))
	assert.Equal(t, head+">\n{\"name\":\"it's\"}\n\n"+tail+"\n{\"id\":8}\n\n", dumped(DumpOptions{Bodies: true}))
	const command = "curl -X POST 'https://service.test/api/v4/things?a=1' \\\n  -H 'Accept: application/json' " +
		"\\\n  -H 'Content-Type: application/json' \\\n" +
		"  -H 'User-Agent: me serviceapi-go/" + Version + "' \\\n  -H 'X-Own: it'\\''s'"
	assert.Equal(t, command+"\n\n"+tail+"\n", dumped(DumpOptions{Curl: true}))
	assert.Equal(t, command+" \\\n  --data-raw '{\"name\":\"it'\\''s\"}'\n\n"+tail+"\n{\"id\":8}\n\n",
		dumped(DumpOptions{Curl: true, Bodies: true}))
}

// TestDumpSizes checks that a body as long as the limit is complete, and that a
// longer one is cut and its length is written.
func TestDumpSizes(t *testing.T) {
	dumped := func(request, response int, options DumpOptions) string {
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(200, `"`+strings.Repeat("r", response-2)+
			`"`))
		var b strings.Builder
		var out string
		options.Bodies = true
		_, err := client.Do(t.Context(), "POST", Route("/things"), strings.Repeat("q", request-2), &out,
			WithDump(&b, options))
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
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(200, `"`+strings.Repeat("x", before)+" "+
			testSecret+`"`))
		var b strings.Builder
		_, err := client.Do(t.Context(), "GET", Route("/things"), nil, new(string),
			WithCredential(PrivateToken(testSecret)), WithDump(&b, DumpOptions{Bodies: true, MaxBody: 30}))
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
	client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(200, "the log"),
		status(404, `{"message":"no log"}`), status(201, `{}`))
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
	require.NoError(t, uploadTo(t.Context(), client,
		Upload{Filename: "a", Content: strings.NewReader("secret content")}, dump))
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
	_, err = bodyClient(t, 200, unread, -1).JobArtifacts.Delete(t.Context(), ProjectID(1), 8,
		WithDump(&b, DumpOptions{Bodies: true}))
	require.NoError(t, err)
	assert.Contains(t, b.String(), "… (65536 bytes)\n\n", "what was read until it was closed")
}

// TestDumpOfAFailureWithoutItsAddress checks that an address in the error of a transport, which
// may be signed, is not dumped.
func TestDumpOfAFailureWithoutItsAddress(t *testing.T) {
	broken := &url.Error{Op: "Get", URL: "https://store.test/x?signature=1", Err: errors.New("broke")}
	client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, failure(broken))
	var b strings.Builder
	_, err := getJob(t.Context(), client, WithDump(&b, DumpOptions{}))
	require.Error(t, err)
	assert.Contains(t, b.String(), "broke")
	assert.NotContains(t, b.String()+err.Error(), "signature")
}

// TestDumpOfAddresses checks that queries of the service are shown, and those
// of other origins are not.
func TestDumpOfAddresses(t *testing.T) {
	client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1},
		status(302, "", "Location", "/moved?page=2"), status(302, "", "Location", "https://store.test/x?signature=1"),
		okJob)
	var b strings.Builder
	_, err := getJob(t.Context(), client, WithDump(&b, DumpOptions{Bodies: true}), WithQuery("q", "v"))
	require.NoError(t, err)
	for _, line := range []string{
		"> GET https://service.test/api/v4/projects/1/jobs/8?q=v\n", "< Location: /moved?page=2\n",
		"> GET https://service.test/moved?page=2\n",
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
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `"`+testSecret+` `+testSecret+`"`)
	})
	var b bytes.Buffer
	var out string
	_, err := client.Do(t.Context(), "GET", Route("/things"), nil, &out,
		WithDump(&b, DumpOptions{Bodies: true, MaxBody: 30}))
	require.NoError(t, err)
	assert.Contains(t, b.String(), fmt.Sprintf(`"[redacted] [redacted]"… (%d bytes)`, len(out)+2))
}

// TestDumpHidesSessions checks a session cookie whose value is echoed alone, and
// one that the service sets.
func TestDumpHidesSessions(t *testing.T) {
	for _, cred := range []Credential{SessionCookie(testSecret), SessionCookieNamed("_acme_session", testSecret)} {
		client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			cookie := r.Cookies()[0].Value
			http.SetCookie(w, &http.Cookie{Name: "next", Value: "rotated-session-value"})
			w.Header().Set("X-Session", "it is "+cookie+".")
			fmt.Fprintf(w, `{"id":8,"name":"%s, then rotated-session-value"}`, cookie)
		}, WithCredential(cred))
		var b bytes.Buffer
		job, err := getJob(t.Context(), client, WithDump(&b, DumpOptions{Bodies: true}))
		require.NoError(t, err)
		assert.Equal(t, testSecret+", then rotated-session-value", job.Name, "it did arrive")
		assert.NotContains(t, b.String(), testSecret)
		assert.NotContains(t, b.String(), "rotated-session-value")
		assert.Contains(t, b.String(), "< X-Session: it is [redacted].\n")
		assert.Contains(t, b.String(), `"[redacted], then [redacted]"`)
	}
}

// TestDumpHidesPresignedURLs checks every place where a service writes URLs.
func TestDumpHidesPresignedURLs(t *testing.T) {
	const store = "https://store.test/b/x"
	presigned := func(t *testing.T, opts ...RequestOption) string {
		client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			h := w.Header()
			h.Set("Link", `<`+store+`?signed1>; rel="enclosure", </next?page=2&per_page=5>; rel="first"`)
			h.Set("Content-Location", store+"?signed2")
			h.Set("Refresh", "5; url="+store+"?signed3")
			h.Set("X-Trail", "via //store.test/x?signed4 and https://user:signed5@store.test/y#signed6")
			h.Set("X-Own", "http://"+r.Host+"/uploads/a?X-Amz-Signature=signed7&page=3")
			fmt.Fprint(w, `{"id":8,"a":"https:\/\/store.test\/b?signed8=\/signed8\u0026signed8","b":"`+store+
				`?signed9&signed9",`+
				`"c":"http://`+r.Host+`/go?page=4&to=https%3A%2F%2Fstore.test%2Fb%3FX-Amz-Signature%3Dsigned10%26x`+
				`&z=5"}`)
		}, WithSudo(UserID(3)))
		var b bytes.Buffer
		body := map[string]string{"remote": store + "?signed11"}
		_, err := client.Do(t.Context(), "POST", EscapedPath("/things"), body, new(Job),
			append(opts, WithDump(&b, DumpOptions{Bodies: true}))...)
		require.NoError(t, err)
		return b.String()
	}
	text := presigned(t)
	assert.NotContains(t, text, "signed1")
	for n := 2; n <= 11; n++ {
		assert.NotContains(t, text, fmt.Sprint("signed", n))
	}
	for _, kept := range []string{
		store + "?[redacted]>; rel", "</next?page=2&per_page=5>", "&page=3", "page=4&to=", "&z=5",
		"//store.test/x?[redacted] and", `{"remote":"` + store + `?[redacted]"}`,
		`https:\/\/store.test\/b?[redacted]","b"`,
	} {
		assert.Contains(t, text, kept)
	}

	for _, target := range []string{store + "/%zz?signed", "https://[::1/x?signed", store + "/%zz#signed",
		"https://u:signed@h/%zz"} {
		client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", target)
			w.WriteHeader(http.StatusFound)
		})
		var b bytes.Buffer
		_, err := getJob(t.Context(), client, WithDump(&b, DumpOptions{}))
		require.Error(t, err)
		assert.NotContains(t, b.String(), "signed")
		assert.Contains(t, b.String(), "< Location: https://")
	}
}

// TestDumpIsSafeToPrint checks that nothing in a request or a response controls
// the terminal that a dump is printed on.
func TestDumpIsSafeToPrint(t *testing.T) {
	const hostile = "\x1b]0;title\a\u202Egpj\u009b2J\r\x7f"
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/moved" {
			w.Header().Set("Content-Type", "text/plain")
			io.WriteString(w, "first\n\tsecond "+hostile)
			return
		}
		w.Header().Set("Location", "/moved?q=\u202Egpj")
		w.WriteHeader(http.StatusTemporaryRedirect)
	})
	for _, curl := range []bool{false, true} {
		var b bytes.Buffer
		body := map[string]string{"title": "it's \u202Egpj\u009b \\ \x7f"}
		_, err := client.Do(t.Context(), "POST", EscapedPath("/things"), body, new(Job),
			WithDump(&b, DumpOptions{Bodies: true, Curl: curl}), WithHeader("X-Own", "\u202Ea"))
		var decode *DecodeError
		require.ErrorAs(t, err, &decode)
		for _, r := range b.String() {
			assert.True(t, r == '\n' || r == '\t' || unicode.IsGraphic(r), "%q", r)
		}
		assert.Contains(t, b.String(), "\n\nfirst\n\tsecond \\x1b]0;title\\a\\u202egpj\\u009b2J\\r\\x7f\n")
		assert.Contains(t, b.String(), `\u202egpj`)
		if curl {
			assert.Contains(t, b.String(), `--data-raw $'{"title":"it\'s \u202egpj\u009b \\\\ \x7f"}'`)
			assert.Contains(t, b.String(), `-H $'X-Own: \u202ea'`)
		}
	}
}

// TestDumpHidesBeginningsOfSecrets checks a body so full of secrets that hiding
// them moves the end of what was read, where half a secret is, to the front.
func TestDumpHidesBeginningsOfSecrets(t *testing.T) {
	secret := strings.Repeat("s3cret", 200)
	for offset := range 40 {
		client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintf(w, `{"name":"%s%s"}`, strings.Repeat("x", 31*offset), strings.Repeat(secret+" ", 40))
		}, WithCredential(PrivateToken(secret)))
		var b bytes.Buffer
		job, err := getJob(t.Context(), client, WithDump(&b, DumpOptions{Bodies: true}))
		require.NoError(t, err)
		assert.Contains(t, job.Name, secret)
		assert.NotContains(t, b.String(), "s3cret", offset)
	}
}

// TestDumpHidesSecretsNearTheCut checks every position of a secret at the end of
// what a dump shows, in bodies of requests and responses.
func TestDumpHidesSecretsNearTheCut(t *testing.T) {
	const password = "pass-word-of-body"
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Write(body)
	})
	for limit := 1; limit < 80; limit++ {
		var b bytes.Buffer
		var out map[string]string
		_, err := client.Do(t.Context(), "POST", EscapedPath("/things"), secretThing{"a name", NewSecret(password)},
			&out,
			WithDump(&b, DumpOptions{Bodies: true, MaxBody: limit}))
		require.NoError(t, err)
		assert.Equal(t, password, out["password"])
		assert.NotContains(t, b.String(), "pass-", limit)
	}
}

// TestDumpWritesOneAtATime checks that a writer without a lock of its own is
// enough for calls that run at the same time.
func TestDumpWritesOneAtATime(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"id":8}`) })
	var writing, overlaps atomic.Int32
	var b strings.Builder
	dump := WithDump(writerFunc(func(p []byte) (int, error) {
		if writing.Add(1) > 1 {
			overlaps.Add(1)
		}
		defer writing.Add(-1)
		time.Sleep(time.Millisecond)
		return b.Write(p)
	}), DumpOptions{Bodies: true})
	var calls sync.WaitGroup
	for range 16 {
		calls.Go(func() {
			_, err := getJob(t.Context(), client, dump)
			assert.NoError(t, err)
		})
	}
	calls.Wait()
	assert.Zero(t, overlaps.Load())
	assert.Equal(t, 16, strings.Count(b.String(), "> GET "))
	assert.Equal(t, 16, strings.Count(b.String(), "\n\n{\"id\":8}\n\n"))
}

// TestDumpKeepsOnlyWhatItShows checks that a dump keeps no more of a long body than the part that
// it shows, and what a secret at its cut may need.
func TestDumpKeepsOnlyWhatItShows(t *testing.T) {
	content := strings.NewReader(strings.Repeat("x", 1<<20))
	d := &dumper{w: io.Discard, options: DumpOptions{MaxBody: 10}}
	b := &dumpedBody{ReadCloser: io.NopCloser(content), dumper: d, mask: &mask{}}
	n, err := io.Copy(io.Discard, b)
	require.NoError(t, err)
	assert.EqualValues(t, 1<<20, n)
	assert.Len(t, b.kept, 10+redact.Margin)
}

// TestDumpOfABodyThatEndsLikeASecret checks that nothing is left out at the end of a body that is
// dumped whole: only at a cut may there be the beginning of a secret.
func TestDumpOfABodyThatEndsLikeASecret(t *testing.T) {
	var dump strings.Builder
	client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1}, status(400, "a bad "+testSecret[:6]))
	_, err := getJob(t.Context(), client, WithCredential(PrivateToken(testSecret)),
		WithDump(&dump, DumpOptions{Bodies: true}))
	require.ErrorIs(t, err, ErrBadRequest)
	assert.Contains(t, dump.String(), "\na bad "+testSecret[:6]+"\n")
}

// TestDumpOfAMalformedLocation checks that its query is hidden from the first character on.
func TestDumpOfAMalformedLocation(t *testing.T) {
	for location, want := range map[string]string{
		"/%zz?signed": "/%zz?[redacted]", "/%zz#signed": "/%zz#[redacted]", "/%zz?": "/%zz?[redacted]", "/%zz": "/%zz",
		"#%zzsigned": "#[redacted]",
	} {
		var dump strings.Builder
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1},
			status(400, "", "Location", location, "Content-Location", location))
		_, err := getJob(t.Context(), client, WithDump(&dump, DumpOptions{}))
		require.Error(t, err)
		assert.Contains(t, dump.String(), "< Location: "+want+"\n")
		assert.Contains(t, dump.String(), "< Content-Location: "+want+"\n")
	}
}

// TestDumpOfARedirectWithoutItsRequest checks a transport of the caller's own whose responses
// do not say which request they are for.
func TestDumpOfARedirectWithoutItsRequest(t *testing.T) {
	without := func(reply func(*http.Request) (*http.Response, error)) func(*http.Request) (*http.Response, error) {
		return func(r *http.Request) (*http.Response, error) {
			resp, err := reply(r)
			resp.Request = nil
			return resp, err
		}
	}
	var dump strings.Builder
	client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1},
		without(status(302, "", "Location", "/moved")), without(okJob))
	job, err := getJob(t.Context(), client, WithDump(&dump, DumpOptions{}))
	require.NoError(t, err)
	assert.EqualValues(t, 8, job.ID)
	assert.Contains(t, dump.String(), "> GET https://service.test/moved\n")
}

// TestSecretAtTheCutOfADump checks that a secret is hidden wherever the body is cut.
func TestSecretAtTheCutOfADump(t *testing.T) {
	const secret = "s3cr3t-t0ken-value"
	for limit := range 60 {
		var dump strings.Builder
		client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1},
			status(400, `{"message":"you sent `+secret+`, twice"}`))
		_, err := getJob(t.Context(), client, WithCredential(PrivateToken(secret)),
			WithDump(&dump, DumpOptions{Bodies: true, MaxBody: limit}))
		require.ErrorIs(t, err, ErrBadRequest)
		for part := 4; part <= len(secret); part++ {
			assert.NotContains(t, dump.String(), secret[:part], limit)
		}
		assert.Equal(t, limit >= 31 || limit == 0, strings.Contains(dump.String(), "you sent [redacted]"), "%d: %s",
			limit, dump.String())
	}
}
