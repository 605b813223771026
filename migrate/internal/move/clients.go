package move

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// sides says which clients a variable, a field, a parameter or a result has: the one of
// client-go, the one of this library, or both.
type sides uint8

const (
	oldSide sides = 1 << iota
	newSide
	bothSides = oldSide | newSide
)

// clientFlows records what a unit does with clients and with the options that make
// them. All positions are positions of declarations.
type clientFlows struct {
	declared []token.Pos // variables, fields, parameters and results of the unit
	fixed    []token.Pos // those in the type of a function value
	used     []token.Pos // receivers of methods, and other uses except for passing on
	moves    []clientMove
	made     []token.Pos // where new clients are assigned
	set      []token.Pos // where something without clients is assigned
	escapes  bool        // a client becomes the value of an interface
	asserts  bool        // an interface value becomes a client
}

// A clientMove is an assignment, an argument or a result. If from is not valid, the
// origin of the client is unknown.
type clientMove struct{ from, to token.Pos }

// A flowReader reads what a unit does with clients.
type flowReader struct {
	r    *reader
	out  *clientFlows
	seen map[ast.Node]bool // expressions that are passed on or assigned to

	// function literals for clients, with the places of their results
	sources map[*ast.FuncLit]token.Pos
}

func (p *program) readFlows(m *mapping, u *unit) *clientFlows {
	f := &flowReader{r: p.reader(m, u), out: &clientFlows{}, seen: map[ast.Node]bool{},
		sources: map[*ast.FuncLit]token.Pos{}}
	ast.Inspect(u.node, func(n ast.Node) bool {
		if n != nil {
			f.declarations(n)
			f.node(n)
		}
		return true
	})
	return f.out
}

// isPlace reports whether a variable has one client, or options of one, and is declared in the
// program.
func (r *reader) isPlace(v *types.Var) bool {
	return v != nil && isClient(v.Type()) && v.Pos().IsValid() && !isOld(v) && r.p.unitAt(v.Pos()) != nil
}

// place returns where the variable, the field or the result of an expression is declared, if
// it has a client.
func (r *reader) place(n ast.Expr) token.Pos {
	var v *types.Var
	switch n := ast.Unparen(n).(type) {
	case *ast.Ident:
		v, _ = r.info.ObjectOf(n).(*types.Var)
	case *ast.SelectorExpr:
		v, _ = r.info.Uses[n.Sel].(*types.Var)
	case *ast.IndexExpr:
		if r.indexed(n) != nil {
			return r.place(n.X)
		}
	case *ast.CallExpr:
		if f := r.callee(n); f != nil && f.Signature().Results().Len() == 1 {
			v = f.Signature().Results().At(0)
		} else if pos, results := r.sourceCall(n); results == 1 {
			return pos
		}
	}
	if v != nil {
		v = v.Origin()
	}
	if !r.isPlace(v) {
		return token.NoPos
	}
	return v.Pos()
}

// sourceCall returns the place of the function value that a call gets a client from,
// and the number of results.
func (r *reader) sourceCall(n *ast.CallExpr) (pos token.Pos, results int) {
	t := r.info.TypeOf(n.Fun)
	if t == nil || !isSource(t) || r.callee(n) != nil {
		return token.NoPos, 0
	}
	if pos = r.place(n.Fun); !pos.IsValid() {
		return token.NoPos, 0
	}
	return pos, types.Unalias(t).(*types.Signature).Results().Len()
}

// sourceFunc returns the place of the client that a function returns, if the function is used
// as a value.
func (r *reader) sourceFunc(n ast.Expr) token.Pos {
	id := idOf(n)
	if sel, ok := n.(*ast.SelectorExpr); ok {
		id = sel.Sel
	}
	f, ok := r.info.Uses[id].(*types.Func)
	if !ok || isOld(f) || !isSource(f.Type()) || !r.isPlace(f.Origin().Signature().Results().At(0)) {
		return token.NoPos
	}
	switch parent := r.parents[n].(type) {
	case *ast.CallExpr:
		if parent.Fun == n {
			return token.NoPos
		}
	case *ast.SelectorExpr:
		if parent.Sel == n {
			return token.NoPos // the whole is the value
		}
	}
	return f.Origin().Signature().Results().At(0).Pos()
}

// callee returns the called function or method of the program, or nil.
func (r *reader) callee(n *ast.CallExpr) *types.Func {
	id := calledNameIn(n)
	if id == nil {
		return nil
	}
	f, ok := r.info.Uses[id].(*types.Func)
	if !ok || isOld(f) || r.p.unitOf(f.Origin()) == nil {
		return nil
	}
	return f.Origin()
}

