package move

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Flags set options through their addresses, or through the pointers in them, which are values here. The
// method for a number depends on its type, which may be another one here.

// isPart reports whether an option is a struct of client-go by itself, such as ListOptions: what gets
// its address moves, too, or what hands it out does not.
func isPart(field types.Object) bool {
	return fieldsOf(field.Type()) != nil && oldName(field.Type()) != ""
}

// numberMethods are the methods for flags with a number in a variable.
var numberMethods = map[string][]string{"int": {"IntVar", "IntVarP"}, "int64": {"Int64Var", "Int64VarP"}}

// flag rewrites a call that makes a flag for an option.
func (r *mover) flag(n *ast.CallExpr) (string, bool) {
	if text, ok := r.pointerFlag(n); ok {
		return text, true
	}
	return r.numberFlag(n)
}

// numberFlag rewrites flags.Int64Var(&options.Page, …), where the option is an int here, or the other way
// round.
func (r *mover) numberFlag(n *ast.CallExpr) (string, bool) {
	name, now := r.numberMethod(n)
	if now == "" {
		return "", false
	}
	r.note(n, "value", "the flag is one for another type here: its usage says so")
	return r.renderInside(n, edit{r.offset(name.Pos()), r.offset(name.End()), now}), true
}

// numberMethod returns the name of the method that a call of a flag calls, and the name of the one for
// the type that the option has here, "" if it is the same.
func (r *reader) numberMethod(n *ast.CallExpr) (*ast.Ident, string) {
	name := calledName(n)
	if name == nil || len(n.Args) == 0 || !isFlagPackage(r, n) {
		return nil, ""
	}
	before, after := r.numberTypes(n.Args[0])
	i := slices.Index(numberMethods[before], name.Name)
	if i < 0 || before == after || numberMethods[after] == nil {
		return nil, ""
	}
	return name, numberMethods[after][i]
}

// numberTypes returns the types of an option with a number whose address is taken, there and here.
func (r *reader) numberTypes(n ast.Expr) (before, after string) {
	unary, ok := ast.Unparen(n).(*ast.UnaryExpr)
	if !ok || unary.Op != token.AND {
		return "", ""
	}
	sel, ok := ast.Unparen(unary.X).(*ast.SelectorExpr)
	if !ok {
		return "", ""
	}
	s := r.info.Selections[sel]
	if s == nil || s.Kind() != types.FieldVal || !isOld(s.Obj()) || owner(s) == nil {
		return "", ""
	}
	f, _ := r.newField(sel.X, owner(s), sel.Sel.Name)
	if f == nil {
		return "", ""
	}
	return types.TypeString(s.Obj().Type(), nil), types.TypeString(f.Type(), nil)
}

// isNumberFlag reports whether an address of an option goes to a flag that numberFlag rewrites.
func (r *reader) isNumberFlag(n *ast.UnaryExpr) bool {
	call, ok := r.parents[n].(*ast.CallExpr)
	if !ok {
		return false
	}
	_, now := r.numberMethod(call)
	return now != "" && call.Args[0] == ast.Expr(n)
}

// pointerFlag rewrites flags.StringVar(options.Ref, …), where the option is a value here: the flag sets
// the option itself.
func (r *mover) pointerFlag(n *ast.CallExpr) (string, bool) {
	if len(n.Args) == 0 || !isFlagPackage(r.reader, n) {
		return "", false
	}
	sel, ok := ast.Unparen(n.Args[0]).(*ast.SelectorExpr)
	if !ok {
		return "", false
	}
	s := r.info.Selections[sel]
	if s == nil || s.Kind() != types.FieldVal || !isOld(s.Obj()) || owner(s) == nil || !isPointer(s.Obj().Type()) {
		return "", false
	}
	f, _ := r.newField(sel.X, owner(s), sel.Sel.Name)
	if f == nil || types.Identical(f.Type(), s.Obj().Type()) {
		return "", false
	}
	text := "&" + r.render(sel.X) + "." + f.Name()
	switch old := deref(s.Obj().Type()); {
	case types.Identical(f.Type(), old):
	case types.Identical(f.Type().Underlying(), old.Underlying()) && !involves(old):
		text = "(*" + r.typeString(old) + ")(" + text + ")"
	default:
		return r.block(n, "field", "what gets %s sets the option later, and the option has another type here: set a "+
			"variable, and the option from it before the call", r.source(sel))
	}
	return r.renderInside(n, edit{r.offset(sel.Pos()), r.offset(sel.End()), text}), true
}
