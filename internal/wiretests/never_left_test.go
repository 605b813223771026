package wiretests

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWritesThatNeverLeft checks that a write which the context ended before it was sent was
// certainly not executed: before the call, and while it waited for a connection.
func TestWritesThatNeverLeft(t *testing.T) {
	var received atomic.Int32
	release := make(chan struct{})
	handler := func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			received.Add(1)
		}
		<-release
		_, _ = w.Write([]byte(`{"id":8}`))
	}
	transport := serviceapi.DefaultTransport()
	transport.MaxConnsPerHost = 1
	client, _ := serve(t, handler, serviceapi.WithHTTPClient(&http.Client{Transport: transport}))
	occupied := make(chan error, 1)
	go func() {
		_, _, err := client.Jobs.Get(context.Background(), somewhere, 8)
		occupied <- err
	}()
	time.Sleep(50 * time.Millisecond)
	writes := map[string]func(context.Context) error{
		"POST": func(ctx context.Context) error {
			return third(client.Jobs.Retry(ctx, somewhere, 8, serviceapi.RetryJobOptions{}))
		},
		"with a body": func(ctx context.Context) error {
			options := serviceapi.CreateDeployKeyOptions{Title: "a", Key: "b"}
			return third(client.DeployKeys.Create(ctx, somewhere, options))
		},
		"DELETE": func(ctx context.Context) error { return second(client.Branches.Delete(ctx, somewhere, "main")) },
	}
	for name, write := range writes {
		canceled, cancel := context.WithCancel(t.Context())
		cancel()
		err := write(canceled)
		require.ErrorIs(t, err, context.Canceled, name)
		assert.False(t, serviceapi.MayHaveExecuted(err), "%s, canceled before", name)
		late, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
		err = write(late)
		cancel()
		require.ErrorIs(t, err, context.DeadlineExceeded, name)
		assert.False(t, serviceapi.MayHaveExecuted(err), "%s, too late before", name)
		short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		err = write(short)
		cancel()
		require.ErrorIs(t, err, context.DeadlineExceeded, name)
		assert.False(t, serviceapi.MayHaveExecuted(err), "%s, while waiting for a connection", name)
	}
	assert.Zero(t, received.Load())
	close(release)
	require.NoError(t, <-occupied)
}

// TestWritesThatLeft checks that a write whose context ends after it was sent may have been
// executed, over HTTP/1.1 and HTTP/2.
func TestWritesThatLeft(t *testing.T) {
	received, release := make(chan struct{}, 9), make(chan struct{})
	client, _ := serve(t, func(http.ResponseWriter, *http.Request) {
		received <- struct{}{}
		<-release
	})
	defer close(release)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-received
		cancel()
	}()
	_, err := client.Branches.Delete(ctx, somewhere, "main")
	require.ErrorIs(t, err, context.Canceled)
	assert.True(t, serviceapi.MayHaveExecuted(err))
}

// TestWritesThatDialForever checks that a connection which is not made in time has carried nothing.
func TestWritesThatDialForever(t *testing.T) {
	transport := serviceapi.DefaultTransport()
	transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
		<-ctx.Done()
		return nil, errors.New("given up")
	}
	client, _ := serve(t, func(http.ResponseWriter, *http.Request) {},
		serviceapi.WithHTTPClient(&http.Client{Transport: transport}))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := client.Branches.Delete(ctx, somewhere, "main")
	require.ErrorIs(t, err, context.DeadlineExceeded)
	assert.False(t, serviceapi.MayHaveExecuted(err))
}
