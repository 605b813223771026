package move

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The steps lead from one text to the other, in large texts too.
func TestAlign(t *testing.T) {
	var old, now []string
	for i := range 5000 {
		old = append(old, fmt.Sprintf("line %d\n", i), "}\n", "\n")
		if i%7 == 0 {
			now = append(now, fmt.Sprintf("more %d\n", i%3))
		}
		if i%11 != 0 {
			now = append(now, fmt.Sprintf("line %d\n", i), "}\n", "\n")
		}
	}
	same := strings.Split(strings.Repeat("x y ", 3000), " ")
	for _, texts := range [][2][]string{{old, now}, {now, old}, {old[:90], now[:90]}, {same, same[1:]}, {old, same},
		{nil, old}, {{"a", "b"}, {"b", "a"}}} {
		var before, after []string
		kept := 0
		for _, s := range align(texts[0], texts[1]) {
			assert.Equal(t, [2]int{len(before), len(after)}, [2]int{s.a, s.b})
			if s.op != '+' {
				before = append(before, s.line)
			}
			if s.op != '-' {
				after = append(after, s.line)
			}
			if s.op == ' ' {
				kept++
			}
		}
		assert.Equal(t, len(texts[0]), len(before))
		assert.Equal(t, strings.Join(texts[0], ""), strings.Join(before, ""))
		assert.Equal(t, strings.Join(texts[1], ""), strings.Join(after, ""))
		if len(texts[0]) == len(old) && len(texts[1]) == len(now) {
			assert.Equal(t, 3*(5000-455), kept)
		}
	}
}
