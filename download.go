package serviceapi

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"

	"example.com/serviceapi/internal/header"
	"example.com/serviceapi/internal/pace"
	"example.com/serviceapi/internal/text"
)

// Download is content that the service sends as a stream. The caller must close
// it; [Download.SaveFile] does.
//
// If the connection breaks, the download resumes where it stopped, provided that the
// service identifies the version of the content by a strong entity tag or a date. If
// that is impossible or fails, Read returns an error: a Download never ends early
// with io.EOF. If a response has neither a length nor a marked end, the stream ends
// with [ErrUnknownLength] instead of io.EOF.
//
// An archive, a secure file or a log is never a web page. If the response to a
// request for one is HTML, such as the sign-in page of a proxy, the call returns a
// [*DecodeError]. To get the page anyway, ask for it with WithHeader("Accept",
// "text/html").
//
// A Download prints as its name and its size, without secrets that the service
// has put into its header.
//
// A Download must not be read by several goroutines at once, but Close may be
// called at any time. A Download is bound to the context of its call, which must
// not end before the stream has been read.
type Download struct {
	// Name is the file name that the service sends, without directories, control
	// characters and invisible formatting characters, or "" if it sends none. A dot
	// or a hyphen at its beginning is replaced with an underscore, so that it is
	// neither a hidden file nor an option of a command. The operating system may
	// still treat some names specially, as Windows does NUL and names with a colon:
	// check the name with [filepath.IsLocal] before you use it.
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

	// call requests the content from its beginning; latest is the outcome of the latest request.
	call   *call
	latest *outcome
	pos    int64
	err    error
	// total is Size, or the length that a later response declared.
	total int64
	// framed is set if the end of a body without an announced length can be
	// distinguished from a broken connection.
	framed bool
	// version is the version of the content that was read so far.
	version header.Version
	// failures is the number of attempts to resume since the last byte was
	// received.
	failures int
	// checksum is compared with the content at its end, unless it is nil.
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

// ErrUnknownLength ends a stream instead of io.EOF if the service did not declare
// its length and the connection does not mark its end, as HTTP/2 and chunked
// HTTP/1.1 do. All bytes that arrived were delivered, but it is not known whether
// the service sent more.
var ErrUnknownLength = errors.New("the response has no declared length, so truncation cannot be detected")

// WithDownloadOffset asks a download to begin at a byte offset, to continue one
// that an earlier run of a program left unfinished, or to read a part: read what
// you need, and close it. There is no end to ask for: the service sends everything
// from the offset on, and until the download is closed, megabytes that nobody reads
// can arrive. Over HTTP/1.1, closing it early also ends its connection.
//
// The etag, which is the [Download.ETag] of the earlier run and must not be empty,
// ensures that the content is still the same.
// If it is not, the stream begins at 0: check [Download.Offset]. If the service
// sends a part of another version anyway, the call returns a [*DecodeError].
// [SaveFile] does all of this for a file.
func WithDownloadOffset(offset int64, etag string) RequestOption {
	return requestOption(func(o *callOptions) error {
		if offset < 0 {
			return negative("offset")
		}
		if !header.IsStrongTag(etag) {
			const problem = "must be an entity tag such as Download.ETag, with its quotes"
			return &ArgumentError{Argument: "etag", Problem: problem}
		}
		o.resume = resumePoint{offset: offset, etag: etag}
		return nil
	})
}

// stream makes a call whose response is a stream.
func stream(
	ctx context.Context, c *Client, method string, e Endpoint, in input, opts []RequestOption,
) (*Download, *Response, error) {
	cl, err := newCall(ctx, c, method, e, in, opts)
	if err != nil {
		return nil, nil, err
	}
	cl.use = streamBody
	ctx, cancel := context.WithCancel(ctx) // so that Close ends whatever is in progress
	cl.ctx = ctx
	o, err := cl.sendFrom(cl.options.resume)
	defer o.text.Release()
	var d *Download
	if err == nil {
		d, err = newDownload(o, cl)
	}
	if err != nil {
		cancel()
		closeBody(o.resp)
		return nil, o.response(), err
	}
	d.cancel = cancel
	return d, o.response(), nil
}

// sendFrom requests the content from a point on, and from its beginning if nothing
// follows the point: the content has become shorter, or was already complete.
func (cl *call) sendFrom(point resumePoint) (*outcome, error) {
	if point.offset == 0 {
		return cl.send()
	}
	o, err := cl.rest(point.offset, point.etag).send()
	if isUnsatisfiable(err) {
		o.text.Release()
		return cl.send()
	}
	return o, err
}

func isUnsatisfiable(err error) bool {
	e := errorResponse(err)
	return e != nil && e.StatusCode == http.StatusRequestedRangeNotSatisfiable
}

// rest returns a call for the content after the bytes that were already read.
func (cl *call) rest(offset int64, validator string) *call {
	next := cl.at(cl.ctx, cl.query)
	options := next.ownOptions()
	options.setHeader("Range", "bytes="+strconv.FormatInt(offset, 10)+"-")
	options.setHeader("If-Range", validator)
	return next
}

// newDownload makes the stream of a response. The call requests all of the
// content.
func newDownload(o *outcome, cl *call) (*Download, error) {
	resp, point := o.resp, cl.options.resume
	d := &Download{
		Name:        header.FileName(resp.Header.Get("Content-Disposition")),
		Size:        resp.ContentLength,
		ContentType: resp.Header.Get("Content-Type"),
		call:        cl,
		latest:      o,
		version:     header.VersionOf(resp.Header),
		progress:    reporter{report: cl.options.progress},
	}
	if resp.StatusCode == http.StatusPartialContent {
		part, err := header.PartOf(resp)
		if err != nil || part.Start != point.offset {
			return nil, o.decodeError(errWrongPart)
		}
		if point.offset > 0 && !(header.Version{Validator: point.etag}).Admits(resp.Header) {
			return nil, o.decodeError(errOtherVersion)
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

// Format writes the name and the size, for every verb.
func (d *Download) Format(f fmt.State, _ rune) {
	if d == nil || d.latest == nil {
		fmt.Fprint(f, "serviceapi.Download(none)")
		return
	}
	fmt.Fprintf(f, "serviceapi.Download(%q, %d bytes)", d.latest.redaction().Quote(d.Name, maxErrorText), d.Size)
}

// LogValue returns what Format writes.
func (d *Download) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(d)) }

// MarshalText returns what Format writes.
func (d *Download) MarshalText() ([]byte, error) { return fmt.Append(nil, d), nil }

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

// WriteTo writes the stream to w until it ends. An error from w stops it at once
// and is returned unchanged.
func (d *Download) WriteTo(w io.Writer) (int64, error) {
	// Without the structs, a file would read with a small buffer of its own.
	return io.CopyBuffer(struct{ io.Writer }{w}, struct{ io.Reader }{d}, make([]byte, copyBufferSize))
}

// take makes a response the source of the stream.
func (d *Download) take(resp *http.Response) {
	// A part of content of unknown length may be shorter than what was requested.
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
func (d *Download) broken(err error) error { return d.latest.failure(err) }

// resume opens another connection where the last one broke off.
func (d *Download) resume(cause error) error {
	d.body.Close()
	policy := &d.call.options.retry
	d.failures++
	if d.version.Validator == "" || d.failures >= policy.MaxAttempts {
		return d.broken(fmt.Errorf("the stream broke off after %d bytes: %w", d.pos, cause))
	}
	if err := pace.Pause(d.call.ctx, policy.draw(d.failures)); err != nil {
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
	o, err := d.call.rest(d.pos, d.version.Validator).send()
	defer o.text.Release()
	if err != nil {
		return err
	}
	total, err := d.checkRest(o.resp)
	if err != nil {
		o.resp.Body.Close()
		return d.broken(fmt.Errorf("after %d bytes: %w", d.pos, err))
	}
	d.latest, d.total = o, total
	d.take(o.resp)
	return nil
}

// checkRest returns an error unless a response continues where the stream broke
// off, in the same version of the content. A service or a proxy that ignores
// If-Range would otherwise join two versions. It also returns what is now known
// about the length of the whole content.
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

// verify makes the stream end in an error if its content has another checksum.
func (d *Download) verify(algorithm ChecksumAlgorithm, expected string) error {
	skipped := d.Offset > 0 && !d.call.options.resume.primed
	if d.pos > d.Offset || d.err != nil || skipped {
		const problem = "is not at its beginning, so its checksum cannot be computed"
		return &ArgumentError{Argument: "download", Problem: problem}
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
		problem := "is not known: " + text.Printable(string(algorithm), 40)
		return nil, &ArgumentError{Argument: "checksum algorithm", Problem: problem}
	}
	sum := &checksum{hash: sha256.New(), algorithm: algorithm, expected: strings.ToLower(expected)}
	if raw, err := hex.DecodeString(expected); err != nil || len(raw) != sum.hash.Size() {
		problem := "is not a hexadecimal " + string(algorithm) + " checksum"
		return nil, &ArgumentError{Argument: "checksum", Problem: problem}
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
