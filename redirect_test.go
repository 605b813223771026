package serviceapi

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// hops is a transport that redirects through a list of URLs.
func hops(code int, seen *[]*http.Request, locations ...string) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		*seen = append(*seen, r)
		if n := len(*seen); n <= len(locations) {
			return status(code, "", "Location", locations[n-1])(r)
		}
		return okJob(r)
	}
}

// TestRefusedRedirectsSayWhy checks every field of the error, for each reason.
func TestRefusedRedirectsSayWhy(t *testing.T) {
	const home, address = "https://service.test", "https://service.test/api/v4/things"
	for _, tc := range []struct {
		method    string
		code      int
		locations []string
		location  string
		url       string
		reason    string
	}{
		{"POST", 302, []string{"/moved?a=b"}, home + "/moved", address, "it would turn POST into GET"},
		{"PUT", 301, []string{"/moved"}, home + "/moved", address, "it would turn PUT into GET"},
		{"DELETE", 303, []string{"/moved"}, home + "/moved", address, "it would turn DELETE into GET"},
		{"POST", 307, []string{"https://other.test/x?a=b"}, "https://other.test/x", address,
			"it would send a write to another origin"},
		{"PATCH", 308, []string{"https://other.test/x"}, "https://other.test/x", address,
			"it would send a write to another origin"},
		{"DELETE", 307, []string{"//other.test/x"}, "https://other.test/x", address,
			"it would send a write to another origin"},
		{"GET", 302, []string{"http://service.test/x"}, "http://service.test/x", address,
			"it leads from https to http"},
		{"GET", 307, []string{"https://other.test/x", "http://other.test/y"}, "http://other.test/y",
			"https://other.test/x", "it leads from https to http"},
		{"GET", 302, []string{"http://[::1?a=secret"}, "", address, "its Location cannot be parsed"},
		{"PUT", 308, []string{"https://u:secret@other.test/x"}, "https://other.test/x", address,
			"its Location contains a user name or password"},
		{"GET", 301, []string{"mailto:a@b.test"}, "mailto://", address, "its Location is not an http or https URL"},
		{"GET", 303, []string{"https:///x"}, "https:///x", address, "its Location is not an http or https URL"},
		{"GET", 307, []string{"ftp://other.test/x?a=secret"}, "ftp://other.test/x", address,
			"its Location is not an http or https URL"},
		{"GET", 300, []string{""}, "", address, "it has no usable Location"},
		{"GET", 302, []string{""}, "", address, "it has no usable Location"},
	} {
		var seen []*http.Request
		client, _ := scriptedClient(t, RetryPolicy{}, hops(tc.code, &seen, tc.locations...))
		var body any
		if tc.method != "GET" && tc.method != "DELETE" {
			body = 1
		}
		_, err := client.Do(t.Context(), tc.method, Route("/things"), body, nil)
		require.IsType(t, &RedirectError{}, err, "%s %d %s: %v", tc.method, tc.code, tc.locations, err)
		assert.Equal(t,
			&RedirectError{CallInfo: CallInfo{Method: tc.method, Operation: "/things", URL: tc.url},
				StatusCode: tc.code, Location: tc.location, Reason: tc.reason}, err)
		assert.Len(t, seen, len(tc.locations), "%v", err)
	}
}

// TestRedirectsThatAreFollowed checks that all redirects within the origin are
// followed, and those of reads to other origins, without anything that
// identifies the caller.
func TestRedirectsThatAreFollowed(t *testing.T) {
	for _, tc := range []struct {
		method   string
		code     int
		location string
		home     bool
	}{
		{"GET", 301, "/moved", true}, {"GET", 302, "https://service.test:443/moved", true}, {"GET", 303, "moved", true},
		{"POST", 307, "/moved", true}, {"DELETE", 308, "/moved", true},
		{"HEAD", 302, "/moved", true}, {"GET", 302, "https://other.test/moved", false},
		{"HEAD", 307, "https://other.test/moved", false}, {"GET", 308, "https://service.test:8443/moved", false},
	} {
		var seen []*http.Request
		client, _ := scriptedClient(t, RetryPolicy{}, hops(tc.code, &seen, tc.location))
		var body any
		if tc.method == "POST" {
			body = 1
		}
		_, err := client.Do(t.Context(), tc.method, Route("/things"), body, nil, WithHeader("X-Own", "y"),
			WithSudo(UserID(3)), WithIfNoneMatch(`"a"`))
		require.NoError(t, err, "%s %s", tc.method, tc.location)
		require.Len(t, seen, 2)
		assert.Equal(t, tc.method, seen[1].Method)
		h := seen[1].Header
		want := http.Header{"Accept": {"application/json"}, "User-Agent": {defaultUserAgent}, "If-None-Match": {`"a"`}}
		if tc.home {
			want["Private-Token"], want["Sudo"], want["X-Own"] = []string{"x"}, []string{"3"}, []string{"y"}
			if tc.method == "POST" {
				want["Content-Type"] = []string{"application/json"}
			}
		}
		assert.Equal(t, want, h, "%s %s", tc.method, tc.location)
		assert.Equal(t, "x", seen[0].Header.Get("Private-Token"), "the first request is left as it was")
	}
}

