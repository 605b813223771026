package move

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// This library needs Go 1.26 in go.mod. That changes the language of a module for an earlier version:
// the variables of a loop are new in each iteration since 1.22, and since 1.24 go vet, which go test
// runs, refuses a format that is no constant.
const (
	minorOfLoops   = 22
	minorOfFormats = 24
)

const (
	loopText = "with the version of Go that go.mod needs then, each iteration has variables of its own: " +
		"what keeps this one, such as a function or an address, no longer sees those of the next"
	formatText = "with the version of Go that go.mod needs then, go test does not build this package: " +
		"a format must be a constant, as in Printf(\"%s\", text)"
)

// noteGoVersions adds a line for the first place of each package where a later version of Go differs.
func (p *program) noteGoVersions(report *Report) {
	if report.Moved == 0 {
		return
	}
	type place struct{ path, text string }
	said := map[place]bool{}
	for _, f := range p.sortedFiles() {
		minor, ok := minorOf(f)
		if !ok || f.stays == otherFile {
			continue
		}
		say := func(n ast.Node, text string) {
			at := place{strings.TrimSuffix(f.pack.path, "_test"), text}
			if n == nil || said[at] {
				return
			}
			said[at] = true
			item := p.item(n)
			item.Reason, item.Text = "go version", text
			report.Notes = append(report.Notes, item)
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && minor < minorOfFormats && opensFormat(f.pack.src.TypesInfo, call) {
				say(call, formatText)
			}
			if minor < minorOfLoops {
				say(keptVariable(f.pack.src.TypesInfo, n), loopText)
			}
			return true
		})
	}
}

// minorOf returns the version of Go that the module of a file says: 21 for 1.21.
func minorOf(f *file) (int, bool) {
	if f.pack.src.Module == nil {
		return 0, false
	}
	version := f.pack.src.Module.GoVersion
	if version == "" {
		version = "1.16"
	}
	rest, ok := strings.CutPrefix(version, "1.")
	if !ok {
		return 0, false
	}
	if end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || '9' < r }); end >= 0 {
		rest = rest[:end]
	}
	minor, err := strconv.Atoi(rest)
	return minor, err == nil
}

// opensFormat reports whether a call passes a format that is no constant, and nothing to format, to a
// function whose name ends as that of Printf.
func opensFormat(info *types.Info, call *ast.CallExpr) bool {
	f, ok := info.Uses[calledName(call)].(*types.Func)
	if !ok || !strings.HasSuffix(f.Name(), "f") || !f.Signature().Variadic() || call.Ellipsis.IsValid() {
		return false
	}
	params := f.Signature().Params()
	last := params.Len() - 1
	if last < 1 || len(call.Args) != last || !isString(params.At(last-1).Type()) {
		return false
	}
	list, ok := params.At(last).Type().(*types.Slice)
	if !ok || !types.IsInterface(list.Elem()) {
		return false
	}
	value := info.Types[call.Args[last-1]].Value
	return value == nil || value.Kind() != constant.String
}

// keptVariable returns a variable of a loop where something keeps it beyond its iteration, or nil.
func keptVariable(info *types.Info, loop ast.Node) ast.Node {
	var variables []ast.Expr
	var body *ast.BlockStmt
	switch n := loop.(type) {
	case *ast.RangeStmt:
		if n.Tok == token.DEFINE {
			variables, body = []ast.Expr{n.Key, n.Value}, n.Body
		}
	case *ast.ForStmt:
		if init, ok := n.Init.(*ast.AssignStmt); ok && init.Tok == token.DEFINE {
			variables, body = init.Lhs, n.Body
		}
	}
	k := keptFinder{info: info, variables: map[types.Object]bool{}}
	for _, v := range variables {
		if id := idOf(v); id != nil && info.Defs[id] != nil {
			k.variables[info.Defs[id]] = true
		}
	}
	if len(k.variables) > 0 {
		ast.Inspect(body, k.visit)
	}
	if k.found == nil {
		return nil
	}
	return k.found
}

// A keptFinder looks for what keeps one of the variables of a loop.
type keptFinder struct {
	info      *types.Info
	variables map[types.Object]bool
	found     *ast.Ident
}

func (k *keptFinder) visit(n ast.Node) bool {
	if k.found != nil {
		return false
	}
	switch n := n.(type) {
	case *ast.FuncLit:
		k.found = k.used(n.Body)
		return k.found == nil
	case *ast.GoStmt:
		k.visitCall(n.Call, true)
		return false
	case *ast.DeferStmt:
		k.visitCall(n.Call, true)
		return false
	case *ast.CallExpr:
		k.visitCall(n, false)
		return false
	case *ast.UnaryExpr:
		if id := k.root(n.X); n.Op == token.AND && id != nil {
			k.found = id
		}
	}
	return k.found == nil
}

// visitCall looks at a call. A function that is called on the spot keeps nothing, nor does what gets
// an address while the iteration lasts, except for append.
func (k *keptFinder) visitCall(call *ast.CallExpr, later bool) {
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok && !later {
		ast.Inspect(lit.Body, k.visit)
	} else {
		ast.Inspect(call.Fun, k.visit)
	}
	for _, arg := range call.Args {
		if lit, ok := ast.Unparen(arg).(*ast.FuncLit); ok && !later && k.isDone(call, lit) {
			ast.Inspect(lit.Body, k.visit)
			continue
		}
		unary, ok := ast.Unparen(arg).(*ast.UnaryExpr)
		if ok && unary.Op == token.AND && !later && idName(call.Fun) != "append" && k.root(unary.X) != nil {
			continue
		}
		ast.Inspect(arg, k.visit)
	}
}

// isDone reports whether a call is known to have called a function when it returns.
func (k *keptFinder) isDone(call *ast.CallExpr, lit *ast.FuncLit) bool {
	f, ok := k.info.Uses[calledName(call)].(*types.Func)
	if !ok || f.Pkg() == nil {
		return false
	}
	switch f.Pkg().Path() {
	case "sort", "slices", "strings", "bytes", "maps", "path/filepath", "regexp":
		return true
	case "testing":
		return f.Name() == "Run" && !callsParallel(lit)
	}
	return false
}

func callsParallel(lit *ast.FuncLit) bool {
	found := false
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		found = found || ok && idName(calledName(call)) == "Parallel"
		return !found
	})
	return found
}

// used returns the first use of one of the variables.
func (k *keptFinder) used(n ast.Node) *ast.Ident {
	var found *ast.Ident
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && found == nil && k.variables[k.info.Uses[id]] {
			found = id
		}
		return found == nil
	})
	return found
}

// root returns the variable that an expression is a part of, without a pointer between, or nil.
func (k *keptFinder) root(n ast.Expr) *ast.Ident {
	for {
		switch x := ast.Unparen(n).(type) {
		case *ast.Ident:
			if k.variables[k.info.Uses[x]] {
				return x
			}
			return nil
		case *ast.SelectorExpr:
			if t := k.info.TypeOf(x.X); t == nil || isPointer(t) {
				return nil
			}
			n = x.X
		default:
			return nil
		}
	}
}
