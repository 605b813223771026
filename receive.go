package serviceapi

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"example.com/serviceapi/internal/buffers"
	"example.com/serviceapi/internal/header"
)

// incoming is what came: the last response, nil if none was received completely,
// its body, unless it is a stream, and the wait that it asks for, 0 if none.
type incoming struct {
	resp       *http.Response
	text       buffers.Body
	retryAfter time.Duration
}

// receive reads the response to one attempt. The body of a good JSON response
// and of every other status is read here, inside the attempt, so that a body
// that breaks off is repeated like a request that failed.
func (s *sending) receive(resp *http.Response) error {
	s.text.Release()
	s.resp, s.retryAfter = resp, 0
	delete(resp.Header, "Set-Cookie")
	switch good := isGood(resp); {
	case !good:
		defer resp.Body.Close()
		defer boundTime(resp.Body, maxErrorTime)()
		s.retryAfter = header.Wait(resp.StatusCode, resp.Header)
		// A message that breaks off is better than none.
		_, _ = s.read(maxErrorBody)
		return nil
	case s.use == streamBody:
		err := cmp.Or(s.checkEncoding(), s.checkPage())
		if err != nil {
			resp.Body.Close()
		}
		return err
	case s.use == discardBody:
		defer resp.Body.Close()
		defer boundTime(resp.Body, maxDrainTime)()
		// Whatever is wrong with a body that nobody asked for, the call
		// succeeded.
		_, _ = io.CopyN(io.Discard, resp.Body, maxDrain)
		return nil
	}
	defer resp.Body.Close()
	return s.receiveData()
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
func (s *sending) receiveData() error {
	if err := s.checkEncoding(); err != nil {
		return err
	}
	if s.onHeader != nil {
		s.onHeader(s.resp.Header)
	}
	limit := s.options.maxSize
	if limit >= buffers.PieceSize && s.resp.ContentLength > limit {
		return s.tooLong() // without reading it
	}
	truncated, err := s.read(limit)
	switch {
	case err != nil:
		s.resp = nil // it did not come whole
		return err
	case truncated:
		return s.tooLong()
	}
	return nil
}

func (s *sending) tooLong() error {
	return s.decodeError(fmt.Errorf("longer than %d bytes", s.options.maxSize))
}

// checkEncoding refuses a body in an encoding that was not asked for and that
// net/http did not decode.
func (s *sending) checkEncoding() error {
	encoding := s.resp.Header.Get("Content-Encoding")
	if encoding == "" || strings.EqualFold(encoding, "identity") {
		return nil
	}
	return s.decodeError(fmt.Errorf("content encoding %q was not asked for", s.redaction().Hide(encoding)))
}

// read reads up to limit bytes of the body, and reports whether there was more.
func (s *sending) read(limit int64) (truncated bool, err error) {
	return s.text.Read(s.config.buffers, s.resp.Body, s.resp.ContentLength, limit)
}

// response describes the last response, nil if there was none.
func (s *sending) response() *Response {
	if s.resp == nil {
		return nil
	}
	h := s.resp.Header
	r := &Response{
		StatusCode: s.resp.StatusCode,
		Header:     h,
		RequestID:  header.First(h, header.RequestID),
		Attempts:   s.attempts,
	}
	for i := range rateLimitHeaders {
		if names := &rateLimitHeaders[i]; len(h[names.limit]) > 0 {
			r.RateLimit = names.read(h)
			break
		}
	}
	return r
}
