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

	"example.com/serviceapi"
	"example.com/serviceapi/internal/inventory"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestOverviewLinksEveryService checks that the overview of the package links
// every service, and that each field of Client says what it is for.
func TestOverviewLinksEveryService(t *testing.T) {
	s := parsePackage(t)
	overview := s.Files["doc.go"].Doc.Text()
	services := 0
	for _, field := range s.Structs["Client"].Fields.List {
		if !ast.IsExported(field.Names[0].Name) {
			continue
		}
		services++
		name := strings.TrimPrefix(typeText(field.Type), "*")
		assert.Contains(t, overview, "["+name+"]", "the overview does not link %s", name)
		assert.True(t, strings.HasPrefix(field.Doc.Text(), field.Names[0].Name+" "), "Client.%s has no comment",
			field.Names[0].Name)
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
	assert.Greater(t, examples, 30)
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

// TestChangelogHasVersion checks that the changelog has a dated entry for the
// version of the library.
func TestChangelogHasVersion(t *testing.T) {
	data, err := os.ReadFile("CHANGELOG.md")
	require.NoError(t, err)
	assert.Regexp(t, `(?m)^## v`+regexp.QuoteMeta(serviceapi.Version)+` \(\d{4}-\d\d-\d\d\)$`, string(data))
}

var (
	codeSpan = regexp.MustCompile("`[^`]+`")
	apiName  = regexp.MustCompile(`\b[A-Z]\w*(\.[A-Z]\w*)?`)
)

// TestChangelogIsTrue checks that every name in the column "now" of the changelog
// exists, which is what a program has to write.
func TestChangelogIsTrue(t *testing.T) {
	names := listedInAPI(t)
	rows := 0
	for line := range strings.Lines(readFile(t, "CHANGELOG.md")) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		if !strings.HasPrefix(line, "| ") || len(cells) != 3 || strings.Contains(line, "---") {
			continue
		}
		rows++
		for _, span := range codeSpan.FindAllString(cells[1], -1) {
			for _, name := range apiName.FindAllString(span, -1) {
				assert.True(t, names[name], "%s does not exist: %s", name, line)
			}
		}
	}
	assert.Greater(t, rows, 20)
}

// listedInAPI returns the names in api.txt, such as Jobs.Get, Job, Job.ID, Get
// and ID. A struct also has the fields of one that it embeds.
func listedInAPI(t *testing.T) map[string]bool {
	t.Helper()
	names, fields, embedded := map[string]bool{}, map[string][]string{}, [][2]string{}
	listed := regexp.MustCompile(`^(?:const|var|type|func) (?:\((?:\w+ )?\*?(\w+)(?:\[\w+\])?\) )?(\w+)(?: struct, ` +
		`(embeds )?(\w+))?`)
	for line := range strings.Lines(readFile(t, "api.txt")) {
		match := listed.FindStringSubmatch(line)
		require.NotNil(t, match, line)
		owner, member := match[1], match[2]
		if owner == "" && match[4] != "" {
			owner, member = match[2], match[4]
			fields[owner] = append(fields[owner], member)
		}
		if match[3] != "" {
			embedded = append(embedded, [2]string{owner, member})
		}
		names[member] = true
		if owner != "" {
			names[strings.TrimSuffix(owner, "Service")+"."+member] = true
		}
	}
	for _, pair := range embedded {
		for _, member := range fields[pair[1]] {
			names[pair[0]+"."+member] = true
		}
	}
	return names
}

// TestNamedFilesExist checks that the files which the pages for maintainers name
// exist.
func TestNamedFilesExist(t *testing.T) {
	exists := map[string]bool{}
	require.NoError(t, fs.WalkDir(os.DirFS("."), ".", func(path string, _ fs.DirEntry, err error) error {
		exists[path], exists[path[strings.LastIndexByte(path, '/')+1:]] = true, true
		exists[strings.TrimPrefix(path, "migrate/")] = true // as it is called there
		return err
	}))
	named := regexp.MustCompile(
		`\b(?:(?:servicetest/)?internal/)?\w[\w/]*\.(?:go|tsv|txt)\b|\b(?:servicetest/)?internal/\w+`)
	found := 0
	for _, page := range []string{"ARCHITECTURE.md", "CONTRIBUTING.md"} {
		data, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, name := range named.FindAllString(string(data), -1) {
			found++
			assert.True(t, exists[name], "%s names %s", page, name)
		}
	}
	assert.Greater(t, found, 30)
}
