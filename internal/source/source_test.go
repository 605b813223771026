package source

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var errDisk = errors.New("the disk is full")

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

type rewindable struct{ io.Reader }

func (*rewindable) Seek(int64, int) (int64, error) { return 0, nil }

// TestAttemptBeforeIsStillReading checks that a reader that blocks in an
// attempt that has ended is not read by the next one at the same time.
func TestAttemptBeforeIsStillReading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		content := readerFunc(func([]byte) (int, error) {
			<-release
			return 0, io.EOF
		})
		s, err := New(content, 10)
		require.NoError(t, err)
		first, err := s.Open(t.Context(), nil)
		require.NoError(t, err)
		ended := make(chan error, 1)
		go func() {
			_, err := first.Read(make([]byte, 10))
			ended <- err
		}()
		synctest.Wait()
		before := time.Now()
		_, err = s.Open(t.Context(), nil)
		require.ErrorIs(t, err, errStillRead)
		assert.Equal(t, readGrace, time.Since(before))
		assert.Equal(t, errDetached, <-ended, "the attempt before does not wait for the reader")
		close(release)
		synctest.Wait()
		_, err = s.Open(t.Context(), nil)
		require.ErrorIs(t, err, errNotRewindable, "the reader is free again, but not at its beginning")
		s, err = New(strings.NewReader("abc"), 0)
		require.NoError(t, err)
		first, err = s.Open(t.Context(), nil)
		require.NoError(t, err)
		second, err := s.Open(t.Context(), nil)
		require.NoError(t, err)
		for range 100 { // the turn is free, and the attempt is over: either may be noticed first
			n, err := first.Read(make([]byte, 10))
			assert.Equal(t, errDetached, err)
			assert.Zero(t, n)
		}
		n, err := second.Read(nil)
		require.NoError(t, err)
		assert.Zero(t, n)
		data, err := io.ReadAll(second)
		require.NoError(t, err)
		assert.Equal(t, "abc", string(data))
		require.NoError(t, second.Close())
		require.NoError(t, second.Close())
		_, err = second.Read(make([]byte, 10))
		assert.Equal(t, errDetached, err)
	})
}

// TestAbandonedReadTouchesNothing checks that an abandoned Read does not write
// to a buffer of the caller.
func TestAbandonedReadTouchesNothing(t *testing.T) {
	release, read := make(chan struct{}), make(chan struct{})
	content := readerFunc(func(p []byte) (int, error) {
		<-release
		for i := range p {
			p[i] = 'x'
		}
		close(read)
		return len(p), nil
	})
	s, err := New(content, 0)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	r, err := s.Open(ctx, nil)
	require.NoError(t, err)
	cancel()
	buffer := make([]byte, 10)
	_, err = r.Read(buffer)
	require.ErrorIs(t, err, context.Canceled)
	close(release)
	select {
	case <-read:
	case <-time.After(100 * time.Millisecond): // the Read was not started
	}
	assert.Equal(t, make([]byte, 10), buffer)
}

// TestAttemptThatIsOverReadsNothing checks readers that may block, and others.
func TestAttemptThatIsOverReadsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var reads atomic.Int32
		count := readerFunc(func([]byte) (int, error) { reads.Add(1); return 0, io.EOF })
		for _, content := range []io.Reader{count, &rewindable{count}} {
			for range 20 {
				s, err := New(content, 10)
				require.NoError(t, err)
				ctx, cancel := context.WithCancel(t.Context())
				r, err := s.Open(ctx, nil)
				require.NoError(t, err)
				n, err := r.Read(nil)
				require.NoError(t, err)
				assert.Zero(t, n)
				s.turn <- struct{}{} // another attempt reads
				cancel()
				n, err = r.Read(make([]byte, 5))
				assert.Equal(t, context.Canceled, err)
				assert.Zero(t, n)
				s.release()
				require.NoError(t, r.Close())
				r.ctx = t.Context()
				n, err = r.Read(make([]byte, 5))
				assert.Equal(t, errDetached, err)
				assert.Zero(t, n)
				synctest.Wait()
			}
		}
		assert.Zero(t, reads.Load())
	})
}

