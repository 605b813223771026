package move

import (
	"go/ast"
	"go/types"
)

// Types without a name are often written more than once: those of functions in fields and the
// literals for them, or the structs that a mock keeps its calls in. Where a value of one becomes a
// value of the other, their parameters, results and fields have the same types here, too.

// flow joins the parts of two types, if a value of one becomes a value of the other.
func (s *slots) flow(to, from types.Type) {
	if to == nil || from == nil || to == from {
		return
	}
	to, from = types.Unalias(to), types.Unalias(from)
	a, named := to.(*types.Named)
	b, also := from.(*types.Named)
	if named && also || !named && !also && !involves(to) {
		return // they have the declarations of their names, or nothing of client-go
	}
	if named {
		to = a.Underlying()
	}
	if also {
		from = b.Underlying()
	}
	switch to := to.(type) {
	case *types.Signature:
		if from, ok := from.(*types.Signature); ok {
			s.flowTuple(to.Params(), from.Params())
			s.flowTuple(to.Results(), from.Results())
		}
	case *types.Struct:
		if from, ok := from.(*types.Struct); ok && from.NumFields() == to.NumFields() {
			for i := range to.NumFields() {
				s.flowVar(to.Field(i), from.Field(i))
			}
		}
	case *types.Pointer:
		if from, ok := from.(*types.Pointer); ok {
			s.flow(to.Elem(), from.Elem())
		}
	case *types.Slice:
		if from, ok := from.(*types.Slice); ok {
			s.flow(to.Elem(), from.Elem())
		}
	case *types.Map:
		if from, ok := from.(*types.Map); ok {
			s.flow(to.Elem(), from.Elem())
		}
	case *types.Chan:
		if from, ok := from.(*types.Chan); ok {
			s.flow(to.Elem(), from.Elem())
		}
	}
}

func (s *slots) flowTuple(to, from *types.Tuple) {
	for i := range min(to.Len(), from.Len()) {
		s.flowVar(to.At(i), from.At(i))
	}
}

func (s *slots) flowVar(to, from *types.Var) {
	a, b := to.Origin(), from.Origin() // those of generic code have other types each time
	if involves(a.Type()) && involves(b.Type()) {
		s.join(s.object(a), s.object(b))
	}
	s.flow(to.Type(), from.Type())
}

// flows joins the parts of types that values become in a node.
func (s *slots) flows(r *reader, n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i := range min(len(n.Lhs), len(n.Rhs)) {
			if len(n.Lhs) == len(n.Rhs) {
				s.flow(r.info.TypeOf(n.Lhs[i]), r.info.TypeOf(n.Rhs[i]))
			}
		}
	case *ast.ValueSpec:
		for _, value := range n.Values {
			if n.Type != nil {
				s.flow(r.info.TypeOf(n.Type), r.info.TypeOf(value))
			}
		}
	case *ast.CallExpr:
		s.flowCall(r, n)
	case *ast.ReturnStmt:
		if signature := r.enclosing(n); signature != nil && signature.Results().Len() == len(n.Results) {
			for i, result := range n.Results {
				s.flow(signature.Results().At(i).Type(), r.info.TypeOf(result))
			}
		}
	case *ast.CompositeLit:
		s.flowLiteral(r, n)
	}
}

func (s *slots) flowCall(r *reader, n *ast.CallExpr) {
	if r.info.Types[n.Fun].IsType() && len(n.Args) == 1 {
		s.flow(r.info.TypeOf(n.Fun), r.info.TypeOf(n.Args[0]))
		return
	}
	signature, ok := signatureOf(r.info, n.Fun)
	if !ok {
		return
	}
	params := signature.Params().Len()
	for i, arg := range n.Args {
		last := signature.Variadic() && i >= params-1
		switch {
		case !last && i < params:
			s.flow(signature.Params().At(i).Type(), r.info.TypeOf(arg))
		case last && n.Ellipsis.IsValid():
			s.flow(signature.Params().At(params-1).Type(), r.info.TypeOf(arg))
		case last:
			if slice, ok := signature.Params().At(params - 1).Type().(*types.Slice); ok {
				s.flow(slice.Elem(), r.info.TypeOf(arg))
			}
		}
	}
}

func (s *slots) flowLiteral(r *reader, n *ast.CompositeLit) {
	t := r.info.TypeOf(n)
	if t == nil {
		return
	}
	fields := fieldsOf(t)
	for i, e := range n.Elts {
		kv, keyed := e.(*ast.KeyValueExpr)
		var to types.Type
		switch elem := deref(t).Underlying().(type) {
		case *types.Struct:
			if keyed && idOf(kv.Key) != nil {
				if f := structField(fields, idName(kv.Key)); f != nil {
					to = f.Type()
				}
			} else if i < fields.NumFields() {
				to = fields.Field(i).Type()
			}
		case *types.Slice:
			to = elem.Elem()
		case *types.Map:
			to = elem.Elem()
		}
		if keyed {
			e = kv.Value
		}
		s.flow(to, r.info.TypeOf(e))
	}
}
