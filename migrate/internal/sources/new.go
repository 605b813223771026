package sources

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// New reads this library and its webhook package from their folder.
func New(dir string, imports *Imports) (library, webhook *Library, err error) {
	set := token.NewFileSet()
	files, err := parse(set, dir)
	if err != nil {
		return nil, nil, err
	}
	library = &Library{Package: check(set, modulePath, files, imports), Services: map[string]*Service{}}
	client, ok := library.Object("Client").(*types.TypeName)
	if !ok {
		return nil, nil, fmt.Errorf("%s is not the folder of the library", dir)
	}
	funcs := functions(files)
	for field := range client.Type().Underlying().(*types.Struct).Fields() {
		pointer, ok := field.Type().(*types.Pointer)
		if !field.Exported() || !ok {
			continue
		}
		named := pointer.Elem().(*types.Named)
		service := &Service{Name: field.Name(), Methods: map[string]*Method{}}
		for method := range named.Methods() {
			if method.Exported() {
				service.Methods[method.Name()] = &Method{
					Name:      method.Name(),
					Signature: method.Signature(),
					Endpoints: commented(funcs[named.Obj().Name()+"."+method.Name()]),
				}
			}
		}
		library.Services[field.Name()] = service
	}
	imports.known[modulePath] = library.Package
	if files, err = parse(set, filepath.Join(dir, "webhook")); err != nil {
		return nil, nil, err
	}
	return library, &Library{Package: check(set, modulePath+"/webhook", files, imports)}, nil
}

// modulePath is the path of this library.
const modulePath = "example.com/serviceapi"

var endpoint = regexp.MustCompile(`(?m)^\s+(HEAD|GET|POST|PUT|PATCH|DELETE) (/\S*)$`)

// commented returns the endpoints that the comment of a method names.
func commented(fn *ast.FuncDecl) []string {
	var found []string
	for _, match := range endpoint.FindAllStringSubmatch(fn.Doc.Text(), -1) {
		found = append(found, match[1]+" "+plain(strings.TrimPrefix(match[2], "/api/v4")))
	}
	slices.Sort(found)
	return slices.Compact(found)
}
