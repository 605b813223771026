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
	"reflect"
	"regexp"
	"strconv"
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
	switch index := expr.(type) {
	case *ast.IndexExpr:
		expr = index.X
	case *ast.IndexListExpr:
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

// Tag returns what the tag of a field has for a key.
func Tag(field *ast.Field, key string) string {
	if field.Tag == nil {
		return ""
	}
	text, err := strconv.Unquote(field.Tag.Value)
	if err != nil {
		return ""
	}
	return reflect.StructTag(text).Get(key)
}

// TagName returns the name that the tag of a field has for a key.
func TagName(field *ast.Field, key string) string {
	name, _, _ := strings.Cut(Tag(field, key), ",")
	return name
}

// TypeText returns a type as the source has it.
func TypeText(expr ast.Expr) string {
	switch e := expr.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.StarExpr:
		return "*" + TypeText(e.X)
	case *ast.SelectorExpr:
		return TypeText(e.X) + "." + e.Sel.Name
	case *ast.ArrayType:
		return "[]" + TypeText(e.Elt)
	case *ast.Ellipsis:
		return "..." + TypeText(e.Elt)
	case *ast.IndexExpr:
		return TypeText(e.X) + "[" + TypeText(e.Index) + "]"
	}
	return "?"
}

// TypeComments returns the comments of types, each on one line.
func (s *Source) TypeComments() map[string]string {
	comments := map[string]string{}
	for _, file := range s.Files {
		for _, decl := range file.Decls {
			if group, ok := decl.(*ast.GenDecl); ok && group.Tok == token.TYPE && len(group.Specs) == 1 {
				name := group.Specs[0].(*ast.TypeSpec).Name.Name
				comments[name] = strings.Join(strings.Fields(group.Doc.Text()), " ")
			}
		}
	}
	return comments
}
