package conventions

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestEveryServiceHasAnExample checks that an example, on the page of the package or
// among the recipes, calls a method of each service.
func TestEveryServiceHasAnExample(t *testing.T) {
	shown := map[string]bool{}
	examples := map[string]int{}
	for _, pattern := range []string{"*_test.go", recipes + "*_test.go"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, name := range files {
			if source := readFile(t, name); exampleFile.MatchString(source) {
				examples[pattern] += len(anyExample.FindAllString(source, -1))
				collectCalls(t, name, source, shown)
			}
		}
	}
	services := 0
	for field := range clientType.Fields() {
		if field.IsExported() {
			services++
			assert.True(t, shown[field.Name], "no example calls a method of Client.%s", field.Name)
		}
	}
	assert.Greater(t, services, 20)
	assert.LessOrEqual(t, examples["*_test.go"], services,
		"on the page of the package are the examples that a reader looks for first")
	assert.Greater(t, examples[recipes+"*_test.go"], 60)
}

// collectCalls notes the fields of clients whose methods a file calls: Jobs in
// client.Jobs.Get().
func collectCalls(t *testing.T, name, source string, into map[string]bool) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution)
	require.NoError(t, err)
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if method, ok := call.Fun.(*ast.SelectorExpr); ok {
			if service, ok := method.X.(*ast.SelectorExpr); ok {
				into[service.Sel.Name] = true
			}
		}
		return true
	})
}
