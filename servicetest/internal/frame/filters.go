package frame

import (
	"slices"
	"strings"
	"time"
)

// A Filter is the conditions that a record must meet to be listed.
type Filter[T any] []func(T) bool

// Add adds a condition.
func (f *Filter[T]) Add(keep func(T) bool) { *f = append(*f, keep) }

// Apply returns the records that meet all conditions, or nil if there are none.
func (f Filter[T]) Apply(records []T) []T {
	var kept []T
	for _, record := range records {
		if !slices.ContainsFunc(f, func(keep func(T) bool) bool { return !keep(record) }) {
			kept = append(kept, record)
		}
	}
	return kept
}

// Has keeps the records that have all of the given values. The single value none or any
// keeps records without values or with any. A facet returns the values of a record, as
// strings.
func (f *Filter[T]) Has(facet func(T) []string, wanted []string) {
	if len(wanted) == 0 {
		return
	}
	word := ""
	if len(wanted) == 1 {
		word = strings.ToLower(wanted[0])
	}
	f.Add(func(record T) bool {
		values := facet(record)
		switch word {
		case "none":
			return len(values) == 0
		case "any":
			return len(values) > 0
		}
		return !slices.ContainsFunc(wanted, func(value string) bool { return !slices.Contains(values, value) })
	})
}

// Lacks leaves out the records that have any of the given values.
func (f *Filter[T]) Lacks(facet func(T) []string, unwanted []string) {
	if len(unwanted) == 0 {
		return
	}
	f.Add(func(record T) bool {
		values := facet(record)
		return !slices.ContainsFunc(unwanted, func(value string) bool { return slices.Contains(values, value) })
	})
}

// Within keeps the records whose time is between two parameters.
func (f *Filter[T]) Within(after, before time.Time, at func(T) time.Time) {
	if !after.IsZero() {
		f.Add(func(record T) bool { return !at(record).Before(after) })
	}
	if !before.IsZero() {
		f.Add(func(record T) bool { return !at(record).After(before) })
	}
}

// WantedString returns the value of a parameter as a list with one item for Filter.Has
// and Filter.Lacks, or an empty list if there is none.
func (f Fields) WantedString(name string) []string {
	if text := f.String(name); text != "" {
		return []string{text}
	}
	return nil
}

// WantedFold is like WantedString, in lower case, for names that are not case-sensitive.
func (f Fields) WantedFold(name string) []string {
	words := f.WantedString(name)
	for i := range words {
		words[i] = strings.ToLower(words[i])
	}
	return words
}

// WantedID is like WantedString, for an ID.
func (f Fields) WantedID(name string) []string { return f.ids(name, f.WantedString(name)) }

// WantedIDOrWord is like WantedString, for an ID, None or Any.
func (f Fields) WantedIDOrWord(name string) []string { return f.idsOrWord(name, f.WantedString(name)) }

// WantedIDsOrWord returns an array of IDs, None or Any.
func (f Fields) WantedIDsOrWord(name string) []string { return f.idsOrWord(name, f.SplitStrings(name)) }

// idsOrWord is like ids, but also lets a single None or Any pass.
func (f Fields) idsOrWord(name string, words []string) []string {
	if len(words) == 1 && (strings.EqualFold(words[0], "none") || strings.EqualFold(words[0], "any")) {
		return words
	}
	return f.ids(name, words)
}

// ids returns the words, and notes any that is not an ID.
func (f Fields) ids(name string, words []string) []string {
	for _, word := range words {
		if _, err := parseInt64(word); err != nil {
			f.Invalid(name)
		}
	}
	return words
}

// ContainsFold reports whether a string contains another, ignoring case.
func ContainsFold(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}
