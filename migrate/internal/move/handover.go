package move

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// isHandedOver reports whether options are made as an argument of a call, and what they point to is a
// variable of this package, or a part of one, that the function which is called cannot change: it is
// in another package, and gets no function that could.
func (s *sharing) isHandedOver(made ast.Node, x ast.Expr) bool {
	v := s.ownerOf(x)
	if v == nil {
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

// ownerOf returns the variable that something belongs to, if no other package can name what it is: an
// unexported variable of this package, or a local one whose type is of this package.
func (s *sharing) ownerOf(x ast.Expr) *types.Var {
	root := ast.Unparen(x)
	for {
		sel, ok := root.(*ast.SelectorExpr)
		if !ok || s.r.info.Selections[sel] == nil {
			break
		}
		root = ast.Unparen(sel.X)
	}
	id := idOf(root)
	v, ok := s.r.info.Uses[id].(*types.Var)
	if id == nil || !ok {
		return nil
	}
	if isGlobal(v) {
		if root == ast.Unparen(x) && !v.Exported() {
			return v
		}
		return nil
	}
	if named := namedOf(v.Type()); root != ast.Unparen(x) && named != nil && named.Obj().Pkg() == v.Pkg() {
		return v
	}
	return nil
}

// excludes reports whether two statements are in different cases of a switch, or branches of an if
// statement, of which only one is executed.
func (s *sharing) excludes(a, b token.Pos) bool {
	if s.loopAround(a, b) != nil {
		return false
	}
	found := false
	ast.Inspect(s.r.u.node, func(n ast.Node) bool {
		var branches []ast.Node
		switch n := n.(type) {
		case *ast.SwitchStmt:
			branches = clausesOf(n.Body)
		case *ast.TypeSwitchStmt:
			branches = clausesOf(n.Body)
		case *ast.IfStmt:
			branches = []ast.Node{n.Body}
			if n.Else != nil {
				branches = append(branches, n.Else)
			}
		}
		holds := func(pos token.Pos) int {
			return slices.IndexFunc(branches, func(n ast.Node) bool { return n.Pos() <= pos && pos < n.End() })
		}
		i, j := holds(a), holds(b)
		found = found || i >= 0 && j >= 0 && i != j
		return !found
	})
	return found
}

// clausesOf returns the cases of a switch, none if one of them falls through.
func clausesOf(body *ast.BlockStmt) (clauses []ast.Node) {
	for _, clause := range body.List {
		falls := false
		ast.Inspect(clause, func(n ast.Node) bool {
			branch, ok := n.(*ast.BranchStmt)
			falls = falls || ok && (branch.Tok == token.FALLTHROUGH || branch.Tok == token.GOTO)
			return true
		})
		if falls {
			return nil
		}
		clauses = append(clauses, clause)
	}
	return clauses
}

func (s *sharing) isSynchronous(call *ast.CallExpr) bool {
	switch s.r.parents[call].(type) {
	case *ast.GoStmt, *ast.DeferStmt:
		return false
	}
	return true
}

// isElsewhere reports whether a call is of a function of another package, without arguments that are
// functions or have methods of the program. The function may be in a variable that this package does
// not set.
func (s *sharing) isElsewhere(call *ast.CallExpr, pkg *types.Package) bool {
	f := s.r.info.Uses[calledName(call)]
	if f == nil || f.Pkg() == nil || f.Pkg().Path() == pkg.Path() {
		return false
	}
	switch f := f.(type) {
	case *types.Func:
		if f.Signature().Recv() != nil {
			return false
		}
	case *types.Var:
		if !isGlobal(f) || s.isSetIn(pkg, f) {
			return false
		}
	default:
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

// isSetIn reports whether a package assigns to a variable, or takes its address.
func (s *sharing) isSetIn(pkg *types.Package, v *types.Var) bool {
	set := false
	for _, u := range s.r.p.units {
		if strings.TrimSuffix(u.file.pack.src.PkgPath, "_test") != pkg.Path() {
			continue
		}
		is := func(e ast.Expr) bool {
			id := idOf(ast.Unparen(e))
			if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok {
				id = sel.Sel
			}
			used, ok := u.info.Uses[id].(*types.Var)
			return id != nil && ok && used.Pos() == v.Pos()
		}
		ast.Inspect(u.node, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				set = set || slices.ContainsFunc(n.Lhs, is)
			case *ast.UnaryExpr:
				set = set || n.Op == token.AND && is(n.X)
			}
			return !set
		})
	}
	return set
}
