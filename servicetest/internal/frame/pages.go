package frame

import (
	"encoding/base64"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

const (
	DefaultPerPage = 20
	MaxPerPage     = 100
	maxCounted     = 10_000            // longer lists have no totals
	maxPage        = math.MaxInt32 - 1 // this and the next page fit into an int on all platforms
)

// ListOf returns one page of items, with offset pagination and all its headers. Each
// item is encoded for this call.
func ListOf[T, J any](c Caller, items []T, form func(T) J) *Reply {
	return c.Frame().Page(len(items), func(i int) *Encoded {
		return &Encoded{Data: Encode(form(items[i]))}
	})
}

// CachedListOf is like ListOf, for records that cache their encoding.
func CachedListOf[T any](c Caller, items []T, form func(T) *Encoded) *Reply {
	return c.Frame().Page(len(items), func(i int) *Encoded { return form(items[i]) })
}

// Page returns one page of a list of total items. Only the items of the page
// are encoded.
func (c *Call) Page(total int, item func(i int) *Encoded) *Reply {
	page, perPage := c.PageNumbers()
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	from := int(min(int64(page-1)*int64(perPage), int64(total)))
	to := min(from+perPage, total)
	r := Assemble(to-from, func(i int) *Encoded { return item(from + i) })
	c.offsetHeaders(r, page, perPage, total)
	return r
}

// Cut returns those of the items that are on the page.
func Cut[T any](c Caller, items []T) []T {
	page, perPage := c.Frame().PageNumbers()
	from := int(min(int64(page-1)*int64(perPage), int64(len(items))))
	return items[from:min(from+perPage, len(items))]
}

// Paged returns a value in which a page of a list of total items is.
func (c *Call) Paged(v any, total int) *Reply {
	page, perPage := c.PageNumbers()
	r := c.OK(v)
	c.offsetHeaders(r, page, perPage, total)
	return r
}

// PageNumbers reads page and per_page. It clamps numbers that are out of range.
func (c *Call) PageNumbers() (page, perPage int) {
	perPage = DefaultPerPage
	if n := c.Int64("per_page"); n > 0 {
		perPage = int(min(n, MaxPerPage))
	}
	return int(min(max(c.Int64("page"), 1), maxPage)), perPage
}

// Assemble joins n encodings into a JSON array.
func Assemble(n int, item func(i int) *Encoded) *Reply {
	buffer := bodies.Get().(*[]byte)
	body := append((*buffer)[:0], '[')
	sum := uint32(17)
	for i := range n {
		if i > 0 {
			body = append(body, ',')
		}
		e := item(i)
		body = append(body, e.Data...)
		sum = sum*31 + e.sum
	}
	*buffer = append(body, ']')
	return &Reply{
		Status: http.StatusOK, Header: jsonHeader(), body: *buffer, pooled: buffer, sum: listSum(sum, n, item),
	}
}

// listSum computes the checksum of a list from those of its items. It returns 0 if the
// items have none. Then the checksum of the body is used.
func listSum(sum uint32, n int, item func(i int) *Encoded) uint32 {
	if n == 0 || item(0).sum == 0 {
		return 0
	}
	return sum
}

func (c *Call) offsetHeaders(r *Reply, page, perPage, total int) {
	pages := max((total+perPage-1)/perPage, 1)
	var prev, next string
	var links []string
	link := func(rel string, page int) {
		q := map[string]string{"page": strconv.Itoa(page), "per_page": strconv.Itoa(perPage)}
		links = append(links, fmt.Sprintf("<%s>; rel=%q", c.Self(q), rel))
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
	if total <= maxCounted && !c.Uncounted {
		link("last", pages)
		r.Header["X-Total"] = []string{strconv.Itoa(total)}
		r.Header["X-Total-Pages"] = []string{strconv.Itoa(pages)}
	}
	r.Header["Link"] = []string{strings.Join(links, ", ")}
	r.Header["X-Page"] = []string{strconv.Itoa(page)}
	r.Header["X-Per-Page"] = []string{strconv.Itoa(perPage)}
	r.Header["X-Prev-Page"] = []string{prev}
	r.Header["X-Next-Page"] = []string{next}
}

// Self returns the absolute URL of the request after replacing some query parameters.
func (c *Call) Self(replace map[string]string) string {
	scheme := "http"
	if c.Request.TLS != nil {
		scheme = "https"
	}
	var parts []string
	for pair := range strings.SplitSeq(c.Request.URL.RawQuery, "&") {
		name, _, _ := strings.Cut(pair, "=")
		if _, replaced := replace[name]; pair != "" && !replaced {
			parts = append(parts, pair)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(replace)) {
		parts = append(parts, name+"="+url.QueryEscape(replace[name]))
	}
	return scheme + "://" + c.Request.Host + c.Request.URL.EscapedPath() + "?" + strings.Join(parts, "&")
}

// WantsKeyset reports whether the caller asked for keyset pagination.
func (c *Call) WantsKeyset() bool { return c.String("pagination") == "keyset" }

// A Keyset describes the keyset pagination of a list.
type Keyset[T any] struct {
	OrderBy string         // the only value of order_by
	Sorts   []string       // the supported directions
	Param   string         // "cursor", or "id_after" for lists ordered by ID
	Items   []T            // in the order of sort=asc
	Key     func(T) string // the item's value in that column, unique
	JSON    func(T) *Encoded
}

// KeysetPage returns one page in keyset pagination. Link has only rel=next. After the
// last page, there are neither a link nor items.
func KeysetPage[T any](by Caller, k Keyset[T]) *Reply {
	c := by.Frame()
	c.Require("order_by", "sort")
	sort := c.StringIn("sort", "asc", "desc")
	_, perPage := c.PageNumbers()
	if refusal := c.Refusal(); refusal != nil {
		return refusal
	}
	if c.String("order_by") != k.OrderBy || !slices.Contains(k.Sorts, sort) {
		return KeysetRefused()
	}
	items := k.Items
	if sort == "desc" {
		items = slices.Clone(items)
		slices.Reverse(items)
	}
	param, from, ok := k.start(c, items, sort)
	if !ok {
		return JSONReply(http.StatusBadRequest, Object{"error": param + " is invalid"})
	}
	to := min(from+perPage, len(items))
	r := Assemble(to-from, func(i int) *Encoded { return k.JSON(items[from+i]) })
	if to > from {
		next := k.mark(param, items[to-1])
		r.Header.Set("Link", fmt.Sprintf(`<%s>; rel="next"`, c.Self(map[string]string{param: next})))
	}
	return r
}

// without keyset pagination
func KeysetRefused() *Reply {
	return JSONReply(http.StatusMethodNotAllowed,
		Object{"error": "Keyset pagination is not yet available for this type of request"})
}

// start returns the index where the page begins, and the name of the parameter that
// gives it.
func (k Keyset[T]) start(c *Call, items []T, sort string) (param string, from int, ok bool) {
	param = k.Param
	if param == "id_after" && sort == "desc" {
		param = "id_before"
	}
	mark := c.String(param)
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
	past := func(item T) bool { return (k.Key(item) > string(key)) == (sort == "asc") && k.Key(item) != string(key) }
	if at := slices.IndexFunc(items, past); at >= 0 {
		return param, at, true
	}
	return param, len(items), true
}

// afterID returns the index after an ID.
func (k Keyset[T]) afterID(items []T, mark, sort string) (int, bool) {
	id, err := strconv.ParseInt(mark, 10, 64)
	if err != nil {
		return 0, false
	}
	past := func(item T) bool {
		n, _ := strconv.ParseInt(k.Key(item), 10, 64)
		return n > id && sort == "asc" || n < id && sort == "desc"
	}
	if at := slices.IndexFunc(items, past); at >= 0 {
		return at, true
	}
	return len(items), true
}

// mark returns the value of the parameter for the page after an item.
func (k Keyset[T]) mark(param string, item T) string {
	if param == "cursor" {
		return base64.RawURLEncoding.EncodeToString([]byte(k.Key(item)))
	}
	return k.Key(item)
}
