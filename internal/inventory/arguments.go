package inventory

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Arguments makes arguments for a method of a service, without its request options.
// Every field of a struct of options is set, and of one behind a pointer those that are
// required; a pointer to one without any is nil. The known values stand for parameters
// and fields of their types, and of the interfaces that they implement.
func Arguments(ctx context.Context, method reflect.Type, known []any) ([]reflect.Value, error) {
	var in []reflect.Value
	for i := 1; i < method.NumIn(); i++ {
		typ := method.In(i)
		if method.IsVariadic() && i == method.NumIn()-1 {
			break
		}
		v := reflect.New(typ).Elem()
		switch {
		case typ == reflect.TypeFor[any]():
			v.Set(reflect.ValueOf(&map[string]any{}))
		case typ == reflect.TypeFor[context.Context]():
			v.Set(reflect.ValueOf(ctx))
		case typ.Kind() == reflect.Interface:
			value := Known(typ, known)
			if !value.IsValid() {
				return nil, fmt.Errorf("no known value is a %s", typ)
			}
			v.Set(value)
		case typ.Kind() == reflect.Pointer && len(Required(typ.Elem())) > 0 && !Known(typ, known).IsValid():
			v.Set(reflect.New(typ.Elem()))
			for _, field := range Required(typ.Elem()) {
				Fill(v.Elem().FieldByIndex(field.Index), known)
			}
		default:
			Fill(v, known)
		}
		in = append(in, v)
	}
	return in, nil
}

// Required returns the fields of a struct that must not be empty, by their tag.
func Required(typ reflect.Type) (fields []reflect.StructField) {
	if typ.Kind() != reflect.Struct {
		return nil
	}
	for _, field := range reflect.VisibleFields(typ) {
		if field.Tag.Get("required") == "true" {
			fields = append(fields, field)
		}
	}
	return fields
}

// Fill sets a value and the fields in it, but not what is behind a pointer.
func Fill(v reflect.Value, known []any) {
	if value := Known(v.Type(), known); value.IsValid() {
		v.Set(value)
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			v.SetBytes([]byte(`{"a":1}`))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		Fill(v.Index(0), known)
	case reflect.Interface:
		if v.NumMethod() == 0 {
			v.Set(reflect.ValueOf("x"))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				Fill(v.Field(i), known)
			}
		}
	}
}

// FillAll sets everything in a value, also behind pointers, but no type within itself.
func FillAll(v reflect.Value, known []any) { fillAll(v, known, nil) }

func fillAll(v reflect.Value, known []any, within []reflect.Type) {
	within, ok := enter(v, known, within)
	if !ok {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillAll(v.Elem(), known, within)
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			Fill(v, known)
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fillAll(v.Index(0), known, within)
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		item := reflect.New(v.Type().Elem()).Elem()
		fillAll(item, known, within)
		v.SetMapIndex(reflect.ValueOf("key").Convert(v.Type().Key()), item)
	case reflect.Struct:
		for _, field := range v.Fields() {
			if field.CanSet() {
				fillAll(field, known, within)
			}
		}
	case reflect.Bool:
		v.SetBool(true)
	default:
		Fill(v, known)
	}
}

// enter returns the types that a value is within, itself included. It reports false if nothing
// is left to set: the type is within itself, or its value is known.
func enter(v reflect.Value, known []any, within []reflect.Type) ([]reflect.Type, bool) {
	if slices.Contains(within, v.Type()) {
		return nil, false
	}
	if value := Known(v.Type(), known); value.IsValid() {
		v.Set(value)
		return nil, false
	}
	return append(within[:len(within):len(within)], v.Type()), true
}

// Known returns the known value of a type, or the zero Value if there is none.
func Known(typ reflect.Type, known []any) reflect.Value {
	for _, value := range known {
		v := reflect.ValueOf(value)
		if v.Type() == typ || typ.Kind() == reflect.Interface && typ.NumMethod() > 0 && v.Type().Implements(typ) {
			return v.Convert(typ)
		}
	}
	return reflect.Value{}
}

// EmptyAll sets every list and map in a value to an empty one, and every pointer to a value of
// this kind, but no type within itself. What stands among the members of an object without a
// name of its own stays nil, and so does JSON: neither has an empty form there.
func EmptyAll(v reflect.Value, known []any) { emptyAll(v, known, nil) }

func emptyAll(v reflect.Value, known []any, within []reflect.Type) {
	if v.Type() == reflect.TypeFor[json.RawMessage]() {
		return
	}
	within, ok := enter(v, known, within)
	if !ok {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		emptyAll(v.Elem(), known, within)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if v.Field(i).CanSet() && name != "-" && (name != "" || field.Anonymous) {
				emptyAll(v.Field(i), known, within)
			}
		}
	}
}
