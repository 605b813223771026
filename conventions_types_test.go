package serviceapi

import (
	"go/ast"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestExportedTypesAreOurs checks that exported types do not contain types of
// dependencies, whose changes would affect users of the library. The exception
// are token sources of oauth2, which callers already have.
func TestExportedTypesAreOurs(t *testing.T) {
	for name, file := range parsePackage(t).files {
		foreign := map[string]string{}
		for _, spec := range file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			host, _, _ := strings.Cut(path, "/")
			if !strings.Contains(host, ".") || path == "golang.org/x/oauth2" {
				continue
			}
			local := path[strings.LastIndexByte(path, '/')+1:]
			if spec.Name != nil {
				local = spec.Name.Name
			}
			foreign[local] = path
		}
		if !ast.FileExports(file) {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if body, ok := n.(*ast.BlockStmt); ok && body != nil {
				return false
			}
			if selector, ok := n.(*ast.SelectorExpr); ok {
				if pkg, ok := selector.X.(*ast.Ident); ok {
					assert.Empty(t, foreign[pkg.Name], "%s: %s.%s is exported", name, pkg.Name, selector.Sel.Name)
				}
			}
			return true
		})
	}
}
