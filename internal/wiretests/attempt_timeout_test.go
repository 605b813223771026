package wiretests

import (
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAttemptTimeoutOfADownload checks that an attempt ends if the service sends a header and then
// nothing, and that the time after the first byte does not count.
func TestAttemptTimeoutOfADownload(t *testing.T) {
	var requests atomic.Int32
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		flush := http.NewResponseController(w).Flush
		if requests.Add(1) == 1 {
			assert.NoError(t, flush())
			<-r.Context().Done()
			return
		}
		io.WriteString(w, "a")
		assert.NoError(t, flush())
		time.Sleep(600 * time.Millisecond)
		io.WriteString(w, "b")
	})
	download, _, err := client.JobArtifacts.Download(t.Context(), serviceapi.ProjectID(1), 2, nil,
		serviceapi.WithRetry(serviceapi.RetryPolicy{AttemptTimeout: 400 * time.Millisecond, MinWait: 1}))
	require.NoError(t, err)
	content, err := io.ReadAll(download)
	require.NoError(t, err)
	assert.Equal(t, "ab", string(content))
	assert.EqualValues(t, 2, requests.Load())
	require.NoError(t, download.Close())
}

// TestAttemptTimeoutOfARefusedDownload checks that a status counts although the body of the error
// breaks off before its first byte.
func TestAttemptTimeoutOfARefusedDownload(t *testing.T) {
	var requests atomic.Int32
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		w.Header().Set("Content-Length", "100")
		w.WriteHeader(http.StatusNotFound)
		assert.NoError(t, http.NewResponseController(w).Flush())
		panic(http.ErrAbortHandler)
	})
	_, _, err := client.JobArtifacts.Download(t.Context(), serviceapi.ProjectID(1), 2, nil,
		serviceapi.WithRetry(serviceapi.RetryPolicy{AttemptTimeout: time.Minute, MinWait: 1}))
	require.ErrorIs(t, err, serviceapi.ErrNotFound)
	assert.EqualValues(t, 1, requests.Load())
}
