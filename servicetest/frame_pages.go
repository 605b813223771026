package servicetest

import (
	"encoding/base64"
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

const (
	defaultPerPage = 20
	maxPerPage     = 100
	maxCounted     = 10_000            // longer lists have no totals
	maxPage        = math.MaxInt32 - 1 // it and the next page fit into an int on all platforms
)

// listOf returns one page of items, with offset pagination and all its headers.
// Each item is encoded anew.
func listOf[T, J any](c caller, items []T, form func(T) J) *reply {
	return c.frame().page(len(items), func(i int) *encoded {
		data := encode(form(items[i]))
		return &encoded{data: data}
	})
}

// cachedListOf is like listOf, for records that cache their encoding.
func cachedListOf[T any](c caller, items []T, form func(T) *encoded) *reply {
	return c.frame().page(len(items), func(i int) *encoded { return form(items[i]) })
}

// page returns one page of a list of total items. Only the items of the page
// are encoded.
func (c *frameCall) page(total int, item func(i int) *encoded) *reply {
	page, perPage := c.pageNumbers()
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	from := int(min(int64(page-1)*int64(perPage), int64(total)))
	to := min(from+perPage, total)
	r := assemble(to-from, func(i int) *encoded { return item(from + i) })
	c.offsetHeaders(r, page, perPage, total)
	return r
}

// pageNumbers reads page and per_page. Numbers out of range are clamped.
func (c *frameCall) pageNumbers() (page, perPage int) {
	perPage = defaultPerPage
	if n := c.int64("per_page"); n > 0 {
		perPage = int(min(n, maxPerPage))
	}
	return int(min(max(c.int64("page"), 1), maxPage)), perPage
}

// assemble joins n encodings into a JSON array.
func assemble(n int, item func(i int) *encoded) *reply {
	buffer := bodies.Get().(*[]byte)
	body := append((*buffer)[:0], '[')
	sum := uint32(17)
	for i := range n {
		if i > 0 {
			body = append(body, ',')
		}
		e := item(i)
		body = append(body, e.data...)
		sum = sum*31 + e.sum
	}
	*buffer = append(body, ']')
	return &reply{status: 200, header: jsonHeader(), body: *buffer, pooled: buffer, sum: listSum(sum, n, item)}
}

// listSum computes the checksum of a list from those of its items. It returns 0
// if the items have none; then the checksum of the body is used.
func listSum(sum uint32, n int, item func(i int) *encoded) uint32 {
	if n == 0 || item(0).sum == 0 {
		return 0
	}
	return sum
}

func (c *frameCall) offsetHeaders(r *reply, page, perPage, total int) {
	pages := max((total+perPage-1)/perPage, 1)
	var prev, next string
	var links []string
	link := func(rel string, page int) {
		q := map[string]string{"page": strconv.Itoa(page), "per_page": strconv.Itoa(perPage)}
		links = append(links, fmt.Sprintf("<%s>; rel=%q", c.self(q), rel))
	}
	if page > 1 {
		prev = strconv.Itoa(page - 1)
		link("prev", page-1)
	}
	if page < pages {
		next = strconv.Itoa(page + 1)
		link("next", page+1)
	}
	link("first", 1)
	if total <= maxCounted && !c.uncounted {
		link("last", pages)
		r.header["X-Total"] = []string{strconv.Itoa(total)}
		r.header["X-Total-Pages"] = []string{strconv.Itoa(pages)}
	}
	r.header["Link"] = []string{strings.Join(links, ", ")}
	r.header["X-Page"] = []string{strconv.Itoa(page)}
	r.header["X-Per-Page"] = []string{strconv.Itoa(perPage)}
	r.header["X-Prev-Page"] = []string{prev}
	r.header["X-Next-Page"] = []string{next}
}

// self returns the absolute URL of the request, with some query parameters
// replaced.
func (c *frameCall) self(replace map[string]string) string {
	scheme := "http"
	if c.r.TLS != nil {
		scheme = "https"
	}
	var parts []string
	for pair := range strings.SplitSeq(c.r.URL.RawQuery, "&") {
		name, _, _ := strings.Cut(pair, "=")
		if _, replaced := replace[name]; pair != "" && !replaced {
			parts = append(parts, pair)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(replace)) {
		parts = append(parts, name+"="+url.QueryEscape(replace[name]))
	}
	return scheme + "://" + c.r.Host + c.r.URL.EscapedPath() + "?" + strings.Join(parts, "&")
}

// wantsKeyset reports whether the caller asked for keyset pagination.
func (c *frameCall) wantsKeyset() bool { return c.str("pagination") == "keyset" }

// A keyset describes a list that has keyset pagination.
type keyset[T any] struct {
	orderBy string         // the column that order_by must be
	sorts   []string       // the supported directions
	param   string         // "cursor", or "id_after" for lists ordered by ID
	items   []T            // in the order of sort=asc
	key     func(T) string // the item's value in that column, unique
	json    func(T) *encoded
}

// keysetPage returns one page in keyset pagination. Link has only rel=next.
// After the last page, there are neither a link nor items.
func keysetPage[T any](by caller, k keyset[T]) *reply {
	c := by.frame()
	c.require("order_by", "sort")
	sort := c.oneOf("sort", "asc", "desc")
	_, perPage := c.pageNumbers()
	if refusal := c.refusal(); refusal != nil {
		return refusal
	}
	if c.str("order_by") != k.orderBy || !slices.Contains(k.sorts, sort) {
		return keysetRefused()
	}
	items := k.items
	if sort == "desc" {
		items = slices.Clone(items)
		slices.Reverse(items)
	}
	param, from, ok := k.start(c, items, sort)
	if !ok {
		return jsonReply(400, object{"error": param + " is invalid"})
	}
	to := min(from+perPage, len(items))
	r := assemble(to-from, func(i int) *encoded { return k.json(items[from+i]) })
	if to > from {
		next := k.mark(param, items[to-1])
		r.header.Set("Link", fmt.Sprintf(`<%s>; rel="next"`, c.self(map[string]string{param: next})))
	}
	return r
}

// keysetRefused is the response for a list or an order that has no keyset
// pagination.
func keysetRefused() *reply {
	return jsonReply(405, object{"error": "Keyset pagination is not yet available for this type of request"})
}

// start returns the index where the page begins, and the parameter that says
// so.
func (k keyset[T]) start(c *frameCall, items []T, sort string) (param string, from int, ok bool) {
	param = k.param
	if param == "id_after" && sort == "desc" {
		param = "id_before"
	}
	mark := c.str(param)
	if mark == "" {
		return param, 0, true
	}
	if param != "cursor" {
		from, ok = k.afterID(items, mark, sort)
		return param, from, ok
	}
	key, err := base64.RawURLEncoding.DecodeString(mark)
	if err != nil {
		return param, 0, false
	}
	past := func(item T) bool { return (k.key(item) > string(key)) == (sort == "asc") && k.key(item) != string(key) }
	if at := slices.IndexFunc(items, past); at >= 0 {
		return param, at, true
	}
	return param, len(items), true
}

// afterID returns the index after an ID.
func (k keyset[T]) afterID(items []T, mark, sort string) (int, bool) {
	id, err := strconv.ParseInt(mark, 10, 64)
	if err != nil {
		return 0, false
	}
	past := func(item T) bool {
		n, _ := strconv.ParseInt(k.key(item), 10, 64)
		return n > id && sort == "asc" || n < id && sort == "desc"
	}
	if at := slices.IndexFunc(items, past); at >= 0 {
		return at, true
	}
	return len(items), true
}

// mark returns the value of the parameter for the page after an item.
func (k keyset[T]) mark(param string, item T) string {
	if param == "cursor" {
		return base64.RawURLEncoding.EncodeToString([]byte(k.key(item)))
	}
	return k.key(item)
}
