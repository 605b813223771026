package move

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// errorKinds says which calls of a program stay and which move, and which of them the
// tested errors come from.
type errorKinds struct {
	p       *program
	all     sides
	reach   map[reached]sides
	calls   map[token.Pos][]seenCall // of the functions of the program, by their places
	open    map[token.Pos]bool       // functions that are also called in ways that are not seen
	asked   map[reachedVar]bool      // variables that are looked at
	methods map[token.Pos][]*unit    // see implementing

	certain bool // what another module returns is taken for an error of its own
}

// A seenCall is a call in a unit.
type seenCall struct {
	r    *reader
	call *ast.CallExpr
}

// A reachedVar is a variable of a unit of a side: what is assigned to it, or what is passed for
// it as a parameter.
type reachedVar struct {
	pos    token.Pos
	side   sides
	passed bool
}

// A reached is a unit, as it is called by one of a side.
type reached struct {
	u       *unit
	side    sides
	certain bool
}

func (p *program) newErrorKinds() *errorKinds {
	k := &errorKinds{p: p, reach: map[reached]sides{}, asked: map[reachedVar]bool{},
		methods: map[token.Pos][]*unit{}}
	for _, u := range p.units {
		if !slices.ContainsFunc(u.sites, func(s *Site) bool { return strings.Contains(s.Old, ".") }) {
			continue
		}
		if u.left {
			k.all |= oldSide
		}
		if !u.left || u.twin {
			k.all |= newSide
		}
	}
	return k
}

// findCalls finds the calls of the functions of the program that take errors.
func (k *errorKinds) findCalls() {
	k.calls, k.open = map[token.Pos][]seenCall{}, map[token.Pos]bool{}
	names := k.p.interfaceMethods()
	for _, u := range k.p.units {
		r := k.p.reader(nil, u)
		called := map[*ast.Ident]bool{}
		ast.Inspect(u.node, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if f := r.callee(n); f != nil {
					called[calledName(n)] = true
					k.calls[f.Pos()] = append(k.calls[f.Pos()], seenCall{r, n})
				}
			case *ast.Ident:
				if f, ok := u.info.Uses[n].(*types.Func); ok && !called[n] {
					k.open[f.Origin().Pos()] = true
				}
				if f, ok := u.info.Defs[n].(*types.Func); ok && f.Signature().Recv() != nil {
					k.open[f.Pos()] = k.open[f.Pos()] || names[f.Name()]
				}
			}
			return true
		})
	}
}

// interfaceMethods returns the names of the methods in the program's interfaces.
// Methods with these names may be called through them.
func (p *program) interfaceMethods() map[string]bool {
	names := map[string]bool{}
	for _, u := range p.units {
		spec, ok := u.node.(*ast.TypeSpec)
		if !ok {
			continue
		}
		if methods, ok := u.info.TypeOf(spec.Type).(*types.Interface); ok {
			for m := range methods.Methods() {
				names[m.Name()] = true
			}
		}
	}
	return names
}

// tested returns the errors in a node that are compared with errors of client-go or
// their types.
func (r *reader) tested(n ast.Node) []ast.Expr {
	var found []ast.Expr
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if r.isErrorTest(n) {
				for _, arg := range n.Args {
					if isError(r.info.TypeOf(arg)) && !r.isOldError(arg) {
						found = append(found, arg)
						break
					}
				}
			}
		case *ast.BinaryExpr:
			switch {
			case r.isOldError(n.Y) && !r.isOldError(n.X):
				found = append(found, n.X)
			case r.isOldError(n.X) && !r.isOldError(n.Y):
				found = append(found, n.Y)
			}
		case *ast.TypeAssertExpr:
			if n.Type != nil && isErrorResponse(r.info.TypeOf(n.Type)) {
				found = append(found, n.X)
			}
		case *ast.TypeSwitchStmt:
			found = append(found, r.switchedError(n)...)
		}
		return true
	})
	return found
}

// isErrorTest reports whether a call looks for an error of client-go in another one.
func (r *reader) isErrorTest(n *ast.CallExpr) bool {
	if obj := r.oldObject(n.Fun); obj != nil || r.info.Types[n.Fun].IsType() {
		return obj != nil && obj.Name() == "HasStatusCode"
	}
	if index, ok := ast.Unparen(n.Fun).(*ast.IndexExpr); ok && isErrorResponse(r.info.TypeOf(index.Index)) {
		return true // errors.AsType
	}
	return slices.ContainsFunc(n.Args, func(arg ast.Expr) bool {
		unary, ok := ast.Unparen(arg).(*ast.UnaryExpr)
		return r.isOldError(arg) || ok && unary.Op == token.AND && isErrorResponse(r.info.TypeOf(unary.X))
	})
}

