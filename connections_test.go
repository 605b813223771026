package serviceapi

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// goAwayServer ends every HTTP/2 connection with GOAWAY as soon as a request
// comes, and says that it has processed none.
type goAwayServer struct {
	net.Listener
	connections atomic.Int32
	// good is the number of the connection that responds, 0 for none.
	good int32
}

func newGoAwayServer(t *testing.T, good int32) (*goAwayServer, *http.Transport) {
	t.Helper()
	certificates := httptest.NewUnstartedServer(nil)
	certificates.EnableHTTP2 = true
	certificates.StartTLS()
	certificates.Close()
	listener, err := tls.Listen("tcp", "127.0.0.1:0", certificates.TLS)
	require.NoError(t, err)
	s := &goAwayServer{Listener: listener, good: good}
	t.Cleanup(func() { s.Close() })
	go func() {
		for {
			conn, err := s.Accept()
			if err != nil {
				return
			}
			go s.serve(conn, s.connections.Add(1))
		}
	}()
	transport := DefaultTransport()
	transport.TLSClientConfig = certificates.Client().Transport.(*http.Transport).TLSClientConfig
	return s, transport
}

// The types of HTTP/2 frames (RFC 9113, 6).
const (
	frameHeaders  = 1
	frameSettings = 4
	frameGoAway   = 7
)

func frame(kind, flags, stream byte, payload ...byte) []byte {
	return append([]byte{0, 0, byte(len(payload)), kind, flags, 0, 0, 0, stream}, payload...)
}

func (s *goAwayServer) serve(conn net.Conn, number int32) {
	defer conn.Close()
	const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
	if _, err := io.ReadFull(conn, make([]byte, len(preface))); err != nil {
		return
	}
	conn.Write(frame(frameSettings, 0, 0))
	for {
		var head [9]byte
		if _, err := io.ReadFull(conn, head[:]); err != nil {
			return
		}
		size := int64(head[0])<<16 | int64(head[1])<<8 | int64(head[2])
		if _, err := io.CopyN(io.Discard, conn, size); err != nil {
			return
		}
		if head[3] != frameHeaders {
			continue
		}
		if number == s.good {
			const endOfHeaders, endOfStream, status204 = 4, 1, 0x89
			conn.Write(frame(frameHeaders, endOfHeaders|endOfStream, head[8], status204))
			continue
		}
		conn.Write(frame(frameGoAway, 0, 0, make([]byte, 8)...))
		return
	}
}

// TestGoAwayOfEveryConnection checks that one call does not open connections
// without an end, and that a write was certainly not executed.
func TestGoAwayOfEveryConnection(t *testing.T) {
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		s, transport := newGoAwayServer(t, 0)
		client := clientOf(t, "https://"+s.Addr().String(), WithHTTPClient(&http.Client{Transport: transport}),
			WithRetry(RetryPolicy{MaxAttempts: 2, MinWait: time.Millisecond}))
		resp, err := client.Do(t.Context(), method, EscapedPath("/x"), nil, nil)
		assert.Nil(t, resp)
		assert.ErrorIs(t, err, errManyDials)
		var failed *TransportError
		require.ErrorAs(t, err, &failed)
		assert.Equal(t, 2, failed.Attempts)
		assert.False(t, MayHaveExecuted(err))
		// The last connection of an attempt may end before the server has accepted it.
		assert.InDelta(t, 2*maxDials, s.connections.Load(), 2)
		client.CloseIdleConnections()
	}
}

// TestGoAwayOfSomeConnections checks that a service that restarts costs no attempt.
func TestGoAwayOfSomeConnections(t *testing.T) {
	s, transport := newGoAwayServer(t, maxDials/2)
	client := clientOf(t, "https://"+s.Addr().String(), WithHTTPClient(&http.Client{Transport: transport}))
	for range 2 { // the second call has the connection of the first
		resp, err := client.Do(t.Context(), http.MethodGet, EscapedPath("/x"), nil, nil)
		require.NoError(t, err)
		assert.Equal(t, http.StatusNoContent, resp.StatusCode)
		assert.Equal(t, 1, resp.Attempts)
	}
	assert.GreaterOrEqual(t, s.connections.Load(), int32(maxDials/2))
	client.CloseIdleConnections()
}

