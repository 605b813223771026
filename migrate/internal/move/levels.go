package move

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Results of this library come in levels of detail: the larger embeds the smaller. In client-go,
// most levels are one type, whose fields are empty in the smaller ones.

// levelField returns the field in which a type embeds a smaller level of itself, "" if it does not.
func levelField(from, level *types.Named) string {
	fields := fieldsOf(from)
	if fields == nil || level == nil {
		return ""
	}
	for f := range fields.Fields() {
		if levelIn(f) != nil && structOf(f.Type()) == level {
			return f.Name()
		}
	}
	return ""
}

// findReads finds the fields of client-go that the program reads.
func (p *program) findReads() {
	p.reads = map[fieldName]bool{}
	for _, u := range p.units {
		if !u.uses {
			continue
		}
		ast.Inspect(u.node, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			s := u.info.Selections[sel]
			if s != nil && s.Kind() == types.FieldVal && isOld(s.Obj()) && owner(s) != nil {
				p.reads[fieldName{owner(s).Obj().Name(), s.Obj().Name()}] = true
			}
			return true
		})
	}
}

// declareLevel declares the type of a variable that is defined by a smaller level, and gets a larger
// one later.
func (r *mover) declareLevel(n *ast.AssignStmt) (string, bool) {
	if n.Tok != token.DEFINE || len(n.Lhs) != 1 || len(n.Rhs) != 1 || idOf(n.Lhs[0]) == nil || !r.isStatement(n) {
		return "", false
	}
	v := r.info.Defs[idOf(n.Lhs[0])]
	if v == nil || !isPointer(v.Type()) || oldName(v.Type()) == "" || !r.isAssigned(v) {
		return "", false
	}
	key := r.p.slots.find(r.p.slots.key(r.reader, n.Lhs[0]))
	level := r.override(n.Lhs[0], oldName(v.Type()))
	if r.p.slots.mixed[key] == nil || level == "" {
		return "", false
	}
	return "var " + v.Name() + " *" + r.use(qualified(level)) + " = " + r.render(n.Rhs[0]), true
}

// isAssigned reports whether the unit assigns to a variable after its definition.
func (r *reader) isAssigned(v types.Object) bool {
	found := false
	ast.Inspect(r.u.node, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok {
			found = found || slices.ContainsFunc(a.Lhs, func(e ast.Expr) bool {
				return idOf(e) != nil && r.info.Uses[idOf(e)] == v
			})
		}
		return !found
	})
	return found
}

// levelOf returns the type for values of several levels: the smallest if the program reads nothing
// else of them, or the largest. It returns "" if they are no levels of each other.
func (m *mapping) levelOf(names map[string]bool) string {
	best := func(fits func(a, b *types.Named) bool) string {
		for name := range names {
			a, isBest := m.p.newType(name), true
			for other := range names {
				isBest = isBest && (other == name || a != nil && fits(a, m.p.newType(other)))
			}
			if isBest {
				return name
			}
		}
		return ""
	}
	smallest := best(func(a, b *types.Named) bool { return levelField(b, a) != "" && !m.losesFields(b, a) })
	if smallest != "" {
		return smallest
	}
	return best(func(a, b *types.Named) bool { return levelField(a, b) != "" })
}

// wholeAndPart returns the type of an expression that has an embedded part of client-go, such as mr in
// mr.BasicMergeRequest, and the type of the part.
func (r *reader) wholeAndPart(n *ast.SelectorExpr) (whole, part *types.Named) {
	s := r.info.Selections[n]
	name := oldName(s.Recv())
	if override := r.override(n.X, name); override != "" {
		return r.p.newType(override), r.p.newType(r.m.typeName(s.Obj().Name()))
	}
	return r.p.newType(r.m.typeName(name)), r.p.newType(r.m.typeName(s.Obj().Name()))
}

// isWhole reports whether an expression is the whole embedded part of a client-go value.
func (r *reader) isWhole(n *ast.SelectorExpr) bool {
	s := r.info.Selections[n]
	if s == nil || s.Kind() != types.FieldVal || !isOld(s.Obj()) {
		return false
	}
	v := s.Obj().(*types.Var)
	if !v.Embedded() || oldName(v.Type()) == "" {
		return false
	}
	whole, part := r.wholeAndPart(n)
	return v.Name() == "Basic"+oldName(s.Recv()) || whole != nil && whole == part
}

// part rewrites mr.BasicMergeRequest.
func (r *mover) part(n *ast.SelectorExpr) (string, bool) {
	whole, part := r.wholeAndPart(n)
	pointer := isPointer(r.info.Selections[n].Recv())
	switch {
	case whole == nil || part == nil:
		return "", false
	case whole == part && pointer:
		return "*" + r.render(n.X), true
	case whole == part:
		return r.render(n.X), true
	}
	level := levelField(whole, part)
	return r.render(n.X) + "." + level, level != ""
}

// addressOfPart rewrites &mr.BasicMergeRequest.
func (r *mover) addressOfPart(n *ast.SelectorExpr) (string, bool) {
	text, ok := r.part(n)
	if pointer, isPointer := strings.CutPrefix(text, "*"); isPointer {
		return pointer, ok
	}
	return "&" + text, ok
}

