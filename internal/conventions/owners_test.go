package conventions

import (
	"go/ast"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/serviceapi/internal/inventory"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A method whose options have a field that only some owners take checks it.
func TestOptionsForSomeOwnersAreChecked(t *testing.T) {
	s := parsePackage(t)
	marked := map[string]bool{}
	for name, st := range s.Structs {
		doc := ""
		for _, field := range st.Fields.List {
			// A comment may also be for the following fields.
			if field.Doc != nil {
				doc = field.Doc.Text()
			}
			only := tag(field, "only")
			if only == "" {
				continue
			}
			marked[name] = true
			for kind := range strings.SplitSeq(only, ",") {
				assert.Contains(t, []string{"project", "group", "user", "instance", "own"}, kind, "%s: a kind of owner", name)
			}
			assert.Regexp(t, `Instance|Own|ProjectRef|GroupRef|UserRef`, doc, "%s: the comment of a field says which owners take it", name)
		}
	}
	require.NotEmpty(t, marked)
	checked := 0
	for _, f := range s.Funcs {
		if f.Recv == nil || len(inventory.EndpointLines(f)) == 0 {
			continue
		}
		for _, p := range f.Type.Params.List {
			name := strings.TrimPrefix(typeText(p.Type), "*")
			if !marked[name] {
				continue
			}
			checked++
			assert.True(t, calls(f, "queryFor", "jsonFor"), "%s.%s: %s has fields for some owners only", inventory.Receiver(f), f.Name.Name, name)
		}
	}
	assert.Greater(t, checked, 5)
}

func calls(f *ast.FuncDecl, names ...string) bool {
	found := false
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if name, ok := call.Fun.(*ast.Ident); ok {
				found = found || slices.Contains(names, name.Name)
			}
		}
		return !found
	})
	return found
}

var namesAnOwner = regexp.MustCompile(`For(Project|Group|User|Instance)$`)

// Check that the owner is an argument, not a part of the name.
func TestOwnersAreArguments(t *testing.T) {
	for _, f := range parsePackage(t).Funcs {
		if f.Recv != nil && ast.IsExported(f.Name.Name) {
			assert.NotRegexp(t, namesAnOwner, f.Name.Name, "%s", inventory.Receiver(f))
		}
	}
}