// switchedError returns the error of a type switch with a case for an error of
// client-go.
func (r *reader) switchedError(n *ast.TypeSwitchStmt) []ast.Expr {
	for _, s := range n.Body.List {
		for _, e := range s.(*ast.CaseClause).List {
			if !isErrorResponse(r.info.TypeOf(e)) {
				continue
			}
			switch a := n.Assign.(type) {
			case *ast.AssignStmt:
				return []ast.Expr{a.Rhs[0].(*ast.TypeAssertExpr).X}
			case *ast.ExprStmt:
				return []ast.Expr{a.X.(*ast.TypeAssertExpr).X}
			}
		}
	}
	return nil
}

// isOldError reports whether an expression is an error of client-go, such as ErrNotFound. In some
// releases, its type is *ErrorResponse.
func (r *reader) isOldError(n ast.Expr) bool {
	v, ok := r.oldObject(n).(*types.Var)
	return ok && (isError(v.Type()) || isErrorResponse(v.Type()) && !v.IsField())
}

func isError(t types.Type) bool {
	return t != nil && types.Identical(t, types.Universe.Lookup("error").Type())
}

// isErrorResponse reports whether a type is *ErrorResponse of client-go.
func isErrorResponse(t types.Type) bool {
	return t != nil && isPointer(t) && oldName(t) == "ErrorResponse"
}

// foreignErrors returns the tested errors in a unit that may come from the client that the unit
// does not expect: some calls of the program stay, or the unit does.
func (r *rewriter) foreignErrors() map[ast.Node]bool {
	foreign := map[ast.Node]bool{}
	if k := r.p.kinds; k != nil && k.all&^r.self.side != 0 {
		for _, e := range r.tested(r.u.node) {
			if k.of(r.reader, e, r.self.side)&k.all&^r.self.side != 0 {
				foreign[e] = true
			}
		}
	}
	return foreign
}

// onlyOld reports whether a unit tests errors, and all of them come from calls that
// stay.
func (k *errorKinds) onlyOld(r *reader) bool {
	var all sides
	if k.all&oldSide != 0 {
		for _, e := range r.tested(r.u.node) {
			all |= k.of(r, e, newSide) & k.all
		}
	}
	return all == oldSide
}

// of returns the clients that an error may come from, for a unit on a side.
func (k *errorKinds) of(r *reader, n ast.Expr, side sides) sides {
	switch n := ast.Unparen(n).(type) {
	case *ast.Ident:
		v, ok := r.info.Uses[n].(*types.Var)
		if !ok || v.IsField() || isGlobal(v) || k.p.unitOf(v) != r.u {
			break
		}
		if r.isParameter(v) {
			return k.passed(r, v, side) | k.assigned(r, v, side)
		}
		return k.assigned(r, v, side)
	case *ast.CallExpr:
		return k.called(r, n, side)
	}
	if isNil(r.info, n) {
		return 0
	}
	return bothSides
}

// isParameter reports whether a variable is a parameter of a function.
func (r *reader) isParameter(v *types.Var) bool {
	found := false
	ast.Inspect(r.u.node, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncType); ok && f.Params.Pos() <= v.Pos() && v.Pos() < f.Params.End() {
			found = true
		}
		return !found
	})
	return found
}

// passed returns the clients that errors passed for a parameter come from.
func (k *errorKinds) passed(r *reader, v *types.Var, side sides) sides {
	decl, ok := r.u.node.(*ast.FuncDecl)
	if !ok {
		return bothSides
	}
	if k.calls == nil {
		k.findCalls()
	}
	f, ok := r.info.Defs[decl.Name].(*types.Func)
	if !ok || k.open[f.Pos()] || f.Signature().Variadic() {
		return bothSides
	}
	index := -1
	for i := range f.Signature().Params().Len() {
		if f.Signature().Params().At(i) == v {
			index = i
		}
	}
	if index < 0 {
		return bothSides
	}
	at := reachedVar{v.Pos(), side, true}
	if k.asked[at] {
		return 0
	}
	k.asked[at] = true
	defer delete(k.asked, at)
	var all sides
	for _, c := range k.calls[f.Pos()] {
		if index >= len(c.call.Args) {
			return bothSides
		}
		for _, s := range []sides{oldSide, newSide} {
			calls := c.r.u.twin || s == oldSide == c.r.u.left
			if calls && (!r.u.twin || s == side) {
				all |= k.of(c.r, c.call.Args[index], s)
			}
		}
	}
	return all
}

