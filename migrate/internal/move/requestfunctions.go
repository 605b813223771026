package move

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"net/http"
	"slices"
)

// A program may write an option of a call itself: a function that changes the request before it is
// sent. What such a function does to headers and to the query is done by options here.

// refusedHeaders are the headers that [serviceapi.WithHeader] refuses.
var refusedHeaders = []string{"Authorization", "Private-Token", "Job-Token", "Cookie", "Sudo", "Host", "Content-Length",
	"Transfer-Encoding", "Connection", "Content-Type", "Accept-Encoding"}

// withHeader rewrites an option that sets a header. Some headers have options of their own.
func (r *mover) withHeader(n *ast.CallExpr) (string, bool) {
	if len(n.Args) != 2 {
		return r.block(n, "call", "the arguments are the results of another call")
	}
	return r.headerOption(n, n.Args[0], n.Args[1])
}

func (r *mover) headerOption(n, header, value ast.Expr) (string, bool) {
	name, isConstant := r.headerName(header)
	switch {
	case name == "Private-Token", name == "Job-Token":
		maker := map[string]string{"Private-Token": "PrivateToken", "Job-Token": "JobToken"}[name]
		return r.use("serviceapi.WithCredential(") + r.credentialText(maker, value) + ")", true
	case name == "Sudo":
		ref, ok := r.reference("user", value)
		return r.use("serviceapi.WithSudo(") + ref + ")", ok
	case slices.Contains(refusedHeaders, name):
		return r.block(n, "credential", "the header %s cannot be set here: see serviceapi.WithHeader", name)
	case !isConstant:
		r.note(n, "refused", "a header of a credential, or one that describes the body, is refused before anything "+
			"is sent")
	}
	return r.use("serviceapi.WithHeader(") + r.render(header) + ", " + r.render(value) + ")", true
}

// withHeaders rewrites an option that sets several headers. callOptions makes options of the library of
// it.
func (r *mover) withHeaders(n *ast.CallExpr) (string, bool) {
	if lit, ok := ast.Unparen(n.Args[0]).(*ast.CompositeLit); ok && len(lit.Elts) == 1 {
		if kv, keyed := lit.Elts[0].(*ast.KeyValueExpr); keyed {
			return r.headerOption(n, kv.Key, kv.Value)
		}
	}
	r.note(n, "refused", "a header of a credential, or one that describes the body, is refused before anything is sent")
	r.p.functions = true
	return r.help("withHeaders") + "(" + r.render(n.Args[0]) + ")", true
}

// headerName returns the name of a header, and whether it is a constant.
func (r *reader) headerName(n ast.Expr) (string, bool) { return constantHeader(r.info, n) }

func constantHeader(info *types.Info, n ast.Expr) (string, bool) {
	value := info.Types[n].Value
	if value == nil || value.Kind() != constant.String {
		return "", false
	}
	return http.CanonicalHeaderKey(constant.StringVal(value)), true
}

// requestFunction converts a function to an option, if all that it does to the request is to set
// headers and parameters of the query.
func (k *repairer) requestFunction(n ast.Expr, text string, have types.Type) (string, bool) {
	signature, ok := have.Underlying().(*types.Signature)
	if !ok || n == nil || signature.Params().Len() != 1 ||
		types.TypeString(signature.Params().At(0).Type(), nil) != "*"+retryable+".Request" {
		return "", false
	}
	info, fun, body := k.info, (*ast.FuncType)(nil), (*ast.BlockStmt)(nil)
	switch n := ast.Unparen(n).(type) {
	case *ast.FuncLit:
		fun, body = n.Type, n.Body
	case *ast.Ident:
		f, ok := k.pack.src.Types.Scope().Lookup(n.Name).(*types.Func)
		if _, isFunc := k.info.Uses[n].(*types.Func); !ok || !isFunc {
			return "", false
		}
		u := k.v.p.unitOf(f)
		if u == nil {
			return "", false
		}
		decl := u.node.(*ast.FuncDecl)
		info, fun, body = u.info, decl.Type, decl.Body
	}
	if body == nil || !onlySets(info, fun, body) {
		return "", false
	}
	if !k.v.p.functions {
		k.v.p.functions, k.v.unsettled = true, true
	}
	return k.help("requestFunc") + "(" + text + ")", true
}

