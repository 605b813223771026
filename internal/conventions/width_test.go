package conventions

import (
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wideFiles are the files, and the beginnings of the names of files, in which lines
// may be wider: those of the engine, where a message or a condition is easier to read
// on one line.
var wideFiles = []string{
	"answer", "call", "client", "do", "dump", "errors", "generic", "input", "json", "options",
	"pagination", "references", "retry", "route", "secret", "send", "transport", "walk",
}

// TestLinesAreNarrow checks that the lines of the areas have at most 120 columns, as
// a tool for reviews shows them, with a tab of four. The tags of fields cannot be
// wrapped.
func TestLinesAreNarrow(t *testing.T) {
	const columns, tab = 120, 4
	for name := range parsePackage(t).Files {
		base, _, _ := strings.Cut(strings.TrimSuffix(name, ".go"), "_")
		if slices.Contains(wideFiles, base) {
			continue
		}
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		number := 0
		for line := range strings.Lines(string(data)) {
			number++
			line = strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\t", strings.Repeat(" ", tab))
			if !strings.HasSuffix(line, "`") {
				assert.LessOrEqual(t, utf8.RuneCountInString(line), columns, "%s:%d is too wide", name, number)
			}
		}
	}
}
