package serviceapi

import (
	"bytes"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
)

// Nullable is a body field that can be absent, null or a value. It is used
// where null has a meaning of its own. The zero Nullable is absent: the field
// is not sent. Make the others with [Value] and [Null].
type Nullable[T any] struct {
	value T
	state nullState
}

type nullState uint8

const (
	stateAbsent nullState = iota
	stateNull
	stateValue
)

// Value returns a Nullable that is sent as v.
func Value[T any](v T) Nullable[T] { return Nullable[T]{value: v, state: stateValue} }

// Null returns a Nullable that is sent as null.
func Null[T any]() Nullable[T] { return Nullable[T]{state: stateNull} }

// Get returns the value, and whether there is one: false for absent and null.
func (n Nullable[T]) Get() (T, bool) { return n.value, n.state == stateValue }

// IsNull reports whether the field is null.
func (n Nullable[T]) IsNull() bool { return n.state == stateNull }

// IsZero reports whether the field is absent.
func (n Nullable[T]) IsZero() bool { return n.state == stateAbsent }

// MarshalJSON encodes the value, or null.
func (n Nullable[T]) MarshalJSON() ([]byte, error) {
	if n.state != stateValue {
		return []byte("null"), nil
	}
	return json.Marshal(n.value)
}

// UnmarshalJSON decodes null or a value.
func (n *Nullable[T]) UnmarshalJSON(data []byte) error {
	if isNull(data) {
		*n = Null[T]()
		return nil
	}
	var v T
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	*n = Value(v)
	return nil
}

// Date is a calendar day. The service sends some dates as a day ("2026-03-31")
// in one place and as a timestamp in another; both decode, and a timestamp
// keeps its time of day. A Date is always sent as a day.
type Date struct {
	time.Time
}

const dateLayout = time.DateOnly

// NewDate returns the Date of a year, month and day, at midnight UTC.
func NewDate(year int, month time.Month, day int) Date {
	return Date{time.Date(year, month, day, 0, 0, 0, 0, time.UTC)}
}

// String returns the day as "2006-01-02".
func (d Date) String() string { return d.Format(dateLayout) }

// MarshalText encodes the day as "2006-01-02".
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// MarshalJSON encodes the day as "2006-01-02".
func (d Date) MarshalJSON() ([]byte, error) { return []byte(strconv.Quote(d.String())), nil }

// EncodeValues writes the day into a query as "2006-01-02".
func (d Date) EncodeValues(key string, v *url.Values) error {
	v.Set(key, d.String())
	return nil
}

// UnmarshalText decodes a day or an RFC 3339 timestamp.
func (d *Date) UnmarshalText(text []byte) error {
	s := string(text)
	t, err := time.Parse(dateLayout, s)
	if err != nil {
		t, err = time.Parse(time.RFC3339, s)
	}
	if err != nil {
		return fmt.Errorf("%q is neither a date nor a timestamp", excerpt(s, 40))
	}
	d.Time = t
	return nil
}

// UnmarshalJSON decodes a day, an RFC 3339 timestamp or null (which leaves the
// zero Date).
func (d *Date) UnmarshalJSON(data []byte) error {
	if isNull(data) {
		*d = Date{}
		return nil
	}
	var s string
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	return d.UnmarshalText([]byte(s))
}

// marshalString encodes a string as JSON.
func marshalString(s string) ([]byte, error) { return json.Marshal(s) }

func isNull(data []byte) bool { return string(bytes.TrimSpace(data)) == "null" }

// Secret is a credential in a request or response body, such as a token that a
// call returned. It never prints its text: fmt, slog and JSON show a
// placeholder, also where it is a field of another struct. Only the library
// itself writes the text, into the requests that need it. [Secret.Reveal]
// returns it.
type Secret struct {
	// Behind a pointer, so that fmt shows no more than an address even where
	// it may not call methods (the unexported field of somebody's struct).
	text *string
}

// NewSecret wraps a text.
func NewSecret(text string) Secret { return Secret{&text} }

const redacted = "[redacted]"

// Reveal returns the text.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// IsZero reports whether the text is empty.
func (s Secret) IsZero() bool { return s.Reveal() == "" }

// String returns a placeholder.
func (s Secret) String() string { return redacted }

// Format writes a placeholder, for every verb.
func (s Secret) Format(f fmt.State, _ rune) { fmt.Fprint(f, redacted) }

// MarshalText encodes a placeholder.
func (s Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// MarshalJSON encodes a placeholder.
func (s Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + redacted + `"`), nil }

// UnmarshalJSON decodes the text.
func (s *Secret) UnmarshalJSON(data []byte) error {
	if isNull(data) {
		*s = Secret{}
		return nil
	}
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return fmt.Errorf("not a text") // the cause would quote the secret
	}
	*s = NewSecret(text)
	return nil
}
