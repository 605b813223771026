package move

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// methodFunc rewrites a method of client-go that is used as a value. It becomes a function
// around the call, with the same parameters.
func (r *mover) methodFunc(n *ast.SelectorExpr, s *types.Selection, service string) (string, bool) {
	if s.Kind() != types.MethodVal || r.isAny(n) {
		return "", false
	}
	f := s.Obj().(*types.Func)
	call, params, ok := r.madeCall(n, f)
	if !ok {
		return "", false
	}
	blocks, reasons, left := r.blocks, len(r.u.reasons), r.u.left
	text, _ := r.serviceCall(call, n, s, service)
	if r.blocks > blocks {
		r.blocks, r.u.reasons, r.u.left = blocks, r.u.reasons[:reasons], left
		return "", false
	}
	method, _ := r.form(service+"."+n.Sel.Name, f)
	results, ok := r.madeResults(f.Signature().Results(), r.p.newMethod(method.NewService(), method.NewName()))
	if !ok {
		return "", false
	}
	return "func(" + strings.Join(params, ", ") + ") " + results + " {\nreturn " + text + "\n}", true
}

// isAny reports whether a value is passed as an interface, which hides its use.
func (r *reader) isAny(n ast.Expr) bool {
	call, ok := r.parents[n].(*ast.CallExpr)
	if !ok {
		return false
	}
	signature, ok := signatureOf(r.info, call.Fun)
	if !ok {
		return true
	}
	for i, arg := range call.Args {
		if arg == n {
			param := signature.Params().At(min(i, signature.Params().Len()-1)).Type()
			if slice, ok := param.(*types.Slice); ok && signature.Variadic() && i >= signature.Params().Len()-1 {
				param = slice.Elem()
			}
			return types.IsInterface(param)
		}
	}
	return true
}

// madeCall makes a call of a method of client-go. Its arguments are the parameters of a
// new function.
func (r *mover) madeCall(n ast.Expr, f *types.Func) (call *ast.CallExpr, params []string, ok bool) {
	call = &ast.CallExpr{Fun: n, Lparen: n.End() - 1, Rparen: n.End() - 1}
	signature := f.Signature()
	for i := range signature.Params().Len() {
		v := signature.Params().At(i)
		name := v.Name()
		if name == "" || name == "_" {
			name = "arg" + strconv.Itoa(i)
		}
		id := &ast.Ident{Name: name, NamePos: n.Pos()}
		r.info.Uses[id] = types.NewParam(token.NoPos, nil, name, v.Type())
		r.made[id] = name
		call.Args = append(call.Args, id)
		t := v.Type()
		dots := ""
		if slice, isSlice := t.(*types.Slice); isSlice && signature.Variadic() && i == signature.Params().Len()-1 {
			t, dots = slice.Elem(), "..."
			call.Ellipsis = n.End() - 1
		}
		text, ok := r.newTypeText(t)
		if !ok {
			return nil, nil, false
		}
		params = append(params, name+" "+dots+text)
	}
	return call, params, true
}

// madeResults renders the result types of a method that replaces another.
func (r *mover) madeResults(old *types.Tuple, to *types.Func) (string, bool) {
	var texts []string
	for i := range old.Len() {
		t := old.At(i).Type()
		text, ok := r.newTypeText(t)
		if now := to.Signature().Results(); involves(t) && now.Len() == old.Len() {
			text, ok = r.typeString(now.At(i).Type()), true
		}
		if !ok {
			return "", false
		}
		texts = append(texts, text)
	}
	return "(" + strings.Join(texts, ", ") + ")", true
}

// newTypeText renders the replacement of a type. It reports false if the type has no
// counterpart.
func (r *mover) newTypeText(t types.Type) (string, bool) {
	if !involves(t) {
		return r.typeString(t), true
	}
	switch t := types.Unalias(t).(type) {
	case *types.Pointer:
		text, ok := r.newTypeText(t.Elem())
		return "*" + text, ok
	case *types.Slice:
		text, ok := r.newTypeText(t.Elem())
		return "[]" + text, ok
	case *types.Named:
		text, ok := r.m.typeText(t.Obj().Name())
		return r.use(text), ok
	}
	return "", false
}
