package sources

import (
	"fmt"
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// New loads this library from its folder, its package for webhooks, and the packages of
// the standard library that client-go names in its signatures.
func New(dir string) (library, webhook *Library, std map[string]*types.Package, err error) {
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedTypes |
			packages.NeedSyntax | packages.NeedExportFile,
		Dir: dir,
	}, ".", "./webhook", "bytes", "context", "encoding/json", "io", "log/slog", "net/http", "net/url", "time")
	if err != nil {
		return nil, nil, nil, err
	}
	std = map[string]*types.Package{}
	for _, p := range loaded {
		for _, failure := range p.Errors {
			return nil, nil, nil, failure
		}
		switch p.PkgPath {
		case "example.com/serviceapi":
			library = newLibrary(p)
		case "example.com/serviceapi/webhook":
			webhook = &Library{Package: p.Types}
		default:
			std[p.PkgPath] = p.Types
		}
	}
	if library == nil || webhook == nil {
		return nil, nil, nil, fmt.Errorf("%s is not the folder of the library", dir)
	}
	return library, webhook, std, nil
}

func newLibrary(p *packages.Package) *Library {
	library := &Library{Package: p.Types, Services: map[string]*Service{}}
	funcs := functions(p.Syntax)
	client := library.Object("Client").Type().Underlying().(*types.Struct)
	for field := range client.Fields() {
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
	return library
}

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
