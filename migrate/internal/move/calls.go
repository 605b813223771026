package move

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"example.com/serviceapi/migrate/internal/table"
)

// A Site is a call of client-go.
type Site struct {
	Old     string // such as "Jobs.GetJob" or "NewClient"
	New     string // the replacement, or "" without a counterpart
	Covered bool
	node    ast.Node
}

// call rewrites a call.
func (r *mover) call(n *ast.CallExpr) (string, bool) {
	if obj := r.oldObject(n.Fun); obj != nil {
		switch obj := obj.(type) {
		case *types.Func:
			return r.functionCall(n, obj)
		case *types.TypeName:
			return r.conversion(n, obj)
		}
	}
	if text, ok := r.labelsOf(n); ok {
		return text, true
	}
	if text, ok := r.decodesField(n); ok {
		return text, true
	}
	if text, ok := r.appendOption(n); ok {
		return text, true
	}
	if text, ok := r.flag(n); ok {
		return text, true
	}
	if text, ok := r.failureTest(n); ok {
		return text, true
	}
	sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
	if !ok {
		return "", false
	}
	s := r.info.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal {
		return "", false
	}
	if service, _ := r.calledService(s); service != "" && isOld(s.Obj()) {
		return r.serviceCall(n, sel, s, service)
	}
	if isOld(s.Obj()) {
		return r.methodCall(n, sel, s)
	}
	return "", false
}

// version returns the version of client-go that declares an object.
func (r *reader) version(obj types.Object) table.Version { return r.p.old.versions[obj.Pkg().Path()] }

// serviceCall rewrites a call of a method of a service.
func (r *mover) serviceCall(
	n *ast.CallExpr, sel *ast.SelectorExpr, s *types.Selection, service string,
) (string, bool) {
	name := service + "." + sel.Sel.Name
	f := s.Obj().(*types.Func)
	if name == "GenericPackages.FormatPackageURL" {
		return r.packagePath(n)
	}
	forms := r.wideForms(n, name, f)
	method, reason := r.formOf(n, name, f)
	if len(forms) > 0 {
		method = forms[0]
	}
	if method == nil {
		if text, ok := r.either(n, sel, name, f); ok {
			return text, true
		}
		if name == resolving {
			method, _ = r.form(name, f)
		}
		if method == nil {
			return r.block(n, "no counterpart", "%s: %s", name, reason)
		}
	}
	return r.callOf(n, sel, name, f, method)
}

// either rewrites a call that becomes one of two calls. The value of a field decides at
// run time.
func (r *mover) either(n *ast.CallExpr, sel *ast.SelectorExpr, name string, f *types.Func) (string, bool) {
	var texts [2]string
	condition, results := "", ""
	for _, m := range r.p.table.Method(name) {
		if m.When.Field == "" || !m.Has(r.version(f)) {
			return "", false
		}
		for i, param := range m.Params {
			if m.When.Param == param && i < len(n.Args) {
				if lit := r.literalOf(n.Args[i]); lit != nil && len(lit.Elts) == 1 {
					condition = r.condition(r.literalField(lit, m.When.Field))
				}
			}
		}
		text, _ := r.callOf(n, sel, name, f, m)
		at := 0
		if m.When.Not {
			at = 1
		}
		texts[at] = text
		results, _ = r.madeResults(f.Signature().Results(), r.p.newMethod(m.NewService(), m.NewName()))
	}
	if condition == "" || results == "" || texts[0] == "" || texts[1] == "" {
		return "", false
	}
	return "func() " + results + " {\nif " + condition + " {\nreturn " + texts[0] + "\n}\nreturn " + texts[1] +
		"\n}()", true
}

