package move

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// Options of client-go have pointers, so that what they point to may change until they are sent.
// Here most of them are values. Where such a change may come after the options are made, the unit
// is left.

// checkPointers leaves a unit in which options see later changes of what they point to.
func (r *mover) checkPointers() {
	s := &sharing{r: r}
	ast.Inspect(r.u.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			if from := namedOf(r.info.TypeOf(n)); from != nil && isOld(from.Obj()) && isOption(from) {
				s.literal(n, from)
			}
		case *ast.AssignStmt:
			s.assignment(n)
		}
		return true
	})
}

type sharing struct{ r *mover }

func (s *sharing) literal(n *ast.CompositeLit, from *types.Named) {
	fields := fieldsOf(from)
	for i, e := range n.Elts {
		value, name := e, ""
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			value, name = kv.Value, idName(kv.Key)
		} else if fields != nil && i < fields.NumFields() {
			name = fields.Field(i).Name()
		}
		s.check(value, from, name, n)
	}
}

// assignment looks at options.Field = &x, and at *options.Field = x.
func (s *sharing) assignment(n *ast.AssignStmt) {
	for i, left := range n.Lhs {
		star, through := ast.Unparen(left).(*ast.StarExpr)
		if through {
			left = star.X
		}
		sel, ok := ast.Unparen(left).(*ast.SelectorExpr)
		if !ok {
			continue
		}
		selection := s.r.info.Selections[sel]
		if selection == nil || selection.Kind() != types.FieldVal || !isOld(selection.Obj()) {
			continue
		}
		from := owner(selection)
		switch {
		case from == nil || !isOption(from):
		case !through && len(n.Lhs) == len(n.Rhs):
			s.check(n.Rhs[i], from, sel.Sel.Name, sel)
		case through && s.isCopied(sel.Sel.Name, from) && s.isOutOfSight(sel, from):
			s.r.note(n, "field", "what else has what "+s.r.source(sel)+" points to does not see this change")
		case through && s.isCopied(sel.Sel.Name, from) && s.isShared(sel, from):
			s.r.block(n, "field", "%s may be shared with what else points to it: assign a new pointer",
				s.r.source(sel))
		}
	}
}

// isShared reports whether a unit gives a field a pointer that it has elsewhere, or has more than
// one value of the options.
func (s *sharing) isShared(sel *ast.SelectorExpr, from *types.Named) bool {
	shared := false
	variables := map[types.Object]bool{}
	ast.Inspect(s.r.u.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if v, ok := s.r.info.Defs[n].(*types.Var); ok && namedOf(v.Type()) == from {
				variables[v] = true
			}
		case *ast.KeyValueExpr:
			lit, _ := s.r.parents[n].(*ast.CompositeLit)
			if lit == nil || namedOf(s.r.info.TypeOf(lit)) != from {
				return true // other options
			}
			if idName(n.Key) == sel.Sel.Name && s.pointee(n.Value) != nil && !s.isUsedOnce(s.pointee(n.Value)) {
				shared = true
			}
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				to, ok := left.(*ast.SelectorExpr)
				if ok && len(n.Lhs) == len(n.Rhs) && to.Sel.Name == sel.Sel.Name && s.pointee(n.Rhs[i]) != nil {
					shared = true
				}
				if len(n.Lhs) == len(n.Rhs) && s.r.source(n.Rhs[i]) == s.r.source(sel) {
					shared = true // another name for the pointer
				}
			}
		}
		return true
	})
	return shared || len(variables) > 1
}

// isUsedOnce reports whether an expression is a local variable that nothing else uses.
func (s *sharing) isUsedOnce(x ast.Expr) bool {
	if !s.isLocal(x) || isPointer(s.r.info.TypeOf(x)) {
		return false
	}
	uses := 0
	ast.Inspect(s.r.u.node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && s.r.info.Uses[id] == s.r.info.Uses[idOf(x)] {
			uses++
		}
		return true
	})
	return uses == 1
}

// isCopied reports whether a field with a pointer has a value here, or a pointer to a copy.
func (s *sharing) isCopied(name string, from *types.Named) bool {
	f, _ := s.r.newField(nil, from, name)
	old := structField(fieldsOf(from), name)
	return f != nil && old != nil && isPointer(old.Type()) && !types.Identical(f.Type(), old.Type())
}

// pointee returns what a pointer of the program points to: x for &x, and p for a pointer p; nil for
// new values.
func (s *sharing) pointee(value ast.Expr) ast.Expr {
	switch n := ast.Unparen(value).(type) {
	case *ast.UnaryExpr:
		if n.Op == token.AND && literalOf(n) == nil {
			return ast.Unparen(n.X)
		}
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr:
		if t := s.r.info.TypeOf(n); t != nil && isPointer(t) && !isNil(s.r.info, n) {
			return n
		}
	case *ast.CallExpr:
		if isFlagPackage(s.r.reader, n) {
			return n
		}
		if s.r.info.Types[n.Fun].IsType() && len(n.Args) == 1 { // (*T)(&x)
			return s.pointee(n.Args[0])
		}
	}
	return nil
}

