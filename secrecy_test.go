package serviceapi

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"example.com/serviceapi/internal/header"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"
)

func (c *Client) printed() string { return fmt.Sprintf("%+v", c) }

// credentials are one of each kind, all with testSecret.
func credentials() []Credential {
	return []Credential{
		PrivateToken(testSecret), BearerToken(testSecret), JobToken(testSecret), SessionCookie(testSecret),
		SessionCookieNamed("_acme_session", testSecret),
		OAuth2(oauth2.StaticTokenSource(&oauth2.Token{AccessToken: testSecret})),
	}
}

// identity lists all headers that identify the caller.
var identity = []string{"Private-Token", "Authorization", "Job-Token", "Cookie", "Sudo", "X-Own-Secret", "Referer"}

// TestRedirectsKeepSecrets follows redirects of every kind to every kind of
// foreign origin, and checks what arrives there.
func TestRedirectsKeepSecrets(t *testing.T) {
	arrived := make(chan http.Header, 10)
	foreign := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		arrived <- r.Header.Clone()
		w.Write([]byte(`{"id":8}`))
	})
	plain := httptest.NewServer(foreign)
	defer plain.Close()
	secure := httptest.NewTLSServer(foreign)
	defer secure.Close()
	byName := strings.Replace(plain.URL, "127.0.0.1", "localhost", 1)

	for _, status := range []int{301, 302, 303, 307, 308} {
		for name, target := range map[string]string{"other port": plain.URL, "other host": byName,
			"https": secure.URL} {
			for _, cred := range credentials() {
				t.Run(fmt.Sprintf("%d/%s/%v", status, name, cred), func(t *testing.T) {
					home := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
						http.Redirect(w, r, target+"/elsewhere?X-Amz-Signature=presigned", status)
					}))
					defer home.Close()
					client, err := NewClient(home.URL, cred, WithHTTPClient(secure.Client()),
						WithSudo(Username("ada")), WithHeader("X-Own-Secret", testSecret))
					require.NoError(t, err)
					_, err = getJob(t.Context(), client)
					require.NoError(t, err)
					header := <-arrived
					for _, key := range identity {
						assert.Empty(t, header.Values(key), key)
					}
					assert.NotContains(t, fmt.Sprint(header), testSecret)
				})
			}
		}
	}
}

// TestRedirectToASubdomainKeepsSecrets checks redirects for which net/http
// itself would send Authorization and cookies to a subdomain.
func TestRedirectToASubdomainKeepsSecrets(t *testing.T) {
	var arrived http.Header
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host == "service.test" {
			http.Redirect(w, r, "http://sub.service.test/elsewhere", http.StatusTemporaryRedirect)
			return
		}
		assert.Equal(t, "sub.service.test", r.Host)
		arrived = r.Header.Clone()
		w.Write([]byte(`{"id":8}`))
	}))
	defer server.Close()
	transport := DefaultTransport()
	transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", server.Listener.Addr().String())
	}
	defer transport.CloseIdleConnections()
	for _, cred := range credentials() {
		arrived = nil
		client, err := NewClient("http://service.test", cred, WithHTTPClient(&http.Client{Transport: transport}),
			WithSudo(Username("ada")), WithHeader("X-Own-Secret", testSecret))
		require.NoError(t, err)
		_, err = getJob(t.Context(), client)
		require.NoError(t, err)
		require.NotNil(t, arrived)
		for _, key := range identity {
			assert.Empty(t, arrived.Values(key), "%v: %s", cred, key)
		}
		assert.NotContains(t, fmt.Sprint(arrived), testSecret)
	}
}

// TestRedirectThereAndBack checks that a call that has left the origin does not
// get the credential again.
func TestRedirectThereAndBack(t *testing.T) {
	var home *httptest.Server
	away := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, home.URL+"/back", http.StatusFound)
	}))
	defer away.Close()
	var back http.Header
	home = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/back" {
			back = r.Header.Clone()
			w.Write([]byte(`{"id":8}`))
			return
		}
		http.Redirect(w, r, away.URL, http.StatusFound)
	}))
	defer home.Close()
	client := clientOf(t, home.URL, WithSudo(Username("ada")))
	_, err := getJob(t.Context(), client)
	require.NoError(t, err)
	for _, key := range identity {
		assert.Empty(t, back.Values(key), key)
	}
}

