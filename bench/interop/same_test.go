package interop

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

// sameAsSent checks that a value has every member of the JSON that it was
// decoded from.
func sameAsSent(t *testing.T, sent []byte, value any) {
	t.Helper()
	for _, problem := range compare(sent, value) {
		t.Error(problem)
	}
}

// compare returns the places where a value differs from what was sent.
func compare(sent []byte, value any) []string {
	decoder := json.NewDecoder(bytes.NewReader(sent))
	decoder.UseNumber()
	var raw any
	if err := decoder.Decode(&raw); err != nil {
		return []string{fmt.Sprintf("what was sent is no JSON: %v\n%s", err, sent)}
	}
	c := comparison{places: map[string]bool{}}
	c.value("", "", raw, reflect.ValueOf(value))
	return c.problems
}

// TestCompare checks that the tests can fail.
func TestCompare(t *testing.T) {
	type inner struct {
		Name string `json:"name"`
	}
	type outer struct {
		inner
		ID    int64             `json:"id"`
		Ratio float64           `json:"ratio"`
		At    *time.Time        `json:"at"`
		Day   *clientgo.ISOTime `json:"day"`
		List  []*inner          `json:"list"`
		Extra map[string]string `json:"extra"`
		Any   any               `json:"any"`
	}
	at := time.Date(2026, 1, 15, 9, 0, 0, 0, time.UTC)
	day := clientgo.ISOTime(at)
	value := []*outer{{inner{"ada"}, 7, 1.5, &at, &day, []*inner{{"bob"}, nil}, map[string]string{"k": "v"}, 3}}
	for sent, want := range map[string]int{
		`[{"id":7,"name":"ada","ratio":1.50,"at":"2026-01-15T10:00:00.000+01:00","day":"2026-01-15",` +
			`"list":[{"name":"bob"},null],"extra":{"k":"v"},"any":3}]`: 0,
		`[{"id":8}]`: 1, `[{"name":"bob"}]`: 1, `[{"name":null}]`: 1, `[{"ratio":1.51}]`: 1, `[{"id":"7x"}]`: 1,
		`[{"at":"2026-01-15T09:00:01Z"}]`: 1, `[{"at":null}]`: 1, `[{"day":"2026-01-16"}]`: 1, `[{"day":5}]`: 1,
		`[{"list":[{"name":"bob"}]}]`: 1, `[{"list":[{"name":"eve"},{"name":"eve"}]}]`: 2, `[{"list":{}}]`: 1,
		`[{"extra":{"k":"w"}}]`: 1, `[{"extra":{"x":"v"}}]`: 1, `[{"any":4}]`: 1,
		`[{"unknown":1,"other":2}]`: 2, `[]`: 1, `{}`: 1, `[1]`: 1, `x`: 1,
	} {
		if got := compare([]byte(sent), value); len(got) != want {
			t.Errorf("%s has %d problems, want %d: %q", sent, len(got), want, got)
		}
	}
}

// comparison compares JSON with what a client decoded from it.
type comparison struct {
	problems []string
	places   map[string]bool // where there is one already
}

// problem reports a difference at a place, unless it is known. A place is a
// type and one of its members; path leads to it in this response.
func (c *comparison) problem(place, path, text string) {
	if !known.use(place) && !c.places[place] {
		c.places[place] = true
		c.problems = append(c.problems, fmt.Sprintf("%s (%s): %s", place, path, text))
	}
}

var (
	timeType = reflect.TypeFor[time.Time]()
	ipType   = reflect.TypeFor[net.IP]()
	dateType = reflect.TypeFor[clientgo.ISOTime]()
)

func (c *comparison) value(place, path string, raw any, v reflect.Value) {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			if raw != nil {
				c.problem(place, path, fmt.Sprintf("%v was sent, and decoded as nil", raw))
			}
			return
		}
		v = v.Elem()
	}
	switch {
	case raw == nil:
		if !v.IsZero() {
			c.problem(place, path, fmt.Sprintf("null was sent, and decoded as %v", v))
		}
	case v.Type() == timeType:
		c.text(place, path, raw, func(s string) bool {
			sent, err := time.Parse(time.RFC3339, s)
			return err == nil && sent.Equal(v.Interface().(time.Time))
		})
	case v.Type() == dateType:
		c.text(place, path, raw, func(s string) bool {
			date, _, _ := strings.Cut(s, "T") // the client converts a timestamp to a date
			return date == v.Interface().(clientgo.ISOTime).String()
		})
	case v.Type() == ipType:
		c.text(place, path, raw, func(s string) bool { return s == v.Interface().(net.IP).String() })
	case v.Kind() == reflect.Struct:
		c.object(place, path, raw, v)
	case v.Kind() == reflect.Slice:
		c.array(place, path, raw, v)
	case v.Kind() == reflect.Map:
		c.mapping(place, path, raw, v)
	default:
		if got := fmt.Sprint(v); got != fmt.Sprint(raw) && !sameNumber(raw, v) {
			c.problem(place, path, fmt.Sprintf("%v was sent, and decoded as %s", raw, got))
		}
	}
}

func sameNumber(raw any, v reflect.Value) bool {
	if !v.CanFloat() {
		return false
	}
	sent, err := strconv.ParseFloat(fmt.Sprint(raw), 64) // a number, or a text with one
	return err == nil && sent == v.Float()
}

func (c *comparison) text(place, path string, raw any, same func(string) bool) {
	if s, ok := raw.(string); !ok || !same(s) {
		c.problem(place, path, fmt.Sprintf("%v was sent, and decoded as something else", raw))
	}
}

func (c *comparison) object(place, path string, raw any, v reflect.Value) {
	members, ok := raw.(map[string]any)
	if !ok {
		c.problem(place, path, fmt.Sprintf("%v was sent where the client has an object", raw))
		return
	}
	if name := v.Type().Name(); name != "" {
		place = name
	}
	fields := fieldsOf(v)
	for name, member := range members {
		field, ok := fields[name]
		if !ok {
			c.problem(place+"."+name, path+"."+name, "the client does not know this member")
			continue
		}
		c.value(place+"."+name, path+"."+name, member, field)
	}
}

// fieldsOf returns the fields of a struct by their names in JSON.
func fieldsOf(v reflect.Value) map[string]reflect.Value {
	fields := map[string]reflect.Value{}
	for _, f := range reflect.VisibleFields(v.Type()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "" && name != "-" && f.IsExported() {
			fields[name] = v.FieldByIndex(f.Index)
		}
	}
	return fields
}

func (c *comparison) array(place, path string, raw any, v reflect.Value) {
	items, ok := raw.([]any)
	if !ok || len(items) != v.Len() {
		c.problem(place, path, fmt.Sprintf("%v was sent, and decoded as %d items", raw, v.Len()))
		return
	}
	for i, item := range items {
		c.value(place+"[]", fmt.Sprintf("%s[%d]", path, i), item, v.Index(i))
	}
}

func (c *comparison) mapping(place, path string, raw any, v reflect.Value) {
	members, ok := raw.(map[string]any)
	if !ok || len(members) != v.Len() {
		c.problem(place, path, fmt.Sprintf("%v was sent, and decoded as %d members", raw, v.Len()))
		return
	}
	for name, member := range members {
		value := v.MapIndex(reflect.ValueOf(name).Convert(v.Type().Key()))
		if !value.IsValid() {
			c.problem(place+"."+name, path+"."+name, "the member is missing")
			continue
		}
		c.value(place+"."+name, path+"."+name, member, value)
	}
}
