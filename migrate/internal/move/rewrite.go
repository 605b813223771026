package move

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// An edit replaces a part of a text.
type edit struct {
	start, end int
	text       string
}

// apply makes edits that do not overlap.
func apply(text string, edits []edit) string {
	slices.SortStableFunc(edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end))
	})
	var out strings.Builder
	at := 0
	for _, e := range edits {
		if e.start < at {
			continue
		}
		out.WriteString(text[at:e.start])
		out.WriteString(e.text)
		at = e.end
	}
	out.WriteString(text[at:])
	return out.String()
}

// A rewriter rewrites one unit.
type rewriter struct {
	p       *program
	m       *mapping
	u       *unit
	info    *types.Info
	parents map[ast.Node]ast.Node
	imports map[string]bool // what the new text imports
	helpers map[string]bool // functions of helpers.go that it uses
	extra   map[*ast.CompositeLit][]string
	dropped map[ast.Node]bool // statements and elements that another edit replaces

	inline map[types.Object]*ast.CompositeLit // options that are written into their call

	pairOnly bool // the unit is left: only clients that exist twice are handed on
	isCopy   bool // the unit is left: what is rewritten is its twin
	keeps    bool // a client that exists twice is that of client-go
	blocks   int  // what could not be rewritten

	viaClient bool           // services are reached through the client
	unknown   *unknownFields // of the options of the call that is rewritten

	made     map[ast.Node]string // text of nodes that are not in the program
	unpaired bool                // a client that exists twice cannot be handed on
}

func (p *program) rewriter(m *mapping, u *unit) *rewriter {
	r := &rewriter{p: p, m: m, u: u, info: u.info, parents: map[ast.Node]ast.Node{},
		imports: map[string]bool{}, helpers: map[string]bool{},
		extra: map[*ast.CompositeLit][]string{}, dropped: map[ast.Node]bool{}}
	var stack []ast.Node
	ast.Inspect(u.node, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if len(stack) > 0 {
			r.parents[n] = stack[len(stack)-1]
		}
		stack = append(stack, n)
		return true
	})
	r.findInline()
	return r
}

func (r *rewriter) offset(pos token.Pos) int { return r.p.fset.Position(pos).Offset }

func (r *rewriter) source(n ast.Node) string {
	return string(r.u.file.text[r.offset(n.Pos()):r.offset(n.End())])
}

// render returns the new text of a node.
func (r *rewriter) render(n ast.Node) string {
	if text, ok := r.made[n]; ok {
		return text
	}
	start := r.offset(n.Pos())
	edits := r.edits(n)
	for i := range edits {
		edits[i].start -= start
		edits[i].end -= start
	}
	return apply(r.source(n), edits)
}

// edits returns what changes in a node, by offsets in the file.
func (r *rewriter) edits(n ast.Node) []edit {
	var edits []edit
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil {
			return false
		}
		if text, ok := r.replace(n); ok {
			edits = append(edits, edit{r.offset(n.Pos()), r.offset(n.End()), text})
			return false
		}
		return true
	})
	return edits
}

// renderInside renders a node without replacing itself.
func (r *rewriter) renderInside(n ast.Node, more ...edit) string {
	start := r.offset(n.Pos())
	edits := more
	for _, child := range children(n) {
		if !slices.ContainsFunc(more, func(e edit) bool {
			return e.start <= r.offset(child.Pos()) && r.offset(child.End()) <= e.end
		}) {
			edits = append(edits, r.edits(child)...)
		}
	}
	for i := range edits {
		edits[i].start -= start
		edits[i].end -= start
	}
	return apply(r.source(n), edits)
}

func children(n ast.Node) []ast.Node {
	var list []ast.Node
	ast.Inspect(n, func(c ast.Node) bool {
		if c == n {
			return true
		}
		if c != nil {
			list = append(list, c)
		}
		return false
	})
	return list
}

