package servicetest

import (
	"slices"

	"example.com/serviceapi/servicetest/internal/collection"
)

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

// These need the lock.

// apply applies options to a record.
//
//	apply(runner, opts, RunnerOption.applyRunner)
func apply[T, O any](record *T, opts []O, one func(O, *T)) {
	for _, opt := range opts {
		one(opt, record)
	}
}

// put sets the value of a key. The map may be nil before.
func put[K comparable, V any](in *map[K]V, key K, value V) {
	if *in == nil {
		*in = make(map[K]V)
	}
	(*in)[key] = value
}

// kept returns the value of a key, which is made when it is first needed.
func kept[K comparable, V any](in *map[K]*V, key K) *V {
	if (*in)[key] == nil {
		put(in, key, new(V))
	}
	return (*in)[key]
}

// inOrder returns a JSON object of names and values, in this order.
func inOrder(pairs ...any) *collection.Form { return collection.NewForm(pairs...) }

// mapped returns what a function makes of the records, never nil.
func mapped[T, U any](records []T, one func(T) U) []U {
	made := make([]U, 0, len(records))
	for _, record := range records {
		made = append(made, one(record))
	}
	return made
}

// given sets a field to a parameter, if the call has it.
//
//	given(c, "description", c.String, &draft.description)
func given[T any](c *call, name string, get func(name string) T, field *T) {
	if c.Has(name) {
		*field = get(name)
	}
}
