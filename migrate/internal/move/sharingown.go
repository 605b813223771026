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