// block notes why the unit cannot be moved.
func (r *rewriter) block(n ast.Node, kind, text string, args ...any) (string, bool) {
	r.blocks++
	r.u.leave(n.Pos(), kind, fmt.Sprintf(text, args...))
	return r.source(n), true
}

// replace returns what a node becomes, and false if only parts of it may change.
func (r *rewriter) replace(n ast.Node) (string, bool) {
	if text, ok := r.pair(n); ok || r.pairOnly {
		return text, ok
	}
	switch n := n.(type) {
	case *ast.CallExpr:
		return r.call(n)
	case *ast.CompositeLit:
		return r.compositeLit(n)
	case *ast.SelectorExpr:
		if text, ok := r.twinValue(n); ok {
			return text, true
		}
		return r.selector(n)
	case *ast.StarExpr:
		return r.star(n)
	case *ast.BinaryExpr:
		return r.binary(n)
	case *ast.TypeAssertExpr:
		return r.typeAssert(n)
	case *ast.UnaryExpr:
		return r.unary(n)
	case *ast.AssignStmt:
		return r.assign(n)
	case *ast.ExprStmt:
		return r.exprStmt(n)
	case *ast.DeferStmt:
		return r.deferStmt(n)
	case *ast.ForStmt:
		return r.loop(n)
	case *ast.TypeSwitchStmt:
		return r.typeSwitch(n)
	case *ast.Field:
		return r.field(n)
	case *ast.Ident:
		if text, ok := r.twinName(n); ok {
			return text, true
		}
		if text, ok := r.twinValue(n); ok {
			return text, true
		}
		if text, ok := r.embeddedName(n); ok {
			return text, true
		}
		if obj := r.oldObject(n); obj != nil {
			return r.qualifiedName(n, obj)
		}
	}
	return "", false
}

// embeddedName returns the new name of a field that embeds a type of client-go: it is named
// after its type.
func (r *rewriter) embeddedName(n *ast.Ident) (string, bool) {
	v, ok := r.info.Uses[n].(*types.Var)
	if !ok || !v.Embedded() || isOld(v) || oldName(v.Type()) != n.Name {
		return "", false
	}
	name := r.m.typeName(n.Name)
	if text := sourceTypes[n.Name]; text != "" {
		name = text
	} else if text := special[n.Name]; text != "" {
		name = text
	} else if key := r.p.slots.object(v.Origin()); key != nil {
		if now := r.p.slots.typeAt(key, n.Name); now != "" {
			name = now
		}
	}
	if service := r.p.old.service(v.Type()); service != "" {
		name = r.serviceName(service)
	}
	name = name[strings.LastIndexByte(name, '.')+1:]
	return name, name != "" && name != n.Name
}

// oldObject returns the object of client-go that a qualified identifier names, or nil.
func (r *rewriter) oldObject(n ast.Expr) types.Object {
	switch n := n.(type) {
	case *ast.Ident: // with a dot import
		if obj := r.info.Uses[n]; isOld(obj) && obj.Parent() == obj.Pkg().Scope() {
			return obj
		}
	case *ast.ParenExpr:
		return r.oldObject(n.X)
	case *ast.IndexExpr:
		return r.oldObject(n.X)
	case *ast.IndexListExpr:
		return r.oldObject(n.X)
	case *ast.SelectorExpr:
		if _, isName := r.info.Uses[idOf(n.X)].(*types.PkgName); isName {
			if obj := r.info.Uses[n.Sel]; isOld(obj) {
				return obj
			}
		}
	}
	return nil
}

func idOf(n ast.Expr) *ast.Ident {
	id, _ := n.(*ast.Ident)
	return id
}

// selector rewrites a qualified identifier or a field.
func (r *rewriter) selector(n *ast.SelectorExpr) (string, bool) {
	if obj := r.oldObject(n); obj != nil {
		return r.qualifiedName(n, obj)
	}
	s := r.info.Selections[n]
	if s == nil {
		return "", false
	}
	if oldName(s.Recv()) == "Response" && !isOld(s.Obj()) {
		return r.httpField(n, n.Sel.Name)
	}
	if !isOld(s.Obj()) {
		return "", false
	}
	if s.Kind() != types.FieldVal {
		return r.methodValue(n, s)
	}
	return r.fieldOf(n, s)
}

