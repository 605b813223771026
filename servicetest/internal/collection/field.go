package collection

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"time"
	"unicode/utf8"

	"example.com/serviceapi/servicetest/internal/frame"
)

// A Field is a member of a record: how it is read from parameters, checked and shown.
// Text, Flag, Choice and so on make fields; their methods add rules.
type Field[T any] struct {
	name  string
	read  func(f frame.Fields, record *T) // nil if it cannot be set
	value func(record *T) any             // nil if it is not shown
	text  func(record *T) string          // only for fields that are strings

	number func(record *T) int64 // only for fields that are integers
	least  *int64

	required, present, once, hidden, omitted bool

	longest    int
	pattern    *regexp.Regexp
	mismatch   string
	taken      string
	sees, sets int
}

// Name returns the name of the member.
func (f Field[T]) Name() string { return f.name }

// Text is a string.
func Text[T any](name string, at func(*T) *string) Field[T] {
	return Field[T]{
		name:  name,
		read:  func(f frame.Fields, r *T) { *at(r) = f.String(name) },
		value: func(r *T) any { return *at(r) },
		text:  func(r *T) string { return *at(r) },
	}
}

// Note is a string that is null if it is empty.
func Note[T any](name string, at func(*T) *string) Field[T] {
	field := Text(name, at)
	field.value = func(r *T) any { return frame.JSONText(*at(r)) }
	return field
}

// Choice is a string with one of these values.
func Choice[T any](name string, at func(*T) *string, allowed ...string) Field[T] {
	field := Text(name, at)
	field.read = func(f frame.Fields, r *T) {
		if chosen := f.StringIn(name, allowed...); chosen != "" {
			*at(r) = chosen
		}
	}
	return field
}

// Choices is an array of strings, each with one of these values.
func Choices[T any](name string, at func(*T) *[]string, allowed ...string) Field[T] {
	return Field[T]{
		name:  name,
		read:  func(f frame.Fields, r *T) { *at(r) = f.StringsIn(name, allowed...) },
		value: func(r *T) any { return *at(r) },
	}
}

// Flag is a boolean.
func Flag[T any](name string, at func(*T) *bool) Field[T] {
	return Field[T]{
		name:  name,
		read:  func(f frame.Fields, r *T) { *at(r) = f.BoolOr(name, *at(r)) },
		value: func(r *T) any { return *at(r) },
	}
}

// Moment is a time.
func Moment[T any](name string, at func(*T) *time.Time) Field[T] {
	return Field[T]{
		name:  name,
		read:  func(f frame.Fields, r *T) { *at(r) = f.Time(name) },
		value: func(r *T) any { return frame.JSONTime(*at(r)) },
	}
}

// Day is a date.
func Day[T any](name string, at func(*T) *time.Time) Field[T] {
	field := Moment(name, at)
	field.value = func(r *T) any { return frame.JSONDate(*at(r)) }
	return field
}

// Number is an integer.
func Number[T any](name string, at func(*T) *int64) Field[T] {
	field := Value(name, frame.Fields.Int64, at)
	field.number = func(r *T) int64 { return *at(r) }
	return field
}

// Value is a member of another kind, which a getter reads.
func Value[T, V any](name string, get func(frame.Fields, string) V, at func(*T) *V) Field[T] {
	return Field[T]{
		name:  name,
		read:  func(f frame.Fields, r *T) { *at(r) = get(f, name) },
		value: func(r *T) any { return *at(r) },
	}
}

// Shown is a member that a function returns and callers cannot set.
func Shown[T, V any](name string, value func(*T) V) Field[T] {
	return Field[T]{name: name, value: func(r *T) any { return value(r) }}
}

// Required makes a field that a new record must have, and that cannot become empty.
func (f Field[T]) Required() Field[T] { f.required = true; return f }

// Present makes a field that a new record must have, even if it is empty.
func (f Field[T]) Present() Field[T] { f.present = true; return f }

// Once makes a field that only new records take.
func (f Field[T]) Once() Field[T] { f.once = true; return f }

