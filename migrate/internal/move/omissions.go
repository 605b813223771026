package move

import (
	"go/ast"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"example.com/serviceapi/migrate/internal/table"
)

// alsoRequired are fields that are required although the list of the API does not say so: there
// are exceptions.
var alsoRequired = map[fieldName]bool{{"CreateIssueOptions", "Title"}: true,
	{"CreateIssueLinkOptions", "Target"}: true}

// checkOmissions notes which fields of options are required here and may be empty, and leaves
// options that would send fields that the program does not set. It reports false for those.
func (l *literal) checkOmissions(extra []string) bool {
	to, ok := l.to.Underlying().(*types.Struct)
	if !ok || l.from == nil || !isOption(l.from) {
		return true
	}
	var missing, open, sent []string
	whole := false // the zero values replace what was there
	for i := range to.NumFields() {
		f, tag := to.Field(i), reflect.StructTag(to.Tag(i))
		required := tag.Get("required") == "true" || alsoRequired[fieldName{l.to.Obj().Name(), f.Name()}]
		always := tag.Get("sent") == "always"
		if !required && !always || l.isAdded(extra, f.Name()) {
			continue
		}
		values := l.valuesOf(f.Name())
		switch {
		case !required && len(values) == 0 && changes(f.Type()):
			sent = append(sent, f.Name())
			whole = !strings.Contains(l.to.Obj().Name(), "Create") && !strings.Contains(l.to.Obj().Name(), "Options")
		case !required:
			l.noteZero(f, values)
		case len(values) == 0:
			missing = append(missing, f.Name())
		case slices.ContainsFunc(values, func(v ast.Expr) bool { return !l.r.isFilled(l.r.plain(v)) }):
			open = append(open, f.Name())
		}
	}
	if text := l.to.Obj().Name() + " always sends " + strings.Join(sent, " and ") + ", which is not set"; whole {
		l.r.block(l.node, "literal", "%s", text)
		return false
	} else if len(sent) > 0 {
		l.r.note(l.node, "literal", text)
	}
	if len(missing) > 0 {
		l.r.note(l.node, "refused", strings.Join(missing, " and ")+" of "+l.to.Obj().Name()+
			" must be set: without it, the call is refused before anything is sent")
	}
	l.r.mayBeEmpty(l.node, l.to.Obj().Name(), open)
	return true
}

// noteZero notes that a field is sent even if the pointers that it is set to are nil.
func (l *literal) noteZero(f *types.Var, values []ast.Expr) {
	for _, value := range values {
		if !l.r.isSet(value) && changes(f.Type()) {
			l.r.note(value, "null", f.Name()+" is sent as the zero value if it is nil: client-go leaves it out then")
			return
		}
	}
}

// noteMissing notes that a call without options lacks fields that are required here.
func (c *newCall) noteMissing(value ast.Expr, want types.Type, given []table.FieldArg) {
	to := fieldsOf(want)
	for i := 0; value != nil && to != nil && i < to.NumFields(); i++ {
		name := to.Field(i).Name()
		isGiven := slices.ContainsFunc(given, func(f table.FieldArg) bool { return f.Name == name })
		if reflect.StructTag(to.Tag(i)).Get("required") == "true" && !isGiven {
			c.r.note(value, "refused", name+" must be set: without it, the call is refused before anything is sent")
		}
	}
}

// declaresOptions notes what is required of options that are declared without a literal.
func (r *mover) declaresOptions(n ast.Expr) {
	from, ok := types.Unalias(r.info.TypeOf(n)).(*types.Named)
	if !ok || !isOld(from.Obj()) || !isOption(from) {
		return
	}
	if to := r.p.newType(r.m.typeName(from.Obj().Name())); to != nil {
		empty := &ast.CompositeLit{Lbrace: n.Pos(), Rbrace: n.Pos()}
		(&literal{r: r, node: empty, from: from, to: to}).checkOmissions(nil)
	}
}

// changes reports whether a field that is always sent changes something by its zero value: null
// means the same as nothing.
func changes(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Info()&types.IsString == 0
	case *types.Slice:
		return !isBytes(t)
	}
	return false
}

// isAdded reports whether an argument of the call becomes a field.
func (l *literal) isAdded(extra []string, name string) bool {
	return slices.ContainsFunc(slices.Concat(extra, l.hoisted), func(text string) bool {
		return strings.HasPrefix(text, name+":")
	})
}

// valuesOf returns what the literal sets a field of this library to, and what the function assigns
// to it elsewhere.
func (l *literal) valuesOf(name string) []ast.Expr {
	var values []ast.Expr
	for _, e := range l.node.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok || idOf(kv.Key) == nil {
			continue
		}
		if f, ok := l.fieldOf(idName(kv.Key)); ok && (f.Name() == name || strings.HasPrefix(f.Name(), name+".")) {
			values = append(values, kv.Value)
		}
	}
	if len(values) > 0 || l.isArgument() {
		return values
	}
	ast.Inspect(l.r.u.node, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != len(a.Rhs) {
			return true
		}
		for i, left := range a.Lhs {
			sel, ok := left.(*ast.SelectorExpr)
			if !ok || l.r.info.Selections[sel] == nil || owner(l.r.info.Selections[sel]) != l.from {
				continue
			}
			if f, ok := l.fieldOf(sel.Sel.Name); ok && f.Name() == name {
				values = append(values, a.Rhs[i])
			}
		}
		return true
	})
	return values
}

