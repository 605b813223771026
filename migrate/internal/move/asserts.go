package move

import (
	"go/ast"
	"go/types"
	"strings"
)

// noteAsserted notes that the program tests a value of any type for one of client-go. The value may come
// from a field, by reflection: there, a field may have another type here.
func (r *mover) noteAsserted(x, t ast.Expr) {
	name := oldName(r.info.TypeOf(t))
	have := r.info.TypeOf(x)
	if name == "" || have == nil || r.p.old.service(r.info.TypeOf(t)) != "" {
		return
	}
	empty, ok := have.Underlying().(*types.Interface)
	if !ok || empty.NumMethods() > 0 || strings.HasPrefix(r.m.typeName(name), "webhook.") {
		return
	}
	switch name {
	case "Client", "ErrorResponse", "Response":
		return
	}
	r.note(t, "value", r.source(x)+" is tested for being "+r.source(t)+": look at where it comes from, a field may be "+
		"a value here and was a pointer, or the other way round")
}

// noteCases notes the cases of a type switch.
func (r *mover) noteCases(n *ast.TypeSwitchStmt) {
	var x ast.Expr
	switch s := n.Assign.(type) {
	case *ast.ExprStmt:
		x = s.X
	case *ast.AssignStmt:
		x = s.Rhs[0]
	}
	assert, ok := ast.Unparen(x).(*ast.TypeAssertExpr)
	if !ok {
		return
	}
	for _, s := range n.Body.List {
		for _, t := range s.(*ast.CaseClause).List {
			r.noteAsserted(assert.X, t)
		}
	}
}

// noteDecoded notes that the program decodes an event itself.
func (r *mover) noteDecoded(n *ast.CallExpr) {
	f, ok := r.info.Uses[calledName(n)].(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() != "encoding/json" || len(n.Args) == 0 {
		return
	}
	if f.Name() != "Unmarshal" && f.Name() != "Decode" {
		return
	}
	t := r.info.TypeOf(n.Args[len(n.Args)-1])
	for isPointer(t) {
		t = deref(t)
	}
	if strings.HasPrefix(r.m.typeName(oldName(t)), "webhook.") {
		r.note(n, "refused", doubledNames)
	}
}

// doubledNames is what the report says about the decoding of events.
const doubledNames = "a body with a name twice in one object is refused: the service sends none, a sample of a test may"
