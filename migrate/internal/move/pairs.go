package move

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// An edge joins two units: one uses what the other declares.
type unitEdge struct {
	a, b *unit
	soft types.Object // a client that is handed on, nil for other values
}

// isClient reports whether a type is *Client of client-go.
func isClient(t types.Type) bool {
	pointer, ok := types.Unalias(t).(*types.Pointer)
	return ok && oldName(pointer) == "Client"
}

// handsOn reports whether an object is nothing but a client that is handed on: a variable,
// a field, or a function that takes or returns clients and no other values of client-go.
func handsOn(obj types.Object) bool {
	switch obj := obj.(type) {
	case *types.Var:
		return isClient(obj.Type()) && !obj.Embedded()
	case *types.Func:
		for _, tuple := range []*types.Tuple{obj.Signature().Params(), obj.Signature().Results()} {
			for v := range tuple.Variables() {
				if involves(v.Type()) && !isClient(v.Type()) {
					return false
				}
			}
		}
		return !obj.Signature().Variadic() || !involves(obj.Signature().Params())
	}
	return false
}

// pairing says which clients exist twice: as the one of client-go, for what is left, and
// as the one of this library beside it, for what is moved.
type pairing struct {
	p       *program
	touched map[any][]*unit // the units that mention a class of clients
	calls   map[any]map[*unit]bool
	paired  map[any]bool
	never   map[any]bool // those that cannot be paired
}

func (p *program) newPairing() *pairing {
	c := &pairing{p: p, touched: map[any][]*unit{}, calls: map[any]map[*unit]bool{}, paired: map[any]bool{},
		never: map[any]bool{}}
	for _, u := range p.units {
		if u.uses {
			c.read(u)
		}
	}
	return c
}

// class returns what stands for all variables that have the same client, nil if the
// expression is none of these.
func (c *pairing) class(r *rewriter, n ast.Expr) any {
	if t := r.info.TypeOf(n); t == nil || !isClient(t) {
		return nil
	}
	switch ast.Unparen(n).(type) {
	case *ast.Ident, *ast.SelectorExpr:
	default:
		return nil
	}
	if key := c.p.slots.key(r, n); key != nil {
		return c.p.slots.find(key)
	}
	return nil
}

// isPaired reports whether the client in an expression exists twice.
func (c *pairing) isPaired(r *rewriter, n ast.Expr) bool {
	class := c.class(r, n)
	return class != nil && c.paired[class]
}

func (c *pairing) objectPaired(pos token.Pos) bool {
	return pos.IsValid() && c.paired[c.p.slots.find(any(pos))]
}

func (c *pairing) read(u *unit) {
	r := &rewriter{p: c.p, u: u, info: u.info}
	seen := map[any]bool{}
	add := func(class any) {
		if class != nil && !seen[class] {
			seen[class] = true
			c.touched[class] = append(c.touched[class], u)
		}
	}
	ast.Inspect(u.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			add(c.class(r, n))
			if class := c.class(r, n.X); class != nil {
				if c.calls[class] == nil {
					c.calls[class] = map[*unit]bool{}
				}
				c.calls[class][u] = true
			}
		case *ast.Ident:
			add(c.class(r, n))
			if f, ok := r.info.ObjectOf(n).(*types.Func); ok && !isOld(f) {
				results := f.Signature().Results()
				for i := range results.Len() {
					if v := results.At(i); isClient(v.Type()) && v.Pos().IsValid() {
						class := c.p.slots.find(any(v.Pos()))
						add(class)
						// Two results do not fit where one value does.
						c.never[class] = c.never[class] || results.Len() == 1
					}
				}
			}
		}
		return true
	})
}

// regroup decides which units move. Without clients that exist twice, whatever shares a
// client moves together or not at all.
func (p *program) regroup() {
	for _, u := range p.units {
		u.group = u
		u.left = len(u.reasons) > 0
	}
	clear(p.pairs.paired)
	for _, e := range p.edges {
		if e.soft == nil {
			join(e.a, e.b)
		}
	}
	p.joinMethods()
	for {
		p.spread()
		joined := false
		for class, units := range p.pairs.touched {
			if !p.pairs.decide(class, units) {
				for _, u := range units[1:] {
					if u.root() != units[0].root() {
						join(u, units[0])
						joined = true
					}
				}
			}
		}
		if !joined {
			return
		}
		clear(p.pairs.paired)
	}
}

