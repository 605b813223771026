package serviceapi

import (
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"reflect"

	"example.com/serviceapi/internal/jsonx"
	"example.com/serviceapi/internal/redact"
)

const redacted = redact.Placeholder

// Secret is a credential in a request or response body, such as a token that a
// call returned. It never prints its value: fmt, slog and JSON show a
// placeholder, even if it is a field of another struct. Only the library itself
// writes the value, into the requests that need it. [NewSecret] makes a Secret,
// and [Secret.Reveal] returns its value.
//
// To store a Secret, or an object with one, store what Reveal returns: JSON has only the
// placeholder. A request that would send the placeholder, because a Secret was read back
// from such JSON or a type encodes one of its exported fields with its own MarshalJSON
// method, fails with an [*ArgumentError].
//
// Secrets, and structs that contain one, cannot be compared with ==, and cannot be keys of
// a map. Use [Secret.Equal] or reflect.DeepEqual.
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

// MarshalText encodes a placeholder, and an empty Secret as nothing.
func (s Secret) MarshalText() ([]byte, error) {
	if s.IsEmpty() {
		return []byte{}, nil
	}
	return []byte(redacted), nil
}

// MarshalJSON encodes a placeholder, and an empty Secret as an empty string, so that it is
// still empty when it is decoded.
func (s Secret) MarshalJSON() ([]byte, error) {
	if s.IsEmpty() {
		return []byte(`""`), nil
	}
	return []byte(`"` + redacted + `"`), nil
}

// UnmarshalText takes the text, so that a Secret can be a flag, or a field of settings in YAML.
func (s *Secret) UnmarshalText(data []byte) error {
	*s = NewSecret(string(data))
	return nil
}

// UnmarshalJSON decodes a string, or null as the zero Secret.
func (s *Secret) UnmarshalJSON(data []byte) error {
	if jsonx.IsNull(data) {
		*s = Secret{}
		return nil
	}
	var text string
	if err := decodeString(data, &text); err != nil {
		return errors.New("serviceapi: a secret is not a string") // the cause would quote the secret
	}
	*s = NewSecret(text)
	return nil
}

// secretsIn appends the secrets in the value that a body was made from.
func secretsIn(found []string, v reflect.Value, depth int) []string {
	if depth > maxSecretDepth {
		return found
	}
	if v.IsValid() && v.CanInterface() {
		switch x := v.Interface().(type) {
		case Secret:
			if x.IsEmpty() {
				return found
			}
			return append(found, x.Reveal())
		case nullable:
			return secretsIn(found, reflect.ValueOf(x.content()), depth+1)
		case io.Reader:
			return found // the content of an upload, which others may be reading
		}
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return secretsIn(found, v.Elem(), depth+1)
	case reflect.Struct:
		for i := range v.NumField() {
			// JSON has the fields of an embedded struct even if its type is not
			// exported.
			if f := v.Type().Field(i); f.IsExported() || f.Anonymous {
				found = secretsIn(found, v.Field(i), depth+1)
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			found = secretsIn(found, v.Index(i), depth+1)
		}
	case reflect.Map:
		for iter := v.MapRange(); iter.Next(); {
			found = secretsIn(secretsIn(found, iter.Key(), depth+1), iter.Value(), depth+1)
		}
	}
	return found
}

// maxSecretDepth limits the walk of a value that contains itself.
const maxSecretDepth = 16
