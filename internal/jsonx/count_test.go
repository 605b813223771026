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
