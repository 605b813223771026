package servicetest

import "slices"

// These are what the methods of handles have in common. They take the lock themselves.

// read returns a field of a record.
func read[T any](s *Service, field *T) T {
	defer s.lock()()
	return *field
}

// copied returns a copy of a field that is a slice.
func copied[T any](s *Service, field *[]T) []T {
	defer s.lock()()
	return slices.Clone(*field)
}

// locked returns what a function returns.
func locked[T any](s *Service, get func() T) T {
	defer s.lock()()
	return get()
}

// apply applies options to a record. It needs the lock.
//
//	apply(runner, opts, RunnerOption.applyRunner)
func apply[T, O any](record *T, opts []O, one func(O, *T)) {
	for _, opt := range opts {
		one(opt, record)
	}
}