// onlySets reports whether a function for a request does nothing to it but to set headers and
// parameters, and returns no error.
func onlySets(info *types.Info, fun *ast.FuncType, body *ast.BlockStmt) bool {
	names := fun.Params.List[0].Names
	if len(names) == 0 || names[0].Name == "_" {
		return returnsNil(info, body)
	}
	s := &setter{info: info, request: info.Defs[names[0]], queries: map[types.Object]bool{},
		seen: map[*ast.Ident]bool{}}
	ast.Inspect(body, func(n ast.Node) bool {
		if statement, ok := n.(ast.Stmt); ok {
			s.statement(statement)
		}
		return true
	})
	only := returnsNil(info, body)
	ast.Inspect(body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if ok && !s.seen[id] && info.Uses[id] != nil && (info.Uses[id] == s.request || s.queries[info.Uses[id]]) {
			only = false
		}
		return only
	})
	return only
}

// A setter notes the uses of a request that set something.
type setter struct {
	info    *types.Info
	request types.Object
	queries map[types.Object]bool // variables with its query
	seen    map[*ast.Ident]bool
}

func (s *setter) statement(n ast.Stmt) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if len(n.Lhs) == 1 && len(n.Rhs) == 1 {
			s.assign(n)
		}
	case *ast.ExprStmt:
		call, ok := n.X.(*ast.CallExpr)
		if !ok {
			return
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
			s.call(sel, call)
		}
	}
}

// assign accepts q := req.URL.Query() and req.URL.RawQuery = q.Encode().
func (s *setter) assign(n *ast.AssignStmt) {
	call, ok := n.Rhs[0].(*ast.CallExpr)
	if !ok {
		return
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	if id := idOf(n.Lhs[0]); id != nil && n.Tok == token.DEFINE && sel.Sel.Name == "Query" {
		if from := s.member(sel.X, "URL"); from != nil {
			s.seen[from] = true
			s.queries[s.info.Defs[id]] = true
		}
		return
	}
	left, ok := n.Lhs[0].(*ast.SelectorExpr)
	if !ok || left.Sel.Name != "RawQuery" || sel.Sel.Name != "Encode" {
		return
	}
	from, query := s.member(left.X, "URL"), idOf(sel.X)
	if from != nil && query != nil && s.queries[s.info.Uses[query]] {
		s.seen[from], s.seen[query] = true, true
	}
}

// call accepts q.Set(name, value), req.Header.Set(name, value), and req.Header.Add for a header that
// the library does not set itself.
func (s *setter) call(sel *ast.SelectorExpr, call *ast.CallExpr) {
	adds := sel.Sel.Name == "Add"
	if !adds && sel.Sel.Name != "Set" || len(call.Args) != 2 {
		return
	}
	if id := idOf(sel.X); id != nil && s.queries[s.info.Uses[id]] {
		s.seen[id] = !adds // a parameter of that name is replaced here
	}
	name, isConstant := constantHeader(s.info, call.Args[0])
	if !isConstant || slices.Contains(refusedHeaders, name) || adds && (name == "Accept" || name == "User-Agent") {
		return
	}
	if id := s.member(sel.X, "Header"); id != nil {
		s.seen[id] = true
	}
}

// member returns req for req.URL and the like, or nil.
func (s *setter) member(n ast.Expr, name string) *ast.Ident {
	sel, ok := n.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != name {
		return nil
	}
	if id := idOf(sel.X); id != nil && s.info.Uses[id] == s.request {
		return id
	}
	return nil
}

// returnsNil reports whether a function returns nil wherever it returns.
func returnsNil(info *types.Info, body *ast.BlockStmt) bool {
	always := true
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			always = always && len(n.Results) == 1 && isNil(info, n.Results[0])
		}
		return always
	})
	return always
}
