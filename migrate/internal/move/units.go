package move

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// A unit moves or stays as a whole. It is a function, a type, or another top-level
// declaration of a file.
type unit struct {
	file  *file
	decl  int // index of the declaration
	spec  int // index of the specification in it, -1 for a function
	node  ast.Node
	name  string
	info  *types.Info
	group *unit // representative of the units that move together

	uses    bool  // mentions client-go, or a declaration that does
	left    bool  // stays as it is
	twin    bool  // stays, and has a copy beside it that is moved
	cause   *unit // the unit that keeps it from moving; nil if it has its own reasons
	reasons []Reason
	stuck   string // why it does not compile with what moved, in a test that does not
	sites   []*Site
	notes   []Note
}

// A Reason says why a unit was not moved.
type Reason struct {
	Pos  token.Pos
	Kind string // one of a few, for the summary
	Text string // what to do

	foreign bool // the error is in code that uses the unit
}

func (u *unit) leave(pos token.Pos, kind, text string) {
	u.left = true
	for _, r := range u.reasons {
		if r.Pos == pos {
			return
		}
	}
	u.reasons = append(u.reasons, Reason{Pos: pos, Kind: kind, Text: text})
}

// root returns the representative of the unit's group.
func (u *unit) root() *unit {
	for u.group != u {
		u.group = u.group.group
		u = u.group
	}
	return u
}

func join(a, b *unit) {
	if a != nil && b != nil {
		a.root().group = b.root()
	}
}

// addUnits finds the units of all files, and groups them.
func (p *program) addUnits() {
	for _, pk := range p.packages {
		for _, f := range pk.files {
			if f.pack != pk || f.units != nil || strings.HasSuffix(f.name, ".cgo1.go") {
				continue
			}
			p.addFile(f)
		}
	}
	p.findSingles()
	p.findFactories()
	for _, u := range p.units {
		p.inspect(u)
	}
	p.findMocks()
}

func (p *program) addFile(f *file) {
	for i, decl := range f.syntax.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			p.addUnit(f, i, -1, decl, funcName(decl))
		case *ast.GenDecl:
			if decl.Tok == token.IMPORT {
				continue
			}
			for j, spec := range decl.Specs {
				name := ""
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					name = spec.Name.Name
				case *ast.ValueSpec:
					name = spec.Names[0].Name
				}
				p.addUnit(f, i, j, spec, name)
			}
		}
	}
}

func funcName(decl *ast.FuncDecl) string {
	if decl.Recv == nil || len(decl.Recv.List) == 0 {
		return decl.Name.Name
	}
	receiver := decl.Recv.List[0].Type
	if star, ok := receiver.(*ast.StarExpr); ok {
		receiver = star.X
	}
	if id, ok := receiver.(*ast.Ident); ok {
		return id.Name + "." + decl.Name.Name
	}
	return decl.Name.Name
}

func (p *program) addUnit(f *file, decl, spec int, node ast.Node, name string) {
	u := &unit{file: f, decl: decl, spec: spec, node: node, name: name, info: f.pack.src.TypesInfo}
	u.group = u
	f.units = append(f.units, u)
	p.units = append(p.units, u)
}

// unitOf returns the unit that declares an object, or nil.
func (p *program) unitOf(obj types.Object) *unit {
	if obj == nil || !obj.Pos().IsValid() {
		return nil
	}
	return p.unitAt(obj.Pos())
}

func (p *program) unitAt(pos token.Pos) *unit {
	source := p.fset.File(pos)
	if source == nil {
		return nil
	}
	f := p.files[source.Name()]
	if f == nil {
		return nil
	}
	i, found := slices.BinarySearchFunc(f.units, pos, func(u *unit, pos token.Pos) int {
		switch {
		case u.node.End() <= pos:
			return -1
		case u.node.Pos() > pos:
			return 1
		}
		return 0
	})
	if !found {
		return nil
	}
	return f.units[i]
}

// inspect records whether a unit mentions client-go. It links the unit to the units
// whose declarations it uses, if their types will change.
func (p *program) inspect(u *unit) {
	called := map[*ast.Ident]bool{}
	ast.Inspect(u.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			called[calledName(n)] = true
			p.inspectArguments(u, n)
		case *ast.AssignStmt:
			for i := range min(len(n.Lhs), len(n.Rhs)) {
				p.inspectImplicit(u, u.info.TypeOf(n.Lhs[i]), n.Rhs[i])
			}
		case *ast.Ident:
			p.inspectUse(u, n, called[n])
		case *ast.SelectorExpr:
			if s := u.info.Selections[n]; s != nil {
				p.inspectPath(u, s)
			}
		case *ast.CompositeLit:
			p.inspectLiteral(u, n)
			p.inspectElements(u, n)
		}
		return true
	})
}

// calledName returns the name of the called function, or nil.
func calledName(n *ast.CallExpr) *ast.Ident {
	fun := ast.Unparen(n.Fun)
	if sel, ok := fun.(*ast.SelectorExpr); ok {
		return sel.Sel
	}
	return idOf(fun)
}

