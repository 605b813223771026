package move

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// pointers are the functions of client-go that return a pointer to their argument.
var pointers = map[string]string{"Ptr": "", "String": "string", "Bool": "bool", "Int": "int", "Int64": "int64",
	"Float64": "float64", "Time": "time.Time", "AccessLevel": "AccessLevelValue", "Visibility": "VisibilityValue",
	"BuildState": "BuildStateValue", "DeploymentStatus": "DeploymentStatusValue", "EventType": "EventTypeValue",
	"FileAction": "FileActionValue", "GenericPackageSelect": "GenericPackageSelectValue",
	"GenericPackageStatus": "GenericPackageStatusValue", "ISOTimePtr": "ISOTime", "LinkType": "LinkTypeValue",
	"MergeMethod": "MergeMethodValue", "NotificationLevel": "NotificationLevelValue",
	"ProjectCreationLevel": "ProjectCreationLevelValue", "SquashOption": "SquashOptionValue",
	"SubGroupCreationLevel": "SubGroupCreationLevelValue", "VariableType": "VariableTypeValue",
	"Labels": "LabelOptions", "AccessControl": "AccessControlValue", "Availability": "AvailabilityValue",
	"NoteType": "NoteTypeValue", "Todoaction": "TodoAction", "BoolValue": "bool", "ComplianceFrameworks": ""}

// pointed returns x for Ptr(x), String(x) and so on, and for &x; else nil.
func (r *rewriter) pointed(n ast.Expr) ast.Expr {
	switch n := ast.Unparen(n).(type) {
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			return n.X
		}
	case *ast.CallExpr:
		if obj := r.oldObject(n.Fun); obj != nil && len(n.Args) == 1 {
			if _, ok := pointers[obj.Name()]; ok {
				return n.Args[0]
			}
		}
	}
	return nil
}

// value renders an expression for a place of which the type is known. What differs
// beyond pointers is converted later.
func (r *rewriter) value(n ast.Expr, want types.Type) string {
	inner := r.pointed(n)
	if want == nil || inner == nil {
		if lit := literalOf(n); lit != nil && want != nil && inner == nil {
			if text, ok := r.anonymousLiteral(lit, want); ok {
				return text
			}
			if text, ok := r.literalFor(lit, want); ok {
				return text
			}
		}
		return r.render(n)
	}
	_, isCall := ast.Unparen(n).(*ast.CallExpr)
	if text := r.yesNo(inner, want); text != "" {
		return text
	}
	_, isPointer := want.Underlying().(*types.Pointer)
	if lit, ok := ast.Unparen(inner).(*ast.CompositeLit); ok {
		text, ok := r.literalFor(lit, want)
		if !ok {
			text = r.render(lit)
		}
		if isPointer {
			return "&" + strings.TrimPrefix(text, "&")
		}
		return text
	}
	switch {
	case isPointer && isCall:
		return "new(" + r.render(inner) + ")"
	case isPointer:
		return r.render(n)
	case newName(want) == "Nullable":
		return r.use("serviceapi.Value(") + r.render(inner) + ")"
	}
	return r.render(inner)
}

// anonymousLiteral renders a literal of a struct without a name, as the fields of some results
// have it in client-go.
func (r *rewriter) anonymousLiteral(lit *ast.CompositeLit, want types.Type) (string, bool) {
	if _, isStruct := lit.Type.(*ast.StructType); !isStruct {
		return "", false
	}
	named := namedOf(want)
	if named == nil || r.p.nameOf(named) == "" {
		return "", false
	}
	to, ok := named.Underlying().(*types.Struct)
	if !ok {
		return "", false
	}
	var fields []string
	for _, e := range lit.Elts {
		kv, keyed := e.(*ast.KeyValueExpr)
		if !keyed || idOf(kv.Key) == nil {
			return "", false
		}
		f := r.m.field("", "", idOf(kv.Key).Name, "", to)
		if f == nil {
			return "", false
		}
		fields = append(fields, f.Name()+": "+r.value(kv.Value, f.Type()))
	}
	text := r.use(qualified(r.p.nameOf(named))) + "{" + strings.Join(fields, ", ") + "}"
	if _, isPointer := want.Underlying().(*types.Pointer); isPointer {
		text = "&" + text
	}
	return text, true
}

// labelsOf rewrites (*LabelOptions)(&issue.Labels): options have the names of labels here, and
// results have labels.
func (r *rewriter) labelsOf(n *ast.CallExpr) (string, bool) {
	if name := oldName(r.info.TypeOf(n.Fun)); !r.info.Types[n.Fun].IsType() || len(n.Args) != 1 ||
		name != "LabelOptions" && name != "Labels" {
		return "", false
	}
	unary, ok := ast.Unparen(n.Args[0]).(*ast.UnaryExpr)
	if !ok || unary.Op != token.AND {
		return "", false
	}
	sel, ok := ast.Unparen(unary.X).(*ast.SelectorExpr)
	if !ok || oldName(r.info.TypeOf(sel)) != "Labels" || !isOld(r.info.Uses[sel.Sel]) {
		return "", false
	}
	if now := r.newTypeOf(sel); now == nil || !isLabelSummaries(now) {
		return "", false
	}
	return r.help("labelNames") + "(" + r.render(sel) + ")", true
}

