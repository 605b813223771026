package conventions

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	cookbook = "docs/cookbook.md"
	recipes  = "examples/recipes/"
)

// recipeCode matches a code block in the cookbook, after a comment that names
// the file and the declarations that it shows.
var recipeCode = regexp.MustCompile("(?s)<!-- (\\w+\\.go): ([\\w ]+) -->\n```go\n(.*?)```\n")

// TestCookbook checks that the code in the cookbook and on the page about mocks is the
// code that the tests compile and run, and that they show every recipe.
func TestCookbook(t *testing.T) {
	shown := map[string]bool{}
	for _, name := range []string{cookbook, "docs/mocks.md"} {
		checkRecipes(t, name, shown)
	}
	assert.GreaterOrEqual(t, len(shown), 15)
	files, err := filepath.Glob(recipes + "*_test.go")
	require.NoError(t, err)
	found := 0
	for _, file := range files {
		if isRecipe(readFile(t, file)) {
			found++
			assert.True(t, shown[filepath.Base(file)], "no page shows %s", file)
		}
	}
	assert.Greater(t, found, 10)
}

// checkRecipes checks the code of one page, and notes the files that it shows.
func checkRecipes(t *testing.T, name string, shown map[string]bool) {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	page := recipeCode.ReplaceAllStringFunc(string(data), func(block string) string {
		match := recipeCode.FindStringSubmatch(block)
		file, names := match[1], match[2]
		shown[file] = true
		return "<!-- " + file + ": " + names + " -->\n```go\n" + declarations(t, file, strings.Fields(names)) + "```\n"
	})
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(page), 0o644))
		return
	}
	assert.Equal(t, page, string(data), regenerate)

	for _, block := range goBlock.FindAllStringSubmatch(recipeCode.ReplaceAllString(page, ""), -1) {
		assert.Empty(t, typeCheck(t, compiledPackages(t), block[1]),
			"%s has code that names no file:\n%s", name, block[1])
	}
}

// declarations returns the source of declarations of a file, with their doc
// comments, in the order of the names.
func declarations(t *testing.T, file string, names []string) string {
	t.Helper()
	source := readFile(t, recipes+file)
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, source, parser.ParseComments)
	require.NoError(t, err)
	found := map[string]string{}
	for _, decl := range parsed.Decls {
		name, doc := "", (*ast.CommentGroup)(nil)
		switch d := decl.(type) {
		case *ast.FuncDecl:
			name, doc = d.Name.Name, d.Doc
		case *ast.GenDecl:
			if spec, ok := d.Specs[0].(*ast.TypeSpec); ok {
				name, doc = spec.Name.Name, d.Doc
			}
		}
		start := decl.Pos()
		if doc != nil {
			start = doc.Pos()
		}
		found[name] = source[set.Position(start).Offset:set.Position(decl.End()).Offset] + "\n"
	}
	var parts []string
	for _, name := range names {
		if assert.NotEmpty(t, found[name], "%s does not declare %s", file, name) {
			parts = append(parts, found[name])
		}
	}
	return strings.Join(parts, "\n")
}
