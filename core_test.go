package serviceapi

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// serve starts a server and returns a client of it that retries quickly.
func serve(t testing.TB, handler http.HandlerFunc, opts ...Option) (*Client, *httptest.Server) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return clientOf(t, server.URL, opts...), server
}

func clientOf(t testing.TB, url string, opts ...Option) *Client {
	t.Helper()
	opts = append([]Option{WithRetry(RetryPolicy{MinWait: time.Millisecond, MaxWait: 2 * time.Second})}, opts...)
	client, err := NewClient(url, PrivateToken(testSecret), opts...)
	require.NoError(t, err)
	t.Cleanup(client.CloseIdleConnections)
	return client
}

// testSecret must never be printed.
const testSecret = "token-S3cr3t-S3cr3t"

// countConnections counts the open connections of a server that was not started
// yet.
func countConnections(server *httptest.Server, open *atomic.Int32) {
	server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		switch s {
		case http.StateNew:
			open.Add(1)
		case http.StateClosed, http.StateHijacked:
			open.Add(-1)
		}
	}
}

func getJob(ctx context.Context, c *Client, opts ...RequestOption) (*Job, error) {
	job, _, err := c.Jobs.Get(ctx, ProjectID(1), 8, opts...)
	return job, err
}

func TestBaseURLForms(t *testing.T) {
	for raw, want := range map[string]string{
		"https://service.test":               "https://service.test",
		"https://service.test/":              "https://service.test",
		"https://service.test/api/v4":        "https://service.test",
		"https://service.test/api/v4/":       "https://service.test",
		"https://service.test/sub/path/":     "https://service.test/sub/path",
		"https://service.test/sub/api/v4":    "https://service.test/sub",
		" http://127.0.0.1:8080 ":            "http://127.0.0.1:8080",
		"https://service.test/my%20service/": "https://service.test/my%20service",
	} {
		c, err := NewClient(raw, Anonymous())
		require.NoError(t, err, raw)
		assert.Equal(t, want, c.BaseURL(), raw)
	}
	for _, raw := range []string{
		"", "service.test", "ftp://service.test", "https://", "https://user:" + testSecret + "@service.test",
		"https://service.test?private_token=" + testSecret, "https://service.test#x", "https://service.test/a/../b",
		"http://service.test/%zz" + testSecret, "https://service.test\n",
	} {
		c, err := NewClient(raw, Anonymous())
		if strings.TrimSpace(raw) == "https://service.test" {
			continue
		}
		var argument *ArgumentError
		require.ErrorAs(t, err, &argument, raw)
		assert.Nil(t, c)
		assert.NotContains(t, err.Error(), testSecret)
	}
}

func TestCredentialHeaders(t *testing.T) {
	var got http.Header
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Clone()
		w.Write([]byte(`{"id":8}`))
	})
	names := []string{"Private-Token", "Authorization", "Job-Token", "Cookie"}
	for _, tc := range []struct {
		cred         Credential
		header, want string
	}{
		{PrivateToken("abc"), "Private-Token", "abc"},
		{BearerToken("abc"), "Authorization", "Bearer abc"},
		{JobToken("abc"), "Job-Token", "abc"},
		{SessionCookie("abc"), "Cookie", "_service_session=abc"},
		{SessionCookieNamed("__Host-acme.session", "abc"), "Cookie", "__Host-acme.session=abc"},
		{basicCredential("root", "pass"), "Authorization", "Basic cm9vdDpwYXNz"},
		{Anonymous(), "", ""},
	} {
		_, err := getJob(t.Context(), client, WithCredential(tc.cred))
		require.NoError(t, err)
		for _, name := range names {
			want := ""
			if name == tc.header {
				want = tc.want
			}
			assert.Equal(t, want, got.Get(name), "%v: %s", tc.cred, name)
		}
	}
}

func TestBadCredentialsAreRefused(t *testing.T) {
	for _, cred := range []Credential{
		nil, PrivateToken(""), PrivateToken("a\nb"), BearerToken("a\r\nX: y"), JobToken(" a"), SessionCookie("a; b=c"),
		OAuth2(nil),
	} {
		_, err := NewClient("https://service.test", cred)
		var argument *ArgumentError
		assert.ErrorAs(t, err, &argument)
	}
}

