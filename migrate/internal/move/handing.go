package move

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// pair rewrites a node that hands on clients which exist twice.
func (r *rewriter) pair(n ast.Node) (string, bool) {
	c := r.p.pairs
	if c == nil || len(c.paired) == 0 {
		return "", false
	}
	switch n := n.(type) {
	case *ast.Field:
		return r.pairField(n)
	case *ast.ValueSpec:
		return r.pairSpec(n)
	case *ast.AssignStmt:
		return r.pairAssign(n)
	case *ast.IfStmt:
		return r.pairIf(n)
	case *ast.CallExpr:
		return r.pairCall(n)
	case *ast.KeyValueExpr:
		return r.pairElement(n)
	case *ast.ReturnStmt:
		return r.pairReturn(n)
	}
	return "", false
}

func (r *rewriter) pairField(n *ast.Field) (string, bool) {
	if !isClient(r.info.TypeOf(n.Type)) {
		return "", false
	}
	pos, ok := r.p.slots.fieldKey(r, n).(token.Pos)
	if !ok || !r.p.pairs.objectPaired(pos) {
		return "", false
	}
	if _, isVariadic := n.Type.(*ast.Ellipsis); isVariadic {
		r.unpaired = true
		return "", false
	}
	var names []string
	for _, name := range n.Names {
		names = append(names, name.Name+twinSuffix)
	}
	twin := strings.TrimSpace(strings.Join(names, ", ") + " " + r.useTwin(r.info.TypeOf(n.Type)))
	list, _ := r.parents[n].(*ast.FieldList)
	if _, isStruct := r.parents[list].(*ast.StructType); isStruct {
		if len(n.Names) == 0 {
			twin = r.embeddedClient(n) + twinSuffix + " " + twin
		}
		return twin + "\n" + r.source(n), true
	}
	text := r.source(n) + ", " + twin
	if list != nil && !list.Opening.IsValid() {
		text = "(" + text + ")"
	}
	return text, true
}

// embeddedClient returns the name of an embedded client.
func (r *rewriter) embeddedClient(n *ast.Field) string {
	t := n.Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if sel, ok := t.(*ast.SelectorExpr); ok {
		return sel.Sel.Name
	}
	return idName(t)
}

// promoted returns the embedded client through which a selection finds a member of
// client-go, nil if there is none.
func promoted(s *types.Selection) *types.Var {
	t := s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] {
		fields, ok := deref(t).Underlying().(*types.Struct)
		if !ok {
			return nil
		}
		field := fields.Field(i)
		if isClient(field.Type()) && !isOld(field) {
			return field.Origin()
		}
		t = field.Type()
	}
	return nil
}

// promotedText renders the client in an expression that embeds one: by its own name where it
// exists twice.
func (r *rewriter) promotedText(x ast.Expr, s *types.Selection) string {
	field := promoted(s)
	if field == nil || !r.p.pairs.objectPaired(field.Pos()) {
		return r.clientText(x)
	}
	return r.render(x) + "." + field.Name() + twinSuffix
}

func (r *rewriter) pairSpec(n *ast.ValueSpec) (string, bool) {
	if n.Type == nil || !isClient(r.info.TypeOf(n.Type)) || !r.p.pairs.objectPaired(n.Names[0].Pos()) {
		return "", false
	}
	if len(n.Values) > 0 || len(n.Names) > 1 {
		r.unpaired = true
		return "", false
	}
	text := r.source(n) + "\n" + n.Names[0].Name + twinSuffix + " " + r.useTwin(r.info.TypeOf(n.Type))
	if gen, ok := r.parents[n].(*ast.GenDecl); ok && gen.Lparen.IsValid() || r.isGrouped(n) {
		return text, true
	}
	return "(\n" + text + "\n)", true
}

// isGrouped reports whether a specification at the top level is between parentheses.
func (r *rewriter) isGrouped(n *ast.ValueSpec) bool {
	if r.u.node != n {
		return false
	}
	gen, ok := r.u.file.syntax.Decls[r.u.decl].(*ast.GenDecl)
	return ok && gen.Lparen.IsValid()
}

