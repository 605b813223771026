package move

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// switched repairs cases with another type than the switch has.
func (k *repairer) switched(n *ast.SwitchStmt) {
	want := types.Type(types.Typ[types.Bool])
	if n.Tag != nil {
		want = k.info.TypeOf(n.Tag)
	}
	if !known(want) {
		return
	}
	if pointer, ok := want.Underlying().(*types.Pointer); ok && n.Tag != nil {
		if _, isBasic := pointer.Elem().Underlying().(*types.Basic); isBasic && k.hasValueCase(n) {
			k.replace(n.Tag, k.valueOf(n.Tag, k.source(n.Tag)))
			return
		}
	}
	for _, s := range n.Body.List {
		for _, e := range s.(*ast.CaseClause).List {
			k.want(e, want)
		}
	}
}

func (k *repairer) hasValueCase(n *ast.SwitchStmt) bool {
	for _, s := range n.Body.List {
		for _, e := range s.(*ast.CaseClause).List {
			if _, ok := k.under(e).(*types.Basic); ok && !isNil(k.info, e) {
				return true
			}
		}
	}
	return false
}

func (k *repairer) binary(n *ast.BinaryExpr) {
	if n.Op == token.LAND || n.Op == token.LOR {
		k.want(n.X, types.Typ[types.Bool])
		k.want(n.Y, types.Typ[types.Bool])
		return
	}
	if n.Op == token.SHL || n.Op == token.SHR {
		return
	}
	if k.withNil(n, n.X, n.Y) || k.withNil(n, n.Y, n.X) {
		return
	}
	left, right := k.info.TypeOf(n.X), k.info.TypeOf(n.Y)
	if !known(left) || !known(right) || isNil(k.info, n.X) || isNil(k.info, n.Y) {
		return
	}
	if types.AssignableTo(left, right) || types.AssignableTo(right, left) {
		return
	}
	x, y := n.X, n.Y
	if isNarrow(left) && !isNarrow(right) || k.info.Types[x].Value != nil ||
		isNamedString(right) && !isNamedString(left) {
		x, y = y, x
		left, right = right, left
	}
	if isFloat32(right) && !isFloat32(left) { // compared as before
		x, y = y, x
		left, right = right, left
	}
	// y gets the type of x. A string gets the type of a named string, and a pointer the
	// type that it points to.
	if isNamedString(left) && isString(right) && k.info.Types[y].Value == nil {
		x, y = y, x
		left, right = right, left
	}
	if pointer, ok := left.Underlying().(*types.Pointer); ok {
		if _, also := right.Underlying().(*types.Pointer); !also {
			k.replace(x, k.valueOf(x, k.source(x)))
			_ = pointer
			return
		}
	}
	if !k.want(y, left) {
		k.want(x, right)
	}
}

func isNarrow(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0 && b.Kind() != types.Int64 && b.Info()&types.IsUntyped == 0
}

func isFloat32(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Float32
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

func isNamedString(t types.Type) bool {
	_, named := types.Unalias(t).(*types.Named)
	return named && isString(t)
}

// withNil repairs a comparison of nil with a value that can no longer be nil.
func (k *repairer) withNil(n *ast.BinaryExpr, x, null ast.Expr) bool {
	t := k.info.TypeOf(x)
	if !isNil(k.info, null) || !known(t) || isNilable(t) {
		return false
	}
	is := n.Op == token.EQL
	not := func(text string) string {
		if is {
			return text
		}
		return "!" + text
	}
	text := k.source(x)
	named := namedOf(t)
	switch {
	case named != nil && hasIsZero(named):
		k.replace(n, not(text+".IsZero()"))
	case isString(t) && !k.isResult(x):
		return false // nobody knows any more whether a field of options was set
	case isString(t):
		op := " != "
		if is {
			op = " == "
		}
		k.replace(n, text+op+`""`)
	default:
		if _, isStruct := t.Underlying().(*types.Struct); isStruct {
			k.replace(n, not(k.help("isZero")+"("+text+")"))
			return true
		}
		if _, basic := t.Underlying().(*types.Basic); !basic || !k.isResult(x) {
			return false
		}
		// The service always sends the field.
		k.replace(n, map[bool]string{true: "false", false: "true"}[is])
	}
	return true
}

// isResult reports whether an expression is a field of a result of this library, a
// value that a call makes from one, or a variable defined as one of these.
func (k *repairer) isResult(n ast.Expr) bool {
	if id := idOf(n); id != nil {
		value := k.definition(id)
		return value != nil && k.isResult(value)
	}
	if _, isCall := ast.Unparen(n).(*ast.CallExpr); isCall {
		return true
	}
	sel, ok := ast.Unparen(n).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	s := k.info.Selections[sel]
	if s == nil || s.Kind() != types.FieldVal || owner(s) == nil {
		return false
	}
	return k.v.p.nameOf(owner(s)) != "" && !strings.HasSuffix(owner(s).Obj().Name(), "Options")
}

// definition returns the value that defines a variable, or nil if there is none.
func (k *repairer) definition(id *ast.Ident) ast.Expr {
	obj := k.info.Uses[id]
	var value ast.Expr
	for _, parent := range k.parents {
		if _, ok := parent.(*ast.FuncDecl); !ok {
			continue
		}
		ast.Inspect(parent, func(n ast.Node) bool {
			a, ok := n.(*ast.AssignStmt)
			if ok && obj != nil && len(a.Lhs) == 1 && len(a.Rhs) == 1 && idOf(a.Lhs[0]) != nil &&
				k.info.Defs[idOf(a.Lhs[0])] == obj {
				value = a.Rhs[0]
			}
			return true
		})
	}
	return value
}

func hasIsZero(t *types.Named) bool {
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, t.Obj().Pkg(), "IsZero")
	_, ok := obj.(*types.Func)
	return ok
}
