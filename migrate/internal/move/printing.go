package move

import (
	"go/ast"
	"go/types"
	"strings"
)

// Results print and encode otherwise than those of client-go, where a program uses them as values of
// any type. Each such use has a line in the report.

// shows returns what a call does with values of any type: "encodes", "decodes", "prints",
// "compares" or "passes on"; "" if it takes none.
func (r *reader) shows(n *ast.CallExpr) string {
	if r.info.Types[n.Fun].IsType() || r.info.Types[n.Fun].IsBuiltin() || r.oldObject(n.Fun) != nil {
		return ""
	}
	name := idName(calledName(n))
	f, _ := r.info.Uses[calledName(n)].(*types.Func)
	if f == nil || f.Pkg() == nil || isOld(f) {
		return ""
	}
	path, lower := f.Pkg().Path(), strings.ToLower(name)
	switch {
	case r.makesPointer(n):
		return ""
	case r.callee(n) != nil:
		return "passes on"
	case path == "reflect" || strings.Contains(path, "go-cmp"):
		return "compares"
	case path == "fmt" || path == "log" || path == "log/slog":
		return "prints"
	case strings.HasPrefix(path, "github.com/stretchr/testify/") || strings.Contains(path, "mock"):
		return ""
	}
	for _, word := range []string{"unmarshal", "decode", "scan", "unpack"} {
		if strings.Contains(lower, word) {
			return "decodes"
		}
	}
	for _, word := range []string{"marshal", "encode", "json", "yaml", "toml", "xml", "execute", "render"} {
		if strings.Contains(lower, word) {
			return "encodes"
		}
	}
	if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
		return "passes on"
	}
	return ""
}

// noteShown notes results that a call prints, encodes or compares.
func (r *mover) noteShown(n *ast.CallExpr) {
	r.noteDecoded(n)
	r.noteTypeName(n)
	what := r.shows(n)
	if what == "" {
		return
	}
	for i, arg := range n.Args {
		if !r.takesAny(n, i) {
			continue
		}
		for _, e := range r.shownIn(arg) {
			r.noteValue(n, e, what)
		}
	}
}

// oneLine returns the source of an expression without line breaks.
func (r *reader) oneLine(n ast.Expr) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(r.source(n)), " "), " .", ".")
}

func (r *mover) noteValue(n *ast.CallExpr, e ast.Expr, what string) {
	t := r.info.TypeOf(e)
	name := carried(t, map[types.Type]bool{})
	switch {
	case name != "":
		text := map[string]string{
			"encodes": "encodes a " + name +
				": the names and the forms of its members may differ, and those of a template",
			"decodes": "decodes a " + name + ": what the service does not send, such as a name twice in one object, " +
				"may fail, and members of other names are not read",
			"prints":    "prints a " + name + ": its fields differ",
			"compares":  "compares a " + name + ": its fields differ",
			"passes on": "takes a " + name + " as a value of any type: look at what it does with its fields",
		}[what]
		r.note(n, "value", r.oneLine(n.Fun)+" "+text)
	case what == "prints" && r.losesPointer(e):
		r.note(n, "value", r.oneLine(n.Fun)+" prints "+r.source(e)+", which is no pointer here")
	case what != "compares" && what != "decodes" && holdsLevel(t, 0),
		what == "passes on" && oldName(t) == "AccessLevelValue":
		r.note(n, "value", r.oneLine(n.Fun)+" "+what+" an access level, which may be a word here, and not a number")
	}
}

// takesAny reports whether an argument becomes a value of any type.
func (r *reader) takesAny(n *ast.CallExpr, i int) bool {
	f, _ := r.info.Uses[calledName(n)].(*types.Func)
	if f == nil {
		return false
	}
	params := f.Origin().Signature().Params()
	if params.Len() == 0 {
		return false
	}
	t := params.At(min(i, params.Len()-1)).Type()
	if slice, ok := t.Underlying().(*types.Slice); ok && f.Signature().Variadic() && i >= params.Len()-1 {
		t = slice.Elem()
	}
	_, isParam := types.Unalias(t).(*types.TypeParam)
	if isParam {
		return r.callee(n) != nil
	}
	empty, ok := t.Underlying().(*types.Interface)
	return ok && empty.NumMethods() == 0
}

// shownIn returns the values in an argument: those of a literal, such as a map for a template, or
// the argument itself.
func (r *reader) shownIn(arg ast.Expr) []ast.Expr {
	lit := literalOf(arg)
	if lit == nil || involves(r.info.TypeOf(lit)) {
		return []ast.Expr{arg}
	}
	var values []ast.Expr
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
		}
		values = append(values, r.shownIn(e)...)
	}
	return values
}

