package serviceapi

import (
	"net/url"
	"reflect"

	"example.com/serviceapi/internal/jsonx"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// jsonOrMultipart sends a struct as JSON, or with a file as
// multipart/form-data. Both have the names of the struct's json tags.
func jsonOrMultipart(fields any, fileField string, file *Upload) input {
	if file == nil {
		return jsonOf(fields)
	}
	return nestedMultipart{fields, fileField, *file}
}

// nestedMultipart is multipartOf for fields that a query could not express:
// objects, lists, null and secrets.
type nestedMultipart struct {
	fields    any
	fileField string
	file      Upload
}

func (in nestedMultipart) encode(p *payload) error {
	values, err := nestedForm(in.fields)
	if err != nil {
		return &ArgumentError{Argument: "options", Problem: "cannot be sent as a form: " + err.Error()}
	}
	p.sent = in.fields
	return multipartOf(values, in.fileField, in.file).encode(p)
}

// nestedForm writes the members of a JSON object as form fields: those of a
// nested object as name[key], the items of a list as name[], and null as an
// empty string, which is what the service expects.
func nestedForm(value any) (url.Values, error) {
	data, _, err := encodeJSON(value, isCallers(reflect.TypeOf(value)))
	if err != nil {
		return nil, err
	}
	var members map[string]jsontext.Value
	if err := json.Unmarshal(data, &members); err != nil {
		return nil, err
	}
	values := make(url.Values)
	for name, member := range members {
		addNested(values, name, member)
	}
	return values, nil
}

// addNested adds a value to a form. It is valid JSON, since it has been encoded
// or checked, so that no part of it can fail to be read.
func addNested(values url.Values, name string, v jsontext.Value) {
	switch v.Kind() {
	case '{':
		var members map[string]jsontext.Value
		_ = json.Unmarshal(v, &members)
		for key, member := range members {
			addNested(values, name+"["+key+"]", member)
		}
	case '[':
		var items []jsontext.Value
		_ = json.Unmarshal(v, &items)
		for _, item := range items {
			addNested(values, name+"[]", item)
		}
	case '"':
		values.Add(name, jsonx.Text(v))
	case 'n':
		values.Add(name, "")
	default:
		values.Add(name, string(v))
	}
}
