package inventory

import (
	"encoding/json"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Methods returns the exported methods of every service of a client, each with
// the field of the client that has the service.
func Methods(client reflect.Type) iter.Seq2[reflect.StructField, reflect.Method] {
	return func(yield func(reflect.StructField, reflect.Method) bool) {
		for _, field := range reflect.VisibleFields(client) {
			if !field.IsExported() || !strings.HasSuffix(field.Type.String(), "Service") {
				continue
			}
			for method := range field.Type.Methods() {
				if !yield(field, method) {
					return
				}
			}
		}
	}
}

// ResultOf returns the struct that a method of a service returns, by itself, in a
// list or in a sequence, or nil if there is none.
func ResultOf(method reflect.Type) reflect.Type {
	if method.NumOut() == 0 {
		return nil
	}
	out := method.Out(0)
	if out.Kind() == reflect.Func {
		out = out.In(0).In(0)
	}
	if out.Kind() == reflect.Slice {
		out = out.Elem()
	}
	if out.Kind() == reflect.Pointer {
		out = out.Elem()
	}
	if out.Kind() != reflect.Struct || out.Name() == "Response" || out.Name() == "Download" {
		return nil
	}
	return out
}

// Results returns the structs of the client's package that the methods of its
// services return and that are decoded from JSON, and those that are given, in
// order of their names.
func Results(client reflect.Type, more ...reflect.Type) []reflect.Type {
	found := map[reflect.Type]bool{}
	for _, typ := range more {
		found[typ] = true
	}
	var add func(t reflect.Type)
	add = func(t reflect.Type) {
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice:
			add(t.Elem())
		case reflect.Func: // func(yield func(T, error) bool)
			add(t.In(0).In(0))
		case reflect.Struct:
			if t.PkgPath() == client.PkgPath() && IsDecoded(t) {
				found[t] = true
			}
		}
	}
	for _, method := range Methods(client) {
		for out := range method.Type.Outs() {
			add(out)
		}
	}
	return byName(found)
}

// Within returns the structs of a package that are decoded from JSON and that
// the types consist of, with these themselves, in order of their names.
func Within(pkgPath string, types []reflect.Type) []reflect.Type {
	found := map[reflect.Type]bool{}
	var visit func(reflect.Type)
	visit = func(t reflect.Type) {
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			visit(t.Elem())
		case reflect.Struct:
			if t.PkgPath() != pkgPath || found[t] || !IsDecoded(t) {
				return
			}
			found[t] = true
			for field := range t.Fields() {
				visit(field.Type)
			}
		}
	}
	for _, t := range types {
		visit(t)
	}
	return byName(found)
}

func byName(found map[reflect.Type]bool) []reflect.Type {
	return slices.SortedFunc(maps.Keys(found), func(a, b reflect.Type) int {
		return strings.Compare(a.Name(), b.Name())
	})
}

// IsDecoded reports whether a struct has JSON names or decodes itself. The library
// fills other structs from other values or from a header.
func IsDecoded(t reflect.Type) bool {
	return HasMembers(t) || reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]())
}

// HasMembers reports whether a struct has fields with JSON names.
func HasMembers(t reflect.Type) bool {
	return slices.ContainsFunc(reflect.VisibleFields(t), func(f reflect.StructField) bool {
		return f.Tag.Get("json") != ""
	})
}

// JSONFields returns the fields of a struct by their JSON names, including those
// of embedded structs.
func JSONFields(t reflect.Type) iter.Seq2[string, reflect.StructField] {
	return func(yield func(string, reflect.StructField) bool) {
		depth := map[string]int{}
		var names []string
		fields := map[string]reflect.StructField{}
		for _, field := range reflect.VisibleFields(t) {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name == "-" || !field.IsExported() || field.Anonymous && name == "" {
				continue
			}
			if name == "" {
				name = field.Name
			}
			known, seen := depth[name]
			if seen && known <= len(field.Index) {
				continue
			}
			if !seen {
				names = append(names, name)
			}
			depth[name], fields[name] = len(field.Index), field
		}
		for _, name := range names {
			if !yield(name, fields[name]) {
				return
			}
		}
	}
}

// Declaring returns the struct that declares a field, which may be embedded.
func Declaring(t reflect.Type, field reflect.StructField) reflect.Type {
	for _, i := range field.Index[:len(field.Index)-1] {
		if t = t.Field(i).Type; t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
	}
	return t
}