// assigned returns the clients that errors assigned to a variable come from.
func (k *errorKinds) assigned(r *reader, v *types.Var, side sides) sides {
	at := reachedVar{v.Pos(), side, false}
	if k.asked[at] {
		return 0 // err = fmt.Errorf("…: %w", err) adds nothing
	}
	k.asked[at] = true
	defer delete(k.asked, at)
	var all sides
	is := func(e ast.Expr) bool { return idOf(e) != nil && r.info.ObjectOf(idOf(e)) == v }
	add := func(left, right []ast.Expr) {
		for i, e := range left {
			switch {
			case !is(e) || len(right) == 0:
			case len(right) == len(left):
				all |= k.of(r, right[i], side)
			default:
				all |= k.of(r, right[0], side)
			}
		}
	}
	ast.Inspect(r.u.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			add(n.Lhs, n.Rhs)
		case *ast.ValueSpec:
			var names []ast.Expr
			for _, name := range n.Names {
				names = append(names, name)
			}
			add(names, n.Values)
		case *ast.RangeStmt:
			if n.Key != nil && is(n.Key) || n.Value != nil && is(n.Value) {
				all = bothSides
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND && is(n.X) {
				all = bothSides
			}
		}
		return all != bothSides
	})
	return all
}

// called returns the clients that the error of a call may come from.
func (k *errorKinds) called(r *reader, n *ast.CallExpr, side sides) sides {
	if _, f := r.serviceMethod(n); f != nil {
		return side
	}
	if f := r.callee(n); f != nil {
		if isHelperFile(k.p.fset.Position(f.Pos()).Filename) {
			return 0
		}
		if methods := k.implementing(f); methods != nil {
			var all sides
			for _, u := range methods {
				all |= k.reached(u, side)
			}
			return all
		}
		return k.reached(k.p.unitOf(f), side)
	}
	if r.oldObject(n.Fun) != nil {
		return side
	}
	id := calledName(n)
	if id == nil || r.info.Uses[id] == nil {
		return bothSides
	}
	f, ok := r.info.Uses[id].(*types.Func)
	if !ok || f.Pkg() == nil || isOld(f) {
		return bothSides
	}
	first, _, _ := strings.Cut(f.Pkg().Path(), "/")
	if k.certain && strings.Contains(first, ".") && !k.p.isLocal(f) {
		return 0
	}
	if strings.Contains(first, ".") || k.p.isLocal(f) {
		return bothSides // who knows what another module, or another implementation, returns
	}
	var all sides
	for _, arg := range n.Args { // fmt.Errorf and the like
		if isError(r.info.TypeOf(arg)) {
			all |= k.of(r, arg, side)
		}
	}
	return all
}

// reached returns the clients whose errors a function may return: those of its calls.
func (k *errorKinds) reached(u *unit, side sides) sides {
	at := reached{u, side, k.certain}
	if s, ok := k.reach[at]; ok {
		return s
	}
	k.reach[at] = 0 // its own results add nothing
	if !u.twin {
		side = newSide
		if u.left {
			side = oldSide
		}
	}
	r := k.p.reader(nil, u)
	var all sides
	ast.Inspect(u.node, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && returnsError(r.info.TypeOf(call)) {
			all |= k.called(r, call, side)
		}
		return all != bothSides
	})
	k.reach[at] = all
	return all
}

// implementing returns the methods of the program that a method of an interface may be, nil for
// other functions. Of an interface without implementations, it returns the one that declares it.
func (k *errorKinds) implementing(f *types.Func) []*unit {
	recv := f.Signature().Recv()
	if recv == nil || !types.IsInterface(recv.Type()) {
		return nil
	}
	if methods, ok := k.methods[f.Pos()]; ok {
		return methods
	}
	methods := []*unit{}
	for _, u := range k.p.units {
		decl, ok := u.node.(*ast.FuncDecl)
		if !ok || decl.Recv == nil || decl.Name.Name != f.Name() {
			continue
		}
		method, ok := u.info.Defs[decl.Name].(*types.Func)
		if ok && sameParameters(method.Signature(), f.Signature()) {
			methods = append(methods, u)
		}
	}
	k.methods[f.Pos()] = methods
	return methods
}

// sameParameters reports whether two methods have the same parameters and results. Packages with
// tests are loaded twice, so that their types are compared by name.
func sameParameters(a, b *types.Signature) bool {
	text := func(s *types.Signature) string { return types.TypeString(bareSignature(s), nil) }
	return text(a) == text(b)
}

func returnsError(t types.Type) bool {
	tuple, ok := t.(*types.Tuple)
	if !ok {
		return isError(t)
	}
	for v := range tuple.Variables() {
		if isError(v.Type()) {
			return true
		}
	}
	return false
}

// wrapError renders an error that may come from both clients. A helper converts it to
// the side of the unit.
func (r *rewriter) wrapError(n ast.Node) (string, bool) {
	if !r.foreign[n] {
		return "", false
	}
	r.foreign[n] = false
	defer func() { r.foreign[n] = true }()
	name := "serviceErrorOf"
	if r.self.side == oldSide {
		name = "clientErrorOf"
	} else {
		r.note(n, "error", "some calls stay: it accepts the errors of both clients")
	}
	r.helpers[name+" "+r.u.file.pack.oldImport()] = true
	return r.free(name) + "(" + r.render(n) + ")", true
}

