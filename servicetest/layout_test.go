package servicetest_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestLayout checks that the service imports only the standard library and its
// own internal packages, that these do not import the service or each other, except
// that collections are built on the frame, and that there are no init functions.
func TestLayout(t *testing.T) {
	const engines = "example.com/serviceapi/servicetest/internal/"
	files, inFrame := 0, 0
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
			onFrame := strings.HasPrefix(path, "internal/collection") && imported == engines+"frame"
			if !isStandard && !onFrame && (isEngine || !strings.HasPrefix(imported, engines)) {
				t.Errorf("%s imports %s", path, imported)
			}
			inFrame += strings.Count(path, "internal/frame/")
		}
		for _, decl := range file.Decls {
			if f, isFunc := decl.(*ast.FuncDecl); isFunc && f.Recv == nil && f.Name.Name == "init" {
				t.Errorf("%s has an init function", path)
			}
		}
		return nil
	})
	if err != nil || files < 80 || inFrame < 20 {
		t.Errorf("%d files, %d imports of the frame, %v", files, inFrame, err)
	}
}

// TestFileNames checks that a file whose name has a suffix belongs to the area before
// it, or is one that the guide in service.go names, that there are not too many
// files, and that none is long, except for the table of routes.
func TestFileNames(t *testing.T) {
	guide, err := os.ReadFile("service.go")
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	exists := func(name string) bool { return slices.Contains(names, name) }
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		base := strings.TrimSuffix(name, ".go")
		placed := !strings.Contains(base, "_") || strings.Contains(string(guide), name)
		for i, c := range base {
			placed = placed || c == '_' && exists(base[:i]+".go")
		}
		if !placed {
			t.Errorf("%s belongs to no area", name)
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if lines := bytes.Count(source, []byte("\n")); lines > 600 && name != "routes.go" {
			t.Errorf("%s has %d lines", name, lines)
		}
	}
}
