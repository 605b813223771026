package serviceapi

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"reflect"
	"slices"

	"example.com/serviceapi/internal/pages"
)

// Collect gathers the items of a sequence, such as an All… method returns, into
// a slice. If the sequence ends with an error, Collect returns it together with
// the items that came before.
func Collect[T any](seq iter.Seq2[T, error]) ([]T, error) {
	var items []T
	for item, err := range seq {
		if err != nil {
			return items, err
		}
		items = append(items, item)
	}
	return items, nil
}

// list makes a call whose response is one page of a list.
//
// P is a pointer to an item, here and below: the compiler shares one
// instantiation among all pointer types, but needs one for each struct type.
func list[P any](ctx context.Context, c *Client, e Endpoint, in input, opts []RequestOption) ([]P, *Response, error) {
	cl, err := newCall(ctx, c, http.MethodGet, e, in, opts)
	if err != nil {
		return nil, nil, err
	}
	return fetchPage[P](cl)
}

// fetchPage returns the items of a page. With a partial DecodeError, it returns
// everything that could be decoded.
func fetchPage[P any](cl *call) ([]P, *Response, error) {
	cl.result = reflect.TypeFor[P]()
	o, err := cl.send()
	defer o.text.Release()
	r := o.response()
	if err != nil {
		return nil, r, err
	}
	linkErr := o.readPage(r)
	if o.text.ExceedsItems(o.options.maxItems) {
		return nil, r, o.manyItems()
	}
	items := make([]P, 0, pages.Size(cl.query))
	if err := o.decode(&items); err != nil {
		return withoutNil(items, err), r, err
	}
	if len(items) > o.options.maxItems { // those that are no objects
		return nil, r, o.manyItems()
	}
	if items == nil {
		return nil, r, o.decodeError(errNull)
	}
	if holdsPointers[P]() && slices.ContainsFunc(items, isNil) {
		err := o.decodeError(errNullItem)
		err.Partial = true
		return withoutNil(items, err), r, err
	}
	return items, r, linkErr
}

// readPage reads the pagination of a list. In a walk that nobody observes, only the error
// is needed.
func (o *outcome) readPage(r *Response) error {
	next, err := pages.Next(o.resp.Header, o.query)
	if o.onHeader == nil || o.options.onPage != nil {
		r.readPage()
		r.NextPageToken = o.tokenOf(next)
	}
	if err != nil {
		return o.paginationError(o.redaction().Hide(err.Error()))
	}
	return nil
}

// manyItems returns the error for a page with far more items than a page has.
func (o *outcome) manyItems() error {
	return o.decodeError(fmt.Errorf("the list has more than %d items", o.options.maxItems))
}

func holdsPointers[P any]() bool { return reflect.TypeFor[P]().Kind() == reflect.Pointer }

// isNil reports whether an item, which is a pointer, is nil.
func isNil[P any](item P) bool {
	var none P
	return any(item) == any(none)
}

// withoutNil returns the items of a partial response, and nil for any other
// error.
func withoutNil[P any](items []P, err error) []P {
	if !isPartial(err) {
		return nil
	}
	if !holdsPointers[P]() {
		return items
	}
	return slices.DeleteFunc(items, isNil)
}