func TestSudo(t *testing.T) {
	var got []string
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Values("Sudo")
		w.Write([]byte(`{"id":8}`))
	})
	sudo, err := client.With(WithSudo(Username("ada")))
	require.NoError(t, err)
	for _, tc := range []struct {
		client *Client
		opts   []RequestOption
		want   []string
	}{
		{client, nil, nil},
		{sudo, nil, []string{"ada"}},
		{sudo, []RequestOption{WithSudo(UserID(42))}, []string{"42"}},
		{sudo, []RequestOption{WithoutSudo()}, nil},
	} {
		_, err := getJob(t.Context(), tc.client, tc.opts...)
		require.NoError(t, err)
		assert.Equal(t, tc.want, got)
	}
	for _, bad := range []UserRef{Username(""), Username("a\nb"), UserID(0), UserID(-1), {}} {
		_, err := getJob(t.Context(), client, WithSudo(bad))
		var argument *ArgumentError
		assert.ErrorAs(t, err, &argument)
		_, err = client.With(WithSudo(bad))
		assert.ErrorAs(t, err, &argument)
	}
}

func TestWithDoesNotChangeTheOriginal(t *testing.T) {
	var seen atomic.Pointer[http.Header]
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		h := r.Header.Clone()
		seen.Store(&h)
		w.Write([]byte(`{"id":8}`))
	})
	// After three defaults, the slice that append has grown has room for a fourth.
	base, err := client.With(WithHeader("X-Base", "1"), WithHeader("X-More", "1"))
	require.NoError(t, err)
	a, err := base.With(WithHeader("X-Own", "a"))
	require.NoError(t, err)
	b, err := base.With(WithHeader("X-Own", "b"))
	require.NoError(t, err)
	for c, want := range map[*Client]string{base: "", a: "a", b: "b"} {
		_, err := getJob(t.Context(), c)
		require.NoError(t, err)
		assert.Equal(t, want, seen.Load().Get("X-Own"))
		assert.Equal(t, "1", seen.Load().Get("X-Base"))
	}
}

// TestOptionsOfCallsStayTheirs checks that what an option sets for one call, for one derived
// client, or for the polls of a write, is not left behind in the client.
func TestOptionsOfCallsStayTheirs(t *testing.T) {
	var queries, ifMatch []string
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		queries, ifMatch = append(queries, r.URL.RawQuery), append(ifMatch, r.Header.Get("If-Match"))
		w.Write([]byte(`{"id":8,"rebase_in_progress":false}`))
	})
	base, err := client.With(WithQuery("base", "1"), WithHeader("If-Match", "x"))
	require.NoError(t, err)
	_, err = base.With(WithQuery("own", "1"), WithHeader("If-Match", "y"))
	require.NoError(t, err)
	_, err = getJob(t.Context(), base, WithQuery("own", "2"), WithHeader("If-Match", "z"))
	require.NoError(t, err)
	_, err = base.MergeRequests.RebaseAndWait(t.Context(), ProjectID(1).MergeRequest(2), RebaseOptions{})
	require.NoError(t, err)
	_, err = getJob(t.Context(), base)
	require.NoError(t, err)
	const poll = "base=1&include_rebase_in_progress=true"
	assert.Equal(t, []string{"base=1&own=2", "base=1", poll, "base=1"}, queries)
	assert.Equal(t, []string{"z", "x", "", "x"}, ifMatch)
}

// TestClientPrintsTheCredentialItUses checks that it is the one of an option, if there is one.
func TestClientPrintsTheCredentialItUses(t *testing.T) {
	client := clientOf(t, "https://service.test")
	other, err := client.With(WithCredential(JobToken("not-a-real-token")))
	require.NoError(t, err)
	assert.Equal(t, "serviceapi.Client(https://service.test, JobToken([redacted]))", fmt.Sprint(other))
	assert.NotEqual(t, fmt.Sprint(other), fmt.Sprint(client))
}

