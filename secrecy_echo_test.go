package serviceapi

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi/internal/header"
)

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
	for name, answer := range map[string]func(http.ResponseWriter, string){
		"request id": func(w http.ResponseWriter, s string) { w.Header().Set(header.RequestID, "req-"+s); w.WriteHeader(404) },
		"content type": func(w http.ResponseWriter, s string) {
			w.Header().Set("Content-Type", "text/"+s)
			fmt.Fprint(w, "<html>")
		},
		"content encoding": func(w http.ResponseWriter, s string) { w.Header().Set("Content-Encoding", s); fmt.Fprint(w, "x") },
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
		"excerpt":          func(w http.ResponseWriter, s string) { fmt.Fprint(w, strings.Repeat("x", maxExcerpt-5)+" "+s) },
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
					answer(w, secret)
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
