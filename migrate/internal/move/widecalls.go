package move

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"example.com/serviceapi/migrate/internal/table"
)

// wideOf returns the type of wide options in an expression, or nil for others.
func (r *reader) wideOf(n ast.Expr) *wideType {
	if n == nil {
		return nil
	}
	name := oldName(r.info.TypeOf(n))
	if name == "" {
		return nil
	}
	return r.p.wideNamed(r.override(n, name))
}

// wideForms returns the lines of the table for a call with wide options: the first ones are for options
// with a field that the last one does without. It returns nil for other calls.
func (r *mover) wideForms(n *ast.CallExpr, name string, f *types.Func) []*table.Method {
	first, _ := r.form(name, f)
	if first == nil {
		return nil
	}
	param, at := "", 0
	for i, arg := range n.Args {
		if i < len(first.Params) && r.wideOf(arg) != nil {
			param, at = strings.TrimSuffix(first.Params[i], "..."), i
		}
	}
	if param == "" {
		return nil
	}
	var forms, last []*table.Method
	for _, m := range r.p.table.Method(name) {
		if m.ByHand != "" || m.When.Field != "" || !m.Has(r.version(f)) || m.New != first.New ||
			len(m.Params) != len(first.Params) || !r.takesAll(n, m, at) {
			continue
		}
		if len(m.Uses(param)) == 0 {
			last = append(last, m)
		} else {
			forms = append(forms, m)
		}
	}
	return r.possible(append(forms, last...), param, oldName(r.info.TypeOf(n.Args[at])))
}

// possible returns the forms of which the program sets the fields that decide between them, or all if there
// is only one.
func (r *mover) possible(forms []*table.Method, param, old string) []*table.Method {
	var kept []*table.Method
	for i, m := range forms {
		never := func(field string) bool {
			return !r.p.wideSet[fieldName{old, field}] && slices.ContainsFunc(forms, func(other *table.Method) bool {
				return !slices.Contains(other.Uses(param), field)
			})
		}
		if !slices.ContainsFunc(m.Uses(param), never) || i+1 == len(forms) && len(kept) == 0 {
			kept = append(kept, m)
		}
	}
	return kept
}

// takesAll reports whether a line of the table uses the arguments of a call that are not nil, and no
// others, apart from the options.
func (r *mover) takesAll(n *ast.CallExpr, m *table.Method, options int) bool {
	for i, param := range m.Params {
		if i >= len(n.Args) || i == options {
			continue
		}
		if takes(m.Args, strings.TrimSuffix(param, "...")) == isNil(r.info, n.Args[i]) {
			return false
		}
	}
	return true
}

// wideParam returns the parameter of a call that wide options are passed for, and its value.
func (c *newCall) wideParam() (string, ast.Expr) {
	for name, value := range c.values {
		if c.r.wideOf(value) != nil {
			return name, value
		}
	}
	return "", nil
}

// decisive returns the fields of wide options that a form needs and the last one does not.
func (c *newCall) decisive(m *table.Method, param string) []string {
	last := c.forms[len(c.forms)-1].Uses(param)
	return slices.DeleteFunc(m.Uses(param), func(field string) bool { return slices.Contains(last, field) })
}

// chosen renders an argument. Where wide options decide at run time which one it is, it is the result of
// a function.
func (c *newCall) chosen(i int, arg table.Arg, want types.Type) (string, bool) {
	param, _ := c.wideParam()
	if len(c.forms) < 2 || param == "" || arg.Kind == table.Options {
		return c.argument(arg, want)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "func() %s {\n", c.r.typeString(want))
	var texts []string
	for _, m := range c.forms {
		fields := c.decisive(m, param)
		if len(fields) > 1 || i >= len(m.Args) {
			return "", c.fail("%s: several fields of %s decide what it becomes", c.method.Old, param)
		}
		c.tested = fields
		text, ok := c.argument(m.Args[i], want)
		c.tested = nil
		if !ok {
			return "", false
		}
		texts = append(texts, text)
		if len(fields) == 0 {
			fmt.Fprintf(&b, "return %s\n}()", text)
			break
		}
		fmt.Fprintf(&b, "if %s != nil {\nreturn %s\n}\n", c.wideSelector(fields[0]), text)
	}
	if !slices.ContainsFunc(texts, func(text string) bool { return text != texts[0] }) {
		return texts[0], true
	}
	if last := c.forms[len(c.forms)-1].Uses(param); len(last) > 0 {
		c.r.note(c.node, "field", "if more than one of the fields that this is made of is set, only the first is sent")
	}
	return b.String(), true
}

// wideText renders wide options as a value of which fields are selected.
func (c *newCall) wideText(value ast.Expr) (text string, addressable bool) {
	if unary, ok := ast.Unparen(value).(*ast.UnaryExpr); ok && unary.Op == token.AND {
		return c.r.render(unary.X), true
	}
	text = c.r.render(value)
	if !isPointer(c.r.info.TypeOf(value)) || c.r.isMade(value) {
		return text, true
	}
	return c.r.help("valueOf") + "(" + text + ")", false
}

// isMade reports whether an expression is a variable of the function that is defined as &T{…}, and
// assigned to nowhere else.
func (r *reader) isMade(n ast.Expr) bool {
	obj := r.info.Uses[idOf(ast.Unparen(n))]
	if obj == nil {
		return false
	}
	made, others := false, false
	ast.Inspect(r.u.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				id := idOf(left)
				switch {
				case id == nil || r.info.ObjectOf(id) != obj:
				case r.info.Defs[id] == obj && len(n.Lhs) == len(n.Rhs) && literalOf(n.Rhs[i]) != nil:
					made = true
				default:
					others = true
				}
			}
		case *ast.UnaryExpr:
			others = others || n.Op == token.AND && r.info.Uses[idOf(n.X)] == obj
		}
		return true
	})
	return made && !others
}

