package move

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// isOwn reports whether what is at x belongs to a variable of the unit, such as a parameter that is a
// value, and nothing else gets its address: then no other code changes it.
func (s *sharing) isOwn(x ast.Expr) bool {
	root := ast.Unparen(x)
	for {
		sel, ok := root.(*ast.SelectorExpr)
		if !ok {
			break
		}
		selection := s.r.info.Selections[sel]
		if selection == nil || selection.Kind() != types.FieldVal || selection.Indirect() {
			return false
		}
		root = ast.Unparen(sel.X)
	}
	if root == ast.Unparen(x) || !s.isLocal(root) || isPointer(s.r.info.TypeOf(x)) {
		return false
	}
	return !s.isLent(s.r.source(x))
}

// isLent reports whether the unit takes the address of a variable, or of a part of it that has the field
// with a text in it: for a method, too.
func (s *sharing) isLent(text string) bool {
	lent := false
	holds := func(n ast.Expr) bool { return strings.HasPrefix(text, s.r.source(n)+".") }
	ast.Inspect(s.r.u.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			lent = lent || n.Op == token.AND && holds(n.X)
		case *ast.SelectorExpr:
			selection := s.r.info.Selections[n]
			if selection == nil || selection.Kind() == types.FieldVal {
				return true
			}
			f, ok := selection.Obj().(*types.Func)
			lent = lent || ok && holds(n.X) && !isPointer(s.r.info.TypeOf(n.X)) && f.Signature().Recv() != nil &&
				isPointer(f.Signature().Recv().Type())
		}
		return !lent
	})
	return lent
}

// isOutOfSight reports whether options share what a field points to only with parts of variables that are
// out of scope where it changes.
func (s *sharing) isOutOfSight(sel *ast.SelectorExpr, from *types.Named) bool {
	holder := s.holder(sel)
	seen, others := 0, holder == nil
	ast.Inspect(s.r.u.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			v, ok := s.r.info.Defs[n].(*types.Var)
			others = others || ok && namedOf(v.Type()) == from && v != holder
		case *ast.KeyValueExpr:
			lit, _ := s.r.parents[n].(*ast.CompositeLit)
			others = others || lit != nil && namedOf(s.r.info.TypeOf(lit)) == from &&
				idName(n.Key) == sel.Sel.Name && s.pointee(n.Value) != nil
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				to, ok := left.(*ast.SelectorExpr)
				if len(n.Lhs) != len(n.Rhs) {
					continue
				}
				others = others || s.r.source(n.Rhs[i]) == s.r.source(sel)
				if x := s.pointee(n.Rhs[i]); ok && to.Sel.Name == sel.Sel.Name && x != nil {
					seen++
					others = others || !s.isGone(x, sel)
				}
			}
		}
		return !others
	})
	return seen > 0 && !others
}

// isGone reports whether an expression is a field of a variable that is out of scope at a later node, and
// not in a loop around both.
func (s *sharing) isGone(x ast.Expr, at ast.Node) bool {
	sel, ok := ast.Unparen(x).(*ast.SelectorExpr)
	if !ok || isPointer(s.r.info.TypeOf(x)) {
		return false
	}
	v, ok := s.r.info.Uses[idOf(sel.X)].(*types.Var)
	if !ok || v.Parent() == nil || at.Pos() < v.Parent().End() || !s.isLocal(sel.X) ||
		s.loopAround(x.Pos(), at.Pos()) != nil {
		return false
	}
	captured := false
	ast.Inspect(s.r.u.node, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok && lit.Pos() > v.Pos() && lit.Pos() < v.Parent().End() {
			captured = true
		}
		return !captured
	})
	return !captured
}
