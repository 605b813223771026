package move

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// star rewrites pointer types.
func (r *mover) star(n *ast.StarExpr) (string, bool) {
	if obj := r.oldObject(n.X); obj != nil {
		if name, ok := obj.(*types.TypeName); ok {
			return r.pointerTo(n, name)
		}
	}
	return "", false
}

// pointerTo rewrites a pointer type. Services that are interfaces in client-go have no
// pointers, and maps need none.
func (r *mover) pointerTo(n *ast.StarExpr, obj *types.TypeName) (string, bool) {
	if _, ok := r.typeOf(n.X, obj); !ok {
		return r.source(n), true
	}
	text := r.render(n.X)
	if strings.HasPrefix(text, "*") || strings.HasPrefix(text, "map[") {
		return text, true
	}
	return "*" + text, true
}

// binary rewrites comparisons with ErrNotFound, which an error of this library wraps, and of
// options with nil.
func (r *mover) binary(n *ast.BinaryExpr) (string, bool) {
	switch n.Op {
	case token.LAND, token.LOR:
		return r.withoutRepeats(n)
	case token.EQL, token.NEQ:
	default:
		return "", false
	}
	for _, pair := range [][2]ast.Expr{{n.X, n.Y}, {n.Y, n.X}} {
		obj := r.oldObject(pair[1])
		if v, ok := obj.(*types.Var); ok && types.TypeString(v.Type(), nil) == "error" {
			r.imports["errors"] = true
			not := ""
			if n.Op == token.NEQ {
				not = "!"
			}
			return not + "errors.Is(" + r.render(pair[0]) + ", " + r.render(pair[1]) + ")", true
		}
	}
	r.noteEmpty(n)
	return r.notNil(n)
}

// withoutRepeats leaves out a condition that is there twice now, such as resp != nil for
// resp.Response != nil.
func (r *mover) withoutRepeats(n *ast.BinaryExpr) (string, bool) {
	if outer, ok := r.parents[n].(*ast.BinaryExpr); ok && outer.Op == n.Op {
		return "", false
	}
	var operands []ast.Expr
	var split func(e ast.Expr)
	split = func(e ast.Expr) {
		if b, ok := e.(*ast.BinaryExpr); ok && b.Op == n.Op {
			split(b.X)
			split(b.Y)
			return
		}
		operands = append(operands, e)
	}
	split(n)
	var texts []string
	for _, e := range operands {
		if text := r.render(e); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, " "+n.Op.String()+" "), len(texts) < len(operands)
}

