package move

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// Programs keep clients in maps and slices. Where both clients are needed, there are two of these,
// side by side, and what goes into one goes into the other.

// containerOf returns the type of a map or a slice with the clients of this library instead of those
// of client-go, or "" for other types.
func containerOf(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Slice:
		if twinType(t.Elem()) == newClientType {
			return "[]" + newClientType
		}
	case *types.Map:
		if twinType(t.Elem()) == newClientType && !involves(t.Key()) {
			return "map[]" + newClientType // see useTwin for the key
		}
	}
	return ""
}

const newClientType = "*serviceapi.Client"

// isContainer reports whether an expression is a map or a slice of clients.
func (r *reader) isContainer(n ast.Expr) bool {
	t := r.info.TypeOf(n)
	return t != nil && containerOf(t) != ""
}

// container records what is done with a map or a slice of clients beyond handing it on. What would
// have to be done to both of two leaves only one.
func (f *flowReader) container(n ast.Expr, pos token.Pos) {
	switch parent := f.r.parents[n].(type) {
	case *ast.IndexExpr:
		if parent.X == n {
			return
		}
	case *ast.RangeStmt:
		if parent.X == n {
			return
		}
	case *ast.BinaryExpr:
		return // a comparison with nil
	case *ast.CallExpr:
		if f.r.info.Types[parent.Fun].IsBuiltin() && idName(parent.Fun) != "copy" {
			if _, alone := f.r.parents[parent].(*ast.ExprStmt); alone || idName(parent.Fun) == "len" {
				return
			}
		}
	}
	f.out.fixed = append(f.out.fixed, pos)
}

// elementOf records that a variable gets a client out of a map or a slice.
func (f *flowReader) elementOf(to ast.Expr, container ast.Expr) bool {
	from, place := f.r.place(container), f.r.place(to)
	if !f.r.isContainer(container) || !from.IsValid() || !place.IsValid() {
		return false
	}
	f.seen[ast.Unparen(container)] = true
	f.out.moves = append(f.out.moves, clientMove{from, place})
	return true
}

// indexed returns the expression in which a client is looked up, and nil for other expressions.
func (r *reader) indexed(n ast.Expr) *ast.IndexExpr {
	index, ok := ast.Unparen(n).(*ast.IndexExpr)
	if !ok || !r.isContainer(index.X) {
		return nil
	}
	return index
}

// pairIndexed rewrites client, ok := clients[key] where both clients exist.
func (r *rewriter) pairIndexed(n *ast.AssignStmt, index *ast.IndexExpr) (string, bool) {
	have := r.sidesOf(n.Lhs[0])
	if idName(n.Lhs[0]) == "_" || !r.isOther(have) {
		return "", false
	}
	if have != bothSides {
		return r.sideText(n.Lhs[0], have) + ", " + r.render(n.Lhs[1]) + " " + n.Tok.String() + " " +
			r.sideText(index, have), true
	}
	if !r.isPaired(index.X) {
		r.unpaired = true
		return "", false
	}
	left := append(r.bothTexts(n.Lhs[0], bothSides), r.render(n.Lhs[1]))
	args := append(r.bothTexts(index.X, bothSides), r.render(index.Index))
	return strings.Join(left, ", ") + " " + n.Tok.String() + " " + r.help("bothAt") + "(" + strings.Join(args, ", ") +
		")", true
}

// pairRange gives the body of a loop over clients both of them.
func (r *rewriter) pairRange(n *ast.RangeStmt) (string, bool) {
	if !r.isContainer(n.X) || n.Value == nil || !r.isOther(r.sidesOf(n.Value)) {
		return "", false
	}
	have := r.sidesOf(n.Value)
	if have != bothSides {
		edits := []edit{{r.offset(n.X.Pos()), r.offset(n.X.End()), r.sideText(n.X, have)}}
		return r.renderInside(n, edits...), true
	}
	if !r.isPaired(n.X) || idOf(n.Value) == nil || n.Tok != token.DEFINE {
		r.unpaired = true
		return "", false
	}
	key, edits := idName(n.Key), []edit{{r.offset(n.X.Pos()), r.offset(n.X.End()), r.sideText(n.X, oldSide)}}
	if key == "_" {
		key = r.unused("clientKey")
		edits = append(edits, edit{r.offset(n.Key.Pos()), r.offset(n.Key.End()), key})
	}
	at := r.offset(n.Body.Lbrace) + 1
	edits = append(edits, edit{at, at, "\n" + r.sideText(n.Value, newSide) + " := " + r.sideText(n.X, newSide) +
		"[" + key + "]"})
	return r.renderInside(n, edits...), true
}

// pairBuiltin does to both of two maps or slices what a statement does to one, such as delete.
func (r *rewriter) pairBuiltin(n *ast.ExprStmt) (string, bool) {
	call, ok := n.X.(*ast.CallExpr)
	if !ok || !r.info.Types[call.Fun].IsBuiltin() || len(call.Args) == 0 || !r.isContainer(call.Args[0]) ||
		!r.isOther(r.sidesOf(call.Args[0])) {
		return "", false
	}
	var lines []string
	for _, text := range r.bothTexts(call.Args[0], r.sidesOf(call.Args[0])) {
		args := []string{text}
		for _, arg := range call.Args[1:] {
			args = append(args, r.render(arg))
		}
		lines = append(lines, idName(call.Fun)+"("+strings.Join(args, ", ")+")")
	}
	return strings.Join(lines, "\n"), true
}
