package move

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// sidesAt returns the clients of the declaration at a place, or 0 if it has none.
func (r *rewriter) sidesAt(pos token.Pos) sides {
	if !pos.IsValid() {
		return 0
	}
	if r.p.pairs == nil {
		return newSide
	}
	if r.within != nil && r.within.Pos() <= pos && pos < r.within.End() {
		return r.withinSide
	}
	return r.p.pairs.sidesAt(r.self.at(r.p.pairs, pos))
}

func (r *rewriter) sidesOf(n ast.Expr) sides { return r.sidesAt(r.place(n)) }

// sidesIn returns the clients of a parameter, a result or a field.
func (r *rewriter) sidesIn(v *types.Var) sides {
	if v = v.Origin(); !r.isPlace(v) {
		return 0
	}
	return r.sidesAt(v.Pos())
}

// isPaired reports whether the client in an expression exists twice.
func (r *rewriter) isPaired(n ast.Expr) bool { return r.sidesOf(n) == bothSides }

// isOther reports whether something has other clients than the surrounding text
// expects.
func (r *rewriter) isOther(s sides) bool { return s != 0 && s != r.self.side }

// sideText renders one of the clients that an expression has.
func (r *rewriter) sideText(n ast.Expr, side sides) string {
	n = ast.Unparen(n)
	if id := idOf(n); id != nil && (id.Name == "_" || isNil(r.info, id)) {
		return id.Name
	}
	if r.isEmptyClient(n) {
		return r.textOn(side, n)
	}
	if lit, ok := n.(*ast.FuncLit); ok && isSource(r.info.TypeOf(lit)) {
		return r.sourceText(side, lit)
	}
	if pos := r.sourceFunc(n); pos.IsValid() {
		return r.sourceValue(side, n, pos)
	}
	if r.namesTwin(n) {
		return r.textOn(side, n)
	}
	have := r.sidesOf(n)
	suffix := ""
	if have == bothSides && side == newSide {
		suffix = twinSuffix
	}
	switch n := n.(type) {
	case *ast.Ident:
		if have&side != 0 {
			return n.Name + suffix
		}
	case *ast.SelectorExpr:
		if have&side != 0 {
			return r.render(n.X) + "." + n.Sel.Name + suffix
		}
	case *ast.IndexExpr:
		if r.indexed(n) != nil && have&side != 0 {
			return r.sideText(n.X, side) + "[" + r.render(n.Index) + "]"
		}
	case *ast.CallExpr:
		if r.callsTwin(n) && isGetter(r.p.unitOf(r.callee(n))) {
			return r.textOn(side, n)
		}
		if pos, results := r.sourceCall(n); results == 1 {
			return r.sideText(n.Fun, side) + r.source(n)[r.offset(n.Lparen)-r.offset(n.Pos()):]
		} else if pos.IsValid() {
			return r.textOn(side, n)
		}
		if have == side {
			return r.render(n)
		}
	}
	if r.makesOptions(n) || side == r.self.side && have == 0 {
		return r.textOn(side, n)
	}
	r.unpaired = true
	return "nil"
}

// textOn renders an expression for one side, whatever the side of the surrounding text.
func (r *rewriter) textOn(side sides, n ast.Expr) string {
	if side == r.self.side {
		return r.render(n)
	}
	return r.tried(func() string { return r.other.render(n) })
}

// tried renders part of a unit that stays. What cannot be moved there is no reason to
// leave it.
func (r *rewriter) tried(render func() string) string {
	blocks, reasons, left := r.blocks, len(r.u.reasons), r.u.left
	text := render()
	if r.blocks > blocks {
		r.blocks, r.u.reasons, r.u.left = blocks, r.u.reasons[:reasons], left
		r.unpaired = true
	}
	return text
}

// bothTexts renders an expression once for each of the given sides.
func (r *rewriter) bothTexts(n ast.Expr, s sides) []string {
	var texts []string
	for _, side := range []sides{oldSide, newSide} {
		if s&side != 0 {
			texts = append(texts, r.sideText(n, side))
		}
	}
	return texts
}

// sourceText renders one of the two functions that a literal becomes.
func (r *rewriter) sourceText(side sides, n *ast.FuncLit) string {
	within, withinSide := r.within, r.withinSide
	defer func() { r.within, r.withinSide = within, withinSide }()
	r.within, r.withinSide = n, side
	return r.textOn(side, n)
}

