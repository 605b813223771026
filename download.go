package serviceapi

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"

	"example.com/serviceapi/internal/header"
	"example.com/serviceapi/internal/text"
)

// Download is content that the service sends as a stream. The caller must close
// it; [Download.SaveFile] does.
//
// If the connection breaks off, the download is resumed where it was, provided
// that the service identifies the version of the content by a strong entity tag
// or a date. If that is impossible or fails, Read returns an error: a Download
// never ends early with io.EOF. If a response has neither a length nor a marked
// end, the stream ends with [ErrUnknownLength] instead of io.EOF.
//
// A Download must not be read by several goroutines at once, but Close may be
// called at any time. A Download is bound to the context of its call, which must
// not end before the stream has been read.
type Download struct {
	// Name is the file name that the service sends, without directories, control
	// characters and invisible formatting characters, or "" if it sends none. The
	// operating system may still treat it in a special way, such as NUL or a name
	// with a colon on Windows: check it with [filepath.IsLocal] before you use it.
	Name string
	// Size is the length of the whole content in bytes, -1 if it is not known.
	Size int64
	// Offset is where the stream begins, in bytes: 0, or the offset of
	// [WithDownloadOffset] if the service accepted it.
	Offset int64
	// ContentType is the media type.
	ContentType string
	// ETag identifies the version of the content, for [WithDownloadOffset]. It is
	// "" if the service sends no strong entity tag.
	ETag string

	// call requests the content from its beginning; sending is the latest
	// one.
	call    *call
	sending *sending
	pos     int64
	err     error
	// total is Size, or what a later response said of it.
	total int64
	// framed is set if the end of a body without an announced length can be
	// distinguished from a broken connection.
	framed bool
	// version is the version of the content that was read so far.
	version header.Version
	// failures is the number of attempts to resume since the last byte was
	// received.
	failures int
	// checksum is compared with the content at its end; nil if that was not asked
	// for.
	checksum *checksum
	progress reporter
	// private is set if only the owner of the file should be able to read the
	// content.
	private bool

	// cancel ends the requests of the stream.
	cancel context.CancelFunc
	// mu guards the fields that Close shares with Read.
	mu     sync.Mutex
	body   io.ReadCloser
	closed bool
}

// ErrUnknownLength ends a stream instead of io.EOF if the service did not
// declare its length and the connection does not mark its end, as HTTP/2 and
// chunks of HTTP/1.1 do. All bytes that arrived were delivered, but it is not
// known whether the service sent more.
var ErrUnknownLength = errors.New("the response has no declared length, so truncation cannot be detected")

// WithDownloadOffset asks a download to begin at a byte offset, to continue one
// that an earlier run of a program left unfinished. The etag, which is the
// [Download.ETag] of the earlier run, makes sure that the content is still the
// same. If it is not, the stream begins at 0: check [Download.Offset]. If the
// service sends a part of another version anyway, the call returns a
// [*DecodeError]. [SaveFile] does all of this for a file.
func WithDownloadOffset(offset int64, etag string) RequestOption {
	return requestOption(func(o *callOptions) error {
		if offset < 0 {
			return negative("offset")
		}
		if !header.IsStrongTag(etag) {
			return &ArgumentError{Argument: "etag", Problem: "must be an entity tag such as Download.ETag, with its quotes"}
		}
		o.resume = resumePoint{offset: offset, etag: etag}
		return nil
	})
}

// stream makes a call whose response is a stream.
func stream(ctx context.Context, c *Client, method string, e Endpoint, in input, opts []RequestOption) (*Download, *Response, error) {
	cl, err := newCall(ctx, c, method, e, in, opts)
	if err != nil {
		return nil, nil, err
	}
	cl.use = streamBody
	ctx, cancel := context.WithCancel(ctx) // so that Close ends whatever is in progress
	cl.bind(ctx)
	d, resp, err := openStream(cl, cl.options.resume)
	if err != nil {
		cancel()
		return nil, resp, err
	}
	d.cancel = cancel
	return d, resp, nil
}

// openStream requests the content of a call from a point on.
func openStream(cl *call, point resumePoint) (*Download, *Response, error) {
	asked := cl
	if point.offset > 0 {
		asked = cl.rest(point.offset, point.etag)
	}
	s, err := asked.send()
	if point.offset > 0 && isUnsatisfiable(err) {
		// There is nothing at the offset: the content has become shorter, or was
		// complete.
		s.text.Release()
		s, err = cl.send()
	}
	defer s.text.Release()
	if err != nil {
		return nil, s.response(), err
	}
	d, err := newDownload(s, cl, point)
	if err != nil {
		s.resp.Body.Close()
		return nil, s.response(), err
	}
	return d, s.response(), nil
}

func isUnsatisfiable(err error) bool {
	e := errorResponse(err)
	return e != nil && e.StatusCode == http.StatusRequestedRangeNotSatisfiable
}

// rest returns a call for the content after the bytes that were already read.
func (cl *call) rest(offset int64, validator string) *call {
	next := cl.at(cl.parent, cl.query)
	next.options.header = cl.options.header.Clone()
	next.options.setHeader("Range", "bytes="+strconv.FormatInt(offset, 10)+"-")
	next.options.setHeader("If-Range", validator)
	return next
}

