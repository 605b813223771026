package move

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"example.com/serviceapi/migrate/internal/table"
)

// A newCall replaces a call of client-go.
type newCall struct {
	r        *mover
	node     *ast.CallExpr
	method   *table.Method
	to       *types.Func
	values   map[string]ast.Expr // by parameter
	used     map[string]bool
	context  string
	given    []requestOption
	since    int      // how many of them are before the context
	requests []string // the options as arguments
	without  string   // an option to leave out
	rule     string   // for retries, from an option

	forms    []*table.Method // that the fields of wide options choose from at run time
	tested   []string        // fields of wide options that are set where an argument is made
	wideUsed map[string]bool // fields of wide options that are arguments

	kept, list string // a variable for options that are used twice, and its value
}

// read separates the arguments of the method from the request options.
func (c *newCall) read(f *types.Func) bool {
	params := f.Signature().Params().Len()
	if f.Signature().Variadic() {
		params--
	}
	if len(c.node.Args) < params {
		c.r.block(c.node, "call", "the arguments are the results of another call")
		return false
	}
	for i, name := range c.method.Params[:min(params, len(c.method.Params))] {
		c.values[strings.TrimSuffix(name, "...")] = c.node.Args[i]
	}
	return c.readOptions(c.node.Args[params:], c.node.Ellipsis.IsValid())
}

func (c *newCall) arguments() ([]string, bool) {
	c.used = map[string]bool{}
	params := c.to.Signature().Params()
	var args []string
	for i, arg := range c.method.Args {
		if i+1 >= params.Len() {
			return nil, c.fail("%s takes fewer arguments", c.method.New)
		}
		text, ok := c.chosen(i, arg, params.At(i+1).Type())
		if !ok {
			return nil, false
		}
		args = append(args, text)
	}
	c.sendWide()
	c.notePlain()
	for name, value := range c.values {
		if !c.used[name] && !c.r.isZero(value) && !c.consumed(name, value) {
			return nil, c.fail("%s: %s has no parameter for %s", c.method.Old, c.method.New, name)
		}
	}
	if !c.finishOptions() {
		return nil, false
	}
	return append(append([]string{c.context}, args...), c.requests...), true
}

// consumed reports whether every field of the options has its own place in the table,
// or can be left out.
func (c *newCall) consumed(name string, value ast.Expr) bool {
	lit := c.r.literalOf(value)
	if lit == nil {
		return false
	}
	old := oldName(c.r.info.TypeOf(lit))
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok || idOf(kv.Key) == nil {
			return false
		}
		field := idOf(kv.Key).Name
		if !slices.Contains(c.method.Uses(name), field) && !c.r.m.needless(old, "", field) && !c.r.isZero(kv.Value) {
			return false
		}
	}
	return true
}

func (c *newCall) fail(text string, args ...any) bool {
	c.r.block(c.node, "argument", text, args...)
	return false
}

// isZero reports whether an expression is nil, an empty literal or a zero constant.
func (r *reader) isZero(n ast.Expr) bool {
	if isNil(r.info, n) {
		return true
	}
	if lit := literalOf(n); lit != nil {
		return len(lit.Elts) == 0
	}
	value := r.info.Types[n].Value
	return value != nil && (value.ExactString() == `""` || value.ExactString() == "0" || value.ExactString() == "false")
}

// literalOf returns the literal in T{} and &T{}, or nil.
func literalOf(n ast.Expr) *ast.CompositeLit {
	n = ast.Unparen(n)
	if unary, ok := n.(*ast.UnaryExpr); ok {
		n = ast.Unparen(unary.X)
	}
	lit, _ := n.(*ast.CompositeLit)
	return lit
}

func (c *newCall) argument(arg table.Arg, want types.Type) (string, bool) {
	switch arg.Kind {
	case table.Param:
		return c.parameter(arg, want)
	case table.Ref:
		value, ok := c.operand(arg.Args[0])
		if !ok {
			return "", false
		}
		return c.r.reference(arg.Name, value)
	case table.Value:
		return c.r.use("serviceapi." + arg.Name), true
	case table.Text:
		return strconv.Quote(arg.Name), true
	case table.Make:
		return c.make(arg)
	case table.Chain:
		return c.chain(arg)
	case table.Struct:
		return c.structure(arg, want)
	case table.Options:
		return c.options(arg, want)
	}
	return "", c.fail("no rule moves %s", c.method.Old)
}

// make calls a function of this library.
func (c *newCall) make(arg table.Arg) (string, bool) {
	args, ok := c.passed(arg.Args, c.r.p.made(arg))
	return c.r.use("serviceapi."+arg.Name) + args, ok
}