// sourceValue renders a function that is used as a value. If it returns both clients, it is
// wrapped in a function that returns one.
func (r *rewriter) sourceValue(side sides, n ast.Expr, pos token.Pos) string {
	if r.sidesAt(pos) != bothSides {
		return r.textOn(side, n)
	}
	signature := r.info.TypeOf(n).(*types.Signature)
	var params, args []string
	for i := range signature.Params().Len() {
		args = append(args, "arg"+strconv.Itoa(i))
		params = append(params, args[i]+" "+r.typeString(signature.Params().At(i).Type()))
	}
	all, kept := []string{"client", "_"}, []string{"client"}
	if side == newSide {
		all = []string{"_", "client"}
	}
	for i := 1; i < signature.Results().Len(); i++ {
		kept = append(kept, "result"+strconv.Itoa(i))
		all = append(all, kept[i])
	}
	return "func(" + strings.Join(params, ", ") + ") " + r.sourceResults(signature, side) + " {\n" +
		strings.Join(all, ", ") + " := " + r.source(n) + "(" + strings.Join(args, ", ") + ")\n" +
		"return " + strings.Join(kept, ", ") + "\n}"
}

// sourceResults renders the results of a function for clients.
func (r *rewriter) sourceResults(signature *types.Signature, side sides) string {
	var results []string
	for v := range signature.Results().Variables() {
		if isClient(v.Type()) && side == newSide {
			results = append(results, r.use("*serviceapi.Client"))
			continue
		}
		results = append(results, r.typeString(v.Type()))
	}
	if len(results) == 1 {
		return results[0]
	}
	return "(" + strings.Join(results, ", ") + ")"
}

// clientText renders the receiver of methods of this library.
func (r *rewriter) clientText(n ast.Expr) string {
	if r.isPaired(n) {
		return r.sideText(n, newSide)
	}
	return r.render(n)
}

// twinValue renders a client that exists twice, where only this library's one is used.
func (r *rewriter) twinValue(n ast.Expr) (string, bool) {
	if pos := r.sourceFunc(n); pos.IsValid() && r.p.pairs != nil && r.sidesAt(pos) == bothSides {
		return r.sourceValue(newSide, n, pos), true
	}
	if id := idOf(n); id != nil && r.info.Uses[id] == nil || !r.isPaired(n) {
		return "", false
	}
	return r.sideText(n, newSide), true
}

// pair rewrites a node that passes on clients if they exist twice or are on the other
// side.
func (r *rewriter) pair(n ast.Node) (string, bool) {
	if r.p.pairs == nil || !r.p.pairs.touches(r.u) {
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
	case *ast.CompositeLit:
		return r.pairLiteral(n)
	case *ast.ReturnStmt:
		return r.pairReturn(n)
	case *ast.RangeStmt:
		return r.pairRange(n)
	case *ast.ExprStmt:
		return r.pairBuiltin(n)
	}
	return "", false
}

// useTwin notes the imports and helpers that the text of a twin's type needs.
func (r *rewriter) useTwin(t types.Type) string {
	text := twinType(t)
	if signature, ok := types.Unalias(t).(*types.Signature); ok {
		var params []string
		for v := range signature.Params().Variables() {
			params = append(params, r.typeString(v.Type()))
		}
		return "func(" + strings.Join(params, ", ") + ") " + r.sourceResults(signature, newSide)
	}
	if t, ok := types.Unalias(t).(*types.Map); ok {
		return "map[" + r.typeString(t.Key()) + "]" + r.use(newClientType)
	}
	if before, ok := strings.CutSuffix(text, "clientOption"); ok {
		return before + r.help("clientOption")
	}
	return r.use(text)
}

func (r *rewriter) pairField(n *ast.Field) (string, bool) {
	t := r.info.TypeOf(n.Type)
	if !isClient(t) {
		return "", false
	}
	list, _ := r.parents[n].(*ast.FieldList)
	_, isStruct := r.parents[list].(*ast.StructType)
	if len(n.Names) == 0 {
		return r.pairNameless(n, list, isStruct)
	}
	var texts []string
	changed := false
	for _, name := range n.Names {
		s := r.sidesAt(name.Pos())
		changed = changed || r.isOther(s)
		old, twin := "", ""
		if s&newSide != 0 {
			twin = r.sideText(name, newSide) + " " + r.useTwin(t)
		}
		if s&oldSide != 0 {
			old = name.Name + " " + r.source(n.Type)
		}
		if isStruct {
			old, twin = twin, old
		}
		texts = append(texts, old, twin)
	}
	if !changed {
		return "", false
	}
	texts = slices.DeleteFunc(texts, func(s string) bool { return s == "" })
	if isStruct {
		return strings.Join(texts, "\n"), true
	}
	return strings.Join(texts, ", "), true
}

