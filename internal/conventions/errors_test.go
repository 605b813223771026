package conventions

import (
	"go/ast"
	"testing"

	"example.com/serviceapi/internal/inventory"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestErrorsAreMadeInOnePlace checks that no error with text of the service is made outside of the
// functions that hide what is secret in it. An error that has nothing but such an error in it can
// be made anywhere.
func TestErrorsAreMadeInOnePlace(t *testing.T) {
	// redacting are the files whose functions have a redactor.
	redacting := map[string]bool{"outcome.go": true, "oauth.go": true}
	// harmless are the functions that make an error, and why it shows no secret.
	harmless := map[string]string{
		"newRedirectError": "sending redacts it", "verify": "decodeError redacts it",
		"check":       "Download.broken redacts it",
		"checkMember": "it is redacted there", "newGraphQLError": "its text is that of a redacted body",
		"Wait": "it has the result, as decoded, that the method returns as well",
		"wait": "as Wait", "WaitForStop": "as Wait", "WaitForRebase": "as Wait", "WaitUntilMergeable": "as Wait",
	}
	source, err := inventory.Parse()
	require.NoError(t, err)
	used, made := map[string]bool{}, 0
	for name, file := range source.Files {
		if redacting[name] {
			continue
		}
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(fn, func(node ast.Node) bool {
				literal, ok := node.(*ast.CompositeLit)
				if !ok || !isErrorType(literal) {
					return true
				}
				made++
				if _, ok := harmless[fn.Name.Name]; ok {
					used[fn.Name.Name] = true
					return true
				}
				for _, element := range literal.Elts {
					pair, _ := element.(*ast.KeyValueExpr)
					if assert.NotNil(t, pair, "%s: a field without its name", fn.Name.Name) {
						field := pair.Key.(*ast.Ident).Name
						assert.Contains(t, []string{"Err", "Ref", "Default", "Code", "Reason", "Argument", "Problem",
							"MergeRequest", "Lock"}, field,
							"%s: %s makes an error with text outside of outcome.go", name, fn.Name.Name)
					}
				}
				return true
			})
		}
	}
	assert.Greater(t, made, 10)
	for fn := range harmless {
		assert.True(t, used[fn], "%s makes no error any more", fn)
	}
}

// isErrorType reports whether a literal is of an exported type of errors.
func isErrorType(literal *ast.CompositeLit) bool {
	typ, ok := literal.Type.(*ast.Ident)
	return ok && typ.Name != "ArgumentError" && ast.IsExported(typ.Name) &&
		len(typ.Name) >= len("Error") && typ.Name[len(typ.Name)-len("Error"):] == "Error"
}
