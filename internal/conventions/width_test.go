package conventions

import (
	"io/fs"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLinesAreNarrow checks that lines have at most 120 columns, as a tool for reviews
// shows them, with a tab of four columns. The tags of fields cannot be wrapped.
func TestLinesAreNarrow(t *testing.T) {
	const columns = 120
	for _, name := range goFiles(t) {
		var wide []string
		for line := range strings.Lines(readFile(t, name)) {
			line = strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\t", "    ")
			if utf8.RuneCountInString(line) > columns && !strings.HasSuffix(line, "`") {
				wide = append(wide, line)
			}
		}
		assert.Empty(t, wide, name)
	}
}

// goFiles returns the Go files of the repository, but not those that are data of tests.
func goFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	err := fs.WalkDir(os.DirFS("."), ".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "vendor"):
			return fs.SkipDir
		case strings.HasSuffix(path, ".go"):
			files = append(files, path)
		}
		return nil
	})
	require.NoError(t, err)
	return files
}
