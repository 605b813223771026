package serviceapi

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// blocking is like a terminal at which nobody types: its first Read returns
// some bytes, and the others wait.
type blocking struct {
	first  int
	wait   chan struct{}
	reads  atomic.Int32
	inRead atomic.Bool
}

func newBlocking(t *testing.T, first int) *blocking {
	b := &blocking{first: first, wait: make(chan struct{})}
	t.Cleanup(func() { close(b.wait) })
	return b
}

func (b *blocking) Read(p []byte) (int, error) {
	if b.reads.Add(1) == 1 {
		return min(b.first, len(p)), nil
	}
	b.inRead.Store(true)
	<-b.wait
	b.inRead.Store(false)
	return 0, io.EOF
}

// within fails a test that hangs.
func within(t *testing.T, limit time.Duration, f func() error) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-time.After(limit):
		t.Fatal("the call does not return")
		return nil
	}
}

// TestCanceledUploadOfAReaderThatBlocks checks that the call returns when its
// context ends, with both protocols, and that only the Read is left.
func TestCanceledUploadOfAReaderThatBlocks(t *testing.T) {
	for _, http2 := range []bool{false, true} {
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
		}))
		server.EnableHTTP2 = http2
		server.StartTLS()
		client := clientOf(t, server.URL, WithHTTPClient(server.Client()))
		for _, size := range []int64{0, 5000} {
			content := newBlocking(t, 1000)
			reason := errors.New("enough")
			ctx, cancel := context.WithCancelCause(t.Context())
			go func() {
				for content.reads.Load() < 2 && t.Context().Err() == nil {
					time.Sleep(5 * time.Millisecond)
				}
				cancel(reason)
			}()
			started := time.Now()
			err := within(t, 10*time.Second, func() error {
				return uploadTo(ctx, client, Upload{Filename: "a", Content: content, Size: size})
			})
			assert.ErrorIs(t, err, context.Canceled)
			assert.ErrorIs(t, err, reason)
			var transport *TransportError
			assert.ErrorAs(t, err, &transport)
			assert.Less(t, time.Since(started), 5*time.Second)
			assert.True(t, content.inRead.Load(), "the Read is abandoned")
			assert.EqualValues(t, 2, content.reads.Load())
		}
		client.CloseIdleConnections()
		server.Close() // waits for the connections: none is left
	}
}

// TestUploadOfAPartIsNoSuccess checks that the call fails if its content broke off, even if
// the service responds as if that were all.
func TestUploadOfAPartIsNoSuccess(t *testing.T) {
	reason := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	client := clientOf(t, "https://service.test", WithHTTPClient(&http.Client{
		Transport: RoundTripFunc(func(r *http.Request) (*http.Response, error) {
			if r.Header.Get("X-Cancel") != "" {
				time.AfterFunc(10*time.Millisecond, func() { cancel(reason) })
			}
			_, _ = io.Copy(io.Discard, r.Body)
			r.Body.Close()
			return &http.Response{StatusCode: http.StatusCreated, Body: http.NoBody, Request: r}, nil
		}),
	}))
	broken := io.MultiReader(strings.NewReader("some"), iotest.ErrReader(reason))
	assert.ErrorIs(t, uploadTo(t.Context(), client, Upload{Filename: "a", Content: broken}), reason)
	blocked := Upload{Filename: "a", Content: newBlocking(t, 1000), Size: 5000}
	err := uploadTo(ctx, client, blocked, WithHeader("X-Cancel", "1"))
	assert.ErrorIs(t, err, context.Canceled)
	assert.ErrorIs(t, err, reason)
	assert.NoError(t, uploadTo(t.Context(), client, Upload{Filename: "a", Content: strings.NewReader("all")}))
}

// TestUploadEndsByItsDeadline checks a reader that returns the announced bytes
// and then blocks before its end.
func TestUploadEndsByItsDeadline(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) { io.Copy(io.Discard, r.Body) })
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	err := within(t, 10*time.Second, func() error {
		return uploadTo(ctx, client, Upload{Filename: "a", Content: newBlocking(t, 1000), Size: 1000})
	})
	assert.ErrorIs(t, err, context.DeadlineExceeded)
}