func (r *rewriter) methodValue(n *ast.SelectorExpr, s *types.Selection) (string, bool) {
	if service := r.p.old.service(s.Recv()); service != "" {
		if text, ok := r.methodFunc(n, s, service); ok {
			return text, true
		}
		return r.block(n, "method value", "%s.%s is used as a value: write a function around the call",
			service, n.Sel.Name)
	}
	return r.block(n, "no counterpart", "%s has no counterpart", n.Sel.Name)
}

// qualifiedName rewrites a type, a constant, a variable or a function that is no call.
func (r *rewriter) qualifiedName(n ast.Expr, obj types.Object) (string, bool) {
	switch obj := obj.(type) {
	case *types.TypeName:
		return r.typeOf(n, obj)
	case *types.Const:
		switch obj.Name() {
		case "UserIDAny":
			return r.use("serviceapi.AnyUser"), true
		case "UserIDNone":
			return r.use("serviceapi.NoUser"), true
		}
		return r.constant(n, obj)
	case *types.Var:
		if c := r.p.table.Constant(obj.Name()); c != nil && c.New != "" {
			return r.use(qualified(c.New)), true
		}
		if obj.Name() == "ErrNotFound" {
			return "serviceapi.ErrNotFound", true
		}
	case *types.Func:
		return r.block(n, "function value", "%s is used as a value: write a function around the call", obj.Name())
	}
	return r.block(n, "no counterpart", "%s has no counterpart", obj.Name())
}

// use notes which package a text needs.
func (r *rewriter) use(text string) string {
	switch {
	case strings.Contains(text, "webhook.") && r.isTaken("webhook"):
		// The file has something else of that name.
		r.imports[webhookImport] = true
		return strings.ReplaceAll(text, "webhook.", "servicehook.")
	case strings.Contains(text, "webhook."):
		r.imports["example.com/serviceapi/webhook"] = true
	case strings.Contains(text, "serviceapi."):
		r.imports["example.com/serviceapi"] = true
	}
	return text
}

// isTaken reports whether a name means something in a file, or in its package.
func (r *rewriter) isTaken(name string) bool {
	return names(r.u.file.syntax, name) || r.u.file.pack.src.Types.Scope().Lookup(name) != nil
}

// webhookImport imports package webhook by another name.
const webhookImport = `servicehook "example.com/serviceapi/webhook`

func (r *rewriter) typeOf(n ast.Expr, obj *types.TypeName) (string, bool) {
	name := obj.Name()
	if service := r.p.old.service(obj.Type()); service != "" {
		return r.serviceType(n, obj, service)
	}
	if name == "ClientOptionFunc" {
		r.helpers["clientOption"] = true
		return "clientOption", true
	}
	if text := sourceTypes[name]; text != "" {
		r.helpers["authSource"] = true
		return text, true
	}
	if override := r.override(n, name); override != "" {
		return r.use(qualified(override)), true
	}
	if text := special[name]; text != "" {
		return r.use(text), true
	}
	for _, t := range r.p.table.Type(name) {
		if t.New == "" {
			return r.block(n, "no counterpart", "%s: %s", name, t.ByHand)
		}
	}
	if text, ok := r.m.typeText(name); ok {
		return r.use(text), true
	}
	return r.block(n, "no counterpart", "type %s has no counterpart", name)
}

// serviceType rewrites the type of a service, such as *JobsService.
func (r *rewriter) serviceType(n ast.Expr, obj *types.TypeName, service string) (string, bool) {
	now := r.newService(service)
	if now == "" {
		return r.block(n, "no counterpart", "%s has no counterpart", service)
	}
	text := "serviceapi." + r.serviceName(service)
	if text == "serviceapi." {
		return r.block(n, "no counterpart", "%s has no counterpart", service)
	}
	if _, isInterface := obj.Type().Underlying().(*types.Interface); isInterface {
		text = "*" + text
	}
	return r.use(text), true
}

