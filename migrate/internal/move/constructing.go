package move

import (
	"go/ast"
	"go/types"
	"strconv"
	"strings"
)

// constructs returns a call that makes a client of client-go, or nil for other
// expressions.
func (r *reader) constructs(n ast.Expr) *ast.CallExpr {
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

// makes returns a call that makes a client of client-go or gets one from a function
// value, or nil for other expressions.
func (r *reader) makes(n ast.Expr) *ast.CallExpr {
	if call := r.constructs(n); call != nil {
		return call
	}
	if call, ok := ast.Unparen(n).(*ast.CallExpr); ok {
		if _, results := r.sourceCall(call); results > 1 {
			return call
		}
	}
	return nil
}

// pairConstruction makes the client of this library after the other client and the test
// of its error.
func (r *rewriter) pairConstruction(n *ast.AssignStmt, call *ast.CallExpr) (string, bool) {
	switch s := r.sidesOf(n.Lhs[0]); {
	case !r.isOther(s):
		return "", false
	case s != bothSides && r.constructs(call) == nil:
		text := r.textOn(s, call)
		return r.renderInside(n, edit{r.offset(call.Pos()), r.offset(call.End()), text}), true
	case s != bothSides || !r.isStatement(n) || len(n.Lhs) != 2:
		r.unpaired = true
		return r.source(n), true
	case r.checked(n) != nil:
		return r.source(n), true
	}
	return r.source(n) + "\n" + r.twinConstruction(n, call), true
}

// isStatement reports whether an assignment is a statement of its own, not part of an
// if or a for.
func (r *reader) isStatement(n ast.Stmt) bool {
	switch r.parents[n].(type) {
	case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

// checked returns the statement after an assignment if it tests the error.
func (r *reader) checked(n *ast.AssignStmt) *ast.IfStmt {
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
func (r *reader) sibling(n ast.Stmt, by int) ast.Stmt {
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
	return r.sideText(n.Lhs[0], newSide) + ", " + r.source(n.Lhs[1]) + " " + n.Tok.String() + " " +
		r.textOn(newSide, call)
}

// pairIf puts the construction of the second client after the test of the first one.
func (r *rewriter) pairIf(n *ast.IfStmt) (string, bool) {
	before, ok := r.sibling(n, -1).(*ast.AssignStmt)
	if !ok || len(before.Rhs) != 1 || len(before.Lhs) != 2 {
		return "", false
	}
	call := r.makes(before.Rhs[0])
	if call == nil || !r.isPaired(before.Lhs[0]) || r.checked(before) != n {
		return "", false
	}
	test := r.renderInside(n)
	return test + "\n" + r.twinConstruction(before, call) + "\n" + test, true
}

// pairPassed returns the results of another call.
func (r *rewriter) pairPassed(n *ast.ReturnStmt, signature *types.Signature) (string, bool) {
	call, ok := ast.Unparen(n.Results[0]).(*ast.CallExpr)
	if !ok {
		return "", false
	}
	want := r.sidesIn(signature.Results().At(0))
	if r.makes(call) == nil {
		return r.pairDropped(n, call, signature)
	}
	switch {
	case !r.isOther(want):
		return "", false
	case want != bothSides && r.constructs(call) == nil:
		return "return " + r.textOn(want, call), true
	case want != bothSides || signature.Results().Len() != 2:
		r.unpaired = true
		return r.source(n), true
	}
	return "oldClient, err := " + r.textOn(oldSide, call) + "\nif err != nil {\nreturn nil, nil, err\n}\n" +
		"newClient, err := " + r.textOn(newSide, call) + "\nreturn oldClient, newClient, err", true
}

// pairDropped returns the results of another function of the program, without clients
// that only other functions need.
func (r *rewriter) pairDropped(n *ast.ReturnStmt, call *ast.CallExpr, own *types.Signature) (string, bool) {
	signature := r.calledSignature(call)
	if signature == nil || signature.Results().Len() != own.Results().Len() || !r.hasOther(signature.Results()) {
		return "", false
	}
	var left, right []string
	same := true
	for i := range own.Results().Len() {
		have, want := r.sidesIn(signature.Results().At(i)), r.sidesIn(own.Results().At(i))
		same = same && have == want
		name := "result" + strconv.Itoa(i)
		if have == 0 {
			left, right = append(left, name), append(right, name)
			continue
		}
		for _, side := range []sides{oldSide, newSide} {
			sideName := name + map[sides]string{newSide: twinSuffix}[side]
			if have&side != 0 && want&side == 0 {
				left = append(left, "_")
			} else if have&side != 0 {
				left, right = append(left, sideName), append(right, sideName)
			}
		}
	}
	if same || r.parents[n] == nil {
		return "", false
	}
	return strings.Join(left, ", ") + " := " + r.render(call) + "\nreturn " + strings.Join(right, ", "), true
}
