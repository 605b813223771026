package move

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// owner returns the type of client-go that declares a selected field.
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
func (r *mover) fieldOf(n *ast.SelectorExpr, s *types.Selection) (string, bool) {
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
	if helperTypes[from.Obj().Name()].name != "" {
		return "", false // the helper has the same fields
	}
	switch from.Obj().Name() {
	case "Response":
		return r.responseField(n, s.Obj().Name())
	case "ErrorResponse":
		return r.errorField(n, s.Obj().Name())
	}
	if v, ok := s.Obj().(*types.Var); ok && v.Embedded() && oldName(v.Type()) != "" {
		if _, ok := r.parents[n].(*ast.SelectorExpr); ok {
			return r.render(n.X), true // the whole has these fields here
		}
		if r.isWhole(n) {
			return r.part(n)
		}
	}
	if text, ok := r.keptField(n); ok {
		return text, true
	}
	if r.encodedField(n) != nil {
		return r.encoded(n)
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

// otherField rewrites a field without a counterpart: a member of raw JSON, a wrapper that this
// library does not have, or a field that the service never sends.
func (r *mover) otherField(n *ast.SelectorExpr, s *types.Selection, from *types.Named) (string, bool) {
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
	if basic, ok := s.Obj().Type().Underlying().(*types.Basic); ok && !r.isTarget(n) && !isOption(from) &&
		r.isNeverSent(n, from) {
		r.note(n, "field", r.p.nameOf(namedOf(r.newTypeOf(n.X)))+" has no "+s.Obj().Name()+
			": the service never sends it there")
		switch {
		case basic.Info()&types.IsString != 0:
			return `""`, true
		case basic.Info()&types.IsBoolean != 0:
			return "false", true
		case types.TypeString(s.Obj().Type(), nil) == basic.Name():
			return r.help("notSent") + "[" + basic.Name() + "]()", true
		}
	}
	return r.unsentField(n, s, from)
}

// isNeverSent reports whether the service never sends a field in the object that it is read from:
// the same type of client-go has it in others. The types of events have all that events have.
func (r *reader) isNeverSent(n *ast.SelectorExpr, from *types.Named) bool {
	now := namedOf(r.newTypeOf(n.X))
	return now != nil && r.p.nameOf(now) != "" && (r.m.needless(from.Obj().Name(), r.p.nameOf(now), n.Sel.Name) ||
		strings.HasPrefix(r.p.nameOf(now), "webhook.") && len(r.p.table.Type(from.Obj().Name())) > 1)
}

// unsentField rewrites a field that other calls return, but never this one.
func (r *mover) unsentField(n *ast.SelectorExpr, s *types.Selection, from *types.Named) (string, bool) {
	name := s.Obj().Name()
	here := r.override(n.X, from.Obj().Name())
	if known := r.fieldType(n.X); here == "" && known != nil {
		here = r.p.nameOf(known)
	}
	if here == "" || r.isTarget(n) {
		return "", false
	}
	for _, t := range r.p.table.Type(from.Obj().Name()) {
		now := r.p.newType(t.New)
		if t.New == "" || now == nil {
			continue
		}
		to, ok := now.Underlying().(*types.Struct)
		if !ok {
			continue
		}
		f := r.m.field(from.Obj().Name(), t.New, name, "", to)
		if f == nil || isPointer(f.Type()) != isPointer(s.Obj().Type()) {
			continue
		}
		text := r.typeString(s.Obj().Type())
		if involves(s.Obj().Type()) {
			text = types.TypeString(f.Type(), func(p *types.Package) string { return p.Name() })
		}
		r.note(n, "field", here+" has no "+name+": the service never sent it there")
		return r.help("notSent") + "[" + r.use(text) + "]()", true
	}
	return "", false
}

// isRaw reports whether a type is JSON as the service sent it.
func isRaw(t types.Type) bool { return types.TypeString(t, nil) == "encoding/json.RawMessage" }

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// rawMember rewrites a member of an object that is raw JSON here.
func (r *mover) rawMember(n, x *ast.SelectorExpr, from *types.Named) (string, bool) {
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
	if f == nil || !isRaw(f.Type()) {
		return "", false
	}
	for i := range fields.NumFields() {
		if wire := wireName(fields.Tag(i)); fields.Field(i).Name() == n.Sel.Name && wire != "" {
			return fmt.Sprintf("%s[%s](%s.%s, %q)",
				r.help("memberOf"), r.typeString(t), r.render(x.X), f.Name(), wire), true
		}
	}
	return "", false
}

// anonymousField rewrites a field of an unnamed struct, such as the attributes of an event.
// The type of the outer value says what it becomes.
func (r *mover) anonymousField(n *ast.SelectorExpr, s *types.Selection) (string, bool) {
	if _, isStruct := r.newStruct(n.X); !isStruct {
		return "", false
	}
	f := r.fieldAt(n)
	if f == nil {
		return r.block(n, "field", "%s has no counterpart", r.source(n))
	}
	return r.shape(n, r.render(n.X)+"."+f.Name(), s.Obj().Type(), f.Type()), true
}

// newStruct returns the struct that replaces an expression of client-go.
func (r *reader) newStruct(n ast.Expr) (*types.Struct, bool) {
	t := r.newTypeOf(n)
	if t == nil {
		return nil, false
	}
	to, ok := deref(t).Underlying().(*types.Struct)
	return to, ok
}

// newTypeOf returns the type of a value of client-go in this library, or nil if
// unknown.
func (r *reader) newTypeOf(n ast.Expr) types.Type {
	n = ast.Unparen(n)
	if sel, ok := n.(*ast.SelectorExpr); ok {
		if f := r.fieldAt(sel); f != nil {
			return f.Type()
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
	case *ast.IndexExpr:
		if t := r.newTypeOf(n.X); t != nil {
			if slice, ok := t.Underlying().(*types.Slice); ok {
				return slice.Elem()
			}
		}
	case *ast.StarExpr:
		return r.newTypeOf(n.X)
	case *ast.Ident:
		return r.unnamedType(n)
	}
	return nil
}

// fieldAt returns the counterpart of a selected field of client-go, or nil. An unnamed struct is known
// by what it is a field of.
func (r *reader) fieldAt(n *ast.SelectorExpr) *types.Var {
	s := r.info.Selections[n]
	if s == nil || s.Kind() != types.FieldVal || !isOld(s.Obj()) {
		return nil
	}
	if from := owner(s); from != nil {
		f, _ := r.newField(n.X, from, n.Sel.Name)
		return f
	}
	from, ok := deref(s.Recv()).Underlying().(*types.Struct)
	to, isStruct := r.newStruct(n.X)
	if !ok || !isStruct {
		return nil
	}
	return r.m.field("", "", n.Sel.Name, wireOf(from, n.Sel.Name), to)
}

// wireOf returns the name of a field of a struct in a query or in JSON.
func wireOf(s *types.Struct, name string) string {
	for i := 0; s != nil && i < s.NumFields(); i++ {
		if s.Field(i).Name() == name {
			return wireName(s.Tag(i))
		}
	}
	return ""
}

// newField returns the counterpart of a field, in the type that replaces its owner.
func (r *reader) newField(x ast.Expr, from *types.Named, name string) (*types.Var, string) {
	var names []string
	names = append(names, strings.TrimPrefix(special[from.Obj().Name()], "serviceapi."))
	names = append(names, r.m.typeName(from.Obj().Name()))
	for other := range r.m.derived[from.Obj().Name()] {
		names = append(names, other)
	}
	wire := wireOf(fieldsOf(from), name)
	known := r.fieldType(x)
	if x != nil {
		if override := r.override(x, from.Obj().Name()); override != "" {
			names, known = []string{override}, nil
		} else if known != nil {
			names = []string{r.p.nameOf(known)}
		}
	}
	for _, now := range names {
		t := known // with its type arguments
		if t == nil {
			t = r.p.newType(now)
		}
		if t == nil {
			continue
		}
		if to := fieldsOf(t); to != nil {
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

// fieldType returns the struct that a field of a result has here, nil for other expressions.
func (r *reader) fieldType(x ast.Expr) *types.Named {
	if x == nil {
		return nil
	}
	sel, ok := ast.Unparen(x).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	s := r.info.Selections[sel]
	if s == nil || s.Kind() != types.FieldVal || !isOld(s.Obj()) || s.Obj().(*types.Var).Embedded() {
		return nil
	}
	named := namedOf(r.newTypeOf(sel))
	if named == nil || fieldsOf(named) == nil || r.p.nameOf(named) == "" {
		return nil
	}
	return named
}

// shape gives a field the form that the program expects: a value instead of a pointer, or the
// text of a secret.
func (r *mover) shape(n ast.Expr, text string, old, now types.Type) string {
	_, wasPointer := old.Underlying().(*types.Pointer)
	pointer, isPointer := now.Underlying().(*types.Pointer)
	if isText(old) && isTime(deref(now)) && wasPointer && !r.isDereferenced(n) {
		r.note(n, "value", r.source(n)+" is a time here, and no text")
	}
	if r.isTarget(n) {
		return r.target(n, text, !wasPointer && isPointer && !isNilable(old))
	}
	switch {
	case isText(old) && isTime(deref(now)) && (!wasPointer || r.isDereferenced(n)):
		return r.timeText(n, text, now)
	case oldName(old) == "Labels" && isLabelSummaries(now) && r.isCounted(n):
		return text
	case oldName(old) == "Labels" && isLabelSummaries(now):
		return r.help("labelNames") + "(" + text + ")"
	case isSecret(now):
		return text + ".Reveal()"
	case newName(now) == "CustomAttributes" && isPointer:
		return r.help("customAttributesOf") + "(" + text + ")"
	case isRaw(now) && !isRaw(old) && !involves(old):
		return r.help("decoded") + "[" + r.typeString(old) + "](" + text + ")"
	case isText(old) && makersOf[newName(now)] != [2]string{} && !isPointer && (!wasPointer || r.isDereferenced(n)):
		return text + ".String()"
	case isText(old) && !wasPointer && newName(now) == "Coverage":
		return r.help("coverageText") + "(" + text + ")"
	case !wasPointer && isPointer && !isNilable(old):
		if isSecret(pointer.Elem()) {
			return r.help("valueOf") + "(" + text + ").Reveal()"
		}
		return r.help("valueOf") + "(" + text + ")"
	}
	return r.boxed(n, text, old, now)
}

// boxed converts a field that is a text or a number of another type here, where its type is seen: as
// a value of any type that is compared or passed on.
func (r *mover) boxed(n ast.Expr, text string, old, now types.Type) string {
	plain, ok := old.(*types.Basic)
	_, isBasic := now.Underlying().(*types.Basic)
	if !ok || !isBasic || types.Identical(old, now) || !r.isBoxed(n) {
		return text
	}
	return plain.Name() + "(" + text + ")"
}

// isBoxed reports whether an expression becomes a value of any type, and is not only printed.
func (r *reader) isBoxed(n ast.Expr) bool {
	switch parent := r.parents[n].(type) {
	case *ast.CallExpr:
		i := slices.Index(parent.Args, n)
		return i >= 0 && !r.info.Types[parent.Fun].IsType() && r.takesAny(parent, i) && r.shows(parent) != "prints"
	case *ast.KeyValueExpr:
		lit, _ := r.parents[parent].(*ast.CompositeLit)
		return lit != nil && parent.Value == n && r.holdsAny(lit)
	case *ast.CompositeLit:
		return r.holdsAny(parent)
	}
	return false
}

// holdsAny reports whether the elements of a map or a slice are values of any type.
func (r *reader) holdsAny(lit *ast.CompositeLit) bool {
	var elem types.Type
	switch t := r.info.TypeOf(lit).Underlying().(type) {
	case *types.Map:
		elem = t.Elem()
	case *types.Slice:
		elem = t.Elem()
	default:
		return false
	}
	empty, ok := elem.Underlying().(*types.Interface)
	return ok && empty.NumMethods() == 0
}

// isCounted reports whether the program only wants the length of a list.
func (r *reader) isCounted(n ast.Expr) bool {
	call, ok := r.parents[n].(*ast.CallExpr)
	return ok && idName(call.Fun) == "len" && r.info.Types[call.Fun].IsBuiltin()
}

// isTime reports whether a type is a time, or a date of this library.
func isTime(t types.Type) bool {
	name := newName(t)
	return types.TypeString(t, nil) == "time.Time" || name == "Date" || name == "DateOrTime"
}

// isText reports whether a type is a string, or a pointer to one.
func isText(t types.Type) bool { return isString(deref(t)) }

// isDereferenced reports whether the program uses what an expression points to.
func (r *reader) isDereferenced(n ast.Node) bool {
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

// isLabelSummaries reports whether a type is the type of a result's labels.
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
func (r *reader) isTarget(n ast.Expr) bool {
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

func isNil(info *types.Info, n ast.Expr) bool {
	id, ok := ast.Unparen(n).(*ast.Ident)
	if !ok {
		return false
	}
	_, ok = info.Uses[id].(*types.Nil)
	return ok
}
