package move

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// A literal is a struct literal. Its fields are rewritten one by one.
type literal struct {
	r       *mover
	node    *ast.CompositeLit
	from    *types.Named
	to      *types.Named
	edits   []edit
	hoisted []string
	pages   []string            // fields of the embedded ListOptions
	inner   map[string][]string // fields of structs in fields
	cut     bool                // the last element is left out
	drops   int                 // how many elements are left out
}

func (l *literal) elements(n *ast.CompositeLit) bool {
	for i, e := range n.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok && l.positional(i, e) {
			continue
		}
		if !ok || idOf(kv.Key) == nil || l.from == nil {
			l.r.block(n, "literal", "the literal has no names of fields")
			return false
		}
		if l.r.dropped[kv] {
			l.drop(i)
			continue
		}
		if !l.element(i, kv) {
			return false
		}
	}
	return true
}

// positional adds the field name to an unkeyed element.
func (l *literal) positional(i int, e ast.Expr) bool {
	fields, ok := l.from.Underlying().(*types.Struct)
	if !ok || i >= fields.NumFields() {
		return false
	}
	f, ok := l.fieldOf(fields.Field(i).Name())
	if !ok || strings.Contains(f.Name(), ".") {
		return false
	}
	start := l.r.offset(e.Pos())
	l.edits = append(l.edits, edit{start, l.r.offset(e.End()), f.Name() + ": " + l.r.value(e, f.Type())})
	return true
}

func (l *literal) element(i int, kv *ast.KeyValueExpr) bool {
	key := idOf(kv.Key)
	if key.Name == "ListOptions" && oldName(l.r.info.TypeOf(kv.Value)) == "ListOptions" {
		return l.listOptions(i, kv)
	}
	if l.from.Obj().Name() == "ErrorResponse" && key.Name == "Response" {
		return l.errorStatus(i, kv)
	}
	if l.from.Obj().Name() == "Response" && key.Name == "Response" {
		return l.responseStatus(i, kv)
	}
	if l.level(kv) || l.encodedAction(i, kv) {
		return true
	}
	field, _ := l.fieldOf(key.Name)
	if to, ok := l.to.Underlying().(*types.Struct); ok && field == nil {
		if page := l.r.m.pageField(to, key.Name); page != nil {
			l.pages = append(l.pages, page.Name()+": "+l.r.value(kv.Value, page.Type()))
			l.drop(i)
			return true
		}
	}
	if field != nil && strings.Contains(field.Name(), ".") {
		outer, inner, _ := strings.Cut(field.Name(), ".")
		l.inner[outer] = append(l.inner[outer], inner+": "+l.r.value(kv.Value, field.Type()))
		l.drop(i)
		return true
	}
	if field == nil {
		if l.r.isZero(kv.Value) ||
			isOption(l.from) && l.r.m.needless(l.from.Obj().Name(), l.to.Obj().Name(), key.Name) {
			l.drop(i)
			return true
		}
		if l.flatten(i, kv) {
			return true
		}
		if l.sendUnknown(kv) {
			l.drop(i)
			return true
		}
		l.r.block(kv, "field", "%s", l.r.m.missing(l.from.Obj().Name(), l.to.Obj().Name(), key.Name))
		return false
	}
	if l.r.p.table.Meaning(l.from.Obj().Name(), key.Name) == "base64" && !l.r.isZero(kv.Value) {
		return l.encodedValue(kv, field)
	}
	if l.isSetTwice(kv, field) {
		return l.dropSecond(i, kv, field)
	}
	l.sendNull(kv, field)
	l.r.noteRenamed(kv, l.from, l.to, key.Name, field.Name())
	l.r.noteReference(kv.Value, l.to, field)
	l.edits = append(l.edits, edit{l.r.offset(key.Pos()), l.r.offset(key.End()), field.Name()},
		edit{l.r.offset(kv.Value.Pos()), l.r.offset(kv.Value.End()), l.r.value(kv.Value, field.Type())})
	return true
}

// isSetTwice reports whether the literal also sets a field by its name. WIP and Draft
// are one field here.
func (l *literal) isSetTwice(kv *ast.KeyValueExpr, field *types.Var) bool {
	return idName(kv.Key) != field.Name() && l.valueOf(field.Name()) != nil
}

// dropSecond leaves out an element if its field is also set by name to the same value.
func (l *literal) dropSecond(i int, kv *ast.KeyValueExpr, field *types.Var) bool {
	if l.r.value(kv.Value, field.Type()) != l.r.value(l.valueOf(field.Name()), field.Type()) {
		l.r.block(kv, "field", "%s and %s are one field here: keep one", idName(kv.Key), field.Name())
		return false
	}
	l.drop(i)
	return true
}

// valueOf returns the value of an element by its name, or nil.
func (l *literal) valueOf(name string) ast.Expr {
	for _, e := range l.node.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok && idName(kv.Key) == name {
			return kv.Value
		}
	}
	return nil
}