func (c *newCall) wideSelector(field string) string {
	_, value := c.wideParam()
	text, _ := c.wideText(value)
	return text + "." + field
}

// wideField returns the field of wide options that an argument is made of, as an expression.
func (c *newCall) wideField(w *wideType, arg table.Arg) (ast.Expr, bool) {
	value := c.values[arg.Param]
	if !isRepeatable(value) {
		return nil, c.fail("%s: put the options into a variable", c.method.Old)
	}
	field := structField(fieldsOf(w.named), arg.Field)
	old := structField(fieldsOf(w.old), arg.Field)
	if field == nil || old == nil {
		return nil, c.fail("%s: the field %s must be in a literal of the call", c.method.Old, arg.Field)
	}
	c.used[arg.Param] = true
	if c.wideUsed == nil {
		c.wideUsed = map[string]bool{}
	}
	c.wideUsed[arg.Field] = true
	text := c.wideSelector(arg.Field)
	var node ast.Expr = &ast.ParenExpr{Lparen: value.Pos(), X: value, Rparen: value.End() - 1}
	t := old.Type()
	if pointer, ok := types.Unalias(t).(*types.Pointer); ok {
		t = pointer.Elem()
		if slices.Contains(c.tested, arg.Field) {
			text = "*" + text
		} else {
			text = c.r.help("valueOf") + "(" + text + ")"
			c.noteWide(w, arg.Field, field)
		}
	}
	c.r.info.Types[node] = types.TypeAndValue{Type: t}
	c.r.made[node] = text
	return node, true
}

// noteWide notes what happens if a field of wide options is not set.
func (c *newCall) noteWide(w *wideType, name string, field *types.Var) {
	if isText(field.Type()) || isID(name) {
		c.r.mayBeEmpty(c.node, w.old.Obj().Name(), []string{name})
		return
	}
	c.r.note(c.node, "null", name+" is sent as the zero value if it is nil: client-go leaves it out then")
}

// isRepeatable reports whether it changes nothing to evaluate an expression twice.
func isRepeatable(n ast.Expr) bool {
	switch n := ast.Unparen(n).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return isRepeatable(n.X)
	case *ast.UnaryExpr:
		return n.Op == token.AND && isRepeatable(n.X)
	}
	return false
}

// wideBase renders the options of this library that wide options have, with fields that are set in the
// call.
func (c *newCall) wideBase(w *wideType, value ast.Expr, address string, extra []string) string {
	text, addressable := c.wideText(value)
	base := w.base.Obj().Name()
	text += "." + base
	switch {
	case len(extra) > 0:
		return c.r.settingFields(text, base, address, extra)
	case address == "":
		return text
	case addressable:
		return address + text
	}
	return "new(" + text + ")"
}

// sendWide adds options of the request for the fields of wide options that are no arguments of the call.
func (c *newCall) sendWide() {
	_, value := c.wideParam()
	w := c.r.wideOf(value)
	if w == nil || !isRepeatable(value) {
		return
	}
	param, _ := c.wideParam()
	for _, f := range w.added {
		uses := func(m *table.Method) bool { return slices.Contains(m.Uses(param), f.Name()) }
		used := slices.ContainsFunc(c.forms, uses)
		wire := wireOf(fieldsOf(w.old), f.Name())
		if used || c.wideUsed[f.Name()] || wire == "" || !isPointer(f.Type()) {
			continue
		}
		name := "bodyField"
		if c.isQuery(param) {
			name = "queryField"
		}
		c.given = append(c.given, requestOption{repeatable: true,
			text: c.r.help(name) + "(" + strconv.Quote(wire) + ", " + c.wideSelector(f.Name()) + ")"})
	}
}

// isQuery reports whether a call sends the options of a parameter in its query.
func (c *newCall) isQuery(param string) bool {
	params := c.to.Signature().Params()
	for i, arg := range c.method.Args {
		if arg.Kind == table.Options && arg.Param == param && i+1 < params.Len() {
			return isPointer(params.At(i + 1).Type())
		}
	}
	return false
}

// isUnset reports whether a field that is required here is made of fields that a literal lacks: client-go
// sends null then, which the service refuses. The others go with it.
func (c *newCall) isUnset(param string, field table.FieldArg, want types.Type) bool {
	lit := c.r.literalOf(c.value(param))
	fields := (table.Call{Args: []table.Arg{field.Value}}).Uses(param)
	if lit == nil || len(fields) == 0 || !isRequired(want, field.Name) {
		return false
	}
	lacking := slices.DeleteFunc(slices.Clone(fields), func(name string) bool {
		return c.r.literalField(lit, name) != nil
	})
	if len(lacking) == 0 {
		return false
	}
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok && slices.Contains(fields, idName(kv.Key)) {
			c.r.dropped[kv] = true
		}
	}
	c.r.note(lit, "refused", strings.Join(lacking, " and ")+" must be set: without it, the call is refused before "+
		"anything is sent")
	return true
}

// isRequired reports whether a field of options must be set.
func isRequired(options types.Type, name string) bool {
	s := fieldsOf(options)
	for i := 0; s != nil && i < s.NumFields(); i++ {
		if s.Field(i).Name() == name {
			return reflect.StructTag(s.Tag(i)).Get("required") == "true"
		}
	}
	return false
}
