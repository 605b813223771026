package serviceapi

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
)

// do makes a call whose response is an object.
func do[T any](ctx context.Context, c *Client, method string, e Endpoint, in input, opts []RequestOption) (*T, *Response, error) {
	cl, err := newCall(ctx, c, method, e, in, opts)
	if err != nil {
		return nil, nil, err
	}
	return fetch[T](cl, nil)
}

// fetch sends a call whose response is an object. The check, if any, finds
// errors that the response reports despite a good status.
func fetch[T any](cl *call, check func(*sending, *T) error) (*T, *Response, error) {
	cl.result = reflect.TypeFor[T]()
	s, err := cl.send()
	defer s.text.Release()
	if err != nil {
		return nil, s.response(), err
	}
	v := new(T)
	if err = s.decodeObject(v); err == nil && check != nil {
		err = check(s, v)
	} else if err != nil && !isPartial(err) {
		v = nil
	}
	return v, s.response(), err
}

// exec makes a call whose response is only a status.
func exec(ctx context.Context, c *Client, method string, e Endpoint, in input, opts []RequestOption) (*Response, error) {
	cl, err := newCall(ctx, c, method, e, in, opts)
	if err != nil {
		return nil, err
	}
	cl.use = discardBody
	s, err := cl.send()
	defer s.text.Release()
	return s.response(), err
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
			return nil, &ArgumentError{Argument: "body", Problem: "is a nil *Upload"}
		}
		return uploadInput{*b}, nil
	case Multipart:
		return b, nil
	case *Multipart:
		if b == nil {
			return nil, &ArgumentError{Argument: "body", Problem: "is a nil *Multipart"}
		}
		return *b, nil
	case json.Marshaler:
		return jsonOf(b), nil
	case io.Reader:
		return nil, &ArgumentError{Argument: "body", Problem: fmt.Sprintf("is a %T, which is no JSON: pass it as the Content of an Upload", b)}
	}
	if t := reflect.TypeOf(body); t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 {
		return nil, &ArgumentError{Argument: "body", Problem: "is a []byte: pass JSON as json.RawMessage, and a file as an Upload"}
	}
	return jsonOf(body), nil
}
