package conventions

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

	"example.com/serviceapi/internal/inventory"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestOverviewLinksEveryService checks that the overview of the package links
// every service.
func TestOverviewLinksEveryService(t *testing.T) {
	overview := parsePackage(t).Files["doc.go"].Doc.Text()
	for field := range clientType.Fields() {
		if field.IsExported() {
			assert.Contains(t, overview, "["+field.Type.Elem().Name()+"]")
		}
	}
}

// TestDocLinksLead checks that what doc comments link exists, with the comments
// of fields and of unexported identifiers.
func TestDocLinksLead(t *testing.T) {
	checkDocLinks(t, "*.go")
	checkDocLinks(t, "servicetest/*.go")
}

func checkDocLinks(t *testing.T, pattern string) {
	t.Helper()
	readsSource(t)
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
				assert.IsType(t, &comment.DocLink{}, parsed[0].(*comment.Paragraph).Text[0], "%s: %s",
					set.Position(group.Pos()), match)
			}
		}
	}
	assert.Positive(t, links)
}

// codeInComment is an indented line, which is not searched for links.
var codeInComment = regexp.MustCompile(`(?m)^\t.*$`)

// maxExampleWidth is the number of columns that an example may have, with tabs
// of four columns, as documentation sites show it.
const maxExampleWidth = 80

// TestExamplesAreNarrow checks that examples, and code in doc comments, need no
// scroll bar.
func TestExamplesAreNarrow(t *testing.T) {
	readsSource(t)
	examples := 0
	for _, pattern := range []string{"*.go", "servicetest/*.go", recipes + "*.go"} {
		names, err := fs.Glob(os.DirFS("."), pattern)
		require.NoError(t, err)
		for _, name := range names {
			source := readFile(t, name)
			inExample := exampleFile.MatchString(source)
			inRecipe := isRecipe(source)
			if inExample {
				examples++
			}
			for line := range strings.Lines(source) {
				code, inComment := strings.CutPrefix(line, "//\t")
				if !inExample && !inComment || inventory.EndpointLine.MatchString(strings.TrimPrefix(line, "//")) {
					continue
				}
				if !inComment {
					code = line
				}
				if inExample && !inRecipe {
					code = strings.TrimPrefix(code, "\t") // as it is shown
				}
				code = strings.ReplaceAll(strings.TrimSuffix(code, "\n"), "\t", "    ")
				assert.LessOrEqual(t, utf8.RuneCountInString(code), maxExampleWidth, "%s: %s", name, code)
			}
		}
	}
	assert.Positive(t, examples)
}

var (
	exampleFile = regexp.MustCompile(`(?m)^func (Example|TestIsGreen\()`)
	anyExample  = regexp.MustCompile(`(?m)^func Example`)
	anotherDecl = regexp.MustCompile(`(?m)^(?:type|func (?:\(|[a-z]))`)
)

// isRecipe reports whether the whole file is shown, because its example uses other
// declarations in it, and not only the body of a function.
func isRecipe(source string) bool {
	return exampleFile.MatchString(source) && len(anyExample.FindAllString(source, -1)) <= 1 &&
		anotherDecl.MatchString(source)
}

// TestNothingIsLeftToFillIn checks that what internal/endpoint writes is complete: where it
// would compile, as in comments and in files of the tests, nobody else notices.
func TestNothingIsLeftToFillIn(t *testing.T) {
	for _, pattern := range []string{
		"*.go", "internal/wiretests/*.go", "internal/servicetests/*.go",
		"servicetest/*.go", "servicetest/testdata/*/*.txt", "testdata/*/*.json",
	} {
		for _, name := range glob(t, pattern) {
			assert.NotContains(t, readFile(t, name), "FILL_IN", name)
		}
	}
}
