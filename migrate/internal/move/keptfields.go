package move

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// A program may keep something of its own in a field of a result that the service never sends there, and
// that this library does not have. Where all uses of the field are seen, the rest of the block gets a
// struct with the result and the field.

// A keptItem is a result with fields of the program's own, from a statement to the end of its block.
type keptItem struct {
	v      *types.Var
	id     *ast.Ident   // a use of it
	from   *types.Named // of client-go
	now    *types.Named
	block  *ast.BlockStmt
	first  *ast.AssignStmt // which sets the first of the fields
	fields []*types.Var    // of client-go
	name   string          // of the struct
}

// findKept finds the fields of results that the program sets for itself.
func (p *program) findKept(m *mapping) {
	p.kept = map[*ast.AssignStmt]*keptItem{}
	all, seen := map[fieldName]int{}, map[fieldName]int{}
	for _, u := range p.units {
		if !u.uses || p.isBroken(u) {
			continue
		}
		r := p.reader(m, u)
		for _, item := range r.keptItems(all) {
			if r.isUnshared(item) && r.readKept(item, seen) {
				p.kept[item.first] = item
			}
		}
	}
	maps.DeleteFunc(p.kept, func(_ *ast.AssignStmt, item *keptItem) bool {
		return slices.ContainsFunc(item.fields, func(f *types.Var) bool {
			key := fieldName{item.from.Obj().Name(), f.Name()}
			return all[key] != seen[key] // it is also used where it is not seen
		})
	})
}

// keptItems returns the results of a unit in which it sets fields that they do not have here, and counts
// all uses of such fields.
func (r *reader) keptItems(all map[fieldName]int) (items []*keptItem) {
	ast.Inspect(r.u.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			items = r.addKept(items, n)
		case *ast.SelectorExpr:
			if s := r.info.Selections[n]; s != nil && s.Kind() == types.FieldVal && isOld(s.Obj()) {
				r.countKept(all, n.X, owner(s), n.Sel.Name)
			}
		case *ast.KeyValueExpr:
			if lit, ok := r.parents[n].(*ast.CompositeLit); ok {
				r.countKept(all, lit, namedOf(r.info.TypeOf(lit)), idName(n.Key))
			}
		}
		return true
	})
	return items
}

// countKept counts a use of a field that the result does not have here.
func (r *reader) countKept(all map[fieldName]int, x ast.Expr, from *types.Named, name string) {
	if from == nil || !isOld(from.Obj()) {
		return
	}
	if f, _ := r.newField(x, from, name); f == nil {
		all[fieldName{from.Obj().Name(), name}]++
	}
}

// addKept adds what a statement sets, if it is a field that a result of this library does not have.
func (r *reader) addKept(items []*keptItem, n *ast.AssignStmt) []*keptItem {
	if len(n.Lhs) != 1 || len(n.Rhs) != 1 || n.Tok != token.ASSIGN {
		return items
	}
	sel, ok := n.Lhs[0].(*ast.SelectorExpr)
	block, inBlock := r.parents[n].(*ast.BlockStmt)
	if !ok || !inBlock || idOf(sel.X) == nil {
		return items
	}
	v, isVar := r.info.Uses[idOf(sel.X)].(*types.Var)
	s := r.info.Selections[sel]
	if !isVar || isGlobal(v) || v.IsField() || s == nil || !isOld(s.Obj()) || !isPointer(v.Type()) {
		return items
	}
	from, field := owner(s), s.Obj().(*types.Var)
	switch oldName(v.Type()) {
	case "Client", "Response", "ErrorResponse":
		return items // what they have is no result
	}
	if from == nil || namedOf(v.Type()) != from || isOption(from) || involves(field.Type()) {
		return items
	}
	now := namedOf(r.newTypeOf(sel.X))
	if f, _ := r.newField(sel.X, from, field.Name()); f != nil || now == nil || fieldsOf(now) == nil ||
		r.p.nameOf(now) == "" || encodes(now) {
		return items
	}
	for _, item := range items {
		if item.v == v && item.block == block {
			item.fields = append(item.fields, field)
			return items
		}
	}
	name := r.unused(v.Name() + "With" + field.Name())
	return append(items, &keptItem{v: v, id: idOf(sel.X), from: from, now: now, block: block, first: n,
		fields: []*types.Var{field}, name: name})
}