// carried returns the name of a struct of client-go that a value has, "" if there is none.
func carried(t types.Type, seen map[types.Type]bool) string {
	if t == nil || seen[t] {
		return ""
	}
	seen[t] = true
	if named := namedOf(t); named != nil && isOld(named.Obj()) {
		switch name := named.Obj().Name(); name {
		case "ISOTime", "ErrorResponse", "Response", "Client":
			return ""
		default:
			if _, isStruct := named.Underlying().(*types.Struct); isStruct {
				return name
			}
			return ""
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return carried(u.Elem(), seen)
	case *types.Slice:
		return carried(u.Elem(), seen)
	case *types.Array:
		return carried(u.Elem(), seen)
	case *types.Map:
		return carried(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if name := carried(f.Type(), seen); name != "" {
				return name
			}
		}
	}
	return ""
}

// holdsLevel reports whether a value has access levels in it, which print as words here.
func holdsLevel(t types.Type, depth int) bool {
	if t == nil || depth > 4 {
		return false
	}
	if oldName(t) == "AccessLevelValue" {
		return depth > 0
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return holdsLevel(u.Elem(), depth)
	case *types.Slice:
		return holdsLevel(u.Elem(), depth+1)
	case *types.Array:
		return holdsLevel(u.Elem(), depth+1)
	case *types.Map:
		return holdsLevel(u.Elem(), depth+1) || holdsLevel(u.Key(), depth+1)
	case *types.Struct:
		for f := range u.Fields() {
			if holdsLevel(f.Type(), depth+1) {
				return true
			}
		}
	}
	return false
}

// losesPointer reports whether an expression is a field with a pointer that is a value here.
func (r *reader) losesPointer(n ast.Expr) bool {
	sel, ok := ast.Unparen(n).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	s := r.info.Selections[sel]
	if s == nil || s.Kind() != types.FieldVal || !isOld(s.Obj()) || owner(s) == nil || !isPointer(s.Obj().Type()) {
		return false
	}
	f, _ := r.newField(sel.X, owner(s), sel.Sel.Name)
	return f != nil && !isPointer(f.Type()) && types.TypeString(f.Type(), nil) != "time.Time"
}

// printedLevel renders an access level that is printed: the number, as client-go prints it.
func (r *mover) printedLevel(n ast.Expr) (string, bool) {
	call, ok := r.parents[n].(*ast.CallExpr)
	if !ok || oldName(r.info.TypeOf(n)) != "AccessLevelValue" || isPointer(r.info.TypeOf(n)) || r.levels[n] {
		return "", false
	}
	for i, arg := range call.Args {
		if arg != n || !r.takesAny(call, i) || r.shows(call) != "prints" {
			continue
		}
		r.levels[n] = true
		defer delete(r.levels, n)
		return "int(" + r.render(n) + ")", true
	}
	return "", false
}

// noteBoxed notes results that become values of any type, without a call that takes them.
func (r *mover) noteBoxed(n ast.Node) {
	switch n := n.(type) {
	case *ast.CompositeLit:
		t := r.info.TypeOf(n)
		if t == nil || involves(t) && oldName(t) != "" || r.isShown(n) {
			return
		}
		for i, e := range n.Elts {
			kv, keyed := e.(*ast.KeyValueExpr)
			if keyed {
				e = kv.Value
			}
			var want types.Type
			switch u := deref(t).Underlying().(type) {
			case *types.Struct:
				if keyed {
					want = fieldTypeOf(u, idName(kv.Key))
				} else if i < u.NumFields() {
					want = u.Field(i).Type()
				}
			case *types.Map:
				want = u.Elem()
			case *types.Slice:
				want = u.Elem()
			}
			r.noteBox(e, want)
		}
	case *ast.AssignStmt:
		for i, left := range n.Lhs {
			if id := idOf(left); len(n.Lhs) == len(n.Rhs) && (id == nil || id.Name != "_" && r.info.Defs[id] == nil) {
				r.noteBox(n.Rhs[i], r.info.TypeOf(left))
			}
		}
	case *ast.ValueSpec:
		if len(n.Values) == 0 && n.Type != nil {
			r.declaresOptions(n.Type)
		}
		for _, value := range n.Values {
			if n.Type != nil {
				r.noteBox(value, r.info.TypeOf(n.Type))
			}
		}
	case *ast.SendStmt:
		if c, ok := r.info.TypeOf(n.Chan).Underlying().(*types.Chan); ok {
			r.noteBox(n.Value, c.Elem())
		}
	case *ast.ReturnStmt:
		signature := r.enclosing(n)
		for i, e := range n.Results {
			if signature != nil && len(n.Results) == signature.Results().Len() {
				r.noteBox(e, signature.Results().At(i).Type())
			}
		}
	case *ast.CallExpr:
		if idName(n.Fun) == "new" && len(n.Args) == 1 && r.info.Types[n.Args[0]].IsType() {
			r.declaresOptions(n.Args[0])
		}
		if idName(n.Fun) != "append" || !r.info.Types[n.Fun].IsBuiltin() || n.Ellipsis.IsValid() {
			return
		}
		slice, ok := r.info.TypeOf(n.Args[0]).Underlying().(*types.Slice)
		for _, e := range n.Args[1:] {
			if ok {
				r.noteBox(e, slice.Elem())
			}
		}
	}
}

// noteBox notes that a value becomes one of any type.
func (r *mover) noteBox(e ast.Expr, want types.Type) {
	if want == nil {
		return
	}
	if empty, ok := want.Underlying().(*types.Interface); !ok || empty.NumMethods() > 0 {
		return
	}
	t := r.info.TypeOf(e)
	if name := carried(t, map[types.Type]bool{}); name != "" {
		r.note(e, "value", r.source(e)+", a "+name+", becomes a value of any type: look at what prints, encodes or "+
			"asserts it")
	} else if oldName(t) == "AccessLevelValue" || holdsLevel(t, 0) {
		r.note(e, "value", r.source(e)+" becomes a value of any type: an access level prints as a word here")
	}
}

// isShown reports whether a literal is an argument of a call that has a line of its own.
func (r *reader) isShown(n ast.Node) bool {
	for {
		switch parent := r.parents[n].(type) {
		case *ast.UnaryExpr, *ast.KeyValueExpr, *ast.CompositeLit:
			n = parent
		case *ast.CallExpr:
			return r.shows(parent) != ""
		default:
			return false
		}
	}
}

func fieldTypeOf(s *types.Struct, name string) types.Type {
	if f := structField(s, name); f != nil {
		return f.Type()
	}
	return nil
}
