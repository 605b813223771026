package move

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// Results and events of client-go have structs without a name. A variable with one is known here by
// what defines it.

// unnamedType returns the type of this library for a variable with an unnamed struct of client-go, or
// nil if what defines the variable is not known.
func (r *reader) unnamedType(id *ast.Ident) types.Type {
	v, ok := r.info.ObjectOf(id).(*types.Var)
	if !ok || v.IsField() || !isUnnamedOld(v.Type()) {
		return nil
	}
	var found types.Type
	ast.Inspect(r.u.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if name := idOf(left); name != nil && r.info.Defs[name] == v && len(n.Lhs) == len(n.Rhs) {
					found = r.unnamedValue(n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if r.info.Defs[name] == v && len(n.Names) == len(n.Values) {
					found = r.unnamedValue(n.Values[i])
				}
			}
		case *ast.RangeStmt:
			if name := idOf(n.Value); name != nil && r.info.Defs[name] == v {
				found = elementOf(r.newTypeOf(n.X))
			}
		}
		return true
	})
	return found
}

// unnamedValue returns the type of this library for a value, or for what its address is taken of.
func (r *reader) unnamedValue(n ast.Expr) types.Type {
	if unary, ok := ast.Unparen(n).(*ast.UnaryExpr); ok && unary.Op == token.AND {
		return r.newTypeOf(unary.X)
	}
	return r.newTypeOf(n)
}

func elementOf(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	if slice, ok := t.Underlying().(*types.Slice); ok {
		return slice.Elem()
	}
	return nil
}

// isUnnamedOld reports whether a type is an unnamed struct that client-go declares, or a pointer to
// one.
func isUnnamedOld(t types.Type) bool {
	if pointer, ok := types.Unalias(t).(*types.Pointer); ok {
		t = pointer.Elem()
	}
	fields, ok := types.Unalias(t).(*types.Struct)
	return ok && fields.NumFields() > 0 && isOld(fields.Field(0))
}

// timeText renders a time that client-go has as a text, as the text that the service sends most
// times.
func (r *mover) timeText(n ast.Expr, text string, now types.Type) string {
	if isPointer(now) {
		text = r.help("valueOf") + "(" + text + ")"
	}
	if newName(deref(now)) != "" { // a date, which has one form
		return r.help("dateText") + "(" + text + ".Time)"
	}
	if layout := r.parsedLayout(n); layout != "" && !isPointer(now) {
		return text + ".Format(" + layout + ")"
	}
	r.note(n, "value", r.source(n)+" is a time here: the service may have sent another form of it")
	if sel, ok := ast.Unparen(n).(*ast.SelectorExpr); ok && r.isOfEvent(sel) {
		return r.help("eventTime") + "(" + text + ")"
	}
	return r.help("timeText") + "(" + text + ")"
}

// parsedLayout returns the layout that a text is parsed with, or "" where it is not.
func (r *mover) parsedLayout(n ast.Expr) string {
	call, ok := r.parents[n].(*ast.CallExpr)
	if !ok || len(call.Args) != 2 || call.Args[1] != n {
		return ""
	}
	f, _ := r.info.Uses[calledName(call)].(*types.Func)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != "time" || f.Name() != "Parse" {
		return ""
	}
	if r.info.Types[call.Args[0]].Value == nil {
		return "" // it may depend on the text
	}
	return r.render(call.Args[0])
}

// isOfEvent reports whether a field belongs to an event.
func (r *reader) isOfEvent(sel *ast.SelectorExpr) bool {
	named := namedOf(r.newTypeOf(sel.X))
	return named != nil && strings.HasPrefix(r.p.nameOf(named), "webhook.")
}

// target renders a field that is assigned to, or whose address is taken. If it may be missing here, what
// changes is a copy: client-go has the value itself, which is never missing, and which two results never
// share.
func (r *mover) target(n ast.Expr, text string, mayMiss bool) string {
	if !mayMiss {
		return text
	}
	switch parent := r.parents[n].(type) {
	case *ast.SelectorExpr:
		if parent.X == n {
			return r.help("owned") + "(&" + text + ")"
		}
	case *ast.IncDecStmt:
		return "*" + r.help("owned") + "(&" + text + ")"
	case *ast.AssignStmt:
		if parent.Tok != token.ASSIGN {
			return "*" + r.help("owned") + "(&" + text + ")"
		}
	}
	return text
}

// becomesPointer reports whether a field of a result is one here that may be missing, and what it is
// a pointer to has the type that the program expects.
func (r *reader) becomesPointer(sel *ast.SelectorExpr) bool {
	f := r.fieldAt(sel)
	if f == nil || !isPointer(f.Type()) || f.Embedded() {
		return false
	}
	old, now := r.info.TypeOf(sel), deref(f.Type())
	if isPointer(old) {
		return false
	}
	return fieldsOf(now) != nil && fieldsOf(old) != nil || types.Identical(old, now)
}
