package servicetest_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestLayout checks that the service imports only the standard library and its
// own internal packages, that these do not import the service, and that there
// are no init functions.
func TestLayout(t *testing.T) {
	const engines = "example.com/serviceapi/servicetest/internal/"
	files := 0
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files++
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		isEngine := strings.HasPrefix(path, "internal")
		for _, spec := range file.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			isStandard := !strings.Contains(imported, ".")
			if !isStandard && (isEngine || !strings.HasPrefix(imported, engines)) {
				t.Errorf("%s imports %s", path, imported)
			}
		}
		for _, decl := range file.Decls {
			if f, isFunc := decl.(*ast.FuncDecl); isFunc && f.Recv == nil && f.Name.Name == "init" {
				t.Errorf("%s has an init function", path)
			}
		}
		return nil
	})
	if err != nil || files < 80 {
		t.Errorf("%d files, %v", files, err)
	}
}