// TestOptionsDoNotShareArrays checks that an option which is added to others does not take the
// place of one that another client, another call or the caller has added, and that the values
// of a parameter may change after the option was made.
func TestOptionsDoNotShareArrays(t *testing.T) {
	var bodies, queries []string
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		bodies, queries = append(bodies, string(body)), append(queries, r.URL.RawQuery)
		w.Write([]byte(`{"id":8,"rebase_in_progress":false}`))
	})
	base, err := client.With(WithBodyField("a", 1), WithBodyField("b", 2), WithBodyField("c", 3))
	require.NoError(t, err)
	one, err := base.With(WithBodyField("one", 1))
	require.NoError(t, err)
	two, err := base.With(WithBodyField("two", 2))
	require.NoError(t, err)
	for _, c := range []*Client{one, two, base} {
		_, _, err := c.Runners.Pause(t.Context(), 7)
		require.NoError(t, err)
	}
	assert.Equal(t, []string{"a=1&b=2&c=3&one=1&paused=true", "a=1&b=2&c=3&paused=true&two=2",
		"a=1&b=2&c=3&paused=true"}, bodies)

	values := []string{"before"}
	opts := append(make([]RequestOption, 0, 2), WithQuery("x", values...))
	values[0] = "after"
	_, err = client.MergeRequests.RebaseAndWait(t.Context(), ProjectID(1).MergeRequest(2), RebaseOptions{}, opts...)
	require.NoError(t, err)
	assert.Equal(t, "x=before", queries[3])
	assert.Nil(t, opts[:2][1], "the caller's array is not written to")
}

func TestReservedHeadersAndParametersAreRefused(t *testing.T) {
	client := clientOf(t, "https://service.test")
	for _, opt := range []RequestOption{
		WithHeader("Authorization", "Bearer x"), WithHeader("private-token", "x"), WithHeader("JOB-TOKEN", "x"),
		WithHeader("Cookie", "x"), WithHeader("Sudo", "x"), WithHeader("Host", "evil"),
		WithHeader("Content-Length", "1"), WithHeader("Range", "bytes=0-9"), WithHeader("if-range", `"a"`),
		WithHeader("X-A", "a\r\nX-B: b"), WithHeader("X A", "a"), WithHeader("", "a"), WithHeader("X-A\n", "a"),
		WithQuery("private_token", "x"), WithQuery("access_token", "x"), WithQuery("job_token", "x"),
		WithQuery("sudo", "x"), WithQuery("Sudo", "x"), WithQuery("PRIVATE_TOKEN[]", "x"), WithBodyField("Sudo", 1),
		WithQuery(""),
		WithIfNoneMatch("a\nb"), WithMaxResponseSize(0), WithConcurrentPages(0), WithConcurrentPages(65),
		WithRetry(RetryPolicy{MaxAttempts: -1}), WithCredential(nil), WithDownloadOffset(-1, `"a"`),
		WithDownloadOffset(1, ""),
	} {
		_, err := getJob(t.Context(), client, opt)
		var argument *ArgumentError
		assert.ErrorAs(t, err, &argument)
	}
}

func TestBadPathArgumentsAreRefused(t *testing.T) {
	client, _ := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("something was sent") })
	ctx := t.Context()
	for _, ref := range []ProjectRef{{}, ProjectID(0), ProjectID(-3), ProjectPath(""), ProjectPath("."),
		ProjectPath(".."), ProjectPath("a/../b"), ProjectPath("a/./b"), ProjectPath("/a"), ProjectPath("a/"),
		ProjectPath("a//b"), ProjectPath("a\nb"), ProjectPath("a\x00b"), ProjectPath("%2e%2e"),
		ProjectPath("a/%2E%2e/b"), ProjectPath("a/%252e%252e"), ProjectPath(`a\..\b`)} {
		_, _, err := client.Jobs.Get(ctx, ref, 1)
		var argument *ArgumentError
		assert.ErrorAs(t, err, &argument, "%v", ref)
	}
	for _, path := range []string{"", "..", "a/../../b", "a/..", "./a", "/a", "a\r\nb"} {
		_, _, err := client.JobArtifacts.DownloadFile(ctx, ProjectID(1), 1, path)
		var argument *ArgumentError
		assert.ErrorAs(t, err, &argument, path)
	}
	_, _, err := client.JobArtifacts.DownloadLatest(ctx, ProjectID(1), &DownloadLatestArtifactsOptions{Ref: "main"})
	assert.Error(t, err)
	for _, path := range []string{"", "x", "/", "/a?b=c", "/a b", "/a/../b", "/a/%2e%2e/b", "//host/x", "/%zz", "/a\nb",
		"/a#b"} {
		_, err := client.Do(ctx, "GET", EscapedPath(path), nil, nil)
		var argument *ArgumentError
		assert.ErrorAs(t, err, &argument, path)
	}
}

