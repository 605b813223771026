package conventions

import (
	"go/ast"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestEnumerations compares the constants of every string type with the values that the API
// documents, in both directions. A value with a typing error would be sent, or never be
// found in a response, and no other test writes each of them down.
func TestEnumerations(t *testing.T) {
	constants := map[string][]string{}
	for _, file := range parsePackage(t).Files {
		for _, decl := range file.Decls {
			if group, ok := decl.(*ast.GenDecl); ok && group.Tok == token.CONST {
				for _, spec := range group.Specs {
					addConstant(t, constants, spec.(*ast.ValueSpec))
				}
			}
		}
	}
	documented := documentedValues(t)
	for name, values := range constants {
		assert.ElementsMatch(t, documented[name], values, "%s: listed in testdata/enumerations.tsv, and declared", name)
	}
	for name := range documented {
		assert.Contains(t, constants, name)
	}
}

// documentedValues returns the values of the enumerations in testdata/enumerations.tsv.
func documentedValues(t *testing.T) map[string][]string {
	t.Helper()
	documented := map[string][]string{}
	data, err := os.ReadFile("testdata/enumerations.tsv")
	require.NoError(t, err)
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		columns := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		require.Contains(t, []int{2, 3}, len(columns), line)
		documented[columns[0]] = strings.Split(columns[1], "|")
	}
	require.NotEmpty(t, documented)
	return documented
}

// addConstant notes a constant of an exported type that has the form of a string.
func addConstant(t *testing.T, constants map[string][]string, spec *ast.ValueSpec) {
	t.Helper()
	typ, ok := spec.Type.(*ast.Ident)
	if !ok || !typ.IsExported() || len(spec.Values) != 1 {
		return
	}
	if text, ok := spec.Values[0].(*ast.BasicLit); ok && text.Kind == token.STRING {
		value, err := strconv.Unquote(text.Value)
		require.NoError(t, err)
		constants[typ.Name] = append(constants[typ.Name], value)
	}
}
