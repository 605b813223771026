package conventions

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"example.com/serviceapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMigrationPage checks that whatever the page names of the library exists,
// and that it names every list and something of every service.
func TestMigrationPage(t *testing.T) {
	page, err := os.ReadFile("docs/migration.md")
	require.NoError(t, err)
	named := map[string]bool{}
	for _, match := range regexp.MustCompile(
		"`(client\\.[A-Z]\\w+\\.[A-Z]\\w+|serviceapi\\.[A-Z]\\w+)").FindAllStringSubmatch(string(page), -1) {
		named[match[1]] = true
	}
	for _, name := range namedInCode(string(page)) {
		named[name] = true
	}
	exported := exportedNames(t)
	client := reflect.TypeFor[serviceapi.Client]()
	services := map[string]bool{}
	for name := range named {
		part := strings.Split(name, ".")
		if part[0] == "serviceapi" {
			assert.True(t, exported[part[1]], name)
			continue
		}
		field, ok := client.FieldByName(part[1])
		if assert.True(t, ok, name) {
			_, ok = field.Type.MethodByName(part[2])
			assert.True(t, ok, name)
			services[part[1]] = true
		}
	}
	for field := range client.Fields() {
		if !field.IsExported() {
			continue
		}
		assert.True(t, services[field.Name], "nothing of %s is named", field.Name)
		for method := range field.Type.Methods() {
			if strings.HasPrefix(method.Name, "All") && method.Name != "AllowedAgents" {
				assert.True(t, named["client."+field.Name+"."+method.Name], "%s.%s is not named", field.Name,
					method.Name)
			}
		}
	}
}

// namedInCode returns what the blocks of code name of this library.
func namedInCode(page string) []string {
	return nameOfOurs.FindAllString(ourCode(page), -1)
}

// ourCode returns the lines of code on a page that use this library: those below
// or before the comment "here".
func ourCode(page string) string {
	var lines strings.Builder
	code, ours := false, false
	for line := range strings.Lines(page) {
		switch {
		case strings.HasPrefix(line, "```"):
			code, ours = strings.HasPrefix(line, "```go"), false
			continue
		case strings.HasPrefix(line, "// client-go"):
			ours = false
		case strings.HasPrefix(line, "// here"):
			ours = true
		}
		if code && (ours || strings.HasSuffix(line, "// here\n")) {
			lines.WriteString(line)
		}
	}
	return lines.String()
}

var nameOfOurs = regexp.MustCompile(`\b(client\.[A-Z]\w+\.[A-Z]\w+|serviceapi\.[A-Z]\w+)`)

// exportedNames returns what the package declares at its top level.
func exportedNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	files, err := fs.Glob(os.DirFS("."), "*.go")
	require.NoError(t, err)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				names[n.Name.Name] = true
			case *ast.ValueSpec:
				for _, value := range n.Names {
					names[value.Name] = true
				}
			case *ast.FuncDecl:
				names[n.Name.Name] = names[n.Name.Name] || n.Recv == nil
				return false
			}
			return true
		})
	}
	return names
}

func TestNamedInCode(t *testing.T) {
	const page = "`serviceapi.Text`\n```go\n// client-go\nclient.Jobs.GetJob(7)\n\n// here\nclient.Jobs.Get(ctx, " +
		"serviceapi.ProjectID(7))\n```\n" +
		"client.Not.Code\n```go\nclient.Area.Theirs() // client-go\nclient.Area.Ours() // here\n```\n"
	assert.Equal(t, []string{"client.Jobs.Get", "serviceapi.ProjectID", "client.Area.Ours"}, namedInCode(page))
}
