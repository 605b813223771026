package move

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// contextAt returns the context for a call that had none. It is one that certainly
// lives at the call: from the functions around it, a request or a test. Otherwise it is
// a new one.
func (r *mover) contextAt(n ast.Node) string {
	seen := map[string]bool{}
	source := ""
	scope := r.u.file.pack.src.Types.Scope().Innermost(n.Pos())
	for ; scope != nil && scope != types.Universe; scope = scope.Parent() {
		for _, v := range r.variables(scope, n) {
			if seen[v.Name()] {
				continue
			}
			seen[v.Name()] = true
			text := contextText(v)
			switch {
			case text == "" || isGlobal(v) && source != "" || !r.lives(n, v):
			case text == v.Name():
				r.note(n, "context", "it had no context and gets "+text+": it fails when "+text+" ends")
				return text
			case source == "":
				source = text
			}
		}
	}
	if source != "" {
		r.note(n, "context", "it had no context and gets "+source+": it fails when that ends")
		return source
	}
	r.note(n, "context", "no context at hand: replace context.TODO()")
	if r.hides(n, "context") {
		return r.help("todoContext") + "()"
	}
	r.imports["context"] = true
	return "context.TODO()"
}

// hides reports whether a name means something else than a package of the standard library at a
// node.
func (r *reader) hides(n ast.Node, path string) bool {
	scope := r.u.file.pack.src.Types.Scope().Innermost(n.Pos())
	if scope == nil {
		return false
	}
	_, obj := scope.LookupParent(path, n.Pos())
	name, isPackage := obj.(*types.PkgName)
	return obj != nil && (!isPackage || name.Imported().Path() != path)
}

// variables returns the variables of a scope that a node can use, the last ones first.
func (r *reader) variables(scope *types.Scope, n ast.Node) []*types.Var {
	var found []*types.Var
	for _, name := range scope.Names() {
		v, ok := scope.Lookup(name).(*types.Var)
		if ok && name != "_" && (isGlobal(v) || v.Pos() <= n.Pos() && !r.declares(n, v)) {
			found = append(found, v)
		}
	}
	slices.SortFunc(found, func(a, b *types.Var) int { return int(b.Pos()) - int(a.Pos()) })
	return found
}

func isGlobal(v *types.Var) bool { return v.Parent() == v.Pkg().Scope() }

// contextText returns the context in a variable, or "" if it has none.
func contextText(v *types.Var) string {
	switch types.TypeString(v.Type(), nil) {
	case "context.Context":
		return v.Name()
	case "*net/http.Request", "*testing.T", "*testing.B", "testing.TB":
		return v.Name() + ".Context()"
	}
	return ""
}

// declares reports whether a variable is declared by the statement of a node.
func (r *reader) declares(n ast.Node, v *types.Var) bool {
	for ; n != nil; n = r.parents[n] {
		if s, ok := n.(*ast.AssignStmt); ok && s.Pos() <= v.Pos() && v.Pos() < s.TokPos {
			return true
		}
	}
	return false
}

// lives reports whether the context of a variable certainly lives at a node: in its
// function, before the function returns or learns that the context has ended.
func (r *reader) lives(n ast.Node, v *types.Var) bool {
	if isGlobal(v) {
		return r.isEndless(v)
	}
	isTest := strings.Contains(types.TypeString(v.Type(), nil), "testing.")
	fun := r.functionOf(n, v)
	if fun == nil {
		return false
	}
	for child := n; child != fun; child = r.parents[child] {
		switch child := child.(type) {
		case *ast.GoStmt:
			return false
		case *ast.DeferStmt:
			if !isTest { // a test ends after its deferred calls
				return false
			}
		case *ast.FuncLit:
			if !r.runsAtOnce(child) {
				return false
			}
		}
	}
	if !isTest && types.TypeString(v.Type(), nil) != "context.Context" && !isParam(fun, v) {
		return false // the function makes the request itself
	}
	return !r.isLimited(n, v, fun) && !r.hasEnded(n, v, fun)
}

// functionOf returns the function around a node that declares a variable, or nil.
func (r *reader) functionOf(n ast.Node, v *types.Var) ast.Node {
	for ; n != nil; n = r.parents[n] {
		switch n.(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			if n.Pos() <= v.Pos() && v.Pos() < n.End() {
				return n
			}
		}
	}
	return nil
}

func isParam(fun ast.Node, v *types.Var) bool {
	switch fun := fun.(type) {
	case *ast.FuncLit:
		return v.Pos() < fun.Body.Pos()
	case *ast.FuncDecl:
		return fun.Body == nil || v.Pos() < fun.Body.Pos()
	}
	return false
}

// runsAtOnce reports whether a function is called where it is written, or by client-go.
func (r *reader) runsAtOnce(n *ast.FuncLit) bool {
	call, ok := r.parents[n].(*ast.CallExpr)
	if !ok {
		return false
	}
	return call.Fun == n || r.oldObject(call.Fun) != nil
}

// isEndless reports whether a variable at the top level has a context that never ends.
func (r *reader) isEndless(v *types.Var) bool {
	u := r.p.unitOf(v)
	if u == nil || r.p.singles[v.Pos()] {
		return false
	}
	spec, ok := u.node.(*ast.ValueSpec)
	if !ok || len(spec.Names) != 1 || len(spec.Values) != 1 {
		return false
	}
	switch _, name := calledFunc(u.info, spec.Values[0]); name {
	case "context.Background", "context.TODO":
		return true
	}
	return false
}

