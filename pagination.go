package serviceapi

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"example.com/serviceapi/internal/header"
	"example.com/serviceapi/internal/redact"
	"example.com/serviceapi/internal/text"
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

// readPage reads the pagination of a list. Of a walk that nobody observes, only the
// error is of interest.
func (s *sending) readPage(r *Response) error {
	next, err := nextPage(s.resp.Header, s.query)
	if s.onHeader == nil || s.options.onPage != nil {
		r.readPage()
		r.NextPageToken = s.tokenOf(next)
	}
	if err != nil {
		return s.paginationError(s.redaction().Hide(err.Error()))
	}
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
	return redact.WithoutParams(u.RawQuery), nil
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

// A page token is the query of a page, after a marker of its list. The marker
// finds a token that was damaged or is of another list or instance. It has no key
// and proves nothing: a token must continue a list in another process and with
// another credential. So whoever made it, a token can do no more than choose a
// page, and set parameters that the list has.

// markerSize is the length of the marker in bytes.
const markerSize = 8

// tokenOf returns the token of a page of this list, "" for none.
func (cl *call) tokenOf(next string) string {
	if next == "" {
		return ""
	}
	query := cl.continuation(next)
	token := binary.BigEndian.AppendUint64(nil, cl.pageMarker(query))
	return base64.RawURLEncoding.EncodeToString(append(token, query...))
}

// pageMarker identifies a page of this list.
func (cl *call) pageMarker(query string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(withoutQuery(cl.url()) + "?" + query))
	return h.Sum64()
}

// continuation returns what a token needs of the query of a link: the parameters
// that select the page, and those that the list was asked for. The rest are
// defaults of the service, which it will set again.
func (cl *call) continuation(next string) string {
	if !moves(parseQuery(cl.query), parseQuery(next)) {
		return next // by a parameter that is not known here
	}
	asked := make(map[string]bool)
	for name := range parseQuery(cl.list) {
		asked[baseName(name)] = true
	}
	return redact.FilterQuery(next, func(name string) bool { return selectsPage(name) || asked[baseName(name)] })
}

// moves reports whether two pages of a list have different positions.
func moves(current, next url.Values) bool {
	return slices.ContainsFunc([]string{"page", "last", "page_token", "cursor", "id_after"}, func(name string) bool {
		return !slices.Equal(current[name], next[name])
	})
}

// continueAt makes the call ask for the page of the token. The options are the
// query that the options of the call make, without that of WithQuery.
func (cl *call) continueAt(token, options string) error {
	refused := func(problem string) error { return badArgument("page token", problem) }
	data, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(data) <= markerSize {
		return refused("is not from a Response")
	}
	query := string(data[markerSize:])
	if binary.BigEndian.Uint64(data) != cl.pageMarker(query) || redact.WithoutParams(query) != query {
		return refused("is from another list or instance, or was changed")
	}
	page, asked := parseQuery(query), parseQuery(cl.query)
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		if !selectsPage(name) && !slices.Equal(page[name], asked[name]) {
			return refused("is from a list with other options: " + text.Printable(name, 40) + " differs")
		}
	}
	setAgain := redact.FilterQuery(options, func(name string) bool { return !selectsPage(name) }) != ""
	for _, name := range slices.Sorted(maps.Keys(page)) {
		switch {
		case selectsPage(name) || asked.Has(name):
		case !takes(cl.queryType, name):
			return refused("sets " + text.Printable(name, 40) + ", which the options have no field for: set it again")
		case setAgain:
			return refused("is from a list with other options: " + text.Printable(name, 40) + " differs")
		}
	}
	cl.query = query
	return nil
}

// takes reports whether a struct of options has a field for a parameter.
func takes(options reflect.Type, name string) bool {
	if options != nil && options.Kind() == reflect.Pointer {
		options = options.Elem()
	}
	if options == nil || options.Kind() != reflect.Struct {
		return false
	}
	return slices.ContainsFunc(reflect.VisibleFields(options), func(field reflect.StructField) bool {
		tag, _, _ := strings.Cut(field.Tag.Get("url"), ",")
		return field.IsExported() && !field.Anonymous && baseName(cmp.Or(tag, field.Name)) == baseName(name)
	})
}

// baseName is the name of a parameter without the brackets of a list or an
// object.
func baseName(name string) string {
	name, _, _ = strings.Cut(name, "[")
	return name
}

// selectsPage reports whether a parameter selects a page of a list rather than
// the list.
func selectsPage(name string) bool {
	switch name {
	case "page", "per_page", "n", "last", "page_token", "cursor", "id_after", "pagination", "order_by", "sort":
		return true
	}
	return false
}