// newDownload makes the stream of the response to a call that requested the
// content from some point on.
func newDownload(s *sending, cl *call, point resumePoint) (*Download, error) {
	resp := s.resp
	d := &Download{
		Name:        header.FileName(resp.Header.Get("Content-Disposition")),
		Size:        resp.ContentLength,
		ContentType: resp.Header.Get("Content-Type"),
		call:        cl,
		sending:     s,
		version:     header.VersionOf(resp.Header),
		progress:    reporter{report: cl.options.progress},
	}
	if resp.StatusCode == http.StatusPartialContent {
		part, err := header.PartOf(resp)
		if err != nil || part.Start != point.offset {
			return nil, s.decodeError(errWrongPart)
		}
		if point.offset > 0 && !(header.Version{Validator: point.etag}).Admits(resp.Header) {
			return nil, s.decodeError(errOtherVersion)
		}
		d.Offset, d.pos, d.Size = part.Start, part.Start, part.Total
	}
	if etag := resp.Header.Get("ETag"); header.IsStrongTag(etag) {
		d.ETag = etag
	}
	d.total = d.Size
	d.take(resp)
	return d, nil
}

// Read reads from the stream. See [Download] for how it ends. After Close, and
// if Close is called during the Read, it returns [os.ErrClosed].
func (d *Download) Read(p []byte) (int, error) {
	body := d.current()
	switch {
	case body == nil:
		return 0, os.ErrClosed
	case d.err != nil:
		return 0, d.err
	case len(p) == 0:
		return 0, nil
	}
	for {
		n, err := body.Read(p)
		d.advance(p[:n])
		if err != nil {
			d.err = d.ending(err)
		}
		if d.err != nil {
			d.progress.end()
		}
		if body = d.current(); body == nil && d.err != io.EOF {
			d.err = os.ErrClosed
		}
		if n > 0 || d.err != nil {
			return n, d.err
		}
	}
}

// current returns the body that the stream is read from, nil after Close.
func (d *Download) current() io.Reader {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil
	}
	return d.body
}

// Close ends the download. It may be called more than once. It interrupts a
// Read on another goroutine.
func (d *Download) Close() error {
	d.mu.Lock()
	body, closed := d.body, d.closed
	d.closed = true
	d.mu.Unlock()
	if closed || body == nil {
		return nil
	}
	d.cancel()
	return body.Close()
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
	d.progress.set(Progress{Done: d.pos, Total: d.total})
}

// copyBufferSize is a good size for both sockets and disks.
const copyBufferSize = 128 << 10

// WriteTo writes the stream to w until it ends. An error of w stops it at once
// and is returned unchanged.
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

// verify makes the stream end in an error if its content has another checksum.
func (d *Download) verify(algorithm ChecksumAlgorithm, expected string) error {
	skipped := d.Offset > 0 && !d.call.options.resume.primed
	if d.pos > d.Offset || d.err != nil || skipped {
		return &ArgumentError{Argument: "download", Problem: "is not at its beginning, so that its checksum cannot be computed"}
	}
	sum, err := newChecksum(algorithm, expected)
	if err != nil {
		return err
	}
	d.checksum = sum
	return nil
}

// ChecksumError means that the content of a download does not have the expected
// checksum.
type ChecksumError struct {
	Algorithm ChecksumAlgorithm
	// Expected and Actual are hexadecimal.
	Expected, Actual string
}

// Error names both checksums.
func (e *ChecksumError) Error() string {
	return fmt.Sprintf("the content has the %s checksum %s instead of %s", e.Algorithm, e.Actual, e.Expected)
}

// checksum is computed while a download is read.
type checksum struct {
	hash      hash.Hash
	algorithm ChecksumAlgorithm
	expected  string
}

// newChecksum refuses a checksum that could not be compared.
func newChecksum(algorithm ChecksumAlgorithm, expected string) (*checksum, error) {
	if algorithm != ChecksumAlgorithmSHA256 {
		return nil, &ArgumentError{Argument: "checksum algorithm", Problem: "is not known: " + text.Printable(string(algorithm), 40)}
	}
	sum := &checksum{hash: sha256.New(), algorithm: algorithm, expected: strings.ToLower(expected)}
	if raw, err := hex.DecodeString(expected); err != nil || len(raw) != sum.hash.Size() {
		return nil, &ArgumentError{Argument: "checksum", Problem: "is not one of " + string(algorithm)}
	}
	return sum, nil
}

// check compares the checksums after everything was read.
func (c *checksum) check() error {
	actual := hex.EncodeToString(c.hash.Sum(nil))
	if actual == c.expected {
		return nil
	}
	return &ChecksumError{Algorithm: c.algorithm, Expected: c.expected, Actual: actual}
}

// ChecksumAlgorithm is a hash function. The service uses only one today.
type ChecksumAlgorithm string

// ChecksumAlgorithmSHA256 is the algorithm that the service uses.
const ChecksumAlgorithmSHA256 ChecksumAlgorithm = "sha256"