// isArgument reports whether the literal stands in a call, or within one that does.
func (l *literal) isArgument() bool {
	var n ast.Node = l.node
	for {
		switch parent := l.r.parents[n].(type) {
		case *ast.UnaryExpr, *ast.ParenExpr, *ast.KeyValueExpr, *ast.CompositeLit:
			n = parent
		case *ast.CallExpr:
			name, _ := l.r.serviceMethod(parent)
			return name != ""
		default:
			return false
		}
	}
}

// mayBeEmpty notes that calls are refused if a field is empty: one line for each function.
func (r *rewriter) mayBeEmpty(n ast.Node, owner string, fields []string) {
	for _, field := range fields {
		field = owner + "." + field
		at := slices.IndexFunc(r.u.notes, func(note Note) bool { return strings.HasPrefix(note.Text, emptyFields) })
		if at < 0 {
			r.note(n, "refused", emptyFields+field)
		} else if text := r.u.notes[at].Text; !slices.Contains(strings.Split(text[len(emptyFields):], ", "), field) {
			r.u.notes[at].Text = text + ", " + field
		}
	}
}

const emptyFields = "if it is empty, a call is refused before anything is sent: "

// sendNull sends null for a list that is nil, as client-go does for a pointer to one.
func (l *literal) sendNull(kv *ast.KeyValueExpr, field *types.Var) {
	list := l.r.pointed(kv.Value)
	if !l.r.isOpenList(kv.Value, field.Type()) || !isOption(l.from) {
		return
	}
	fields, _ := l.from.Underlying().(*types.Struct)
	wire := ""
	for i := range fields.NumFields() {
		if fields.Field(i).Name() == idName(kv.Key) {
			wire, _, _ = strings.Cut(reflect.StructTag(fields.Tag(i)).Get("json"), ",")
		}
	}
	if wire == "" || wire == "-" {
		return
	}
	top := l.r.unknown != nil && l.r.unknown.lit == l.node
	if top && l.r.unknown.isQuery || isQuery(l.from) {
		return
	}
	if list == nil || !top {
		l.r.noteNull(kv, idName(kv.Key))
		return
	}
	l.r.use("serviceapi.")
	l.r.unknown.options = append(l.r.unknown.options,
		l.r.help("orNull")+"("+strconv.Quote(wire)+", "+l.r.render(list)+")")
}

// isQuery reports whether options of client-go are sent as a query.
func isQuery(from *types.Named) bool {
	fields := fieldsOf(from)
	return fields != nil && structField(fields, "ListOptions") != nil || strings.HasPrefix(from.Obj().Name(), "List") ||
		strings.HasPrefix(from.Obj().Name(), "Get") || strings.HasPrefix(from.Obj().Name(), "Search")
}

// isOpenList reports whether a value is a pointer to a list that may be nil, and a list here.
func (r *mover) isOpenList(value ast.Expr, now types.Type) bool {
	pointer, ok := r.info.TypeOf(value).Underlying().(*types.Pointer)
	if !ok || isNil(r.info, value) {
		return false
	}
	_, wasList := pointer.Elem().Underlying().(*types.Slice)
	_, isList := now.Underlying().(*types.Slice)
	list := r.pointed(value)
	return wasList && isList && !(list != nil && r.isList(list))
}

// isList reports whether a list is certainly not nil.
func (r *reader) isList(n ast.Expr) bool {
	switch n := ast.Unparen(n).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		if r.info.Types[n.Fun].IsType() && len(n.Args) == 1 {
			return r.isList(n.Args[0])
		}
		return idName(n.Fun) == "make" || idName(n.Fun) == "append" && len(n.Args) > 1 && !n.Ellipsis.IsValid()
	case *ast.Ident:
		v := r.info.Uses[n]
		set, nilled := false, false
		ast.Inspect(r.u.node, func(node ast.Node) bool {
			a, ok := node.(*ast.AssignStmt)
			if !ok || v == nil || len(a.Lhs) != len(a.Rhs) {
				return true
			}
			for i, left := range a.Lhs {
				id := idOf(left)
				switch {
				case id == nil || r.info.ObjectOf(id) != v:
				case r.info.Defs[id] == v:
					set = r.isList(a.Rhs[i])
				default:
					call, ok := ast.Unparen(a.Rhs[i]).(*ast.CallExpr)
					nilled = nilled || !(ok && idName(call.Fun) == "append") && !r.isList(a.Rhs[i])
				}
			}
			return true
		})
		return set && !nilled
	}
	return false
}

// noteReference notes that an option which refers to something is refused if that is 0 or empty, where
// client-go sends it.
func (r *mover) noteReference(value ast.Expr, to *types.Named, field *types.Var) {
	if _, refers := makersOf[newName(field.Type())]; refers && !isNil(r.info, value) && !r.isFilled(r.plain(value)) {
		r.mayBeEmpty(value, to.Obj().Name(), []string{field.Name()})
	}
}

func (r *rewriter) noteNull(n ast.Node, field string) {
	r.note(n, "null", field+" is left out if the list is nil: client-go sends null for a pointer to it")
}

// noteRenamed notes that an option is sent by another of its names. The service takes both, but a
// server of a test may not.
func (r *rewriter) noteRenamed(n ast.Node, from, to *types.Named, old, now string) {
	before, after := wireOf(fieldsOf(from), old), wireOf(fieldsOf(to), now)
	if isOption(from) && before != "" && after != "" && before != after {
		r.note(n, "field", old+" is sent as "+after+", which means the same: client-go sends "+before)
	}
}
