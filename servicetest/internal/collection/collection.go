// Package collection serves plain collections. A Table describes the fields of a
// record, and finds the records that a path means. List, get, create, update and delete
// follow from it, with filters, orders, pages and refusals. The functions of a table do
// what only its collection needs.
package collection

import (
	"cmp"
	"slices"
	"time"

	"example.com/serviceapi/servicetest/internal/frame"
)

// A Table describes a collection of records of type T below homes of type H, such as
// the variables of projects. C is the service's own type of call.
type Table[C frame.Caller, H, T any] struct {
	Name  string // name of a record, for "404 Variable Not Found"; may be empty
	Param string // the path parameter with a record's ID
	// Missing refuses a path to no record. The default names it: 404 Variable Not Found.
	Missing func() *frame.Reply

	// Home returns the home that the path names, if the caller may use it.
	Home func(c C) (H, *frame.Reply)
	// Records returns the records of a home that the caller can see, in the order of
	// the list.
	Records func(c C, home H) []*T
	// ID returns a record's ID.
	ID func(*T) int64
	// Key returns what the path has instead of an ID, such as the name of a record.
	Key func(*T) string
	// Find returns the record that the path names. The default finds it by Param, and by
	// Key or ID.
	Find func(c C, home H) (*T, *frame.Reply)

	Fields  []Field[T]
	Filters []Filter[T]
	Orders  []Order[T] // for sort=name_asc; none: the order of Records
	Keyset  *Keyset[T] // for pagination=keyset; nil: the list has none

	New    func(c C, home H) *T // returns a record with its defaults
	Add    func(c C, home H, record *T)
	Remove func(c C, home H, record *T)

	// Level returns the caller's role, for fields that not every role may read or
	// write. Without Level, every role may.
	Level func(c C, home H) int
	// Read reads parameters that are not fields.
	Read func(c C, home H, draft *T, making bool)
	// Check can refuse a draft although its fields are valid. before is nil for a new
	// record.
	Check func(c C, home H, draft, before *T) *frame.Reply
	// Refuse refuses a field that is too long, does not match or is taken. The default
	// says so by field.
	Refuse func(field, problem string) *frame.Reply
	// Saved is called after a record has changed.
	Saved func(c C, home H, record *T)
	// Changed returns when a record last changed, for If-Unmodified-Since.
	Changed func(*T) time.Time
	// Extra adds members that depend on the caller or the home.
	Extra func(c C, home H, record *T, form *Form)
}

// List responds with a page of the records.
func (t *Table[C, H, T]) List(c C) *frame.Reply {
	home, refusal := t.Home(c)
	if refusal != nil {
		return refusal
	}
	return t.Page(c, home, t.Records(c, home))
}

// Page is like List, for other records of the home.
func (t *Table[C, H, T]) Page(c C, home H, records []*T) *frame.Reply {
	call := c.Frame()
	var wanted frame.Filter[*T]
	for _, filter := range t.Filters {
		if keep := filter(call.Fields); keep != nil {
			wanted.Add(keep)
		}
	}
	byKeyset := t.Keyset != nil && call.WantsKeyset()
	var compare func(a, b *T) int
	reversed := false
	if !byKeyset {
		compare, reversed = t.order(call.Fields)
	}
	if refusal := call.Refusal(); refusal != nil {
		return refusal
	}
	records = wanted.Apply(records)
	if byKeyset {
		return t.keysetPage(c, home, records)
	}
	if compare != nil {
		slices.SortStableFunc(records, compare)
	}
	if reversed {
		slices.Reverse(records)
	}
	return frame.ListOf(c, records, func(record *T) *Form { return t.Form(c, home, record) })
}

// ListAll responds with all records at once, whatever page the call asks for.
func (t *Table[C, H, T]) ListAll(c C) *frame.Reply {
	home, refusal := t.Home(c)
	if refusal != nil {
		return refusal
	}
	return c.Frame().OK(t.Forms(c, home, t.Records(c, home)))
}

