package serviceapi

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"time"
)

// source is the caller's reader of an upload. Each attempt reads it through its
// own reader, and only the newest of these can still read from it: net/http may
// continue to read for an attempt that was abandoned.
type source struct {
	reader io.Reader
	seeker io.Seeker // nil if the reader cannot be rewound
	start  int64
	size   int64 // -1 if unknown

	// turn is held by whoever uses the caller's reader. It is a channel, not a
	// mutex, because a reader may block forever and others must not wait forever
	// for it.
	turn    chan struct{}
	current atomic.Pointer[sourceReader]
	touched atomic.Bool
}

// readGrace is how long the end of a call waits for a Read of the caller's
// reader that is in progress. A Read that blocks longer, such as that of a
// terminal, is abandoned: it ends with its next byte, and no other Read
// follows.
const readGrace = 100 * time.Millisecond

// sourceError is an error of the caller's reader, which another attempt would
// encounter again.
type sourceError struct{ err error }

func (e *sourceError) Error() string { return "reading the upload: " + e.err.Error() }
func (e *sourceError) Unwrap() error { return e.err }

func newSource(r io.Reader, size int64) (*source, error) {
	s := &source{reader: r, size: size, turn: make(chan struct{}, 1)}
	if size == 0 {
		s.size = -1
		if l, ok := r.(interface{ Len() int }); ok {
			s.size = int64(l.Len())
		}
	}
	seeker, ok := r.(io.Seeker)
	if !ok {
		return s, nil
	}
	start, err := seeker.Seek(0, io.SeekCurrent)
	if err != nil {
		return s, nil // a pipe has a Seek method, which fails
	}
	end, err := seeker.Seek(0, io.SeekEnd)
	if err != nil {
		return s, nil
	}
	if _, err := seeker.Seek(start, io.SeekStart); err != nil {
		return nil, &sourceError{err}
	}
	s.seeker, s.start = seeker, start
	if size == 0 {
		s.size = max(0, end-start)
	}
	return s, nil
}

var (
	errNotRewindable = errors.New("it was partly read and cannot be rewound")
	errStillRead     = errors.New("the previous attempt is still reading it")
)

// mayBlock reports whether a Read may wait for input, as that of a terminal, a
// pipe or a connection does. A reader that can seek is a file or in memory.
func (s *source) mayBlock() bool { return s.seeker == nil }

func (s *source) rewindable() bool { return s.seeker != nil || !s.touched.Load() }

// acquire takes the turn, unless another goroutine holds it for too long.
func (s *source) acquire() bool {
	timer := time.NewTimer(readGrace)
	defer timer.Stop()
	select {
	case s.turn <- struct{}{}:
		return true
	case <-timer.C:
		return false
	}
}

func (s *source) release() { <-s.turn }

// open returns a reader of the whole content, for as long as ctx lasts.
func (s *source) open(ctx context.Context, report func(Progress)) (*sourceReader, error) {
	s.drop()
	if !s.acquire() {
		return nil, &sourceError{errStillRead}
	}
	defer s.release()
	if s.touched.Load() {
		if s.seeker == nil {
			return nil, &sourceError{errNotRewindable}
		}
		if _, err := s.seeker.Seek(s.start, io.SeekStart); err != nil {
			return nil, &sourceError{err}
		}
	}
	r := &sourceReader{source: s, ctx: ctx, gone: make(chan struct{}), left: s.size, progress: reporter{report: report}}
	s.current.Store(r)
	return r, nil
}

// drop ends the reader of the previous attempt.
func (s *source) drop() {
	if r := s.current.Load(); r != nil {
		r.Close()
	}
}

// detach ends the use of the caller's reader. If the call failed, the next one
// may send the same content: without setting it back, that would be the rest,
// which is often empty.
func (s *source) detach(failed bool) {
	s.drop()
	if !s.acquire() {
		return
	}
	defer s.release()
	if failed && s.seeker != nil && s.touched.Load() {
		s.seeker.Seek(s.start, io.SeekStart) // the call has an error already
	}
}
