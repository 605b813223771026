package move

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A repairer adds conversions to the new text of a file where types differ.
type repairer struct {
	v       *version
	f       *file
	pack    *pack
	syntax  *ast.File
	info    *types.Info
	text    string
	edits   []edit
	helpers map[string]bool
	parents []ast.Node
	unit    *unit // the unit with the repaired text
}

// repair adds missing conversions to the units that moved. It reports whether there
// were any.
func (v *version) repair(result *checkResult) bool { return v.edit(result, (*repairer).node) }

// edit visits the nodes of the units that moved. It reports whether anything changed.
func (v *version) edit(result *checkResult, visit func(*repairer, ast.Node)) bool {
	changed := false
	for _, f := range result.pack.files {
		text, ok := v.texts[f]
		if !ok {
			continue
		}
		syntax, err := v.syntaxOf(f)
		if err != nil {
			continue
		}
		k := &repairer{v: v, f: f, pack: result.pack, syntax: syntax, info: result.info, text: text,
			helpers: map[string]bool{}}
		for _, u := range f.units {
			if !u.uses || u.left && !u.twin {
				continue
			}
			node := newNode(syntax, f, u)
			if u.twin {
				node = twinNode(syntax, f, u)
			}
			if k.unit = u; node != nil {
				k.walk(node, visit)
			}
		}
		k.unit = v.owners[f]
		for _, decl := range adapterNodes(syntax, f) {
			k.walk(decl, visit)
		}
		for _, e := range result.errors {
			k.unused(e)
			k.unusedVariable(e)
		}
		if len(k.edits) == 0 {
			continue
		}
		now := apply(text, outermost(k.edits))
		if now == text {
			continue
		}
		changed = true
		v.texts[f] = now
		delete(v.parsed, f)
		v.addHelpers(f, k.helpers)
	}
	return changed
}

// outermost drops edits within other edits. The next round makes them.
func outermost(edits []edit) []edit {
	slices.SortStableFunc(edits, func(a, b edit) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
	var kept []edit
	end := -1
	for _, e := range edits {
		if e.start >= end {
			kept = append(kept, e)
			end = e.end
		}
	}
	return kept
}

func (k *repairer) offset(pos token.Pos) int { return k.v.p.fset.Position(pos).Offset }

func (k *repairer) source(n ast.Node) string { return k.text[k.offset(n.Pos()):k.offset(n.End())] }

func (k *repairer) replace(n ast.Node, text string) {
	k.edits = append(k.edits, edit{k.offset(n.Pos()), k.offset(n.End()), text})
}

// unused removes an import that is no longer needed.
func (k *repairer) unused(e types.Error) {
	if !strings.Contains(e.Msg, "imported") || !strings.Contains(e.Msg, "and not used") {
		return
	}
	for _, decl := range k.syntax.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.IMPORT {
			continue
		}
		for _, spec := range gen.Specs {
			if spec.Pos() <= e.Pos && e.Pos < spec.End() {
				if !gen.Lparen.IsValid() {
					k.replace(spec, "()")
					continue
				}
				start, end := k.offset(spec.Pos()), k.offset(spec.End())
				if strings.HasPrefix(k.text[end:], "\n") { // leave no blank line
					start = strings.LastIndexByte(k.text[:start], '\n')
				}
				k.edits = append(k.edits, edit{start, end, ""})
			}
		}
	}
}

// unusedVariable removes a variable that is no longer needed.
func (k *repairer) unusedVariable(e types.Error) {
	unused := strings.HasPrefix(e.Msg, "declared and not used")
	here := k.syntax.FileStart <= e.Pos && e.Pos <= k.syntax.FileEnd
	if !here || !unused && !strings.HasPrefix(e.Msg, "no new variables") {
		return
	}
	if u, _ := k.v.unitOf(k.pack, e.Pos); u == nil || u.left && !u.twin && !k.v.p.pairs.touches(u) {
		return
	}
	ast.Inspect(k.syntax, func(n ast.Node) bool {
		if n == nil || e.Pos < n.Pos() || n.End() <= e.Pos {
			return false
		}
		switch n := n.(type) {
		case *ast.TypeSwitchStmt:
			if a, ok := n.Assign.(*ast.AssignStmt); ok && unused && a.Pos() == e.Pos {
				k.replace(a, k.source(a.Rhs[0]))
				return false
			}
		case *ast.Ident:
			if unused && n.Pos() == e.Pos {
				k.replace(n, "_")
			}
		case *ast.AssignStmt:
			if !unused && n.TokPos == e.Pos {
				at := k.offset(n.TokPos)
				k.edits = append(k.edits, edit{at, at + len(":="), "="})
			}
		}
		return true
	})
}