// chain calls a method of the value that the first argument makes.
func (c *newCall) chain(arg table.Arg) (string, bool) {
	on, ok := c.argument(arg.Args[0], nil)
	if !ok {
		return "", false
	}
	args, ok := c.passed(arg.Args[1:], c.r.p.made(arg))
	return on + "." + arg.Name + args, ok
}

// passed renders the arguments of a function, with their parentheses.
func (c *newCall) passed(args []table.Arg, signature *types.Signature) (string, bool) {
	var texts []string
	for i, arg := range args {
		var want types.Type
		if signature != nil && i < signature.Params().Len() {
			want = signature.Params().At(i).Type()
		}
		text, ok := c.argument(arg, want)
		if !ok {
			return "", false
		}
		texts = append(texts, text)
	}
	return "(" + strings.Join(texts, ", ") + ")", true
}

// structure makes a struct of this library.
func (c *newCall) structure(arg table.Arg, want types.Type) (string, bool) {
	t := c.r.p.newType(arg.Name)
	if t == nil {
		return "", c.fail("%s has no counterpart", arg.Name)
	}
	var fields []string
	for _, field := range arg.Fields {
		text, ok := c.argument(field.Value, fieldType(t, field.Name))
		if !ok {
			return "", false
		}
		fields = append(fields, field.Name+": "+text)
	}
	address := ""
	if want != nil {
		if _, isPointer := want.Underlying().(*types.Pointer); isPointer {
			address = "&"
		}
	}
	return c.r.use(address+"serviceapi."+arg.Name) + "{" + strings.Join(fields, ", ") + "}", true
}

// operand returns the expression that an argument is made of.
func (c *newCall) operand(arg table.Arg) (ast.Expr, bool) {
	if arg.Kind == table.Param {
		if arg.Field == "" {
			c.used[arg.Param] = true
			if c.values[arg.Param] == nil {
				return nil, c.fail("%s has no %s in this version", c.method.Old, arg.Param)
			}
			return c.values[arg.Param], true
		}
		if w := c.r.wideOf(c.values[arg.Param]); w != nil {
			return c.wideField(w, arg)
		}
		if lit := c.r.literalOf(c.value(arg.Param)); lit != nil {
			for _, e := range lit.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok && idOf(kv.Key) != nil && idOf(kv.Key).Name == arg.Field {
					c.r.dropped[kv] = true
					c.used[arg.Param] = true
					return c.r.plain(kv.Value), c.checkOperand(arg, kv.Value)
				}
			}
		}
	}
	return nil, c.fail("%s: the field %s must be in a literal of the call", c.method.Old, arg.Field)
}

// checkOperand notes what happens where an option that is an argument here may be missing. It
// reports false if it certainly is.
func (c *newCall) checkOperand(arg table.Arg, value ast.Expr) bool {
	t := c.r.info.TypeOf(value)
	switch {
	case isNil(c.r.info, value):
		return c.fail("%s: %s takes the place of the field %s, which must be set",
			c.method.Old, c.method.New, arg.Field)
	case isText(t), isID(arg.Field):
		if !c.r.isFilled(c.r.plain(value)) {
			c.r.mayBeEmpty(c.node, oldName(c.r.info.TypeOf(c.values[arg.Param])), []string{arg.Field})
		}
	case !c.r.isSet(value):
		c.r.note(value, "null", arg.Field+" is sent as the zero value if it is nil: client-go leaves it out then")
	}
	return true
}

// isID reports whether a field holds the number of something.
func isID(name string) bool { return strings.HasSuffix(name, "ID") }

// value returns the value for a parameter, or a blank if the version has none.
func (c *newCall) value(param string) ast.Expr {
	if v := c.values[param]; v != nil {
		return v
	}
	return ast.NewIdent("_")
}

// plain returns x for Ptr(x) and &x.
func (r *reader) plain(n ast.Expr) ast.Expr {
	if inner := r.pointed(n); inner != nil {
		return inner
	}
	return n
}

func (c *newCall) parameter(arg table.Arg, want types.Type) (string, bool) {
	value, ok := c.operand(arg)
	if !ok {
		return "", false
	}
	return c.r.value(value, want), true
}

