package collection

import (
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// A Filter reads a parameter of a list. It returns the condition that the records must
// meet, or nil if there is none.
type Filter[T any] func(f frame.Fields) func(*T) bool

// Search keeps the records that have the parameter's value in one of these strings,
// ignoring case.
func Search[T any](param string, texts ...func(*T) string) Filter[T] {
	return func(f frame.Fields) func(*T) bool {
		wanted := f.String(param)
		if wanted == "" {
			return nil
		}
		return func(r *T) bool {
			contains := func(text func(*T) string) bool { return frame.ContainsFold(text(r), wanted) }
			return slices.ContainsFunc(texts, contains)
		}
	}
}

// Equal keeps the records with the parameter's value. If values are given, it must be
// one of them.
func Equal[T any](param string, value func(*T) string, values ...string) Filter[T] {
	return func(f frame.Fields) func(*T) bool {
		wanted := f.String(param)
		if len(values) > 0 {
			wanted = f.StringIn(param, values...)
		}
		if wanted == "" {
			return nil
		}
		return func(r *T) bool { return value(r) == wanted }
	}
}

// Is keeps the records whose flag equals the parameter.
func Is[T any](param string, flag func(*T) bool) Filter[T] {
	return func(f frame.Fields) func(*T) bool {
		wanted := f.Bool(param)
		if f.String(param) == "" {
			return nil
		}
		return func(r *T) bool { return flag(r) == wanted }
	}
}

// Among keeps the records whose number is among those in the parameter.
func Among[T any](param string, number func(*T) int64) Filter[T] {
	return func(f frame.Fields) func(*T) bool {
		wanted := f.Int64s(param)
		if len(wanted) == 0 {
			return nil
		}
		return func(r *T) bool { return slices.Contains(wanted, number(r)) }
	}
}

// Span keeps the records whose time is between two parameters. Records without a time
// are not in any span.
func Span[T any](after, before string, at func(*T) time.Time) Filter[T] {
	return func(f frame.Fields) func(*T) bool {
		from, to := f.Time(after), f.Time(before)
		if from.IsZero() && to.IsZero() {
			return nil
		}
		return func(r *T) bool {
			t := at(r)
			return !t.IsZero() && !t.Before(from) && (to.IsZero() || !t.After(to))
		}
	}
}