// calledSignature returns the declared signature of a callee, or nil for conversions,
// builtins and functions of client-go.
func (r *reader) calledSignature(n *ast.CallExpr) *types.Signature {
	if f := r.callee(n); f != nil {
		return f.Signature()
	}
	if r.oldObject(n.Fun) != nil || r.info.Types[n.Fun].IsType() || r.info.Types[n.Fun].IsBuiltin() {
		return nil
	}
	signature, _ := signatureOf(r.info, n.Fun)
	return signature
}

func (f *flowReader) declarations(n ast.Node) {
	switch n := n.(type) {
	case *ast.Ident:
		switch obj := f.r.info.Defs[n].(type) {
		case *types.Var:
			if f.r.isPlace(obj) {
				f.out.declared = append(f.out.declared, obj.Pos())
			}
		case *types.Func:
			f.out.declared = append(f.out.declared, f.inSignature(obj.Signature())...)
		}
	case *ast.CaseClause:
		if v, ok := f.r.info.Implicits[n].(*types.Var); ok && f.r.isPlace(v) {
			f.out.declared = append(f.out.declared, v.Pos())
			f.out.fixed = append(f.out.fixed, v.Pos())
		}
	case *ast.FuncLit:
		if signature, ok := signatureOf(f.r.info, n); ok && f.sources[n].IsValid() {
			f.out.declared = append(f.out.declared, f.inSignature(signature)...)
			return
		}
		f.fix(n)
	case *ast.FuncType:
		if !f.isDeclared(n) {
			f.fix(n)
		}
	}
}

// fix records that the clients in the type of a function value cannot change, because
// other values of that type must match.
func (f *flowReader) fix(n ast.Expr) {
	if signature, ok := signatureOf(f.r.info, n); ok {
		places := f.inSignature(signature)
		f.out.declared = append(f.out.declared, places...)
		f.out.fixed = append(f.out.fixed, places...)
	}
}

// isDeclared reports whether a type belongs to a function or a method, or to a variable
// or field with a function for clients.
func (f *flowReader) isDeclared(n *ast.FuncType) bool {
	switch parent := f.r.parents[n].(type) {
	case *ast.FuncLit, *ast.FuncDecl:
		return true
	case *ast.ValueSpec:
		return isSource(f.r.info.TypeOf(n))
	case *ast.Field:
		if len(parent.Names) > 0 {
			if _, isMethod := f.r.info.Defs[parent.Names[0]].(*types.Func); isMethod {
				return true
			}
		}
		return isSource(f.r.info.TypeOf(n))
	}
	return false
}

func (f *flowReader) inSignature(signature *types.Signature) []token.Pos {
	var places []token.Pos
	for _, tuple := range []*types.Tuple{signature.Params(), signature.Results()} {
		for v := range tuple.Variables() {
			if f.r.isPlace(v) {
				places = append(places, v.Pos())
			}
		}
	}
	return places
}

func (f *flowReader) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		f.assign(n.Lhs, n.Rhs)
	case *ast.ValueSpec:
		var names []ast.Expr
		for _, name := range n.Names {
			names = append(names, name)
		}
		f.assign(names, n.Values)
	case *ast.RangeStmt:
		for _, e := range []ast.Expr{n.Key, n.Value} {
			if e != nil {
				f.target(e)
				if e != n.Value || !f.elementOf(e, n.X) {
					f.unknown(f.r.place(e))
				}
			}
		}
	case *ast.CallExpr:
		f.call(n)
		f.use(n)
	case *ast.ReturnStmt:
		f.returned(n)
	case *ast.CompositeLit:
		f.literal(n)
	case *ast.SelectorExpr:
		f.seen[n.Sel] = true
		if s := f.r.info.Selections[n]; s != nil {
			if field := promoted(s); field != nil && f.r.isPlace(field) {
				f.out.used = append(f.out.used, field.Pos())
			}
		}
		f.use(n)
	case *ast.Ident:
		f.use(n)
	case *ast.TypeAssertExpr:
		if n.Type != nil && oldName(f.r.info.TypeOf(n.Type)) == "Client" {
			f.out.asserts = true
		}
	case *ast.TypeSwitchStmt:
		for _, clause := range n.Body.List {
			for _, e := range clause.(*ast.CaseClause).List {
				if oldName(f.r.info.TypeOf(e)) == "Client" {
					f.out.asserts = true
				}
			}
		}
	}
}