// keysetPage responds with a page, using keyset pagination.
func (t *Table[C, H, T]) keysetPage(c C, home H, records []*T) *frame.Reply {
	key := t.Keyset.Key
	slices.SortFunc(records, func(a, b *T) int { return cmp.Compare(key(a), key(b)) })
	return frame.KeysetPage(c, frame.Keyset[*T]{
		OrderBy: t.Keyset.OrderBy, Sorts: t.Keyset.Sorts, Param: "cursor", Items: records, Key: key,
		JSON: func(record *T) *frame.Encoded { return &frame.Encoded{Data: frame.Encode(t.Form(c, home, record))} },
	})
}

// Get responds with the record of the path.
func (t *Table[C, H, T]) Get(c C) *frame.Reply {
	home, record, refusal := t.One(c)
	if refusal != nil {
		return refusal
	}
	return c.Frame().OK(t.Form(c, home, record))
}

// One returns the record of the path and its home.
func (t *Table[C, H, T]) One(c C) (home H, record *T, refusal *frame.Reply) {
	if home, refusal = t.Home(c); refusal != nil {
		return home, nil, refusal
	}
	if t.Find != nil {
		record, refusal = t.Find(c, home)
		return home, record, refusal
	}
	id, key := c.Frame().PathInt64(t.Param), c.Frame().PathString(t.Param)
	for _, record := range t.Records(c, home) {
		if t.Key != nil && t.Key(record) == key || t.Key == nil && t.ID(record) == id {
			return home, record, nil
		}
	}
	if t.Missing != nil {
		return home, nil, t.Missing()
	}
	return home, nil, frame.NotFound(t.Name)
}

// Record returns the record of the path.
func (t *Table[C, H, T]) Record(c C) (*T, *frame.Reply) {
	_, record, refusal := t.One(c)
	return record, refusal
}

// Create makes a record and responds with it.
func (t *Table[C, H, T]) Create(c C) *frame.Reply {
	home, draft, refusal := t.Draft(c)
	if refusal != nil {
		return refusal
	}
	t.Add(c, home, draft)
	c.Frame().Touch(draft)
	return c.Frame().Created(t.Form(c, home, draft))
}

// Draft reads a new record without adding it.
func (t *Table[C, H, T]) Draft(c C) (home H, draft *T, refusal *frame.Reply) {
	if home, refusal = t.Home(c); refusal != nil {
		return home, nil, refusal
	}
	draft, refusal = t.DraftIn(c, home)
	return home, draft, refusal
}

// DraftIn is like Draft, for a home that the path does not name.
func (t *Table[C, H, T]) DraftIn(c C, home H) (*T, *frame.Reply) {
	draft := t.New(c, home)
	return draft, t.fill(c, home, draft, nil)
}

// Update changes the record of the path and responds with it.
func (t *Table[C, H, T]) Update(c C) *frame.Reply {
	home, record, refusal := t.One(c)
	if refusal != nil {
		return refusal
	}
	draft := *record
	if refusal := t.fill(c, home, &draft, record); refusal != nil {
		return refusal
	}
	*record = draft
	c.Frame().Touch(record)
	if t.Saved != nil {
		t.Saved(c, home, record)
	}
	return c.Frame().OK(t.Form(c, home, record))
}

// Delete removes the record of the path.
func (t *Table[C, H, T]) Delete(c C) *frame.Reply {
	home, record, refusal := t.One(c)
	if refusal != nil {
		return refusal
	}
	if t.Changed != nil {
		if refusal := c.Frame().Unchanged(t.Changed(record)); refusal != nil {
			return refusal
		}
	}
	t.Remove(c, home, record)
	c.Frame().Touch(record)
	return c.Frame().NoContent()
}

// Form returns the JSON of a record as the caller sees it.
func (t *Table[C, H, T]) Form(c C, home H, record *T) *Form {
	form := new(Form)
	level, limited := t.level(c, home)
	for _, field := range t.Fields {
		if !limited || level >= field.sees {
			field.show(record, form)
		}
	}
	if t.Extra != nil {
		t.Extra(c, home, record, form)
	}
	return form
}

