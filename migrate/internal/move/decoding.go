package move

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// decodeAssign rewrites the decoding of a field that is decoded here, with the test of its error,
// which cannot fail any more:
//
//	data, err := base64.StdEncoding.DecodeString(file.Content)
//	if err != nil {
//		return err
//	}
func (r *mover) decodeAssign(n *ast.AssignStmt) (string, bool) {
	if len(n.Lhs) != 2 || len(n.Rhs) != 1 || !r.isStatement(n) || idName(n.Lhs[0]) == "_" {
		return "", false
	}
	field := r.base64Argument(n.Rhs[0], "DecodeString")
	test := r.checked(n)
	if field == nil || r.encodedField(field) == nil || test == nil {
		return "", false
	}
	id := idOf(n.Lhs[1])
	if id == nil || !r.isFailure(test.Cond, id.Name) || !r.isOverwritten(r.info.ObjectOf(id), n, test) {
		return "", false
	}
	tok := "="
	if first := idOf(n.Lhs[0]); n.Tok == token.DEFINE && first != nil && r.info.Defs[first] != nil {
		tok = ":="
	}
	r.dropped[test] = true
	return r.render(n.Lhs[0]) + " " + tok + " " + r.contentOf(r.encodedField(field)), true
}

// isFailure reports whether a condition is that an error is not nil, and nothing else.
func (r *reader) isFailure(cond ast.Expr, name string) bool {
	binary, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	return ok && binary.Op == token.NEQ && idName(binary.X) == name && isNil(r.info, binary.Y)
}

// isOverwritten reports whether nothing reads a variable after a test of it before it is assigned
// to again. A variable that the assignment defines must not be used again at all.
func (r *reader) isOverwritten(obj types.Object, n *ast.AssignStmt, test *ast.IfStmt) bool {
	if obj == nil || r.isNamedResult(obj) {
		return false
	}
	var later []*ast.Ident
	within := false
	ast.Inspect(r.u.node, func(node ast.Node) bool {
		if id, ok := node.(*ast.Ident); ok && r.info.Uses[id] == obj {
			within = within || r.inFunction(id) != r.inFunction(n)
			if id.Pos() > test.End() {
				later = append(later, id)
			}
		}
		return true
	})
	switch {
	case within:
		return false
	case len(later) == 0:
		return true
	case r.info.Defs[idOf(n.Lhs[1])] != nil:
		return false
	}
	next, ok := r.parents[later[0]].(*ast.AssignStmt)
	return ok && slices.Contains(next.Lhs, ast.Expr(later[0])) && !slices.ContainsFunc(later, func(id *ast.Ident) bool {
		return slices.ContainsFunc(next.Rhs, func(e ast.Expr) bool { return e.Pos() <= id.Pos() && id.Pos() < e.End() })
	})
}

// isNamedResult reports whether a variable is in the signature of a function.
func (r *reader) isNamedResult(obj types.Object) bool {
	found := false
	ast.Inspect(r.u.node, func(n ast.Node) bool {
		if fun, ok := n.(*ast.FuncType); ok && fun.Pos() <= obj.Pos() && obj.Pos() < fun.End() {
			found = true
		}
		return !found
	})
	return found
}

// inFunction returns the function literal or the declaration around a node.
func (r *reader) inFunction(n ast.Node) ast.Node {
	for ; n != nil; n = r.parents[n] {
		switch n.(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			return n
		}
	}
	return nil
}

// decodesItself rewrites x.UnmarshalJSON(data): results have no such method here.
func (r *mover) decodesItself(n *ast.CallExpr, sel *ast.SelectorExpr) (string, bool) {
	now := namedOf(r.newTypeOf(sel.X))
	if sel.Sel.Name != "UnmarshalJSON" || len(n.Args) != 1 || now == nil || r.p.nameOf(now) == "" ||
		fieldsOf(now) == nil {
		return "", false
	}
	r.imports["encoding/json"] = true
	x := r.render(sel.X)
	if !isPointer(r.info.TypeOf(sel.X)) {
		x = "&" + x
	}
	r.note(n, "value", "json.Unmarshal decodes a "+r.p.nameOf(now)+": a member of another type than the service "+
		"sends fails")
	return "json.Unmarshal(" + r.render(n.Args[0]) + ", " + x + ")", true
}
