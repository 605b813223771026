// Package pages reads what divides a list into pages: the queries of pages, the links
// between them, and the tokens that continue a list.
package pages

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"example.com/serviceapi/internal/header"
	"example.com/serviceapi/internal/redact"
)

// MaxSize is the number of items that the service puts on a page at most.
const MaxSize = 100

// defaultSize is that number if the query does not say.
const defaultSize = 20

// ParseQuery is url.ParseQuery, except that a semicolon, which the service may
// not escape, is part of a value.
func ParseQuery(query string) url.Values {
	values, _ := url.ParseQuery(strings.ReplaceAll(query, ";", "%3B"))
	return values
}

// Next returns the query of the next page, "" at the end of the list. Only the query
// of a link is used: it is sent to the same path, whatever host the link names.
func Next(h http.Header, current string) (string, error) {
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
	if size := header.Number(h, "X-Per-Page"); size > 0 {
		current = WithSize(current, size)
	}
	return WithNumber(current, n), nil
}

// Says reports whether the header of a page says which one is next, or that there is none.
func Says(h http.Header, current string) bool {
	number, _ := Number(current)
	total := header.Number(h, "X-Total-Pages")
	return len(h.Values("Link")) > 0 || len(h.Values("X-Next-Page")) > 0 || total > 0 && total <= number
}

// Full is the number of items of a page that counts as full.
const Full = -1

// Following returns the query of the page after one with so many items, whose header does not say
// which it is: "" if it is not full. The last page of a keyset list says no more than that.
func Following(current string, items int) string {
	size := cmp.Or(Size(current), defaultSize)
	if items != size && items != Full || cursor(current) != "" || get(current, "pagination") != "" {
		return ""
	}
	number, _ := Number(current)
	return WithNumber(WithSize(current, size), max(number, 1)+1)
}

// WithSize sets the size of the pages in a query that does not say it: another call may ask for
// pages of another size.
func WithSize(query string, size int) string {
	values := ParseQuery(query)
	if values.Has("per_page") {
		return query
	}
	values.Set("per_page", strconv.Itoa(size))
	return values.Encode()
}

// WithNumber returns the query of the page with this number.
func WithNumber(query string, page int) string {
	values := ParseQuery(query)
	values.Set("page", strconv.Itoa(page))
	return values.Encode()
}

// Number returns the number of the page that a query asks for, and whether it asks
// for one by number.
func Number(query string) (int, bool) {
	n, err := strconv.Atoi(get(query, "page"))
	if err != nil {
		return 1, false
	}
	return n, true
}

// Size returns the number of items on a page at most, 0 if its query does not say.
func Size(query string) int {
	n, _ := strconv.Atoi(get(query, "per_page"))
	return min(max(n, 0), MaxSize)
}

// Advances reports whether the next page is later in the list. In a numbered list,
// it has a higher number; in a keyset list, the number, if any, does not change.
func Advances(current, next string) bool {
	a, _ := Number(current)
	b, numbered := Number(next)
	return !numbered || b > a || cursor(next) != "" && cursor(next) != cursor(current)
}

// cursor returns the position after which a keyset list continues.
func cursor(query string) string {
	return cmp.Or(get(query, "cursor"), get(query, "id_after"), get(query, "page_token"))
}

// get returns the first value of a parameter, "" if the query has none. Of a query with many
// parameters, few are looked at, which need no map of all.
func get(query, name string) string {
	for parameter := range strings.SplitSeq(query, "&") {
		key, value, _ := strings.Cut(parameter, "=")
		if plain, err := url.QueryUnescape(key); plain == name && err == nil {
			if value, err := url.QueryUnescape(value); err == nil {
				return value
			}
		}
	}
	return ""
}