// serviceName returns the type that replaces a service of client-go, "" if there is none.
func (r *rewriter) serviceName(service string) string {
	if r.p.whole[service] {
		return "Client"
	}
	field, _, _ := types.LookupFieldOrMethod(r.p.newType("Client"), true, r.p.library, r.newService(service))
	if field == nil {
		return ""
	}
	return namedOf(field.Type()).Obj().Name()
}

// newService returns the service of this library that has most methods of one of
// client-go.
func (r *rewriter) newService(service string) string {
	count := map[string]int{}
	best := ""
	for i := range r.p.table.Methods {
		if m := &r.p.table.Methods[i]; m.Service() == service && m.New != "" {
			count[m.NewService()]++
			if count[m.NewService()] > count[best] {
				best = m.NewService()
			}
		}
	}
	return best
}

func (r *rewriter) constant(n ast.Expr, obj *types.Const) (string, bool) {
	if c := r.p.table.Constant(obj.Name()); c != nil {
		if c.New == "" {
			return r.block(n, "no counterpart", "%s: %s", obj.Name(), c.ByHand)
		}
		return r.use(qualified(c.New)), true
	}
	name := oldName(obj.Type())
	if name == "" {
		return r.block(n, "no counterpart", "%s has no counterpart", obj.Name())
	}
	now := r.p.newType(r.m.typeName(name))
	if text, ok := special[name]; ok {
		now = r.p.newType(text)
	}
	if now == nil {
		return r.block(n, "no counterpart", "%s has no counterpart", obj.Name())
	}
	return r.use(constantOf(now, obj.Val().ExactString())), true
}

// constantOf returns the constant of a type with a value, or a conversion.
func constantOf(t *types.Named, value string) string {
	pkg := t.Obj().Pkg()
	for _, name := range pkg.Scope().Names() {
		if c, ok := pkg.Scope().Lookup(name).(*types.Const); ok && types.Identical(c.Type(), t) &&
			c.Val().ExactString() == value {
			return pkg.Name() + "." + name
		}
	}
	return pkg.Name() + "." + t.Obj().Name() + "(" + value + ")"
}

// owner returns the type of client-go that declares the field of a selection.
func owner(s *types.Selection) *types.Named {
	t := s.Recv()
	var last *types.Named
	for _, i := range s.Index() {
		if last = namedOf(t); last == nil {
			return nil
		}
		fields, ok := last.Underlying().(*types.Struct)
		if !ok {
			return nil
		}
		t = fields.Field(i).Type()
	}
	return last
}

// fieldOf rewrites a field of a value of client-go.
func (r *rewriter) fieldOf(n *ast.SelectorExpr, s *types.Selection) (string, bool) {
	from := owner(s)
	if from == nil {
		return r.anonymousField(n, s)
	}
	if service := r.p.old.service(s.Obj().Type()); service != "" && from.Obj().Name() == "Client" {
		now := r.newService(service)
		if now == "" {
			return r.block(n, "no counterpart", "%s has no counterpart", service)
		}
		if r.p.whole[service] {
			return r.promotedText(n.X, s), true
		}
		return r.promotedText(n.X, s) + "." + now, true
	}
	switch from.Obj().Name() {
	case "Response":
		return r.responseField(n, s.Obj().Name())
	case "ErrorResponse":
		return r.errorField(n, s.Obj().Name())
	}
	if v, ok := s.Obj().(*types.Var); ok && v.Embedded() && oldName(v.Type()) != "" {
		if _, ok := r.parents[n].(*ast.SelectorExpr); ok {
			return r.render(n.X), true // the fields are those of the whole here
		}
		if r.isWhole(n) {
			whole := r.m.typeName(oldName(s.Recv()))
			to := r.m.typeName(v.Name())
			r.helpers["copy "+whole+" "+to] = true
			if _, isPointer := s.Recv().Underlying().(*types.Pointer); isPointer {
				return copierName(whole, to) + "(*" + r.render(n.X) + ")", true
			}
			return copierName(whole, to) + "(" + r.render(n.X) + ")", true
		}
	}
	to, _ := r.newField(n.X, from, s.Obj().Name())
	if to == nil {
		if text, ok := r.otherField(n, s, from); ok {
			return text, true
		}
		return r.block(n, "field", "%s.%s has no counterpart", from.Obj().Name(), s.Obj().Name())
	}
	text := r.render(n.X) + "." + to.Name()
	return r.shape(n, text, s.Obj().Type(), to.Type()), true
}

