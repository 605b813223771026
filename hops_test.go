package serviceapi

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rawServer accepts connections and hands each request that came whole to
// answer, which reports whether the connection stays open.
func rawServer(t *testing.T, answer func(conn net.Conn, r *http.Request, listener net.Listener) bool) (address string) {
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
					if _, err := io.Copy(io.Discard, r.Body); err != nil || !answer(conn, r, listener) {
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
