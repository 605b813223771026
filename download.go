package serviceapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Download is content that the service sends as a stream. The caller must close
// it; [Download.SaveFile] does.
//
// If the connection breaks off, the download is resumed where it was, provided
// that the service identifies the version of the content by a strong entity tag
// or a date. If that is impossible or fails, Read returns an error: a Download
// never ends early with io.EOF. If the service does not declare the length of
// the content, the stream ends with [ErrUnknownLength] instead of io.EOF.
//
// A Download must not be read by several goroutines at once. It is bound to the
// context of its call, which must not end before the stream has been read.
type Download struct {
	// Name is the file name that the service gives, without directories; "" if it
	// gives none.
	Name string
	// Size is the length of the whole content in bytes, -1 if it is not known.
	Size int64
	// Offset is where the stream begins, in bytes: 0, or the offset of
	// [WithDownloadOffset] if the service agreed to it.
	Offset int64
	// ContentType is the media type.
	ContentType string
	// ETag identifies the version of the content, for [WithDownloadOffset]. It is
	// "" if the service sends no strong entity tag.
	ETag string

	call   *call
	body   io.ReadCloser
	pos    int64
	closed bool
	err    error
	// framed tells that the end of the body can be told from a cut.
	framed bool
	// validator is the If-Range value for resuming, "" if there is none.
	validator string
	// failures counts the attempts to resume since the last byte came.
	failures int
	// checksum is held against the content at its end; nil if nobody asked.
	checksum *checksum
}

// ErrUnknownLength ends a stream, in place of io.EOF, whose length the service
// did not declare. All bytes that arrived were delivered, but whether they are
// all there were cannot be known.
var ErrUnknownLength = errors.New("the response has no declared length, so truncation cannot be detected")

// resumePoint is where a stream is to begin.
type resumePoint struct {
	offset int64
	etag   string
}

// WithDownloadOffset asks a download to begin at a byte offset, to continue one
// that an earlier run of a program left unfinished. The etag ([Download.ETag]
// of that time) makes sure that the content is still the same. If the service
// does not agree, the stream begins at 0: check [Download.Offset].
func WithDownloadOffset(offset int64, etag string) RequestOption {
	return requestOption(func(o *callOptions) error {
		if offset < 0 || etag == "" || !validHeaderValue(etag) {
			return &ArgumentError{Argument: "offset", Problem: "must not be negative, and needs an entity tag"}
		}
		o.resume = resumePoint{offset, etag}
		return nil
	})
}

// stream makes a call that answers with a stream.
func stream(ctx context.Context, c *Client, method string, e Endpoint, in input, opts []RequestOption) (*Download, *Response, error) {
	cl, err := newCall(ctx, c, method, e, in, opts)
	if err != nil {
		return nil, nil, err
	}
	cl.answer = answerStream
	point := cl.options.resume
	if point.offset > 0 {
		cl.askForRest(point.offset, point.etag)
	}
	resp, err := cl.send()
	if point.offset > 0 && isUnsatisfiable(err) {
		// Nothing is there at the offset: the content has become shorter, or
		// was complete.
		cl.options.header.Del("Range")
		cl.options.header.Del("If-Range")
		resp, err = cl.send()
	}
	if err != nil {
		return nil, cl.response(), err
	}
	d, err := newDownload(cl, resp, point.offset)
	if err != nil {
		resp.Body.Close()
		return nil, newResponse(cl, resp), err
	}
	return d, newResponse(cl, resp), nil
}

func isUnsatisfiable(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.StatusCode == http.StatusRequestedRangeNotSatisfiable
}

func (cl *call) askForRest(offset int64, validator string) {
	h := cl.options.header.Clone()
	if h == nil {
		h = make(http.Header)
	}
	h.Set("Range", "bytes="+strconv.FormatInt(offset, 10)+"-")
	h.Set("If-Range", validator)
	cl.options.header = h
}

func newDownload(cl *call, resp *http.Response, offset int64) (*Download, error) {
	d := &Download{
		Name:        fileName(resp.Header.Get("Content-Disposition")),
		Size:        resp.ContentLength,
		ContentType: resp.Header.Get("Content-Type"),
		call:        cl,
		body:        resp.Body,
	}
	if resp.StatusCode == http.StatusPartialContent {
		start, total, err := parseContentRange(resp.Header.Get("Content-Range"))
		if err != nil || start != offset {
			return nil, cl.decodeError(errors.New("the service sent another part than the one that was asked for"))
		}
		d.Offset, d.pos, d.Size = start, start, total
	}
	if etag := resp.Header.Get("ETag"); strings.HasPrefix(etag, `"`) {
		d.ETag = etag
	}
	d.setSource(resp)
	return d, nil
}

// setSource notes what of a response matters for reading it to its end.
func (d *Download) setSource(resp *http.Response) {
	d.body = resp.Body
	d.framed = resp.ContentLength >= 0 || len(resp.TransferEncoding) > 0 || resp.ProtoMajor >= 2
	d.validator = d.ETag
	if d.validator == "" {
		d.validator = strongDate(resp.Header)
	}
}

// strongDate returns Last-Modified if it is old enough to tell two versions of
// the content apart (RFC 9110, 8.8.2.2).
func strongDate(h http.Header) string {
	modified, err := http.ParseTime(h.Get("Last-Modified"))
	if err != nil {
		return ""
	}
	date, err := http.ParseTime(h.Get("Date"))
	if err != nil || date.Sub(modified) < time.Minute {
		return ""
	}
	return h.Get("Last-Modified")
}

