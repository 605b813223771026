package move

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// twinSuffix is the suffix of twins: declarations for moved code, and clients of this
// library beside those of client-go.
const twinSuffix = "Service"

// findSingles finds types and variables that cannot have a twin, because other code
// would have to choose one: types that are embedded or come out of interfaces, and
// variables that are assigned to.
func (p *program) findSingles() {
	p.singles = map[token.Pos]bool{}
	for _, u := range p.units {
		ast.Inspect(u.node, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Field:
				if len(n.Names) == 0 {
					p.single(u, n.Type)
				}
			case *ast.TypeAssertExpr:
				p.single(u, n.Type)
			case *ast.TypeSwitchStmt:
				for _, clause := range n.Body.List {
					for _, e := range clause.(*ast.CaseClause).List {
						p.single(u, e)
					}
				}
			case *ast.AssignStmt:
				for _, e := range n.Lhs {
					p.single(u, e)
				}
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					p.single(u, n.X)
				}
			}
			return true
		})
	}
}

// single records that the object named by an expression has no twin.
func (p *program) single(u *unit, n ast.Expr) {
	switch n := n.(type) {
	case *ast.StarExpr:
		p.single(u, n.X)
	case *ast.ParenExpr:
		p.single(u, n.X)
	case *ast.ArrayType:
		p.single(u, n.Elt)
	case *ast.MapType:
		p.single(u, n.Key)
		p.single(u, n.Value)
	case *ast.SelectorExpr:
		p.single(u, n.Sel)
	case *ast.Ident:
		if obj := u.info.Uses[n]; obj != nil {
			p.singles[obj.Pos()] = true
		}
	}
}

// doubled returns the object of a unit if it can exist twice, or nil. It can be a
// function, a type of functions, slices and the like without methods, or a variable
// with a function that is never assigned to.
func (p *program) doubled(u *unit) types.Object {
	var id *ast.Ident
	switch n := u.node.(type) {
	case *ast.FuncDecl:
		id = n.Name
	case *ast.TypeSpec:
		named, ok := u.info.TypeOf(n.Name).(*types.Named)
		if !ok || named.NumMethods() > 0 || named.TypeParams().Len() > 0 || !involves(named.Underlying()) {
			return nil
		}
		switch named.Underlying().(type) {
		case *types.Struct, *types.Interface:
			return nil // code with a value of it may not mention client-go
		}
		id = n.Name
	case *ast.ValueSpec:
		if len(n.Names) != 1 || len(n.Values) != 1 {
			return nil
		}
		if _, ok := signatureOf(u.info, n.Names[0]); !ok {
			return nil
		}
		id = n.Names[0]
	default:
		return nil
	}
	obj := u.info.Defs[id]
	if obj == nil || p.singles[obj.Pos()] {
		return nil
	}
	return obj
}

// canDouble reports whether a unit can exist twice and the name of its twin is free.
func (p *program) canDouble(u *unit) bool {
	obj := p.doubled(u)
	if obj == nil || u.file.stays != "" {
		return false
	}
	name := obj.Name() + twinSuffix
	if f, ok := obj.(*types.Func); ok && f.Signature().Recv() != nil {
		other, _, _ := types.LookupFieldOrMethod(f.Signature().Recv().Type(), true, f.Pkg(), name)
		return other == nil
	}
	return obj.Pkg().Scope().Lookup(name) == nil
}

// callsTwin reports whether a call calls a function with a twin.
func (r *reader) callsTwin(n *ast.CallExpr) bool {
	f := r.callee(n)
	return f != nil && r.hasTwin(f)
}

// namesTwin reports whether an expression is the name of a declaration with a twin.
func (r *reader) namesTwin(n ast.Expr) bool {
	id := idOf(n)
	if sel, ok := n.(*ast.SelectorExpr); ok {
		id = sel.Sel
	}
	return id != nil && r.hasTwin(r.info.Uses[id])
}

// hasTwin reports whether an object is a declaration with a twin.
func (r *reader) hasTwin(obj types.Object) bool {
	if f, ok := obj.(*types.Func); ok {
		obj = f.Origin()
	}
	if obj == nil || isOld(obj) {
		return false
	}
	u := r.p.unitOf(obj)
	if u == nil || !u.twin {
		return false
	}
	declared := r.p.doubled(u)
	return declared != nil && declared.Pos() == obj.Pos()
}

// twinName returns the name of a twin where one is used.
func (r *mover) twinName(n *ast.Ident) (string, bool) {
	return n.Name + twinSuffix, r.hasTwin(r.info.Uses[n])
}

// parses reports whether a unit is still valid Go after edits.
func (r *reader) parses(edits []edit) bool {
	edits = slices.Clone(edits)
	start := r.offset(r.u.node.Pos())
	for i := range edits {
		edits[i].start -= start
		edits[i].end -= start
	}
	text := apply(r.source(r.u.node), edits)
	if decl, ok := r.u.file.syntax.Decls[r.u.decl].(*ast.GenDecl); ok {
		if !strings.HasPrefix(text, "(") {
			text = "(\n" + text + "\n)"
		}
		text = decl.Tok.String() + " " + text
	}
	_, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+text, parser.SkipObjectResolution)
	return err == nil
}

// copyText renders the twin of a unit.
func (r *twinMover) copyText(edits []edit) string {
	start := r.offset(r.u.node.Pos())
	for i := range edits {
		edits[i].start -= start
		edits[i].end -= start
	}
	keyword := ""
	switch r.u.node.(type) {
	case *ast.TypeSpec:
		keyword = "type "
	case *ast.ValueSpec:
		keyword = "var "
	}
	name := r.p.doubled(r.u).Name()
	return "\n// " + name + twinSuffix + " is " + name + " for moved code.\n" + keyword +
		apply(r.source(r.u.node), edits) + "\n"
}
