package move

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// credentialText renders the credential of a token that may be empty: client-go then sends none.
func (r *mover) credentialText(maker string, token ast.Expr) string {
	r.use("serviceapi.")
	if value := r.info.Types[token].Value; value != nil && constant.StringVal(value) == "" {
		return "serviceapi.Anonymous()"
	}
	if r.isFilled(token) {
		return "serviceapi." + maker + "(" + r.render(token) + ")"
	}
	return r.help("credentialOf") + "(serviceapi." + maker + ", " + r.render(token) + ")"
}

// isFilled reports whether a value is certainly not the zero value of its type: a constant, a text
// with a fixed part, or what was tested before.
func (r *reader) isFilled(n ast.Expr) bool {
	n = ast.Unparen(n)
	if value := r.info.Types[n].Value; value != nil {
		return !isZeroConstant(value)
	}
	switch n := n.(type) {
	case *ast.BinaryExpr:
		return n.Op == token.ADD && isString(r.info.TypeOf(n)) && (r.isFilled(n.X) || r.isFilled(n.Y))
	case *ast.CallExpr:
		if r.info.Types[n.Fun].IsType() && len(n.Args) == 1 {
			return r.isFilled(n.Args[0])
		}
		if f, ok := r.info.Uses[calledName(n)].(*types.Func); ok && f.Pkg() != nil {
			switch f.Pkg().Path() + "." + f.Name() {
			case "strconv.Itoa", "strconv.FormatInt", "time.Now":
				return true
			case "fmt.Sprintf":
				format := r.info.Types[n.Args[0]].Value
				return format != nil && !strings.HasPrefix(constant.StringVal(format), "%")
			}
		}
	case *ast.CompositeLit:
		return len(n.Elts) > 0
	case *ast.Ident, *ast.SelectorExpr:
		return r.isTested(n)
	}
	return false
}

func isZeroConstant(v constant.Value) bool {
	switch v.Kind() {
	case constant.Bool:
		return !constant.BoolVal(v)
	case constant.String:
		return constant.StringVal(v) == ""
	}
	return constant.Sign(v) == 0
}

// isTested reports whether code is only reached if a variable or a field is not empty.
func (r *reader) isTested(n ast.Expr) bool {
	return r.isTestedFor(n, func(n ast.Expr) bool {
		value := r.info.Types[n].Value
		return value != nil && isZeroConstant(value)
	})
}

// isSet reports whether a pointer is certainly not nil: a new one, or what was tested before.
func (r *reader) isSet(n ast.Expr) bool {
	if !isPointer(r.info.TypeOf(n)) || r.pointed(n) != nil || newArgument(n) != nil {
		return true
	}
	switch n := ast.Unparen(n).(type) {
	case *ast.Ident, *ast.SelectorExpr:
		return r.isTestedFor(n, func(n ast.Expr) bool { return isNil(r.info, n) })
	}
	return false
}

// isTestedFor reports whether code is only reached if an expression differs from a certain value.
func (r *reader) isTestedFor(n ast.Expr, value func(ast.Expr) bool) bool {
	text := r.source(n)
	var child ast.Node = n
	for parent := r.parents[child]; parent != nil; child, parent = parent, r.parents[parent] {
		var list []ast.Stmt
		switch parent := parent.(type) {
		case *ast.FuncLit:
			return false
		case *ast.IfStmt:
			if child == parent.Body && r.compares(parent.Cond, text, value, token.NEQ, token.LAND) {
				return true
			}
		case *ast.BlockStmt:
			list = parent.List
		case *ast.CaseClause:
			list = parent.Body
		}
		tested := false
		for _, s := range list {
			if s == child {
				break
			}
			switch s := s.(type) {
			case *ast.IfStmt:
				if s.Else == nil && ends(s.Body) && r.compares(s.Cond, text, value, token.EQL, token.LOR) {
					tested = true
					continue
				}
			}
			tested = tested && !r.sets(s, text)
		}
		if tested {
			return true
		}
	}
	return false
}

// compares reports whether one of the operands of a condition compares an expression with a value.
func (r *reader) compares(cond ast.Expr, text string, value func(ast.Expr) bool, op, joined token.Token) bool {
	binary, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		return false
	}
	if binary.Op == joined {
		return r.compares(binary.X, text, value, op, joined) || r.compares(binary.Y, text, value, op, joined)
	}
	x, y := binary.X, binary.Y
	if call, ok := ast.Unparen(x).(*ast.CallExpr); ok && idName(call.Fun) == "len" && len(call.Args) == 1 {
		x = call.Args[0]
	}
	return binary.Op == op && r.source(x) == text && value(y)
}