// yesNo renders "yes" and "no" where the option is a *bool here, "" for everything else.
func (r *rewriter) yesNo(n ast.Expr, want types.Type) string {
	pointer, ok := want.Underlying().(*types.Pointer)
	if !ok || !types.Identical(pointer.Elem(), types.Typ[types.Bool]) || r.info.Types[n].Value == nil {
		return ""
	}
	switch r.info.Types[n].Value.ExactString() {
	case `"yes"`:
		return "new(true)"
	case `"no"`:
		return "new(false)"
	}
	return ""
}

// literalFor renders a literal of a struct or a slice for a type.
func (r *rewriter) literalFor(lit *ast.CompositeLit, want types.Type) (string, bool) {
	if lit.Type == nil {
		return "", false
	}
	t := want
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		t = pointer.Elem()
	}
	if !involves(r.info.TypeOf(lit)) {
		return "", false
	}
	_, fromStruct := r.info.TypeOf(lit).Underlying().(*types.Struct)
	if named, ok := types.Unalias(t).(*types.Named); ok && newName(t) != "" && fromStruct {
		if _, isStruct := named.Underlying().(*types.Struct); isStruct && newName(t) != "Nullable" {
			return r.literal(lit, named, nil)
		}
	}
	slice, ok := t.Underlying().(*types.Slice)
	if !ok || fromStruct {
		return "", false
	}
	elem := slice.Elem()
	var edits []edit
	edits = append(edits, edit{r.offset(lit.Type.Pos()), r.offset(lit.Type.End()),
		r.use(types.TypeString(t, types.RelativeTo(nil)))})
	edits[0].text = r.typeString(t)
	for _, e := range lit.Elts {
		text := ""
		if inner, ok := e.(*ast.CompositeLit); ok && inner.Type == nil {
			if named := namedOf(elem); named != nil && newName(elem) != "" {
				text, ok = r.literalBody(inner, named, nil)
				if !ok {
					return "", false
				}
			}
		} else {
			text = r.value(e, elem)
		}
		if text != "" {
			edits = append(edits, edit{r.offset(e.Pos()), r.offset(e.End()), text})
		}
	}
	start := r.offset(lit.Pos())
	for i := range edits {
		edits[i].start -= start
		edits[i].end -= start
	}
	return apply(r.source(lit), edits), true
}

// typeString writes a type as the program does.
func (r *rewriter) typeString(t types.Type) string {
	return r.use(types.TypeString(t, func(p *types.Package) string { return p.Name() }))
}

// compositeLit rewrites a literal of a struct of client-go.
func (r *rewriter) compositeLit(n *ast.CompositeLit) (string, bool) {
	name := oldName(r.info.TypeOf(n))
	if name == "" {
		return r.requestOptions(n)
	}
	if _, isStruct := r.info.TypeOf(n).Underlying().(*types.Struct); !isStruct {
		if _, isPointer := r.info.TypeOf(n).Underlying().(*types.Pointer); !isPointer {
			return "", false
		}
	}
	if sourceTypes[name] != "" {
		return "", false // its type and its fields are those of a helper
	}
	now := r.override(n, name)
	if now == "" {
		now = strings.TrimPrefix(special[name], "serviceapi.")
	}
	if now == "" {
		now = r.m.typeName(name)
	}
	t := r.p.newType(now)
	if t == nil {
		return r.block(n, "no counterpart", "type %s has no counterpart", name)
	}
	if inner := r.whole(n); inner != nil {
		return r.copyOf(inner, now), true
	}
	if n.Type == nil {
		return r.literalBody(n, t, nil)
	}
	return r.literal(n, t, nil)
}

// whole returns x for MergeRequest{BasicMergeRequest: x}: here these are two types without
// one in the other.
func (r *rewriter) whole(n *ast.CompositeLit) ast.Expr {
	if len(n.Elts) != 1 {
		return nil
	}
	kv, ok := n.Elts[0].(*ast.KeyValueExpr)
	if !ok || idName(kv.Key) != "Basic"+oldName(r.info.TypeOf(n)) {
		return nil
	}
	return kv.Value
}

// copyOf renders a copy of a value of another type with the same fields.
func (r *rewriter) copyOf(n ast.Expr, to string) string {
	from := r.m.typeName(oldName(r.info.TypeOf(n)))
	if override := r.override(n, oldName(r.info.TypeOf(n))); override != "" {
		from = override
	}
	r.helpers["copy "+from+" "+to] = true
	return r.free(copierName(from, to)) + "(" + r.render(n) + ")"
}

// literal renders a literal of a struct of client-go as one of another type, with more
// fields.
func (r *rewriter) literal(n *ast.CompositeLit, to *types.Named, extra []string) (string, bool) {
	if to == nil {
		return r.blocked(n, "no counterpart", "the options have no counterpart")
	}
	return r.literalBody(n, to, extra)
}