// constructs reports whether a call makes a client of client-go.
func (r *rewriter) constructs(n ast.Expr) *ast.CallExpr {
	call, ok := ast.Unparen(n).(*ast.CallExpr)
	if !ok {
		return nil
	}
	if f, ok := r.oldObject(call.Fun).(*types.Func); ok && strings.HasPrefix(f.Name(), "New") {
		if results := f.Signature().Results(); results.Len() == 2 && isClient(results.At(0).Type()) {
			return call
		}
	}
	return nil
}

func (r *rewriter) pairAssign(n *ast.AssignStmt) (string, bool) {
	if len(n.Rhs) == 1 && len(n.Lhs) > 1 {
		return r.pairTuple(n)
	}
	if sel, ok := n.Lhs[0].(*ast.SelectorExpr); ok && r.p.pairs.isPaired(r, sel.X) {
		if text, ok := r.assignAgent(n); ok {
			return r.source(n) + "\n" + text, true
		}
	}
	paired := slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool { return r.p.pairs.isPaired(r, e) })
	if !paired || len(n.Lhs) != len(n.Rhs) {
		return "", false
	}
	var left, right []string
	for i := range min(len(n.Lhs), len(n.Rhs)) {
		if r.p.pairs.isPaired(r, n.Lhs[i]) {
			left = append(left, r.source(n.Lhs[i]), r.twin(n.Lhs[i]))
			right = append(right, r.source(n.Rhs[i]), r.twin(n.Rhs[i]))
			continue
		}
		left = append(left, r.render(n.Lhs[i]))
		right = append(right, r.render(n.Rhs[i]))
	}
	return strings.Join(left, ", ") + " " + n.Tok.String() + " " + strings.Join(right, ", "), true
}

// leave renders an expression, without moving a client that exists twice.
func (r *rewriter) leave(n ast.Expr) string {
	if r.p.pairs.isPaired(r, n) {
		return r.source(n)
	}
	return r.render(n)
}

func (r *rewriter) pairTuple(n *ast.AssignStmt) (string, bool) {
	if call := r.constructs(n.Rhs[0]); call != nil {
		if !r.p.pairs.isPaired(r, n.Lhs[0]) {
			return "", false
		}
		if r.checked(n) != nil {
			return r.source(n), true
		}
		return r.source(n) + "\n" + r.twinConstruction(n, call), true
	}
	call, ok := ast.Unparen(n.Rhs[0]).(*ast.CallExpr)
	if !ok {
		return "", false
	}
	signature, ok := signatureOf(r.info, call.Fun)
	if !ok || !r.pairsResults(signature) {
		return "", false
	}
	var left []string
	for i, e := range n.Lhs {
		left = append(left, r.leave(e))
		if v := signature.Results().At(i); isClient(v.Type()) && r.p.pairs.objectPaired(v.Pos()) {
			left = append(left, r.twin(e))
		}
	}
	return strings.Join(left, ", ") + " " + n.Tok.String() + " " + r.render(call), true
}

func (r *rewriter) pairsResults(signature *types.Signature) bool {
	for v := range signature.Results().Variables() {
		if isClient(v.Type()) && r.p.pairs.objectPaired(v.Pos()) {
			return true
		}
	}
	return false
}

// checked returns the statement after an assignment, if it tests its error.
func (r *rewriter) checked(n *ast.AssignStmt) *ast.IfStmt {
	next, _ := r.sibling(n, 1).(*ast.IfStmt)
	if next == nil || next.Init != nil || next.Else != nil || !names(next.Cond, idName(n.Lhs[1])) {
		return nil
	}
	return next
}

func idName(n ast.Expr) string {
	if id := idOf(n); id != nil && n != ast.Expr((*ast.Ident)(nil)) {
		return id.Name
	}
	return ""
}

// sibling returns the statement some places after another one in its block, or nil.
func (r *rewriter) sibling(n ast.Stmt, by int) ast.Stmt {
	var list []ast.Stmt
	switch parent := r.parents[n].(type) {
	case *ast.BlockStmt:
		list = parent.List
	case *ast.CaseClause:
		list = parent.Body
	}
	for i, s := range list {
		if s == n && i+by >= 0 && i+by < len(list) {
			return list[i+by]
		}
	}
	return nil
}

