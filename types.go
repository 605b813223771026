package serviceapi

import (
	stdjson "encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"strconv"
	"time"

	"example.com/serviceapi/internal/isotime"
	"example.com/serviceapi/internal/jsonx"
	"example.com/serviceapi/internal/text"
	"github.com/go-json-experiment/json"
)

// Nullable is a body field that can be absent, null or a value. It is used where null has a
// meaning of its own. The zero Nullable is absent: the field is not sent. Make the other
// two with [Value] and [Null].
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

// nullable is implemented by every Nullable. The encoder of requests uses it to
// find a [Secret] in the value.
type nullable interface {
	content() any
	isCallers() bool
}

// settable is implemented by pointers to a Nullable.
type settable interface{ set(content any) }

// set makes n a value of its type, or null for nil.
func (n *Nullable[T]) set(content any) {
	if *n = Null[T](); content != nil {
		*n = Value(content.(T))
	}
}

// content returns the value, or nil.
func (n Nullable[T]) content() any {
	if n.state != stateValue {
		return nil
	}
	return n.value
}

// MarshalJSON encodes the value, or null.
func (n Nullable[T]) MarshalJSON() ([]byte, error) {
	if n.state != stateValue {
		return []byte("null"), nil
	}
	if n.isCallers() {
		return stdjson.Marshal(n.value)
	}
	return json.Marshal(n.value)
}

// UnmarshalJSON decodes null or a value.
func (n *Nullable[T]) UnmarshalJSON(data []byte) error {
	if jsonx.IsNull(data) {
		*n = Null[T]()
		return nil
	}
	var v T
	err := error(nil)
	if n.isCallers() {
		err = stdjson.Unmarshal(data, &v)
	} else {
		err = unmarshal(data, &v)
	}
	if err != nil {
		return err
	}
	*n = Value(v)
	return nil
}

// isCallers reports whether encoding/json encodes and decodes the value.
func (n Nullable[T]) isCallers() bool { return originOf(reflect.TypeFor[T]()) == ofCaller }

// dayOrEmpty returns a day for a field in which the service expects an empty string instead
// of null. It returns nil if the day is absent.
func dayOrEmpty(n Nullable[Date]) *string {
	switch day, ok := n.Get(); {
	case ok:
		return new(day.String())
	case n.IsNull():
		return new("")
	}
	return nil
}

// Date is a calendar day. The service sends some dates as a day ("2026-03-31")
// in one response and as a timestamp in another. Both can be decoded, and a
// timestamp keeps its time of day. A Date is always sent as a day.
type Date struct {
	time.Time
}

const dateLayout = time.DateOnly

// NewDate returns the Date of a year, month and day, at midnight UTC.
func NewDate(year int, month time.Month, day int) Date {
	return Date{time.Date(year, month, day, 0, 0, 0, 0, time.UTC)}
}

// DateOf returns the Date of a time, in the location of the time.
func DateOf(t time.Time) Date { return NewDate(t.Date()) }

// ParseDate returns the Date that is written as "2006-01-02", or an [*ArgumentError] for
// anything else, such as a timestamp, which [Date.UnmarshalText] accepts.
func ParseDate(s string) (Date, error) {
	t, err := time.Parse(dateLayout, s)
	if err != nil {
		problem := "is not a day such as 2026-03-31: " + text.Printable(s, 40)
		return Date{}, &ArgumentError{Argument: "date", Problem: problem}
	}
	return Date{t}, nil
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

// UnmarshalText, and with it [flag.TextVar], decodes a day or a timestamp, both as in ISO 8601;
// [ParseDate] accepts only a day. A timestamp without a zone is in UTC. Anything else is an
// [*ArgumentError].
func (d *Date) UnmarshalText(data []byte) error {
	t, ok := parseDay(data)
	if !ok && t.UnmarshalText(data) != nil { // RFC 3339
		var err error
		if t, err = isotime.Parse(string(data)); err != nil {
			problem := fmt.Sprintf("is neither a day nor a timestamp: %q", text.Excerpt(string(data), 40))
			return &ArgumentError{Argument: "date", Problem: problem}
		}
	}
	d.Time = t
	return nil
}

// UnmarshalJSON decodes a day, a timestamp or null (which leaves the zero
// Date).
func (d *Date) UnmarshalJSON(data []byte) error {
	if content, ok := jsonx.Plain(data); ok {
		return d.UnmarshalText(content)
	}
	if jsonx.IsNull(data) {
		*d = Date{}
		return nil
	}
	var s string
	if err := decodeString(data, &s); err != nil {
		return err
	}
	return d.UnmarshalText([]byte(s))
}

// DateOrTime is a [Date] that the service sends as a day in some responses and as a
// timestamp in others. It is encoded as it was received: as a timestamp if it has a time of
// day, and otherwise as a day. Options take its field Date.
type DateOrTime struct {
	Date
}

// String returns the day as "2006-01-02", or the timestamp as in RFC 3339.
func (d DateOrTime) String() string {
	if day, _ := parseDay([]byte(d.Date.String())); day.Equal(d.Time) {
		return d.Date.String()
	}
	return d.Format(time.RFC3339Nano)
}

// MarshalText encodes the day or the timestamp.
func (d DateOrTime) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// MarshalJSON encodes the day or the timestamp.
func (d DateOrTime) MarshalJSON() ([]byte, error) { return []byte(strconv.Quote(d.String())), nil }

// parseDay reads a day that is written as "2006-01-02".
func parseDay(text []byte) (day time.Time, ok bool) {
	if len(text) != len(dateLayout) || text[4] != '-' || text[7] != '-' {
		return time.Time{}, false
	}
	y, m, d := decimal(text[:4]), decimal(text[5:7]), decimal(text[8:])
	day = time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	return day, y >= 0 && day.Month() == time.Month(m) // time.Date turns February 30 into March 2
}

// decimal returns the value of a string of digits, -1 if it has any other
// character.
func decimal(digits []byte) int {
	n := 0
	for _, c := range digits {
		if c < '0' || c > '9' {
			return -1
		}
		n = 10*n + int(c-'0')
	}
	return n
}
