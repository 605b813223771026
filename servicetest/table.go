package servicetest

import (
	"cmp"
	"reflect"
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/collection"
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

// find returns the record of any home that a function accepts, or nil if there is none.
func (s *shelf[H, T]) find(is func(*T) bool) *T {
	for _, list := range s.of {
		if found := one(list, is); found != nil {
			return found
		}
	}
	return nil
}

// dates are the ID and the times of a record.
type dates struct {
	id                   int64
	createdAt, updatedAt time.Time
}

func (d *dates) ofRecord() *dates { return d }

// changed is for tables whose records refuse to go with an old If-Unmodified-Since.
func (d *dates) changed() time.Time { return d.updatedAt }

// A record is what the records of shelved tables have in common. home is what one belongs to.
type record[H any] struct {
	dates

	home H
}

func (r *record[H]) base() *record[H] { return r }

// shelvable is a pointer to a struct that embeds record.
type shelvable[H, T any] interface {
	*T
	base() *record[H]
}

// shelve stores a new record on the shelf of its kind, state[shelf[H, T]].
func shelve[H comparable, T any, R shelvable[H, T]](s *Service, home H, r R) R {
	*r.base() = record[H]{dates{state[shelf[H, T]](s).add(home, r), s.now(), s.now()}, home}
	return r
}

// recordsOf returns the records on the shelf of their kind that belong to a home, as they are kept.
func recordsOf[T any, H comparable](s *Service, home H) []*T { return state[shelf[H, T]](s).of[home] }

// shelved makes a table whose records are on the shelf of their kind. Whatever the table does not say
// for itself is as usual. An update that changes a record sets its time.
func shelved[H comparable, T any, R shelvable[H, T]](t collection.Table[*call, H, T]) collection.Table[*call, H, T] {
	t.ID = func(r *T) int64 { return R(r).base().id }
	if t.Records == nil {
		t.Records = func(c *call, home H) []*T { return recordsOf[T](c.svc, home) }
	}
	if t.New == nil {
		t.New = func(*call, H) *T { return new(T) }
	}
	if t.Add == nil {
		t.Add = func(c *call, home H, r *T) { shelve(c.svc, home, R(r)) }
	}
	if t.Remove == nil {
		t.Remove = func(c *call, home H, r *T) { state[shelf[H, T]](c.svc).remove(home, r) }
	}
	check := t.Check
	t.Check = func(c *call, home H, draft, before *T) (refusal *reply) {
		if check != nil {
			refusal = check(c, home, draft, before)
		}
		if before != nil && !reflect.DeepEqual(draft, before) {
			R(draft).base().updatedAt = c.now()
		}
		return refusal
	}
	return t
}

// hasDates is a pointer to a struct that embeds dates.
type hasDates[T any] interface {
	*T
	ofRecord() *dates
}

// numbered returns fields with the ID before them.
func numbered[T any, R hasDates[T]](fields ...collection.Field[T]) []collection.Field[T] {
	return slices.Insert(fields, 0, collection.Shown("id", func(r *T) int64 { return R(r).ofRecord().id }))
}

// dated returns fields with the ID before them and the times behind them.
func dated[T any, R hasDates[T]](fields ...collection.Field[T]) []collection.Field[T] {
	return append(numbered[T, R](fields...),
		collection.Moment("created_at", func(r *T) *time.Time { return &R(r).ofRecord().createdAt }).ReadOnly(),
		collection.Moment("updated_at", func(r *T) *time.Time { return &R(r).ofRecord().updatedAt }).ReadOnly())
}

// without returns a copy of a list that lacks a record.
func without[T comparable](list []T, gone T) []T {
	return slices.DeleteFunc(slices.Clone(list), func(record T) bool { return record == gone })
}

// reversed returns a copy of a list, the last record first.
func reversed[T any](list []T) []T {
	list = slices.Clone(list)
	slices.Reverse(list)
	return list
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
