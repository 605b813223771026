package move

import (
	"go/ast"
	"go/types"
)

// A unit may need types that it does not name: those that a value becomes without a conversion.

func (p *program) inspectArguments(u *unit, n *ast.CallExpr) {
	signature, ok := signatureOf(u.info, n.Fun)
	if !ok {
		return
	}
	for i, arg := range n.Args {
		if i < signature.Params().Len() {
			p.inspectImplicit(u, signature.Params().At(i).Type(), arg)
		}
	}
}

func (p *program) inspectElements(u *unit, n *ast.CompositeLit) {
	fields := fieldsOf(u.info.TypeOf(n))
	for i, e := range n.Elts {
		kv, keyed := e.(*ast.KeyValueExpr)
		switch {
		case fields == nil:
		case !keyed && i < fields.NumFields():
			p.inspectImplicit(u, fields.Field(i).Type(), e)
		case keyed:
			if f := structField(fields, idName(kv.Key)); f != nil {
				p.inspectImplicit(u, f.Type(), kv.Value)
			}
		}
	}
}

// inspectImplicit links a unit to a type of the program that a value becomes: a function literal a
// named function type, or a struct with services of client-go an interface over them.
func (p *program) inspectImplicit(u *unit, want types.Type, value ast.Expr) {
	have := u.info.TypeOf(value)
	if want == nil || have == nil || types.Identical(have, want) {
		return
	}
	named, ok := types.Unalias(want).(*types.Named)
	if !ok || !p.isLocal(named.Obj()) {
		return
	}
	switch named.Underlying().(type) {
	case *types.Interface:
		if !involves(named.Underlying()) || !embedsService(have) {
			return
		}
		p.link(u, p.unitOf(namedOf(have).Obj()), namedOf(have).Obj(), false)
	case *types.Struct:
		return
	default:
		if !involves(have) || !involves(named.Underlying()) {
			return
		}
	}
	u.uses = true
	p.link(u, p.unitOf(named.Obj()), named.Obj(), false)
}

// embedsService reports whether a type is a struct of the program, or a pointer to one, that embeds a
// service of client-go.
func embedsService(t types.Type) bool {
	named := namedOf(t)
	if named == nil || isOld(named.Obj()) {
		return false
	}
	fields, ok := named.Underlying().(*types.Struct)
	for i := 0; ok && i < fields.NumFields(); i++ {
		if f := fields.Field(i); f.Embedded() && oldName(f.Type()) != "" {
			return true
		}
	}
	return false
}
