package move

import (
	"go/ast"
	"go/token"
	"go/types"
)

// literalOf returns the literal in T{} or &T{}. It also finds one in a variable that only the
// next call uses.
func (r *mover) literalOf(n ast.Expr) *ast.CompositeLit {
	if lit := literalOf(n); lit != nil {
		return lit
	}
	n = ast.Unparen(n)
	if unary, ok := n.(*ast.UnaryExpr); ok && unary.Op == token.AND {
		n = ast.Unparen(unary.X)
	}
	if id := idOf(n); id != nil {
		return r.inline[r.info.Uses[id]]
	}
	return nil
}

// findInline finds options whose fields become arguments or options of the request, in a
// variable of which nothing would be left, or too little:
//
//	options := &AddProjectMemberOptions{UserID: Ptr(7), AccessLevel: Ptr(DeveloperPermissions)}
//	member, _, err := client.ProjectMembers.AddProjectMember(7, options)
func (r *reader) findInline() map[types.Object]*ast.CompositeLit {
	uses := map[types.Object]int{}
	ast.Inspect(r.u.node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && r.info.Uses[id] != nil {
			uses[r.info.Uses[id]]++
		}
		return true
	})
	inline := map[types.Object]*ast.CompositeLit{}
	ast.Inspect(r.u.node, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE || len(a.Lhs) != 1 || len(a.Rhs) != 1 || idOf(a.Lhs[0]) == nil {
			return true
		}
		obj := r.info.Defs[idOf(a.Lhs[0])]
		lit := literalOf(a.Rhs[0])
		if lit == nil || obj == nil || uses[obj] != 1 || !involves(obj.Type()) {
			return true
		}
		if r.needsFields(r.sibling(a, 1), obj, lit) {
			inline[obj] = lit
		}
		return true
	})
	return inline
}

// needsFields reports whether a statement calls a method with options in the variable,
// and the method takes fields of options as arguments or lacks fields that are set.
func (r *reader) needsFields(s ast.Stmt, variable types.Object, lit *ast.CompositeLit) bool {
	found := false
	if s == nil {
		return false
	}
	ast.Inspect(s, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || found {
			return !found
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || r.info.Selections[sel] == nil || !isOld(r.info.Selections[sel].Obj()) {
			return true
		}
		name := r.p.old.service(r.info.Selections[sel].Recv()) + "." + sel.Sel.Name
		for _, m := range r.p.table.Method(name) {
			for i, param := range m.Params {
				needs := len(m.Uses(param)) > 0 || m.When.Param == param || r.lacksFields(lit)
				if needs && i < len(call.Args) && r.isVariable(call.Args[i], variable) {
					found = true
				}
			}
		}
		return true
	})
	return found
}

// lacksFields reports whether options set a field that has no counterpart.
func (r *reader) lacksFields(lit *ast.CompositeLit) bool {
	from, ok := types.Unalias(r.info.TypeOf(lit)).(*types.Named)
	if !ok || r.p.newType(r.m.typeName(from.Obj().Name())) == nil {
		return false
	}
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok || idOf(kv.Key) == nil {
			return false
		}
		name := idOf(kv.Key).Name
		f, _ := r.newField(nil, from, name)
		if f == nil && name != "ListOptions" && !r.m.needless(from.Obj().Name(), "", name) {
			return true
		}
	}
	return false
}

func (r *reader) isVariable(n ast.Expr, variable types.Object) bool {
	if unary, ok := n.(*ast.UnaryExpr); ok {
		n = unary.X
	}
	id := idOf(n)
	return id != nil && r.info.Uses[id] == variable
}