// TestRedirectsHideSecrets that are part of an address.
func TestRedirectsHideSecrets(t *testing.T) {
	for code, location := range map[int]string{300: "", 302: "ftp://other.test/" + testSecret,
		307: "https://other.test/" + testSecret} {
		client, err := NewClient("https://service.test", PrivateToken(testSecret), WithHTTPClient(&http.Client{
			Transport: roundTrip(status(code, "", "Location", location)),
		}))
		require.NoError(t, err)
		_, err = client.Do(t.Context(), http.MethodPost, EscapedPath("/things/"+testSecret), nil, nil)
		var refused *RedirectError
		require.ErrorAs(t, err, &refused, code)
		assert.Equal(t, "https://service.test/api/v4/things/[redacted]", refused.URL)
		assert.NotContains(t, err.Error(), testSecret)
	}
}

// TestHeaderOfADownloadElsewhere is what the store needs, and nothing else.
func TestHeaderOfADownloadElsewhere(t *testing.T) {
	var seen []*http.Request
	hop := hops(302, &seen, "https://store.test/object")
	client, _ := scriptedClient(t, RetryPolicy{}, func(r *http.Request) (*http.Response, error) {
		if r.URL.Host == "store.test" {
			hop = status(206, "def", "ETag", `"v1"`, "Content-Range", "bytes 3-5/6")
			seen = append(seen, r)
		}
		return hop(r)
	})
	data, err := readAll(t, client, WithDownloadOffset(3, `"v1"`), WithHeader("X-Own", "y"))
	require.NoError(t, err)
	assert.Equal(t, "def", data)
	require.Len(t, seen, 2)
	assert.Equal(t, http.Header{
		"Accept": {"*/*"}, "Accept-Encoding": {"identity"}, "User-Agent": {defaultUserAgent}, "Range": {"bytes=3-"},
		"If-Range": {`"v1"`},
	}, seen[1].Header)
	assert.Equal(t, "y", seen[0].Header.Get("X-Own"), "the first request is left as it was")
}

// TestTooManyRedirects checks that at most ten requests are made.
func TestTooManyRedirects(t *testing.T) {
	for redirects, want := range map[int]bool{9: false, 10: true, 30: true} {
		var locations []string
		for range redirects {
			locations = append(locations, "/again")
		}
		var seen []*http.Request
		client, _ := scriptedClient(t, RetryPolicy{}, hops(302, &seen, locations...))
		_, err := getJob(t.Context(), client)
		assert.Equal(t, want, err != nil, redirects)
		assert.Len(t, seen, 10)
		if want {
			assert.ErrorContains(t, err, "was not followed: there were too many redirects")
		}
	}
}

func TestWhatIsARedirect(t *testing.T) {
	for code := range 600 {
		want := code == 301 || code == 302 || code == 303 || code == 307 || code == 308
		assert.Equal(t, want, isRedirect(code), code)
		resp := &http.Response{StatusCode: code, Header: http.Header{"Location": {"ftp://other.test/"}}}
		req := &http.Request{Method: "GET", URL: &url.URL{Scheme: "https", Host: "service.test"}}
		err := checkLocation(req.WithContext(t.Context()), resp)
		var refused *RedirectError
		if errors.As(err, &refused) {
			assert.Equal(t, "https://service.test", refused.URL, "a transport need not say what it responds to")
		}
	}
	assert.Equal(t, 10, maxRedirects)
}

// rawServer accepts connections and hands each request that came whole to
// response, which reports whether the connection stays open.
func rawServer(t *testing.T, reply func(conn net.Conn, r *http.Request, listener net.Listener) bool) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				for reader := bufio.NewReader(conn); ; {
					r, err := http.ReadRequest(reader)
					if err != nil {
						return
					}
					if _, err := io.Copy(io.Discard, r.Body); err != nil || !reply(conn, r, listener) {
						return
					}
				}
			}()
		}
	}()
	return "http://" + listener.Addr().String()
}

