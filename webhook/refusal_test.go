package webhook

import (
	"bufio"
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

// A wrapped writer is what a middleware passes on.
type wrapped struct{ http.ResponseWriter }

func (w wrapped) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// TestRefusalsDoNotWaitForTheBody sends headers that are refused, and of the body nothing or
// a part. The response comes, the connection ends, and nothing of the server waits for the rest.
func TestRefusalsDoNotWaitForTheBody(t *testing.T) {
	const (
		wrong   = "X-Service-Token: guessed\r\n"
		right   = "X-Service-Token: " + hookToken + "\r\n"
		json    = "Content-Type: application/json\r\n"
		event   = "X-Service-Event: Push Hook\r\n"
		chunked = "Transfer-Encoding: chunked\r\n"
		expect  = "Expect: 100-continue\r\n"
		large   = "Content-Length: 20000000\r\n"
		small   = "Content-Length: 100\r\n"
	)
	for name, c := range map[string]struct {
		method, header, body string
		want                 int
	}{
		"wrong token, large body":    {"POST", wrong + json + event + large, "", 401},
		"wrong token, small body":    {"POST", wrong + json + event + small, "{", 401},
		"wrong token, chunks":        {"POST", wrong + json + event + chunked, "", 401},
		"wrong token, half a chunk":  {"POST", wrong + json + event + chunked, "5\r\n{", 401},
		"wrong token, expects":       {"POST", wrong + json + event + large + expect, "", 401},
		"wrong token, small expects": {"POST", wrong + json + event + small + expect, "", 401},
		"no token":                   {"POST", json + event + small, "", 401},
		"no event":                   {"POST", right + json + small, "", 400},
		"no content type":            {"POST", right + event + small, "", 415},
		"wrong method":               {"PUT", right + json + event + small, "", 405},
		"announced too much":         {"POST", right + json + event + "Content-Length: 300\r\n", "", 413},
		"announced, expects":         {"POST", right + json + event + large + expect, "", 413},
		"sent too much": {"POST", right + json + event + chunked,
			"c9\r\n" + strings.Repeat(" ", 201) + "\r\n", 413},
	} {
		for _, middleware := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, middleware %t", name, middleware), func(t *testing.T) {
				t.Parallel()
				h := Handler(verifier(t, Token(hookToken), Limit(200)), new(Mux))
				var ended atomic.Bool
				server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if middleware {
						w = wrapped{w}
					}
					h.ServeHTTP(w, r)
				}))
				server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
					ended.Store(state == http.StateClosed)
				}
				server.Start()
				defer server.Close()
				conn, err := net.Dial("tcp", server.Listener.Addr().String())
				require.NoError(t, err)
				defer func() { _ = conn.Close() }()
				require.NoError(t, conn.SetDeadline(time.Now().Add(30*time.Second)))
				began := time.Now()
				_, err = io.WriteString(conn, c.method+" /hook HTTP/1.1\r\nHost: x\r\n"+c.header+"\r\n"+c.body)
				require.NoError(t, err)
				resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
				require.NoError(t, err, "no response while the body is missing")
				require.NoError(t, resp.Body.Close())
				assert.Equal(t, c.want, resp.StatusCode)
				assert.True(t, resp.Close, "the connection must not be used for another request")
				require.Eventually(t, ended.Load, 20*time.Second, 10*time.Millisecond, "the goroutine still waits")
				assert.Less(t, time.Since(began), 20*time.Second)
			})
		}
	}
}

// TestConnectionsOutliveWholeRequests checks that a connection is closed only if something of
// the body may be missing.
func TestConnectionsOutliveWholeRequests(t *testing.T) {
	server := httptest.NewServer(Handler(verifier(t, Token(hookToken), Limit(200)), new(Mux)))
	defer server.Close()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	require.NoError(t, conn.SetDeadline(time.Now().Add(30*time.Second)))
	replies := bufio.NewReader(conn)
	for _, c := range []struct {
		change func(*http.Request)
		want   int
	}{
		{func(*http.Request) {}, 204},
		{body("[]"), 400},
		{func(r *http.Request) { r.Method, r.Body, r.ContentLength = http.MethodGet, nil, 0 }, 405},
		{func(*http.Request) {}, 204},
	} {
		r := request(t, []Option{Token(hookToken)}, c.change)
		r.Host = "x"
		require.NoError(t, r.Write(conn))
		resp, err := http.ReadResponse(replies, r)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		assert.Equal(t, c.want, resp.StatusCode)
		assert.False(t, resp.Close)
	}
}

// TestRefusalReachesASenderThatIsWriting checks that a sender that writes all of its body
// before it reads still gets the response.
func TestRefusalReachesASenderThatIsWriting(t *testing.T) {
	server := httptest.NewServer(Handler(verifier(t, Token(hookToken)), new(Mux)))
	defer server.Close()
	for _, size := range []int{10, 100_000} {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		require.NoError(t, err)
		require.NoError(t, conn.SetDeadline(time.Now().Add(30*time.Second)))
		r := request(t, []Option{Token("guessed")}, body(strings.Repeat(" ", size)))
		r.Host = "x"
		require.NoError(t, r.Write(conn))
		resp, err := http.ReadResponse(bufio.NewReader(conn), r)
		require.NoError(t, err)
		assert.Equal(t, 401, resp.StatusCode)
		require.NoError(t, resp.Body.Close())
		require.NoError(t, conn.Close())
	}
}

// TestBodiesWithManyObjects sends a short body that would need hundreds of times its size.
func TestBodiesWithManyObjects(t *testing.T) {
	bodyOf := func(objects int) string {
		return `{"object_kind":"push","commits":[` + strings.Repeat("{},", objects-2) + "{}]}"
	}
	verifier, err := NewVerifier(Token(hookToken))
	require.NoError(t, err)
	server := httptest.NewServer(Handler(verifier, ReceiverFunc(func(context.Context, Event) error { return nil })))
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for objects, want := range map[int]int{
		maxObjects: http.StatusNoContent, maxObjects + 1: http.StatusRequestEntityTooLarge,
	} {
		body := strings.NewReader(bodyOf(objects))
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, body)
		require.NoError(t, err)
		r.Header = http.Header{
			"Content-Type": {"application/json"}, "X-Service-Token": {hookToken}, "X-Service-Event": {"Push Hook"},
		}
		resp, err := client.Do(r)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		assert.Equal(t, want, resp.StatusCode, objects)
	}
	_, err = Decode("Push Hook", []byte(bodyOf(maxObjects+1)))
	assert.ErrorIs(t, err, ErrTooLarge)
}