// typeAssert rewrites err.(*ErrorResponse), because an error may wrap one here.
func (r *mover) typeAssert(n *ast.TypeAssertExpr) (string, bool) {
	if n.Type == nil || oldName(r.info.TypeOf(n.Type)) != "ErrorResponse" {
		if n.Type != nil {
			r.noteAsserted(n.X, n.Type)
		}
		return r.assertNote(n)
	}
	a, ok := r.parents[n].(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 2 {
		return r.help("serviceError") + "(" + r.render(n.X) + ")", true
	}
	if r.isAlone(namedOf(r.info.TypeOf(n.Type)).Obj()) {
		if r.testsBoth() {
			return r.help("failureIn") + "(" + r.render(n.X) + ")", true
		}
		r.note404(n)
	}
	r.imports["errors"] = true
	return r.use("errors.AsType[*serviceapi.Error](") + r.render(n.X) + ")", true
}

// unary drops the & of a value that is not a pointer in this library.
func (r *mover) unary(n *ast.UnaryExpr) (string, bool) {
	if n.Op != token.AND {
		return "", false
	}
	if lit, ok := ast.Unparen(n.X).(*ast.CompositeLit); ok {
		switch oldName(r.info.TypeOf(lit)) {
		case "Labels", "LabelOptions":
			return r.render(lit), true
		}
		if r.partOf(lit) != nil {
			if text := r.render(lit); strings.HasSuffix(text, "}") {
				return "&" + text, true
			} else {
				return "new(" + text + ")", true
			}
		}
	}
	sel, ok := ast.Unparen(n.X).(*ast.SelectorExpr)
	if ok && r.isWhole(sel) {
		return r.addressOfPart(sel)
	}
	if ok && r.isNeedless(sel) {
		return "new(" + r.typeString(r.info.TypeOf(sel)) + ")", true
	}
	if ok && r.becomesPointer(sel) {
		return r.help("owned") + "(&" + r.render(sel) + ")", true
	}
	if ok && r.isLentField(n, sel) {
		return r.block(n, "field", "what gets %s sets the option later, and the option has another type here: set a "+
			"variable, and the option from it before the call", r.source(n))
	}
	return "", false
}

// isLentField reports whether the address of an option goes to other code, such as a flag that sets
// the option, and the type of the option is another one here.
func (r *reader) isLentField(n *ast.UnaryExpr, sel *ast.SelectorExpr) bool {
	s := r.info.Selections[sel]
	if s == nil || s.Kind() != types.FieldVal || !isOld(s.Obj()) || owner(s) == nil || !isOption(owner(s)) ||
		isPart(s.Obj()) || r.isNumberFlag(n) {
		return false
	}
	switch parent := r.parents[n].(type) {
	case *ast.StarExpr:
		return false
	case *ast.KeyValueExpr:
		lit, _ := r.parents[parent].(*ast.CompositeLit)
		if lit != nil && oldName(r.info.TypeOf(lit)) != "" {
			return false // an option that is set to it
		}
	case *ast.AssignStmt:
		i := slices.Index(parent.Rhs, ast.Expr(n))
		if i >= 0 && i < len(parent.Lhs) {
			if to, ok := parent.Lhs[i].(*ast.SelectorExpr); ok && isOld(r.info.Uses[to.Sel]) {
				return false
			}
		}
	}
	f, _ := r.newField(sel.X, owner(s), sel.Sel.Name)
	return f != nil && !types.Identical(f.Type(), s.Obj().Type())
}

// isNeedless reports whether an expression is a field of options that has no counterpart and
// can be left out.
func (r *reader) isNeedless(n *ast.SelectorExpr) bool {
	s := r.info.Selections[n]
	if s == nil || s.Kind() != types.FieldVal || !isOld(s.Obj()) || owner(s) == nil || involves(s.Obj().Type()) {
		return false
	}
	now, _ := r.newField(n.X, owner(s), n.Sel.Name)
	return now == nil && r.m.needless(owner(s).Obj().Name(), "", n.Sel.Name)
}

// assign adds a blank identifier where a call has one more result in this library.
func (r *mover) assign(n *ast.AssignStmt) (string, bool) {
	if id := idOf(n.Lhs[0]); id != nil && r.inline[r.info.Defs[id]] != nil {
		return "", true
	}
	if text, ok := r.assignAgent(n); ok {
		return text, true
	}
	if text, ok := r.keepItem(n); ok {
		return text, true
	}
	if text, ok := r.decodeAssign(n); ok {
		return text, true
	}
	if text, ok := r.assignOwner(n); ok {
		return text, true
	}
	if text, ok := r.assignFields(n); ok {
		return text, true
	}
	if text, ok := r.declareLevel(n); ok {
		return text, true
	}
	if _, ok := n.Rhs[0].(*ast.CallExpr); !ok || len(n.Rhs) != 1 {
		return "", false
	}
	text := r.renderInside(n)
	if r.dropped[n] {
		return "_, " + text, true
	}
	return text, true
}

// assignAgent rewrites client.UserAgent = product, because clients do not change here.
func (r *rewriter) assignAgent(n *ast.AssignStmt) (string, bool) {
	if len(n.Lhs) != 1 || n.Tok != token.ASSIGN {
		return "", false
	}
	sel, ok := n.Lhs[0].(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "UserAgent" {
		return "", false
	}
	s := r.info.Selections[sel]
	if s == nil || owner(s) == nil || !isOld(s.Obj()) || owner(s).Obj().Name() != "Client" {
		return "", false
	}
	client := r.promotedText(sel.X, s)
	if field := promoted(s); field != nil && r.sidesAt(field.Pos()) != bothSides {
		client += "." + field.Name()
	}
	return client + " = " + r.help("withUserAgent") + "(" + client + ", " + r.render(n.Rhs[0]) + ")", true
}

// assignFields converts values that are assigned to fields of options.
func (r *mover) assignFields(n *ast.AssignStmt) (string, bool) {
	if n.Tok != token.ASSIGN || len(n.Lhs) != len(n.Rhs) {
		return "", false
	}
	var edits []edit
	for i, left := range n.Lhs {
		sel, ok := left.(*ast.SelectorExpr)
		if !ok {
			continue
		}
		s := r.info.Selections[sel]
		if s == nil || !isOld(s.Obj()) || s.Kind() != types.FieldVal {
			continue
		}
		from := owner(s)
		if from == nil {
			continue
		}
		if r.encodedField(sel) != nil {
			r.encoded(sel)
			continue
		}
		to, _ := r.newField(sel.X, from, s.Obj().Name())
		if to == nil {
			if len(n.Lhs) == 1 && r.m.needless(from.Obj().Name(), "", s.Obj().Name()) {
				return "_ = " + r.render(n.Rhs[0]), true
			}
			continue
		}
		if now := namedOf(r.newTypeOf(sel.X)); now != nil {
			r.noteRenamed(sel, from, now, s.Obj().Name(), to.Name())
			r.noteReference(n.Rhs[i], now, to)
		}
		if r.isOpenList(n.Rhs[i], to.Type()) && isOption(from) && !isQuery(from) {
			r.noteNull(n, s.Obj().Name())
		}
		edits = append(edits, edit{r.offset(n.Rhs[i].Pos()), r.offset(n.Rhs[i].End()), r.value(n.Rhs[i], to.Type())})
	}
	if len(edits) == 0 {
		return "", false
	}
	return r.renderInside(n, edits...), true
}

// exprStmt drops resp.Body.Close(), because this library has already read the body.
func (r *mover) exprStmt(n *ast.ExprStmt) (string, bool) {
	if r.closesBody(n.X) {
		return "", true
	}
	return "", false
}

func (r *mover) deferStmt(n *ast.DeferStmt) (string, bool) {
	if r.closesBody(n.Call) {
		return "", true
	}
	return "", false
}

// closesBody reports whether an expression is resp.Body.Close() of a response of
// client-go.
func (r *reader) closesBody(n ast.Expr) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Close" {
		return false
	}
	body, ok := sel.X.(*ast.SelectorExpr)
	if !ok || body.Sel.Name != "Body" {
		return false
	}
	return oldName(r.info.TypeOf(body.X)) == "Response" || r.isEmbedded(body.X)
}

