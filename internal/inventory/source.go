// Package inventory lists what the root package declares, for the tests that
// check all of it: its source, and by reflection the methods of its services and
// what these return. It does not import the root package, so that the tests of
// that package can use it, too.
package inventory

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Root returns the folder of the module, which is the working directory of a test
// or a folder above it.
func Root() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		data, missing := os.ReadFile(filepath.Join(dir, "go.mod"))
		if missing == nil && strings.HasPrefix(string(data), "module example.com/serviceapi\n") {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			err = errors.New("the test runs outside the module")
		}
		dir = parent
	}
	return "", err
}

// Source is the parsed source of the root package, without its tests.
type Source struct {
	Files   map[string]*ast.File // by the name of the file
	Structs map[string]*ast.StructType
	Maps    map[string]bool // the types that are maps
	Funcs   []*ast.FuncDecl
}

// Parse reads the source of the root package.
func Parse() (*Source, error) {
	root, err := Root()
	if err != nil {
		return nil, err
	}
	return ParseDir(root)
}

// ParseDir reads the source of the package in a folder.
func ParseDir(dir string) (*Source, error) {
	names, err := fs.Glob(os.DirFS(dir), "*.go")
	if err != nil {
		return nil, err
	}
	s := &Source{Files: map[string]*ast.File{}, Structs: map[string]*ast.StructType{}, Maps: map[string]bool{}}
	set := token.NewFileSet()
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, filepath.Join(dir, name), nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		s.Files[name] = file
		for _, decl := range file.Decls {
			s.add(decl)
		}
	}
	return s, nil
}

func (s *Source) add(decl ast.Decl) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		s.Funcs = append(s.Funcs, d)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			if typ, ok := spec.(*ast.TypeSpec); ok {
				switch t := typ.Type.(type) {
				case *ast.StructType:
					s.Structs[typ.Name.Name] = t
				case *ast.MapType:
					s.Maps[typ.Name.Name] = true
				}
			}
		}
	}
}

// EndpointLine matches an endpoint in a doc comment: a line of the code block at
// its end.
var EndpointLine = regexp.MustCompile(`(?m)^\t((?:GET|HEAD|POST|PUT|PATCH|DELETE) (?:/|\{)\S*)$`)

// EndpointLines returns the endpoints that the doc comment of a function names,
// such as "GET /projects/:id/jobs".
func EndpointLines(f *ast.FuncDecl) []string {
	var lines []string
	for _, match := range EndpointLine.FindAllStringSubmatch(f.Doc.Text(), -1) {
		lines = append(lines, match[1])
	}
	return lines
}

// Receiver returns the name of the type that a method belongs to.
func Receiver(f *ast.FuncDecl) string {
	expr := f.Recv.List[0].Type
	if star, ok := expr.(*ast.StarExpr); ok {
		expr = star.X
	}
	if index, ok := expr.(*ast.IndexExpr); ok {
		expr = index.X
	}
	return expr.(*ast.Ident).Name
}

// Funcs returns the functions and methods of a file.
func Funcs(file *ast.File) (funcs []*ast.FuncDecl) {
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok {
			funcs = append(funcs, f)
		}
	}
	return funcs
}
