package main

import (
	"go/ast"
	"go/token"
	"go/types"
)

// The kinds of breaks.
const (
	negated    = "condition negated"
	operand    = "operand ignored"
	operator   = "operator changed"
	boundary   = "boundary changed"
	offByOne   = "off by one"
	dropped    = "statement dropped"
	zeroResult = "zero returned"
	zeroValue  = "value zeroed"
	argument   = "argument zeroed"
	inChain    = "call dropped"
	element    = "element changed"
	caseValue  = "case dropped"
	tagOption  = "tag option dropped"
	tagName    = "tag renamed"
)

func (f *finder) condition(e ast.Expr) {
	if isBool(f.variable(e)) {
		f.wrap(negated, e, "breaksNot(#, ", ")")
	}
}

func (f *finder) binary(n *ast.BinaryExpr) {
	t := f.variable(n)
	if t == nil {
		return
	}
	switch n.Op {
	case token.LAND:
		f.wrap(operand, n.X, "((", ") || breaksOn(#))")
		f.wrap(operand, n.Y, "((", ") || breaksOn(#))")
	case token.LOR:
		f.wrap(operand, n.X, "((", ") && !breaksOn(#))")
		f.wrap(operand, n.Y, "((", ") && !breaksOn(#))")
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		f.function(boundary, n, "breaksCompare(#, \""+n.Op.String()+"\", ")
	case token.ADD, token.SUB:
		if has(t, types.IsInteger|types.IsFloat) {
			f.function(operator, n, "breaksSum(#, '"+n.Op.String()+"', ")
		}
	case token.EQL, token.NEQ:
		if p, isIf := f.parent().(*ast.IfStmt); !isIf || p.Cond != n {
			f.wrap(negated, n, "breaksNot(#, ", ")")
		}
	}
}

// function makes a call of an operation.
func (f *finder) function(kind string, n *ast.BinaryExpr, name string) {
	f.add(kind, n, f.between(n.Pos(), n.End()), append(f.around(n, name, ")"),
		f.replaced(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), ","))...)
}

// literal is off by one where a number counts something.
func (f *finder) literal(n *ast.BasicLit) {
	if n.Kind != token.INT || f.isKey(n) {
		return
	}
	if name, ok := f.name(f.info.Types[n].Type); ok && has(f.info.Types[n].Type, types.IsInteger) {
		f.wrap(offByOne, n, "breaksNext["+name+"](#, ", ")")
	}
}

// isKey reports whether an expression is the index of an element in a literal.
func (f *finder) isKey(e ast.Expr) bool {
	p, ok := f.parent().(*ast.KeyValueExpr)
	return ok && p.Key == e
}

func (f *finder) bounds(n *ast.SliceExpr) {
	for _, bound := range []ast.Expr{n.Low, n.High} {
		if bound == nil {
			continue
		}
		if has(f.variable(bound), types.IsInteger) {
			f.wrap(offByOne, bound, "breaksNext(#, ", ")")
		}
	}
}

// statements may be dropped if nothing that follows needs them to compile.
func (f *finder) statements(list []ast.Stmt, mayFallThrough bool) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE {
				f.drop(s)
			}
		case *ast.ExprStmt:
			if !f.panics(s) {
				f.drop(s)
			}
		case *ast.IncDecStmt, *ast.SendStmt, *ast.GoStmt, *ast.DeferStmt, *ast.RangeStmt:
			f.drop(s)
		case *ast.IfStmt:
			if s.Else == nil {
				f.drop(s)
			}
		case *ast.ReturnStmt:
			if mayFallThrough {
				f.drop(s)
			}
		case *ast.BranchStmt:
			if s.Tok == token.CONTINUE || s.Tok == token.BREAK {
				f.drop(s)
			}
		}
	}
}

func (f *finder) drop(s ast.Stmt) { f.wrap(dropped, s, "if !breaksOn(#) { ", " }") }

func (f *finder) panics(s *ast.ExprStmt) bool {
	call, ok := s.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	name, ok := call.Fun.(*ast.Ident)
	return ok && name.Name == "panic"
}

// cases are left out: a value is compared with something else.
func (f *finder) cases(n *ast.CaseClause) {
	s, ok := f.stack[len(f.stack)-2].(*ast.SwitchStmt)
	if !ok {
		return
	}
	for _, e := range n.List {
		if s.Tag == nil {
			f.condition(e)
		} else {
			f.other(caseValue, e)
		}
	}
}

// other makes a text or a number a different one.
func (f *finder) other(kind string, e ast.Expr) {
	t := f.info.Types[e].Type
	name, ok := f.name(t)
	switch {
	case ok && has(t, types.IsString):
		f.wrap(kind, e, "breaksText["+name+"](#, ", ")")
	case ok && has(t, types.IsInteger):
		f.wrap(kind, e, "breaksNext["+name+"](#, ", ")")
	}
}

// results are zero: no error, no value.
func (f *finder) results(n *ast.ReturnStmt) {
	sig := f.signature()
	if sig == nil || sig.Results().Len() != len(n.Results) {
		return
	}
	for i, e := range n.Results {
		f.zero(zeroResult, e, sig.Results().At(i).Type())
	}
}

