package move

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// plainValue returns the value that a pointer in a local variable points to, without a test for
// nil: the variable becomes a value, where nothing needs the pointer. It returns "" where the
// pointer may be nil.
func (k *repairer) plainValue(n ast.Expr, want types.Type) string {
	id := idOf(n)
	if id == nil || structOf(want) == nil {
		return ""
	}
	obj, ok := k.info.Uses[id].(*types.Var)
	root := k.function()
	if !ok || root == nil || obj.IsField() {
		return ""
	}
	made, others := k.madeIn(root, obj)
	if made == nil || others {
		return ""
	}
	if !k.needsPointer(root, obj, want) {
		at := k.offset(made.Pos())
		k.edits = append(k.edits, edit{at, at + len("&"), ""})
		return id.Name
	}
	return "*" + id.Name
}

// function returns the declaration around the node that is visited, or nil.
func (k *repairer) function() *ast.FuncDecl {
	for _, parent := range k.parents {
		if decl, ok := parent.(*ast.FuncDecl); ok {
			return decl
		}
	}
	return nil
}

// madeIn returns the &T{…} that a variable is defined by, and whether it is assigned to elsewhere.
func (k *repairer) madeIn(root ast.Node, v *types.Var) (made *ast.UnaryExpr, others bool) {
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				id := idOf(left)
				switch {
				case id == nil || k.info.ObjectOf(id) != v:
				case k.info.Defs[id] == v && len(n.Lhs) == 1 && n.Tok == token.DEFINE:
					unary, ok := n.Rhs[i].(*ast.UnaryExpr)
					if ok && unary.Op == token.AND && literalOf(unary) != nil {
						made = unary
					}
				default:
					others = true
				}
			}
		case *ast.UnaryExpr:
			if id := idOf(n.X); id != nil && n.Op == token.AND && k.info.Uses[id] == v {
				others = true
			}
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if id, ok := e.(*ast.Ident); ok && k.info.ObjectOf(id) == v {
					others = true
				}
			}
		}
		return true
	})
	return made, others
}

// needsPointer reports whether a use of a variable is neither a field of it nor an argument that is
// a value.
func (k *repairer) needsPointer(root ast.Node, v *types.Var, want types.Type) bool {
	needs := false
	var stack []ast.Node
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		id, ok := n.(*ast.Ident)
		if !ok || k.info.Uses[id] != v {
			return true
		}
		switch parent := stack[len(stack)-2].(type) {
		case *ast.SelectorExpr:
			s := k.info.Selections[parent]
			needs = needs || s == nil || s.Kind() != types.FieldVal
		case *ast.CallExpr:
			needs = needs || !k.passesValue(parent, id, want)
		default:
			needs = true
		}
		return true
	})
	return needs
}

// passesValue reports whether a call takes a value of a type as the argument.
func (k *repairer) passesValue(n *ast.CallExpr, arg *ast.Ident, want types.Type) bool {
	signature, ok := k.under(n.Fun).(*types.Signature)
	if !ok || k.info.Types[n.Fun].IsType() {
		return false
	}
	for i, e := range n.Args {
		if e == ast.Expr(arg) && i < signature.Params().Len() {
			return types.Identical(signature.Params().At(i).Type(), want)
		}
	}
	return false
}

// withoutConversion returns x for T(x), where a number is converted again: int(x) for int(int64(x)).
func (k *repairer) withoutConversion(n ast.Expr, text string, want types.Type) string {
	if n == nil {
		return text
	}
	call, ok := ast.Unparen(n).(*ast.CallExpr)
	if !ok || !k.info.Types[call.Fun].IsType() || len(call.Args) != 1 || text != k.source(n) {
		return text
	}
	have, inner := k.info.TypeOf(n), k.info.TypeOf(call.Args[0])
	if basic, ok := have.(*types.Basic); !ok || basic.Kind() != types.Int64 && basic.Kind() != types.Int {
		return text
	}
	basic, ok := inner.Underlying().(*types.Basic)
	if !ok || basic.Info()&types.IsInteger == 0 || strings.Contains(basic.Name(), "uint") {
		return text
	}
	return k.source(call.Args[0])
}
