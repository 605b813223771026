package move

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// adapter makes a service of this library implement an interface with methods of a
// service of client-go. It adds a type with these methods to the end of the file.
func (k *repairer) adapter(n ast.Expr, text string, have, want types.Type) (string, bool) {
	named, ok := types.Unalias(want).(*types.Named)
	if n == nil || !ok || !types.IsInterface(want) || k.unit == nil {
		return "", false
	}
	methods := named.Underlying().(*types.Interface)
	field := have
	if sel, ok := ast.Unparen(n).(*ast.SelectorExpr); ok && newName(k.info.TypeOf(sel.X)) == "Client" {
		text, field = k.source(sel.X), k.info.TypeOf(sel.X)
	}
	sources := k.adapted(have, field, methods)
	if sources == nil {
		return "", false
	}
	name := strings.ToLower(named.Obj().Name()[:1]) + named.Obj().Name()[1:] + "Adapter"
	if key := k.packPath() + " " + name; !k.v.adapters[key] {
		code, ok := k.adapterText(name, named, sources, field)
		if !ok {
			return "", false
		}
		k.v.adapters[key] = true
		for _, path := range []string{lib, webhookLib} {
			if strings.Contains(code, path[strings.LastIndexByte(path, '/')+1:]+".") {
				k.needImport(path) // the file may mention nothing of client-go
			}
		}
		if k.v.owners[k.f] == nil {
			k.v.owners[k.f] = k.unit
		}
		k.edits = append(k.edits, edit{len(k.text), len(k.text), code})
	}
	return name + "{" + text + "}", true
}

// An adapted is a method of an interface, and where an adapter has it from.
type adapted struct {
	method   *types.Func
	service  string // of client-go; "" if the value has the method
	receiver string
	whole    bool // the receiver is a client
}

// adapted returns where the methods of an interface come from: a service, a client, or those that a
// struct of the program embeds. It returns nil if one of them has no origin.
func (k *repairer) adapted(have, field types.Type, methods *types.Interface) []adapted {
	if isService(have) {
		service := k.serviceOf(have, methods)
		if service == "" {
			return nil
		}
		var all []adapted
		for m := range methods.Methods() {
			all = append(all, adapted{m, service, "a.client", newName(field) == "Client"})
		}
		return all
	}
	named := namedOf(have)
	if named == nil || fieldsOf(named) == nil || !strings.HasPrefix(k.packPath(), named.Obj().Pkg().Path()) &&
		!named.Obj().Exported() {
		return nil
	}
	var all []adapted
	for m := range methods.Methods() {
		source, ok := k.embedded(have, named, m)
		if !ok {
			return nil
		}
		all = append(all, source)
	}
	return all
}

// embedded finds a method of an interface in a struct of the program, or in a service that it
// embeds.
func (k *repairer) embedded(have types.Type, named *types.Named, m *types.Func) (adapted, bool) {
	obj, _, _ := types.LookupFieldOrMethod(have, false, m.Pkg(), m.Name())
	if f, ok := obj.(*types.Func); ok && types.Identical(bareSignature(f.Signature()), bareSignature(m.Signature())) {
		return adapted{m, "", "a.client", false}, true
	}
	for field := range fieldsOf(named).Fields() {
		if !field.Embedded() || !isService(field.Type()) {
			continue
		}
		one := types.NewInterfaceType([]*types.Func{m}, nil)
		if service := k.serviceOf(field.Type(), one); service != "" {
			return adapted{m, service, "a.client." + field.Name(), newName(field.Type()) == "Client"}, true
		}
	}
	return adapted{}, false
}

// isService reports whether a type is the client of this library, or one of its services.
func isService(t types.Type) bool {
	name := newName(t)
	return name == "Client" || strings.HasSuffix(name, "Service")
}

// serviceOf returns the service of client-go that has all methods of an interface and a
// type of this library as its counterpart, or "" if there is none.
func (k *repairer) serviceOf(have types.Type, methods *types.Interface) string {
	r := k.v.p.reader(k.v.m, k.unit)
	for _, service := range slices.Sorted(maps.Values(k.v.p.old.services)) {
		if newName(have) != "Client" && r.serviceName(service) != newName(have) {
			continue
		}
		all := methods.NumMethods() > 0
		for m := range methods.Methods() {
			f := k.v.p.oldServiceMethod(k.f, service, m.Name())
			all = all && !involves(m.Type()) && f != nil && len(k.v.p.table.Method(service+"."+m.Name())) > 0 &&
				f.Signature().Params().Len() == m.Signature().Params().Len()
		}
		if all {
			return service
		}
	}
	return ""
}