// Read reads from the stream. See [Download] for how it ends.
func (d *Download) Read(p []byte) (int, error) {
	switch {
	case d.closed:
		return 0, os.ErrClosed
	case d.err != nil:
		return 0, d.err
	case len(p) == 0:
		return 0, nil
	}
	for {
		n, err := d.body.Read(p)
		d.advance(p[:n])
		if err != nil {
			d.err = d.ending(err)
		}
		if n > 0 || d.err != nil {
			return n, d.err
		}
	}
}

func (d *Download) advance(read []byte) {
	if len(read) == 0 {
		return
	}
	d.pos += int64(len(read))
	d.failures = 0
	if d.checksum != nil {
		d.checksum.hash.Write(read)
	}
	if report := d.call.options.progress; report != nil {
		report(Progress{Done: d.pos, Total: d.Size})
	}
}

// ending says what the end of the body means: nil if the stream goes on from
// another connection.
func (d *Download) ending(err error) error {
	switch {
	case d.Size >= 0 && d.pos == d.Size:
		return d.end() // whatever became of the connection behind the last byte
	case err != io.EOF:
		return d.resume(err)
	case d.Size >= 0 && d.pos > d.Size:
		return d.broken(errors.New("more bytes came than announced"))
	case d.Size >= 0:
		return d.resume(io.ErrUnexpectedEOF)
	case !d.framed && d.checksum == nil:
		return d.broken(ErrUnknownLength)
	}
	return d.end()
}

// end is what a stream ends with when all of it came.
func (d *Download) end() error {
	if d.checksum != nil {
		if err := d.checksum.check(); err != nil {
			return d.broken(err)
		}
	}
	return io.EOF
}

func (d *Download) broken(err error) error {
	d.call.attempt.last = nil // it was a good one
	return d.call.transportError(err)
}

// resume opens another connection where the last one broke off.
func (d *Download) resume(cause error) error {
	d.body.Close()
	policy := &d.call.options.retry
	d.failures++
	if d.validator == "" || d.failures >= policy.MaxAttempts {
		return d.broken(fmt.Errorf("the stream broke off after %d bytes: %w", d.pos, cause))
	}
	if err := d.call.pause(policy.draw(d.failures)); err != nil {
		return d.broken(err)
	}
	return d.reopen()
}

// reopen asks for the rest of the content.
func (d *Download) reopen() error {
	next := d.call.at(d.call.ctx, d.call.query)
	next.askForRest(d.pos, d.validator)
	resp, err := next.send()
	if err != nil {
		return err
	}
	start, total, rangeErr := parseContentRange(resp.Header.Get("Content-Range"))
	switch {
	case resp.StatusCode != http.StatusPartialContent:
		err = errors.New("the content changed while it was read, or the service cannot resume it")
	case rangeErr != nil || start != d.pos || total >= 0 && d.Size >= 0 && total != d.Size:
		err = errors.New("the service sent another part than the one that was asked for")
	default:
		d.call = next
		d.setSource(resp)
		return nil
	}
	resp.Body.Close()
	return d.broken(fmt.Errorf("after %d bytes: %w", d.pos, err))
}

// pause waits, unless the context ends before.
func (cl *call) pause(wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-cl.ctx.Done():
		return cl.ctx.Err()
	}
}

// copyBufferSize suits both a socket and a disk.
const copyBufferSize = 128 << 10

// WriteTo writes the stream to w until it ends. An error of w stops it at once
// and is returned as it is.
func (d *Download) WriteTo(w io.Writer) (int64, error) {
	buf := make([]byte, copyBufferSize)
	var written int64
	for {
		n, err := d.Read(buf)
		if n > 0 {
			m, writeErr := w.Write(buf[:n])
			written += int64(max(m, 0))
			if writeErr == nil && m < n {
				writeErr = io.ErrShortWrite
			}
			if writeErr != nil {
				return written, writeErr
			}
		}
		if err == io.EOF {
			return written, nil
		}
		if err != nil {
			return written, err
		}
	}
}

// SaveFile writes the stream to a file, which appears under its name only when
// it is complete: until then the bytes are in a temporary file beside it, which
// an error removes. It returns the number of bytes, and closes the stream.
func (d *Download) SaveFile(name string) (n int64, err error) {
	defer d.Close()
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*.part")
	if err != nil {
		return 0, err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if n, err = d.WriteTo(f); err != nil {
		return n, err
	}
	if err = f.Chmod(0o644); err != nil {
		return n, err
	}
	if err = f.Close(); err != nil {
		return n, err
	}
	return n, os.Rename(f.Name(), name)
}

// Close ends the download. It may be called more than once.
func (d *Download) Close() error {
	if d.closed {
		return nil
	}
	d.closed = true
	return d.body.Close()
}

// fileName takes the file name out of a Content-Disposition, without any
// directory that a hostile service may have put there.
func fileName(disposition string) string {
	_, params, err := mime.ParseMediaType(disposition)
	if err != nil {
		return ""
	}
	name := params["filename"]
	if i := strings.LastIndexAny(name, `/\`); i >= 0 {
		name = name[i+1:]
	}
	if name == "." || name == ".." || hasControl(name) {
		return ""
	}
	return name
}

// parseContentRange reads "bytes 10-99/100"; total is -1 for "*".
func parseContentRange(value string) (start, total int64, err error) {
	rest, ok := strings.CutPrefix(value, "bytes ")
	span, whole, ok2 := strings.Cut(rest, "/")
	from, _, ok3 := strings.Cut(span, "-")
	if !ok || !ok2 || !ok3 {
		return 0, 0, errors.New("malformed Content-Range")
	}
	if start, err = strconv.ParseInt(strings.TrimSpace(from), 10, 64); err != nil {
		return 0, 0, err
	}
	if whole == "*" {
		return start, -1, nil
	}
	total, err = strconv.ParseInt(whole, 10, 64)
	return start, total, err
}
