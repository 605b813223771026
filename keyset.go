package serviceapi

import (
	"net/url"
	"reflect"
	"strings"
)

// completeKeyset adds what keyset pagination requires to the query of a list. A
// field with the tag "keyset" accepts only the values that the tag lists, such
// as `keyset:"desc,asc"`, and the first of them is its default. Without these
// parameters, the service refuses the call, or ignores the request for keyset
// pagination.
func completeKeyset(options any, values url.Values) error {
	if values.Get("pagination") != string(PaginationKeyset) {
		return nil
	}
	if values.Has("page") {
		problem := "cannot be combined with keyset pagination, which has no page numbers"
		return &ArgumentError{Argument: "Page", Problem: problem}
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
			problem := "must be " + strings.ReplaceAll(allowed, ",", " or ") + " with keyset pagination"
			return &ArgumentError{Argument: field.Name, Problem: problem}
		}
	}
	return nil
}
