package serviceapi

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"

	"example.com/serviceapi/internal/header"
)

// maxPerPage is the service's limit, and what All… methods ask for.
const maxPerPage = 100

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
	s, err := cl.send()
	defer s.text.Release()
	r := s.response()
	if err != nil {
		return nil, r, err
	}
	linkErr := s.readPage(r)
	items := make([]P, 0, expectedItems(cl.query))
	if err := s.decode(&items); err != nil {
		return withoutNil(items, err), r, err
	}
	if items == nil {
		return nil, r, s.decodeError(errNull)
	}
	if holdsPointers[P]() && slices.ContainsFunc(items, isNil) {
		err := s.decodeError(errNullItem)
		err.Partial = true
		return withoutNil(items, err), r, err
	}
	return items, r, linkErr
}

// readPage reads the pagination of a list.
func (s *sending) readPage(r *Response) error {
	r.readPage()
	next, err := nextPage(s.resp.Header, s.query)
	if err != nil {
		return s.paginationError(s.redaction().Hide(err.Error()))
	}
	r.NextPageToken = s.tokenOf(next)
	return nil
}

// expectedItems is the maximum number of items of the page, so that its slice
// need not grow.
func expectedItems(query string) int {
	n, err := strconv.Atoi(parseQuery(query).Get("per_page"))
	if err != nil || n < 0 {
		return 0
	}
	return min(n, maxPerPage)
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

// nextPage returns the query of the next page, "" at the end of the list. Only
// the query of a link is used: it is sent to the same path, whatever host the
// link names.
func nextPage(h http.Header, current string) (string, error) {
	lines := h.Values("Link")
	if len(lines) == 0 {
		return nextByNumber(h, current)
	}
	target, found, err := header.Next(lines)
	if !found {
		return "", err
	}
	u, err := url.Parse(target)
	if err != nil || u.RawQuery == "" {
		return "", errors.New("the link to the next page has no query")
	}
	return withoutSecrets(u.RawQuery), nil
}

// nextByNumber uses x-next-page, in case a proxy removed the Link header.
func nextByNumber(h http.Header, current string) (string, error) {
	raw := h.Get("X-Next-Page")
	if raw == "" {
		return "", nil
	}
	n, err := strconv.Atoi(raw)
	if err != nil || n < 1 {
		return "", fmt.Errorf("x-next-page is %q", raw)
	}
	return withPage(current, n), nil
}

func withPage(query string, page int) string {
	values := parseQuery(query)
	values.Set("page", strconv.Itoa(page))
	return values.Encode()
}

// withoutSecrets removes credentials and sudo from a query that the service
// sent.
func withoutSecrets(raw string) string {
	values := parseQuery(raw)
	dropped := false
	for name := range values {
		if isSecretParam(name) {
			delete(values, name)
			dropped = true
		}
	}
	if !dropped {
		return raw
	}
	return values.Encode()
}
