package move

import (
	"go/ast"
	"go/types"

	"example.com/serviceapi/migrate/internal/table"
)

// slots says which type of this library the variables of a type of client-go have. A
// type of client-go may have several counterparts. For example, a merge request in a
// list has fewer fields here than a single one. Values that are assigned to each other
// have the same type.
type slots struct {
	p      *program
	m      *mapping
	parent map[any]any
	types  map[any]string          // by representative
	mixed  map[any]map[string]bool // the types of those with more than one
}

func (p *program) newSlots(m *mapping) *slots {
	s := &slots{p: p, m: m, parent: map[any]any{}, types: map[any]string{}, mixed: map[any]map[string]bool{}}
	for _, u := range p.units {
		if u.uses {
			s.read(p.reader(m, u))
		}
	}
	s.joinMethods()
	s.readInterfaces()
	return s
}

// readFields notes the types of variables that get fields of client-go, if the type of
// a field has several counterparts. The type of the outer value is already known.
func (s *slots) readFields() {
	for _, u := range s.p.units {
		if !u.uses {
			continue
		}
		r := s.p.reader(s.m, u)
		ast.Inspect(u.node, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.RangeStmt:
				if n.Value != nil {
					s.readField(r, n.Value, n.X)
				}
			case *ast.AssignStmt:
				for i := range min(len(n.Lhs), len(n.Rhs)) {
					s.readField(r, n.Lhs[i], n.Rhs[i])
					if sel, ok := ast.Unparen(n.Lhs[i]).(*ast.SelectorExpr); ok {
						s.fillField(r, sel.X, sel.Sel, n.Rhs[i])
					}
				}
			case *ast.CompositeLit:
				for _, e := range n.Elts {
					if kv, ok := e.(*ast.KeyValueExpr); ok && idOf(kv.Key) != nil {
						s.fillField(r, n, idOf(kv.Key), kv.Value)
					}
				}
			}
			return true
		})
	}
}

// fillField records the type of a value that is assigned to a field of client-go, such as the
// result of a function of the program.
func (s *slots) fillField(r *reader, x ast.Expr, field *ast.Ident, value ast.Expr) {
	from, old := core(r.info.TypeOf(x)), core(r.info.TypeOf(value))
	if from == nil || old == nil || !isOld(from.Obj()) || !isOld(old.Obj()) {
		return
	}
	f, _ := r.newField(x, from, field.Name)
	if _, isStruct := old.Underlying().(*types.Struct); f == nil || !isStruct {
		return // labels and the like are converted at their use
	}
	now := core(f.Type())
	if now == nil || now.Obj().Pkg() != s.p.library {
		return
	}
	if s.pairs(old.Obj().Name(), s.p.nameOf(now)) {
		s.set(s.key(r, value), s.p.nameOf(now))
	}
}

func (s *slots) readField(r *reader, to, field ast.Expr) {
	old := core(r.info.TypeOf(field))
	if old == nil || !isOld(old.Obj()) || len(s.m.derived[old.Obj().Name()]) < 2 || s.key(r, field) != nil {
		return
	}
	if _, ok := ast.Unparen(field).(*ast.SelectorExpr); !ok {
		return
	}
	t := r.newTypeOf(field)
	if t == nil {
		return
	}
	if now := core(t); now != nil {
		s.set(s.key(r, to), s.p.nameOf(now))
	}
}

// joinMethods joins the parameters and results of methods that may implement each other.
func (s *slots) joinMethods() {
	for _, methods := range s.p.implementing() {
		first := methods[0].Signature()
		for _, f := range methods[1:] {
			for i := range first.Params().Len() {
				s.join(s.object(first.Params().At(i)), s.object(f.Signature().Params().At(i)))
			}
			for i := range first.Results().Len() {
				s.join(s.result(first, i), s.result(f.Signature(), i))
			}
		}
	}
}

// readInterfaces records the results of interface methods that a service of client-go may
// implement.
func (s *slots) readInterfaces() {
	methods := s.p.implementing()
	for _, service := range s.p.old.services {
		for i := range s.p.table.Methods {
			line := &s.p.table.Methods[i]
			if line.Service() != service || line.New == "" {
				continue
			}
			to := s.p.newMethod(line.NewService(), line.NewName())
			for path := range s.p.old.versions {
				f := oldMethod(s.p.all[path], service, line.Name())
				if f == nil || to == nil {
					continue
				}
				for _, m := range methods[methodKey(f)] {
					s.implement(m.Signature(), f.Signature(), to.Signature(), line)
				}
			}
		}
	}
}

