package jsonx

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

func names(data string) (found []string, ok bool) {
	ok = Names([]byte(data), func(name string) { found = append(found, name) })
	return found, ok
}

func TestNames(t *testing.T) {
	for data, want := range map[string][]string{
		`{}`: nil, ` { } `: nil, `{"a":1}`: {"a"}, `{"a":"b","c":["d",{"e":"f"}],"g":{"h":{"i":"j"},"k":1},"l":null}`: {
			"a", "c", "g", "l"},
		`{"n\u0061me":1,"a\"b":2,"c\\":3,"":4}`: {"name", `a"b`, `c\`, ""}, `{"a":"}{\"],:,","b":"\\"}`: {"a", "b"},
		`{ "a" : [ 1 , 2 ] , "b" : { } }`: {"a", "b"}, `{"a":1,"a":2}`: {"a", "a"}, `{"größe":1}`: {"größe"},
	} {
		found, ok := names(data)
		assert.True(t, ok, data)
		assert.Equal(t, want, found, data)
	}
	for _, data := range []string{"", " ", "null", "[]", `"{"`, "1"} {
		_, ok := names(data)
		assert.False(t, ok, data)
	}
}

func TestJoin(t *testing.T) {
	for _, tc := range [][3]string{
		{`{}`, `{}`, `{}`}, {`{ }`, `{"a":1}`, `{"a":1}`}, {`{"a":1}`, `{}`, `{"a":1}`},
		{`{"a":1}`, `{"b":2}`, `{"a":1,"b":2}`}, {` {"a":1} `, "{\n\"b\":2}", "{\"a\":1,\n\"b\":2}"},
	} {
		assert.Equal(t, tc[2], string(Join([]byte(tc[0]), []byte(tc[1]))))
	}
}

// FuzzNames compares the names, and a join, with encoding/json.
func FuzzNames(f *testing.F) {
	f.Add(`{"a":"b\\\"","c":["d",{"e":"f"}]}`)
	f.Fuzz(func(t *testing.T, data string) {
		var members map[string]json.RawMessage
		if json.Unmarshal([]byte(data), &members) != nil || members == nil {
			return
		}
		found, ok := names(data)
		if !ok {
			t.Fatalf("%q is an object", data)
		}
		for name := range members {
			if !slices.Contains(found, name) {
				t.Fatalf("%q has %q", data, name)
			}
		}
		for _, joined := range [][]byte{Join([]byte(data), []byte(`{"x":1}`)), Join([]byte(`{"x":1}`), []byte(data))} {
			if !json.Valid(joined) {
				t.Fatalf("%q", joined)
			}
		}
	})
}

func TestMembers(t *testing.T) {
	const object = ` { "a" : 1 , "b\u0063" : {"x":[1,":,"]} , "":null,"d":[ ] } `
	var found [][2]string
	for name, value := range Members([]byte(object)) {
		found = append(found, [2]string{string(name), string(value)})
	}
	assert.Equal(t, [][2]string{{"a", "1"}, {"bc", `{"x":[1,":,"]}`}, {"", "null"}, {"d", "[ ]"}}, found)
	for name := range Members([]byte(object)) {
		assert.Equal(t, "a", string(name))
		break
	}
	for _, data := range []string{"", "{", `{"`, `{"a`, `{"a":`, `{,}`, `{:}`, `{"a":1`, "}", "[1]", `{"a":1}}`} {
		assert.NotPanics(t, func() {
			for range Members([]byte(data)) {
			}
		}, data)
	}
}