// oldServiceMethod returns a method of a service of client-go. It prefers the version that a
// file imports, and returns nil if no version has the method.
func (p *program) oldServiceMethod(in *file, service, name string) *types.Func {
	paths := slices.Sorted(maps.Keys(p.old.versions))
	for _, spec := range in.syntax.Imports {
		if path := importPath(spec); oldPath(path) {
			paths = append([]string{path}, paths...)
		}
	}
	for _, path := range paths {
		if f := oldMethod(p.all[path], service, name); f != nil {
			return f
		}
	}
	return nil
}

// adapterText renders an adapter.
func (k *repairer) adapterText(
	name string, named *types.Named, sources []adapted, field types.Type,
) (string, bool) {
	var b strings.Builder
	b.WriteString("\n// " + name + " lets a client be " + article(named.Obj().Name()) + ".\n")
	b.WriteString("type " + name + " struct{ client " + k.typeString(field) + " }\n")
	for _, source := range sources {
		text, ok := k.adapterMethod(name, source)
		if !ok {
			return "", false
		}
		b.WriteString("\n" + text + "\n")
	}
	return b.String(), true
}

func article(name string) string {
	if strings.ContainsRune("AEIOUaeiou", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}

// handedMethod renders a method of an adapter that the value has.
func (k *repairer) handedMethod(name string, source adapted) string {
	var params, args, results []string
	signature := source.method.Signature()
	for i := range signature.Params().Len() {
		arg, text := "arg"+strconv.Itoa(i), k.typeString(signature.Params().At(i).Type())
		if signature.Variadic() && i == signature.Params().Len()-1 {
			params, args = append(params, arg+" ..."+strings.TrimPrefix(text, "[]")), append(args, arg+"...")
			continue
		}
		params, args = append(params, arg+" "+text), append(args, arg)
	}
	for v := range signature.Results().Variables() {
		results = append(results, k.typeString(v.Type()))
	}
	call := source.receiver + "." + source.method.Name() + "(" + strings.Join(args, ", ") + ")"
	if len(results) > 0 {
		call = "return " + call
	}
	return "func (a " + name + ") " + source.method.Name() + "(" + strings.Join(params, ", ") + ") (" +
		strings.Join(results, ", ") + ") {\n" + call + "\n}"
}

// adapterMethod renders a method of an adapter: a call of this library.
func (k *repairer) adapterMethod(name string, source adapted) (string, bool) {
	if source.service == "" {
		return k.handedMethod(name, source), true
	}
	m, service, whole := source.method, source.service, source.whole
	f := k.v.p.oldServiceMethod(k.f, service, m.Name())
	r := k.v.p.mover(k.v.m, k.unit)
	pos := k.unit.node.Pos()
	fun := &ast.SelectorExpr{X: &ast.Ident{Name: "a", NamePos: pos}, Sel: &ast.Ident{Name: m.Name(), NamePos: pos}}
	call := &ast.CallExpr{Fun: fun, Lparen: pos, Rparen: pos}
	var params []string
	signature := m.Signature()
	for i := range signature.Params().Len() {
		old, now := f.Signature().Params().At(i), signature.Params().At(i)
		param := old.Name()
		if param == "" || param == "_" || param == "a" {
			param = "arg" + strconv.Itoa(i)
		}
		text := k.typeString(now.Type())
		if signature.Variadic() && i == signature.Params().Len()-1 {
			text = "..." + strings.TrimPrefix(text, "[]")
			call.Ellipsis = pos
		}
		params = append(params, param+" "+text)
		id := &ast.Ident{Name: param, NamePos: pos}
		r.info.Uses[id] = types.NewParam(token.NoPos, nil, param, old.Type())
		r.made[id] = param
		call.Args = append(call.Args, id)
	}
	method, _ := r.form(service+"."+m.Name(), f)
	if method == nil {
		return "", false
	}
	to := k.v.p.newMethod(method.NewService(), method.NewName())
	if to == nil || !whole && r.newService(service) != method.NewService() {
		return "", false
	}
	receiver := source.receiver
	if whole {
		receiver += "." + method.NewService()
	}
	reasons, left := len(k.unit.reasons), k.unit.left
	text, _ := r.callOn(receiver, call, f, method, to)
	if r.blocks > 0 {
		k.unit.reasons, k.unit.left = k.unit.reasons[:reasons], left
		return "", false
	}
	maps.Copy(k.helpers, r.helpers)
	for path := range r.imports {
		k.needImport(path)
	}
	var results []string
	for v := range signature.Results().Variables() {
		results = append(results, k.typeString(v.Type()))
	}
	return "func (a " + name + ") " + m.Name() + "(" + strings.Join(params, ", ") + ") (" +
		strings.Join(results, ", ") + ") {\nreturn " + text + "\n}", true
}

// adapterNodes returns the declarations of adapters. They are at the end of the new
// text of a file.
func adapterNodes(syntax *ast.File, f *file) []ast.Decl {
	index := len(f.syntax.Decls) + importDecls(syntax) - importDecls(f.syntax) + len(f.twins())
	if index >= len(syntax.Decls) {
		return nil
	}
	return syntax.Decls[index:]
}
