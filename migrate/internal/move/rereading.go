package move

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// Options whose field points to a variable send what the variable has when the call is made. Where a
// variable holds such options, and nothing but calls of client-go use it, each call reads the variable
// again:
//
//	options := &CreateBranchOptions{Branch: &name}
//	_, _, err := client.Branches.CreateBranch(7, options)
//	name += "-2"
//	_, _, err = client.Branches.CreateBranch(7, options)

// isReread reports whether the calls that options in a variable are for read what a field points to again.
// A list that is nil is null, so that it is not read again.
func (s *sharing) isReread(made ast.Node, x ast.Expr) bool {
	lit, ok := made.(*ast.CompositeLit)
	variable := s.r.info.Uses[idOf(x)]
	if !ok || variable == nil || !isScalar(variable.Type().Underlying()) {
		return false
	}
	holder := s.holder(lit)
	return holder != nil && s.r.rereads(holder, lit, variable)
}

// rereads reports whether a variable is defined as a literal, only calls of client-go that are made at once
// use it, and another variable is known by its name in these calls.
func (r *reader) rereads(holder types.Object, lit *ast.CompositeLit, pointee types.Object) bool {
	if !r.isMadeAs(holder, lit) {
		return false
	}
	only := true
	ast.Inspect(r.u.node, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || r.info.Uses[id] != holder {
			return true
		}
		call, ok := r.parents[id].(*ast.CallExpr)
		name := ""
		if ok {
			name, _ = r.serviceMethod(call)
		}
		only = only && name != "" && !r.isLater(call) && r.names(pointee, call.Pos())
		return true
	})
	return only
}

// isMadeAs reports whether a variable is defined as the address of a literal, in a statement of its own.
func (r *reader) isMadeAs(v types.Object, lit *ast.CompositeLit) bool {
	unary, ok := r.parents[lit].(*ast.UnaryExpr)
	if !ok {
		return false
	}
	a, ok := r.parents[unary].(*ast.AssignStmt)
	return ok && a.Tok == token.DEFINE && len(a.Lhs) == 1 && r.info.Defs[idOf(a.Lhs[0])] == v
}

// isLater reports whether a call is made by a go or a defer statement.
func (r *reader) isLater(call *ast.CallExpr) bool {
	switch r.parents[call].(type) {
	case *ast.GoStmt, *ast.DeferStmt:
		return true
	}
	return false
}

// names reports whether the name of a variable means it at a place.
func (r *reader) names(v types.Object, at token.Pos) bool {
	scope := r.u.file.pack.src.Types.Scope().Innermost(at)
	if scope == nil {
		return false
	}
	_, found := scope.LookupParent(v.Name(), at)
	return found == v
}

// reread renders the fields of options in a variable that a call reads again.
func (r *mover) reread(value ast.Expr) []string {
	holder := r.info.Uses[idOf(ast.Unparen(value))]
	if holder == nil {
		return nil
	}
	var lit *ast.CompositeLit
	ast.Inspect(r.u.node, func(n ast.Node) bool {
		if found, ok := n.(*ast.CompositeLit); ok && r.isMadeAs(holder, found) {
			lit = found
		}
		return lit == nil
	})
	from := namedOf(r.info.TypeOf(value))
	if lit == nil || from == nil {
		return nil
	}
	s := &sharing{r: r}
	var fields []string
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return nil
		}
		x := s.pointee(kv.Value)
		if x == nil || !s.isReread(lit, x) || !s.isCopied(idName(kv.Key), from) || !s.changes(x, lit) {
			continue
		}
		f, _ := r.newField(value, from, idName(kv.Key))
		if f != nil && !strings.Contains(f.Name(), ".") {
			fields = append(fields, f.Name()+": "+r.value(kv.Value, f.Type()))
		}
	}
	return fields
}
