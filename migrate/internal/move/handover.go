package move

import (
	"go/ast"
	"go/types"
)

// isHandedOver reports whether options are made as an argument of a call, and what they point to is a
// variable of this package that the function which is called cannot change: it is in another
// package, and gets no function that could.
func (s *sharing) isHandedOver(made ast.Node, x ast.Expr) bool {
	id := idOf(x)
	v, ok := s.r.info.Uses[id].(*types.Var)
	if id == nil || !ok || !isGlobal(v) || v.Exported() {
		return false
	}
	for n := made; ; {
		switch parent := s.r.parents[n].(type) {
		case *ast.UnaryExpr, *ast.ParenExpr, *ast.KeyValueExpr, *ast.CompositeLit:
			n = parent
		case *ast.CallExpr:
			return s.isSynchronous(parent) && s.isElsewhere(parent, v.Pkg())
		default:
			return false
		}
	}
}

func (s *sharing) isSynchronous(call *ast.CallExpr) bool {
	switch s.r.parents[call].(type) {
	case *ast.GoStmt, *ast.DeferStmt:
		return false
	}
	return true
}

// isElsewhere reports whether a call is of a function of another package, without arguments that are
// functions or have methods of the program.
func (s *sharing) isElsewhere(call *ast.CallExpr, pkg *types.Package) bool {
	f, ok := s.r.info.Uses[calledName(call)].(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() == pkg.Path() || f.Signature().Recv() != nil {
		return false
	}
	for _, arg := range call.Args {
		t := s.r.info.TypeOf(arg)
		if _, isFunc := t.Underlying().(*types.Signature); isFunc || types.IsInterface(t) {
			return false
		}
		if named := namedOf(t); named != nil && !isOld(named.Obj()) && named.NumMethods() > 0 {
			return false
		}
	}
	return true
}