// calledFunc returns a call and the name of the package function that it calls.
func calledFunc(info *types.Info, n ast.Expr) (*ast.CallExpr, string) {
	call, ok := ast.Unparen(n).(*ast.CallExpr)
	if !ok {
		return nil, ""
	}
	id := calledName(call)
	if id == nil {
		return nil, ""
	}
	f, ok := info.Uses[id].(*types.Func)
	if !ok || f.Pkg() == nil || f.Signature().Recv() != nil {
		return call, ""
	}
	return call, f.Pkg().Path() + "." + f.Name()
}

// isLimited reports whether the context of a variable ends after a time or with a
// signal, or may be ended by the function itself.
func (r *reader) isLimited(n ast.Node, v *types.Var, fun ast.Node) bool {
	limited := false
	ast.Inspect(fun, func(s ast.Node) bool {
		a, ok := s.(*ast.AssignStmt)
		if !ok || limited || len(a.Rhs) != 1 || a.Pos() > n.Pos() {
			return !limited
		}
		sets := func(e ast.Expr) bool { return idOf(e) != nil && r.info.ObjectOf(idOf(e)) == v }
		if !slices.ContainsFunc(a.Lhs, sets) {
			return true
		}
		_, name := calledFunc(r.info, a.Rhs[0])
		switch {
		case name == "context.WithCancel", name == "context.WithCancelCause":
			limited = len(a.Lhs) != 2 || !r.onlyDeferred(a.Lhs[1], fun)
		case strings.HasPrefix(name, "context.WithTimeout"), strings.HasPrefix(name, "context.WithDeadline"),
			name == "os/signal.NotifyContext", strings.HasSuffix(name, "errgroup.WithContext"):
			limited = true
		}
		return !limited
	})
	return limited
}

// onlyDeferred reports whether a function that ends a context is called when the function around
// it returns, and nowhere else.
func (r *reader) onlyDeferred(n ast.Expr, fun ast.Node) bool {
	if idName(n) == "_" {
		return true
	}
	if idOf(n) == nil {
		return false
	}
	obj := r.info.ObjectOf(idOf(n))
	only := true
	ast.Inspect(fun, func(s ast.Node) bool {
		id, ok := s.(*ast.Ident)
		if ok && r.info.Uses[id] == obj {
			call, isCall := r.parents[id].(*ast.CallExpr)
			_, isDeferred := r.parents[call].(*ast.DeferStmt)
			only = only && isCall && isDeferred
		}
		return only
	})
	return only
}

// hasEnded reports whether a context may have ended at a node because the function has
// asked for its end: in a branch for an ended context, and after one that continues.
func (r *reader) hasEnded(n ast.Node, v *types.Var, fun ast.Node) bool {
	ended := false
	ast.Inspect(fun, func(s ast.Node) bool {
		if lit, ok := s.(*ast.FuncLit); ok && s != fun && (n.Pos() < lit.Pos() || lit.End() <= n.Pos()) {
			return false // the context has a life of its own
		}
		call, ok := s.(*ast.CallExpr)
		if ok && call.Pos() < n.Pos() && r.asksForEnd(call, v) {
			ended = ended || r.endsBefore(call, n, fun)
		}
		return !ended
	})
	return ended
}

// asksForEnd reports whether a call is ctx.Done(), ctx.Err() or context.Cause(ctx).
func (r *reader) asksForEnd(n *ast.CallExpr, v *types.Var) bool {
	is := func(e ast.Expr) bool {
		if call, ok := ast.Unparen(e).(*ast.CallExpr); ok { // r.Context()
			if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
				e = sel.X
			}
		}
		return idOf(e) != nil && r.info.Uses[idOf(e)] == v
	}
	if sel, ok := n.Fun.(*ast.SelectorExpr); ok && (sel.Sel.Name == "Done" || sel.Sel.Name == "Err") && is(sel.X) {
		return true
	}
	_, name := calledFunc(r.info, n)
	return name == "context.Cause" && len(n.Args) == 1 && is(n.Args[0])
}

// endsBefore reports whether a context may have ended at a node because of an earlier
// check.
func (r *reader) endsBefore(question *ast.CallExpr, n, fun ast.Node) bool {
	inside := func(block ast.Node) bool { return block.Pos() <= n.Pos() && n.Pos() < block.End() }
	var child ast.Node = question
	for parent := r.parents[question]; parent != nil && child != fun; child, parent = parent, r.parents[parent] {
		switch s := parent.(type) {
		case *ast.ReturnStmt:
			return inside(s)
		case *ast.CommClause:
			if child == s.Comm {
				return inside(s) || !returns(s.Body)
			}
		case *ast.CaseClause:
			if e, ok := child.(ast.Expr); ok && slices.Contains(s.List, e) {
				return inside(s) || !returns(s.Body)
			}
		case *ast.IfStmt:
			if child == s.Cond || child == s.Init {
				return inside(s.Body) || !returns(s.Body.List)
			}
		case *ast.ForStmt:
			if child == s.Cond {
				return !inside(s.Body)
			}
		case *ast.BlockStmt:
			return true
		}
	}
	return true
}

// returns reports whether the last statement leaves the function.
func returns(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	if _, jumps := list[len(list)-1].(*ast.BranchStmt); jumps {
		return false
	}
	return leaves(&ast.BlockStmt{List: list})
}