// flatten moves the fields of an embedded struct to the outer struct, which has them in
// this library.
func (l *literal) flatten(i int, kv *ast.KeyValueExpr) bool {
	lit := literalOf(kv.Value)
	fields, ok := l.from.Underlying().(*types.Struct)
	if lit == nil || !ok {
		return false
	}
	f := structField(fields, idName(kv.Key))
	from := namedOf(l.r.info.TypeOf(lit))
	if f == nil || !f.Embedded() || from == nil || !isOld(from.Obj()) {
		return false
	}
	inner := &literal{r: l.r, node: lit, from: from, to: l.to}
	var texts []string
	for _, e := range lit.Elts {
		field, keyed := e.(*ast.KeyValueExpr)
		if !keyed || idOf(field.Key) == nil {
			return false
		}
		if to, ok := inner.fieldOf(idName(field.Key)); ok {
			outer, name, within := strings.Cut(to.Name(), ".")
			if text := ": " + l.r.value(field.Value, to.Type()); within {
				l.inner[outer] = append(l.inner[outer], name+text)
			} else {
				texts = append(texts, to.Name()+text)
			}
		} else if !l.r.isZero(field.Value) {
			return false
		}
	}
	l.hoisted = append(l.hoisted, texts...)
	l.drop(i)
	return true
}

// structs returns nested structs for fields that client-go has directly in the options.
func (l *literal) structs() []string {
	var texts []string
	to, _ := l.to.Underlying().(*types.Struct)
	for _, name := range slices.Sorted(maps.Keys(l.inner)) {
		t, address := structField(to, name).Type(), ""
		if _, ok := t.Underlying().(*types.Pointer); ok {
			address = "&"
		}
		text := l.r.use("serviceapi." + newName(t))
		texts = append(texts, name+": "+address+text+"{"+l.inLines(l.inner[name])+"}")
	}
	return texts
}

// inLines joins fields as those of the literal stand: each on a line of its own, or all on one.
func (l *literal) inLines(fields []string) string {
	last := l.node.Elts[len(l.node.Elts)-1]
	if l.r.p.fset.Position(l.node.Rbrace).Line > l.r.p.fset.Position(last.End()).Line && len(l.node.Elts) > 1 {
		return "\n" + strings.Join(fields, ",\n") + ",\n"
	}
	return strings.Join(fields, ", ")
}

// errorStatus keeps the status of the response in a literal of an error.
func (l *literal) errorStatus(i int, kv *ast.KeyValueExpr) bool {
	lit := literalOf(kv.Value)
	for _, e := range eltsOf(lit) {
		field, ok := e.(*ast.KeyValueExpr)
		if ok && idOf(field.Key) != nil && idOf(field.Key).Name == "StatusCode" {
			l.edits = append(l.edits, edit{l.r.offset(kv.Pos()), l.r.offset(kv.End()),
				"StatusCode: " + l.r.render(field.Value)})
			return true
		}
	}
	l.r.block(kv, "error", "make a serviceapi.Error with its StatusCode")
	return false
}

// responseStatus keeps the status and the header of the response in a literal.
func (l *literal) responseStatus(i int, kv *ast.KeyValueExpr) bool {
	if isNil(l.r.info, kv.Value) {
		l.drop(i)
		return true
	}
	lit := literalOf(kv.Value)
	if lit == nil {
		text := l.r.render(kv.Value)
		l.hoisted = append(l.hoisted, "StatusCode: "+l.r.help("statusOf")+"("+text+")",
			"Header: "+l.r.free("headerOf")+"("+text+")")
		l.drop(i)
		return true
	}
	for _, e := range lit.Elts {
		field, ok := e.(*ast.KeyValueExpr)
		if ok && (idName(field.Key) == "StatusCode" || idName(field.Key) == "Header") {
			l.hoisted = append(l.hoisted, idName(field.Key)+": "+l.r.render(field.Value))
		}
	}
	l.drop(i)
	return true
}

func eltsOf(lit *ast.CompositeLit) []ast.Expr {
	if lit == nil {
		return nil
	}
	return lit.Elts
}

func (l *literal) fieldOf(name string) (*types.Var, bool) {
	to, ok := l.to.Underlying().(*types.Struct)
	if !ok {
		return nil, false
	}
	wire := wireOf(fieldsOf(l.from), name)
	f := l.r.m.field(l.from.Obj().Name(), l.to.Obj().Name(), name, wire, to)
	if f == nil || strings.Contains(f.Name(), ".") || structField(to, f.Name()) != nil {
		return f, f != nil
	}
	for level := range to.Fields() { // the literal of a level is inside the literal of the whole
		if inner := levelIn(level); inner != nil && structField(inner, f.Name()) != nil {
			return types.NewField(f.Pos(), f.Pkg(), level.Name()+"."+f.Name(), f.Type(), false), true
		}
	}
	return nil, false
}

