// Package source reads the content of an upload once for each attempt, from one
// reader of the caller.
package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// Source is the caller's reader of an upload. Each attempt reads it through its
// own Reader, and only the newest of these can still read from it: net/http may
// continue to read for an attempt that was abandoned.
type Source struct {
	reader io.Reader
	seeker io.Seeker // nil if the reader cannot be rewound
	start  int64
	size   int64 // -1 if unknown

	// turn has an element while somebody uses the caller's reader. It is a channel,
	// not a mutex, because a reader may block forever and others must not wait
	// forever for it.
	turn    chan struct{}
	current atomic.Pointer[Reader]
	touched atomic.Bool
	// last is the reader of the last attempt, also after its end.
	last atomic.Pointer[Reader]
}

// readGrace is how long the end of a call waits for a Read of the caller's
// reader that is in progress. A Read that blocks longer, such as that of a
// terminal, is abandoned: it ends with its next byte, and no other Read
// follows.
const readGrace = 100 * time.Millisecond

// Error is an error of the caller's reader, which another attempt would encounter
// again.
type Error struct{ Err error }

func (e *Error) Error() string { return "reading the upload: " + e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// New returns the source of a reader, from its current position. If the size is
// 0, it is taken from the reader if possible.
func New(r io.Reader, size int64) (*Source, error) {
	s := &Source{reader: r, size: size, turn: make(chan struct{}, 1)}
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
		return nil, &Error{err}
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
func (s *Source) mayBlock() bool { return s.seeker == nil }

// Size is the number of bytes, -1 if it is not known.
func (s *Source) Size() int64 { return s.size }

// Broken returns why the content was not read to its end in the last attempt: the error of
// the caller's reader, or that of the context if it has ended. It is nil if the content was
// read to its end, or if nothing kept it from being read on.
func (s *Source) Broken() error {
	r := s.last.Load()
	if r == nil {
		return nil
	}
	switch err := r.ended.Load(); {
	case err == nil:
		return r.ctx.Err()
	case *err == io.EOF:
		return nil
	default:
		return *err
	}
}

// CanRewind reports whether the content can be sent from its beginning.
func (s *Source) CanRewind() bool { return s.seeker != nil || !s.touched.Load() }

// acquire takes the turn, unless another goroutine has it for too long.
func (s *Source) acquire() bool {
	timer := time.NewTimer(readGrace)
	defer timer.Stop()
	select {
	case s.turn <- struct{}{}:
		return true
	case <-timer.C:
		return false
	}
}

func (s *Source) release() { <-s.turn }

// Open returns a reader of the whole content, for as long as ctx lasts. If report
// is not nil, it is called with the number of bytes of each Read, and whether the
// content has ended, with an error or without one.
func (s *Source) Open(ctx context.Context, report func(n int, ended bool)) (*Reader, error) {
	s.drop()
	if !s.acquire() {
		return nil, &Error{errStillRead}
	}
	defer s.release()
	if s.touched.Load() {
		if s.seeker == nil {
			return nil, &Error{errNotRewindable}
		}
		if _, err := s.seeker.Seek(s.start, io.SeekStart); err != nil {
			return nil, &Error{err}
		}
	}
	r := &Reader{source: s, ctx: ctx, closed: make(chan struct{}), left: s.size, report: report}
	s.current.Store(r)
	s.last.Store(r)
	return r, nil
}

// drop ends the reader of the previous attempt.
func (s *Source) drop() {
	if r := s.current.Load(); r != nil {
		r.Close()
	}
}

// Detach ends the use of the caller's reader. If the call failed, the next one
// may send the same content: without setting it back, that would be the rest,
// which is often empty.
func (s *Source) Detach(failed bool) {
	s.drop()
	if !s.acquire() {
		return
	}
	defer s.release()
	if failed && s.seeker != nil && s.touched.Load() {
		s.seeker.Seek(s.start, io.SeekStart) // the call has an error already
	}
}

// Reader reads the content for one attempt.
type Reader struct {
	source *Source
	ctx    context.Context
	// closed is closed when the attempt is over.
	closed chan struct{}
	once   sync.Once
	// buffer is what the caller's reader fills. It is never that of net/http,
	// which an abandoned Read must not touch. rest is what was read but not passed
	// on yet, and end is the error that it ended with.
	buffer []byte
	rest   []byte
	end    error
	// ended is the error of the last Read, io.EOF for the end of the content. It is nil
	// before that, and if the attempt was over first.
	ended atomic.Pointer[error]
	// left is the number of bytes that are still expected, negative if unknown.
	left   int64
	done   int64
	report func(n int, ended bool)
}

var errDetached = errors.New("the attempt is over")

// Read reads the content. An error of the caller's reader is an [Error], and so
// is content that is shorter or longer than announced.
func (r *Reader) Read(p []byte) (int, error) {
	n, err := r.read(p)
	if err != nil && err != errDetached {
		r.ended.Store(&err)
	}
	return n, err
}

func (r *Reader) read(p []byte) (int, error) {
	s := r.source
	if len(p) == 0 {
		return 0, nil
	}
	switch {
	case r.left == 0:
		return 0, r.probeEnd()
	case r.left == 1:
		return r.readLast(p)
	case s.size >= 0 && int64(len(p)) >= r.left:
		p = p[:r.left-1]
	}
	n, err := r.readInto(p)
	r.done += int64(n)
	r.left -= int64(n)
	if r.report != nil {
		r.report(n, err != nil || r.left == 0)
	}
	if err == io.EOF && r.left > 0 {
		return n, r.tooShort()
	}
	return n, err
}

func (r *Reader) tooShort() error {
	return &Error{fmt.Errorf("it ended after %d of %d bytes: %w", r.done, r.source.size, io.ErrUnexpectedEOF)}
}

// readLast passes on the last byte that was announced, but only after the content has ended: if
// there is more, the request must not be complete.
func (r *Reader) readLast(p []byte) (int, error) {
	var last [1]byte
	for {
		n, err := r.readInto(last[:])
		switch {
		case n == 0 && err == nil:
			continue
		case n == 0 && err == io.EOF:
			return 0, r.tooShort()
		case n == 0:
			return 0, err
		case err == nil:
			err = r.probeEnd()
		}
		if err != io.EOF {
			return 0, err
		}
		r.done, r.left = r.done+1, 0
		if r.report != nil {
			r.report(1, true)
		}
		return copy(p, last[:]), nil
	}
}

// probeEnd checks that the content has no more bytes than announced.
func (r *Reader) probeEnd() error {
	var one [1]byte
	for {
		n, err := r.readInto(one[:])
		switch {
		case n > 0:
			return &Error{fmt.Errorf("it is longer than the announced %d bytes", r.source.size)}
		case err != nil:
			return err
		}
	}
}

// readInto reads from the caller's reader. One that may block forever is not
// read on this goroutine: net/http waits for it.
func (r *Reader) readInto(p []byte) (n int, err error) {
	if !r.source.mayBlock() {
		return r.readDirectly(p)
	}
	if len(r.rest) == 0 && r.end == nil {
		if err := r.fill(); err != nil {
			return 0, err
		}
	}
	n = copy(p, r.rest)
	if r.rest = r.rest[n:]; len(r.rest) == 0 {
		err = r.end
	}
	return n, err
}

// take waits for the turn to use the caller's reader.
func (r *Reader) take() error {
	s := r.source
	select {
	case s.turn <- struct{}{}:
	case <-r.closed:
		return errDetached
	case <-r.ctx.Done():
		return r.ctx.Err()
	}
	if s.current.Load() != r {
		s.release()
		return errDetached
	}
	s.touched.Store(true)
	return nil
}

func (r *Reader) readDirectly(p []byte) (int, error) {
	if err := r.take(); err != nil {
		return 0, err
	}
	defer r.source.release()
	n, err := r.source.reader.Read(p)
	return checkRead(n, err, len(p))
}

// readSize is how much is read at once from a reader that may block: enough
// that a goroutine for each Read costs little.
const readSize = 128 << 10

// readResult is the result of one Read of the caller's reader.
type readResult struct {
	n   int
	err error
}

// fill reads from the caller's reader once, on a goroutine that is abandoned if
// the attempt ends first.
func (r *Reader) fill() error {
	if err := r.take(); err != nil {
		return err
	}
	buffer, results := r.room(), make(chan readResult, 1)
	go func() {
		defer r.source.release()
		n, err := r.source.reader.Read(buffer)
		results <- readResult{n, err}
	}()
	select {
	case result := <-results:
		n, err := checkRead(result.n, result.err, len(buffer))
		r.rest, r.end = buffer[:n], err
		return nil
	case <-r.closed:
		return errDetached
	case <-r.ctx.Done():
		return r.ctx.Err()
	}
}

// room returns the buffer for the bytes that are still expected, or for one
// byte that must not follow.
func (r *Reader) room() []byte {
	size := int64(readSize)
	if r.source.size >= 0 {
		size = min(size, max(r.left, 1))
	}
	if int64(len(r.buffer)) < size {
		r.buffer = make([]byte, size)
	}
	return r.buffer[:size]
}

// checkRead distinguishes an error of the caller's reader from its end.
func checkRead(n int, err error, size int) (int, error) {
	switch {
	case n < 0 || n > size:
		return 0, &Error{errors.New("its Read returned an impossible count")}
	case err != nil && err != io.EOF:
		return n, &Error{err}
	}
	return n, err
}

// Close ends the attempt.
func (r *Reader) Close() error {
	r.source.current.CompareAndSwap(r, nil)
	r.once.Do(func() { close(r.closed) })
	return nil
}
