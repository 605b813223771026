package move

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Options of one call are functions in client-go: they stand alone, in variables, in fields and in
// lists, and a context is one of them. Here it is the first argument. What is seen to be in the
// options of a call becomes that argument. Elsewhere an option of the helpers carries the context,
// and callContext and callOptions take it out where the options are used.

// A requestOption is an option of a call in its new form, or a list of them.
type requestOption struct {
	text       string
	isList     bool
	kind       optionKind
	repeatable bool // evaluating it twice changes nothing
}

// An optionKind says what an option may be, beside one of this library.
type optionKind uint8

const (
	plainOption   optionKind = 0
	contextOption optionKind = 1 << iota // it may carry a context
	functionOption
	anyOption = contextOption | functionOption
)

// readOptions reads the options of a call: what follows the parameters of the method.
func (c *newCall) readOptions(args []ast.Expr, spread bool) bool {
	if spread && len(args) == 1 {
		return c.readList(args[0])
	}
	return !slices.ContainsFunc(args, func(arg ast.Expr) bool { return !c.readOption(arg) })
}

func (c *newCall) readOption(arg ast.Expr) bool {
	if id := idOf(arg); isNil(c.r.info, arg) || id != nil && c.without == id.Name {
		return true
	}
	if ctx := c.r.contextIn(arg); ctx != nil { // it replaces those of the options before
		c.context, c.since = c.r.render(ctx), len(c.given)
		return true
	}
	if rule := c.r.ruleIn(arg); rule != nil {
		c.rule = c.r.render(rule)
		return true
	}
	return c.add(arg, false)
}

// readList reads options in a list.
func (c *newCall) readList(arg ast.Expr) bool {
	arg = ast.Unparen(arg)
	if lit, ok := arg.(*ast.CompositeLit); ok && !slices.ContainsFunc(lit.Elts, isKeyed) {
		return c.readOptions(lit.Elts, false)
	}
	call, ok := arg.(*ast.CallExpr)
	if ok && c.r.appends(call) && c.r.holdsContext(call) {
		last := len(call.Args) - 1
		if call.Ellipsis.IsValid() {
			return c.readList(call.Args[0]) && c.readList(call.Args[last])
		}
		return c.readList(call.Args[0]) && c.readOptions(call.Args[1:], false)
	}
	if id := idOf(arg); id != nil {
		if l := c.r.listContext(c.r.info.Uses[id]); l != nil {
			c.context, c.since = l.ctx.Name(), len(c.given)
			c.given = append(c.given,
				requestOption{text: c.r.render(arg), isList: true, kind: l.kind, repeatable: true})
			return true
		}
	}
	return c.add(arg, true)
}

func isKeyed(e ast.Expr) bool {
	_, keyed := e.(*ast.KeyValueExpr)
	return keyed
}

func (c *newCall) add(arg ast.Expr, isList bool) bool {
	blocks := c.r.blocks
	c.given = append(c.given, requestOption{text: c.r.render(arg), isList: isList,
		kind: c.r.optionKind(arg), repeatable: c.r.isRepeatable(arg)})
	return c.r.blocks == blocks
}

// finishOptions decides how the options are passed, once the context of the call is known to be
// among them or not. It reports false if they cannot be passed.
func (c *newCall) finishOptions() bool {
	if c.context == "" {
		c.context = c.r.contextAt(c.node)
	}
	c.addRule()
	defer c.carryRule()
	all := c.given
	carries := func(o requestOption) bool { return o.kind&contextOption != 0 }
	later := slices.DeleteFunc(slices.Clone(all[c.since:]), func(o requestOption) bool { return !carries(o) })
	if c.r.p.carries && len(later) > 0 {
		if slices.ContainsFunc(later, func(o requestOption) bool { return !o.repeatable }) {
			if slices.ContainsFunc(all[:c.since], carries) {
				return c.fail("pass the context after all options that may carry another one")
			}
			c.kept, c.list = c.r.unused("requestOptions"), c.r.listText(all)
			all = []requestOption{{text: c.kept, isList: true, kind: anyOption}}
			later = all
		}
		c.context = c.r.free("callContext") + "(" + c.context + ", " + c.r.listText(later) + ")"
	}
	switch {
	case slices.ContainsFunc(all, c.r.p.isExpanded):
		c.r.help("withContext")
		c.requests = []string{c.r.free("callOptions") + "(" + c.r.listText(all) + ")..."}
	case slices.ContainsFunc(all, func(o requestOption) bool { return o.isList }):
		c.requests = []string{c.r.listText(all) + "..."}
	default:
		for _, o := range all {
			c.requests = append(c.requests, o.text)
		}
	}
	return true
}

