package serviceapi

import (
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
