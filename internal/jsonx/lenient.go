package jsonx

import (
	"encoding"
	stdjson "encoding/json"
	"errors"
	"reflect"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"example.com/serviceapi/internal/isotime"
)

// ErrWrongKind means that a value is of the wrong kind. It does not quote the value.
var ErrWrongKind = errors.New("a member of the wrong type")

// The types below are made when they are first needed: to make them takes as long as all
// else that a program pays for the library at its start.
var (
	// LenientTypes decode past a value of the wrong kind without leaving a trace of
	// it. The decoder also needs the options that let it continue.
	LenientTypes = sync.OnceValue(func() json.Options {
		pointers := json.UnmarshalFromFunc(decodePointer)
		return json.WithUnmarshalers(json.JoinUnmarshalers(numbers(), json.UnmarshalFunc(DecodeTime), pointers))
	})
	// Times decode a time.Time as DecodeTime does.
	Times = sync.OnceValue(func() json.Options { return json.WithUnmarshalers(json.UnmarshalFunc(DecodeTime)) })
	// Numbers decode the json.Number of encoding/json, which the decoder does not know.
	Numbers = sync.OnceValue(func() json.Options { return json.WithUnmarshalers(numbers()) })
)

func numbers() *json.Unmarshalers {
	return json.UnmarshalFunc(func(data []byte, n *stdjson.Number) error { return stdjson.Unmarshal(data, n) })
}

// DecodeTime decodes a timestamp in any form of package isotime, and null.
func DecodeTime(data []byte, t *time.Time) error {
	if IsNull(data) {
		*t = time.Time{}
		return nil
	}
	if !IsString(data) {
		return isotime.ErrNoTime
	}
	parsed, err := isotime.Parse(Text(data))
	if err == nil {
		*t = parsed
	}
	return err
}

// decodePointer leaves a pointer nil if the value is of the wrong kind: zero
// would look like a value that the service sent.
func decodePointer(dec *jsontext.Decoder, v any) error {
	p := reflect.ValueOf(v).Elem()
	if p.Kind() != reflect.Pointer || dec.PeekKind() == 'n' || isInnerItem(dec) {
		return ErrSkip // decode it as usual
	}
	elem := p.Type().Elem()
	if elem.Kind() == reflect.Struct && !decodesItself(elem) {
		if dec.PeekKind() == '{' {
			return ErrSkip // each member for itself
		}
		p.SetZero()
		return errors.Join(ErrWrongKind, dec.SkipValue())
	}
	value := reflect.New(elem)
	err := json.UnmarshalDecode(dec, value.Interface())
	if err != nil && value.Elem().IsZero() && !isInPart(err) {
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

// decodesItself reports whether a type has a method for that.
func decodesItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[stdjson.Unmarshaler]()) ||
		p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) ||
		p.Implements(reflect.TypeFor[json.UnmarshalerFrom]())
}
