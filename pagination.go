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

// changedList is like list, for a PUT whose response is the list after the change.
func changedList[P any](
	ctx context.Context, c *Client, e Endpoint, in input, opts []RequestOption,
) ([]P, *Response, error) {
	cl, err := newCall(ctx, c, http.MethodPut, e, in, opts)
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
	items, err := decodePage[P](o)
	if !pages.Says(o.resp.Header, cl.query) && (err == nil || isPartial(err)) {
		if o.repeats() {
			return items[:0], r, nil
		}
		o.guessNext(r, len(items), err)
	}
	if err == nil {
		err = linkErr
	}
	return items, r, err
}

// decodePage decodes the items of a page.
func decodePage[P any](o *outcome) ([]P, error) {
	if o.text.ExceedsItems(o.options.maxItems) {
		return nil, o.manyItems()
	}
	items := make([]P, 0, pages.Size(o.query))
	if err := o.decode(&items); err != nil {
		return withoutNil(items, err), err
	}
	if len(items) > o.options.maxItems { // those that are no objects
		return nil, o.manyItems()
	}
	if items == nil {
		return nil, o.decodeError(errNull)
	}
	if holdsPointers[P]() && slices.ContainsFunc(items, isNil) {
		err := o.decodeError(errNullItem)
		err.Partial = true
		return withoutNil(items, err), err
	}
	return items, nil
}

// readPage reads the pagination of a list. In a walk that nobody observes, only the error
// is needed.
func (o *outcome) readPage(r *Response) error {
	next, err := pages.Next(o.resp.Header, o.query)
	if o.isObserved() {
		r.readPage()
		r.NextPageToken = o.tokenOf(next)
	}
	if err != nil {
		return o.paginationError(o.redaction().Hide(err.Error()))
	}
	return nil
}

// isObserved reports whether somebody sees the pagination of the page.
func (o *outcome) isObserved() bool { return o.onHeader == nil || o.options.onPage != nil }

// repeats reports whether the page is the one before once more: the list has no pages.
func (o *outcome) repeats() bool { return o.before != "" && o.before == o.text.Sum() }

// guessNext sets the token of the page after one whose header does not say what follows, which is
// the page with the next number if this one is full.
func (o *outcome) guessNext(r *Response, items int, err error) {
	if !o.isObserved() {
		return
	}
	if err != nil { // some could not be decoded
		items = pages.Full
	}
	if next := pages.Following(o.query, items); next != "" {
		r.NextPageToken = o.tokenAfter(o.text.Sum(), next)
	}
}

// manyItems returns the error for a page with far more items than a page has.
func (o *outcome) manyItems() error {
	return o.decodeError(fmt.Errorf("the list has more than %d items", o.options.maxItems))
}

func holdsPointers[P any]() bool { return reflect.TypeFor[P]().Kind() == reflect.Pointer }

// isNil reports whether an item, which is a pointer, is nil.
func isNil[P any](item P) bool { return reflect.ValueOf(item).IsNil() }

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
