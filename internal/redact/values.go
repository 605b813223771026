package redact

import (
	"encoding/json"
	"reflect"
)

// maxDepth is how deep a value is searched, so that the search ends.
const maxDepth = 32

// HideIn replaces the secrets in every string of a value that is decoded from JSON, in place.
// The value is a pointer. Fields that are not exported are left as they are.
func (r *Redactor) HideIn(v any) {
	if len(r.secrets) > 0 {
		r.hideIn(reflect.ValueOf(v), 0)
	}
}

func (r *Redactor) hideIn(v reflect.Value, depth int) {
	if depth > maxDepth {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		r.hideIn(v.Elem(), depth+1)
	case reflect.Interface:
		if !v.IsNil() {
			v.Set(r.hiddenCopy(v.Elem(), depth))
		}
	case reflect.String:
		if hidden := r.Hide(v.String()); hidden != v.String() {
			v.SetString(hidden)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			// JSON has the fields of an embedded struct even if its type is not exported.
			if f := v.Type().Field(i); f.IsExported() || f.Anonymous && f.Type.Kind() == reflect.Struct {
				r.hideIn(v.Field(i), depth+1)
			}
		}
	case reflect.Slice:
		if raw, ok := v.Interface().(json.RawMessage); ok {
			v.SetBytes(r.hideJSON(raw))
			return
		}
		for i := range v.Len() {
			r.hideIn(v.Index(i), depth+1)
		}
	case reflect.Map:
		if v.Len() == 0 {
			return
		}
		hidden := reflect.MakeMapWithSize(v.Type(), v.Len())
		for iter := v.MapRange(); iter.Next(); {
			hidden.SetMapIndex(r.hiddenCopy(iter.Key(), depth), r.hiddenCopy(iter.Value(), depth))
		}
		v.Set(hidden)
	}
}

// hiddenCopy returns a copy of a value that cannot be changed in its place.
func (r *Redactor) hiddenCopy(v reflect.Value, depth int) reflect.Value {
	hidden := reflect.New(v.Type()).Elem()
	hidden.Set(v)
	r.hideIn(hidden, depth+1)
	return hidden
}

// hideJSON is Hide for a value of JSON. What a secret was a part of stays JSON.
func (r *Redactor) hideJSON(data json.RawMessage) json.RawMessage {
	hidden := r.HideBytes(data)
	if len(data) > 0 && !json.Valid(hidden) {
		return json.RawMessage(`"` + Placeholder + `"`)
	}
	return hidden
}
