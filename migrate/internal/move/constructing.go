package move

import (
	"go/ast"
	"go/types"
	"strings"
)

// constructs reports whether a call makes a client of client-go.
func (r *rewriter) constructs(n ast.Expr) *ast.CallExpr {
	call, ok := ast.Unparen(n).(*ast.CallExpr)
	if !ok {
		return nil
	}
	if f, ok := r.oldObject(call.Fun).(*types.Func); ok && strings.HasPrefix(f.Name(), "New") {
		if results := f.Signature().Results(); results.Len() == 2 && isClient(results.At(0).Type()) {
			return call
		}
	}
	return nil
}

// pairConstruction makes the client of this library after the other one, and after the test of
// its error.
func (r *rewriter) pairConstruction(n *ast.AssignStmt, call *ast.CallExpr) (string, bool) {
	switch s := r.sidesOf(n.Lhs[0]); {
	case !r.isOther(s):
		return "", false
	case s != bothSides || !r.isStatement(n):
		r.unpaired = true
		return r.source(n), true
	case r.checked(n) != nil:
		return r.source(n), true
	}
	return r.source(n) + "\n" + r.twinConstruction(n, call), true
}

// isStatement reports whether an assignment stands alone, and not in an if or a for.
func (r *rewriter) isStatement(n ast.Stmt) bool {
	switch r.parents[n].(type) {
	case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

// checked returns the statement after an assignment, if it tests its error.
func (r *rewriter) checked(n *ast.AssignStmt) *ast.IfStmt {
	next, _ := r.sibling(n, 1).(*ast.IfStmt)
	if next == nil || next.Init != nil || next.Else != nil || !names(next.Cond, idName(n.Lhs[1])) {
		return nil
	}
	return next
}

func idName(n ast.Expr) string {
	if id := idOf(n); id != nil && n != ast.Expr((*ast.Ident)(nil)) {
		return id.Name
	}
	return ""
}

// sibling returns the statement some places after another one in its block, or nil.
func (r *rewriter) sibling(n ast.Stmt, by int) ast.Stmt {
	var list []ast.Stmt
	switch parent := r.parents[n].(type) {
	case *ast.BlockStmt:
		list = parent.List
	case *ast.CaseClause:
		list = parent.Body
	}
	for i, s := range list {
		if s == n && i+by >= 0 && i+by < len(list) {
			return list[i+by]
		}
	}
	return nil
}

// twinConstruction renders the construction of the client of this library.
func (r *rewriter) twinConstruction(n *ast.AssignStmt, call *ast.CallExpr) string {
	f := r.oldObject(call.Fun).(*types.Func)
	text := r.secondClient(call, f.Name())
	return r.sideText(n.Lhs[0], newSide) + ", " + r.source(n.Lhs[1]) + " " + n.Tok.String() + " " + text
}

// secondClient renders the construction of a client of this library beside the other one.
func (r *rewriter) secondClient(call *ast.CallExpr, name string) string {
	pairOnly := r.pairOnly
	defer func() { r.pairOnly = pairOnly }()
	r.pairOnly = false
	return r.tried(func() string {
		text, _ := r.newClient(call, name)
		return text
	})
}

// pairIf puts the construction of the second client after the test of the first one.
func (r *rewriter) pairIf(n *ast.IfStmt) (string, bool) {
	before, ok := r.sibling(n, -1).(*ast.AssignStmt)
	if !ok || len(before.Rhs) != 1 || len(before.Lhs) != 2 {
		return "", false
	}
	call := r.constructs(before.Rhs[0])
	if call == nil || !r.isPaired(before.Lhs[0]) || r.checked(before) != n {
		return "", false
	}
	test := r.renderInside(n)
	return test + "\n" + r.twinConstruction(before, call) + "\n" + test, true
}

// pairPassed returns the results of another call.
func (r *rewriter) pairPassed(n *ast.ReturnStmt) (string, bool) {
	call := r.constructs(n.Results[0])
	if call == nil {
		return "", false
	}
	signature := r.enclosing(n)
	if r.sidesIn(signature.Results().At(0)) != bothSides {
		r.unpaired = true
		return r.source(n), true
	}
	text := r.secondClient(call, r.oldObject(call.Fun).Name())
	return "oldClient, err := " + r.source(call) + "\nif err != nil {\nreturn nil, nil, err\n}\n" +
		"newClient, err := " + text + "\nreturn oldClient, newClient, err", true
}
