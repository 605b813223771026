package move

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
)

// A fieldName names a field of client-go.
type fieldName struct{ owner, field string }

// notNil rewrites a comparison of an option with nil if the option is not a pointer
// here. Then nil and the zero value are the same. If the program may set the option to
// zero, the meaning would change, and the unit is left.
func (r *mover) notNil(n *ast.BinaryExpr) (string, bool) {
	for _, pair := range [][2]ast.Expr{{n.X, n.Y}, {n.Y, n.X}} {
		sel, ok := ast.Unparen(pair[0]).(*ast.SelectorExpr)
		if !ok || !isNil(r.info, pair[1]) {
			continue
		}
		s := r.info.Selections[sel]
		if s == nil || s.Kind() != types.FieldVal || !isOld(s.Obj()) || owner(s) == nil || !isOption(owner(s)) {
			continue
		}
		f, _ := r.newField(sel.X, owner(s), sel.Sel.Name)
		if f == nil {
			continue
		}
		basic, ok := f.Type().Underlying().(*types.Basic)
		if !ok {
			continue
		}
		text := r.render(sel)
		switch zero := r.p.zeroes[fieldName{owner(s).Obj().Name(), sel.Sel.Name}]; {
		case zero && basic.Info()&types.IsString != 0 && r.isDefaulted(n, sel):
			r.note(n, "null", sel.Sel.Name+" gets its default here if it is empty, too: client-go sends it empty")
		case zero && n.Op == token.NEQ && r.isCleared(n, sel):
		case zero:
			return r.block(n, "field", "%s.%s is not a pointer here: nil and the zero value are the same",
				owner(s).Obj().Name(), sel.Sel.Name)
		}
		switch {
		case basic.Info()&types.IsBoolean != 0 && n.Op == token.EQL:
			return "!" + text, true
		case basic.Info()&types.IsBoolean != 0:
			return text, true
		case basic.Info()&types.IsString != 0:
			return text + " " + n.Op.String() + ` ""`, true
		}
		return text + " " + n.Op.String() + " 0", true
	}
	return "", false
}

// isDefaulted reports whether a comparison of a field with nil only sets it to a text:
//
//	if options.State == nil {
//		options.State = Ptr("opened")
//	}
func (r *reader) isDefaulted(n *ast.BinaryExpr, field *ast.SelectorExpr) bool {
	test, ok := r.parents[n].(*ast.IfStmt)
	if !ok || n.Op != token.EQL || test.Cond != ast.Expr(n) || test.Else != nil || len(test.Body.List) != 1 {
		return false
	}
	a, ok := test.Body.List[0].(*ast.AssignStmt)
	return ok && a.Tok == token.ASSIGN && len(a.Lhs) == 1 && len(a.Rhs) == 1 &&
		r.source(a.Lhs[0]) == r.source(field) && !r.mayBeZero(a.Rhs[0]) && !isNil(r.info, a.Rhs[0])
}

// isCleared reports whether a comparison of a field with nil only lets the program set it to nil, which is
// the same for an empty one:
//
//	if options.Ref != nil && strings.TrimSpace(*options.Ref) == "" {
//		options.Ref = nil
//	}
func (r *reader) isCleared(n *ast.BinaryExpr, field *ast.SelectorExpr) bool {
	cond := ast.Expr(n)
	for {
		and, ok := r.parents[cond].(*ast.BinaryExpr)
		if !ok || and.Op != token.LAND {
			break
		}
		cond = and
	}
	test, ok := r.parents[cond].(*ast.IfStmt)
	if !ok || test.Cond != cond || test.Else != nil || len(test.Body.List) != 1 {
		return false
	}
	a, ok := test.Body.List[0].(*ast.AssignStmt)
	return ok && a.Tok == token.ASSIGN && len(a.Lhs) == 1 && len(a.Rhs) == 1 &&
		r.source(a.Lhs[0]) == r.source(field) && isNil(r.info, a.Rhs[0])
}

// isOption reports whether a type of client-go holds parameters of a call.
func isOption(t *types.Named) bool {
	fields, ok := t.Underlying().(*types.Struct)
	for i := 0; ok && i < fields.NumFields(); i++ {
		if _, isParameter := reflect.StructTag(fields.Tag(i)).Lookup("url"); isParameter {
			return true
		}
	}
	return false
}

// findZeroes finds the options that the program may set to a zero value: all except
// those that it sets only to other constants.
func (p *program) findZeroes(m *mapping) {
	p.zeroes = map[fieldName]bool{}
	for _, u := range p.units {
		if !u.uses {
			continue
		}
		r := p.reader(m, u)
		ast.Inspect(u.node, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, left := range n.Lhs {
					var value ast.Expr
					if len(n.Lhs) == len(n.Rhs) {
						value = n.Rhs[i]
					}
					r.noteZero(left, value)
				}
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					r.noteZero(n.X, nil)
				}
			case *ast.CompositeLit:
				r.noteZeroes(n)
			}
			return true
		})
	}
}

// noteZero notes that a field is set to a value, which is nil if unknown.
func (r *reader) noteZero(n, value ast.Expr) {
	sel, ok := ast.Unparen(n).(*ast.SelectorExpr)
	if !ok {
		return
	}
	s := r.info.Selections[sel]
	if s != nil && s.Kind() == types.FieldVal && isOld(s.Obj()) && owner(s) != nil && r.mayBeZero(value) {
		r.p.zeroes[fieldName{owner(s).Obj().Name(), sel.Sel.Name}] = true
	}
}

// noteZeroes notes the fields that a literal sets.
func (r *reader) noteZeroes(lit *ast.CompositeLit) {
	name, fields := oldName(r.info.TypeOf(lit)), fieldsOf(r.info.TypeOf(lit))
	if name == "" || fields == nil {
		return
	}
	for i, e := range lit.Elts {
		field, value := "", e
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			field, value = idName(kv.Key), kv.Value
		} else if i < fields.NumFields() {
			field = fields.Field(i).Name()
		}
		if r.mayBeZero(value) {
			r.p.zeroes[fieldName{name, field}] = true
		}
	}
}

// mayBeZero reports whether an option that is set to a value may be a pointer to a zero value.
func (r *reader) mayBeZero(value ast.Expr) bool {
	if value == nil {
		return true
	}
	if isNil(r.info, value) {
		return false
	}
	inner := r.pointed(value)
	if inner == nil {
		inner = newArgument(value)
	}
	if inner == nil {
		return true
	}
	switch v := r.info.Types[inner].Value; {
	case v == nil:
		return true
	case v.Kind() == constant.Bool:
		return !constant.BoolVal(v)
	case v.Kind() == constant.String:
		return constant.StringVal(v) == ""
	default:
		return constant.Sign(v) == 0
	}
}