// decide pairs the clients of a class if both what is moved and what is left call it.
func (c *pairing) decide(class any, units []*unit) bool {
	if c.never[class] {
		return false
	}
	moved, left := false, false
	for u := range c.calls[class] {
		if u.left {
			left = true
		} else {
			moved = true
		}
	}
	for _, u := range units {
		left = left || u.left
	}
	if moved && left {
		c.paired[class] = true
	}
	return moved && left
}

// touches reports whether a unit has a client that exists twice.
func (c *pairing) touches(u *unit) bool {
	for class := range c.paired {
		for _, other := range c.touched[class] {
			if other == u {
				return true
			}
		}
	}
	return false
}

// giveUp notes that the clients of a unit cannot be paired. It reports whether that is new.
func (c *pairing) giveUp(u *unit) bool {
	changed := false
	for class := range c.paired {
		for _, other := range c.touched[class] {
			if other == u && !c.never[class] {
				c.never[class] = true
				changed = true
			}
		}
	}
	return changed
}

// twinSuffix is what the name of a client of this library ends in where it is beside the
// one of client-go.
const twinSuffix = "Service"

// twin renders the client of this library that is beside one of client-go.
func (r *rewriter) twin(n ast.Expr) string {
	switch n := ast.Unparen(n).(type) {
	case *ast.Ident:
		if n.Name == "_" || isNil(r.info, n) {
			return n.Name
		}
		return n.Name + twinSuffix
	case *ast.SelectorExpr:
		return r.render(n.X) + "." + n.Sel.Name + twinSuffix
	}
	r.unpaired = true
	return "nil"
}

// clientText renders what methods of this library are called on.
func (r *rewriter) clientText(n ast.Expr) string {
	if r.p.pairs != nil && r.p.pairs.isPaired(r, n) {
		return r.twin(n)
	}
	return r.render(n)
}

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
	pos := n.Type.Pos()
	if len(n.Names) > 0 {
		pos = n.Names[0].Pos()
	}
	if !r.p.pairs.objectPaired(pos) {
		return "", false
	}
	r.use("serviceapi.")
	var names []string
	for _, name := range n.Names {
		names = append(names, name.Name+twinSuffix)
	}
	twin := strings.TrimSpace(strings.Join(names, ", ") + " *serviceapi.Client")
	list, _ := r.parents[n].(*ast.FieldList)
	if _, isStruct := r.parents[list].(*ast.StructType); isStruct {
		return twin + "\n" + r.source(n), true
	}
	text := r.source(n) + ", " + twin
	if list != nil && !list.Opening.IsValid() {
		text = "(" + text + ")"
	}
	return text, true
}

func (r *rewriter) pairSpec(n *ast.ValueSpec) (string, bool) {
	if n.Type == nil || !isClient(r.info.TypeOf(n.Type)) || !r.p.pairs.objectPaired(n.Names[0].Pos()) {
		return "", false
	}
	if len(n.Values) > 0 || len(n.Names) > 1 {
		r.unpaired = true
		return "", false
	}
	r.use("serviceapi.")
	text := r.source(n) + "\n" + n.Names[0].Name + twinSuffix + " *serviceapi.Client"
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
	var left, right []string
	paired := false
	for i := range min(len(n.Lhs), len(n.Rhs)) {
		left = append(left, r.leave(n.Lhs[i]))
		right = append(right, r.leave(n.Rhs[i]))
		if r.p.pairs.isPaired(r, n.Lhs[i]) {
			paired = true
			left = append(left, r.twin(n.Lhs[i]))
			right = append(right, r.twin(n.Rhs[i]))
		}
	}
	if !paired {
		return "", false
	}
	return strings.Join(left, ", ") + " " + n.Tok.String() + " " + strings.Join(right, ", "), true
}

// leave renders an expression, without moving a client that exists twice.
func (r *rewriter) leave(n ast.Expr) string { return r.render(n) }

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
	if id := idOf(n); id != nil {
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
	r.blocks = 0
	pairOnly := r.pairOnly
	r.pairOnly = false
	text, _ := r.newClient(call, name)
	r.pairOnly = pairOnly
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
