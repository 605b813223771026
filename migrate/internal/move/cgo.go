package move

import (
	"go/ast"
	"go/types"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
)

// recheckCgo checks packages that use cgo again, and the packages that import them. It
// reads the files of the program instead of those that cgo writes.
func (p *program) recheckCgo(loaded []*packages.Package) error {
	again := map[string]*packages.Package{}
	seen := map[*packages.Package]bool{}
	listed := map[string]*packages.Package{}
	for _, pkg := range loaded {
		listed[pkg.ID] = pkg
	}
	var visit func(pkg *packages.Package) error
	visit = func(pkg *packages.Package) error {
		if seen[pkg] || pkg.Types == nil {
			return nil
		}
		seen[pkg] = true
		stale := usesCgo(pkg)
		for _, path := range slices.Sorted(maps.Keys(pkg.Imports)) {
			id := pkg.Imports[path].ID
			if imported := listed[id]; imported != nil {
				if err := visit(imported); err != nil {
					return err
				}
			}
			stale = stale || again[id] != nil
		}
		if !stale {
			return nil
		}
		again[pkg.ID] = pkg
		return p.recheck(pkg, again)
	}
	for _, pkg := range loaded {
		if err := visit(pkg); err != nil {
			return err
		}
	}
	return nil
}

// usesCgo reports whether cgo rewrites some files of a package.
func usesCgo(pkg *packages.Package) bool {
	return slices.ContainsFunc(pkg.GoFiles, func(name string) bool {
		return !slices.Contains(pkg.CompiledGoFiles, name)
	})
}

// recheck checks a package with the new types of other rechecked packages.
func (p *program) recheck(pkg *packages.Package, again map[string]*packages.Package) error {
	imported := map[string]*types.Package{}
	for _, other := range pkg.Types.Imports() {
		imported[other.Path()] = other
	}
	if usesCgo(pkg) {
		p.c[pkg.ID] = packageC(pkg.Types)
		imported[pathOfC] = p.c[pkg.ID]
		pkg.Syntax = nil
		for _, name := range pkg.GoFiles {
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			syntax, err := p.parse(p.fset, name, text)
			if err != nil {
				return err
			}
			pkg.Syntax = append(pkg.Syntax, syntax)
		}
		pkg.CompiledGoFiles = pkg.GoFiles
	}
	pkg.TypesInfo = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{},
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes: map[ast.Node]*types.Scope{}}
	pkg.TypeErrors = nil
	config := types.Config{Sizes: pkg.TypesSizes, Error: func(err error) {
		if e, ok := err.(types.Error); ok && !isAboutC(e) {
			pkg.TypeErrors = append(pkg.TypeErrors, e)
		}
	}, Importer: importerFunc(func(path string) (*types.Package, error) {
		if other := pkg.Imports[path]; other != nil {
			if checked := again[other.ID]; checked != nil {
				return checked.Types, nil
			}
			path = other.PkgPath
		}
		if imported[path] == nil {
			return p.Import(path)
		}
		return imported[path], nil
	})}
	if pkg.Module != nil && pkg.Module.GoVersion != "" {
		config.GoVersion = "go" + pkg.Module.GoVersion
	}
	pkg.Types, _ = config.Check(pkg.Types.Path(), p.fset, pkg.Syntax, pkg.TypesInfo)
	return nil
}

// pathOfC is the path of the declarations of C during type checking, because the type
// checker has no package C. It is as long as the path that it replaces.
const pathOfC = "c"

// importC lets the type checker import the declarations of C.
func importC(syntax *ast.File) {
	for _, spec := range syntax.Imports {
		if importPath(spec) == "C" {
			spec.Path.Value = strconv.Quote(pathOfC)
		}
	}
}

// packageC returns the declarations of C. It finds them in a package that was checked
// from the output of cgo.
func packageC(from *types.Package) *types.Package {
	pkg := types.NewPackage(pathOfC, "C")
	for _, name := range from.Scope().Names() {
		obj := from.Scope().Lookup(name)
		for prefix, declare := range declareC {
			if rest, ok := strings.CutPrefix(name, prefix); ok {
				pkg.Scope().Insert(declare(pkg, rest, obj))
			}
		}
	}
	pkg.MarkComplete()
	return pkg
}

// declareC makes the declarations of C by the prefix that cgo puts before their names.
var declareC = map[string]func(pkg *types.Package, name string, obj types.Object) types.Object{
	"_Cfunc_": func(pkg *types.Package, name string, obj types.Object) types.Object {
		signature, _ := obj.Type().(*types.Signature)
		return types.NewFunc(obj.Pos(), pkg, name, signature)
	},
	"_Ctype_": func(pkg *types.Package, name string, obj types.Object) types.Object {
		return types.NewTypeName(obj.Pos(), pkg, name, obj.Type())
	},
	"_Cvar_": func(pkg *types.Package, name string, obj types.Object) types.Object {
		return types.NewVar(obj.Pos(), pkg, name, deref(obj.Type()))
	},
	"_Cmacro_": func(pkg *types.Package, name string, obj types.Object) types.Object {
		signature, ok := obj.Type().(*types.Signature)
		if !ok || signature.Results().Len() != 1 {
			return types.NewVar(obj.Pos(), pkg, name, obj.Type())
		}
		return types.NewVar(obj.Pos(), pkg, name, signature.Results().At(0).Type())
	},
	"_Ciconst_": constantOfC, "_Cfconst_": constantOfC, "_Csconst_": constantOfC,
}

func constantOfC(pkg *types.Package, name string, obj types.Object) types.Object {
	if c, ok := obj.(*types.Const); ok {
		return types.NewConst(c.Pos(), pkg, name, c.Type(), c.Val())
	}
	return types.NewVar(obj.Pos(), pkg, name, obj.Type())
}

// isAboutC reports whether an error complains about a lower-case name of C.
func isAboutC(e types.Error) bool { return strings.HasSuffix(e.Msg, "not exported by package C") }

// isImportC reports whether a declaration is import "C", which must stay alone.
func isImportC(gen *ast.GenDecl) bool {
	return slices.ContainsFunc(gen.Specs, func(spec ast.Spec) bool {
		return importPath(spec.(*ast.ImportSpec)) == pathOfC
	})
}
