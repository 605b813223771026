package move

import (
	"go/ast"
	"go/token"
	"go/types"
)

// The owner of a new runner is an argument here. Where the program sets the group or the project
// after the literal of the options, a variable of its own keeps the owner:
//
//	options := &CreateUserRunnerOptions{TagList: &tags}
//	options.GroupID = &group

// runnerOptions are the options with such fields, and owners are their references.
const runnerOptions = "CreateUserRunnerOptions"

var runnerOwners = map[string]string{"GroupID": "serviceapi.GroupID", "ProjectID": "serviceapi.ProjectID"}

// findLateOwners finds the variables with such options, and the names of the variables of the
// owners. All that the unit does with them is to set and read fields and to make runners.
func (r *reader) findLateOwners() map[types.Object]string {
	var late map[types.Object]string
	ast.Inspect(r.u.node, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE || len(a.Lhs) != 1 || len(a.Rhs) != 1 || !r.isStatement(a) {
			return true
		}
		id, lit := idOf(a.Lhs[0]), literalOf(a.Rhs[0])
		if id == nil || lit == nil || oldName(r.info.TypeOf(lit)) != runnerOptions {
			return true
		}
		name := id.Name + "Owner"
		if obj := r.info.Defs[id]; obj != nil && !r.isTaken(name) && r.setsOwner(obj) {
			if late == nil {
				late = map[types.Object]string{}
			}
			late[obj] = name
		}
		return true
	})
	return late
}

// setsOwner reports whether a unit sets the owner in options after it has made them, and hands
// them to nothing but the call.
func (r *reader) setsOwner(obj types.Object) bool {
	sets, only := false, true
	ast.Inspect(r.u.node, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || r.info.Uses[id] != obj {
			return true
		}
		var use ast.Node = id
		if unary, ok := r.parents[use].(*ast.UnaryExpr); ok && unary.Op == token.AND {
			use = unary
		}
		switch parent := r.parents[use].(type) {
		case *ast.SelectorExpr:
			a, assigned := r.parents[parent].(*ast.AssignStmt)
			assigned = assigned && len(a.Lhs) == 1 && a.Lhs[0] == ast.Expr(parent) && a.Tok == token.ASSIGN
			if runnerOwners[parent.Sel.Name] != "" {
				sets, only = true, only && assigned
			}
		case *ast.CallExpr:
			name, _ := r.serviceMethod(parent)
			only = only && name == "Users.CreateUserRunner"
		default:
			only = false
		}
		return true
	})
	return sets && only
}

// lateOwner returns the variable with the owner of the options in an expression, or "".
func (r *mover) lateOwner(n ast.Expr) string {
	n = ast.Unparen(n)
	if unary, ok := n.(*ast.UnaryExpr); ok && unary.Op == token.AND {
		n = unary.X
	}
	if id := idOf(n); id != nil {
		return r.late[r.info.ObjectOf(id)]
	}
	return ""
}

// assignOwner rewrites the definition of such options, and what sets their owner.
func (r *mover) assignOwner(n *ast.AssignStmt) (string, bool) {
	if len(n.Lhs) != 1 || len(n.Rhs) != 1 {
		return "", false
	}
	if sel, ok := n.Lhs[0].(*ast.SelectorExpr); ok && r.lateOwner(sel.X) != "" && runnerOwners[sel.Sel.Name] != "" {
		return r.lateOwner(sel.X) + " = " + r.ownerText(sel.Sel.Name, n.Rhs[0]), true
	}
	name := r.lateOwner(n.Lhs[0])
	if n.Tok != token.DEFINE || name == "" {
		return "", false
	}
	first := "serviceapi.Instance"
	for _, e := range literalOf(n.Rhs[0]).Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok && runnerOwners[idName(kv.Key)] != "" {
			first = r.ownerText(idName(kv.Key), kv.Value)
			r.dropped[kv] = true
		} else if ok && idName(kv.Key) == "RunnerType" && r.info.Types[r.plain(kv.Value)].Value == nil {
			r.note(kv, "field", "RunnerType is not sent: the owner of the runner says what it is")
		}
	}
	return r.use("var "+name+" serviceapi.NewRunnerOwner = "+first) + "\n" + r.renderInside(n), true
}

func (r *mover) ownerText(field string, value ast.Expr) string {
	if !r.isSet(value) {
		r.note(value, "null", field+" is sent as the zero value if it is nil: client-go leaves it out then")
	}
	return r.use(runnerOwners[field]) + "(" + r.value(value, types.Typ[types.Int64]) + ")"
}
