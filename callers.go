package serviceapi

import (
	"cmp"
	"encoding"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// The types of the library are encoded and decoded by the rules of
// encoding/json/v2, which their tags are written for. Types of callers are
// encoded and decoded by encoding/json: names match in any case, omitempty
// leaves out zero, a nil list is null. Only to reveal a Secret in them, or to
// find out what is wrong with a response, the decoder of the library does it by
// the same rules.

// origin says who wrote a type, which decides the rules for its JSON.
type origin uint8

const (
	ofNobody  origin = iota // a basic type, or one that both rules treat alike
	ofLibrary               // written for the rules of encoding/json/v2
	ofCaller                // written for those of encoding/json
)

// originOf looks through pointers, lists and maps, and into the arguments of a
// generic type.
func originOf(t reflect.Type) origin {
	for t.Name() == "" {
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
			t = t.Elem()
		default:
			return ofCaller // a struct without a name, or whatever an interface holds
		}
	}
	switch {
	case t.PkgPath() == "" || t == reflect.TypeFor[time.Time]() || t == reflect.TypeFor[json.RawMessage]():
		return ofNobody
	case t.PkgPath() != reflect.TypeFor[Client]().PkgPath():
		return ofCaller
	case strings.HasSuffix(t.Name(), "]"): // a Nullable or a GraphQLConnection of another type
		for field := range t.Fields() {
			if originOf(field.Type) == ofCaller {
				return ofCaller
			}
		}
	}
	return ofLibrary
}

// isCallers reports whether the JSON of a type follows the rules of
// encoding/json.
func isCallers(t reflect.Type) bool { return t != nil && originOf(t) != ofLibrary }

// callersRules are those of encoding/json for the library's decoder.
var callersRules = jsonv1.DefaultOptionsV1()

// marshal encodes a value of a caller's type, or one of the library's.
func marshal(value any, callers bool) ([]byte, error) {
	if callers {
		return json.Marshal(value)
	}
	return jsonv2.Marshal(value)
}

// marshalRevealing is marshal with other rules for some types.
func marshalRevealing(value any, callers bool, more *jsonv2.Marshalers) ([]byte, error) {
	if callers {
		return jsonv2.Marshal(value, callersRules, jsonv2.WithMarshalers(more))
	}
	return jsonv2.Marshal(value, jsonv2.WithMarshalers(more))
}

// contains reports whether a type that is found is part of another one. It does
// not look into types of other packages that decode themselves.
func contains(t reflect.Type, found func(reflect.Type) bool, seen map[reflect.Type]bool) bool {
	if found(t) {
		return true
	}
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return contains(t.Elem(), found, seen)
	case reflect.Struct:
		for field := range t.Fields() {
			if field.Tag.Get("json") != "-" && contains(field.Type, found, seen) {
				return true
			}
		}
	}
	return false
}

// holdsAnything reports whether a type has a field that may hold a value of a
// caller's type, such as the variables of a GraphQL request.
func holdsAnything(t reflect.Type) bool {
	return contains(t, func(t reflect.Type) bool { return t.Kind() == reflect.Interface }, map[reflect.Type]bool{})
}

// holdsLibrary reports whether a type of the library is part of a caller's.
func holdsLibrary(t reflect.Type) bool {
	own := reflect.TypeFor[Client]().PkgPath()
	return contains(t, func(t reflect.Type) bool { return t.Kind() == reflect.Struct && t.PkgPath() == own }, map[reflect.Type]bool{})
}

// decodeCallers decodes a part of the response into a value of a caller's type
// as encoding/json does. If a type of the library is part of it, it is decoded
// as in a result: other timestamps are known, and what is of the wrong kind is
// nil.
func (a *answer) decodeCallers(data []byte, v any) error {
	err := json.Unmarshal(data, v)
	if err == nil {
		return nil
	}
	rules := jsonv2.JoinOptions(callersRules, jsonv2.WithUnmarshalers(numbers))
	if !jsontext.Value(data).IsValid(rules) {
		return a.notDecoded(data, err)
	}
	if holdsLibrary(reflect.TypeOf(v)) {
		err = jsonv2.Unmarshal(data, v, rules, lenientTypes)
		if err == nil {
			return nil
		}
		rules = jsonv2.JoinOptions(rules, isoTimes)
	}
	// The error of encoding/json does not say exactly where.
	probe := reflect.New(reflect.TypeOf(v).Elem())
	where := jsonv2.Unmarshal(data, probe.Interface(), rules, jsonv1.ReportErrorsWithLegacySemantics(false))
	e := a.notDecoded(data, cmp.Or(where, err))
	e.Partial = e.Pointer != ""
	return e
}

// lenientTypes decode past a value of the wrong kind without leaving a trace of
// it.
var lenientTypes = jsonv2.WithUnmarshalers(jsonv2.JoinUnmarshalers(
	numbers,
	jsonv2.UnmarshalFunc(decodeTime),
	jsonv2.UnmarshalFromFunc(decodePointer),
))

// numbers decode the json.Number of encoding/json, which the library's decoder
// does not know.
var numbers = jsonv2.UnmarshalFunc(func(data []byte, n *json.Number) error { return json.Unmarshal(data, n) })

// decodePointer leaves a pointer nil if the value is of the wrong kind: zero
// would look like a value that the service sent.
func decodePointer(dec *jsontext.Decoder, v any) error {
	p := reflect.ValueOf(v).Elem()
	if p.Kind() != reflect.Pointer || dec.PeekKind() == 'n' || isInnerItem(dec) {
		return errors.ErrUnsupported // decode it as usual
	}
	elem := p.Type().Elem()
	if elem.Kind() == reflect.Struct && !decodesItself(elem) {
		if dec.PeekKind() == '{' {
			return errors.ErrUnsupported // each member for itself
		}
		p.SetZero()
		return errors.Join(errWrongKind, dec.SkipValue())
	}
	value := reflect.New(elem)
	err := jsonv2.UnmarshalDecode(dec, value.Interface())
	if err != nil && value.Elem().IsZero() {
		p.SetZero()
		return err
	}
	p.Set(value) // all of it, or the members that could be decoded
	return err
}

// isInnerItem reports whether an item of a list inside an object is next. It
// stays there, as zero: programs do not expect nil among the items. Those of the
// response itself are left out if they are nil.
func isInnerItem(dec *jsontext.Decoder) bool {
	depth := dec.StackDepth()
	kind, _ := dec.StackIndex(depth)
	return kind == '[' && depth > 1
}

var errWrongKind = errors.New("a member of the wrong type")

// decodesItself reports whether a type has a method for that.
func decodesItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Unmarshaler]()) || p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) ||
		p.Implements(reflect.TypeFor[jsonv2.UnmarshalerFrom]())
}
