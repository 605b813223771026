package serviceapi

import (
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestOverviewLinksEveryService checks that the overview of the package links
// every service, and that each field of Client says what it is for.
func TestOverviewLinksEveryService(t *testing.T) {
	s := parsePackage(t)
	overview := s.files["doc.go"].Doc.Text()
	services := 0
	for _, field := range s.structs["Client"].Fields.List {
		if !ast.IsExported(field.Names[0].Name) {
			continue
		}
		services++
		name := strings.TrimPrefix(typeText(field.Type), "*")
		assert.Contains(t, overview, "["+name+"]", "the overview does not link %s", name)
		assert.True(t, strings.HasPrefix(field.Doc.Text(), field.Names[0].Name+" "), "Client.%s has no comment", field.Names[0].Name)
	}
	assert.Greater(t, services, 30)
}

// TestDocLinksLead checks that what doc comments link exists, with the comments
// of fields and of unexported identifiers.
func TestDocLinksLead(t *testing.T) {
	checkDocLinks(t, "*.go", 500)
	checkDocLinks(t, "servicetest/*.go", 30)
}

func checkDocLinks(t *testing.T, pattern string, least int) {
	t.Helper()
	names, err := fs.Glob(os.DirFS("."), pattern)
	require.NoError(t, err)
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		require.NoError(t, err)
		files = append(files, file)
	}
	pkg, err := doc.NewFromFiles(set, files, "example.com/serviceapi", doc.PreserveAST)
	require.NoError(t, err)
	comments := pkg.Parser()
	link := regexp.MustCompile(`\[\*?[A-Z]\w*(\.[A-Z]\w*)?\]`)
	links := 0
	for _, file := range files {
		for _, group := range file.Comments {
			for _, match := range link.FindAllString(codeInComment.ReplaceAllString(group.Text(), ""), -1) {
				links++
				parsed := comments.Parse(match).Content
				require.IsType(t, &comment.Paragraph{}, parsed[0])
				assert.IsType(t, &comment.DocLink{}, parsed[0].(*comment.Paragraph).Text[0], "%s: %s", set.Position(group.Pos()), match)
			}
		}
	}
	assert.Greater(t, links, least)
}

// codeInComment is an indented line, which is not searched for links.
var codeInComment = regexp.MustCompile(`(?m)^\t.*$`)

// maxExampleWidth is the number of columns that an example may have, with tabs
// of four columns, as documentation sites show it.
const maxExampleWidth = 80

// TestExamplesAreNarrow checks that examples, and code in doc comments, need no
// scroll bar.
func TestExamplesAreNarrow(t *testing.T) {
	names, err := fs.Glob(os.DirFS("."), "*.go")
	require.NoError(t, err)
	embedded, err := fs.Glob(os.DirFS("."), "servicetest/*.go")
	require.NoError(t, err)
	for _, name := range append(names, embedded...) {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		inExample := isRecipe(name) || strings.Contains(name, "example") && name != "example_coverage_test.go"
		for line := range strings.Lines(string(data)) {
			code, inComment := strings.CutPrefix(line, "//\t")
			if !inExample && !inComment || endpointLine.MatchString(strings.TrimPrefix(line, "//")) {
				continue
			}
			if !inComment {
				code = line
			}
			if inExample && !isRecipe(name) {
				code = strings.TrimPrefix(code, "\t") // as it is shown
			}
			code = strings.ReplaceAll(strings.TrimSuffix(code, "\n"), "\t", "    ")
			assert.LessOrEqual(t, utf8.RuneCountInString(code), maxExampleWidth, "%s: %s", name, code)
		}
	}
}

// isRecipe reports whether documentation shows the whole file, because the
// example uses other declarations in it, and not only the body of a function.
func isRecipe(name string) bool { return strings.HasPrefix(name, "recipe_") }

// TestChangelogHasVersion checks that the changelog has a dated entry for the
// version of the library.
func TestChangelogHasVersion(t *testing.T) {
	data, err := os.ReadFile("CHANGELOG.md")
	require.NoError(t, err)
	assert.Regexp(t, `(?m)^## v`+regexp.QuoteMeta(Version)+` \(\d{4}-\d\d-\d\d\)$`, string(data))
}
