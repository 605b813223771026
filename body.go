package serviceapi

import (
	"bytes"
	"context"
	"io"
)

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

func (b *textBody) rewindable() bool    { return true }
func (b *textBody) finish(bool)         {}
func (b *textBody) length() int64       { return int64(len(b.data)) }
func (b *textBody) contentType() string { return b.mediaType }

// textReader is a reader in memory that can be closed.
type textReader struct{ bytes.Reader }

func (*textReader) Close() error { return nil }
