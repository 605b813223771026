package move

import (
	"go/ast"
	"go/types"
	"strings"
)

// Go compiles packages again for the tests of a package that they import. Here, there is one form of each,
// so that some tests have errors without any change. These do not count.

// isExternal reports whether a package has tests of a package from outside.
func (pk *pack) isExternal() bool { return strings.HasSuffix(pk.src.PkgPath, "_test") }

// hasVariants reports whether a package imports others that are compiled for its tests, beside the
// package that it tests.
func (pk *pack) hasVariants() bool {
	tested := strings.TrimSuffix(pk.src.PkgPath, "_test")
	for path, imported := range pk.src.Imports {
		if path != tested && imported.ID != imported.PkgPath {
			return true
		}
	}
	return false
}

// testedBy returns the package that external tests are for, with what its own tests declare. Where other
// packages would have to be compiled again for the tests, it returns nil.
func (v *version) testedBy(pk *pack, path string) *types.Package {
	imported := pk.src.Imports[path]
	if imported == nil || imported.ID == imported.PkgPath || !pk.isExternal() || pk.hasVariants() {
		return nil
	}
	if pkg := v.checked[imported.ID]; pkg != nil {
		return pkg
	}
	for _, other := range v.p.packages {
		if other.id == imported.ID {
			return other.src.Types
		}
	}
	return nil
}

// earlierErrors returns the messages of the errors that external tests have before the move, if the
// packages that they import have one form.
func (p *program) earlierErrors(pk *pack) map[string]bool {
	if !pk.isExternal() || !pk.hasVariants() {
		return nil
	}
	if messages, ok := p.earlier[pk]; ok {
		return messages
	}
	messages := map[string]bool{}
	before := &version{p: p}
	config := types.Config{Importer: before.importer(pk), GoVersion: "go1.26", Sizes: pk.src.TypesSizes,
		Error: func(err error) {
			if e, ok := err.(types.Error); ok {
				messages[e.Msg] = true
			}
		}}
	var files []*ast.File
	for _, f := range pk.files {
		files = append(files, f.syntax)
	}
	config.Check(strings.TrimSuffix(pk.path, " [test]"), p.fset, files, nil)
	p.earlier[pk] = messages
	return messages
}
