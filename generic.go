package serviceapi

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"reflect"
)

// Do calls an endpoint that the library has no method for, made by [Route] or
// [EscapedPath]. [WithQuery] sets query parameters, and [WithPageToken] continues a
// list. A body that is not nil is sent as JSON, encoded by the rules of
// encoding/json. If out is a pointer, the response is decoded into it by the same
// rules; if out is an io.Writer, the response is copied to it; if out is nil, the
// response is discarded, unless it is a web page, which is a [*DecodeError].
//
// A body that is an [Upload] is sent as it is, for example with PUT, and a
// [Multipart] as a form with files. A []byte or another io.Reader is an
// [*ArgumentError].
//
// [Get], [List] and [All] are typed functions for reading.
func (c *Client) Do(
	ctx context.Context, method string, e Endpoint, body, out any, opts ...RequestOption,
) (*Response, error) {
	w, isWriter := out.(io.Writer)
	if err := checkDo(method, out, isWriter); err != nil {
		return nil, ofCall(method, e.template, err)
	}
	in, err := bodyOf(body)
	if err != nil {
		return nil, err
	}
	switch {
	case out == nil:
		r, err := exec(ctx, c, method, e, in, opts)
		if err == nil && (method == http.MethodGet || method == http.MethodHead) {
			r.readPage() // HEAD of a list counts it
		}
		return r, err
	case isWriter:
		return c.copyTo(ctx, method, e, in, w, opts)
	}
	cl, err := newCall(ctx, c, method, e, in, opts)
	if err != nil {
		return nil, err
	}
	cl.result = reflect.TypeOf(out)
	o, err := cl.send()
	defer o.text.Release()
	r := o.response()
	if err != nil {
		return r, err
	}
	linkErr := o.readPage(r)
	if err := o.decode(out); err != nil {
		return r, err
	}
	return r, linkErr
}

// checkDo refuses arguments with which the response to a write would be lost.
func checkDo(method string, out any, isWriter bool) error {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
	default:
		return badArgument("method", "is none of GET, HEAD, POST, PUT, PATCH and DELETE")
	}
	switch v := reflect.ValueOf(out); {
	case out == nil:
		return nil
	case method == http.MethodHead:
		return badArgument("out", "must be nil: the response to HEAD has no body")
	case !isWriter && v.Kind() != reflect.Pointer:
		return badArgument("out", "must be a pointer or an io.Writer, but is "+v.Type().String())
	case v.Kind() == reflect.Pointer && v.IsNil():
		return badArgument("out", "is a nil pointer")
	}
	return nil
}

func (c *Client) copyTo(
	ctx context.Context, method string, e Endpoint, in input, w io.Writer, opts []RequestOption,
) (*Response, error) {
	d, resp, err := stream(ctx, c, method, e, in, opts)
	if err != nil {
		return resp, err
	}
	defer d.Close()
	_, err = d.WriteTo(w)
	return resp, err
}

// Get reads one object that the library has no method for:
//
//	type Distribution struct {
//		Codename string
//		Suite    string
//	}
//	path := serviceapi.Route("/projects/:id/debian_distributions/:codename",
//		project, "sid")
//	distribution, _, err := serviceapi.Get[Distribution](ctx, client, path)
//
// T is decoded by encoding/json, by its rules and at its speed. It may embed a type of the library
// and add fields to it.
func Get[T any](ctx context.Context, c *Client, e Endpoint, opts ...RequestOption) (*T, *Response, error) {
	return do[T](ctx, c, http.MethodGet, e, nil, opts)
}

// List reads one page of a list that the library has no method for. The options
// are nil, a url.Values, or a pointer to a struct with url tags, which may
// embed [ListOptions]. T should be a pointer type. Items are decoded as by [Get].
func List[T any](
	ctx context.Context, c *Client, e Endpoint, options any, opts ...RequestOption,
) ([]T, *Response, error) {
	return list[T](ctx, c, e, queryOf(options), opts)
}

// All returns every item of a list that the library has no method for. Pages
// are fetched while the items are consumed:
//
//	path := serviceapi.Route("/projects/:id/debian_distributions", project)
//	for d, err := range serviceapi.All[*Distribution](ctx, client, path, nil) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(d.Codename, d.Suite)
//	}
//
// The parameters are those of [List].
func All[T any](ctx context.Context, c *Client, e Endpoint, options any, opts ...RequestOption) iter.Seq2[T, error] {
	return all[T](ctx, c, e, queryOf(options), opts)
}

// bodyOf returns the input for a body of [Client.Do].
func bodyOf(body any) (input, error) {
	switch b := body.(type) {
	case nil:
		return nil, nil
	case Upload:
		return uploadInput{b}, nil
	case *Upload:
		if b == nil {
			return nil, badArgument("body", "is a nil *Upload")
		}
		return uploadInput{*b}, nil
	case Multipart:
		return b, nil
	case *Multipart:
		if b == nil {
			return nil, badArgument("body", "is a nil *Multipart")
		}
		return *b, nil
	case json.Marshaler:
		return jsonOf(b), nil
	case io.Reader:
		return nil, badArgument("body", fmt.Sprintf("is a %T, not JSON: pass it as the Content of an Upload", b))
	}
	if t := reflect.TypeOf(body); t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 {
		return nil, badArgument("body", "is a []byte: pass JSON as json.RawMessage, and a file as an Upload")
	}
	return jsonOf(body), nil
}
