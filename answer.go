package serviceapi

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"time"

	"example.com/serviceapi/internal/header"
	"example.com/serviceapi/internal/redact"
)

// answer is the outcome of a call: the last response, and what it took to get
// it. It turns them into an object, a stream, an error and a [Response].
type answer struct {
	call *call
	// resp is the last response that was received completely, nil if there is
	// none.
	resp *http.Response
	// data is the beginning of its body, in a buffer from the client's pool; more
	// is the rest of a long body.
	data *bytes.Buffer
	more [][]byte
	// limited reads the body into data.
	limited  io.LimitedReader
	attempts int
	// held says why a call that could be repeated was not.
	held reasonHeld
	// uncertain is set if an attempt may have been executed.
	uncertain bool
	// asked is the wait that the response asks for, 0 if it asks for none.
	asked time.Duration
	// secret is what the credential put into the header. The redactor hides it and
	// everything else of the call that must not be printed; it is made when it is
	// first used, which hides reports.
	secret   string
	redactor redact.Redactor
	hides    bool
	// refreshFailure is why a credential that was refused was not replaced.
	refreshFailure error
}

// receive reads the response to one attempt. The body of a good JSON response
// and of every other status is read here, inside the attempt, so that a body
// that breaks off is repeated like a request that failed.
func (a *answer) receive(resp *http.Response) error {
	a.release()
	a.resp, a.asked = resp, 0
	delete(resp.Header, "Set-Cookie")
	switch good := isGood(resp); {
	case !good:
		defer resp.Body.Close()
		defer boundTime(resp.Body, maxErrorTime)()
		a.asked = header.Wait(resp.StatusCode, resp.Header)
		// A message that breaks off is better than none.
		_, _ = a.read(maxErrorBody)
		return nil
	case a.call.use == streamBody:
		err := a.checkEncoding()
		if err != nil {
			resp.Body.Close()
		}
		return err
	case a.call.use == discardBody:
		defer resp.Body.Close()
		defer boundTime(resp.Body, maxDrainTime)()
		// Whatever is wrong with a body that nobody asked for, the call
		// succeeded.
		_, _ = io.CopyN(io.Discard, resp.Body, maxDrain)
		return nil
	}
	defer resp.Body.Close()
	return a.receiveData()
}

// Limits for a body that is read only so that its connection can be reused, and
// for one that is read for its message.
const (
	maxDrain     = 64 << 10
	maxDrainTime = 250 * time.Millisecond
	maxErrorTime = 5 * time.Second
)

// boundTime closes the body if it is not read in time. The function that it
// returns stops the timer.
func boundTime(body io.Closer, limit time.Duration) func() bool {
	return time.AfterFunc(limit, func() { body.Close() }).Stop
}

// receiveData reads the body of a good JSON response.
func (a *answer) receiveData() error {
	if err := a.checkEncoding(); err != nil {
		return err
	}
	if tell := a.call.onHeader; tell != nil {
		tell(a.resp.Header)
	}
	limit := a.call.options.maxSize
	truncated, err := a.read(limit)
	switch {
	case err != nil:
		a.resp = nil // it did not come whole
		return err
	case truncated:
		return a.decodeError(fmt.Errorf("longer than %d bytes", limit))
	}
	return nil
}

// checkEncoding refuses a body in an encoding that was not asked for and that
// net/http did not decode.
func (a *answer) checkEncoding() error {
	encoding := a.resp.Header.Get("Content-Encoding")
	if encoding == "" || strings.EqualFold(encoding, "identity") {
		return nil
	}
	return a.decodeError(fmt.Errorf("content encoding %q was not asked for", a.secrets().Hide(encoding)))
}

// pieceSize is the length from which a body is kept in pieces: a buffer that
// grows costs several times its size.
const pieceSize = 1 << 20

// read reads up to limit bytes of the body, and reports whether there was more.
func (a *answer) read(limit int64) (truncated bool, err error) {
	limit = min(limit, math.MaxInt64-1)
	announced := a.resp.ContentLength
	if announced > limit && limit >= pieceSize && isGood(a.resp) {
		return true, nil // not worth reading
	}
	b := a.call.config.buffers.Get()
	a.data = b
	if announced > 0 {
		b.Grow(int(min(announced, limit, pieceSize)) + bytes.MinRead)
	}
	first := min(limit+1, pieceSize)
	a.limited = io.LimitedReader{R: a.resp.Body, N: first}
	n, err := b.ReadFrom(&a.limited)
	a.limited.R = nil
	switch {
	case n > limit:
		b.Truncate(int(limit))
		return true, nil
	case err != nil || n < first:
		return false, err
	}
	return a.readMore(limit - n)
}

// readMore reads the rest of a long body in pieces.
func (a *answer) readMore(limit int64) (truncated bool, err error) {
	for {
		piece := make([]byte, min(limit+1, pieceSize))
		n, err := io.ReadFull(a.resp.Body, piece)
		if int64(n) > limit {
			return true, nil
		}
		a.more, limit = append(a.more, piece[:n]), limit-int64(n)
		switch {
		case err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) && a.isComplete():
			return false, nil
		case err != nil:
			return false, err
		}
	}
}

// isComplete distinguishes the end of a body from a body that was cut off,
// which io.ReadFull reports with the same error.
func (a *answer) isComplete() bool {
	var one [1]byte
	_, err := a.resp.Body.Read(one[:])
	return err == io.EOF
}

// head returns the beginning of the body that was read, or all of it if it is
// not longer than a piece.
func (a *answer) head() []byte {
	if a.data == nil {
		return nil
	}
	return a.data.Bytes()
}

// reader reads the body from its beginning.
func (a *answer) reader() io.Reader {
	readers := []io.Reader{bytes.NewReader(a.head())}
	for _, piece := range a.more {
		readers = append(readers, bytes.NewReader(piece))
	}
	return io.MultiReader(readers...)
}

// whole returns the body as one slice, which is valid until the answer is
// released.
func (a *answer) whole() []byte {
	if len(a.more) == 0 {
		return a.head()
	}
	return bytes.Join(append([][]byte{a.head()}, a.more...), nil)
}

// release gives the buffer of the last response back.
func (a *answer) release() {
	if a.data != nil {
		a.call.config.buffers.Put(a.data)
		a.data, a.more = nil, nil
	}
}

// response describes the last response, nil if there was none.
func (a *answer) response() *Response {
	if a.resp == nil {
		return nil
	}
	h := a.resp.Header
	r := &Response{
		StatusCode: a.resp.StatusCode,
		Header:     h,
		RequestID:  header.First(h, header.RequestID),
		Attempts:   a.attempts,
	}
	if isGood(a.resp) && (a.call.method == http.MethodGet || a.call.method == http.MethodHead) {
		r.readPage()
	}
	for i := range rateLimitHeaders {
		if names := &rateLimitHeaders[i]; len(h[names.limit]) > 0 {
			r.RateLimit = names.read(h)
			break
		}
	}
	return r
}