func (k *repairer) walk(root ast.Node, visit func(*repairer, ast.Node)) {
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil {
			k.parents = k.parents[:len(k.parents)-1]
			return true
		}
		visit(k, n)
		k.parents = append(k.parents, n)
		return true
	})
}

func (k *repairer) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		k.assignment(n)
	case *ast.ValueSpec:
		k.valueSpec(n)
	case *ast.ReturnStmt:
		k.returned(n)
	case *ast.CallExpr:
		k.call(n)
	case *ast.CompositeLit:
		k.literal(n)
	case *ast.BinaryExpr:
		k.binary(n)
	case *ast.StarExpr:
		k.star(n)
	case *ast.IndexExpr:
		if m, ok := k.under(n.X).(*types.Map); ok {
			k.want(n.Index, m.Key())
		}
	case *ast.SendStmt:
		if c, ok := k.under(n.Chan).(*types.Chan); ok {
			k.want(n.Value, c.Elem())
		}
	case *ast.IfStmt:
		k.want(n.Cond, types.Typ[types.Bool])
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			k.want(n.X, types.Typ[types.Bool])
		}
	case *ast.SwitchStmt:
		k.switched(n)
	}
}

// under returns the underlying type of an expression, or nil.
func (k *repairer) under(n ast.Expr) types.Type {
	t := k.info.TypeOf(n)
	if t == nil {
		return nil
	}
	return t.Underlying()
}

func (k *repairer) assignment(n *ast.AssignStmt) {
	if len(n.Lhs) != len(n.Rhs) {
		return
	}
	for i, right := range n.Rhs {
		left := n.Lhs[i]
		if id := idOf(left); id != nil && (id.Name == "_" || n.Tok == token.DEFINE && k.info.Defs[id] != nil) {
			continue
		}
		if n.Tok == token.SHL_ASSIGN || n.Tok == token.SHR_ASSIGN {
			continue
		}
		k.want(right, k.info.TypeOf(left))
	}
}

func (k *repairer) valueSpec(n *ast.ValueSpec) {
	if n.Type == nil || len(n.Values) != len(n.Names) {
		return
	}
	for _, value := range n.Values {
		k.want(value, k.info.TypeOf(n.Type))
	}
}

func (k *repairer) returned(n *ast.ReturnStmt) {
	var signature *types.Signature
	for _, parent := range slices.Backward(k.parents) {
		if lit, ok := parent.(*ast.FuncLit); ok {
			signature, _ = k.under(lit).(*types.Signature)
			break
		}
		if decl, ok := parent.(*ast.FuncDecl); ok {
			if f, ok := k.info.Defs[decl.Name].(*types.Func); ok {
				signature = f.Signature()
			}
			break
		}
	}
	if signature == nil || signature.Results().Len() != len(n.Results) {
		return
	}
	for i, result := range n.Results {
		k.want(result, signature.Results().At(i).Type())
	}
}

func (k *repairer) call(n *ast.CallExpr) {
	fun := k.info.Types[n.Fun]
	switch {
	case fun.IsType():
		k.conversion(n, fun.Type)
	case fun.IsBuiltin():
		k.builtin(n)
	default:
		k.arguments(n)
	}
}