// options returns the struct of options of a call.
func (c *newCall) options(arg table.Arg, want types.Type) (string, bool) {
	name := newName(want)
	var extra []string
	for _, field := range arg.Fields {
		if c.isUnset(arg.Param, field, want) {
			continue
		}
		text, ok := c.argument(field.Value, fieldType(want, field.Name))
		if !ok {
			return "", false
		}
		if text != `""` {
			extra = append(extra, field.Name+": "+text)
		}
	}
	address := ""
	if _, isPointer := want.Underlying().(*types.Pointer); isPointer {
		address = "&"
	}
	c.r.use("serviceapi.")
	empty := address + "serviceapi." + name + "{" + strings.Join(extra, ", ") + "}"
	if len(extra) == 0 && address != "" {
		empty = "nil"
	}
	if arg.Param == "" {
		return empty, true
	}
	c.used[arg.Param] = true
	value := c.values[arg.Param]
	if value == nil || isNil(c.r.info, value) {
		c.noteMissing(value, want, arg.Fields)
		return empty, true
	}
	if w := c.r.wideOf(value); w != nil {
		return c.wideBase(w, value, address, extra), true
	}
	if lit := c.r.literalOf(value); lit != nil {
		outer := c.r.unknown
		c.r.unknown = &unknownFields{lit: lit, isQuery: address != ""}
		text, ok := c.r.literal(lit, c.r.p.newType(name), extra)
		for _, option := range c.r.unknown.options {
			c.given = append(c.given, requestOption{text: option})
		}
		c.r.unknown = outer
		return address + text, ok
	}
	text := c.r.render(value)
	extra = append(extra, c.r.reread(value)...)
	if len(extra) == 0 {
		return text, true
	}
	return c.r.withFields(value, text, name, address, extra), true
}

// unknownFields are the parameters of a call that have no field in the options of this
// library. Request options send them.
type unknownFields struct {
	lit     *ast.CompositeLit // the options; fields of structs in them have no place of their own
	isQuery bool
	options []string
}

// sendUnknown sends a field without a counterpart with an option of the request. It
// reports false if that is impossible.
func (l *literal) sendUnknown(kv *ast.KeyValueExpr) bool {
	fields, ok := l.from.Underlying().(*types.Struct)
	if l.r.unknown == nil || l.r.unknown.lit != l.node || !ok || involves(l.r.info.TypeOf(l.r.plain(kv.Value))) {
		return false
	}
	value := l.r.plain(kv.Value)
	if !isScalar(l.r.info.TypeOf(value)) {
		return false
	}
	for i := range fields.NumFields() {
		wire := wireName(fields.Tag(i))
		if fields.Field(i).Name() != idName(kv.Key) || wire == "" {
			continue
		}
		text := l.r.render(value)
		name := "serviceapi.WithBodyField("
		if l.r.unknown.isQuery {
			l.r.imports["fmt"] = true
			name, text = "serviceapi.WithQuery(", "fmt.Sprint("+text+")"
		}
		l.r.unknown.options = append(l.r.unknown.options, l.r.use(name)+strconv.Quote(wire)+", "+text+")")
		return true
	}
	return false
}

// isScalar reports whether a type is a string, a number or a boolean.
func isScalar(t types.Type) bool {
	_, ok := t.Underlying().(*types.Basic)
	return ok
}

// withFields adds fields to options that are in a variable.
func (r *mover) withFields(value ast.Expr, text, name, address string, extra []string) string {
	if _, isPointer := r.info.TypeOf(value).Underlying().(*types.Pointer); isPointer {
		text = r.help("valueOf") + "(" + text + ")"
	}
	return r.settingFields(text, name, address, extra)
}

// settingFields renders a function that sets fields of a copy of options, and returns it.
func (r *mover) settingFields(text, name, address string, extra []string) string {
	variable := "options"
	if slices.Contains(wordsOf.FindAllString(strings.Join(extra, " "), -1), variable) {
		variable = r.unused("sent")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "func() %sserviceapi.%s {\n%s := %s\n", strings.Replace(address, "&", "*", 1), name, variable, text)
	for _, field := range extra {
		key, v, _ := strings.Cut(field, ": ")
		fmt.Fprintf(&b, "%s.%s = %s\n", variable, key, v)
	}
	fmt.Fprintf(&b, "return %s%s\n}()", address, variable)
	return b.String()
}

func fieldType(t types.Type, name string) types.Type {
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		t = pointer.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	for i := 0; ok && i < s.NumFields(); i++ {
		if s.Field(i).Name() == name {
			return s.Field(i).Type()
		}
	}
	return nil
}

// blocked is block for functions that report success.
func (r *rewriter) blocked(n ast.Node, kind, text string, args ...any) (string, bool) {
	r.block(n, kind, text, args...)
	return "", false
}