// pairNameless rewrites an embedded client, or a parameter or a result without a name.
func (r *rewriter) pairNameless(n *ast.Field, list *ast.FieldList, isStruct bool) (string, bool) {
	pos, _ := r.p.slots.fieldKey(r.reader, n).(token.Pos)
	if !isStruct && !pos.IsValid() {
		pos = n.Type.Pos() // a parameter without a name is at the position of its type
	}
	s := r.sidesAt(pos)
	if !r.isOther(s) || r.p.unitAt(pos) == nil {
		return "", false
	}
	if s == oldSide {
		return r.source(n), true
	}
	twin := r.useTwin(r.info.TypeOf(n.Type))
	if isStruct {
		return r.embeddedClient(n) + twinSuffix + " " + twin + "\n" + r.source(n), true
	}
	text := r.source(n) + ", " + twin
	if list != nil && !list.Opening.IsValid() {
		text = "(" + text + ")"
	}
	return text, true
}

// embeddedClient returns the field name of an embedded client.
func (r *reader) embeddedClient(n *ast.Field) string {
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
// client-go, or nil if there is none.
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

// promotedText renders the client that is embedded in an expression, by its own name if it
// exists twice.
func (r *rewriter) promotedText(x ast.Expr, s *types.Selection) string {
	field := promoted(s)
	if field == nil || r.sidesAt(field.Pos()) != bothSides {
		return r.clientText(x)
	}
	return r.render(x) + "." + field.Name() + twinSuffix
}

// pairSpec declares a variable twice, or with the client of the other side.
func (r *rewriter) pairSpec(n *ast.ValueSpec) (string, bool) {
	changed := slices.ContainsFunc(n.Names, func(id *ast.Ident) bool { return r.isOther(r.sidesOf(id)) })
	if !changed {
		return "", false
	}
	if len(n.Values) > 0 && len(n.Values) != len(n.Names) || n.Type == nil && len(n.Values) == 0 {
		r.unpaired = true
		return "", false
	}
	var lines []string
	for i, name := range n.Names {
		for _, side := range []sides{oldSide, newSide} {
			s := r.sidesOf(name)
			if s == 0 && side == r.self.side {
				s = side
			}
			if s&side == 0 {
				continue
			}
			line := r.sideText(name, side)
			if n.Type != nil {
				line += " " + r.typeOn(side, n.Type)
			}
			if len(n.Values) > 0 {
				line += " = " + r.sideText(n.Values[i], side)
			}
			lines = append(lines, line)
		}
	}
	text := strings.Join(lines, "\n")
	if gen, ok := r.parents[n].(*ast.GenDecl); ok && gen.Lparen.IsValid() || r.isGrouped(n) || len(lines) == 1 {
		return text, true
	}
	return "(\n" + text + "\n)", true
}

// typeOn renders the type of a client.
func (r *rewriter) typeOn(side sides, n ast.Expr) string {
	t := r.info.TypeOf(n)
	switch {
	case !isClient(t):
		return r.render(n)
	case side == oldSide:
		return r.source(n)
	}
	return r.useTwin(t)
}

// isGrouped reports whether a specification at the top level is between parentheses.
func (r *reader) isGrouped(n *ast.ValueSpec) bool {
	if r.u.node != n {
		return false
	}
	gen, ok := r.u.file.syntax.Decls[r.u.decl].(*ast.GenDecl)
	return ok && gen.Lparen.IsValid()
}

func (r *rewriter) pairAssign(n *ast.AssignStmt) (string, bool) {
	if len(n.Rhs) == 1 && len(n.Lhs) > 1 {
		return r.pairTuple(n)
	}
	if sel, ok := n.Lhs[0].(*ast.SelectorExpr); ok && r.isPaired(sel.X) {
		if text, ok := r.assignAgent(n); ok {
			return r.source(n) + "\n" + text, true
		}
	}
	if !slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool { return r.isOther(r.sidesOf(e)) }) {
		return "", false
	}
	var left, right []string
	for i := range min(len(n.Lhs), len(n.Rhs)) {
		if s := r.sidesOf(n.Lhs[i]); s != 0 {
			left = append(left, r.bothTexts(n.Lhs[i], s)...)
			right = append(right, r.bothTexts(n.Rhs[i], s)...)
			continue
		}
		left = append(left, r.render(n.Lhs[i]))
		right = append(right, r.render(n.Rhs[i]))
	}
	return strings.Join(left, ", ") + " " + n.Tok.String() + " " + strings.Join(right, ", "), true
}

