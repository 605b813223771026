// Package form writes JSON as the fields of a form, as the service reads them: a member of
// a nested object as name[key], an item of a list as name[], and null as an empty string.
package form

import (
	"errors"
	"iter"
	"net/url"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"example.com/serviceapi/internal/jsonx"
)

var errNoObject = errors.New("not a JSON object")

// Of returns the members of a JSON object, or of null, as fields.
func Of(object []byte) (url.Values, error) {
	var members map[string]jsontext.Value
	if json.Unmarshal(object, &members) != nil {
		return nil, errNoObject
	}
	values := make(url.Values)
	for name, member := range members {
		Add(values, name, member)
	}
	return values, nil
}

// Add adds a field with a value, which is valid JSON, so that no part of it can fail to be
// read.
func Add(values url.Values, name string, v jsontext.Value) {
	switch v.Kind() {
	case '{':
		var members map[string]jsontext.Value
		_ = json.Unmarshal(v, &members)
		for key, member := range members {
			Add(values, name+"["+key+"]", member)
		}
	case '[':
		var items []jsontext.Value
		_ = json.Unmarshal(v, &items)
		for _, item := range items {
			Add(values, name+"[]", item)
		}
	case '"':
		values.Add(name, jsonx.Text(v))
	case 'n':
		values.Add(name, "")
	default:
		values.Add(name, string(v))
	}
}

// Overlaps reports whether one of the fields is the one of this name, or one is part of the
// other, as a[b] is of a.
func Overlaps(name string, fields iter.Seq[string]) bool {
	for other := range fields {
		if name == other || strings.HasPrefix(name, other+"[") || strings.HasPrefix(other, name+"[") {
			return true
		}
	}
	return false
}