// twinConstruction renders the construction of the client of this library.
func (r *rewriter) twinConstruction(n *ast.AssignStmt, call *ast.CallExpr) string {
	f := r.oldObject(call.Fun).(*types.Func)
	text := r.secondClient(call, f.Name())
	return r.twin(n.Lhs[0]) + ", " + r.source(n.Lhs[1]) + " " + n.Tok.String() + " " + text
}

// secondClient renders the construction of a client of this library beside the other one.
func (r *rewriter) secondClient(call *ast.CallExpr, name string) string {
	reasons, left := len(r.u.reasons), r.u.left
	pairOnly, keeps := r.pairOnly, r.keeps
	r.pairOnly, r.keeps, r.blocks = false, false, 0
	text, _ := r.newClient(call, name)
	r.pairOnly, r.keeps = pairOnly, keeps
	if r.blocks > 0 {
		r.u.reasons, r.u.left = r.u.reasons[:reasons], left
		r.unpaired = true
	}
	return text
}

// pairIf puts the construction of the second client after the test of the first one.
func (r *rewriter) pairIf(n *ast.IfStmt) (string, bool) {
	before, ok := r.sibling(n, -1).(*ast.AssignStmt)
	if !ok || len(before.Rhs) != 1 || len(before.Lhs) != 2 {
		return "", false
	}
	call := r.constructs(before.Rhs[0])
	if call == nil || !r.p.pairs.isPaired(r, before.Lhs[0]) || r.checked(before) != n {
		return "", false
	}
	test := r.renderInside(n)
	return test + "\n" + r.twinConstruction(before, call) + "\n" + test, true
}

func (r *rewriter) pairCall(n *ast.CallExpr) (string, bool) {
	signature, ok := signatureOf(r.info, n.Fun)
	if !ok || r.oldObject(n.Fun) != nil || len(n.Args) < signature.Params().Len() {
		return "", false
	}
	var edits []edit
	for i := range signature.Params().Len() {
		v := signature.Params().At(i)
		if !isClient(v.Type()) || !r.p.pairs.objectPaired(v.Pos()) {
			continue
		}
		arg := n.Args[i]
		text := r.source(arg) + ", " + r.twin(arg)
		edits = append(edits, edit{r.offset(arg.Pos()), r.offset(arg.End()), text})
	}
	if len(edits) == 0 {
		return "", false
	}
	return r.renderInside(n, edits...), true
}

func (r *rewriter) pairElement(n *ast.KeyValueExpr) (string, bool) {
	id := idOf(n.Key)
	if id == nil {
		return "", false
	}
	v, ok := r.info.ObjectOf(id).(*types.Var)
	if !ok || !v.IsField() || !isClient(v.Type()) || !r.p.pairs.objectPaired(v.Origin().Pos()) {
		return "", false
	}
	return r.source(n) + ", " + id.Name + twinSuffix + ": " + r.twin(n.Value), true
}

func (r *rewriter) pairReturn(n *ast.ReturnStmt) (string, bool) {
	signature := r.enclosing(n)
	if signature == nil || !r.pairsResults(signature) || len(n.Results) == 0 {
		return "", false
	}
	if len(n.Results) == 1 && signature.Results().Len() > 1 {
		call := r.constructs(n.Results[0])
		if call == nil {
			return "", false
		}
		name := r.oldObject(call.Fun).Name()
		text := r.secondClient(call, name)
		return "oldClient, err := " + r.source(call) + "\nif err != nil {\nreturn nil, nil, err\n}\n" +
			"newClient, err := " + text + "\nreturn oldClient, newClient, err", true
	}
	var results []string
	for i, e := range n.Results {
		v := signature.Results().At(i)
		if !isClient(v.Type()) || !r.p.pairs.objectPaired(v.Pos()) {
			results = append(results, r.render(e))
			continue
		}
		results = append(results, r.source(e), r.twin(e))
	}
	return "return " + strings.Join(results, ", "), true
}

// enclosing returns the signature of the function around a node.
func (r *rewriter) enclosing(n ast.Node) *types.Signature {
	for parent := r.parents[n]; parent != nil; parent = r.parents[parent] {
		switch parent := parent.(type) {
		case *ast.FuncLit:
			signature, _ := r.info.TypeOf(parent).(*types.Signature)
			return signature
		case *ast.FuncDecl:
			if f, ok := r.info.Defs[parent.Name].(*types.Func); ok {
				return f.Signature()
			}
		}
	}
	return nil
}