// implement notes the types of a method that a method of this library implements.
func (s *slots) implement(signature, old, now *types.Signature, line *table.Method) {
	if old.Results().Len() == now.Results().Len() && now.Results().Len() == 3 {
		result := now.Results().At(0).Type()
		if field := s.m.within(old.Results().At(0).Type(), result); field != nil {
			result = field.Type()
		}
		if named := core(result); named != nil {
			s.set(s.result(signature, 0), s.p.nameOf(named))
		}
	}
	for i, arg := range line.Args {
		if arg.Kind != table.Options || arg.Param == "" || i+1 >= now.Params().Len() {
			continue
		}
		for j, name := range line.Params {
			if name == arg.Param && j < signature.Params().Len() {
				s.set(s.object(signature.Params().At(j)), newName(now.Params().At(i+1).Type()))
			}
		}
	}
}

func (s *slots) find(key any) any {
	for s.parent[key] != nil {
		key = s.parent[key]
	}
	return key
}

func (s *slots) join(a, b any) {
	if a == nil || b == nil {
		return
	}
	a, b = s.find(a), s.find(b)
	if a == b {
		return
	}
	s.parent[a] = b
	if s.types[a] != "" {
		s.set(b, s.types[a])
	}
	for name := range s.mixed[a] {
		s.mix(b, name)
	}
}

func (s *slots) set(key any, name string) {
	if key == nil || name == "" {
		return
	}
	key = s.find(key)
	if old := s.types[key]; old != "" && old != name {
		s.mix(key, name)
		return
	}
	s.types[key] = name
}

// mix adds a type to those that values have.
func (s *slots) mix(key any, name string) {
	if s.mixed[key] == nil {
		s.mixed[key] = map[string]bool{s.types[key]: true}
	}
	s.mixed[key][name] = true
}

// of returns the known type of an expression, or "".
func (s *slots) of(r *reader, n ast.Expr, old string) string {
	if s == nil || old == "Client" || old == "Response" {
		return ""
	}
	key := s.key(r, n)
	if r.info.Types[n].IsType() || r.oldObject(n) != nil {
		key = s.declared(r, n)
	}
	if key == nil {
		return ""
	}
	return s.typeAt(key, old)
}

// typeAt returns the known type for a key, or "".
func (s *slots) typeAt(key any, old string) string {
	key = s.find(key)
	name := s.types[key]
	if s.mixed[key] != nil {
		name = s.m.levelOf(s.mixed[key])
	}
	if name != "" && s.pairs(old, name) {
		return name
	}
	return ""
}

// pairs reports whether a type of this library is a counterpart of one of client-go.
func (s *slots) pairs(old, now string) bool {
	if s.m.derived[old][now] > 0 {
		return true
	}
	if w := s.p.wideNamed(now); w != nil {
		return w.old.Obj().Name() == old
	}
	for _, t := range s.p.table.Type(old) {
		if t.New == now {
			return true
		}
	}
	return false
}

// key returns the key for the values of an expression, or nil if they have none.
func (s *slots) key(r *reader, n ast.Expr) any {
	switch n := n.(type) {
	case *ast.Ident:
		obj := r.info.ObjectOf(n)
		if v, ok := obj.(*types.Var); ok {
			return s.object(v.Origin())
		}
		return s.object(obj)
	case *ast.SelectorExpr:
		if sel := r.info.Selections[n]; sel != nil {
			if v, ok := sel.Obj().(*types.Var); ok && !isOld(v) {
				return s.object(v.Origin())
			}
			return nil
		}
		return s.object(r.info.Uses[n.Sel])
	case *ast.ParenExpr:
		return s.key(r, n.X)
	case *ast.StarExpr:
		return s.key(r, n.X)
	case *ast.IndexExpr:
		return s.key(r, n.X)
	case *ast.SliceExpr:
		return s.key(r, n.X)
	case *ast.UnaryExpr:
		return s.key(r, n.X)
	case *ast.CompositeLit:
		return n
	case *ast.TypeAssertExpr:
		return n
	case *ast.CallExpr:
		return s.callKey(r, n, 0)
	}
	return nil
}

// object returns a key for an object: its position, since packages with tests are loaded
// twice.
func (s *slots) object(obj types.Object) any {
	if obj == nil || !obj.Pos().IsValid() || isOld(obj) {
		return nil
	}
	return obj.Pos()
}

// callKey returns the key of a result of a call.
func (s *slots) callKey(r *reader, n *ast.CallExpr, i int) any {
	if id := idOf(n.Fun); id != nil && len(n.Args) > 0 {
		if _, ok := r.info.Uses[id].(*types.Builtin); ok {
			switch id.Name {
			case "append":
				return s.key(r, n.Args[0])
			case "make", "new":
				return n
			}
			return nil
		}
	}
	signature, ok := signatureOf(r.info, n.Fun)
	if !ok || i >= signature.Results().Len() || r.oldCall(n) != nil || r.oldObject(n.Fun) != nil {
		return nil
	}
	return s.result(signature, i)
}