// condition renders the value of an option as a condition, or returns "" if that is
// impossible.
func (r *mover) condition(value ast.Expr) string {
	if value == nil {
		return ""
	}
	if inner := r.pointed(value); inner != nil {
		return r.render(inner)
	}
	if pointer, ok := r.info.TypeOf(value).Underlying().(*types.Pointer); ok && isBool(pointer.Elem()) {
		if !r.isSet(value) {
			r.note(value, "null", r.source(value)+" counts as false if it is nil: client-go leaves it out then")
		}
		return r.help("valueOf") + "(" + r.render(value) + ")"
	}
	return ""
}

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// callOf rewrites a call by a line of the table.
func (r *mover) callOf(
	n *ast.CallExpr, sel *ast.SelectorExpr, name string, f *types.Func, method *table.Method,
) (string, bool) {
	to := r.p.newMethod(method.NewService(), method.NewName())
	if to == nil {
		return r.block(n, "no counterpart", "%s has no counterpart", name)
	}
	receiver, ok := r.receiver(sel.X, method)
	if _, fields := r.calledService(r.info.Selections[sel]); len(fields) > 0 {
		receiver, ok = r.embeddedReceiver(sel.X, fields, method)
	}
	if !ok {
		return r.block(n, "service value", "%s: %s is called through a value of another service", name, method.New)
	}
	return r.callOn(receiver, n, f, method, to)
}

// callOn rewrites a call by a line of the table, on a receiver of this library.
func (r *mover) callOn(
	receiver string, n *ast.CallExpr, f *types.Func, method *table.Method, to *types.Func,
) (string, bool) {
	c := &newCall{r: r, node: n, method: method, to: to, values: map[string]ast.Expr{}}
	if !c.read(f) {
		return r.source(n), true
	}
	c.forms = r.wideForms(n, method.Old, f)
	if text, ok := c.resolve(receiver); ok {
		return text, true
	}
	args, ok := c.arguments()
	if !ok {
		return r.source(n), true
	}
	if method.Old == "Users.CreateUserRunner" && len(n.Args) > 0 {
		if owner := r.lateOwner(n.Args[0]); owner != "" {
			args[1] = owner // after the context
		}
	}
	if text := differences[method.Old]; text != "" {
		r.note(n, "result", text)
	}
	if method.Old == "Repositories.ListTree" && len(args) > 2 && r.usesResponse(n) {
		args[2] = r.help("numberedTree") + "(" + args[2] + ")"
	}
	if method.Old == "GraphQL.Do" {
		return c.keepOptions(r.help("doGraphQL") + r.list(n, append([]string{args[0], receiver}, args[1:]...)))
	}
	text, ok := c.keepOptions(receiver + "." + method.NewName() + r.list(n, args))
	if !ok {
		return text, true
	}
	return r.results(n, text, f.Signature(), to.Signature()), true
}

// form returns the line of the table for the version of a method that the program uses,
// or a reason why there is none.
func (r *reader) form(name string, f *types.Func) (*table.Method, string) {
	reason := "has no counterpart"
	params := f.Signature().Params().Len()
	if f.Signature().Variadic() {
		params--
	}
	for _, m := range r.p.table.Method(name) {
		switch {
		case m.ByHand != "":
			reason = m.ByHand
		case m.Has(r.version(f)) && len(m.Params) == params:
			return m, ""
		}
	}
	// Older releases have fewer parameters. The missing ones are options that came
	// later.
	for _, m := range r.p.table.Method(name) {
		if m.ByHand == "" && m.Has(r.version(f)) && len(m.Params) > params &&
			sameNames(m.Params, f.Signature(), params) {
			return m, ""
		}
	}
	return nil, reason
}

// sameNames reports whether an older release has the first parameters of a form.
func sameNames(names []string, signature *types.Signature, n int) bool {
	for i := range n {
		if strings.TrimSuffix(names[i], "...") != signature.Params().At(i).Name() {
			return false
		}
	}
	return true
}

// formOf returns the line of the table for a call: the call sets its fields and meets
// its condition.
func (r *mover) formOf(n *ast.CallExpr, name string, f *types.Func) (*table.Method, string) {
	first, reason := r.form(name, f)
	if first == nil {
		return nil, reason
	}
	for _, m := range r.p.table.Method(name) {
		if m.ByHand != "" || !m.Has(r.version(f)) || len(m.Params) != len(first.Params) {
			continue
		}
		if r.fits(n, m) {
			return m, ""
		}
	}
	if first.When.Field != "" {
		return nil, "which method it becomes depends on " + first.When.Field
	}
	return first, ""
}

