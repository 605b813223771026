package move

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strings"
)

// noteEmpty notes a comparison of an object with nil that becomes one with its zero value.
func (r *mover) noteEmpty(n *ast.BinaryExpr) {
	for _, pair := range [][2]ast.Expr{{n.X, n.Y}, {n.Y, n.X}} {
		sel, ok := ast.Unparen(pair[0]).(*ast.SelectorExpr)
		if !ok || !isNil(r.info, pair[1]) || oldName(r.info.TypeOf(sel)) == "" {
			continue
		}
		f := r.fieldAt(sel)
		if f == nil || isPointer(f.Type()) {
			continue
		}
		if _, isStruct := f.Type().Underlying().(*types.Struct); isStruct && !isOption(owner(r.info.Selections[sel])) {
			r.note(n, "value", r.source(sel)+" counts as left out if the service sends an empty object")
		}
	}
}

// noteTypeName notes where the name of the type of an event is read at run time: the types have other
// names here.
func (r *mover) noteTypeName(n *ast.CallExpr) {
	f, ok := r.info.Uses[calledName(n)].(*types.Func)
	if !ok || f.Pkg() == nil || len(n.Args) == 0 || !r.decodesEvents() {
		return
	}
	reads := f.Pkg().Path() == "reflect" && f.Name() == "TypeOf"
	if format := r.formatOf(n, f); strings.Contains(format, "%T") {
		reads = true
	}
	if !reads {
		return
	}
	for _, arg := range n.Args {
		if t := r.info.TypeOf(arg); t != nil && types.IsInterface(t) && !isError(t) {
			r.note(n, "value", r.oneLine(n.Fun)+" reads the name of a type: those of events are others here")
			return
		}
	}
}

// formatOf returns the constant format of a call of package fmt, or "".
func (r *reader) formatOf(n *ast.CallExpr, f *types.Func) string {
	if f.Pkg().Path() != "fmt" {
		return ""
	}
	for _, arg := range n.Args[:min(2, len(n.Args))] {
		if v := r.info.Types[arg].Value; v != nil && v.Kind() == constant.String {
			return constant.StringVal(v)
		}
	}
	return ""
}

// decodesEvents reports whether the package of the unit decodes events.
func (r *reader) decodesEvents() bool {
	for _, f := range r.u.file.pack.files {
		for _, u := range f.units {
			for _, site := range u.sites {
				if site.Old == "ParseWebhook" || site.Old == "ParseHook" || site.Old == "ParseSystemhook" {
					return true
				}
			}
		}
	}
	return false
}
