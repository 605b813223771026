package move

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// The texts of errors differ from those of client-go. Where a program compares them, it gets the
// text that client-go writes; where it only shows them, it gets that of this library.

// findTexts finds the functions that compare the texts of errors of client-go, and mention nothing
// of it otherwise.
func (p *program) findTexts() {
	for _, u := range p.units {
		if u.uses || u.file.stays != "" {
			continue
		}
		r := p.reader(nil, u)
		ast.Inspect(u.node, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok && r.comparedError(e) != nil {
				u.uses = true
			}
			return !u.uses
		})
	}
}

// comparedError returns err for err.Error(), if the text is compared and the error may be one of
// client-go; else nil.
func (r *reader) comparedError(n ast.Expr) ast.Expr {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) != 0 {
		return nil
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Error" || !r.isCompared(call, 0) {
		return nil
	}
	t := r.info.TypeOf(sel.X)
	if isErrorResponse(t) || isError(t) && r.mayBeClients(sel.X) {
		return sel.X
	}
	return nil
}

// mayBeClients reports whether an error may come from a call of client-go that moves.
func (r *reader) mayBeClients(n ast.Expr) bool {
	k := r.p.kinds
	if k == nil {
		return true
	}
	k.certain = true
	defer func() { k.certain = false }()
	return k.of(r, n, newSide)&newSide != 0
}

// comparing are the packages whose functions look into a text.
var comparing = []string{"strings", "bytes", "regexp", "slices", "path", "unicode/utf8",
	"github.com/stretchr/testify/", "github.com/google/go-cmp/", "github.com/onsi/gomega", "gotest.tools/"}

// isCompared reports whether the program looks into a text, and does not only show it.
func (r *reader) isCompared(n ast.Expr, depth int) bool {
	switch parent := r.parents[n].(type) {
	case *ast.ParenExpr:
		return r.isCompared(parent, depth)
	case *ast.BinaryExpr:
		return parent.Op != token.ADD || r.isCompared(parent, depth)
	case *ast.SwitchStmt:
		return parent.Tag == n
	case *ast.CaseClause:
		return true
	case *ast.IndexExpr, *ast.SliceExpr:
		return true
	case *ast.AssignStmt:
		for i, right := range parent.Rhs {
			if right == n && len(parent.Lhs) == len(parent.Rhs) {
				return r.looksInto(parent.Lhs[i], depth)
			}
		}
	case *ast.ValueSpec:
		for i, value := range parent.Values {
			if value == n && i < len(parent.Names) {
				return r.looksInto(parent.Names[i], depth)
			}
		}
	case *ast.CallExpr:
		return slices.Contains(parent.Args, n) && r.comparesIn(parent, depth)
	}
	return false
}

// logging matches the names of functions that only show a text.
var logging = regexp.MustCompile(
	`^(Log|Trace|Debug|Info|Notice|Warn|Warning|Error|Fatal|Panic|Print)(f|ln|w|Context)?$`)

// comparesIn reports whether a call looks into a text that is passed to it.
func (r *reader) comparesIn(call *ast.CallExpr, depth int) bool {
	if r.info.Types[call.Fun].IsType() || r.callee(call) == nil && r.info.Types[call.Fun].IsBuiltin() {
		return r.isCompared(call, depth)
	}
	if r.callee(call) != nil {
		return !logging.MatchString(idName(calledName(call)))
	}
	f, ok := r.info.Uses[calledName(call)].(*types.Func)
	if !ok || f.Pkg() == nil {
		return false
	}
	if f.Pkg().Path() == "fmt" && strings.HasPrefix(f.Name(), "Sprint") {
		return r.isCompared(call, depth)
	}
	if f.Pkg().Path() == "strings" && isString(r.info.TypeOf(call)) {
		return r.isCompared(call, depth) // such as strings.ToLower
	}
	return slices.ContainsFunc(comparing, func(path string) bool {
		return f.Pkg().Path() == path || strings.HasSuffix(path, "/") && strings.HasPrefix(f.Pkg().Path(), path)
	})
}

