package bench

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"example.com/serviceapi"
	jsonv2 "github.com/go-json-experiment/json"
	clientgo "gitlab.com/gitlab-org/api/client-go/v2"
)

func BenchmarkInMemory(b *testing.B) {
	for _, c := range InMemory() {
		b.Run(c.Name, func(b *testing.B) {
			for _, who := range Contenders {
				if do := c.Ways[who]; do != nil {
					b.Run(string(who), func(b *testing.B) { loop(b, do) })
				}
			}
		})
	}
}

func loop(b *testing.B, do Way) {
	b.ReportAllocs()
	for b.Loop() {
		if err := do(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPairs measures calls with and without something that costs more.
func BenchmarkPairs(b *testing.B) {
	for _, p := range Pairs() {
		b.Run(p.Name+"/usual", func(b *testing.B) { loop(b, p.Usual) })
		b.Run(p.Name+"/costly", func(b *testing.B) { loop(b, p.Costly) })
	}
}

// TestPairs checks that what is measured works.
func TestPairs(t *testing.T) {
	for _, p := range Pairs() {
		for name, do := range map[string]Way{"usual": p.Usual, "costly": p.Costly} {
			if err := do(t.Context()); err != nil {
				t.Errorf("%s, %s: %v", p.Name, name, err)
			}
		}
	}
}

// TestInMemory checks that what is measured works.
func TestInMemory(t *testing.T) {
	for _, c := range InMemory() {
		for who, do := range c.Ways {
			if err := do(t.Context()); err != nil {
				t.Errorf("%s by %s: %v", c.Name, who, err)
			}
		}
	}
}

// TestSameRequests checks that all contenders send the same.
func TestSameRequests(t *testing.T) {
	for _, c := range InMemory() {
		if c.memory == nil {
			continue
		}
		var want *sent
		for _, who := range Contenders {
			if c.Ways[who] == nil {
				continue
			}
			got := new(sent)
			c.memory.sent = got
			if err := c.Ways[who](t.Context()); err != nil {
				t.Fatalf("%s by %s: %v", c.Name, who, err)
			}
			want = cmp.Or(want, got)
			if got.method != want.method || got.path != want.path || !reflect.DeepEqual(got.query, want.query) ||
				!sameJSON(got.body, want.body) {
				t.Errorf("%s: %s sends\n%s\nand %s sends\n%s", c.Name, Ours, want, who, got)
			}
		}
		c.memory.sent = nil
	}
}

func (s *sent) String() string { return fmt.Sprintf("%s %s %v %s", s.method, s.path, s.query, s.body) }

// TestPlainTypes checks that the types of the ways of net/http take every member, that none
// of them is a type of this library, and that they can be decoded by both JSON libraries.
func TestPlainTypes(t *testing.T) {
	for _, sample := range []string{
		JobJSON(), MergeRequestJSON(), CommitJSON(), UserJSON(), DeployKeyJSON, SettingsJSON(), PushJSON(),
		MergeRequestEventJSON(),
	} {
		typ := plainType(sample)
		if found := named(typ); found != nil {
			t.Errorf("%v has methods or a package of its own", found)
		}
		decoder := json.NewDecoder(strings.NewReader(sample))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(reflect.New(typ).Interface()); err != nil {
			t.Errorf("encoding/json: %v", err)
		}
		value := reflect.New(typ).Interface()
		if err := jsonv2.Unmarshal([]byte(sample), value, jsonv2.RejectUnknownMembers(true)); err != nil {
			t.Errorf("the other library: %v", err)
		}
	}
}

// named returns a type with a name that is no predeclared one and not time.Time, or nil.
func named(t reflect.Type) reflect.Type {
	switch t.Kind() {
	case reflect.Slice, reflect.Pointer:
		return named(t.Elem())
	case reflect.Struct:
		if t == reflect.TypeFor[time.Time]() {
			return nil
		}
		for i := range t.NumField() {
			if found := named(t.Field(i).Type); found != nil {
				return found
			}
		}
	}
	if t.PkgPath() != "" {
		return t
	}
	return nil
}

// TestPeerLosesMessage checks what the row about the 404 says about the peer.
func TestPeerLosesMessage(t *testing.T) {
	c := newMemory(404, `{"message":"`+notFoundMessage+`"}`).clients()
	_, _, err := c.peer.Jobs.GetJob(1, 8)
	if !errors.Is(err, clientgo.ErrNotFound) || strings.Contains(err.Error(), notFoundMessage) {
		t.Errorf("the peer now keeps what a 404 says: %v", err)
	}
}

// TestPayloads checks that the objects have a realistic length and are
// distinct.
func TestPayloads(t *testing.T) {
	for name, c := range map[string]struct {
		list     func(first, n int) string
		min, max int
		into     any
	}{
		"job":           {Jobs, 2600, 3500, new([]serviceapi.Job)},
		"merge request": {MergeRequests, 3500, 4700, new([]serviceapi.MergeRequest)},
	} {
		const first, n = 5, 200
		data := []byte(c.list(first, n))
		if size := len(data) / n; size < c.min || size > c.max {
			t.Errorf("a %s has %d bytes, want %d to %d", name, size, c.min, c.max)
		}
		if err := json.Unmarshal(data, c.into); err != nil {
			t.Errorf("a list of %ss cannot be decoded: %v", name, err)
		}
		var objects []map[string]any
		err := json.Unmarshal(data, &objects)
		if err != nil || len(objects) != n || objects[0]["id"] != float64(first) {
			t.Fatalf("%d %ss, the first is %v, error %v", len(objects), name, objects[0]["id"], err)
		}
		for _, field := range []string{"id", "name", "title", "web_url", "sha", "created_at", "description", "status"} {
			distinct := map[any]bool{}
			for _, o := range objects {
				distinct[o[field]] = true
			}
			if _, has := objects[0][field]; has && len(distinct) < 5 {
				t.Errorf("%d %ss have %d values of %s", n, name, len(distinct), field)
			}
		}
	}
}

// TestReplace checks that missing members are not ignored.
func TestReplace(t *testing.T) {
	const object = `{"a":1,"b":{"c":[{"d":null}],"e":"<"},"f":2.50}`
	got := replace(object, members{"/a": nil, "/b/c/0/d": []int{1, 2}, "/b/e": "x"})
	if want := `{"a":null,"b":{"c":[{"d":[1,2]}],"e":"x"},"f":2.50}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	defer func() {
		if recover() == nil {
			t.Error("a member that is not there was replaced")
		}
	}()
	replace(object, members{"/b/x": 1})
}