// isFlagPackage reports whether a function of a package for flags is called: its pointers get
// their values when the command line is parsed.
func isFlagPackage(r *reader, n *ast.CallExpr) bool {
	f, ok := r.info.Uses[calledName(n)].(*types.Func)
	return ok && f.Pkg() != nil &&
		(strings.HasSuffix(f.Pkg().Path(), "flag") || strings.Contains(f.Pkg().Path(), "kingpin"))
}

// check leaves the unit if what a field points to may change before the options are sent.
func (s *sharing) check(value ast.Expr, from *types.Named, name string, at ast.Node) {
	x := s.pointee(value)
	if x == nil || !s.isCopied(name, from) || s.isSentAtOnce(at) {
		return
	}
	isFunc := s.isInFunc(at)
	if isFunc && s.isReread(at, x) {
		return
	}
	far := s.holder(at) == nil && !s.isHandedOver(at, x) && !s.isOwn(x) && s.changesElsewhere(x)
	if !isFunc && !s.isLocal(x) || far || isFunc && !s.isReturned(at) && s.changes(x, at) {
		s.r.block(value, "field",
			"%s.%s points to %s, which may change before it is sent: set it right before the call",
			from.Obj().Name(), name, s.r.source(x))
	}
}

// isInFunc reports whether a node is in a function, also in one that is the value of a variable.
func (s *sharing) isInFunc(n ast.Node) bool {
	for ; n != nil; n = s.r.parents[n] {
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return true
		}
	}
	return false
}

// isLocal reports whether a variable is declared in the unit.
func (s *sharing) isLocal(x ast.Expr) bool {
	id := idOf(x)
	return id != nil && s.r.info.Uses[id] != nil && s.r.p.unitOf(s.r.info.Uses[id]) == s.r.u
}

// isSentAtOnce reports whether options are made in the call that sends them, or right before it.
func (s *sharing) isSentAtOnce(n ast.Node) bool {
	for {
		switch parent := s.r.parents[n].(type) {
		case *ast.UnaryExpr, *ast.ParenExpr, *ast.KeyValueExpr, *ast.CompositeLit:
			n = parent
		case *ast.CallExpr:
			service, _ := s.r.serviceMethod(parent)
			return service != ""
		case *ast.AssignStmt:
			id := idOf(parent.Lhs[0])
			return id != nil && s.r.inline[s.r.info.Defs[id]] != nil
		default:
			return false
		}
	}
}

// isReturned reports whether options are made where they are returned.
func (s *sharing) isReturned(n ast.Node) bool {
	for {
		switch parent := s.r.parents[n].(type) {
		case *ast.UnaryExpr, *ast.ParenExpr, *ast.KeyValueExpr, *ast.CompositeLit:
			n = parent
		case *ast.ReturnStmt:
			return true
		default:
			return false
		}
	}
}

// changesElsewhere reports whether a field or a global variable is assigned to in other units.
func (s *sharing) changesElsewhere(x ast.Expr) bool {
	id := idOf(x)
	if sel, ok := x.(*ast.SelectorExpr); ok {
		id = sel.Sel
	}
	v, ok := s.r.info.Uses[id].(*types.Var)
	if id == nil || !ok || isOld(v) || !v.IsField() && !isGlobal(v) {
		return false
	}
	for _, u := range s.r.p.units {
		found := false
		is := func(e ast.Expr) bool {
			target := idOf(ast.Unparen(e))
			switch e := ast.Unparen(e).(type) {
			case *ast.SelectorExpr:
				target = e.Sel
			case *ast.StarExpr:
				if sel, ok := e.X.(*ast.SelectorExpr); ok {
					target = sel.Sel
				} else {
					target = idOf(e.X)
				}
			}
			used, ok := u.info.Uses[target].(*types.Var)
			return target != nil && ok && used.Origin().Pos() == v.Origin().Pos()
		}
		ast.Inspect(u.node, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, left := range n.Lhs {
					found = found || u != s.r.u && is(left)
				}
			case *ast.IncDecStmt:
				found = found || u != s.r.u && is(n.X)
			case *ast.UnaryExpr:
				found = found || u != s.r.u && n.Op == token.AND && is(n.X)
			}
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

// changes reports whether what is at x may change after options were made, and before their last
// use.
func (s *sharing) changes(x ast.Expr, made ast.Node) bool {
	text := s.r.source(x)
	pointer := isPointer(s.r.info.TypeOf(x))
	holder := s.holder(made)
	found := false
	ast.Inspect(s.r.u.node, func(n ast.Node) bool {
		var at token.Pos
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				if id := idOf(left); id != nil && s.r.info.Defs[id] != nil {
					continue
				}
				if star, ok := ast.Unparen(left).(*ast.StarExpr); ok && pointer && s.r.source(star.X) == text ||
					!pointer && s.r.source(left) == text {
					at = n.Pos()
				}
			}
		case *ast.IncDecStmt:
			if !pointer && s.r.source(n.X) == text {
				at = n.Pos()
			}
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN && !pointer && (n.Key != nil && s.r.source(n.Key) == text ||
				n.Value != nil && s.r.source(n.Value) == text) {
				at = n.Body.Pos()
			}
		case *ast.CallExpr:
			name, _ := s.r.serviceMethod(n)
			if s.r.info.Types[n.Fun].IsType() {
				name = "a conversion"
			}
			for _, arg := range n.Args {
				unary, ok := ast.Unparen(arg).(*ast.UnaryExpr)
				if name == "" && ok && unary.Op == token.AND && !pointer && s.r.source(unary.X) == text {
					at = n.Pos()
				}
			}
			if isFlagPackage(s.r.reader, n) && strings.HasPrefix(idName(calledName(n)), "Parse") {
				at = n.Pos()
			}
		}
		found = found || at.IsValid() && !(s.isWithin(holder, s.r.u.node) && s.excludes(at, made.Pos())) &&
			s.matters(at, made, holder, s.r.info.Uses[idOf(x)])
		return !found
	})
	return found
}