// TestRedirectWithinTheOrigin checks that the credential is kept, and the
// method and body of a write.
func TestRedirectWithinTheOrigin(t *testing.T) {
	var got *http.Request
	var body []byte
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/moved" {
			http.Redirect(w, r, "/moved", http.StatusTemporaryRedirect)
			return
		}
		got = r
		body, _ = io.ReadAll(r.Body)
		w.Write([]byte(`{"id":8}`))
	}, WithSudo(UserID(3)))
	_, err := client.Do(t.Context(), "PUT", EscapedPath("/things/1"), map[string]string{"a": "b"}, nil,
		WithHeader("Referer", "https://own.test/?q=1"))
	require.NoError(t, err)
	assert.Equal(t, "PUT", got.Method)
	assert.JSONEq(t, `{"a":"b"}`, string(body))
	assert.Equal(t, testSecret, got.Header.Get("Private-Token"))
	assert.Equal(t, "3", got.Header.Get("Sudo"))
	assert.Empty(t, got.Header.Get("Referer"), "neither that of net/http nor the caller's")
}

func TestRefusedRedirects(t *testing.T) {
	reached := 0
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { reached++ }))
	defer other.Close()
	for _, tc := range []struct {
		name, method, location string
		status                 int
	}{
		{"PUT to GET", "PUT", "/moved", 301},
		{"POST to GET", "POST", "/moved", 302},
		{"DELETE to GET", "DELETE", "/moved", 303},
		{"POST elsewhere", "POST", other.URL, 307},
		{"PUT elsewhere", "PUT", other.URL, 308},
		{"DELETE elsewhere", "DELETE", other.URL, 308},
		{"user info", "GET", strings.Replace(other.URL, "http://", "http://u:"+testSecret+"@", 1), 302},
		{"scheme", "GET", "ftp://service.test/x?sig=" + testSecret, 302},
		{"unparsable", "GET", "http://[bad/?sig=" + testSecret, 302},
		{"javascript", "GET", "javascript:alert(1)", 302},
		{"loop", "GET", "", 302},
		{"no location", "GET", "none", 302},
		{"not modified is no redirect but 300 is", "GET", "none", 300},
	} {
		t.Run(tc.name, func(t *testing.T) {
			hits := 0
			client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/moved" {
					t.Errorf("%s /moved", r.Method)
				}
				hits++
				switch tc.location {
				case "":
					w.Header().Set("Location", r.URL.Path)
				case "none":
				default:
					w.Header().Set("Location", tc.location)
				}
				w.WriteHeader(tc.status)
			})
			var body any
			if tc.method == "POST" || tc.method == "PUT" {
				body = map[string]int{"a": 1}
			}
			_, err := client.Do(t.Context(), tc.method, EscapedPath("/things/1"), body, nil)
			var refused *RedirectError
			require.ErrorAs(t, err, &refused)
			assert.Equal(t, tc.status, refused.StatusCode)
			assert.NotContains(t, fmt.Sprintf("%v %+v %#v", err, err, err), testSecret)
			assert.LessOrEqual(t, hits, 10)
			if tc.name != "loop" {
				assert.Equal(t, 1, hits, "a refused redirect is not tried again")
			}
		})
	}
	assert.Zero(t, reached)
}

func TestHTTPSNeverGoesToHTTP(t *testing.T) {
	plain := httptest.NewServer(
		http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("reached over http") }))
	defer plain.Close()
	home := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, plain.URL+"/?X-Amz-Signature="+testSecret, http.StatusFound)
	}))
	defer home.Close()
	client := clientOf(t, home.URL, WithHTTPClient(home.Client()))
	_, err := getJob(t.Context(), client)
	var refused *RedirectError
	require.ErrorAs(t, err, &refused)
	assert.Contains(t, refused.Reason, "https")
	assert.NotContains(t, fmt.Sprintf("%v %#v", err, err), testSecret)
}

// TestForeignLink checks that the host and path of a Link are ignored, and
// credentials in it are dropped.
func TestForeignLink(t *testing.T) {
	foreign := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("a Link led elsewhere")
	}))
	defer foreign.Close()
	var queries []string
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		queries = append(queries, r.URL.RawQuery)
		assert.Equal(t, "/api/v4/projects/1/jobs", r.URL.Path)
		if len(queries) == 1 {
			w.Header().Set("Link", "<"+foreign.URL+
				"/api/v4/users?page=2&private_token=x&sudo=root&job_token=y&access_token=z>; rel=next")
		}
		w.Write([]byte(`[{"id":1}]`))
	})
	jobs, err := Collect(client.Jobs.All(t.Context(), ProjectID(1), nil))
	require.NoError(t, err)
	assert.Len(t, jobs, 2)
	assert.Equal(t, []string{"per_page=100", "page=2"}, queries)
}