// hasStatusCode rewrites a test of the status of an error.
func (r *mover) hasStatusCode(n *ast.CallExpr) string {
	if value := r.info.Types[n.Args[1]].Value; value != nil && value.ExactString() == "404" {
		r.note(n, "error", "it is always false, as before: test errors.Is(err, serviceapi.ErrNotFound) instead")
	}
	return r.help("hasStatusCode") + "(" + r.render(n.Args[0]) + ", " + r.render(n.Args[1]) + ")"
}

// oldImport returns the path by which a package imports client-go.
func (pk *pack) oldImport() string {
	for _, f := range pk.files {
		for _, spec := range f.syntax.Imports {
			if path := importPath(spec); oldPath(path) {
				return path
			}
		}
	}
	return ""
}

// textHelpers write errors of this library as client-go does.
var textHelpers = map[string]helper{
	"errorText": {imports: []string{lib, "bytes", "encoding/json", "errors", "fmt", "net/url", "slices",
		"strings"}, text: `
// errorText returns the text of an error as client-go writes it.
func errorText(err error) string {
	failure, ok := errors.AsType[*serviceapi.Error](err)
	switch {
	case err == nil:
		return ""
	case !ok:
		return err.Error()
	}
	text := "404 Not Found"
	if failure.StatusCode != 404 {
		address := failure.URL
		if u, err := url.Parse(failure.URL); err == nil {
			address = u.Scheme + "://" + u.Host + u.RawPath
			if u.RawPath == "" {
				address += u.Path
			}
		}
		text = fmt.Sprintf("%s %s: %d", failure.Method, address, failure.StatusCode)
		if message := errorMessage(failure); message != "" {
			text += " " + message
		}
	}
	return strings.Replace(err.Error(), failure.Error(), text, 1)
}

// errorMessage returns the message of an error as client-go writes it.
func errorMessage(failure *serviceapi.Error) string {
	if len(bytes.TrimSpace(failure.Body)) == 0 && failure.Attempts == 0 {
		return failure.Message // a test has made it
	}
	if len(bytes.TrimSpace(failure.Body)) == 0 {
		return ""
	}
	var body any
	if json.Unmarshal(failure.Body, &body) != nil {
		return "failed to parse unknown error format: " + string(failure.Body)
	}
	return messageIn(body)
}

func messageIn(value any) string {
	var texts []string
	switch value := value.(type) {
	case string:
		return value
	case []any:
		for _, v := range value {
			texts = append(texts, messageIn(v))
		}
		return "[" + strings.Join(texts, ", ") + "]"
	case map[string]any:
		for name, v := range value {
			texts = append(texts, "{"+name+": "+messageIn(v)+"}")
		}
		slices.Sort(texts)
		return strings.Join(texts, ", ")
	}
	return fmt.Sprintf("failed to parse unexpected error type: %T", value)
}`},
}

// errorHelpers are the helpers that make an error of one client from that of the other one.
var errorHelpers = map[string]helper{
	"serviceErrorOf": {imports: []string{lib, "errors"}, text: `
// serviceErrorOf returns an error of client-go as one of this library, and others as they are.
func serviceErrorOf(err error) error {
	failure, ok := errors.AsType[*gitlab.ErrorResponse](err)
	var same error
	switch {
	case ok && failure.Response != nil:
		same = &serviceapi.Error{StatusCode: failure.Response.StatusCode, Message: failure.Message, Body: failure.Body}
	case errors.Is(err, gitlab.ErrNotFound):
		same = &serviceapi.Error{StatusCode: 404, Message: "404 Not Found"}
	default:
		return err
	}
	if errors.Unwrap(err) == nil {
		return same
	}
	return errors.Join(same, err)
}`},
	"clientErrorOf": {imports: []string{lib, "errors", "net/http", "net/url"}, text: `
// clientErrorOf returns an error of this library as one of client-go, and others as they are.
func clientErrorOf(err error) error {
	failure, ok := errors.AsType[*serviceapi.Error](err)
	if !ok {
		return err
	}
	address, parseErr := url.Parse(failure.URL)
	if parseErr != nil {
		address = &url.URL{}
	}
	var same error = &gitlab.ErrorResponse{Message: failure.Message, Body: failure.Body, Response: &http.Response{
		StatusCode: failure.StatusCode, Request: &http.Request{Method: failure.Method, URL: address}}}
	if failure.StatusCode == 404 {
		same = gitlab.ErrNotFound
	}
	if _, alone := err.(*serviceapi.Error); alone {
		return same
	}
	return errors.Join(same, err)
}`},
}
