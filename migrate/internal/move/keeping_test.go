package move

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Only the lines of a file change that are rewritten: its line ends, its byte order mark and
// what is not formatted stay.
func TestOnlyChangedLinesChange(t *testing.T) {
	text := "package a\n\n" + importOld + `
func  Old( x int )int { return x+1 }


type t struct {
  a int
    b, ccc   string  // of three
}
func Get(c *gitlab.Client) error {
  if 1+1==3 { return nil }
  _, _, err := c.Projects.GetProject(1, nil)
  return   err
}
func last( ) { }
`
	want := strings.NewReplacer(
		importOld, "import (\n\t\"context\"\n\n\t\"example.com/serviceapi\"\n)\n",
		"func Get(c *gitlab.Client) error {", "func Get(c *serviceapi.Client) error {",
		"  _, _, err := c.Projects.GetProject(1, nil)",
		"\t_, _, err := c.Projects.Get(context.TODO(), serviceapi.ProjectID(1), nil)",
	).Replace(text)
	windows := func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
	mixed := func(text string) string {
		return strings.Replace(windows(text), "func last( ) { }\r\n", "func last( ) { }\n", 1)
	}
	for name, change := range map[string]func(string) string{
		"as it is":         func(text string) string { return text },
		"Windows":          windows,
		"mixed":            mixed,
		"byte order mark":  func(text string) string { return byteOrderMark + text },
		"both":             func(text string) string { return byteOrderMark + windows(text) },
		"no end of a line": func(text string) string { return strings.TrimSuffix(text, "\n") },
	} {
		dir := writeModule(t, map[string]string{"a/a.go": change(text)})
		result, texts := moveFiles(t, dir, "./...")
		assert.Equal(t, change(want), texts["a/a.go"], name)
		require.Len(t, result.Files, 1, name)
		assert.Equal(t, change(text), string(result.Files[0].Old), name)
	}
}

// No comment gets lost, wherever it is.
func TestCommentsAreKept(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "comments.txt"))
	require.NoError(t, err)
	dir := writeModule(t, map[string]string{"a/a.go": string(text)})
	result, texts := moveFiles(t, dir, "./...")
	assert.Equal(t, 0, result.Report.Left)
	find := func(text string) []string {
		found := regexp.MustCompile(`\b[a-z]\d+\b`).FindAllString(text, -1)
		slices.Sort(found)
		return found
	}
	before, after := find(string(text)), find(texts["a/a.go"])
	assert.Equal(t, before, after)
	assert.Len(t, before, 123)
	writeBack(t, dir, result)
}