// encodes reports whether a type says itself what its JSON is, which then lacks other fields.
func encodes(t *types.Named) bool {
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, t.Obj().Pkg(), "MarshalJSON")
	return obj != nil
}

// isUnshared reports whether nothing else has the result: it comes from a call, or out of a list that is
// not used any more.
func (r *reader) isUnshared(item *keptItem) bool {
	unshared := false
	ast.Inspect(r.u.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if id := idOf(n.Lhs[0]); id != nil && r.info.Defs[id] == item.v {
				call, ok := ast.Unparen(n.Rhs[0]).(*ast.CallExpr)
				unshared = ok && r.isServiceCall(call)
			}
		case *ast.RangeStmt:
			if id := idOf(n.Value); id != nil && r.info.Defs[id] == item.v {
				unshared = r.isLastUse(n.X)
			}
		}
		return true
	})
	return unshared
}

func (r *reader) isServiceCall(n *ast.CallExpr) bool {
	_, f := r.serviceMethod(n)
	return f != nil
}

// isLastUse reports whether an expression is a local variable with the result of a call, and nothing uses
// it later.
func (r *reader) isLastUse(n ast.Expr) bool {
	id := idOf(ast.Unparen(n))
	if id == nil {
		return false
	}
	v, ok := r.info.Uses[id].(*types.Var)
	if !ok || isGlobal(v) || v.IsField() {
		return false
	}
	fresh, last := false, true
	ast.Inspect(r.u.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if left := idOf(n.Lhs[0]); left != nil && r.info.ObjectOf(left) == v {
				call, isCall := ast.Unparen(n.Rhs[0]).(*ast.CallExpr)
				fresh = isCall && r.isServiceCall(call)
				last = last && n.Pos() < id.Pos()
			}
		case *ast.Ident:
			last = last && (r.info.Uses[n] != v || n.Pos() <= id.Pos() && !r.isKept(n))
		}
		return true
	})
	return fresh && last
}

// isKept reports whether a list goes on elsewhere, other than by its length or an element.
func (r *reader) isKept(id *ast.Ident) bool {
	switch parent := r.parents[id].(type) {
	case *ast.RangeStmt:
		return parent.X != ast.Expr(id)
	case *ast.CallExpr:
		return !r.isCounted(id)
	case *ast.AssignStmt:
		return slices.Contains(parent.Rhs, ast.Expr(id))
	case *ast.BinaryExpr:
		return false
	}
	return true
}

// readKept counts the uses of the fields of an item. It reports whether all uses of the variable are seen:
// after the first statement they are in its block, and nothing else is assigned to it.
func (r *reader) readKept(item *keptItem, seen map[fieldName]int) bool {
	good, used := true, false
	ast.Inspect(r.u.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			if n.End() < item.first.Pos() && r.mentions(n, item.id) {
				good = false // it may run later
			}
		case *ast.Ident:
			if r.info.Uses[n] != item.v || n.Pos() < item.first.Pos() {
				return true
			}
			inside := item.block.Pos() <= n.Pos() && n.Pos() < item.block.End()
			_, field := r.parents[n].(*ast.SelectorExpr)
			good = good && inside && (field || !r.isTarget(n))
			used = used || n.Pos() > item.first.End()
		}
		return true
	})
	if !good || !used {
		return false
	}
	ast.Inspect(item.block, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok || sel.Pos() < item.first.Pos() || idOf(sel.X) == nil || r.info.Uses[idOf(sel.X)] != item.v {
			return true
		}
		if item.has(sel.Sel.Name) {
			seen[fieldName{item.from.Obj().Name(), sel.Sel.Name}]++
		}
		return true
	})
	return true
}

func (item *keptItem) has(field string) bool {
	return slices.ContainsFunc(item.fields, func(f *types.Var) bool { return f.Name() == field })
}

// keptAt returns the item that a use of a variable belongs to, nil if there is none.
func (r *reader) keptAt(id *ast.Ident) *keptItem {
	if len(r.p.kept) == 0 {
		return nil
	}
	for first, item := range r.p.kept {
		if r.info.Uses[id] == item.v && first.End() <= id.Pos() && id.Pos() < item.block.End() {
			return item
		}
	}
	return nil
}

