package jsonx

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestExceedsObjects(t *testing.T) {
	for _, tc := range []struct {
		pieces string // separated by bars
		limit  int
		want   bool
	}{
		{"", 0, false}, {"{}", 0, true}, {"{}", 1, false}, {"[{},{}]", 1, true}, {"[{},|{}]", 1, true},
		{"[{},|{}]", 2, false}, {`[{"a":{}},{}]`, 2, true}, {`["{","{{"]`, 1, false}, {`["{{{",{"|{":1}]`, 1, false},
		{`[{},"{`, 1, false}, {"[[],[]]", 0, false}, {`[{"a":1,"a":{}}]`, 1, true},
	} {
		var pieces [][]byte
		for piece := range strings.SplitSeq(tc.pieces, "|") {
			pieces = append(pieces, []byte(piece))
		}
		assert.Equal(t, tc.want, ExceedsObjects(tc.limit, pieces...), "%s, %d", tc.pieces, tc.limit)
	}
}

func TestExceedsItems(t *testing.T) {
	for _, tc := range []struct {
		pieces string // separated by bars
		limit  int
		want   bool
	}{
		{"", 0, false}, {"[]", 0, false}, {"[{}]", 0, true}, {"[{}]", 1, false}, {"[{},{}]", 1, true},
		{"[{},|{}]", 1, true}, {` [ { "a" : {} } , {|} ] `, 1, true}, {` [ { "a" : {} } , {} ] `, 2, false},
		{`[{"a":[{},{},{}]}]`, 1, false}, {`{"a":[{},{}]}`, 1, false}, {`["{","{"]`, 1, false},
		{`[{},{},{"a`, 2, false}, {`[{},{},{},{"a`, 2, true}, {"[1,1,1]", 1, false},
	} {
		var pieces [][]byte
		for piece := range strings.SplitSeq(tc.pieces, "|") {
			pieces = append(pieces, []byte(piece))
		}
		assert.Equal(t, tc.want, ExceedsItems(tc.limit, pieces...), "%s, %d", tc.pieces, tc.limit)
	}
}

func TestIsLenient(t *testing.T) {
	list := func(item string, n int) string { return "[" + strings.Repeat(item+",", n-1) + item + "]" }
	members := "{" + strings.Repeat(`"a":1,`, maxLenient) + `"a":1}`
	for value, want := range map[string]bool{
		"": true, "[]": true, "1": true, list("1", maxLenient): true, list("1", maxLenient+1): false,
		`{"a":` + list("1", maxLenient+1) + "}": false, members: true, list("[]", maxLenient+1): false,
		list("[1]", maxLenient/2): true, list("[1]", maxLenient/2+1): false,
		`{"a":"` + strings.Repeat("[,", maxLenient) + `"}`: true, "[" + strings.Repeat(",", maxLenient+1): true,
	} {
		assert.Equal(t, want, IsLenient([]byte(value)), "%.20s, %d", value, len(value))
	}
}