// TestNothingPrintsASecret prints everything that holds one, in every way.
func TestNothingPrintsASecret(t *testing.T) {
	client, server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Set-Cookie", "_service_session="+testSecret)
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"message":"the token %s is wrong","error":%q}`, r.Header.Get("Private-Token"), testSecret)
	})
	_, resp, apiErr := client.Jobs.Get(t.Context(), ProjectID(1), 8)
	var e *Error
	require.ErrorAs(t, apiErr, &e)
	assert.Contains(t, e.Message, "is wrong")
	assert.Equal(t, http.StatusUnauthorized, resp.StatusCode)
	server.Close()
	_, transportErr := getJob(t.Context(), client, WithQuery("q", testSecret))
	require.Error(t, transportErr)

	values := []any{client, *client.Jobs, client.Jobs, apiErr, e, *e, resp, *resp, transportErr, NewSecret(testSecret),
		new(NewSecret(testSecret)),
		WithCredential(PrivateToken(testSecret)), WithHeader("X-A", testSecret)}
	for _, cred := range credentials() {
		values = append(values, cred, struct{ hidden Credential }{cred}, struct{ Shown Credential }{cred},
			&struct{ hidden Credential }{cred})
	}
	values = append(values, struct{ hidden Secret }{NewSecret(testSecret)}, []Secret{NewSecret(testSecret)})
	for _, v := range values {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			text := fmt.Sprintf(verb, v)
			assert.NotContains(t, text, testSecret, "%s of %T", verb, v)
			assert.NotContains(t, text, fmt.Sprintf("%x", testSecret), "%s of %T", verb, v)
		}
		for _, format := range []func(io.Writer) slog.Handler{
			func(w io.Writer) slog.Handler { return slog.NewTextHandler(w, nil) },
			func(w io.Writer) slog.Handler { return slog.NewJSONHandler(w, nil) },
		} {
			var b bytes.Buffer
			slog.New(format(&b)).Info("x", "value", v)
			assert.NotContains(t, b.String(), testSecret, "slog of %T", v)
		}
		if data, err := json.Marshal(v); err == nil {
			assert.NotContains(t, string(data), testSecret, "JSON of %T", v)
		}
	}
}

func TestLogsHoldNoSecrets(t *testing.T) {
	var b bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{Level: slog.LevelDebug}))
	hits := 0
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if hits++; hits == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		w.Header().Set(header.RequestID, "req-1")
		w.Write([]byte(`{"id":8}`))
	}, WithLogger(logger))
	_, err := getJob(t.Context(), client, WithQuery("q", "query-"+testSecret), WithSudo(Username("hidden-user")))
	require.NoError(t, err)
	text := b.String()
	assert.NotContains(t, text, testSecret)
	assert.NotContains(t, text, "hidden-user")
	assert.Contains(t, text, "operation=/projects/:id/jobs/:job_id")
	assert.Contains(t, text, "status=503")
	assert.Contains(t, text, "attempt=2")
	assert.Contains(t, text, "request_id=req-1")
	assert.Contains(t, text, "wait=")
}

// TestPresignedURLsStayOutOfErrors makes the target of a redirect fail.
func TestPresignedURLsStayOutOfErrors(t *testing.T) {
	dead := httptest.NewServer(http.NotFoundHandler())
	target := dead.URL + "/bucket/object?X-Amz-Signature=" + testSecret
	for name, prepare := range map[string]func(){"404": func() {}, "refused": dead.Close} {
		t.Run(name, func(t *testing.T) {
			prepare()
			var redirected atomic.Bool
			client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
				redirected.Store(true)
				http.Redirect(w, r, target, http.StatusFound)
			},
				WithRetry(RetryPolicy{MaxAttempts: 1}))
			_, _, err := client.JobArtifacts.Download(t.Context(), ProjectID(1), 8)
			require.Error(t, err)
			assert.True(t, redirected.Load())
			for e := err; e != nil; e = errors.Unwrap(e) {
				assert.NotContains(t, fmt.Sprintf("%v %+v %#v", e, e, e), testSecret)
			}
		})
	}
}

// TestCallersClientIsNotChanged checks that its jar and its redirect rules are
// not used, and that it is not changed.
func TestCallersClientIsNotChanged(t *testing.T) {
	jar := &recordingJar{}
	own := &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return nil }}
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		assert.Empty(t, r.Header.Get("Cookie"))
		http.SetCookie(w, &http.Cookie{Name: "_service_session", Value: "x"})
		w.Write([]byte(`{"id":8}`))
	}, WithHTTPClient(own))
	for range 2 {
		_, err := getJob(t.Context(), client)
		require.NoError(t, err)
	}
	assert.Zero(t, jar.calls)
	assert.Nil(t, own.Transport)
}

type recordingJar struct {
	http.CookieJar
	calls int
}

func TestOAuthSourceErrorsHoldNoTokens(t *testing.T) {
	source := tokenFunc(func() (*oauth2.Token, error) {
		return nil, &oauth2.RetrieveError{
			Response: &http.Response{StatusCode: 400, Status: "400 Bad Request"}, Body: []byte(testSecret),
			ErrorCode: "invalid_grant",
		}
	})
	client, _ := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("sent without a token") })
	_, err := getJob(context.Background(), client, WithCredential(OAuth2(source)))
	require.ErrorIs(t, err, ErrBadRequest)
	assert.NotContains(t, fmt.Sprintf("%v %+v", err, err), testSecret)
	assert.Contains(t, err.Error(), "invalid_grant")
}

type tokenFunc func() (*oauth2.Token, error)

func (f tokenFunc) Token() (*oauth2.Token, error) { return f() }

type oauthToken = oauth2.Token

// assertHidden checks that a secret is not in anything that an error, its
// causes and a log print.
func assertHidden(t *testing.T, secret string, log *bytes.Buffer, values ...any) {
	t.Helper()
	for _, v := range values {
		for err, _ := v.(error); err != nil; err = errors.Unwrap(err) {
			values = append(values, err)
		}
	}
	for _, v := range values {
		for _, form := range []string{secret, url.QueryEscape(secret), strings.Trim(strconv.Quote(secret), `"`)} {
			assert.NotContains(t, fmt.Sprintf("%v\n%+v\n%#v", v, v, v), form, "%T", v)
		}
		if e, ok := v.(*Error); ok {
			assert.NotContains(t, fmt.Sprintf("%+v %s", *e, e.Body), secret)
		}
	}
	assert.NotContains(t, log.String(), secret)
}

