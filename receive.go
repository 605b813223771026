package serviceapi

import (
	"bytes"
	"cmp"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"time"

	"example.com/serviceapi/internal/buffers"
	"example.com/serviceapi/internal/header"
	"example.com/serviceapi/internal/jsonx"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// receive reads the response to one attempt. The body of a good JSON response and of every
// other status is read here, inside the attempt, so that a call whose response breaks off
// is repeated like one whose request failed.
func (s *sending) receive(resp *http.Response) error {
	s.text.Release()
	s.resp = resp
	delete(resp.Header, "Set-Cookie")
	switch good := isGood(resp); {
	case !good:
		defer resp.Body.Close()
		defer time.AfterFunc(maxErrorTime, func() { resp.Body.Close() }).Stop()
		// A message that breaks off is better than none.
		_, _ = s.text.Read(s.config.buffers, resp.Body, resp.ContentLength, maxErrorBody)
		return nil
	case s.use == streamBody:
		err := cmp.Or(s.checkEncoding(), s.checkPage())
		if err != nil {
			resp.Body.Close()
		}
		return err
	case s.use == discardBody:
		defer resp.Body.Close()
		defer time.AfterFunc(maxDrainTime, func() { resp.Body.Close() }).Stop()
		// The call succeeded, whatever is wrong with a body that is not used.
		_, _ = io.CopyN(io.Discard, resp.Body, maxDrain)
		return nil
	}
	defer resp.Body.Close()
	return s.receiveData()
}

// Limits for a body that is read only so that its connection can be reused, and
// for one that is read for its message: it is closed if it is not read in time.
const (
	maxDrain     = 64 << 10
	maxDrainTime = 250 * time.Millisecond
	maxErrorTime = 5 * time.Second
)

// receiveData reads the body of a good JSON response.
func (s *sending) receiveData() error {
	if err := s.checkEncoding(); err != nil {
		return err
	}
	if s.resp.StatusCode == http.StatusPartialContent && s.options.header.Get("Range") == "" {
		return s.decodeError(errPart)
	}
	if s.onHeader != nil {
		s.onHeader(s.resp.Header)
	}
	limit := s.options.maxSize
	if limit >= buffers.PieceSize && s.resp.ContentLength > limit {
		return s.tooLong() // without reading it
	}
	truncated, err := s.text.Read(s.config.buffers, s.resp.Body, s.resp.ContentLength, limit)
	switch {
	case err != nil:
		s.resp = nil // it was not received completely
		return err
	case truncated:
		return s.tooLong()
	}
	return nil
}

var errPart = errors.New("a part of what was requested")

func (s *sending) tooLong() error {
	return s.decodeError(fmt.Errorf("longer than %d bytes", s.options.maxSize))
}

// checkEncoding refuses a body in an encoding that was not requested and that
// net/http did not decode.
func (s *sending) checkEncoding() error {
	encoding := s.resp.Header.Get("Content-Encoding")
	if encoding == "" || strings.EqualFold(encoding, "identity") {
		return nil
	}
	return s.decodeError(fmt.Errorf("content encoding %q was not requested", s.redaction().Hide(encoding)))
}

var errPage = errors.New("it is a web page, such as a sign-in page, instead of the content")

// checkPage refuses a web page in place of content that is never one, unless the caller
// asks for HTML.
func (s *sending) checkPage() error {
	isPage := s.endpoint.neverHTML && header.IsHTML(s.resp.Header)
	if isPage && !strings.Contains(s.options.header.Get("Accept"), "html") {
		return s.decodeError(errPage)
	}
	return nil
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
	r.RateLimit.Limit, r.RateLimit.Remaining, r.RateLimit.Reset = header.RateLimit(h)
	return r
}

var (
	errEmptyBody   = errors.New("the body is empty")
	errEmptyObject = errors.New("expected an object, got one without members")
	errNull        = errors.New("expected an object, got null")
	errNotJSON     = errors.New("HTML instead of JSON; is this the address of the API?")
	errNullItem    = errors.New("the list contains null")
)

// decodeObject decodes a successful response into v, and refuses JSON that
// would leave every field zero. A map may be empty.
func (s *sending) decodeObject(v any) error {
	data := bytes.TrimSpace(s.text.Head())
	switch {
	case len(data) == 0:
		return s.decodeError(errEmptyBody)
	case data[0] == 'n':
		return s.decodeError(errNull)
	case jsonx.IsEmptyObject(data) && reflect.Indirect(reflect.ValueOf(v)).Kind() != reflect.Map:
		return s.decodeError(errEmptyObject)
	}
	return s.decode(v)
}

// decode decodes a successful response into v. A member of the wrong type is
// left out, and the rest is decoded.
func (s *sending) decode(v any) error {
	if !s.text.IsLong() {
		return s.decodeFrom(s.text.Head(), v)
	}
	if !isCallers(reflect.TypeOf(v)) && json.UnmarshalRead(s.text.Reader(), v, decodeOptions) == nil {
		return nil
	}
	return s.decodeFrom(s.text.Bytes(), v)
}

// decodeFrom is decode for a part of the response.
func (s *sending) decodeFrom(data []byte, v any) error {
	if isCallers(reflect.TypeOf(v)) {
		return s.decodeCallers(data, v)
	}
	err := unmarshal(data, v)
	if err == nil {
		return nil
	}
	e := s.notDecoded(data, err)
	e.Partial = e.Pointer != "" && decodeRest(data, v)
	return e
}

// notDecoded returns the error for a part of the response that could not be decoded. If a
// member is of the wrong type, the error's pointer leads to it.
func (s *sending) notDecoded(data []byte, err error) *DecodeError {
	var wrong *json.SemanticError
	if !errors.As(err, &wrong) {
		if first := bytes.TrimSpace(data); len(first) == 0 {
			err = errEmptyBody
		} else if first[0] == '<' {
			err = errNotJSON
		}
		return s.decodeError(err)
	}
	e := s.decodeError(jsonx.Describe(wrong))
	e.Pointer = s.redaction().Hide(jsonx.Pointer(wrong))
	return e
}

// decodeRest decodes again, past every member of the wrong type, and reports
// whether the response is valid JSON to its end.
func decodeRest(data []byte, v any) bool {
	if !jsontext.Value(data).IsValid(decodeOptions) {
		return false
	}
	unmarshalRest(data, v)
	return true
}

// isPartial reports whether an error affects only single members of the
// response.
func isPartial(err error) bool {
	decode, ok := errors.AsType[*DecodeError](err)
	return ok && decode.Partial
}

// decodeCallers decodes a part of the response into a value of a caller's type as
// encoding/json does. If it contains a type of the library, it is decoded like a result:
// more formats of timestamps are accepted, and a member of the wrong kind is nil.
func (s *sending) decodeCallers(data []byte, v any) error {
	err := stdjson.Unmarshal(data, v)
	if err == nil {
		return nil
	}
	rules := json.JoinOptions(callersRules, jsonx.Numbers())
	if !jsontext.Value(data).IsValid(rules) {
		return s.notDecoded(data, err)
	}
	if holdsLibrary(reflect.TypeOf(v)) {
		err = json.Unmarshal(data, v, rules, jsonx.LenientTypes())
		if err == nil {
			return nil
		}
		rules = json.JoinOptions(rules, jsonx.Times())
	}
	// The error of encoding/json does not say exactly where the problem is.
	probe := reflect.New(reflect.TypeOf(v).Elem())
	where := json.Unmarshal(data, probe.Interface(), rules, jsonv1.ReportErrorsWithLegacySemantics(false))
	e := s.notDecoded(data, cmp.Or(where, err))
	e.Partial = e.Pointer != ""
	return e
}
