package move

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strconv"
	"strings"

	"example.com/serviceapi/migrate/internal/table"
)

// references has the functions that make a reference from an ID and from a name.
var references = map[string][2]string{"project": {"ProjectID", "ProjectPath"}, "group": {"GroupID", "GroupPath"},
	"user": {"UserID", "Username"}, "namespace": {"NamespaceID", "NamespacePath"}, "label": {"LabelID", "LabelName"}}

// reference makes a reference. The type of the value decides how.
func (r *mover) reference(kind string, value ast.Expr) (string, bool) {
	switch kind {
	case "number":
		if text, ok := r.numberIn(value); ok {
			return text, true
		}
		if isString(r.info.TypeOf(value)) {
			r.note(value, "refused", "if this is no number, the call is refused before anything is sent")
			return r.help("numberOf") + "(" + r.value(value, types.Typ[types.String]) + ")", true
		}
		return r.only(types.Typ[types.Int64], types.IsInteger, value)
	case "text":
		return r.only(types.Typ[types.String], types.IsString, value)
	}
	makers, ok := references[kind]
	if !ok {
		return r.blocked(value, "argument", "no rule makes a %s", kind)
	}
	t := r.info.TypeOf(value)
	text := r.render(value)
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		t, text = pointer.Elem(), "*"+text
	}
	r.use("serviceapi.")
	basic, _ := t.Underlying().(*types.Basic)
	switch {
	case basic != nil && basic.Info()&types.IsInteger != 0:
		return "serviceapi." + makers[0] + "(" + text + ")", true
	case basic != nil && basic.Info()&types.IsString != 0:
		return r.referenceOfText(kind, value, text), true
	case types.IsInterface(t):
		r.note(value, "run time", kind+"Of decides at run time whether this is an ID or a name")
		return r.help(kind+"Of") + "(" + text + ")", true
	}
	return r.blocked(value, "argument", "a %s cannot be made from type %s", kind, t)
}

// referenceOfText makes a reference of a string. client-go sends digits as they are, so
// they are an ID. A string that is known only at run time is checked then.
func (r *mover) referenceOfText(kind string, value ast.Expr, text string) string {
	makers := references[kind]
	v := r.info.Types[value].Value
	if v == nil && helpers[kind+"Of"].text != "" {
		r.notePath(kind, value)
		return r.help(kind+"Of") + "(" + text + ")"
	}
	if v != nil && kind != "label" {
		if id, err := strconv.ParseInt(constant.StringVal(v), 10, 64); err == nil {
			return "serviceapi." + makers[0] + "(" + strconv.FormatInt(id, 10) + ")"
		}
		name := constant.StringVal(v)
		isPath := kind == "project" || kind == "group"
		noSlash := kind == "project" && !strings.Contains(name, "/")
		if name == "" || noSlash || isPath && strings.Trim(name, "/") != name {
			r.note(value, "refused", strconv.Quote(name)+" is no "+kind+
				" here: the call is refused before anything is sent")
		}
	}
	return "serviceapi." + makers[1] + "(" + text + ")"
}

// notePath notes which paths in a variable are refused here.
func (r *mover) notePath(kind string, value ast.Expr) {
	sel, _ := ast.Unparen(value).(*ast.SelectorExpr)
	switch {
	case kind == "project" && !r.hasSlash(value):
		r.note(value, "path", "a call is refused before anything is sent if the path of a project has no slash, "+
			"or begins or ends with one")
	case kind == "group" && (sel == nil || sel.Sel.Name != "FullPath"):
		r.note(value, "path", "a call is refused before anything is sent if the path of a group begins or ends "+
			"with a slash")
	}
}

// hasScheme reports whether a text certainly begins with the scheme of an address.
func (r *reader) hasScheme(n ast.Expr) bool {
	n = ast.Unparen(n)
	if v := r.info.Types[n].Value; v != nil && v.Kind() == constant.String {
		return strings.HasPrefix(constant.StringVal(v), "http")
	}
	switch n := n.(type) {
	case *ast.BinaryExpr:
		return r.hasScheme(n.X)
	case *ast.CallExpr:
		return len(n.Args) > 0 && r.hasScheme(n.Args[0]) // fmt.Sprintf("https://%s", …)
	case *ast.SelectorExpr:
		return n.Sel.Name == "URL" && strings.HasSuffix(types.TypeString(r.info.TypeOf(n.X), nil), "httptest.Server")
	}
	return false
}

// notePlain notes that numbers and names in the path of a call must not be empty.
func (c *newCall) notePlain() {
	for _, arg := range c.method.Args {
		for _, param := range arg.Params() {
			value := c.values[param]
			if value == nil || arg.Kind == table.Options || c.r.isFilled(value) || !isScalar(c.r.info.TypeOf(value)) {
				continue
			}
			c.r.note(value, "path", "a call is refused before anything is sent if a number in its path is 0, or a "+
				"name in it is empty")
			return
		}
	}
}

// hasSlash reports whether a text certainly has a slash.
func (r *reader) hasSlash(n ast.Expr) bool {
	n = ast.Unparen(n)
	if v := r.info.Types[n].Value; v != nil && v.Kind() == constant.String {
		return strings.Contains(constant.StringVal(v), "/")
	}
	switch n := n.(type) {
	case *ast.BinaryExpr:
		return r.hasSlash(n.X) || r.hasSlash(n.Y)
	case *ast.CallExpr:
		return len(n.Args) > 0 && r.hasSlash(n.Args[0]) // fmt.Sprintf("%s/%s", …)
	case *ast.SelectorExpr:
		return n.Sel.Name == "PathWithNamespace"
	}
	return false
}

// only passes a value that client-go takes as any and this library takes as one type.
func (r *mover) only(want *types.Basic, kind types.BasicInfo, value ast.Expr) (string, bool) {
	t := r.info.TypeOf(value)
	if basic, ok := t.Underlying().(*types.Basic); ok && basic.Info()&kind != 0 {
		return r.value(value, want), true
	}
	return r.blocked(value, "argument", "this must be of type %s, not %s", want, t)
}

// numberIn returns the number that a string is formatted from, because client-go takes
// some numbers as strings.
func (r *mover) numberIn(value ast.Expr) (string, bool) {
	if v := r.info.Types[value].Value; v != nil && v.Kind() == constant.String {
		n, err := strconv.ParseInt(constant.StringVal(v), 10, 64)
		return strconv.FormatInt(n, 10), err == nil
	}
	call, ok := ast.Unparen(value).(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return "", false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return "", false
	}
	f, ok := r.info.Uses[sel.Sel].(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() != "strconv" {
		return "", false
	}
	if f.Name() == "Itoa" || f.Name() == "FormatInt" && r.source(call.Args[1]) == "10" {
		return r.value(call.Args[0], types.Typ[types.Int64]), true
	}
	return "", false
}

// made returns the signature of the function or method that makes an argument, or nil
// if this library has none.
func (p *program) made(arg table.Arg) *types.Signature {
	var obj types.Object
	switch arg.Kind {
	case table.Ref:
		obj = p.library.Scope().Lookup(references[arg.Name][0])
	case table.Make:
		obj = p.library.Scope().Lookup(arg.Name)
	case table.Chain:
		if on := p.made(arg.Args[0]); on != nil && on.Results().Len() == 1 {
			obj, _, _ = types.LookupFieldOrMethod(on.Results().At(0).Type(), true, p.library, arg.Name)
		}
	}
	if obj == nil {
		return nil
	}
	signature, _ := obj.Type().(*types.Signature)
	return signature
}
