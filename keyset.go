package serviceapi

import (
	"net/url"
	"reflect"
	"strings"
)

// completeKeyset adds to the query of a list what keyset pagination requires.
// A field with the tag "keyset" takes only the values that the tag lists, and
// is the first of them where the caller left it empty: `keyset:"desc,asc"`.
// Without these the service refuses such a list, or ignores the wish.
func completeKeyset(options any, values url.Values) error {
	if values.Get("pagination") != string(PaginationKeyset) {
		return nil
	}
	if values.Has("page") {
		return &ArgumentError{Argument: "Page", Problem: "cannot be combined with keyset pagination, which has no page numbers"}
	}
	v := reflect.Indirect(reflect.ValueOf(options))
	if v.Kind() != reflect.Struct {
		return nil
	}
	for _, field := range reflect.VisibleFields(v.Type()) {
		allowed, ok := field.Tag.Lookup("keyset")
		if !ok {
			continue
		}
		name, _, _ := strings.Cut(field.Tag.Get("url"), ",")
		switch first, _, _ := strings.Cut(allowed, ","); {
		case !values.Has(name):
			values.Set(name, first)
		case !containsWord(allowed, values.Get(name)):
			return &ArgumentError{Argument: field.Name, Problem: "must be " + strings.ReplaceAll(allowed, ",", " or ") + " with keyset pagination"}
		}
	}
	return nil
}