// partOf returns x for MergeRequest{BasicMergeRequest: x}, nil for other literals.
func (r *reader) partOf(n *ast.CompositeLit) ast.Expr {
	if len(n.Elts) != 1 {
		return nil
	}
	kv, ok := n.Elts[0].(*ast.KeyValueExpr)
	if !ok || idName(kv.Key) != "Basic"+oldName(r.info.TypeOf(n)) {
		return nil
	}
	return kv.Value
}

// level rewrites an element of a literal that is the embedded part of client-go, if its
// counterpart is embedded here, and no other element belongs to it.
func (l *literal) level(kv *ast.KeyValueExpr) bool {
	old := structField(fieldsOf(l.from), idName(kv.Key))
	to := fieldsOf(l.to)
	if old == nil || !old.Embedded() || oldName(old.Type()) == "" || to == nil {
		return false
	}
	for f := range to.Fields() {
		named := structOf(f.Type())
		if levelIn(f) == nil || l.fillsLevel(f.Name(), kv) ||
			!l.r.p.slots.pairs(oldName(old.Type()), l.r.p.nameOf(named)) {
			continue
		}
		l.edits = append(l.edits, edit{l.r.offset(kv.Pos()), l.r.offset(kv.End()),
			f.Name() + ": " + l.r.value(kv.Value, named)})
		return true
	}
	return false
}

// fillsLevel reports whether another element of a literal belongs to a level.
func (l *literal) fillsLevel(name string, but *ast.KeyValueExpr) bool {
	return slices.ContainsFunc(l.node.Elts, func(e ast.Expr) bool {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok || kv == but || idOf(kv.Key) == nil {
			return false
		}
		f, ok := l.fieldOf(idName(kv.Key))
		return ok && strings.HasPrefix(f.Name(), name+".")
	})
}

// convertLevel converts between levels of detail.
func (k *repairer) convertLevel(n ast.Expr, text string, from, to *types.Named) (string, bool) {
	if !k.v.m.canCopy(from, to) {
		return "", false
	}
	if level := levelField(from, to); level != "" {
		if star, ok := n.(*ast.StarExpr); ok {
			text = k.source(star.X)
		}
		return text + "." + level, true
	}
	if level := levelField(to, from); level != "" {
		return k.typeString(to) + "{" + level + ": " + text + "}", true
	}
	return "", false
}

// convertPart converts a pointer to a larger level to one to the smaller, which it has in it.
func (k *repairer) convertPart(n ast.Expr, text string, from, to *types.Named) (string, bool) {
	level := levelField(from, to)
	if level == "" || !k.v.m.canCopy(from, to) {
		return "", false
	}
	if n != nil && k.isReturned(n) {
		return "&" + text + "." + level, true
	}
	a, b := k.v.p.nameOf(from), k.v.p.nameOf(to)
	k.helpers["level "+a+" "+b] = true
	return k.f.pack.free(copierName(a, b)) + "(" + text + ")", true
}

// isReturned reports whether a variable only has what a call of this library returns without an
// error, which is not nil.
func (k *repairer) isReturned(n ast.Expr) bool {
	id, root := idOf(n), k.function()
	if id == nil || root == nil || k.info.Uses[id] == nil {
		return false
	}
	checked, others := false, false
	ast.Inspect(root, func(n ast.Node) bool {
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.BlockStmt:
			list = n.List
		case *ast.CaseClause:
			list = n.Body
		case *ast.UnaryExpr:
			others = others || n.Op == token.AND && idOf(n.X) != nil && k.info.Uses[idOf(n.X)] == k.info.Uses[id]
		}
		for i, s := range list {
			a, ok := s.(*ast.AssignStmt)
			if !ok || !slices.ContainsFunc(a.Lhs, func(e ast.Expr) bool {
				return idOf(e) != nil && k.info.ObjectOf(idOf(e)) == k.info.Uses[id]
			}) {
				continue
			}
			if i+1 < len(list) && k.callsLibrary(a) && k.endsOnError(a, list[i+1]) {
				checked = true
			} else {
				others = true
			}
		}
		return true
	})
	return checked && !others
}

// callsLibrary reports whether a statement assigns the results of a method of this library.
func (k *repairer) callsLibrary(a *ast.AssignStmt) bool {
	call, ok := a.Rhs[0].(*ast.CallExpr)
	if !ok || len(a.Rhs) != 1 || len(a.Lhs) != 3 {
		return false
	}
	f, ok := k.info.Uses[calledName(call)].(*types.Func)
	return ok && f.Pkg() == k.v.p.library
}

// endsOnError reports whether a statement leaves the function if the last result is an error.
func (k *repairer) endsOnError(a *ast.AssignStmt, s ast.Stmt) bool {
	check, ok := s.(*ast.IfStmt)
	if !ok || check.Init != nil || !ends(check.Body) {
		return false
	}
	cond, ok := check.Cond.(*ast.BinaryExpr)
	err := idOf(a.Lhs[len(a.Lhs)-1])
	return ok && err != nil && cond.Op == token.NEQ && isNil(k.info, cond.Y) && idOf(cond.X) != nil &&
		k.info.ObjectOf(idOf(cond.X)) == k.info.ObjectOf(err)
}