// keepItem makes the struct where its first field is set.
func (r *mover) keepItem(n *ast.AssignStmt) (string, bool) {
	item := r.p.kept[n]
	if item == nil {
		return "", false
	}
	var text strings.Builder
	text.WriteString(item.name + " := &struct {\n*" + r.use(qualified(r.p.nameOf(item.now))) + "\n")
	for _, f := range item.fields {
		text.WriteString(f.Name() + " " + r.typeString(f.Type()))
		if name := wireOf(fieldsOf(item.from), f.Name()); name != "" {
			text.WriteString(" `json:\"" + name + "\"`")
		}
		text.WriteString("\n")
	}
	text.WriteString("}{" + item.now.Obj().Name() + ": " + item.v.Name() + ", " + item.fields[0].Name() + ": " +
		r.render(n.Rhs[0]) + "}")
	r.note(n, "field", r.p.nameOf(item.now)+" has no "+item.fields[0].Name()+": "+item.name+
		" keeps it beside the result")
	return text.String(), true
}

// keptName renders a variable after it was put into a struct: the struct where the program selects a
// field or wants a value of any type, and the result elsewhere.
func (r *mover) keptName(id *ast.Ident) (string, bool) {
	item := r.keptAt(id)
	if item == nil {
		return "", false
	}
	if sel, ok := r.parents[id].(*ast.SelectorExpr); ok && sel.X == ast.Expr(id) || r.becomesInterface(id) {
		return item.name, true
	}
	return item.name + "." + item.now.Obj().Name(), true
}

// keptField renders a field of such a struct that the result does not have.
func (r *mover) keptField(n *ast.SelectorExpr) (string, bool) {
	id := idOf(n.X)
	if id == nil {
		return "", false
	}
	if item := r.keptAt(id); item != nil && item.has(n.Sel.Name) {
		return item.name + "." + n.Sel.Name, true
	}
	return "", false
}

// becomesInterface reports whether an expression is assigned to an interface.
func (r *reader) becomesInterface(n ast.Expr) bool {
	is := func(t types.Type) bool { return t != nil && types.IsInterface(t) }
	switch parent := r.parents[n].(type) {
	case *ast.CallExpr:
		i := slices.Index(parent.Args, n)
		signature, ok := signatureOf(r.info, parent.Fun)
		if i < 0 || !ok || signature.Params().Len() == 0 {
			return i >= 0 && r.isAppendedToInterfaces(parent)
		}
		t := signature.Params().At(min(i, signature.Params().Len()-1)).Type()
		if slice, ok := t.(*types.Slice); ok && signature.Variadic() && i >= signature.Params().Len()-1 {
			t = slice.Elem()
		}
		return is(t)
	case *ast.ReturnStmt:
		signature := r.enclosing(parent)
		i := slices.Index(parent.Results, n)
		return signature != nil && i < signature.Results().Len() && is(signature.Results().At(i).Type())
	case *ast.AssignStmt:
		i := slices.Index(parent.Rhs, n)
		return i >= 0 && i < len(parent.Lhs) && parent.Tok == token.ASSIGN && is(r.info.TypeOf(parent.Lhs[i]))
	case *ast.KeyValueExpr:
		lit, ok := r.parents[parent].(*ast.CompositeLit)
		return ok && (r.holdsAny(lit) || r.setsInterface(lit, parent))
	case *ast.CompositeLit:
		return r.holdsAny(parent)
	case *ast.SendStmt:
		c, ok := r.info.TypeOf(parent.Chan).Underlying().(*types.Chan)
		return ok && parent.Value == n && is(c.Elem())
	}
	return false
}

// isAppendedToInterfaces reports whether values are appended to a slice of interfaces.
func (r *reader) isAppendedToInterfaces(n *ast.CallExpr) bool {
	slice, ok := r.info.TypeOf(n).Underlying().(*types.Slice)
	return ok && idName(n.Fun) == "append" && types.IsInterface(slice.Elem())
}

// setsInterface reports whether an element of a literal sets a field that is an interface.
func (r *reader) setsInterface(lit *ast.CompositeLit, kv *ast.KeyValueExpr) bool {
	fields := fieldsOf(r.info.TypeOf(lit))
	if fields == nil {
		return false
	}
	f := structField(fields, idName(kv.Key))
	return f != nil && types.IsInterface(f.Type())
}
