package serviceapi

import (
	"encoding/json"
	"reflect"
	"strings"

	"example.com/serviceapi/internal/jsonx"
	jsonv2 "github.com/go-json-experiment/json"
)

// decodeWithExtra decodes an object into a struct and returns the members that
// the struct has no field for, nil if there are none.
func decodeWithExtra(data []byte, v any) (map[string]json.RawMessage, error) {
	if jsonx.IsNull(data) {
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
	return jsonx.Join(object, more), nil
}