func (k *repairer) builtin(n *ast.CallExpr) {
	id := idOf(n.Fun)
	if id == nil || len(n.Args) == 0 {
		return
	}
	switch id.Name {
	case "append":
		slice, ok := k.under(n.Args[0]).(*types.Slice)
		if !ok {
			return
		}
		for i, arg := range n.Args[1:] {
			if n.Ellipsis.IsValid() && i == len(n.Args)-2 {
				k.want(arg, types.NewSlice(slice.Elem()))
				continue
			}
			k.want(arg, slice.Elem())
		}
	case "delete":
		if m, ok := k.under(n.Args[0]).(*types.Map); ok && len(n.Args) == 2 {
			k.want(n.Args[1], m.Key())
		}
	case "min", "max":
		for _, arg := range n.Args[1:] {
			k.want(arg, k.info.TypeOf(n.Args[0]))
		}
	}
}

func (k *repairer) arguments(n *ast.CallExpr) {
	signature, ok := k.under(n.Fun).(*types.Signature)
	if !ok {
		return
	}
	params := signature.Params()
	for i, arg := range n.Args {
		switch {
		case signature.Variadic() && i >= params.Len()-1:
			last := params.At(params.Len() - 1).Type()
			if n.Ellipsis.IsValid() && i == len(n.Args)-1 {
				k.want(arg, last)
			} else if slice, ok := last.(*types.Slice); ok {
				k.want(arg, slice.Elem())
			}
		case i < params.Len() && !k.lend(arg, params.At(i).Type()):
			k.want(arg, params.At(i).Type())
		}
	}
}

// conversion repairs T(x) where x is not convertible.
func (k *repairer) conversion(n *ast.CallExpr, to types.Type) {
	if len(n.Args) != 1 {
		return
	}
	have := k.info.TypeOf(n.Args[0])
	if !known(have) || !known(to) || types.ConvertibleTo(have, to) {
		return
	}
	text, ok := k.convert(n.Args[0], k.source(n.Args[0]), have, to)
	if ok {
		k.replace(n, text)
		return
	}
	if pointer, ok := have.Underlying().(*types.Pointer); ok && types.ConvertibleTo(pointer.Elem(), to) {
		k.replace(n.Args[0], k.valueOf(n.Args[0], k.source(n.Args[0])))
	}
}

func (k *repairer) literal(n *ast.CompositeLit) {
	t := k.under(n)
	if pointer, ok := t.(*types.Pointer); ok {
		t = pointer.Elem().Underlying()
	}
	for i, e := range n.Elts {
		kv, keyed := e.(*ast.KeyValueExpr)
		switch t := t.(type) {
		case *types.Struct:
			if keyed {
				if id := idOf(kv.Key); id != nil {
					if f := structField(t, id.Name); f != nil {
						k.want(kv.Value, f.Type())
					}
				}
			} else if i < t.NumFields() {
				k.want(e, t.Field(i).Type())
			}
		case *types.Slice:
			k.element(e, t.Elem())
		case *types.Array:
			k.element(e, t.Elem())
		case *types.Map:
			if keyed {
				k.want(kv.Key, t.Key())
				k.want(kv.Value, t.Elem())
			}
		}
	}
}

func (k *repairer) element(e ast.Expr, want types.Type) {
	if kv, ok := e.(*ast.KeyValueExpr); ok {
		e = kv.Value
	}
	k.want(e, want)
}

func structField(s *types.Struct, name string) *types.Var {
	for f := range s.Fields() {
		if f.Name() == name {
			return f
		}
	}
	return nil
}

// star repairs *x if x is no longer a pointer.
func (k *repairer) star(n *ast.StarExpr) {
	if k.info.Types[n].IsType() || k.info.Types[n.X].IsType() {
		return
	}
	t := k.info.TypeOf(n.X)
	if !known(t) {
		return
	}
	if _, ok := t.Underlying().(*types.Pointer); !ok {
		k.replace(n, k.source(n.X))
	}
}

func known(t types.Type) bool {
	if t == nil {
		return false
	}
	if b, ok := t.(*types.Basic); ok && b.Kind() == types.Invalid {
		return false
	}
	return true
}