// use records an expression that is neither passed on nor assigned to.
func (f *flowReader) use(n ast.Expr) {
	if id := idOf(n); f.seen[n] || id != nil && f.r.info.Defs[id] != nil {
		return
	}
	if paren, ok := f.r.parents[n].(*ast.ParenExpr); ok && f.seen[paren] {
		return
	}
	if _, alone := f.r.parents[n].(*ast.ExprStmt); alone {
		return
	}
	pos := f.r.place(n)
	if !pos.IsValid() {
		pos = f.r.sourceFunc(n)
	}
	if !pos.IsValid() {
		return
	}
	f.out.used = append(f.out.used, pos)
	if f.r.isContainer(n) {
		f.container(n, pos)
	}
	if lit := f.source(n); lit.IsValid() && f.r.p.unitAt(pos) != f.r.u {
		f.out.moves = append(f.out.moves, clientMove{pos, lit})
	}
}

// source returns the place of the client that the function literal around a node returns.
func (f *flowReader) source(n ast.Node) token.Pos {
	for ; n != nil; n = f.r.parents[n] {
		if lit, ok := n.(*ast.FuncLit); ok && f.sources[lit].IsValid() {
			return f.sources[lit]
		}
	}
	return token.NoPos
}

// target records that an expression is assigned to.
func (f *flowReader) target(n ast.Expr) {
	f.seen[ast.Unparen(n)] = true
	if index := f.r.indexed(n); index != nil {
		f.seen[ast.Unparen(index.X)] = true
	}
}

func (f *flowReader) unknown(to token.Pos) {
	if to.IsValid() {
		f.out.moves = append(f.out.moves, clientMove{to: to})
	}
}

// moved records that an expression is assigned to the declaration at a position.
func (f *flowReader) moved(to token.Pos, n ast.Expr) {
	n = ast.Unparen(n)
	if !to.IsValid() || isNil(f.r.info, n) || f.r.isEmptyClient(n) {
		if to.IsValid() {
			f.out.set = append(f.out.set, to)
		}
		return
	}
	from := f.r.place(n)
	switch n := n.(type) {
	case *ast.CallExpr:
		f.seen[n.Fun] = true
	case *ast.FuncLit:
		if signature, ok := signatureOf(f.r.info, n); ok && isSource(signature) {
			from = signature.Results().At(0).Pos()
			f.sources[n] = from
		}
	case *ast.Ident, *ast.SelectorExpr:
		if !from.IsValid() {
			from = f.r.sourceFunc(n)
		}
	}
	if from.IsValid() {
		f.target(n)
		f.out.moves = append(f.out.moves, clientMove{from, to})
		return
	}
	if !f.r.makesOptions(n) {
		f.unknown(to)
		return
	}
	f.out.set = append(f.out.set, to)
	var parts []ast.Expr
	switch n := n.(type) {
	case *ast.CompositeLit:
		parts = n.Elts
	case *ast.CallExpr:
		parts = n.Args
	}
	for _, part := range parts {
		if kv, ok := part.(*ast.KeyValueExpr); ok {
			part = kv.Value
		}
		if isClient(f.r.info.TypeOf(part)) && !f.r.info.Types[part].IsType() {
			f.moved(to, part)
		}
	}
}

func (f *flowReader) assign(left, right []ast.Expr) {
	for _, e := range left {
		f.target(e)
	}
	if len(right) != 1 || len(left) < 2 {
		for i := range min(len(left), len(right)) {
			f.moved(f.r.place(left[i]), right[i])
			f.boxed(f.r.info.TypeOf(left[i]), right[i])
		}
		return
	}
	if index := f.r.indexed(right[0]); index != nil && f.elementOf(left[0], index.X) {
		return
	}
	call, ok := ast.Unparen(right[0]).(*ast.CallExpr)
	if ok && f.r.constructs(call) != nil {
		f.constructed(f.r.place(left[0]), call)
		return
	}
	var signature *types.Signature
	if ok {
		if pos, _ := f.r.sourceCall(call); pos.IsValid() {
			f.handedOut(pos, f.r.place(left[0]), call)
			return
		}
		signature = f.r.calledSignature(call)
	}
	for i, e := range left {
		to := f.r.place(e)
		switch {
		case !to.IsValid():
		case signature != nil && i < signature.Results().Len() && f.r.isPlace(signature.Results().At(i)):
			f.out.moves = append(f.out.moves, clientMove{signature.Results().At(i).Pos(), to})
		default:
			f.unknown(to)
		}
	}
}

// handedOut records that a client comes from a function value.
func (f *flowReader) handedOut(from, to token.Pos, call *ast.CallExpr) {
	if to.IsValid() {
		f.seen[call.Fun] = true
		f.out.moves = append(f.out.moves, clientMove{from, to})
	}
}