func TestPathEscaping(t *testing.T) {
	var got string
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got = r.URL.EscapedPath()
		w.Write([]byte(`{"id":8}`))
	})
	for want, call := range map[string]func() error{
		"/api/v4/projects/a%2Fb%20c/jobs/8": func() error {
			_, _, err := client.Jobs.Get(t.Context(), ProjectPath("a/b c"), 8)
			return err
		},
		"/api/v4/projects/1/jobs/2/artifacts/dir/a%20b%3F%23%25.txt": func() error {
			d, _, err := client.JobArtifacts.DownloadFile(t.Context(), ProjectID(1), 2, "dir/a b?#%.txt")
			closeDownload(d)
			return err
		},
		"/api/v4/projects/1/jobs/artifacts/feature%2Fx/raw/dir/f.txt": func() error {
			d, _, err := client.JobArtifacts.DownloadLatestFile(t.Context(), ProjectID(1), "dir/f.txt",
				&DownloadLatestArtifactsOptions{Ref: "feature/x", Job: "build"})
			closeDownload(d)
			return err
		},
		"/api/v4/custom/a%2Fb": func() error {
			_, err := client.Do(t.Context(), "POST", EscapedPath("/custom/a%2Fb"), nil, nil)
			return err
		},
	} {
		require.NoError(t, call())
		assert.Equal(t, want, got)
	}
}

func closeDownload(d *Download) {
	if d != nil {
		d.Close()
	}
}

func TestOperationInMiddleware(t *testing.T) {
	var operations []string
	record := func(next http.RoundTripper) http.RoundTripper {
		return roundTrip(func(r *http.Request) (*http.Response, error) {
			operations = append(operations, Operation(r.Context()))
			return next.RoundTrip(r)
		})
	}
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) { w.Write([]byte(`{"id":8}`)) },
		WithMiddleware(record))
	_, err := getJob(t.Context(), client)
	require.NoError(t, err)
	_, err = client.Do(t.Context(), "GET", EscapedPath("/projects/4711"), nil, nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"/projects/:id/jobs/:job_id", "(custom)"}, operations)
	assert.Empty(t, Operation(t.Context()))
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestMiddlewareOrder(t *testing.T) {
	var order []string
	named := func(name string) Middleware {
		return func(next http.RoundTripper) http.RoundTripper {
			return roundTrip(func(r *http.Request) (*http.Response, error) {
				order = append(order, name)
				return next.RoundTrip(r)
			})
		}
	}
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) { w.Write([]byte(`{"id":8}`)) },
		WithMiddleware(named("a"), named("b")))
	inner, err := client.With(WithMiddleware(named("c")))
	require.NoError(t, err)
	_, err = getJob(t.Context(), inner)
	require.NoError(t, err)
	assert.Equal(t, []string{"a", "b", "c"}, order)
}

func TestCustomCalls(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "a=1&b=2&b=3", r.URL.RawQuery)
		w.Write([]byte(`{"id":8,"name":"x"}`))
	})
	var out struct {
		Name string `json:"name"`
	}
	query := []RequestOption{WithQuery("a", "1"), WithQuery("b", "2", "3")}
	resp, err := client.Do(t.Context(), "GET", EscapedPath("/things/8"), nil, &out, query...)
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode)
	assert.Equal(t, "x", out.Name)
	var b strings.Builder
	_, err = client.Do(t.Context(), "POST", EscapedPath("/things"), map[string]int{"a": 1}, &b, query...)
	require.NoError(t, err)
	assert.Equal(t, `{"id":8,"name":"x"}`, b.String())
	_, err = client.Do(t.Context(), "BREW", EscapedPath("/things"), nil, nil)
	assert.Error(t, err)
}

