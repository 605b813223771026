package move

import (
	"go/ast"
	"go/types"
	"strings"
)

// lend passes the address of an option that was a pointer, and is a value here, to a function that takes a
// pointer: what the function sets is the option. It reports whether it did.
func (k *repairer) lend(n ast.Expr, want types.Type) bool {
	sel, ok := ast.Unparen(n).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	s := k.info.Selections[sel]
	if s == nil || s.Kind() != types.FieldVal || owner(s) == nil || k.v.p.nameOf(owner(s)) == "" ||
		!strings.HasSuffix(owner(s).Obj().Name(), "Options") {
		return false
	}
	pointer, ok := want.Underlying().(*types.Pointer)
	if !ok || !hasAddress(sel) {
		return false
	}
	switch have := s.Obj().Type(); {
	case types.Identical(pointer.Elem(), have):
		k.replace(n, "&"+k.source(n))
	case isString(have) && types.Identical(pointer.Elem(), types.Typ[types.String]):
		k.replace(n, "(*string)(&"+k.source(n)+")")
	default:
		return false
	}
	return true
}

// hasAddress reports whether a field is one of a variable, or of what it points to.
func hasAddress(sel *ast.SelectorExpr) bool {
	switch x := ast.Unparen(sel.X).(type) {
	case *ast.Ident, *ast.StarExpr:
		return true
	case *ast.SelectorExpr:
		return hasAddress(x)
	}
	return false
}