func (p *program) inspectUse(u *unit, id *ast.Ident, called bool) {
	obj := u.info.Uses[id]
	if obj == nil {
		if obj = u.info.Defs[id]; obj != nil && involves(obj.Type()) {
			u.uses = true
		}
		return
	}
	if _, isName := obj.(*types.PkgName); isName {
		return
	}
	if isOld(obj) {
		u.uses = true
		return
	}
	t := obj.Type()
	if f, ok := obj.(*types.Func); ok {
		obj = f.Origin()
		t = obj.Type()
	}
	if v, ok := obj.(*types.Var); ok {
		obj = v.Origin()
	}
	if _, isType := obj.(*types.TypeName); isType {
		if _, isStruct := t.Underlying().(*types.Struct); !isStruct && !p.makesClients(t) {
			t = t.Underlying()
		}
	}
	if _, isVar := obj.(*types.Var); !involves(t) && !involves(obj.Type()) && !(isVar && p.isNamed(obj.Type())) {
		return
	}
	other := p.unitOf(obj)
	if other == nil && obj.Pkg() != nil && obj.Parent() != types.Universe && !p.isLocal(obj) {
		u.leave(id.Pos(), "other package", otherPackage(obj.Pkg().Path()))
	}
	u.uses = true
	p.link(u, other, obj, called)
}

// isNamed reports whether a type is one of the program with a name, of functions, slices and the like,
// that mentions client-go. What uses a field of such a type need not name the type.
func (p *program) isNamed(t types.Type) bool {
	named := core(t)
	if named == nil || isOld(named.Obj()) || !p.isLocal(named.Obj()) {
		return false
	}
	switch named.Underlying().(type) {
	case *types.Struct, *types.Interface:
		return false
	}
	return involves(named.Underlying())
}

// otherPackage says what to do about values of another module that uses client-go.
func otherPackage(path string) string {
	if parent, ok := strings.CutSuffix(path, "/testing"); ok && oldPath(parent) {
		return "it uses the mocks of client-go: use servicetest or a server of its own instead"
	}
	return "package " + path + " uses client-go; move it first"
}

// link records that one unit uses a declaration of another. A function that is used as
// a value must keep its type.
func (p *program) link(a, b *unit, obj types.Object, called bool) {
	if a == nil || b == nil || a == b {
		return
	}
	_, isValue := obj.(*types.Func)
	if !handsOn(obj) || isValue && !called && !isSource(obj.Type()) {
		obj = nil
	}
	p.edges = append(p.edges, unitEdge{a: a, b: b, soft: obj, doubles: p.doubled(b) != nil})
}

// isLocal reports whether an object is declared in the program.
func (p *program) isLocal(obj types.Object) bool {
	source := p.fset.File(obj.Pos())
	return source != nil && p.files[source.Name()] != nil
}

// inspectPath links a unit to the embedded fields that a selection goes through.
func (p *program) inspectPath(u *unit, s *types.Selection) {
	t := s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] {
		fields, ok := deref(t).Underlying().(*types.Struct)
		if !ok {
			return
		}
		field := fields.Field(i)
		if involves(field.Type()) && !isOld(field) {
			u.uses = true
			p.link(u, p.unitOf(field.Origin()), field.Origin(), false)
		}
		t = field.Type()
	}
}

// inspectLiteral links a unit to the fields that an unkeyed literal sets.
func (p *program) inspectLiteral(u *unit, lit *ast.CompositeLit) {
	if len(lit.Elts) == 0 {
		return
	}
	if _, keyed := lit.Elts[0].(*ast.KeyValueExpr); keyed {
		return
	}
	fields := fieldsOf(u.info.TypeOf(lit))
	for i := 0; fields != nil && i < fields.NumFields(); i++ {
		if f := fields.Field(i); involves(f.Type()) && !isOld(f) {
			p.link(u, p.unitOf(f.Origin()), f.Origin(), false)
		}
	}
}

// fieldsOf returns the struct type of a literal, or nil for other types.
func fieldsOf(t types.Type) *types.Struct {
	if t == nil {
		return nil
	}
	fields, _ := deref(t).Underlying().(*types.Struct)
	return fields
}

func deref(t types.Type) types.Type {
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		return pointer.Elem()
	}
	return t
}

// joinMethods joins methods of interfaces with methods of the same name and type,
// because one may implement the other.
func (p *program) joinMethods() {
	for _, methods := range p.implementing() {
		for _, f := range methods[1:] {
			if p.isFactory(f) {
				continue
			}
			join(p.unitOf(methods[0]), p.unitOf(f))
		}
	}
}

// implementing returns the methods that share a name and a type of client-go with a method
// of an interface of the program.
func (p *program) implementing() map[string][]*types.Func {
	methods := map[string][]*types.Func{}
	declared := map[string]bool{}
	for _, pk := range p.packages {
		for _, obj := range pk.src.TypesInfo.Defs {
			f, ok := obj.(*types.Func)
			if !ok || f.Signature().Recv() == nil || !involves(f.Type()) {
				continue
			}
			key := methodKey(f)
			methods[key] = append(methods[key], f)
			declared[key] = declared[key] || types.IsInterface(f.Signature().Recv().Type())
		}
	}
	maps.DeleteFunc(methods, func(key string, _ []*types.Func) bool { return !declared[key] })
	return methods
}

// methodKey returns a key that is equal for methods that may implement each other.
func methodKey(f *types.Func) string {
	text := types.TypeString(bareSignature(f.Signature()), nil)
	return f.Name() + " " + strings.ReplaceAll(strings.ReplaceAll(text, "interface{}", "any"), "interface {}", "any")
}

func bareSignature(s *types.Signature) *types.Signature {
	strip := func(t *types.Tuple) *types.Tuple {
		var vars []*types.Var
		for v := range t.Variables() {
			vars = append(vars, types.NewParam(token.NoPos, nil, "", v.Type()))
		}
		return types.NewTuple(vars...)
	}
	return types.NewSignatureType(nil, nil, nil, strip(s.Params()), strip(s.Results()), s.Variadic())
}

// moved returns the units of a file that move.
func (f *file) moved() []*unit {
	return slices.DeleteFunc(slices.Clone(f.units), func(u *unit) bool { return u.left || !u.uses })
}