// TestEchoedSecretsAreHidden lets a service write the credential wherever it
// can.
func TestEchoedSecretsAreHidden(t *testing.T) {
	const odd = `s3cr3t/"token+1`
	for name, reply := range map[string]func(http.ResponseWriter, string){
		"request id": func(w http.ResponseWriter, s string) {
			w.Header().Set(header.RequestID, "req-"+s)
			w.WriteHeader(404)
		},
		"content type": func(w http.ResponseWriter, s string) {
			w.Header().Set("Content-Type", "text/"+s)
			fmt.Fprint(w, "<html>")
		},
		"content encoding": func(w http.ResponseWriter, s string) {
			w.Header().Set("Content-Encoding", s)
			fmt.Fprint(w, "x")
		},
		"location": func(w http.ResponseWriter, s string) {
			w.Header().Set("Location", "ftp://host/"+url.PathEscape(s))
			w.WriteHeader(302)
		},
		"location of a refused redirect": func(w http.ResponseWriter, s string) {
			w.Header().Set("Location", "/"+url.PathEscape(s)+"?q=1")
			w.WriteHeader(302)
		},
		"next page": func(w http.ResponseWriter, s string) { w.Header().Set("X-Next-Page", s); fmt.Fprint(w, "[]") },
		"message": func(w http.ResponseWriter, s string) {
			w.WriteHeader(400)
			fmt.Fprintf(w, `{"message":{%q:["is %s"]}}`, s, strings.Trim(strconv.Quote(s), `"`))
		},
		"duplicate member": func(w http.ResponseWriter, s string) { fmt.Fprintf(w, `[{%q:1,%q:2}]`, s, s) },
		"excerpt": func(w http.ResponseWriter, s string) {
			fmt.Fprint(w, strings.Repeat("x", maxExcerpt-5)+" "+s)
		},
		"status line": func(w http.ResponseWriter, s string) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				fmt.Fprintf(conn, "HTTP/1.1 %s\r\n\r\n", s)
				conn.Close()
			}
		},
	} {
		for _, secret := range []string{testSecret, odd} {
			t.Run(name, func(t *testing.T) {
				var log bytes.Buffer
				var echoed atomic.Bool
				client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
					echoed.Store(r.Header.Get("Private-Token") == secret)
					reply(w, secret)
				},
					WithLogger(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))),
					WithRetry(RetryPolicy{MaxAttempts: 2, MinWait: 1}))
				_, resp, err := client.Jobs.List(t.Context(), ProjectID(1), nil, WithCredential(PrivateToken(secret)))
				require.Error(t, err)
				assert.True(t, echoed.Load(), "the secret was received")
				assertHidden(t, secret, &log, err, resp)
			})
		}
	}
}

