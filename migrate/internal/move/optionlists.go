package move

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A program often keeps options in a list, with the context of its calls. Where a function makes the
// list and hands it to nothing but its calls, the context leaves the list and becomes their argument.

// appends reports whether a call appends to a list of options.
func (r *reader) appends(n *ast.CallExpr) bool {
	return idName(n.Fun) == "append" && r.info.Types[n.Fun].IsBuiltin() && len(n.Args) > 1 && r.isOptionList(n)
}

func (r *reader) isOptionList(n ast.Expr) bool {
	t := r.info.TypeOf(n)
	if t == nil {
		return false
	}
	slice, ok := t.Underlying().(*types.Slice)
	return ok && oldName(slice.Elem()) == "RequestOptionFunc"
}

// holdsContext reports whether a context stands in a literal of a list, or in what is appended to one.
func (r *reader) holdsContext(n ast.Expr) bool {
	is := func(e ast.Expr) bool { return r.contextIn(e) != nil }
	switch n := ast.Unparen(n).(type) {
	case *ast.CompositeLit:
		return slices.ContainsFunc(n.Elts, is)
	case *ast.CallExpr:
		return r.appends(n) && (slices.ContainsFunc(n.Args[1:], is) || r.holdsContext(n.Args[0]))
	}
	return false
}

// optionList rewrites a list of options. A context that all calls with the list get as their
// argument is left out.
func (r *mover) optionList(n *ast.CompositeLit) (string, bool) {
	if n.Type == nil || !r.isOptionList(n) {
		return "", false
	}
	var elements []string
	for _, e := range n.Elts {
		if r.contextIn(e) == nil || !r.isListed(n) {
			elements = append(elements, r.render(e))
		}
	}
	return r.render(n.Type) + "{" + strings.Join(elements, ", ") + "}", true
}

// appendOption rewrites what appends a context to such a list.
func (r *mover) appendOption(n *ast.CallExpr) (string, bool) {
	if !r.appends(n) || !r.holdsContext(n) || !r.isListed(n) || n.Ellipsis.IsValid() {
		return "", false
	}
	args := []string{r.render(n.Args[0])}
	for _, arg := range n.Args[1:] {
		if r.contextIn(arg) == nil {
			args = append(args, r.render(arg))
		}
	}
	if len(args) == 1 {
		return args[0], true
	}
	return "append(" + strings.Join(args, ", ") + ")", true
}

// isListed reports whether a list is the value of a variable for which listContext has a context.
func (r *reader) isListed(n ast.Expr) bool {
	var id *ast.Ident
	switch parent := r.parents[n].(type) {
	case *ast.AssignStmt:
		if len(parent.Lhs) == 1 && len(parent.Rhs) == 1 {
			id = idOf(parent.Lhs[0])
		}
	case *ast.ValueSpec:
		if len(parent.Names) == 1 && len(parent.Values) == 1 {
			id = parent.Names[0]
		}
	case *ast.CallExpr:
		return r.appends(parent) && parent.Args[0] == n && r.isListed(parent)
	}
	return id != nil && r.listContext(r.info.ObjectOf(id)) != nil
}

// listContext finds the context that a local variable with options certainly has in each call that
// is given these options. It returns nil if there is none. The variable goes nowhere else, and its
// context is the same one at the calls.
func (r *reader) listContext(list types.Object) *optionList {
	v, ok := list.(*types.Var)
	if !ok || v.IsField() || isGlobal(v) || !r.isBody(v) {
		return nil
	}
	l := &optionList{r: r, v: v}
	ast.Inspect(r.u.node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && r.info.ObjectOf(id) == v {
			l.use(id)
		}
		return !l.open
	})
	if l.open || l.ctx == nil || !l.always || r.changes(l.ctx, l.first) {
		return nil
	}
	for _, call := range l.calls {
		scope := r.u.file.pack.src.Types.Scope().Innermost(call.Pos())
		if scope == nil || call.Pos() < l.first {
			return nil
		}
		if _, obj := scope.LookupParent(l.ctx.Name(), call.Pos()); obj != l.ctx {
			return nil
		}
	}
	return l
}

// isBody reports whether a variable is declared in the body of a function.
func (r *reader) isBody(v *types.Var) bool {
	decl, ok := r.u.node.(*ast.FuncDecl)
	if !ok || decl.Body == nil || v.Pos() < decl.Body.Pos() || decl.Body.End() <= v.Pos() {
		return false
	}
	isParam := false
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		if fun, ok := n.(*ast.FuncType); ok {
			isParam = isParam || fun.Pos() <= v.Pos() && v.Pos() < fun.End()
		}
		return !isParam
	})
	return !isParam
}

// An optionList is what a function does with a variable with options.
type optionList struct {
	r      *reader
	v      *types.Var
	ctx    *types.Var
	first  token.Pos // where the context comes in
	always bool      // all calls are after that
	block  ast.Node  // in which the variable is declared
	calls  []*ast.CallExpr

	kind optionKind // of its options, but for the context
	open bool       // what happens to it is not seen
}