// isExpanded reports whether callOptions has to look at an option.
func (p *program) isExpanded(o requestOption) bool {
	return p.carries && o.kind&contextOption != 0 || p.functions && o.kind&functionOption != 0
}

// keepOptions evaluates the options before a call that uses them twice.
func (c *newCall) keepOptions(text string) (string, bool) {
	if c.kept == "" {
		return text, true
	}
	switch c.r.parents[c.node].(type) {
	case *ast.DeferStmt, *ast.GoStmt:
		return c.r.block(c.node, "context", "put the options into a variable before the call: they may carry a context")
	}
	var results []string
	for v := range c.to.Signature().Results().Variables() {
		results = append(results, c.r.typeString(v.Type()))
	}
	return "func() (" + strings.Join(results, ", ") + ") {\n" + c.kept + " := " + c.list + "\nreturn " + text +
		"\n}()", true
}

// listText renders options as one list.
func (r *mover) listText(options []requestOption) string {
	text := ""
	for len(options) > 0 {
		if options[0].isList {
			if text == "" {
				text = options[0].text
			} else {
				text = "append(" + text + ", " + options[0].text + "...)"
			}
			options = options[1:]
			continue
		}
		var single []string
		for len(options) > 0 && !options[0].isList {
			single, options = append(single, options[0].text), options[1:]
		}
		if text == "" {
			text = r.use("[]serviceapi.RequestOption{") + strings.Join(single, ", ") + "}"
		} else {
			text = "append(" + text + ", " + strings.Join(single, ", ") + ")"
		}
	}
	return text
}

// unused returns a name that the file does not use.
func (r *reader) unused(name string) string {
	for r.isTaken(name) {
		name += "_"
	}
	return name
}

// contextIn returns ctx for WithContext(ctx), or nil.
func (r *reader) contextIn(n ast.Expr) ast.Expr {
	call, ok := ast.Unparen(n).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil
	}
	if obj := r.oldObject(call.Fun); obj == nil || obj.Name() != "WithContext" {
		return nil
	}
	return call.Args[0]
}

// optionKind returns what an option, or one in a list, may be. Functions of the program are looked
// into.
func (r *reader) optionKind(n ast.Expr) optionKind {
	return r.p.optionKind(r.info, n, map[*unit]bool{})
}

func (p *program) optionKind(info *types.Info, n ast.Expr, seen map[*unit]bool) optionKind {
	if isNil(info, n) {
		return plainOption
	}
	var kind optionKind
	switch n := ast.Unparen(n).(type) {
	case *ast.FuncLit:
		return functionOption
	case *ast.Ident:
		if _, isFunc := info.Uses[n].(*types.Func); isFunc {
			return functionOption
		}
	case *ast.CompositeLit:
		for _, e := range n.Elts {
			kind |= p.optionKind(info, e, seen)
		}
		return kind
	case *ast.CallExpr:
		return p.calledKind(info, n, seen)
	}
	return anyOption
}

func (p *program) calledKind(info *types.Info, n *ast.CallExpr, seen map[*unit]bool) optionKind {
	f, ok := info.Uses[calledName(n)].(*types.Func)
	switch {
	case info.Types[n.Fun].IsType() && len(n.Args) == 1:
		return p.optionKind(info, n.Args[0], seen)
	case info.Types[n.Fun].IsBuiltin() && idName(n.Fun) == "append":
		var kind optionKind
		for _, arg := range n.Args {
			kind |= p.optionKind(info, arg, seen)
		}
		return kind
	case !ok, isOld(f) && (f.Name() == "WithContext" || f.Name() == "WithNext"):
		return anyOption
	case isOld(f) && f.Name() == "WithHeaders":
		return functionOption
	case isOld(f):
		return plainOption
	}
	u := p.unitOf(f.Origin())
	if u == nil || seen[u] {
		return anyOption
	}
	decl, ok := u.node.(*ast.FuncDecl)
	if !ok || decl.Body == nil {
		return anyOption
	}
	seen[u] = true
	var kind optionKind
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) != 1 {
				kind = anyOption
				return false
			}
			kind |= p.optionKind(u.info, n.Results[0], seen)
		}
		return true
	})
	return kind
}

// isRepeatable reports whether an expression has the same value when it is evaluated again, and no
// effects.
func (r *reader) isRepeatable(n ast.Expr) bool {
	repeatable := true
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			known := r.oldObject(n.Fun) != nil || r.info.Types[n.Fun].IsType() || r.info.Types[n.Fun].IsBuiltin()
			repeatable = repeatable && known
		case *ast.UnaryExpr:
			repeatable = repeatable && n.Op != token.ARROW
		case *ast.FuncLit:
			return false
		}
		return repeatable
	})
	return repeatable
}