// looksInto reports whether the program looks into the text in a variable.
func (r *reader) looksInto(n ast.Expr, depth int) bool {
	id := idOf(n)
	if id == nil || depth > 2 {
		return false
	}
	v := r.info.ObjectOf(id)
	found := false
	ast.Inspect(r.u.node, func(n ast.Node) bool {
		if use, ok := n.(*ast.Ident); ok && v != nil && r.info.Uses[use] == v && r.isCompared(use, depth+1) {
			found = true
		}
		return !found
	})
	return found
}

// errorText renders err.Error() where the program looks into the text.
func (r *mover) errorText(n *ast.CallExpr) (string, bool) {
	err := r.comparedError(n)
	if err == nil {
		return "", false
	}
	return r.textOf(n, err), true
}

func (r *mover) textOf(n ast.Node, err ast.Expr) string {
	r.note(n, "error text", "errorText writes the text of client-go for what compares it: "+
		"test errors.Is or the StatusCode of a serviceapi.Error instead")
	return r.help("errorText") + "(" + r.render(err) + ")"
}

// errorMessage renders the message of an error where the program looks into it.
func (r *mover) errorMessage(n *ast.SelectorExpr) (string, bool) {
	if n.Sel.Name != "Message" || r.isTarget(n) || !r.isCompared(n, 0) {
		return "", false
	}
	r.help("errorText")
	r.note(n, "error text", "errorMessage writes the message of client-go for what compares it: "+
		"test errors.Is or the StatusCode of a serviceapi.Error instead")
	return r.free("errorMessage") + "(" + r.render(n.X) + ")", true
}

// testsNotFound rewrites strings.Contains(err.Error(), "404 Not Found"): client-go returns an error
// of that text for each 404.
func (r *mover) testsNotFound(n ast.Expr) (string, bool) {
	var text, wanted ast.Expr
	not := ""
	switch n := n.(type) {
	case *ast.CallExpr:
		f, ok := r.info.Uses[calledName(n)].(*types.Func)
		if !ok || f.Pkg() == nil || f.Pkg().Path() != "strings" || len(n.Args) != 2 ||
			f.Name() != "Contains" && f.Name() != "HasSuffix" && f.Name() != "HasPrefix" {
			return "", false
		}
		text, wanted = n.Args[0], n.Args[1]
	case *ast.BinaryExpr:
		if n.Op != token.EQL && n.Op != token.NEQ {
			return "", false
		}
		if text, wanted = n.X, n.Y; n.Op == token.NEQ {
			not = "!"
		}
	}
	call, ok := ast.Unparen(text).(*ast.CallExpr)
	if !ok {
		return "", false
	}
	err, value := r.comparedError(call), r.info.Types[wanted].Value
	if err == nil || value == nil || value.Kind() != constant.String ||
		constant.StringVal(value) != "404 Not Found" || !isError(r.info.TypeOf(err)) {
		return "", false
	}
	if k := r.p.kinds; k != nil && k.all&oldSide != 0 && k.of(r.reader, err, newSide) != newSide {
		return "", false // errorText knows the errors of both clients
	}
	r.imports["errors"] = true
	return not + "errors.Is(" + r.render(err) + ", " + r.use("serviceapi.ErrNotFound") + ")", true
}

// shownError renders an error whose text is compared after fmt.Sprint, or by assert.EqualError.
func (r *mover) shownError(n ast.Expr) (string, bool) {
	call, ok := r.parents[n].(*ast.CallExpr)
	if !ok || r.shown[n] || !isError(r.info.TypeOf(n)) || !slices.Contains(call.Args, n) {
		return "", false
	}
	r.shown[n] = true
	defer delete(r.shown, n)
	f, ok := r.info.Uses[calledName(call)].(*types.Func)
	if !ok || f.Pkg() == nil {
		return "", false
	}
	switch {
	case f.Pkg().Path() == "fmt" && strings.HasPrefix(f.Name(), "Sprint") && r.isCompared(call, 0) && r.mayBeClients(n):
		return r.textOf(n, n), true
	case strings.HasPrefix(f.Pkg().Path(), "github.com/stretchr/testify/") && r.mayBeClients(n) &&
		slices.Contains([]string{"EqualError", "EqualErrorf", "ErrorContains", "ErrorContainsf"}, f.Name()):
		r.imports["errors"] = true
		return "errors.New(" + r.textOf(n, n) + ")", true
	}
	return "", false
}
