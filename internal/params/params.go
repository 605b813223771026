// Package params encodes options as a query. The encoder is go-querystring, which reads
// every field and every tag of a struct in each call, although most lists are asked for
// with two options of forty. Here, what a type has is found out once: text, numbers,
// booleans and times are written directly, and the encoder gets what else is set.
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
	reflect.StructField
	index []int
	// name and text are those of a field with one plain value; text is nil for others.
	name string
	text func(reflect.Value) string
	// alone is a struct with only this field. It is made when the field is first set.
	alone reflect.Type
	once  sync.Once
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
			name, text := plain(f)
			s.fields = append(s.fields, field{StructField: f, index: index, name: name, text: text})
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
		if f.text != nil {
			all[f.name] = append(all[f.name], f.text(value))
			continue
		}
		values, err := f.encode(value)
		if err != nil {
			return nil, err
		}
		for name, several := range values {
			all[name] = append(all[name], several...)
		}
	}
	return all, nil
}

// plain returns the name of a field with one plain value and how the encoder writes it, or nil
// if it is left to the encoder: because its tag asks for a form, or its type has one.
func plain(f reflect.StructField) (name string, text func(reflect.Value) string) {
	name, form, _ := strings.Cut(f.Tag.Get("url"), ",")
	if name == "" || form != "" && form != "omitempty" {
		return "", nil
	}
	if f.Type.Kind() != reflect.Pointer {
		return name, textOf(f.Type, f.Tag)
	}
	if inner := textOf(f.Type.Elem(), f.Tag); inner != nil {
		text = func(v reflect.Value) string { return inner(v.Elem()) }
	}
	return name, text
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

func (f *field) encode(value reflect.Value) (url.Values, error) {
	f.once.Do(func() {
		alone := reflect.StructField{Name: f.Name, Type: f.Type, Tag: f.Tag}
		f.alone = reflect.StructOf([]reflect.StructField{alone})
	})
	one := reflect.New(f.alone)
	one.Elem().Field(0).Set(value)
	return query.Values(one.Interface())
}
