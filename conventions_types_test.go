package serviceapi

import (
	"go/ast"
	"go/token"
	"regexp"
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

// fact is something that users of a field need to know.
var fact = regexp.MustCompile(`(?i)premium|administrator|release|offering|following fields`)

// TestHeadingsInTypesSayNothingMore checks that what users need to know about a
// field is in its own comment or in that of its type. The headings between the
// fields are not part of the documentation that go doc shows.
func TestHeadingsInTypesSayNothingMore(t *testing.T) {
	headings := 0
	for name, file := range parsePackage(t).files {
		ast.Inspect(file, func(n ast.Node) bool {
			st, ok := n.(*ast.StructType)
			if !ok {
				return true
			}
			shown := map[*ast.CommentGroup]bool{}
			for _, field := range st.Fields.List {
				shown[field.Doc], shown[field.Comment] = true, true
			}
			for _, comment := range file.Comments {
				if comment.Pos() > st.Pos() && comment.End() < st.End() && !shown[comment] {
					headings++
					assert.NotRegexp(t, fact, comment.Text(), name)
				}
			}
			return true
		})
	}
	assert.Positive(t, headings)
}

// TestConstantsBeginWithTheirType checks that the name of a constant is that of
// its type and then the value, so that a reader who knows one knows both.
func TestConstantsBeginWithTheirType(t *testing.T) {
	constants := 0
	for _, file := range parsePackage(t).files {
		for _, decl := range file.Decls {
			group, ok := decl.(*ast.GenDecl)
			if !ok || group.Tok != token.CONST {
				continue
			}
			for _, spec := range group.Specs {
				value := spec.(*ast.ValueSpec)
				if value.Type == nil || !value.Names[0].IsExported() {
					continue
				}
				constants++
				assert.Regexp(t, "^"+typeText(value.Type)+"[A-Z0-9]", value.Names[0].Name)
			}
		}
	}
	assert.Greater(t, constants, 350)
}