// otherField rewrites a field without a counterpart that is a member of an object of several
// kinds, which wraps what has no wrapper here, or which the service never sends.
func (r *rewriter) otherField(n *ast.SelectorExpr, s *types.Selection, from *types.Named) (string, bool) {
	if sel, ok := ast.Unparen(n.X).(*ast.SelectorExpr); ok {
		if text, ok := r.rawMember(n, sel, from); ok {
			return text, true
		}
	}
	if parent, ok := r.parents[n].(*ast.SelectorExpr); ok {
		if now := r.p.newType(r.m.typeName(from.Obj().Name())); now != nil {
			fields, isStruct := now.Underlying().(*types.Struct)
			if isStruct && structField(fields, parent.Sel.Name) != nil {
				return r.render(n.X), true
			}
		}
	}
	if basic, ok := s.Obj().Type().Underlying().(*types.Basic); ok && !r.isTarget(n) &&
		r.m.needless(from.Obj().Name(), "", s.Obj().Name()) {
		switch {
		case basic.Info()&types.IsString != 0:
			return `""`, true
		case basic.Info()&types.IsBoolean != 0:
			return "false", true
		}
	}
	return "", false
}

// rawMember rewrites a member of an object that is raw JSON here.
func (r *rewriter) rawMember(n, x *ast.SelectorExpr, from *types.Named) (string, bool) {
	s := r.info.Selections[x]
	t := r.info.TypeOf(n)
	if s == nil || !isOld(s.Obj()) || involves(t) || r.isTarget(n) {
		return "", false
	}
	outer := owner(s)
	fields, ok := from.Underlying().(*types.Struct)
	if outer == nil || !ok {
		return "", false
	}
	f, _ := r.newField(x.X, outer, x.Sel.Name)
	if f == nil || types.TypeString(f.Type(), nil) != "encoding/json.RawMessage" {
		return "", false
	}
	for i := range fields.NumFields() {
		if wire := wireName(fields.Tag(i)); fields.Field(i).Name() == n.Sel.Name && wire != "" {
			r.helpers["memberOf"] = true
			return fmt.Sprintf("memberOf[%s](%s.%s, %q)", r.typeString(t), r.render(x.X), f.Name(), wire), true
		}
	}
	return "", false
}

// anonymousField rewrites a field of a struct without a name, such as the attributes of an
// event: what has it says which type it is here.
func (r *rewriter) anonymousField(n *ast.SelectorExpr, s *types.Selection) (string, bool) {
	from, ok := deref(s.Recv()).Underlying().(*types.Struct)
	to, isStruct := r.newStruct(n.X)
	if !ok || !isStruct {
		return "", false
	}
	wire := ""
	for i := range from.NumFields() {
		if from.Field(i) == s.Obj() {
			wire = wireName(from.Tag(i))
		}
	}
	f := r.m.field("", "", n.Sel.Name, wire, to)
	if f == nil {
		return r.block(n, "field", "%s has no counterpart", r.source(n))
	}
	return r.shape(n, r.render(n.X)+"."+f.Name(), s.Obj().Type(), f.Type()), true
}

// newStruct returns the struct that an expression of client-go is here.
func (r *rewriter) newStruct(n ast.Expr) (*types.Struct, bool) {
	t := r.newTypeOf(n)
	if t == nil {
		return nil, false
	}
	to, ok := deref(t).Underlying().(*types.Struct)
	return to, ok
}

