package frame

import (
	"slices"
	"strings"
	"time"
)

// A Filter is the conditions that a record must meet to be listed.
type Filter[T any] []func(T) bool

func (f *Filter[T]) Add(keep func(T) bool) { *f = append(*f, keep) }

func (f Filter[T]) Apply(records []T) []T {
	var kept []T
	for _, record := range records {
		if !slices.ContainsFunc(f, func(keep func(T) bool) bool { return !keep(record) }) {
			kept = append(kept, record)
		}
	}
	return kept
}

// Has keeps the records that have all of the given values, or none or any value
// if that is the word. A facet is a property of which records have zero, one or
// several values, as strings.
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

// Lacks leaves out the records that have one of the given values.
func (f *Filter[T]) Lacks(facet func(T) []string, unwanted []string) {
	if len(unwanted) == 0 {
		return
	}
	f.Add(func(record T) bool {
		values := facet(record)
		return !slices.ContainsFunc(unwanted, func(value string) bool { return slices.Contains(values, value) })
	})
}

// Within keeps the records whose time is in the span that two parameters give.
func (f *Filter[T]) Within(after, before time.Time, at func(T) time.Time) {
	if !after.IsZero() {
		f.Add(func(record T) bool { return !at(record).Before(after) })
	}
	if !before.IsZero() {
		f.Add(func(record T) bool { return !at(record).After(before) })
	}
}

// ContainsFold reports whether a string contains another, ignoring case.
func ContainsFold(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}