// drop removes an element, with the comma after it.
func (l *literal) drop(i int) {
	e := l.node.Elts[i]
	l.drops++
	l.cut = i+1 == len(l.node.Elts)
	next := l.r.offset(l.node.Rbrace)
	if !l.cut {
		next = l.r.offset(l.node.Elts[i+1].Pos())
	}
	end := next
	hasComments := len(l.r.comments(l.r.offset(e.End()), next)) > 0
	rest := string(l.r.u.file.text[l.r.offset(e.End()):next])
	if comma := strings.IndexByte(rest, ','); comma >= 0 && (l.cut || hasComments) {
		end = l.r.offset(e.End()) + comma + 1
	}
	l.edits = append(l.edits, edit{l.r.offset(e.Pos()), end, ""})
}

// listOptions rewrites the embedded options of a list. Order and pagination are fields
// of the outer options here.
func (l *literal) listOptions(i int, kv *ast.KeyValueExpr) bool {
	_, embeds := l.fieldOf("ListOptions")
	isList := l.to.Obj().Name() == "ListOptions"
	lit := literalOf(kv.Value)
	if lit == nil {
		if !embeds {
			l.r.block(kv, "field", "%s has no ListOptions", l.to.Obj().Name())
			return false
		}
		l.edits = append(l.edits, edit{l.r.offset(kv.Value.Pos()), l.r.offset(kv.Value.End()), l.r.render(kv.Value)})
		return true
	}
	inner := &literal{r: l.r, node: lit, from: namedOf(l.r.info.TypeOf(lit)), to: l.r.p.newType("ListOptions")}
	var fields []string
	for j, e := range lit.Elts {
		field, ok := e.(*ast.KeyValueExpr)
		if !ok {
			l.r.block(lit, "literal", "the literal has no names of fields")
			return false
		}
		name := idOf(field.Key).Name
		if f, ok := inner.fieldOf(name); ok {
			text := f.Name() + ": " + l.r.value(field.Value, f.Type())
			fields = append(fields, text)
			inner.edits = append(inner.edits, edit{l.r.offset(field.Pos()), l.r.offset(field.End()), text})
			continue
		}
		inner.drop(j)
		f, ok := l.fieldOf(name)
		if !ok {
			if l.r.isZero(field.Value) || l.r.m.needless("ListOptions", "", name) {
				continue
			}
			l.r.block(field, "field", "ListOptions.%s has no counterpart in %s", name, l.to.Obj().Name())
			return false
		}
		l.hoisted = append(l.hoisted, f.Name()+": "+l.r.value(field.Value, f.Type()))
	}
	switch {
	case len(fields) == 0:
		l.drop(i)
	case isList:
		text := strings.TrimSuffix(strings.TrimPrefix(inner.inLines(fields), "\n"), ",\n")
		l.edits = append(l.edits, edit{l.r.offset(kv.Pos()), l.r.offset(kv.End()), text})
	case !embeds:
		l.r.block(kv, "field", "%s has no pages", l.to.Obj().Name())
		return false
	default:
		if lit.Type != nil {
			inner.edits = append(inner.edits, edit{l.r.offset(lit.Type.Pos()), l.r.offset(lit.Type.End()),
				"serviceapi.ListOptions"})
		}
		start := l.r.offset(lit.Pos())
		for j := range inner.edits {
			inner.edits[j].start -= start
			inner.edits[j].end -= start
		}
		l.edits = append(l.edits, edit{l.r.offset(kv.Value.Pos()), l.r.offset(kv.Value.End()),
			apply(l.r.source(lit), inner.edits)})
	}
	return true
}

// insert adds fields at the end.
func (l *literal) insert(fields []string) {
	n := l.node
	end := l.r.offset(n.Rbrace)
	text := strings.Join(fields, ", ")
	if len(n.Elts) == 0 {
		l.edits = append(l.edits, edit{end, end, text})
		return
	}
	start := l.r.offset(n.Lbrace) + 1
	if l.drops == len(n.Elts) && len(l.r.comments(start, end)) == 0 { // leave no blank line
		l.edits = slices.DeleteFunc(l.edits, func(e edit) bool { return e.start >= start })
		l.edits = append(l.edits, edit{start, end, l.inLines(fields)})
		return
	}
	last := n.Elts[len(n.Elts)-1]
	if l.r.p.fset.Position(n.Rbrace).Line > l.r.p.fset.Position(last.End()).Line {
		for i := range l.edits { // in the place of the last element, if it is left out
			if e := &l.edits[i]; l.cut && e.start == l.r.offset(last.Pos()) && e.text == "" {
				e.text = strings.Join(fields, ",\n") + ","
				return
			}
		}
		l.edits = append(l.edits, edit{end, end, strings.Join(fields, ",\n") + ",\n"})
		return
	}
	if l.cut { // after the comma of the element before
		l.edits = append(l.edits, edit{end, end, text})
		return
	}
	at := l.r.offset(last.End())
	l.edits = append(l.edits, edit{at, at, ", " + text})
}
