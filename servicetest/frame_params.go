package servicetest

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
)

// fields reads parameters by name, whether they are in the path, the query, a
// JSON body or a form. It notes what is missing or wrong; see refusal.
type fields struct {
	values   map[string]any // string, json.Number, bool, nil, []any, map[string]any
	problems *[]string
}

func (f fields) problem(text string) {
	if !slices.Contains(*f.problems, text) {
		*f.problems = append(*f.problems, text)
	}
}

// has reports whether a parameter was given, even as null.
func (f fields) has(name string) bool {
	_, ok := f.values[name]
	return ok
}

// null reports whether a parameter was given as null.
func (f fields) null(name string) bool {
	value, ok := f.values[name]
	return ok && value == nil
}

// str returns a string parameter, or "" if it is absent or null.
func (f fields) str(name string) string {
	text, ok := scalar(f.values[name])
	if !ok {
		f.problem(name + " is invalid")
	}
	return text
}

// required returns a string parameter that must be present and not empty.
func (f fields) required(name string) string {
	f.require(name)
	return f.str(name)
}

// require notes which parameters are absent, null or empty.
func (f fields) require(names ...string) {
	for _, name := range names {
		if value := f.values[name]; value == nil {
			f.problem(name + " is missing")
		} else if value == "" {
			f.problem(name + " is empty")
		}
	}
}

// int64 returns an integer parameter, or 0 if it is absent, null or empty.
func (f fields) int64(name string) int64 {
	text := f.str(name)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		f.problem(name + " is invalid")
	}
	return n
}

// float returns a number, or 0 if it is absent, null or empty.
func (f fields) float(name string) float64 {
	text := f.str(name)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		f.problem(name + " is invalid")
	}
	return n
}

// number64 returns an integer parameter, or nil if it is absent, null or empty.
func (f fields) number64(name string) *int64 {
	if f.str(name) == "" {
		return nil
	}
	return new(f.int64(name))
}

// fraction is like number64, for numbers that need not be integers.
func (f fields) fraction(name string) *float64 {
	text := f.str(name)
	if text == "" {
		return nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		f.problem(name + " is invalid")
	}
	return &n
}

// bool returns a boolean parameter, fallback if it is absent, null or empty.
func (f fields) bool(name string, fallback bool) bool {
	switch strings.ToLower(f.str(name)) {
	case "":
		return fallback
	case "true", "1", "t", "yes", "on":
		return true
	case "false", "0", "f", "no", "off":
		return false
	}
	f.problem(name + " is invalid")
	return fallback
}

// time returns a timestamp or date parameter, the zero time if it is absent.
func (f fields) time(name string) time.Time {
	text := f.str(name)
	if text == "" {
		return time.Time{}
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UTC()
		}
	}
	f.problem(name + " is invalid")
	return time.Time{}
}

// strs returns an array of strings: name[]=a&name[]=b, a JSON array, or a
// single value.
func (f fields) strs(name string) []string {
	value := f.values[name]
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
			f.problem(name + " is invalid")
		}
		texts = append(texts, text)
	}
	return texts
}

// list returns an array of strings, which may also be separated by commas.
func (f fields) list(name string) []string {
	var texts []string
	for _, part := range f.strs(name) {
		for text := range strings.SplitSeq(part, ",") {
			if text = strings.TrimSpace(text); text != "" {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

// int64s returns an array of integers, which may also be separated by commas.
func (f fields) int64s(name string) []int64 {
	var numbers []int64
	for _, text := range f.list(name) {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			f.problem(name + " is invalid")
			return nil
		}
		numbers = append(numbers, n)
	}
	return numbers
}

// oneOf returns a string parameter that must have one of the given values, or
// "" if it is absent.
func (f fields) oneOf(name string, allowed ...string) string {
	text := f.str(name)
	if text != "" && !slices.Contains(allowed, text) {
		f.problem(name + " does not have a valid value")
	}
	return text
}

// manyOf is like oneOf, for each item of an array.
func (f fields) manyOf(name string, allowed ...string) []string {
	texts := f.strs(name)
	for _, text := range texts {
		if !slices.Contains(allowed, text) {
			f.problem(name + " does not have a valid value")
		}
	}
	return texts
}

// sub returns the members of a parameter that is an object, such as
// upload[url].
func (f fields) sub(name string) fields {
	members, ok := f.values[name].(map[string]any)
	if !ok && f.values[name] != nil {
		f.problem(name + " is invalid")
	}
	return fields{members, f.problems}
}

// subs returns the items of a parameter that is an array of objects.
func (f fields) subs(name string) []fields {
	items, ok := f.values[name].([]any)
	if !ok && f.values[name] != nil {
		f.problem(name + " is invalid")
	}
	all := make([]fields, 0, len(items))
	for _, item := range items {
		members, ok := item.(map[string]any)
		if !ok {
			f.problem(name + " is invalid")
		}
		all = append(all, fields{members, f.problems})
	}
	return all
}

// refusal returns a 400 for the problems that the getters noted, or nil if
// there are none.
func (f fields) refusal() *reply {
	if len(*f.problems) == 0 {
		return nil
	}
	return jsonReply(400, object{"error": strings.Join(*f.problems, ", ")})
}

// exclusive reports parameters that must not be used together.
func (f fields) exclusive(a, b string) {
	if f.has(a) && f.has(b) {
		f.problem(a + ", " + b + " are mutually exclusive")
	}
}

// word returns a parameter as a list with one item, or an empty list if it is
// absent.
func (f fields) word(name string) []string {
	if text := f.str(name); text != "" {
		return []string{text}
	}
	return nil
}

// folded is like word, for names that are not case-sensitive.
func (f fields) folded(name string) []string {
	words := f.word(name)
	for i := range words {
		words[i] = strings.ToLower(words[i])
	}
	return words
}

// ID is word for an ID, or for None and Any.
func (f fields) id(name string) []string { return f.ids(name, f.word(name)) }

// number is like word, for an ID that cannot be None or Any.
func (f fields) number(name string) []string {
	f.int64(name)
	return f.word(name)
}

func (f fields) ids(name string, words []string) []string {
	single := len(words) == 1 && (strings.EqualFold(words[0], "none") || strings.EqualFold(words[0], "any"))
	for _, word := range words {
		if _, err := strconv.ParseInt(word, 10, 64); err != nil && !single {
			f.problem(name + " is invalid")
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