func (r *rewriter) pairTuple(n *ast.AssignStmt) (string, bool) {
	if index := r.indexed(n.Rhs[0]); index != nil {
		return r.pairIndexed(n, index)
	}
	call, ok := ast.Unparen(n.Rhs[0]).(*ast.CallExpr)
	if !ok {
		return "", false
	}
	if r.makes(call) != nil {
		return r.pairConstruction(n, call)
	}
	signature := r.calledSignature(call)
	if signature == nil || signature.Results().Len() != len(n.Lhs) || !r.hasOther(signature.Results()) {
		return "", false
	}
	var left []string
	for i, e := range n.Lhs {
		s := r.sidesIn(signature.Results().At(i))
		if s == 0 {
			left = append(left, r.render(e))
			continue
		}
		have := r.sidesOf(e)
		for _, side := range []sides{oldSide, newSide} {
			switch {
			case s&side == 0:
			case have == 0 && idName(e) != "_" && side == r.self.side:
				left = append(left, r.render(e))
			case have&side == 0:
				left = append(left, "_")
			default:
				left = append(left, r.sideText(e, side))
			}
		}
	}
	return strings.Join(left, ", ") + " " + n.Tok.String() + " " + r.render(call), true
}

func (r *rewriter) hasOther(tuple *types.Tuple) bool {
	for v := range tuple.Variables() {
		if r.isOther(r.sidesIn(v)) {
			return true
		}
	}
	return false
}

func (r *rewriter) pairCall(n *ast.CallExpr) (string, bool) {
	signature := r.calledSignature(n)
	if signature == nil {
		return "", false
	}
	params := signature.Params().Len()
	if signature.Variadic() {
		params-- // the last one has no clients
	}
	if len(n.Args) < params {
		return "", false
	}
	var edits []edit
	for i := range params {
		s := r.sidesIn(signature.Params().At(i))
		if !r.isOther(s) {
			continue
		}
		text := strings.Join(r.bothTexts(n.Args[i], s), ", ")
		edits = append(edits, edit{r.offset(n.Args[i].Pos()), r.offset(n.Args[i].End()), text})
	}
	if len(edits) == 0 {
		return "", false
	}
	return r.renderInside(n, edits...), true
}

// pairLiteral sets the fields of a struct of the program that have clients.
func (r *rewriter) pairLiteral(n *ast.CompositeLit) (string, bool) {
	t := r.info.TypeOf(n)
	if t == nil {
		return "", false
	}
	fields, ok := deref(t).Underlying().(*types.Struct)
	if !ok || oldName(t) != "" {
		return "", false
	}
	var edits []edit
	for i, e := range n.Elts {
		value, name := e, ""
		var field *types.Var
		if kv, keyed := e.(*ast.KeyValueExpr); keyed {
			field, _ = r.info.ObjectOf(idOf(kv.Key)).(*types.Var)
			value, name = kv.Value, idName(kv.Key)
		} else if i < fields.NumFields() {
			field = fields.Field(i)
		}
		if field == nil || !r.isOther(r.sidesIn(field)) {
			continue
		}
		texts := r.bothTexts(value, r.sidesIn(field))
		if name == "" {
			slices.Reverse(texts) // in the order of the fields
		} else {
			texts[0] = name + ": " + texts[0]
			if len(texts) == 2 {
				texts[1] = name + twinSuffix + ": " + texts[1]
			}
		}
		edits = append(edits, edit{r.offset(e.Pos()), r.offset(e.End()), strings.Join(texts, ", ")})
	}
	if len(edits) == 0 {
		return "", false
	}
	return r.renderInside(n, edits...), true
}

func (r *rewriter) pairReturn(n *ast.ReturnStmt) (string, bool) {
	signature := r.enclosing(n)
	if signature == nil || len(n.Results) == 0 {
		return "", false
	}
	if len(n.Results) == 1 && signature.Results().Len() > 1 {
		return r.pairPassed(n, signature)
	}
	if !r.hasOther(signature.Results()) {
		return "", false
	}
	var results []string
	for i, e := range n.Results {
		if s := r.sidesIn(signature.Results().At(i)); s != 0 {
			results = append(results, r.bothTexts(e, s)...)
			continue
		}
		results = append(results, r.render(e))
	}
	return "return " + strings.Join(results, ", "), true
}

// enclosing returns the signature of the function around a node.
func (r *reader) enclosing(n ast.Node) *types.Signature {
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