// TestUploadFromAPipe checks a pipe, which has a Seek method that fails.
func TestUploadFromAPipe(t *testing.T) {
	var got received
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) { got = receiveUpload(r) })
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	defer reader.Close()
	go func() {
		io.Copy(writer, &noise{size: 300_000})
		writer.Close()
	}()
	require.NoError(t, uploadTo(t.Context(), client, Upload{Filename: "a", Content: reader}))
	require.NoError(t, got.err)
	assert.EqualValues(t, 300_000, got.size)
	assert.Equal(t, sumOf(t, 300_000), got.sum)
	assert.EqualValues(t, -1, got.length, "its length is not known")
}

// TestUploadFromAFile checks that the length is announced, and that the content
// begins at the current offset of the file.
func TestUploadFromAFile(t *testing.T) {
	var got received
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) { got = receiveUpload(r) })
	file, err := os.CreateTemp(t.TempDir(), "")
	require.NoError(t, err)
	defer file.Close()
	_, err = io.Copy(file, &noise{size: 300_000})
	require.NoError(t, err)
	_, err = file.Seek(100_000, io.SeekStart)
	require.NoError(t, err)
	require.NoError(t, uploadTo(t.Context(), client, Upload{Filename: "a", Content: file}))
	assert.EqualValues(t, 200_000, got.size)
	assert.Greater(t, got.length, int64(200_000))
}

// TestContentIsSetBackAfterAFailure checks that the same Upload can be passed to
// another call after one that failed, and that one that succeeded leaves the
// content read to its end.
func TestContentIsSetBackAfterAFailure(t *testing.T) {
	var sizes []int64
	status := http.StatusUnauthorized
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		sizes = append(sizes, receiveUpload(r).size)
		w.WriteHeader(status)
	})
	content := strings.NewReader("skipped" + strings.Repeat("x", 100_000))
	content.Seek(7, io.SeekStart)
	file := Upload{Filename: "a", Content: content}
	require.ErrorIs(t, uploadTo(t.Context(), client, file), ErrUnauthorized)
	assert.Equal(t, 100_000, content.Len())
	status = http.StatusCreated
	require.NoError(t, uploadTo(t.Context(), client, file))
	assert.Equal(t, []int64{100_000, 100_000}, sizes)
	assert.Zero(t, content.Len())
}

// TestOddReaders checks readers that return their bytes in every way that
// io.Reader allows, and in some that it does not.
func TestOddReaders(t *testing.T) {
	const size = 10_000
	var got received
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) { got = receiveUpload(r) })
	for name, wrap := range map[string]func(io.Reader) io.Reader{
		"one byte": iotest.OneByteReader, "half": iotest.HalfReader, "data with EOF": iotest.DataErrReader,
		"nothing now and then": func(r io.Reader) io.Reader { return &hesitant{r: r} },
	} {
		for _, announced := range []int64{0, size} {
			require.NoError(t,
				uploadTo(t.Context(), client,
					Upload{Filename: "a", Content: wrap(io.MultiReader(&noise{size: size})), Size: announced}), name)
			require.NoError(t, got.err, name)
			assert.Equal(t, sumOf(t, size), got.sum, name)
		}
	}
	// The handlers of uploads that broke off may end after the calls, so they share nothing.
	broken, _ := serve(t, func(_ http.ResponseWriter, r *http.Request) { receiveUpload(r) })
	for _, count := range []int{-1, 1 << 30} {
		err := uploadTo(t.Context(), broken,
			Upload{Filename: "a", Content: readerFunc(func([]byte) (int, error) { return count, nil })})
		assert.ErrorContains(t, err, "impossible count")
	}
}

type hesitant struct {
	r io.Reader
	n int
}

func (h *hesitant) Read(p []byte) (int, error) {
	if h.n++; h.n%2 == 0 {
		return 0, nil
	}
	return h.r.Read(p)
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// TestFailingSourceIsNotAskedAgain checks that there is no other attempt, which
// would fail in the same way.
func TestFailingSourceIsNotAskedAgain(t *testing.T) {
	boom := errors.New("boom")
	reads := 0
	content := &rewindable{readerFunc(func([]byte) (int, error) { reads++; return 0, boom })}
	var requests atomic.Int32
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		io.Copy(io.Discard, r.Body)
	}, WithRetry(RetryPolicy{MaxAttempts: 4, RetryUnsafe: true, MinWait: time.Millisecond}))
	err := uploadTo(t.Context(), client, Upload{Filename: "a", Content: content, Size: 10})
	require.ErrorIs(t, err, boom)
	assert.ErrorContains(t, err, "reading the upload: boom")
	assert.Equal(t, 1, reads)
	assert.LessOrEqual(t, requests.Load(), int32(1))
}