// holder returns the variable that options are in, nil if it is not known.
func (s *sharing) holder(n ast.Node) types.Object {
	if sel, ok := n.(*ast.SelectorExpr); ok {
		if id := idOf(sel.X); id != nil {
			return s.r.info.Uses[id]
		}
		return nil
	}
	for {
		switch parent := s.r.parents[n].(type) {
		case *ast.UnaryExpr, *ast.ParenExpr, *ast.KeyValueExpr, *ast.CompositeLit:
			n = parent
		case *ast.AssignStmt:
			if id := idOf(parent.Lhs[0]); id != nil && len(parent.Lhs) == 1 {
				return s.r.info.ObjectOf(id)
			}
			return nil
		case *ast.ValueSpec:
			return s.r.info.Defs[parent.Names[0]]
		default:
			return nil
		}
	}
}

// matters reports whether options that are made at a node and held by a variable may be used after
// a change of what they point to, which is nil if it is no variable. A variable in the body of a loop
// is another one in each round.
func (s *sharing) matters(change token.Pos, made ast.Node, holder, pointee types.Object) bool {
	loopAround := func(a, b token.Pos) ast.Node {
		loop := s.loopAround(a, b)
		if loop != nil && pointee != nil && bodyOf(loop).Pos() < pointee.Pos() && pointee.Pos() < loop.End() {
			return nil
		}
		return loop
	}
	after := func(pos token.Pos) bool {
		if pos > change {
			return true
		}
		loop := loopAround(change, pos)
		return loop != nil && !(loop.Pos() <= made.Pos() && made.Pos() < loop.End() && s.isWithin(holder, loop))
	}
	if made.Pos() > change {
		loop := loopAround(change, made.Pos())
		return loop != nil && !s.isWithin(holder, loop) && s.inClosureOrHeld(holder, loop)
	}
	if holder == nil {
		return true
	}
	used := false
	ast.Inspect(s.r.u.node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && s.r.info.Uses[id] == holder && id.Pos() > made.End() && after(id.Pos()) {
			used = true
		}
		return !used
	})
	return used
}

// inClosureOrHeld reports whether options that are made in a loop may be used in a later round, or
// after it.
func (s *sharing) inClosureOrHeld(holder types.Object, loop ast.Node) bool {
	if holder == nil {
		return true
	}
	used := false
	ast.Inspect(s.r.u.node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && s.r.info.Uses[id] == holder && id.Pos() > loop.End() {
			used = true
		}
		return !used
	})
	return used
}

// isWithin reports whether a variable is declared in a loop.
func (s *sharing) isWithin(v types.Object, loop ast.Node) bool {
	return v != nil && loop.Pos() <= v.Pos() && v.Pos() < loop.End()
}

func bodyOf(loop ast.Node) *ast.BlockStmt {
	switch loop := loop.(type) {
	case *ast.ForStmt:
		return loop.Body
	case *ast.RangeStmt:
		return loop.Body
	}
	return nil
}

// loopAround returns the innermost loop around two positions, or nil.
func (s *sharing) loopAround(a, b token.Pos) ast.Node {
	var loop ast.Node
	ast.Inspect(s.r.u.node, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if n.Pos() <= a && a < n.End() && n.Pos() <= b && b < n.End() {
				loop = n
			}
		}
		return true
	})
	return loop
}