// newTypeOf returns the type that a value of client-go has here, nil if it is not known.
func (r *rewriter) newTypeOf(n ast.Expr) types.Type {
	n = ast.Unparen(n)
	if sel, ok := n.(*ast.SelectorExpr); ok {
		if s := r.info.Selections[sel]; s != nil && s.Kind() == types.FieldVal && isOld(s.Obj()) && owner(s) != nil {
			if f, _ := r.newField(sel.X, owner(s), sel.Sel.Name); f != nil {
				return f.Type()
			}
		}
	}
	if name := oldName(r.info.TypeOf(n)); name != "" {
		if override := r.override(n, name); override != "" {
			name = override
		} else {
			name = r.m.typeName(name)
		}
		if t := r.p.newType(name); t != nil {
			return t
		}
		return nil
	}
	switch n := n.(type) {
	case *ast.SelectorExpr:
		s := r.info.Selections[n]
		if s == nil || !isOld(s.Obj()) {
			return nil
		}
		if from := owner(s); from != nil {
			if f, _ := r.newField(n.X, from, n.Sel.Name); f != nil {
				return f.Type()
			}
			return nil
		}
		if to, ok := r.newStruct(n.X); ok {
			if f := r.m.field("", "", n.Sel.Name, "", to); f != nil {
				return f.Type()
			}
		}
	case *ast.IndexExpr:
		if t := r.newTypeOf(n.X); t != nil {
			if slice, ok := t.Underlying().(*types.Slice); ok {
				return slice.Elem()
			}
		}
	case *ast.StarExpr:
		return r.newTypeOf(n.X)
	}
	return nil
}

// newField returns the counterpart of a field, in the type that replaces its owner.
func (r *rewriter) newField(x ast.Expr, from *types.Named, name string) (*types.Var, string) {
	var names []string
	names = append(names, strings.TrimPrefix(special[from.Obj().Name()], "serviceapi."))
	names = append(names, r.m.typeName(from.Obj().Name()))
	for other := range r.m.derived[from.Obj().Name()] {
		names = append(names, other)
	}
	wire := ""
	if fields, ok := from.Underlying().(*types.Struct); ok {
		for i := range fields.NumFields() {
			if fields.Field(i).Name() == name {
				wire = wireName(fields.Tag(i))
			}
		}
	}
	if x != nil {
		if override := r.override(x, from.Obj().Name()); override != "" {
			names = []string{override}
		}
	}
	for _, now := range names {
		t := r.p.newType(now)
		if t == nil {
			continue
		}
		if to, ok := t.Underlying().(*types.Struct); ok {
			if f := r.m.field(from.Obj().Name(), now, name, wire, to); f != nil {
				return f, now
			}
			if f := r.m.pageField(to, name); f != nil {
				return f, now
			}
		}
	}
	return nil, ""
}

// shape gives the value of a field the form that the program expects where that matters
// for what it does: a value where there was one, a text where there is a secret.
func (r *rewriter) shape(n ast.Expr, text string, old, now types.Type) string {
	if r.isTarget(n) {
		return text
	}
	_, wasPointer := old.Underlying().(*types.Pointer)
	pointer, isPointer := now.Underlying().(*types.Pointer)
	switch {
	case oldName(old) == "Labels" && isLabelSummaries(now):
		r.helpers["labelNames"] = true
		return "labelNames(" + text + ")"
	case isSecret(now):
		return text + ".Reveal()"
	case isText(old) && makersOf[newName(now)] != [2]string{} && !isPointer && (!wasPointer || r.isDereferenced(n)):
		return text + ".String()"
	case isText(old) && !wasPointer && newName(now) == "Coverage":
		r.helpers["coverageText"] = true
		return "coverageText(" + text + ")"
	case !wasPointer && isPointer && !isNilable(old):
		if isSecret(pointer.Elem()) {
			r.helpers["valueOf"] = true
			return "valueOf(" + text + ").Reveal()"
		}
		r.helpers["valueOf"] = true
		return "valueOf(" + text + ")"
	}
	return text
}

