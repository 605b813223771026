package serviceapi

import (
	stdjson "encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi/internal/inventory"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"
)

// decodedAs are the types that a response is decoded into if the method returns
// another type.
var decodedAs = map[reflect.Type]reflect.Type{
	reflect.TypeFor[CreatedNote]():              reflect.TypeFor[createdAnswer](),
	reflect.TypeFor[AddMembersResult]():         reflect.TypeFor[membershipResponse](),
	reflect.TypeFor[MergeRequestSubscription](): reflect.TypeFor[MergeRequestDetails](),
	reflect.TypeFor[LabelSubscription]():        reflect.TypeFor[Label](),
}

// responseTypes are the structs that the methods of all services return, found
// by reflection, or the types that are decoded instead.
func responseTypes(t *testing.T) []reflect.Type {
	t.Helper()
	found := map[reflect.Type]bool{
		reflect.TypeFor[memberStateResponse](): true,
		reflect.TypeFor[catalogPage]():         true,
		reflect.TypeFor[GraphQLErrorDetail]():  true,
	}
	eachMethod(func(_ reflect.StructField, method reflect.Method) {
		if typ := inventory.ResultOf(method.Type); typ != nil {
			if other, ok := decodedAs[typ]; ok {
				typ = other
			}
			found[typ] = true
		}
	})
	var types []reflect.Type
	for typ := range found {
		types = append(types, typ)
	}
	slices.SortFunc(types, func(a, b reflect.Type) int { return strings.Compare(a.Name(), b.Name()) })
	require.Greater(t, len(types), 40)
	return types
}

// eachMethod visits the exported methods of every service.
func eachMethod(visit func(service reflect.StructField, method reflect.Method)) {
	for service, method := range inventory.Methods(reflect.TypeFor[Client]()) {
		visit(service, method)
	}
}

// unheardOf stands for every string, so that every enumeration has a value that
// the library does not know.
const unheardOf = "unheard of"

// leafSample is the sample of a type that decodes itself and has no members of
// its own.
func leafSample(t *testing.T, typ reflect.Type) (any, bool) {
	t.Helper()
	switch typ {
	case reflect.TypeFor[any](), reflect.TypeFor[jsontext.Value]():
		return map[string]any{"a": 1}, true
	case reflect.TypeFor[[]byte]():
		return "SGVsbG8K", true
	case reflect.TypeFor[Nullable[[]string]]():
		return []any{"a", "b"}, true
	}
	if forms := selfDecoding[typ]; forms != nil && (typ.Kind() != reflect.Struct || !inventory.HasMembers(typ)) {
		var sample any
		require.NoError(t, stdjson.Unmarshal([]byte(forms[0]), &sample))
		return sample, true
	}
	return nil, false
}

// place is a value in a sample: a member of an object, or the first item of a
// list.
type place struct {
	pointer string
	typ     reflect.Type
	field   string // the field of a struct that it is decoded into, if it is one
	put     func(any) (previous any)
	steps   []step
}

// step leads from a Go value to one of its fields, items or map values.
type step func(v reflect.Value) (inner reflect.Value, remove func(), ok bool)

// reach returns the value at a place of a decoded value and a function to zero
// it. It reports whether the place exists, which requires that what contains it
// exists.
func (p *place) reach(v reflect.Value) (at reflect.Value, remove func(), ok bool) {
	for _, step := range p.steps {
		if v = pointee(v); !v.IsValid() {
			return v, nil, false
		}
		if v, remove, ok = step(v); !ok {
			return v, nil, false
		}
	}
	return v, remove, true
}

// blank zeroes the place in a decoded value.
func (p *place) blank(v reflect.Value) bool {
	_, remove, ok := p.reach(v)
	if ok {
		remove()
	}
	return ok
}

// isEmpty reports whether the place has nothing that came from the response: a
// pointer is nil, except for an item of a list, and anything else is zero.
func (p *place) isEmpty(v reflect.Value) bool {
	at, _, ok := p.reach(v)
	if ok && at.Kind() == reflect.Pointer && p.isItem() && !at.IsNil() {
		at = at.Elem()
	}
	return !ok || at.IsZero()
}

// isItem reports whether the place is in a list or a map.
func (p *place) isItem() bool { return p.field == "" }

// pointee follows pointers. For nil, the returned value is invalid.
func pointee(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return v
}