// ReadOnly makes a field that callers cannot set.
func (f Field[T]) ReadOnly() Field[T] { f.read = nil; return f }

// Unseen makes a field that is not in responses.
func (f Field[T]) Unseen() Field[T] { f.hidden = true; return f }

// Omitted makes a field that is left out of responses if its value is nil.
func (f Field[T]) Omitted() Field[T] { f.omitted = true; return f }

// Max limits a string to a number of characters.
func (f Field[T]) Max(characters int) Field[T] { f.longest = characters; return f }

// Least limits an integer from below.
func (f Field[T]) Least(number int64) Field[T] { f.least = &number; return f }

// Match makes a string match a pattern. Otherwise, the refusal has the given message.
func (f Field[T]) Match(pattern *regexp.Regexp, otherwise string) Field[T] {
	f.pattern, f.mismatch = pattern, otherwise
	return f
}

// Unique makes a string unique among the records of the home.
func (f Field[T]) Unique() Field[T] { f.taken = "has already been taken"; return f }

// SeenBy sets the lowest role that sees a field.
func (f Field[T]) SeenBy(level int) Field[T] { f.sees = level; return f }

// SetBy sets the lowest role that sets a field. Values of other callers are ignored.
func (f Field[T]) SetBy(level int) Field[T] { f.sets = level; return f }

// take reads the field of a draft.
func (f Field[T]) take(given frame.Fields, draft *T, making bool) {
	switch {
	case f.required && (making || given.Has(f.name)):
		given.Require(f.name)
	case f.present && making && !given.Has(f.name):
		given.Problem(f.name + " is missing")
	}
	if given.Has(f.name) {
		f.read(given, draft)
	}
}

// problem says which rule a draft breaks, or returns "".
func (f Field[T]) problem(draft *T) string {
	if f.least != nil && f.number(draft) < *f.least {
		return "must be greater than or equal to " + frame.Itoa(*f.least)
	}
	if f.text == nil {
		return ""
	}
	text := f.text(draft)
	switch {
	case f.pattern != nil && !f.pattern.MatchString(text):
		return f.mismatch
	case f.longest > 0 && utf8.RuneCountInString(text) > f.longest:
		return "is too long (maximum is " + strconv.Itoa(f.longest) + " characters)"
	}
	return ""
}

// Show returns fields of a record, for responses that show a record within another
// one. It is nil, that is null, for no record.
func Show[T any](fields []Field[T], record *T) *Form {
	if record == nil {
		return nil
	}
	form := new(Form)
	for _, field := range fields {
		field.show(record, form)
	}
	return form
}

// show adds the field to a form.
func (f Field[T]) show(record *T, form *Form) {
	if f.value == nil || f.hidden {
		return
	}
	if value := f.value(record); value != nil || !f.omitted {
		form.Add(f.name, value)
	}
}

// A Form is a JSON object whose members keep their order.
type Form struct{ members []member }

type member struct {
	name  string
	value any
}

// NewForm makes a form of names and values, in this order:
//
//	collection.NewForm("id", 7, "name", "seven")
func NewForm(pairs ...any) *Form {
	form := new(Form)
	for i := 0; i+1 < len(pairs); i += 2 {
		form.members = append(form.members, member{fmt.Sprint(pairs[i]), pairs[i+1]})
	}
	return form
}

// Add adds a member, or replaces its value.
func (f *Form) Add(name string, value any) {
	for i := range f.members {
		if f.members[i].name == name {
			f.members[i].value = value
			return
		}
	}
	f.members = append(f.members, member{name, value})
}

// Join adds the members of another form.
func (f *Form) Join(other *Form) {
	for _, m := range other.members {
		f.Add(m.name, m.value)
	}
}

// MarshalJSON implements json.Marshaler.
func (f *Form) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, m := range f.members {
		if i > 0 {
			out.WriteByte(',')
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		out.WriteString(`"` + m.name + `":`)
		out.Write(value)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}