// signature is that of the function around the node.
func (f *finder) signature() *types.Signature {
	for i := len(f.stack) - 1; i >= 0; i-- {
		switch n := f.stack[i].(type) {
		case *ast.FuncLit:
			sig, _ := f.info.TypeOf(n).(*types.Signature)
			return sig
		case *ast.FuncDecl:
			sig, _ := f.info.TypeOf(n.Name).(*types.Signature)
			return sig
		}
	}
	return nil
}

// zero makes an expression the zero value of the type that it is used as.
func (f *finder) zero(kind string, e ast.Expr, as types.Type) {
	tv := f.info.Types[e]
	if tv.IsNil() || !tv.IsValue() || isZero(tv) {
		return
	}
	if literal, ok := e.(*ast.CompositeLit); ok && literal.Type == nil {
		return // within another literal, which says the type
	}
	if name, ok := f.name(as); ok {
		f.wrap(kind, e, "breaksZero["+name+"](#, ", ")")
	}
}

func isZero(tv types.TypeAndValue) bool {
	if tv.Value == nil {
		return false
	}
	switch tv.Value.ExactString() {
	case "0", "false", `""`:
		return true
	}
	return false
}

// call drops one of a chain of calls that each return what they were called on, or the only call
// around a value, or an argument of a function of the package.
func (f *finder) call(n *ast.CallExpr) {
	t := f.variable(n)
	if sel, ok := n.Fun.(*ast.SelectorExpr); ok && t != nil {
		if on := f.variable(sel.X); on != nil && types.Identical(on, t) {
			f.link(n, sel, t)
		}
	}
	sig, ok := f.info.TypeOf(n.Fun).(*types.Signature)
	if !ok || !f.info.Types[n.Fun].IsValue() {
		return
	}
	if t != nil && len(n.Args) == 1 && !sig.Variadic() && sig.Params().Len() == 1 {
		if arg := f.variable(n.Args[0]); arg != nil && types.Identical(arg, t) {
			f.add(inChain, n, f.between(n.Pos(), n.End()), append(f.around(n, "breaksApply(#, ", ")"),
				f.replaced(n.Lparen, n.Lparen+1, ", "), f.replaced(n.Rparen, n.Rparen+1, ""))...)
		}
	}
	f.arguments(n, sig)
}

// link drops one call of a chain.
func (f *finder) link(n *ast.CallExpr, sel *ast.SelectorExpr, t types.Type) {
	if name, ok := f.name(t); ok {
		f.add(inChain, n, f.between(sel.X.End(), n.End()), append(f.around(n, "breaksDrop(#, ", " })"),
			f.replaced(sel.X.End(), sel.X.End(), ", func(r "+name+") "+name+" { return r"))...)
	}
}

func (f *finder) arguments(n *ast.CallExpr, sig *types.Signature) {
	if !f.ours(n.Fun) || n.Ellipsis.IsValid() && len(n.Args) != sig.Params().Len() {
		return
	}
	for i, e := range n.Args {
		if i >= sig.Params().Len() || sig.Variadic() && i == sig.Params().Len()-1 && !n.Ellipsis.IsValid() {
			return
		}
		if p := sig.Params().At(i).Type(); p.String() != "context.Context" {
			f.zero(argument, e, p)
		}
	}
}

// ours reports whether a function belongs to the package.
func (f *finder) ours(fun ast.Expr) bool {
	switch e := fun.(type) {
	case *ast.IndexExpr:
		return f.ours(e.X)
	case *ast.IndexListExpr:
		return f.ours(e.X)
	case *ast.SelectorExpr:
		return f.ours(e.Sel)
	case *ast.Ident:
		o := f.info.ObjectOf(e)
		return o != nil && o.Pkg() == f.unit.Types
	}
	return false
}

// elements of a literal are changed: a field is zero, a text is another one.
func (f *finder) elements(n *ast.CompositeLit) {
	t := f.info.TypeOf(n)
	if t == nil {
		return
	}
	switch t := t.Underlying().(type) {
	case *types.Struct:
		f.fields(n, t)
	case *types.Slice:
		for _, e := range n.Elts {
			f.other(element, e)
		}
	case *types.Map:
		for _, e := range n.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				f.other(element, kv.Key)
				f.zero(element, kv.Value, t.Elem())
			}
		}
	}
}

func (f *finder) fields(n *ast.CompositeLit, t *types.Struct) {
	for i, e := range n.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			if i < t.NumFields() {
				f.zero(element, e, t.Field(i).Type())
			}
			continue
		}
		key, ok := kv.Key.(*ast.Ident)
		if field := f.info.ObjectOf(key); ok && field != nil {
			f.zero(element, kv.Value, field.Type())
		}
	}
}

// definition makes the value of a new variable zero.
func (f *finder) definition(n *ast.AssignStmt) {
	if n.Tok != token.DEFINE || len(n.Lhs) != len(n.Rhs) || !f.inBlock(n) {
		return
	}
	for _, e := range n.Rhs {
		if t := f.variable(e); t != nil {
			if _, isFunc := t.Underlying().(*types.Signature); !isFunc {
				f.zero(zeroValue, e, t)
			}
		}
	}
}

// inBlock reports whether a statement is not the beginning of a loop or a switch.
func (f *finder) inBlock(s ast.Stmt) bool {
	switch p := f.parent().(type) {
	case *ast.BlockStmt, *ast.CaseClause:
		return true
	case *ast.IfStmt:
		return p.Init == s
	}
	return false
}