// Forms returns the JSON of records. It is never nil.
func (t *Table[C, H, T]) Forms(c C, home H, records []*T) []*Form {
	forms := make([]*Form, 0, len(records))
	for _, record := range records {
		forms = append(forms, t.Form(c, home, record))
	}
	return forms
}

func (t *Table[C, H, T]) level(c C, home H) (level int, limited bool) {
	if t.Level == nil {
		return 0, false
	}
	return t.Level(c, home), true
}

// fill reads the fields of a draft and checks them.
func (t *Table[C, H, T]) fill(c C, home H, draft, before *T) *frame.Reply {
	call := c.Frame()
	level, limited := t.level(c, home)
	for _, field := range t.Fields {
		if field.read == nil || field.once && before != nil || limited && level < field.sets {
			continue
		}
		field.take(call.Fields, draft, before == nil)
	}
	if t.Read != nil {
		t.Read(c, home, draft, before == nil)
	}
	if refusal := call.Refusal(); refusal != nil {
		return refusal
	}
	for _, field := range t.Fields {
		problem := field.problem(draft)
		if problem == "" && field.taken != "" && t.hasOther(c, home, field, draft, before) {
			problem = field.taken
		}
		switch {
		case problem != "" && t.Refuse != nil:
			return t.Refuse(field.name, problem)
		case problem != "":
			return frame.FieldErrors(field.name, problem)
		}
	}
	if t.Check != nil {
		return t.Check(c, home, draft, before)
	}
	return nil
}

// hasOther reports whether another record has the same value of a field.
func (t *Table[C, H, T]) hasOther(c C, home H, field Field[T], draft, before *T) bool {
	return slices.ContainsFunc(t.Records(c, home), func(other *T) bool {
		return other != before && field.text(other) == field.text(draft)
	})
}

// order returns the order that a call selects with the parameter sort. Its values join
// the name of an order and a direction, such as created_asc.
func (t *Table[C, H, T]) order(f frame.Fields) (compare func(a, b *T) int, reversed bool) {
	if len(t.Orders) == 0 {
		return nil, false
	}
	values := make([]string, 0, 2*len(t.Orders))
	for _, order := range t.Orders {
		values = append(values, order.Name+"_asc", order.Name+"_desc")
	}
	if at := slices.Index(values, f.StringIn("sort", values...)); at >= 0 {
		return t.Orders[at/2].Compare, at%2 == 1
	}
	return nil, false
}

// A Keyset describes the keyset pagination of a list.
type Keyset[T any] struct {
	OrderBy string          // the only order
	Sorts   []string        // its directions: asc, desc
	Key     func(*T) string // the record's place in the order, unique
}

// An Order is one of the orders of a list.
type Order[T any] struct {
	Name    string
	Compare func(a, b *T) int
}

// By orders records by a value.
func By[T any, V cmp.Ordered](name string, value func(*T) V) Order[T] {
	return Order[T]{name, func(a, b *T) int { return cmp.Compare(value(a), value(b)) }}
}

// ByTime orders records by a time.
func ByTime[T any](name string, at func(*T) time.Time) Order[T] {
	return Order[T]{name, func(a, b *T) int { return at(a).Compare(at(b)) }}
}

// Sort sorts records as the parameters order_by and sort say. The defaults are the first of the
// orders and the usual direction. Among equal records, the ID decides.
func Sort[T any](f frame.Fields, records []*T, usual string, id func(*T) int64, orders []Order[T]) {
	names := make([]string, len(orders))
	for i, order := range orders {
		names[i] = order.Name
	}
	compare := orders[max(0, slices.Index(names, f.StringIn("order_by", names...)))].Compare
	descending := cmp.Or(f.StringIn("sort", "asc", "desc"), usual) == "desc"
	slices.SortFunc(records, func(a, b *T) int {
		if descending {
			a, b = b, a
		}
		return cmp.Or(compare(a, b), cmp.Compare(id(a), id(b)))
	})
}