type rewindable struct{ io.Reader }

func (*rewindable) Seek(int64, int) (int64, error) { return 0, nil }

// TestSourceThatCannotGoBack checks the error of a source that cannot seek,
// before the first attempt or between attempts.
func TestSourceThatCannotGoBack(t *testing.T) {
	requests := 0
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests++
		io.Copy(io.Discard, r.Body)
		w.WriteHeader(http.StatusTooManyRequests)
	})
	seeker := &stubborn{Reader: strings.NewReader("abc"), good: 3}
	err := uploadTo(t.Context(), client, Upload{Filename: "a", Content: seeker})
	require.ErrorIs(t, err, errDisk)
	assert.Equal(t, 1, requests, "it cannot be sent again")
	seeker = &stubborn{Reader: strings.NewReader("abc"), good: 2}
	err = uploadTo(t.Context(), client, Upload{Filename: "a", Content: seeker})
	require.ErrorIs(t, err, errDisk)
	assert.Equal(t, 1, requests, "its end was found, and its beginning not any more")
}

// stubborn can seek only a number of times.
type stubborn struct {
	*strings.Reader
	good int
}

func (s *stubborn) Seek(offset int64, whence int) (int64, error) {
	if s.good--; s.good < 0 {
		return 0, errDisk
	}
	return s.Reader.Seek(offset, whence)
}

// TestRefusedUploadThatCannotBeRewound checks that the upload is not sent again
// after a 429, and that the caller gets the 429.
func TestRefusedUploadThatCannotBeRewound(t *testing.T) {
	requests := 0
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests++
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	started := time.Now()
	err := uploadTo(t.Context(), client, Upload{Filename: "a", Content: io.MultiReader(strings.NewReader("abc"))})
	var limited *RateLimitError
	require.ErrorAs(t, err, &limited)
	assert.Equal(t, time.Second, limited.RetryAfter)
	assert.Equal(t, 1, requests)
	assert.Less(t, time.Since(started), time.Second, "and not waited for")
}

// closeNoted is a body that records that it was closed.
type closeNoted struct {
	io.Reader
	closed atomic.Bool
}

func (c *closeNoted) Close() error {
	c.closed.Store(true)
	return nil
}

// TestProgressIsReportedTenTimesASecond checks that it is also reported at the
// beginning and at the end.
func TestProgressIsReportedTenTimesASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen []Progress
		r := reporter{report: func(p Progress) { seen = append(seen, p) }}
		for i := range int64(1000) { // ten seconds
			r.set(Progress{i, 1000})
			time.Sleep(10 * time.Millisecond)
		}
		assert.Len(t, seen, 100)
		assert.Equal(t, Progress{0, 1000}, seen[0])
		assert.Equal(t, Progress{10, 1000}, seen[1])
		r.end()
		assert.Equal(t, Progress{999, 1000}, seen[len(seen)-1])
		assert.Len(t, seen, 101)
		r.end()
		r.set(Progress{999, 1000})
		r.end()
		assert.Len(t, seen, 101, "the end is reported once")
		r.set(Progress{1000, 1000})
		r.end()
		assert.Len(t, seen, 102)
		(&reporter{}).set(Progress{1, 2})
	})
}

