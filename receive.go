package serviceapi

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"compress/zlib"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"time"

	"example.com/serviceapi/internal/buffers"
	"example.com/serviceapi/internal/errbody"
	"example.com/serviceapi/internal/header"
	"example.com/serviceapi/internal/jsonx"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// receive reads the response to one attempt. The body of a good JSON response and of every
// other status is read here, inside the attempt, so that a call whose response breaks off
// is repeated like one whose request failed.
func (o *outcome) receive(resp *http.Response) error {
	o.text.Release()
	o.resp = resp
	delete(resp.Header, "Set-Cookie")
	switch good := isGood(resp); {
	case !good:
		defer resp.Body.Close()
		defer time.AfterFunc(maxErrorTime, func() { resp.Body.Close() }).Stop()
		// A message that breaks off is better than none.
		_ = o.text.Read(o.config.buffers, readable(resp), resp.ContentLength, maxErrorBody)
		return nil
	case o.use == streamBody:
		err := cmp.Or(o.checkEncoding(), o.checkPage())
		if err != nil {
			resp.Body.Close()
		}
		return err
	case o.use == discardBody:
		defer resp.Body.Close()
		defer time.AfterFunc(maxDrainTime, func() { resp.Body.Close() }).Stop()
		// Unless it is a web page, the call succeeded, whatever is wrong with a body that is
		// not used.
		_ = o.text.Read(o.config.buffers, resp.Body, resp.ContentLength, maxDrain)
		return o.checkPage()
	}
	defer resp.Body.Close()
	return o.receiveData()
}

// readable returns the body of an error response without its encoding: a proxy may encode it
// even if the request, like that of a download, accepts none. Bytes that cannot be decoded
// would only hide the status.
func readable(resp *http.Response) io.Reader {
	var decoded io.Reader
	var err error
	switch encoding := header.First(resp.Header, "Content-Encoding"); strings.ToLower(encoding) {
	case "", "identity":
		return resp.Body
	case "gzip", "x-gzip":
		decoded, err = gzip.NewReader(resp.Body)
	case "deflate":
		decoded, err = zlib.NewReader(resp.Body)
	}
	if decoded == nil || err != nil {
		return http.NoBody
	}
	return decoded
}

// Limits for a body that is read only so that its connection can be reused, and
// for one that is read for its message: it is closed if it is not read in time.
const (
	maxDrain     = 64<<10 - 1 // and one more byte, to see whether there is one
	maxDrainTime = 250 * time.Millisecond
	maxErrorTime = 5 * time.Second
)

// receiveData reads the body of a good JSON response.
func (o *outcome) receiveData() error {
	if err := o.checkEncoding(); err != nil {
		return err
	}
	if o.resp.StatusCode == http.StatusPartialContent { // only a stream asks for a part
		return o.decodeError(errPart)
	}
	if o.onHeader != nil {
		o.onHeader(o.resp.Header)
	}
	limit := o.options.maxSize
	if limit >= buffers.PieceSize && o.resp.ContentLength > limit {
		return o.tooLong() // without reading it
	}
	err := o.text.Read(o.config.buffers, o.resp.Body, o.resp.ContentLength, limit)
	switch err {
	case nil:
		return nil
	case buffers.ErrLong:
		return o.tooLong()
	}
	o.resp = nil // it was not received completely
	return err
}

var errPart = errors.New("a part of what was requested")

func (o *outcome) tooLong() error {
	return o.decodeError(fmt.Errorf("longer than %d bytes", o.options.maxSize))
}

// checkEncoding refuses a body in an encoding that was not requested and that
// net/http did not decode.
func (o *outcome) checkEncoding() error {
	encoding := o.resp.Header.Get("Content-Encoding")
	if encoding == "" || strings.EqualFold(encoding, "identity") {
		return nil
	}
	return o.decodeError(fmt.Errorf("content encoding %q was not requested", o.redaction().Hide(encoding)))
}

var errPage = errors.New("it is a web page, such as a sign-in page, instead of what was requested")

// checkPage refuses a web page in place of a status or of content that is never a page,
// unless the caller asks for HTML.
func (o *outcome) checkPage() error {
	var isPage bool
	switch {
	case o.use == streamBody:
		isPage = o.endpoint.neverHTML && header.IsHTML(o.resp.Header)
	case o.method == http.MethodHead:
		isPage = header.IsHTML(o.resp.Header)
	default:
		isPage = o.holdsPage()
	}
	if isPage && !strings.Contains(o.options.header.Get("Accept"), "html") {
		return o.decodeError(errPage)
	}
	return nil
}