// TestCanceledRead returns at once, and not when its reader does.
func TestCanceledRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		s, err := New(readerFunc(func([]byte) (int, error) { <-release; return 0, io.EOF }), 0)
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		r, err := s.Open(ctx, nil)
		require.NoError(t, err)
		_, err = r.Read(make([]byte, 5))
		assert.Equal(t, context.DeadlineExceeded, err)
		s.Detach(true)
		close(release)
		synctest.Wait()
		assert.True(t, s.acquire(), "the Read that was abandoned gives the reader back")
		synctest.Wait()
		assert.Len(t, s.turn, 1, "and does so once")
	})
}

// TestEndOfASourceIsReadOnce, as is its failure.
func TestEndOfASourceIsReadOnce(t *testing.T) {
	for _, end := range []error{io.EOF, errDisk} {
		reads := 0
		s, err := New(readerFunc(func([]byte) (int, error) { reads++; return 0, end }), 0)
		require.NoError(t, err)
		r, err := s.Open(t.Context(), nil)
		require.NoError(t, err)
		for range 3 {
			_, err = r.Read(make([]byte, 5))
			assert.ErrorIs(t, err, end)
		}
		assert.Equal(t, 1, reads)
	}
}

// TestBroken checks what is said about the content of the last attempt after its end.
func TestBroken(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s, err := New(strings.NewReader("abc"), 0)
	require.NoError(t, err)
	assert.NoError(t, s.Broken(), "no attempt was made")
	for _, size := range []int{0, 1} {
		r, err := s.Open(ctx, nil)
		require.NoError(t, err)
		_, err = r.Read(make([]byte, size))
		require.NoError(t, err)
		r.Close()
		_, err = r.Read(make([]byte, 1))
		assert.ErrorIs(t, err, errDetached)
		assert.NoError(t, s.Broken(), "the attempt was over first")
	}
	cancel()
	assert.ErrorIs(t, s.Broken(), context.Canceled)

	r, err := s.Open(t.Context(), nil)
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, r)
	require.NoError(t, err)
	r.Close()
	assert.NoError(t, s.Broken(), "this attempt read all")

	s, err = New(io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(errDisk)), 0)
	require.NoError(t, err)
	r, err = s.Open(t.Context(), nil)
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, r)
	require.Error(t, err)
	r.Close()
	assert.ErrorIs(t, s.Broken(), errDisk)
}

// TestResultsOfReads are those of the caller's reader, if they are possible.
func TestResultsOfReads(t *testing.T) {
	for _, tc := range []struct {
		n    int
		err  error
		want int
		text string
	}{
		{5, nil, 5, ""}, {3, io.EOF, 3, "EOF"}, {3, errDisk, 3, "reading the upload: the disk is full"},
		{-1, nil, 0, "reading the upload: its Read returned an impossible count"},
		{6, io.EOF, 0, "reading the upload: its Read returned an impossible count"},
	} {
		n, err := checkRead(tc.n, tc.err, 5)
		assert.Equal(t, tc.want, n)
		if tc.text == "" {
			assert.NoError(t, err)
		} else {
			assert.EqualError(t, err, tc.text)
		}
	}
}

// seekerOf cannot seek in one of the ways.
type seekerOf struct {
	*strings.Reader
	refused int
}

func (s *seekerOf) Seek(offset int64, whence int) (int64, error) {
	if whence == s.refused {
		return 0, errDisk
	}
	return s.Reader.Seek(offset, whence)
}

// TestContentThatOnlySeemsToSeek is sent from where it stands, as a stream.
func TestContentThatOnlySeemsToSeek(t *testing.T) {
	for _, refused := range []int{io.SeekCurrent, io.SeekEnd} {
		s, err := New(&seekerOf{strings.NewReader("abcdef"), refused}, -1)
		require.NoError(t, err)
		assert.Nil(t, s.seeker)
	}
	_, err := New(&seekerOf{strings.NewReader("abcdef"), io.SeekStart}, 0)
	assert.ErrorIs(t, err, errDisk)
}
