package serviceapi

import (
	"encoding/json"
	"reflect"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// decodeWithExtra decodes an object into a struct and returns the members that
// the struct has no field for, nil if there are none.
func decodeWithExtra(data []byte, v any) (map[string]json.RawMessage, error) {
	if isNull(data) {
		return nil, nil
	}
	err := unmarshalMembers(data, v)
	var extra map[string]json.RawMessage
	if listErr := jsonv2.Unmarshal(data, &extra, decodeOptions); listErr != nil {
		return nil, listErr
	}
	for _, field := range reflect.VisibleFields(reflect.TypeOf(v).Elem()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		delete(extra, name)
	}
	if len(extra) == 0 {
		extra = nil
	}
	return extra, err
}

// encodeWithExtra encodes a struct as an object with more members.
func encodeWithExtra(v any, extra map[string]json.RawMessage) ([]byte, error) {
	object, err := jsonv2.Marshal(v)
	if err != nil || len(extra) == 0 {
		return object, err
	}
	more, err := jsonv2.Marshal(extra, jsonv2.Deterministic(true))
	if err != nil {
		return nil, err
	}
	if string(object) == "{}" {
		return more, nil
	}
	object[len(object)-1] = ','
	return append(object, more[1:]...), nil
}

// nullMembers returns the names of the members of an object that are null,
// separated by commas.
func nullMembers(data []byte) string {
	var members map[string]jsontext.Value
	_ = jsonv2.Unmarshal(data, &members, decodeOptions) // whoever decodes the members reports what is wrong
	var names []string
	for _, name := range sortedKeys(members) {
		if isNull(members[name]) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// encodeWithNulls encodes a struct as an object. The members that nulls names
// are null unless they have a value.
func encodeWithNulls(v any, nulls string) ([]byte, error) {
	object, err := jsonv2.Marshal(v)
	if err != nil || nulls == "" {
		return object, err
	}
	var members map[string]jsontext.Value
	if err := jsonv2.Unmarshal(object, &members); err != nil {
		return nil, err
	}
	for name := range strings.SplitSeq(nulls, ",") {
		if value := string(members[name]); value == "" || value == `""` {
			members[name] = jsontext.Value("null")
		}
	}
	return jsonv2.Marshal(members, jsonv2.Deterministic(true))
}
