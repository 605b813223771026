// Package params encodes options as a query. The encoder is go-querystring, which reads
// every field and every tag of a struct in each call, although most lists are asked for
// with two options of forty. Here, what a type has is found out once: plain values, lists of
// them, and values that encode themselves are written directly, and the encoder gets what
// else is set.
package params

import (
	"cmp"
	"fmt"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/go-querystring/query"
)

// Struct is what is known about a type of options. It is safe for concurrent use.
type Struct struct {
	// fields are those that can be encoded one by one, nil if the type has to be
	// encoded as a whole.
	fields []field
}

type field struct {
	index []int
	// write adds the value of the field, which is not its zero, to a query.
	write func(reflect.Value, url.Values) error
}

// Of finds out about a struct type. Fields can only be left out if the zero value of
// the type sends nothing, so that a field at its zero adds nothing either.
func Of(t reflect.Type) *Struct {
	s := new(Struct)
	if zero, err := query.Values(reflect.Zero(t).Interface()); err != nil || len(zero) > 0 || !s.add(t, nil) {
		s.fields = nil
	}
	return s
}

// add appends the fields of a struct, and those of structs that it embeds, which are
// sent as if they were its own. It reports whether all of them can be set from outside.
func (s *Struct) add(t reflect.Type, path []int) bool {
	for i := range t.NumField() {
		f := t.Field(i)
		index := append(path[:len(path):len(path)], i)
		switch {
		case f.Tag.Get("url") == "-":
		case f.Anonymous:
			if f.Tag.Get("url") != "" || f.Type.Kind() != reflect.Struct || !s.add(f.Type, index) {
				return false
			}
		case f.IsExported():
			write := direct(f)
			if write == nil {
				write = alone(f)
			}
			s.fields = append(s.fields, field{index, write})
		}
	}
	return true
}

// Values encodes a struct of the type that s was made of.
func (s *Struct) Values(v reflect.Value) (url.Values, error) {
	if s.fields == nil {
		return query.Values(v.Interface())
	}
	all := make(url.Values)
	for i := range s.fields {
		f := &s.fields[i]
		value := v.FieldByIndex(f.index)
		if value.IsZero() {
			continue
		}
		if err := f.write(value, all); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// direct returns what writes a field as the encoder does, or nil if the field is left to the
// encoder: because its tag asks for a form, or its type has one.
func direct(f reflect.StructField) func(reflect.Value, url.Values) error {
	name, form, _ := strings.Cut(f.Tag.Get("url"), ",")
	switch {
	case name == "" || form != "" && form != "omitempty":
		return nil
	case f.Type.Implements(reflect.TypeFor[query.Encoder]()):
		return func(v reflect.Value, all url.Values) error { return encoded(name, form, v, all) }
	case f.Type.Kind() == reflect.Slice:
		return listOf(name, textOf(f.Type.Elem(), f.Tag))
	}
	if f.Type.Kind() != reflect.Pointer {
		return plain(name, textOf(f.Type, f.Tag))
	}
	write := plain(name, textOf(f.Type.Elem(), f.Tag))
	if write == nil {
		return nil
	}
	return func(v reflect.Value, all url.Values) error { return write(v.Elem(), all) }
}

func plain(name string, text func(reflect.Value) string) func(reflect.Value, url.Values) error {
	if text == nil {
		return nil
	}
	return func(v reflect.Value, all url.Values) error {
		all[name] = append(all[name], text(v))
		return nil
	}
}

func listOf(name string, text func(reflect.Value) string) func(reflect.Value, url.Values) error {
	if text == nil {
		return nil
	}
	return func(v reflect.Value, all url.Values) error {
		for i := range v.Len() {
			all[name] = append(all[name], text(v.Index(i)))
		}
		return nil
	}
}

// encoded has a value encode itself, unless it may be left out and is empty.
func encoded(name, form string, v reflect.Value, all url.Values) error {
	if form == "omitempty" && empty(v) {
		return nil
	}
	return v.Interface().(query.Encoder).EncodeValues(name, &all)
}

// empty reports whether the encoder takes a value for empty, which is not its zero.
func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	case reflect.Struct:
		zero, ok := v.Interface().(interface{ IsZero() bool })
		return ok && zero.IsZero()
	}
	return false
}

// textOf returns how the encoder writes values of a type, nil if that is not known here.
func textOf(typ reflect.Type, tag reflect.StructTag) func(reflect.Value) string {
	switch {
	case typ == reflect.TypeFor[time.Time]():
		layout := cmp.Or(tag.Get("layout"), time.RFC3339)
		return func(v reflect.Value) string { return v.Interface().(time.Time).Format(layout) }
	case writesItself(typ):
		return nil
	}
	switch typ.Kind() {
	case reflect.String:
		return reflect.Value.String
	case reflect.Bool:
		return func(v reflect.Value) string { return strconv.FormatBool(v.Bool()) }
	case reflect.Int, reflect.Int64:
		return func(v reflect.Value) string { return strconv.FormatInt(v.Int(), 10) }
	}
	return nil
}

// writesItself reports whether the encoder, or fmt for it, calls a method of a type.
func writesItself(typ reflect.Type) bool {
	pointer := reflect.PointerTo(typ)
	return pointer.Implements(reflect.TypeFor[query.Encoder]()) ||
		pointer.Implements(reflect.TypeFor[fmt.Stringer]()) ||
		pointer.Implements(reflect.TypeFor[fmt.Formatter]()) ||
		pointer.Implements(reflect.TypeFor[error]())
}

// alone returns what gives the encoder a struct that has only this field. The type of the
// struct is made when the field is first set.
func alone(f reflect.StructField) func(reflect.Value, url.Values) error {
	typ := sync.OnceValue(func() reflect.Type {
		return reflect.StructOf([]reflect.StructField{{Name: f.Name, Type: f.Type, Tag: f.Tag}})
	})
	return func(v reflect.Value, all url.Values) error {
		one := reflect.New(typ())
		one.Elem().Field(0).Set(v)
		values, err := query.Values(one.Interface())
		for name, several := range values {
			all[name] = append(all[name], several...)
		}
		return err
	}
}