// want converts an expression to a type if it is not assignable to it. It reports
// whether it did.
func (k *repairer) want(n ast.Expr, want types.Type) bool {
	have := k.info.TypeOf(n)
	if !known(have) || !known(want) {
		return false
	}
	if _, isTuple := have.(*types.Tuple); isTuple {
		return false
	}
	if pointer, ok := want.(*types.Pointer); ok {
		if _, isParam := pointer.Elem().(*types.TypeParam); isParam {
			if _, ok := have.Underlying().(*types.Pointer); !ok && !isNil(k.info, n) {
				k.replace(n, "new("+k.source(n)+")") // any pointer will do
				return true
			}
			return false
		}
	}
	if k.assignable(n, have, want) {
		return false
	}
	text, ok := k.convert(n, k.source(n), have, want)
	if ok && text != k.source(n) {
		k.replace(n, text)
		return true
	}
	return false
}

func (k *repairer) assignable(n ast.Expr, have, want types.Type) bool {
	if isNil(k.info, n) {
		return isNilable(want)
	}
	return types.AssignableTo(have, want)
}

func (k *repairer) typeString(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p.Path() == k.packPath() {
			return ""
		}
		for _, spec := range k.syntax.Imports {
			if importPath(spec) == p.Path() && spec.Name != nil {
				return spec.Name.Name
			}
		}
		k.needImport(p.Path())
		return p.Name()
	})
}

func (k *repairer) packPath() string { return strings.TrimSuffix(k.pack.path, " [test]") }

// needImport adds an import unless the file has it.
func (k *repairer) needImport(path string) {
	for _, spec := range k.syntax.Imports {
		if importPath(spec) == path {
			return
		}
	}
	for _, decl := range k.syntax.Decls {
		if gen, ok := decl.(*ast.GenDecl); ok && gen.Tok == token.IMPORT && !isImportC(gen) {
			if gen.Lparen.IsValid() {
				at := k.offset(gen.Lparen) + 1
				k.edits = append(k.edits, edit{at, at, "\n\"" + path + "\"\n"})
			} else {
				k.replace(gen.Specs[0], "(\n"+k.source(gen.Specs[0])+"\n\""+path+"\"\n)")
			}
			return
		}
	}
	k.firstImport(path)
}

// firstImport adds an import to a file that has none, in one declaration with others.
func (k *repairer) firstImport(path string) {
	const begin = "\n\nimport (\n"
	at := k.offset(k.syntax.Name.End())
	for i, e := range k.edits {
		if e.start != at || !strings.HasPrefix(e.text, begin) {
			continue
		}
		if !strings.Contains(e.text, "\""+path+"\"") {
			k.edits[i].text = begin + "\"" + path + "\"\n" + strings.TrimPrefix(e.text, begin)
		}
		return
	}
	k.edits = append(k.edits, edit{at, at, begin + "\"" + path + "\"\n)"})
}

// valueOf dereferences a pointer that may be nil.
func (k *repairer) valueOf(n ast.Expr, text string) string {
	if inner := k.pointed(n); inner != nil {
		return k.source(inner)
	}
	if t := k.newType(n); t != nil {
		if zero, ok := k.zero(t); ok {
			return zero
		}
	}
	return k.help("valueOf") + "(" + text + ")"
}

// pointed returns x for new(x) and &x, or nil.
func (k *repairer) pointed(n ast.Expr) ast.Expr {
	if n == nil {
		return nil
	}
	if unary, ok := ast.Unparen(n).(*ast.UnaryExpr); ok && unary.Op == token.AND {
		return unary.X
	}
	if arg := newArgument(n); arg != nil && !k.info.Types[arg].IsType() {
		return arg
	}
	return nil
}

// newType returns the type T for new(T), or nil.
func (k *repairer) newType(n ast.Expr) types.Type {
	if n == nil {
		return nil
	}
	if arg := newArgument(n); arg != nil && k.info.Types[arg].IsType() {
		return k.info.TypeOf(arg)
	}
	return nil
}

// newArgument returns the argument of a call of new, or nil.
func newArgument(n ast.Expr) ast.Expr {
	call, ok := ast.Unparen(n).(*ast.CallExpr)
	if ok && idName(call.Fun) == "new" && len(call.Args) == 1 {
		return call.Args[0]
	}
	return nil
}