func TestZeroClientDoesNotPanic(t *testing.T) {
	var client Client
	client.addServices()
	_, err := getJob(t.Context(), &client)
	assert.Error(t, err)
	var none *Client
	_, err = none.Do(t.Context(), "GET", EscapedPath("/x"), nil, nil)
	assert.Error(t, err)
	assert.NotPanics(t, func() { _ = none.LogValue() })
}

func TestFromEnv(t *testing.T) {
	names := []string{"SERVICE_BASE_URL", "SERVICE_TOKEN", "SERVICE_OAUTH_TOKEN", "CI_API_V4_URL", "CI_JOB_TOKEN"}
	for _, tc := range []struct {
		name   string
		values []string
		want   string
	}{
		{"token", []string{"https://a.test", "t", "", "", ""},
			"serviceapi.Client(https://a.test, PrivateToken([redacted]))"},
		{"oauth", []string{"https://a.test", "", "o", "", ""},
			"serviceapi.Client(https://a.test, BearerToken([redacted]))"},
		{"ci job", []string{"", "", "", "https://ci.test/api/v4", "j"},
			"serviceapi.Client(https://ci.test, JobToken([redacted]))"},
		{"token wins over ci", []string{"https://a.test", "t", "", "https://ci.test/api/v4", "j"},
			"serviceapi.Client(https://a.test, PrivateToken([redacted]))"},
		{"token in a ci job", []string{"", "t", "", "https://ci.test/api/v4", "j"},
			"serviceapi.Client(https://ci.test, PrivateToken([redacted]))"},
		{"oauth token in a ci job", []string{"", "", "o", "https://ci.test/api/v4", "j"},
			"serviceapi.Client(https://ci.test, BearerToken([redacted]))"},
		{"no token", []string{"https://a.test", "", "", "https://ci.test/api/v4", "j"}, ""},
		{"two tokens", []string{"https://a.test", "t", "o", "", ""}, ""},
		{"two tokens in a ci job", []string{"", "t", "o", "https://ci.test/api/v4", "j"}, ""},
		{"token without url", []string{"", "t", "", "", "j"}, ""},
		{"ci token without url", []string{"", "", "", "", "j"}, ""},
		{"nothing", []string{"", "", "", "", ""}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for i, name := range names {
				t.Setenv(name, tc.values[i])
			}
			client, err := FromEnv()
			if tc.want == "" {
				require.Error(t, err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tc.want, client.printed())
		})
	}
}

// TestFromEnvNamesItsVariables checks that an error says which variables to set or to
// remove, and what they must not be mistaken for.
func TestFromEnvNamesItsVariables(t *testing.T) {
	for _, tc := range []struct {
		set   map[string]string
		named []string
	}{
		{nil, []string{"SERVICE_BASE_URL", "SERVICE_TOKEN", "CI_API_V4_URL", "CI_JOB_TOKEN"}},
		{map[string]string{"CI_API_V4_URL": "https://ci.test/api/v4"}, []string{"SERVICE_TOKEN", "CI_JOB_TOKEN"}},
		{map[string]string{"SERVICE_BASE_URL": "https://a.test"}, []string{"SERVICE_BASE_URL", "SERVICE_TOKEN",
			"SERVICE_OAUTH_TOKEN"}},
		{map[string]string{"SERVICE_TOKEN": "s3cr3t"}, []string{"SERVICE_BASE_URL", "CI_API_V4_URL"}},
		{map[string]string{"SERVICE_TOKEN": "s3cr3t", "SERVICE_OAUTH_TOKEN": "s3cr3t"},
			[]string{"SERVICE_TOKEN", "SERVICE_OAUTH_TOKEN"}},
	} {
		for _, name := range []string{envBaseURL, envToken, envOAuthToken, envCIURL, envCIToken} {
			t.Setenv(name, tc.set[name])
		}
		_, err := FromEnv()
		require.Error(t, err, tc.set)
		for _, name := range tc.named {
			assert.ErrorContains(t, err, name, tc.set)
		}
		assert.NotContains(t, err.Error(), "s3cr3t")
	}
}
