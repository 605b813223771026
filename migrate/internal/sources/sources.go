// Package sources reads the sources of this library and of client-go, so that the table of
// counterparts can be compared with both. Only tests and authors of the table use it.
package sources

import (
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A Library has the declarations of a library.
type Library struct {
	Package  *types.Package
	Services map[string]*Service // by field name of the client
}

// A Service is a field of the client.
type Service struct {
	Name    string
	Methods map[string]*Method
}

// A Method is a method of a service.
type Method struct {
	Name      string
	Signature *types.Signature
	Endpoints []string // such as "GET /projects/:/jobs/:", without names of parameters
}

// Method returns a method by the names of its service and its own, such as
// "Jobs.Get", or nil.
func (l *Library) Method(name string) *Method {
	service, method, _ := strings.Cut(name, ".")
	if s := l.Services[service]; s != nil {
		return s.Methods[method]
	}
	return nil
}

// All returns every method, by the names of its service and its own.
func (l *Library) All() map[string]*Method {
	all := map[string]*Method{}
	for _, service := range l.Services {
		for _, method := range service.Methods {
			all[service.Name+"."+method.Name] = method
		}
	}
	return all
}

// Object returns the object with a name at the top level, or nil.
func (l *Library) Object(name string) types.Object { return l.Package.Scope().Lookup(name) }

// Fields returns the fields of a struct, including those of embedded structs. It
// returns nil if the type is not a struct.
func (l *Library) Fields(name string) map[string]*types.Var {
	object, ok := l.Object(name).(*types.TypeName)
	if !ok {
		return nil
	}
	fields := map[string]*types.Var{}
	if !addFields(fields, object.Type()) {
		return nil
	}
	return fields
}

func addFields(fields map[string]*types.Var, t types.Type) bool {
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		t = pointer.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for field := range s.Fields() {
		if _, hidden := fields[field.Name()]; hidden || !field.Exported() {
			continue
		}
		if field.Embedded() {
			addFields(fields, field.Type())
		}
		fields[field.Name()] = field
	}
	return true
}

// parse reads the Go files of a folder, without its tests.
func parse(set *token.FileSet, dir string) ([]*ast.File, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// check returns the types that the files declare. Imports from outside the standard
// library stay unknown, like everything that mentions them.
func check(set *token.FileSet, path string, files []*ast.File, imports *Imports) *types.Package {
	config := types.Config{IgnoreFuncBodies: true, Importer: imports, Error: func(error) {}}
	checked, _ := config.Check(path, set, files, nil)
	return checked
}

// Imports imports the standard library. Every other package is empty. Libraries whose types
// are compared share their Imports.
type Imports struct {
	std   types.Importer
	known map[string]*types.Package
}

// NewImports returns empty Imports.
func NewImports() *Imports {
	return &Imports{std: importer.Default(), known: map[string]*types.Package{}}
}

// Import implements [types.Importer].
func (i *Imports) Import(path string) (*types.Package, error) {
	if found := i.known[path]; found != nil {
		return found, nil
	}
	first, _, _ := strings.Cut(path, "/")
	if !strings.Contains(first, ".") {
		return i.std.Import(path)
	}
	name := path[strings.LastIndex(path, "/")+1:]
	if regexp.MustCompile(`^v\d+$`).MatchString(name) {
		name = filepath.Base(filepath.Dir(path))
	}
	empty := types.NewPackage(path, strings.TrimPrefix(name, "go-"))
	empty.MarkComplete()
	i.known[path] = empty
	return empty, nil
}

// functions returns the methods that the files declare, by "type.name", and the
// functions, by their name.
func functions(files []*ast.File) map[string]*ast.FuncDecl {
	found := map[string]*ast.FuncDecl{}
	for _, file := range files {
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			name := fn.Name.Name
			if fn.Recv != nil {
				receiver := fn.Recv.List[0].Type
				if star, ok := receiver.(*ast.StarExpr); ok {
					receiver = star.X
				}
				if ident, ok := receiver.(*ast.Ident); ok {
					name = ident.Name + "." + name
				}
			}
			found[name] = fn
		}
	}
	return found
}

var (
	// verbs matches parameters of a path in a format of client-go.
	verbs = regexp.MustCompile(`%[sdv]`)
	// names matches parameters of a path of this library.
	names = regexp.MustCompile(`[:*][a-z_]+`)
)

// plain returns a path in which all parameters look the same.
func plain(path string) string {
	path, _, _ = strings.Cut(path, "?")
	path = "/" + strings.Trim(path, "/")
	path = names.ReplaceAllString(verbs.ReplaceAllString(path, ":"), ":")
	path = strings.Replace(path, "/archive.:", "/archive:", 1) // in client-go, the parameter includes the period
	path = strings.Replace(path, "/ml_models/:/files/:/:", "/ml_models/:/files/:", 1)
	return strings.ReplaceAll(path, "/-/search", "/search")
}

// Same reports whether two endpoints may be the same: Some paths of client-go have a
// parameter where this library has separate paths.
func Same(old, new string) bool {
	a, b := strings.Split(old, "/"), strings.Split(new, "/")
	return slices.EqualFunc(a, b, func(x, y string) bool { return x == y || x == ":" })
}

// text returns the value of a string literal.
func text(e ast.Expr) (string, bool) {
	literal, ok := e.(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return "", false
	}
	value := constant.MakeFromLiteral(literal.Value, token.STRING, 0)
	return constant.StringVal(value), true
}