func (r *rewriter) literalBody(n *ast.CompositeLit, to *types.Named, extra []string) (string, bool) {
	l := &literal{r: r, node: n, to: to, from: namedOf(r.info.TypeOf(n)), inner: map[string][]string{}}
	extra = append(extra, r.extra[n]...)
	if !l.elements(n) {
		return r.source(n), false
	}
	extra = append(append(l.hoisted, l.structs()...), extra...)
	if len(l.pages) > 0 {
		extra = append([]string{"ListOptions: serviceapi.ListOptions{" + strings.Join(l.pages, ", ") + "}"}, extra...)
	}
	if n.Type != nil {
		pkg := to.Obj().Pkg().Name()
		l.edits = append(l.edits, edit{r.offset(n.Type.Pos()), r.offset(n.Type.End()),
			r.use(pkg + "." + to.Obj().Name())})
	}
	if len(extra) > 0 {
		l.insert(extra)
	}
	start := r.offset(n.Pos())
	for i := range l.edits {
		l.edits[i].start -= start
		l.edits[i].end -= start
	}
	return apply(r.source(n), l.edits), true
}

// A literal of a struct whose fields are rewritten one by one.
type literal struct {
	r       *rewriter
	node    *ast.CompositeLit
	from    *types.Named
	to      *types.Named
	edits   []edit
	hoisted []string
	pages   []string            // fields of the embedded ListOptions
	inner   map[string][]string // fields of structs in fields
	cut     bool                // the last element is left out
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

// positional gives an element without a name one.
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
		if l.r.isZero(kv.Value) || l.r.m.needless(l.from.Obj().Name(), l.to.Obj().Name(), key.Name) {
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
	l.edits = append(l.edits, edit{l.r.offset(key.Pos()), l.r.offset(key.End()), field.Name()},
		edit{l.r.offset(kv.Value.Pos()), l.r.offset(kv.Value.End()), l.r.value(kv.Value, field.Type())})
	return true
}

// flatten hoists the fields of an embedded struct, which are those of the whole here.
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
			texts = append(texts, to.Name()+": "+l.r.value(field.Value, to.Type()))
		} else if !l.r.isZero(field.Value) {
			return false
		}
	}
	l.hoisted = append(l.hoisted, texts...)
	l.drop(i)
	return true
}

// structs returns the structs that have fields which are in the options themselves in
// client-go.
func (l *literal) structs() []string {
	var texts []string
	to, _ := l.to.Underlying().(*types.Struct)
	for _, name := range slices.Sorted(maps.Keys(l.inner)) {
		t, address := structField(to, name).Type(), ""
		if _, ok := t.Underlying().(*types.Pointer); ok {
			address = "&"
		}
		text := l.r.use("serviceapi." + newName(t))
		texts = append(texts, name+": "+address+text+"{"+strings.Join(l.inner[name], ", ")+"}")
	}
	return texts
}

// errorStatus keeps the status of a response that an error is made of.
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

// responseStatus keeps the status and the header of a response that another one is made of.
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
	wire := ""
	if from, ok := l.from.Underlying().(*types.Struct); ok {
		for i := range from.NumFields() {
			if from.Field(i).Name() == name {
				wire = wireName(from.Tag(i))
			}
		}
	}
	f := l.r.m.field(l.from.Obj().Name(), l.to.Obj().Name(), name, wire, to)
	return f, f != nil
}

// drop removes an element, with the comma after it.
func (l *literal) drop(i int) {
	e := l.node.Elts[i]
	l.cut = i+1 == len(l.node.Elts)
	end := l.r.offset(l.node.Rbrace)
	if i+1 < len(l.node.Elts) {
		end = l.r.offset(l.node.Elts[i+1].Pos())
	} else if comma := strings.IndexByte(string(l.r.u.file.text[l.r.offset(e.End()):end]), ','); comma >= 0 {
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
	for _, e := range lit.Elts {
		field, ok := e.(*ast.KeyValueExpr)
		if !ok {
			l.r.block(lit, "literal", "the literal has no names of fields")
			return false
		}
		name := idOf(field.Key).Name
		if f, ok := inner.fieldOf(name); ok {
			fields = append(fields, f.Name()+": "+l.r.value(field.Value, f.Type()))
			continue
		}
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
		l.edits = append(l.edits, edit{l.r.offset(kv.Pos()), l.r.offset(kv.End()), strings.Join(fields, ", ")})
	case !embeds:
		l.r.block(kv, "field", "%s has no pages", l.to.Obj().Name())
		return false
	default:
		text := "serviceapi.ListOptions{" + strings.Join(fields, ", ") + "}"
		l.edits = append(l.edits, edit{l.r.offset(kv.Value.Pos()), l.r.offset(kv.Value.End()), text})
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
	last := n.Elts[len(n.Elts)-1]
	if l.r.p.fset.Position(n.Rbrace).Line > l.r.p.fset.Position(last.End()).Line {
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