// sets reports whether a statement assigns to an expression, or takes its address.
func (r *reader) sets(s ast.Stmt, text string) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				found = found || r.source(left) == text
			}
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && r.source(n.X) == text
		}
		return !found
	})
	return found
}

// ends reports whether a block leaves the function, or ends the program.
func ends(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	switch s := b.List[len(b.List)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		name := idName(calledName(call))
		for _, prefix := range []string{"panic", "Panic", "Exit", "exit", "Fatal", "fatal", "Skip", "FailNow"} {
			if strings.HasPrefix(name, prefix) {
				return true
			}
		}
	}
	return false
}

// labelFilter makes a filter by labels of names that client-go sends as one text: each may be
// several, and no name does not filter.
func (k *repairer) labelFilter(n ast.Expr, text string, have types.Type) (string, bool) {
	if names, ok := constantNames(literalIn(n), k.info); ok {
		if len(names) == 0 {
			return "serviceapi.LabelFilter{}", true
		}
		if word, ok := filterWord(names, "Label"); ok {
			return word, true
		}
		return "serviceapi.LabelsAre(" + strings.Join(quoted(names), ", ") + ")", true
	}
	converted, ok := k.convert(n, text, have, types.NewSlice(types.Typ[types.String]))
	return k.help("labelFilter") + "(" + converted + ")", ok
}

// textFilter makes a filter by a text, which may be empty, or one of the words for none and any.
func (k *repairer) textFilter(n ast.Expr, text string, have types.Type, name string) (string, bool) {
	if value := k.constant(n); value != nil && value.Kind() == constant.String {
		word, ok := filterWord([]string{constant.StringVal(value)}, name)
		switch {
		case ok:
			return word, true
		case constant.StringVal(value) == "":
			return "serviceapi." + name + "Filter{}", true
		}
		return k.filter(n, text, have, types.Typ[types.String], "serviceapi."+name+"Is(", ")")
	}
	return k.filter(n, text, have, types.Typ[types.String], k.help(strings.ToLower(name)+"Filter")+"(", ")")
}

// filterWord returns the filter for the only name, if it is a word for none or any.
func filterWord(names []string, name string) (string, bool) {
	if len(names) != 1 {
		return "", false
	}
	switch strings.ToLower(names[0]) {
	case "none":
		return "serviceapi.No" + name, true
	case "any":
		return "serviceapi.Any" + name, true
	}
	return "", false
}

// literalIn returns the literal that an expression is, or nil.
func literalIn(n ast.Expr) *ast.CompositeLit {
	if n == nil {
		return nil
	}
	lit, _ := ast.Unparen(n).(*ast.CompositeLit)
	return lit
}

func quoted(texts []string) []string {
	var list []string
	for _, text := range texts {
		list = append(list, strconv.Quote(text))
	}
	return list
}

// splitLabels renders names of labels for a body, where client-go sends commas in them as they are.
func (r *mover) splitLabels(n ast.Expr) string {
	inner := n
	if pointed := r.pointed(n); pointed != nil {
		inner = pointed
	}
	if call, ok := ast.Unparen(inner).(*ast.CallExpr); ok && r.info.Types[call.Fun].IsType() && len(call.Args) == 1 &&
		literalOf(call.Args[0]) != nil {
		inner = call.Args[0]
	}
	lit, ok := ast.Unparen(inner).(*ast.CompositeLit)
	if isNil(r.info, n) {
		return "nil"
	}
	names, constants := constantNames(lit, r.info)
	switch {
	case ok && constants && strings.Join(names, ",") == "":
		return r.use("serviceapi.LabelNames{}")
	case ok && constants:
		return r.use("serviceapi.LabelNames{") + strings.Join(quoted(names), ", ") + "}"
	}
	text := r.render(inner)
	if strings.HasPrefix(text, r.free("labelNames")+"(") {
		return text // the labels of a result
	}
	if t := r.newTypeOf(inner); t != nil && isLabelSummaries(t) {
		return r.help("labelNames") + "(" + text + ")"
	}
	return r.help("splitNames") + "(" + text + ")"
}

// constantNames returns the names in a literal of constants, separated at their commas.
func constantNames(lit *ast.CompositeLit, info *types.Info) ([]string, bool) {
	if lit == nil {
		return nil, false
	}
	var names []string
	for _, e := range lit.Elts {
		value := info.Types[e].Value
		if value == nil || value.Kind() != constant.String {
			return nil, false
		}
		for name := range strings.SplitSeq(constant.StringVal(value), ",") {
			if name != "" {
				names = append(names, name)
			}
		}
	}
	return names, true
}