func (r *reader) isEmbedded(n ast.Expr) bool {
	sel, ok := n.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Response" && oldName(r.info.TypeOf(sel.X)) == "Response"
}

// override returns the type that follows from the uses of a variable, or "".
func (r *reader) override(n ast.Expr, old string) string { return r.p.slots.of(r, n, old) }

// allCall renders the call of a list as a call of the method that returns every item.
func (r *mover) allCall(call *ast.CallExpr, param string) (string, bool) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return "", false
	}
	s := r.info.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal {
		return "", false
	}
	service := r.p.old.service(s.Recv())
	if service == "" {
		return "", false
	}
	f := s.Obj().(*types.Func)
	method, _ := r.form(service+"."+sel.Sel.Name, f)
	if method == nil || method.All == "" {
		return "", false
	}
	to := r.p.newMethod(method.NewService(), method.AllName())
	receiver, ok := r.receiver(sel.X, method)
	if !ok || to == nil {
		return "", false
	}
	c := &newCall{r: r, node: call, method: method, to: to, values: map[string]ast.Expr{}, without: param}
	if !c.read(f) {
		return "", false
	}
	args, ok := c.arguments()
	if !ok || c.kept != "" {
		return "", false
	}
	return receiver + "." + method.AllName() + r.list(call, args), true
}
