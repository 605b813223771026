package serviceapi

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"slices"
	"time"

	"example.com/serviceapi/internal/header"
	"example.com/serviceapi/internal/source"
	"example.com/serviceapi/internal/text"
)

// Upload is a file to send. It is streamed from Content, never read into memory as a whole.
//
// If Content is an io.Seeker, it is sent from its current position, with its
// length announced, and can be sent again from there if the first attempt was
// certainly not executed. If the call fails, Content is set back to that
// position, so that the same Upload can be passed to another call. Any other
// Content is sent only once.
//
// If reading Content fails, or the context ends before all of it was read, the call fails,
// even if the service accepts the part that it received.
type Upload struct {
	// Filename is the file's name as sent to the service. It must not contain
	// control characters. It is not sent, and may be empty, if the file is the
	// whole body of [Client.Do].
	Filename string
	// Content is read to its end. The call does not close it. If Content cannot seek, a
	// call that is canceled, or refused early, does not wait for a Read that blocks, as a
	// Read from a terminal or a pipe may: such a Read is abandoned, and may still take
	// bytes after the call has returned. Close the source to end it.
	Content io.Reader
	// Size is the number of bytes in Content. If it is 0, the size is taken from
	// Content if possible, and otherwise not announced. If Content has fewer or
	// more bytes than announced, the call fails and the service sees a broken
	// request: the last byte is sent only after Content has ended.
	Size int64
	// ContentType is the media type; "" means "application/octet-stream".
	ContentType string
}

func (u *Upload) check() error {
	switch {
	case u.Content == nil:
		return badArgument("upload", "has no content")
	case u.Filename == "" || text.HasControl(u.Filename):
		return badArgument("Filename", "is empty or contains a control character")
	case !header.IsValue(u.ContentType):
		return badArgument("ContentType", "contains a control character")
	case u.Size < 0:
		return negative("Size")
	}
	return nil
}

func (u *Upload) mediaType() string { return cmp.Or(u.ContentType, "application/octet-stream") }

// uploadBody is a body whose files are streamed, between pieces in memory.
type uploadBody struct {
	files  []bodyFile
	tail   []byte
	report func(Progress)
}

// bodyFile is a file, and what is sent before it.
type bodyFile struct {
	head   []byte
	source *source.Source
}

// open returns the body from its beginning, to be read until ctx ends. It ends the use of
// the reader that it returned before.
func (b *uploadBody) open(ctx context.Context) (io.Reader, error) {
	var readers []io.Reader
	var opened closers
	report := b.reporter()
	for _, f := range b.files {
		file, err := f.source.Open(ctx, report)
		if err != nil {
			opened.Close()
			return nil, err
		}
		readers = append(readers, bytes.NewReader(f.head), file)
		opened = append(opened, file)
	}
	return struct {
		io.Reader
		io.Closer
	}{io.MultiReader(append(readers, bytes.NewReader(b.tail))...), opened}, nil
}

// reporter returns the function that reports the progress of one attempt, in
// which the files are read one after the other.
func (b *uploadBody) reporter() func(n int, ended bool) {
	if b.report == nil {
		return nil
	}
	r := reporter{report: b.report}
	state := Progress{Total: b.size()}
	return func(n int, ended bool) {
		if state.Done += int64(n); n > 0 {
			r.set(state)
		}
		if ended {
			r.end()
		}
	}
}

// size returns the number of bytes in all files, or -1 if unknown.
func (b *uploadBody) size() int64 {
	sum := int64(0)
	for _, f := range b.files {
		if f.source.Size() < 0 {
			return -1
		}
		sum += f.source.Size()
	}
	return sum
}

// closers are closed together.
type closers []io.Closer

func (c closers) Close() error {
	for _, one := range c {
		one.Close()
	}
	return nil
}

// rewindable reports whether open will succeed once more.
func (b *uploadBody) rewindable() bool {
	return !slices.ContainsFunc(b.files, func(f bodyFile) bool { return !f.source.CanRewind() })
}

// finish ends the use of the reader that open returned: the caller's reader is not read
// after the call has returned. If the call failed, the reader is set back, if possible.
func (b *uploadBody) finish(failed bool) {
	for _, f := range b.files {
		f.source.Detach(failed)
	}
}

// broken returns the error that the content of a file ended with.
func (b *uploadBody) broken() error {
	for _, f := range b.files {
		if err := f.source.Broken(); err != nil {
			return err
		}
	}
	return nil
}

// length returns the length of the body in bytes, or -1 if unknown.
func (b *uploadBody) length() int64 {
	length := b.size()
	if length < 0 {
		return -1
	}
	for _, f := range b.files {
		length += int64(len(f.head))
	}
	return length + int64(len(b.tail))
}

// progressInterval is the time between two reports of progress: short enough
// for a person, and long enough for a function that draws.
const progressInterval = 100 * time.Millisecond

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
