package conventions

import (
	"go/ast"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestErrorsAreMadeInOnePlace checks that no error with text of the service is made outside of the
// functions that hide what is secret in it. An error that has nothing but such an error in it can
// be made anywhere, and so can one whose text goes through the redactor where it is made.
func TestErrorsAreMadeInOnePlace(t *testing.T) {
	// redacting are the files whose functions have a redactor.
	redacting := map[string]bool{"outcome.go": true, "oauth.go": true}
	// harmless are the functions that make an error, and why it shows no secret.
	harmless := map[string]string{
		"newRedirectError": "sending redacts it", "verify": "decodeError redacts it",
		"check":             "Download.broken redacts it",
		"refusedTransition": "the states are those of the call and of a redacted message",
		"checkMember":       "it is redacted there", "newGraphQLError": "its text is that of a redacted body",
	}
	withoutText := []string{"Err", "Ref", "Default", "Code", "Reason", "Argument", "Problem", "Lock"}
	source := parsePackage(t)
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
						assert.True(t, slices.Contains(withoutText, field) || isRedacted(pair.Value),
							"%s: %s makes an error with text outside of outcome.go: %s", name, fn.Name.Name, field)
					}
				}
				return true
			})
		}
	}
	assert.Positive(t, made)
	for fn := range harmless {
		assert.True(t, used[fn], "%s makes no error any more", fn)
	}
}

// isRedacted reports whether a value is what hidden(…) or ….redaction().Hide(…) returns.
func isRedacted(value ast.Expr) bool {
	call, ok := value.(*ast.CallExpr)
	if !ok {
		return false
	}
	if fn, ok := call.Fun.(*ast.Ident); ok {
		return fn.Name == "hidden"
	}
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || method.Sel.Name != "Hide" {
		return false
	}
	redaction, ok := method.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	getter, ok := redaction.Fun.(*ast.SelectorExpr)
	return ok && getter.Sel.Name == "redaction"
}

// isErrorType reports whether a literal is of an exported type of errors.
func isErrorType(literal *ast.CompositeLit) bool {
	typ, ok := literal.Type.(*ast.Ident)
	return ok && typ.Name != "ArgumentError" && ast.IsExported(typ.Name) &&
		len(typ.Name) >= len("Error") && typ.Name[len(typ.Name)-len("Error"):] == "Error"
}
