package serviceapi

import (
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"example.com/serviceapi/internal/jsonx"
	"example.com/serviceapi/internal/text"
	"github.com/go-json-experiment/json/jsontext"
)

func bodyFieldProblem(name, problem string) error {
	return badArgument("body field "+text.Printable(name, 60), problem)
}

func errFieldIsSet(name string) error { return bodyFieldProblem(name, "is already set") }

func (f bodyField) encode() (jsontext.Value, error) {
	data, _, err := encodeJSON(f.value, isCallers(reflect.TypeOf(f.value)))
	if err != nil {
		return nil, bodyFieldProblem(f.name, "cannot be sent as JSON: "+err.Error())
	}
	return data, nil
}

// withMembers adds members to a JSON object. The values of the object, which may be
// files of a commit, are not read for that.
func withMembers(object []byte, fields []bodyField) ([]byte, error) {
	if len(fields) == 0 {
		return object, nil
	}
	set := make(map[string]bool)
	if !jsonx.Names(object, func(name string) { set[name] = true }) {
		return nil, bodyFieldProblem(fields[0].name, "cannot be added: the body is not an object")
	}
	more := []byte{'{'}
	for _, f := range fields {
		if set[f.name] {
			return nil, errFieldIsSet(f.name)
		}
		set[f.name] = true
		value, err := f.encode()
		if err != nil {
			return nil, err
		}
		if len(more) > 1 {
			more = append(more, ',')
		}
		more, _ = jsontext.AppendQuote(more, f.name) // WithBodyField has checked it
		more = append(append(more, ':'), value...)
	}
	return jsonx.Join(object, append(more, '}')), nil
}

// withFormFields adds fields to a form that also has files.
func withFormFields(values url.Values, fields []bodyField, files ...string) (url.Values, error) {
	if len(fields) == 0 {
		return values, nil
	}
	all := maps.Clone(values)
	if all == nil {
		all = make(url.Values)
	}
	for _, f := range fields {
		value, err := f.encode()
		if err != nil {
			return nil, err
		}
		added := make(url.Values)
		addNested(added, f.name, value)
		for name := range added {
			if slices.ContainsFunc(files, overlaps(name)) || containsKey(all, overlaps(name)) {
				return nil, errFieldIsSet(f.name)
			}
		}
		maps.Copy(all, added)
	}
	return all, nil
}

func containsKey(values url.Values, is func(string) bool) bool {
	for name := range values {
		if is(name) {
			return true
		}
	}
	return false
}

// overlaps returns a function that reports whether a field of a form is the one
// of this name, or one is part of the other, as a[b] is of a.
func overlaps(name string) func(string) bool {
	return func(other string) bool {
		return name == other || strings.HasPrefix(name, other+"[") || strings.HasPrefix(other, name+"[")
	}
}

// errNoBody is the error of a field of a call without a body.
func errNoBody(field string) error {
	return bodyFieldProblem(field, "cannot be added: the call has no body")
}
