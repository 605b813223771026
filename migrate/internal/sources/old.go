package sources

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// OldDir returns the folder with the source of a version of client-go. A file in testdata such
// as "v2.mod" names the version, so that no module depends on it.
func OldDir(dir, version string) (string, error) {
	mod, err := filepath.Abs(filepath.Join(dir, version+".mod"))
	if err != nil {
		return "", err
	}
	cmd := exec.Command("go", "mod", "download", "-modfile="+mod, "-json")
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	cmd.Dir = dir
	var problems strings.Builder
	cmd.Stderr = &problems
	output, err := cmd.Output()
	var module struct{ Dir, Error string }
	if err != nil {
		_ = json.Unmarshal(output, &module) // may say more than the status
		return "", fmt.Errorf("go mod download for %s: %w: %s", version, err,
			strings.TrimSpace(module.Error+" "+problems.String()))
	}
	if err := json.Unmarshal(output, &module); err != nil {
		return "", fmt.Errorf("the output for %s: %w", version, err)
	}
	if module.Error != "" {
		return "", fmt.Errorf("%s: %s", version, module.Error)
	}
	return module.Dir, nil
}

// Old reads a version of client-go from a folder.
func Old(dir string, imports *Imports) (*Library, error) {
	set := token.NewFileSet()
	files, err := parse(set, dir)
	if err != nil {
		return nil, err
	}
	old := &oldSource{funcs: functions(files), helpers: map[string]*ast.FuncDecl{}, texts: stringsOf(files)}
	for _, fn := range old.funcs {
		if !fn.Name.IsExported() {
			old.helpers[fn.Name.Name] = fn
		}
	}
	library := &Library{Package: check(set, "old", files, imports), Services: map[string]*Service{}}
	client, ok := library.Object("Client").(*types.TypeName)
	if !ok {
		return nil, fmt.Errorf("%s has no client", dir)
	}
	for field := range client.Type().Underlying().(*types.Struct).Fields() {
		if !field.Exported() {
			continue
		}
		t := field.Type()
		if pointer, ok := t.(*types.Pointer); ok {
			t = pointer.Elem()
		}
		named, ok := t.(*types.Named)
		if !ok || named.Obj().Pkg() != library.Package {
			continue
		}
		name := strings.TrimSuffix(named.Obj().Name(), "Interface")
		if service, ok := library.Object(name).(*types.TypeName); ok {
			library.Services[field.Name()] = old.service(field.Name(), service)
		}
	}
	return library, nil
}

type oldSource struct {
	funcs   map[string]*ast.FuncDecl // by receiver and name
	helpers map[string]*ast.FuncDecl // unexported functions, by name
	texts   map[string]string        // string constants and variables
}

func (o *oldSource) service(name string, object *types.TypeName) *Service {
	s := &Service{Name: name, Methods: map[string]*Method{}}
	named := object.Type().(*types.Named)
	for method := range named.Methods() {
		if method.Exported() {
			found := o.endpoints(object.Name(), method.Name(), nil)
			for i, path := range found {
				found[i] = strings.Replace(path, " /:/", " /"+ownerOf(method.Signature())+"/", 1)
			}
			s.Methods[method.Name()] = &Method{
				Name: method.Name(), Signature: method.Signature(), Endpoints: found,
			}
		}
	}
	return s
}

// ownerOf returns the beginning of a method's path, by the name of its first parameter.
func ownerOf(signature *types.Signature) string {
	switch signature.Params().At(0).Name() {
	case "pid", "project":
		return "projects"
	case "gid", "group":
		return "groups"
	case "user":
		return "users"
	}
	return ":"
}

// endpoints returns the endpoints that a method calls. It looks for paths among the strings in
// its body, and in the bodies of the functions that it calls.
func (o *oldSource) endpoints(receiver, name string, above []string) []string {
	fn := cmp.Or(o.funcs[receiver+"."+name], o.helpers[name])
	if fn == nil || fn.Body == nil || slices.Contains(above, name) {
		return nil
	}
	verb, paths, called, graphQL := "", []string(nil), []string(nil), false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			return false
		case *ast.CallExpr:
			if name := nameOf(n.Fun); name != "" {
				called = append(called, name)
				if helper := o.helpers[name]; helper != nil && !strings.HasPrefix(name, "with") && name != "do" {
					return false // its arguments say what it is for, such as "issues"
				}
			}
			if isErrorText(n.Fun) {
				return false
			}
		case *ast.SelectorExpr:
			if n.Sel.Name == "GraphQL" {
				graphQL = true
			}
			if isIdent(n.X, "http") && strings.HasPrefix(n.Sel.Name, "Method") {
				verb = strings.ToUpper(strings.TrimPrefix(n.Sel.Name, "Method"))
			}
		case *ast.BasicLit:
			if value, ok := text(n); ok && isPath(value) {
				paths = append(paths, value)
			}
		case *ast.Ident:
			if value := o.texts[n.Name]; isPath(value) {
				paths = append(paths, value)
			}
		}
		return true
	})
	if graphQL {
		return nil
	}
	var found []string
	for _, path := range paths {
		found = append(found, cmp.Or(verb, "GET")+" "+plain(path))
	}
	if len(found) == 0 {
		for _, name := range called {
			found = append(found, o.endpoints(receiver, name, append(above, fn.Name.Name))...)
		}
		for i, endpoint := range found {
			if _, path, _ := strings.Cut(endpoint, " "); verb != "" {
				found[i] = verb + " " + path
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

func isIdent(e ast.Expr, name string) bool {
	ident, ok := e.(*ast.Ident)
	return ok && ident.Name == name
}

// nameOf returns the name of a called function, without receiver and type arguments.
func nameOf(fun ast.Expr) string {
	switch fun := fun.(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		return fun.Sel.Name
	case *ast.IndexExpr:
		return nameOf(fun.X)
	case *ast.IndexListExpr:
		return nameOf(fun.X)
	}
	return ""
}

func isErrorText(fun ast.Expr) bool {
	selector, ok := fun.(*ast.SelectorExpr)
	return ok && (selector.Sel.Name == "Errorf" || isIdent(selector.X, "errors"))
}

var paths = regexp.MustCompile(`^/?(%s|[a-z_]+)(/[a-zA-Z%_.-]+)*/?$`)

// isPath reports whether a string is a path of the API rather than the name of a field
// or a part of an error.
func isPath(value string) bool {
	return paths.MatchString(value) && !fields[value]
}

// fields are names of form fields that look like paths of one word.
var fields = map[string]bool{
	"avatar": true, "color": true, "description": true, "file": true, "first": true, "last": true, "name": true,
	"parent_id": true, "path": true, "sbom": true, "text/yaml": true,
}

// stringsOf returns string constants and variables of the package, including calls with
// a string such as route("projects").
func stringsOf(files []*ast.File) map[string]string {
	found := map[string]string{}
	for _, file := range files {
		for _, decl := range file.Decls {
			general, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range general.Specs {
				values, ok := spec.(*ast.ValueSpec)
				if !ok {
					continue
				}
				for i, name := range values.Names {
					if i < len(values.Values) {
						if value, ok := firstText(values.Values[i]); ok {
							found[name.Name] = value
						}
					}
				}
			}
		}
	}
	return found
}

func firstText(e ast.Expr) (string, bool) {
	if call, ok := e.(*ast.CallExpr); ok && len(call.Args) == 1 {
		e = call.Args[0]
	}
	return text(e)
}
