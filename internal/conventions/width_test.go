package conventions

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

// wideFiles are the files that still have lines that are too wide, and
// how many. A number may only become smaller.
var wideFiles = map[string]int{"dump.go": 1, "internal/header/link.go": 1}

// TestLinesAreNarrow checks that lines have at most 120 columns, as a tool for reviews
// shows them, with a tab of four columns. The tags of fields cannot be wrapped.
func TestLinesAreNarrow(t *testing.T) {
	const columns = 120
	files := 0
	for _, name := range slices.Concat(glob(t, "*.go"), glob(t, "internal/*/*.go")) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		files++
		var wide []string
		for line := range strings.Lines(readFile(t, name)) {
			line = strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\t", "    ")
			if utf8.RuneCountInString(line) > columns && !strings.HasSuffix(line, "`") {
				wide = append(wide, line)
			}
		}
		switch allowed := wideFiles[name]; {
		case len(wide) > allowed:
			assert.Fail(t, name+" is too wide", strings.Join(wide, "\n"))
		case allowed > 0 && len(wide) == 0:
			assert.Fail(t, name+" is narrow: take it off the list")
		}
	}
	assert.Greater(t, files, 100)
}