// constructed records a new client. Its options are on the same sides.
func (f *flowReader) constructed(to token.Pos, call *ast.CallExpr) {
	if !to.IsValid() {
		return
	}
	f.out.made = append(f.out.made, to)
	for _, arg := range call.Args {
		if isClient(f.r.info.TypeOf(arg)) {
			f.moved(to, arg)
		}
	}
}

func (f *flowReader) call(n *ast.CallExpr) {
	signature := f.r.calledSignature(n)
	if signature == nil || signature.Params().Len() == 0 {
		return
	}
	for i, arg := range n.Args {
		v := signature.Params().At(min(i, signature.Params().Len()-1))
		if f.r.isPlace(v) {
			f.moved(v.Pos(), arg)
		} else if !f.r.isAboutValues(n) {
			f.boxed(v.Type(), arg)
		}
	}
}

// isAboutValues reports whether the called function keeps none of its arguments.
func (r *reader) isAboutValues(n *ast.CallExpr) bool {
	sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
	if !ok || r.info.Uses[sel.Sel] == nil || r.info.Uses[sel.Sel].Pkg() == nil {
		return false
	}
	switch path := r.info.Uses[sel.Sel].Pkg().Path(); path {
	case "fmt", "log", "log/slog", "reflect", "testing":
		return true
	default:
		return strings.HasPrefix(path, "github.com/stretchr/testify/")
	}
}

// boxed records that a client is stored in an interface.
func (f *flowReader) boxed(to types.Type, n ast.Expr) {
	if to == nil || oldName(f.r.info.TypeOf(n)) != "Client" {
		return
	}
	if slice, ok := to.Underlying().(*types.Slice); ok {
		to = slice.Elem()
	}
	f.out.escapes = f.out.escapes || types.IsInterface(to)
}

func (f *flowReader) returned(n *ast.ReturnStmt) {
	signature := f.r.enclosing(n)
	if signature == nil || len(n.Results) == 0 {
		return
	}
	results := signature.Results()
	if len(n.Results) == 1 && results.Len() > 1 {
		f.passed(results, n.Results[0])
		return
	}
	for i, e := range n.Results {
		if i >= results.Len() {
			return
		}
		if f.r.isPlace(results.At(i)) {
			f.moved(results.At(i).Pos(), e)
		}
		f.boxed(results.At(i).Type(), e)
	}
}

// passed records that a function returns the results of another call.
func (f *flowReader) passed(results *types.Tuple, n ast.Expr) {
	call, ok := ast.Unparen(n).(*ast.CallExpr)
	if !ok {
		return
	}
	if f.r.constructs(call) != nil {
		if f.r.isPlace(results.At(0)) {
			f.constructed(results.At(0).Pos(), call)
		}
		return
	}
	if pos, _ := f.r.sourceCall(call); pos.IsValid() {
		if f.r.isPlace(results.At(0)) {
			f.handedOut(pos, results.At(0).Pos(), call)
		}
		return
	}
	signature := f.r.calledSignature(call)
	for i := range results.Len() {
		switch to := results.At(i); {
		case !f.r.isPlace(to):
		case signature == nil || i >= signature.Results().Len() || !f.r.isPlace(signature.Results().At(i)):
			f.unknown(to.Pos())
		default:
			f.out.moves = append(f.out.moves, clientMove{signature.Results().At(i).Pos(), to.Pos()})
		}
	}
}

func (f *flowReader) literal(n *ast.CompositeLit) {
	t := f.r.info.TypeOf(n)
	if t == nil {
		return
	}
	fields, isStruct := deref(t).Underlying().(*types.Struct)
	for i, e := range n.Elts {
		kv, keyed := e.(*ast.KeyValueExpr)
		switch {
		case keyed && isStruct:
			f.seen[kv.Key] = true
			if v, ok := f.r.info.ObjectOf(idOf(kv.Key)).(*types.Var); ok && idOf(kv.Key) != nil {
				f.element(v, kv.Value)
			}
		case keyed:
			f.boxedElement(t, kv.Value)
		case isStruct && i < fields.NumFields():
			f.element(fields.Field(i), e)
		default:
			f.boxedElement(t, e)
		}
	}
}

func (f *flowReader) element(field *types.Var, value ast.Expr) {
	if field = field.Origin(); f.r.isPlace(field) {
		f.moved(field.Pos(), value)
		return
	}
	f.boxed(field.Type(), value)
}

func (f *flowReader) boxedElement(t types.Type, value ast.Expr) {
	switch t := t.Underlying().(type) {
	case *types.Map:
		f.boxed(t.Elem(), value)
	case *types.Slice:
		f.boxed(t.Elem(), value)
	}
}
