package frame

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Fields reads parameters by name, whether they are in the path, the query, a
// JSON body or a form. It notes what is missing or wrong; see Refusal.
type Fields struct {
	Values   map[string]any // string, json.Number, bool, nil, []any, map[string]any
	Problems *[]string

	inside string // the name of the object that they are in, "" for the call itself
}

// named returns the full name of a parameter, such as position[base_sha].
func (f Fields) named(name string) string {
	if f.inside == "" {
		return name
	}
	return f.inside + "[" + name + "]"
}

func (f Fields) Problem(text string) {
	if !slices.Contains(*f.Problems, text) {
		*f.Problems = append(*f.Problems, text)
	}
}

// Invalid notes that the value of a parameter cannot be read.
func (f Fields) Invalid(name string) { f.Problem(f.named(name) + " is invalid") }

// Has reports whether a parameter was given, even as null.
func (f Fields) Has(name string) bool {
	_, ok := f.Values[name]
	return ok
}

// Null reports whether a parameter was given as null.
func (f Fields) Null(name string) bool {
	value, ok := f.Values[name]
	return ok && value == nil
}

// Str returns a string parameter, or "" if it is absent or null.
func (f Fields) Str(name string) string {
	text, ok := scalar(f.Values[name])
	if !ok {
		f.Invalid(name)
	}
	return text
}

// Required returns a string parameter that must be present and not empty.
func (f Fields) Required(name string) string {
	f.Require(name)
	return f.Str(name)
}

// Require notes which parameters are absent, null or empty.
func (f Fields) Require(names ...string) {
	for _, name := range names {
		if value := f.Values[name]; value == nil {
			f.Problem(f.named(name) + " is missing")
		} else if value == "" {
			f.Problem(f.named(name) + " is empty")
		}
	}
}

// RequireGiven notes which parameters are absent or null. They may be empty.
func (f Fields) RequireGiven(names ...string) {
	for _, name := range names {
		if f.Values[name] == nil {
			f.Problem(f.named(name) + " is missing")
		}
	}
}

// Int64 returns an integer parameter, or 0 if it is absent, null or empty.
func (f Fields) Int64(name string) int64 {
	text := f.Str(name)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		f.Invalid(name)
	}
	return n
}

// Float returns a number, or 0 if it is absent, null or empty.
func (f Fields) Float(name string) float64 {
	text := f.Str(name)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		f.Invalid(name)
	}
	return n
}

// Number64 returns an integer parameter, or nil if it is absent, null or empty.
func (f Fields) Number64(name string) *int64 {
	if f.Str(name) == "" {
		return nil
	}
	return new(f.Int64(name))
}

// Fraction is like Number64, for numbers that need not be integers.
func (f Fields) Fraction(name string) *float64 {
	text := f.Str(name)
	if text == "" {
		return nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		f.Invalid(name)
	}
	return &n
}

// Bool returns a boolean parameter, fallback if it is absent, null or empty.
func (f Fields) Bool(name string, fallback bool) bool {
	switch strings.ToLower(f.Str(name)) {
	case "":
		return fallback
	case "true", "1", "t", "yes", "on":
		return true
	case "false", "0", "f", "no", "off":
		return false
	}
	f.Invalid(name)
	return fallback
}

// Time returns a timestamp or date parameter, the zero time if it is absent.
func (f Fields) Time(name string) time.Time {
	text := f.Str(name)
	if text == "" {
		return time.Time{}
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UTC()
		}
	}
	f.Invalid(name)
	return time.Time{}
}

// Strs returns an array of strings: name[]=a&name[]=b, a JSON array, or a
// single value.
func (f Fields) Strs(name string) []string {
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

// List returns an array of strings, which may also be separated by commas.
func (f Fields) List(name string) []string {
	var texts []string
	for _, part := range f.Strs(name) {
		for text := range strings.SplitSeq(part, ",") {
			if text = strings.TrimSpace(text); text != "" {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

// Int64s returns an array of integers, which may also be separated by commas.
func (f Fields) Int64s(name string) []int64 {
	var numbers []int64
	for _, text := range f.List(name) {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			f.Invalid(name)
			return nil
		}
		numbers = append(numbers, n)
	}
	return numbers
}

// OneOf returns a string parameter that must have one of the given values, or
// "" if it is absent.
func (f Fields) OneOf(name string, allowed ...string) string {
	text := f.Str(name)
	if text != "" && !slices.Contains(allowed, text) {
		f.Problem(f.named(name) + " does not have a valid value")
	}
	return text
}

// ManyOf is like OneOf, for each item of an array.
func (f Fields) ManyOf(name string, allowed ...string) []string {
	texts := f.Strs(name)
	for _, text := range texts {
		if !slices.Contains(allowed, text) {
			f.Problem(f.named(name) + " does not have a valid value")
		}
	}
	return texts
}

// Sub returns the members of a parameter that is an object, such as
// upload[url].
func (f Fields) Sub(name string) Fields {
	members, ok := f.Values[name].(map[string]any)
	if !ok && f.Values[name] != nil {
		f.Invalid(name)
	}
	return Fields{members, f.Problems, f.named(name)}
}

// Subs returns the items of a parameter that is an array of objects.
func (f Fields) Subs(name string) []Fields {
	items, ok := f.Values[name].([]any)
	if !ok && f.Values[name] != nil {
		f.Invalid(name)
	}
	all := make([]Fields, 0, len(items))
	for i, item := range items {
		members, ok := item.(map[string]any)
		if !ok {
			f.Invalid(name)
		}
		all = append(all, Fields{members, f.Problems, fmt.Sprintf("%s[%d]", f.named(name), i)})
	}
	return all
}

// Refusal returns a 400 for the problems that the getters noted, or nil if
// there are none.
func (f Fields) Refusal() *Reply {
	if len(*f.Problems) == 0 {
		return nil
	}
	return JSONReply(400, Object{"error": strings.Join(*f.Problems, ", ")})
}

// Exclusive reports parameters that must not be used together.
func (f Fields) Exclusive(a, b string) {
	if f.Has(a) && f.Has(b) {
		f.Problem(f.named(a) + ", " + f.named(b) + " are mutually exclusive")
	}
}

// Word returns a parameter as a list with one item, or an empty list if it is
// absent.
func (f Fields) Word(name string) []string {
	if text := f.Str(name); text != "" {
		return []string{text}
	}
	return nil
}

// Folded is like Word, for names that are not case-sensitive.
func (f Fields) Folded(name string) []string {
	words := f.Word(name)
	for i := range words {
		words[i] = strings.ToLower(words[i])
	}
	return words
}

// ID is like Word, for an ID, or for None and Any.
func (f Fields) ID(name string) []string { return f.IDs(name, f.Word(name)) }

// Number is like Word, for an ID that cannot be None or Any.
func (f Fields) Number(name string) []string {
	f.Int64(name)
	return f.Word(name)
}

func (f Fields) IDs(name string, words []string) []string {
	single := len(words) == 1 && (strings.EqualFold(words[0], "none") || strings.EqualFold(words[0], "any"))
	for _, word := range words {
		if _, err := strconv.ParseInt(word, 10, 64); err != nil && !single {
			f.Invalid(name)
		}
	}
	return words
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
