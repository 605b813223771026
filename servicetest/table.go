package servicetest

import (
	"cmp"
	"slices"

	"example.com/serviceapi/servicetest/internal/frame"
)

// A table keeps the records of one kind by ID, in ascending order. Its zero
// value is empty and assigns the IDs 1, 2, 3 and so on.
type table[T any] struct {
	last int64
	rows []row[T]
}

type row[T any] struct {
	id     int64
	record T
}

// add stores a record and returns its ID. The ID is want or, if that is 0, the next
// free one. add reports false if the ID is taken.
func (t *table[T]) add(want int64, record T) (int64, bool) {
	if want == 0 {
		want = t.last + 1
	}
	at, taken := t.find(want)
	if taken {
		return want, false
	}
	t.last = max(t.last, want)
	t.rows = slices.Insert(t.rows, at, row[T]{want, record})
	return want, true
}

// seed adds a seeded record with its own ID, or with the next free one. If the ID is
// taken, the test fails.
func seed[T any](s *Service, t *table[T], id *int64, record T, kind string) {
	added, free := t.add(*id, record)
	if !free {
		s.fail("%s with id %d already exists", kind, *id)
	}
	*id = added
}

// applyAgain applies options to an existing record. The ID cannot change.
func applyAgain(s *Service, id *int64, name string, apply func()) {
	before := *id
	apply()
	if asked := *id; asked != before {
		*id = before
		s.fail("%s already exists, with id %d, not %d", name, before, asked)
	}
}

// get returns the record with an ID.
func (t *table[T]) get(id int64) (record T, ok bool) {
	at, ok := t.find(id)
	if !ok {
		return record, false
	}
	return t.rows[at].record, true
}

// remove deletes the record with an ID. The ID is not used again.
func (t *table[T]) remove(id int64) {
	if at, ok := t.find(id); ok {
		t.rows = slices.Delete(t.rows, at, at+1)
	}
}

// len returns the number of records.
func (t *table[T]) len() int { return len(t.rows) }

// at returns the i-th record in ascending order of ID.
func (t *table[T]) at(i int) T { return t.rows[i].record }

// all returns the records that keep accepts, in ascending order of ID. If keep is nil,
// it returns all records.
func (t *table[T]) all(keep func(T) bool) []T {
	kept := make([]T, 0, len(t.rows))
	for _, row := range t.rows {
		if keep == nil || keep(row.record) {
			kept = append(kept, row.record)
		}
	}
	return kept
}

func (t *table[T]) find(id int64) (int, bool) {
	return slices.BinarySearchFunc(t.rows, id, func(r row[T], id int64) int {
		return cmp.Compare(r.id, id)
	})
}

// A shelf keeps records by their home, such as the remote mirrors of projects, in the order in
// which they were added. It counts the IDs of all homes together.
type shelf[H comparable, T any] struct {
	of   map[H][]*T
	last int64
}

// add adds a record and returns its ID, the next free one.
func (s *shelf[H, T]) add(home H, record *T) int64 {
	s.last++
	put(&s.of, home, append(s.of[home], record))
	return s.last
}

// remove removes a record. Its ID is not used again.
func (s *shelf[H, T]) remove(home H, record *T) { s.of[home] = without(s.of[home], record) }

// without returns a copy of a list that lacks a record.
func without[T comparable](list []T, gone T) []T {
	return slices.DeleteFunc(slices.Clone(list), func(record T) bool { return record == gone })
}

// only returns the records of a list that keep accepts.
func only[T any](list []T, keep func(T) bool) []T { return filter[T]{keep}.Apply(list) }

// put sets an entry of a map, and makes the map if there is none.
func put[K comparable, V any](m *map[K]V, key K, value V) {
	if *m == nil {
		*m = make(map[K]V)
	}
	(*m)[key] = value
}

// putIn sets an entry of a map within a map, and makes both if there are none.
func putIn[H, K comparable, V any](m *map[H]map[K]V, home H, key K, value V) {
	inner := (*m)[home]
	put(&inner, key, value)
	put(m, home, inner)
}

// kept returns what a map has for a key, and makes it, empty, if there is nothing.
func kept[K comparable, V any](m *map[K]*V, key K) *V {
	if (*m)[key] == nil {
		put(m, key, new(V))
	}
	return (*m)[key]
}

// refuseInSentence refuses a field of a table with a 400 in a sentence.
func refuseInSentence(field, problem string) *reply {
	return frame.BadRequest(frame.Sentence(field, problem))
}