func (r *mover) fits(n *ast.CallExpr, m *table.Method) bool {
	for i, param := range m.Params {
		if i >= len(n.Args) {
			return false
		}
		lit := r.literalOf(n.Args[i])
		if lit == nil && !r.isZero(n.Args[i]) && !takes(m.Args, strings.TrimSuffix(param, "...")) {
			return false
		}
		for _, field := range m.Uses(param) {
			if lit == nil || r.literalField(lit, field) == nil {
				return false
			}
		}
		if m.When.Param == param && m.When.Field != "" {
			value := r.literalField(lit, m.When.Field)
			constant := r.info.Types[r.plain(value)].Value
			if constant == nil || (constant.ExactString() == "true") == m.When.Not {
				return false
			}
		}
	}
	return true
}

// takes reports whether arguments use a parameter.
func takes(args []table.Arg, param string) bool {
	return slices.ContainsFunc(args, func(arg table.Arg) bool {
		return arg.Param == param || takes(arg.Args, param) || slices.ContainsFunc(arg.Fields,
			func(f table.FieldArg) bool { return takes([]table.Arg{f.Value}, param) })
	})
}

// literalField returns the value of a field in a literal, or nil.
func (r *reader) literalField(lit *ast.CompositeLit, name string) ast.Expr {
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok && idOf(kv.Key) != nil && idOf(kv.Key).Name == name {
			return kv.Value
		}
	}
	return nil
}

// receiver returns the receiver of a method: a field of the client.
func (r *mover) receiver(x ast.Expr, method *table.Method) (string, bool) {
	sel, ok := ast.Unparen(x).(*ast.SelectorExpr)
	if ok {
		if s := r.info.Selections[sel]; s != nil && oldName(s.Recv()) == "Client" {
			return r.clientText(sel.X) + "." + method.NewService(), true
		}
		if s := r.info.Selections[sel]; s != nil && isOld(s.Obj()) { // through an embedded client
			return r.promotedText(sel.X, s) + "." + method.NewService(), true
		}
	}
	if r.p.whole[method.Service()] {
		return r.render(x) + "." + method.NewService(), true
	}
	return r.render(x), r.newService(method.Service()) == method.NewService()
}

// calledService returns the service of which a method is selected, and the embedded fields between
// a struct of the program and the service. The service is "" for other methods.
func (r *reader) calledService(s *types.Selection) (service string, fields []*types.Var) {
	if s == nil {
		return "", nil
	}
	if service := r.p.old.service(s.Recv()); service != "" {
		return service, nil
	}
	t := s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] {
		of, ok := deref(t).Underlying().(*types.Struct)
		if !ok || i >= of.NumFields() || isOld(of.Field(i)) {
			return "", nil
		}
		fields = append(fields, of.Field(i).Origin())
		t = of.Field(i).Type()
	}
	return r.p.old.service(t), fields
}

// embeddedReceiver renders the receiver of a method that a struct of the program has from a service
// in it. The struct may have a method of the new name, so the field is named.
func (r *mover) embeddedReceiver(x ast.Expr, fields []*types.Var, method *table.Method) (string, bool) {
	text := r.render(x)
	for _, field := range fields[:len(fields)-1] {
		text += "." + field.Name()
	}
	name := r.serviceName(method.Service())
	if name == "" {
		return text, false
	}
	text += "." + name
	if r.p.whole[method.Service()] {
		return text + "." + method.NewService(), true
	}
	return text, r.newService(method.Service()) == method.NewService()
}

// list puts arguments between parentheses. Arguments on lines of their own stay there.
func (r *mover) list(n *ast.CallExpr, args []string) string {
	if lost := r.commentsBetween(n); len(lost) > 0 {
		return "(\n" + strings.Join(lost, "\n") + "\n" + strings.Join(args, ",\n") + ",\n)"
	}
	if len(n.Args) > 0 && r.line(n.Args[0]) > r.p.fset.Position(n.Lparen).Line {
		return "(\n" + strings.Join(args, ",\n") + ",\n)"
	}
	return "(" + strings.Join(args, ", ") + ")"
}

// commentsBetween returns the comments between the arguments of a call. They move with
// the arguments.
func (r *reader) commentsBetween(n *ast.CallExpr) []string {
	var texts []string
	for _, group := range r.u.file.syntax.Comments {
		for _, c := range group.List {
			inside := slices.ContainsFunc(n.Args, func(arg ast.Expr) bool {
				return arg.Pos() <= c.Pos() && c.End() <= arg.End()
			})
			if n.Lparen < c.Pos() && c.End() <= n.Rparen && !inside {
				texts = append(texts, c.Text)
			}
		}
	}
	return texts
}