// holdsPage reports whether the body that was read is a web page.
func (o *outcome) holdsPage() bool {
	return errbody.IsWebPage(o.text.Head(), header.First(o.resp.Header, "Content-Type"))
}

// response describes the last response, nil if there was none.
func (o *outcome) response() *Response {
	if o.resp == nil {
		return nil
	}
	h := o.resp.Header
	return &Response{
		StatusCode: o.resp.StatusCode,
		Header:     h,
		RequestID:  header.First(h, header.RequestID),
		Attempts:   o.attempts,
		RateLimit:  RateLimit(header.RateLimitOf(h)),
	}
}

var (
	errEmptyBody   = errors.New("the body is empty")
	errEmptyObject = errors.New("expected an object, got one without members")
	errNull        = errors.New("expected an object or a list, got null")
	errNotJSON     = errors.New("HTML instead of JSON; is this the address of the API?")
	errNullItem    = errors.New("the list contains null")
)

// decodeObject decodes a successful response into v, and refuses JSON that
// would leave every field zero. A map may be empty.
func (o *outcome) decodeObject(v any) error {
	data := bytes.TrimSpace(o.text.Head())
	switch {
	case len(data) == 0:
		return o.decodeError(errEmptyBody)
	case data[0] == 'n':
		return o.decodeError(errNull)
	case jsonx.IsEmptyObject(data) && reflect.Indirect(reflect.ValueOf(v)).Kind() != reflect.Map:
		return o.decodeError(errEmptyObject)
	}
	return o.decode(v)
}

// decode decodes a successful response into v. A member of the wrong type is
// left out, and the rest is decoded.
func (o *outcome) decode(v any) error {
	if limit := o.options.maxObjects; o.text.ExceedsObjects(limit) {
		return o.decodeError(fmt.Errorf("it has more than %d objects", limit))
	}
	if !o.text.IsLong() {
		return o.decodeFrom(o.text.Head(), v)
	}
	if !isCallers(reflect.TypeOf(v)) && json.UnmarshalRead(o.text.Reader(), v, decodeOptions) == nil {
		return nil
	}
	return o.decodeFrom(o.text.Bytes(), v)
}

// decodeFrom is decode for a part of the response.
func (o *outcome) decodeFrom(data []byte, v any) error {
	if isCallers(reflect.TypeOf(v)) {
		return o.decodeCallers(data, v)
	}
	err := unmarshal(data, v)
	if err == nil {
		return nil
	}
	e := o.notDecoded(data, err)
	e.Partial = e.Pointer != "" && decodeRest(data, v)
	return e
}

// notDecoded returns the error for a part of the response that could not be decoded. If a
// member is of the wrong type, the error's pointer leads to it.
func (o *outcome) notDecoded(data []byte, err error) *DecodeError {
	var wrong *json.SemanticError
	if !errors.As(err, &wrong) {
		if first := bytes.TrimSpace(data); len(first) == 0 {
			err = errEmptyBody
		} else if first[0] == '<' {
			err = errNotJSON
		}
		return o.decodeError(err)
	}
	e := o.decodeError(jsonx.Describe(wrong))
	e.Pointer = o.redaction().Hide(jsonx.Pointer(wrong))
	return e
}

// decodeRest decodes again, past every member of the wrong type, and reports
// whether it did: the response is valid JSON to its end, and not too large for that.
func decodeRest(data []byte, v any) bool {
	return jsontext.Value(data).IsValid(decodeOptions) && unmarshalRest(data, v)
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
func (o *outcome) decodeCallers(data []byte, v any) error {
	if !jsonx.IsLenient(data) {
		return o.decodeStrictly(data, v)
	}
	err := stdjson.Unmarshal(data, v)
	if err == nil {
		return nil
	}
	rules := json.JoinOptions(callersRules, jsonx.Numbers())
	if !jsontext.Value(data).IsValid(rules) {
		return o.notDecoded(data, err)
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
	e := o.notDecoded(data, cmp.Or(where, err))
	e.Partial = e.Pointer != ""
	return e
}

// decodeStrictly is decodeCallers up to the first member of the wrong type.
func (o *outcome) decodeStrictly(data []byte, v any) error {
	types := jsonx.Numbers()
	if holdsLibrary(reflect.TypeOf(v)) {
		types = jsonx.LenientTypes() // with more formats of timestamps
	}
	if err := json.Unmarshal(data, v, callersRules, types, jsonv1.ReportErrorsWithLegacySemantics(false)); err != nil {
		return o.notDecoded(data, err)
	}
	return nil
}
