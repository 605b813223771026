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

	// call asks for the content from its beginning, answer is what came last.
	call   *call
	answer *answer
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
	cl.use = streamBody
	point := cl.options.resume
	asked := cl
	if point.offset > 0 {
		asked = cl.rest(point.offset, point.etag)
	}
	a, err := asked.send()
	if point.offset > 0 && isUnsatisfiable(err) {
		// Nothing is there at the offset: the content has become shorter, or
		// was complete.
		a.release()
		a, err = cl.send()
	}
	defer a.release()
	if err != nil {
		return nil, a.response(), err
	}
	d, err := newDownload(a, cl, point)
	if err != nil {
		a.resp.Body.Close()
		return nil, a.response(), err
	}
	return d, a.response(), nil
}

func isUnsatisfiable(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.StatusCode == http.StatusRequestedRangeNotSatisfiable
}

// rest returns a call for what follows the first bytes of the same content.
func (cl *call) rest(offset int64, validator string) *call {
	next := cl.at(cl.parent, cl.query)
	next.options.header = cl.options.header.Clone()
	next.options.setHeader("Range", "bytes="+strconv.FormatInt(offset, 10)+"-")
	next.options.setHeader("If-Range", validator)
	return next
}

// newDownload makes the stream of a response to a call, which asked for the
// content from a point on.
func newDownload(a *answer, cl *call, point resumePoint) (*Download, error) {
	resp := a.resp
	d := &Download{
		Name:        fileName(resp.Header.Get("Content-Disposition")),
		Size:        resp.ContentLength,
		ContentType: resp.Header.Get("Content-Type"),
		call:        cl,
		answer:      a,
		body:        resp.Body,
	}
	if resp.StatusCode == http.StatusPartialContent {
		part, err := parseContentRange(resp.Header.Get("Content-Range"))
		if err != nil || part.start != point.offset {
			return nil, a.decodeError(errWrongPart)
		}
		if !sameVersion(resp.Header, point.etag) {
			return nil, a.decodeError(errOtherVersion)
		}
		d.Offset, d.pos, d.Size = part.start, part.start, part.total
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

// broken makes the error that the stream ends with.
func (d *Download) broken(err error) error { return d.answer.failure(err) }

// resume opens another connection where the last one broke off.
func (d *Download) resume(cause error) error {
	d.body.Close()
	policy := &d.call.options.retry
	d.failures++
	if d.validator == "" || d.failures >= policy.MaxAttempts {
		return d.broken(fmt.Errorf("the stream broke off after %d bytes: %w", d.pos, cause))
	}
	if err := pause(d.call.ctx, policy.draw(d.failures)); err != nil {
		return d.broken(err)
	}
	return d.reopen()
}

var (
	errWrongPart    = errors.New("the service sent another part than the one that was asked for")
	errOtherVersion = errors.New("the service sent a part of another version of the content")
	errChanged      = errors.New("the content changed while it was read, or the service cannot resume it")
)

// reopen asks for the rest of the content.
func (d *Download) reopen() error {
	a, err := d.call.rest(d.pos, d.validator).send()
	defer a.release()
	if err != nil {
		return err
	}
	if err := d.checkRest(a.resp); err != nil {
		a.resp.Body.Close()
		return d.broken(fmt.Errorf("after %d bytes: %w", d.pos, err))
	}
	d.answer = a
	d.setSource(a.resp)
	return nil
}

// checkRest reports whether a response goes on where the stream broke off, in
// the same version of the content (RFC 9110, 15.3.7.3). A service or a proxy
// that ignores If-Range would otherwise join two versions.
func (d *Download) checkRest(resp *http.Response) error {
	if resp.StatusCode != http.StatusPartialContent {
		return errChanged
	}
	part, err := parseContentRange(resp.Header.Get("Content-Range"))
	switch {
	case err != nil, part.start != d.pos,
		part.total >= 0 && d.Size >= 0 && part.total != d.Size:
		return errWrongPart
	case !sameVersion(resp.Header, d.validator):
		return errOtherVersion
	}
	return nil
}

// sameVersion reports whether a part of a content may belong to the version
// that a validator names: nothing in its header contradicts it.
func sameVersion(h http.Header, validator string) bool {
	if strings.HasPrefix(validator, `"`) {
		etag := h.Get("ETag")
		return etag == "" || etag == validator
	}
	modified := h.Get("Last-Modified")
	return modified == "" || modified == validator
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

// contentRange is the part of the content that a response has; total is -1 if
// it is not known.
type contentRange struct{ start, total int64 }

var errContentRange = errors.New("malformed Content-Range")

// parseContentRange reads "bytes 10-99/100".
func parseContentRange(value string) (contentRange, error) {
	rest, ok := strings.CutPrefix(value, "bytes ")
	span, whole, ok2 := strings.Cut(rest, "/")
	from, _, ok3 := strings.Cut(span, "-")
	if !ok || !ok2 || !ok3 {
		return contentRange{}, errContentRange
	}
	start, err := strconv.ParseInt(strings.TrimSpace(from), 10, 64)
	if err != nil || start < 0 {
		return contentRange{}, errContentRange
	}
	if whole == "*" {
		return contentRange{start, -1}, nil
	}
	total, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || total < start {
		return contentRange{}, errContentRange
	}
	return contentRange{start, total}, nil
}