func (r *reader) line(n ast.Node) int { return r.p.fset.Position(n.Pos()).Line }

// results adapts the results of a call if their number or types differ.
func (r *mover) results(n *ast.CallExpr, text string, old, now *types.Signature) string {
	if _, alone := r.parents[n].(*ast.ExprStmt); alone {
		return text
	}
	before, after := old.Results(), now.Results()
	if before.Len() == 3 && after.Len() == 3 && !r.dropsFirst(n) {
		if field := r.m.within(before.At(0).Type(), after.At(0).Type()); field != nil {
			name := "unwrap" + newName(after.At(0).Type())
			r.helpers[name+" "+field.Name()+" "+r.typeString(field.Type())] = true
			return r.free(name) + "(" + text + ")"
		}
	}
	switch {
	case before.Len()+1 == after.Len():
		if a, ok := r.parents[n].(*ast.AssignStmt); ok && len(a.Rhs) == 1 {
			r.dropped[a] = true // see assign
			return text
		}
		return r.help("withoutResult") + "(" + text + ")"
	case before.Len() == after.Len() && before.Len() > 0 && newName(after.At(0).Type()) == "Download":
		switch types.TypeString(before.At(0).Type(), nil) {
		case "[]byte":
			return r.help("readAll") + "(" + text + ")"
		case "*bytes.Reader", "io.Reader":
			return r.help("readerOf") + "(" + text + ")"
		}
	}
	return text
}

// dropsFirst reports whether the first result of a call is assigned to the blank.
func (r *reader) dropsFirst(n *ast.CallExpr) bool {
	a, ok := r.parents[n].(*ast.AssignStmt)
	return ok && idName(a.Lhs[0]) == "_"
}

// newName returns the name of a type of this library or of a pointer to one, or "".
func newName(t types.Type) string {
	named := namedOf(t)
	if named == nil || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != "example.com/serviceapi" {
		return ""
	}
	return named.Obj().Name()
}

// methodCall rewrites a call of a method of a value that is not a service.
func (r *mover) methodCall(n *ast.CallExpr, sel *ast.SelectorExpr, s *types.Selection) (string, bool) {
	receiver := oldName(s.Recv())
	x := r.clientText(sel.X)
	if field := promoted(s); field != nil {
		receiver, x = oldName(field.Type()), r.promotedText(sel.X, s)
	}
	switch receiver + "." + sel.Sel.Name {
	case "ErrorResponse.HasStatusCode":
		return fmt.Sprintf("(%s != nil && %s.StatusCode == %s)", x, x, r.render(n.Args[0])), true
	case "ErrorResponse.Error", "ISOTime.String":
		return x + "." + sel.Sel.Name + "()", true
	case "Client.BaseURL":
		return r.baseURL(n, x)
	case "Client.NewRequest", "Client.Do":
		return r.rawCall(n, sel.Sel.Name, x)
	}
	if receiver != "" && r.hasMethod(receiver, sel.Sel.Name) {
		return "", false
	}
	if text, ok := r.decodesItself(n, sel); ok {
		return text, true
	}
	return r.block(n, "no counterpart", "%s.%s has no counterpart", receiver, sel.Sel.Name)
}

// rawCall rewrites a call of an endpoint by its path.
func (r *mover) rawCall(n *ast.CallExpr, name, client string) (string, bool) {
	var args []string
	for _, arg := range n.Args {
		args = append(args, r.render(arg))
	}
	switch {
	case name == "NewRequest" && len(args) == 4:
		return r.help("newRequest") + r.list(n, args), true
	case name == "Do" && len(args) == 2:
		r.help("newRequest")
		return r.free("doRequest") + r.list(n, append([]string{r.contextAt(n), client}, args...)), true
	}
	return r.block(n, "no counterpart", "%s: serviceapi.Client.Do calls an endpoint by its path", name)
}

func (r *reader) hasMethod(old, name string) bool {
	t := r.p.newType(r.m.typeName(old))
	if t == nil {
		return false
	}
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, r.p.library, name)
	_, ok := obj.(*types.Func)
	return ok
}

// baseURL rewrites client.BaseURL(), which returns a *url.URL in client-go and a string in
// this library.
func (r *mover) baseURL(n *ast.CallExpr, x string) (string, bool) {
	return r.help("baseURLOf") + "(" + x + ")", true
}
