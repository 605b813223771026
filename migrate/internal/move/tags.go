package move

import (
	"go/ast"
	"go/types"
)

// noteTags notes the fields of a type that have tags and values of this library: what encodes and
// decodes them sees other names and forms than those of client-go.
func (r *mover) noteTags() {
	spec, ok := r.u.node.(*ast.TypeSpec)
	if !ok {
		return
	}
	ast.Inspect(spec, func(n ast.Node) bool {
		field, ok := n.(*ast.Field)
		if !ok || field.Tag == nil {
			return true
		}
		if name := oldStruct(r.info.TypeOf(field.Type)); name != "" {
			r.note(field, "value", "it is encoded or decoded by its tag: the names and the forms of the members of a "+
				name+" may differ")
		}
		return true
	})
}

// oldStruct returns the name of a struct of client-go that a type has, "" if there is none.
func oldStruct(t types.Type) string {
	found := ""
	anyType(t, func(n *types.Named) bool {
		if _, isStruct := n.Underlying().(*types.Struct); isStruct && isOld(n.Obj()) && n.Obj().Name() != "Client" {
			found = n.Obj().Name()
		}
		return found != ""
	})
	return found
}
