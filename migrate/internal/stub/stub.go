// Package stub holds the exported API of the library, so that the command can check what it
// writes without depending on the library. It is the list that the library keeps of its API.
package stub

import (
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"sync"
)

// The import paths of the library's packages that have a stub.
const (
	Library = "example.com/serviceapi"
	Webhook = "example.com/serviceapi/webhook"
)

// These are copies of api.txt and webhook/api.txt, which a module cannot embed from outside.
//
//go:embed serviceapi.txt webhook.txt
var lists embed.FS

// sources return the API of each package as Go source. A program may be moved more than once.
var sources = map[string]func() (string, error){Library: sourceOf(Library), Webhook: sourceOf(Webhook)}

func sourceOf(importPath string) func() (string, error) {
	return sync.OnceValues(func() (string, error) {
		name := path.Base(importPath)
		list, err := lists.ReadFile(name + ".txt")
		if err != nil {
			return "", err
		}
		return Source(name, string(list))
	})
}

// Check returns the package with one of the paths above. What it imports comes from
// importer, so that its types are those of the program that is moved.
func Check(importPath string, importer types.Importer) (*types.Package, error) {
	read := sources[importPath]
	if read == nil {
		return nil, fmt.Errorf("stub: no package %s", importPath)
	}
	text, err := read()
	if err != nil {
		return nil, err
	}
	return check(importPath, text, importer)
}

func check(importPath, text string, importer types.Importer) (*types.Package, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, importPath+".go", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	config := types.Config{Importer: importer, IgnoreFuncBodies: true, GoVersion: "go1.26"}
	return config.Check(importPath, fset, []*ast.File{file}, nil)
}