// TestHungCallsOfOneTenant checks the limit that docs/reliability.md names, and its
// recipe: calls that hang use up the connections of their client and of those derived
// from it, but not those of a client of its own.
func TestHungCallsOfOneTenant(t *testing.T) {
	var hung atomic.Int32
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Private-Token") == "token-of-acme" {
			hung.Add(1)
			<-release
		}
		io.WriteString(w, `{"id":8}`)
	}))
	defer server.Close()
	once := WithRetry(RetryPolicy{MaxAttempts: 1})
	acme, err := NewClient(server.URL, PrivateToken("token-of-acme"), once)
	require.NoError(t, err)
	var calls sync.WaitGroup
	for range DefaultTransport().MaxConnsPerHost {
		calls.Go(func() {
			_, err := getJob(t.Context(), acme)
			assert.NoError(t, err)
		})
	}
	require.Eventually(t, func() bool { return int(hung.Load()) == DefaultTransport().MaxConnsPerHost },
		10*time.Second, 5*time.Millisecond)

	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	derived, err := acme.With(WithCredential(PrivateToken("token-of-umbrella")))
	require.NoError(t, err)
	_, err = getJob(ctx, derived)
	assert.ErrorIs(t, err, context.DeadlineExceeded, "the limit")

	own, err := NewClient(server.URL, PrivateToken("token-of-umbrella"), once)
	require.NoError(t, err)
	_, err = getJob(t.Context(), own)
	assert.NoError(t, err, "the recipe")
	close(release)
	calls.Wait()
	_, err = getJob(t.Context(), derived)
	assert.NoError(t, err)
	acme.CloseIdleConnections()
	own.CloseIdleConnections()
}

// serveHTTP2 starts a server that speaks HTTP/2 and returns a client of it with
// the library's own transport, which trusts the server.
func serveHTTP2(t *testing.T, handler http.HandlerFunc) *Client {
	t.Helper()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, 2, r.ProtoMajor)
		handler(w, r)
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	transport := DefaultTransport()
	transport.TLSClientConfig = server.Client().Transport.(*http.Transport).TLSClientConfig
	return clientOf(t, server.URL, WithHTTPClient(&http.Client{Transport: transport}))
}

func TestHTTP2Transfers(t *testing.T) {
	const size = 3 << 20
	f := &flaky{size: size, piece: 1 << 20, etag: `"v1"`, ranges: true}
	var got received
	refused := 0
	client := serveHTTP2(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodGet:
			f.ServeHTTP(w, r)
		case refused == 0:
			refused++
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
		default:
			got = receiveUpload(r)
		}
	})
	d, _, err := client.JobArtifacts.Download(t.Context(), ProjectID(1), 8)
	require.NoError(t, err)
	w := &hashWriter{Hash: sha256.New()}
	_, err = d.WriteTo(w)
	require.NoError(t, err)
	d.Close()
	assert.Equal(t, sumOf(t, size), fmt.Sprintf("%x", w.Sum(nil)))
	assert.Greater(t, f.requests.Load(), int32(1), "the stream was cut and resumed")

	require.NoError(t, uploadTo(t.Context(), client, Upload{Filename: "a", Content: &noise{size: size}}))
	require.NoError(t, got.err)
	assert.EqualValues(t, size, got.size)
	assert.Equal(t, sumOf(t, size), got.sum)
}

// TestHTTP2OneConnection checks that concurrent calls share a connection.
func TestHTTP2OneConnection(t *testing.T) {
	remotes := sync.Map{}
	client := serveHTTP2(t, func(w http.ResponseWriter, r *http.Request) {
		remotes.Store(r.RemoteAddr, true)
		time.Sleep(time.Millisecond)
		io.WriteString(w, `{"id":8}`)
	})
	_, err := getJob(t.Context(), client)
	require.NoError(t, err)
	var wg sync.WaitGroup
	for range 100 {
		wg.Go(func() {
			_, err := getJob(t.Context(), client)
			assert.NoError(t, err)
		})
	}
	wg.Wait()
	n := 0
	remotes.Range(func(any, any) bool { n++; return true })
	assert.Equal(t, 1, n)
}

// TestHTTP2Writes checks that a write is not sent again if the server executes
// it and then resets the stream.
func TestHTTP2Writes(t *testing.T) {
	var executed atomic.Int32
	client := serveHTTP2(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		executed.Add(1)
		panic(http.ErrAbortHandler)
	})
	_, err := client.Do(t.Context(), http.MethodPost, EscapedPath("/things"), 1, nil)
	var te *TransportError
	require.ErrorAs(t, err, &te)
	assert.EqualValues(t, 1, executed.Load())
}

// TestTooManyDialsAreNamed checks the error of an attempt that opens one connection after the
// other.
func TestTooManyDialsAreNamed(t *testing.T) {
	ctx := context.WithValue(t.Context(), infoKey{}, &requestInfo{dials: maxDials})
	_, err := limitDials(func(context.Context, string, string) (net.Conn, error) {
		t.Error("one more")
		return nil, io.EOF
	})(ctx, "tcp", "service.test:443")
	assert.Equal(t, &net.OpError{Op: "dial", Net: "tcp", Err: errManyDials}, err)

	ctx = context.WithValue(t.Context(), infoKey{}, &requestInfo{dials: maxDials - 1})
	_, err = limitDials(func(context.Context, string, string) (net.Conn, error) {
		return nil, io.EOF
	})(ctx, "tcp", "service.test:443")
	assert.Equal(t, io.EOF, err, "the last one that is allowed")
}
