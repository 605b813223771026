package conventions

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/serviceapi/internal/inventory"
	"example.com/serviceapi/internal/roles"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pageOfPackage returns the documentation of the package, as go doc and the page show it.
func pageOfPackage(t *testing.T) *doc.Package {
	t.Helper()
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range slices.Sorted(maps.Keys(parsePackage(t).Files)) {
		file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		require.NoError(t, err)
		files = append(files, file)
	}
	page, err := doc.NewFromFiles(set, files, "example.com/serviceapi")
	require.NoError(t, err)
	return page
}

// notEnumerations are types of strings without constants, and why.
var notEnumerations = map[string]string{
	"ChangesCount": "a number that may end in a plus",
	"GlobalID":     "a reference",

	"GranularPermission": "hundreds of names, which the service lists",

	"SCIMGroupID":  "a reference",
	"SerialNumber": "a number that is too long for an int64",
}

// TestEnumerationsShowTheirValues checks that the page of a type, and go doc -all, show every
// constant of the type below it.
// TestCommentsAgreeWithErrors checks that the role that a comment names is the one that an error
// does.
func TestCommentsAgreeWithErrors(t *testing.T) {
	named := regexp.MustCompile(`(?:^|[.] )(?:It|The call) requires (?:the (\w+) role|an (administrator))[.]`)
	agreed := 0
	for _, f := range parsePackage(t).Funcs {
		match := named.FindStringSubmatch(strings.Join(strings.Fields(f.Doc.Text()), " "))
		if match == nil {
			continue
		}
		for _, line := range inventory.EndpointLines(f) {
			method, template, _ := strings.Cut(line, " ")
			if role := roles.Of(method, template); role != "" { // otherwise the error names none
				assert.Equal(t, strings.ToLower(match[1]+match[2]), role, "%s, %s", f.Name.Name, line)
				agreed++
			}
		}
	}
	assert.Greater(t, agreed, 50)
}

func TestEnumerationsShowTheirValues(t *testing.T) {
	page := pageOfPackage(t)
	shown := map[string]map[string]bool{}
	for _, typ := range page.Types {
		shown[typ.Name] = map[string]bool{}
		for _, group := range typ.Consts {
			for _, name := range group.Names {
				shown[typ.Name][name] = true
			}
		}
		spec := typ.Decl.Specs[0].(*ast.TypeSpec)
		if of, ok := spec.Type.(*ast.Ident); ok && of.Name == "string" {
			assert.Equal(t, notEnumerations[typ.Name] == "", len(shown[typ.Name]) > 0, "constants of %s", typ.Name)
		}
	}
	for _, file := range parsePackage(t).Files {
		for _, decl := range file.Decls {
			group, ok := decl.(*ast.GenDecl)
			if !ok || group.Tok != token.CONST {
				continue
			}
			for _, spec := range group.Specs {
				value := spec.(*ast.ValueSpec)
				if of, ok := value.Type.(*ast.Ident); ok && value.Names[0].IsExported() && shown[of.Name] != nil {
					name := value.Names[0].Name
					assert.True(t, shown[of.Name][name], "%s is not below %s", name, of.Name)
				}
			}
		}
	}
}

var (
	linkToExample   = regexp.MustCompile(`See the example of \[(\w+)\.(\w+)\]`)
	recipeOfService = regexp.MustCompile(`See (?:recipe (\d+) of docs/cookbook\.md, )?the example (\w+) ` +
		`(?:in (\w+\.go) )?of \[example\.com/serviceapi/examples/recipes\]\.`)
)

// TestServicesNameAnExample checks that the comment of a service names an example that calls it,
// and that documentation shows: one of the package, or one of the package of the recipes. Of these,
// go doc shows none, so the comment has the number of its recipe in the cookbook, or its file if no
// recipe shows code of this file that calls the service.
func TestServicesNameAnExample(t *testing.T) {
	comments := parsePackage(t).TypeComments()
	examples := ""
	for _, name := range glob(t, "example*_test.go") {
		examples += readFile(t, name)
	}
	for field := range clientType.Fields() {
		if !field.IsExported() {
			continue
		}
		name := field.Type.Elem().Name()
		if match := linkToExample.FindStringSubmatch(comments[name]); match != nil {
			assert.Equal(t, name, match[1])
			assert.Contains(t, examples, "func Example"+match[1]+"_"+match[2]+"()", name)
			continue
		}
		comment := strings.Join(strings.Fields(comments[name]), " ")
		match := recipeOfService.FindStringSubmatch(comment)
		if !assert.NotNil(t, match, "%s: name an example", name) {
			continue
		}
		calls := `\.` + field.Name + `\.[A-Z]\w+\(`
		file, text := fileOfExample(t, match[2])
		assert.Regexp(t, calls, text, "%s calls %s", match[2], name)
		var numbers []string // of the recipes with this file
		for section := range strings.SplitSeq(readFile(t, "docs/cookbook.md"), "\n## ") {
			if strings.Contains(section, "<!-- "+file+":") && regexp.MustCompile(calls).MatchString(section) {
				number, _, _ := strings.Cut(section, ". ")
				numbers = append(numbers, number)
			}
		}
		if len(numbers) > 0 {
			assert.Contains(t, numbers, match[1], "%s: the recipe that shows its example", name)
			assert.Empty(t, match[3], "%s: the number of the recipe is enough", name)
			continue
		}
		assert.Equal(t, []string{"", file}, []string{match[1], match[3]}, "%s: the file of its example", name)
	}
}

// fileOfExample returns the name and the text of the file among the recipes that has an example,
// by the name that documentation shows.
func fileOfExample(t *testing.T, shown string) (name, text string) {
	for _, path := range glob(t, recipes+"*_test.go") {
		text := readFile(t, path)
		if strings.Contains(text, "\nfunc Example_"+strings.ToLower(shown[:1])+shown[1:]+"() {") {
			return filepath.Base(path), text
		}
	}
	assert.Fail(t, "there is no such example", shown)
	return "", ""
}
