package frame

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The names of the getters of Fields say what they return:
//
//   - String, Int64, Float64, Bool and Time return one value: the zero value if the
//     parameter is absent, null or empty.
//   - Strings and Int64s return all items of an array. SplitStrings also splits them at
//     commas, as Int64s does.
//   - OrNil returns a pointer, which is nil without a value: Int64OrNil. Or returns a
//     fallback without a value: BoolOr.
//   - In accepts only some values: StringIn, StringsIn, Int64In.
//   - Required notes a missing value: RequiredString.
//   - Sub and Subs return the Fields of an object and of an array of objects.
//   - Wanted returns the values that a Filter looks for: WantedID (filters.go).
//
// All of them note a value that cannot be read or is not accepted. What they return
// then does not matter, because Refusal refuses the call. Accept is for parameters that
// the service only checks. No getter is called just to drop its result.

// Fields reads parameters by name from the path, the query, a JSON body or a form. It
// notes missing and wrong ones; see Refusal.
type Fields struct {
	Values   map[string]any // string, json.Number, bool, nil, []any, map[string]any
	Problems *[]string

	inside string // name of the object that they are in, or "" for the call itself
}

// Named returns the full name of a parameter, such as position[base_sha].
func (f Fields) Named(name string) string {
	if f.inside == "" {
		return name
	}
	return f.inside + "[" + name + "]"
}

// Problem notes a reason to refuse the call.
func (f Fields) Problem(text string) {
	if !slices.Contains(*f.Problems, text) {
		*f.Problems = append(*f.Problems, text)
	}
}

// Invalid notes that the value of a parameter cannot be read.
func (f Fields) Invalid(name string) { f.Problem(f.Named(name) + " is invalid") }

// Refusal returns a 400 with the problems noted so far, or nil without problems.
func (f Fields) Refusal() *Reply {
	if len(*f.Problems) == 0 {
		return nil
	}
	return JSONReply(http.StatusBadRequest, Object{"error": strings.Join(*f.Problems, ", ")})
}

// Require notes parameters that are absent, null or empty.
func (f Fields) Require(names ...string) {
	for _, name := range names {
		if value := f.Values[name]; value == nil {
			f.Problem(f.Named(name) + " is missing")
		} else if value == "" {
			f.Problem(f.Named(name) + " is empty")
		}
	}
}

// RequireGiven notes parameters that are absent or null. They may be empty.
func (f Fields) RequireGiven(names ...string) {
	for _, name := range names {
		if !f.Given(name) {
			f.Problem(f.Named(name) + " is missing")
		}
	}
}

// Exclusive notes a problem if two parameters are used together.
func (f Fields) Exclusive(a, b string) {
	if f.Has(a) && f.Has(b) {
		f.Problem(f.Named(a) + ", " + f.Named(b) + " are mutually exclusive")
	}
}

// Accept checks parameters that the service does not use, or uses only later, with the
// getter of their kind.
//
//	frame.Accept(c.Bool, "statistics", "with_custom_attributes")
func Accept[T any](get func(name string) T, names ...string) {
	for _, name := range names {
		get(name)
	}
}

// AcceptIn is Accept for a getter that accepts only some values.
func AcceptIn[T any](get func(name string, allowed ...string) T, name string, allowed ...string) {
	get(name, allowed...)
}

// Has reports whether a parameter is present, even if it is null.
func (f Fields) Has(name string) bool {
	_, ok := f.Values[name]
	return ok
}

// Given reports whether a parameter is present and not null. It may be empty.
func (f Fields) Given(name string) bool { return f.Values[name] != nil }

// String returns a string parameter. Numbers and booleans are read as strings.
func (f Fields) String(name string) string {
	text, ok := scalar(f.Values[name])
	if !ok {
		f.Invalid(name)
	}
	return text
}

// RequiredString returns a string parameter that must be present and not empty.
func (f Fields) RequiredString(name string) string {
	f.Require(name)
	return f.String(name)
}

// StringIn returns a string parameter. Unless it is empty, it must have one of the
// given values.
func (f Fields) StringIn(name string, allowed ...string) string {
	text := f.String(name)
	if text != "" && !slices.Contains(allowed, text) {
		f.Problem(f.Named(name) + " does not have a valid value")
	}
	return text
}

// Strings returns an array of strings: name[]=a&name[]=b, a JSON array, or a
// single value.
func (f Fields) Strings(name string) []string {
	value := f.Values[name]
	items, ok := value.([]any)
	if !ok {
		if value == nil {
			return nil
		}
		items = []any{value}
	}
	texts := make([]string, 0, len(items))
	for _, item := range items {
		text, ok := scalar(item)
		if !ok {
			f.Invalid(name)
		}
		texts = append(texts, text)
	}
	return texts
}

