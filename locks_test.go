package serviceapi

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// oneAtATime is a writer that notices a second goroutine while the first one writes.
type oneAtATime struct {
	inside, overlaps atomic.Int32
	entered          chan struct{}
}

func (w *oneAtATime) Write(p []byte) (int, error) {
	if w.inside.Add(1) > 1 {
		w.overlaps.Add(1)
	}
	select {
	case w.entered <- struct{}{}:
		time.Sleep(50 * time.Millisecond) // so that the other goroutine would come
	default:
	}
	w.inside.Add(-1)
	return len(p), nil
}

// TestDumpsAreWrittenOneAtATime checks that a writer is used by one goroutine at a time,
// although calls of several clients share it through one option.
func TestDumpsAreWrittenOneAtATime(t *testing.T) {
	w := &oneAtATime{entered: make(chan struct{}, 1)}
	dump := WithDump(w, DumpOptions{Bodies: true})
	client := handlerClient(t, func(rw http.ResponseWriter, _ *http.Request) { io.WriteString(rw, `{"id":8}`) })
	var calls sync.WaitGroup
	for range 4 {
		calls.Go(func() {
			_, err := getJob(t.Context(), client, dump)
			assert.NoError(t, err)
		})
	}
	calls.Wait()
	require.Len(t, w.entered, 1)
	assert.Zero(t, w.overlaps.Load(), "two goroutines wrote at the same time")
}

// TestCloseWhileTheStreamMoves closes a download while it gets another response to read from.
// Whichever comes first, that response is closed. Without the lock, the race detector
// finds the two.
func TestCloseWhileTheStreamMoves(t *testing.T) {
	for range 20 {
		second := &closedOnce{}
		d := &Download{cancel: func() {}, body: &closedOnce{}}
		var both sync.WaitGroup
		both.Go(func() { d.take(&http.Response{Body: second}) })
		both.Go(func() { assert.NoError(t, d.Close()) })
		both.Wait()
		assert.True(t, second.closed.Load(), "the response that was taken is left open")
	}
}

// closedOnce is an empty body that remembers whether it was closed.
type closedOnce struct {
	strings.Reader
	closed atomic.Bool
}

func (b *closedOnce) Close() error {
	b.closed.Store(true)
	return nil
}
