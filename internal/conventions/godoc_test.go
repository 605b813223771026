package conventions

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/serviceapi/internal/inventory"
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
	"SCIMGroupID":  "a reference",
	"SerialNumber": "a number that is too long for an int64",
}

// TestEnumerationsShowTheirValues checks that the page of a type, and go doc -all, show every
// constant of the type below it.
func TestEnumerationsShowTheirValues(t *testing.T) {
	page := pageOfPackage(t)
	shown, enumerations := map[string]map[string]bool{}, 0
	for _, typ := range page.Types {
		shown[typ.Name] = map[string]bool{}
		for _, group := range typ.Consts {
			for _, name := range group.Names {
				shown[typ.Name][name] = true
			}
		}
		spec := typ.Decl.Specs[0].(*ast.TypeSpec)
		if of, ok := spec.Type.(*ast.Ident); ok && of.Name == "string" {
			enumerations++
			assert.Equal(t, notEnumerations[typ.Name] == "", len(shown[typ.Name]) > 0, "constants of %s", typ.Name)
		}
	}
	assert.Greater(t, enumerations, 100)
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
	listOfOptions = regexp.MustCompile(`Its options are ([^.]*)\.`)
	linkToOptions = regexp.MustCompile(`\[(\w+Options)\]`)
	linkToExample = regexp.MustCompile(`See the example of \[(\w+)\.(\w+)\]`)
	pathOfExample = regexp.MustCompile(`See (examples/recipes/\w+\.go)`)
)

// TestServicesNameTheirOptions checks that the comment of a service links to the options of
// its methods, and to no others, because go doc cuts long signatures, and that it names an
// example that calls the service.
func TestServicesNameTheirOptions(t *testing.T) {
	readsSource(t)
	comments := typeComments(parsePackage(t))
	examples := ""
	for _, name := range glob(t, "example*_test.go") {
		examples += readFile(t, name)
	}
	want := map[string][]string{}
	fields := map[string]string{}
	for service, method := range inventory.Methods(clientType) {
		name := service.Type.Elem().Name()
		fields[name] = service.Name
		for in := range method.Type.Ins() {
			if in.Kind() == reflect.Pointer {
				in = in.Elem()
			}
			if in.Kind() == reflect.Struct && strings.HasSuffix(in.Name(), "Options") {
				want[name] = append(want[name], in.Name())
			}
		}
	}
	require.Greater(t, len(fields), 70)
	for name, field := range fields {
		want[name] = slices.Compact(slices.Sorted(slices.Values(want[name])))
		if *update {
			nameOptions(t, name, want[name])
			continue
		}
		var linked []string
		list := listOfOptions.FindString(comments[name])
		for _, match := range linkToOptions.FindAllStringSubmatch(list, -1) {
			linked = append(linked, match[1])
		}
		slices.Sort(linked)
		assert.Equal(t, want[name], slices.Compact(linked), "options in the comment of %s; %s", name, regenerate)
		if match := linkToExample.FindStringSubmatch(comments[name]); match != nil {
			assert.Equal(t, name, match[1])
			assert.Contains(t, examples, "func Example"+match[1]+"_"+match[2]+"()", name)
			continue
		}
		match := pathOfExample.FindStringSubmatch(comments[name])
		if assert.NotNil(t, match, "%s: name an example", name) {
			assert.Regexp(t, `\.`+field+`\.[A-Z]\w+\(`, readFile(t, match[1]), "%s calls %s", match[1], name)
		}
	}
}

// nameOptions writes the options of a service into the last paragraph of its comment, if they
// are not there yet.
func nameOptions(t *testing.T, service string, options []string) {
	t.Helper()
	paragraph := regexp.MustCompile(`(?m)^// Its options are (?:.*\n// )*.*\n(?:type ` + service + ` )`)
	for _, file := range glob(t, "*.go") {
		text := readFile(t, file)
		found := paragraph.FindString(text)
		if found == "" || len(options) == 0 {
			continue
		}
		comment, typ := found[:strings.LastIndex(found, "type ")], found[strings.LastIndex(found, "type "):]
		line := strings.Join(strings.Fields(strings.ReplaceAll(comment, "// ", " ")), " ")
		links := "[" + strings.Join(options, "], [") + "]"
		if last := strings.LastIndex(links, ", "); last > 0 {
			links = links[:last] + " and" + links[last+1:]
		}
		named := listOfOptions.ReplaceAllString(line, "Its options are "+links+".")
		if named != line {
			text = strings.Replace(text, found, wrapped(named)+typ, 1)
			require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		}
	}
}

// wrapped writes text as lines of a comment.
func wrapped(text string) string {
	lines := []string{"//"}
	for word := range strings.FieldsSeq(text) {
		if last := lines[len(lines)-1]; len(last)+len(word) > 90 {
			lines = append(lines, "//")
		}
		lines[len(lines)-1] += " " + word
	}
	return strings.Join(lines, "\n") + "\n"
}