func toField(index []int) step {
	return func(v reflect.Value) (reflect.Value, func(), bool) {
		inner, err := v.FieldByIndexErr(index)
		return inner, inner.SetZero, err == nil
	}
}

func toFirst(v reflect.Value) (reflect.Value, func(), bool) {
	if v.Len() == 0 {
		return v, nil, false
	}
	return v.Index(0), v.Index(0).SetZero, true
}

func toKey(v reflect.Value) (reflect.Value, func(), bool) {
	key := reflect.ValueOf(unheardOf).Convert(v.Type().Key())
	return v.MapIndex(key), func() { v.SetMapIndex(key, reflect.Value{}) }, true
}

// sampler makes JSON that fills a type, as maps and slices that can be changed
// at every place.
type sampler struct {
	t *testing.T
	// unknown adds to each object a member that the library does not know.
	unknown bool
	places  []*place
	// open are the types being sampled, which may contain themselves.
	open []reflect.Type
}

func (s *sampler) object(typ reflect.Type, pointer string, steps []step) any {
	object := map[string]any{}
	if s.unknown {
		object["never heard of"] = map[string]any{"a": []any{1, nil}}
	}
	for name, field := range inventory.JSONFields(typ) {
		p := &place{
			pointer: pointer + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name), typ: field.Type,
			field: inventory.Declaring(typ, field).String() + "." + field.Name,
			steps: append(slices.Clone(steps), toField(field.Index)),
			put: func(v any) any {
				previous := object[name]
				object[name] = v
				return previous
			},
		}
		object[name] = s.value(p)
	}
	return object
}

// value returns a sample for a place, and finds the places inside.
func (s *sampler) value(p *place) any {
	s.places = append(s.places, p)
	typ := p.typ
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	if sample, ok := leafSample(s.t, typ); ok {
		return sample
	}
	switch typ.Kind() {
	case reflect.Bool:
		return true
	case reflect.Int, reflect.Int32, reflect.Int64:
		return 7
	case reflect.Float64:
		return 7.5
	case reflect.String:
		return unheardOf
	case reflect.Struct:
		if slices.Contains(s.open, typ) {
			return nil
		}
		s.open = append(s.open, typ)
		defer func() { s.open = s.open[:len(s.open)-1] }()
		return s.object(typ, p.pointer, p.steps)
	case reflect.Slice:
		list := []any{nil, nil}
		first := &place{
			pointer: p.pointer + "/0", typ: typ.Elem(), steps: append(slices.Clone(p.steps), toFirst),
			put: func(v any) any {
				previous := list[0]
				list[0] = v
				return previous
			},
		}
		list[0] = s.value(first)
		list[1] = (&sampler{t: s.t, unknown: s.unknown, open: s.open}).value(&place{typ: typ.Elem()})
		return list
	case reflect.Map:
		object := map[string]any{}
		inner := &place{
			pointer: p.pointer + "/" + unheardOf, typ: typ.Elem(), steps: append(slices.Clone(p.steps), toKey),
			put: func(v any) any {
				previous := object[unheardOf]
				object[unheardOf] = v
				return previous
			},
		}
		before := len(s.places)
		object[unheardOf] = s.value(inner)
		s.places = s.places[:before+1] // map values cannot be set
		object["other"] = object[unheardOf]
		return object
	}
	s.t.Fatalf("%s: no sample for %s: say in selfDecoding what JSON it has", p.pointer, typ)
	return nil
}

// knownValues are references, owners and other values that arguments are made of.
func knownValues() []any {
	project, group := ProjectID(1), GroupID(1)
	return []any{
		project, group, UserID(1), NamespaceID(1), Instance, Own,
		IssueIn(project, 1), MergeRequestIn(project, 1), SnippetIn(project, 1), EpicIn(group, 1),
		CommitIn(project, "x"),
		LabelID(1),
		NewSecret("secret"), NewDate(2026, 3, 31), time.Unix(1, 0),
		Upload{Filename: "f", Content: strings.NewReader("content")},
	}
}

// ownerOf returns a reference, an owner or another path argument, or the zero
// Value if the type is none of them.
func ownerOf(typ reflect.Type) reflect.Value { return inventory.Known(typ, knownValues()) }

// arguments makes the arguments of a method, without its request options.
func arguments(t *testing.T, method reflect.Type) ([]reflect.Value, error) {
	return inventory.Arguments(t.Context(), method, knownValues())
}
