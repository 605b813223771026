package serviceapi

import (
	"maps"
	"net/url"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// WithBodyField adds a parameter that the options have no field for to the body
// of a call, whether the call sends JSON, a form or a file with fields. The
// value is encoded as encoding/json does it; in a form, the members of an
// object become name[key] and the items of a list name[]. A name that the
// options have already set, and a call without a body, are refused with an
// [*ArgumentError].
func WithBodyField(name string, value any) RequestOption {
	return requestOption(func(o *callOptions) error {
		if name == "" || isSecretParam(name) {
			return &ArgumentError{Argument: "body field " + name, Problem: "cannot be set here: use WithCredential or WithSudo"}
		}
		o.bodyFields = append(slices.Clip(o.bodyFields), bodyField{name, value})
		return nil
	})
}

func errFieldIsSet(name string) error {
	return &ArgumentError{Argument: "body field " + printable(name, 60), Problem: "is already set by the options"}
}

func (f bodyField) encode() (jsontext.Value, error) {
	data, _, err := encodeJSON(f.value, isCallers(reflect.TypeOf(f.value)))
	if err != nil {
		return nil, &ArgumentError{Argument: "body field " + printable(f.name, 60), Problem: "cannot be sent as JSON: " + err.Error()}
	}
	return data, nil
}

// withMembers adds members to a JSON object.
func withMembers(object []byte, fields []bodyField) ([]byte, error) {
	if len(fields) == 0 {
		return object, nil
	}
	var members map[string]jsontext.Value
	if err := json.Unmarshal(object, &members, jsontext.AllowDuplicateNames(true)); err != nil || members == nil {
		return nil, &ArgumentError{Argument: "body field " + printable(fields[0].name, 60), Problem: "cannot be added: the body is not an object"}
	}
	for _, f := range fields {
		if _, set := members[f.name]; set {
			return nil, errFieldIsSet(f.name)
		}
		value, err := f.encode()
		if err != nil {
			return nil, err
		}
		members[f.name] = value
	}
	return json.Marshal(members, json.Deterministic(true), jsontext.AllowDuplicateNames(true))
}

// withFormFields adds fields to a form.
func withFormFields(values url.Values, fields []bodyField) (url.Values, error) {
	if len(fields) == 0 {
		return values, nil
	}
	values = maps.Clone(values)
	if values == nil {
		values = make(url.Values)
	}
	for _, f := range fields {
		if values.Has(f.name) || values.Has(f.name+"[]") {
			return nil, errFieldIsSet(f.name)
		}
		value, err := f.encode()
		if err != nil {
			return nil, err
		}
		addNested(values, f.name, value)
	}
	return values, nil
}

// checkFields refuses fields of calls without a body.
func (p *payload) checkFields() error {
	if len(p.fields) > 0 && p.body == nil {
		return &ArgumentError{
			Argument: "body field " + printable(p.fields[0].name, 60), Problem: "cannot be added: the call has no body",
		}
	}
	return nil
}
