package serviceapi

import (
	"errors"
	"fmt"
	"io"
	"net/http"

	"example.com/serviceapi/internal/header"
)

// take makes a response the source of the stream.
func (d *Download) take(resp *http.Response) {
	// A part of a content whose length is not known may be less than was requested.
	d.framed = resp.StatusCode != http.StatusPartialContent &&
		(len(resp.TransferEncoding) > 0 || resp.ProtoMajor >= 2)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.body = resp.Body
	if d.closed {
		resp.Body.Close()
	}
}

// ending says what the end of the body means: nil if the stream continues on
// another connection.
func (d *Download) ending(err error) error {
	switch {
	case d.pos == d.total:
		return d.end() // whatever happened to the connection after the last byte
	case err != io.EOF:
		return d.resume(err)
	case d.total >= 0 && d.pos > d.total:
		return d.broken(errors.New("the service sent more bytes than it announced"))
	case d.total >= 0:
		return d.resume(io.ErrUnexpectedEOF)
	case !d.framed && d.checksum == nil:
		return d.broken(ErrUnknownLength)
	}
	return d.end()
}

// end returns what a stream ends with after it was received completely.
func (d *Download) end() error {
	if d.checksum != nil {
		if err := d.checksum.check(); err != nil {
			return d.broken(err)
		}
	}
	d.progress.set(Progress{Done: d.pos, Total: d.total})
	return io.EOF
}

// broken makes the error that the stream ends with.
func (d *Download) broken(err error) error { return d.sending.failure(err) }

// resume opens another connection where the last one broke off.
func (d *Download) resume(cause error) error {
	d.body.Close()
	policy := &d.call.options.retry
	d.failures++
	if d.version.Validator == "" || d.failures >= policy.MaxAttempts {
		return d.broken(fmt.Errorf("the stream broke off after %d bytes: %w", d.pos, cause))
	}
	if err := pause(d.call.ctx, policy.draw(d.failures)); err != nil {
		return d.broken(err)
	}
	return d.reopen()
}

var (
	errWrongPart    = errors.New("the service sent a different part than the one that was requested")
	errOtherVersion = errors.New("the service sent a part of another version of the content")
	errChanged      = errors.New("the content changed while it was read, or the service cannot resume it")
)

// reopen requests the rest of the content.
func (d *Download) reopen() error {
	s, err := d.call.rest(d.pos, d.version.Validator).send()
	defer s.text.Release()
	if err != nil {
		return err
	}
	total, err := d.checkRest(s.resp)
	if err != nil {
		s.resp.Body.Close()
		return d.broken(fmt.Errorf("after %d bytes: %w", d.pos, err))
	}
	d.sending, d.total = s, total
	d.take(s.resp)
	return nil
}

// checkRest returns an error unless a response continues where the stream broke
// off, in the same version of the content. A service or a proxy that ignores
// If-Range would otherwise join two versions. It also returns what is now known
// of the length of the whole content.
func (d *Download) checkRest(resp *http.Response) (total int64, err error) {
	if resp.StatusCode != http.StatusPartialContent {
		return 0, errChanged
	}
	part, err := header.PartOf(resp)
	switch {
	case err != nil, part.Start != d.pos,
		part.Total >= 0 && d.total >= 0 && part.Total != d.total:
		return 0, errWrongPart
	case !d.version.Admits(resp.Header):
		return 0, errOtherVersion
	}
	return max(d.total, part.Total), nil
}
