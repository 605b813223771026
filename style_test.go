package serviceapi

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// unusualWords are expressions that readers stumble over, with the usual words.
// CONTRIBUTING.md has more about style.
var unusualWords = map[string]string{
	`how often`:             "the number of times",
	`in spite of`:           "even if",
	`for ever\b`:            "forever",
	`by and by`:             "later",
	`whose answer`:          "whose response",
	`answers (with )?\d{3}`: "returns",
	`at hand`:               "current",
	`beside an error`:       "on error, … also returns",
	`finds out whether`:     "reports whether",
	`whether there is such`: "whether … exists",
	`held against`:          "compared with",
	`holds [\w' ]+ against`: "compares … with",
	`passe[sd] over`:        "ignored",
	`out of account`:        "ignored",
	`\b(behaviour|colour|licence|cancelling)\b`: "American spelling",
}

// TestUsualWords checks that comments and pages have the usual words of Go
// documentation.
func TestUsualWords(t *testing.T) {
	files := 0
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		ext := path.Ext(name)
		if ext != ".go" && ext != ".md" || name == "style_test.go" || name == "CONTRIBUTING.md" {
			return nil
		}
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		files++
		text := string(data)
		if ext == ".go" {
			text = commentsIn(text)
		}
		for words, usual := range unusualWords {
			found := regexp.MustCompile(`(?i)\b` + strings.ReplaceAll(words, " ", `\s+`)).FindString(text)
			assert.Empty(t, found, "%s: write %q", name, usual)
		}
		return nil
	})
	require.NoError(t, err)
	assert.Greater(t, files, 500)
}

// commentsIn returns the text of the line comments in a Go file.
func commentsIn(source string) string {
	var text strings.Builder
	for line := range strings.Lines(source) {
		if _, comment, ok := strings.Cut(line, "//"); ok {
			text.WriteString(comment)
		}
	}
	return text.String()
}

func TestCommentsIn(t *testing.T) {
	const source = "// A is how\n// often it runs.\nvar a = 7 // in all\nvar b = \"how often\"\n"
	text := commentsIn(source)
	assert.Equal(t, " A is how\n often it runs.\n in all\n", text)
	assert.Regexp(t, `how\s+often`, text)
}

// wideFiles are the files, and the beginnings of the names of files, in which lines
// may be wider: those of the engine, where a message or a condition is easier to read
// on one line.
var wideFiles = []string{
	"answer", "call", "client", "do", "download", "dump", "errors", "generic", "input", "json", "oauth", "options",
	"pagination", "references", "retry", "route", "secret", "send", "transport", "upload", "walk",
}

// TestLinesAreNarrow checks that the lines of the areas have at most 120 columns, as
// a tool for reviews shows them, with a tab of four. The tags of fields cannot be
// wrapped.
func TestLinesAreNarrow(t *testing.T) {
	const columns, tab = 120, 4
	for name := range parsePackage(t).files {
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
