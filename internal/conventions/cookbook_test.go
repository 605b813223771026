package conventions

import (
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
)

const recipes = "examples/recipes/"

// recipeCode matches a code block on a page, after a comment that names the file that it is
// copied from.
var recipeCode = regexp.MustCompile("(?s)<!-- (\\w+\\.go): [\\w ]+ -->\n```go\n.*?```\n")

// TestCookbook checks that the cookbook and the page about mocks show every recipe, and no code
// that tests do not compile and run.
func TestCookbook(t *testing.T) {
	var shown, written []string
	for _, name := range []string{"docs/cookbook.md", "docs/mocks.md"} {
		page := readFile(t, name)
		for _, match := range recipeCode.FindAllStringSubmatch(page, -1) {
			shown = append(shown, match[1])
		}
		for _, block := range goBlock.FindAllStringSubmatch(recipeCode.ReplaceAllString(page, ""), -1) {
			assert.Empty(t, typeCheck(t, compiledPackages(t), block[1]),
				"%s has code that names no file:\n%s", name, block[1])
		}
	}
	for _, file := range glob(t, recipes+"*_test.go") {
		if isRecipe(readFile(t, file)) {
			written = append(written, filepath.Base(file))
		}
	}
	assert.NotEmpty(t, written)
	assert.Subset(t, shown, written, "no page shows them")
}