// signatureOf returns the signature of a called function. It reports false for
// conversions and the like.
func signatureOf(info *types.Info, fun ast.Expr) (*types.Signature, bool) {
	t := info.TypeOf(fun)
	if t == nil {
		return nil, false
	}
	signature, ok := t.Underlying().(*types.Signature)
	return signature, ok
}

func (s *slots) result(signature *types.Signature, i int) any {
	v := signature.Results().At(i)
	if !v.Pos().IsValid() || isOld(v) {
		return nil
	}
	return v.Pos()
}

// oldCall returns the table's line for the called method of client-go, or nil.
func (r *reader) oldCall(n *ast.CallExpr) *table.Method {
	name, f := r.serviceMethod(n)
	if f == nil {
		return nil
	}
	method, _ := r.form(name, f)
	return method
}

// serviceMethod returns the called service method of client-go and its name in the
// table, or nil.
func (r *reader) serviceMethod(n *ast.CallExpr) (string, *types.Func) {
	sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
	if !ok {
		return "", nil
	}
	s := r.info.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal || !isOld(s.Obj()) {
		return "", nil
	}
	service, _ := r.calledService(s)
	if service == "" {
		return "", nil
	}
	return service + "." + sel.Sel.Name, s.Obj().(*types.Func)
}

// read records the assignments of a unit.
func (s *slots) read(r *reader) {
	ast.Inspect(r.u.node, func(n ast.Node) bool {
		s.flows(r, n)
		switch n := n.(type) {
		case *ast.AssignStmt:
			s.assign(r, n.Lhs, n.Rhs)
		case *ast.ValueSpec:
			var names []ast.Expr
			for _, name := range n.Names {
				names = append(names, name)
			}
			s.assign(r, names, n.Values)
		case *ast.RangeStmt:
			if n.Value != nil {
				s.join(s.key(r, n.Value), s.key(r, n.X))
			}
		case *ast.CallExpr:
			s.call(r, n)
		case *ast.ReturnStmt:
			s.returned(r, n)
		case *ast.CompositeLit:
			s.literal(r, n)
		case *ast.SendStmt:
			s.join(s.key(r, n.Chan), s.key(r, n.Value))
		}
		return true
	})
}

func (s *slots) assign(r *reader, left, right []ast.Expr) {
	if len(right) == 1 && len(left) > 1 {
		call, ok := ast.Unparen(right[0]).(*ast.CallExpr)
		if !ok {
			s.join(s.key(r, left[0]), s.key(r, right[0]))
			return
		}
		if name := s.resultOf(r, call); name != "" {
			s.set(s.key(r, left[0]), name)
			return
		}
		for i := range left {
			s.join(s.key(r, left[i]), s.callKey(r, call, i))
		}
		return
	}
	for i := range min(len(left), len(right)) {
		if involves(r.info.TypeOf(right[i])) {
			s.join(s.key(r, left[i]), s.key(r, right[i]))
		}
	}
}

// resultOf returns this library's type for the result of a call of client-go.
func (s *slots) resultOf(r *reader, call *ast.CallExpr) string {
	method := r.oldCall(call)
	if method == nil {
		return ""
	}
	to := r.p.newMethod(method.NewService(), method.NewName())
	if to == nil || to.Signature().Results().Len() == 0 {
		return ""
	}
	result := to.Signature().Results().At(0).Type()
	sel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if f, ok := r.info.Uses[sel.Sel].(*types.Func); ok && f.Signature().Results().Len() > 0 {
		if field := s.m.within(f.Signature().Results().At(0).Type(), result); field != nil {
			result = field.Type()
		}
	}
	named := core(result)
	if named == nil || named.Obj().Pkg() != s.p.library {
		return ""
	}
	return named.Obj().Name()
}

func (s *slots) call(r *reader, n *ast.CallExpr) {
	if method := r.oldCall(n); method != nil {
		s.options(r, n, method)
		return
	}
	if id := idOf(n.Fun); id != nil && id.Name == "append" && len(n.Args) > 1 {
		for _, arg := range n.Args[1:] {
			s.join(s.key(r, n.Args[0]), s.key(r, arg))
		}
		return
	}
	signature, ok := signatureOf(r.info, n.Fun)
	if !ok {
		return
	}
	for i, arg := range n.Args {
		j := min(i, signature.Params().Len()-1)
		if j >= 0 && involves(signature.Params().At(j).Type()) {
			s.join(s.object(signature.Params().At(j)), s.key(r, arg))
		}
	}
}

