package serviceapi

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/textproto"
	"strings"
	"sync/atomic"
	"time"
)

// Upload is a file to send. It is streamed from Content, never held in memory.
//
// If Content is an io.Seeker, it is sent from its current position, with its
// length announced, and can be sent again from there if the first attempt was
// certainly not executed. Any other Content is sent only once.
type Upload struct {
	// Filename is the file's name as sent to the service. It must not hold control
	// characters.
	Filename string
	// Content is read to its end. The call does not close it. A Read that blocks,
	// as that of a terminal may, delays the return of a call that is canceled.
	Content io.Reader
	// Size is the number of bytes in Content. If it is 0, the size is taken from
	// Content where possible, and otherwise not announced. If Content has fewer or
	// more bytes than announced, the call fails and the service sees a broken
	// request.
	Size int64
	// ContentType is the media type; "" means "application/octet-stream".
	ContentType string
}

func (u *Upload) check() error {
	switch {
	case u.Content == nil:
		return &ArgumentError{Argument: "upload", Problem: "has no content"}
	case u.Filename == "" || hasControl(u.Filename):
		return &ArgumentError{Argument: "file name", Problem: "is empty or holds a control character"}
	case !validHeaderValue(u.ContentType):
		return &ArgumentError{Argument: "content type", Problem: "holds a control character"}
	case u.Size < 0:
		return &ArgumentError{Argument: "upload size", Problem: "is negative"}
	}
	return nil
}

// multipartOf sends the fields of a struct and a file as multipart/form-data.
// The file's part has the name fileField.
func multipartOf(fields any, fileField string, file Upload) input {
	return multipartInput{fields, fileField, file}
}

type multipartInput struct {
	fields    any
	fileField string
	file      Upload
}

func (in multipartInput) encode(cl *call) error {
	if err := in.file.check(); err != nil {
		return err
	}
	var frame bytes.Buffer
	w := multipart.NewWriter(&frame)
	if err := in.writeHead(w, cl.options.bodyFields); err != nil {
		return err
	}
	head := bytes.Clone(frame.Bytes())
	frame.Reset()
	if err := w.Close(); err != nil {
		return err
	}
	source, err := newSource(in.file.Content, in.file.Size)
	if err != nil {
		return err
	}
	if cl.sent == nil {
		cl.sent = in.fields
	}
	cl.body = &multipartBody{
		head: head, tail: frame.Bytes(),
		mediaType: w.FormDataContentType(),
		source:    source,
		report:    cl.options.progress,
	}
	return nil
}

// writeHead writes the fields and the header of the file's part.
func (in multipartInput) writeHead(w *multipart.Writer, more []bodyField) error {
	values, err := queryValues(in.fields)
	if err != nil {
		return err
	}
	if values, err = withFormFields(values, more); err != nil {
		return err
	}
	for _, name := range sortedKeys(values) {
		for _, value := range values[name] {
			if err := w.WriteField(name, value); err != nil {
				return err
			}
		}
	}
	contentType := in.file.ContentType
	if contentType == "" {
		contentType = "application/octet-stream"
	}
	_, err = w.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {fmt.Sprintf(`form-data; name="%s"; filename="%s"`, in.fileField, escapeQuotes(in.file.Filename))},
		"Content-Type":        {contentType},
	})
	return err
}

func escapeQuotes(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s)
}

// multipartBody is a body whose file is streamed between two pieces in memory.
type multipartBody struct {
	head, tail []byte
	mediaType  string
	source     *source
	report     func(Progress)
}

func (b *multipartBody) open() (io.Reader, error) {
	file, err := b.source.open(b.report)
	if err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(b.head), file, bytes.NewReader(b.tail)), file}, nil
}

func (b *multipartBody) rewindable() bool    { return b.source.rewindable() }
func (b *multipartBody) finish()             { b.source.detach() }
func (b *multipartBody) contentType() string { return b.mediaType }

func (b *multipartBody) length() int64 {
	if b.source.size < 0 {
		return -1
	}
	return int64(len(b.head)+len(b.tail)) + b.source.size
}

// source is the caller's reader of an upload. Each attempt reads it through a
// reader of its own, and only the newest of these still reaches it: net/http
// may go on reading for an attempt that was given up.
type source struct {
	reader io.Reader
	seeker io.Seeker // nil if the reader cannot be rewound
	start  int64
	size   int64 // -1 if unknown

	// turn is held by whoever uses the caller's reader. It is a channel, since
	// a reader may block for ever and nobody else may then wait for it as long.
	turn    chan struct{}
	current atomic.Pointer[sourceReader]
	touched atomic.Bool
}

// readGrace is how long the end of a call waits for a Read of the caller's
// reader that is under way. One that blocks longer, such as of a terminal, is
// left behind: it ends with its next byte, and none follows.
const readGrace = 100 * time.Millisecond

// sourceError is a failure of the caller's own reader, which another attempt
// would meet again.
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
		return s, nil // a pipe says that it can seek, and cannot
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
	errNotRewindable = errors.New("it was read in part and cannot be rewound")
	errStillRead     = errors.New("the attempt before is still reading it")
)

func (s *source) rewindable() bool { return s.seeker != nil || !s.touched.Load() }

// acquire takes the turn, unless somebody holds it for too long.
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

// open returns a reader of the whole content.
func (s *source) open(report func(Progress)) (*sourceReader, error) {
	s.current.Store(nil)
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
		s.touched.Store(false)
	}
	r := &sourceReader{source: s, left: s.size, report: report}
	s.current.Store(r)
	return r, nil
}

// detach ends the use of the caller's reader.
func (s *source) detach() {
	s.current.Store(nil)
	if s.acquire() {
		s.release()
	}
}

// sourceReader reads the content for one attempt.
type sourceReader struct {
	source *source
	// left is the number of bytes still due, negative if unknown.
	left   int64
	done   int64
	report func(Progress)
}

var errDetached = errors.New("the attempt is over")

func (r *sourceReader) Read(p []byte) (int, error) {
	s := r.source
	s.turn <- struct{}{}
	defer s.release()
	if s.current.Load() != r {
		return 0, errDetached
	}
	if len(p) == 0 {
		return 0, nil
	}
	s.touched.Store(true)
	if s.size >= 0 && r.left == 0 {
		return 0, r.probeEnd()
	}
	if s.size >= 0 && int64(len(p)) > r.left {
		p = p[:r.left]
	}
	n, err := s.reader.Read(p)
	r.done += int64(n)
	r.left -= int64(n)
	if n > 0 && r.report != nil {
		r.report(Progress{Done: r.done, Total: s.size})
	}
	switch {
	case err == nil:
		return n, nil
	case err != io.EOF:
		return n, &sourceError{err}
	case s.size >= 0 && r.left > 0:
		return n, &sourceError{fmt.Errorf("it ended after %d of %d bytes: %w", r.done, s.size, io.ErrUnexpectedEOF)}
	}
	return n, io.EOF
}

// probeEnd makes sure that the content has no more bytes than announced.
func (r *sourceReader) probeEnd() error {
	var one [1]byte
	n, err := io.ReadFull(r.source.reader, one[:])
	switch {
	case n > 0:
		return &sourceError{fmt.Errorf("it is longer than the announced %d bytes", r.source.size)}
	case err != io.EOF:
		return &sourceError{err}
	}
	return io.EOF
}

// Close ends the attempt.
func (r *sourceReader) Close() error {
	r.source.current.CompareAndSwap(r, nil)
	return nil
}
