package serviceapi

import (
	"bytes"
	"crypto/subtle"
	"encoding"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sync"

	"example.com/serviceapi/internal/jsonx"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Secret is a credential in a request or response body, such as a token that a
// call returned. It never prints its value: fmt, slog and JSON show a
// placeholder, even if it is a field of another struct. Only the library itself
// writes the value, into the requests that need it. [NewSecret] makes a Secret,
// and [Secret.Reveal] returns its value.
//
// To store a Secret, or an object with one, store what Reveal returns: JSON has
// only the placeholder. A request that would send the placeholder, because a
// Secret was read back from such JSON or a type encodes it with its own
// MarshalJSON method, is an [*ArgumentError].
//
// Secrets, and structs that contain one, cannot be compared with ==, nor be keys
// of a map. Use [Secret.Equal] or reflect.DeepEqual.
type Secret struct {
	// Two secrets with the same value have different pointers: == must not compile.
	_ [0]func()
	// With a pointer, fmt shows only an address even if it cannot call methods (in
	// an unexported field of another struct).
	text *string
}

// NewSecret returns a Secret that holds a string.
func NewSecret(text string) Secret {
	if text == "" {
		return Secret{}
	}
	return Secret{text: &text}
}

// Reveal returns the string.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// IsEmpty reports whether the string is empty. It is not called IsZero, because
// omitzero would then leave out a pointer to an empty Secret, which clears a
// field.
func (s Secret) IsEmpty() bool { return s.Reveal() == "" }

// Equal reports whether both have the same value, in constant time.
func (s Secret) Equal(other Secret) bool {
	return subtle.ConstantTimeCompare([]byte(s.Reveal()), []byte(other.Reveal())) == 1
}

// String returns a placeholder.
func (s Secret) String() string { return redacted }

// Format writes a placeholder, for every verb.
func (s Secret) Format(f fmt.State, _ rune) { fmt.Fprint(f, redacted) }

// MarshalText encodes a placeholder.
func (s Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// MarshalJSON encodes a placeholder.
func (s Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + redacted + `"`), nil }

// UnmarshalJSON decodes a string, or null as the zero Secret.
func (s *Secret) UnmarshalJSON(data []byte) error {
	if jsonx.IsNull(data) {
		*s = Secret{}
		return nil
	}
	var text string
	if err := decodeString(data, &text); err != nil {
		return errors.New("not a string") // the cause would quote the secret
	}
	*s = NewSecret(text)
	return nil
}

// revealing encodes the real value of types whose methods would encode a
// placeholder: a [Secret], and the content of a [Nullable].
var revealing = json.JoinMarshalers(
	json.MarshalFunc(func(s Secret) ([]byte, error) {
		if s.Reveal() == redacted {
			return nil, errReadBack
		}
		return json.Marshal(s.Reveal())
	}),
	json.MarshalToFunc(func(enc *jsontext.Encoder, n nullable) error {
		rules := json.DefaultOptionsV2()
		if n.isCallers() {
			rules = callersRules
		}
		return json.MarshalEncode(enc, n.content(), rules)
	}),
	json.MarshalFunc(func(n stdjson.Number) ([]byte, error) { return stdjson.Marshal(n) }),
)

// encodeJSON is the only place where the value of a [Secret] is encoded. It
// reports whether there was one. Most bodies have none: they are encoded once,
// without a placeholder in the result, which is faster than to look for secrets
// in each value.
func encodeJSON(value any, callers bool) (data []byte, revealed bool, err error) {
	data, err = marshal(value, callers)
	if err == nil && !bytes.Contains(data, []byte(redacted)) {
		return data, false, nil
	}
	data, err = marshalRevealing(value, callers, revealing)
	if err == nil && bytes.Contains(data, []byte(redacted)) {
		err = checkPlaceholders(value, callers)
	}
	return data, true, err
}

var errReadBack = errors.New("a Secret is the placeholder that another one was encoded as; store what Secret.Reveal returns")

var errPlaceholder = errors.New("it encodes a Secret with its own method, which results in a placeholder; encode what Secret.Reveal returns")

// checkPlaceholders returns an error if a method of one of the caller's types
// wrote a placeholder. A placeholder in a plain string is what the caller wants
// to send.
func checkPlaceholders(value any, callers bool) error {
	_, err := marshalRevealing(value, callers, json.JoinMarshalers(revealing,
		checked[json.MarshalerTo](callers), checked[json.Marshaler](callers),
		checked[encoding.TextAppender](callers), checked[encoding.TextMarshaler](callers)))
	if errors.Is(err, errPlaceholder) {
		return err
	}
	return nil
}

// checked encodes types that implement T with their own methods, and refuses a
// placeholder in the result.
func checked[T any](callers bool) *json.Marshalers {
	return json.MarshalFunc(func(v T) ([]byte, error) {
		data, err := marshalRevealing(v, callers, revealing)
		if canHoldSecret(reflect.TypeOf(v)) && bytes.Contains(data, []byte(redacted)) {
			return nil, errPlaceholder
		}
		return data, err
	})
}

// canHoldSecret reports whether a value of a type may contain a Secret.
// Strings, json.RawMessage and our own types with methods do not.
func canHoldSecret(t reflect.Type) bool {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String:
		return false
	case reflect.Slice:
		return t.Elem().Kind() != reflect.Uint8
	}
	return t.PkgPath() != reflect.TypeFor[Secret]().PkgPath()
}

// bodyTypes remembers what a client has found out about the types of bodies.
type bodyTypes struct {
	known sync.Map // of bodyType, by reflect.Type
}

// bodyType is what must be known about a type to encode its values.
type bodyType struct {
	// reveals is set if a value may write out a [Secret] itself, so that no
	// placeholder shows that there was one.
	reveals bool
	// callers is set if it follows the rules of encoding/json, because it is a
	// caller's or may hold values of a caller's type.
	callers bool
}

// of returns what is known about the type of a value.
func (b *bodyTypes) of(value any) bodyType {
	t := reflect.TypeOf(value)
	if t == nil {
		return bodyType{}
	}
	if known, ok := b.known.Load(t); ok {
		return known.(bodyType)
	}
	found := bodyType{reveals: make(revealingTypes).has(t, false), callers: isCallers(t) || holdsAnything(t)}
	b.known.Store(t, found)
	return found
}

// revealingTypes are the types that were examined, alone and inside a type of
// another package.
type revealingTypes map[revealingType]bool

type revealingType struct {
	reflect.Type
	foreign bool
}

// has reports whether a value of the type may write out a Secret: one inside a
// type of another package, whose methods are not known. What an interface or a
// function holds is not known at all.
func (seen revealingTypes) has(t reflect.Type, foreign bool) bool {
	own := reflect.TypeFor[Secret]()
	if t == own {
		return foreign
	}
	foreign = foreign || t.PkgPath() != "" && t.PkgPath() != own.PkgPath()
	key := revealingType{t, foreign}
	if seen[key] {
		return false
	}
	seen[key] = true
	switch t.Kind() {
	case reflect.Interface, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return true
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return seen.has(t.Elem(), foreign)
	case reflect.Map:
		return seen.has(t.Key(), foreign) || seen.has(t.Elem(), foreign)
	case reflect.Struct:
		for field := range t.Fields() {
			if !foreign && field.Tag.Get("json") == "-" {
				continue // not part of the JSON
			}
			if seen.has(field.Type, foreign) {
				return true
			}
		}
	}
	return false
}
