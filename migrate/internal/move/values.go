package move

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
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

// pointed returns x for Ptr(x), String(x) and so on, and for &x, or nil.
func (r *reader) pointed(n ast.Expr) ast.Expr {
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
		if r.makesPointer(n) {
			return n.Args[0]
		}
	}
	return nil
}

// pointerMakers are functions of other modules that return a pointer to their argument, without the
// major version in the path.
var pointerMakers = regexp.MustCompile(`^(k8s\.io/utils/ptr\.To|github\.com/samber/lo\.ToPtr|` +
	`k8s\.io/utils/pointer\.(String|Bool|Int|Int32|Int64|Float64|To|[A-Z]\w+Ptr)|` +
	`github\.com/aws/aws-sdk-go(-v2)?/aws\.(String|Bool|Int|Int64|Float64|Time)|` +
	`github\.com/google/go-github/v\d+/github\.(Ptr|String|Bool|Int|Int64)|github\.com/AlekSi/pointer\.To[A-Z]?\w*)$`)

// makesPointer reports whether a call returns a pointer to a copy of its argument, by a function of
// the program or one that is known.
func (r *reader) makesPointer(n *ast.CallExpr) bool {
	if len(n.Args) != 1 || n.Ellipsis.IsValid() {
		return false
	}
	f, ok := r.info.Uses[calledNameIn(n)].(*types.Func)
	if !ok || f.Pkg() == nil || f.Signature().Recv() != nil {
		return false
	}
	u := r.p.unitOf(f.Origin())
	if u == nil {
		return pointerMakers.MatchString(f.Pkg().Path() + "." + f.Name())
	}
	decl, ok := u.node.(*ast.FuncDecl)
	if !ok || decl.Body == nil || len(decl.Body.List) != 1 || f.Signature().Params().Len() != 1 {
		return false
	}
	result, ok := decl.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(result.Results) != 1 {
		return false
	}
	unary, ok := ast.Unparen(result.Results[0]).(*ast.UnaryExpr)
	id := (*ast.Ident)(nil)
	if ok && unary.Op == token.AND {
		id = idOf(unary.X)
	}
	return id != nil && u.info.Uses[id] == u.info.Defs[decl.Type.Params.List[0].Names[0]]
}

// calledNameIn returns the name of the called function, also of a generic one with its types.
func calledNameIn(n *ast.CallExpr) *ast.Ident {
	switch index := ast.Unparen(n.Fun).(type) {
	case *ast.IndexExpr:
		return calledName(&ast.CallExpr{Fun: index.X})
	case *ast.IndexListExpr:
		return calledName(&ast.CallExpr{Fun: index.X})
	}
	return calledName(n)
}

// value renders an expression for a place of a known type. The repairer converts what differs
// beyond pointers.
func (r *mover) value(n ast.Expr, want types.Type) string {
	if want != nil && newName(want) == "LabelNames" {
		return r.splitLabels(n)
	}
	if want != nil && isRaw(want) && isMapOfTexts(r.info.TypeOf(n)) {
		return r.help("jsonOf") + "(" + r.render(n) + ")"
	}
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
	if !isCall && types.IsInterface(want) {
		return r.render(n) // it may be filled
	}
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
		return r.use("serviceapi.Value(") + r.nullableValue(inner, want) + ")"
	}
	return r.render(inner)
}

// nullableValue renders the value of a Nullable, whose type says what the value is.
func (r *mover) nullableValue(n ast.Expr, want types.Type) string {
	named, ok := types.Unalias(want).(*types.Named)
	if !ok || named.TypeArgs().Len() != 1 {
		return r.render(n)
	}
	basic, ok := named.TypeArgs().At(0).(*types.Basic)
	have := r.info.TypeOf(n)
	if !ok || basic.Info()&types.IsInteger == 0 || have == nil || types.Identical(have, basic) {
		return r.render(n)
	}
	if number, ok := have.Underlying().(*types.Basic); !ok || number.Info()&types.IsInteger == 0 {
		return r.render(n)
	}
	if call, ok := ast.Unparen(n).(*ast.CallExpr); ok && r.info.Types[call.Fun].IsType() && len(call.Args) == 1 {
		n = call.Args[0]
	}
	isConstant := r.info.Types[n].Value != nil && basic.Kind() == types.Int
	if isConstant || types.Identical(r.info.TypeOf(n), basic) {
		return r.render(n)
	}
	return basic.Name() + "(" + r.render(n) + ")"
}

// anonymousLiteral renders a literal of a struct without a name, as the fields of some results
// have it in client-go.
func (r *mover) anonymousLiteral(lit *ast.CompositeLit, want types.Type) (string, bool) {
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

// labelsOf rewrites (*LabelOptions)(&issue.Labels): in this library, options have names
// of labels, and results have labels.
func (r *mover) labelsOf(n *ast.CallExpr) (string, bool) {
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

// yesNo renders "yes" and "no" where the option is a *bool here, or "" for everything
// else.
func (r *mover) yesNo(n ast.Expr, want types.Type) string {
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
func (r *mover) literalFor(lit *ast.CompositeLit, want types.Type) (string, bool) {
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
func (r *mover) compositeLit(n *ast.CompositeLit) (string, bool) {
	name := oldName(r.info.TypeOf(n))
	if name == "" {
		return r.optionList(n)
	}
	if _, isStruct := r.info.TypeOf(n).Underlying().(*types.Struct); !isStruct {
		if _, isPointer := r.info.TypeOf(n).Underlying().(*types.Pointer); !isPointer {
			return "", false
		}
	}
	if helperTypes[name].name != "" {
		return "", false // a helper has its type and its fields
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
	if inner := r.partOf(n); inner != nil && t == r.p.newType(r.m.typeName("Basic"+name)) {
		return r.value(inner, t), true // both are one type here
	}
	if n.Type == nil {
		return r.literalBody(n, t, nil)
	}
	return r.literal(n, t, nil)
}

// literal renders a literal of a struct of client-go as one of another type, with more
// fields.
func (r *mover) literal(n *ast.CompositeLit, to *types.Named, extra []string) (string, bool) {
	if to == nil {
		return r.blocked(n, "no counterpart", "the options have no counterpart")
	}
	return r.literalBody(n, to, extra)
}

func (r *mover) literalBody(n *ast.CompositeLit, to *types.Named, extra []string) (string, bool) {
	l := &literal{r: r, node: n, to: to, from: namedOf(r.info.TypeOf(n)), inner: map[string][]string{}}
	if !l.elements(n) {
		return r.source(n), false
	}
	if !l.checkOmissions(extra) {
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
