package move

import (
	"go/ast"
	"go/types"
)

// shorten writes references as a person would:
//
//	project.Ref()  for serviceapi.ProjectID(project.ID)
//	mr.Ref()       for serviceapi.ProjectID(mr.ProjectID).MergeRequest(mr.IID)
//
// It runs after everything compiles, when the types are known, because some
// counterparts of a type of client-go have no such method. It reports whether anything
// changed.
func (v *version) shorten(result *checkResult) bool {
	return v.edit(result, func(k *repairer, n ast.Node) {
		if call, ok := n.(*ast.CallExpr); ok {
			if x := k.named(call); x != nil && k.refersTo(x, k.info.TypeOf(call)) {
				k.replace(call, x.Name+".Ref()")
			}
		}
	})
}

// named returns the variable whose numbers are in a reference, or nil.
func (k *repairer) named(n *ast.CallExpr) *ast.Ident {
	sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
	if !ok || len(n.Args) != 1 {
		return nil
	}
	switch name := sel.Sel.Name; name {
	case "ProjectID", "GroupID", "UserID", "NamespaceID":
		return k.numbered(n.Args[0], "ID")
	default:
		owner, ok := sel.X.(*ast.CallExpr)
		if fields, isOwned := owned[name]; isOwned && ok && len(owner.Args) == 1 {
			x, other := k.numbered(n.Args[0], fields[1]), k.numbered(owner.Args[0], fields[0])
			if x != nil && other != nil && k.info.Uses[x] == k.info.Uses[other] {
				return x
			}
		}
	}
	return nil
}

// owned maps methods that make references from owners to the fields of a result with
// the owner and the number. Ref of an epic has both of its numbers.
var owned = map[string][2]string{"MergeRequest": {"ProjectID", "IID"}, "Issue": {"ProjectID", "IID"},
	"Epic": {"GroupID", "IID"}, "EpicByID": {"GroupID", "ID"}}

// numbered returns x for x.ID if x is a variable with a result of this library and ID
// is the given field. Otherwise it returns nil.
func (k *repairer) numbered(n ast.Expr, field string) *ast.Ident {
	sel, ok := ast.Unparen(n).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != field {
		return nil
	}
	x := idOf(sel.X)
	if x == nil || k.info.Selections[sel] == nil || newName(k.info.TypeOf(x)) == "" {
		return nil
	}
	return x
}

// refersTo reports whether the method Ref of a variable returns a reference of a type.
func (k *repairer) refersTo(x *ast.Ident, want types.Type) bool {
	obj, _, _ := types.LookupFieldOrMethod(k.info.TypeOf(x), true, nil, "Ref")
	f, ok := obj.(*types.Func)
	if !ok || !known(want) || newName(want) == "" {
		return false
	}
	return types.Identical(f.Signature().Results().At(0).Type(), want)
}
