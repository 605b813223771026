package move

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// In most releases of client-go, the error of a 404 is ErrNotFound alone, and no ErrorResponse. Here, it
// is a serviceapi.Error as any other.

// isAlone reports whether ErrNotFound is no ErrorResponse in the release that declares an object.
func (r *reader) isAlone(obj types.Object) bool {
	v, ok := obj.Pkg().Scope().Lookup("ErrNotFound").(*types.Var)
	return ok && isError(v.Type())
}

// failureTest rewrites errors.As(err, &failure), which is false for a 404 there. It stays where the
// function does not tell 404 from other failures.
func (r *mover) failureTest(n *ast.CallExpr) (string, bool) {
	if len(n.Args) != 2 || idName(calledName(n)) != "As" || !r.isErrorTest(n) {
		return "", false
	}
	unary, ok := ast.Unparen(n.Args[1]).(*ast.UnaryExpr)
	if !ok || unary.Op != token.AND || !isErrorResponse(r.info.TypeOf(unary.X)) ||
		!r.isAlone(namedOf(r.info.TypeOf(unary.X)).Obj()) || r.isNarrowed(n) {
		return "", false
	}
	if !r.testsBoth() {
		r.note404(n)
		return "", false
	}
	return r.help("failureAs") + r.list(n, []string{r.render(n.Args[0]), r.render(n.Args[1])}), true
}

// note404 notes that a test for failures finds a 404, too.
func (r *mover) note404(n ast.Node) {
	r.note(n, "error", "a 404 is a failure as any other here: client-go returns ErrNotFound, and no ErrorResponse")
}

// noteFailureCase notes that a case for failures is one for a 404, too.
func (r *mover) noteFailureCase(n *ast.TypeSwitchStmt) {
	for _, s := range n.Body.List {
		for _, e := range s.(*ast.CaseClause).List {
			if t := r.info.TypeOf(e); isErrorResponse(t) && r.isAlone(namedOf(t).Obj()) {
				r.note404(e)
			}
		}
	}
}

// testsBoth reports whether a function tests for ErrNotFound, too.
func (r *reader) testsBoth() bool {
	found := false
	ast.Inspect(r.u.node, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok {
			found = found || r.isOldError(e)
		}
		return !found
	})
	return found
}

// isNarrowed reports whether a test for a failure is also one for a status that is not 404:
//
//	errors.As(err, &failure) && failure.Response.StatusCode == http.StatusConflict
func (r *reader) isNarrowed(n ast.Expr) bool {
	and, ok := r.parents[n].(*ast.BinaryExpr)
	if !ok || and.Op != token.LAND || and.X != n {
		return false
	}
	test, ok := ast.Unparen(and.Y).(*ast.BinaryExpr)
	if !ok || test.Op != token.EQL {
		return false
	}
	value := r.info.Types[test.Y].Value
	return value != nil && value.Kind() == constant.Int && value.ExactString() != "404"
}
