package serviceapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// do makes a call that answers with an object.
func do[T any](ctx context.Context, c *Client, method string, e Endpoint, in input, opts []RequestOption) (*T, *Response, error) {
	cl, err := newCall(ctx, c, method, e, in, opts)
	if err != nil {
		return nil, nil, err
	}
	return fetch[T](cl)
}

// doSecret is do for a response that holds a secret, which errors do not quote.
func doSecret[T any](ctx context.Context, c *Client, method string, e Endpoint, in input, opts []RequestOption) (*T, *Response, error) {
	cl, err := newCall(ctx, c, method, e, in, opts)
	if err != nil {
		return nil, nil, err
	}
	cl.sensitive = true
	return fetch[T](cl)
}

func fetch[T any](cl *call) (*T, *Response, error) {
	resp, err := cl.send()
	if err != nil {
		return nil, cl.response(), err
	}
	defer cl.dropData()
	if err := cl.checkObject(); err != nil {
		return nil, newResponse(cl, resp), err
	}
	v := new(T)
	if err := cl.decode(v); err != nil {
		return partial(v, err), newResponse(cl, resp), err
	}
	return v, newResponse(cl, resp), nil
}

// exec makes a call whose response says no more than its status.
func exec(ctx context.Context, c *Client, method string, e Endpoint, in input, opts []RequestOption) (*Response, error) {
	cl, err := newCall(ctx, c, method, e, in, opts)
	if err != nil {
		return nil, err
	}
	cl.answer = answerNothing
	resp, err := cl.send()
	if err != nil {
		return cl.response(), err
	}
	return newResponse(cl, resp), nil
}

// partial returns what was decoded only where the rest of it is right.
func partial[T any](v *T, err error) *T {
	var decode *DecodeError
	if errors.As(err, &decode) && decode.Partial {
		return v
	}
	return nil
}

var (
	errEmptyBody   = errors.New("the body is empty")
	errEmptyObject = errors.New("expected an object, got one without members")
	errNull        = errors.New("expected an object, got null")
	errNotJSON     = errors.New("not JSON")
	errNullItem    = errors.New("the list holds null")
)

// checkObject refuses what would decode into an object of zeros.
func (cl *call) checkObject() error {
	data := bytes.TrimSpace(cl.attempt.data.Bytes())
	switch {
	case len(data) == 0:
		return cl.decodeError(errEmptyBody)
	case data[0] == 'n':
		return cl.decodeError(errNull)
	case data[0] == '{' && len(data) > 1 && bytes.TrimLeft(data[1:], " \t\r\n")[0] == '}':
		return cl.decodeError(errEmptyObject)
	}
	return nil
}

var (
	decodeOptions = jsontext.AllowInvalidUTF8(true)
	// legacyOptions carry on behind a member of the wrong kind.
	legacyOptions = json.JoinOptions(decodeOptions, jsonv1.ReportErrorsWithLegacySemantics(true))
)

// decode reads the JSON of a good response into v. A member of the wrong kind
// costs that member alone.
func (cl *call) decode(v any) error { return cl.decodeFrom(cl.attempt.data.Bytes(), v) }

// decodeFrom is decode for a part of the response.
func (cl *call) decodeFrom(data []byte, v any) error {
	err := json.Unmarshal(data, v, decodeOptions)
	if err == nil {
		return nil
	}
	var wrong *json.SemanticError
	if !errors.As(err, &wrong) {
		if first := bytes.TrimSpace(data); len(first) == 0 {
			err = errEmptyBody
		} else if first[0] == '<' {
			err = errNotJSON
		}
		return cl.decodeError(err)
	}
	e := cl.decodeError(describeWrongKind(wrong))
	e.Pointer = pointerOf(wrong)
	e.Partial = e.Pointer != "" && carriesOn(data, v)
	return e
}

// carriesOn decodes once more, past every member of a wrong kind, and reports
// whether the response was JSON to its end.
func carriesOn(data []byte, v any) bool {
	err := json.Unmarshal(data, v, legacyOptions)
	var syntax *jsontext.SyntacticError
	return !errors.As(err, &syntax) && !errors.Is(err, io.ErrUnexpectedEOF)
}

// pointerOf joins the pointer of an error with those of the errors inside it,
// which begin where a type decodes itself.
func pointerOf(e *json.SemanticError) string {
	pointer := string(e.JSONPointer)
	var inner *json.SemanticError
	if errors.As(e.Err, &inner) {
		pointer += pointerOf(inner)
	}
	return pointer
}

// describeWrongKind says what is wrong with a member, without its value.
func describeWrongKind(e *json.SemanticError) error {
	if e.JSONKind != 0 && e.GoType != nil {
		return fmt.Errorf("a JSON %s does not fit %s", e.JSONKind, e.GoType)
	}
	return errors.New("a member of the wrong kind")
}

const maxExcerpt = 512

func (cl *call) decodeError(err error) *DecodeError {
	e := &DecodeError{Method: cl.method, Operation: cl.endpoint.template, Err: err}
	if resp := cl.attempt.last; resp != nil {
		e.StatusCode = resp.StatusCode
		e.ContentType = resp.Header.Get("Content-Type")
	}
	if data := cl.attempt.data; data != nil && !cl.sensitive {
		e.Excerpt = excerpt(cl.redact(data.String()[:min(data.Len(), 2*maxExcerpt)]), maxExcerpt)
	}
	return e
}

// Do makes a call that the library has no method for, of an endpoint made by
// [Route] or [EscapedPath]. Set query parameters with [WithQuery].
// A body that is not nil is sent as JSON. The response is decoded as JSON into
// out, copied if out is an io.Writer, and passed over if out is nil.
func (c *Client) Do(ctx context.Context, method string, e Endpoint, body, out any, opts ...RequestOption) (*Response, error) {
	if err := checkMethod(method); err != nil {
		return nil, err
	}
	var in input
	if body != nil {
		in = jsonOf(body)
	}
	switch out := out.(type) {
	case nil:
		return exec(ctx, c, method, e, in, opts)
	case io.Writer:
		return c.copyTo(ctx, method, e, in, out, opts)
	}
	cl, err := newCall(ctx, c, method, e, in, opts)
	if err != nil {
		return nil, err
	}
	resp, err := cl.send()
	if err != nil {
		return cl.response(), err
	}
	defer cl.dropData()
	return newResponse(cl, resp), cl.decode(out)
}

func (c *Client) copyTo(ctx context.Context, method string, e Endpoint, in input, w io.Writer, opts []RequestOption) (*Response, error) {
	d, resp, err := stream(ctx, c, method, e, in, opts)
	if err != nil {
		return resp, err
	}
	defer d.Close()
	_, err = d.WriteTo(w)
	return resp, err
}

func checkMethod(method string) error {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
		return nil
	}
	return &ArgumentError{Argument: "method", Problem: "is none of GET, HEAD, POST, PUT, PATCH and DELETE"}
}