// SplitStrings returns an array of strings, which may also be separated by commas.
func (f Fields) SplitStrings(name string) []string {
	var texts []string
	for _, part := range f.Strings(name) {
		for text := range strings.SplitSeq(part, ",") {
			if text = strings.TrimSpace(text); text != "" {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

// StringsIn is like StringIn, for each item of an array.
func (f Fields) StringsIn(name string, allowed ...string) []string {
	texts := f.Strings(name)
	for _, text := range texts {
		if !slices.Contains(allowed, text) {
			f.Problem(f.Named(name) + " does not have a valid value")
		}
	}
	return texts
}

// Int64 returns an integer parameter.
func (f Fields) Int64(name string) int64 {
	n, _ := parsed(f, name, parseInt64)
	return n
}

// Int64OrNil returns an integer parameter, or nil if it has no value.
func (f Fields) Int64OrNil(name string) *int64 {
	if n, ok := parsed(f, name, parseInt64); ok {
		return &n
	}
	return nil
}

// Int64In returns an integer parameter. Unless it is empty, it must be written as one
// of the given values.
func (f Fields) Int64In(name string, allowed ...string) int64 {
	if f.StringIn(name, allowed...) == "" {
		return 0
	}
	return f.Int64(name)
}

// Int64s returns an array of integers, which may also be separated by commas.
func (f Fields) Int64s(name string) []int64 {
	var numbers []int64
	for _, text := range f.SplitStrings(name) {
		n, err := parseInt64(text)
		if err != nil {
			f.Invalid(name)
			return nil
		}
		numbers = append(numbers, n)
	}
	return numbers
}

// Float64 returns a parameter that is a number.
func (f Fields) Float64(name string) float64 {
	n, _ := parsed(f, name, parseFloat64)
	return n
}

// Float64OrNil returns a parameter that is a number, or nil if it has no value.
func (f Fields) Float64OrNil(name string) *float64 {
	if n, ok := parsed(f, name, parseFloat64); ok {
		return &n
	}
	return nil
}

// Bool returns a boolean parameter.
func (f Fields) Bool(name string) bool { return f.BoolOr(name, false) }

// BoolOr returns a boolean parameter, or a fallback if it has no value.
func (f Fields) BoolOr(name string, fallback bool) bool {
	if is, ok := parsed(f, name, parseBool); ok {
		return is
	}
	return fallback
}

// Time returns a parameter that is a timestamp or a date, in UTC.
func (f Fields) Time(name string) time.Time {
	at, _ := parsed(f, name, parseTime)
	return at
}

// Sub returns the members of a parameter that is an object, such as upload[url].
func (f Fields) Sub(name string) Fields {
	members, ok := f.Values[name].(map[string]any)
	if !ok && f.Given(name) {
		f.Invalid(name)
	}
	return Fields{members, f.Problems, f.Named(name)}
}

// Subs returns the items of a parameter that is an array of objects.
func (f Fields) Subs(name string) []Fields {
	items, ok := f.Values[name].([]any)
	if !ok && f.Given(name) {
		f.Invalid(name)
	}
	all := make([]Fields, 0, len(items))
	for i, item := range items {
		members, ok := item.(map[string]any)
		if !ok {
			f.Invalid(name)
		}
		all = append(all, Fields{members, f.Problems, fmt.Sprintf("%s[%d]", f.Named(name), i)})
	}
	return all
}

// parsed returns the value of a parameter, and whether it has a readable one.
func parsed[T any](f Fields, name string, parse func(text string) (T, error)) (value T, ok bool) {
	text := f.String(name)
	if text == "" {
		return value, false
	}
	value, err := parse(text)
	if err != nil {
		f.Invalid(name)
		return *new(T), false
	}
	return value, true
}

func parseInt64(text string) (int64, error) { return strconv.ParseInt(text, 10, 64) }

func parseFloat64(text string) (float64, error) { return strconv.ParseFloat(text, 64) }

func parseBool(text string) (bool, error) {
	switch strings.ToLower(text) {
	case "true", "1", "t", "yes", "on":
		return true, nil
	case "false", "0", "f", "no", "off":
		return false, nil
	}
	return false, errors.New("not a boolean")
}

func parseTime(text string) (at time.Time, err error) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", time.DateOnly} {
		if at, err = time.Parse(layout, text); err == nil {
			return at.UTC(), nil
		}
	}
	return time.Time{}, err
}

// scalar returns a single value as a string. Null and absent values are "".
func scalar(value any) (string, bool) {
	switch value := value.(type) {
	case nil:
		return "", true
	case string:
		return value, true
	case json.Number:
		return value.String(), true
	case bool:
		return strconv.FormatBool(value), true
	}
	return "", false
}
