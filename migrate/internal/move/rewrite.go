package move

import (
	"bytes"
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

// wholeLines takes the lines out of which nothing is left, so that no blank ones stay.
func (r *reader) wholeLines(edits []edit) []edit {
	text := r.u.file.text
	for i, e := range edits {
		if e.text != "" || e.start == e.end {
			continue
		}
		start := bytes.LastIndexByte(text[:e.start], '\n') + 1
		length := bytes.IndexByte(text[e.end:], '\n') + 1
		alone := length > 0 && len(bytes.TrimSpace(text[start:e.start])) == 0 &&
			len(bytes.TrimSpace(text[e.end:e.end+length])) == 0
		shared := slices.ContainsFunc(edits, func(o edit) bool {
			return o != e && o.start < e.end+length && start <= o.end
		})
		if alone && !shared {
			edits[i].start, edits[i].end = start, e.end+length
		}
	}
	return edits
}

func (r *reader) offset(pos token.Pos) int { return r.p.fset.Position(pos).Offset }

func (r *reader) source(n ast.Node) string {
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
		if text, ok := r.mode.replace(n); ok {
			edits = append(edits, edit{r.offset(n.Pos()), r.offset(n.End()), text})
			return false
		}
		return true
	})
	return edits
}

// renderInside renders the parts of a node, but does not replace the node itself.
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

// block notes why the unit cannot move.
func (r *rewriter) block(n ast.Node, kind, text string, args ...any) (string, bool) {
	r.blocks++
	r.u.leave(n.Pos(), kind, fmt.Sprintf(text, args...))
	return r.source(n), true
}

// replace moves a node.
func (r *mover) replace(n ast.Node) (string, bool) {
	if text, ok := r.wrapError(n); ok {
		return text, true
	}
	if text, ok := r.pair(n); ok {
		return text, true
	}
	if e, ok := n.(ast.Expr); ok {
		if text, ok := r.printedLevel(e); ok {
			return text, true
		}
	}
	r.noteBoxed(n)
	switch n := n.(type) {
	case *ast.IfStmt:
		return "", r.dropped[n]
	case *ast.CallExpr:
		r.noteShown(n)
		if text, ok := r.testsNotFound(n); ok {
			return text, true
		}
		if text, ok := r.errorText(n); ok {
			return text, true
		}
		return r.call(n)
	case *ast.CompositeLit:
		return r.literalOfAny(n)
	case *ast.SelectorExpr:
		if text, ok := r.twinValue(n); ok {
			return text, true
		}
		return r.selector(n)
	case *ast.StarExpr:
		return r.star(n)
	case *ast.BinaryExpr:
		if text, ok := r.testsNotFound(n); ok {
			return text, true
		}
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
	case *ast.Ident:
		if text, ok := r.shownError(n); ok {
			return text, true
		}
		if text, ok := r.twinName(n); ok {
			return text, true
		}
		if text, ok := r.twinValue(n); ok {
			return text, true
		}
		if text, ok := r.embeddedName(n); ok {
			return text, true
		}
		if text, ok := r.keptName(n); ok {
			return text, true
		}
		if obj := r.oldObject(n); obj != nil {
			return r.qualifiedName(n, obj)
		}
	}
	return "", false
}