// TestProgressEnds checks that there is one last report, with or without bytes,
// and whatever the outcome of the transfer.
func TestProgressEnds(t *testing.T) {
	a := &archiveOf{content: strings.Repeat("x", 500_000), etag: `"v1"`}
	client := archiveClient(t, a)
	for name, tc := range map[string]struct {
		size int
		cut  []int64
		want Progress
	}{
		"whole": {500_000, nil, Progress{500_000, 500_000}},
		"empty": {0, nil, Progress{0, 0}},
		"cut":   {500_000, []int64{123_456}, Progress{123_456, 500_000}},
	} {
		var mu sync.Mutex
		var seen []Progress
		a.content, a.cuts = strings.Repeat("x", tc.size), tc.cut
		d, _, err := client.JobArtifacts.Download(t.Context(), ProjectID(1), 8, WithProgress(func(p Progress) {
			mu.Lock()
			defer mu.Unlock()
			seen = append(seen, p)
		}))
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, d)
		assert.Equal(t, name == "cut", err != nil)
		d.Read(make([]byte, 1))
		d.Close()
		require.NotEmpty(t, seen, name)
		assert.Equal(t, tc.want, seen[len(seen)-1], name)
		assert.Less(t, len(seen), 5, name)
		if len(seen) > 1 {
			assert.NotEqual(t, seen[len(seen)-2], seen[len(seen)-1], name)
		}
	}
}

// TestProgressBeginsWithTheFirstByte, not with a Read that brought none.
func TestProgressBeginsWithTheFirstByte(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) { receiveUpload(r) })
	var seen []Progress
	content := &hesitant{r: &noise{size: 1000}, n: 1} // the first Read brings none
	require.NoError(t, uploadTo(t.Context(), client, Upload{Filename: "a", Content: content},
		WithProgress(func(p Progress) { seen = append(seen, p) })))
	require.NotEmpty(t, seen)
	assert.Positive(t, seen[0].Done)
}

// TestCallWaitsForARead that is in progress when the service has said no, if it
// does not take long: afterwards the caller may use the reader.
func TestCallWaitsForARead(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.CopyN(io.Discard, r.Body, 1000)
		w.WriteHeader(http.StatusRequestEntityTooLarge)
	})
	for range 3 {
		var began atomic.Int64 // zero while nothing is read
		var read atomic.Bool
		content := readerFunc(func(p []byte) (int, error) {
			read.Store(true)
			began.Store(time.Now().UnixNano())
			defer began.Store(0)
			time.Sleep(30 * time.Millisecond)
			return len(p), nil
		})
		require.Error(t, uploadTo(t.Context(), client, Upload{Filename: "a", Content: content}))
		if began := began.Load(); began != 0 {
			// A machine that is busy sleeps for longer than the call waits.
			assert.Greater(t, time.Since(time.Unix(0, began)), 90*time.Millisecond)
		}
		assert.True(t, read.Load())
	}
}

// TestLengthOfABuffer is announced, although a buffer cannot seek.
func TestLengthOfABuffer(t *testing.T) {
	var got received
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) { got = receiveUpload(r) })
	require.NoError(t, uploadTo(t.Context(), client, Upload{Filename: "a", Content: bytes.NewBufferString("abc")}))
	assert.EqualValues(t, 3, got.size)
	assert.Positive(t, got.length)
}

// TestUploadWithAFieldThatCannotBeSent is refused.
func TestUploadWithAFieldThatCannotBeSent(t *testing.T) {
	client, _ := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("something was sent") })
	file := Upload{Filename: "a", Content: strings.NewReader("x")}
	assertRefused(t, "body field name", uploadTo(t.Context(), client, file, WithBodyField("name", "other")))
	_, err := exec(t.Context(), client, http.MethodPost, Route("/upload"), multipartOf("no struct", "file", file), nil)
	assertRefused(t, "options", err)
}

// TestUploadThatCannotBeRewoundForANewToken fails as such: nothing is sent
// without its content.
func TestUploadThatCannotBeRewoundForANewToken(t *testing.T) {
	s := &authService{api: refuseAll}
	content := &stubborn{Reader: strings.NewReader("abc"), good: 3}
	err := uploadTo(t.Context(), s.client(t, time.Hour), Upload{Filename: "a", Content: content})
	require.ErrorIs(t, err, errDisk)
	_, calls := s.counts()
	assert.Equal(t, 1, calls)
}

// TestFraction checks the fraction of a transfer, also of one whose size is not
// known or not true.
func TestFraction(t *testing.T) {
	for state, want := range map[Progress]float64{
		{}: 0, {Done: 5}: 0, {Done: 5, Total: -1}: 0, {Total: 10}: 0, {Done: 1, Total: 4}: 0.25,
		{Done: 10, Total: 10}: 1, {Done: 11, Total: 10}: 1,
	} {
		assert.InDelta(t, want, state.Fraction(), 0, "%+v", state)
	}
}