func (l *optionList) use(id *ast.Ident) {
	switch parent := l.r.parents[id].(type) {
	case *ast.AssignStmt:
		l.assign(parent, id)
	case *ast.ValueSpec:
		l.block = l.r.parents[l.r.parents[l.r.parents[parent]]] // in a declaration, which is a statement
		l.open = len(parent.Names) != 1 || len(parent.Values) > 1
		for _, value := range parent.Values {
			l.value(value, parent)
		}
	case *ast.CallExpr:
		if l.r.appends(parent) {
			l.open = parent.Args[0] != ast.Expr(id) || !l.r.goesTo(parent, l.v)
			return
		}
		_, f := l.r.serviceMethod(parent)
		if f == nil || !parent.Ellipsis.IsValid() {
			l.open = true
		}
		l.calls = append(l.calls, parent)
	default:
		l.open = true
	}
}

func (l *optionList) assign(n *ast.AssignStmt, id *ast.Ident) {
	if len(n.Lhs) != 1 || len(n.Rhs) != 1 || n.Lhs[0] != ast.Expr(id) {
		l.open = true
		return
	}
	if n.Tok == token.DEFINE {
		l.block = l.r.parents[n]
	}
	l.value(n.Rhs[0], n)
}

// value looks at what the variable becomes in a statement.
func (l *optionList) value(n ast.Expr, statement ast.Node) {
	ctx, found := l.r.contextOfList(n)
	call, isCall := ast.Unparen(n).(*ast.CallExpr)
	grows := isCall && l.r.appends(call) && idOf(call.Args[0]) != nil && l.r.info.Uses[idOf(call.Args[0])] == l.v
	_, isLit := ast.Unparen(n).(*ast.CompositeLit)
	l.kind |= l.r.addedKind(n)
	switch {
	case found && (ctx == nil || l.ctx != nil && l.ctx != ctx || isCall && call.Ellipsis.IsValid()):
		l.open = true
	case found && l.ctx == nil:
		l.ctx, l.first, l.always = ctx, n.Pos(), l.r.parents[statement] == l.block || statement == l.block
		if _, isSpec := statement.(*ast.ValueSpec); isSpec {
			l.always = true
		}
	case found, grows, l.ctx == nil && len(l.calls) == 0 && isLit:
	default:
		l.open = true // it may lose its context
	}
}

// goesTo reports whether an expression is assigned to a variable.
func (r *reader) goesTo(n ast.Expr, v *types.Var) bool {
	a, ok := r.parents[n].(*ast.AssignStmt)
	return ok && len(a.Lhs) == 1 && idOf(a.Lhs[0]) != nil && r.info.ObjectOf(idOf(a.Lhs[0])) == v
}

// addedKind returns what the options that a list gets may be, but for the context that is seen.
func (r *reader) addedKind(n ast.Expr) (kind optionKind) {
	var elements []ast.Expr
	switch n := ast.Unparen(n).(type) {
	case *ast.CompositeLit:
		elements = n.Elts
	case *ast.CallExpr:
		if !r.appends(n) {
			return r.optionKind(n)
		}
		if idOf(n.Args[0]) == nil {
			kind = r.addedKind(n.Args[0])
		}
		elements = n.Args[1:]
	default:
		return anyOption
	}
	for _, e := range elements {
		if r.contextIn(e) == nil {
			kind |= r.optionKind(e)
		}
	}
	return kind
}

// contextOfList returns the variable with the context in a list, and whether it has any context.
func (r *reader) contextOfList(n ast.Expr) (ctx *types.Var, found bool) {
	if !r.holdsContext(n) {
		return nil, false
	}
	var elements []ast.Expr
	switch n := ast.Unparen(n).(type) {
	case *ast.CompositeLit:
		elements = n.Elts
	case *ast.CallExpr:
		if inner, ok := r.contextOfList(n.Args[0]); ok {
			ctx = inner
		}
		elements = n.Args[1:]
	}
	for _, e := range elements {
		arg := r.contextIn(e)
		if arg == nil {
			continue
		}
		v, ok := r.info.Uses[idOf(arg)].(*types.Var)
		if !ok || ctx != nil && ctx != v {
			return nil, true
		}
		ctx = v
	}
	return ctx, true
}

// changes reports whether a unit assigns to a variable after a position.
func (r *reader) changes(v *types.Var, after token.Pos) bool {
	changed := false
	ast.Inspect(r.u.node, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && a.Pos() > after {
			changed = changed || slices.ContainsFunc(a.Lhs, func(e ast.Expr) bool {
				return idOf(e) != nil && r.info.Uses[idOf(e)] == v
			})
		}
		return !changed
	})
	return changed
}