// embeddedName returns the new name of an embedded field of a client-go type.
func (r *mover) embeddedName(n *ast.Ident) (string, bool) {
	v, ok := r.info.Uses[n].(*types.Var)
	if !ok || !v.Embedded() || isOld(v) || oldName(v.Type()) != n.Name {
		return "", false
	}
	name := r.m.typeName(n.Name)
	if text := helperTypes[n.Name].name; text != "" {
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

// oldObject returns the object of client-go named by a qualified identifier, or nil.
func (r *reader) oldObject(n ast.Expr) types.Object {
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
func (r *mover) selector(n *ast.SelectorExpr) (string, bool) {
	if obj := r.oldObject(n); obj != nil {
		return r.qualifiedName(n, obj)
	}
	s := r.info.Selections[n]
	if s == nil {
		return "", false
	}
	if resp := r.responseOf(n); resp != nil {
		return r.httpField(n, resp)
	}
	if !isOld(s.Obj()) {
		return "", false
	}
	if s.Kind() != types.FieldVal {
		return r.methodValue(n, s)
	}
	return r.fieldOf(n, s)
}

func (r *mover) methodValue(n *ast.SelectorExpr, s *types.Selection) (string, bool) {
	if service := r.p.old.service(s.Recv()); service != "" {
		if text, ok := r.methodFunc(n, s, service); ok {
			return text, true
		}
		return r.block(n, "method value", "%s.%s is used as a value: write a function around the call",
			service, n.Sel.Name)
	}
	return r.block(n, "no counterpart", "%s has no counterpart", n.Sel.Name)
}

// qualifiedName rewrites a type, a constant, a variable, or a function that is not
// called.
func (r *mover) qualifiedName(n ast.Expr, obj types.Object) (string, bool) {
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
		if text, ok := r.tokenKind(obj); ok {
			return text, true
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

// use notes the package that a text needs.
func (r *rewriter) use(text string) string {
	text = r.useWide(text)
	switch {
	case strings.Contains(text, "webhook.") && r.isTaken("webhook"):
		// The file or its package already uses the name.
		r.imports[webhookImport] = true
		return strings.ReplaceAll(text, "webhook.", "servicehook.")
	case strings.Contains(text, "webhook."):
		r.imports["example.com/serviceapi/webhook"] = true
	case strings.Contains(text, "serviceapi."):
		r.imports["example.com/serviceapi"] = true
	}
	return text
}

// isTaken reports whether a file or its package already uses a name.
func (r *reader) isTaken(name string) bool {
	return r.u.file.names()[name] || r.u.file.pack.src.Types.Scope().Lookup(name) != nil
}

// names returns the names that a file uses.
func (f *file) names() map[string]bool {
	if f.used == nil {
		f.used = map[string]bool{}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				f.used[id.Name] = true
			}
			return true
		})
	}
	return f.used
}

// webhookImport imports package webhook under another name.
const webhookImport = `servicehook "example.com/serviceapi/webhook`

func (r *mover) typeOf(n ast.Expr, obj *types.TypeName) (string, bool) {
	name := obj.Name()
	if service := r.p.old.service(obj.Type()); service != "" {
		return r.serviceType(n, obj, service)
	}
	if name == "ClientOptionFunc" {
		return r.help("clientOption"), true
	}
	if t := helperTypes[name]; t.name != "" {
		r.help(t.helper)
		return r.free(t.name), true
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
	if named := namedOf(obj.Type()); obj.IsAlias() && named != nil && isOld(named.Obj()) && named.Obj() != obj {
		return r.typeOf(n, named.Obj())
	}
	return r.block(n, "no counterpart", "type %s has no counterpart", name)
}

// serviceType rewrites the type of a service, such as *JobsService.
func (r *mover) serviceType(n ast.Expr, obj *types.TypeName, service string) (string, bool) {
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

// serviceName returns the type that replaces a service of client-go, or "" if there is
// none.
func (r *reader) serviceName(service string) string {
	if r.p.whole[service] {
		return "Client"
	}
	field, _, _ := types.LookupFieldOrMethod(r.p.newType("Client"), true, r.p.library, r.newService(service))
	if field == nil {
		return ""
	}
	return namedOf(field.Type()).Obj().Name()
}

// newService returns the service of this library with most of the methods of a
// client-go service.
func (r *reader) newService(service string) string {
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

func (r *mover) constant(n ast.Expr, obj *types.Const) (string, bool) {
	if oldName(obj.Type()) == "GenericPackageSelectValue" {
		return obj.Val().ExactString(), true // for an option that is not set here
	}
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