// TestSecretInAPath checks that errors do not show the part of an address that is a secret,
// whether the caller put it there or the service, in a redirect.
func TestSecretInAPath(t *testing.T) {
	var asked atomic.Int32
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.URL.Path == "/api/v4/moved" {
			http.Redirect(w, r, "/api/v4/x/"+testSecret+"/y?q="+testSecret, http.StatusFound)
			return
		}
		assert.Contains(t, r.URL.Path, testSecret)
		w.WriteHeader(http.StatusNotFound)
	}, WithRetry(RetryPolicy{MaxAttempts: 1}))
	for _, endpoint := range []Endpoint{Route("/x/:name/y", testSecret), Route("/moved")} {
		_, err := client.Do(t.Context(), http.MethodGet, endpoint, nil, nil, WithCredential(PrivateToken(testSecret)))
		var e *Error
		require.ErrorAs(t, err, &e)
		assert.True(t, strings.HasSuffix(e.URL, "/api/v4/x/[redacted]/y"), e.URL)
		assertHidden(t, testSecret, new(bytes.Buffer), err)
	}
	assert.EqualValues(t, 3, asked.Load())
}

func TestShortSecretsAreNotHidden(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(400)
		fmt.Fprint(w, `{"message":"the latest pipeline, message and longerword8 stay; word1234 goes"}`)
	})
	for token, want := range map[string]string{
		"test":     "the latest pipeline, message and longerword8 stay; word1234 goes",
		"message":  "the latest pipeline, message and longerword8 stay; word1234 goes",
		"word1234": "the latest pipeline, message and longerword8 stay; [redacted] goes",
		"ongerwor": "the latest pipeline, message and longerword8 stay; word1234 goes",
	} {
		_, err := getJob(t.Context(), client, WithCredential(PrivateToken(token)))
		var e *Error
		require.ErrorAs(t, err, &e)
		assert.Equal(t, want, e.Message, token)
	}
}

// TestLongSecretsAreNotCut checks a bearer token that is longer than an
// excerpt.
func TestLongSecretsAreNotCut(t *testing.T) {
	long := strings.Repeat("header.payload.", 100) + "signature"
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "not JSON but "+long) })
	_, err := getJob(t.Context(), client, WithCredential(BearerToken(long)))
	var e *DecodeError
	require.ErrorAs(t, err, &e)
	assert.NotContains(t, e.Excerpt, "header.payload")
	assert.Contains(t, e.Excerpt, redacted)
}

// TestMalformedResponses checks errors of net/http that quote malformed
// responses.
func TestMalformedResponses(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			// What comes before the request would be unsolicited.
			_, _ = http.ReadRequest(bufio.NewReader(conn))
			fmt.Fprintf(conn, "%s is no response\r\n\r\n", testSecret)
			conn.Close()
		}
	}()
	client := clientOf(t, "http://"+listener.Addr().String(), WithRetry(RetryPolicy{MaxAttempts: 1}))
	_, err = getJob(t.Context(), client)
	require.ErrorContains(t, err, "malformed HTTP status")
	assertHidden(t, testSecret, new(bytes.Buffer), err)
}

// TestQueuedUsersHideTheCredential checks that what the service says of a user is shown without
// a credential that it repeats.
func TestQueuedUsersHideTheCredential(t *testing.T) {
	client, _ := scriptedClient(t, RetryPolicy{MaxAttempts: 1},
		status(200, `{"queued_users":{"ada":"not with `+testSecret+`","`+testSecret+`":"x"}}`))
	_, _, err := client.Members.Update(t.Context(), ProjectID(4), UserID(7), AccessLevelMaintainer,
		UpdateMemberOptions{}, WithCredential(PrivateToken(testSecret)))
	var queued *MembershipQueuedError
	require.ErrorAs(t, err, &queued)
	assert.Equal(t, map[string]string{"ada": "not with [redacted]", "[redacted]": "x"}, queued.Users)
}