// options notes the type of options that a method of this library takes.
func (s *slots) options(r *reader, n *ast.CallExpr, method *table.Method) {
	to := r.p.newMethod(method.NewService(), method.NewName())
	if to == nil {
		return
	}
	for i, arg := range method.Args {
		if arg.Kind != table.Options || arg.Param == "" || i+1 >= to.Signature().Params().Len() {
			continue
		}
		for j, name := range method.Params {
			if name == arg.Param && j < len(n.Args) {
				s.set(s.key(r, n.Args[j]), newName(to.Signature().Params().At(i+1).Type()))
			}
		}
	}
}

func (s *slots) returned(r *reader, n *ast.ReturnStmt) {
	var signature *types.Signature
	for parent := r.parents[n]; parent != nil && signature == nil; parent = r.parents[parent] {
		switch parent := parent.(type) {
		case *ast.FuncLit:
			signature, _ = r.info.TypeOf(parent).(*types.Signature)
		case *ast.FuncDecl:
			if f, ok := r.info.Defs[parent.Name].(*types.Func); ok {
				signature = f.Signature()
			}
		}
	}
	if signature == nil {
		return
	}
	if len(n.Results) == 1 && signature.Results().Len() > 1 {
		if call, ok := ast.Unparen(n.Results[0]).(*ast.CallExpr); ok {
			s.set(s.result(signature, 0), s.resultOf(r, call))
			for i := range signature.Results().Len() {
				s.join(s.result(signature, i), s.callKey(r, call, i))
			}
		}
		return
	}
	for i, result := range n.Results {
		if i < signature.Results().Len() && involves(signature.Results().At(i).Type()) {
			s.join(s.result(signature, i), s.key(r, result))
		}
	}
}

func (s *slots) literal(r *reader, n *ast.CompositeLit) {
	fields := fieldsOf(r.info.TypeOf(n))
	for i, e := range n.Elts {
		kv, keyed := e.(*ast.KeyValueExpr)
		switch {
		case !keyed && fields != nil && i < fields.NumFields():
			if field := fields.Field(i).Origin(); involves(field.Type()) {
				s.join(s.object(field), s.key(r, e))
			}
		case keyed && idOf(kv.Key) != nil && !isOld(r.info.ObjectOf(idOf(kv.Key))):
			if v, ok := r.info.ObjectOf(idOf(kv.Key)).(*types.Var); ok && v.IsField() {
				s.join(s.object(v.Origin()), s.key(r, kv.Value))
				continue
			}
			s.join(n, s.key(r, kv.Value))
		case keyed && idOf(kv.Key) == nil:
			s.join(n, s.key(r, kv.Value))
		case !keyed && involves(r.info.TypeOf(e)):
			s.join(n, s.key(r, e))
		}
	}
}

// declared returns the key of the declaration that a type expression belongs to.
func (s *slots) declared(r *reader, n ast.Node) any {
	for child, parent := n, r.parents[n]; parent != nil; child, parent = parent, r.parents[parent] {
		switch parent := parent.(type) {
		case *ast.Field:
			return s.fieldKey(r, parent)
		case *ast.ValueSpec:
			return s.object(r.info.Defs[parent.Names[0]])
		case *ast.TypeSpec:
			return s.object(r.info.Defs[parent.Name])
		case *ast.CompositeLit:
			if parent.Type == child {
				return parent
			}
			return nil
		case *ast.CallExpr:
			return parent
		case *ast.TypeAssertExpr:
			return parent
		case ast.Stmt:
			return nil
		}
	}
	return nil
}

// embeddedKey returns the key of an embedded field: the position of its type's name.
func (s *slots) embeddedKey(r *reader, n ast.Expr) any {
	if star, ok := n.(*ast.StarExpr); ok {
		n = star.X
	}
	if sel, ok := n.(*ast.SelectorExpr); ok && r.oldObject(sel) != nil {
		return sel.Sel.Pos()
	}
	return nil
}

// fieldKey returns the key of a field, a parameter or a result.
func (s *slots) fieldKey(r *reader, field *ast.Field) any {
	if len(field.Names) > 0 {
		return s.object(r.info.Defs[field.Names[0]])
	}
	list, ok := r.parents[field].(*ast.FieldList)
	if !ok {
		return nil
	}
	if _, isStruct := r.parents[list].(*ast.StructType); isStruct {
		return s.embeddedKey(r, field.Type)
	}
	if _, ok := r.parents[list].(*ast.FuncType); !ok {
		return nil
	}
	// A parameter or a result without a name is at the position of its type.
	if dots, ok := field.Type.(*ast.Ellipsis); ok {
		return dots.Elt.Pos()
	}
	return field.Type.Pos()
}
