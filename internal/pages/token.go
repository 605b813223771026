package pages

import (
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"hash/fnv"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"example.com/serviceapi/internal/redact"
	"example.com/serviceapi/internal/text"
)

// A token is the query of a page, after a marker of its list. The marker finds a
// token that was damaged or is of another list or instance. It has no key and proves
// nothing: a token must continue a list in another process and with another
// credential. So whoever made it, a token can do no more than choose a page, and set
// parameters that the list has.
//
// If nothing says that there is a page, its token ends with a sum of the page before, after a #,
// which is escaped in a query. If the page repeats that one, the list has no pages.

// MarkerSize is the length of the marker in bytes.
const MarkerSize = 8

// Token returns the token of a page of the list at this address. List is the query that the
// list was asked for, and current that of the page before. Before is the sum of that page if
// the next one may repeat it, and "" otherwise.
func Token(address, list, current, next, before string) string {
	query := strings.ReplaceAll(continuation(list, current, next), "#", "%23")
	if before != "" {
		query += "#" + before
	}
	token := binary.BigEndian.AppendUint64(nil, Marker(address, query))
	return base64.RawURLEncoding.EncodeToString(append(token, query...))
}

// Marker identifies a page of a list.
func Marker(address, query string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(address + "?" + query))
	return h.Sum64()
}

// continuation returns what a token needs of the query of a link: the parameters
// that select the page, and those that the list was asked for. The rest are
// defaults of the service, which it will set again.
func continuation(list, current, next string) string {
	if !moves(ParseQuery(current), ParseQuery(next)) {
		return next // by a parameter that is not known here
	}
	asked := make(map[string]bool)
	for name := range ParseQuery(list) {
		asked[baseName(name)] = true
	}
	return redact.FilterQuery(next, func(name string) bool { return Selects(name) || asked[baseName(name)] })
}

// moves reports whether two pages of a list have different positions.
func moves(current, next url.Values) bool {
	return slices.ContainsFunc([]string{"page", "last", "page_token", "cursor", "id_after"}, func(name string) bool {
		return !slices.Equal(current[name], next[name])
	})
}

// Request is a call of a list at an address that a token continues.
type Request struct {
	Address string
	// Query is that of the call, and Options the part of it that its options make.
	Query, Options string
	// Type is the type of the options, nil if there are none.
	Type reflect.Type
}

// Continue returns the query of the page of a token and the sum of the page before, or what is
// wrong with the token.
func (r Request) Continue(token string) (query, before, problem string) {
	data, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(data) <= MarkerSize {
		return "", "", "is not from a Response"
	}
	marked := string(data[MarkerSize:])
	query, before, _ = strings.Cut(marked, "#")
	if binary.BigEndian.Uint64(data) != Marker(r.Address, marked) || redact.WithoutParams(query) != query {
		return "", "", "is from another list or instance, or was changed"
	}
	page, asked := ParseQuery(query), ParseQuery(r.Query)
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		if !Selects(name) && !slices.Equal(page[name], asked[name]) {
			return "", "", otherOptions(name)
		}
	}
	setAgain := redact.FilterQuery(r.Options, func(name string) bool { return !Selects(name) }) != ""
	for _, name := range slices.Sorted(maps.Keys(page)) {
		switch {
		case Selects(name) || asked.Has(name):
		case !takes(r.Type, name):
			return "", "", "sets " + text.Printable(name, 40) + ", which the options have no field for: set it again"
		case setAgain:
			return "", "", otherOptions(name)
		}
	}
	return query, before, ""
}

func otherOptions(name string) string {
	return "is from a list with other options: " + text.Printable(name, 40) + " differs"
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

// baseName is the name of a parameter without the brackets of a list or an object.
func baseName(name string) string {
	name, _, _ = strings.Cut(name, "[")
	return name
}

// Selects reports whether a parameter selects a page of a list rather than the list.
func Selects(name string) bool {
	switch name {
	case "page", "per_page", "n", "last", "page_token", "cursor", "id_after", "pagination", "order_by", "sort":
		return true
	}
	return false
}