// TestRedirectedWriteIsNotRepeated checks a write that the service received whole
// and redirected to an address where nobody listens any more.
func TestRedirectedWriteIsNotRepeated(t *testing.T) {
	var received atomic.Int32
	client := clientOf(t, rawServer(t, func(conn net.Conn, r *http.Request, listener net.Listener) bool {
		received.Add(1)
		listener.Close()
		io.WriteString(conn, "HTTP/1.1 307 Moved\r\nLocation: /moved\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
		return false
	}))
	_, err := client.Do(t.Context(), "POST", EscapedPath("/things"), map[string]string{"a": "b"}, nil)
	var failed *TransportError
	require.ErrorAs(t, err, &failed)
	assert.ErrorContains(t, err, "refused")
	assert.True(t, MayHaveExecuted(err))
	assert.Equal(t, 1, failed.Attempts)
	assert.EqualValues(t, 1, received.Load())
}

// TestRedirectedReadIsRepeated checks that a read is tried again, as if the
// address of the redirect were its own.
func TestRedirectedReadIsRepeated(t *testing.T) {
	var received atomic.Int32
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		received.Add(1)
		http.Redirect(w, r, "http://127.0.0.1:1/gone", http.StatusFound)
	})
	_, err := getJob(t.Context(), client)
	require.Error(t, err)
	assert.EqualValues(t, maxRefusedConnections, received.Load())
}

// TestOnlyTheReasonIsALock checks that a write is repeated only if the message of
// a 409 begins with the reason, wherever else the words stand.
func TestOnlyTheReasonIsALock(t *testing.T) {
	for body, lock := range map[string]bool{
		`{"message":"409 Conflict: Resource lock"}`: true, `{"message":"Resource lock"}`: true,
		`{"message":"409 Conflict - resource lock, try again"}`: true,
		`{"error":"Resource lock"}`:                             true,

		`{"message":"Branch 'resource lock' already exists"}`: false, `{"message":{"title":["Resource lock"]}}`: false,
		`{"message":["exists"],"name":"Resource lock"}`: false,
		`{"message":"exists","title":"Resource lock"}`:  false, "Resource lock": false, `"Resource lock"`: false,
		"<html><title>Resource lock</title>": false,
		"":                                   false, `{"name":"Resource lock"}`: false,
	} {
		var received atomic.Int32
		client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			if received.Add(1) == 1 {
				w.WriteHeader(http.StatusConflict)
				io.WriteString(w, body)
			}
		})
		_, err := client.Do(t.Context(), "POST", EscapedPath("/things"), 1, nil)
		if lock {
			assert.NoError(t, err, body)
			assert.EqualValues(t, 2, received.Load(), body)
			continue
		}
		assert.ErrorIs(t, err, ErrConflict, body)
		assert.True(t, MayHaveExecuted(err), body)
		assert.EqualValues(t, 1, received.Load(), body)
	}
}

// TestNameOfAnIdempotencyKey checks that the name is in lower case only for a call that must not
// be repeated.
func TestNameOfAnIdempotencyKey(t *testing.T) {
	const name, lower = "Idempotency-Key", "idempotency-key"
	for _, tc := range []struct {
		method string
		policy RetryPolicy
		want   string
	}{
		{"GET", RetryPolicy{}, name}, {"PUT", RetryPolicy{}, lower}, {"POST", RetryPolicy{}, lower},
		{"PUT", RetryPolicy{RetryIdempotent: true}, name}, {"POST", RetryPolicy{RetryIdempotent: true}, lower},
		{"POST", RetryPolicy{RetryUnsafe: true}, name},
	} {
		var sent http.Header
		client, _ := scriptedClient(t, tc.policy, func(r *http.Request) (*http.Response, error) {
			sent = r.Header
			return status(200, "{}")(r)
		})
		_, err := client.Do(t.Context(), tc.method, EscapedPath("/things"), nil, nil, WithHeader(name, "k1"))
		require.NoError(t, err)
		assert.Equal(t, []string{"k1"}, sent[tc.want], "%s %v", tc.method, tc.policy)
	}
}

// TestIdempotencyKeysDoNotRepeat checks that net/http does not send a write twice
// over a connection that dies, because the caller has set a key.
func TestIdempotencyKeysDoNotRepeat(t *testing.T) {
	for _, name := range []string{"Idempotency-Key", "X-Idempotency-Key"} {
		for _, body := range []any{nil, map[string]string{"a": "b"}} {
			for _, policy := range []RetryPolicy{{}, {RetryUnsafe: true, MinWait: 1}} {
				var writes atomic.Int32
				var key atomic.Value
				client := clientOf(t, rawServer(t, func(conn net.Conn, r *http.Request, _ net.Listener) bool {
					if r.Method == "GET" || writes.Add(1) > 1 {
						io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
						return true
					}
					key.Store(r.Header.Get(name))
					return false
				}))
				_, err := client.Do(t.Context(), "GET", EscapedPath("/things"), nil, nil)
				require.NoError(t, err)
				_, err = client.Do(t.Context(), "POST", EscapedPath("/things"), body, nil, WithHeader(name, "k1"),
					WithRetry(policy))
				assert.Equal(t, "k1", key.Load())
				if policy.RetryUnsafe {
					assert.NoError(t, err)
					continue
				}
				require.Error(t, err, "%s %v", name, body)
				assert.True(t, MayHaveExecuted(err))
				assert.EqualValues(t, 1, writes.Load(), strings.ToLower(name))
			}
		}
	}
}
