// Package stub holds the exported API of the library as Go source without bodies, so
// that the command can check what it writes without depending on the library.
package stub

import (
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
)

//go:generate go run ./gen

// The import paths of the library's packages that have a stub.
const (
	Library = "example.com/serviceapi"
	Webhook = "example.com/serviceapi/webhook"
)

//go:embed serviceapi.txt webhook.txt
var sources embed.FS

// files says which source each package has.
var files = map[string]string{Library: "serviceapi.txt", Webhook: "webhook.txt"}

// Check returns the package with one of the paths above. The importer provides what it
// imports, so that its types are those of the program that is moved.
func Check(path string, importer types.Importer) (*types.Package, error) {
	text, err := sources.ReadFile(files[path])
	if err != nil {
		return nil, fmt.Errorf("stub: no package %s", path)
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, files[path], text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	config := types.Config{Importer: importer, IgnoreFuncBodies: true, GoVersion: "go1.26"}
	return config.Check(path, fset, []*ast.File{file}, nil)
}
