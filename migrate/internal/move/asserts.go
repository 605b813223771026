package move

import (
	"go/ast"
	"go/types"
	"slices"
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
	x := switched(n)
	if x == nil {
		return
	}
	for _, s := range n.Body.List {
		for _, t := range s.(*ast.CaseClause).List {
			r.noteAsserted(x, t)
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
	for range 2 { // the address of a pointer is a usual argument
		if t != nil && isPointer(t) {
			t = deref(t)
		}
	}
	if t != nil && strings.HasPrefix(r.m.typeName(oldName(t)), "webhook.") {
		r.note(n, "refused", doubledNames)
	}
}

// doubledNames is what the report says about the decoding of events.
const doubledNames = "a body with a name twice in one object is refused: the service sends none, a sample of a test may"

// An anyUse is what a program does with values of a type of client-go that become values of any type. Those
// who put them in and those who take them out must mean the same type.
type anyUse struct{ putters, takers []*unit }

// noteAnys notes what a unit does with values of any type.
func (r *reader) noteAnys() {
	ast.Inspect(r.u.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeAssertExpr:
			if n.Type != nil {
				r.takes(n.X, n.Type)
			}
		case *ast.TypeSwitchStmt:
			for _, s := range n.Body.List {
				for _, t := range s.(*ast.CaseClause).List {
					r.takes(switched(n), t)
				}
			}
		case *ast.CallExpr:
			if r.parsesEvent(n) && r.handsOnEvent(n) {
				r.p.anyUse(eventsOf).putters = append(r.p.anyUse(eventsOf).putters, r.u)
			}
		}
		if e, ok := n.(ast.Expr); ok && !r.info.Types[e].IsType() && !r.isShownOnly(e) {
			if name := r.boxedName(r.info.TypeOf(e)); name != "" && r.becomesInterface(e) {
				r.p.anyUse(name).putters = append(r.p.anyUse(name).putters, r.u)
			}
		}
		return true
	})
}

// eventsOf is the key for all events, which client-go returns as values of any type.
const eventsOf = "events"

func (p *program) anyUse(name string) *anyUse {
	if p.anys[name] == nil {
		p.anys[name] = &anyUse{}
	}
	return p.anys[name]
}

// boxedName returns the name of a type of client-go, "" for types that are joined in other ways.
func (r *reader) boxedName(t types.Type) string {
	if t == nil {
		return ""
	}
	name := oldName(t)
	if name == "" || r.p.old.service(t) != "" || fieldsOf(t) == nil {
		return ""
	}
	switch name {
	case "Client", "ErrorResponse", "Response":
		return ""
	}
	return name
}

func (r *reader) takes(x, t ast.Expr) {
	name := r.boxedName(r.info.TypeOf(t))
	if name == "" || x == nil {
		return
	}
	if have := r.info.TypeOf(x); have == nil || !types.IsInterface(have) || r.isParsedHere(x) {
		return
	}
	use := r.p.anyUse(name)
	use.takers = append(use.takers, r.u)
	if strings.HasPrefix(r.m.typeName(name), "webhook.") {
		events := r.p.anyUse(eventsOf)
		events.takers = append(events.takers, r.u)
	}
}

// switched returns the value whose type a type switch tells, or nil.
func switched(n *ast.TypeSwitchStmt) ast.Expr {
	var x ast.Expr
	switch s := n.Assign.(type) {
	case *ast.ExprStmt:
		x = s.X
	case *ast.AssignStmt:
		x = s.Rhs[0]
	}
	if assert, ok := ast.Unparen(x).(*ast.TypeAssertExpr); ok {
		return assert.X
	}
	return nil
}

func (r *reader) parsesEvent(n ast.Expr) bool {
	call, ok := ast.Unparen(n).(*ast.CallExpr)
	if !ok {
		return false
	}
	f, ok := r.oldObject(call.Fun).(*types.Func)
	return ok && (f.Name() == "ParseWebhook" || f.Name() == "ParseHook" || f.Name() == "ParseSystemhook")
}

// isParsedHere reports whether an expression is a variable with an event that the unit parses.
func (r *reader) isParsedHere(x ast.Expr) bool {
	id := idOf(ast.Unparen(x))
	if id == nil {
		return false
	}
	parsed := false
	ast.Inspect(r.u.node, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && idOf(a.Lhs[0]) != nil && r.parsesEvent(a.Rhs[0]) {
			parsed = parsed || r.info.ObjectOf(idOf(a.Lhs[0])) == r.info.Uses[id]
		}
		return !parsed
	})
	return parsed
}

// handsOnEvent reports whether an event that is parsed goes on as a value of any type.
func (r *reader) handsOnEvent(n *ast.CallExpr) bool {
	a, ok := r.parents[n].(*ast.AssignStmt)
	if !ok || idOf(a.Lhs[0]) == nil {
		return true
	}
	obj := r.info.ObjectOf(idOf(a.Lhs[0]))
	on := false
	ast.Inspect(r.u.node, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || obj == nil || r.info.Uses[id] != obj {
			return !on
		}
		switch parent := r.parents[id].(type) {
		case *ast.TypeAssertExpr, *ast.BinaryExpr:
		case *ast.AssignStmt:
			on = on || !slices.Contains(parent.Lhs, ast.Expr(id))
		default:
			on = on || !r.isShownOnly(id)
		}
		return !on
	})
	return on
}

// isShownOnly reports whether an expression is an argument of a call that keeps none, such as one that
// prints.
func (r *reader) isShownOnly(n ast.Expr) bool {
	call, ok := r.parents[n].(*ast.CallExpr)
	return ok && r.isAboutValues(call)
}

// joinAnys joins the units that put values of a type into values of any type with those that take them
// out. Tests hold nothing back.
func (p *program) joinAnys(join func(a, b *unit), tests bool) {
	for _, use := range p.anys {
		var units []*unit
		if len(use.putters) > 0 && len(use.takers) > 0 {
			units = append(slices.Clone(use.putters), use.takers...)
		}
		units = slices.DeleteFunc(units, func(u *unit) bool { return u.isTest() && !tests })
		for i := 1; i < len(units); i++ {
			join(units[i], units[0])
		}
	}
}
