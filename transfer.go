package serviceapi

import (
	"bytes"
	"context"
	"io"
	"time"
)

// Progress is the state of a download or an upload.
type Progress struct {
	// Done is the number of bytes transferred so far, counted from the beginning
	// of the content.
	Done int64
	// Total is the size of the content in bytes, -1 if it is not known.
	Total int64
}

// Fraction returns the fraction that is done, from 0 to 1. It returns 0 if the
// total is not known.
func (p Progress) Fraction() float64 {
	if p.Total <= 0 {
		return 0
	}
	return min(1, float64(p.Done)/float64(p.Total))
}

// reporter reports the progress of a transfer to a caller's function. Its zero
// value reports nothing.
type reporter struct {
	report func(Progress)
	state  Progress
	// pending is set if the state was not reported yet.
	pending bool
	last    time.Time
}

// set sets the state, and reports it unless the last report is too recent.
func (r *reporter) set(state Progress) {
	if r.report == nil || state == r.state && !r.last.IsZero() {
		return
	}
	r.state, r.pending = state, true
	if now := time.Now(); r.last.IsZero() || now.Sub(r.last) >= progressInterval {
		r.last = now
		r.end()
	}
}

// end reports the last state if it was not reported yet.
func (r *reporter) end() {
	if r.pending {
		r.pending = false
		r.report(r.state)
	}
}

// body is the body of a request, for all its attempts.
type body interface {
	// open returns the body from its beginning, to be read until ctx ends. It
	// ends the use of what it returned before.
	open(ctx context.Context) (io.Reader, error)
	// rewindable reports whether open will succeed once more.
	rewindable() bool
	// finish ends the use of what open returned: the caller's reader is not read
	// after the call has returned. If the call failed, the reader is set back, if
	// possible.
	finish(failed bool)
	// length is in bytes, -1 if unknown.
	length() int64
	contentType() string
}

// textBody is a body in memory.
type textBody struct {
	data      []byte
	mediaType string
}

func (b *textBody) open(context.Context) (io.Reader, error) {
	r := new(textReader)
	r.Reset(b.data)
	return r, nil
}

func (b *textBody) rewindable() bool { return true }

func (b *textBody) finish(bool) {}

func (b *textBody) length() int64 { return int64(len(b.data)) }

func (b *textBody) contentType() string { return b.mediaType }

// textReader is a reader in memory that can be closed.
type textReader struct{ bytes.Reader }

func (*textReader) Close() error { return nil }