// isText reports whether a type is a string, or a pointer to one.
func isText(t types.Type) bool { return isString(deref(t)) }

// isDereferenced reports whether what an expression points to is used.
func (r *rewriter) isDereferenced(n ast.Node) bool {
	for {
		switch parent := r.parents[n].(type) {
		case *ast.ParenExpr:
			n = parent
		case *ast.StarExpr:
			return true
		default:
			return false
		}
	}
}

// isLabelSummaries reports whether a type is that of the labels of a result.
func isLabelSummaries(t types.Type) bool {
	slice, ok := t.Underlying().(*types.Slice)
	return ok && newName(slice.Elem()) == "LabelSummary"
}

func isNilable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map, *types.Interface, *types.Pointer, *types.Signature, *types.Chan:
		return true
	}
	return false
}

func isSecret(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == "Secret" && named.Obj().Pkg() != nil &&
		named.Obj().Pkg().Path() == "example.com/serviceapi"
}

// isTarget reports whether an expression is assigned to, or its address is taken.
func (r *rewriter) isTarget(n ast.Expr) bool {
	switch parent := r.parents[n].(type) {
	case *ast.AssignStmt:
		return slices.Contains(parent.Lhs, n)
	case *ast.UnaryExpr:
		return parent.Op == token.AND
	case *ast.IncDecStmt:
		return true
	case *ast.SelectorExpr:
		return parent.X == n && r.isTarget(parent)
	}
	return false
}

// responseFields are the fields of a response that have other names here.
var responseFields = map[string]string{"StatusCode": "StatusCode", "Header": "Header", "NextPage": "NextPage",
	"TotalPages": "TotalPages", "TotalItems": "Total", "ItemsPerPage": "PerPage", "CurrentPage": "Page",
	"PreviousPage": "PrevPage", "NextLink": "NextPageToken"}

func (r *rewriter) responseField(n *ast.SelectorExpr, name string) (string, bool) {
	if now := responseFields[name]; now != "" {
		return r.render(n.X) + "." + now, true
	}
	if name == "Response" {
		if parent, ok := r.parents[n].(*ast.SelectorExpr); ok && responseFields[parent.Sel.Name] != "" {
			return r.render(n.X), true
		}
		if binary, ok := r.parents[n].(*ast.BinaryExpr); ok && isNil(r.info, binary.Y) {
			return r.render(n.X), true
		}
	}
	return r.block(n, "response", "the response has no %s here: see its fields", name)
}

// httpField rewrites a field of the embedded http.Response.
func (r *rewriter) httpField(n *ast.SelectorExpr, name string) (string, bool) {
	switch name {
	case "StatusCode", "Header":
		return r.render(n.X) + "." + name, true
	case "Status":
		r.imports["strconv"], r.imports["net/http"] = true, true
		x := r.render(n.X)
		return fmt.Sprintf("(strconv.Itoa(%s.StatusCode) + \" \" + http.StatusText(%s.StatusCode))", x, x), true
	}
	return r.block(n, "response", "the response has no %s here: it is already read", name)
}

func (r *rewriter) errorField(n *ast.SelectorExpr, name string) (string, bool) {
	x := r.render(n.X)
	switch name {
	case "Message", "Body":
		return x + "." + name, true
	case "Response":
		if parent, ok := r.parents[n].(*ast.SelectorExpr); ok && parent.Sel.Name == "StatusCode" {
			return x, true
		}
		if binary, ok := r.parents[n].(*ast.BinaryExpr); ok && isNil(r.info, binary.Y) {
			return x, true
		}
	}
	return r.block(n, "error", "an error has no %s here: see the fields of serviceapi.Error", name)
}

func isNil(info *types.Info, n ast.Expr) bool {
	id, ok := ast.Unparen(n).(*ast.Ident)
	if !ok {
		return false
	}
	_, ok = info.Uses[id].(*types.Nil)
	return ok
}
